"""A text cut into the pieces that merge as one, and the box that keeps another device's version.

The pieces of a text add up to it again, byte for byte. Lines end in LF only.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from vaultmem.base import PatchRefusedError, dataclass, replace
from vaultmem.language import format_instant
from vaultmem.model import ITEM_ID
from vaultmem.storage.notes import (
    BOX,
    FIELD_BOX,
    Line,
    heading,
    lines,
    read_lines,
    read_summary,
    read_told,
    replace_told,
    summary_block,
)

# --- the box that keeps what another device had ---

#     > [!conflict] Another device had this instead. Keep what is right, then delete this box.
#     > > [!quote] 2026-03-10 09:30 UTC
#     > > I swim on Mondays.
#
# Each version is quoted in full, line by line, so code and tables in it stay whole, and a list
# line in it is no bullet of ours. A box that a person has changed is a person's text.
TEXT, FIELD = BOX, FIELD_BOX
_QUOTE = "> > [!quote] "
_LAST = 253_402_300_799_999  # the last millisecond of the year 9999


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """A text that lost its place to a later one."""

    text: str  # lines end in LF, the last one has no end
    when: str  # '2026-03-10 09:30 UTC'


def version(text: str, at: int) -> Version:
    """A version of a text from a commit at this UTC ms."""
    return Version(text=text, when=_words(at))


def render(title: str, versions: Iterable[Version]) -> str:
    """The box, newest version first; without a line end after its last line."""
    boxes = []
    for each in sorted(versions, key=lambda v: (v.when, v.text), reverse=True):
        lines = [f"> > {line}" if line else "> >" for line in each.text.split("\n")]
        boxes.append("\n".join([_QUOTE + each.when, *lines]))
    return "\n".join([title, "\n>\n".join(boxes)])


def parse(lines: Sequence[str]) -> tuple[str, tuple[Version, ...]] | None:
    """Title and versions of a box; None when these lines are not a box exactly as we write it."""
    if not lines or lines[0] not in (TEXT, FIELD):
        return None
    found: list[Version] = []
    when: str | None = None
    rows: list[str] = []
    for line in [*lines[1:], ">"]:
        if line == ">":
            if when is None or not rows:
                return None
            found.append(Version(text="\n".join(rows), when=when))
            when, rows = None, []
        elif when is None:
            if not line.startswith(_QUOTE):
                return None
            when = line[len(_QUOTE) :]
        elif line == "> >" or line.startswith("> > "):
            rows.append(line[4:])
        else:
            return None
    if render(lines[0], found) != "\n".join(lines):
        return None
    return lines[0], tuple(found)


def combine_versions(
    before: Sequence[Version], one: Sequence[Version], other: Sequence[Version]
) -> tuple[Version, ...]:
    """Versions of both sides, without those that either side has removed; sorted by text."""
    known = {each.text for each in before}
    kept = {each.text for each in one} & {each.text for each in other}
    found: dict[str, Version] = {}
    for each in sorted((*one, *other), key=lambda v: (v.text, v.when)):
        if each.text in kept or each.text not in known:
            found.setdefault(each.text, each)
    return tuple(found.values())


def _words(at: int) -> str:
    text = format_instant(min(max(at, 0), _LAST) // 60_000 * 60_000, "UTC")
    day, _, clock = text.partition("T")
    return f"{day} {clock[:5] or '00:00'} UTC"


START, BULLET, HEADING, PROSE = "start", "bullet", "heading", "prose"
CODE, MANAGED, FIELDS = "code", "managed", "fields"

_BULLET = re.compile(r"(?:[-*+]|\d{1,9}[.)])[ \t]")
# A line of an item, wherever it stands: it has a name of its own, and merges for itself.
_ITEM_LINE = re.compile(
    r"[ \t]*(?:>[ \t]*)*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?![ \t>|]|\[!).*"
    rf"(?<!\S)\^{ITEM_ID.pattern}[ \t]*"
)
_BLOCK_ID = re.compile(r"(?<!\S)\^([A-Za-z0-9-]+)[ \t]*\Z")
_LINK_AT_END = re.compile(r"\[\[([^\[\]\n]+)\]\][ \t]*\Z")
_BOX = "> [!conflict]"
_MORE = re.compile(r"[-*+][ \t]+(?:…|\.\.\.) and \d{1,9} more[ \t]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """What changes as one. `core + gap` (or core, tail, box, gap) is its text."""

    kind: str
    core: str  # without its last line end
    gap: str  # that line end, and the blank lines below
    name: str = ""  # identity that outlives an edit: a block id, a key; '' when it has none
    tail: str = ""  # between core and box
    others: tuple[Version, ...] = ()  # versions in the box below

    @property
    def token(self) -> str:
        """Equal for pieces that are the same one."""
        return f"\0{self.name}" if self.name else self.core


# A merge is tried again with each side to see that it is stable: the same three or four texts are
# cut up to ten times. Longer texts are not worth the memory.
_KEPT_TEXTS, _KEPT_CHARACTERS = 8, 50_000


def cut(text: str) -> tuple[Piece, ...] | None:
    """The pieces of a text, the first one of blank lines; None: code or comment never ends."""
    return (_cut_once if len(text) <= _KEPT_CHARACTERS else _cut)(text)


def _cut(text: str) -> tuple[Piece, ...] | None:
    block = None
    if "vaultmem:" in text:
        try:
            block = summary_block.find(text)
        except PatchRefusedError:
            block = None
    groups = _groups(text, block)
    return None if groups is None else tuple(_name_pieces(_attach_boxes(groups)))


_cut_once = lru_cache(maxsize=_KEPT_TEXTS)(_cut)


def cut_block(text: str) -> tuple[Piece, ...] | None:
    """The pieces between the marks of a managed block; bullets go by their link."""
    groups = _groups(text, None)
    if groups is None:
        return None
    found: list[Piece] = []
    for piece in _attach_boxes(groups):
        name = ""
        if piece.kind == BULLET:
            link = _LINK_AT_END.search(piece.core)
            if link is not None:
                name = "[[" + link[1].partition("|")[0]
            elif _MORE.fullmatch(piece.core):
                name = "more"
        found.append(_with_name(piece, name))
    return tuple(found)


def text_of(piece: Piece) -> str:
    """The text of a piece."""
    if not piece.others:
        return piece.core + piece.gap
    title = FIELD if piece.kind == FIELDS else TEXT
    return piece.core + piece.tail + render(title, piece.others) + piece.gap


def join_pieces(pieces: Iterable[Piece]) -> str:
    """The text of pieces; where two would become one paragraph, a blank line keeps them apart."""
    out: list[str] = []
    above: Piece | None = None
    for piece in pieces:
        text = text_of(piece)
        if not text:
            continue
        if above is not None and out and (piece.core or piece.others):
            if not out[-1].endswith("\n"):
                out.append("\n")
            if not _ends_blank(out) and _would_fuse(above, piece):
                out.append("\n")
        out.append(text)
        above = piece
    return "".join(out)


def _ends_blank(out: Sequence[str]) -> bool:
    end = (out[-2] if len(out) > 1 else "") + out[-1]
    return end.endswith("\n\n") or end == "\n"


def _would_fuse(above: Piece, below: Piece) -> bool:
    if above.kind == START and not above.others:
        return False
    if above.kind == below.kind == CODE:
        return not above.others
    if below.kind in (PROSE, FIELDS):
        return above.kind in (PROSE, BULLET, FIELDS) or bool(above.others)
    return False


def _groups(text: str, block: summary_block.Block | None) -> list[Piece] | None:
    """Pieces without names; a managed block and each hidden region is one."""
    found: list[Piece] = []
    kind = START
    rows: list[Line] = []
    blank = False  # whether the last line was

    def close() -> None:
        if rows or kind == START:
            found.append(_piece(text, kind, rows))

    was_hidden = in_box = False
    for line in lines(text):
        in_box = line.text.startswith(">" if in_box else _BOX)
        in_block = block is not None and block.start <= line.start < block.end
        is_first = block is not None and line.start == block.start
        empty = not line.text.strip(" \t")
        new = ""
        if in_block:
            new = MANAGED if is_first else ""
        elif kind == MANAGED and not empty:
            new = _kind_of(line)
        elif line.hidden:
            if not was_hidden and not (kind == BULLET and line.text[:1] in " \t"):
                new = CODE
        elif "^i-" in line.text and not in_box and _ITEM_LINE.fullmatch(line.text):
            new = BULLET
        elif empty or (kind == BULLET and line.text[:1] in " \t"):
            new = ""
        elif (
            kind in (START, HEADING)
            or blank
            or _BULLET.match(line.text)
            or heading(line.text) is not None
            or line.text in (TEXT, FIELD)
            or (kind == CODE and not line.hidden)
        ):
            new = _kind_of(line)
        if new:
            close()
            kind, rows = new, []
        rows.append(line)
        was_hidden = line.hidden
        blank = empty and not line.hidden and not in_block
    close()
    if rows and rows[-1].hidden and _is_open(rows):
        return None
    return found


def _is_open(rows: Sequence[Line]) -> bool:
    """Whether a hidden region at the end of a text goes on: one more line would be hidden."""
    probe = "\n".join([*(row.text for row in rows), "x"])
    *_, last = lines(probe)
    return last.hidden


def _kind_of(line: Line) -> str:
    if line.hidden:
        return CODE
    if _BULLET.match(line.text):
        return BULLET
    return HEADING if heading(line.text) is not None else PROSE


def _piece(text: str, kind: str, rows: Sequence[Line]) -> Piece:
    """Rows as a piece; blank lines at its end are its gap."""
    if not rows:
        return Piece(kind=kind, core="", gap="")
    last = len(rows)
    while last and not rows[last - 1].text.strip(" \t") and not rows[last - 1].hidden:
        last -= 1
    start, end = rows[0].start, rows[-1].end
    if not last:
        return Piece(kind=kind, core="", gap=text[start:end])
    row = rows[last - 1]
    inner = row.end - 1 if text[row.end - 1 : row.end] == "\n" else row.end
    return Piece(kind=kind, core=text[start:inner], gap=text[inner:end])


def _attach_boxes(found: Sequence[Piece]) -> list[Piece]:
    """Boxes of ours joined to the piece above them."""
    result: list[Piece] = []
    for piece in found:
        box = parse(piece.core.split("\n")) if piece.kind == PROSE else None
        if box is None:
            result.append(piece)
            continue
        title, versions = box
        above = result[-1] if result else None
        if title == FIELD:
            result.append(Piece(kind=FIELDS, core="", gap=piece.gap, name=FIELDS, others=versions))
        elif above is not None and not above.others and above.kind != START:
            result[-1] = replace(above, tail=above.gap, others=versions, gap=piece.gap)
        else:
            result.append(piece)
    return result


def _name_pieces(found: Sequence[Piece]) -> Iterator[Piece]:
    for piece in found:
        if piece.kind in (START, MANAGED, FIELDS):
            yield _with_name(piece, piece.kind)
        elif piece.kind in (BULLET, PROSE):
            first, _, rest = piece.core.partition("\n")
            last = rest.rpartition("\n")[2] or first
            own = _BLOCK_ID.search(last) or _BLOCK_ID.search(first)
            yield _with_name(piece, "^" + own[1]) if own else piece
        else:
            yield piece


def with_unique_names(*versions: Sequence[Piece]) -> list[Sequence[Piece]]:
    """The versions without the names that occur twice in any of them: those name nothing."""
    repeated: set[str] = set()
    for version in versions:
        counts = Counter(piece.name for piece in version if piece.name)
        repeated |= {name for name, count in counts.items() if count > 1}
    if not repeated:
        return list(versions)
    return [
        [_with_name(piece, "") if piece.name in repeated else piece for piece in version]
        for version in versions
    ]


def _with_name(piece: Piece, name: str) -> Piece:
    return piece if piece.name == name else replace(piece, name=name)


Told = tuple[tuple[str, tuple[str, ...]], ...]


def without(data: bytes | None) -> bytes | None:
    """A category without its sentences; as it is where it has none, or marks that do not pair."""
    return replace_told(data, ()) if data is not None and read_told(data) else data


def put_back(content: bytes, base: bytes | None, late: bytes, early: bytes) -> bytes:
    """The merged category with the sentences of the side that changed them; of the later one,
    when both did.

    Left out are those of which an item is listed no more, or in other words.
    """
    before, one, other = (read_told(data or b"") for data in (base, late, early))
    source = early if one == before else late
    told = other if one == before else one
    try:
        then = dict(_linked_statements(source))
        now = dict(_linked_statements(content))
        standing = [
            (text, targets)
            for text, targets in told
            # A sentence goes with any item that ended or was reworded on the other side, as it
            # would say what no line below says.
            if all(target in now and now[target] == then.get(target) for target in targets)
        ]
        return replace_told(content, standing) if standing else content
    except PatchRefusedError:
        return content


def _linked_statements(data: bytes) -> list[tuple[str, str]]:
    """(link target, statement) of the lines of a category."""
    return [(target, statement) for statement, target in read_lines(read_summary(data))]


# --- what a merge comes to ---

CONFLICT_TEXT = "conflict-text"
CONFLICT_FIELD = "conflict-field"
CONFLICT_DELETED = "conflict-deleted"
CONFLICT_COPY = "conflict-copy"
BY_RULE = "merged-by-rule"


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Something a person should look at. Codes that begin with 'conflict' ask a question."""

    code: str
    message: str

    @property
    def is_question(self) -> bool:
        """Whether a person has to decide; a rule has decided the others."""
        return self.code.startswith("conflict")


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """A version that could not be merged, to be kept beside the note."""

    suffix: str  # goes before the ending of the file's name; the same bytes have the same one
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """The result of a merge."""

    content: bytes | None  # None: the note does not exist
    notices: tuple[Notice, ...] = ()
    copies: tuple[Copy, ...] = ()
