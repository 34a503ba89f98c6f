"""The memory tool over a vault: commits, refusals, and no way out of its folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.agents import TOKEN
from tests.agents.sequences import tree_of
from vaultmem import Memory
from vaultmem.agents import Answer, folder_name
from vaultmem.base import BadInputError


def ask(memory: Memory, command: str, path: str = "", **given: object) -> Answer:
    paths = {"path": path} if path else {}
    return memory.agents.run({"command": command, **paths, **given}, client="Claude Code")


def create(memory: Memory, path: str, text: str = "tea\n") -> Answer:
    return ask(memory, "create", path, file_text=text)


def test_files_lie_in_the_folder_of_the_client(memory: Memory) -> None:
    assert create(memory, "/memories/user.md").text == (
        "File created successfully at: /memories/user.md"
    )
    assert (memory.root / "agents/claude-code/memories/user.md").read_bytes() == b"tea\n"


def test_another_client_sees_none_of_them(memory: Memory) -> None:
    create(memory, "/memories/user.md")
    seen = memory.agents.run({"command": "view", "path": "/memories"}, client="codex").text
    assert "user.md" not in seen


@pytest.mark.parametrize(
    ("client", "folder"),
    [
        ("Claude Code", "claude-code"),
        ("../../etc", "etc"),
        ("con", "assistant-con"),
        ("", "assistant"),
        ("чат", "assistant-13f95370"),
        ("x" * 300, "x" * 60),
    ],
)
def test_the_name_of_a_client_makes_a_folder_name(client: str, folder: str) -> None:
    assert folder_name(client) == folder


def test_each_change_is_one_commit_and_undo_takes_it_back(memory: Memory) -> None:
    create(memory, "/memories/plans/a.md", "one\n")
    done = ask(memory, "str_replace", "/memories/plans/a.md", old_str="one", new_str="two")
    entry = memory.history.log(limit=1)[0]
    assert (entry.commit, entry.op, entry.actor) == (done.commit, "memory", "agent")
    assert entry.subject == "memory: edit claude-code/plans/a.md"
    ask(memory, "delete", "/memories/plans")
    assert not (memory.root / "agents/claude-code/memories/plans").exists()
    memory.undo(last=2)
    found = memory.root / "agents/claude-code/memories/plans/a.md"
    assert found.read_bytes() == b"one\n"


def test_what_changes_nothing_makes_no_commit(memory: Memory) -> None:
    create(memory, "/memories/a.md")
    for answer in (
        ask(memory, "view", "/memories/a.md"),
        ask(memory, "str_replace", "/memories/a.md", old_str="tea", new_str="tea"),
        ask(memory, "str_replace", "/memories/a.md", old_str="milk", new_str="tea"),
        ask(memory, "delete", "/memories/b.md"),
        create(memory, "/memories/a.md", "other"),
    ):
        assert answer.commit is None
    assert len(memory.history.log()) == 2  # the vault, and the file


def test_an_edit_by_hand_is_kept_and_committed_before(memory: Memory) -> None:
    create(memory, "/memories/a.md", "tea\n")
    file = memory.root / "agents/claude-code/memories/a.md"
    file.write_text("tea\ncoffee\n")
    ask(memory, "insert", "/memories/a.md", insert_line=2, insert_text="water")
    assert file.read_text() == "tea\ncoffee\nwater\n"
    assert [each.op for each in memory.history.log(limit=2)] == ["memory", "edit"]


class TestRefusals:
    """An answer that differs from the tool's says that it was refused, and why."""

    def test_a_new_secret(self, memory: Memory) -> None:
        answer = create(memory, "/memories/a.md", f"fine\ntoken {TOKEN}\n")
        assert answer.is_error
        assert answer.text.startswith("refused: line 2 holds what looks like a secret (")
        assert TOKEN not in answer.text
        create(memory, "/memories/a.md", "fine\n")
        for asked in (
            {"command": "insert", "insert_line": 0, "insert_text": TOKEN},
            {"command": "str_replace", "old_str": "fine", "new_str": TOKEN},
        ):
            answer = memory.agents.run({**asked, "path": "/memories/a.md"}, client="claude code")
            assert "secret" in answer.text
        assert "secret" in create(memory, f"/memories/{TOKEN}.md").text
        assert TOKEN not in "".join(map(str, tree_of(memory.root / "agents")))

    def test_a_secret_that_a_person_saved_stays_out_of_the_history(self, memory: Memory) -> None:
        create(memory, "/memories/a.md", "fine\n")
        file = memory.root / "agents/claude-code/memories/a.md"
        file.write_text(f"fine\n{TOKEN}\n")
        edited = ask(memory, "insert", "/memories/a.md", insert_line=0, insert_text="more")
        moved = ask(memory, "rename", old_path="/memories/a.md", new_path="/memories/b.md")
        assert edited.text.startswith("refused:")
        assert moved.text.startswith("refused:")
        assert file.read_text() == f"fine\n{TOKEN}\n"

    def test_a_text_that_was_erased(self, memory: Memory) -> None:
        create(memory, "/memories/a.md", "The locker opens with zanzibar-7731-quokka.\n")
        memory.forgetting.purge(match="zanzibar-7731-quokka")
        answer = create(memory, "/memories/b.md", "locker: zanzibar-7731-quokka\n")
        assert answer.text == "refused: it holds a text that the user erased for good"

    @pytest.mark.parametrize(
        ("path", "why"),
        [
            ("/memories/.hidden", "never kept"),
            ("/memories/a.tmp", "never kept"),
            ("/memories/.git/config", "leads outside"),
            ("/memories/con.md", "Windows reserves"),
            ("/memories/a:b.md", "Windows does not allow"),
            ("/memories/a\\b.md", "Windows does not allow"),
            ("/memories/end.", "Windows drops"),
            ("/memories/a\nb.md", "control or invisible"),
            ("/memories/a\0b.md", "is not a path"),
            ("/memories/" + "x" * 256, "255 bytes"),
            ("/memories/" + "x/" * 600 + "a", "1,000 bytes"),
            ("/memories/A.md", "many systems take"),
            ("/memories/a.md/b.md", "is a file"),
            ("/memories/\ud800.md", "UTF-8"),
        ],
    )
    def test_a_name_that_is_not_for_every_system(self, memory: Memory, path: str, why: str) -> None:
        create(memory, "/memories/a.md")
        before = tree_of(memory.root / "agents")
        answer = create(memory, path)
        assert answer.is_error
        assert answer.text.startswith("refused: ")
        assert why in answer.text
        assert tree_of(memory.root / "agents") == before

    def test_a_folder_with_what_the_vault_does_not_keep_stays(self, memory: Memory) -> None:
        create(memory, "/memories/plans/a.md")
        hidden = memory.root / "agents/claude-code/memories/plans/.mine"
        hidden.write_text("of the person")
        assert ask(memory, "delete", "/memories/plans").text.startswith("refused: '.mine'")
        assert hidden.exists()


