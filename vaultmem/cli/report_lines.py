"""Reports of operations as lines a person reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from vaultmem.base import TYPE_CHECKING
from vaultmem.cli.note_lines import SHORT_COMMIT, line_of, moment, one_line, piece_of
from vaultmem.language import format_date, format_minute

if TYPE_CHECKING:
    from pathlib import PurePath

    from vaultmem.cli.note_lines import Look
    from vaultmem.model import (
        CheckReport,
        DailyNote,
        Edited,
        InitReport,
        Learned,
        Operation,
        Planned,
        Problem,
        Remembered,
        RememberedItem,
        StatusReport,
        SyncReport,
        Undone,
    )

_SCALES = {
    "flat": "flat (few enough items to read them all)",
    "fts": "fts (words alone are enough)",
    "hybrid": "hybrid (several rankings together pay)",
    "linked": "linked (links and summaries pay)",
}
MARKS = {"add": "+", "update": "^", "reinforce": "=", "known": "="}
_OF_TAGS = ("ungrounded-tag", "no-tag")
_MOST_PROJECTS = 6  # named in `status`
_STATUS_COLUMN = 13  # where the values of `status` begin


def remembered_lines(done: Remembered, zone: str) -> Iterator[str]:
    """What became of one text."""
    if done.no_op:
        yield f"already known: {one_line(done.title)} ({done.path})"
        yield from removed_lines(done)
        return
    new = sum(item.outcome == "add" for item in done.items)
    fuller = sum(item.outcome == "update" for item in done.items)
    known = len(done.items) - new - fuller
    said = _pluralise(new, "item") + (f", {fuller} more fully" if fuller else "")
    said += f", {known} known already" if known else ""
    verb = "would remember" if done.dry_run else "remembered"
    commit = f" (commit {done.commit[:SHORT_COMMIT]})" if done.commit else ""
    yield f"{verb} {said}{commit}"
    for item in done.items:
        yield f"{MARKS.get(item.outcome, '*')} {one_line(item.statement)}"
        yield f"    {' · '.join(_item_facts(item, zone))}"
        yield from (f"    {one_line(effect)}" for effect in item.effects)
        if item.review:
            yield f"    waits for you (`vaultmem review`): {item.review}"
    yield from removed_lines(done)
    if done.read_by or done.without or done.summaries or done.opinions:
        from vaultmem.cli.models import model_lines  # saves 57 modules

        yield from model_lines(done)
    tags = dict.fromkeys(each.text for each in done.rejected if each.rule in _OF_TAGS)
    if tags:
        yield f"- tags not used: {one_line(', '.join(tags), 90)}"
    beyond = [rejected for rejected in done.rejected if rejected.rule == "limit"]
    for rejected in done.rejected:
        if rejected.rule in _OF_TAGS:
            continue
        if rejected.rule == "secret":
            # What is a secret for sure has gone from the text by now; what is left stands there.
            yield "- no item: it may hold a secret; the text keeps it as it is (secret)"
        elif rejected.rule != "limit" or rejected is beyond[0]:
            yield f"- not kept: {one_line(rejected.text, 90)} ({rejected.rule})"
    # Of a list of 26,757 bullets 26,557 are beyond the bound: one line counts them.
    if len(beyond) > 1:
        yield f"- and {len(beyond) - 1:,} more beyond the bounds of one text (limit)"
    if done.dry_run:
        yield f"would commit: {done.subject}"
        yield from (f"would write {path}" for path in done.files)
    else:
        yield f"kept whole in {done.path}"


def removed_lines(done: Remembered) -> Iterator[str]:
    """What stands as a placeholder in the vault, by kind and place."""
    for removed in done.removed:
        where = removed.place if removed.line is None else f"line {removed.line}"
        verb = "masked" if removed.is_personal else "secret removed"
        yield f"! {verb}: {removed.kind} ({where})"


def sync_lines(report: SyncReport) -> Iterator[str]:
    """What a sync found and did; 'nothing changed' when it did nothing."""
    if report.rebuilt:
        yield f"the index was built anew: {report.rebuilt}"
    if report.changed or report.removed:
        gone = f", {len(report.removed)} gone" if report.removed else ""
        read = "note" if report.rebuilt else "changed note"
        yield f"read {_pluralise(len(report.changed), read)}{gone}"
    yield from learned_lines(report.learned)
    for commit in report.commits:
        yield f"committed {commit[:SHORT_COMMIT]}"
    if report.embedded is not None:
        from vaultmem.cli.explain_lines import embedded_lines  # saves 6 modules

        yield from embedded_lines(report.embedded)
    if report.daily_note is not None:
        yield from daily_note_lines(report.daily_note)
    if report.rewound:
        yield f"warning: {report.rewound}; see `vaultmem audit`"
    if report.waiting:
        yield f"nothing committed: {report.waiting}"
    if report.pending:
        yield f"not committed yet: {_pluralise(len(report.pending), 'note')}"
        yield from (f"  {path}" for path in report.pending[:10])
    if report.problems:
        yield f"{_pluralise(report.problems, 'problem')} in the vault: run `vaultmem check`"
    wrote = report.daily_note is not None and report.daily_note.changed
    if not (report.rebuilt or report.changed or report.removed or report.commits or wrote):
        yield f"nothing changed in {_pluralise(report.scanned, 'note')}"


def daily_note_lines(note: DailyNote) -> Iterator[str]:
    """What became of the block in today's daily note; nothing where nothing did."""
    if note.problem:
        yield f"warning: today's note '{note.path}' stays as it is: {note.problem}"
        if note.hint:
            yield f"hint: {note.hint}"
    elif note.changed:
        yield f"wrote into '{note.path}': {note.learned} learned today, {note.due} due"


