"""Codex: rollouts, one file with a JSON object a line for each session. Pure.

Three generations: messages as they are; envelopes of `response_item` beside events
(`user_message`, `agent_message`); events of completed items (`UserMessage`, `AgentMessage`). The
events are what was typed and shown; messages of role user are AGENTS.md and the environment, too.
So messages count only where no event tells of that side.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping

from vaultmem.base import TYPE_CHECKING, Any, NamedTuple
from vaultmem.model import Turn
from vaultmem.transfer.importers.imported_records import (
    Record,
    Talk,
    as_other_branch,
    attachment_turn,
    empty,
    list_at,
    mapping_at,
    of_subagent,
    own_words,
    string_at,
    text_of,
    time_of,
    tool_turn,
)
from vaultmem.transfer.importers.json_stream import UNREAD, lines, readable

if TYPE_CHECKING:
    from vaultmem.transfer.importers.imported_records import Asked

NAME = "Codex"
_TYPED = ("", "plain")  # kinds of an event of a user's message that the person typed
_RESULTS = (
    "function_call_output",
    "custom_tool_call_output",
    "local_shell_call_output",
    "mcp_tool_call_output",
)


class _Said(NamedTuple):
    turn: Turn
    is_event: bool


def read_rollout(asked: Asked) -> Iterator[Record]:
    """The session of one file."""
    reading = _Reading()
    with asked.file.open() as stream:
        for record in readable(lines(stream, progress=asked.progress), reading.left):
            reading.add(record)
    name = asked.file.path.stem
    if reading.is_subagent:
        yield of_subagent(NAME, name)
        return
    turns, beside = reading.turns()
    if not any(turn.role in ("user", "assistant") for turn in turns) and not beside:
        yield empty(NAME, name, unread=reading.left[UNREAD])
        return
    yield Talk(
        product=NAME,
        id=reading.session or name,
        title=reading.title,
        turns=turns,
        beside=beside,
        date=reading.started,
        folder=reading.folder,
        remote=reading.remote,
        read=reading.read,
        left=reading.left,
    )


class _Reading:
    """The lines of a rollout, one after the other."""

    def __init__(self) -> None:
        self.left: Counter[str] = Counter()
        self.session = self.title = self.folder = self.remote = ""
        self.started: int | None = None
        self.is_subagent = False
        self.read = 0
        self._said: list[_Said] = []
        self._undone: list[Turn] = []

    def add(self, record: Mapping[str, Any]) -> None:
        """One line: an envelope, or in the first generation the message itself."""
        kind = string_at(record, "type")
        payload = mapping_at(record, "payload")
        at = time_of(record.get("timestamp"))
        if kind == "session_meta" or (not kind and "id" in record):
            self._begin(payload or record, at)
        elif kind == "response_item":
            self._add_item(payload, at)
        elif kind == "event_msg":
            self._add_event(payload, at)
        elif kind == "compacted":
            self.left["summaries"] += 1
        elif not payload and kind:
            self._add_item(record, at if at is not None else self.started)

    def turns(self) -> tuple[tuple[Turn, ...], tuple[Turn, ...]]:
        """What was said, and what was taken back."""
        told = {each.turn.role for each in self._said if each.is_event}
        found: list[Turn] = []
        for each in self._said:
            if each.is_event or each.turn.role == "tool" or each.turn.role not in told:
                found.append(each.turn)
        return tuple(found), tuple(as_other_branch(turn) for turn in self._undone)

    def _begin(self, meta: Mapping[str, object], at: int | None) -> None:
        if self.session:
            return  # a fork tells where it comes from; the first is its own
        self.session = string_at(meta, "id") or string_at(meta, "session_id")
        self.started = time_of(meta.get("timestamp")) or at
        self.folder = string_at(meta, "cwd")
        self.remote = string_at(mapping_at(meta, "git"), "repository_url")
        source = meta.get("source")
        self.is_subagent = isinstance(source, dict) and "subagent" in source

    def _add_item(self, item: Mapping[str, object], at: int | None) -> None:
        kind, role = string_at(item, "type"), string_at(item, "role")
        if kind == "message" and role in ("user", "assistant"):
            blocks = list_at(item, "content")
            texts = [text_of([each]) for each in blocks]
            if role == "user":
                texts = [own_words(each) for each in texts]
            text = "\n\n".join(each for each in texts if each.strip())
            self._say(role, text, at, is_event=False)
        elif kind == "message":
            self.left["of the program"] += 1
        elif kind in _RESULTS:
            turn = tool_turn("", _output(item.get("output")), at)
            self._said += [_Said(turn, False)] if turn is not None else []
        elif kind.endswith("_call"):
            self.left["calls of tools"] += 1
        elif kind == "reasoning":
            self.left["thinking"] += 1
        elif kind == "compaction":
            self.left["summaries"] += 1

    def _add_event(self, event: Mapping[str, object], at: int | None) -> None:
        kind = string_at(event, "type")
        item = mapping_at(event, "item")
        if kind == "user_message" and string_at(event, "kind") in _TYPED:
            self._say("user", own_words(string_at(event, "message")), at, is_event=True)
            for _ in (*list_at(event, "images"), *list_at(event, "local_images")):
                self._said.append(_Said(attachment_turn("a picture", "", at), True))
        elif kind == "agent_message":
            self._say("assistant", string_at(event, "message"), at, is_event=True)
        elif kind == "item_completed" and string_at(item, "type") == "UserMessage":
            self._say("user", own_words(text_of(item.get("content"))), at, is_event=True)
        elif kind == "item_completed" and string_at(item, "type") == "AgentMessage":
            self._say("assistant", text_of(item.get("content")), at, is_event=True)
        elif kind == "thread_name_updated":
            self.title = string_at(event, "thread_name")
        elif kind == "thread_rolled_back":
            count = event.get("num_turns")
            self._take_back(count if isinstance(count, int) else 1)

    def _say(self, role: str, text: str, at: int | None, *, is_event: bool) -> None:
        if not is_event:
            self.read += 1
        if not text.strip():
            self.left["of the program"] += not is_event
            return
        last = self._said[-1] if self._said else None
        turn = Turn(text=text, role=role, said_at=at)
        # Some versions tell one message by two kinds of events.
        is_twice = last is not None and last.is_event and last.turn.role == role
        if is_event and is_twice and last is not None and last.turn.text == text:
            return
        self._said.append(_Said(turn, is_event))

    def _take_back(self, count: int) -> None:
        """The last so many turns of the person, and what followed them, were undone."""
        # Where events tell of the person's turns, messages tell of the same ones again.
        for is_event in (True, False):
            places = [
                place
                for place, each in enumerate(self._said)
                if each.turn.role == "user" and each.is_event is is_event
            ]
            if not places or count < 1:
                continue
            begin = places[-min(count, len(places))]
            gone = [each for each in self._said[begin:] if each.turn.role != "tool"]
            self._undone += [each.turn for each in gone if each.is_event is is_event]
            del self._said[begin:]
            return


def _output(output: object) -> str:
    """The text of a call's output: a string, JSON with one, or blocks."""
    if isinstance(output, str) and output.startswith("{"):
        try:
            found = json.loads(output)
        except (ValueError, RecursionError):
            return text_of(output)
        return string_at(found, "output") or text_of(output)
    return text_of(output) or string_at(output, "content")
