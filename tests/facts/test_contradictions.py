"""What a new statement means for one that is known: who ends, who waits, who is flagged."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.conftest import NOON, FixedClock, Git
from vaultmem.api.memory import Memory
from vaultmem.base import replace
from vaultmem.extract.prepare import Document
from vaultmem.facts.contradictions import Contradictions
from vaultmem.facts.slot_candidates import MOST_ASKED
from vaultmem.facts.supersede import COEXIST, SAME, SUPERSEDE, UNDECIDED, UPDATE, Stated, decide
from vaultmem.model.answers import Filters, NoteRow
from vaultmem.model.notes import Item
from vaultmem.model.slots import holds_one
from vaultmem.storage.notes.frontmatter import read
from vaultmem.vault import WorkingCopy, read_record
from vaultmem.vault.listed_items import Listings

DAY = 86_400_000
WEB = "https://example.org/page"


def rows(memory: Memory, status: str = "active") -> list[NoteRow]:
    return sorted(
        memory.list(Filters(types=("item",), statuses=(status,))),
        key=lambda row: (row.valid_from or 0, row.id),
    )


def said(memory: Memory, status: str = "active") -> list[str]:
    return [row.statement for row in rows(memory, status)]


def keys(memory: Memory, row: NoteRow) -> dict[str, object]:
    return dict(read((memory.root / row.path).read_bytes(), row.path).values)


def works_at(memory: Memory, name: str, since: int, **more: object) -> None:
    memory.remember(
        f"I work at {name}.",
        fact=("user", "works_at", name),
        valid_from=since,
        **more,  # type: ignore[arg-type]  # keywords of remember, chosen by the test
    )


class TestRules:
    """Rules alone decide, whatever the words look like."""

    @pytest.mark.parametrize(
        ("known", "new", "decision"),
        [
            ("works_at: user works at *Google*", "works_at: user works at *OpenAI*", SUPERSEDE),
            ("uses_language: user uses *Python*", "uses_language: user uses *Rust*", COEXIST),
            ("prefers: I prefer *tabs*", "prefers: I prefer *tabs* for Python", UPDATE),
            ("likes: I like *tea without milk*", "likes: I like *tea*", SAME),
            ("likes: I like *tea*", "likes: I like *tea towels*", COEXIST),
            ("likes: I love *my job*", "dislikes: I hate *my job*", SUPERSEDE),
            ("likes: I love *my job at X*", "dislikes: I hate *my job*", SUPERSEDE),
            ("likes: I love *my job*", "dislikes: I hate *my car*", COEXIST),
            ("shoe_size: My shoe size is *44*", "shoe_size: My shoe size is *45*", UNDECIDED),
            ("lives_in: I live in *Berlin*", "lives_in: *BERLIN* is my home", COEXIST),
            ("uses: I use *tabs*", "works_at: I work at *Google*", COEXIST),
        ],
    )
    def test_decisions(self, known: str, new: str, decision: str, memory: Memory) -> None:
        """`predicate: a statement with its *value*`."""
        settings = memory.settings

        def one(predicate: str) -> bool | None:
            return holds_one(
                predicate, single=settings.slots_single, multiple=settings.slots_multiple
            )

        def stated(text: str) -> Stated:
            predicate, _, statement = text.partition(": ")
            return Stated(
                statement=statement.replace("*", ""),
                subject="user",
                predicate=predicate,
                object=statement.split("*")[1],
            )

        assert decide(stated(new), stated(known), holds_one=one) == decision

    def test_what_one_likes_another_may_dislike(self) -> None:
        mine = Stated("I dislike jazz", "user", "dislikes", "jazz")
        hers = Stated("Maria likes jazz", "Maria", "likes", "jazz")
        assert decide(mine, hers, holds_one=lambda _: None) == COEXIST
        assert decide(mine, hers._replace(subject="User"), holds_one=lambda _: None) == SUPERSEDE

    def test_the_person_says_what_has_one_value(self) -> None:
        lists = {"single": ("Uses-Editor", "favourite_*"), "multiple": ("uses_*",)}
        assert holds_one("uses editor", **lists) is True
        assert holds_one("favourite_colour", **lists) is True
        assert holds_one("uses_shell", **lists) is False
        assert holds_one("shoe_size", **lists) is None

    def test_the_settings_of_the_vault_count(self, root: Path, clock: FixedClock) -> None:
        with (root / "vaultmem.toml").open("a") as file:
            file.write('\n[slots]\nsingle = ["Uses Editor"]\nmultiple = ["shoe-size"]\n')
        with Memory(root, clock=clock) as memory:
            for text in ("I use Vim.", "My shoe size is 44.", "I live in Berlin."):
                memory.remember(text)
            clock.advance(days=1)
            for text in ("I use Emacs.", "My shoe size is 45.", "I live in Porto."):
                memory.remember(text)
            assert said(memory, "superseded") == ["I use Vim."]
            (problem,) = memory.check().problems  # nobody says any more how many homes there are
            assert "Porto" in problem.message


class TestSupersede:
    """The old one ends at the new one's valid_from, not at the time of recording."""

    def test_linked_both_ways_in_one_commit(self, memory: Memory, git: Git) -> None:
        works_at(memory, "Google", NOON - 90 * DAY)
        before = len(git("log", "--format=%H").split())
        works_at(memory, "OpenAI", NOON - 30 * DAY)
        (old,), (new,) = rows(memory, "superseded"), rows(memory)
        assert old.valid_until == new.valid_from == NOON - 30 * DAY
        assert keys(memory, old)["superseded_by"] == (f"[[{new.path.stem}]]",)
        assert keys(memory, new)["supersedes"] == (f"[[{old.path.stem}]]",)
        assert len(git("log", "--format=%H").split()) == before + 1
        assert f"Vaultmem-Supersedes: {old.id}" in git("log", "-1", "--format=%B")
        bullets = (memory.root / "streams/identity.md").read_text("utf-8")
        assert "OpenAI" in bullets
        assert "Google" not in bullets
        assert memory.check().problems == ()

    def test_an_older_fact_that_arrives_late_ends_itself(self, memory: Memory) -> None:
        works_at(memory, "Google", NOON - 90 * DAY)
        works_at(memory, "OpenAI", NOON - 30 * DAY)
        works_at(memory, "IBM", NOON - 60 * DAY)
        spans = [
            (row.object, row.valid_from, row.valid_until) for row in rows(memory, "superseded")
        ]
        assert spans == [
            ("Google", NOON - 90 * DAY, NOON - 60 * DAY),
            ("IBM", NOON - 60 * DAY, NOON - 30 * DAY),
        ]
        assert [row.object for row in rows(memory)] == ["OpenAI"]
        assert memory.check().problems == ()

    def test_two_of_one_day_are_dated_by_the_moment(
        self, memory: Memory, clock: FixedClock
    ) -> None:
        memory.remember("I love my job.")
        clock.advance(seconds=3600)
        memory.remember("I hate my job.")
        (old,), (new,) = rows(memory, "superseded"), rows(memory)
        assert old.valid_from is not None
        assert old.valid_until == new.valid_from
        assert old.valid_until is not None
        assert old.valid_from < old.valid_until
        assert [
            hit.note.id for hit in memory.recall("my job", filters=Filters(types=("item",))).hits
        ] == [new.id]

    def test_many_texts_at_once(self, memory: Memory) -> None:
        """The lists are written after all of them, and name no one that ended meanwhile."""
        documents = [
            Document(text=f"I work at {name}.", date=NOON - (60 - n) * DAY)
            for n, name in enumerate(["Ford", "Opel", *(f"Company{i:02}" for i in range(25))])
        ]
        memory.remember_many(documents)
        assert said(memory) == ["I work at Company24."]
        assert len(rows(memory, "superseded")) == 26
        assert "Company23" not in (memory.root / "streams/identity.md").read_text("utf-8")
        assert memory.check().problems == ()

    def test_the_same_text_again_changes_nothing(self, memory: Memory, git: Git) -> None:
        for name in ("Ford", "Opel"):
            memory.remember(f"I work at {name}.")
        head = git("rev-parse", "HEAD")
        assert memory.remember("I work at Ford.").no_op  # a log that is imported again
        assert git("rev-parse", "HEAD") == head

    def test_what_overlaps_and_ends_itself_is_not_decided(self, memory: Memory) -> None:
        works_at(memory, "Google", NOON - 90 * DAY)
        works_at(memory, "a fair", NOON - 60 * DAY, valid_until=NOON + 50 * DAY)
        assert len(rows(memory)) == 2
        assert [problem.code for problem in memory.check().problems] == ["contradiction"]


