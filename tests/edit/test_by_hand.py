"""Edits of notes and bullets by hand are held against what is known, like what is remembered."""

from __future__ import annotations

import pytest

from tests.conftest import NOON, FixedClock, Git
from tests.facts.test_contradictions import DAY, keys, rows, said
from vaultmem.api.memory import Memory


@pytest.fixture
def homes(memory: Memory) -> Memory:
    """A home since 90 days, an editor since 30."""
    memory.remember("I live in Berlin.", date=NOON - 90 * DAY)
    memory.remember("I use Vim.", date=NOON - 30 * DAY)
    return memory


def edit(memory: Memory, path: str, *changes: tuple[str, str]) -> bytes:
    """Save a file with texts replaced; its new bytes."""
    file = memory.root / path
    text = file.read_text("utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    file.write_bytes(text.encode())
    return text.encode()


class TestEditedNote:
    """What the note says now counts; keys that we own may follow, the person's words never."""

    def test_another_slot_and_value_end_the_one_in_it(self, homes: Memory) -> None:
        berlin, vim = rows(homes)
        saved = edit(
            homes,
            str(vim.path),
            ("uses_editor", "lives_in"),
            ("object: Vim", "object: Porto"),
            ("\nI use Vim.", "\nI live in   Porto."),
        )
        report = homes.sync()
        assert [(one.what, one.id) for one in report.learned if one.what == "ended"] == [
            ("ended", berlin.id)
        ]
        assert said(homes, "superseded") == ["I live in Berlin."]
        (row,) = rows(homes)
        link = f'supersedes:\n  - "[[{berlin.path.stem}]]"\n'
        assert (homes.root / row.path).read_bytes().replace(link.encode(), b"") == saved
        assert "Berlin" not in (homes.root / "streams/identity.md").read_text("utf-8")
        assert homes.check().problems == ()

    def test_the_value_alone_counts_too(self, homes: Memory, clock: FixedClock) -> None:
        # In words that tell no home: "I live at sea." ends the home in Berlin when it is told.
        homes.remember("The sea is the place for me.", fact=("user", "lives_at", "sea"))
        edit(homes, str(rows(homes)[2].path), ("lives_at", "lives_in"))
        homes.sync()
        assert said(homes, "superseded") == ["I live in Berlin."]

    def test_a_denial_without_a_slot(self, homes: Memory) -> None:
        homes.remember("The garage is heated.", date=NOON - 60 * DAY)
        homes.remember("The cellar is not heated.", date=NOON - 3 * DAY)
        (cellar,) = [row for row in rows(homes) if "cellar" in row.statement]
        edit(homes, str(cellar.path), ("cellar is not", "garage is not"))
        homes.sync()
        assert said(homes, "superseded") == ["The garage is heated."]

    def test_a_note_of_which_the_other_is_newer_is_flagged_and_stays(self, homes: Memory) -> None:
        homes.remember("My desk is oak.", fact=("user", "desk", "oak"), date=NOON - 5 * DAY)
        (vim,) = [row for row in rows(homes) if row.object == "Vim"]
        edit(homes, str(vim.path), ("uses_editor", "desk"))
        homes.sync()
        assert len(said(homes)) == 3
        (problem,) = homes.check().problems
        assert (problem.code, problem.path) == ("contradiction", vim.path)

    def test_text_of_less_trust_ends_nothing(self, homes: Memory) -> None:
        homes.remember("I live near Porto.", fact=("user", "near", "Porto"), writer="agent")
        (near,) = [row for row in rows(homes) if row.predicate == "near"]
        edit(homes, str(near.path), ("predicate: near", "predicate: lives_in"))
        homes.sync()
        assert "I live in Berlin." in said(homes)
        assert keys(homes, near)["contradicts"] == (f"[[{rows(homes)[0].path.stem}]]",)

    def test_other_edits_of_a_note_compare_nothing(self, homes: Memory, git: Git) -> None:
        homes.remember("My shoe size is 44.", date=NOON - 9 * DAY)
        homes.remember("My shoe size is 45.", date=NOON - 5 * DAY)
        (newer,) = [row for row in rows(homes) if row.object == "45"]
        old = next(row for row in rows(homes) if row.object == "44")
        flag = f'contradicts:\n  - "[[{old.path.stem}]]"\n'
        saved = edit(homes, str(newer.path), (flag, ""))
        homes.sync()
        assert (homes.root / newer.path).read_bytes() == saved
        assert homes.check().problems == ()
        assert git("status", "--porcelain") == ""


class TestEditedBullet:
    """A reworded bullet is what the person says now."""

    def test_it_ends_what_it_contradicts(self, homes: Memory) -> None:
        homes.remember("The garage is heated.", date=NOON - 60 * DAY, stream="projects")
        homes.remember("The roof leaks on Mondays.", date=NOON - 3 * DAY, stream="projects")
        saved = edit(
            homes, "streams/projects.md", ("The roof leaks on Mondays.", "The garage isn't heated.")
        )
        homes.sync()
        assert said(homes, "superseded") == ["The garage is heated."]
        text = (homes.root / "streams/projects.md").read_bytes()
        kept = [line for line in saved.splitlines() if b"garage is heated" not in line]
        assert text.splitlines() == kept
        assert homes.check().problems == ()
