"""News behind a laugh or a sigh is news."""

from __future__ import annotations

import pytest

from vaultmem.judgement.sentence import judge_sentence, without_opening


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("lol so i sold the bike", "I sold the bike"),
        ("Ach übrigens, freitags ist Chor.", "Freitags ist Chor."),
        ("Jajaja al final vendimos la moto.", "Al final vendimos la moto."),
        ("Au fait, j'ai quitté la banque.", "J'ai quitté la banque."),
        ("Oh well, never mind", "Oh well, never mind"),
        ("Sofia sold the bike.", "Sofia sold the bike."),
        ("Bonnie sold the bike.", "Bonnie sold the bike."),
    ],
)
def test_what_opens_a_sentence_is_taken_off_where_something_is_left(text: str, rest: str) -> None:
    assert without_opening(text) == rest


@pytest.mark.parametrize(
    "text",
    [
        "Just so you know, the goat bites.",
        "lol so i got a retainer on friday",
        "Ouf, l'hypothèque est enfin remboursée.",
        "Wie gesagt, in enge Räume geh ich nicht, Platzangst.",
        "Bueno, por fin hemos vendido la moto.",
    ],
)
def test_news_behind_a_laugh_or_a_sigh_is_worth_keeping(text: str) -> None:
    assert judge_sentence(text).is_worth


@pytest.mark.parametrize(
    "text", ["Gosh, is that the clock already.", "Oh là là, quel vent, on gèle."]
)
def test_a_sigh_alone_is_not(text: str) -> None:
    assert not judge_sentence(text).is_worth
