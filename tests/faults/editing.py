"""An editor that saves files of a vault over and over, in one of the ways that editors have.

    python -m tests.faults.editing KIND COUNT SEED FILE...

in-place  truncate and write; rename  write beside and rename over; backup  rename to x~, write
anew, drop the backup (vim); delete  remove and create. Each save loads the file first, as an
editor that reloads does, and numbers one line in it anew. Prints the name and number of each
save that the next load did not find in the file.
"""

from __future__ import annotations

import os
import random
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

BURST = 20
_PAUSE_SECONDS = 0.12
_MARK = re.compile(r"^saved [\w-]+ (\d+)$", re.MULTILINE)


def mark(file: Path, number: int) -> str:
    """The line that a save of this number leaves in the file."""
    return f"saved {file.stem[:12]} {number}"


def in_place(file: Path, data: bytes) -> None:
    """As most editors on Windows, nano, Obsidian."""
    fd = os.open(file, os.O_WRONLY | os.O_TRUNC)
    os.write(fd, data[: len(data) // 2])
    os.write(fd, data[len(data) // 2 :])
    os.close(fd)


def by_rename(file: Path, data: bytes) -> None:
    """As gedit, VS Code on some systems, sync tools."""
    beside = file.with_name(f".{file.name}.swp")
    beside.write_bytes(data)
    os.replace(beside, file)


def by_backup(file: Path, data: bytes) -> None:
    """As vim with backupcopy=no."""
    backup = file.with_name(file.name + "~")
    os.rename(file, backup)
    file.write_bytes(data)
    os.unlink(backup)


def by_deletion(file: Path, data: bytes) -> None:
    """As a few old tools, and some sync clients."""
    os.unlink(file)
    file.write_bytes(data)


SAVES: dict[str, Callable[[Path, bytes], None]] = {
    "in-place": in_place,
    "rename": by_rename,
    "backup": by_backup,
    "delete": by_deletion,
}


class Edited:
    """One file in an editor."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.number = 0

    def load(self) -> str:
        """Its text; says so when the last save is not in it."""
        text = ""
        for _ in range(1000):
            try:
                text = self.file.read_text()
            except FileNotFoundError:  # the moment in which it is replaced
                text = ""
            if text:
                break
            time.sleep(0.001)
        if self.number and mark(self.file, self.number) not in text.splitlines():
            print(self.file, self.number, flush=True)
        return text

    def save(self, write: Callable[[Path, bytes], None]) -> None:
        """Load, number anew, save."""
        text = self.load()
        self.number += 1
        line = mark(self.file, self.number)
        new = _MARK.sub(line, text, count=1)
        if new == text:
            new = f"{text.rstrip()}\n\n{line}\n"
        try:
            write(self.file, new.encode())
        except FileNotFoundError:
            # It was away for the moment of an exchange without the system's help; nothing saved.
            self.number -= 1


def main() -> None:
    """Save the files in turn, in bursts."""
    kind, count, seed, *names = sys.argv[1:]
    chance = random.Random(int(seed))
    files = [Edited(Path(name)) for name in names]
    for number in range(int(count)):
        files[number % len(files)].save(SAVES[kind])
        time.sleep(chance.random() * (_PAUSE_SECONDS if number % BURST == 0 else 0.001))
    for each in files:
        each.load()


if __name__ == "__main__":
    main()