class TestNoWayOut:
    """No path leads out of the folder of the client."""

    OUT = (
        *("/memories/../a.md", "/memories/../../../a.md", "/memories/x/../../a.md", "/memories.."),
        *("/memories/../memories-2/a.md", "/memories/../../codex/memories/a.md"),
        *("/etc/passwd", "a.md", "", "../memories/a.md", "//memories/a.md", "/mem"),
    )

    @pytest.mark.parametrize("path", OUT)
    def test_by_its_names(self, memory: Memory, path: str) -> None:
        before = tree_of(memory.root)
        for answer in (
            memory.agents.run({"command": "view", "path": path}),
            memory.agents.run({"command": "create", "path": path, "file_text": "x"}),
            memory.agents.run({"command": "delete", "path": path}),
            memory.agents.run({"command": "rename", "old_path": path, "new_path": "/memories/q"}),
        ):
            assert answer.is_error
            assert "escape" in answer.text or "must start with" in answer.text
        inside = memory.root / "agents"
        now = {path: data for path, data in tree_of(memory.root).items() if "agents" not in path}
        assert now == before
        assert set(tree_of(inside)) == {"assistant", "assistant/memories"}

    def test_percent_signs_are_letters(self, memory: Memory) -> None:
        create(memory, "/memories/%2e%2e/%2e%2e/a.md")
        assert (memory.root / "agents/claude-code/memories/%2e%2e/%2e%2e/a.md").is_file()

    @pytest.mark.parametrize("is_folder", [True, False])
    def test_by_a_link_in_it(self, memory: Memory, tmp_path: Path, is_folder: bool) -> None:
        create(memory, "/memories/a.md")
        outside = tmp_path / "outside"
        outside.mkdir()
        (outside / "secret.md").write_text("mine")
        link = memory.root / "agents/claude-code/memories/link"
        os.symlink(outside if is_folder else outside / "secret.md", link)
        path = "/memories/link/secret.md" if is_folder else "/memories/link"
        for answer in (
            ask(memory, "view", path),
            create(memory, path),
            create(memory, "/memories/link/new.md"),
            ask(memory, "str_replace", path, old_str="mine", new_str="x"),
            ask(memory, "insert", path, insert_line=0, insert_text="x"),
            ask(memory, "delete", path),
            ask(memory, "rename", old_path=path, new_path="/memories/q.md"),
            ask(memory, "rename", old_path="/memories/a.md", new_path="/memories/link/q.md"),
        ):
            assert answer.is_error
            assert "would escape /memories directory" in answer.text
        assert "link" not in ask(memory, "view", "/memories").text
        assert tree_of(outside) == {"secret.md": b"mine"}

    def test_by_a_link_in_the_place_of_its_folder(self, memory: Memory, tmp_path: Path) -> None:
        outside = tmp_path / "outside"
        outside.mkdir()
        (memory.root / "agents").mkdir()
        os.symlink(outside, memory.root / "agents/claude-code")
        assert create(memory, "/memories/a.md").text.startswith("refused:")
        assert tree_of(outside) == {}


@pytest.mark.parametrize(
    "command",
    [
        {},
        {"command": "eval", "path": "/memories/a"},
        {"command": "create", "path": "/memories/a"},
        {"command": "create", "path": ["/memories/a"], "file_text": "x"},
        {"command": "insert", "path": "/memories/a", "insert_line": True, "insert_text": "x"},
        {"command": "view", "path": "/memories", "view_range": ["a", "b"]},
    ],
)
def test_bad_arguments_are_named(memory: Memory, command: dict[str, object]) -> None:
    if "view_range" in command:
        create(memory, "/memories/f.md")
        command = command | {"path": "/memories/f.md"}
    with pytest.raises(BadInputError):
        memory.agents.run(command, client="claude code")
