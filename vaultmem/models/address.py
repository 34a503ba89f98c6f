"""Addresses of model servers, as a person writes them: https, or http on this machine."""

from __future__ import annotations

import re

from vaultmem.base.errors import SettingsError
from vaultmem.base.records import NamedTuple
from vaultmem.config.network import is_on_this_device

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
