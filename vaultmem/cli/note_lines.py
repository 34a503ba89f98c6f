"""A note as one line, and the pieces of such lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vaultmem.base import TYPE_CHECKING
from vaultmem.language import format_instant, format_minute, known_day

if TYPE_CHECKING:
    from pathlib import PurePath
    from typing import Literal

    from vaultmem.model import NoteRow, Rival

    # What a piece of a line is; `palette.py` has a colour for each.
    Look = Literal["", "title", "label", "kind", "good", "warning", "bad", "quiet", "file"]

SHORT_COMMIT = 8  # of the 40 or 64 digits of its id
_USUAL = ("", "active", "user")


class Piece(str):
    """A part of a line: its text, what it is, and the file that it leads to."""

    __slots__ = ("file", "look")
    look: Look
    file: PurePath | None  # within the vault, or absolute; None: it leads nowhere


class Line(str):
    """A line of text that knows its pieces: a terminal gets them wrapped, in colours, as links.

    Everywhere else it is its text and nothing more.
    """

    __slots__ = ("hang", "pieces")
    pieces: tuple[str, ...]
    hang: int  # columns that a row of it is indented by, from the second one on


def piece_of(text: str, look: Look = "", file: PurePath | None = None) -> Piece:
    """A part of a line."""
    made = Piece(text)
    made.look, made.file = look, file
    return made


def line_of(*pieces: str, hang: int = 2) -> Line:
    """The pieces as one line."""
    made = Line("".join(pieces))
    made.pieces, made.hang = pieces, hang
    return made


def list_lines(notes: Sequence[NoteRow], zone: str) -> Iterator[str]:
    """One line a note: id or path, date, kind, first words; its state and trust if not usual."""
    width = max((len(name(note)) for note in notes), default=0)
    for note in notes:
        marks = [word for word in (note.status, note.trust) if word not in _USUAL]
        if note.due is not None:
            marks.append(f"due {format_minute(note.due, zone)}")
        mark = f" ({', '.join(marks)})" if marks else ""
        yield line_of(
            piece_of(name(note), "file", note.path),
            f"{'':<{max(min(width, 48) - len(name(note)), 0)}}  ",
            piece_of(f"{known_day(note.date, zone):<10}  ", "quiet"),
            piece_of(f"{note.kind or note.type:<10}  ", "kind"),
            one_line(headline(note), 90),
            piece_of(mark, "warning"),
            hang=4,
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
