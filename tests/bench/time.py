"""Speed of time travel: building the versions, bringing them level, asking about another time.

    python -m tests.bench.time [--items 10000] [--commits 20000] [--repeat 30]

The history is made with one `git fast-import` stream: a first part of the commits adds an item
each; of the others, some change the world (the old item is closed, a new one follows it) and the
rest rewords an item. A current recall is measured in the same run on the same vault, because a
shared machine makes absolute times mean little: read the ratios.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from tests.bench.clocks import cpu_seconds, seconds
from tests.bench.speed import isolate
from vaultmem import Memory
from vaultmem.history import versions as past_operations
from vaultmem.language.time import DAY_MS, format_date
from vaultmem.model.ids import item_id

SEED = 20_261_122
FIRST_DAY_MS = 1_704_067_200_000  # 2024-01-01
# Of two commits. The last one has to lie in the past: above commits of the future git, which walks
# by date, looks at all of them for each new one (60 ms at 20,000).
BETWEEN_MS = 3_600_000
_WORDS = 20_000
_LENGTH = 18  # words of a statement


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else "")
    parser.add_argument("--items", type=int, default=10_000)
    parser.add_argument("--commits", type=int, default=20_000)
    parser.add_argument("--repeat", type=int, default=30, help="questions and updates a row")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="vaultmem-time-") as name:
        folder = Path(name)
        isolate(folder)
        root = folder / "vault"
        made = make_history(root, items=options.items, commits=options.commits)
        print(f"{options.items:,} items, {made:,} commits")
        for line in _measure(root, options.repeat):
            print(f"  {line}")


class _Item:
    """An item of the made-up history."""

    def __init__(self, number: int, statement: str, at_ms: int) -> None:
        self.id = item_id("r-bench", f"{number} {statement}")
        day = format_date(at_ms)
        self.path = f"items/{day.replace('-', '/')}/note-{self.id}.md"
        self.statement = statement
        self.begins = day
        self.ends = ""
        self.next = ""

    def text(self) -> str:
        """The note."""
        state = "superseded" if self.ends else "active"
        ended = f'valid_until: {self.ends}\nsuperseded_by: "[[{self.next}]]"\n' if self.ends else ""
        return (
            f"---\nid: {self.id}\nkind: fact\nstatus: {state}\nvalid_from: {self.begins}\n{ended}"
            f'importance: 3\nsource: "[[letter-r-0123456789ab]]"\n---\n\n{self.statement}\n'
        )


def make_history(root: Path, *, items: int, commits: int) -> int:
    """A vault with such a history, checked out; how many commits it has."""
    Memory.init(root, name="bench")
    stream = b"".join(_stream(items, commits))
    _git(root, "fast-import", "--quiet", "--done", stdin=stream)
    _git(root, "reset", "--quiet", "--hard")
    return int(_git(root, "rev-list", "--count", "HEAD"))


def _stream(items: int, commits: int) -> Iterator[bytes]:
    rng = random.Random(SEED)
    vocabulary = [f"w{rng.randrange(36**5):x}" for _ in range(_WORDS)]
    weights = [1 / (rank + 10) for rank in range(_WORDS)]

    def statement() -> str:
        return " ".join(rng.choices(vocabulary, weights, k=_LENGTH)).capitalize() + "."

    added = items - (commits - items) // 4  # the others come with a change
    known: list[_Item] = []
    at_ms = FIRST_DAY_MS
    for number in range(commits):
        at_ms += BETWEEN_MS
        if number < added or (len(known) < items and rng.random() < 0.25):
            new = _Item(number, statement(), at_ms)
            files = [new]
            if number >= added:
                old = rng.choice(list(rng.choices(known, k=8)))
                old.ends, old.next = format_date(at_ms), new.id
                files.append(old)
            known.append(new)
            op = "remember" if number < added else "change"
        else:
            old = rng.choice(known)
            old.statement, files, op = statement(), [old], "correct"
        yield _commit(files, op, at_ms, is_first=number == 0)
    yield b"done\n"


def _commit(files: Sequence[_Item], op: str, at_ms: int, *, is_first: bool) -> bytes:
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at_ms // 1000))
    message = f"{op}: something\n\nVaultmem-Op: {op}\nVaultmem-Recorded-At: {stamp}.000Z\n".encode()
    who = f"bench <bench@example.org> {at_ms // 1000} +0000".encode()
    lines = [b"commit refs/heads/main\ncommitter " + who + b"\n"]
    lines.append(b"data %d\n%s" % (len(message), message))
    if is_first:
        lines.append(b"from refs/heads/main^0\n")
    for each in files:
        text = each.text().encode()
        lines.append(b"M 100644 inline %s\ndata %d\n%s\n" % (each.path.encode(), len(text), text))
    return b"".join(lines)


def _git(root: Path, *words: str, stdin: bytes = b"") -> str:
    done = subprocess.run(["git", *words], cwd=root, input=stdin, capture_output=True, check=False)
    if done.returncode:
        raise SystemExit(f"git {words[0]} failed: {done.stderr.decode()}")
    return done.stdout.decode()


def _milliseconds(repeat: int, act: Callable[[int], object]) -> tuple[float, float]:
    """Median and 95th percentile."""
    taken = sorted(1000 * seconds(partial(act, number)) for number in range(repeat))
    return statistics.median(taken), taken[min(repeat - 1, int(repeat * 0.95))]


def _measure(root: Path, repeat: int) -> Iterator[str]:
    with Memory(root) as memory:
        vault = memory.opened
        count = int(_git(root, "rev-list", "--count", "HEAD"))
        took = seconds(memory.sync)
        yield f"{'current index built':42} {took:>9.2f} s"
        start = cpu_seconds()
        took = seconds(lambda: past_operations.level(vault))
        cpu = cpu_seconds() - start
        yield f"{'versions table built':42} {took:>9.2f} s   {count / took:,.0f} commits/s"
        yield f"{'  CPU of all its processes':42} {cpu:>9.2f} s   {count / cpu:,.0f} commits/s"
        took = seconds(lambda: past_operations.searchable(vault))
        yield f"{'words of all versions read':42} {took:>9.2f} s"
        size = (vault.state / past_operations.FILE).stat().st_size
        yield f"{'size of the file':42} {size / 1e6:>9.1f} MB"
        yield from _updates(memory, root, repeat)
        yield from _questions(memory, root, repeat)


def _updates(memory: Memory, root: Path, repeat: int) -> Iterator[str]:
    """Bringing the past level after one commit, warm; the table alone, and its words too."""
    vault, rng = memory.opened, random.Random(SEED)
    notes = sorted((root / "items").rglob("*.md"))

    def commit() -> None:
        with rng.choice(notes).open("a", encoding="utf-8") as note:
            note.write("More.\n")
        _git(root, "commit", "--quiet", "--all", "-m", "one more")

    for what, bring in (("", past_operations.level), (", with words", past_operations.searchable)):
        taken = []
        for _ in range(max(3, repeat // 3)):
            commit()
            taken.append(1000 * seconds(partial(bring, vault)))
        worst = max(taken)
        median = statistics.median(taken)
        yield f"{f'update after one commit{what}':42} {median:>9.1f} ms  {worst:.1f}"


def _questions(memory: Memory, root: Path, repeat: int) -> Iterator[str]:
    """Warm questions of now and of other times, one after the other, of the same words."""
    rng = random.Random(SEED)
    notes = sorted((root / "items").rglob("*.md"))
    texts = [rng.choice(notes).read_text(encoding="utf-8") for _ in range(200)]
    words = [text.split("---")[2].split() for text in texts]
    asked = [" ".join(rng.sample(each, 4)) for each in words if len(each) > 4]
    span = 15_000 * BETWEEN_MS
    times = [FIRST_DAY_MS + rng.randrange(span) for _ in range(200)]
    memory.sync()
    kinds: tuple[tuple[str, Callable[[int], object]], ...] = (
        ("recall", lambda n: memory.recall(asked[n])),
        ("recall --as-of", lambda n: memory.recall(asked[n], as_of=times[n])),
        ("recall --known-at", lambda n: memory.recall(asked[n], known_at=times[n])),
        (
            "recall --as-of --known-at",
            lambda n: memory.recall(asked[n], as_of=times[n], known_at=times[n] + DAY_MS),
        ),
    )
    for _, ask in kinds:
        ask(0)
    base = 0.0
    for what, ask in kinds:
        median, worst = _milliseconds(min(repeat, len(asked)), ask)
        base = base or median
        yield f"{f'{what}, warm':42} {median:>9.1f} ms  {worst:.1f}   {median / base:.2f}x"


if __name__ == "__main__":
    main()
