"""What a new statement is compared with: items of its slot by their words, arity, nominations.

A slot of many values ("what I like") may hold a good part of a vault, and an import or an edited
list may add thousands: each new one is compared only with those that it may mean something for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import PurePosixPath

from vaultmem import extract, language
from vaultmem.base import TYPE_CHECKING
from vaultmem.facts.supersede import Beginnings, Stated, can_rival
from vaultmem.model import holds_one, part_key, slot_key
from vaultmem.storage import index

if TYPE_CHECKING:
    from vaultmem.model import Item, NoteRow
    from vaultmem.storage.index import Lookups, Nominated
    from vaultmem.vault import Vault
Said = tuple[PurePosixPath, Stated]
# Looks into a slot, after which all of it is read once: one `remember` asks the index each time.
_OFTEN = 16
MOST_BESIDE = 8
"""Values of one breath that a value of the same slot is held against: the person is asked about
each pair, and a list of thousands of them would be asked about without end."""


class SlotWords:
    """Statements of one slot and where they stand; they are added and never taken away."""

    def __init__(self) -> None:
        self.asked = 0  # times that somebody looked into the slot
        self.is_whole = False  # what the index has of the slot is here, too
        self._said: list[Said] = []
        self._paths: set[PurePosixPath] = set()
        self._statements = Beginnings()
        self._values = Beginnings()
        self._by_value: dict[str, list[int]] = {}

    def add(self, path: PurePosixPath, stated: Stated) -> None:
        """A statement of the slot."""
        number = len(self._said)
        self._said.append((path, stated))
        self._paths.add(path)
        self._statements.add(stated.statement, number)
        self._values.add(stated.object, number)
        self._by_value.setdefault(part_key(stated.object), []).append(number)

    def values(self) -> set[str]:
        """The different values, by their keys."""
        return set(self._by_value)

    def among(self, paths: Collection[PurePosixPath]) -> list[PurePosixPath]:
        """Those of these files that state something here."""
        return [path for path in paths if path in self._paths]

    def all(self) -> list[Said]:
        """Everything, in the order in which it was added."""
        return list(self._said)

    def all_but(
        self, beside: Collection[PurePosixPath], path: PurePosixPath, *, like: str
    ) -> list[Said]:
        """Everything in the order in which it was added; of what was said in the same breath as
        this file's statement only what is like it, and the few that came just before it."""
        # Of values that were saved together the first ended all others, and took them out of the
        # person's list: nothing says which of one breath is right, so all stay.
        if not beside:
            return self.all()
        before: list[Said] = []
        found: list[Said] = []
        is_before = True
        for said in self._said:
            if said[0] not in beside:
                found.append(said)
            elif said[0] == path:
                is_before = False
            elif is_before:
                before.append(said)
        return [*found, *self.like(like), *before[-MOST_BESIDE:]]

    def like(self, statement: str) -> list[Said]:
        """What says the same, more or less than a statement, as far as its words tell."""
        return self._statements_at(self._statements.around(statement))

    def about(self, value: str) -> list[Said]:
        """What has the same value, or one of which either goes on where the other ends."""
        same = self._by_value.get(part_key(value), ())
        return self._statements_at([*same, *self._values.around(value)])

    def _statements_at(self, numbers: Iterable[int]) -> list[Said]:
        return [self._said[number] for number in sorted(set(numbers))]


