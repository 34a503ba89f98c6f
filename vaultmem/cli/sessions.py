"""session."""

from __future__ import annotations

from collections.abc import Mapping

import click

from vaultmem import sessions
from vaultmem.base import TYPE_CHECKING, Any
from vaultmem.cli.conversing_input import turns_of
from vaultmem.cli.conversing_past import (
    session_artifact,
    session_fact,
    session_replay,
    session_rewind,
    session_summarise,
)
from vaultmem.cli.open_vault import open_memory
from vaultmem.cli.options import Shared, Table, shared_options
from vaultmem.cli.output import say, say_json
from vaultmem.cli.recall import project_of
from vaultmem.cli.sessions_report import (
    ended_lines,
    listing_lines,
    prompt_lines,
    resumed_lines,
    turn_lines,
    view_lines,
)
from vaultmem.config import session_settings
from vaultmem.storage import files

if TYPE_CHECKING:
    from vaultmem.api import Session
    from vaultmem.model import TurnReport

_WRITERS = ("person", "agent", "import")
_ID = click.argument("id_", metavar="ID")


@click.group("session", cls=Table)
@shared_options
def session_command() -> None:
    """Remember a conversation while it goes on, and give the next turn what it needs.

    Each turn is kept word for word, summed up in a log, and changes the short list of what holds
    now. When the conversation ends, what it stated becomes items of the vault.

    \b
    vaultmem session start heron
    vaultmem session turn heron --user "We use SQLite." --assistant "Noted."
    vaultmem session prompt heron "Which database?"
    vaultmem session end heron
    """


for _command in (session_replay, session_rewind, session_artifact, session_fact, session_summarise):
    session_command.add_command(_command)


@session_command.command("start")
@click.argument("id_", metavar="[ID]", default="")
@click.option("--title", metavar="TEXT", default="", help="What it is about.")
@click.option(
    "--writer", type=click.Choice(_WRITERS), default="person", help="Whose words the user's are."
)
@click.option("--project", metavar="NAME|auto|none", help="In which it is held.")
@shared_options
@click.pass_obj
def session_start(shared: Shared, id_: str, title: str, writer: str, project: str | None) -> int:
    """Begin a session; without an id one is made up.

    Sessions in which nothing was said for an hour (`sessions.idle`) are ended on the way.

    \b
    vaultmem session start heron --title "Building the heron house"
    vaultmem session start --json
    """

    with open_memory(shared.vault) as memory:
        view = sessions.start(
            memory.parts,
            id_ or _made_up(),
            title=title,
            writer=writer,
            project=project_of(memory, project),
        )
    if shared.as_json:
        say_json(view, memory.settings.timezone)
    else:
        say([f"session '{view.session}' is open", f"  {view.folder}"])
    return 0


@session_command.command("turn")
@_ID
@click.option("--user", metavar="TEXT", help="What the person said; - reads it from the input.")
@click.option("--assistant", metavar="TEXT", help="What came back; - reads it from the input.")
@click.option("--from", "source", metavar="FILE", help="JSON of a turn, or a list; - is the input.")
@click.option("--state", metavar="JSON", help="State of the agent after this turn.")
@click.option(
    "--number",
    type=click.IntRange(1),
    metavar="N",
    help="Of the turn: telling it again is harmless.",
)
@click.option("--background", is_flag=True, help="End once it is durable; summarise behind it.")
@shared_options
@click.pass_obj
def session_turn(
    shared: Shared,
    id_: str,
    user: str | None,
    assistant: str | None,
    source: str | None,
    state: str | None,
    number: int | None,
    background: bool,
) -> int:
    """Keep a turn: durable when this answers.

    A JSON turn is {"user": ..., "assistant": ..., "state": ..., "number": ...}; all but one of
    "user" and "assistant" may be left out. A session that does not exist is begun.

    \b
    vaultmem session turn heron --user "Never use tabs." --assistant "Understood."
    vaultmem session turn heron --from turn.json
    my-agent | vaultmem session turn heron --from - --json
    """
    given = {"user": user, "assistant": assistant, "state": state, "number": number}
    turns = turns_of(source, given)
    with open_memory(shared.vault) as memory, memory.session(id_) as session:
        reports = [_keep(session, turn, later=background) for turn in turns]
        if shared.as_json:
            say_json(reports[0] if len(reports) == 1 else reports, memory.settings.timezone)
        else:
            for report in reports:
                say(turn_lines(report))
    if background and reports[-1].waiting:
        # What cannot be begun, or is ended, the next command on this session does.
        files.leave_to_another(["--vault", str(memory.root), "session", "summarise", session.id])
    return 0