def learned_lines(learned: Sequence[Learned]) -> Iterator[str]:
    """What a person's edits taught, one line each."""
    for one in learned:
        anchor = f" ^{one.id}" if one.id else ""
        yield f"{one.what}{anchor}: {one_line(one.text)} ({one.path})"


def check_lines(report: CheckReport) -> Iterator[str]:
    """Every problem with its place, grouped by nothing: as compilers print them."""
    if report.dry_run:
        yield from plan_lines(report.plan, verb="would")
    for problem in report.fixed:
        yield f"fixed {_place(problem)}: {problem.message}"
    for problem in report.problems:
        yield from problem_lines(problem)
    if report.commit:
        yield f"committed {report.commit[:SHORT_COMMIT]}"
    if report.kept is not None:
        yield f"damaged files are kept in '{report.kept}'"
    found = _pluralise(len(report.problems), "problem") if report.problems else "no problems"
    fixable = sum(problem.fixable for problem in report.problems)
    more = f", {fixable} of them for `vaultmem check --fix`" if fixable else ""
    yield f"{found} in {_pluralise(report.notes, 'note')}{more}"
    if not report.fixed and not any(
        problem.path.parts[:1] == (".git",) for problem in report.problems
    ):
        yield _history_looked_at(report)


def _history_looked_at(report: CheckReport) -> str:
    """How far the looking went, where nothing was found in the repository."""
    if report.deep:
        return "every object of the history was read, and every file and row compared anew"
    return "every object of the history is there; `--deep` reads them, and every file, again"


def plan_lines(steps: Sequence[Planned], *, verb: str = "will") -> Iterator[str]:
    """What is about to be mended, where, and how it can be taken back."""
    for step in steps:
        yield f"{verb} mend {_printable_path(step.path)}: {step.what}"
        yield f"    to undo: {step.undo}"


def problem_lines(problem: Problem) -> Iterator[str]:
    """One problem: place, severity, code, message; then the hint."""
    yield f"{_place(problem)}: {problem.severity} {problem.code}: {problem.message}"
    if problem.hint:
        yield f"    hint: {problem.hint}"


