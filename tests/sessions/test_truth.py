"""Base truth: what a diff may do, what it may not, and what pruning keeps."""

from __future__ import annotations

import pytest

from vaultmem.language.stems import Stems
from vaultmem.sessions.summarise_by_rules import REFUSED, is_due, prune_facts, pruned_by_rule
from vaultmem.sessions.truth import (
    AMBIGUOUS_REMOVE,
    DONE,
    HARD,
    OPEN,
    OVERTAKEN,
    UNKNOWN_REMOVE,
    UNKNOWN_UPDATE,
    Diff,
    Fact,
    apply_diff,
    late,
)

STEM = Stems()


def facts(*texts: str, hard: tuple[str, ...] = ()) -> tuple[Fact, ...]:
    return tuple(Fact(text=text, hard=text in hard, id=f"f{n}") for n, text in enumerate(texts))


def texts_of(found: tuple[Fact, ...]) -> list[str]:
    return [fact.text for fact in found]


@pytest.mark.parametrize(
    ("entry", "left", "code"),
    [
        ("user", ["User prefers tabs", "User prefers tea", "Editor: vim"], UNKNOWN_REMOVE),
        (
            "user prefers",
            ["User prefers tabs", "User prefers tea", "Editor: vim"],
            AMBIGUOUS_REMOVE,
        ),
        ("PREFERS   tea!", ["User prefers tabs", "Editor: vim"], ""),
        ("prefers te", ["User prefers tabs", "User prefers tea", "Editor: vim"], UNKNOWN_REMOVE),
    ],
)
def test_a_removal_needs_one_fact_that_it_can_mean(entry: str, left: list[str], code: str) -> None:
    known = facts("User prefers tabs", "User prefers tea", "Editor: vim")
    done = apply_diff(known, Diff(remove=(entry,)))
    assert texts_of(done.facts) == left
    assert done.codes == ((code,) if code else ())


def test_an_update_keeps_the_id_and_the_place() -> None:
    done = apply_diff(facts("Editor: vim", "City: Porto"), Diff(update=("editor: Helix",)))
    assert [(fact.id, fact.text) for fact in done.facts] == [
        ("f0", "editor: Helix"),
        ("f1", "City: Porto"),
    ]


def test_an_update_that_may_mean_two_facts_changes_neither() -> None:
    known = facts("The red bicycle is in the cellar", "The blue bicycle is in the cellar")
    done = apply_diff(known, Diff(update=("The green bicycle is in the cellar",)))
    assert texts_of(done.facts) == [*texts_of(known), "The green bicycle is in the cellar"]
    assert done.codes == (UNKNOWN_UPDATE,)


def test_only_a_task_that_is_open_can_be_done() -> None:
    known = (Fact(text="Call the plumber", task=OPEN), Fact(text="The plumber is Tom"))
    done = apply_diff(known, Diff(done=("call the plumber", "The plumber is Tom.")))
    assert [fact.task for fact in done.facts] == [DONE, ""]


def test_an_entry_that_comes_late_does_not_touch_what_was_changed_since() -> None:
    then = facts("Editor: vim", "City: Porto")
    now = facts("Editor: vim", "City: Faro")
    for change in (Diff(update=("City: Braga",)), Diff(remove=("City: Porto",))):
        kept, warned = late(change, then, now)
        assert kept.is_empty
        assert [each.code for each in warned] == [OVERTAKEN]
    kept, warned = late(Diff(update=("Editor: Helix",)), then, now)
    assert (kept.update, warned) == (("Editor: Helix",), ())


def test_an_entry_that_comes_late_leaves_alone_what_came_since() -> None:
    then, now = facts("City: Porto"), facts("City: Porto", "Editor: vim")
    kept, warned = late(Diff(update=("Editor: Emacs",)), then, now)
    assert kept.is_empty
    assert [each.code for each in warned] == [OVERTAKEN]


def test_an_update_of_one_key_does_not_swallow_a_longer_one() -> None:
    done = apply_diff(facts("Python version: 3.9"), Diff(update=("Python: yes",)))
    assert texts_of(done.facts) == ["Python version: 3.9", "Python: yes"]
    assert done.codes == (UNKNOWN_UPDATE,)


@pytest.mark.parametrize(
    "diff",
    [
        Diff(remove=("Never deploy on Fridays",)),
        Diff(remove=("deploy on fridays",)),
        Diff(update=("Never deploy on Mondays",)),
    ],
)
def test_a_hard_fact_obeys_the_person_only(diff: Diff) -> None:
    known = facts("Never deploy on Fridays", hard=("Never deploy on Fridays",))
    refused = apply_diff(known, diff)
    assert refused.facts == known
    assert refused.codes == (HARD,)
    assert apply_diff(known, diff, by_person=True).facts != known


def test_what_is_said_again_as_a_rule_becomes_hard_and_is_not_doubled() -> None:
    again = Diff(add=("no tabs here.",), hard=("No tabs here",))
    [fact] = apply_diff(facts("No tabs here"), again).facts
    assert fact.hard
    assert fact.id == "f0"


class TestPruning:
    """Every 15 turns, or too long; no fact is invented, little is lost, hard ones stay."""

    def test_is_due_by_turns_or_by_length(self) -> None:
        limits = {"most_tokens": 800, "every": 15}
        assert is_due(15, 0, tokens=10, **limits)
        assert not is_due(29, 15, tokens=800, **limits)
        assert is_due(16, 15, tokens=801, **limits)

    def test_a_hard_fact_that_misses_comes_back_word_for_word(self) -> None:
        known = facts("Never use tabs!", "Database: SQLite", hard=("Never use tabs!",))
        done = prune_facts(known, ["Database: SQLite"], stem=STEM)
        assert done.facts == known

    def test_two_that_say_the_same_may_become_one(self) -> None:
        known = facts("Database: SQLite", "The database is SQLite 3.45", "City: Porto")
        done = prune_facts(known, ["The database is SQLite 3.45", "City: Porto"], stem=STEM)
        assert texts_of(done.facts) == ["The database is SQLite 3.45", "City: Porto"]

    def test_what_would_lose_much_or_invent_is_refused(self) -> None:
        known = facts("Database: SQLite", "City: Porto", "Budget: 4,000 euros")
        for kept in (["Database: SQLite"], [*texts_of(known), "The client is Acme Corporation"]):
            done = prune_facts(known, kept, stem=STEM)
            assert done.facts == known
            assert done.codes == (REFUSED,)

    def test_without_a_summariser_only_what_another_says_goes(self) -> None:
        known = facts(
            "Probably the database is SQLite",
            "The database is SQLite 3.45",
            "Database: Postgres",
            "Database: Postgres 16",
            "Deploy: Friday",
            "Deploy: not Friday",
        )
        assert texts_of(pruned_by_rule(known, stem=STEM).facts) == [
            "The database is SQLite 3.45",
            "Database: Postgres 16",
            "Deploy: Friday",
            "Deploy: not Friday",
        ]
