"""The flow of tokens into a context, as a picture: from tiers and streams to kept and left out.

The SVG is written here, without a library; a PNG is made of it by resvg (the extra `plot`).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape

from vaultmem.cli.answers import one_line
from vaultmem.cli.drawing_context import NAMES
from vaultmem.errors import BadInputError, SettingsError, VaultmemError, disk_error

if TYPE_CHECKING:
    from vaultmem.model.contexts import Pack

WIDTH = 960
_FLOW = 380  # height of all tokens together
_GAP = 14  # between two bars of a column
_BAR = 14
_LEFT, _RIGHT = 250, 700  # where the columns stand
_TOP = 110
_LEAST = 2.0  # height of a bar that stands for anything
_COLOURS = {
    "hard": "#b5432f",
    "persona": "#8a5fb0",
    "user": "#4f6bc0",
    "rules": "#1f8a83",
    "sessions": "#6b8e23",
    "facts": "#3d8f4f",
    "events": "#c58a1d",
    "inferred": "#8c7b6b",
    "session": "#a8456e",
    "turns": "#c77a9a",
    "identity": "#4f6bc0",
    "projects": "#3d8f4f",
    "tasks": "#c58a1d",
    "flow": "#1f8a83",
}
_FONTS = "Inter, Segoe UI, Helvetica, Arial, DejaVu Sans, sans-serif"
_FRAME = "#5c6470"
_LEFT_OUT = "#b9bec6"
_INK, _FAINT = "#20242b", "#69707c"


class MissingPlotterError(VaultmemError):
    """A picture that needs a package that is not installed."""

    exit_code = SettingsError.exit_code


class _Source(NamedTuple):
    """One bar of the left column."""

    name: str
    told: str
    kept: int  # tokens
    missed: int
    colour: str


def plot(pack: Pack, file: Path) -> None:
    """Write the picture; the name of the file says whether as SVG or PNG.

    raises  BadInputError for another ending, MissingPlotterError for a PNG without the extra
    """
    ending = file.suffix.lower()
    if ending not in (".svg", ".png"):
        raise BadInputError(
            f"'{file.name}' is no picture that can be drawn", hint="name it FILE.svg or FILE.png"
        )
    drawn = svg(pack)
    data = drawn.encode("utf-8") if ending == ".svg" else _png(drawn)
    try:
        file.write_bytes(data)
    except OSError as error:
        raise disk_error(error, doing="write") from error


def svg(pack: Pack) -> str:
    """The picture as SVG: the left column what there was, the right one what became of it."""
    sources = _sources(pack)
    kept = sum(source.kept for source in sources)
    missed = sum(source.missed for source in sources)
    scale = _FLOW / max(kept + missed, 1)
    parts = [*_title(pack)]
    right_gap = _GAP * max(len(sources) - 1, 1) / 2  # so that both columns are as high, about
    kept_at, missed_at = float(_TOP), _TOP + _height(kept, scale) + right_gap
    ends = kept_at, missed_at
    behind = len(parts)  # what is left out is drawn beneath what is kept
    y = float(_TOP)
    for source in sources:
        top = y
        for tokens, colour, to_kept in (
            (source.kept, source.colour, True),
            (source.missed, _LEFT_OUT, False),
        ):
            if not tokens:
                continue
            height = _height(tokens, scale)
            end = kept_at if to_kept else missed_at
            ribbon = _ribbon(y, end, height, colour, is_kept=to_kept)
            parts.insert(len(parts) if to_kept else behind, ribbon)
            parts.append(_bar(_LEFT, y, height, source.colour))
            if to_kept:
                parts.append(_bar(_RIGHT, end, height, source.colour))
                kept_at += height
            else:
                missed_at += height
            y += height
        middle = (top + y) / 2
        parts.append(_text(_LEFT - 12, middle - 1, source.name, anchor="end", weight=600))
        parts.append(_text(_LEFT - 12, middle + 14, source.told, anchor="end", faint=True, size=12))
        y += max(_GAP, 38 - (y - top))
    if missed:
        parts.append(_bar(_RIGHT, ends[1], missed_at - ends[1], _LEFT_OUT))
    parts += _results(pack, ends, (kept_at, missed_at), missed)
    height = round(max(y, missed_at, kept_at) + 30)
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}" font-family="{_FONTS}">\n'
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>\n{body}\n</svg>\n'
    )


def _sources(pack: Pack) -> list[_Source]:
    held = [each for each in pack.portions if each.content or each.used]
    sources = [
        _Source(
            name=NAMES.get(each.name, each.name),
            told=f"{each.used:,} of {max(each.content, each.used):,} tokens",
            kept=each.used,
            missed=max(each.content - each.used, 0) if each.left_out else 0,
            colour=_COLOURS.get(each.name, _FRAME),
        )
        for each in held
    ]
    frame = pack.tokens - sum(source.kept for source in sources)
    if frame > 0:
        told = f"{frame:,} tokens"
        sources.insert(0, _Source("headings, how to use it", told, frame, 0, _FRAME))
    return sources


def _title(pack: Pack) -> list[str]:
    asked = one_line(pack.question, 70) or "what is current"
    share = 100 * pack.tokens // pack.budget
    line = f"{pack.tokens:,} of {pack.budget:,} tokens ({share} %), counted by ‘{pack.counter}’"
    full = (WIDTH - 80) * min(pack.tokens / pack.budget, 1)
    return [
        _text(40, 38, asked, size=20, weight=700),
        _text(40, 60, line, faint=True),
        f'<rect x="40" y="72" width="{WIDTH - 80}" height="5" rx="2.5" fill="#e8eaee"/>',
        f'<rect x="40" y="72" width="{full:.1f}" height="5" rx="2.5" fill="{_INK}"/>',
    ]


def _results(
    pack: Pack, begins: tuple[float, float], ends: tuple[float, float], missed: int
) -> list[str]:
    x = _RIGHT + _BAR + 12
    middle = (begins[0] + ends[0]) / 2
    count = len(pack.lines)
    memories = "1 memory" if count == 1 else f"{count} memories"
    parts = [
        _text(x, middle - 1, "in the text", weight=600),
        _text(x, middle + 14, f"{pack.tokens:,} tokens, {memories}", faint=True, size=12),
    ]
    if missed:
        left = sum(each.left_out for each in pack.portions)
        middle = (begins[1] + ends[1]) / 2
        told = f"{missed:,} tokens, {'1 memory' if left == 1 else f'{left} memories'}"
        parts.append(_text(x, middle - 1, "left out", weight=600))
        parts.append(_text(x, middle + 14, told, faint=True, size=12))
    return parts


def _height(tokens: int, scale: float) -> float:
    return max(tokens * scale, _LEAST) if tokens else 0.0


def _ribbon(start: float, end: float, height: float, colour: str, *, is_kept: bool) -> str:
    begin, stop = _LEFT + _BAR, _RIGHT
    bend = (begin + stop) / 2
    opacity = 0.45 if is_kept else 0.35
    return (
        f'<path d="M{begin} {start:.1f} C{bend} {start:.1f} {bend} {end:.1f} {stop} {end:.1f} '
        f"V{end + height:.1f} C{bend} {end + height:.1f} {bend} {start + height:.1f} "
        f'{begin} {start + height:.1f} Z" fill="{colour}" fill-opacity="{opacity}"/>'
    )


def _bar(x: float, y: float, height: float, colour: str) -> str:
    return f'<rect x="{x}" y="{y:.1f}" width="{_BAR}" height="{height:.1f}" fill="{colour}"/>'


def _text(
    x: float,
    y: float,
    text: str,
    *,
    anchor: str = "start",
    weight: int = 400,
    size: int = 14,
    faint: bool = False,
) -> str:
    return (
        f'<text x="{x}" y="{y:.1f}" font-size="{size}" font-weight="{weight}" '
        f'text-anchor="{anchor}" fill="{_FAINT if faint else _INK}">{escape(text)}</text>'
    )


def _png(drawn: str) -> bytes:
    try:
        import resvg_py
    except ImportError as error:
        raise MissingPlotterError(
            "a PNG needs a package that is not installed",
            hint="install the extra: pip install 'vaultmem-md[plot]', or write an .svg",
        ) from error
    return bytes(resvg_py.svg_to_bytes(svg_string=drawn, zoom=2))
