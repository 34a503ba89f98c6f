"""The flow of tokens into a context, as a picture: from tiers and streams to kept and left out.

The SVG is written here, without a library.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from xml.sax.saxutils import escape

from vaultmem.base import TYPE_CHECKING, NamedTuple
from vaultmem.language import pad_columns, visible

if TYPE_CHECKING:
    from vaultmem.model import Pack

PORTION_NAMES = {
    "hard": "hard exceptions",
    "critical": "health, safety, limits",
    "beside": "also known",
    "persona": "how they want it",
    "user": "who they are",
    "rules": "rules, procedures",
    "sessions": "last conversations",
    "facts": "found: facts",
    "events": "found: past",
    "inferred": "inferred",
    "session": "conversation: holds",
    "turns": "conversation: turns",
}

WIDTH = 960
_FLOW = 380  # height of all tokens together
_GAP = 14  # between two bars of a column
_BAR = 14
_LEFT, _RIGHT = 250, 700  # where the columns stand
_TOP = 110
_LEAST = 2.0  # height of a bar that stands for anything
_TITLE_COLUMNS = 70  # wide characters take two
_LABEL = 42  # between the middles of two labels
_APART = 48.0  # between what is kept and what is left out
_BENEATH = 36
_KEPT, _GONE = 0.45, 0.35  # how opaque a flow is
_COLOURS = {
    "hard": "#b5432f",
    "critical": "#d97b29",
    "beside": "#9aa3ad",
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
_DARK = (
    "@media (prefers-color-scheme: dark) {.page{fill:#16191e}.ink{fill:#e9ebee}.faint{fill:#9aa3b0}"
    ".track{fill:#2c323b}.out{fill:#69717e}}"
)


class _Source(NamedTuple):
    """One bar of the left column."""

    name: str
    told: str
    kept: int  # tokens
    missed: int
    colour: str


def flow_picture(pack: Pack) -> str:
    """The picture as SVG: the left column what there was, the right one what became of it.

    Light, and dark for whoever looks at it in the dark; a viewer that does not know of that, and
    a PNG, are light.
    """
    sources = _sources(pack)
    scale = _FLOW / max(sum(source.kept + source.missed for source in sources), 1)
    heights = [(_height(each.kept, scale), _height(each.missed, scale)) for each in sources]
    tops = _tops([kept + missed for kept, missed in heights])
    left_end = tops[-1] + sum(heights[-1]) if sources else float(_TOP)
    kept, missed = (sum(column) for column in zip(*heights, strict=True)) if sources else (0.0, 0.0)
    gap = _APART if missed else 0.0
    kept_at = _TOP + max(0.0, (left_end - _TOP - kept - gap - missed) / 2)
    missed_at = kept_at + kept + gap
    ends = kept_at, missed_at
    behind, front = [], []  # what is left out is drawn beneath what is kept
    for source, top, (kept_high, missed_high) in zip(sources, tops, heights, strict=True):
        if kept_high:
            front.append(_ribbon(top, kept_at, kept_high, source.colour))
            front.append(_bar(_RIGHT, kept_at, kept_high, source.colour))
        if missed_high:
            behind.append(_ribbon(top + kept_high, missed_at, missed_high, None))
        front.append(_bar(_LEFT, top, kept_high + missed_high, source.colour))
        middle = top + (kept_high + missed_high) / 2
        front += _label(_LEFT - 12, middle, source.name, source.told, anchor="end")
        kept_at, missed_at = kept_at + kept_high, missed_at + missed_high
    if missed:
        front.append(_bar(_RIGHT, ends[1], missed, None))
    results = _results(
        pack, (ends[0] + kept / 2, ends[1] + missed / 2), missed=_missed_tokens(sources)
    )
    height = round(max(left_end, missed_at) + _BENEATH)
    body = "\n".join((*_title(pack), *behind, *front, *results))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}" font-family="{_FONTS}" role="img">\n<style>{_DARK}</style>\n'
        f'<rect class="page" width="{WIDTH}" height="{height}" fill="#ffffff"/>\n{body}\n</svg>\n'
    )


def _tops(heights: Sequence[float]) -> list[float]:
    """Where the bars of the left column begin: apart, and so far that no label meets the next."""
    tops: list[float] = []
    middle, end = -inf, float(_TOP) - _GAP
    for height in heights:
        top = max(end + _GAP, middle + _LABEL - height / 2)
        tops.append(top)
        middle, end = top + height / 2, top + height
    return tops


def _missed_tokens(sources: Sequence[_Source]) -> int:
    return sum(source.missed for source in sources)


def _sources(pack: Pack) -> list[_Source]:
    held = [each for each in pack.portions if each.content or each.used]
    sources = [
        _Source(
            name=PORTION_NAMES.get(each.name, each.name),
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
    asked = (
        pad_columns(visible(pack.question), _TITLE_COLUMNS, cut="…").rstrip() or "what is current"
    )
    share = 100 * pack.tokens // pack.budget
    told = f"{pack.tokens:,} of {pack.budget:,} tokens ({share} %), counted by ‘{pack.counter}’"
    line = 'x="40" y="72" height="5" rx="2.5"'
    full = (WIDTH - 80) * min(pack.tokens / pack.budget, 1)
    return [
        _text(40, 38, asked, size=20, weight=700),
        _text(40, 60, told, faint=True),
        f"<title>{escape(f'{asked}: {told}')}</title>",
        f'<rect class="track" {line} width="{WIDTH - 80}" fill="#e8eaee"/>',
        f'<rect class="ink" {line} width="{full:.1f}" fill="{_INK}"/>',
    ]


def _results(pack: Pack, middles: tuple[float, float], *, missed: int) -> list[str]:
    x = _RIGHT + _BAR + 12
    told = f"{pack.tokens:,} tokens, {_memories(len(pack.lines))}"
    parts = _label(x, middles[0], "in the text", told)
    if missed:
        left = sum(each.left_out for each in pack.portions)
        parts += _label(x, middles[1], "left out", f"{missed:,} tokens, {_memories(left)}")
    return parts


def _memories(count: int) -> str:
    return "1 memory" if count == 1 else f"{count} memories"


def _label(x: float, middle: float, name: str, told: str, *, anchor: str = "start") -> list[str]:
    return [
        _text(x, middle - 1, name, anchor=anchor, weight=600),
        _text(x, middle + 14, told, anchor=anchor, faint=True, size=12),
    ]


def _height(tokens: int, scale: float) -> float:
    return max(tokens * scale, _LEAST) if tokens else 0.0


def _ribbon(start: float, end: float, height: float, colour: str | None) -> str:
    """From the left column to the right one; without a colour: to what is left out."""
    begin, stop = _LEFT + _BAR, _RIGHT
    bend = (begin + stop) / 2
    return (
        f'<path d="M{begin} {start:.1f} C{bend} {start:.1f} {bend} {end:.1f} {stop} {end:.1f} '
        f"V{end + height:.1f} C{bend} {end + height:.1f} {bend} {start + height:.1f} "
        f'{begin} {start + height:.1f} Z" {_fill(colour)} '
        f'fill-opacity="{_KEPT if colour else _GONE}"/>'
    )


def _bar(x: float, y: float, height: float, colour: str | None) -> str:
    return f'<rect x="{x}" y="{y:.1f}" width="{_BAR}" height="{height:.1f}" {_fill(colour)}/>'


def _fill(colour: str | None) -> str:
    return f'fill="{colour}"' if colour else f'class="out" fill="{_LEFT_OUT}"'


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
        f'text-anchor="{anchor}" class="{"faint" if faint else "ink"}" '
        f'fill="{_FAINT if faint else _INK}">{escape(text)}</text>'
    )
