"""Records as reading a vault gives them, written short."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from vaultmem.language.text import canonical, slugify
from vaultmem.model.ids import Oid, item_id, resource_id
from vaultmem.model.notes import Category, Decoded, Item, Page, Problem, Record, Resource, Stream
from vaultmem.storage.index.database import Index

IDENTITY = "v-test /somewhere"


def item(statement: str, *, path: str = "", more: str = "", **keys: object) -> Item:
    """An item note with this statement, and whatever keys a test is about."""
    id_ = str(keys.pop("id")) if "id" in keys else item_id("r-test", canonical(statement))
    stem = f"{slugify(statement)}-{id_}" if id_ else slugify(statement)
    body = f"\n{statement}\n" + (f"\n{more}\n" if more else "")
    values: dict[str, object] = {
        "path": PurePosixPath(path or f"items/2026/03/11/{stem}.md"),
        "oid": Oid("0" * 40),
        "title": statement,
        "body": body,
        "body_line": 10,
        "statement": statement,
        "id": id_,
        **keys,
    }
    return Item(**values)  # type: ignore[arg-type]  # keys of Item, chosen by the test


def resource(
    body: str, *, path: str = "", title: str = "A talk", date: int | None = None
) -> Resource:
    """A resource note with this text."""
    id_ = resource_id(body)
    return Resource(
        path=PurePosixPath(path or f"resources/2026/03/{slugify(title)}-{id_}.md"),
        oid=Oid("1" * 40),
        title=title,
        body=body,
        body_line=7,
        id=id_,
        date=date,
    )


def page(body: str, *, path: str = "notes/Page.md", **keys: object) -> Page:
    """Any other note."""
    values: dict[str, object] = {
        "path": PurePosixPath(path),
        "oid": Oid("2" * 40),
        "title": PurePosixPath(path).stem,
        "body": body,
        **keys,
    }
    return Page(**values)  # type: ignore[arg-type]  # keys of Page, chosen by the test


def stream(body: str, *, name: str = "identity") -> Stream:
    """A stream file."""
    return Stream(
        path=PurePosixPath(f"streams/{name}.md"),
        oid=Oid("3" * 40),
        title=name.title(),
        body=body,
        name=name,
    )


def category(body: str, *, slug: str = "tools") -> Category:
    """A category note."""
    return Category(
        path=PurePosixPath(f"categories/{slug}.md"),
        oid=Oid("4" * 40),
        title=slug.title(),
        body=body,
        slug=slug,
    )


def decoded(record: Record, *problems: Problem) -> Decoded:
    """A file that gave a record."""
    return Decoded(path=record.path, record=record, problems=problems)


def open_index(file: Path, *records: Record) -> Index:
    """An index of these notes."""
    index = Index.open(file, identity=IDENTITY)
    put(index, records)
    return index


def put(index: Index, records: Iterable[Record]) -> None:
    """Put notes in a transaction of their own."""
    with index.writing():
        index.put([decoded(record) for record in records])


def paths(index: Index, query: str, **options: object) -> list[str]:
    """File names of what is found, best first, each once."""
    found = index.search(query, **options).found  # type: ignore[arg-type]  # of search
    return list(dict.fromkeys(str(one.path) for one in found))


def statements(index: Index, query: str, **options: object) -> list[str]:
    """Texts of the passages found, best first."""
    found = index.search(query, **options).found  # type: ignore[arg-type]  # of search
    return [one.passage.text for one in found]


__all__ = [
    "IDENTITY",
    "category",
    "decoded",
    "item",
    "open_index",
    "page",
    "paths",
    "put",
    "resource",
    "statements",
    "stream",
]
