"""How deeply a turn is worked on, by its length and by what it says; how long it stays verbatim."""

from __future__ import annotations

import re
from collections.abc import Sequence

from vaultmem.base import dataclass
from vaultmem.language import fold

# The bounds of algorithms.md 8.5; 200 words belong to both of its rows, and the deeper one counts.
SHORT_WORDS = 40
LONG_WORDS = 200

# A constraint or a correction counts in few words too: "Never use tabs here" has four.
_CUE = re.compile(
    r"\b(?:never|always|must|cannot|can'?t|don'?t|do not|no longer|not any ?more)\b"
    r"|\bno,? (?:not|it'?s|that'?s|use|make)\b"
    r"|\b(?:scrap|forget|strike) (?:that|it|the|what)\b"
    r"|\b(?:correction|instead of|changed my mind|i meant|i said)\b"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """What becomes of a turn."""

    size: str  # short, medium, long
    extract_diff: bool  # whether facts are read from it
    preserve_raw: bool  # whether it stays verbatim for longer
    code_heavy: bool
    summary: bool = True  # every turn has one


def route(
    user_words: int,
    assistant_words: int,
    *,
    code_heavy: bool = False,
    has_cue: bool = False,
    short_words: int = SHORT_WORDS,
    long_words: int = LONG_WORDS,
) -> Route:
    """The treatment of a turn with so many words on either side.

    Short: both sides below `short_words`; long: one side from `long_words` on. What is short has
    its facts read only for a cue or for being code.
    """
    longest = max(user_words, assistant_words)
    is_long = longest >= long_words
    size = "long" if is_long else "short" if longest < short_words else "medium"
    return Route(
        size=size,
        extract_diff=size != "short" or code_heavy or has_cue,
        preserve_raw=is_long,
        code_heavy=code_heavy,
    )


def has_cue(text: str) -> bool:
    """Whether a text sets a hard constraint or corrects something (English)."""
    return _CUE.search(fold(text).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")) is not None


# The raw window: which turns the next prompt holds word for word.

# Algorithms.md 8.3: the sources name 5 to 8 turns, and 6 to begin with.
WINDOW_TURNS = 6
LONG_EXTRA = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Raw:
    """A turn as the window sees it."""

    turn: int  # from 1
    is_long: bool = False
    is_summarised: bool = True  # False: only its own words say what it said


def window(
    turns: Sequence[Raw], *, size: int = WINDOW_TURNS, extra: int = LONG_EXTRA
) -> tuple[int, ...]:
    """Numbers of the turns that are still there after the last one, in their order.

    size   turns (both sides together) that stay; a long one stays `extra` turns more
    A turn that is not summarised stays until it is: nothing else tells of it.
    """
    if not turns:
        return ()
    last = max(each.turn for each in turns)
    return tuple(
        each.turn
        for each in turns
        if not each.is_summarised or last - each.turn < size + (extra if each.is_long else 0)
    )


# Lengths of what was said: words, and how much of a text is code.

# What follows backticks on their line holds no backtick: '``` x ```' is code within a sentence
# (CommonMark 4.5).
FENCE = re.compile(r"^ {0,3}(`{3,}(?=[^`\n]*$)|~{3,})[ \t]*([^\n]*?)[ \t]*$")
_CODE_INDENT = 4  # columns, as in Markdown
_TAB = 4


def count_words(text: str) -> int:
    """Pieces between white space that hold a letter or digit of any script."""
    return sum(1 for piece in text.split() if _is_word(piece))


def clip_words(text: str, most: int) -> tuple[str, bool]:
    """The text on one line, at most so many words of it, and whether any were left out."""
    pieces, count = text.split(), 0
    for place, piece in enumerate(pieces):
        count += _is_word(piece)
        if count > most:
            return " ".join(pieces[:place]).rstrip(",;:-–— ") + "…", True
    return " ".join(pieces), False


def code_share(text: str) -> float:
    """Share of the characters that are no white space which stand in blocks of code, 0..1.

    Blocks are fenced (to their end or that of the text) or indented by four columns below a blank
    line; fences themselves are not counted at all. A text without a character has none.
    """
    code = other = 0
    for line, is_code in code_lines(text):
        size = sum(not character.isspace() for character in line)
        code, other = (code + size, other) if is_code else (code, other + size)
    return code / (code + other) if code else 0.0


def code_lines(text: str) -> list[tuple[str, bool]]:
    """Every line but the fences, with whether it is code."""
    lines: list[tuple[str, bool]] = []
    fence = ""
    may_indent = True  # an indented block cannot interrupt a paragraph (CommonMark 4.4)
    for line in text.splitlines():
        if fence:
            if closes(line, fence):
                fence, may_indent = "", True
            else:
                lines.append((line, True))
            continue
        found = FENCE.match(line)
        if found:
            fence = found[1]
            continue
        if not line.strip():
            may_indent = True
            continue
        is_code = may_indent and _indent(line) >= _CODE_INDENT
        lines.append((line, is_code))
        may_indent = is_code
    return lines


def closes(line: str, fence: str) -> bool:
    """Whether a line ends the block of code that `fence` (its marks) began."""
    bare = line.strip()
    return len(line) - len(line.lstrip(" ")) < _CODE_INDENT and (
        bare.startswith(fence) and not bare.strip(fence[0])
    )


def _is_word(piece: str) -> bool:
    return any(character.isalnum() for character in piece)


def _indent(line: str) -> int:
    columns = 0
    for character in line:
        if character == " ":
            columns += 1
        elif character == "\t":
            columns += _TAB - columns % _TAB
        else:
            break
    return columns
