"""Events of a topic made facts, said again or seen; and facts doubted for what contradicts them.

On a shelf; nothing is written here. What is said goes by the rules by which `remember` does: it
confirms what is known, ends it or contradicts it. What was forgotten or taken back stays so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from vaultmem import extract, facts, history, language, model
from vaultmem import vault as vaults
from vaultmem.base import TYPE_CHECKING, dataclass, field, replace
from vaultmem.config import learning_settings
from vaultmem.facts import as_links, load
from vaultmem.language import find_dates, format_date, format_instant
from vaultmem.learn.overviews import may_be_told
from vaultmem.learn.rule_notes import texts
from vaultmem.learn.topics import (
    Episode,
    Recurring,
    SaidAgain,
    clusters,
    recurring,
    said_again,
    topic_words,
    without,
)
from vaultmem.model import (
    LIMITED,
    MEMORY_TYPES,
    UNTRUSTED,
    USER,
    FactChange,
    Filters,
    Item,
    ItemId,
    is_below,
    is_current,
    item_id,
)
from vaultmem.recall import Sureness
from vaultmem.storage import notes
from vaultmem.vault import NO_OID, item_path

if TYPE_CHECKING:
    from vaultmem.learn.conversations import Conversation, Session
    from vaultmem.model import Draft
    from vaultmem.vault import Listings, Vault
SAID = "said-again"  # in the id of a fact that was said
RECURS = "recurs"  # of a fact that was seen: the words that its events share
EVIDENCE = "follows_from"
_ROUND = 6  # decimals of a confidence in a file
_NOT_WANTED = frozenset(["retracted", "archived", "candidate"])
_KEPT = ("fact", "preference", "belief")  # kinds of what is said that last


class Work:
    """One run: what is made of the topics, one after the other."""

    def __init__(
        self,
        vault: Vault,
        listings: Listings,
        events: Mapping[str, Item],
        talks: Sequence[Conversation],
        *,
        now: int,
    ) -> None:

        self.changes: list[FactChange] = []
        self.levels: dict[str, str] = {}
        self._vault, self._listings, self._now = vault, listings, now
        self._events = events
        self._against = facts.Contradictions(listings)
        self._extractor = model.extractor(
            model.PLAIN, zone=vault.settings.timezone, categories=listings.category_slugs
        )
        self._sureness = Sureness(vault.settings, now)
        self._talks: dict[str, Session] = {}  # by the name of their note
        self._names: dict[str, str] = {}
        for talk in talks:
            self._talks[talk.path.stem] = talk.session
            self._names[talk.session.id] = talk.path.stem
        self._least = learning_settings(vault.settings.values).consolidation_min_observations
        self._recurring: list[Item] = []
        self._is_read = False
        self._gone: frozenset[str] | None = None  # None: not read yet
        self._done: set[str] = set()  # sentences, as they are compared

    def look_at(self, cluster: Sequence[Episode], rules: frozenset[str]) -> None:
        """What a topic says."""
        names = dict.fromkeys(name for each in cluster for name in each.sources)
        talks = [self._talks[name] for name in names if name in self._talks]
        talks.sort(key=lambda talk: (talk.at or 0, talk.id))
        for said in said_again(talks, least=self._least, skip=rules):
            self._say(said)
        often = recurring(cluster)
        if often is not None:
            self._see(often)

    # --- what was said again -----------------------------------------------------------------

    def _say(self, said: SaidAgain) -> None:

        key = language.canonical(said.statement)
        sources = [self._names[session] for session in said.sessions]
        if key in self._done:
            return
        self._done.add(key)
        known = self._find_known(key)
        if known is not None:
            self._confirm(known, sources, said.quote)
            return
        draft = self._read(said.statement)
        id_ = item_id(SAID, key)
        # What was forgotten or retracted was made again, active and as the person's, from the
        # conversations in which it had been said twice.
        if draft is None or self._was_there(id_) or self._was_taken_back(key):
            return
        item = self._item(draft, id_, sources, quote=said.quote, at=self._said_at(said))
        verdict = self._against.settle(item, at=self._said_at(said), now=self._now)
        same = verdict.same or verdict.updates
        if same is not None:
            self._confirm(same, sources, said.quote)
            return
        self._listings.add_note(verdict.item)
        self._against.add(verdict.item)
        if verdict.item.status == "active":
            self._listings.list_item(verdict.item)
        self._tell("created", None, verdict.item, [said.quote])
        for ended in verdict.ended:
            self._tell("ended", ended, ended, [said.quote])

    def _said_at(self, said: SaidAgain) -> int:
        """When it was said last."""
        times = [self._talks[self._names[each]].at for each in said.sessions]
        return max((at for at in times if at is not None), default=self._now)

    def _read(self, text: str) -> Draft | None:
        """What the extractor makes of a sentence that stands for itself; None: nothing lasting."""
        source = model.Source(id=SAID, turns=(model.Turn(text=text),), date=self._now)
        found = self._extractor.extract(source, now=self._now).drafts
        return found[0] if len(found) == 1 and found[0].kind in _KEPT else None

    def _find_known(self, key: str) -> Item | None:
        """The person's own item that says exactly this and holds."""
        ids = self._vault.index.items_with_statement(key)
        for item in vaults.load_items(self._vault, ids).values():
            if item.status == "active" and vaults.trust_of_item(self._vault, item) == USER:
                data = self._listings.working_copy.existing(
                    item.path
                )  # a rule or a doubt may be on it
                planned = notes.decode(item.path, data, item.oid).record
                return replace(planned, trust=USER) if isinstance(planned, Item) else None
        return None

    def _was_there(self, id_: str) -> bool:
        """Whether the note was there once: who forgot it, or took it back, meant that."""
        if self._vault.index.notes_with_id(id_):
            return True
        has_history = self._vault.history.head() is not None
        return has_history and bool(history.versions.level(self._vault).versions(id=id_))

    def _was_taken_back(self, key: str) -> bool:
        """Whether an item that said exactly this waits for the person, or they want it no more.

        Whoever forgot it may have left the conversations in which it was said.
        """
        ids = self._vault.index.items_with_statement(key)
        there = {item.status for item in vaults.load_items(self._vault, ids).values()}
        return bool(there & _NOT_WANTED) or key in self._forgotten_statements()

    def _forgotten_statements(self) -> frozenset[str]:
        """Statements of items that were there and are no more, as they are compared; read once."""
        if self._gone is None:
            is_new = self._vault.history.head() is None
            known = () if is_new else history.versions.level(self._vault).items_since(None)
            gone = [each for each in known if each.is_gone and each.statement]
            self._gone = frozenset(
                language.canonical(each.statement)
                for each in gone
                if not self._vault.index.notes_with_id(each.id)
            )
        return self._gone

    def _item(
        self, draft: Draft, id_: ItemId, sources: Sequence[str], *, quote: str, at: int
    ) -> Item:
        """The person's words as an item of theirs: said once, and confirmed by each other time."""
        zone = self._vault.settings.timezone
        item = replace(
            extract.make_item(draft, id_=id_, said=at, now=self._now, zone=zone),
            source=tuple(sources),
            projects=self._projects(draft, sources),
            quote=quote,
            confidence=self._vault.settings.facts_confidence,
            writer="person",
            trust=USER,
            observed="claimed",
        )
        for _ in sources[1:]:
            item = replace(item, confidence=round(self._sureness.after_confirmation(item), _ROUND))
        return item

    def _projects(self, draft: Draft, sources: Sequence[str]) -> tuple[str, ...]:
        """The project that all of the conversations were held in, if it is of the work there."""
        told = {self._talks[name].projects for name in sources if name in self._talks}
        return () if len(told) != 1 or extract.is_of_person(draft) else told.pop()

    # --- what happened again -----------------------------------------------------------------

    def _see(self, often: Recurring) -> None:
        events = [self._events[each.id] for each in often.episodes]
        sources = dict.fromkeys(name for each in events for name in each.source)
        known = next((item for item in self._read_seen() if _is_same(item, often)), None)
        if known is not None:
            self._see_again(known, events, tuple(sources))
            return
        id_ = item_id(RECURS, " ".join(sorted(often.words)))
        if self._was_there(id_):
            return
        zone = self._vault.settings.timezone
        typical = self._events[often.typical.id]
        places = places_of(self._vault, typical.statement, typical.valid_from)
        statement = f"Again and again: {without(typical.statement, places)}"
        item = Item(
            path=item_path(id_, statement, at=self._now, zone=zone),
            oid=NO_OID,
            title="",
            body=statement,
            id=id_,
            statement=statement,
            valid_from=min(each.valid_from or self._now for each in events),
            source=tuple(sources),
            importance=max(each.importance for each in events),
            confidence=self._vault.settings.facts_confidence,
            confidence_at=self._now,
            writer="agent",
            trust=LIMITED,
            observed="observed",
            links=tuple((EVIDENCE, each.path.stem) for each in events),
            fields={RECURS: tuple(sorted(often.words))},
        )
        self._listings.add_note(item)
        self.levels[item.id] = LIMITED
        self._recurring.append(item)
        self._tell("created", None, item, [each.statement for each in events])

    def _read_seen(self) -> list[Item]:
        """Facts that earlier runs saw, and this one; read once."""
        if self._is_read:
            return self._recurring
        self._is_read = True
        filters = Filters(types=("item",), kinds=("fact",), statuses=("active",))
        for row in self._vault.index.list(filters):
            if row.writer == "agent" and row.trust == LIMITED:
                item = vaults.read_record(self._vault, row.path)
                if isinstance(item, Item) and RECURS in item.fields:
                    self._recurring.append(item)
        return self._recurring

    def _see_again(self, item: Item, events: Sequence[Item], sources: tuple[str, ...]) -> None:
        """It happened on further days."""
        known = tuple(target for relation, target in item.links if relation == EVIDENCE)
        fresh = [each for each in events if each.path.stem not in known]
        if not fresh:
            return
        after = item
        for _ in {each.valid_from for each in fresh}:
            sure = self._sureness.after_confirmation(after)
            after = replace(after, confidence=sure, confidence_at=self._now)
        after = replace(
            after,
            source=tuple(dict.fromkeys((*item.source, *sources))),
            links=(*item.links, *((EVIDENCE, each.path.stem) for each in fresh)),
        )
        if self._listings.could_patch(
            item,
            {
                "confidence": round(after.confidence or 0.0, _ROUND),
                "confidence_at": format_instant(self._now, self._vault.settings.timezone),
                "source": as_links(after.source),
                EVIDENCE: as_links((*known, *(each.path.stem for each in fresh))),
            },
        ):
            self._tell("reinforced", item, after, [each.statement for each in fresh])
            # Another topic of this run may be about it, too.
            self._recurring = [after if each.id == item.id else each for each in self._recurring]

    # --- both ---------------------------------------------------------------------------------

    def _confirm(self, item: Item, sources: Sequence[str], text: str) -> None:
        """What is known gains the conversations that it did not count yet."""
        fresh = [name for name in sources if name not in item.source]
        if not fresh:
            return
        after = item
        for _ in fresh:
            sure = self._sureness.after_confirmation(after)
            after = replace(after, confidence=sure, confidence_at=self._now)
        if self._listings.could_patch(
            item,
            {
                "confidence": round(after.confidence or 0.0, _ROUND),
                "confidence_at": format_instant(self._now, self._vault.settings.timezone),
                "source": as_links((*item.source, *fresh)),
            },
        ):
            self._tell("reinforced", item, after, [text])

    def _tell(self, what: str, before: Item | None, item: Item, quotes: Sequence[str]) -> None:
        self.changes.append(
            FactChange(
                what=what,
                id=item.id,
                path=item.path,
                statement=item.statement,
                before=0.0 if before is None else round(self._sureness.worth(before), 4),
                confidence=round(self._sureness.worth(item), 4),
                quotes=tuple(dict.fromkeys(quotes)),
            )
        )


