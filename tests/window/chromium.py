"""A real Chromium, headless, driven by its DevTools protocol.

By hand over `websockets`, which is small, typed and kept by its author: Playwright and Selenium
bring a driver each that has to fit the browser of the system, and a hundred megabytes.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
import time
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

client = pytest.importorskip(
    "websockets.sync.client", reason="the `dev` extra has it: pip install '.[dev]'"
)
PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or ""
AXE = "axe-core@~4.14.1"
SECONDS = 30.0
_FLAGS = (
    "--headless=new",
    "--no-sandbox",  # tests may run as root, in a container
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--no-first-run",
    "--hide-scrollbars",
    "--remote-debugging-port=0",
)


class Tab:
    """One page of the browser, and all that it asked for and complained of."""

    def __init__(self, socket: Any) -> None:
        self._socket = socket
        self._last = 0
        self.requests: list[str] = []
        self.errors: list[str] = []
        self._loads = 0
        self._looks: tuple[int, int, bool] | None = None
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The result of a command of the protocol."""
        self._last += 1
        mine = self._last
        self._socket.send(json.dumps({"id": mine, "method": method, "params": parameters}))
        while True:
            told = json.loads(self._socket.recv(timeout=SECONDS))
            if told.get("id") == mine:
                assert "error" not in told, (method, told["error"])
                result: dict[str, Any] = told["result"]
                return result
            self._note(told)

    def _note(self, told: dict[str, Any]) -> None:
        given = told.get("params", {})
        match told.get("method"):
            case "Network.requestWillBeSent":
                self.requests.append(given["request"]["url"])
            case "Runtime.exceptionThrown":
                self.errors.append(json.dumps(given["exceptionDetails"]))
            case "Runtime.consoleAPICalled" if given["type"] in ("error", "warning", "assert"):
                self.errors.append(json.dumps(given["args"]))
            case "Log.entryAdded" if given["entry"]["level"] == "error":
                self.errors.append(json.dumps(given["entry"]))
            case "Page.loadEventFired":
                self._loads += 1

    def run(self, script: str) -> Any:
        """What an expression comes to; a promise is waited for."""
        done = self.send(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    def until(self, script: str, *, seconds: float = SECONDS) -> Any:
        """What an expression comes to once that is true; a page may be on its way meanwhile."""
        end = time.monotonic() + seconds
        while True:
            try:
                found = self.run(script)
            except AssertionError:
                found = None  # between two pages there is nothing to ask
            if found:
                return found
            assert time.monotonic() < end, f"{script}\n{self.run('document.body.innerText')}"
            time.sleep(0.02)

    def go(self, address: str) -> None:
        """Open a page, and wait until all of it is there."""
        before = self._loads
        self.send("Page.navigate", url=address)
        self._await_load(before)

    def leave_by(self, script: str) -> None:
        """Do what leads to another page, and wait until all of that is there."""
        before = self._loads
        self.run(f"({script}, true)")
        self._await_load(before)

    def _await_load(self, before: int) -> None:
        """Listen until it is said: asking again and again kept both processes busy meanwhile."""
        end = time.monotonic() + SECONDS
        while self._loads == before:
            assert time.monotonic() < end, "the page does not come"
            with contextlib.suppress(TimeoutError):
                self._note(json.loads(self._socket.recv(timeout=1.0)))

    def type(self, selector: str, text: str) -> None:
        """Put a text into a field in the place of what it has, as keys do."""
        self.run(
            f"(document.querySelector({json.dumps(selector)}).focus(), "
            f"document.querySelector({json.dumps(selector)}).select())"
        )
        self.send("Input.insertText", text=text)

    def press(self, key: str) -> None:
        """One key, down and up."""
        code = {"Enter": 13, "Tab": 9}.get(key, ord(key[0].upper()))
        text = {"text": "\r"} if key == "Enter" else {"text": key} if len(key) == 1 else {}
        for kind in ("keyDown", "keyUp"):
            self.send(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                code=key,
                windowsVirtualKeyCode=code,
                **(text if kind == "keyDown" else {}),
            )

    def look(self, *, width: int, height: int = 900, dark: bool = False) -> None:
        """Be so wide, in the light or in the dark."""
        if (width, height, dark) == self._looks:
            return  # said again, it has the page laid out anew
        self._looks = (width, height, dark)
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        value = "dark" if dark else "light"
        self.send(
            "Emulation.setEmulatedMedia",
            features=[
                {"name": "prefers-color-scheme", "value": value},
                {"name": "prefers-reduced-motion", "value": "reduce"},
            ],
        )

    def picture(self, file: Path, *, whole: bool = True) -> None:
        """The page as PNG."""
        shot = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        file.write_bytes(b64decode(shot["data"]))

    def axe(self) -> list[str]:
        """What axe finds of serious or critical weight, a line each."""
        self.run(axe_script())
        found = self.run(
            "axe.run(document, {resultTypes: ['violations']}).then(done => done.violations"
            ".filter(each => ['serious', 'critical'].includes(each.impact))"
            ".map(each => each.id + ': ' + each.nodes.map(node => node.html.slice(0, 160)"
            " + ' ' + node.failureSummary).join(' | ')))"
        )
        assert isinstance(found, list)
        return found


@contextmanager
def browser() -> Iterator[Tab]:
    """A browser with one page, with a profile of its own; skips where there is none."""
    if not PROGRAM:
        pytest.skip("no chromium here: Debian has it as `chromium`")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [PROGRAM, *_FLAGS, f"--user-data-dir={profile}", "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": profile},
        )
        try:
            port = _port_in(Path(profile) / "DevToolsActivePort", process)
            with client.connect(_page_of(port), max_size=None, compression=None) as socket:
                yield Tab(socket)
        finally:
            process.terminate()
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(timeout=20)


def _port_in(file: Path, process: subprocess.Popen[bytes]) -> int:
    end = time.monotonic() + SECONDS
    while True:
        if file.exists() and (lines := file.read_text().splitlines()):
            return int(lines[0])
        if process.poll() is not None or time.monotonic() > end:
            pytest.skip("chromium does not start here")
        time.sleep(0.05)


def _page_of(port: int) -> str:
    """The address of the socket of the one page."""
    from http.client import HTTPConnection

    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        connection = HTTPConnection("127.0.0.1", port, timeout=SECONDS)
        connection.request("GET", "/json/list")
        pages = [
            each for each in json.loads(connection.getresponse().read()) if each["type"] == "page"
        ]
        connection.close()
        if pages:
            address: str = pages[0]["webSocketDebuggerUrl"]
            return address
        time.sleep(0.05)
    raise AssertionError("the browser has no page")


def axe_script() -> str:
    """The program of axe-core (MPL, Deque), kept in a folder of this machine's temporary files."""
    kept = Path(tempfile.gettempdir()) / f"vaultmem-tests-{os.getuid()}" / AXE
    file = kept / "package" / "axe.min.js"
    if not file.exists():
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip("no npm here, from which axe-core comes")
        kept.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            [npm, "pack", AXE, "--pack-destination", str(kept), "--silent"],
            capture_output=True,
            timeout=120,
            check=False,
        )
        packed = sorted(kept.glob("axe-core-*.tgz"))
        if done.returncode or not packed:
            pytest.skip("axe-core cannot be fetched: `npm pack` fails here")
        with tarfile.open(packed[0]) as archive:
            archive.extract("package/axe.min.js", kept, filter="data")
    return file.read_text(encoding="utf-8")
