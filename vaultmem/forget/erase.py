"""Erase for good: rewrite the history without it, clear every store of this device, prove it.

Under the writer lock. All that needs the words (what is looked for, the new objects, files that
no commit has) is done first and can be done again; then one durable note without a word of them
makes it certain, and what is left to do (`finish`) is finished by whoever holds the lock next.
The old repository is whole until that note, the new one after it.

A store of the device that is not below `vault.state` would be missed: put new ones there.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from vaultmem import base, check, config, devices, edit, history
from vaultmem import vault as vaults
from vaultmem.base import (
    TYPE_CHECKING,
    BusyError,
    HeadMovedError,
    NamedTuple,
    VaultmemError,
    dataclass,
    disk_error,
    replace,
)
from vaultmem.forget.choice import Target, target_of
from vaultmem.model import Holding, Oid, Plan, Purged, Remove, Write, blob_oid, pluralise
from vaultmem.storage import files, git, notes
from vaultmem.storage.files import OWN, TMP, TOPS
from vaultmem.storage.git import (
    STASH,
    Engine,
    Rewriting,
    Survey,
    files_of_git,
    is_note_of,
    objects_with,
    open_engine,
    open_repository,
)
from vaultmem.vault import PURGING, publish_files, unread

if TYPE_CHECKING:
    from vaultmem.forget.remove import Wish
    from vaultmem.model import Progress
    from vaultmem.storage.git import Switch
    from vaultmem.storage.notes import Erasure
    from vaultmem.vault import Vault

_STEPS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class _Work:
    """What was worked out; nothing is changed by it."""

    engine: Engine
    target: Target
    rewriting: Rewriting
    loose: tuple[Loose, ...]


def purge(
    vault: Vault, wish: Wish, *, dry_run: bool = False, progress: Progress | None = None
) -> Purged:
    """Erase what the wish means, from this device and this repository; see the module.

    raises  UnknownNoteError, BadInputError, BusyError, HistoryError: nothing is changed then
    """

    def at(step: int) -> None:
        if progress is not None:
            progress("erasing", step, _STEPS)

    wish.require_one()
    _require_no_watcher(vault)
    if dry_run:
        return vaults.level.reading(vault, lambda: _plan_purge(vault, wish, at))
    # The lock of exchanges first: an exchange holds it while it waits for the writer lock, so the
    # other order would let each wait for the other.
    with devices.one_at_a_time(vault), vaults.writer_lock(vault):
        vaults.level.refresh(vault)
        unread.require_none(vault, doing="erase")
        _require_committed(vault)
        edit.settle(vault)
        work = _worked_out(vault, wish, at)
        report = replace(_report(vault, work), dry_run=False)
        at(3)
        if not report.is_something:
            # Perhaps in objects that nothing names any more, in a log, in the index.
            searched, places = search(vault, work.engine, work.target.erasure)
            # An amended message, a dropped stash or a log may be all that still says it.
            if {held.path.as_posix() for held in report.left}.issuperset(places):
                return _with_proof(report, searched, places)
        new = _carry_out(vault, work, at)
        at(5)
        searched, places = search(vault, work.engine, work.target.erasure)
        at(6)
    return _with_proof(replace(report, commit=new), searched, places)


def _plan_purge(vault: Vault, wish: Wish, at: Callable[[int], None]) -> Purged:
    unread.require_none(vault, doing="erase")
    _require_committed(vault)
    work = _worked_out(vault, wish, at)
    report = _report(vault, work)
    if report.is_something:
        return report
    # The dry run told of a passage that stands nowhere; without --yes it was then refused (77).
    searched, places = search(
        vault, work.engine, work.target.erasure
    )  # objects that nothing names any more, logs, the index
    return _with_proof(report, searched, places)


def _with_proof(report: Purged, searched: int, places: tuple[str, ...]) -> Purged:
    return replace(
        report,
        scanned=searched,
        places=places,
        forms=notes.SEARCHED,
        not_searched=notes.NOT_SEARCHED,
    )


def _worked_out(vault: Vault, wish: Wish, at: Callable[[int], None]) -> _Work:
    engine = open_engine(
        open_repository(vault.root, environment=os.environ), vault.state, os.environ
    )
    git.require_erasable(engine)
    survey = Survey(engine)
    at(1)
    target = target_of(vault, survey, wish)
    rewriting = Rewriting(survey, target.erasure)
    rewriting.prepare()
    at(2)
    loose = tuple(loose_files(vault, target.erasure))
    return _Work(engine=engine, target=target, rewriting=rewriting, loose=loose)


def _require_no_watcher(vault: Vault) -> None:
    beat = files.read_heartbeat(vault.state)
    if beat is not None:
        raise BusyError(
            f"a watcher (process {beat.pid}) has the index open, so nothing was erased",
            hint="end it (Ctrl-C where it runs), then run the command again",
        )


def _require_committed(vault: Vault) -> None:
    """Raise UncommittedError for edits of the person's: what they mean is not decided yet.

    Notes that a secret keeps out of the history cannot be committed, and are seen to as they are.
    What is staged is a commit in the making, with objects that no reference names.
    """
    edited = {state.path for state in vault.index.pending()} - vaults.held_paths(vault)
    if found := sorted(edited | vault.history.staged_paths(())):
        raise devices.UncommittedError(
            found,
            hint="`vaultmem sync` commits edits of notes, then run this again; nothing was erased",
        )


def _carry_out(vault: Vault, work: _Work, at: Callable[[int], None]) -> str:
    """From the last moment at which nothing is changed to the new history; its head."""
    now = vault.clock.now()
    plan = Plan(
        op=OP,
        actor="person",
        subject=f"purge: {pluralise(len(work.target.notes), 'note')} erased, history rewritten",
    )
    name, mail = git.read_identity(work.engine, os.environ)
    switch = git.replace.build(
        work.engine,
        work.rewriting,
        message=vaults.message(plan, at=now, settled=not vault.is_open).encode("utf-8"),
        signature=git.signature(name, mail, now // 1000),
    )
    at(4)
    erasure = work.target.erasure
    _clean_loose(vault, work)
    clean_state(vault.state, erasure)
    telling = work.target.telling
    # Before the switch, as nothing after it knows the words; without it a pull would bring them
    # back unnoticed.
    vaults.Erased(vault.settings).add(ids=erasure.ids, texts=erasure.texts, anywhere=telling)
    switch_over(vault, work.engine, switch)
    return switch.new


def _clean_loose(vault: Vault, work: _Work) -> None:
    """Notes with edits that no commit has, and what publications left beside them."""
    changes = [
        change
        for one in work.loose
        if one.is_ours and TMP not in one.path.parents
        for change in changes_of(vault, work.target.erasure, one)
    ]
    vaults.publish_files(vault, changes)
    files.recover(vault.root, now_ns=time.time_ns() + 2 * files.LATE_WRITER_NS)
    # What `recover` leaves there belongs to no note, so a file that says it goes as a whole.
    for path, file in vault_files(vault.root):
        if TMP in path.parents and work.target.erasure.holds(file.read_bytes()):
            file.unlink()


def _report(vault: Vault, work: _Work) -> Purged:
    rewriting, survey = work.rewriting, work.rewriting.survey
    return Purged(
        notes=work.target.notes,
        passages=len(work.target.erasure.texts),
        short=work.target.short,
        files=tuple(sorted({*_changed_files(rewriting), *_changed_loose(work)})),
        commits=rewriting.changed_commits(),
        of_commits=len(rewriting.commits),
        messages=rewriting.messages,
        refs=tuple(name for name, old, new in rewriting.refs() if old != new),
        stores=tuple(_stores(vault, survey)),
        remotes=tuple(_remotes(vault, work.engine)),
        left=tuple(_left(work)),
        dry_run=True,
    )


def _changed_files(rewriting: Rewriting) -> Iterator[PurePosixPath]:
    """Files of the last commit that stay and change."""
    head = rewriting.survey.head.oid
    if head is None:
        return
    old = rewriting.files_of(head)
    new = rewriting.files_of(rewriting.commits[head])
    for path in sorted(new):
        if old.get(path) != new[path]:
            yield PurePosixPath(path)


def _changed_loose(work: _Work) -> Iterator[PurePosixPath]:
    """Uncommitted notes, copies beside notes, and the like."""
    for one in work.loose:
        if one.is_ours and TMP not in one.path.parents:
            yield one.path


def _stores(vault: Vault, survey: Survey) -> Iterator[str]:
    yield "reflogs, objects that nothing names, and what git keeps of commands that are over"
    yield "the index and the past of this device, which are built anew"
    if any(ref.name == STASH for ref in survey.refs):
        yield f"{pluralise(len(survey.stashes) or 1, 'stash', 'stashes')}, rewritten like the rest"
    if (vault.state / check.KEPT).exists():
        yield "what `vaultmem check --fix` kept of damaged files"


def _remotes(vault: Vault, engine: Engine) -> Iterator[str]:
    pinned = config.find_remote(vault.settings.state.name, os.environ)
    urls = [pinned.url] if pinned else []
    named = git.Exchange(engine, os.environ).remotes()  # as its settings are now
    yield from dict.fromkeys(map(config.shown_url, [*urls, *named]))


def _left(work: _Work) -> Iterator[Holding]:
    """Files that are the person's alone, and what to do about each."""
    erasure = work.target.erasure
    for one in work.loose:
        if one.is_ours:
            continue
        stem = one.path.stem if one.path.suffix else one.path.name
        in_name = erasure.is_gone(stem) or erasure.says(stem)
        if in_name and not erasure.holds(one.data):
            why = "its name says it: rename or delete it"
        elif b"\0" in one.data:
            why = "no text: delete it, or save it anew without the words"
        else:
            why = "not a note: take the words out, or delete it"
        yield Holding(path=one.path, why=why)


