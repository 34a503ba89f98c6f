"""`VaultMemoryBlock`: long-term memory of LlamaIndex's `Memory`, in a vault."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vaultmem import sessions
from vaultmem.adapters.framework import MissingFrameworkError, keep_turn, name_of
from vaultmem.adapters.users import OneVault, vault_of
from vaultmem.api import Memory
from vaultmem.base import Any

try:
    from llama_index.core.base.llms.types import ChatMessage, MessageRole
    from llama_index.core.bridge.pydantic import PrivateAttr
    from llama_index.core.memory import BaseMemoryBlock
except ModuleNotFoundError as error:
    raise MissingFrameworkError("vaultmem.adapters.llama_index", "llama-index-core") from error

_SESSION = "llama-index"


class VaultMemoryBlock(BaseMemoryBlock[str]):
    """What the vault knows about the last words of the user; takes in what the chat outgrew.

    vault    a folder or name as `Memory` takes it, or `Vaults.of(user_id)`
    budget   most tokens of its text, counted as `context.counter` says
    writer   whose words those of the role 'user' are

    LlamaIndex hands messages over when its short-term memory is full. `keep` hands over the rest,
    as at the end of a chat, and ends the conversation.
    """

    name: str = "vault"
    budget: int = 800
    writer: str = "person"
    _vault: OneVault = PrivateAttr()

    def __init__(self, vault: Any = None, **given: Any) -> None:
        super().__init__(**given)
        self._vault = vault_of(vault)

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: Any) -> str:
        """What is known; '' where that is nothing."""
        own = (each.content for each in reversed(messages or ()) if each.role == MessageRole.USER)
        question = next((text for text in own if text and text.strip()), "")

        def ask(memory: Memory) -> str:
            pack = memory.context(question, budget=self.budget)
            return pack.text if pack.lines else ""

        return await self._vault.ask_later(ask)

    async def _aput(self, messages: list[ChatMessage]) -> None:
        """Keep messages as turns of a conversation: the user's words, with the replies to them."""
        told = next(
            (each.additional_kwargs["session_id"] for each in messages if _has_session(each)), ""
        )
        name = name_of(str(told or _SESSION))
        pairs = list(turns_of(messages))

        def keep(memory: Memory) -> None:
            with sessions.queue(memory.opened, name):
                for user, reply in pairs:
                    keep_turn(memory.opened, name, user, reply, writer=self.writer)

        if pairs:
            await self._vault.ask_later(keep)

    async def keep(self, messages: Sequence[ChatMessage], session_id: str = _SESSION) -> None:
        """Take in what the short-term memory still has, and end the conversation."""
        await self.aput(list(messages), session_id=session_id)
        name = name_of(session_id)

        def end(memory: Memory) -> None:
            if name in sessions.files.folders(memory.opened):
                memory.session(name, start=False).end()

        await self._vault.ask_later(end)


def turns_of(messages: Sequence[ChatMessage]) -> Iterator[tuple[str, str]]:
    """What users and assistants say, by turns; results of tools and words of systems are neither.

    Words that nobody answered are a turn, too. What the person marks as private is in none, and no
    memory that the program put around their words.
    """
    user: list[str] = []
    reply: list[str] = []
    for each in messages:
        text = sessions.kept_words(each.content or "")
        if not text:
            continue
        if each.role == MessageRole.USER:
            if user or reply:
                yield "\n\n".join(user), "\n\n".join(reply)
            user, reply = [text], []
        elif each.role == MessageRole.ASSISTANT:
            reply.append(text)
    if user or reply:
        yield "\n\n".join(user), "\n\n".join(reply)


def _has_session(message: ChatMessage) -> bool:
    return bool(message.additional_kwargs.get("session_id"))
