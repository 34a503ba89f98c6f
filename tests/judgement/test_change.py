"""What a new sentence means for an old one, by the packaged weights."""

from __future__ import annotations

import pytest

from vaultmem.judgement.pairs.is_over import RELATIONS, judge_change
from vaultmem.judgement.pairs.out_of_date import FLAG, MOST_FLAGGED, Known, outcomes


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
