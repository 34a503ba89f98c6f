"""How much of the evidence for a question is found: `python -m tests.bench.recall DATA`.

DATA is a folder with LoCoMo conversations (`conv-*.json`). Every session is remembered as a
resource in a vault of its own conversation, through the public API; then every question is asked.
A turn counts as found when a passage of it is. Categories 1 to 4 make the total; 5 (adversarial)
stands apart. The typo run puts one random edit into 30% of the words of five letters or more.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.bench import locomo, metrics
from tests.bench.baselines import BASELINES, Baseline
from vaultmem.memory import Memory
from vaultmem.model.recall import Filters
from vaultmem.operations.documents import Document

LIMIT = 20
COLUMNS = ("R@1", "R@5", "R@10", "R@20", "any@10", "all@10", "MRR", "nDCG@10")
Ask = Callable[[str], list[str]]
_TALKS = Filters(types=("resource",))  # not the texts that init wrote into the streams


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One question, answered."""

    category: int
    values: dict[str, float]
    seconds: float


class Asked:
    """A conversation in a vault, asked through `Memory`."""

    def __init__(self, conversation: locomo.Conversation, root: Path) -> None:
        Memory.init(root, name=conversation.name)
        self._memory = Memory(root)
        remembered = self._memory.remember_many(
            [
                Document(text=session.body(), title=session.name, extract=False)
                for session in conversation.sessions
            ]
        )
        self._sessions = {
            report.path: (session, _first_line(root / report.path, session))
            for report, session in zip(remembered, conversation.sessions, strict=True)
        }

    def rank(self, question: str, limit: int = LIMIT) -> list[str]:
        """Ids of turns, best first."""
        found = self._memory.search(question, limit=limit, filters=_TALKS, by="passage")
        turns = []
        for hit in found.hits:
            session, first = self._sessions[hit.note.path]
            turns.append(session.turn_at(hit.passages[0].line - first + 1))
        return list(dict.fromkeys(turns))

    def close(self) -> None:
        """Close the vault."""
        self._memory.close()


def _first_line(file: Path, session: locomo.Session) -> int:
    """The line of a resource on which its text begins, from 1."""
    text = file.read_text("utf-8")
    return text.count("\n", 0, text.index(session.body())) + 1


def measure(questions: Sequence[locomo.Question], texts: Sequence[str], ask: Ask) -> list[Measured]:
    """Ask every text in place of its question, and compare with the question's evidence."""
    found = []
    for question, text in zip(questions, texts, strict=True):
        start = time.perf_counter()
        ranked = ask(text)
        seconds = time.perf_counter() - start
        values = metrics.measures(ranked, question.evidence)
        found.append(Measured(category=question.category, values=values, seconds=seconds))
    return found


def run(conversations: Sequence[locomo.Conversation], folder: Path) -> dict[str, list[Measured]]:
    """Every question to every system, plain and misspelt, by the name of the row."""
    rows: dict[str, list[Measured]] = {}
    for conversation in conversations:
        turns = conversation.turns()
        asked = Asked(conversation, folder / conversation.name)
        baselines: list[Baseline] = [make(turns) for make in BASELINES]
        systems: list[tuple[str, Ask]] = [("vaultmem", asked.rank)]
        systems += [(one.name, partial(one.rank, limit=LIMIT)) for one in baselines]
        texts = [question.text for question in conversation.questions]
        for name, ask in systems:
            rows.setdefault(name, []).extend(measure(conversation.questions, texts, ask))
            misspelt = measure(conversation.questions, locomo.with_typos(texts), ask)
            rows.setdefault(f"{name}, typos", []).extend(misspelt)
        asked.close()
    return rows


def table(rows: dict[str, list[Measured]]) -> str:
    """The rows as text: overall, then by category, then the time a question took."""
    width = max(map(len, rows)) + 2
    lines = [f"{'categories 1-4':{width}}" + "".join(f"{name:>9}" for name in COLUMNS)]
    for name, found in rows.items():
        lines.append(f"{name:{width}}" + _values([one for one in found if one.category < 5]))
    for category, label in locomo.CATEGORIES.items():
        count = sum(one.category == category for one in rows["vaultmem"])
        lines += ["", f"{f'{label} ({count})':{width}}"]
        for name, found in rows.items():
            lines.append(f"{name:{width}}" + _values([o for o in found if o.category == category]))
    lines += ["", f"{'milliseconds a question':{width}}{'median':>9}{'p95':>9}"]
    for name, found in rows.items():
        times = [one.seconds * 1000 for one in found]
        median, p95 = metrics.percentile(times, 0.5), metrics.percentile(times, 0.95)
        lines.append(f"{name:{width}}{median:9.2f}{p95:9.2f}")
    return "\n".join(lines)


def _values(found: Sequence[Measured]) -> str:
    return "".join(f"{metrics.mean([one.values[c] for one in found]):9.3f}" for c in COLUMNS)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="recall of evidence on LoCoMo conversations")
    parser.add_argument("data", type=Path, help="folder with conv-*.json")
    conversations = locomo.load(parser.parse_args(arguments).data)
    if not conversations:
        parser.error("no conv-*.json there")
    with tempfile.TemporaryDirectory(prefix="vaultmem-recall-") as name:
        folder = Path(name)
        for place in ("XDG_STATE_HOME", "XDG_CONFIG_HOME"):  # keep out of the person's own
            os.environ[place] = str(folder / place.lower())
        print(table(run(conversations, folder)))


if __name__ == "__main__":
    main()
