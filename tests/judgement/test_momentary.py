"""How things are just now is no memory; the same words of what lasts are one."""

from __future__ import annotations

import pytest

from vaultmem.judgement.sentence import judge_sentence


@pytest.mark.parametrize(
    "said",
    [
        "We're at the airport now.",
        "I'm on the tram.",
        "I've lost my glasses again.",
        "Our internet is down.",
        "We're late for the film.",
        "I've got ten minutes.",
        "I could do with a coffee.",
        "I don't get this.",
        "Ich bin gerade beim Zahnarzt.",
        "Ich habe meine Brille verlegt.",
        "Mein Handy ist tot.",
        "Wir sind im Stau.",
        "On est à la piscine.",
        "J'ai perdu mon parapluie.",
        "Estamos en la playa.",
        "He perdido las llaves.",
        "Siamo al bar.",
        "Ho dimenticato gli occhiali.",
        "Estamos no aeroporto.",
        "Perdi as chaves.",
        "We zijn op het strand.",
        "Ik ben mijn sleutels kwijt.",
    ],
)
def test_it_passes(said: str) -> None:
    assert not judge_sentence(said).is_worth


@pytest.mark.parametrize(
    "said",
    [
        "I work at the airport.",
        "I'm at the library every Friday.",
        "I lost my husband in May.",
        "I'm out of insulin.",
        "My phone is a Fairphone.",
        "I need a hip replacement.",
        "We've got ten goats.",
        "Ich arbeite im Schwimmbad.",
        "Ich habe meine Frau verloren.",
        "J'ai perdu mon père.",
        "Vivo cerca de la playa.",
        "Ho perso il lavoro.",
    ],
)
def test_it_lasts(said: str) -> None:
    assert judge_sentence(said).is_worth
