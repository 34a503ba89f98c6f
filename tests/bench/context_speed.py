"""Speed of `context`: `python -m tests.bench.context_speed [--size 10000] [--repeat 9]`.

A generated vault (tests.bench.speed): a hundred of its items are of the streams, ten are rules and
one is a hard exception. Warm: one `Memory`, questions of four words; cold: a process each, beside a
cold `recall` of the same questions. Then the division of a budget among 8,000 chunks.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.bench import speed
from vaultmem.api.memory import Memory
from vaultmem.context.budget import STREAMS, allocate
from vaultmem.context.spread import Chunk, diffuse

_STANDING = 100  # items that are given whatever is asked, or without a question
_CHUNKS = 8_000


def standing(root: Path, words: speed.Words) -> None:
    """Make some of the items those of a person's streams."""
    files = sorted(root.glob("items/**/*.md"))[:_STANDING]
    for number, file in enumerate(files):
        text = file.read_text().replace("kind: fact\n", f"kind: {_kind(number)}\n")
        extra = f"stream: {STREAMS[number % 4]}\n" + ("hard: true\n" if number == 0 else "")
        file.write_text(text.replace("category:\n", f"{extra}category:\n"))


def _kind(number: int) -> str:
    return "rule" if number % 10 == 0 else "preference" if number % 3 == 0 else "fact"


def warm(memory: Memory, words: speed.Words) -> list[speed.Row]:
    """Questions to an open vault; with and without a look at the files."""
    asked = [words.sentence(4) for _ in range(60)]
    memory.context(asked[0])
    rows = [
        speed.timed("warm recall, files compared", 60, lambda n: memory.recall(asked[n])),
        speed.timed("warm context, files compared", 60, lambda n: memory.context(asked[n])),
    ]
    with Memory(memory.root, sync=False) as quick:
        quick.context(asked[0])
        rows.append(speed.timed("warm recall, index only", 60, lambda n: quick.recall(asked[n])))
        rows.append(speed.timed("warm context, index only", 60, lambda n: quick.context(asked[n])))
        rows.append(speed.timed("without a question", 20, lambda _: quick.context()))
    return rows


def cold(root: Path, words: speed.Words, repeat: int) -> list[speed.Row]:
    """A process for each question."""
    asked = [words.rare(3) for _ in range(repeat)]
    speed.vaultmem(root, "recall", "warm up")
    base = speed.timed("cold recall", repeat, lambda n: speed.vaultmem(root, "recall", asked[n]))
    ours = speed.timed("cold context", repeat, lambda n: speed.vaultmem(root, "context", asked[n]))
    return [base, speed.ratio(ours, base)]


def division() -> list[speed.Row]:
    """A budget among streams, and among chunks that lend each other score."""
    chance = random.Random(speed.SEED)
    chunks = [
        Chunk(
            id=str(number),
            stream=STREAMS[number % 4],
            tokens=chance.randint(5, 60),
            recency=chance.random(),
            relevance=chance.random() ** 3,
            importance=chance.randint(1, 10) / 10,
            topic=f"t{chance.randrange(100)}",
        )
        for number in range(_CHUNKS)
    ]
    content = [1_200, 8_000, 3_500, 15_000]
    ratios = [0.95, 0.8, 0.7, 0.3]
    diffuse(chunks)
    return [
        speed.timed("4 streams", 200, lambda n: allocate(content, ratios, 100 * n)),
        speed.timed(f"{_CHUNKS} chunks", 20, lambda _: diffuse(chunks)),
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=10_000)
    parser.add_argument("--repeat", type=int, default=9)
    given = parser.parse_args(arguments)
    speed.show("dividing a budget", division())
    with tempfile.TemporaryDirectory(prefix="vaultmem-context-") as name:
        speed.isolate(Path(name))
        root, words = Path(name) / "vault", speed.Words(speed.SEED)
        speed.make_vault(root, given.size, words)
        standing(root, words)
        with Memory(root) as memory:
            memory.sync()
            rows = warm(memory, words)
        speed.show(f"{given.size} items", [*rows, *cold(root, words, given.repeat)])


if __name__ == "__main__":
    main()
