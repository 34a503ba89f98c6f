"""Vaults whose commits are made with plain git, at times that a test names."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from vaultmem.api.memory import Memory
from vaultmem.history import versions as past
from vaultmem.language.time import parse_instant
from vaultmem.model.past_versions import Version

ID = "i-aaaaaaaaaa"
NOTE = f"items/2026/03/11/tea-{ID}.md"


def note(statement: str, *, id_: str = ID, keys: str = "") -> str:
    """An item as a person would write it."""
    name = f"id: {id_}\n" if id_ else ""
    return f'---\n{name}kind: fact\nsource: "[[letter]]"\n{keys}---\n\n{statement}\n'


class HandMade:
    """A vault whose commits are made with plain git, at times that the test names."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def git(self, *words: str, at: str = "2026-03-12T09:00:00Z", stdin: Path | None = None) -> str:
        seconds = f"{parse_instant(at) // 1000} +0000"
        environment = {**os.environ, "GIT_COMMITTER_DATE": seconds, "GIT_AUTHOR_DATE": seconds}
        done = subprocess.run(
            ["git", *words],
            cwd=self.root,
            env=environment,
            check=True,
            capture_output=True,
            input=None if stdin is None else stdin.read_bytes(),
            timeout=60,
        )
        return done.stdout.decode().strip()

    def commit(self, at: str, files: dict[str, str | None], message: str = "by hand") -> str:
        """Write the files (None: take them away) and commit all; the id."""
        for path, text in files.items():
            file = self.root / path
            if text is None:
                file.unlink()
            else:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message, at=at)
        return self.git("rev-parse", "HEAD")

    def versions(self, *, id: str = "", path: str = "") -> tuple[Version, ...]:
        with Memory(self.root) as memory:
            return past.level(memory.opened).versions(id=id, path=path)

    def dump(self) -> dict[str, object]:
        """The past after an update, which has to be that of a fresh build, in batches or whole."""
        with Memory(self.root) as memory:
            updated = past.searchable(memory.opened).dump()
            past.drop(memory.opened)
            fresh = past.searchable(memory.opened).dump()
            past.drop(memory.opened)
            past.level(memory.opened, batch=2)
            in_batches = past.searchable(memory.opened).dump()
        assert updated == fresh == in_batches
        return updated


def at(text: str) -> int:
    return parse_instant(text)
