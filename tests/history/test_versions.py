"""Versions of notes and when the vault knew them, as git records it (algorithms.md 2.5)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.history.by_hand import ID, NOTE, HandMade, at, note
from vaultmem.api.memory import Memory
from vaultmem.base.errors import HistoryDamagedError
from vaultmem.history import versions
from vaultmem.model.past_versions import effective_times, holds_at, known_at
from vaultmem.storage.git.lineage import ChainCommit


@pytest.fixture
def vault(root: Path) -> HandMade:
    """A vault made on 2026-03-11 at noon."""
    return HandMade(root)


def test_record_time_never_runs_backwards() -> None:
    times = effective_times([5, 9, 7, 11])
    assert times == [5, 9, 9, 11]
    assert [known_at(times, when) for when in (4, 5, 8, 9, 10, 12)] == [None, 0, 0, 2, 2, 3]
    assert effective_times([3], after=8) == [8]


def test_what_holds_follows_status_and_interval() -> None:
    def holds(when: int, status: str, begins: int | None, ends: int | None) -> bool:
        return holds_at(when, status=status, valid_from=begins, valid_until=ends, recorded_at=4)

    assert [holds(when, "active", 5, 7) for when in (4, 5, 6, 7)] == [False, True, True, False]
    assert holds(6, "superseded", 5, 7)
    assert not holds(6, "superseded", 5, None), "nobody can say when it ended"
    assert not holds(6, "retracted", 5, 7)
    assert not holds(6, "candidate", 5, None)
    assert holds(6, "archived", None, None)
    assert not holds(3, "active", None, None), "not before it was first recorded"


def test_every_commit_of_a_note_is_a_version(vault: HandMade) -> None:
    first = vault.commit("2026-03-12T09:00:00Z", {NOTE: note("Tea is green.")})
    second = vault.commit(
        "2026-03-13T09:00:00Z",
        {NOTE: note("Tea is black.")},
        "correct: tea\n\nVaultmem-Op: correct\nVaultmem-Actor: person\n"
        "Vaultmem-Recorded-At: 2026-03-13T09:00:00.250Z",
    )
    third = vault.commit("2026-03-14T09:00:00Z", {NOTE: None})
    green, black = vault.versions(id=ID)
    assert (green.statement, black.statement) == ("Tea is green.", "Tea is black.")
    assert (green.commit, black.commit) == (first, second)
    assert green.superseded_by_commit == second
    assert (black.op, black.actor, black.commit_subject) == ("correct", "person", "correct: tea")
    assert green.recorded_at_ms == at("2026-03-12T09:00:00Z")
    assert black.recorded_at_ms == green.superseded_at_ms == at("2026-03-13T09:00:00.250Z")
    assert (black.superseded_by_commit, black.superseded_at_ms) == (third, at("2026-03-14T09:00Z"))
    assert (green.is_gone, black.is_gone) == (False, True)
    assert black.first_recorded_ms == green.recorded_at_ms
    vault.dump()


def test_a_moved_note_is_the_same_version(vault: HandMade) -> None:
    vault.commit("2026-03-12T09:00:00Z", {NOTE: note("Tea is green.")})
    elsewhere = f"archive/{ID}.md"
    vault.commit("2026-03-13T09:00:00Z", {NOTE: None, elsewhere: note("Tea is green.")})
    vault.commit("2026-03-14T09:00:00Z", {elsewhere: None, NOTE: note("Tea is black.")})
    green, black = vault.versions(id=ID)
    assert str(green.path) == elsewhere
    assert [str(path) for path in green.former_paths] == [NOTE]
    assert green.recorded_at_ms == at("2026-03-12T09:00:00Z")
    assert green.superseded_at_ms == at("2026-03-14T09:00:00Z")
    assert not green.is_gone
    assert black.recorded_at_ms == at("2026-03-14T09:00:00Z")
    vault.dump()


def test_a_note_without_an_id_is_known_by_its_path_until_it_gains_one(vault: HandMade) -> None:
    path = "items/tea.md"
    vault.commit("2026-03-12T09:00:00Z", {path: note("Tea is green.", id_="")})
    vault.commit("2026-03-13T09:00:00Z", {path: note("Tea is green.")})
    vault.commit("2026-03-14T09:00:00Z", {path: None, NOTE: note("Tea is black.")})
    assert [version.id for version in vault.versions(id=ID)] == ["", ID, ID]
    first = at("2026-03-12T09:00:00Z")
    assert {version.first_recorded_ms for version in vault.versions(path=path)} == {first}
    vault.dump()


def test_a_merged_branch_is_known_at_the_merge(vault: HandMade) -> None:
    main = vault.git("branch", "--show-current")
    vault.git("checkout", "--quiet", "-b", "side")
    vault.commit("2026-03-12T09:00:00Z", {NOTE: note("Tea is green.")})
    vault.git("checkout", "--quiet", main)
    vault.commit("2026-03-13T09:00:00Z", {"items/other.md": note("Other.", id_="")})
    vault.git("merge", "--quiet", "--no-ff", "-m", "merge", "side", at="2026-03-14T09:00:00Z")
    (green,) = vault.versions(id=ID)
    assert green.recorded_at_ms == at("2026-03-14T09:00:00Z")
    assert green.commit == vault.git("rev-parse", "HEAD")
    vault.dump()


def test_a_commit_of_a_slow_clock_was_not_known_before_its_parent(vault: HandMade) -> None:
    vault.commit("2026-03-14T09:00:00Z", {NOTE: note("Tea is green.")})
    vault.commit("2026-03-12T09:00:00Z", {NOTE: note("Tea is black.")})
    green, black = vault.versions(id=ID)
    assert black.recorded_at_ms == green.recorded_at_ms == at("2026-03-14T09:00:00Z")


def test_a_rewritten_history_is_read_again_from_where_it_differs(vault: HandMade) -> None:
    vault.commit("2026-03-12T09:00:00Z", {NOTE: note("Tea is green.")})
    vault.commit("2026-03-13T09:00:00Z", {NOTE: note("Tea is black.")})
    assert len(vault.versions(id=ID)) == 2
    vault.git("reset", "--quiet", "--hard", "HEAD~1")
    vault.commit("2026-03-15T09:00:00Z", {NOTE: note("Tea is white.")})
    assert [each.statement for each in vault.versions(id=ID)] == ["Tea is green.", "Tea is white."]
    vault.git("reset", "--quiet", "--hard", "HEAD~1")
    (green,) = vault.versions(id=ID)
    assert green.superseded_at_ms is None
    vault.dump()


def test_a_merge_that_took_ours_as_second_parent_is_read_along_its_first(vault: HandMade) -> None:
    main = vault.git("branch", "--show-current")
    vault.git("branch", "theirs")
    vault.commit("2026-03-12T09:00:00Z", {NOTE: note("Tea is green.")})
    assert vault.versions(id=ID)[0].recorded_at_ms == at("2026-03-12T09:00:00Z")
    vault.git("checkout", "--quiet", "theirs")
    vault.commit("2026-03-13T09:00:00Z", {"items/other.md": note("Other.", id_="")})
    vault.git("merge", "--quiet", "--no-ff", "-m", "merge", main, at="2026-03-14T09:00:00Z")
    vault.git("checkout", "--quiet", "-B", main)
    assert vault.versions(id=ID)[0].recorded_at_ms == at("2026-03-14T09:00:00Z")
    vault.dump()


def test_a_history_that_git_cannot_read_to_its_end_gives_no_half_commit(vault: HandMade) -> None:
    days = range(12, 18)
    made = [
        vault.commit(f"2026-03-{day}T09:00:00Z", {NOTE: note(f"Tea {day}."), f"{day}.md": "x\n"})
        for day in days
    ]
    lost = vault.git("rev-parse", f"{made[3]}^{{tree}}")
    (vault.root / ".git" / "objects" / lost[:2] / lost[2:]).unlink()
    told: list[ChainCommit] = []
    with Memory(vault.root) as memory:
        lineage = memory.opened.history.lineage()
        with pytest.raises(HistoryDamagedError):
            told.extend(each for each in lineage.main_line(made[-1], since=made[0]))
        for _ in range(2):
            with pytest.raises(HistoryDamagedError):
                versions.level(memory.opened, batch=1)
    assert [each.commit for each in told] == made[1 : len(told) + 1]
    assert all(len(each.changed) == 2 for each in told)


def test_a_shallow_history_says_where_it_begins_and_forgets_that_when_it_is_whole(
    vault: HandMade, tmp_path: Path
) -> None:
    vault.commit("2026-03-12T09:00:00Z", {NOTE: note("Tea is green.")})
    vault.commit("2026-03-13T09:00:00Z", {"items/other.md": note("Other.", id_="")})
    clone = tmp_path / "clone"
    address = vault.root.as_uri()
    vault.git("clone", "--quiet", "--depth", "1", address, str(clone))
    shallow = HandMade(clone)
    (green,) = shallow.versions(id=ID)
    assert green.is_cut
    assert green.first_recorded_ms is None
    shallow.git("fetch", "--quiet", "--unshallow")
    (green,) = shallow.versions(id=ID)
    assert not green.is_cut
    assert green.recorded_at_ms == at("2026-03-12T09:00:00Z")
    shallow.dump()
