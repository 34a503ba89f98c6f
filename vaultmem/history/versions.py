"""Bring the past level with the history: who asks about another time comes through here first.

Nothing else touches it: remembering, recalling what holds now and syncing never open the file.

The main line is read from the last known commit on; where that is not on the chain any more, from
the last commit that both have. A commit that joined another device's compaction counts as one
(`Lineage.removed_by`), so that what it took out is retired and not deleted.
"""

from __future__ import annotations

import itertools
import marshal
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import PurePosixPath

from vaultmem import model
from vaultmem import vault as vaults
from vaultmem.base import (
    TYPE_CHECKING,
    DiskError,
    HistoryDamagedError,
    HistoryIncompleteError,
    IndexDamagedError,
    NamedTuple,
    TypeVar,
    replace,
)
from vaultmem.model import Oid, effective_times, id_in_name
from vaultmem.storage import files, git, index, notes

if TYPE_CHECKING:
    from vaultmem.model import Progress
    from vaultmem.storage.files import Child
    from vaultmem.storage.git import ChainCommit
    from vaultmem.storage.index import Arrived, Past, Prepared, Row
    from vaultmem.vault import Vault


# The texts of earlier versions: their rows and their words, worked out beside the history.
#
# A share of the texts is read from git and understood in a forked child, while this process goes on
# reading the log and writing the file. Where nothing can be forked, this process does it in turn.

T = TypeVar("T")

# Texts that are worked out in this process; with more, children do.
MANY = 500
CHUNK = 2_500  # texts whose words are read in one transaction
MOST_CHILDREN = 4

Pair = tuple[str, str]  # path and blob id
Worked = tuple[list["Row"], dict[Pair, str]]
"""Rows of texts; the ids (by name) of those whose bytes the repository does not have."""


def workers() -> int:
    """How many children are worth having at a time."""
    return min(os.cpu_count() or 1, MOST_CHILDREN)


class Working:
    """Rows of some texts that are being worked out; to be asked for or killed."""

    def __init__(self, vault: Vault, pairs: Sequence[Pair]) -> None:
        self._vault = vault
        self._pairs = pairs
        self._child: Child | None = None
        if len(pairs) >= MANY:
            self._child = files.scanning.fork(lambda: marshal.dumps(_work_out(vault, pairs)))

    def result(self) -> Worked:
        """The rows; waits for them. Raises HistoryDamagedError where git cannot read."""
        child, self._child = self._child, None
        answer = child.answer() if child is not None else None
        if answer is None:
            return _work_out(self._vault, self._pairs)
        worked: Worked = marshal.loads(answer)
        return worked

    def kill(self) -> None:
        """End it; harmless when it has ended."""
        if self._child is not None:
            self._child.kill()
            self._child = None


def _work_out(vault: Vault, pairs: Sequence[Pair]) -> Worked:
    limit, zone = vault.settings.limits_note_bytes, vault.settings.timezone
    found = dict(vault.history.blobs(dict.fromkeys(oid for _, oid in pairs)))
    missing = {
        (path, oid): id_in_name(PurePosixPath(path).stem) or ""
        for path, oid in pairs
        if found[oid] is None
    }
    there = ((path, oid, data) for path, oid in pairs if (data := found[oid]) is not None)
    return list(_rows((each for each in there if len(each[2]) <= limit), zone)), missing


def _rows(texts: Iterable[tuple[str, str, bytes]], zone: str) -> Iterator[Row]:
    for path, oid, data in texts:
        record = notes.decode(PurePosixPath(path), data, Oid(oid), zone=zone).record
        if record is not None:
            yield index.text_row(record, path, oid)


