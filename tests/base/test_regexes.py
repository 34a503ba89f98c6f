"""Patterns that one process compiles and the next ones read: the same, or compiled anew."""

from __future__ import annotations

import gc
import os
import pkgutil
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import vaultmem
from vaultmem.base import regexes

SOURCE = r"(?P<who>my (?:sister|brother)) lives in (?P<where>[A-Z]\w+)" + "|x" * 200


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of its own, of which nothing is known yet."""
    kept = tmp_path / "regexes.compiled"
    monkeypatch.setattr(regexes, "_FILE", str(kept))
    monkeypatch.setattr(regexes, "_new", {})
    monkeypatch.setattr(regexes, "_places", {})
    monkeypatch.setattr(regexes, "_of", ())
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return kept


def _as_usual() -> dict[str, str]:
    """The environment of a Python that writes compiled files."""
    return {k: value for k, value in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


def _keep(*sources: str, flags: int = re.IGNORECASE) -> None:
    for source in sources:
        regexes._compile_once(source, flags)
    regexes.keep_compiled()


def _is_read(monkeypatch: pytest.MonkeyPatch, source: str, flags: int = re.IGNORECASE) -> bool:
    """Whether a pattern is had without compiling; it is the right one in any case."""
    compiled = []
    real = regexes._parts_of

    def told(source: str, flags: int) -> tuple[object, ...]:
        compiled.append(source)
        return real(source, flags)

    with monkeypatch.context() as patch:
        patch.setattr(regexes, "_parts_of", told)
        assert regexes._compile_once(source, flags) == re.compile(source, flags)
    return not compiled


def test_every_pattern_of_the_program_is_the_same_when_it_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in pkgutil.walk_packages(vaultmem.__path__, "vaultmem."):
        if module.name.partition(".")[2].partition(".")[0] in ("judgement", "language", "extract"):
            import_module(module.name)
    gc.unfreeze()  # a command that ran in this process may have frozen what there was
    told = {each._told for each in gc.get_objects() if isinstance(each, regexes._Late)}
    long = [(source, flags) for source, flags in told if len(source) >= regexes._SHORT]
    assert len(long) > 200
    for source, flags in long:
        regexes._compile_once(source, flags)
    regexes.keep_compiled()
    read = [_is_read(monkeypatch, source, flags) for source, flags in long]
    assert sum(read) >= len(long) - 5  # patterns that share length, beginning and end


def test_what_one_process_compiled_another_one_reads(file: Path) -> None:
    code = (
        "import sys; import vaultmem.base.regexes as r; r._FILE = sys.argv[1]; "
        "real, made = r._parts_of, []; "
        "r._parts_of = lambda *given: made.append(given) or real(*given); "
        "found = r.late(sys.argv[2]).search('my sister lives in Fife'); "
        "r.keep_compiled(); print(found['who'], found['where'], len(made))"
    )
    words = [sys.executable, "-c", code, str(file), SOURCE]
    said = [
        subprocess.run(words, capture_output=True, text=True, check=True, env=_as_usual()).stdout
        for _ in range(2)
    ]
    assert said == ["my sister Fife 1\n", "my sister Fife 0\n"]


def test_what_is_kept_later_stands_beside_what_was_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    _keep(SOURCE)
    _keep("y|" * 200 + "z")
    assert _is_read(monkeypatch, SOURCE)
    assert _is_read(monkeypatch, "y|" * 200 + "z")


def test_flags_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    _keep(SOURCE)
    assert not _is_read(monkeypatch, SOURCE, 0)


def test_patterns_of_one_length_beginning_and_end_are_told_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, other = ("a" * 200 + letter + "b" * 200 for letter in "xy")
    _keep(one)
    assert not _is_read(monkeypatch, other)
    assert _is_read(monkeypatch, one)


def test_a_broken_file_is_no_harm_and_is_mended(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _keep(SOURCE)
    whole = file.read_bytes()
    other = "v|" * 200 + "w"
    for end in {*range(60), *range(60, len(whole), 97)}:
        file.write_bytes(whole[:end])
        monkeypatch.setattr(regexes, "_of", ())
        _is_read(monkeypatch, SOURCE)
        _keep(other)
        monkeypatch.setattr(regexes, "_of", ())
        assert _is_read(monkeypatch, other)
        regexes._new.clear()


def test_what_another_python_wrote_is_not_read(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _keep(SOURCE)
    monkeypatch.setattr(sys, "hexversion", sys.hexversion + 1)
    monkeypatch.setattr(regexes, "_of", ())
    assert not _is_read(monkeypatch, SOURCE)


def test_a_python_that_compiles_in_other_ways_compiles_as_ever(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(source: str, flags: int) -> tuple[object, ...]:
        raise AttributeError("_code")

    monkeypatch.setattr(regexes, "_parts_of", gone)
    assert regexes._compile_once(SOURCE, 0) == re.compile(SOURCE)
    regexes.keep_compiled()
    assert not file.exists()


def test_a_pattern_that_is_none_is_told_as_ever() -> None:
    with pytest.raises(re.error, match="unterminated"):
        regexes._compile_once("(" + "a" * 100, 0)


def test_nothing_is_written_where_python_writes_nothing(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    _keep(SOURCE)
    assert not file.exists()


def test_it_lies_where_python_keeps_compiled_modules(tmp_path: Path) -> None:
    code = "import vaultmem.base.regexes as r; print(r._FILE)"
    for words in ([sys.executable, "-X", f"pycache_prefix={tmp_path}"], [sys.executable]):
        done = subprocess.run([*words, "-c", code], capture_output=True, text=True, check=True)
        kept = Path(done.stdout.strip())
        assert kept.name.startswith("regexes.cpython")
        assert kept.is_relative_to(tmp_path) == ("-X" in words)


def test_a_folder_that_cannot_be_written_is_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regexes, "_FILE", "/nowhere/at/all/regexes.compiled")
    _keep(SOURCE)


def test_what_cannot_be_put_in_place_leaves_nothing_behind(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.mkdir()  # as on a system that does not replace a file that is open
    _keep(SOURCE)
    assert [each.name for each in file.parent.iterdir()] == [file.name]


def test_it_begins_anew_when_patterns_of_many_versions_have_gathered(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(regexes, "_MOST_BYTES", 6_000)
    for letter in "abcdefgh":
        _keep(f"{letter}|" * 200 + "z")
    assert file.stat().st_size < 7_000


def test_a_command_keeps_what_it_compiled(tmp_path: Path) -> None:
    """In the folder of the compiled modules: the whole way from the command to the file."""
    code = (
        "import sys; import vaultmem.base.regexes as r; r._FILE = sys.argv.pop(1); "
        "real, made = r._parts_of, []; "
        "r._parts_of = lambda *given: made.append(given) or real(*given); "
        "from vaultmem.__main__ import main; code = main(); print('compiled', len(made))"
    )
    kept, vault = tmp_path / "kept", str(tmp_path / "vault")

    def run(*words: str) -> int:
        done = subprocess.run(
            [sys.executable, "-c", code, str(kept), *words],
            capture_output=True,
            text=True,
            check=True,
            env=_as_usual(),
        )
        return int(done.stdout.split()[-1])

    run("init", vault)
    first = run("--vault", vault, "remember", "My sister Ann lives in Fife.")
    second = run("--vault", vault, "remember", "My brother Tom lives in Leeds.")
    assert first > 20
    assert second < first / 4
