"""What is seen of a pair before anything ends: a cue, the same thing, the same person."""

from __future__ import annotations

import pytest

from vaultmem.judgement.aspects import AGE, ENDS, HOME, JOB, aspects, evidence


def rare(word: str) -> float:
    """Every word says as much as the next one."""
    return 0.7


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("We go curling at the Kelso rink.", "We've packed in the curling, the ice was awful."),
        ("Dienstags geh ich zum Töpfern.", "Das Töpfern hab ich aufgegeben."),
        ("Los martes voy a natación.", "Ya no voy a natación, el cloro me irrita."),
        ("Le jeudi, je fais de l'escrime.", "J'ai arrêté l'escrime, trop cher."),
        ("Il lunedì faccio scherma.", "Ho smesso con la scherma."),
        ("Ik zit op schermen.", "Ik schermen niet meer."),
        ("Faço esgrima às segundas.", "Larguei a esgrima."),
    ],
)
def test_a_cue_of_an_end_is_seen_with_its_thing(old: str, new: str) -> None:
    seen = evidence(old, new, rare)
    assert (seen.cue, seen.strange, seen.unsure) == (ENDS, False, False)
    assert seen.covered >= 0.65


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("We go curling at the Kelso rink.", "My uncle has packed in the curling."),
        ("We go curling at the Kelso rink.", "I no longer eat at the rink in Jedburgh on Sundays."),
        ("Dienstags geh ich zum Töpfern.", "Meine Nichte hat das Töpfern aufgegeben."),
        ("Los martes voy a natación.", "Quizá ya no vaya a natación."),
    ],
)
def test_of_others_of_other_things_and_what_is_not_sure_is_told_apart(old: str, new: str) -> None:
    seen = evidence(old, new, rare)
    assert seen.strange or seen.unsure or seen.covered < 0.65


@pytest.mark.parametrize(
    ("said", "name", "owner"),
    [
        ("I live in Kelso.", HOME, ""),
        ("We moved to Jedburgh in May.", HOME, ""),
        ("Ich wohne in Pirna.", HOME, ""),
        ("My uncle lives in Kelso, and I work at Ferranti.", JOB, ""),
        ("Mi hermana cumplió 41 ayer.", AGE, "hermana"),
        ("Runa turned 8.", AGE, "runa"),
    ],
)
def test_what_is_told_of_whom_is_seen(said: str, name: str, owner: str) -> None:
    assert (name, owner) in {(each.name, each.owner) for each in aspects(said)}


def test_a_day_that_differs_is_seen() -> None:
    seen = evidence("The curling final is on 4 May.", "The curling final's moved to 11 May.", rare)
    assert seen.valued
    assert not evidence("The final is on 4 May.", "The final was fun.", rare).valued


@pytest.mark.parametrize("text", ["", "?", "🙂", "x " * 50_000, "\ud800", "no longer", ".. * #"])
def test_any_pair_is_read(text: str) -> None:
    evidence("I live in Kelso.", text, rare)
    evidence(text, "I no longer live in Kelso.", rare)


@pytest.mark.parametrize(
    "text",
    [
        "I'm due on 2 February.",
        "She's due on 9 May.",
        "I'm once again without a car.",
        "Explain it like I'm 5 years old.",
        "Talk to me as though I'm ten.",
    ],
)
def test_no_age_is_told(text: str) -> None:
    """'due' is two in Italian, 'once' eleven in Spanish: such an age ended a day of birth."""
    assert [each.name for each in aspects(text) if each.name == "age"] == []


@pytest.mark.parametrize(
    ("text", "age"), [("Mia figlia ha due anni.", "2"), ("Mi hijo tiene once años.", "11")]
)
def test_such_a_word_is_an_age_in_its_language(text: str, age: str) -> None:
    assert [each.value for each in aspects(text)] == [(age,)]
