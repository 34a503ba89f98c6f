"""Lines as a terminal shows them: in colours, wrapped at its width, with links to files.

Our own escape codes, since importing rich takes 40 ms, half as long as a cold `recall`. They are
put around text that is harmless already: no escape character of a note comes so far. A colour says
nothing that no word says, so a line without its codes is the line that a file gets.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from vaultmem.base import TYPE_CHECKING, NamedTuple
from vaultmem.cli.note_lines import Line, Piece
from vaultmem.language import wrap_spans

if TYPE_CHECKING:
    from pathlib import PurePath

    from vaultmem.cli.note_lines import Look

# Of 256 colours, these have a contrast of at least 4.4 to white and to black (WCAG 2.2; 4.5 cannot
# be had on both but for a few, tests/cli/test_palette.py): themes are light or dark, and nobody can
# ask which. With 8 colours themes choose what is readable; yellow on white is not, so it is unused.
COLOURS: Mapping[Look, int] = {
    "label": 30,
    "kind": 30,
    "good": 29,
    "warning": 130,
    "bad": 131,
    "quiet": 243,
    "file": 63,
}
_OF_EIGHT: Mapping[Look, str] = {"good": "32", "warning": "35", "bad": "31", "kind": "36"}
_BOLD = frozenset(("title", "label", "bad"))
_RESET = "\x1b[0m"
_LEAST_WIDTH = 12  # columns; on less, the terminal breaks the lines
_OLD_VTE = 5000  # its links were unsafe before 0.50
# Terminals that print the codes of a link, or break at them; the others ignore what they lack.
_WITHOUT_LINKS = ("dumb", "linux", "vt100", "vt102", "vt220", "ansi", "cons25", "eterm")
_PLAIN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")


class Screen(NamedTuple):
    """What the terminal can do."""

    width: int  # columns; 0: lines are not wrapped
    has_256: bool
    has_links: bool


def screen_of(*, is_watched: bool) -> Screen:
    """What the environment says of it; is_watched: it is a terminal, and no pipe."""
    given = os.environ
    term = given.get("TERM", "")
    width = shutil.get_terminal_size().columns if is_watched or given.get("COLUMNS") else 0
    return Screen(
        width=width if width >= _LEAST_WIDTH else 0,
        has_256="256" in term
        or "COLORTERM" in given
        or "WT_SESSION" in given
        or not is_watched
        # Their names have no number in it.
        or any(name in term for name in ("kitty", "alacritty", "foot", "ghostty", "wezterm")),
        has_links=is_watched and _has_links(given, term),
    )


def _has_links(given: Mapping[str, str], term: str) -> bool:
    wanted = given.get("FORCE_HYPERLINK", "")
    if wanted:
        return wanted != "0"
    vte = given.get("VTE_VERSION", "")
    is_old = vte.isascii() and vte.isdigit() and int(vte[:9]) < _OLD_VTE
    return not (term.startswith(_WITHOUT_LINKS) or is_old)


def paint(
    lines: Sequence[str],
    *,
    clean: Callable[[str], str],
    root: Path | None,
    on: Screen,
) -> str:
    """The lines as a terminal gets them.

    clean  makes a text harmless; of a line that is another text in pieces than as a whole, the
           whole is printed, without colours
    root   of the vault, for the links
    """
    whole = clean("".join(f"{line}\n" for line in lines))
    rows = whole.split("\n")[:-1]
    counts = [line.count("\n") + 1 for line in lines]
    if sum(counts) != len(rows):
        return whole
    shown: list[str] = []
    at = 0
    for number, (line, count) in enumerate(zip(lines, counts, strict=True)):
        if isinstance(line, Line) and count == 1:
            shown += _rows(line, rows[at], clean=clean, root=root, on=on, number=number)
        else:
            shown += rows[at : at + count]
        at += count
    return "".join(f"{row}\n" for row in shown)


def _rows(
    line: Line,
    whole: str,
    *,
    clean: Callable[[str], str],
    root: Path | None,
    on: Screen,
    number: int,
) -> Iterator[str]:
    """One line, as rows of the screen."""
    pieces = [(clean(piece), piece) for piece in line.pieces]
    if "".join(text for text, _ in pieces) != whole:
        pieces = [(whole, "")]
    hang = min(line.hang, on.width // 3)
    spans = wrap_spans(whole, on.width, hang=hang) if on.width else [(0, len(whole))]
    for place, (start, end) in enumerate(spans):
        row = [" " * hang if place else ""]
        at = 0
        for text, piece in pieces:
            part = text[max(start - at, 0) : max(end - at, 0)]
            at += len(text)
            if part:
                row.append(_paint_piece(part, piece, root=root, on=on, number=number))
        yield "".join(row)


def _paint_piece(part: str, piece: str, *, root: Path | None, on: Screen, number: int) -> str:
    if not isinstance(piece, Piece):
        return part
    codes = ["1"] if piece.look in _BOLD else []
    if on.has_256 and piece.look in COLOURS:
        codes.append(f"38;5;{COLOURS[piece.look]}")
    elif not on.has_256 and piece.look in _OF_EIGHT:
        codes.append(_OF_EIGHT[piece.look])
    # Blanks that fill a column have no colour, and no part in a link.
    inner = part.strip(" ")
    if not inner:
        return part
    before, after = part[: len(part) - len(part.lstrip(" "))], part[len(part.rstrip(" ")) :]
    shown = f"\x1b[{';'.join(codes)}m{inner}{_RESET}" if codes else inner
    address = _address(piece.file, root) if on.has_links else ""
    if address:  # the rows of one link have one id: the terminal marks them together
        shown = f"\x1b]8;id={number};{address}\x1b\\{shown}\x1b]8;;\x1b\\"
    return f"{before}{shown}{after}"


def _address(file: PurePath | None, root: Path | None) -> str:
    """Where a file is, as a terminal opens it; '' for none, or one that is not in the vault."""
    if file is None or ".." in file.parts or (root is None and not file.is_absolute()):
        return ""
    place = (root or Path()) / file
    if not os.path.lexists(place):  # what a note of another time was, may be gone
        return ""
    path = os.fsencode(place.as_posix())
    host = "" if sys.platform == "win32" else os.uname().nodename
    quoted = "".join(chr(byte) if byte in _PLAIN else f"%{byte:02X}" for byte in path)
    return f"file://{host}{quoted if quoted.startswith('/') else f'/{quoted}'}"
