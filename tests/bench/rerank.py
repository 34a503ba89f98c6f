"""What a model that reranks gives, and what a bad one costs: `python -m tests.bench.rerank DATA`.

DATA is a folder with LoCoMo conversations (`conv-*.json`), each in a vault of its own. A scripted
model stands in for a real one: it reads what it is shown and replies as its name says. `truth`
names the turns that are evidence, `noisy` these (each with a chance of .8) and two others of the
first 15, `all in order` all lines with the evidence first; the rest know nothing. `oracle` is the
best order of what was shown.

    --limit N       conversations
    --recall        by `Memory.recall` (notes and passages) in place of `search` by passage
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.bench import locomo, metrics
from tests.bench.recall import Asked
from vaultmem.base import LLMError
from vaultmem.config import SUMMARISER
from vaultmem.model import LLM, JsonReply, Message, Reply, ReplyStream, Schema
from vaultmem.recall.by_model.choice import CHECKS, NAMED

LIMIT = 20
SHOWN = 50
_SHOWN_LINE = re.compile(r"^(\d+)\. (.*)$", re.MULTILINE)
Answering = Callable[[list[tuple[int, str]], Sequence[str], random.Random], str]


class Scripted:
    """A language model that answers by a rule; `evidence` is what the next question is about."""

    name = "scripted"
    where = "nowhere"

    def __init__(self, answering: Answering) -> None:
        self.evidence: list[str] = []
        self.shown = 0
        self._answering = answering
        self._chance = random.Random(11)

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,
        timeout_seconds: float | None = None,
    ) -> Reply:
        """A reply by the rule."""
        lines = [(int(at), text) for at, text in _SHOWN_LINE.findall(messages[-1].text)]
        self.shown += len(messages[-1].text)
        return Reply(text=self._answering(lines, self.evidence, self._chance))

    def ask(
        self,
        messages: Sequence[Message],
        *,
        schema: Schema,
        max_tokens: int | None = None,
        timeout_seconds: float | None = None,
    ) -> JsonReply:
        raise AssertionError("reranking asks `complete` alone")

    def stream(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,
        timeout_seconds: float | None = None,
    ) -> ReplyStream:
        raise AssertionError("reranking asks `complete` alone")


def _known(lines: list[tuple[int, str]], evidence: Sequence[str]) -> list[int]:
    """The lines that hold a turn of the evidence, long ones by their beginning."""
    heads = [" ".join(text.split())[:120] for text in evidence]
    return [at for at, line in lines if any(head in line for head in heads)]


def _reply(best: Sequence[int], general: Sequence[int]) -> str:
    return json.dumps({"best": list(best), "general": list(general)})


def _general(lines: list[tuple[int, str]]) -> list[int]:
    """Five lines of general knowledge, as every model can tell them."""
    return [at for at, line in lines if line in CHECKS][:NAMED]


def _truth(lines: list[tuple[int, str]], evidence: Sequence[str], chance: random.Random) -> str:
    return _reply(_known(lines, evidence)[:10], _general(lines))


def _unchecked(lines: list[tuple[int, str]], evidence: Sequence[str], chance: random.Random) -> str:
    return str(_known(lines, evidence)[:10])


def _noisy(lines: list[tuple[int, str]], evidence: Sequence[str], chance: random.Random) -> str:
    named = [at for at in _known(lines, evidence) if chance.random() < 0.8]
    # A real model errs among what is alike, which are the lines that words put first.
    wrong = chance.sample([at for at, line in lines if line not in CHECKS][:15], 2)
    return _reply(list(dict.fromkeys([*named, *wrong])), _general(lines))


def _ordered(lines: list[tuple[int, str]], evidence: Sequence[str], chance: random.Random) -> str:
    known = _known(lines, evidence)
    return str([*known, *(at for at, _ in lines if at not in known)])


def _random(most: int, *, general: int = 0) -> Answering:
    def answer(lines: list[tuple[int, str]], evidence: Sequence[str], chance: random.Random) -> str:
        numbers = range(1, len(lines) + 1)
        best = chance.sample(numbers, min(most, len(lines)))
        return _reply(best, chance.sample(numbers, general)) if general else str(best)

    return answer


def _late(lines: list[tuple[int, str]], evidence: Sequence[str], chance: random.Random) -> str:
    raise LLMError("timeout", "the model gave no answer in 2 s")


MODELS: dict[str, Answering] = {
    "truth": _truth,
    "truth, noisy": _noisy,
    "truth, all in order": _ordered,
    "random 1": _random(1, general=NAMED),
    "random 2": _random(2, general=NAMED),
    "random 3": _random(3, general=NAMED),
    "random 10": _random(10, general=NAMED),
    "truth, unchecked": _unchecked,
    "random 1, unchecked": _random(1),
    "random 2, unchecked": _random(2),
    "random 3, unchecked": _random(3),
    "random 10, unchecked": _random(10),
    "random order of all": _random(1_000),
    "reversed": lambda lines, evidence, chance: str([at for at, _ in lines][::-1]),
    "last ten": lambda lines, evidence, chance: str([at for at, _ in lines][-10:]),
    "always 1": lambda lines, evidence, chance: "[1]",
    "always 1 to 10": lambda lines, evidence, chance: str(list(range(1, 11))),
    "nothing": lambda lines, evidence, chance: '{"best": []}',
    "late": _late,
    "garbage": lambda lines, evidence, chance: "I would say it is number seven, or [red, 4].",
    "out of range": lambda lines, evidence, chance: "[3, 999]",
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    known = argparse.ArgumentParser(description="recall with a scripted reranker")
    known.add_argument("folder", type=Path)
    known.add_argument("--limit", type=int, default=5)
    known.add_argument("--recall", action="store_true")
    options = known.parse_args(arguments)
    values: dict[str, list[dict[str, float]]] = {}
    with tempfile.TemporaryDirectory(prefix="vaultmem-rerank-") as name:
        for place in ("XDG_STATE_HOME", "XDG_CONFIG_HOME"):  # keep out of the person's own
            os.environ[place] = str(Path(name) / place.lower())
        for conversation in locomo.load(options.folder)[: options.limit]:
            asked = Asked(conversation, Path(name) / conversation.name)
            _measure(asked, conversation, values, by_note=options.recall)
            asked.close()
    columns = ("R@1", "R@5", "R@10", "MRR", "nDCG@10")
    print(f"{'':24}" + "".join(f"{column:>10}" for column in columns))
    means = {
        system: {one: metrics.mean([each[one] for each in rows]) for one in columns}
        for system, rows in values.items()
    }
    for system, row in means.items():
        print(f"{system:24}" + "".join(f"{row[column]:10.3f}" for column in columns))
    gain = {
        one: (means["truth"][one] - means["none"][one])
        / (means["oracle"][one] - means["none"][one])
        for one in columns
    }
    print(f"{'share of the gain':24}" + "".join(f"{gain[column]:10.3f}" for column in columns))


def _measure(
    asked: Asked,
    conversation: locomo.Conversation,
    values: dict[str, list[dict[str, float]]],
    *,
    by_note: bool,
) -> None:
    said = {turn.id: turn.text for turn in conversation.turns()}
    questions = [one for one in conversation.questions if one.category != 5]
    models = {name: Scripted(answering) for name, answering in MODELS.items()}

    def rank(question: str, *, limit: int, rerank: bool) -> list[str]:
        if by_note:
            return asked.recall(question, limit, rerank=rerank)
        return asked.rank(question, limit, rerank=rerank)

    for question in questions:
        own = rank(question.text, limit=LIMIT, rerank=False)
        values.setdefault("none", []).append(metrics.measures(own, question.evidence))
        shown = asked.rank(question.text, SHOWN)
        best = sorted(shown, key=lambda id_: id_ not in question.evidence)
        values.setdefault("oracle", []).append(metrics.measures(best, question.evidence))
        for name, model in models.items():
            model.evidence = [said[id_] for id_ in question.evidence]
            llm: LLM = model
            asked.memory.opened.models[SUMMARISER] = llm
            found = rank(question.text, limit=LIMIT, rerank=True)
            values.setdefault(name, []).append(metrics.measures(found, question.evidence))


if __name__ == "__main__":
    main()
