"""What takes the place of what, and how a name is written."""

from __future__ import annotations

import pytest

from vaultmem.api.memory import Memory


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("We use Ansible.", "We switched to Nix from Ansible."),
        ("We use Ansible.", "We switched from Ansible to Nix."),
        ("We use MariaDB.", "We migrated to DuckDB from MariaDB."),
        ("We use Slack for support.", "We switched to Zulip from Slack."),
    ],
)
def test_what_was_switched_from_is_over(memory: Memory, known: str, said: str) -> None:
    memory.remember(known)
    memory.remember("We use Terraform.")
    memory.remember(said)
    status = {row.statement: row.status for row in memory.list() if row.type == "item"}
    assert status.pop(known) in ("expired", "superseded")
    assert set(status.values()) == {"active"}


@pytest.mark.parametrize("said", ["We switched to working from home.", "We switched to tea."])
def test_what_is_no_tool_ends_none(memory: Memory, said: str) -> None:
    memory.remember("We use Ansible.")
    memory.remember(said)
    assert {row.status for row in memory.list() if row.type == "item"} == {"active"}


@pytest.mark.parametrize(
    "said",
    [
        "Correction: it is spelled Nguyen, with a y.",
        "Correction: my surname is written with two l's.",
        "Korrektur: es schreibt sich Mayr ohne e.",
        "Corrección: se escribe Giménez con g.",
        "Sorry, it's spelled Siobhan.",
        "Correction: it is spelled Siobhan, not Shivaun.",
        "No, it's Marit with one t.",
        "Ich schreibe mich mit ph.",
        "Correction : ça s'écrit Stéfane.",
    ],
)
def test_how_a_name_is_written_is_identity(memory: Memory, said: str) -> None:
    memory.remember(said)
    (row,) = [row for row in memory.list() if row.type == "item"]
    assert (row.kind, row.stream, row.object) == ("fact", "identity", "")


def test_how_some_word_is_written_is_not(memory: Memory) -> None:
    memory.remember("In Britain colour is spelled with a u.")
    assert [row for row in memory.list() if row.type == "item" and row.stream == "identity"] == []
