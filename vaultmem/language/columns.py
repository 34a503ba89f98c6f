"""How many columns of a terminal a text takes. Pure."""

from __future__ import annotations

import unicodedata


def columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(map(_columns, text))


def pad_columns(text: str, room: int, *, cut: str = "…") -> str:
    """The text in exactly so many columns; `cut` ends one that was longer."""
    if columns(text) > room:
        kept = ""
        for char in text:
            if columns(kept) + _columns(char) > room - len(cut):
                break
            kept += char
        text = f"{kept}{cut}"
    return text + " " * (room - columns(text))


def _columns(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
