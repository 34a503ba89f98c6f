"""The statement of an item is its first paragraph; replacing it leaves the rest alone."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from vaultmem.base.errors import PatchRefusedError
from vaultmem.storage.notes.markdown import (
    read_statement,
    render_statement,
    replace_statement,
    statement_span,
)


@pytest.mark.parametrize(
    ("body", "statement"),
    [
        ("\nI like tea.\n", "I like tea."),
        ("\nI like\ntea.\n\nMore of it.\n", "I like tea."),
        ("\r\nI like\r\ntea.\r\n\r\nMore.\r\n", "I like tea."),
        ("# Tea\n\nI like tea.\n", "I like tea."),
        ("# Tea\n", "Tea"),
        ("- I like tea. ^ref\n- And coffee.\n", "I like tea."),
        ("> I like\n> tea\n", "I like"),
        ("I like tea.\n- because\n", "I like tea."),
        ("#tea is good", "#tea is good"),
        ("", ""),
        ("\n \n", ""),
    ],
)
def test_the_first_paragraph_is_the_statement(body: str, statement: str) -> None:
    assert read_statement(body) == statement


@settings(max_examples=500, deadline=None)
@given(st.text(max_size=30))
@example("# no heading")
@example("- no list")
@example("> no quote")
@example("\\- a backslash")
@example("ends in ^ref")
@example("ends in \\^ref")
@example("```no code")
@example("---")
@example("a\x85b")
def test_what_is_written_is_read_back(text: str) -> None:
    assert read_statement(f"\n{render_statement(text)}\n") == " ".join(text.split())


class TestReplacing:
    def test_everything_else_stays(self) -> None:
        before = (
            b"\xef\xbb\xbf---\r\nid: x\r\n---\r\n\r\n# T\r\n\r\nOld\r\none. ^ref\r\n\r\nMore  \r\n"
        )
        after = replace_statement(before, "New  one.")
        assert after == before.replace(b"Old\r\none.", b"New one.")

    def test_the_same_statement_changes_nothing(self) -> None:
        before = b"---\nid: x\n---\n\nOld\none.\n"
        assert replace_statement(before, "Old one.") == before

    def test_an_empty_note_gains_one(self) -> None:
        assert replace_statement(b"", "New.") == b"New.\n"
        assert replace_statement(b"---\nid: x\n---", "New.") == b"---\nid: x\n---\n\nNew.\n"
        assert replace_statement(b"---\nid: x\n---\n\n", "New.") == b"---\nid: x\n---\n\nNew.\n"

    def test_nothing_is_no_statement(self) -> None:
        with pytest.raises(PatchRefusedError):
            replace_statement(b"Old.\n", "  ")

    def test_other_encodings_are_refused(self) -> None:
        with pytest.raises(PatchRefusedError, match="UTF-8"):
            replace_statement(b"caf\xe9\n", "New.")

    @settings(max_examples=400, deadline=None)
    @given(
        st.lists(
            st.sampled_from(
                ["Old.", "# H", "", "more", "- list", "> q", "```", "\\# x", "^ref", "\t", "#"]
            ),
            max_size=6,
        ),
        st.text(st.sampled_from("ab #->\\^`1"), min_size=1, max_size=10),
        st.sampled_from(["\n", "\r\n"]),
    )
    def test_it_is_read_back_and_below_it_nothing_changes(
        self, lines: list[str], statement: str, eol: str
    ) -> None:
        assume(statement.strip())
        body = eol.join(lines)
        try:
            after = replace_statement(f"---\nid: x\n---\n{body}".encode(), statement)
        except PatchRefusedError:
            return
        text = after.decode().removeprefix("---\nid: x\n---\n")
        start, end = statement_span(body)
        assert read_statement(text) == " ".join(statement.split())
        assert text.startswith(body[:start])
        assert text.endswith(body[end:] if start < end else "\n")
        assert replace_statement(after, statement) == after
