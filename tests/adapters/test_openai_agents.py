"""A session of the OpenAI Agents SDK is a conversation of a vault."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.adapters.responses_server import called, responses_server, said
from vaultmem.adapters import Vaults
from vaultmem.adapters.framework import name_of
from vaultmem.adapters.openai_agents import VaultSession
from vaultmem.api import Memory
from vaultmem.base import BadInputError

USER = {"role": "user", "content": "I live in Graz. Never use tabs."}
CALL = {"type": "function_call", "call_id": "c1", "name": "look", "arguments": '{"a": 1}'}
FOUND = {
    "type": "function_call_output",
    "call_id": "c1",
    "output": "I live in Porto.  \n<b>![x](http://e)</b>",
}
REPLY = {
    "type": "message",
    "role": "assistant",
    "content": [{"type": "output_text", "text": "Noted.", "annotations": []}],
}


def run(work: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(work())  # type: ignore[arg-type]  # a coroutine


def turns(vault: Path, name: str = "heron") -> list[tuple[str, str]]:
    with Memory(vault) as memory:
        window = memory.session(name, start=False).show().window
    return [(turn.user, turn.assistant) for turn in window]


class TestItems:
    def test_items_come_back_equal_and_in_order(self, vault: Path) -> None:
        async def talk() -> None:
            session = VaultSession("heron", vault)
            assert await session.get_items() == []
            assert await session.pop_item() is None
            await session.clear_session()
            await session.add_items([USER])
            await session.add_items([CALL, FOUND])
            await session.add_items([REPLY])
            again = VaultSession("heron", vault)
            assert await again.get_items() == [USER, CALL, FOUND, REPLY]
            assert await again.get_items(2) == [FOUND, REPLY]
            assert await again.get_items(0) == []
            assert await again.get_items(9) == [USER, CALL, FOUND, REPLY]
            few = VaultSession("heron", vault, session_settings=SimpleNamespace(limit=1))
            assert await few.get_items() == [REPLY]
            assert await again.pop_item() == REPLY
            assert await session.get_items() == [USER, CALL, FOUND]
            await again.add_items([REPLY, USER])
            assert await session.get_items() == [USER, CALL, FOUND, REPLY, USER]

        run(talk)

    def test_a_question_about_a_session_makes_none(self, vault: Path) -> None:
        async def look() -> None:
            await VaultSession("heron", vault).get_items()

        run(look)
        with Memory(vault) as memory:
            assert memory.sessions.list(everything=True) == ()

    def test_two_ids_never_share_a_conversation(self) -> None:
        odd = ("heron", "Heron", "heron ", "../heron", "用户", "x" * 500, "con", name_of("Heron"))
        names = [name_of(each) for each in odd]
        assert names[0] == "heron"
        assert len(set(names)) == len(odd)
        assert all(len(name) <= 60 for name in names)
        with pytest.raises(BadInputError):
            name_of("")


class TestTurns:
    def test_the_persons_words_become_turns_and_a_tools_never_theirs(self, vault: Path) -> None:
        async def talk() -> None:
            session = VaultSession("heron", vault)
            for items in ([USER], [CALL, FOUND], [REPLY]):
                await session.add_items(items)
            await session.clear_session()
            assert await session.get_items() == []

        run(talk)
        assert turns(vault) == [("I live in Graz. Never use tabs.", "Noted.")]
        with Memory(vault) as memory:
            [home] = memory.recall("where do I live?", filters={"kind": "fact"}).hits
            assert (home.note.statement, home.note.writer) == ("I live in Graz.", "person")
            assert not [
                hit for hit in memory.search("Porto").hits if hit.note.type in ("item", "resource")
            ]
            assert memory.check().problems == ()

    def test_what_is_private_and_what_the_program_gave_is_in_no_turn(self, vault: Path) -> None:
        given = "<system-reminder>I live in Porto.</system-reminder>"
        told = f"I live in Graz. <private>I owe Tom 4711.</private>{given}"
        only = [{"role": "user", "content": "<private>Not a word.</private>"}]

        async def talk() -> None:
            session = VaultSession("heron", vault)
            await session.add_items([{"role": "user", "content": told}, REPLY])
            await session.add_items(only)
            await session.add_items([USER])

        run(talk)
        assert turns(vault) == [("I live in Graz.", "Noted.")]

    def test_a_session_that_was_cleared_goes_on(self, vault: Path) -> None:
        async def talk() -> None:
            session = VaultSession("heron", vault)
            await session.add_items([USER, REPLY])
            await session.clear_session()
            await session.add_items([{"role": "user", "content": "I work at a bakery."}])
            await session.add_items([REPLY])
            assert len(await session.get_items()) == 2
            await session.clear_session()

        run(talk)
        assert [user for user, _ in turns(vault)] == [USER["content"], "I work at a bakery."]
        with Memory(vault) as memory:
            [work] = memory.recall("where do I work?", filters={"kind": "fact"}).hits
            assert work.note.statement == "I work at a bakery."

    def test_words_that_nobody_answered_are_kept_when_others_follow(self, vault: Path) -> None:
        async def talk() -> None:
            session = VaultSession("heron", vault)
            parts = [{"type": "input_text", "text": "Hello."}, {"type": "input_image"}]
            await session.add_items([{"role": "system", "content": "I am the system."}])
            await session.add_items([{"role": "user", "content": parts}])
            await session.add_items([{"role": "user", "content": "Are you there?"}])
            await session.add_items([REPLY])

        run(talk)
        assert turns(vault) == [("Hello.", ""), ("Are you there?", "Noted.")]

    def test_words_that_were_taken_away_before_an_answer_are_no_turn(self, vault: Path) -> None:
        async def talk() -> None:
            session = VaultSession("heron", vault)
            await session.add_items([USER])
            assert await session.pop_item() == USER
            await session.add_items([{"role": "user", "content": "I live in Bern."}, REPLY])

        run(talk)
        assert turns(vault) == [("I live in Bern.", "Noted.")]


def test_the_real_runner_remembers_over_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip(
        "agents", reason="openai-agents is not installed (python -m tests.adapters)"
    )
    from agents import Agent, Runner, function_tool, set_tracing_disabled

    set_tracing_disabled(True)
    monkeypatch.setenv("OPENAI_API_KEY", "none")

    @function_tool  # type: ignore[untyped-decorator]  # of a package that mypy skips
    def look_up(town: str) -> str:
        """Look a town up."""
        return f"I prefer {town} myself."

    outputs = [
        called("look_up", {"town": "Porto"}),
        said("Noted: Graz."),
        said("You live in Graz."),
    ]

    async def talk(vaults: Vaults) -> list[Any]:
        agent = Agent(name="a", instructions="i", tools=[look_up], model="scripted")
        vault = vaults.of("ada")
        await Runner.run(agent, "I live in Graz.", session=VaultSession("Monday 1", vault))
        done = await Runner.run(agent, "Where do I live?", session=VaultSession("Monday 1", vault))
        assert done.final_output == "You live in Graz."
        return await VaultSession("Monday 1", vault).get_items()

    with responses_server(outputs) as (url, requests), Vaults(tmp_path / "users") as vaults:
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        items = asyncio.run(talk(vaults))
        told = [each.get("role") or each["type"] for each in items]
        assert told == [
            *("user", "function_call", "function_call_output", "assistant"),
            *("user", "assistant"),
        ]
        assert [each["content"] for each in requests[2]["input"] if each.get("role") == "user"] == [
            "I live in Graz.",
            "Where do I live?",
        ]
        assert turns(vaults.place_of("ada"), name_of("Monday 1")) == [
            ("I live in Graz.", "Noted: Graz."),
            ("Where do I live?", "You live in Graz."),
        ]
