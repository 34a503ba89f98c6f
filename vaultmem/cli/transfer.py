"""export, import, clear."""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click

from vaultmem import language, transfer
from vaultmem.base import EXIT_PROBLEMS, TYPE_CHECKING, UnconfirmedError
from vaultmem.cli.open_vault import clock, open_memory
from vaultmem.cli.options import Shared, shown_progress, with_shared
from vaultmem.cli.output import tell
from vaultmem.model import SECTIONS, WRITERS, join_nonempty, pluralise, shorten

if TYPE_CHECKING:
    from vaultmem.api import Memory
    from vaultmem.model import (
        Cleared,
        Conflict,
        Exported,
        Imported,
        ImportedProducts,
        ImportedRecord,
        Skipped,
    )

_SHOWN = 20  # entries of a report


def imported_lines(report: Imported) -> Iterator[str]:
    """Counts, then what a person should look at."""
    would = "would take in" if report.dry_run else "took in"
    added = sum(each.what == "added" for each in report.taken)
    updated = len(report.taken) - added
    said = join_nonempty(
        [
            pluralise(added, "new note") if added or not updated else "",
            f"{updated} updated" if updated else "",
            pluralise(len(report.attached), "file of conversations", "files of conversations")
            if report.attached
            else "",
            f"{report.unchanged} as they are" if report.unchanged else "",
        ]
    )
    commit = f" (commit {report.commit[:8]})" if report.commit else ""
    yield f"{would} {said}{commit}"
    if report.left_earlier:
        earlier = pluralise(report.left_earlier, "earlier text")
        yield f"left in the file: {earlier} of items; their history here begins with the import"
    waiting = [each for each in report.taken if each.review]
    if waiting:
        yield f"{pluralise(len(waiting), 'item')} of these to look at first: `vaultmem review`"
    yield from _some([line for each in report.conflicts for line in _conflict_lines(each)], 3)
    if report.left:
        yield (
            f"left in the file: {pluralise(len(report.left), 'list or page', 'lists and pages')} "
            "in somebody else's words; if they are yours: --writer person"
        )
    if report.removed:
        kinds = sorted({each.kind for each in report.removed})
        yield f"kept out: {len(report.removed)} of {', '.join(kinds)}"
    yield from _some([_skipped_line(each) for each in report.skipped])


def _skipped_line(each: Skipped) -> str:
    named = f" '{each.path}'" if each.path else ""
    return f"skipped {each.place}{named}: {each.why}"


def _conflict_lines(each: Conflict) -> Iterator[str]:
    yield f"conflict {each.id or each.path}: {_OUTCOMES[each.kept]}"
    where = f" (in '{each.copy}')" if each.copy is not None else ""
    if each.here == each.imported:
        yield f"    both say: {each.here}"
        yield f"    not the same: {', '.join(each.differs) or 'the rest of the text'}{where}"
        return
    yield f"    here: {each.here}"
    yield f"    imported: {each.imported}{where}"


_OUTCOMES = {
    "here": "what is here stays",
    "imported": "what came is newer; what was here is in the history",
}


def _some(lines: list[str], each: int = 1, *, more: str = "more") -> Iterator[str]:
    """At most so many entries of `each` lines, and how many more there are."""
    yield from lines[: _SHOWN * each]
    if len(lines) > _SHOWN * each:
        yield f"and {len(lines) // each - _SHOWN:,} {more}; --json lists them all"


@click.command("export")
@click.argument("file", required=False)
@click.option("--since", metavar="DATE", help="Only what was recorded from then on.")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@with_shared
def export_command(shared: Shared, file: str | None, since: str | None, force: bool) -> int:
    """Write the whole memory into one JSON document.

    Every note in the folders of the vault in full, and every version of each item, with its text
    and the time at which it was recorded. Without a name, the file is called after the vault and
    the day, in the current folder; `-` is the standard output. A file that is there is written
    over with --force only. `vaultmem help carrying` describes the document, `vaultmem import`
    reads it.

    \b
    vaultmem export notes.json
    vaultmem export new.json --since "last week"
    vaultmem export - | gzip > notes.json.gz
    """
    with open_memory(shared.vault) as memory, shown_progress() as progress:
        is_stream = file == "-"
        target = sys.stdout.buffer if is_stream else _place(memory, file)
        zone = memory.settings.timezone
        begin = None if since is None else _instant(since, zone)
        report = memory.export(target, since=begin, force=force, progress=progress)
    if not report.is_complete:
        tell("warning: the history does not go back to the beginning of the vault")
    for path in report.held_back:
        tell(f"'{path}' went along as last committed: a secret keeps your edit out of the history")
    if is_stream:
        sys.stdout.buffer.flush()
        for line in _exported_lines(report):
            tell(line)
    else:
        shared.say(report, _exported_lines(report), zone)
    return 0


