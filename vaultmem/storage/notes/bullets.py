"""The bullets of a stream file, read with their places, and changed one or many at a time.

A bullet is a list line at the margin, or any line that bears the block id of an item: indented,
numbered, quoted in a callout, or without its mark. Its statement is that one line without mark,
checkbox and block id. What is indented below it (lists, remarks, paragraphs, quotes, code) is
the person's.

A change leaves headings, prose and every other byte; what it makes is read again and compared with
what was there.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from vaultmem.base import PatchRefusedError, dataclass, late
from vaultmem.model import ITEM_ID, Bullet
from vaultmem.storage.notes.markdown import Line, heading, lines, split

LEFT = "…"
"""What a bullet says that is kept, without its memory, for what stands below it."""

WRAPPED_COLUMNS = 65
"""A line that this many columns would not have held with the next word was broken by an editor.

Editors break lines at 72 columns and more, people write remarks below a bullet wherever they
like: of half a sentence a wrong memory would be made, and of a remark no part of one.
"""

# Markdown indents a tab to the next fourth column, however wide an editor shows it.
_TAB = 4
_BOX = "> [!conflict]"  # what another device had: versions of lines that stand above it
_LEAD = late(r"[ \t]*(?:>[ \t]*)*")
_MARKER = late(r"([-*+]|\d{1,9}[.)])[ \t]+(?:\[(.)\](?:[ \t]+|$))?")
_ANY_MARKER = late(r"^[-*+][ \t]", re.MULTILINE)
_RULE = late(r"([-*])(?:[ \t]*\1){2,}[ \t]*")
_NOT_WORDS = late(r"[>|#]|```|~~~|%%|<!--")
_FOREIGN_ID = rf"\^(?!{ITEM_ID.pattern}(?:\s|\Z))[A-Za-z0-9-]+"
_ID = late(
    rf"(?<!\S)\^({ITEM_ID.pattern})(?:[ \t]+{_FOREIGN_ID})*[ \t]*\Z"  # ours, then a person's
)
_OTHER_ID = late(rf"(?<!\S){_FOREIGN_ID}[ \t]*\Z")
_INNER_ID = late(rf"(?<!\S)\^({ITEM_ID.pattern})")
_ESCAPED_ID = late(rf"(?<!\S)\\(?=\\*\^{ITEM_ID.pattern})")
_ESCAPED_CHECKBOX = late(r"\\(?=\\*\[.\](?:\s|\Z))")


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A bullet and where it lies in its text. Offsets are characters."""

    bullet: Bullet
    lead: str  # what stands before the mark: indentation, quote marks
    marker: str  # '-', '*', '+', '1.' and the like; '' of a line that lost its mark
    start: int  # of its first line
    end: int  # after the line end of the last line of its statement
    spans: tuple[tuple[int, int], ...]  # of the statement; block ids are in between
    id_at: int  # where a block id of ours goes, if it has none

    @property
    def is_at_margin(self) -> bool:
        """Whether it is a line of a plain list of the file, as new bullets are."""
        return not self.lead and self.marker in ("-", "*", "+")


def bullets(data: bytes) -> tuple[Bullet, ...]:
    """The bullets of a stream file in order; those without words and block id are left out."""
    parts = split(data)
    above = sum(part.count(b"\n") for part in (parts.opening, parts.block, parts.closing))
    body = parts.body.decode("utf-8", "replace")
    return tuple(each.bullet for each in locate_bullets(body, first_line=above + 1))


def locate_bullets(body: str, *, first_line: int = 1) -> tuple[Placed, ...]:
    """The bullets of a text with their places; `first_line` is the number of its first line.

    The last few texts are remembered: adopting and dropping bullets looks eleven times at a list
    that has changed twice.
    Not bullets: lines in code or in comments; thematic breaks; without a block id of an item also
    list lines that are indented, quoted or numbered.
    """
    if "^i-" not in body and _ANY_MARKER.search(body) is None:
        return ()  # a megabyte of other lines is not looked at
    return _locate_all(body, first_line)


@lru_cache(maxsize=4)
def _locate_all(body: str, first_line: int) -> tuple[Placed, ...]:
    found = (_locate_bullet(body, own, section, first_line) for own, section in _groups(body))
    return tuple(each for each in found if each is not None)


