"""Statements without a common slot: the index nominates by words, rules decide."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from tests.conftest import NOON, FixedClock, Git
from tests.facts.test_contradictions import DAY, keys, rows, said
from vaultmem.api.memory import Memory
from vaultmem.extract.prepare import Document


class TestByWords:
    """What the words alone make clear is decided, what they leave open is asked."""

    def test_a_denial_ends_what_it_denies(self, memory: Memory, clock: FixedClock) -> None:
        memory.remember("The garage is heated.")
        clock.advance(days=2)
        memory.remember("The garage is not heated.")
        assert said(memory) == ["The garage is not heated."]
        (old,) = rows(memory, "superseded")
        assert old.valid_until == rows(memory)[0].valid_from
        assert memory.check().problems == ()

    def test_what_was_switched_from_ends(self, memory: Memory, clock: FixedClock) -> None:
        memory.remember("We use Redis for caching.")
        memory.remember("We use Redis for queues.")
        clock.advance(days=2)
        memory.remember("We switched from Redis to Memcached for caching.")
        assert said(memory, "superseded") == ["We use Redis for caching."]

    def test_a_changed_time_is_asked_about(self, memory: Memory) -> None:
        memory.remember("The deploy job runs at 5 pm.", date=NOON - 9 * DAY)
        memory.remember("The deploy job runs at 6 pm.", date=NOON - 2 * DAY)
        old, new = rows(memory)
        assert keys(memory, new)["contradicts"] == (f"[[{old.path.stem}]]",)
        (problem,) = memory.check().problems
        assert (problem.code, problem.path) == ("contradiction", new.path)

    def test_one_that_is_told_late_ends_where_the_known_one_began(self, memory: Memory) -> None:
        memory.remember("The rent is 950 euros.", date=NOON - 2 * DAY)
        memory.remember("The rent is 900 euros.", date=NOON - 90 * DAY)
        assert said(memory) == ["The rent is 950 euros."]
        (old,) = rows(memory, "superseded")
        assert old.valid_until == rows(memory)[0].valid_from

    def test_of_less_trust_it_waits(self, memory: Memory, clock: FixedClock) -> None:
        memory.remember("The garage is heated.")
        clock.advance(days=2)
        memory.remember("The garage is not heated.", writer="agent")
        assert said(memory) == ["The garage is heated."]
        assert "believed more" in memory.review.waiting()[0].reason

    def test_one_with_a_slot_meets_one_without(self, memory: Memory, clock: FixedClock) -> None:
        memory.remember("We use Redis for caching.", fact=("project-x", "caches_with", "Redis"))
        clock.advance(days=2)
        memory.remember("We switched from Redis to Memcached for caching.")
        assert said(memory, "superseded") == ["We use Redis for caching."]

    def test_many_texts_at_once(self, memory: Memory) -> None:
        """Those of the same batch are compared too, though the index does not know them."""
        words = ["Redis", *(f"Cache{i:02}" for i in range(24))]
        texts = ["We use Redis for caching."]
        texts += [f"We switched from {a} to {b} for caching." for a, b in pairwise(words)]
        texts += ["The roof is green.", "The roof is not green."]
        memory.remember_many(
            [Document(text=text, date=NOON - (60 - n) * DAY) for n, text in enumerate(texts)]
        )
        assert said(memory, "superseded") == ["We use Redis for caching.", "The roof is green."]

    def test_a_bullet_of_the_person_counts_too(self, memory: Memory, clock: FixedClock) -> None:
        memory.remember("The garage is heated.", stream="projects")
        clock.advance(days=2)
        stream = memory.root / "streams/projects.md"
        stream.write_text(stream.read_text("utf-8") + "- The garage is not heated.\n", "utf-8")
        memory.sync()
        assert said(memory) == ["The garage is not heated."]
        assert "is heated" not in stream.read_text("utf-8")


class TestNomination:
    """The index finds the few that share rare words, however much is known."""

    def test_among_many_that_share_most_words(self, memory: Memory, git: Git) -> None:
        days = [f"The job of team {name} runs at 5 pm." for name in map(_name, range(300))]
        memory.remember_many([Document(text=text) for text in days])
        (item,) = memory.remember(f"The job of team {_name(123)} runs at 6 pm.").items
        (effect,) = item.effects
        assert _name(123) in effect
        assert memory.remember("The job of team Omega runs at 7 pm.").items[0].effects == ()

    def test_only_active_items_are_nominated(self, memory: Memory, clock: FixedClock) -> None:
        memory.remember("The garage is heated.")
        memory.facts.retract(rows(memory)[0].id)
        clock.advance(days=1)
        assert memory.remember("The garage is not heated.").items[0].effects == ()
        assert memory.recall("garage").hits

    def test_at_most_a_few_rows_are_read(self, memory: Memory) -> None:
        from vaultmem.storage.index.lookups import MOST_ITEMS

        texts = [f"The shelf {_name(i)} is full." for i in range(60)]
        memory.remember_many([Document(text=text) for text in texts])
        with memory.opened.index as index:
            found = index.items_alike(f"The shelf {_name(7)} is not full.")
        assert len(found) == MOST_ITEMS
        assert found[0].statement == texts[7]


def _name(number: int) -> str:
    """A word of its own for each number."""
    return "Zu" + "".join("babeidofukilomunaper"[2 * int(digit) :][:2] for digit in f"{number:03}")


@pytest.mark.parametrize("text", ["The moon is not heated.", "I like tea.", "Tom plays chess."])
def test_without_a_candidate_nothing_heavy_is_loaded(root: Path, memory: Memory, text: str) -> None:
    """A cold `remember` is measured; rapidfuzz alone would take longer than all of it."""
    memory.remember("The garage is heated.")
    code = "import sys\nfrom vaultmem.__main__ import main\ncode = main(sys.argv[1:])\n"
    code += "print(*sorted(sys.modules), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", code, "--vault", str(root), "remember", text],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert text in done.stdout
    loaded = set(done.stderr.split())
    assert "vaultmem.facts.slot_candidates" in loaded
    assert not {"rapidfuzz", "numpy", "difflib"} & loaded
