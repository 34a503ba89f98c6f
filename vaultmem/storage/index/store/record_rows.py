"""What the tables say of one record: its note row, the names it answers to, what it links to."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from zlib import crc32

from vaultmem.base import late
from vaultmem.language import canonical, fold
from vaultmem.model import (
    LIMITED,
    USER,
    Category,
    Item,
    Passage,
    Record,
    Resource,
    Stream,
    claimed_level,
    id_in_name,
    part_key,
    slot_key,
)
from vaultmem.storage.files import is_of_agents
from vaultmem.storage.index.store.rows import (
    ANSWERING,
    CALLED,
    ENTITY,
    MARK,
    SEPARATOR,
    project_column,
)
from vaultmem.storage.index.text.passages import body_of

NOTE_VALUES = (
    "path, oid, id, type, kind, status, stream, title, statement, categories, tags, date, "
    "valid_from, valid_until, importance, confidence, confidence_at, pinned, hard, source, quote, "
    "trust, writer, claims, digest, silent, dated_from, dated_to, subject, predicate, object, "
    "critical, due, said_after, asked, project, slot"
)
"""Columns that `note_values` gives, in its order."""
_FIRST_WORDS = 200  # characters of a note without a statement that stand for it
_WIKILINK = late(r"\[\[([^\[\]|#^]+)")
_LONGEST = 600  # characters of a statement that may say how somebody is called
_STEM, _ALIAS, _LAST = 0, 1, 2  # which name wins when two notes share it


def note_values(record: Record, passages: Sequence[Passage]) -> tuple[object, ...]:
    """Values of the table `notes` from `path` to `slot`, in its order: NOTE_VALUES.

    Trust is as the front matter claims; the index lowers it where the history says so.
    """
    path = str(record.path)
    tags = SEPARATOR.join(record.tags)
    if isinstance(record, Item):
        date = record.valid_from
        return (
            *(path, record.oid, record.id, "item", record.kind, record.status),
            *(record.stream or "", _other(record.title, record), record.statement),
            *(SEPARATOR.join(record.categories), tags, date, record.valid_from),
            *(record.valid_until, record.importance, record.confidence, record.confidence_at),
            *(
                record.pinned,
                record.hard,
                SEPARATOR.join(record.source),
                _other(record.quote, record),
            ),
            *(*_trust_columns(record.trust, record.writer), digest(record.statement)),
            *(record.status not in ANSWERING, date, date),
            *(record.subject, record.predicate, record.object),
            *(record.critical, record.due, record.said_after, record.asked),
            project_column(record.projects),
            slot_key(record.subject, record.predicate),
        )
    id_, kind_of_note, stream, categories, date, trust, writer = _others(record)
    dates = [passage.date for passage in passages if passage.date is not None]
    if date is not None:
        dates.append(date)
    first = passages[0].text[:_FIRST_WORDS] if passages else ""
    return (
        *(path, record.oid, id_, kind_of_note, "", "", stream, record.title, first),
        *(categories, tags, date, None, None, 0, None, None, False, False, "", ""),
        *(
            *_trust_columns(trust, writer),
            None,
            False,
            min(dates, default=None),
            max(dates, default=None),
        ),
        *("", "", "", "", None, "", ""),
        project_column(record.projects) if isinstance(record, Resource) else "",
        "",
    )


def _trust_columns(trust: str, writer: str) -> tuple[str, str, str]:
    """Trust, writer, and the claimed trust once more."""
    level = claimed_level(trust)
    return level, writer, level


def _other(text: str, item: Item) -> str | None:
    """A text; None when it is the statement, which is not stored twice."""
    return None if text == item.statement else text


def _others(record: Record) -> tuple[str, str, str, str, int | None, str, str]:
    """Id, type, stream, categories, date, trust and writer of a record that is no item."""
    if isinstance(record, Resource):
        return record.id, "resource", "", "", record.date, record.trust, record.writer
    if isinstance(record, Category):
        return "", "category", "", record.slug, None, "", ""
    if isinstance(record, Stream):
        return "", "stream", record.name, "", None, "", ""
    if is_of_agents(record.path.parts[0]):
        return "", "page", "", "", None, LIMITED, "agent"
    return "", "page", "", "", None, "", ""


def digest(statement: str) -> int:
    """A number that is the same for statements that are the same (`text.canonical`).

    Others may share it: it nominates, and comparing the statements decides.
    """
    return crc32(canonical(statement).encode("utf-8", "surrogatepass"))


@lru_cache(maxsize=4096)
def link_key(target: str) -> str:
    """What a link is looked up by: the id its name ends in, else the folded name.

    Brackets, `.md`, headings (`#`) and display texts (`|`) do not count.
    """
    name = target.strip().removeprefix("[[").removesuffix("]]")
    name = name.partition("|")[0].partition("#")[0].strip().strip("/")
    bare = name[:-3] if name[-3:].lower() == ".md" else name
    return id_in_name(bare.rpartition("/")[2]) or fold(bare)


def names_of(record: Record) -> set[tuple[str, int]]:
    """(name, rank) under which links find a note that its id does not already give away."""
    if is_of_agents(record.path.parts[0]):  # no name that an assistant gives takes another's place
        return {(fold(record.path.name.removesuffix(".md")), _LAST)}
    names = {(fold(alias.strip()), _ALIAS) for alias in record.aliases}
    stem = record.path.name.removesuffix(".md")
    id_ = record.id if isinstance(record, Item | Resource) else ""
    if not id_ or not stem.endswith(f"-{id_}"):
        names.add((link_key(stem), _STEM))
    return {(name, rank) for name, rank in names if name}


def links_of(record: Record) -> set[str]:
    """`link_key` of everything that a record links to, in front matter or body."""
    targets: set[str] = set()
    if isinstance(record, Item):
        targets.update(record.source, record.supersedes, record.superseded_by, record.categories)
        targets.update(target for _, target in record.links)
    for value in record.fields.values():
        for text in (value,) if isinstance(value, str) else value:
            if "[[" in text:
                targets.update(_WIKILINK.findall(text))
    body = body_of(record)
    if "[[" in body:
        targets.update(_WIKILINK.findall(body))
    return {key for key in map(link_key, targets) if key} | _marked_links(record)


def _marked_links(record: Record) -> set[str]:
    """`MARK relation MARK key` of typed links, and of the entities that an item names.

    Of what links call a note `MARK CALLED MARK name MARK other name`.
    """
    names = {f"{MARK}{CALLED}{MARK}{one}{MARK}{other}" for one, other in _other_names(record)}
    if not isinstance(record, Item):
        return names
    typed = {(relation, link_key(target)) for relation, target in record.links}
    typed |= {(ENTITY, part_key(entity)) for entity in record.entities}
    return names | {f"{MARK}{kind}{MARK}{key}" for kind, key in typed if key}


def _other_names(record: Record) -> set[tuple[str, str]]:
    """What its links call other notes, and whom the person calls what; mostly there is nothing."""
    found: set[tuple[str, str]] = set()
    if isinstance(record, Item) and record.trust == USER and len(record.statement) <= _LONGEST:
        from vaultmem.storage.index.store.called import called_by_kin  # saves 3 modules

        found = called_by_kin(record.statement)
    if "|" not in record.body or "[[" not in record.body:
        return found
    from vaultmem.storage.index.store.called import names_in_links  # saves 3 modules

    return found | names_in_links(record.body)
