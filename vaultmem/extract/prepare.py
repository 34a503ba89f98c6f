"""A text made ready to remember: body, id, title, date; its turns, tool calls and memory lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from vaultmem import language, model, privacy, safety
from vaultmem.base import TYPE_CHECKING, Any, BadInputError, Needing, dataclass, late, replace
from vaultmem.language import DAY_MS, civil_from_days, offset_ms, read_instant
from vaultmem.model import KINDS, STREAMS, USER, Turn, resource_id, shorten
from vaultmem.model import Document as Document
from vaultmem.model import Prepared as Prepared
from vaultmem.storage import notes
from vaultmem.vault import require_own_words, trust_of_text, writer_of

if TYPE_CHECKING:
    from vaultmem.config import Settings
    from vaultmem.model import Removed
    from vaultmem.privacy import Screening

TITLE_LENGTH = 60
POLICIES = ("ask", "block", "redact", "allow")


def prepare(document: Document, *, settings: Settings) -> Prepared:
    """Check the document and work out what is stored, without secrets and what else must not be.

    raises SecretFoundError  it holds a secret and the policy is to stop
    raises BadInputError  nothing in it, not text, too long, or an unknown kind or stream
    """
    _check_choice("kind", document.kind, KINDS)
    _check_choice("stream", document.stream, STREAMS)
    writer = writer_of(document)
    require_own_words(document, writer)
    _check_choice("policy for secrets", document.secrets, POLICIES)
    require_fact(document)
    if document.fact is not None and not document.text.strip():
        from vaultmem.extract.restating import sentence  # saves 8 modules

        document = replace(document, text=sentence(*document.fact))
    # What we wrote into a daily note comes from items: kept again, it would be its own source.
    if model.TODAY_MARK in document.text:
        document = replace(document, text=notes.today_block.without_told(document.text))
    body = document.text
    if body.strip() in ("", "[]", "{}"):
        raise BadInputError("there is nothing to remember: the text is empty")
    require_text(body, settings.limits_note_bytes)
    zone = settings.timezone
    talk = document.fact is None and is_conversation(body)
    # What a program exported as JSON is written as turns first: the id, which is a hash of the
    # body, the screening for secrets and the places of evidence are all of the text that is kept.
    if talk and body.lstrip()[:1] in ("[", "{"):
        body = render(parse(body, zone), zone)
    body = body if body.endswith("\n") else body + "\n"
    is_imported = document.imported or talk or writer != "person"
    document, removed = screen(replace(document, text=body), settings, is_imported=is_imported)
    body = document.text
    turns = parse(body, zone) if talk else turns_of(body, zone)
    said = next((turn.said_at for turn in turns if turn.said_at is not None), None)
    trust = trust_of_text(writer, turns, is_conversation=talk)
    return Prepared(
        document=document,
        body=body,
        turns=turns,
        is_conversation=talk,
        id=resource_id(body),
        title=document.title.strip() or title_of(body, turns if talk else ()),
        date=document.date if document.date is not None else said,
        writer=writer,
        trust=trust,
        removed=removed,
        unseen=_unseen(document) if trust == USER else (),
    )


def _unseen(document: Document) -> tuple[str, ...]:
    """How a text holds what nobody sees, each way once; comments are meant to be read by somebody.

    Own words are kept to the byte, also what no screen shows; whoever pasted them may not know.
    Emoji and scripts that need joiners are none of it (safety/instructions.py).
    """
    text = "\n".join((document.text, document.title, *(document.fact or ())))
    if text.isascii():
        return ()

    ways = (each.how for each in safety.find_hidden(text))
    return tuple(dict.fromkeys(how for how in ways if not how.endswith("comment")))


def screen(
    document: Document, settings: Settings, *, is_imported: bool
) -> tuple[Document, tuple[Removed, ...]]:
    """The document as it may be written, and what was taken out of text, title, source, category.

    raises SecretFoundError  it holds a secret and the policy is to stop
    """
    screening = privacy.Screening(settings, policy=document.secrets, is_imported=is_imported)
    clean = replace(
        document,
        text=screening.clean("text", document.text),
        title=screening.clean("title", document.title),
        origin=screening.clean("source", document.origin),
        category=screening.clean("category", document.category or "") or None,
        fact=_clean_fact(screening, document.fact),
        projects=tuple(screening.clean("project", each) for each in document.projects),
        metadata=tuple(
            (
                name,
                screening.clean(name, value)
                if isinstance(value, str)
                else tuple(screening.clean(name, each) for each in value),
            )
            for name, value in document.metadata
        ),
    )
    return clean, screening.finish()


def _clean_fact(
    screening: Screening, fact: tuple[str, str, str] | None
) -> tuple[str, str, str] | None:
    if fact is None:
        return None
    subject, predicate, value = (screening.clean("fact", " ".join(part.split())) for part in fact)
    return subject, predicate, value


def require_fact(document: Document) -> None:
    """Refuse a fact without a slot or value, an empty interval, a confidence that is none.

    raises BadInputError
    """
    if document.fact is not None and not (
        model.slot_key(*document.fact[:2]) and document.fact[2].strip()
    ):
        raise BadInputError(
            "a fact is a subject, a predicate and a value",
            hint="for example: --fact project-x uses_database postgresql",
        )
    since, until = document.valid_from, document.valid_until
    if since is not None and until is not None and until <= since:
        raise BadInputError(
            "the items would end before they begin",
            hint="give a --valid-until that is later than --valid-from",
        )
    if document.confidence is not None and not 0 <= document.confidence <= 1:
        raise BadInputError(
            f"a confidence is from 0 to 1, not {document.confidence:g}",
            hint="1 is certain, 0 is worth nothing",
        )


def title_of(body: str, turns: tuple[Turn, ...]) -> str:
    """The first heading, else the first words; of a conversation, who talks."""
    if turns:
        speakers = list(dict.fromkeys(turn.speaker for turn in turns if turn.speaker))
        named = " and ".join(speakers[:3])
        return shorten(f"Conversation of {named}" if named else "Conversation", TITLE_LENGTH)
    body, named = _without_front_matter(body)
    if named:
        return shorten(named, TITLE_LENGTH)
    lines = (line.strip() for line in body.splitlines())
    first = next((line for line in lines if line.strip("#*->_ \t=`~|")), "note")
    return shorten(first.lstrip("#*->_ \t"), TITLE_LENGTH)


def _without_front_matter(body: str) -> tuple[str, str]:
    """The text below front matter, and the title that it gives; '' when it gives none."""
    if not body.startswith("---"):
        return body, ""

    found = notes.read(body.encode(), PurePosixPath("text.md"))
    title = found.values.get("title")
    return found.body, title if isinstance(title, str) else ""


def _check_choice(what: str, value: str | None, choices: tuple[str, ...]) -> None:
    if value is not None and value not in choices:
        raise BadInputError(f"'{value}' is no {what}", hint="one of: " + ", ".join(choices))


def require_text(body: str, limit_bytes: int) -> None:
    """Refuse what is no text, or too long; raises BadInputError."""
    try:
        size = len(body.encode())
    except UnicodeEncodeError as error:
        raise BadInputError(
            f"character {error.start + 1} of the text is half of a surrogate pair, not text",
            hint="read the source again as UTF-8",
        ) from error
    if size > limit_bytes:
        raise BadInputError(
            f"the text has {size:,} bytes; a note may have {limit_bytes:,}",
            hint="split it, or raise limits.note_bytes in vaultmem.toml",
        )


# --- turns: conversations as text ---

# In a resource each turn begins on its own line: `**Caroline** (2023-05-08 13:56): Hey Mel!`.
# Further lines up to the next such line belong to it. A line that would itself look like the
# beginning of a turn is written with a backslash before it.
ROLES = ("user", "assistant", "system", "tool")
ROLE_NAMES = {
    **{role: role for role in ROLES},
    "human": "user",
    "ai": "assistant",
    "bot": "assistant",
    "model": "assistant",
    "chatgpt": "assistant",
    "claude": "assistant",
    "developer": "system",
    "function": "tool",
}
_NAME_AND_DATE = r"\*\*([^*\n]{1,80})\*\*(?: \((\d{4}-[^()\n]{1,36})\))?:(?:[ \t]+|$)"
_HEADER = Needing(_NAME_AND_DATE, re.MULTILINE, ["**"])
_ESCAPED = late(rf"^\\(?=\\*+{_NAME_AND_DATE})", re.MULTILINE)
_WOULD_START = late(rf"^(?=\\*+{_NAME_AND_DATE})", re.MULTILINE)
_NAME_MARKS = late(r"[*\s]+")


def parse(text: str, zone: str = "UTC") -> tuple[Turn, ...]:
    """The turns of a conversation, or the whole text as one turn without a speaker.

    Reads the Markdown form of a resource and JSON: a list of `{role, content, time?}` messages
    (also `speaker` or `name`), or an object with such a list under `messages`. Times without an
    offset are in `zone`. Text before the first turn is a turn without a speaker.
    """
    messages = _json_messages(text)
    if messages is not None:
        return tuple(_from_messages(messages, zone))
    found = list(_headers(text))
    if not found:
        return (Turn(text=text),) if text.strip() else ()
    turns = []
    if text[: found[0].start()].strip():
        turns.append(Turn(text=_unescape(text[: found[0].start()])))
    # Lines are counted on from the turn before: to count each from the top took five seconds
    # for a megabyte of short turns.
    line, counted = 1, 0
    for header, following in zip(found, [*found[1:], None], strict=True):
        end = following.start() if following else len(text)
        line, counted = line + text.count("\n", counted, header.start()), header.start()
        speaker = header[1].strip()
        said = read_instant(header[2], zone) if header[2] else None
        role = speaker if speaker in ROLES else ""
        turns.append(
            Turn(
                text=_unescape(text[header.end() : end]),
                speaker="" if role else speaker,
                role=role,
                said_at=said.ms if said else None,
                line=line,
            )
        )
    return tuple(turns)


def render(turns: Sequence[Turn], zone: str = "UTC") -> str:
    """The turns as the body of a resource; `parse` of it gives the same turns.

    Times are written to the second. A first turn without speaker and role is written bare.
    """
    parts = []
    for number, turn in enumerate(turns):
        text = _WOULD_START.sub(r"\\", turn.text.strip())
        if number == 0 and not turn.speaker and not turn.role:
            parts.append(text)
            continue
        said = f" ({_format_moment(turn.said_at, zone)})" if turn.said_at is not None else ""
        parts.append(f"**{_speaker(turn)}**{said}: {text}".rstrip())
    return "\n\n".join(parts) + "\n" if parts else ""


def is_conversation(text: str) -> bool:
    """Whether the text is a conversation and not a document with bold labels.

    JSON messages are; so are two or more turns of which one has a date or a role, or whose
    speakers speak again ('**Pros**: ... **Cons**: ...' do not).
    """
    if _json_messages(text) is not None:
        return True
    found = list(_headers(text))
    speakers = [header[1].strip() for header in found]
    told = any(header[2] or header[1].strip() in ROLES for header in found)
    return len(found) > 1 and (told or len(set(speakers)) < len(speakers))


def turns_of(text: str, zone: str = "UTC") -> tuple[Turn, ...]:
    """The turns when the text is a conversation, else the document as a single turn."""
    return parse(text, zone) if is_conversation(text) else (Turn(text=text),)


def _headers(text: str) -> Iterator[re.Match[str]]:
    """Beginnings of turns, at beginnings of lines only."""
    return (
        found
        for found in _HEADER.finditer(text)
        if found.start() == 0 or text[found.start() - 1] == "\n"
    )


def _unescape(text: str) -> str:
    return _ESCAPED.sub("", text.strip())


def _speaker(turn: Turn) -> str:
    """The name in the header: a name that is itself a role's word keeps apart from the role."""
    name = _NAME_MARKS.sub(" ", turn.speaker).strip()[:80].strip()
    return name or turn.role or "unknown"


