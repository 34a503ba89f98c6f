"""The tense of the clause that tells a date: whether its day was, or is still to come. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem.base import late
from vaultmem.language.dates import english as dw
from vaultmem.language.time import SPOKEN_WORD
from vaultmem.language.vocabulary import word_list

_GETTING = frozenset(("get", "gets", "getting", "having", "will", "be", "going", "gonna", "i'll"))
_STILL = frozenset(word_list("get gets getting need has it's that's he's she's there's im"))
_REACH = 6  # words before a participle in which 'getting' makes it one that is still to come
_TO_DO = frozenset(
    word_list("decided plan plans planning planned want hope hoping agreed due booked")
)
_LEAST_GOING = 4  # letters of 'seein'; not 'in'


def english_tense(lower: str, left: tuple[int, int], right: tuple[int, int]) -> int:
    """-1 past, 1 ahead, 0 unknown. 'Getting the knee replaced' is still to come."""
    words = [found.group() for found in SPOKEN_WORD.finditer(lower, *left)]
    if words and words[-1].endswith(("'s", "'re")):
        return 1  # 'picture day's 29 October'
    for place in range(len(words) - 1, -1, -1):
        cue = _english_cue(words, place)
        if cue:
            return cue
    words = [found.group() for found in SPOKEN_WORD.finditer(lower, *right)]
    return next((cue for place in range(len(words)) if (cue := _english_cue(words, place))), 0)


def _english_cue(words: Sequence[str], place: int) -> int:
    word = words[place]
    is_ed = word.endswith("ed") and len(word) > 3 and word not in dw.NOT_PAST
    if word in dw.PAST or is_ed:
        before = words[max(0, place - _REACH) : place]
        if word == "got" and before[-1:] and before[-1] in dw.PERFECT:
            return 0
        be = is_ed and before[-1:] and before[-1] in dw.BE_PRESENT
        return 1 if be or not _GETTING.isdisjoint(before) else -1
    if place and word.rstrip("'").endswith(("ing", "in")) and len(word) > _LEAST_GOING:
        now = words[place - 1]  # 'she called, they're seeing me on 28 April'
        if now.endswith(("'re", "'m")) or now in dw.BE_PRESENT:
            return 1
    if word == "to" and place and words[place - 1] in _TO_DO:
        return 1  # 'we've decided to go in July'
    if word == "have":
        return 1 if place + 1 < len(words) and words[place + 1] in ("to", "a", "an", "my") else 0
    return 1 if word in dw.FUTURE or word in _STILL or dw.is_order(words, place) else 0


# 'I've booked the ferry, we sail on 9 May', 'J'ai pris des billets, on part le 9 août': who is
# named behind the comma does what the date tells, and what was booked says nothing of when. In
# Italian the verb alone says 'we'; 'salimos' is past, too, but for whom tickets were booked.
_OWN_CLAUSE = late(
    r",\s+(?=(?:(?:and|so|und|also|et|donc|y|e|en|dus)\s+)?(?:(?:i|we|they|he|she|it|you|ich|wir|er|sie"
    r"|man|je|nous|on|il|elle|ils|elles|ik|wij|hij|ze|yo|nosotros|nosotras|io|noi|eu|nós|a gente)\s"
    r"(?!(?:hab|habe|haben|hat|hatten?|bin|ist|sind|waren?|heb|hebben|heeft|ben|zijn|is)\s)"
    r"|(?:i|we|they|he|she|it|you)'(?:re|ll|m|s)\s|j'|(?:ci )?[a-zà-ÿ]{2,}iamo\s"
    r"|(?P<booked>(?:nos )?[a-zà-ÿ]{2,}[aei]mos\s)))"
)
_BOOKED = late(
    r"\b(?:billetes?|boletos?|entradas?|pasajes?|reserv\w+|vuelos?|bilhetes?|passage(?:m|ns)|ingressos?"
    r"|compr\w+|voos?)\b"
)


def start_of_clause(lower: str, low: int, at: int) -> int:
    """Where the clause of a date begins that stands at `at`, not before `low`.

    A clause with a subject of its own begins behind its comma; not one in the perfect, whose
    participle may stand behind the date.
    """
    last = low
    for found in _OWN_CLAUSE.finditer(lower, low, at):
        if not found["booked"] or _BOOKED.search(lower, low, found.start()):
            last = found.end()
    return last
