"""`history`: every version of a note or slot, superseded ones included (algorithms.md 2.7)."""

from __future__ import annotations

import pytest

from tests.conftest import FixedClock
from tests.history.notes import DAY, MONDAY, SetClock, item, save
from vaultmem.api.memory import Memory
from vaultmem.base.errors import BadInputError, UnknownNoteError
from vaultmem.history.later import word_changes
from vaultmem.model.past_versions import HistoryVersion

OLD, NEW = "i-aaaaaaaaaa", "i-bbbbbbbbbb"
WEDNESDAY = MONDAY + 2 * DAY


def changed_by_hand(memory: Memory, clock: SetClock) -> None:
    """PostgreSQL from Monday; on Wednesday a new note takes its place."""
    postgres = "Project X uses PostgreSQL."
    save(memory, "old", item(OLD, postgres, value="postgresql", valid_from=MONDAY))
    clock.at = WEDNESDAY
    file = memory.root / "items/new.md"
    keys = f'supersedes: "[[{OLD}]]"\n'
    sqlite = "Project X uses SQLite."
    file.write_text(
        item(NEW, sqlite, subject="Project X", value="sqlite", valid_from=WEDNESDAY, keys=keys),
        encoding="utf-8",
    )
    keys = f'status: superseded\nsuperseded_by: "[[{NEW}]]"\n'
    ended = item(
        *(OLD, postgres), value="postgresql", valid_from=MONDAY, valid_until=WEDNESDAY, keys=keys
    )
    save(memory, "old", ended)


def rows(versions: tuple[HistoryVersion, ...]) -> list[tuple[object, ...]]:
    return [
        (v.object, v.valid_from, v.valid_until, v.recorded_at, v.superseded_at) for v in versions
    ]


class TestASlot:
    """`history SUBJECT PREDICATE`."""

    def test_all_versions_by_record_time_then_start_of_validity(
        self, vault: Memory, still: SetClock
    ) -> None:
        changed_by_hand(vault, still)

        found = vault.history.of("project-x", "uses_database")

        assert found.about == "project-x uses_database"
        assert rows(found.versions) == [
            ("postgresql", MONDAY, None, MONDAY, WEDNESDAY),
            ("postgresql", MONDAY, WEDNESDAY, WEDNESDAY, None),
            ("sqlite", WEDNESDAY, None, WEDNESDAY, None),
        ]
        assert [version.changes for version in found.versions] == [
            ("first recorded",),
            ("ends 2026-02-04 09:00", f"superseded by {NEW}"),
            (f"first recorded, in place of {OLD}",),
        ]

    def test_each_version_says_its_commit_who_made_it_and_its_source(
        self, vault: Memory, still: SetClock
    ) -> None:
        changed_by_hand(vault, still)
        first, second, third = vault.history.of("project-x", "uses_database").versions
        log = vault.history.log()
        assert [first.commit, second.commit] == [log[1].commit, log[0].commit]
        assert third.commit == second.commit == first.superseded_by_commit
        assert (first.op, first.actor, first.source) == ("edit", "editor", ("letter",))

    def test_the_session_and_source_that_a_commit_names(self, vault: Memory) -> None:
        file = save(vault, "old", item(OLD, "Project X uses PostgreSQL."))
        file.write_text(item(OLD, "Project X uses MySQL."), encoding="utf-8")
        git = ("git", "-C", str(vault.root), "commit", "-qam")
        import subprocess

        trailers = "Vaultmem-Op: correct\nVaultmem-Session: s-1\nVaultmem-Source: r-2"
        subprocess.run([*git, f"correct: the database\n\n{trailers}"], check=True, timeout=60)
        last = vault.history.of(OLD).versions[-1]
        assert (last.op, last.session, last.commit_source) == ("correct", "s-1", "r-2")

    def test_a_subject_alone_has_all_its_slots(self, vault: Memory, still: SetClock) -> None:
        changed_by_hand(vault, still)
        other = item("i-cccccccccc", "Project X is led by Ada.", predicate="led_by", value="ada")
        save(vault, "other", other)
        assert len(vault.history.of("project x").versions) == 4
        assert len(vault.history.of("PROJECT_X", "led by").versions) == 1

    def test_one_value_only(self, vault: Memory, still: SetClock) -> None:
        changed_by_hand(vault, still)
        found = vault.history.of("project-x", "uses_database", value="SQLite")
        assert [version.object for version in found.versions] == ["sqlite"]

    def test_a_version_in_another_slot_is_not_of_this_one(self, vault: Memory) -> None:
        save(vault, "old", item(OLD, "Project X uses PostgreSQL.", value="postgresql"))
        save(vault, "old", item(OLD, "Project Y uses PostgreSQL.", subject="project-y"))
        (first,) = vault.history.of("project-x", "uses_database").versions
        (second,) = vault.history.of("project-y", "uses_database").versions
        assert first.is_gone is False
        assert "subject: project-y (was project-x)" in second.changes

    def test_a_slot_of_which_nothing_is_known_is_named(self, vault: Memory) -> None:
        save(vault, "old", item(OLD, "Project X uses PostgreSQL."))
        with pytest.raises(UnknownNoteError, match="the slot 'project-x uses_editor'"):
            vault.history.of("project-x", "uses_editor")
        with pytest.raises(UnknownNoteError, match="about 'mysql'"):
            vault.history.of("project-x", "uses_database", value="mysql")
        with pytest.raises(BadInputError, match="no slot"):
            vault.history.of("-", "uses_database")


