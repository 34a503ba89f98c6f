"""Bring the past level with the history: who asks about another time comes through here first.

Nothing else touches it: remembering, recalling what holds now and syncing never open the file.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from typing import TYPE_CHECKING

from vaultmem.base.errors import (
    DiskError,
    HistoryDamagedError,
    HistoryIncompleteError,
    IndexDamagedError,
)
from vaultmem.base.records import NamedTuple
from vaultmem.history import texts as past_texts
from vaultmem.model.history import effective_times

if TYPE_CHECKING:
    from vaultmem.model.ports import Progress
    from vaultmem.storage.git.log import ChainCommit
    from vaultmem.storage.index.past.adding import Arrived
    from vaultmem.storage.index.past.database import Past
    from vaultmem.vault.vault import Parts

FILE = "past.sqlite"
NAMES = (FILE, f"{FILE}-wal", f"{FILE}-shm", f"{FILE}-journal", f"{FILE}-seal")
# Commits of one transaction: a build that is interrupted goes on from the last of them.
# Small ones let the first be written while the texts of the next are read; but each child that
# is forked copies the pages that it and this process touch (2,000: 15% more of the processor).
BATCH = 5_000
_BOUNDARIES = "boundaries"
_TRIES = 5


def level(parts: Parts, *, progress: Progress | None = None, batch: int = BATCH) -> Past:
    """The versions of all notes, level with HEAD.

    batch   commits of one transaction
    raises  HistoryDamagedError where the history cannot be read
    """
    if parts.may_repeat and (parts.index.meta("head") or "") != parts.head_or(""):
        from vaultmem.vault.level import MovedOnError

        raise MovedOnError  # the index is of a moment before, so both could not be compared
    past = _opened(parts)
    try:
        _level(parts, past, progress, batch)
    except IndexDamagedError:
        parts.past = past = past.emptied()
        _level(parts, past, progress, batch)
    except DiskError:
        if past.is_copy:
            raise
        parts.past = past = past.copied()  # for this once, in memory
        _level(parts, past, progress, batch)
    return past


def searchable(parts: Parts, *, progress: Progress | None = None) -> Past:
    """`level`, with the words of all texts in its postings."""
    past = level(parts, progress=progress)
    try:
        past_texts.read_words(parts, past, progress)
    except IndexDamagedError:
        drop(parts)
        past = level(parts, progress=progress)
        past_texts.read_words(parts, past, progress)
    return past


def drop(parts: Parts) -> None:
    """Delete the file of the past; the next question about another time makes it anew."""
    from vaultmem.storage.index.store.file import delete_files

    close(parts)
    delete_files(parts.state / FILE)


def close(parts: Parts) -> None:
    """Give the file back, if it was opened."""
    if parts.past is not None:
        parts.past.close()
        parts.past = None


def _opened(parts: Parts) -> Past:
    if parts.past is None:
        from vaultmem.storage.index.past.database import Past

        settings = parts.settings
        # Other settings of these make other versions of the same commits.
        told = f"{settings.id} {settings.root} {settings.limits_note_bytes} {settings.include}"
        file, languages, zone = parts.state / FILE, settings.languages, settings.timezone
        try:
            parts.past = Past.open(file, identity=told, languages=languages, zone=zone)
        except IndexDamagedError:
            parts.past = Past.create(file, identity=told, languages=languages, zone=zone)
        except DiskError:
            parts.past = Past.copy(file, identity=told, languages=languages, zone=zone)
    return parts.past


def _level(parts: Parts, past: Past, progress: Progress | None, size: int) -> None:
    lineage = parts.history.lineage()
    head = parts.history.head() or ""
    cuts = " ".join(lineage.boundaries())
    if past.head()[0] == head and (past.meta(_BOUNDARIES) or "") == cuts and not past.missing():
        return
    for _ in range(_TRIES):
        if _advanced(parts, past, head, cuts, progress=progress, size=size):
            return
    raise HistoryDamagedError("the versions of notes cannot be put in the order of the history")


def incomplete(why: str) -> HistoryIncompleteError:
    """The error for a question about a time that this clone knows nothing of."""
    return HistoryIncompleteError(
        f"history incomplete: {why}",
        hint="`git fetch --unshallow` brings the rest of a shallow clone, a backup that of a "
        "damaged history; what holds now is answered without it",
    )


def _advanced(
    parts: Parts, past: Past, head: str, cuts: str, *, progress: Progress | None, size: int
) -> bool:
    """Add what is new; False when the past had to be taken back first, or another process wrote."""
    lineage = parts.history.lineage()
    known, _ = past.head()
    is_recut = (past.meta(_BOUNDARIES) or "") != cuts
    if is_recut or not head or _came_back(parts, past):
        with past.writing():
            past.truncate(0)
            past.set_meta(_BOUNDARIES, cuts)
        return not head
    if known == head:
        return True
    with closing(parts.history.lineage().main_line(head, since=known)) as chain:
        first = _first(parts, chain, known)
        if known and (first is None or first.parent != known):
            # Rewritten, or moved by a merge of which ours is not the first parent.
            keep = past.shared(lineage.first_parents(head))
            with past.writing():
                past.truncate(keep)
            return False
        return first is None or _add(
            parts, past, itertools.chain([first], chain), cuts.split(), progress=progress, size=size
        )


def _first(parts: Parts, chain: Iterator[ChainCommit], known: str) -> ChainCommit | None:
    """The first commit above what is known; None when that is not in the repository."""
    try:
        return next(chain, None)
    except HistoryDamagedError:
        if not known or parts.history.exists(known):
            raise
        return None


def _came_back(parts: Parts, past: Past) -> bool:
    """Whether the repository has a text now that it did not have before."""
    missing = past.missing()
    return bool(missing) and any(data is not None for _, data in parts.history.blobs(missing))


class _Batch(NamedTuple):
    """Commits on their way into the file."""

    after: str  # the commit below the first one; '': there is none
    arrived: Sequence[Arrived]
    texts: past_texts.Working


def _add(
    parts: Parts,
    past: Past,
    chain: Iterator[ChainCommit],
    cuts: Sequence[str],
    *,
    progress: Progress | None,
    size: int,
) -> bool:
    """Add commits in batches; False when another process did meanwhile.

    While one batch is written, the texts of the next ones are read, and git goes on with its log.
    """
    under_way: deque[_Batch] = deque()
    missing: dict[past_texts.Pair, str] = {}
    done = total = 0
    try:
        for batch in _batches(parts, past, chain, under_way, size=size):
            under_way.append(batch)
            if len(under_way) > past_texts.workers():
                if not _written(past, under_way.popleft(), cuts, missing):
                    return False
                if progress is not None:
                    total = total or _left(parts, past) + size
                    done += size
                    progress("reading the history", min(done, total), total)
        while under_way:
            if not _written(past, under_way.popleft(), cuts, missing):
                return False
        if progress is not None and total:
            progress("reading the history", total, total)
        return True
    finally:
        for batch in under_way:
            batch.texts.kill()


def _batches(
    parts: Parts,
    past: Past,
    chain: Iterator[ChainCommit],
    under_way: Sequence[_Batch],
    *,
    size: int,
) -> Iterator[_Batch]:
    """The commits as batches whose texts are being worked out; `under_way`: not yet written."""
    from vaultmem.storage.git.log import note_paths

    is_note = note_paths(parts.settings.include)
    after, latest = past.head()
    commits = list(islice(chain, size))
    while commits:
        times = effective_times([each.claimed_ms for each in commits], after=latest)
        arrived = [
            _arrived(each, at, is_note, _retired_by(parts, each))
            for each, at in zip(commits, times, strict=True)
        ]
        pairs = dict.fromkeys(pair for each in arrived for pair in each.changed if pair[1])
        for batch in under_way:
            for each in batch.arrived:
                for pair in each.changed:
                    pairs.pop(pair, None)
        there = past.known_texts(pairs)
        new = [pair for pair in pairs if pair not in there]
        yield _Batch(after, arrived, past_texts.Working(parts, new))
        after, latest = commits[-1].commit, times[-1]
        commits = list(islice(chain, size))


def _written(
    past: Past, batch: _Batch, cuts: Sequence[str], missing: dict[past_texts.Pair, str]
) -> bool:
    """Write a batch; False when another process wrote meanwhile.

    missing  texts whose bytes the repository does not have, of all batches so far
    """
    rows, lacking = batch.texts.result()
    missing |= lacking
    pairs = {pair for each in batch.arrived for pair in each.changed} if missing else ()
    with past.writing():
        if past.head()[0] != batch.after:
            return False
        is_cut = not batch.after and batch.arrived[0].commit in cuts
        own = {pair: missing[pair] for pair in pairs if pair in missing}
        past.add(batch.arrived, rows, missing=own, is_cut=is_cut)
    return True


def _left(parts: Parts, past: Past) -> int:
    """How many commits there are above those that are known."""
    head = parts.history.head()
    return len(parts.history.lineage().first_parents(head)) - past.length() if head else 0


def _arrived(
    each: ChainCommit, at_ms: int, is_note: Callable[[str], bool], retired: frozenset[str]
) -> Arrived:
    from vaultmem.storage.index.past.adding import Arrived

    return Arrived(
        commit=each.commit,
        at_ms=at_ms,
        op=each.trailers.get("Vaultmem-Op", ""),
        actor=each.trailers.get("Vaultmem-Actor", ""),
        source=each.trailers.get("Vaultmem-Source", ""),
        session=each.trailers.get("Vaultmem-Session", ""),
        subject=each.subject,
        changed=[pair for pair in each.changed if is_note(pair[0])],
        retired=retired,
    )


def _retired_by(parts: Parts, each: ChainCommit) -> frozenset[str]:
    """Paths that are gone because `compact` took them, here or on a device that was merged."""
    gone = frozenset(path for path, oid in each.changed if not oid)
    if not gone or each.trailers.get("Vaultmem-Op") not in ("compact", "pull"):
        return frozenset()
    if each.trailers["Vaultmem-Op"] == "compact":
        return gone
    return gone & parts.history.lineage().removed_by("compact", each.commit, since=each.parent)
