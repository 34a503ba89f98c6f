"""Who or what comes next where there is one at a time: a first day, a new boss, a role. Pure.

The model of change sees no end in such words: 'My new boss is Kemal', 'Priya is our CTO now'.
"""

from __future__ import annotations

import re
from functools import lru_cache

from vaultmem.base import Needing, late
from vaultmem.judgement.features import REMEMBERED_TEXTS, alike
from vaultmem.judgement.introductions import fold_accents
from vaultmem.language import fold, vocabulary, word_list

_SAID = vocabulary("out_of_date")
_ROLES = vocabulary("roles")

# --- a job or a home begins ---

# 'First week with Llano Freight', 'Unsere neue Bude ist in Ahrensburg', 'J'ai commencé au comptoir
# de la coop'. A statement that only tells of a job or a home may be the same one in other words
# ('Ich find ja, ne Bude is wat für die Seele'), and marks at most.
_BEGINS = late(rf"\b(?:{_SAID['begins']})\b")
# A name behind the first word: 'Ya estamos en confianza' tells of no place.
_NAMED = late(r"(?<=[\w,'’] )(?!I\b)[A-ZÀ-Þ]")


def begins_another(statement: str) -> bool:
    """Whether it tells of a first day, a new flat, a move."""
    return _BEGINS.search(fold_accents(statement.replace("’", "'"))) is not None


def names_one(statement: str) -> bool:
    """Whether it names somebody or some place behind its first word."""
    return bool(_NAMED.search(statement))


# --- the next one of what somebody has one of at a time ---

# 'My new boss is Kemal', 'Unser neuer Vermieter heißt Wolf', 'I have a new dentist, Dr. Lang': the
# one before may be over. The model of change sees no end in such words.
_ONE_AT_A_TIME = tuple(told for title, told in _SAID.items() if title.startswith("one at a time "))
_NEW = rf"(?:{_SAID['new']})"
_ANY_NEW = Needing(rf"\b{_NEW}\b", 0, _SAID["new needs"].split("|"))
_MY = rf"(?:{_SAID['my']})"
_HAVE = rf"(?:{_SAID['have']})(?: (?:{_SAID['now']}))? (?:{_SAID['a']})"
_GAP = r"(?: [\w'’-]+){0,2}?"


def names_the_next(old: str, new: str) -> bool:
    """Whether the new statement tells of a new boss, flat or dentist of the speaker's, and the old
    one of one that was theirs."""
    said, before = _flat(new), _flat(old)
    for concept in _concepts():
        # Patterns are made for a concept that both name: of all 21 concepts they took 73 ms of a
        # cold `remember`, of one 4.
        if not concept.is_in(said) or not concept.is_in(before):
            continue
        if concept.next_one.search(said) and concept.mine.search(before):
            return not concept.next_one.search(before) or said != before
    return False


def tells_of_a_new_one(text: str) -> bool:
    """Whether a text has a word for 'new' at all: a cheap look."""
    return _ANY_NEW.search(_flat(text)) is not None


class _Concept:
    """The patterns of one concept: the next one of it, and one that is the speaker's.

    All 42 took 73 ms to compile, and a pair of statements needs those of one concept at most.
    """

    def __init__(self, words: str) -> None:
        self._nouns = tuple(word_list(words))
        nouns = "|".join(map(re.escape, self._nouns))
        self.next_one = late(
            rf"\b(?:{_MY}|{_HAVE}) {_NEW}(?: [\w'’-]+){{0,1}}? (?:{nouns})\b"
            rf"|\b(?:{_MY}|{_HAVE}) (?:{nouns}) {_NEW}\b"
        )
        self.mine = late(rf"\b(?:{_MY}|{_HAVE}){_GAP} (?:{nouns})\b")

    def is_in(self, text: str) -> bool:
        """Whether one of its words is in a text at all: a cheap look."""
        return any(noun in text for noun in self._nouns)


@lru_cache(maxsize=1)
def _concepts() -> tuple[_Concept, ...]:
    return tuple(map(_Concept, _ONE_AT_A_TIME))


def _flat(text: str) -> str:
    return " ".join(fold(text).replace("’", "'").split())


# --- who holds a role now ---

