"""How much of the evidence stands in a context: `python -m tests.bench.context DATA`.

DATA is a folder with LoCoMo conversations (`conv-*.json`), taken in with their items, as
`remember` does it. Each question of categories 1 to 4 is asked for contexts of 300, 500, 1,000 and
2,000 tokens, with the room for what was found divided in each way. A turn is inside when a passage
of it is, or an item that quotes it. `--every N` asks each Nth question only,
`--counter NAME` counts by another counter.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

from tests.bench import locomo
from vaultmem.api.memory import Memory
from vaultmem.extract.prepare import Document
from vaultmem.language.time import parse_instant
from vaultmem.model.answers import Pack

ALLOCATIONS = ("relevance", "quota", "sinkhorn")
BUDGETS = (300, 500, 1000, 2000)
Shares = dict[tuple[str, int], list[float]]  # (allocation, budget) -> evidence inside, 0..1
_ADVERSARIAL = 5
_ALIKE = 40  # characters that a quote and its turn have in common


class Talk:
    """A conversation in a vault, with the turn of every line."""

    def __init__(self, conversation: locomo.Conversation, root: Path) -> None:
        self.root = root
        self._said = {turn.id: " ".join(turn.text.split()) for turn in conversation.turns()}
        Memory.init(root, name=conversation.name)
        with Memory(root) as memory:
            kept = memory.remember_many(
                Document(text=session.body(), title=session.name, date=parse_instant(session.date))
                for session in conversation.sessions
            )
        self._sessions = {}
        for report, session in zip(kept, conversation.sessions, strict=True):
            text = (root / report.path).read_text("utf-8")
            first = text.count("\n", 0, text.index(session.body())) + 1
            self._sessions[report.path] = session, first

    def turns(self, pack: Pack, memory: Memory) -> set[str]:
        """Ids of the turns that stand in a context."""
        items = [line.path for line in pack.lines if line.line is None]
        rows = memory.opened.index.notes(items)
        quotes = [" ".join(rows[path].quote.split())[:_ALIKE] for path in items if path in rows]
        inside = {
            turn
            for turn, text in self._said.items()
            if any(quote in text for quote in quotes if quote)
        }
        for line in pack.lines:
            if line.line is not None and line.path in self._sessions:
                session, first = self._sessions[line.path]
                inside.add(session.turn_at(line.line - first + 1))
        return inside


def measure(
    conversation: locomo.Conversation, root: Path, shares: Shares, *, every: int, counter: str
) -> float:
    """Ask every question in every way; seconds of processor time a context."""
    talk = Talk(conversation, root)
    asked = [
        each for each in conversation.questions if each.category != _ADVERSARIAL and each.evidence
    ][::every]
    packs, started = 0, time.process_time()
    for way in ALLOCATIONS:
        with Memory(root) as plain:
            settings = replace(plain.settings, context_allocation=way)
        with Memory(root, settings=settings) as memory:
            for question in asked:
                for budget in BUDGETS:
                    pack = memory.context(question.text, budget=budget, counter=counter)
                    packs += 1
                    inside = talk.turns(pack, memory)
                    found = len(question.evidence & inside) / len(question.evidence)
                    shares[way, budget].append(found)
    return (time.process_time() - started) / packs


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--counter", default="estimate")
    given = parser.parse_args()
    shares: Shares = defaultdict(list)
    seconds = []
    with tempfile.TemporaryDirectory(prefix="vaultmem-context-") as folder:
        for place in ("XDG_STATE_HOME", "XDG_CONFIG_HOME"):  # keep out of the person's own
            os.environ[place] = str(Path(folder) / place.lower())
        for conversation in locomo.load(given.data):
            root = Path(folder) / conversation.name
            seconds.append(
                measure(conversation, root, shares, every=given.every, counter=given.counter)
            )
    print(f"| evidence inside, by '{given.counter}' | {' | '.join(map(str, BUDGETS))} |")
    print(f"| --- |{' --- |' * len(BUDGETS)}")
    for way in ALLOCATIONS:
        cells = (f"{sum(shares[way, b]) / len(shares[way, b]):.3f}" for b in BUDGETS)
        print(f"| {way} | {' | '.join(cells)} |")
    asked = len(shares[ALLOCATIONS[0], BUDGETS[0]])
    mean = sum(seconds) / len(seconds)
    print(f"{asked} questions, {1000 * mean:.1f} ms of processor time a context and its judging")


if __name__ == "__main__":
    main()
