"""`vaultmem proxy`: a client of the OpenAI API has a memory, and nobody else gets in."""

from __future__ import annotations

import http.client
import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests.llm.server import Asked, ScriptedServer, Step, refused, says, server
from vaultmem.config import load_settings
from vaultmem.errors import BadInputError
from vaultmem.memory import Memory

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from uvicorn import Config, Server

from vaultmem.cli.proxying import listening
from vaultmem.operations.session_proxy import wanted
from vaultmem.proxy import app, require_loopback, token_of

__all__ = ["server"]

REPLY = "She lives in Bergen."


def answers(asked: Asked) -> Step:
    """Streams are the chat; a question for JSON is phase 2."""
    if asked.is_streamed:
        return says(REPLY)
    said = json.loads(asked.user)["turn"]["person"]
    diff = {"add": [said]} if "Clara" in said and "?" not in said else {}
    return says(json.dumps({"user_summary": said, "assistant_summary": "ok", "diff": diff}))


@pytest.fixture
def root(tmp_path: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> Path:
    config = tmp_path / "person.toml"
    config.write_text(server.settings(), encoding="utf-8")
    monkeypatch.setenv("VAULTMEM_CONFIG", str(config))
    server.rule = answers
    Memory.init(tmp_path / "notes", name="notes")
    return tmp_path / "notes"


class Client:
    """A program that talks to the proxy."""

    def __init__(self, port: int, token: str) -> None:
        self.port, self.token = port, token

    def post(self, body: object, **headers: str) -> tuple[int, str]:
        own = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        own |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            connection.request("POST", "/v1/chat/completions", data, own)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def ask(self, *messages: str, stream: bool = False) -> str:
        """The reply to a conversation of the person's and the assistant's words, in turns."""
        roles = ("user", "assistant")
        listed = [{"role": roles[n % 2], "content": text} for n, text in enumerate(messages)]
        listed.insert(0, {"role": "system", "content": "Be kind."})
        status, text = self.post({"model": "any", "messages": listed, "stream": stream})
        assert status == 200, text
        if stream:
            return text
        reply: str = json.loads(text)["choices"][0]["message"]["content"]
        return reply


@contextmanager
def running(root: Path) -> Iterator[Client]:
    """The proxy as the command starts it, in a thread."""
    settings = load_settings(root)
    with Memory(root) as memory:
        token, _ = token_of(memory.parts.state)
    with listening("127.0.0.1", 0) as made:
        port = made.getsockname()[1]
        config = Config(app(settings, token, port), log_level="error", lifespan="off")
        proxy = Server(config)
        thread = Thread(target=proxy.run, kwargs={"sockets": [made]})
        thread.start()
        try:
            yield Client(port, token)
        finally:
            proxy.should_exit = True
            thread.join(30)


def test_a_client_that_is_restarted_knows_the_first_conversation(
    root: Path, server: ScriptedServer
) -> None:
    with running(root) as client:
        assert client.ask("My sister Clara lives in Bergen.") == REPLY
        assert client.ask("My sister Clara lives in Bergen.", REPLY, "She is kind.") == REPLY
    with running(root) as client:
        server.asked.clear()
        streamed = client.ask("Where does Clara live?", stream=True)
    [asked] = [each for each in server.asked if each.is_streamed]
    assert asked.system.startswith("Be kind.")
    assert "My sister Clara lives in Bergen." in asked.system
    events = [line[6:] for line in streamed.splitlines() if line.startswith("data: ")]
    assert events[-1] == "[DONE]"
    deltas = [json.loads(each)["choices"][0]["delta"] for each in events[:-1]]
    assert "".join(delta.get("content", "") for delta in deltas) == REPLY
    with Memory(root) as memory:
        assert sorted(row.turns for row in memory.sessions()) == [1, 2]


class TestWhoGetsIn:
    """Programs of this machine that have the token; no web page, no other name."""

    BODY = {"messages": [{"role": "user", "content": "Hello"}]}  # noqa: RUF012

    def test_others_are_refused_and_nothing_is_asked_or_kept(
        self, root: Path, server: ScriptedServer
    ) -> None:
        with running(root) as client:
            tried: dict[int, list[dict[str, str]]] = {
                401: [{"Authorization": "Bearer no"}, {"Authorization": ""}],
                421: [{"Host": "evil.example"}, {"Host": "127.0.0.1:1"}],
                403: [{"Origin": "https://evil.example"}, {"Origin": "null"}],
            }
            for status, headers in tried.items():
                for each in headers:
                    assert client.post(self.BODY, **each)[0] == status, each
            assert client.post(self.BODY, Origin=f"http://127.0.0.1:{client.port}")[0] == 200
        assert sum(each.is_streamed for each in server.asked) == 1

    def test_the_token_is_in_a_file_that_nobody_else_reads(self, tmp_path: Path) -> None:
        token, file = token_of(tmp_path)
        assert len(token) >= 40
        assert token_of(tmp_path)[0] == token
        if os.name == "posix":
            assert stat.S_IMODE(file.stat().st_mode) == 0o600

    @pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.2", "example.org", ""])
    def test_only_this_machine_is_listened_to(self, host: str) -> None:
        with pytest.raises(BadInputError, match="not an address of this machine alone"):
            require_loopback(host)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 400),
        (b"[" * 5000, 400),
        ({"messages": []}, 400),
        ({"messages": [{"role": "assistant", "content": "x"}]}, 400),
        ({"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}, 400),
        ({"messages": [{"role": "user", "content": "x"}], "tools": [{}]}, 400),
        (b" " * 8_000_001, 413),
    ],
)
def test_what_cannot_be_passed_on_is_refused(root: Path, body: object, status: int) -> None:
    with running(root) as client:
        found, text = client.post(body)
        assert found == status
        assert json.loads(text)["error"]["message"]


