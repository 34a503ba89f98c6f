"""A vault from a stranger: whatever its `.git` says, working with it runs nothing of it.

Each vector plants a program that leaves a mark when it runs. `test_the_trap_works` shows with
plain git that the traps are live.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.storage.git.repositories import ITEM, Repo
from vaultmem.base.errors import HistoryError
from vaultmem.storage.git.door import History

HOOKS = (
    *("pre-commit", "post-commit", "commit-msg", "prepare-commit-msg", "pre-auto-gc"),
    *("post-index-change", "reference-transaction", "post-rewrite", "pre-push", "post-checkout"),
    *("update", "post-update", "pre-receive", "fsmonitor-watchman", "post-merge", "sendemail"),
)


class Trap:
    """A repository with history, and a program that leaves marks in a folder outside it."""

    def __init__(self, base: Path) -> None:
        self.repo = Repo(base)
        self.repo.record({ITEM: b"I like tea.\n", "items/b.md": b"x\n"})
        self.marks = base / "marks"
        self.marks.mkdir()
        self.program = base / "evil.sh"
        self.program.write_text(f'#!/bin/sh\ntouch "{self.marks}/$$"\ncat 2>/dev/null\nexit 0\n')
        self.program.chmod(0o755)

    def config(self, text: str, name: str = ".git/config") -> None:
        with open(self.repo.root / name, "a", encoding="utf-8") as file:
            file.write(text.replace("EVIL", str(self.program)))

    def hook(self, folder: Path, name: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).symlink_to(self.program)

    def sprung(self) -> int:
        return len(list(self.marks.iterdir()))


def _hooks(trap: Trap) -> None:
    for name in HOOKS:
        trap.hook(trap.repo.root / ".git/hooks", name)


def _hooks_path(trap: Trap) -> None:
    for name in HOOKS:
        trap.hook(trap.repo.root / "items/hooks", name)
    trap.config(f"[core]\nhooksPath = {trap.repo.root}/items/hooks\n")


def _include(trap: Trap) -> None:
    trap.config("[core]\nfsmonitor = EVIL\n", name="items/extra")
    trap.config(f"[include]\npath = {trap.repo.root}/items/extra\n")


def _config_worktree(trap: Trap) -> None:
    trap.config("[extensions]\nworktreeConfig = true\n")
    trap.config("[core]\nfsmonitor = EVIL\n", name=".git/config.worktree")


def _attributes(rule: str) -> Callable[[Trap], None]:
    def plant(trap: Trap) -> None:
        trap.repo.write(".gitattributes", rule)
        trap.repo.write("items/.gitattributes", rule)
        trap.repo.write(".git/info/attributes", rule)
        trap.config('[filter "x"]\nclean = EVIL\nsmudge = EVIL\nrequired = true\n')
        trap.config('[filter "p"]\nprocess = EVIL\n[diff "x"]\ntextconv = EVIL\n')
        trap.config('[diff "c"]\ncommand = EVIL\n[merge "x"]\ndriver = EVIL\n')

    return plant


def _setting(text: str) -> Callable[[Trap], None]:
    return lambda trap: trap.config(text)


def _worktree(trap: Trap) -> None:
    trap.config(f"[core]\nworktree = {trap.marks}\n")


VECTORS: dict[str, Callable[[Trap], None]] = {
    "118-hooks": _hooks,
    "119-hooks-path": _hooks_path,
    "120-fsmonitor": _setting("[core]\nfsmonitor = EVIL\nfsmonitorHookVersion = 2\n"),
    "121-include": _include,
    "122-config-worktree": _config_worktree,
    "123-gpg": _setting("[commit]\ngpgSign = true\n[gpg]\nprogram = EVIL\n"),
    "124-ssh-key-command": _setting(
        '[commit]\ngpgSign = true\n[gpg]\nformat = ssh\n[gpg "ssh"]\ndefaultKeyCommand = EVIL\n'
    ),
    "125-show-signature": _setting("[log]\nshowSignature = true\n[gpg]\nprogram = EVIL\n"),
    "126-filter": _attributes("* filter=x\n"),
    "127-filter-process": _attributes("* filter=p\n"),
    "128-textconv": _attributes("* diff=x\n"),
    "129-diff-command": _attributes("* diff=c\n"),
    "130-diff-external": _setting("[diff]\nexternal = EVIL\n"),
    "131-merge-driver": _attributes("* merge=x\n"),
    "132-ssh-command": _setting("[core]\nsshCommand = EVIL\ngitProxy = EVIL\n"),
    "133-upload-pack": _setting('[remote "origin"]\nurl = .\nuploadpack = EVIL\n'),
    "134-credential-helper": _setting("[credential]\nhelper = EVIL\n[core]\naskPass = EVIL\n"),
    "135-alternate-refs": _setting("[core]\nalternateRefsCommand = EVIL\n"),
    "136-aliases": _setting("[alias]\ncat-file = !EVIL\nlog = !EVIL\nfast-import = !EVIL\n"),
    "137-editor-and-pager": _setting("[core]\neditor = EVIL\npager = EVIL\n[pager]\nlog = EVIL\n"),
    "138-trailer": _setting('[trailer "Vaultmem-Op"]\ncommand = EVIL\ncmd = EVIL\n'),
    "139-worktree": _worktree,
    "140-fetch-by-ext": _setting(
        '[protocol "ext"]\nallow = always\n[remote "origin"]\nurl = ext::EVIL\n'
    ),
    "141-gc-hook": _setting("[gc]\nrecentObjectsHook = EVIL\nauto = 1\n"),
}


@pytest.fixture
def trap(tmp_path: Path) -> Trap:
    return Trap(tmp_path)


def _use(history: History, repo: Repo) -> None:
    """Everything that the program asks of git."""
    head = history.head()
    repo.write("items/b.md", "y\n")
    oid = repo.record({ITEM: b"I like coffee.\n", "items/new.md": b"new\n"})
    assert history.head() == oid
    assert head is not None
    history.log(limit=5, paths=["items"])
    history.log(limit=5, op="remember")
    history.versions("items/new.md")
    history.tree(oid)
    history.changed_blobs(head, oid)
    history.text_at(oid, ITEM)
    dict(history.blobs(history.tree(oid).values()))
    history.staged_paths()
    history.settle_index()
    history.resolve("HEAD~1")
    history.exists(head)
    history.tidy()
    history.damage(deep=True)
    history.odd_settings()


@pytest.mark.parametrize("vector", sorted(VECTORS))
def test_nothing_of_it_runs(trap: Trap, vector: str) -> None:
    VECTORS[vector](trap)
    _use(trap.repo.history, trap.repo)
    assert trap.sprung() == 0
    assert trap.repo.history.text_at(trap.repo.history.head() or "", "items/new.md") == b"new\n"


def test_142_a_bare_repository_among_the_notes(trap: Trap, monkeypatch: pytest.MonkeyPatch) -> None:
    nested = trap.repo.root / "items/sub"
    nested.mkdir()
    trap.repo.git("init", "-q", "--bare", str(nested))
    trap.config("[core]\nfsmonitor = EVIL\nbare = false\nworktree = .\n", name="items/sub/config")
    for name in HOOKS:
        trap.hook(nested / "hooks", name)
    monkeypatch.chdir(nested)
    _use(trap.repo.history, trap.repo)
    assert trap.sprung() == 0


def test_the_environment_of_the_person_is_not_passed_on(
    trap: Trap, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GIT_SSH", "GIT_SSH_COMMAND", "GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_EDITOR"):
        monkeypatch.setenv(name, str(trap.program))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.fsmonitor")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(trap.program))
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", f"'core.fsmonitor={trap.program}'")
    oid = trap.repo.record({ITEM: b"I like coffee.\n"})
    trap.repo.history.staged_paths()
    assert trap.repo.history.head() == oid
    assert trap.sprung() == 0


def test_the_trap_works(trap: Trap) -> None:
    """The same repository under plain git runs the planted programs."""
    for vector in ("118-hooks", "120-fsmonitor", "126-filter"):
        VECTORS[vector](trap)
    trap.repo.write("items/c.md", "c\n")
    trap.repo.git("status", check=False)
    trap.repo.git("add", "items/c.md", check=False)
    assert trap.sprung() >= 2


def test_objects_of_others_are_not_replaced(trap: Trap) -> None:
    oid = trap.repo.history.head() or ""
    blob = trap.repo.history.tree(oid)[ITEM]
    other = trap.repo.history.tree(oid)["items/b.md"]
    trap.repo.git("replace", blob, other)
    assert trap.repo.git("show", f"{oid}:{ITEM}") == "x\n"
    assert trap.repo.history.text_at(oid, ITEM) == b"I like tea.\n"


def test_a_reference_behind_a_link_is_not_read(trap: Trap, tmp_path: Path) -> None:
    heads = trap.repo.root / ".git/refs/heads"
    heads.rename(tmp_path / "outside")
    heads.symlink_to(tmp_path / "outside")
    with pytest.raises(HistoryError):
        trap.repo.history.head()
    assert os.listdir(tmp_path / "outside") == ["main"]