class TestEnding:
    """Ordinary words end what they deny."""

    @pytest.mark.parametrize(
        ("first", "then"),
        [
            ("I work at Siemens.", "I don't work at Siemens anymore."),
            ("I work at Siemens.", "I no longer work at Siemens."),
            ("I work at Siemens.", "I left Siemens."),
            ("I work at Siemens.", "I quit my job at Siemens."),
            ("I work at Siemens.", "I stopped working at Siemens."),
            ("I use Vim.", "I no longer use Vim."),
            ("I use PostgreSQL.", "I don't use PostgreSQL any more."),
            ("I live in Berlin.", "I do not live in Berlin any longer."),
            ("I live in Berlin.", "I left Berlin."),
            ("I like tea.", "I don't like tea."),
            ("I'm allergic to nuts.", "I am not allergic to nuts anymore."),
            ("Atlas uses PostgreSQL.", "Atlas no longer uses PostgreSQL."),
            ("Maria works at Siemens.", "Maria doesn't work at Siemens anymore."),
        ],
    )
    def test_the_old_one_is_over(
        self, memory: Memory, clock: FixedClock, first: str, then: str
    ) -> None:
        memory.remember(first)
        clock.advance(days=3)
        memory.remember(then)
        assert said(memory) == [then]
        (old,) = [*rows(memory, "expired"), *rows(memory, "superseded")]
        assert (old.statement, old.valid_until) == (first, rows(memory)[0].valid_from)
        assert memory.check().problems == ()

    @pytest.mark.parametrize(
        ("first", "then"),
        [
            ("I like tea.", "I don't always like tea."),
            ("I like tea.", "I don't just like tea."),
            ("I like tea.", "I don't like tea much."),
            ("I use Vim.", "I don't only use Vim."),
            ("I use Vim.", "I don't use Vim every day."),
            ("I work at Siemens.", "I don't always work at Siemens."),
        ],
    )
    def test_how_much_and_how_often_end_nothing(
        self, memory: Memory, clock: FixedClock, first: str, then: str
    ) -> None:
        memory.remember(first)
        clock.advance(days=3)
        memory.remember(then)
        assert first in said(memory)

    @pytest.mark.parametrize(
        "then",
        [
            "I don't think that I work at Siemens.",
            "I don't work at Bosch anymore.",
            "I would no longer work at Siemens if I could choose.",
            "I don't use Siemens tools much.",
        ],
    )
    def test_other_denials_end_nothing(self, memory: Memory, clock: FixedClock, then: str) -> None:
        memory.remember("I work at Siemens.")
        clock.advance(days=3)
        memory.remember(then)
        assert "I work at Siemens." in said(memory)


