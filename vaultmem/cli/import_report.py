"""What an import of other programs' exports did, as lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vaultmem import language
from vaultmem.base import TYPE_CHECKING
from vaultmem.cli.output import as_plain, say, say_json
from vaultmem.model import join_nonempty, pluralise, shorten

if TYPE_CHECKING:
    from vaultmem.model import ImportedProducts, ImportedRecord

_SHOWN = 20
_NAME = 60  # characters
_ENDINGS = {"conversation": "conversations", "memory": "memories", "page": "pages", "file": "files"}
_MARKS = {"added": "new", "grown": "goes on", "unchanged": "as it was", "skipped": "skipped"}


def say_imported(report: ImportedProducts, zone: str, *, as_json: bool) -> None:
    """Print the report."""
    if as_json:
        say_json(as_plain(report, zone), zone)
    else:
        say(products_lines(report, zone))


def products_lines(report: ImportedProducts, zone: str) -> Iterator[str]:
    """A line for each record, what was skipped last, then counts and what to look at."""
    told = [each for each in report.records if each.what in ("added", "grown")]
    odd = [each for each in report.records if each.what == "skipped" and not each.is_expected]
    yield from _some([_line(each, zone) for each in told], "more were taken in")
    yield from _some([_line(each, zone) for each in odd], "more were skipped")
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


def _some(lines: Sequence[str], more: str) -> Iterator[str]:
    yield from lines[:_SHOWN]
    if len(lines) > _SHOWN:
        yield f"and {len(lines) - _SHOWN:,} {more}; --json lists them all"


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
