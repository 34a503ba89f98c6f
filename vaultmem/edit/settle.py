"""Settle what a person edited or what came due: commit it as theirs, then make the files agree.

Two commits at most: the person's bytes exactly as they saved them, then what follows from them
(adopted bullets, reworded items, retractions), which is ours and can be undone on its own.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from types import MappingProxyType

from vaultmem import facts, history, language, model, privacy
from vaultmem import vault as vaults
from vaultmem.base import (
    TYPE_CHECKING,
    StaleFileError,
    TypeVar,
    UnsafePathError,
    dataclass,
    replace,
)
from vaultmem.model import Committed, Edited, Item, Learned, NoteRow, Plan, Problem, SyncReport
from vaultmem.storage import files
from vaultmem.vault import (
    ITEM_FOLDERS,
    AddBullet,
    Adopt,
    Effect,
    Join,
    Level,
    Patch,
    Refreshed,
    RemoveBullet,
    compare_unsettled,
    durability,
    ledger,
    level,
    load_items,
    unread,
    writer_lock,
)
from vaultmem.vault import level as index_sync

if TYPE_CHECKING:
    from vaultmem.model import Progress
    from vaultmem.vault import Vault

R = TypeVar("R")

# --- ends that were set for later and have come ---

# A fact whose end lies ahead stays active, and listed, until then; the next settling after it ends
# the item as if it had ended just now. Found by date in the index, and only what ended since the
# last look: events keep their days for good, tasks end when they are done, and an item that was
# written when its time was over already was never meant to be taken out of a list.
_LOOKED = "ends looked at"  # meta: until which instant, UTC ms; nothing: never
_MANY = 50  # looked at in vain so often, the instant is written down


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What settling did."""

    commits: tuple[Committed, ...] = ()
    learned: tuple[Learned, ...] = ()
    left: int = 0  # new bullets that wait for the next settling
    level: Level | None = None  # where all agrees but for these, if it does


def is_due(vault: Vault) -> bool:
    """Whether an end has come that nothing followed yet; one look into the index."""
    rows, _ = _newly_ended(vault)
    return any(_was_ahead(vault, row) for row in rows)


def end_due(vault: Vault) -> Settled:
    """End what was to end by now; must run under the writer lock, when all else is settled."""
    rows, now = _newly_ended(vault)
    if not rows:
        return Settled()
    due = [row for row in rows if _was_ahead(vault, row)]
    done = _end(vault, due, now) if due else Settled()
    if due or len(rows) > _MANY:
        with vault.index.writing():
            vault.index.set_meta(_LOOKED, str(now))
    return done


def _newly_ended(vault: Vault) -> tuple[tuple[NoteRow, ...], int]:
    looked, now = vault.index.meta(_LOOKED), vault.clock.now()
    return vault.index.ended_since(int(looked) if looked else -(2**62), now), now


def _was_ahead(vault: Vault, row: NoteRow) -> bool:
    """Whether the end lay ahead on the day on which the item was recorded, by its folder."""
    if row.valid_until is None:
        return False
    recorded = row.path.parts[1:4]
    year, month, day = language.civil(row.valid_until, vault.settings.timezone)
    return len(recorded) == 3 and recorded < (f"{year:04}", f"{month:02}", f"{day:02}")


def _end(vault: Vault, rows: list[NoteRow], now: int) -> Settled:
    working_copy = vaults.WorkingCopy(vault)
    listings = vaults.Listings(vault, working_copy)
    learned: list[Learned] = []
    for row in rows:
        item = vaults.read_record(vault, row.path)
        if not isinstance(item, model.Item) or item.status != "active":
            continue
        if item.valid_until is None or item.valid_until > now:
            continue  # saved otherwise a moment ago
        status = facts.SUPERSEDED if item.superseded_by else facts.EXPIRED
        listings.patch_item(item, {"status": status})
        facts.unlist(listings, item)
        learned.append(Learned(what="ended", path=item.path, text=item.statement, id=item.id))
    changes = working_copy.step()
    if not changes:
        return Settled()
    told = learned[0].text if len(learned) == 1 else model.pluralise(len(learned), "item")
    plan = model.Plan(
        op="expire",
        actor="maintenance",
        subject=model.subject("expire", f"{told} ended, as was set"),
        changes=changes,
        trailers=(("Vaultmem-Items", ", ".join(each.id for each in learned)),),
    )
    return Settled(commits=tuple(vaults.apply(vault, [plan])), learned=tuple(learned))


