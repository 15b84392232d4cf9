"""A headless Chromium, driven over a pipe: no network, no port, no driver to install."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "headless_shell")
SWITCHES = (
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--remote-debugging-pipe",
)  # fmt: skip

_LAUNCH = (
    "import os, sys; read, write = map(int, sys.argv[1:3]); os.dup2(read, 100); os.dup2(write, 101); "
    "os.dup2(100, 3); os.dup2(101, 4); os.closerange(5, 102); os.execv(sys.argv[3], sys.argv[3:])"
)
"""Chromium reads commands from descriptor 3 and writes to 4; ours may be any, so they take a way round."""


def found() -> str | None:
    """The browser: what CHROMIUM names, else the first on the path."""
    named = os.environ.get("CHROMIUM")
    return named or next((place for name in NAMES if (place := shutil.which(name))), None)


class Browser:
    """One page in one browser; every message is answered before the next is sent."""

    def __init__(self, process: subprocess.Popen[bytes], out: int, back: int) -> None:
        self.process, self.out, self.back = process, out, back
        self.rest = b""
        self.number = 0
        self.requests: list[str] = []
        self.errors: list[str] = []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log", "Accessibility"):
            self.call(f"{domain}.enable")

    def send(self, method: str, session: str | None = None, **params: Any) -> dict[str, Any]:
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            reply = self.read()
            if reply.get("id") == self.number:
                if "error" in reply:
                    raise RuntimeError(f"{method}: {reply['error']}")
                return reply["result"]
            self.note(reply)

    def read(self) -> dict[str, Any]:
        while b"\0" not in self.rest:
            data = os.read(self.back, 1 << 20)
            if not data:
                raise RuntimeError("the browser is gone")
            self.rest += data
        line, _, self.rest = self.rest.partition(b"\0")
        return json.loads(line)

    def note(self, event: dict[str, Any]) -> None:
        if event.get("method") == "Network.requestWillBeSent":
            self.requests.append(event["params"]["request"]["url"])
        elif event.get("method") == "Log.entryAdded":
            self.errors.append(event["params"]["entry"]["text"])

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        return self.send(method, self.session, **params)

    def run(self, expression: str) -> Any:
        """The value of an expression in the page."""
        done = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in done, done
        return done["result"].get("value")

    def open(self, path: Path, width: int, *, dark: bool = False, media: str = "screen") -> None:
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 600
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", media=media, features=[scheme])
        self.call("Page.navigate", url=path.resolve().as_uri())
        for _ in range(200):
            if self.run("document.readyState") == "complete":
                return
            time.sleep(0.05)
        raise RuntimeError("the page did not load")

    def press(self, key: str, code: int, text: str = "") -> None:
        for kind in ("keyDown", "keyUp"):
            extra = {"text": text} if text and kind == "keyDown" else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **extra)

    def screenshot(self, *, whole: bool = True) -> bytes:
        done = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        return base64.b64decode(done["data"])

    def pdf(self) -> bytes:
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"])


@contextlib.contextmanager
def browser() -> Iterator[Browser]:
    """A fresh browser with an empty profile."""
    place = found()
    assert place
    profile = tempfile.mkdtemp(prefix="scriptlint-chromium-")
    to_read, out = os.pipe()
    back, to_write = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-c", _LAUNCH, str(to_read), str(to_write), place, *SWITCHES, f"--user-data-dir={profile}"],
        pass_fds=(to_read, to_write),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(to_read)
    os.close(to_write)
    try:
        yield Browser(process, out, back)
    finally:
        process.terminate()
        process.wait(20)
        os.close(out)
        os.close(back)
        shutil.rmtree(profile, ignore_errors=True)
