"""The tokenizers that ``--tokenizer`` knows by name: what skill routers use, and its two usual repairs."""

from __future__ import annotations

from scriptlint.tokenizer.stages import Extract, Lower, NGrams, Pattern, Stage, Union

_ASCII: tuple[Stage, ...] = (Extract(Pattern("[a-z0-9]+")),)
_HANGUL: tuple[Stage, ...] = (Extract(Pattern("[\uac00-\ud7a3]{2,}")), NGrams(2))
_CJK: tuple[Stage, ...] = (
    Extract(Pattern("[\u4e00-\u9fff\u3040-\u309f\u30a0-\u30ff\uac00-\ud7a3]{2,}")),
    NGrams(2),
)

PRESETS: dict[str, tuple[Stage, ...]] = {
    "ascii": (Lower(), *_ASCII),
    "hangul": (Lower(), Union((_ASCII, _HANGUL))),
    "cjk": (Lower(), Union((_ASCII, _CJK))),
    "word": (Lower(), Extract(Pattern(r"\w+"))),
}
