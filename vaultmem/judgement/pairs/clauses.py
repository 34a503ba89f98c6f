"""The clauses, words and topics of a text, as a new sentence and an old one are compared. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from vaultmem.base import Needing, late
from vaultmem.judgement.features import REMEMBERED_TEXTS
from vaultmem.judgement.introductions import fold_accents
from vaultmem.judgement.pairs.cue_phrases import with_marks
from vaultmem.judgement.pairs.persons import ARTICLES, Word, is_kin, is_topic, one_word_of_kin
from vaultmem.judgement.signs import signs_of
from vaultmem.language import nfc

LONGEST = 600  # characters of a text that are read
_CLAUSE = late(r"(?<=[.!?;:])\s+|\n+|\s+[-–—]\s+")
# What is so now is no part of what is over: 'stopped judo and does rowing now' was about both.
PART = late(
    r",\s+|\s+\(|\)|\s+(?:and|und|y|et|e|en)\s+(?=(?:[\w'’-]+\s+){0,4}?"
    r"(?:now|instead|jetzt|nun|stattdessen|ahora|maintenant|adesso|ora|nu|agora)\b)"
    r"|\s+and\s+(?=(?:taken up|taking up|started)\b)",
    re.IGNORECASE,
)
_WORD = late(
    r"\d+(?:[.,:]\d+)*|[^\W\d_]+\d\w*|'(?:s|ve|m|re|ll|d)\b|[^\W\d_]+n't\b|[^\W\d_]{1,2}'(?=[^\W\d_])|[^\W\d_]+"
)
# 'The iron is two tablets now, because the count dropped again': not the iron is so again. Not
# 'since', 'car' and 'da', which mostly say something else.
_REASON = Needing(
    r",?\s+(?:because|weil|parce\s+qu['e]|porque|perché|perche|omdat)\b[^.;!?]*",
    re.IGNORECASE,
    ("because", "weil", "parce", "porque", "perch", "omdat"),
)
TO = frozenset(("nach", "naar"))


@lru_cache(maxsize=2 * REMEMBERED_TEXTS)  # of whole texts, and of their clauses
def words_in(text: str) -> tuple[Word, ...]:
    return tuple(map(_word_of, _WORD.findall(text.replace("’", "'"))))


@lru_cache(maxsize=8_192)  # most words of a statement were in one before it
def _word_of(raw: str) -> Word:
    return Word(raw, one_word_of_kin(fold_accents(raw)))


def clauses_of(text: str) -> list[str]:
    return [each for part in _CLAUSE.split(with_marks(cut_short(text))) if (each := part.strip())]


def without_reason(text: str) -> str:
    """A text without what stands behind its first 'because', up to the end of the sentence."""
    found = _REASON.search(text, 1)
    return text if found is None else f"{text[: found.start()]}{text[found.end() :]}"


def cut_short(text: str) -> str:
    return nfc(text)[:LONGEST].replace("’", "'")


def topics_of(words: Sequence[Word]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word.low for word in words if is_topic(word)))


def names_in(words: Sequence[Word], *, is_hasty: bool) -> tuple[str, ...]:
    """Names and nouns that follow, up to the first five; all words where nobody typed capitals."""
    return topics_of([word for word in words if is_hasty or word.raw[0].isupper()][:5])


def names_among(words: Sequence[Word]) -> tuple[str, ...]:
    """Relatives, pets and names among words, folded."""
    found = []
    before = ""
    for place, word in enumerate(words):
        signs = signs_of(word.raw.lower())
        is_name = (
            place > 0
            and word.raw[0].isupper()
            and not signs
            and is_topic(word)
            and before not in ARTICLES
            and before not in TO  # 'nach Lübeck umgezogen'
        )
        if is_kin(word) or is_name:
            found.append(word.low)
        before = word.low
    return tuple(found)