class TestTrust:
    """Text of less trust ends nothing: it waits for the person."""

    def test_it_waits_and_then_takes_its_place(self, memory: Memory) -> None:
        works_at(memory, "Google", NOON - 90 * DAY)
        works_at(memory, "OpenAI", NOON - 30 * DAY, writer="agent")
        (waits,) = rows(memory, "candidate")
        assert said(memory) == ["I work at Google."]
        assert "believed more" in memory.review.waiting()[0].reason
        memory.review.approve(waits.id)
        assert said(memory) == ["I work at OpenAI."]
        (old,) = rows(memory, "superseded")
        assert old.valid_until == NOON - 30 * DAY
        assert memory.check().problems == ()

    def test_of_the_same_trust_it_ends(self, memory: Memory) -> None:
        works_at(memory, "Google", NOON - 90 * DAY, writer="agent")
        works_at(memory, "OpenAI", NOON - 30 * DAY, writer="agent")
        assert said(memory) == ["I work at OpenAI."]

    def test_a_denial_waits_too(self, memory: Memory, clock: FixedClock) -> None:
        memory.remember("I use Vim.")
        clock.advance(days=2)
        memory.remember("I no longer use Vim.", writer="agent")
        assert said(memory) == ["I use Vim."]

    def test_a_hard_exception_is_never_ended_by_a_text(self, memory: Memory) -> None:
        works_at(memory, "Google", NOON - 90 * DAY, hard=True)
        works_at(memory, "OpenAI", NOON - 30 * DAY)
        assert len(rows(memory)) == 2
        assert [problem.code for problem in memory.check().problems] == ["contradiction"]

    def test_an_older_fact_from_outside_is_bounded_and_changes_no_note_of_mine(
        self, memory: Memory
    ) -> None:
        works_at(memory, "OpenAI", NOON - 30 * DAY)
        note = memory.root / rows(memory)[0].path
        before = note.read_bytes()
        works_at(memory, "Google", NOON - 90 * DAY, source=WEB)
        assert note.read_bytes() == before
        assert rows(memory, "candidate") == []
        (old,) = rows(memory, "superseded")
        assert (old.object, old.valid_until) == ("Google", NOON - 30 * DAY)

    def test_what_is_said_more_fully_outside_does_not_reword_mine(
        self, memory: Memory, clock: FixedClock
    ) -> None:
        memory.remember("I prefer tabs.")
        clock.advance(days=1)
        memory.remember("I prefer tabs for Python.", source=WEB)
        trusts = {row.statement: row.trust for row in rows(memory)}
        assert trusts == {"I prefer tabs.": "user", "I prefer tabs for Python.": "untrusted"}

    def test_what_a_stranger_says_in_a_chat_neither_ends_nor_doubts_mine(
        self, memory: Memory, clock: FixedClock
    ) -> None:
        memory.remember("I have a dentist appointment on 20 April.")
        clock.advance(days=1)
        chat = [{"role": "user", "content": "My dentist appointment is on 22 April now."}]
        memory.remember(json.dumps(chat), source=WEB)
        assert "I have a dentist appointment on 20 April." in said(memory)
        assert memory.check().problems == ()


