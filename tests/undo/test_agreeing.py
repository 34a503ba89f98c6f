"""After an undo, a restored note or a mended one, each bullet says what its item says."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Git
from vaultmem.api.memory import Memory
from vaultmem.base.errors import UndoRefusedError
from vaultmem.model.notes import Item
from vaultmem.vault.two_way import bullets_by_id, same
from vaultmem.vault.unsettled import load_items, streams_on_disk

TEA = "I prefer tea to coffee."


@pytest.fixture
def tea(memory: Memory) -> str:
    """Id of an item with a bullet."""
    return memory.remember(TEA, stream="identity").items[0].id


def patch(memory: Memory, path: str, old: str, new: str) -> None:
    file = memory.root / path
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def bullet(memory: Memory, id_: str) -> str:
    """The line with the id; '' when there is none."""
    for file in sorted(memory.root.glob("streams/*.md")):
        for line in file.read_text().splitlines():
            if line.endswith(f"^{id_}"):
                return line
    return ""


def item(memory: Memory, id_: str) -> Item:
    return load_items(memory.opened, [id_])[id_]


def require_agreement(memory: Memory, git: Git) -> None:
    """In the tree, and said so by the last commit; the next sync has nothing to add."""
    listed = bullets_by_id(streams_on_disk(memory.opened))
    items = load_items(memory.opened, listed)
    for id_, here in listed.items():
        assert same(here.bullet.text, items[id_].statement)
        assert items[id_].stream == here.stream
        assert (here.bullet.checked is True) == (items[id_].status == "expired")
    assert memory.check().problems == ()
    assert "Vaultmem-Unsettled" not in git("log", "-1", "--format=%B")
    assert memory.sync().commits == ()
    assert git("status", "--porcelain") == ""


def test_undoing_what_followed_a_reworded_bullet_rewords_it_back(
    memory: Memory, git: Git, tea: str
) -> None:
    patch(memory, "streams/identity.md", "I prefer", "I adore")
    memory.sync()
    assert "adore" in item(memory, tea).statement
    memory.undo()
    assert item(memory, tea).statement == TEA
    assert TEA in bullet(memory, tea)
    require_agreement(memory, git)


def test_undoing_the_persons_own_edit_takes_what_followed_along(
    memory: Memory, git: Git, tea: str
) -> None:
    patch(memory, "streams/identity.md", "I prefer", "I adore")
    edit = memory.sync().commits[0]
    memory.undo(edit)
    assert item(memory, tea).statement == TEA
    require_agreement(memory, git)


def test_undoing_the_end_of_a_task_empties_its_box(memory: Memory, git: Git) -> None:
    id_ = memory.remember("Renew the passport", stream="tasks", kind="task").items[0].id
    patch(memory, "streams/tasks.md", "- [ ] Renew", "- [x] Renew")
    memory.sync()
    memory.undo()
    assert item(memory, id_).status == "active"
    assert bullet(memory, id_).startswith("- [ ] Renew")
    require_agreement(memory, git)


def test_opening_a_task_again_in_its_note_empties_its_box(memory: Memory, git: Git) -> None:
    done = memory.remember("Renew the passport", stream="tasks", kind="task").items[0]
    patch(memory, "streams/tasks.md", "- [ ] Renew", "- [x] Renew")
    memory.sync()
    note = memory.root / done.path
    text = re.sub(r"(?m)^valid_until: .*\n", "", note.read_text())
    note.write_text(text.replace("status: expired", "status: active"))
    memory.sync()
    assert bullet(memory, done.id).startswith("- [ ] Renew")
    require_agreement(memory, git)


@pytest.mark.parametrize("what", ["the retraction", "the deleted line"])
def test_undoing_a_retraction_brings_the_bullet_back(
    memory: Memory, git: Git, tea: str, what: str
) -> None:
    file = memory.root / "streams/identity.md"
    file.write_text(re.sub(r"(?m)^- .*\n", "", file.read_text()))
    edit, retraction = memory.sync().commits
    assert item(memory, tea).status == "retracted"
    memory.undo(edit if what == "the deleted line" else retraction)
    assert item(memory, tea).status == "active"
    assert TEA in bullet(memory, tea)
    require_agreement(memory, git)


def test_undoing_a_move_to_another_list_moves_the_bullet_back(
    memory: Memory, git: Git, tea: str
) -> None:
    line = bullet(memory, tea)
    patch(memory, "streams/identity.md", f"{line}\n", "")
    projects = memory.root / "streams/projects.md"
    projects.write_text(f"{projects.read_text()}\n{line}\n")
    memory.sync()
    assert item(memory, tea).stream == "projects"
    memory.undo()
    assert item(memory, tea).stream == "identity"
    assert tea in (memory.root / "streams/identity.md").read_text()
    assert tea not in projects.read_text()
    require_agreement(memory, git)


def test_an_adoption_that_was_undone_leaves_the_persons_line(memory: Memory, git: Git) -> None:
    file = memory.root / "streams/identity.md"
    file.write_text(file.read_text() + "\n- I live in Bergen.\n")
    memory.sync()
    memory.undo()
    assert file.read_text().endswith("\n- I live in Bergen.\n")
    assert list(memory.root.glob("items/**/*.md")) == []
    require_agreement(memory, git)


def test_an_item_that_was_deleted_leaves_its_summary(memory: Memory, git: Git) -> None:
    one, other = (
        memory.remember(f"Atlas uses {what}.", category="atlas").items[0]
        for what in ("Redis", "Kafka")
    )
    summary = memory.root / "categories/atlas.md"
    file = memory.root / one.path
    file.rename(file.with_name(f"moved-{file.name}"))
    memory.sync()
    assert b"Redis" in summary.read_bytes()  # it is still in the vault
    file.with_name(f"moved-{file.name}").unlink()
    (memory.root / other.path).unlink()
    memory.sync()
    assert b"Kafka" not in summary.read_bytes()
    assert git("status", "--porcelain") == ""
    require_agreement(memory, git)


def test_a_restored_item_takes_its_bullet_along(memory: Memory, git: Git, tea: str) -> None:
    patch(memory, str(item(memory, tea).path), "I prefer", "I adore")
    memory.sync()
    assert "adore" in bullet(memory, tea)
    memory.history.restore(tea)
    assert TEA in bullet(memory, tea)
    require_agreement(memory, git)


def test_a_restored_item_that_was_gone_is_listed_again(memory: Memory, git: Git, tea: str) -> None:
    (memory.root / item(memory, tea).path).unlink()
    memory.sync()
    assert bullet(memory, tea) == ""
    memory.history.restore(tea)
    assert TEA in bullet(memory, tea)
    require_agreement(memory, git)


def test_a_restored_item_stands_in_its_summary_again(memory: Memory, git: Git) -> None:
    id_ = memory.remember("Atlas uses Redis.", stream="projects", category="atlas").items[0].id
    summary = memory.root / "categories/atlas.md"
    listed = summary.read_bytes()
    for end in (memory.facts.retract, memory.facts.expire, memory.forget):
        require_agreement(memory, git)
        end(id_)
        assert b"Redis" not in summary.read_bytes()
        memory.history.restore(id_)
        assert "Redis" in bullet(memory, id_)
        assert summary.read_bytes() == listed


def test_a_restored_list_brings_back_what_its_lines_said(
    memory: Memory, git: Git, tea: str
) -> None:
    file = memory.root / "streams/identity.md"
    file.write_text(re.sub(r"(?m)^- .*\n", "", file.read_text()))
    memory.sync()
    memory.history.restore("streams/identity.md")
    assert item(memory, tea).status == "active"
    assert TEA in bullet(memory, tea)
    require_agreement(memory, git)


def test_a_conflict_copy_that_is_merged_takes_the_bullet_along(
    memory: Memory, git: Git, tea: str
) -> None:
    note: Path = memory.root / item(memory, tea).path
    copy = note.with_name(f"{note.stem}.sync-conflict-20260311-091400-ABCDEFG.md")
    copy.write_text(note.read_text().replace("I prefer", "I adore"))
    memory.sync()
    memory.check(fix=True)
    assert "adore" in item(memory, tea).statement
    require_agreement(memory, git)


def test_the_beginning_of_a_vault_is_not_undone(memory: Memory, git: Git) -> None:
    with pytest.raises(UndoRefusedError, match="began the vault"):
        memory.undo(git("rev-list", "--max-parents=0", "HEAD").strip())
    assert (memory.root / "vaultmem.toml").exists()


def test_what_only_a_person_can_decide_is_marked_and_waits(
    memory: Memory, git: Git, remember_many: Callable[[int], list[str]]
) -> None:
    ids = remember_many(8)
    memory.history.restore(
        "streams/identity.md", at=git("rev-list", "--max-parents=0", "HEAD").strip()
    )
    assert {item(memory, id_).status for id_ in ids} == {"active"}
    assert [each.code for each in memory.check().problems if each.severity == "error"] == [
        "mass-deletion"
    ]
    assert "Vaultmem-Unsettled: true" in git("log", "-1", "--format=%B")
    memory.undo(git("rev-parse", "HEAD").strip())
    assert all(bullet(memory, id_) for id_ in ids)
    assert memory.check().problems == ()
    assert memory.sync().commits == ()


@pytest.fixture
def remember_many(memory: Memory) -> Callable[[int], list[str]]:
    """Make so many items of one list; their ids."""

    def remember(count: int) -> list[str]:
        said = [f"I prefer tea number {number} to coffee." for number in range(count)]
        return [memory.remember(text, stream="identity").items[0].id for text in said]

    return remember


def test_a_look_keeps_that_a_commit_of_others_left_all_in_agreement(
    memory: Memory, git: Git, tea: str
) -> None:
    """Without that, each later look would read all that foreign commits ever changed."""
    page = memory.root / "pages/plan.md"
    page.parent.mkdir(exist_ok=True)
    page.write_text("A plan.\n")
    git("add", "-A")
    git("commit", "-q", "-m", "a plan")
    memory.sync(settle=False)
    assert memory.opened.index.meta("settled") == git("rev-parse", "HEAD").strip()
    memory.reindex()
    assert memory.opened.index.meta("settled") == git("rev-parse", "HEAD").strip()


def test_a_look_does_not_take_a_new_bullet_of_others_for_agreement(
    memory: Memory, git: Git, tea: str
) -> None:
    with (memory.root / "streams/identity.md").open("a") as file:
        file.write("- I prefer trains to planes.\n")
    memory.sync(settle=False)
    before = memory.opened.index.meta("settled")
    git("add", "-A")
    git("commit", "-q", "-m", "a bullet")
    memory.sync(settle=False)
    assert memory.opened.index.meta("settled") == before
    assert [each.what for each in memory.sync().learned] == ["adopted"]
    require_agreement(memory, git)
