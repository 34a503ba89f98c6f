"""Whether a text may hold words of others at all: a quick look before `spans` is loaded. Pure."""

from __future__ import annotations

from vaultmem.base import Needing

_MARKS = Needing(
    "[:\"“„«»‹「<`>]|'''|\n|[.!?][\"')]* +\\S",
    0,
    (*':"“”„«»‹「<`>\n', "'''", ". ", "! ", "? ", '" ', "' ", ") "),
)
_ORDER = "Remember: "  # as every statement is put to an extractor


def may_hold_others(text: str) -> bool:
    """Whether it has a mark that brings words in; a sentence without any is the person's own.

    The colon of an order to remember is none: it made the words of a new bullet cost a fifth of
    adopting it, and could only ever be taken for a lead itself. Nor is the end of the last line,
    which every text has that is kept: `spans` takes 3 ms to load.
    """
    start = len(_ORDER) if text.startswith(_ORDER) else 0
    return _MARKS.search(text[start:].rstrip("\n")) is not None
