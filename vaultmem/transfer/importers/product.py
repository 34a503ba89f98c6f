"""Whose export a file is, found out by what it holds and not by its name. Pure.

JSON is known by the keys at its beginning, a file of JSON lines by the keys of its first lines,
Markdown and text by their first lines. A more special format stands before a more general one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module

from vaultmem.base import TYPE_CHECKING, NamedTuple, dataclass
from vaultmem.transfer.importers.json_stream import outline

if TYPE_CHECKING:
    from vaultmem.transfer.importers.imported_records import Record
    from vaultmem.transfer.importers.inputs import Input

OWN = "vaultmem"
"""The name of a document that `vaultmem export` wrote."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A file to read, and what its reader has to know."""

    file: Input
    zone: str  # of times that have none
    me: str = ""  # under which name the person speaks in chats between people
    progress: Callable[[int], None] | None = None  # told how many bytes were read


class Format(NamedTuple):
    """One shape of export of a product."""

    product: str  # what `--from` takes
    reader: str  # 'module:function' below importers/
    keys: Sequence[frozenset[str]] = ()  # one of these sets is in the outline of the JSON
    is_lines: bool = False  # one JSON object a line
    is_support: bool = False  # goes with an export and holds no words: passed over silently


def _any(*sets: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(each.split()) for each in sets)


FORMATS = (
    Format(OWN, "", _any("schema schema_version")),
    Format("chatgpt", "chatgpt:read_conversations", _any("[].mapping", "mapping current_node")),
    Format("claude", "claude_chats:read_conversations", _any("[].chat_messages", "chat_messages")),
    Format("claude", "claude_chats:read_projects", _any("[].prompt_template", "[].docs[].content")),
    Format(
        "claude",
        "claude_chats:read_memories",
        _any(
            *("[].conversations_memory", "conversations_memory"),
            *("[].project_memories", "project_memories"),
        ),
    ),
)
PRODUCTS = tuple(dict.fromkeys(each.product for each in FORMATS if each.product != OWN))


def format_of(head: bytes) -> Format | None:
    """The format of a file that begins so; None: it is none that can be imported."""
    if b"\0" in head[:1024]:
        return None  # a picture, an archive, a database
    text = head.decode("utf-8-sig", "replace").lstrip()
    if text[:1] not in ("{", "["):
        return None
    found = _of_lines(text) if text[:1] == "{" else None
    return found or _of_json(text)


def product_of(head: bytes) -> str:
    """Whose export a file that begins so is; '' for any other. An archive is one of several."""
    if head.startswith(b"PK\3\4"):
        return "another program (ZIP)"
    found = format_of(head)
    return found.product if found is not None else ""


def formats_of_product(product: str) -> tuple[Format, ...]:
    """The formats of a product, by its name in `--from`."""
    return tuple(each for each in FORMATS if each.product == product)


def reader_of(found: Format) -> Callable[[Asked], Iterator[Record]]:
    """The function that reads a format; its module is loaded now."""
    module, _, name = found.reader.partition(":")
    reader: Callable[[Asked], Iterator[Record]] = getattr(
        import_module(f"vaultmem.transfer.importers.{module}"), name
    )
    return reader


def _of_json(text: str) -> Format | None:
    known = outline(text)
    return next(
        (
            each
            for each in FORMATS
            if not each.is_lines and any(keys <= known for keys in each.keys)
        ),
        None,
    )


_MOST_LINES = 30


def _of_lines(text: str) -> Format | None:
    """The format of JSON lines, by the keys and types of the first ones."""
    known: set[str] = set()
    found = 0
    for line in text.split("\n", _MOST_LINES)[:_MOST_LINES]:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            found += 1
            known |= value.keys()
            known.add(f"type={value.get('type')}")
    if not found:
        return None
    return next(
        (each for each in FORMATS if each.is_lines and any(keys <= known for keys in each.keys)),
        None,
    )
