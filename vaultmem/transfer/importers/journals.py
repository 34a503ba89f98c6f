"""Journals that the person keeps elsewhere: Logseq, Day One. Pure.

All of it is the person's own words, of the day that the file or the entry names.
"""

from __future__ import annotations

from collections.abc import Iterator

from vaultmem.base import TYPE_CHECKING, BadInputError, late
from vaultmem.transfer.importers.imported_records import (
    PERSON,
    Noted,
    Odd,
    Record,
    list_at,
    string_at,
    time_of,
)
from vaultmem.transfer.importers.json_stream import BrokenElementError, objects
from vaultmem.transfer.importers.markdown_pages import read_page

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
