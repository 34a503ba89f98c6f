"""Labelled sentences and pairs: read, checked, and who wrote them.

`corpus/sentences-AUTHOR.jsonl`  {language, text, keep, critical, kind} and, where critical and
                                 known, critical_kind
`corpus/pairs-AUTHOR.jsonl`      {language, old, new, what}

The author is in the name of the file. Authors that begin with `held` are never trained on.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent / "corpus"
HELD = "held"
KINDS = ("fact", "preference", "decision", "task", "event", "procedure", "belief")
CRITICAL_KINDS = ("health", "safety", "limit")
RELATIONS = ("replaces", "ends", "refines", "beside", "same")
OVER = ("replaces", "ends")


class Sentence(NamedTuple):
    """A sentence and what a reader said of it."""

    author: str
    language: str
    text: str
    keep: bool
    critical: bool
    kind: str
    critical_kind: str  # '': not said


class Pair(NamedTuple):
    """An old sentence, a new one, and what the new one means for the old."""

    author: str
    language: str
    old: str
    new: str
    what: str

    @property
    def over(self) -> bool:
        """Whether the old one does not hold any more."""
        return self.what in OVER


def _lines(folder: Path, prefix: str) -> Iterator[tuple[str, str, dict[str, object]]]:
    for file in sorted(folder.glob(f"{prefix}-*.jsonl")):
        author = file.stem.removeprefix(f"{prefix}-")
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            if line.strip():
                yield author, f"{file.name}:{number}", json.loads(line)


def sentences(folder: Path = FOLDER) -> list[Sentence]:
    """Every sentence, by author, in the order of the files; ValueError names an odd label."""
    found = []
    for author, where, line in _lines(folder, "sentences"):
        keep, critical, kind = line["keep"], line["critical"], str(line["kind"])
        if not isinstance(keep, bool) or not isinstance(critical, bool) or (critical and not keep):
            raise ValueError(f"{where}: odd keep or critical")
        if keep != (kind in KINDS):
            raise ValueError(f"{where}: keep is {keep} and the kind '{kind}'")
        where_to = str(line.get("critical_kind") or "")
        if where_to and (not critical or where_to not in CRITICAL_KINDS):
            raise ValueError(f"{where}: odd critical_kind '{where_to}'")
        text = str(line["text"])
        found.append(Sentence(author, str(line["language"]), text, keep, critical, kind, where_to))
    return found


def pairs(folder: Path = FOLDER) -> list[Pair]:
    """Every pair, by author, in the order of the files; ValueError names an odd label."""
    found = []
    for author, where, line in _lines(folder, "pairs"):
        what = str(line["what"])
        if what not in RELATIONS:
            raise ValueError(f"{where}: '{what}' is no relation")
        found.append(Pair(author, str(line["language"]), str(line["old"]), str(line["new"]), what))
    return found


def is_held(author: str) -> bool:
    """Whether an author is only for the last evaluation."""
    return author.startswith(HELD)


def checksum(folder: Path = FOLDER) -> str:
    """SHA-256 of every file that training reads, by name and content."""
    found = hashlib.sha256()
    for file in sorted(folder.glob("*.jsonl")):
        if not is_held(file.stem.partition("-")[2]):
            found.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return found.hexdigest()