@pytest.mark.parametrize(("kind", "is_over"), [("fact", True), ("rule", False)])
def test_a_rule_holds_until_it_is_taken_back(
    memory: Memory, clock: FixedClock, kind: str, is_over: bool
) -> None:
    """What is likely over by the sense of later words, a command is not."""
    memory.remember("I go to the gym on Harbour Street after work.", kind=kind)
    clock.advance(days=9)
    memory.remember("I've quit the gym on Harbour Street.")
    problems = " ".join(problem.message for problem in memory.check().problems)
    is_named = "after work" in problems or "after work" not in " ".join(said(memory))
    assert is_named == is_over


class TestHappened:
    """What happened on one day happened, whatever happened on another one."""

    @pytest.mark.parametrize(
        ("first", "then"),
        [
            ("Ann visited us on 2 March.", "Ann visited us on 9 March."),
            ("I saw Dr. Mayer on 2 March 2026.", "I saw Dr. Mayer on 9 March 2026."),
            (
                "I went climbing with Jonas on 1 March.",
                "I went climbing with Jonas on 5 March.",
            ),
        ],
    )
    def test_both_stand(self, memory: Memory, clock: FixedClock, first: str, then: str) -> None:
        memory.remember(first)
        clock.advance(days=1)
        memory.remember(then)
        assert sorted(said(memory)) == [first, then]
        assert memory.check().problems == ()

    def test_an_appointment_that_is_moved_is_over(self, memory: Memory, clock: FixedClock) -> None:
        memory.remember("I have a dentist appointment on 20 April.")
        clock.advance(days=1)
        memory.remember("My dentist appointment is on 22 April now.")
        assert said(memory) == ["My dentist appointment is on 22 April now."]

    def test_what_was_over_before_it_was_told_ends_where_it_begins(
        self, memory: Memory, clock: FixedClock
    ) -> None:
        memory.remember("I go to the gym on Harbour Street after work.")
        clock.advance(days=1)
        memory.remember("I've quit the gym on Harbour Street last week.")
        (old,) = rows(memory, "expired")
        assert old.valid_from is not None
        assert old.valid_until == old.valid_from + 1

    def test_what_was_said_later_is_not_out_of_date_by_earlier_words(self, memory: Memory) -> None:
        memory.remember("My boss is Kemal.", date=NOON)
        memory.remember("My new boss is Ute.", date=NOON - 20 * DAY)
        assert sorted(said(memory)) == ["My boss is Kemal.", "My new boss is Ute."]
        assert not any("may_replace" in keys(memory, row) for row in rows(memory))
        assert memory.check().problems == ()

    @pytest.mark.parametrize(("minutes", "is_over"), [(2, True), (11, False), (-2, False)])
    def test_words_go_on_with_what_was_said_ten_minutes_before_at_most(
        self, memory: Memory, minutes: int, is_over: bool
    ) -> None:
        """Of items whose note says nothing of the words before, as a model makes them."""
        memory.remember("My appointment with Dr. Ayala is on 8 April.")
        memory.remember("My dentist is Dr. Ayala.")
        vault = memory.opened
        (dentist,) = (row for row in rows(memory) if row.statement == "My dentist is Dr. Ayala.")
        before = read_record(vault, dentist.path)
        assert isinstance(before, Item)
        moved = replace(
            before,
            id="i-00000000zz",
            path=before.path.with_name("moved-i-00000000zz.md"),
            statement="They moved it to 15 April.",
            subject="",
            predicate="",
            object="",
        )
        against = Contradictions(Listings(vault, WorkingCopy(vault)))
        against.add(before, at=NOON)
        at = NOON + minutes * 60_000
        verdict = against.settle(moved, at=at, now=at, is_told=True)
        assert [known.statement for known in verdict.ended] == (
            ["My appointment with Dr. Ayala is on 8 April."] if is_over else []
        )

    def test_of_two_turns_of_one_moment_the_later_one_holds(self, memory: Memory) -> None:
        turns = [("user", "I work at Ford."), ("assistant", "Good."), ("user", "I work at Opel.")]
        at = "2026-03-10T09:00:00Z"
        memory.remember(json.dumps([{"role": r, "content": c, "time": at} for r, c in turns]))
        assert said(memory) == ["I work at Opel."]
        (old,) = rows(memory, "superseded")
        assert old.valid_until == rows(memory)[0].valid_from == (old.valid_from or 0) + 1000


