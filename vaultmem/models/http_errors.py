"""What an HTTP answer that is no success means: the kind of LLMError, and what is shown of it."""

from __future__ import annotations

import json
import re

from vaultmem.base import Any, LLMError, NamedTuple, SettingsError
from vaultmem.config import is_on_this_device

MOST_SAID_BYTES = 65_536
_SHOWN = 200
_QUOTA = re.compile(
    r"insufficient[_ ]quota|exceeded your current quota|billing|credit balance|out of credits",
    re.IGNORECASE,
)
_KINDS = {401: "auth", 402: "quota", 403: "auth", 404: "not_found", 408: "timeout"}


def error_of(
    status: int, body: bytes, *, where: str, key: str, retry_after: str = "", location: str = ""
) -> LLMError:
    """The error for an answer with this status; nothing of the body is believed.

    key       is not shown, should the server repeat it
    location  where a redirect leads: not followed, and told
    """
    said = said_in(body, key=key)
    if 300 <= status < 400:
        to = f" to '{_plain(location, key)}'" if location else ""
        return LLMError(
            "protocol",
            f"the model server {where} answered {status}: a redirect{to}, which is not followed",
            status=status,
            hint="write the address where it really is into 'llm.base_url'",
        )
    kind = _KINDS.get(status, "server" if status >= 500 else "bad_request")
    if status == 429:
        kind = "rate_limit"
    # Some servers say with 400 or 429 that the account is empty: waiting would not help.
    if kind in ("rate_limit", "bad_request", "auth") and _QUOTA.search(said):
        kind = "quota"
    if status < 300:
        kind = "protocol"
    message = f"the model server {where} answered {status}: {said}".rstrip(": ")
    return LLMError(kind, message, status=status, said=said, retry_after=_seconds(retry_after))


def said_in(body: bytes, *, key: str) -> str:
    """What a server says about an error, in one visible line; '' for nothing."""
    text = body[:MOST_SAID_BYTES].decode("utf-8", "replace")
    try:
        found: Any = json.loads(text)
    except (ValueError, RecursionError):
        return _plain(text, key)
    error = found.get("error", found) if isinstance(found, dict) else found
    if not isinstance(error, dict):
        return _plain(error if isinstance(error, str) else text, key)
    parts = [error.get(name) for name in ("code", "type", "message", "detail")]
    words = [part if isinstance(part, str) else json.dumps(part) for part in parts if part]
    return _plain(" ".join(words) or text, key)


def _plain(text: str, key: str) -> str:
    if key:
        text = text.replace(key, "(key)")
    line = " ".join(text[: 8 * _SHOWN].split())
    return "".join(letter for letter in line if letter.isprintable())[:_SHOWN]


def _seconds(retry_after: str) -> float | None:
    """A number of seconds; a date of HTTP is taken for a long wait, None for nothing."""
    if not retry_after.strip():
        return None
    try:
        seconds = float(retry_after)
    except ValueError:
        return _LONG
    return seconds if 0 <= seconds < _LONG else _LONG


_LONG = 86_400.0


# Addresses of model servers, as a person writes them: https, or http on this machine.

_URL = re.compile(
    r"(?P<scheme>https?)://(?P<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::(?P<port>\d{1,5}))?"
    r"(?P<path>/[!-~]*)?"
)


class Address(NamedTuple):
    """The parts of an address."""

    scheme: str
    host: str  # an IPv6 number stands in brackets
    port: str  # '': the usual one
    path: str  # without a slash at its end; '' for none

    @property
    def where(self) -> str:
        """Host and port, for messages."""
        return f"{self.host}:{self.port}" if self.port else self.host

    @property
    def origin(self) -> str:
        """What a key belongs to."""
        return f"{self.scheme}://{self.where}"


def address_of(url: str, *, key: str) -> Address:
    """The parts of the address that the setting `key` holds.

    raises SettingsError for what is none, holds a password or a query, or would send notes over
    a network in the clear
    """
    found = _URL.fullmatch(url)
    if found is None or int(found["port"] or 1) > 65_535 or set("?#@") & set(url):
        raise SettingsError(
            f"'{key}' is no address of a server: '{url.split('@')[-1][:200]}'",
            hint="write it as in https://api.example.com/v1 or http://127.0.0.1:11434/v1",
        )
    if found["scheme"] == "http" and not is_on_this_device(url):
        raise SettingsError(
            f"'{key}' would send your notes in the clear: '{url}'",
            hint="use https; http only reaches this machine (127.0.0.1, localhost)",
        )
    path = (found["path"] or "").rstrip("/")
    return Address(found["scheme"], found["host"], found["port"] or "", path)


def require_key(value: str, *, key: str) -> None:
    """Return when `value` can stand in a header; '' can. raises SettingsError"""
    if not (value.isascii() and value.isprintable()):
        raise SettingsError(f"'{key}' has letters that no key has")
