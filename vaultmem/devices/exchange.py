"""Exchange a vault with its remote: take in, merge, settle, publish; notices that stay open."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import PurePosixPath

from vaultmem import base
from vaultmem import vault as vaults
from vaultmem.base import (
    TYPE_CHECKING,
    Any,
    DiskError,
    HeadMovedError,
    HistoryError,
    RemoteMovedError,
    StaleFileError,
    VaultmemError,
    dataclass,
    replace,
)
from vaultmem.config import NoRemoteError, PinnedRemote, find_remote, require_network, shown_url
from vaultmem.devices.admit import Accept, Step, is_to_be_replaced, plan_step
from vaultmem.devices.arrive import arrive
from vaultmem.edit import Settled, learned_from_refresh, plan_effects, settle
from vaultmem.model import Bullet, Exchanged, Plan, Problem, Severity, Stream, blob_oid, pluralise
from vaultmem.model import Item as ItemRecord
from vaultmem.storage import files
from vaultmem.vault import (
    UNSETTLED,
    AddBullet,
    Comparison,
    Effect,
    Patch,
    RemoveBullet,
    bullets_by_id,
    compare,
    level,
    load_items,
    message,
    note_sending,
    record_at,
    same,
    streams_on_disk,
    touched_items,
    unreadable_items,
    without_barred,
    writer_lock,
)

if TYPE_CHECKING:
    from vaultmem.model import Committed, Item, Learned, Progress
    from vaultmem.storage.git import RemoteRepository
    from vaultmem.vault import Vault


# --- what follows a merge of lists and items ---


# Each device had settled its own edits, so both sides of every bullet agreed on each; what differs
# now is a clash between devices. The item is the memory and its bullet follows: its words, its
# stream, whether it is listed at all; so do the lines of summaries. A bullet that both devices
# moved stays in its item's stream.
def follow_merge(vault: Vault, paths: Iterable[str], sides: tuple[str, str]) -> Settled:
    """Make bullets and summaries follow their items after a merge of two settled sides.

    One commit at most.

    paths  files that the merge changed here
    sides  the two commits that were merged
    """
    changed = frozenset(paths)
    comparison = _compare(vault, changed, sides)
    problems = comparison.problems
    vault.is_open = bool(problems)
    commits: tuple[Committed, ...] = ()
    learned: tuple[Learned, ...] = ()
    plan, learned, held_back = plan_effects(vault, comparison.effects, merged=changed)
    problems = (*problems, *held_back)
    if plan.changes:
        commits = vaults.apply(vault, [plan], settled=not problems)
    if not problems:
        level.mark_settled(vault)
    with vault.index.writing():
        level.show_as_edited(vault)  # no longer as if either side were an edit of the other
    level.after_settling(vault, problems)
    return Settled(commits=commits, learned=learned)


def _compare(vault: Vault, paths: frozenset[str], sides: tuple[str, str]) -> Comparison:
    disk = streams_on_disk(vault)
    unreadable = unreadable_items(vault)
    listed = {bullet.block_id for stream in disk for bullet in stream.bullets if bullet.block_id}
    touched = touched_items(vault, paths, listed=listed)
    changed = [stream for stream in disk if stream.path.as_posix() in paths]
    touched |= {b.block_id for stream in changed for b in stream.bullets if b.block_id}
    items = without_barred(vault, load_items(vault, touched), bullets_by_id(disk))
    repeated, disk = _without_repeated(disk, items)
    # Nothing was ticked before: a box that is ticked now ends its item, if that has not ended.
    base = [replace(stream, bullets=tuple(_untick(b) for b in stream.bullets)) for stream in disk]
    found = compare(base, disk, items, touched=touched, unreadable=unreadable)
    # An item of the flow that no list names has usually fallen off the end of a full one.
    effects = [
        effect
        for effect in found.effects
        if not (isinstance(effect, AddBullet) and effect.stream == "flow")
        and not (isinstance(effect, Patch) and not _is_agreed(vault, effect.id, disk, items, sides))
    ]
    return Comparison(effects=(*repeated, *effects), problems=found.problems)


def _is_agreed(
    vault: Vault, id_: str, disk: list[Stream], items: dict[str, Item], sides: tuple[str, str]
) -> bool:
    """Whether the words of a bullet were those of its item on one side.

    After an undo a bullet may say what its item does not: then its words are nowhere else, and
    the bullet keeps them.
    """
    said = bullets_by_id(disk)[id_].bullet.text
    records = (record_at(vault, commit, items[id_].path) for commit in sides)
    return any(isinstance(each, ItemRecord) and same(said, each.statement) for each in records)


def _untick(bullet: Bullet) -> Bullet:
    return bullet if bullet.checked is None else replace(bullet, checked=False)


def _without_repeated(
    disk: list[Stream], items: dict[str, Item]
) -> tuple[list[Effect], list[Stream]]:
    """Bullets of one id in several files: one stays, in the item's stream if it is there."""
    places: dict[str, list[Stream]] = {}
    for stream in disk:
        for id_ in {bullet.block_id for bullet in stream.bullets if bullet.block_id}:
            places.setdefault(id_, []).append(stream)
    effects: list[Effect] = []
    dropped: set[tuple[str, str]] = set()
    for id_, streams in sorted(places.items()):
        item = items.get(id_)
        if len(streams) < 2 or item is None:
            continue
        kept = min(streams, key=lambda each: (each.name != item.stream, each.path))
        for stream in streams:
            if stream is not kept:
                effects.append(RemoveBullet(path=stream.path, id=id_))
                dropped.add((stream.path.as_posix(), id_))
    left = [
        replace(
            stream,
            bullets=tuple(
                bullet
                for bullet in stream.bullets
                if (stream.path.as_posix(), bullet.block_id) not in dropped
            ),
        )
        for stream in disk
    ]
    return effects, left


