"""What is over leads to what holds, and is looked for only where something is over."""

from __future__ import annotations

from pathlib import Path

import pytest

from vaultmem.api.memory import Memory


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    Memory.init(tmp_path / "vault")
    memory = Memory(tmp_path / "vault")
    memory.remember("My bike is red.")
    memory.remember("I work at Alder Freight.")
    # Files that were written a moment ago are compared by each question, which notes that it did.
    memory.opened.compares = False
    return memory


def looks_through_all(memory: Memory, question: str) -> list[str]:
    """The statements of SQLite that list items by what they are, for a question."""
    asked: list[str] = []
    # A trace of SQLite, not our code.
    memory.opened.index._connection.set_trace_callback(asked.append)
    memory.recall(question)
    memory.opened.index._connection.set_trace_callback(None)
    return [each for each in asked if "status IN" in each and "ORDER BY" in each]


def test_a_second_question_does_not_look_through_all_items_for_ended_ones(memory: Memory) -> None:
    assert len(looks_through_all(memory, "bike")) == 1
    assert looks_through_all(memory, "what colour is my bike") == []
    memory.remember("The gate is green.")
    assert len(looks_through_all(memory, "gate")) == 1


def test_what_ended_meanwhile_leads_to_what_holds(memory: Memory) -> None:
    memory.recall("Alder Freight")
    item = memory.search("Alder Freight").hits[0].note.id
    memory.change(item, "I drive for Caprock.")
    assert "Caprock" in memory.recall("Alder Freight").hits[0].note.statement
