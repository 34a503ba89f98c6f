"""A part of what was told in one breath ends; what still holds is kept as an item of its own."""

from __future__ import annotations

import pytest

from tests.conftest import FixedClock
from vaultmem.api.memory import Memory
from vaultmem.model.answers import Filters, NoteRow
from vaultmem.storage.notes.frontmatter import read

PRIYA = "I'm Priya, 34 years old, a vet at the Riverside practice in Leeds."
VET = "I'm Priya, a vet at the Riverside practice in Leeds."


def rows(memory: Memory, status: str = "active") -> dict[str, NoteRow]:
    found = memory.list(Filters(types=("item",), statuses=(status,)))
    return {row.statement: row for row in found}


def keys(memory: Memory, row: NoteRow) -> dict[str, object]:
    return dict(read((memory.root / row.path).read_bytes(), row.path).values)


def identity(memory: Memory) -> str:
    return (memory.root / "streams" / "identity.md").read_text("utf-8")


@pytest.fixture
def older(memory: Memory, clock: FixedClock) -> Memory:
    """Priya told who she is, and had her birthday 40 days later."""
    memory.remember(PRIYA)
    clock.advance(days=40)
    return memory


def test_the_age_ends_and_the_rest_keeps_source_date_and_place(older: Memory) -> None:
    before = keys(older, rows(older)[PRIYA])
    done = older.remember("I turned 35 on Tuesday.")
    ended, kept = rows(older, "superseded")[PRIYA], rows(older)[VET]
    after = keys(older, kept)
    for key in ("source", "valid_from", "quote", "importance", "kind", "stream", "writer"):
        assert after.get(key) == before.get(key), key
    assert after["supersedes"] == (f"[[{ended.path.stem}]]",)
    assert f"[[{kept.path.stem}]]" in str(keys(older, ended)["superseded_by"])
    assert kept.path.parent == ended.path.parent
    assert VET in identity(older)
    assert PRIYA not in identity(older)
    told = " ".join(done.items[0].effects)
    assert f"ends {ended.id}" in told
    assert f"keeps {kept.id}: {VET}" in told
    assert not [each for each in older.check().problems if each.path in (kept.path, ended.path)]


def test_the_job_is_found_and_the_old_age_is_not_said_again(older: Memory) -> None:
    older.remember("I turned 35 on Tuesday.")
    (hit, *_) = older.recall("where is my vet practice").hits
    assert hit.note.statement == VET
    assert "34" not in older.context("who am I").text


def test_undo_takes_both_back_at_once(older: Memory) -> None:
    older.remember("I turned 35 on Tuesday.")
    older.undo()
    assert set(rows(older)) == {PRIYA}
    assert PRIYA in identity(older)


def test_a_year_later_the_rest_still_holds(older: Memory, clock: FixedClock) -> None:
    older.remember("I turned 35 on Tuesday.")
    clock.advance(days=365)
    older.remember("36 today!")
    assert set(rows(older)) == {VET, "36 today!"}
    assert set(rows(older, "superseded")) == {PRIYA, "I turned 35 on Tuesday."}


def test_the_rest_ends_with_the_new_job(older: Memory, clock: FixedClock) -> None:
    older.remember("I turned 35 on Tuesday.")
    clock.advance(days=10)
    older.remember("My sister has started at the Moor Lane practice.")
    assert VET in rows(older)


def test_a_session_turn_ends_a_part_too(older: Memory) -> None:
    session = older.session("talk")
    session.turn("I turned 35 on Tuesday.", "Happy birthday!")
    session.end()
    assert VET in rows(older)
    assert PRIYA not in rows(older)


def test_a_birthday_that_nobody_knows_of_is_no_memory_and_one_that_changes_is(
    memory: Memory, clock: FixedClock
) -> None:
    memory.remember("My son Oskar is 6 and goes to the Waldorf school in Bath.")
    clock.advance(days=9)
    memory.remember("Wanda turned seven today.")
    memory.remember("Oskar turned seven today.")
    assert set(rows(memory)) == {
        "Oskar turned seven today.",
        "My son Oskar goes to the Waldorf school in Bath.",
    }


def test_a_slot_that_ends_leaves_who_lives_there_too(memory: Memory, clock: FixedClock) -> None:
    memory.remember("I live in Didsbury with my brother Tom, who's a chef at the Grand.")
    clock.advance(days=9)
    memory.remember("I live in Sale.")
    assert set(rows(memory)) == {"I live in Sale.", "My brother Tom, who's a chef at the Grand."}
    kept = rows(memory)["My brother Tom, who's a chef at the Grand."]
    assert "predicate" not in keys(memory, kept)


def test_going_back_leaves_the_rest_alone(memory: Memory, clock: FixedClock) -> None:
    memory.remember("I live in Didsbury with my brother Tom, who's a chef at the Grand.")
    clock.advance(days=9)
    memory.remember("We moved to Sale.")
    clock.advance(days=9)
    memory.remember("We're back in Didsbury again.")
    assert "My brother Tom, who's a chef at the Grand." in rows(memory)


def test_a_note_that_says_more_below_is_marked_and_not_taken_apart(older: Memory) -> None:
    path = older.root / rows(older)[PRIYA].path
    path.write_text(path.read_text("utf-8") + "\nThe practice opens at eight.\n", "utf-8")
    older.sync()
    older.remember("I turned 35 on Tuesday.")
    assert PRIYA in rows(older)


def test_what_is_left_is_not_doubted_in_the_same_breath(memory: Memory, clock: FixedClock) -> None:
    memory.remember("I'm Hedda, 39 years old, a glazier in Ayr.")
    memory.remember("My lad Finn is 8 and plays the drums.")
    clock.advance(days=9)
    done = memory.remember("Finn turned nine on Sunday. I'm 40 now.")
    assert "My lad Finn plays the drums." in rows(memory)
    told = [effect for item in done.items for effect in item.effects]
    assert not any("may replace" in effect and "plays the drums" in effect for effect in told)
