"""A process that tells the conversation to a session, turn by turn, and says which are kept.

    python -m tests.sessions.talking VAULT FIRST_TURN

Prints the number of each turn once it is acknowledged.
"""

from __future__ import annotations

import sys

from tests.sessions.conversation import TURNS
from vaultmem.api.memory import Memory

SESSION = "heron"


def main() -> None:
    """Tell the turns from FIRST_TURN on."""
    root, first = sys.argv[1], int(sys.argv[2])
    with Memory(root) as memory, memory.session(SESSION) as session:
        for number in range(first, len(TURNS) + 1):
            spoken = TURNS[number - 1]
            session.turn(spoken.user, spoken.assistant, number=number)
            print(number, flush=True)


if __name__ == "__main__":
    main()