class TestUndecided:
    """Both stay, the newer one names the other, check lists the pair until somebody decides."""

    @pytest.fixture
    def pair(self, memory: Memory) -> tuple[NoteRow, NoteRow]:
        memory.remember("My shoe size is 44.", date=NOON - 90 * DAY)
        memory.remember("My shoe size is 45.", date=NOON - 30 * DAY)
        old, new = rows(memory)
        assert keys(memory, new)["contradicts"] == (f"[[{old.path.stem}]]",)
        (problem,) = memory.check().problems
        assert (problem.code, problem.path) == ("contradiction", new.path)
        assert old.id in problem.message
        return old, new

    @pytest.mark.parametrize("operation", ["expire", "retract"])
    def test_an_operation_decides(
        self, memory: Memory, pair: tuple[NoteRow, NoteRow], operation: str
    ) -> None:
        getattr(memory.facts, operation)(pair[0].id)
        assert memory.check().problems == ()

    def test_the_person_may_say_that_both_are_true(
        self, memory: Memory, pair: tuple[NoteRow, NoteRow]
    ) -> None:
        file = memory.root / pair[1].path
        text = file.read_text("utf-8")
        file.write_text(text.replace(f'contradicts:\n  - "[[{pair[0].path.stem}]]"\n', ""), "utf-8")
        memory.sync()
        assert memory.check().problems == ()

    def test_of_two_that_began_in_one_moment_nothing_says_which_is_right(
        self, memory: Memory
    ) -> None:
        works_at(memory, "Google", NOON - 30 * DAY)
        works_at(memory, "OpenAI", NOON - 30 * DAY)
        assert sorted(said(memory)) == ["I work at Google.", "I work at OpenAI."]
        assert [problem.code for problem in memory.check().problems] == ["contradiction"]

    def test_a_slot_in_which_many_values_stand_has_many(self, memory: Memory) -> None:
        """Nobody is asked about thousands of pairs, and a write reads few of their notes."""
        sizes = [f"My shoe size is {size}." for size in range(30, 60)]
        for text in sizes[:12]:
            memory.remember(text)
        asked = len(memory.check().problems)
        assert 0 < asked <= MOST_ASKED**2
        memory.remember_many([Document(text=text) for text in sizes[12:]])
        assert len(memory.check().problems) == asked
        assert len(said(memory)) == len(sizes)
        opened: list[str] = []
        is_watching = [True]  # a hook stays for good

        def hook(event: str, found: tuple[object, ...]) -> None:
            if event == "open" and is_watching:
                opened.append(str(found[0]))

        sys.addaudithook(hook)
        assert memory.remember("My shoe size is 99.").items[0].effects == ()
        notes = {path for path in opened if "my-shoe-size-is" in path and "/items/" in path}
        is_watching.clear()
        assert any("/items/" in path for path in opened)  # the hook does see them
        assert len(notes) <= 2
        again = memory.remember("My shoe size is 31, by the way.").items[0]
        assert again.outcome in ("update", "reinforce", "add")

    def test_two_values_that_a_commit_of_the_person_brought(self, memory: Memory, git: Git) -> None:
        memory.remember("I live in Berlin.", date=NOON - 90 * DAY)
        memory.remember("I use Vim.", date=NOON - 30 * DAY)
        file = memory.root / rows(memory)[1].path
        text = file.read_text("utf-8")
        text = text.replace("uses_editor", "lives_in").replace("Vim", "Porto")
        file.write_text(text.replace("I use", "I live in"), "utf-8")
        git("commit", "-am", "moved")
        memory.sync()
        (problem,) = memory.check().problems
        assert problem.code == "contradiction"
        assert "slots.multiple" in problem.hint


