"""New notes as bytes: the keys of items and resources in their order, and the text below."""

from __future__ import annotations

from vaultmem.base import BadInputError
from vaultmem.language import format_instant
from vaultmem.model import RELATIONS, Item, Resource
from vaultmem.safety import defang
from vaultmem.storage.notes.frontmatter.write import Given, render
from vaultmem.storage.notes.frontmatter.yaml import too_large
from vaultmem.storage.notes.markdown import render_statement

ITEM_KEYS = (
    "id",
    "kind",
    "stream",
    "category",
    "project",
    "subject",
    "predicate",
    "object",
    "valid_from",
    "valid_until",
    "due",
    "status",
    "review",
    "supersedes",
    "superseded_by",
    "source",
    "quote",
    "said_after",
    "asked",
    "importance",
    "critical",
    "confidence",
    "confidence_at",
    "pinned",
    "hard",
    "writer",
    "trust",
    "observed",
    "tags",
    "aliases",
    "entities",
    *RELATIONS,
)
"""The keys of an item note in the order in which a new one has them."""

RESOURCE_KEYS = (
    *("id", "title", "date", "origin", "writer", "project", "trust", "defanged", "tags", "aliases"),
)


def encode_item(item: Item, *, zone: str = "UTC") -> bytes:
    """A new item note: keys that say something, a blank line, the statement.

    The body is `item.body` when it says more than the statement. Path, oid and title are not
    written. Raises BadInputError when the keys are too many or too long to be read again.
    """
    values: dict[str, Given] = {
        "id": item.id,
        "kind": item.kind,
        "stream": item.stream,
        "category": _links(item.categories),
        "project": _one_or_more(item.projects),
        "subject": item.subject,
        "predicate": item.predicate,
        "object": item.object,
        "valid_from": _date(item.valid_from, zone),
        "valid_until": _date(item.valid_until, zone),
        "due": _date(item.due, zone),
        "status": item.status,
        "review": item.review,
        "supersedes": _links(item.supersedes),
        "superseded_by": _links(item.superseded_by),
        "source": _links(item.source),
        "quote": item.quote,
        "said_after": item.said_after,
        "asked": item.asked,
        "importance": item.importance,
        "critical": item.critical,
        "confidence": item.confidence,
        "confidence_at": _date(item.confidence_at, zone),
        "pinned": item.pinned or None,
        "hard": item.hard or None,
        "writer": item.writer,
        "trust": item.trust,
        "observed": item.observed,
        "tags": item.tags,
        "aliases": item.aliases,
        "entities": item.entities,
    }
    for name in RELATIONS:
        values[name] = _links(tuple(target for relation, target in item.links if relation == name))
    values.update(item.fields)
    body = item.body.lstrip("\r\n")
    if body.strip() in ("", item.statement):
        body = render_statement(item.statement)
    return _note(values, body if body.endswith("\n") else body + "\n")


def encode_resource(resource: Resource, *, zone: str = "UTC") -> bytes:
    """A new resource note: its keys, a blank line, and `resource.body` verbatim.

    A `defanged` one has active content marked, so that no program acts on it.
    """
    values: dict[str, Given] = {
        "id": resource.id,
        "title": resource.title,
        "date": _date(resource.date, zone),
        "origin": resource.origin,
        "writer": resource.writer,
        "project": _one_or_more(resource.projects),
        "trust": resource.trust,
        "defanged": resource.defanged or None,
        "tags": resource.tags,
        "aliases": resource.aliases,
        **resource.fields,
    }
    return _note(values, defang(resource.body) if resource.defanged else resource.body)


def _note(values: dict[str, Given], body: str) -> bytes:
    said = {key: value for key, value in values.items() if value not in ("", (), None)}
    block = render(said).encode()
    refusal = too_large(len(block))
    if refusal is not None:
        raise BadInputError(refusal.message, hint="shorten the quote or the lists")
    return block + b"\n" + body.encode("utf-8", "surrogatepass")


def _one_or_more(texts: tuple[str, ...]) -> Given:
    """A single text as people write it; several as a list."""
    return texts[0] if len(texts) == 1 else texts


def _links(targets: tuple[str, ...]) -> tuple[str, ...]:
    """Targets as wiki links, which Obsidian follows and renames."""
    return tuple(f"[[{target}]]" for target in targets)


def _date(ms: int | None, zone: str) -> str | None:
    return None if ms is None else format_instant(ms, zone)
