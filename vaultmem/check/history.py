"""Whether the history was rewritten, so that what was known when may be answered otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vaultmem.base.errors import HistoryDamagedError
from vaultmem.model.notes import Problem, Severity
from vaultmem.model.wording import counted
from vaultmem.vault import ledger

if TYPE_CHECKING:
    from vaultmem.vault.vault import Parts

REWRITTEN = "history-rewritten"
# A commit of ours is made within the second in which it says that it was recorded.
MOST_APART_MS = 600_000


def rewritten(parts: Parts) -> Iterator[Problem]:
    """One problem for all commits that a rebase, squash or amend made anew, on whatever device.

    Nothing where this device has lost a head that it recorded: that is said already, by
    `history-rewound`, and `vaultmem audit` names what is in the history in another form. Nothing
    of what somebody accepted here since, with `vaultmem audit --acknowledge`.
    """
    try:
        head = parts.history.head()
        if head is None or ledger.rewound(parts):
            return
        found = parts.history.lineage().remade(head, apart_ms=MOST_APART_MS)
        if found:
            found = _not_accepted(parts, found)
    except HistoryDamagedError:
        return  # `check_repository.damage` says more
    if found:
        yield Problem(
            path=PurePosixPath(".git"),
            code=REWRITTEN,
            message=f"{counted(len(found), 'commit')} {_was(len(found))} made anew after the time "
            f"that {_says(len(found))} to be recorded at, the last one is {found[-1][:8]}: a "
            "rebase, squash or amend of the history",
            hint="questions with `--known-at` go by what the commits say, and what a squash left "
            "out was never known; leave the branch of a vault to commits and merges; `vaultmem "
            "audit --acknowledge` accepts the history as it is",
            severity=Severity.WARNING,
        )


def _not_accepted(parts: Parts, found: tuple[str, ...]) -> tuple[str, ...]:
    accepted = ledger.looked_at(parts)
    if not accepted or not parts.history.exists(accepted):
        return found
    known = set(parts.history.lineage().remade(accepted, apart_ms=MOST_APART_MS))
    return tuple(commit for commit in found if commit not in known)


def _was(count: int) -> str:
    return "was" if count == 1 else "were"


def _says(count: int) -> str:
    return "it claims" if count == 1 else "they claim"