_GIT = ".git"
TRASH = ".trash"
"""Where Obsidian puts notes that a person deleted."""
_LARGE_BYTES, _OVERLAP_BYTES = 64 << 20, 1 << 20  # of a film beside the notes, say
# Made anew, or without a word of a note.
REMADE = ("index.sqlite", "past.sqlite")


class Loose(NamedTuple):
    """A file of the folder that holds it and that the last commit does not hold so."""

    path: PurePosixPath
    data: bytes
    is_ours: bool  # a note, also a deleted one in the trash, or a file that git follows


def loose_files(vault: Vault, erasure: Erasure) -> Iterator[Loose]:
    """Files of the folder that hold it, but for those that are as the last commit has them."""
    head = vault.history.head()
    tracked = vault.history.exchange().entries(head) if head else {}
    for path, file in vault_files(vault.root):
        if not is_held_in(erasure, path, file):
            continue
        data = file.read_bytes()
        entry = tracked.get(path.as_posix())
        oid = str(blob_oid(data, algorithm=vault.history.algorithm))
        if entry is None or entry.oid != oid:
            # Obsidian's trash holds what a person threw away already: left to them, each purge
            # failed its own proof.
            is_ours = entry is not None or path.parts[0] in (*TOPS, OWN, TRASH)
            yield Loose(path, data, is_ours)


