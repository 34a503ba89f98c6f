"""A date or time as a person writes it for an option."""

from __future__ import annotations

from vaultmem.base import BadInputError
from vaultmem.language.time import read_instant


def parse_when(text: str, now: int, zone: str = "UTC") -> int:
    """UTC ms that a command-line option means: ISO date, date-time, 'now', or one phrase.

    A phrase ('yesterday', 'last week', '3 May 2026') means the start of what it names, resolved
    against `now`. Raises BadInputError with a hint when it is none of these.
    """
    wanted = text.strip()
    found = read_instant(wanted, zone)
    if found is not None:
        return found.ms
    if wanted.casefold() == "now":
        return now
    from vaultmem.language.dates import read_phrase  # saves 8 modules

    mention = read_phrase(wanted, now, zone)
    if mention is None:
        raise BadInputError(
            f"cannot read the date '{text}'",
            hint="write 2026-03-11, 2026-03-11T09:14+01:00, or 'yesterday', 'last week', "
            "'3 days ago', '3 May 2026'",
        )
    return mention.from_ms
