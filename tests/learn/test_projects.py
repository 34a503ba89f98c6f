"""What is learned in one repository holds there; what a person wishes, anywhere."""

from __future__ import annotations

import json

from tests.projects.repositories import HERON, STORK
from vaultmem.api import Memory
from vaultmem.learn.conversations import Session, Utterance
from vaultmem.learn.patterns import all_sightings, patterns


def keep(memory: Memory, day: int, words: str, project: str) -> None:
    """A conversation in a repository, kept as text only."""
    said = {"role": "user", "content": words, "time": f"2026-03-{day:02d}"}
    told = {"role": "assistant", "content": "Sure.", "time": f"2026-03-{day:02d}"}
    memory.remember(json.dumps([said, told]), extract=False, project=project)


def rules(memory: Memory) -> dict[str, tuple[str, ...]]:
    """What was learned, and of which projects it is."""
    memory.learn.consolidate()
    rows = (memory.show(rule.id).note for rule in memory.learn.rules().rules)
    return {row.statement: row.projects for row in rows}


def test_a_decision_is_of_the_repository_and_a_wish_of_the_person(memory: Memory) -> None:
    for day in (1, 4):
        keep(memory, day, "We decided to go with pnpm. I prefer metric units.", HERON)
    told = rules(memory)
    assert {HERON} == {each for name, of in told.items() if "pnpm" in name for each in of}
    assert [of for name, of in told.items() if "metric" in name] == [()]


def test_what_is_decided_in_a_second_repository_holds_in_both(memory: Memory) -> None:
    for day in (1, 4):
        keep(memory, day, "We decided to go with pnpm.", HERON)
    rules(memory)
    keep(memory, 9, "We decided to go with pnpm.", STORK)
    assert set(rules(memory).values()) == {(HERON, STORK)}


def test_a_decision_ends_none_of_another_repository() -> None:
    def session(id_: str, words: str, project: str) -> Session:
        return Session(
            id=id_, turns=(Utterance(role="user", text=words),), at=1, projects=(project,)
        )

    said = "We switched to Zulip from Slack."
    first = session("a", "We decided to go with Slack.", HERON)
    elsewhere = patterns(all_sightings([first, session("b", said, STORK)]))
    assert not any(pattern.superseded for pattern in elsewhere)
    here = patterns(all_sightings([first, session("b", said, HERON)]))
    assert any(pattern.superseded for pattern in here)
