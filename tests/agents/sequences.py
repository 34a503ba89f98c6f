"""Random sequences of commands of the memory tool, and trees to compare after each.

A sequence is made step by step by what lies in the folder just then: most commands hit something.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

NAMES = (
    *("a.md", "b.md", "c.txt", "notes", "deep", "x.json", "zürich.md", "日本語.md", "two words.md"),
    *("tea😀.md", "%2e%2e", "%00.md", "a", "b", "MEMORY.md", "no-ending", "é", "....md"),
)
HOSTILE_NAMES = (
    *(".hidden", ".git", "con.md", "NUL", "a\\b.md", "a:b", "end.", "end ", "what?.md", "x.tmp"),
    *("line\nend.md", "tab\t.md", "z" * 256, "zero\0.md", "\ud800.md", "A.MD", "note.md~"),
)
HOSTILE_PATHS = (
    *("/etc/passwd", "", "memories/a.md", "/memories/../x.md", "/memories/../../../etc/x", "/mem"),
    *("/memories/a/../../x", "/memories..", "/memories/..", "/memories/deep/../../memories2/x"),
    *("/memories../x", "/MEMORIES/a.md", "\0", "/memories/\0"),
)
LINES = (
    *("", "the user likes tea", "\tindented\twith tabs", "zwölf 日本 😀", "# Heading", "x" * 3_000),
    *("carriage\r", "a\u2028b", "same", "same", "    ", "- a list", "%2e%2e/", "last"),
)


def tree_of(folder: Path) -> dict[str, bytes | None]:
    """Bytes of each file below a folder by path; None for a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


class Maker:
    """Makes the next command for the folder as it is."""

    def __init__(self, seed: int, folder: Path) -> None:
        self._random = random.Random(seed)
        self._folder = folder

    def command(self) -> dict[str, Any]:
        name = self._random.choices(
            ("view", "create", "str_replace", "insert", "delete", "rename"),
            weights=(20, 30, 18, 14, 7, 11),
        )[0]
        made: dict[str, Any] = {"command": name}
        if name == "rename":
            return made | {"old_path": self._path(there=0.85), "new_path": self._path(there=0.15)}
        made["path"] = self._path(there={"create": 0.1}.get(name, 0.85))
        if name == "view":
            made |= {"view_range": self._range()} if self._random.random() < 0.4 else {}
        elif name == "create":
            made["file_text"] = self._text()
        elif name == "insert":
            made |= {"insert_line": self._random.randint(-1, 6), "insert_text": self._text()}
        elif name == "str_replace":
            made |= {"old_str": self._part_of(made["path"]), "new_str": self._text()}
        return made

    def _path(self, *, there: float) -> str:
        chance = self._random.random()
        if chance < 0.05:
            return self._random.choice(HOSTILE_PATHS)
        found = sorted(path.relative_to(self._folder).as_posix() for path in self._paths())
        if found and self._random.random() < there:
            inside = self._random.choice(found)
        else:
            above = [path for path in found if (self._folder / path).is_dir()] or [""]
            parts = [self._random.choice(above)] if self._random.random() < 0.5 else []
            parts += self._random.choices(NAMES, k=self._random.choice((1, 1, 1, 2, 3)))
            if self._random.random() < 0.08:
                parts[-1] = self._random.choice(HOSTILE_NAMES)
            inside = "/".join(part for part in parts if part)
        return self._written(inside)

    def _written(self, inside: str) -> str:
        """The path in one of the ways in which a model may write it."""
        ways = (
            f"/memories/{inside}",
            f"/memories//{inside}",
            f"/memories/./{inside}",
            f"/memories/{inside}/",
            f"/memories/a/../{inside}",
            f"/memories{inside}",
            f"/memories/../memories/{inside}",
            "/memories",
            "/memories/",
        )
        return self._random.choices(ways, weights=(90, 2, 2, 2, 2, 1, 1, 2, 1))[0]

    def _paths(self) -> list[Path]:
        return list(self._folder.rglob("*"))

    def _text(self) -> str:
        lines = self._random.choices(LINES, k=self._random.choice((0, 1, 1, 2, 3, 6)))
        return self._random.choice(("\n", "\n", "\n", "\r\n")).join(lines) + self._random.choice(
            ("", "\n", "\n", "\n\n")
        )

    def _part_of(self, path: str) -> str:
        """Mostly a piece of the file: a line, some characters, nothing."""
        file = self._folder / path.removeprefix("/memories").strip("/")
        text = ""
        if "\0" not in path and "\ud800" not in path and len(path) < 200 and file.is_file():
            text = file.read_bytes().decode()
        chance = self._random.random()
        if not text or chance < 0.1:
            return self._random.choice(("", "same", "is not there", "\n", "aa"))
        if chance < 0.5:
            return self._random.choice(text.split("\n"))
        start = self._random.randrange(len(text))
        return text[start : start + self._random.choice((1, 2, 10, 500))]

    def _range(self) -> list[int]:
        return self._random.choice(
            ([1, -1], [2, 3], [0, 2], [5, 1], [-3, 2], [1, -2], [3], [], [2, 900], [1, 1], [4, -1])
        )
