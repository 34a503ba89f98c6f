"""Random merges of two devices: how many need a person, and what is lost.

    python -m tests.bench.merges [PAIRS]

The table of reliability.md 3.5, for notes, streams and categories of
tests/storage/merging/generator.py: both devices edit one note so many times each; PAIRS merges a
row (400).
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from random import Random

from tests.storage.merging.generator import edited, note
from tests.storage.merging.losses import lost_lines
from vaultmem.storage.merging import merge_note
from vaultmem.storage.notes.frontmatter import read


def row(pairs: int, edits: int) -> dict[str, int | float]:
    """Figures for this many edits per device."""
    counts = Counter[str]()
    spent = 0.0
    for number in range(pairs):
        random = Random(f"bench/{edits}/{number}")
        path, text = note(random)
        base = text.encode()
        late = edited(random, text, path, edits=edits).encode()
        early = edited(random, text, path, edits=edits).encode()
        start = time.process_time()
        done = merge_note(path, base, early, late, ours_at=1, theirs_at=2)
        spent += time.process_time() - start
        codes = {notice.code for notice in done.notices if notice.is_question}
        counts["no question"] += not codes
        for code in codes:
            counts[code] += 1
        content = done.content or b""
        counts["lines lost"] += len(lost_lines(base, late, early, done))
        counts["markers"] += b"<<<<<<<" in content
        counts["bad YAML"] += read(content, path).quarantined
    return {**counts, "share": counts["no question"] / pairs, "ms": spent * 1000 / pairs}


def main() -> None:
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    questions = ("conflict-field", "conflict-text", "conflict-deleted", "conflict-copy")
    columns = ("no question", *questions, "lines lost", "markers", "bad YAML")
    print(f"{pairs} pairs a row")
    print("| edits per device | " + " | ".join(columns) + " | share without a question | ms |")
    print("| --- " * (len(columns) + 3) + "|")
    for edits in (1, 2, 4):
        found = row(pairs, edits)
        cells = " | ".join(str(found.get(name, 0)) for name in columns)
        print(f"| {edits} | {cells} | {found['share']:.1%} | {found['ms']:.2f} |")


if __name__ == "__main__":
    main()
