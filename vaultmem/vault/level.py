"""Bring the index level with the files: the only place that changes the index.

The scan finds what may have changed, hashes decide, rows follow. Every read comes through here
first, so an answer is never older than the disk. Two-way editing of streams is not done here:
until it is settled (edit/settle.py), the index shows items as the person's edit means them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import PurePosixPath

from vaultmem import model
from vaultmem.base import (
    TYPE_CHECKING,
    DiskError,
    HistoryDamagedError,
    IndexDamagedError,
    MissingFileError,
    TypeVar,
    VaultmemError,
    dataclass,
    disk_error,
    field,
    replace,
)
from vaultmem.model import FileState, Problem, Scan, Write, blob_oid
from vaultmem.storage import files, git
from vaultmem.vault import durability, unread
from vaultmem.vault.vault import SYNCED_AT, Look

if TYPE_CHECKING:
    from vaultmem.model import Item, Learned, NoteRow, Progress, Remove, TrustEvent
    from vaultmem.storage.git import History
    from vaultmem.vault.reading_in import ComingRows
    from vaultmem.vault.two_way import Join, Retract, Reword, SetDone
    from vaultmem.vault.vault import Vault

T = TypeVar("T")

# Rows kept from before a change, so that `watch` can say what was learned; a larger change
# (a checkout, a pull) is told in numbers.
TOLD = 50
SHOWN = "shown_as_edited"
_TWO_WAY = "two-way"
_HEAD = "head"  # the commit that the index knows
_SETTLED = "settled"  # the commit as of which lists and items agree
SEARCHED_BY = "searched by"  # the detectors that found notes clean of secrets
_INCLUDED = "included"  # globs of further notes, by which the last commit was read
_COMPANIONS = "companions"  # how many of the files that are followed hold no notes
_MOST_REPEATS = 3  # of an answer that somebody's write ran away from; then it is given as it is
# Of a comparison: all files were compared before the lock and again under it, 50 ms of CPU each for
# 20,000 notes. Beyond it people save again, and it is a small part; but one that took longer is as
# fresh as the next one would be. On a busy machine, where 100,000 files took 1.2 s, a saved note
# was waited for three times as long.
_FRESH_SECONDS = 1.0
_SHA1_DIGITS = 40
_UNLEARNED = "unlearned"  # '1': git could not be asked what commits and edits mean


class MovedOnError(Exception):
    """A file, or the history, is not any more what the index says in the moment of an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refreshed:
    """What one refresh found."""

    scanned: int
    changed: tuple[PurePosixPath, ...] = ()
    removed: tuple[PurePosixPath, ...] = ()
    before: Mapping[PurePosixPath, NoteRow | None] = field(default_factory=dict)  # of these
    rebuilt: str = ""  # why; '': it was not
    head_moved: bool = False  # commits came that this index did not know
    shown: tuple[Learned, ...] = ()  # items that answer in a way that edited lists now mean
    unread_differs: bool = False  # what cannot be read is not what it was at the last refresh

    @property
    def is_level(self) -> bool:
        """The index was level with the files already."""
        return not (
            self.changed or self.removed or self.rebuilt or self.head_moved or self.unread_differs
        )


def refresh(
    vault: Vault,
    *,
    rehash: bool = False,
    trust_watcher: bool = False,
    progress: Progress | None = None,
) -> Refreshed:
    """Index == files on disk; rebuilds the index by itself when it cannot be trusted.

    rehash         read every file again, even one whose stat says that it did not change
    trust_watcher  skip the scan while a live watcher says that nothing was touched; for reads
    """
    damage, vault.index_damage = vault.index_damage, ""
    if trust_watcher and not damage and _is_watched(vault):
        return Refreshed(scanned=0)
    try:
        return _refresh(vault, rehash=rehash, progress=progress, rebuilt=damage)
    except IndexDamagedError as error:
        rebuild(vault)
        return _refresh(vault, rehash=True, progress=progress, rebuilt=error.reason)


def look(vault: Vault, *, began: float) -> Look:
    """A comparison that has just been made; to be asked for before anything else is."""
    return Look(
        began=began, ended=time.monotonic(), index=vault.index, version=vault.index.version()
    )


