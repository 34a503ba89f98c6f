"""With numpy and without it: the same passages, the same scores to the last bit, and reasons."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from itertools import accumulate
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import NOON
from tests.storage.index.building import item, open_index, page, put, resource
from vaultmem.language.time import DAY_MS
from vaultmem.model.answers import Filters
from vaultmem.model.notes import Record
from vaultmem.storage.index import database
from vaultmem.storage.index.database import Index
from vaultmem.storage.index.search.bm25 import Scoring
from vaultmem.storage.index.search.numpy_twin import ArrayReader
from vaultmem.storage.index.text.postings import DictReader

SYLLABLES = ("ka", "lo", "mi", "ru", "te", "sa")
WORDS = [a + b + c for a in SYLLABLES for b in SYLLABLES for c in SYLLABLES[:4]]
WEIGHTS = [1 / (rank + 2) for rank in range(len(WORDS))]
PEOPLE = ("Elise", "Ben", "Nadia")
ENGLISH = ("dog", "cat", "camping", "tent", "cried", "movie", "tea", "coffee", "in May 2023")


def said(chance: random.Random, words: int) -> str:
    some = chance.choices(WORDS, WEIGHTS, k=words) + chance.choices(ENGLISH, k=1)
    chance.shuffle(some)
    return " ".join(some).capitalize() + chance.choice(".??!.")


def dates(chance: random.Random, turns: int) -> list[str]:
    """When each turn was said: many talks in one file."""
    days = accumulate(chance.random() < 0.15 for _ in range(turns))
    return [f" ({date(2023, 5, 8) + timedelta(days=day)} 10:00)" for day in days]


def notes(chance: random.Random, count: int) -> list[Record]:
    """Conversations short and very long, items with and without names, pages."""
    found: list[Record] = []
    for number in range(count):
        if number % 3 == 0:
            turns = chance.choice((1, 2, 5, 30, 150 if number % 60 == 0 else 8))
            stamps = dates(chance, turns) if number % 2 == 0 else [""] * turns
            body = "\n\n".join(
                f"**{chance.choice(PEOPLE)}**{stamp}: {said(chance, chance.choice((1, 6, 60)))}"
                for stamp in stamps
            )
            told = NOON - chance.randrange(900) * DAY_MS
            found.append(resource(f"\n{body}\n", title=f"Talk {number}", date=told))
        elif number % 3 == 1:
            status = chance.choice(("active", "active", "superseded"))
            who = {"subject": chance.choice(PEOPLE)} if chance.random() < 0.5 else {}
            found.append(item(f"{said(chance, 8)} {number}", status=status, **who))
        else:
            body = "\n\n".join(said(chance, 40) for _ in range(chance.choice((1, 3))))
            found.append(page(f"\n{body}\n", path=f"notes/Page {number}.md"))
    return found


def questions(chance: random.Random, count: int) -> list[str]:
    asked = [
        " ".join(chance.choices(WORDS, WEIGHTS, k=chance.choice((1, 3, 6)))) for _ in range(count)
    ]
    asked += [f"what did {chance.choice(PEOPLE)} say about {word}?" for word in asked[: count // 3]]
    asked += [f"did {word} and Ben or Elis meet {word}" for word in asked[: count // 4]]
    asked += [f"when did I see a {chance.choice(ENGLISH)} with Ben and Nadia" for _ in range(4)]
    return [*asked, "Elise", "in May 2023", "camping last week", "kalmoi rutesaa", "", "pets?"]


def ways(index: Index, question: str, **options: object) -> Sequence[object]:
    """What each way finds, with everything that is told of it."""
    answers = []
    for index.by_arrays in (False, True):
        answer = index.search(question, limit=10, now=NOON, **options)  # type: ignore[arg-type]
        found = [
            (one.path, one.passage, one.score, one.coverage, tuple(one.parts))
            for one in answer.found
        ]
        answers.append((found, answer.repairs, answer.terms, answer.stood))
    return answers


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """Some three thousand passages, a tenth of them rewritten after the first question."""
    chance = random.Random(20_261_122)
    made = open_index(tmp_path_factory.mktemp("arrays") / "index.sqlite", *notes(chance, 240))
    ways(made, "kalomi tea")
    put(made, notes(random.Random(7), 24))
    return made


def test_both_ways_find_the_same_with_the_same_scores(
    index: Index, times: Callable[[int], int]
) -> None:
    chance = random.Random(5)
    for question in questions(chance, times(12)):
        plain, by_arrays = ways(index, question)
        assert by_arrays == plain, question


@pytest.mark.parametrize(
    "filters",
    [
        Filters(statuses=("", "active")),
        Filters(types=("item",)),
        Filters(since=NOON - 400 * DAY_MS),
    ],
    ids=str,
)
def test_what_may_answer_is_the_same(index: Index, filters: Filters) -> None:
    for question in questions(random.Random(6), 6):
        plain, by_arrays = ways(index, question, filters=filters)
        assert by_arrays == plain, question


@pytest.mark.parametrize(
    "scoring",
    [
        Scoring(note=0),
        Scoring(k1=2),
        Scoring(k1=0),
        Scoring(b=1),
        Scoring(answers=0, related=0),
        Scoring(window=0),
        Scoring(company=0),
    ],
    ids=str,
)
def test_every_strength_counts_the_same(index: Index, scoring: Scoring) -> None:
    for question in questions(random.Random(8), 4):
        plain, by_arrays = ways(index, question, scoring=scoring)
        assert by_arrays == plain, question


def test_of_many_candidates_the_same_ones_are_scored(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    from vaultmem.storage.index.search import candidates

    for name, few in (("MOST_SCORED", 12), ("ALL_SCORED", 20), ("ENOUGH", 60)):
        monkeypatch.setattr(candidates, name, few)
    for filters in (Filters(), Filters(types=("resource",)), Filters(statuses=("", "active"))):
        for question in questions(random.Random(9), 8):
            plain, by_arrays = ways(index, question, filters=filters)
            assert by_arrays == plain, question


OPERATORS = (
    '"',
    "AND",
    "OR",
    "NOT",
    "NEAR(",
    "*",
    "^",
    "col:",
    "{",
    ")",
    "-",
    "+",
    "%",
    "_",
    "\x00",
)


def any_text(chance: random.Random) -> str:
    """Random Unicode, operators of full-text searches, words of the index; at times 100 kB."""
    planes = (0x7F, 0x7FF, 0xFFFF, 0x10FFFF)
    pieces = [
        "".join(chr(chance.randrange(chance.choice(planes))) for _ in range(chance.randrange(1, 9)))
        for _ in range(chance.randrange(1, 9))
    ]
    pieces += chance.choices(OPERATORS, k=3) + chance.choices((*WORDS, *ENGLISH), k=2)
    chance.shuffle(pieces)
    text = chance.choice(("", " ")).join(pieces)
    return text * (100_000 // len(text) + 1) if chance.random() < 0.02 else text


def test_any_text_is_answered_the_same_and_within_a_second(
    index: Index, times: Callable[[int], int]
) -> None:
    """`--long 100` asks 10,000."""
    chance = random.Random(11)
    for _ in range(times(100)):
        question = any_text(chance)
        start = time.process_time()
        plain, by_arrays = ways(index, question)
        assert by_arrays == plain, question[:200]
        assert time.process_time() - start < 1, question[:200]


def test_both_read_the_same_postings(index: Index) -> None:
    connection = index._connection
    words = [id_ for (id_,) in connection.execute("SELECT id FROM words ORDER BY id LIMIT 60")]
    (size,) = connection.execute("SELECT value FROM meta WHERE key = 'next_passage'").fetchone()
    plain, arrays = DictReader(connection), ArrayReader(connection, int(size))
    for several in (words[:1], words[3:5], words[10:40], [10**6]):
        one, other = plain.read(several), arrays.read(several)
        assert dict(zip(other, other.times.tolist(), strict=True)) == dict(sorted(one.items()))
        rest = plain.without(one, plain.read(words[5:6]))
        assert [*arrays.without(other, arrays.read(words[5:6]))] == sorted(rest)
    assert not np.any(arrays.scratch)


def test_a_process_that_lasts_takes_numpy_for_a_large_index_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = open_index(tmp_path / "index.sqlite", *notes(random.Random(1), 9))
    used: list[bool] = []
    for _ in range(3):
        index.search("tea")
        used.append(index._fresh_searcher().by_arrays)
    index.lasts = True
    for least in (10**6, 5):
        monkeypatch.setattr(database, "MANY_PASSAGES", least)
        for _ in range(2):
            index.search("tea")
            used.append(index._fresh_searcher().by_arrays)
    assert used == [False] * 5 + [True] * 2
    index.close()


def test_a_question_of_a_process_that_ends_with_it_loads_no_numpy(tmp_path: Path) -> None:
    open_index(tmp_path / "index.sqlite", *notes(random.Random(1), 24)).close()
    code = (
        "import sys; from pathlib import Path; from tests.storage.index.building import IDENTITY; "
        "from vaultmem.storage.index.database import Index; "
        "index = Index.open(Path(sys.argv[1]), identity=IDENTITY); "
        "assert index.search('tea').found; assert 'numpy' not in sys.modules"
    )
    file = str(tmp_path / "index.sqlite")
    subprocess.run([sys.executable, "-c", code, file], check=True, timeout=60)


@pytest.mark.parametrize("by_arrays", [False, True], ids=["plain", "arrays"])
def test_scores_are_explained_late_as_at_once(tmp_path: Path, by_arrays: bool) -> None:
    """Nobody looks at most explanations: they are worked out for whoever does, whenever that is.

    By then the index was written to, or closed; what is told is of the moment of the answer.
    """
    chance = random.Random(20_261_127)
    made = open_index(tmp_path / "index.sqlite", *notes(chance, 60))
    made.by_arrays = by_arrays
    asked = questions(random.Random(3), 12)
    at_once = []
    for question in asked:
        found = made.search(question, limit=10, now=NOON).found
        at_once.append([tuple(one.parts) for one in found])
        for one in found:
            assert sum(part.value for part in one.parts) == pytest.approx(one.score)
    late = [made.search(question, limit=10, now=NOON).found for question in asked]
    put(made, notes(random.Random(4), 60))
    made.search("kalomi tea")
    made.close()
    assert [[tuple(one.parts) for one in found] for found in late] == at_once
