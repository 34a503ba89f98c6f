"""Overviews of days, weeks, months and years: notes made of events, and digests of long lists.

They lie in the archive and are `archived`, so nothing that reads what holds now takes them for
something that was said: no rule, fact, profile or insight is made of them, and a question about one
event is not answered by five notes. Broad questions look them up (recall/overview_tree.py). The id
of one is made of its period and its path of its first day: each device makes the same bytes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from vaultmem import edit, safety
from vaultmem import vault as vaults
from vaultmem.base import TYPE_CHECKING, PatchRefusedError, dataclass, replace
from vaultmem.facts import as_links
from vaultmem.language import civil_from_days, day_start, local_day
from vaultmem.model import (
    LIMITED,
    UNTRUSTED,
    Filters,
    Item,
    NoteRow,
    OverviewChange,
    Plan,
    Problem,
    lowest,
    pluralise,
    subject,
    trust_trailers,
)
from vaultmem.recall import LEVELS, TAG, Happened, Overview, hierarchy, overview_id
from vaultmem.storage import notes
from vaultmem.storage.files import ARCHIVE, item_path
from vaultmem.vault import NO_OID, NOT_UPDATED, Listings, WorkingCopy

if TYPE_CHECKING:
    from vaultmem.vault import Vault
KIND = "reflection"
LEVEL = "overview_of"  # key of the front matter: day, week, month or year
_MOST_SOURCES = 12
_TOLD = ("active", "archived")  # statuses of what overviews are made of, and of themselves


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a night did about overviews."""

    changes: tuple[OverviewChange, ...] = ()
    problems: tuple[Problem, ...] = ()
    commit: str | None = None


def tell_periods(vault: Vault, *, dry_run: bool) -> Told:
    """Bring overviews level with the events, in one commit; none where they are."""
    if not vault.settings.maintenance_overviews_from:
        return Told()
    told, commit = edit.write_plan(vault, lambda: _plan_overviews(vault), dry_run=dry_run)
    return replace(told, commit=commit)


def _plan_overviews(vault: Vault) -> tuple[Told, Plan | None]:
    rows = vault.index.list(Filters(types=("item",), statuses=_TOLD))
    events = [
        row
        for row in rows
        if row.kind == "event" and row.id and may_be_told(row.trust, row.statement)
    ]
    found = hierarchy(
        _happenings(vault, events),
        today=local_day(vault.clock.now(), vault.settings.timezone),
        fewest=vault.settings.maintenance_overviews_from,
    )
    wanted = {overview_id(each.level, each.period): each for each in found}
    tagged = {row.id: row for row in rows if TAG in row.tags}
    # By their ids: who takes out the tag, or takes back the note, keeps what they wrote below it.
    known = {id_: row for id_ in wanted for row in vault.index.notes_with_id(id_)[:1]}
    trusts = {row.path.stem: row.trust for row in events}
    listings = Listings(vault, WorkingCopy(vault))
    changes, levels = [], {}
    for item in _items(vault, wanted, known, trusts):
        what = _put(listings, item, known.get(item.id))
        if what:
            changes.append(OverviewChange(what=what, id=item.id, statement=item.statement))
            levels[item.id] = item.trust
    for id_, row in tagged.items():
        if id_ not in wanted and _is_ours(vault, row):
            listings.working_copy.remove(row.path)
            changes.append(OverviewChange(what="dropped", id=id_, statement=row.statement))
    changed = listings.working_copy.step()
    told = Told(changes=tuple(changes) if changed else (), problems=tuple(listings.problems))
    if not changed:
        return told, None
    what = subject(
        "overview", f"{pluralise(len(changes), 'period')} of {pluralise(len(events), 'event')}"
    )
    return told, Plan(
        op="overview",
        actor="maintenance",
        subject=what,
        changes=changed,
        trailers=(
            ("Vaultmem-Items", ", ".join(each.id for each in changes)),
            *trust_trailers(levels),
        ),
    )


def may_be_told(trust: str, statement: str) -> bool:
    """Whether what is made of events may say it: nothing from outside, and no assistant's order."""
    if trust == UNTRUSTED:
        return False

    # An overview is found without the look at each hit that a recall takes.
    return trust != LIMITED or not safety.suspicion(statement)


def _happenings(vault: Vault, events: Iterable[NoteRow]) -> Iterable[Happened]:
    zone = vault.settings.timezone
    for row in events:
        if row.valid_from is not None:
            yield Happened(
                target=row.path.stem,
                statement=row.statement,
                day=local_day(row.valid_from, zone),
                importance=row.importance,
                themes=row.categories,
                sources=row.source,
            )


def _items(
    vault: Vault,
    wanted: Mapping[str, Overview],
    known: Mapping[str, NoteRow],
    trusts: Mapping[str, str],
) -> Iterable[Item]:
    """The notes of the tree, days first."""
    stems: dict[tuple[str, str], str] = {}
    for id_, overview in sorted(wanted.items(), key=lambda pair: LEVELS.index(pair[1].level)):
        path = known[id_].path if id_ in known else _path(id_, overview)
        stems[overview.level, overview.period] = path.stem
        begins = day_start(overview.first_day, vault.settings.timezone)
        told = (each.sources or (each.target,) for each in overview.told)
        sources = tuple(dict.fromkeys(source for each in told for source in each))
        children = tuple(stems.get(child, child[1]) for child in overview.children)
        yield Item(
            path=path,
            oid=NO_OID,
            title="",
            body=overview.statement,
            id=id_,
            kind=KIND,
            statement=overview.statement,
            valid_from=begins,
            valid_until=begins,  # it tells of a time, and holds at none
            status="archived",
            source=sources[:_MOST_SOURCES],
            importance=1,
            writer="agent",
            trust=lowest(LIMITED, *(trusts[each.target] for each in overview.told)),
            observed="observed",
            tags=(TAG,),
            fields={LEVEL: overview.level, "children": as_links(children)},
        )


