"""Options that several commands share."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import click

from vaultmem.api import RECALL
from vaultmem.base import TYPE_CHECKING, Any, TypeVar, dataclass, field
from vaultmem.cli.output import say_result
from vaultmem.model import KINDS, LEVELS, STATUSES, STREAMS

if TYPE_CHECKING:
    from pathlib import Path

    from rich.progress import Progress as Bar
    from rich.progress import TaskID

    from vaultmem.api import Way
    from vaultmem.model import Progress
Command = TypeVar("Command", bound=Callable[..., Any])
NOTE_TYPES = ("item", "resource", "category", "stream", "page")


@dataclass(slots=True, kw_only=True)
class Shared:
    """What may be said before or after the name of a command."""

    vault: str | None = None  # None: as open_settings finds it
    as_json: bool = False
    verbose: bool = False
    filters: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)

    def say(
        self, value: object, lines: Iterable[str], zone: str = "UTC", *, root: Path | None = None
    ) -> int:
        """As `say_result`, in the form that was asked for."""
        return say_result(value, lines, zone, as_json=self.as_json, root=root)


class Table(click.Group):
    """A group whose help says of each command the whole first sentence, and not its beginning."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The table of commands."""
        rows = [(name, self.commands[name].help or "") for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl([(name, " ".join(_first(text))) for name, text in rows])


def _first(text: str) -> list[str]:
    """The words of the first paragraph."""
    return text.strip().partition("\n\n")[0].split()


def _store(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    shared = context.ensure_object(Shared)
    if value and parameter.name is not None:
        setattr(shared, parameter.name, value)
        if parameter.name == "verbose":
            logging.basicConfig(level=logging.DEBUG, format="%(name)s: %(message)s")


def shared_options(command: Command) -> Command:
    """`--vault`, `--json`, `--verbose`: the same before and after the command."""
    for option in (
        click.option(
            "-v",
            "--verbose",
            is_flag=True,
            expose_value=False,
            callback=_store,
            help="Show tracebacks and what the program logs.",
        ),
        click.option(
            "--json",
            "as_json",
            is_flag=True,
            expose_value=False,
            callback=_store,
            help="Print JSON for programs.",
        ),
        click.option(
            "--vault",
            metavar="NAME|FOLDER",
            expose_value=False,
            callback=_store,
            help="Use this vault.",
        ),
    ):
        command = option(command)
    return command


def with_shared(command: Command) -> Any:
    """`shared_options`, whose `Shared` the command gets as its first argument."""
    return shared_options(click.pass_obj(command))


def _store_filter(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    if value and parameter.name is not None:
        several = value if isinstance(value, tuple) else (value,)
        context.ensure_object(Shared).filters.append((parameter.name, several))


def _filter(name: str, field: str, *, text: str, choices: Sequence[str] = ()) -> Any:
    return click.option(
        name,
        field,
        multiple=True,
        metavar=None if choices else name.removeprefix("--").upper(),
        type=click.Choice(choices) if choices else str,
        expose_value=False,
        callback=_store_filter,
        help=text,
    )


def _date_filter(field: str, *, text: str) -> Any:
    return click.option(
        f"--{field}", metavar="DATE", expose_value=False, callback=_store_filter, help=text
    )


def filter_options(command: Command) -> Command:
    """Which notes may answer; every option but the dates may be given more than once."""
    for option in (
        _date_filter("until", text="Before this date."),
        _date_filter("since", text="From this date on."),
        _filter("--status", "statuses", text="Items of this status.", choices=STATUSES),
        _filter("--trust", "trusts", text="Believed so far.", choices=LEVELS),
        _filter("--entity", "entities", text="Items that name this person, place or thing."),
        _filter("--project", "projects", text="Told in this project: a name, `auto`, `none`."),
        _filter("--tag", "tags", text="With this tag."),
        _filter("--category", "categories", text="In this category."),
        _filter("--stream", "streams", text="In this stream.", choices=STREAMS),
        _filter("--kind", "kinds", text="Items of this kind.", choices=KINDS),
        _filter("--type", "types", text="Notes of this type.", choices=NOTE_TYPES),
    ):
        command = option(command)
    return command


def request_options(
    ways: Mapping[str, tuple[Way, ...]], *fields: str
) -> Callable[[Command], Command]:
    """The options by which fields of a request are given; no fields: all of the table.

    The command gets what was given by the names of the fields; what was not is None, False or ().
    """
    options = [_option(field, way) for field in fields or ways for way in ways[field]]

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def _option(field: str, way: Way) -> Any:
    names = [*(way.option or f"--{field.replace('_', '-')}").split(), field]
    if not (way.metavar or way.choices):
        return click.option(*names, flag_value=way.puts, is_flag=True, default=None, help=way.help)
    kind: Any = click.Choice(way.choices) if way.choices else float if way.is_number else str
    if way.least is not None:
        kind = click.IntRange(way.least, way.most)
    return click.option(
        *names,
        type=kind,
        metavar=way.metavar or None,
        nargs=way.several or 1,
        multiple=not way.several,
        help=way.help,
    )


def given_fields(options: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that were given; of the others the request has its defaults."""
    return {field: value for field, value in options.items() if value not in (None, ())}


ranking_options = request_options(RECALL, "preset", "diverse", "expand", "seed")
time_options = request_options(RECALL, "as_of", "known_at")
limit_option = request_options(RECALL, "limit")


def sync_option(command: Command) -> Command:
    """`--no-sync`: from the index as it is."""
    return click.option(
        "--no-sync",
        is_flag=True,
        help="Do not compare the files first: quicker, but edits since the last sync are missed.",
    )(command)


# What is shown of work that takes over a second, on a terminal only: a bar, or that it waits.

PATIENCE_SECONDS = 1.0


@contextmanager
def shown_progress() -> Iterator[Progress]:
    """A callback that draws a bar on stderr once the work has taken a second."""
    bar = _Bar()
    try:
        yield bar.update
    finally:
        bar.close()


@contextmanager
def shown_waiting(what: str, *, patience_seconds: float = PATIENCE_SECONDS) -> Iterator[None]:
    """Show on stderr what is waited for, once that has taken so long: for calls without steps."""
    if not sys.stderr.isatty():
        yield
        return
    from threading import Event, Thread

    over = Event()

    def show() -> None:
        if over.wait(patience_seconds):
            return
        from rich.console import Console

        with Console(stderr=True).status(what):
            over.wait()

    shower = Thread(target=show, daemon=True)
    shower.start()
    try:
        yield
    finally:
        over.set()
        shower.join()  # what it drew is taken off the screen before a result is printed


class _Bar:
    """One bar, made when it is first worth showing; nothing at all where nobody watches."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._bar: Bar | None = None
        self._tasks: dict[str, TaskID] = {}

    def update(self, what: str, done: int, total: int) -> None:
        """Show `done` of `total` (0: unknown) steps of `what`."""
        if not sys.stderr.isatty():
            return
        if self._bar is None:
            if time.monotonic() - self._started < PATIENCE_SECONDS:
                return
            self._bar = _new_bar()
            self._bar.start()
        if what not in self._tasks:
            self._tasks[what] = self._bar.add_task(what, total=total or None)
        self._bar.update(self._tasks[what], completed=done, total=total or None)

    def close(self) -> None:
        """Take the bar off the screen."""
        if self._bar is not None:
            self._bar.stop()


def _new_bar() -> Bar:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
