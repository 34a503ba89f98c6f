"""context: asked for and printed, also as a picture of the flow of tokens into it.

Without options nobody waits for click (`cli/quick.py`). `context/flow.py` draws the picture; a PNG
is made of it by resvg (the extra `plot`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from vaultmem import context, language
from vaultmem.base import (
    TYPE_CHECKING,
    BadInputError,
    NamedTuple,
    SettingsError,
    VaultmemError,
    disk_error,
)
from vaultmem.cli.open_vault import open_memory
from vaultmem.cli.output import say_json, say_page, tell
from vaultmem.cli.recall import progress_of, project_of, tell_lag

if TYPE_CHECKING:
    from vaultmem.model import Format, Pack, Portion


def print_context(
    words: Sequence[str],
    *,
    vault: str | None = None,
    budget: int | None = None,
    window: int | None = None,
    form: Format = "markdown",
    counter: str | None = None,
    session: str | None = None,
    explain: bool = False,
    plot: Path | None = None,
    as_of: str | None = None,
    known_at: str | None = None,
    no_sync: bool = False,
    project: str | None = None,
    as_json: bool = False,
) -> int:
    """Print what an assistant is given; everything as the options of `vaultmem context`."""
    with open_memory(vault, sync=not no_sync) as memory:
        with progress_of(as_of, known_at) as progress:
            pack = memory.context(
                " ".join(words),
                budget=budget,
                window=window,
                format=form,
                counter=counter,
                session=session,
                project=project_of(memory, project),
                as_of=as_of,
                known_at=known_at,
                progress=progress,
            )
        zone = memory.settings.timezone
    if not pack.is_level:
        tell_lag(pack.synced_at, zone)
    if plot is not None:
        draw(pack, plot)
    if as_json:
        say_json(pack, zone)
        return 0
    say_page(pack.text)
    if explain:
        import shutil
        import sys

        width = shutil.get_terminal_size().columns
        for line in context_lines(pack, width=width, shades=shades_for(sys.stderr.encoding)):
            tell(line)
    return 0


# Who was granted how many tokens of a context, as a table with bars.

_LEAST_BAR = 10
_MOST_BAR = 48
_HEAD = ("", "content", "granted", "used", "lines", "left")


class Shades(NamedTuple):
    """The characters of a bar: in the text, granted and not used, not granted."""

    used: str
    free: str
    over: str


BLOCKS = Shades("█", "░", "·")
ASCII = Shades("#", "-", ".")


def shades_for(encoding: str) -> Shades:
    """Blocks where the encoding has them, else ASCII."""
    try:
        "".join(BLOCKS).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return BLOCKS


def context_lines(pack: Pack, *, width: int, shades: Shades) -> Iterator[str]:
    """The budget, then one line a tier or stream, with a bar in one scale.

    width  columns of the terminal
    """
    share = 100 * pack.tokens // pack.budget
    memories = "memory" if len(pack.lines) == 1 else "memories"
    yield (
        f"{pack.tokens} of {pack.budget} tokens ({share} %) by '{pack.counter}', "
        f"{len(pack.lines)} {memories}"
    )
    shown = [each for each in pack.portions if each.content or each.used]
    if not shown:
        return
    told = [_cells(each, pack.budget) for each in shown]
    widths = [max(language.columns(row[i]) for row in (_HEAD, *told)) for i in range(len(_HEAD))]
    room = min(_MOST_BAR, width - sum(widths) - 2 * len(widths) - 1)
    scale = max(max(each.content, each.used) for each in shown) or 1
    yield _row(_HEAD, widths).rstrip()
    for each, cells in zip(shown, told, strict=True):
        bar = _bar_drawing_context(each, min(each.granted, pack.budget), scale, room, shades)
        yield f"{_row(cells, widths)}  {bar}".rstrip()
    frame = pack.tokens - sum(each.used for each in pack.portions)
    yield f"the rest, {frame} tokens, is headings, dates of sources, and how to use it"


def _cells(each: Portion, budget: int) -> tuple[str, ...]:
    granted = "what is left" if each.granted >= budget else str(each.granted)
    left = str(each.left_out) if each.left_out else ""
    name = context.PORTION_NAMES.get(each.name, each.name)
    return name, str(each.content), granted, str(each.used), str(each.lines), left


def _row(cells: tuple[str, ...], widths: list[int]) -> str:
    first, *rest = cells
    told = [f"{cell:>{width}}" for cell, width in zip(rest, widths[1:], strict=True)]
    return "  ".join((language.pad_columns(first, widths[0]), *told))


def _bar_drawing_context(each: Portion, granted: int, scale: int, room: int, shades: Shades) -> str:
    """Used, then granted and free, then content that was not granted; '' where it has no room."""
    if room < _LEAST_BAR:
        return ""
    ends = [each.used, min(max(granted, each.used), max(each.content, each.used)), each.content]
    places = [round(min(end, scale) * room / scale) for end in ends]
    used = max(places[0], 1 if each.used else 0)
    free = max(places[1] - used, 0)
    over = max(places[2] - used - free, 0)
    return shades.used * used + shades.free * free + shades.over * over


class MissingPlotterError(VaultmemError):
    """A picture that needs a package that is not installed."""

    exit_code = SettingsError.exit_code


def draw(pack: Pack, file: Path) -> None:
    """Write the picture; the name of the file says whether as SVG or PNG.

    raises  BadInputError for another ending, MissingPlotterError for a PNG without the extra
    """
    ending = file.suffix.lower()
    if ending not in (".svg", ".png"):
        raise BadInputError(
            f"'{file.name}' is no picture that can be drawn", hint="name it FILE.svg or FILE.png"
        )
    drawn = context.flow_picture(pack)
    data = drawn.encode("utf-8") if ending == ".svg" else _png(drawn)
    try:
        file.write_bytes(data)
    except OSError as error:
        raise disk_error(error, doing="write") from error


def _png(drawn: str) -> bytes:
    try:
        import resvg_py
    except ImportError as error:
        raise MissingPlotterError(
            "a PNG needs a package that is not installed",
            hint="from a checkout: `pip install '.[plot]'`, or write an .svg",
        ) from error
    return bytes(resvg_py.svg_to_bytes(svg_string=drawn, zoom=2))