# 'We have a new CTO, Priya.' after 'Our CTO is Mark.': whoever names the role of one with its
# article has one of it, whatever the role. Of friends, neighbours and children there are several.
_MANY = frozenset(word_list(_ROLES["many"]))
_TITLE = rf"(?:(?i:{_ROLES['title']})\.? )*"
_NAME = rf"{_TITLE}(?P<name>[A-ZÀ-Þ][\w'’-]+)"
_WHOSE = rf"(?:{_ROLES['whose']})"
_IS = rf"(?:{_ROLES['is']})"
_TIME = rf"(?:{_ROLES['now']})"
_ROLE = r"(?:(?P<of>[^\W\d_][\w-]+) )?(?P<role>[^\W\d_][\w-]+)"  # 'piano teacher'
_NEXT_NEW = rf"(?:{_ROLES['new']})"
_BEHIND = rf",| (?:{_IS})(?: {_TIME})?| (?:{_ROLES['called']})"
# What a new holder is told by: new, now, or who took over.
_TELLS_NEXT = Needing(
    rf"\b(?:{_NEXT_NEW}|{_TIME}|{_ROLES['takes over']})\b",
    re.IGNORECASE,
    _ROLES["next needs"].split("|"),
)
_NEXT_HOLDERS = (
    # 'our new trainer is Max', 'a new CTO, Priya', 'nuestra nueva profesora se llama Inés'
    late(
        rf"\b(?i:{_NEXT_NEW}) {_ROLE}(?i:,| (?:{_IS})(?: {_TIME})?| (?:{_ROLES['called']})) {_NAME}"
    ),
    late(rf"\b(?i:{_WHOSE}) {_ROLE} (?i:{_NEXT_NEW}) (?i:{_IS}) {_NAME}"),
    # 'Priya is our new CTO'
    late(rf"{_NAME} (?i:{_IS}) (?i:{_TIME} )?(?i:{_WHOSE}) (?i:{_NEXT_NEW}) {_ROLE}"),
    # 'my doctor is now Dr. Roth', 'Mein Trainer ist jetzt Max', 'since May the chair is Ada'
    late(rf"\b(?i:{_WHOSE}) {_ROLE} (?i:{_IS}) (?i:{_TIME}) {_NAME}"),
    late(rf"\b(?i:{_WHOSE}) {_ROLE} (?i:{_IS}) {_NAME}(?: [A-ZÀ-Þ][\w'’-]+)? (?i:{_TIME})\b"),
    # 'Priya is our CTO now'
    late(rf"{_NAME} (?i:{_IS}) (?i:{_TIME} )(?i:{_WHOSE}) {_ROLE}"),
    late(rf"{_NAME} (?i:{_IS}) (?i:{_WHOSE}) {_ROLE} (?i:{_TIME})\b"),
    # 'Priya has taken over as CTO'
    late(rf"{_NAME} (?i:{_ROLES['takes over']}) (?:(?i:{_WHOSE}) )?{_ROLE}"),
)
_HOLDERS = (
    late(rf"(?:^|[,;:.] )(?i:{_WHOSE}) {_ROLE} (?i:{_IS}) {_NAME}"),
    late(rf"^{_NAME}(?: [A-ZÀ-Þ][\w'’-]+)? (?i:{_IS}) (?i:{_WHOSE}) {_ROLE}\b"),
    late(rf"\b(?i:{_NEXT_NEW}) {_ROLE}(?:,| (?i:{_IS})| (?i:{_ROLES['called']})) {_NAME}"),
)
_MOST_HOLDER = 12  # words of a statement that tells who holds a role and little else


def names_next_holder(old: str, new: str) -> bool:
    """Whether the new statement names who holds a role now, and the old one somebody else in it."""
    found = _next_holder(new)
    if not found:
        return False
    role, name = found
    before = _holder(old)
    if not before or before[1] == name or name in fold(old).split():
        return False
    return before[0].split()[:-1] == role.split()[:-1] and alike(before[0], role)


def tells_holder(text: str) -> bool:
    """Whether a statement tells who somebody's doctor or boss is, and no more."""
    return len(text.split()) <= _MOST_HOLDER and bool(_holder(text))


@lru_cache(maxsize=REMEMBERED_TEXTS)
def _next_holder(text: str) -> tuple[str, str] | None:
    if not _TELLS_NEXT.search(text):
        return None
    return _first(_NEXT_HOLDERS, text)


@lru_cache(maxsize=REMEMBERED_TEXTS)
def _holder(text: str) -> tuple[str, str] | None:
    return _first(_HOLDERS, text)


def _first(patterns: tuple[re.Pattern[str], ...], text: str) -> tuple[str, str] | None:
    """(role, name), folded, by the first pattern that fits; a role of several people is none."""
    plain = text.replace("’", "'")
    for pattern in patterns:
        found = pattern.search(plain)
        if found is not None:
            role, name = fold(found["role"]), fold(found["name"]).removesuffix("'s")
            if fold_accents(role) not in _MANY and role != name:
                return f"{fold(found['of'] or '')} {role}".strip(), name
    return None