def _shared_out(
    todo: Sequence[tuple[str, str, bytes]],
    work: Callable[[Sequence[tuple[str, str, bytes]]], T],
    dumps: Callable[[T], bytes],
    loads: Callable[[bytes], T],
) -> Iterator[T]:
    """What `work` makes of the texts, in order; a share of them in a child for each core."""
    count = min(os.cpu_count() or 1, MOST_CHILDREN) if len(todo) >= MANY else 1
    size = -(-len(todo) // count) or 1
    shares = [todo[start : start + size] for start in range(0, len(todo), size)]
    # The first share is this process's own, while the children work on theirs.
    children = [
        files.scanning.fork(lambda share=share: dumps(work(share))) if number else None  # type: ignore[misc]
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


def read_words(vault: Vault, past: Past, progress: Progress | None) -> None:
    """Take the words of texts into the postings that are not there yet."""
    done = 0
    while pairs := past.unread(CHUNK):
        found = dict(vault.history.blobs(dict.fromkeys(oid for _, oid in pairs)))
        gone = next((path for path, oid in pairs if found[oid] is None), "")
        if gone:
            raise HistoryDamagedError(f"an earlier text of '{gone}' is gone from the repository")
        texts = [(path, oid, data) for path, oid in pairs if (data := found[oid]) is not None]

        def work(some: Sequence[tuple[str, str, bytes]]) -> index.Prepared:
            return _prepare(vault, some)

        batches = list(_shared_out(texts, work, index.Prepared.dumps, index.Prepared.loads))
        with past.writing():
            if past.unread(CHUNK) == pairs:  # another process may have read them meanwhile
                for batch in batches:
                    past.read(batch)
        done += len(pairs)
        if progress is not None:
            progress("reading earlier texts", done, done + len(past.unread(CHUNK)))


def _prepare(vault: Vault, texts: Sequence[tuple[str, str, bytes]]) -> Prepared:
    zone = vault.settings.timezone
    decoded = []
    for path, oid, data in texts:
        record = notes.decode(PurePosixPath(path), data, Oid(oid), zone=zone).record
        name = index.key_path(PurePosixPath(path), oid)
        own = None if record is None else replace(record, path=name)
        decoded.append(model.Decoded(path=name, record=own))
    return index.Preparer(zone=vault.settings.timezone).prepare(decoded)


FILE = "past.sqlite"
NAMES = (FILE, f"{FILE}-wal", f"{FILE}-shm", f"{FILE}-journal", f"{FILE}-seal")
# Commits of one transaction: a build that is interrupted goes on from the last of them.
# Small ones let the first be written while the texts of the next are read; but each child that
# is forked copies the pages that it and this process touch (2,000: 15% more of the processor).
BATCH = 5_000
_BOUNDARIES = "boundaries"
_TRIES = 5


def level(vault: Vault, *, progress: Progress | None = None, batch: int = BATCH) -> Past:
    """The versions of all notes, level with HEAD.

    batch   commits of one transaction
    raises  HistoryDamagedError where the history cannot be read
    """
    if vault.may_repeat and (vault.index.meta("head") or "") != vault.head_or(""):
        raise vaults.MovedOnError  # the index is of a moment before, so both could not be compared
    past = _open_past(vault)
    try:
        _level(vault, past, progress, batch)
    except IndexDamagedError:
        vault.past = past = past.reopen_empty()
        _level(vault, past, progress, batch)
    except DiskError:
        if past.is_copy:
            raise
        vault.past = past = past.reopen_in_memory()  # for this once, in memory
        _level(vault, past, progress, batch)
    return past


def searchable(vault: Vault, *, progress: Progress | None = None) -> Past:
    """`level`, with the words of all texts in its postings."""
    past = level(vault, progress=progress)
    try:
        read_words(vault, past, progress)
    except IndexDamagedError:
        drop(vault)
        past = level(vault, progress=progress)
        read_words(vault, past, progress)
    return past


def drop(vault: Vault) -> None:
    """Delete the file of the past; the next question about another time makes it anew."""
    close(vault)
    index.delete_files(vault.state / FILE)


def close(vault: Vault) -> None:
    """Give the file back, if it was opened."""
    if vault.past is not None:
        vault.past.close()
        vault.past = None


def _open_past(vault: Vault) -> index.Past:
    if vault.past is None:
        settings = vault.settings
        # Other settings of these make other versions of the same commits.
        told = f"{settings.id} {settings.root} {settings.limits_note_bytes} {settings.include}"
        file, languages, zone = vault.state / FILE, settings.languages, settings.timezone
        try:
            vault.past = index.Past.open(file, identity=told, languages=languages, zone=zone)
        except IndexDamagedError:
            vault.past = index.Past.create(file, identity=told, languages=languages, zone=zone)
        except DiskError:
            vault.past = index.Past.copy(file, identity=told, languages=languages, zone=zone)
    return vault.past


def _level(vault: Vault, past: Past, progress: Progress | None, size: int) -> None:
    lineage = vault.history.lineage()
    head = vault.history.head() or ""
    cuts = " ".join(lineage.boundaries())
    if past.head()[0] == head and (past.meta(_BOUNDARIES) or "") == cuts and not past.missing():
        return
    for _ in range(_TRIES):
        if _advance(vault, past, head, cuts, progress=progress, size=size):
            return
    raise HistoryDamagedError("the versions of notes cannot be put in the order of the history")


def incomplete(why: str) -> HistoryIncompleteError:
    """The error for a question about a time that this clone knows nothing of."""
    return HistoryIncompleteError(
        f"history incomplete: {why}",
        hint="`git fetch --unshallow` brings the rest of a shallow clone, a backup that of a "
        "damaged history; what holds now is answered without it",
    )


def _advance(
    vault: Vault, past: Past, head: str, cuts: str, *, progress: Progress | None, size: int
) -> bool:
    """Add what is new; False when the past had to be taken back first, or another process wrote."""
    lineage = vault.history.lineage()
    known, _ = past.head()
    is_recut = (past.meta(_BOUNDARIES) or "") != cuts
    if is_recut or not head or _came_back(vault, past):
        with past.writing():
            past.truncate(0)
            past.set_meta(_BOUNDARIES, cuts)
        return not head
    if known == head:
        return True
    with closing(vault.history.lineage().main_line(head, since=known)) as chain:
        first = _first(vault, chain, known)
        if known and (first is None or first.parent != known):
            # Rewritten, or moved by a merge of which ours is not the first parent.
            keep = past.common_prefix_length(lineage.first_parents(head))
            with past.writing():
                past.truncate(keep)
            return False
        return first is None or _add(
            vault, past, itertools.chain([first], chain), cuts.split(), progress=progress, size=size
        )


def _first(vault: Vault, chain: Iterator[ChainCommit], known: str) -> ChainCommit | None:
    """The first commit above what is known; None when that is not in the repository."""
    try:
        return next(chain, None)
    except HistoryDamagedError:
        if not known or vault.history.exists(known):
            raise
        return None


def _came_back(vault: Vault, past: Past) -> bool:
    """Whether the repository has a text now that it did not have before."""
    missing = past.missing()
    return bool(missing) and any(data is not None for _, data in vault.history.blobs(missing))


class _Batch(NamedTuple):
    """Commits on their way into the file."""

    after: str  # the commit below the first one; '': there is none
    arrived: Sequence[Arrived]
    texts: Working


def _add(
    vault: Vault,
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
    missing: dict[Pair, str] = {}
    done = total = 0
    try:
        for batch in _batches(vault, past, chain, under_way, size=size):
            under_way.append(batch)
            if len(under_way) > workers():
                if not _write_batch(past, under_way.popleft(), cuts, missing):
                    return False
                if progress is not None:
                    total = total or _left(vault, past) + size
                    done += size
                    progress("reading the history", min(done, total), total)
        while under_way:
            if not _write_batch(past, under_way.popleft(), cuts, missing):
                return False
        if progress is not None and total:
            progress("reading the history", total, total)
        return True
    finally:
        for batch in under_way:
            batch.texts.kill()


def _batches(
    vault: Vault,
    past: Past,
    chain: Iterator[ChainCommit],
    under_way: Sequence[_Batch],
    *,
    size: int,
) -> Iterator[_Batch]:
    """The commits as batches whose texts are being worked out; `under_way`: not yet written."""
    is_note = git.note_paths(vault.settings.include)
    after, latest = past.head()
    commits = list(islice(chain, size))
    while commits:
        times = effective_times([each.claimed_ms for each in commits], after=latest)
        arrived = [
            _arrival_of(each, at, is_note, _retired_by(vault, each))
            for each, at in zip(commits, times, strict=True)
        ]
        pairs = dict.fromkeys(pair for each in arrived for pair in each.changed if pair[1])
        # Texts that a batch before this one is reading already.
        for batch in under_way:
            for each in batch.arrived:
                for pair in each.changed:
                    pairs.pop(pair, None)
        there = past.known_texts(pairs)
        new = [pair for pair in pairs if pair not in there]
        yield _Batch(after, arrived, Working(vault, new))
        after, latest = commits[-1].commit, times[-1]
        commits = list(islice(chain, size))


def _write_batch(past: Past, batch: _Batch, cuts: Sequence[str], missing: dict[Pair, str]) -> bool:
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


def _left(vault: Vault, past: Past) -> int:
    """How many commits there are above those that are known."""
    head = vault.history.head()
    return len(vault.history.lineage().first_parents(head)) - past.length() if head else 0


def _arrival_of(
    each: ChainCommit, at_ms: int, is_note: Callable[[str], bool], retired: frozenset[str]
) -> index.Arrived:
    return index.Arrived(
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


def _retired_by(vault: Vault, each: ChainCommit) -> frozenset[str]:
    """Paths that are gone because `compact` took them, here or on a device that was merged."""
    gone = frozenset(path for path, oid in each.changed if not oid)
    if not gone or each.trailers.get("Vaultmem-Op") not in ("compact", "pull"):
        return frozenset()
    if each.trailers["Vaultmem-Op"] == "compact":
        return gone
    return gone & vault.history.lineage().removed_by("compact", each.commit, since=each.parent)
