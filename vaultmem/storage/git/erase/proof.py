"""Search everything that git keeps, reachable or not, for what must not be there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.storage.git.engine import Engine
from vaultmem.storage.git.repair.survey import all_objects, read_objects

if TYPE_CHECKING:
    from vaultmem.storage.notes.erasing import Erasure

_OBJECTS = "objects"


def objects_with(engine: Engine, erasure: Erasure) -> Iterator[tuple[int, str]]:
    """(0, place) of each object that holds it, unpacked; at last how many were searched, and ''."""
    entries = all_objects(engine)
    sized = [(oid, size) for oid, (_, size) in entries.items()]
    names: dict[bytes, bool] = {}
    for one in read_objects(engine, sized):
        found = erasure.holds(one.data)
        if one.kind == "tree" and not found:
            found = any(_says(erasure, name, names) for name in _names(one.data, engine))
        if found:
            yield 0, f"git {one.kind} {one.oid}"
    yield len(entries), ""


def _names(tree: bytes, engine: Engine) -> Iterator[bytes]:
    place, width = 0, len(engine.repository.zero) // 2
    while place < len(tree):
        start = tree.index(b" ", place) + 1
        end = tree.index(b"\0", start)
        yield tree[start:end]
        place = end + 1 + width


def _says(erasure: Erasure, name: bytes, known: dict[bytes, bool]) -> bool:
    if name not in known:
        text = name.decode("utf-8", "surrogateescape")
        stem = text.rpartition(".")[0] or text
        known[name] = erasure.is_gone(stem) or erasure.says(stem)
    return known[name]


def files_of_git(git_dir: Path) -> Iterator[tuple[str, Path]]:
    """Every file of `.git` by its path from the vault, but objects and packs, which are unpacked
    elsewhere; what lies among these and is neither is listed too."""
    for folder, below, names in os.walk(git_dir):
        below.sort()
        inner = Path(folder).relative_to(git_dir)
        for name in sorted(names):
            if inner.parts[:1] == (_OBJECTS,) and _is_object(inner, name):
                continue
            file = Path(folder, name)
            if file.is_file() and not file.is_symlink():
                yield (Path(git_dir.name) / inner / name).as_posix(), file


def _is_object(inner: Path, name: str) -> bool:
    if inner.parts == (_OBJECTS, "pack"):
        return name.startswith("pack-") and name.endswith((".pack", ".idx", ".rev"))
    return len(inner.parts) == 2 and len(inner.parts[1]) == 2 and len(name) in (38, 62)
