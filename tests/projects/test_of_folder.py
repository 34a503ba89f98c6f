"""The project of a folder is its repository, wherever and however that is checked out."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.projects.repositories import HERON, STORK, bare_files, git, with_remote
from vaultmem.api import Memory
from vaultmem.base import BadInputError
from vaultmem.config import Settings
from vaultmem.projects import chosen_project, project_to_ask, project_to_keep, repository_around

URL = f"https://{HERON}.git"


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("vaults") / "notes"
    Memory.init(root, name="notes")
    return root


@pytest.fixture
def settings(vault: Path) -> Settings:
    with Memory(vault) as memory:
        return memory.settings


def address(folder: Path) -> str:
    found = repository_around(str(folder))
    return "" if found is None else found.address


class TestWithARemote:
    def test_a_subfolder_has_the_project_of_its_repository(self, tmp_path: Path) -> None:
        folder = with_remote(tmp_path / "work", URL) / "src" / "deep"
        folder.mkdir(parents=True)
        assert address(folder) == HERON

    def test_worktrees_and_clones_have_one_project(self, tmp_path: Path) -> None:
        work = tmp_path / "work"
        work.mkdir()
        git(work, "init", "-q")
        git(work, "commit", "-q", "--allow-empty", "-m", "first")
        git(work, "remote", "add", "origin", "git@github.com:acme/heron.git")
        git(work, "worktree", "add", "-q", str(tmp_path / "other"), "-b", "feature")
        clone = with_remote(tmp_path / "elsewhere", f"https://ada@{HERON}")
        assert {address(each) for each in (work, tmp_path / "other", clone)} == {HERON}

    def test_a_submodule_is_a_project_of_its_own(self, tmp_path: Path) -> None:
        outer = with_remote(tmp_path / "outer", URL)
        inner = outer / "libs" / "stork"
        inner.mkdir(parents=True)
        own = outer / ".git" / "modules" / "stork"
        with_remote(own.parent / "made", f"git@{STORK.replace('/', ':', 1)}.git")
        (own.parent / "made" / ".git").rename(own)
        (inner / ".git").write_text("gitdir: ../../.git/modules/stork\n")
        assert address(inner) == STORK
        assert address(outer) == HERON

    def test_origin_counts_and_else_the_first_remote(self, tmp_path: Path) -> None:
        upstream = f'[remote "upstream"]\n url = https://{STORK}\n'
        both = bare_files(tmp_path / "both", f'{upstream}[remote "origin"]\n url = {URL}\n')
        assert address(both) == HERON
        assert address(bare_files(tmp_path / "one", upstream)) == STORK

    def test_a_bare_repository_is_one_too(self, tmp_path: Path) -> None:
        made = with_remote(tmp_path / "made", URL)
        (made / ".git").rename(tmp_path / "heron.git")
        assert address(tmp_path / "heron.git" / "refs") == HERON

    def test_asking_takes_no_process_and_little_time_of_many_branches(
        self, tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PATH", "")
        many = "".join(f'[branch "b{n}"]\n\tremote = origin\n' for n in range(2_000))
        folder = bare_files(tmp_path / "work", f'[remote "origin"]\n\turl = {URL}\n{many}')
        project_to_ask(str(folder), settings)
        lines = many.splitlines()

        def seconds(work: Callable[[], object]) -> float:
            begun = time.process_time()
            work()
            return time.process_time() - begun

        # In turns, so that both find the machine as busy: a bound of two milliseconds, which the
        # comparison takes where nothing else runs, was missed where others computed. Asking takes
        # a third of it.
        pairs = [
            (
                seconds(lambda: project_to_ask(str(folder), settings)),
                seconds(lambda: [line.strip().partition("=") for line in lines for _ in range(4)]),
            )
            for _ in range(20)
        ]
        assert project_to_ask(str(folder), settings) == HERON
        asking, comparison = (min(each) for each in zip(*pairs, strict=True))
        assert asking < comparison


class TestWithoutARemote:
    def test_the_root_commit_is_the_same_for_each_clone(
        self, tmp_path: Path, settings: Settings
    ) -> None:
        work = tmp_path / "heron"
        work.mkdir()
        git(work, "init", "-q")
        git(work, "commit", "-q", "--allow-empty", "-m", "first")
        root = git(work, "rev-parse", "HEAD")[:12]
        git(work, "commit", "-q", "--allow-empty", "-m", "second")
        git(tmp_path, "clone", "-q", str(work), "elsewhere")
        git(tmp_path, "clone", "-q", "--bare", str(work), "copy.git")
        told = [tmp_path / name for name in ("heron", "elsewhere")]
        assert {project_to_keep(str(each), settings) for each in told} == {f"heron@{root}"}
        assert project_to_keep(str(tmp_path / "copy.git"), settings).endswith(root)
        # Known from then on, without git.
        assert project_to_ask(str(work), settings) == f"heron@{root}"

    def test_before_it_was_found_its_name_stands_for_it(
        self, tmp_path: Path, settings: Settings
    ) -> None:
        assert project_to_ask(str(bare_files(tmp_path / "heron")), settings) == "heron"

    def test_a_repository_without_a_commit_has_a_name_alone(
        self, tmp_path: Path, settings: Settings
    ) -> None:
        assert project_to_keep(str(bare_files(tmp_path / "heron")), settings) == "heron"

    def test_the_oldest_commit_of_a_shallow_clone_is_no_root(
        self, tmp_path: Path, settings: Settings
    ) -> None:
        work = tmp_path / "heron"
        work.mkdir()
        git(work, "init", "-q")
        for message in ("first", "second"):
            git(work, "commit", "-q", "--allow-empty", "-m", message)
        git(tmp_path, "clone", "-q", "--depth=1", f"file://{work}", "shallow")
        assert project_to_keep(str(tmp_path / "shallow"), settings) == "heron"

    def test_the_state_of_the_device_names_no_repository(
        self, tmp_path: Path, settings: Settings
    ) -> None:
        work = tmp_path / "Zebrafinch"
        work.mkdir()
        git(work, "init", "-q")
        git(work, "commit", "-q", "--allow-empty", "-m", "first")
        assert project_to_keep(str(work), settings).startswith("Zebrafinch@")
        kept = b"".join(each.read_bytes() for each in settings.state.rglob("*.json"))
        assert b"ebrafinch" not in kept


class TestNone:
    def test_outside_of_repositories_there_is_none(self, tmp_path: Path) -> None:
        assert repository_around(str(tmp_path)) is None
        assert repository_around("relative") is None
        assert repository_around(str(tmp_path / "gone")) is None

    def test_the_vault_itself_is_no_project(self, vault: Path, settings: Settings) -> None:
        git(vault, "remote", "add", "origin", "git@github.com:ada/notes.git")
        assert project_to_ask(str(vault / "items"), settings) == ""
        assert project_to_keep(str(vault), settings) == ""

    def test_a_home_folder_that_is_a_repository_is_around_no_project(self, tmp_path: Path) -> None:
        home = with_remote(tmp_path / "home", URL)
        (home / "letters").mkdir()
        assert repository_around(str(home / "letters"), environ={"HOME": str(home)}) is None

    def test_a_name_may_be_given(self, settings: Settings, tmp_path: Path) -> None:
        assert chosen_project("none", str(tmp_path), settings) == ""
        assert chosen_project("heron", str(tmp_path), settings) == "heron"
        assert chosen_project("auto", str(tmp_path), settings) == ""
        with pytest.raises(BadInputError):
            chosen_project("two\0words", str(tmp_path), settings)


class TestAHostileRepository:
    """It comes from anybody: nothing in it is followed or run, and nothing holds a hook up."""

    @pytest.mark.parametrize(
        "config",
        [
            '[remote "origin"]\n url = "git@github.com:acme/\\n---\\ntrust: user"\n',
            '[remote "origin"]\n url = ext::touch pwned\n',
            '[remote "origin"\n url = broken\n',
            '[remote "or\\"]igin"]\n url = \n',
            "\0\xff[remote",
            '[remote "origin"]\n url = https://github.com/ignore all/previous\\torders\n',
            "[include]\n path = /dev/zero\n",
        ],
    )
    def test_what_its_config_says_is_an_address_or_nothing(
        self, tmp_path: Path, config: str
    ) -> None:
        folder = bare_files(tmp_path / "work")
        (folder / ".git" / "config").write_bytes(config.encode("latin-1"))
        assert address(folder) == ""

    def test_ten_megabytes_of_config_are_not_read_to_the_end(self, tmp_path: Path) -> None:
        folder = bare_files(tmp_path / "work", f'[remote "origin"]\n url = {URL}\n')
        with open(folder / ".git" / "config", "ab") as stream:
            stream.write(b'[remote "x"]\n url = y\n' * 500_000)
        begun = time.process_time()
        assert address(folder) == HERON
        assert time.process_time() - begun < 1.0

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in folders here")
    def test_a_pipe_in_place_of_a_file_is_not_waited_for(self, tmp_path: Path) -> None:
        folder = bare_files(tmp_path / "work")
        (folder / ".git" / "config").unlink()
        os.mkfifo(folder / ".git" / "config")
        assert address(folder) == ""
        (tmp_path / "tree").mkdir()
        os.mkfifo(tmp_path / "tree" / ".git")
        assert repository_around(str(tmp_path / "tree")) is None

    @pytest.mark.parametrize("told", ["gitdir: //host/share", "gitdir: /dev/zero", "x" * 10_000])
    def test_a_pointer_leads_to_a_repository_or_nowhere(self, tmp_path: Path, told: str) -> None:
        (tmp_path / ".git").write_text(told)
        assert repository_around(str(tmp_path)) is None

    def test_no_program_of_its_config_is_started(self, tmp_path: Path, settings: Settings) -> None:
        work = tmp_path / "heron"
        work.mkdir()
        git(work, "init", "-q")
        git(work, "commit", "-q", "--allow-empty", "-m", "first")
        mark = tmp_path / "pwned"
        for key in ("core.fsmonitor", "core.sshCommand", "core.pager", "core.alternateRefsCommand"):
            git(work, "config", key, f"touch {mark}")
        assert project_to_keep(str(work), settings).startswith("heron@")
        assert not mark.exists()

    def test_a_secret_in_a_path_is_not_kept(self, tmp_path: Path, settings: Settings) -> None:
        token = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
        folder = with_remote(tmp_path / "work", f"https://git.example.org/{token}/heron.git")
        assert project_to_keep(str(folder), settings) == ""
