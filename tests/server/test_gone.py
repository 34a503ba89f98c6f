"""Who goes away in the middle, client or upstream, leaves no word on stderr; no cookie is kept."""

from __future__ import annotations

import json
import signal
import socket
import struct
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.models.scripted_server import (
    MODEL,
    Handler,
    ScriptedServer,
    cut_short,
    event,
    hangs_up,
    resets,
    says,
)
from tests.server.test_proxy import ask, proxy, server, vault

__all__ = ["server", "vault"]

pytest.importorskip("uvicorn", reason="the `proxy` extra has it: pip install '.[proxy]'")


def request(url: str, token: str, *, stream: bool = True) -> bytes:
    body = json.dumps(
        {
            "model": MODEL,
            "stream": stream,
            "messages": [{"role": "user", "content": "I keep bees."}],
        }
    ).encode()
    where = urlsplit(url)
    head = (
        f"POST /v1/chat/completions HTTP/1.1\r\nHost: {where.netloc}\r\n"
        f"Authorization: Bearer {token}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def drips_events(handler: Handler) -> None:
    """A stream that goes on until the other side hangs up, ten seconds at most."""
    handler.begin_stream()
    piece = event({"model": MODEL, "choices": [{"index": 0, "delta": {"content": "buzz "}}]})
    for _ in range(200):
        handler.wfile.write(piece)
        handler.wfile.flush()
        time.sleep(0.05)


def slow(handler: Handler) -> None:
    """An answer that takes a second to begin."""
    time.sleep(1)
    says("At last.")(handler)


def broken_stream(handler: Handler) -> None:
    """Two events, then RST."""
    handler.begin_stream()
    piece = event({"model": MODEL, "choices": [{"index": 0, "delta": {"content": "buzz "}}]})
    handler.wfile.write(piece * 2)
    handler.wfile.flush()
    resets(handler)


def nothing(connection: socket.socket, sent: bytes) -> None:
    """Connects and goes."""


def half_a_head(connection: socket.socket, sent: bytes) -> None:
    connection.sendall(sent[:60])


def half_a_body(connection: socket.socket, sent: bytes) -> None:
    connection.sendall(sent[:-20])


def before_the_answer(connection: socket.socket, sent: bytes) -> None:
    connection.sendall(sent)


def in_the_stream(connection: socket.socket, sent: bytes) -> None:
    connection.sendall(sent)
    assert b"200" in connection.recv(300)


GOING = (nothing, half_a_head, half_a_body, before_the_answer, in_the_stream)


@pytest.mark.parametrize("is_reset", [False, True], ids=["closed", "reset"])
@pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
def test_clients_that_go_away_leave_no_word_and_no_harm(
    vault: Path, server: ScriptedServer, is_reset: bool, stream: bool
) -> None:
    answers = {in_the_stream: drips_events, before_the_answer: slow}
    with proxy(vault) as running:
        where = urlsplit(running.url)
        for goes in GOING:
            if goes is in_the_stream and not stream:
                continue
            server.rule = lambda asked, goes=goes: answers.get(goes, says("Fine."))
            with socket.create_connection((str(where.hostname), int(where.port or 0))) as client:
                goes(client, request(running.url, running.token, stream=stream))
                time.sleep(0.2)
                if is_reset:
                    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        server.rule = lambda asked: says("Here.")
        assert ask(running, [], "Are you there?") == "Here."
        running.end(signal.SIGTERM)
    assert running.printed[-1] == ""


@pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
@pytest.mark.parametrize("step", [hangs_up, resets, cut_short, broken_stream])
def test_an_upstream_that_goes_away_is_an_error_of_the_answer_alone(
    vault: Path, server: ScriptedServer, step: Callable[[Handler], None], stream: bool
) -> None:
    server.rule = lambda asked: step
    with proxy(vault) as running:
        where = urlsplit(running.url)
        with socket.create_connection((str(where.hostname), int(where.port or 0))) as client:
            client.sendall(request(running.url, running.token, stream=stream))
            client.settimeout(20)
            answer = b""
            while b'"error"' not in answer:
                piece = client.recv(4096)
                assert piece, answer
                answer += piece
        running.end(signal.SIGTERM)
    assert running.printed[-1] == ""


def test_no_cookie_of_the_upstream_is_kept_or_handed_on(
    vault: Path, server: ScriptedServer
) -> None:
    def with_cookie(handler: Handler) -> None:
        body = {"model": MODEL, "choices": [{"message": {"role": "assistant", "content": "Yes."}}]}
        handler.reply(200, json.dumps(body).encode(), Set_Cookie="session=of-another; Path=/")

    server.rule = lambda asked: with_cookie
    with proxy(vault) as running:
        for _ in range(2):
            told = running.client.chat.completions.with_raw_response.create(
                model=MODEL, messages=[{"role": "user", "content": "Is it so?"}]
            )
            assert "set-cookie" not in told.headers
        running.client.models.list()
    assert [asked.headers.get("cookie") for asked in server.asked] == [None] * len(server.asked)
