"""session."""

from __future__ import annotations

import sys
from collections.abc import Mapping

import click

from vaultmem import sessions
from vaultmem.base import TYPE_CHECKING, Any, BadInputError, MisusedError
from vaultmem.cli.open_vault import open_memory
from vaultmem.cli.options import Shared, Table, shared_options, with_shared
from vaultmem.cli.output import say, say_json, tell
from vaultmem.cli.recall import project_of
from vaultmem.cli.sessions_report import (
    artifact_lines,
    ended_lines,
    fact_lines,
    listing_lines,
    prompt_lines,
    resumed_lines,
    rewound_lines,
    summarised_lines,
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


@session_command.command("start")
@click.argument("id_", metavar="[ID]", default="")
@click.option("--title", metavar="TEXT", default="", help="What it is about.")
@click.option(
    "--writer", type=click.Choice(_WRITERS), default="person", help="Whose words the user's are."
)
@click.option("--project", metavar="NAME|auto|none", help="In which it is held.")
@with_shared
def session_start(shared: Shared, id_: str, title: str, writer: str, project: str | None) -> int:
    """Begin a session; without an id one is made up.

    Sessions in which nothing was said for an hour (`sessions.idle`) are ended on the way.

    \b
    vaultmem session start heron --title "Building the heron house"
    vaultmem session start --json
    """
    with open_memory(shared.vault) as memory:
        view = sessions.start(
            memory.opened,
            id_ or _made_up(),
            title=title,
            writer=writer,
            project=project_of(memory, project),
        )
    return shared.say(
        view, [f"session '{view.session}' is open", f"  {view.folder}"], memory.settings.timezone
    )


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
@with_shared
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
@with_shared
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
    return shared.say(made, prompt_lines(made))


@session_command.command("show")
@_ID
@click.option("--full", is_flag=True, help="The whole log, and the window word for word.")
@with_shared
def session_show(shared: Shared, id_: str, full: bool) -> int:
    """Show what holds, the last turns, and what waits for a summary.

    \b
    vaultmem session show heron
    vaultmem session show heron --full --json
    """
    with open_memory(shared.vault) as memory:
        view = memory.session(id_, start=False).show()
        recent = session_settings(memory.settings.values).recent_turns
        shared.say(
            view,
            view_lines(view, memory.settings.timezone, recent=None if full else recent),
            memory.settings.timezone,
        )
    return 0


@session_command.command("list")
@click.option("--all", "everything", is_flag=True, help="Ended ones too.")
@with_shared
def session_list(shared: Shared, everything: bool) -> int:
    """List open sessions, the last one first.

    \b
    vaultmem session list
    vaultmem session list --all --json
    """
    with open_memory(shared.vault) as memory:
        rows = memory.sessions.list(everything=everything)
        zone = memory.settings.timezone
    return shared.say(rows, listing_lines(rows, zone), zone)


@session_command.command("end")
@_ID
@with_shared
def session_end(shared: Shared, id_: str) -> int:
    """End a session: what was said becomes a text of the vault, with its items.

    One commit. What the conversation itself overtook becomes no item. `session resume` opens it
    again; only what is said after that is kept by the next end.

    \b
    vaultmem session end heron
    """
    with open_memory(shared.vault) as memory:
        done = memory.session(id_, start=False).end()
    return shared.say(done, ended_lines(done))


@session_command.command("resume")
@_ID
@with_shared
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
    return shared.say(view, resumed_lines(before, view, zone, recent=recent), zone)


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


@session_command.command("replay")
@_ID
@click.option(
    "--turn", type=click.IntRange(0), metavar="N", required=True, help="0: before the first one."
)
@with_shared
def session_replay(shared: Shared, id_: str, turn: int) -> int:
    """Show the exact state after a turn: what held, log, window, state of the agent.

    \b
    vaultmem session replay heron --turn 12
    vaultmem session replay heron --turn 12 --json
    """
    with open_memory(shared.vault) as memory:
        view = memory.session(id_, start=False).replay(turn)
        zone = memory.settings.timezone
    return shared.say(view, view_lines(view, zone, recent=None), zone)


@session_command.command("rewind")
@_ID
@click.option(
    "--turn", type=click.IntRange(0), metavar="N", required=True, help="The last one that stays."
)
@click.option("--dry-run", is_flag=True, help="Only show the state that it would go back to.")
@with_shared
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
    return shared.say(view, rewound_lines(before, view, zone, recent=recent, dry_run=dry_run), zone)


@session_command.command("artifact")
@_ID
@click.argument("name", default="")
@click.option("--turn", type=click.IntRange(1), metavar="N", help="All that this turn brought.")
@with_shared
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
            return shared.say(rows, artifact_lines(rows))
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


@session_command.command("fact")
@_ID
@click.argument("text", metavar="TEXT|FACT-ID")
@click.option("--hard", is_flag=True, help="A rule without exception: only you change it again.")
@click.option("--remove", is_flag=True, help="Take it out, also a hard one.")
@with_shared
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
    return shared.say(view, fact_lines(before, view, zone), zone)


@session_command.command("summarise")
@_ID
@with_shared
def session_summarise(shared: Shared, id_: str) -> int:
    """Do now what waits: summaries that a crash or a silent model left undone.

    \b
    vaultmem session summarise heron
    """
    with open_memory(shared.vault) as memory:
        done = memory.session(id_, start=False).summarise()
    return shared.say(done, summarised_lines(done))


def _write(data: bytes) -> None:
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        sys.stdout.write(data.decode())
    else:
        buffer.write(data)
        buffer.flush()


# The turns that `session turn` is told: by options, or as JSON.

_KEYS = ("user", "assistant", "state", "number", "at")


def turns_of(source: str | None, given: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The turns that a command line tells."""
    told = {key: value for key, value in given.items() if value is not None}
    if source is None:
        from_input = [key for key in ("user", "assistant") if told.get(key) == "-"]
        if len(from_input) > 1:
            raise MisusedError(
                "only one side can come from the input", hint="use --from - with JSON"
            )
        for key in from_input:
            told[key] = _read("-")
        if not told:
            raise MisusedError(
                "there is no turn", hint="--user TEXT, --assistant TEXT, or --from FILE"
            )
        return [told]
    if told:
        raise MisusedError("--from has the whole turn", hint="leave the other options out")
    return [_check_turn(each) for each in _load_turns(_read(source), source)]


def _load_turns(text: str, source: str) -> list[Any]:
    import json

    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInputError(
            f"'{source}' is not JSON: {error}",
            hint='for example {"user": "Hello", "assistant": "Hi"}',
        ) from error
    listed = found if isinstance(found, list) else [found]
    if not listed:
        raise BadInputError(f"'{source}' holds no turn", hint="an object, or a list of them")
    return listed


def _check_turn(turn: Any) -> Mapping[str, Any]:
    """A turn of JSON, with values of the types that it may have; raises BadInputError."""
    wrong = not isinstance(turn, dict) or not (turn.keys() <= set(_KEYS))
    if not wrong:
        texts = (turn.get(key, "") for key in ("user", "assistant"))
        numbers = (turn.get(key) for key in ("number", "at"))
        wrong = not all(isinstance(text, str | None) for text in texts) or not all(
            each is None or (isinstance(each, int) and not isinstance(each, bool))
            for each in numbers
        )
    if wrong:
        raise BadInputError(
            "a turn is an object with texts under 'user' and 'assistant'",
            hint="also 'state' (any JSON), 'number' (from 1), 'at' (ms since 1970)",
        )
    found: Mapping[str, Any] = turn
    return found


def _read(source: str) -> str:
    if source == "-":
        if sys.stdin.isatty():
            tell("reading from the terminal; end with Ctrl-D")
        return sys.stdin.read()
    try:
        with open(source, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(f"cannot read '{source}': {error}") from error
