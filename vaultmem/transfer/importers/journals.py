"""Journals that the person keeps elsewhere: Logseq, Day One. Pure.

All of it is the person's own words, of the day that the file or the entry names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import frontmatter
import yaml

from vaultmem.base import TYPE_CHECKING, BadInputError, late
from vaultmem.transfer.importers.imported_records import (
    AGENT,
    PERSON,
    Noted,
    Odd,
    Record,
    list_at,
    string_at,
    time_of,
)
from vaultmem.transfer.importers.json_stream import BrokenElementError, objects

if TYPE_CHECKING:
    from vaultmem.transfer.importers.imported_records import Asked

LOGSEQ, DAY_ONE = "Logseq", "Day One"
_PROPERTY = late(r"^(\s*(?:- )?)([\w.-]{1,60})::(?: (.*))?$", 8)  # MULTILINE
_BULLET = late(r"\A[\t ]*-(?: |\Z)")
_OF_PROGRAM = frozenset(
    ("id", "collapsed", "logseq.order-list-type", "heading", "hl-page", "ls-type")
)
_BLOCK = late(r"\(\([0-9a-f-]{36}\)\)|\{\{[^{}]{1,200}\}\}|^\s*:LOGBOOK:.*?:END:$\n?", 8 | 16)
_LINK = late(r"#?\[\[([^\[\]\n]{1,200})\]\]")
_DAY_NAME = late(r"(\d{4})[_-](\d{2})[_-](\d{2})")


def is_outline(text: str) -> bool:
    """Whether it is a page of Logseq: an outline of bullets with a property (`key:: value`)."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines or _PROPERTY.search(text) is None:
        return False
    outlined = [_BULLET.match(line) is not None or line[:1] in " \t" for line in lines[:-1]]
    return all(outlined[1:]) and (_BULLET.match(lines[0]) or "::" in lines[0]) is not False


def is_journal_day(name: str) -> bool:
    """Whether a file has the name that Logseq gives to a day."""
    return _DAY_NAME.fullmatch(name) is not None


def read_logseq(asked: Asked) -> Iterator[Record]:
    """One page, or the journal of a day."""
    name = asked.file.path.stem
    try:
        text = read_page(asked)
    except BadInputError as error:
        yield Odd(product=LOGSEQ, name=name, why=error.message)
        return
    day = _DAY_NAME.fullmatch(name)
    told = _PROPERTY.sub(lambda found: _with_field(found[1], found[2], found[3] or ""), text)
    told = _LINK.sub(lambda found: str(found[1]), told)
    lines = [line for line in _BLOCK.sub("", told).splitlines() if line.strip(" \t-")]
    if not lines:
        yield Odd(product=LOGSEQ, name=name, why="the page is empty", is_expected=True)
        return
    date = time_of("-".join(day.groups()), asked.zone) if day else None
    yield Noted(
        product=LOGSEQ,
        id=name,
        title=f"Journal of {'-'.join(day.groups())}" if day else name.replace("___", "/"),
        text="\n".join(lines),
        writer=PERSON,
        date=date,
        is_memory=False,
    )


def _with_field(begin: str, key: str, value: str) -> str:
    if key in _OF_PROGRAM:
        return begin
    return f"{begin}{key}: {value}"


_ESCAPED = late(r"\\([\\`*_{}\[\]()#+.!>-])")
_PICTURE = late(r"!\[[^\]]*\]\(dayone-moment:[^)]*\)\n?")


def read_day_one(asked: Asked) -> Iterator[Record]:
    """The entries of a journal."""
    with asked.file.open() as stream:
        for found in objects(stream, ("entries",), progress=asked.progress):
            if isinstance(found, BrokenElementError):
                yield Odd(product=DAY_ONE, name="an entry", why=found.message)
                continue
            text = _ESCAPED.sub(r"\1", _PICTURE.sub("", string_at(found, "text"))).strip()
            at = time_of(found.get("creationDate"))
            day = string_at(found, "creationDate")[:10]
            if not text:
                why = "the entry has no text"
                yield Odd(product=DAY_ONE, name=f"entry of {day}", why=why, is_expected=True)
                continue
            first = text.lstrip("#* ").splitlines()[0]
            tags = [tag for tag in map(str, list_at(found, "tags")) if tag]
            yield Noted(
                product=DAY_ONE,
                id=string_at(found, "uuid"),
                title=first[:80],
                text=text,
                writer=PERSON,
                date=at,
                is_memory=False,
                about=(("keywords", ", ".join(tags)),) if tags else (),
            )


# Markdown that other memories keep: basic-memory's notes, Claude Code's auto memory.
#
# Both are an agent's words of the person. Front matter is read with python-frontmatter: it is not
# ours, so nothing of it is checked, and only its texts are taken.

