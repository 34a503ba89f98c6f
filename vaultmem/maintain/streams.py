"""Bring the streams within a budget of tokens, or back to their limits, by one commit.

Each stream keeps its share (context/budget.py; algorithms.md 3.8): pinned items and hard
exceptions whatever it is, then whole items by importance, newer ones first.
"""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem import edit
from vaultmem.base import TYPE_CHECKING, BadInputError, NamedTuple, replace
from vaultmem.context import STREAMS, allocate, by_weight, counter_of, ratios
from vaultmem.facts import load
from vaultmem.history import versions as past
from vaultmem.maintain.archive import archive_path, move_away, require_few
from vaultmem.model import (
    Filters,
    NoteRow,
    Plan,
    Stream,
    StreamsCompacted,
    StreamShare,
    pluralise,
    subject,
)
from vaultmem.vault import Listings, WorkingCopy, read_record

if TYPE_CHECKING:
    from pathlib import PurePosixPath

    from vaultmem.model import TokenCounter
    from vaultmem.vault import Vault
# Not `compact`: what a commit of that name removes counts as retired, and this is still here.
OP = "archive"


class Held(NamedTuple):
    """The active items of one stream, those that stay longest first, with their tokens."""

    name: str
    rows: Sequence[NoteRow]
    tokens: Sequence[int]

    @property
    def content(self) -> int:
        """Tokens of them all."""
        return sum(self.tokens)

    @property
    def pinned(self) -> int:
        """Tokens of those that stay whatever the budget is."""
        return sum(n for row, n in zip(self.rows, self.tokens, strict=True) if stays(row))


def compact_streams(vault: Vault, budget: int, *, dry_run: bool = False) -> StreamsCompacted:
    """Archive active items of the streams until those that stay take at most `budget` tokens.

    budget   tokens of all streams together, as lines of their lists, by `context.counter`
    dry_run  only say what would go
    More than the budget stays only where pinned items and hard exceptions take more.
    """
    if budget < 0:
        raise BadInputError(f"a budget is not below 0, as {budget} is")
    found, commit = edit.write_plan(vault, lambda: _plan_streams(vault, budget), dry_run=dry_run)
    return replace(found, dry_run=dry_run, commit=commit)


def _plan_streams(vault: Vault, budget: int) -> tuple[StreamsCompacted, Plan | None]:
    counting = counter_of(vault)
    streams = [active_items(vault, name, counting) for name in STREAMS]
    shares = allocate(
        [stream.content for stream in streams],
        list(ratios(vault.settings).values()),
        budget,
        pinned=[stream.pinned for stream in streams],
    )
    report, going = cut(streams, shares.granted, budget=budget, counter_name=counting.name)
    report = replace(report, pinned_exceeds_budget=shares.pinned_exceeds_budget)
    return report, plan(vault, going, report, actor="person") if going else None


def active_items(vault: Vault, name: str, counting: TokenCounter) -> Held:
    """The active items of a stream, by weight, pinned and hard ones first."""
    rows = vault.index.list(Filters(types=("item",), streams=(name,), statuses=("active",)))
    ordered = sorted(by_weight(rows), key=lambda row: not stays(row))
    return Held(name, ordered, counting.count([f"- {row.statement}\n" for row in ordered]))


def cut(
    streams: Sequence[Held], granted: Sequence[int], *, budget: int, counter_name: str
) -> tuple[StreamsCompacted, list[NoteRow]]:
    """What stays within the tokens that each stream was granted, and the items that go."""
    going: list[NoteRow] = []
    told = []
    for stream, room in zip(streams, granted, strict=True):
        out, kept = _beyond(stream, room)
        going += out
        told.append(
            StreamShare(
                name=stream.name,
                content=stream.content,
                granted=room,
                kept=kept,
                items=len(stream.rows) - len(out),
                archived=len(out),
            )
        )
    report = StreamsCompacted(
        budget=budget,
        counter=counter_name,
        streams=tuple(told),
        items=tuple(row.id for row in going),
        paths=tuple(archive_path(row.path) for row in going),
        statements=tuple(row.statement for row in going),
    )
    return report, going


def _beyond(stream: Held, granted: int) -> tuple[list[NoteRow], int]:
    """Items for which the stream has no room, and the tokens of those that stay."""
    out, kept = [], 0
    for row, tokens in zip(stream.rows, stream.tokens, strict=True):
        if not row.id or stays(row) or kept + tokens <= granted:
            kept += tokens
        else:
            out.append(row)
    return out, kept


def stays(row: NoteRow) -> bool:
    """Whether no budget archives an item."""
    return row.pinned or row.hard


