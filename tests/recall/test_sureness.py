"""What nobody confirmed for long is searched, and given to an assistant with that mark."""

from __future__ import annotations

import pytest

from tests.conftest import FixedClock
from tests.context.test_settings import told, with_settings
from vaultmem import Memory
from vaultmem.context.render import UNCONFIRMED, UNSURE
from vaultmem.model.answers import Filters, Pack


def marks(pack: Pack) -> dict[str, str]:
    """What the lines of facts are marked with."""
    return {line.text: line.doubt for line in pack.lines if line.tier == "facts"}


class TestSureness:
    """'below 0.6 a fact is not injected but still found by explicit search' (algorithms.md 6.4).

    One that answers the question is given all the same and says so: left out, a true fact was lost.
    """

    SAID = "Project Heron uses Brant for its nightly builds, on the machine in the cellar"

    def after(self, memory: Memory, clock: FixedClock, days: float) -> Memory:
        clock.advance(days=days)
        return Memory(memory.root, clock=clock)

    def set_to(self, memory: Memory, clock: FixedClock, text: str) -> Memory:
        """The same vault with these settings, at the same time."""
        with_settings(memory, text).close()
        return Memory(memory.root, clock=clock)

    def test_a_fact_that_nobody_confirmed_for_long_is_given_with_that_mark(
        self, memory: Memory, clock: FixedClock
    ) -> None:
        memory.remember("", fact=("elise", "plays", "the violin"), confidence=0.7)
        with self.after(memory, clock, 40) as soon:
            pack = soon.context("what does Elise play")
            assert told(pack, "facts")
            assert pack.unsure == 0
        with self.after(memory, clock, 1) as late:
            pack = late.context("what does Elise play")
            (line,) = [line for line in pack.lines if line.tier == "facts"]
            assert line.doubt == UNCONFIRMED
            assert pack.unsure == 1
            assert "violin" in late.recall("what does Elise play").hits[0].note.statement

    def test_its_mark_goes_when_it_is_said_again(self, memory: Memory, clock: FixedClock) -> None:
        memory.remember(f"{self.SAID}.")
        assert told(memory.context("builds of Heron"), "facts") == [f"{self.SAID}."]
        with self.after(memory, clock, 300) as late:
            assert marks(late.context("builds of Heron")) == {f"{self.SAID}.": UNCONFIRMED}
            late.remember(f"{self.SAID}!")
            assert marks(late.context("builds of Heron")) == {f"{self.SAID}.": ""}

    def test_what_is_over_is_not_given_in_any_words(
        self, memory: Memory, clock: FixedClock
    ) -> None:
        memory.remember(f"{self.SAID}.")
        (note,) = memory.list(Filters(types=("item",)))
        memory.change(note.id, "Project Heron uses Coot for its nightly builds.")
        with self.after(memory, clock, 300) as late:
            given = [line.text for line in late.context("builds of Heron").lines]
            assert not [text for text in given if "Brant" in text]

    def test_who_the_person_is_and_what_is_pinned_or_hard_does_not_fade(
        self, memory: Memory, clock: FixedClock
    ) -> None:
        memory.remember("My name is Elise Marchand.", stream="identity")
        memory.remember("The spare key hangs behind the stove.", pinned=True)
        memory.remember("Elise cannot eat hazelnuts.", hard=True)
        with self.after(memory, clock, 2_000) as late:
            pack = late.context("spare key")
            given = [line.text for line in pack.lines]
            assert len(given) == 3
            assert pack.unsure == 0

    def test_how_sure_is_sure_is_a_setting(self, memory: Memory, clock: FixedClock) -> None:
        memory.remember("", fact=("elise", "plays", "the violin"), confidence=0.7)
        clock.advance(days=300)
        with with_settings(memory, "\n[facts]\nusable_from = 0.1\n") as lenient:
            assert [*marks(lenient.context("what does Elise play")).values()] == [""]

    def test_of_another_time_all_is_told(self, memory: Memory, clock: FixedClock) -> None:
        memory.remember("", fact=("elise", "plays", "the violin"), confidence=0.7)
        with self.after(memory, clock, 300) as late:
            assert told(late.context("what does Elise play", as_of="2026-11-22"), "facts")

    def test_what_is_said_again_is_surer_than_it_is_today_not_than_it_was(
        self, memory: Memory, clock: FixedClock
    ) -> None:
        """Or the gap in which nobody said it would not count (algorithms 4.7, 'U applies no')."""
        memory.remember(f"{self.SAID}.", confidence=0.9)
        clock.advance(days=90)
        memory.remember(f"{self.SAID}!")
        (row,) = memory.list(Filters(types=("item",)))
        worth = 0.9 * 2 ** (-90 / 180)
        assert row.confidence == pytest.approx(worth + 0.3 * (1 - worth), abs=1e-3)

    def test_what_is_said_once_and_again_and_how_fast_it_fades_are_settings(
        self, memory: Memory, clock: FixedClock
    ) -> None:
        said = "\n[facts]\nconfidence = 0.65\nreinforce = 0.5\n[half_life]\nfact_days = 0\n"
        with self.set_to(memory, clock, said) as own:
            own.remember(f"{self.SAID}.")
            clock.advance(days=900)
            assert [*marks(own.context("builds of Heron")).values()] == [""]
            own.remember(f"{self.SAID}!")
            (row,) = own.list(Filters(types=("item",)))
        assert row.confidence == pytest.approx(0.65 + 0.5 * 0.35)

    def test_a_belief_fades_as_its_own_half_life_says(
        self, memory: Memory, clock: FixedClock
    ) -> None:
        memory.remember("Heron needs a stronger engine.", kind="belief")
        clock.advance(days=50)
        question = "engine of Heron"
        assert [*marks(memory.context(question)).values()] == [UNCONFIRMED]
        with self.set_to(memory, clock, "\n[half_life]\nbelief_days = 365\n") as slow:
            assert [*marks(slow.context(question)).values()] == [""]

    def test_unasked_it_is_given_with_that_mark_after_what_nobody_doubts(
        self, memory: Memory, clock: FixedClock
    ) -> None:
        memory.remember(f"{self.SAID}.", stream="projects")
        with self.after(memory, clock, 300) as late:
            late.remember("The roof terrace is closed for painting.", stream="projects")
            pack = late.context()
            assert [line.doubt for line in pack.lines] == ["", UNCONFIRMED]
            assert (pack.lines[-1].text, pack.unsure) == (f"{self.SAID}.", 1)


def test_what_was_unsure_from_the_beginning_is_told_as_that(memory: Memory) -> None:
    memory.remember("The sweep usually comes in May.", confidence=0.4)
    (line,) = memory.context("when does the sweep come").lines
    assert line.doubt == UNSURE
