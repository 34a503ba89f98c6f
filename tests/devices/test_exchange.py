"""What one device does arrives at the others, and nothing of theirs is lost by it."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import FrameType

import pytest

from tests.devices.devices import Device, connected
from vaultmem.base.errors import ConsentNeededError, IncomingRefusedError, UndoRefusedError
from vaultmem.devices.arrive import UncommittedError
from vaultmem.model.answers import Filters


@pytest.fixture
def pair(tmp_path: Path) -> list[Device]:
    return connected(tmp_path, "laptop", "phone")


def level(*devices: Device) -> None:
    """All of them exchange until nobody has news; then they hold the same bytes."""
    for _ in range(2):
        for device in devices:
            device.push()
    first = devices[0]
    for device in devices[1:]:
        assert device.files() == first.files()
        assert device.head() == first.head()
    for device in devices:
        again = device.push()
        assert (again.incoming, again.pushed, again.commits) == (0, False, ())
        assert device.git("status", "--porcelain") == ""


def test_what_two_devices_remember_is_on_both(pair: list[Device]) -> None:
    a, b = pair
    with a.memory() as memory:
        memory.remember("I like tea.")
    with b.memory() as memory:
        memory.remember("I am allergic to nuts.")
    level(a, b)
    for device in pair:
        with device.memory() as memory:
            rows = memory.list(Filters(types=("item",)))
            assert sorted(r.statement for r in rows) == ["I am allergic to nuts.", "I like tea."]
            assert memory.check().problems == ()
            updated = memory.opened.index.dump()
            memory.reindex()
            assert memory.opened.index.dump() == updated


def test_a_pull_that_goes_forward_starts_few_processes(pair: list[Device]) -> None:
    """A reference is a file, and what a commit is does not change while it is asked for."""
    a, b = pair
    with a.memory() as memory:
        memory.remember("I like tea.")
    a.push()
    started: list[str] = []

    def count(frame: FrameType, event: str, argument: object) -> None:
        names = ("Spawned.__init__", "Transfer.__init__")
        if event == "call" and frame.f_code.co_qualname in names:
            started.append(" ".join(frame.f_locals["argv"]))

    with b.memory() as memory:
        memory.sync()
        sys.setprofile(count)
        try:
            assert memory.devices.pull().incoming == 1
        finally:
            sys.setprofile(None)
    assert len(started) <= 30, "\n".join(started)


def item(device: Device, word: str) -> Path:
    [found] = [f for f in device.root.glob("items/**/*.md") if word in f.name]
    return found


def test_a_note_moved_here_and_edited_there_is_one_note(pair: list[Device]) -> None:
    a, b = pair
    with a.memory() as memory:
        memory.remember("I like tea.")
    level(a, b)
    old = item(a, "tea")
    new = old.with_name(f"moved-{old.name}")
    old.rename(new)
    other = item(b, "tea")
    other.write_text(other.read_text() + "\nGreen, above all.\n")
    level(a, b)
    assert [f.name for f in a.root.glob("items/**/*.md")] == [new.name]
    assert "Green, above all." in item(a, "tea").read_text()


@pytest.mark.parametrize("is_changed_elsewhere", [False, True])
def test_words_written_into_the_bullet_of_a_deleted_note_are_on_both(
    pair: list[Device], is_changed_elsewhere: bool
) -> None:
    a, b = pair
    with a.memory() as memory:
        memory.remember("I live in Bergen.")
    level(a, b)
    listed = a.read("streams/identity.md").replace("in Bergen", "in Voss")
    a.write("streams/identity.md", listed)
    item(a, "bergen").unlink()
    with a.memory() as memory:
        memory.remember("I like tea.")  # settles what was edited first
    if is_changed_elsewhere:
        other = item(b, "bergen")
        other.write_text(re.sub(r"(?m)^importance: \d+$", "importance: 9", other.read_text()))
    level(a, b)
    assert listed.splitlines()[-1] in a.read("streams/identity.md").splitlines()
    for device in pair:
        with device.memory() as memory:
            rows = memory.list(Filters(types=("item",)))
            assert sorted(r.statement for r in rows) == ["I like tea.", "I live in Voss."]
            assert memory.check().problems == ()
            updated = memory.opened.index.dump()
            memory.reindex()
            assert memory.opened.index.dump() == updated


def test_both_reword_one_item(pair: list[Device]) -> None:
    a, b = pair
    with a.memory() as memory:
        memory.remember("I like tea.")
    level(a, b)
    for device, word in ((a, "adore"), (b, "love")):
        text = device.read("streams/identity.md").replace("like", word)
        device.write("streams/identity.md", text)
    level(a, b)
    whole = b"".join(a.files().values())
    assert b"adore" in whole
    assert b"love" in whole
    assert b"<<<<" not in whole
    with a.memory() as memory:
        assert [p for p in memory.check().problems if p.severity == "error"] == []


def test_a_folder_outside_the_notes_comes_in_and_both_versions_of_a_file_are_kept(
    pair: list[Device],
) -> None:
    a, b = pair
    a.write("attachments/a.png", b"\0one")
    a.commit()
    level(a, b)
    assert (b.root / "attachments/a.png").read_bytes() == b"\0one"
    a.write("attachments/a.png", b"\0two")
    a.commit()
    b.write("attachments/a.png", b"\0three")
    b.commit()
    level(a, b)
    kept = {f.read_bytes() for f in (a.root / "attachments").iterdir()}
    assert kept == {b"\0two", b"\0three"}


def test_a_file_with_uncommitted_changes_is_not_written_over(pair: list[Device]) -> None:
    a, b = pair
    a.write("attachments/a.txt", "one\n")
    a.commit()
    a.push()
    b.write("attachments/a.txt", "mine\n")
    with pytest.raises(UncommittedError) as refused:
        b.pull()
    assert refused.value.paths == ("attachments/a.txt",)
    assert b.read("attachments/a.txt") == "mine\n"


def test_what_is_staged_stays_staged(pair: list[Device]) -> None:
    a, b = pair
    with a.memory() as memory:
        memory.remember("I like tea.")
    a.push()
    b.write("draft.txt", "not yet\n")
    b.git("add", "draft.txt")
    b.pull()
    assert b.git("status", "--porcelain") == "A  draft.txt\n"


def test_settings_of_obsidian_are_not_put_into_the_folder(pair: list[Device]) -> None:
    a, b = pair
    a.write(".obsidian/plugins/x/main.js", "alert(1)\n")
    a.commit()
    a.push()
    got = b.pull()
    assert [str(path) for path in got.withheld] == [".obsidian/plugins/x/main.js"]
    assert not (b.root / ".obsidian").exists()
    assert a.head() == b.head()
    b.push()
    assert (a.root / ".obsidian/plugins/x/main.js").exists()


@pytest.mark.parametrize("path", ["items", "items/link.md", "elsewhere/link"])
def test_a_link_is_refused_and_nothing_comes_in(pair: list[Device], path: str) -> None:
    a, b = pair
    file = a.root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.symlink_to("/etc")
    a.write("notes.txt", "x")
    a.commit()
    a.git("push", "-q", str(a.home.parent / "hub.git"), "main")
    before = b.files()
    with pytest.raises(IncomingRefusedError, match="symbolic link"):
        b.pull()
    assert b.files() == before


def test_much_going_at_once_needs_a_yes(pair: list[Device]) -> None:
    a, b = pair
    with a.memory() as memory:
        for number in range(8):
            memory.remember(f"I have the number {number} in mind.")
    level(a, b)
    for file in a.root.glob("resources/**/*.md"):
        file.unlink()
    a.push()
    with pytest.raises(ConsentNeededError, match="notes would go"):
        b.pull()
    b.pull("deletions")
    assert list(b.root.glob("resources/**/*.md")) == []


def test_a_branch_that_was_set_back_needs_a_yes(pair: list[Device]) -> None:
    a, b = pair
    with a.memory() as memory:
        memory.remember("I like tea.")
    level(a, b)
    a.git("push", "-q", "--force", str(a.home.parent / "hub.git"), "main~1:main")
    with pytest.raises(ConsentNeededError, match="set back"):
        b.pull()
    b.push("rewrite")
    level(a, b)
    assert item(a, "tea")


def test_what_needs_a_look_is_listed_until_the_note_is_saved(pair: list[Device]) -> None:
    a, b = pair
    with a.memory() as memory:
        memory.remember("I like tea.")
    level(a, b)
    item(a, "tea").unlink()
    a.push()
    other = item(b, "tea")
    other.write_text(other.read_text() + "\nGreen, above all.\n")
    got = b.push()
    assert [problem.code for problem in got.problems] == ["conflict-deleted"]
    with b.memory() as memory:
        assert "conflict-deleted" in [problem.code for problem in memory.check().problems]
        assert memory.vault.status().problems["warning"] >= 1
    item(b, "tea").write_text(item(b, "tea").read_text() + "\nYes.\n")
    with b.memory() as memory:
        assert "conflict-deleted" not in [problem.code for problem in memory.check().problems]


def test_a_merge_is_not_undone_and_the_refusal_says_so(pair: list[Device]) -> None:
    a, b = pair
    with a.memory() as memory:
        memory.remember("I like tea.")
    a.push()
    with b.memory() as memory:
        memory.remember("I am allergic to nuts.")
        memory.devices.pull()
        with pytest.raises(UndoRefusedError, match="joined the work of other devices"):
            memory.undo()
    assert item(b, "tea")


def test_what_fell_off_a_full_list_is_not_retracted_elsewhere(tmp_path: Path) -> None:
    a, b = connected(tmp_path, "laptop", "phone")
    a.write("vaultmem.toml", a.read("vaultmem.toml") + "\n[limits]\nflow_items = 2\n")
    a.commit()
    level(a, b)
    b.write("streams/identity.md", b.read("streams/identity.md") + "\n- A line ^i-0000000000\n")
    with b.memory() as memory:
        memory.sync()
        assert [p.code for p in memory.check().problems] == ["unknown-block-id"]
    for number in range(4):
        with a.memory() as memory:
            memory.remember(f"Event {number} happened.", stream="flow")
        a.push()
        b.push()
    for device in (a, b):
        with device.memory() as memory:
            rows = memory.list(Filters(types=("item",), streams=("flow",)))
            assert {row.status for row in rows} == {"active"}
            assert len(rows) == 4
        assert len(re.findall("Event", device.read("streams/flow.laptop.md"))) == 2
        assert "Event" not in "".join(
            f.read_text() for f in device.root.glob("streams/flow.phone.md")
        )
