"""How sure rules are over time, whatever the schedule; what counts once, and what never."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vaultmem.base.records import replace
from vaultmem.language.time import DAY_MS
from vaultmem.learn import confidence as sure
from vaultmem.learn.conversations import Call, Session, Utterance
from vaultmem.learn.patterns import all_sightings, trigger_of
from vaultmem.learn.rules import Knobs, Learned, Rule, learn, worth

START = 1_770_000_000_000
TABS = "I prefer tabs for indentation."
NOT_TABS = "I never use tabs for indentation."


def session(number: int, day: float, *said: str) -> Session:
    """A conversation of that day; the assistant answers each time."""
    turns = []
    for words in said:
        turns += [Utterance(role="user", text=words), Utterance(role="assistant", text="ok")]
    return Session(id=f"s{number}", turns=tuple(turns), at=START + round(day * DAY_MS))


def run(
    rules: tuple[Rule, ...], sessions: list[Session], day: float, knobs: Knobs | None = None
) -> Learned:
    now = START + round(day * DAY_MS)
    return learn(rules, sessions, all_sightings(sessions), now=now, knobs=knobs)


def after(rules: tuple[Rule, ...], learned: Learned) -> tuple[Rule, ...]:
    """All rules as they are kept after a run."""
    kept = {rule.id: rule for rule in rules}
    kept |= {change.rule.id: change.rule for change in learned.changes}
    return tuple(kept.values())


def taught() -> tuple[tuple[Rule, ...], list[Session]]:
    """A rule from two conversations, and these."""
    sessions = [session(1, 0, TABS), session(2, 1, TABS)]
    sessions += [session(n, 1, "Hello.") for n in range(3, 20)]
    learned = run((), sessions, 2)
    assert [change.what for change in learned.changes] == ["created"]
    return after((), learned), sessions


@settings(max_examples=25)
@given(
    days=st.lists(st.floats(2, 90), min_size=1, max_size=6),
    stops=st.lists(st.floats(2, 100), max_size=6),
)
def test_the_schedule_of_runs_does_not_matter(days: list[float], stops: list[float]) -> None:
    rules, sessions = taught()
    later = [session(100 + n, day, TABS) for n, day in enumerate(sorted(days))]
    end = START + 100 * DAY_MS

    def held(runs: list[float]) -> float:
        known = rules
        for day in [*sorted(runs), 100.0]:
            there = [s for s in later if (s.at or 0) <= START + day * DAY_MS]
            known = after(known, run(known, [*sessions, *there], day, Knobs(prune_below=0.0)))
        (rule,) = known
        return worth(rule, end)

    assert held(stops) == pytest.approx(held([]), abs=1e-9)


def test_the_same_conversations_again_change_nothing() -> None:
    rules, sessions = taught()
    assert run(rules, sessions, 2).changes == ()
    assert run(rules, sessions, 9).changes == ()


def test_a_rule_fades_is_put_away_and_comes_back_with_new_conversations_only() -> None:
    rules, sessions = taught()
    gone = run(rules, sessions, 120)
    assert [change.what for change in gone.changes] == ["pruned"]
    rules = after(rules, gone)
    assert run(rules, sessions, 121).changes == ()
    once = [*sessions, session(50, 122, TABS)]
    assert run(rules, once, 122).changes == ()
    twice = [*once, session(51, 123, TABS)]
    back = run(rules, twice, 123)
    assert [change.what for change in back.changes] == ["revived"]
    assert 0.15 < worth(back.rules[0], START + 123 * DAY_MS) <= 0.2


def parts(*sessions: Session) -> list[Session]:
    """One conversation that was ended, resumed and ended again."""
    return [replace(session, part_of="talk") for session in sessions]


def test_a_conversation_that_was_resumed_counts_once_for_a_rule() -> None:
    first, second = parts(session(50, 0, TABS), session(51, 1, TABS))
    assert run((), [first, second], 2).changes == ()
    (made,) = run((), [first, second, session(52, 2, TABS)], 3).changes
    assert (made.what, made.rule.sessions) == ("created", ("s50", "s52"))
    for counted in (first, second):  # whichever of its parts a rule names
        rules, sessions = taught()
        rules = after(rules, run(rules, [*sessions, counted], 3))
        assert run(rules, [*sessions, first, second], 3).changes == ()


def test_a_resumed_conversation_confirms_once_and_weakens_once() -> None:
    rules, sessions = taught()
    both = parts(session(50, 3, TABS), session(51, 3, TABS))
    assert run(rules, [*sessions, *both], 3).of("reinforced")[0].rule.sessions[2:] == ("s50",)
    both = parts(session(50, 3, NOT_TABS), session(51, 3, NOT_TABS))
    assert run(rules, [*sessions, *both], 3).of("weakened")[0].rule.against == ("s50",)


def test_who_changes_their_mind_in_a_later_part_weakens_the_rule() -> None:
    rules, sessions = taught()
    first = parts(session(50, 3, TABS))
    rules = after(rules, run(rules, [*sessions, *first], 3))
    again = [*sessions, *first, *parts(session(51, 4, NOT_TABS))]
    (weaker,) = run(rules, again, 4).of("weakened")
    assert weaker.rule.against == ("s51",)
    assert run(after(rules, run(rules, again, 4)), again, 4).changes == ()


def test_a_procedure_of_one_resumed_conversation_is_none() -> None:
    both = [replace(worked(n, "Thanks!"), part_of="talk") for n in range(2)]
    assert run((), both, 2).changes == ()
    assert run((), [*both, worked(3, "Thanks!")], 4).of("created")


def test_the_opposite_weakens_once_a_conversation_and_never_what_said_it() -> None:
    rules, sessions = taught()
    against = [*sessions, session(60, 3, NOT_TABS, NOT_TABS)]
    weaker = run(rules, against, 3)
    (change,) = weaker.of("weakened")
    assert change.rule.against == ("s60",)
    assert change.before - worth(change.rule, START + 3 * DAY_MS) == pytest.approx(0.15)
    assert run(after(rules, weaker), against, 3).changes == ()


def test_what_was_said_before_a_rule_began_does_not_weaken_it() -> None:
    sessions = [session(1, 0, NOT_TABS), session(2, 1, TABS), session(3, 2, TABS)]
    learned = run((), sessions, 3)
    assert [change.what for change in learned.changes] == ["created"]


def test_hard_rules_neither_fade_nor_are_weakened_nor_count_against_the_cap() -> None:
    rules, sessions = taught()
    (rule,) = rules
    hard = Rule(
        id="hard",
        category="preference",
        statement="never use eval",
        value="eval",
        polarity="avoid",
        confidence=0.05,
        confidence_at=START,
        is_exempt=True,
    )
    learned = run((rule, hard), sessions, 60, Knobs(most_rules=1))
    assert [r.id for r in learned.rules] == ["hard"]
    assert worth(hard, START + 5000 * DAY_MS) == 0.05


def test_what_a_person_denied_never_comes_back_by_itself() -> None:
    rules, sessions = taught()
    (rule,) = rules
    denied = Rule(id=rule.id, category="preference", statement="x", is_active=False, is_denied=True)
    more = [*sessions, session(70, 5, TABS), session(71, 6, TABS)]
    assert run((denied,), more, 7).changes == ()


def worked(number: int, answer: str) -> Session:
    """A conversation in which the same three tools were used, and what the person said to it."""
    calls = tuple(Call(name=name) for name in ("read", "grep", "edit"))
    turns = (
        Utterance(role="user", text="Please repair the page."),
        Utterance(role="assistant", text="Done.", calls=calls),
        Utterance(role="user", text=answer),
    )
    return Session(id=f"w{number}", turns=turns, at=START + number * DAY_MS)


def test_a_procedure_is_learned_from_what_went_well_and_goes_when_it_does_not() -> None:
    bad = "No, that's wrong, the header should be blue."
    failed = [worked(n, bad) for n in range(2)]
    made = [change.rule.category for change in run((), failed, 2).of("created")]
    assert made == ["correction"]
    learned = run((), [worked(n, "Thanks!") for n in range(2)], 2)
    assert [change.rule.ngram for change in learned.of("created")] == [("read", "grep", "edit")]
    rules = after((), learned)
    worse = [worked(n, "Thanks!" if n < 2 else bad) for n in range(14)]
    assert "pruned" in [change.what for change in run(rules, worse, 14).changes]


def test_a_wish_for_one_purpose_is_no_wish_for_another() -> None:
    tables, lists = "I prefer tables for comparisons.", "I prefer tables for shopping lists."
    sessions = [session(1, 0, tables, lists), session(2, 1, tables, lists)]
    learned = run((), sessions, 2)
    assert len({change.rule.id for change in learned.of("created")}) == 2
    rules = after((), learned)
    (change,) = run(rules, [*sessions, session(3, 3, tables)], 3).changes
    assert "comparisons" in change.rule.statement
    assert run(rules, [*sessions, session(3, 3, "I prefer tables.")], 3).of("reinforced")


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 9)), max_size=30), st.integers(0, 12))
def test_the_cap_keeps_the_surest(worths: list[tuple[float, int]], most: int) -> None:
    rules = [
        (Rule(id=f"r{n:02}", category="preference", statement="x", last_reinforced=last), value)
        for n, (value, last) in enumerate(worths)
    ]
    kept = {rule.id for rule in sure.keep_surest(rules, most)}
    assert len(kept) == min(most, len(rules))
    dropped = [value for rule, value in rules if rule.id not in kept]
    held = [value for rule, value in rules if rule.id in kept]
    assert not dropped or not held or max(dropped) <= min(held)


@given(st.floats(0, 1), st.floats(0, 400), st.floats(0, 400))
def test_looking_on_the_way_changes_nothing(confidence: float, first: float, second: float) -> None:
    halfway = sure.effective(confidence, first)
    assert sure.effective(confidence, first + second) <= halfway
    assert 0 <= halfway <= confidence


def test_a_procedure_says_what_was_asked_for_and_how_often_it_went_well() -> None:
    bad = "No, that's wrong, the header should be blue."
    done = [worked(0, "Thanks!"), worked(1, bad), worked(2, "Thanks!")]
    (change,) = [c for c in run((), done, 3).of("created") if c.rule.ngram]
    assert change.rule.trigger == "Please repair the page"
    assert change.rule.statement.endswith(
        "read -> grep -> edit, when asked: Please repair the page"
    )
    assert (change.rule.sessions, change.rule.against) == (("w0", "w2"), ("w1",))
    rules = after((), run((), done, 3))
    again = [*done, worked(4, "Thanks!"), worked(5, bad)]
    (used,) = [c for c in run(rules, again, 6).changes if c.rule.ngram]
    assert (used.rule.sessions[2:], used.rule.against[1:]) == (("w4",), ("w5",))
    assert run(after(rules, run(rules, again, 6)), again, 6).changes == ()


def test_what_requests_have_in_common_names_a_procedure() -> None:
    asked = ["Hi! Please book a table at Luigi's.", "Book a table for two.", "Table for Sunday?"]
    assert trigger_of(asked) == "Book a table for two"
    assert trigger_of(["Fix the header.", "Plan the trip."]) == ""
    assert trigger_of(["", ""]) == ""
