"""What edits mean is the same among many uncommitted notes, which are not gone through for it."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import FixedClock
from vaultmem.api.memory import Memory
from vaultmem.model.ids import item_id
from vaultmem.vault.unsettled import compare_unsettled

NOTE = """---
id: {id}
kind: fact
stream: identity
status: active
valid_from: 2026-01-01
writer: person
trust: user
---

{text}
"""
TEXTS = ("I live in Graz.", "I play the cello.", "I have two cats.", "I run on Mondays.")


def _effects(root: Path, *, waiting: int) -> object:
    """What is decided of three edits and a deletion beside so many notes that wait for a commit."""
    Memory.init(root, name="waiting", clock=FixedClock())
    ids = [item_id("waiting", text) for text in TEXTS]
    files = [root / f"items/2026/note-{id_}.md" for id_ in ids]
    files[0].parent.mkdir(parents=True)
    for file, id_, text in zip(files, ids, TEXTS, strict=True):
        file.write_text(NOTE.format(id=id_, text=text), "utf-8")
    stream = root / "streams/identity.md"
    with stream.open("a", encoding="utf-8") as lines:
        lines.writelines(f"- {text} ^{id_}\n" for id_, text in zip(ids, TEXTS, strict=True))
    with Memory(root, clock=FixedClock()) as memory:
        memory.sync()
        for number in range(waiting):
            page = root / f"resources/2026/{number // 100}/page-{number}.md"
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(f"Shelf {number} holds box {number * 7}.\n", "utf-8")
        files[0].write_text(NOTE.format(id=ids[0], text="I live in Linz."), "utf-8")
        files[1].unlink()
        fresh = item_id("waiting", "I like tea.")
        (root / f"items/2026/note-{fresh}.md").write_text(
            NOTE.format(id=fresh, text="I like tea."), "utf-8"
        )
        listed = stream.read_text("utf-8")
        stream.write_text(listed.replace("two cats", "three cats"), "utf-8")
        report = memory.sync(settle=False)
        assert len(report.pending) == waiting + 4
        return compare_unsettled(memory.opened)


def test_edits_mean_the_same_among_many_waiting_notes(tmp_path: Path) -> None:
    few = _effects(tmp_path / "few", waiting=0)
    many = _effects(tmp_path / "many", waiting=1_100)  # from 1,001 on the lists are asked
    assert few == many
    assert str(few).count("id='i-") == 4, few  # reworded, retracted, patched and added
