"""Remember a text: resource, drafts, items, lists; planned first, then one commit.

The text itself is kept whatever extraction makes of it (never-forgets: resources are immutable);
the same text twice is one resource and changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vaultmem.frozen import dataclass, field, replace
from vaultmem.model.drafts import Draft, Extraction
from vaultmem.model.ids import item_id
from vaultmem.model.plans import Plan
from vaultmem.model.recall import Filters
from vaultmem.model.records import Item, Resource
from vaultmem.model.reports import Remembered, RememberedItem
from vaultmem.operations.documents import Document, Prepared, prepare
from vaultmem.operations.drafting import Drafting
from vaultmem.operations.shelf import NO_OID, Shelf, day_of, item_path, resource_path
from vaultmem.operations.telling import report_of, subject_of, trailers_of
from vaultmem.operations.wording import counted
from vaultmem.operations.workbench import Workbench

if TYPE_CHECKING:
    from vaultmem.operations.parts import Parts
    from vaultmem.ports import Progress

# So few documents have their bullets and category lines in their own commits, so that each can
# be undone as a whole; for many, lists are written once, in a commit of their own.
FEW = 20
# Documents planned, written and committed together in bulk: bounds memory, amortises git.
BULK = 500


def remember(parts: Parts, document: Document, *, dry_run: bool = False) -> Remembered:
    """Keep one text and the items in it, in one commit (a dry run: only say what would be)."""
    from vaultmem.operations import sync
    from vaultmem.operations.apply import apply, writer

    [(prepared, extraction)] = read(parts, [document])
    if dry_run:
        sync.refresh(parts)
        done = _Session(parts).add(prepared, extraction, with_lists=True)
        return replace(done.report, dry_run=True)
    with writer(parts):
        done = _Session(parts).add(prepared, extraction, with_lists=True)
        if done.plan is None:
            return done.report
        committed = apply(parts, [done.plan])
    return replace(done.report, commit=committed[-1].commit)


def remember_many(
    parts: Parts, documents: Iterable[Document], *, progress: Progress | None = None
) -> tuple[Remembered, ...]:
    """Keep many texts, one commit each; beyond a `FEW`, lists follow, a commit for each `BULK`."""
    from vaultmem.operations.apply import writer

    ready = read(parts, documents)
    reports: list[Remembered] = []
    with writer(parts):
        for start in range(0, len(ready), BULK):
            reports += _remember_batch(parts, ready[start : start + BULK])
            if progress is not None:
                progress("remembering", len(reports), len(ready))
    return tuple(reports)


def read(parts: Parts, documents: Iterable[Document]) -> list[tuple[Prepared, Extraction]]:
    """Documents made ready and extracted: all that needs neither the lock nor a level index."""
    slugs = sorted(row.path.stem for row in parts.index.list(Filters(types=("category",))))
    drafting = Drafting(parts, categories=slugs)
    settings, now = parts.settings, parts.clock.now()
    limit, zone = settings.limits_note_bytes, settings.timezone
    ready = [prepare(document, limit_bytes=limit, zone=zone) for document in documents]
    return [(prepared, drafting.read(prepared, now=now)) for prepared in ready]


def _remember_batch(parts: Parts, batch: Sequence[tuple[Prepared, Extraction]]) -> list[Remembered]:
    from vaultmem.operations.apply import apply

    session = _Session(parts)
    few = len(batch) <= FEW
    done = [session.add(prepared, found, with_lists=few) for prepared, found in batch]
    plans = [each.plan for each in done if each.plan is not None]
    lists = session.plan_lists()
    commits = apply(parts, [*plans, lists] if lists.changes else plans)
    oids = iter(commits)
    return [
        each.report if each.plan is None else replace(each.report, commit=next(oids).commit)
        for each in done
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Done:
    plan: Plan | None  # None: nothing to do
    report: Remembered


@dataclass(slots=True, kw_only=True)
class _Known:
    """Statements met in this session, which the index does not have yet."""

    ids: dict[str, str] = field(default_factory=dict)  # canonical statement -> item id
    items: dict[str, Item] = field(default_factory=dict)  # by id
    resources: set[str] = field(default_factory=set)


class _Session:
    """One or many documents planned on one workbench."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._bench = Workbench(parts)
        self._shelf = Shelf(parts, self._bench)
        self._known = _Known()
        self._unlisted: list[Item] = []

    def add(self, prepared: Prepared, extraction: Extraction, *, with_lists: bool) -> _Done:
        """Plan one document on top of those before it."""
        rows = self._parts.index.notes_with_id(prepared.id)
        if rows or prepared.id in self._known.resources:
            return _Done(plan=None, report=self._no_op(prepared, [row.path for row in rows]))
        now = self._parts.clock.now()
        path = self._add_resource(prepared, now)
        items = tuple(
            self._add_draft(draft, prepared, path, now, with_lists=with_lists)
            for draft in extraction.drafts
        )
        self._known.resources.add(prepared.id)
        changes = self._bench.step()
        what = subject_of(prepared, items)
        plan = Plan(
            op="remember",
            actor="person" if prepared.document.writer == "person" else prepared.document.writer,
            subject=what,
            changes=changes,
            trailers=trailers_of(prepared, items),
        )
        report = Remembered(
            resource=prepared.id,
            path=path,
            title=prepared.title,
            items=items,
            rejected=extraction.rejected,
            subject=what,
            files=tuple(change.path for change in changes),
        )
        return _Done(plan=plan, report=report)

    def plan_lists(self) -> Plan:
        """Streams and categories for the items added without lists."""
        self._shelf.list_items(self._unlisted)
        listed_items = counted(len(self._unlisted), "new item")
        self._unlisted = []
        return Plan(
            op="remember",
            actor="import",
            subject=f"remember: list {listed_items} in streams and categories",
            changes=self._bench.step(),
        )

    def _no_op(self, prepared: Prepared, paths: Sequence[PurePosixPath]) -> Remembered:
        path = paths[0] if paths else PurePosixPath("resources")
        row = self._parts.index.note(path)
        return Remembered(
            resource=prepared.id,
            path=path,
            title=row.title if row is not None else prepared.title,
            no_op=True,
        )

    def _add_resource(self, prepared: Prepared, now: int) -> PurePosixPath:
        from vaultmem.vault.schema_writing import encode_resource

        zone, document = self._parts.settings.timezone, prepared.document
        at = prepared.date if prepared.date is not None else now
        path = resource_path(prepared.id, prepared.title, at=at, zone=zone)
        origin = document.origin or ("conversation" if prepared.is_conversation else "")
        resource = Resource(
            path=path,
            oid=NO_OID,
            title=prepared.title,
            body=prepared.body,
            id=prepared.id,
            date=prepared.date,
            origin=origin,
            writer=document.writer,
            trust=document.trust,
        )
        self._bench.put(path, encode_resource(resource, zone=zone))
        return path

    def _add_draft(
        self,
        draft: Draft,
        prepared: Prepared,
        resource: PurePosixPath,
        now: int,
        *,
        with_lists: bool,
    ) -> RememberedItem:
        from vaultmem.text import canonical

        key = canonical(draft.statement)
        known = self._known_item(key)
        if known is not None:
            self._reinforce(known, draft, resource, now)
            return report_of("reinforce", known, draft)
        item = self._new_item(draft, prepared, resource, now, key)
        self._known.ids[key] = item.id
        self._known.items[item.id] = item
        if with_lists:
            self._shelf.add_item(item)
        else:
            self._shelf.add_note(item)
            self._unlisted.append(item)
        return report_of("add", item, draft)

    def _known_item(self, key: str) -> Item | None:
        """The current item that says exactly this, after normalisation."""
        from vaultmem.operations.unsettled import load_items

        if key in self._known.ids:
            return self._known.items[self._known.ids[key]]
        ids = self._parts.index.items_with_statement(key)
        for item in load_items(self._parts, ids).values():
            if item.status == "active":
                self._known.ids[key] = item.id
                self._known.items[item.id] = item
                return item
        return None

    def _reinforce(self, item: Item, draft: Draft, resource: PurePosixPath, now: int) -> None:
        """One more source, and the confidence that it gives (algorithms 6.4)."""
        from vaultmem.extraction.reconcile import reinforced
        from vaultmem.model.time import format_date

        link = resource.stem
        if link in item.source:
            return
        before = item.confidence if item.confidence is not None else draft.confidence
        stronger = replace(
            item, source=(*item.source, link), confidence=reinforced(before), confidence_at=now
        )
        self._shelf.patch_item(
            item,
            {
                "source": tuple(f"[[{target}]]" for target in stronger.source),
                "confidence": stronger.confidence,
                "confidence_at": format_date(now, self._parts.settings.timezone),
            },
        )
        self._known.items[item.id] = stronger

    def _new_item(
        self, draft: Draft, prepared: Prepared, resource: PurePosixPath, now: int, key: str
    ) -> Item:
        zone, document = self._parts.settings.timezone, prepared.document
        id_ = item_id(prepared.id, key)
        said = draft.said_at if draft.said_at is not None else prepared.date
        at = said if said is not None else now
        return Item(
            path=item_path(id_, draft.statement, at=now, zone=zone),
            oid=NO_OID,
            title="",
            body=draft.statement,
            tags=draft.tags,
            id=id_,
            kind=draft.kind,
            statement=draft.statement,
            stream=draft.stream,
            categories=draft.categories,
            subject=draft.subject,
            predicate=draft.predicate,
            object=draft.object,
            valid_from=draft.valid_from if draft.valid_from is not None else day_of(at, zone),
            valid_until=draft.valid_until,
            source=(resource.stem,),
            quote=draft.quote,
            importance=draft.importance,
            confidence=draft.confidence,
            confidence_at=now,
            pinned=draft.pinned,
            hard=draft.hard,
            writer=document.writer,
            trust=document.trust,
            observed=draft.observed,
            entities=draft.entities,
        )
