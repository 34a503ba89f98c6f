"""Changing front matter: exactly the keys that were asked for, and not one byte more."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from vaultmem.base.errors import PatchRefusedError
from vaultmem.storage.notes.frontmatter import FrontMatter, Given, compose, patch, read, split
from vaultmem.storage.notes.frontmatter.yaml import Mapping, meaning, texts

MUCH = settings(max_examples=400, deadline=None)

LINES = [
    *("status: active", "tags: [b, a]", "tags:\n  - a\n  - b", "tags:\n- a\n# c\n- b"),
    *("# a comment", "", "title: 'x' # why", 'up: "[[A|B]]"', "up: [[A]]", "empty:", "nil: ~"),
    *("text: |\n  one\n\n  two", "text: >-\n  one\n  two", "long: one\n  two", "n: 007"),
    *("nested:\n  a: 1\n  b: [2]", "map: {a: 1}", "list:\n  - a: 1\n    b: 2\n  - c"),
    *("list:\n  -\n    x\n  - y", "'quoted key': 1", "a key: v  ", "tab:\tv", "date: 2026-03-11"),
    *("flow: [a, 'b c', \"d\"]", "flow: []", "flow: [\n  a,\n  b\n  ]", "yes: no", "é: ü"),
    *(
        "text: |+\n  keep\n\n",
        "deep:\n    - a\n    - b",
        "end: 1 # c",
        "list:\n  - '#a'\n  - \"b\"",
    ),
]
KEYS = ["status", "tags", "up", "text", "list", "flow", "empty", "new", "new key", "ключ"]
BODIES = [
    b"",
    b"body",
    b"\nbody\n",
    b"\n\n\n",
    b"---\nx: 1\n---\n",
    b"\n---\nx: 1\n---\n",
    b"\r\nb\r\n",
]

values = st.one_of(
    st.text(max_size=8),
    st.sampled_from(["active", "a", "yes", "2026-03-11", "# no", "a: b", "[[A]]", "7", "{{x}}"]),
    st.lists(st.sampled_from(["a", "b", "c", "[[A]]", "x y", "#t"]), max_size=4).map(tuple),
    st.booleans(),
    st.integers(-5, 20),
    st.floats(0, 1).map(lambda number: round(number, 3)),
)


@st.composite
def notes(draw: st.DrawFn) -> bytes:
    """Notes with and without front matter, in the shapes that people write."""
    block = "".join(f"{line}\n" for line in draw(st.lists(st.sampled_from(LINES), max_size=6)))
    body = draw(st.sampled_from(BODIES))
    bom = draw(st.sampled_from([b"", b"\xef\xbb\xbf"]))
    fence = draw(st.sampled_from(["---\n", "--- \t\n", "...\n"]))
    shape = draw(st.sampled_from(["lf", "crlf", "mixed", "none", "open end"]))
    text = f"---\n{block}{fence}"
    if shape == "none":
        return bom + body
    if shape == "open end":
        return bom + text.rstrip("\n").encode()
    if shape == "crlf":
        text = text.replace("\n", "\r\n")
    elif shape == "mixed":
        text = text.replace("\n", "\r\n", 2)
    return bom + text.encode() + body


def said(data: bytes, without: set[str]) -> object:
    """What the keys that were not to change say, in order."""
    root = compose(split(data).block.decode())
    assert isinstance(root, Mapping)
    return [(key.text, meaning(node)) for key, node in texts(root) if key.text not in without]


def front(data: bytes) -> FrontMatter:
    return read(data, PurePosixPath("note.md"))


class TestOnlyTheAskedKeysChange:
    """P3: vaultmem changes only the spans it owns; every other byte stays."""

    @MUCH
    @given(
        notes(), st.dictionaries(st.sampled_from(KEYS), st.one_of(values, st.none()), max_size=3)
    )
    def test_or_it_is_refused(self, data: bytes, changes: dict[str, Given]) -> None:
        try:
            after = patch(data, changes)
        except PatchRefusedError:
            return
        found = front(after)
        before, now = split(data), split(after)
        assert now.body in (before.body, before.eol + before.body) or not now.opening
        assert now.bom == before.bom
        if now.opening and before.opening:
            assert said(data, set(changes)) == said(after, set(changes))
            kept = [line for line in before.block.split(b"\n") if line.startswith(b"#")]
            assert [line for line in now.block.split(b"\n") if line.startswith(b"#")] == kept
        for key, wanted in changes.items():
            if wanted is None:
                assert key not in found.values
            elif isinstance(wanted, str | tuple):
                assert found.values[key] == wanted

    @MUCH
    @given(notes(), st.sampled_from(["new", "new key", "ключ"]), values)
    @example(b"", "new", "a")
    @example(b"---\n---\n", "new", "a")
    @example(b"---\n---\n\nbody", "new", "a")
    @example(b"---\n\n---\n\nbody", "new", "a")
    @example(b"---\n---", "new", ("a",))
    @example(b"---\r\n---\r\n\r\nbody", "new", ("a",))
    @example(b"\n---\nx: 1\n---\n", "new", "a")
    def test_adding_a_key_and_deleting_it_gives_the_same_bytes(
        self, data: bytes, key: str, value: Given
    ) -> None:
        try:
            added = patch(data, {key: value})
        except PatchRefusedError:
            return
        assert added != data
        assert patch(added, {key: None}) == data

    @MUCH
    @given(notes(), st.lists(values, min_size=2, max_size=2))
    def test_adding_several_keys_and_deleting_them(self, data: bytes, two: list[Given]) -> None:
        try:
            added = patch(data, {"new": two[0], "newer": two[1]})
        except PatchRefusedError:
            return
        assert patch(added, {"new": None, "newer": None}) == data

    @MUCH
    @given(notes())
    def test_setting_a_key_to_what_it_says_changes_nothing(self, data: bytes) -> None:
        found = front(data)
        assume(not found.quarantined)
        same = {key: value for key, value in found.values.items() if value is not None}
        assert patch(data, same) == data

    @MUCH
    @given(notes(), st.sampled_from(KEYS), values)
    def test_setting_twice_is_setting_once(self, data: bytes, key: str, value: Given) -> None:
        try:
            once = patch(data, {key: value})
        except PatchRefusedError:
            return
        assert patch(once, {key: value}) == once

    @MUCH
    @given(notes(), st.sampled_from(KEYS), st.text(max_size=8), st.text(max_size=8))
    def test_a_new_scalar_changes_one_line(self, data: bytes, key: str, a: str, b: str) -> None:
        try:
            first = patch(data, {key: a})
            second = patch(first, {key: b})
        except PatchRefusedError:
            return
        lines = [first.split(b"\n"), second.split(b"\n")]
        assert len(lines[0]) == len(lines[1])
        assert sum(x != y for x, y in zip(*lines, strict=True)) <= 1


class TestByExample:
    def test_one_key_changes_and_every_other_byte_stays(self) -> None:
        before = b"---\n# mine\nstatus: active\ntags: [b, a]\n---\n\nI like tea.  \n\n"
        after = patch(before, {"status": "superseded"})
        assert after == before.replace(b"active", b"superseded")

    def test_comments_spaces_and_quotes_around_a_value_stay(self) -> None:
        before = b"---\na:   'x'   # why\nb: \"y\" # z\n---\n"
        after = patch(before, {"a": "it's", "b": "w"})
        assert after == b"---\na:   'it''s'   # why\nb: \"w\" # z\n---\n"

    def test_lists_change_by_element(self) -> None:
        before = b"---\nsource:\n- \"[[a]]\" # first\n# between\n- '[[b]]'\n- c\n---\n"
        assert patch(before, {"source": ("[[a]]", "[[b]]", "c", "d")}) == before.replace(
            b"- c\n", b"- c\n- d\n"
        )
        assert patch(before, {"source": ("[[a]]", "c")}) == before.replace(b"- '[[b]]'\n", b"")
        assert patch(before, {"source": ("[[z]]", "[[a]]", "[[b]]", "c")}) == before.replace(
            b"source:\n", b'source:\n- "[[z]]"\n'
        )

    def test_list_elements_are_quoted_like_their_neighbours(self) -> None:
        before = b'---\ntags:\n  - "a"\n---\n'
        assert patch(before, {"tags": ("a", "b")}) == b'---\ntags:\n  - "a"\n  - "b"\n---\n'

    def test_a_flow_list_stays_one(self) -> None:
        before = b"---\ntags: [a, 'b c'] # mine\n---\n"
        after = patch(before, {"tags": ("b c", "d", "e f")})
        assert after == b"---\ntags: ['b c', d, \"e f\"] # mine\n---\n"

    def test_lists_and_scalars_turn_into_each_other(self) -> None:
        one = b"---\na: x # c\nb: 1\n---\n"
        many = b"---\na: # c\n  - x\n  - z\nb: 1\n---\n"
        assert patch(one, {"a": ("x", "z")}) == many
        assert patch(many, {"a": "x"}) == one
        assert patch(many, {"a": ()}) == b"---\na: [] # c\nb: 1\n---\n"

    def test_new_keys_come_last_and_look_like_the_rest(self) -> None:
        before = b"---\r\nb:\r\n- x\r\n---\r\nbody"
        after = patch(before, {"id": "i-7f3a2kq9xw", "a": ("w", "z"), "gone": None})
        assert after == b"---\r\nb:\r\n- x\r\nid: i-7f3a2kq9xw\r\na:\r\n- w\r\n- z\r\n---\r\nbody"

    def test_an_indented_block_gains_indented_keys(self) -> None:
        assert patch(b"---\n  a: 1\n---\n", {"b": 2}) == b"---\n  a: 1\n  b: 2\n---\n"

    def test_a_note_without_front_matter_gains_a_block(self) -> None:
        assert patch(b"Tea.\n", {"id": "x"}) == b"---\nid: x\n---\n\nTea.\n"
        assert patch(b"\xef\xbb\xbfTea.\r\n", {"id": "x"}) == (
            b"\xef\xbb\xbf---\r\nid: x\r\n---\r\n\r\nTea.\r\n"
        )
        assert patch(b"Tea.\n", {"id": None}) == b"Tea.\n"

    def test_an_empty_block_above_a_blank_line_gains_one_line(self) -> None:
        before = b"---\n---\n\nTea.\n"
        assert patch(before, {"a": "x"}) == b"---\na:  x\n---\n\nTea.\n"
        assert patch(b"---\na: x\n---\n\nTea.\n", {"a": None}) == b"Tea.\n"

    def test_what_says_the_same_keeps_its_spelling(self) -> None:
        before = b"---\npinned: yes\nn: 4.0\nc: 0.70\nx: 'a'\nl: [a]\n---\n"
        same: dict[str, Given] = {"pinned": True, "n": 4, "c": 0.7, "x": "a", "l": ("a",)}
        assert patch(before, same) == before
        assert patch(before, {"pinned": False}) == before.replace(b"yes", b"false")

    def test_a_block_scalar_is_replaced_whole(self) -> None:
        before = b"---\na: |\n  one\n\n  two\n\nb: 1\n---\n"
        assert patch(before, {"a": "x"}) == b"---\na: x\n\nb: 1\n---\n"
        assert patch(before, {"a": None}) == b"---\n\nb: 1\n---\n"

    def test_an_unquoted_link_is_replaced_whole(self) -> None:
        assert patch(b"---\nup: [[A]]\n---\n", {"up": "[[B]]"}) == b'---\nup: "[[B]]"\n---\n'


class TestRefusals:
    @pytest.mark.parametrize(
        ("data", "changes", "line", "message"),
        [
            (b"---\na: {b: 1}\n---\n", {"a": "x"}, 2, "nested value"),
            (b"---\nx: 1\na:\n  - {b: 1}\n---\n", {"a": ("c",)}, 3, "nested value"),
            (b"---\n{a: 1}\n---\n", {"b": 1}, 2, "braces"),
            (b"---\na: 1\nb: x: y\n---\n", {"a": 2}, 3, "not YAML"),
            (b"---\na: 1\na: 2\n---\n", {"b": 2}, 3, "occurs twice"),
            (b"---\na: 1\nbody without an end\n", {"b": 2}, 1, "does not end"),
            (b"---\n? a\n: 1\n---\n", {"a": 2}, 2, "safely"),
            (b"---\nnull\n---\n", {"a": 2}, 3, "safely"),
            (b"---\na: 1\n---\n\xff", {"a": 2}, 4, "not UTF-8"),
            ("a".encode("utf-16"), {"a": 2}, 1, "UTF-16"),
        ],
    )
    def test_name_the_line_and_what_to_do(
        self, data: bytes, changes: dict[str, Given], line: int, message: str
    ) -> None:
        with pytest.raises(PatchRefusedError, match=message) as refused:
            patch(data, changes)
        assert refused.value.line == line
        assert refused.value.hint

    def test_a_block_that_would_grow_too_large(self) -> None:
        with pytest.raises(PatchRefusedError, match="bytes"):
            patch(b"---\na: 1\n---\n", {"b": "x" * 70_000})
        with pytest.raises(PatchRefusedError, match="bytes"):
            patch(b"Tea.\n", {"b": "x" * 70_000})

    def test_nested_elements_that_stay_are_no_reason(self) -> None:
        before = b"---\na:\n  - {b: 1}\n  - c\n---\n"
        assert patch(before, {"a": ("{b: 1}", "c", "d")}) == before.replace(
            b"- c\n", b"- c\n  - d\n"
        )
