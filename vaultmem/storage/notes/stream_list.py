"""The bullets of a stream file (`bullets.py` reads them), changed one or many at a time.

Headings, prose and every other byte stay; each change is read again and compared with what was
there.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from vaultmem.base import PatchRefusedError
from vaultmem.model import ITEM_ID
from vaultmem.storage.notes.bullets import (
    LEFT,
    Placed,
    Said,
    has_below,
    locate_bullets,
    one_line,
    said_by,
)
from vaultmem.storage.notes.markdown import Line, heading, lines, split

OPEN_TASKS = "Open"
"""The heading under which new bullets with a checkbox go."""

_CHECKBOX = re.compile(r"\\*\[.\](?=\s|\Z)")
_INNER_ID = re.compile(rf"(?<!\S)(?=\\*\^{ITEM_ID.pattern})")
_NOT_PROSE = ("```", "~~~", "%%", "<!--", "#", ">")


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
    head, body, eol = _split_file(data)
    before = locate_bullets(body)
    place, marker = _place(body, before, section or (OPEN_TASKS if checkbox else ""))
    box = "[ ] " if checkbox else ""
    lines = eol.join(f"{marker} {box}{_bullet_text(text)} ^{id_}" for text, id_ in pairs)
    is_after_open_line = place == len(body) and not (head + body).endswith("\n") and head + body
    lines = eol + lines if is_after_open_line else lines + eol
    said = [said_by(each.bullet) for each in before]
    index = sum(each.start < place for each in before)
    checked = False if checkbox else None
    said[index:index] = [(one_line(text), id_, checked) for text, id_ in pairs]
    return _assemble_file(head, body[:place] + lines + body[place:], said)


def set_block_ids(
    data: bytes, ids: Mapping[int, str]
) -> tuple[bytes, dict[int, PatchRefusedError]]:
    """The file with a block id on the bullets that begin on these 1-based lines of the file.

    With the lines it was refused for: where no bullet without an id of ours begins. A block id of
    the person's stays last, so that links to it go on working.
    The list is read twice, however many they are, and about twice more for each that would not
    be read as meant.
    """
    try:
        head, body, _ = _split_file(data)
    except PatchRefusedError as error:
        return data, dict.fromkeys(ids, error)
    first_line = head.count("\n") + 1
    # A file is read and verified once for all of its bullets: 1,800 of them took over four minutes
    # when each read the list three times.
    there = {
        each.bullet.line
        for each in locate_bullets(body, first_line=first_line)
        if each.bullet.block_id is None
    }
    refused = {
        line: PatchRefusedError("no bullet without a block id begins on this line", line=line)
        for line in ids
        if line not in there
    }
    # All at once: reading and writing the list anew for each bullet, 1,800 took four minutes.
    waiting = [[line for line in ids if line in there]]
    while waiting:
        some = waiting.pop()
        try:
            body = _with_ids(body, {line: ids[line] for line in some}, first_line)
        except PatchRefusedError as error:
            if len(some) == 1:
                refused[some[0]] = error
            else:  # the first half is the next to be tried
                half = len(some) // 2
                waiting += [some[half:], some[:half]]
    return (head + body).encode(), refused


def _with_ids(body: str, ids: Mapping[int, str], first_line: int) -> str:
    """The body with these ids on the bullets that begin on these lines, none of which has one."""
    said: list[Said] = []
    pieces: list[str] = []
    done = 0
    for each in locate_bullets(body, first_line=first_line):
        text, known, checked = said_by(each.bullet)
        id_ = ids.get(each.bullet.line)
        said.append((text, id_ or known, checked))
        if id_ is not None:
            pieces += [body[done : each.id_at], f" ^{id_}"]
            done = each.id_at
            if body[done : done + 1].strip(" \t\r\n"):
                pieces.append(" ")
    after = "".join([*pieces, body[done:]])
    _require_said(after, said)
    return after


def reword_bullet(data: bytes, id_: str, statement: str) -> bytes:
    """The file with another statement in the bullet with this block id.

    Marker, checkbox, spaces, block ids and line ends stay; of a bullet of several lines, the
    statement's lines become one. A bullet that says it already is not touched.
    """
    head, body, _ = _split_file(data)
    before = locate_bullets(body)
    index = _index(before, id_)
    (start, end), *rest = before[index].spans
    said = [said_by(each.bullet) for each in before]
    wanted = one_line(statement)
    if said[index][0] == wanted:
        return data
    gap = " " if start == end else ""
    after = body[:start] + _bullet_text(wanted) + gap
    for next_start, next_end in rest:
        after += body[end:next_start]
        end = next_end
    said[index] = (wanted, id_, said[index][2])
    return _assemble_file(head, after + body[end:], said)


def untick_bullet(data: bytes, id_: str) -> bytes:
    """The file with the checkbox of the bullet with this block id emptied, and nothing else."""
    head, body, _ = _split_file(data)
    before = locate_bullets(body)
    index = _index(before, id_)
    # A task that is opened again gets its box emptied in the same commit: when only its item was
    # put back the list said otherwise, and a merge of two devices built on it.
    if not before[index].bullet.checked:
        return data
    said = [said_by(each.bullet) for each in before]
    said[index] = (said[index][0], id_, False)
    box = body.index("[", before[index].start + len(before[index].lead)) + 1
    return _assemble_file(head, f"{body[:box]} {body[box + 1 :]}", said)


def remove_bullet(data: bytes, id_: str) -> bytes:
    """The file without the bullet with this block id.

    What is indented below it is the person's and stays where it is, below a bullet that says '…':
    below nothing it would become code, or go to the bullet above. A file without a final line
    end still has none.
    """
    return remove_bullets(data, [id_])


def remove_bullets(data: bytes, ids: Collection[str]) -> bytes:
    """As `remove_bullet`, for several block ids at once."""
    first: dict[str | None, int] = {}
    for index, each in enumerate(locate_bullets(_split_file(data)[1])):
        first.setdefault(each.bullet.block_id, index)
    for id_ in ids:
        if id_ not in first:
            raise _no_bullet(id_)
    return _without(data, {first[id_] for id_ in ids})


def remove_lines(data: bytes, numbers: Collection[int]) -> bytes:
    """As `remove_bullet`, for the bullets that begin on these 1-based lines of the file."""
    head, body, _ = _split_file(data)
    before = locate_bullets(body, first_line=head.count("\n") + 1)
    return _without(data, {n for n, each in enumerate(before) if each.bullet.line in numbers})


def _without(data: bytes, gone: Collection[int]) -> bytes:
    """The file without the bullets at these places of its list."""
    head, body, _ = _split_file(data)
    before = locate_bullets(body)
    said = [said_by(each.bullet) for place, each in enumerate(before) if place not in gone]
    for place in sorted(gone, reverse=True):
        start, end = before[place].start, before[place].end
        if has_below(body, before[place]):
            body = body[:start] + _left(before[place]) + body[_line_end(body, end) :]
        elif end == len(body) and not body.endswith("\n"):
            above = (head + body[:start]).removesuffix("\n").removesuffix("\r")
            head, body = above[: len(head)], above[len(head) :]
        else:
            body = body[:start] + body[end:]
    return _assemble_file(head, body, said)


def _left(gone: Placed) -> str:
    """The line that is left of a bullet with something below it."""
    return f"{gone.lead}{gone.marker or '-'} {LEFT}"


def _line_end(body: str, end: int) -> int:
    """Where the line end begins that lies before an offset."""
    return end - (2 if body[:end].endswith("\r\n") else 1)


def _assemble_file(head: str, body: str, said: list[Said]) -> bytes:
    """The file, if its bullets are read as they are meant; raises PatchRefusedError if not."""
    _require_said(body, said)
    return (head + body).encode()


def _require_said(body: str, said: list[Said]) -> None:
    """Raise PatchRefusedError if the bullets of a text are not read as they are meant."""
    found = [said_by(each.bullet) for each in locate_bullets(body)]
    # Below an unclosed code fence a new bullet would be read as code, and be lost: such an edit is
    # refused.
    if found != said:
        wrong = next((b for a, b in zip(found, said, strict=False) if a != b), said[-1:])
        raise PatchRefusedError(
            f"the list would not be read as meant (at {str(wrong)[:80]})",
            hint="close the code or comment above the list, or change it in an editor",
        )


def _split_file(data: bytes) -> tuple[str, str, str]:
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
    raise _no_bullet(id_)


def _no_bullet(id_: str) -> PatchRefusedError:
    return PatchRefusedError(f"no bullet has the block id ^{id_}")


def _place(body: str, there: tuple[Placed, ...], section: str) -> tuple[int, str]:
    """Where a new bullet goes, at the beginning of a line or at the end, and its marker."""
    # A nested list belongs to the bullet above it.
    there = tuple(each for each in there if each.is_at_margin)
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
    return (len(body) if above is None else _past_indented(body, _below(body, above))), "-"


def _past_indented(body: str, place: int) -> int:
    """The place, or the end of indented lines that begin there: they are not to be a bullet's."""
    end = 0
    for line in lines(body[place:]):
        if line.text[:1] in (" ", "\t") and line.text.strip():
            end = line.end
        elif line.text.strip() and not (line.hidden and end):
            break
    return place + end


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


def _bullet_text(statement: str) -> str:
    text = one_line(statement)
    if not text:
        raise PatchRefusedError("a bullet needs some words")
    # A statement that ends in an id of a block, or begins with a checkbox, would be read as having
    # one.
    text = _INNER_ID.sub(r"\\", text) if "^i-" in text else text
    return "\\" + text if _CHECKBOX.match(text) else text
