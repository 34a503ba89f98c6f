"""Items whose words are those of a text: who may contradict it. Nominates, and decides nothing.

Read are the postings of the text's rarest words and the rows of the best few items, so the cost
does not grow with the vault: a text whose every word is everywhere nominates nothing.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import lru_cache
from math import log
from pathlib import PurePosixPath

from vaultmem.base import NamedTuple
from vaultmem.language import Stems, content_words
from vaultmem.storage.index.store.rows import split_projects
from vaultmem.storage.index.store.sqlite import sqlite3
from vaultmem.storage.index.text.index_words import words_with_stem
from vaultmem.storage.index.text.postings import KEY_BITS, read

MOST_ITEMS = 40  # that are nominated
# With 12 and not 40, comparing 3,000 new bullets is 19 % of the work in place of 26 %: who denies a
# statement, or gives it another value, shares all other words and comes among the first.
QUICK_ITEMS = 12  # for one of thousands, about each of which rules are asked: the best are enough
MOST_READ = 20_000  # postings that are read for a text
QUICK_READ = 2_000  # for one of thousands: 20,000 for each of 10,000 statements took minutes
_MOST_WORDS = 12  # of the text that are looked up
_MOST_LOOKED_AT = 800  # passages, most of resources, that may come before the items
_AT_ONCE = 200
_AT_FIRST = 100  # where most passages are items, these hold all: half of the rows are read
_ENOUGH = 120  # items for a question of a batch, among which further words only choose
_MOST_KEPT = 256  # words of which a batch keeps the passages: at most half a million numbers
_OFTEN = 16  # passages with a word; of fewer it is as quick to read them again


class Lookups:
    """What was read for the questions of one batch, between which the index does not change."""

    def __init__(self) -> None:
        self.frequency: dict[str, tuple[int, list[int]]] = {}  # by stem
        self.passages: dict[int, Set[int]] = {}  # of active items, by the first of the word ids
        self.items: frozenset[int] | None = None  # passages with which active items begin


class Nominated(NamedTuple):
    """An item as its words and slot are compared. Times are UTC ms; None: open."""

    path: PurePosixPath
    statement: str
    subject: str
    predicate: str
    object: str
    valid_from: int | None
    valid_until: int | None
    said_after: str
    critical: str
    hard: int
    source: str
    projects: tuple[str, ...]


def items_alike(
    connection: sqlite3.Connection,
    stems: Stems,
    text: str,
    *,
    batch: Lookups | None = None,
    status: str = "active",
) -> tuple[Nominated, ...]:
    """At most MOST_ITEMS items of a status that share the rarest words of a text, best first.

    batch  of thousands of questions, of which this is one: only words that few passages have
           count, and QUICK_ITEMS are nominated

    Order: sum of the shared words' inverse frequencies, then the newest row.
    """
    scores: dict[int, float] = {}
    room, most = (MOST_READ, MOST_ITEMS) if batch is None else (QUICK_READ, QUICK_ITEMS)
    for frequency, words in _by_rarity(connection, stems, text, batch):
        if frequency > room:
            break
        room -= frequency
        # The million stands for the size of any vault: only the order of the words counts.
        gain = log(1 + 1_000_000 / frequency)
        passages = _passages(connection, words, frequency, batch)
        # In a batch only the candidates of the rarer words gain, so that hundreds are sorted and
        # not thousands.
        if batch is not None and len(scores) >= _ENOUGH:
            for passage in passages & scores.keys():
                scores[passage] += gain
            continue
        for passage in passages:
            scores[passage] = scores.get(passage, 0.0) + gain
    # Sorted twice, by a number each time, in two fifths of the time of pairs or a heap of the best.
    best = sorted(scores, reverse=True)
    best.sort(key=scores.__getitem__, reverse=True)
    del best[_MOST_LOOKED_AT if batch is None else most :]  # those of a batch are all items
    found: list[Nominated] = []
    start, size = 0, _AT_FIRST
    while start < len(best) and len(found) < most:
        found += _items(connection, best[start : start + size], most - len(found), status)
        start, size = start + size, _AT_ONCE
    return tuple(found)


def _passages(
    connection: sqlite3.Connection, words: list[int], frequency: int, batch: Lookups | None
) -> Set[int]:
    """Passages with one of these words; of a batch only those with which active items begin.

    A list of 25,000 new bullets is in the index, too, so that of 200 passages a dozen were items.
    """
    if batch is None:
        return read(connection, words).keys()
    if batch.items is None:
        rows = connection.execute(
            "SELECT first FROM notes WHERE type = 'item' AND status = 'active'"
        )
        # Which passages begin an active item is read once a batch: of 200 passages whose rows were
        # read for each of 25,000 bullets a dozen were items. Choosing what to compare with was 27 %
        # of 12,000 bullets, and is 16 % of 9,000.
        batch.items = frozenset(row[0] for row in rows)
    if frequency < _OFTEN:
        return read(connection, words).keys() & batch.items
    known = batch.passages.get(words[0])
    if known is None:
        if len(batch.passages) >= _MOST_KEPT:
            batch.passages.clear()
        known = batch.passages[words[0]] = read(connection, words).keys() & batch.items
    return known


def _by_rarity(
    connection: sqlite3.Connection, stems: Stems, text: str, batch: Lookups | None
) -> list[tuple[int, list[int]]]:
    """(how many postings, word ids) of each known stem of the text, the rarest first."""
    asked = dict.fromkeys(stems(word) for word in dict.fromkeys(content_words(text)))
    found = []
    known = batch.frequency if batch is not None else {}
    for stem in list(asked)[:_MOST_WORDS]:
        if stem not in known:
            ids = [id_ for _, id_ in words_with_stem(connection, stem)]
            known[stem] = sum(_frequency(connection, id_) for id_ in ids), ids
        if known[stem][0]:
            found.append(known[stem])
    return sorted(found)


def _frequency(connection: sqlite3.Connection, word: int) -> int:
    # The length of a blob is in its row's header: nothing of the postings is read for it.
    row = connection.execute(
        "SELECT sum(length(tfs)) FROM postings WHERE key BETWEEN ? AND ?",
        (word << KEY_BITS, (word + 1 << KEY_BITS) - 1),
    ).fetchone()
    return int(row[0] or 0)


def _items(
    connection: sqlite3.Connection, passages: Sequence[int], most: int, status: str
) -> list[Nominated]:
    """The first items of a status that begin with these passages, in their order."""
    rows = connection.execute(
        "SELECT first, path, statement, subject, predicate, object, valid_from, valid_until, "
        "said_after, critical, hard, source, project "
        f"FROM notes WHERE first IN ({', '.join('?' * len(passages))}) "
        "AND type = 'item' AND status = ?",
        (*passages, status),
    )
    by_passage = {row[0]: row for row in rows}
    found = [by_passage[passage] for passage in passages if passage in by_passage]
    return [
        Nominated._make((_path_of(row[1]), *row[2:-1], split_projects(row[-1])))
        for row in found[:most]
    ]


@lru_cache(maxsize=4096)
def _path_of(text: str) -> PurePosixPath:
    """The same object for the same path: thousands of bullets name each other by dozens."""
    return PurePosixPath(text)
