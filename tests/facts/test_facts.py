"""Change, correct, expire, retract: what becomes of items, lists, links and the history."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import NOON, FixedClock, Git
from vaultmem.api.memory import Memory
from vaultmem.base.errors import (
    BadInputError,
    NotAllowedError,
    SecretFoundError,
    UnknownNoteError,
    VaultmemError,
)
from vaultmem.model.answers import Filters, NoteRow
from vaultmem.model.past_versions import Changed
from vaultmem.storage.notes.frontmatter import read

DAY = 86_400_000
PAST = NOON - 40 * DAY
SLOT = ("project-x", "uses_database")


@pytest.fixture
def fact(memory: Memory) -> str:
    """The id of: project-x uses_database PostgreSQL, since 40 days."""
    done = memory.remember(
        "Project X keeps its data in PostgreSQL.",
        fact=(*SLOT, "PostgreSQL"),
        valid_from=PAST,
        stream="projects",
        category="databases",
    )
    return done.items[0].id


def row(memory: Memory, id_: str) -> NoteRow:
    (found,) = memory.opened.index.notes_with_id(id_)
    return found


def keys(memory: Memory, id_: str) -> dict[str, object]:
    path = row(memory, id_).path
    return dict(read((memory.root / path).read_bytes(), path).values)


def lists(memory: Memory) -> str:
    files = [memory.root / "streams/projects.md", memory.root / "categories/databases.md"]
    return "\n".join(file.read_text("utf-8") for file in files)


class TestThePast:
    """What is over can be found wrong, too; its time and its place in the chain stay."""

    @pytest.fixture(autouse=True)
    def _over(self, memory: Memory, fact: str) -> None:
        memory.change(*SLOT, "SQLite", effective=NOON - 3 * DAY)

    def then(self, memory: Memory) -> list[str]:
        answer = memory.recall("where does project x keep its data", as_of=NOON - 9 * DAY)
        return [hit.note.statement for hit in answer.hits if hit.note.type == "item"]

    def test_it_is_corrected_for_the_time_in_which_it_held(self, memory: Memory, fact: str) -> None:
        before, listed = keys(memory, fact), lists(memory)
        done = memory.correct(fact, "Project X keeps its data in MySQL.")
        assert done.after.statement == "Project X keeps its data in MySQL."
        after = keys(memory, fact)
        for key in ("status", "valid_from", "valid_until", "superseded_by"):
            assert after[key] == before[key]
        assert self.then(memory) == ["Project X keeps its data in MySQL."]
        assert lists(memory) == listed
        assert memory.check().problems == ()

    @pytest.mark.parametrize("by_slot", [False, True], ids=["by id", "by its value"])
    def test_it_never_was_so(self, memory: Memory, fact: str, by_slot: bool) -> None:
        listed = lists(memory)
        memory.facts.retract(*((*SLOT, "postgresql") if by_slot else (fact,)))
        assert row(memory, fact).status == "retracted"
        assert self.then(memory) == []
        assert lists(memory) == listed
        assert memory.check().problems == ()
        with pytest.raises(BadInputError, match="retracted already"):
            memory.facts.retract(fact)
        memory.undo()
        assert self.then(memory) == ["Project X keeps its data in PostgreSQL."]

    def test_a_slot_without_a_value_means_what_holds(self, memory: Memory, fact: str) -> None:
        memory.facts.expire(*SLOT)
        assert row(memory, fact).status == "superseded"
        with pytest.raises(BadInputError, match="nothing holds") as found:
            memory.facts.retract(*SLOT)
        assert "by its id" in found.value.hint


class TestChange:
    """The world changed: the old item ends, a new one begins, linked both ways, one commit."""

    def test_both_notes_and_their_lists(self, memory: Memory, fact: str, git: Git) -> None:
        before = len(git("log", "--format=%H").split())
        done = memory.change(*SLOT, "SQLite", effective=NOON - 3 * DAY)
        assert done.successor is not None
        old, new = keys(memory, fact), keys(memory, done.successor.id)
        assert (old["status"], old["object"]) == ("superseded", "PostgreSQL")
        assert (new["status"], new["object"]) == ("active", "SQLite")
        assert old["valid_until"] == new["valid_from"] == "2026-03-08T12:00:00+00:00"
        assert old["superseded_by"] == (f"[[{done.successor.path.stem}]]",)
        assert new["supersedes"] == (f"[[{row(memory, fact).path.stem}]]",)
        assert (new["subject"], new["predicate"]) == SLOT
        assert row(memory, done.successor.id).statement == "Project X keeps its data in SQLite."
        assert lists(memory).count("SQLite") == 2
        assert "PostgreSQL" not in lists(memory)
        assert len(git("log", "--format=%H").split()) == before + 1
        assert git("status", "--short") == ""
        assert memory.check().problems == ()

    def test_the_commit_says_what_it_did(self, memory: Memory, fact: str, git: Git) -> None:
        done = memory.change(*SLOT, "SQLite", effective=NOON - 3 * DAY)
        assert done.successor is not None
        message = git("log", "-1", "--format=%B")
        assert message.startswith("change: project-x uses_database: PostgreSQL -> SQLite\n")
        for line in (
            "Vaultmem-Op: change",
            f"Vaultmem-Items: {fact}, {done.successor.id}",
            "Vaultmem-Valid-From: 2026-03-08T12:00:00.000Z",
            f"Vaultmem-Supersedes: {fact}",
            "Vaultmem-Actor: person",
            "Vaultmem-Recorded-At: ",
        ):
            assert line in message

    def test_without_a_date_the_new_value_holds_from_now(self, memory: Memory, fact: str) -> None:
        done = memory.change(fact, "Project X keeps its data in SQLite.")
        assert done.successor is not None
        assert done.successor.valid_from == done.after.valid_until == done.at
        assert done.at is not None
        assert NOON < done.at < NOON + 1000
        assert done.successor.object == "SQLite"  # what stands where the old value stood

    def test_words_that_do_not_hold_the_value_are_made_of_the_triple(self, memory: Memory) -> None:
        memory.remember("Data: the usual place.", fact=(*SLOT, "PostgreSQL"), valid_from=PAST)
        done = memory.change(*SLOT, "SQLite")
        assert done.composed
        assert done.successor is not None
        assert done.successor.statement == "project-x uses database SQLite"
        own = memory.change(*SLOT, "DuckDB", statement="All data is in one DuckDB file.")
        assert not own.composed
        assert own.successor is not None
        assert own.successor.statement == "All data is in one DuckDB file."

    def test_there_and_back(self, memory: Memory, fact: str, clock: FixedClock) -> None:
        first = memory.change(*SLOT, "SQLite")
        clock.advance(days=1)
        second = memory.change(*SLOT, "PostgreSQL")
        assert first.successor is not None
        assert second.successor is not None
        assert len({fact, first.successor.id, second.successor.id}) == 3
        rows = memory.opened.index.items_in_slot(*SLOT)
        assert [(each.object, each.status) for each in rows] == [
            ("PostgreSQL", "superseded"),
            ("SQLite", "superseded"),
            ("PostgreSQL", "active"),
        ]

    def test_a_date_to_come_leaves_the_old_one_active_until_then(
        self, memory: Memory, fact: str
    ) -> None:
        done = memory.change(*SLOT, "SQLite", effective=NOON + 9 * DAY)
        assert (done.after.status, done.after.valid_until) == ("active", NOON + 9 * DAY)
        assert "PostgreSQL" in lists(memory)
        assert "SQLite" in lists(memory)
        assert memory.check().problems == ()

    def test_undo_takes_all_of_it_back(self, memory: Memory, fact: str) -> None:
        before = lists(memory)
        memory.change(*SLOT, "SQLite")
        memory.undo()
        assert lists(memory) == before
        assert "superseded_by" not in keys(memory, fact)
        assert memory.check().problems == ()

    def test_an_edit_of_the_note_that_is_not_committed_yet_is_kept(
        self, memory: Memory, fact: str
    ) -> None:
        file = memory.root / row(memory, fact).path
        file.write_text(file.read_text("utf-8") + "\nMy own thoughts.\n", "utf-8")
        memory.change(*SLOT, "SQLite")
        assert "My own thoughts." in file.read_text("utf-8")


class TestUnknownSlots:
    """The hint names what there is, and guesses only at slips of the pen."""

    def test_another_question_about_a_known_subject(self, memory: Memory) -> None:
        memory.remember("I like tea.")
        with pytest.raises(UnknownNoteError) as caught:
            memory.change("user", "lives_in", "Vienna")
        assert "'user' has: likes" in caught.value.hint
        assert "--fact" in caught.value.hint
        with pytest.raises(UnknownNoteError) as caught:
            memory.change("user", "like", "coffee")
        assert caught.value.hint == "did you mean 'user likes'?"


class TestCorrect:
    """The record was wrong: the same item, the same time, other words; git has the wrong ones."""

    def test_the_same_note_says_it_right(self, memory: Memory, fact: str, git: Git) -> None:
        before = keys(memory, fact)
        done = memory.correct(*SLOT, "SQLite")
        after = keys(memory, fact)
        assert done.after.id == fact
        assert done.successor is None
        assert before["entities"] == ("Project X", "PostgreSQL")
        # The text that it quotes goes on saying the wrong: test_outdated.py.
        assert str(after.pop("corrected_at")).startswith("2026-03-11T12:00:0")
        assert after == {**before, "object": "SQLite", "entities": ("Project X", "SQLite")}
        assert row(memory, fact).statement == "Project X keeps its data in SQLite."
        assert lists(memory).count("SQLite") == 2
        assert "PostgreSQL" not in lists(memory)
        assert "PostgreSQL" in git("log", "-p", "-1")

    def test_supersede_is_change_or_correct(self, memory: Memory, fact: str) -> None:
        assert memory.facts.supersede(*SLOT, "SQLite", retroactive=True).op == "correct"
        assert memory.facts.supersede(*SLOT, "DuckDB").op == "change"
        with pytest.raises(BadInputError, match="takes no date"):
            memory.facts.supersede(*SLOT, "MySQL", retroactive=True, effective=NOON)

    def test_the_person_makes_it_their_own(self, memory: Memory) -> None:
        done = memory.remember("Rex is a dog.", fact=("Rex", "kind", "dog"), writer="agent")
        memory.correct("rex", "kind", "cat")
        assert row(memory, done.items[0].id).trust == "user"


class TestEnd:
    """Expire: it ended. Retract: it was never so. Nothing is deleted."""

    def test_expire(self, memory: Memory, fact: str, git: Git) -> None:
        done = memory.facts.expire(*SLOT, until=NOON - DAY)
        assert (done.after.status, done.after.valid_until) == ("expired", NOON - DAY)
        assert "PostgreSQL" not in lists(memory)
        assert "Vaultmem-Valid-Until: 2026-03-10T12:00:00.000Z" in git("log", "-1", "--format=%B")
        # Nothing that holds answers, so what is over is given, and says so.
        found = [hit.note for hit in memory.recall("PostgreSQL").hits if hit.note.id == fact]
        assert [(note.status, note.valid_until) for note in found] == [("expired", NOON - DAY)]

    def test_retract(self, memory: Memory, fact: str) -> None:
        done = memory.facts.retract(fact)
        assert (done.after.status, done.after.valid_until) == ("retracted", None)
        assert "PostgreSQL" not in lists(memory)
        assert memory.check().problems == ()

    def test_one_value_of_several(self, memory: Memory) -> None:
        for tool in ("Python", "Rust"):
            memory.remember("", fact=("me", "uses_language", tool), valid_from=PAST)
        with pytest.raises(BadInputError, match="2 items hold") as several:
            memory.facts.expire("me", "uses_language")
        assert "Python" in several.value.hint
        assert "Rust" in several.value.hint
        assert memory.facts.expire("me", "uses_language", "rust").before.object == "Rust"
        assert memory.facts.expire("me", "uses_language").before.object == "Python"


Wrong = Callable[[Memory, str], Changed]


class TestBadInput:
    """A clear error with a hint, and nothing changed: not a byte, not a commit."""

    @pytest.mark.parametrize(
        ("error", "message", "hint", "call"),
        [
            (
                UnknownNoteError,
                "no item has",
                "project-x uses_database",
                lambda m, _: m.change("project-x", "uses_databse", "SQLite"),
            ),
            (
                UnknownNoteError,
                "no item has",
                "project-x uses_database",
                lambda m, _: m.facts.expire("projectx", "uses_database"),
            ),
            (
                UnknownNoteError,
                "no note is called",
                "search",
                lambda m, _: m.facts.retract("i-0000000000"),
            ),
            (
                BadInputError,
                "before",
                "correct",
                lambda m, _: m.change(*SLOT, "SQLite", effective=PAST - DAY),
            ),
            (
                BadInputError,
                "nothing would be left",
                "retract",
                lambda m, _: m.change(*SLOT, "SQLite", effective=PAST),
            ),
            (
                BadInputError,
                "nothing would be left",
                "retract",
                lambda m, _: m.facts.expire(*SLOT, until=PAST),
            ),
            (
                BadInputError,
                "never had the value",
                "PostgreSQL",
                lambda m, _: m.facts.expire(*SLOT, "Oracle"),
            ),
            (BadInputError, "change takes", "quotes", lambda m, _: m.change(*SLOT, "SQLite", "x")),
            (BadInputError, "change takes", "quotes", lambda m, _: m.change("project-x", " ")),
            (
                BadInputError,
                "cannot change",
                "person",
                lambda m, _: m.facts.retract(*SLOT, writer="web"),
            ),
            (BadInputError, "a resource, not", "list", lambda m, _: m.facts.retract(text_of(m))),
            (NotAllowedError, "person's", "person", lambda m, f: m.change(f, "x", writer="agent")),
            (
                SecretFoundError,
                "secret",
                "",
                lambda m, _: m.change(*SLOT, "ghp_" + "x7Kq2Lm9Pz4Rt8Vw1Yb5Nc3Df6Gh0Js2Aa4B"),
            ),
        ],
    )
    def test_nothing_is_changed(
        self,
        memory: Memory,
        fact: str,
        git: Git,
        *,
        error: type[VaultmemError],
        message: str,
        hint: str,
        call: Wrong,
    ) -> None:
        before = snapshot(memory.root), git("rev-parse", "HEAD")
        with pytest.raises(error, match=message) as raised:
            call(memory, fact)
        assert hint in raised.value.hint
        assert (snapshot(memory.root), git("rev-parse", "HEAD")) == before

    def test_what_is_over_is_over(self, memory: Memory, fact: str) -> None:
        done = memory.change(*SLOT, "SQLite")
        assert done.successor is not None
        for call in (memory.facts.expire, lambda item: memory.change(item, "It is in DuckDB.")):
            with pytest.raises(BadInputError, match="superseded already") as raised:
                call(fact)
            assert done.successor.id in raised.value.hint
        memory.facts.retract(*SLOT)
        with pytest.raises(BadInputError, match="retracted already"):
            memory.facts.retract(done.successor.id)
        with pytest.raises(BadInputError, match="nothing holds") as raised:
            memory.change(*SLOT, "DuckDB")
        assert "SQLite" in raised.value.hint

    def test_a_dry_run_says_it_and_changes_nothing(
        self, memory: Memory, fact: str, git: Git
    ) -> None:
        before = snapshot(memory.root), git("rev-parse", "HEAD")
        done = memory.change(*SLOT, "SQLite", dry_run=True)
        assert (snapshot(memory.root), git("rev-parse", "HEAD")) == before
        assert done.commit is None
        assert len(done.files) == 4
        assert memory.change(*SLOT, "SQLite", effective=done.at).successor == done.successor

    @pytest.mark.parametrize(
        "call",
        [
            lambda m, _: m.change(*SLOT, "SQLite", effective=NOON - DAY),
            lambda m, f: m.change(f, "Project X keeps its data in SQLite.", effective=NOON - DAY),
            lambda m, _: m.correct(*SLOT, "SQLite"),
            lambda m, _: m.facts.expire(*SLOT, until=NOON - DAY),
            lambda m, f: m.facts.expire(f, until=NOON - DAY),
        ],
    )
    def test_a_repetition_does_nothing(
        self, memory: Memory, fact: str, git: Git, call: Wrong
    ) -> None:
        assert not call(memory, fact).no_op
        before = snapshot(memory.root), git("rev-parse", "HEAD")
        assert call(memory, fact).no_op
        assert (snapshot(memory.root), git("rev-parse", "HEAD")) == before


class TestTrust:
    """An assistant changes what is not the person's; identity and exceptions never."""

    def test_an_assistant_changes_its_own(self, memory: Memory) -> None:
        memory.remember("", fact=("Atlas", "port", "80"), writer="agent", valid_from=PAST)
        done = memory.change("atlas", "port", "8080", writer="agent")
        assert done.successor is not None
        assert row(memory, done.successor.id).trust == "limited"
        memory.reindex()
        assert row(memory, done.successor.id).trust == "limited"

    def test_not_what_is_in_identity(self, memory: Memory) -> None:
        memory.remember("", fact=("me", "name", "Ada"), stream="identity", hard=True)
        with pytest.raises(NotAllowedError):
            memory.facts.retract("me", "name", writer="agent")