# --- notices: what a person should look at ---

# Kept in the device state, not in the vault: each names the bytes it is about, and is over as
# soon as the file has others, or is gone.
FILE = "notices.json"
_MOST = 1000


def open_notices(vault: Vault) -> Iterator[Problem]:
    """Those that nobody has looked after yet, by path."""
    for row in _rows(vault):
        if _fingerprint(vault, PurePosixPath(row["path"])) == row["oid"]:
            yield Problem(
                path=PurePosixPath(row["path"]),
                code=row["code"],
                message=row["message"],
                hint=row["hint"],
                severity=Severity(row["severity"]),
            )


def add_notices(vault: Vault, problems: Iterable[Problem]) -> None:
    """Remember problems until their files change; the newest thousand."""
    rows = [row for row in _rows(vault) if _fingerprint(vault, _path(row)) == row["oid"]]
    for problem in problems:
        if problem.severity is not Severity.INFO:
            rows.append(
                {
                    "path": problem.path.as_posix(),
                    "oid": _fingerprint(vault, problem.path),
                    "code": problem.code,
                    "message": problem.message,
                    "hint": problem.hint,
                    "severity": problem.severity.value,
                }
            )
    unique = {(row["path"], row["code"], row["message"]): row for row in rows}
    file = vault.state / FILE
    try:
        if not unique and not file.exists():
            return
        base.replace_file(file, json.dumps(list(unique.values())[-_MOST:]).encode())
    except OSError as error:
        raise DiskError(f"cannot write '{file}': {error.strerror}") from error


def _path(row: dict[str, str]) -> PurePosixPath:
    return PurePosixPath(row["path"])


def _rows(vault: Vault) -> list[dict[str, Any]]:
    """What the file holds; nothing of one that cannot be read: it is only a reminder."""
    file = vault.state / FILE
    if not os.path.exists(file):
        return []
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    keys = {"path", "oid", "code", "message", "hint", "severity"}
    return [row for row in found if isinstance(row, dict) and keys <= row.keys()]


def _fingerprint(vault: Vault, path: PurePosixPath) -> str:
    try:
        data = files.read(vault.root, path, limit=None)
    except VaultmemError:
        return ""
    return blob_oid(data, algorithm=vault.history.algorithm)


