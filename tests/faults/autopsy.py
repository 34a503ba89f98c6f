"""Open a vault after its writer died: recover it with one command, then look for damage."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

from tests.faults.ledger import Expected, Ledger, State, look
from vaultmem.api.memory import Memory


def recover(root: Path, ledger: Ledger) -> float:
    """Seconds that the first command after the crash took, opening the vault included."""
    ledger.record_publications()
    started = time.perf_counter()
    with Memory(root) as memory:
        memory.sync()
    return time.perf_counter() - started


def damage(root: Path, expected: Expected) -> list[str]:
    """Everything that is wrong with a recovered vault, one line each."""
    now = look(root)
    found = expected.faults(now)
    found += _git_damage(root, now, expected)
    found += [f"left behind: {file.relative_to(root)}" for file in left_behind(root)]
    with Memory(root) as memory:
        updated = memory._vault.index.dump()
        memory.reindex()
        found += _differences(updated, memory._vault.index.dump())
    return found


def _differences(updated: object, rebuilt: object) -> list[str]:
    if updated == rebuilt:
        return []
    words = f"{updated!r}".split(), f"{rebuilt!r}".split()
    at = next((n for n, pair in enumerate(zip(*words, strict=False)) if pair[0] != pair[1]), 0)
    return [
        f"the index differs from a rebuilt one: {' '.join(each[max(at - 20, 0) : at + 20])}"
        for each in words
    ]


def _git_damage(root: Path, now: State, expected: Expected) -> list[str]:
    found = []
    fsck = _git(root, "fsck", "--full", "--strict", "--no-dangling")
    if fsck.returncode or "missing" in fsck.stdout or "error" in fsck.stderr:
        found.append(f"git fsck: {fsck.stdout} {fsck.stderr}")
    listed = _git(root, "ls-tree", "-r", "-z", "HEAD").stdout.split("\0")[:-1]
    head = {line.partition("\t")[2]: line.split()[2] for line in listed}
    for path in sorted(now.keys() | head.keys()):
        is_note = path.startswith(("items/", "resources/", "streams/", "categories/"))
        if is_note and head.get(path) != now.get(path):
            found.append(f"{path}: HEAD has {head.get(path)}, the disk {now.get(path)}")
    if expected.heads:
        commits = _git(root, "rev-list", "HEAD").stdout.split()
        if expected.heads[-1] not in commits:
            found.append(f"the acknowledged commit {expected.heads[-1]} is not in the history")
    status = _git(root, "status", "--porcelain").stdout
    if status:
        found.append(f"git status: {status}")
    return found


def _git(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)


def left_behind(root: Path) -> list[Path]:
    """Locks and half-made files of ours in `.git`."""
    git = root / ".git"
    found = [*git.glob("*.lock"), *git.glob("vaultmem/*")]
    found += [
        Path(at, name)
        for at, _, names in os.walk(git / "refs")
        for name in names
        if name.endswith(".lock")
    ]
    return found
