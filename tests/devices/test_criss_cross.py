"""Two lines that each merged the other before either was sent: two commits in which both parted."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.devices.devices import Device, connected, hub
from tests.devices.test_exchange import level

WORDS = ("adore", "love", "relish", "savour")


def stick(base: Path) -> Path:
    """A second repository to meet at."""
    (base / "elsewhere").mkdir()
    return hub(base / "elsewhere")


def crossed(base: Path, a: Device, b: Device) -> None:
    """A has merged B's work, B has merged A's, and neither knows of the other's merge."""
    main, other = base / "hub.git", stick(base)
    a.push()
    b.pin(other)
    b.push()  # what B did, at a place where A has not been yet
    for device, place in ((a, other), (b, main)):
        device.pin(place)
        device.pull()
    a.git("fetch", "-q", str(b.root), "main")
    assert len(a.git("merge-base", "--all", "HEAD", "FETCH_HEAD").split()) == 2
    for device in (a, b):
        device.pin(main)


def reword(device: Device, old: str, new: str) -> None:
    text = device.read("streams/identity.md")
    assert old in text
    device.write("streams/identity.md", text.replace(old, new))


def everything(device: Device) -> bytes:
    return b"\n".join(device.files().values())


def require_whole(*devices: Device) -> None:
    for device in devices:
        assert b"<<<<<<<" not in everything(device)
        assert "error" not in device.git("fsck", "--full", "--strict", "--no-dangling")
        with device.memory() as memory:
            assert [p for p in memory.check().problems if p.severity == "error"] == []
            updated = memory.opened.index.dump()
            memory.reindex()
            assert memory.opened.index.dump() == updated


@pytest.fixture
def pair(tmp_path: Path) -> list[Device]:
    a, b = connected(tmp_path, "laptop", "phone")
    with a.memory() as memory:
        memory.remember("I like tea in the morning.", stream="identity")
    level(a, b)
    return [a, b]


def test_different_notes(pair: list[Device], tmp_path: Path) -> None:
    a, b = pair
    for device, fact in ((a, "I live in Bergen."), (b, "I am allergic to nuts.")):
        with device.memory() as memory:
            memory.remember(fact, stream="identity")
    crossed(tmp_path, a, b)
    level(a, b)
    require_whole(a, b)
    assert a.read("streams/identity.md").count("Bergen") == 1
    assert a.read("streams/identity.md").count("nuts") == 1


def test_both_reworded_the_same_item_before_and_after(pair: list[Device], tmp_path: Path) -> None:
    a, b = pair
    reword(a, "like", WORDS[0])
    reword(b, "like", WORDS[1])
    crossed(tmp_path, a, b)
    for device, word in ((a, WORDS[2]), (b, WORDS[3])):
        text = device.read("streams/identity.md")
        device.write("streams/identity.md", re.sub("adore|love", word, text, count=1))
    level(a, b)
    require_whole(a, b)
    assert WORDS[2].encode() in everything(a)
    assert WORDS[3].encode() in everything(a)


def test_one_deleted_what_the_other_extended(pair: list[Device], tmp_path: Path) -> None:
    a, b = pair
    [note] = a.root.glob("items/**/*.md")
    path = note.relative_to(a.root).as_posix()
    with a.memory() as memory:
        memory.remember("I live in Bergen.")
    with b.memory() as memory:
        memory.remember("I am allergic to nuts.")
    crossed(tmp_path, a, b)
    (a.root / path).unlink()
    b.write(path, b.read(path) + "\nGreen, above all.\n")
    level(a, b)
    require_whole(a, b)
    assert "Green, above all." in a.read(path)


def test_a_line_taken_out_after_the_crossing_stays_out(pair: list[Device], tmp_path: Path) -> None:
    a, b = pair
    [note] = a.root.glob("items/**/*.md")
    path = note.relative_to(a.root).as_posix()
    a.write(path, a.read(path) + "\nBlack, at first.\n")
    with b.memory() as memory:
        memory.remember("I am allergic to nuts.")
    crossed(tmp_path, a, b)
    assert "Black, at first." in b.read(path)
    b.write(path, b.read(path).replace("\nBlack, at first.\n", ""))
    with a.memory() as memory:
        memory.remember("I live in Bergen.")
    level(a, b)
    require_whole(a, b)
    assert "Black, at first." not in a.read(path)
