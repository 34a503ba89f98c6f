"""What is said with a sigh, a shrug or in a dream is no memory; what begins on a day is a fact."""

from __future__ import annotations

import pytest

from tests.conftest import FixedClock
from tests.judgement.lives.telling import ALL, tell
from vaultmem import Memory
from vaultmem.judgement import judge_sentence


@pytest.mark.parametrize(
    "said",
    [
        "Wonderful, another roadworks diversion on the ring road, just what we needed.",
        "The printer has jammed again in the middle of invoices, lucky me.",
        "Klasse, schon wieder ein Wasserrohrbruch, das hat mir gerade noch gefehlt.",
        "Genial, otra vez la caldera estropeada, lo que nos faltaba.",
        "Super, encore une grève de trains, il ne manquait plus que ça.",
        "Bene, di nuovo il computer bloccato, ci mancava solo questo, che fortuna.",
        "Si me dejara la herencia mi tía, compraba una casa con huerto.",
        "Si tuviéramos un velero, íbamos a dar la vuelta al mundo.",
        "If we won the raffle we'd fly to Peru.",
        "Si on avait un hangar on garderait trois chevaux.",
        "Se vincessi al lotto comprerei un frantoio in Puglia.",
        "El del kiosco dice que cierran el mercado, a saber.",
        "Le facteur dit que la poste va fermer, va savoir.",
        "Der Hausmeister behauptet, der Lift kommt weg, wer weiß.",
        "A lo mejor me apunto a cerámica, ya veremos.",
        "Lovely start to the day.",
        "Na toller Auftakt!",
        "Menudo comienzo de semana.",
        "Imagine if hens could drive, I'd never cycle again.",
        "Stell dir vor, Katzen könnten kochen.",
    ],
)
def test_a_sigh_a_shrug_and_a_dream_are_no_memories(
    memory: Memory, clock: FixedClock, said: str
) -> None:
    tell(memory, clock, said)
    assert memory.list(ALL) == ()


@pytest.mark.parametrize(
    "said",
    [
        "Another thing: I can't have kiwi.",
        "My sister moves to Hull again in June.",
        "Ich liebe mein Leben auf dem Hof bei Celle.",
        "Otra vez tengo cita con la Dra. Roca el 4 de junio.",
        "If I had a seizure, call Marta first.",
        "Si gano la plaza, me mudo a Soria en enero.",
        "Mi médico dice que no puedo comer sal.",
    ],
)
def test_what_only_sounds_so_is_kept(memory: Memory, clock: FixedClock, said: str) -> None:
    tell(memory, clock, said)
    assert [row.statement for row in memory.list(ALL)] == [said]


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("From January I'm restoring maps for the county archive.", "fact event"),
        ("Starting Monday we're cataloguing the bell tower.", "fact event"),
        ("Ab Mai baue ich Zäune für die Gemeinde.", "fact event"),
        ("Desde el lunes llevo el ropero de la parroquia.", "fact event"),
        ("À partir de mars je répare les vélos du quartier.", "fact event"),
        ("the gutters want clearing by the end of October it's the back ones", "task event fact"),
        ("I can't abide brass bands.", "preference"),
        ("Ich kann Rosenkohl nicht ausstehen.", "preference"),
        ("No soporto el ruido de las motos.", "preference"),
        # These have a form of a wish or of a decision and stay so.
        ("From March I'd like shorter answers.", "preference"),
        ("We've decided the gate needs painting before the fair.", "decision"),
        ("We agreed on Wednesdays for the stall.", "decision"),
        ("I prefer the early train.", "preference"),
        ("Sultan retires in November.", "event fact"),
        ("We're going with oak for the stairs.", "decision"),
    ],
)
def test_what_begins_on_a_day_is_no_wish(said: str, kind: str) -> None:
    assert judge_sentence(said).kind in kind.split()
