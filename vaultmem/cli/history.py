"""edit, log, undo, restore."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

import click

from vaultmem.base import DISK_HINTS, TYPE_CHECKING, DiskError, NamedTuple, VaultmemError
from vaultmem.cli.note_lines import SHORT_COMMIT, line_of, moment, one_line, piece_of
from vaultmem.cli.note_lines import moment as minute
from vaultmem.cli.open_vault import open_memory
from vaultmem.cli.options import Shared, shown_progress, with_shared
from vaultmem.cli.output import has_colours, say, say_json, tell_gaps
from vaultmem.cli.report_lines import edited_lines, log_lines, undone_lines
from vaultmem.language import columns, format_minute, known_day, pad_columns, visible
from vaultmem.model import STREAMS, slot_key

if TYPE_CHECKING:
    from vaultmem.cli.note_lines import Look
    from vaultmem.model import (
        Difference,
        DiffReport,
        HistoryVersion,
        Later,
        Moment,
        Point,
        Timeline,
        TimelineRow,
        VersionHistory,
    )

SHORT_ID = 4  # characters of a commit's id that may stand for it; a shorter number counts
# What is named is no program, or not for this person; anything else is the system's refusal.
_WRONG_PROGRAM = (errno.ENOENT, errno.EACCES, errno.ENOEXEC, errno.ENOTDIR)


@click.command("edit")
@click.argument("note", metavar="ID|PATH")
@with_shared
def edit_command(shared: Shared, note: str) -> int:
    """Open a note in your editor and take in what you changed.

    The editor is $VISUAL, else $EDITOR. What you save is committed as your edit.

    \b
    vaultmem edit i-7f3a2kq9xw
    vaultmem edit streams/tasks.md
    """
    with open_memory(shared.vault) as memory:
        file = memory.edit.file_of(note)
        _run_editor(file)
        edited = memory.edit.take_in(file)
        zone = memory.settings.timezone
    return shared.say(edited, edited_lines(edited), zone)


@click.command("log")
@click.argument("note", required=False, metavar="[ID|PATH]")
@click.option(
    "-n",
    "--limit",
    type=click.IntRange(1, 100_000),
    default=20,
    show_default=True,
    metavar="N",
    help="At most so many.",
)
@with_shared
def log_command(shared: Shared, note: str | None, limit: int) -> int:
    """Show what was done, newest first.

    One line a commit; with a note, those that changed it, across renames.

    \b
    vaultmem log
    vaultmem log i-7f3a2kq9xw
    """
    with open_memory(shared.vault) as memory:
        operations = memory.history.log(note, limit=limit)
        gaps = memory.history.gaps()
        zone = memory.settings.timezone
    shared.say(operations, log_lines(operations, zone), zone)
    tell_gaps(gaps)
    return 0


@click.command("undo")
@click.argument("which", required=False, metavar="[N|COMMIT]")
@with_shared
def undo_command(shared: Shared, which: str | None) -> int:
    """Take the last operation back, by a new commit.

    With a number, the last so many, by one commit. Nothing is lost: the history keeps what was
    undone, and undoing the undo brings it back. Where something was changed since, nothing is
    touched.

    \b
    vaultmem undo
    vaultmem undo 3
    vaultmem undo 1a2b3c4d
    """
    is_count = which is not None and which.isascii() and which.isdigit() and len(which) < SHORT_ID
    with open_memory(shared.vault) as memory:
        done = memory.undo(last=int(which)) if which and is_count else memory.undo(which)
        zone = memory.settings.timezone
    return shared.say(done, undone_lines(done, "undid"), zone)


@click.command("restore")
@click.argument("note", metavar="ID|PATH")
@click.option(
    "--at", metavar="REV|DATE", help="The revision, or the time; without it, the last other text."
)
@with_shared
def restore_command(shared: Shared, note: str, at: str | None) -> int:
    """Give a note an earlier text, by a new commit.

    \b
    vaultmem restore i-7f3a2kq9xw
    vaultmem restore categories/tools.md --at 1a2b3c4d
    vaultmem restore i-7f3a2kq9xw --at 2026-02-03
    """
    with open_memory(shared.vault) as memory:
        done = memory.history.restore(note, at=at)
        zone = memory.settings.timezone
    return shared.say(done, undone_lines(done, "restored from"), zone)


def _run_editor(file: Path) -> None:
    """Run the person's editor on the file; raises VaultmemError when there is none or it fails."""
    import shlex
    import subprocess

    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    if not editor.strip():
        raise VaultmemError(
            "no editor is set", hint=f"set VISUAL or EDITOR, or open '{file}' yourself"
        )
    command = [*shlex.split(editor, posix=os.name == "posix"), str(file)]
    try:
        code = subprocess.run(command, check=False).returncode
    except OSError as error:
        message = f"cannot run the editor '{editor}': {error.strerror}"
        if error.errno in _WRONG_PROGRAM:
            raise VaultmemError(message, hint="check VISUAL and EDITOR") from error
        raise DiskError(message, hint=DISK_HINTS.get(error.errno or 0, "")) from error
    if code != 0:
        raise VaultmemError(
            f"the editor '{editor}' ended with code {code}",
            hint="what it saved is on disk and will be taken in by the next command",
        )


