"""Forget notes or empty a memory: out of the vault and of recall, by one commit `undo` takes back.

The files are removed rather than marked: nothing that reads the folder finds the text any more,
and git has every version of it. That is no erasure; `forget --purge` is (forget/erase.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from vaultmem import base, devices, edit, history, model, undo
from vaultmem import vault as vaults
from vaultmem.base import (
    TYPE_CHECKING,
    BadInputError,
    MisusedError,
    PatchRefusedError,
    UnknownNoteError,
    VaultmemError,
    dataclass,
    is_refusal,
    replace,
)
from vaultmem.model import (
    Cleared,
    Filters,
    Forgotten,
    ForgottenNote,
    Holding,
    NoteRow,
    Plan,
    join_nonempty,
    pluralise,
    shorten,
)
from vaultmem.sessions import attached_files
from vaultmem.storage import files, notes
from vaultmem.storage.notes import canonical
from vaultmem.vault import Listings, WorkingCopy, unread

if TYPE_CHECKING:
    from vaultmem.model import Problem, Version
    from vaultmem.vault import Vault

# --- which notes are meant ---

NOTES = ("item", "resource")
SHORTEST_MATCH = 4  # characters: a shorter text is in almost every note


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a person wants forgotten: exactly one of the three."""

    refs: tuple[str, ...] = ()
    source: str = ""
    match: str = ""

    def require_one(self) -> None:
        """Raise MisusedError unless it says one thing, BadInputError where that is too short."""
        if sum(map(bool, (self.refs, self.source.strip(), self.match.strip()))) != 1:
            raise MisusedError(
                "say what to forget: notes, or --source, or --match, and only one of them",
                hint="`vaultmem forget ITEM...`, or --source RESOURCE, or --match TEXT; "
                "`vaultmem search` finds ids",
            )
        if self.match and len(canonical(self.match)) < SHORTEST_MATCH:
            raise BadInputError(
                f"'{self.match}' is too short: --match takes {SHORTEST_MATCH} characters or more",
                hint="give more of the text, or name the notes: `vaultmem search` finds their ids",
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The notes that go, and what else holds their text and is not ours to take away."""

    rows: tuple[NoteRow, ...]
    agents: tuple[NoteRow, ...] = ()  # of --match: files of assistants, which lose its lines
    others: tuple[NoteRow, ...] = ()  # of --match: streams, categories and pages that hold it


def choose(vault: Vault, wish: Wish) -> Chosen:
    """The notes that the wish means, by path; raises UnknownNoteError, BadInputError."""
    wish.require_one()
    if wish.match:
        return _matching(vault, wish.match)
    if wish.source:
        return Chosen(rows=_of_source(vault, wish.source))
    return Chosen(rows=_named_rows(vault, wish.refs))


def _named_rows(vault: Vault, refs: Sequence[str]) -> tuple[NoteRow, ...]:
    rows = {row.path: row for row in (vaults.find_note(vault, ref) for ref in refs)}
    for row in rows.values():
        _require_note(row)
    found = (*rows.values(), *_sources_that_say_no_more(vault, tuple(rows.values())))
    return _sort_rows(found)


def _require_note(row: NoteRow) -> None:
    if row.type not in NOTES and not _is_of_agents(row):
        raise BadInputError(
            f"'{row.path}' is a {row.type}: it is yours to edit",
            hint="name items or sources; a bullet is forgotten by the id at its end",
        )


def _of_source(vault: Vault, ref: str) -> tuple[NoteRow, ...]:
    source = vaults.find_note(vault, ref)
    if source.type != "resource":
        raise BadInputError(
            f"'{source.path}' is no source: it is of type {source.type}",
            hint=f"`vaultmem forget {source.id or source.path}`",
        )
    return _sort_rows((source, *items_from(vault, source)))


def items_from(vault: Vault, source: NoteRow) -> tuple[NoteRow, ...]:
    """Items, of any status, that came from a resource, by path."""
    found = []
    for row in vault.index.backlinks(source):
        sources = (vault.index.resolve_link(target) for target in row.source)
        if row.type == "item" and any(each and each.path == source.path for each in sources):
            found.append(row)
    return tuple(found)


def _sources_that_say_no_more(vault: Vault, going: Sequence[NoteRow]) -> Iterator[NoteRow]:
    """Resources that hold nothing but what the items say that go: kept only for them."""
    gone = {row.path for row in going}
    for source in sources_of(vault, going):
        if source.path in gone or any(each.path not in gone for each in items_from(vault, source)):
            continue
        # In either form: a source may have been kept for the words as they were said, or as the
        # item states them.
        said = [text for row in going for text in (row.quote, row.statement) if text]
        if not any(char.isalnum() for char in _without(note_body(vault, source), said)):
            yield source


def sources_of(vault: Vault, rows: Iterable[NoteRow]) -> tuple[NoteRow, ...]:
    """The resources that items came from, each once, by path."""
    found = {}
    for row in rows:
        for target in row.source if row.type == "item" else ():
            source = vault.index.resolve_link(target)
            if source is not None and source.type == "resource":
                found[source.path] = source
    return _sort_rows(found.values())


def _without(body: str, said: Iterable[str]) -> str:
    text = canonical(body)
    # The longest first: taking a statement out of the quote that holds it would leave the rest of
    # the quote standing.
    for each in sorted(map(canonical, said), key=len, reverse=True):
        text = text.replace(each, " ")
    return text


def note_body(vault: Vault, row: NoteRow) -> str:
    """The text of a note below its front matter; '' of one that is gone."""
    try:
        return notes.split(files.read(vault.root, row.path, limit=None)).body.decode(
            "utf-8", "replace"
        )
    except VaultmemError as error:
        if is_refusal(error):
            raise
        return ""


def _matching(vault: Vault, text: str) -> Chosen:
    """Notes whose bytes hold the text: title, front matter and body."""
    unread.require_none(vault, doing="look for the text everywhere")
    wanted = canonical(text)
    rows = {row.path: row for row in vault.index.list(Filters())}
    found = []
    for path, data in files.read_each(vault.root, sorted(rows), limit=None):
        if isinstance(data, bytes) and wanted in canonical(data.decode("utf-8", "replace")):
            found.append(rows[path])
    others = [row for row in found if row.type not in NOTES]
    return Chosen(
        rows=_sort_rows(row for row in found if row.type in NOTES),
        agents=_sort_rows(row for row in others if _is_of_agents(row)),
        others=_sort_rows(row for row in others if not _is_of_agents(row)),
    )


def _is_of_agents(row: NoteRow) -> bool:
    """Whether an assistant's file, of which nothing is the person's own to edit."""
    return files.is_of_agents(row.path.parent.as_posix())


def without_lines_of(data: bytes, wanted: str) -> bytes | None:
    """The file without the lines that hold a folded text; None: nothing of it should stay.

    A file of an assistant goes on after one thing in it was forgotten: it is its whole notebook.
    """
    kept = [
        line
        for line in data.splitlines(keepends=True)
        if wanted not in canonical(line.decode("utf-8", "replace"))
    ]
    rest = b"".join(kept)
    text = canonical(rest.decode("utf-8", "replace"))
    return None if not text.strip() or wanted in text else rest


def _sort_rows(rows: Iterable[NoteRow]) -> tuple[NoteRow, ...]:
    return tuple(sorted(rows, key=lambda row: row.path))


_SHOWN = 90  # characters of a statement


def forget(vault: Vault, wish: Wish, *, dry_run: bool = False, asks: bool = False) -> Forgotten:
    """Take notes out of the vault, with their bullets and category lines, in one commit.

    asks    where so much would go that a person is asked first, only say what would go
    raises  BadInputError, UnknownNoteError: nothing is changed then
    """
    wish.require_one()
    if not dry_run:
        # All files are compared once, here: a look before the lock, for names that only the history
        # has, and a dry run before each call compared 20,000 of them four times (.3 s of 2).
        with edit.writer(vault):
            retired = _retired_of(vault, wish.refs)
            if not retired:
                return _carry_out(vault, wish, asks=asks)
    report = vaults.level.reading(vault, lambda: _foresee(vault, wish))
    if dry_run or (asks and report.asked):
        return report
    for version in retired.values():
        undo.restore(vault, version.id)
    with edit.writer(vault):
        return _carry_out(vault, wish)


def _carry_out(vault: Vault, wish: Wish, *, asks: bool = False) -> Forgotten:
    report, plan, problems = _plan_removal(vault, wish)
    if asks and report.asked:
        return report
    done = vaults.apply(vault, [plan]) if plan is not None else ()
    vaults.level.keep_problems(vault, "forget", problems)
    return base.replace(report, dry_run=False, commit=done[-1].commit if done else None)


def _foresee(vault: Vault, wish: Wish) -> Forgotten:
    """What would go."""
    retired = _retired_of(vault, wish.refs)
    # What `compact` retired comes back first and then goes by its name like the rest; here it would
    # be unknown. Bad names are found before anything of it comes back.
    others = base.replace(wish, refs=tuple(ref for ref in wish.refs if ref not in retired))
    report = Forgotten(dry_run=True)
    if others.refs or not wish.refs:
        report = _plan_removal(vault, others)[0]
    return base.replace(report, notes=(*map(_retired_note, retired.values()), *report.notes))


def _retired_of(vault: Vault, refs: Sequence[str]) -> dict[str, Version]:
    """The last versions of those of the notes that `compact` took out of the folder, by name.

    A commit can only take away what is there: they come back by one commit and go by another.
    """
    found = {}
    for ref in refs:
        try:
            vaults.find_note(vault, ref)
        except UnknownNoteError:
            # What `compact` retired could be purged and not forgotten: a commit takes away only
            # what is there.
            named = PurePosixPath(ref.strip().strip("[]")).name.removesuffix(".md")
            versions = history.versions.level(vault).versions(id=model.id_in_name(named) or named)
            if versions and versions[-1].retired_at_ms and versions[-1].superseded_at_ms is None:
                found[ref] = versions[-1]
    return found


def _retired_note(version: Version) -> ForgottenNote:
    text = version.statement or version.title
    return ForgottenNote(
        path=version.path, id=version.id, type=version.type, text=shorten(text, _SHOWN)
    )


def _plan_removal(vault: Vault, wish: Wish) -> tuple[Forgotten, Plan | None, tuple[Problem, ...]]:
    chosen = choose(vault, wish)
    if wish.match and not (chosen.rows or chosen.agents or chosen.others):
        raise UnknownNoteError(
            f"no note holds '{shorten(wish.match, _SHOWN)}'",
            hint="case and spacing do not matter; `vaultmem search` finds single words",
        )
    working_copy = WorkingCopy(vault)
    for row in chosen.rows:
        working_copy.existing(row.path)
        working_copy.remove(row.path)
    going, shorter = [*chosen.rows], []
    for row in chosen.agents:
        rest = without_lines_of(working_copy.existing(row.path), canonical(wish.match))
        if rest is None:
            working_copy.remove(row.path)
            going.append(row)
        else:
            working_copy.put(row.path, rest)
            shorter.append(row.path)
    lists, problems = take_out_of_lists(vault, working_copy, chosen.rows)
    changes = working_copy.step()
    report = Forgotten(
        notes=tuple(map(_forgotten_note, _sort_rows(going))),
        lists=(*lists, *shorter),
        holding=tuple(_holding(vault, chosen, wish)),
        asked=_mass_deletion_question(vault, going),
        dry_run=True,
    )
    if not changes:
        return report, None, ()
    ids = [row.id for row in chosen.rows if row.id]
    count = len(going) + len(shorter)
    plan = Plan(
        op="forget",
        actor="person",
        # Not in the words of the note: what is forgotten should not gain another place.
        subject=f"forget: {ids[0] if len(ids) == 1 else pluralise(count, 'note')}",
        changes=changes,
        trailers=(("Vaultmem-Items", ", ".join(ids)),) if ids else (),
    )
    return report, plan, problems


def _forgotten_note(row: NoteRow) -> ForgottenNote:
    text = row.statement if row.type == "item" else row.title
    return ForgottenNote(path=row.path, id=row.id, type=row.type, text=shorten(text, _SHOWN))


def _mass_deletion_question(vault: Vault, rows: Sequence[NoteRow]) -> str:
    return devices.mass_deletion([row.path.as_posix() for row in rows], _paths_on_disk(vault))


def _paths_on_disk(vault: Vault) -> Iterator[str]:
    """Read only when they are asked for: of 100,000 it takes .2 s."""
    yield from (state.path for state in vault.index.files(None).values() if state.oid)


def take_out_of_lists(
    vault: Vault, working_copy: WorkingCopy, rows: Sequence[NoteRow]
) -> tuple[tuple[PurePosixPath, ...], tuple[Problem, ...]]:
    """Bullets and managed lines of notes that go; the files that lost some, and what refused."""
    listings = vaults.Listings(vault, working_copy)
    ids = {row.id for row in rows if row.id}
    stems = {row.path.stem for row in rows}
    changed = []
    for listed in sorted(
        vault.index.list(Filters(types=("stream", "category"))), key=lambda row: row.path
    ):
        before = working_copy.text(listed.path)
        if before is None:
            continue
        after = before
        try:
            if listed.type == "stream":
                there = {each.block_id for each in notes.bullets(before) if each.block_id in ids}
                after = (
                    notes.remove_bullets(before, {id_ for id_ in there if id_}) if there else before
                )
            else:
                for link in notes.read_links(before):
                    after = notes.remove_line(after, link) if link in stems else after
        except PatchRefusedError as refused:
            listings.report(listed.path, refused)
            continue
        if after != before:
            working_copy.put(listed.path, after)
            changed.append(listed.path)
    return tuple(changed), tuple(listings.problems)


def _holding(vault: Vault, chosen: Chosen, wish: Wish) -> Iterator[Holding]:
    """Notes that stay and still say it."""
    gone = {row.path for row in chosen.rows}
    for row in chosen.others:
        if row.type == "page" or _says_by_itself(vault, row, chosen.rows, wish.match):
            yield Holding(path=row.path, why=f"a {row.type} that you wrote: edit it yourself")
    for source in sources_of(vault, chosen.rows):
        if source.path in gone:
            continue
        body = canonical(note_body(vault, source))
        said = (canonical(text) for row in chosen.rows for text in (row.quote, row.statement))
        if any(text and text in body for text in said):
            why = f"the source says more; `vaultmem forget --source {source.id or source.path}`"
            yield Holding(path=source.path, why=f"{why} forgets it whole")
    yield from _items_said_after(vault, chosen, wish)
    yield from _agents_that_say_it(vault, chosen, wish)


def _agents_that_say_it(vault: Vault, chosen: Chosen, wish: Wish) -> Iterator[Holding]:
    """Files of assistants that stay and repeat what goes; of `--match` those that are no text."""
    gone = {row.path for row in (*chosen.rows, *chosen.agents)}
    said = {canonical(text) for row in chosen.rows for text in (row.quote, row.statement)}
    said = {canonical(wish.match)} if wish.match else said - {""}
    there = vault.index.files_below(files.AGENTS) if said else ()
    theirs = [
        path for state in there if state.oid and (path := PurePosixPath(state.path)) not in gone
    ]
    for path, data in files.read_each(vault.root, theirs, limit=None):
        if isinstance(data, bytes):
            text = canonical(data.decode("utf-8", "replace"))
            if any(each in text for each in said):
                is_note = files.is_note_name(path.parent.as_posix(), path.name)
                how = "`vaultmem forget --match` takes the lines out" if is_note else "edit it"
                yield Holding(path=path, why=f"an assistant's file: {how}")


def _items_said_after(vault: Vault, chosen: Chosen, wish: Wish) -> Iterator[Holding]:
    """Items that stay and keep the words before them, of which some are to be forgotten."""
    gone = {row.path for row in chosen.rows}
    said = {canonical(text) for row in chosen.rows for text in (row.quote, row.statement)}
    said |= {canonical(wish.match)} if wish.match else set()
    for row in vault.index.said_after():
        if row.path in gone:
            continue
        # The question before an item's words counts like them: an item that says 'Yes.' keeps in it
        # what it is about.
        for key, words in (("said_after", row.said_after), ("asked", row.asked)):
            before = canonical(words) if words else ""
            if before and any(text and (text in before or before in text) for text in said):
                why = f"it was said after it: delete its key `{key}`"
                yield Holding(path=row.path, why=why)


def _says_by_itself(vault: Vault, row: NoteRow, going: Iterable[NoteRow], match: str) -> bool:
    """Whether a list holds the text beyond the lines that it loses."""
    names = {name for each in going for name in (f"^{each.id}", f"[[{each.path.stem}]]")}
    text = files.read(vault.root, row.path, limit=None).decode("utf-8", "replace")
    kept = [line for line in text.splitlines() if not any(name in line for name in names)]
    return canonical(match) in canonical("\n".join(kept))


# --- empty a memory ---

# Items and resources go, with their lines in streams and categories, and what assistants wrote as
# files. What a person wrote between those lines, pages of their own, settings and the whole history
# stay.
_EMPTIED = ("item", "resource")


def clear(vault: Vault, *, dry_run: bool = False) -> Cleared:
    """Take all items and resources out of the vault, and their lines out of its lists.

    dry_run  change nothing, only count
    raises   UncommittedError  a file that would go or change has words that are in no commit, so
                               that undoing could not bring them back; nothing is changed then
    """
    # Counting takes no writer lock: a dry run does not wait for a writer and settles no edits.
    if dry_run:
        vaults.level.refresh(vault)
        return replace(_plan(Listings(vault, WorkingCopy(vault))), dry_run=True)
    with edit.writer(vault):
        listings = Listings(vault, WorkingCopy(vault))
        report = _plan(listings)
        changes = listings.working_copy.step()
        _require_committed(vault, {change.path.as_posix() for change in changes})
        plan = Plan(op="clear", actor="person", subject=_subject(report), changes=changes)
        done = vaults.apply(vault, [plan])
        vaults.level.keep_problems(vault, "clear", listings.problems)
    return replace(report, commit=done[-1].commit if done else None)


def _plan(listings: Listings) -> Cleared:
    vault, working_copy = listings.vault, listings.working_copy
    counts = dict.fromkeys(_EMPTIED, 0)
    bullets = categories = 0
    kept: list[PurePosixPath] = []
    for row in sorted(vault.index.list(Filters()), key=lambda row: row.path):
        if not _is_own(row.path) or files.is_of_agents(row.path.parent.as_posix()):
            continue
        if row.type in _EMPTIED:
            working_copy.remove(row.path)
            counts[row.type] += 1
        elif row.type == "stream":
            bullets += _empty_stream(listings, row.path)
            kept.append(row.path)
        elif row.type == "category" and _empty_category(working_copy, row.path):
            categories += 1
        else:
            kept.append(row.path)
    for path in attached_files(vault):
        working_copy.remove(path)
    agents = 0
    for state in vault.index.files(None).values():
        path = PurePosixPath(state.path)
        if state.oid and files.is_of_agents(path.parent.as_posix()):
            working_copy.remove(path)
            agents += 1
    return Cleared(
        items=counts["item"],
        resources=counts["resource"],
        bullets=bullets,
        categories=categories,
        agent_files=agents,
        kept=tuple(kept),
    )


def _is_own(path: PurePosixPath) -> bool:
    """Whether a note lies in a folder of the vault's; what `include` names is never written."""
    return len(path.parts) > 1 and path.parts[0] in files.TOPS


def _empty_stream(listings: Listings, path: PurePosixPath) -> int:
    """Take the bullets of items out of a stream file; how many they were.

    A file that does not let itself be changed keeps them, and `check` says so.
    """
    data = listings.working_copy.existing(path)
    ids = [bullet.block_id for bullet in notes.bullets(data) if bullet.block_id is not None]
    try:
        if ids:
            listings.working_copy.put(path, notes.remove_bullets(data, ids))
    except PatchRefusedError as refused:
        listings.report(path, refused)
        return 0
    return len(ids)


def _empty_category(working_copy: WorkingCopy, path: PurePosixPath) -> bool:
    """Take the lines of items out of a category; True: nothing was left, so the file goes."""
    data = notes.without_lines(working_copy.existing(path))
    if notes.is_bare(data):
        working_copy.remove(path)
        return True
    working_copy.put(path, data)
    return False


def _require_committed(vault: Vault, paths: set[str]) -> None:
    """Raise UncommittedError when one of these files has words that are in no commit."""
    open_paths = sorted(state.path for state in vault.index.pending() if state.path in paths)
    if open_paths:
        raise devices.UncommittedError(
            open_paths,
            hint="commit them first, so that `vaultmem undo` can bring them back: `vaultmem check` "
            "says what keeps them out of the history",
        )


def _subject(report: Cleared) -> str:
    said = join_nonempty(
        [
            pluralise(report.items, "item"),
            pluralise(report.resources, "resource"),
            pluralise(report.categories, "category", "categories") if report.categories else "",
            f"{pluralise(report.agent_files, 'file')} of assistants" if report.agent_files else "",
        ]
    )
    return f"clear: {said}"
