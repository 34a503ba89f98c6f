"""Gemini: chats of the CLI, files of AI Studio, and the activity that Takeout exports. Pure.

The CLI writes a JSON object a line and changes what it wrote (`$set`, a message told again with
the same id, `$rewindTo`); before 2026 it wrote one JSON file. AI Studio's files have no ending and
no id: a chat is known by its first message. Takeout has no conversations at all: the prompts of a
day are one.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html.parser import HTMLParser

from vaultmem.base import TYPE_CHECKING, Any, late
from vaultmem.language import format_date
from vaultmem.model import Turn
from vaultmem.transfer.importers.imported_records import (
    Odd,
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
from vaultmem.transfer.importers.json_stream import (
    LARGEST_ELEMENT,
    UNREAD,
    BrokenElementError,
    lines,
    objects,
    readable,
)

if TYPE_CHECKING:
    from vaultmem.transfer.importers.imported_records import Asked

CLI, STUDIO, APPS = "Gemini CLI", "AI Studio", "Gemini"

_WORKSPACE = late(r"Workspace Directories:\*\*\s*\n\s*-\s+([^\n]+)")
_FILES = "--- Content from referenced files ---"


# --- the CLI -------------------------------------------------------------------------------


def read_cli_chat(asked: Asked) -> Iterator[Record]:
    """A chat of Gemini CLI, as JSON lines or as one object."""
    messages: dict[str, Mapping[str, Any]] = {}
    undone: list[Mapping[str, Any]] = []
    meta: dict[str, Any] = {}
    left: Counter[str] = Counter()
    with asked.file.open() as stream:
        # One object may be written over many lines: the second one begins no object then.
        stream.readline(LARGEST_ELEMENT)
        read = lines if stream.read(1) == b"{" else objects
    with asked.file.open() as stream:
        for found in readable(read(stream, progress=asked.progress), left):
            if "$rewindTo" in found:
                undone += _rewind(messages, string_at(found, "$rewindTo"))
            else:
                _apply(found, messages, meta)
    name = str(meta.get("summary") or "") or asked.file.path.stem
    if meta.get("kind") == "subagent":
        yield of_subagent(CLI, name)
        return
    turns = _once([turn for each in messages.values() for turn in _cli_turns(each, left)])
    beside = [turn for each in undone for turn in _cli_turns(each, Counter())]
    if not any(turn.role in ("user", "assistant") for turn in (*turns, *beside)):
        yield empty(CLI, name, unread=left[UNREAD])
        return
    yield Talk(
        product=CLI,
        id=str(meta.get("sessionId") or asked.file.path.stem),
        title=string_at(meta, "summary"),
        turns=tuple(turns),
        beside=tuple(as_other_branch(turn) for turn in beside if turn.role != "tool"),
        date=time_of(meta.get("startTime")),
        folder=_folder(messages.values()),
        read=len(messages),
        left=left,
    )


def _folder(messages: Iterable[Mapping[str, Any]]) -> str:
    """The first folder of the workspace, which the program tells its model at the beginning."""
    for message in messages:
        if string_at(message, "type") != "user":
            continue
        text = text_of(message.get("content", message.get("message")))
        found = _WORKSPACE.search(text) if text.startswith("<session_context>") else None
        return found[1].strip() if found else ""
    return ""


def _apply(
    found: Mapping[str, Any], messages: dict[str, Mapping[str, Any]], meta: dict[str, Any]
) -> None:
    changed = mapping_at(found, "$set")
    if "id" in found and "type" in found:
        messages[string_at(found, "id")] = found  # told again, it keeps its place
        return
    told = changed or found
    for message in list_at(told, "messages"):
        if isinstance(message, dict):
            messages[string_at(message, "id") or str(len(messages))] = message
    meta.update({key: value for key, value in told.items() if key != "messages"})


def _rewind(messages: dict[str, Mapping[str, Any]], id_: str) -> list[Mapping[str, Any]]:
    """Take messages from this one on back; they are given."""
    ids = list(messages)
    gone = ids[ids.index(id_) :] if id_ in messages else []
    return [messages.pop(each) for each in gone]


def _cli_turns(message: Mapping[str, Any], left: Counter[str]) -> Iterator[Turn]:
    kind, at = string_at(message, "type"), time_of(message.get("timestamp"))
    content = message.get("content", message.get("message"))
    if kind == "user":
        blocks = content if isinstance(content, list) else [content]
        said: list[str] = []
        files: list[str] = []  # what '@path' in a message brought with it
        for block in blocks:
            text = text_of([block])
            # From that mark on all blocks are contents of files.
            if files or text.lstrip().startswith(_FILES):
                files.append(text)
            elif text.strip():
                said.append(own_words(text))
                left["of the program"] += not said[-1]
            yield from _response(block, at)
        text = "\n\n".join(each for each in said if each)
        if text:
            yield Turn(text=text, role="user", said_at=at)
        if files:
            yield attachment_turn("files", "".join(files), at)
    elif kind == "gemini":
        left["thinking"] += len(list_at(message, "thoughts"))
        text = text_of(content)
        if text.strip():
            yield Turn(text=text, role="assistant", said_at=at)
        for call in list_at(message, "toolCalls"):
            left["calls of tools"] += 1
            for block in list_at(call, "result"):
                yield from _response(block, at)
    elif kind:
        left["of the program"] += 1


def _once(turns: Sequence[Turn]) -> list[Turn]:
    """Turns without results that the next message repeats: the call has them, and the answer."""
    return [
        turn
        for number, turn in enumerate(turns)
        if number == 0 or turn.role != "tool" or turn.text != turns[number - 1].text
    ]


def _response(block: object, at: int | None) -> Iterator[Turn]:
    told = mapping_at(block, "functionResponse")
    response = mapping_at(told, "response")
    text = string_at(response, "output") or string_at(response, "error")
    turn = tool_turn(string_at(told, "name"), text, at)
    if turn is not None:
        yield turn
    for key in ("inlineData", "fileData"):
        if mapping_at(block, key):
            kind = string_at(mapping_at(block, key), "mimeType")
            yield attachment_turn(kind or "a file", "", at)


# --- AI Studio -----------------------------------------------------------------------------


def read_studio(asked: Asked) -> Iterator[Record]:
    """A chat of AI Studio."""
    with asked.file.open() as stream:
        for found in objects(stream, progress=asked.progress):
            if isinstance(found, BrokenElementError):
                yield Odd(product=STUDIO, name=asked.file.path.stem, why=found.message)
                return
            yield _studio_chat(found, asked.file.path.stem)


def _studio_chat(found: Mapping[str, Any], name: str) -> Record:
    chunks = list_at(mapping_at(found, "chunkedPrompt"), "chunks")
    left: Counter[str] = Counter()
    turns: list[Turn] = []
    if string_at(mapping_at(found, "systemInstruction"), "text"):
        left["of the system"] += 1
    for chunk in chunks:
        role = {"user": "user", "model": "assistant"}.get(string_at(chunk, "role"), "")
        at = time_of(chunk.get("createTime")) if isinstance(chunk, dict) else None
        text = string_at(chunk, "text") or _parts(list_at(chunk, "parts"))
        if isinstance(chunk, dict) and chunk.get("isThought") is True:
            left["thinking"] += 1
        elif role and text.strip():
            turns.append(Turn(text=text, role=role, said_at=at))
        elif not role:
            left["of no side"] += 1
        for key in ("driveDocument", "driveImage", "driveVideo", "driveAudio", "inlineFile"):
            if mapping_at(chunk, key):
                told = string_at(mapping_at(chunk, key), "name") or f"a file ({key})"
                turns.append(attachment_turn(told, "", at))
    first = next((turn for turn in turns if turn.role == "user"), None)
    if first is None:
        return empty(STUDIO, name)
    at = next((turn.said_at for turn in turns if turn.said_at is not None), None)
    told = f"{first.said_at} {first.text}"
    return Talk(
        product=STUDIO,
        id=hashlib.sha256(told.encode()).hexdigest()[:16],
        title=name,
        turns=tuple(turns),
        date=at,
        read=len(chunks),
        left=left,
    )


def _parts(parts: Sequence[object]) -> str:
    said = [each for each in parts if isinstance(each, dict) and each.get("thought") is not True]
    return "".join(string_at(each, "text") for each in said)


# --- Takeout -------------------------------------------------------------------------------

_PROMPTED = late(
    r"\A(?:Prompted|Said|Asked|Sent prompt|Eingegebener Prompt|Prompt eingegeben|Prompt envoyé"
    r"|Petición|Prompt enviado|Prompt inviato)(?::|\s)\s*"
)
_OTHER_DEEDS = late(
    r"\A(?:Used|Created|Gave feedback|Selected|Viewed|Visited|Opened|Searched|Shared|Deleted"
    r"|Uploaded|Verwendet|Erstellt|Feedback)\b"
)
_OF_GEMINI = ("gemini", "bard", "assistant")


def read_activity(asked: Asked) -> Iterator[Record]:
    """Prompts of `MyActivity.json`, those of a day as one conversation, newest day first."""
    day, entries = "", list[tuple[int, Mapping[str, Any]]]()
    left: Counter[str] = Counter()
    with asked.file.open() as stream:
        for found in objects(stream, progress=asked.progress):
            if isinstance(found, BrokenElementError):
                yield Odd(product=APPS, name="an entry", why=found.message)
                continue
            at = time_of(found.get("time"))
            if not string_at(found, "header").casefold().startswith(_OF_GEMINI):
                left["of other products"] += 1
            elif at is None or _OTHER_DEEDS.match(string_at(found, "title")):
                left["no prompts"] += 1
            else:
                here = format_date(at, asked.zone)[:10]
                if here != day and entries:
                    yield _day(day, entries, left)
                    entries, left = [], Counter()
                day = here
                entries.append((at, found))
    if entries:
        yield _day(day, entries, left)
    elif left:
        yield Odd(product=APPS, name="MyActivity", why="it has no prompts", is_expected=True)


def _day(
    day: str, entries: Sequence[tuple[int, Mapping[str, Any]]], left: Mapping[str, int]
) -> Record:
    turns: list[Turn] = []
    for at, entry in sorted(entries, key=lambda each: each[0]):
        said = _PROMPTED.sub("", string_at(entry, "title")).strip()
        if said:
            turns.append(Turn(text=said, role="user", said_at=at))
        for file in list_at(entry, "attachedFiles") or list_at(entry, "imageFile"):
            name = file if isinstance(file, str) else string_at(file, "name")
            turns.append(attachment_turn(name or "a file", "", at))
        for item in list_at(entry, "safeHtmlItem"):
            text = text_of_html(string_at(item, "html"))
            if text:
                turns.append(Turn(text=text, role="assistant", said_at=at))
    return Talk(
        product=APPS,
        id=f"activity-{day}",
        title=f"Gemini on {day}",
        turns=tuple(turns),
        date=min(at for at, _ in entries),
        read=len(entries),
        left=left,
    )


def name_html(asked: Asked) -> Iterator[Record]:
    """Takeout writes HTML unless it is asked for JSON."""
    why = "it is HTML: choose JSON for 'My Activity' in Takeout"
    yield Odd(product=APPS, name=asked.file.path.name, why=why)


_BLOCKS = frozenset(("p", "br", "li", "div", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "pre"))


class _Text(HTMLParser):
    """The text of HTML, a line for each block."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._hidden += tag in ("script", "style")
        self.parts += ["\n"] if tag in _BLOCKS else []
        self.parts += ["- "] if tag == "li" else []

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in ("script", "style") and self._hidden > 0
        self.parts += ["\n"] if tag in _BLOCKS and tag != "br" else []

    def handle_data(self, data: str) -> None:
        self.parts += [data] if not self._hidden else []


_BLANK = late(r"[ \t]*\n(?:[ \t]*\n)+")


def text_of_html(html: str) -> str:
    """What a person reads of HTML."""
    reader = _Text()
    reader.feed(html)
    reader.close()
    return _BLANK.sub("\n\n", "".join(reader.parts)).strip()