# history, diff, timeline: look back at what was known.


@click.command("history")
@click.argument("about", metavar="ID|PATH|SUBJECT")
@click.argument("predicate", required=False, default="", metavar="[PREDICATE]")
@click.option("--value", default="", metavar="VALUE", help="Only versions with this object.")
@with_shared
def history_command(shared: Shared, about: str, predicate: str, value: str) -> int:
    """Show every version of a note, or of what was said about a subject.

    Oldest first, with what changed, when the vault knew it, when it holds, the commit, who made it
    and where it comes from. Words between [- and -] went, those between {+ and +} came. What is
    not committed yet stands last.

    \b
    vaultmem history i-7f3a2kq9xw
    vaultmem history project-x uses_database
    """
    with open_memory(shared.vault) as memory, shown_progress() as progress:
        found = memory.history.of(about, predicate, value=value, progress=progress)
        tell_gaps(memory.history.gaps())
        zone = memory.settings.timezone
    return shared.say(found, history_lines(found, zone), zone)


@click.command("diff")
@click.argument("start", metavar="FROM")
@click.argument("end", required=False, default="now", metavar="[TO]")
@click.option(
    "--stream", "streams", multiple=True, type=click.Choice(STREAMS), help="In this stream."
)
@click.option(
    "--category", "categories", multiple=True, metavar="CATEGORY", help="In this category."
)
@with_shared
def diff_command(
    shared: Shared, start: str, end: str, streams: tuple[str, ...], categories: tuple[str, ...]
) -> int:
    """Show what the memory learned, changed and dropped between two times.

    A time is a date, a date-time, a phrase or a revision; without a second one, now. Words between
    [- and -] went, those between {+ and +} came.

    \b
    vaultmem diff "last Tuesday"
    vaultmem diff 2026-02-01 2026-03-01 --stream projects
    vaultmem diff HEAD~5 HEAD
    """
    with open_memory(shared.vault) as memory, shown_progress() as progress:
        found = memory.history.diff(
            start, end, streams=streams, categories=categories, progress=progress
        )
        tell_gaps(memory.history.gaps())
        zone = memory.settings.timezone
    return shared.say(found, diff_lines(found, zone), zone)


@click.command("timeline")
@click.argument("subject", required=False, default="", metavar="[SUBJECT]")
@click.argument("predicate", required=False, default="", metavar="[PREDICATE]")
@click.option(
    "--stream", "streams", multiple=True, type=click.Choice(STREAMS), help="In this stream."
)
@click.option("--ascii", "plain", is_flag=True, help="Draw with ASCII characters only.")
@with_shared
def timeline_command(
    shared: Shared, subject: str, predicate: str, streams: tuple[str, ...], plain: bool
) -> int:
    """Draw when items hold, as bars on one axis of time.

    Of a subject, a slot, a stream, or all; what `compact` retired too. An arrow goes on, dots never
    counted (retracted).

    \b
    vaultmem timeline project-x uses_database
    vaultmem timeline --stream projects
    """
    import locale
    import shutil

    with open_memory(shared.vault) as memory, shown_progress() as progress:
        found = memory.history.timeline(subject, predicate, streams=streams, progress=progress)
        tell_gaps(memory.history.gaps())
        zone, root = memory.settings.timezone, memory.root
    if shared.as_json:
        say_json(found, zone)
    else:
        pen = ASCII if plain else pen_for(locale.getencoding())
        width = shutil.get_terminal_size().columns
        is_narrow = width < LEAST_WIDTH and has_colours()
        draw = narrow_timeline_lines if is_narrow else timeline_lines
        say(draw(found, zone, width=width, pen=pen), root=root)
    return 0


# Versions, differences and timelines as lines; intervals as bars, as wide as the terminal.

