"""Which drafts of a text that is not the person's wait until the person has looked at them.

A text from outside that hides something or talks to an assistant gives no active item at all. Of
one that somebody nearer handed in (an import, an assistant) only the passage in question waits.
A statement from outside that gives something another value than the person did waits too.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

from vaultmem.base import TYPE_CHECKING
from vaultmem.model import UNTRUSTED, USER, Filters
from vaultmem.recall import current, disagrees
from vaultmem.safety import Hidden, claims, defang, find_hidden, reads_as_instruction, suspicion

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.model import Draft, Prepared
    from vaultmem.vault import Vault

UNTITLED = "Text from outside"
MOST_COMPARED = 20  # passages of the person's that a statement is held against
RULE = "a rule that you did not state yourself"


class Suspicions:
    """What speaks against the drafts of one text."""

    def __init__(self, vault: Vault, prepared: Prepared, whole: str) -> None:
        self._vault = vault
        self._prepared = prepared
        self._whole = whole  # against the text as a whole; '': nothing
        # A list is one passage that every item of it was taken from: it is read once.
        self._hidden: dict[str, Sequence[Hidden]] = {}
        self._orders: dict[str, str] = {}
        self._breaks: dict[str, Sequence[int]] = {}

    @classmethod
    def of(cls, vault: Vault, prepared: Prepared) -> Suspicions:
        """A text of less than the person's trust, looked through."""
        is_outside = prepared.trust == UNTRUSTED
        return cls(vault, prepared, suspicion(prepared.body) if is_outside else "")

    def title(self) -> str:
        """The title of the text, without anything that acts or talks to an assistant."""
        title = self._prepared.title
        return UNTITLED if suspicion(title) else defang(title)

    def reason(self, draft: Draft, trust: str) -> str:
        """Why the draft has to wait; '' when it need not."""
        if self._whole:
            return self._whole
        found = suspicion(draft.statement) or self._around(draft, trust)
        if not found and trust == UNTRUSTED:
            found = contradiction(self._vault, draft.statement)
        return found or (RULE if draft.kind == "rule" else "")

    def _around(self, draft: Draft, trust: str) -> str:
        """What the passage says that the draft was taken from, with what is hidden near it."""
        turns = self._prepared.turns
        turn = draft.turn
        if turn is None or not 0 <= turn < len(turns):
            turn = next((n for n, one in enumerate(turns) if draft.quote in one.text), 0)
        text = turns[turn].text if turns else self._prepared.body
        start, end = 0, len(text)
        if not self._prepared.is_conversation and trust != UNTRUSTED:
            # Looked for once a text: 1,352 bullets of one import took 8.7 s of processor when the
            # paragraph was read anew for each item, and take 1.4.
            if text not in self._breaks:
                self._breaks[text] = tuple(each.start() for each in re.finditer("\n\n", text))
            start, end = paragraph_of(text, draft.quote, breaks=self._breaks[text])
        if text not in self._hidden:
            self._hidden[text] = tuple(find_hidden(text))
        for one in self._hidden[text]:
            if one.start < end and one.end > start:
                return f"hides {one.how}"
        passage = text[start:end]
        if passage not in self._orders:
            self._orders[passage] = reads_as_instruction(passage)
        return self._orders[passage]


def contradiction(vault: Vault, statement: str) -> str:
    """What of the person's own words the statement gives another value for; '' when nothing."""
    theirs = claims(statement)
    if not theirs:
        return ""
    asked = current(Filters(trusts=(USER,)))
    found = vault.index.search(statement, limit=MOST_COMPARED, filters=asked, fuzzy=False).found
    return disagrees(theirs, [one.passage.text for one in found])


def paragraph_of(text: str, quote: str, *, breaks: Sequence[int]) -> tuple[int, int]:
    """Where the paragraph that holds the quote begins and ends; the whole text without it.

    breaks  where the empty lines of the text are, in order: looked for once, not for each item
    """
    at = text.find(quote)
    if at < 0:
        return 0, len(text)
    place = bisect_right(breaks, at)
    after = bisect_left(breaks, at + len(quote))
    start = breaks[place - 1] + 2 if place else 0
    return start, breaks[after] if after < len(breaks) else len(text)
