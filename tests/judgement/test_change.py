"""What a new sentence means for an old one, by the packaged weights."""

from __future__ import annotations

import pytest

from vaultmem.judgement.pairs.is_over import RELATIONS, judge_change
from vaultmem.judgement.pairs.out_of_date import Known, outcomes


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
