"""Put a rewritten history in the place of the old one, and leave nothing of the old one.

First one pack with all that the new references reach; nothing names it yet. Then a note of what
is to be (`Switch`), durable and without a word of what was erased: from here on the work can only
be finished, by this process or the next one, and each step may be repeated.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from vaultmem.base import TYPE_CHECKING, DiskError, HeadMovedError, HistoryError, NamedTuple
from vaultmem.storage.git import mend as git_gaps
from vaultmem.storage.git import refs as locks
from vaultmem.storage.git import rewrite
from vaultmem.storage.git.engine import Engine
from vaultmem.storage.git.packs import move_in, new_folder
from vaultmem.storage.git.refs import HEAD, read_head
from vaultmem.storage.git.rewrite import Rewriting
from vaultmem.storage.git.staging import hold_index
from vaultmem.storage.git.survey import (
    PACKED_REFS,
    STASH,
    StashLine,
    all_objects,
    all_refs,
    read_objects,
)

if TYPE_CHECKING:
    from vaultmem.storage.notes import Erasure
_WAIT_SECONDS = 2.0
# Names in `.git` whose content is of the past or comes again by itself.
_PASSING = (
    *("ORIG_HEAD", "FETCH_HEAD", "MERGE_HEAD", "MERGE_MSG", "MERGE_MODE", "MERGE_RR", "AUTO_MERGE"),
    *("CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD", "COMMIT_EDITMSG", "TAG_EDITMSG"),
    *("SQUASH_MSG", "NOTES_EDITMSG", "NOTES_MERGE_REF", "BISECT_LOG", "gitk.cache", "gc.log"),
    *("info/refs", "EDIT_DESCRIPTION", "BRANCH_DESCRIPTION", "ADD_EDIT.patch", "MERGE_AUTOSTASH"),
    *("addp-hunk-edit.diff", "BISECT_NAMES", "BISECT_TERMS", "BISECT_START", "BISECT_EXPECTED_REV"),
    *("rr-cache", "lost-found", "NOTES_MERGE_WORKTREE", "packed-refs.new"),
)


class Switch(NamedTuple):
    """From which references to which, and the only pack that is to stay."""

    pack: str
    refs: tuple[tuple[str, str, str], ...]  # name, old, new ('': it goes)
    head: str  # the reference that HEAD names, or HEAD itself
    old: str
    new: str
    stash: tuple[tuple[str, str], ...] = ()  # new id, who and what, oldest first
    signature: str = ""  # of the log lines

    def to_bytes(self) -> bytes:
        """As a note in the device state."""
        return json.dumps(self._asdict()).encode("utf-8")


def read_switch(file: Path) -> Switch | None:
    """The note that a process left; None when there is none. Raises DiskError for damage."""
    try:
        found = json.loads(file.read_bytes())
        return Switch(
            pack=found["pack"],
            refs=tuple((name, old, new) for name, old, new in found["refs"]),
            head=found["head"],
            old=found["old"],
            new=found["new"],
            stash=tuple((new, rest) for new, rest in found["stash"]),
            signature=found["signature"],
        )
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise DiskError(f"'{file}' cannot be read") from error


def require_erasable(engine: Engine) -> None:
    """Raise HistoryError for a repository of which a part lies elsewhere."""
    git_dir = engine.repository.git_dir
    why = way = ""
    if (git_dir / "shallow").exists():
        why = "its history is cut off (a shallow clone)"
        way = "`git fetch --unshallow` brings the rest, then run the command again"
    elif (git_dir / "objects" / "info" / "alternates").exists():
        why = "it borrows objects of another repository (objects/info/alternates)"
        way = (
            "`git repack -a -d` copies them here; then delete .git/objects/info/alternates and run "
            "the command again, and erase it in the other repository too"
        )
    elif (git_dir / "worktrees").is_dir() and os.listdir(git_dir / "worktrees"):
        why = "it has linked working trees"
        way = (
            "`git worktree list` names them, `git worktree remove FOLDER` takes one away (`git "
            "worktree prune` those whose folder is gone), then run the command again"
        )
    elif gaps := git_gaps.read(engine).lost:
        why = f"{len(gaps)} of its commits cannot be read (`vaultmem check` names them)"
        way = (
            "bring them back from a clone or a backup, or begin a new history: move `.git` aside, "
            "then `vaultmem init` and run the command again; the old `.git` is yours to delete"
        )
    elif read_head(engine.repository).oid is None:
        why = "it has no commit yet"
        way = "`vaultmem sync` makes the first one"
    if why:
        raise HistoryError(
            f"nothing was erased, because not all of the repository can be rewritten: {why}",
            hint=way,
        )


def build(engine: Engine, rewriting: Rewriting, *, message: bytes, signature: str) -> Switch:
    """Make the new history, with one commit on top that says so; nothing is changed by it.

    message    of that commit
    signature  `Name <mail> seconds +0000`
    """
    survey = rewriting.survey
    old = survey.head.oid or ""
    below = rewriting.commits[old]
    top = rewriting.extend(rewriting.tree_of_commit(below), below, signature, message)
    refs = tuple(
        (name, was, top if name == survey.head.ref else new) for name, was, new in rewriting.refs()
    )
    stash = tuple(_rewrite_stash(rewriting, survey.stashes))
    tips = [top, *(new for _, _, new in refs if new), *(new for new, _ in stash)]
    aside, out = new_folder(engine), new_folder(engine)
    try:
        rewrite.write_pack(engine, aside, rewrite.pack(rewriting.made, rewriting.algorithm))
        name = rewrite.pack_reachable(engine, out, tips, beside=aside)
        move_in(engine, out)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
        shutil.rmtree(out, ignore_errors=True)
    return Switch(name, refs, survey.head.ref, old, top, stash, signature)


def _rewrite_stash(rewriting: Rewriting, lines: Sequence[StashLine]) -> list[tuple[str, str]]:
    found = []
    for line in lines:
        new = rewriting.replacement(line.new)
        rest = rewriting.erasure.clean(line.rest.encode("utf-8", "surrogateescape"))
        if new is not None:
            found.append((new, rest.decode("utf-8", "replace")))
    return found


def require_unmoved(engine: Engine, switch: Switch) -> None:
    """Raise HeadMovedError when a reference is neither as it was nor as it shall be."""
    now = {ref.name: ref.oid for ref in all_refs(engine)}
    for name, old, new in switch.refs:
        if now.pop(name, "") not in (old, new):
            raise HeadMovedError(f"'{name}' moved meanwhile", hint="run the command again")
    if now:
        raise HeadMovedError(f"'{min(now)}' is new since", hint="run the command again")
    head = read_head(engine.repository)
    if head.ref != switch.head or head.oid not in (switch.old, switch.new):
        raise HeadMovedError("the branch moved meanwhile", hint="run the command again")


def carry_out(
    engine: Engine,
    switch: Switch,
    *,
    note: Callable[[], None] = lambda: None,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Let references, HEAD and the person's index be of the new history.

    note  called when nobody can move the branch any more: makes the switch certain
    raises  HeadMovedError, RepositoryBusyError before that; nothing is changed then
    """
    git_dir = engine.repository.git_dir
    hold = hold_index(engine, wait_seconds=_WAIT_SECONDS, sleep=sleep)
    try:
        require_unmoved(engine, switch)
        note()
        # The old index names erased notes and their blobs, so a new one is read from the new tree.
        # It goes before the branch: `git commit -a` reads HEAD, then the index, and would put what
        # was erased on top of the new history.
        new = locks.new_file(git_dir, "index")
        engine.run("read-tree", switch.new, index=new)
        os.replace(new, git_dir / "index")
        _set_refs(engine, switch)
        # The larger part of a split index lies in these files, with the names of what was erased.
        for shared in git_dir.glob("sharedindex.*"):
            shared.unlink()
        locks.sync_folder(git_dir)
    finally:
        hold.release()


