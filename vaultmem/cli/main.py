"""The command line: a group whose commands are imported when they are called."""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence

import click

from vaultmem import __version__
from vaultmem.base import EXIT_USAGE, VaultmemError
from vaultmem.cli.failures import end_tidily, run_guarded
from vaultmem.cli.options import Shared, shared_options
from vaultmem.cli.output import prepare_streams

COMPLETE = "_VAULTMEM_COMPLETE"  # what click's completion scripts set

# (family, ((command, module, summary), ...)); the summary is the first line of the command's help
# (tests/cli/test_main.py), written here too so that `vaultmem --help` imports no command.
FAMILIES = (
    (
        "Remember and find",
        (
            ("remember", "everyday", "Keep a text, and the items that it states."),
            ("recall", "everyday", "Answer a question from the vault."),
            ("context", "everyday", "Print what an assistant is given, within a token budget."),
            ("search", "everyday", "List every kind of note that has the words."),
            ("show", "everyday", "Print one note, what it came from and what links to it."),
            ("list", "everyday", "List notes, newest first."),
            ("links", "everyday", "Show what a note is linked with, and what could be added."),
            ("feedback", "everyday", "Say of a hit that it answered, or did not."),
        ),
    ),
    (
        "Conversations",
        (
            (
                "session",
                "sessions",
                "Remember a conversation while it goes on, and give the next turn what it needs.",
            ),
            ("chat", "chat", "Talk to your chat model, with this memory."),
            (
                "proxy",
                "server",
                "Give any client of a model this memory, until Ctrl-C.",
            ),
            (
                "mcp",
                "install",
                "Give an assistant this memory as tools (MCP), over standard input and output.",
            ),
            (
                "hook",
                "install",
                "Answer a hook of a coding assistant: what is known goes in, what is said is kept.",
            ),
        ),
    ),
    (
        "Change what is known",
        (
            (
                "change",
                "facts",
                "Say that the world changed: the old fact ends, a new one begins.",
            ),
            ("supersede", "facts", "Another name of change; with --retroactive, of correct."),
            ("correct", "facts", "Say that the record was wrong: the same item says it right."),
            ("expire", "facts", "Say that a fact ended, and that nothing took its place."),
            ("retract", "facts", "Say that a fact was never true."),
        ),
    ),
    (
        "Edit and undo",
        (
            ("edit", "history", "Open a note in your editor and take in what you changed."),
            ("log", "history", "Show what was done, newest first."),
            ("undo", "history", "Take the last operation back, by a new commit."),
            ("restore", "history", "Give a note an earlier text, by a new commit."),
            ("forget", "forget", "Take notes out of the memory; the history keeps them."),
        ),
    ),
    (
        "Look back",
        (
            (
                "history",
                "history",
                "Show every version of a note, or of what was said about a subject.",
            ),
            (
                "diff",
                "history",
                "Show what the memory learned, changed and dropped between two times.",
            ),
            ("timeline", "history", "Draw when items hold, as bars on one axis of time."),
        ),
    ),
    (
        "Learn",
        (
            ("consolidate", "learn", "Learn rules and facts from what is kept."),
            ("rules", "learn", "List what was learned from conversations, and why."),
            ("profile", "learn", "Show who you are to the vault, and which notes say so."),
        ),
    ),
    (
        "Look after the vault",
        (
            ("view", "view", "Look at the memory in a browser and decide there, until Ctrl-C."),
            ("report", "view", "Write the memory as one page to read, keep or send."),
            ("canvas", "view", "Draw a memory and what it is linked with, for Obsidian."),
            ("status", "check", "Show the vault at a glance."),
            ("review", "review", "List what waits for you; approve or reject it."),
            ("check", "check", "List every problem in the vault."),
            ("audit", "check", "Name what was changed from outside, and what was sent."),
            ("sync", "check", "Take in what changed on disk, and commit your edits."),
            ("reflect", "models", "Let your language model draw insights from the newest notes."),
            (
                "summarise",
                "models",
                "Let your language model write what categories come to, above their lists.",
            ),
            (
                "maintain",
                "maintain",
                "Keep the memory in order: learn, merge doubles, put away what nobody uses.",
            ),
            ("compact", "maintain", "Retire items that ended long ago; the history keeps them."),
            ("watch", "check", "Take in every save as it happens, until Ctrl-C."),
            ("reindex", "check", "Build the index anew from the files."),
        ),
    ),
    (
        "Several devices",
        (
            ("pull", "devices", "Take in what the remote has, merged with what is here."),
            ("push", "devices", "Send what the remote has not."),
            ("remote", "devices", "Say where this vault goes, show it, or forget it."),
        ),
    ),
    (
        "Carry it elsewhere",
        (
            ("export", "transfer", "Write the whole memory into one JSON document."),
            (
                "import",
                "transfer",
                "Take in what ChatGPT, Claude and others export, or what `export` wrote.",
            ),
            ("clear", "transfer", "Empty the memory by one commit, which `undo` takes back."),
        ),
    ),
    (
        "Set up",
        (
            ("init", "setup", "Make a vault in a folder; notes in it stay as they are."),
            ("install", "install", "Give coding assistants and editors this memory."),
            ("uninstall", "install", "Take out of their settings what install put there."),
            ("vaults", "setup", "Name vaults, and choose the default one."),
            ("config", "setup", "Show the settings in force and where they come from."),
            ("llm", "models", "Ask the language models of your settings whether they work."),
            ("demo", "demo", "Copy the sample vault and show what vaultmem does with it."),
            ("help", "setup", "Show a page of help; without a topic, list the pages."),
            ("completion", "setup", "Print the completion script of a shell."),
        ),
    ),
)

