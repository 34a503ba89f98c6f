"""Three-way merge of two texts by lines."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher


def merge_lines(*, base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """Both changes to `base` in one text; None when they touch the same lines.

    Changes that are the same on both sides count once. A line added next to one taken away is
    no conflict: our texts are lists of bullets (diff3 would call it one; Khanna, Kunal and
    Pierce 2007). Two different additions at one place are, because their order is not known.
    """
    lines = base.splitlines(keepends=True)
    left = _changes(lines, ours.splitlines(keepends=True))
    right = _changes(lines, theirs.splitlines(keepends=True))
    merged: list[bytes] = []
    at = 0
    added_at = -1
    for start, end, new in sorted({*left, *right}, key=lambda change: change[:2]):
        if start < at or (start == end == added_at):
            return None
        merged += lines[at:start]
        merged += new
        at = end
        added_at = start if start == end else -1
    merged += lines[at:]
    return b"".join(merged)


Change = tuple[int, int, tuple[bytes, ...]]


def _changes(base: Sequence[bytes], changed: Sequence[bytes]) -> list[Change]:
    """Replaced spans of `base`: start, end (exclusive), new lines."""
    matcher = SequenceMatcher(None, base, changed, autojunk=False)
    return [
        (i1, i2, tuple(changed[j1:j2]))
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
        if tag != "equal"
    ]
