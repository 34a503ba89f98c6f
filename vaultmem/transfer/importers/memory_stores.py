"""Memories that other stores export: Mem0, the MCP memory server, Letta's agent files. Pure.

What such a store remembered is an agent's word of the person, never the person's. Letta keeps the
conversation, too: there the person's messages are theirs.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping

from vaultmem.base import TYPE_CHECKING, Any
from vaultmem.model import Turn
from vaultmem.transfer.importers.imported_records import (
    AGENT,
    Noted,
    Odd,
    Record,
    Talk,
    list_at,
    mapping_at,
    own_words,
    string_at,
    text_of,
    time_of,
    tool_turn,
)
from vaultmem.transfer.importers.json_stream import BrokenElementError, lines, objects

if TYPE_CHECKING:
    from vaultmem.transfer.importers.imported_records import Asked

MEM0, SERVER, LETTA = "Mem0", "memory server", "Letta"


# --- Mem0 ----------------------------------------------------------------------------------


def read_mem0(asked: Asked) -> Iterator[Record]:
    """Each memory as a note of its own, by the time at which it was last said."""
    for path in (("memories",), ("results",), ()):
        with asked.file.open() as stream:
            found = list(_mem0(objects(stream, path, progress=asked.progress)))
        if found and not (path and all(isinstance(each, Odd) for each in found)):
            yield from found
            return


def _mem0(found: Iterator[dict[str, Any] | BrokenElementError]) -> Iterator[Record]:
    for number, each in enumerate(found, start=1):
        name = f"memory {number}"
        if isinstance(each, BrokenElementError):
            yield Odd(product=MEM0, name=name, why=each.message)
            continue
        text = (string_at(each, "memory") or string_at(each, "text")).strip()
        if not text:
            yield Odd(product=MEM0, name=name, why="it has no text ('memory')")
            continue
        yield Noted(
            product=MEM0,
            id=string_at(each, "id"),
            title="",
            text=text,
            writer=AGENT,
            date=time_of(each.get("updated_at")) or time_of(each.get("created_at")),
        )


# --- the memory server of the Model Context Protocol ------------------------------------------


def read_memory_server(asked: Asked) -> Iterator[Record]:
    """A page for each entity: what was observed of it, and how it relates to others."""
    pages: dict[str, list[str]] = {}
    kinds: dict[str, str] = {}
    with asked.file.open() as stream:
        for found in lines(stream, progress=asked.progress):
            if isinstance(found, BrokenElementError):
                yield Odd(product=SERVER, name="a line", why=found.message)
            elif string_at(found, "type") == "entity":
                name = string_at(found, "name")
                kinds[name] = string_at(found, "entityType")
                said = [str(each) for each in list_at(found, "observations")]
                pages.setdefault(name, []).extend(said)
            elif string_at(found, "type") == "relation":
                how = string_at(found, "relationType").replace("_", " ")
                told = f"{string_at(found, 'from')} {how} {string_at(found, 'to')}."
                pages.setdefault(string_at(found, "from"), []).append(told)
    for name, said in pages.items():
        statements = [_of(name, each.strip()) for each in said if each.strip()]
        if not statements:
            why = "nothing is said of it"
            yield Odd(product=SERVER, name=name, why=why, is_expected=True)
            continue
        yield Noted(
            product=SERVER,
            id=name,
            title=f"{name} ({kinds[name]})" if kinds.get(name) else name,
            text="\n".join(statements),
            writer=AGENT,
        )


def _of(name: str, said: str) -> str:
    """An observation with its subject: 'Lives in Graz' of Hanna is 'Hanna: Lives in Graz.'"""
    ended = said if said.endswith((".", "!", "?")) else f"{said}."
    # As a word: 'Allergic to penicillin' does not name Al, and without him it is the person's.
    names = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", said, re.IGNORECASE)
    return ended if names or not name else f"{name}: {ended}"


# --- Letta ---------------------------------------------------------------------------------


def read_letta(asked: Asked) -> Iterator[Record]:
    """The agents of an `.af` file: each one's conversation, and the blocks of its memory."""
    with asked.file.open() as stream:
        for found in objects(stream, progress=asked.progress):
            if isinstance(found, BrokenElementError):
                yield Odd(product=LETTA, name=asked.file.path.stem, why=found.message)
                continue
            agents = [each for each in list_at(found, "agents") if isinstance(each, dict)]
            for agent in agents or [found]:
                yield from _agent(agent, asked.file.path.stem)
            blocks = (*list_at(found, "blocks"), *list_at(found, "core_memory"))
            for block in blocks:
                yield from _block(block)


