"""Remember a text: resource, drafts, items, lists; planned first, then one commit.

The text itself is kept whatever extraction makes of it (never-forgets: resources are immutable);
the same text twice is one resource and changes nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from vaultmem.errors import StaleFileError
from vaultmem.frozen import dataclass, field, replace
from vaultmem.model.drafts import Extraction
from vaultmem.model.recall import Filters
from vaultmem.model.reports import Remembered
from vaultmem.operations.documents import Document, Prepared, prepare
from vaultmem.operations.drafting import Drafting
from vaultmem.operations.taking_in import TakingIn

if TYPE_CHECKING:
    from pathlib import PurePosixPath

    from vaultmem.model.summaries import Evolved, Opinion
    from vaultmem.operations.evolving import Rewriting
    from vaultmem.operations.opinions import Opinions
    from vaultmem.operations.parts import Parts
    from vaultmem.ports import Progress

# So few documents have their bullets and category lines in their own commits, so that each can
# be undone as a whole; for many, lists are written once, in a commit of their own.
FEW = 20
# A person who saves in the very moment of a write is rarely there again in the next one.
TRIES = 5
# Documents planned, written and committed together in bulk: bounds memory, amortises git.
BULK = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Ahead:
    """What a model was asked beforehand; nothing, where none is."""

    opinions: Opinions | None = None
    told: tuple[Opinion, ...] = ()
    summaries: Mapping[PurePosixPath, Rewriting] = field(default_factory=dict)


def remember(parts: Parts, document: Document, *, dry_run: bool = False) -> Remembered:
    """Keep one text and the items in it, in one commit (a dry run: only say what would be)."""
    from vaultmem.operations import sync
    from vaultmem.operations.apply import apply, writer

    [(prepared, extraction)] = read(parts, [document])
    if dry_run:
        sync.refresh(parts)
        done = TakingIn(parts).add(prepared, extraction, with_lists=True)
        return replace(_told(done.report, prepared, extraction), dry_run=True)
    beforehand = _ahead(parts, prepared, extraction) if extraction.read_by else Ahead()
    for attempt in range(1, TRIES + 1):
        try:
            with writer(parts):
                session = TakingIn(parts, beforehand.opinions)
                done = session.add(prepared, extraction, with_lists=True)
                if done.plan is None:
                    return _told(done.report, prepared, extraction)
                plan = done.plan
                evolved: tuple[Evolved, ...] = ()
                if beforehand.summaries:
                    from vaultmem.operations.evolving import taken_in

                    changes, evolved = taken_in(plan.changes, beforehand.summaries)
                    plan = replace(plan, changes=changes)
                committed = apply(parts, [plan])
                _keep_problems(parts, session)
            report = _told(done.report, prepared, extraction)
            return replace(
                report,
                summaries=evolved,
                opinions=beforehand.told,
                commit=committed[-1].commit,
            )
        except StaleFileError:  # a person saved a file of the plan: plan again with their words
            if attempt == TRIES:
                raise
    raise AssertionError("the last attempt returns or raises")


def _ahead(parts: Parts, prepared: Prepared, extraction: Extraction) -> Ahead:
    """What the model says of the text's facts and categories, before the lock is taken."""
    from vaultmem.operations import sync
    from vaultmem.operations.evolving import ahead
    from vaultmem.operations.opinions import Opinions, asked

    sync.refresh(parts)
    opinions = Opinions()
    done = TakingIn(parts, opinions).add(prepared, extraction, with_lists=True)
    told: tuple[Opinion, ...] = ()
    if opinions.wanted:
        given, told = asked(parts, opinions.wanted)
        opinions = Opinions(given)
        done = TakingIn(parts, opinions).add(prepared, extraction, with_lists=True)
    return Ahead(
        opinions=opinions,
        told=told,
        summaries={} if done.plan is None else ahead(parts, done.plan.changes),
    )


def remember_many(
    parts: Parts, documents: Iterable[Document], *, progress: Progress | None = None
) -> tuple[Remembered, ...]:
    """Keep many texts, one commit each; beyond a `FEW`, lists follow, a commit for each `BULK`."""
    from vaultmem.operations.apply import writer

    ready = read(parts, documents, progress=progress)
    reports: list[Remembered] = []
    with writer(parts):
        for start in range(0, len(ready), BULK):
            reports += _remember_batch(parts, ready[start : start + BULK])
            if progress is not None:
                progress("remembering", len(reports), len(ready))
    return tuple(reports)


def read(
    parts: Parts, documents: Iterable[Document], *, progress: Progress | None = None
) -> list[tuple[Prepared, Extraction]]:
    """Documents made ready and extracted: all that needs neither the lock nor a level index."""
    slugs = sorted(row.path.stem for row in parts.index.list(Filters(types=("category",))))
    drafting = Drafting(parts, categories=slugs)
    now = parts.clock.now()
    ready = [prepare(document, settings=parts.settings) for document in documents]
    if os.path.exists(parts.settings.state.parent / "erased"):  # looked at before it is imported
        from vaultmem.operations.erased import require_none

        require_none(parts.settings, ready)
    found: list[tuple[Prepared, Extraction]] = []
    for prepared in ready:
        if progress is not None:  # a model takes seconds for each
            progress("reading", len(found), len(ready))
        found.append((prepared, drafting.read(prepared, now=now)))
    return found


def _remember_batch(parts: Parts, batch: Sequence[tuple[Prepared, Extraction]]) -> list[Remembered]:
    from vaultmem.operations.apply import apply

    session = TakingIn(parts)
    few = len(batch) <= FEW
    done = [session.add(prepared, found, with_lists=few) for prepared, found in batch]
    plans = [each.plan for each in done if each.plan is not None]
    lists = session.plan_lists()
    commits = apply(parts, [*plans, lists] if lists.changes else plans)
    _keep_problems(parts, session)
    oids = iter(commits)
    return [
        replace(
            _told(each.report, prepared, found),
            commit=None if each.plan is None else next(oids).commit,
        )
        for each, (prepared, found) in zip(done, batch, strict=True)
    ]


def _told(report: Remembered, prepared: Prepared, found: Extraction) -> Remembered:
    """The report with what was found when the text was made ready and read."""
    return replace(
        report,
        removed=prepared.removed,
        unseen=prepared.unseen,
        read_by=found.read_by,
        without=found.without,
    )


def _keep_problems(parts: Parts, session: TakingIn) -> None:
    """Lists that could not follow are named by `check` until they are saved again."""
    from vaultmem.operations import sync

    for path in {each.path for each in session.problems}:
        found = [each for each in session.problems if each.path == path]
        sync.keep_problems(parts, f"list {path}", found)
