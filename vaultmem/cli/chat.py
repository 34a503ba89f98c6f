"""chat."""

from __future__ import annotations

import shlex
import sys

import click

from vaultmem import models, sessions
from vaultmem.base import TYPE_CHECKING, VaultmemError
from vaultmem.cli.note_lines import one_line
from vaultmem.cli.open_vault import open_memory
from vaultmem.cli.options import Shared, with_shared
from vaultmem.cli.output import say, say_failure, say_json, say_piece, tell
from vaultmem.cli.sessions_report import ended_lines, view_lines
from vaultmem.model import chat_id

if TYPE_CHECKING:
    from vaultmem.api import Memory, Session
    from vaultmem.model import LLM, TurnReport

_MEMORY = "/memory"
_SHOWN = 80  # characters of a turn
_HELP = (
    "/memory                 what this conversation knows",
    "/memory COMMAND ...     any of: {commands}",
    "/memory undo            take back the last turn, or what was done since",
    "/quit                   end the conversation and keep it (Ctrl-D too)",
    "/leave                  leave it open, to go on later",
)
# What of the command line makes sense in the middle of a conversation.
_COMMANDS = (
    *("status", "search", "recall", "show", "list", "profile", "remember", "forget"),
    *("export", "import", "consolidate", "review", "undo", "log", "clear"),
)


@click.command("chat")
@click.argument("id_", metavar="[SESSION]", default="")
@click.option("--title", metavar="TEXT", default="", help="What it is about.")
@click.option("--budget", type=click.IntRange(1), metavar="TOKENS", help="Of each prompt.")
@with_shared
def chat_command(shared: Shared, id_: str, title: str, budget: int | None) -> int:
    """Talk to your chat model, with this memory.

    Each question goes out with what the vault and the conversation know. After each reply it says
    what was remembered. `/help` lists what can be typed besides; Ctrl-D ends the conversation,
    which then becomes part of the vault. Needs a model (`vaultmem help llm`).

    \b
    vaultmem chat
    vaultmem chat heron --title "Building Heron"
    """
    with open_memory(shared.vault) as memory:
        model = models.chat(memory.opened)
        session = memory.session(id_ or chat_id(), title=title)
        # After `/memory clear` every question failed, as the session was gone: it begins anew.
        if session.show().status != "open":
            session.resume()
        if sys.stdin.isatty() and not shared.as_json:
            tell(f"session '{session.id}' with {model.name}; /help lists commands, Ctrl-D ends it")
        ends = _talk(memory, session, model, budget=budget, as_json=shared.as_json)
        session = memory.session(session.id)
        if ends and session.show().turn:
            done = session.end()
            shared.say(done, ["", *ended_lines(done)])
    return 0


def _talk(
    memory: Memory, session: Session, model: LLM, *, budget: int | None, as_json: bool
) -> bool:
    """Ask and answer until the input ends; whether the conversation ends with it."""
    while True:
        line = _read()
        if line is None or line.strip() == "/quit":
            return True
        text = line.strip()
        if text == "/leave":
            return False
        if not text:
            continue
        session = memory.session(session.id)  # `/memory clear` may have taken it out
        if text.startswith("/"):
            _obey(memory, session, text)
        else:
            _answer(memory, session, model, text, budget=budget, as_json=as_json)


def _answer(
    memory: Memory,
    session: Session,
    model: LLM,
    question: str,
    *,
    budget: int | None,
    as_json: bool,
) -> None:
    """One question: the reply as it comes, then what was remembered. A failure ends nothing."""
    try:
        talk = sessions.Talk(memory.opened, session.id, question, model=model, budget=budget)
        try:
            for piece in talk:
                if not as_json:
                    say_piece(piece)
        except KeyboardInterrupt:
            # Who has read enough ends the reply, not the chat: what was said counts as ever.
            tell("\nbroken off; kept as far as it came (Ctrl-C again leaves the chat)")
    except VaultmemError as error:
        if not as_json:
            say_piece("\n")
        tell(f"error: {error.message}")
        hint = f"{error.hint or 'ask again'}; nothing of this turn was kept"
        tell(f"hint: {hint}")
        if as_json:
            say_failure(error.message, hint, error.exit_code)
        return
    if not as_json:
        say_piece("\n")
    try:
        report = session.turn(question, talk.text)
    except VaultmemError as error:
        message, hint = f"this turn was not kept: {error.message}", error.hint
        hint = hint or "say it again in other words"
        tell(f"error: {message}")
        tell(f"hint: {hint}")
        if as_json:
            say_failure(message, hint, error.exit_code)
        return
    if as_json:
        say_json({"reply": talk.text, "tokens": talk.prompt.tokens, "turn": report})
    else:
        _tell_changes(report)


def _tell_changes(report: TurnReport) -> None:
    """What a turn changed, on standard error: it is about the work, not the reply."""
    for sign, texts in (("-", report.removed), ("+", report.added)):
        for text in texts:
            tell(f"  {sign} {text}")
    if report.redacted:
        tell("  not kept: " + ", ".join(dict.fromkeys(each.kind for each in report.redacted)))


def _obey(memory: Memory, session: Session, text: str) -> None:
    """A line that begins with a slash."""
    try:
        first, *rest = shlex.split(text)
    except ValueError as error:
        tell(f"error: {error}")
        return
    if first == _MEMORY and not rest:
        say(view_lines(session.show(), memory.settings.timezone, recent=3))
    # With a model a turn is two commits. `/memory undo` took back the summary alone, which the next
    # turn then made again.
    elif first == _MEMORY and rest == ["undo"] and session.ends_in_turn():
        _take_back(session)
    elif first == _MEMORY and rest[0] in _COMMANDS:
        from vaultmem.cli.main import run  # saves 4 modules

        run(["--vault", str(memory.root), *rest])
    else:
        if first not in ("/help", _MEMORY):
            tell(f"error: no command is called '{first}'")
        say([line.format(commands=", ".join(_COMMANDS)) for line in _HELP])


def _take_back(session: Session) -> None:
    """All that the last turn left: its words, its summary, what it changed."""
    before = session.show()
    if not before.turn:
        tell("no turn is left to take back")
        return
    said = next((each.user for each in before.window if each.turn == before.turn), "")
    session.rewind(before.turn - 1)
    what = f": {one_line(said, _SHOWN)}" if said else ""
    tell(f"took back turn {before.turn}{what}")
    tell("hint: `vaultmem undo` brings it back")


def _read() -> str | None:
    """The next line; None at the end of the input."""
    if sys.stdin.isatty():
        sys.stdout.flush()
        sys.stderr.write("> ")
        sys.stderr.flush()
    line = sys.stdin.readline()
    return line if line else None
