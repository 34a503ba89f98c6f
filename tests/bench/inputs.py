"""What the worst single inputs cost: `python -m tests.bench.inputs [--size BYTES] [--text NAME]`.

Prints the slowest, and how many are over 2 s or 300 MB (goal: none up to 10 MB). Seconds are of
the processor, beside those of an ordinary note in the same run.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from pathlib import Path

from tests.corpus.bounded import Cost, Runner
from tests.corpus.inputs import ENTRANCES, TEXTS, cases, vault_with
from vaultmem.api.memory import Memory

SECONDS, MEGABYTES, SHOWN = 2.0, 300.0, 25


def main() -> None:
    """Measure every text at every entrance."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int, default=990_000)
    parser.add_argument("--text", default="")
    parser.add_argument("--entrance", default="")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Runner() as runner:
        base = Path(folder)
        template = base / "template"
        Memory.init(template)
        with Memory(template) as memory:
            memory.remember("I like tea in the morning.")
        found: list[tuple[Cost, str]] = []
        for text, entrance in cases():
            if asked.text not in text or asked.entrance not in entrance:
                continue
            root = base / "vault"
            place, data = ENTRANCES[entrance], TEXTS[text](asked.size)
            vault_with(root, template, place, data)
            cost = runner.run(root, place.words, b"" if place.path else data)
            found.append((cost, f"{text} as {entrance}"))
            shutil.rmtree(root)
        ordinary = base / "ordinary"
        vault_with(ordinary, template, ENTRANCES["item"], b"I like tea.\n")
        found.append((runner.run(ordinary, ("sync",), b""), "an ordinary note"))
    found.sort(key=lambda each: -each[0].processor_seconds)
    print(f"{'cpu s':>7} {'MB':>6} {'code':>5}  input")
    for cost, what in found[:SHOWN]:
        print(f"{cost.processor_seconds:7.2f} {cost.megabytes:6.0f} {cost.code:5d}  {what}")
    slow = sum(cost.processor_seconds > SECONDS for cost, _ in found)
    large = sum(cost.megabytes > MEGABYTES for cost, _ in found)
    crashed = sum(cost.code < 0 or cost.code == 70 for cost, _ in found)
    print(f"{len(found)} inputs of {asked.size:,} bytes: {slow} over {SECONDS:g} s,", end=" ")
    print(f"{large} over {MEGABYTES:g} MB, {crashed} ended badly")


if __name__ == "__main__":
    main()
