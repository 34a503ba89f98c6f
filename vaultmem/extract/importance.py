"""How much a statement matters, 1 to 10, from signals in its words (Park et al. 2023, 3.1).

The signals and points are those of the project's algorithm 5.4; they add up to 14 and are clamped.
"""

from __future__ import annotations

from collections.abc import Collection

from vaultmem.base.records import dataclass
from vaultmem.extract.cues.lexicon import EMOTIONS, words
from vaultmem.extract.cues.patterns import Tokens, tokens_of
from vaultmem.extract.names import names_in
from vaultmem.extract.sentences import mask_inline

POINTS = {
    "named_entity": 2,
    "emotion": 2,
    "future_intent": 3,
    "preference": 3,
    "repeated": 4,
}
ASK_ABOVE = 3  # strictly: for a lone preference no model is asked
EXPLICIT_BONUS = 3  # the person asked for it to be kept

_FUTURE = words("will gonna wanna tomorrow planning intend intends shall")
_TO_VERB = words("want wants plan plans hope hopes going intend aim aims")
_PREFERENCE = words("prefer prefers preferred favorite favourite always never preference rather")


@dataclass(frozen=True, slots=True, kw_only=True)
class Importance:
    """The sum of the points, the value to store, and whether a model should look again."""

    raw: int  # 0..14
    value: int  # 1..10
    llm_scoring: bool


def score(signals: Collection[str], *, ask_above: int = ASK_ABOVE) -> Importance:
    """The importance that signals (names of POINTS) give; none is 1.

    ask_above  points (0 to 14) above which a model's opinion counts in its place
    """
    raw = sum(POINTS[signal] for signal in set(signals))
    return Importance(raw=raw, value=min(max(raw, 1), 10), llm_scoring=raw > ask_above)


def signals_in(text: str, *, sessions: int = 1) -> frozenset[str]:
    """The signals of an English text; `sessions` is in how many sessions it was said."""
    return signals_of(tokens_of(mask_inline(text)), sessions=sessions)


def signals_of(
    tokens: Tokens, *, sessions: int = 1, names: Collection[str] | None = None
) -> frozenset[str]:
    """As `signals_in`, of words; `names` when they are known already."""
    found = set()
    present = tokens.present
    if names if names is not None else names_in(tokens):
        found.add("named_entity")
    if present & EMOTIONS:
        found.add("emotion")
    if present & _PREFERENCE:
        found.add("preference")
    if present & _FUTURE or _intends(tokens):
        found.add("future_intent")
    if sessions > 1:
        found.add("repeated")
    return frozenset(found)


def _intends(tokens: Tokens) -> bool:
    """'want to', 'plan to', 'going to' and a verb; not 'going to Rome'."""
    return any(
        word in _TO_VERB and tokens.at(i + 1) == "to" and not tokens.is_capital(i + 2)
        for i, word in enumerate(tokens.lower)
    )
