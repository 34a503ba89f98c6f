"""Items whose words are those of a text: who may contradict it. Nominates, and decides nothing.

Read are the postings of the text's rarest words and the rows of the best few items, so the cost
does not grow with the vault: a text whose every word is everywhere nominates nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from pathlib import PurePosixPath

from vaultmem.analysis import Stems, content_words
from vaultmem.frozen import NamedTuple
from vaultmem.index.postings import KEY_BITS, read
from vaultmem.index.sqlite import sqlite3
from vaultmem.index.vocabulary import words_with_stem

MOST_ITEMS = 40  # that are nominated
MOST_READ = 20_000  # postings that are read for a text
QUICK_READ = 2_000  # for one of thousands: 20,000 for each of 10,000 statements took minutes
_MOST_WORDS = 12  # of the text that are looked up
_MOST_LOOKED_AT = 800  # passages, most of resources, that may come before the items
_AT_ONCE = 200


class Nominated(NamedTuple):
    """An item as its words and slot are compared. Times are UTC ms; None: open."""

    path: PurePosixPath
    statement: str
    subject: str
    predicate: str
    object: str
    valid_from: int | None
    valid_until: int | None


def items_alike(
    connection: sqlite3.Connection, stems: Stems, text: str, *, is_quick: bool = False
) -> tuple[Nominated, ...]:
    """At most MOST_ITEMS active items that share the rarest words of a text, best first.

    is_quick  one of thousands of questions: only words that few passages have count

    Order: sum of the shared words' inverse frequencies, then the newest row.
    """
    scores: dict[int, float] = {}
    room = QUICK_READ if is_quick else MOST_READ
    for frequency, words in _by_rarity(connection, stems, text):
        if frequency > room:
            break
        room -= frequency
        gain = log(1 + 1_000_000 / frequency)
        for passage in read(connection, words):
            scores[passage] = scores.get(passage, 0.0) + gain
    # Sorting all of a few thousand pairs takes a quarter of the time of a heap of the best.
    pairs = sorted(zip(scores.values(), scores.keys(), strict=True), reverse=True)
    best = pairs[:_MOST_LOOKED_AT]
    found: list[Nominated] = []
    for start in range(0, len(best), _AT_ONCE):
        found += _items(connection, [passage for _, passage in best[start : start + _AT_ONCE]])
        if len(found) >= MOST_ITEMS:
            break
    return tuple(found[:MOST_ITEMS])


def _by_rarity(
    connection: sqlite3.Connection, stems: Stems, text: str
) -> list[tuple[int, list[int]]]:
    """(how many postings, word ids) of each known stem of the text, the rarest first."""
    asked = dict.fromkeys(stems(word) for word in dict.fromkeys(content_words(text)))
    found = []
    for stem in list(asked)[:_MOST_WORDS]:
        ids = [id_ for _, id_ in words_with_stem(connection, stem)]
        frequency = sum(_frequency(connection, id_) for id_ in ids)
        if frequency:
            found.append((frequency, ids))
    return sorted(found)


def _frequency(connection: sqlite3.Connection, word: int) -> int:
    # The length of a blob is in its row's header: nothing of the postings is read for it.
    row = connection.execute(
        "SELECT sum(length(tfs)) FROM postings WHERE key BETWEEN ? AND ?",
        (word << KEY_BITS, (word + 1 << KEY_BITS) - 1),
    ).fetchone()
    return int(row[0] or 0)


def _items(connection: sqlite3.Connection, passages: Sequence[int]) -> list[Nominated]:
    """The active items that begin with these passages, in their order."""
    rows = connection.execute(
        "SELECT first, path, statement, subject, predicate, object, valid_from, valid_until "
        f"FROM notes WHERE first IN ({', '.join('?' * len(passages))}) "
        "AND type = 'item' AND status = 'active'",
        passages,
    )
    found = {row[0]: Nominated(PurePosixPath(row[1]), *row[2:]) for row in rows}
    return [found[passage] for passage in passages if passage in found]
