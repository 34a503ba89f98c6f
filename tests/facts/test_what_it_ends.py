"""What an assistant's words seem to replace is named, and nothing is changed by naming it."""

from __future__ import annotations

from pathlib import Path

import pytest

from vaultmem import Memory, facts, vault
from vaultmem.model import Document


@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("I work at Siemens.", "The user now works at Bosch."),
        ("I prefer tea over coffee.", "The user drinks coffee these days instead of tea."),
        ("I live in Ghent.", "The user moved from Ghent to Bruges."),
    ],
)
def test_what_would_end_is_named_and_still_holds(tmp_path: Path, known: str, new: str) -> None:
    Memory.init(tmp_path / "v")
    with Memory(tmp_path / "v") as memory:
        [old] = memory.remember(known, date="2026-03-01").items
        [kept] = memory.remember(new, writer="agent").items
        item = vault.load_items(memory.opened, [kept.id])[kept.id]
        before = memory.history.log(limit=1)[0].commit
        found = facts.what_it_ends(memory.opened, item, now=memory.opened.clock.now())
        assert [each.id for each in found] == [old.id]
        assert memory.show(old.id).note.status == "active"
        assert memory.history.log(limit=1)[0].commit == before


def test_what_is_about_something_else_is_not_named(tmp_path: Path) -> None:
    Memory.init(tmp_path / "v")
    with Memory(tmp_path / "v") as memory:
        memory.remember("I keep my bike in the cellar.")
        [kept] = memory.remember("The user's dentist is Dr. Okafor.", writer="agent").items
        item = vault.load_items(memory.opened, [kept.id])[kept.id]
        assert facts.what_it_ends(memory.opened, item, now=memory.opened.clock.now()) == ()


@pytest.mark.parametrize(
    "text", ["ok thanks", "If it rains the user takes the tram.", "The user asked: why not?"]
)
def test_what_an_assistant_chose_as_a_memory_is_an_item(tmp_path: Path, text: str) -> None:
    Memory.init(tmp_path / "v")
    with Memory(tmp_path / "v") as memory:
        [report] = memory.remember_many([Document(text=text, writer="agent", is_memory=True)])
        assert [item.statement for item in report.items] == [text]


def test_a_memory_that_states_nothing_leaves_no_text(tmp_path: Path) -> None:
    Memory.init(tmp_path / "v")
    with Memory(tmp_path / "v") as memory:
        told = Document(text="password is hunter2hunter2", writer="agent", is_memory=True)
        [report] = memory.remember_many([told])
        assert [each.rule for each in report.rejected] == ["secret"]
        assert memory.list({"types": ("item", "resource")}) == ()
