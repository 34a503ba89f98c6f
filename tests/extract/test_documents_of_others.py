"""Documents of others: what they have to do or decided stands in none of the person's lists."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import FixedClock
from vaultmem.api.memory import Memory
from vaultmem.model.answers import Filters

LOG = """# Release notes

We decided to keep the old names of the packages, hence compatible with other distributions.

## Known issues

- [ ] Rebuild the index after an update.
- The fix for the parser leads to a build failure on old systems.
- Mail bug reports and suggestions to the list.
- Never run the daemon as root.
- The current implementation is slow and known to have bugs.

To update, run `make install` and restart the daemon.
"""


@pytest.mark.parametrize("how", [{"imported": True}, {"source": "https://example.org/notes"}])
def test_nothing_of_a_manual_is_a_task_a_rule_or_a_decision_of_the_person(
    tmp_path: Path, how: dict[str, object]
) -> None:
    Memory.init(tmp_path / "notes", name="notes")
    with Memory(tmp_path / "notes", clock=FixedClock()) as memory:
        memory.remember(LOG, writer="import", **how)  # type: ignore[arg-type]  # two ways in
        rows = memory.list(Filters(types=("item",)))
    assert rows
    assert [row.statement for row in rows if row.stream in ("tasks", "identity")] == []
    assert [row.statement for row in rows if row.kind in ("task", "rule", "procedure")] == []
    assert [row.statement for row in rows if row.kind == "decision" and row.stream] == []


def test_what_the_person_writes_of_their_own_work_is_theirs(tmp_path: Path) -> None:
    Memory.init(tmp_path / "notes", name="notes")
    with Memory(tmp_path / "notes", clock=FixedClock()) as memory:
        memory.remember("- [ ] Rebuild the index after the update.\n\nWe decided on SQLite.")
        rows = memory.list(Filters(types=("item",)))
    assert {row.stream for row in rows} == {"tasks", "projects"}
