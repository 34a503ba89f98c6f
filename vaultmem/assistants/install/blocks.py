"""A block of ours at the end of a TOML or Markdown file; every other byte stays. Pure."""

from __future__ import annotations

import tomllib

from vaultmem.assistants.install.jsonc import Insertion
from vaultmem.base import Any, BadInputError

TOML_MARKS = ("# vaultmem:begin", "# vaultmem:end")
MARKDOWN_MARKS = ("<!-- vaultmem:begin agents -->", "<!-- vaultmem:end agents -->")


def block_inserted(text: str, body: str, marks: tuple[str, str]) -> Insertion:
    """The block behind all that is there, below an empty line."""
    line = "\r\n" if "\r\n" in text else "\n"
    gap = "" if not text else line if text.endswith("\n") else line * 2
    whole = "\n".join((marks[0], body.strip("\n"), marks[1], ""))
    return Insertion(at=len(text), text=gap + whole.replace("\n", line))


def block_removed(text: str, marks: tuple[str, str]) -> str:
    """The text without the block, and without the empty line above it."""
    start, end = text.find(marks[0]), text.find(marks[1])
    if start < 0 or end < start:
        return text
    line = "\r\n" if "\r\n" in text else "\n"
    end = text.find("\n", end)
    before = text[:start]
    if before.endswith(line * 2):
        before = before[: -len(line)]
    return before + ("" if end < 0 else text[end + 1 :])


def require_toml(before: str, after: str, ours: dict[str, Any]) -> None:
    """Refuse a text that means something else than before and ours; raises BadInputError."""
    try:
        known, now = tomllib.loads(before.lstrip("\ufeff")), tomllib.loads(after.lstrip("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        raise BadInputError(f"not TOML, or no room for a table at its end: {error}") from error
    # Behind `[[plugins]]` a table `[plugins.x]` is part of the last element of that array. So the
    # file is read again, and has to mean what it meant, and ours.
    if now != merge_tables(known, ours):
        raise BadInputError("a table at its end would mean something else")


def merge_tables(known: dict[str, Any], ours: dict[str, Any]) -> dict[str, Any]:
    """Both, table by table; ours counts."""
    found = dict(known)
    for key, value in ours.items():
        inner = found.get(key)
        if isinstance(inner, dict) and isinstance(value, dict):
            value = merge_tables(inner, value)
        found[key] = value
    return found
