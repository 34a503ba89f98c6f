"""The same wish in other words is one wish; a wish for something near is another."""

from __future__ import annotations

import pytest

from tests.learn.test_learn import after, run, session
from vaultmem.judgement.wishes import are_one

SAME = [
    ("Please keep your replies short.", "I prefer concise answers."),
    ("I always want brief answers.", "Please keep the responses terse."),
    ("Never use semicolons in Swift.", "Don't put semicolons in Swift."),
    ("Always begin with the tests.", "Please always write tests first."),
    ("I prefer a light theme.", "I like light mode better."),
    ("Please answer in Polish.", "Always reply in Polish."),
    ("Never use print debugging.", "Avoid print debugging."),
    ("Never show log output.", "Avoid log output."),
    ("Always push to the test server first.", "Please always deploy to the test server first."),
    ("Avoid emojis.", "Never use emoticons."),
    ("Ich bevorzuge knappe Antworten.", "Bitte fass dich immer kurz."),
]
OTHER = [
    ("Always use tabs.", "Always use spaces."),
    ("Always answer in Polish.", "Always answer in Czech."),
    ("Never deploy on Fridays.", "Never deploy on Mondays."),
    ("Avoid cats.", "Avoid dogs."),
    ("I prefer window seats.", "I prefer aisle seats."),
    ("Always use short names.", "Always use long names."),
    ("Never call my mother.", "Never call my father."),
    ("Always write three examples.", "Always write two examples."),
    ("Always keep your answers short.", "Always keep your functions short."),
    ("Never use print debugging.", "Always use print debugging."),
    ("I prefer trains.", "I prefer buses."),
    ("Avoid flights before 9.", "Avoid flights before 7."),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_wish_in_other_words_makes_one_rule(one: str, other: str) -> None:
    learned = run((), [session(1, 0, one), session(2, 1, other)], 2)
    assert [len(rule.sessions) for rule in learned.rules] == [2]


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_a_wish_for_something_near_makes_none(one: str, other: str) -> None:
    assert run((), [session(1, 0, one), session(2, 1, other)], 2).rules == ()


@pytest.mark.parametrize(("one", "other"), SAME)
def test_it_makes_no_difference_whether_a_run_came_between(one: str, other: str) -> None:
    said = [session(1, 0, one), session(2, 1, one), session(3, 2, other)]
    early = run((), said[:2], 1)
    late = run(after((), early), said, 3)
    at_once = run((), said, 3)
    assert [rule.id for rule in late.rules] == [rule.id for rule in at_once.rules]
    assert [rule.sessions for rule in late.rules] == [rule.sessions for rule in at_once.rules]


def test_what_somebody_else_says_is_still_no_wish() -> None:
    said = ("The guide says never use semicolons.", "Always do what the manual says.")
    talks = [session(number, number, *said) for number in (1, 2)]
    assert [rule.statement for rule in run((), talks, 3).rules if "semicolons" in rule.value] == []


def test_words_of_two_letters_or_with_figures_are_never_guessed() -> None:
    assert not are_one("port 80", "port 81")
    assert not are_one("v2", "v3")
    assert not are_one("", "")
