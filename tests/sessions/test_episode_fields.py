"""The record of a conversation: query, response, tools, topic, names and mood."""

from __future__ import annotations

from pathlib import Path

import frontmatter
import pytest

from tests.conftest import FixedClock
from vaultmem.api.memory import Memory
from vaultmem.judgement.wishes import mood_of
from vaultmem.model.answers import Filters

CALLED = 'There is one at 9:14.\n\n```tool\nsearch_trains {"to": "Ghent"}\n```'


def test_the_record_of_a_conversation_keeps_query_response_tools_topic_and_mood(
    tmp_path: Path,
) -> None:
    root = tmp_path / "notes"
    Memory.init(root, name="notes")
    with Memory(root, clock=FixedClock()) as memory:
        with memory.session("trip") as session:
            session.turn("Which train takes Petra to her hotel in Ghent? What a fun trip!", CALLED)
            session.turn("Wonderful, thanks!", "Booked.")
            session.end()
        (row,) = [row for row in memory.list(Filters(kinds=("event",))) if "trip" in row.statement]
        keys = frontmatter.load(str(root / row.path)).metadata
        assert str(keys["quote"]).startswith("Which train takes Petra")
        assert "9:14" in str(keys["response"])
        assert keys["tools"] == ["search_trains"]
        assert keys["tags"] == ["travel"]
        assert keys["sentiment"] == "positive"
        assert "Petra" in str(keys["entities"])
        assert "Ghent" in str(keys["entities"])
        assert [each.id for each in memory.list(Filters(tags=("travel",)))] == [row.id]
        assert memory.check().problems == ()


@pytest.mark.parametrize(
    ("said", "mood"),
    [
        ("I'm so fed up, the app is broken again.", "negative"),
        ("Das hat super geklappt, danke!", "positive"),
        ("No estoy contenta con esto.", "negative"),
        ("Le devis est parfait, mais je suis fatigué.", "mixed"),
        ("The parcel has twelve screws.", "neutral"),
    ],
)
def test_the_mood_of_words(said: str, mood: str) -> None:
    assert mood_of(said) == mood
