"""What came after what an answer about another time says: "then PostgreSQL; SQLite since ..."."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from vaultmem import model
from vaultmem.base import TYPE_CHECKING, replace
from vaultmem.history.moment import Snapshot, seeing
from vaultmem.language import format_minute
from vaultmem.model import Answer, Filters, Later, NoteRow, Oid, Version, id_in_name, slot_key
from vaultmem.storage import files, notes
from vaultmem.vault import fresh_index as answering

if TYPE_CHECKING:
    from vaultmem.history.moment import When
    from vaultmem.model import Progress
    from vaultmem.storage.index import Past
    from vaultmem.vault import Vault
MOST_SUCCESSORS = 5


def answer_with_later(
    vault: Vault,
    ask: Callable[[Snapshot], Answer],
    filters: Filters,
    *,
    as_of: When | None,
    known_at: When | None,
    progress: Progress | None,
) -> Answer:
    """The answer of another time, with what came later beside each hit."""

    def look(snapshot: Snapshot) -> Answer:
        found = ask(snapshot)
        hits = (replace(hit, later=later(vault, snapshot, hit.note)) for hit in found.hits)
        return replace(found, hits=tuple(hits), moment=snapshot.moment)

    found = answering.reading(
        vault,
        lambda: seeing(
            vault,
            look,
            as_of=as_of,
            known_at=known_at,
            by_status=bool(filters.statuses),
            progress=progress,
        ),
    )
    return answering.mark_if_lagging(vault, found)


def later(vault: Vault, snapshot: Snapshot, row: NoteRow) -> tuple[Later, ...]:
    """What became of an item since, oldest first: nothing where it still says and is the same."""
    if row.type != "item":
        return ()
    now = _now(snapshot, row)
    if now is None:
        return _later_removal(snapshot.past, row)
    found: list[Later] = []
    if snapshot.is_of_past:
        found += _later_correction(snapshot.past, row, now)
    if now.status == "retracted" and row.status != "retracted":
        return (*found, _event("retracted", snapshot.past, row, now))
    followers = _successors(vault, snapshot, row, now)
    if not followers and now.valid_until is not None and now.valid_until != row.valid_until:
        found.append(_event("ended", snapshot.past, row, now))
    return (*found, *followers)


def _now(snapshot: Snapshot, row: NoteRow) -> NoteRow | None:
    """The note as it is now; None when it is gone."""
    if not row.id:
        return snapshot.now.note(row.path)
    rows = snapshot.now.notes_with_id(row.id)
    # Two files may have one id, since people copy notes: the one at the same path is meant.
    return next((each for each in rows if each.path == row.path), rows[0] if rows else None)


def _versions(past: Past, row: NoteRow) -> Sequence[Version]:
    return past.versions(id=row.id) if row.id else past.versions(path=str(row.path))


def _later_removal(past: Past, row: NoteRow) -> tuple[Later, ...]:
    last = next(iter(reversed(_versions(past, row))), None)
    if last is None or last.superseded_at_ms is None:
        return (Later(what="removed"),)  # gone from disk, not committed yet
    return (
        Later(
            what="removed",
            recorded_at=last.superseded_at_ms,
            commit=last.superseded_by_commit,
        ),
    )


def _later_correction(past: Past, row: NoteRow, now: NoteRow) -> tuple[Later, ...]:
    """The words of now, where they are others."""
    if now.statement == row.statement:
        return ()
    brought = _first_version_saying(past, row, lambda version: version.statement == now.statement)
    # A person who edits the statement often leaves the value in the front matter as it was.
    is_other_value = _share_slot(row, now) and row.object != now.object
    return (
        Later(
            what="corrected",
            then=row.object if is_other_value else "",
            text=(now.object if is_other_value else "") or now.statement,
            valid_from=now.valid_from,
            recorded_at=brought.recorded_at_ms if brought else None,
            commit=brought.commit if brought else "",
        ),
    )


def _event(what: str, past: Past, row: NoteRow, now: NoteRow) -> Later:
    """That the note ended or was taken back, by the commit that first said so."""
    brought = _first_version_saying(
        past,
        row,
        lambda version: version.status == now.status and version.valid_until == now.valid_until,
    )
    return Later(
        what=what,
        valid_from=now.valid_until if what == "ended" else None,
        recorded_at=brought.recorded_at_ms if brought else None,
        commit=brought.commit if brought else "",
    )


def _first_version_saying(
    past: Past, row: NoteRow, says: Callable[[Version], bool]
) -> Version | None:
    """The first of the last versions in a row that say so; None: no commit does."""
    found = None
    for version in reversed(_versions(past, row)):
        if not says(version):
            break
        found = version
    return found


def _successors(vault: Vault, snapshot: Snapshot, row: NoteRow, now: NoteRow) -> tuple[Later, ...]:
    """The items that took its place, one after the other."""
    found: list[Later] = []
    # Links in notes may lead in a circle.
    seen = {now.path}
    past, current, value = snapshot.past, now, row.object
    while len(found) < MOST_SUCCESSORS:
        targets = _superseded_by(vault, past, current)
        following = (snapshot.now.resolve_link(target) for target in targets)
        successor = next((each for each in following if each and each.path not in seen), None)
        if successor is None:
            break
        seen.add(successor.path)
        first = next(iter(_versions(past, successor)), None)
        in_slot = _share_slot(current, successor)
        found.append(
            Later(
                what="changed",
                then=value if in_slot else "",
                text=(successor.object if in_slot else "") or successor.statement,
                valid_from=successor.valid_from,
                recorded_at=first.recorded_at_ms if first else None,
                commit=first.commit if first else "",
                id=successor.id,
                path=successor.path,
            )
        )
        current, value = successor, successor.object
    return tuple(found)


def _superseded_by(vault: Vault, past: Past, row: NoteRow) -> tuple[str, ...]:
    """Links of the note, as it is now, to what took its place; none of what goes on."""
    if row.status == "active" and row.valid_until is None:
        return ()
    last = next(iter(reversed(_versions(past, row))), None)
    if last is not None and last.oid == row.oid:
        return last.superseded_by
    return _edited_to(vault, row)


def _edited_to(vault: Vault, row: NoteRow) -> tuple[str, ...]:
    """The same links in an edit that is not committed yet."""
    data = files.read(vault.root, row.path, limit=vault.settings.limits_note_bytes)
    record = notes.decode(row.path, data, Oid(row.oid), zone=vault.settings.timezone).record
    return record.superseded_by if isinstance(record, model.Item) else ()


def _share_slot(row: NoteRow, other: NoteRow) -> bool:
    slot = slot_key(row.subject, row.predicate)
    return bool(slot) and slot == slot_key(other.subject, other.predicate)


# What one version of a note changed against the one before it, as sentences.

ELSEWHERE = "other text or fields of the note changed"
ITS_TEXT = "its text changed"
CAME_BACK = "came back"


def changes(before: Version | None, after: Version, zone: str) -> tuple[str, ...]:
    """Sentences without capital and full stop; at least one. `before` None: it is the first one."""
    if before is None:
        first = "known since before this history begins" if after.is_cut else "first recorded"
        replaced = _ids(after.supersedes)
        said = [first + (f", in place of {replaced}" if replaced else "")]
    else:
        said = [*_changes(before, after, zone)] or [ELSEWHERE if after.type == "item" else ITS_TEXT]
    said += [f"moved from '{path}'" for path in after.former_paths[-1:]]
    return tuple(said)


def _changes(before: Version, after: Version, zone: str) -> Iterator[str]:
    if after.type == "item" == before.type and before.statement != after.statement:
        yield word_changes(before.statement, after.statement)
    if after.type != "item" and before.title != after.title:
        yield f"title: {word_changes(before.title, after.title)}"
    if before.type != after.type:
        yield f"is {_with_article(after.type)} now (was {_with_article(before.type)})"
    if before.valid_from != after.valid_from:
        yield f"holds from {_when(after.valid_from, zone)} (was {_when(before.valid_from, zone)})"
    if before.valid_until != after.valid_until:
        yield _end(before.valid_until, after.valid_until, zone)
    if before.status != after.status:
        yield _status(before, after)
    for name, was, now in (
        ("kind", before.kind, after.kind),
        ("stream", before.stream, after.stream),
        ("category", ", ".join(before.categories), ", ".join(after.categories)),
        ("subject", before.subject, after.subject),
        ("predicate", before.predicate, after.predicate),
        ("object", before.object, after.object),
        ("trust", before.trust, after.trust),
    ):
        if was != now:
            yield f"{name}: {now or 'none'} (was {was or 'none'})"
    if before.path != after.path and not after.former_paths:
        yield f"moved from '{before.path}'"


def _with_article(type_: str) -> str:
    return f"an {type_}" if type_ == "item" else f"a {type_}" if type_ else "unreadable"


def _end(was: int | None, now: int | None, zone: str) -> str:
    if now is None:
        return f"holds on (was to end {_when(was, zone)})"
    return f"ends {_when(now, zone)}" + ("" if was is None else f" (was {_when(was, zone)})")


def _status(before: Version, after: Version) -> str:
    if after.status == "superseded":
        by = _ids(after.superseded_by)
        return f"superseded by {by}" if by else "superseded"
    if after.status == "active":
        return f"active again (was {before.status or 'none'})"
    return f"{after.status or 'no status'} (was {before.status or 'none'})"


def _ids(links: tuple[str, ...]) -> str:
    return ", ".join(id_in_name(link) or link for link in links)


def _when(ms: int | None, zone: str) -> str:
    return "no date" if ms is None else format_minute(ms, zone)


def word_changes(before: str, after: str) -> str:
    """Both texts in one, as `git diff --word-diff` writes it: [-gone-] and {+come+} words."""
    from difflib import SequenceMatcher

    old, new = before.split(), after.split()
    told: list[str] = []
    # By default difflib takes the frequent words of a long text for junk, and shows more as changed
    # than was.
    for op, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if op == "equal":
            told.append(" ".join(old[a:b]))
            continue
        if b > a:
            told.append(f"[-{' '.join(old[a:b])}-]")
        if d > c:
            told.append(f"{{+{' '.join(new[c:d])}+}}")
    return " ".join(told)
