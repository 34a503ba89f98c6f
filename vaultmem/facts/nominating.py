"""Which known statements a new one is compared with by its words, beside those in its slot.

The index nominates, and what was planned a moment ago nominates itself; both are few however
much is known. Rules decide (`facts/rivals.py`).
"""

from __future__ import annotations

from collections import Counter
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vaultmem.facts.contradiction import Stated

if TYPE_CHECKING:
    from vaultmem.storage.index.lookups import Lookups, Nominated
    from vaultmem.vault.vault import Parts

MOST_ADDED = 40  # of those not in the index yet
QUICK_ADDED = 12  # of them, where many are asked about
MOST_ON_TOPIC = 16  # known statements that a new one is judged against, a millisecond each
_MANY = 200  # statements in one go (an edited list, an import), after which each is a quick look
_TOO_COMMON = 500  # statements with a word, beyond which it tells nothing


class Nominations:
    """What may contradict a statement by its words."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._asked = 0
        self._batch: Lookups | None = None  # None: not many have been asked about yet
        self._added: list[tuple[PurePosixPath, Stated]] = []
        self._with_word: dict[str, list[int]] = {}

    def added(self, path: PurePosixPath, stated: Stated) -> None:
        """A statement that the index does not know."""
        from vaultmem.extract.statements import frame_of
        from vaultmem.language.stems import content_words

        if frame_of(stated.statement) is None:
            return  # nothing contradicts it by words
        for word in set(content_words(stated.statement)):
            self._with_word.setdefault(word, []).append(len(self._added))
        self._added.append((path, stated))

    def of(self, statement: str) -> list[tuple[PurePosixPath, Stated]]:
        """Where statements are that share rare words with this one, the most alike first."""
        from vaultmem.facts.rivals import can_rival

        if not can_rival(statement):
            return []
        self._asked += 1
        if self._asked > _MANY and self._batch is None:
            from vaultmem.storage.index.lookups import Lookups

            self._batch = Lookups()
        rows = self._parts.index.items_alike(statement, batch=self._batch)
        known = [(row.path, Stated(*row[1:7])) for row in rows]
        return known + self._of_added(statement)

    @property
    def _most_added(self) -> int:
        return MOST_ADDED if self._batch is None else QUICK_ADDED

    def on_topic(self, *texts: str) -> tuple[Nominated, ...]:
        """Active items of the index that share rare words with a text, the most alike first."""
        found = (self._parts.index.items_alike(each, batch=self._batch) for each in texts)
        return tuple({row.path: row for rows in found for row in rows[:MOST_ON_TOPIC]}.values())

    def ended_on_topic(self, text: str) -> tuple[Nominated, ...]:
        """Items whose place another took that share rare words with a text, as `on_topic`."""
        superseded = self._parts.index.items_alike(text, status="superseded")
        return (*superseded, *self._parts.index.items_alike(text, status="expired"))

    def _of_added(self, statement: str) -> list[tuple[PurePosixPath, Stated]]:
        from vaultmem.language.stems import content_words

        shared: Counter[int] = Counter()
        for word in set(content_words(statement)):
            places = self._with_word.get(word, ())
            if len(places) <= _TOO_COMMON:
                shared.update(places)
        # As one number each, which sorts in half the time of a pair.
        step = len(self._added)
        best = sorted([times * step + place for place, times in shared.items()], reverse=True)
        return [self._added[number % step] for number in best[: self._most_added]]