class TestStating:
    """A fact is stated with its slot, its time and how sure it is."""

    def test_from_now_on_with_an_open_end(self, memory: Memory) -> None:
        done = memory.remember("", fact=("project-x", "uses_cache", "Redis"))
        found = row(memory, done.items[0].id)
        assert found.statement == "project-x uses cache Redis"
        assert found.valid_from is not None
        assert 0 < found.valid_from - NOON < 1000
        assert found.valid_until is None
        assert "valid_until" not in keys(memory, found.id)

    def test_with_all_that_can_be_said(self, memory: Memory) -> None:
        done = memory.remember(
            "A cache.",
            fact=("project-x", "uses_cache", "Redis"),
            valid_from=PAST,
            valid_until=NOON + DAY,
            confidence=0.25,
        )
        found = row(memory, done.items[0].id)
        assert (found.valid_from, found.valid_until, found.confidence) == (PAST, NOON + DAY, 0.25)

    @pytest.mark.parametrize(
        ("message", "given"),
        [
            ("a subject, a predicate", {"fact": ("", "uses_cache", "Redis")}),
            ("a subject, a predicate", {"fact": ("project-x", "_", "Redis")}),
            ("a subject, a predicate", {"fact": ("project-x", "uses_cache", " ")}),
            ("end before they begin", {"valid_from": NOON, "valid_until": NOON}),
            ("from 0 to 1", {"confidence": 1.01}),
            ("from 0 to 1", {"confidence": float("nan")}),
        ],
    )
    def test_what_is_refused(
        self, memory: Memory, git: Git, message: str, given: dict[str, object]
    ) -> None:
        before = snapshot(memory.root), git("rev-parse", "HEAD")
        with pytest.raises(BadInputError, match=message):
            memory.remember("A cache.", **given)  # type: ignore[arg-type]  # chosen above
        assert (snapshot(memory.root), git("rev-parse", "HEAD")) == before

    def test_stated_again_after_it_ended_it_is_another_item(
        self, memory: Memory, fact: str, clock: FixedClock
    ) -> None:
        memory.facts.expire(fact)
        clock.advance(days=2)
        done = memory.remember(
            "Project X keeps its data in PostgreSQL.", fact=(*SLOT, "PostgreSQL")
        )
        assert done.items[0].id != fact
        statuses = [each.status for each in memory.list(Filters(types=("item",)))]
        assert sorted(statuses) == ["active", "expired"]


def text_of(memory: Memory) -> str:
    """The id of the one resource."""
    return memory.list(Filters(types=("resource",)))[0].id


def snapshot(root: Path) -> dict[str, bytes]:
    """Every file of the vault outside `.git`."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".git" not in path.relative_to(root).parts
    }
