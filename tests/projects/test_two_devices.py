"""Two clones on two devices: the same words are the same notes, byte for byte."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import FixedClock
from tests.projects.repositories import HERON, with_remote
from vaultmem.api import Memory
from vaultmem.model import Document, Filters
from vaultmem.projects import project_to_keep


def test_both_write_the_same_note(tmp_path: Path) -> None:
    urls = (f"git@{HERON.replace('/', ':', 1)}.git", f"https://ada:secret@{HERON}")
    written = []
    for name, url in zip(("laptop", "desk"), urls, strict=True):
        clock = FixedClock()
        Memory.init(tmp_path / name / "notes", name="notes", clock=clock)
        folder = with_remote(tmp_path / name / f"checkout-{name}", url)
        with Memory(tmp_path / name / "notes", clock=clock) as memory:
            project = project_to_keep(str(folder), memory.settings)
            memory.remember_many([Document(text="Our tests run with tox.", projects=(project,))])
            [row] = memory.list(Filters(types=("item",)))
            written.append((row.path, (memory.root / row.path).read_bytes()))
    assert written[0] == written[1]
    assert f"\nproject: {HERON}\n".encode() in written[0][1]
    assert b"secret" not in written[0][1]
