"""`.vaultmem/state/scorer.json`: what people said of answers, as a list of events.

One event a line, so that Git shows what a judgement added; sorted, so that the same events are the
same bytes on every device. Devices that judged apart are united: an event has an id. The file may
come from anybody who can push: what is no event is passed over, and there is a bound to them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from math import isfinite
from pathlib import Path
from typing import Any, TypeGuard

from vaultmem.base.records import dataclass
from vaultmem.storage.files.layout import SCORER

MOST_BYTES = 2_000_000
MOST_EVENTS = 5_000
_MOST_COMPONENTS = 16
_MOST_NAME = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorerEvent:
    """One judgement of one note in one answer."""

    id: str  # the same for the same answer and note: who judges again changes their mind
    at: int  # UTC ms
    preset: str
    accepted: bool
    credit: Mapping[str, float]  # component -> share, 0..1


def read_events(root: Path) -> tuple[ScorerEvent, ...]:
    """The events of a vault; none where there is no such file, or none that can be read."""
    try:
        with open(root / SCORER, "rb") as file:
            return parsed(file.read(MOST_BYTES + 1))
    except OSError:
        return ()


def parsed(data: bytes) -> tuple[ScorerEvent, ...]:
    """The events of a file, oldest first; what is no event of ours is passed over."""
    if len(data) > MOST_BYTES:
        return ()
    try:
        loaded = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        return ()
    found = loaded.get("events") if isinstance(loaded, dict) else None
    events = [_event(one) for one in found] if isinstance(found, list) else []
    return united([event for event in events if event is not None])


def united(events: Iterable[ScorerEvent]) -> tuple[ScorerEvent, ...]:
    """Each event once (of two with an id the later one), oldest first, the newest few thousand."""
    by_id: dict[str, ScorerEvent] = {}
    for event in sorted(events, key=lambda one: (one.at, one.accepted, sorted(one.credit.items()))):
        by_id[event.id] = event
    return tuple(sorted(by_id.values(), key=lambda one: (one.at, one.id))[-MOST_EVENTS:])


def rendered(events: Iterable[ScorerEvent]) -> bytes:
    """The file of these events; `parsed` reads them back."""
    lines = ",\n".join(
        json.dumps(
            {
                "accepted": one.accepted,
                "at": one.at,
                "credit": {
                    name: round(float(share), 6) for name, share in sorted(one.credit.items())
                },
                "id": one.id,
                "preset": one.preset,
            },
            ensure_ascii=True,
        )
        for one in united(events)
    )
    return f'{{"events": [\n{lines}\n], "format": 1}}\n'.encode("ascii")


def merged(ours: bytes, theirs: bytes) -> bytes:
    """The events of both files in one."""
    return rendered([*parsed(ours), *parsed(theirs)])


def _event(found: Any) -> ScorerEvent | None:
    if not isinstance(found, dict):
        return None
    id_, at, preset = found.get("id"), found.get("at"), found.get("preset")
    credit, accepted = found.get("credit"), found.get("accepted")
    if not (_is_name(id_) and _is_name(preset) and isinstance(accepted, bool)):
        return None
    if isinstance(at, bool) or not isinstance(at, int) or not 0 <= at < 2**53:
        return None
    if not isinstance(credit, dict) or len(credit) > _MOST_COMPONENTS:
        return None
    if not all(_is_name(name) and _is_share(share) for name, share in credit.items()):
        return None
    shares = {name: float(share) for name, share in credit.items()}
    return ScorerEvent(id=id_, at=at, preset=preset, accepted=accepted, credit=shares)


def _is_name(text: object) -> TypeGuard[str]:
    return isinstance(text, str) and 0 < len(text) <= _MOST_NAME and text.isascii()


def _is_share(share: object) -> bool:
    is_number = isinstance(share, int | float) and not isinstance(share, bool)
    return is_number and isfinite(share) and 0 <= share <= 1  # type: ignore[arg-type, operator]