def plan(vault: Vault, going: Sequence[NoteRow], report: StreamsCompacted, *, actor: str) -> Plan:
    """Put items into the archive, in one commit whose message has the table of budgets."""
    working_copy = WorkingCopy(vault)
    listings = Listings(vault, working_copy)
    for row in going:
        item = load(vault, row)
        listings.patch_item(item, {"status": "archived"})
        move_away(listings, item)
    return Plan(
        op=OP,
        actor=actor,
        subject=subject(
            OP,
            f"streams within {report.budget} tokens",
            extra=f"{pluralise(len(going), 'item')} archived",
        ),
        changes=working_copy.step(),
        trailers=(("Vaultmem-Items", ", ".join(row.id for row in going)),),
        details="\n".join(table(report)),
    )


def table(report: StreamsCompacted) -> list[str]:
    """The budget, a line a stream; for the commit and for people."""
    head = ("stream", "content", "granted", "kept", "items", "archived")
    rows = [
        (each.name, each.content, each.granted, each.kept, each.items, each.archived)
        for each in report.streams
    ]
    lines = [f"{head[0]:<9}" + "".join(f"{cell:>10}" for cell in head[1:])]
    lines += [f"{row[0]:<9}" + "".join(f"{cell:>10}" for cell in row[1:]) for row in rows]
    kept = sum(each.kept for each in report.streams)
    return [*lines, f"{kept} of {report.budget} tokens kept, counted by '{report.counter}'"]


# --- streams that have grown past their limit ---

# A part of `maintain weekly`, never of a command that reads or writes: nobody's list gets shorter
# while they look at it. The share that stays is that of `compact --budget` (algorithms.md 3.8): its
# preservation ratio, and not more than the limit.
REST_MS = 10 * 60_000  # after a person's last edit: they may still have the file open
_PEOPLE = ("editor", "")  # who commits what a person saved: we, or they themselves


def compact_overlong(
    vault: Vault, *, dry_run: bool = False, confirmed: bool = False
) -> StreamsCompacted | None:
    """Archive what the lists of streams hold beyond `limits.stream_tokens`; None: none is so long.

    Counted is what the lists say: an item that left the full list of the flow is in nobody's way.
    A stream that a person edited in the last ten minutes waits for the next run.
    confirmed  also more than a quarter of the active items; raises UnconfirmedError otherwise
    """
    if not vault.settings.limits_stream_tokens:
        return None
    found, commit = edit.write_plan(
        vault,
        lambda: _planned_stream_limits(vault),
        dry_run=dry_run,
        require=lambda cut: require_few(vault, len(cut.items) if cut else 0, confirmed=confirmed),
    )
    return found and replace(found, dry_run=dry_run, commit=commit)


def _planned_stream_limits(vault: Vault) -> tuple[StreamsCompacted | None, Plan | None]:
    limit = vault.settings.limits_stream_tokens
    counting = counter_of(vault)
    files = _files(vault)
    streams = [_only_listed(active_items(vault, name, counting), files) for name in STREAMS]
    long = [stream for stream in streams if stream.content > limit]
    waiting = tuple(
        stream.name
        for stream in long
        if any(_is_in_use(vault, file.path) for file in files if file.name == stream.name)
    )
    over = [stream for stream in long if stream.name not in waiting]
    granted = {stream.name: stream.content for stream in streams}
    if over:
        granted.update(zip((stream.name for stream in over), _shares(vault, over), strict=True))
    report, going = cut(
        streams,
        list(granted.values()),
        budget=sum(granted.values()),
        counter_name=counting.name,
    )
    if not long:
        return None, None
    report = replace(report, waiting=waiting)
    return report, plan(vault, going, report, actor="maintenance") if going else None


def _shares(vault: Vault, over: Sequence[Held]) -> list[int]:
    """Tokens that each stream keeps: its ratio of what it holds, and at most the limit."""
    limit, odds = vault.settings.limits_stream_tokens, ratios(vault.settings)
    shares = allocate(
        [stream.content for stream in over],
        [odds[stream.name] for stream in over],
        pinned=[stream.pinned for stream in over],
    )
    return [min(granted, limit) for granted in shares.granted]


def _files(vault: Vault) -> list[Stream]:
    rows = vault.index.list(Filters(types=("stream",)))
    records = (read_record(vault, row.path) for row in rows)
    return [record for record in records if isinstance(record, Stream)]


def _only_listed(stream: Held, files: Sequence[Stream]) -> Held:
    """The same without the items that no list of the stream holds."""
    ids = {b.block_id for file in files if file.name == stream.name for b in file.bullets}
    kept: list[tuple[NoteRow, int]] = [
        (row, tokens)
        for row, tokens in zip(stream.rows, stream.tokens, strict=True)
        if row.id in ids
    ]
    return Held(stream.name, [row for row, _ in kept], [tokens for _, tokens in kept])


def _is_in_use(vault: Vault, path: PurePosixPath) -> bool:
    """Whether a person may have the file open: saved just now, or not committed yet."""
    if vault.index.is_pending(path):
        return True
    versions = past.level(vault).versions(path=path.as_posix())
    edits = [each.recorded_at_ms for each in versions if each.actor in _PEOPLE]
    return bool(edits) and vault.clock.now() - max(edits) < REST_MS
