"""Where the front matter of a note begins and ends, on bytes; splitting never fails.

The rule (reliability.md 3.2): the file starts, after at most one byte order mark, with a line
`---` (spaces and tabs may follow); the block ends at the next line `---` or `...`. Anything else,
including a blank line before the fence, is a note without front matter, as in Obsidian.
"""

from __future__ import annotations

import re

from vaultmem.base import dataclass

BOM = b"\xef\xbb\xbf"

_DOTS_WITHIN = 128 * 1024  # bytes; twice the largest block that is read
_OPENING = re.compile(rb"---[ \t]*\r?\n")
_CLOSING = re.compile(rb"\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)")
_KEY_LINE = re.compile(rb"[^\s#:\-][^\n:]{0,100}:(?:[ \t]|\r?\n|\Z)")
_FIRST_LINES = re.compile(rb"(?:[ \t]*(?:#[^\n]*)?\r?\n)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """A note's bytes in five pieces that add up to it again.

    Without front matter `opening`, `block` and `closing` are empty.
    """

    bom: bytes
    opening: bytes  # the first fence with its line end
    block: bytes  # the lines between the fences, each with its line end
    closing: bytes  # the last fence, with its line end unless the file ends there
    body: bytes
    eol: bytes  # b"\\n" or b"\\r\\n", as the file's first line has it

    def with_block(self, block: bytes) -> bytes:
        """The note with another block; the fences must be there."""
        return b"".join((self.bom, self.opening, block, self.closing, self.body))


def split(data: bytes) -> Parts:
    """The pieces of a note."""
    bom = BOM if data.startswith(BOM) else b""
    start = len(bom)
    opening = _OPENING.match(data, start)
    closing = _closing(data, opening.end()) if opening else None
    if opening is None or closing is None:
        end = data.find(b"\n")
        eol = b"\r\n" if end > 0 and data[end - 1] == 0x0D else b"\n"
        body = data[start:] if bom else data
        return Parts(bom=bom, opening=b"", block=b"", closing=b"", body=body, eol=eol)
    fence = opening.group()
    return Parts(
        bom=bom,
        opening=fence,
        block=data[opening.end() : closing[0]],
        closing=data[closing[0] : closing[1]],
        body=data[closing[1] :],
        eol=b"\r\n" if fence.endswith(b"\r\n") else b"\n",
    )


def looks_unclosed(parts: Parts) -> bool:
    """Whether a note begins like front matter whose last fence is missing.

    True for `---` followed by a line `key: ...`; false for a thematic break above prose.
    """
    opening = _OPENING.match(parts.body)
    if parts.opening or opening is None:
        return False
    blank = _FIRST_LINES.match(parts.body, opening.end())
    return _KEY_LINE.match(parts.body, blank.end() if blank else opening.end()) is not None


def _closing(data: bytes, after: int) -> tuple[int, int] | None:
    """Where the closing fence begins and ends; the search starts on the line end before it.

    In a block of megabytes, which nobody reads, dots count only if no dashes follow them: one
    pass over it is enough.
    """
    dashes = _fence_at(data, b"\n---", after - 1, len(data))
    limit = min(dashes[0], after + _DOTS_WITHIN) if dashes else len(data)
    dots = _fence_at(data, b"\n...", after - 1, limit)
    return dots or dashes


def _fence_at(data: bytes, mark: bytes, start: int, end: int) -> tuple[int, int] | None:
    place = data.find(mark, start, end)
    while place >= 0:
        found = _CLOSING.match(data, place)
        if found is not None:
            return place + 1, found.end()
        place = data.find(mark, place + 1, end)
    return None
