"""Claude.ai: the ZIP of a data export (`conversations.json`, `projects.json`, `memories.json`).

Pure. A message has blocks (`content`); `text` beside them is the same in older exports and empty in
newer ones. Results of tools are strangers' words within the assistant's message. Newer exports
have branches by `parent_message_uuid`; the last message is on the one that counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath

from vaultmem.base import TYPE_CHECKING, Any
from vaultmem.model import Turn
from vaultmem.transfer.importers.imported_records import (
    AGENT,
    LONGEST_ATTACHMENT,
    PERSON,
    STRANGER,
    Noted,
    Odd,
    Record,
    Talk,
    as_other_branch,
    attachment_turn,
    content_of,
    empty,
    list_at,
    mapping_at,
    shortened_to,
    string_at,
    text_of,
    time_of,
    tool_turn,
)
from vaultmem.transfer.importers.json_stream import BrokenElementError, objects

if TYPE_CHECKING:
    from vaultmem.transfer.importers.imported_records import Asked

NAME = "Claude"


def read_conversations(asked: Asked) -> Iterator[Record]:
    """The conversations of `conversations.json`."""
    for name, found in _objects(asked, "conversation"):
        if isinstance(found, Odd):
            yield found
        else:
            yield _conversation(found, name)


def read_projects(asked: Asked) -> Iterator[Record]:
    """Projects: instructions are the person's, documents in them a stranger's."""
    for name, found in _objects(asked, "project"):
        if isinstance(found, Odd):
            yield found
            continue
        id_, title = string_at(found, "uuid") or name, string_at(found, "name") or name
        date = time_of(string_at(found, "created_at"))
        prompt = string_at(found, "prompt_template").strip()
        if prompt:
            yield Noted(
                product=NAME,
                id=f"{id_}-instructions",
                title=f"Instructions for the project {title}",
                text=prompt,
                writer=PERSON,
                date=date,
            )
        documents = [each for each in list_at(found, "docs") if isinstance(each, dict)]
        for document in documents:
            text = string_at(document, "content").strip()
            if text:
                yield Noted(
                    product=NAME,
                    id=string_at(document, "uuid"),
                    # 'oven.md' would be 'oven-md-kitchen-...' as a file, which looks like a key.
                    title=f"{PurePath(string_at(document, 'filename')).stem} ({title})",
                    text=shortened_to(text, LONGEST_ATTACHMENT),
                    writer=STRANGER,
                    date=time_of(string_at(document, "created_at")) or date,
                    is_memory=False,
                )
        if not prompt and not documents:
            why = "the project has no instructions and no documents"
            yield Odd(product=NAME, name=title, why=why, is_expected=True)


def read_memories(asked: Asked) -> Iterator[Record]:
    """What Claude wrote down about the person, over all conversations and in each project."""
    for name, found in _objects(asked, "memory"):
        if isinstance(found, Odd):
            yield found
            continue
        account = string_at(found, "account_uuid") or name
        pages = {"": string_at(found, "conversations_memory")} | {
            key: string_at(mapping_at(found, "project_memories"), key)
            for key in mapping_at(found, "project_memories")
        }
        for project, text in pages.items():
            if text.strip():
                yield Noted(
                    product=NAME,
                    id=f"{account}-{project or 'conversations'}",
                    title="Claude's memory of a project" if project else "Claude's memory",
                    text=text.strip(),
                    writer=AGENT,
                    date=time_of(string_at(found, "updated_at")),
                    is_memory=False,
                )


def _objects(asked: Asked, what: str) -> Iterator[tuple[str, Mapping[str, Any] | Odd]]:
    """The objects of the file, with names for those that have none."""
    with asked.file.open() as stream:
        for number, found in enumerate(objects(stream, progress=asked.progress), start=1):
            name = f"{what} {number}"
            if isinstance(found, BrokenElementError):
                yield name, Odd(product=NAME, name=name, why=found.message)
            else:
                yield name, found


def _conversation(found: Mapping[str, Any], name: str) -> Record:
    id_ = string_at(found, "uuid") or name
    title = string_at(found, "name").strip()
    date = time_of(string_at(found, "created_at"))
    messages = [each for each in list_at(found, "chat_messages") if isinstance(each, dict)]
    on_branch = _branch(messages)
    turns: list[Turn] = []
    beside: list[Turn] = []
    left: Counter[str] = Counter()
    for number, message in enumerate(messages):
        if number in on_branch:
            turns += _turns(message, date, left)
        else:
            others = _turns(message, date, Counter())
            beside += [as_other_branch(turn) for turn in others if turn.role != "tool"]
    if not turns and not beside:
        return empty(NAME, title or name)
    return Talk(
        product=NAME,
        id=id_,
        title=title,
        turns=tuple(turns),
        beside=tuple(beside),
        date=date,
        read=len(messages),
        left=left,
    )


def _branch(messages: Sequence[Mapping[str, Any]]) -> frozenset[int]:
    """Numbers of the messages that lead to the last one; all, where none names another."""
    numbers = {string_at(message, "uuid"): number for number, message in enumerate(messages)}
    parents = [numbers.get(string_at(each, "parent_message_uuid")) for each in messages]
    if all(parent is None for parent in parents):
        return frozenset(range(len(messages)))
    at: int | None = len(messages) - 1
    found: set[int] = set()
    while at is not None and at not in found:
        found.add(at)
        at = parents[at]
    return frozenset(found)


def _turns(message: Mapping[str, Any], started: int | None, left: Counter[str]) -> list[Turn]:
    """The turns of a message: what the sender said, what came with it, what tools answered."""
    at = time_of(string_at(message, "created_at"))
    at = at if at is not None else started
    role = {"human": "user", "assistant": "assistant"}.get(string_at(message, "sender"), "")
    if not role:
        left["of no side"] += 1
        return []
    said: list[str] = []
    results: list[Turn] = []
    for block in list_at(message, "content"):
        kind = string_at(block, "type")
        if kind == "text":
            said.append(string_at(block, "text"))
        elif kind == "tool_result":
            name, text = string_at(block, "name"), text_of(content_of(block))
            turn = tool_turn(name, text, at)
            results += [turn] if turn is not None else []
        elif kind == "tool_use":
            left["calls of tools"] += 1
        elif kind in ("thinking", "redacted_thinking"):
            left["thinking"] += 1
        elif string_at(block, "text").strip():  # a kind that is not known yet, as voice notes were
            said.append(string_at(block, "text"))
        elif kind:
            left[f"of kind '{kind[:40]}'"] += 1
    # Older exports have the text alone; in newer ones it repeats the blocks, with marks for tools.
    text = "\n\n".join(each for each in said if each.strip())
    if not text and not list_at(message, "content"):
        text = string_at(message, "text")
    found = list(results) if role == "assistant" else []
    if text.strip():
        found.append(Turn(text=text, role=role, said_at=at))
    elif not results:
        left["empty"] += 1
    for attachment in list_at(message, "attachments"):
        content = string_at(attachment, "extracted_content")
        found.append(attachment_turn(string_at(attachment, "file_name"), content, at))
    for file in (*list_at(message, "files"), *list_at(message, "files_v2")):
        found.append(attachment_turn(string_at(file, "file_name"), "", at))
    if role == "user":  # a person whose export has such blocks did not say them
        found += results
    return found
