"""`status` counts what `check` lists."""

from __future__ import annotations

from vaultmem.api.memory import Memory


def test_status_counts_problems_between_notes(memory: Memory) -> None:
    memory.remember("I am allergic to hazelnuts.")
    [item] = memory.root.glob("items/**/*.md")
    item.with_name("copy.md").write_bytes(item.read_bytes())
    found = memory.check().problems
    assert "repeated-id" in {each.code for each in found}
    assert sum(memory.vault.status().problems.values()) == len(found)
