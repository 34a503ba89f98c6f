"""What a language model did, as lines a person reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from vaultmem.cli.note_lines import one_line

if TYPE_CHECKING:
    from vaultmem.model.reports import Remembered
    from vaultmem.model.talks.sessions import SessionEnded
    from vaultmem.model.talks.summaries import Evolved, Opinion

_DECIDED = {"supersede": "takes the place of", "update": "says more of", "coexist": "stands beside"}


def model_lines(done: Remembered | SessionEnded) -> Iterator[str]:
    """What a language model did with a text, and where rules stood in for it."""
    if done.without:
        yield f"! read by rules, without the model: {one_line(done.without)}"
    if done.untied:
        yield f"! linked by rules, without the model: {one_line(done.untied)}"
    yield from opinion_lines(done.opinions)
    yield from evolved_lines(done.summaries)


def opinion_lines(opinions: Sequence[Opinion]) -> Iterator[str]:
    """What a model decided between facts, and where it did not."""
    for each in opinions:
        new, known = one_line(each.new, 60), one_line(each.known, 60)
        if each.decision == "undecided":
            yield f"! both are kept, '{new}' and '{known}': {one_line(each.why)}"
        else:
            yield f"~ the model decided: '{new}' {_DECIDED[each.decision]} '{known}'"


def evolved_lines(summaries: Sequence[Evolved]) -> Iterator[str]:
    """What became of summaries; those that stay as they are for want of anything new, nothing."""
    for evolved in summaries:
        if evolved.outcome == "rewritten":
            yield f"~ summary of {evolved.path}: {_sentences(evolved)}"
        elif evolved.outcome == "kept":
            yield f"! summary of {evolved.path} is as it was: {one_line(evolved.why)}"


def _sentences(evolved: Evolved) -> str:
    count = len(evolved.sentences)
    return f"{count} sentence{'' if count == 1 else 's'}"
