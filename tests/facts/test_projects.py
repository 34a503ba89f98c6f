"""A fact of a repository: two of one slot stand side by side, and each keeps its project."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import FixedClock
from tests.projects.repositories import HERON, STORK
from tests.transfer.test_exporting import document
from vaultmem.api import Memory
from vaultmem.base import BadInputError
from vaultmem.cli.report_lines import status_lines
from vaultmem.model import Filters

SLOT = ("project", "uses_database")


def say(memory: Memory, value: str, project: str, *, since: str = "2026-01-01") -> str:
    """A fact of the slot; its id."""
    text = f"The database is {value}."
    done = memory.remember(text, fact=(*SLOT, value), project=project, valid_from=since)
    return done.items[0].id


def held(memory: Memory, known_at: str | None = None) -> dict[tuple[str, ...], str]:
    """What holds of the slot, by project."""
    rows = memory.list(Filters(types=("item",), statuses=("active",)), known_at=known_at)
    return {row.projects: row.object for row in rows}


class TestOneSlotInTwoProjects:
    def test_another_value_ends_that_of_its_own_project_alone(self, memory: Memory) -> None:
        say(memory, "MySQL", HERON)
        say(memory, "SQLite", STORK)
        say(memory, "Postgres", HERON, since="2026-02-01")
        assert held(memory) == {(HERON,): "Postgres", (STORK,): "SQLite"}

    def test_what_is_of_no_project_and_what_is_of_one_still_meet(self, memory: Memory) -> None:
        say(memory, "MySQL", HERON)
        say(memory, "Postgres", "", since="2026-02-01")
        assert held(memory) == {(): "Postgres"}

    def test_a_change_by_the_slot_asks_which_project_is_meant(self, memory: Memory) -> None:
        say(memory, "MySQL", HERON)
        say(memory, "SQLite", STORK)
        with pytest.raises(BadInputError) as refused:
            memory.change(*SLOT, "Postgres")
        assert f"MySQL, project {HERON}" in refused.value.hint


def test_the_status_lists_projects_with_their_items(memory: Memory) -> None:
    say(memory, "MySQL", HERON)
    say(memory, "SQLite", STORK)
    memory.remember("We deploy on Tuesdays.", project=HERON)
    status = memory.vault.status()
    assert status.projects == {HERON: 2, STORK: 1}
    told = list(status_lines(status, "UTC"))
    assert f"projects     {HERON} 2, {STORK} 1" in told


class TestItStays:
    def test_change_and_correct_and_undo_keep_the_project(self, memory: Memory) -> None:
        first = say(memory, "MySQL", HERON)
        after = memory.change(first, "The database is Postgres.").successor
        assert after is not None
        assert held(memory) == {(HERON,): "Postgres"}
        memory.correct(after.id, "The database is DuckDB.")
        assert set(held(memory)) == {(HERON,)}
        memory.undo()
        assert held(memory) == {(HERON,): "Postgres"}

    def test_an_index_made_anew_knows_it(self, memory: Memory) -> None:
        say(memory, "MySQL", HERON)
        memory.reindex()
        assert held(memory) == {(HERON,): "MySQL"}
        assert held(memory, known_at="HEAD") == {(HERON,): "MySQL"}

    def test_another_vault_that_imports_it_has_it(
        self, memory: Memory, tmp_path: Path, clock: FixedClock
    ) -> None:
        say(memory, "MySQL", HERON)
        Memory.init(tmp_path / "other", name="other", clock=clock)
        with Memory(tmp_path / "other", clock=clock) as other:
            other.import_from(json.dumps(document(memory)).encode(), writer="person")
            assert held(other) == {(HERON,): "MySQL"}

    def test_a_key_edited_by_hand_counts(self, memory: Memory) -> None:
        say(memory, "MySQL", HERON)
        [row] = memory.list(Filters(types=("item",)))
        file = memory.root / row.path
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace(f"project: {HERON}", 'project: "[[stork]]"'), "utf-8")
        assert held(memory) == {("stork",): "MySQL"}
        assert memory.list(Filters(projects=(STORK,), types=("item",)))

    def test_a_key_taken_out_by_hand_stays_out(self, memory: Memory) -> None:
        first = say(memory, "MySQL", HERON)
        [row] = memory.list(Filters(types=("item",)))
        file = memory.root / row.path
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace(f"project: {HERON}\n", ""), "utf-8")
        memory.change(first, "The database is Postgres.")
        assert held(memory) == {(): "Postgres"}

    def test_metadata_of_callers_from_mem0_is_the_project(self, memory: Memory) -> None:
        memory.add("We deploy on Tuesdays.", metadata={"project": "heron", "team": "a"})
        told = memory.recall("When do we deploy?", filters={"project": "heron"}).hits
        assert told[0].note.projects == ("heron",)
