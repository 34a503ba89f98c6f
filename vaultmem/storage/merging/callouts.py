"""The box that keeps what another device had: written, and read back exactly.

    > [!conflict] Another device had this instead. Keep what is right, then delete this box.
    > > [!quote] 2026-03-10 09:30 UTC
    > > I swim on Mondays.

Each version is quoted in full, line by line, so code and tables in it stay whole, and a list
line in it is no bullet of ours. A box that a person has changed is a person's text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from vaultmem.base.records import dataclass
from vaultmem.language.time import format_instant
from vaultmem.storage.notes.markdown import BOX, FIELD_BOX

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


def combined(
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
