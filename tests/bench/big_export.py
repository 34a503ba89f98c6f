"""Seconds and memory of importing a large ChatGPT export, twice, each in a process of its own.

    python -m tests.bench.big_export [--mb 200] [--no-items]

A conversation has 1 to 40 questions; results of a browser are most of its bytes, as in exports of
people who have hundreds of megabytes. The peak of memory is that of the process, without git's.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from vaultmem import Memory

STEPS = ("make", "read", "again")
_OWN = (
    "I live in Graz.",
    "I prefer tea over coffee.",
    "My sister Lena works as a nurse.",
    "How do I fix this?",
    "Thanks, that works.",
)
_TEXT = """
the a of and to in is was for on that with as by at from it an be are this which or had not house
garden river engine paper window market winter letter doctor music village bridge train colour
number reason answer simple common early public local human small large new build carry follow
answer measure open close begin change remain happen appear offer
"""
_WORDS = tuple(_TEXT.split())


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for each step."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else "")
    parser.add_argument("--mb", type=int, default=200)
    parser.add_argument("--no-items", action="store_true", help="keep the texts alone")
    parser.add_argument("--step", choices=STEPS, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.step:
        _step(options.step, options.folder, options.mb, with_items=not options.no_items)
        return
    with tempfile.TemporaryDirectory(prefix="vaultmem-import-") as name:
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "VAULT"))}
        environment |= {"XDG_CONFIG_HOME": f"{name}/config", "XDG_STATE_HOME": f"{name}/state"}
        for step in STEPS:
            command = [sys.executable, "-m", "tests.bench.big_export", "--step", step]
            command += ["--folder", name, "--mb", str(options.mb)]
            command += ["--no-items"] if options.no_items else []
            subprocess.run(command, check=True, env=environment)


def _step(step: str, folder: Path, mb: int, *, with_items: bool) -> None:
    file = folder / "conversations.json"
    if step == "make":
        print(f"{_make(file, mb)} conversations, {file.stat().st_size / 1e6:.0f} MB")
        Memory.init(folder / "vault")
        return
    begun, cpu = time.perf_counter(), time.process_time()
    with Memory(folder / "vault") as memory:
        report = memory.import_files(file, extract=with_items)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    told = f"{report.count('added')} new, {report.count('unchanged')} as they were"
    items = sum(each.items for each in report.records)
    seconds = f"{time.process_time() - cpu:.1f} s of CPU, {time.perf_counter() - begun:.1f} s"
    print(f"{step}: {told}, {items} items; {seconds}, {peak:.0f} MB")


def _make(file: Path, mb: int) -> int:
    """Write the export, a conversation at a time; how many there are."""
    random = Random(1)
    size = number = 0
    with file.open("w", encoding="utf-8") as stream:
        while size < mb * 1_000_000:
            text = json.dumps(_conversation(random, number))
            size += stream.write(f"{',' if number else '['}{text}")
            number += 1
        stream.write("]")
    return number


def _conversation(random: Random, number: int) -> dict[str, Any]:
    mapping: dict[str, Any] = {
        "root": {"id": "root", "message": None, "parent": None, "children": []}
    }
    at, second = "root", 1_600_000_000 + number * 5000

    def add(role: str, text: str) -> None:
        nonlocal at, second
        id_ = f"{random.getrandbits(64):016x}"
        second += 20
        message = {
            "id": id_,
            "author": {"role": role, "name": None, "metadata": {}},
            "create_time": second,
            "content": {"content_type": "text", "parts": [text]},
            "metadata": {"model_slug": "gpt-4o", "request_id": "x" * random.randint(100, 900)},
            "recipient": "all",
        }
        mapping[id_] = {"id": id_, "message": message, "parent": at, "children": []}
        mapping[at]["children"].append(id_)
        at = id_

    for turn in range(random.choice((1, 2, 3, 5, 8, 12, 20, 40))):
        question = f"{random.choice(_OWN)} {_paragraph(random, 2)} ({number}.{turn})"
        add("user", question)
        add("tool", _paragraph(random, random.randint(500, 900)))
        add("assistant", _paragraph(random, random.randint(5, 30)))
    return {
        "title": _paragraph(random, 1)[:60],
        "create_time": 1_600_000_000 + number * 5000,
        "mapping": mapping,
        "current_node": at,
        "conversation_id": f"c-{number}",
    }


def _paragraph(random: Random, sentences: int) -> str:
    return " ".join(
        f"{' '.join(random.choices(_WORDS, k=random.randint(6, 16))).capitalize()}."
        for _ in range(sentences)
    )


if __name__ == "__main__":
    main()
