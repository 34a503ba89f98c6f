"""What a question asks of its speaker, and whether it asks for what was so before."""

from __future__ import annotations

import pytest

from vaultmem.language.stems import words
from vaultmem.language.text import fold
from vaultmem.storage.index.search.question import asked_aspect, asks_past


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Which town do we live in?", "home"),
        ("what's my address again", "home"),
        ("Wo wohnen wir eigentlich?", "home"),
        ("¿En qué barrio vivimos?", "home"),
        ("Dans quelle rue est-ce que j'habite ?", "home"),
        ("Waar woon ik?", "home"),
        ("Who's my employer?", "job"),
        ("Für wen arbeite ich?", "job"),
        ("¿Dónde trabajo?", "job"),
        ("Chez qui est-ce que je travaille ?", "job"),
        ("how old am I now", "age"),
        ("Wie alt bin ich?", "age"),
        ("Quel âge ai-je ?", "age"),
        ("¿Cuántos años tengo?", "age"),
        ("Where does my uncle live?", ""),
        ("What did I work on yesterday?", ""),
        ("How old is the bridge?", ""),
        ("I live in Oban.", ""),
    ],
)
def test_what_is_asked_of_the_speaker(question: str, name: str) -> None:
    assert asked_aspect(words(fold(question))) == name


@pytest.mark.parametrize(
    ("question", "is_past"),
    [
        ("Where did I live before Oban?", True),
        ("Which paper did we use to read?", True),
        ("What was my old phone?", True),
        ("Wo habe ich früher gearbeitet?", True),
        ("¿Qué deporte hacía yo antes?", True),
        ("Où est-ce que j'habitais avant Nantes ?", True),
        ("What has to be paid before Friday?", False),
        ("Was muss vor Freitag fertig sein?", False),
        ("¿Qué hay que hacer antes del lunes?", False),
        ("Who spoke at the meeting before lunch?", False),
    ],
)
def test_whether_what_was_before_is_asked(question: str, is_past: bool) -> None:
    assert asks_past(words(fold(question))) is is_past
