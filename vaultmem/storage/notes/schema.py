"""What a file of the vault is: bytes in, a record of the dictionary and its problems out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePosixPath

from vaultmem.base import Any, BadInputError, PatchRefusedError, replace
from vaultmem.language import DAY_MS, ERASED_PASSAGE, format_instant
from vaultmem.model import (
    CRITICAL_KINDS,
    ITEM_ID,
    KINDS,
    RELATIONS,
    RESOURCE_ID,
    STATUSES,
    STREAMS,
    USER,
    Category,
    Decoded,
    Item,
    Oid,
    Page,
    Problem,
    Record,
    Resource,
    Severity,
    Stream,
    claimed_level,
    resource_id,
)
from vaultmem.safety import defang, refang
from vaultmem.storage.files import (
    AGENTS,
    ARCHIVE,
    CATEGORIES,
    ITEMS,
    RESOURCES,
    TOPS,
    conflict_of,
    is_companion,
)
from vaultmem.storage.notes import markdown, summary_block
from vaultmem.storage.notes.bullets import locate_bullets as placed_bullets
from vaultmem.storage.notes.fields import Fields
from vaultmem.storage.notes.frontmatter import read
from vaultmem.storage.notes.frontmatter.write import Given, render
from vaultmem.storage.notes.frontmatter.yaml import too_large
from vaultmem.storage.notes.markdown import read_statement, render_statement

ITEM_KEYS = (
    *("id", "kind", "stream", "category", "project", "subject", "predicate", "object"),
    *("valid_from", "valid_until", "due", "status", "review", "supersedes", "superseded_by"),
    *("source", "quote", "said_after", "asked", "importance", "critical", "confidence"),
    *("confidence_at", "pinned", "hard", "writer", "trust", "observed", "tags", "aliases"),
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


_NOTE_KEYS = frozenset(["title", "tags", "tag", "aliases", "alias"])
_KNOWN_ITEM = frozenset(ITEM_KEYS) | _NOTE_KEYS
_KNOWN_RESOURCE = frozenset(RESOURCE_KEYS) | _NOTE_KEYS
_UNSAFE_IN_ID = ("/", "\\", "..", "\0")


def decode(path: PurePosixPath, data: bytes, oid: Oid, *, zone: str = "UTC") -> Decoded:
    """The record in a file, and what is wrong with it; never fails.

    zone  of dates without a time or offset, as in language.time
    A file that is not understood is a quarantined Page, so that it is still found; bytes that
    are no text at all give no record, nor do settings, tables and canvases.
    """
    if is_companion(path.parent.as_posix() if len(path.parts) > 1 else "", path.name):
        return Decoded(path=path, record=None)
    front = read(data, path)
    if not front.is_text:
        return Decoded(path=path, record=None, problems=front.problems)
    fields = Fields(front, path, zone)
    kind = _note_type(path, fields)
    if kind in ("stream", "category") and not front.is_exact and not front.quarantined:
        # Their lines are compared with items: a replaced character would look like an edit.
        front = replace(front, quarantined=True)
        fields.problems = [
            replace(each, severity=Severity.ERROR) if each.code == "not-utf8" else each
            for each in fields.problems
        ]
    if front.quarantined or kind == "quarantined":
        record: Record = _page(path, oid, fields, quarantined=True)
    elif front.is_template:
        fields.values = {}  # placeholders say nothing
        record = _page(path, oid, fields)
    elif kind == "page":
        record = _page(path, oid, fields)
    elif kind == "item":
        record = _item(path, oid, fields)
    elif kind == "resource":
        record = _resource(path, oid, fields)
    elif kind == "category":
        record = _category(path, oid, fields)
    else:
        record = _stream(path, oid, fields)
    return Decoded(path=path, record=record, problems=tuple(fields.problems))


def _note_type(path: PurePosixPath, fields: Fields) -> str:
    """item, resource, category, stream, page; or quarantined for an id that cannot be used.

    The id says it, then the kind, then the folder: moving a note changes nothing.
    """
    folder = path.parts[0]
    if folder not in TOPS or len(path.parts) == 1 or conflict_of(path.name) is not None:
        return "page"  # of a conflict copy, the note itself is the item
    if folder == AGENTS:
        return "page"  # whatever it says of itself: an assistant's file is no memory of the person
    values = fields.values
    id_ = values.get("id")
    if type(id_) is str:
        if ITEM_ID.fullmatch(id_):
            return "item"
        if RESOURCE_ID.fullmatch(id_):
            return "resource"
    by_folder = _type_of_folder(path, folder)
    if values.get("kind") in KINDS:
        by_folder = "item"
    if id_ is not None and _is_bad_id(id_, by_folder):
        fields.report(
            "bad-id",
            f"the id {id_!r} is not one of vaultmem's",
            key="id",
            hint="rename this key; the program adds an id of its own when it needs one",
            severity=Severity.ERROR,
        )
        return "quarantined"
    return by_folder


def _type_of_folder(path: PurePosixPath, folder: str) -> str:
    if folder in (ITEMS, ARCHIVE):
        return "item"
    if folder == RESOURCES:
        return "resource"
    if folder == CATEGORIES:
        return "category"
    name, _, device = path.stem.partition(".")
    return "stream" if name in STREAMS and (not device or name == "flow") else "page"


def _is_bad_id(id_: object, type_: str) -> bool:
    """Whether an id that is not ours is in the way: of a note that needs one, or unsafe."""
    if type_ in ("item", "resource"):
        return id_ != ""
    return any(mark in str(id_) for mark in _UNSAFE_IN_ID)


def _item(path: PurePosixPath, oid: Oid, fields: Fields) -> Item:
    values, text, links = fields.values, fields.text, fields.links
    statement = read_statement(fields.front.body)
    id_ = text("id")
    source = links("source")
    if not statement:
        fields.report(
            "no-statement",
            "the item states nothing: there is no text below its front matter",
            hint="write one sentence there",
        )
    # A note written by hand is its own source until it gains an id; one that took the place of
    # another was stated by a command, and its commit says by whom.
    if id_ and not source and "supersedes" not in fields.values:
        fields.report("no-source", "the item names no source", hint="add a 'source' link")
    valid_from, valid_until = fields.instant("valid_from"), fields.instant("valid_until")
    # A task that is ticked on the day it was written ends on that day: the date has no time.
    rest_of_day = DAY_MS - 1 if len(text("valid_until")) == len("2026-03-11") else 0
    if (
        valid_from is not None
        and valid_until is not None
        and valid_until + rest_of_day < valid_from
    ):
        fields.report("ends-before-start", "valid_until is before valid_from", key="valid_until")
    return Item(
        **_common(path, oid, fields, _KNOWN_ITEM, fallback=statement if id_ else ""),
        id=id_,
        kind=fields.choice("kind", KINDS, "fact"),
        statement=statement,
        stream=fields.choice("stream", STREAMS, "") or None,
        categories=tuple([target.rpartition("/")[2] for target in links("category")]),
        projects=links("project") if "project" in values else (),
        subject=text("subject"),
        predicate=text("predicate"),
        object=text("object"),
        valid_from=valid_from,
        valid_until=valid_until,
        due=fields.instant("due"),
        status=fields.choice("status", STATUSES, "active"),
        supersedes=links("supersedes"),
        superseded_by=links("superseded_by"),
        source=source,
        quote=_own(text, "quote"),
        said_after=_own(text, "said_after"),
        asked=_own(text, "asked"),
        importance=fields.integer("importance", 1, 10, 1),
        critical=fields.choice("critical", CRITICAL_KINDS, ""),
        confidence=fields.share("confidence"),
        confidence_at=fields.instant("confidence_at"),
        pinned=fields.flag("pinned"),
        hard=fields.flag("hard"),
        writer=text("writer"),
        trust=text("trust"),
        review=text("review"),
        observed=text("observed"),
        entities=links("entities"),
        links=tuple(
            [(name, target) for name in RELATIONS if name in values for target in links(name)]
        ),
    )


def _own(text: Callable[[str], str], key: str) -> str:
    """Words of a source as they were said: in notes of others what would act is marked."""
    return text(key) if claimed_level(text("trust")) == USER else refang(text(key))


def _resource(path: PurePosixPath, oid: Oid, fields: Fields) -> Resource:
    body = fields.front.body
    gap = 2 if body.startswith("\r\n") else 1 if body.startswith("\n") else 0
    text = body[gap:] if fields.values else body
    id_ = fields.text("id")
    defanged = "defanged" in fields.values and fields.flag("defanged")
    text = refang(text) if defanged else text
    if id_ and resource_id(text) != id_ and ERASED_PASSAGE not in text:
        fields.report(
            "resource-changed",
            "the text is not the one that its id was made of; resources never change",
            hint=f"`vaultmem restore {path}` brings it back; remember the new text on its own",
            severity=Severity.ERROR,
        )
    common = _common(path, oid, fields, _KNOWN_RESOURCE)
    if text is not body:
        common["body"] = text
        common["body_line"] += 1
    return Resource(
        **common,
        id=id_,
        date=fields.instant("date"),
        origin=fields.text("origin"),
        writer=fields.text("writer"),
        projects=fields.links("project") if "project" in fields.values else (),
        trust=fields.text("trust"),
        defanged=defanged,
    )


def _category(path: PurePosixPath, oid: Oid, fields: Fields) -> Category:
    summary = ""
    try:
        block = summary_block.find(fields.front.body)
        summary = block.text if block is not None else ""
    except PatchRefusedError as refused:
        line = fields.front.body_line + (refused.line or 1) - 1
        problem = Problem(
            path=path, code="bad-block", message=refused.message, line=line, hint=refused.hint
        )
        fields.problems.append(problem)
    return Category(
        **_common(path, oid, fields, _NOTE_KEYS),
        slug=path.stem,
        summary=summary,
    )


def _stream(path: PurePosixPath, oid: Oid, fields: Fields) -> Stream:
    name, _, device = path.stem.partition(".")
    front = fields.front
    placed = placed_bullets(front.body, first_line=front.body_line)
    return Stream(
        **_common(path, oid, fields, _NOTE_KEYS),
        name=name,
        device=device,
        bullets=tuple(each.bullet for each in placed),
    )


def _page(path: PurePosixPath, oid: Oid, fields: Fields, *, quarantined: bool = False) -> Page:
    return Page(**_common(path, oid, fields, _NOTE_KEYS), quarantined=quarantined)


def _common(
    path: PurePosixPath, oid: Oid, fields: Fields, known: frozenset[str], *, fallback: str = ""
) -> dict[str, Any]:
    """What every note has. Title: its key, the first heading, the fallback, the file's name."""
    front, values = fields.front, fields.values
    body = front.body
    title = fields.text("title") if "title" in values else ""
    if not title and body.startswith(("#", "\n#", "\r\n#")):
        title = markdown.title(body)
    tags = fields.words("tags") if "tags" in values else ()
    if "tag" in values:
        tags += fields.words("tag")
    if "#" in body and known is not _KNOWN_RESOURCE:
        tags = tuple(dict.fromkeys(tags + markdown.inline_tags(body)))
    aliases = fields.texts("aliases") if "aliases" in values else ()
    if "alias" in values:
        aliases += fields.texts("alias")
    if "created" in values and "updated" in values:
        _check_order(fields)
    unknown = values.keys() - known
    return {
        "path": path,
        "oid": oid,
        "title": title or fallback or path.stem,
        "body": body,
        "body_line": front.body_line,
        "tags": tags,
        "aliases": aliases,
        "fields": fields.others(known) if unknown else {},
    }


def _check_order(fields: Fields) -> None:
    """Warn of a note that claims to have been updated before it was created."""
    created, updated = fields.instant("created"), fields.instant("updated")
    if created is not None and updated is not None and updated < created:
        fields.report("updated-before-created", "'updated' is before 'created'", key="updated")
