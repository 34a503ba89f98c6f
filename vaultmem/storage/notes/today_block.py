"""The managed block of a daily note: what was learned today, and what is due. Pure.

The note is the person's, and so is every line of the block that they wrote or changed: what
differs from the line that was written last stays, and what they deleted stays away. None of its
lines is ever read as a memory (`without_told`): the items say it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from vaultmem.base import NamedTuple, dataclass, late
from vaultmem.model import ITEM_ID, TODAY_MARK
from vaultmem.storage.notes.summary_block import (
    find_in,
    is_more,
    render_line,
    render_more,
    replace_block,
    target_of,
)

NAME = "today"
_BEGIN = late(r"[ \t]*<!--[ \t]*vaultmem:begin[ \t]+today[ \t]*-->[ \t]*\r?")
_END = late(r"[ \t]*<!--[ \t]*vaultmem:end(?:[ \t]+today)?[ \t]*-->[ \t]*\r?")
_ITEM = late(
    rf"[ \t]*[-*+][ \t].*\[\[[^\[\]\n|#]*{ITEM_ID.pattern}(?:[|#][^\[\]\n]*)?\]\][ \t]*\r?"
)

MOST_LINES = 30
"""Of each part: a note is to be read in the morning."""


class Told(NamedTuple):
    """A line that is to be in the block."""

    heading: str  # of the part that it belongs to
    target: str  # name of the note that it is of
    statement: str

    @property
    def line(self) -> str:
        """As it is written."""
        return render_line(self.statement, self.target)


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What was written into the note of a day; to be handed in the next time."""

    lines: Mapping[str, str]  # by target, as they were written last
    deleted: frozenset[str] = frozenset()  # targets of lines that the person took out
    is_gone: bool = False  # the person took the whole block out


def update(
    data: bytes, told: Sequence[Told], last: Written, *, most: int = MOST_LINES
) -> tuple[bytes, Written]:
    """The note with these lines in its block, and what is to be known of it the next time.

    told  one for each target, in order; those of one heading together
    most  of each heading; the rest is counted in a last line
    A block is appended where there is none, if there is something to tell.
    raises  PatchRefusedError  marks that do not pair, or no UTF-8
    """
    text = find_in(data, NAME)
    if text is None and (last.lines or last.is_gone):
        return data, Written(lines={}, is_gone=True)
    if text is None and not told:
        return data, last
    rows = text.split("\n") if text else []
    there = {target: row for row in rows if (target := target_of(row)) is not None}
    deleted = (last.deleted | (last.lines.keys() - there.keys())) - there.keys()
    wanted, more = _first(told, deleted, most)
    headings = tuple(dict.fromkeys(each.heading for each in told)) + _HEADINGS
    parts = _parts(rows, frozenset(headings))
    fresh: list[str] = []
    kept: set[str] = set()
    for heading in dict.fromkeys(("", *headings)):
        lines = []
        for row in parts.get(heading, ()):
            if is_more(row):
                continue
            target = target_of(row)
            each = wanted.get(target or "")
            if target is None or row not in (last.lines.get(target), each and each.line):
                lines.append(row)  # the person's
                kept.add(target or "")
            elif each is not None and each.heading == heading and target not in kept:
                lines.append(each.line)
                kept.add(target)
        new = [each.line for each in wanted.values() if each.heading == heading]
        new = [line for line in new if target_of(line) not in kept]
        fresh += _part(heading, lines, new, more=more.get(heading, 0))
    ours = {target: each.line for target, each in wanted.items() if each.line in fresh}
    inner = "\n".join(fresh).strip("\n")
    return replace_block(data, inner, NAME), Written(lines=ours, deleted=frozenset(deleted))


_HEADINGS = ("**Learned today**", "**Due**")
LEARNED, DUE = _HEADINGS


def _first(
    told: Sequence[Told], deleted: Collection[str], most: int
) -> tuple[dict[str, Told], dict[str, int]]:
    """The first lines of each heading by target, and how many more there are by heading."""
    wanted: dict[str, Told] = {}
    counts: Counter[str] = Counter()
    for each in told:
        if each.target in deleted:
            continue
        counts[each.heading] += 1
        if counts[each.heading] <= most:
            wanted[each.target] = each
    return wanted, {heading: count - most for heading, count in counts.items()}


def _part(heading: str, lines: Sequence[str], new: Sequence[str], *, more: int) -> Iterable[str]:
    """A part of the block: its heading, what stays, what comes; nothing where nothing is."""
    body = list(lines)
    while body and not body[-1].strip():
        body.pop()
    if not (body or new):
        return ()
    rest = [render_more(more)] if more > 0 else []
    return (*([heading] if heading else []), *body, *new, *rest, "")


def _parts(rows: Sequence[str], headings: frozenset[str]) -> dict[str, list[str]]:
    """The rows below each heading; those above the first one below ''."""
    found: dict[str, list[str]] = {"": []}
    at = ""
    for row in rows:
        if row.strip() in headings:
            at = row.strip()
            found.setdefault(at, [])
        else:
            found[at].append(row)
    return found


def without_told(text: str) -> str:
    """A text with the lines of ours in such blocks emptied; the person's lines stay.

    Lines are emptied and not left out, so that the others keep their numbers. From a mark that is
    not closed on, lines of items count as ours, and nothing else.
    """
    if TODAY_MARK not in text:
        return text
    rows = text.split("\n")
    is_open = False
    for place, row in enumerate(rows):
        if _BEGIN.fullmatch(row):
            is_open = True
        elif is_open and _END.fullmatch(row):
            is_open = False
        elif not is_open or not (
            row.strip() in _HEADINGS or _ITEM.fullmatch(row) or is_more(row.rstrip("\r"))
        ):
            continue
        rows[place] = "\r" if row.endswith("\r") else ""
    return "\n".join(rows)
