"""A, then B, then A again: what stood between is over, though no word denies it."""

from __future__ import annotations

import pytest

from tests.conftest import FixedClock
from tests.judgement.lives.telling import status_of, tell
from tests.judgement.lives.test_changes import marked
from vaultmem import Memory


@pytest.mark.parametrize(
    ("first", "between", "again"),
    [
        (
            "I write my notes in Joplin.",
            "I've moved my notes to Bear.",
            "Bear wants a subscription, so I'm back on Joplin.",
        ),
        (
            "I do my shopping at Lidl.",
            "We shop at the market hall now, better veg.",
            "The market hall got too dear, back to Lidl for us.",
        ),
        (
            "Me corta el pelo Nuria.",
            "Ahora me corta el pelo un chico de Vallecas.",
            "El chico me dejó fatal, he vuelto con Nuria.",
        ),
        (
            "I bank with Halifax.",
            "I've opened an account at Monzo, my pay goes there now.",
            "Monzo froze my card twice so my pay goes to Halifax again.",
        ),
    ],
)
def test_what_a_return_names_is_over(
    memory: Memory, clock: FixedClock, first: str, between: str, again: str
) -> None:
    tell(memory, clock, first, between, again)
    assert status_of(memory, between) == "superseded"
    assert status_of(memory, first) == "active"
    assert first not in marked(memory)


@pytest.mark.parametrize(
    ("first", "between", "again"),
    [
        (
            "Mon bois, je le prends à la scierie de Vizille, chez les frères Di Stefano.",
            "Mon bois, je le commande maintenant chez Lapeyre.",
            "Trop de planches voilées, je suis revenu à la scierie de Vizille.",
        ),
        (
            "Je prends le tram 3 pour aller au bureau.",
            "Je vais au bureau à vélo maintenant.",
            "Avec la pluie j'ai repris le tram 3.",
        ),
    ],
)
def test_what_a_return_does_not_name_is_marked(
    memory: Memory, clock: FixedClock, first: str, between: str, again: str
) -> None:
    tell(memory, clock, first, between, again)
    assert status_of(memory, between) == "active"
    assert between in marked(memory)


@pytest.mark.parametrize(
    ("first", "between", "again"),
    [
        (
            "My mum lives in Cork.",
            "My brother has moved to Galway.",
            "Mum's back in Cork after her trip to Galway.",
        ),
        (
            "I work at Boots in Leeds.",
            "My sister works at Superdrug now.",
            "I'm back at Boots on Monday after two weeks in Spain.",
        ),
        (
            "I bank with Halifax.",
            "My daughter banks with Monzo now.",
            "Had to go back to Halifax, the machine kept my card.",
        ),
        (
            "Ich trainiere im Studio Vital.",
            "Ich arbeite jetzt bei Bosch.",
            "Bin wieder im Vital, zwei Stunden Beine.",
        ),
    ],
)
def test_what_is_of_another_stays(
    memory: Memory, clock: FixedClock, first: str, between: str, again: str
) -> None:
    tell(memory, clock, first, between, again)
    assert status_of(memory, between) == "active"
    assert between not in marked(memory)


@pytest.mark.parametrize(
    ("first", "between", "again"),
    [
        (
            "Our team uses Trello.",
            "We moved the Trello board to the cloud.",
            "Trello is down again.",
        ),
        (
            "Mein Zahnarzt ist Dr. Kern.",
            "Dr. Kern hat jetzt eine neue Praxis in Linden.",
            "Ich muss wieder zu Dr. Kern.",
        ),
        (
            "Nous prenons le pain chez Paul.",
            "Léa travaille chez Paul maintenant.",
            "On retourne chez Paul samedi.",
        ),
    ],
)
def test_what_tells_of_the_same_thing_stood_between_nothing(
    memory: Memory, clock: FixedClock, first: str, between: str, again: str
) -> None:
    tell(memory, clock, first, between, again)
    assert status_of(memory, between) == "active"
    assert between not in marked(memory)
