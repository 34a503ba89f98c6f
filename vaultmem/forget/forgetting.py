"""Which notes are meant by `forget`: named, come from a source, or holding a text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from vaultmem.base.errors import BadInputError, MisusedError, VaultmemError, is_refusal
from vaultmem.base.records import dataclass
from vaultmem.model.answers import Filters, NoteRow
from vaultmem.storage.notes.erasing import canonical
from vaultmem.vault import unread

if TYPE_CHECKING:
    from vaultmem.vault.vault import Parts

NOTES = ("item", "resource")
SHORTEST_MATCH = 4  # characters: a shorter text is in almost every note


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a person wants forgotten: exactly one of the three."""

    refs: tuple[str, ...] = ()
    source: str = ""
    match: str = ""

    def require_one(self) -> None:
        """Raise MisusedError unless it says one thing, BadInputError where that is too short."""
        if sum(map(bool, (self.refs, self.source.strip(), self.match.strip()))) != 1:
            raise MisusedError(
                "say what to forget: notes, or --source, or --match, and only one of them",
                hint="`vaultmem forget ITEM...`, or --source RESOURCE, or --match TEXT; "
                "`vaultmem search` finds ids",
            )
        if self.match and len(folded(self.match)) < SHORTEST_MATCH:
            raise BadInputError(
                f"'{self.match}' is too short: --match takes {SHORTEST_MATCH} characters or more",
                hint="give more of the text, or name the notes: `vaultmem search` finds their ids",
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The notes that go, and what else holds their text and is not ours to take away."""

    rows: tuple[NoteRow, ...]
    others: tuple[NoteRow, ...] = ()  # of --match: streams, categories and pages that hold it


def folded(text: str) -> str:
    """The text as it is compared: the words as a reader takes them (text_forms.py)."""
    return canonical(text)


def choose(parts: Parts, wish: Wish) -> Chosen:
    """The notes that the wish means, by path; raises UnknownNoteError, BadInputError."""
    wish.require_one()
    if wish.match:
        return _matching(parts, wish.match)
    if wish.source:
        return Chosen(rows=_of_source(parts, wish.source))
    return Chosen(rows=_named(parts, wish.refs))


def _named(parts: Parts, refs: Sequence[str]) -> tuple[NoteRow, ...]:
    from vaultmem.vault.naming import find_note

    rows = {row.path: row for row in (find_note(parts, ref) for ref in refs)}
    for row in rows.values():
        _require_note(row)
    found = (*rows.values(), *_sources_that_say_no_more(parts, tuple(rows.values())))
    return _ordered(found)


def _require_note(row: NoteRow) -> None:
    if row.type not in NOTES:
        raise BadInputError(
            f"'{row.path}' is a {row.type}: it is yours to edit",
            hint="name items or sources; a bullet is forgotten by the id at its end",
        )


def _of_source(parts: Parts, ref: str) -> tuple[NoteRow, ...]:
    from vaultmem.vault.naming import find_note

    source = find_note(parts, ref)
    if source.type != "resource":
        raise BadInputError(
            f"'{source.path}' is no source: it is of type {source.type}",
            hint=f"`vaultmem forget {source.id or source.path}`",
        )
    return _ordered((source, *items_from(parts, source)))


def items_from(parts: Parts, source: NoteRow) -> tuple[NoteRow, ...]:
    """Items, of any status, that came from a resource, by path."""
    found = []
    for row in parts.index.backlinks(source):
        sources = (parts.index.resolve_link(target) for target in row.source)
        if row.type == "item" and any(each and each.path == source.path for each in sources):
            found.append(row)
    return tuple(found)


def _sources_that_say_no_more(parts: Parts, going: Sequence[NoteRow]) -> Iterator[NoteRow]:
    """Resources that hold nothing but what the items say that go: kept only for them."""
    gone = {row.path for row in going}
    for source in sources_of(parts, going):
        if source.path in gone or any(each.path not in gone for each in items_from(parts, source)):
            continue
        said = [text for row in going for text in (row.quote, row.statement) if text]
        if not any(char.isalnum() for char in _without(note_body(parts, source), said)):
            yield source


def sources_of(parts: Parts, rows: Iterable[NoteRow]) -> tuple[NoteRow, ...]:
    """The resources that items came from, each once, by path."""
    found = {}
    for row in rows:
        for target in row.source if row.type == "item" else ():
            source = parts.index.resolve_link(target)
            if source is not None and source.type == "resource":
                found[source.path] = source
    return _ordered(found.values())


def _without(body: str, said: Iterable[str]) -> str:
    text = folded(body)
    for each in sorted(map(folded, said), key=len, reverse=True):
        text = text.replace(each, " ")
    return text


def note_body(parts: Parts, row: NoteRow) -> str:
    """The text of a note below its front matter; '' of one that is gone."""
    from vaultmem.storage.files import read
    from vaultmem.storage.notes.frontmatter.fences import split

    try:
        return split(read(parts.root, row.path, limit=None)).body.decode("utf-8", "replace")
    except VaultmemError as error:
        if is_refusal(error):
            raise
        return ""


def _matching(parts: Parts, text: str) -> Chosen:
    """Notes whose bytes hold the text: title, front matter and body."""
    from vaultmem.storage.files.reading import read_each

    unread.require_none(parts, doing="look for the text everywhere")
    wanted = folded(text)
    rows = {row.path: row for row in parts.index.list(Filters())}
    found = []
    for path, data in read_each(parts.root, sorted(rows), limit=None):
        if isinstance(data, bytes) and wanted in folded(data.decode("utf-8", "replace")):
            found.append(rows[path])
    return Chosen(
        rows=_ordered(row for row in found if row.type in NOTES),
        others=_ordered(row for row in found if row.type not in NOTES),
    )


def _ordered(rows: Iterable[NoteRow]) -> tuple[NoteRow, ...]:
    return tuple(sorted(rows, key=lambda row: row.path))
