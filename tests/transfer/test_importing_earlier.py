"""What imported items said before: kept, told with both clocks, and never as this vault's own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import FixedClock
from tests.transfer.test_exporting import document
from vaultmem.api.memory import Memory
from vaultmem.cli.history_report import history_lines
from vaultmem.model.ids import blob_oid
from vaultmem.storage.files.layout import CARRIED
from vaultmem.storage.git.remote.join import Entry
from vaultmem.vault.arriving import judge


@pytest.fixture
def other(tmp_path: Path, clock: FixedClock) -> Iterator[Memory]:
    """A second, empty vault."""
    Memory.init(tmp_path / "other", name="other", clock=clock)
    with Memory(tmp_path / "other", clock=clock) as opened:
        yield opened


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


def carried(memory: Memory) -> dict[str, bytes]:
    folder = memory.root / CARRIED
    return {file.name: file.read_bytes() for file in folder.iterdir()} if folder.exists() else {}


def test_history_has_the_earlier_versions_with_both_clocks(
    memory: Memory, other: Memory, moved: str
) -> None:
    there = memory.history(moved).versions
    report = other.import_from(packed(memory), writer="person")
    assert report.earlier == 2
    assert report.commit is not None
    first, second, own = other.history(moved).versions
    assert [each.statement for each in (first, second, own)] == [
        "I live in Vienna.",
        "I live in Graz.",
        "I live in Linz.",
    ]
    assert own.elsewhere is None
    for each, was in zip((first, second), there, strict=False):
        assert (each.recorded_at, each.commit) == (own.recorded_at, report.commit)
        assert each.elsewhere is not None
        assert each.elsewhere.vault == memory.settings.id
        assert each.elsewhere.recorded_at == was.recorded_at
        assert each.elsewhere.superseded_at == was.superseded_at
        assert each.elsewhere.commit == was.commit
    assert [each.elsewhere.op for each in (first, second) if each.elsewhere] == ["remember", "edit"]
    assert other.history("user", "lives_in").versions == (first, second, own)
    said = "\n".join(history_lines(other.history(moved), "UTC"))
    assert f"recorded in {memory.settings.id} from 2026-03-11" in said
    assert f"known here only since the import ({report.commit[:8]})" in said


def test_a_copy_passes_on_what_it_was_told(
    memory: Memory, other: Memory, moved: str, tmp_path: Path, clock: FixedClock
) -> None:
    """From vault to vault to vault: each version is told as that of the vault that recorded it."""
    other.import_from(packed(memory), writer="person")
    clock.advance(days=1)
    other.correct(moved, "I live in Linz, by the river.")
    document_of_copy = packed(other)
    Memory.init(tmp_path / "third", name="third", clock=clock)
    with Memory(tmp_path / "third", clock=clock) as third:
        assert third.import_from(document_of_copy, writer="person").earlier == 3
        versions = third.history(moved).versions
        assert [(each.statement, each.elsewhere and each.elsewhere.vault) for each in versions] == [
            ("I live in Vienna.", memory.settings.id),
            ("I live in Graz.", memory.settings.id),
            ("I live in Linz.", other.settings.id),
            ("I live in Linz, by the river.", None),
        ]
        before = carried(third)
        assert third.import_from(document_of_copy, writer="person").earlier == 0
        # What the first vault tells itself of these is known; that it said Linz, too, is new.
        assert third.import_from(packed(memory), writer="person").earlier == 0
        assert carried(third) == before
    # Where it comes from nothing of it is new but what the copy made of it.
    clock.advance(days=1)
    back = memory.import_from(document_of_copy, writer="person")
    assert [each.what for each in back.taken if each.id == moved] == ["updated"]
    assert back.earlier == 0
    assert packed(other) == packed(other)
    assert "carried" not in document(memory)


def test_a_purge_takes_what_only_an_earlier_imported_version_names(
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
    assert len(carried(other)) > 1
    plan = other.purge(source=first.resource, dry_run=True)
    assert first.items[0].id in {note.id for note in plan.notes}
    plan = other.purge(match="called Perpetua Quill", dry_run=True)
    assert second.items[0].id in {note.id for note in plan.notes}


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


def test_importing_again_writes_nothing(memory: Memory, other: Memory, moved: str) -> None:
    data = packed(memory)
    other.import_from(data, writer="person")
    kept = carried(other)
    again = other.import_from(data, writer="person")
    assert (again.commit, again.earlier) == (None, 0)
    assert carried(other) == kept
    assert memory.import_from(data, writer="person").earlier == 0
    assert carried(memory) == {}


def test_a_text_that_came_back_is_told_twice(memory: Memory, other: Memory, moved: str) -> None:
    """Vienna, Graz, Linz, Vienna: the first version has the text of the last one."""
    note = next(memory.root.glob("items/**/*.md"))
    note.write_text(note.read_text("utf-8").replace("Linz", "Vienna"), "utf-8")
    memory.sync()
    data = packed(memory)
    assert other.import_from(data, writer="person").earlier == 3
    said = [each.statement.split()[-1] for each in other.history(moved).versions]
    assert said == ["Vienna.", "Graz.", "Linz.", "Vienna."]
    assert other.import_from(data, writer="person").commit is None


def test_a_dry_run_and_undo_leave_nothing(memory: Memory, other: Memory, moved: str) -> None:
    data = packed(memory)
    assert other.import_from(data, writer="person", dry_run=True).earlier == 2
    assert carried(other) == {}
    other.import_from(data, writer="person")
    assert len(carried(other)) == 3
    other.undo()
    assert carried(other) == {}


def test_somebody_elses_earlier_words_stay_in_the_file(
    memory: Memory, other: Memory, moved: str
) -> None:
    other.import_from(packed(memory))
    assert [each.statement for each in other.history(moved).versions] == ["I live in Linz."]
    assert carried(other) == {}


def test_a_purge_finds_what_an_import_kept(memory: Memory, other: Memory, moved: str) -> None:
    other.import_from(packed(memory), writer="person")
    other.remember("I prefer tabs over spaces.")
    report = other.purge(moved)
    assert report.places == ()
    assert not [name for name in carried(other) if name.endswith(".md")]
    for file in (*carried(other).values(), *(p.read_bytes() for p in other.root.rglob("*.md"))):
        assert b"Graz" not in file
        assert b"Vienna" not in file
    assert other.check().problems == ()


@pytest.mark.parametrize("told", ["secret", "forged name", "another item", "erased"])
def test_what_must_not_come_stays_in_the_file(
    memory: Memory, other: Memory, moved: str, told: str
) -> None:
    found = document(memory)
    entry = found["texts"][0]
    if told == "secret":
        entry["text"] += "\nkey AKIAIOSFODNN7REALKEY\n"
    elif told == "another item":
        entry["text"] = entry["text"].replace(moved, "i-0000000000")
    elif told == "erased":
        entry["text"] += "\nThe gate word is zanzibar-7731.\n"
        other.remember("The gate word is zanzibar-7731.")
        other.purge(match="zanzibar-7731")
    else:
        entry["blob"] = "0" * 40
    if told != "forged name":
        before, entry["blob"] = entry["blob"], str(blob_oid(entry["text"].encode()))
        for version in found["history"]:
            if version["blob"] == before:
                version["blob"] = entry["blob"]
    report = other.import_from(json.dumps(found).encode(), writer="person")
    assert report.earlier == 1
    assert "Vienna" not in "".join(each.statement for each in other.history(moved).versions)
    assert b"AKIAIOSFODNN7REALKEY" not in b"".join(carried(other).values())
    assert bool(report.warnings) == (told != "forged name")


def test_another_device_takes_it_in(memory: Memory, other: Memory, moved: str) -> None:
    other.import_from(packed(memory), writer="person")
    shared = {name: Entry("100644", str(blob_oid(data))) for name, data in carried(other).items()}
    changed = {f"{CARRIED}/{name}": entry for name, entry in shared.items()}
    sizes = {entry.oid: 100 for entry in changed.values()}
    assert judge(changed, changed, sizes) == ((), frozenset(), ())
    strange = {f"{CARRIED}/run.sh": Entry("100755", "0" * 40)}
    assert judge(strange, strange, {"0" * 40: 100}).refused