def still_holds(vault: Vault) -> bool:
    """Whether the comparison of all files that `parts` has need not be made again; takes it.

    It is fresh, and nobody has written since: every writer, and every reader that finds something,
    tells the index, and a commit moves HEAD. What a person saves meanwhile is as what they save
    after a comparison: the next one finds it, and a file that is to be written is held against the
    index before (`settle.settle`). To compare 20,000 files takes 50 ms of processor, nearly half
    of what an edited bullet takes.
    """
    seen, vault.look = vault.look, None
    return (
        seen is not None
        and time.monotonic() - seen.began < max(_FRESH_SECONDS, 2 * (seen.ended - seen.began))
        and vault.index is seen.index
        and vault.index.version() == seen.version
        and vault.head_or(None) == (vault.index.meta(_HEAD) or "")
    )


def reading(vault: Vault, read: Callable[[], T]) -> T:
    """What `read` finds in an index that is level with the files.

    While a child still compares the files, the answer is worked out as if nothing had changed,
    and thrown away if something has. Damage that only shows while it is read rebuilds the index
    first. Where it cannot be written (a full disk), a copy in memory serves this once.
    """
    try:
        return _reading(vault, read)
    except DiskError:
        if vault.index.is_copy:
            raise
        # A full or read-only state folder kept recall from answering.
        vault.index = vault.index.reopen_in_memory()
        return _reading(vault, read)
    except OSError as error:
        raise disk_error(error, doing="read") from error


def _reading(vault: Vault, read: Callable[[], T]) -> T:
    early: list[T] = []
    if vault.ahead is not None:
        with suppress(VaultmemError):
            early.append(at_one_moment(vault, read))
    refreshed = refresh(vault, trust_watcher=vault.short_lived)
    # Nothing had changed, so the answer that was worked out beside the comparison stands.
    if early and refreshed.is_level:
        return early[0]
    for _ in range(_MOST_REPEATS):
        vault.may_repeat = True
        try:
            return _sound(vault, read)
        except MovedOnError:
            refresh(vault)
        finally:
            vault.may_repeat = False
    return _sound(vault, read)


def _sound(vault: Vault, read: Callable[[], T]) -> T:
    """What `read` finds; where that shows damage, in an index that is built anew first."""
    try:
        return at_one_moment(vault, read)
    except IndexDamagedError as error:
        rebuild(vault)
        vault.index_damage = error.reason
        refresh(vault, rehash=True)
        return at_one_moment(vault, read)


def text_of(vault: Vault, row: NoteRow) -> bytes:
    """The bytes of a note's file, of the same moment as its row where that can be had.

    Another process may change the file and the index after the moment that an answer is of: then
    the answer is worked out again, three times at most. Raises as `vault.files.read`.
    """
    try:
        data = unread.text(vault, row.path)
    except MissingFileError as error:
        if vault.may_repeat:
            raise MovedOnError from error
        raise
    # A note that was written since its row was read would answer with words that nobody compared:
    # of 23 readers beside a writer eight failed.
    if vault.may_repeat and row.oid:
        algorithm = "sha1" if len(row.oid) == _SHA1_DIGITS else "sha256"
        if str(blob_oid(data, algorithm=algorithm)) != row.oid:
            raise MovedOnError
    return data


def at_one_moment(vault: Vault, read: Callable[[], T]) -> T:
    """What `read` finds in the index as it is now, whatever others commit meanwhile."""
    with vault.index.snapshot():
        return read()


def rebuild(vault: Vault) -> None:
    """An empty index in place of the one that is there."""
    vault.index = vault.index.reopen_empty()


