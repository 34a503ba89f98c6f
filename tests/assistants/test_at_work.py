"""What is said to a coding assistant for this minute becomes no item; what lasts does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.assistants.talk import Assistant
from vaultmem.api import Memory

ASKED = """
extract this block into a helper and call it from both places
why is the response empty when I pass a cursor?
rerun only the integration tests
the linter complains about line 42
could you squash the last three commits?
revert everything except the migration
I want to see the SQL before you run it
we need a feature flag for the new checkout
I think we broke the cache
I just merged the other pull request
our staging deploy is failing
my branch is two weeks behind main
the endpoint must return 201, not 200
make the modal close on escape
never mind, leave it as it was
use async here
I'm seeing a race condition in the queue
I have a stack trace for you
change the default port to 8080
you always forget the type annotations
I need it to work offline too
we are using the wrong timezone in this report
try again with a smaller batch
I like the second variant better
continue
lass den Test bitte in einer Schleife laufen
der Endpunkt muss 201 zurückgeben
ich habe den Zweig schon gelöscht
wir brauchen hier eine Transaktion
mein Build schlägt fehl
ich glaube, der Fehler liegt im Parser
entferne die Ausgabe wieder
benutze in dieser Datei keine Globals
ich sehe die Meldung nicht mehr
das muss schneller gehen
zeig mir zuerst den Plan
unsere Pipeline hängt seit einer Stunde
ich will das anders haben
die Tabelle soll sortierbar sein
mach weiter
wir haben den falschen Branch
ich teste gerade auf dem Handy
ersetze alle Aufrufe von get durch fetch
schreib die Commit-Nachricht neu
wo wird diese Klasse benutzt?
extrais cette logique dans un module
le point d'entrée doit renvoyer 201
j'ai déjà supprimé la branche
on a besoin d'une transaction ici
ma compilation échoue
je crois que l'erreur vient du cache
enlève les print
montre-moi d'abord le plan
je veux voir la requête avant
notre pipeline est bloqué
remplace tous les appels par fetch
je viens de fusionner l'autre branche
continue comme ça
utilise async dans cette fonction
pourquoi la réponse est-elle vide ?
""".strip().splitlines()

LASTING = """
I live in Porto with my husband Rui
I'm colour-blind, so never rely on red and green alone
We use Postgres and never SQLite
Always answer me in English
I prefer small commits
My boss hates long meetings
Ich arbeite bei der Stadtbibliothek in Linz
Meine Tochter Mia ist allergisch gegen Erdnüsse
Ich bin Linkshänder
Mon frère Luc est boulanger à Nantes
Je préfère les réponses courtes
""".strip().splitlines()


@pytest.fixture
def assistant(tmp_path: Path) -> Assistant:
    Memory.init(tmp_path / "notes", name="notes")
    (tmp_path / "work").mkdir()
    return Assistant(tmp_path / "notes", tmp_path / "work")


def test_sixty_requests_of_the_moment_become_no_item(assistant: Assistant) -> None:
    assert len(ASKED) == 60
    assistant.say(*ASKED)
    assert assistant.items() == []
    assert "rerun only the integration tests" in assistant.everything()


def test_what_lasts_becomes_an_item_among_them(assistant: Assistant) -> None:
    talk = [text for pair in zip(LASTING, ASKED, strict=False) for text in pair]
    assistant.say(*talk)
    assert set(assistant.items()) == set(LASTING)
