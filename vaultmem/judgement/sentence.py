"""What becomes of one sentence of the person: kept or not, how much it matters, as what.

`worth` says what the models think; here are the decisions, which all ways in share (a text that is
told, a turn, a bullet, an import). Pure.
"""

from __future__ import annotations

from functools import lru_cache

from vaultmem.base import NamedTuple
from vaultmem.judgement.features import tokens_of
from vaultmem.judgement.kinds import kind_of
from vaultmem.judgement.limits import is_figure_of_speech, limit_of
from vaultmem.judgement.openings import without_opening
from vaultmem.judgement.sure import (
    is_cause,
    is_feared,
    is_grave,
    is_spelling,
    is_trade,
    lasts,
    passes,
)
from vaultmem.judgement.worth import Worth, judge_worth, threshold

# Importance by the odds that a life, safety or a hard limit is concerned. What is marked critical
# is told apart, since not all of it fits everywhere; what is a little less likely to be than those
# (a device, a diet, "never after dark") stands before what is known beside.
_OF_CRITICAL = ((0.75, 10), (0.6, 9), (0.0, 8))
_OF_NEARLY = ((0.2, 7), (0.1, 6), (0.0, 1))
_IMPORTANCE = {
    "fact": 4,
    "preference": 5,
    "decision": 5,
    "task": 5,
    "procedure": 5,
    "event": 4,
    "belief": 3,
}
# Below this share of the threshold a sentence that a rule took for a memory is left out after all.
# A rule that matches means something: .16 leaves 2 of 3 trifles that rules kept, and loses no fact.
_SURE = 0.65


class Judgement(NamedTuple):
    """What a sentence is. `keep` and `critical_odds` are probabilities, 0 to 1.

    is_worth    it is a memory, whether a rule knows it or not
    is_trifle   it is none, even if a rule takes it for one
    kind        one of worth.KINDS
    critical    health, safety or limit; '' where nobody's life or hard limit is concerned
    importance  1 to 10
    is_own      it speaks of the person ('I', 'our', 'my sister')
    """

    keep: float
    is_worth: bool
    is_trifle: bool
    kind: str
    critical: str
    critical_odds: float
    importance: int
    is_own: bool


@lru_cache(maxsize=256)  # base truth of a session is read with each of its turns
def judge_sentence(text: str) -> Judgement:
    """What one sentence is, by itself; about 1 ms."""
    worth = judge_worth(without_opening(text))
    least = threshold("keep")
    tokens = tokens_of(text)
    only_sounds = is_figure_of_speech(text) or is_trade(text, tokens)
    grave = (is_grave(text, tokens) or is_feared(text, tokens)) and not only_sounds
    critical = worth.critical_kind if worth.is_critical and not only_sounds else ""
    critical = "health" if grave else critical
    limit = limit_of(text, tokens)
    critical = critical if grave else limit or critical
    if critical == "safety" and not limit and is_cause(text):
        critical = ""
    sure = grave or bool(limit)
    is_worth = worth.keep >= least or sure or bool(critical and worth.keep >= least * _SURE)
    if not critical:
        tells = worth.keep >= least * _SURE and _tells_of_speaker(text)
        is_worth = (is_worth or tells or lasts(text)) and not passes(text, tokens)
    kind = "fact" if is_spelling(text) else kind_of(text, worth.kinds, critical)
    return Judgement(
        keep=worth.keep,
        is_worth=is_worth,
        is_trifle=not is_worth and (worth.keep < least * _SURE or passes(text, tokens)),
        kind=kind,
        critical=critical if is_worth else "",
        critical_odds=worth.critical,
        importance=_importance(worth, kind, is_critical=bool(critical and is_worth)),
        is_own=any("self" in signs for signs in tokens.signs),
    )


def _tells_of_speaker(text: str) -> bool:
    """Whether it tells where its speaker lives or works, which looks like small talk at times.

    'Today was my first day at Skye Weavers.' has .27. That it tells an end or a correction is no
    such sign: of the 21 sentences of the corpus that do, and are as unlikely, none is to be kept.
    """
    from vaultmem.judgement.aspects import HOME, JOB, told_of_speaker  # saves 5 modules

    return "?" not in text and not {HOME, JOB}.isdisjoint(told_of_speaker(text))


def _importance(worth: Worth, kind: str, *, is_critical: bool) -> int:
    steps = _OF_CRITICAL if is_critical else _OF_NEARLY
    by_odds = next(value for least, value in steps if worth.critical >= least)
    return max(by_odds, _IMPORTANCE[kind])
