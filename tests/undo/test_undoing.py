"""Taking operations back: several at once, far back, and never over a later edit."""

from __future__ import annotations

import re
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.conftest import FixedClock, Git
from vaultmem.api.memory import Memory
from vaultmem.base.errors import BadInputError, UndoRefusedError
from vaultmem.extract.prepare import Document
from vaultmem.history.every_version import LOOK_BACK
from vaultmem.model.answers import Filters
from vaultmem.remember.one_text import FEW
from vaultmem.storage.notes.summary_block import read_links
from vaultmem.undo.undo import MOST

TEXTS = ("I prefer tabs over spaces.", "I moved to Bergen in May.", "I sing in a choir.")


def statements(memory: Memory) -> set[str]:
    return {row.statement for row in memory.list(Filters(types=("item",)))}


def tree(git: Git) -> str:
    return git("rev-parse", "HEAD^{tree}").strip()


def test_the_text_that_began_a_category_can_be_undone_alone(memory: Memory) -> None:
    first, second = (memory.remember(text, category="me").commit for text in TEXTS[:2])
    memory.undo(first)
    text = (memory.root / "categories" / "me.md").read_text(encoding="utf-8")
    assert TEXTS[0] not in text
    assert f"- {TEXTS[1]} [[" in text
    memory.undo(second)
    assert TEXTS[1] not in (memory.root / "categories" / "me.md").read_text(encoding="utf-8")
    assert memory.check().problems == ()


def test_the_line_of_a_text_goes_with_it_though_another_commit_wrote_it(memory: Memory) -> None:
    texts = [f"The lamp number {number} stands in the hall." for number in range(FEW + 1)]
    done = memory.remember_many([Document(text=text, category="lamps") for text in texts])
    memory.undo(done[3].commit)
    text = (memory.root / "categories" / "lamps.md").read_text(encoding="utf-8")
    assert texts[3] not in text
    assert text.count("\n- ") == FEW
    assert memory.check().problems == ()


class TestSeveral:
    """`undo N` takes the last N operations back by one commit, all or none."""

    def test_the_vault_is_as_it_was_before_them(self, memory: Memory, git: Git) -> None:
        memory.remember(TEXTS[0])
        before, count = tree(git), int(git("rev-list", "--count", "HEAD"))
        commits = [memory.remember(text).commit for text in TEXTS[1:]]

        done = memory.undo(last=2)

        assert tree(git) == before
        assert int(git("rev-list", "--count", "HEAD")) == count + 3
        assert done.taken_back == tuple(reversed(commits))
        assert done.undid == commits[-1]
        assert [one.undone_by for one in memory.history.log(limit=4)] == [
            *("", done.commit, done.commit),
            "",
        ]
        assert git("status", "--porcelain") == ""

    def test_undoing_the_undo_brings_all_of_it_back(self, memory: Memory, git: Git) -> None:
        for text in TEXTS:
            memory.remember(text)
        before = tree(git)
        done = memory.undo(last=3)
        assert statements(memory) == set()

        memory.undo(done.commit)

        assert tree(git) == before

    def test_the_next_undo_goes_on_where_it_ended(self, memory: Memory) -> None:
        for text in TEXTS:
            memory.remember(text)
        memory.undo(last=2)
        memory.undo()
        assert statements(memory) == set()

    def test_more_than_there_are_is_refused_with_their_number(self, memory: Memory) -> None:
        memory.remember(TEXTS[0])
        with pytest.raises(BadInputError, match="only 1 operation can be undone, not 2"):
            memory.undo(last=2)
        assert statements(memory) == {TEXTS[0]}

    @pytest.mark.parametrize("number", [0, -1, MOST + 1])
    def test_a_number_that_makes_no_sense_is_refused(self, memory: Memory, number: int) -> None:
        memory.remember(TEXTS[0])
        with pytest.raises(BadInputError, match="cannot be undone"):
            memory.undo(last=number)
        assert statements(memory) == {TEXTS[0]}

    def test_approvals_fall_with_what_is_taken_back(self, memory: Memory) -> None:
        found = memory.remember("Ada wrote: I live in Bergen.", writer="web").items
        memory.remember(TEXTS[0])
        (item,) = (one.id for one in found)
        memory.review.approve(item)
        memory.remember(TEXTS[2])
        assert memory.show(item).note.trust == "user"

        memory.undo(last=2)

        assert memory.show(item).note.trust == "untrusted"


class TestLaterEdits:
    """Undo refuses where a later edit would be lost, names it, and touches nothing."""

    def test_an_edit_between_is_named_with_its_commit(self, memory: Memory, git: Git) -> None:
        done = memory.remember(TEXTS[0])
        file = memory.root / done.items[0].path
        file.write_text(file.read_text("utf-8") + "\nA thought of mine.\n", "utf-8")
        memory.sync()
        edit = next(one.commit for one in memory.history.log() if one.op == "edit")
        memory.remember(TEXTS[1])
        before = tree(git)

        with pytest.raises(UndoRefusedError) as refused:
            memory.undo(last=2)

        assert refused.value.commits[-1] == edit
        assert list(refused.value.paths) == [done.items[0].path]
        assert edit[:8] in str(refused.value)
        assert file.name in str(refused.value)
        assert tree(git) == before
        assert git("status", "--porcelain") == ""
        assert TEXTS[1] in statements(memory)

    def test_a_note_that_was_moved_since_is_not_lost(self, memory: Memory) -> None:
        done = memory.remember(TEXTS[0])
        file = memory.root / done.items[0].path
        file.rename(memory.root / "items" / "tabs.md")

        with pytest.raises(UndoRefusedError, match=r"changed since: .*, by [0-9a-f]{8} "):
            memory.undo(done.commit)

        assert (memory.root / "items" / "tabs.md").exists()


