"""Candidates of a large index, and where the notes around them begin and end."""

from __future__ import annotations

import random
import sqlite3
from array import array
from itertools import pairwise

from vaultmem.storage.index.search.candidates import ALL_SCORED, MOST_SCORED, Term, candidates
from vaultmem.storage.index.text.postings import SIZE, Lengths
from vaultmem.storage.index.text.traits import BEGINS, TURN


def lengths_of(norms: array[int]) -> Lengths:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE lengths(block INTEGER PRIMARY KEY, norms BLOB, traits BLOB)")
    lengths = Lengths(connection)
    lengths.set(0, norms, array("H", bytes(2 * len(norms))))
    return lengths


def test_a_note_ends_where_an_id_has_no_length() -> None:
    chance = random.Random(3)
    # Multiples of 256 have a zero byte, which is no gap; one note lies across three blocks.
    norms = array("H", [chance.choice((1, 255, 256, 512, 65_280)) for _ in range(3 * SIZE)])
    gaps = sorted({0, 1, 2, 900, *chance.sample(range(SIZE - 50), 40), 3 * SIZE - 2})
    for gap in gaps:
        norms[gap] = 0
    lengths = lengths_of(norms)
    for gap, following in pairwise(gaps):
        for passage in {gap + 1, (gap + following) // 2, following - 1} - {gap, following}:
            assert lengths.note_around(passage) == (gap + 1, following)
    assert lengths.note_around(3 * SIZE - 1) == (3 * SIZE - 1, 3 * SIZE)


def test_a_note_that_grows_is_seen() -> None:
    lengths = lengths_of(array("H", [0, 7, 7, 0, 7]))
    assert lengths.note_around(1) == (1, 3)
    lengths.set(3, array("H", [7]), array("H", [0]))
    assert lengths.note_around(1) == (1, 5)


def test_a_note_of_several_talks_is_looked_at_talk_by_talk() -> None:
    lengths = lengths_of(array("H", [0, 7, 7, 7, 7, 7, 0, 7, 7]))
    lengths.set(1, array("H", [7] * 5), array("H", [TURN, TURN, BEGINS, TURN, BEGINS]))
    assert [lengths.talk_around(passage) for passage in (1, 2, 3, 4, 5)] == [
        *[(1, 3)] * 2,
        *[(3, 5)] * 2,
        (5, 6),
    ]
    assert lengths.note_around(4) == (1, 6)
    assert lengths.talk_around(8) == (7, 9)


def test_of_passages_that_hold_the_same_the_ones_beside_another_word_are_scored() -> None:
    common = dict.fromkeys(range(64, 64 + 40 * (ALL_SCORED + 200), 40), 1)
    beside = max(common)
    terms = (
        Term("common", 3.0, common),
        Term("rare", 4.0, {beside + 1: 1}),
    )
    found = candidates(terms, None)
    assert len(found) == MOST_SCORED
    assert {beside, beside + 1} <= set(found)