# --- portions of a long list ---

# A note for each bullet takes one to three milliseconds of processor, by how much is known that is
# like it: a list of 30,000 is a minute of work. One commit of all of it would keep every other
# writer waiting, and a person who stops it would have nothing. So a portion is taken at a time;
# what is left stands in the file as it was written, and the next settling goes on with it.
MOST_ADOPTED = 3_000
"""New bullets of one commit: a few seconds, which other writers wait for. The whole list is read
some five times for each commit."""


def adopted_now(
    effects: Sequence[Effect], most: int
) -> tuple[tuple[Effect, ...], tuple[Adopt, ...]]:
    """The effects with at most so many new bullets, the first ones, and those that are left."""
    # In one commit a list of 30,000 new bullets took a minute without a word, and nothing was kept
    # of it when it was stopped.
    new = [effect for effect in effects if isinstance(effect, Adopt)]
    if len(new) <= most:
        return tuple(effects), ()
    others = (effect for effect in effects if not isinstance(effect, Adopt))
    return (*new[:most], *others), tuple(new[most:])


# An editor that saves by deletion leaves the name free for milliseconds: the note was taken for
# deleted, its item retracted and its bullets taken out of the lists.
GONE_PATIENCE_SECONDS = 0.25
_PAUSE_SECONDS = 0.01
_MOST_LOOKS = 3
NOTHING: Mapping[str, Item] = MappingProxyType({})


def settle(
    vault: Vault,
    *,
    confirm_deletions: bool = False,
    allow_secrets: bool = False,
    most_adopted: int = MOST_ADOPTED,
    progress: Progress | None = None,
    looks: int = _MOST_LOOKS,
) -> Settled:
    """Commit the person's edits and carry out what they mean; must run under the writer lock.

    confirm_deletions  believe it when most bullets of a stream are gone
    most_adopted       new bullets that are looked at; the others wait as they stand in the file
    looks              times that all is compared anew because a file that is to be written was
                       saved since it was compared
    """
    if not has_unsettled(vault):
        durability.sync_read(vault)
        vault.is_open = False
        return end_due(vault)
    if _came_back(vault):
        index_sync.refresh(vault)
    held = _held_paths(vault, allow_secrets=allow_secrets) | unread.unreadable_paths(vault)
    comparison = compare_unsettled(vault, confirm_deletions=confirm_deletions, without=held)
    effects = comparison.effects if comparison is not None else ()
    effects, left = adopted_now(effects, most_adopted)
    if held:
        effects = _clear_of(vault, effects, held)
    problems = comparison.problems if comparison is not None else ()
    vault.is_open = bool(problems or held or left)
    restated = _restated_ids(vault, without=held)
    reworded = _reworded_items(vault, without=held)
    commits: list[Committed] = []
    level: Level | None = None
    edit = _edit(vault, without=held)
    edited = _edited_items(edit)
    # Worked out before the person's commit is made, which says of itself whether anything has to
    # follow it.
    follows = bool(effects) or bool(edited and plan_effects(vault, (), edited=edited)[0].changes)
    if edit is not None:
        commits += _commit_edit(vault, edit, settled=not follows and not vault.is_open)
    learned: tuple[Learned, ...] = ()
    if follows or restated or reworded:
        plan, learned, held_back = plan_effects(
            vault,
            effects,
            restated=restated,
            reworded=reworded,
            edited=edited,
            progress=progress,
        )
        if looks and _is_outdated(vault, plan):
            index_sync.refresh(vault)
            more = settle(
                vault,
                confirm_deletions=confirm_deletions,
                allow_secrets=allow_secrets,
                most_adopted=most_adopted,
                progress=progress,
                looks=looks - 1,
            )
            return replace(more, commits=(*commits, *more.commits))
        if plan.changes:
            # What the commit is made on top of; not the files that it brings itself.
            durability.sync_read(vault, but=[change.path for change in plan.changes])
            below = vault.history.head()
            done = vaults.apply(vault, [plan], settled=not vault.is_open)
            commits += [each for each in done if each.commit != below]
            # The next portion begins here: held against the last commit in which all agreed, each
            # read the notes of those before again (2.3 times the calls of one portion for six, 1.5
            # so).
            if not (problems or held or held_back):
                level = _level(vault, done, left)
        index_sync.after_settling(vault, (*problems, *held_back))
    else:
        index_sync.after_settling(vault, problems)
    durability.sync_read(vault)
    if not vault.is_open:
        index_sync.mark_settled(vault)
        due = end_due(vault)
        commits, learned = [*commits, *due.commits], (*learned, *due.learned)
    return Settled(commits=tuple(commits), learned=learned, left=len(left), level=level)


