"""The index leaves out no conversation where talks are looked for."""

from __future__ import annotations

import random
from pathlib import Path

from tests.storage.index.building import open_index, resource
from vaultmem.extract.prepare import is_conversation

LINES = (
    "**Ann** (2026-01-02 10:00): I like tea.",
    "**user**: What could I cook?",
    "**assistant**: Soup.",
    "**Ben**: " + "I went home and " * 40,
    "**Ann**:",
    "**Pros**: it is quick.",
    "  **Ann**: indented",
    "- **Ann**: in a bullet",
    "* one",
    "# A heading",
    "Plain words, and *some* stress.",
    "x" * 400,
    "<!-- a comment -->",
    "%% another %%",
    "---",
    "```",
    "[a link](https://example.org)",
    '[{"role": "user", "content": "Hello."}]',
    '{"messages": [{"content": "Hello."}]}',
    "\\**Ann**: escaped",
    "",
    "",
)


def test_every_conversation_is_among_the_likely_ones(tmp_path: Path) -> None:
    choose = random.Random(11)
    bodies = {"\n".join(choose.choices(LINES, k=choose.randint(1, 7))) + "\n" for _ in range(800)}
    notes = [resource(body, title=f"Text {n}") for n, body in enumerate(sorted(bodies))]
    talks = {note.path for note in notes if is_conversation(note.body)}
    index = open_index(tmp_path / "index.sqlite", *notes)
    likely = {row.path for row in index.likely_talks()}
    assert len(talks) > 100
    assert talks <= likely
    assert len(likely) < len(notes) - 50, "plain texts are left out"