def _instant(text: str, zone: str) -> int:
    return language.parse_when(text, clock().now(), zone)


def _place(memory: Memory, file: str | None) -> Path:
    settings = memory.settings
    day = language.format_date(clock().now(), settings.timezone)
    return Path(file or f"{language.slugify(settings.name) or 'vaultmem'}-{day}.json")


def _exported_lines(report: Exported) -> Iterator[str]:
    place = "the standard output" if report.file is None else f"'{report.file}'"
    told = [
        pluralise(report.notes.get(section, 0), kind, section)
        for section, kind in SECTIONS.items()
        if report.notes.get(section)
    ]
    beside = pluralise(report.attached, "file of conversations", "files of conversations")
    told += [beside] if report.attached else []
    versions = pluralise(report.versions, "version") if report.versions else ""
    yield f"wrote {join_nonempty([*told, versions]) or 'no notes'} to {place}"


@click.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE | FOLDER | ZIP...")
@click.option(
    "--from",
    "product",
    default="",
    metavar="PRODUCT",
    help="Read only exports of this product, as `help import` names it.",
)
@click.option("--me", default="", metavar="NAME", help="Who you are in chats between people.")
@click.option("--writer", type=click.Choice(WRITERS), default="import", help="Who vouches for it.")
@click.option("--raw", is_flag=True, help="Keep conversations without extracting items.")
@click.option("--redact", "secrets", flag_value="redact", help="Keep notes without their secrets.")
@click.option("--allow-secret", "secrets", flag_value="allow", help="Keep secrets as they are.")
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@with_shared
def import_command(
    shared: Shared,
    files: tuple[str, ...],
    product: str,
    me: str,
    writer: str,
    raw: bool,
    secrets: str | None,
    dry_run: bool,
) -> int:
    """Take in what ChatGPT, Claude and others export, or what `export` wrote.

    What a file is, is found out by what it holds. A conversation becomes one text, with its true
    times; your words are yours, the assistant's are its own, results of tools are a stranger's. A
    second time adds nothing, a later export only what was said since. `vaultmem help import` says
    how to get the export of each product.

    What `vaultmem export` wrote comes in one commit. Notes are known by their ids; what is newer
    here is never written over. Without --writer person the notes are somebody else's words (trust
    `limited`), and lists, pages and earlier versions stay in the file.

    What cannot be used is skipped and named, and the exit code is 1. `-` is the standard input.

    \b
    vaultmem import chatgpt-export.zip
    vaultmem import ~/.claude/projects ~/.codex/sessions --dry-run
    vaultmem import "WhatsApp Chat with Lena.txt" --me Hanna
    vaultmem import my-own-export.json --writer person
    """
    with open_memory(shared.vault) as memory, shown_progress() as progress:
        if not product and len(files) == 1 and _is_own(files[0]):
            source = _read_stdin() if files[0] == "-" else Path(files[0])
            report = memory.import_from(
                source, writer=writer, secrets=secrets, dry_run=dry_run, progress=progress
            )
        else:
            done = memory.import_files(
                *(_read_stdin() if file == "-" else file for file in files),
                product=product,
                me=me,
                writer=writer,
                secrets=secrets,
                extract=not raw,
                dry_run=dry_run,
                progress=progress,
            )
            report, zone = None, memory.settings.timezone
    if report is None:
        shared.say(done, products_lines(done, zone), zone)
        return EXIT_PROBLEMS if done.has_problems else 0
    for warning in report.warnings:
        tell(f"warning: {warning}")
    shared.say(report, imported_lines(report))
    return EXIT_PROBLEMS if report.skipped else 0


@cache
def _read_stdin() -> bytes:
    return sys.stdin.buffer.read()


def _is_own(file: str) -> bool:
    """Whether it is to be read as vaultmem's own: so is what is no export that is known."""
    if file == "-":
        head = _read_stdin()[: transfer.HEAD]
    elif not Path(file).is_file() or zipfile.is_zipfile(file):
        return not Path(file).exists()
    else:
        try:
            with open(file, "rb") as stream:
                head = stream.read(transfer.HEAD)
        except OSError:
            return True  # whose reader says why
    found = transfer.format_of(head)
    return found is None or found.product == transfer.OWN


@click.command("clear")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--dry-run", is_flag=True, help="Only say what would go.")
@with_shared
def clear_command(shared: Shared, yes: bool, dry_run: bool) -> int:
    """Empty the memory by one commit, which `undo` takes back.

    Items and resources go, with their lines in streams and categories, and the files of
    assistants. Headings and words of yours between those lines, your own pages and the settings
    stay. The history still has everything; `vaultmem forget --purge` is what erases.

    \b
    vaultmem clear --dry-run
    vaultmem clear --yes
    """
    with open_memory(shared.vault) as memory:
        report = memory.forgetting.clear(dry_run=True)
        if not (dry_run or report.is_nothing):
            if not yes:
                _ask(report, memory.settings.name)
            report = memory.forgetting.clear()
    return shared.say(report, _cleared_lines(report))


