"""Which known statements a new one puts an end to, or makes doubtful. Pure.

The caller hands in what shares rare words with the new statement (an index nominates them); here
the learned model of change decides, and a wrong end counts as worse than a missed one: what is
sure ends, what is likely is marked "may be out of date", all else stands beside.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from vaultmem.frozen import NamedTuple
from vaultmem.judgement.change import Change, judge_change, rarity, threshold
from vaultmem.judgement.features import is_form, tokens_of
from vaultmem.judgement.linear import Weights, weights

END, FLAG = "end", "flag"
# The model of change ends nothing yet: on statements of one sentence ("I work at Siemens.", "I
# don't work at Bosch anymore.") it is as sure when it is wrong. What it finds is marked.
_SURE_ENOUGH = False
MOST_FLAGGED = 2
"""Known statements that one new one makes doubtful: a mark that stands everywhere says nothing."""
_LEAST_SHARED = 0.35  # rarity, 0 to 1, of the rarest word that both must share

_COMMON_WORDS = """
    use uses used using let lets let's instead going get got getting make makes take
    takes want wants need needs also still already really actually only please thanks
"""
# Verbs and turns of phrase that name no topic, however rare they are where the model learned
# ('use' .56, 'let' .68): "Not FastAPI, use Starlette." and "Let's use SQLite." are of two.
_NO_TOPIC = frozenset(_COMMON_WORDS.split())


class Known(NamedTuple):
    """A statement that holds, as it is compared."""

    statement: str
    said_after: str = ""
    critical: str = ""
    is_hard: bool = False


class Outcome(NamedTuple):
    """What a new statement does to the known one at `place`: END or FLAG, and how sure (0 to 1)."""

    place: int
    what: str
    odds: float
    relation: str


def outcomes(statement: str, known: Sequence[Known], *, said_after: str = "") -> list[Outcome]:
    """What becomes of known statements when a new one is said, the surest first.

    said_after  the words just before the new one, which may name what it is about
    """
    found = []
    for place, each in enumerate(known):
        shared = rarest_shared(each, statement, said_after)
        if shared < _LEAST_SHARED:
            continue
        change = _change(each, statement, said_after)
        odds = change.over
        # What a life hangs on is never ended by likeness of words: the person is asked.
        may_end = not (each.critical or each.is_hard) and _SURE_ENOUGH
        if may_end and odds >= threshold("end"):
            found.append(Outcome(place, END, odds, change.relation))
        elif odds >= threshold("flag"):
            found.append(Outcome(place, FLAG, odds, change.relation))
    found.sort(key=lambda each: (-each.odds, each.place))
    ended = [each for each in found if each.what == END]
    flagged = [each for each in found if each.what == FLAG]
    return ended + flagged[:MOST_FLAGGED]


def _change(known: Known, statement: str, said_after: str) -> Change:
    """The surer of two readings: by themselves, and each with the words before it."""
    bare = judge_change(known.statement, statement)
    if not (said_after or known.said_after):
        return bare
    whole = judge_change(
        f"{known.said_after} {known.statement}".strip(), f"{said_after} {statement}".strip()
    )
    return max(bare, whole, key=lambda change: change.over)


def rarest_shared(known: Known, statement: str, said_after: str) -> float:
    """How rare (0 to 1) the rarest word is that both name in some form; 0: they share none.

    One of them names it itself: of what was said before both, nothing follows for either ('Let's
    use SQLite.' and 'I no longer use Vim.', each after a question about the same room).
    """
    read = weights("pairs")
    said, before = set(tokens_of(known.statement).low), set(tokens_of(known.said_after).low)
    return max(
        _rarest(read, set(tokens_of(statement).low), said | before),
        _rarest(read, set(tokens_of(said_after).low), said),
    )


def _rarest(read: Weights, here: Collection[str], there: Collection[str]) -> float:
    """How rare the rarest word of the one is that the other has in some form, 0 to 1."""
    best = 0.0
    for word in here:
        if len(word) < 3 or word[0].isdigit() or word in _NO_TOPIC:
            continue
        rare = rarity(read, word)
        if rare > best and (word in there or any(is_form(word, other) for other in there)):
            best = rare
    return best