def vault_files(root: Path) -> Iterator[tuple[PurePosixPath, Path]]:
    """Regular files of the folder, but for git's, by path."""
    for folder, below, names in os.walk(root):
        if Path(folder) == root and _GIT in below:
            below.remove(_GIT)
        below.sort()
        for name in sorted(names):
            file = Path(folder, name)
            if file.is_file() and not file.is_symlink():
                yield PurePosixPath(file.relative_to(root).as_posix()), file


def is_held_in(erasure: Erasure, path: PurePosixPath, file: Path) -> bool:
    """Whether a file has it in its name or in its bytes."""
    stem = path.stem if path.suffix else path.name
    if erasure.is_gone(stem) or erasure.says(stem):
        return True
    if file.stat().st_size <= _LARGE_BYTES:
        data = file.read_bytes()
        return is_note_of(data, erasure.ids) or erasure.holds(data)
    return bytes_hold(erasure, file)


def bytes_hold(erasure: Erasure, file: Path, *, at_once: int = _LARGE_BYTES) -> bool:
    """Whether the bytes of a file, of any size, hold it; `at_once`: bytes of a piece."""
    return any(map(erasure.holds, _pieces(file, at_once)))


def _pieces(file: Path, at_once: int) -> Iterator[bytes]:
    """The bytes of a file, the large ones in pieces that overlap: no passage falls between."""
    before = b""
    with open(file, "rb") as stream:
        while piece := stream.read(at_once):
            yield before + piece
            before = piece[-_OVERLAP_BYTES:]


