"""New words of an item are read again: a slot never holds a value that the words do not say."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.devices.devices import connected
from tests.facts.test_contradictions import keys
from vaultmem.api.memory import Memory
from vaultmem.model.answers import Filters, NoteRow

GRAZ = "I live in Graz."


def only(memory: Memory) -> NoteRow:
    [row] = memory.list(Filters(types=("item",)))
    return row


def slot(memory: Memory) -> tuple[object, object, object]:
    found = keys(memory, only(memory))
    return found.get("subject"), found.get("predicate"), found.get("object")


def edit_note(memory: Memory, old: str, new: str) -> None:
    file = memory.root / only(memory).path
    text = file.read_text("utf-8")
    head, _, body = text.rpartition("---\n")
    assert old in body
    file.write_text(f"{head}---\n{body.replace(old, new)}", "utf-8")


def edit_bullet(memory: Memory, old: str, new: str) -> None:
    file = memory.root / "streams/identity.md"
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")


def by_note(memory: Memory, old: str, new: str) -> None:
    edit_note(memory, old, new)
    memory.sync()


def by_bullet(memory: Memory, old: str, new: str) -> None:
    edit_bullet(memory, old, new)
    memory.sync()


def watched(memory: Memory, old: str, new: str) -> None:
    edit_note(memory, old, new)
    memory.sync(settle=False)
    memory.sync()


def with_edit(memory: Memory, old: str, new: str) -> None:
    edit_note(memory, old, new)
    memory.edit.take_in(memory.root / only(memory).path)


def by_correct(memory: Memory, old: str, new: str) -> None:
    memory.correct(only(memory).id, new)


def committed(memory: Memory, old: str, new: str) -> None:
    """With the person's own git, as a plug-in of an editor does."""
    edit_note(memory, old, new)
    run(memory.root, "commit", "-aqm", "mine")
    memory.sync()


Way = Callable[[Memory, str, str], None]
WAYS: list[Way] = [by_note, by_bullet, watched, with_edit, by_correct, committed]


@pytest.mark.parametrize("way", WAYS)
class TestWordsOfASlot:
    def test_give_it_their_value(self, memory: Memory, way: Way) -> None:
        memory.remember(GRAZ, stream="identity")
        way(memory, GRAZ, "I live in Linz.")
        assert slot(memory) == ("user", "lives_in", "Linz")

    def test_that_give_another_slot_move_it(self, memory: Memory, way: Way) -> None:
        memory.remember(GRAZ, stream="identity")
        way(memory, GRAZ, "My mother lives in Graz.")
        assert slot(memory) == ("my mother", "lives_in", "Graz")

    def test_that_give_none_drop_it(self, memory: Memory, way: Way) -> None:
        memory.remember(GRAZ, stream="identity")
        way(memory, GRAZ, "Graz has a clock tower on a hill.")
        assert slot(memory) == (None, None, None)

    def test_of_a_slot_that_a_person_named_keep_it(self, memory: Memory, way: Way) -> None:
        memory.remember(
            "We keep it all in SQLite.", fact=("project-x", "store", "SQLite"), stream="identity"
        )
        way(memory, "We keep it all in SQLite.", "We keep it all in Postgres.")
        assert slot(memory) == ("project-x", "store", "Postgres")

    def test_of_which_nothing_else_is_known_drop_that_one_too(
        self, memory: Memory, way: Way
    ) -> None:
        memory.remember(
            "We keep it all in SQLite.", fact=("project-x", "store", "SQLite"), stream="identity"
        )
        way(memory, "We keep it all in SQLite.", "Nothing is kept at all.")
        assert slot(memory) == (None, None, None)


class TestWhatIsSaid:
    def test_the_commit_says_what_became_of_the_slot(self, memory: Memory) -> None:
        memory.remember(GRAZ, stream="identity")
        id_ = only(memory).id
        by_note(memory, GRAZ, "I live in Linz.")
        assert f"- {id_}: user / lives_in / Graz is user / lives_in / Linz now" in last(memory)
        by_note(memory, "I live in Linz.", "It rains.")
        assert f"- {id_}: user / lives_in / Linz is no longer in its words" in last(memory)

    def test_dates_of_the_former_words_stay_and_that_is_said(self, memory: Memory) -> None:
        memory.remember("My mother lives in Lyon since 2019.", stream="identity")
        id_ = only(memory).id
        by_bullet(memory, "since 2019", "since 2021")
        assert keys(memory, only(memory))["valid_from"] == "2019-01-01"
        said = f"- {id_}: valid_from stays 2019-01-01, its words said so before"
        assert said in last(memory)

    def test_keys_that_the_person_changed_with_the_words_are_theirs(self, memory: Memory) -> None:
        memory.remember(GRAZ, stream="identity")
        file = memory.root / only(memory).path
        text = file.read_text().replace("\nI live in Graz.", "\nI moved to Linz.")
        file.write_text(text.replace("object: Graz", "object: Linz on the Danube"))
        memory.sync()
        assert slot(memory) == ("user", "lives_in", "Linz on the Danube")

    def test_a_value_that_was_never_in_the_words_stays(self, memory: Memory) -> None:
        memory.remember("We keep it there.", fact=("project-x", "store", "SQLite"))
        by_note(memory, "We keep it there.", "We keep all of it there.")
        assert slot(memory) == ("project-x", "store", "SQLite")

    def test_other_edits_of_a_note_change_no_slot(self, memory: Memory) -> None:
        memory.remember("We use it.", fact=("project-x", "store", "SQLite"), stream="identity")
        file = memory.root / only(memory).path
        saved = file.read_bytes().replace(b"\nWe use it.", b"\nWe  use\nit.\n\nMore of it.")
        file.write_bytes(saved)
        memory.sync()
        assert file.read_bytes() == saved


def test_words_that_came_with_a_pull_are_read_again(tmp_path: Path) -> None:
    here, there = connected(tmp_path, "desk", "road")
    with there.memory() as memory:
        memory.remember(GRAZ, stream="identity")
    there.push()
    here.pull()
    with there.memory() as memory:
        edit_note(memory, GRAZ, "I live in Linz.")
    there.commit()
    there.git("push", "-q", str(tmp_path / "hub.git"), "HEAD:main")
    here.pull()
    with here.memory() as memory:
        memory.sync()
        assert slot(memory) == ("user", "lives_in", "Linz")
        assert memory.check().problems == ()


def last(memory: Memory) -> str:
    return run(memory.root, "log", "-1", "--format=%B")


def run(root: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout
