"""What other memories kept: an agent's words, whoever they are of."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.transfer.importers.conftest import Kept, Write

MEMORY = {
    "id": "b5d0",
    "memory": "Prefers tea over coffee",
    "hash": "x",
    "user_id": "hanna",
    "categories": ["food"],
    "created_at": "2025-03-01T09:00:00.000000-08:00",
    "updated_at": None,
}


@pytest.mark.parametrize(
    "shape", [{"memories": [MEMORY], "total": 1}, {"results": [MEMORY]}, [MEMORY]]
)
def test_memories_of_mem0_are_an_agents_with_their_date(
    shape: Any, write: Write, take_in: Callable[..., Kept]
) -> None:
    kept = take_in(write("mem0.json", shape))
    [record] = kept.report.records
    assert (record.kind, record.product, record.date) == ("memory", "Mem0", 1_740_848_400_000)
    assert {item.writer for item in kept.items} == {"agent"}
    assert any("tea over coffee" in item.statement for item in kept.items)


def test_what_the_memory_server_observed_names_whom(
    write: Write, take_in: Callable[..., Kept]
) -> None:
    records = [
        {
            "type": "entity",
            "name": "Hanna",
            "entityType": "person",
            "observations": ["Works as a nurse in Graz"],
        },
        {"type": "relation", "from": "Hanna", "to": "Lena", "relationType": "sister_of"},
    ]
    kept = take_in(write("memory.jsonl", records, lines=True))
    text = (kept.memory.root / kept.report.records[0].paths[0]).read_text("utf-8")
    assert "Hanna: Works as a nurse in Graz." in text
    assert "Hanna sister of Lena." in text
    assert "\nwriter: agent\n" in text
    assert kept.statements("person") == set()


def test_a_short_name_within_another_word_names_nobody(
    write: Write, take_in: Callable[..., Kept]
) -> None:
    observed = ["Is allergic to penicillin", "Al's sister lives in Graz"]
    al = {"type": "entity", "name": "Al", "entityType": "person", "observations": observed}
    kept = take_in(write("memory.jsonl", [al], lines=True))
    text = (kept.memory.root / kept.report.records[0].paths[0]).read_text("utf-8")
    assert "\nAl: Is allergic to penicillin.\nAl's sister lives in Graz." in text


def letta(**more: Any) -> dict[str, Any]:
    """An agent file."""
    sent = {"name": "send_message", "arguments": json.dumps({"message": "Noted."})}
    alert = {"type": "heartbeat", "reason": "I live in Oslo."}
    typed = {"type": "user_message", "message": "I live in Graz.", "time": "x"}
    messages = [
        {"role": "system", "content": [{"type": "text", "text": "I am the system."}]},
        {"role": "user", "content": [{"type": "text", "text": json.dumps(alert)}]},
        {
            "role": "user",
            "content": [{"type": "text", "text": json.dumps(typed)}],
            "created_at": "2025-03-01T09:00:00+00:00",
        },
        {"role": "assistant", "content": "The user is Bob.", "tool_calls": [{"function": sent}]},
        {"role": "tool", "name": "search", "content": "I am from Oslo."},
    ]
    blocks = [
        {"id": "b0", "label": "human", "value": "The user works as a nurse."},
        {"id": "b1", "label": "persona", "value": "I am Sam."},
    ]
    return {"agents": [{"id": "agent-0", "name": "hanna", "messages": messages}], "blocks": blocks}


def test_an_agent_of_letta_gives_its_conversation_and_its_memory(
    write: Write, take_in: Callable[..., Kept]
) -> None:
    kept = take_in(write("hanna.af", letta()))
    assert kept.said() == ["I live in Graz."]
    assert kept.said("assistant") == ["Noted."]
    assert kept.statements("person") == {"I live in Graz."}
    assert kept.statements("agent") == {"The user works as a nurse."}


NOTE = """---
title: Graz
type: note
permalink: main/graz
tags: [home]
modified: 2025-03-01T09:00:00Z
---

# Graz

## Observations
- [fact] Hanna lives in Graz #home (since 2024)
- [preference] Hanna prefers tea over coffee #food

## Relations
- lives_with [[Lena]]
"""


def test_a_note_of_basic_memory_keeps_sentences_and_relations(
    write: Write, take_in: Callable[..., Kept]
) -> None:
    kept = take_in(write("Graz.md", NOTE))
    [record] = kept.report.records
    assert record.date == 1_740_819_600_000
    text = (kept.memory.root / record.paths[0]).read_text("utf-8")
    assert "- lives_with" in text
    assert "Hanna prefers tea over coffee" in kept.statements("agent")
    assert kept.statements("person") == set()
    assert not any("[" in item.statement or "#" in item.statement for item in kept.items)


def test_auto_memory_is_claudes_word_and_its_index_no_memory(
    write: Write, take_in: Callable[..., Kept]
) -> None:
    write("memory/MEMORY.md", "- [Home](user_home.md) — lives in Oslo\n")
    page = "---\nname: user-home\ndescription: where they live\nmetadata:\n  type: user\n---\n\n"
    file = write("memory/user_home.md", f"{page}The user lives in Graz.\n**Why:** they said so.\n")
    kept = take_in(file.parent)
    assert "The user lives in Graz." in kept.statements("agent")
    assert not any("Oslo" in item.statement for item in kept.items)
    assert [each.name for each in kept.report.records] == ["where they live"]


def test_front_matter_that_is_no_yaml_is_named(write: Write, take_in: Callable[..., Kept]) -> None:
    bomb = "---\ntitle: x\ntype: note\npermalink: a\nb: " + "[" * 5000 + "\n---\n\ntext\n"
    write("Graz.md", NOTE)
    file = write("bomb.md", bomb)
    kept = take_in(file.parent)
    assert [each.what for each in kept.report.records] == ["added"]
    assert kept.report.passed == 1
