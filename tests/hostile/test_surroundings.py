"""What is around a vault - variables, the current folder, owners - misleads no command."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.hostile.planting import VECTORS, Place
from vaultmem.api.memory import Memory

PROJECT = Path(__file__).parents[2]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "vault"
    Memory.init(root)
    with Memory(root) as memory:
        memory.remember("I like tea in the morning.")
    return root


def vaultmem(
    *words: str, folder: Path, variables: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "vaultmem", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(PROJECT), **(variables or {})},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", *words], cwd=folder, check=True, capture_output=True, text=True, timeout=60
    )
    return done.stdout


def test_151_variables_of_git_lead_nowhere(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q", "-b", "main")
    (other / "a.txt").write_text("theirs\n")
    git(other, "add", "a.txt")
    git(other, "commit", "-qm", "theirs")
    marks = tmp_path / "marks"
    marks.mkdir()
    evil = tmp_path / "evil"
    evil.write_text(f'#!/bin/sh\ntouch "{marks}/$$"\n')
    evil.chmod(0o755)
    variables = {
        "GIT_DIR": str(other / ".git"),
        "GIT_WORK_TREE": str(other),
        "GIT_INDEX_FILE": str(other / ".git/index"),
        "GIT_OBJECT_DIRECTORY": str(other / ".git/objects"),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(other / ".git/objects"),
        "GIT_NAMESPACE": "x",
        "GIT_CEILING_DIRECTORIES": "/",
        "GIT_SSH_COMMAND": str(evil),
        "GIT_EXTERNAL_DIFF": str(evil),
        "GIT_PROXY_COMMAND": str(evil),
        "GIT_ASKPASS": str(evil),
        "GIT_PAGER": str(evil),
        "GIT_EXEC_PATH": str(tmp_path),
        "GIT_TEMPLATE_DIR": str(tmp_path),
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.fsmonitor",
        "GIT_CONFIG_VALUE_0": str(evil),
    }
    before = git(other, "rev-parse", "HEAD"), git(other, "status", "--porcelain")
    for words in (("remember", "I live in Graz."), ("sync",), ("check",), ("log",), ("undo",)):
        done = vaultmem(*words, folder=root, variables=variables)
        assert done.returncode == 0, (words, done.stderr)
    assert (git(other, "rev-parse", "HEAD"), git(other, "status", "--porcelain")) == before
    assert git(root, "log", "--format=%s", "-1").startswith("undo")
    assert list(marks.iterdir()) == []


@pytest.mark.parametrize("folder", ["items", "streams", "items/sub", "items/sub/hooks", ".git"])
def test_the_current_folder_is_no_repository_to_use(
    root: Path, tmp_path: Path, folder: str
) -> None:
    """With a hostile bare repository below `items`, from inside each folder."""
    marks = tmp_path / "marks"
    marks.mkdir()
    evil = tmp_path / "evil"
    evil.write_text(f'#!/bin/sh\ntouch "{marks}/$$"\n')
    evil.chmod(0o755)
    VECTORS["142-nested-bare"](Place(root, evil, "127.0.0.1:9"))
    for words in (("remember", "I live in Graz."), ("log",), ("check",), ("recall", "tea")):
        done = vaultmem("--vault", str(root), *words, folder=root / folder)
        assert done.returncode == 0, (words, done.stderr)
    assert list(marks.iterdir()) == []


def test_a_folder_inside_a_repository_is_no_vault_of_it(root: Path) -> None:
    """T7: nothing is ever looked for upwards."""
    done = vaultmem("status", folder=root / "items")
    assert done.returncode != 0
    assert "no vault" in done.stderr
    assert "hint:" in done.stderr


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root to chown")
def test_150_a_foreign_owner_is_refused_by_every_command(root: Path) -> None:
    for path in (root / ".git", *(root / ".git").rglob("*")):
        os.chown(path, 12345, 12345, follow_symlinks=False)
    for words in (("remember", "I live in Graz."), ("recall", "tea"), ("sync",), ("check",)):
        done = vaultmem(*words, folder=root)
        assert done.returncode not in (0, 70), words
        assert "belongs to" in done.stderr
        assert "chown" in done.stderr


def test_149_a_git_file_that_points_elsewhere(root: Path, tmp_path: Path) -> None:
    (root / ".git").rename(tmp_path / "elsewhere.git")
    (root / ".git").write_text(f"gitdir: {tmp_path}/elsewhere.git\n")
    for words in (("remember", "I live in Graz."), ("recall", "tea")):
        done = vaultmem(*words, folder=root)
        assert done.returncode not in (0, 70), words
        assert "hint:" in done.stderr


def test_settings_of_a_vault_redirect_nothing(root: Path) -> None:
    """T15, T16: endpoints, keys, remotes and commands come from the person's own file only."""
    settings = root / "vaultmem.toml"
    settings.write_text(
        settings.read_text()
        + '\n[llm]\nendpoint = "http://127.0.0.1:9/v1"\nkey = "sk-x"\n'
        + '[remotes]\norigin = "http://127.0.0.1:9/x.git"\n[commands]\neditor = "evil"\n'
        + '[secrets]\ntyped = "allow"\nimported = "allow"\n'
    )
    done = vaultmem("config", "--json", folder=root)
    assert done.returncode == 0, done.stderr
    for planted in ("127.0.0.1:9", "sk-x", "evil"):
        assert planted not in done.stdout
    said = vaultmem("check", folder=root)
    for section in ("llm", "remotes", "commands", "secrets"):
        assert section in said.stdout + said.stderr