def _is_same(item: Item, often: Recurring) -> bool:
    """Whether a fact that was seen is about the same: by half of their words together."""
    words = frozenset(texts(item, RECURS))
    return 2 * len(words & often.words) >= len(words | often.words)


def places_of(vault: Vault, text: str, at: int | None) -> tuple[tuple[int, int], ...]:
    """Where a text names times, as of when it was said."""
    reference = vault.clock.now() if at is None else at
    found = find_dates(text, reference, vault.settings.timezone)
    return tuple((each.start, each.end) for each in found)


# --- from events to facts ---

# Events that are not marked yet (`consolidated`) are put together by topic with those that are. In
# the conversations behind a topic, what the person said more than once becomes a fact, or confirms
# one, or ends or contradicts one, by the rules by which `remember` does. Events of one topic on
# several days become a fact that the program has seen, and nobody said. The mark comes with the
# same commit, so nothing is counted twice and nothing that was missed is lost (algorithms 6.7).
MARK = "consolidated"
_MOST_READ = 2_000  # characters of an event: in one that is a document its beginning says the topic


@dataclass(frozen=True, slots=True, kw_only=True)
class Condensed:
    """What became of the events."""

    changes: tuple[FactChange, ...] = ()
    marked: tuple[str, ...] = ()  # ids of events that were looked at for the first time
    topics: int = 0
    waiting: int = 0  # events that are new, but too few for a run
    levels: Mapping[str, str] = field(
        default_factory=dict
    )  # trust of new items that is not the person's


