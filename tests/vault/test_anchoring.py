"""The anchor: commits are announced and acknowledged, and a rewound history is said."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import FixedClock, Git
from vaultmem.api.memory import Memory
from vaultmem.vault import ledger
from vaultmem.vault.vault import Vault


def parts_of(memory: Memory) -> Vault:
    return memory._vault


def kinds(memory: Memory) -> list[str]:
    found = ledger.read(parts_of(memory).state)
    assert found is not None
    return [line.kind for line in found.lines]


def codes(memory: Memory) -> list[str]:
    return [problem.code for problem in memory.check().problems]


def test_every_commit_is_announced_and_acknowledged(memory: Memory) -> None:
    done = memory.remember("I prefer tea over coffee.")
    last = ledger.tail(parts_of(memory).state)
    assert last is not None
    assert (last.kind, last.head, last.detail) == ("ours", done.commit, "remember")
    assert kinds(memory) == ["begin", "plan", "ours", "plan", "ours"]


def test_an_edit_that_sync_takes_in_is_marked_as_the_persons(memory: Memory, root: Path) -> None:
    done = memory.remember("I prefer tea over coffee.")
    note = root / done.items[0].path
    note.write_text(note.read_text("utf-8").replace("tea", "green tea"), "utf-8")
    memory.sync()
    assert "editor" in kinds(memory)


def test_a_foreign_commit_on_top_is_noticed_not_lost(memory: Memory, git: Git) -> None:
    git("commit", "-q", "--allow-empty", "-m", "mine")
    memory.remember("I prefer tea over coffee.")
    assert memory.sync().rewound == ""
    assert "lost" not in kinds(memory)


def rewind(memory: Memory, git: Git) -> str:
    memory.remember("I prefer tea over coffee.")
    lost = memory.remember("My sister lives in Oslo.").commit
    assert lost is not None
    git("reset", "-q", "--hard", "HEAD~1")
    return lost


def test_sync_says_that_the_history_was_rolled_back(memory: Memory, git: Git) -> None:
    lost = rewind(memory, git)
    report = memory.sync()
    assert lost[:8] in report.rewound
    assert lost[:8] in memory.vault.status().rewound
    assert "history-rewound" in codes(memory)


def test_a_write_on_top_of_a_rollback_does_not_hide_it(memory: Memory, git: Git) -> None:
    lost = rewind(memory, git)
    assert memory.remember("I work at a bakery.").commit is not None
    memory.reindex()
    assert lost[:8] in memory.sync().rewound
    assert "history-rewound" in codes(memory)


def test_a_rollback_that_is_taken_back_is_no_loss(memory: Memory, git: Git) -> None:
    lost = rewind(memory, git)
    memory.sync()
    git("reset", "-q", "--hard", lost)
    memory.remember("I work at a bakery.")
    assert memory.sync().rewound == ""
    assert "history-rewound" not in codes(memory)


def test_accepting_the_history_ends_the_warning(memory: Memory, git: Git) -> None:
    rewind(memory, git)
    memory.sync()
    ledger.accept(parts_of(memory))
    assert memory.sync().rewound == ""
    assert "history-rewound" not in codes(memory)


def test_a_deleted_state_folder_breaks_nothing(
    memory: Memory, root: Path, clock: FixedClock
) -> None:
    memory.remember("I prefer tea over coffee.")
    state = parts_of(memory).state
    memory.close()
    shutil.rmtree(state)
    with Memory(root, clock=clock) as again:
        assert not again.vault.status().anchored
        again.remember("My sister lives in Oslo.")
        assert again.vault.status().anchored
        assert kinds(again)[0] == "begin"


def test_a_copied_vault_begins_a_ledger_of_its_own(
    memory: Memory, root: Path, tmp_path: Path, clock: FixedClock
) -> None:
    memory.remember("I prefer tea over coffee.")
    shutil.copytree(root, tmp_path / "copy")
    with Memory(tmp_path / "copy", clock=clock) as copy:
        copy.remember("My sister lives in Oslo.")
        assert kinds(copy) == ["begin", "plan", "ours"]


def stop(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("where", ["announce", "acknowledge"])
def test_a_write_that_stops_before_or_after_the_move_is_no_outside_change(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    memory.remember("I prefer tea over coffee.")
    real: Callable[..., None] = getattr(ledger, where)

    def last_words(*words: object, **more: object) -> None:
        if where == "announce":
            real(*words, **more)
        stop()

    monkeypatch.setattr(ledger, where, last_words)
    with pytest.raises(KeyboardInterrupt):
        memory.remember("My sister lives in Oslo.")
    monkeypatch.undo()
    memory.remember("I work at a bakery.")
    assert memory.sync().rewound == ""


def test_a_ledger_that_cannot_be_written_is_said_and_stops_nothing(memory: Memory) -> None:
    state = parts_of(memory).state
    (state / ledger.FILE_NAME).unlink()
    (state / ledger.FILE_NAME).mkdir()
    assert memory.remember("I prefer tea over coffee.").commit is not None
    assert "ledger-unwritten" in codes(memory)


def test_a_sending_is_listed_without_the_password_in_its_address(memory: Memory) -> None:
    vault = parts_of(memory)
    address = "https://ada:hunter2@example.org/notes.git?token=1"
    ledger.note_sending(vault, "push main", address, "3 commits")
    last = ledger.tail(vault.state)
    assert last is not None
    assert ledger.sent_words(last.detail) == (
        "push main",
        "https://example.org/notes.git",
        "3 commits",
    )
