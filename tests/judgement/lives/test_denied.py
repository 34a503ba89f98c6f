"""What others think and the person denies, and what is only thought about, is no memory."""

from __future__ import annotations

import pytest

from tests.conftest import FixedClock
from tests.judgement.lives.telling import ALL, tell
from vaultmem import Memory, judgement


def _kept(memory: Memory) -> list[str]:
    return [row.statement for row in memory.list(ALL)]


@pytest.mark.parametrize(
    "said",
    [
        "My uncle reckons the roof will hold another winter. It won't.",
        "Priya thinks I ought to give up the allotment. I'm hanging on to it.",
        "The lad next door says solar panels never pay off. Rubbish.",
        "My nephew claims chess is a sport, which is nonsense.",
        "Meine Schwägerin findet, wir sollten das Boot verkaufen. Wir behalten es.",
        "Opa sagt, Regenwasser heilt Warzen. So ein Unsinn.",
        "Der Nachbar behauptet, die Hecke stehe auf seinem Grund. Steht sie nicht.",
        "Mon cousin dit que je devrais quitter Lyon. Il n'en est pas question.",
        "Ma tante croit que le grenier est humide. C'est faux.",
        "Mi vecino dice que el pozo está seco. No lo está.",
        "Mi suegra cree que debería dejar el taller. Ni hablar.",
        "Mia zia dice che il vino fa dormire. Sciocchezze.",
        "Mijn broer vindt dat ik de caravan weg moet doen. Geen sprake van.",
        "O meu tio acha que eu devia vender a quinta. Nem pensar.",
    ],
)
def test_what_somebody_says_and_the_person_denies_is_not_kept(
    memory: Memory, clock: FixedClock, said: str
) -> None:
    tell(memory, clock, said)
    claim = said.split(".")[0]
    assert not [each for each in _kept(memory) if each.rstrip(".") in claim]


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("Priya thinks I ought to give up the allotment. She may be right.", "allotment"),
        ("My boss thinks the launch will slip. We have too few testers.", "launch"),
        ("My doctor says I should cut down on salt. Nonsense.", "salt"),
        ("Oma findet, wir sollten nach Kiel ziehen. Sie hat recht.", "Kiel"),
        ("Mi hermana piensa que debería mudarme a Vigo. Tiene razón.", "Vigo"),
        ("Ma sœur pense que le chien est trop gros. On va chez le véto lundi.", "chien"),
    ],
)
def test_what_is_not_denied_stays(memory: Memory, clock: FixedClock, said: str, words: str) -> None:
    tell(memory, clock, said)
    assert any(words in each for each in _kept(memory))


@pytest.mark.parametrize(
    "said",
    [
        "Oh, never mind then.",
        "I'm still deciding.",
        "Nothing booked yet.",
        "Sorry, I've forgotten.",
        "Non mi ricordo.",
        "Might be that we foster a greyhound, time will tell.",
        "We could move the hives, or maybe not.",
        "Ach, schon gut.",
        "Ich überleg noch.",
        "Vielleicht kaufen wir ein Boot, oder auch nicht.",
        "Non, laisse tomber.",
        "Peut-être qu'on prendra un chat, qui sait.",
        "Nada, por curiosidad.",
        "A lo mejor pintamos la casa, ya veremos.",
        "No, lascia stare.",
        "Forse compriamo una barca, chissà.",
        "Laat maar.",
        "Misschien nemen we kippen, of niet.",
        "Deixa pra lá.",
        "Talvez a gente compre um sítio, quem sabe.",
    ],
)
def test_a_shrug_and_a_request_taken_back_are_not_kept(
    memory: Memory, clock: FixedClock, said: str
) -> None:
    tell(memory, clock, said)
    assert _kept(memory) == []


def test_a_request_taken_back_ends_nothing_that_it_named(memory: Memory) -> None:
    memory.remember("J'ai mon atelier rue des Lilas avec deux collègues.")
    session = memory.session("cadeau")
    session.turn("Une idée de cadeau pour une collègue ?", "Bien sûr, quel budget ?")
    session.turn("Oh, laisse tomber en fait.", "Pas de souci.")
    session.end()
    rows = [row for row in memory.list(ALL) if "atelier" in row.statement]
    assert [row.status for row in rows] == ["active"]


@pytest.mark.parametrize(
    "text",
    [
        "I drop it off at my mother's.",
        "We sold the boat, it doesn't matter to anyone but me.",
        "Leave it with Karim at the desk.",
        "Just asking Nadia to feed the cat costs me a bottle of wine.",
        "Nichts ist in Leipzig so wichtig wie die Bahn um sechs.",
        "On verra le notaire le 4 mai.",
    ],
)
def test_what_only_begins_as_a_shrug_is_none(text: str) -> None:
    assert not judgement.is_waved_off(text)
