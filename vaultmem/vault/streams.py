"""The bullets of a stream file: read with their places, and changed one at a time.

A bullet is a top-level list line with what is indented below it. Its statement is all of that
on one line, without marker, checkbox and block id. Headings, prose and every other byte stay;
each change is read again and compared with what was there.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from vaultmem.errors import PatchRefusedError
from vaultmem.frozen import dataclass
from vaultmem.model.ids import ITEM_ID
from vaultmem.model.records import Bullet
from vaultmem.vault.fences import split
from vaultmem.vault.markdown import Line, heading, lines

OPEN_TASKS = "Open"
"""The heading under which new bullets with a checkbox go."""

_MARKERS = ("-", "*", "+")
_MARKER = re.compile(r"([-*+])[ \t]+(?:\[(.)\](?:[ \t]+|$))?")
_RULE = re.compile(r"([-*])(?:[ \t]*\1){2,}[ \t]*")
_FOREIGN_ID = rf"\^(?!{ITEM_ID.pattern}(?:\s|\Z))[A-Za-z0-9-]+"
_ID = re.compile(
    rf"(?<!\S)\^({ITEM_ID.pattern})(?:[ \t]+{_FOREIGN_ID})*[ \t]*\Z"  # ours, then a person's
)
_OTHER_ID = re.compile(rf"(?<!\S){_FOREIGN_ID}[ \t]*\Z")
_CHECKBOX = re.compile(r"\\*\[.\](?=\s|\Z)")
_ESCAPED_CHECKBOX = re.compile(r"\\(?=\\*\[.\](?:\s|\Z))")
_NOT_PROSE = ("```", "~~~", "%%", "<!--", "#", ">")


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A bullet and where it lies in its text. Offsets are characters."""

    bullet: Bullet
    marker: str  # '-', '*' or '+'
    start: int  # of its first line
    end: int  # after the line end of its last line
    spans: tuple[tuple[int, int], ...]  # of the statement; two if the block id is in between


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


def add_bullet(
    data: bytes, statement: str, id_: str, *, checkbox: bool = False, section: str = ""
) -> bytes:
    """The file with a new bullet on top of a list.

    section  the heading whose list it is; '' or one that is not there: the first list of the
             file. A checkbox without a section goes under 'Open' if there is such a heading.
    Where there is no list, one begins below the heading, or at the end. The marker is that of
    the list. Raises PatchRefusedError when the file is not UTF-8 or would not be read as meant.
    """
    return add_bullets(data, [(statement, id_)], checkbox=checkbox, section=section)


def add_bullets(
    data: bytes,
    pairs: Sequence[tuple[str, str]],
    *,
    checkbox: bool = False,
    section: str = "",
) -> bytes:
    """As `add_bullet`, for (statement, block id) pairs in the order in which they shall stand."""
    if not pairs:
        return data
    head, body, eol = _opened(data)
    before = placed(body)
    place, marker = _place(body, before, section or (OPEN_TASKS if checkbox else ""))
    box = "[ ] " if checkbox else ""
    lines = eol.join(f"{marker} {box}{_written(text)} ^{id_}" for text, id_ in pairs)
    is_after_open_line = place == len(body) and not (head + body).endswith("\n") and head + body
    lines = eol + lines if is_after_open_line else lines + eol
    said = [_said(each.bullet) for each in before]
    index = sum(each.start < place for each in before)
    checked = False if checkbox else None
    said[index:index] = [(_one_line(text), id_, checked) for text, id_ in pairs]
    return _checked(head, body[:place] + lines + body[place:], said)


def set_block_id(data: bytes, line: int, id_: str) -> bytes:
    """The file with a block id on the bullet that begins on this 1-based line of the file.

    A block id of the person's stays last, so that links to it go on working.
    Raises PatchRefusedError when no bullet without an id of ours begins there.
    """
    head, body, _ = _opened(data)
    before = placed(body, first_line=head.count("\n") + 1)
    said = [_said(each.bullet) for each in before]
    for index, each in enumerate(before):
        if each.bullet.line == line and each.bullet.block_id is None:
            end = each.spans[-1][1]
            said[index] = (said[index][0], id_, said[index][2])
            return _checked(head, f"{body[:end]} ^{id_}{body[end:]}", said)
    raise PatchRefusedError("no bullet without a block id begins on this line", line=line)


def reword_bullet(data: bytes, id_: str, statement: str) -> bytes:
    """The file with another statement in the bullet with this block id.

    Marker, checkbox, spaces, block ids and line ends stay; of a bullet of several lines, the
    statement's lines become one. A bullet that says it already is not touched.
    """
    head, body, _ = _opened(data)
    before = placed(body)
    index = _index(before, id_)
    (start, end), *rest = before[index].spans
    said = [_said(each.bullet) for each in before]
    wanted = _one_line(statement)
    if said[index][0] == wanted:
        return data
    gap = " " if start == end else ""
    after = body[:start] + _written(wanted) + gap
    for next_start, next_end in rest:
        after += body[end:next_start]
        end = next_end
    said[index] = (wanted, id_, said[index][2])
    return _checked(head, after + body[end:], said)


