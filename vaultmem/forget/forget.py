"""Forget notes: out of the vault and of recall, by one commit that `undo` takes back.

The files are removed rather than marked: nothing that reads the folder finds the text any more,
and git has every version of it. That is no erasure; `forget --purge` is (forget/purge/purge.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vaultmem.base.errors import PatchRefusedError, UnknownNoteError
from vaultmem.forget.forgetting import Chosen, Wish, choose, folded, note_body, sources_of
from vaultmem.model.answers import Filters, NoteRow
from vaultmem.model.leaving import Forgotten, ForgottenNote, Holding
from vaultmem.model.plan import Plan
from vaultmem.model.wording import counted, shortened
from vaultmem.vault.plan import Workbench

if TYPE_CHECKING:
    from vaultmem.model.history import Version
    from vaultmem.model.notes import Problem
    from vaultmem.vault.vault import Parts

_SHOWN = 90  # characters of a statement


def forget(parts: Parts, wish: Wish, *, dry_run: bool = False) -> Forgotten:
    """Take notes out of the vault, with their bullets and category lines, in one commit.

    raises  BadInputError, UnknownNoteError: nothing is changed then
    """
    from vaultmem.base.records import replace
    from vaultmem.edit.writer import writer
    from vaultmem.undo.restore import restore
    from vaultmem.vault import level
    from vaultmem.vault.apply import apply

    wish.require_one()
    retired = level.reading(parts, lambda: _retired_of(parts, wish.refs))
    others = replace(wish, refs=tuple(ref for ref in wish.refs if ref not in retired))
    if dry_run or retired:
        # Bad names are found before anything of what was retired comes back.
        report = Forgotten(dry_run=True)
        if others.refs or not wish.refs:
            report = level.reading(parts, lambda: _planned(parts, others)[0])
        if dry_run:
            return replace(report, notes=(*map(_retired_note, retired.values()), *report.notes))
    for version in retired.values():
        restore(parts, version.id)
    with writer(parts):
        report, plan, problems = _planned(parts, wish)
        done = apply(parts, [plan]) if plan is not None else ()
        level.keep_problems(parts, "forget", problems)
    return replace(report, dry_run=False, commit=done[-1].commit if done else None)


def _retired_of(parts: Parts, refs: Sequence[str]) -> dict[str, Version]:
    """The last versions of those of the notes that `compact` took out of the folder, by name.

    A commit can only take away what is there: they come back by one commit and go by another.
    """
    from vaultmem.history import versions as past
    from vaultmem.model.ids import id_in_name
    from vaultmem.vault.naming import find_note

    found = {}
    for ref in refs:
        try:
            find_note(parts, ref)
        except UnknownNoteError:
            named = PurePosixPath(ref.strip().strip("[]")).name.removesuffix(".md")
            versions = past.level(parts).versions(id=id_in_name(named) or named)
            if versions and versions[-1].retired_at_ms and versions[-1].superseded_at_ms is None:
                found[ref] = versions[-1]
    return found


def _retired_note(version: Version) -> ForgottenNote:
    text = version.statement or version.title
    return ForgottenNote(
        path=version.path, id=version.id, type=version.type, text=shortened(text, _SHOWN)
    )


def _planned(parts: Parts, wish: Wish) -> tuple[Forgotten, Plan | None, tuple[Problem, ...]]:
    chosen = choose(parts, wish)
    if wish.match and not chosen.rows and not chosen.others:
        raise UnknownNoteError(
            f"no note holds '{shortened(wish.match, _SHOWN)}'",
            hint="case and spacing do not matter; `vaultmem search` finds single words",
        )
    bench = Workbench(parts)
    for row in chosen.rows:
        bench.existing(row.path)
        bench.remove(row.path)
    lists, problems = take_out_of_lists(parts, bench, chosen.rows)
    changes = bench.step()
    report = Forgotten(
        notes=tuple(_told(row) for row in chosen.rows),
        lists=lists,
        holding=tuple(_holding(parts, chosen, wish)),
        asked=_asked(parts, chosen.rows),
        dry_run=True,
    )
    if not changes:
        return report, None, ()
    ids = [row.id for row in chosen.rows if row.id]
    plan = Plan(
        op="forget",
        actor="person",
        # Not in the words of the note: what is forgotten should not gain another place.
        subject=f"forget: {ids[0] if len(ids) == 1 else counted(len(chosen.rows), 'note')}",
        changes=changes,
        trailers=(("Vaultmem-Items", ", ".join(ids)),) if ids else (),
    )
    return report, plan, problems


def _told(row: NoteRow) -> ForgottenNote:
    text = row.statement if row.type == "item" else row.title
    return ForgottenNote(path=row.path, id=row.id, type=row.type, text=shortened(text, _SHOWN))


def _asked(parts: Parts, rows: Sequence[NoteRow]) -> str:
    from vaultmem.vault.arriving import mass_deletion

    there = [state.path for state in parts.index.files(None).values() if state.oid]
    return mass_deletion([row.path.as_posix() for row in rows], there)


def take_out_of_lists(
    parts: Parts, bench: Workbench, rows: Sequence[NoteRow]
) -> tuple[tuple[PurePosixPath, ...], tuple[Problem, ...]]:
    """Bullets and managed lines of notes that go; the files that lost some, and what refused."""
    from vaultmem.storage.notes.bullets import bullets
    from vaultmem.storage.notes.stream_list import remove_bullets
    from vaultmem.storage.notes.summary_block import read_links, remove_line
    from vaultmem.vault.lists.lists import Shelf

    shelf = Shelf(parts, bench)
    ids = {row.id for row in rows if row.id}
    stems = {row.path.stem for row in rows}
    changed = []
    for listed in sorted(
        parts.index.list(Filters(types=("stream", "category"))), key=lambda row: row.path
    ):
        before = bench.text(listed.path)
        if before is None:
            continue
        after = before
        try:
            if listed.type == "stream":
                there = {each.block_id for each in bullets(before) if each.block_id in ids}
                after = remove_bullets(before, {id_ for id_ in there if id_}) if there else before
            else:
                for link in read_links(before):
                    after = remove_line(after, link) if link in stems else after
        except PatchRefusedError as refused:
            shelf.report(listed.path, refused)
            continue
        if after != before:
            bench.put(listed.path, after)
            changed.append(listed.path)
    return tuple(changed), tuple(shelf.problems)


def _holding(parts: Parts, chosen: Chosen, wish: Wish) -> Iterator[Holding]:
    """Notes that stay and still say it."""
    gone = {row.path for row in chosen.rows}
    for row in chosen.others:
        if row.type == "page" or _says_by_itself(parts, row, chosen.rows, wish.match):
            yield Holding(path=row.path, why=f"a {row.type} that you wrote: edit it yourself")
    for source in sources_of(parts, chosen.rows):
        if source.path in gone:
            continue
        body = folded(note_body(parts, source))
        said = (folded(text) for row in chosen.rows for text in (row.quote, row.statement))
        if any(text and text in body for text in said):
            why = f"the source says more; `vaultmem forget --source {source.id or source.path}`"
            yield Holding(path=source.path, why=f"{why} forgets it whole")
    yield from _followed(parts, chosen, wish)


def _followed(parts: Parts, chosen: Chosen, wish: Wish) -> Iterator[Holding]:
    """Items that stay and keep the words before them, of which some are to be forgotten."""
    gone = {row.path for row in chosen.rows}
    said = {folded(text) for row in chosen.rows for text in (row.quote, row.statement)}
    said |= {folded(wish.match)} if wish.match else set()
    for row in parts.index.list(Filters(types=("item",))):
        if row.path in gone:
            continue
        for key, words in (("said_after", row.said_after), ("asked", row.asked)):
            before = folded(words) if words else ""
            if before and any(text and (text in before or before in text) for text in said):
                why = f"it was said after it: delete its key `{key}`"
                yield Holding(path=row.path, why=why)


def _says_by_itself(parts: Parts, row: NoteRow, going: Iterable[NoteRow], match: str) -> bool:
    """Whether a list holds the text beyond the lines that it loses."""
    from vaultmem.storage.files import read

    names = {name for each in going for name in (f"^{each.id}", f"[[{each.path.stem}]]")}
    text = read(parts.root, row.path, limit=None).decode("utf-8", "replace")
    kept = [line for line in text.splitlines() if not any(name in line for name in names)]
    return folded(match) in folded("\n".join(kept))