def status_lines(status: StatusReport, zone: str) -> Iterator[str]:
    """A vault at a glance."""
    rows = [
        ("vault", f"{status.name} ({status.root})"),
        ("notes", _breakdown(status.notes)),
        ("items", _breakdown(status.items) + _apart(status.statuses)),
        ("streams", _by_stream(status.streams)),
        ("problems", _breakdown(status.problems) if status.problems else "none"),
        ("last commit", _last_commit(status, zone)),
        ("pending", _pending(status)),
        ("index", _index(status, zone)),
        ("scale", _SCALES[status.scale]),
        ("embeddings", status.embeddings),
        ("sizes", f"vault {_size(status.vault_bytes)}, git {_size(status.git_bytes)}"),
        ("watcher", status.watcher),
        ("state", str(status.state_folder)),
    ]
    if status.projects:
        rows.insert(4, ("projects", _by_project(status.projects)))
    if status.imports:
        rows.insert(0, ("warning", status.imports))
    if status.rewound:
        rows.insert(0, ("warning", f"{status.rewound}; see `vaultmem audit`"))
    elif not status.anchored:
        rows.append(("anchor", "none on this device yet; it begins with the next write"))
    if status.review:
        waits = f"{_pluralise(status.review, 'item')} waiting for you: run `vaultmem review`"
        rows.insert(4, ("review", waits))
    if status.open_sessions:
        waits = f"; {_pluralise(status.unsummarised, 'turn')} without a summary"
        open_ = f"{status.open_sessions} open{waits if status.unsummarised else ''}"
        rows.insert(4, ("sessions", open_))
    folders = {"vault": status.root, "state": status.state_folder}
    looks = _status_looks(status)
    for name, text in rows:
        value = piece_of(text, looks.get(name, ""))
        folder = folders.get(name)
        before, found, after = text.partition(str(folder)) if folder else (text, "", "")
        pieces = [before, piece_of(found, "file", folder), after] if found else [value]
        yield line_of(piece_of(f"{name:<12} ", "label"), *pieces, hang=_STATUS_COLUMN)
    if status.rankings:
        from vaultmem.cli.explain_lines import ranking_lines  # saves 6 modules

        for ranking in status.rankings:
            for line in ranking_lines(ranking):
                yield line_of(f"{'':<12} {line}", hang=_STATUS_COLUMN)


def _status_looks(status: StatusReport) -> dict[str, Look]:
    """What a value of `status` is to the person: in order, or something to see to."""
    return {
        "warning": "bad",
        "problems": "bad" if status.problems else "good",
        "review": "warning",
        "last commit": "bad" if status.damage else "",
        "pending": "warning" if status.waiting else "",
    }


def _by_project(counts: Mapping[str, int]) -> str:
    """The projects with most items, by which `--project` asks for them."""
    order = sorted(counts, key=lambda name: (-counts[name], name))
    shown = [f"{name} {counts[name]}" for name in order[:_MOST_PROJECTS]]
    more = len(order) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def log_lines(operations: Sequence[Operation], zone: str) -> Iterator[str]:
    """One line an operation, newest first."""
    for one in operations:
        undone = f"  (undone by {one.undone_by[:SHORT_COMMIT]})" if one.undone_by else ""
        who = "" if one.actor in ("", "person") else f"  [{one.actor}]"
        yield line_of(
            piece_of(f"{one.commit[:SHORT_COMMIT]}  ", "kind"),
            piece_of(f"{moment(one.at, zone)}  ", "quiet"),
            one.subject,
            piece_of(who, "label"),
            piece_of(undone, "warning"),
            hang=4,
        )


def undone_lines(done: Undone, verb: str) -> Iterator[str]:
    """What was taken back or restored, by which commit."""
    several = [commit[:SHORT_COMMIT] for commit in done.taken_back] or [done.undid[:SHORT_COMMIT]]
    what = f": {one_line(done.subject.removeprefix('undo: '))}" if verb == "undid" else ""
    yield f"{verb} {', '.join(several)} (commit {done.commit[:SHORT_COMMIT]}){what}"
    yield from (f"  {path}" for path in done.paths)


def edited_lines(edited: Edited) -> Iterator[str]:
    """What an edit of one note came to."""
    if not edited.changed:
        yield f"unchanged: {edited.path}"
    elif edited.commit:
        yield f"committed {edited.commit[:SHORT_COMMIT]}: {edited.path}"
    else:
        yield f"saved, not committed yet: {edited.path}"
    for problem in edited.problems:
        yield from problem_lines(problem)