def _set_refs(engine: Engine, switch: Switch) -> None:
    """Loose files first as they shall be, then the packed ones as a whole."""
    git_dir = engine.repository.git_dir
    loose = {ref.name for ref in all_refs(engine) if ref.is_loose}
    for name, _, new in switch.refs:
        if not name.startswith("refs/") or ".." in name:
            raise HistoryError(f"'{name}' is not the name of a reference")
        # A loose file hides the packed line of its name, so a reader finds the old or the new value
        # and never none.
        if name in loose and new:
            _replace(git_dir, git_dir / name, f"{new}\n")
    packed = [f"{new} {name}\n" for name, _, new in sorted(switch.refs) if new]
    if (git_dir / PACKED_REFS).exists():
        _replace(git_dir, git_dir / PACKED_REFS, "".join(packed))
    # What goes is removed last: while its packed line stood, the old value would come back by it.
    for name, _, new in switch.refs:
        if not new:
            (git_dir / name).unlink(missing_ok=True)
    if switch.head == HEAD:
        _replace(git_dir, git_dir / HEAD, f"{switch.new}\n")


def _replace(git_dir: Path, file: Path, text: str) -> None:
    new = locks.new_file(git_dir, "ref")
    locks.write_durably(new, text.encode("utf-8", "surrogateescape"))
    os.replace(new, file)
    locks.sync_folder(file.parent)


def drop_the_rest(engine: Engine, switch: Switch) -> None:
    """Logs, objects beside the one pack, and what git keeps of commands that are over."""
    git_dir = engine.repository.git_dir
    _renew_logs(git_dir, switch, engine.repository.zero)
    _drop_objects(engine.repository.objects, switch.pack)
    for name in _PASSING:
        place = git_dir / name
        if place.is_dir() and not place.is_symlink():
            shutil.rmtree(place)
        else:
            place.unlink(missing_ok=True)
    _drop_engine(engine.folder)


