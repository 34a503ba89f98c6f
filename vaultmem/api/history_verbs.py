"""What was done, when and by whom, and what was known when."""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem import check, history, undo
from vaultmem.api.opened import Facet, deprecated_call
from vaultmem.base import TYPE_CHECKING

if TYPE_CHECKING:
    from git import Repo

    from vaultmem.history import When
    from vaultmem.model import (
        DiffReport,
        Moment,
        Operation,
        Progress,
        Timeline,
        Undone,
        VersionHistory,
    )


class History(Facet):
    """`memory.history`: the past of the notes, by both clocks."""

    def of(
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
        return history.history(self._parts, about, predicate, value=value, progress=progress)

    def log(self, ref: str | None = None, *, limit: int = 20) -> tuple[Operation, ...]:
        """Operations, newest first; those of one note, across renames, when `ref` names it."""
        return history.log(self._parts, ref, limit=limit)

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
        return history.difference(
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
        return history.timeline(self._parts, subject, predicate, streams=streams, progress=progress)

    def restore(self, ref: str, *, at: str | None = None) -> Undone:
        """Give a note the text it had at a revision or time (None: the last other text it had)."""
        return undo.restore(self._parts, ref, at=at)

    def repository(self) -> Repo:
        """The history as a repository of GitPython, for scripts: read it, write nothing with it.

        Commits are named by the ids that `log` gives; no setting or hook of the vault acts.
        """
        return self._parts.history.library()

    def gaps(self) -> tuple[str, ...]:
        """What the history lacks since it was damaged, a sentence each; `check --fix` finds it."""
        return tuple(check.gap_remarks(self._parts))

    def moment(
        self,
        *,
        as_of: When | None = None,
        known_at: When | None = None,
        by_status: bool = False,
    ) -> Moment:
        """What these times mean here: the instants, and the last commit that was known then.

        by_status  of a question that names statuses: without `as_of` no valid time decides
        """
        return check.moment(self._parts, as_of=as_of, known_at=known_at, by_status=by_status)

    __call__ = deprecated_call(of)