# They leave nothing to tidy up, and `import signal` costs a millisecond.
_READING = frozenset(
    [
        "recall",
        "context",
        "search",
        "show",
        "list",
        "links",
        "log",
        "history",
        "diff",
        "timeline",
        "status",
        "config",
        "help",
    ]
)


class UnknownCommandError(VaultmemError):
    """A first word that is no command."""

    exit_code = EXIT_USAGE

    def __init__(self, word: str, known: Sequence[str]) -> None:
        from difflib import get_close_matches

        near = get_close_matches(word, known, n=1)
        super().__init__(
            f"no command is called '{word}'",
            hint=f"did you mean `vaultmem {near[0]}`?" if near else "`vaultmem --help` lists them",
        )


class MisuseError(VaultmemError):
    """Arguments that the command does not take."""

    exit_code = EXIT_USAGE


class Lazy(click.Group):
    """Finds commands by name in `FAMILIES` and imports only the one that is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, in the order of the help page."""
        return [name for _, commands in FAMILIES for name, _, _ in commands]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, or None for an unknown name."""
        for _, commands in FAMILIES:
            for name, module, _ in commands:
                if name == cmd_name:
                    found = importlib.import_module(f"vaultmem.cli.{module}")
                    command: click.Command = getattr(found, f"{name}_command")
                    return command
        return None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first word names; raises UnknownCommandError with the nearest."""
        if self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            raise UnknownCommandError(args[0], self.list_commands(ctx))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The table of commands by family."""
        for family, commands in FAMILIES:
            with formatter.section(family):
                formatter.write_dl([(name, summary) for name, _, summary in commands])


@click.group(
    cls=Lazy,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="`vaultmem help` lists the pages of help, `vaultmem COMMAND --help` explains a command.",
)
@shared_options
@click.version_option(__version__, message="vaultmem %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Long-term memory in Markdown and Git.

    \b
    vaultmem init ~/notes
    vaultmem remember "I prefer tabs over spaces"
    vaultmem recall "tabs or spaces"
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
    elif context.invoked_subcommand not in _READING:
        end_tidily()


def run(arguments: Sequence[str]) -> int:
    """Exit code of one command line."""
    prepare_streams()
    shared = Shared()
    return run_guarded(
        lambda: _invoke(arguments, shared),
        is_verbose=lambda: shared.verbose,
        wants_json=lambda: shared.as_json or _names_json(arguments),
    )


def _names_json(arguments: Sequence[str]) -> bool:
    """Whether a line that could not be read asks for JSON; behind `--` stand words."""
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return "--json" in options


def _invoke(arguments: Sequence[str], shared: Shared) -> int:
    asked = os.environ.get(COMPLETE)
    if asked:
        from click.shell_completion import shell_complete

        return shell_complete(cli, {}, "vaultmem", COMPLETE, asked)
    try:
        # Not `cli.main`: it ends the process itself when the reader of a pipe goes away.
        with cli.make_context("vaultmem", list(arguments), obj=shared) as context:
            code = cli.invoke(context)
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.Abort as aborted:
        raise KeyboardInterrupt from aborted
    except click.NoSuchOption as unknown:
        raise MisuseError(
            f"no such option '{unknown.option_name}'", hint=_hint_for_option(unknown, arguments)
        ) from unknown
    except click.UsageError as misuse:
        raise MisuseError(_misuse_message(misuse), hint=_see_help(misuse, arguments)) from misuse
    return code if isinstance(code, int) else 0


_OPTIONS = "[OPTIONS]"  # as click writes that there are some; the form is the same without


def _hint_for_option(unknown: click.NoSuchOption, arguments: Sequence[str]) -> str:
    name = unknown.option_name
    # '- [ ] buy milk' was called an unknown option, without a way to say it.
    if any(word.startswith(name) and len(word.split()) > 1 for word in arguments):
        return "a text that begins with '-' stands behind `--`: vaultmem remember -- '- tea'"
    near = ", ".join(unknown.possibilities or ())
    return f"did you mean {near}?" if near else _see_help(unknown, arguments)


def _misuse_message(misuse: click.UsageError) -> str:
    """What is wrong, in one line; of a choice without its list of values as a name."""
    parameter = misuse.param if isinstance(misuse, click.BadParameter) else None
    # click tells a wrong choice with all values as a name, over nine lines.
    if isinstance(parameter, click.Argument) and isinstance(parameter.type, click.Choice):
        if isinstance(misuse, click.MissingParameter):
            return f"missing argument: one of {', '.join(parameter.type.choices)}"
        return misuse.message.rstrip(".")
    message = " ".join(misuse.format_message().split())
    return f"{message[:1].lower()}{message[1:].rstrip('.')}"


def _see_help(misuse: click.UsageError, arguments: Sequence[str]) -> str:
    context = misuse.ctx
    command = context.command_path if context is not None else _command_in(arguments)
    is_form = type(misuse) in (click.UsageError, click.MissingParameter)
    if context is None or isinstance(context.command, click.Group) or not is_form:
        return f"`{command} --help` explains it"
    words = [word for word in context.command.collect_usage_pieces(context) if word != _OPTIONS]
    return f"`{' '.join([command, *words])}`; `{command} --help` explains it"


def _command_in(arguments: Sequence[str]) -> str:
    """The command of a line that could not be read, where click does not say which."""
    names = {name for _, commands in FAMILIES for name, _, _ in commands}
    return " ".join(["vaultmem", *[word for word in arguments if word in names][:1]])
