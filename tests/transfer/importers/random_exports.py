"""Random exports of the four large products, and what the person said in each.

Every text has a mark of whose it is (`P12` the person's, `X12` anybody else's), so that what ends
up as whose can be told without a second reader.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from random import Random
from typing import Any, NamedTuple

FORGED = (
    "**user** (2025-01-01 10:00): X0 I live in Oslo.",
    "**assistant**: X0 yes",
    "\\**user**: X0 hm",
    "```\n**user** (2025-01-01): X0\n```",
    "- [ ] todo\n\n# heading\n---\n",
    "é 日本 🎂 \u202e \ud83d",
    "line one\r\nline two\u2028three",
    "<system-reminder> as a word",
)
TOPICS = (
    "I live in Graz.",
    "I prefer tea.",
    "My sister is Lena.",
    "Why is it so?",
    "Thanks!",
    "ok",
)
_START = 1_700_000_000


class Made(NamedTuple):
    """A conversation of an export: its id, and the person's words on its current branch."""

    id: str
    said: tuple[str, ...]


class Export(NamedTuple):
    """An export as JSON, or as JSON lines."""

    product: str  # as sessions of the vault begin
    name: str
    content: Any
    is_lines: bool
    talks: tuple[Made, ...]


class Maker:
    """Makes texts and times with a seed."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.random = Random(seed)
        self._number = count(1)
        self._second = count(_START + seed * 100_000)

    def text(self, whose: str, *, is_wrapped: bool = False) -> str:
        """A text with its mark; of agents' transcripts without tags that they use themselves."""
        parts = [self.random.choice(TOPICS), f"{whose}{self.seed}n{next(self._number)}"]
        odd = FORGED[:-1] if is_wrapped else FORGED
        parts += self.random.sample(odd, self.random.choice((0, 0, 1, 2)))
        self.random.shuffle(parts)
        return self.random.choice(("\n", "\n\n", " ")).join(parts)

    def maybe(self, chance: float = 0.3) -> bool:
        """True in so many of cases."""
        return self.random.random() < chance

    def second(self) -> int:
        """A later time."""
        return next(self._second)


# --- ChatGPT -------------------------------------------------------------------------------


def chatgpt(seed: int) -> Export:
    """`conversations.json` with trees: edits, hidden and tool messages, nulls, pictures."""
    make = Maker(seed)
    talks, content = [], []
    for number in range(make.random.randint(1, 3)):
        id_ = f"gpt-{seed}-{number}"
        found, said = _tree(make, id_)
        content.append(found)
        talks.append(Made(id_, tuple(said)))
    return Export("chatgpt", f"chatgpt-{seed}.json", content, False, tuple(talks))


def _tree(make: Maker, id_: str) -> tuple[dict[str, Any], list[str]]:
    mapping: dict[str, Any] = {
        "root": {"id": "root", "message": None, "parent": None, "children": []}
    }
    numbers = count()

    def add(parent: str, role: str, content: dict[str, Any], **more: Any) -> str:
        node = f"n{next(numbers)}"
        message = {
            "id": node,
            "author": {"role": role, "name": None},
            "create_time": None if make.maybe(0.1) else make.second() + 0.25,
            "content": content,
            "metadata": more.pop("metadata", None) or {},
            "recipient": more.pop("recipient", "all"),
        }
        mapping[node] = {"id": node, "message": message, "parent": parent, "children": []}
        mapping[parent]["children"].append(node)
        return node

    def text(role: str, parent: str, words: str, **more: Any) -> str:
        return add(parent, role, {"content_type": "text", "parts": [words]}, **more)

    hidden = {"is_visually_hidden_from_conversation": True}
    at = text("system", "root", make.text("X"), metadata=hidden)
    said: list[str] = []
    for _ in range(make.random.randint(1, 6)):
        if make.maybe():  # a branch that was not gone on with
            other = text("user", at, make.text("X"))
            text("assistant", other, make.text("X"))
        words = make.text("P")
        said.append(words)
        if make.maybe():
            picture = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x"}
            parts = [picture, words] if make.maybe(0.5) else [words, picture]
            at = add(at, "user", {"content_type": "multimodal_text", "parts": parts})
        else:
            at = text("user", at, words)
        if make.maybe():
            at = text("user", at, make.text("X"), metadata=hidden)
        if make.maybe():
            at = text("assistant", at, make.text("X"), recipient="browser")
            at = text("tool", at, make.text("X"))
        if make.maybe():
            thoughts = {"content_type": "thoughts", "thoughts": [{"content": make.text("X")}]}
            at = add(at, "assistant", thoughts)
        if make.maybe(0.1):
            at = add(at, "assistant", {"content_type": "text", "parts": None})
        at = text("assistant", at, make.text("X"))
    return {
        "title": None if make.maybe(0.2) else f"Talk {id_}",
        "create_time": None if make.maybe(0.1) else _START,
        "mapping": mapping,
        "current_node": at,
        "conversation_id": id_,
    }, said


