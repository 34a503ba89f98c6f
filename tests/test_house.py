"""The laws of the house: floors, faces, circles, pure files, folders, and the doors that write.

What breaks a law today stands in tests/house/owed.txt, a list that may only shrink: a line that
is mended has to be taken out (`python -m tests.house` does).
"""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from tests.house import plan

# Files of others, that docstrings speak of.
_ELSEWHERE = frozenset(["click.py", "json.py", "vaultmem.py"])
_NAMED_FILE = re.compile(r"`((?:\w+/)*\w+\.py)`")

# The doors: who may reach what changes files, the history or the rows of a vault. A function is
# named with the module that it is imported from, a method with a point before it.
DOORS = {
    # bytes of the person's files
    "vaultmem.storage.files.publishing.publish": ("vaultmem.vault.apply",),
    "vaultmem.storage.files.publishing.take_back": ("vaultmem.vault.apply",),
    "vaultmem.storage.files.recovery.recover": (
        "vaultmem.vault.apply",
        "vaultmem.forget.erase",
    ),
    "vaultmem.vault.apply.publish_files": (
        "vaultmem.devices.arrive",
        "vaultmem.vault.take_back",
        "vaultmem.forget.erase",
    ),
    "vaultmem.vault.apply.place": (
        "vaultmem.vault.init",
        "vaultmem.devices.receive",
        "vaultmem.maintain.daily_note",
    ),
    # commits
    ".start_record": ("vaultmem.vault.apply", "vaultmem.storage.git.door"),
    ".record_on_top": ("vaultmem.vault.apply",),
    ".settle_index": ("vaultmem.vault.apply",),
    "vaultmem.vault.apply.record": (
        "vaultmem.vault.init",
        "vaultmem.edit.settle",
    ),
    # rows
    ".writing": (
        "vaultmem.storage.index.past_index",
        "vaultmem.vault.ledger",
        "vaultmem.vault.apply",
        "vaultmem.devices.exchange",
        "vaultmem.vault.init",
        "vaultmem.history.versions",
        "vaultmem.vault.reading_in",
        "vaultmem.devices.receive",
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
    *(
        "agmi",
        "bench",
        "clients",
        "corpus",
        "data",
        "faults",
        "fuzz",
        "hostile",
        "house",
        "properties",
    ),
    "vectors",  # cases of the algorithms, told as data
}


MOST_LATE_IMPORTS = 320


def test_late_imports_are_few_and_say_what_they_save() -> None:
    """An import of ours in a function is read where nobody looks for it."""
    late = [
        each for name in plan.modules() if name not in plan.SIGN for each in _late_imports(name)
    ]
    assert len(late) <= MOST_LATE_IMPORTS
    assert [place for place, is_explained in late if not is_explained] == []


def _late_imports(name: str) -> Iterator[tuple[str, bool]]:
    """Where each stands, and whether a comment beside it or above it says what it saves."""
    file = plan.modules()[name]
    lines = file.read_text(encoding="utf-8").splitlines()
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    found = {
        node
        for function in ast.walk(plan.tree_of(file))
        if isinstance(function, functions)
        for node in ast.walk(function)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("vaultmem")
    }
    for node in found:
        beside = lines[node.lineno - 1 : node.end_lineno]
        above = lines[node.lineno - 2].strip()
        yield f"{name}:{node.lineno}", any("#" in line for line in beside) or above.startswith("#")


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


COLUMN = 49  # of the drawing: what stands further right explains the rooms


def test_the_drawing_of_the_floors_has_every_room_above_those_it_may_import() -> None:
    """A newcomer believes the one drawing of the page on architecture."""
    text = (plan.PACKAGE / "docs" / "architecture.md").read_text(encoding="utf-8")
    (drawing,) = re.findall(r"^```\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    left = [line[:COLUMN].strip() for line in drawing.splitlines()]
    level = {
        room: -row
        for row, line in enumerate(left)
        for room in re.findall(r"[a-z]+", line.removeprefix("storage:"))
    }
    rooms = [room.removeprefix("storage.") for room in plan.FLOORS]
    there = [room for room in rooms if room in level]
    inside = {folder.parent.name for folder in plan.PACKAGE.glob("*/__init__.py")}
    assert inside - {"storage", "_former"} <= level.keys()
    assert set(level) <= set(rooms)
    assert [level[room] for room in there] == sorted(level[room] for room in there)


def test_the_walks_through_the_house_have_at_most_twelve_stations() -> None:
    """tests/cli/test_docs.py looks for the files that they name."""
    text = (plan.PACKAGE / "docs" / "architecture.md").read_text(encoding="utf-8")
    part = text.partition("## Two walks")[2].partition("\n## ")[0]
    walks = re.split(r"^\*\*", part, flags=re.MULTILINE)[1:]
    stations = [re.findall(r"^(\d+)\. `", walk, re.MULTILINE) for walk in walks]
    assert len(walks) == 2
    assert all(walk == [str(at + 1) for at in range(len(walk))] for walk in stations)
    assert all(0 < len(walk) <= 12 for walk in stations)


def test_no_debt_to_the_floor_plan_is_new() -> None:
    assert sorted(set(plan.owed()) - set(_noted())) == []


def test_what_is_mended_is_taken_off_the_list() -> None:
    assert sorted(set(_noted()) - set(plan.owed())) == []


def test_the_map_names_files_that_are_there() -> None:
    there = {file.relative_to(plan.PROJECT).as_posix() for file in plan.modules().values()}
    rows = plan.MAP.read_text(encoding="utf-8").splitlines()[1:] if plan.MAP.exists() else []
    assert sorted({row.split("\t")[0] for row in rows} - there) == []


# Functions whose name is a participle alone: a verb of `Memory` that callers use, and a decorator.
# 672 had such a name, one of six; none is to come back.
PARTICIPLES = {
    "vaultmem.api": {"aged"},
    "vaultmem.storage.index": {"guarded"},
}
# Those that do not end in -ed, without the ones that are imperatives, too: read, put, cut, split.
IRREGULAR = (
    "told heard taken shown known kept held made found given said seen written done gone sent "
    "built brought bought thought meant led fed lost won spent stood felt dealt drawn grown thrown "
    "chosen spoken broken woken hidden eaten fallen forgotten begun sung bound wound ground bent "
    "lent torn worn sworn born laid paid shut"
)
# Verbs and nouns that end in -ed.
NO_PARTICIPLES = "bed embed exceed feed need proceed red seed shed speed"


def test_functions_are_named_by_what_they_return_or_do() -> None:
    """A noun, an imperative verb phrase, or a question: who reads `told(row)` has to look it up."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for module, file in plan.modules().items():
        for node in ast.walk(plan.tree_of(file)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _is_participle(node):
                found[f"vaultmem.{plan.room_of(module)}"].add(node.name)
    assert found == PARTICIPLES


def _is_participle(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether the name is one word, a participle. A property is a value, which may be one."""
    word = function.name.strip("_")
    decorators = {each.id for each in function.decorator_list if isinstance(each, ast.Name)}
    if decorators & {"property", "cached_property"}:
        return False
    is_regular = word.isalpha() and word.endswith("ed") and word not in NO_PARTICIPLES.split()
    return is_regular or word in IRREGULAR.split()


@pytest.mark.parametrize("door", DOORS)
def test_only_the_named_doors_write(door: str) -> None:
    assert sorted(_reached()[door]) == sorted({*DOORS[door]})


@cache
def _reached() -> Mapping[str, set[str]]:
    """Modules by what they reach: a function that they import, a method that they call."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for name, file in plan.modules().items():
        if plan.face(name):  # gives them to others, and calls none
            continue
        rooms: dict[str, str] = {}
        for node in ast.walk(plan.tree_of(file)):
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    home = plan.face(node.module or "").get(alias.name, node.module)
                    found[f"{home}.{alias.name}"].add(name)
                    rooms[alias.asname or alias.name] = f"{node.module}.{alias.name}"
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                home = plan.face(rooms.get(node.value.id, "")).get(node.attr, "")
                found[f"{home}.{node.attr}"].add(name)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                found[f".{node.func.attr}"].add(name)
    return found


def _rooms() -> list[str]:
    """Those with a face, which stands in `__init__.py`.

    To look into every module for one was a third of what each worker took to collect the tests.
    """
    files = plan.modules().items()
    return [name for name, file in files if file.name == "__init__.py" and plan.face(name)]


def test_a_face_stands_in_the_file_of_its_room() -> None:
    assert [name for name in plan.modules() if plan.face(name)] == _rooms()


@pytest.mark.parametrize("room", _rooms())
def test_a_face_gives_what_it_says_to_type_checkers(room: str) -> None:
    loaded = importlib.import_module(room)
    shown: dict[str, str] = {}
    for node in ast.walk(plan.tree_of(plan.modules()[room])):
        if isinstance(node, ast.If):  # TYPE_CHECKING
            inner = [each for each in node.body if isinstance(each, ast.ImportFrom)]
            shown |= {alias.name: str(each.module) for each in inner for alias in each.names}
    given = plan.face(room)
    assert shown == dict(given)
    for name in given:
        getattr(loaded, name)


def test_every_module_can_be_imported_first() -> None:
    """Two files that import each other work as long as one of them is always the first."""
    names = [name for name in plan.modules() if name != "vaultmem.__main__"]
    code = (
        "import gc, importlib, sys\n"
        "from importlib.machinery import SourceFileLoader\n"
        # Each file is run some fifty times, and read once: half of the time.
        "read, codes = SourceFileLoader.get_code, {}\n"
        "def get_code(self, name):\n"
        "    if name not in codes:\n"
        "        codes[name] = read(self, name)\n"
        "    return codes[name]\n"
        "SourceFileLoader.get_code = get_code\n"
        "gc.disable()\n"
        "for number, name in enumerate(sys.argv[1:]):\n"
        "    if number % 40 == 0:\n"
        "        gc.collect()\n"
        "    for known in [each for each in sys.modules if each.partition('.')[0] == 'vaultmem']:\n"
        "        del sys.modules[known]\n"
        "    try:\n"
        "        importlib.import_module(name)\n"
        "    except ImportError as error:  # says what to install: an adapter is for who has it\n"
        "        if type(error).__name__ != 'MissingFrameworkError':\n"
        "            raise\n"
    )
    made = subprocess.run(
        [sys.executable, "-c", code, *names],
        capture_output=True,
        text=True,
        timeout=600,
        cwd=plan.PROJECT,
    )
    assert made.returncode == 0, made.stderr[-2000:]


def test_files_that_docstrings_and_comments_name_are_there() -> None:
    """By backquoted name or path, in the package or the tests."""
    files = [each.relative_to(plan.PROJECT) for each in plan.PROJECT.glob("tests/**/*.py")]
    files += [each.relative_to(plan.PROJECT) for each in plan.modules().values()]
    known = {"/".join(file.parts[place:]) for file in files for place in range(len(file.parts))}
    gone = [
        f"{name} names {told}"
        for name, file in plan.modules().items()
        for told in _NAMED_FILE.findall(file.read_text(encoding="utf-8"))
        if told not in known and told not in _ELSEWHERE
    ]
    assert gone == []


LONGEST_PAGE = 32  # lines of the page at the door of a room: what is read before anything is opened
_ROW = re.compile(r"^ {4}(\S.*?) {2,}(\S.*)$", re.MULTILINE)  # of a table: what, and its files


def _pages() -> list[str]:
    """Packages of the house: each has a page, which is the docstring of its `__init__.py`."""
    files = plan.modules().items()
    return [name for name, file in files if file.name == "__init__.py" and name not in plan.SIGN]


@pytest.mark.parametrize("room", _pages())
def test_the_page_of_a_room_says_which_file_has_which_rule(room: str) -> None:
    """From names alone a newcomer opened 3.9 files to find a rule, 2.6 of them wrong."""
    file = plan.modules()[room]
    text = ast.get_docstring(plan.tree_of(file)) or ""
    page, _, words = text.partition("\nWhere does each word")
    rows = _ROW.findall(page) + _ROW.findall(words)
    named = [name for _, names in rows for name in names.split(", ")] if rows else []
    if room == "vaultmem.storage":  # a shelf of rooms: each has its own page
        assert {what for what, _ in rows} == {
            each.parent.name for each in file.parent.glob("*/__init__.py")
        }
        return
    assert "\nNever: " in page
    assert len(page.splitlines()) <= LONGEST_PAGE
    assert len(_ROW.findall(page)) >= 2
    gone = [each for each in named if not _is_there(each, file.parent)]
    assert gone == [], f"{room} names files that are not there"


def _is_there(name: str, folder: Path) -> bool:
    """A path from the folder of the room, or from the package."""
    return (folder / name).exists() or (plan.PACKAGE / name).exists()


def test_the_glossary_and_the_dictionary_have_the_same_words() -> None:
    """`vaultmem help glossary` says what a word means, `model/__init__.py` where it lives."""
    text = (plan.PACKAGE / "docs" / "glossary.md").read_text(encoding="utf-8")
    heads = re.findall(r"^(\*\*.*?\*\*)(?=:)", text, re.MULTILINE)
    told = [", ".join(re.findall(r"\*\*(.*?)\*\*", head)) for head in heads]
    page = ast.get_docstring(plan.tree_of(plan.modules()["vaultmem.model"])) or ""
    placed = [word for word, _ in _ROW.findall(page.partition("\nWhere does each word")[2])]
    assert told == sorted(told) == placed
    assert len(told) >= 60


def _noted() -> list[str]:
    return plan.OWED.read_text(encoding="utf-8").splitlines()


MOST_DOUBLED_NAMES = 10  # `flow.py` of two rooms: a name alone does not say which rule it has


def test_few_file_names_stand_twice() -> None:
    """Faces and modules of former names aside."""
    names = [
        file.name
        for file in plan.PACKAGE.rglob("*.py")
        if file.name != "__init__.py" and "_former" not in file.parts
    ]
    assert len({name for name in names if names.count(name) > 1}) <= MOST_DOUBLED_NAMES
