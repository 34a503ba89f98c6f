"""The part of `Memory` that changes facts: four operations on an item or a slot."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from vaultmem import devices, edit, facts, forget, maintain, model, transfer, vault
from vaultmem.api.opened import OwnedParts
from vaultmem.base import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from vaultmem.model import (
        Aged,
        Changed,
        Cleared,
        Clock,
        Exchanged,
        Exported,
        Forgotten,
        Imported,
        InitReport,
        Progress,
        Purged,
    )


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

        at = self._instant(effective)
        wanted = facts.want_new("change", words, statement=statement, at=at, writer=writer)
        return edit.carry_out(self._parts, wanted, dry_run=dry_run)

    def correct(
        self, *words: str, statement: str = "", writer: str = "person", dry_run: bool = False
    ) -> Changed:
        """The record was wrong: as `change`, but the same item says it, for all of its time."""

        wanted = facts.want_new("correct", words, statement=statement, at=None, writer=writer)
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
        """`change`; with `retroactive` (then without `effective`) `correct`."""
        if retroactive:
            facts.require_no_date(self._instant(effective))
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

        wanted = facts.want_end("expire", words, at=self._instant(until), writer=writer)
        return edit.carry_out(self._parts, wanted, dry_run=dry_run)

    def retract(self, *words: str, writer: str = "person", dry_run: bool = False) -> Changed:
        """It was never true: `retract(item)`, `retract(subject, predicate[, value])`."""

        wanted = facts.want_end("retract", words, at=None, writer=writer)
        return edit.carry_out(self._parts, wanted, dry_run=dry_run)


# The part of `Memory` that carries a memory elsewhere, brings one in, and empties one.


class CarryingMemory(OwnedParts):
    """What taking a memory with you needs; the rest is in `Memory`."""

    def export(
        self,
        target: str | Path | IO[bytes],
        *,
        since: int | str | None = None,
        force: bool = False,
        progress: Progress | None = None,
    ) -> Exported:
        """Write the memory into one JSON document (docs/carrying.md); the vault is not changed.

        target  a file, written whole or not at all, or a binary stream
        since   only what was recorded from this instant on (UTC ms, or a text such as 'last week'),
                or is not committed yet
        force   write over a file that is there
        raises  CannotCreateError, BadInputError for a place of the vault's own, StaleFileError,
                HistoryIncompleteError for `since` in a shallow clone
        """

        place = Path(target) if isinstance(target, str) else target
        return transfer.export(
            self._parts, place, since=self._instant(since), force=force, progress=progress
        )

    def import_from(
        self,
        source: str | Path | bytes,
        *,
        writer: str = "import",
        secrets: str | None = None,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> Imported:
        """Take in a document that `export` wrote, in one commit; twice is as once.

        source   a file, or the document itself
        writer   who vouches for it: person, agent, import or web (`vaultmem help trust`)
        secrets  what to do about secrets in it: block, redact, allow; None: as the settings say
        dry_run  change nothing, only say what would be done
        raises   BadInputError when nothing of it can be read; entries that cannot be used are
                 skipped and named
        """

        data = source if isinstance(source, bytes) else transfer.read_file(Path(source))
        return transfer.import_document(
            self._parts, data, writer=writer, secrets=secrets, dry_run=dry_run, progress=progress
        )

    def clear(self, *, dry_run: bool = False) -> Cleared:
        """Take all items and resources out, with their lines in streams and categories.

        One commit, which `undo` takes back; the history still has all of it. What the person wrote
        between those lines, and pages of their own, stay.
        dry_run  change nothing, only count
        raises   UncommittedError: a file that would go has words that are in no commit
        """

        return forget.clear(self._parts, dry_run=dry_run)


# The part of `Memory` that speaks to a git remote.


class ExchangingMemory(OwnedParts):
    """What several devices need; the rest is in `Memory`."""

    @classmethod
    def receive(
        cls,
        url: str,
        path: str | Path,
        *,
        branch: str = "main",
        clock: Clock | None = None,
        progress: Progress | None = None,
    ) -> InitReport:
        """Make the vault that a remote holds in a new folder of this device, and pin the remote."""

        if clock is None:
            clock = model.SystemClock()
        return devices.receive(url, Path(path), branch=branch, clock=clock, progress=progress)

    def pull(
        self,
        *,
        accept: Collection[str] = (),
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> Exchanged:
        """Take in what the pinned remote has that this vault has not, merged with what is here.

        accept  'deletions': also when much of the vault goes by it; 'rewrite': also when the
                remote's branch was rewritten or set back
        raises  NoRemoteError, RemoteUnreachableError, RemoteDeniedError, IncomingRefusedError
        """

        wanted = devices.Wanted(accept=frozenset(accept), dry_run=dry_run)
        return devices.exchange(self._parts, wanted, progress=progress)

    def push(
        self,
        *,
        accept: Collection[str] = (),
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> Exchanged:
        """As `pull`, then send what the remote has not."""

        wanted = devices.Wanted(push=True, accept=frozenset(accept), dry_run=dry_run)
        return devices.exchange(self._parts, wanted, progress=progress)


# The part of `Memory` that forgets and erases.


class ForgettingMemory(OwnedParts):
    """`forget` can be taken back; what is purged is gone."""

    def forget(
        self, *refs: str, source: str = "", match: str = "", dry_run: bool = False
    ) -> Forgotten:
        """Take notes out of the vault and of recall, in one commit; `undo` brings them back.

        refs     items or resources, by id, path or name
        source   a resource: it goes with every item that came from it
        match    every item and resource that holds this text, whatever its case and spacing
        dry_run  only say what would go
        raises   UnknownNoteError, BadInputError; nothing is changed then

        The text stays in the history: `purge` erases it.
        """

        return forget.forget(
            self._parts, forget.Wish(refs=refs, source=source, match=match), dry_run=dry_run
        )

    def aged(self, *, days: int | None = None) -> Aged:
        """Events and texts that the vault has had for more than so many days, the oldest first.

        Nothing is changed: hand their ids to `forget` or `purge`. Pinned and hard items, and the
        texts that these came from, are not among them.
        days  None: `privacy.retention_days`; 0: nothing is too old
        """

        return maintain.aged(self._parts, days=days)

    def purge(
        self,
        *refs: str,
        source: str = "",
        match: str = "",
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> Purged:
        """Erase notes and what they say from every version and every store, and prove it.

        refs     items or resources, by id, path or name; also such that only the history has
        source   a resource: it goes with every item that came from it
        match    this text, wherever it stands, whatever its case, spacing and accents
        dry_run  only say what would go
        returns  with `places` empty: nothing of it is left on this device
        raises   UnknownNoteError, BadInputError, BusyError (a watcher runs), HistoryError;
                 nothing is changed then

        It cannot be taken back, and commit ids change. Ids, dates and record times of all else
        stay. Remotes and other devices keep what they have: `remotes` names them.
        """

        wish = forget.Wish(refs=refs, source=source, match=match)
        return forget.purge(self._parts, wish, dry_run=dry_run, progress=progress)

    def lift(self) -> bool:
        """Let texts that were erased on this device be kept again; whether there were any."""

        return vault.Erased(self._parts.settings).lift()