# --- Claude --------------------------------------------------------------------------------


def claude(seed: int) -> Export:
    """Conversations of Claude.ai: blocks, attachments, branches."""
    make = Maker(seed)
    talks, content = [], []
    for number in range(make.random.randint(1, 3)):
        id_ = f"claude-{seed}-{number}"
        found, said = _messages(make)
        content.append(
            {
                "uuid": id_,
                "name": "" if make.maybe(0.2) else f"Talk {id_}",
                "created_at": "2025-03-01T09:00:00.123456Z",
                "chat_messages": found,
            }
        )
        talks.append(Made(id_, tuple(said)))
    return Export("claude", f"claude-{seed}.json", content, False, tuple(talks))


def _messages(make: Maker) -> tuple[list[dict[str, Any]], list[str]]:
    found: list[dict[str, Any]] = []
    said: list[str] = []
    at = "00000000-0000-4000-8000-000000000000"

    def add(sender: str, parent: str, *blocks: dict[str, Any], **more: Any) -> str:
        id_ = f"m{len(found)}"
        found.append(
            {
                "uuid": id_,
                "text": "",
                "content": list(blocks),
                "sender": sender,
                "created_at": f"2025-03-01T09:{len(found) // 60:02d}:{len(found) % 60:02d}Z",
                "parent_message_uuid": parent,
            }
            | more
        )
        return id_

    for _ in range(make.random.randint(1, 6)):
        if make.maybe():
            other = add("human", at, _block(make.text("X")))
            add("assistant", other, _block(make.text("X")))
        words = make.text("P")
        said.append(words)
        attached = [{"file_name": "x.txt", "extracted_content": make.text("X")}]
        at = add("human", at, _block(words), attachments=attached if make.maybe() else [])
        blocks: list[dict[str, Any]] = []
        if make.maybe():
            blocks.append({"type": "thinking", "thinking": make.text("X")})
        if make.maybe():
            result = [{"type": "text", "text": make.text("X")}]
            blocks += [
                {"type": "tool_use", "name": "search", "input": {"query": make.text("X")}},
                {"type": "tool_result", "name": "search", "content": result},
            ]
        at = add("assistant", at, *blocks, _block(make.text("X")))
    return found, said


def _block(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text, "citations": []}


# --- Claude Code ---------------------------------------------------------------------------


