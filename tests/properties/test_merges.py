"""Promise P13: merges converge; no conflict markers, invalid YAML or dropped line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import PurePosixPath
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.storage.merging.generator import dressed, edited, note
from tests.storage.merging.losses import lost_lines
from vaultmem.storage.merging import Merged, merge_note
from vaultmem.storage.notes.frontmatter import read

EARLY, LATE, AFTER = 1_773_230_400_000, 1_773_234_000_000, 1_773_240_000_000
BATCHES = 10
"""The merges are spread over this many tests, so that xdist can share them out."""


def merged(
    path: PurePosixPath, base: bytes | None, one: tuple[bytes, int], other: tuple[bytes, int]
) -> Merged:
    """The merge, which must be the same from the other side."""
    done = merge_note(path, base, one[0], other[0], ours_at=one[1], theirs_at=other[1])
    swapped = merge_note(path, base, other[0], one[0], ours_at=other[1], theirs_at=one[1])
    assert swapped == done
    return done


def check(path: PurePosixPath, base: bytes, late: bytes, early: bytes, late_at: int) -> Merged:
    """Every promise about one merge."""
    done = merged(path, base, (late, late_at), (early, EARLY))
    content = done.content
    assert content is not None
    for side, at in ((late, late_at), (early, EARLY), (base, EARLY), (content, AFTER)):
        again = merge_note(path, base, content, side, ours_at=AFTER, theirs_at=at)
        assert again.content == content, "a merge is not stable"
    assert merge_note(path, base, base, late, ours_at=0, theirs_at=9).content == late
    lost = lost_lines(base, late, early, done)
    assert not lost, f"lost: {lost}"
    for mark in (b"<<<<<<<", b">>>>>>>", b"======="):
        assert mark not in content
    front = read(content, path)
    assert not front.quarantined, front.problems
    return done


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_merges_converge_and_lose_nothing(
    batch: int, times: Callable[[int], int], tally: Callable[..., None]
) -> None:
    count = times(5000 // BATCHES)
    questions = Counter[int]()
    merges = Counter[int]()
    for number in range(count):
        random = Random(f"{batch}/{number}")
        path, text = note(random)
        edits = random.choice((1, 1, 2, 4))
        late = dressed(random, edited(random, text, path, edits=edits))
        early = dressed(random, edited(random, text, path, edits=edits))
        done = check(path, text.encode(), late, early, random.choice((LATE, LATE, EARLY)))
        merges[edits] += 1
        questions[edits] += any(notice.is_question for notice in done.notices)
    tally("merges", batch=batch, merges=count, lost=0, questions_at_1=questions[1], of=merges[1])
    spread = 3  # about 250 of a batch are of one edit: 3% of them, and chance
    assert questions[1] <= merges[1] * 0.03 + spread


NAMES = st.sampled_from(["items/a.md", "streams/tasks.md", "categories/c.md", "resources/r.md"])
ANY = st.one_of(
    st.binary(max_size=80),
    st.text(max_size=60).map(str.encode),
    st.lists(
        st.sampled_from(
            [
                "---", "a: 1", "tags: [a, b]", "tags:", "  - x", "# c", "", "- one ^i-aaaaaaaaaa",
                "- [ ] two", "```", "text", "> quote", "## H", "%%", "<!--", "-->", "| a |",
                "| --- |", "  more", "<!-- vaultmem:begin summary -->", "<!-- vaultmem:end -->",
                "- s [[x-i-aaaaaaaaaa]]", "id: i-aaaaaaaaaa", "> [!conflict] mine", "\r", "text\r",
            ]
        ),
        max_size=10,
    ).map(lambda lines: "\n".join(lines).encode()),
)  # fmt: skip


@given(
    name=NAMES,
    base=st.none() | ANY,
    one=st.none() | ANY,
    other=st.none() | ANY,
    times=st.tuples(st.integers(-5, 2**60), st.integers(-5, 2**60)),
)
@settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_bytes_break_a_merge(
    name: str,
    base: bytes | None,
    one: bytes | None,
    other: bytes | None,
    times: tuple[int, int],
) -> None:
    path = PurePosixPath(name)
    done = merge_note(path, base, one, other, ours_at=times[0], theirs_at=times[1])
    swapped = merge_note(path, base, other, one, ours_at=times[1], theirs_at=times[0])
    assert swapped == done
    again = merge_note(path, base, done.content, one, ours_at=2**61, theirs_at=times[0])
    if one is not None:
        assert again.content == done.content