# A person may save a note in the very moment in which it is written: then all starts again.
ATTEMPTS = 5
_MOST_LINES = 200  # notices in the message of a merge


class Incoming:
    """What came so far, over all rounds of one exchange."""

    def __init__(self) -> None:
        self.incoming = 0
        self.paths: set[str] = set()
        self.merged: set[str] = set()
        self.withheld: set[str] = set()
        self.learned: list[Learned] = []
        self.problems: list[Problem] = []
        self.commits: list[str] = []

    def settle(self, vault: Vault) -> None:
        """Commit the person's edits as theirs, and what follows from them."""
        for attempt in range(ATTEMPTS):
            try:
                with writer_lock(vault):
                    refreshed = level.refresh(vault)
                    self.add(settle(vault))
                    self.learned += learned_from_refresh(vault, refreshed, self.learned)
                return
            except (StaleFileError, HeadMovedError):
                if attempt == ATTEMPTS - 1:
                    raise

    def add(self, settled: Settled) -> None:
        """Count in what settling did."""
        self.commits += [each.commit for each in settled.commits]
        self.learned += settled.learned

    def report(
        self,
        pinned: PinnedRemote,
        *,
        head: str | None,
        outgoing: int,
        pushed: bool,
        attempts: int,
        warnings: tuple[str, ...],
    ) -> Exchanged:
        """All of it as one record."""
        return Exchanged(
            remote=shown_url(pinned.url),
            branch=pinned.branch,
            incoming=self.incoming,
            outgoing=outgoing,
            paths=_places(self.paths),
            merged=_places(self.merged),
            withheld=_places(self.withheld),
            learned=tuple(self.learned),
            problems=tuple(self.problems),
            commits=tuple(self.commits),
            head=head,
            pushed=pushed,
            attempts=attempts,
            warnings=warnings,
        )


def _places(paths: Iterable[str]) -> tuple[PurePosixPath, ...]:
    return tuple(PurePosixPath(path) for path in sorted(paths))


def take_in(
    vault: Vault, remote: RemoteRepository, theirs: str, got: Incoming, accepted: Accept
) -> None:
    """Bring this vault level with a commit of the remote; adds to `got` what that did.

    raises  ConsentNeededError, IncomingRefusedError, UncommittedError: nothing was written
    """
    for attempt in range(ATTEMPTS):
        try:
            with writer_lock(vault):
                refreshed = level.refresh(vault)
                got.add(settle(vault))
                got.learned += learned_from_refresh(vault, refreshed, got.learned)
                _take_in(vault, remote, theirs, got, accepted)
            return
        except (StaleFileError, HeadMovedError):
            if attempt == ATTEMPTS - 1:
                raise


def _take_in(
    vault: Vault, remote: RemoteRepository, theirs: str, got: Incoming, accepted: Accept
) -> None:
    exchange, ours = vault.history.exchange(), vault.history.head()
    step = plan_step(vault, remote, ours, theirs, accepted)
    # Also where nothing came: a remote that lacks this commit later was set back.
    if step is None:
        remote.remember(theirs)
        return
    new = theirs
    # Whatever differs between a bullet and its item is a clash of the two devices only if neither
    # side left edits open; else it may be an edit of a person that is to be settled as one.
    is_settled = not vault.is_open and UNSETTLED not in exchange.about(theirs).trailers
    if step.combined is not None and ours is not None:
        plan = Plan(
            op="pull",
            actor="sync",
            subject=_subject(step, remote.branch),
            details=_details(step),
            trailers=(("Vaultmem-Remote-Head", theirs),),
        )
        at = vault.clock.now()
        new = exchange.join(
            (ours, theirs),
            step.combined.content,
            message=message(plan, at=at, settled=is_settled),
            at_ms=at,
        )
        got.commits.append(new)
    arrive(vault, new, reason=f"pull: {pluralise(step.incoming, 'commit')}")
    remote.remember(theirs)
    is_forward = step.combined is None
    if is_forward:  # before rows are shown the way unsettled edits mean them: these are settled
        level.mark_settled(vault, vault.history.last_settled() or "")
    refreshed = level.refresh(vault)
    if is_forward:
        settled = settle(vault)
    elif is_settled:
        settled = follow_merge(vault, step.changed, (ours or theirs, theirs))
    else:
        settled = settle(vault)
    got.add(settled)
    got.learned += learned_from_refresh(vault, refreshed, got.learned)
    got.incoming += step.incoming
    got.paths |= set(step.changed) - step.withheld
    got.merged |= set(step.combined.merged) if step.combined else set()
    got.withheld |= step.withheld
    problems = [*step.problems]
    got.problems += problems
    add_notices(vault, problems)


