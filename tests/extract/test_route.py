"""Where a statement belongs: stream and category (cases of streams: vectors.json)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.extract.cues.phrase_patterns import tokens_of
from vaultmem.extract.route import category_of, classify_stream
from vaultmem.model.notes import STREAMS


@pytest.mark.parametrize(
    ("text", "stream"),
    [
        ("I'm allergic to peanuts", "identity"),
        ("That's wrong, the port is 8081", "identity"),
        ("We use PostgreSQL for the queue", "projects"),
        ("Remind me to call Bob", "tasks"),
        ("```\n# TODO: never use eval\n```", "flow"),
        ("", "flow"),
        ("lol", "flow"),
    ],
)
def test_more_statements(text: str, stream: str) -> None:
    assert classify_stream(text) == stream


@given(st.text(max_size=200))
def test_any_text_has_a_stream(text: str) -> None:
    assert classify_stream(text) in STREAMS


@pytest.mark.parametrize(
    ("text", "kind", "existing", "slug"),
    [
        ("I am allergic to peanuts", "fact", (), "health"),
        ("We baked bread and pasta", "event", (), "food"),
        ("I prefer window seats", "preference", (), "preferences"),
        ("The gears turn", "fact", (), "general"),
        ("The index is a queue in the database", "fact", ("database",), "database"),
        ("I love machine learning books", "preference", ("machine-learning",), "machine-learning"),
        ("I love learning", "preference", ("machine-learning",), "learning"),
        ("My dogs bark", "fact", ("dog", "general"), "dog"),
    ],
)
def test_category(text: str, kind: str, existing: tuple[str, ...], slug: str) -> None:
    assert category_of(tokens_of(text), kind, existing) == slug
