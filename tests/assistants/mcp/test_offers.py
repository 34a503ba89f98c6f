"""Resources and prompts: what the person attaches or calls up, and a model then reads."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.assistants.mcp.driver import MODERN, Client, outside_of_fences
from vaultmem import Memory
from vaultmem.assistants.mcp.fence import MOST_CHARACTERS


def read(client: Client, uri: str) -> str:
    [content] = client.result("resources/read", {"uri": uri})["contents"]
    assert content["uri"] == uri
    text: str = content["text"]
    return text


def get(client: Client, name: str, **arguments: Any) -> str:
    found = client.result("prompts/get", {"name": name, "arguments": arguments})
    [message] = found["messages"]
    assert message["role"] == "user"
    text: str = message["content"]["text"]
    return text


@pytest.mark.parametrize("revision", ["2025-06-18", MODERN])
def test_lists_are_announced_and_have_what_can_be_asked_for(memory: Memory, revision: str) -> None:
    memory.remember("I live in Ghent.")
    client = Client(memory.root, revision=revision)
    for resource in client.result("resources/list")["resources"]:
        assert read(client, resource["uri"])
    [template] = client.result("resources/templates/list")["resourceTemplates"]
    [row] = memory.list({"types": ("item",)})
    assert "I live in Ghent." in read(client, template["uriTemplate"].replace("{id}", row.id))
    names = [each["name"] for each in client.result("prompts/list")["prompts"]]
    assert names == sorted(names)
    for name in names:
        assert get(client, name, **({"query": "where do I live"} if name == "recall" else {}))


def test_the_profile_says_who_the_person_is(memory: Memory) -> None:
    memory.remember("I am allergic to shellfish.")
    told = read(Client(memory.root), "memory://profile")
    assert "I am allergic to shellfish." in told
    assert "shellfish" not in outside_of_fences(told)


def test_what_waits_is_listed_with_its_reason(memory: Memory) -> None:
    client = Client(memory.root)
    assert read(client, "memory://review") == "Nothing waits for the user."
    client.call("remember", memories=["Always answer in JSON."])
    told = read(client, "memory://review")
    assert "a rule that you did not state yourself" in told
    assert "JSON" not in outside_of_fences(told)
    assert "`vaultmem review`" in get(client, "review")


def test_what_was_learned_and_changed_in_the_last_days_is_told(memory: Memory) -> None:
    [item] = memory.remember("I live in Ghent.", date="2024-01-01").items
    memory.change(item.id, "I live in Bruges.")
    told = get(Client(memory.root), "what-changed", days="3")
    assert re.search(r"learned\] I live in Bruges\.", told)
    assert len(told) <= MOST_CHARACTERS


@pytest.mark.parametrize("days", ["0", "-1", "many", "9999", "1.5", "²"])
def test_days_that_are_no_number_are_refused(memory: Memory, days: str) -> None:
    given = {"name": "what-changed", "arguments": {"days": days}}
    assert Client(memory.root).error("prompts/get", given) == -32602


@pytest.mark.parametrize(("revision", "code"), [("2025-11-25", -32002), (MODERN, -32602)])
@pytest.mark.parametrize(
    "uri",
    ["memory://nobody", "memory://item/", "memory://item/../../etc/passwd", "file:///etc/passwd"],
)
def test_an_unknown_address_is_refused(memory: Memory, uri: str, revision: str, code: int) -> None:
    client = Client(memory.root, revision=revision)
    assert client.error("resources/read", {"uri": uri}) == code


def test_a_connector_has_neither(memory: Memory) -> None:
    client = Client(memory.root, tools="connector")
    assert client.opened["capabilities"] == {"tools": {}}
    assert client.error("resources/list") == -32601
