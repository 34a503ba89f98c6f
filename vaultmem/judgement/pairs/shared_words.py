"""The rare words that two statements share: the first look at a pair of them. Pure.

A new statement is held against dozens that are known, and each of these against others: what one
gives to the comparison is made once (`side_of`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache

from vaultmem.base import NamedTuple, late
from vaultmem.judgement.features import REMEMBERED_TEXTS, STEM, has_form, tokens_of, twins_of
from vaultmem.judgement.linear import word_rarity
from vaultmem.judgement.pairs.numbers import DOSE, has_dose
from vaultmem.judgement.pairs.persons import (
    Word,
    is_amount,
    is_counted,
    names_thing,
    one_word_of_kin,
)
from vaultmem.language import vocabulary, word_list

LEAST_SHARED = 0.35  # rarity, 0 to 1, of the rarest word that both must share

_SAID = vocabulary("out_of_date")
_NO_TOPIC = frozenset(word_list(_SAID["no topic"]))
_DETERMINERS = frozenset(word_list(_SAID["determiners"]))
_NEAR = 4  # words before a number among which stands what it counts
_YEAR = 4  # figures
_RARE = 0.6  # rarity, 0 to 1, of a name of a medicine
_SHORTEST = 3  # letters of a word by which statements meet
_MEDICINE_RARE = 0.75  # rarity, 0 to 1, of a name of a medicine: 'tablets' is one of none
_CUT = late(
    r"[,;:.!?–—]\s+|\s(?:so|and|but|because|und|aber|weil|et|mais|car|y|pero|e|ma|en|maar|mas)\s"
)
_OF_IT = late(r"\s*(?:of|von|de|d'|di|van)?\s*(?P<it>[^\W\d_]{5,})")
_SUBJECT = late(
    r"(?P<it>(?:[\w'-]+\s+){0,4}?[^\W\d_]{5,})\s+(?:is|was|went|goes|has|ist|wurde|geht|est|a|es|fue|"
    r"ha|è|sale|werd|gaat|foi|passou|passe|pasa|sube|baja)\s"
)
_RAISED = late(
    r"\b(?:the|my|his|her|our|das|den|die|mein|le|la|l'|mon|ma|el|mi|il|lo|de|het|mijn|o|a|meu|minha)\s?"
    r"(?P<it>[^\W\d_]{5,})\s+(?:up\s+|down\s+|back\s+|now\s+)?(?:to|auf|à|a|su|naar|para)\s+(?:about\s+)?$"
)


class Side(NamedTuple):
    """A statement as one side of pairs.

    low     its words in lower case
    rare    (rarity, place) of those by which statements may meet, the rarest first: no 'hours', by
            which a moved visit ended 'I sleep until 14 hours'
    sought  these words and the beginnings of their forms, of those from LEAST_SHARED on
    found   all its words, and the beginnings of their forms
    names   words with a capital that no article or the like stands before
    """

    low: tuple[str, ...]
    rare: tuple[tuple[float, int], ...]
    sought: frozenset[str]
    found: frozenset[str]
    names: frozenset[str]


@lru_cache(maxsize=REMEMBERED_TEXTS)
def side_of(text: str) -> Side:
    """What a text gives to each pair that it is a side of."""
    tokens = tokens_of(text)
    low = tuple(map(one_word_of_kin, tokens.low))
    rare = sorted(
        [
            (word_rarity(word), low.index(word))
            for word in dict.fromkeys(low)
            if len(word) >= _SHORTEST and word not in _NO_TOPIC and not is_amount(word)
        ],
        reverse=True,
    )
    names = [
        low[i]
        for i, raw in enumerate(tokens.raw)
        if raw[0].isupper() and (i == 0 or low[i - 1] not in _DETERMINERS)
    ]
    return Side(
        low,
        tuple(rare),
        _keys(low[place] for rarity, place in rare if rarity >= LEAST_SHARED),
        _keys(low),
        frozenset(names),
    )


def _keys(words: Iterable[str]) -> frozenset[str]:
    """Words, and what the forms of each begin with: forms of one word have a key in common."""
    found = set(words)
    return frozenset(found | {word[:STEM] for word in found if len(word) > STEM})


def may_share(known: str, known_after: str, statement: str, said_after: str) -> bool:
    """Whether `rarest_shared` may reach LEAST_SHARED: a quick look at keys that were made once."""
    here, there = side_of(statement), side_of(known)
    if not here.sought.isdisjoint(there.found):
        return True
    if known_after and not here.sought.isdisjoint(side_of(known_after).found):
        return True
    return bool(said_after) and not side_of(said_after).sought.isdisjoint(there.found)


def rarest_shared(known: str, known_after: str, statement: str, said_after: str) -> float:
    """How rare (0 to 1) the rarest word is that both name in some form; 0: they share none.

    known_after, said_after  the words before each, which may name what it is about

    One of them names it itself: of what was said before both, nothing follows for either ('Let's
    use SQLite.' and 'I no longer use Vim.', each after a question about the same room).
    """
    here, there = side_of(statement), side_of(known)
    # 'The port should be 9090.' is no form of 'I moved to Porto.': a name is none of a small word.
    names = there.names - {*there.low[:1]}
    said = there.low
    if names:
        others = tuple(here.names)
        said = tuple(w for w in said if w not in names or w in here.low or has_form(w, others))
    before = side_of(known_after).low if known_after else ()
    best = rarest(here, said + before)
    return max(best, rarest(side_of(said_after), there.low)) if said_after else best


def rarest(here: Side, there: tuple[str, ...], *, but: Collection[str] = ()) -> float:
    """How rare the rarest word of the one is that the other has in some form, 0 to 1.

    but  words that do not count
    """
    twins = twins_of(here.low, there)
    for rare, place in here.rare:
        if twins[place] >= 0 and not here.low[place][0].isdigit() and here.low[place] not in but:
            return rare
    return 0.0


def share_a_name(old: str, new: str) -> bool:
    """Whether one name is all that two statements share: of somebody much is so at one time.

    A name has a capital and no article or the like before it, which German nouns mostly have.
    """
    here, there = side_of(new), side_of(old)
    # 'Declan's on 10 mg' and 'Declan drives the van': with the ending they shared no name.
    names = {*map(_without_ending, here.names)} & {*map(_without_ending, there.names)}
    if not names:
        return False
    twins = twins_of(here.low, there.low)
    shared = [
        here.low[place] for rare, place in here.rare if rare >= LEAST_SHARED and twins[place] >= 0
    ]
    return len(shared) == 1 and _without_ending(shared[0]) in names


def _without_ending(name: str) -> str:
    return name.replace("’", "'").removesuffix("'s")


def is_of_other_medicine(known: str, statement: str) -> bool:
    """Whether each names the amount of a medicine, and not of the same one.

    'The furosemide is back to 40 mg since the blood test' ended 5 mg of apixaban, which 'thins the
    blood'.
    """
    named = dosed_things(statement)
    if not named or not has_dose(known):
        return False
    there = side_of(known).low
    return not any(each in there or has_form(each, there) for each in named)


@lru_cache(maxsize=REMEMBERED_TEXTS)
def dosed_things(text: str) -> tuple[str, ...]:
    """What an amount is of: `ramipril` of 'my ramipril was doubled to 10 mg'."""
    plain = text.lower().replace("’", "'")
    found = []
    for amount in DOSE.finditer(plain):
        begin = max((cut.end() for cut in _CUT.finditer(plain, 0, amount.start())), default=0)
        before = plain[begin : amount.start()]
        named = [_SUBJECT.match(before), _RAISED.search(before)]
        if not any(named):  # 'Novalgin ist jetzt auf 30 Tropfen erhöht': of nothing that is raised
            named = [_OF_IT.match(plain, amount.end())]
        found += [one["it"] for one in named if one is not None]
    words = [one for each in found for one in tokens_of(each).low[-1:]]
    return tuple(
        word for word in words if names_thing(word) and word_rarity(word) >= _MEDICINE_RARE
    )


@lru_cache(maxsize=REMEMBERED_TEXTS)
def counted_things(text: str) -> frozenset[str]:
    """Rare things behind which a bare number stands: `eutirox` of 'Eutirox de 75 por la mañana'."""
    low = tokens_of(text).low

    def counts(at: int) -> bool:
        following = low[at + 1] if at + 1 < len(low) else ""
        return following not in ("", "por") and is_counted(Word(following, following))

    return frozenset(
        thing
        for at, word in enumerate(low)
        if word.isdigit() and len(word) < _YEAR and not counts(at)
        for thing in low[max(0, at - _NEAR) : at]
        if names_thing(thing) and word_rarity(thing) >= _RARE
    )
