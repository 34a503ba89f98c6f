"""What the assistant had wrong, told from its turn by the shape of what is right."""

from __future__ import annotations

import pytest

from vaultmem.learn.corrections import wrong_in
from vaultmem.learn.own_statements import load, statements


@pytest.mark.parametrize(
    ("previous", "right", "wrong"),
    [
        ("The column is called userId.", "user_id", "userId"),
        ("Your flight leaves from Terminal 2.", "It's Terminal 3", "Terminal 2"),
        ("Es ist Gleis 4, Abschnitt A.", "Gleis 7", "Gleis 4"),
        ("La reunión es a las 10.", "Es a las 11", "10"),
        ("Le cours est à 9.", "C'est à 10", "9"),
        ("The port is 8080.", "it should be 8443", "8080"),
        ("Rooms 4 and 5 are free.", "It's 6", ""),
        ("I put it in the hall.", "It's in the attic", ""),
    ],
)
def test_the_wrong_side_is_what_has_the_shape_of_the_right_one(
    previous: str, right: str, wrong: str
) -> None:
    assert wrong_in(previous, right) == wrong


def test_a_sentence_with_a_long_s_is_shown_as_it_was_written() -> None:
    (said,) = statements("Die Straße muss Mayergasse heißen.", load("de"))
    assert said.as_written("mayergasse heißen") == "Mayergasse heißen"
    assert len(said.text) == len(said.plain)