def _path(id_: str, overview: Overview) -> PurePosixPath:
    year, month, day = civil_from_days(overview.first_day)
    slug = f"overview-{overview.level}-{overview.period.replace('/', '-')}"
    path = item_path(slug, id_, year=year, month=month, day=day)
    return PurePosixPath(ARCHIVE, *path.parts[1:])


def _put(listings: Listings, item: Item, known: NoteRow | None) -> str:
    """Write the note, or what of it is other; '' where it says so already."""
    if known is None:
        listings.add_note(item)
        return "new"
    data = listings.working_copy.existing(known.path)
    there = notes.decode(known.path, data, NO_OID, zone=listings.vault.settings.timezone).record
    if not isinstance(there, Item) or there.status not in _TOLD:
        return ""
    children = item.fields["children"]
    if (
        there.source != item.source or there.fields.get("children") != children
    ) and not listings.could_patch(there, {"source": as_links(item.source), "children": children}):
        return ""
    if there.statement != item.statement:
        try:
            now = listings.working_copy.existing(known.path)
            listings.working_copy.put(known.path, notes.replace_statement(now, item.statement))
        except PatchRefusedError as refused:
            listings.report(known.path, refused, code=NOT_UPDATED)
    return "changed" if listings.working_copy.text(known.path) != data else ""


def _is_ours(vault: Vault, row: NoteRow) -> bool:
    """Whether a note is an overview with nothing but what we wrote: all else stays.

    Anybody may give a note the tag, and what a person writes below an overview is theirs.
    """
    # By the tag alone, a hashtag in what is remembered was enough for the night to remove it.
    item = vaults.read_record(vault, row.path)
    if not isinstance(item, Item) or item.fields.get(LEVEL) not in LEVELS:
        return False
    return item.kind == KIND and item.body.strip() == item.statement


# --- digests of long lists ---

# What matters most is said first: by importance, then by how much is said of the same subject, then
# the newer one. What is of one subject makes one sentence. Each sentence is made of whole
# statements, so there is nothing in it that the list does not say.
FEWEST = 8  # old statements that are worth a digest: fewer are read as fast as it is
MOST_SENTENCES = 6
_SHARE = 4  # of so many statements one is told
_A_SENTENCE = 3  # statements
_LONGEST = 300  # characters
_MARKS = ("", "-", "*", "+")  # a sentence that begins so would be read as a line of the list


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """One line of a category's list."""

    target: str  # link target of the item
    statement: str
    subject: str = ""  # as subjects are compared; '': of its own
    importance: int = 1  # 1..10
    since: int = 0  # sorts by age, larger is newer


Sentence = tuple[str, tuple[str, ...]]  # what it says, and the link targets that it is made of


def digest(old: Sequence[Listed]) -> tuple[Sentence, ...]:
    """Sentences for the old lines of a list, what matters most first; none for a short list.

    The same lines in any order give the same sentences.
    """
    if len(old) < FEWEST:
        return ()
    groups: dict[str, list[Listed]] = {}
    for line in old:
        if line.statement[:1] not in _MARKS and len(line.statement) <= _LONGEST:
            groups.setdefault(line.subject or f"\0{line.target}", []).append(line)
    ranked = [sorted(group, key=_place) for group in groups.values()]
    ranked.sort(key=lambda group: (-group[0].importance, -len(group), *_place(group[0])[1:]))
    left = len(old) // _SHARE
    told = []
    for group in ranked[:MOST_SENTENCES]:
        chosen = _within(group[: min(left, _A_SENTENCE)])
        left -= len(chosen)
        if chosen:
            targets = tuple(line.target for line in chosen)
            told.append((sentence([line.statement for line in chosen]), targets))
    return tuple(told)


def sentence(statements: Iterable[str]) -> str:
    """Whole statements as one sentence."""
    bare = [" ".join(statement.split()).rstrip(".") for statement in statements]
    return "; ".join(bare) + "."


def is_ours(told: Iterable[Sentence], statements: Mapping[str, str]) -> bool:
    """Whether all sentences are such as `digest` makes, and none a model's.

    statements  by link target
    """
    return all(
        text == sentence(statements[target] for target in targets if target in statements)
        for text, targets in told
    )


def is_stale(old: Iterable[Listed], told: Collection[str]) -> bool:
    """Whether something became old since the sentences were written.

    told  link targets that they are made of
    """
    lines = list(old)
    newest = max((line.since for line in lines if line.target in told), default=-1)
    return len(lines) >= FEWEST and any(line.since > newest for line in lines)


def _place(line: Listed) -> tuple[int, int, str]:
    return -line.importance, -line.since, line.target


def _within(lines: Sequence[Listed]) -> list[Listed]:
    kept: list[Listed] = []
    for line in lines:
        if kept and len(sentence(each.statement for each in (*kept, line))) > _LONGEST:
            break
        kept.append(line)
    return kept