def condense(
    vault: Vault,
    listings: Listings,
    talks: Sequence[Conversation],
    *,
    now: int,
    rules: frozenset[str] = frozenset(),
) -> Condensed:
    """Look at the events that nobody looked at, in the listings.

    talks  all conversations, oldest first
    rules  sentences, as they were written, that say rules: these are learned elsewhere
    """
    settings = learning_settings(vault.settings.values)
    events = dict(_events(vault))
    new = [item for item in events.values() if MARK not in item.fields]
    if not new or len(new) < settings.consolidation_min_episodes:
        return Condensed(waiting=len(new))
    episodes = {id_: _episode(vault, item) for id_, item in events.items()}
    fresh = {item.id for item in new}
    found = clusters(
        [episodes[id_] for id_ in sorted(fresh)],
        [each for id_, each in episodes.items() if id_ not in fresh],
        alike_from=settings.consolidation_cluster_similarity,
    )
    work = Work(vault, listings, events, talks, now=now)
    for cluster in found:
        work.look_at(cluster, rules)
    # A note whose keys stand in braces is valid YAML that no program can patch: one such event
    # stopped learning, merging and archiving of the whole vault each night.
    marked = [item.id for item in new if listings.could_patch(item, {MARK: True})]
    return Condensed(
        changes=tuple(work.changes),
        marked=tuple(sorted(marked)),
        topics=len(found),
        levels=work.levels,
    )


