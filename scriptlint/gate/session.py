"""The parent's side of a worker process: requests with a time limit, and an end that is certain."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

GRACE = 2.0
"""Seconds after a request's limit in which the worker may still stop by itself; then it is killed."""
START = 60.0
"""Seconds in which a worker must have started."""


class Gone(Exception):  # noqa: N818  (a result, not a fault)
    """The worker is no more: it was killed because it hung, or it died. The text says which."""


class Session:
    """A worker process with one router in it. Use as a context manager: it ends with the block."""

    worker = "scriptlint.gate.worker"
    """The module whose ``main`` answers."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self.settings = dict(settings)
        here = str(Path(__file__).resolve().parent.parent.parent)
        code = f"import sys; sys.path.append(sys.argv[1]); sys.argv[1:] = []; from {self.worker} import main; main()"
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-B", "-c", code, here],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
            text=True,
            encoding="utf-8",
            errors="surrogatepass",
        )
        self.lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()
        self.first = True

    def _listen(self) -> None:
        assert self.process.stdout is not None
        try:
            for line in self.process.stdout:
                self.lines.put(line)
        except (ValueError, OSError):  # closed under us
            pass
        self.lines.put(None)

    def ask(self, do: str, seconds: float, **more: Any) -> dict[str, Any]:
        """Send a request, wait for its reply. Raises Gone."""
        request = {"do": do, "seconds": seconds, **more, **(self.settings if self.first else {})}
        limit = seconds + GRACE + (START if self.first else 0.0)
        self.first = False
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
        except (OSError, ValueError):
            raise Gone(self._death()) from None
        try:
            line = self.lines.get(timeout=limit)
        except queue.Empty:
            self.end()
            raise Gone(f"took longer than {seconds:g} s and did not stop; its process was ended") from None
        if line is None:
            raise Gone(self._death())
        reply: dict[str, Any] = json.loads(line)
        return reply

    def _death(self) -> str:
        code = self.process.wait()
        return f"its process died ({f'signal {-code}' if code < 0 else f'exit code {code}'})"

    def end(self) -> None:
        """End the process, whatever it does."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            try:
                if stream is not None:
                    stream.close()
            except OSError:
                pass

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()


def _environment() -> dict[str, str]:
    import os

    # The order of sets must not differ between two runs, and no bytecode is to be written.
    return {**os.environ, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1"}
