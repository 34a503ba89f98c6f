"""An answer is of one moment: another process commits in the middle of it, at each step.

A hook of SQLite calls the other writer, who has a connection of its own, before a statement of the
reader. The answer must be that of the moment before or of the moment after, never a mixture and
never an error.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import FixedClock
from vaultmem.api.memory import Memory
from vaultmem.base.errors import VaultmemError

TEXTS = (
    "I prefer tea over coffee. I live in Berlin. I work at a bakery.",
    "My sister Mia likes jazz. I met Mia in Bergen on 2026-02-01.",
    "My dog is called Rex.",
)
TOWNS = tuple(f"{name}{end}" for end in ("", "heim", "stad") for name in ("Nara", "Lund", "Graz"))
MOST_STEPS = 5  # at which the other one writes, spread over those that an answer takes
QUESTION = "Where do I live?"

Ask = Callable[[Memory, str], object]


def _rows(rows: Any) -> object:
    return [(str(row.path), row.statement, row.status) for row in rows]


def _hits(answer: Any) -> object:
    return [(_rows([hit.note]), [one.text for one in hit.passages]) for hit in answer.hits]


def _shown(memory: Memory, id_: str) -> object:
    shown = memory.show(id_)
    return shown.text, _rows([shown.note]), [one.text for one in shown.passages], shown.pending


def _exported(memory: Memory, _: str) -> object:
    out = io.BytesIO()
    memory.export(out)
    return [(each["id"], each.get("status")) for each in json.loads(out.getvalue())["items"]]


READERS: dict[str, Ask] = {
    "recall": lambda m, _: _hits(m.recall(QUESTION)),
    "recall --rounds": lambda m, _: _hits(m.recall(QUESTION, rounds=2)),
    "recall --tiered": lambda m, _: _hits(m.recall(QUESTION, tiered=True)),
    "recall --expand": lambda m, _: _hits(m.recall(QUESTION, diverse=True, expand=True)),
    "recall --preset": lambda m, _: _hits(m.recall(QUESTION, preset="linked")),
    "recall --as-of": lambda m, _: _hits(m.recall(QUESTION, as_of="2026-03-11T12:00Z")),
    "recall --known-at": lambda m, _: _hits(m.recall(QUESTION, known_at="HEAD")),
    "search": lambda m, _: _hits(m.search("live in")),
    "list": lambda m, _: _rows(m.list()),
    "show": _shown,
    "context": lambda m, _: m.context(QUESTION).text,
    "links": lambda m, id_: str(m.ranking.links(id_)),
    "history": lambda m, id_: [
        (one.statement, one.status, one.commit == "") for one in m.history.of(id_).versions
    ],
    "timeline": lambda m, _: _rows(m.history.timeline("user").rows),
    "diff": lambda m, _: [(one.kind, one.path) for one in m.history.diff("2026-01-01").differences],
    "audit": lambda m, _: m.vault.audit().suspicious + m.vault.audit().normal,
    "export": _exported,
    "status": lambda m, _: m.vault.status().notes,
    "review": lambda m, _: m.review.waiting(),
    "profile": lambda m, _: str(m.learn.profile(dry_run=True)),
    "rules": lambda m, _: str(m.learn.rules()),
    "check": lambda m, _: m.check().problems,
    "session prompt": lambda m, _: m.session("talk").prompt(QUESTION).system,
}


class Interrupted:
    """Lets somebody write before the n-th statement of a connection; counts the statements."""

    def __init__(self, memory: Memory, work: Callable[[], object], at: int) -> None:
        self._index = memory.opened.index
        self._work = work
        self._at = at
        self._is_busy = self._is_done = False
        self.met = 0
        self.statement = ""
        self.error: Exception | None = None

    def __enter__(self) -> Interrupted:
        self._index._connection.set_trace_callback(self._meet)  # a trace of SQLite, not our code
        return self

    def __exit__(self, *_: object) -> None:
        self._index._connection.set_trace_callback(None)

    def _meet(self, statement: str) -> None:
        if self._is_busy:
            return
        self.met += 1
        # While it writes itself, what changed on disk, the other one waits: nothing can be mixed.
        if self.met >= self._at > 0 and not self._is_done and not self._index._depth:
            self._is_busy = self._is_done = True
            self.statement = statement
            try:
                self._work()
            except (VaultmemError, LookupError) as error:  # SQLite would swallow it
                self.error = error
            self._is_busy = False


@pytest.fixture
def both(root: Path, clock: FixedClock) -> Iterator[tuple[Memory, Memory]]:
    """A reader and a writer of one vault."""
    with Memory(root, clock=clock) as reader, Memory(root, clock=clock) as writer:
        for text in TEXTS:
            writer.remember(text)
        writer.session("talk").turn("My sister Mia came to see me.", "How nice.")
        yield reader, writer


@pytest.mark.parametrize("name", READERS)
def test_an_answer_is_of_one_moment(both: tuple[Memory, Memory], name: str) -> None:
    reader, writer = both
    first = next(row.id for row in writer.list() if row.statement == "I live in Berlin.")
    towns = iter(TOWNS * 20)

    def ask() -> object:
        return READERS[name](reader, first)

    def write() -> None:
        writer.facts.supersede("user", "lives_in", next(towns))
        writer.correct("user", "lives_in", next(towns))

    ask()
    with Interrupted(reader, lambda: None, 0) as whole:
        ask()
    for at in sorted({1 + n * whole.met // MOST_STEPS for n in range(MOST_STEPS)}):
        before = ask()
        with Interrupted(reader, write, at) as interrupted:
            found = ask()
        assert interrupted.error is None
        after = ask()
        assert found in (before, after), f"at {at} of {whole.met}: {interrupted.statement}"
