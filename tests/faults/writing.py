"""One writer of a crowd: remembers texts with one `Memory` that stays open.

    python -m tests.faults.writing VAULT NAME COUNT

Prints each text once it is acknowledged, `busy` for a call that said so (it is made again).
"""

from __future__ import annotations

import sys

from tests.faults.crowd import statement
from vaultmem.api.memory import Memory
from vaultmem.base.errors import BusyError, RepositoryBusyError


def main() -> None:
    """Remember COUNT texts; any error but 'busy' ends the process with a traceback."""
    vault, name, count = sys.argv[1:]
    with Memory(vault) as memory:
        for number in range(int(count)):
            text = statement(name, number)
            while True:
                try:
                    memory.remember(text)
                except (BusyError, RepositoryBusyError):
                    print("busy", flush=True)
                else:
                    print(text, flush=True)
                    break


if __name__ == "__main__":
    main()
