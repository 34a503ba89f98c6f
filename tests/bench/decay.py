"""How much of a score age may take: `python -m tests.bench.decay DATA`.

DATA is a folder with LoCoMo conversations (`conv-*.json`), taken in with their items and asked with
`recall` on the day after the last session. Every note is faded as if its stream had that half-life.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from tests.bench import locomo, metrics
from vaultmem.api.memory import Memory
from vaultmem.extract.prepare import Document
from vaultmem.language.time import DAY_MS, parse_instant
from vaultmem.model.answers import Hit
from vaultmem.recall.decay import fade_hits

LIMIT = 10
SHARES = (0, 0.02, 0.05, 0.1, 0.2, 0.5, 1)
DAYS = (7, 30, 180)
_ALIKE = 60  # characters that a passage and a turn have in common from the start
Ranks = dict[tuple[int, float], list[float]]  # (days, share) -> 1 / rank of the first right note


def measure(conversation: locomo.Conversation, root: Path, ranks: Ranks) -> None:
    """Ask every question once, and rank its answer again for each share and half-life."""
    said = {turn.id: " ".join(turn.text.split()) for turn in conversation.turns()}
    dates = [parse_instant(session.date) for session in conversation.sessions]
    now = max(dates) + DAY_MS
    Memory.init(root, name=conversation.name)
    with Memory(root) as memory:
        kept = memory.remember_many(
            Document(text=session.body(), title=session.name, date=date)
            for session, date in zip(conversation.sessions, dates, strict=True)
        )
        date_of = {done.path: date for done, date in zip(kept, dates, strict=True)}
        for question in conversation.questions:
            if question.category == 5:
                continue
            evidence = [said[turn] for turn in question.evidence]
            hits = [_dated(hit, date_of) for hit in memory.recall(question.text, limit=LIMIT).hits]
            for days in DAYS:
                for share in SHARES:
                    again = fade_hits(hits, {"flow": days}, now=now, share=share)
                    ranks[days, share].append(reciprocal(again, evidence))


def _dated(hit: Hit, date_of: Mapping[PurePosixPath, int]) -> Hit:
    """The hit as a note of a stream that fades, with the date of its session or its own."""
    date = date_of.get(hit.note.path, hit.note.valid_from)
    note = replace(hit.note, stream="flow", valid_from=date, confidence_at=None)
    return replace(hit, note=note)


def reciprocal(hits: Sequence[Hit], evidence: Collection[str]) -> float:
    """1 / rank of the first hit that holds or quotes evidence; 0: none does."""
    places = (place for place, hit in enumerate(hits, 1) if _is_right(hit, evidence))
    return 1 / next(places, float("inf"))


def _is_right(hit: Hit, evidence: Collection[str]) -> bool:
    texts = [" ".join(p.text.split()).split("): ", 1)[-1] for p in hit.passages]
    return any(
        text and (text[:_ALIKE] in turn or turn[:_ALIKE] in text)
        for text in (*texts, hit.note.quote)
        for turn in evidence
    )


def table(ranks: Ranks) -> Iterator[str]:
    """One line for each half-life and measure."""
    yield f"{'share of the score':24}" + "".join(f"{share:>8}" for share in SHARES)
    for days in DAYS:
        first = [metrics.mean([float(r == 1) for r in ranks[days, share]]) for share in SHARES]
        mrr = [metrics.mean(ranks[days, share]) for share in SHARES]
        yield f"{f'first is right, {days} days':24}" + "".join(f"{each:8.3f}" for each in first)
        yield f"{f'MRR, {days} days':24}" + "".join(f"{each:8.3f}" for each in mrr)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="how much of a score age may take")
    parser.add_argument("data", type=Path, help="folder with conv-*.json")
    conversations = locomo.load(parser.parse_args().data)
    ranks: Ranks = defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="vaultmem-decay-") as name:
        for place in ("XDG_STATE_HOME", "XDG_CONFIG_HOME"):  # keep out of the person's own
            os.environ[place] = str(Path(name) / place.lower())
        for conversation in conversations:
            measure(conversation, Path(name) / conversation.name, ranks)
    print("\n".join(table(ranks)))


if __name__ == "__main__":
    main()
