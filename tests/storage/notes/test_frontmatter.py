"""Reading front matter: where it is, what it says, and that the two readers agree."""

from __future__ import annotations

import subprocess
import sys
from pathlib import PurePosixPath

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from vaultmem.base.errors import BadInputError
from vaultmem.storage.notes import frontmatter
from vaultmem.storage.notes.frontmatter import FrontMatter, Opaque, fast, parse, read, render, split
from vaultmem.storage.notes.frontmatter.write import is_plain
from vaultmem.storage.notes.frontmatter.yaml import Mapping, Refusal, Scalar, Value, texts, value_of

PATH = PurePosixPath("items/tea.md")
SEVERAL = settings(max_examples=300, deadline=None)


def values(block: str) -> dict[str, Value]:
    """What the YAML parser makes of a block."""
    root = parse(block)
    assert isinstance(root, Mapping), root
    return {key.text: value_of(node, block) for key, node in texts(root)}


def read_text(text: str) -> FrontMatter:
    return read(text.encode(), PATH)


class TestSplitting:
    """The five pieces add up to the file, whatever it holds."""

    @SEVERAL
    @given(
        st.lists(
            st.sampled_from(
                [
                    b"---",
                    b"...",
                    b"----",
                    b"--- ",
                    b"\n",
                    b"\r\n",
                    b"\r",
                    b" ",
                    b"\xef\xbb\xbf",
                    b"a: 1",
                    b"\xff",
                    b"\t",
                ]
            ),
            max_size=14,
        )
    )
    def test_the_pieces_add_up_to_the_file(self, pieces: list[bytes]) -> None:
        data = b"".join(pieces)
        parts = split(data)
        assert parts.bom + parts.opening + parts.block + parts.closing + parts.body == data
        assert bool(parts.opening) == bool(parts.closing)

    @given(st.binary(max_size=400))
    def test_any_bytes_can_be_read(self, data: bytes) -> None:
        parts = split(data)
        assert parts.with_block(parts.block) == data
        read(data, PATH)

    def test_line_ends_are_those_of_the_first_line(self) -> None:
        assert split(b"---\r\na: 1\n---\n").eol == b"\r\n"
        assert split(b"text\r\nmore\n").eol == b"\r\n"
        assert split(b"text").eol == b"\n"


class TestReading:
    def test_everything_is_text(self) -> None:
        front = read_text("---\na: yes\nb: 010\nc: 1.10\nd: 2026-03-11\ne: [1, true]\n---\nbody\n")
        assert front.values == {
            "a": "yes",
            "b": "010",
            "c": "1.10",
            "d": "2026-03-11",
            "e": ("1", "true"),
        }
        assert front.body == "body\n"

    def test_the_body_begins_on_the_line_after_the_fence(self) -> None:
        assert read_text("---\na: 1\n---\nbody").body_line == 4
        assert read_text("---\na: {b: 1}\n---\nbody").body_line == 4
        assert read_text("body").body_line == 1

    def test_a_key_without_a_value_is_none(self) -> None:
        front = read_text("---\na:\nb: ~\nc: null\nd: ''\n---\n")
        assert front.values == {"a": None, "b": None, "c": None, "d": ""}

    def test_an_unquoted_wiki_link_is_its_own_text(self) -> None:
        front = read_text("---\nup: [[Home]]\nmany:\n  - [[A|B]]\n  - [[C, D]]\n---\n")
        assert front.values == {"up": "[[Home]]", "many": ("[[A|B]]", "[[C, D]]")}
        assert read_text("---\nup: [[[A]], [[B]]]\n---\n").values == {"up": ("[[A]]", "[[B]]")}

    def test_nested_values_are_kept_as_their_source(self) -> None:
        front = read_text("---\na: {x: 1}\nb:\n  c: 1\n  d: [2]\ne: [f, {g: 1}]\n---\n")
        assert front.values == {"a": "{x: 1}", "b": "c: 1\n  d: [2]", "e": ("f", "{g: 1}")}
        assert isinstance(front.values["a"], Opaque)
        assert not front.problems

    def test_a_folded_or_literal_scalar_is_joined_as_yaml_says(self) -> None:
        front = read_text("---\na: >-\n  one\n  two\nb: |\n  x\n\n  y\nc: one\n  two\n---\n")
        assert front.values == {"a": "one two", "b": "x\n\ny\n", "c": "one two"}

    def test_crlf_files_read_like_lf_files(self) -> None:
        text = "---\na: 1\nb:\n  - x\n  - 'y'\nc: >-\n  one\n  two\n---\nbody\n"
        assert read_text(text.replace("\n", "\r\n")).values == read_text(text).values

    def test_problems_say_where_they_are(self) -> None:
        problem = read_text("---\ntitle: a\nup: Foo: bar\n---\n").problems[0]
        assert (problem.code, problem.line) == ("bad-yaml", 3)
        assert "quotes" in problem.hint

    def test_the_line_of_a_key_is_known(self) -> None:
        front = read_text("---\n# c\ntitle: a\n'up': b\nnested: {x: 1}\n---\n")
        assert [front.line(key) for key in ("title", "up", "nested", "gone")] == [3, 4, 5, None]

    def test_a_comment_taken_for_a_value_is_a_warning(self) -> None:
        front = read_text("---\ntags: #a #b\nlist:\n  - #c\n  - d # fine\nx:  # fine\n---\n")
        assert [(p.code, p.line) for p in front.problems] == [
            ("value-is-comment", 2),
            ("value-is-comment", 4),
        ]