@session_command.command("prompt")
@_ID
@click.argument("question", default="")
@click.option("--budget", type=click.IntRange(1), metavar="TOKENS", help="Most that it may take.")
@shared_options
@click.pass_obj
def session_prompt(shared: Shared, id_: str, question: str, budget: int | None) -> int:
    """Print what a chat model should be given for the next question.

    Hard exceptions first, then what the vault and the conversation know, then the last turns word
    for word. With --json as a system text and messages.

    \b
    vaultmem session prompt heron "Which database do we use?"
    vaultmem session prompt heron "And now?" --budget 2000 --json
    """
    with open_memory(shared.vault) as memory:
        made = memory.session(id_, start=False).prompt(question, budget=budget)
    if shared.as_json:
        say_json(made)
    else:
        say(prompt_lines(made))
    return 0


@session_command.command("show")
@_ID
@click.option("--full", is_flag=True, help="The whole log, and the window word for word.")
@shared_options
@click.pass_obj
def session_show(shared: Shared, id_: str, full: bool) -> int:
    """Show what holds, the last turns, and what waits for a summary.

    \b
    vaultmem session show heron
    vaultmem session show heron --full --json
    """
    with open_memory(shared.vault) as memory:
        view = memory.session(id_, start=False).show()
        recent = session_settings(memory.settings.values).recent_turns
        if shared.as_json:
            say_json(view, memory.settings.timezone)
        else:
            say(view_lines(view, memory.settings.timezone, recent=None if full else recent))
    return 0


@session_command.command("list")
@click.option("--all", "everything", is_flag=True, help="Ended ones too.")
@shared_options
@click.pass_obj
def session_list(shared: Shared, everything: bool) -> int:
    """List open sessions, the last one first.

    \b
    vaultmem session list
    vaultmem session list --all --json
    """
    with open_memory(shared.vault) as memory:
        rows = memory.sessions.list(everything=everything)
        zone = memory.settings.timezone
    if shared.as_json:
        say_json(rows, zone)
    else:
        say(listing_lines(rows, zone))
    return 0


@session_command.command("end")
@_ID
@shared_options
@click.pass_obj
def session_end(shared: Shared, id_: str) -> int:
    """End a session: what was said becomes a text of the vault, with its items.

    One commit. What the conversation itself overtook becomes no item. `session resume` opens it
    again; only what is said after that is kept by the next end.

    \b
    vaultmem session end heron
    """
    with open_memory(shared.vault) as memory:
        done = memory.session(id_, start=False).end()
    if shared.as_json:
        say_json(done)
    else:
        say(ended_lines(done))
    return 0


@session_command.command("resume")
@_ID
@shared_options
@click.pass_obj
def session_resume(shared: Shared, id_: str) -> int:
    """Go on with a session, and finish what a crash left undone.

    \b
    vaultmem session resume heron
    """
    with open_memory(shared.vault) as memory:
        session = memory.session(id_, start=False)
        before = session.show()
        view = session.resume()
        zone = memory.settings.timezone
        recent = session_settings(memory.settings.values).recent_turns
    if shared.as_json:
        say_json(view, zone)
    else:
        say(resumed_lines(before, view, zone, recent=recent))
    return 0


def _keep(session: Session, turn: Mapping[str, Any], *, later: bool) -> TurnReport:
    state = turn.get("state")
    if state is not None and not isinstance(state, str):
        import json

        state = json.dumps(state)
    return session.turn(
        turn.get("user") or "",
        turn.get("assistant") or "",
        at=turn.get("at"),
        state=state,
        number=turn.get("number"),
        later=later,
    )


def _made_up() -> str:
    """An id of its own for a session that nobody named."""
    from secrets import token_hex

    return f"s-{token_hex(4)}"
