"""Remember a text: resource, drafts, items, lists; planned first, then one commit.

The text itself is kept whatever extraction makes of it (never-forgets: resources are immutable);
the same text twice is one resource and changes nothing. Where a model reads, the texts are first
planned without writing, so that the pairs which rules leave open, the new items and the categories
are known; it is asked before any lock is taken, and under the lock they are planned once more with
its answers.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence

from vaultmem import edit, extract, facts
from vaultmem import vault as vaults
from vaultmem.base import TYPE_CHECKING, replace
from vaultmem.extract import Drafting, prepare
from vaultmem.model import Document, Extraction, Filters, Prepared, Remembered
from vaultmem.remember.take_in import NOTHING, ModelAdvice, TakingIn

if TYPE_CHECKING:
    from pathlib import PurePosixPath

    from vaultmem.facts import Pair
    from vaultmem.model import Evolved, Opinion, Progress
    from vaultmem.remember.category_summaries import Rewriting
    from vaultmem.remember.take_in import PlannedText
    from vaultmem.vault import Vault

# So few documents have their bullets and category lines in their own commits, so that each can
# be undone as a whole; for many, lists are written once, in a commit of their own.
FEW = 20
# Documents planned, written and committed together in bulk: bounds memory, amortises git.
# For each item anew, lists were parsed in the square of their lengths: 1,000 texts took 21 s, and
# take 2.5 with each file once.
BULK = 500


def remember(vault: Vault, document: Document, *, dry_run: bool = False) -> Remembered:
    """Keep one text and the items in it, in one commit (a dry run: only say what would be)."""
    [(prepared, extraction)] = read(vault, [document])
    if dry_run:
        vaults.level.refresh(vault)
        done = TakingIn(vault).add(prepared, extraction, with_lists=True)
        return replace(_with_findings(done.report, prepared, extraction), dry_run=True)
    advice = ask_model(vault, [(prepared, extraction)], with_summaries=True)

    def write() -> Remembered:
        with edit.writer(vault):
            session = TakingIn(vault, advice)
            done = session.add(prepared, extraction, with_lists=True)
            if done.plan is None:
                return _with_findings(done.report, prepared, extraction)
            plan = done.plan
            evolved: tuple[Evolved, ...] = ()
            if advice.summaries:
                from vaultmem.remember.category_summaries import taken_in  # saves 52 modules

                changes, evolved = taken_in(plan.changes, advice.summaries)
                plan = replace(plan, changes=changes)
            committed = vaults.apply(vault, [plan])
            _keep_problems(vault, session)
        report = with_advice(_with_findings(done.report, prepared, extraction), advice)
        return replace(report, summaries=evolved, commit=committed[-1].commit)

    return vaults.retry_when_stale(write)


def remember_many(
    vault: Vault, documents: Iterable[Document], *, progress: Progress | None = None
) -> tuple[Remembered, ...]:
    """Keep many texts, one commit each; beyond a `FEW`, lists follow, a commit for each `BULK`.

    Where a model reads, it is asked before each such lot, and at the end about each category that
    the texts touch, once: these summaries are in a commit of their own, and in the last report.
    """
    return remember_ready(vault, read(vault, documents, progress=progress), progress=progress)


def remember_ready(
    vault: Vault,
    ready: Sequence[tuple[Prepared, Extraction]],
    *,
    progress: Progress | None = None,
) -> tuple[Remembered, ...]:
    """`remember_many` of texts that were read already, one by one: of many, one may be refused."""
    lots = [ready[start : start + BULK] for start in range(0, len(ready), BULK)]
    reports: list[Remembered] = []
    if any(found.read_by or found.without for _, found in ready):
        touched: dict[PurePosixPath, None] = {}
        for lot in lots:
            advice = ask_model(vault, lot, with_summaries=False)
            with edit.writer(vault):
                reports += _remember_batch(vault, lot, advice, touched)
            _say(progress, len(reports), len(ready))
        # A model that read none of the texts is not asked about their categories either: a hundred
        # files before a server that hangs waited for a hundred timeouts.
        if not any(found.read_by for _, found in ready):
            return tuple(reports)
        return _with_summaries(vault, reports, [*touched], progress=progress)
    with edit.writer(vault):
        for lot in lots:
            reports += _remember_batch(vault, lot, NOTHING, {})
            _say(progress, len(reports), len(ready))
    return tuple(reports)


def _say(progress: Progress | None, done: int, of: int) -> None:
    if progress is not None:
        progress("remembering", done, of)


def _with_summaries(
    vault: Vault,
    reports: Sequence[Remembered],
    touched: Sequence[PurePosixPath],
    *,
    progress: Progress | None,
) -> tuple[Remembered, ...]:
    """The reports, the last one of a new text with the summaries of categories that changed."""
    from vaultmem.remember.category_summaries import afterwards  # saves 52 modules

    if not touched:
        return tuple(reports)
    told = afterwards(vault, touched, progress=progress)
    last = max(at for at, report in enumerate(reports) if report.commit is not None)
    return (*reports[:last], replace(reports[last], summaries=told), *reports[last + 1 :])


def read(
    vault: Vault, documents: Iterable[Document], *, progress: Progress | None = None
) -> list[tuple[Prepared, Extraction]]:
    """Documents made ready and extracted: all that needs neither the lock nor a level index."""
    slugs = sorted(row.path.stem for row in vault.index.list(Filters(types=("category",))))
    drafting = Drafting(vault, categories=slugs)
    now = vault.clock.now()
    ready = [prepare(document, settings=vault.settings) for document in documents]
    if os.path.exists(vault.settings.state.parent / "erased"):  # looked at before it is imported
        vaults.require_none(vault.settings, ready)
    found: list[tuple[Prepared, Extraction]] = []
    for prepared in ready:
        if progress is not None:  # a model takes seconds for each
            progress("reading", len(found), len(ready))
        found.append((prepared, drafting.read(prepared, now=now)))
    return found


def _remember_batch(
    vault: Vault,
    batch: Sequence[tuple[Prepared, Extraction]],
    advice: ModelAdvice,
    touched: dict[PurePosixPath, None],
) -> list[Remembered]:
    """Plan and keep texts; `touched`: the files of categories that changed are added to it."""
    session = TakingIn(vault, advice)
    # With the lists in a commit of their own, `undo` after two files took back only the bullets.
    few = len(batch) <= FEW
    done = [session.add(prepared, found, with_lists=few) for prepared, found in batch]
    lists = session.plan_lists()
    plans = [
        *(each.plan for each in done if each.plan is not None),
        *([lists] * bool(lists.changes)),
    ]
    commits = vaults.apply(vault, plans)
    _keep_problems(vault, session)
    paths = [change.path for plan in plans for change in plan.changes]
    touched.update((path, None) for path in paths if path.parts[0] == "categories")
    oids = iter(commits)
    return [
        replace(
            with_advice(_with_findings(each.report, prepared, found), advice),
            commit=None if each.plan is None else next(oids).commit,
        )
        for each, (prepared, found) in zip(done, batch, strict=True)
    ]


def _with_findings(report: Remembered, prepared: Prepared, found: Extraction) -> Remembered:
    """The report with what was found when the text was made ready and read."""
    return replace(
        report,
        removed=prepared.removed,
        unseen=prepared.unseen,
        read_by=found.read_by,
        without=found.without,
    )


def _keep_problems(vault: Vault, session: TakingIn) -> None:
    """Lists that could not follow are named by `check` until they are saved again."""
    for path in {each.path for each in session.problems}:
        found = [each for each in session.problems if each.path == path]
        vaults.level.keep_problems(vault, f"list {path}", found)


_ROUNDS = 2  # of questions: what a model keeps may meet another statement of the same text


def ask_model(
    vault: Vault, ready: Sequence[tuple[Prepared, Extraction]], *, with_summaries: bool
) -> ModelAdvice:
    """What a model that was to read texts says of their facts, new items and categories.

    Where it could not even read them, it is asked nothing more, and rules link. Where none was to
    read them, nothing.
    with_summaries  also of the categories as the texts leave them
    """
    if not any(found.read_by or found.without for _, found in ready):
        return NOTHING
    from vaultmem.remember import suggest_links as links  # saves 37 modules

    ties = links.Ties() if links.is_wanted(vault) else None
    if not any(found.read_by for _, found in ready):
        why = next((found.without for _, found in ready if found.without), "")
        return (
            NOTHING
            if ties is None or why == extract.NONE_SET
            else ModelAdvice(ties=links.Ties(why=why))
        )
    opinions = facts.Opinions()
    done = _plan_texts(vault, ready, ModelAdvice(opinions=opinions, ties=ties))
    told: tuple[Opinion, ...] = ()
    given: dict[Pair, str] = {}
    met: set[Pair] = set()
    # What a model keeps may meet other statements of the same text, so there is a second round of
    # pairs.
    for _ in range(_ROUNDS):
        wanted = {pair: each for pair, each in opinions.wanted.items() if pair not in met}
        if not wanted:
            break
        more, heard = facts.ask_about_pairs(vault, wanted)
        given, told, met = given | more, (*told, *heard), met | wanted.keys()
        opinions, ties = facts.Opinions(given), ties and links.Ties()
        done = _plan_texts(vault, ready, ModelAdvice(opinions=opinions, ties=ties))
    if ties is not None and ties.met:
        ties = links.ask_for_links(vault, [*ties.met.values()])
    return ModelAdvice(
        opinions=opinions,
        told=told,
        ties=ties,
        summaries=_summaries(vault, done) if with_summaries else {},
    )


def _plan_texts(
    vault: Vault, ready: Sequence[tuple[Prepared, Extraction]], advice: ModelAdvice
) -> list[PlannedText]:
    """The texts as they would be kept; nothing is written."""
    from vaultmem.remember.take_in import TakingIn  # saves 61 modules

    vaults.level.refresh(vault)
    session = TakingIn(vault, advice)
    return [session.add(prepared, found, with_lists=True) for prepared, found in ready]


def _summaries(vault: Vault, done: Sequence[PlannedText]) -> Mapping[PurePosixPath, Rewriting]:
    from vaultmem.remember.category_summaries import ahead as evolved  # saves 92 modules

    changes = [change for each in done if each.plan is not None for change in each.plan.changes]
    return evolved(vault, changes) if changes else {}


def with_advice(report: Remembered, advice: ModelAdvice) -> Remembered:
    """The report with what a model decided about its items, and what of that was refused."""
    if not report.items or advice is NOTHING:
        return report
    said = [item.statement for item in report.items]
    ties = advice.ties
    return replace(
        report,
        opinions=tuple(each for each in advice.told if each.new in said),
        rejected=(*report.rejected, *(ties.rejections(said) if ties is not None else ())),
        untied=ties.why if ties is not None and report.read_by else "",
    )
