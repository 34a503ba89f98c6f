"""Which known statements a new one puts an end to, or makes doubtful. Pure.

The caller hands in what shares rare words with the new statement (an index nominates them); here
the learned model of change decides, and a wrong end counts as worse than a missed one: what the
new one says in so many words (`aspects.py`) ends, what is likely is marked "may be out of date",
all else stands beside.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from vaultmem.frozen import NamedTuple
from vaultmem.judgement.aspects import (
    CHANGES,
    CORRECTS,
    ENDS,
    SAME_THING,
    Evidence,
    are_of_two,
    aspects,
    evidence,
    is_lasting,
    names_other_day,
    tells_more,
)
from vaultmem.judgement.change import Change, judge_change, threshold
from vaultmem.judgement.features import is_form, tokens_of
from vaultmem.judgement.linear import Weights, rarity, weights
from vaultmem.patterns import late

END, FLAG = "end", "flag"
MOST_FLAGGED = 2
"""Known statements that the words of a new one make doubtful; what is only likely is the one that
it is nearest: a mark that stands everywhere says nothing."""
_SOME, _LITTLE = 0.25, 0.2  # share of what one of a pair is about that the other names, too
_HALF = 0.5  # of the odds that flag: with words that show it, less is enough
_DOSE = late(r"\d\s*(?:mg|mcg|µg|g|ml|iu|units?|einheiten|unit(?:é|à)s?|unidades)\b", re.I)
_REASON = late(
    r"\b(?:because|since it|weil|porque|ya que|parce qu|puisqu|perché|omdat|pois)\b", re.IGNORECASE
)
_LEAST_SHARED = 0.35  # rarity, 0 to 1, of the rarest word that both must share

_COMMON_WORDS = """
    use uses used using let lets let's instead going get got getting make makes take
    takes want wants need needs also still already really actually only please thanks
    number nummer numero numéro número
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
    """What a new statement does to the known one at `place`: END or FLAG, and how sure (0 to 1).

    why     what shows that it is over; '' where only the model of change takes it for likely
    at_once  it is to be on another day: the old day is over since this was said, not on the new one
    """

    place: int
    what: str
    odds: float
    relation: str
    why: str
    at_once: bool = False


def outcomes(
    statement: str,
    known: Sequence[Known],
    *,
    said_after: str = "",
    by_rules: Sequence[bool] = (),
) -> list[Outcome]:
    """What becomes of known statements when a new one is said, the surest first.

    said_after  the words just before the new one, which may name what it is about
    by_rules    of which of the known ones rules decide, too: there the model alone says nothing
    """
    found = []
    near: dict[int, float] = {}
    for place, each in enumerate(known):
        seen = _seen(each, statement, said_after)
        if by_rules and by_rules[place] and not seen.aspect:
            continue
        if not seen.aspect and rarest_shared(each, statement, said_after) < _LEAST_SHARED:
            continue
        change = _change(each, statement, said_after)
        why = why_over(each, statement, seen, change.over)
        relation = ENDS if seen.cue == ENDS and not seen.aspect else "replaces"
        if why and not tells_more(each.statement, seen) and _may_end(each, statement, seen):
            moved = seen.valued and names_other_day(each.statement, statement)
            found.append(Outcome(place, END, change.over, relation, why, moved))
        elif why or _is_likely(each, statement, seen, change.over):
            found.append(Outcome(place, FLAG, change.over, change.relation, why))
            near[place] = change.over + max(seen.covered, seen.kept)
    found.sort(key=lambda each: (-bool(each.why), -each.odds, each.place))
    ended = [each for each in found if each.what == END]
    shown = [each for each in found if each.what == FLAG and each.why]
    likely = [each for each in found if each.what == FLAG and not each.why]
    likely.sort(key=lambda each: -near[each.place])
    return ended + shown[:MOST_FLAGGED] + likely[: 0 if shown else 1]


def why_over(known: Known, statement: str, seen: Evidence, odds: float) -> str:
    """What of a pair's words shows that the known statement is over; '': nothing that is sure.

    With the model trained without their author, this is so of 21 % of the changes in the corpus and
    of 0.9 % of the harmless pairs; odds of as many changes without words, of 2 %.
    """
    if seen.unsure or seen.strange:
        return ""
    least = threshold("flag")
    if seen.aspect:  # the model sees no common topic in 'I live in Kelso' and 'we moved to Oban'
        return f"another {seen.aspect}"
    if (seen.cue and seen.rarest < _LEAST_SHARED) or is_lasting(known.statement):
        return ""
    sure = (least + threshold("end")) / 2
    if seen.cue and seen.covered >= SAME_THING:
        if seen.cue == ENDS and odds >= least * _HALF:
            return "it says that this is over"
        if seen.cue in (CORRECTS, CHANGES) and seen.valued and odds >= least * _HALF:
            return "it names another day or number"
        if seen.cue == CORRECTS and odds >= sure:
            return "it corrects this"
    is_same = seen.kept >= SAME_THING and not are_of_two(known.statement, statement)
    if seen.valued and is_same and odds >= sure:
        return "it names another day or number"
    return ""


def _is_likely(known: Known, statement: str, seen: Evidence, odds: float) -> bool:
    """Whether the model of change makes it doubtful, where no words show that it is over.

    The model learned from pairs that somebody chose. In a vault sixteen strangers are held against
    each new sentence: of eight people's words it marked 233, of which 26 were right. What can be
    seen has its say, too: 47, of which 19 are.
    """
    if known.critical or known.is_hard or seen.strange or seen.unsure:
        return False
    if are_of_two(known.statement, statement):
        return False
    if not seen.cue and _REASON.search(statement):
        return False  # 'We sawed the pear tree because it lost a branch.' tells the old once more
    is_shown = bool(seen.cue or seen.loses)
    if is_shown and seen.covered >= _SOME:
        return odds >= threshold("flag")
    if seen.kept >= _SOME and (is_shown or seen.valued):
        return odds >= threshold("flag")
    if seen.kept >= (_LITTLE if seen.valued else _SOME):
        return odds >= (threshold("flag") + threshold("end")) / 2
    return odds >= threshold("end")


def _may_end(known: Known, statement: str, seen: Evidence) -> bool:
    """Whether words may end it: what a life hangs on only where they name another dose of it."""
    if not (known.critical or known.is_hard):
        return True
    is_dose = bool(_DOSE.search(known.statement) and _DOSE.search(statement))
    return known.critical == "health" and is_dose and seen.valued and not known.is_hard


def _seen(known: Known, statement: str, said_after: str) -> Evidence:
    """What is seen by itself, or where that is nothing, together with the words before."""
    read = weights("pairs")

    def rare(word: str) -> float:
        return rarity(read, word)

    old = f"{known.said_after} {known.statement}".strip()
    seen = evidence(known.statement, statement, rare)
    if not (said_after or known.said_after) or seen.aspect or seen.covered >= SAME_THING:
        return seen
    both = evidence(old, f"{said_after} {statement}".strip(), rare)
    is_own = not evidence(known.statement, said_after, rare).aspect and aspects(known.statement)
    return both if is_own or not both.aspect else both._replace(aspect="")


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
