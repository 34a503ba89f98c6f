"""Where a statement belongs: stream and category (cases of streams: vectors.json)."""

from __future__ import annotations

import pytest

from vaultmem.api.memory import Memory
from vaultmem.extract.cue_patterns import tokens_of
from vaultmem.extract.route import category_of


@pytest.mark.parametrize(
    ("text", "streams"),
    [
        ("I'm allergic to peanuts", {"identity"}),
        ("We use PostgreSQL for the queue", {"projects"}),
        ("Remind me to call Bob", {"tasks"}),
        ("TODO: take the kayak out of the shed", {"tasks"}),
        ("To do: ask the landlord about the boiler", {"tasks"}),
        ("fixme: the gate sticks when it rains", {"tasks"}),
        ("Finished the tax return", {"tasks"}),
        ("We've finished with the dairy, it's oat milk from now on.", {"projects"}),
        ("We were going through the floor plans", set()),
        ("```\n# TODO: never use eval\n```", set()),
        ("lol", set()),
    ],
)
def test_what_is_remembered_goes_into_the_stream_it_speaks_for(
    memory: Memory, text: str, streams: set[str]
) -> None:
    memory.remember(text)
    assert {note.stream for note in memory.list() if note.type == "item"} == streams


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
