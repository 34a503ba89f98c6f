"""A real client before a real proxy process, with a scripted server of models behind it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.models.scripted_server import (
    KEY,
    MODEL,
    ScriptedServer,
    event,
    hangs_up,
    refused,
    resets,
    says,
    server,
    status,
    then,
)
from vaultmem.api.memory import Memory
from vaultmem.context import tokens

__all__ = ["server"]

if find_spec("openai") is None:
    pytest.skip("the `dev` extra has it: pip install '.[dev]'", allow_module_level=True)
pytest.importorskip("starlette", reason="the `proxy` extra has it: pip install '.[proxy]'")
pytest.importorskip("uvicorn", reason="the `proxy` extra has it: pip install '.[proxy]'")

Talked = list[dict[str, str]]


class Running(NamedTuple):
    """A proxy that answers."""

    process: subprocess.Popen[str]
    url: str
    token: str
    client: Any
    printed: list[str]

    def end(self, how: int) -> int:
        """Its exit code; what it printed is in `printed` then."""
        self.process.send_signal(how)
        self.printed.extend(self.process.communicate(timeout=120))
        return self.process.returncode


def official_client() -> Any:
    """The package `openai`: imported by the worker that runs these tests, a second and 45 MB."""
    return import_module("openai")


@contextmanager
def proxy(vault: Path) -> Iterator[Running]:
    """A process of `vaultmem proxy`, and a client that was given its address and token."""
    process = subprocess.Popen(
        [sys.executable, "-m", "vaultmem", "proxy", "--port", "0", "--json"],
        cwd=vault,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, process.communicate(timeout=120)
        said = json.loads(line)
        file = Path(said["token_file"])
        assert os.name != "posix" or file.stat().st_mode & 0o777 == 0o600
        token = file.read_text().strip()
        assert token not in line
        with official_client().OpenAI(base_url=said["url"], api_key=token, max_retries=0) as client:
            yield Running(process, said["url"], token, client, [line])
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate(timeout=120)


def ask(running: Running, talked: Talked, question: str) -> str:
    """The reply as it streams; both are added to the conversation."""
    talked.append({"role": "user", "content": question})
    pieces = running.client.chat.completions.create(model=MODEL, messages=talked, stream=True)
    reply = "".join(piece.choices[0].delta.content or "" for piece in pieces if piece.choices)
    talked.append({"role": "assistant", "content": reply})
    return reply


@pytest.fixture
def vault(tmp_path: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A vault whose person talks to the scripted model; no model keeps the memory."""
    file = tmp_path / "person.toml"
    file.write_text(
        f'[llm]\nchat_provider = "openai"\nchat_base_url = "{server.url}"\n'
        f'chat_model = "{MODEL}"\nchat_api_key = "{KEY}"\nchat_timeout = 5.0\n',
        encoding="utf-8",
    )
    monkeypatch.setenv("VAULTMEM_CONFIG", str(file))
    Memory.init(tmp_path / "notes", device="desk")
    return tmp_path / "notes"


def turns(vault: Path) -> dict[str, list[tuple[str, str]]]:
    """Session -> what was said in it."""
    with Memory(vault) as memory:
        return {
            row.session: [
                (each.user, each.assistant) for each in memory.session(row.session).show().window
            ]
            for row in memory.sessions.list(everything=True)
        }


