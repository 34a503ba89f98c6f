"""Write a report: the memory as one page that loads nothing and runs nothing, to keep or to send.

It is written whole or not at all. Its length does not grow with the vault: few lines of much, and
what the rest comes to. With `--redact`, all text of notes passes through one `Words`
(`redact.py`); what does not is not on the page.
"""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

from vaultmem import transfer
from vaultmem.api import Memory
from vaultmem.base import TYPE_CHECKING, BadInputError, CannotCreateError, dataclass
from vaultmem.language import DAY_MS, parse_when
from vaultmem.window.html import STATIC, render
from vaultmem.window.report_contents import Gatherer

if TYPE_CHECKING:
    from vaultmem.model import Progress

USUAL_DAYS = 30
MARK = '<meta name="generator" content="vaultmem report">'
_HEAD_BYTES = 4_000
_SPACES = re.compile(r"\n\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What was written."""

    path: Path
    bytes: int
    items: int  # that it is about
    since: int  # UTC ms, from which on it says what was learned, changed and ended
    redacted: bool


def write_report(
    memory: Memory,
    file: str | Path,
    *,
    since: int | str | None = None,
    redact: bool = False,
    force: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Write the memory as one HTML page that loads nothing and runs nothing.

    file    an earlier report there is written over, anything else only with `force`
    since   an instant (UTC ms, or a text such as 'last week') from which on the page says what was
            learned, changed and ended; None: 30 days ago
    redact  names, addresses, numbers and what is about health are replaced by placeholders
    raises  BadInputError, CannotCreateError, DiskError
    """
    place = Path(file)
    if str(place) == "-":
        raise BadInputError("a report is written into a file", hint="name one, as OUT.html")
    if place.is_dir():
        raise CannotCreateError(f"'{place}' is a folder", hint="name a file in it, as OUT.html")
    is_ours = _is_report(place)
    transfer.require_place(memory.opened, place, force=force or is_ours)
    now = memory.opened.clock.now()
    begin = _instant(memory, since, now)
    gathered = Gatherer(memory, since=begin, redact=redact, progress=progress).gather()
    style = _style()
    page = render(
        "report.html",
        {
            "report": gathered,
            "style": style,
            "policy": policy(style),
            "mark": MARK,
            "zone": memory.settings.timezone,
        },
    )
    data = page.encode("utf-8", "replace")
    with transfer.atomic_file(place, force=force or is_ours) as out:
        out.write(data)
    return Report(path=place, bytes=len(data), items=gathered.items, since=begin, redacted=redact)


def _instant(memory: Memory, since: int | str | None, now: int) -> int:
    if since is None:
        return now - USUAL_DAYS * DAY_MS
    begin = parse_when(since, now, memory.settings.timezone) if isinstance(since, str) else since
    if begin > now:
        raise BadInputError(
            f"'{since}' lies in the future", hint="name a day in the past, as 2026-01-01"
        )
    return begin


def _is_report(file: Path) -> bool:
    """Whether a report lies there already; a link to one is no report of ours."""
    if file.is_symlink() or not file.is_file():
        return False
    try:
        with open(file, "rb") as stream:
            return MARK.encode() in stream.read(_HEAD_BYTES)
    except OSError:
        return False


def _style() -> str:
    sheets = [(STATIC / name).read_text(encoding="utf-8") for name in ("view.css", "report.css")]
    return _SPACES.sub("\n", "".join(sheets)).strip()


def policy(style: str) -> str:
    """What the page may load: nothing; and the one style that it has, by its hash."""
    digest = b64encode(sha256(style.encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'sha256-{digest}'; "
        "script-src 'none'; form-action 'none'; base-uri 'none'"
    )