def init_lines(report: InitReport) -> Iterator[str]:
    """A vault that was made, and what to do next."""
    if report.commit is None and not report.created:
        yield f"'{report.root}' is a vault already; nothing was missing"
    else:
        verb = "added to" if report.was_vault else "made"
        yield f"{verb} the vault '{report.name}' in '{report.root}'"
        yield from (f"  {path}" for path in report.created)
    yield from (f"kept as it was, and nothing added: {path}" for path in report.kept)
    if report.found_notes:
        yield f"found {_pluralise(report.found_notes, 'note')} there; they stay as they are"
    # After an `init` in a folder of 103 notes nothing had been said of them.
    if report.other_notes:
        others = _pluralise(report.other_notes, "other note")
        yield (
            f"{others} of the folder {'is' if report.other_notes == 1 else 'are'} not looked at; "
            "`include` in vaultmem.toml names those to search (`vaultmem help obsidian`)"
        )
    # In an Obsidian vault with a folder 'Categories' every `remember` failed (77) once.
    if report.in_the_way is not None:
        yield (
            f"no category pages can be made beside '{report.in_the_way}', which many systems take "
            "for 'categories': rename it to have them"
        )
    for problem in report.problems:
        yield from problem_lines(problem)


def _item_facts(item: RememberedItem, zone: str) -> Iterator[str]:
    yield item.kind
    if item.stream:
        yield item.stream
    if item.categories:
        yield ", ".join(item.categories)
    if item.valid_from is not None:
        yield f"from {format_date(item.valid_from, zone)}"
    if item.due is not None:
        yield f"due {format_minute(item.due, zone)}"
    yield f"importance {item.importance}"
    if item.trust not in ("", "user"):
        yield item.trust
    yield item.id


def _place(problem: Problem) -> str:
    path = _printable_path(problem.path)
    return path if problem.line is None else f"{path}:{problem.line}"


def _printable_path(path: PurePath) -> str:
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in str(path))


def _pluralise(count: int, noun: str) -> str:
    several = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count} {noun if count == 1 else several}"


def _breakdown(counts: Mapping[str, int]) -> str:
    """`12: 7 items, 5 resources`; the largest first, ties by name."""
    parts = sorted((-count, name) for name, count in counts.items() if count)
    inner = ", ".join(_pluralise(-count, name) for count, name in parts)
    return f"{sum(counts.values())}: {inner}" if inner else "none"


def _by_stream(counts: Mapping[str, int]) -> str:
    """`2 items: 1 in flow, 1 in tasks`; the largest first, ties by name."""
    parts = sorted((-count, name) for name, count in counts.items() if count)
    inner = ", ".join(f"{-count} in {name}" for count, name in parts)
    return f"{_pluralise(sum(counts.values()), 'item')}: {inner}" if inner else "none"


def _apart(statuses: Mapping[str, int]) -> str:
    """Items that no longer hold, in brackets."""
    others = {name: count for name, count in statuses.items() if name != "active" and count}
    return f" (and {', '.join(f'{n} {name}' for name, n in sorted(others.items()))})" * bool(others)


def _last_commit(status: StatusReport, zone: str) -> str:
    if status.damage:
        return f"cannot be read: {status.damage} (`vaultmem check --fix`)"
    if status.head is None:
        return "none yet"
    branch = f" on {status.branch}" if status.branch else " (no branch: detached)"
    when = moment(status.last_commit_at, zone)
    return f"{status.head[:SHORT_COMMIT]} {when} {one_line(status.last_commit)}{branch}"


def _pending(status: StatusReport) -> str:
    said = _pluralise(len(status.pending), "note") if status.pending else "nothing"
    return f"{said}; {status.waiting}" if status.waiting else said


def _index(status: StatusReport, zone: str) -> str:
    when = moment(status.synced_at, zone) or "never"
    size = _size(status.index_bytes)
    return f"{status.passages} passages, {status.words} words, {size}, last changed {when}"


def _size(count: int) -> str:
    size = float(count)
    for unit in ("B", "KB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"
