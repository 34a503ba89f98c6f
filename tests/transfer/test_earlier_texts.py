"""What imported items said before stays in the document: a vault tells what it knew itself.

Vaults into which an older version imported have such texts still, in `.vaultmem/carried`.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import FixedClock
from tests.transfer.test_exporting import document
from vaultmem.api.memory import Memory
from vaultmem.cli.transfer import imported_lines
from vaultmem.devices.incoming import judge
from vaultmem.model.ids import blob_oid
from vaultmem.storage.files.layout import CARRIED
from vaultmem.storage.git.join import Entry


@pytest.fixture
def moved(memory: Memory, root: Path, clock: FixedClock) -> str:
    """The id of an item that said Vienna, Graz, and now Linz, on three days."""
    memory.remember("I live in Vienna.")
    note = next(root.glob("items/**/*.md"))
    for before, now in (("Vienna", "Graz"), ("Graz", "Linz")):
        clock.advance(days=1)
        note.write_text(note.read_text("utf-8").replace(before, now), "utf-8")
        memory.sync()
    clock.advance(days=1)
    return next(row.id for row in memory.list() if row.type == "item")


def packed(memory: Memory, **asked: Any) -> bytes:
    return json.dumps(document(memory, **asked)).encode()


def packed_by_older(memory: Memory) -> bytes:
    """An export that passes on what an import once brought, as the version before wrote it."""
    found = document(memory)
    text = found["texts"][0]["text"].replace("Vienna", "Bregenz")
    blob = str(blob_oid(text.encode()))
    found["texts"].append({"blob": blob, "text": text})
    id_ = next(each["id"] for each in found["history"])
    times = {"recorded_at": "2025-03-11T12:00:00Z", "superseded_at": "2025-04-11T12:00:00Z"}
    found["carried"] = [{"vault": "v-0000000000", "id": id_, "blob": blob, "op": "edit"} | times]
    return json.dumps(found).encode()


def carried(memory: Memory) -> dict[str, bytes]:
    folder = memory.root / CARRIED
    return {file.name: file.read_bytes() for file in folder.iterdir()} if folder.exists() else {}


def kept_by_older(source: Memory, other: Memory) -> None:
    """Take the earlier texts of a vault in, as the version before did, and commit them."""
    found = document(source)
    folder = other.root / CARRIED
    folder.mkdir(parents=True)
    for entry in found["texts"]:
        (folder / f"{entry['blob']}.md").write_text(entry["text"], "utf-8")
    keys = ("id", "blob", "commit", "recorded_at", "superseded_at", "op", "actor")
    versions = [
        {key: each[key] for key in keys if key in each}
        for each in found["history"]
        if "superseded_at" in each
    ]
    page = {"schema": "vaultmem.carried", "schema_version": 1, "vault": source.settings.id}
    data = json.dumps(page | {"versions": versions}).encode()
    (folder / f"{blob_oid(data)}.json").write_bytes(data)
    for words in (
        ("add", "-f", str(CARRIED)),
        ("commit", "-q", "-m", "import\n\nVaultmem-Op: import"),
    ):
        subprocess.run(["git", *words], cwd=other.root, check=True, timeout=60)


def test_the_history_begins_with_the_import_and_the_report_says_so(
    memory: Memory, other: Memory, moved: str
) -> None:
    report = other.import_from(packed(memory), writer="person")
    assert report.left_earlier == 2
    assert any("2 earlier texts" in line for line in imported_lines(report))
    assert [each.statement for each in other.history.of(moved).versions] == ["I live in Linz."]
    assert carried(other) == {}
    # Where it comes from, and here a second time, nothing of it is new.
    assert memory.import_from(packed(memory), writer="person").left_earlier == 0
    assert other.import_from(packed(memory), writer="person").commit is None


def test_an_export_of_an_older_version_is_taken_in_without_them(
    memory: Memory, other: Memory, moved: str
) -> None:
    report = other.import_from(packed_by_older(memory), writer="person")
    assert report.skipped == ()
    assert report.left_earlier == 3
    assert [each.statement for each in other.history.of(moved).versions] == ["I live in Linz."]
    assert carried(other) == {}
    assert other.check().problems == ()


def test_what_a_copy_made_of_a_text_comes_back_as_the_newer_one(
    memory: Memory, other: Memory, moved: str, clock: FixedClock
) -> None:
    """The versions in a document are still read for the order of two texts."""
    other.import_from(packed(memory), writer="person")
    clock.advance(days=1)
    other.correct(moved, "I live in Linz, by the river.")
    clock.advance(days=1)
    report = memory.import_from(packed(other), writer="person")
    assert [each.what for each in report.taken if each.id == moved] == ["updated"]
    assert (report.conflicts, report.left_earlier) == ((), 0)
    assert "carried" not in document(memory)


def test_nothing_of_it_answers_as_known_here(
    memory: Memory, other: Memory, moved: str, clock: FixedClock
) -> None:
    """Neither before the import nor after it, whichever clock is asked."""
    other.import_from(packed(memory), writer="person")
    clock.advance(days=1)
    assert not other.recall("where do I live", known_at="HEAD~1").hits
    found = other.recall("where do I live in Vienna or Graz").hits
    assert [hit.note.statement for hit in found if hit.note.type == "item"] == ["I live in Linz."]
    assert other.check().problems == ()
    assert other.sync().commits == ()


def test_a_purge_finds_what_an_older_version_kept(
    memory: Memory, other: Memory, moved: str
) -> None:
    other.import_from(packed(memory), writer="person")
    kept_by_older(memory, other)
    assert len(carried(other)) == 3
    other.remember("I prefer tabs over spaces.")
    assert other.check().problems == ()
    report = other.forgetting.purge(moved)
    assert report.places == ()
    assert not [name for name in carried(other) if name.endswith(".md")]
    for file in (*carried(other).values(), *(p.read_bytes() for p in other.root.rglob("*.md"))):
        assert b"Graz" not in file
        assert b"Vienna" not in file
    assert other.check().problems == ()


def test_a_purge_takes_what_only_an_earlier_text_of_an_older_version_names(
    memory: Memory, other: Memory, root: Path
) -> None:
    """An item that came from the source, or stated the text, only before it was carried here."""
    first = memory.remember("I keep the spare key of the boat under the third plank.")
    second = memory.remember("The harbour master of Sidmouth is called Perpetua Quill.")
    for each in (first, second):
        note = root / each.items[0].path
        text = note.read_text("utf-8")
        cited = next(line for line in text.splitlines() if each.resource in line)
        said = each.items[0].statement
        note.write_text(text.replace(cited + "\n", "").replace(said, "We went sailing."), "utf-8")
        memory.sync()
    other.import_from(packed(memory), writer="person")
    kept_by_older(memory, other)
    assert len(carried(other)) > 1
    plan = other.forgetting.purge(source=first.resource, dry_run=True)
    assert first.items[0].id in {note.id for note in plan.notes}
    plan = other.forgetting.purge(match="called Perpetua Quill", dry_run=True)
    assert second.items[0].id in {note.id for note in plan.notes}


def test_another_device_takes_in_what_an_older_version_kept(
    memory: Memory, other: Memory, moved: str
) -> None:
    other.import_from(packed(memory), writer="person")
    kept_by_older(memory, other)
    shared = {name: Entry("100644", str(blob_oid(data))) for name, data in carried(other).items()}
    changed = {f"{CARRIED}/{name}": entry for name, entry in shared.items()}
    sizes = {entry.oid: 100 for entry in changed.values()}
    assert judge(changed, changed, sizes) == ((), frozenset(), ())
    strange = {f"{CARRIED}/run.sh": Entry("100755", "0" * 40)}
    assert judge(strange, strange, {"0" * 40: 100}).refused
