"""A conversation that is kept as one file is found as its talks would be, each in a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.storage.index.building import open_index, put, resource
from vaultmem.storage.index.database import Index

_TALKS = (
    ("2025-03-03 19:00", "pottery glaze kiln clay bowl wheel vase shelf"),
    ("2025-04-11 08:30", "marathon shoes knee stretch route hill rain socks"),
    ("2025-05-20 21:15", "sourdough oven flour crust starter rye salt loaf"),
    ("2025-06-02 12:00", "kitten vet basket purr milk collar window mouse"),
)


def _turns(at: str, words: str) -> str:
    """Eight turns, a minute apart."""
    day, time = at.split()
    minute = int(time[3:])
    return "\n\n".join(
        f"**{('Ilka', 'Tom')[n % 2]}** ({day} {time[:3]}{minute + n:02d}): We had the {word} again."
        for n, word in enumerate(words.split())
    )


@pytest.fixture(params=[False, True], ids=["plain", "arrays"])
def by_arrays(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


def _counters(index: Index) -> dict[str, str]:
    counted = index.dump()["counters"]
    assert isinstance(counted, list)
    return dict(counted)


def _scores(index: Index, question: str, *, by_arrays: bool) -> list[tuple[str, float]]:
    index.by_arrays = by_arrays
    found = index.search(question, limit=5).found
    return [(one.passage.text, round(one.score, 6)) for one in found]


def test_one_file_of_four_talks_ranks_as_four_files(tmp_path: Path, *, by_arrays: bool) -> None:
    bodies = [_turns(at, words) for at, words in _TALKS]
    apart = open_index(
        tmp_path / "apart.sqlite",
        *(resource(f"\n{one}\n", title=f"T{n}") for n, one in enumerate(bodies)),
    )
    whole = "\n\n".join(bodies)
    together = open_index(tmp_path / "together.sqlite", resource(f"\n{whole}\n"))
    # The words in the middle of a talk: no window of theirs reaches into another talk.
    for question in ("kiln or clay", "the crust of the starter", "purr milk"):
        text, score = _scores(together, question, by_arrays=by_arrays)[0]
        alone, usual = _scores(apart, question, by_arrays=by_arrays)[0]
        assert text == alone
        # Turns at the edges have neighbours, so lengths differ a little. As one talk another
        # turn came first.
        assert score == pytest.approx(usual, rel=0.03)


def test_what_a_later_talk_says_leads_to_the_note(tmp_path: Path, *, by_arrays: bool) -> None:
    whole = "\n\n".join(_turns(at, words) for at, words in _TALKS)
    note = resource(f"\n{whole}\n")
    index = open_index(tmp_path / "index.sqlite", note)
    index.by_arrays = by_arrays
    best = index.search("kitten", limit=1).found[0]
    assert (best.path, best.passage.seq) == (note.path, 24)
    assert best.passage.text == index.passages(note.path)[24].text
    assert sum(part.value for part in best.parts) == pytest.approx(best.score)


def test_a_file_that_grows_by_a_talk_is_counted_anew(tmp_path: Path) -> None:
    bodies = [_turns(at, words) for at, words in _TALKS]
    index = open_index(
        tmp_path / "index.sqlite", resource("\n\n".join(bodies[:2]), path="resources/a.md")
    )
    put(index, [resource("\n\n".join(bodies), path="resources/a.md")])
    fresh = open_index(
        tmp_path / "fresh.sqlite", resource("\n\n".join(bodies), path="resources/a.md")
    )
    assert index.dump() == fresh.dump()
    assert index.dump()["counters"] == fresh.dump()["counters"]


def test_a_short_silence_few_turns_or_a_slow_pace_begin_no_talk(tmp_path: Path) -> None:
    minutes = [*(f"0{n}" for n in range(5)), *(f"{n}" for n in range(10, 15))]
    few = [f"**Ilka** (2025-03-0{1 + n // 2} 09:{at}): It rains." for n, at in enumerate(minutes)]
    short = [f"**Ilka** (2025-03-01 {8 + n // 4 * 3:02d}:{n}0): It rains." for n in range(6)]
    slow = [f"**Ilka** (2025-03-{1 + n:02d} 09:00): It rains on day {n}." for n in range(20)]
    for number, turns in enumerate((few[:6], short, slow)):
        index = open_index(tmp_path / f"{number}.sqlite", resource("\n\n".join(turns)))
        assert _counters(index)["talk_notes"] == "1"
