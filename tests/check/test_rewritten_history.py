"""`check` and a history that was rewritten."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import FixedClock
from tests.history.by_hand import HandMade
from vaultmem.api.memory import Memory
from vaultmem.model.notes import Problem


def told(root: Path, clock: FixedClock) -> list[Problem]:
    """What check says about the history."""
    with Memory(root, clock=clock) as memory:
        return [each for each in memory.check().problems if each.code.startswith("history-")]


def test_commits_made_anew_are_told_once_and_only_as_rewound_where_they_were_recorded(
    memory: Memory, root: Path, clock: FixedClock, tmp_path: Path
) -> None:
    for text in ("I like tea.", "I like cake.", "I like rain."):
        clock.advance(days=1)
        memory.remember(text)
    memory.close()
    assert told(root, clock) == []
    vault = HandMade(root)
    vault.git("rebase", "--quiet", "--force-rebase", "HEAD~2", at="2026-05-01T09:00:00Z")
    assert [each.code for each in told(root, clock)] == ["history-rewound"]
    vault.git("clone", "--quiet", str(root), str(tmp_path / "clone"))
    (problem,) = told(tmp_path / "clone", clock)
    assert problem.code == "history-rewritten"
    assert "2 commits were made anew" in problem.message
    assert "--acknowledge" in problem.hint


def test_a_rewriting_that_was_accepted_is_told_no_more_and_a_later_one_is(
    memory: Memory, root: Path, clock: FixedClock
) -> None:
    for text in ("I like tea.", "I like cake.", "I like rain."):
        clock.advance(days=1)
        memory.remember(text)
    vault = HandMade(root)
    vault.git("rebase", "--quiet", "--force-rebase", "HEAD~2", at="2026-05-01T09:00:00Z")
    memory.sync()
    memory.vault.audit(acknowledge=True)
    assert told(root, clock) == []
    clock.advance(days=60)
    memory.remember("I like fog.")
    assert told(root, clock) == []
    vault.git("rebase", "--quiet", "--force-rebase", "HEAD~1", at="2026-07-01T09:00:00Z")
    memory.sync()
    assert [each.code for each in told(root, clock)] == ["history-rewound"]


def test_a_clock_that_was_set_back_is_no_rewriting(memory: Memory, clock: FixedClock) -> None:
    root = memory.root
    memory.remember("I like tea.")
    clock.advance(days=-30)
    memory.remember("I like cake.")
    memory.remember("I like rain.")
    memory.close()
    assert told(root, clock) == []


def test_merges_skewed_clocks_and_edits_by_hand_are_no_rewriting(
    memory: Memory, root: Path, clock: FixedClock
) -> None:
    memory.remember("I like tea.")
    vault = HandMade(root)
    vault.git("checkout", "--quiet", "-b", "side")
    clock.advance(days=-3)
    memory.remember("I like cake.")
    vault.git("checkout", "--quiet", "-")
    vault.commit("2026-03-01T09:00:00Z", {"items/hand.md": "By hand.\n"})
    vault.git("merge", "--quiet", "--no-ff", "-m", "merge", "side", at="2026-02-01T09:00:00Z")
    memory.close()
    assert told(root, clock) == []
