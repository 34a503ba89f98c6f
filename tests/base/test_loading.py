"""Modules that are found by their names: what Python would have loaded, and nothing stale."""

from __future__ import annotations

import os
import py_compile
import subprocess
import sys
from importlib.util import module_from_spec
from pathlib import Path
from types import ModuleType

import pytest

from vaultmem import Memory
from vaultmem.base.loading import ByName


def _load(root: Path, name: str) -> ModuleType:
    spec = ByName(str(root)).find_spec(name)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "vaultmem/room").mkdir(parents=True)
    (tmp_path / "vaultmem/room/__init__.py").write_text("SIZE = 1\n")
    (tmp_path / "vaultmem/room/part.py").write_text("SIZE = 2\n")
    return tmp_path / "vaultmem"


def test_a_module_and_a_package_are_found(root: Path) -> None:
    assert _load(root, "vaultmem.room").SIZE == 1
    part = _load(root, "vaultmem.room.part")
    assert (part.SIZE, part.__package__) == (2, "vaultmem.room")


def test_what_is_not_of_the_program_is_left_to_python(root: Path) -> None:
    finder = ByName(str(root))
    assert finder.find_spec("vaultmem") is None
    assert finder.find_spec("room") is None
    assert finder.find_spec("vaultmem.room.gone") is None


def test_a_changed_source_is_read_again(root: Path) -> None:
    file = root / "room/part.py"
    assert _load(root, "vaultmem.room.part").SIZE == 2
    file.write_text("SIZE = 222\n")  # of another size
    assert _load(root, "vaultmem.room.part").SIZE == 222
    file.write_text("SIZE = 333\n")  # of another time
    os.utime(file, (1_700_000_000, 1_700_000_000))
    assert _load(root, "vaultmem.room.part").SIZE == 333


def test_a_compiled_file_that_goes_by_content_is_held_against_it(root: Path) -> None:
    file = root / "room/part.py"
    by_content = py_compile.PycInvalidationMode.CHECKED_HASH
    py_compile.compile(str(file), invalidation_mode=by_content, doraise=True)
    file.write_text("SIZE = 3\n")
    assert _load(root, "vaultmem.room.part").SIZE == 3


def test_a_broken_compiled_file_is_passed_over(root: Path) -> None:
    cached = _load(root, "vaultmem.room.part").__cached__
    Path(cached).parent.mkdir(exist_ok=True)
    Path(cached).write_bytes(b"")
    assert _load(root, "vaultmem.room.part").SIZE == 2


def test_a_command_loads_what_python_would_load() -> None:
    code = (
        "import sys; from importlib.machinery import PathFinder; "
        "from vaultmem.base.loading import load_by_name; load_by_name(); "
        "import vaultmem.cli.recall, vaultmem.cli.answer_lines, vaultmem.storage.index.database\n"
        "for name, module in [*sys.modules.items()]:\n"
        "    if not name.startswith('vaultmem.'): continue\n"
        "    above = sys.modules[name.rpartition('.')[0]]\n"
        "    told = PathFinder.find_spec(name, above.__path__)\n"
        "    told.cached\n"
        "    assert (told.submodule_search_locations or [])[:1] == "
        "[*getattr(module, '__path__', [])][:1], name\n"
        "    for key in ('origin', 'cached', 'has_location'):\n"
        "        assert getattr(module.__spec__, key) == getattr(told, key), (name, key)\n"
        "    assert (module.__file__, module.__cached__) == (told.origin, told.cached)\n"
        "print(sum(type(m.__loader__).__name__ == '_Loader' for m in sys.modules.values()))"
    )
    usual = {key: value for key, value in os.environ.items() if key != "PYTHONPYCACHEPREFIX"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        env={**usual, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert int(done.stdout) > 40


def test_paths_are_loaded_without_the_reader_of_addresses_which_is_there_when_asked_for() -> None:
    code = (
        "import sys; from vaultmem.base.loading import load_paths; load_paths()\n"
        "from pathlib import Path\n"
        "print(sorted({'ipaddress', 'urllib.parse'} & sys.modules.keys()))\n"
        "print(Path('/a b/ä').as_uri())\n"
        "import urllib.parse\n"
        "print(urllib.parse.urlsplit('http://[::1]:8/x').hostname, urllib.parse.quote('ä'))\n"
        "load_paths()  # of no effect now\n"
        "print(sys.modules['urllib.parse'] is urllib.parse)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.splitlines() == ["[]", "file:///a%20b/%C3%A4", "::1 %C3%A4", "True"]


def test_a_question_loads_no_reader_of_addresses(tmp_path: Path) -> None:
    Memory.init(tmp_path / "vault")
    os.utime(tmp_path / "vault/vaultmem.toml", (1_700_000_000, 1_700_000_000))  # settings at rest
    told = [sys.executable, "-P", "-X", "importtime", "-m", "vaultmem", "recall", "tea"]
    for _ in range(2):  # the first one reads the settings and keeps what it read
        done = subprocess.run(
            told, capture_output=True, text=True, check=True, cwd=tmp_path / "vault", timeout=60
        )
    assert done.stdout == "no memory found\n"
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "_sqlite3" in loaded
    assert not loaded & {"ipaddress", "urllib.parse"}
