"""Recall on conversations that no constant was chosen on: `python -m tests.bench.held_out DATA`.

Each strength of `Scoring` is moved by a third to either side, or switched off, one at a time. For
each conversation the setting is taken that finds most (R@10) in the others, and asked there. So the
figure says what choosing on these data is worth; the constants that are shipped are chosen on all.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from tests.bench import judging, locomo, metrics
from tests.bench.recall import Asked, Measured, measure
from vaultmem.storage.index.search.bm25 import Scoring

COLUMNS = ("R@5", "R@10", "R@20", "MRR")
_STEPS = (0.0, 2 / 3, 4 / 3)
_NO_MODEL = [name for name in Scoring._fields if name not in ("meaning", "related")]
USUAL = "as shipped"


def settings() -> dict[str, Scoring]:
    """Every setting by its name, the shipped one first."""
    found = {USUAL: Scoring()}
    for name in _NO_MODEL:
        value = getattr(Scoring(), name)
        for step in _STEPS if name != "k1" else _STEPS[1:]:
            found[f"{name} {value * step:.2f}"] = Scoring(**{name: value * step})
    found["related 0.00"] = Scoring(related=0.0)
    return found


def run(
    conversations: Sequence[locomo.Conversation], folder: Path
) -> dict[str, dict[str, list[Measured]]]:
    """Answers of every setting, by its name and that of the conversation; categories 1 to 4."""
    found: dict[str, dict[str, list[Measured]]] = {name: {} for name in settings()}
    for conversation in conversations:
        asked = Asked(conversation, folder / conversation.name)
        questions = [one for one in conversation.questions if one.category < 5]
        texts = [one.text for one in questions]
        judge = judging.of_turns(conversation)
        for name, scoring in settings().items():
            ask = partial(asked.rank_with, scoring, limit=max(metrics.CUTS))
            found[name][conversation.name] = measure(questions, texts, ask, judge)
        asked.close()
    return found


def chosen(found: Mapping[str, Mapping[str, Sequence[Measured]]], left_out: str) -> str:
    """The setting that finds most in all conversations but one; of equals the first."""

    def without(name: str) -> float:
        rest = [one for key, some in found[name].items() if key != left_out for one in some]
        return metrics.mean([one.values["R@10"] for one in rest])

    return max(found, key=without)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    known = argparse.ArgumentParser(description="recall on conversations that were left out")
    known.add_argument("data", type=Path, help="folder with conv-*.json")
    conversations = locomo.load(known.parse_args(arguments).data)
    if len(conversations) < 2:
        known.error("at least two conv-*.json are needed")
    with tempfile.TemporaryDirectory(prefix="vaultmem-held-out-") as name:
        for place in ("XDG_STATE_HOME", "XDG_CONFIG_HOME"):  # keep out of the person's own
            os.environ[place] = str(Path(name) / place.lower())
        found = run(conversations, Path(name))
    apart: list[Measured] = []
    for conversation in conversations:
        best = chosen(found, conversation.name)
        apart += found[best][conversation.name]
        print(f"{conversation.name}: {best}")
    everything = [one for some in found[USUAL].values() for one in some]
    print(f"{'':22}" + "".join(f"{column:>8}" for column in COLUMNS) + "  multi-hop  open-domain")
    for label, some in ((USUAL, everything), ("chosen on the others", apart)):
        values = "".join(f"{_mean(some, column):8.3f}" for column in COLUMNS)
        hops = _mean([one for one in some if one.category == 1], "R@10")
        is_open = _mean([one for one in some if one.category == 3], "R@10")
        print(f"{label:22}{values}{hops:11.3f}{is_open:13.3f}")


def _mean(found: Sequence[Measured], column: str) -> float:
    return metrics.mean([one.values[column] for one in found])


if __name__ == "__main__":
    main()
