"""One process: its input, its output, its end, however it behaves."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.storage.git.repositories import children
from vaultmem.base.errors import HistoryError
from vaultmem.storage.git import process

RUNNERS = [
    process.Opened,
    pytest.param(
        getattr(process, "Spawned", None),
        marks=pytest.mark.skipif(not hasattr(os, "posix_spawn"), reason="no posix_spawn here"),
    ),
]
Runner = type[process.Spawned] | type[process.Opened]


@pytest.fixture(params=RUNNERS)
def runner(request: pytest.FixtureRequest) -> Runner:
    found: Runner = request.param
    return found


def _python(code: str) -> tuple[str, ...]:
    return (sys.executable, "-S", "-c", code)


def test_output_error_and_code(runner: Runner) -> None:
    code = "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"
    finished = runner(_python(code), {}, b"", seconds=60).wait()
    assert finished.code == 3
    assert finished.out.split() == [b"out"]
    assert finished.err.split() == [b"err"]


def test_megabytes_both_ways(runner: Runner) -> None:
    code = "import sys; d = sys.stdin.buffer.read(); sys.stdout.buffer.write(d[::-1])"
    data = os.urandom(3_000_000)
    assert runner(_python(code), {}, data, seconds=60).wait().out == data[::-1]


def test_much_output_before_the_input_is_read(runner: Runner) -> None:
    code = "import sys; sys.stdout.write('x' * 2_000_000); sys.stdout.flush(); sys.stdin.read()"
    finished = runner(_python(code), {}, b"y" * 1_000_000, seconds=60).wait()
    assert len(finished.out) == 2_000_000


def test_a_process_that_reads_nothing(runner: Runner) -> None:
    finished = runner(_python("raise SystemExit(7)"), {}, b"y" * 1_000_000, seconds=60).wait()
    assert finished.code == 7


def test_the_environment_is_exactly_what_is_given(runner: Runner) -> None:
    code = "import os; print(sorted(k for k in os.environ if k != 'LC_CTYPE'))"
    assert runner(_python(code), {"ONE": "1"}, b"", seconds=60).wait().out == b"['ONE']\n"


def test_one_that_does_not_end_is_stopped(runner: Runner) -> None:
    running = runner(_python("import time; time.sleep(60)"), {}, b"", seconds=0.2)
    with pytest.raises(HistoryError, match=r"did not finish within 0.2 s"):
        running.wait()
    running.kill()


def test_one_that_closes_its_output_and_goes_on_is_stopped(runner: Runner) -> None:
    code = "import os, time; [os.close(n) for n in (0, 1, 2)]; time.sleep(60)"
    with pytest.raises(HistoryError, match="did not finish"):
        runner(_python(code), {}, b"", seconds=0.5).wait()


_KILLING = """
import os, sys
from vaultmem.storage.git.process import {name}
sleeping = (sys.executable, "-c", "import time; time.sleep(60)")
running = {name}(sleeping, {{}}, b"", seconds=60)
running.kill()
running.kill()
if hasattr(os, "WNOHANG"):
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        sys.exit(0)
    sys.exit("a child is left")
"""


def test_killed_ones_leave_no_zombie(runner: Runner) -> None:
    # In a process of its own: another test may have left one that outlives it on purpose.
    code = _KILLING.format(name=runner.__name__)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_program_that_is_not_there() -> None:
    with pytest.raises(HistoryError, match="cannot be started"):
        process.start(("/nonexistent/git", "version"), {}, seconds=5)


def test_only_absolute_folders_are_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "git"
    file.write_text("#!/bin/sh\n")
    file.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    assert process.find_git(str(tmp_path)) == str(file)
    for path in (".", "", "relative:."):
        with pytest.raises(HistoryError, match="not installed"):
            process.find_git(path)


def test_output_in_pieces_as_it_comes(runner: Runner) -> None:
    code = "import os; [os.write(1, bytes([n]) * 100_000) for n in range(30)]; os._exit(5)"
    running = runner(_python(code), {}, b"", seconds=60)
    pieces = list(iter(running.piece, b""))
    assert b"".join(pieces) == b"".join(bytes([n]) * 100_000 for n in range(30))
    finished = running.wait()
    assert (finished.code, finished.out) == (5, b"")


def test_one_that_is_given_up_between_two_pieces_is_ended(runner: Runner) -> None:
    others = children()
    knows_pieces = runner is not process.Opened  # else whole outputs only: it is waited for
    seconds = 60 if knows_pieces else 1  # a busy machine may start an interpreter for seconds
    running = runner(_python("while True: print('x' * 1000)"), {}, b"", seconds=seconds)
    if not knows_pieces:
        with pytest.raises(HistoryError, match="did not finish"):
            running.piece()
    else:
        assert running.piece()
    running.kill()
    assert children() <= others  # a server of another test may have ended meanwhile
