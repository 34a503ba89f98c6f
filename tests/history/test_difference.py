"""`diff`: what the memory learned, changed and dropped between two states of it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.history.notes import DAY, MONDAY, SetClock, item, save
from tests.history.test_history import NEW, OLD, changed_by_hand
from vaultmem.api.memory import Memory
from vaultmem.base.errors import BadInputError, HistoryIncompleteError, UnknownNoteError
from vaultmem.model.past_versions import DiffReport


def told(found: DiffReport) -> list[tuple[str, str]]:
    return [(each.what, each.statement) for each in found.differences if each.type == "item"]


class TestWhatHappened:
    """Items as sentences, grouped by what became of them."""

    def test_learned_changed_and_dropped(self, vault: Memory, still: SetClock) -> None:
        save(vault, OLD, item(OLD, "I drink coffee with milk."))
        save(vault, NEW, item(NEW, "I sing in a choir.", predicate="sings_in"))
        still.at += DAY
        save(vault, OLD, item(OLD, "I drink coffee without milk."))
        save(vault, NEW, None)
        row = item("i-cccccccccc", "I row.", predicate="rows")
        save(vault, "i-cccccccccc", row)

        found = vault.history.diff("2026-02-03T00:00", "now")

        assert told(found) == [
            ("learned", "I row."),
            ("changed", "I drink coffee without milk."),
            ("dropped", "I sing in a choir."),
        ]
        _, changed, dropped = found.differences
        assert changed.before == "I drink coffee with milk."
        assert changed.changes == ("I drink coffee [-with-] {+without+} milk.",)
        assert dropped.changes == ("gone",)
        assert (found.commits, found.start.at, found.end.at) == (3, MONDAY, MONDAY + DAY)
        log = [operation.commit for operation in vault.history.log()]
        assert found.end.commit == log[0]
        assert changed.commits == (log[2],)

    def test_what_took_a_place_is_one_change(self, vault: Memory, still: SetClock) -> None:
        changed_by_hand(vault, still)
        (only,) = vault.history.diff("2026-02-03").differences
        assert (only.what, only.id) == ("changed", NEW)
        assert only.before == "Project X uses PostgreSQL."
        assert only.changes[0] == "Project X uses [-PostgreSQL.-] {+SQLite.+}"

    @pytest.mark.parametrize("status", ["retracted", "expired", "superseded"])
    def test_what_ended_without_a_successor_was_dropped(
        self, vault: Memory, still: SetClock, status: str
    ) -> None:
        save(vault, OLD, item(OLD, "I sing."))
        still.at += DAY
        save(vault, OLD, item(OLD, "I sing.", keys=f"status: {status}\n"))
        found = vault.history.diff("2026-02-03", "HEAD")
        assert told(found) == [("dropped", "I sing.")]
        assert told(vault.history.diff("HEAD", "HEAD")) == []
        still.at += DAY
        save(vault, OLD, item(OLD, "I sing."))
        assert told(vault.history.diff("HEAD~1")) == [("learned", "I sing.")]
        assert told(vault.history.diff("HEAD~2")) == []

    def test_what_came_and_went_is_not_told(self, vault: Memory, still: SetClock) -> None:
        save(vault, NEW, item(NEW, "I row."))
        still.at += DAY
        save(vault, OLD, item(OLD, "I sing."))
        save(vault, OLD, None)
        found = vault.history.diff("2026-02-03")
        assert (found.differences, found.commits) == ((), 2)

    def test_a_moved_or_retired_note_says_what_it_said(
        self, vault: Memory, still: SetClock
    ) -> None:
        file = save(vault, OLD, item(OLD, "I sing."))
        save(vault, NEW, item(NEW, "I row.", keys="status: retracted\n"))
        still.at += 100 * DAY
        file.rename(file.with_name(f"moved-{OLD}.md"))
        vault.maintain.compact()
        assert vault.history.diff("2026-02-03").differences == ()

    def test_edits_that_are_not_committed_are_counted(self, vault: Memory) -> None:
        file = save(vault, OLD, item(OLD, "I sing."))
        file.write_text(item(OLD, "I row."), encoding="utf-8")
        found = vault.history.diff("HEAD~1")
        assert (told(found), found.pending) == ([("learned", "I sing.")], 1)

    def test_by_stream_and_by_category(self, vault: Memory, still: SetClock) -> None:
        vault.remember("I drink coffee with milk.", stream="identity", category="food")
        vault.remember("Call the plumber.", kind="task", stream="tasks")
        start = "2020-01-01"
        assert len(told(vault.history.diff(start))) == 2
        assert told(vault.history.diff(start, streams=["tasks"])) == [
            ("learned", "Call the plumber.")
        ]
        found = vault.history.diff(start, categories=["food"])
        assert told(found) == [("learned", "I drink coffee with milk.")]
        paths = [each.path.as_posix() for each in found.differences if each.type != "item"]
        assert paths == ["categories/food.md"]
        assert told(vault.history.diff(start, streams=["tasks"], categories=["food"])) == []
        with pytest.raises(BadInputError, match="no stream is called 'task'"):
            vault.history.diff(start, streams=["task"])

    def test_what_left_a_category_is_told_of_it_too(self, vault: Memory, still: SetClock) -> None:
        save(vault, OLD, item(OLD, "I row.", keys="category: sports\n"))
        still.at += DAY
        save(vault, OLD, item(OLD, "I row.", keys="category: water\n"))
        assert told(vault.history.diff("HEAD~1", categories=["sports"])) == [("changed", "I row.")]
        assert told(vault.history.diff("HEAD~1", categories=["water"])) == [("changed", "I row.")]
        assert told(vault.history.diff("HEAD~1", categories=["food"])) == []


class TestPoints:
    """Dates, phrases and revisions name a state; times are record times."""

    @pytest.fixture
    def three(self, vault: Memory, still: SetClock) -> Memory:
        """Three commits, a day apart from Monday 9:00 on; now it is Wednesday."""
        for number in range(3):
            still.at = MONDAY + number * DAY
            save(vault, OLD, item(OLD, f"It is number {number}."))
        return vault

    @pytest.mark.parametrize(
        ("start", "before"),
        [
            ("HEAD~1", "It is number 1."),
            ("2026-02-03", "It is number 0."),
            ("2026-02-03T09:00:00Z", "It is number 1."),
            ("2026-02-03T10:00:00+01:00", "It is number 1."),
            ("2026-02-03T09:59:59+01:00", "It is number 0."),
            ("yesterday", "It is number 0."),
            ("2026-02-01", ""),
            ("2019", ""),
        ],
    )
    def test_a_point(self, three: Memory, start: str, before: str) -> None:
        (only,) = (each for each in three.history.diff(start).differences if each.type == "item")
        assert only.before == before

    def test_a_short_id_is_a_commit(self, three: Memory) -> None:
        commit = three.history.log()[1].commit
        (only,) = three.history.diff(commit[:7]).differences
        assert only.before == "It is number 1."

    def test_before_the_first_commit_there_was_nothing(self, three: Memory) -> None:
        found = three.history.diff("2020-01-01", "2020-01-02")
        assert (found.start.at, found.end.at, found.differences) == (None, None, ())

    @pytest.mark.parametrize("text", ["", "never ever", "HEAD~99", "2026-13-01"])
    def test_what_names_nothing_is_refused(self, three: Memory, text: str) -> None:
        with pytest.raises(BadInputError, match="names no commit and no time"):
            three.history.diff(text)

    def test_an_end_before_the_start_is_refused(self, three: Memory) -> None:
        with pytest.raises(BadInputError, match="lies before"):
            three.history.diff("HEAD", "HEAD~1")
        with pytest.raises(BadInputError, match="lies before"):
            three.history.diff("now", "2020-01-01")

    def test_a_shallow_clone_does_not_answer_for_what_it_has_not(
        self, three: Memory, still: SetClock, tmp_path: Path
    ) -> None:
        clone = tmp_path / "clone"
        source = three.root.as_uri()
        command = ["git", "clone", "-q", "--depth=2", source, str(clone)]
        subprocess.run(command, check=True, timeout=60, env={**os.environ})
        with Memory(clone, clock=still) as memory:
            assert told(memory.history.diff("HEAD~1")) == [("changed", "It is number 2.")]
            with pytest.raises(HistoryIncompleteError, match="history incomplete"):
                memory.history.diff("2026-02-02")

    def test_restore_takes_a_time_too(self, three: Memory) -> None:
        file = three.root / "items" / f"{OLD}.md"
        three.history.restore(OLD, at="yesterday")
        assert "It is number 0." in file.read_text("utf-8")
        three.history.restore(OLD, at="2026-02-03T09:00:00Z")
        assert "It is number 1." in file.read_text("utf-8")
        with pytest.raises(UnknownNoteError, match="no vault at 2020-01-01"):
            three.history.restore(OLD, at="2020-01-01")
        with pytest.raises(BadInputError, match="names no commit and no time"):
            three.history.restore(OLD, at="whenever it was")

    def test_restore_of_a_retired_item_as_it_was_then(self, vault: Memory, still: SetClock) -> None:
        save(vault, OLD, item(OLD, "I sing."))
        still.at += DAY
        save(vault, OLD, item(OLD, "I sing.", keys="status: retracted\n"))
        still.at += 100 * DAY
        vault.maintain.compact()
        vault.history.restore(OLD, at="2026-02-03")
        assert vault.show(OLD).note.status == "active"
