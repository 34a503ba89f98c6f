"""English date phrases against a reference time: `find_dates`, `read_phrase`, `DateMention`."""

from vaultmem.language.dates.phrases import DateMention, find_dates, may_hold_date, read_phrase

__all__ = ["DateMention", "find_dates", "may_hold_date", "read_phrase"]
