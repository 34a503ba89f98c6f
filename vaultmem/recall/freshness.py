"""What a note is judged by beside its words: how old, how fresh, how important it is."""

from __future__ import annotations

from math import inf, isfinite

from vaultmem.base import TYPE_CHECKING
from vaultmem.language import HOUR_MS
from vaultmem.model import MEMORY_TYPES
from vaultmem.recall import recency
from vaultmem.recall.decay import reference
from vaultmem.recall.use_counts import accesses

if TYPE_CHECKING:
    from vaultmem.model import NoteRow
    from vaultmem.vault import Vault

NEVER_FADES = ("procedural",)


def memory_type(note: NoteRow) -> str:
    """episodic, semantic, procedural or task; what is no item is the record of something said."""
    return MEMORY_TYPES.get(note.kind, "episodic")


class Ages:
    """Ages of notes at one instant; uses are read once."""

    def __init__(self, vault: Vault, *, now: int) -> None:
        self._settings = vault.settings
        self._used = accesses(vault)
        self._now = now

    def hours(self, note: NoteRow, *, by_access: bool) -> float:
        """Hours since a note last counted; without end when nothing says when that was.

        What happened is as old as the event; anything else counts anew when it is confirmed.
        by_access  an answer that it was part of counts, too
        """
        is_event = memory_type(note) == "episodic"
        since = reference(
            now=self._now,
            valid_from=note.valid_from,
            valid_until=note.valid_until,
            last_confirmed=None if is_event else note.confidence_at,
            recorded_at=note.date,
        )
        used = self._used.get(note.id) if by_access and note.id else None
        known = [at for at in (since, None if used is None else used.last) if at is not None]
        return max(0.0, (self._now - max(known)) / HOUR_MS) if known else inf

    def days_used(self, note: NoteRow) -> int:
        """On how many days a note was used, on all devices."""
        used = self._used.get(note.id) if note.id else None
        return 0 if used is None else used.days

    def is_idle(self, note: NoteRow) -> bool:
        """Whether nobody used it for so long that it leaves the graph; words still find it.

        What was told or confirmed lately is not idle, however long ago it happened. Only what
        happened and what was said may be; facts, wishes and a person's own pages stay.
        """
        settings = self._settings
        most_days = settings.maintenance_graph_idle_days
        if not most_days or note.type not in ("item", "resource"):
            return False
        if memory_type(note) != "episodic" or note.stream == "identity":
            return False
        stays = note.pinned or note.hard or note.importance >= settings.maintenance_keep_importance
        hours = self.hours(note, by_access=True)
        # 'Elise moved to Bergen in March', told in November, left the graph on the day it was told.
        if note.confidence_at is not None:
            hours = min(hours, (self._now - note.confidence_at) / HOUR_MS)
        return not stays and isfinite(hours) and hours > most_days * 24

    def importance(self, note: NoteRow) -> tuple[float, str]:
        """1..10 and why: as scored (of texts and pages the default), and more for being used."""
        scored = note.importance if note.type == "item" else self._settings.importance_default
        used = self._used.get(note.id) if note.id else None
        risen = 0 if used is None else used.priority
        more = f", {risen} more for being used" if risen else ""
        return min(10.0, float(scored) + risen), f"importance {scored:g} of 10{more}"

    def freshness(self, note: NoteRow, hours: float, *, by_type: bool) -> float:
        """0..1 by Park's rate, or by what kind of memory it is (algorithms.md 5.15 and 9).

        By kind: what happened fades exponentially, what is so by a power law of days or, once it
        was answered, by its stability; how something is done does not fade.
        """
        settings, kind = self._settings, memory_type(note)
        if not by_type or kind == "episodic":
            return recency.exponential(hours, settings.retrieval_recency_per_hour)
        if kind in NEVER_FADES or note.pinned or note.hard:
            return 1.0
        used = self._used.get(note.id) if note.id else None
        if used is None:
            return recency.power_law(hours / 24)
        stability = recency.stability_hours(
            used.days,
            base_hours=settings.stability_base_hours,
            growth=settings.stability_growth,
            cap_hours=settings.stability_cap_years * recency.HOURS_A_YEAR,
        )
        return recency.retention(hours, stability)
