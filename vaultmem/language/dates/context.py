"""What the rules of date phrases see: the words of a text, its tense, the preposition before.

The grammar is closed and rather misses a date than invents one: a wrong date in a memory is
worse than none. Weak phrases (a bare weekday, month, year or '15th') count only after a
preposition, and their direction (the last Friday, the next one) comes from the tense of the
sentence; when the tense does not tell, nothing is reported.
"""

from __future__ import annotations

from vaultmem.base.patterns import late
from vaultmem.base.records import NamedTuple
from vaultmem.language.dates import words as dw
from vaultmem.language.dates.calendar import Period

_TOKEN = late(
    r"\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2})?(?:[Zz]|[+-]\d{2}:?\d{2})?)?(?![\w-])"
    r"|[Qq][1-4](?!\w)|\d+(?:[./:-]\d+)*[a-z]*|[^\W\d_]+(?:['’][^\W\d_]+)*|\S"
)
_SENTENCE_ENDS = frozenset(".!?;")
_REACH = 40  # words looked at on each side for a verb: keeps a text without sentence ends linear


class Words(NamedTuple):
    """A text taken apart, with the day it is read on. `whole`: the text claims to be a date."""

    lower: tuple[str, ...]
    raw: tuple[str, ...]
    start: tuple[int, ...]  # character offsets
    end: tuple[int, ...]
    today: int
    whole: bool

    def at(self, i: int) -> str:
        """The word there in lower case, '' outside."""
        return self.lower[i] if 0 <= i < len(self.lower) else ""

    def capital(self, i: int) -> bool:
        """Whether the word there begins with a capital letter."""
        return 0 <= i < len(self.raw) and self.raw[i][0].isupper()


class Match(NamedTuple):
    """Words `[start, end)` that are a date phrase; no period: a known shape that says no date."""

    start: int
    end: int
    period: Period | None
    relation: str = ""  # '': told by the preposition before it


def words_of(text: str, today: int, *, whole: bool = False) -> Words:
    """The text as words, numbers and single marks."""
    found = list(_TOKEN.finditer(text))
    raw = tuple(match.group() for match in found)
    return Words(
        lower=tuple(word.lower().replace("’", "'") for word in raw),
        raw=raw,
        start=tuple(match.start() for match in found),
        end=tuple(match.end() for match in found),
        today=today,
        whole=whole,
    )


def tense(words: Words, start: int, end: int) -> int:
    """-1 past, +1 future, 0 unknown: the verb nearest before the phrase, else the next after."""
    left = start - 1
    while left >= max(0, start - _REACH) and words.lower[left] not in _SENTENCE_ENDS:
        cue = _tense_of(words, left)
        if words.lower[left] in dw.RESOLVED and "to" in words.lower[left + 1 : start][:2]:
            return 1
        if cue:
            return cue
        left -= 1
    right = end
    last = min(len(words.lower), end + _REACH)
    while right < last and words.lower[right] not in _SENTENCE_ENDS:
        cue = _tense_of(words, right)
        if cue:
            return cue
        right += 1
    return 0


def preposition(words: Words, start: int) -> str:
    """The preposition that governs a phrase, past 'the', 'about' or a colon; '' if none."""
    i = start - 1
    while words.at(i) in ("the", "about", "around", "almost", "roughly", "late", "early"):
        i -= 1
    if words.at(i) == ":":
        i -= 1
    if words.at(i) == "of" and words.at(i - 1) == "as":
        return "since"
    if words.at(i) in ("deadline", "duedate"):
        return "due"
    if words.at(i) in ("on", "in", "at", "by") and words.at(i - 1) == "due":
        return "due"
    return words.at(i) if words.at(i) in dw.PREPOSITIONS else ""


def direction(words: Words, start: int, end: int, prep: str) -> int:
    """Where a weak phrase lies: -1 the last one, +1 the next one, 0 unsure."""
    if words.whole or prep == "since":
        return -1
    told = tense(words, start, end)
    noted = len(words.lower) <= 7 and not dw.PRONOUNS & set(words.lower)
    if told == 0 and (prep in dw.BY or prep in dw.UNTIL or noted):
        return 1  # a short note without a verb: 'Dentist on Friday'
    if prep in ("starting", "effective") or (prep in dw.BY and told < 0):
        return 1 if prep not in dw.BY else 0
    return told


def _tense_of(words: Words, i: int) -> int:
    word, before = words.lower[i], words.at(i - 1)
    if word in ("got", "gone") and before in dw.PERFECT:
        return 0
    if word in dw.PAST:
        return -1
    if word.endswith("ed") and len(word) > 3 and word not in dw.NOT_PAST:
        return 0 if before in dw.BE_PRESENT or words.at(i - 2) in dw.BE_PRESENT else -1
    if word == "have":
        return 1 if words.at(i + 1) in ("to", "a", "an", "my", "another", "no") else 0
    return 1 if word in dw.FUTURE else 0


def in_title(words: Words, i: int) -> bool:
    """Whether a word that is usually small stands inside a title: 'Last Week Tonight'."""
    return words.capital(i) and (words.capital(i - 1) or words.capital(i + 1)) and not words.whole


def is_closed(words: Words, i: int) -> bool:
    """Whether the phrase before `i` ends there, rather than describing a noun that follows."""
    word = words.at(i)
    return not word or not word[0].isalnum() or word in dw.FUNCTION_WORDS or words.capital(i)


def number_before(words: Words, i: int) -> tuple[int, int] | None:
    """Where a number that ends just before `i` begins, and its value, if it is exact."""
    j = i - 1
    if words.at(j) == "of" and words.at(j - 1) == "couple":
        j -= 1
    word = words.at(j)
    value = int(word) if word.isdecimal() and len(word) <= 3 else dw.NUMBERS.get(word)
    if value is None:
        return None
    if word == "couple" and words.at(j - 1) in ("a", "last", "next", "past"):
        j -= words.at(j - 1) == "a"
    if words.at(j - 1) in ("over", "than", "least", "half", "and", "-"):
        return None
    return j, value
