"""Items found by what they are about: slots, whatever way they were written."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.storage.index.building import item, page, put
from vaultmem.model.notes import Item
from vaultmem.model.slots import part_key, slot_key
from vaultmem.storage.index.database import Index


def fact(statement: str, subject: str, predicate: str, value: str, **keys: object) -> Item:
    return item(
        statement,
        subject=subject,
        predicate=predicate,
        object=value,
        **keys,  # type: ignore[arg-type]
    )


class TestKeys:
    """Spaces, hyphens, underscores, case and compatibility forms make no difference."""

    @pytest.mark.parametrize(
        "written", ["project-x", "Project_X", "  project x", "ＰＲＯＪＥＣＴ_x"]
    )
    def test_written_forms_of_one_part(self, written: str) -> None:
        assert part_key(written) == "project x"
        assert part_key(part_key(written)) == part_key(written)

    @pytest.mark.parametrize(
        ("subject", "predicate"), [("", "a"), ("a", ""), ("-", "a"), ("a", "_")]
    )
    def test_half_a_slot_is_none(self, subject: str, predicate: str) -> None:
        assert slot_key(subject, predicate) == ""

    def test_the_parts_cannot_run_into_each_other(self) -> None:
        assert slot_key("a b", "c") != slot_key("a", "b c")


class TestLookUp:
    """A slot finds its items in every status, oldest validity first, by an index."""

    def test_written_otherwise_it_is_the_same_slot(self, index: Index) -> None:
        old = fact("It was MySQL.", "Project X", "uses-database", "MySQL", valid_from=1_000)
        new = fact("It is SQLite.", "project_x", "uses_database", "SQLite", valid_from=2_000)
        since_ever = fact("Oracle.", "project-x", "USES DATABASE", "Oracle", status="superseded")
        other = fact("Bash.", "project-x", "uses_shell", "Bash")
        put(index, [old, new, since_ever, other, page("Project X uses database")])
        rows = index.items_in_slot("PROJECT-X", "uses database")
        assert [row.object for row in rows] == ["Oracle", "MySQL", "SQLite"]
        assert [(row.subject, row.predicate) for row in rows][1] == ("Project X", "uses-database")
        assert [row.object for row in index.items_about("project x")] == [
            *("Oracle", "MySQL", "SQLite"),
            "Bash",
        ]
        assert index.items_in_slot("project", "x uses database") == ()
        assert index.items_about("project") == ()

    def test_every_slot_is_listed_once(self, index: Index) -> None:
        put(
            index,
            [
                fact("a", "Atlas", "port", "80", path="items/b.md", id=""),
                fact("b", "atlas", "Port", "81", path="items/a.md", id=""),
                item("no slot"),
            ],
        )
        assert index.slots() == (("atlas", "Port"),)

    def test_a_note_that_is_put_again_leaves_its_old_slot(self, index: Index) -> None:
        put(index, [fact("a", "atlas", "port", "80", path="items/a.md", id="")])
        put(index, [fact("a", "borea", "port", "80", path="items/a.md", id="")])
        assert index.slots() == (("borea", "port"),)

    def test_no_scan(self, index: Index, tmp_path: Path) -> None:
        put(index, [fact("a", "atlas", "port", "80")])
        with sqlite3.connect(tmp_path / "index.sqlite") as connection:
            plan = connection.execute(
                "EXPLAIN QUERY PLAN SELECT path FROM notes WHERE slot = ? AND slot <> ''", ("a\nb",)
            ).fetchall()
        assert "notes_slot" in str(plan)
        assert "SCAN" not in str(plan)
