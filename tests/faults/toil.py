"""Random work on a vault with every operation that writes, each noted in a ledger."""

from __future__ import annotations

import contextlib
import os
import random
import re
from collections.abc import Callable
from pathlib import Path

from tests.faults.ledger import ANYTHING, Ledger
from vaultmem.api.memory import Memory
from vaultmem.base.errors import VaultmemError
from vaultmem.extract.prepare import Document
from vaultmem.model.ids import blob_oid

_WORDS = ("tabs", "spaces", "tea", "coffee", "rye", "oats", "maple", "trains", "rain", "fog")
_PLACES = ("Porto", "Lisbon", "Graz", "Turku", "Ghent", "Riga", "Bern", "Oulu")
_BULLET = re.compile(r"^- (?:\[.\] )?(.+?) \^(i-\w+)$", re.MULTILINE)


class Toil:
    """One process's work. A person's edits are part of it, by an editor that may sync or not."""

    def __init__(self, root: Path, ledger: Ledger, *, seed: int, syncing_editor: bool) -> None:
        self._root = root
        self._ledger = ledger
        self._random = random.Random(seed)
        self._syncing_editor = syncing_editor

    def forever(self) -> None:
        """Work until killed; a refusal that the program explains is an answer like any other."""
        with Memory(self._root) as memory:
            while True:
                self.one(memory)

    def warm_up(self) -> None:
        """Each operation once: what they import is there for all processes forked later."""
        with Memory(self._root) as memory:
            for _, operation, _ in self._operations():
                with contextlib.suppress(VaultmemError):
                    operation(memory)

    def one(self, memory: Memory) -> None:
        """One random operation, with its acknowledgement."""
        [(name, operation)] = self._random.choices(
            [(name, act) for name, act, _ in self._operations()],
            weights=[weight for _, _, weight in self._operations()],
        )
        self._ledger.begin(name)
        try:
            operation(memory)
        except VaultmemError as refused:
            if refused.exit_code not in (65, 77):  # nothing to undo, a note that is gone
                raise
        self._ledger.acknowledge(head=memory._vault.history.head() or "")

    def _operations(self) -> tuple[tuple[str, Callable[[Memory], object], int], ...]:
        return (
            ("remember", self._remember, 6),
            ("reinforce", self._reinforce, 3),
            ("remember many", self._remember_many, 1),
            ("edit an item, sync", self._edit_item, 3),
            ("edit a stream, sync", self._edit_stream, 4),
            ("supersede, check --fix", self._supersede, 2),
            ("undo", lambda memory: memory.undo(), 3),
            ("restore", self._restore, 2),
            ("reindex", lambda memory: memory.reindex(), 1),
            ("init", self._init, 1),
        )

    def _sentence(self) -> str:
        pick = self._random.choice
        number = self._random.randrange(1_000_000)
        return pick(
            (
                f"I prefer {pick(_WORDS)} over {pick(_WORDS)} {number}.",
                f"I live in {pick(_PLACES)} {number}.",
                f"I am allergic to {pick(_WORDS)} {number}.",
                f"I have to renew passport {number}.",
                f"My dog is called Rex {number}.",
            )
        )

    def _remember(self, memory: Memory) -> None:
        memory.remember(" ".join(self._sentence() for _ in range(self._random.choice((1, 1, 3)))))

    def _reinforce(self, memory: Memory) -> None:
        said = [said for said, _ in self._bullets()] or [self._sentence()]
        memory.remember(f"{self._random.choice(said)} Said again on day {self._random.random()}.")

    def _remember_many(self, memory: Memory) -> None:
        memory.remember_many([Document(text=self._sentence()) for _ in range(3)])

    def _items(self) -> list[Path]:
        return sorted(self._root.glob("items/*/*/*/*.md"))

    def _bullets(self) -> list[tuple[str, str]]:
        return [
            found
            for file in sorted(self._root.glob("streams/*.md"))
            for found in _BULLET.findall(file.read_text())
        ]

    def _edit_item(self, memory: Memory) -> None:
        items = self._items()
        if items:
            file = self._random.choice(items)
            self._save(file, file.read_bytes() + f"\nAdded {self._random.random()}.\n".encode())
        memory.sync()

    def _edit_stream(self, memory: Memory) -> None:
        file = self._root / "streams" / self._random.choice(("identity.md", "tasks.md"))
        text = file.read_text()
        lines = text.splitlines(keepends=True)
        bullets = [number for number, line in enumerate(lines) if _BULLET.match(line)]
        choice = self._random.choice(("add", "add", "reword", "drop", "tick"))
        if choice == "add" or not bullets:
            mark = "- [ ] " if file.stem == "tasks" else "- "
            lines.append(f"{mark}Typed by hand {self._random.randrange(1_000_000)}\n")
        else:
            at = self._random.choice(bullets)
            if choice == "drop":
                del lines[at]
            elif choice == "tick":
                lines[at] = lines[at].replace("- [ ]", "- [x]")
            else:
                lines[at] = lines[at].replace(" ^i-", " indeed ^i-")
        self._save(file, "".join(lines).encode())
        memory.sync()

    def _supersede(self, memory: Memory) -> None:
        """The person links two items one way; `check --fix` links them both ways."""
        items = self._items()
        if len(items) > 1:
            new, old = self._random.sample(items, 2)
            data = new.read_bytes()
            if b"\nsupersedes:" not in data and old.stem.encode() not in data:
                link = f'---\nsupersedes:\n  - "[[{old.stem}]]"\n'.encode()
                self._save(new, link + data.removeprefix(b"---\n"))
        memory.check(fix=True)

    def _restore(self, memory: Memory) -> None:
        items = self._items()
        if items:
            memory.history.restore(self._random.choice(items).stem)

    def _init(self, memory: Memory) -> None:
        """The person threw a file of the template away; `init` brings it back."""
        self._remove(self._root / "streams/projects.md")
        Memory.init(self._root)

    def _save(self, file: Path, data: bytes) -> None:
        """As an editor does: a new file that takes the old one's name, or the file itself."""
        path = file.relative_to(self._root).as_posix()
        in_place = not self._syncing_editor and self._random.random() < 0.5
        intent = blob_oid(data) if self._syncing_editor else ANYTHING
        self._ledger.intend({path: intent})
        target = file if in_place else self._root.with_name(f"{self._root.name}.editor")
        with open(target, "wb") as opened:
            opened.write(data)
            opened.flush()
            if self._syncing_editor:
                os.fsync(opened.fileno())
        if not in_place:
            os.replace(target, file)

    def _remove(self, file: Path) -> None:
        self._ledger.intend({file.relative_to(self._root).as_posix(): None})
        file.unlink(missing_ok=True)
