"""Lengths of what was said: words, and how much of a text is code."""

from __future__ import annotations

import re

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
