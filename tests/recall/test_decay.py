"""Decay on read: it ranks, and never changes what is true or what is answered."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import FixedClock
from tests.recall.test_rank import NOW, note
from vaultmem.api.memory import Memory
from vaultmem.base.errors import BadInputError
from vaultmem.language.time import DAY_MS
from vaultmem.model.answers import Hit, NoteRow
from vaultmem.model.notes import STREAMS
from vaultmem.recall.decay import decay_weight, fade_hits, half_lives, reference, weight_of

DAYS = {"identity": None, "projects": 180.0, "tasks": 30.0, "flow": 7.0}


def hit(score: float, *, name: str = "a", **keys: object) -> Hit:
    return Hit(note=note(f"items/{name}.md", **keys), score=score, passages=())


class TestTheWeight:
    """`w * 2^(-max(0, age) / H)`, H > 0; none means never (algorithms.md 2.6)."""

    def test_it_halves_with_every_half_life(self) -> None:
        weights = [decay_weight(0.8, days * DAY_MS, 30 * DAY_MS) for days in (0, 30, 60, 90)]
        assert weights == pytest.approx([0.8, 0.4, 0.2, 0.1])

    def test_without_a_half_life_it_stays(self) -> None:
        assert decay_weight(0.6, 1e15, None) == 0.6

    def test_a_start_in_the_future_gives_no_more_than_the_weight(self) -> None:
        assert decay_weight(0.6, -DAY_MS, DAY_MS) == 0.6

    @pytest.mark.parametrize("life", [0, -5, float("nan"), float("inf")])
    def test_a_half_life_that_is_no_time_is_refused(self, life: float) -> None:
        with pytest.raises(BadInputError, match="a half-life is longer than nothing"):
            decay_weight(0.6, DAY_MS, life)

    @pytest.mark.parametrize("weight", [-0.1, 1.1, float("nan")])
    def test_a_weight_outside_0_to_1_is_refused(self, weight: float) -> None:
        with pytest.raises(BadInputError, match="between 0 and 1"):
            decay_weight(weight, DAY_MS, DAY_MS)

    @given(st.floats(0, 1), st.floats(-1e15, 1e15), st.floats(-1e15, 1e15), st.floats(1, 1e15))
    def test_older_is_never_more(self, weight: float, a: float, b: float, life: float) -> None:
        younger, older = sorted((a, b))
        assert (
            0 <= decay_weight(weight, older, life) <= decay_weight(weight, younger, life) <= weight
        )


class TestTheReference:
    """From when a memory fades."""

    @pytest.mark.parametrize(
        ("dates", "expected"),
        [
            ({"valid_from": 5}, 5),
            ({"valid_from": 5, "last_confirmed": 8}, 8),
            ({"valid_from": 8, "last_confirmed": 5}, 8),
            ({"valid_from": 5, "valid_until": 7, "last_confirmed": 8}, 7),
            ({"valid_from": 5, "valid_until": 10}, 10),  # half open: over at its end
            ({"valid_from": 5, "valid_until": 11, "last_confirmed": 8}, 8),  # not over yet
            ({"valid_from": None, "recorded_at": 4}, 4),
            ({"valid_from": None, "recorded_at": 4, "last_confirmed": 6}, 6),
            ({"valid_from": 5, "recorded_at": 9}, 5),
            ({"valid_from": None}, None),
        ],
    )
    def test_the_moment_at_which_it_last_counted(
        self, dates: dict[str, int | None], expected: int | None
    ) -> None:
        values: dict[str, int | None] = {"valid_from": None, **dates}
        assert reference(now=10, **values) == expected


class TestTheRanking:
    """Age takes a share of the score, and changes the order only."""

    def test_of_equals_the_fresher_stands_first(self) -> None:
        old = hit(2.0, name="a", stream="tasks", valid_from=NOW - 60 * DAY_MS)
        new = hit(2.0, name="b", stream="tasks", valid_from=NOW)

        first, second = fade_hits([old, new], DAYS, now=NOW, share=0.02)

        assert (first.note, second.note) == (new.note, old.note)
        assert first == new
        (part,) = second.parts
        assert part.name == "decay"
        assert part.value == pytest.approx(-2.0 * 0.02 * 0.75)
        assert part.note == "tasks: 60 days old, half-life 30"
        assert second.score == pytest.approx(2.0 + part.value)

    @pytest.mark.parametrize(
        "keys",
        [
            {"stream": "identity"},
            {"stream": ""},
            {"stream": "flow", "pinned": True},
            {"stream": "flow", "hard": True},
            {"stream": "flow", "valid_from": None},
        ],
    )
    def test_what_does_not_fade(self, keys: dict[str, object]) -> None:
        row = note("items/a.md", **{"valid_from": 0, **keys})
        assert weight_of(row, DAYS, now=NOW) == (1.0, 0.0)

    @given(
        st.lists(
            st.tuples(
                st.floats(0, 50),
                st.sampled_from(("", *STREAMS)),
                st.none() | st.integers(NOW - 10_000 * DAY_MS, NOW + 10_000 * DAY_MS),
            ),
            max_size=8,
        ),
        st.floats(0, 1),
    )
    def test_no_note_comes_or_goes_and_no_score_rises(
        self, given: list[tuple[float, str, int | None]], share: float
    ) -> None:
        hits = [
            hit(score, name=str(number), stream=stream, valid_from=since)
            for number, (score, stream, since) in enumerate(given)
        ]
        before = {each.note.path: each.score for each in hits}
        after = {each.note.path: each.score for each in fade_hits(hits, DAYS, now=NOW, share=share)}
        assert after.keys() == before.keys()
        assert all(0 <= after[path] <= before[path] for path in before)


class TestTheSettings:
    """Half-lives by stream and by call."""

    def test_nothing_asked_gives_those_of_the_settings(self) -> None:
        assert half_lives({"identity": 0, "tasks": 30}, None) == {"identity": None, "tasks": 30}

    def test_a_call_asks_for_its_own(self) -> None:
        found = half_lives({"identity": 0, "tasks": 30}, {"tasks": None, "identity": 0.5})
        assert found == {"identity": 0.5, "tasks": None}

    @pytest.mark.parametrize("days", [0, -1, float("nan"), float("inf")])
    def test_days_that_are_none_are_refused(self, days: float) -> None:
        with pytest.raises(BadInputError, match=r"more than 0 days.*'tasks'"):
            half_lives({}, {"tasks": days})

    def test_an_unknown_stream_is_refused_by_name(self) -> None:
        with pytest.raises(BadInputError, match="no stream is called 'task'"):
            half_lives({}, {"task": 3})


class TestInAVault:
    """`recall` fades; the same notes answer as without."""

    def test_an_old_task_stands_behind_a_fresh_one_and_still_answers(
        self, memory: Memory, clock: FixedClock
    ) -> None:
        memory.remember("Call the plumber about the sink.", kind="task", stream="tasks")
        clock.advance(days=90)
        memory.remember("Call the plumber about the bath.", kind="task", stream="tasks")

        def asked(**lives: float | None) -> list[NoteRow]:
            answer = memory.recall("call the plumber", half_lives=lives)
            return [each.note for each in answer.hits if each.note.type == "item"]

        plain, faded_fast = asked(tasks=None), asked(tasks=1)
        assert faded_fast[0].statement == "Call the plumber about the bath."
        assert {each.id for each in plain} == {each.id for each in faded_fast}
        assert len(plain) == 2

    def test_half_lives_of_the_vault_count(self, memory: Memory, clock: FixedClock) -> None:
        file = memory.root / "vaultmem.toml"
        file.write_text(file.read_text("utf-8") + "\n[half_life]\ntasks_days = 0\n", "utf-8")
        memory.remember("Call the plumber about the sink.", kind="task", stream="tasks")
        clock.advance(days=90)
        with Memory(memory.root, clock=clock) as again:
            (found,) = (h for h in again.recall("call the plumber").hits if h.note.type == "item")
        assert "decay" not in [part.name for part in found.parts]

        (found,) = (h for h in memory.recall("call the plumber").hits if h.note.type == "item")
        assert "decay" in [part.name for part in found.parts]
