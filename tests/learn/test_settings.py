"""Every number of learning that a person may change changes what is learned."""

from __future__ import annotations

import pytest

from tests.learn.test_learn import START, after, run, session, worked
from vaultmem.config.llm import LearningSettings, learning_settings
from vaultmem.config.setting import Value
from vaultmem.config.settings_table import knobs
from vaultmem.language.time import DAY_MS
from vaultmem.learn.consolidate import knobs_from
from vaultmem.learn.conversations import Call, Session, Utterance
from vaultmem.learn.patterns import sightings
from vaultmem.learn.profile import Skill, expertise
from vaultmem.learn.rules import Knobs, Rule, effectiveness, worth

DEFAULTS: dict[str, Value] = {knob.key: knob.default for knob in knobs()}
TABS, NOT_TABS = "I prefer tabs for indentation.", "I never use tabs for indentation."
BAD = "No, that's wrong, the header should be blue."


def given(**changed: Value) -> LearningSettings:
    """The settings of a vault that says these; `__` stands for the point of a key."""
    named = {key.replace("__", "."): value for key, value in changed.items()}
    assert set(named) <= set(DEFAULTS)
    return learning_settings(DEFAULTS | named)


def knobs_of(**changed: Value) -> Knobs:
    return knobs_from(given(**changed))


def first_confidence(knobs: Knobs, words: str, *, talks: int = 10) -> float:
    """How sure a rule is that two of so many conversations say."""
    said = [session(n, n, "Hello.", words if n < 2 else "Bye.") for n in range(talks)]
    (change,) = run((), said, talks, knobs).of("created")
    return change.rule.confidence


def held(*sessions: Session, days: float, knobs: Knobs) -> float:
    """What a rule of 0.5 is worth after these conversations."""
    rule = Rule(
        id="tabs",
        category="preference",
        statement="I prefer tabs for indentation",
        value="tabs",
        confidence=0.5,
        confidence_at=START,
        since=START,
        sessions=("earlier",),
    )
    learned = run((rule,), list(sessions), days, knobs)
    now = START + round(days * DAY_MS)
    return worth(after((rule,), learned)[0], now, per_day=knobs.decay_per_day)


def test_what_a_further_conversation_adds_and_a_contradiction_takes() -> None:
    for key, said, expected in (
        ({"consolidation__reinforcement": 0.3}, TABS, 0.8),
        ({}, TABS, 0.6),
        ({"consolidation__contradiction_penalty": 0.4}, NOT_TABS, 0.1),
        ({}, NOT_TABS, 0.35),
    ):
        knobs = knobs_of(consolidation__decay_per_day=0.0, **key)
        assert held(session(1, 1, said), days=2, knobs=knobs) == pytest.approx(expected)


def test_the_share_of_conversations_that_makes_a_rule_certain() -> None:
    correction = "No, not oil, use butter."
    for key, words in (
        ("consolidation__preference_denominator", TABS),
        ("consolidation__correction_denominator", correction),
    ):
        usual, strict = knobs_of(), knobs_of(**{key: 0.8})
        assert first_confidence(usual, words) == pytest.approx(2 / (10 * DEFAULTS_SHARE[key]))
        assert first_confidence(strict, words) == pytest.approx(2 / 8)
    done = [worked(n, "Thanks!") for n in range(2)] + [session(n, n, "Hi.") for n in range(9, 17)]
    for share, expected in ((0.5, 2 / 5), (0.8, 2 / 8)):
        knobs = knobs_of(consolidation__tool_denominator=share)
        (change,) = run((), done, 20, knobs).of("created")
        assert change.rule.confidence == pytest.approx(expected)


DEFAULTS_SHARE = {
    "consolidation__preference_denominator": 0.3,
    "consolidation__correction_denominator": 0.2,
}


def test_how_long_sequences_of_tools_may_be() -> None:
    done = [worked(n, "Thanks!") for n in range(2)]

    def learned(*sizes: int) -> set[tuple[str, ...]]:
        knobs = knobs_of(consolidation__ngram_sizes=sizes)
        return {change.rule.ngram for change in run((), done, 3, knobs).of("created")}

    assert learned(2, 3, 4) == {("read", "grep", "edit")}
    assert learned(2) == {("read", "grep"), ("grep", "edit")}
    assert learned(0, 1, 9) == learned() == set()


def test_from_what_likeness_two_wordings_may_be_one_rule() -> None:
    rule = Rule(
        id="x",
        category="preference",
        statement="I prefer the aisle seat",
        confidence=0.5,
        confidence_at=START,
        sessions=("earlier",),
    )
    said = [session(1, 1, "I prefer the aisle seats.")]
    for least, expected in ((0.7, ["reinforced"]), (1.0, [])):
        learned = run((rule,), said, 2, knobs_of(consolidation__similarity=least))
        assert [change.what for change in learned.changes] == expected


def test_the_share_of_names_that_makes_a_convention() -> None:
    code = "my_one = 1\nmy_two = 2\nmy_three = 3\nmyFour = 4\n"
    call = Call(name="write", input=f'{{"path": "a.py", "content": {code!r}}}'.replace("'", '"'))
    turns = (Utterance(role="assistant", text="", calls=(call,)),)
    talk = Session(id="s", turns=turns, at=START)

    def styles(share: float) -> list[str]:
        least = given(consolidation__naming_share=share).consolidation_naming_share
        return [s.value for s in sightings(talk, naming_share=least) if s.kind == "naming"]

    assert (styles(0.8), styles(0.7)) == ([], ["snake_case"])


def test_when_a_procedure_goes_and_what_an_untried_one_is_worth() -> None:
    done = [worked(n, "Thanks!" if n < 2 else BAD) for n in range(6)]
    rules = after((), run((), done[:2], 3))

    def pruned(**changed: Value) -> bool:
        learned = run(rules, done, 7, knobs_of(consolidation__decay_per_day=0.0, **changed))
        return any(c.rule.ngram for c in learned.of("pruned"))

    assert not pruned()
    assert pruned(procedures__drop_below=0.8)
    assert not pruned(procedures__drop_below=0.8, procedures__min_uses=7)
    untried = given(procedures__effectiveness=0.9).procedures_effectiveness
    assert effectiveness(0, 0, untried=untried) == pytest.approx(0.9)
    assert effectiveness(1, 0, untried=given().procedures_effectiveness) == pytest.approx(2 / 3)


def test_how_an_expertise_rises_and_falls() -> None:
    settings = given(profile__expertise_gain=0.5, profile__expertise_half_life_days=10)
    skill = Skill(
        gain=settings.profile_expertise_gain,
        half_life_days=settings.profile_expertise_half_life_days,
    )
    assert expertise([START], START, skill=skill) == 0.5
    assert expertise([START], START + 10 * DAY_MS, skill=skill) == pytest.approx(0.25)
    assert expertise([START], START + 900 * DAY_MS, skill=Skill(half_life_days=0)) == 0.05


def test_seen_once_is_chance_whatever_a_vault_says() -> None:
    assert given(consolidation__min_observations=0).consolidation_min_observations == 2
