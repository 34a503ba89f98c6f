"""One or many texts planned on one working copy: resources, items, lists; decides what meets what.

A statement that is known already is not kept twice. Who says it again matters: the person makes
it surer and vouches for it, anybody else adds a source to what is believed no more than they are,
and changes nothing in what is believed more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from vaultmem import facts, language, model, recall
from vaultmem import vault as vaults
from vaultmem.base import TYPE_CHECKING, dataclass, field, replace
from vaultmem.extract import (
    confidence_of,
    id_of,
    is_by_default,
    is_told,
    item_of,
    metadata_of,
    projects_of,
    said_at,
    says,
)
from vaultmem.facts import Contradictions
from vaultmem.model import (
    USER,
    Draft,
    Extraction,
    Item,
    Plan,
    Prepared,
    Problem,
    Remembered,
    RememberedItem,
    Resource,
    is_below,
    join_nonempty,
    lowest,
    pluralise,
    subject,
    trust_trailers,
)
from vaultmem.safety import defang
from vaultmem.storage import notes
from vaultmem.vault import (
    NO_OID,
    Listings,
    Origin,
    WorkingCopy,
    origin_of,
    resource_path,
    restrain,
    trust_of_item,
)

if TYPE_CHECKING:
    from vaultmem.facts import Opinions
    from vaultmem.model import Opinion
    from vaultmem.remember.category_summaries import Rewriting
    from vaultmem.remember.quarantine import Suspicions
    from vaultmem.remember.suggest_links import Ties
    from vaultmem.vault import Vault


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAdvice:
    """What a model said beforehand; nothing, where none is."""

    opinions: Opinions | None = None
    told: tuple[Opinion, ...] = ()
    ties: Ties | None = None
    summaries: Mapping[PurePosixPath, Rewriting] = field(default_factory=dict)


NOTHING = ModelAdvice()

# How a remembered text is told: commit subject, trailers, rows of the report.


def report_of(
    outcome: str, item: Item, draft: Draft, *, effects: Sequence[str] = ()
) -> RememberedItem:
    """The row of one item; outcome: add, reinforce, update or known."""
    return RememberedItem(
        outcome=outcome,
        id=item.id,
        path=item.path,
        statement=item.statement,
        kind=item.kind,
        stream=item.stream or "",
        categories=item.categories,
        importance=item.importance,
        valid_from=item.valid_from,
        due=item.due,
        quote=draft.quote,
        rule=draft.rule,
        writer=item.writer,
        trust=item.trust,
        review=item.review,
        effects=tuple(effects),
    )


def subject_of(prepared: Prepared, items: Sequence[RememberedItem]) -> str:
    """A sentence for `git log`."""
    waiting = sum(bool(item.review) for item in items)
    if waiting == len(items) and waiting:
        return subject("remember", prepared.title, extra=f"{pluralise(waiting, 'item')} to review")
    items = [item for item in items if not item.review]
    added = [item for item in items if item.outcome == "add"]
    again = sum(item.outcome == "reinforce" for item in items)
    if not items:
        return subject("remember", prepared.title, extra="text only")
    first = added[0] if added else items[0]
    extra = join_nonempty(
        [
            f"+{pluralise(len(added) - 1, 'item')}" if len(added) > 1 else "",
            f"{again} reinforced" if again else "",
            f"{waiting} to review" if waiting else "",
        ]
    )
    return subject("remember", first.statement, extra=extra)


def trailers_of(
    prepared: Prepared,
    items: Sequence[RememberedItem],
    *,
    levels: Mapping[str, str],
    approved: Sequence[str],
    ended: Sequence[str] = (),
) -> tuple[tuple[str, str], ...]:
    """What the commit says of a text: its items, its source, and how far they are believed.

    levels    trust by id of what is new
    approved  ids that were believed less and that the person now says
    ended     ids of items that end because of it
    """
    trailers = []
    if items:
        ids = dict.fromkeys([*(item.id for item in items), *ended])
        trailers.append(("Vaultmem-Items", ", ".join(ids)))
    if ended:
        trailers.append(("Vaultmem-Supersedes", ", ".join(ended)))
    trailers.append(("Vaultmem-Source", prepared.id))
    return (*trailers, *trust_trailers(levels, approved))


# What is kept in mind of a text, and of those before it, while they are planned.


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedText:
    """One text, planned."""

    plan: Plan | None  # None: nothing to do
    report: Remembered


@dataclass(slots=True, kw_only=True)
class SeenInBatch:
    """Statements met in this session, which the index does not have yet."""

    ids: dict[str, str] = field(default_factory=dict)  # canonical statement -> item id
    items: dict[str, Item] = field(default_factory=dict)  # by id
    resources: set[str] = field(default_factory=set)


@dataclass(slots=True, kw_only=True)
class TextInProgress:
    """The text that is being planned."""

    prepared: Prepared
    resource: PurePosixPath
    now: int
    suspicions: Suspicions | None  # None: nothing in it has to be looked at
    levels: dict[str, str] = field(default_factory=dict)  # trust by id of what is new
    approved: list[str] = field(default_factory=list)  # ids that the person vouches for
    touched: list[str] = field(default_factory=list)  # ids of others that end by it


def suspicions_of(vault: Vault, prepared: Prepared) -> Suspicions | None:
    """What there is to be said against a text; None for a text of the person alone."""
    if prepared.trust == USER:
        return None
    from vaultmem.remember.quarantine import Suspicions  # saves 15 modules

    return Suspicions.of(vault, prepared)


def with_links(
    vault: Vault, item: Item, told: Sequence[str], ties: Ties | None
) -> tuple[Item, Sequence[str]]:
    """A new item with links to notes alike: a model's, else by rule where the settings ask for
    that or the model failed; what to tell of it."""
    if item.status != "active":
        return item, told
    tied = None if ties is None else ties.on(vault, item)
    if tied is None:
        if not (vault.settings.links_on_insert or (ties is not None and ties.why)):
            return item, told

        tied = recall.link_by_rule(vault, item)
    return tied[0], (*told, *tied[1])


def _in_projects(key: str, projects: Sequence[str]) -> str:
    """What a statement is told from others by: the same of two projects is two."""
    return "\n".join((key, *(model.wanted_keys(each)[0] for each in projects)))


_ACTORS = {"person": "person", "agent": "agent"}


class TakingIn:
    """One or many documents planned on one working copy."""

    def __init__(self, vault: Vault, advice: ModelAdvice = NOTHING) -> None:
        self._vault = vault
        self._working_copy = WorkingCopy(vault)
        self._listings = Listings(vault, self._working_copy)
        self._against = Contradictions(self._listings, advice.opinions)
        self._ties = advice.ties
        self._known = SeenInBatch()
        self._unlisted: list[Item] = []

    def add(self, prepared: Prepared, extraction: Extraction, *, with_lists: bool) -> PlannedText:
        """Plan one document on top of those before it."""
        rows = self._vault.index.notes_with_id(prepared.id)
        is_restated = bool(rows) and prepared.trust == USER and is_below(rows[0].trust, USER)
        is_fact = prepared.document.fact is not None  # one may be stated again, of another time
        is_known = bool(rows) or prepared.id in self._known.resources
        # "We use npm." of one project, said in another: one text, and two items.
        told_in = prepared.document.projects
        is_elsewhere = bool(rows and told_in) and model.are_apart(told_in, rows[0].projects)
        if is_known and not is_restated and not is_elsewhere and not (is_fact and rows):
            return PlannedText(plan=None, report=self._no_op(prepared, [row.path for row in rows]))
        if prepared.document.is_memory and not extraction.drafts:
            # It was to be one memory and is none: there is nothing that its text would be for.
            return PlannedText(plan=None, report=self._refusal_report(prepared, extraction))
        now = self._vault.clock.now()
        suspicions = suspicions_of(self._vault, prepared)
        if suspicions is not None:  # a title becomes a file's name and a commit's subject
            prepared = replace(prepared, title=suspicions.title())
        text = TextInProgress(
            prepared=prepared,
            resource=rows[0].path if rows else self._place_of(prepared, now),
            now=now,
            suspicions=suspicions,
        )
        if is_restated:
            self._working_copy.put(text.resource, self._as_own_words(text.resource))
            text.approved.append(prepared.id)
        elif not rows:
            self._add_resource(text)
        if is_elsewhere:
            both = (*rows[0].projects, *prepared.document.projects)
            told = notes.patch(self._working_copy.existing(text.resource), {"project": both})
            self._working_copy.put(text.resource, told)
        items = tuple(self._add_draft(draft, text) for draft in extraction.drafts)
        changing = [self._add_if_it_changes(draft, text) for draft in extraction.perhaps]
        items += tuple(each for each in changing if each is not None)
        if with_lists:
            self._list_all()
        self._known.resources.add(prepared.id)
        changes = self._working_copy.step()
        if not changes:
            return PlannedText(plan=None, report=self._no_op(prepared, [text.resource]))
        what = subject_of(prepared, items)
        plan = Plan(
            op="remember",
            actor=_ACTORS.get(prepared.writer, "import"),
            subject=what,
            changes=changes,
            trailers=trailers_of(
                prepared, items, levels=text.levels, approved=text.approved, ended=text.touched
            ),
        )
        report = Remembered(
            resource=prepared.id,
            path=text.resource,
            title=prepared.title,
            items=items,
            rejected=extraction.rejected,
            subject=what,
            files=tuple(change.path for change in changes),
            writer=prepared.writer,
            trust=prepared.trust,
        )
        return PlannedText(plan=plan, report=report)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Lists that cannot follow, and why."""
        return tuple(self._listings.problems)

    def plan_lists(self) -> Plan:
        """Streams and categories for the items added without lists."""
        listed_items = pluralise(self._list_all(), "new item")
        return Plan(
            op="remember",
            actor="import",
            subject=f"remember: list {listed_items} in streams and categories",
            changes=self._working_copy.step(),
        )

    def _list_all(self) -> int:
        """Items that are in no list yet come into theirs, each file once; how many they were."""
        listed, self._unlisted = self._unlisted, []
        self._listings.list_items(listed)
        return len(listed)

    def _no_op(self, prepared: Prepared, paths: Sequence[PurePosixPath]) -> Remembered:
        path = paths[0] if paths else PurePosixPath("resources")
        row = self._vault.index.note(path)
        return Remembered(
            resource=prepared.id,
            path=path,
            title=row.title if row is not None else prepared.title,
            no_op=True,
        )

    @staticmethod
    def _refusal_report(prepared: Prepared, extraction: Extraction) -> Remembered:
        return Remembered(
            resource=prepared.id,
            path=PurePosixPath("resources"),
            title=prepared.title,
            rejected=extraction.rejected,
            writer=prepared.writer,
            trust=prepared.trust,
        )

    # --- the text itself -----------------------------------------------------------------

    def _place_of(self, prepared: Prepared, now: int) -> PurePosixPath:
        at = prepared.date if prepared.date is not None else now
        zone = self._vault.settings.timezone
        return resource_path(prepared.id, prepared.title, at=at, zone=zone)

    def _add_resource(self, text: TextInProgress) -> None:

        prepared, told = text.prepared, text.prepared.document
        trust = self._recorded_trust(prepared.id, prepared.trust, text)
        resource = Resource(
            path=text.resource,
            oid=NO_OID,
            title=prepared.title,
            body=prepared.body,
            defanged=trust != USER and defang(prepared.body) != prepared.body,
            id=prepared.id,
            date=prepared.date,
            origin=told.origin or ("conversation" if prepared.is_conversation else ""),
            writer=prepared.writer,
            projects=told.projects,
            trust=trust,
            fields={
                "session": told.session,
                **metadata_of(prepared, trust),
                **{name: defang(value) for name, value in told.about},
            },
        )
        zone = self._vault.settings.timezone
        self._working_copy.put(text.resource, notes.encode_resource(resource, zone=zone))

    def _as_own_words(self, path: PurePosixPath) -> bytes:
        """The resource, now that the person says the very same."""
        return notes.patch(self._working_copy.existing(path), {"trust": USER})

    def _recorded_trust(self, id_: str, trust: str, text: TextInProgress) -> str:
        """Trust of a new note; an id that was believed less before stays so, or is vouched for."""
        before = self._vault.index.trust_levels([id_]).get(id_, USER)
        if trust == USER:
            if is_below(before, USER):
                text.approved.append(id_)
                self._listings.vouched.add(id_)
            return USER
        text.levels[id_] = lowest(before, trust)
        return text.levels[id_]

    # --- items ---------------------------------------------------------------------------

    def _add_draft(self, draft: Draft, text: TextInProgress) -> RememberedItem:

        origin = origin_of(draft, text.prepared)
        projects = projects_of(draft, text.prepared)
        draft = restrain(draft, origin.trust)
        key = says(draft)
        known = self._known_item(key, language.canonical(draft.statement), projects)
        if known is not None:
            return self._meet(known, draft, origin, text)
        item = self._new_item(draft, origin, text, key, projects)
        # Of two answers ('It's 14.', 'It's 15.') the questions say whether they are of one thing.
        if item.status != "active" or (draft.asked and not item.predicate):
            return self._add_item(item, draft, key, text, ())
        verdict = self._against.settle(
            item,
            at=said_at(draft, text.prepared, now=text.now),
            now=text.now,
            is_default=is_by_default(draft, text.prepared, now=text.now),
            ends=draft.ends,
            is_told=self._is_told(draft, text),
        )
        if verdict.same is not None:
            return self._meet(verdict.same, draft, origin, text)
        if verdict.updates is not None:
            return self._update(verdict.updates, draft, text)
        for ended in verdict.ended:
            self._forget_ended(ended)
            text.touched.append(ended.id)
        return self._add_item(verdict.item, draft, key, text, verdict.told)

    def _add_if_it_changes(self, draft: Draft, text: TextInProgress) -> RememberedItem | None:
        """A sentence that is worth keeping only where something known is over by it."""
        origin = origin_of(draft, text.prepared)
        key = says(draft)
        if origin.trust != USER or not self._is_told(draft, text):
            return None
        projects = projects_of(draft, text.prepared)
        if self._known_item(key, language.canonical(draft.statement), projects) is not None:
            return None
        item = self._new_item(draft, origin, text, key, projects)
        if item.status != "active":
            return None
        verdict = self._against.settle(
            item,
            at=said_at(draft, text.prepared, now=text.now),
            now=text.now,
            is_default=is_by_default(draft, text.prepared, now=text.now),
            is_told=True,
            is_only_change=True,
        )
        if not verdict.changes:
            return None
        for ended in verdict.ended:
            self._forget_ended(ended)
            text.touched.append(ended.id)
        return self._add_item(verdict.item, draft, key, text, verdict.told)

    @staticmethod
    def _is_told(draft: Draft, text: TextInProgress) -> bool:
        """Whether the person told it, and did not have it read in a document."""
        prepared = text.prepared
        if draft.turn is not None and prepared.is_conversation:
            return prepared.turns[draft.turn].role == "user"
        return is_told(prepared)

    def _add_item(
        self, item: Item, draft: Draft, key: str, text: TextInProgress, told: Sequence[str]
    ) -> RememberedItem:
        item, told = with_links(self._vault, item, told, self._ties)
        told = (f"asked: {item.asked}", *told) if item.asked else told
        if item.status in ("active", "candidate"):
            self._known.ids[_in_projects(key, item.projects)] = item.id
            self._known.items[item.id] = item
        self._listings.add_note(item)
        self._against.add(item, at=said_at(draft, text.prepared, now=text.now))
        self._list(item)
        return report_of("add", item, draft, effects=told)

    def _update(self, item: Item, draft: Draft, text: TextInProgress) -> RememberedItem:
        """The item says it more fully from now on, with both sources (algorithms 5.6)."""
        fuller = replace(item, statement=draft.statement, object=draft.object or item.object)
        self._listings.patch_item(item, {"object": fuller.object or None})
        facts.reword(self._listings, item, draft.statement)
        fuller = self._reinforce(fuller, draft, text)
        self._known.items[item.id] = fuller
        self._unlisted = [fuller if each.id == item.id else each for each in self._unlisted]
        return report_of(
            "update", fuller, draft, effects=[f"says more than before: {item.statement}"]
        )

    def _forget_ended(self, ended: Item) -> None:
        """What ended is not said again by the same words, nor listed."""
        self._known.items.pop(ended.id, None)
        self._known.ids = {key: id_ for key, id_ in self._known.ids.items() if id_ != ended.id}
        if ended.status != "active":
            self._unlisted = [each for each in self._unlisted if each.id != ended.id]

    def _list(self, item: Item) -> None:
        """The item's places in lists, unless it waits for the person."""
        if item.status == "active":
            self._unlisted.append(item)

    def _known_item(self, key: str, statement: str, projects: Sequence[str]) -> Item | None:
        """The item that says exactly this, after normalisation: a current one, else one that
        waits for the person. Its `trust` is what it is worth, not what its note claims.

        One of another project says it of something else.
        """
        place = _in_projects(key, projects)
        if place in self._known.ids:
            return self._known.items[self._known.ids[place]]
        ids = self._vault.index.items_with_statement(statement)
        found = [
            each
            for each in vaults.load_items(self._vault, ids).values()
            if says(each) == key
            and not (projects and each.projects and model.are_apart(each.projects, projects))
        ]
        for status in ("active", "candidate"):
            for item in found:
                if item.status == status:
                    valued = replace(item, trust=trust_of_item(self._vault, item))
                    self._known.ids[place] = item.id
                    self._known.items[item.id] = valued
                    return valued
        return None

    def _meet(
        self, item: Item, draft: Draft, origin: Origin, text: TextInProgress
    ) -> RememberedItem:
        """What is said again, by somebody who is believed more, as much, or less."""
        if origin.trust == USER and item.trust != USER:
            return report_of("reinforce", self._vouch(item, draft, text), draft)
        if origin.trust != item.trust:
            return report_of("known", item, draft)
        return report_of("reinforce", self._reinforce(item, draft, text), draft)

    def _reinforce(
        self,
        item: Item,
        draft: Draft,
        text: TextInProgress,
        *,
        changes: dict[str, str | None] | None = None,
    ) -> Item:
        """One more source, and what it adds when the person says it (algorithms 6.4)."""
        link = text.resource.stem
        fresh = link not in item.source
        patches: dict[str, str | tuple[str, ...] | float | bool | None] = dict(changes or {})
        stronger = item
        if fresh:
            stronger = replace(item, source=(*item.source, link))
            patches["source"] = tuple(f"[[{target}]]" for target in stronger.source)
        if fresh and item.trust == USER:
            before = confidence_of(self._vault, draft) if item.confidence is None else None
            sure = recall.Sureness(self._vault.settings, text.now).after_confirmation(item, before)
            stronger = replace(stronger, confidence=sure, confidence_at=text.now)
            patches["confidence"] = stronger.confidence
            patches["confidence_at"] = language.format_date(text.now, self._vault.settings.timezone)
        if patches:
            self._listings.patch_item(item, patches)
            self._known.items[item.id] = stronger
        return stronger

    def _vouch(self, item: Item, draft: Draft, text: TextInProgress) -> Item:
        """The person says what only others had said: it is the person's from now on."""
        text.approved.append(item.id)
        self._listings.vouched.add(item.id)
        # Else the commit would say both, that it is believed less and that the person vouches for
        # it.
        text.levels.pop(item.id, None)
        vouched = replace(
            item,
            trust=USER,
            writer="person",
            status="active",
            review="",
            stream=draft.stream,
            categories=draft.categories or item.categories,
        )
        vouched = self._reinforce(
            vouched,
            draft,
            text,
            changes={
                "status": "active",
                "review": None,
                "stream": vouched.stream,
                "writer": "person",
                "trust": USER,
            },
        )
        self._known.items[item.id] = vouched
        self._list(vouched)
        return vouched

    def _new_item(
        self,
        draft: Draft,
        origin: Origin,
        text: TextInProgress,
        key: str,
        projects: tuple[str, ...],
    ) -> Item:
        vault, prepared = self._vault, text.prepared
        id_ = id_of(vault, draft, prepared, key=_in_projects(key, projects), now=text.now)
        trust = self._recorded_trust(id_, origin.trust, text)
        review = draft.doubt
        if trust != USER and text.suspicions is not None:
            review = text.suspicions.reason(draft, trust) or review
        return item_of(
            vault,
            draft,
            prepared,
            id_=id_,
            origin=origin,
            trust=trust,
            review=review,
            source=text.resource.stem,
            projects=projects,
            now=text.now,
        )
