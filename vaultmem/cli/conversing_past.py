"""session replay, rewind, artifact, fact, summarise."""

from __future__ import annotations

import sys

import click

from vaultmem.base import MisusedError
from vaultmem.cli.open_vault import open_memory
from vaultmem.cli.options import Shared, shared_options
from vaultmem.cli.output import say, say_json
from vaultmem.cli.sessions_report import fact_lines, rewound_lines, summarised_lines, view_lines
from vaultmem.config import session_settings

_ID = click.argument("id_", metavar="ID")


@click.command("replay")
@_ID
@click.option(
    "--turn", type=click.IntRange(0), metavar="N", required=True, help="0: before the first one."
)
@shared_options
@click.pass_obj
def session_replay(shared: Shared, id_: str, turn: int) -> int:
    """Show the exact state after a turn: what held, log, window, state of the agent.

    \b
    vaultmem session replay heron --turn 12
    vaultmem session replay heron --turn 12 --json
    """
    with open_memory(shared.vault) as memory:
        view = memory.session(id_, start=False).replay(turn)
        zone = memory.settings.timezone
    if shared.as_json:
        say_json(view, zone)
    else:
        say(view_lines(view, zone, recent=None))
    return 0


@click.command("rewind")
@_ID
@click.option(
    "--turn", type=click.IntRange(0), metavar="N", required=True, help="The last one that stays."
)
@click.option("--dry-run", is_flag=True, help="Only show the state that it would go back to.")
@shared_options
@click.pass_obj
def session_rewind(shared: Shared, id_: str, turn: int, dry_run: bool) -> int:
    """Go back to the state after a turn, in one commit.

    Later turns leave the session and stay in the history; `vaultmem undo` brings them back.

    \b
    vaultmem session rewind heron --turn 12 --dry-run
    vaultmem session rewind heron --turn 12
    """
    with open_memory(shared.vault) as memory:
        session = memory.session(id_, start=False)
        before = session.show()
        view = session.replay(turn) if dry_run else session.rewind(turn)
        zone = memory.settings.timezone
        recent = session_settings(memory.settings.values).recent_turns
    if shared.as_json:
        say_json(view, zone)
    else:
        say(rewound_lines(before, view, zone, recent=recent, dry_run=dry_run))
    return 0


@click.command("artifact")
@_ID
@click.argument("name", default="")
@click.option("--turn", type=click.IntRange(1), metavar="N", help="All that this turn brought.")
@shared_options
@click.pass_obj
def session_artifact(shared: Shared, id_: str, name: str, turn: int | None) -> int:
    """Print the code or document that a turn brought, byte for byte; without one, list them.

    \b
    vaultmem session artifact heron
    vaultmem session artifact heron t3-1 > sort.py
    vaultmem session artifact heron --turn 3
    """
    if name and turn:
        raise MisusedError(
            "name an artifact or a turn, not both", hint=f"`... artifact {id_} {name}`"
        )
    with open_memory(shared.vault) as memory:
        session = memory.session(id_, start=False)
        if not name and not turn:
            rows = session.show().artifacts
            if shared.as_json:
                say_json(rows)
            else:
                lines = [
                    f"{row.name}  turn {row.turn}, {row.bytes:,} bytes  {row.path}" for row in rows
                ]
                say(lines or ["there are none"])
            return 0
        texts = session.artifacts(name=name, turn=turn or 0)
    if shared.as_json:
        say_json(texts)
    elif sys.stdout.isatty():
        say(line for text in texts for line in text.rstrip("\n").split("\n"))
    else:
        # Byte for byte: into a file or a program nothing is marked.
        sys.stdout.flush()
        for text in texts:
            _write(text.encode())
    return 0


@click.command("fact")
@_ID
@click.argument("text", metavar="TEXT|FACT-ID")
@click.option("--hard", is_flag=True, help="A rule without exception: only you change it again.")
@click.option("--remove", is_flag=True, help="Take it out, also a hard one.")
@shared_options
@click.pass_obj
def session_fact(shared: Shared, id_: str, text: str, hard: bool, remove: bool) -> int:
    """Add a fact to what holds, make it a hard exception, or take it out.

    \b
    vaultmem session fact heron "Never push to main" --hard
    vaultmem session fact heron t3-1 --remove
    """
    if hard and remove:
        raise MisusedError("--hard and --remove exclude each other", hint="give one of them")
    with open_memory(shared.vault) as memory:
        session = memory.session(id_, start=False)
        before = session.show()
        view = session.drop_fact(text) if remove else session.settle_fact(text, hard=hard)
        zone = memory.settings.timezone
    if shared.as_json:
        say_json(view, zone)
    else:
        say(fact_lines(before, view, zone))
    return 0


@click.command("summarise")
@_ID
@shared_options
@click.pass_obj
def session_summarise(shared: Shared, id_: str) -> int:
    """Do now what waits: summaries that a crash or a silent model left undone.

    \b
    vaultmem session summarise heron
    """
    with open_memory(shared.vault) as memory:
        done = memory.session(id_, start=False).summarise()
    if shared.as_json:
        say_json(done)
    else:
        say(summarised_lines(done))
    return 0


def _write(data: bytes) -> None:
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        sys.stdout.write(data.decode())
    else:
        buffer.write(data)
        buffer.flush()