def _format_moment(ms: int, zone: str) -> str:
    days, rest = divmod(ms + offset_ms(ms, zone), DAY_MS)
    year, month, day = civil_from_days(days)
    date = f"{year:04d}-{month:02d}-{day:02d}"
    seconds = rest // 1000
    if seconds == 0:
        return date
    clock = f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}"
    return f"{date} {clock}:{seconds % 60:02d}" if seconds % 60 else f"{date} {clock}"


def _json_messages(text: str) -> list[dict[str, Any]] | None:
    """The messages when the text is JSON of that shape, else None."""
    start = text.lstrip()[:1]
    if start not in ("[", "{"):
        return None
    import json

    try:
        loaded = json.loads(text)
    except (ValueError, RecursionError):
        return None
    listed = loaded.get("messages") if isinstance(loaded, dict) else loaded
    if not isinstance(listed, list) or not listed:
        return None
    keys = ("content", "text", "tool_calls")
    if not all(isinstance(m, dict) and any(key in m for key in keys) for m in listed):
        return None
    return listed


def _from_messages(messages: list[dict[str, Any]], zone: str) -> Iterator[Turn]:
    """Turns of JSON messages. A role is believed before a name, which may be the person's own."""
    names = {str(m.get("speaker") or m.get("name") or "") for m in messages}
    group = len(names - {""}) > 1
    for message in messages:
        role = ROLE_NAMES.get(str(message.get("role") or "").strip().casefold(), "")
        speaker = str(message.get("speaker") or message.get("name") or "").strip()
        if not speaker and not role:
            speaker = str(message.get("role") or "unknown").strip()
        if role and not (group and role == "user" and speaker):
            speaker = ""
        elif speaker:
            role = ""
        yield Turn(
            text=with_calls(_content(message.get("content", message.get("text"))), message),
            speaker=speaker,
            role=role,
            said_at=_said_at(message, zone),
        )


