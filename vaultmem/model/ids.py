"""Identities: the same input gives the same id on every device."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from importlib import import_module

from vaultmem.base import TYPE_CHECKING, NewType, Protocol

ItemId = NewType("ItemId", str)
ResourceId = NewType("ResourceId", str)
Oid = NewType("Oid", str)
"""Git blob id of a file's bytes (hex; sha1, or sha256 in such repositories): its fingerprint."""

# 50 and 60 bits: of 100,000 items two have the same id with a chance of 4 in a million. Ids are in
# names of files and in links of every vault, so that neither length can change any more.
ITEM_LENGTH = 10
RESOURCE_LENGTH = 12
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford base32: no i, l, o, u to misread
_LETTERS = frozenset(_ALPHABET)
ITEM_ID: re.Pattern[str]
RESOURCE_ID: re.Pattern[str]
_PATTERNS = {
    "ITEM_ID": rf"i-[{_ALPHABET}]{{{ITEM_LENGTH}}}",
    "RESOURCE_ID": rf"r-[{_ALPHABET}]{{{RESOURCE_LENGTH}}}",
}

if not TYPE_CHECKING:  # else no misspelt name would be told

    def __getattr__(name: str) -> re.Pattern[str]:
        """The patterns, compiled when somebody imports them: a question needs none."""
        if name not in _PATTERNS:
            raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
        found = globals()[name] = re.compile(_PATTERNS[name])
        return found


class Hash(Protocol):
    """A running hash, as hashlib makes them."""

    def update(self, data: bytes, /) -> None:
        """Take more bytes in."""

    def digest(self) -> bytes:
        """The hash as bytes."""

    def hexdigest(self) -> str:
        """The hash as hexadecimal digits."""


def chat_id() -> str:
    """An id for a conversation that nobody named."""
    from secrets import token_hex  # of no use to a question

    return f"chat-{token_hex(4)}"


def base32(digest: bytes, length: int) -> str:
    """First `length` Crockford base32 characters (5 bits each) of a digest."""
    number = int.from_bytes(digest, "big")
    bits = len(digest) * 8
    return "".join(_ALPHABET[(number >> (bits - 5 * (i + 1))) & 31] for i in range(length))


def item_id(source: str, canonical_statement: str) -> ItemId:
    """Id of the item that `source` (a resource id or stream path) states."""
    digest = _hasher("sha256")(f"{source}\n{canonical_statement}".encode()).digest()
    return ItemId("i-" + base32(digest, ITEM_LENGTH))


def resource_id(text: str) -> ResourceId:
    """Id of a raw text: of its bytes in UTF-8, so the same text twice is one resource."""
    digest = _hasher("sha256")(text.encode("utf-8", "surrogatepass")).digest()
    return ResourceId("r-" + base32(digest, RESOURCE_LENGTH))


def id_in_name(stem: str) -> str | None:
    """The item or resource id that a file stem or link target ends in, if any."""
    stem = stem.removesuffix("\n")
    for mark, length in (("i-", ITEM_LENGTH), ("r-", RESOURCE_LENGTH)):
        at = len(stem) - len(mark) - length
        is_whole = at == 0 or (at > 0 and stem[at - 1] in "-/")
        if is_whole and stem.startswith(mark, at) and _LETTERS.issuperset(stem[at + len(mark) :]):
            return stem[at:]
    return None


def blob_oid(data: bytes, *, algorithm: str = "sha1") -> Oid:
    """Git's id of a blob with these bytes; `algorithm` is the repository's object format."""
    digest = _hasher(algorithm)(b"blob %d\0" % len(data))
    digest.update(data)
    return Oid(digest.hexdigest())


@cache
def _hasher(algorithm: str) -> Callable[[bytes], Hash]:
    """The hash in Python itself: loading OpenSSL for it takes 3 ms, more than it saves."""
    try:
        module = import_module(f"_{algorithm}")
    except ImportError:  # Python 3.12 keeps sha256 in `_sha2`; a build may have neither
        module = import_module("hashlib")
    found: Callable[[bytes], Hash] = getattr(module, algorithm)
    return found
