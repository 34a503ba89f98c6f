"""Bring the past level with the history: who asks about another time comes through here first.

Nothing else touches it: remembering, recalling what holds now and syncing never open the file.
"""

from __future__ import annotations

import marshal
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, TypeVar

from vaultmem.errors import (
    DiskError,
    HistoryDamagedError,
    HistoryIncompleteError,
    IndexDamagedError,
)
from vaultmem.frozen import replace
from vaultmem.model.ids import Oid, id_in_name
from vaultmem.model.versions import effective_times

if TYPE_CHECKING:
    from vaultmem.index.past import Past
    from vaultmem.index.past_adding import Arrived
    from vaultmem.index.past_tables import Row
    from vaultmem.index.preparing import Prepared
    from vaultmem.operations.parts import Parts
    from vaultmem.ports import Progress
    from vaultmem.vault.git_versions import ChainCommit

T = TypeVar("T")

FILE = "past.sqlite"
NAMES = (FILE, f"{FILE}-wal", f"{FILE}-shm", f"{FILE}-journal", f"{FILE}-seal")
# Commits of one transaction: a build that is interrupted goes on from the last of them.
BATCH = 4_000
# Texts that are worked out in this process; with more, each core gets a share.
MANY = 500
CHUNK = 2_500  # texts whose words are read in one transaction
MOST_CHILDREN = 4
_BOUNDARIES = "boundaries"
_TRIES = 5

Pair = tuple[str, str]  # path and blob id
Worked = tuple[list["Row"], list[Pair]]  # rows of texts, and the pairs that are no text at all


def level(parts: Parts, *, progress: Progress | None = None) -> Past:
    """The versions of all notes, level with HEAD.

    raises  HistoryDamagedError where the history cannot be read
    """
    past = _opened(parts)
    try:
        _level(parts, past, progress)
    except IndexDamagedError:
        parts.past = past = past.emptied()
        _level(parts, past, progress)
    except DiskError:
        if past.is_copy:
            raise
        parts.past = past = past.copied()  # for this once, in memory
        _level(parts, past, progress)
    return past


def searchable(parts: Parts, *, progress: Progress | None = None) -> Past:
    """`level`, with the words of all texts in its postings."""
    past = level(parts, progress=progress)
    try:
        _read_words(parts, past, progress)
    except IndexDamagedError:
        drop(parts)
        past = level(parts, progress=progress)
        _read_words(parts, past, progress)
    return past


def drop(parts: Parts) -> None:
    """Delete the file of the past; the next question about another time makes it anew."""
    from vaultmem.index.storage import delete_files

    close(parts)
    delete_files(parts.state / FILE)


def close(parts: Parts) -> None:
    """Give the file back, if it was opened."""
    if parts.past is not None:
        parts.past.close()
        parts.past = None


def _opened(parts: Parts) -> Past:
    if parts.past is None:
        from vaultmem.index.past import Past

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


def _level(parts: Parts, past: Past, progress: Progress | None) -> None:
    lineage = parts.history.lineage()
    head = parts.history.head() or ""
    cuts = " ".join(lineage.boundaries())
    if past.head()[0] == head and (past.meta(_BOUNDARIES) or "") == cuts and not past.missing():
        return
    for _ in range(_TRIES):
        if _advanced(parts, past, head, cuts, progress):
            return
    raise HistoryDamagedError("the versions of notes cannot be put in the order of the history")


def incomplete(why: str) -> HistoryIncompleteError:
    """The error for a question about a time that this clone knows nothing of."""
    return HistoryIncompleteError(
        f"history incomplete: {why}",
        hint="`git fetch --unshallow` brings the rest; what holds now is answered without it",
    )


def _advanced(parts: Parts, past: Past, head: str, cuts: str, progress: Progress | None) -> bool:
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
    chain = _new(parts, head, known)
    if known and (not chain or chain[0].parent != known):
        # Rewritten, or moved by a merge of which ours is not the first parent.
        keep = past.shared(lineage.first_parents(head))
        with past.writing():
            past.truncate(keep)
        return False
    return _add(parts, past, chain, cuts.split(), progress)


def _new(parts: Parts, head: str, known: str) -> list[ChainCommit]:
    """Commits of the chain above what is known; none when that is not in the repository."""
    try:
        return list(parts.history.lineage().main_line(head, since=known))
    except HistoryDamagedError:
        if not known or parts.history.exists(known):
            raise
        return []


def _came_back(parts: Parts, past: Past) -> bool:
    """Whether the repository has a text now that it did not have before."""
    missing = past.missing()
    return bool(missing) and any(data is not None for _, data in parts.history.blobs(missing))


