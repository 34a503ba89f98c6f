"""What assistants write as files: their notes, and Anthropic's memory tool over them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from vaultmem import agents
from vaultmem.api.opened import Facet
from vaultmem.base import TYPE_CHECKING, Any
from vaultmem.storage import files

if TYPE_CHECKING:
    from vaultmem.agents import Answer, Brought


class Agents(Facet):
    """`memory.agents`: a folder each, whose files are an assistant's words."""

    def run(self, command: Mapping[str, Any], *, client: str = "") -> Answer:
        """Do one command of Anthropic's memory tool `memory_20250818`, and answer as it does.

        command  as the model gives it: `command`, `path`, `file_text`, ...
        client   what the assistant calls itself ('' : assistant); it sees its own files alone
        raises   BadInputError  no such command, or an argument is missing or of another type
        """
        return agents.run(self._parts, command, client=client)

    def bring(self, client: str, found: Mapping[PurePosixPath, bytes]) -> Brought:
        """Take files that an assistant had elsewhere into its folder, in one commit.

        found    bytes by path below the folder
        returns  what is new, and what was left out and why; no file is replaced
        """
        return agents.bring(self._parts, agents.folder_name(client), found)

    def folder(self, client: str) -> Path:
        """Where the files of an assistant lie, whether there are any yet or not."""
        return self._parts.root / files.AGENTS / agents.folder_name(client)
