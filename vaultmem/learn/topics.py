"""What events have in common: clusters by topic, and what they say more than once. Pure.

Algorithms 6.7: new events are chosen by their mark, never by age, and held against those that were
looked at before, so that what happens once a month is seen as well as what happens every day.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import ceil

from vaultmem.base import dataclass
from vaultmem.learn.conversations import Session
from vaultmem.learn.own_statements import Language, Statement, clauses, spoken_in, statements
from vaultmem.learn.patterns import MOST_TURN_CHARACTERS, polarity_of, words_of

LEAST_ALIKE = 0.3  # token Jaccard that joins two events
LEAST_TIMES = 3  # days on which something happens again and again: two are chance
LEAST_WORDS = 2  # content words that say what it is
_ROUNDING = 1e-9  # 0.3 * 10 is a little more than 3
LONGEST = 200  # characters of a sentence that may become a fact


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """One event, or one conversation that was ended."""

    id: str
    words: frozenset[str]  # content words, without dates
    tags: frozenset[str] = frozenset()
    sources: tuple[str, ...] = ()  # texts that it is from
    day: str = ""  # on which it happened; '': unknown
    is_talk: bool = False  # it stands for a whole conversation


@dataclass(frozen=True, slots=True, kw_only=True)
class Recurring:
    """Events that say about the same, on different days."""

    words: frozenset[str]  # that most of them have
    episodes: tuple[Episode, ...]  # by day
    typical: Episode  # all of its words are shared; the one that says most, the latest of equals


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidAgain:
    """A sentence that the person said in several conversations, in the same content words."""

    quote: str  # as it was said first, without its closing mark
    sessions: tuple[str, ...]  # ids, in the order in which they were given

    @property
    def statement(self) -> str:
        """The sentence on one line, with a closing mark."""
        return f"{' '.join(self.quote.split())}."


def clusters(
    new: Sequence[Episode], known: Sequence[Episode], *, alike_from: float = LEAST_ALIKE
) -> tuple[tuple[Episode, ...], ...]:
    """The topics of new events: single link, over what the new ones are joined with.

    new    each is in exactly one cluster
    known  looked at before: in a cluster where it is joined with a new one
    Joined are two with a tag in common, and two without one on either side whose words are alike.
    Each cluster, and the clusters, by the ids in them: the order of the input does not matter.
    """
    by_id = {each.id: each for each in (*known, *new)}
    # 4,000 events of one tag, each pair looked at, took 12 s, and take 0.14.
    alike: dict[object, list[str]] = {}  # what says the same is compared once
    for id_, each in by_id.items():
        says = (each.words, each.tags) if each.words or each.tags else id_
        alike.setdefault(says, []).append(id_)
    first = {members[0]: members for members in alike.values()}
    fresh = {each.id for each in new}
    new_ones = {id_ for id_, members in first.items() if not fresh.isdisjoint(members)}
    roots = {id_: id_ for id_ in first}

    def root(id_: str) -> str:
        while roots[id_] != id_:
            roots[id_] = roots[roots[id_]]
            id_ = roots[id_]
        return id_

    for one, other in _near({id_: by_id[id_] for id_ in first}, new_ones, alike_from=alike_from):
        left, right = root(one.id), root(other.id)
        if left != right and are_of_one_topic(one, other, alike_from=alike_from):
            roots[right] = left
    joined = {root(id_) for id_ in new_ones}
    found: dict[str, list[Episode]] = {}
    for id_, members in first.items():
        if root(id_) in joined:
            found.setdefault(root(id_), []).extend(by_id[each] for each in members)
    ordered = (tuple(sorted(each, key=lambda one: one.id)) for each in found.values())
    return tuple(sorted(ordered, key=lambda cluster: cluster[0].id))


def _near(
    episodes: Mapping[str, Episode], new: Collection[str], *, alike_from: float
) -> Iterator[tuple[Episode, Episode]]:
    """All pairs with a new one that may be of one topic, and as few others as can be told cheaply.

    By tags each is named with one other. By words, two that share enough of them share one of
    their rarest (prefix filtering: Chaudhuri, Ganti and Kaushik 2006), so what everybody says
    ("went", "today") makes no pairs.
    """
    often = Counter(word for each in episodes.values() for word in each.words)
    by_tag: dict[str, list[Episode]] = {}
    by_word: dict[str, list[Episode]] = {}
    rarest: dict[str, list[str]] = {}
    for each in episodes.values():
        for tag in each.tags:
            by_tag.setdefault(tag, []).append(each)
        # Words nominate by their rarest (prefix filtering): where words alone join events 6.7 s
        # became .8.
        words = sorted(each.words, key=lambda word: (often[word], word))
        shared = max(1, ceil(alike_from * len(words) - _ROUNDING))
        rarest[each.id] = words[: len(words) - shared + 1]
        for word in rarest[each.id]:
            by_word.setdefault(word, []).append(each)
    for members in by_tag.values():
        middle = next((each for each in members if each.id in new), None)
        if middle is not None:
            yield from ((middle, each) for each in members)
    # Where words alone join 4,000 events, all pairs took 6.7 s, and these take 0.8.
    for id_ in sorted(new):
        one = episodes[id_]
        near = {other.id: other for word in rarest[id_] for other in by_word[word]}
        yield from ((one, other) for other in near.values() if not (one.tags and other.tags))


def are_of_one_topic(one: Episode, other: Episode, *, alike_from: float = LEAST_ALIKE) -> bool:
    """Whether two events are about the same: by their tags, else by their words."""
    if one.tags and other.tags:
        return bool(one.tags & other.tags)
    either = len(one.words | other.words)
    return either > 0 and len(one.words & other.words) >= alike_from * either


def recurring(cluster: Sequence[Episode]) -> Recurring | None:
    """What happens again and again, of a cluster of events; None: nothing that can be said.

    Its words are those that more than half of the events have. Whole conversations are none.
    """
    events = [each for each in cluster if not each.is_talk and each.day]
    counts = Counter(word for each in events for word in each.words)
    shared = frozenset(word for word, count in counts.items() if 2 * count > len(events))
    if len(shared) < LEAST_WORDS:
        return None
    members = sorted(
        (each for each in events if 2 * len(each.words & shared) > len(shared)),
        key=lambda each: (each.day, each.id),
    )
    if len({each.day for each in members}) < LEAST_TIMES:
        return None

    typical = [each for each in members if each.words <= shared]
    if not typical:  # each says something that the others do not: a fair of paintings, of cars
        return None
    best = max(typical, key=lambda each: (len(each.words), each.day, each.id))
    return Recurring(words=shared, episodes=tuple(members), typical=best)


def said_again(
    talks: Sequence[Session], *, least: int, skip: frozenset[str] = frozenset()
) -> tuple[SaidAgain, ...]:
    """Sentences that the person said in so many conversations, in the order of the first.

    talks  conversations; the parts of one count as one
    skip   sentences, as they were written, that are known for something else
    Questions, suppositions, what others said and what used to be are none (algorithms 4).
    """
    first: dict[tuple[object, ...], str] = {}
    seen: dict[tuple[object, ...], dict[str, str]] = {}
    for talk in talks:
        for said, language in _whole_statements(talk):
            if said.quote in skip or len(said.quote) > LONGEST:
                continue
            words = words_of(said.text, language.name)
            if len(words) < LEAST_WORDS:
                continue
            key = (language.name, polarity_of(said.text, language), words)
            first.setdefault(key, said.quote)
            seen.setdefault(key, {}).setdefault(talk.whole, talk.id)
    return tuple(
        SaidAgain(quote=first[key], sessions=tuple(sessions.values()))
        for key, sessions in seen.items()
        if len(sessions) >= least
    )


def topic_words(text: str, *, dates: Sequence[tuple[int, int]] = ()) -> frozenset[str]:
    """The content words of a text without what stands at these places, and without numbers."""
    kept = without(text, dates)
    language = spoken_in(kept)
    words = words_of(kept, language.name)
    return frozenset(word for word in words if not any(c.isdigit() for c in word))


def without(text: str, places: Iterable[tuple[int, int]]) -> str:
    """The text without what stands there, and without a preposition that would be left over."""
    for start, end in sorted(places, reverse=True):
        before = text[:start].rstrip()
        head, _, last = before.rpartition(" ")
        if last.casefold() in _BEFORE_DATES:
            before = head
        after = text[end:].lstrip(" ,")
        text = f"{before}{'' if after[:1] in _MARKS_OF_END else ' '}{after}".strip()
    return " ".join(text.split())


_MARKS_OF_END = (".", "!", ";", ":")
_BEFORE_DATES = frozenset(
    ["on", "at", "in", "since", "until", "by", "from", "am", "im", "vom", "bis", "seit", "el", "en"]
)


def _whole_statements(talk: Session) -> Iterator[tuple[Statement, Language]]:
    """The sentences of a conversation in which the person states something, whole."""
    own = [turn.text for turn in talk.turns if turn.role == "user"]
    language = spoken_in("\n".join(own))
    for text in own:
        read = text[:MOST_TURN_CHARACTERS]
        for said in statements(read, language, owners=talk.owners):
            parts = tuple(clauses(said, language))
            if parts and sum(part.end - part.start for part in parts) >= len(said.text) - 6:
                yield said, language