def untick_bullet(data: bytes, id_: str) -> bytes:
    """The file with the checkbox of the bullet with this block id emptied, and nothing else."""
    head, body, _ = _opened(data)
    before = placed(body)
    index = _index(before, id_)
    if not before[index].bullet.checked:
        return data
    said = [_said(each.bullet) for each in before]
    said[index] = (said[index][0], id_, False)
    box = body.index("[", before[index].start) + 1
    return _checked(head, f"{body[:box]} {body[box + 1 :]}", said)


def remove_bullet(data: bytes, id_: str) -> bytes:
    """The file without the bullet with this block id and the lines indented below it.

    A file without a final line end still has none.
    """
    return remove_bullets(data, [id_])


def remove_bullets(data: bytes, ids: Collection[str]) -> bytes:
    """As `remove_bullet`, for several block ids at once."""
    head, body, _ = _opened(data)
    before = placed(body)
    gone = {_index(before, id_) for id_ in ids}
    said = [_said(each.bullet) for place, each in enumerate(before) if place not in gone]
    for place in sorted(gone, reverse=True):
        start, end = before[place].start, before[place].end
        if end == len(body) and not body.endswith("\n"):
            above = (head + body[:start]).removesuffix("\n").removesuffix("\r")
            head, body = above[: len(head)], above[len(head) :]
        else:
            body = body[:start] + body[end:]
    return _checked(head, body, said)


_Said = tuple[str, str | None, bool | None]


def _said(bullet: Bullet) -> _Said:
    return bullet.text, bullet.block_id, bullet.checked


def _checked(head: str, body: str, said: list[_Said]) -> bytes:
    """The file, if its bullets are read as they are meant; raises PatchRefusedError if not."""
    found = [_said(each.bullet) for each in placed(body)]
    if found != said:
        wrong = next((b for a, b in zip(found, said, strict=False) if a != b), said[-1:])
        raise PatchRefusedError(
            f"the list would not be read as meant (at {str(wrong)[:80]})",
            hint="close the code or comment above the list, or change it in an editor",
        )
    return (head + body).encode()


def _opened(data: bytes) -> tuple[str, str, str]:
    """Front matter with fences, body and line end of a file; raises if it is not UTF-8."""
    parts = split(data)
    try:
        body = parts.body.decode()
        head = data[: len(data) - len(parts.body)].decode()
    except UnicodeDecodeError as error:
        raise PatchRefusedError(
            "the file is not UTF-8", hint="save it as UTF-8 in your editor"
        ) from error
    return head, body, parts.eol.decode()


def _index(before: tuple[Placed, ...], id_: str) -> int:
    for index, each in enumerate(before):
        if each.bullet.block_id == id_:
            return index
    raise PatchRefusedError(f"no bullet has the block id ^{id_}")


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
    spans = tuple([(a, a + len(body[a:b].rstrip())) for a, b in spans])
    text = _one_line(" ".join([body[a:b] for a, b in spans]))
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
    return Placed(bullet=bullet, marker=marker[1], start=first.start, end=last.end, spans=spans)


def _place(body: str, there: tuple[Placed, ...], section: str) -> tuple[int, str]:
    """Where a new bullet goes, at the beginning of a line or at the end, and its marker."""
    named: Line | None = None
    first_heading: Line | None = None
    end = len(body)
    for line in lines(body):
        if line.hidden or heading(line.text) is None:
            continue
        first_heading = first_heading or line
        if named is not None:
            end = line.start
            break
        if section and (heading(line.text) or "").casefold() == section.casefold():
            named = line
    if named is not None:
        there = tuple(each for each in there if named.start < each.start < end)
    if there:
        return there[0].start, there[0].marker
    above = named or first_heading
    return (len(body) if above is None else _below(body, above)), "-"


def _below(body: str, above: Line) -> int:
    """Where a list may begin below a heading, so that prose there does not become part of it."""
    rows: list[Line] = []
    is_last = True
    for line in lines(body[above.end :]):
        if heading(line.text) is not None and not line.hidden:
            is_last = False
            break
        rows.append(line)
    filled = [place for place, row in enumerate(rows) if row.text.strip()]
    if not filled:  # one blank line stays above the list, if one is left below it
        keeps_blank = bool(rows) and (is_last or len(rows) > 1)
        return above.end + (rows[0].end if keeps_blank else 0)
    if filled[0] > 0 or rows[0].text.lstrip().startswith(_NOT_PROSE):
        return above.end
    return above.end + rows[filled[-1]].end


def _written(statement: str) -> str:
    text = _one_line(statement)
    if not text:
        raise PatchRefusedError("a bullet needs some words")
    return "\\" + text if _CHECKBOX.match(text) else text


def _one_line(text: str) -> str:
    return " ".join(text.split())
