"""From events to facts: what conversations say again, and what happens again and again.

Events that are not marked yet (`consolidated`) are put together by topic with those that are. In
the conversations behind a topic, what the person said more than once becomes a fact, or confirms
one, or ends or contradicts one, by the rules by which `remember` does. Events of one topic on
several days become a fact that the program has seen, and nobody said. The mark comes with the same
commit, so nothing is counted twice and nothing that was missed is lost (algorithms 6.7).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from vaultmem.base.records import dataclass, field, replace
from vaultmem.config.learning import learning_settings
from vaultmem.language.time import format_date
from vaultmem.learn.events import Work, places_of
from vaultmem.learn.overviews import may_be_told
from vaultmem.learn.topics import Episode, clusters, topic_words
from vaultmem.model.answers import Filters
from vaultmem.model.jobs import FactChange
from vaultmem.model.notes import Item
from vaultmem.model.trust import UNTRUSTED

if TYPE_CHECKING:
    from vaultmem.learn.conversations import Conversation
    from vaultmem.vault.lists.lists import Shelf
    from vaultmem.vault.vault import Parts

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
    parts: Parts,
    shelf: Shelf,
    talks: Sequence[Conversation],
    *,
    now: int,
    rules: frozenset[str] = frozenset(),
) -> Condensed:
    """Look at the events that nobody looked at, on a shelf.

    talks  all conversations, oldest first
    rules  sentences, as they were written, that say rules: these are learned elsewhere
    """
    settings = learning_settings(parts.settings.values)
    events = dict(_events(parts))
    new = [item for item in events.values() if MARK not in item.fields]
    if not new or len(new) < settings.consolidation_min_episodes:
        return Condensed(waiting=len(new))
    episodes = {id_: _episode(parts, item) for id_, item in events.items()}
    fresh = {item.id for item in new}
    found = clusters(
        [episodes[id_] for id_ in sorted(fresh)],
        [each for id_, each in episodes.items() if id_ not in fresh],
        alike_from=settings.consolidation_cluster_similarity,
    )
    work = Work(parts, shelf, events, talks, now=now)
    for cluster in found:
        work.look_at(cluster, rules)
    marked = [item.id for item in new if shelf.could_patch(item, {MARK: True})]
    return Condensed(
        changes=tuple(work.changes),
        marked=tuple(sorted(marked)),
        topics=len(found),
        levels=work.levels,
    )


def _events(parts: Parts) -> Iterator[tuple[str, Item]]:
    """Events that hold or were put away, by id; none from outside, and none that gives orders."""
    from vaultmem.vault.provenance import trust_of_item
    from vaultmem.vault.unsettled import read_record

    filters = Filters(types=("item",), kinds=("event",), statuses=("active", "archived"))
    for row in sorted(parts.index.list(filters), key=lambda row: row.id):
        item = read_record(parts, row.path) if row.id and row.trust != UNTRUSTED else None
        if isinstance(item, Item) and item.id:
            trust = trust_of_item(parts, item)
            if may_be_told(trust, item.statement):
                yield item.id, replace(item, trust=trust)


def _episode(parts: Parts, item: Item) -> Episode:
    from vaultmem.model.talks.episode import is_episode

    is_talk = is_episode(item.statement)
    text = item.statement.partition("; ")[2] if is_talk else item.statement
    text = text[:_MOST_READ]
    at = item.valid_from
    return Episode(
        id=item.id,
        words=topic_words(text, dates=places_of(parts, text, at)),
        tags=frozenset(item.tags),
        sources=item.source,
        day="" if at is None else format_date(at, parts.settings.timezone),
        is_talk=is_talk,
    )
