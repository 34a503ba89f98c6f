"""Wishes in words that no cue list has: what a sentence of any language asks for good."""

from __future__ import annotations

import pytest

from vaultmem.judgement.wishes import are_one
from vaultmem.learn.conversations import Session, Utterance
from vaultmem.learn.patterns import all_sightings, patterns

ONE = (
    ("Keep replies short, please.", "I like brief answers."),
    ("Don't use emojis.", "No smileys in your answers, please."),
    ("Use British spelling.", "I always want UK spelling."),
    ("No jargon, please.", "Avoid buzzwords in your replies."),
    ("Bitte halte deine Antworten kurz.", "Ich mag knappe Antworten."),
    ("Schreib mir immer auf Deutsch.", "Bitte antworte auf Deutsch."),
    ("Bitte nie vor neun Uhr anrufen.", "Ruf mich nie vor 9 Uhr an."),
    ("Responde siempre en pocas palabras.", "Prefiero respuestas breves."),
    ("Pon siempre los precios con IVA.", "Quiero los precios siempre con IVA."),
    ("Réponds toujours brièvement.", "Je préfère des réponses courtes."),
    ("Tutoie-moi toujours.", "Je préfère qu'on se tutoie."),
)
NO_WISH = (
    "Book me a table for two.",
    "My train is always late.",
    "Write a poem about my cat, please.",
    "I love this song.",
    "Maria never eats fish.",
    "Ich habe immer Pech.",
    "Siempre llueve aquí.",
    "Je suis toujours fatigué.",
    "Please use the attached file.",
    "If I were rich I'd always fly first class.",
)


def learned(*said: str) -> list[tuple[str, str]]:
    sessions = [
        Session(id=f"s{n}", turns=(Utterance(role="user", text=text),))
        for n, text in enumerate(said)
    ]
    found = patterns(all_sightings(sessions))
    return [(each.category, each.statement) for each in found if len(set(each.sessions)) > 1]


@pytest.mark.parametrize(("one", "other"), ONE)
def test_the_same_wish_in_other_words_is_one_wish(one: str, other: str) -> None:
    assert learned(one, other) == [("preference", one.rstrip("."))]
    assert [category for category, _ in learned(other, one)] == ["preference"]


@pytest.mark.parametrize("said", NO_WISH)
def test_what_is_said_twice_is_no_wish_for_that(said: str) -> None:
    assert learned(said, said) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "Always show the code before the explanation.",
            "Always show the explanation before the code.",
        ),
        ("Always answer in German.", "Always answer in French."),
        ("Never call me before 8.", "Never call me before 9."),
        ("Siempre tuteo a mi jefe.", "Siempre de usted."),
    ],
)
def test_two_wishes_stay_two(one: str, other: str) -> None:
    assert learned(one, other) == []


def test_the_order_of_what_goes_before_what_is_part_of_the_wish() -> None:
    assert are_one("code before the explanation", "the code before explanations")
    assert not are_one("code before the explanation", "the explanation before the code")
    assert not are_one("tabs, not spaces", "spaces, not tabs")