def preview(
    vault: Vault,
    remote: RemoteRepository,
    ours: str | None,
    theirs: str,
    accepted: Accept,
) -> Incoming:
    """What `take_in` would do; all checks are made, nothing is written."""
    got = Incoming()
    step = plan_step(vault, remote, ours, theirs, accepted)
    if step is not None:
        got.incoming = step.incoming
        got.paths = set(step.changed) - step.withheld
        got.withheld = set(step.withheld)
        got.merged = set(step.combined.merged) if step.combined else set()
        got.problems = list(step.problems)
    return got


def _subject(step: Step, branch: str) -> str:
    merged = step.combined.merged if step.combined else []
    said = f", {pluralise(len(merged), 'file')} merged" if merged else ""
    return f"pull: {pluralise(step.incoming, 'commit')} of '{branch}' joined{said}"


def _details(step: Step) -> str:
    """Counts, and what a person should look at, as the body of the commit message."""
    lines = [f"{pluralise(len(step.changed), 'file')} changed here."]
    lines += [f"- {each.path}: {each.message}" for each in step.problems[:_MOST_LINES]]
    return "\n".join(lines)


# --- pull, push, or both ---

# The network is spoken to outside the vault's lock, so a slow remote delays nobody. What came is
# judged before anything is written, joined with what is here by one commit with both parents, and
# published like every other change. The person's working tree is never checked out, reset or
# stashed, and what they have staged stays staged.
MOST_ROUNDS = 5
"""Fetch, join and push at most so often while other devices are faster."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be done."""

    push: bool = False
    dry_run: bool = False
    accept: Accept = frozenset()


def exchange(vault: Vault, wanted: Wanted, *, progress: Progress | None = None) -> Exchanged:
    """Settle the person's edits, take in what the remote has, send what it has not.

    A push takes in first what another device sent meanwhile. raises what can go wrong on the
    way, each error by its kind; what was done before it is done and stays.
    """
    pinned = require_remote(vault)
    require_network(vault.settings, "exchanging with the remote", target=pinned.url)
    remote = _remote(vault, pinned, progress)
    with one_at_a_time(vault):
        if wanted.dry_run:
            return _dry_run(vault, pinned, remote, wanted)
        return _exchange(vault, pinned, remote, wanted)


def require_remote(vault: Vault) -> PinnedRemote:
    """The remote that the person set for this vault; raises NoRemoteError."""
    pinned = find_remote(vault.settings.state.name, os.environ)
    if pinned is None:
        raise NoRemoteError(vault.settings.name)
    branch = vault.history.branch()
    if branch is None:
        raise HistoryError(
            "no branch is checked out (HEAD is detached), so nothing can be exchanged",
            hint="`git switch main` in the vault",
        )
    if pinned.local and branch != pinned.local:
        raise HistoryError(
            f"the branch '{branch}' is checked out, but '{pinned.local}' is the one that goes to "
            "the remote, so nothing was exchanged",
            hint=f"`git switch {pinned.local}` in the vault; to exchange '{branch}' from now on, "
            "`vaultmem remote set` again",
        )
    if vault.history.is_shallow():
        raise HistoryError(
            "the history of this vault is cut off (a shallow clone)",
            hint="`git fetch --unshallow` in the vault brings the rest",
        )
    return pinned