def _refresh(vault: Vault, *, rehash: bool, progress: Progress | None, rebuilt: str) -> Refreshed:
    from vaultmem.vault.reading_in import read_in  # saves 1 module

    index = vault.index
    # Before the look: a note that another process makes after it is not one that is gone.
    known = index.files(None) if rehash else {}
    seen = _look(vault, rehash=rehash)
    head_before = index.meta(_HEAD)
    head = vault.head_or(head_before)
    unlearned = index.meta(_UNLEARNED) or ""
    unread_before, unlisted = unread.read_noted(vault), unread.folders_of(seen.problems)
    is_readable = not unread_before.files and unread_before.folders == unlisted
    if seen.is_clean and head == head_before and not (rehash or unlearned) and is_readable:
        return Refreshed(scanned=seen.files - _companions(vault), rebuilt=rebuilt)
    states = known if rehash else index.files([*seen.changed, *seen.removed])
    there = frozenset(seen.changed)
    touched: Sequence[str] = (*seen.touched, *seen.new_folders)
    if rehash:  # all files were read again: those touched since the last scan
        touched = files.touched_since(index.folders(), seen)
    gone = [
        path
        for path, state in states.items()
        if state.oid and path not in there and (rehash or path in seen.removed)
    ]
    away = unread_before.files - there  # not listed any more, as under a folder in their place
    gone += [p for p, state in index.files(away).items() if state.oid and p not in gone]
    refused = unread.still(vault, {*gone, *away, *seen.oversize})
    gone = [path for path in gone if path not in refused]
    paths = sorted(there)
    before: dict[PurePosixPath, NoteRow | None] = {}
    # A new index knew nothing before, so there is nothing that anybody learned since.
    if head_before is not None and len(paths) + len(gone) <= TOLD:
        before = {PurePosixPath(path): index.note(PurePosixPath(path)) for path in (*paths, *gone)}

    def report_done(number: int) -> None:
        if progress is not None:
            progress("reading notes", number, len(paths))

    changed, not_read = read_in(vault, paths, states, done=report_done)
    refused |= not_read
    shown: tuple[Learned, ...] = ()
    with index.writing():
        # Another process may have committed, and told of it here, since the look.
        head_before = index.meta(_HEAD)
        head = vault.head_or(head_before)
        if gone:
            from vaultmem.vault import deleted  # saves 1 module

            deleted.note_deleted(vault, gone)
        index.remove(gone)
        index.set_folders(seen.folders, seen.gone_folders)
        again = set(not_read)  # to be read once more by the next scan
        if changed:
            states = index.files(map(str, changed))
            again |= {str(path) for path in changed}
            again -= {path for path, state in states.items() if state.oid and path not in not_read}
        durability.expect(vault, map(PurePosixPath, sorted(again)))
        _count_companions(vault, [*there, *gone])
        durability.note(vault, {*touched, *gone} - again, but=again)
        _note_scan_problems(vault, seen)
        # Damage in the history keeps nobody from reading notes: `check` tells of it, and what
        # could not be learned from commits is asked for again by the next refresh.
        try:
            included = " ".join(vault.settings.include)
            is_other = (index.meta(_INCLUDED) or "") != included
            # A vault may have had a folder of this name in its commits before it was one of notes.
            is_other = is_other or files.AGENTS in seen.new_folders
            if head != head_before or rehash or is_other:
                _follow_head(vault, "" if rehash or is_other else head_before or "", head)
                index.set_meta(_INCLUDED, included)
            # What cannot be read for a moment is kept and looked for each time: its rows were
            # dropped, and its memories retracted with exit code 0.
            if refused or unlisted or unread_before or rehash or head != head_before:
                refused = unread.still(vault, index.gone_paths()) | refused
                unread.keep(vault, refused, seen.problems)
            # Not only when rows changed: they may have been read by a command that died then.
            if there or gone or refused or head != head_before or rehash or unlearned:
                shown = show_as_edited(vault)
            still = ""
        except HistoryDamagedError:
            # Where git failed just then, a list showed a retracted item as active until an edit.
            still = "1"
        index.set_meta(_UNLEARNED, still)
        if changed or gone or head != head_before or rehash:
            index.set_meta(SYNCED_AT, str(vault.clock.now()))
    return Refreshed(
        scanned=seen.files - _companions(vault),
        changed=tuple(changed),
        removed=tuple(PurePosixPath(path) for path in gone),
        before=before,
        rebuilt=rebuilt,
        head_moved=head != head_before,
        unread_differs=unread.read_noted(vault) != unread_before,
        shown=shown,
    )


def _companions(vault: Vault) -> int:
    return int(vault.index.meta(_COMPANIONS) or 0)


