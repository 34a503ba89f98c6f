"""`/v1/responses` of the proxy: clients that send all each time, and clients that name a reply."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from threading import enumerate as enumerate_threads
from typing import Any

import pytest

from tests.models.scripted_server import ScriptedServer, Step, refused, resets, server, status, then
from tests.server.test_requests import Desk, desk, settings_file
from vaultmem.api.memory import Memory
from vaultmem.server.proxy import read_object

__all__ = ["desk", "server", "settings_file"]

pytest.importorskip("starlette", reason="the `proxy` extra has it: pip install '.[proxy]'")

PATH = "/v1/responses"
NUMBERS = count(1)
CALL = {
    "type": "function_call",
    "id": "fc_1",
    "call_id": "c1",
    "name": "clock",
    "arguments": '{"zone":  "\\u00e9", "n": 1.50}',
}
ANSWER = {"type": "function_call_output", "call_id": "c1", "output": "I live in Rome. 12:00"}


CLOCK = {"type": "function", "name": "clock"}
TOLD = {"role": "user", "content": "I live in Linz."}


def spoken(text: str) -> dict[str, Any]:
    """A reply in words, as an item."""
    part = {"type": "output_text", "text": text, "annotations": []}
    return {"type": "message", "role": "assistant", "status": "completed", "content": [part]}


def said(text: str) -> dict[str, Any]:
    part = {"type": "input_text", "text": text}
    return {"type": "message", "role": "user", "content": [part]}


def response(*items: dict[str, Any], id_: str = "") -> dict[str, Any]:
    return {
        "id": id_ or f"resp_{next(NUMBERS)}",
        "object": "response",
        "status": "completed",
        "error": None,
        "model": "m",
        "output": list(items),
        "usage": {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15},
    }


def events(found: dict[str, Any]) -> list[bytes]:
    """The same as that server streams it."""
    made: list[bytes] = []

    def event(kind: str, **value: Any) -> None:
        data = {"type": kind, "sequence_number": len(made), **value}
        made.append(f"event: {kind}\ndata: {json.dumps(data)}\n\n".encode())

    event("response.created", response={**found, "status": "in_progress", "output": []})
    for place, item in enumerate(found["output"]):
        begun = {**item, "content": []} if "content" in item else item
        event("response.output_item.added", output_index=place, item=begun)
        for part in item.get("content", ()):
            where = {"output_index": place, "content_index": 0, "item_id": "msg_1"}
            event("response.content_part.added", part={**part, "text": ""}, **where)
            for piece in (part["text"][:4], part["text"][4:]):
                event("response.output_text.delta", delta=piece, **where)
        event("response.output_item.done", output_index=place, item=item)
    event("response.completed", response=found)
    return made


def answers(found: dict[str, Any]) -> Step:
    """Whole, or as a stream, as the request wants it."""

    def step(handler: Any) -> None:
        if handler.asked.is_streamed:
            then(*events(found), ending=lambda _: None)(handler)
        else:
            handler.reply(200, json.dumps(found).encode())

    return step


def ask(desk: Desk, given: Any, **more: Any) -> Any:
    return desk.post({"model": "m", "input": given, **more}, path=PATH)


def users(desk: Desk) -> list[list[str]]:
    return [[user for user, _ in turns] for turns in desk.turns()]


def test_a_client_that_sends_all_each_time_has_one_session(
    desk: Desk, server: ScriptedServer
) -> None:
    """As Codex does: nothing is stored, and its own texts stand beside the person's."""
    with Memory(desk.vault) as memory:
        memory.remember("I am allergic to hazelnuts.")
    setting = [
        {
            "type": "message",
            "role": "developer",
            "content": [{"type": "input_text", "text": "Be."}],
        },
        said(
            "# AGENTS.md instructions for /home/ada\n\n<INSTRUCTIONS>\nI use tabs.\n</INSTRUCTIONS>"
        ),
        said("<environment_context>\n  <cwd>/home/ada</cwd>\n</environment_context>"),
    ]
    given = [*setting, said("What time is it?")]
    tools = [CLOCK]
    first = response(spoken("Let me look."), CALL)
    server.steps = [answers(first), answers(response(spoken("It is noon.")))]
    answer = ask(desk, given, store=False, stream=True, tools=tools)
    assert answer.body == b"".join(events(first))
    assert desk.kept == []
    given += [spoken("Let me look."), {**CALL}, ANSWER]
    ask(desk, given, store=False, stream=True, tools=tools)
    sent = server.last.body["input"]
    [place] = [at for at, item in enumerate(sent) if "hazelnuts" in json.dumps(item)]
    assert sent[place]["role"] == "developer"
    assert sent[place + 1] == said("What time is it?")
    assert [*sent[:place], *sent[place + 1 :]] == given

    given += [spoken("It is noon."), said("I live in Graz.")]
    server.steps = [answers(response(spoken("Noted.")))]
    ask(desk, given, store=False, stream=True, tools=tools)
    assert desk.turns() == [[("What time is it?", "It is noon."), ("I live in Graz.", "Noted.")]]


