"""A simulated year of conversations: what is learned, what stays, how long it takes.

    python -m tests.bench.year --sessions 1500 --every 1

A seeded generator: facts that change, twenty wishes that come back, noise. Every so many days what
is due is done: nights, weeks, months. Printed: wishes that became rules of at least 0.5, facts that
hold and are active, superseded ones that are, active tokens over the year, seconds of the last run
of each job, packed bytes.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from vaultmem.api.memory import Memory
from vaultmem.language.time import DAY_MS, format_date
from vaultmem.model.answers import Filters

START = 1_767_225_600_000  # 2026-01-01
DAYS = 365
NIGHT_MS = 4 * 3_600_000  # after three, when maintenance is due
ACTIVE = Filters(types=("item",), statuses=("active",))
WISHES = (
    *("metric units", "short answers", "oat milk", "window seats", "dark mode", "bullet lists"),
    *("British spelling", "night trains", "paper maps", "green tea", "cast iron pans"),
    *("plain SQL", "named exports", "four spaces", "morning meetings", "rye bread"),
    *("direct flights", "fresh thyme", "flash cards", "induction hobs"),
)
WORDS = [
    "plan",
    "garden",
    "report",
    "train",
    "soup",
    "invoice",
    "holiday",
    "meeting",
    "river",
    "lamp",
    "table",
    "budget",
]
WISHING = 0.8  # share of the talks
TOPICS = ("dentist", "landlord", "tax adviser", "bakery", "gym", "school", "garage", "library")
NAMES = ("Ada", "Boris", "Carla", "Dora", "Emil", "Frida", "Gus", "Hanna", "Ida", "Jon")


class Clock:
    """Stands where the simulation puts it; every look moves it on by a millisecond."""

    def __init__(self, at: int) -> None:
        self.at = at

    def now(self) -> int:
        self.at += 1
        return self.at


def conversation(chance: random.Random, day: str) -> list[dict[str, str]]:
    """A talk of noise, with a wish in four of five: of 1,500 talks each wish about every 6 days.

    What is said less often than every ten days fades faster than it grows, as it is meant to.
    """
    said = [" ".join(chance.choices(WORDS, k=9)).capitalize() + "." for _ in range(4)]
    if chance.random() < WISHING:
        wish = chance.choice(WISHES)
        form = chance.choice(("I prefer {}.", "Please always use {}!", "My preference is {}."))
        said.insert(chance.randrange(4), form.format(wish))
    turns = []
    for words in said:
        turns.append({"role": "user", "content": words, "time": day})
        turns.append({"role": "assistant", "content": "Done."})
    return turns


def simulate(root: Path, *, sessions: int, every: int, seed: int) -> Iterator[str]:
    """Lines of figures."""
    chance, clock = random.Random(seed), Clock(START)
    Memory.init(root, name="year", clock=clock)
    true: dict[str, str] = {}
    seconds: dict[str, float] = {}  # of the processor, of the last run of each job
    with Memory(root, clock=clock) as memory:
        done = 0
        for day in range(DAYS):
            clock.at = START + day * DAY_MS
            while done < sessions * (day + 1) // DAYS:
                turns = conversation(chance, format_date(clock.at, "UTC"))
                memory.remember(json.dumps(turns), extract=False)
                done += 1
            if day % 5 == 0:
                topic, name = chance.choice(TOPICS), chance.choice(NAMES)
                if topic not in true:
                    memory.remember("", fact=(topic, "contact", name))
                elif true[topic] != name:
                    memory.change(topic, "contact", name)
                true[topic] = name
            if day % every == every - 1 or day == DAYS - 1:
                clock.at += NIGHT_MS
                for job in [state.job for state in memory.maintain.due() if state.is_due]:
                    began = time.process_time()
                    memory.maintain.run(job, confirmed=True)
                    seconds[job] = time.process_time() - began
            if day % 73 == 72:
                tokens = sum(len(row.statement) // 4 + 1 for row in memory.list(filters=ACTIVE))
                rules = len(memory.learn.rules().rules)
                yield f"day {day + 1}: {tokens} active tokens, {rules} rules"
        rows = [row for row in memory.list(filters=ACTIVE) if row.predicate == "contact"]
        held = {row.subject: row.object for row in rows}
        sure = [rule for rule in memory.learn.rules().rules if rule.confidence >= 0.5]
        known = sum(any(wish in rule.statement for rule in sure) for wish in WISHES)
        yield f"wishes that are rules of 0.5 and more: {known} of {len(WISHES)}"
        right = sum(held.get(topic) == name for topic, name in true.items())
        yield f"facts that hold and are active: {right} of {len(true)}"
        yield f"superseded ones that are active: {len(rows) - right}"
        told = ", ".join(f"{job} {took:.1f} s" for job, took in sorted(seconds.items()))
        yield f"last runs, of the processor: {told}; {done} conversations"
    git = ["git", "-C", str(root), "count-objects", "-v"]
    subprocess.run(["git", "-C", str(root), "gc", "-q"], check=True)
    told = subprocess.run(git, check=True, capture_output=True, text=True).stdout
    packed = int(told.split("size-pack: ")[1].split()[0])
    yield f"packed: {packed} KiB, {100 * packed / max(done, 1):.0f} KiB a hundred conversations"


def main() -> None:
    """Run it and print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sessions", type=int, default=1500)
    options.add_argument("--every", type=int, default=7, help="days between two nightlies")
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for line in simulate(
            Path(folder) / "vault", sessions=given.sessions, every=given.every, seed=given.seed
        ):
            print(line, flush=True)


if __name__ == "__main__":
    main()