def settle_all(
    vault: Vault,
    *,
    confirm_deletions: bool,
    allow_secrets: bool,
    progress: Progress | None,
    most_adopted: int = MOST_ADOPTED,
) -> Settled:
    """Settle portion by portion until nothing is left; each waits for the writer lock anew.

    The files are compared anew for each, but for the first where `parts.look` still holds.

    A bullet that cannot be adopted stays new, and comes first in every portion: the portions
    grow by those, so that what follows them is reached.
    """
    done: Settled | None = None
    most = most_adopted
    try:
        while True:
            with vaults.writer_lock(vault):
                _require_level(vault)
                if not index_sync.still_holds(vault):
                    index_sync.refresh(vault)
                some = settle(
                    vault,
                    confirm_deletions=confirm_deletions,
                    allow_secrets=allow_secrets,
                    most_adopted=most,
                    progress=progress,
                )
            done = some if done is None else _join_reports(done, some)
            # Somebody began a merge or a rebase meanwhile, into which nothing is committed.
            if not some.left or vault.history.in_progress():
                return replace(done, left=some.left)
            # Held against the last commit in which all agreed, the fourth portion read the notes of
            # the first three again: 240 bullets in portions of 40 took 2.3 times the calls of one
            # portion, now 1.5.
            vault.level = some.level
            adopted = sum(each.what == "adopted" for each in some.learned)
            most = most_adopted + most - min(adopted, most)
    finally:
        vault.level = vault.look = None


def _require_level(vault: Vault) -> None:
    """Forget the commit of the last portion if somebody took it out of the history since."""
    level, head = vault.level, vault.history.head()
    if level is None or head == level.commit:
        return
    if not head or not vault.history.lineage().is_ancestor(level.commit, head):
        vault.level = None


def _join_reports(done: Settled, more: Settled) -> Settled:
    return replace(
        more, commits=(*done.commits, *more.commits), learned=(*done.learned, *more.learned)
    )


def _is_outdated(vault: Vault, plan: Plan) -> bool:
    """Whether a person saved one of these files since it was compared with the index.

    It would be written on top of their edit and committed with it as ours, and what the edit
    means for others would never be asked.
    """
    there = {each.path.as_posix(): each.expects for each in plan.changes if each.expects}
    states = vault.index.files(there)
    return any(state.oid and state.oid != there[path] for path, state in states.items())


def _level(vault: Vault, done: Sequence[Committed], left: Sequence[Adopt]) -> Level | None:
    """The commit of a plan that was all but the bullets that wait: there the rest agrees.

    None where somebody committed in the same moment: what they did was not compared.
    """
    if not left or not done or vault.index.meta("head") != done[-1].commit:
        return None
    waiting = frozenset(each.path.as_posix() for each in left)
    return Level(commit=done[-1].commit, waiting=waiting)


def _came_back(vault: Vault) -> bool:
    """Whether a note that was away a moment ago is there again.

    Some editors save by removing the file, or renaming it, and making it anew. To take that for a
    deletion would retract what the note says, and take its bullets out of the lists for good.
    """
    gone = [vault.root / path for path in vault.index.gone_paths()]
    waited = 0.0
    while waited < GONE_PATIENCE_SECONDS:
        missing = [file for file in gone if not os.path.lexists(file)]
        # The folder tells when the last name in it came or went.
        if not any(_changed_lately(file.parent) for file in missing):
            break
        time.sleep(_PAUSE_SECONDS)
        waited += _PAUSE_SECONDS
    return any(os.path.lexists(file) for file in gone)


