"""What requests of clients are part of, and what is put into them: the application, no socket."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.models.scripted_server import MODEL, ScriptedServer, refused, says, server
from vaultmem.api.memory import Memory
from vaultmem.config.settings import open_settings
from vaultmem.model.session_files import TurnReport
from vaultmem.server.conversation import fold
from vaultmem.server.proxy import MemoryThread
from vaultmem.server.shapes import CHAT

pytest.importorskip("starlette", reason="the `proxy` extra has it: pip install '.[proxy]'")

__all__ = ["server"]

Talked = list[dict[str, Any]]


class Answer(NamedTuple):
    """What the application answered."""

    status: int
    body: bytes
    headers: list[tuple[bytes, bytes]]

    @property
    def said(self) -> str:
        """The words of a whole answer."""
        text: str = json.loads(self.body)["choices"][0]["message"]["content"]
        return text

    @property
    def error(self) -> dict[str, str]:
        found: dict[str, str] = json.loads(self.body)["error"]
        return found


class Desk:
    """The application with its two threads, as `vaultmem proxy` puts them together."""

    def __init__(self, vault: Path) -> None:
        from vaultmem.cli.server import upstreams_of
        from vaultmem.server.proxy import Proxy

        self.vault = vault
        self.kept: list[TurnReport] = []
        self.failed: list[BaseException] = []
        settings = open_settings(vault)
        self._threads = [
            MemoryThread(name, lambda: Memory(settings=settings)) for name in ("asks", "keeps")
        ]
        self._app = Proxy(
            upstreams_of(settings),
            reading=self._threads[0],
            keeping=self._threads[1],
            writer="person",
            kept=self.kept.append,
            failed=self.failed.append,
        ).app()

    def close(self) -> None:
        for thread in self._threads:
            thread.close()

    def post(
        self, request: object, *, path: str = "/v1/chat/completions", **headers: str
    ) -> Answer:
        """The answer to a request; `x_vaultmem_session="a"` is that header."""
        path, _, query = path.partition("?")
        body = request if isinstance(request, bytes) else json.dumps(request).encode()
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "POST",
            "path": path,
            "query_string": query.encode(),
            "headers": [
                (name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()
            ],
        }
        events = [{"type": "http.request", "body": body}]
        sent: list[Any] = []

        async def receive() -> Any:
            return events.pop() if events else await asyncio.Event().wait()

        async def send(event: Any) -> None:
            sent.append(event)

        async def answered() -> None:
            await self._app(scope, receive, send)

        asyncio.run(answered())
        body = b"".join(each.get("body", b"") for each in sent[1:])
        return Answer(sent[0]["status"], body, sent[0]["headers"])

    def ask(self, talked: Talked, question: str, **more: Any) -> None:
        """A question that goes on with a conversation; the reply is added to it."""
        talked.append({"role": "user", "content": question})
        headers = more.pop("headers", {})
        answer = self.post({"messages": talked, **more}, **headers)
        assert answer.status == 200, answer.body
        talked.append({"role": "assistant", "content": answer.said})

    def turns(self) -> list[list[tuple[str, str]]]:
        """What was said in each session, the one that began first at the beginning."""
        with Memory(self.vault) as memory:
            rows = sorted(memory.sessions.list(everything=True), key=lambda row: row.started or 0)
            views = [memory.session(row.session).show() for row in rows]
        return [[(each.user, each.assistant) for each in view.window] for view in views]


@pytest.fixture
def settings_file(tmp_path: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "person.toml"
    file.write_text(
        f'[llm]\nchat_provider = "openai"\nchat_base_url = "{server.url}"\n'
        f'chat_model = "{MODEL}"\nchat_timeout = 5.0\n',
        encoding="utf-8",
    )
    monkeypatch.setenv("VAULTMEM_CONFIG", str(file))
    server.rule = lambda asked: says("Yes.")
    return file


@pytest.fixture
def desk(settings_file: Path, tmp_path: Path) -> Iterator[Desk]:
    Memory.init(tmp_path / "notes", device="desk")
    made = Desk(tmp_path / "notes")
    yield made
    made.close()
    assert made.failed == []


def test_conversations_that_begin_alike_are_told_apart(desk: Desk) -> None:
    first: Talked = []
    second: Talked = []
    for talked in (first, second):
        desk.ask(talked, "Hello")
    assert first == second
    desk.ask(second, "I live in Porto.")
    desk.ask(second, "And I play chess.")
    desk.ask(first, "I live in Lisbon.")  # the same words as the second one's, up to here
    said = sorted([user for user, _ in turns] for turns in desk.turns())
    assert said == [
        ["Hello", "I live in Lisbon."],
        ["Hello", "I live in Porto.", "And I play chess."],
    ]


@pytest.mark.parametrize(
    ("key", "is_hidden"),
    [("ollama", False), ("k", False), ("sk-Vq71-private", True), ("gXkQpLmRtYvBnWzHsDfK", True)],
)
def test_a_word_that_stands_for_a_key_stays_in_the_reply(
    settings_file: Path, tmp_path: Path, server: ScriptedServer, key: str, *, is_hidden: bool
) -> None:
    with settings_file.open("a", encoding="utf-8") as file:
        file.write(f'chat_api_key = "{key}"\n')
    server.rule = lambda asked: says(f"Start {key} first.", pieces=[f"Start {key} first."])
    Memory.init(tmp_path / "notes", device="desk")
    desk = Desk(tmp_path / "notes")
    asked = {"messages": [{"role": "user", "content": "What first?"}]}
    said = f"Start {'(key)' if is_hidden else key} first.".encode()
    for is_streamed in (False, True):
        answer = desk.post({**asked, "stream": is_streamed}, x_vaultmem_session="-")
        assert said in answer.body
    desk.close()


def test_what_could_be_two_conversations_takes_nothing_back(desk: Desk) -> None:
    first: Talked = []
    second: Talked = []
    for talked, question in ((first, "Name a bird."), (second, "Name a tree.")):
        desk.ask(talked, "Hello")
        desk.ask(talked, question)
    desk.ask(first[:2], "Name a flower.")  # another one than either
    assert sorted(len(turns) for turns in desk.turns()) == [1, 2, 2]
    desk.ask(second[:2], "Name a tree.")
    assert sorted(len(turns) for turns in desk.turns()) == [1, 2, 2]


def test_another_reply_to_the_last_words_takes_the_first_one_back(
    desk: Desk, server: ScriptedServer
) -> None:
    talked: Talked = []
    desk.ask(talked, "Hello")
    desk.ask(talked, "Name a bird.")
    server.steps = [says("Heron.")]
    again = talked[:2]
    desk.ask(again, "Name a bird.")
    assert desk.turns() == [[("Hello", "Yes."), ("Name a bird.", "Heron.")]]
    desk.ask(again, "Thank you.")
    assert [len(turns) for turns in desk.turns()] == [3]


def test_a_client_that_sends_only_the_end_goes_on_with_its_session(
    desk: Desk, server: ScriptedServer
) -> None:
    talked: Talked = []
    for question in ("Never use tabs.", "Name a bird.", "Name a tree."):
        desk.ask(talked, question)
    end = talked[-2:]
    desk.ask(end, "What did I forbid?")
    assert [len(turns) for turns in desk.turns()] == [4]
    assert "- Never use tabs." in server.last.system
    assert "Name a bird." in server.last.system  # from the log: the client does not send it


def test_a_session_that_has_ended_is_resumed(desk: Desk) -> None:
    talked: Talked = []
    desk.ask(talked, "I live in Lisbon.")
    with Memory(desk.vault) as memory:
        [row] = memory.sessions.list()
        memory.session(row.session).end()
    desk.ask(talked, "And I play chess.")
    assert [report.turn for report in desk.kept] == [1, 2]
    assert [len(turns) for turns in desk.turns()] == [2]


def test_a_client_may_name_its_session_or_none(desk: Desk, server: ScriptedServer) -> None:
    desk.ask([], "I live in Lisbon.", headers={"x_vaultmem_session": "heron"})
    desk.ask([], "I play chess.", headers={"x_vaultmem_session": "heron"})
    assert [report.session for report in desk.kept] == ["heron", "heron"]
    desk.ask([], "Give this chat a title", headers={"x_vaultmem_session": "-"})
    assert server.last.system == ""
    refused = desk.post({"messages": [{"role": "user", "content": "x"}]}, x_vaultmem_session="../x")
    assert refused.status == 400
    assert len(desk.kept) == 2


def test_users_of_one_client_are_kept_apart(desk: Desk) -> None:
    talked: Talked = []
    desk.ask(talked, "Hello", user="ada")
    desk.ask(list(talked), "My cat is called Momo.", user="ada")
    desk.ask(list(talked), "My cat is called Kiki.", user="bob")
    said = [[user for user, _ in turns] for turns in desk.turns()]
    assert said == [["Hello", "My cat is called Momo."], ["My cat is called Kiki."]]


def test_tools_are_passed_on_and_the_words_at_the_end_are_the_turn(
    desk: Desk, server: ScriptedServer
) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "clock", "arguments": "{}"}}
    wanted = {"choices": [{"message": {"content": "Let me look.", "tool_calls": [call]}}]}
    server.steps = [lambda handler: handler.reply(200, json.dumps(wanted).encode())]
    talked: Talked = [{"role": "user", "content": "What time is it?"}]
    tools = [{"type": "function", "function": {"name": "clock"}}]
    request = {"messages": talked, "tools": tools, "temperature": 0.3}
    assert json.loads(desk.post(request).body) == wanted
    assert (server.last.body["tools"], server.last.body["temperature"]) == (tools, 0.3)
    assert desk.kept == []
    talked += [
        {"role": "assistant", "content": "Let me look.", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "noon"},
    ]
    server.steps = [says("It is noon.")]
    assert desk.post({"messages": talked, "tools": tools}).status == 200
    assert desk.turns() == [[("What time is it?", "It is noon.")]]


@pytest.mark.parametrize(
    "request_",
    [b"{", [], {"messages": []}, {"messages": "x"}, {"messages": ["x"]}, {"messages": [{"a": 1}]}],
)
def test_what_is_no_request_goes_nowhere(
    desk: Desk, server: ScriptedServer, request_: object
) -> None:
    answer = desk.post(request_)
    assert (answer.status, answer.error["code"]) == (400, "bad_request")
    assert server.asked == []


def test_an_error_before_the_first_word_keeps_nothing(desk: Desk, server: ScriptedServer) -> None:
    for stream in (False, True):
        server.steps = [refused(422, "no such parameter")]
        request = {"messages": [{"role": "user", "content": "I live in Lisbon."}], "stream": stream}
        answer = desk.post(request)
        assert (answer.status, answer.error["code"]) == (422, "upstream_bad_request")
    assert desk.kept == []


def test_a_model_of_another_dialect_is_asked_with_texts(
    desk: Desk, settings_file: Path, server: ScriptedServer
) -> None:
    text = settings_file.read_text().replace('"openai"', '"anthropic"')
    settings_file.write_text(text)
    other = Desk(desk.vault)
    try:
        talked: Talked = [{"role": "system", "content": "Be kind."}]
        other.ask(talked, "I live in Lisbon.")
        assert server.last.is_anthropic
        assert server.last.system.startswith("Be kind.")
        parts = [{"type": "text", "text": "Where do"}, {"type": "text", "text": "I live?"}]
        talked.append({"role": "user", "content": parts})
        answer = other.post({"messages": talked, "stream": True})
        assert answer.body.endswith(b"data: [DONE]\n\n")
        assert server.last.user.endswith("Where do\n\nI live?")
        refused = other.post({"messages": talked, "tools": [{"type": "function"}]})
        assert (refused.status, "tools" in refused.error["message"]) == (400, True)
    finally:
        other.close()
    assert [report.turn for report in other.kept] == [1, 2]


def test_replies_that_are_replayed_ask_nobody(
    desk: Desk, settings_file: Path, server: ScriptedServer
) -> None:
    settings_file.write_text(settings_file.read_text() + 'record = "replay"\n')
    other = Desk(desk.vault)
    try:
        answer = other.post({"messages": [{"role": "user", "content": "Hello"}]})
    finally:
        other.close()
    assert (answer.status, answer.error["code"]) == (502, "upstream_unrecorded")
    assert server.asked == []


def test_memory_stands_behind_what_the_client_says_to_the_model() -> None:
    hello = {"role": "user", "content": "Hello"}
    assert CHAT.with_memory({"messages": [hello]}, "M")["messages"] == [
        {"role": "system", "content": "M"},
        hello,
    ]
    parts = {"role": "developer", "content": [{"type": "text", "text": "Be kind."}]}
    [first, _] = CHAT.with_memory({"messages": [parts, hello]}, "M")["messages"]
    assert [part["text"] for part in first["content"]] == ["Be kind.", "M"]


def test_pictures_are_no_words() -> None:
    content = [{"type": "text", "text": "Who is it?"}, {"type": "image_url", "image_url": {}}]
    request = {"messages": [{"role": "user", "content": content}]}
    assert fold(CHAT.words(request)).user == "Who is it?"
