"""`VaultMemoryTool`: Anthropic's memory tool (`memory_20250818`) whose files lie in a vault."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from vaultmem.adapters.framework import MissingFrameworkError
from vaultmem.api import Memory
from vaultmem.base import Any, VaultmemError

try:
    from anthropic.lib.tools import BetaAbstractMemoryTool, ToolError
except ImportError as error:  # before 0.72 the package had no such classes
    raise MissingFrameworkError("vaultmem.adapters.anthropic", "anthropic") from error


class VaultMemoryTool(BetaAbstractMemoryTool):
    """The memory tool for `client.beta.messages.tool_runner(tools=[...])`.

    vault   a `Memory`, or the folder or the name of a vault, which is opened at the first command
            and closed by `close`
    client  what the assistant is called; its files lie in `agents/<client>/memories`
    cache_control  as the SDK takes it

    Its answers are those of the SDK's own `BetaLocalFilesystemMemoryTool`; each change is one
    commit, which `vaultmem undo` takes back. What the vault refuses is an error that says why.
    Like a `Memory` it belongs to the thread that uses it.
    """

    def __init__(
        self,
        vault: Memory | str | Path | None = None,
        *,
        client: str = "anthropic",
        cache_control: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._client = client
        self._is_given = isinstance(vault, Memory)
        self._opened = vault if isinstance(vault, Memory) else None
        self._vault = None if isinstance(vault, Memory) else vault

    def view(self, command: Any) -> str:
        """The lines of a file, or what lies in a folder."""
        return self._run(command)

    def create(self, command: Any) -> str:
        """A new file."""
        return self._run(command)

    def str_replace(self, command: Any) -> str:
        """Another text in the place of one that stands in a file once."""
        return self._run(command)

    def insert(self, command: Any) -> str:
        """A text after a line of a file."""
        return self._run(command)

    def delete(self, command: Any) -> str:
        """A file or a folder goes; the history has it."""
        return self._run(command)

    def rename(self, command: Any) -> str:
        """A file or a folder gets another name or place."""
        return self._run(command)

    def clear_all_memory(self) -> str:
        """All files of this assistant go, a commit each name; `vaultmem undo` brings them back."""
        folder = self._memory().agents.folder(self._client) / "memories"
        for name in sorted(each.name for each in folder.iterdir()) if folder.is_dir() else ():
            self._answer({"command": "delete", "path": f"/memories/{name}"})
        return "All memory cleared"

    def close(self) -> None:
        """Close the vault, if it was opened here; the next command opens it again."""
        if self._opened is not None and not self._is_given:
            self._opened.close()
            self._opened = None

    def __enter__(self) -> VaultMemoryTool:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _run(self, command: Any) -> str:
        return self._answer(command.to_dict())

    def _answer(self, command: Mapping[str, Any]) -> str:
        try:
            answer = self._memory().agents.run(command, client=self._client)
        except VaultmemError as error:
            told = f"{error.message}\nhint: {error.hint}" if error.hint else error.message
            raise ToolError(told) from error
        if answer.is_error:
            raise ToolError(answer.text)
        return answer.text

    def _memory(self) -> Memory:
        if self._opened is None:
            self._opened = Memory(self._vault)
        return self._opened
