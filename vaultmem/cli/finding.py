"""What recall, search, list and show do once their options are read; loads no click."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from vaultmem.cli.output import say, say_json, warn
from vaultmem.errors import BadInputError
from vaultmem.memory import Memory, SystemClock
from vaultmem.model.recall import Filters

if TYPE_CHECKING:
    from vaultmem.ports import Clock


class PretendedClock:
    """A clock that stands at the moment that VAULTMEM_NOW names."""

    def __init__(self, text: str) -> None:
        from vaultmem.model.time import parse_instant

        try:
            self._now = parse_instant(text)
        except ValueError as error:
            raise BadInputError(
                f"VAULTMEM_NOW is not a date: '{text}'", hint="write 2026-03-11T09:14:00Z"
            ) from error

    def now(self) -> int:
        """UTC milliseconds since 1970."""
        return self._now


def clock() -> Clock:
    """The clock of this machine, unless VAULTMEM_NOW asks for output that can be reproduced."""
    pretended = os.environ.get("VAULTMEM_NOW")
    return PretendedClock(pretended) if pretended else SystemClock()


def opened(vault: str | None) -> Memory:
    """The vault that is meant, opened, with warnings about its settings told."""
    memory = Memory(vault, clock=clock(), short_lived=True)
    warn(memory.settings.warnings)
    return memory


def recall(
    words: Sequence[str],
    *,
    vault: str | None = None,
    limit: int | None = None,
    filters: Sequence[tuple[str, tuple[str, ...]]] = (),
    as_json: bool = False,
    explain: bool = False,
    everything: bool = False,
    half_lives: Sequence[str] = (),
) -> int:
    """Answer a question from the vault.

    filters     as `read_filters` takes them
    half_lives  `STREAM=DAYS` each, or `STREAM=never`
    everything  list every kind of note that has the words (`search`)
    """
    from vaultmem.cli.answers import answer_json, answer_lines

    query = " ".join(words)
    with opened(vault) as memory:
        wanted = read_filters(memory, filters)
        if everything:
            answer = memory.search(query, limit=limit, filters=wanted)
        else:
            days = read_half_lives(half_lives) if half_lives else None
            answer = memory.recall(query, limit=limit, filters=wanted, half_lives=days)
        zone = memory.settings.timezone
    if as_json:
        say_json(answer_json(answer, zone), zone)
    else:
        say(answer_lines(answer, zone, explain=explain))
    return 0


def list_notes(
    *,
    vault: str | None,
    limit: int | None,
    filters: Sequence[tuple[str, tuple[str, ...]]],
    as_json: bool,
) -> int:
    """List notes, newest first."""
    from vaultmem.cli.answers import list_lines

    with opened(vault) as memory:
        notes = memory.list(read_filters(memory, filters), limit=limit)
        zone = memory.settings.timezone
    if as_json:
        say_json(notes, zone)
    else:
        say(list_lines(notes, zone))
    return 0


def show(ref: str, *, vault: str | None, as_json: bool) -> int:
    """Print one note in full."""
    from vaultmem.cli.answers import note_lines

    with opened(vault) as memory:
        shown = memory.show(ref)
        zone = memory.settings.timezone
    if as_json:
        say_json(shown, zone)
    else:
        say(note_lines(shown, zone))
    return 0


def read_half_lives(given: Sequence[str]) -> dict[str, float | None]:
    """Stream -> days from `tasks=14` and `flow=never`; raises BadInputError."""
    days: dict[str, float | None] = {}
    for text in given:
        stream, _, value = text.partition("=")
        try:
            days[stream] = None if value == "never" else float(value)
        except ValueError as error:
            raise BadInputError(
                f"cannot read the half-life '{text}'",
                hint="write the stream and its days: tasks=14, or flow=never",
            ) from error
    return days


def read_filters(memory: Memory, given: Sequence[tuple[str, tuple[str, ...]]]) -> Filters:
    """Filters from (field of Filters, values); `since` and `until` take one date each."""
    if not given:
        return Filters()
    from vaultmem.model.time import parse_when

    now, zone = clock().now(), memory.settings.timezone
    several = {field: values for field, values in given if field not in ("since", "until")}
    moments = {
        field: parse_when(values[0], now, zone)
        for field, values in given
        if field in ("since", "until") and values
    }
    return Filters(
        types=several.get("types", ()),
        kinds=several.get("kinds", ()),
        streams=several.get("streams", ()),
        categories=several.get("categories", ()),
        tags=several.get("tags", ()),
        statuses=several.get("statuses", ()),
        trusts=several.get("trusts", ()),
        since=moments.get("since"),
        until=moments.get("until"),
    )