@pytest.mark.parametrize("stream", [False, True])
def test_an_error_of_the_model_is_the_clients_and_keeps_nothing(
    root: Path, server: ScriptedServer, stream: bool
) -> None:
    server.rule = lambda _: refused(401, "no key")
    with running(root) as client:
        status, text = client.post({**TestWhoGetsIn.BODY, "stream": stream})
    assert status == 502
    assert json.loads(text)["error"]["type"] == "auth"
    with Memory(root) as memory:
        assert memory.sessions() == ()


def test_a_conversation_that_begins_alike_is_another_one(root: Path) -> None:
    with running(root) as client:
        for _ in range(2):
            client.ask("Hello")
        client.ask("Hello", REPLY, "And now?")
    with Memory(root) as memory:
        assert sorted(row.turns for row in memory.sessions()) == [1, 2]


def test_a_real_client_holds_a_conversation(root: Path) -> None:
    openai: Any = pytest.importorskip("openai")
    with running(root) as client:
        url = f"http://127.0.0.1:{client.port}/v1"
        with openai.OpenAI(base_url=url, api_key=client.token, max_retries=0) as real:
            messages = [{"role": "user", "content": "My sister Clara lives in Bergen."}]
            first = real.chat.completions.create(model="any", messages=messages)
            assert first.choices[0].message.content == REPLY
            pieces = real.chat.completions.create(model="any", messages=messages, stream=True)
            said = "".join(each.choices[0].delta.content or "" for each in pieces)
            assert said == REPLY


def test_parts_of_text_are_put_together() -> None:
    content = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    asked = wanted({"messages": [{"role": "user", "content": content}]}, "my-session")
    assert (asked.question, asked.session, asked.is_streamed) == ("a\n\nb", "my-session", False)
    with pytest.raises(BadInputError, match="cannot be the id"):
        wanted({"messages": [{"role": "user", "content": "x"}]}, "../x")
