"""The made-up prose, and that documents are found in it at least as well as by BM25."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench import documents, metrics
from tests.bench.made_prose import BRIEFLY, FULLY, HALVES, MadeProse


@pytest.mark.parametrize("half", HALVES)
def test_prose_is_the_same_every_time_and_of_the_lengths_it_says(half: str) -> None:
    prose = MadeProse(half)
    assert prose.documents == MadeProse(half).documents
    sizes = sorted(len(one.body.split()) for one in prose.documents)
    assert (len(sizes), len(prose.questions)) == (200, 160)
    assert sizes[0] >= 200
    assert sizes[-1] <= 2_100
    assert all({FULLY, BRIEFLY} >= set(one.grades.values()) for one in prose.questions)
    assert all(FULLY in one.grades.values() for one in prose.questions)


def test_graded_ndcg() -> None:
    grades = {"a": 2, "b": 1}
    assert metrics.graded_ndcg_at(["a", "b"], grades) == 1
    assert metrics.graded_ndcg_at(["x"], grades) == 0
    swapped = metrics.graded_ndcg_at(["b", "a"], grades)
    assert swapped == pytest.approx((1 + 3 * 0.6309297) / (3 + 0.6309297))


def test_documents_are_found_better_than_by_bm25_on_them(tmp_path: Path) -> None:
    rows = documents.run("development", tmp_path / "vault")
    ours, bm25 = (
        metrics.mean([one["nDCG@10"] for one in rows[name]])
        for name in ("vaultmem search", documents.BM25)
    )
    assert ours >= bm25 + 0.01
    assert 0.5 <= bm25 <= 0.6  # hard enough
