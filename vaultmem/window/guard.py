"""Who may look: one browser, let in by a link that works once.

A web page of a stranger reaches every port of loopback. It cannot send another `Host` than the name
that led it here (DNS rebinding), cannot leave `Origin` out of a POST, does not get the cookie
(SameSite=Strict), and cannot read the token that each form bears. Other users of the machine can
send what they like, and know neither link nor cookie.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping
from hashlib import sha256

from vaultmem.base import NamedTuple
from vaultmem.server import LOOPBACK, name_in

ENTRY = "/enter"
TOKEN = "token"  # the field of each form

HEADERS: Mapping[str, str] = {
    # `style-src` without 'unsafe-inline': a note cannot bring a style either.
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    # Not `no-referrer`: Chromium sends `Origin: null` with a form then.
    "referrer-policy": "same-origin",
}


class Refusal(NamedTuple):
    """Why a request is not answered."""

    status: int
    message: str
    hint: str


_WRONG_HOST = Refusal(403, "this page is not asked by that name", "open the link as it was printed")
_WRONG_ORIGIN = Refusal(403, "another web page asked", "open the link that was printed yourself")
_NOT_LET_IN = Refusal(
    401, "this browser was not let in", "open the link that `vaultmem view` printed"
)
_USED = Refusal(
    403,
    "this link was used already, or is another one",
    "start `vaultmem view` again for a new one",
)
_FORGED = Refusal(403, "the form is not from this window", "load the page again, then decide")


class Door:
    """Knows the link and the cookie; one of each for as long as the window is open."""

    def __init__(self, port: int) -> None:
        self._key = secrets.token_urlsafe(32)
        self._cookie = secrets.token_urlsafe(32)
        self._form_token = hmac.new(self._cookie.encode(), b"form", sha256).hexdigest()
        self._is_used = False
        # Cookies of one host go to all of its ports: the name keeps two windows apart.
        self._name = f"vaultmem_{port}"
        self._hosts = frozenset(f"{name}:{port}" for name in LOOPBACK)

    @property
    def link(self) -> str:
        """What is behind the address, to be opened once."""
        return f"{ENTRY}?key={self._key}"

    @property
    def form_token(self) -> str:
        """What each form bears."""
        return self._form_token

    @property
    def cookie(self) -> str:
        """The header that lets a browser in."""
        return f"{self._name}={self._cookie}; Path=/; HttpOnly; SameSite=Strict"

    def refuse(self, headers: Mapping[str, list[str]], *, is_entry: bool) -> Refusal | None:
        """Why a request with these headers is refused; None: it may go on.

        is_entry  it opens the link, which a browser does before it has the cookie
        """
        hosts = headers.get("host", [])
        if len(hosts) != 1 or self._plain_host(hosts[0]) not in self._hosts:
            return _WRONG_HOST
        for origin in headers.get("origin", []):
            if origin.lower() != f"http://{hosts[0].lower()}":
                return _WRONG_ORIGIN
        if is_entry:
            return None
        if any(each not in ("same-origin", "none") for each in headers.get("sec-fetch-site", [])):
            return _WRONG_ORIGIN
        return None if self._has_cookie(headers) else _NOT_LET_IN

    def refuse_form(self, headers: Mapping[str, list[str]], token: str) -> Refusal | None:
        """Why a form is refused that `refuse` let through; None: it is from our own page."""
        if len(headers.get("origin", [])) != 1:
            return _WRONG_ORIGIN
        return None if _is_same(token, self._form_token) else _FORGED

    def enter(self, key: str, headers: Mapping[str, list[str]]) -> Refusal | None:
        """Use the link; whoever has the cookie already may open it again."""
        if not _is_same(key, self._key) or (self._is_used and not self._has_cookie(headers)):
            return _USED
        self._is_used = True
        return None

    def _plain_host(self, host: str) -> str:
        _, colon, port = host.rpartition(":")
        return f"{name_in(host)}:{port}" if colon else host

    def _has_cookie(self, headers: Mapping[str, list[str]]) -> bool:
        given = (each.strip() for line in headers.get("cookie", []) for each in line.split(";"))
        mine = [
            value
            for name, _, value in (each.partition("=") for each in given)
            if name == self._name
        ]
        return len(mine) == 1 and _is_same(mine[0], self._cookie)


def _is_same(given: str, known: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), known.encode())
