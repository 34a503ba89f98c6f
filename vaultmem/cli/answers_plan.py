"""How an answer came about, as lines a person reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vaultmem.base import TYPE_CHECKING

if TYPE_CHECKING:
    from vaultmem.model import AnswerPlan, Embedded, Repair


def plan_lines(plan: AnswerPlan, repairs: Sequence[Repair]) -> Iterator[str]:
    """Rounds, repaired words, words that stood for others, and what an answer takes."""
    for place, one in enumerate(plan.rounds):
        new = f", {one.new} of them new" if place else ""
        asked = "" if place else f" of {plan.passages}"
        weight = "" if one.weight == 1 else f" (counts {one.weight:.2f})"
        yield f"round {one.number}, {one.why}{weight}: {one.passages}{asked} passages{new}"
    if plan.ended:
        yield f"no more rounds: {plan.ended}"
    for repair in repairs:
        yield f"'{repair.word}' is {repair.similarity:.0%} like '{repair.used[0]}'"
    for stood in plan.stood:
        yield f"{_passages(stood.passages)} with what {_plain(stood.how)}"
    if plan.meaning:
        yield f"by meaning, too, with '{plan.meaning}'"
    if any(one.passages for one in plan.rounds):
        share = f"the best passage holds {plan.coverage:.0%} of the question's weight"
        yield share if plan.needed is None else f"{share}; {plan.needed:.0%} are needed"


def embedded_lines(embedded: Embedded) -> Iterator[str]:
    """What came of the vectors; nothing where none was new."""
    if embedded.failure:
        yield f"no vectors made: {embedded.failure}"
    elif embedded.made:
        made, all_ = embedded.made, embedded.vectors
        yield f"made {made} of {all_} vectors with '{embedded.model}'"


def _passages(count: int) -> str:
    return "1 passage" if count == 1 else f"{count} passages"


def _plain(how: str) -> str:
    """`another word for 'x'` has no verb, `goes with 'x'` has one."""
    return how if how.startswith("goes ") else f"is {how}"
