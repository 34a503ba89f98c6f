"""What a worker of a parallel run gets at once (tests/portions.py)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("xdist", reason="the `dev` extra has it: pip install '.[dev]'")
from tests import portions

TESTS = Path(__file__).parent


def names(file: str, number: int) -> list[str]:
    return [f"{file}::test_{each}[a::b]" for each in range(number)]


def test_a_file_with_something_shared_stays_together() -> None:
    shared = names("tests/window/test_planted.py", 30)
    assert portions.length([*shared, *names("tests/window/test_view.py", 3)]) == 30
    assert all(portions.length(names(file, 99)) == 99 for file in portions.TOGETHER)
    assert all((TESTS.parent / file).is_file() for file in portions.TOGETHER)


def test_other_files_come_in_a_few_tests_and_long_ones_alone() -> None:
    assert portions.length(names("tests/test_readme.py", 30)) == portions.AT_ONCE
    assert (
        portions.length([*names("tests/test_readme.py", 3), *names("tests/test_slow.py", 9)]) == 3
    )
    assert portions.length(names("tests/faults/test_kills.py", 5)) == 1


def test_what_is_made_for_a_module_is_seen() -> None:
    """Nobody has to write down which files those are."""
    seen = {
        file.relative_to(TESTS.parent).as_posix()
        for file in TESTS.glob("*/**/test_*.py")
        if portions.is_shared(file.relative_to(TESTS.parent).as_posix())
    }
    assert "tests/window/test_in_chromium.py" in seen  # its browser is of the conftest beside it
    assert "tests/sessions/test_conversation.py" in seen
    assert not any(file.startswith(portions.SPLIT) for file in seen)
    assert len(seen) < 40


def test_a_worker_that_got_one_long_test_is_not_left_waiting(tmp_path: Path) -> None:
    """It begins a test when it knows the one after it: four workers once waited for ever."""
    file = tmp_path / "tests" / "faults" / "test_long.py"
    file.parent.mkdir(parents=True)
    file.write_text(
        "import pytest\n@pytest.mark.parametrize('n', range(30))\ndef test_n(n): pass\n"
    )
    (tmp_path / "conftest.py").write_text(
        "import pytest\n"
        "from tests.portions import InPortions\n"
        "@pytest.hookimpl(optionalhook=True)\n"
        "def pytest_xdist_make_scheduler(config, log):\n"
        "    return InPortions(config, log)\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "4"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(TESTS.parent)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert "30 passed" in done.stdout, done.stdout + done.stderr
