"""The floors of the package, and what its files owe to them.

A room is a capability that a user has a word for; it imports rooms below it. Until every file lies
in its room, `map.tsv` says where each of today's is going, so that the laws hold before the moves.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).parents[2]
PACKAGE = PROJECT / "vaultmem"
MAP = Path(__file__).with_name("map.tsv")
OWED = Path(__file__).with_name("owed.txt")

# The rooms, bottom up. A room of `storage` stands by itself: what has no word of a user's.
FLOORS = (
    "base",  # errors, cheap records, packaged files
    "language",  # human text without I/O
    "model",  # the dictionary
    "config",
    "safety",  # is this text an attack?
    "privacy",
    "judgement",  # what a sentence is, matters, and does to what is known
    "storage.files",
    "storage.notes",
    "storage.git",
    "storage.merging",
    "storage.index",
    "projects",  # which repository one works in
    "vault",  # one opened vault, one writer
    "history",
    "models",  # language models and embedders
    "recall",
    "extract",
    "facts",
    "edit",
    "agents",  # what assistants write as files
    "remember",
    "context",
    "sessions",
    "review",
    "learn",
    "devices",
    "undo",
    "check",
    "forget",
    "maintain",
    "transfer",
    "api",
    "adapters",  # classes that frameworks for agents ask for
    "watch",
    "server",
    "assistants",
    "window",
    "cli",
)
# The sign at the door: it names `Memory` for callers, and belongs to no floor.
SIGN = ("vaultmem", "vaultmem.__main__")
IMPURE = ("storage.files", "storage.git", "storage.index", "vault")
MOST_FILES = 20  # in a folder; cli/ has one file a word
ROOMY = ("vaultmem/cli",)


class Arrow(NamedTuple):
    """An import of a module of ours by another, wherever in the file it stands."""

    importer: str
    imported: str
    line: int


def dotted(path: str) -> str:
    """`vaultmem.facts.target` for `vaultmem/facts/target.py`."""
    return path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


@cache
def destinations() -> Mapping[str, str]:
    """Where each module is going, by today's dotted name; empty when all have moved."""
    if not MAP.exists():
        return {}
    rows = (line.split("\t") for line in MAP.read_text(encoding="utf-8").splitlines()[1:])
    return {dotted(old): dotted(new) for old, new in rows if new != "-"}


def room_of(module: str) -> str:
    """The room of a module: where the map sends it, or where it lies."""
    parts = destinations().get(module, module).split(".")[1:] or [""]
    return ".".join(parts[:2]) if parts[0] == "storage" else parts[0]


@cache
def modules() -> Mapping[str, Path]:
    """Files of the package by dotted name, sorted."""
    files = sorted(PACKAGE.rglob("*.py"))
    here = ((dotted(file.relative_to(PROJECT).as_posix()), file) for file in files)
    return {
        name: file
        for name, file in here
        if not name.startswith(("vaultmem._t", "vaultmem._former"))
    }


@cache
def tree_of(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def arrows() -> tuple[Arrow, ...]:
    """Every import of ours: at the top, in a function, and for types alone."""
    return tuple(arrow for name, file in modules().items() for arrow in _imports(name, file))


def _imports(name: str, file: Path) -> Iterator[Arrow]:
    for node in ast.walk(tree_of(file)):
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = [(alias.name, f"{node.module}.{alias.name}") for alias in node.names]
            given = face(node.module)
            is_mine = room_of(name) == room_of(node.module)
            is_module = [
                each in modules() and (is_mine or word not in given) for word, each in inner
            ]
            found = [
                each if is_one else node.module
                for (_, each), is_one in zip(inner, is_module, strict=True)
            ]
        else:
            continue
        for imported in found:
            if imported in modules() and imported != name:
                yield Arrow(name, imported, node.lineno)


@cache
def face(room: str) -> Mapping[str, str]:
    """What the package of a room gives (`attach`): the module of each name, by name.

    The module of a module that is given whole is its package.
    """
    file = modules().get(room)
    calls = (
        () if file is None else (each for each in tree_of(file).body if isinstance(each, ast.Expr))
    )
    for each in calls:
        call = each.value
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):
            continue
        if call.func.id == "attach":
            names: dict[str, str] = ast.literal_eval(call.args[1])
            whole = "".join(ast.literal_eval(word.value) for word in call.keywords).split()
            return {
                name: f"{room}.{module}"
                for module, words in names.items()
                for name in words.split()
            } | {path.rpartition(".")[2]: f"{room}.{path}".rpartition(".")[0] for path in whole}
    return {}


def circles() -> list[list[str]]:
    """Files that import one another, each group sorted (Tarjan 1972)."""
    below: dict[str, set[str]] = defaultdict(set)
    for arrow in arrows():
        if arrow.importer not in SIGN and arrow.imported not in SIGN:
            below[arrow.importer].add(arrow.imported)
    found: list[list[str]] = []
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    path: list[str] = []

    def visit(module: str) -> None:
        number[module] = lowest[module] = len(number)
        path.append(module)
        for other in sorted(below[module]):
            if other not in number:
                visit(other)
                lowest[module] = min(lowest[module], lowest[other])
            elif other in path:
                lowest[module] = min(lowest[module], number[other])
        if lowest[module] == number[module]:
            at = path.index(module)
            if len(path) - at > 1:
                found.append(sorted(path[at:]))
            del path[at:]

    for module in sorted(below):
        if module not in number:
            visit(module)
    return sorted(found)


@cache
def owed() -> tuple[str, ...]:
    """What breaks a law today, a line each, sorted. `python -m tests.house` writes the list."""
    return tuple(
        sorted({*_upward(), *_behind_faces(), *_in_circles(), *_impure(), *_crowded(), *_loose()})
    )


def _upward() -> Iterator[str]:
    for importer, imported, _ in arrows():
        if importer in SIGN or imported in SIGN:
            continue
        rooms = room_of(importer), room_of(imported)
        if not set(rooms) <= set(FLOORS):
            continue  # test_every_file_has_a_room names it
        if FLOORS.index(rooms[1]) > FLOORS.index(rooms[0]):
            yield f"upward {importer} -> {imported}"


def _behind_faces() -> Iterator[str]:
    """Imports of another room that do not go through its face."""
    for importer, imported, _ in arrows():
        room = room_of(imported)
        is_inside = room in FLOORS and imported != f"vaultmem.{room}"
        if importer not in SIGN and is_inside and room != room_of(importer):
            yield f"behind the face {importer} -> {imported}"


def _in_circles() -> Iterator[str]:
    for circle in circles():
        for module in circle:
            yield f"circle {module}"


def _impure() -> Iterator[str]:
    """Files that say `Pure.` in line 1 and know a vault, the index, git or files."""
    pure = {name for name, file in modules().items() if _is_pure(file)}
    for importer, imported, _ in arrows():
        if importer in pure and imported not in SIGN and room_of(imported) in IMPURE:
            yield f"impure {importer} -> {imported}"


def _is_pure(file: Path) -> bool:
    with open(file, encoding="utf-8") as stream:
        return stream.readline().rstrip().removesuffix('"""').endswith("Pure.")


def _crowded() -> Iterator[str]:
    files: dict[str, int] = defaultdict(int)
    for file in modules().values():
        files[file.parent.relative_to(PROJECT).as_posix()] += 1
    for folder, count in files.items():
        if count > MOST_FILES and folder not in ROOMY:
            yield f"crowded {folder}"


def _loose() -> Iterator[str]:
    for name, file in modules().items():
        if file.parent == PACKAGE and name not in SIGN:
            yield f"loose {name}"
