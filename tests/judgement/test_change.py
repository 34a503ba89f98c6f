"""What a new sentence means for an old one, by the packaged weights."""

from __future__ import annotations

from pathlib import Path

import pytest

from vaultmem.api.memory import Memory
from vaultmem.judgement.pairs.is_over import RELATIONS, judge_change
from vaultmem.judgement.pairs.out_of_date import END, FLAG, MOST_FLAGGED, Known, outcomes


@pytest.mark.parametrize("new", ["", "?", "🙂", "x " * 50_000, "\ud800", "I live in Graz now."])
def test_any_pair_is_judged(new: str) -> None:
    change = judge_change("I live in Vienna.", new)
    assert 0 <= change.over <= 1
    assert change.relation == change.relations[0][0]
    assert {name for name, _ in change.relations} == set(RELATIONS)
    assert sum(chance for _, chance in change.relations) == pytest.approx(1)
    ended = dict(change.relations)
    assert ended["replaces"] + ended["ends"] == pytest.approx(change.over)


def test_what_is_sure_enough_to_end_is_flagged_too() -> None:
    change = judge_change("I work at Bosch.", "I no longer work at Bosch.")
    assert change.flags >= change.ends


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I work at Bosch.", "I no longer work at Bosch."),
        ("The dentist is on 4 March.", "The dentist moved me to 11 March."),
        ("Ich rauche.", "Ich rauche nicht mehr."),
    ],
)
def test_a_plain_change_is_seen(old: str, new: str) -> None:
    assert judge_change(old, new).flags


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I live in Vienna.", "The printer is out of paper again."),
        ("I prefer tea to coffee.", "The tax return is due on 31 May."),
        ("Mein Bruder ist Koch.", "Wir haben das Auto verkauft."),
    ],
)
def test_what_has_another_topic_ends_nothing(old: str, new: str) -> None:
    assert not judge_change(old, new).ends


def test_the_order_of_a_pair_counts() -> None:
    old, new = "I work at Bosch.", "I quit my job at Bosch."
    assert judge_change(old, new).over > judge_change(new, old).over


@pytest.mark.parametrize(
    ("old", "new", "marked"),
    [
        ("My name is Ilse Brandt.", "Ilse cannot eat celery.", False),
        ("We have a goat called Pim.", "Pim hates the hose.", False),
        ("Mein Onkel heißt Egon.", "Egon spielt Posaune.", False),
        ("Egon works at Ravel.", "Egon left Ravel.", True),
        ("Pim sleeps in the shed.", "Pim sleeps in the barn now.", True),
    ],
)
def test_of_somebody_much_is_so_at_one_time(old: str, new: str, marked: bool) -> None:
    """That both name somebody, and share nothing else, says of neither that it is over."""
    assert bool(outcomes(new, [Known(old)])) is marked


@pytest.mark.parametrize(
    ("new", "again", "since"),
    [
        ("I work at Ford again.", "I work at Ford.", "I work at Opel."),
        ("We moved back to Kelso again.", "We moved to Kelso.", "We moved to Oban."),
        (
            "The choir rehearses in the church hall again.",
            "The choir rehearses in the church hall.",
            "The choir rehearses in the school now.",
        ),
    ],
)
def test_what_is_so_again_is_not_over_and_what_took_its_place_is(
    new: str, again: str, since: str
) -> None:
    assert [one.place for one in outcomes(new, [Known(again), Known(since)])] == [1]


def test_at_most_three_are_marked_for_a_mark_that_stands_everywhere_says_nothing() -> None:
    of = ("boiler", "kitchen", "bathroom", "cellar", "garden")
    known = [Known(f"Our plumber Tom has fixed the {thing}.") for thing in of]
    found = outcomes("We have a new plumber.", known)
    assert [one.what for one in found] == [FLAG] * MOST_FLAGGED


def test_a_command_is_not_marked_because_somebody_new_is_named() -> None:
    known = "Ines is our childminder."
    new = "We have a new childminder for Leni."
    assert [one.what for one in outcomes(new, [Known(known)])] == [FLAG]
    assert outcomes(new, [Known(known, is_hard=True)]) == []


def test_a_name_is_no_form_of_a_small_word() -> None:
    """'Porto' looks like the Spanish of 'port': by chance the move to it was marked as over."""
    known = [Known("I moved to Porto.")]
    assert outcomes("The port should be 9090.", known) == []


REPLACED = [
    ("My physio is called Marek.", "Marek has left the practice, I see Anneke now."),
    ("My manager is Tobias.", "Tobias got promoted, I report to Agnieszka now."),
    ("I get my bread from the Polish deli.", "The Polish deli shut, so it's Tesco bread now."),
    ("My phone is a Pixel 7.", "Dropped the Pixel in the lake, so I've got a Fairphone now."),
    ("Meine Ärztin ist Frau Dr. Lindner.", "Dr. Lindner ist weg, jetzt bin ich bei Dr. Sommer."),
]
AS_BEFORE = [
    ("My boss is Tobias.", "Tobias hired two people, so I share an office with Grete now."),
    ("I work at Bosch.", "Bosch opened a canteen, I have lunch with Deniz now."),
    ("We live in Durham.", "Durham is getting dear, we shop at Aldi now."),
    ("My dentist is Dr. Maes.", "Dr. Maes recommended it, so I use an Oral-B now."),
    ("My sister Nele lives in Kassel.", "Nele broke her arm, so I drive to Kassel on Fridays now."),
    ("My brother is Pim.", "Pim moved to Oslo, he works for Equinor now."),
]


@pytest.mark.parametrize(
    ("old", "new", "ends"),
    [*((*pair, True) for pair in REPLACED), *((*pair, False) for pair in AS_BEFORE)],
)
def test_what_is_there_now_in_place_of_what_is_gone_ends_that(
    old: str, new: str, ends: bool
) -> None:
    assert any(one.what == END for one in outcomes(new, [Known(old)])) is ends


def test_a_clause_on_what_is_so_now_ends_what_the_person_told_before(root: Path) -> None:
    told = (*REPLACED[:2], *AS_BEFORE[1:4])
    with Memory(root) as memory:
        for old, _ in told:
            memory.remember(old)
        ended = [
            old
            for old, new in told
            for item in memory.remember(new).items
            for effect in item.effects
            if str(effect).startswith("ends ") and old in str(effect)
        ]
    assert ended == [old for old, _ in REPLACED[:2]]
