"""English date phrases against a reference time: `find_dates`, `read_phrase`, `DateMention`.

Promises
* A phrase is resolved against the day on which its text was written, never against today.
* What counts from the day of reading ("next Friday") gives whole days of the vault's zone.

Never: takes a word for a month that may be a verb or a name ("I may march on").

Where is the rule for ...
    which words of an English text are a date   english.py, phrases.py
    "two weeks ago", "end of next month"        relative.py
    German, Spanish, French, Russian ...        foreign.py
    when something is due, with time of day     spoken.py, spoken_words.py
    days, weeks, quarters, seasons              calendar.py
"""

from vaultmem.language.dates.phrases import DateMention, find_dates, may_hold_date, read_phrase

__all__ = ["DateMention", "find_dates", "may_hold_date", "read_phrase"]