FRAGMENTS = [
    *("key", "other key", "é", "ключ", "a-b", "_x", "null", "y"),
    *(":", ": ", ":\n", ":\n- ", ":\n  - ", "\n", "\n- ", "\n  - ", " ", "  ", "\t"),
    *('"', "'", "''", "\\", '\\"', "\\n", "\\u00e9", "\\x41", '"q"', "'s'", '""', "''"),
    *("[", "]", ",", ", ", "[a, b]", "[]", "[a,b]", "[a, ]", "{", "}", "{a: b}", "[[A]]"),
    *("#", " #", "#a", "&a", "*a", "!t", "|", ">", "|\n", "%", "@", "`", "?", "? ", "- ", "-"),
    *("yes", "010", "1.10", "12:30:45", "2026-03-11", "~", "null", "Null", "=", "<<", "<<: *a"),
    *("word", "two words", "a: b", "a:b", "https://x.org/a#b", "C#", "ends:", "a #c", "...", "---"),
    *("\u00a0", "\u2028", "\x85", "\ufeff", "\x00", "\x07", "\x7f", "\U0001f600", "\u202e", "\r"),
]


class TestTheQuickReader:
    """Whenever it answers, a YAML parser answers the same."""

    @settings(max_examples=3000, deadline=None)
    @given(st.lists(st.sampled_from(FRAGMENTS), max_size=12).map("".join))
    @example("key: a\n- b\n")
    @example("key:\n- a\n  - b\n")
    @example("a: 1\na: 2\n")
    @example("a" * 2000 + ": 1\n")
    @example("key: [a, b\n, c]\n")
    def test_agrees_with_yaml_on_anything(self, block: str) -> None:
        for text in (block, f"{block}\n"):
            quick = fast.read_values(text)
            if quick is not None:
                assert quick == values(text)
                assert list(quick) == list(values(text))

    @settings(max_examples=800, deadline=None)
    @given(
        st.lists(
            st.tuples(
                st.sampled_from(["id", "kind", "due date", "größe", "x-1"]),
                st.one_of(
                    st.text(max_size=12).map(lambda text: f" {text}"),
                    st.text(max_size=12).map(lambda text: f' "{text}"'),
                    st.text(max_size=12).map(lambda text: f" '{text}'"),
                    st.lists(st.text(max_size=6), max_size=3).map(
                        lambda texts: "".join(f"\n  - {text}" for text in texts)
                    ),
                    st.lists(st.text(max_size=6), max_size=3).map(
                        lambda texts: f" [{', '.join(texts)}]"
                    ),
                ),
            ),
            max_size=4,
        )
    )
    def test_agrees_with_yaml_on_any_text(self, entries: list[tuple[str, str]]) -> None:
        block = "".join(f"{key}:{value}\n" for key, value in entries)
        quick = fast.read_values(block)
        if quick is not None:
            assert quick == values(block)

    @settings(max_examples=800, deadline=None)
    @given(st.lists(st.sampled_from(FRAGMENTS), max_size=12).map("".join))
    @example("a: [x, 'y']\nb:\n- c\n- \"d\"\ne:\nf: [g,h]\n")
    def test_finds_things_where_yaml_finds_them(self, block: str) -> None:
        quick = fast.read_nodes(f"{block}\n")
        if quick is not None:
            slow = parse(f"{block}\n")
            assert isinstance(slow, Mapping)
            assert quick.pairs == slow.pairs

    def test_answers_for_the_notes_we_write(self) -> None:
        block = (
            'id: i-7f3a2kq9xw\ncategory:\n  - "[[tools]]"\nquote: "a \\"b\\""\nn: 4\ntags: [a, b]\n'
        )
        assert fast.read_values(block) == values(block)
        assert fast.read_values(block) is not None

    def test_declines_what_it_must_not_judge(self) -> None:
        declined = ["a: #b\n", "a: {{x}}\n", "a: 1\na: 2\n", "- a\n", "a: 'x\n", "a:\n  b: 1\n"]
        assert [fast.read_values(block) for block in declined] == [None] * len(declined)


