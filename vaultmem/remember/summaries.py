"""Summaries of categories, rewritten by the language model of the person's settings.

The list of items in a category is the program's and always right. The sentences above it are the
model's: each is made of items of the list, and goes when one of these does
(storage/notes/summary_block.py). A reply that fails a guard leaves the file as it is, and says so.
No lock is held while a model writes; a category that changed meanwhile keeps what it has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vaultmem.base.errors import (
    BadInputError,
    BusyError,
    DiskError,
    MissingFileError,
    PatchRefusedError,
    SettingsError,
    StaleFileError,
)
from vaultmem.base.errors_llm import LLMError
from vaultmem.base.records import dataclass, replace
from vaultmem.extract.model.drafting import NONE_SET, masked
from vaultmem.model.answers import Filters
from vaultmem.model.plan import Plan, Remove, Write
from vaultmem.model.talks.summaries import Evolved, Summarised

if TYPE_CHECKING:
    from vaultmem.model.ports import LLM, Progress
    from vaultmem.vault.vault import Parts

_TRIES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewriting:
    """A category's file as it was when the model was asked, and as it is to be."""

    evolved: Evolved
    before: bytes
    after: bytes


def summarise(
    parts: Parts, names: Sequence[str], *, dry_run: bool, progress: Progress | None = None
) -> Summarised:
    """Rewrite summaries, in one commit: those of the named categories, else those that miss a line.

    raises BadInputError for an unknown name, SettingsError and LocalOnlyError where no model can
    be asked; a reply that cannot be used is in the report
    """
    from vaultmem.models.roles import summariser
    from vaultmem.vault import level

    model = summariser(parts, about="categories")
    if model is None:
        raise SettingsError(NONE_SET, hint="see `vaultmem help llm`")
    level.refresh(parts)
    texts = _texts(parts, names)
    asked: list[Rewriting] = []
    for number, (path, data) in enumerate(texts.items()):
        if progress is not None:
            progress("writing summaries", number, len(texts))
        if names or _misses_a_line(data):
            asked.append(_rewritten(parts, model, path, data))
    report = Summarised(categories=tuple(each.evolved for each in asked), dry_run=dry_run)
    if dry_run:
        return report
    told, commit = _written(parts, asked)
    return replace(report, categories=told, commit=commit)


def afterwards(
    parts: Parts, paths: Sequence[PurePosixPath], *, progress: Progress | None = None
) -> tuple[Evolved, ...]:
    """Summaries of categories that were just written, in one commit; () where there is no model."""
    from vaultmem.models.roles import summariser
    from vaultmem.storage.files import read

    model = summariser(parts, about="categories")
    if model is None:
        return ()
    asked: list[Rewriting] = []
    for number, path in enumerate(paths):
        if progress is not None:
            progress("writing summaries", number, len(paths))
        with suppress(MissingFileError):  # the person took it away meanwhile
            asked.append(_rewritten(parts, model, path, read(parts.root, path, limit=None)))
    return _written(parts, asked)[0]


def _written(parts: Parts, asked: Sequence[Rewriting]) -> tuple[tuple[Evolved, ...], str | None]:
    """Write what is new of summaries, in one commit (None: nothing is); what became of each."""
    from vaultmem.edit.writer import writer
    from vaultmem.vault.apply import apply

    told = tuple(each.evolved for each in asked)
    wanted = {each.evolved.path: each for each in asked if each.after != each.before}
    if not wanted:
        return told, None
    for attempt in range(1, _TRIES + 1):
        try:
            with writer(parts):
                changes, stale = _changes(parts, wanted)
                plan = Plan(
                    op="summarise",
                    actor="maintenance",
                    subject=f"summarise: {', '.join(sorted(each.path.stem for each in changes))}",
                    changes=changes,
                )
                done = apply(parts, [plan]) if changes else ()
            settled = tuple(_settled(each, stale) for each in told)
            return settled, done[-1].commit if done else None
        except StaleFileError:
            if attempt == _TRIES:
                raise
    raise AssertionError("the last attempt returns or raises")


def ahead(parts: Parts, changes: Sequence[Write | Remove]) -> dict[PurePosixPath, Rewriting]:
    """Summaries for categories as a plan is going to leave them, before any lock is taken.

    Empty where there is no model; what it cannot do is in each `evolved`.
    """
    from vaultmem.models.roles import summariser

    model = summariser(parts, about="categories")
    touched = {
        each.path: each.content
        for each in changes
        if isinstance(each, Write) and each.path.parts[0] == "categories"
    }
    if model is None:
        return {}
    return {path: _rewritten(parts, model, path, data) for path, data in touched.items()}


