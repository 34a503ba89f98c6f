"""Tests that need what no newcomer should have to install: frameworks of the adapters.

    python -m tests.adapters [FOLDER] [WORDS OF PYTEST]

makes an environment in FOLDER (default: `.venv-adapters`, left there for the next time), puts the
versions below into it, and runs these tests: 520 MB and a minute the first time, then a
minute. Without it they are left out, and a run of all tests says so.
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

PROJECT = Path(__file__).parents[2]
PACKAGES = (
    "anthropic==2.12.0",
    "langgraph==1.2.22",
    "llama-index-core==0.14.25",
    "mem0ai==2.2.1",
    "openai-agents==0.24.0",
)
OURS = ("pytest>=8.2", "pytest-xdist>=3.6", "hypothesis>=6.100")
TESTS = ("tests/adapters",)


def main(words: list[str]) -> int:
    """Make the environment where it is missing, and run the tests in it; the code of pytest."""
    if words and not words[0].startswith("-"):
        folder, words = Path(words[0]), words[1:]
    else:
        folder = PROJECT / ".venv-adapters"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        venv.create(folder, with_pip=True)
    made = "\n".join((*PACKAGES, *OURS))
    note = folder / "installed.txt"
    if not note.exists() or note.read_text(encoding="utf-8") != made:
        pip = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        subprocess.run([*pip, "-e", str(PROJECT), *OURS, *PACKAGES], check=True)
        note.write_text(made, encoding="utf-8")
    # Mem0 reports each use to its makers unless it is told not to.
    environ = {**os.environ, "MEM0_TELEMETRY": "False", "OPENAI_AGENTS_DISABLE_TRACING": "1"}
    run = [str(python), "-m", "pytest", "-p", "no:cacheprovider", *TESTS, *words]
    return subprocess.run(run, cwd=PROJECT, env=environ).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