def test_a_client_that_names_a_reply_has_one_session(desk: Desk, server: ScriptedServer) -> None:
    def asks(text: str, reply: str, before: str, id_: str) -> None:
        server.steps = [answers(response(spoken(reply), id_=id_))]
        more = {"previous_response_id": before} if before else {}
        assert ask(desk, text, instructions="Be kind.", **more).status == 200

    asks("I live in Graz.", "Noted.", "", "r1")
    asks("I play chess.", "Nice.", "r1", "r2")
    assert users(desk) == [["I live in Graz.", "I play chess."]]
    assert server.last.body["instructions"].startswith("Be kind.\n\n")
    assert server.last.body["input"] == "I play chess."  # what stands there would be stored
    # Another reply to the same words takes the last turn back; tools stand between, with no words.
    asks("I play go.", "Nice, too.", "r1", "r3")
    assert users(desk) == [["I live in Graz.", "I play go."]]
    server.steps = [answers(response(CALL, id_="r4")), answers(response(spoken("Noon."), id_="r5"))]
    ask(desk, "What time is it?", previous_response_id="r3")
    ask(desk, [ANSWER], previous_response_id="r4", stream=True)
    asks("Thanks!", "Sure.", "r5", "r6")
    assert users(desk) == [["I live in Graz.", "I play go.", "What time is it?", "Thanks!"]]
    assert desk.turns()[0][2] == ("What time is it?", "Noon.")
    # A conversation that nobody here has heard of.
    asks("Hello", "Hi.", "elsewhere", "r7")
    assert [len(turns) for turns in users(desk)] == [4, 1]


def test_a_conversation_that_the_server_keeps_is_one_session(
    desk: Desk, server: ScriptedServer
) -> None:
    server.rule = lambda asked: answers(response(spoken("Yes.")))
    for text, named in (("One", "conv_1"), ("Two", "conv_2"), ("Three", {"id": "conv_1"})):
        ask(desk, text, conversation=named)
    assert users(desk) == [["One", "Three"], ["Two"]]


def test_two_conversations_at_once_are_two_sessions(desk: Desk, server: ScriptedServer) -> None:
    server.rule = lambda asked: answers(response(spoken("Yes.")))
    talks: list[list[Any]] = [[], []]

    def go_on(talked: list[Any], text: str) -> None:
        talked.append(said(text))
        assert ask(desk, talked, store=False, stream=True).status == 200
        talked.append(spoken("Yes."))

    with ThreadPoolExecutor(2) as pool:
        for words in (
            ("Hello", "Hello"),
            ("I live in Graz.", "I live in Linz."),
            ("Chess?", "Go?"),
        ):
            list(pool.map(go_on, talks, words))
    assert sorted(users(desk)) == [
        ["Hello", "I live in Graz.", "Chess?"],
        ["Hello", "I live in Linz.", "Go?"],
    ]


def test_what_breaks_off_or_fails_says_so(desk: Desk, server: ScriptedServer) -> None:
    whole = events(response(spoken("As far as the river.")))
    parts = whole[:5]
    server.steps = [then(*parts, ending=resets)]
    body = ask(desk, "I live in Linz.", stream=True).body
    assert body.startswith(b"".join(parts))
    told = json.loads(body.removeprefix(b"".join(parts)).partition(b"data: ")[2])
    assert (told["type"], told["code"], told["error"]["code"]) == (
        "error",
        "upstream_connection",
        "upstream_connection",
    )
    failed = {**response(), "status": "failed", "error": {"code": "server_error", "message": "x"}}
    data = json.dumps({"type": "response.failed", "response": failed})
    last = f"event: response.failed\ndata: {data}\n\n"
    server.steps = [then(whole[0], last.encode(), ending=lambda _: None)]
    assert ask(desk, "I live in Rome.", stream=True).body == whole[0] + last.encode()
    for answered in (429, 500, 400):
        server.steps = [refused(answered, "no")]
        answer = ask(desk, "I live in Oslo.")
        assert answer.status == (502 if answered == 500 else answered)
        assert answer.error["message"]
    assert desk.turns() == [[("I live in Linz.", "As far as the river.")]]


