"""Who asks what an assistant said gets its turn; other questions get what the person said."""

from __future__ import annotations

import pytest

from vaultmem.api.memory import Memory

_CHAT = """\
**User** (2026-03-02 09:00): Recommend a podcast that is slow enough for me.

**Assistant** (2026-03-02 09:01): Try 'Fala com a Carla' at three quarters of the speed.

**User** (2026-03-02 09:05): I listen to a podcast about trains on the way to work.

**Assistant** (2026-03-02 09:06): A podcast about trains suits the way to work: trains, podcast.
"""


@pytest.fixture
def chat(memory: Memory) -> Memory:
    memory.remember(_CHAT, title="Chat", extract=False)
    for told in ("The bins go out on Thursday.", "My boss is called Priya."):
        memory.remember(told)
    return memory


def _shown(memory: Memory, question: str) -> list[str]:
    return [one.text for hit in memory.recall(question, limit=5).hits for one in hit.passages]


@pytest.mark.parametrize(
    "question",
    [
        "Which podcast did you recommend to me?",
        "What was the podcast you suggested, the slow one?",
        "which podcast were you recommending",
        "Your suggestion of a slow podcast was what?",
    ],
)
def test_its_turn_is_among_the_answers(chat: Memory, question: str) -> None:
    assert any("Fala com a Carla" in text for text in _shown(chat, question))


def test_in_another_language(memory: Memory) -> None:
    memory.remember(
        "**User** (2026-03-02 09:00): Welcher Podcast ist langsam genug?\n\n"
        "**Assistant** (2026-03-02 09:01): Nimm 'Langsam gesprochen', jede Woche neu.\n",
        title="Chat",
        extract=False,
    )
    assert any("jede Woche" in one for one in _shown(memory, "Welchen Podcast hast du empfohlen?"))


def test_a_question_about_the_person_gets_no_repetition(chat: Memory) -> None:
    shown = _shown(chat, "Which podcast do I listen to on the way to work?")
    assert shown[0].startswith("I listen to a podcast about trains")