def test_a_second_conversation_knows_the_first(vault: Path, server: ScriptedServer) -> None:
    server.rule = lambda asked: says("Understood, thank you.")
    first: Talked = [{"role": "system", "content": "You are Ada's assistant."}]
    with proxy(vault) as running:
        assert ask(running, first, "I live in Lisbon.") == "Understood, thank you."
        ask(running, first, "Never answer in German.")
        # What the client has seen the end of survives anything.
        running.end(signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
    [(session, said)] = turns(vault).items()
    reply = "Understood, thank you."
    assert said == [("I live in Lisbon.", reply), ("Never answer in German.", reply)]

    with proxy(vault) as running:
        ask(running, [], "In which city do I live?")
        assert "I live in Lisbon." in server.last.system
        ask(running, first, "And what was it that I never want?")
        told = server.last.system
        assert told.startswith("You are Ada's assistant.\n\nRules that the person has set")
        assert "- Never answer in German." in told
        assert [each["role"] for each in server.last.body["messages"]] == [
            "system", "user", "assistant", "user", "assistant", "user",
        ]  # fmt: skip
        assert server.last.headers["authorization"] == f"Bearer {KEY}"
        assert [model.id for model in running.client.models.list()] == [MODEL]
        code = running.end(signal.SIGTERM)
        assert code == (143 if os.name == "posix" else 1), running.printed
        kept = [json.loads(line) for line in running.printed[1].splitlines()]
    assert [(each["session"] == session, each["turn"]) for each in kept] == [(False, 1), (True, 3)]
    assert len(turns(vault)) == 2
    with Memory(vault) as memory:  # of prompts of some length
        counts = json.loads((memory.opened.state / tokens.FILE).read_text("utf-8"))
    assert {counted for _, counted in counts[MODEL]} == {7}


def test_what_goes_wrong_is_named_and_the_key_stays_where_it_is(
    vault: Path, server: ScriptedServer
) -> None:
    half = event({"choices": [{"index": 0, "delta": {"content": "As far as "}}]})
    talked: Talked = []
    with proxy(vault) as running:
        for step, kind in (
            (refused(500, f"out of order {KEY}"), "upstream_server"),
            (refused(401, f"this key is bad: {KEY}"), "upstream_auth"),
            (hangs_up, "upstream_connection"),
            (status(200, b"<html>"), "upstream_protocol"),
            (then(half, ending=hangs_up), "upstream_truncated"),
            (then(half, event({"error": {"message": KEY}}), ending=resets), "upstream_server"),
        ):
            server.steps = [step]
            with pytest.raises(official_client().APIError) as caught:
                ask(running, talked, "My cat is called Momo.")
            talked.pop()
            assert KEY not in str(caught.value) + json.dumps(caught.value.body)
            assert caught.value.code == kind
        wrong = running.client.with_options(api_key="guessed")
        with pytest.raises(
            official_client().AuthenticationError, match="token is missing or wrong"
        ):
            wrong.models.list()
        for header in ({"Host": "evil.example"}, {"Origin": "http://evil.example"}):
            assert status_of(running, "/v1/models", header) == 403
        assert status_of(running, "/v1/embeddings", {}) == 404
        assert len(server.asked) == 6  # nothing of the refused ones went on
        running.end(signal.SIGTERM)
        assert "Traceback" not in running.printed[2]
    # Only what a person began to read is remembered, and as the same turn, however often told.
    said = [turn for each in turns(vault).values() for turn in each]
    assert said == [("My cat is called Momo.", "As far as")] * 2
    state = Path(running.printed[0] and json.loads(running.printed[0])["token_file"]).parent
    assert not list(holding(KEY, [vault, state, *running.printed]))
    assert not list(holding(running.token, [vault, *running.printed]))


def holding(secret: str, places: Sequence[Path | str]) -> Iterator[str]:
    """Of texts, folders and the objects of a repository, what holds the secret."""
    for place in places:
        if isinstance(place, str):
            if secret in place:
                yield place
            continue
        yield from (
            str(file)
            for file in place.rglob("*")
            if file.is_file() and secret.encode() in file.read_bytes()
        )
        if (place / ".git").exists():
            batch = ["git", "-C", str(place), "cat-file", "--batch-all-objects", "--batch"]
            if secret.encode() in subprocess.run(batch, capture_output=True, check=True).stdout:
                yield f"an object of {place}"


def status_of(running: Running, path: str, headers: dict[str, str]) -> int:
    """What a request with these headers is answered, with the right token."""
    host = running.url.split("/")[2]
    connection = HTTPConnection(host, timeout=120)
    try:
        all_headers = {"Authorization": f"Bearer {running.token}", **headers}
        connection.request("GET", path, headers=all_headers)
        return connection.getresponse().status
    finally:
        connection.close()
