"""What front matter must be before a YAML parser may see it, and hints for what is wrong.

libyaml dies at 30,000 nested brackets and a 331-byte merge-key bomb takes 15 s
(reliability.md 3.2), so size, controls and nesting are looked at on the raw text. Depth,
anchors, tags and merge keys are checked again, exactly, on the stream of parser events
(frontmatter.py), where nothing recurses and nothing is expanded.
"""

from __future__ import annotations

import re

from vaultmem.base.patterns import late
from vaultmem.base.records import dataclass

MAX_BLOCK_BYTES = 64 * 1024
MAX_DEPTH = 32
MAX_KEYS = 1000
MAX_NODES = 10_000

QUOTE_HINT = "put the value in quotes"

_CONTROL = late(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]|\ufffe|\uffff")
_CONFLICT = late(r"^(?:<{7}|\|{7}|={7}|>{7})(?: |\r?$)", re.MULTILINE)
_QUOTED = late(r"\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'")
_BRACKET = late(r"[\[\]{}]")
_DASHES = late(rf"^ *(?:[-?] +){{{MAX_DEPTH + 1}}}", re.MULTILINE)
_FOREIGN_BREAKS = "\x85\u2028\u2029\ufeff"
_PRIVATE_USE = range(0x10FF00, 0x10FFFD)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why front matter is not read."""

    code: str
    message: str
    hint: str = ""
    offset: int | None = None  # characters into the block; None: the block as a whole


def too_large(block_bytes: int) -> Refusal | None:
    """Refuses a block above the limit, before it is even decoded."""
    if block_bytes <= MAX_BLOCK_BYTES:
        return None
    return Refusal(
        code="front-matter-too-large",
        message=f"front matter of {block_bytes:,} bytes, more than {MAX_BLOCK_BYTES:,}",
        hint="move the text below the closing ---",
    )


def inspect(block: str) -> Refusal | None:
    """The first reason not to show the block to a YAML parser."""
    control = _CONTROL.search(block)
    if control is not None:
        return Refusal(
            code="control-character",
            message=f"front matter holds the control character U+{ord(control.group()):04X}",
            hint="delete the character",
            offset=control.start(),
        )
    conflict = _CONFLICT.search(block)
    if conflict is not None:
        return Refusal(
            code="conflict-markers",
            message="front matter holds an unresolved merge conflict",
            hint="keep one side and delete the lines with <<<<<<<, ======= and >>>>>>>",
            offset=conflict.start(),
        )
    deep = _deep_at(block)
    return None if deep is None else too_deep(deep)


def too_deep(offset: int) -> Refusal:
    """Refuses nesting beyond the limit."""
    return Refusal(
        code="too-deep",
        message=f"front matter is nested more than {MAX_DEPTH} levels deep",
        hint="use flat keys and lists",
        offset=offset,
    )


def hide_breaks(block: str) -> tuple[str, dict[int, str]]:
    """The block with U+0085, U+2028, U+2029 and U+FEFF replaced, and the way back.

    YAML takes the first three for line ends and the last for a byte order mark; people's editors
    do not. Each stands for one private-use character that the block does not hold, so that
    offsets stay true. Undo with `str.translate`.
    """
    if not any(mark in block for mark in _FOREIGN_BREAKS):
        return block, {}
    free = (chr(code) for code in _PRIVATE_USE if chr(code) not in block)
    there = dict(zip(_FOREIGN_BREAKS, free, strict=False))
    back = {ord(stand_in): mark for mark, stand_in in there.items()}
    return block.translate({ord(mark): stand_in for mark, stand_in in there.items()}), back


def hint_for(problem: str, character: str) -> str:
    """What to do about a YAML parser's complaint at a `character` of the block."""
    if "mapping values are not allowed" in problem:
        return f"{QUOTE_HINT}: it holds ': '"
    if character == "\t":
        return "indent with spaces, not with a tab"
    if "cannot start any token" in problem or "alias" in problem:
        return f"{QUOTE_HINT}: it begins with {character!r}" if character else QUOTE_HINT
    if "end of stream" in problem or "document indicator" in problem:
        return "close the quotes or brackets"
    if "expected ':'" in problem:
        return "write 'key: value', and indent lines that continue a value"
    return "compare the line with its neighbours: a quote, bracket or space may be missing"


def _deep_at(block: str) -> int | None:
    """Where brackets or dashes seem to nest too deep; quoted text does not count.

    A quick look that may miss a case (an apostrophe hides what follows it on the line), never
    the only one.
    """
    dashes = _DASHES.search(block)
    if dashes is not None:
        return dashes.start()
    if block.count("[") + block.count("{") <= MAX_DEPTH:
        return None
    bare = _QUOTED.sub(lambda found: " " * len(found.group()), block)
    depth = 0
    for found in _BRACKET.finditer(bare):
        depth = depth + 1 if found.group() in "[{" else max(0, depth - 1)
        if depth > MAX_DEPTH:
            return found.start()
    return None
