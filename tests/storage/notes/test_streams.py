"""Stream files: bullets are read and changed, everything else stays as it is."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from vaultmem.base.errors import PatchRefusedError
from vaultmem.model.notes import Bullet
from vaultmem.storage.notes.bullets import (
    LEFT,
    add_bullet,
    bullets,
    remove_bullet,
    remove_bullets,
    reword_bullet,
    set_block_ids,
)

A, B, NEW = "i-7f3a2kq9xw", "i-0000000001", "i-zzzzzzzzzz"
MUCH = settings(max_examples=400, deadline=None)

LINES = [
    *("# Identity", "## Open", "## Done #", "", "Prose of mine.", "  indented prose", "\tdeep"),
    *("- plain", f"- adopted ^{A}", f"- [ ] task ^{B}", "- [x] done", "* star", "+ plus"),
    *("- own id ^my-ref", f"- both ^{A} ^my-ref", "-", "- ", "- [ ] ", "- - -", "***", "1. one"),
    *("  - nested", f"  - nested ^{A}", "```", "~~~", "%%", "%% one line %%", "<!--", "-->"),
    *("- no-break space\u00a0", "- form feed\x0c", "\t```", "-\ttab\t"),
    *("| a | b |", "> quote", "    - code", "- ```js", "  ```", "- spaces   ", "---", "- [[link]]"),
]
WORDS = st.text(st.sampled_from("abc xé-*[]#^%`1"), min_size=1, max_size=12)


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """Stream files as people write them, in LF, CRLF and both, with and without a final end."""
    lines = draw(st.lists(st.sampled_from(LINES), max_size=9))
    text = "\n".join(lines) + draw(st.sampled_from(["", "\n", "\n\n"]))
    text = draw(st.sampled_from(["", "", "---\ntags: [a]\n---\n"])) + text
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n", draw(st.sampled_from([-1, 2])))
    return draw(st.sampled_from([b"", b"", b"\xef\xbb\xbf"])) + text.encode()


def texts(data: bytes) -> list[tuple[str, str | None]]:
    return [(bullet.text, bullet.block_id) for bullet in bullets(data)]


def one_line(text: str) -> str:
    return " ".join(text.split())


def set_block_id(data: bytes, line: int, id_: str) -> bytes:
    """The file with one more id; raises what it was refused for."""
    after, refused = set_block_ids(data, {line: id_})
    if refused:
        raise refused[line]
    return after


class TestReading:
    def test_bullets_with_their_places(self) -> None:
        data = (
            "---\ntags: [a]\n---\n# Tasks\n\n## Open\n\n"
            f"- [ ] Renew the passport ^{A}\n* [x] Done *well*\n+ plain  \n"
        ).encode()
        assert bullets(data) == (
            Bullet(text="Renew the passport", block_id=A, line=8, checked=False, section="Open"),
            Bullet(text="Done *well*", block_id=None, line=9, checked=True, section="Open"),
            Bullet(text="plain", block_id=None, line=10, checked=None, section="Open"),
        )

    def test_what_is_indented_below_a_bullet_is_no_part_of_it(self) -> None:
        below = "  two\n\n  three\n  - four\n  > five\n\tsix\n  ```\n  seven\n  ```\n  1. eight\n"
        data = f"- one\n{below}- nine ^{B}\n{below}".encode()
        assert texts(data) == [("one", None), ("nine", B)]

    @pytest.mark.parametrize(
        "line",
        [
            *("\t- b ^ID", "    - [ ] b ^ID", "  * b ^ID ^mine", "1. b ^ID", "2) b ^ID"),
            *("   3. b ^ID", "> - b ^ID", "> > + b ^ID", "b ^ID", "  b ^ID", "> b ^ID"),
        ],
    )
    def test_a_line_that_has_an_id_is_known_wherever_it_stands(self, line: str) -> None:
        data = f"- a ^{B}\n{line}\n".replace("ID", A).encode()
        assert texts(data) == [("a", B), ("b", A)]

    def test_words_that_were_typed_after_the_id_are_words(self) -> None:
        for typed, text in (
            (" too", "a too"),
            (".", "a."),
            (" too ^mine", "a too"),
            ("B c", "a B c"),
        ):
            assert texts(f"- a ^{A}{typed}\n".encode()) == [(text, A)]

    def test_two_bullets_that_were_joined_are_the_second_one(self) -> None:
        [joined] = bullets(f"- a ^{A}b ^{B}\n".encode())
        assert (joined.text, joined.block_id, joined.joined) == ("a b", B, (A,))

    def test_a_sentence_that_an_editor_broke_is_one(self) -> None:
        long = "I do not eat meat, and nobody in this house cooks any of it except"
        assert texts(f"- {long}\n  on Sundays\n".encode()) == [(f"{long} on Sundays", None)]
        assert texts(f"- {long}.\n  on Sundays\n".encode()) == [(f"{long}.", None)]
        assert texts(f"- {long} ^{A}\n  on Sundays\n".encode()) == [(long, A)]
        assert texts(f"- {long}\n  - on Sundays\n".encode()) == [(long, None)]

    def test_what_another_device_had_is_no_bullet(self) -> None:
        box = f"> [!conflict] Keep what is right\n> > [!quote] 2026-03-10\n> > - b ^{A}\n"
        assert texts(f"- a ^{A}\n{box}- c ^{B}\n".encode()) == [("a", A), ("c", B)]

    def test_what_is_not_a_bullet(self) -> None:
        hidden = (
            "```\n- code\n```\n~~~\n- code\n~~~\n%%\n- comment\n%%\n<!--\n- comment\n-->\n"
            "- - -\n* * *\n-\n- \n- [ ]\n> quote\n    - indented\n| - a | b |\n1. one\n-no space\n"
        )
        assert bullets(hidden.encode()) == ()

    def test_a_fence_inside_a_bullet_ends_with_it(self) -> None:
        assert texts(b"- a\n  ```\n- b\n") == [("a", None), ("b", None)]
        assert texts(b"   ```\n- code\n   ```\n- b\n") == [("b", None)]

    def test_a_block_id_of_the_person_is_not_part_of_the_text(self) -> None:
        assert texts(f"- a ^my-ref\n- b ^{A} ^my-ref\n- c ^caret ^{B}\n".encode()) == [
            ("a", None),
            ("b", A),
            ("c ^caret", B),
        ]

    def test_a_bullet_that_lost_its_words_is_still_known(self) -> None:
        assert texts(f"- ^{A}\n- [ ] ^{B}\n".encode()) == [("", A), ("", B)]

    @given(st.binary(max_size=200))
    def test_any_bytes_can_be_read(self, data: bytes) -> None:
        bullets(data)


class TestAdding:
    @pytest.mark.parametrize(
        ("before", "after"),
        [
            (b"", b"- X ^ID\n"),
            (b"# Identity\n", b"# Identity\n- X ^ID\n"),
            (b"# Identity", b"# Identity\n- X ^ID"),
            (b"# Identity\n\n", b"# Identity\n\n- X ^ID\n"),
            (b"# Identity\n\nProse.\n", b"# Identity\n- X ^ID\n\nProse.\n"),
            (b"# Identity\nProse\nmore\n", b"# Identity\nProse\nmore\n- X ^ID\n"),
            (b"# Identity\n\n- old\n", b"# Identity\n\n- X ^ID\n- old\n"),
            (b"# A\n\n## B\n\n* old\n", b"# A\n\n## B\n\n* X ^ID\n* old\n"),
            (b"# A\r\n\r\n- old", b"# A\r\n\r\n- X ^ID\r\n- old"),
            (b"Prose.\n", b"Prose.\n- X ^ID\n"),
            (b"# A\n```\n- code\n```\n", b"# A\n- X ^ID\n```\n- code\n```\n"),
            (b"---\ntags:\n- a\n---\n# A\n", b"---\ntags:\n- a\n---\n# A\n- X ^ID\n"),
        ],
    )
    def test_on_top_of_the_first_list(self, before: bytes, after: bytes) -> None:
        assert add_bullet(before, "X", NEW) == after.replace(b"ID", NEW.encode())

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ("# T\n\n- a\n\n## Open\n\n- b\n", "# T\n\n- a\n\n## Open\n\n- [ ] X ^ID\n- b\n"),
            ("# T\n\n## Open\n\n## Done\n- a\n", "# T\n\n## Open\n- [ ] X ^ID\n\n## Done\n- a\n"),
            ("# T\n\n## Open\n", "# T\n\n## Open\n- [ ] X ^ID\n"),
            ("## Done\n\n- [x] a\n", "## Done\n\n- [ ] X ^ID\n- [x] a\n"),
        ],
    )
    def test_tasks_go_under_open(self, before: str, after: str) -> None:
        added = add_bullet(before.encode(), "X", NEW, checkbox=True)
        assert added.decode() == after.replace("ID", NEW)

    def test_a_section_can_be_named(self) -> None:
        data = b"# A\n- a\n## Work\n- b\n"
        added = add_bullet(data, "X", NEW, section="work")
        assert added == data.replace(b"- b", f"- X ^{NEW}\n- b".encode())

    @MUCH
    @given(files(), WORDS, st.booleans())
    @example(b"- a\n  ```\n- b", "c", False)
    def test_and_removing_gives_the_same_bytes(self, data: bytes, words: str, box: bool) -> None:
        assume(words.strip())
        try:
            added = add_bullet(data, words, NEW, checkbox=box)
        except PatchRefusedError:
            return
        assert (one_line(words), NEW) in texts(added)
        assert remove_bullet(added, NEW) == data

    def test_below_an_open_code_fence_is_refused(self) -> None:
        with pytest.raises(PatchRefusedError, match="not be read as meant"):
            add_bullet(b"# A\ntext\n```\ncode\n", "X", NEW)

    def test_without_words_is_refused(self) -> None:
        with pytest.raises(PatchRefusedError, match="words"):
            add_bullet(b"", "  ", NEW)


class TestAdopting:
    def test_only_that_line_gains_its_id(self) -> None:
        data = b"# A\n- one  \r\n- [ ] two ^mine\n- three\n  more\n"
        data = set_block_id(data, 2, A)
        data = set_block_id(data, 3, B)
        data = set_block_id(data, 4, NEW)
        assert data.decode() == (
            f"# A\n- one ^{A}  \r\n- [ ] two ^{B} ^mine\n- three ^{NEW}\n  more\n"
        )
        assert texts(data) == [("one", A), ("two", B), ("three", NEW)]

    def test_a_line_without_such_a_bullet_is_refused(self) -> None:
        with pytest.raises(PatchRefusedError) as refused:
            set_block_id(f"- a ^{A}\n".encode(), 1, B)
        assert refused.value.line == 1

    @MUCH
    @given(files())
    def test_adds_one_id_and_nothing_else(self, data: bytes) -> None:
        for bullet in bullets(data):
            if bullet.block_id is None:
                after = set_block_id(data, bullet.line, NEW)
                assert after.replace(f" ^{NEW}".encode(), b"", 1) == data
                assert len(after) == len(data) + len(NEW) + 2

    def test_spaces_that_are_no_blanks_stay_above_the_id(self) -> None:
        for space in "\u00a0\u2003\x0c\x85":
            data = f"- a{space}  \n- b\n".encode()
            after = set_block_id(data, 1, NEW)
            assert after == data.replace(b"  \n", f" ^{NEW}  \n".encode())
            assert texts(after) == [("a", NEW), ("b", None)]
        after = set_block_id("- a\u00a0^my-ref\n".encode(), 1, NEW)
        assert after == f"- a\u00a0 ^{NEW} ^my-ref\n".encode()
        assert texts(after) == [("a", NEW)]

    @MUCH
    @given(files(), st.data())
    def test_many_at_once_are_as_one_after_the_other(
        self, data: bytes, some: st.DataObject
    ) -> None:
        lines = some.draw(st.lists(st.integers(1, 12), unique=True))
        lines += [bullet.line for bullet in bullets(data) if bullet.line not in lines]
        ids = {line: f"i-{line:010}" for line in lines}
        expected, refused = data, {}
        for line, id_ in ids.items():
            try:
                expected = set_block_id(expected, line, id_)
            except PatchRefusedError as error:
                refused[line] = error.message
        after, errors = set_block_ids(data, ids)
        assert after == expected
        assert {line: error.message for line, error in errors.items()} == refused


class TestRewording:
    def test_keeps_everything_around_the_words(self) -> None:
        data = f"*   [x]  one two   ^{A} ^mine  \r\n- b\n".encode()
        after = reword_bullet(data, A, "three\nfour")
        assert after == data.replace(b"one two", b"three four")

    def test_several_lines_become_one(self) -> None:
        assert reword_bullet(f"- a\n  b\n  c ^{A}\n".encode(), A, "d") == f"- d ^{A}\n".encode()
        assert reword_bullet(f"- a\n  ^{A}\n".encode(), A, "d") == f"- d\n  ^{A}\n".encode()

    def test_what_is_below_stays(self) -> None:
        for below in ("  b\n", "\t- b\n", "\n    b\n", f"  - b ^{B}\n", "  ```\n  - b\n  ```\n"):
            data = f"- a ^{A}\n{below}"
            assert reword_bullet(data.encode(), A, "d") == f"- d ^{A}\n{below}".encode()

    def test_words_that_hold_an_id_are_escaped(self) -> None:
        for words in (f"see ^{B} for more", f"^{B}", f"a \\^{B} b", f"a ^{B}b"):
            after = reword_bullet(f"- a ^{A}\n".encode(), A, words)
            assert texts(after) == [(words, A)]

    def test_the_same_words_change_nothing(self) -> None:
        data = f"- a\n  b ^{A}\n".encode()
        assert reword_bullet(data, A, "a  b") == data

    def test_words_that_look_like_a_checkbox_are_escaped(self) -> None:
        for words in ("[x] marks the spot", "\\[x] too", "[1]"):
            after = reword_bullet(f"- a ^{A}\n".encode(), A, words)
            assert texts(after) == [(words, A)]
            assert bullets(after)[0].checked is None

    def test_a_bullet_without_words_gains_some(self) -> None:
        assert reword_bullet(f"- ^{A}\n".encode(), A, "b") == f"- b ^{A}\n".encode()

    def test_an_unknown_id_is_refused(self) -> None:
        with pytest.raises(PatchRefusedError, match=NEW):
            reword_bullet(b"- a\n", NEW, "b")

    @MUCH
    @given(files(), WORDS, WORDS)
    def test_back_and_forth_gives_the_same_bytes(self, data: bytes, a: str, b: str) -> None:
        assume(a.strip() and b.strip())
        try:
            first = reword_bullet(add_bullet(data, a, NEW), NEW, b)
        except PatchRefusedError:
            return
        assert reword_bullet(reword_bullet(first, NEW, a), NEW, b) == first


def others(data: bytes) -> list[bytes]:
    """The lines of a file that belong to no bullet."""
    taken = {bullet.line for bullet in bullets(data)}
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    left = [line for number, line in enumerate(lines, 1) if number not in taken and line.strip()]
    return [line for line in left if LEFT.encode() not in line]


class TestRemoving:
    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ("- a ^ID\n  - b\n- c\n", "- …\n  - b\n- c\n"),
            ("- z\n* [x] a ^ID\r\n\tremark\r\n", "- z\n* …\r\n\tremark\r\n"),
            ("- a ^ID\n\n  paragraph\n", "- …\n\n  paragraph\n"),
            ("- a ^ID\n  ```\n  code\n  ```", "- …\n  ```\n  code\n  ```"),
            ("- a ^ID\n\n- b\n", "\n- b\n"),
            ("- z\n\t- a ^ID\n\t\t- b\n", "- z\n\t- …\n\t\t- b\n"),
            ("- z\n\t- a ^ID\n\t- b\n", "- z\n\t- b\n"),
            ("1. a ^ID\n   - b\n", "1. …\n   - b\n"),
            ("> - a ^ID\n>   - b\n", "> - …\n>   - b\n"),
            ("> - a ^ID\n> - b\n\n  c\n", "> - b\n\n  c\n"),
        ],
    )
    def test_what_is_below_stays_in_its_place(self, before: str, after: str) -> None:
        removed = remove_bullet(before.replace("ID", A).encode(), A)
        assert removed == after.encode()
        assert A not in [each.block_id for each in bullets(removed)]
        assert LEFT not in [each.text for each in bullets(removed)]

    def test_parent_and_child_go_together(self) -> None:
        data = f"- a ^{A}\n\t- b ^{B}\n- c\n".encode()
        assert remove_bullets(data, [A, B]) == b"- c\n"

    def test_a_new_bullet_takes_nothing_that_is_indented(self) -> None:
        data = b"# A\n\n\t- mine\n\n    code\n\nProse\n"
        added = add_bullet(data, "X", NEW)
        assert added == b"# A\n\n\t- mine\n\n    code\n- X ^" + NEW.encode() + b"\n\nProse\n"


class TestAnySequenceOfEdits:
    """Lines that belong to no bullet stay, in their order, whatever is done to bullets."""

    @MUCH
    @given(files(), st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5), WORDS), max_size=8))
    def test_leaves_the_persons_lines(self, data: bytes, edits: list[tuple[int, int, str]]) -> None:
        before = others(data)
        for number, (what, which, words) in enumerate(edits):
            known = bullets(data)
            ids = [bullet.block_id for bullet in known if bullet.block_id is not None]
            id_ = f"i-{number:010}"
            try:
                if what == 0 and words.strip():
                    data = add_bullet(data, words, id_)
                elif what == 1 and ids and words.strip():
                    data = reword_bullet(data, ids[which % len(ids)], words)
                elif what == 2 and ids:
                    data = remove_bullet(data, ids[which % len(ids)])
                elif known and known[which % len(known)].block_id is None:
                    data = set_block_id(data, known[which % len(known)].line, id_)
            except PatchRefusedError:
                continue
            assert [line.strip(b"\r") for line in others(data)] == [
                line.strip(b"\r") for line in before
            ]


def test_files_that_are_not_utf8_are_not_edited() -> None:
    with pytest.raises(PatchRefusedError, match="UTF-8"):
        add_bullet(b"- caf\xe9\n", "x", A)
    with pytest.raises(PatchRefusedError, match="UTF-8"):
        remove_bullet(b"- caf\xe9\n", A)
    with pytest.raises(PatchRefusedError, match="UTF-8"):
        set_block_id(b"- caf\xe9\n", 1, A)
