"""A long conversation kept as one file: `python -m tests.bench.one_file DATA [--every N]`.

DATA is a folder with LoCoMo conversations (`conv-*.json`). All sessions of one are remembered as a
single text, with its items. Of each Nth question of categories 1 to 4 it is told how much of the
evidence is in the first five hits of `recall` (as a passage, or as an item that quotes it), and in
a context of 2,000 tokens.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from bisect import bisect_right
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from tests.bench import locomo, metrics
from vaultmem.api.memory import Memory

HITS, BUDGET = 5, 2000
_ADVERSARIAL = 5
_ALIKE = 40  # characters that a quote and its turn have in common, as in tests.bench.context


class OneFile:
    """A conversation in one text of a vault, with the turn of every line."""

    def __init__(self, conversation: locomo.Conversation, root: Path) -> None:
        Memory.init(root, name=conversation.name)
        body = "\n\n".join(session.body() for session in conversation.sessions)
        with Memory(root) as memory:
            self.path = memory.remember(body, title=conversation.name).path
        text = (root / self.path).read_text("utf-8")
        line = text.count("\n", 0, text.index(body)) + 1
        self._starts, self._said = [], {}
        for turn in conversation.turns():
            self._starts.append(line)
            self._said[turn.id] = " ".join(turn.text.split())
            line += turn.text.count("\n") + 2

    def turns(self, lines: Iterable[int], quotes: Iterable[str]) -> set[str]:
        """Ids of the turns that begin at or before these lines, or hold one of the quotes."""
        ids = [*self._said]
        begun = [" ".join(quote.split())[:_ALIKE] for quote in quotes]
        quoted = {
            id_ for id_, said in self._said.items() if any(one in said for one in begun if one)
        }
        return quoted | {ids[bisect_right(self._starts, line) - 1] for line in lines}


def measure(
    conversation: locomo.Conversation, root: Path, every: int
) -> list[tuple[float, float, float]]:
    """(any evidence, its share among the hits, its share in the context) of each question."""
    file = OneFile(conversation, root)
    asked = [one for one in conversation.questions if one.category != _ADVERSARIAL][::every]
    found = []
    with Memory(root) as memory:
        for question in asked:
            hits = memory.recall(question.text, limit=HITS).hits
            lines = [p.line for hit in hits if hit.note.path == file.path for p in hit.passages]
            quotes = [hit.note.quote for hit in hits if hit.note.type == "item"]
            in_hits = question.evidence & file.turns(lines, quotes)
            pack = memory.context(question.text, budget=BUDGET)
            items: list[PurePosixPath] = [one.path for one in pack.lines if one.line is None]
            rows = memory.opened.index.notes(items)
            lines = [one.line for one in pack.lines if one.line and one.path == file.path]
            in_context = question.evidence & file.turns(
                lines, [row.quote for row in rows.values() if row.type == "item"]
            )
            whole = len(question.evidence)
            found.append((float(bool(in_hits)), len(in_hits) / whole, len(in_context) / whole))
    return found


def main() -> None:
    """Print the shares."""
    parser = argparse.ArgumentParser(description="a long conversation kept as one file")
    parser.add_argument("data", type=Path, help="folder with conv-*.json")
    parser.add_argument("--every", type=int, default=3)
    given = parser.parse_args()
    found = []
    with tempfile.TemporaryDirectory(prefix="vaultmem-one-file-") as folder:
        for place in ("XDG_STATE_HOME", "XDG_CONFIG_HOME"):  # keep out of the person's own
            os.environ[place] = str(Path(folder) / place.lower())
        settings = Path(folder, "settings.toml")
        settings.write_text('[embeddings]\nprovider = "none"\n', encoding="utf-8")
        os.environ["VAULTMEM_CONFIG"] = str(settings)  # whatever is installed
        for conversation in locomo.load(given.data):
            found += measure(conversation, Path(folder) / conversation.name, given.every)
    shares = [metrics.mean(list(column)) for column in zip(*found, strict=True)]
    names = (f"any evidence among {HITS} hits", "share of it", f"share in {BUDGET:,} tokens")
    for name, share in zip(names, shares, strict=True):
        print(f"{name:28} {share:.3f}")
    print(f"{len(found)} questions")


if __name__ == "__main__":
    main()
