"""The little Markdown we need to know: code and comments, headings, tags, the first paragraph.

Lines end at LF only; a CR before it belongs to the line end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultmem.base import NamedTuple, PatchRefusedError, dataclass, late

BOM = b"\xef\xbb\xbf"

_DOTS_WITHIN = 128 * 1024  # bytes; twice the largest block that is read
_FENCE_OPENING = re.compile(rb"---[ \t]*\r?\n")
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
    opening = _FENCE_OPENING.match(data, start)
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
    opening = _FENCE_OPENING.match(parts.body)
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


_HEADING = late(r" {0,3}#{1,6}(?:[ \t]+(.*))?", re.DOTALL)
_HEADING_END = late(r"(?:^|[ \t])#+[ \t\r]*$")
_LIST_LINE = late(r"(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)")
_TAG = late(r"(?<![^\s(])#([\w/-]*[^\W\d_][\w/-]*)")
_CODE_SPAN = late(r"`[^`\n]+`")
# What ends a paragraph without a blank line (CommonMark 5.2, section 4.8).
_INTERRUPTION = late(
    r"\n(?=[ \t\r]*(?:\n|\Z)| {0,3}(?:[-*+][ \t]|\#{1,6}[ \t]|```|~~~|>|1[.)][ \t]|%%|<!--))"
)
_FILLED = late(r"\S")
_LEAD = late(r"(?:[-*+][ \t]+(?:\[.\][ \t]+)?|>[ \t]*)+")
_BLOCK_ID = late(r"(?<![ \t])[ \t]+\^[A-Za-z0-9-]+\Z")

BOX = "> [!conflict] Another device had this instead. Keep what is right, then delete this box."
FIELD_BOX = (
    "> [!conflict] Front matter: another device had this instead. "
    "Keep what is right, then delete this box."
)
"""First lines of the boxes in which merging keeps what lost (storage/merging/pieces.py)."""


class Line(NamedTuple):
    """One line of a text, offsets in characters. A tuple, since files have thousands."""

    text: str  # without the line end
    start: int
    end: int  # after the line end
    number: int  # 1-based
    hidden: bool  # in a code block or a comment of several lines, with its first and last line


_OPENING = frozenset("`~%<")  # with one of these begins what hides lines


def lines(text: str) -> Iterator[Line]:
    """The lines of a text; fenced code and comments (`%%`, `<!--`) are marked as hidden.

    A comment begins where a line begins, and is hidden only if it goes on over the line's end.
    A fence that is indented below a list line ends with that list item (CommonMark 4.5, 5.2).
    """
    place, size = 0, len(text)
    make = tuple.__new__  # a list of 25,000 bullets is cut into lines a hundred times
    closing = ""  # what ends the hidden region; '' outside
    flush = ""  # the last line that was not indented
    ends_with_item = False
    hides = "```" in text or "~~~" in text or "%%" in text or "<!--" in text
    rows = text.split("\n")
    if not rows[-1]:
        rows.pop()
    for number, row in enumerate(rows, 1):
        end = place + len(row) + 1
        if end > size:  # the last line has no line end
            end = size
        line = row.rstrip("\r")
        if not hides:
            yield make(Line, (line, place, end, number, False))
            place = end
            continue
        bare = line.lstrip(" \t")
        is_flush = bool(bare) and len(bare) == len(line)
        if closing and ends_with_item and is_flush:
            closing = ""
        hidden = bool(closing)
        if not hidden:
            flush = line if is_flush else flush
            if bare[:1] in _OPENING:  # few lines: of the others nothing is looked at
                in_item = _LIST_LINE.match(flush) is not None
                closing = _opening(bare, len(line) - len(bare), in_item=in_item)
                ends_with_item = in_item and not is_flush
                hidden = bool(closing)
        elif _closes(bare, closing):
            closing = ""
        yield make(Line, (line, place, end, number, hidden))
        place = end


def _opening(bare: str, indent: int, *, in_item: bool) -> str:
    """The mark that will end the hidden region that this line opens; '' if it opens none."""
    if bare.startswith(("```", "~~~")) and (in_item or indent <= 3):
        mark = bare[0]
        rest = bare.lstrip(mark)
        # An opening fence of backticks has none in its info string (CommonMark 4.5): such a line is
        # code within a paragraph.
        return "" if mark == "`" and "`" in rest else mark * (len(bare) - len(rest))
    if bare.startswith("%%") and not indent:
        return "" if "%%" in bare[2:] else "%%"
    if bare.startswith("<!--") and not indent:
        return "" if "-->" in bare[4:] else "-->"
    return ""


def _closes(bare: str, closing: str) -> bool:
    if closing[0] in "`~":
        return bare.startswith(closing) and not bare.strip(closing[0] + " \t")
    return closing in bare


def heading(line: str) -> str | None:
    """The text of an ATX heading line (`## Open` -> 'Open'); None for any other line."""
    if "#" not in line[:4]:
        return None
    found = _HEADING.fullmatch(line)
    return None if found is None else _HEADING_END.sub("", found[1] or "").strip()


def title(body: str) -> str:
    """The heading with which a text begins, '' if it begins with something else."""
    start = len(body) - len(body.lstrip())
    if not body.startswith("#", start):
        return ""
    return heading(body[start:].split("\n", 1)[0]) or ""


def inline_tags(body: str) -> tuple[str, ...]:
    """The `#tags` of a text in order, each once; not in code, and not `#1` (Obsidian's rule)."""
    if "#" not in body:
        return ()
    if "```" in body or "~~~" in body or "%%" in body or "<!--" in body:
        body = "\n".join(line.text for line in lines(body) if not line.hidden)
    found = _TAG.findall(_CODE_SPAN.sub("", body) if "`" in body else body)
    return tuple(dict.fromkeys(found))


def statement_span(body: str) -> tuple[int, int]:
    """Where the first paragraph's text is: headings above it, list and quote marks left out.

    A body of nothing but headings states the last of them. An empty body gives an empty span.
    """
    place, span = 0, (len(body), len(body))
    while (first := _FILLED.search(body, place)) is not None:
        start = first.start()
        end = body.find("\n", start)
        end = len(body) if end < 0 else end
        name = heading(body[start:end].rstrip("\r")) if body[start] == "#" else None
        if name is None:
            return _paragraph(body, start)
        if name:
            at = body.find(name, start)
            span = (at, at + len(name))
        place = end
    return span


def _paragraph(body: str, start: int) -> tuple[int, int]:
    lead = _LEAD.match(body, start) if body[start] in "-*+>" else None
    start = lead.end() if lead else start
    found = _INTERRUPTION.search(body, start)
    end = found.start() if found else len(body)
    end = start + len(body[start:end].rstrip())
    anchor = _BLOCK_ID.search(body, start, end)
    return start, anchor.start() if anchor else end


# The statement of an item note, its first paragraph: read, written and replaced.
#
# A statement that Markdown (or we) would take for something else, such as '# not a heading', is
# written behind a backslash, which is not part of it.

_MARK = r"[-*+>#`~%<]"
_ESCAPED_START = late(rf"\\(?=\\*{_MARK})")
_ESCAPED_END = late(r"(?<=\s)\\(?=\\*\^[A-Za-z0-9-]+\Z)")
_NEEDS_ESCAPE = late(
    rf"[-*+]\s|\#{{1,6}}(?:\s|\Z)|>|```|~~~|%%|<!--|\\+{_MARK}",
)
_END_NEEDS_ESCAPE = late(r"(?<=\s)(?=\\*\^[A-Za-z0-9-]+\Z)")


def read_statement(body: str) -> str:
    """The first paragraph of a body as one line; '' when there is none."""
    bare = body.strip()
    if bare[:1].isalnum() and "\n" not in bare and "^" not in bare and "  " not in bare:
        return bare if "\t" not in bare else " ".join(bare.split())
    start, end = statement_span(body)
    text = " ".join(body[start:end].split())
    if text.startswith("\\") and _ESCAPED_START.match(text):
        text = text[1:]
    return _ESCAPED_END.sub("", text) if "\\^" in text else text


def render_statement(statement: str) -> str:
    """The line of Markdown that `read_statement` reads as this statement."""
    text = " ".join(statement.split())
    if _NEEDS_ESCAPE.match(text):
        text = "\\" + text
    return _END_NEEDS_ESCAPE.sub(r"\\", text) if "^" in text else text


def replace_statement(data: bytes, statement: str) -> bytes:
    """The note with another first paragraph; front matter and the rest stay as they are.

    Raises PatchRefusedError when the note is not UTF-8 or the new text would not be read back.
    """
    parts = split(data)
    try:
        body = parts.body.decode()
    except UnicodeDecodeError as error:
        raise PatchRefusedError(
            "the note is not UTF-8", hint="save it as UTF-8 in your editor"
        ) from error
    wanted = " ".join(statement.split())
    if read_statement(body) == wanted:
        return data
    start, end = statement_span(body)
    if start == end:
        above = (parts.closing + parts.body).decode()
        eol = parts.eol.decode()
        gap = "" if not above or above.endswith("\n") else eol
        gap += eol if above.strip() and not body else ""
        after = body + gap + render_statement(wanted) + eol
    else:
        after = body[:start] + render_statement(wanted) + body[end:]
    if read_statement(after) != wanted or not wanted:
        raise PatchRefusedError(
            f"the note cannot state {wanted[:60]!r}", hint="change it in an editor"
        )
    return data[: len(data) - len(parts.body)] + after.encode()
