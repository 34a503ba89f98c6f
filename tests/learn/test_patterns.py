"""Which sightings are of one thing."""

from __future__ import annotations

import pytest

from vaultmem.learn.conversations import Sighting
from vaultmem.learn.patterns import patterns


def correction(session: str, value: str) -> Sighting:
    return Sighting(
        category="correction",
        session=session,
        at=None,
        quote=value,
        statement=value,
        value=value,
    )


@pytest.mark.parametrize(
    ("one", "other", "count"),
    [
        ("shared archive folder", "shared archive folder", 1),
        ("shared archive folder", "shared archive folder please", 1),
        ("shared archive folder 2", "shared archive folder 3", 2),
        ("shared archive folder", "never shared archive folder", 2),
        ("shared archive folder", "private mail box", 2),
    ],
)
def test_corrections_that_differ_in_a_number_or_a_denial_are_two(
    one: str, other: str, count: int
) -> None:
    assert len(patterns([correction("a", one), correction("b", other)])) == count
