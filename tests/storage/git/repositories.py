"""A plain repository, its history as vaultmem opens it, and the person's own git beside it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from vaultmem.storage.git.commit import CommitDraft
from vaultmem.storage.git.door import History, create

AT = 1_773_230_400_000  # 2026-03-11T12:00:00Z
ITEM = "items/2026/03/11/tea-i-7f3a2kq9xw.md"


class Repo:
    """A folder under git with the person's git at hand."""

    def __init__(self, base: Path, *, init: tuple[str, ...] | None = None) -> None:
        self.root = base / "vault"
        self.state = base / "state"
        self.root.mkdir(parents=True)
        self.state.mkdir()
        if init is None:
            create(self.root)
        else:
            self.git("init", "-q", "-b", "main", *init)

    @property
    def history(self) -> History:
        """Opened anew, as the next command would."""
        return History.open(self.root, self.state)

    def git(self, *words: str, check: bool = True, **env: str) -> str:
        """Standard output of the person's git in the folder."""
        done = subprocess.run(
            ["git", *words],
            cwd=self.root,
            capture_output=True,
            check=False,
            timeout=60,
            env={**os.environ, **env},
        )
        if check and done.returncode:
            raise AssertionError(f"git {' '.join(words)}: {done.stderr.decode()}")
        return done.stdout.decode("utf-8", "surrogateescape")

    def write(self, path: str, text: str | bytes) -> None:
        """A file of the working tree."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())

    def commit(self, files: Mapping[str, str], message: str = "by hand") -> str:
        """The person commits files with their own git."""
        for path, text in files.items():
            self.write(path, text)
        self.git("add", "--", *files)
        self.git("commit", "-q", "-m", message)
        return self.git("rev-parse", "HEAD").strip()

    def record(self, changes: Mapping[str, bytes | None], message: str = "remember: x") -> str:
        """vaultmem writes files and commits them."""
        for path, data in changes.items():
            if data is not None:
                self.write(path, data)
            else:
                (self.root / path).unlink(missing_ok=True)
        history = self.history
        return history.record([draft(changes, message)], expects=history.head())[-1]

    def fsck(self) -> str:
        """What git finds wrong with the repository."""
        return self.git("fsck", "--full", "--strict", "--no-dangling")


def draft(
    changes: Mapping[str, bytes | None], message: str = "remember: x", *, at_ms: int = AT
) -> CommitDraft:
    """A commit to be."""
    return CommitDraft(message=message, at_ms=at_ms, changes=changes)


def children() -> set[str]:
    """Processes of this one, those that ended and were not waited for included."""
    files = Path("/proc/self/task").glob("*/children")
    return {number for file in files for number in file.read_text().split()}