@pytest.mark.parametrize("body", [b"{", b"[]", b'{"input": 3}', b'{"input": [1]}', b"{}"])
def test_what_is_no_request_goes_nowhere(desk: Desk, server: ScriptedServer, body: bytes) -> None:
    answer = desk.post(body, path=PATH)
    assert (answer.status, answer.error["code"]) == (400, "bad_request")
    assert server.asked == []


def test_what_has_nothing_to_do_with_memory_is_passed_on_as_it_is(
    desk: Desk, server: ScriptedServer
) -> None:
    for path in ("/v1/embeddings", "/v1/completions"):
        server.steps = [status(200, b'{"data":  [1.50]}')]
        assert desk.post({"input": "I live in Graz."}, path=path).body == b'{"data":  [1.50]}'
        assert (server.last.path, server.last.body) == (path, {"input": "I live in Graz."})
    assert desk.kept == []


class TestTitles:
    """A request for the title of a conversation is passed on, and is no conversation."""

    @pytest.mark.parametrize("is_first", [True, False], ids=["before", "behind"])
    def test_the_same_words_under_other_instructions_are_one_turn(
        self, desk: Desk, server: ScriptedServer, is_first: bool
    ) -> None:
        main = {
            "messages": [
                {"role": "system", "content": "You help with code."},
                {"role": "user", "content": "I live in Graz."},
            ],
            "tools": [{"type": "function", "function": {"name": "clock"}}],
        }
        title = {
            "messages": [
                {"role": "system", "content": "Bitte benenne, was folgt."},
                {"role": "user", "content": "Los:\n"},
                {"role": "user", "content": '"I live in Graz."'},
            ]
        }

        def while_the_talk_is_asked(handler: Any) -> None:
            desk.post(main)
            handler.reply(200, chat("A title"))

        server.steps = [while_the_talk_is_asked, says_yes] if is_first else [says_yes, says_yes]
        for request in (title,) if is_first else (main, title):
            desk.post(request)
        assert desk.turns() == [[("I live in Graz.", "Yes.")]]

    @pytest.mark.parametrize(
        "instructions",
        [
            "You are a title generator. You output ONLY a thread title. Nothing else.",
            "Generate a concise, sentence-case title (3-7 words) for this coding session.",
            "Is this message a new conversation topic? If it is, extract a 2-3 word title.",
            "Based on the chat history, give this conversation a name. Keep it short.",
        ],
    )
    def test_they_are_known_by_what_they_are_to_do(
        self, desk: Desk, server: ScriptedServer, instructions: str
    ) -> None:
        with Memory(desk.vault) as memory:
            memory.remember("I am allergic to hazelnuts.")
        commits = commits_in(desk.vault)
        for path, request in (
            (
                "/v1/chat/completions",
                {
                    "messages": [
                        {"role": "system", "content": instructions},
                        TOLD,
                    ]
                },
            ),
            ("/v1/responses", {"instructions": instructions, "input": "I live in Linz."}),
            ("/v1/messages", {"system": instructions, "messages": [TOLD]}),
        ):
            desk.post(request, path=path)
            assert "hazelnuts" not in json.dumps(server.last.body)
        assert commits_in(desk.vault) == commits

    @pytest.mark.parametrize(
        "instructions",
        [
            "You are a friendly chat assistant. Keep answers short. Your name is Momo.",
            "You are Ada's assistant. Write short messages and give names to variables.",
            "You are a chat assistant. Write a short post about bees with a title.",
            "",
        ],
    )
    def test_a_person_who_talks_is_remembered(
        self, desk: Desk, server: ScriptedServer, instructions: str
    ) -> None:
        server.rule = lambda asked: says_yes
        system = [{"role": "system", "content": instructions}] if instructions else []
        for text in ("I live in Graz.", "I live in Graz.", "Name our chat group, keep it brief."):
            desk.post({"messages": [*system, {"role": "user", "content": text}]})
        assert len(desk.turns()) == 3


