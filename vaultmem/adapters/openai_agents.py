"""`VaultSession`: a session of the OpenAI Agents SDK, kept as a conversation of a vault.

The items of the SDK are the state of the conversation's agent, as they came. What was said in
them becomes turns: the person's words once they are answered, or others follow.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from vaultmem import sessions
from vaultmem.adapters.framework import keep_turn, name_of
from vaultmem.adapters.users import OneVault, vault_of
from vaultmem.api import Memory
from vaultmem.base import Any, BadInputError, TypeVar

T = TypeVar("T")
Item = dict[str, Any]

_STATE = "openai_agents"


class VaultSession:
    """One conversation, with the methods that `Runner.run(..., session=...)` calls.

    session_id        any text; the conversation has it as its id, or one made of it
    vault             a folder or name as `Memory` takes it, or `Vaults.of(user_id)`
    session_settings  the SDK's, or None; its `limit` is that of `get_items`
    writer            whose words those of the role 'user' are
    """

    def __init__(
        self,
        session_id: str,
        vault: OneVault | str | Path | None = None,
        *,
        session_settings: Any = None,
        writer: str = "person",
    ) -> None:
        self.session_id = session_id
        self.session_settings = session_settings
        self._vault = vault_of(vault)
        self._name = name_of(session_id)
        self._writer = writer

    async def get_items(self, limit: int | None = None) -> list[Any]:
        """The items, the oldest first; of more than `limit`, the last ones."""
        if limit is None:
            limit = getattr(self.session_settings, "limit", None)
        items, _ = await self._vault.ask_later(self._load)
        return items if limit is None else items[max(0, len(items) - limit) :]

    async def add_items(self, items: Sequence[Any]) -> None:
        """Keep items behind those that there are; durable when it returns."""
        new = [dict(each) for each in items]
        if new:
            await self._vault.ask_later(lambda memory: self._in_queue(memory, self._add, new))

    async def pop_item(self) -> Any:
        """Take the last item away, and give it; None: there is none."""
        return await self._vault.ask_later(lambda memory: self._in_queue(memory, self._pop))

    async def clear_session(self) -> None:
        """Take all items away. What was said in turns stays: the conversation has ended."""
        await self._vault.ask_later(self._clear)

    def _load(self, memory: Memory) -> tuple[list[Item], int]:
        """The items, and how many of them are in turns."""
        if self._name not in sessions.files.folders(memory.opened):
            return [], 0
        state = sessions.view(memory.opened, self._name).state
        kept = state.get(_STATE) if isinstance(state, Mapping) else None
        return (list(kept["items"]), int(kept["told"])) if isinstance(kept, Mapping) else ([], 0)

    def _in_queue(self, memory: Memory, work: Callable[..., T], *given: object) -> T:
        with sessions.queue(memory.opened, self._name):
            return work(memory, *given)

    def _add(self, memory: Memory, new: list[Item]) -> None:
        items, told = self._load(memory)
        waiting = items[told:]
        if any(map(_is_persons, new)) and any(map(_is_persons, waiting)):
            self._turn(memory, items, len(items), waiting)  # they were never answered
            waiting = []
        items, waiting = items + new, waiting + new
        # Calls of tools and their results come between a question and its reply. They are in no
        # turn, so they wait as a state until an answer closes the turn.
        if new[-1].get("role") == "assistant":
            self._turn(memory, items, len(items), waiting)
        else:
            self._save(memory, items, len(items) - len(waiting))

    def _pop(self, memory: Memory) -> Item | None:
        items, told = self._load(memory)
        if not items:
            return None
        last = items.pop()
        self._save(memory, items, min(told, len(items)))
        return last

    def _clear(self, memory: Memory) -> None:
        if self._load(memory)[0]:
            self._in_queue(memory, self._save, [], 0)
            memory.session(self._name, start=False).end()

    def _turn(self, memory: Memory, items: list[Item], told: int, said: list[Item]) -> None:
        """Keep a turn and the items, in one commit."""
        user = "\n\n".join(_texts(each for each in said if _is_persons(each)))
        reply = "\n\n".join(_texts(each for each in said if each.get("role") == "assistant"))
        if user or reply:
            state = _as_state(items, told)
            keep_turn(memory.opened, self._name, user, reply, writer=self._writer, state=state)
        else:  # a picture, a file
            self._save(memory, items, told)

    def _save(self, memory: Memory, items: list[Item], told: int) -> None:
        vault = memory.opened
        begin = sessions.beginning_of(vault, self._name, writer=self._writer)
        sessions.keep_state(vault, self._name, _as_state(items, told), begin=begin)


def _as_state(items: list[Item], told: int) -> str:
    try:
        return json.dumps({_STATE: {"items": items, "told": told}})
    except (TypeError, ValueError) as error:
        raise BadInputError(f"an item cannot be kept: {error}", hint="items are JSON") from error


def _is_persons(item: Item) -> bool:
    return item.get("role") == "user"


def _texts(items: Iterable[Item]) -> Iterator[str]:
    """What is said in messages; pictures, files and reasoning are not.

    Nor what the person marks as private, and memories that the program put around their words.
    """
    for item in items:
        content = item.get("content")
        for part in [content] if isinstance(content, str) else content or []:
            text = part if isinstance(part, str) else part.get("text")
            # A program that puts memories into the prompt taught the vault its own words.
            if isinstance(text, str) and (said := sessions.kept_words(text)):
                yield said