def _content(content: Any) -> str:
    """The text of a message; parts that are not text are left out."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        texts = [
            part if isinstance(part, str) else part.get("text", "")
            for part in content
            if isinstance(part, str | dict)
        ]
        return "\n\n".join(text for text in texts if isinstance(text, str) and text)
    return ""


def _said_at(message: dict[str, Any], zone: str) -> int | None:
    """UTC ms of a message: ISO text, a date phrase, or seconds or ms since 1970."""
    for key in ("time", "timestamp", "date", "created_at", "create_time"):
        value = message.get(key)
        if isinstance(value, bool) or value is None:
            continue
        if isinstance(value, int | float):
            ms = value if abs(value) > 1e11 else value * 1000  # seconds would be the year 5138
            return round(ms) if abs(ms) < 2.5e14 else None
        if isinstance(value, str):
            found = read_instant(value, zone)
            if found is not None:
                return found.ms

            mention = language.read_phrase(value, 0, zone)
            return mention.from_ms if mention else None
    return None


# --- tool calls in a turn ---

# ```tool
#     edit {"path": "src/parser.ts", "new": "..."}
#     ```
#
# Long values are cut: what is learned from them is names and habits, not their content.
LONGEST_VALUE = 2_000  # characters of one value that is kept
MOST_CALLS = 200  # of one turn
_BLOCK = late(r"^(`{3,})tool\n(\S+)(?: (.*))?\n\1$", re.MULTILINE)
_NAME = late(r"[^\w.:/-]+")
_FENCES = late(r"`{3,}")


def with_calls(text: str, message: Mapping[str, Any]) -> str:
    """The text of a message and below it the calls of tools that it makes, if any."""
    written = [_render_call(name, given) for name, given in _calls_in(message)][:MOST_CALLS]
    return "\n\n".join(part for part in (text.strip(), *written) if part)


def calls_in(text: str) -> Iterator[tuple[str, str]]:
    """(name, input) of the calls in the text of a turn, in order."""
    for found in _BLOCK.finditer(text):
        yield found[2], found[3] or ""


def _calls_in(message: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Calls as the usual formats have them: `tool_calls` of functions, or parts of the content."""
    listed = message.get("tool_calls")
    for call in listed if isinstance(listed, list) else ():
        if isinstance(call, dict):
            function = call.get("function")
            yield from _name_and_input(function if isinstance(function, dict) else call)
    content = message.get("content")
    for part in content if isinstance(content, list) else ():
        if isinstance(part, dict) and part.get("type") == "tool_use":
            yield from _name_and_input(part)