def claude_code(seed: int) -> Export:
    """A transcript of Claude Code: tools, wrapped words, rewinds, subagents, compactions."""
    make = Maker(seed)
    records: list[dict[str, Any]] = []
    said: list[str] = []
    at: str | None = None

    def add(kind: str, parent: str | None, content: Any = None, **more: Any) -> str:
        id_ = f"u{len(records)}"
        record: dict[str, Any] = {
            "type": kind,
            "uuid": id_,
            "parentUuid": parent,
            "sessionId": f"code-{seed}",
            "isSidechain": False,
            "timestamp": f"2026-03-01T10:{len(records) // 60:02d}:{len(records) % 60:02d}.000Z",
        }
        if content is not None:
            record["message"] = {"role": kind, "content": content}
        records.append(record | more)
        return id_

    for _ in range(make.random.randint(1, 6)):
        if make.maybe() and at is not None:
            other = add("user", at, make.text("X", is_wrapped=True))
            add("assistant", other, [_block(make.text("X"))])
        words = make.text("P", is_wrapped=True)
        said.append(words)
        reminder = f"<system-reminder>{make.text('X', is_wrapped=True)}</system-reminder>"
        told = f"{words}\n{reminder}" if make.maybe() else words
        at = add("user", at, told if make.maybe(0.5) else [_block(told)])
        if make.maybe():
            add("user", at, make.text("X"), isSidechain=True)
        if make.maybe():
            at = add("assistant", at, [{"type": "tool_use", "id": "t", "name": "Read"}])
            result = {"type": "tool_result", "tool_use_id": "t", "content": make.text("X")}
            at = add("user", at, [result])
        at = add("assistant", at, [_block(make.text("X"))])
        if make.maybe(0.2):
            at = add("system", None, subtype="compact_boundary", logicalParentUuid=at)
            at = add("user", at, make.text("X"), isCompactSummary=True)
        if make.maybe():
            at = add("user", at, make.text("X"), isMeta=True)
        if make.maybe():
            records.append({"type": "last-prompt", "lastPrompt": make.text("X"), "sessionId": "s"})
    add("assistant", at, [_block(make.text("X"))])
    talk = Made(f"code-{seed}", tuple(said))
    return Export("claude-code", f"code-{seed}.jsonl", records, True, (talk,))


# --- Codex ---------------------------------------------------------------------------------


def codex(seed: int) -> Export:
    """A rollout of Codex, of one of its generations."""
    make = Maker(seed)
    events = make.random.choice(("none", "messages", "items"))
    records: list[dict[str, Any]] = []
    said: list[str] = []

    def add(kind: str, **payload: Any) -> None:
        at = f"2026-03-01T10:{len(records) // 60:02d}:{len(records) % 60:02d}.000Z"
        records.append({"timestamp": at, "type": kind, "payload": payload})

    def message(role: str, *texts: str) -> None:
        content = [{"type": "input_text", "text": each} for each in texts]
        add("response_item", type="message", role=role, content=content)

    def tell(role: str, text: str) -> None:
        if events == "messages":
            kind = "user_message" if role == "user" else "agent_message"
            add("event_msg", type=kind, message=text)
        elif events == "items":
            kind = "UserMessage" if role == "user" else "AgentMessage"
            item = {"type": kind, "content": [{"type": "text", "text": text}]}
            add("event_msg", type="item_completed", item=item)

    add("session_meta", id=f"codex-{seed}", timestamp="2026-03-01T10:00:00Z")
    message("developer", make.text("X"))
    around = f"<environment_context>{make.text('X', is_wrapped=True)}</environment_context>"
    message("user", f"# AGENTS.md instructions for /x\n\n{make.text('X')}", around)
    for _ in range(make.random.randint(1, 6)):
        words = make.text("P", is_wrapped=True)
        said.append(words)
        message("user", words)
        tell("user", words)
        if make.maybe():
            add("response_item", type="reasoning", summary=[{"text": make.text("X")}])
        if make.maybe():
            add("response_item", type="function_call", name="shell", arguments=make.text("X"))
            add("response_item", type="function_call_output", output=make.text("X"))
        answer = make.text("X")
        message("assistant", answer)
        tell("assistant", answer)
    talk = Made(f"codex-{seed}", tuple(said))
    return Export("codex", f"codex-{seed}.jsonl", records, True, (talk,))


MAKERS: tuple[Callable[[int], Export], ...] = (chatgpt, claude, claude_code, codex)


def exports(number: int) -> Iterator[Export]:
    """So many exports, of each product as many."""
    for seed in range(number):
        yield MAKERS[seed % len(MAKERS)](seed)
