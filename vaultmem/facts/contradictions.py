"""What a new item means for those that are known: who ends, who waits, who is flagged.

`facts/supersede.py` decides by rules; here times, trust and files are brought in. What
ends, ends at the new fact's valid_from, and an older fact that arrives late ends itself where the
known one begins (algorithms 5.6). Text of less trust ends nothing: it waits for the person.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import PurePosixPath

from vaultmem import judgement, model
from vaultmem import vault as vaults
from vaultmem.base import TYPE_CHECKING, dataclass, field, replace
from vaultmem.facts import validity
from vaultmem.facts.slot_candidates import (
    Nominations,
    Said,
    SlotCardinalities,
    SlotCardinality,
    Slots,
    SlotWords,
    stated_of,
)
from vaultmem.facts.supersede import (
    COEXIST,
    OPPOSITE,
    SAME,
    SUPERSEDE,
    UNDECIDED,
    UPDATE,
    Stated,
    can_be_taken_apart,
    decide,
    is_remainder,
    remainder_of,
    shelve,
)
from vaultmem.facts.validity import (
    CONTRADICTS,
    MAY_REPLACE,
    begins,
    begins_as_said,
    cuts_short,
    date_precisely,
    had_happened,
    may_be_over,
    may_end,
    overlap,
)
from vaultmem.language import format_minute
from vaultmem.model import Item, Oid, is_below, is_episode, part_key
from vaultmem.storage import notes

if TYPE_CHECKING:
    from vaultmem.facts.opinions import Opinions
    from vaultmem.judgement import Known as Judged
    from vaultmem.judgement import Outcome
    from vaultmem.storage.index import Nominated
    from vaultmem.vault import Listings

Triple = tuple[str, str, str]
_MOST_RECENT = 40  # of those that the index has not yet, the last ones are looked at
_MOST_HEARD = 12  # known statements on the topic of a new one about which a model is asked
_MOST_BEFORE = 4  # items among which the one before is looked for
_ONE_BREATH_MS = 600_000  # between two turns of which the later goes on with the earlier
_PLANNED = ("event", "task")
_COUNTS = ("active", "superseded", "expired")


@dataclass(slots=True, kw_only=True)
class Verdict:
    """What becomes of a new item, and of others because of it."""

    item: Item  # as it is to be kept
    same: Item | None = None  # this one says it already: the new one is not needed
    updates: Item | None = None  # this one gets the new words, and the new sources
    ended: list[Item] = field(default_factory=list)  # as they are now
    told: list[str] = field(default_factory=list)  # what a person is told about it
    changes: bool = False  # its words say that something known is over


class Contradictions:
    """Compares items with those in the same slot, as they are on a working copy."""

    def __init__(self, listings: Listings, opinions: Opinions | None = None) -> None:
        self._listings = listings
        self._vault = listings.vault
        self._zone = listings.vault.settings.timezone
        self._opinions = opinions  # of a model, on pairs that rules leave open; None: nobody's
        # What the index has not yet, as it was first said: words are added, never taken away.
        self._slots = Slots(listings.vault)
        self._arities = SlotCardinalities(listings.vault, self._slots)
        self._nominations = Nominations(listings.vault)
        self._compared: set[PurePosixPath] = set()
        self._rests: set[PurePosixPath] = set()  # made of what ended just now
        self._recent: list[tuple[Item, int]] = []  # not in the index yet, and when it was said
        # Items by the bytes that they were read from: what ended of a slot is looked at by each
        # later item of it.
        self._decoded: dict[PurePosixPath, tuple[bytes, Item]] = {}

    def add(self, item: Item, *, at: int = 0) -> None:
        """An item is in the listings that the index does not know; at: when it was said."""
        self._recent.append((item, at))
        self._nominations.add(item.path, stated_of(item))
        self._slots.add(item.path, stated_of(item))

    def settle(
        self,
        item: Item,
        *,
        at: int,
        now: int,
        is_default: bool = False,
        is_edit: bool = False,
        ends: Sequence[Triple] = (),
        beside: Collection[PurePosixPath] = (),
        is_told: bool = False,
        is_only_change: bool = False,
    ) -> Verdict:
        """What an active item means for the others; those that end are changed in the listings.

        item        its `trust` is what it is worth; it need not be in the listings
        at          when it was said
        is_default  nobody said from when it holds, so it is from the day on which it was said
        is_edit     it was known, and the person gave it other words: whatever these mean, it
                    stays as it is, and what cannot end is flagged
        ends        facts of which it says that they hold no more
        beside      files of items that were said in the same breath: of two of them that exclude
                    each other nothing says which is right, and both are kept and flagged
        is_told     the person told it: what it puts an end to is judged by its sense, too
        is_only_change  it is kept only if its words say that something known is over
        """
        verdict = Verdict(item=item)
        if is_only_change:
            self._judge(verdict, at=at, now=now, met=(), is_only_change=True)
            return verdict
        rivals: list[tuple[Item, str]] = []
        denied = {known.id: known for triple in ends for known in self._items_denied(triple, item)}
        # What says itself what it ends ('I no longer use Vim.') ends that and nothing else. And
        # what a conversation was about repeats what its own items say, and ends none of them.
        judges = is_told and not is_episode(item.statement) and not ends
        arity = self._arities.of(item)
        for known in self._related_items(item, arity, beside):
            decision = decide(stated_of(item), stated_of(known), holds_one=arity)
            if self._opinions is not None:
                heard = self._opinions.on(item, known, decision)
                # A plan that is over is so since that was said, whichever day is the earlier one.
                is_plan = judges and decision == UNDECIDED and known.kind in _PLANNED
                decision = decision if is_plan and heard == SUPERSEDE else heard
            if decision in (SAME, UPDATE):
                if known.status == "active" and not is_edit and overlap(item, known):
                    if decision == SAME:
                        return Verdict(item=item, same=known)
                    # It gets the new words: those of another trust would speak in its name.
                    if known.trust == item.trust and not known.hard:
                        return Verdict(item=item, updates=known)
            elif decision == COEXIST or known.id in denied:
                continue
            elif known.path not in beside or known.path in self._compared:
                # Each pair of what was said in one breath is flagged once, by the later one.
                rivals.append((known, UNDECIDED if known.path in beside else decision))
        self._compared.add(item.path)
        if is_edit:
            rivals = [
                (known, what if may_end(item, known) else UNDECIDED) for known, what in rivals
            ]
            denied = {id_: known for id_, known in denied.items() if may_end(item, known)}
        others = [*(known for known, _ in rivals if known.path not in beside), *denied.values()]
        item = date_precisely(item, others, at, is_default=is_default, zone=self._zone)
        verdict.item = item
        weaker = [
            known
            for known in (*(known for known, what in rivals if what == SUPERSEDE), *denied.values())
            if known.status == "active"
            and is_below(item.trust, known.trust)
            and cuts_short(item, known)
        ]
        if weaker:
            review = f"would end what is believed more: {weaker[0].statement}"
            verdict.item = replace(item, status="candidate", review=review)
            return verdict
        undecided = [
            known
            for known, what in rivals
            if judges and self._opinions is not None
            if what == UNDECIDED and known.path not in beside
        ]
        waiting = {known.id for known in undecided}
        rivals = [(known, what) for known, what in rivals if known.id not in waiting]
        for known, decision in rivals:
            self._meet(known, decision, verdict, now=now)
        for known in denied.values():
            if cuts_short(verdict.item, known):
                self._end(known, verdict, status=validity.EXPIRED, now=now)
        if judges and verdict.item.status == "active":
            met = {known.id for known, _ in rivals} | denied.keys()
            self._judge(verdict, at=at, now=now, met=met, undecided=undecided)
        return verdict

    def _judge(
        self,
        verdict: Verdict,
        *,
        at: int,
        now: int,
        met: Collection[str],
        undecided: Sequence[Item] = (),
        is_only_change: bool = False,
    ) -> None:
        """What the sense of a statement does to others on its topic: what is sure ends, what is
        likely is marked; all else stands beside it. Where a model is asked, it decides.

        undecided  those that contradict it by rules which say nothing of which is right
        """
        item = verdict.item
        if item.valid_until is not None and item.valid_until <= now:
            for known in undecided:
                self._flag(known, verdict)
            return  # what is over itself ends nothing
        nominated = self._on_topic(item, at=at, undecided=undecided)
        has_slot = self._is_ruled(item)
        found = judgement.outcomes(
            item.statement,
            [known for _, known in nominated],
            said_after=item.said_after,
            said_with=self._said_with(item, at=at),
            by_rules=[has_slot and self._is_ruled(one) for one, _ in nominated],
        )
        if is_only_change:
            found = [each for each in found if each.why]
        heard = (
            {} if is_only_change else self._ask_opinions(item, [one for one, _ in nominated], met)
        )
        back = self._go_back(verdict, at=at, now=now)
        for place, outcome in heard.items():
            meant = self._candidate(nominated[place][0].path, item, met=met, now=now)
            if meant is None or outcome is None:
                continue
            is_over = meant.kind in _PLANNED or may_be_over(item, meant, at=at, zone=self._zone)
            if is_over and not meant.critical:
                self._end_judged(meant, verdict, outcome, at=at, now=now)
            else:
                self._doubt(meant, verdict)
        done = {nominated[place][0].path for place in heard}
        asked = {known.path for known in undecided}
        for outcome in found:
            path = nominated[outcome.place][0].path
            meant = None if path in done else self._candidate(path, item, met=met, now=now)
            if meant is None:
                continue
            if outcome.by_value and had_happened(meant, zone=self._zone):
                continue  # 'Ann visited on 2 March' is as true after 'Ann visited on 9 March'
            done.add(path)
            if path in (self._rests | back) and not outcome.why:
                continue  # 'Finn turned nine. I'm 40 now.' doubts not what Finn plays
            verdict.changes = verdict.changes or bool(outcome.why)
            can_end = not outcome.rest or can_be_taken_apart(meant)
            if (
                outcome.what == judgement.END
                and can_end
                and may_be_over(item, meant, at=at, zone=self._zone)
            ):
                self._end_judged(meant, verdict, outcome, at=at, now=now)
            elif path not in asked:
                self._doubt(meant, verdict)
            else:
                self._flag(meant, verdict)
        for known in undecided:
            if known.path not in done:
                self._flag(known, verdict)

    def _on_topic(
        self, item: Item, *, at: int, undecided: Sequence[Item]
    ) -> list[tuple[Item | Nominated, Judged]]:
        """Known statements on the topic of an item, and as they are judged; each once."""
        before = item.said_after or self._said_with(item, at=at)
        text = f"{item.statement} {before}".strip()
        # In the order in which it was said: 'We moved house!', 'It's Portree now.' tell a home.
        asked = judgement.asked_by(f"{before} {item.statement}".strip())
        slot = " ".join((item.predicate.replace("_", " "), item.object)).strip()
        changed = self._listings.working_copy.changed
        found: list[Item | Nominated] = [
            row
            for row in self._nominations.on_topic(text, *asked, *([slot] if slot else []))
            if row.path not in changed and row.path != item.path and not is_episode(row.statement)
        ]
        found += [
            one for one, said in self._recent[-_MOST_RECENT:] if said < at and one.path != item.path
        ]
        found = [*undecided, *found]
        return [
            (one, judgement.Known(one.statement, one.said_after, one.critical, bool(one.hard)))
            for one in {one.path: one for one in found}.values()
            if not _are_apart(item, one)
        ]

    def _said_with(self, item: Item, *, at: int) -> str:
        """The statement before an item in the text or talk that both came from; '': none.

        'Dr. Ayala's office rang.', 'They moved it to 15 April.'
        """
        for one, said in reversed(self._recent[-_MOST_BEFORE:]):
            is_near = 0 <= at - said <= _ONE_BREATH_MS
            if (
                is_near
                and not is_episode(one.statement)
                and not {*one.source}.isdisjoint(item.source)
            ):
                return one.statement
        return ""

    def _go_back(self, verdict: Verdict, *, at: int, now: int) -> set[PurePosixPath]:
        """What took the place of something is over where that is so again: A, then B, then A.

        'CI runs on Buildkite.', 'They moved us to Actions.', 'CI is on Buildkite again.' Returns
        what is so again, which is not made doubtful by it.
        """
        item, back = verdict.item, set[PurePosixPath]()
        if not judgement.again(item.statement):
            return back
        nominations, text = self._nominations, item.statement
        alike = nominations.on_topic(text)
        # The index may not have heard yet that one of the first ones is over.
        ended = nominations.ended_on_topic(text)
        for path in dict.fromkeys(row.path for row in (*alike, *ended)):
            before = self._read(path)
            if before is None or _are_apart(item, before):
                continue
            if not judgement.again(text, judgement.Known(before.statement)):
                continue
            if before.status == "active":
                back.add(path)
                self._stood_between(before, alike, verdict, at=at, now=now)
            elif before.status in (validity.SUPERSEDED, validity.EXPIRED):
                self._took_its_place(before, verdict, at=at, now=now)
        return back

    def _took_its_place(self, before: Item, verdict: Verdict, *, at: int, now: int) -> None:
        """What ended the former one, which is so again, is over."""
        item = verdict.item
        for key in before.superseded_by:
            meant = self._vault.index.resolve_link(key)
            known = self._candidate(meant.path, item, met=(), now=now) if meant else None
            if known is None or known.critical or is_remainder(known, before):
                continue
            verdict.changes = True
            former = judgement.Known(before.statement)
            if judgement.again(item.statement, former, known.statement):
                self._end_between(known, before, verdict, at=at, now=now)
            else:  # the later one names it, too: 'We moved to Actions, Buildkite is off.'
                self._doubt(known, verdict)

    def _stood_between(
        self, before: Item, alike: Sequence[Nominated], verdict: Verdict, *, at: int, now: int
    ) -> None:
        """What was told after the former one as a change is over, or likely so, where nothing in
        it denied that ('I buy my bread at the Polish baker now.').
        """
        item, former = verdict.item, judgement.Known(before.statement)
        rivals = self._vault.index.linking(MAY_REPLACE, before.path)
        told = (*alike, *self._nominations.on_topic(former.statement))
        changed = self._listings.working_copy.changed
        rows = {row.path: row for row in told if row.path not in changed}

        def becomes(one: Item | Nominated) -> str:
            known, is_rival = judgement.Known(one.statement, one.said_after), one.path in rivals
            return judgement.stood_between(known, former, item.statement, is_rival=is_rival)

        for path in dict.fromkeys((*rivals, *(row.path for row in told))):
            if path in rows and not becomes(rows[path]):
                continue  # of thirty that share words with it one may be over: its file is read
            known = self._candidate(path, item, met=(before.id,), now=now)
            if known is None or known.critical or known.path == item.path:
                continue
            if begins(known) < begins(before) or is_episode(known.statement):
                continue
            what = becomes(known)
            verdict.changes = verdict.changes or bool(what)
            if what == judgement.END:
                self._end_between(known, before, verdict, at=at, now=now)
            elif what:
                self._doubt(known, verdict)

    def _end_between(
        self, known: Item, before: Item, verdict: Verdict, *, at: int, now: int
    ) -> None:
        why = f"this is so again: {before.statement}"
        over = judgement.Outcome(0, judgement.END, 1.0, "replaces", why)
        self._end_judged(known, verdict, over, at=at, now=now)

    def _ask_opinions(
        self,
        item: Item,
        nominated: Sequence[Item | Nominated],
        met: Collection[str],
    ) -> dict[int, judgement.Outcome | None]:
        """What a model decided about those on its topic, by their places; None: both stand.

        They are nominated generously: rules know few words for what takes the place of what.
        """
        if self._opinions is None:
            return {}
        heard: dict[int, judgement.Outcome | None] = {}
        for place, one in enumerate(nominated[:_MOST_HEARD]):
            known = self._read(one.path)
            if known is None or known.status != "active" or known.id in met:
                continue
            # What is critical is not put to it: a wrong word would put an allergy in doubt. Words
            # that say in so many words that it is over are seen without a model.
            if known.critical or known.hard or known.kind == "rule":
                continue
            if is_below(item.trust, known.trust):
                continue
            decision = self._opinions.on(item, known, UNDECIDED)
            if decision in (SUPERSEDE, UPDATE):
                heard[place] = judgement.Outcome(
                    place, judgement.END, 1.0, "replaces", "the model decided so"
                )
            elif decision == COEXIST:
                heard[place] = None
        return heard

    def _candidate(
        self, path: PurePosixPath, item: Item, *, met: Collection[str], now: int
    ) -> Item | None:
        """A known item that an item may put an end to, or make doubtful; None: this one not."""
        known = self._read(path)
        if known is None or known.status != "active" or known.id in met:
            return None
        if _are_apart(item, known):
            return None  # "we use npm here" says nothing of another repository
        if known.hard or known.kind == "rule":
            return None  # a command holds until it is taken back
        if is_below(item.trust, known.trust):
            return None
        return None if known.valid_until is not None and known.valid_until <= now else known

    def _is_ruled(self, one: Item | Nominated) -> bool:
        """Whether rules know what a statement says of whom: of two such, the learned model of
        change decides nothing.

        It marked two pairs of the everyday personas in which both have a slot, and was wrong in
        both ('My husband Luis is ...', 'Luis's dad moved ...'). A slot in the words of a model
        (`goes_to_gym`, `has_dentist_appointment`) rules nothing.
        """
        is_whole = all((one.subject, one.predicate, one.object))
        return is_whole and (self._opinions is None or self._arities.is_known(one.predicate))

    def _end_judged(
        self, known: Item, verdict: Verdict, outcome: Outcome, *, at: int, now: int
    ) -> None:
        """The known one ended when the new one began, or where that is not later, when it was said.

        An undated statement of the present is known since it was said and does not begin then: so
        'I live in Graz.' is no younger than 'I moved to Vienna last week.'
        """
        item, listings = verdict.item, self._listings
        until = int(max(begins(item) if begins(item) > float("-inf") else at, begins(known) + 1))
        status = validity.SUPERSEDED if outcome.relation == "replaces" else validity.EXPIRED
        by = item.path.stem
        if until > now and (outcome.at_once or known.kind in _PLANNED or begins(known) > now):
            # What is to be on another day, or is called off, is so no more since this was said.
            until = int(at)
        if begins(known) < until:
            after = validity.close(listings, known, until=until, status=status, now=now, by=by)
            when = f"on {self._day(until)}"
        else:
            after = validity.call_off(listings, known, status=status, by=by)
            when = "before it began"
        verdict.ended.append(after)
        links = _with(item.supersedes, known.path.stem)
        item = validity.take_over(item, known, outcome, zone=self._zone)
        verdict.item = replace(item, supersedes=links)
        verdict.told.append(f"ends {known.id} {when}: {known.statement} ({outcome.why})")
        if outcome.rest:
            self._keep_rest(after, outcome.rest, verdict)

    def _keep_rest(self, ended: Item, rest: str, verdict: Verdict) -> None:
        """What still holds of an item of which a part is over is an item of its own; what may
        have ended the whole and is not about that part may have ended this, too.
        """
        item = replace(remainder_of(ended, rest), valid_until=None)
        if not shelve(self._listings, item):
            return
        self.add(item)
        self._rests.add(item.path)
        links = validity.as_links(_with(ended.superseded_by, item.path.stem))
        self._listings.patch_item(ended, {"superseded_by": links})
        verdict.told.append(f"keeps {item.id}: {rest}")
        for newer in map(self._read, self._vault.index.linking(MAY_REPLACE, ended.path)):
            if (
                newer is not None
                and newer.status == "active"
                and judgement.is_likely_over(judgement.Known(rest), newer.statement)
            ):
                doubted = tuple(name for kind, name in newer.links if kind == MAY_REPLACE)
                both = validity.as_links(_with(doubted, item.path.stem))
                self._listings.patch_item(newer, {MAY_REPLACE: both})

    def _doubt(self, known: Item, verdict: Verdict) -> None:
        """Both are kept, the newer first; the older one may be out of date."""
        if begins(known) > begins(verdict.item) and begins_as_said(known, zone=self._zone):
            return  # of one talk: what was said later is not out of date by what came before
        if had_happened(known, zone=self._zone):
            return  # 'I went climbing on 1 March' is as true after 'I went climbing on 5 March'
        link = (MAY_REPLACE, known.path.stem)
        if link not in verdict.item.links:
            verdict.item = replace(verdict.item, links=(*verdict.item.links, link))
        said = "" if known.valid_from is None else f" ({self._day(known.valid_from)})"
        verdict.told.append(
            f"may replace {known.id}{said}: {known.statement} "
            f"(`vaultmem expire {known.id}` if it is over)"
        )

    # --- what is known ---------------------------------------------------------------------

    def _related_items(
        self, item: Item, arity: SlotCardinality, beside: Collection[PurePosixPath]
    ) -> list[Item]:
        """Items in its slot, in that of the opposite taste and alike that mean something for it.

        Those of a slot by oldest validity. A slot of many values may hold a good part of the
        vault: rows of the index tell which are about another thing, and no file is read for them.
        """
        new = stated_of(item)

        def matters(stated: Stated) -> bool:
            return decide(new, stated, holds_one=arity) != COEXIST

        # Where values exclude each other, all of them are wanted. Where they do not, the one that
        # a sentence says it replaces is nominated by its words.
        is_many = arity(item.predicate) is False
        found = self._in_slot(
            item.subject,
            item.predicate,
            item.object if is_many else "",
            matters,
            lambda words: (
                words.like(item.statement)
                if is_many
                else words.all_but(beside, item.path, like=item.statement)
            ),
            but=item.path,
        )
        opposite = OPPOSITE.get(part_key(item.predicate))
        if opposite is not None and item.object:
            found += self._about(item.subject, opposite, item.object, matters)
        alike = [
            path
            for path, said in self._nominations.of(item.statement)
            if path != item.path and matters(said)
        ]
        found += [known for known in self._read_those(alike) if known.status == "active"]
        every = {
            known.id: known
            for known in found
            if known.status in _COUNTS and not _are_apart(item, known)
        }
        return [known for id_, known in every.items() if id_ != item.id]

    def _items_denied(self, triple: Triple, item: Item) -> list[Item]:
        subject, predicate, value = triple

        def is_it(stated: Stated) -> bool:
            return part_key(stated.object) == part_key(value)

        return [
            known
            for known in self._about(subject, predicate, value, is_it)
            if known.status == "active" and known.id != item.id and is_it(stated_of(known))
            if not _are_apart(item, known)
        ]

    def _about(
        self, subject: str, predicate: str, value: str, wanted: Callable[[Stated], bool]
    ) -> list[Item]:
        """As `_in_slot`, where only what has this value or one that begins so can be wanted."""
        return self._in_slot(subject, predicate, value, wanted, lambda words: words.about(value))

    def _in_slot(
        self,
        subject: str,
        predicate: str,
        near: str,
        wanted: Callable[[Stated], bool],
        pick: Callable[[SlotWords], Sequence[Said]],
        *,
        but: PurePosixPath | None = None,
    ) -> list[Item]:
        """Items of a slot as they will be, of which what they said before is wanted.

        near  a value: only items whose value may begin as it does; '': any
        pick  all that can be wanted, and more, by its words
        but   the file of the item that is held against them: it says the same as itself
        """
        changed = self._listings.working_copy.changed
        touched, said = self._slots.look(subject, predicate, near=near, pick=pick, changed=changed)
        paths = [*touched, *(path for path, stated in said if path != but and wanted(stated))]
        return self._read_those(path for path in paths if path != but)

    def _read_those(self, paths: Iterable[PurePosixPath]) -> list[Item]:
        """Items as they will be, oldest validity first."""
        every = dict.fromkeys(paths)
        found = [item for path in every if (item := self._read(path)) is not None]
        return sorted(found, key=lambda each: (each.valid_from or 0, each.id))

    def _read(self, path: PurePosixPath) -> Item | None:
        data = self._listings.working_copy.text(path)
        if data is None:
            return None
        known = self._decoded.get(path)
        if known is not None and known[0] is data:
            return known[1]
        record = notes.decode(path, data, Oid(""), zone=self._zone).record
        if not isinstance(record, Item) or not record.id:
            return None
        item = replace(record, trust=vaults.trust_of_item(self._vault, record))
        self._decoded[path] = data, item
        return item

    # --- what becomes of it ----------------------------------------------------------------

    def _meet(self, known: Item, decision: str, verdict: Verdict, *, now: int) -> None:
        """Bring one rival into order with the new item."""
        item = verdict.item
        if not overlap(item, known):
            return
        is_settled = known.status != "active"  # its own end was stated before
        if decision == UNDECIDED or known.hard:
            if not is_settled:
                self._flag(known, verdict)
        elif begins(item) > begins(known):
            outlives = known.valid_until is None and item.valid_until is not None
            if outlives and not is_settled:
                self._flag(known, verdict)  # what holds after the new one ends is not known
            else:
                self._end(known, verdict, status=validity.SUPERSEDED, now=now)
        elif begins(item) < begins(known):
            self._end_at_known(known, verdict, now=now)
        elif not is_settled:
            self._flag(known, verdict)  # from the same moment on: nothing says which is right

    def _end(self, known: Item, verdict: Verdict, *, status: str, now: int) -> None:
        """The known one ends where the new one begins."""
        item = verdict.item
        assert item.valid_from is not None
        after = validity.close(
            self._listings, known, until=item.valid_from, status=status, now=now, by=item.path.stem
        )
        verdict.ended.append(after)
        verdict.item = replace(item, supersedes=_with(item.supersedes, known.path.stem))
        verdict.told.append(f"ends {known.id} on {self._day(item.valid_from)}: {known.statement}")
        rest = (
            judgement.rest_of(known.statement, item.statement)
            if status == validity.SUPERSEDED
            else ""
        )
        if rest and can_be_taken_apart(known):
            self._keep_rest(after, rest, verdict)

    def _end_at_known(self, known: Item, verdict: Verdict, *, now: int) -> None:
        """The new one is older, and ended where the known one began."""
        item, until = verdict.item, known.valid_from
        assert until is not None
        over = until <= now
        verdict.item = replace(
            item,
            valid_until=until,
            status=validity.SUPERSEDED if over else item.status,
            superseded_by=_with(item.superseded_by, known.path.stem),
        )
        if not is_below(item.trust, known.trust):
            links = validity.as_links(_with(known.supersedes, item.path.stem))
            self._listings.patch_item(known, {"supersedes": links})
        verdict.told.append(
            f"ended on {self._day(until)}, when {known.id} began: {known.statement}"
        )

    def _flag(self, known: Item, verdict: Verdict) -> None:
        """Both hold until the person decides; `check` lists them."""
        item = verdict.item
        link = (CONTRADICTS, known.path.stem)
        if link not in item.links:
            verdict.item = replace(item, links=(*item.links, link))
        verdict.told.append(f"contradicts {known.id} (`vaultmem check`): {known.statement}")

    def _day(self, ms: int) -> str:
        return format_minute(ms, self._zone)


def _are_apart(item: Item, known: Item | Nominated) -> bool:
    """Whether they were told in two projects; looked at for the few that were told in any."""
    return bool(item.projects and known.projects) and model.are_apart(item.projects, known.projects)


def _with(targets: tuple[str, ...], target: str) -> tuple[str, ...]:
    return targets if target in targets else (*targets, target)
