"""All links at once mean what each of them means alone, and typed links are told apart."""

from __future__ import annotations

from itertools import product
from pathlib import Path, PurePosixPath

import pytest

from tests.storage.index.building import item, open_index, page, put
from vaultmem.storage.index.edges import Edge

NAMES = ("tea", "Teapot", "Boat House", "straße")
FOLDERS = ("", "a/", "b/", "a/b/")
ENDS = ("", ".md", "#heading", "|shown")
LINKS = [f"[[{folder}{name}{end}]]" for folder, name, end in product(FOLDERS, NAMES, ENDS)]


@pytest.mark.parametrize("there", [1, 2, 3, 5, 7])
def test_every_link_leads_where_it_leads_alone(there: int, tmp_path: Path) -> None:
    """Every form of link from every place, in vaults that lack this or that note."""
    places = [f"{folder}{name}.md" for folder, name in product(FOLDERS, NAMES)][::there]
    index = open_index(tmp_path / "index.sqlite")
    put(
        index,
        [
            page(f"See {' and '.join(LINKS)}.", path=path, aliases=(NAMES[i % 4], "tea"))
            for i, path in enumerate(places)
        ],
    )
    meant = {row.path for link in LINKS if (row := index.resolve_link(link)) is not None}
    assert meant
    expected = {
        Edge(path, "link", str(other))
        for path, other in product(places, meant)
        if str(other) != path
    }
    assert set(index.edges()) == expected
    index.close()


def test_a_typed_link_and_a_source_are_no_plain_links(tmp_path: Path) -> None:
    index = open_index(tmp_path / "index.sqlite")
    put(
        index,
        [
            item(
                "It rains.",
                path="items/a.md",
                links=(("causes", "b"), ("related", "b")),
                source=("c",),
                entities=("Bergen", "bergen"),
                more="See [[b]], [[c]], [[d]] and [[nowhere]].",
            ),
            *(item(f"Note {name}.", path=f"items/{name}.md") for name in "bcd"),
        ],
    )
    assert index.edges() == (
        Edge("items/a.md", "causes", "items/b.md"),
        Edge("items/a.md", "entity", "bergen"),
        Edge("items/a.md", "link", "items/d.md"),
        Edge("items/a.md", "related", "items/b.md"),
        Edge("items/a.md", "source", "items/c.md"),
    )


def test_marks_are_no_backlinks(tmp_path: Path) -> None:
    index = open_index(tmp_path / "index.sqlite")
    named = item("Bergen is wet.", path="items/bergen.md")
    put(index, [named, item("It rains there.", path="items/a.md", entities=("bergen",))])
    row = index.note(PurePosixPath("items/bergen.md"))
    assert row is not None
    assert index.backlinks(row) == ()


def test_a_note_of_any_number_of_names_is_asked_for_what_leads_to_it(tmp_path: Path) -> None:
    """SQLite takes no 1,000 conditions at once, and said that the index was damaged."""
    index = open_index(tmp_path / "index.sqlite")
    tea = page("Tea.", path="tea.md", aliases=tuple(f"name {number}" for number in range(700)))
    linking = [
        item(f"I link {number}.", links=(("may_replace", f"[[name {number}]]"),))
        for number in (0, 350, 699)
    ]
    put(index, [tea, *linking])
    found = index.linking("may_replace", PurePosixPath("tea.md"))
    assert found == tuple(sorted(each.path for each in linking))
    index.close()


def test_notes_with_a_typed_link_to_a_note_are_those_that_mean_it(tmp_path: Path) -> None:
    """Asked for by where they lead, they are what all links of the relation say one by one."""
    index = open_index(tmp_path / "index.sqlite")
    places = [f"{folder}{name}.md" for folder, name in product(FOLDERS, NAMES)][::2]
    told = item("I drink tea.")
    targets = [*LINKS, f"[[{told.path.stem}]]", told.id, "[[nobody]]"]
    linking = [
        item(f"I link {number}.", links=(("may_replace", target), ("contradicts", "tea")))
        for number, target in enumerate(targets)
    ]
    pages = [page("A page.", path=path, aliases=("tea",)) for path in places]
    put(index, [*pages, told, *linking])
    meant: dict[PurePosixPath, set[PurePosixPath]] = {}
    for path, key in index.typed_links("may_replace"):
        row = index.resolve_link(key)
        if row is not None:
            meant.setdefault(row.path, set()).add(path)
    assert told.path in meant
    assert len(meant) > len(FOLDERS)
    for path in (*map(PurePosixPath, places), told.path, PurePosixPath("nowhere.md")):
        assert index.linking("may_replace", path) == tuple(sorted(meant.get(path, set())))
    index.close()
