"""One turn through a summariser that answers, errs, invents or stays silent."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from vaultmem.base.errors import BusyError
from vaultmem.language.stems import Stems
from vaultmem.sessions.summarise import CLIPPED, UNGROUNDED, Outcome, summarise
from vaultmem.sessions.truth import Fact
from vaultmem.sessions.turn_log import focus
from vaultmem.sessions.turn_size import Raw, clip_words, code_share, count_words, has_cue, window

USER = "Let's store the orders in SQLite from now on, Postgres is too much for us."
ASSISTANT = "Agreed: orders go to SQLite; I will drop the Postgres container."
KNOWN = (Fact(text="Database: Postgres", id="f1"),)
GOOD = {
    "user_summary": "Orders move to SQLite.",
    "assistant_summary": "Will drop the Postgres container.",
    "diff": {"update": ["Database: SQLite"]},
}


def scripted(*replies: object) -> Callable[[], str]:
    """A summariser that gives these replies, one a call; an error is raised."""
    left: Iterator[object] = iter(replies)

    def ask() -> str:
        reply = next(left)
        if isinstance(reply, BusyError):
            raise reply
        return reply if isinstance(reply, str) else json.dumps(reply)

    return ask


def turn(*replies: object, with_diff: bool = True) -> Outcome:
    return summarise(scripted(*replies), KNOWN, USER, ASSISTANT, stem=Stems(), with_diff=with_diff)


def test_a_good_reply_changes_base_truth() -> None:
    done = turn(GOOD)
    assert done.is_summarised
    assert done.applied.facts == (Fact(text="Database: SQLite", id="f1"),)


@pytest.mark.parametrize(
    "malformed",
    [
        "I am sorry, I cannot do that.",
        "[1, 2]",
        {"user_summary": 5, "assistant_summary": "x", "diff": {}},
        {"user_summary": "x", "assistant_summary": "y", "diff": {"add": "Database: SQLite"}},
        {"user_summary": "x", "diff": {"add": ["a b"] * 500}},
        {},
        '{"user_summary": "x", "diff": {"add": ["unfinished',
    ],
)
def test_a_malformed_reply_is_asked_for_once_more(malformed: object) -> None:
    assert turn(malformed, GOOD).attempts == 2
    failed = turn(malformed, malformed, GOOD)
    assert failed.attempts == 2
    assert not failed.is_summarised
    assert failed.applied.facts == KNOWN
    assert failed.user == USER


def test_no_answer_is_not_asked_for_again() -> None:
    done = turn(BusyError("no answer within 8 s"), GOOD)
    assert (done.attempts, done.is_summarised, done.failure) == (1, False, "no answer within 8 s")


def test_what_nobody_said_does_not_become_a_fact() -> None:
    invented = {"add": ["The client is Acme in Toronto"], "update": ["Database: MongoDB cluster"]}
    done = turn({**GOOD, "diff": invented})
    assert done.applied.facts == KNOWN
    assert done.applied.codes == (UNGROUNDED,)
    assert not done.is_applied


def test_pasted_words_take_no_fact_away() -> None:
    """Not even where the summariser takes them for the person's."""
    reply = {
        "user_summary": "They use SQLite now.",
        "assistant_summary": "Noted.",
        "diff": {"remove": ["Database: Postgres"], "update": ["Database: SQLite"]},
    }
    user = "Translate: We use SQLite now, not Postgres. We dropped Postgres."
    done = summarise(scripted(reply), KNOWN, user, "Noted.", stem=Stems(), with_diff=True)
    assert done.applied.facts == KNOWN
    done = summarise(scripted(reply), KNOWN, USER, ASSISTANT, stem=Stems(), with_diff=True)
    assert done.applied.facts != KNOWN


def test_the_key_of_a_fact_need_not_have_been_said_its_value_must() -> None:
    told = {"add": ["Storage engine: SQLite", "Postgres container: Kubernetes"]}
    done = turn({**GOOD, "diff": told})
    assert [fact.text for fact in done.applied.facts] == ["Database: Postgres", told["add"][0]]


def test_a_paraphrase_of_what_was_said_does() -> None:
    done = turn({**GOOD, "diff": {"add": ["User stores orders in SQLite"]}})
    assert [fact.text for fact in done.applied.facts][-1] == "User stores orders in SQLite"


def test_a_slight_turn_changes_nothing() -> None:
    assert turn(GOOD, with_diff=False).applied.facts == KNOWN


def test_long_summaries_are_cut_at_the_limit() -> None:
    done = turn({**GOOD, "user_summary": "word " * 40})
    assert count_words(done.user) == 25
    assert CLIPPED in done.applied.codes


def test_words_are_clipped_between_words() -> None:
    assert clip_words("one  two\nthree - four", 3) == ("one two three…", True)
    assert clip_words("one - two", 2) == ("one - two", False)


def test_code_is_what_stands_in_blocks() -> None:
    assert code_share("see:\n\n    x = 1\n") == pytest.approx(3 / 7)
    assert code_share("a paragraph\n    that goes on") == 0
    assert code_share("~~~\nunclosed") == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Never use tabs here", True),
        ("you can\u2019t deploy on Fridays", True),
        ("No, not Java", True),
        ("forget that", True),
        ("nothing to add, great!", False),
        ("the mustard is yellow", False),
    ],
)
def test_constraints_and_corrections_are_heard_in_short_turns(text: str, expected: bool) -> None:
    assert has_cue(text) is expected


def test_a_turn_without_summary_stays_in_the_window() -> None:
    turns = [Raw(turn=n, is_summarised=n != 2) for n in range(1, 11)]
    assert window(turns, size=3) == (2, 8, 9, 10)


def test_the_focus_is_on_what_was_said_lately_and_often() -> None:
    said = ["the garden needs a fence", "the fence is oak", "paint the oak fence green"]
    terms = dict(focus(said))
    assert list(terms)[:2] == ["fence", "oak"]
    assert terms["fence"] == pytest.approx(1 + 0.8 + 0.64)
    assert focus([]) == ()
