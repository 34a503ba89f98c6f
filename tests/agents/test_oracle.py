"""The answers of the memory tool are those of Anthropic's own, and so are the trees it leaves.

`BetaLocalFilesystemMemoryTool` of the package `anthropic` is the oracle. What it answered to some
sequences is kept in oracle.jsonl, so that its absence hides nothing (`--update-golden` asks anew).
"""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.agents.sequences import Maker, tree_of
from vaultmem import Memory
from vaultmem.base import BadInputError

KEPT = Path(__file__).with_name("oracle.jsonl")
_FOLDER_SIZE = re.compile(r"^[\d.]+[BKMG]\t(.*/|/memories)$", re.MULTILINE)
# Why this vault does not do what the tool might: names and characters that it keeps from no one.
OF_POLICY = (
    *("is never kept in the vault", "does not work on every system", "many systems take"),
    *("leads outside the notes", "is not a path inside a vault", "is not valid UTF-8"),
    *("has more than 255 bytes", "has more than 1,000 bytes", "UTF-8 does not have"),
)


class Oracle:
    """Anthropic's tool over a folder of its own."""

    def __init__(self, base: Path) -> None:
        tools = pytest.importorskip(
            "anthropic.tools", reason="the package anthropic, 2.12 or later, is not installed"
        )
        self._error: type[Exception] = tools.ToolError
        self._tool = tools.BetaLocalFilesystemMemoryTool(str(base))
        self.folder = base / "memories"

    def ask(self, command: Mapping[str, Any]) -> tuple[str, bool]:
        """Its answer, and whether it is an error; raises what it raises of the system."""
        try:
            return str(self._tool.call(dict(command))), False
        except self._error as error:
            return str(error), True


def told(memory: Memory, command: Mapping[str, Any], client: str) -> tuple[str, bool]:
    try:
        answer = memory.agents.run(command, client=client)
    except BadInputError as error:
        return f"refused: {error.message}", True
    return answer.text, answer.is_error


def test_it_answers_what_the_tool_answered(
    memory: Memory, tmp_path: Path, update_golden: bool
) -> None:
    """Kept answers of the real tool, so that this holds where it is not installed."""
    if update_golden:
        _ask_anew(memory, tmp_path)
    for number, row in enumerate(map(json.loads, KEPT.read_text(encoding="utf-8").splitlines())):
        text, is_error = told(memory, row["command"], row["client"])
        assert (_even(text), is_error) == (row["answer"], row["is_error"]), number


def _ask_anew(memory: Memory, tmp_path: Path) -> None:
    rows = []
    for seed in range(1_000, 1_008):
        oracle = Oracle(tmp_path / f"oracle {seed}")
        maker = Maker(seed, oracle.folder)
        for _ in range(20):
            command = maker.command()
            if told(memory, command, f"asked {seed}")[0].startswith("refused:"):
                continue
            answer, is_error = oracle.ask(command)
            row = {"client": f"s{seed}", "command": command}
            rows.append(row | {"answer": _even(answer), "is_error": is_error})
    KEPT.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


def _even(text: str) -> str:
    """Without the sizes of folders, which differ by file system."""
    return _FOLDER_SIZE.sub(r"4K\t\1", text)


class TestAgainstTheToolItself:
    """Same strings, same trees, and nothing outside of the folder is touched."""

    def test_random_sequences(
        self,
        memory: Memory,
        tmp_path: Path,
        times: Callable[[int], int],
        tally: Callable[..., None],
    ) -> None:
        found: Counter[str] = Counter()
        for seed in range(times(8)):
            oracle = Oracle(tmp_path / f"oracle {seed}")
            self._run(memory, oracle, seed, 20, found)
        tally("memory tool against anthropic", **found)

    def _run(
        self, memory: Memory, oracle: Oracle, seed: int, length: int, found: Counter[str]
    ) -> None:
        client = f"s{seed}"
        folder = memory.agents.folder(client) / "memories"
        maker = Maker(seed, oracle.folder)
        for _ in range(length):
            command = maker.command()
            before = tree_of(oracle.folder)
            text, is_error = told(memory, command, client)
            found["commands"] += 1
            if text.startswith("refused:"):
                found["refused"] += 1
                assert is_error
                self._require_reason(text, command, oracle)
            else:
                assert (text, is_error) == oracle.ask(command), command
                found["errors"] += is_error
                found["changes"] += tree_of(oracle.folder) != before
            assert tree_of(folder) == tree_of(oracle.folder), command

    def _require_reason(self, text: str, command: Mapping[str, Any], oracle: Oracle) -> None:
        """Refused is only what the vault has a rule against, or what the tool fails at as well."""
        if any(why in text for why in OF_POLICY):
            return
        copy = oracle.folder.parent.with_name("copy")
        shutil.copytree(oracle.folder.parent, copy, symlinks=True)
        try:
            with pytest.raises((OSError, ValueError)):
                Oracle(copy).ask(command)
        finally:
            shutil.rmtree(copy)
