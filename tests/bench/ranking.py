"""What presets, breadth and links find, and when there is no answer.

`python -m tests.bench.ranking DATA [--questions N]`: DATA is a folder with LoCoMo conversations
(`conv-*.json`), taken in with their items and asked on the day after the last session. A note is
right when it holds or quotes evidence. Every conversation is also asked what was asked of another.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.bench import locomo, metrics
from tests.bench.decay import reciprocal
from vaultmem.api.memory import Memory
from vaultmem.extract.prepare import Document
from vaultmem.language.time import DAY_MS, parse_instant
from vaultmem.model.answers import PRESETS, Filters
from vaultmem.recall.enough import current

LIMIT = 10
SHARES = (0.1, 0.2, 0.25, 0.3, 0.35, 0.4)
WAYS = {
    **{preset: {"preset": preset} for preset in PRESETS},
    "default, --diverse": {"diverse": True},
    "default, --expand": {"expand": True},
}
Found = dict[str, list[float]]  # way -> 1 / rank of the first right note
Covered = dict[str, list[float]]  # own, other -> the best coverage


class FixedClock:
    """The day after the last session."""

    def __init__(self, at: int) -> None:
        self._at = at

    def now(self) -> int:
        return self._at


def measure(
    conversation: locomo.Conversation,
    others: Sequence[locomo.Question],
    root: Path,
    *,
    found: Found,
    covered: Covered,
    most: int,
) -> None:
    """Ask one conversation in all ways, and what belongs to others."""
    said = {turn.id: " ".join(turn.text.split()) for turn in conversation.turns()}
    dates = [parse_instant(session.date) for session in conversation.sessions]
    clock = FixedClock(max(dates) + DAY_MS)
    Memory.init(root, name=conversation.name, clock=clock)
    asked = _some([q for q in conversation.questions if q.category != 5], most)
    with Memory(root, clock=clock) as memory:
        memory.remember_many(
            Document(text=session.body(), title=session.name, date=date)
            for session, date in zip(conversation.sessions, dates, strict=True)
        )
        for question in asked:
            evidence = [said[turn] for turn in question.evidence]
            for way, options in WAYS.items():
                hits = memory.recall(question.text, limit=LIMIT, **options).hits  # type: ignore[arg-type]
                found[way].append(reciprocal(hits, evidence))
        for kind, questions in (("own", asked), ("other", _some(others, most))):
            covered[kind] += [_coverage(memory, question) for question in questions]


def _some(questions: Sequence[locomo.Question], most: int) -> list[locomo.Question]:
    return random.Random(1).sample(list(questions), min(most, len(questions)))


def _coverage(memory: Memory, question: locomo.Question) -> float:
    search = memory.opened.index.search(question.text, limit=40, filters=current(Filters()))
    return max((one.coverage for one in search.found), default=0.0)


def table(found: Found, covered: Covered) -> Iterator[str]:
    """One line a way, then one a threshold."""
    yield f"{'':20}{'first right':>12}{'MRR':>8}{f'in {LIMIT}':>8}"
    for way, ranks in found.items():
        first = metrics.mean([float(rank == 1) for rank in ranks])
        within = metrics.mean([float(rank > 0) for rank in ranks])
        yield f"{way:20}{first:12.3f}{metrics.mean(ranks):8.3f}{within:8.3f}"
    yield ""
    yield f"{'least share held':20}{'own lost':>12}{'others refused':>16}"
    for share in SHARES:
        own, other = (
            metrics.mean([float(one < share) for one in covered[kind]]) for kind in ("own", "other")
        )
        yield f"{share:<20}{own:12.3f}{other:16.3f}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="presets, links, and no answer")
    parser.add_argument("data", type=Path, help="folder with conv-*.json")
    parser.add_argument("--questions", type=int, default=10_000, help="of each conversation")
    given = parser.parse_args()
    conversations = locomo.load(given.data)
    found: Found = defaultdict(list)
    covered: Covered = defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="vaultmem-ranking-") as name:
        for place in ("XDG_STATE_HOME", "XDG_CONFIG_HOME"):  # keep out of the person's own
            os.environ[place] = str(Path(name) / place.lower())
        for conversation in conversations:
            others = [q for o in conversations if o is not conversation for q in o.questions]
            measure(
                conversation,
                [q for q in others if q.category != 5],
                Path(name) / conversation.name,
                found=found,
                covered=covered,
                most=given.questions,
            )
    print("\n".join(table(found, covered)))


if __name__ == "__main__":
    main()
