"""The sample vault keeps the promises of its own README: checked from its files alone.

Front matter is read with PyYAML's BaseLoader, in which everything is text.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from vaultmem.language.text import canonical, nfc
from vaultmem.model.ids import ITEM_ID, RESOURCE_ID, id_in_name, item_id, resource_id
from vaultmem.model.notes import KINDS, RELATIONS, STATUSES, STREAMS

SAMPLE = Path(__file__).parent.parent / "sample-vault"
READ = ("archive", "categories", "items", "resources", "streams")
FRONT_MATTER = re.compile(r"---\n(?P<block>.*?)---\n(?:\n|(?=\S))", re.DOTALL)
LINK = re.compile(r"\[\[([^\[\]|#]+)(?:#[^\[\]|]*)?(?:\|[^\[\]]*)?\]\]")
BULLET = re.compile(r"[-*+] (?:\[(?P<box>[ x])\] )?(?P<text>.*) \^(?P<id>\S+)")
BLOCK = re.compile(
    r"<!-- vaultmem:begin summary -->\n(?P<lines>.*?)<!-- vaultmem:end -->", re.DOTALL
)
TURN = re.compile(r"\*\*(?P<speaker>[^*\n]+)\*\* \((?P<when>\d{4}-\d\d-\d\d \d\d:\d\d)\): \S")
LINK_KEYS = ("supersedes", "superseded_by", *RELATIONS)
SHOWN_ONCE_OVER = {"expired"}  # a ticked task keeps its line


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleNote:
    """One file of the sample, taken apart."""

    path: str
    text: str
    fields: dict[str, str | list[str]]
    body: str

    @property
    def stem(self) -> str:
        return Path(self.path).stem

    @property
    def statement(self) -> str:
        return " ".join(self.body.strip().split("\n\n")[0].split())

    def one(self, key: str) -> str:
        value = self.fields.get(key, "")
        return value if isinstance(value, str) else value[0]

    def links(self, key: str) -> list[str]:
        value = self.fields.get(key, [])
        values = [value] if isinstance(value, str) else value
        return [target for text in values for target in LINK.findall(text)]


def read_note(file: Path) -> SampleNote:
    text = file.read_bytes().decode("utf-8")
    found = FRONT_MATTER.match(text)
    fields = yaml.load(found["block"], Loader=yaml.BaseLoader) if found else {}
    body = text[found.end() :] if found else text
    path = file.relative_to(SAMPLE).as_posix()
    return SampleNote(path=path, text=text, fields=fields, body=body)


NOTES = tuple(read_note(file) for top in READ for file in sorted((SAMPLE / top).rglob("*.md")))
BY_STEM = {note.stem: note for note in NOTES}
RESOURCES = {note.one("id"): note for note in NOTES if note.path.startswith("resources/")}
ITEMS = {
    note.one("id"): note
    for note in NOTES
    if note.path.startswith(("items/", "archive/")) and "id" in note.fields
}
STREAM_FILES = tuple(note for note in NOTES if note.path.startswith("streams/"))
CATEGORIES = tuple(note for note in NOTES if note.path.startswith("categories/"))


def bullets(stream: SampleNote) -> list[re.Match[str]]:
    lines = [line for line in stream.text.splitlines() if line.startswith(("- ", "* ", "+ "))]
    found = [BULLET.fullmatch(line) for line in lines]
    assert None not in found, f"{stream.path}: a bullet without a block id"
    return [match for match in found if match]


def stream_name(note: SampleNote) -> str:
    return note.stem.split(".")[0]


def is_open(note: SampleNote) -> bool:
    return note.one("status") in ("", "active")


def test_holds_about_forty_memories_and_texts_of_every_kind_and_status() -> None:
    by_hand = [n for n in NOTES if n.path.startswith("items/") and "id" not in n.fields]
    assert 35 <= len(ITEMS) + len(by_hand) + len(RESOURCES) <= 45
    assert len(by_hand) >= 2
    assert 4 <= len(RESOURCES) <= 6
    assert 5 <= len(CATEGORIES) <= 7
    assert {note.one("kind") for note in ITEMS.values()} == set(KINDS)
    assert {note.one("status") for note in ITEMS.values()} == set(STATUSES)
    assert sorted(stream_name(note) for note in STREAM_FILES) == sorted(STREAMS)
    assert any(note.one("hard") == "true" for note in ITEMS.values())
    assert any(note.one("pinned") == "true" for note in ITEMS.values())


def test_names_are_unique_because_links_go_by_them() -> None:
    assert len(BY_STEM) == len(NOTES)
    assert len({stem.casefold() for stem in BY_STEM}) == len(NOTES)


def test_text_on_disk_is_nfc_with_plain_line_ends() -> None:
    for note in NOTES:
        assert note.text == nfc(note.text), note.path
        assert "\r" not in note.text, note.path
        assert note.text.endswith("\n"), note.path


@pytest.mark.parametrize("note", RESOURCES.values(), ids=lambda note: note.stem)
def test_resource_id_is_the_hash_of_its_body(note: SampleNote) -> None:
    assert RESOURCE_ID.fullmatch(note.one("id"))
    assert note.one("id") == resource_id(note.body) == id_in_name(note.stem)


@pytest.mark.parametrize("note", ITEMS.values(), ids=lambda note: note.stem)
def test_item_id_is_the_hash_of_source_and_statement(note: SampleNote) -> None:
    source = BY_STEM[note.links("source")[0]]
    origin = source.path if source.path.startswith("streams/") else source.one("id")
    assert ITEM_ID.fullmatch(note.one("id"))
    assert note.one("id") == item_id(origin, canonical(note.statement)) == id_in_name(note.stem)


@pytest.mark.parametrize("note", ITEMS.values(), ids=lambda note: note.stem)
def test_quote_is_verbatim_in_the_first_source(note: SampleNote) -> None:
    source = BY_STEM[note.links("source")[0]]
    assert note.one("quote")
    assert note.one("quote") in source.body
    if source.path.startswith("streams/"):
        assert note.one("quote") == note.statement, "a bullet is its own quote"


def test_every_link_leads_to_a_note() -> None:
    broken = [
        (note.path, target)
        for note in NOTES
        for target in LINK.findall(note.text)
        if target not in BY_STEM
    ]
    assert broken == []


def test_typed_links_lead_to_items() -> None:
    for note in ITEMS.values():
        for key in LINK_KEYS:
            for target in note.links(key):
                assert BY_STEM[target].one("id") in ITEMS, (note.path, key)
                assert target != note.stem, note.path


def test_superseded_items_link_both_ways_and_their_times_meet() -> None:
    pairs = 0
    for note in ITEMS.values():
        for target in note.links("supersedes"):
            old = BY_STEM[target]
            pairs += 1
            assert old.one("status") == "superseded"
            assert old.links("superseded_by") == [note.stem]
            assert old.one("valid_until") == note.one("valid_from")
        for target in note.links("superseded_by"):
            assert note.stem in BY_STEM[target].links("supersedes")
        assert bool(note.links("superseded_by")) == (note.one("status") == "superseded")
    assert pairs >= 3


def test_contradictions_are_named_on_both_sides() -> None:
    for note in ITEMS.values():
        for target in note.links("contradicts"):
            assert note.stem in BY_STEM[target].links("contradicts")


def test_dates_are_in_order_and_within_the_story() -> None:
    for note in ITEMS.values():
        recorded = "-".join(re.findall(r"\d+", note.path)[:3])
        assert "2025-11-16" <= recorded <= "2026-11-21", note.path
        start, end = note.one("valid_from"), note.one("valid_until")
        assert re.fullmatch(r"(\d{4}-\d\d-\d\d)?", start), note.path
        assert re.fullmatch(r"(\d{4}-\d\d-\d\d)?", end), note.path
        assert not (start and end) or start < end, note.path
        source = BY_STEM[note.links("source")[0]]
        assert source.one("date")[:10] <= recorded, f"{note.path}: older than its source"
        if note.one("status") in ("expired", "superseded"):
            assert end, f"{note.path}: ended without a date"


def test_causes_come_before_what_follows() -> None:
    for note in ITEMS.values():
        for target in note.links("follows_from"):
            earlier = BY_STEM[target].one("valid_from")
            assert earlier <= note.one("valid_from"), (note.path, target)


def test_every_bullet_is_an_item_of_its_stream_in_the_same_words() -> None:
    for stream in STREAM_FILES:
        for bullet in bullets(stream):
            item = ITEMS[bullet["id"]]
            assert bullet["text"] == item.statement, stream.path
            assert item.one("stream") == stream_name(stream), item.path
            assert (bullet["box"] is not None) == (stream.stem == "tasks"), stream.path
            ticked = bullet["box"] == "x"
            assert ticked == (item.one("status") in SHOWN_ONCE_OVER), item.path
            assert ticked or is_open(item), item.path


def test_every_open_item_of_a_stream_has_exactly_one_bullet() -> None:
    listed = [bullet["id"] for stream in STREAM_FILES for bullet in bullets(stream)]
    wanted = [id_ for id_, note in ITEMS.items() if note.one("stream") and is_open(note)]
    assert len(listed) == len(set(listed))
    assert set(wanted) <= set(listed)


def test_bullets_are_newest_first_within_their_section() -> None:
    for stream in STREAM_FILES:
        for section in re.split(r"^#+ .*$", stream.text, flags=re.MULTILINE):
            ids = re.findall(r"\^(i-\S+)$", section, flags=re.MULTILINE)
            days = [re.findall(r"\d+", ITEMS[id_].path)[:3] for id_ in ids]
            assert days == sorted(days, reverse=True), stream.path


@pytest.mark.parametrize("category", CATEGORIES, ids=lambda note: note.stem)
def test_managed_block_lists_the_open_items_of_its_category(category: SampleNote) -> None:
    found = BLOCK.search(category.text)
    assert found
    listed = {}
    for line in found["lines"].splitlines():
        bullet = re.fullmatch(r"- (.*) \[\[([^\[\]]+)\]\]", line)
        assert bullet, line
        listed[bullet[2]] = bullet[1]
    wanted = {
        note.stem: note.statement
        for note in ITEMS.values()
        if category.stem in note.links("category") and is_open(note)
    }
    assert listed == wanted
    assert category.text.replace(found[0], "").strip().count("\n") > 2, "no words of her own"


def test_conversations_are_turns_in_order() -> None:
    talks = [note for note in RESOURCES.values() if note.one("origin") == "conversation"]
    assert talks
    for note in talks:
        turns = [turn for turn in map(TURN.match, note.body.split("\n\n")) if turn]
        times = [turn["when"] for turn in turns]
        assert TURN.match(note.body), note.path
        assert len({turn["speaker"] for turn in turns}) == 2
        assert times == sorted(times)
        assert times[0].replace(" ", "T") == note.one("date")[:16]


def test_obsidian_has_the_tables_and_the_type_of_every_property_that_the_format_defines() -> None:
    sample = json.loads((SAMPLE / ".obsidian" / "types.json").read_text("utf-8"))["types"]
    template = SAMPLE.parent / "templates" / "obsidian" / "types.json"
    assert json.loads(template.read_text("utf-8"))["types"] == sample
    for table in template.parent.glob("*.base"):
        assert (SAMPLE / table.name).read_bytes() == table.read_bytes()
    theirs = {"oven", "rating"}  # Hanna's own keys, carried along untouched
    used = {key for note in NOTES for key in note.fields}
    assert used - sample.keys() == theirs


def test_the_specification_names_every_key_that_the_sample_uses() -> None:
    readme = (SAMPLE / "README.md").read_text("utf-8")
    used = {key for note in (*ITEMS.values(), *RESOURCES.values()) for key in note.fields}
    assert [key for key in sorted(used) if f"`{key}`" not in readme] == []
    for target in re.findall(r"\]\(<?([^)>#]+)>?\)", readme):
        assert (SAMPLE / target).is_file(), target