def _renew_logs(git_dir: Path, switch: Switch, zero: str) -> None:
    logs = git_dir / "logs"
    had_logs = logs.is_dir()
    shutil.rmtree(logs, ignore_errors=True)
    if not had_logs:
        return
    line = f"{zero} {switch.new} {switch.signature}\tpurge: the history was rewritten\n"
    for name in dict.fromkeys((HEAD, switch.head)):
        _write(logs / name, line)
    if switch.stash and any(name == STASH and new for name, _, new in switch.refs):
        lines, old = [], zero
        for new, rest in switch.stash:
            lines.append(f"{old} {new} {rest}\n")
            old = new
        _write(logs / STASH, "".join(lines))


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    locks.write_durably(file, text.encode("utf-8", "surrogateescape"))


def _drop_objects(objects: Path, pack: str) -> None:
    """Everything but this pack; what is listed first is removed first."""
    packs = objects / "pack"
    if not (packs / f"{pack}.idx").exists() or not (packs / f"{pack}.pack").exists():
        raise DiskError(f"the pack '{pack}' is not there, so nothing was removed")
    names = sorted(os.listdir(packs), key=lambda name: (not name.endswith(".idx"), name))
    for name in sorted(names, key=lambda name: not name.startswith("multi-pack-index")):
        if not name.startswith(f"{pack}."):
            _remove(packs / name)
    for entry in sorted(os.listdir(objects)):
        if entry != "pack":
            _remove(objects / entry)
    (objects / "info").mkdir(exist_ok=True)


def _remove(place: Path) -> None:
    if place.is_dir() and not place.is_symlink():
        for folder, _, names in os.walk(place):
            for name in names if os.name == "nt" else ():  # objects are read-only there
                os.chmod(Path(folder, name), 0o600)
        shutil.rmtree(place)
        return
    if os.name == "nt":
        with contextlib.suppress(OSError):
            os.chmod(place, 0o600)
    place.unlink(missing_ok=True)


def _drop_engine(folder: Path) -> None:
    """References of the engine name commits that are gone; its lists name paths."""
    # The folder itself stays: without it no git knows the engine for a repository.
    for place in (folder / "refs", folder / "logs"):
        for entry in sorted(os.listdir(place)) if place.is_dir() else ():
            _remove(place / entry)
    for name in (PACKED_REFS, "packs", "unsettled", "staged", "last", "index", "FETCH_HEAD"):
        (folder / name).unlink(missing_ok=True)


# Search everything that git keeps, reachable or not, for what must not be there.

_OBJECTS = "objects"


def objects_with(engine: Engine, erasure: Erasure) -> Iterator[tuple[int, str]]:
    """(0, place) of each object that holds it, unpacked; at last how many were searched, and ''."""
    entries = all_objects(engine)
    sized = [(oid, size) for oid, (_, size) in entries.items()]
    names: dict[bytes, bool] = {}
    for one in read_objects(engine, sized):
        found = erasure.holds(one.data)
        if one.kind == "tree" and not found:
            found = any(_says(erasure, name, names) for name in _names(one.data, engine))
        if found:
            yield 0, f"git {one.kind} {one.oid}"
    yield len(entries), ""


def _names(tree: bytes, engine: Engine) -> Iterator[bytes]:
    place, width = 0, len(engine.repository.zero) // 2
    while place < len(tree):
        start = tree.index(b" ", place) + 1
        end = tree.index(b"\0", start)
        yield tree[start:end]
        place = end + 1 + width


def _says(erasure: Erasure, name: bytes, known: dict[bytes, bool]) -> bool:
    if name not in known:
        text = name.decode("utf-8", "surrogateescape")
        stem = text.rpartition(".")[0] or text
        known[name] = erasure.is_gone(stem) or erasure.says(stem)
    return known[name]


def files_of_git(git_dir: Path) -> Iterator[tuple[str, Path]]:
    """Every file of `.git` by its path from the vault, but objects and packs, which are unpacked
    elsewhere; what lies among these and is neither is listed too."""
    for folder, below, names in os.walk(git_dir):
        below.sort()
        inner = Path(folder).relative_to(git_dir)
        for name in sorted(names):
            if inner.parts[:1] == (_OBJECTS,) and _is_object(inner, name):
                continue
            file = Path(folder, name)
            if file.is_file() and not file.is_symlink():
                yield (Path(git_dir.name) / inner / name).as_posix(), file


def _is_object(inner: Path, name: str) -> bool:
    if inner.parts == (_OBJECTS, "pack"):
        return name.startswith("pack-") and name.endswith((".pack", ".idx", ".rev"))
    return len(inner.parts) == 2 and len(inner.parts[1]) == 2 and len(name) in (38, 62)
