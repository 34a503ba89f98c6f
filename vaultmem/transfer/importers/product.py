"""Whose export a file is, found out by what it holds and not by its name. Pure.

JSON is known by the keys at its beginning, a file of JSON lines by the keys of its first lines,
Markdown and text by their first lines. A more special format stands before a more general one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module

from vaultmem.base import TYPE_CHECKING, NamedTuple, late
from vaultmem.transfer.importers.json_stream import outline

if TYPE_CHECKING:
    from vaultmem.transfer.importers.imported_records import Asked, Record
    from vaultmem.transfer.importers.inputs import Input

OWN = "vaultmem"
"""The name of a document that `vaultmem export` wrote."""


class Format(NamedTuple):
    """One shape of export of a product."""

    product: str  # what `--from` takes
    reader: str  # 'module:function' below importers/
    keys: Sequence[frozenset[str]] = ()  # one of these sets is in the outline of the JSON
    is_lines: bool = False  # one JSON object a line
    is_support: bool = False  # goes with an export and holds no words: passed over silently


def _any(*sets: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(each.split()) for each in sets)


_LINES_OF_SERVER = _any("type=entity entityType", "type=relation relationType")
FORMATS = (
    Format(OWN, "", _any("schema schema_version")),
    Format("chatgpt", "chatgpt:read_conversations", _any("[].mapping", "mapping current_node")),
    Format("claude", "claude_chats:read_conversations", _any("[].chat_messages", "chat_messages")),
    Format("claude", "claude_chats:read_projects", _any("[].prompt_template", "[].docs[].content")),
    Format(
        "claude",
        "claude_chats:read_memories",
        _any(
            *("[].conversations_memory", "conversations_memory"),
            *("[].project_memories", "project_memories"),
        ),
    ),
    Format(
        "claude-code",
        "claude_code:read_transcript",
        _any("parentUuid sessionId", "type=summary leafUuid", "type=queue-operation sessionId"),
        is_lines=True,
    ),
    Format(
        "codex",
        "codex:read_rollout",
        _any(
            "type=session_meta payload",
            "id timestamp instructions",
            "id timestamp type=message role",
        ),
        is_lines=True,
    ),
    Format("gemini", "gemini:read_cli_chat", _any("sessionId projectHash"), is_lines=True),
    Format("gemini", "gemini:read_cli_chat", _any("sessionId projectHash messages")),
    Format(
        "gemini", "gemini:read_studio", _any("chunkedPrompt.chunks", "runSettings chunkedPrompt")
    ),
    Format("gemini", "gemini:read_activity", _any("[].header [].title [].time")),
    Format("memory-server", "memory_stores:read_memory_server", _LINES_OF_SERVER, is_lines=True),
    Format("letta", "memory_stores:read_letta", _any("agents[].messages", "agent_type messages")),
    Format(
        "mem0",
        "memory_stores:read_mem0",
        _any("memories[].memory", "results[].memory", "[].memory [].user_id", "[].memory [].hash"),
    ),
    Format("telegram", "messengers:read_telegram_account", _any("chats.list", "chats.about")),
    Format(
        "telegram",
        "messengers:read_telegram_chat",
        _any("messages[].date_unixtime", "messages[].from_id", "messages[].text_entities"),
    ),
    Format("dayone", "journals:read_day_one", _any("entries[].creationDate")),
    Format("slack", "", _any("[].team_id [].profile", "[].creator [].members"), is_support=True),
    Format("slack", "messengers:read_slack", _any("[].ts [].type", "[].ts [].user")),
)
# Markdown, text and HTML: by a look at the beginning, in the module that reads it.
TEXTS = (
    Format("basic-memory", "journals:read_basic_memory"),
    Format("claude-code", "journals:read_auto_memory"),
    Format("claude-code", "", is_support=True),
    Format("whatsapp", "messengers:read_whatsapp"),
    Format("logseq", "journals:read_logseq"),
    Format("gemini", "gemini:name_html"),
    Format("telegram", "messengers:name_html"),
)
_BASIC, _AUTO, _INDEX, _WHATSAPP, _LOGSEQ, _ACTIVITY_PAGE, _CHAT_PAGE = TEXTS
PRODUCTS = tuple(dict.fromkeys(each.product for each in (*FORMATS, *TEXTS) if each.product != OWN))


def format_of(head: bytes) -> Format | None:
    """The format of a file that begins so; None: it is none that can be imported."""
    if b"\0" in head[:1024]:
        return None  # a picture, an archive, a database
    text = head.decode("utf-8-sig", "replace").lstrip()
    if text[:1] not in ("{", "["):
        return _of_text(text)
    found = _of_lines(text) if text[:1] == "{" else None
    # A date in brackets begins a chat, too.
    return found or _of_json(text) or _of_text(text)


def format_of_file(file: Input) -> Format | None:
    """The format of a file: by what it holds, or as a page of a graph of Logseq, which is plain."""
    found = format_of(file.head())
    folder = file.path.parent
    if found is None and file.path.suffix == ".md" and folder.name in ("journals", "pages"):
        from vaultmem.transfer.importers.journals import is_journal_day  # saves 4 modules

        is_graph = (folder.parent / "logseq/config.edn").as_posix() in file.beside
        is_day = folder.name == "journals" and is_journal_day(file.path.stem)
        return _LOGSEQ if is_graph or is_day else None
    return found


def product_of(head: bytes) -> str:
    """Whose export a file that begins so is; '' for any other. An archive is one of several."""
    if head.startswith(b"PK\3\4"):
        return "another program (ZIP)"
    found = format_of(head)
    return found.product if found is not None and not found.is_support else ""


def formats_of_product(product: str) -> tuple[Format, ...]:
    """The formats of a product, by its name in `--from`."""
    return tuple(each for each in (*FORMATS, *TEXTS) if each.product == product)


def reader_of(found: Format) -> Callable[[Asked], Iterator[Record]]:
    """The function that reads a format; its module is loaded now."""
    module, _, name = found.reader.partition(":")
    reader: Callable[[Asked], Iterator[Record]] = getattr(
        import_module(f"vaultmem.transfer.importers.{module}"), name
    )
    return reader


def _of_json(text: str) -> Format | None:
    known = outline(text)
    return next(
        (
            each
            for each in FORMATS
            if not each.is_lines and any(keys <= known for keys in each.keys)
        ),
        None,
    )


def _of_text(text: str) -> Format | None:
    """The format of Markdown or a chat."""
    if text[:3] == "---":
        from vaultmem.transfer.importers import journals as pages  # saves 30 modules

        if pages.is_basic_memory(text):
            return _BASIC
        return _AUTO if pages.is_auto_memory(text) else None
    if text[:1] == "<":
        if 'class="outer-cell mdl-cell' in text or "mdl-typography" in text:
            return _ACTIVITY_PAGE
        is_chat = 'class="page_wrap"' in text and 'href="css/style.css"' in text
        return _CHAT_PAGE if is_chat else None
    if text[:3] == "- [":
        from vaultmem.transfer.importers import journals as pages  # saves 30 modules

        if pages.is_memory_index(text):
            return _INDEX
    if text[:1] in "-\t" or "::" in text[:200]:
        from vaultmem.transfer.importers import journals  # saves 31 modules

        return _LOGSEQ if journals.is_outline(text) else None
    if text[:1] in "[\u200e\u200f" or text[:1].isdigit():
        from vaultmem.transfer.importers.messengers import WHATSAPP_LINE  # saves 1 module

        lines = text.splitlines()[:_MOST_LINES]
        return _WHATSAPP if sum(bool(WHATSAPP_LINE.match(line)) for line in lines) > 1 else None
    return None


_MOST_LINES = 30
_TYPE = late(r'"type":\s*"([a-z_-]{1,40})"')


def _of_lines(text: str) -> Format | None:
    """The format of JSON lines, by the keys and types of the first ones."""
    known: set[str] = set()
    found = 0
    for line in text.split("\n", _MOST_LINES)[:_MOST_LINES]:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            if not found and line.startswith("{"):  # it goes on behind what was read
                known |= outline(line, depth=1)
                named = _TYPE.search(line)
                known.add(f"type={named[1] if named else None}")
                found += 1
            continue
        if isinstance(value, dict):
            found += 1
            known |= value.keys()
            known.add(f"type={value.get('type')}")
    if not found:
        return None
    return next(
        (each for each in FORMATS if each.is_lines and any(keys <= known for keys in each.keys)),
        None,
    )
