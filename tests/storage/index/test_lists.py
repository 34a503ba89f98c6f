"""Lists of notes by filters: the right ones in the right order, by an index of the database."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from tests.storage.index.building import item, open_index, page, resource
from vaultmem.model.answers import Filters, NoteRow
from vaultmem.model.notes import Record
from vaultmem.model.trust import UNTRUSTED, USER
from vaultmem.storage.index.database import Index
from vaultmem.storage.index.store.rows import condition

KINDS = ("fact", "rule", "procedure", "event", "task")
STATUSES = ("active", "superseded", "candidate", "expired")
CURRENT = ("", "active")
ITEMS = Filters(types=("item",))


def made_notes(seed: int) -> Iterator[Record]:
    choose = random.Random(seed)
    for number in range(120):
        yield item(
            f"Statement number {number}.",
            kind=choose.choice(KINDS),
            status=choose.choice(STATUSES),
            stream=choose.choice((None, None, "identity", "tasks")),
            valid_from=choose.choice((None, *range(3))),
            hard=choose.random() < 0.2,
            critical=choose.choice(("", "", "health")),
            trust=choose.choice((USER, USER, UNTRUSTED)),
        )
    for number in range(10):
        yield resource(f"Text number {number}.", date=choose.choice((None, 1, 2)))
        yield page(f"Page number {number}.", path=f"notes/page {number}.md")


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    index = open_index(tmp_path_factory.mktemp("lists") / "index.sqlite", *made_notes(7))
    yield index
    index.close()


def is_wanted(row: NoteRow, filters: Filters) -> bool:
    pairs = (
        (row.type, filters.types),
        (row.kind, filters.kinds),
        (row.status, filters.statuses),
        (row.stream, filters.streams),
    )
    return (
        all(not wanted or value in wanted for value, wanted in pairs)
        and (not filters.hard or row.hard)
        and (not filters.critical or bool(row.critical))
    )


def place(row: NoteRow) -> tuple[bool, int, str]:
    """Newest first, those without a date last, then by path."""
    return row.date is None, -(row.date or 0), str(row.path)


def test_every_combination_of_filters_lists_what_it_says_newest_first(index: Index) -> None:
    every = sorted(index.list(Filters()), key=place)
    assert len(every) == 140
    met = 0
    for types, kinds, statuses, streams, flags in product(
        ((), ("item",), ("resource", "page")),
        ((), ("rule",), ("rule", "event"), ("",)),
        ((), CURRENT, ("active",), ("superseded", "expired"), ("active", "candidate")),
        ((), ("identity",), ("",)),
        ((False, False), (True, False), (False, True), (True, True)),
    ):
        filters = Filters(
            types=types,
            kinds=kinds,
            statuses=statuses,
            streams=streams,
            hard=flags[0],
            critical=flags[1],
        )
        wanted = [row for row in every if is_wanted(row, filters)]
        assert list(index.list(filters)) == wanted, filters
        assert list(index.list(filters, limit=3)) == wanted[:3], filters
        met += bool(wanted)
    assert met > 100


@pytest.mark.parametrize(
    ("filters", "by"),
    [
        (Filters(types=("item",), statuses=CURRENT), "notes_newest"),
        (Filters(types=("item",), statuses=CURRENT, kinds=("event",)), "notes_kind"),
        (Filters(types=("item",), statuses=CURRENT, kinds=("rule", "procedure")), "notes_kind"),
        (Filters(types=("item",), statuses=CURRENT, streams=("identity",)), "notes_stream"),
        (Filters(types=("item",), statuses=CURRENT, hard=True), "notes_hard"),
        (Filters(types=("item",), statuses=CURRENT, critical=True), "notes_critical"),
        (Filters(types=("item",), statuses=("candidate",)), "notes_status"),
        (Filters(types=("item",), statuses=("superseded", "expired")), "notes_status"),
        (Filters(types=("resource",)), "notes_newest"),
    ],
)
def test_what_a_context_lists_lies_together(
    index: Index, tmp_path: Path, filters: Filters, by: str
) -> None:
    """Or each list would be a look at all notes: six of them took .7 s beside 100,000."""
    where, values = condition(filters)
    with sqlite3.connect(index.file) as connection:
        plan = str(
            connection.execute(
                f"EXPLAIN QUERY PLAN SELECT * FROM notes WHERE {where} "
                "ORDER BY date DESC, path LIMIT 9",
                values,
            ).fetchall()
        )
    assert f"INDEX {by}" in plan
    if by == "notes_newest" and filters.statuses:
        assert "TEMP B-TREE" not in plan
