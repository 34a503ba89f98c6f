"""How a fact ends: on an item or a slot."""

from __future__ import annotations

from vaultmem import edit, facts
from vaultmem.api.opened import Facet
from vaultmem.base import TYPE_CHECKING

if TYPE_CHECKING:
    from vaultmem.model import Changed


class Facts(Facet):
    """`memory.facts`: what ends a fact, beside `Memory.change` and `Memory.correct`.

    Every operation takes an item (`'i-7f3a2kq9xw'`: id, path, file name, link) or a slot.

    A slot is a subject and a predicate (`'project-x', 'uses_database'`); case, spaces, hyphens
    and underscores make no difference. Instants are UTC ms, or texts such as '2026-02-04' and
    'last Tuesday' in the vault's zone; intervals are `[from, until)`. Each is one commit; nothing
    is deleted; with `dry_run` nothing is written. Raises UnknownNoteError, BadInputError, and
    NotAllowedError for `writer="agent"` where only the person may; nothing is changed then.
    """

    def expire(
        self,
        *words: str,
        until: int | str | None = None,
        writer: str = "person",
        dry_run: bool = False,
    ) -> Changed:
        """It ended, and nothing took its place: `expire(item)` or `expire(subject, predicate)`.

        until  the first instant at which it holds no more; None: now
        A third word is the value that is meant, where the slot has several.
        """
        wanted = facts.want_end("expire", words, at=self._memory._instant(until), writer=writer)
        return edit.carry_out(self._parts, wanted, dry_run=dry_run)

    def retract(self, *words: str, writer: str = "person", dry_run: bool = False) -> Changed:
        """It was never true: `retract(item)`, `retract(subject, predicate[, value])`."""
        wanted = facts.want_end("retract", words, at=None, writer=writer)
        return edit.carry_out(self._parts, wanted, dry_run=dry_run)

    def supersede(
        self,
        *words: str,
        effective: int | str | None = None,
        retroactive: bool = False,
        statement: str = "",
        writer: str = "person",
        dry_run: bool = False,
    ) -> Changed:
        """`Memory.change`; with `retroactive` (then without `effective`) `Memory.correct`."""
        at = self._memory._instant(effective)
        if retroactive:
            facts.require_no_date(at)
        verb = "correct" if retroactive else "change"
        wanted = facts.want_new(verb, words, statement=statement, at=at, writer=writer)
        return edit.carry_out(self._parts, wanted, dry_run=dry_run)
