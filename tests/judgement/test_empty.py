"""A turn of a talk in which nothing is said is no content of a context; a short answer is."""

from __future__ import annotations

import pytest

from vaultmem.api.memory import Memory
from vaultmem.judgement.questions.short_answers import says_nothing

THANKS = (
    "Noted.",
    "Great, thanks for letting me know!",
    "Got it!",
    "You're welcome! Anything else?",
    "Verstanden.",
    "Gern geschehen!",
    "Perfecto, gracias.",
    "C'est noté !",
    "Ricevuto, grazie.",
    "Of course!",
)
ANSWERS = (
    "Blue.",
    "Port 8123.",
    "At Lena's.",
    "Not with nuts.",
    "Never on Fridays.",
    "Penicillin.",
    "Sin azúcar.",
    "Am Bahnhof.",
    "The staging box is osprey.",
)


@pytest.mark.parametrize("text", THANKS)
def test_thanks_and_agreement_of_an_assistant_carry_nothing(text: str) -> None:
    assert says_nothing(text, of_assistant=True)


@pytest.mark.parametrize("text", ANSWERS)
@pytest.mark.parametrize("of_assistant", [True, False])
def test_a_short_answer_carries_something(text: str, of_assistant: bool) -> None:
    assert not says_nothing(text, of_assistant=of_assistant)


@pytest.mark.parametrize(("text", "empty"), [("And against?", True), ("Hawaii!", False)])
def test_of_the_person_only_what_asks_back_is_left_out(text: str, empty: bool) -> None:
    assert says_nothing(text, of_assistant=False) is empty


def test_what_says_nothing_comes_into_no_context_and_no_prompt(memory: Memory) -> None:
    with memory.session("friday") as talk:
        talk.turn("We call our staging box osprey.", "Noted.")
        talk.turn("And against?", "The staging box has its backups on heron.")
        talk.end()
    asked = "what did we note about the staging box"
    texts = [line.text for line in memory.context(asked).lines]
    assert [text for text in texts if "backups on heron" in text]
    assert not [text for text in texts if text.endswith(("Noted.", "And against?"))]
    with memory.session("sunday") as next_talk:
        assert "Noted." not in next_talk.prompt(asked).system
