"""What ``gate --format json`` writes, made by hand: two conditions, a comparison that collapses, a sweep."""

from __future__ import annotations

from typing import Any

LANGUAGES = {"en": (0.96, 0.96), "ja": (0.95, 0.45), "ko": (0.97, 0.13), "ru": (0.05, 0.05), "zh": (0.952, 0.190)}


def metrics(gated: float, *, queries: int = 20, recall: float = 1.0) -> dict[str, Any]:
    return {
        "queries": queries,
        "negatives": 4,
        "failed": 0,
        "top1": round(recall * 0.95, 6),
        "recall": recall,
        "mrr": round(recall * 0.97, 6),
        "gated_recall": gated,
        "gated_top1": round(gated * 0.97, 6),
        "no_token": round(1 - recall, 6),
        "loanword_only": 0.05,
        "wrong_let_through": round(gated * 1.3, 6),
        "negatives_let_through": 0.1,
    }


def condition(name: str, which: int) -> dict[str, Any]:
    by = {
        code: metrics(shares[which], recall=0.05 if code == "ru" else 0.98, queries=20)
        for code, shares in LANGUAGES.items()
    }
    gated = sum(m["gated_recall"] for m in by.values()) / len(by)
    return {
        "name": name,
        "path": f"fixtures/router/{name}.py",
        "gate": 6.0,
        **metrics(round(gated, 4), queries=100, recall=0.79),
        "by_language": by,
        "by_script": {"Hani": by["zh"], "Cyrl": by["ru"]},
        "answers": [],
    }


def difference(gated: float) -> dict[str, Any]:
    return {
        "queries": 20,
        "recall": 0.0,
        "mrr": -0.024,
        "top1": -0.0476,
        "gated_recall": gated,
        "gated_top1": gated,
        "wrong_let_through": gated,
        "lost": round(-gated * 20),
        "gained": 0,
        "p_value": 0.00006 if gated < -0.2 else 1.0,
        "gated_recall_interval": [gated - 0.1, gated + 0.1],
    }


def gate_sample() -> dict[str, Any]:
    steps = [round(0.05 * n, 2) for n in range(2, 21)]
    return {
        "format": "scriptlint/1",
        "gate": 6.0,
        "gate_name": "GATE_MIN",
        "k": 5,
        "conditions": [condition("cjk_naive", 0), condition("cjk_full", 1)],
        "comparisons": [
            {
                "from": "cjk_naive",
                "to": "cjk_full",
                "overall": difference(-0.43),
                "by_language": {code: difference(round(b - a, 4)) for code, (a, b) in LANGUAGES.items()},
                "collapse": True,
                "collapsed": ["ja", "zh", "all"],
                "ascii": {"verdict": "proved", "example": None},
            },
            {
                "from": "cjk_full",
                "to": "<b>other</b>",
                "overall": None,
                "by_language": {},
                "collapse": False,
                "ascii": {"verdict": "differs", "example": {"text": "a&b", "first": ["a"], "second": ["<i>"]}},
            },
        ],
        "sweep": [
            {
                "set": {"CJK_WEIGHT": step},
                "by_language": {
                    code: {
                        "gated_recall": round(max(0.0, min(1.0, low + (high - low) * (step - 0.1) / 0.8)), 4),
                        "wrong_let_through": round(step * 1.4, 3),
                    }
                    for code, (low, high) in {"zh": (0.05, 0.97), "ja": (0.15, 0.95), "ko": (0.02, 0.9)}.items()
                },
            }
            for step in steps
        ],
        "sweep_of": {"condition": "cjk_full", "constants": ["CJK_WEIGHT"], "builds": 1, "searches": 19},
        "sweep_best": {"max_wrong": 1.0, "by_language": {"zh": {"CJK_WEIGHT": 0.7}, "ja": {"CJK_WEIGHT": 0.65}}},
        "refused": [{"condition": "cjk_full", "what": "write", "target": "cache/index.json", "place": "router.py:80"}],
        "read": ["fixtures/router/cjk_naive.py"],
    }