def _remote(vault: Vault, pinned: PinnedRemote, progress: Progress | None) -> RemoteRepository:
    settings = vault.settings

    def report_progress(what: str, done: int, total: int) -> None:
        if progress is not None:
            progress(what, done, total)

    return vault.history.exchange().remote(
        pinned.url,
        pinned.branch,
        seconds=settings.network_deadline_seconds,
        max_bytes=settings.network_max_bytes,
        heard=report_progress,
    )


@contextmanager
def one_at_a_time(vault: Vault) -> Iterator[None]:
    """Two exchanges of one vault would fetch into the same references."""
    folder = vault.state / "exchange"
    folder.mkdir(mode=0o700, exist_ok=True)
    with files.WriterLock(folder, deadline_seconds=vault.settings.sync_lock_wait_seconds):
        yield


def _exchange(
    vault: Vault, pinned: PinnedRemote, remote: RemoteRepository, wanted: Wanted
) -> Exchanged:
    got = Incoming()
    sent = 0
    pushed = replaced = False
    rounds = 0
    # `take_in` settles as well, but is not called where the remote has nothing new: edits would not
    # be sent.
    got.settle(vault)
    while True:
        rounds += 1
        theirs = remote.fetch(have=vault.history.head())
        if theirs is not None and is_to_be_replaced(vault, remote, theirs, wanted.accept):
            replaced = True
        elif theirs is not None:
            take_in(vault, remote, theirs, got, wanted.accept)
        head = vault.history.head()
        if not wanted.push or head is None or head == theirs:
            break
        outgoing = vault.history.exchange().commits_between(theirs, head)
        sending = f"{outgoing} commit{'s' * (outgoing != 1)}"
        # Before the first byte, so that a push whose process dies is in the list of what left the
        # device, too.
        note_sending(vault, f"push {pinned.branch}", pinned.url, sending)
        try:
            remote.push(head, expects=theirs)
        except RemoteMovedError:
            # Ten pushes of two devices in a loop took 14 rounds, and none of them gave up.
            if rounds >= MOST_ROUNDS:
                raise
            continue
        sent, pushed = outgoing, True
        break
    # What was fetched of the replaced branch holds the erased words.
    if replaced:
        remote.discard()
    head = vault.history.head()
    if not wanted.push and head is not None:
        known = remote.known_tip()
        sent = vault.history.exchange().commits_between(known, head)
    return got.report(
        pinned,
        head=head,
        outgoing=sent,
        pushed=pushed,
        attempts=rounds,
        warnings=warnings(vault, pinned),
    )


def _dry_run(
    vault: Vault, pinned: PinnedRemote, remote: RemoteRepository, wanted: Wanted
) -> Exchanged:
    vaults.level.refresh(vault)
    head = vault.history.head()
    theirs = remote.fetch(have=head)
    is_new = theirs is not None and not is_to_be_replaced(vault, remote, theirs, wanted.accept)
    found = preview(vault, remote, head, theirs, wanted.accept) if theirs and is_new else Incoming()
    outgoing = 0
    if head is not None and not (theirs and vault.history.exchange().is_ancestor(head, theirs)):
        outgoing = vault.history.exchange().commits_between(theirs, head)
    return Exchanged(
        remote=shown_url(pinned.url),
        branch=pinned.branch,
        incoming=found.incoming,
        outgoing=outgoing,
        paths=tuple(map(PurePosixPath, sorted(found.paths))),
        merged=tuple(map(PurePosixPath, sorted(found.merged))),
        withheld=tuple(map(PurePosixPath, sorted(found.withheld))),
        problems=tuple(found.problems),
        head=head,
        dry_run=True,
        pending=len(vault.index.pending()),
        warnings=warnings(vault, pinned),
    )


def warnings(vault: Vault, pinned: PinnedRemote) -> tuple[str, ...]:
    """What changed in the vault's own settings of git since the remote was pinned."""
    origin = shown_url(vault.history.exchange().origin())
    if origin == pinned.origin:
        return ()
    now = f"'{origin}'" if origin else "nothing"
    return (
        f"the vault's .git/config names {now} as its remote since you set yours; that is not used",
    )
