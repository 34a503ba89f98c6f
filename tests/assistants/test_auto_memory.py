"""`install claude-code --auto-memory`: Claude Code's own notes lie in the vault, on all devices."""

from __future__ import annotations

import json
from pathlib import Path, PurePosixPath

import pytest

from tests.agents import TOKEN
from tests.cli.commands import command
from tests.devices.devices import connected
from vaultmem import Memory
from vaultmem.assistants import (
    Place,
    auto_memory_told,
    earlier_notes,
    install,
    place_of,
    uninstall,
    with_auto_memory,
)
from vaultmem.assistants.install.clients import client_of
from vaultmem.assistants.install.install_verbs import project_name
from vaultmem.assistants.install.jsonc import value_of

CLAUDE = client_of("claude-code")
SETTINGS = '{\n  "model": "opus" // mine\n}'


def place_in(folder: Path, scope: str = "user") -> Place:
    (folder / "home/.claude").mkdir(parents=True, exist_ok=True)
    (folder / "project").mkdir(exist_ok=True)
    return place_of(
        scope=scope,
        environ={"HOME": str(folder / "home"), "VAULTMEM_STATE": str(folder / "state")},
        project=folder / "project",
        home=folder / "home",
    )


def kept(place: Place, project: str, **notes: str) -> Path:
    """Notes of Claude Code's own, in its usual place."""
    folder = place.home / ".claude/projects" / project / "memory"
    folder.mkdir(parents=True)
    for name, text in notes.items():
        (folder / f"{name}.md").write_text(text)
    return folder


class TestSetting:
    def test_it_names_a_folder_of_the_vault_and_goes_again(
        self, vault: Path, tmp_path: Path
    ) -> None:
        place = with_auto_memory(place_in(tmp_path), str(vault))
        file = place.home / ".claude/settings.json"
        file.write_text(SETTINGS)
        install(CLAUDE, place)
        told = value_of(file.read_text())["autoMemoryDirectory"]
        assert told == str(vault / "agents/claude-code/auto-memory")
        assert not install(CLAUDE, place).is_change
        uninstall(CLAUDE, place)
        assert file.read_text() == SETTINGS

    def test_installing_again_without_the_option_keeps_it(
        self, vault: Path, tmp_path: Path
    ) -> None:
        place = place_in(tmp_path)
        install(CLAUDE, with_auto_memory(place, str(vault)))
        assert not install(CLAUDE, place).is_change
        assert auto_memory_told(place) == str(vault / "agents/claude-code/auto-memory")

    def test_without_the_option_it_is_not_touched(self, tmp_path: Path) -> None:
        place = place_in(tmp_path)
        install(CLAUDE, place)
        assert "autoMemory" not in (place.home / ".claude/settings.json").read_text()

    def test_another_folder_that_somebody_chose_stays(self, vault: Path, tmp_path: Path) -> None:
        place = with_auto_memory(place_in(tmp_path), str(vault))
        file = place.home / ".claude/settings.json"
        file.write_text('{"autoMemoryDirectory": "/mine"}')
        done = install(CLAUDE, place)
        assert value_of(file.read_text())["autoMemoryDirectory"] == "/mine"
        remarks = [remark for change in done.changes for remark in change.remarks]
        assert remarks == ["there is a 'autoMemoryDirectory' already: left alone"]
        assert auto_memory_told(place) == ""

    def test_one_that_was_changed_since_stays_when_the_rest_goes(
        self, vault: Path, tmp_path: Path
    ) -> None:
        place = with_auto_memory(place_in(tmp_path), str(vault))
        file = place.home / ".claude/settings.json"
        file.write_text("{}\n")
        install(CLAUDE, place)
        file.write_text(file.read_text().replace("auto-memory", "other"))
        uninstall(CLAUDE, place)
        now = value_of(file.read_text())
        assert list(now) == ["autoMemoryDirectory"]
        assert now["autoMemoryDirectory"].endswith("/other")

    def test_a_project_gets_a_folder_of_its_own_in_settings_that_nobody_shares(
        self, vault: Path, tmp_path: Path
    ) -> None:
        place = with_auto_memory(place_in(tmp_path, "project"), str(vault))
        git = place.project / ".git"
        git.mkdir()
        (git / "config").write_text(
            '[core]\n\tbare = false\n[remote "origin"]\n\turl = git@example.org:Ada/Parser.git\n'
        )
        place = with_auto_memory(place, str(vault))
        install(CLAUDE, place)
        shared = (place.project / ".claude/settings.json").read_text()
        own = value_of((place.project / ".claude/settings.local.json").read_text())
        assert "autoMemory" not in shared
        folder = vault / "agents/claude-code/projects/ada-parser"
        assert own == {"autoMemoryDirectory": str(folder)}
        uninstall(CLAUDE, place)
        assert not (place.project / ".claude").exists()


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://example.org/ada/parser.git", "ada-parser"),
        ("https://example.org/ada/parser/", "ada-parser"),
        ("ssh://git@example.org:2222/ada/Parser", "ada-parser"),
        ("C:\\repos\\ada\\parser", "ada-parser"),
        ("../../..", "project"),
    ],
)
def test_the_name_of_a_project_is_that_of_its_origin(tmp_path: Path, url: str, name: str) -> None:
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    assert project_name(project) == "project"
    (project / ".git/config").write_text(f'[remote "origin"]\n\turl = {url}\n')
    assert project_name(project) == name


