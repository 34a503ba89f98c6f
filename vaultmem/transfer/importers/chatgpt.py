"""ChatGPT: `conversations.json`, alone, in several files, or in the ZIP that OpenAI sends. Pure.

A conversation is a tree (`mapping`): the branch from `current_node` up to the root is what was
said last, every sibling is an edit or another answer. A message to a `recipient` other than "all"
is a call of a tool; to `bio` it is ChatGPT's own memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from vaultmem.base import TYPE_CHECKING, Any, late
from vaultmem.model import Turn
from vaultmem.transfer.importers.imported_records import (
    AGENT,
    PERSON,
    Noted,
    Odd,
    Record,
    Talk,
    as_other_branch,
    attachment_turn,
    empty,
    list_at,
    mapping_at,
    ms_of_seconds,
    string_at,
    tool_turn,
    whole_text,
)
from vaultmem.transfer.importers.json_stream import BrokenElementError, elements

if TYPE_CHECKING:
    from vaultmem.transfer.importers.imported_records import Asked

NAME = "ChatGPT"
# Marks of citations, private-use characters around their target: 'tea.<E200>cite<E202>turn0<E201>'.
_CITATION = late("\ue200[^\ue201]{0,400}\ue201|[\ue200-\ue206]|【[0-9:]{1,8}†[^】]{0,80}】")
_FENCED = late(r"```(.*?)```", 16)  # DOTALL
_SILENT = ("thoughts", "reasoning_recap")
_ABOUT = (
    "about_user_message",
    "about_model_message",
)  # custom instructions, until 2024 of "system"


def read_conversations(asked: Asked) -> Iterator[Record]:
    """The conversations of one file, what ChatGPT remembered, and custom instructions."""
    known: set[str] = set()
    with asked.file.open() as stream:
        for number, found in enumerate(elements(stream, progress=asked.progress), start=1):
            name = f"conversation {number}"
            if isinstance(found, BrokenElementError):
                yield Odd(product=NAME, name=name, why=found.message)
            elif not isinstance(found, dict) or not isinstance(found.get("mapping"), dict):
                yield Odd(product=NAME, name=name, why="it has no messages ('mapping')")
            else:
                yield from _conversation(found, number, known)


def _conversation(found: Mapping[str, Any], number: int, known: set[str]) -> Iterator[Record]:
    id_ = string_at(found, "conversation_id") or string_at(found, "id")
    title = string_at(found, "title")
    name = title or id_ or f"conversation {number}"
    if found.get("is_do_not_remember") is True:
        why = "it is marked not to be remembered, in ChatGPT"
        yield Odd(product=NAME, name=name, why=why, is_expected=True)
        return
    nodes: Mapping[str, object] = found["mapping"]
    branch = _branch(nodes, found.get("current_node"))
    started = ms_of_seconds(found.get("create_time"))
    reading = _Reading(started)
    for node in branch:
        reading.add(mapping_at(nodes.get(node), "message"))
    others = _Reading(started)
    on_branch = set(branch)
    for node, content in nodes.items():
        if node not in on_branch:
            others.add(mapping_at(content, "message"))
    # Each conversation of an export repeats the instructions.
    for text in dict.fromkeys([*reading.instructions, *others.instructions]):
        if text not in known:
            known.add(text)
            yield Noted(
                product=NAME,
                id="custom-instructions",
                title="Custom instructions for ChatGPT",
                text=text,
                writer=PERSON,
                date=started,
            )
    for at, text in reading.memories:
        yield Noted(
            product=NAME, id=f"{id_}-bio", title="", text=text, writer=AGENT, date=at or started
        )
    beside = tuple(as_other_branch(turn) for turn in others.turns if turn.role != "tool")
    read = sum(1 for node in nodes.values() if mapping_at(node, "message"))
    if not reading.turns and not beside:
        yield empty(NAME, name)
        return
    at = next((turn.said_at for turn in reading.turns if turn.said_at is not None), started)
    yield Talk(
        product=NAME,
        id=id_ or f"untitled-{number}",
        title=title,
        turns=tuple(reading.turns),
        beside=beside,
        date=started if started is not None else at,
        read=read,
        left={**reading.left},
    )


def _branch(nodes: Mapping[str, object], leaf: object) -> list[str]:
    """Ids from the root to the current leaf; the newest leaf where none is named."""
    if not isinstance(leaf, str) or leaf not in nodes:
        leaf = _newest_leaf(nodes)
    found: list[str] = []
    seen: set[str] = set()
    while isinstance(leaf, str) and leaf in nodes and leaf not in seen:  # forged: a circle
        seen.add(leaf)
        found.append(leaf)
        node = nodes[leaf]
        leaf = node.get("parent") if isinstance(node, dict) else None
    return found[::-1]


def _newest_leaf(nodes: Mapping[str, object]) -> str | None:
    leaves = [id_ for id_, node in nodes.items() if not list_at(node, "children")]
    timed = [
        (ms_of_seconds(mapping_at(nodes[id_], "message").get("create_time")) or 0, place, id_)
        for place, id_ in enumerate(leaves)
    ]
    return max(timed)[2] if timed else None


class _Reading:
    """Messages of one branch, one after the other."""

    def __init__(self, started: int | None) -> None:
        self.turns: list[Turn] = []
        self.left: Counter[str] = Counter()
        self.instructions: list[str] = []
        self.memories: list[tuple[int | None, str]] = []
        self._at = started

    def add(self, message: Mapping[str, object]) -> None:
        """One message; an answer without a time was given when the one before it was."""
        if not message:
            return
        content = mapping_at(message, "content")
        metadata = mapping_at(message, "metadata")
        kind = string_at(content, "content_type")
        role = string_at(mapping_at(message, "author"), "role")
        at = ms_of_seconds(message.get("create_time"))
        at = self._at = at if at is not None else self._at
        recipient = string_at(message, "recipient") or "all"
        told = mapping_at(metadata, "user_context_message_data")
        # Until 2024 custom instructions came as a system message.
        if kind == "user_editable_context" or any(string_at(told, each) for each in _ABOUT):
            self._add_instructions(content, metadata)
        elif kind == "model_editable_context":
            self._add_memories(content, at)
        elif kind in _SILENT:
            self.left["thinking"] += 1
        elif role == "assistant" and recipient == "bio":
            self._add_memory(_message_text(content), at)
        elif role == "assistant" and recipient != "all":
            self.left["calls of tools"] += 1
        elif role == "tool":
            self._add_tool(string_at(mapping_at(message, "author"), "name"), content, at)
        elif role == "system":
            self.left["of the system"] += 1
        elif metadata.get("is_visually_hidden_from_conversation") is True:
            self.left["hidden"] += 1
        elif role in ("user", "assistant"):
            self._add_said(role, kind, content, metadata, at)
        else:
            self.left["of no side"] += 1

    def _add_said(
        self,
        role: str,
        kind: str,
        content: Mapping[str, object],
        metadata: Mapping[str, object],
        at: int | None,
    ) -> None:
        if role == "assistant" and kind == "code":  # to all: what the code interpreter was to run
            self.left["calls of tools"] += 1
            return
        text = _message_text(
            content
        )  # of kinds that are not known yet, too: words must not be lost
        if role == "assistant":
            text = _CITATION.sub("", text)
        if text.strip():
            self.turns.append(Turn(text=text, role=role, said_at=at))
        elif not _has_asset(content):
            self.left["empty"] += 1
        named = [string_at(each, "name") for each in list_at(metadata, "attachments")]
        for name in named:
            self.turns.append(attachment_turn(name, "", at))
        if not named and _has_asset(content):
            self.turns.append(attachment_turn("a picture or recording", "", at))

    def _add_tool(self, name: str, content: Mapping[str, object], at: int | None) -> None:
        if name == "bio":
            self.left["calls of tools"] += 1
            return
        turn = tool_turn(name, _message_text(content) or string_at(content, "result"), at)
        if turn is None:
            self.left["results of tools without text"] += 1
        else:
            self.turns.append(turn)

    def _add_instructions(
        self, content: Mapping[str, object], metadata: Mapping[str, object]
    ) -> None:
        told = mapping_at(metadata, "user_context_message_data")
        texts = [
            string_at(told, _ABOUT[0]) or _words_in_fence(string_at(content, "user_profile")),
            string_at(told, _ABOUT[1]) or _words_in_fence(string_at(content, "user_instructions")),
        ]
        text = "\n\n".join(each.strip() for each in texts if each.strip())
        if text:
            self.instructions.append(text)

    def _add_memories(self, content: Mapping[str, object], at: int | None) -> None:
        """The list of memories that some messages show: '1. [2024-05-01]. The user likes tea.'"""
        for line in string_at(content, "model_set_context").splitlines():
            text = line.strip().split("]. ", 1)[-1].strip()
            self._add_memory(text, at)

    def _add_memory(self, text: str, at: int | None) -> None:
        if text.strip():
            self.memories.append((at, text.strip()))


def _message_text(content: Mapping[str, object]) -> str:
    """The text of a message; pictures and recordings are left out."""
    parts: Sequence[object] = list_at(content, "parts")
    texts = [
        whole_text(part) or string_at(part, "text")
        for part in parts
        if isinstance(part, str | dict)
    ]
    return "\n\n".join(text for text in texts if text.strip()) or string_at(content, "text")


def _has_asset(content: Mapping[str, object]) -> bool:
    return any(
        isinstance(part, dict) and string_at(part, "content_type") != "audio_transcription"
        for part in list_at(content, "parts")
    )


def _words_in_fence(text: str) -> str:
    """The person's words within the sentence that the product puts around them."""
    found = _FENCED.search(text)
    return found[1].strip() if found else text
