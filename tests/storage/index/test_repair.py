"""Words that a misspelt one may have meant: those that a look at the whole vocabulary finds."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from tests.storage.index.building import open_index, page, resource
from vaultmem.storage.index.database import Index
from vaultmem.storage.index.search.terms import (
    LEAST_NAME_SIMILARITY,
    LEAST_SIMILARITY,
    MOST_STEMS,
    Terms,
    distance,
    one_edit,
)
from vaultmem.storage.index.text.postings import DictReader

SYLLABLES = ("ba", "ke", "lo", "mi", "nur", "pal", "tes", "vo", "zam")
TWO_EDITS_FROM = 8  # letters


def made_words(choose: random.Random, count: int) -> list[str]:
    words: dict[str, None] = {}
    while len(words) < count:
        words["".join(choose.choices(SYLLABLES, k=choose.choice((2, 3, 3, 4, 5))))] = None
    return list(words)


def misspelt(choose: random.Random, word: str) -> str:
    for _ in range(choose.choice((1, 1, 2))):
        word = choose.choice(sorted(one_edit(word)))
    return word


def similarity(one: str, other: str) -> float:
    return 1 - distance(one, other) / max(len(one), len(other))


def is_looked_at(wrong: str, word: str, *, is_last: bool) -> bool:
    """One edit away; of a longer one also what begins alike, at last with an edit in that half."""
    if word in one_edit(wrong):
        return True
    half = wrong[: len(wrong) // 2]
    begins = {half} | ({near[: len(half)] for near in one_edit(half)} if is_last else set())
    near = abs(len(word) - len(wrong)) <= 2
    return len(wrong) >= TWO_EDITS_FROM and near and word.startswith(tuple(begins))


def wanted(wrong: str, words: list[str], least: float) -> list[tuple[float, str]]:
    alike = [(similarity(wrong, word), word) for word in words]
    alike = [(like, word) for like, word in alike if like >= least]
    is_last = not any(word in one_edit(wrong) for _, word in alike)
    found = [one for one in alike if is_looked_at(wrong, one[1], is_last=is_last)]
    return sorted(found, key=lambda one: (-one[0], one[1]))


@pytest.fixture(params=[40, 1_100], ids=["names that are kept", "names that are looked up"])
def asked(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[list[str], list[str], Index]]:
    choose = random.Random(request.param)
    words = made_words(choose, request.param + 400)
    names, said = words[: request.param], words[request.param :]
    talk = "\n\n".join(f"**{name.title()}** (2026-01-02 10:00): Well." for name in names)
    lines = "\n\n".join(" ".join(said[start : start + 20]) for start in range(0, len(said), 20))
    file = tmp_path_factory.mktemp("repair") / "index.sqlite"
    index = open_index(file, resource(talk), page(lines))
    yield names, said, index
    index.close()


def test_repair_finds_what_the_whole_vocabulary_holds(
    asked: tuple[list[str], list[str], Index],
) -> None:
    names, said, index = asked
    terms = Terms(index._connection, DictReader(index._connection))
    choose = random.Random(3)
    met = 0
    for known in choose.sample(said, 60):
        wrong = misspelt(choose, known)
        found = wanted(wrong, said, LEAST_SIMILARITY) if wrong not in said else []
        if len(wrong) >= 4 and wrong not in said:
            told = [(one.similarity, one.word) for one in terms.repair(wrong).values()]
            assert [pytest.approx(like) for like, _ in told] == [
                like for like, _ in found[: len(told)]
            ]
            assert {word for _, word in told} <= {word for _, word in found}
            assert len(told) == min(MOST_STEMS, len({terms._stem(word) for _, word in found}))
            met += bool(found)
    assert met > 20
    met = 0
    for known in choose.sample(names, 30):
        wrong = misspelt(choose, known)
        if len(wrong) >= 4 and wrong not in names:
            found = wanted(wrong, names, LEAST_NAME_SIMILARITY)
            best = [word for like, word in found if like == found[0][0]]
            assert [one.word for one in terms.repair_name(wrong)] == best
            met += bool(best)
    assert met > 10
