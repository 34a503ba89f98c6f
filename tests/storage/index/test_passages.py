"""What a note is searched by: its passages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.storage.index.building import category, item, page, resource, stream
from vaultmem.storage.index.text.passages import MOST_CHARACTERS, MOST_WORDS, passages

LIST_LINES = (
    *("- I swim. ^i-0000000001", "- I ride. ^i-0000000002  ", "- [ ] Call. ^i-0000000003", "- own"),
    *("  goes on", "text", "## Heading", "- - -", "---", "<!-- note -->", "%%", "", " ", "> said"),
    *("  - below ^i-0000000004", "* star ^i-0000000005", "-\tby tab ^i-0000000006", "-", "1. one"),
)
TALK = """\
**Caroline** (2023-05-08 13:56): Hey Mel! Good to see you!
How are you?

A second paragraph of the same turn.

**Mel**: Fine. [image: a photo of a dog]

\\**Caroline** (x): is what I would write.

**Ann B.** (not a date): So be it.
"""


class TestConversations:
    """One passage a turn, with who said it and when."""

    def test_turns(self) -> None:
        found = passages(resource(TALK))
        assert [(p.speaker, p.line, p.seq) for p in found] == [
            ("Caroline", 7, 0),
            ("Mel", 12, 1),
            ("Ann B.", 16, 2),
        ]
        assert found[0].text == (
            "Hey Mel! Good to see you!\nHow are you?\n\nA second paragraph of the same turn."
        )
        assert found[0].date == 1_683_554_160_000
        assert found[2].date is None

    def test_a_text_that_looks_like_a_turn_is_unescaped(self) -> None:
        assert passages(resource(TALK))[1].text.endswith(
            "\n\n**Caroline** (x): is what I would write."
        )

    def test_turn_dates_are_in_the_zone_of_the_vault(self) -> None:
        found = passages(resource(TALK), zone="+02:00")
        assert found[0].date == 1_683_554_160_000 - 2 * 3_600_000

    def test_a_document_with_a_bold_word_and_a_colon_is_no_conversation(self) -> None:
        found = passages(resource("Intro.\n\n**Note**: not a turn.\n"))
        assert [(p.text, p.speaker) for p in found] == [
            ("Intro.", ""),
            ("**Note**: not a turn.", ""),
        ]

    def test_a_heading_may_stand_before_the_first_turn(self) -> None:
        found = passages(resource("# Monday\n\n**Ann**: hello\n"))
        assert [(p.text, p.speaker, p.line) for p in found] == [("hello", "Ann", 9)]

    def test_a_long_turn_is_cut_and_keeps_its_speaker(self) -> None:
        text = " ".join(f"This is sentence number {n} of the turn." for n in range(30))
        found = passages(resource(f"**Ann**: {text}\n"))
        assert len(found) > 2
        assert {p.speaker for p in found} == {"Ann"}
        assert " ".join(p.text for p in found) == text


class TestDocuments:
    """One passage a paragraph or top-level bullet."""

    def test_paragraphs_bullets_code_tables(self) -> None:
        body = (
            "# Title\n\n## Part\n\nOne\nparagraph.\n\n- first ^block\n  nested\n- [ ] second\n"
            "2. third\n\n---\n\n```py\nx = 1\n\n# code\n```\n\n| a | b |\n|---|---|\n\n"
            "%% a comment %%\n<!-- another -->\nLast.\n"
        )
        found = passages(page(body))
        assert [(p.line, p.text) for p in found] == [
            (1, "# Title\n\n## Part\n\nOne\nparagraph."),
            (8, "first\n  nested"),
            (10, "second"),
            (11, "third"),
            (15, "```py\nx = 1\n\n# code\n```"),
            (21, "| a | b |\n|---|---|"),
            (26, "Last."),
        ]

    def test_windows_line_ends(self) -> None:
        assert [p.text for p in passages(page("One.\r\n\r\n- two\r\n"))] == ["One.", "two"]

    def test_what_stands_below_an_item_in_a_list_is_found(self) -> None:
        body = (
            "- My piano is old. ^i-0000000001\n\t- tuned by Olga\n\t- It is black. ^i-0000000002\n"
            "\t\t- ebony\n1. I swim. ^i-0000000003\n"
            "> - I ride. ^i-0000000004\nA kayak. ^i-0000000005\n"
        )
        assert [(p.text.split(), p.line) for p in passages(stream(body))] == [
            (["-", "tuned", "by", "Olga", "-", "ebony"], 2)
        ]

    def test_a_bullet_that_is_an_item_is_left_to_the_item(self) -> None:
        body = "# Identity\n\nProse.\n\n- Adopted. ^i-7f3a2kq9xw\n- New one\n  goes on\n\n## Old\n"
        assert [p.text for p in passages(stream(body))] == [
            "# Identity\n\nProse.",
            "New one\n  goes on",
        ]

    @given(st.lists(st.sampled_from(LIST_LINES), min_size=1, max_size=8))
    def test_a_list_says_the_same_in_one_piece_and_line_by_line(self, lines: list[str]) -> None:
        body = "\n".join(lines)
        # Where a fence stands in a list, its lines are looked at one by one.
        *by_line, _ = passages(stream(body + "\n\n~~~"))
        assert passages(stream(body)) == by_line

    def test_an_id_that_an_editor_left_alone_on_a_line_is_text(self) -> None:
        body = "- Leni bakes rye bread\n^i-7f3a2kq9xw\n- And a cake\n"
        found = [each.text for each in passages(stream(body))]
        assert any("rye bread" in text for text in found)
        assert any("cake" in text for text in found)

    def test_a_summary_line_that_links_to_an_item_is_left_to_the_item(self) -> None:
        body = (
            "# Tools\n\n<!-- vaultmem:begin summary -->\n- Tabs. [[tabs-i-7f3a2kq9xw]]\n"
            "- An evolved sentence.\n<!-- vaultmem:end -->\n\n- mine [[tabs-i-7f3a2kq9xw]]\n"
        )
        assert [p.text for p in passages(category(body))] == [
            "# Tools",
            "An evolved sentence.",
            "mine [[tabs-i-7f3a2kq9xw]]",
        ]


class TestItems:
    """The statement first, further paragraphs after it."""

    def test_statement_and_more(self) -> None:
        found = passages(item("I prefer tabs.", more="Since 2019.\n\n- a bullet"))
        assert [(p.seq, p.line, p.text) for p in found] == [
            (0, 11, "I prefer tabs."),
            (1, 13, "Since 2019."),
            (2, 15, "a bullet"),
        ]

    def test_a_statement_shown_in_other_words_keeps_what_is_below(self) -> None:
        kept = item("I prefer tabs.", more="Since 2019.")
        from dataclasses import replace

        found = passages(replace(kept, statement="I prefer spaces."))
        assert [p.text for p in found] == ["I prefer spaces.", "Since 2019."]


class TestPieces:
    """No passage is long, none is lost, and every one lies where its line says."""

    @pytest.mark.parametrize(
        "body",
        [
            " ".join(f"word{n}" for n in range(500)),
            "日本語の文章です。" * 200,
            "x" * 5_000,
            "a. " * 800,
            "| cell | cell |\n" * 200,
            "```\n" + "line of code here\n" * 200 + "```",
        ],
    )
    def test_long_texts_are_cut(self, body: str) -> None:
        found = passages(page(body))
        assert len(found) > 1
        assert "".join("".join(p.text for p in found).split()) == "".join(body.split())
        assert all(len(p.text.split()) <= MOST_WORDS for p in found)
        assert all(len(p.text) <= MOST_CHARACTERS for p in found)

    @given(st.text(st.sampled_from("ab \n-#*.!?`|1>^")))
    def test_line_numbers_point_at_the_text(self, body: str) -> None:
        lines = body.split("\n")
        found = passages(page(body, title="B"))
        if [passage.text for passage in found] == ["B"]:
            return  # a page without text is found by its title
        for number, passage in enumerate(found):
            assert passage.seq == number
            assert passage.text == passage.text.strip()
            assert passage.text.split("\n")[0].strip() in lines[passage.line - 1]

    @pytest.mark.parametrize(
        "mark", ["- ", "-", "*", "[[", "**a", "%%", " ", "a.", "`", "1. ", "|", "\n"]
    )
    def test_no_text_takes_long(self, mark: str) -> None:
        body = (mark * 100_000)[:100_000] + "x"
        passages(page(body))
        passages(category("<!-- vaultmem:begin summary -->\n" + body))
        passages(resource("**a**: " + body))
