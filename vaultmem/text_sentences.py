"""Where the sentences of a text begin and end."""

from __future__ import annotations

import re


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Where a sentence may end: closing marks with the quotes and brackets that follow them, marks of
# scripts that put no space after them, and every line break (which is then looked at).
_END = re.compile(
    r"""(?<![.!?…])[.!?…]++["'”’»)\]*_]*+(?=\s|$) | [。！？｡।؟]+[」』”’）]* | \n""",
    re.VERBOSE,
)
_LIST_MARK = re.compile(r"[ \t]*(?:[-*+•>#|]|\d{1,3}[.)]\s|\*\*|\r?$)", re.MULTILINE)
_LAST_WORD = re.compile(r"[^\s(\[\"'“‘«*_]*$")
_NEXT = re.compile(r"[\s\"'“‘«(\[*_¿¡-]*(\S?)")
_MONTH = re.compile(r"\s+(?:Jan|J[äa]n|Feb|M[äa]r|Apr|Ma[iy]|Jun|Jul|Aug|Sep|O[kc]t|Nov|De[zc])")
_ABBREVIATIONS = _listed(
    "e.g i.e mr mrs ms dr prof st mt vs cf approx ca dept viz z.b d.h u.a o.ä bzw evtl ggf inkl "
    "zzgl p.ex mme mlle т.е т.к ул"
)
_BEFORE_NUMBERS = _listed(
    "no nr vol fig eq ch sec art p pp v ver jan feb mar apr jun jul aug sep sept oct nov dec"
)
# A line this long was wrapped by an editor, so its end says nothing.
_WRAPPED_CHARACTERS = 60
_WORD_CHARACTERS = 40  # how far back the word before a full stop is looked for


def spans(text: str) -> list[tuple[int, int]]:
    """Where each sentence of the text begins and ends; see `text.sentences`."""
    found: list[tuple[int, int]] = []
    start = 0
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
    before = _LAST_WORD.search(text, max(start, found.start() - _WORD_CHARACTERS), found.start())
    begins = before.start() if before else found.start()
    word = text[begins : found.start()]
    folded, following = word.casefold(), text[found.end() : found.end() + 9].lstrip()
    if folded in _ABBREVIATIONS:
        return False
    if folded in _BEFORE_NUMBERS and following[:1].isdigit():
        return False
    if len(word) == 1 and word.isalpha():  # an initial: J. R. R. Tolkien
        return word == "I" or not word.isupper()
    if word.isdigit() and len(word) <= 2:  # '1. Item' at the beginning, or a German '3. Mai'
        return bool(text[start:begins].strip()) and not _MONTH.match(text, found.end())
    return True
