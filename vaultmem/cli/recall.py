"""What recall, search, list and show do once their options are read; loads no click."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from vaultmem import language
from vaultmem import recall as recalling
from vaultmem.api import Memory
from vaultmem.base import TYPE_CHECKING, Any, BadInputError, replace
from vaultmem.cli.open_vault import NOTHING, clock, open_memory
from vaultmem.cli.output import say, say_json, tell
from vaultmem.model import NO_PROJECT, Filters, RecallRequest

if TYPE_CHECKING:
    from vaultmem.model import Progress


def recall(
    words: Sequence[str],
    *,
    vault: str | None = None,
    about: Mapping[str, Any] = NOTHING,
    filters: Sequence[tuple[str, tuple[str, ...]]] = (),
    as_json: bool = False,
    explain: bool = False,
    everything: bool = False,
    no_sync: bool = False,
) -> int:
    """Answer a question from the vault.

    about       fields of `RecallRequest` that were given
    filters     as `read_filters` takes them
    everything  list every kind of note that has the words (`search`)
    no_sync     from the index, without a look at the files
    """
    from vaultmem.cli.answer_lines import answer_json, answer_lines  # saves 4 modules

    request = RecallRequest(query=" ".join(words), **about)
    with open_memory(vault, sync=not no_sync) as memory:
        request = replace(
            request,
            filters=read_filters(memory, filters),
            project=project_of(memory, None),
        )
        with progress_of(request.as_of, request.known_at) as progress:
            ask = recalling.search if everything else recalling.recall
            answer = ask(memory.opened, request, progress=progress)
        zone, root = memory.settings.timezone, memory.root
    if not as_json:
        tell_lag(answer.synced_at, zone)
    if answer.plan is not None and answer.plan.without:
        tell(f"by words alone: {answer.plan.without}")
    if request.rerank and answer.reranked is not None and not answer.reranked.by:
        tell(f"not reranked: {answer.reranked.why}")
    if as_json:
        say_json(answer_json(answer, zone), zone)
    else:
        say(answer_lines(answer, zone, explain=explain), root=root)
    return 0


def list_notes(
    *,
    vault: str | None,
    limit: int | None,
    filters: Sequence[tuple[str, tuple[str, ...]]],
    as_json: bool,
    as_of: str | None = None,
    known_at: str | None = None,
    no_sync: bool = False,
) -> int:
    """List notes, newest first."""
    from vaultmem.cli.note_lines import list_lines  # saves 2 modules

    with open_memory(vault, sync=not no_sync) as memory:
        wanted = read_filters(memory, filters)
        with progress_of(as_of, known_at) as progress:
            notes = memory.list(
                wanted, limit=limit, as_of=as_of, known_at=known_at, progress=progress
            )
        zone, root = memory.settings.timezone, memory.root
        since = memory.unsynced_since
        moment = None
        if as_of or known_at:
            by_status = bool(wanted.statuses)
            moment = memory.history.moment(as_of=as_of, known_at=known_at, by_status=by_status)
    if as_json:
        about: dict[str, object] = {} if moment is None else {"moment": moment}
        if since is not None:
            about |= {"is_level": False, "synced_at": language.format_instant(since, zone)}
        say_json({**about, "notes": notes} if about else notes, zone)
    else:
        tell_lag(since, zone)
        if moment is not None:
            from vaultmem.cli.history import moment_line  # saves 7 modules

            say([moment_line(moment, zone)])
        say(list_lines(notes, zone), root=root)
    return 0


def show(
    ref: str,
    *,
    vault: str | None,
    as_json: bool,
    as_of: str | None = None,
    known_at: str | None = None,
    no_sync: bool = False,
) -> int:
    """Print one note in full."""
    from vaultmem.cli.answer_lines import note_lines  # saves 4 modules

    with open_memory(vault, sync=not no_sync) as memory:
        with progress_of(as_of, known_at) as progress:
            shown = memory.show(ref, as_of=as_of, known_at=known_at, progress=progress)
        zone = memory.settings.timezone
    if as_json:
        say_json(shown, zone)
    else:
        tell_lag(shown.synced_at, zone)
        say(note_lines(shown, zone))
    return 0


def tell_lag(since: int | None, zone: str) -> None:
    """Say that the files were not compared; `since`: None where they were."""
    if since is not None:
        from vaultmem.cli.note_lines import moment  # saves 2 modules

        tell(f"not compared with the files: edits since {moment(since, zone)} may be missing")


@contextmanager
def progress_of(as_of: int | str | None, known_at: int | str | None) -> Iterator[Progress | None]:
    """A bar while the history is read, for a question about another time; else nothing."""
    if as_of is None and known_at is None:
        yield None
        return
    from vaultmem.cli.options import shown_progress  # saves 46 modules

    with shown_progress() as update:
        yield update


def project_of(memory: Memory, choice: str | None) -> str:
    """The project that a command is about: as it is asked for, else as the settings say; '': none.

    choice  a name, `auto` or `none`; None: nothing was said
    """
    choice = memory.settings.projects_commands if choice is None else choice
    if choice == NO_PROJECT:
        return ""
    from vaultmem import projects  # saves 4 modules where nobody asks for one

    return projects.chosen_project(choice, os.getcwd(), memory.settings)


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


def _project_filter(memory: Memory, choice: str) -> str:
    """A project to filter by: `auto` is that of the folder one is in, or `none`."""
    return choice if choice == NO_PROJECT else project_of(memory, choice) or NO_PROJECT


def read_filters(memory: Memory, given: Sequence[tuple[str, tuple[str, ...]]]) -> Filters:
    """Filters from (field of Filters, values); `since` and `until` take one date each."""
    if not given:
        return Filters()

    now, zone = clock().now(), memory.settings.timezone
    several = {field: values for field, values in given if field not in ("since", "until")}
    moments = {
        field: language.parse_when(values[0], now, zone)
        for field, values in given
        if field in ("since", "until") and values
    }
    return Filters(
        types=several.get("types", ()),
        kinds=several.get("kinds", ()),
        streams=several.get("streams", ()),
        categories=several.get("categories", ()),
        tags=several.get("tags", ()),
        entities=several.get("entities", ()),
        projects=tuple(_project_filter(memory, each) for each in several.get("projects", ())),
        statuses=several.get("statuses", ()),
        trusts=several.get("trusts", ()),
        since=moments.get("since"),
        until=moments.get("until"),
    )
