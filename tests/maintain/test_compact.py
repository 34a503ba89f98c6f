"""`compact`: what ended long ago leaves the folder and the index, and nothing is lost."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.history.notes import DAY, MONDAY, SetClock, item, save
from vaultmem.api.memory import Memory
from vaultmem.base.errors import BadInputError, UnknownNoteError
from vaultmem.history import versions as past
from vaultmem.maintain.compact import is_kept
from vaultmem.model.answers import Filters
from vaultmem.model.past_versions import Version

A, B = "i-aaaaaaaaaa", "i-bbbbbbbbbb"
RETENTION = 90


def ended(id_: str, status: str = "superseded", *, keys: str = "") -> str:
    until = None if status == "retracted" else MONDAY
    return item(
        *(id_, f"Project X once used number {id_}."),
        valid_from=MONDAY - 9 * DAY,
        valid_until=until,
        keys=f"status: {status}\n{keys}",
    )


def ids(memory: Memory) -> set[str]:
    return {row.id for row in memory.list(Filters(types=("item",)))}


def tree(memory: Memory) -> str:
    return subprocess.run(
        ["git", "rev-parse", "HEAD^{tree}"],
        cwd=memory.root,
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    ).stdout


def versions(memory: Memory, id_: str) -> tuple[Version, ...]:
    return past.level(memory.opened).versions(id=id_)


class TestTheRule:
    """Keep iff not superseded, or superseded_at > now - retention."""

    def test_at_exactly_the_retention_it_goes(self) -> None:
        now = 200 * DAY
        at = [110 * DAY + 1, 110 * DAY, 110 * DAY - 1, 300 * DAY, None]
        kept = [is_kept(each, now=now, retention_days=RETENTION) for each in at]
        assert kept == [True, False, False, True, True]

    @given(st.none() | st.integers(0, 10**13), st.floats(0, 1e6), st.floats(0, 1e6))
    def test_a_longer_retention_keeps_no_less(
        self, at: int | None, one: float, other: float
    ) -> None:
        short, long = sorted((one, other))
        assert is_kept(at, now=10**12, retention_days=long) or not is_kept(
            at, now=10**12, retention_days=short
        )

    @pytest.mark.parametrize("days", [-1, float("nan"), float("inf")])
    def test_days_that_are_none_are_refused(self, vault: Memory, days: float) -> None:
        with pytest.raises(BadInputError, match="cannot retain"):
            is_kept(None, now=0, retention_days=days)
        with pytest.raises(BadInputError, match="cannot retain"):
            vault.maintain.compact(retention_days=days)


class TestWhatGoes:
    """Superseded, expired and retracted items, by the record time of their end."""

    @pytest.mark.parametrize("status", ["superseded", "expired", "retracted"])
    def test_the_strict_cutoff(self, vault: Memory, still: SetClock, status: str) -> None:
        save(vault, A, ended(A, status))
        save(vault, B, item(B, "Project X uses SQLite.", valid_from=MONDAY))
        still.at = MONDAY + RETENTION * DAY - 1
        assert vault.maintain.compact().items == ()
        assert vault.maintain.compact().kept == 1

        still.at += 1
        done = vault.maintain.compact()

        assert [one.id for one in done.items] == [A]
        assert done.items[0].superseded_at == MONDAY
        assert ids(vault) == {B}
        assert not (vault.root / "items" / f"{A}.md").exists()
        assert vault.search("once number").hits == ()

    def test_an_edit_since_does_not_make_the_end_younger(
        self, vault: Memory, still: SetClock
    ) -> None:
        save(vault, A, item(A, "Project X uses PostgreSQL.", valid_from=MONDAY - DAY))
        still.at += DAY
        save(vault, A, ended(A))
        still.at += 50 * DAY
        save(vault, A, ended(A, keys="tags: [old]\n"))
        still.at += 40 * DAY
        assert vault.maintain.compact().items[0].superseded_at == MONDAY + DAY

    def test_what_came_back_to_life_ended_anew(self, vault: Memory, still: SetClock) -> None:
        for days, status in ((0, "superseded"), (10, "active"), (20, "superseded")):
            still.at = MONDAY + days * DAY
            save(vault, A, ended(A, status))
        still.at = MONDAY + 100 * DAY
        assert vault.maintain.compact().items == ()

    @pytest.mark.parametrize("keys", ["pinned: true\n", "hard: true\n"])
    def test_what_no_program_may_remove_stays(
        self, vault: Memory, still: SetClock, keys: str
    ) -> None:
        save(vault, A, ended(A, keys=keys))
        still.at += 100 * DAY
        done = vault.maintain.compact()
        assert (done.items, len(done.held)) == ((), 1)

    def test_a_note_whose_name_is_not_its_own_stays(self, vault: Memory, still: SetClock) -> None:
        save(vault, "database", ended(A))
        still.at += 100 * DAY
        assert [path.name for path in vault.maintain.compact().held] == ["database.md"]

    def test_what_has_yet_to_end_stays(self, vault: Memory, still: SetClock) -> None:
        text = item(A, "The lease runs.", valid_until=MONDAY + 300 * DAY, keys="status: expired\n")
        save(vault, A, text)
        still.at += 100 * DAY
        assert vault.maintain.compact().items == ()
        still.at += 200 * DAY
        assert len(vault.maintain.compact().items) == 1

    def test_an_edit_that_is_not_committed_is_a_persons_and_young(
        self, vault: Memory, still: SetClock
    ) -> None:
        file = save(vault, A, item(A, "Project X uses PostgreSQL.", valid_from=MONDAY - DAY))
        still.at += 100 * DAY
        file.write_text(ended(A), encoding="utf-8")
        assert vault.maintain.compact(dry_run=True).items == ()
        assert vault.maintain.compact().items == ()

    def test_a_dry_run_changes_nothing(self, vault: Memory, still: SetClock) -> None:
        save(vault, A, ended(A))
        still.at += 100 * DAY
        before = tree(vault)
        would = vault.maintain.compact(dry_run=True)
        assert (would.dry_run, would.commit, len(would.items)) == (True, None, 1)
        assert tree(vault) == before
        assert ids(vault) == {A}
        assert vault.maintain.compact().items == would.items

    def test_the_setting_is_the_default(self, vault: Memory, still: SetClock) -> None:
        save(vault, A, ended(A))
        file = vault.root / "vaultmem.toml"
        file.write_text(file.read_text("utf-8") + "\n[retention]\nsuperseded_days = 5\n", "utf-8")
        still.at += 6 * DAY
        with Memory(vault.root, clock=still) as again:
            assert again.maintain.compact().retention_days == 5
            assert ids(again) == set()


class TestNothingIsLost:
    """The history keeps it, the past goes on with it, undo brings it back."""

    def test_one_commit_says_what_was_done_and_the_horizon(
        self, vault: Memory, still: SetClock
    ) -> None:
        save(vault, A, ended(A))
        save(vault, B, ended(B, "retracted"))
        count = len(vault.history.log(limit=100))
        still.at += 100 * DAY
        done = vault.maintain.compact()
        operations = vault.history.log(limit=100)
        assert len(operations) == count + 1
        assert (operations[0].op, operations[0].actor) == ("compact", "maintenance")
        assert operations[0].items == (A, B)
        message = subprocess.run(
            ["git", "log", "-1", "--format=%B"],
            cwd=vault.root,
            check=True,
            capture_output=True,
            text=True,
            timeout=60,
        ).stdout
        assert "\nVaultmem-Horizon: 2026-02-02T09:00:00+00:00\n" in message
        assert done.horizon == MONDAY
        assert vault.maintain.compact().commit is None

    def test_versions_are_those_of_before(self, vault: Memory, still: SetClock) -> None:
        save(vault, A, item(A, "Project X uses PostgreSQL.", valid_from=MONDAY - DAY))
        still.at += DAY
        save(vault, A, ended(A))
        still.at += 100 * DAY
        before = vault.history.of(A).versions
        done = vault.maintain.compact()

        after = vault.history.of(A).versions

        assert [v.superseded_at for v in after] == [v.superseded_at for v in before]
        assert after[-1].retired_at == still.at
        assert not after[-1].is_gone
        assert versions(vault, A)[-1].retired_by_commit == done.commit
        assert len(vault.history.of("project-x", "uses_database").versions) == 2

    def test_undo_brings_all_of_it_back(self, vault: Memory, still: SetClock) -> None:
        save(vault, A, ended(A))
        before, told = tree(vault), vault.history.of(A)
        still.at += 100 * DAY
        vault.maintain.compact()
        vault.undo()
        assert tree(vault) == before
        assert ids(vault) == {A}
        assert vault.history.of(A) == told

    def test_restore_brings_one_back(self, vault: Memory, still: SetClock) -> None:
        save(vault, A, ended(A))
        save(vault, B, ended(B))
        still.at += 100 * DAY
        vault.maintain.compact()
        vault.history.restore(A)
        assert ids(vault) == {A}
        assert len(versions(vault, A)) == 1
        assert versions(vault, A)[0].retired_at_ms is None

    def test_a_retired_one_is_forgotten_and_comes_back_with_undo(
        self, vault: Memory, still: SetClock
    ) -> None:
        save(vault, A, ended(A))
        save(vault, B, ended(B))
        still.at += 100 * DAY
        vault.maintain.compact()
        before = tree(vault)
        plan = vault.forget(A, dry_run=True)
        assert [note.id for note in plan.notes] == [A]
        with pytest.raises(UnknownNoteError):
            vault.forget(A, "i-0000000000")
        assert tree(vault) == before
        still.at += DAY
        done = vault.forget(A)
        assert tree(vault) == before
        last = versions(vault, A)[-1]
        assert last.is_gone
        assert last.superseded_by_commit == done.commit
        assert versions(vault, B)[-1].superseded_at_ms is None
        vault.undo()
        assert ids(vault) == {A}

    def test_one_that_is_back_under_another_name_goes_on(
        self, vault: Memory, still: SetClock
    ) -> None:
        save(vault, A, ended(A))
        still.at += 100 * DAY
        vault.maintain.compact()
        still.at += DAY
        save(vault, "back", item(A, "Project X uses PostgreSQL again."))
        first, second = versions(vault, A)
        assert first.superseded_at_ms == second.recorded_at_ms == still.at
        assert not first.is_gone
        updated = past.level(vault.opened).dump()
        past.drop(vault.opened)
        assert past.level(vault.opened).dump() == updated

    def test_a_link_to_it_is_not_broken(self, vault: Memory, still: SetClock) -> None:
        save(vault, A, ended(A))
        text = item(B, "Ada concluded it.").replace("[[letter]]", f"[[{A}]]")
        save(vault, B, text)
        still.at += 100 * DAY
        vault.maintain.compact()
        (found,) = (p for p in vault.check().problems if p.code.startswith("source-"))
        assert found.code == "source-retired"
        assert "in the history" in found.message

    def test_the_bullet_of_a_done_task_goes_with_it(self, vault: Memory, still: SetClock) -> None:
        done = vault.remember("Call the plumber.", kind="task", stream="tasks")
        stream = vault.root / "streams/tasks.md"
        stream.write_text(stream.read_text("utf-8").replace("- [ ]", "- [x]"), encoding="utf-8")
        vault.sync()
        assert done.items[0].id in stream.read_text("utf-8")
        still.at += 100 * DAY

        report = vault.maintain.compact()

        assert [one.id for one in report.items] == [done.items[0].id]
        assert done.items[0].id not in stream.read_text("utf-8")
        assert vault.sync().commits == ()
        assert vault.check().problems == ()

    def test_what_another_device_compacted_is_retired_here(
        self, vault: Memory, still: SetClock, tmp_path: Path
    ) -> None:
        save(vault, A, ended(A))
        still.at += 100 * DAY

        def git(*words: str) -> None:
            subprocess.run(["git", *words], cwd=vault.root, check=True, timeout=60)

        git("branch", "other")
        vault.remember("I sing in a choir.")
        git("switch", "-q", "other")
        with Memory(vault.root, clock=still) as other:
            other.maintain.compact()
        git("switch", "-q", "main")
        git("merge", "-q", "other", "-m", "pull: 1 commit of 'main' joined\n\nVaultmem-Op: pull")
        assert ids(vault) & {A} == set()
        assert versions(vault, A)[-1].retired_at_ms is not None
