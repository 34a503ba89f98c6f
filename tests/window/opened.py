"""A process of `vaultmem view`, and a client that is let in as a browser is."""

from __future__ import annotations

import html
import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

import pytest

pytest.importorskip("jinja2", reason="the `server` extra has it: pip install '.[server]'")
pytest.importorskip("uvicorn", reason="the `server` extra has it: pip install '.[server]'")


class Reply(NamedTuple):
    """What came back."""

    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def seen(self) -> str:
        """The text of a page without its marks."""
        return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", self.text)).split())


class Opened:
    """A window that answers."""

    def __init__(self, process: subprocess.Popen[str], url: str, link: str) -> None:
        self.process, self.url, self.link = process, url, link
        self.host = urlsplit(url).netloc
        self.cookie = ""

    def ask(
        self,
        path: str,
        *,
        method: str = "GET",
        body: str | None = None,
        headers: Mapping[str, str | None] | None = None,
    ) -> Reply:
        """One request, as it is; a header of None is left out."""
        given: dict[str, str | None] = {"Host": self.host, "Cookie": self.cookie}
        if body is not None:
            given |= {"Origin": self.url, "Content-Type": "application/x-www-form-urlencoded"}
            given |= {"Content-Length": str(len(body))}
        given |= headers or {}
        connection = HTTPConnection(self.host, timeout=60)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in given.items():
            if value:
                connection.putheader(name, value)
        connection.endheaders(body.encode() if body is not None else None)
        answer = connection.getresponse()
        found = {name.lower(): value for name, value in answer.getheaders()}
        text = answer.read().decode()
        connection.close()
        return Reply(answer.status, found, text)

    def enter(self) -> None:
        """Open the link, and keep the cookie."""
        reply = self.ask(self.link.removeprefix(self.url))
        assert reply.status == 303
        self.cookie = reply.headers["set-cookie"].partition(";")[0]

    def token(self) -> str:
        """What the forms of a page bear."""
        found = re.search(r'name="token" value="([0-9a-f]+)"', self.ask("/log").text)
        assert found is not None
        return found.group(1)

    def form(self, path: str, verb: str) -> dict[str, str]:
        """The hidden fields of the first form of a page that does this."""
        for form in re.findall(r"<form.*?</form>", self.ask(path).text, re.DOTALL):
            fields = {
                html.unescape(name): html.unescape(value)
                for name, value in re.findall(r'<input[^>]*name="(\w+)"[^>]*value="([^"]*)"', form)
            }
            if fields.get("verb") == verb:
                return fields
        raise AssertionError(f"no form of {path} does {verb}")

    def send(self, fields: Mapping[str, str], **others: str) -> Reply:
        """Send a form; where it leads to a page, that page."""
        reply = self.ask("/do", method="POST", body=urlencode({**fields, **others}))
        return self.ask(reply.headers["location"]) if reply.status == 303 else reply

    def end(self, how: int = signal.SIGINT) -> tuple[int, str, str]:
        """(exit code, standard output, standard error) once it has ended."""
        self.process.send_signal(how)
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, err


@contextmanager
def opened(vault: Path, *, enters: bool = True) -> Iterator[Opened]:
    """A process of `vaultmem view` on a port that was free."""
    process = subprocess.Popen(
        [sys.executable, "-m", "vaultmem", "view", "--json"],
        cwd=vault,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, process.communicate(timeout=60)
        said = json.loads(line)
        window = Opened(process, said["url"], said["link"])
        if enters:
            window.enter()
        yield window
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate(timeout=60)
