"""What is taken up in the place of something: the one ends, whatever is said of the other."""

from __future__ import annotations

import pytest

from tests.conftest import FixedClock
from tests.judgement.lives.telling import status_of, tell
from vaultmem import Memory
from vaultmem.judgement.pairs.out_of_date import END, FLAG, Known, outcomes

TAKEN_UP = (
    ("Fenja spielt Handball.", "Fenja hat mit Handball aufgehört und macht jetzt Rudern."),
    ("Our Tom does judo on Mondays.", "Tom has stopped judo and does rowing now."),
    ("Our Tom does judo on Mondays.", "Tom's packed in judo and taken up rowing."),
    ("Mi hija Vega hace kárate.", "Vega ha dejado el kárate y ahora hace natación."),
    ("Mia figlia fa danza.", "Mia figlia ha smesso danza e adesso fa scherma."),
    ("Mijn zoon zit op voetbal.", "Mijn zoon is gestopt met voetbal en doet nu judo."),
    ("O meu filho joga futebol.", "O meu filho largou o futebol e agora faz natação."),
    ("I sing in the church choir.", "I've stopped the choir and do yoga instead."),
)


@pytest.mark.parametrize(("old", "new"), TAKEN_UP)
def test_what_is_taken_up_does_not_hide_what_ends(old: str, new: str) -> None:
    """Four of the eight were marked only: half of what was said was about the new thing."""
    [found] = outcomes(new, [Known(old)])
    assert found.what == END


def test_it_is_kept_where_it_only_marks_what_a_life_hangs_on(
    memory: Memory, clock: FixedClock
) -> None:
    """It was worth nothing, as it changed nothing: the allergy stands beside the sport."""
    tell(
        memory,
        clock,
        "Unsere Tochter Fenja (11) spielt Handball im Verein und ist gegen Wespen allergisch.",
        "Fenja hat mit Handball aufgehört und macht jetzt Rudern.",
    )
    assert status_of(memory, "Rudern") == "active"
    assert status_of(memory, "gegen Wespen allergisch") == "active"


def test_a_critical_sport_is_marked() -> None:
    old = "Our Tom does judo and is allergic to wasps."
    [found] = outcomes("Tom has stopped judo and does rowing now.", [Known(old, "", "health")])
    assert found.what == FLAG