def test_both_readers_agree_without_libyaml() -> None:
    """On machines where PyYAML has no C parser, its own parser gives the same trees."""
    program = (
        "import sys; sys.modules['yaml._yaml'] = None\n"
        "from vaultmem.storage.notes.frontmatter import parse\n"
        "import yaml; assert not yaml.__with_libyaml__\n"
        "print(parse('é: [[A]]\\nb: |\\n  x\\n\\nc: {d: 1}\\ne:\\n- f\\n'), parse('a: *b'))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    tree, refused = done.stdout.split(" Refusal(")
    assert tree == str(parse("é: [[A]]\nb: |\n  x\n\nc: {d: 1}\ne:\n- f\n"))
    assert "yaml-alias" in refused


class TestRendering:
    """What we write is read back as the same text: by us, and by PyYAML."""

    @SEVERAL
    @given(st.text(max_size=40))
    @example("yes")
    @example("010")
    @example("2026-02-30")
    @example("# no comment")
    @example("{{title}}")
    @example("\x85\u2028\ufeff\ufffe")
    @example("a\r\nb\tc\x00")
    def test_any_text_comes_back(self, text: str) -> None:
        block = render({"key": text, "list": (text, "b")})
        assert read_text(f"{block}\nbody").values == {"key": text, "list": (text, "b")}

    @SEVERAL
    @given(st.text(max_size=30))
    @example("12:30:45")
    @example("1_000")
    @example("0x1f")
    @example("1e5")
    @example("3 apples")
    @example("N")
    @example("C# and F#")
    def test_pyyaml_reads_the_same_text(self, text: str) -> None:
        if is_plain(text) and text[:4].isdecimal() and text[4:5] == "-":
            return  # dates stay dates for others, by design
        block = render({"key": text}).removeprefix("---\n").removesuffix("---\n")
        assert yaml.safe_load(block) == {"key": text}

    @SEVERAL
    @given(st.dictionaries(st.text(min_size=1, max_size=12), st.text(max_size=5), max_size=4))
    def test_any_key_comes_back(self, fields: dict[str, str]) -> None:
        front = read_text(f"{render(fields)}\nbody")
        assert front.values == fields or front.is_template

    def test_typed_values_look_as_obsidian_shows_them(self) -> None:
        block = render(
            {
                "id": "i-7f3a2kq9xw",
                "category": ("[[tools]]",),
                "valid_from": "2026-03-11",
                "at": "2026-03-11T09:14:00+01:00",
                "importance": 4,
                "confidence": 0.7,
                "tiny": 1e-7,
                "pinned": True,
                "gone": None,
                "none": (),
                "quote": 'she said: "tea"',
            }
        )
        assert block == (
            "---\n"
            "id: i-7f3a2kq9xw\n"
            "category:\n"
            '  - "[[tools]]"\n'
            "valid_from: 2026-03-11\n"
            "at: 2026-03-11T09:14:00+01:00\n"
            "importance: 4\n"
            "confidence: 0.7\n"
            "tiny: 0.0000001\n"
            "pinned: true\n"
            '"none": []\n'
            'quote: "she said: \\"tea\\""\n'
            "---\n"
        )

    def test_half_a_character_is_refused(self) -> None:
        with pytest.raises(BadInputError, match="half a character"):
            render({"key": "a\ud83d"})
        with pytest.raises(BadInputError, match="not a number"):
            render({"key": float("nan")})


def test_marks_hold_in_text_with_line_separators() -> None:
    block = "a: x\u2028y\nb: \ufeffz\x85\nc: 'q'\n"
    root = parse(block)
    assert isinstance(root, Mapping)
    nodes = [node for _, node in root.pairs]
    assert all(isinstance(node, Scalar) for node in nodes)
    assert [block[node.start : node.end] for node in nodes] == ["x\u2028y", "\ufeffz\x85", "'q'"]
    assert values(block) == {"a": "x\u2028y", "b": "\ufeffz\x85", "c": "q"}


def test_a_refusal_is_a_value() -> None:
    found = parse("a: [\n")
    assert isinstance(found, Refusal)
    assert found.code == "bad-yaml"


def test_reading_is_quick() -> None:
    """A generous bound against accidents; the figures are in the commit messages."""
    import time

    note = render({f"key{n}": "some plain text" for n in range(12)}).encode() + b"\nbody\n"
    begun = time.process_time()
    for _ in range(1000):
        frontmatter.read(note, PATH)
    assert time.process_time() - begun < 0.5