def _count_companions(vault: Vault, touched: Iterable[str]) -> None:
    """Keep in mind how many of the files that are followed hold no notes."""
    if any(_is_companion(path) for path in touched):
        states = vault.index.files(None).values()
        count = sum(_is_companion(state.path) for state in states if state.oid)
        vault.index.set_meta(_COMPANIONS, str(count))


def _is_companion(path: str) -> bool:
    folder, _, name = path.rpartition("/")
    return files.is_companion(folder, name)


def _look(vault: Vault, *, rehash: bool) -> Scan:
    """What differs on disk; by the scan that began when the vault was opened, if there is one."""
    ahead = vault.take_ahead()
    if ahead is not None:
        found = ahead.result()
        # It holds the files against the index that was there when it began. Where that one was
        # made anew since, as after an update, the new one would have taken in what changed of late
        # and nothing else: the first command found nothing, and later ones missed notes.
        is_of_this_index = vault.index.meta(SYNCED_AT) is not None
        if found is not None and is_of_this_index and not rehash:
            return found
    known = {} if rehash else vault.index.folders()
    return files.scan(vault.root, known, include=vault.settings.include)


def _is_watched(vault: Vault) -> bool:
    """A live watcher says that nothing is pending, and no commit came since it looked."""
    beat = files.read_heartbeat(vault.state)
    if beat is None or not beat.is_clean:
        return False
    before = vault.index.meta(_HEAD)
    return vault.head_or(before) == before


def _note_scan_problems(vault: Vault, seen: Scan) -> None:
    """Problems of names and kinds of files, by the folder that was listed."""
    for folder in (*seen.listed, *seen.gone_folders):
        found = [each for each in seen.problems if _listed_in(each) == folder]
        vault.index.set_problems(f"scan {folder}", found)


def _listed_in(problem: Problem) -> str | None:
    """The folder whose listing showed a problem: the folder itself, or that of the file.

    None: it was not listed, which is kept apart (unread.py).
    """
    if problem.code == unread.FOLDER_CODE:
        return None
    folder = problem.path if problem.code == "nested-repository" else problem.path.parent
    return "" if folder == PurePosixPath() else folder.as_posix()


def _changed_since(history: History, before: str, head: str) -> dict[str, str] | None:
    """What a commit has other than one before it; None: that one is gone, or a folder of it."""
    # Once the branch was back at the newest whole commit, each refresh still compared it with the
    # lost one: no answer knew of trust, and undo failed.
    if not history.exists(before):
        return None
    try:
        return history.changed_blobs(before, head, ())
    except HistoryDamagedError:
        return None  # where `head` is damaged, reading all of it says so


def _follow_head(vault: Vault, before: str, head: str) -> None:
    """Learn which bytes the last commit holds of each note, after HEAD moved.

    What is no note (an attachment, the state of an agent) is never scanned, but for settings,
    tables and canvases: as a row it would look deleted for ever. Of the whole tree, because
    `include` names notes anywhere: one of which the commit was not known was committed again by
    each sync after a `reindex`.
    """
    from vaultmem.vault import deleted, ledger  # saves 4 modules

    index, history = vault.index, vault.history
    changed = _changed_since(history, before, head) if before and head else None
    if changed is not None:
        is_tracked = git.tracked_paths(vault.settings.include)
        index.set_head({path: oid or "" for path, oid in changed.items() if is_tracked(path)})
        follow_settled(vault)
        deleted.follow(vault, before, head, changed)
    else:
        _set_whole_head(vault, history.tree(head, ()) if head else {})
        index.set_meta(_SETTLED, (history.last_settled() or "") if head else "")
        deleted.learn(vault)
    read = history.trust(since=before)
    index.learn_trust(read.events, is_whole=read.is_whole)
    index.set_meta(_HEAD, head)
    ledger.show(vault, ledger.standing(vault))


def _set_whole_head(vault: Vault, tree: Mapping[str, str]) -> None:
    """The last commit holds these files and no others."""
    is_tracked = git.tracked_paths(vault.settings.include)
    found = {path: oid for path, oid in tree.items() if is_tracked(path)}
    paths = {**vault.index.files(None), **found}
    vault.index.set_head({path: found.get(path, "") for path in paths})