def _changed_lately(folder: Path) -> bool:
    try:
        age = time.time() - folder.stat().st_mtime
    except OSError:
        return False  # gone as a whole: no editor does that
    return 0 <= age < GONE_PATIENCE_SECONDS


def _held_paths(vault: Vault, *, allow_secrets: bool) -> frozenset[str]:
    """Notes that stay uncommitted: a secret, or a text that was erased, was saved in them."""
    if not vault.index.has_pending():
        return frozenset()

    return vaults.held_paths(vault, allow_secrets=allow_secrets)


def _clear_of(vault: Vault, effects: Sequence[Effect], held: frozenset[str]) -> tuple[Effect, ...]:
    """Effects that neither write a held note nor carry words of one elsewhere."""
    rows = (vault.index.note(PurePosixPath(path)) for path in held)
    ids = {row.id for row in rows if row is not None and row.id}
    return tuple(
        effect
        for effect in effects
        if getattr(effect, "id", "") not in ids
        and str(getattr(effect, "path", "")) not in held
        and not (isinstance(effect, AddBullet) and _is_list_held(effect, held))
    )


def _is_list_held(effect: AddBullet, held: frozenset[str]) -> bool:
    """Whether the stream file that would gain the bullet may be a held one."""
    return any(path.startswith(f"streams/{effect.stream}.") for path in held)


def has_unsettled(vault: Vault) -> bool:
    """Whether anything on disk or in foreign commits may still have to be settled."""
    index = vault.index
    return index.has_pending() or (index.meta("settled") or "") != (index.meta("head") or "")


def has_leftovers(vault: Vault) -> bool:
    """Whether a writer died, the machine was started since, or a displaced file is due a look."""
    return (
        files.is_due(vault.root)
        or vault.history.needs_care()
        or bool(vault.history.unsettled_paths())
    )


def _edit(vault: Vault, *, without: frozenset[str]) -> Plan | None:
    if not vault.settings.watch_autocommit or not vault.index.has_pending():
        return None
    from vaultmem.edit.follow import plan_edit  # saves 8 modules

    return plan_edit(vault, without=without)


def _edited_items(edit: Plan | None) -> tuple[PurePosixPath, ...]:
    """The notes of an edit that may be items: the lines of their categories follow them."""
    changes = edit.changes if edit is not None else ()
    return tuple(each.path for each in changes if each.path.parts[0] in ITEM_FOLDERS)


def _commit_edit(vault: Vault, plan: Plan, *, settled: bool) -> tuple[Committed, ...]:
    """Commit files that are on disk already: nothing is written but the commit.

    Few editors sync what they save. Were the commit durable and the file not, a power cut would
    leave an empty file, and the next sync would take that for the person's edit.
    """
    durability.sync_read(vault, [change.path for change in plan.changes])
    commits, parent = vaults.record(vault, [plan], settled=settled)
    commit = commits[-1].commit if commits else parent or ""
    with vault.index.writing():
        if commits:
            vault.index.learn_trust(model.events_of(commit, dict(plan.trailers)))
        index_sync.note_committed(vault, plan.changes, commit=commit, parent=parent)
    return commits


def _restated_ids(vault: Vault, *, without: frozenset[str]) -> tuple[str, ...]:
    """Ids of items in which the person changed what is said, saved and not committed yet."""
    if not vault.index.has_pending():
        return ()
    from vaultmem.edit.adopt import restated_items  # saves 32 modules

    return restated_items(vault, without=without)


def _reworded_items(vault: Vault, *, without: frozenset[str]) -> Mapping[str, Item]:
    """Items whose words the person changed in their notes, as they were before, by id."""
    paths = vaults.unsettled_paths(vault) - without
    if not any(path.startswith(f"{files.ITEMS}/") for path in paths):
        return {}
    from vaultmem.edit.adopt import reworded_items  # saves 32 modules

    return reworded_items(vault, paths)


