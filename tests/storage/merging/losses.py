"""Which lines of a merge are missing: what a test may ask about any merge, in few words."""

from __future__ import annotations

import re
from collections import Counter

from vaultmem.storage.merging import Merged
from vaultmem.storage.notes.markdown import split

_QUOTED = re.compile(r"^(?:> ?)*")
_RULED = re.compile(r"(?:status|trust|importance|confidence|confidence_at|valid_until|pinned):")


def lost_lines(base: bytes, late: bytes, early: bytes, done: Merged) -> list[str]:
    """Lines that a side added or changed, or that both kept, and that are nowhere now.

    Lines in boxes count; lists of front matter count by element; of keys that a rule decides,
    one line is enough; ticks and words of a bullet may come from different sides.
    """
    assert done.content is not None
    there = Counter(_lines(done.content))
    for copy in done.copies:
        there += Counter(_lines(copy.content))
    before, one, other = (Counter(_lines(each)) for each in (base, late, early))
    lost: list[str] = []
    for line in {**one, **other}:
        wanted = (line in one and line in other) or line not in before
        if wanted and line not in there and not _is_excused(line, there):
            lost.append(line)
    return lost


def _is_excused(line: str, there: Counter[str]) -> bool:
    if _RULED.match(line):
        return any(_RULED.match(each) for each in there)
    if line.startswith("- [ ] "):
        return line.replace("[ ]", "[x]", 1) in there
    if line.startswith("- [x] "):  # ticked here, reworded there
        id_ = line.rpartition(" ")[2]
        return any(each.startswith("- [x]") and each.endswith(id_) for each in there)
    return False


def _lines(data: bytes) -> list[str]:
    """Lines with something in them, without quote marks; lists of front matter by element."""
    parts = split(data)
    found: list[str] = []
    key = ""
    for line in parts.block.decode("utf-8", "replace").splitlines():
        flow = re.fullmatch(r"(\w+): \[(.*)\]", line)
        if flow:
            found += [f"{flow[1]}: - {word.strip()}" for word in flow[2].split(",")]
        elif line.startswith("  - "):
            found.append(f"{key} {line.strip()}")
        else:
            key = line
            found.append(line)
    for line in parts.body.decode("utf-8", "replace").splitlines():
        found.append(_QUOTED.sub("", line).strip())
    return [line for line in found if line]