def take_first_commit(vault: Vault, changes: Sequence[Write], commit: str) -> None:
    """What `_follow_head` would read of a history that is one commit of `init`.

    All of it is in `changes`: four git processes say nothing else, and were a quarter of the
    time that `init` takes.
    """
    from vaultmem.vault import deleted, ledger  # saves 4 modules

    with vault.index.writing():
        _set_whole_head(vault, {each.path.as_posix(): _oid(vault, each) for each in changes})
        vault.index.set_meta(_SETTLED, commit)
        deleted.begin(vault)
        vault.index.learn_trust((), is_whole=True)
        vault.index.set_meta(_HEAD, commit)
        vault.index.set_meta(_INCLUDED, " ".join(vault.settings.include))
        ledger.show(vault, ledger.standing(vault))


def took(
    vault: Vault,
    changes: Sequence[Write | Remove],
    *,
    rows: ComingRows,
    seen: Mapping[PurePosixPath, bytes],
    commit: str,
    parent: str | None,
    settled: bool,
    held: frozenset[PurePosixPath] = frozenset(),
    events: Iterable[TrustEvent] = (),
) -> None:
    """Rows for files that the program itself just wrote and committed on top of `parent`.

    seen    their numbers right after they were published
    held    those that it wrote and did not commit
    events  what the commits record about trust
    """
    gone = [each.path.as_posix() for each in changes if not isinstance(each, Write)]
    with vault.index.writing():
        vault.index.learn_trust(events)
        vault.index.remove(gone)
        vault.index.put_prepared(rows.result())
        durability.expect(vault, [each.path for each in changes if isinstance(each, Write)], seen)
        durability.note(vault, (), but=[each.path.as_posix() for each in changes])
        if held:
            _wrote(vault, [change for change in changes if change.path in held])
            changes = [change for change in changes if change.path not in held]
        note_committed(vault, changes, commit=commit, parent=parent)
        if settled:
            vault.index.set_meta(_SETTLED, commit)


def _wrote(vault: Vault, changes: Sequence[Write | Remove]) -> None:
    """Disk holds these bytes now, HEAD what it held before."""
    known = vault.index.files([change.path.as_posix() for change in changes])
    states = []
    for each in changes:
        path = each.path.as_posix()
        in_head = known[path].head_oid if path in known else ""
        states.append(FileState(path=path, oid=_oid(vault, each), head_oid=in_head))
    vault.index.set_files(states)


def _oid(vault: Vault, change: Write | Remove) -> str:
    if isinstance(change, Write):
        return blob_oid(change.content, algorithm=vault.history.algorithm)
    return ""


def note_committed(
    vault: Vault, changes: Sequence[Write | Remove], *, commit: str, parent: str | None
) -> None:
    """Disk and HEAD hold the same bytes of these files now."""
    oids = {each.path.as_posix(): _oid(vault, each) for each in changes}
    states = [FileState(path=path, oid=oid, head_oid=oid) for path, oid in oids.items()]
    with vault.index.writing():
        vault.index.set_files(states)
        # On top of a foreign commit the next refresh has to learn what that one changed; and
        # what came after ours once more, if another process has learned it before these rows.
        known = vault.index.meta(_HEAD) or ""
        if known == (parent or "") or vault.history.lineage().is_ancestor(commit, known):
            vault.index.set_meta(_HEAD, commit)


def mark_settled(vault: Vault, commit: str | None = None) -> None:
    """Streams and items agree as of this commit; None: the one that the index is level with."""
    settled = (vault.index.meta(_HEAD) or "") if commit is None else commit
    if vault.index.meta(_SETTLED) != settled:
        with vault.index.writing():
            vault.index.set_meta(_SETTLED, settled)


def after_settling(vault: Vault, problems: Iterable[Problem]) -> None:
    """Files carry the edits now, so rows need not show them; what is left over is a problem."""
    with vault.index.writing():
        vault.index.set_meta(SHOWN, "")
        vault.index.set_problems(_TWO_WAY, tuple(problems))


def keep_problems(vault: Vault, origin: str, problems: Iterable[Problem]) -> None:
    """Remember problems that were met on the way, in place of those of the same origin."""
    with vault.index.writing():
        vault.index.set_problems(origin, tuple(problems))