def changes_of(vault: Vault, erasure: Erasure, loose: Loose) -> list[Write | Remove]:
    """How such a file of ours becomes clean."""
    algorithm = vault.history.algorithm
    expects = blob_oid(loose.data, algorithm=algorithm)
    stem = loose.path.stem
    if erasure.is_gone(stem) or is_note_of(loose.data, erasure.ids):
        return [Remove(path=loose.path, expects=expects)]
    if loose.path.parts[0] == TRASH and b"\0" in loose.data:  # a picture: deleted already
        return [Remove(path=loose.path, expects=expects)]
    name = erasure.name(stem)
    if name == stem and erasure.says(stem):  # a name that the history never had
        return [Remove(path=loose.path, expects=expects)]
    data = erasure.clean(loose.data)
    if name == stem:
        return [Write(path=loose.path, content=data, expects=expects)]
    other = loose.path.with_name(f"{name}{loose.path.suffix}")
    return [
        Write(path=other, content=data, expects=None),
        Remove(path=loose.path, expects=expects),
    ]


def state_files(state: Path) -> Iterator[Path]:
    """Files of the device state that are kept as they are, by path."""
    for folder, below, names in os.walk(state):
        below.sort()
        for name in sorted(names):
            file = Path(folder, name)
            if file.is_file() and not file.is_symlink() and not name.startswith(REMADE):
                yield file


def clean_state(state: Path, erasure: Erasure) -> int:
    """Take it out of files of the device state; what is no text goes whole. How many it was in."""
    found = 0
    for file in state_files(state):
        if not bytes_hold(erasure, file) and not erasure.says(file.stem):
            continue
        found += 1
        data = file.read_bytes()
        after = erasure.clean(data)
        if b"\0" in data or erasure.says(file.stem) or erasure.holds(after):
            file.unlink()
            continue
        base.replace_file(file, after, is_durable=True)
    return found


# The second half of an erasure: needs no word of what is erased, and may be done twice.

OP = "purge"
# Of the device state: made anew, or no more than a reminder in words of notes.
_DISPOSABLE = ("notices.json", "staged", "answers.log", "answers.old", "root-commits.json")


def switch_over(vault: Vault, engine: Engine, switch: Switch) -> None:
    """Make it certain, and do it."""
    file = vault.state / PURGING

    def note() -> None:
        _write(file, switch.to_bytes())

    git.replace.carry_out(engine, switch, note=note)
    _end(vault, engine, switch)


def finish(vault: Vault) -> bool:
    """Finish what a process that died had made certain; whether there was something."""
    switch = git.replace.read_switch(vault.state / PURGING)
    if switch is None:
        return False
    repository = git.open_repository(vault.root, environment=os.environ)
    engine = git.open_engine(repository, vault.state, os.environ)
    try:
        git.replace.carry_out(engine, switch)
    except HeadMovedError:
        # Somebody committed on top of the old history meanwhile: both are whole, and the words
        # are still in it. Erasing again erases the rest.
        (vault.state / PURGING).unlink(missing_ok=True)
        raise
    _end(vault, engine, switch)
    return True


