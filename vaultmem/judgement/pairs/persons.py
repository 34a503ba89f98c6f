"""Of whom words speak before they tell an age, a home or a job: the speaker, a relative, a name.
Pure.

The wrong person's age must not end. So what stands in a part of its own takes its person from the
part before: 'My sister Jo, 34 years old, ...', 'My brother Tom, who's 34 and a chef'.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import pairwise

from vaultmem.base import NamedTuple, late
from vaultmem.judgement.features import REMEMBERED_TEXTS
from vaultmem.judgement.introductions import fold_accents, read_packed
from vaultmem.judgement.pairs.numbers import is_number
from vaultmem.judgement.signs import signs_of
from vaultmem.language import vocabulary, word_list

_SAID = vocabulary("persons")

_CLASSES = """
    weekday month count self you other also same past future maybe ask not nomore must always
    changed thank
"""
NO_TOPIC = frozenset(_CLASSES.split())
ARTICLES = frozenset(
    word_list(_SAID["articles"])
)  # before a noun, which German writes with a capital
_KIN = frozenset(("kin", "pet"))
_CHILDREN = frozenset(word_list(_SAID["children"]))
_NAMES_TOO = frozenset(("mia",))
_MY_NAME_IS = tuple(f"{told} " for told in _SAID["my name is"].split("|"))
_I_AM = tuple(f"{told} " for told in _SAID["i am"].split("|"))
YEARS = frozenset(word_list(_SAID["years"]))
_HAS = frozenset(("a", "ai", "as", "ont", "avons"))  # 'Théo a eu 6 ans': no 'eu' of Portuguese
_TELLING = frozenset(word_list(_SAID["telling"]))
# Behind the name of an owner, or in front: 'de 88 años'.
OF = frozenset(("de", "of", "von", "van", "di", "aged", "im", "mit", "con", "alter"))
INTRODUCES = frozenset(word_list(_SAID["introduces"]))
DEATHS = frozenset(word_list(_SAID["dies"]))
_WITH = frozenset(word_list(_SAID["with"]))
_PLAIN_WORD = late(r"[^\W_]+")
# First words of a clause of a relative: 'who's 34'.
_AFTER_AGE = frozenset(("geworden", "already", "turned", "cumplidos"))
RELATIVE = frozenset(("who", "whos", "qui", "que", "che", "wie"))
_SPEAKS = frozenset(word_list(_SAID["speaks"]))


_PARENTS = ("mother", "father", "grandmother", "grandfather")
_SAME_KIN = {word: name for name in _PARENTS for word in word_list(_SAID[name])}
_SAME_KIN |= {word: name for name in _PARENTS for word in word_list(_SAID[f"{name} with accents"])}
"""'Mam passed away.' says it of 'my mother'; each by one word."""


def kin_words(word: str) -> tuple[str, ...]:
    """All words for the relative that a folded word is, in all languages; () for most words."""
    name = _SAME_KIN.get(word)
    return tuple(word_list(_SAID[name])) if name else ()


def one_word_of_kin(word: str) -> str:
    """The word by which a parent is compared, whatever they are called; else the same word."""
    return _SAME_KIN.get(word, word)


class Word(NamedTuple):
    """A word as written, and folded."""

    raw: str
    low: str


def owner_of(words: Sequence[Word]) -> str:
    """Of whom a part speaks before it tells an aspect; '': of the speaker."""
    words = [
        word
        for at, word in enumerate(words)
        if word.low not in _TELLING and not (word.low == "eu" and words[at - 1].low in _HAS)
    ]
    for word in words:
        if is_kin(word):
            return word.low
    said = " ".join(word.low for word in words)
    if any(said.startswith(name) for name in _MY_NAME_IS):
        return ""  # 'Ich heiße Runa und arbeite'
    if 0 < len(words) < 5 and f"{said} ".startswith(_I_AM):
        return ""  # 'Im Runa 22 years old'
    whose = ""
    # From behind: whoever stands nearest before the age is the one whose age it is.
    for place in range(len(words) - 1, -1, -1):
        word = words[place]
        signs = signs_of(word.raw.lower())
        if "self" in signs and not _is_name_too(word, place):
            return whose
        if "other" in signs or "you" in signs:
            whose = whose or word.low  # 'Emil had his ninth birthday'
        elif word.low in YEARS:
            continue  # 'tengo 40 años y trabajo'
        elif is_topic(word) or ("self" in signs and _is_name_too(word, place)):
            return word.low
    return whose


def is_kin(word: Word) -> bool:
    """Whether a word is a relative or a pet: `nièce`; not `ma`, which is 'my' and a mother."""
    signs = signs_of(word.raw.lower())
    return bool(_KIN & set(signs) and "self" not in signs) or word.low in _CHILDREN


def _is_name_too(word: Word, place: int) -> bool:
    """Whether a word that says 'my' in some language is a name here: 'Our Mia is six.'"""
    if word.low in _NAMES_TOO:
        return True
    return place > 0 and word.raw[:1].isupper() and word.raw[1:].islower() and len(word.raw) > 2


def called_of(words: Sequence[Word], owner: str) -> str:
    """The name of a relative, right behind it: 'my son Emil'."""
    # Two sons are told apart by their names: the birthday of one ended the age of the other.
    for word, name in pairwise(words):
        if word.low == owner and is_kin(word):
            is_name = is_topic(name) and not signs_of(name.raw.lower())
            return name.low if is_name else ""
    return ""


def is_somebody(words: Sequence[Word], owner: str) -> bool:
    """Whether an owner, '' for the speaker, is a person or a pet: no noun and no thing."""
    for place in range(len(words) - 1, -1, -1):
        word = words[place]
        if word.low == owner:
            if is_kin(word) or {"other", "you"}.intersection(signs_of(word.raw.lower())):
                return True
            before = words[place - 1].low if place else ""
            is_own = "self" in signs_of(before)  # 'our Wren'
            is_named = word.raw[0].isupper() and (
                is_own or (before not in ARTICLES and before not in stop_words())
            )
            # A first word has its capital from the sentence.
            return is_named and not (place == 0 and len(words) > 1)
    return not owner


def person_before(parts: Sequence[Sequence[Word]], place: int) -> tuple[str, str] | None:
    """(owner, name) of somebody with whom the part before a part ends; owner '': the speaker.

    None: it ends with nobody ('I moved to Leeds, 34 boxes and all').
    """
    words = parts[place - 1] if place else ()
    if not words:
        return None
    low = [word.low for word in words]
    if f"{' '.join(low)} ".startswith(_I_AM):
        return "", ""  # 'I'm a dad of two, 41'
    last, before = words[-1], words[-2] if len(words) > 1 else None
    if is_kin(last):
        return last.low, ""
    is_name = last.raw[:1].isupper() and is_topic(last) and not signs_of(last.raw.lower())
    if is_name and before is not None and is_kin(before):
        return before.low, last.low
    if not _SPEAKS.isdisjoint(low):
        return "", ""
    if is_name and len(words) == 1 and place > 1 and is_kin(parts[place - 2][-1]):
        return parts[place - 2][-1].low, last.low  # 'Maman, Odette, 88 ans'
    return (last.low, "") if is_name else None


@lru_cache(maxsize=4096)
def is_topic(word: Word) -> bool:
    low = word.low
    if len(low) < 2 or low[0].isdigit() or low[0] == "'" or low[-1] == "'" or low in stop_words():
        return False
    signs = signs_of(word.raw.lower())
    return "kin" in signs or not NO_TOPIC.intersection(signs)


@cache
def stop_words() -> frozenset[str]:
    return frozenset(read_packed("aspects")["words"]["stop"].split())


def is_counted(word: Word) -> bool:
    """Whether a word behind a number is what is counted: '41 books', '40 weeks'."""
    if word.low in _amounts():
        return True
    return is_topic(word) and word.low not in YEARS and word.low not in _AFTER_AGE


def is_amount(word: str) -> bool:
    """Whether a word in lower case says what is counted or measured: 'hours', 'jours'."""
    return fold_accents(word) in _amounts()


def names_thing(word: str) -> bool:
    """Whether a word in lower case may be a thing that is spoken of: no 'with', 'ten', 'hours'."""
    low = fold_accents(word)
    return (
        word.isalpha()
        and low not in _amounts()
        and not is_number(low)
        and is_topic(Word(word, low))
    )


@lru_cache(maxsize=REMEMBERED_TEXTS)
def of_whom(text: str) -> tuple[tuple[str, str], ...]:
    """(thing, whose or where) of each 'check at the optician', 'cita con el dentista'; folded."""
    words = [Word(raw, fold_accents(raw)) for raw in _PLAIN_WORD.findall(text)]
    found = []
    for at, word in enumerate(words[:-2]):
        # 'The check at the dentist' ended 'the check at the optician'.
        is_thing = is_topic(word) or (word.low == "vous" and words[at - 1].low == "rendez")
        if not is_thing or words[at + 1].low not in _WITH:
            continue
        whose = next((each for each in words[at + 2 : at + 5] if is_topic(each)), None)
        if whose is not None and not is_number(whose.low):
            found.append((word.low, whose.low))
    return tuple(found)


@cache
def _amounts() -> frozenset[str]:
    return frozenset(read_packed("aspects")["words"]["amounts"].split())
