"""Every way in which a server may fail: the kind of error, how often it is asked, and in what time.

The faults are those that were measured on clients of others (hangs of minutes, bare
AttributeErrors, cut replies taken for whole ones), and some more.
"""

from __future__ import annotations

import gzip
import json
import time
from typing import NamedTuple

import pytest

from tests.models.scripted_server import (
    KEY,
    ScriptedServer,
    Step,
    bad_chunks,
    cut_short,
    drips,
    drips_head,
    endless,
    event,
    hangs,
    hangs_up,
    no_http,
    refused,
    resets,
    says,
    server,
    status,
    then,
)
from tests.models.test_client import HELLO, PROVIDERS, SCHEMA, client
from vaultmem.base.errors_llm import KINDS, LLMError

__all__ = ["server"]

# The deadline of faults that only it ends; long enough that a busy machine has sent the request.
SHORT_SECONDS = 1.0
# A bound on being asked with SHORT_SECONDS that no busy machine misses, and every hang does.
SURELY_SECONDS = 60.0


class Fault(NamedTuple):
    """What a server does to every request, and what comes of it."""

    step: Step
    kind: str
    requests: int = 1
    seconds: float = 60.0


def choices(value: object) -> Step:
    return status(200, {"choices": value})


FAULTS = {
    "wrong key": Fault(refused(401, f"Incorrect API key provided: {KEY}"), "auth"),
    "forbidden": Fault(refused(403, "not for you"), "auth"),
    "nothing to pay with": Fault(status(402, b"pay"), "quota"),
    "quota": Fault(refused(429, "You exceeded it", code="insufficient_quota"), "quota"),
    "no credit": Fault(refused(400, "Your credit balance is too low"), "quota"),
    "busy": Fault(status(429, b"slow down", Retry_After="0"), "rate_limit", 3),
    "busy for long": Fault(status(429, b"", Retry_After="120"), "rate_limit"),
    "busy until a date": Fault(
        status(429, b"", Retry_After="Wed, 21 Oct 2099 07:28:00 GMT"), "rate_limit"
    ),
    "internal error": Fault(status(500, b"oops"), "server", 3),
    "overloaded": Fault(status(529, {"error": {"type": "overloaded_error"}}), "server", 3),
    "no such model": Fault(refused(404, "model 'x' not found"), "not_found"),
    "context exceeded": Fault(refused(400, "context size exceeded"), "bad_request"),
    "too large": Fault(status(413, b""), "bad_request"),
    "hang": Fault(hangs, "timeout", 1, SHORT_SECONDS),
    "drip": Fault(drips, "timeout", 1, SHORT_SECONDS),
    "drip of headers": Fault(drips_head, "timeout", 1, SHORT_SECONDS),
    "reset": Fault(resets, "connection", 3),
    "hang up": Fault(hangs_up, "connection", 3),
    "cut body": Fault(cut_short, "connection", 3),
    "another protocol": Fault(no_http, "protocol"),
    "bad chunks": Fault(bad_chunks, "protocol"),
    "endless": Fault(endless, "protocol"),
    "packed": Fault(
        status(200, gzip.compress(b"a" * 1_000_000), Content_Encoding="gzip"), "protocol"
    ),
    "web page": Fault(status(200, b"<html>Please log in</html>"), "protocol"),
    "redirect": Fault(status(302, b"", Location="http://127.0.0.1:1/"), "protocol"),
    "no content": Fault(status(204, b""), "protocol"),
    "empty body": Fault(status(200, b""), "protocol"),
    "broken JSON": Fault(status(200, b'{"choices": ['), "protocol"),
    "deep JSON": Fault(status(200, b"[" * 100_000), "protocol"),
    "latin-1": Fault(status(200, '{"choices": "é"}'.encode("latin-1")), "protocol"),
    "a list": Fault(status(200, []), "protocol"),
    "no choices": Fault(choices([]), "protocol"),
    "choices of text": Fault(choices("yes"), "protocol"),
    "choice of null": Fault(choices([None]), "protocol"),
    "message of text": Fault(choices([{"message": "yes"}]), "protocol"),
    "content of null": Fault(choices([{"message": {"content": None}}]), "protocol"),
    "empty reply": Fault(says("  \n"), "protocol"),
    "error in a success": Fault(status(200, {"error": {"message": "no GPU"}}), "server"),
    "cut reply": Fault(says('{"word": "ye', finish="length"), "truncated"),
    "refusal": Fault(choices([{"message": {"refusal": "No."}}]), "refusal"),
    "filtered": Fault(says("", finish="content_filter"), "refusal"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_one_named_error_in_bounded_time(server: ScriptedServer, name: str) -> None:
    fault = FAULTS[name]
    server.rule = lambda _: fault.step
    began = time.monotonic()
    with pytest.raises(LLMError) as caught:
        client(server, seconds=fault.seconds).complete(HELLO)
    assert time.monotonic() - began < SURELY_SECONDS
    assert caught.value.kind == fault.kind
    assert len(server.asked) == fault.requests
    assert KEY not in f"{caught.value.message} {caught.value.said} {caught.value.text}"
    assert caught.value.exit_code == KINDS[fault.kind][0]


def test_a_port_where_nobody_listens(server: ScriptedServer) -> None:
    import socket

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    with pytest.raises(LLMError, match="cannot be reached") as caught:
        client(server, url=url).complete(HELLO)
    assert caught.value.kind == "connection"


@pytest.mark.parametrize(
    "reply",
    [
        "I would rather not.",
        "[1, 2]",
        '{"word": 7}',
        '{"word": null}',
        '{"words": "yes"}',
        '{"word": "yes", "numbers": {}}',
        "<think>for ever and ever",
        '{"word": NaN}',
        '{"word": ' + "[" * 50_000,
        "{" * 5_000,
        '{"word": ' + "9" * 5_000 + "}",
    ],
)
def test_what_was_not_asked_for_is_bad_output_the_second_time(
    server: ScriptedServer, reply: str
) -> None:
    server.rule = lambda _: says(reply)
    with pytest.raises(LLMError) as caught:
        client(server).ask(HELLO, schema=SCHEMA)
    assert caught.value.kind == "bad_output"
    assert caught.value.text == reply
    assert len(server.asked) == 2


def test_a_second_reply_may_do(server: ScriptedServer) -> None:
    server.steps = [says("hm"), says('{"word": "yes"}')]
    assert client(server).ask(HELLO, schema=SCHEMA).value["word"] == "yes"


def test_a_cut_reply_is_not_taken_for_a_whole_one(server: ScriptedServer) -> None:
    server.rule = lambda _: says('{"word": "yes"}', finish="length")
    with pytest.raises(LLMError) as caught:
        client(server).ask(HELLO, schema=SCHEMA)
    assert (caught.value.kind, caught.value.text) == ("truncated", '{"word": "yes"}')


# --- streams -------------------------------------------------------------------------------------

BEGUN = event({"choices": [{"delta": {"content": "Hel"}}]})
MORE = event({"choices": [{"delta": {"content": "lo"}}]})
ENDED = event({"choices": [{"delta": {}, "finish_reason": "stop"}]})


def nothing(handler: object) -> None:
    """The stream ends, in good order."""


STREAM_FAULTS = {
    "cut in an event": Fault(then(BEGUN, MORE[:-9], ending=nothing), "protocol"),
    "no end": Fault(then(BEGUN, MORE, ending=nothing), "truncated"),
    "done too early": Fault(then(BEGUN, b"data: [DONE]\n\n", ending=nothing), "truncated"),
    "reset": Fault(then(BEGUN, ending=resets), "connection"),
    "hang": Fault(then(BEGUN, ending=hangs), "timeout", 1, SHORT_SECONDS),
    "error": Fault(then(BEGUN, event({"error": {"message": "no"}}), ending=nothing), "server"),
    "no JSON": Fault(then(BEGUN, b"data: hello\n\n", ending=nothing), "protocol"),
    "latin-1": Fault(then(BEGUN, b"data: \xe9\n\n", ending=nothing), "protocol"),
    "cut reply": Fault(
        then(BEGUN, event({"choices": [{"finish_reason": "length"}]}), ending=nothing), "truncated"
    ),
}


@pytest.mark.parametrize("name", STREAM_FAULTS)
def test_a_broken_stream_gives_what_came_and_then_an_error(
    server: ScriptedServer, name: str
) -> None:
    fault = STREAM_FAULTS[name]
    server.rule = lambda _: fault.step
    stream = client(server, seconds=fault.seconds).stream(HELLO)
    came: list[str] = []
    began = time.monotonic()
    with pytest.raises(LLMError) as caught:
        came.extend(stream)
    assert time.monotonic() - began < SURELY_SECONDS
    assert caught.value.kind == fault.kind
    assert came[0] == "Hel"
    assert caught.value.text == "".join(came)
    assert stream.reply is None
    assert len(server.asked) == fault.requests


def test_a_stream_is_whole_where_only_the_connection_ends_badly(server: ScriptedServer) -> None:
    server.steps = [then(BEGUN, MORE, ENDED, ending=resets)]
    stream = client(server).stream(HELLO)
    assert "".join(stream) == "Hello"


def test_a_web_page_is_no_stream(server: ScriptedServer) -> None:
    server.rule = lambda _: status(200, b"<html>\n<body>log in: here</body>\n")
    with pytest.raises(LLMError) as caught:
        list(client(server).stream(HELLO))
    assert caught.value.kind == "protocol"


def test_a_busy_server_is_asked_again_before_a_stream_begins(server: ScriptedServer) -> None:
    server.steps = [status(503, b""), resets, says("Hello")]
    assert "".join(client(server).stream(HELLO)) == "Hello"
    assert len(server.asked) == 3


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_stream_without_an_end_is_cut_in_both_dialects(
    server: ScriptedServer, provider: str
) -> None:
    server.rule = lambda _: says("Hello", finish="")
    with pytest.raises(LLMError) as caught:
        list(client(server, provider).stream(HELLO))
    assert (caught.value.kind, caught.value.text) == ("truncated", "Hello")


def test_errors_of_anthropic_streams_have_their_kinds(server: ScriptedServer) -> None:
    error = {"type": "error", "error": {"type": "rate_limit_error", "message": "slow down"}}
    server.steps = [then(event(error), ending=nothing)]
    with pytest.raises(LLMError) as caught:
        list(client(server, "anthropic").stream(HELLO))
    assert caught.value.kind == "rate_limit"
    assert json.dumps(error)[:10] not in caught.value.message
