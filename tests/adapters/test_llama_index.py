"""A block of LlamaIndex's memory that is a vault."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

pytest.importorskip(
    "llama_index.core", reason="llama-index-core is not installed (python -m tests.adapters)"
)

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.llms.mock import MockFunctionCallingLLMWithChatMemoryOfLastCall
from llama_index.core.memory import Memory as ChatMemory

from vaultmem.adapters import Vaults
from vaultmem.adapters.llama_index import VaultMemoryBlock, turns_of
from vaultmem.api import Memory


def said(role: str, text: str | None) -> ChatMessage:
    return ChatMessage(role=role, content=text)


def test_the_block_tells_what_is_known_about_the_users_last_words(vault: Path) -> None:
    with Memory(vault) as memory:
        memory.remember("I live in Graz. My sister Lena plays the cello.")

    async def look() -> None:
        block = VaultMemoryBlock(vault, budget=150)
        asked = [said("user", "who plays the cello?"), said("assistant", "Let me see.")]
        told = await block.aget(asked)
        assert "Lena plays the cello" in told
        assert "Lena" not in await VaultMemoryBlock(vault, budget=60).aget(asked)

    asyncio.run(look())


def test_an_empty_vault_tells_nothing(vault: Path) -> None:
    block = VaultMemoryBlock(vault)
    assert asyncio.run(block.aget([said("user", "where do I live?")])) == ""


def test_messages_become_turns_and_a_tools_words_are_nobodys() -> None:
    messages = [
        said("system", "Be brief."),
        said("user", "One."),
        said("assistant", None),
        said("tool", "I live in Porto."),
        said("assistant", "Two."),
        said("assistant", "Three."),
        said("user", "Four."),
        said("user", "Five."),
    ]
    assert list(turns_of(messages)) == [("One.", "Two.\n\nThree."), ("Four.", ""), ("Five.", "")]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # LlamaIndex's own, of pydantic
def test_a_real_agent_is_told_what_earlier_chats_said(tmp_path: Path) -> None:
    seen: list[str] = []

    def answer(messages: list[ChatMessage], **given: object) -> ChatMessage:
        seen.append("\n".join(str(each.content) for each in messages))
        return ChatMessage(role="assistant", content="Noted, and here are some more words for you.")

    def look_up(town: str) -> str:
        """Look a town up."""
        return town

    async def chat(vaults: Vaults, session_id: str, *words: str) -> None:
        block = VaultMemoryBlock(vaults.of("ada"))
        memory = ChatMemory.from_defaults(
            session_id=session_id,
            token_limit=60,
            token_flush_size=10,
            chat_history_token_ratio=0.5,
            memory_blocks=[block],
        )
        llm = MockFunctionCallingLLMWithChatMemoryOfLastCall(response_generator=answer)
        agent = FunctionAgent(tools=[look_up], llm=llm)
        for text in words:
            await agent.run(text, memory=memory)
        await block.keep(await memory.sql_store.get_messages(session_id), session_id)
        engine, _ = await memory.sql_store._setup_connections()  # nobody else closes its database
        await engine.dispose()

    with Vaults(tmp_path / "users") as vaults:
        asyncio.run(
            chat(vaults, "Monday", "I live in Graz.", "I prefer tea.", "I work at a bakery.")
        )
        talked = vaults.of("ada").ask(lambda memory: memory.sessions.list(everything=True))
        assert [row.status for row in talked] == ["ended"]
        asyncio.run(chat(vaults, "Tuesday", "What do you know of where I live?"))
        assert "I live in Graz." in seen[-1]
        turns = vaults.of("ada").ask(
            lambda memory: [
                turn.user
                for row in memory.sessions.list(everything=True)
                for turn in memory.sessions.open(row.session).show().window
            ]
        )
        assert sorted(turns) == sorted(
            [
                *("I live in Graz.", "I prefer tea.", "I work at a bakery."),
                "What do you know of where I live?",
            ]
        )
