"""Sentences for commit subjects and reports."""

from __future__ import annotations

from collections.abc import Sequence

SUBJECT_LENGTH = 72
NOTHING_FOUND = "no memory found"  # for people and for assistants


def shorten(text: str, length: int) -> str:
    """At most `length` characters on one line, cut at a word, with an ellipsis when cut."""
    line = " ".join(text.split())
    if len(line) <= length:
        return line
    cut = line[: length - 1]
    at_word = cut.rsplit(" ", 1)[0] if " " in cut[length // 2 :] else cut
    return at_word.rstrip(" ,;:.") + "…"


def subject(op: str, text: str, *, extra: str = "") -> str:
    """`op: text (extra)` within the usual length of a commit subject."""
    tail = f" ({extra})" if extra else ""
    room = SUBJECT_LENGTH - len(op) - 2 - len(tail)
    return f"{op}: {shorten(text.rstrip(' .'), max(room, 16))}{tail}"


def pluralise(number: int, noun: str, plural: str = "") -> str:
    """`1 item`, `3 items`."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def join_nonempty(parts: Sequence[str]) -> str:
    """The parts that are not empty, joined by commas."""
    return ", ".join(part for part in parts if part)
