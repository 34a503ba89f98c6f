"""Praise of the person is listed where nothing that happened bears it out."""

from __future__ import annotations

import pytest

from vaultmem.api.memory import Memory
from vaultmem.learn.proposed import is_claim, weigh


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("I am always on time.", True),
        ("I'm an expert in tax law.", True),
        ("I run every morning.", True),
        ("Ich bin immer pünktlich.", True),
        ("Soy muy puntual y siempre llego a tiempo.", True),
        ("I live in Graz.", False),
        ("My sister Anna lives in Porto.", False),
        ("Anna is always on time.", False),
        ("The oven is always hot.", False),
    ],
)
def test_what_is_said_to_ones_credit_is_a_claim(statement: str, expected: bool) -> None:
    assert is_claim(statement) is expected


def test_what_happened_bears_it_out_or_speaks_against_it() -> None:
    events = [
        ("e1", "I ran to the lake before work on 2026-03-01."),
        ("e2", "I was late for the meeting on 2026-03-02."),
        ("e3", "I skipped the run on 2026-03-03."),
        ("e4", "We had lunch on 2026-03-04."),
    ]
    punctual = weigh("I am always on time.", events)
    assert (punctual.supporting, punctual.opposite) == ((), ("e2",))
    runner = weigh("I am good at meetings.", events)
    assert (runner.supporting, runner.opposite) == (("e2",), ())
    assert weigh("I run every morning.", events).opposite == ("e3",)


def late(memory: Memory, *days: int) -> None:
    for day in days:
        memory.remember(f"I was late for the staff meeting on 2026-03-{day:02}.", kind="event")


def test_five_events_against_a_claim_flag_it_and_nothing_is_changed(memory: Memory) -> None:
    memory.remember("I am always punctual.", kind="fact", stream="identity")
    memory.remember("I am an excellent baker of rye bread.", kind="fact", stream="identity")
    memory.remember("I am very good at chess.", kind="fact", stream="identity")
    memory.remember("I live in Graz.")
    memory.remember("I baked rye bread for the fair on 2026-02-01.", kind="event")
    late(memory, 1, 2, 3, 4)
    head = memory.vault.status().head
    found = memory.learn.claims()
    assert {claim.statement: claim.verdict for claim in found.claims} == {
        "I am always punctual.": "unsupported",
        "I am an excellent baker of rye bread.": "supported",
        "I am very good at chess.": "unsupported",
    }
    assert (found.facts, found.share) == (4, 0.75)
    assert memory.vault.status().head == head
    late(memory, 5)
    flagged = memory.learn.claims().claims[0]
    assert (flagged.statement, flagged.verdict) == ("I am always punctual.", "contradicted")
    assert len(flagged.opposite) == 5


def test_what_was_taken_back_speaks_against_nothing(memory: Memory) -> None:
    memory.remember("I am always punctual.", kind="fact", stream="identity")
    late(memory, 1, 2, 3, 4, 5)
    assert [claim.verdict for claim in memory.learn.claims().claims] == ["contradicted"]
    memory.facts.retract(memory.learn.claims().claims[0].opposite[0])
    [claim] = memory.learn.claims().claims
    assert (claim.verdict, len(claim.opposite)) == ("unsupported", 4)


def test_no_claim_is_no_share(memory: Memory) -> None:
    assert (memory.learn.claims().claims, memory.learn.claims().share) == ((), 0.0)