def taken_in(
    changes: Sequence[Write | Remove], rewritten: Mapping[PurePosixPath, Rewriting]
) -> tuple[tuple[Write | Remove, ...], tuple[Evolved, ...]]:
    """The changes of a plan with the summaries made for them, and what became of each."""
    after: list[Write | Remove] = []
    told = []
    for change in changes:
        made = rewritten.get(change.path)
        if made is not None and isinstance(change, Write):
            is_same = change.content == made.before
            change = replace(change, content=made.after) if is_same else change
            told.append(made.evolved if is_same else _stale(made.evolved))
        after.append(change)
    return tuple(after), tuple(told)


def _rewritten(parts: Parts, model: LLM, path: PurePosixPath, data: bytes) -> Rewriting:
    """One category, asked about; a failure of any kind leaves it as it is."""
    from vaultmem.language.stems import Stems
    from vaultmem.language.time import format_date
    from vaultmem.models.roles import instructions
    from vaultmem.remember.evolving import SCHEMA, Sentence, Topic, question, summary_in
    from vaultmem.storage.notes.summary_block import (
        read_lines,
        read_summary,
        read_told,
        replace_told,
    )

    evolved = Evolved(path=path, title=path.stem, outcome="kept")
    try:
        statements = read_lines(read_summary(data))
        topic = Topic(
            name=path.stem.replace("-", " "),
            summary=tuple(Sentence(text=t, targets=links) for t, links in read_told(data)),
            statements=statements,
            today=format_date(parts.clock.now(), parts.settings.timezone),
            days=_days(parts, [target for _, target in statements]),
        )
        if not topic.is_worth_it:
            evolved = replace(evolved, outcome="skipped", why="its list is short enough")
            return Rewriting(evolved=evolved, before=data, after=data)
        asked = question(topic, instructions("evolve"), mask=masked)
        answer = model.ask(asked, schema=SCHEMA)
        found = summary_in(answer.value, topic, Stems(parts.settings.languages))
        if isinstance(found, str):
            evolved = replace(evolved, why=f"the new summary is not used: {found}")
            return Rewriting(evolved=evolved, before=data, after=data)
        after = replace_told(data, [(each.text, each.targets) for each in found])
    except (LLMError, PatchRefusedError, SettingsError, DiskError, BusyError) as error:
        evolved = replace(evolved, why=error.message)
        return Rewriting(evolved=evolved, before=data, after=data)
    evolved = replace(
        evolved,
        outcome="same" if after == data else "rewritten",
        sentences=tuple(each.text for each in found),
    )
    return Rewriting(evolved=evolved, before=data, after=after)


def _days(parts: Parts, targets: Sequence[str]) -> dict[str, str]:
    """From when items hold, by their links' targets; what the index does not know is of today."""
    from vaultmem.language.time import known_day

    days = {}
    for target in targets:
        row = parts.index.resolve_link(target)
        at = parts.clock.now() if row is None else row.valid_from
        days[target] = known_day(at, parts.settings.timezone)
    return days


def _texts(parts: Parts, names: Sequence[str]) -> dict[PurePosixPath, bytes]:
    """The files of the named categories; of all of them, where none is named."""
    from vaultmem.language.text import fold, slugify
    from vaultmem.storage.files import read

    rows = parts.index.list(Filters(types=("category",)))
    by_name = {fold(name): row.path for row in rows for name in (row.title, row.path.stem)}
    paths = sorted(row.path for row in rows)
    if names:
        unknown = [n for n in names if fold(n) not in by_name and slugify(n) not in by_name]
        if unknown:
            known = ", ".join(path.stem for path in paths[:20])
            raise BadInputError(f"no category is called '{unknown[0]}'", hint=f"there are: {known}")
        paths = [by_name.get(fold(n)) or by_name[slugify(n)] for n in names]
    return {path: read(parts.root, path, limit=None) for path in paths}


def _misses_a_line(data: bytes) -> bool:
    """Whether the list has an item that the sentences above it do not tell of."""
    from vaultmem.storage.notes.summary_block import read_links, read_told

    told = {target for _, targets in read_told(data) for target in targets}
    return not told.issuperset(read_links(data))


def _changes(
    parts: Parts, wanted: Mapping[PurePosixPath, Rewriting]
) -> tuple[tuple[Write | Remove, ...], frozenset[PurePosixPath]]:
    """The writes of categories that are as they were, and the paths of those that are not."""
    from vaultmem.vault.plan import Workbench

    bench = Workbench(parts)
    stale = set()
    for path, made in wanted.items():
        if bench.text(path) == made.before:
            bench.put(path, made.after)
        else:
            stale.add(path)
    return bench.step(), frozenset(stale)


def _settled(evolved: Evolved, stale: frozenset[PurePosixPath]) -> Evolved:
    return _stale(evolved) if evolved.path in stale else evolved


def _stale(evolved: Evolved) -> Evolved:
    if evolved.outcome != "rewritten":
        return evolved
    return replace(evolved, outcome="kept", why="it changed while the model wrote", sentences=())
