"""How an answer was ranked, and what a note is linked with, as lines a person reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vaultmem.base import TYPE_CHECKING
from vaultmem.cli.note_lines import list_lines

if TYPE_CHECKING:
    from vaultmem.model import Judged, LinkedNote, Links, Ranking

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


def links_lines(found: Links, zone: str) -> Iterator[str]:
    """What a note is linked with, and what could be added."""
    yield from list_lines([found.note], zone)
    shown = False
    for title, notes in (
        ("links to", found.outgoing),
        ("linked by", found.incoming),
        ("could link to", found.proposed),
    ):
        if notes:
            shown = True
            yield ""
            yield f"{title}:"
            yield from _link_lines(notes, zone)
    if found.entities:
        yield ""
        yield f"names: {', '.join(found.entities)}"
    elif not shown:
        yield "no links, and nothing alike to link to"


def _link_lines(notes: Sequence[LinkedNote], zone: str) -> Iterator[str]:
    width = max(len(one.relation) for one in notes)
    for one, line in zip(notes, list_lines([one.note for one in notes], zone), strict=True):
        reason = f"  ({one.reason})" if one.reason else ""
        yield f"  {one.relation:<{width}}  {line}{reason}"


def judged_lines(judged: Judged) -> Iterator[str]:
    """What a judgement counts for."""
    word = "accepted" if judged.accepted else "rejected"
    shares = ", ".join(f"{name} {share:.0%}" for name, share in judged.credit)
    yield f"{word} {judged.note or 'a note'} (commit {judged.commit[:8]})"
    yield f"credit: {shares}"
    left = judged.needed - judged.judgements
    if left > 0:
        yield f"'{judged.preset}' keeps its fixed weights; it learns after {left} more"
    else:
        yield f"'{judged.preset}' learns from {judged.judgements} judgements"
