"""The laws of the house: floors, circles, pure files, folders, and the doors that write.

What breaks a law today stands in tests/house/owed.txt, a list that may only shrink: a line that
is mended has to be taken out (`python -m tests.house` does).
"""

from __future__ import annotations

import ast
import subprocess
from collections import defaultdict
from collections.abc import Mapping
from functools import cache

import pytest

from tests.house import plan

# The doors: who may reach what changes files, the history or the rows of a vault. A function is
# named with the module that it is imported from, a method with a point before it.
DOORS = {
    # bytes of the person's files
    "vaultmem.storage.files.publish": ("vaultmem.vault.apply",),
    "vaultmem.storage.files.take_back": ("vaultmem.vault.apply",),
    "vaultmem.storage.files.recover": (
        "vaultmem.vault.apply",
        "vaultmem.forget.purge.purge",
        "vaultmem.forget.purge.carry_out",
    ),
    "vaultmem.vault.apply.publish_files": (
        "vaultmem.devices.arrive",
        "vaultmem.vault.take_back",
        "vaultmem.forget.purge.purge",
        "vaultmem.forget.purge.carry_out",
    ),
    "vaultmem.vault.apply.place": (
        "vaultmem.vault.init",
        "vaultmem.devices.receive",
    ),
    # commits
    ".start_record": ("vaultmem.vault.apply", "vaultmem.storage.git.history"),
    ".record_on_top": ("vaultmem.vault.apply",),
    ".settle_index": ("vaultmem.vault.apply",),
    "vaultmem.vault.apply.record": (
        "vaultmem.vault.init",
        "vaultmem.edit.settle",
    ),
    # rows
    ".writing": (
        "vaultmem.storage.index.past.database",
        "vaultmem.vault.ledger",
        "vaultmem.vault.apply",
        "vaultmem.devices.follow",
        "vaultmem.vault.init",
        "vaultmem.history.versions",
        "vaultmem.history.versions",
        "vaultmem.vault.reading_in",
        "vaultmem.devices.receive",
        "vaultmem.edit.due",
        "vaultmem.edit.settle",
        "vaultmem.vault.level",
        "vaultmem.vault.durability",
    ),
}


TOP = frozenset(
    [
        *(".ci", ".gitattributes", ".gitignore"),
        *("CHANGELOG.md", "LICENSE", "README.md", "pyproject.toml"),
        *("sample-vault", "templates", "tests", "vaultmem"),
    ]
)


def test_nothing_else_is_committed_at_the_top_level() -> None:
    """Seven downloaded wheels once were."""
    if not (plan.PROJECT / ".git").exists():
        pytest.skip("no checkout of the repository")
    told = ["git", "-C", str(plan.PROJECT), "ls-files", "-z"]
    files = subprocess.run(told, check=True, capture_output=True, timeout=60).stdout
    assert {name.partition("/")[0] for name in files.decode().split("\0") if name} == TOP


# What no single room can promise.
OF_ALL_ROOMS = {
    *("agmi", "bench", "corpus", "data", "faults", "fuzz", "hostile", "house", "properties"),
    "vectors",  # cases of the algorithms, told as data
}


def test_tests_lie_in_folders_of_their_rooms() -> None:
    tests = plan.PROJECT / "tests"
    storage = {room.removeprefix("storage.") for room in plan.FLOORS if room.startswith("storage.")}
    found = {file.relative_to(tests).parts[0] for file in tests.glob("*/*.py")}
    assert found - OF_ALL_ROOMS - {"storage"} <= set(plan.FLOORS)
    assert {file.parent.name for file in tests.glob("storage/*/*.py")} <= storage


def test_every_file_has_a_room() -> None:
    """A new file of a folder that is going away needs a line in tests/house/map.tsv."""
    modules = [name for name in plan.modules() if name not in plan.SIGN]
    # Faces without a room: one for as long as its folder is there, and the shelf of `storage`.
    gone = {"vaultmem.operations", "vaultmem.storage"}
    homeless = {name for name in modules if plan.room_of(name) not in plan.FLOORS}
    assert sorted(homeless - gone) == []


def test_no_debt_to_the_floor_plan_is_new() -> None:
    assert sorted(set(plan.owed()) - set(_noted())) == []


def test_what_is_mended_is_taken_off_the_list() -> None:
    assert sorted(set(_noted()) - set(plan.owed())) == []


def test_the_map_names_files_that_are_there() -> None:
    there = {file.relative_to(plan.PROJECT).as_posix() for file in plan.modules().values()}
    rows = plan.MAP.read_text(encoding="utf-8").splitlines()[1:] if plan.MAP.exists() else []
    assert sorted({row.split("\t")[0] for row in rows} - there) == []


@pytest.mark.parametrize("door", DOORS)
def test_only_the_named_doors_write(door: str) -> None:
    assert sorted(_reached()[door]) == sorted({*DOORS[door]})


@cache
def _reached() -> Mapping[str, set[str]]:
    """Modules by what they reach: a function that they import, a method that they call."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for name, file in plan.modules().items():
        for node in ast.walk(plan.tree_of(file)):
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    found[f"{node.module}.{alias.name}"].add(name)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                found[f".{node.func.attr}"].add(name)
    return found


def _noted() -> list[str]:
    return plan.OWED.read_text(encoding="utf-8").splitlines()