class TestEarlierNotes:
    def test_of_all_projects_one_index_leads_to_each(self, tmp_path: Path) -> None:
        place = place_in(tmp_path)
        mangled = str(place.home).replace("/", "-").replace("_", "-")
        kept(place, f"{mangled}-code-parser", MEMORY="- [Tests](tests.md): how\n", tests="x\n")
        kept(place, "-srv-api", MEMORY="- [A](https://example.org/a.md)\n")
        found = earlier_notes(place)
        assert {str(path) for path in found} == {
            *("auto-memory/MEMORY.md", "auto-memory/code-parser/tests.md")
        }
        index = found[PurePosixPath("auto-memory/MEMORY.md")].decode()
        assert "## code-parser\n\n- [Tests](code-parser/tests.md): how\n" in index
        assert "- [A](https://example.org/a.md)" in index

    def test_of_a_project_its_own(self, tmp_path: Path) -> None:
        place = place_in(tmp_path, "project")
        mangled = "".join(c if c.isalnum() else "-" for c in str(place.project.resolve()))
        kept(place, mangled, MEMORY="- mine\n")
        kept(place, "-srv-api", MEMORY="- other\n")
        assert earlier_notes(place) == {PurePosixPath("projects/project/MEMORY.md"): b"- mine\n"}

    def test_no_link_is_followed(self, tmp_path: Path) -> None:
        place = place_in(tmp_path)
        folder = kept(place, "-srv-api", MEMORY="- a\n")
        (tmp_path / "secret.md").write_text("mine")
        (folder / "link.md").symlink_to(tmp_path / "secret.md")
        (place.home / ".claude/projects/linked").symlink_to(tmp_path)
        assert [path.name for path in earlier_notes(place)] == ["MEMORY.md"]

    def test_copies_replace_nothing_and_leave_secrets_out(self, vault: Path) -> None:
        with Memory(vault) as memory:
            found = {
                PurePosixPath("auto-memory/MEMORY.md"): b"- a\n",
                PurePosixPath("auto-memory/key.md"): TOKEN.encode(),
                PurePosixPath("auto-memory/con.md"): b"x",
                PurePosixPath("../../x.md"): b"x",
                PurePosixPath("auto-memory/old.md"): b"new\n",
                PurePosixPath("auto-memory/same.md"): b"same\n",
            }
            for name, text in (("old", "old\n"), ("same", "same\n")):
                file = memory.agents.folder("claude-code") / f"auto-memory/{name}.md"
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
            done = memory.agents.bring("Claude Code", found)
            assert [path.name for path in done.paths] == ["MEMORY.md"]
            assert {path.name for path, _ in done.left} == {"key.md", "con.md", "x.md", "old.md"}
            assert memory.agents.bring("Claude Code", found).commit is None
            memory.undo()
            assert not (vault / "agents/claude-code/auto-memory/MEMORY.md").exists()


class TestCommand:
    def test_what_it_has_is_copied_only_when_asked(self, vault: Path, tmp_path: Path) -> None:
        place = place_in(tmp_path)
        kept(place, "-srv-api", MEMORY="- [A](a.md)\n", a="Deploys run on Fridays.\n")
        environ = {"HOME": str(place.home), "VAULTMEM_STATE": str(tmp_path / "state")}
        words = ("--vault", str(vault), "install", "claude-code", "--auto-memory")
        done = command(words, folder=place.project, environ=environ)
        assert (done.returncode, done.stderr) == (0, b"")
        assert b"2 notes that it has by now stay where they are" in done.stdout
        assert not (vault / "agents").exists()
        done = command((*words, "--copy-memory"), folder=place.project, environ=environ)
        assert b"copied 2 notes (commit " in done.stdout
        assert (vault / "agents/claude-code/auto-memory/srv-api/a.md").is_file()
        assert (place.home / ".claude/projects/-srv-api/memory/a.md").is_file()

    @pytest.mark.parametrize("words", [("codex", "--auto-memory"), ("cursor", "--copy-memory")])
    def test_other_clients_have_no_such_setting(
        self, tmp_path: Path, words: tuple[str, str]
    ) -> None:
        place = place_in(tmp_path)
        environ = {"HOME": str(place.home), "VAULTMEM_STATE": str(tmp_path / "state")}
        done = command(("install", *words), folder=place.project, environ=environ)
        assert done.returncode == 2
        assert b"hint: `vaultmem install claude-code --auto-memory`" in done.stderr
        assert list(place.home.rglob("*.json")) == []


def test_what_claude_code_notes_on_one_device_is_in_its_folder_on_the_other(
    tmp_path: Path,
) -> None:
    """`vaultmem sync --remote` carries it, and what both wrote meanwhile is kept."""
    folders = []
    laptop, desk = connected(tmp_path, "laptop", "desk")
    for device in (laptop, desk):
        with device.here():
            place = with_auto_memory(place_in(device.home), str(device.root))
            install(CLAUDE, place)
        settings = json.loads((place.home / ".claude/settings.json").read_text())
        folders.append(Path(settings["autoMemoryDirectory"]))
    here, there = folders
    here.mkdir(parents=True)
    (here / "MEMORY.md").write_text("- [Tests](tests.md): how to run them\n")
    (here / "tests.md").write_text("---\nname: tests\n---\n\nRun them with the quokka flag.\n")
    laptop.push()
    desk.push()
    assert (there / "MEMORY.md").read_text() == "- [Tests](tests.md): how to run them\n"
    with desk.memory() as memory:
        assert memory.recall("quokka flag").hits[0].note.writer == "agent"
    (here / "deploy.md").write_text("Deploys run on Fridays.\n")
    (there / "MEMORY.md").write_text(
        "- [Tests](tests.md): how to run them\n- [Style](style.md): tabs\n"
    )
    for device in (laptop, desk, laptop):
        device.push()
    for folder in folders:
        assert "Style" in (folder / "MEMORY.md").read_text()
        assert (folder / "deploy.md").is_file()
