"""Exports stand under what was given to whom: in `report`, `view` and `audit`, without words."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.window.opened import opened
from vaultmem import Memory


def run(vault: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """What a command says."""
    return subprocess.run(
        [sys.executable, "-m", "vaultmem", *words, "--vault", str(vault)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def given(vault: Path) -> Sequence[tuple[str, str, str]]:
    """(what, where, how much) of the ledger's lines, newest first."""
    said = json.loads(run(vault, "audit", "--json").stdout)
    return [(each["what"], each["where"], each["how_much"]) for each in said["sendings"]]


def test_an_export_is_listed_with_its_size_and_not_its_words(tmp_path: Path) -> None:
    vault, out = tmp_path / "vault", tmp_path / "for-zdenka.json"
    Memory.init(vault)
    with Memory(vault) as memory:
        memory.remember("Zdenka has the code of the door.", date="2026-01-02")
    assert run(vault, "export", str(out)).returncode == 0
    notes = json.loads(out.read_text())
    number = sum(len(notes[kind]) for kind in ("items", "resources", "streams", "categories"))
    number += len(notes["pages"])
    assert run(vault, "export", "-").stdout == out.read_text()
    lines = [
        ("export", "the standard output", f"{number} notes"),
        ("export", "a file", f"{number} notes"),
    ]
    assert given(vault) == lines
    with Memory(vault) as memory:
        state = memory.opened.state
    assert "zdenka" not in (state / "ledger").read_text().casefold()

    page = tmp_path / "page.html"
    assert run(vault, "report", str(page)).returncode == 0
    part = page.read_text().partition(">Given to whom</h2>")[2].partition("<h2")[0]
    assert f"{number} notes" in part
    assert "the standard output" in part
    with opened(vault) as window:
        part = window.ask("/log").seen.partition("Given to whom")[2]
    assert f"export to a file {number} notes" in part

    # An erasure leaves these lines, as those of contexts: they hold nothing of a note.
    gone = run(vault, "forget", "--match", "Zdenka", "--purge", "--yes")
    assert gone.returncode == 0, gone.stderr
    page.unlink()
    run(vault, "report", str(page))
    assert "the standard output" in page.read_text()


def test_what_is_refused_is_not_listed(tmp_path: Path) -> None:
    vault, out = tmp_path / "vault", tmp_path / "out.json"
    Memory.init(vault)
    out.write_text("mine")
    assert run(vault, "export", str(out)).returncode != 0
    assert run(vault, "export", str(vault / "items" / "out.json")).returncode != 0
    assert given(vault) == []