def keep_clean(vault: Vault, clean: Iterable[FileState], *, by: str) -> None:
    """Spare the next commands notes in which these detectors (`by`) found no secret.

    122,000 uncommitted notes were read and searched by each `sync`: 15 s of processor with
    nothing changed.
    """
    with vault.index.writing():
        if vault.index.meta(SEARCHED_BY) != by:
            vault.index.forget_clean()
            vault.index.set_meta(SEARCHED_BY, by)
        vault.index.set_clean(clean)


def show_as_edited(vault: Vault) -> tuple[Learned, ...]:
    """Let the index show items the way unsettled edits of their bullets mean them.

    returns  the items that answer otherwise than before
    The files are not touched: that is done when the edits have come to rest. Without this a
    bullet that a person just reworded or deleted would still answer in its old words.
    """
    from vaultmem.vault.two_way import Join, Retract, Reword, SetDone  # saves 13 modules
    from vaultmem.vault.unsettled import compare_unsettled, load_items  # saves 22 modules

    comparison = compare_unsettled(vault)
    effects = comparison.effects if comparison is not None else ()
    shown = [effect for effect in effects if isinstance(effect, Reword | Retract | Join | SetDone)]
    shown_before = (vault.index.meta(SHOWN) or "").split()
    items = load_items(vault, {effect.id for effect in shown}.union(shown_before))
    for effect in shown:
        item = items.get(effect.id)
        if item is None:
            continue
        if isinstance(effect, Reword):
            items[effect.id] = replace(item, statement=effect.text)
        elif isinstance(effect, Retract):
            items[effect.id] = replace(item, status="retracted")
        elif isinstance(effect, Join):
            items[effect.id] = replace(item, status="superseded")
        else:
            items[effect.id] = replace(item, status="expired" if effect.done else "active")
    learned = tuple(_newly_shown(vault, shown, items))
    vault.index.show(items.values())
    vault.index.set_meta(SHOWN, " ".join(sorted(effect.id for effect in shown)))
    problems = comparison.problems if comparison is not None else ()
    vault.index.set_problems(_TWO_WAY, problems)
    if not (effects or problems):
        _agree(vault)
    return learned


def _agree(vault: Vault) -> None:
    """Keep that lists and items agree as of the last commit, where nothing else is on disk.

    It is what settling would find, and saves every later look from reading all that foreign
    commits changed since the last one of ours.
    """
    index = vault.index
    # With 12,000 notes committed by hand and a new index, each look that found one edited note took
    # 145 ms of CPU before this was kept; 60 since.
    if not index.has_pending():
        index.set_meta(_SETTLED, index.meta(_HEAD) or "")


def _newly_shown(
    vault: Vault, effects: Iterable[Reword | Retract | Join | SetDone], items: Mapping[str, Item]
) -> Iterator[model.Learned]:
    """What changes for a reader; an edit that was shown before is nothing new."""
    from vaultmem.vault.two_way import Join, Retract, SetDone  # saves 13 modules

    by_id = {effect.id: effect for effect in effects}
    for item in items.values():
        rows = vault.index.notes_with_id(item.id)
        if any((row.statement, row.status) == (item.statement, item.status) for row in rows):
            continue
        effect = by_id.get(item.id)
        what, text = "changed", item.statement
        if isinstance(effect, Retract):
            what = "retracted"
        elif isinstance(effect, Join):
            what = "ended"
        elif isinstance(effect, SetDone) and effect.done:
            what = "done"
        elif isinstance(effect, SetDone):
            text = f"open again: {text}"
        elif effect is None:  # an edit that was taken back before it rested
            text = f"as before: {text}"
        yield model.Learned(what=what, path=item.path, text=text, id=item.id)


def follow_settled(vault: Vault) -> None:
    """Hold edits against the newest settled commit, also if this index was not told of it.

    A power cut may take the last rows, and not the commits. Held against an older state, a bullet
    that was adopted since and edited looks like one that was edited in two places.
    """
    known, newest = vault.index.meta(_SETTLED) or "", vault.history.last_settled()
    # Where an index was set back such an edit waited for the person, three times in 600 power cuts
    # under an ext4 that writes every ten minutes.
    if newest is None or newest == known:
        return
    if not (known and vault.history.lineage().is_ancestor(newest, known)):
        vault.index.set_meta(_SETTLED, newest)
