"""Names in a sentence: runs of capitalised words that are not merely the first word."""

from __future__ import annotations

from collections.abc import Collection

from vaultmem.extract.cues.lexicon import MONTHS_AND_DAYS, NO_SUBJECT, RELATION_VERBS, words
from vaultmem.extract.cues.patterns import Tokens

MAX_NAMES = 8

_NO_NAMES = (
    words(
        "i ok todo fixme api url http https json html css xml yaml sql ci cd ui ux id pr os pc "
        "cpu gpu ram usb pdf faq fyi btw asap am pm tv dad mom mum mr mrs ms dr god english-only "
        "lol omg imo etc a an my our the this that he she we you they it and but so or if in on at"
    )
    | MONTHS_AND_DAYS
)
_AFTER_NAMES = RELATION_VERBS | words(
    "adopted leads approved bought founded wrote owns manages joined uses runs maintains met said "
    "called visited teaches graduated married decided leads"
)
_SAINTS = words("st ste mt ft skt")
_INNER = words("of de van von der la le du al bin y &")


def names_in(tokens: Tokens, known: Collection[str] = ()) -> tuple[str, ...]:
    """At most 8 names as they are written, in order, each once.

    known   words (case folded) that are names even at the beginning of a sentence: speakers
    A first word counts when a name goes on after it, or a verb follows that people do.
    """
    found: dict[str, str] = {}
    i = 0
    while i < tokens.size:
        if not tokens.raw[i][0].isupper():
            i += 1
            continue
        end = _run(tokens, i)
        if end > i and (i > 0 or _first_is_name(tokens, end, known)):
            name = " ".join(tokens.raw[i:end]).replace(" . ", ". ").removesuffix("'")
            found.setdefault(name.casefold(), name)
        i = max(end, i + 1)
    return tuple(found.values())[:MAX_NAMES]


def _run(tokens: Tokens, i: int) -> int:
    """End of the capitalised run that begins at word `i` (`i` itself: none begins there)."""
    end = i
    while end < tokens.size:
        if _is_name_word(tokens, end):
            end += 1
        elif end > i and _is_saint(tokens, end - 1) and _is_name_word(tokens, end + 1):
            end += 2
        elif end > i and tokens.at(end) in _INNER:
            inner = end + 2 if tokens.at(end + 1) == "the" else end + 1
            if not _is_name_word(tokens, inner):
                break
            end = inner + 1
        else:
            break
    return end


def _is_saint(tokens: Tokens, i: int) -> bool:
    """'St. Gallen' is one name, where 'Dr. Weber' is 'Weber'."""
    return (
        tokens.at(i) in _SAINTS
        and tokens.at(i + 1) == "."
        and (tokens.start[i + 1] == tokens.end[i])
    )


def _is_name_word(tokens: Tokens, i: int) -> bool:
    return (
        tokens.is_capital(i)
        and tokens.lower[i] not in _NO_NAMES
        and tokens.raw[i][0].isalpha()
        and not (i == 0 and tokens.lower[i] in NO_SUBJECT)
    )


def _first_is_name(tokens: Tokens, end: int, known: Collection[str]) -> bool:
    if tokens.lower[0] in known or end > 1:
        return True
    return any(letter.isupper() for letter in tokens.raw[0][1:]) or (
        tokens.at(end) in _AFTER_NAMES or tokens.at(end) == "'s"
    )
