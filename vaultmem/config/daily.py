"""Which file is the daily note of a day, by the pattern of the settings. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import PurePosixPath

from vaultmem.base import SettingsError
from vaultmem.language import civil, visible, word_list

# In English whatever the system speaks: strftime would name a file by the locale of a process.
_DAYS = word_list("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
_MONTHS = word_list(
    "January February March April May June July August September October November December"
)
_WRITTEN: Mapping[str, Callable[[date], str]] = {
    "Y": lambda day: f"{day.year:04d}",
    "y": lambda day: f"{day.year % 100:02d}",
    "m": lambda day: f"{day.month:02d}",
    "d": lambda day: f"{day.day:02d}",
    "j": lambda day: f"{day.timetuple().tm_yday:03d}",
    "G": lambda day: f"{day.isocalendar().year:04d}",
    "V": lambda day: f"{day.isocalendar().week:02d}",
    "A": lambda day: _DAYS[day.weekday()],
    "a": lambda day: _DAYS[day.weekday()][:3],
    "B": lambda day: _MONTHS[day.month - 1],
    "b": lambda day: _MONTHS[day.month - 1][:3],
    "%": lambda day: "%",
}
_HINT = "write it relative to the vault, such as Daily/%Y-%m-%d.md"


def daily_note_path(pattern: str, at: int, zone: str = "UTC") -> PurePosixPath:
    """The path of the note of the day in `zone` that holds `at` (UTC ms).

    raises SettingsError  it leads out of the vault or into a hidden folder, is no Markdown file,
                          or has a `%` that means nothing
    """
    day = date(*civil(at, zone))

    def write(found: re.Match[str]) -> str:
        word = found[1]
        if word not in _WRITTEN:
            raise SettingsError(
                f"'obsidian.daily_note' has '%{visible(word)}', which means nothing",
                hint=f"these do: {', '.join(f'%{each}' for each in _WRITTEN)}",
            )
        return _WRITTEN[word](day)

    text = re.sub(r"%(.?)", write, pattern, flags=re.DOTALL)
    parts = text.split("/")
    if "\\" in text or ":" in text or not all(parts) or {".", ".."} & set(parts):
        raise SettingsError(
            f"'obsidian.daily_note' names '{visible(pattern)}', which is no path inside the vault",
            hint=_HINT,
        )
    if not text.isprintable() or any(part.startswith(".") for part in parts):
        raise SettingsError(
            f"'obsidian.daily_note' names '{visible(pattern)}', which Obsidian does not show",
            hint=_HINT,
        )
    if not text.lower().endswith(".md"):
        raise SettingsError(
            f"'obsidian.daily_note' names '{visible(pattern)}', which is no note",
            hint=f"its name ends in .md; {_HINT}",
        )
    return PurePosixPath(text)
