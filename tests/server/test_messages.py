"""`/v1/messages` of the proxy, as Claude Code and the SDK of Anthropic ask."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.models.scripted_server import (
    Handler,
    ScriptedServer,
    Step,
    resets,
    says,
    server,
    status,
    then,
)
from tests.server.test_requests import Desk, desk, settings_file
from vaultmem.api.memory import Memory

__all__ = ["desk", "server", "settings_file"]

pytest.importorskip("starlette", reason="the `proxy` extra has it: pip install '.[proxy]'")

PATH = "/v1/messages?beta=true"
TOOLS = [{"name": "clock", "input_schema": {"type": "object", "properties": {}}}]
REMINDER = (
    "<system-reminder>\nToday's date is 2026-11-23. The user lives in Paris.\n</system-reminder>"
)


def event(name: str, **value: Any) -> bytes:
    """An event as that server writes it, with its name."""
    return f"event: {name}\ndata: {json.dumps({'type': name, **value})}\n\n".encode()


def events(*texts: str, call: dict[str, Any] | None = None) -> list[bytes]:
    """A reply of some pieces, and a call of a tool behind them."""
    found = [
        event("message_start", message={"id": "m1", "content": [], "usage": {"input_tokens": 9}}),
        b": keeps the connection\n\n",
        event("content_block_start", index=0, content_block={"type": "text", "text": ""}),
        event("ping"),
    ]
    for text in texts:
        found.append(
            event("content_block_delta", index=0, delta={"type": "text_delta", "text": text})
        )
    if call is not None:
        block = {"type": "tool_use", "id": "t1", "name": "clock", "input": {}}
        found.append(event("content_block_start", index=1, content_block=block))
        for part in ('{"zone":  "\\u00e9', '","n": 1.50}'):
            delta = {"type": "input_json_delta", "partial_json": part}
            found.append(event("content_block_delta", index=1, delta=delta))
    reason = "tool_use" if call is not None else "end_turn"
    found.append(event("message_delta", delta={"stop_reason": reason}, usage={"output_tokens": 3}))
    found.append(event("message_stop"))
    return found


def streams(*parts: bytes) -> Step:
    """A stream of these bytes that ends well."""
    return then(*parts, ending=lambda handler: None)


def ask(desk: Desk, talked: list[dict[str, Any]], **more: Any) -> Any:
    return desk.post({"model": "m", "max_tokens": 99, "messages": talked, **more}, path=PATH)


def said(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def test_a_stream_passes_byte_for_byte_and_its_words_are_remembered(
    desk: Desk, server: ScriptedServer
) -> None:
    parts = events("Graz, ", "noted.")
    server.steps = [streams(*parts)]
    answer = ask(desk, [said("I live in Graz.")], stream=True)
    assert answer.body == b"".join(parts)
    assert desk.turns() == [[("I live in Graz.", "Graz, noted.")]]
    asked = server.last
    assert asked.path == "/v1/messages?beta=true"
    assert asked.headers["anthropic-version"] == "2023-06-01"

    server.steps = [says("In Graz.")]
    marked = [{"type": "text", "text": "Be kind.", "cache_control": {"type": "ephemeral"}}]
    answer = ask(desk, [said("Where do I live?")], system=marked)
    assert json.loads(answer.body)["content"][0]["text"] == "In Graz."
    system = server.last.body["system"]
    assert system[0] == marked[0]
    assert "I live in Graz." in system[1]["text"]
    assert "cache_control" not in system[1]


def test_tools_and_all_that_is_not_ours_go_on_byte_for_byte(
    desk: Desk, server: ScriptedServer
) -> None:
    bodies: list[bytes] = []
    parts = events("Let me look.", call={})

    def step(handler: Handler) -> None:
        bodies.append(handler.raw)
        streams(*parts)(handler)

    server.steps = [step]
    tools = '[ {"name":"clock",  "input_schema": {"n": 1.50, "s": "\\u00e9\\/"}} ]'
    talked = '[{"role": "user",\n "content": "What time is it? Caf\\u00e9."}]'
    body = f'{{"stream": true, "tools":{tools},  "messages": {talked}, "max_tokens" : 5}}'
    answer = desk.post(body.encode(), path=PATH)
    assert answer.body == b"".join(parts)
    [sent] = bodies
    assert f'"tools":{tools},  "messages": {talked}, "max_tokens" : 5}}'.encode() in sent
    assert desk.kept == []  # it calls a tool: this is no reply yet

    server.steps = [streams(*events("It is noon."))]
    call = {"type": "tool_use", "id": "t1", "name": "clock", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "I live in Rome. 12:00"}
    history = [
        said("What time is it? Café."),
        {"role": "assistant", "content": [{"type": "text", "text": "Let me look."}, call]},
        {"role": "user", "content": [result, {"type": "text", "text": REMINDER}]},
    ]
    ask(desk, history, stream=True, tools=TOOLS)
    assert desk.turns() == [[("What time is it? Café.", "It is noon.")]]
    # The session goes on with what the client sends back, reminders of the client or not.
    history += [
        {"role": "assistant", "content": [{"type": "text", "text": "It is noon."}]},
        {
            "role": "user",
            "content": [{"type": "text", "text": text} for text in (REMINDER, "Thanks!")],
        },
    ]
    server.steps = [streams(*events("Sure."))]
    ask(desk, history, stream=True, tools=TOOLS)
    assert [len(turns) for turns in desk.turns()] == [2]


def test_where_messages_are_marked_to_be_kept_the_memory_stands_behind_the_marks(
    desk: Desk, server: ScriptedServer
) -> None:
    with Memory(desk.vault) as memory:
        memory.remember("I live in Graz.")
    marked = {"type": "text", "text": "Where?", "cache_control": {"type": "ephemeral"}}
    talked = [{"role": "user", "content": [marked]}]
    server.rule = lambda asked: says("In Graz.")
    ask(desk, talked, system="Be kind.")
    sent = server.last.body
    assert sent["system"] == "Be kind."
    [first, block] = sent["messages"][0]["content"]
    assert first == marked
    assert block["text"].startswith("<system-reminder>")
    assert "Graz" in block["text"]
    # Were it sent back, as by a client that repeats what it was shown, it would not be kept.
    ask(desk, sent["messages"], system="Be kind.")
    assert [turns[-1][0] for turns in desk.turns()] == ["Where?", "Where?"]


@pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
@pytest.mark.parametrize(
    ("answered", "kind"),
    [(429, "rate_limit_error"), (529, "overloaded_error"), (400, "invalid_request_error")],
)
def test_an_error_has_the_shape_and_the_status_that_its_clients_know(
    desk: Desk, server: ScriptedServer, answered: int, kind: str, stream: bool
) -> None:
    told = {"type": "error", "error": {"type": kind, "message": "prompt is too long: 9 > 8"}}
    server.steps = [status(answered, told, Retry_After="7")]
    answer = ask(desk, [said("I live in Graz.")], stream=stream)
    found = json.loads(answer.body)
    assert (answer.status, found["type"], found["error"]["type"]) == (answered, "error", kind)
    assert "prompt is too long" in found["error"]["message"]
    assert dict(answer.headers)[b"retry-after"] == b"7"
    assert desk.kept == []


def test_an_error_of_the_proxy_itself_has_that_shape_too(
    desk: Desk, server: ScriptedServer
) -> None:
    for body in (b"{", b"[]", b'{"messages": []}', b'{"messages": [1]}', b'{"a": 1} x'):
        answer = desk.post(body, path=PATH)
        assert answer.status == 400
        assert json.loads(answer.body)["error"]["type"] == "invalid_request_error"
    assert server.asked == []


def test_a_stream_that_breaks_off_says_so_and_is_kept_as_far_as_it_came(
    desk: Desk, server: ScriptedServer
) -> None:
    parts = events("As far as ", "the river.")[:-3]
    server.steps = [then(*parts, ending=resets), then(*parts, ending=lambda handler: None)]
    for question in ("I moved to Linz.", "My cat is called Momo."):
        answer = ask(desk, [said(question)], stream=True)
        assert answer.body.startswith(b"".join(parts))
        last = answer.body.removeprefix(b"".join(parts)).decode()
        assert last.startswith("event: error\ndata: ")
        assert json.loads(last.partition("data: ")[2])["error"]["type"] == "api_error"
    reply = "As far as"
    assert desk.turns() == [[("I moved to Linz.", reply)], [("My cat is called Momo.", reply)]]


def test_an_error_of_the_server_in_a_stream_is_its_own(desk: Desk, server: ScriptedServer) -> None:
    told = event("error", error={"type": "overloaded_error", "message": "Overloaded"})
    parts = [*events("As far as ")[:-2], told]
    server.steps = [streams(*parts)]
    assert ask(desk, [said("I live in Graz.")], stream=True).body == b"".join(parts)


def test_counting_tokens_is_passed_on_as_it_is(desk: Desk, server: ScriptedServer) -> None:
    server.steps = [status(200, b'{"input_tokens":  10}')]
    answer = desk.post(
        {"messages": [said("I live in Graz.")]},
        path="/v1/messages/count_tokens?beta=true",
        anthropic_beta="token-counting-1",
    )
    assert answer.body == b'{"input_tokens":  10}'
    assert server.last.path == "/v1/messages/count_tokens?beta=true"
    assert server.last.headers["anthropic-beta"] == "token-counting-1"
    assert "system" not in server.last.body
    assert desk.kept == []


def test_a_server_that_nobody_named_is_asked_nothing(
    desk: Desk, settings_file: Path, server: ScriptedServer
) -> None:
    own = '[llm]\nchat_provider = "openai"\nchat_model = "m"\n'  # OpenAI's own: it has no /messages
    settings_file.write_text(own)
    other = Desk(desk.vault)
    try:
        answer = ask(other, [said("I live in Graz.")])
        assert answer.status == 404
        assert "proxy.anthropic_base_url" in json.loads(answer.body)["error"]["message"]
        settings_file.write_text(
            f'{own}[proxy]\nanthropic_base_url = "{server.url}"\nanthropic_api_key = "k-1"\n'
        )
        third = Desk(desk.vault)
        server.steps = [says("Yes.")]
        assert ask(third, [said("I live in Graz.")]).status == 200
        third.close()
        assert server.last.headers["x-api-key"] == "k-1"
    finally:
        other.close()