def plan_effects(
    vault: Vault,
    effects: Sequence[Effect],
    *,
    merged: Collection[str] = (),
    restated: Collection[str] = (),
    reworded: Mapping[str, Item] = NOTHING,
    edited: Iterable[PurePosixPath] = (),
    progress: Progress | None = None,
) -> tuple[Plan, tuple[Learned, ...], tuple[Problem, ...]]:
    """One plan for all that follows from the edits, what to tell, and lists that could not.

    merged    paths that a merge changed: summaries are brought level with these
    restated  ids of items whose words or slot the person changed
    reworded  items with other words than these, which they had before, by id
    edited    notes that were edited: the lines that their categories have of them follow
    """
    from vaultmem.edit.follow import Following  # saves 38 modules

    ids = {effect.id for effect in effects if not isinstance(effect, Adopt)}
    ids |= {effect.into for effect in effects if isinstance(effect, Join)}
    items = load_items(vault, ids.union(restated, reworded))
    # A bullet can be taken away without the item that it was of.
    bare = (Adopt, Patch, RemoveBullet)
    needed = {effect.id for effect in effects if not isinstance(effect, bare)}
    for id_ in sorted(needed - items.keys()):
        # It was read for the comparison: somebody is saving it right now.
        rows = vault.index.notes_with_id(id_)
        raise StaleFileError(rows[0].path if rows else PurePosixPath(id_), expected=None, found="")
    following = Following(vault, items, progress=progress)
    following.follow(effects)
    for before in reworded.values():
        following.note_reworded(before)
    for id_ in restated:
        following.note_restated(id_)
    if merged:
        following.level_summaries(merged)
    following.level_lines(edited)
    return following.plan(effects), following.learned, following.problems


def sync(
    vault: Vault,
    *,
    commit: bool = True,
    rehash: bool = False,
    confirm_deletions: bool = False,
    allow_secrets: bool = False,
    progress: Progress | None = None,
) -> SyncReport:
    """Take in what changed on disk; with `commit`, make it history and settle what it means."""
    began = time.monotonic()
    refreshed = index_sync.refresh(vault, rehash=rehash, progress=progress)
    seen = index_sync.look(vault, began=began)
    settled, waiting = Settled(), ""
    if commit and (has_unsettled(vault) or has_leftovers(vault) or is_due(vault)):
        waiting = vault.history.in_progress() or ""
        if not waiting:
            vault.look = seen
            settled = settle_all(
                vault,
                confirm_deletions=confirm_deletions,
                allow_secrets=allow_secrets,
                progress=progress,
            )
    durability.sync_read(vault)
    return _report(vault, refreshed, settled, waiting)


def reindex(vault: Vault, *, progress: Progress | None = None) -> SyncReport:
    """Throw index and past away and read every note again; commits and writes nothing."""
    history.versions.drop(vault)
    index_sync.rebuild(vault)
    refreshed = index_sync.refresh(vault, rehash=True, progress=progress)
    durability.sync_read(vault)  # an index that is made anew cannot tell whose files were synced
    return _report(vault, replace(refreshed, rebuilt="you asked for it"), Settled(), "")


def take_in_edit(vault: Vault, file: Path) -> Edited:
    """Take in what an editor did to one file: commit it now, and say what is wrong with it."""
    path = _vault_path(vault, file)
    report = sync(vault)
    changed = path in report.changed or path in report.removed
    return Edited(
        path=path,
        changed=changed,
        commit=report.commits[0] if report.commits else None,
        problems=tuple(each for each in vault.index.problems() if each.path == path),
    )


def _vault_path(vault: Vault, file: Path) -> PurePosixPath:
    try:
        return PurePosixPath(file.relative_to(vault.root).as_posix())
    except ValueError as error:
        raise UnsafePathError(
            f"'{file}' is not in the vault '{vault.root}'", hint="name a note of the vault"
        ) from error


def _report(vault: Vault, refreshed: Refreshed, settled: Settled, waiting: str) -> SyncReport:
    return SyncReport(
        scanned=refreshed.scanned,
        changed=refreshed.changed,
        removed=refreshed.removed,
        learned=(*settled.learned, *learned_from_refresh(vault, refreshed, settled.learned)),
        commits=tuple(each.commit for each in settled.commits),
        pending=model.Paths(vault.index.pending_paths()),
        problems=vault.index.problem_count() + len(vaults.held_back(vault, keeps=True)),
        rebuilt=refreshed.rebuilt,
        waiting=waiting,
        rewound=ledger.rewound(vault),
        unreadable=tuple(each.path for each in unread.problems(vault)),
    )


