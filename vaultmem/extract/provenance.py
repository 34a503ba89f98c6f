"""The list form of a memory, `- [2025-11-03] [importance:8] text`, as other programs write it."""

from __future__ import annotations

import re

from vaultmem.base.records import dataclass
from vaultmem.language.time import read_instant

_LINE = r"[-*+][ \t]+(?:\[(\d{4}-\d{2}-\d{2})\][ \t]+)?(?:\[importance:(\d{1,2})\][ \t]+)?(.*)"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryLine:
    """A memory with its day and importance, where they were written."""

    text: str
    date: str | None = None  # YYYY-MM-DD, None: not written
    importance: int | None = None  # 1..10, None: not written


def parse_line(line: str) -> MemoryLine | None:
    """A list item taken apart, or None when the line is none.

    Strict: what is not a real day or not 1 to 10 stays part of the text, as does `[x]`.
    """
    found = re.fullmatch(_LINE, line.strip())
    if found is None:
        return None
    date, importance, text = found.groups()
    if date is not None and not _is_day(date):
        return MemoryLine(text=line.strip()[1:].strip())
    if importance is not None and not 1 <= int(importance) <= 10:
        return MemoryLine(text=f"[importance:{importance}] {text}", date=date)
    return MemoryLine(
        text=text, date=date, importance=int(importance) if importance is not None else None
    )


def memory_line(text: str) -> MemoryLine | None:
    """The text of a bullet as a memory with a date or an importance; None when it has neither."""
    if not text.startswith("["):
        return None
    found = parse_line(f"- {text}")
    dated = found is not None and (found.date is not None or found.importance is not None)
    return found if dated else None


def format_line(memory: MemoryLine) -> str:
    """The list item; `parse_line` of it gives the same memory when its text begins with no `[`."""
    date = f"[{memory.date}] " if memory.date else ""
    importance = f"[importance:{memory.importance}] " if memory.importance is not None else ""
    return f"- {date}{importance}{memory.text}"


def _is_day(text: str) -> bool:
    found = read_instant(text)
    return found is not None and found.granularity == "day"