@pytest.mark.parametrize(
    "order",
    [
        (
            "CRITICAL: Text only. Never use tabs.\n\nYour task is to create a detailed "
            "summary of the conversation so far, with the user's explicit requests."
        ),
        (
            "You are performing a checkpoint. Create a handoff summary for another LLM that will "
            "resume the task.\n\n- What remains to be done"
        ),
        "Create a new summary from the conversation above so another coding agent can go on.",
    ],
)
def test_a_summary_that_a_client_orders_is_nobodys_words(
    desk: Desk, server: ScriptedServer, order: str
) -> None:
    server.rule = lambda asked: answers(response(spoken("Noted.")))
    ask(desk, [said("I live in Graz.")], store=False)
    ask(desk, [said("I live in Graz."), spoken("Noted."), said(order)], store=False, tools=[CLOCK])
    assert users(desk) == [["I live in Graz."]]
    assert "Graz" not in json.dumps(server.last.body["input"][-2:-1])
    own = "I play chess. Please write a summary of our session into NOTES.md."
    ask(desk, [said("I live in Graz."), spoken("Noted."), said(own)], store=False)
    assert users(desk) == [["I live in Graz.", own]]


def test_each_exchange_is_one_commit_the_first_one_too(
    desk: Desk, settings_file: Path, server: ScriptedServer
) -> None:
    """Where a model sums up what was said, it does so beside."""
    server.rule = lambda asked: answers(response(spoken("Noted.")))
    before = commits_in(desk.vault)
    ask(desk, [said("I live in Graz.")], store=False)
    assert commits_in(desk.vault) == before + 1
    ask(desk, [said("I live in Graz."), spoken("Noted."), said("I play chess.")], store=False)
    assert commits_in(desk.vault) == before + 2

    own = f'provider = "openai"\nbase_url = "{server.url}"\nmodel = "small"\nchat_'
    settings_file.write_text(settings_file.read_text().replace("chat_", own, 1))
    other = Desk(desk.vault)
    ask(other, [said("I keep bees in the garden behind the house.")], store=False)
    other.close()
    [report] = other.kept
    assert report.waiting == (1,)
    for thread in enumerate_threads():
        if thread.name.startswith("session "):
            thread.join(120)
    assert "/v1/chat/completions" in {asked.path for asked in server.asked}


def test_what_an_assistant_tells_its_helper_is_nobodys_words(
    desk: Desk, server: ScriptedServer
) -> None:
    order = "Find out where the tests are. I live in the folder of the project."
    call = {**CALL, "name": "spawn", "arguments": json.dumps({"task": {"message": order}})}
    server.steps = [answers(response(call)), answers(response(spoken("In tests/.")))]
    tools = [{"type": "function", "name": "spawn"}]
    ask(desk, [said("Where are the tests?")], store=False, stream=True, tools=tools)
    ask(desk, [said(order)], store=False, stream=True, tools=tools)
    assert desk.turns() == []
    server.steps = [answers(response(spoken("In tests/.")))]
    output = {"type": "function_call_output", "call_id": "c1", "output": "In tests/."}
    ask(desk, [said("Where are the tests?"), call, output], store=False, tools=tools)
    assert desk.turns() == [[("Where are the tests?", "In tests/.")]]


def test_an_object_keeps_all_bytes_but_those_of_a_value() -> None:
    text = '{ "a" : [1.50, "\\u00e9"],\n"b":{"c": 1e2} , "d":"x" }'
    found = read_object(text.encode())
    assert found.values == json.loads(text)
    assert found.with_values({"b": 7}).decode() == text.replace('{"c": 1e2}', "7")
    assert json.loads(found.with_values({"new": "é", "a": []})) == {
        **json.loads(text),
        "new": "é",
        "a": [],
    }
    assert read_object(b" {} ").with_values({"a": 1}).strip() == b'{"a": 1}'


def chat(text: str) -> bytes:
    message = {"role": "assistant", "content": text}
    return json.dumps({"choices": [{"message": message, "finish_reason": "stop"}]}).encode()


def says_yes(handler: Any) -> None:
    handler.reply(200, chat("Yes."))


def commits_in(vault: Path) -> int:
    with Memory(vault) as memory:
        return len(memory.history.log())
