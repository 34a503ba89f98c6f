"""Where the sentences of a text begin and end, and the abbreviations that end none."""

from __future__ import annotations

import re

from vaultmem.base import late
from vaultmem.language.vocabulary import vocabulary, word_list

# --- abbreviations, by language ---

# Written without the last full stop and in small letters; those with spaces inside ('z. B.',
# 'p. ej.', 'EE. UU.') without the spaces.
# All languages count in every text, because a note may mix them and nothing says which it is in.
_SAID = vocabulary("sentences")


def entries_of(section: str) -> frozenset[str]:
    """The entries of a section in all languages."""
    return frozenset(word_list(_SAID[section]))


# Where a sentence may end: closing marks with the quotes and brackets that follow them, marks of
# scripts that put no space after them, and every line break (which is then looked at).
_END = late(
    r"""(?<![.!?…])[.!?…]++["'”’»)\]*_]*+(?=\s|$) | [。！？｡।؟]+[」』”’）]* | \n""",
    re.VERBOSE,
)
_LAST_MARKS = ".!?…"
_MARKS = _LAST_MARKS + "。！？｡।؟\n"
_LIST_MARK = late(r"[ \t]*(?:[-*+•>#|]|\d{1,3}[.)]\s|\*\*|\r?$)", re.MULTILINE)
_LAST_WORD = late(r"[^\s(\[\"'“‘«*_]*$")
_NEXT = late(r"[\s\"'“‘«(\[*_¿¡-]*(\S?)")
_INSIDE = entries_of("inside")
_INSIDE_WITH_CAPITAL = entries_of("inside with capital")
_EITHER = entries_of("either")
_CLOSING = entries_of("closing")
_BEFORE_NUMBERS = entries_of("before numbers")
_AFTER_TIMES = entries_of("after times")
_OPENERS = entries_of("openers")
_COUNTED, _COUNTS = entries_of("counted"), entries_of("counts")
# Beginnings of what is written with spaces inside, up to the full stop before a space: 'z' of
# 'z. B.', 'i', 'i.d' of 'i. d. R.'. Parts of one letter or two: 'Sig. ra' is written by nobody.
_PARTS = frozenset(
    ".".join(parts[:count])
    for word in (*_INSIDE, *_EITHER, *_CLOSING)
    for parts in [word.split(".")]
    for count in range(1, len(parts))
    if max(map(len, parts)) <= 2
)
_WHOLE = _INSIDE | _EITHER | _CLOSING
_SPACED_DOT = late(r"\.[ \u00a0\u202f](?=\S)")
_MORE = late(r"\s*+\S")
_NEXT_WORD = late(r"[\s\"“„«*_]*+([^\W\d_]+)(?=[\s,'’:]|$)")
_NEXT_LETTERS = late(r"\s+([^\W\d_]+)")
_NEXT_PART = late(r"[ \u00a0\u202f]([^\W\d_]{1,2})\.")
_ACRONYM = late(r"(?:[^\W\d_]\.)+[^\W\d_]")
_STREET = "str"  # a German street is one word: 'Hauptstr.'
_MOST_DIGITS = 3  # of an ordinal: '100. Geburtstag'; with four it is a year
# A line this long was wrapped by an editor, so its end says nothing.
_WRAPPED_CHARACTERS = 60
_WORD_CHARACTERS = 40  # how far back the word before a full stop is looked for


def spans(text: str) -> list[tuple[int, int]]:
    """Where each sentence of the text begins and ends; see `text.sentences`."""
    found: list[tuple[int, int]] = []
    start = 0
    said = text.strip().rstrip(_LAST_MARKS)
    if not any(map(said.__contains__, _MARKS)):  # one sentence: the patterns take 2 ms to compile
        _add_span(found, text, start, len(text))
        return found
    for mark in _END.finditer(text):
        if _ends_sentence(text, start, mark):
            _add_span(found, text, start, mark.end())
            start = mark.end()
    _add_span(found, text, start, len(text))
    return found


