"""The bullets of a stream file, read with their places.

A bullet is a top-level list line with what is indented below it. Its statement is all of that
on one line, without marker, checkbox and block id.
"""

from __future__ import annotations

import re

from vaultmem.frozen import dataclass
from vaultmem.model.ids import ITEM_ID
from vaultmem.model.records import Bullet
from vaultmem.vault.fences import split
from vaultmem.vault.markdown import Line, heading, lines

_MARKERS = ("-", "*", "+")
_MARKER = re.compile(r"([-*+])[ \t]+(?:\[(.)\](?:[ \t]+|$))?")
_ANY_MARKER = re.compile(r"^[-*+][ \t]", re.MULTILINE)
_RULE = re.compile(r"([-*])(?:[ \t]*\1){2,}[ \t]*")
_FOREIGN_ID = rf"\^(?!{ITEM_ID.pattern}(?:\s|\Z))[A-Za-z0-9-]+"
_ID = re.compile(
    rf"(?<!\S)\^({ITEM_ID.pattern})(?:[ \t]+{_FOREIGN_ID})*[ \t]*\Z"  # ours, then a person's
)
_OTHER_ID = re.compile(rf"(?<!\S){_FOREIGN_ID}[ \t]*\Z")
_ESCAPED_CHECKBOX = re.compile(r"\\(?=\\*\[.\](?:\s|\Z))")


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A bullet and where it lies in its text. Offsets are characters."""

    bullet: Bullet
    marker: str  # '-', '*' or '+'
    start: int  # of its first line
    end: int  # after the line end of its last line
    spans: tuple[tuple[int, int], ...]  # of the statement; two if the block id is in between
    id_at: int  # where a block id of ours goes, if it has none


def bullets(data: bytes) -> tuple[Bullet, ...]:
    """The bullets of a stream file in order; those without words and block id are left out."""
    parts = split(data)
    above = sum(part.count(b"\n") for part in (parts.opening, parts.block, parts.closing))
    body = parts.body.decode("utf-8", "replace")
    return tuple(each.bullet for each in placed(body, first_line=above + 1))


def placed(body: str, *, first_line: int = 1) -> tuple[Placed, ...]:
    """The bullets of a text with their places; `first_line` is the number of its first line.

    Not bullets: list lines in code, in comments, or indented; thematic breaks.
    """
    if _ANY_MARKER.search(body) is None:  # a megabyte of other lines is not looked at
        return ()
    found: list[Placed | None] = []
    section = ""
    own: list[Line] = []  # lines of the bullet being read
    for line in lines(body):
        if own:
            first = line.text[:1]
            if not first or first in " \t":
                if line.text.strip():
                    own.append(line)
                continue
            found.append(_placed(body, own, section, first_line))
            own = []
        if line.hidden:
            continue
        if line.text[:1] in _MARKERS:
            if _MARKER.match(line.text) and not _RULE.fullmatch(line.text):
                own = [line]
        elif "#" in line.text[:4] and (name := heading(line.text)) is not None:
            section = name
    if own:
        found.append(_placed(body, own, section, first_line))
    return tuple(each for each in found if each is not None)


Said = tuple[str, str | None, bool | None]
"""What a bullet says: its statement, block id and checkbox."""


def said_by(bullet: Bullet) -> Said:
    """What a change elsewhere in the file must not change."""
    return bullet.text, bullet.block_id, bullet.checked


def one_line(text: str) -> str:
    """The text as a bullet says it: white space folded to single spaces."""
    return " ".join(text.split())


def _placed(body: str, own: list[Line], section: str, first_line: int) -> Placed | None:
    """The bullet on these lines; None when it says nothing and has no id of ours."""
    first, last = own[0], own[-1]
    marker = _MARKER.match(first.text)
    assert marker is not None
    start, end = first.start + marker.end(), last.start + len(last.text)
    spans: tuple[tuple[int, int], ...] = ((start, end),)
    found = _ID.search(last.text, marker.end() if first is last else 0)
    if found is not None:
        spans = ((start, last.start + found.start()),)
    elif first is not last and (found := _ID.search(first.text, marker.end())):
        spans = ((start, first.start + found.start()), (first.start + len(first.text), end))
    elif other := _OTHER_ID.search(last.text, marker.end() if first is last else 0):
        spans = ((start, last.start + other.start()),)
    # Below spaces that end a line: only these may follow an id, and no-break spaces may not.
    id_at = spans[-1][0] + len(body[slice(*spans[-1])].rstrip(" \t"))
    spans = tuple([(a, a + len(body[a:b].rstrip())) for a, b in spans])
    text = one_line(" ".join([body[a:b] for a, b in spans]))
    if text.startswith("\\") and _ESCAPED_CHECKBOX.match(text):
        text = text[1:]
    if not text and found is None:
        return None
    bullet = Bullet(
        text=text,
        block_id=found[1] if found else None,
        line=first_line + first.number - 1,
        checked=None if marker[2] is None else marker[2] in "xX",
        section=section,
    )
    return Placed(
        bullet=bullet,
        marker=marker[1],
        start=first.start,
        end=last.end,
        spans=spans,
        id_at=id_at,
    )
