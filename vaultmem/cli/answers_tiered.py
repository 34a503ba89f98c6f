"""How deep a question was read, as lines a person reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from vaultmem.base import TYPE_CHECKING

if TYPE_CHECKING:
    from vaultmem.model import Answer, Passage, Sufficiency, Tier, Tiered

_MOST_NAMES = 6  # of categories that are written out
_MOST_BESIDE = 3  # summaries shown beneath items or texts


def tier_lines(depth: Tiered) -> Iterator[str]:
    """Which tier answered, then a line for each that was read."""
    yield f"answered by the {depth.answered_by}" if depth.answered_by else "answered by no tier"
    width = max(len(tier.name) for tier in depth.tiers)
    for tier in depth.tiers:
        yield f"  {tier.name:<{width}}  {_tier(tier, depth)}"


def _tier(tier: Tier, depth: Tiered) -> str:
    if tier.name == "categories":
        return _categories(depth)
    if not tier.notes:
        return "none holds a word of it" if tier.name == "summaries" else "nothing found"
    noun = "word" if len(depth.words) == 1 else "words"
    share = f"{len(tier.held)} of {len(depth.words)} {noun} ({tier.coverage:.0%})"
    what = "" if tier.name == "summaries" else " found"
    held = f"{tier.notes}{what}, with {share}"
    if tier.held:
        held += f": {', '.join(tier.held)}"
    said = next((each for each in depth.judged if each.tier == tier.name), None)
    if said is not None:
        held += f"; {_verdict_line(said)}"
    elif tier.name == "summaries" and depth.answered_by != "summaries":
        whose = "" if depth.are_named else " in one of them"
        held += f"; {depth.needed:.0%} are needed{whose}"
    return held


def _verdict_line(said: Sufficiency) -> str:
    """What the model says of a tier; where it says nothing of use, that words decided."""
    if said.enough is None:
        return f"judged by words, without the model: {said.why}"
    return f"{said.by} says that is enough" if said.enough else f"{said.by} wants more"


def _categories(depth: Tiered) -> str:
    count = len(depth.categories)
    if not count:
        return "none"
    if not depth.are_named:
        return f"the question names none: all {count}"
    names = ", ".join(depth.categories[:_MOST_NAMES])
    return f"the question names {names}" + (", …" if count > _MOST_NAMES else "")


def beside_lines(answer: Answer, line: Callable[[Passage], str]) -> Iterator[str]:
    """What summaries say of it beside the hits, without what these say themselves."""
    if answer.tiered is None:
        return
    said = {hit.note.statement.casefold() for hit in answer.hits}
    said.update(passage.text.casefold() for hit in answer.hits for passage in hit.passages)
    for hit in answer.tiered.summaries[:_MOST_BESIDE]:
        new = [each for each in hit.passages if each.text.casefold() not in said]
        if new:
            yield ""
            yield f"beside it, {hit.note.title} ({hit.note.path}) says:"
            yield from (f"   > {line(passage)}" for passage in new)
