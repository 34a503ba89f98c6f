"""What `sync` of so many new hand-written bullets costs: `python -m tests.bench.bullets 1000 4000`.

Seconds of processor of the command and of every process that it starts, which other work on the
machine hardly changes. Beside each stands the plain cost of as many small durable files and one
commit with git, in the same run; the last column says how often the first size fits into each:
with a cost that only grows with the list it is the ratio of the sizes.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.bench.clocks import cpu_seconds_of_children
from tests.bench.speed import SEED, isolate

_PEOPLE = "Anna Marek Tom Priya Jonas Mei Omar Lucia Henrik Sofia Dmitri Aisha Paul Ines Kofi Nora"
_TEAMS = "search billing mobile platform design payroll garden kitchen archive backend"
_SHAPES = (
    "I like {noun} with {other}",
    "I prefer {noun} over {other} when it is about {third}",
    "{person} works at {Name} in {Other}",
    "The {noun} of the {team} team runs at {number} pm",
    "My {noun} is kept in the {other} behind the {third}",
    "We use {Name} for {noun} and {other}",
    "{person} told me that the {noun} needs a new {other} before spring",
    "Always write the {noun} before the {other} is released",
    "The {noun} costs {number} euros a {other}",
    "{person} and {Name} met at the {noun} near the {other} last year",
    "I do not eat {noun} any more because of the {other}",
    "The {team} team moved the {noun} from {Name} to {Other}",
    "Call {person} about the {noun} number {number}",
    "I decided to sell the {noun}, it only stood beside the {other}",
    "{Name} is the supplier of the {noun} for {team}",
)
_SYLLABLES = tuple(
    "ba ke lo mi nu ra si to ve du fa go he ji ko lu ma ne po ri sa te vi wo".split()  # noqa: SIM905
)


def sentences(count: int, *, seed: int = SEED) -> list[str]:
    """So many different sentences as people write them down, of words of uneven frequency."""
    chance = random.Random(seed)
    nouns = ["".join(chance.choice(_SYLLABLES) for _ in range(3)) for _ in range(6000)]
    weights = [1 / (rank + 10) for rank in range(len(nouns))]
    people, teams = _PEOPLE.split(), _TEAMS.split()
    found: dict[str, None] = {}
    while len(found) < count:
        noun, other, third, name, place = chance.choices(nouns, weights, k=5)
        sentence = chance.choice(_SHAPES).format(
            noun=noun,
            other=other,
            third=third,
            Name=name.capitalize(),
            Other=place.capitalize(),
            person=chance.choice(people),
            team=chance.choice(teams),
            number=chance.randrange(1, 400),
        )
        found[sentence] = None
    return list(found)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a row for each size."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else "")
    parser.add_argument("sizes", nargs="+", type=int, help="new bullets of one list")
    options = parser.parse_args(arguments)
    print(
        f"{'bullets':>8} {'sync s':>8} {'ms each':>8} {'plain s':>8} {'times':>6} {'of first':>9}"
    )
    first = 0.0
    with tempfile.TemporaryDirectory(prefix="vaultmem-bullets-") as name:
        folder = Path(name)
        isolate(folder)
        for size in options.sizes:
            plain = _plain(folder / f"plain-{size}", size)
            seconds = _sync(folder / f"vault-{size}", size)
            first = first or seconds
            print(
                f"{size:8,} {seconds:8.2f} {1000 * seconds / size:8.2f} {plain:8.2f} "
                f"{seconds / plain:6.1f} {seconds / first:9.1f}",
                flush=True,
            )


def _sync(root: Path, count: int) -> float:
    """Processor seconds of `sync` after so many bullets were written into one list."""
    root.mkdir()
    _run("init", vault=root)
    # 25,000 sentences with their ids are more than a note of the default limit may hold.
    with open(root / "vaultmem.toml", "a", encoding="utf-8") as settings:
        settings.write("\n[limits]\nnote_bytes = 4_000_000\n")
    with open(root / "streams" / "identity.md", "a", encoding="utf-8") as identity:
        identity.writelines(f"- {sentence}\n" for sentence in sentences(count))
    seconds = _run("sync", vault=root)
    adopted = (root / "streams" / "identity.md").read_text("utf-8").count(" ^i-")
    if adopted < 0.9 * count:  # what says the same as another one is not listed twice
        raise SystemExit(f"{adopted:,} of {count:,} bullets were adopted")
    return seconds


def _run(*words: str, vault: Path) -> float:
    before = cpu_seconds_of_children()
    subprocess.run(
        [sys.executable, "-m", "vaultmem", "--vault", str(vault), *words],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return cpu_seconds_of_children() - before


def _plain(folder: Path, count: int) -> float:
    """Processor seconds of as many notes written durably, and of one commit of them with git."""
    script = (
        "import os, sys\n"
        "folder, count = sys.argv[1], int(sys.argv[2])\n"
        "text = 'key: value\\n' * 40 + 'A statement of some words.\\n'\n"
        "for number in range(count):\n"
        "    name = os.path.join(folder, f'{number}.md')\n"
        "    with open(name + '.new', 'w') as file:\n"
        "        file.write(f'{text}{number}')\n"
        "        file.flush()\n"
        "        os.fsync(file.fileno())\n"
        "    os.replace(name + '.new', name)\n"
    )
    folder.mkdir()
    before = cpu_seconds_of_children()
    subprocess.run([sys.executable, "-c", script, str(folder), str(count)], check=True)
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "plain")):
        subprocess.run(["git", *words], cwd=folder, check=True, env={**os.environ})
    return cpu_seconds_of_children() - before


if __name__ == "__main__":
    main()