class Slots:
    """Statements by slot: those of the index, and those that it does not know yet."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._by_key: dict[str, SlotWords] = {}

    def add(self, path: PurePosixPath, stated: Stated) -> None:
        """A statement that the index does not know."""
        key = slot_key(stated.subject, stated.predicate)
        if key:
            self._by_key.setdefault(key, SlotWords()).add(path, stated)

    def values(self, key: str) -> set[str]:
        """Keys of the values that were seen in the slot of a key; the index may know others."""
        words = self._by_key.get(key)
        return set() if words is None else words.values()

    def look(
        self,
        subject: str,
        predicate: str,
        *,
        near: str,
        pick: Callable[[SlotWords], Sequence[Said]],
        changed: Collection[PurePosixPath],
    ) -> tuple[list[PurePosixPath], list[Said]]:
        """Files of the slot that are among `changed`, and what else may be wanted of it.

        near  a value: only what may have one that begins so; '': any
        pick  all that can be wanted, and more, by its words
        """
        key = slot_key(subject, predicate)
        if not key:
            return [], []
        words = self._by_key.setdefault(key, SlotWords())
        words.asked += 1
        said: list[Said] = []
        if not words.is_whole:
            # Each of 1,000 new bullets of one slot was once compared with all others: 12 s of
            # processor, 1.4 so.
            near = near if words.asked < _OFTEN else ""
            rows = self._vault.index.items_in_slot(subject, predicate, near=near)
            said = [(row.path, stated_of(row)) for row in rows]
        # Comparing each of 1,000 new bullets with the whole slot took 12 s of processor; found by
        # how they begin, and read once after 16 looks, 1.4 s.
        if said and words.asked >= _OFTEN:
            for path, stated in said:
                words.add(path, stated)
            said = []
        words.is_whole = words.asked >= _OFTEN
        touched = [path for path, _ in said if path in changed] + words.among(changed)
        return touched, [*said, *pick(words)]


def stated_of(item: Item | NoteRow) -> Stated:
    """What an item says, as it is compared."""
    return Stated(
        statement=item.statement,
        subject=item.subject,
        predicate=item.predicate,
        object=item.object,
        valid_from=item.valid_from,
        valid_until=item.valid_until,
    )


# --- arity of a slot ---

SlotCardinality = Callable[[str], bool | None]
MOST_ASKED = 8  # values at a time of a slot of which nobody says how many it has


class SlotCardinalities:
    """Answers are kept: settings do not change under it, and values are added to slots."""

    def __init__(self, vault: Vault, slots: Slots) -> None:
        self._vault = vault
        self._slots = slots
        self._one: dict[str, bool | None] = {}  # by predicate
        self._many: set[str] = set()  # keys of slots in which so many values stand

    def of(self, item: Item) -> SlotCardinality:
        """By predicate, whether slots have one value at a time (None: nobody says), for an item.

        Where nobody says, the person is asked about each pair: not without end, and a slot in
        which `MOST_ASKED` values stand has told by itself that it has many.
        """
        key = slot_key(item.subject, item.predicate)
        if key and key not in self._many and self._holds_one(item.predicate) is None:
            newest = self._vault.index.newest_in_slot(
                item.subject, item.predicate, limit=MOST_ASKED
            )
            values = {part_key(row.object) for row in newest} | self._slots.values(key)
            if len(values) >= MOST_ASKED:
                self._many.add(key)
        return (lambda _: False) if key in self._many else self._holds_one

    def is_known(self, predicate: str) -> bool:
        """Whether it is known how many values slots of a predicate have."""
        return self._holds_one(predicate) is not None

    def _holds_one(self, predicate: str) -> bool | None:
        if predicate not in self._one:
            settings = self._vault.settings
            self._one[predicate] = holds_one(
                predicate, single=settings.slots_single, multiple=settings.slots_multiple
            )
        return self._one[predicate]


# --- nominations from the index ---

# The index nominates, and what was planned a moment ago nominates itself; both are few however
# much is known. Rules decide (`facts/supersede.py`).
MOST_ADDED = 40  # of those not in the index yet
QUICK_ADDED = 12  # of them, where many are asked about
MOST_ON_TOPIC = 16  # known statements that a new one is judged against, a millisecond each
# From here on 12 and not 40 are nominated, and 2,000 postings read in place of 20,000: 2,500 new
# bullets took 19 s of processor, nearly all of it for postings.
_MANY = 200  # statements in one go (an edited list, an import), after which each is a quick look
_ANSWERS = 256  # of the index that are kept
_TOO_COMMON = 500  # statements with a word, beyond which it tells nothing


class Nominations:
    """What may contradict a statement by its words."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._asked = 0
        self._batch: Lookups | None = None  # None: not many have been asked about yet
        # The index does not change while statements are planned, and all that tell a home ask for
        # the same words of homes: of 297 questions about 200 texts 88 had been asked before.
        self._answers: dict[tuple[str, bool], tuple[Nominated, ...]] = {}
        self._added: list[tuple[PurePosixPath, Stated]] = []
        self._with_word: dict[str, list[int]] = {}

    def add(self, path: PurePosixPath, stated: Stated) -> None:
        """A statement that the index does not know."""
        if extract.frame_of(stated.statement) is None:
            return  # nothing contradicts it by words
        for word in set(language.content_words(stated.statement)):
            self._with_word.setdefault(word, []).append(len(self._added))
        self._added.append((path, stated))

    def of(self, statement: str) -> list[tuple[PurePosixPath, Stated]]:
        """Where statements are that share rare words with this one, the most alike first."""
        if not can_rival(statement):
            return []
        self._asked += 1
        # For each of 2,500 new bullets up to 20,000 postings were read, 19 s of processor; in a
        # batch it is a tenth of these.
        if self._asked > _MANY and self._batch is None:
            self._batch = index.Lookups()
        rows = self._alike(statement)
        known = [(row.path, Stated(*row[1:7])) for row in rows]
        return known + self._of_added(statement)

    @property
    def _most_added(self) -> int:
        return MOST_ADDED if self._batch is None else QUICK_ADDED

    def on_topic(self, *texts: str) -> tuple[Nominated, ...]:
        """Active items of the index that share rare words with a text, the most alike first."""
        found = map(self._alike, texts)
        return tuple({row.path: row for rows in found for row in rows[:MOST_ON_TOPIC]}.values())

    def ended_on_topic(self, text: str) -> tuple[Nominated, ...]:
        """Items whose place another took that share rare words with a text, as `on_topic`."""
        superseded = self._vault.index.items_alike(text, status="superseded")
        return (*superseded, *self._vault.index.items_alike(text, status="expired"))

    def _alike(self, text: str) -> tuple[Nominated, ...]:
        """Active items of the index that share rare words with a text, asked once."""
        key = text, self._batch is None
        # All that tell a home ask for the same words: 88 of 297 questions of 200 texts.
        if key not in self._answers:
            if len(self._answers) >= _ANSWERS:
                self._answers.clear()
            self._answers[key] = self._vault.index.items_alike(text, batch=self._batch)
        return self._answers[key]

    def _of_added(self, statement: str) -> list[tuple[PurePosixPath, Stated]]:

        shared: Counter[int] = Counter()
        for word in set(language.content_words(statement)):
            places = self._with_word.get(word, ())
            if len(places) <= _TOO_COMMON:
                shared.update(places)
        # As one number each, which sorts in half the time of a pair.
        step = len(self._added)
        best = sorted([times * step + place for place, times in shared.items()], reverse=True)
        return [self._added[number % step] for number in best[: self._most_added]]
