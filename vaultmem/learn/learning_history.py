"""What runs of learning did, read from their commits: there is no second record of it."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from vaultmem.config.learning import learning_settings
from vaultmem.history.log import undone_by
from vaultmem.language.time import DAY_MS
from vaultmem.model.jobs import LearningHistory, LearningRun

if TYPE_CHECKING:
    from vaultmem.storage.git.log import LogEntry
    from vaultmem.vault.vault import Parts

OP = "consolidate"
_MOST = 100_000
_CHANGE = re.compile(r"^- ((\w[\w ]*?) \([\d.]+ -> [\d.]+\): .+)$", re.MULTILINE)


def history(parts: Parts, *, days: int | None = None) -> LearningHistory:
    """The runs that changed something and were not taken back, the newest first.

    days  how far back; 0: all there are; None: as `consolidation.report_days` says
    """
    settings = learning_settings(parts.settings.values)
    covered = settings.consolidation_report_days if days is None else days
    since = parts.clock.now() - covered * DAY_MS if covered else None
    undone = undone_by(parts.history.log(limit=_MOST, op="undo"))
    entries = [
        entry
        for entry in parts.history.log(limit=_MOST, op=OP)
        if entry.commit not in undone and (since is None or entry.at_ms >= since)
    ]
    told = entries[: settings.consolidation_history_runs]
    runs = tuple(_run(entry) for entry in told)
    words = Counter(
        found[2] for run in runs for line in run.changes if (found := _CHANGE.match(f"- {line}"))
    )
    return LearningHistory(
        runs=runs,
        counts=tuple(sorted(words.items())),
        days=covered,
        left_out=len(entries) - len(told),
    )


def _run(entry: LogEntry) -> LearningRun:
    return LearningRun(
        at=entry.at_ms,
        commit=entry.commit,
        subject=entry.subject,
        looked_at=entry.trailers.get("Vaultmem-Run", ""),
        changes=tuple(found[1] for found in _CHANGE.finditer(entry.body)),
    )
