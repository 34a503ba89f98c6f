"""The real assistants with this memory: `python -m tests.clients [FOLDER]`.

    python -m tests.clients                      installs what is missing, and checks all
    python -m tests.clients --only codex         one client (more: --only again)
    python -m tests.clients --no-install         with what FOLDER has

The versions below go into FOLDER (npm and pip by name; default: a folder in your cache), 1.3 GB.
Each client gets a home of its own, `vaultmem install` sets it up, and its model is a script on
this machine: nothing asks a real model, and no setting of yours is read. The exit code is 0 where
all holds, 1 where something does not, 2 where nothing could be checked.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.clients import promises
from tests.clients.person import AGENTS, SDK, ClientError, Tools
from tests.clients.promises import Claim
from vaultmem.base.records import dataclass

PACKAGES = {
    "claude-code": "@anthropic-ai/claude-code@2.1.330",
    "codex": "@openai/codex@0.169.0",
    "gemini": "@google/gemini-cli@0.61.0",
    "opencode": "opencode-ai@1.18.33",
    SDK: "openai-agents==0.24.0",
}
SESSIONS = 10
LANES = 2  # checks at a time: a client computes for half of its time


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One check of one client, or of all."""

    name: str
    run: Callable[[Path], Iterator[Claim]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a job found."""

    name: str
    claims: tuple[Claim, ...]
    error: str  # why it did not come to its end; '': it did
    seconds: float


def main(words: Sequence[str]) -> int:
    """Install, check, report; the exit code."""
    told = _read(words)
    tools = Tools(told.folder)
    wanted = tuple(told.only or PACKAGES)
    if not told.no_install:
        _install(tools, wanted)
    here = tuple(name for name in wanted if _is_as_pinned(tools, name))
    skipped = tuple(name for name in wanted if name not in here)
    for name in skipped:
        print(f"skipped {name}: {PACKAGES[name]} is not in {told.folder}", file=sys.stderr)
    if not here:
        return 2
    begun = time.monotonic()
    outcomes = []
    made = tempfile.TemporaryDirectory(prefix="vaultmem-clients-")
    with made as folder, ThreadPoolExecutor(LANES) as lanes:
        work = [
            lanes.submit(_done, job, Path(folder) / str(number))
            for number, job in enumerate(_jobs(tools, here, told.sessions))
        ]
        for each in work:
            outcomes.append(each.result())
            _report(outcomes[-1], is_json=told.json, is_verbose=told.verbose)
    claims = [claim for each in outcomes for claim in each.claims]
    is_ok = all(claim.holds for claim in claims) and not any(each.error for each in outcomes)
    if not told.json:
        held = sum(claim.holds for claim in claims)
        seconds = time.monotonic() - begun
        print(f"{held} of {len(claims)} hold, {len(skipped)} clients skipped, {seconds:.0f} s")
    return 0 if is_ok else 1


def _read(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.clients", description="The real assistants with this memory."
    )
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    parser.add_argument(
        "folder",
        nargs="?",
        type=lambda text: Path(text).resolve(),
        default=cache / "vaultmem-clients",
    )
    parser.add_argument("--only", action="append", choices=tuple(PACKAGES), metavar="NAME")
    parser.add_argument("--no-install", action="store_true")
    parser.add_argument("--sessions", type=int, default=SESSIONS, help="in a row, of each client")
    parser.add_argument("--json", action="store_true", help="a line of JSON for each claim")
    parser.add_argument("--verbose", action="store_true", help="what was found where one fails")
    return parser.parse_args(words)


# --- installation ---------------------------------------------------------------------------------


def _install(tools: Tools, wanted: Sequence[str]) -> None:
    """Put what is missing into the folder; what cannot be had is skipped afterwards."""
    agents = [name for name in wanted if name in AGENTS and not _is_as_pinned(tools, name)]
    npm = shutil.which("npm")
    if agents and npm is None:
        print("npm is not installed: the coding assistants come from there", file=sys.stderr)
    elif agents and npm is not None:
        folder = tools.folder / "npm"
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / "package.json").exists():
            (folder / "package.json").write_text('{"private": true}\n', encoding="utf-8")
        named = [PACKAGES[name] for name in agents]
        options = ["--no-fund", "--no-audit", "--save-exact", "--loglevel", "error"]
        subprocess.run([npm, "install", *options, *named], cwd=folder, stdout=sys.stderr)
    if SDK in wanted and not _is_as_pinned(tools, SDK):
        venv.create(tools.folder / "sdk", with_pip=True)
        pip = [str(tools.program(SDK)), "-m", "pip", "install", "-q", PACKAGES[SDK]]
        subprocess.run([*pip, "--disable-pip-version-check"], stdout=sys.stderr)


def _is_as_pinned(tools: Tools, name: str) -> bool:
    """Whether the folder has a client, in the version that is checked."""
    if name == SDK:
        found = (tools.folder / "sdk").glob(
            f"**/{PACKAGES[SDK].replace('-', '_').replace('==', '-')}*"
        )
        return next(found, None) is not None
    package, _, version = PACKAGES[name].rpartition("@")
    file = tools.folder / "npm" / "node_modules" / package / "package.json"
    try:
        is_pinned = bool(json.loads(file.read_text(encoding="utf-8"))["version"] == version)
    except FileNotFoundError:
        return False
    return is_pinned and tools.program(name).exists()


# --- checks ---------------------------------------------------------------------------------------


def _jobs(tools: Tools, here: Sequence[str], sessions: int) -> Iterator[Job]:
    """All that can be checked with these clients; the longest first, so that no lane waits."""

    def in_a_row(name: str) -> Callable[[Path], Iterator[Claim]]:
        return lambda folder: promises.sessions_in_a_row(folder, tools, name, sessions)

    def proxied(name: str) -> Callable[[Path], Iterator[Claim]]:
        return lambda folder: promises.through_the_proxy(folder, tools, name)

    agents = [name for name in here if name in AGENTS]
    for name in sorted(agents, reverse=True):
        yield Job(name=f"{name} in a row", run=in_a_row(name))
    yield Job(
        name="told and found", run=lambda folder: promises.told_and_found(folder, tools, here)
    )
    if agents:
        yield Job(name="forms", run=lambda folder: promises.forms(folder, tools, agents))
    if "claude-code" in here:
        yield Job(name="/compact", run=lambda folder: promises.compaction(folder, tools))
    for name in ("claude-code", "codex"):
        if name in here:
            yield Job(name=f"{name} through the proxy", run=proxied(name))


def _done(job: Job, folder: Path) -> Outcome:
    begun, claims, error = time.monotonic(), [], ""
    try:
        for claim in job.run(folder):
            claims.append(claim)
    except ClientError as found:
        error = str(found)
    seconds = time.monotonic() - begun
    return Outcome(name=job.name, claims=tuple(claims), error=error, seconds=seconds)


def _report(outcome: Outcome, *, is_json: bool, is_verbose: bool) -> None:
    if is_json:
        for each in outcome.claims:
            told = {"check": each.check, "client": each.client, "says": each.says}
            print(json.dumps({**told, "holds": each.holds}), flush=True)
        ended = {"job": outcome.name, "seconds": round(outcome.seconds, 1)}
        print(json.dumps({**ended, "error": outcome.error}), flush=True)
        return
    for each in outcome.claims:
        print(f"{'OK  ' if each.holds else 'FAIL'} {each.check}, {each.client}: {each.says}")
        if is_verbose and not each.holds:
            print(each.found[-4000:])
    if outcome.error:
        print(f"FAIL {outcome.name}: {outcome.error}")
    print(f"     {outcome.name}: {outcome.seconds:.0f} s", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
