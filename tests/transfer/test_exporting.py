"""The document that `export` writes: everything in it, nothing else, and whole or not at all."""

from __future__ import annotations

import io
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import FixedClock, Git
from vaultmem.api.memory import Memory
from vaultmem.base.errors import BadInputError, CannotCreateError
from vaultmem.model.ids import blob_oid
from vaultmem.model.leaving import SECTIONS


def document(memory: Memory, **asked: Any) -> Any:
    """What an export of the vault holds."""
    out = io.BytesIO()
    memory.export(out, **asked)
    return json.loads(out.getvalue())


def texts(found: Any) -> dict[str, str]:
    """Every note of a document by its path."""
    return {entry["path"]: entry["text"] for section in SECTIONS for entry in found[section]}


def _fill(memory: Memory) -> None:
    memory.remember("I prefer tabs over spaces. I live in Vienna.")
    (memory.root / "streams" / "about.md").write_text("A page of mine.\n", "utf-8")
    memory.sync()


def test_every_note_is_in_it_to_the_byte(memory: Memory, root: Path) -> None:
    _fill(memory)
    page = root / "streams" / "about.md"
    page.write_bytes('\ufeffÄ\r\nwith\u2028all sorts\x0b of \\ and " \U0001f600\r'.encode())
    found = document(memory)
    on_disk = {p.relative_to(root).as_posix(): p.read_bytes() for p in root.rglob("*.md")}
    assert {path: text.encode() for path, text in texts(found).items()} == on_disk
    assert found["schema"] == "vaultmem.export"
    assert found["schema_version"] == 1
    assert found["vault"]["id"] == memory.settings.id


def test_it_is_the_same_every_time(memory: Memory) -> None:
    _fill(memory)
    first = document(memory)
    memory.reindex()
    assert document(memory) == first


def test_items_tell_what_they_say_and_since_when_it_was_known(
    memory: Memory, clock: FixedClock
) -> None:
    told_at = clock.at
    _fill(memory)
    item = next(entry for entry in document(memory)["items"] if "Vienna" in entry["statement"])
    assert (item["kind"], item["stream"], item["subject"]) == ("fact", "identity", "user")
    assert (item["predicate"], item["object"], item["trust"]) == ("lives_in", "Vienna", "user")
    assert item["recorded_at"].startswith("2026-03-11T12:00:00")
    assert told_at < clock.at


def test_the_history_has_every_version_of_an_item(memory: Memory, root: Path) -> None:
    memory.remember("I live in Vienna.")
    note = next(root.glob("items/**/*.md"))
    note.write_text(note.read_text("utf-8").replace("Vienna", "Graz"), "utf-8")
    memory.sync()
    first, second = document(memory)["history"]
    assert (first["statement"], first["op"]) == ("I live in Vienna.", "remember")
    assert (second["statement"], second["actor"]) == ("I live in Graz.", "editor")
    assert first["superseded_at"] == second["recorded_at"]


def test_since_takes_what_is_new_and_what_is_not_committed(
    memory: Memory, root: Path, clock: FixedClock
) -> None:
    _fill(memory)
    clock.advance(days=1)
    since = clock.at
    memory.remember("The team decided to use SQLite for project Aurora.")
    (root / "streams" / "later.md").write_text("Not committed.\n", "utf-8")
    found = document(memory, since=since)
    assert [entry["statement"] for entry in found["items"]] == [
        "The team decided to use SQLite for project Aurora."
    ]
    assert [entry["path"] for entry in found["pages"]] == ["streams/later.md"]
    assert found["pages"][0]["pending"] is True
    assert len(found["history"]) == 1
    assert (
        set(texts(found))
        == {entry["path"] for section in SECTIONS for entry in found[section]}
        < set(texts(document(memory)))
    )


def test_a_secret_that_is_held_back_does_not_go_along(memory: Memory, root: Path) -> None:
    memory.remember("I live in Vienna.")
    note = next(root.glob("items/**/*.md"))
    before = note.read_text("utf-8")
    note.write_text(f"{before}\nkey AKIAIOSFODNN7REALKEY\n", "utf-8")
    fresh = root / "items" / "new.md"
    fresh.write_text("token AKIAIOSFODNN7REALKEY\n", "utf-8")
    out = io.BytesIO()
    report = memory.export(out)
    assert b"AKIAIOSFODNN7REALKEY" not in out.getvalue()
    assert {str(path) for path in report.held_back} == {
        note.relative_to(root).as_posix(),
        "items/new.md",
    }
    assert texts(json.loads(out.getvalue()))[note.relative_to(root).as_posix()] == before


def test_bytes_that_are_no_text_go_along_as_base64(memory: Memory, root: Path) -> None:
    (root / "streams" / "odd.md").write_bytes(b"\xff\xfe\x00\xd8")
    entry = next(e for e in document(memory)["pages"] if e["path"] == "streams/odd.md")
    assert (entry["base64"], "text" in entry) == ("//4A2A==", False)