def _ask(report: Cleared, name: str) -> None:
    """Raise UnconfirmedError unless a person at a terminal says yes."""
    question = f"Take {_cleared_counts(report)} out of '{name}'?"
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UnconfirmedError(
            f"clear was not confirmed: it would take {_cleared_counts(report)} out of '{name}'",
            hint="if you mean it, add --yes; `vaultmem undo` takes it back",
        )
    tell("`vaultmem undo` brings them back")
    if not click.confirm(question, default=False, err=True):
        raise UnconfirmedError("clear was not confirmed: nothing was changed")


def _cleared_counts(report: Cleared) -> str:
    return join_nonempty(
        [
            pluralise(report.items, "item"),
            pluralise(report.resources, "resource"),
            pluralise(report.bullets, "list line") if report.bullets else "",
            pluralise(report.categories, "category", "categories") if report.categories else "",
            f"{pluralise(report.agent_files, 'file')} of assistants" if report.agent_files else "",
        ]
    )


def _cleared_lines(report: Cleared) -> Iterator[str]:
    if report.is_nothing:
        yield "there is nothing to clear"
        return
    if report.dry_run:
        yield f"would take out {_cleared_counts(report)}; nothing was changed"
        return
    commit = f" (commit {report.commit[:8]})" if report.commit else ""
    yield f"took out {_cleared_counts(report)}{commit}"
    yield "`vaultmem undo` brings them back; the history still has them, and so do your remotes"


# What an import of other programs' exports did, as lines.

_NAME = 60  # characters
_ENDINGS = {"conversation": "conversations", "memory": "memories", "page": "pages", "file": "files"}
_MARKS = {"added": "new", "grown": "goes on", "unchanged": "as it was", "skipped": "skipped"}


def products_lines(report: ImportedProducts, zone: str) -> Iterator[str]:
    """A line for each record, what was skipped last, then counts and what to look at."""
    told = [each for each in report.records if each.what in ("added", "grown")]
    odd = [each for each in report.records if each.what == "skipped" and not each.is_expected]
    yield from _some([_line(each, zone) for each in told], more="more were taken in")
    yield from _some([_line(each, zone) for each in odd], more="more were skipped")
    yield _counts(report)
    expected = [each for each in report.records if each.what == "skipped" and each.is_expected]
    for why in dict.fromkeys(each.why for each in expected):
        number = sum(each.why == why for each in expected)
        yield f"passed over {number:,}: {why}"
    if report.passed:
        yield f"passed over {pluralise(report.passed, 'file')} of no known export"
    removed = [each for record in report.records for each in record.removed]
    if removed:
        kinds = join_nonempty(sorted({each.kind for each in removed}))
        yield f"kept out: {len(removed)} of {kinds}"
    waiting = sum(each.waiting for each in report.records)
    if waiting:
        yield f"{pluralise(waiting, 'item')} of these to look at first: `vaultmem review`"


def _line(each: ImportedRecord, zone: str) -> str:
    day = language.format_date(each.date, zone) if each.date is not None else "no date"
    name = shorten(each.name, _NAME)
    head = f"{_MARKS[each.what]}: {each.product or each.kind}, {day}, {name}"
    if each.what == "skipped":
        return f"skipped: {each.product or each.kind}, {name}: {each.why}"
    left = [f"{why} ({number:,})" for why, number in sorted(each.left.items()) if number]
    parts = [
        f"{pluralise(each.read, 'message')}, {pluralise(each.kept, 'turn')} kept"
        if each.kind == "conversation"
        else "",
        _items(each),
        f"left out: {join_nonempty(left)}" if left else "",
    ]
    return f"{head}: {'; '.join(part for part in parts if part)}"


def _items(each: ImportedRecord) -> str:
    known = f"{each.known} known already" if each.known else ""
    return join_nonempty(
        [pluralise(each.items, "item") if each.items or known else "no items", known]
    )


def _counts(report: ImportedProducts) -> str:
    would = "would take in" if report.dry_run else "took in"
    new = [
        pluralise(report.count("added", kind), f"new {kind}", f"new {many}")
        for kind, many in _ENDINGS.items()
        if report.count("added", kind)
    ]
    items = sum(each.items for each in report.records)
    said = [
        *new,
        f"{report.count('grown'):,} that went on" if report.count("grown") else "",
        pluralise(items, "item") if items else "",
        f"{report.count('unchanged'):,} as they are" if report.count("unchanged") else "",
    ]
    if not (new or items or report.count("grown")):
        there = f": {report.count('unchanged'):,} as they were" if report.count("unchanged") else ""
        return f"nothing new{there}"
    commit = f" (last commit {report.commit[:8]})" if report.commit else ""
    return f"{would} {join_nonempty(said)}{commit}"
