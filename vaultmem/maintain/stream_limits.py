"""Streams that have grown past their limit give up their oldest and least important items.

A part of `maintain weekly`, never of a command that reads or writes: nobody's list gets shorter
while they look at it. The share that stays is that of `compact --budget` (algorithms.md 3.8): its
preservation ratio, and not more than the limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from vaultmem.base.records import replace
from vaultmem.context.allocate import STREAMS, allocate
from vaultmem.context.lines import ratios
from vaultmem.context.tokens import counter_of
from vaultmem.history import versions as past
from vaultmem.maintain.streams import Held, cut, held, plan
from vaultmem.model.answers import Filters
from vaultmem.model.history import StreamsCompacted
from vaultmem.model.notes import Stream
from vaultmem.model.plan import Plan
from vaultmem.vault import level
from vaultmem.vault.unsettled import read_record

if TYPE_CHECKING:
    from pathlib import PurePosixPath

    from vaultmem.model.answers import NoteRow
    from vaultmem.vault.vault import Parts

REST_MS = 10 * 60_000  # after a person's last edit: they may still have the file open
_PEOPLE = ("editor", "")  # who commits what a person saved: we, or they themselves


def compact_overlong(
    parts: Parts, *, dry_run: bool = False, confirmed: bool = False
) -> StreamsCompacted | None:
    """Archive what the lists of streams hold beyond `limits.stream_tokens`; None: none is so long.

    Counted is what the lists say: an item that left the full list of the flow is in nobody's way.
    A stream that a person edited in the last ten minutes waits for the next run.
    confirmed  also more than a quarter of the active items; raises UnconfirmedError otherwise
    """
    from vaultmem.edit.writer import writer
    from vaultmem.maintain.archive import require_few
    from vaultmem.vault.apply import apply

    if not parts.settings.limits_stream_tokens:
        return None
    if dry_run:
        found, _ = level.reading(parts, lambda: _planned(parts))
        return found and replace(found, dry_run=True)
    with writer(parts):
        found, planned = _planned(parts)
        if found is None or planned is None:
            return found
        require_few(parts, len(found.items), confirmed=confirmed)
        [done] = apply(parts, [planned])
    return replace(found, commit=done.commit)


def _planned(parts: Parts) -> tuple[StreamsCompacted | None, Plan | None]:
    limit = parts.settings.limits_stream_tokens
    counting = counter_of(parts)
    files = _files(parts)
    streams = [_listed(held(parts, name, counting), files) for name in STREAMS]
    long = [stream for stream in streams if stream.content > limit]
    waiting = tuple(
        stream.name
        for stream in long
        if any(_is_in_use(parts, file.path) for file in files if file.name == stream.name)
    )
    over = [stream for stream in long if stream.name not in waiting]
    granted = {stream.name: stream.content for stream in streams}
    if over:
        granted.update(zip((stream.name for stream in over), _shares(parts, over), strict=True))
    report, going = cut(
        streams,
        list(granted.values()),
        budget=sum(granted.values()),
        counter_name=counting.name,
    )
    if not long:
        return None, None
    report = replace(report, waiting=waiting)
    return report, plan(parts, going, report, actor="maintenance") if going else None


def _shares(parts: Parts, over: Sequence[Held]) -> list[int]:
    """Tokens that each stream keeps: its ratio of what it holds, and at most the limit."""
    limit, odds = parts.settings.limits_stream_tokens, ratios(parts.settings)
    shares = allocate(
        [stream.content for stream in over],
        [odds[stream.name] for stream in over],
        pinned=[stream.pinned for stream in over],
    )
    return [min(granted, limit) for granted in shares.granted]


def _files(parts: Parts) -> list[Stream]:
    rows = parts.index.list(Filters(types=("stream",)))
    records = (read_record(parts, row.path) for row in rows)
    return [record for record in records if isinstance(record, Stream)]


def _listed(stream: Held, files: Sequence[Stream]) -> Held:
    """The same without the items that no list of the stream holds."""
    ids = {b.block_id for file in files if file.name == stream.name for b in file.bullets}
    kept: list[tuple[NoteRow, int]] = [
        (row, tokens)
        for row, tokens in zip(stream.rows, stream.tokens, strict=True)
        if row.id in ids
    ]
    return Held(stream.name, [row for row, _ in kept], [tokens for _, tokens in kept])


def _is_in_use(parts: Parts, path: PurePosixPath) -> bool:
    """Whether a person may have the file open: saved just now, or not committed yet."""
    if any(state.path == path.as_posix() for state in parts.index.pending()):
        return True
    versions = past.level(parts).versions(path=path.as_posix())
    edits = [each.recorded_at_ms for each in versions if each.actor in _PEOPLE]
    return bool(edits) and parts.clock.now() - max(edits) < REST_MS
