"""The profile: every field with its notes, unknown where none speaks, never a reason itself."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import Git
from vaultmem.api.memory import Memory
from vaultmem.language.time import DAY_MS
from vaultmem.learn.profile import FIELDS, expertise

PROFILE = "categories/profile.md"


def values(memory: Memory) -> dict[str, list[str]]:
    fields = memory.learn.profile(dry_run=True).fields
    return {entry.field: [each.value for each in entry.values] for entry in fields}


def talk(memory: Memory, when: str, *said: str) -> None:
    turns = [{"role": "user", "content": words, "time": when} for words in said]
    memory.remember(json.dumps([*turns, {"role": "assistant", "content": "ok"}]), extract=False)


def test_what_nothing_says_is_unknown(memory: Memory) -> None:
    assert values(memory) == {name: [] for name in FIELDS}
    memory.learn.profile()
    text = (memory.root / PROFILE).read_text("utf-8")
    assert text.count("| unknown |") == len(FIELDS) == 11


def test_every_value_names_its_notes(memory: Memory) -> None:
    memory.remember("", fact=("me", "role", "head of logistics"))
    memory.remember("", fact=("Maria", "role", "nurse"))
    memory.remember("Please always answer in German.")
    for day in (1, 2):
        talk(memory, f"2026-03-0{day} 19:30", "Which train goes to Ulm?", "I prefer short answers.")
    memory.learn.consolidate()
    found = {entry.field: entry.values for entry in memory.learn.profile().fields}
    assert [each.value for each in found["role"]] == ["head of logistics"]
    assert [each.value for each in found["detail_level"]] == ["short answers"]
    assert [each.value for each in found["recurring_queries"]] == ["Which train goes to Ulm?"]
    names = {path.stem for path in memory.root.rglob("*.md")}
    for field in ("role", "language", "detail_level", "recurring_queries"):
        for each in found[field]:
            assert each.sources
            assert set(each.sources) <= names


def test_what_is_counted_over_conversations_names_some_of_them(memory: Memory) -> None:
    for day in range(1, 7):
        talk(memory, f"2026-03-0{day} 19:30", f"The kiln fired batch {day}.")
    found = {entry.field: entry.values for entry in memory.learn.profile(dry_run=True).fields}
    names = {row.path.stem for row in memory.list() if row.type == "resource"}
    for field in ("query_time", "session_patterns"):
        for value in found[field]:
            assert len(set(value.sources)) == 3
            assert {source.strip("[]") for source in value.sources} <= names


def test_it_is_made_anew_and_what_a_person_wrote_around_it_stays(memory: Memory, git: Git) -> None:
    memory.learn.profile()
    file = memory.root / PROFILE
    file.write_bytes(file.read_bytes() + b"\nMine.  \n")
    memory.sync()
    head = git("rev-parse", "HEAD")
    assert memory.learn.profile().commit is None
    assert git("rev-parse", "HEAD") == head
    memory.remember("", fact=("me", "industry", "railways"))
    assert memory.learn.profile().commit
    assert file.read_bytes().endswith(b"\nMine.  \n")
    assert b"| industry | railways |" in file.read_bytes()


def test_the_profile_itself_says_nothing(memory: Memory) -> None:
    memory.learn.profile()
    file = memory.root / PROFILE
    file.write_text(file.read_text("utf-8").replace("| role | unknown |", "| role | king |"))
    assert values(memory)["role"] == []


@given(st.lists(st.integers(0, 3650), max_size=40))
def test_expertise_grows_with_use_up_to_one_and_fades(days: list[int]) -> None:
    uses = sorted(day * DAY_MS for day in days)
    end = 3650 * DAY_MS
    held = expertise(uses, end)
    assert 0 <= held < 1
    assert expertise(uses, end + 180 * DAY_MS) <= held / 2 + 1e-12
    assert expertise([*uses, end], end) >= held
