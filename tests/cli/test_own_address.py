"""The address of the person's own remote is printed so that it can be copied."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable

import pytest

from vaultmem.api.memory import Memory
from vaultmem.devices.receive import pin
from vaultmem.vault.ledger import note_sending

OWN = "ssh://ada@127.0.0.1:9/srv/notes.git"

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run(memory: Memory) -> Run:
    """vaultmem in the vault, which goes to OWN."""
    pin(memory.opened, OWN, "main")

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "vaultmem", *words],
            cwd=memory.root,
            env=os.environ | {"GIT_SSH_COMMAND": "false"},
            capture_output=True,
            text=True,
            timeout=60,
        )

    return run


def test_the_remote_is_shown_as_it_was_set(run: Run) -> None:
    assert run("remote", "show").stdout == f"{OWN}  branch main\n"
    assert json.loads(run("remote", "show", "--json").stdout)["url"] == OWN
    assert f"'{OWN}'" in run("remote", "set", OWN).stdout


def test_errors_name_it_as_it_was_set(run: Run) -> None:
    done = run("pull")
    assert done.returncode != 0
    assert f"'{OWN}'" in done.stderr


def test_the_audit_lists_where_something_was_sent(run: Run, memory: Memory) -> None:
    note_sending(memory.opened, "push main", OWN, "1 commit")
    assert OWN in run("audit").stdout
    assert OWN in run("audit", "--json").stdout


def test_a_password_is_not_printed(run: Run, memory: Memory) -> None:
    note_sending(memory.opened, "push main", OWN.replace("ada@", "ada:hunter2@"), "1 commit")
    shown = run("audit").stdout
    assert OWN in shown
    assert "hunter2" not in shown
