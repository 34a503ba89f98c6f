"""What a new statement allows again, of what a known one forbids. Pure.

'Sam is allergic to sesame.', 'Sam can eat sesame now, the clinic gave us the all-clear.'; 'Ich darf
keinen Kaffee trinken.', 'Kaffee darf ich wieder.' No word of it says that something is over: of 16
such pairs in seven languages 12 were told side by side, without a mark.
"""

from __future__ import annotations

import re
from functools import lru_cache

from vaultmem.base import Needing, late
from vaultmem.judgement.features import REMEMBERED_TEXTS, is_among
from vaultmem.judgement.introductions import fold_accents
from vaultmem.judgement.linear import word_rarity
from vaultmem.judgement.pairs.persons import Word, is_kin, is_topic, stop_words
from vaultmem.judgement.signs import signs_of
from vaultmem.language import vocabulary, word_list

_SAID = vocabulary("lifted")
_LIFTED = Needing(
    rf"(?:(?<!\w)|(?='))(?:{_SAID['lifted']})(?!\w)",
    re.IGNORECASE,
    _SAID["lifted needs"].split("|"),
)
_NOT_LIFTED = late(rf"(?<!\w)(?:{_SAID['not lifted']})(?!\w)|\?", re.IGNORECASE)
_BANNED = late(rf"(?<!\w)(?:{_SAID['banned']})(?!\w)", re.IGNORECASE)
_CLAUSE = late(r"[,;:.!–—]\s+|\s+-\s+")
_WORD = late(r"[^\W\d_]+")
_RARE = 0.3  # rarity, 0 to 1, of the thing that both name
_SHORTEST = 3  # letters of it
_PART = 4  # letters of a part of a compound: `Milch` of `Kuhmilch`, and of `Milchallergie`
_ALLERGY = "allerg"
_CAPITAL_NOUNS = frozenset(word_list(_SAID["capital nouns"]))
_NO_THING = frozenset(word_list(_SAID["no thing"]))
_LITTLE = frozenset(("weekday", "month", "self", "other", "you", "not"))
LIFTED = "it says that this is allowed again"


def why_lifted(old: str, new: str) -> str:
    """What shows that a ban, an allergy or a limit holds no more; '' nothing."""
    if tells_lifted(new) and _is_banned(old) and not _is_banned_still(new):
        return LIFTED if _is_of_one(old, new) and _is_of_thing(old, new) else ""
    return ""


@lru_cache(maxsize=REMEMBERED_TEXTS)
def tells_lifted(text: str) -> bool:
    """Whether a statement says that something is allowed, or borne, again: of whatever it is."""
    plain = text.replace("’", "'")
    return any(
        _LIFTED.search(clause) is not None and not _NOT_LIFTED.search(clause)
        for clause in _CLAUSE.split(plain)
    ) and not plain.rstrip().endswith("?")


@lru_cache(maxsize=REMEMBERED_TEXTS)
def _is_banned(text: str) -> bool:
    return _BANNED.search(text.replace("’", "'")) is not None


@lru_cache(maxsize=REMEMBERED_TEXTS)
def _is_banned_still(text: str) -> bool:
    """Whether its first clause forbids: "Sam still can't have sesame, he can swim again"."""
    first = _CLAUSE.split(text.replace("’", "'"))[0]
    return _BANNED.search(first) is not None and not tells_lifted(first)


def _is_of_one(old: str, new: str) -> bool:
    """Whether both may speak of one person: they name one, or one of them names nobody."""
    things = _things(old)
    known, named = _people(old), [each for each in _people(new) if not _is_thing(each, things)]
    known = tuple(each for each in known if not _is_thing(each, _things(new)))
    return not known or not named or any(is_among(one, known) for one in named)


def _is_of_thing(old: str, new: str) -> bool:
    known, people = _things(old), (*_names_in(old), *_names_in(new))
    return any(_is_thing(word, known) for word in _things(new) if not is_among(word, people))


@lru_cache(maxsize=REMEMBERED_TEXTS)
def _names_in(text: str) -> tuple[str, ...]:
    """Who has a name: of German nouns in the middle of a sentence nobody knows."""
    words = _words(text)
    if _CAPITAL_NOUNS.isdisjoint([each.raw.lower() for each in words]):
        return _people(text)
    return tuple(each for each in _people(text) if words and each == words[0].low)


def _is_thing(word: str, known: tuple[str, ...]) -> bool:
    """Whether a word names what others name, too, in some form or as part of a compound."""
    return word_rarity(word) >= _RARE and (is_among(word, known) or _shares_part(word, known))


def _shares_part(word: str, known: tuple[str, ...]) -> bool:
    """Whether a compound ends or begins as another one does: `kuhmilch`, `milchallergie`."""
    for each in known:
        short, long = sorted((word, each), key=len)
        if len(short) >= _PART and (long.startswith(short) or long.endswith(short)):
            return not short.startswith(_ALLERGY)
        sizes = range(len(short) - 1, _PART, -1)
        if any(each[-n:] == word[:n] or word[-n:] == each[:n] for n in sizes):
            return True
    return False


@lru_cache(maxsize=REMEMBERED_TEXTS)
def _people(text: str) -> tuple[str, ...]:
    words = _words(text)
    return tuple(each.low for at, each in enumerate(words) if is_kin(each) or _is_name(words, at))


def _is_name(words: tuple[Word, ...], at: int) -> bool:
    word = words[at]
    if not word.raw[:1].isupper() or not is_topic(word) or word.low in _NO_THING:
        return False
    return not signs_of(word.raw.lower())


@lru_cache(maxsize=REMEMBERED_TEXTS)
def _things(text: str) -> tuple[str, ...]:
    words = [
        each.low
        for each in _words(text)
        if len(each.low) >= _SHORTEST
        and each.low not in stop_words()
        and each.low not in _NO_THING
        and not is_kin(each)
        and _LITTLE.isdisjoint(signs_of(each.raw.lower()))
    ]
    return tuple(dict.fromkeys(words))


@lru_cache(maxsize=REMEMBERED_TEXTS)
def _words(text: str) -> tuple[Word, ...]:
    return tuple(Word(raw, fold_accents(raw)) for raw in _WORD.findall(text.replace("’", "'")))
