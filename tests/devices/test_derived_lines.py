"""Bullets and summary lines say what their items say, also after two devices changed one item."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.devices.devices import Device, connected
from vaultmem.model.reports import Exchanged


@pytest.fixture
def pair(tmp_path: Path) -> list[Device]:
    """Two devices with one item that is listed in a stream and in a category."""
    a, b = connected(tmp_path, "laptop", "phone")
    a.write("categories/health.md", "# Health\n")
    with a.memory() as memory:
        memory.remember("I am allergic to nuts.", stream="identity", category="health")
    a.push()
    b.push()
    assert "allergic to nuts. [[" in b.read("categories/health.md")
    return [a, b]


def exchanged(a: Device, b: Device) -> Exchanged:
    """Both push; what the second one, which joined the two, was told. Then they are level."""
    a.push()
    got = b.push()
    a.push()
    assert a.files() == b.files()
    again = b.push()
    assert (again.incoming, again.pushed, again.commits) == (0, False, ())
    with b.memory() as memory:
        assert {p.code for p in memory.check().problems} <= {"conflict-text", "conflict-box"}
    return got


def reword(device: Device, after: str) -> None:
    path = "streams/identity.md"
    device.write(path, device.read(path).replace("allergic to nuts", after))


def test_both_reword_and_only_the_item_asks(pair: list[Device]) -> None:
    a, b = pair
    reword(a, "allergic to almonds")
    reword(b, "allergic to peanuts")
    got = exchanged(a, b)
    # The value of the slot follows the words: it is not asked for beside them.
    [problem] = got.problems
    assert (problem.code, problem.path.parts[0]) == ("conflict-text", "items")
    for path in ("streams/identity.md", "categories/health.md"):
        assert "[!conflict]" not in a.read(path)
        assert a.read(path).count("allergic to") == 1
    [note] = a.root.glob("items/**/*.md")
    text = note.read_text()
    assert "[!conflict]" in text
    assert "almonds" in text
    assert "peanuts" in text
    assert text.count("object:") == 1  # nor is it in the box
    stays = "almonds" if "almonds" in a.read("streams/identity.md") else "peanuts"
    assert f"allergic to {stays}" in a.read("categories/health.md")
    assert f"object: {stays}" in text


@pytest.mark.parametrize("first", [True, False])
def test_ended_here_and_reworded_there_is_listed_nowhere(pair: list[Device], first: bool) -> None:
    a, b = pair if first else pair[::-1]
    a.write("streams/identity.md", "# Identity\n")
    reword(b, "allergic to peanuts")
    got = exchanged(a, b)
    assert got.problems == ()
    for path in ("streams/identity.md", "categories/health.md"):
        assert "allergic" not in a.read(path)
    [note] = a.root.glob("items/**/*.md")
    assert "status: retracted" in note.read_text()
    assert "peanuts" in note.read_text()


def test_a_line_follows_an_item_whose_paragraphs_merged_without_a_question(
    pair: list[Device],
) -> None:
    a, b = pair
    [one] = a.root.glob("items/**/*.md")
    [other] = b.root.glob("items/**/*.md")
    words = "\nI am allergic to nuts."
    one.write_text(one.read_text().replace(words, f"{words[:-1]},\nas I know\nsince 2020."))
    a.push()
    b.push()
    one.write_text(one.read_text().replace("I am", "I am badly"))
    other.write_text(other.read_text().replace("2020", "2021"))
    got = exchanged(a, b)
    assert got.problems == ()
    said = "I am badly allergic to nuts, as I know since 2021."
    assert said in a.read("streams/identity.md")
    assert said in a.read("categories/health.md")


def test_words_that_stand_only_in_a_bullet_are_kept_in_a_box(pair: list[Device]) -> None:
    a, b = pair
    bullet = "# Projects\n\n- I row on {}. ^i-0000000000\n"
    a.write("streams/projects.md", bullet.format("Sundays"))
    a.push()
    b.push()
    a.write("streams/projects.md", bullet.format("Mondays"))
    b.write("streams/projects.md", bullet.format("Tuesdays"))
    a.push()
    b.push()
    text = b.read("streams/projects.md")
    assert "Mondays" in text
    assert "Tuesdays" in text
