"""Who is let in, and where a server may listen at all."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest

from vaultmem.server.serving import (
    LOOPBACK,
    Guard,
    NotLoopbackError,
    Place,
    is_loopback,
    require_safe,
    token_in,
)

TOKEN = "t0ken-of-thirty-two-characters-or-more"


async def nobody(scope: object, receive: object, send: object) -> None:
    raise AssertionError("headers alone are asked here")


def refused(*headers: tuple[str, str], token: str = TOKEN) -> int:
    """Status for a request with these headers; 0: it goes on."""
    guard = Guard(nobody, names=LOOPBACK, scheme="http", token=TOKEN)
    given = [(name.encode(), value.encode()) for name, value in headers]
    if token:
        given.append((b"authorization", f"Bearer {token}".encode()))
    found = guard.refusal(given)
    return found[0] if found else 0


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8642", "localhost", "LOCALHOST:1", "localhost.:1", "[::1]:8642"]
)
def test_the_names_of_loopback_are_let_in(host: str) -> None:
    assert refused(("host", host)) == 0
    assert refused(("host", host), ("origin", f"http://{host}")) == 0


@pytest.mark.parametrize(
    "headers",
    [
        (),
        (("host", "evil.example:8642"),),
        (("host", "127.0.0.1.evil.example"),),
        (("host", "127.0.0.1"), ("host", "evil.example")),
        (("host", "localhost:80@evil.example"),),
        (("host", ""),),
        (("host", "localhost:1"), ("origin", "http://evil.example")),
        (("host", "localhost:1"), ("origin", "null")),
        (("host", "localhost:1"), ("origin", "https://localhost:1")),
        (("host", "localhost:1"), ("origin", "http://localhost:2")),
        (("host", "localhost:1"), ("origin", "http://localhost:1"), ("origin", "http://a.example")),
    ],
)
def test_other_names_and_pages_are_refused_whatever_they_know(
    headers: tuple[tuple[str, str], ...],
) -> None:
    assert refused(*headers) == 403


@pytest.mark.parametrize("token", ["", "guessed", TOKEN[:-1], f"{TOKEN}x", "ä"])
def test_without_the_token_nothing_is_answered(token: str) -> None:
    assert refused(("host", "localhost"), token=token) == 401


def test_two_tokens_are_none() -> None:
    again = ("authorization", f"Bearer {TOKEN}")
    assert refused(("host", "localhost"), again) == 401


def test_a_token_is_kept_and_one_that_others_could_read_is_not_used(tmp_path: Path) -> None:
    file = tmp_path / "token"
    first, is_new = token_in(file)
    assert is_new
    assert token_in(file) == (first, False)
    if os.name == "posix":
        assert file.stat().st_mode & 0o777 == 0o600
        file.chmod(0o644)
        second, is_new = token_in(file)
        assert is_new
        assert second != first
        assert file.stat().st_mode & 0o777 == 0o600
    file.write_text("short")
    assert token_in(file)[1]


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "::1", "localhost"])
def test_loopback_needs_no_certificate(host: str) -> None:
    assert is_loopback(host)
    require_safe(Place(host=host, port=0))


def test_what_others_reach_needs_tls_and_a_name(tmp_path: Path) -> None:
    name, file = "notes.example.org", tmp_path / "c.pem"
    for host in ("0.0.0.0", "::", "192.168.1.2", name, "1.1.1.1.localhost"):
        with pytest.raises(NotLoopbackError, match="nothing would be encrypted"):
            require_safe(Place(host=host, port=0, names=(name,)))
    with pytest.raises(NotLoopbackError, match="every address"):
        require_safe(Place(host="0.0.0.0", port=0, certificate=file, key=file))
    require_safe(Place(host="0.0.0.0", port=0, names=(name,), certificate=file, key=file))


@pytest.mark.parametrize(
    ("keys", "status"), [((TOKEN,), 0), (("guessed",), 401), ((TOKEN, TOKEN), 401), (("",), 401)]
)
def test_the_token_may_come_as_clients_of_anthropic_send_a_key(
    keys: tuple[str, ...], status: int
) -> None:
    given = tuple(("x-api-key", key) for key in keys)
    assert refused(("host", "localhost"), *given, token="") == status
    assert refused(("host", "evil.example"), *given, token="") == 403


def test_who_is_refused_reads_it_in_the_shape_that_they_know() -> None:
    sent: list[Any] = []

    async def send(event: Any) -> None:
        sent.append(event)

    guard = Guard(nobody, names=LOOPBACK, scheme="http", token=TOKEN)
    for path in ("/v1/messages", "/v1/messages/count_tokens", "/v1/responses"):
        scope = {"type": "http", "path": path, "headers": [(b"host", b"localhost")]}
        asyncio.run(guard(scope, nobody, send))  # type: ignore[arg-type]  # nothing is received
    errors = [json.loads(event["body"]) for event in sent if "body" in event]
    assert [each.get("type") for each in errors] == ["error", "error", None]
    assert [each["error"]["type"] for each in errors] == [
        "authentication_error",
        "authentication_error",
        "vaultmem",
    ]
    assert {each["error"]["code"] for each in errors} == {"wrong_token"}
