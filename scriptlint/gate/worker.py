"""The process in which one condition of a router runs: requests and replies are lines of JSON.

Started by ``session``; the router's own output goes nowhere, so that only replies are read.
"""
# ruff: noqa: PTH119

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

from scriptlint.gate.guard import Guard
from scriptlint.gate.pipes import private_pipes
from scriptlint.gate.router import Router, RouterError, TimeUp, alarm

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO


def main() -> None:
    """Answer requests until there are no more."""
    requests, replies = private_pipes()
    sys.dont_write_bytecode = True
    _serve(requests, replies)
    replies.flush()
    os._exit(0)  # what the router left to run at exit is none of our business


def _serve(requests: TextIO, replies: TextIO) -> None:
    guard: Guard | None = None
    router: Router | None = None
    for line in requests:
        request = json.loads(line)
        if guard is None:
            guard = Guard(request["root"], request["cache"])
            guard.install()
        if router is None:
            router = Router(request)
        # From the first request on, also between requests: the router may have threads.
        guard.armed = True
        reply = _answer(router, guard, request)
        reply["refused"], guard.told = guard.told, []
        replies.write(json.dumps(reply) + "\n")
        replies.flush()


def _answer(router: Router, guard: Guard, request: dict[str, Any]) -> dict[str, Any]:
    work: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
        "load": router.load,
        "build": router.build,
        "search": router.search,
        "tokens": router.tokens,
        "set": router.set,
    }
    if request["do"] == "read":
        return {"read": list(guard.read)}
    try:
        with alarm(request["seconds"]):
            return work[request["do"]](request)
    except RouterError as error:
        return {"error": str(error), "kind": "usage"}
    except TimeUp:
        return {"error": f"took longer than {request['seconds']:g} s", "kind": "slow"}
    except RecursionError as error:
        return {"error": f"RecursionError: {error}", "kind": "raised"}
    except BaseException as error:
        # SystemExit, too: a router that leaves must not take its condition along without a word.
        return {"error": _told(error, router.path), "kind": "raised"}


def _told(error: BaseException, path: str) -> str:
    """``ValueError: why (router.py:12)``: one line with the router's own innermost line."""
    line = 0
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            line = trace.tb_lineno
        trace = trace.tb_next
    if isinstance(error, SyntaxError):
        line = error.lineno or 0
        text = f"not valid Python: {error.msg}"
    else:
        try:
            why = " ".join(str(error).split())
        except Exception:
            why = ""
        text = f"{type(error).__name__}: {why}" if why else type(error).__name__
    return f"{text[:300]} ({os.path.basename(path)}:{line})" if line else text[:300]
