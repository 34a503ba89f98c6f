"""Of what kind a sentence is, by its form: a bar, a term, an office, a habit, steps."""

from __future__ import annotations

import pytest

from vaultmem.judgement.kinds import holder_of
from vaultmem.model.drafts import Source, Turn
from vaultmem.model.ports import plain_extractor

NOW = 1_795_421_000_000  # 2026-11-23
TERMS = (
    "Our lodger's permit runs out on 4 March.",
    "My parking permit is good till next April.",
    "Der Mietvertrag vom Atelier läuft bis August 2029.",
    "El contrato del estudio vence en agosto de 2029.",
    "Le bail de l'atelier court jusqu'en août 2029.",
)
BARRED = (
    "I have to stay off grapefruit because of my statin.",
    "Dr. Mehta won't let me lift anything until the scar heals.",
    "Die Hebamme hat mir die Sauna verboten.",
    "Con el Sintrom tengo que evitar las espinacas.",
    "Je dois éviter le pamplemousse à cause de mes comprimés.",
)
OFFICES = (
    "Somehow I've ended up as captain of the darts team.",
    "Man hat mich zum Schriftführer gemacht.",
    "Ilse is off to Bergen for good, Marta is our au pair now.",
    "Me han hecho jefe de estudios.",
    "On m'a nommée responsable des troisièmes.",
    "We've got twelve days of leave left to take this year.",
)
HABITS = (
    "I always take the window seat.",
    "Am liebsten sitze ich im Zug am Fenster.",
    "En el avión siempre elijo pasillo.",
    "Au petit déjeuner, c'est toujours du porridge.",
    "He's gone right off football, it's all skateboards now.",
)
DONE = (
    "Room 12 has been painted.",
    "Invoice 88 has finally been paid.",
    "La chambre 12 a été repeinte.",
    "La sala 12 ya ha sido pintada.",
)
STEPS = (
    "1. Unplug the router. 2. Wait thirty seconds. 3. Plug it back in.",
    "Erst die Bohnen einweichen, dann das Wasser wechseln und danach salzen.",
    "Primero apagas la bomba, luego abres las dos válvulas y por último vacías el depósito.",
    "D'abord éteindre la pompe, ensuite ouvrir les deux vannes, et enfin vider la cuve.",
)
TASKS = (
    "I need to send the deposit to the caterer by Friday.",
    "Ich muss den Klempner noch wegen dem Hahn anrufen.",
    "Recuérdame recoger el traje el jueves.",
    "Il faut que j'envoie l'acompte au traiteur avant vendredi.",
)
EVENTS = ("El sábado fuimos a ver el piso nuevo.", "Dimanche on est montés au Puy de Sancy.")


def kinds_of(text: str) -> list[str]:
    extractor = plain_extractor("heuristic", zone="UTC", categories=())
    turn = Turn(text=text, role="user")
    source = Source(id="", turns=(turn,), is_told=True, is_spoken=True)
    return [draft.kind for draft in extractor.extract(source, now=NOW).drafts]


@pytest.mark.parametrize("text", [*TERMS, *BARRED, *OFFICES])
def test_what_is_so_is_a_fact(text: str) -> None:
    assert kinds_of(text) == ["fact"]


@pytest.mark.parametrize("text", HABITS)
def test_a_habit_and_a_new_taste_are_preferences(text: str) -> None:
    assert kinds_of(text) == ["preference"]


@pytest.mark.parametrize("text", DONE)
def test_what_has_been_done_is_no_task(text: str) -> None:
    assert kinds_of(text)[0] in ("fact", "event")


@pytest.mark.parametrize("text", STEPS)
def test_steps_one_after_another_are_one_procedure(text: str) -> None:
    assert kinds_of(text) == ["procedure"]


@pytest.mark.parametrize("text", TASKS)
def test_what_somebody_has_to_do_stays_a_task(text: str) -> None:
    assert kinds_of(text) == ["task"]


@pytest.mark.parametrize("text", EVENTS)
def test_what_happened_stays_an_event(text: str) -> None:
    assert kinds_of(text) == ["event"]


def test_what_follows_the_steps_is_a_sentence_of_its_own() -> None:
    text = "1. Boil the jars. 2. Fill them hot. 3. Turn them over. My sister Eva lives in Graz."
    assert kinds_of(text) == ["procedure", "fact"]


def test_we_have_thought_better_of_it_is_nobody_elses_opinion() -> None:
    assert holder_of("We've thought better of it.") == ""
    assert kinds_of("We've thought better of the loft, it'll be cork on the floor.") == ["decision"]


def test_a_number_at_the_end_of_a_sentence_is_no_step() -> None:
    text = "My locker 1 is in hall 1. My locker 2 is in hall 2. My locker 3 is in hall 3."
    assert len(kinds_of(text)) == 3
    assert "procedure" not in kinds_of(text)