def _events(vault: Vault) -> Iterator[tuple[str, Item]]:
    """Events that hold or were put away, by id; none from outside, and none that gives orders."""
    filters = Filters(types=("item",), kinds=("event",), statuses=("active", "archived"))
    for row in sorted(vault.index.list(filters), key=lambda row: row.id):
        item = vaults.read_record(vault, row.path) if row.id and row.trust != UNTRUSTED else None
        if isinstance(item, Item) and item.id:
            trust = vaults.trust_of_item(vault, item)
            if may_be_told(trust, item.statement):
                yield item.id, replace(item, trust=trust)


def _episode(vault: Vault, item: Item) -> Episode:

    is_talk = model.is_episode(item.statement)
    text = item.statement.partition("; ")[2] if is_talk else item.statement
    text = text[:_MOST_READ]
    at = item.valid_from
    return Episode(
        id=item.id,
        words=topic_words(text, dates=places_of(vault, text, at)),
        tags=frozenset(item.tags),
        sources=item.source,
        day="" if at is None else format_date(at, vault.settings.timezone),
        is_talk=is_talk,
    )


# --- doubt: facts that something else speaks against ---

# `remember` flags two statements that cannot both be true where nothing says which is (the later
# one `contradicts` the other), and changes neither. Here the earlier one is believed less for it,
# as of when the later one was said, so it makes no difference when this runs (algorithms 6.4). Its
# note names those that counted (`against`).
CONTRADICTS = "contradicts"
AGAINST = "against"


def doubt(vault: Vault, listings: Listings, *, now: int) -> tuple[FactChange, ...]:
    """The facts that are believed less because of notes that had not counted yet."""
    told = []
    for path, rivals in _pairs(vault).items():
        rows = [vault.index.note(each) for each in (path, *rivals)]
        held = [load(vault, row) for row in rows if row is not None and is_current(row, now)]
        if not held or held[0].path != path:
            continue
        change = _weaken(listings, held[0], held[1:], now=now)
        if change is not None:
            told.append(change)
    return tuple(told)


def _pairs(vault: Vault) -> dict[PurePosixPath, list[PurePosixPath]]:
    """Path of a note -> those that contradict it, by path; a link both ways is of the later."""
    found: dict[PurePosixPath, list[PurePosixPath]] = {}
    for path, key in vault.index.typed_links(CONTRADICTS):
        known = vault.index.resolve_link(key)
        if known is not None and known.path != path:
            found.setdefault(known.path, []).append(path)
    return dict(sorted(found.items()))


def _weaken(listings: Listings, item: Item, rivals: list[Item], *, now: int) -> FactChange | None:
    if MEMORY_TYPES.get(item.kind) != "semantic" or item.confidence is None:
        return None
    if item.hard or item.pinned:
        return None
    counted = texts(item, AGAINST)
    fresh = [
        rival
        for rival in sorted(rivals, key=lambda each: (_said_at(each, now), each.id))
        if rival.id not in counted
        and not is_below(rival.trust, item.trust)  # others make nothing of the person's less sure
        and (_begins(rival), rival.id) > (_begins(item), item.id)
    ]
    if not fresh:
        return None
    settings, after = listings.vault.settings, item
    for rival in fresh:
        at = min(max(_said_at(rival, now), after.confidence_at or 0), now)
        left = Sureness(settings, at).after_doubt(after)
        after = replace(after, confidence=left, confidence_at=at)
    assert after.confidence is not None
    assert after.confidence_at is not None
    if not listings.could_patch(
        item,
        {
            "confidence": round(after.confidence, _ROUND),
            "confidence_at": format_instant(after.confidence_at, settings.timezone),
            AGAINST: (*counted, *(rival.id for rival in fresh)),
        },
    ):
        return None
    sureness = Sureness(settings, now)
    return FactChange(
        what="contradicted",
        id=item.id,
        path=item.path,
        statement=item.statement,
        before=round(sureness.worth(item), 4),
        confidence=round(sureness.worth(after), 4),
        quotes=tuple(rival.statement for rival in fresh),
    )


def _said_at(item: Item, now: int) -> int:
    return now if item.confidence_at is None else item.confidence_at


def _begins(item: Item) -> int:
    return item.valid_from or 0
