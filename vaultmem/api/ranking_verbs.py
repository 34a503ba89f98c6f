"""What a note is linked with, and what the ranking learns from judged hits."""

from __future__ import annotations

from vaultmem import learn, recall
from vaultmem.api.opened import Facet
from vaultmem.base import TYPE_CHECKING

if TYPE_CHECKING:
    from vaultmem.model import Judged, Links


class Ranking(Facet):
    """`memory.ranking`: links, and answers that were judged."""

    def links(self, ref: str) -> Links:
        """What a note is linked with, both ways, and what could be added."""
        return recall.links(self._parts, ref)

    def feedback(self, hit: str, *, accepted: bool) -> Judged:
        """Say of a hit that it answered, or did not, in one commit; the preset learns from it.

        hit     its place in the last answer of this device ('1' is the best), or the id of a note
        raises  BadInputError for what was not answered, or by a preset without weights
        """
        return learn.judge(self._parts, hit, accepted=accepted)