class TestByHand:
    """A bullet that the person writes counts as what they say now."""

    def test_an_adopted_bullet_ends_what_it_replaces(self, memory: Memory) -> None:
        memory.remember("I work at Siemens.", date=NOON - 90 * DAY)
        stream = memory.root / "streams/identity.md"
        text = stream.read_text("utf-8")
        stream.write_text(text + "- I like figs.\n- I work at Bosch.\n- I like plums.\n", "utf-8")
        report = memory.sync()
        assert [one.what for one in report.learned].count("ended") == 1
        assert sorted(said(memory)) == ["I like figs.", "I like plums.", "I work at Bosch."]
        after = stream.read_text("utf-8")
        assert "Siemens" not in after
        assert after.count("^i-") == 3
        assert memory.check().problems == ()

    def test_of_bullets_saved_together_none_ends_another_and_each_pair_is_flagged_once(
        self, memory: Memory
    ) -> None:
        stream = memory.root / "streams/identity.md"
        names = [f"My name is {name}." for name in ("Anna", "Berta", "Carla", "Dora")]
        stream.write_text("# Identity\n\n" + "".join(f"- {each}\n" for each in names), "utf-8")
        report = memory.sync()
        assert [one.what for one in report.learned].count("ended") == 0
        assert sorted(said(memory)) == names
        assert stream.read_text("utf-8").count("My name is") == 4
        assert [each.code for each in memory.check().problems] == ["contradiction"] * 6

    def test_a_bullet_among_many_of_one_slot_is_held_against_a_bounded_number(
        self, memory: Memory
    ) -> None:
        stream = memory.root / "streams/identity.md"
        lines = "".join(f"- My name is number {number}.\n" for number in range(60))
        stream.write_text("# Identity\n\n" + lines, "utf-8")
        memory.sync()
        assert len(said(memory)) == 60
        flagged = [keys(memory, row).get("contradicts", ()) for row in rows(memory)]
        assert max(len(each) for each in flagged if isinstance(each, tuple)) <= 8 + 40

    def test_a_bullet_that_says_more_takes_the_place_with_both_sources(
        self, memory: Memory
    ) -> None:
        done = memory.remember("I prefer short answers.", date=NOON - 90 * DAY)
        stream = memory.root / "streams/identity.md"
        text = stream.read_text("utf-8")
        stream.write_text(text + "- I prefer short answers with examples.\n", "utf-8")
        memory.sync()
        assert said(memory) == ["I prefer short answers with examples."]
        assert len(rows(memory)[0].source) == 2
        assert done.path.stem in rows(memory)[0].source
        assert memory.check().problems == ()

    def test_a_reworded_bullet_gives_its_slot_the_new_value(self, memory: Memory) -> None:
        memory.remember("I work at Siemens.", date=NOON - 90 * DAY)
        stream = memory.root / "streams/identity.md"
        stream.write_text(stream.read_text("utf-8").replace("Siemens", "Bosch"), "utf-8")
        memory.sync()
        (row,) = rows(memory)
        assert (row.statement, row.object) == ("I work at Bosch.", "Bosch")


class TestUpdate:
    """The same, more fully: one memory, with the sources of both; the old words are in git."""

    def test_union_of_sources(self, memory: Memory, git: Git) -> None:
        first = memory.remember("user prefers short answers")
        then = memory.remember("user prefers short answers with code examples")
        assert then.items[0].outcome == "update"
        (row,) = rows(memory)
        assert row.statement == "User prefers short answers with code examples"
        assert row.source == (first.path.stem, then.path.stem)
        assert "-User prefers short answers\n" in git("log", "-p", "-1")
        assert memory.check().problems == ()

    def test_said_less_fully_it_is_known(self, memory: Memory) -> None:
        memory.remember("I like tea without milk.")
        assert memory.remember("I like tea.").items[0].outcome == "reinforce"
        assert said(memory) == ["I like tea without milk."]
