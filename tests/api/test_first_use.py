"""What is promised of the first use of `Memory` in a process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from vaultmem import Memory


def test_threads_that_open_a_vault_at_once_in_a_new_process_all_get_an_answer(
    tmp_path: Path,
) -> None:
    """Each opens its own, as the page on Python says; modules are loaded while they do."""
    Memory.init(tmp_path / "vault")
    with Memory(tmp_path / "vault") as memory:
        memory.remember("I prefer tea to coffee.")
    code = (
        "import sys\n"
        "from concurrent.futures import ThreadPoolExecutor\n"
        "sys.setswitchinterval(1e-5)\n"
        "def ask(_):\n"
        "    from vaultmem import Memory\n"
        "    with Memory(sys.argv[1]) as memory:\n"
        "        found = memory.recall('tea').hits[0].note.statement\n"
        "        return found, len(memory.context('tea').lines), len(memory.history.log())\n"
        "with ThreadPoolExecutor(6) as pool:\n"
        "    print(set(pool.map(ask, range(6))))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "vault")],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.stdout, done.stderr) == ("{('I prefer tea to coffee.', 1, 2)}\n", "")
