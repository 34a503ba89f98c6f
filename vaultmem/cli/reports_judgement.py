"""Why sentences are kept or not, as lines a person reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vaultmem.base import TYPE_CHECKING
from vaultmem.cli.note_lines import one_line

if TYPE_CHECKING:
    from vaultmem.judgement import Explained
    from vaultmem.model import Remembered

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