class TestFarBack:
    """A named commit may lie as far back as the history goes."""

    def test_a_commit_of_long_ago_is_undone(self, memory: Memory, root: Path, git: Git) -> None:
        done = memory.remember(TEXTS[0])
        empty_commits(root, LOOK_BACK + 1)
        git("update-index", "--refresh")

        memory.undo(done.commit)

        assert statements(memory) == set()

    def test_the_last_operation_may_lie_there(self, memory: Memory, root: Path) -> None:
        done = memory.remember(TEXTS[0])
        empty_commits(root, LOOK_BACK + 1)
        assert memory.undo().undid == done.commit


def empty_commits(root: Path, number: int) -> None:
    """Commits that change nothing, as a plugin may make every few minutes."""
    stream = b""
    for each in range(number):
        stream += b"commit refs/heads/main\ncommitter A <a@example.org> %d +0000\n" % (
            1_773_300_000 + each
        )
        stream += b"data 4\nidle\n" + (b"from refs/heads/main^0\n" if not each else b"") + b"\n"
    subprocess.run(
        ["git", "fast-import", "--quiet"], cwd=root, input=stream, check=True, timeout=60
    )


class TestOneLineAnItem:
    """An undo never writes a second line with a block id that a list has already."""

    def test_a_line_that_came_back_is_not_put_back_once_more(self, memory: Memory) -> None:
        for text in TEXTS:
            memory.remember(text, stream="identity")
        file = memory.root / "streams" / "identity.md"
        lines = file.read_text("utf-8").splitlines(keepends=True)
        gone = next(line for line in lines if TEXTS[0] in line)
        file.write_text("".join(line for line in lines if line != gone), "utf-8")
        memory.sync()
        edit = next(one.commit for one in memory.history.log() if one.op == "edit")
        memory.undo()
        memory.undo(edit)
        assert file.read_text("utf-8").count(gone) == 1
        assert memory.check().problems == ()

    def test_a_line_that_moved_to_another_list_stays_there(self, memory: Memory) -> None:
        memory.remember(TEXTS[0], stream="identity")
        memory.remember(TEXTS[1], stream="projects")
        identity, projects = (memory.root / f"streams/{name}.md" for name in STREAMS)
        [line] = [row for row in identity.read_text("utf-8").splitlines(True) if TEXTS[0] in row]
        before = identity.read_text("utf-8")
        identity.write_text(before.replace(line, ""), "utf-8")
        memory.sync()
        edit = next(one.commit for one in memory.history.log() if one.op == "edit")
        memory.undo()
        identity.write_text(identity.read_text("utf-8").replace(line, ""), "utf-8")
        projects.write_text(projects.read_text("utf-8") + line, "utf-8")
        memory.sync()
        with suppress(UndoRefusedError, BadInputError):
            memory.undo(edit)
        assert (identity.read_text("utf-8") + projects.read_text("utf-8")).count(line) == 1
        assert memory.check().problems == ()

    @settings(
        max_examples=20,
        deadline=None,
        phases=[Phase.explicit, Phase.reuse, Phase.generate],
        suppress_health_check=[HealthCheck.too_slow],
    )
    @given(
        st.lists(
            st.tuples(
                st.sampled_from(("drop", "edit", "turn", "move", "undo", "undo older", "restore")),
                st.integers(0, 5),
            ),
            max_size=9,
        )
    )
    def test_after_any_edits_of_lists_and_undos(self, steps: list[tuple[str, int]]) -> None:
        with tempfile.TemporaryDirectory() as name:
            root = Path(name) / "vault"
            Memory.init(root, name="lists", clock=FixedClock())
            with Memory(root, clock=FixedClock()) as memory:
                for number, text in enumerate(TEXTS):
                    memory.remember(text, stream=STREAMS[number % 2], category="me")
                for step in steps:
                    change_lists(memory, *step)
                    memory.sync()
                    text = "".join(file.read_text("utf-8") for file in root.glob("streams/*.md"))
                    ids = re.findall(r"\^i-\w+", text)
                    assert len(ids) == len(set(ids)), text
                    for file in root.glob("categories/*.md"):  # none once all is undone
                        links = read_links(file.read_bytes())
                        assert len(links) == len(set(links)), links


STREAMS = ("identity", "projects")


def change_lists(memory: Memory, what: str, which: int) -> None:
    """One thing that a person does to a list, or takes back."""
    files = [memory.root / f"streams/{name}.md" for name in STREAMS]
    file, other = files if which % 2 else files[::-1]
    rows = file.read_text("utf-8").splitlines(keepends=True)
    places = [place for place, row in enumerate(rows) if row.startswith("- ")]
    with suppress(UndoRefusedError, BadInputError):
        if what == "undo":
            memory.undo()
        elif what == "undo older":
            done = memory.history.log(limit=7)
            memory.undo(done[which % len(done)].commit)
        elif what == "restore":
            memory.history.restore(f"streams/{file.name}")
        elif places:
            place = places[which % len(places)]
            row = rows.pop(place)
            if what == "edit":
                rows.insert(place, row.replace(" I ", " Mostly I ", 1))
            elif what == "turn":
                rows.append(row)
            elif what == "move":
                other.write_text(other.read_text("utf-8") + row, "utf-8")
            file.write_text("".join(rows), "utf-8")
