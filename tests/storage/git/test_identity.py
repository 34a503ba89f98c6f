"""Whose commits they are: the person's name and address, whoever asks for them at once."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.storage.git.repositories import Repo
from vaultmem.storage.git.engine import Engine
from vaultmem.storage.git.identity import read_identity


def test_two_that_ask_at_once_for_the_first_time_both_get_it(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    settings = tmp_path / "gitconfig"
    environment = {"GIT_CONFIG_GLOBAL": str(settings), "PATH": "/usr/bin:/bin"}
    history = repo.history
    engine: Engine = history._engine

    def ask(ready: threading.Barrier) -> tuple[str, str]:
        ready.wait(30)
        return read_identity(engine, environment)

    with ThreadPoolExecutor(6) as asking:
        for round_ in range(5):
            name = "Ada" + " I" * round_
            settings.write_text(f"[user]\n\tname = {name}\n\temail = ada@example.org\n")
            found = asking.map(ask, [threading.Barrier(6)] * 6)
            assert set(found) == {(name, "ada@example.org")}
