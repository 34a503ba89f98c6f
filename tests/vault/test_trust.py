"""P11: every memory has a provable origin, set by code; trust never rises without the person."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import FixedClock, Git
from vaultmem.__main__ import main
from vaultmem.api.memory import Memory
from vaultmem.base.errors import BadInputError
from vaultmem.model.answers import Filters, NoteRow
from vaultmem.model.trust import TrustEvent, recorded_levels

WEB = "https://example.org/page"
CHAT = """[
 {"role": "user", "content": "I prefer tabs over spaces."},
 {"role": "assistant", "content": "We decided to use SQLite for the index."},
 {"role": "tool", "content": "We decided to use Oracle for the index."}
]"""


def item(memory: Memory, words: str) -> NoteRow:
    """The one item whose statement holds the words."""
    [row] = [row for row in memory.list(Filters(types=("item",))) if words in row.statement]
    return row


def front(memory: Memory, row: NoteRow) -> str:
    return (memory.root / row.path).read_text("utf-8")


def edit(memory: Memory, row: NoteRow, old: str, new: str) -> None:
    file = memory.root / row.path
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize(
    ("writer", "source", "expected"),
    [
        ("", "", ("person", "user")),
        ("", WEB, ("web", "untrusted")),
        ("", "letter.txt", ("person", "user")),
        ("agent", "", ("agent", "limited")),
        ("import", "notes.md", ("import", "limited")),
        ("person", WEB, ("person", "user")),
        ("web", "", ("web", "untrusted")),
    ],
)
def test_code_decides_who_wrote_a_text_and_how_far_it_is_believed(
    memory: Memory, writer: str, source: str, expected: tuple[str, str]
) -> None:
    done = memory.remember("Leni is allergic to hazelnuts.", writer=writer, source=source)
    row = item(memory, "hazelnuts")
    assert (row.writer, row.trust) == expected
    [resource] = memory.list(Filters(types=("resource",)))
    assert (resource.writer, resource.trust) == expected
    assert (done.items[0].writer, done.items[0].trust) == expected


def test_the_commit_records_only_what_is_below_the_person(memory: Memory, git: Git) -> None:
    memory.remember("I prefer tabs over spaces.")
    assert "Vaultmem-Trust" not in git("log", "-1", "--format=%B")
    done = memory.remember("Leni is allergic to hazelnuts.", source=WEB)
    expected = f"Vaultmem-Trust: {done.resource}=untrusted {done.items[0].id}=untrusted"
    assert expected in git("log", "-1", "--format=%B")


def test_an_unknown_writer_is_refused(memory: Memory) -> None:
    with pytest.raises(BadInputError, match="no writer"):
        memory.remember("I like tea.", writer="boss")


@pytest.mark.parametrize("wish", [{"hard": True}, {"pinned": True}, {"stream": "identity"}])
def test_only_own_words_can_be_hard_pinned_or_identity(
    memory: Memory, wish: dict[str, object]
) -> None:
    with pytest.raises(BadInputError, match="cannot be"):
        memory.remember("I like tea.", writer="agent", **wish)  # type: ignore[arg-type]
    memory.remember("I like tea.", **wish)  # type: ignore[arg-type]


def test_in_a_conversation_everybody_answers_for_their_own_turns(memory: Memory) -> None:
    memory.remember(CHAT, writer="import")
    tabs = item(memory, "tabs")
    assert (tabs.writer, tabs.trust) == ("person", "user")
    rows = memory.list(Filters(types=("item",)))
    assert not [row for row in rows if "Oracle" in row.statement]
    assert {row.trust for row in rows if "SQLite" in row.statement} <= {"limited"}
    [resource] = memory.list(Filters(types=("resource",)))
    assert resource.trust == "limited"


def test_a_conversation_from_the_web_is_nobodys_own(memory: Memory) -> None:
    memory.remember(CHAT, source=WEB)
    assert {row.trust for row in memory.list(Filters(types=("item",)))} == {"untrusted"}


def test_outside_text_gets_no_place_in_identity_streams_or_summaries(memory: Memory) -> None:
    memory.remember("My sister Lena lives in Bergen. I decided to move to Oslo.", source=WEB)
    rows = memory.list(Filters(types=("item",)))
    assert rows
    assert all(row.stream == "" and not row.hard and not row.pinned for row in rows)
    for folder in ("streams", "categories"):
        for file in (memory.root / folder).glob("*.md"):
            assert "Lena" not in file.read_text("utf-8"), file


class TestSaidAgain:
    """Neither does repetition from outside change what is mine, nor does it gain by it."""

    def test_the_web_repeats_what_i_said(self, memory: Memory) -> None:
        memory.remember("I prefer tabs over spaces.")
        before = item(memory, "tabs")
        done = memory.remember("Heard of late:\n\nI prefer tabs over spaces.", source=WEB)
        after = item(memory, "tabs")
        assert [each.outcome for each in done.items] == ["known"]
        assert after == before

    def test_the_web_repeats_itself(self, memory: Memory) -> None:
        memory.remember("I prefer tabs over spaces.", source=WEB)
        before = item(memory, "tabs")
        memory.remember("Again: so it is.\n\nI prefer tabs over spaces.", source=WEB)
        after = item(memory, "tabs")
        assert (after.trust, after.confidence) == ("untrusted", before.confidence)
        assert len(after.source) == 2

    def test_an_agent_repeats_the_web(self, memory: Memory) -> None:
        memory.remember("I prefer tabs over spaces.", source=WEB)
        before = item(memory, "tabs")
        memory.remember("So:\n\nI prefer tabs over spaces.", writer="agent")
        assert item(memory, "tabs") == before

    def test_i_say_what_only_the_web_had_said(self, memory: Memory, git: Git) -> None:
        memory.remember("I prefer tabs over spaces.", source=WEB)
        memory.remember("It is true.\n\nI prefer tabs over spaces.")
        row = item(memory, "tabs")
        assert (row.trust, row.writer, row.stream) == ("user", "person", "identity")
        assert f"Vaultmem-Approved: {row.id}" in git("log", "-1", "--format=%B")
        assert row.id in (memory.root / "streams/identity.md").read_text("utf-8")
        memory.undo()
        assert item(memory, "tabs").trust == "untrusted"
        assert memory.check().problems == ()

    def test_i_hand_in_the_very_text_that_came_from_the_web(self, memory: Memory) -> None:
        memory.remember("I prefer tabs over spaces.", source=WEB)
        memory.remember("I prefer tabs over spaces.")
        assert item(memory, "tabs").trust == "user"
        [resource] = memory.list(Filters(types=("resource",)))
        assert resource.trust == "user"
        assert memory.check().problems == ()

    def test_the_web_hands_in_what_i_wrote(self, memory: Memory) -> None:
        memory.remember("I prefer tabs over spaces.")
        assert memory.remember("I prefer tabs over spaces.", source=WEB).no_op
        assert item(memory, "tabs").trust == "user"

    def test_what_was_undone_is_no_more_believed_when_it_comes_back(self, memory: Memory) -> None:
        memory.remember("I prefer tabs over spaces.", source=WEB)
        memory.undo()
        memory.remember("I prefer tabs over spaces.", writer="agent")
        assert item(memory, "tabs").trust == "untrusted"
        memory.undo()
        memory.remember("I prefer tabs over spaces.")
        assert item(memory, "tabs").trust == "user"


class TestFrontMatter:
    """T13: what a note says of itself may lower its trust and never raise it."""

    def test_raising_the_key_has_no_effect_and_is_a_problem(self, memory: Memory) -> None:
        memory.remember("Leni is allergic to hazelnuts.", source=WEB)
        row = item(memory, "hazelnuts")
        edit(memory, row, "writer: web\ntrust: untrusted", "writer: person\ntrust: user")
        memory.sync()
        after = item(memory, "hazelnuts")
        assert (after.trust, after.writer) == ("untrusted", "web")
        assert [each.code for each in memory.check().problems] == ["trust-raised"]
        memory.reindex()
        assert item(memory, "hazelnuts").trust == "untrusted"

    def test_removing_the_key_has_no_effect_either(self, memory: Memory) -> None:
        memory.remember("Leni is allergic to hazelnuts.", writer="agent")
        row = item(memory, "hazelnuts")
        edit(memory, row, "trust: limited\n", "")
        memory.sync()
        assert item(memory, "hazelnuts").trust == "limited"

    @pytest.mark.parametrize("word", ["untrusted", "limited", "web", "whatever"])
    def test_lowering_it_counts(self, memory: Memory, word: str) -> None:
        memory.remember("Leni is allergic to hazelnuts.")
        row = item(memory, "hazelnuts")
        edit(memory, row, "trust: user", f"trust: {word}")
        memory.sync()
        assert item(memory, "hazelnuts").trust == ("limited" if word == "limited" else "untrusted")

    @pytest.mark.parametrize(
        ("statement", "level", "in_stream", "in_summary"),
        [
            ("I prefer tabs over spaces.", "limited", False, True),
            ("I prefer tabs over spaces.", "untrusted", False, False),
            ("We decided to use SQLite for the index.", "limited", True, True),
        ],
    )
    def test_a_list_gives_up_what_it_may_no_longer_take_in(
        self, memory: Memory, statement: str, level: str, in_stream: bool, in_summary: bool
    ) -> None:
        memory.remember(statement)
        [row] = memory.list(Filters(types=("item",)))
        edit(memory, row, "trust: user", f"trust: {level}")
        for _ in range(2):  # the second finds nothing more to do
            memory.sync()
            stream = (memory.root / "streams" / f"{row.stream}.md").read_text("utf-8")
            assert (row.id in stream) is in_stream
            for slug in row.categories:
                summary = (memory.root / "categories" / f"{slug}.md").read_text("utf-8")
                assert (row.id in summary) is in_summary
        assert item(memory, statement).status == "active"
        assert not memory.check().problems

    def test_undoing_the_removal_of_its_bullet_brings_it_back_nowhere(self, memory: Memory) -> None:
        memory.remember("I prefer tabs over spaces.")
        [row] = memory.list(Filters(types=("item",)))
        edit(memory, row, "trust: user", "trust: untrusted")
        memory.sync()
        with pytest.raises(BadInputError, match="left nothing to undo"):
            memory.undo()
        for file in (memory.root / f"streams/{row.stream}.md", *memory.root.glob("categories/*")):
            assert row.id not in file.read_text("utf-8")
        memory.sync()
        assert item(memory, "tabs").status == "active"

    @pytest.mark.parametrize(
        ("old", "new", "says"),
        [
            ("trust: limited", "trust: untrusted", None),
            ("status: active", "status: retracted", None),
            ("\nI prefer tabs", "\nI love tabs", "I love tabs over spaces."),
        ],
    )
    def test_a_summary_follows_the_edit_of_an_item_in_no_stream(
        self, memory: Memory, git: Git, old: str, new: str, says: str | None
    ) -> None:
        memory.remember("I prefer tabs over spaces.", writer="agent")
        [row] = memory.list(Filters(types=("item",)))
        assert not row.stream
        summary = memory.root / "categories" / f"{row.categories[0]}.md"
        assert row.id in summary.read_text("utf-8")
        edit(memory, row, old, new)
        memory.sync()
        lines = [line for line in summary.read_text("utf-8").split("\n") if row.id in line]
        assert (len(lines), says is None or says in lines[0]) == (says is not None, True)
        assert git("status", "--porcelain") == ""
        head = git("rev-parse", "HEAD")
        memory.sync()
        assert git("rev-parse", "HEAD") == head

    def test_a_note_made_by_hand_is_the_persons_own(self, memory: Memory) -> None:
        file = memory.root / "items" / "mine.md"
        file.parent.mkdir(exist_ok=True)
        file.write_text("Leni is allergic to hazelnuts.\n", encoding="utf-8")
        memory.sync()
        assert item(memory, "hazelnuts").trust == "user"

    def test_a_hard_exception_is_never_from_outside(self, memory: Memory) -> None:
        memory.remember("Leni is allergic to hazelnuts.", source=WEB)
        row = item(memory, "hazelnuts")
        edit(memory, row, "trust: untrusted", "trust: user\nhard: true\nstream: identity")
        memory.sync()
        assert not item(memory, "hazelnuts").hard
        assert row.id not in (memory.root / "streams/identity.md").read_text("utf-8")


def test_another_device_learns_trust_from_the_history(
    memory: Memory, git: Git, tmp_path: Path, clock: FixedClock
) -> None:
    memory.remember("Leni is allergic to hazelnuts.", source=WEB)
    row = item(memory, "hazelnuts")
    edit(memory, row, "trust: untrusted", "trust: user")
    memory.sync()
    git("clone", "-q", str(memory.root), str(tmp_path / "clone"))
    with Memory(tmp_path / "clone", clock=clock) as other:
        assert item(other, "hazelnuts").trust == "untrusted"


def test_a_merged_branch_brings_its_trust_along(memory: Memory, git: Git) -> None:
    memory.remember("I prefer tabs over spaces.")
    git("checkout", "-q", "-b", "side")
    memory.remember("Leni is allergic to hazelnuts.", source=WEB)
    row = item(memory, "hazelnuts")
    edit(memory, row, "trust: untrusted", "trust: user")
    memory.sync()
    git("checkout", "-q", "main")
    assert memory.recall("hazelnuts").hits == ()
    git("merge", "-q", "--no-ff", "-m", "merge", "side")
    memory.sync()
    assert item(memory, "hazelnuts").trust == "untrusted"


def test_an_index_that_followed_equals_one_built_anew(memory: Memory, git: Git) -> None:
    memory.remember("Leni is allergic to hazelnuts.", source=WEB)
    memory.remember(CHAT, writer="import")
    memory.review.approve(item(memory, "hazelnuts").id)
    memory.undo()
    git("commit", "-q", "--allow-empty", "-m", "something")
    memory.sync()
    before = memory._vault.index.dump()
    memory.reindex()
    assert memory._vault.index.dump() == before
    git("reset", "-q", "--hard", "HEAD~3")
    memory.sync()
    before = memory._vault.index.dump()
    memory.reindex()
    assert memory._vault.index.dump() == before


def test_approvals_do_not_depend_on_the_order_of_commits() -> None:
    def at(commit: str, id_: str, level: str) -> TrustEvent:
        return TrustEvent(commit=commit, id=id_, level=level)

    events = [at("a", "i-1", "untrusted"), at("b", "i-1", "user"), at("c", "b", "undone")]
    assert recorded_levels(events) == recorded_levels(reversed(events)) == {"i-1": "untrusted"}
    events.append(at("d", "c", "undone"))
    assert recorded_levels(events) == recorded_levels(reversed(events)) == {"i-1": "user"}
    circle = [*events, at("c", "d", "undone")]  # no history has one; a forged one ends as well
    assert recorded_levels(circle) == recorded_levels(reversed(circle))


def test_any_number_of_commits_may_take_each_other_back() -> None:
    approval = TrustEvent(commit="c0", id="i-a", level="user")
    undone = [TrustEvent(commit=f"c{n + 1}", id=f"c{n}", level="undone") for n in range(5_000)]
    taken_in = TrustEvent(commit="b", id="i-a", level="untrusted")
    assert recorded_levels([taken_in, approval, *undone]) == {"i-a": "user"}
    assert recorded_levels([taken_in, approval, *undone[:-1]]) == {"i-a": "untrusted"}


def test_what_a_killed_writer_left_is_recorded_as_it_was_taken_in(
    memory: Memory, root: Path, git: Git
) -> None:
    memory.remember("Leni is allergic to hazelnuts.", source=WEB)
    # As a kill between the files and the commit leaves it.
    git("update-ref", "HEAD", "HEAD~1")
    git("read-tree", "HEAD")
    memory.sync()
    row = item(memory, "hazelnuts")
    assert row.trust == "untrusted"
    edit(memory, row, "trust: untrusted", "trust: user")
    memory.sync()
    assert item(memory, "hazelnuts").trust == "untrusted"
    memory.reindex()
    assert item(memory, "hazelnuts").trust == "untrusted"


def test_a_list_says_which_words_are_not_the_persons(
    memory: Memory, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    memory.remember("I prefer tea over coffee.")
    memory.remember("We decided to use SQLite for the index.", writer="agent")
    memory.remember("Leni is allergic to hazelnuts.", source=WEB)
    assert main(["--vault", str(root), "list", "--type", "item"]) == 0
    told = capsys.readouterr().out.splitlines()
    marks = {line.split()[-1] for line in told}
    assert marks == {"coffee.", "(limited)", "(untrusted)"}
