"""The tools over HTTP: a real process, asked as clients ask it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.assistants.mcp.driver import FORM, MODERN
from vaultmem.assistants.mcp.wire import CAPABILITIES_KEY, VERSION_KEY

pytest.importorskip("uvicorn", reason="the `proxy` extra has it: pip install '.[proxy]'")
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
META = {VERSION_KEY: MODERN, CAPABILITIES_KEY: FORM}


class Running(NamedTuple):
    """A server that answers."""

    process: subprocess.Popen[str]
    port: int
    token: str

    def ask(
        self, message: object, *, verb: str = "POST", path: str = "/mcp", **headers: str
    ) -> tuple[int, Any]:
        """(status, the JSON that came back; None: nothing did)."""
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        given: Mapping[str, str] = {"Authorization": f"Bearer {self.token}", **headers}
        connection = HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.request(verb, path, body=body, headers=dict(given))
        response = connection.getresponse()
        data = response.read()
        connection.close()
        return response.status, json.loads(data) if data else None

    def call(self, name: str, arguments: object, **beside: object) -> Any:
        params = {"name": name, "arguments": arguments, "_meta": META, **beside}
        asked = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}
        status, answer = self.ask(asked, **{"MCP-Protocol-Version": MODERN})
        assert status == 200
        return answer["result"]


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("http")
    environment = {**os.environ, "XDG_STATE_HOME": str(folder / "state")}
    command = [sys.executable, "-P", "-m", "vaultmem"]
    vault = ["--vault", str(folder / "vault")]
    for words in (["init", vault[1]], ["remember", *vault, "I live in Ghent."]):
        subprocess.run([*command, *words], check=True, env=environment, capture_output=True)
    process = subprocess.Popen(
        [*command, "mcp", *vault, "--http", "--port", "0"],
        stdout=subprocess.PIPE,
        env=environment,
        text=True,
    )
    assert process.stdout is not None
    address = process.stdout.readline().split()[-1]
    token = Path(process.stdout.readline().split()[-1]).read_text(encoding="ascii").strip()
    port = int(address.removesuffix("/mcp").rpartition(":")[2])
    yield Running(process, port, token)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=120)
    assert process.returncode == 128 + signal.SIGTERM


def test_a_message_is_answered_and_a_notification_accepted(running: Running) -> None:
    assert running.ask(PING) == (200, {"jsonrpc": "2.0", "id": 1, "result": {}})
    assert running.ask({"jsonrpc": "2.0", "method": "notifications/initialized"}) == (202, None)


def test_who_has_no_token_is_not_let_in(running: Running) -> None:
    assert running.ask(PING, Authorization="Bearer x")[0] == 401
    assert running.ask(PING, Host="evil.example")[0] == 403
    assert running.ask(PING, Origin="https://evil.example")[0] == 403


def test_other_paths_and_verbs_are_refused(running: Running) -> None:
    assert running.ask(PING, path="/other")[0] == 404
    assert running.ask(b"", verb="GET")[0] == 405
    assert running.ask(b"", verb="DELETE")[0] == 405


@pytest.mark.parametrize("body", [b"{", b"[]", b"\xff", b"3"])
def test_what_is_no_message_is_a_bad_request(running: Running, body: bytes) -> None:
    status, answer = running.ask(body)
    assert (status, answer["error"]["code"]) in [(400, -32700), (400, -32600)]


def test_a_body_that_is_too_long_is_refused(running: Running) -> None:
    assert running.ask(b" " * 4_100_000)[0] == 413


def test_headers_that_contradict_the_message_are_refused(running: Running) -> None:
    asked = {**PING, "params": {"_meta": META}}
    for headers in ({"MCP-Protocol-Version": "2025-06-18"}, {"Mcp-Method": "tools/list"}):
        status, answer = running.ask(asked, **headers)
        assert (status, answer["error"]["code"]) == (400, -32020)
    assert running.ask(PING, **{"MCP-Protocol-Version": "1999-01-01"})[0] == 400


def test_the_persons_yes_is_asked_for_and_heard(running: Running) -> None:
    told = running.call("recall", {"query": "where do I live"})["content"][0]["text"]
    home = told.partition("; ")[2].partition(";")[0]
    given = {"id": home, "to": "I live in Bruges."}
    asked = running.call("change", given)
    assert asked["resultType"] == "input_required"
    [key] = asked["inputRequests"]
    yes = {key: {"action": "accept", "content": {"agree": True}}}
    done = running.call("change", given, requestState=asked["requestState"], inputResponses=yes)
    assert "The user agreed." in done["content"][0]["text"]


def test_a_client_with_sessions_has_its_requests_wait(running: Running) -> None:
    opened = {"protocolVersion": "2025-06-18", "capabilities": FORM}
    status, answer = running.ask({**PING, "method": "initialize", "params": opened})
    assert (status, answer["result"]["protocolVersion"]) == (200, "2025-06-18")
    told = running.call("recall", {"query": "where do I live"})["content"][0]["text"]
    home = told.partition("; ")[2].partition(";")[0]
    params = {"name": "forget", "arguments": {"ids": [home]}}
    _, answer = running.ask({**PING, "method": "tools/call", "params": params})
    assert "Nothing is changed yet" in answer["result"]["content"][0]["text"]
