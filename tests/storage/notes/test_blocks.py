"""The managed block of a category note: outside it not one byte changes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vaultmem.base.errors import PatchRefusedError
from vaultmem.storage.notes.summary_block import (
    BEGIN,
    END,
    add_lines,
    find,
    read_lines,
    read_summary,
    read_told,
    remove_line,
    replace_summary,
    replace_told,
    reword_line,
    without_lines,
)

Change = Callable[[bytes, str], bytes]
NOTE = f"# Tools\n\nMine.\n\n{BEGIN}\n- a [[x]]\n{END}\nBelow.  "


class TestFinding:
    def test_the_text_between_the_markers(self) -> None:
        block = find(NOTE)
        assert block is not None
        assert (block.text, block.line) == ("- a [[x]]", 5)
        assert NOTE[block.inner_start : block.inner_end] == "- a [[x]]\n"

    def test_an_empty_block(self) -> None:
        assert read_summary(f"{BEGIN}\n{END}\n".encode()) == ""

    def test_no_block(self) -> None:
        assert find("# Tools\n") is None
        assert read_summary(b"") == ""

    def test_markers_in_code_and_comments_do_not_count(self) -> None:
        code = f"```\n{BEGIN}\n{END}\n```\n%%\n{BEGIN}\n%%\ninline `{BEGIN}`\n"
        assert find(code) is None
        assert read_summary(f"{code}{BEGIN}\nx\n{END}\n".encode()) == "x"

    def test_spaces_in_a_marker_are_forgiven(self) -> None:
        assert (
            read_summary(b"  <!--vaultmem:begin summary -->  \r\nx\r\n<!-- vaultmem:end-->") == "x"
        )

    @pytest.mark.parametrize(
        ("text", "line"),
        [
            (f"{BEGIN}\nx\n", 1),
            (f"a\n{END}\n", 2),
            (f"{BEGIN}\n{BEGIN}\n{END}\n", 2),
            (f"{BEGIN}\n{END}\n{BEGIN}\n{END}\n", 3),
            (f"{BEGIN}\n{END}\n{END}\n", 3),
            (f"{BEGIN}\n```\n{END}\n", 1),
        ],
    )
    def test_markers_that_do_not_pair_are_refused(self, text: str, line: int) -> None:
        for edit in (find, lambda t: replace_summary(t.encode(), "new")):
            with pytest.raises(PatchRefusedError) as refused:
                edit(text)
            assert refused.value.line == line
            assert "keep one pair" in refused.value.hint


class TestReplacing:
    def test_only_the_inside_changes(self) -> None:
        after = replace_summary(NOTE.encode(), "one\n\ntwo")
        assert after.decode() == NOTE.replace("- a [[x]]", "one\n\ntwo")

    def test_crlf_files_keep_crlf(self) -> None:
        after = replace_summary(NOTE.replace("\n", "\r\n").encode(), "one\ntwo")
        assert after.decode() == NOTE.replace("- a [[x]]", "one\ntwo").replace("\n", "\r\n")

    @pytest.mark.parametrize(
        ("before", "gap"),
        [("", ""), ("# T", "\n\n"), ("# T\n", "\n"), ("# T\n\n", ""), ("# T\r\n", "\r\n")],
    )
    def test_a_missing_block_is_appended(self, before: str, gap: str) -> None:
        eol = "\r\n" if "\r\n" in before else "\n"
        after = replace_summary(before.encode(), "x").decode()
        assert after == f"{before}{gap}{BEGIN}{eol}x{eol}{END}{eol}"

    @pytest.mark.parametrize("text", [END, f"a\n{BEGIN}", "```\ncode", "%%\nhidden", "<!--"])
    def test_a_text_that_would_break_the_block_is_refused(self, text: str) -> None:
        with pytest.raises(PatchRefusedError):
            replace_summary(NOTE.encode(), text)

    def test_below_an_open_code_fence_it_is_refused(self) -> None:
        with pytest.raises(PatchRefusedError, match="does not end"):
            replace_summary(b"# T\n```\ncode\n", "x")

    def test_other_encodings_are_refused(self) -> None:
        with pytest.raises(PatchRefusedError, match="UTF-8"):
            replace_summary(b"caf\xe9", "x")

    @settings(max_examples=400, deadline=None)
    @given(
        st.lists(st.sampled_from(["", "a", "# H", "```", "%%", "- b", "<!--", "-->"]), max_size=6),
        st.lists(st.sampled_from(["", "a", "- b [[c]]", "```", "é"]), max_size=5),
        st.lists(st.sampled_from(["", "z", "```", "y"]), max_size=3),
        st.sampled_from(["\n", "\r\n"]),
        st.booleans(),
    )
    def test_the_same_text_again_changes_nothing_and_another_only_the_inside(
        self, above: list[str], inside: list[str], below: list[str], eol: str, has_block: bool
    ) -> None:
        lines = [*above, BEGIN, "old", END, *below] if has_block else [*above, *below]
        before = eol.join(lines).encode()
        text = "\n".join(inside)
        try:
            first = replace_summary(before, text)
        except PatchRefusedError:
            return
        assert read_summary(first) == text
        assert replace_summary(first, text) == first
        again = replace_summary(first, "other")
        assert replace_summary(again, text) == first
        if has_block and find(before.decode()) is not None:
            assert replace_summary(first, "old") == before
        else:
            assert first.startswith(before)


class TestLines:
    def test_default_content(self) -> None:
        pairs = [(f"Statement {n}.", f"stem-{n}") for n in range(105)]
        text = read_summary(add_lines(b"# Home\n", pairs))
        assert text.startswith("- Statement 0. [[stem-0]]\n- Statement 1. [[stem-1]]\n")
        assert text.endswith("- Statement 99. [[stem-99]]\n- … and 5 more")
        assert read_lines(text) == tuple(pairs[:100])

    def test_a_new_line_goes_on_top_of_the_others(self) -> None:
        after = add_lines(NOTE.encode(), [("b", "y")])
        assert read_summary(after) == "- b [[y]]\n- a [[x]]"

    def test_what_a_person_wrote_in_the_block_stays(self) -> None:
        data = f"{BEGIN}\nIn short: tea.\n\n- a [[x]]\n- mine\n- b [[y|Y]]\n{END}\n".encode()
        data = add_lines(data, [("c", "z")], limit=2)
        assert (
            read_summary(data) == "In short: tea.\n\n- c [[z]]\n- a [[x]]\n- … and 1 more\n- mine"
        )

    def test_the_rest_is_counted(self) -> None:
        data = b""
        for n in range(7):
            data = add_lines(data, [(f"s{n}", f"t{n}")], limit=3)
        assert read_summary(data) == "- s6 [[t6]]\n- s5 [[t5]]\n- s4 [[t4]]\n- … and 4 more"

    def test_a_known_target_is_reworded_in_place(self) -> None:
        data = f"{BEGIN}\n- a [[x]]\n- b [[y|Y]]\n{END}\n".encode()
        assert read_summary(add_lines(data, [("c", "y")])) == "- a [[x]]\n- c [[y]]"
        assert read_summary(reword_line(data, "x", "d")) == "- d [[x]]\n- b [[y|Y]]"
        assert reword_line(data, "gone", "d") == data

    def test_a_line_is_removed_by_its_target(self) -> None:
        data = f"{BEGIN}\n- a [[x]]\n- b [[y]]\n{END}\n".encode()
        assert read_summary(remove_line(data, "x")) == "- b [[y]]"
        assert remove_line(data, "gone") == data
        assert remove_line(b"no block\n", "x") == b"no block\n"

    @settings(max_examples=200, deadline=None)
    @given(st.text(max_size=30), st.text(st.sampled_from("abc-12"), min_size=1, max_size=8))
    def test_any_statement_can_be_listed(self, statement: str, target: str) -> None:
        data = add_lines(NOTE.encode(), [(statement, target)])
        assert target in [each for _, each in read_lines(read_summary(data))]
        assert read_summary(remove_line(data, target)) == "- a [[x]]"


class TestSentences:
    """Sentences above the lines, each made of items: they go when one of these does."""

    LISTED = f"# T\n\n{BEGIN}\n- a [[x]]\nMine.\n- b [[y]]\n{END}\nBelow."
    TOLD = (("A and b.", ("x", "y")), ("Only a - b.", ("x",)))

    def told(self) -> bytes:
        return replace_told(self.LISTED.encode(), self.TOLD)

    def test_they_stand_on_top_and_the_rest_is_as_it_was(self) -> None:
        assert self.told().decode() == self.LISTED.replace(
            f"{BEGIN}\n",
            f"{BEGIN}\nA and b. ([[x|1]] [[y|2]])\nOnly a - b. ([[x|1]])\n\n",
        )
        assert read_told(self.told()) == self.TOLD
        assert read_lines(read_summary(self.told())) == (("a", "x"), ("b", "y"))

    def test_others_replace_them_and_none_leave_no_trace(self) -> None:
        assert replace_told(self.told(), self.TOLD) == self.told()
        assert replace_told(self.told(), ()) == self.LISTED.encode()

    @pytest.mark.parametrize("change", [remove_line, lambda d, t: reword_line(d, t, "c")])
    def test_a_line_that_goes_or_changes_takes_them_along(self, change: Change) -> None:
        assert read_told(change(self.told(), "y")) == (("Only a - b.", ("x",)),)
        assert change(self.told(), "x") == change(self.LISTED.encode(), "x")

    def test_the_same_words_again_keep_them(self) -> None:
        assert reword_line(self.told(), "x", "a") == self.told()

    def test_a_new_line_stands_below_them(self) -> None:
        after = read_summary(add_lines(self.told(), [("c", "z")])).split("\n")
        assert after[2:4] == ["", "- c [[z]]"]

    def test_what_a_person_wrote_is_none_of_them(self) -> None:
        data = f"{BEGIN}\nI like (tea).\n- x ([[y]])\nSee [[z]].\n{END}\n".encode()
        assert read_told(data) == ()

    def test_an_emptied_memory_has_none(self) -> None:
        assert read_summary(without_lines(self.told())) == "Mine."
