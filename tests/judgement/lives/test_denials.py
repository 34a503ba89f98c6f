"""What an assistant is not to do is a wish for good; a dislike is no allergy."""

from __future__ import annotations

import pytest

from tests.judgement.lives.telling import ALL
from vaultmem import Memory, judgement

ORDERS = (
    "No messages while I'm on the tractor.",
    "No jokes about my ex, please.",
    "Don't mention the house sale unless I ask.",
    "Please don't call me at the forge.",
    "Keine Witze über meine Größe.",
    "Erwähn den Prozess bitte nicht vor den Kindern.",
    "Pas de rappels pendant la messe.",
    "Ne me propose jamais de restaurant japonais.",
    "Sin mensajes mientras conduzco.",
    "No me despiertes con noticias.",
    "Niente notifiche durante le prove.",
    "Non citare mai la mia ex moglie.",
    "Geen meldingen tijdens de les.",
    "Noem mijn gewicht nooit in een lijstje.",
    "Sem lembretes durante o culto.",
    "Não me fales da empresa aos domingos.",
)
NO_ORDERS = (
    "No buses run on Sundays.",
    "I don't read the news.",
    "We don't use plastic bags.",
    "Don't send it now.",
    "Don't tell Ana yet.",
    "Keine Kinder in der Nachbarschaft.",
    "Schreib jetzt nicht weiter.",
    "Pas de chance, le train est parti.",
    "No me despierto antes de las diez.",
    "Geen idee wat hij bedoelt.",
)


@pytest.mark.parametrize("said", ORDERS)
def test_what_an_assistant_is_not_to_do_is_a_wish(memory: Memory, said: str) -> None:
    memory.remember(said)
    [row] = memory.list(ALL)
    assert row.kind in ("procedure", "preference")


@pytest.mark.parametrize("said", NO_ORDERS)
def test_a_denial_of_something_else_or_for_once_is_no_order(said: str) -> None:
    assert not judgement.is_denial_order(said)


@pytest.mark.parametrize(
    ("said", "is_critical"),
    [
        ("I can't stomach liver, it's not an allergy.", False),
        ("Fenchel geht gar nicht, keine Allergie, nur der Geschmack.", False),
        ("No soporto el apio, no es alergia.", False),
        ("It's not an allergy, it's coeliac disease.", True),
        ("I'm allergic to celery, my brother's not allergic.", True),
        ("I'm allergic to celery.", True),
    ],
)
def test_a_dislike_is_no_allergy(said: str, *, is_critical: bool) -> None:
    assert bool(judgement.judge_sentence(said).critical) == is_critical
