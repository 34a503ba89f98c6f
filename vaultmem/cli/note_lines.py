"""A note as one line, and the pieces of such lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vaultmem.base import TYPE_CHECKING
from vaultmem.language import format_instant, format_minute, known_day

if TYPE_CHECKING:
    from vaultmem.model import NoteRow, Rival

SHORT_COMMIT = 8  # of the 40 or 64 digits of its id
_USUAL = ("", "active", "user")


def list_lines(notes: Sequence[NoteRow], zone: str) -> Iterator[str]:
    """One line a note: id or path, date, kind, first words; its state and trust if not usual."""
    width = max((len(name(note)) for note in notes), default=0)
    for note in notes:
        marks = [word for word in (note.status, note.trust) if word not in _USUAL]
        if note.due is not None:
            marks.append(f"due {format_minute(note.due, zone)}")
        mark = f" ({', '.join(marks)})" if marks else ""
        yield (
            f"{name(note):<{min(width, 48)}}  {known_day(note.date, zone):<10}  "
            f"{note.kind or note.type:<10}  {one_line(headline(note), 90)}{mark}"
        )


def one_line(text: str, longest: int = 0) -> str:
    """The text with its line ends as spaces, cut with an ellipsis when longer than `longest`."""
    flat = " ".join(text.split())
    return flat if not longest or len(flat) <= longest else f"{flat[: longest - 1].rstrip()}…"


def name(note: NoteRow | Rival) -> str:
    """Its id; the path of a note without one."""
    return note.id or str(note.path)


def headline(note: NoteRow) -> str:
    """What an item says; the title of any other note."""
    return note.statement if note.type == "item" and note.statement else note.title


def moment(ms: int | None, zone: str) -> str:
    """Date and minute in the vault's zone; '' for None."""
    if ms is None:
        return ""
    text = format_instant(ms, zone)
    return text[:16].replace("T", " ") if "T" in text else f"{text} 00:00"
