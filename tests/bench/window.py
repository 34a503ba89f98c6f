"""Speed of `vaultmem view` in a large vault: processor of the server, page by page.

    python -m tests.bench.window [--items 100000] [--keep FOLDER]

A vault as `tests.bench.speed` makes it, opened by a process of its own. What a page costs is the
processor that this process took for it (user and system): other programs of the machine do not
count, and neither does the client. Bounds: the first page 300 ms, a letter of a search 50 ms.
"""

from __future__ import annotations

import os
import re
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from tests.bench.made_vault import made_vault
from tests.bench.speed import Words, run
from tests.window.opened import Opened, opened
from vaultmem import Memory

_TICK_MS = 1000 / os.sysconf("SC_CLK_TCK")


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for each page."""
    with made_vault(__doc__, arguments) as (root, words):
        _measure(root, words)


def _measure(root: Path, words: Words) -> None:
    began = time.monotonic()
    with opened(root) as window:
        print(f"open: {time.monotonic() - began:.1f} s, {_cpu(window):.0f} ms of processor")
        _show(window, "first page, first time", ["/"])
        _show(window, "first page", ["/"] * 9)
        typed = [letters for _ in range(6) for letters in _typed(words.rare(3))]
        _show(window, "search, first time", [f"/search?q={quote(words.rare(2))}"])
        _show(window, "search as one types", [f"/search?q={quote(each)}" for each in typed])
        _show(window, "search, every note", [f"/search?all=1&q={quote(each)}" for each in typed])
        note = "i-0000000042"
        _show(window, "a note, first time", [f"/note/{note}"])
        _show(window, "a note", [f"/note/i-{number:010}" for number in range(50, 59)])
        _show(window, "review", ["/review"] * 5)
        _show(window, "context", [f"/context?q={quote(words.rare(3))}" for _ in range(5)])
        _show(window, "as it was, first time", ["/then?valid=2026-02-01"])
        _show(window, "as it was", [f"/then?valid=2026-02-{day:02}" for day in range(2, 9)])
        known = [f"/then?valid=2026-02-{day:02}&known=2026-11-01" for day in range(2, 6)]
        _show(window, "as it was known", known)
        _show(window, "known, first time", ["/known"])
        _show(window, "known", ["/known"] * 3)
        _show(window, "changes", ["/log"] * 3)
        _show(window, "timeline of all", ["/timeline"] * 2)
        text = window.ask("/").text
        number = re.search(r'data-number="(\d+)"', text)
        assert number is not None
        with Memory(root) as memory:
            file = root / memory.show(note).note.path
        began, before = time.monotonic(), _cpu(window)
        file.write_text(file.read_text() + "\nSaved in an editor.\n")
        window.ask(f"/changes?since={number.group(1)}")
        print(
            f"{'a save elsewhere':36} {(time.monotonic() - began) * 1000:7.0f} ms "
            f"by the clock, {_cpu(window) - before:.0f} of processor"
        )
    run("git", "checkout", "-q", ".", folder=root)


def _typed(words: str) -> list[str]:
    """What stands in the field after each pause of somebody who types."""
    return [words[:end] for end in range(3, len(words) + 1, 3)]


def _show(window: Opened, what: str, paths: Sequence[str]) -> None:
    costs = []
    for path in paths:
        before = _cpu(window)
        reply = window.ask(path)
        assert reply.status == 200, (path, reply.seen)
        costs.append(_cpu(window) - before)
    costs.sort()
    p95 = costs[min(len(costs) - 1, int(len(costs) * 0.95))]
    print(
        f"{what:36} {statistics.fmean(costs):7.1f} ms mean, {p95:5.0f} p95, {len(costs)} asked",
        flush=True,
    )


def _cpu(window: Opened) -> float:
    """Processor that the server took so far, ms."""
    fields = Path(f"/proc/{window.process.pid}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) * _TICK_MS


if __name__ == "__main__":
    main()