def _add_span(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    bare = piece.strip()
    if bare:
        start += len(piece) - len(piece.lstrip())
        spans.append((start, start + len(bare)))


def _ends_sentence(text: str, start: int, found: re.Match[str]) -> bool:
    mark, end = found.group(), found.end()
    if mark == "\n":
        if _LIST_MARK.match(text, end):
            return True
        line = found.start() - max(start, text.rfind("\n", 0, found.start()) + 1)
        return line < _WRAPPED_CHARACTERS and not _goes_on_small(text, end)
    if mark[0] == "." and not mark.startswith(".."):
        return _full_stop_ends(text, start, found)
    return mark[0] in "。！？｡।؟" or not _goes_on_small(text, end)


def _goes_on_small(text: str, end: int) -> bool:
    """Whether the next letter is a small one, so that the sentence goes on."""
    following = _NEXT.match(text, end)
    return following is not None and following.group(1).islower()


def _full_stop_ends(text: str, start: int, found: re.Match[str]) -> bool:
    """Whether one `.` closes a sentence, judged by the word before and the letter after it."""
    if _goes_on_small(text, found.end()):
        return False
    return not is_inside(text, found.start(), found.end(), start=start)


def is_inside(text: str, place: int, end: int, *, start: int = 0) -> bool:
    """Whether the full stop at `place` belongs to a word: 'St.', 'z. B.', 'J.', '3. Mai'.

    start  where the sentence begins
    end    the place after the full stop and the quotes and brackets that close with it
    What follows an abbreviation decides only where it may be the last word ('Acme Inc. The').
    """
    before = _LAST_WORD.search(text, max(start, place - _WORD_CHARACTERS), place)
    begins = before.start() if before else place
    word = text[begins:place]
    if word.isdigit() and len(word) <= _MOST_DIGITS:
        return _is_ordinal(text, start, begins, end=end)
    if len(word) == 1 and word.isupper() and word != "I":  # an initial: J. R. R. Tolkien
        is_first = not text[max(start, begins - _WORD_CHARACTERS) : begins].strip()  # 'A. The'
        inside = {word.casefold(), _word_before(text, start, place).casefold()} & _INSIDE
        return is_first or bool(inside) or not _opens(text, end)
    return _is_abbreviation(text, word, _word_before(text, start, place), end=end)


def _is_abbreviation(text: str, word: str, joined: str, *, end: int) -> bool:
    """Whether a word, or it with the parts before it ('z. B'), is one that goes on after `end`."""
    part = _NEXT_PART.match(text, end)
    if part is not None and f"{joined}.{part[1]}".casefold() in _WHOLE | _PARTS:
        return joined.casefold() in _PARTS
    names = (word, joined) if joined.casefold() in _WHOLE else (word,)
    if "-" in word or "/" in word:
        names = (*names, re.split("[-/]", word)[-1])
    return any(_goes_on_after(text, name, end) for name in names)


def _goes_on_after(text: str, name: str, end: int) -> bool:
    folded = name.casefold()
    if name.isupper() and len(name) > 1 and "." not in name and folded in _INSIDE:
        return not _opens(text, end)  # 'San Jose, CA. The sun', but 'DR. SMITH'
    if folded in _INSIDE or (folded in _INSIDE_WITH_CAPITAL and name[0].isupper()):
        return True
    if folded in _BEFORE_NUMBERS and text[end : end + 9].lstrip()[:1].isdigit():
        return True
    if folded in _CLOSING:
        following = _NEXT_WORD.match(text, end)
        is_time = folded in ("a.m", "p.m") and following is not None
        return _goes_on_small(text, end) or (
            is_time and following is not None and following[1].casefold() in _AFTER_TIMES
        )
    is_street = len(folded) > len(_STREET) and folded.endswith(_STREET)
    if folded in _EITHER or is_street or _ACRONYM.fullmatch(name):
        return _MORE.match(text, end) is not None and not _opens(text, end)
    return False


def _word_before(text: str, start: int, place: int) -> str:
    """The word before a full stop with the parts before it that have one, too: 'z.B' of 'z. B'."""
    window = text[max(start, place - _WORD_CHARACTERS) : place]
    found = _LAST_WORD.search(_SPACED_DOT.sub(".", window))
    return found.group() if found else ""


def _opens(text: str, end: int) -> bool:
    """Whether the word that follows is one that sentences begin with."""
    word = _NEXT_WORD.match(text, end)
    return word is not None and word[1][0].isupper() and word[1].casefold() in _OPENERS


def _is_ordinal(text: str, start: int, begins: int, *, end: int) -> bool:
    """Whether a number with a full stop counts something: '1. Item', '3. Mai', '2. Stock'."""
    lead = text[max(start, begins - _WORD_CHARACTERS) : begins].split()
    if not lead:
        # Without a word before it a number of one or two digits is that of a step: '1. Item'.
        return end - begins <= len("12.")
    following = _NEXT_LETTERS.match(text, end)
    if following is not None and following[1].casefold() in _COUNTED:
        return True
    # 'I am 3.' is English; 'am 3. Mai' is German.
    is_counting = lead[-1].casefold() in _COUNTS and [w.casefold() for w in lead[-2:]] != [
        "i",
        "am",
    ]
    return is_counting and following is not None and not _opens(text, end)
