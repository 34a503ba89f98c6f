"""The part of `Memory` that changes facts: four operations on an item or a slot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.api.opened import OwnedParts

if TYPE_CHECKING:
    from vaultmem.model.facts import Changed


class FactsMemory(OwnedParts):
    """Every operation takes an item (`'i-7f3a2kq9xw'`: id, path, file name, link) or a slot.

    A slot is a subject and a predicate (`'project-x', 'uses_database'`); case, spaces, hyphens
    and underscores make no difference. Instants are UTC ms, or texts such as '2026-02-04' and
    'last Tuesday' in the vault's zone; intervals are `[from, until)`. Each is one commit; nothing
    is deleted; with `dry_run` nothing is written. Raises UnknownNoteError, BadInputError, and
    NotAllowedError for `writer="agent"` where only the person may; nothing is changed then.
    """

    def change(
        self,
        *words: str,
        effective: int | str | None = None,
        statement: str = "",
        writer: str = "person",
        dry_run: bool = False,
    ) -> Changed:
        """The world changed: `change(subject, predicate, value)` or `change(item, statement)`.

        The old item ends at `effective` (None: now), a new one begins there; they are linked.
        statement  with a slot: the words of the new item; '': the old ones with the new value
        """
        from vaultmem.edit.change import carry_out
        from vaultmem.facts.operations import want_new

        at = self._instant(effective)
        wanted = want_new("change", words, statement=statement, at=at, writer=writer)
        return carry_out(self._parts, wanted, dry_run=dry_run)

    def correct(
        self, *words: str, statement: str = "", writer: str = "person", dry_run: bool = False
    ) -> Changed:
        """The record was wrong: as `change`, but the same item says it, for all of its time."""
        from vaultmem.edit.change import carry_out
        from vaultmem.facts.operations import want_new

        wanted = want_new("correct", words, statement=statement, at=None, writer=writer)
        return carry_out(self._parts, wanted, dry_run=dry_run)

    def supersede(
        self,
        *words: str,
        effective: int | str | None = None,
        retroactive: bool = False,
        statement: str = "",
        writer: str = "person",
        dry_run: bool = False,
    ) -> Changed:
        """`change`; with `retroactive` (then without `effective`) `correct`."""
        if retroactive:
            from vaultmem.facts.operations import require_no_date

            require_no_date(self._instant(effective))
            return self.correct(*words, statement=statement, writer=writer, dry_run=dry_run)
        return self.change(
            *words, effective=effective, statement=statement, writer=writer, dry_run=dry_run
        )

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
        from vaultmem.edit.change import carry_out
        from vaultmem.facts.operations import want_end

        wanted = want_end("expire", words, at=self._instant(until), writer=writer)
        return carry_out(self._parts, wanted, dry_run=dry_run)

    def retract(self, *words: str, writer: str = "person", dry_run: bool = False) -> Changed:
        """It was never true: `retract(item)`, `retract(subject, predicate[, value])`."""
        from vaultmem.edit.change import carry_out
        from vaultmem.facts.operations import want_end

        wanted = want_end("retract", words, at=None, writer=writer)
        return carry_out(self._parts, wanted, dry_run=dry_run)