def _end(vault: Vault, engine: Engine, switch: Switch) -> None:

    # The old commits are dropped after the files are level; without them a process that died had
    # come further.
    if vault.history.exists(switch.old):
        publish_files(vault, _changes(vault, switch))
    # As if two spans of late writers had passed: a displaced file that waits in .vaultmem/tmp would
    # keep the words.
    files.recover(vault.root, now_ns=time.time_ns() + 2 * files.LATE_WRITER_NS)
    git.replace.drop_the_rest(engine, switch)
    shutil.rmtree(vault.state / check.KEPT, ignore_errors=True)
    for name in _DISPOSABLE:
        (vault.state / name).unlink(missing_ok=True)
    for file in vault.state.glob("vectors-*"):  # what a text meant can be told from its vector
        file.unlink(missing_ok=True)
    history.versions.drop(vault)
    # The index is made from nothing, not cleared: rows that were deleted leave their words in free
    # pages of SQLite.
    vaults.level.rebuild(vault)
    vaults.level.refresh(vault, rehash=True)
    vaults.ledger.accept(vault, why=OP)
    # Last of all: while the note is there, the next holder of the lock does all of this again.
    (vault.state / PURGING).unlink(missing_ok=True)


def _changes(vault: Vault, switch: Switch) -> list[Write | Remove]:
    """Files as the last commit has them now; one that was edited since has been seen to."""
    exchange = vault.history.exchange()
    before, after = exchange.entries(switch.old), exchange.entries(switch.new)
    found: list[Write | Remove] = []
    for path in sorted(before.keys() | after.keys()):
        old, new = before.get(path), after.get(path)
        if old == new or (new is None and old is None):
            continue
        place = PurePosixPath(path)
        data = _on_disk(vault, place)
        oid = None if data is None else str(blob_oid(data, algorithm=vault.history.algorithm))
        if old is None and data is None and new is not None:
            found.append(Write(path=place, content=_blob(vault, new.oid), expects=None))
        elif old is not None and oid == old.oid:
            expects = Oid(old.oid)
            if new is None:
                found.append(Remove(path=place, expects=expects))
            else:
                content = _blob(vault, new.oid)
                found.append(Write(path=place, content=content, expects=expects))
    return found


def _blob(vault: Vault, oid: str) -> bytes:
    return dict(vault.history.blobs([oid]))[oid] or b""


def _on_disk(vault: Vault, path: PurePosixPath) -> bytes | None:
    try:
        return files.read(vault.root, path, limit=None)
    except VaultmemError:
        return None


def _write(file: Path, data: bytes) -> None:
    try:
        base.replace_file(file, data, mode=0o666, is_durable=True)
    except OSError as error:
        raise disk_error(error, doing="write", what=file) from error


# The proof of an erasure: every object and every file of every store, searched byte by byte.


def search(vault: Vault, engine: Engine, erasure: Erasure) -> tuple[int, tuple[str, ...]]:
    """How many objects and files were searched, and the places where it still is.

    Objects unpacked, reachable or not; files of `.git`, of the folder and of the device state as
    they are. Names count as well. The places never quote what was found.
    """
    places: list[str] = []
    searched = 0
    for number, place in objects_with(engine, erasure):
        searched += number
        places += [place] if place else []
    for name, file in files_of_git(engine.repository.git_dir):
        searched += 1
        if bytes_hold(erasure, file) or erasure.says(file.name):  # a branch may be named so
            places.append(name)
    for path, file in vault_files(vault.root):
        searched += 1
        if is_held_in(erasure, path, file):
            places.append(path.as_posix())
    for file in sorted(vault.state.rglob("*")):
        if file.is_file() and not file.is_symlink():
            searched += 1
            if bytes_hold(erasure, file) or erasure.says(file.stem):
                places.append(f"device state: {file.relative_to(vault.state).as_posix()}")
    return searched, tuple(places)
