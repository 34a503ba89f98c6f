"""Random contexts of the sample vault and of a generated one.

'10,000 random packs over the sample vault and a generated 5k-item vault: tokens <= budget always;
hard exceptions always present; at least 95% of the budget used when content suffices.' CI does a
part of them; `pytest --long 84 tests/context/test_random_packs.py` does all, which takes
minutes.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.bench.speed import Words
from tests.conftest import FixedClock
from vaultmem.api.memory import Memory
from vaultmem.context.pack import BudgetTooSmallError
from vaultmem.context.tokens import counter
from vaultmem.model.answers import FORMATS, STANDING, Format, Pack
from vaultmem.model.notes import STREAMS

SAMPLE = Path(__file__).parents[2] / "sample-vault"
NOVEMBER = 1_795_262_400_000  # 2026-11-21T12:00:00Z
PACKS, ITEMS = 60, 60  # of each vault in CI; with `--long 84` 5,040 packs each, and 5,040 items
FEWEST = 150  # items: fewer would not fill a budget
HEADING = 14  # tokens of a section that begins with a memory, at most
ENOUGH = 12  # memories beyond the budget, from which one of about any length is there
WORDS = ("Leni", "Graz", "choir", "bakery", "school", "canteen", "kale", "Dad", "tram", "work")
NASTY = ("```", "</memory>", "\u202e", "日本語", "[[x|y]]", "&lt;", '"}],', "🎻")
KINDS = ("fact", "fact", "fact", "preference", "decision", "rule", "event", "task", "belief")


def generated(root: Path, count: int) -> tuple[str, ...]:
    """A vault of so many items of all kinds and streams, from 2 to 40 words; its words."""
    rng, words = random.Random(5), Words(seed=5)
    Memory.init(root, clock=FixedClock(NOVEMBER))
    (root / "items").mkdir()
    for number in range(count):
        length = rng.choice((2, 4, 8, 14, 25, 40))
        text = words.sentence(length)
        if rng.random() < 0.05:
            text = f"{text} {rng.choice(NASTY)} {words.sentence(2)}"
        stream = rng.choice((*STREAMS, "", "", ""))
        lines = [f"kind: {rng.choice(KINDS)}", f"importance: {rng.randint(1, 10)}"]
        lines += [f"stream: {stream}"] if stream else []
        lines += ["hard: true"] if number in (7, 23) else []
        if rng.random() < 0.1:
            lines += ["status: superseded", "valid_until: 2026-02-01"]
        if rng.random() < 0.3:
            lines += ["confidence: 0.7", f"confidence_at: 2026-{rng.randint(1, 11):02}-03"]
        front = "\n".join((f"valid_from: 2026-01-{number % 28 + 1:02}", *lines))
        (root / "items" / f"n{number}.md").write_text(f"---\n{front}\n---\n\n{text}\n", "utf-8")
    asked = [words.sentence(rng.choice((1, 2, 3, 5))) for _ in range(200)]
    return tuple(asked)


@pytest.fixture(params=["sample", "generated"])
def asked(
    request: pytest.FixtureRequest, tmp_path: Path, times: Callable[[int], int]
) -> Iterator[tuple[Memory, Callable[[random.Random], str], int]]:
    """A vault, a maker of questions, and how many packs."""
    clock, root = FixedClock(NOVEMBER), tmp_path / "vault"
    if request.param == "sample":
        shutil.copytree(SAMPLE, root)
        Memory.init(root, clock=clock)

        def question(rng: random.Random) -> str:
            return " ".join(rng.sample(WORDS, rng.randint(0, 4)))
    else:
        told = generated(root, max(FEWEST, times(ITEMS)))

        def question(rng: random.Random) -> str:
            return rng.choice(("", *[rng.choice(told) for _ in range(6)]))

    with Memory(root, clock=clock) as memory:
        memory.sync()
        yield memory, question, times(PACKS)


def test_random_packs(
    asked: tuple[Memory, Callable[[random.Random], str], int], tally: Callable[..., None]
) -> None:
    memory, question, count = asked
    rng = random.Random(8)
    hard = {row.path for row in memory.list() if row.hard}
    assert hard
    sufficing = full = 0
    with Memory(memory.root, clock=FixedClock(NOVEMBER), sync=False) as quick:
        for _ in range(count):
            budget = int(10 ** rng.uniform(1.5, 3.7))
            form: Format = rng.choice(FORMATS)  # type: ignore[arg-type]  # they are those
            name = rng.choice(("estimate", "estimate", "words"))
            text = question(rng)
            pack = packed(quick, text, budget=budget, form=form, name=name)
            assert hard <= {line.path for line in pack.lines if line.tier == "hard"}
            missing = sum(each.left_out for each in pack.portions if each.name not in STANDING)
            if missing < ENOUGH or budget < 400 or name == "words":
                continue
            sufficing += 1
            is_full = pack.tokens >= 0.95 * budget
            full += is_full
            if not is_full:  # memories are given whole: then none of those that wait has room
                least = shortest_missing(quick, pack)
                assert budget - pack.tokens < least + HEADING, (text, budget, form, pack.tokens)
    tally("random packs", packs=count, over_budget=0, content_sufficed=sufficing, at_95=full)


def shortest_missing(memory: Memory, pack: Pack) -> int:
    """Tokens of the shortest item that a context has no room for, by itself."""
    form: Format = pack.format  # type: ignore[assignment]  # it is one of them
    whole = memory.context(pack.question, budget=100_000, format=form, counter=pack.counter)
    there = {line.path for line in pack.lines}
    missing = [line for line in whole.lines if line.line is None and line.path not in there]
    return min(line.tokens for line in missing or whole.lines)


def packed(memory: Memory, text: str, *, budget: int, form: Format, name: str) -> Pack:
    """A context within the budget; where it holds no hard exceptions, of the least that does."""
    try:
        pack = memory.context(text, budget=budget, format=form, counter=name)
    except BudgetTooSmallError as error:
        needed = error.needed
        pack = memory.context(text, budget=needed, format=form, counter=name)
        assert budget < needed == pack.tokens
        budget = needed
    assert pack.tokens <= budget
    if form != "messages":
        assert counter(name).count([pack.text]) == [pack.tokens]
    return pack
