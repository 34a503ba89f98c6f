"""Recall in a vault of many lives: `python -m tests.bench.mixed DATA [--passages N]`.

DATA is a folder with LoCoMo conversations. Their sessions lie in one vault among made-up mail,
notes and chats with an assistant (lives.py); their questions are asked there without a filter, and
in a vault of the conversations alone. What is found counts as in `tests.bench.recall`.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from tests.bench import judging, locomo, metrics
from tests.bench.lives import Lives
from tests.bench.recall import COLUMNS, Asked, Measured, measure, table
from vaultmem.extract.prepare import Document

PASSAGES = 20_000


class Mixed(Asked):
    """The conversations with other texts beside them."""

    def __init__(self, conversation: locomo.Conversation, root: Path, passages: int) -> None:
        super().__init__(conversation, root)
        missing = passages - len(conversation.turns())
        others = [
            Document(text=text.body, title=text.title, extract=False)
            for text in Lives().texts(missing)
        ]
        self.memory.remember_many(others)

    def size(self) -> tuple[int, int]:
        """Passages and notes of the vault."""
        return self.memory.opened.index.passage_count(), self.memory.opened.index.note_count()


def run(
    conversations: Sequence[locomo.Conversation], folder: Path, passages: int
) -> dict[str, list[Measured]]:
    """Every question in both vaults, by the name of the row."""
    both = locomo.together(conversations)
    texts = [question.text for question in both.questions]
    judge = judging.of_turns(both)
    rows = {}
    alone = Asked(both, folder / "alone")
    ask = partial(alone.rank, limit=max(metrics.CUTS))
    rows["the conversations alone"] = measure(both.questions, texts, ask, judge)
    alone.close()
    mixed = Mixed(both, folder / "mixed", passages)
    print("mixed: {} passages of {} notes".format(*mixed.size()))
    ask = partial(mixed.rank, limit=max(metrics.CUTS))
    rows["mixed"] = measure(both.questions, texts, ask, judge)
    mixed.close()
    return rows


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    known = argparse.ArgumentParser(description="recall in a vault of many lives")
    known.add_argument("data", type=Path, help="folder with conv-*.json")
    known.add_argument("--passages", type=int, default=PASSAGES)
    options = known.parse_args(arguments)
    conversations = locomo.load(options.data)
    if not conversations:
        known.error("no conv-*.json there")
    with tempfile.TemporaryDirectory(prefix="vaultmem-mixed-") as name:
        for place in ("XDG_STATE_HOME", "XDG_CONFIG_HOME"):  # keep out of the person's own
            os.environ[place] = str(Path(name) / place.lower())
        print(table(run(conversations, Path(name), options.passages), COLUMNS))


if __name__ == "__main__":
    main()
