"""Three-way merge by lines, as undo uses it on lists."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from vaultmem.devices.combine import merge_lines

LINES = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n", b"d\n", b"e\n"]), max_size=8)


def test_a_line_taken_out_of_a_list_that_grew_above_it() -> None:
    assert (
        merge_lines(base=b"# T\n- one\n", ours=b"# T\n- two\n- one\n", theirs=b"# T\n")
        == b"# T\n- two\n"
    )


def test_the_same_line_changed_on_both_sides_is_refused() -> None:
    assert merge_lines(base=b"- one\n", ours=b"- uno\n", theirs=b"- eins\n") is None


def test_a_line_edited_since_cannot_be_taken_out() -> None:
    assert merge_lines(base=b"# T\n- one\n", ours=b"# T\n- uno\n", theirs=b"# T\n") is None


def test_two_additions_at_one_place_are_refused() -> None:
    assert merge_lines(base=b"a\n", ours=b"x\na\n", theirs=b"y\na\n") is None


def test_a_missing_final_newline_survives() -> None:
    assert merge_lines(base=b"a\nb", ours=b"a\nb", theirs=b"b") == b"b"


@given(LINES, LINES)
def test_a_side_without_changes_takes_the_other(base: list[bytes], other: list[bytes]) -> None:
    old, new = b"".join(base), b"".join(other)
    assert merge_lines(base=old, ours=old, theirs=new) == new
    assert merge_lines(base=old, ours=new, theirs=old) == new
    assert merge_lines(base=old, ours=new, theirs=new) == new


@given(LINES, LINES, LINES)
def test_both_sides_give_the_same_answer(
    base: list[bytes], left: list[bytes], right: list[bytes]
) -> None:
    a, b, c = b"".join(base), b"".join(left), b"".join(right)
    assert merge_lines(base=a, ours=b, theirs=c) == merge_lines(base=a, ours=c, theirs=b)
