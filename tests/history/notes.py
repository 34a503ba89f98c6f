"""Items as a person writes them, and a clock that stands where a test puts it."""

from __future__ import annotations

from pathlib import Path

from vaultmem.api.memory import Memory
from vaultmem.language.time import format_instant, parse_instant

DAY = 86_400_000
MONDAY = parse_instant("2026-02-02T09:00:00Z")


class SetClock:
    """Stands still, so that record times can be named exactly."""

    def __init__(self, at: int = MONDAY) -> None:
        self.at = at

    def now(self) -> int:
        return self.at


def item(
    id_: str,
    statement: str,
    *,
    subject: str = "project-x",
    predicate: str = "uses_database",
    value: str = "",
    valid_from: int | None = None,
    valid_until: int | None = None,
    keys: str = "",
) -> str:
    """The text of an item note."""
    lines = [f"id: {id_}", "kind: fact", 'source: "[[letter]]"']
    lines += [f"subject: {subject}", f"predicate: {predicate}", f"object: {value or 'x'}"]
    if valid_from is not None:
        lines.append(f"valid_from: {format_instant(valid_from)}")
    if valid_until is not None:
        lines.append(f"valid_until: {format_instant(valid_until)}")
    head = "".join(f"{line}\n" for line in lines)
    return f"---\n{head}{keys}---\n\n{statement}\n"


def save(memory: Memory, name: str, text: str | None) -> Path:
    """Write (None: take away) a note below `items` and take it in."""
    file = memory.root / "items" / f"{name}.md"
    if text is None:
        file.unlink()
    else:
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    memory.sync()
    return file
