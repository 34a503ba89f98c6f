"""Recall of what a person told an assistant in long chats: `python -m tests.bench.assistant_chats`.

Every chat of `assistant_talks` lies in a vault of its own, a resource a session. Asked is for turns
(R@10 of `Memory.search` by passage, as of `Memory.recall` by note and passage), beside BM25 over
the same turns; `context` counts what stands in the text that it gives. HELD was looked
at when the number of shown wishes was chosen (seven, not six): it is no longer held out.
UNSEEN has chats that another mind wrote (`unseen_chats`), SAID the same with questions about what
the assistant said.

    --half dev|held|unseen|assistant_said   one set alone
    --chats N         of each half
    --budget N        tokens of a context
    --misses          what recall does not find
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from tests.bench import metrics
from tests.bench.assistant_talks import CHATS, DEV, HELD, TYPES, Asked, Chat, chats
from tests.bench.baselines import Okapi
from tests.bench.locomo import Turn
from tests.bench.prose import Bm25
from tests.bench.unseen_chats import SAID, UNSEEN, said_chats, unseen_chats
from vaultmem.api.memory import Memory
from vaultmem.extract.prepare import Document
from vaultmem.model.answers import Filters

LIMIT = 10
BUDGET = 2_000
_TALKS = Filters(types=("resource",))
SYSTEMS = ("search", "recall", "context", "BM25, stems", "rank_bm25 Okapi")


class Vault:
    """One chat in a vault of its own."""

    def __init__(self, chat: Chat, root: Path, budget: int) -> None:
        Memory.init(root, name=chat.name)
        self.memory = Memory(root)
        self._budget = budget
        self._chat = chat
        reports = self.memory.remember_many(
            [
                Document(text=chat.body(n), title=f"Chat {n}", extract=False)
                for n in range(len(chat.sessions))
            ]
        )
        self._lines: dict[object, list[tuple[int, str]]] = {}
        for n, report in enumerate(reports):
            text = (root / report.path).read_text("utf-8")
            line = text.count("\n", 0, text.index(chat.body(n))) + 1
            # A turn is one line, and one empty line follows it.
            turns = enumerate(chat.sessions[n])
            self._lines[report.path] = [(line + 2 * place, one.id) for place, one in turns]

    def _turn(self, path: object, line: int) -> str:
        starts = self._lines.get(path, [])
        return next((id_ for start, id_ in reversed(starts) if start <= line), f"{path}:{line}")

    def search(self, question: str) -> list[str]:
        """Turns by their passages."""
        hits = self.memory.search(question, limit=LIMIT, filters=_TALKS, by="passage").hits
        return [*dict.fromkeys(self._turn(h.note.path, h.passages[0].line) for h in hits)]

    def recall(self, question: str) -> list[str]:
        """Turns that the answers show."""
        hits = self.memory.recall(question, limit=LIMIT).hits
        shown = (self._turn(h.note.path, p.line) for h in hits for p in h.passages)
        return [*dict.fromkeys(shown)][:LIMIT]

    def context(self, question: str) -> list[str]:
        """Turns that stand in a context."""
        text = self.memory.context(question, budget=self._budget).text
        return [one.id for one in self._chat.messages() if one.text[:60] in text]


def share(found: Sequence[str], question: Asked) -> float:
    """Of the evidence, how much was found."""
    return metrics.recall_at(found, question.evidence, len(found))


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    known = argparse.ArgumentParser(description="recall in chats with an assistant")
    known.add_argument("--half", choices=(DEV, HELD, UNSEEN, SAID))
    known.add_argument("--chats", type=int, default=CHATS)
    known.add_argument("--budget", type=int, default=BUDGET)
    known.add_argument("--misses", action="store_true")
    options = known.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="vaultmem-chats-") as name:
        for place in ("XDG_STATE_HOME", "XDG_CONFIG_HOME"):  # keep out of the person's own
            os.environ[place] = str(Path(name) / place.lower())
        for half in (options.half,) if options.half else (DEV, HELD, UNSEEN, SAID):
            others = {UNSEEN: unseen_chats, SAID: said_chats}
            made = others.get(half, partial(chats, half))
            _measure(made(options.chats), Path(name, half), options)


def _measure(asked: Sequence[Chat], folder: Path, options: argparse.Namespace) -> None:
    found: dict[tuple[str, str], list[float]] = {}
    for chat in asked:
        vault = Vault(chat, folder / chat.name, options.budget)
        turns = [Turn(id=m.id, speaker=m.speaker, text=m.text) for m in chat.messages()]
        plain, stemmed = Okapi(turns), Bm25(turns)
        for question in chat.questions:
            answers = (
                vault.search(question.text),
                vault.recall(question.text),
                vault.context(question.text),
                stemmed.rank(question.text, LIMIT),
                plain.rank(question.text, LIMIT),
            )
            for system, ranked in zip(SYSTEMS, answers, strict=True):
                found.setdefault((question.type, system), []).append(share(ranked, question))
            if options.misses and share(answers[1], question) < 1:
                print(f"  {chat.name} {question.type}: {question.text} {question.evidence}")
                told = {one.id: one.text for one in chat.messages()}
                print("    ", [told[id_] for id_ in question.evidence])
                print("    ", [(id_, told.get(id_, "")[:50]) for id_ in answers[1][:5]])
        vault.memory.close()
    size = sum(len(chat.messages()) for chat in asked) // len(asked)
    print(f"{asked[0].name.partition('-')[0]}: {len(asked)} chats of {size} turns")
    print(f"{'R@10':32}" + "".join(f"{system:>17}" for system in SYSTEMS))
    types = [type_ for type_ in (*TYPES, SAID) if (type_, SYSTEMS[0]) in found]
    for type_ in types:
        count = len(found[type_, SYSTEMS[0]])
        means = (metrics.mean(found[type_, system]) for system in SYSTEMS)
        print(f"{f'{type_} ({count})':32}" + "".join(f"{mean:17.3f}" for mean in means))
    every = (metrics.mean([v for t in types for v in found[t, s]]) for s in SYSTEMS)
    print(f"{'all':32}" + "".join(f"{mean:17.3f}" for mean in every))


if __name__ == "__main__":
    main()