def learned_from_refresh(
    vault: Vault, refreshed: Refreshed, already: Iterable[Learned]
) -> Iterable[Learned]:
    """What a refresh changed in the memory, by comparing rows before and after.

    Without secrets: this is printed, and what `watch` prints is kept in logs.
    """
    for each in _compare_rows(vault, refreshed, already):
        yield replace(each, text=privacy.redact(each.text, privacy.find_secrets(each.text)))


def _compare_rows(
    vault: Vault, refreshed: Refreshed, already: Iterable[Learned]
) -> Iterator[Learned]:
    told = {each.id for each in already if each.id}
    for shown in refreshed.shown:
        if shown.id not in told:
            told.add(shown.id)
            yield shown
    moved = {} if refreshed.rebuilt else _moves(vault, refreshed)
    formers = set(moved.values())
    for path in (*refreshed.changed, *refreshed.removed):
        if refreshed.rebuilt or path not in refreshed.before or path in formers:
            continue
        before, now = refreshed.before[path], vault.index.note(path)
        former = moved.get(path)
        if former is not None and now is not None:
            before = refreshed.before[former] or now
            if before.id not in told:
                text = now.statement or now.title
                yield Learned(what="moved", path=path, text=text, id=before.id, former=former)
            if (before.statement, before.title) == (now.statement, now.title):
                continue
        what, row = _difference(before, now)
        if row is not None and (not row.id or row.id not in told):
            yield Learned(what=what, path=path, text=row.statement or row.title, id=row.id)


def _moves(vault: Vault, refreshed: Refreshed) -> dict[PurePosixPath, PurePosixPath]:
    """New path -> former path of notes that were moved: by id, else by the very same bytes.

    A note that was mended wrong on the way has no id that can be read; its name has it still.
    """
    gone = {path: row for path in refreshed.removed if (row := refreshed.before.get(path))}
    if not gone:
        return {}
    fresh = [path for path in refreshed.changed if refreshed.before.get(path, True) is None]
    new = {path: row for path in fresh if (row := vault.index.note(path)) is not None}
    found: dict[PurePosixPath, PurePosixPath] = {}
    for name in (
        lambda row: row.id,
        lambda row: model.id_in_name(row.path.stem) or "",
        lambda row: row.oid,
    ):
        former = _only(name, gone, but=found.values())
        now = _only(name, new, but=found)
        found |= {path: former[key] for key, path in now.items() if key in former}
    return found


def _only(
    name: Callable[[NoteRow], str],
    rows: Mapping[PurePosixPath, NoteRow],
    *,
    but: Iterable[PurePosixPath],
) -> dict[str, PurePosixPath]:
    """Name -> path, of the names that one row alone has; without the paths in `but`."""
    left = set(rows).difference(but)
    count = Counter(name(rows[path]) for path in left)
    return {key: path for path in left if (key := name(rows[path])) and count[key] == 1}


def _difference(before: NoteRow | None, now: NoteRow | None) -> tuple[str, NoteRow | None]:
    if before is None:
        return "added", now
    if now is None:
        return "removed", before
    unchanged = replace(before, oid=now.oid) == now
    return "changed", None if unchanged else now


# --- writes after a person's edits ---


def write_plan(
    vault: Vault,
    make: Callable[[], tuple[R, Plan | None]],
    *,
    dry_run: bool,
    require: Callable[[R], None] | None = None,
) -> tuple[R, str | None]:
    """What a plan reports, and the commit that it made; None for a dry run or without a plan.

    make     the report, and the plan or None; called under the lock, where it is not a dry run
    require  raises where the report may not be carried out; not asked in a dry run
    """
    if dry_run:
        return level.reading(vault, lambda: make()[0]), None
    with writer(vault):
        report, plan = make()
        if plan is None:
            return report, None
        if require is not None:
            require(report)
        [done] = vaults.apply(vault, [plan])
    return report, done.commit


@contextmanager
def writer(vault: Vault) -> Iterator[None]:
    """As `writer_lock`, with everything a person did before committed and settled."""
    with writer_lock(vault):
        level.refresh(vault)
        settle(vault)
        yield
        if vault.is_open:
            settle(vault)  # what was just done may have resolved it
