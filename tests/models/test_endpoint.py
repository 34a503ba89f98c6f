"""What a model server may do, and what comes of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.models.embedding_server import Handler, ModelServer, answering, served, vector_of
from vaultmem.base.errors import (
    EXIT_UNREACHABLE,
    RemoteDeniedError,
    RemoteProtocolError,
    RemoteUnreachableError,
    SettingsError,
    VaultmemError,
)
from vaultmem.models.endpoint import BATCH, Endpoint

KEY = "k-1234"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with served() as running:
        yield running


def endpoint(url: str, *, seconds: float = 20.0, key: str = KEY) -> Endpoint:
    return Endpoint(url, model="tiny", key=key, timeout_seconds=seconds)


def test_vectors_come_in_the_order_of_the_texts(server: ModelServer) -> None:
    texts = [f"dog {'tea ' * number}" for number in range(BATCH + 3)]
    assert endpoint(server.url).embed(texts) == [vector_of(text) for text in texts]
    assert [len(part) for part in server.asked] == [BATCH, 3]
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"


def test_without_a_key_none_is_sent(server: ModelServer) -> None:
    endpoint(server.url, key="").embed(["tea"])
    assert "Authorization" not in server.headers[0]


def test_a_redirect_is_not_followed(server: ModelServer) -> None:
    with served() as other:
        server.fault = lambda handler: handler.reply(302, b"", Location=f"{other.url}/embeddings")
        with pytest.raises(RemoteProtocolError, match="answered 302"):
            endpoint(server.url).embed(["tea"])
        assert other.headers == []


def row(numbers: object, index: object = 0) -> dict[str, Any]:
    return {"data": [{"index": index, "embedding": numbers}]}


@pytest.mark.parametrize(
    "answer",
    [
        b"<html>welcome</html>",
        b"[" * 100_000,
        b"\xff\xfe",
        {},
        {"data": []},
        {"data": [7]},
        {"data": "dog"},
        row([]),
        row("dog"),
        row(["1.0"]),
        row([True]),
        row([1.0, None]),
        row([1e40]),
        b'{"data": [{"index": 0, "embedding": [NaN]}]}',
        b'{"data": [{"index": 0, "embedding": [Infinity]}]}',
        row([1.0], index=1),
        row([1.0], index=-1),
        row([1.0], index="0"),
        row([0.5] * 10_000),
    ],
    ids=lambda answer: str(answer)[:40],
)
def test_an_answer_that_is_none_is_an_error_of_the_server(
    server: ModelServer, answer: object
) -> None:
    server.fault = answering(answer)
    with pytest.raises(RemoteProtocolError, match="cannot be used"):
        endpoint(server.url).embed(["tea"])


def test_vectors_of_several_lengths_are_refused(server: ModelServer) -> None:
    rows = [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [1.0, 2.0]}]
    server.fault = answering({"data": rows})
    with pytest.raises(RemoteProtocolError, match="several lengths"):
        endpoint(server.url).embed(["tea", "dog"])


def short(handler: Handler) -> None:
    """Less than was announced."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(json.dumps({"data": []}).encode())


def silent(handler: Handler) -> None:
    """Not a word until the other side gives up."""
    handler.rfile.read(1)


@pytest.mark.parametrize(
    ("fault", "expected", "said"),
    [
        (lambda handler: handler.reply(401, b"no"), RemoteDeniedError, "answered 401: no"),
        (lambda handler: handler.reply(404, b""), RemoteProtocolError, "answered 404"),
        (lambda handler: handler.reply(429, b"slow"), RemoteUnreachableError, "answered 429"),
        (lambda handler: handler.reply(500, b"\x1b[2J"), RemoteUnreachableError, "answered 500"),
        (lambda handler: None, RemoteUnreachableError, "does not answer"),
        (short, RemoteProtocolError, "cut short"),
        (silent, RemoteUnreachableError, "in 0.2 seconds"),
    ],
    ids=["401", "404", "429", "500", "nothing", "short", "silent"],
)
def test_every_failure_is_named(
    server: ModelServer,
    fault: Callable[[Handler], None],
    expected: type[VaultmemError],
    said: str,
) -> None:
    server.fault = fault
    seconds = 0.2 if fault is silent else 20.0
    with pytest.raises(expected, match=said) as caught:
        endpoint(server.url, seconds=seconds).embed(["tea"])
    assert KEY not in f"{caught.value.message} {caught.value.hint}"
    assert "\x1b" not in caught.value.message


def test_a_server_that_never_ends_is_left(server: ModelServer) -> None:
    """The time allowed is for all of an answer, not for each read of it; so is the size."""

    def endless(handler: Handler) -> None:
        handler.send_response(200)
        handler.end_headers()
        try:
            while True:
                handler.wfile.write(b" ")
                handler.wfile.flush()
        except OSError:
            return

    server.fault = endless
    with pytest.raises(VaultmemError, match=r"in 0.2 seconds|cut short"):
        endpoint(server.url, seconds=0.2).embed(["tea"])


def test_nobody_listens() -> None:
    with served() as gone:
        url = gone.url
    with pytest.raises(RemoteUnreachableError, match="does not answer") as caught:
        endpoint(url).embed(["tea"])
    assert caught.value.exit_code == EXIT_UNREACHABLE


@pytest.mark.parametrize(
    "url",
    [
        "",
        "127.0.0.1:8080",
        "ftp://127.0.0.1/v1",
        "file:///etc/passwd",
        "http://example.com/v1",  # in the clear
        "http://127.0.0.1.example.com/v1",
        "http://127.0.0.1@example.com/v1",
        "https://me:secret@example.com/v1",
        "https://example.com:99999/v1",
        "https://example.com/v1?x=1",
        "https://example.com/v1 HTTP/1.1\r\nX: y",
    ],
)
def test_an_address_that_is_not_plainly_one_is_refused(url: str) -> None:
    with pytest.raises(SettingsError) as caught:
        endpoint(url)
    assert "secret" not in caught.value.message


def test_a_key_cannot_bring_headers() -> None:
    with pytest.raises(SettingsError):
        endpoint("https://example.com/v1", key="a\r\nX-Evil: 1")
