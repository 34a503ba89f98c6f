"""Whoever recalls a memory that a newer one may have ended is told so, as `context` tells it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import FixedClock
from vaultmem.__main__ import main
from vaultmem.api.memory import Memory

DAY_MS = 86_400_000
OLD, NEW = "I love my job at Google.", "I just switched jobs: I work at OpenAI now."


@pytest.fixture
def switched(tmp_path: Path) -> Path:
    root = tmp_path / "notes"
    Memory.init(root, name="notes")
    with Memory(root, clock=FixedClock()) as memory:
        memory.remember("I work at Google as a software engineer.")
        memory.remember(OLD)
    with Memory(root, clock=FixedClock(FixedClock().now() + 7 * DAY_MS)) as memory:
        memory.remember(NEW)
    return root


def test_recall_gives_both_the_newer_first_and_marks_the_older(switched: Path) -> None:
    with Memory(switched, clock=FixedClock(FixedClock().now() + 7 * DAY_MS)) as memory:
        hits = memory.recall("do I like my job").hits
    said = {hit.note.statement: hit.doubt for hit in hits}
    assert "I work at OpenAI now." in said[OLD]
    assert not any(doubt for statement, doubt in said.items() if statement != OLD)


def test_the_command_says_it_and_json_has_it(
    switched: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["recall", "--vault", str(switched), "do I like my job"]) == 0
    assert "may be out of date since: “I work at OpenAI now.”" in capsys.readouterr().out
    assert main(["recall", "--vault", str(switched), "--json", "do I like my job"]) == 0
    hits = json.loads(capsys.readouterr().out)["hits"]
    assert [bool(hit["doubt"]) for hit in hits if hit["statement"] == OLD] == [True]


def test_what_nothing_may_have_ended_is_not_marked(memory: Memory) -> None:
    memory.remember("My sister Eva lives in Graz.")
    assert [hit.doubt for hit in memory.recall("where does Eva live").hits] == [""]
