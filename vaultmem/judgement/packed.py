"""Lists of words as they are needed, folded and by key: `*.packed`, made of what people edit.

The lists are TOML (`aspects.toml`, `whose/*.toml`). To read, fold and sort them took 25 ms of a
cold `remember`; this takes 1. `python -m tests.bench.judgement.packing` makes the files anew, and
a test says when that was forgotten.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
HEADER = "# Made by tests/bench/judgement/packing.py; edit the TOML instead.\n"


@cache
def packed(name: str) -> dict[str, dict[str, str]]:
    """The file `NAME.packed`: a section of lines `key=value` under each `[section]`."""
    text = (FOLDER / f"{name}.packed").read_text(encoding="utf-8")
    found = {}
    for section in text.split("\n[")[1:]:
        title, _, lines = section.partition("]\n")
        rows = (line.partition("=") for line in lines.rstrip("\n").split("\n"))
        found[title] = {key: value for key, _, value in rows}
    return found
