"""What a model is asked about texts that it has read, before any lock is taken.

The texts are planned without writing, so that the pairs which rules leave open, the new items and
the categories are known; under the lock they are planned once more with the answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vaultmem import extract, facts
from vaultmem import vault as vaults
from vaultmem.base import TYPE_CHECKING, replace
from vaultmem.remember.advice import NOTHING, ModelAdvice

if TYPE_CHECKING:
    from pathlib import PurePosixPath

    from vaultmem.facts import Pair
    from vaultmem.model import Extraction, Opinion, Prepared, Remembered
    from vaultmem.remember.category_summaries import Rewriting
    from vaultmem.remember.take_in import PlannedText
    from vaultmem.vault import Vault


_ROUNDS = 2  # of questions: what a model keeps may meet another statement of the same text


def ask_model(
    vault: Vault, ready: Sequence[tuple[Prepared, Extraction]], *, with_summaries: bool
) -> ModelAdvice:
    """What a model that was to read texts says of their facts, new items and categories.

    Where it could not even read them, it is asked nothing more, and rules link. Where none was to
    read them, nothing.
    with_summaries  also of the categories as the texts leave them
    """
    if not any(found.read_by or found.without for _, found in ready):
        return NOTHING
    from vaultmem.remember import suggest_links as links  # saves 37 modules

    ties = links.Ties() if links.is_wanted(vault) else None
    if not any(found.read_by for _, found in ready):
        why = next((found.without for _, found in ready if found.without), "")
        return (
            NOTHING
            if ties is None or why == extract.NONE_SET
            else ModelAdvice(ties=links.Ties(why=why))
        )
    opinions = facts.Opinions()
    done = _plan_texts(vault, ready, ModelAdvice(opinions=opinions, ties=ties))
    told: tuple[Opinion, ...] = ()
    given: dict[Pair, str] = {}
    met: set[Pair] = set()
    # What a model keeps may meet other statements of the same text, so there is a second round of
    # pairs.
    for _ in range(_ROUNDS):
        wanted = {pair: each for pair, each in opinions.wanted.items() if pair not in met}
        if not wanted:
            break
        more, heard = facts.ask_about_pairs(vault, wanted)
        given, told, met = given | more, (*told, *heard), met | wanted.keys()
        opinions, ties = facts.Opinions(given), ties and links.Ties()
        done = _plan_texts(vault, ready, ModelAdvice(opinions=opinions, ties=ties))
    if ties is not None and ties.met:
        ties = links.ask_for_links(vault, [*ties.met.values()])
    return ModelAdvice(
        opinions=opinions,
        told=told,
        ties=ties,
        summaries=_summaries(vault, done) if with_summaries else {},
    )


def _plan_texts(
    vault: Vault, ready: Sequence[tuple[Prepared, Extraction]], advice: ModelAdvice
) -> list[PlannedText]:
    """The texts as they would be kept; nothing is written."""
    from vaultmem.remember.take_in import TakingIn  # saves 61 modules

    vaults.level.refresh(vault)
    session = TakingIn(vault, advice)
    return [session.add(prepared, found, with_lists=True) for prepared, found in ready]


def _summaries(vault: Vault, done: Sequence[PlannedText]) -> Mapping[PurePosixPath, Rewriting]:
    from vaultmem.remember.category_summaries import ahead as evolved  # saves 92 modules

    changes = [change for each in done if each.plan is not None for change in each.plan.changes]
    return evolved(vault, changes) if changes else {}


def with_advice(report: Remembered, advice: ModelAdvice) -> Remembered:
    """The report with what a model decided about its items, and what of that was refused."""
    if not report.items or advice is NOTHING:
        return report
    said = [item.statement for item in report.items]
    ties = advice.ties
    return replace(
        report,
        opinions=tuple(each for each in advice.told if each.new in said),
        rejected=(*report.rejected, *(ties.rejections(said) if ties is not None else ())),
        untied=ties.why if ties is not None and report.read_by else "",
    )
