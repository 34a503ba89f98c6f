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
    """The drafts whose quote stands in one turn, and the others as rejections."""
    kept, refused = [], []
    for draft in drafts:
        if any(is_grounded(draft.quote, turn.text) for turn in turns):
            kept.append(draft)
        else:
            refused.append(Rejected(text=draft.statement, rule="not-grounded"))
    return tuple(kept), tuple(refused)
