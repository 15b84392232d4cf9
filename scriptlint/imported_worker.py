"""The process in which an imported callable runs: requests and replies are lines of JSON.

Started by ``imported``. What the callable prints goes nowhere; what it may not do, ``gate.guard`` refuses.
"""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

from scriptlint.gate.guard import Guard
from scriptlint.gate.pipes import private_pipes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_UNKNOWN = frozenset(("[UNK]", "<unk>", "<UNK>", "[unk]"))
_MOST = 100_000


class CallableError(Exception):
    """What was named can't be used; the text is for the user."""


def main() -> None:
    """Answer requests until there are no more."""
    requests, replies = private_pipes()
    sys.dont_write_bytecode = True
    # Libraries ask where temporary files would go, and that is found out by writing one.
    import tempfile

    tempfile.gettempdir()
    guard: Guard | None = None
    call: Callable[[str], Any] | None = None
    for line in requests:
        request = json.loads(line)
        if guard is None:
            guard = Guard(request["root"], ())
            guard.install()
        guard.armed = True
        reply: dict[str, Any]
        try:
            if call is None:
                call = load(request["spec"], request["root"])
                reply = {}
            else:
                reply = {"tokens": [list(pieces(call(t), t)) for t in request["texts"]]}
        except CallableError as error:
            reply = {"error": str(error), "kind": "usage"}
        except BaseException as error:  # SystemExit too: code under test may not leave without a word
            reply = {"error": _told(error), "kind": "raised"}
        guard.armed = False
        reply["refused"], guard.told = guard.told, []
        replies.write(json.dumps(reply) + "\n")
        replies.flush()
    os._exit(0)  # what the callable left to run at exit is none of our business


def load(spec: str, root: str) -> Callable[[str], Any]:
    """The callable of ``module:name`` (``name`` may have dots). Raises CallableError."""
    from importlib import import_module

    module, _, name = spec.partition(":")
    sys.path.insert(0, root)
    try:
        found: Any = import_module(module)
    except ModuleNotFoundError as error:
        if error.name and (module == error.name or module.startswith(f"{error.name}.")):
            raise CallableError(f"no module named {error.name!r} in {root} or in this Python") from None
        raise CallableError(f"importing {module} failed: {_told(error)}") from None
    except BaseException as error:
        raise CallableError(f"importing {module} failed: {_told(error)}") from None
    here = module
    for part in name.split("."):
        try:
            found = getattr(found, part)
        except AttributeError:
            raise CallableError(_missing(found, part, here)) from None
        here = f"{here}.{part}"
    return _callable(found, here)


def _missing(owner: Any, part: str, here: str) -> str:
    from scriptlint.nearest import did_you_mean

    names = [n for n in dir(owner) if not n.startswith("_")]
    return f"{here} has no {part!r}{did_you_mean(part, names)}"


def _callable(found: Any, name: str) -> Callable[[str], Any]:
    if isinstance(found, type):
        try:
            found = found()
        except Exception as error:
            raise CallableError(f"{name} is a class that can't be made without arguments: {_told(error)}") from None
    # Offsets into the text say what a subword is; its own spelling may be bytes in disguise.
    encode = getattr(found, "encode", None)
    if callable(encode) and hasattr(found, "token_to_id"):
        return lambda text: encode(text)
    if callable(found):
        return lambda text: found(text)
    for method in ("tokenize", "cut", "segment", "encode"):
        one = getattr(found, method, None)
        if callable(one):
            return lambda text, one=one: one(text)  # type: ignore[misc]
    raise CallableError(f"{name} is not callable: it is a {type(found).__name__}")


def pieces(value: Any, text: str) -> Iterator[str]:
    """The tokens in whatever the callable gave. Raises CallableError for what holds no text."""
    encodings = getattr(value, "encodings", None)
    if isinstance(encodings, (list, tuple)) and encodings:
        value = encodings[0]
    if hasattr(value, "offsets") and hasattr(value, "tokens"):
        yield from _encoded(value, text)
        return
    yield from _flat(value, [0])


def _encoded(value: Any, text: str) -> Iterator[str]:
    """Tokens of a Hugging Face encoding, as the stretches of the text that they stand for."""
    last: tuple[int, int] | None = None
    names = value.tokens() if callable(value.tokens) else value.tokens
    for name, (start, end) in zip(names, value.offsets, strict=False):
        # Bytes of one character share its place; an unknown token has a place and no meaning.
        if end > start and name not in _UNKNOWN and (start, end) != last:
            yield text[start:end].strip()
            last = (start, end)


def _flat(value: Any, count: list[int], depth: int = 0) -> Iterator[str]:
    count[0] += 1
    if count[0] > _MOST or depth > 8:
        raise CallableError("it gives more than can be read")
    if value is None:
        return
    if isinstance(value, str):
        if value:
            yield value
    elif isinstance(value, (bytes, bytearray)):
        yield bytes(value).decode("utf-8", "replace")
    elif isinstance(value, (bool, int, float)):
        raise CallableError("it gives numbers, not text: name what gives tokens (a tokenizer object, or its tokenize)")
    elif isinstance(getattr(value, "text", None), str):
        yield value.text
    elif hasattr(value, "__iter__"):
        listed = sorted(value, key=str) if isinstance(value, (set, frozenset)) else value
        # A tuple of a word and what is known of it (a tag, its place) is one token.
        if isinstance(value, tuple) and value and isinstance(value[0], str) and depth:
            yield value[0]
            return
        for part in listed:
            yield from _flat(part, count, depth + 1)
    elif isinstance(getattr(value, "word", None), str):
        yield value.word
    else:
        raise CallableError(f"it gives a {type(value).__name__}, which holds no text")


def _told(error: BaseException) -> str:
    try:
        why = " ".join(str(error).replace("*" * 10, "").split())
    except Exception:
        why = ""
    return (f"{type(error).__name__}: {why}" if why else type(error).__name__)[:300]
