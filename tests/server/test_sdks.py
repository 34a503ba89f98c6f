"""The SDKs of OpenAI and Anthropic, as their users type them, before a real proxy process."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.models.scripted_server import KEY, MODEL, Asked, ScriptedServer, Step, server, status
from tests.server import test_messages as of_messages
from tests.server.test_proxy import proxy, status_of, turns, vault
from tests.server.test_responses import ANSWER, CALL, answers, response, spoken

__all__ = ["server", "vault"]

REASON = "the `dev` extra has it: pip install '.[dev]'"
pytest.importorskip("uvicorn", reason="the `proxy` extra has it: pip install '.[proxy]'")


def rule(asked: Asked) -> Step:
    """As a server that has all of it."""
    path = asked.path.partition("?")[0]
    if path.endswith("/responses"):
        wants_time = "time" in json.dumps(asked.body["input"])
        return answers(response(CALL if wants_time else spoken("Noted.")))
    if path.endswith("/messages"):
        call: dict[str, Any] | None = (
            {} if "time" in json.dumps(asked.body["messages"][-1]) else None
        )
        parts = of_messages.events("Noted.", call=call)
        return of_messages.streams(*parts) if asked.is_streamed else message
    if path.endswith("/count_tokens"):
        return status(200, {"input_tokens": 10})
    if path.endswith("/embeddings"):
        vector = {"object": "embedding", "index": 0, "embedding": [0.5]}
        return status(200, {"object": "list", "data": [vector], "model": "e"})
    choice = {"index": 0, "text": "Noted.", "finish_reason": "stop"}
    return status(200, {"object": "text_completion", "choices": [choice], "model": MODEL})


def message(handler: Any) -> None:
    found: dict[str, Any] = {"id": "m1", "type": "message", "role": "assistant", "model": MODEL}
    found |= {"content": [{"type": "text", "text": "Noted."}], "stop_reason": "end_turn"}
    found |= {"usage": {"input_tokens": 9, "output_tokens": 2}}
    handler.reply(200, json.dumps(found).encode())


def said(vault: Path) -> list[list[str]]:
    return sorted([user for user, _ in talk] for talk in turns(vault).values())


def test_openais_sdk_keeps_one_session_by_the_id_of_a_reply(
    vault: Path, server: ScriptedServer
) -> None:
    openai = pytest.importorskip("openai", reason=REASON)
    server.rule = rule
    with proxy(vault) as running:
        ask = running.client.responses.create
        first = ask(model=MODEL, input="I live in Graz.")
        assert first.output_text == "Noted."
        tools = [{"type": "function", "name": "clock", "parameters": {}, "strict": False}]
        second = ask(
            model=MODEL, input="What time is it?", tools=tools, previous_response_id=first.id
        )
        [call] = second.output
        assert call.arguments == CALL["arguments"]
        with running.client.responses.stream(
            model=MODEL, input=[ANSWER], tools=tools, previous_response_id=second.id
        ) as stream:
            third = stream.get_final_response()
        assert third.output_text == "Noted."
        ask(model=MODEL, input="I play chess.", previous_response_id=third.id)
        assert "I live in Graz." in server.last.body["instructions"]
        assert server.last.headers["authorization"] == f"Bearer {KEY}"

        assert running.client.models.retrieve(MODEL).object == "list"  # whatever it answers
        assert server.last.path == f"/v1/models/{MODEL}"
        found = running.client.embeddings.create(model="e", input="x", encoding_format="float")
        assert found.data[0].embedding == [0.5]
        assert running.client.completions.create(model=MODEL, prompt="x").choices[0].text
        server.steps = [status(429, {"error": {"message": "slower"}}, Retry_After="7")]
        with pytest.raises(openai.RateLimitError, match="slower") as caught:
            ask(model=MODEL, input="I live in Rome.")
        assert caught.value.response.headers["retry-after"] == "7"
        assert status_of(running, "/", {}) == 200
        running.end(signal.SIGTERM)
    assert said(vault) == [["I live in Graz.", "What time is it?", "I play chess."]]


def test_anthropics_sdk_has_its_streams_tools_and_errors(
    vault: Path, server: ScriptedServer
) -> None:
    anthropic = pytest.importorskip("anthropic", reason=REASON)
    server.rule = rule
    with proxy(vault) as running:
        base = running.url.removesuffix("/v1")
        client = anthropic.Anthropic(base_url=base, api_key=running.token, max_retries=0)
        talked: list[Any] = [{"role": "user", "content": "I live in Graz."}]
        first = client.messages.create(model=MODEL, max_tokens=9, messages=talked)
        assert first.content[0].text == "Noted."
        talked.append({"role": "assistant", "content": first.content})
        talked.append({"role": "user", "content": "What time is it?"})
        more = {"model": MODEL, "max_tokens": 9, "tools": of_messages.TOOLS}
        with client.messages.stream(messages=talked, **more) as stream:
            second = stream.get_final_message()
        [_, call] = second.content
        assert call.input == {"zone": "é", "n": 1.5}
        result = {"type": "tool_result", "tool_use_id": call.id, "content": "12:00"}
        talked.append({"role": "assistant", "content": second.content})
        talked.append({"role": "user", "content": [result]})
        with client.messages.stream(messages=talked, **more) as stream:
            assert stream.get_final_text() == "Noted."
        assert client.messages.count_tokens(model=MODEL, messages=talked).input_tokens == 10
        assert server.last.headers["x-api-key"] == KEY
        server.steps = [status(529, {"error": {"type": "overloaded_error", "message": "Full"}})]
        with pytest.raises(anthropic.APIStatusError, match="overloaded_error") as caught:
            client.messages.create(model=MODEL, max_tokens=9, messages=talked)
        assert caught.value.status_code == 529
        wrong = anthropic.Anthropic(base_url=base, api_key="guessed", max_retries=0)
        with pytest.raises(anthropic.AuthenticationError, match="authentication_error"):
            wrong.messages.create(model=MODEL, max_tokens=9, messages=talked)
        running.end(signal.SIGTERM)
        assert running.printed[2] == ""
    assert said(vault) == [["I live in Graz.", "What time is it?"]]