def _add(
    parts: Parts,
    past: Past,
    chain: Sequence[ChainCommit],
    cuts: Sequence[str],
    progress: Progress | None,
) -> bool:
    """Add commits in batches; False when another process did meanwhile."""
    from vaultmem.vault.git_versions import note_paths

    is_note = note_paths(parts.settings.include)
    for start in range(0, len(chain), BATCH):
        batch = chain[start : start + BATCH]
        known, latest = past.head()
        if start and known != chain[start - 1].commit:
            return False
        times = effective_times([each.claimed_ms for each in batch], after=latest)
        arrived = [
            _arrived(each, at, is_note, _retired_by(parts, each))
            for each, at in zip(batch, times, strict=True)
        ]
        pairs = dict.fromkeys(pair for each in arrived for pair in each.changed if pair[1])
        there = past.known_texts(pairs)
        rows, missing = _texts(parts, [pair for pair in pairs if pair not in there])
        with past.writing():
            if past.head()[0] != known:
                return False
            is_cut = not known and batch[0].commit in cuts
            past.add(arrived, rows, missing=missing, is_cut=is_cut)
        if progress is not None:
            progress("reading the history", start + len(batch), len(chain))
    return True


def _arrived(
    each: ChainCommit, at_ms: int, is_note: Callable[[str], bool], retired: frozenset[str]
) -> Arrived:
    from vaultmem.index.past_adding import Arrived

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


# --- texts -----------------------------------------------------------------------------------


def _texts(parts: Parts, pairs: Sequence[Pair]) -> tuple[list[Row], dict[Pair, str]]:
    """Rows of the texts, and the ids (by name) of those that the repository does not have."""
    found = dict(parts.history.blobs(dict.fromkeys(oid for _, oid in pairs)))
    missing = {
        (path, oid): id_in_name(PurePosixPath(path).stem) or ""
        for path, oid in pairs
        if found[oid] is None
    }
    limit, zone = parts.settings.limits_note_bytes, parts.settings.timezone
    there = [(path, oid, data) for path, oid in pairs if (data := found[oid]) is not None]
    there = [each for each in there if len(each[2]) <= limit]

    def work(some: Sequence[tuple[str, str, bytes]]) -> list[Row]:
        return list(_rows(some, zone))

    rows: list[Row] = []
    for share in _shared_out(there, work, marshal.dumps, marshal.loads):
        rows += share
    return rows, missing


def _rows(texts: Iterable[tuple[str, str, bytes]], zone: str) -> Iterator[Row]:
    from vaultmem.index.past import text_row
    from vaultmem.vault.schema import decode

    for path, oid, data in texts:
        record = decode(PurePosixPath(path), data, Oid(oid), zone=zone).record
        if record is not None:
            yield text_row(record, path, oid)


def _shared_out(
    todo: Sequence[tuple[str, str, bytes]],
    work: Callable[[Sequence[tuple[str, str, bytes]]], T],
    dumps: Callable[[T], bytes],
    loads: Callable[[bytes], T],
) -> Iterator[T]:
    """What `work` makes of the texts, in order; a share of them in a child for each core."""
    from vaultmem.vault import forking

    count = min(os.cpu_count() or 1, MOST_CHILDREN) if len(todo) >= MANY else 1
    size = -(-len(todo) // count) or 1
    shares = [todo[start : start + size] for start in range(0, len(todo), size)]
    children = [
        forking.fork(lambda share=share: dumps(work(share))) if number else None  # type: ignore[misc]
        for number, share in enumerate(shares)
    ]
    try:
        for number, share in enumerate(shares):
            child, children[number] = children[number], None
            answer = child.answer() if child is not None else None
            yield work(share) if answer is None else loads(answer)
    finally:
        for child in children:
            if child is not None:
                child.kill()


def _read_words(parts: Parts, past: Past, progress: Progress | None) -> None:
    """Take the words of texts into the postings that are not there yet."""
    from vaultmem.index.preparing import Prepared

    done = 0
    while pairs := past.unread(CHUNK):
        found = dict(parts.history.blobs(dict.fromkeys(oid for _, oid in pairs)))
        gone = next((path for path, oid in pairs if found[oid] is None), "")
        if gone:
            raise HistoryDamagedError(f"an earlier text of '{gone}' is gone from the repository")
        texts = [(path, oid, data) for path, oid in pairs if (data := found[oid]) is not None]

        def work(some: Sequence[tuple[str, str, bytes]]) -> Prepared:
            return _prepared(parts, some)

        batches = list(_shared_out(texts, work, Prepared.dumps, Prepared.loads))
        with past.writing():
            if past.unread(CHUNK) == pairs:  # another process may have read them meanwhile
                for batch in batches:
                    past.read(batch)
        done += len(pairs)
        if progress is not None:
            progress("reading earlier texts", done, done + len(past.unread(CHUNK)))


def _prepared(parts: Parts, texts: Sequence[tuple[str, str, bytes]]) -> Prepared:
    from vaultmem.index.past import keyed
    from vaultmem.index.preparing import Preparer
    from vaultmem.model.records import Decoded
    from vaultmem.vault.schema import decode

    zone = parts.settings.timezone
    decoded = []
    for path, oid, data in texts:
        record = decode(PurePosixPath(path), data, Oid(oid), zone=zone).record
        name = keyed(PurePosixPath(path), oid)
        own = None if record is None else replace(record, path=name)
        decoded.append(Decoded(path=name, record=own))
    return Preparer(zone=parts.settings.timezone).prepare(decoded)
