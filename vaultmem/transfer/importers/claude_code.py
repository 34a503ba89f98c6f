"""Claude Code: transcripts, one file with a JSON object a line for each session. Pure.

Records form a tree by `parentUuid`; a compaction begins a new root that names the old one
(`logicalParentUuid`). The branch of the last message is what was said; a rewind leaves the rest
beside it. Records that only the program wrote (`isMeta`, summaries, snapshots of prompts) are told
from the person's by their flags and by what wraps them, and subagents' talk is nobody's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from vaultmem.base import TYPE_CHECKING, Any, dataclass
from vaultmem.model import Turn
from vaultmem.transfer.importers.imported_records import (
    Record,
    Talk,
    as_other_branch,
    attachment_turn,
    content_of,
    empty,
    mapping_at,
    of_subagent,
    own_words,
    string_at,
    text_of,
    time_of,
    tool_turn,
    whole_text,
)
from vaultmem.transfer.importers.json_stream import UNREAD, lines, readable

if TYPE_CHECKING:
    from vaultmem.transfer.importers.imported_records import Asked

NAME = "Claude Code"
_OF_PROGRAM = frozenset(("system", "hook", "agent", "task-notification", "auto", "teammate"))


@dataclass(slots=True, kw_only=True)
class _Node:
    """A record of the tree, as far as it says something."""

    place: int  # in the file
    parent: str  # '': none
    is_said: bool  # by the person or the assistant: what may be the last one
    turns: tuple[Turn, ...]


def read_transcript(asked: Asked) -> Iterator[Record]:
    """The session of one file."""
    reading = _Reading()
    with asked.file.open() as stream:
        for record in readable(lines(stream, progress=asked.progress), reading.left):
            reading.add(record)
    name = reading.title or asked.file.path.stem
    if not reading.nodes and reading.left["of subagents"]:
        yield of_subagent(NAME, name)
        return
    turns, beside = reading.branches()
    if not turns and not beside:
        yield empty(NAME, name, unread=reading.left[UNREAD])
        return
    yield Talk(
        product=NAME,
        id=reading.session or asked.file.path.stem,
        title=reading.title,
        turns=turns,
        beside=beside,
        date=next((turn.said_at for turn in turns if turn.said_at is not None), None),
        folder=reading.folder,
        read=reading.read,
        left=reading.left,
    )


class _Reading:
    """The records of a transcript, in the order of the file."""

    def __init__(self) -> None:
        self.nodes: dict[str, _Node] = {}
        self.left: Counter[str] = Counter()
        self.session = self.title = self.folder = ""
        self.read = 0
        self._last = ""  # of the tree
        self._is_titled = False
        self._steered: list[str] = []

    def add(self, record: Mapping[str, Any]) -> None:
        """One line."""
        kind = string_at(record, "type")
        if kind in ("custom-title", "ai-title"):
            self._entitle(string_at(record, "customTitle") or string_at(record, "aiTitle"), kind)
        elif kind == "summary":
            self._entitle(string_at(record, "summary"), kind)
        # What is typed while Claude Code works leaves its queue as 'remove', and may be told again.
        elif kind == "queue-operation" and string_at(record, "operation") == "remove":
            self._steer(record)
        # Records of progress have a place in the tree and no words: passed over, what was said
        # after a rewind to one hung on the branch that had been left.
        id_ = string_at(record, "uuid")
        if not id_ or "parentUuid" not in record:
            return
        if record.get("isSidechain") is True:
            self.left["of subagents"] += 1
            return
        self.session = self.session or string_at(record, "sessionId")
        self.folder = self.folder or string_at(record, "cwd")
        self.read += kind in ("user", "assistant")
        turns = self._turns(record, kind)
        parent = string_at(record, "parentUuid")
        if parent not in self.nodes:
            parent = string_at(record, "logicalParentUuid")
        if parent not in self.nodes:
            parent = self._last  # a root behind others, or one whose parent was not written
        known = self.nodes.get(id_)
        if known is not None:  # written again, as after it was streamed
            known.turns = tuple(turns) or known.turns
            return
        is_said = any(turn.role in ("user", "assistant") for turn in turns)
        self.nodes[id_] = _Node(
            place=len(self.nodes), parent=parent, is_said=is_said, turns=tuple(turns)
        )
        self._last = id_

    def branches(self) -> tuple[tuple[Turn, ...], tuple[Turn, ...]]:
        """What was said on the branch of the last message, and beside it."""
        said = [id_ for id_, node in self.nodes.items() if node.is_said]
        leaf = said[-1] if said else ""
        on_branch: set[str] = set()
        while leaf and leaf not in on_branch:
            on_branch.add(leaf)
            leaf = self.nodes[leaf].parent
        turns: list[Turn] = []
        beside: list[Turn] = []
        for id_, node in self.nodes.items():
            for turn in node.turns:
                # Tools that ran side by side are leaves of the tree, and no branch.
                if id_ in on_branch or turn.role == "tool":
                    turns.append(turn)
                else:
                    beside.append(as_other_branch(turn))
        return tuple(turns), tuple(beside)

    def _entitle(self, title: str, kind: str) -> None:
        if title and not (self._is_titled and kind != "custom-title"):
            self.title, self._is_titled = title, kind == "custom-title"

    def _steer(self, record: Mapping[str, Any]) -> None:
        """What the person typed meanwhile goes to the model as it leaves the queue."""
        text = own_words(string_at(record, "content"))
        node = self.nodes.get(self._last)
        if text and node is not None:
            at = time_of(record.get("timestamp"))
            node.turns = (*node.turns, Turn(text=text, role="user", said_at=at))
            self._steered.append(text)

    def _turns(self, record: Mapping[str, Any], kind: str) -> list[Turn]:
        at = time_of(record.get("timestamp"))
        if kind == "attachment":
            return self._queued_turns(mapping_at(record, "attachment"), at)
        # Progress records between two messages: passed over as a whole, what was said after a
        # rewind to one of them hung on the branch that had been left
        # (test_what_the_program_writes_between_is_a_link_of_the_chain in
        # tests/transfer/importers/test_coding_agents.py).
        if kind not in ("user", "assistant"):  # of the program, and yet a link of the chain
            return []
        content = mapping_at(record, "message").get("content")
        if kind == "assistant":
            return self._of_assistant(record, content, at)
        if record.get("isMeta") is True:
            self.left["of the program"] += 1
            return []
        if record.get("isCompactSummary") is True or record.get("repeatsCompactSummary") is True:
            self.left["summaries"] += 1
            return []
        source = string_at(record, "promptSource").casefold()
        origin = string_at(mapping_at(record, "origin"), "kind").casefold()
        is_of_program = source in _OF_PROGRAM or origin in _OF_PROGRAM
        return self._of_person(content, at, is_of_program=is_of_program)

    def _queued_turns(self, attachment: Mapping[str, object], at: int | None) -> list[Turn]:
        """What the person typed while the assistant was at work comes as an attachment."""
        is_theirs = string_at(attachment, "commandMode") in ("", "prompt")
        if string_at(attachment, "type") != "queued_command" or not is_theirs:
            return []
        text = own_words(text_of(attachment.get("prompt")))
        if text in self._steered:  # newer versions tell it twice
            self._steered.remove(text)
            return []
        return [Turn(text=text, role="user", said_at=at)] if text else []

    def _of_assistant(
        self, record: Mapping[str, Any], content: object, at: int | None
    ) -> list[Turn]:
        # When a request fails, Claude Code writes the error in the assistant's name.
        is_synthetic = string_at(mapping_at(record, "message"), "model") == "<synthetic>"
        if record.get("isApiErrorMessage") is True or is_synthetic:
            self.left["of the program"] += 1
            return []
        blocks = [content] if isinstance(content, str) else content
        said: list[str] = []
        for block in blocks if isinstance(blocks, list) else []:
            kind = string_at(block, "type")
            if isinstance(block, str) or kind == "text":
                said.append(whole_text(block) or string_at(block, "text"))
            elif kind == "tool_use":
                self.left["calls of tools"] += 1
            elif kind in ("thinking", "redacted_thinking"):
                self.left["thinking"] += 1
        text = "\n\n".join(each for each in said if each.strip())
        return [Turn(text=text, role="assistant", said_at=at)] if text else []

    def _of_person(self, content: object, at: int | None, *, is_of_program: bool) -> list[Turn]:
        blocks = [content] if isinstance(content, str) else content
        found: list[Turn] = []
        said: list[str] = []
        for block in blocks if isinstance(blocks, list) else []:
            kind = string_at(block, "type")
            if isinstance(block, str) or kind == "text":
                text = whole_text(block) or string_at(block, "text")
                said.append(own_words(text))
                self.left["of the program"] += bool(text.strip()) and not said[-1]
            elif kind == "tool_result":
                turn = tool_turn("", text_of(content_of(block)), at)
                found += [turn] if turn is not None else []
            elif kind in ("image", "document"):
                title = string_at(block, "title") or ("a picture" if kind == "image" else "")
                found.append(attachment_turn(title, "", at))
        text = "\n\n".join(each for each in said if each)
        if text and is_of_program:
            self.left["of the program"] += 1
        elif text:
            found.insert(0, Turn(text=text, role="user", said_at=at))
        return found
