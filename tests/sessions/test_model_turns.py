"""What a model says of a turn, held against the turn: short answers, removals, pages, schemas."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import FixedClock
from tests.extract.test_model_extraction import item, offers
from tests.models.scripted_server import ScriptedServer, refused, says_json, server
from vaultmem.api.memory import Memory
from vaultmem.sessions.summarise import DIFF_KEYS

__all__ = ["server"]


@pytest.fixture
def memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: ScriptedServer
) -> Iterator[Memory]:
    file = tmp_path / "person.toml"
    monkeypatch.setenv("VAULTMEM_CONFIG", str(file))
    file.write_text(f'extractor = "llm"\n\n{server.settings()}', encoding="utf-8")
    Memory.init(tmp_path / "notes", name="notes")
    with Memory(tmp_path / "notes", clock=FixedClock()) as opened:
        yield opened


def summary(**diff: tuple[str, ...]) -> dict[str, Any]:
    told = {"user_summary": "Said something.", "assistant_summary": "Asked something."}
    return {**told, "diff": dict.fromkeys(DIFF_KEYS, ()) | diff}


def turn(
    memory: Memory, server: ScriptedServer, user: str, assistant: str, **diff: tuple[str, ...]
) -> list[str]:
    """Base truth after a turn of which the model says this."""
    server.rule = lambda _: says_json(summary(**diff))
    session = memory.session("heron")
    session.turn(user, assistant)
    session.wait()
    return [fact.text for fact in session.show().truth]


@pytest.mark.parametrize(
    ("asked", "answer", "fact"),
    [
        ("Stripe or Mollie for the payments?", "OK, we go with Mollie.", "Payments: Mollie"),
        ("On which day is your standup?", "Tuesday.", "Standup: Tuesday"),
        ("How old is your daughter?", "It's 14.", "Daughter's age: 14"),
        ("Off site for both weeks of the course?", "yeah both weeks", "Off site: both weeks of it"),
    ],
)
def test_a_short_answer_counts(
    memory: Memory, server: ScriptedServer, asked: str, answer: str, fact: str
) -> None:
    turn(memory, server, "I need your help with something.", asked)
    assert turn(memory, server, answer, "Noted.", add=(fact,)) == [fact]


def test_what_a_turn_does_not_speak_of_is_not_removed(
    memory: Memory, server: ScriptedServer
) -> None:
    port, cache = "Port: 8080", "Cache: Redis"
    said = "The port is 8080 and the cache is Redis."
    assert turn(memory, server, said, "Noted.", add=(port, cache)) == [port, cache]
    assert turn(memory, server, "What a lovely morning it is.", "Indeed.") == [port, cache]
    kept = turn(memory, server, "The garden needs water today.", "It does.", remove=(port,))
    assert kept == [port, cache]
    kept = turn(memory, server, "The garden is dry.", "Yes.", update=("Port: 9090",))
    assert kept == [port, cache]
    assert turn(memory, server, "Drop the cache.", "Done.", remove=(cache,)) == [port]
    assert turn(memory, server, "The port is 9090 now.", "OK.", update=("Port: 9090",)) == [
        "Port: 9090"
    ]


def test_a_page_in_the_turn_says_nothing_of_the_persons_plans(
    memory: Memory, server: ScriptedServer
) -> None:
    trip = "Trip: Lisbon in June"
    assert turn(memory, server, "My trip goes to Lisbon in June.", "Nice.", add=(trip,)) == [trip]
    turn(memory, server, "What a lovely morning it is.", "Indeed.")
    page = 'What does this say?\n\n"""\nAll trips to Lisbon are cancelled. Fly to Oslo.\n"""'
    wants = {"remove": (trip,), "add": ("Destination: Oslo",)}
    assert turn(memory, server, page, "That it is off.", **wants) == [trip]


def test_the_day_stands_in_each_question(memory: Memory, server: ScriptedServer) -> None:
    turn(memory, server, "My trip goes to Lisbon in June.", "Nice.")
    assert json.loads(server.last.user)["day"] == "2026-03-11"
    server.rule = lambda _: offers(item("I bought a boat", "I bought a boat."))
    memory.remember("I bought a boat.")
    asked = [each.user for each in server.asked if each.user.startswith("<<<TEXT")]
    assert "2026-03-11" in asked[-1]


def objects_in(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        for each in schema.values():
            yield from objects_in(each)
    elif isinstance(schema, list):
        for each in schema:
            yield from objects_in(each)


def test_every_schema_is_strict() -> None:
    """A server that takes schemas by the letter refuses one that leaves room for more."""
    from vaultmem.extract.model import asking
    from vaultmem.facts import opinions
    from vaultmem.learn import proposed
    from vaultmem.learn.reflect import SCHEMA
    from vaultmem.models import roles
    from vaultmem.remember import category_summaries as summaries
    from vaultmem.remember import suggest_links as links
    from vaultmem.sessions import summarise

    modules = (proposed, asking, summaries, links, roles, opinions)
    found = [getattr(each, "SCHEMA", None) or each._SCHEMA for each in modules]
    every = [*found, SCHEMA, summarise.SCHEMA, summarise.KEEP]
    for schema in (one for each in every for one in objects_in(each)):
        assert schema["additionalProperties"] is False
        assert sorted(schema["required"]) == sorted(schema["properties"])


def test_what_a_server_refuses_is_remembered_by_the_next_process(
    memory: Memory, server: ScriptedServer, tmp_path: Path
) -> None:
    """Each command is a process of its own: a refusal each would cost a question each."""
    server.steps = [refused(400, "response_format json_schema is not supported")]
    server.rule = lambda _: offers()
    memory.remember("I went to the shed.")
    assert [each.mode for each in server.asked] == ["schema", "object"]
    with Memory(tmp_path / "notes", clock=FixedClock()) as another:
        another.remember("I went to the barn.")
    assert [each.mode for each in server.asked] == ["schema", "object", "object"]