LEAST_WIDTH = 50  # columns; below it nothing can be drawn
_MOST_LABEL = 40
_DATE = len("2026-02-02")


class Pen(NamedTuple):
    """The characters of a bar, one column each."""

    begin: str
    line: str
    end: str
    goes_on: str
    from_ever: str
    unheld: str
    tick: str
    cut: str  # ends a label that is too long; any width


BOX = Pen("├", "─", "┤", "▶", "◀", "┄", "┬", "…")
ASCII = Pen("[", "=", "]", ">", "<", ".", "+", "..")


def pen_for(encoding: str) -> Pen:
    """Box characters where the encoding has them, else ASCII."""
    try:
        "".join(BOX).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return BOX


def timeline_lines(found: Timeline, zone: str, *, width: int, pen: Pen) -> Iterator[str]:
    """An axis of dates, then each slot with a bar for every value that it had.

    width  columns of the terminal
    """
    width = max(width, LEAST_WIDTH)
    labels = [_label(row) for row in found.rows]
    room = min(max(map(columns, labels)), _MOST_LABEL, width // 3)
    bar = width - room - 4 - len(_until(found.rows[0], zone, longest=True))
    if bar < _DATE * 2 + 2:  # then without the dates of each bar
        bar = width - room - 4
    axis = _Axis(found.begins, max(found.ends, found.begins + 1), bar)
    yield from _axis_lines(axis, zone, indent=room + 3, pen=pen, now=found.now)
    for heading, rows in _by_slot(found):
        if heading:
            yield heading
        for row in rows:
            dates = _until(row, zone) if bar < width - room - 4 else ""
            text = pad_columns(_label(row), room, cut=pen.cut)
            label = piece_of(text, "" if row.held else "quiet", row.path)
            drawn = _bar_piece(row, axis, pen)
            blanks = " " * (bar - len(drawn)) if dates else ""
            yield line_of("  ", label, " ", drawn, f"{blanks} " if dates else "", _when(row, dates))


def narrow_timeline_lines(found: Timeline, zone: str, *, width: int, pen: Pen) -> Iterator[str]:
    """The same for a terminal on which label, bar and dates have no room on one line.

    width  columns of the terminal, below LEAST_WIDTH
    """
    bar = max(width - 2, _DATE * 2 + 1)
    axis = _Axis(found.begins, max(found.ends, found.begins + 1), bar)
    yield from _axis_lines(axis, zone, indent=2, pen=pen, now=found.now)
    for heading, rows in _by_slot(found):
        if heading:
            yield heading
        for row in rows:
            label = piece_of(_label(row), "" if row.held else "quiet", row.path)
            dates = _until(row, zone)
            yield line_of("  ", label, "  " if dates else "", _when(row, dates), hang=4)
            yield line_of("  ", _bar_piece(row, axis, pen))


def _by_slot(found: Timeline) -> Iterator[tuple[str, Sequence[TimelineRow]]]:
    """The rows of each slot, under its heading; '': it needs none."""
    of_slots = groupby(found.rows, key=lambda row: slot_key(row.subject, row.predicate))
    for slot, each in of_slots:
        rows = tuple(each)
        heading = ""
        if slot:
            said = one_line(f"{rows[0].subject} {rows[0].predicate}")
            heading = line_of(piece_of(said, "title"))
        elif len(rows) < len(found.rows):
            heading = line_of(piece_of("in no slot", "title"))
        yield heading, rows


def _bar_piece(row: TimelineRow, axis: _Axis, pen: Pen) -> str:
    """Its bar: what holds still, what is over and what never counted differ in form and colour."""
    drawn = _bar(row, axis, pen)
    if not row.held:
        return piece_of(drawn, "bad")
    return piece_of(drawn, "good" if row.valid_until is None else "quiet")


def _when(row: TimelineRow, dates: str) -> str:
    return piece_of(dates, "quiet" if row.held else "bad")


class _Axis(NamedTuple):
    """Columns of a span of time."""

    begins: int
    ends: int
    columns: int

    def column(self, ms: int) -> int:
        """0 to columns - 1."""
        share = (ms - self.begins) / (self.ends - self.begins)
        return min(max(int(share * self.columns), 0), self.columns - 1)


def _axis_lines(axis: _Axis, zone: str, *, indent: int, pen: Pen, now: int) -> Iterator[str]:
    first, last = known_day(axis.begins, zone), known_day(axis.ends, zone)
    gap = axis.columns - len(first) - len(last)
    yield line_of(piece_of(f"{' ' * indent}{first}{' ' * max(gap, 1)}{last}", "quiet"))
    ruler = [pen.line] * axis.columns
    for column in (0, axis.columns - 1, axis.column(now)):
        ruler[column] = pen.tick
    mark = "" if axis.column(now) == axis.columns - 1 else f" ({pen.tick} within: now)"
    drawn = piece_of(f"{' ' * indent}{''.join(ruler)}", "quiet")
    yield line_of(drawn, piece_of(mark, "quiet"), hang=indent)


def _bar(row: TimelineRow, axis: _Axis, pen: Pen) -> str:
    """The columns in which the item holds; what never counted is dotted."""
    begins = row.recorded_at if row.valid_from is None else row.valid_from
    start = 0 if begins is None else axis.column(begins)
    stop = axis.columns - 1 if row.valid_until is None else axis.column(row.valid_until)
    stop = max(start, stop)
    line = pen.line if row.held else pen.unheld
    cells = [line] * (stop - start + 1)
    if row.held:
        cells[0] = pen.from_ever if begins is None else pen.begin
        cells[-1] = pen.goes_on if row.valid_until is None else pen.end
    return " " * start + "".join(cells)


def _until(row: TimelineRow, zone: str, *, longest: bool = False) -> str:
    """The dates of a bar, and its status where that is not the usual one."""
    if longest:
        return f"{'x' * _DATE} to {'x' * _DATE}"
    begins = row.recorded_at if row.valid_from is None else row.valid_from
    since = known_day(begins, zone)
    if not row.held:
        return f"{row.status}"
    if row.valid_until is None:
        return since
    until = known_day(row.valid_until, zone)
    return f"{since} to {until}" if since else f"until {until}"


def _label(row: TimelineRow) -> str:
    said = row.object if row.subject and row.object else row.statement
    return visible(one_line(said)) or visible(one_line(row.id))


# Versions, differences and timelines as lines a person reads.

MARKS = {"learned": "+", "changed": "~", "dropped": "-"}
_MARK_LOOKS: Mapping[str, Look] = {"+": "good", "~": "warning", "-": "bad"}
_SPOKEN = ("item", "resource")  # what says something; lists only follow


def history_lines(found: VersionHistory, zone: str) -> Iterator[str]:
    """One paragraph a version, oldest first."""
    ids = {version.id for version in found.versions}
    for number, version in enumerate(found.versions):
        if number:
            yield ""
        yield from _version_lines(version, zone, names=len(ids) > 1)


def _version_lines(version: HistoryVersion, zone: str, *, names: bool) -> Iterator[str]:
    who = [version.actor] if version.actor else []
    if version.pending:
        yield line_of("not committed yet  ", piece_of(one_line(version.statement), "title"), hang=4)
    else:
        when = piece_of(f"{moment(version.recorded_at, zone)}  ", "quiet")
        commit = piece_of(f"{version.commit[:SHORT_COMMIT]}  ", "kind")
        yield line_of(commit, when, piece_of(one_line(version.statement), "title"), hang=4)
        who.insert(0, version.op)
    for change in version.changes:
        yield line_of(f"    {one_line(change)}", hang=6)
    facts = [word for word in (version.status,) if word not in ("", "active")]
    if version.type == "item":
        facts.insert(0, f"holds {interval(version.valid_from, version.valid_until, zone)}")
    if version.superseded_at is not None:
        verb = "gone" if version.is_gone else "replaced"
        by = version.superseded_by_commit[:SHORT_COMMIT]
        facts.append(f"{verb} {moment(version.superseded_at, zone)} ({by})")
    if version.retired_at is not None:
        facts.append(f"retired {moment(version.retired_at, zone)}, kept in the history")
    if not version.pending:
        facts.append(" by ".join(who))
    if version.session:
        facts.append(f"session {version.session}")
    origin = version.source or ((version.commit_source,) if version.commit_source else ())
    if origin:
        facts.append(f"from {', '.join(origin)}")
    if names:
        facts.append(version.id or str(version.path))
    yield line_of(piece_of(f"    {' · '.join(one_line(fact) for fact in facts)}", "quiet"), hang=4)


def diff_lines(found: DiffReport, zone: str) -> Iterator[str]:
    """Sentences under what happened to them; then the lists that followed."""
    count = f"{found.commits} commit" + ("" if found.commits == 1 else "s")
    yield line_of(f"from {_point(found.start, zone)} to {_point(found.end, zone)}: {count}")
    for what, mark in MARKS.items():
        group = [each for each in found.differences if each.what == what]
        spoken = [each for each in group if each.type in _SPOKEN]
        if spoken:
            yield ""
            yield line_of(piece_of(what, "title"))
        for each in spoken:
            yield from _difference_lines(each, mark, zone)
    others = [each for each in found.differences if each.type not in _SPOKEN]
    if others:
        yield ""
        yield line_of(piece_of("lists and pages", "title"))
        for each in others:
            mark = MARKS[each.what]
            path = piece_of(str(each.path), "file", each.path)
            yield line_of(piece_of(mark, _MARK_LOOKS[mark]), " ", path, hang=4)
    if not found.differences:
        yield "nothing was learned, changed or dropped"
    if found.pending:
        notes = "1 note" if found.pending == 1 else f"{found.pending} notes"
        yield f"not committed yet, and not looked at: {notes}"


def _difference_lines(each: Difference, mark: str, zone: str) -> Iterator[str]:
    said, *more = each.changes or (each.statement,)
    if each.what == "dropped" or not each.before or each.before == each.statement:
        said, more = each.statement, list(each.changes)
    if each.type == "resource":
        said = f"text '{said}' ({each.path})"
    yield line_of(piece_of(mark, _MARK_LOOKS[mark]), f" {one_line(said)}")
    for change in more:
        yield line_of(f"    {one_line(change)}", hang=6)
    facts = [moment(each.at, zone), each.kind, each.stream, *each.categories, each.id]
    facts.append(", ".join(commit[:SHORT_COMMIT] for commit in each.commits))
    told = " · ".join(fact for fact in facts if fact)
    yield line_of(piece_of(f"    {told}", "quiet"), hang=4)


def _point(point: Point, zone: str) -> str:
    if point.at is None:
        return f"{point.asked} (before the first commit)"
    return f"{moment(point.at, zone)} ({point.commit[:SHORT_COMMIT]})"


def interval(begins: int | None, ends: int | None, zone: str) -> str:
    """`2026-02-02 to 2026-02-04`; an open side is left out."""
    if begins is None and ends is None:
        return "always"
    if ends is None:
        return f"from {format_minute(begins, zone)}"
    return (
        f"until {format_minute(ends, zone)}"
        if begins is None
        else (f"from {format_minute(begins, zone)} to {format_minute(ends, zone)}")
    )


# Answers about another time: which clock they used, and what came later.

SHOWN_ID = 8  # characters of a commit id
_MIDNIGHT = " 00:00"


def moment_line(moment: Moment, zone: str) -> str:
    """By which clocks a question was answered, in words."""
    held = "" if moment.valid_at is None else _day(moment.valid_at, zone)
    if moment.known_at is None:
        return f"what held on {held} (valid time), as known now"
    known = f"{_day(moment.known_at, zone)} (record time{_commit(moment)})"
    if moment.begins is not None:
        begins = _day(moment.begins, zone)
        return f"nothing was known on {known}: the history of this vault begins on {begins}"
    if moment.valid_at is None:
        return f"what was known on {known}, of the statuses asked for"
    if moment.valid_at == moment.known_at:
        return f"what was known on {known} and held then"
    return f"what held on {held} (valid time), as known on {known}"


def later_lines(later: Iterable[Later], zone: str) -> Iterator[str]:
    """What came after, one line each: `then PostgreSQL; SQLite since 2026-02-04, commit ...`."""
    for each in later:
        commit = f"commit {each.commit[:SHOWN_ID]}" if each.commit else "not committed yet"
        recorded = "" if each.recorded_at is None else f" on {_day(each.recorded_at, zone)}"
        since = "" if each.valid_from is None else _day(each.valid_from, zone)
        text = one_line(each.text).rstrip(".")
        if each.what == "changed":
            then = f"then {each.then}" if each.then else "later"
            yield f"{then}{';' if each.then else ':'} {text} since {since or recorded}, {commit}"
        elif each.what == "corrected":
            then = f"'{each.then}' was " if each.then else ""
            yield f"{then}corrected{recorded}: {text}, {commit}"
        elif each.what == "ended":
            yield f"ended on {since}, {commit}"
        else:
            yield f"{each.what}{recorded}, {commit}"


def _commit(moment: Moment) -> str:
    named = f"{moment.revision}, " if moment.revision else ""
    return f", {named}commit {moment.commit[:SHOWN_ID]}" if moment.commit else ""


def _day(ms: int, zone: str) -> str:
    """Date and minute; the date alone at midnight."""
    return minute(ms, zone).removesuffix(_MIDNIGHT)
