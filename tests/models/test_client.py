"""What is asked of a model server, and what a good one's answers become."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.models.scripted_server import (
    KEY,
    MODEL,
    ScriptedServer,
    refused,
    says,
    says_json,
    served,
    server,
    status,
)
from vaultmem.base.errors import SettingsError
from vaultmem.base.errors_llm import LLMError
from vaultmem.model.ports import Message
from vaultmem.models.client import Client
from vaultmem.models.roles import Recorded

__all__ = ["server"]

HELLO = (Message(role="system", text="Be short."), Message(role="user", text="Hello?"))
SCHEMA = {
    "type": "object",
    "properties": {"word": {"type": "string"}, "numbers": {"type": "array"}},
    "required": ["word"],
    "additionalProperties": False,
}
PROVIDERS = ("openai", "anthropic")


def client(
    server: ScriptedServer,
    provider: str = "openai",
    *,
    url: str = "",
    key: str = KEY,
    seconds: float = 5.0,
    structured: str = "auto",
) -> Client:
    return Client(
        provider=provider,
        url=url or server.url,
        model=MODEL,
        key=key,
        timeout_seconds=seconds,
        max_tokens=500,
        structured=structured,
        pause_seconds=0.001,
    )


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_reply_comes_with_its_model_and_its_tokens(server: ScriptedServer, provider: str) -> None:
    server.steps = [says("Hello.", usage=(12, 2))]
    reply = client(server, provider).complete(HELLO)
    assert (reply.text, reply.model, reply.tokens_in, reply.tokens_out) == ("Hello.", MODEL, 12, 2)
    assert (server.last.system, server.last.user) == ("Be short.", "Hello?")
    assert server.last.body["max_tokens"] == 500


def test_each_dialect_has_its_path_and_its_header_for_the_key(server: ScriptedServer) -> None:
    client(server).complete(HELLO)
    assert server.last.path == "/v1/chat/completions"
    assert server.last.headers["authorization"] == f"Bearer {KEY}"
    client(server, "anthropic", url=server.url.removesuffix("/v1")).complete(HELLO)
    assert server.last.path == "/v1/messages"
    assert server.last.headers["x-api-key"] == KEY
    assert "authorization" not in server.last.headers


def test_without_a_key_none_is_sent(server: ScriptedServer) -> None:
    client(server, key="").complete(HELLO)
    assert "authorization" not in server.last.headers


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_reply_as_json_is_asked_for_by_schema(server: ScriptedServer, provider: str) -> None:
    server.steps = [says_json({"word": "yes", "numbers": [1], "more": "of it"})]
    answer = client(server, provider).ask(HELLO, schema=SCHEMA)
    assert (answer.value, answer.how) == ({"word": "yes", "numbers": [1]}, "schema")
    assert server.last.schema == SCHEMA


FORMAT = "response_format is not supported"


@pytest.mark.parametrize(
    ("steps", "how", "asked"),
    [
        ([refused(400, FORMAT), says_json({"word": "a"})], "object", 2),
        ([refused(422, "extra fields"), says_json({"word": "a"})], "object", 2),
        ([refused(500, f"{FORMAT} 'json_schema'"), says_json({"word": "a"})], "object", 2),
        ([refused(400, FORMAT), refused(400, FORMAT), says_json({"word": "a"})], "prompt", 3),
    ],
)
def test_a_server_without_schemas_is_asked_in_another_way(
    server: ScriptedServer, steps: list[object], how: str, asked: int
) -> None:
    server.steps = steps  # type: ignore[assignment]  # a table of several kinds of steps
    model = client(server)
    assert model.ask(HELLO, schema=SCHEMA).how == how
    assert [each.mode for each in server.asked] == ["schema", "object", "prompt"][:asked]
    assert '"word"' in server.last.system  # the schema is in the words
    server.steps = [says_json({"word": "b"})]
    assert model.ask(HELLO, schema=SCHEMA).how == how
    assert len(server.asked) == asked + 1  # what it does not take was learned


def test_a_text_that_is_too_long_is_no_reason_to_ask_in_another_way(server: ScriptedServer) -> None:
    server.rule = lambda _: refused(400, "the request exceeds the available context size")
    with pytest.raises(LLMError) as caught:
        client(server).ask(HELLO, schema=SCHEMA)
    assert caught.value.kind == "bad_request"
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("message", "absent", "present"),
    [
        (
            "use 'max_completion_tokens' instead",
            "max_tokens",
            "max_completion_tokens",
        ),
        ("'temperature' does not support 0 with this model", "temperature", "max_tokens"),
    ],
)
def test_a_parameter_that_is_refused_is_left_out(
    server: ScriptedServer, message: str, absent: str, present: str
) -> None:
    server.steps = [refused(400, message)]
    assert client(server).complete(HELLO).text == "ok"
    assert absent not in server.last.body
    assert present in server.last.body


@pytest.mark.parametrize(
    "reply",
    [
        '```json\n{"word": "yes"}\n```',
        '<think>The {word} is "no".</think>\n{"word": "yes"}',
        'Sure! Here it is: {"word": "yes"} Anything else?',
        '{oops} {"word": "yes"}',
    ],
)
def test_json_is_found_in_what_models_wrap_it_in(server: ScriptedServer, reply: str) -> None:
    server.steps = [says(reply)]
    assert client(server).ask(HELLO, schema=SCHEMA).value["word"] == "yes"


def test_half_a_letter_does_not_reach_a_file(server: ScriptedServer) -> None:
    server.steps = [says('{"word": "a\\ud800b"}')]
    word = client(server).ask(HELLO, schema=SCHEMA).value["word"]
    assert word.encode() == b"a?b"


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_stream_gives_the_pieces_and_then_the_whole(
    server: ScriptedServer, provider: str
) -> None:
    pieces = ["Grüß ", "dich", " 👋"]
    server.steps = [says("", pieces=pieces, usage=(9, 4))]
    stream = client(server, provider).stream(HELLO)
    assert list(stream) == pieces
    assert stream.reply is not None
    assert (stream.reply.text, stream.reply.model) == ("Grüß dich 👋", MODEL)
    assert (stream.reply.tokens_in, stream.reply.tokens_out) == (9, 4)


def test_nothing_is_sent_before_the_first_piece_is_wanted(server: ScriptedServer) -> None:
    stream = client(server).stream(HELLO)
    assert server.asked == []
    stream.close()
    assert server.asked == []


def test_a_stream_that_is_closed_early_is_no_error(server: ScriptedServer) -> None:
    server.steps = [says("a long reply", pieces=["a ", "long ", "reply"])]
    stream = client(server).stream(HELLO)
    assert next(stream) == "a "
    stream.close()
    assert list(stream) == []
    assert stream.reply is None


def test_a_server_that_was_busy_is_asked_again(server: ScriptedServer) -> None:
    server.steps = [status(429, b"", Retry_After="0"), status(503, b"loading"), says("done")]
    assert client(server).complete(HELLO).text == "done"
    assert len(server.asked) == 3


def test_a_redirect_is_not_followed(server: ScriptedServer) -> None:
    with served() as other:
        where = f"{other.url}/chat/completions"
        server.steps = [status(307, b"", Location=where)]
        with pytest.raises(LLMError, match="a redirect to") as caught:
            client(server).complete(HELLO)
        assert caught.value.kind == "protocol"
        assert other.asked == []


def test_no_proxy_of_the_environment_is_used(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served() as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url)
        client(server).complete(HELLO)
        assert proxy.asked == []


@pytest.mark.parametrize(
    ("url", "key", "model"),
    [
        ("ftp://127.0.0.1/v1", "", MODEL),
        ("http://example.com/v1", "", MODEL),  # in the clear
        ("https://me:secret@example.com/v1", "", MODEL),
        ("https://example.com:99999/v1", "", MODEL),
        ("https://example.com/v1", "a\r\nHost: b", MODEL),
        ("https://example.com/v1", "", ""),
    ],
)
def test_settings_that_cannot_be_used_are_told_before_anything_is_sent(
    url: str, key: str, model: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        Client(provider="openai", url=url, model=model, key=key, timeout_seconds=1, max_tokens=10)
    assert "secret" not in caught.value.message


# --- recordings ----------------------------------------------------------------------------------


def test_a_recorded_reply_is_given_without_the_server(tmp_path: Path) -> None:
    with served() as running:
        running.steps = [says("Hello."), says_json({"word": "yes"}), says("Bye.")]
        model = client(running)
        recorder = Recorded(model, tmp_path / "replies", replay=False)
        recorder.complete(HELLO)
        recorder.ask(HELLO, schema=SCHEMA)
        list(recorder.stream((*HELLO, Message(role="user", text="And?"))))
    player = Recorded(model, tmp_path / "replies", replay=True)  # nobody listens any more
    assert player.complete(HELLO).text == "Hello."
    assert player.ask(HELLO, schema=SCHEMA).value == {"word": "yes", "numbers": []}
    stream = player.stream((*HELLO, Message(role="user", text="And?")))
    assert list(stream) == ["Bye."]
    assert stream.reply is not None
    with pytest.raises(LLMError) as caught:
        player.complete((Message(role="user", text="Something else?"),))
    assert caught.value.kind == "unrecorded"


def test_a_recording_holds_no_key_and_no_address(server: ScriptedServer, tmp_path: Path) -> None:
    Recorded(client(server), tmp_path / "replies", replay=False).complete(HELLO)
    (file,) = (tmp_path / "replies").iterdir()
    text = file.read_text(encoding="utf-8")
    assert KEY not in text
    assert "127.0.0.1" not in text
    assert json.loads(text)["asked"][1] == {"role": "user", "text": "Hello?"}
