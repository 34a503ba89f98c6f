"""Nothing is written through a link: each folder below `.git` in turn leads elsewhere."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.conftest import Git
from vaultmem.__main__ import main
from vaultmem.api.memory import Memory
from vaultmem.base.errors import HistoryError

pytestmark = pytest.mark.skipif(os.name == "nt", reason="links need a right there")

FOLDERS = (
    *("objects", "objects/pack", "objects/info", "objects/ab", "refs", "refs/heads", "refs/tags"),
    *("refs/heads/work", "logs", "logs/refs", "logs/refs/heads", "vaultmem"),
)


def lead_away(place: Path, target: Path) -> None:
    """Move a folder elsewhere and leave a link to it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if place.exists():
        shutil.move(place, target)
    else:
        target.mkdir()
    place.symlink_to(target)


def content(folder: Path) -> dict[str, bytes]:
    files = (file for file in sorted(folder.rglob("*")) if file.is_file())
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


@pytest.fixture
def linked(root: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """What the link leads to; the vault knows one text."""
    with Memory(root) as memory:
        memory.remember("I prefer tea over coffee.")
    remote = tmp_path / "remote"
    shutil.copytree(root, remote)
    assert main(["--vault", str(root), "remote", "set", str(remote)]) == 0
    target = tmp_path / "elsewhere" / "folder"
    lead_away(root / ".git" / request.param, target)
    return target


WRITES: tuple[tuple[str, ...], ...] = (
    ("remember", "My sister lives in Oslo."),
    ("undo",),
    ("forget", "--purge", "--match", "over coffee", "--yes"),
    ("check", "--fix"),
    ("pull",),
)


@pytest.mark.parametrize(
    ("linked", "name"), [(name, name) for name in FOLDERS], indirect=["linked"], ids=FOLDERS
)
def test_no_command_writes_through_a_link(
    linked: Path, name: str, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = content(linked)
    notes = content(root / "items")
    for words in WRITES:
        capsys.readouterr()
        code = main(["--vault", str(root), *words])
        err = capsys.readouterr().err
        assert code not in (0, 70), words
        assert f"'.git/{name}' is a link" in err, (words, err)
        assert "hint: " in err
        assert content(linked) == before, words
        assert content(root / "items") == notes, words
    note = next((root / "items").rglob("*.md"))
    note.write_bytes(note.read_bytes() + b"\nAn edit.\n")
    assert main(["--vault", str(root), "sync"]) != 0
    assert content(linked) == before


@pytest.mark.parametrize(
    ("linked", "name"), [(name, name) for name in FOLDERS], indirect=["linked"], ids=FOLDERS
)
def test_what_was_remembered_is_still_answered(
    linked: Path, name: str, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--vault", str(root), "recall", "tea or coffee?"]) == 0
    assert "tea" in capsys.readouterr().out
    assert main(["--vault", str(root), "check"]) == 1
    assert f"'.git/{name}' is a link" in " ".join(capsys.readouterr().out.split())


def test_a_git_folder_that_is_a_link_or_a_file_is_refused(root: Path, tmp_path: Path) -> None:
    lead_away(root / ".git", tmp_path / "elsewhere")
    with pytest.raises(HistoryError, match="is a link"):
        Memory(root).remember("I like jazz.")
    (root / ".git").unlink()
    (root / ".git").write_text(f"gitdir: {tmp_path / 'elsewhere'}\n", "utf-8")
    with pytest.raises(HistoryError, match="is a file that points"):
        Memory(root).remember("I like jazz.")


def test_an_ordinary_repository_of_git_has_no_link(root: Path, git: Git) -> None:
    git("branch", "work/of/mine")
    git("gc", "-q")
    with Memory(root) as memory:
        memory.remember("I like jazz.")
        assert not memory.check(deep=True).problems
