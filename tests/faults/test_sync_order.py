"""The order of writes, syncs and renames, as the system saw them: a refactoring cannot lose one."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from vaultmem.api.memory import Memory

pytestmark = pytest.mark.slow
_CALLS = "fsync,fdatasync,write,pwrite64,rename,renameat,renameat2,link,linkat,unlink,unlinkat"
_ACK = "remembered "


MOST_NEEDED = 12


class Step(NamedTuple):
    """One call: what, and the paths it is about, made absolute."""

    call: str
    paths: tuple[str, ...]


def traced(root: Path, log: Path, *words: str) -> list[Step]:
    """Steps of a command and of the git processes it starts, up to its acknowledgement."""
    command = [sys.executable, "-m", "vaultmem", "--vault", str(root), *words]
    tried = subprocess.run(
        ["strace", "-f", "-y", "-s", "32", "-e", f"trace={_CALLS}", "-o", str(log), *command],
        capture_output=True,
        text=True,
        check=False,
    )
    if "ptrace" in tried.stderr:
        pytest.skip("strace is not allowed to trace here")
    assert tried.returncode == 0, tried.stderr
    steps: list[Step] = []
    for line in log.read_text(errors="replace").splitlines():
        found = re.match(r"\d+ +(\w+)\((.*)", line)
        if found is None or re.search(r"= -1 E|resumed>", line):
            continue
        call, rest = found.groups()
        if call == "write" and rest.startswith("1<") and _ACK in rest:
            return steps
        steps.append(Step(call, tuple(_paths(rest))))
    raise AssertionError("the command acknowledged nothing")


def _paths(rest: str) -> Sequence[str]:
    """Paths of the arguments: `fd<path>`, `"path"`, or `fd<folder>, "name"`."""
    found: list[str] = []
    folder = ""
    for opened, quoted in re.findall(r"(?:\d+|AT_FDCWD)<([^>]*)>|\"([^\"]*)\"", rest):
        if opened:
            folder = opened
            found.append(opened)
        else:
            found.append(os.path.normpath(os.path.join(folder, quoted)))
    return found


def missing_syncs(steps: Sequence[Step], root: Path) -> list[str]:
    """What breaks `write, fsync, rename, fsync(folder)`, and objects before the reference."""
    git = str(root / ".git")
    faults: list[str] = []
    dirty: set[str] = set()  # written since their last fsync
    names: set[str] = set()  # folders with names that are not durable
    for step in steps:
        first, last = (step.paths[0], step.paths[-1]) if step.paths else ("", "")
        if step.call in ("write", "pwrite64"):
            dirty.add(first)
        elif step.call in ("fsync", "fdatasync"):
            dirty.discard(first)
            names.discard(first)
        elif step.call.startswith(("rename", "link")):
            source = step.paths[1] if len(step.paths) > 2 else first
            if source in dirty and _matters(last, root):
                faults.append(f"{source} became {last} before it was synced")
            if last == f"{git}/refs/heads/main":
                packs = f"{git}/objects/pack"
                faults += [
                    f"{name} not synced before the branch moved"
                    for name in {packs} & names
                    | {p for p in dirty if p.startswith(packs) and _matters(p, root)}
                ]
            if _matters(last, root):
                names.add(os.path.dirname(last))
            if source in dirty:
                dirty.discard(source)
                dirty.add(last)
    faults += [f"the names in {folder} were not synced before the answer" for folder in names]
    faults += [f"{file} was not synced before the answer" for file in dirty if _matters(file, root)]
    return sorted(faults)


def _matters(path: str, root: Path) -> bool:
    """Notes, packs, references and reflogs; not what the next start works out anew."""
    inside = path.removeprefix(f"{root}/")
    if inside == path or inside.startswith(".vaultmem/tmp"):
        return False
    if not inside.startswith(".git/"):
        return True
    return inside.startswith((".git/objects/pack/pack-", ".git/refs/", ".git/logs/")) and not (
        inside.endswith((".lock", ".keep"))
    )


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_everything_is_synced_in_order_before_the_answer(tmp_path: Path, root: Path) -> None:
    """Git's own syncs count; and with any one of them taken away the check fails."""
    with Memory(root) as memory:
        memory.remember("I like tea.")
    steps = traced(root, tmp_path / "trace", "remember", "I like tea. I prefer tabs over spaces.")
    assert missing_syncs(steps, root) == []
    syncs = [number for number, step in enumerate(steps) if step.call in ("fsync", "fdatasync")]
    noticed = [
        number for number in syncs if missing_syncs(steps[:number] + steps[number + 1 :], root)
    ]
    # Four folders of notes, the new notes themselves, pack and index of the commit, their folder,
    # the reference, its folder and two reflogs.
    assert len(noticed) >= MOST_NEEDED, [steps[number].paths for number in syncs]
