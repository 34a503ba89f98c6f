"""Whether a quotation really stands in the source: the test that every draft has to pass."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from vaultmem.model.drafts import Draft, Rejected, Turn


def is_grounded(quote: str, text: str) -> bool:
    """Whether `quote` is one contiguous span of `text`, white space aside; never when empty."""
    if not quote.strip():
        return False
    return quote in text or " ".join(quote.split()) in " ".join(text.split())


def keep_grounded(
    drafts: Iterable[Draft], turns: Sequence[Turn]
) -> tuple[tuple[Draft, ...], tuple[Rejected, ...]]:
    """The drafts whose quote stands in one turn, and the others as rejections.

    A quote is looked for in the turn that the draft names, behind the one before it, and only
    then elsewhere: a long text is not searched from its beginning for each of its sentences.
    """
    kept, refused = [], []
    places: dict[int, int] = {}  # where the last quote of a turn was found
    for draft in drafts:
        number = draft.turn
        if number is not None and draft.quote.strip():
            place = turns[number].text.find(draft.quote, places.get(number, 0))
            if place >= 0:
                places[number] = place
                kept.append(draft)
                continue
        if any(is_grounded(draft.quote, turn.text) for turn in turns):
            kept.append(draft)
        else:
            refused.append(Rejected(text=draft.statement, rule="not-grounded"))
    return tuple(kept), tuple(refused)
