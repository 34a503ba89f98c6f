"""The report of a pull or push as lines a person reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from vaultmem.cli.reports import learned_lines, problem_lines
from vaultmem.config.remotes import shown_url

if TYPE_CHECKING:
    from vaultmem.model.reports import Exchanged, InitReport

_MOST = 10


def exchanged_lines(report: Exchanged) -> Iterator[str]:
    """What came, was merged, was learned, went, and needs a look."""
    where = f"'{report.remote}'"
    would = "would " if report.dry_run else ""
    if report.pending:
        yield f"would commit your edits first: {_counted(report.pending, 'note')}"
    if report.incoming:
        yield (
            f"{would}take in {_counted(report.incoming, 'commit')} of {where}"
            if report.dry_run
            else f"took in {_counted(report.incoming, 'commit')} of {where}"
        ) + f": {_counted(len(report.paths), 'file')} changed here"
        yield from _paths(report.paths)
    if report.merged:
        done = "to merge" if report.dry_run else "merged"
        yield f"{done}, changed on both sides: {_counted(len(report.merged), 'file')}"
        yield from _paths(report.merged)
    if report.withheld:
        yield f"not put into the folder: {_counted(len(report.withheld), 'file')} of settings"
        yield from _paths(report.withheld)
    yield from learned_lines(report.learned)
    if report.pushed:
        yield f"sent {_counted(report.outgoing, 'commit')} to {where}"
    elif report.outgoing:
        yield (
            f"would send {_counted(report.outgoing, 'commit')} to {where}"
            if report.dry_run
            else f"not sent yet: {_counted(report.outgoing, 'commit')} (`vaultmem push`)"
        )
    for problem in report.problems:
        yield from problem_lines(problem)
    if not (report.incoming or report.outgoing or report.pushed or report.pending):
        yield f"level with {where}: nothing to take in, nothing to send"


def received_lines(report: InitReport, url: str) -> Iterator[str]:
    """A vault that came from a remote, and what is wrong with it."""
    notes = _counted(report.found_notes, "note")
    yield f"made the vault '{report.name}' in '{report.root}', with {notes} of '{shown_url(url)}'"
    for problem in report.problems:
        yield from problem_lines(problem)


def _paths(paths: Sequence[PurePath]) -> Iterator[str]:
    yield from (f"  {path}" for path in paths[:_MOST])
    if len(paths) > _MOST:
        yield f"  and {len(paths) - _MOST} more"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
