"""Sentences in which what names somebody, some place or something is marked: {Zdenka}.

    python -m tests.window.labelled

Written for this test. The second half of each language is held back: no rule was made from it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from vaultmem.window.redact import Redacted

KNOWN = {
    "Zdenka": "[person]",
    "Opa Franz": "[person]",
    "Graz": "[place]",
    "Alder Freight": "[name]",
    "Projekt Kranich": "[project]",
    "Tomislav": "[person]",
}
ENGLISH = """
Bring the umbrella on Friday.
Call {Zdenka} about the garden.
Dinner with {Tomislav} is at the new place.
Meeting notes go into the shared folder.
The plumber came from {Leeds}.
my friend {oskarino} came over for lunch
I work at {Alder Freight} since spring.
Water the plants before the holidays.
our neighbour is called {jaromira}
Remember to buy milk and bread.
Coffee keeps me awake.
{tomislav} likes chess more than football
Someone from {Kornfeld} wrote about the curtains.
Working late makes me tired.
we moved to {graz} in autumn
Tickets for the concert are in the drawer.
Lunch is better without onions.
Ask {Ludovika} where the ladder is.
Parking near the station is expensive.
my sister {dragana} moved to a bigger flat
The train to {Maribor} leaves in the morning.
Swimming helps with stress.
Paint the kitchen white.
{zdenka} has the spare key
{Uncle Bertold} sold his boat.
Windows need cleaning before winter.
He reads {Der Standard} every morning.
Breakfast should be small.
my boss {henrike} wants the draft
Return the library books.
Cheese goes into the lower drawer.
We met at {Café Landtmann} last week.
""".strip().splitlines()
GERMAN = """
Der Garten ist im Sommer schön.
{Opa Franz} wohnt in {Graz}.
Die Besprechung mit {Zdenka} ist am Montag.
Ich kaufe Milch, Brot und Butter.
meine freundin {ljubica} kommt morgen
Die Rechnung liegt auf dem Tisch.
Wir fahren im Urlaub nach {Maribor}.
Das Auto braucht neue Reifen.
mein Kollege heißt {radovan}
Die Wohnung hat einen Balkon.
Frau {Keller} hat den Schlüssel.
Am Abend trinke ich Tee.
Ich arbeite bei {Alder Freight} im Lager.
Der Hund schläft in der Küche.
{zdenka} mag keinen Kaffee
Ich brauche einen Termin beim Friseur.
Das Fahrrad steht im Keller.
{Ottokar} spielt Schach mit {Opa Franz}.
Die Heizung ist kaputt.
Wir treffen uns mit {Svetlana} im Park.
Das Wetter war am Wochenende schlecht.
mein bruder {zvonimir} hat eine Katze
Ich lese Zeitung, Bücher und Briefe.
Herr {Schuster} repariert die Waschmaschine.
{Projekt Kranich} beginnt im Herbst.
Der Zug nach {Villach} hat Verspätung.
Die Kinder spielen im Hof.
Frühstück gibt es um sieben.
{Tante Hedwiga} backt einen Kuchen.
Die Versicherung schickt ein Formular.
Wir wohnen in {graz} neben der Schule.
Der Drucker im Büro hat kein Papier.
""".strip().splitlines()
_WORD = re.compile(r"[^\W\d_]+")


class Found(NamedTuple):
    """How much of what is a name was taken out, and how much of what was taken out is one."""

    taken: int
    right: int
    names: int

    @property
    def precision(self) -> float:
        """Share of words taken out that are of a name."""
        return self.right / max(self.taken, 1)

    @property
    def recall(self) -> float:
        """Share of words of names that were taken out."""
        return self.right / max(self.names, 1)


def measure(sentences: Sequence[str], *, shows: bool = False) -> Found:
    """Redact sentences of a vault that has all of both languages, and count words."""
    everything = [re.sub(r"[{}]", "", each) for each in (*ENGLISH, *GERMAN)]
    words = Redacted(KNOWN, everything)
    taken = right = names = 0
    for sentence in sentences:
        said = words.say(re.sub(r"[{}]", "", sentence))
        left = set(_WORD.findall(re.sub(r"\[\w+\]", " ", said)))
        named = {word for part in re.findall(r"{(.*?)}", sentence) for word in _WORD.findall(part)}
        gone = set(_WORD.findall(sentence)) - left
        taken, right, names = taken + len(gone), right + len(gone & named), names + len(named)
        if shows and gone != named:
            print(f"{sentence} -> {said}")
    return Found(taken, right, names)


HALVES = {
    "English": ENGLISH[:16],
    "English, held back": ENGLISH[16:],
    "German": GERMAN[:16],
    "German, held back": GERMAN[16:],
}

if __name__ == "__main__":
    for title, some in HALVES.items():
        found = measure(some, shows="held" not in title)
        print(f"{title:20} precision {found.precision:.2f} recall {found.recall:.2f}", found[:])