class TestANote:
    """`history ITEM`."""

    def test_a_renamed_note_goes_on(self, vault: Memory, still: SetClock) -> None:
        file = save(vault, "old", item(OLD, "Project X uses PostgreSQL.", value="PostgreSQL"))
        still.at += DAY
        file.rename(file.with_name("moved.md"))
        vault.sync()
        still.at += DAY
        save(vault, "moved", item(OLD, "Project X uses MySQL.", value="MySQL"))

        first, second = vault.history.of(OLD).versions

        assert (first.path.name, second.path.name) == ("moved.md", "moved.md")
        assert first.changes == ("first recorded", "moved from 'items/old.md'")
        assert (first.recorded_at, first.superseded_at) == (MONDAY, MONDAY + 2 * DAY)
        assert second.changes[0] == "Project X uses [-PostgreSQL.-] {+MySQL.+}"

    def test_a_note_that_is_gone_is_remembered_with_its_end(
        self, vault: Memory, still: SetClock
    ) -> None:
        save(vault, "old", item(OLD, "Project X uses PostgreSQL."))
        still.at += DAY
        save(vault, "old", None)
        for ref in (OLD, "items/old.md", "old"):
            (only,) = vault.history.of(ref).versions
            assert only.is_gone
            assert only.superseded_at == MONDAY + DAY
        still.at += DAY
        save(vault, "old", item(OLD, "Project X uses PostgreSQL."))
        assert vault.history.of(OLD).versions[-1].changes == ("came back",)

    def test_what_is_not_committed_comes_last_and_says_so(self, vault: Memory) -> None:
        file = save(vault, "old", item(OLD, "Project X uses PostgreSQL."))
        file.write_text(item(OLD, "Project X uses MySQL."), encoding="utf-8")

        for found in (vault.history.of(OLD), vault.history.of("project-x", "uses_database")):
            committed, pending = found.versions
            assert committed.superseded_at is None
            assert pending.pending
            assert (pending.recorded_at, pending.commit) == (None, "")
            assert pending.changes == ("Project X uses [-PostgreSQL.-] {+MySQL.+}",)

        file.unlink()
        *_, pending = vault.history.of(OLD).versions
        assert pending.pending
        assert pending.is_gone

    def test_a_note_that_was_never_committed_has_one_line(self, vault: Memory) -> None:
        file = vault.root / "items" / "old.md"
        file.parent.mkdir(exist_ok=True)
        file.write_text(item(OLD, "Project X uses PostgreSQL."), encoding="utf-8")
        (only,) = vault.history.of("project-x", "uses_database").versions
        assert only.pending
        assert only.changes == ("first recorded",)

    def test_a_name_that_nothing_has_is_refused(self, vault: Memory) -> None:
        with pytest.raises(UnknownNoteError):
            vault.history.of("nobody")

    def test_a_list_has_a_history_too(self, vault: Memory) -> None:
        stream = vault.root / "streams/identity.md"
        stream.write_text(stream.read_text("utf-8") + "\nSome prose.\n", encoding="utf-8")
        vault.sync()
        assert vault.history.of("identity").versions[-1].changes == ("its text changed",)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("a b c", "a x c", "a [-b-] {+x+} c"),
        ("a b", "a b", "a b"),
        ("", "a", "{+a+}"),
        ("a b", "b", "[-a-] b"),
        ("a  b\nc", "a b", "a b [-c-]"),
    ],
)
def test_words_that_went_and_came(before: str, after: str, expected: str) -> None:
    assert word_changes(before, after) == expected


def test_a_correction_that_came_back_is_told_with_the_commit_that_brought_it_back(
    memory: Memory, clock: FixedClock
) -> None:
    [item_] = memory.remember("My favourite colour is blue.").items
    commits = []
    for colour in ("green", "blue"):
        clock.advance(days=2)
        commits.append(memory.correct(item_.id, f"My favourite colour is {colour}.").commit)
    then = clock.at - DAY
    [hit] = memory.recall("what is my favourite colour", known_at=then).hits[:1]
    assert "green" in hit.note.statement
    assert [(each.what, each.commit) for each in hit.later] == [("corrected", commits[1])]