def _groups(body: str) -> Iterator[tuple[list[Line], str]]:
    """The lines of each statement that may be a bullet's, with the heading above it."""
    section = ""
    own: list[Line] = []  # lines of the bullet being read, as far as its statement goes
    waiting: list[Line] = []  # lines below that belong to it if one of them has its block id
    in_box = False
    for line in lines(body):
        in_box = line.text.startswith(">" if in_box else _BOX)
        if own and not line.hidden and _goes_on(line):
            last = (waiting or own)[-1]
            if _has_id(line.text):
                yield [*own, *waiting, line], section
                own, waiting = [], []
            elif not waiting and _is_wrapped(last.text, line.text):
                own.append(line)
            else:
                waiting.append(line)
            continue
        if own:
            yield own, section
            own, waiting = [], []
        if line.hidden or in_box:
            continue
        text = line.text
        if text[:2] == "- " and text[2:3].isalnum():  # as nearly all are: no rule, not indented
            lead, marker = "", _MARKER.match(text)
        else:
            lead = _lead(text)
            marker = _marker(text, lead)
        if marker is None:
            if "#" in text[:4] and (name := heading(text)) is not None:
                section = name
            elif "^i-" in text and _ID.search(text, len(lead)):
                yield [line], section  # its mark was taken away, not its words
        # Wherever it stands: by Tab a bullet was glued into the statement above and its memory
        # retracted, and Shift-Tab then took the person's line away.
        elif "^i-" in text and _id_of(text, marker.end()):
            yield [line], section
        elif not lead and marker[1] in ("-", "*", "+") and text[marker.end() :].strip():
            own = [line]
    if own:
        yield own, section


def _lead(text: str) -> str:
    found = _LEAD.match(text) if text[:1] in " \t>" else None
    return found[0] if found else ""


def _marker(text: str, lead: str) -> re.Match[str] | None:
    """The list mark of a line with its checkbox; None when it is no list line."""
    at = len(lead)
    if text[at : at + 1] not in "-*+0123456789":
        return None
    marker = _MARKER.match(text, at)
    return None if marker is None or _RULE.fullmatch(text, at) else marker


def _has_id(text: str) -> bool:
    return "^i-" in text and _ID.search(text) is not None


def _id_of(text: str, start: int) -> bool:
    """Whether a list line has the block id of an item: at its end, or words were added to it."""
    if _ID.search(text, start):
        return True
    other = _OTHER_ID.search(text, start)
    # Words, or a full stop, typed behind the id made a new bullet and a retracted memory.
    return _INNER_ID.search(text, start, other.start() if other else len(text)) is not None


def _goes_on(line: Line) -> bool:
    """Whether a line may be part of the paragraph above it, in a bullet at the margin."""
    text = line.text
    bare = text.lstrip(" \t")
    if not bare or len(bare) == len(text):
        return False
    return _MARKER.match(bare) is None and _NOT_WORDS.match(bare) is None


def _is_wrapped(above: str, below: str) -> bool:
    """Whether an editor broke a sentence between these lines."""
    # A line that ends a sentence is whole. Two blanks or a backslash at its end are Markdown's own
    # break, so the person meant the next line to stand apart.
    if above.rstrip().endswith((".", "!", "?", "…", ":", ";")) or above.endswith(("  ", "\\")):
        return False
    if _OTHER_ID.search(above):
        return False
    word = below.split(maxsplit=1)[0]
    return len(above.rstrip()) + 1 + len(word) > WRAPPED_COLUMNS


# A line as most are: words with single spaces, and perhaps a block id of ours.
_SIMPLE = late(rf"([-*+]) ([^\W_][^\s\\^]*(?: [^\s\\^]+)*)(?: \^({ITEM_ID.pattern}))?")

Said = tuple[str, str | None, bool | None]
"""What a bullet says: its statement, block id and checkbox."""


def said_by(bullet: Bullet) -> Said:
    """What a change elsewhere in the file must not change."""
    return bullet.text, bullet.block_id, bullet.checked


def one_line(text: str) -> str:
    """The text as a bullet says it: white space folded to single spaces."""
    return " ".join(text.split())


