"""Problems between notes, and those of them that are mended mechanically, in one commit.

Each check is a function that yields problems.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from vaultmem import edit, facts, history
from vaultmem import vault as vaults
from vaultmem.base import TYPE_CHECKING, PatchRefusedError, dataclass
from vaultmem.devices import merge_copy
from vaultmem.edit import agree
from vaultmem.language import ERASED_NOTE
from vaultmem.model import Filters, Item, NoteRow, Plan, Problem, Severity, id_in_name, pluralise
from vaultmem.storage.files import conflict_copy_of
from vaultmem.vault import (
    Adopt,
    Listings,
    WorkingCopy,
    bullets_by_id,
    compare_unsettled,
    level,
    may_list,
    one_line,
    read_record,
    same,
    streams_on_disk,
    unreadable_items,
)

if TYPE_CHECKING:
    from vaultmem.model import Bullet
    from vaultmem.vault import Vault
_OF_PARTS = frozenset("#|[]")  # of a link: what it leads to is not all of it
_ONE_WAY, _NO_BULLET = "one-way-supersession", "bullet-missing"


def between_notes(vault: Vault) -> tuple[Problem, ...]:
    """All of them, by the rows of all items and the files of those that a check may name."""
    survey = Survey.of(vault)
    return tuple(problem for look in BETWEEN_NOTES for problem in look(vault, survey))


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """The items of the vault, read once for all checks."""

    rows: tuple[NoteRow, ...]  # of all
    resources: tuple[NoteRow, ...]  # in any order
    items: tuple[Item, ...]  # those that a list or another item may disagree with

    @classmethod
    def of(cls, vault: Vault) -> Survey:
        """Rows from the index, items from their files, both by path."""
        rows = sorted(vault.index.list(Filters(types=("item",))), key=lambda row: row.path.parts)
        # Files are the truth, but of most items no check reads more than the row, which is level
        # with the file: to read 15,000 files was a third of a `check`.
        first = _in_question(vault, rows)
        items = {path: record for path in first if (record := _item(vault, path)) is not None}
        by_stem: dict[str, list[PurePosixPath]] = {}
        for row in rows if items else ():
            by_stem.setdefault(row.path.stem, []).append(row.path)
        for item in tuple(items.values()):
            for target in (*item.supersedes, *(target for _, target in item.links)):
                meant = vault.index.resolve_link(target)
                others = [*by_stem.get(target, ()), *((meant.path,) if meant is not None else ())]
                for path in others:
                    record = items.get(path) or _item(vault, path)
                    if record is not None:
                        items[path] = record
        resources = vault.index.list(Filters(types=("resource",)))
        read = tuple(items[path] for path in sorted(items))
        return cls(rows=tuple(rows), resources=resources, items=read)


def _item(vault: Vault, path: PurePosixPath) -> Item | None:
    record = read_record(vault, path)
    return record if isinstance(record, Item) else None


def _in_question(vault: Vault, rows: Sequence[NoteRow]) -> list[PurePosixPath]:
    """Items that lists name, that link to other notes, or of which two may not both be true."""
    # Of the last the index answers as an edit means that is not settled yet.
    named = {*bullets_by_id(streams_on_disk(vault))}
    named.update((vault.index.meta(level.SHOWN) or "").split())
    linking = {PurePosixPath(path) for path in vault.index.linking_items()}
    paths = linking | {row.path for row in facts.rivals(vault, rows)}
    return [row.path for row in rows if row.id in named or row.path in paths]


def repeated_ids(vault: Vault, survey: Survey) -> Iterator[Problem]:
    """Two notes with one id: the first by path is the note, the other is left alone."""
    first: dict[str, NoteRow] = {}
    for row in (*survey.rows, *survey.resources):
        known = first.setdefault(row.id, row) if row.id else row
        if known is not row:
            yield Problem(
                path=row.path,
                code="repeated-id",
                message=f"'{known.path}' has the id '{row.id}' too",
                hint="delete the id from the copy, or delete the copy",
            )


def dangling_links(vault: Vault, survey: Survey) -> Iterator[Problem]:
    """Sources that name no note; those that `compact` retired are in the history."""
    there = {row.id for row in survey.resources}
    missing = [
        (row.path, target)
        for row in survey.rows
        for target in row.source
        # A name with the id of a resource is of that one: all others are looked up, 60 us each.
        if not (id_in_name(target) in there and _OF_PARTS.isdisjoint(target))
        and not _is_url(target)
        and target != ERASED_NOTE
        and vault.index.resolve_link(target) is None
    ]
    if not missing:
        return

    retired = history.retired_ids(vault)
    for path, target in missing:
        if id_in_name(target) in retired:
            yield Problem(
                path=path,
                code="source-retired",
                message=f"the source '{target}' is retired: it is in the history",
                hint=f"`vaultmem history {id_in_name(target)}` shows it",
                severity=Severity.INFO,
            )
            continue
        yield Problem(
            path=path,
            code="source-missing",
            message=f"the source '{target}' names no note of the vault",
            hint="correct the link; `vaultmem restore` brings a deleted note back",
            severity=Severity.WARNING,
        )


def _is_url(target: str) -> bool:
    return "://" in target


def one_way_supersession(vault: Vault, survey: Survey) -> Iterator[Problem]:
    """A note that supersedes another which does not say so."""
    items = {item.path: item for item in survey.items}
    for later, former in _superseded_pairs(vault, survey):
        item = items.get(former.path)
        if item is None:
            continue
        holds_on = item.status == "active" and item.valid_until is None
        if holds_on or not item.superseded_by:
            yield Problem(
                path=former.path,
                code=_ONE_WAY,
                message=f"'{later.path.stem}' supersedes this note, which does not say so",
                hint="`vaultmem check --fix` links it both ways",
                severity=Severity.WARNING,
                fixable=True,
            )


def _superseded_pairs(vault: Vault, survey: Survey) -> Iterator[tuple[Item, NoteRow]]:
    """(later item, the item it supersedes)."""
    for item in survey.items:
        for target in item.supersedes:
            former = vault.index.resolve_link(target)
            if former is not None and former.type == "item":
                yield item, former


def missing_bullets(vault: Vault, survey: Survey) -> Iterator[Problem]:
    """Active items of a stream that its file does not list (flow lists only its newest)."""
    listed = bullets_by_id(streams_on_disk(vault)).keys()
    for row in survey.rows:
        if (
            row.status == "active"
            and row.id
            and row.stream not in ("", "flow")
            and may_list(row.trust, row.stream)
            and row.id not in listed
        ):
            yield Problem(
                path=row.path,
                code=_NO_BULLET,
                message=f"the stream '{row.stream}' has no bullet for this item",
                hint="`vaultmem check --fix` adds it",
                severity=Severity.WARNING,
                fixable=True,
            )


def disagreeing_bullets(vault: Vault, survey: Survey) -> Iterator[Problem]:
    """Bullets that say something else than their items, or are of items that ended or are gone."""
    items: dict[str, Item] = {}
    for item in survey.items:
        items.setdefault(item.id, item)
    yield from disagreeing(vault, items)


def raised_trust(vault: Vault, survey: Survey) -> Iterator[Problem]:
    """Notes whose front matter claims more trust than they were taken in with."""
    for path, claims, believed in vault.index.raised_trust():
        yield Problem(
            path=PurePosixPath(path),
            code="trust-raised",
            message=f"the note says 'trust: {claims}', but it was taken in as {believed}; "
            "that has no effect",
            hint="if you vouch for what it says: `vaultmem review approve` with its id",
            severity=Severity.WARNING,
        )


def contradictions(vault: Vault, survey: Survey) -> Iterator[Problem]:
    """Items that cannot both be true: linked as such, or two in a slot that has one value."""
    yield from facts.undecided_problems(vault, survey.items)


BETWEEN_NOTES: tuple[Callable[[Vault, Survey], Iterator[Problem]], ...] = (
    repeated_ids,
    dangling_links,
    one_way_supersession,
    missing_bullets,
    disagreeing_bullets,
    raised_trust,
    contradictions,
)


def mend(vault: Vault) -> tuple[tuple[Problem, ...], str | None]:
    """Mend what is fixable now, under the lock; what was mended, and the commit."""
    with edit.writer(vault):
        working_copy = WorkingCopy(vault)
        listings = Listings(vault, working_copy)
        mended = [
            problem
            for problem in (*vault.index.problems(), *between_notes(vault))
            if problem.fixable and _mend(vault, listings, working_copy, problem)
        ]
        changed = [problem.path for problem in mended if problem.code == _ONE_WAY]
        changed += [note for each in mended if (note := conflict_copy_of(each.path)) is not None]
        left = agree(vault, working_copy, changed, adopt=True) if changed else ()
        vault.is_open = vault.is_open or bool(left)
        plan = Plan(
            op="check",
            actor="maintenance",
            subject=f"check: mend {pluralise(len(mended), 'problem')}",
            changes=working_copy.step(),
            details="\n".join(f"- {each.path}: {each.message}" for each in mended),
        )
        done = vaults.apply(vault, [plan])
    return tuple(mended), done[-1].commit if done else None


def _mend(vault: Vault, listings: Listings, working_copy: WorkingCopy, problem: Problem) -> bool:
    if problem.code == "conflict-copy":
        return merge_copy(vault, working_copy, problem.path)
    item = read_record(vault, problem.path)
    if not isinstance(item, Item):
        return False
    if problem.code == _NO_BULLET and item.stream is not None:
        listings.add_bullet(item.stream, item.id, item.statement)
        return True
    if problem.code != _ONE_WAY:
        return False
    pairs = _superseded_pairs(vault, Survey.of(vault))
    later = [successor for successor, former in pairs if former.path == item.path]
    links = tuple(f"[[{successor.path.stem}]]" for successor in later)
    try:
        listings.patch_item(item, {"status": "superseded", "superseded_by": links})
    except PatchRefusedError:
        return False
    return True


# Bullets that say something else than their items, though nothing is left to be settled.
#
# Lists and items agree after each settlement; they part when somebody brings an old state back with
# a Git of their own, or when the index that knew of an edit was thrown away.

DIFFERS, ENDED, GONE = "bullet-differs", "bullet-of-ended", "bullet-of-deleted"


def disagreeing(vault: Vault, items: Mapping[str, Item]) -> Iterator[Problem]:
    """Problems of bullets, by list and line; not of edits that the next settling carries over.

    items  every item of the vault, by id
    """
    comparison = compare_unsettled(vault)
    effects = comparison.effects if comparison is not None else ()
    waiting = {each.id for each in effects if not isinstance(each, Adopt)}
    known = {(problem.path, problem.line) for problem in vault.index.problems()}
    if comparison is not None:
        known |= {(problem.path, problem.line) for problem in comparison.problems}
    unreadable = unreadable_items(vault)
    for id_, here in bullets_by_id(streams_on_disk(vault)).items():
        # What the next settling carries over, and what another problem names already, is no second
        # problem.
        if id_ in waiting or id_ in unreadable or (here.path, here.bullet.line) in known:
            continue
        item = items.get(id_)
        found = _gone_item(id_) if item is None else _differing(here.bullet, here.stream, item)
        if found is None:
            continue
        code, message, hint = found
        yield Problem(
            path=here.path,
            line=here.bullet.line,
            code=code,
            message=message,
            hint=hint,
            severity=Severity.WARNING,
        )


def _gone_item(id_: str) -> tuple[str, str, str]:
    return (
        GONE,
        f"no item has the id '{id_}' of this bullet",
        f"delete the line, or bring the item back: `vaultmem restore {id_}`",
    )


def _differing(bullet: Bullet, stream: str, item: Item) -> tuple[str, str, str] | None:
    """Code, message and hint for a bullet that says something else than its item."""
    ticked = bullet.checked is True
    # After a checkout or rebase of the person's own a list could say what no item says, and the
    # comparison with the last settled state finds nothing.
    if item.status not in ("active", "candidate") and not ticked:
        return (
            ENDED,
            f"this bullet is of an item that is {item.status}: '{one_line(item.statement)}'",
            f"delete the line; if it holds after all, set `status: active` in '{item.path}'",
        )
    if bullet.text.strip() and not same(bullet.text, item.statement):
        return (
            DIFFERS,
            f"here '{bullet.text}', in '{item.path}' '{one_line(item.statement)}'",
            "make both say the same; what you save last counts",
        )
    if ticked and item.status == "active":
        return DIFFERS, f"ticked here, active in '{item.path}'", "untick it, or tick it again"
    if item.stream != stream:
        there = f"the stream '{item.stream}'" if item.stream else "no stream"
        return (
            DIFFERS,
            f"listed in '{stream}', but '{item.path}' says {there}",
            f"move the line, or set `stream: {stream}` in the note",
        )
    return None
