"""From a sentence to a statement that stands alone: fillers off, one clause, 300 characters.

The words in between are kept as they were said; the quote is the verbatim span.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from vaultmem.extract.cue_patterns import Tokens, words
from vaultmem.language import phrases

LONGEST_STATEMENT = 300  # characters

# Taken off the beginning with or without a mark after them.
_SAID = phrases("openings")


def _list(section: str) -> frozenset[str]:
    return words(" ".join(_SAID[section]))


# Taken off the beginning with or without a mark after them.
_FILLERS = _list("fillers")
_NO_MORE = _list("no more")
# Taken off only before a comma, colon, dash or full stop: 'Right, I live here', 'Thanks, Mel!'.
_FILLERS_BEFORE_MARK = _list("before a mark")
_FILLER_PHRASES = tuple(tuple(phrase.split()) for phrase in _SAID["phrases"])
_PHRASE_STARTS = frozenset(phrase[0] for phrase in _FILLER_PHRASES)
_MARKS = frozenset(",:.!-–—;…")
_DASHES = frozenset("-–—:")
_CONJUNCTIONS = words("but so and yet plus also then")
# Text and not compiled: `re` compiles and keeps each when a statement first needs it.
_COMMENT = r"%%[^%]*%%|<!--[^<>]*-->"
_APOSTROPHES = str.maketrans("", "", "'’,")
_JOINTS = tuple("-–—,;:")
_JOINT = r"\A(?:[-–—,;:]+(?: |\Z))+"
_PAIRED = ("**", "__", "==", "~~", "`")
_CLAUSE_END = r"[,;:—–](?=\s)|\s(?=(?:and|but|because|which|so|while|when)\s)"


def skip_fillers(tokens: Tokens, *, names: Collection[str] = ()) -> int:
    """The word at which the statement begins, after 'Well,', 'By the way,', 'Hey Mel,'.

    names   words (case folded) with which people address each other
    """
    i = 0
    while i < tokens.size:
        step = _filler(tokens, i, names)
        if step == 0:
            return i
        i += step
        while tokens.at(i) in _MARKS:
            i += 1
    return 0  # nothing but fillers: judged as it is


def _filler(tokens: Tokens, i: int, names: Collection[str]) -> int:
    """How many words at `i` are filler."""
    word, after = tokens.lower[i], tokens.at(i + 1)
    if word in _PHRASE_STARTS:
        for phrase in _FILLER_PHRASES:
            if tokens.lower[i : i + len(phrase)] == phrase:
                return len(phrase)
    if word in _MARKS:
        return 1
    if word == "plus" and (after in _NO_MORE or after[:2] in ("d'", "d’", "l'", "l’")):
        return 0  # 'Plus une goutte d'alcool' is the opposite of 'une goutte d'alcool'
    if word == "so" and after in ("much", "viel"):
        return 0  # 'So much for the choir.' says that it is over
    if word in names and (after in _MARKS or after == ""):
        return 1
    if word in _FILLERS_BEFORE_MARK or word in _FILLERS:
        if after in names or (
            word in ("hey", "hi", "hello", "thanks") and tokens.is_capital(i + 1)
        ):
            return 2 if tokens.at(i + 2) in _MARKS else 0
        return 1 if word in _FILLERS or after in _MARKS else 0
    return 0


def clause_start(tokens: Tokens, cue: int, kept: Collection[int] = ()) -> int:
    """The word at which the clause of a cue begins: after ', but', ', so', ' - ' or ':'.

    cue     first word of the cue
    kept    words that must stay in: what a date phrase in front says belongs to the statement
    """
    start = 0
    for i in range(cue):
        if any(start <= word <= i for word in kept):
            continue
        mark = tokens.lower[i]
        if mark in _DASHES and _is_apart(tokens, i):
            start = i + 1
        elif mark == "," and tokens.at(i + 1) in _CONJUNCTIONS and i + 2 <= cue:
            start = i + 2
    return start


def _is_apart(tokens: Tokens, i: int) -> bool:
    """A dash or colon between words and not inside one."""
    if tokens.lower[i] == ":":
        return True
    doubled = tokens.at(i - 1) == "-" == tokens.lower[i]
    return i == 0 or doubled or tokens.end[i - 1] < tokens.start[i]


def quote_of(text: str, start: int, end: int) -> str:
    """The verbatim span of a sentence, widened by the marks that hug it ('**', '[[', '\"')."""
    while start > 0 and text[start - 1] in "*_[\"'“‘=~(`":
        start -= 1
    return text[start:end].strip()


def statement_of(quote: str, speaker: str = "") -> str:
    """The statement: one line, a capital first, the speaker before it.

    What was said stays character for character: colours and tags with their `#`, dashes, emphasis,
    links, code. Only comments go, and marks that joined the clause to what stood before it.
    """
    said = " ".join(quote.split())
    # Marks are text: 'My favourite colour is #C8553D' was kept as 'My favourite colour is'.
    if "%%" in said or "<!--" in said:
        said = " ".join(re.sub(_COMMENT, "", said).split())
    if said.startswith(_JOINTS):
        said = re.sub(_JOINT, "", said)
    said = said.rstrip(" ,;")
    for mark in _PAIRED:
        said = _balance_marks(said, mark)
    if said[:1] in ("(", '"') and said.count(said[0]) == 1 and said.count(")") == 0:
        said = said[1:]
    if said[:1].islower() and said.split(" ", 1)[0].translate(_APOSTROPHES).isalpha():
        said = said[0].upper() + said[1:]
    whole = f"{speaker}: {said}" if speaker and said else said
    return _cut(whole)


def _balance_marks(said: str, mark: str) -> str:
    """Without a mark at an end whose other one stands outside of what was taken."""
    if said.count(mark) == 1:
        said = said.removeprefix(mark).removesuffix(mark).strip()
    return said


def _cut(text: str) -> str:
    """At most 300 characters, cut where a clause ends, else between words."""
    if len(text) <= LONGEST_STATEMENT:
        return text
    ends = [found.start() for found in re.finditer(_CLAUSE_END, text[: LONGEST_STATEMENT + 1])]
    place = ends[-1] if ends and ends[-1] > LONGEST_STATEMENT // 3 else -1
    if place < 0:
        place = text.rfind(" ", LONGEST_STATEMENT // 2, LONGEST_STATEMENT)
    return text[: place if place > 0 else LONGEST_STATEMENT].rstrip(" ,;:—–-")