def has_below(body: str, place: Placed) -> bool:
    """Whether something of the person's is indented below a bullet."""
    quotes = place.lead.count(">")
    indent = _indent(place.lead, quotes)
    at = place.end
    while at < len(body):  # not `lines`, which cuts the whole rest of the file
        end = body.find("\n", at)
        end = len(body) if end < 0 else end
        text, at = body[at:end], end + 1
        if not text.strip() or (quotes and not text.strip(" \t\r>")):
            continue
        lead = _lead(text)
        return lead.count(">") >= quotes and _indent(lead, quotes) > indent
    return False


def _indent(lead: str, quotes: int) -> int:
    """Columns of blanks behind so many quote marks, before the next one."""
    inner = lead.split(">", quotes)[quotes].partition(">")[0]
    return len(inner.expandtabs(_TAB))


def _join_spans(body: str, spans: list[tuple[int, int]]) -> str:
    """The words around block ids; a full stop that was typed after one belongs to the word."""
    text = ""
    for start, end in spans:
        if text and start < end and (body[start].isspace() or body[start].isalnum()):
            text += " "
        text += body[start:end]
    return text


def _locate_bullet(body: str, own: list[Line], section: str, first_line: int) -> Placed | None:
    """The bullet on these lines; None when it says nothing and has no id of ours."""
    first, last = own[0], own[-1]
    # A list of 25,000 bullets is read dozens of times while it is adopted.
    simple = _SIMPLE.fullmatch(first.text) if first is last else None
    if simple is not None:
        start, end = first.start + 2, first.start + simple.end(2)
        return Placed(
            bullet=Bullet(
                text=simple[2],
                block_id=simple[3],
                line=first_line + first.number - 1,
                section=section,
            ),
            lead="",
            marker=simple[1],
            start=first.start,
            end=first.end,
            spans=((start, end),),
            id_at=end,
        )
    lead = _lead(first.text)
    marker = _marker(first.text, lead)
    words_at = marker.end() if marker else len(lead)
    start, end = first.start + words_at, last.start + len(last.text)
    at = first.start if first is last else last.start
    found = _ID.search(last.text, words_at if first is last else 0)
    id_ = found[1] if found else None
    if found is not None:
        end = at + found.start()
    elif other := _OTHER_ID.search(last.text, words_at if first is last else 0):
        end = at + other.start()
    inner = list(_INNER_ID.finditer(first.text, words_at, end - first.start))
    if inner and not id_:
        id_ = inner[-1][1]
    spans, piece_at = [], start
    for each in inner:
        spans.append((piece_at, first.start + each.start()))
        piece_at = first.start + each.end()
    spans.append((piece_at, end))
    # Below spaces that end a line: only these may follow an id, and no-break spaces may not.
    # A bullet that ended in one got no id, and made another note at every sync.
    id_at = spans[-1][0] + len(body[slice(*spans[-1])].rstrip(" \t"))
    spans = [(a, a + len(body[a:b].rstrip())) for a, b in spans]
    joined = tuple(dict.fromkeys(each[1] for each in inner if each[1] != id_))
    text = _ESCAPED_ID.sub("", one_line(_join_spans(body, spans)))
    if text.startswith("\\") and _ESCAPED_CHECKBOX.match(text):
        text = text[1:]
    if id_ is None and text in ("", LEFT):
        return None
    box = marker[2] if marker else None
    bullet = Bullet(
        text=text,
        block_id=id_,
        line=first_line + first.number - 1,
        checked=None if box is None else box in "xX",
        section=section,
        joined=joined,
    )
    return Placed(
        bullet=bullet,
        lead=lead,
        marker=marker[1] if marker else "",
        start=first.start,
        end=last.end,
        spans=tuple(spans),
        id_at=id_at,
    )


OPEN_TASKS = "Open"
"""The heading under which new bullets with a checkbox go."""

_CHECKBOX = late(r"\\*\[.\](?=\s|\Z)")
_ID_WITHIN = late(rf"(?<!\S)(?=\\*\^{ITEM_ID.pattern})")
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
    text = _ID_WITHIN.sub(r"\\", text) if "^i-" in text else text
    return "\\" + text if _CHECKBOX.match(text) else text
