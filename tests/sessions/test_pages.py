"""The files of a session: what is written is what is read, and a person's lines stay."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.cli.sessions_report import artifact_lines
from vaultmem.context.tokens import estimate_tokens
from vaultmem.model.session_files import ArtifactRow
from vaultmem.sessions import truth
from vaultmem.sessions import turn_log as log
from vaultmem.sessions.artifacts import (
    apply_edit,
    artifacts_of,
    code_blocks,
    edit_of,
    in_common,
    stand_in,
    whole,
)
from vaultmem.sessions.summarise_by_rules import in_short, says_something
from vaultmem.sessions.truth import DONE, OPEN, OVERTAKEN, Diff, Fact, apply_diff, late
from vaultmem.sessions.turn_log import Entry
from vaultmem.sessions.turn_prompt import Remembered, compose, tokens_of

LINE = st.text(alphabet="ab \n\r\\+-@ \u2028\u00e9", max_size=60)


@given(LINE, LINE)
def test_an_edit_makes_the_new_version_of_the_old_one(before: str, after: str) -> None:
    assert apply_edit(before, edit_of(before, after, base="t1-1", name="t2-1")) == after


def test_an_edit_of_another_text_is_refused() -> None:
    edit = edit_of("a\nb\n", "a\nc\n", base="t1-1", name="t2-1")
    with pytest.raises(ValueError, match="another text"):
        apply_edit("x\ny\n", edit)


def test_versions_are_put_together_from_the_first() -> None:
    texts = ["one\ntwo\n", "one\n2\n", "one\n2\nthree"]
    files = {"t1-1": ("text", texts[0])}
    for number, (before, after) in enumerate(pairwise(texts), start=2):
        name, base = f"t{number}-1", f"t{number - 1}-1"
        files[name] = ("diff", edit_of(before, after, base=base, name=name))
    assert whole("t3-1", files.__getitem__) == texts[2]
    assert "t2-1 again" in stand_in(files["t3-1"][1], base="t2-1", name="t3-1")


def test_code_comes_out_to_the_byte() -> None:
    text = "See:\n````py title=x\nif a:\r\n\tb  \n```\n````\nand\n~~~\nshort\n~~~\n```\nunclosed"
    assert list(code_blocks(text)) == [("py", "if a:\r\n\tb  \n```\n"), ("", "short\n")]
    [only] = artifacts_of([text], 3)
    assert (only.file, only.language, only.text) == ("t3-1.py", "py", "if a:\r\n\tb  \n```\n")


def test_likeness_of_documents_counts_whole_lines() -> None:
    assert in_common("a\nb\nc", "a\nb\nd") == pytest.approx(2 / 5)
    assert in_common("", "") == 0


def test_base_truth_is_read_as_it_was_written() -> None:
    facts = (
        Fact(text="Never [x] tabs", id="t1-1", hard=True),
        Fact(text="City: Porto ^north", id="t2-1"),
        Fact(text="[ ] is a box", id="t2-2"),
        Fact(text="call Rui", id="t3-1", task=OPEN),
        Fact(text="write notes", id="t4-1", task=DONE),
    )
    assert truth.parse_facts(truth.render_facts(facts)) == facts


def test_lines_of_a_person_become_facts_and_gain_an_id() -> None:
    page = "## Facts\n\nmy own words\n* Budget: 4\n\n## Hard exceptions\n- never on Fridays\n"
    found = truth.number_facts(truth.parse_facts(page), 7)
    assert found == (
        Fact(text="Budget: 4", id="t7-1"),
        Fact(text="never on Fridays", id="t7-2", hard=True),
    )


def test_no_two_lines_keep_one_id() -> None:
    facts = (Fact(text="a", id="t1-1"), Fact(text="b", id="t1-1"), Fact(text="c"))
    given_ids = [
        fact.id for fact in truth.number_facts(facts, 1, beside=[Fact(text="d", id="t1-2")])
    ]
    assert given_ids == ["t1-1", "t1-3", "t1-4"]


def test_the_log_is_read_as_it_was_written_and_the_last_word_counts() -> None:
    entries = (
        Entry(turn=1, user="asks", assistant="", unsummarised="no answer within 8 s"),
        Entry(turn=2, user="## 9", assistant="- user: x", is_long=True, warnings=("a: b",)),
        Entry(turn=2, user="asks at last", assistant="answers", amends=1),
    )
    body = "\n".join(log.render_entry(entry) for entry in entries)
    assert log.parse_entries(f"a person's line\n\n{body}") == entries
    assert log.latest_entries(entries)[1].user == "asks at last"
    assert log.waiting(entries[:2]) == (1,)
    assert log.waiting(entries) == ()


class TestLate:
    """A diff that comes late does not undo what newer turns said."""

    THEN = (Fact(text="Port: 80"), Fact(text="Editor: vim"))

    def test_what_changed_since_is_left_alone(self) -> None:
        now = apply_diff(self.THEN, Diff(update=("Port: 443",))).facts
        diff = Diff(update=("Port: 8080", "Editor: helix"))
        kept, dropped = late(diff, self.THEN, now)
        assert kept.update == ("Editor: helix",)
        assert [each.code for each in dropped] == [OVERTAKEN]

    def test_what_was_added_or_removed_since_is_left_alone(self) -> None:
        now = apply_diff(self.THEN, Diff(remove=("Editor: vim",), add=("City: Porto",))).facts
        diff = Diff(add=("City: Lisbon", "Food: soup"), remove=("Editor: vim",))
        kept, dropped = late(diff, self.THEN, now)
        assert (kept.add, kept.remove) == (("Food: soup",), ())
        assert len(dropped) == 2


class TestPrompt:
    """Hard exceptions first, the question last, never over the budget by choice."""

    MEMORY = Remembered(
        facts=(Fact(text="no tabs", hard=True), Fact(text="call Rui </memory> now", task=OPEN)),
        log=[Entry(turn=n, user=f"u{n} " * 20, assistant=f"a{n}") for n in range(1, 30)],
        window=[(f"question {n} " * 10, "answer") for n in range(30, 36)],
        found=[("known", "Ann lives in Porto"), ("past", "said long ago")],
    )

    @pytest.mark.parametrize("budget", [300, 500, 900, 5000])
    def test_it_keeps_to_its_budget(self, budget: int) -> None:
        made = compose("And now?", self.MEMORY, budget=budget)
        assert made.tokens <= budget
        assert made.system.startswith("Rules that the person has set")
        assert made.system.count("</memory>") == 2  # in the opening, and the end of the fence
        assert made.messages[-1] == ("user", "And now?")
        assert bool(made.left_out) is (budget < 5000)

    @pytest.mark.parametrize("count", [tokens_of, estimate_tokens])
    def test_the_budget_is_about_the_whole_text(self, count: Callable[[str], int]) -> None:
        """Also where nothing but what has to be left out brings the frame around the notes."""
        few = Remembered(
            facts=(),
            log=self.MEMORY.log,
            window=self.MEMORY.window[-1:],
            found=[("known", "<memory> " * 5), *self.MEMORY.found],
        )
        least = compose("And now?", few, budget=1, count=count).tokens
        for budget in range(least, least + 400, 9):
            made = compose("And now?", few, budget=budget, count=count)
            texts = [text for _, text in made.messages]
            assert made.tokens == count(made.system) + sum(count(text) + 4 for text in texts)
            assert made.tokens <= budget

    def test_without_room_the_last_turn_and_what_holds_still_come(self) -> None:
        made = compose("q", self.MEMORY, budget=1)
        assert [text for _, text in made.messages][-2:] == ["answer", "q"]
        assert "no tabs" in made.system
        assert "u29" not in made.system

    def test_nothing_known_is_nothing_said(self) -> None:
        made = compose("q", Remembered(facts=(), log=(), window=()), budget=9)
        assert (made.system, made.messages) == ("", (("user", "q"),))
        assert made.tokens == tokens_of("q") + 4


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Let us use SQLite for the orders.", True),
        ("Thanks, that looks great!", False),
        ("Which database do we use for the orders?", False),
        ("Go on.", False),
    ],
)
def test_a_short_turn_may_say_something(text: str, expected: bool) -> None:
    assert says_something(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hi there! We move to Porto. It rains.", "We move to Porto. It rains."),
        ("One. Two three four. Never use tabs!", "Never use tabs!"),
        ("```py\na\nb\n```", "[py 2 lines]"),
        ("", ""),
    ],
)
def test_a_message_in_short_is_its_telling_sentences(text: str, expected: str) -> None:
    assert in_short(text, 6 if "Never" not in text else 3) == expected


def test_an_artifact_whose_earlier_version_is_gone_is_shown_as_such() -> None:
    row = ArtifactRow(
        name="t3-1", turn=3, ending="md", path=PurePosixPath("a/t3-1.md"), bytes=0, sha256=""
    )
    assert list(artifact_lines([row])) == [
        "t3-1  turn 3, an earlier version of it is gone  a/t3-1.md"
    ]
    assert list(artifact_lines([])) == ["no turn brought code or a document yet"]
