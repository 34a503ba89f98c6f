"""agmi's attacks through the front door: `python -m tests.agmi.memory_family` prints every verdict.

A vault for each user, as vaultmem is meant to be used. The door in front of it is the host program:
what is signed with the user's key is the person's own (writer `person`), anything else is text
from outside (writer `web`), whatever its label says. What the agent itself signs cannot be told
from the person's words at this door; the suite calls that channel agent-laundered.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from agmi.adapters.semantic_base import MemoryItem, Retrieved, SemanticMemoryAdapter
from agmi.attacks.memory_specific import ALL_MEMORY_ATTACKS
from agmi.signing import KEYRING

from vaultmem import __version__
from vaultmem.api.memory import Memory
from vaultmem.extract.prepare import Document
from vaultmem.model.answers import Answer


class UserVaults(SemanticMemoryAdapter):  # type: ignore[misc]  # agmi has no types
    """Writes with `remember`, reads with `recall`; a metadata filter asks for trust `user`.

    believed_only  read as a host that puts only what the person said into the context, by the
                   trust that each hit carries; False: whatever `recall` answers, as it is
    """

    name = "vaultmem"

    def __init__(self, *, believed_only: bool = False) -> None:
        self._trust = "user" if believed_only else ""
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._vaults: dict[str, Memory] = {}

    def reset(self) -> None:
        self.close()
        self._folder = tempfile.TemporaryDirectory(prefix="agmi-users-")

    def close(self) -> None:
        for memory in self._vaults.values():
            memory.close()
        self._vaults = {}
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def _vault(self, user: str) -> Memory:
        if user not in self._vaults:
            if self._folder is None:
                self.reset()
            assert self._folder is not None
            root = Path(self._folder.name) / user
            Memory.init(root)
            self._vaults[user] = Memory(root)
        return self._vaults[user]

    def add_memory(self, item: MemoryItem) -> None:
        is_own = KEYRING.verify(item.user_id, item.source, item.text, item.signature)
        claims = "".join(f"{key}: {value}\n" for key, value in item.metadata.items())
        text = f"---\n{claims}---\n\n{item.text}" if claims and not is_own else item.text
        writer = "person" if is_own else "web"
        self._vault(item.user_id).remember_many([Document(text=text, writer=writer)])

    def retrieve(self, query: str, user_id: str, k: int = 5) -> list[Retrieved]:
        return _served(self._vault(user_id).recall(query, limit=k), user_id, trust=self._trust)

    def retrieve_where(
        self, query: str, user_id: str, where: dict[str, str], k: int = 5
    ) -> list[Retrieved]:
        answer = self._vault(user_id).recall(query, limit=k)
        return _served(answer, user_id, trust="user")

    def measured_on(self) -> str:
        what = "only hits of trust user" if self._trust else "every hit"
        return f"vaultmem {__version__}, one vault a user, recall defaults, {what}"


def _served(answer: Answer, user: str, *, trust: str = "") -> list[Retrieved]:
    return [
        Retrieved(
            text="\n".join((hit.note.statement, *(each.text for each in hit.passages))),
            user_id=user,
            score=hit.score,
        )
        for hit in answer.hits
        if not trust or hit.note.trust in ("", trust)
    ]


def main() -> None:
    """Each attack, each channel: how many of the five were served, or why there is no verdict."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = f"{folder}/state"
        os.environ["XDG_CONFIG_HOME"] = f"{folder}/config"
        for believed_only in (False, True):
            _run(UserVaults(believed_only=believed_only))


def _run(adapter: UserVaults) -> None:
    print(f"\n{adapter.measured_on()}")
    for attack in ALL_MEMORY_ATTACKS:
        result = attack().run(adapter)
        print(f"{result.attack}@v{result.version}: {result.status}")
        for channel, outcomes in result.channels.items():
            surfaced = [number for number, each in enumerate(outcomes, 1) if each]
            unknown = outcomes.count(None)
            kept_out = outcomes.count(False)
            which = f" (number {', '.join(map(str, surfaced))})" if surfaced else ""
            print(
                f"    {channel:16} kept out {kept_out}, surfaced {len(surfaced)}{which}, "
                f"no verdict {unknown}"
            )
    adapter.close()


if __name__ == "__main__":
    main()
