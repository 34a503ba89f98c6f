"""What is answered without click says what click's way says, to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from vaultmem.api.memory import Memory
from vaultmem.cli.main import run
from vaultmem.cli.quick import quick


@pytest.fixture
def vault(tmp_path: Path) -> str:
    folder = tmp_path / "notes"
    Memory.init(folder)
    with Memory(folder) as memory:
        memory.remember("I keep the spare key under the blue pot.")
        memory.remember("Never book me anything before ten.")
    return str(folder)


@pytest.mark.parametrize(
    "line",
    [
        ["recall", "--vault", "VAULT", "spare key"],
        ["recall", "spare key", "--vault=VAULT", "--json"],
        ["recall", "spare", "key", "--no-sync", "--vault", "VAULT"],
        ["--vault", "VAULT", "recall", "-n", "1", "key"],
        ["recall", "--limit=1", "key", "--vault", "VAULT"],
        ["--json", "context", "--vault", "VAULT", "--budget", "60", "when may you book"],
        ["context", "--vault", "VAULT", "--no-sync"],
        ["recall", "zeppelin", "--json", "--vault", "VAULT"],
        ["recall", "key", "--json", "--vault", "VAULT-that-is-none"],
    ],
)
def test_both_ways_answer_alike(
    line: list[str], vault: str, capfd: pytest.CaptureFixture[str]
) -> None:
    given = [word.replace("VAULT", vault) for word in line]
    code = quick(given)
    told = capfd.readouterr()
    assert code is not None
    assert run(given) == code
    assert capfd.readouterr() == told
    assert told.out + told.err


def test_a_sentence_is_kept_without_click(vault: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert quick(["remember", "My locker is number 88.", "--json", "--vault", vault]) == 0
    assert '"items"' in capfd.readouterr().out
    assert quick(["recall", "locker", "--vault", vault]) == 0
    assert "number 88" in capfd.readouterr().out


@pytest.mark.parametrize(
    "line",
    [
        [],
        ["recall"],
        ["remember", "--json"],
        ["recall", "--", "key"],
        ["recall", "--explain", "key"],
        ["recall", "--limit", "0", "key"],
        ["recall", "--limit", "many", "key"],
        ["recall", "--limit", "100001", "key"],
        ["recall", "--budget", "100", "key"],
        ["recall", "-n5", "key"],
        ["recall", "-n=5", "key"],
        ["recall", "key", "--limit"],
        ["recall", "key", "--vault"],
        ["recall", "key", "--vault", "--json"],
        ["recall", "key", "--vault", "a", "--vault", "b"],
        ["recall", "key", "--json", "--json"],
        ["--no-sync", "recall", "key"],
        ["context", "--limit", "3"],
        ["remember", "--no-sync", "a sentence"],
        ["remember", "-"],
        ["remember", "--dry-run", "a sentence"],
        ["mcp", "--json"],
        ["mcp", "more"],
        ["hook", "nobody"],
        ["search", "key"],
        ["--help"],
    ],
)
def test_what_needs_click_is_left_to_it(line: list[str]) -> None:
    assert quick(line) is None
