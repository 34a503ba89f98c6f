"""The part of `Memory` that looks back and takes back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from vaultmem.api.opened import OwnedParts

if TYPE_CHECKING:
    from git import Repo

    from vaultmem.model.history import (
        Compacted,
        DiffReport,
        StreamsCompacted,
        Timeline,
        VersionHistory,
    )
    from vaultmem.model.ports import Progress
    from vaultmem.model.reports import Operation, Undone


class HistoryMemory(OwnedParts):
    """What was done, when and by whom, and how it is taken back; the rest is in `Memory`."""

    def log(self, ref: str | None = None, *, limit: int = 20) -> tuple[Operation, ...]:
        """Operations, newest first; those of one note, across renames, when `ref` names it."""
        from vaultmem.history.log import log

        return log(self._parts, ref, limit=limit)

    def repository(self) -> Repo:
        """The history as a repository of GitPython, for scripts: read it, write nothing with it.

        Commits are named by the ids that `log` gives; no setting or hook of the vault acts.
        """
        return self._parts.history.library()

    def gaps(self) -> tuple[str, ...]:
        """What the history lacks since it was damaged, a sentence each; `check --fix` finds it."""
        from vaultmem.check.gaps import gap_remarks

        return tuple(gap_remarks(self._parts))

    def history(
        self,
        about: str,
        predicate: str = "",
        *,
        value: str = "",
        progress: Progress | None = None,
    ) -> VersionHistory:
        """All versions of a note or of a slot (subject, predicate), superseded ones included.

        about      a note (also one that is gone), or the subject of items
        predicate  of the slot; '': all that was ever said of the subject
        value      only versions with this object
        returns    sorted by record time, then start of validity, then id; what is not committed
                   yet last
        """
        from vaultmem.history.history import history

        return history(self._parts, about, predicate, value=value, progress=progress)

    def diff(
        self,
        start: str,
        end: str = "now",
        *,
        streams: Sequence[str] = (),
        categories: Sequence[str] = (),
        progress: Progress | None = None,
    ) -> DiffReport:
        """What the memory learned, changed and dropped between two states of it.

        start, end  a date, a date-time, a phrase ('last Tuesday') or a revision
        streams, categories  only what was or is in one of these
        """
        from vaultmem.history.diff import difference

        return difference(
            self._parts,
            start,
            end,
            streams=streams,
            categories=categories,
            progress=progress,
        )

    def timeline(
        self,
        subject: str = "",
        predicate: str = "",
        *,
        streams: Sequence[str] = (),
        progress: Progress | None = None,
    ) -> Timeline:
        """When items hold: of a subject, of a slot, of streams, or all; what is retired too."""
        from vaultmem.history.timeline import timeline

        return timeline(self._parts, subject, predicate, streams=streams, progress=progress)

    def undo(self, commit: str | None = None, *, last: int = 1) -> Undone:
        """Take the last operations (or a named commit) back, by one new commit.

        last    how many, if no commit is named; edits of the person count only when named
        raises  UndoRefusedError, which names what was changed since; nothing is touched then
        """
        from vaultmem.undo.undo import undo

        return undo(self._parts, commit, last=last)

    def restore(self, ref: str, *, at: str | None = None) -> Undone:
        """Give a note the text it had at a revision or time (None: the last other text it had)."""
        from vaultmem.undo.restore import restore

        return restore(self._parts, ref, at=at)

    def compact_streams(self, budget: int, *, dry_run: bool = False) -> StreamsCompacted:
        """Archive items of the streams until the rest takes at most `budget` tokens, in one commit.

        Each stream keeps its share; pinned items and hard exceptions stay; `undo` takes it back.
        """
        from vaultmem.maintain.streams import compact_streams

        return compact_streams(self._parts, budget, dry_run=dry_run)

    def compact(
        self,
        *,
        retention_days: float | None = None,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> Compacted:
        """Retire items whose end was recorded before the retention; the history keeps them.

        retention_days  >= 0; None: `retention.superseded_days` of the settings (90)
        dry_run         only say what would go
        """
        from vaultmem.maintain.compact import compact

        return compact(
            self._parts, retention_days=retention_days, dry_run=dry_run, progress=progress
        )
