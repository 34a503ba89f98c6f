"""Why an answer, or what is kept, is as it is: what `--explain` adds, as lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from vaultmem.base import TYPE_CHECKING
from vaultmem.cli.note_lines import one_line
from vaultmem.model import pluralise

if TYPE_CHECKING:
    from vaultmem.judgement import Explained
    from vaultmem.model import (
        Answer,
        AnswerPlan,
        Embedded,
        Passage,
        Ranking,
        Remembered,
        Repair,
        Reranked,
        Sufficiency,
        Tier,
        Tiered,
    )


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
        yield f"{pluralise(stood.passages, 'passage')} with what {_plain(stood.how)}"
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


def _plain(how: str) -> str:
    """`another word for 'x'` has no verb, `goes with 'x'` has one."""
    return how if how.startswith("goes ") else f"is {how}"


# How an answer was ranked, and what a note is linked with, as lines a person reads.

_FORMULAS = {
    "never_forgets": "how well the words fit, divided by 1 + age / 30 days",
    "linked": "the ranks by words and by the graph, fused",
    "default": "words, then age",
}


def ranking_lines(ranking: Ranking) -> Iterator[str]:
    """The preset with its weights, and where these come from."""
    if ranking.weights:
        sum_ = " + ".join(f"{weight:.2f} {name}" for name, weight in ranking.weights)
        where = f"learned from {ranking.judgements} judgements" if ranking.learned else "fixed"
        sampled = "" if ranking.seed is None else f", sampled with seed {ranking.seed}"
        yield f"ranked by '{ranking.preset}': {sum_} ({where}{sampled})"
    else:
        yield f"ranked by '{ranking.preset}': {_FORMULAS[ranking.preset]}"
    if ranking.preset == "linked":
        yield f"the question names: {', '.join(ranking.entities) or 'nothing in the graph'}"
    if ranking.diverse:
        yield "of notes that say the same, the first is shown and the others wait"


def reranked_line(reranked: Reranked) -> str:
    """What the model put first, by the places they had before, or why that counts for nothing."""
    if reranked.why:
        return f"not reranked: {reranked.why}"
    shown = "1 passage" if reranked.shown == 1 else f"{reranked.shown} passages"
    if not reranked.chosen:
        return f"reranked by {reranked.by}: none of {shown} helps, the order stays"
    places = ", ".join(map(str, reranked.chosen))
    return f"reranked by {reranked.by}: of {shown} it chose number {places}"


# How deep a question was read, as lines a person reads.

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


# Why sentences are kept or not, as lines a person reads.

_MOST = 90  # characters of a sentence


def explained_lines(told: Sequence[Explained], done: Remembered) -> Iterator[str]:
    """The reasons for each sentence: rules, what the models say, and the words that told them."""
    yield "why:"
    if done.removed:
        yield "  nothing is said of a text from which a secret or personal data was taken out"
        return
    if not told:
        yield "  a document is read by rules alone; nothing in it is judged"
    for each in told:
        yield f"  {one_line(each.sentence, _MOST)}"
        yield f"    {each.decision}: {each.keep:.2f}, counts from {each.keep_from:.2f} on"
        critical = f"critical: {each.critical_kind}" if each.critical_kind else "not critical"
        yield f"    {critical}: {each.critical:.2f}, counts from {each.critical_from:.2f} on"
        yield f"    {_by_rule(each, done)}"
        for title, words in (("for it", each.words_for), ("against it", each.words_against)):
            if words:
                listed = ", ".join(f"{word} {value:+.1f}" for word, value in words)
                yield f"    {title}: {listed}"


def _by_rule(each: Explained, done: Remembered) -> str:
    said = one_line(each.sentence).rstrip(".! ")
    for item in done.items:
        if said in one_line(item.quote) or said in one_line(item.statement):
            told = "judgement alone" if item.rule.startswith("judged:") else f"rule {item.rule}"
            return f"kept as {item.kind}, by {told}"
    for rejected in done.rejected:
        if said in one_line(rejected.text) or one_line(rejected.text) in said:
            found = "no rule knows it" if rejected.rule == "no-cue" else f"rule {rejected.rule}"
            return f"not kept: {found}"
    return f"no memory of its own came of it; it would be a {each.kind}"