def _block(block: object) -> Iterator[Record]:
    text, label = string_at(block, "value").strip(), string_at(block, "label")
    if text and label != "persona":  # that is the agent's own character
        yield Noted(
            product=LETTA,
            id=string_at(block, "id") or label,
            title=f"Letta's memory block '{label}'",
            text=text,
            writer=AGENT,
        )


def _agent(agent: Mapping[str, Any], name: str) -> Iterator[Record]:
    left: Counter[str] = Counter()
    messages = list_at(agent, "messages")
    turns = [turn for each in messages for turn in _letta_turns(each, left)]
    id_ = string_at(agent, "id") or name
    if not any(turn.role in ("user", "assistant") for turn in turns):
        if messages or "messages" in agent:
            why = "nobody said anything in it"
            yield Odd(product=LETTA, name=string_at(agent, "name"), why=why, is_expected=True)
        return
    first = next(turn for turn in turns if turn.role in ("user", "assistant"))
    yield Talk(
        product=LETTA,
        # In a file the agents are numbered ('agent-0'): the name and the first time tell more.
        id=f"{string_at(agent, 'name') or id_}-{first.said_at or 0}",
        title=f"Letta: {string_at(agent, 'name')}",
        turns=tuple(turns),
        date=first.said_at,
        read=len(messages),
        left=left,
    )


def _letta_turns(message: object, left: Counter[str]) -> Iterator[Turn]:
    role = string_at(message, "role")
    at = time_of(message.get("created_at")) if isinstance(message, dict) else None
    content = message.get("content") if isinstance(message, dict) else None
    text = text_of(content) or string_at(message, "text")
    if role == "user":
        said = _typed_words(text)
        left["of the program"] += bool(text.strip()) and not said
        if said:
            yield Turn(text=said, role="user", said_at=at)
    elif role == "assistant":
        sent = _sent_messages(list_at(message, "tool_calls"))
        left["calls of tools"] += len(list_at(message, "tool_calls")) - len(sent)
        # Beside a message that is sent by a tool, the text is what the agent thinks.
        left["thinking"] += bool(sent) and bool(text.strip())
        told = "\n\n".join(sent) or text
        if told.strip():
            yield Turn(text=told, role="assistant", said_at=at)
    elif role == "tool":
        turn = tool_turn(string_at(message, "name"), text, at)
        if turn is not None:
            yield turn
    else:
        left["of the system"] += 1


def _typed_words(text: str) -> str:
    """The person's words: Letta packs them as JSON, as it does events of its own."""
    if not text.lstrip().startswith("{"):
        return own_words(text)
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return own_words(text)
    kind = string_at(found, "type")
    if kind == "user_message":
        return own_words(string_at(found, "message"))
    return "" if kind else own_words(text)


def _sent_messages(calls: list[object]) -> list[str]:
    """What an agent said by the tool `send_message`."""
    found = []
    for call in calls:
        told = mapping_at(call, "function")
        if string_at(told, "name") != "send_message":
            continue
        try:
            arguments = json.loads(string_at(told, "arguments"))
        except (ValueError, RecursionError):
            continue
        message = string_at(arguments, "message")
        if message.strip():
            found.append(message)
    return found