def test_what_is_only_included_and_the_device_state_stay_here(memory: Memory, root: Path) -> None:
    (root / "diary.md").write_text("Dear diary\n", "utf-8")
    settings = root / "vaultmem.toml"
    settings.write_text(f'include = ["diary.md"]\n{settings.read_text("utf-8")}', "utf-8")
    with Memory(root, clock=memory.opened.clock) as again:
        assert "diary" not in json.dumps(document(again))


def test_a_file_is_written_whole_or_not_at_all(
    memory: Memory, tmp_path: Path, root: Path, git: Git
) -> None:
    _fill(memory)
    head = git("rev-parse", "HEAD")
    target = tmp_path / "out.json"
    report = memory.export(target)
    assert report.bytes == target.stat().st_size
    with pytest.raises(CannotCreateError):
        memory.export(target)
    target.write_text("mine")
    memory.export(target, force=True)
    assert json.loads(target.read_text("utf-8"))["schema"] == "vaultmem.export"
    assert [file.name for file in tmp_path.iterdir() if file.is_file()] == ["out.json"]
    assert git("rev-parse", "HEAD") == head
    with pytest.raises(CannotCreateError):
        memory.export(tmp_path / "no" / "folder.json")


@pytest.mark.parametrize("name", ["items/x.json", ".git/x", ".vaultmem/x", "vaultmem.toml"])
def test_the_vaults_own_places_are_refused(memory: Memory, root: Path, name: str) -> None:
    (root / name).parent.mkdir(exist_ok=True)
    with pytest.raises(BadInputError):
        memory.export(root / name, force=True)


class TestEarlierTexts:
    """Each distinct text that an item had before goes along once, under Git's name of its bytes."""

    def test_the_text_before_an_edit_goes_along_once(self, memory: Memory, root: Path) -> None:
        memory.remember("I live in Vienna.")
        note = next(root.glob("items/**/*.md"))
        first = note.read_bytes()
        for text in (first.replace(b"Vienna", b"Graz"), first, first.replace(b"Vienna", b"Linz")):
            note.write_bytes(text)
            memory.sync()
        found = document(memory)
        said = {entry["blob"]: entry["text"].encode() for entry in found["texts"]}
        assert len(found["history"]) == 4
        assert sorted(said.values()) == sorted([first, first.replace(b"Vienna", b"Graz")])
        assert {str(blob_oid(data)) for data in said.values()} == said.keys()
        known = {entry["blob"] for entry in found["history"]}
        assert known == {*said, str(blob_oid(note.read_bytes()))}

    def test_the_text_of_a_forgotten_item_goes_along(self, memory: Memory, root: Path) -> None:
        memory.remember("I live in Vienna.")
        note = next(root.glob("items/**/*.md"))
        said = note.read_text("utf-8")
        memory.forget(note.relative_to(root).as_posix())
        assert [entry["text"] for entry in document(memory)["texts"]] == [said]

    def test_since_takes_only_what_ended_or_came_since(
        self, memory: Memory, root: Path, clock: FixedClock
    ) -> None:
        memory.remember("I live in Vienna.")
        note = next(root.glob("items/**/*.md"))
        id_ = next(row.id for row in memory.list() if row.type == "item")
        for place in ("Graz", "Linz"):
            before = note.read_bytes()
            clock.advance(days=1)
            since = clock.at
            note.write_text(f"---\nid: {id_}\nkind: fact\n---\n\nI live in {place}.\n")
            memory.sync()
        found = document(memory, since=since)
        assert [entry["text"].encode() for entry in found["texts"]] == [before]

    def test_a_secret_of_an_earlier_text_stays_at_home(self, memory: Memory, root: Path) -> None:
        memory.remember("I live in Vienna.")
        note = next(root.glob("items/**/*.md"))
        clean = note.read_text("utf-8")
        note.write_text(f"{clean}\nkey AKIAIOSFODNN7REALKEY\n", "utf-8")
        subprocess.run(["git", "-C", str(root), "commit", "-qam", "by hand"], check=True)
        memory.sync()
        note.write_text(f"{clean}\nNo key.\n", "utf-8")
        memory.sync()
        found = document(memory)
        assert len(found["history"]) == 3
        assert [entry["text"] for entry in found["texts"]] == [clean]

    def test_a_purged_text_never_travels(self, memory: Memory, root: Path) -> None:
        memory.remember("The gate word is zanzibar-7731.")
        memory.remember("I live in Vienna.")
        note = next(p for p in root.glob("items/**/*.md") if "Vienna" in p.read_text("utf-8"))
        text = note.read_text("utf-8")
        note.write_text(f"{text}\nzanzibar-7731 too\n", "utf-8")
        memory.sync()
        note.write_text(f"{text}\nNot any more.\n", "utf-8")
        memory.sync()
        assert "zanzibar-7731" in json.dumps(document(memory)["texts"])
        memory.forgetting.purge(match="zanzibar-7731")
        assert "zanzibar-7731" not in json.dumps(document(memory))
