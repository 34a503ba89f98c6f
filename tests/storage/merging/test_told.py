"""Sentences of summaries when two devices meet: no question, no doubles, nothing that ended."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from vaultmem.storage.merging.note import merge_note
from vaultmem.storage.notes.summary_block import (
    BEGIN,
    END,
    read_lines,
    read_summary,
    read_told,
    remove_line,
    replace_told,
    reword_line,
)

PATH = PurePosixPath("categories/t.md")
X, Y, Z = (f"{name}-i-{name * 10}" for name in "xyz")
BASE = (f"# T\n\nMine.\n\n{BEGIN}\n- a [[{X}]]\n- b [[{Y}]]\n- c [[{Z}]]\n{END}\nBelow.\n").encode()
FOLLOWS = tuple(f"[[{name}" for name in (X, Y, Z))
OURS = replace_told(BASE, [("A and b.", (X, Y)), ("And c.", (Z,))])
THEIRS = replace_told(BASE, [("All: a, b, c.", (X, Y, Z))])


def merged(base: bytes | None, ours: bytes, theirs: bytes) -> bytes:
    """Merged on both devices: the same."""
    one = merge_note(PATH, base, ours, theirs, ours_at=1, theirs_at=2, follows=FOLLOWS)
    other = merge_note(PATH, base, theirs, ours, ours_at=2, theirs_at=1, follows=FOLLOWS)
    assert one == other
    assert one.notices == ()
    assert one.content is not None
    for side, at in ((ours, 1), (theirs, 2)):  # a further merge changes nothing
        again = merge_note(PATH, base, one.content, side, ours_at=3, theirs_at=at, follows=FOLLOWS)
        assert again.content == one.content
    return one.content


@pytest.mark.parametrize("base", [BASE, OURS.replace(b"A and b.", b"B and a.")])
def test_of_two_summaries_the_later_one_stays(base: bytes) -> None:
    assert merged(base, OURS, THEIRS) == THEIRS


def test_the_summary_of_one_device_stays_with_the_lines_of_the_other() -> None:
    theirs = BASE.replace(b"Below.", b"Below, and more.")
    assert merged(BASE, OURS, theirs) == OURS.replace(b"Below.", b"Below, and more.")


@pytest.mark.parametrize("change", [remove_line, lambda d, t: reword_line(d, t, "other")])
def test_a_sentence_does_not_outlive_an_item_that_ended_elsewhere(change: object) -> None:
    assert callable(change)
    content = merged(BASE, OURS, change(BASE, Y))
    assert read_told(content) == (("And c.", (Z,)),)
    lines = {target: text for text, target in read_lines(read_summary(content))}
    assert lines.get(Y) in (None, "other")


def test_what_a_person_wrote_on_both_sides_is_kept() -> None:
    ours = OURS.replace(b"Mine.", b"Mine, here.")
    theirs = THEIRS.replace(b"Below.", b"Below, there.")
    content = merged(BASE, ours, theirs)
    assert b"Mine, here." in content
    assert b"Below, there." in content
    assert read_told(content) == read_told(THEIRS)
