"""How many columns of a terminal a text takes, and where it may be broken. Pure."""

from __future__ import annotations

import unicodedata

_JOINER = "\u200d"
_AS_EMOJI = "\ufe0f"  # the character before it is drawn as a picture, two columns wide
_TONES = range(0x1F3FB, 0x1F400)  # of skin: drawn into the picture before them
_FLAGS = range(0x1F1E6, 0x1F200)  # letters, of which two are a flag
_NO_WIDTH = frozenset(("Mn", "Me", "Cf"))
_JAMO = range(0x1160, 0x1200)  # vowels and endings, drawn into the syllable before them
# Marks that no row begins with, and such that no row ends with (JIS X 4051, the usual ones).
_NOT_FIRST = frozenset("、。，．・：；？！）］｝〕〉》」』】〙〗〟ー々ゝゞヽヾ…‥·.,:;?!)]}%”’»")
_NOT_LAST = frozenset("（［｛〔〈《「『【〘〖〝([{“‘«")
_SOFT = frozenset("/\\-_.,:;?&=+|")  # behind these a word that is too long for a row is broken


def columns(text: str) -> int:
    """How many columns of a terminal a text takes; a joined emoji takes two, as newer ones draw."""
    if text.isascii() and "\t" not in text:
        return len(text)
    taken, last = 0, ""
    for char in text:
        if char == _AS_EMOJI and last and char_columns(last) == 1:
            taken += 1
        elif not taken or (last != _JOINER and ord(char) not in _TONES):
            taken += char_columns(char)
        last = char
    return taken


def pad_columns(text: str, room: int, *, cut: str = "…") -> str:
    """The text in exactly so many columns; `cut` ends one that was longer."""
    if columns(text) > room:
        kept = ""
        for char in text:
            if columns(kept + char) > room - len(cut):
                break
            kept += char
        text = f"{kept}{cut}"
    return text + " " * (room - columns(text))


def char_columns(char: str) -> int:
    """0 for what is drawn onto the character before it, 2 for a wide one, 8 for a tab, else 1."""
    if char < "\u0300":
        return 8 if char == "\t" else 1  # a tab takes as much, or less
    if unicodedata.category(char) in _NO_WIDTH or ord(char) in _JAMO:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def wrap_spans(text: str, width: int, *, hang: int = 0) -> list[tuple[int, int]]:
    """(start, end) of the rows of a line, none wider than `width`, and no character left out.

    Broken at blanks and between wide characters; a word that no row holds, behind a mark such as
    `/` or anywhere. Blanks at a break belong to no row. No letter is torn from its accents.

    width  columns, at least 4
    hang   columns that every row but the first has less
    """
    rows: list[tuple[int, int]] = []
    start = 0
    while start < len(text):
        room = max(width - (hang if rows else 0), 4)
        end, after = _row(text, start, room, lead=0 if rows else hang)
        rows.append((start, end))
        start = after
    return rows or [(0, 0)]


def _row(text: str, start: int, room: int, *, lead: int) -> tuple[int, int]:
    """(where the row ends, where the next one begins).

    lead  columns of its beginning, a number or a label, which are not left alone on a row
    """
    used, has_words = 0, False
    at_blank, soft, whole = -1, -1, start  # where it may be broken, the best first
    flags = 0
    for at in range(start, len(text)):
        char = text[at]
        before = text[at - 1] if at > start else ""
        flags = flags + 1 if ord(char) in _FLAGS else 0
        wide = 2 if before and char == _AS_EMOJI and char_columns(before) == 1 else 0
        taken = wide - 1 if wide else char_columns(char)
        is_own = taken > 0 and not wide and before != _JOINER and ord(char) not in _TONES
        if is_own and flags != 2:
            whole = at
            if has_words and used > lead and _may_break(before, char):
                at_blank = at
            elif before in _SOFT and has_words:
                soft = at
        flags %= 2
        if used + taken > room and char != " ":
            if at_blank > start:
                end = at_blank
            elif soft > start and soft - start > (at - start) // 3:
                end = soft
            else:
                end = whole if whole > start else at
            if end <= start:
                end = start + 1
            return start + len(text[start:end].rstrip(" ")), end + _blanks(text, end)
        used += taken
        has_words = has_words or char != " "
    return len(text), len(text)


def _may_break(before: str, char: str) -> bool:
    """Whether a row may end between these."""
    if before == " ":
        return char != " "
    if char == " " or char in _NOT_FIRST or before in _NOT_LAST:
        return False
    return char_columns(before) == 2 or char_columns(char) == 2


def _blanks(text: str, at: int) -> int:
    """How many blanks stand there."""
    return len(text) - at - len(text[at:].lstrip(" "))
