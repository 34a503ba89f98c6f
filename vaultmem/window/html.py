"""Pages as HTML: every text of a note is escaped, and what no screen shows is spelled out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from vaultmem.base import Any
from vaultmem.language import format_date, format_minute, visible

_FOLDER = Path(__file__).parent
STATIC = _FOLDER / "static"
_CHANGED = re.compile(r"\[-(.*?)-\]|\{\+(.*?)\+\}", re.DOTALL)
_LONGEST = 300  # characters of what stands on a line


def render(name: str, values: Mapping[str, Any]) -> str:
    """The page of a template."""
    return _environment().get_template(name).render(values)


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(_FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "day": _day,
        "minute": _minute,
        "line": line,
        "whole": visible,
        "changed": mark_changes,
        "ticks": mark_commands,
    }
    return made


def line(text: str, longest: int = _LONGEST) -> str:
    """The text on one line, with nothing in it that acts; cut where it is longer."""
    flat = " ".join(text[: longest * 20].split())
    shown = visible(flat[:longest])  # a character that is spelled out takes six
    is_whole = len(flat) <= longest and len(shown) <= longest
    return shown if is_whole else f"{shown[: longest - 1].rstrip()}…"


def mark_changes(text: str) -> Markup:
    """A sentence of a difference: words that went are struck out, words that came are marked."""
    shown, at = Markup(""), 0
    text = visible(" ".join(text.split()))
    for found in _CHANGED.finditer(text):
        gone, came = found.groups()
        shown += escape(text[at : found.start()])
        shown += Markup("<del>{}</del>").format(gone) if gone else Markup("")
        shown += Markup("<ins>{}</ins>").format(came) if came else Markup("")
        at = found.end()
    return shown + escape(text[at:])


def mark_commands(text: str) -> Markup:
    """A sentence of ours: what stands between backticks is a command."""
    pieces = text.split("`")
    shown = Markup("")
    for place, piece in enumerate(pieces):
        shown += Markup("<code>{}</code>").format(piece) if place % 2 else escape(visible(piece))
    return shown


@pass_context
def _day(context: Context, ms: int | None) -> str:
    """The day in the zone of the vault; '' for none, the number where no calendar has it."""
    try:
        return "" if ms is None else format_date(ms, context["zone"])
    except ValueError:
        return str(ms)


@pass_context
def _minute(context: Context, ms: int | None) -> str:
    try:
        return "" if ms is None else format_minute(ms, context["zone"])
    except ValueError:
        return str(ms)
