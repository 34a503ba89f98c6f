"""What waits until the person has looked at it."""

from __future__ import annotations

from vaultmem import review
from vaultmem.api.opened import Facet, deprecated_call
from vaultmem.base import TYPE_CHECKING

if TYPE_CHECKING:
    from vaultmem.model import Reviewed, Waiting


class Review(Facet):
    """`memory.review`: items from outside."""

    def waiting(self) -> tuple[Waiting, ...]:
        """Items from outside that wait until the person has looked at them."""
        return review.waiting(self._parts)

    def approve(self, *refs: str, everything: bool = False) -> Reviewed:
        """Vouch for notes by id, path or name, in one commit: they count as the person's words.

        everything  all that waits. To be called for a person only: it is what raises trust.
        """
        return review.approve(self._parts, refs, everything=everything)

    def reject(self, *refs: str, everything: bool = False) -> Reviewed:
        """Retract items that wait, in one commit."""
        return review.reject(self._parts, refs, everything=everything)

    __call__ = deprecated_call(waiting)