def _name_and_input(call: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    name = _NAME.sub("_", str(call.get("name") or "")).strip("_")
    if name:
        yield name, call.get("input", call.get("arguments", ""))


def _render_call(name: str, given: Any) -> str:
    import json  # 2 ms that a text without calls does not need

    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            given = " ".join(given.split())[:LONGEST_VALUE]
    told = given if isinstance(given, str) else json.dumps(_cut(given), ensure_ascii=False)
    ticks = max((len(run) for run in _FENCES.findall(told)), default=2) + 1
    fence = "`" * max(ticks, 3)
    return f"{fence}tool\n{name} {told}".rstrip() + f"\n{fence}"


def _cut(value: Any, depth: int = 4) -> Any:
    if isinstance(value, str):
        return value[:LONGEST_VALUE]
    if isinstance(value, dict):
        kept = list(value.items())[:50] if depth else ()
        return {str(key)[:100]: _cut(inner, depth - 1) for key, inner in kept}
    if isinstance(value, list):
        return [_cut(inner, depth - 1) for inner in value[:50]] if depth else []
    return value


# --- memory lines: `- [2025-11-03] [importance:8] text` ---

_LINE = r"[-*+][ \t]+(?:\[(\d{4}-\d{2}-\d{2})\][ \t]+)?(?:\[importance:(\d{1,2})\][ \t]+)?(.*)"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryLine:
    """A memory with its day and importance, where they were written."""

    text: str
    date: str | None = None  # YYYY-MM-DD, None: not written
    importance: int | None = None  # 1..10, None: not written


def parse_line(line: str) -> MemoryLine | None:
    """A list item taken apart, or None when the line is none.

    Strict: what is not a real day or not 1 to 10 stays part of the text, as does `[x]`.
    """
    found = re.fullmatch(_LINE, line.strip())
    if found is None:
        return None
    date, importance, text = found.groups()
    if date is not None and not _is_day(date):
        return MemoryLine(text=line.strip()[1:].strip())
    if importance is not None and not 1 <= int(importance) <= 10:
        return MemoryLine(text=f"[importance:{importance}] {text}", date=date)
    return MemoryLine(
        text=text, date=date, importance=int(importance) if importance is not None else None
    )


def memory_line(text: str) -> MemoryLine | None:
    """The text of a bullet as a memory with a date or an importance; None when it has neither."""
    if not text.startswith("["):
        return None
    found = parse_line(f"- {text}")
    dated = found is not None and (found.date is not None or found.importance is not None)
    return found if dated else None


def _is_day(text: str) -> bool:
    found = read_instant(text)
    return found is not None and found.granularity == "day"