BASIC_MEMORY, AUTO_MEMORY = "basic-memory", "Claude Code's memory"
LARGEST_PAGE = 4_000_000  # bytes
_LONGEST_BLOCK = 20_000  # characters of front matter
_MEMORY_TYPES = ("user", "feedback", "project", "reference")


class NoPageError(BadInputError):
    """A Markdown file whose front matter cannot be read."""


def page_of(text: str) -> tuple[Mapping[str, object], str]:
    """Front matter and body; raises NoPageError."""
    text = text.replace("\r\n", "\n")
    end = text.find("\n---", 3)
    if text.startswith("---") and not 0 <= end <= _LONGEST_BLOCK:
        raise NoPageError("its front matter does not end")
    try:
        values, body = frontmatter.parse(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise NoPageError("its front matter is no YAML") from error
    return {str(key): value for key, value in values.items()}, body


def is_basic_memory(text: str) -> bool:
    """Whether it is a note of basic-memory, by the keys that its front matter has."""
    values = _values(text)
    return isinstance(values.get("permalink"), str) and {"title", "type"} <= values.keys()


def is_auto_memory(text: str) -> bool:
    """Whether it is a file of Claude Code's auto memory."""
    values = _values(text)
    return {"name", "description"} <= values.keys() and _type_of(values) in _MEMORY_TYPES


_INDEX_LINE = late(r"- \[[^\]\n]{1,200}\]\([^)\n]{1,200}\.md\)(?: [—–:-] .*)?")


def is_memory_index(text: str) -> bool:
    """Whether it is the index of an auto memory: nothing but a line for each file."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return bool(lines) and all(_INDEX_LINE.fullmatch(line) for line in lines)


def _values(text: str) -> Mapping[str, object]:
    if not text.startswith("---"):
        return {}
    try:
        return page_of(text)[0]
    except NoPageError:
        return {}


def _type_of(values: Mapping[str, object]) -> str:
    metadata = values.get("metadata")
    told = metadata.get("type") if isinstance(metadata, dict) else values.get("type")
    return told if isinstance(told, str) else ""


def read_page(asked: Asked) -> str:
    """The text of a file; raises BadInputError."""
    if asked.file.size > LARGEST_PAGE:
        raise BadInputError(f"it has more than {LARGEST_PAGE:,} bytes")
    with asked.file.open() as stream:
        return stream.read(LARGEST_PAGE).decode("utf-8-sig", "replace")


_OBSERVATION = late(r"^(\s*[-*] )\[[^\]\[()]{1,60}\] +(.*?)(?: +\(([^()]*)\))?$", 8)  # MULTILINE
_TAG_AT_END = late(r"(?: +#[\w/-]+)+(?=\s*(?:\(|$))")


def _page_or_why(asked: Asked, product: str) -> tuple[Mapping[str, object], str] | Odd:
    """Front matter and body of a file, or why there is nothing to read in it."""
    name = asked.file.path.stem
    try:
        values, body = page_of(read_page(asked))
    except BadInputError as error:
        return Odd(product=product, name=name, why=error.message)
    if not body.strip():
        return Odd(product=product, name=name, why="the file is empty", is_expected=True)
    return values, body


def read_basic_memory(asked: Asked) -> Iterator[Record]:
    """One note: its text, with what it observes as plain sentences."""
    page = _page_or_why(asked, BASIC_MEMORY)
    if isinstance(page, Odd):
        yield page
        return
    values, body = page
    title = str(values.get("title") or asked.file.path.stem)
    yield Noted(
        product=BASIC_MEMORY,
        id=str(values.get("permalink") or title),
        title=title,
        text=_OBSERVATION.sub(lambda found: _observation_text(found[1], found[2], found[3]), body),
        writer=AGENT,
        date=_date(values),
        is_memory=False,
    )


def _observation_text(bullet: str, text: str, context: str | None) -> str:
    """An observation without its category and tags: these stand in no sentence."""
    said = _TAG_AT_END.sub("", text).rstrip()
    return f"{bullet}{said}{f' ({context})' if context else ''}"


def read_auto_memory(asked: Asked) -> Iterator[Record]:
    """One file of an auto memory."""
    page = _page_or_why(asked, AUTO_MEMORY)
    if isinstance(page, Odd):
        yield page
        return
    values, body = page
    yield Noted(
        product=AUTO_MEMORY,
        id=str(values.get("name") or asked.file.path.stem),
        title=str(values.get("description") or values.get("name") or asked.file.path.stem),
        text=body,
        writer=AGENT,
        date=_date(values),
    )


def _date(values: Mapping[str, object]) -> int | None:
    """When it was written, as its front matter says under one of the usual keys."""
    metadata = values.get("metadata")
    for told in (values, metadata if isinstance(metadata, dict) else {}):
        for key in ("modified", "updated", "updated_at", "created", "created_at", "date"):
            value = told.get(key)
            found = time_of(value.isoformat() if hasattr(value, "isoformat") else value)
            if found is not None:
                return found
    return None
