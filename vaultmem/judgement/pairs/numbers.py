"""Numbers in words, as an age is told: `nine`, `forty-five`, `zweiunddreißig`, `fifth`. Pure.

Of seven languages, 2 to 99, folded. One is left out: it is mostly an article ('one', 'un', 'ein').
So are words that mostly say something else: 'once' (11) and 'sei' (6) count only beside years.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from vaultmem.base import late
from vaultmem.judgement.introductions import fold_accents
from vaultmem.language import languages_of, vocabulary, word_list

# What is critical ends by another amount of it and by nothing else that words show (`_may_end`).
DOSED = (
    r"mg|mcg|µg|g|ml|iu|(?:mil+i|mi[ck]ro)gram+(?:es|os|[eios])?"
    r"|units?|einheiten|unit(?:é|à)s?|unidades"
    r"|puffs?|pufjes?|tablets?|tabletten?|pills?|pillen?|pillol[ae]|capsules?|kapseln?|drops?"
    r"|tropfen|druppels?|hübe?|huebe?|hub|bouff[ée]es?|comprim[ée]s?|g[ée]lules?|gouttes?"
    r"|pastillas?|comprimidos?|c[áa]psulas?|gotas?|inhalaci(?:ón|on|ones)|compress[ae]|gocc[ei]a?"
    r"|sprühstöße?|spruhstosse?|sachets?"
)
DOSE = late(rf"\d\s*(?:{DOSED})\b", re.I)
_UNIT = late(rf"(?:{DOSED})")
_AND = frozenset(("y", "e", "et"))
_ONE = frozenset(
    ("one", "a", "ein", "eine", "einen", "un", "une", "una", "uno", "um", "uma", "een")
)
_FURTHEST = 5  # words before a unit at which its number may begin
_HALVES = (("and", "a", "half"), ("y", "medio"), ("et", "demi"), ("e", "mezzo"), ("e", "meio"))
_WORDS_OF_TENS = {"en": "{ten}{one}", "it": "{ten}{one}"}
_ONES_FIRST = {"de": "{one}und{ten}", "nl": "{one}en{ten}"}


def number_at(words: Sequence[str], at: int) -> tuple[int, int]:
    """(the number that begins at a place, behind its last word); (0, `at`): none does.

    words  folded, without hyphens: 'forty five', 'cincuenta y tres'
    """
    word = words[at]
    if word.isdigit():
        # Four figures are a year and no age.
        return int(word) if len(word) < 4 else 0, at + 1
    found = _numbers().get(word, 0)
    if not found:
        return 0, at
    rest = words[at + 1 : at + 4]
    # 'Quatre-vingt-douze' is four twenties and twelve; word by word it would be 4.
    if word == "quatre" and rest and rest[0].startswith("vingt"):
        more, behind = number_at(words, at + 2) if len(rest) > 1 else (0, at + 2)
        return (80 + more, behind) if 0 < more < 20 else (80, at + 2)
    # 'Dix-sept' comes as two words, since hyphens were taken out.
    if word == "dix" and rest and _numbers().get(rest[0], 0) in (7, 8, 9):
        return 10 + _numbers()[rest[0]], at + 2
    if found >= 20 and found % 10 == 0 and rest:
        first = at + 2 if rest[0] in _AND and len(rest) > 1 else at + 1
        more, behind = number_at(words, first)
        # French counts on from sixty: 'soixante-quinze' is sixty and fifteen.
        if 0 < more < (20 if found == 60 else 10):
            return found + more, behind
    return found, at + 1


def has_dose(text: str) -> bool:
    """Whether a text names an amount of a medicine: '20 mg', 'five milligrams'."""
    if DOSE.search(text) is not None:
        return True
    return any(amounts(fold_accents(text).replace("-", " ").split()))


def amounts(words: Sequence[str]) -> Iterator[int]:
    """Numbers in words before the unit of a dose: 5 of 'five milligrams', 2 of 'two and a half
    milligrams'.

    words  folded
    """
    for at, word in enumerate(words):
        if word[:1].isdigit() or not _UNIT.fullmatch(word.strip(".,;:!?")):
            continue
        if at and words[at - 1] in _ONE:  # 'one tablet', 'une bouffée'
            yield 1
            continue
        for first in range(at - 1, max(at - _FURTHEST, 0) - 1, -1):
            number, behind = number_at(words, first)
            is_next = behind == at or tuple(words[behind:at]) in _HALVES
            if number and is_next and not words[first][:1].isdigit():
                yield number
                break


def is_number(word: str) -> bool:
    """Whether a folded word is a number, in figures or in words."""
    return word.isdigit() or word in _numbers()


@cache
def _numbers() -> dict[str, int]:
    found: dict[str, int] = {}
    said = {each: vocabulary("numbers", each) for each in languages_of("numbers")}
    for told in (each[name] for name in ("units", "ordinals") for each in said.values()):
        for number, word in enumerate(word_list(told), 2):
            found.setdefault(word, number)
    for language, words in said.items():
        for place, ten in enumerate(word_list(words["tens"]), 2):
            found.setdefault(ten, 10 * place)
            ones = word_list(words["units"])[:8]
            for number, one in enumerate(ones, 2):
                if language in _WORDS_OF_TENS:
                    found.setdefault(ten + one, 10 * place + number)
                elif language in _ONES_FIRST:
                    way = _ONES_FIRST[language]
                    found.setdefault(way.format(ten=ten, one=one), 10 * place + number)
    # Spanish writes 22 to 29 as one word each; from there on they are three ('treinta y dos').
    for number, one in enumerate(
        (
            "veintidos",
            "veintitres",
            "veinticuatro",
            "veinticinco",
            "veintiseis",
            "veintisiete",
            "veintiocho",
            "veintinueve",
        ),
        22,
    ):
        found[one] = number
    return found
