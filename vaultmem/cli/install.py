"""install, uninstall."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from pathlib import Path

import click

from vaultmem import assistants
from vaultmem.base import TYPE_CHECKING, MisusedError
from vaultmem.cli.hook import CLIENTS, run_hook
from vaultmem.cli.mcp import serve_http, serve_tools
from vaultmem.cli.note_lines import one_line
from vaultmem.cli.open_vault import open_memory
from vaultmem.cli.options import Command, Shared, with_shared
from vaultmem.cli.output import say, say_json, say_result, tell
from vaultmem.model import pluralise

if TYPE_CHECKING:
    from vaultmem.agents import Brought
    from vaultmem.assistants import Client, Finding, Installed, Place


def _options(command: Command) -> Command:
    """What both have."""
    for option in (
        click.option(
            "--agents-md",
            "agents",
            type=click.Path(dir_okay=False, path_type=Path),
            metavar="FILE",
            help="A block for agents in a Markdown file, such as AGENTS.md.",
        ),
        click.option("--dry-run", is_flag=True, help="Show every change, and make none."),
        click.option(
            "--scope",
            type=click.Choice(("user", "project")),
            default="user",
            show_default=True,
            help="Settings of yours, or of the project in this folder.",
        ),
        click.option("--all", "everything", is_flag=True, help="All clients that are here."),
    ):
        command = option(command)
    return command


@click.command("install")
@click.argument("clients", nargs=-1, metavar="[CLIENT]...")
@click.option("--check", is_flag=True, help="Whether what was installed is there, and works.")
@click.option(
    "--auto-memory",
    is_flag=True,
    help="Claude Code keeps its own notes in the vault (agents/claude-code), on all your devices.",
)
@click.option(
    "--copy-memory",
    is_flag=True,
    help="With --auto-memory: copies of the notes that it has by now; those stay where they are.",
)
@_options
@with_shared
def install_command(
    shared: Shared,
    clients: tuple[str, ...],
    check: bool,
    auto_memory: bool,
    copy_memory: bool,
    everything: bool,
    scope: str,
    dry_run: bool,
    agents: Path | None,
) -> int:
    """Give coding assistants and editors this memory.

    Clients: claude-code, codex, gemini, opencode, cursor, windsurf, vscode, claude-desktop. Shows
    the difference of each file that it touches; all that it does is to insert, and `vaultmem
    uninstall` takes out just that. With --vault they talk to that vault, else to your default one.

    \b
    vaultmem install claude-code --dry-run
    vaultmem install claude-code codex
    vaultmem install --all
    vaultmem install claude-code --auto-memory --copy-memory
    vaultmem install --agents-md AGENTS.md
    vaultmem install --check
    """
    place = assistants.place_of(scope=scope, environ=os.environ, vault=shared.vault)
    if check:
        return _show_check(assistants.check(place, vault=shared.vault), as_json=shared.as_json)
    done = []
    if agents is not None:
        done.append(assistants.install_agents(agents, place, dry_run=dry_run))
    if clients or everything or agents is None:
        chosen = assistants.choose_clients(clients, place, everything=everything)
        if auto_memory or copy_memory:
            _require_claude_code(chosen, auto_memory=auto_memory)
            place = assistants.with_auto_memory(place, shared.vault)
        done += [assistants.install(each, place, dry_run=dry_run) for each in chosen]
    code = _show(done, "installed", dry_run=dry_run, as_json=shared.as_json)
    if auto_memory:
        root = Path(assistants.vault_found(place, shared.vault).told)
        lines = auto_memory_lines(place, root, is_copied=copy_memory, dry_run=dry_run)
        for line in lines:
            tell(line) if shared.as_json else say([line])
    vault = assistants.vault_found(place, shared.vault)
    if not vault.is_good:
        tell(f"warning: assistants find no vault yet: {vault.told}")
    return code


@click.command("uninstall")
@click.argument("clients", nargs=-1, metavar="[CLIENT]...")
@_options
@with_shared
def uninstall_command(
    shared: Shared,
    clients: tuple[str, ...],
    everything: bool,
    scope: str,
    dry_run: bool,
    agents: Path | None,
) -> int:
    """Take out of their settings what install put there.

    A file that nobody changed since is what it was before, byte for byte. The vault stays.

    \b
    vaultmem uninstall claude-code
    vaultmem uninstall --all
    """
    place = assistants.place_of(scope=scope, environ=os.environ, vault=shared.vault)
    done = []
    if agents is not None:
        done.append(assistants.uninstall_agents(agents, place, dry_run=dry_run))
    if clients or everything or agents is None:
        chosen = (
            assistants.installed_clients(place)
            if everything
            else assistants.choose_clients(clients, place, everything=False)
        )
        done += [assistants.uninstall(each, place, dry_run=dry_run) for each in chosen]
    return _show(done, "uninstalled", dry_run=dry_run, as_json=shared.as_json)


def _require_claude_code(chosen: Sequence[Client], *, auto_memory: bool) -> None:
    is_chosen = any(each.name == assistants.CLAUDE_CODE for each in chosen)
    if not (is_chosen and auto_memory):
        raise MisusedError(
            "only Claude Code has a setting for the folder of its own memory"
            if auto_memory
            else "--copy-memory goes with --auto-memory",
            hint="`vaultmem install claude-code --auto-memory`",
        )


def _show(done: Sequence[Installed], word: str, *, dry_run: bool, as_json: bool) -> int:
    if as_json:
        say_json([_report_of(each, is_done=not dry_run) for each in done])
        return 0
    for each in done:
        for change in each.changes:
            if change.is_change:
                say(_difference(change.file, change.before, change.after, whole=dry_run))
            say(f"{change.file}: {remark}" for remark in change.remarks)
        verb = f"would be {word}" if dry_run else word
        count = sum(change.is_change for change in each.changes)
        state = (
            f"{verb} ({count} file{'' if count == 1 else 's'})"
            if each.is_change
            else "nothing to change"
        )
        say([f"{each.title}: {state}"])
        if each.note and each.is_change and word == "installed":
            say([f"  {each.note}"])
    return 0


def _report_of(each: Installed, *, is_done: bool) -> dict[str, object]:
    return {
        "client": each.client,
        "scope": each.scope,
        "is_done": is_done,
        "files": [
            {
                "file": change.file,
                "is_change": change.is_change,
                "remarks": list(change.remarks),
                "difference": list(
                    _difference(change.file, change.before, change.after, whole=True)
                ),
            }
            for change in each.changes
        ],
        "note": each.note,
    }


def _difference(file: Path, before: str | None, after: str | None, *, whole: bool) -> Iterator[str]:
    """The lines of a difference; of a long new file its beginning, unless all is asked for."""
    lines = unified_diff(
        (before or "").splitlines(),
        (after or "").splitlines(),
        "/dev/null" if before is None else str(file),
        "/dev/null" if after is None else str(file),
        lineterm="",
    )
    if whole or (before is not None and after is not None):
        yield from lines
        return
    text = before if after is None else after
    count = len((text or "").splitlines())
    yield f"{'-' if after is None else '+'} {file} ({count} lines)"


def _show_check(found: Sequence[Finding], *, as_json: bool) -> int:
    say_result(
        [{"what": e.what, "is_good": e.is_good, "told": e.told} for e in found],
        (f"{'ok  ' if each.is_good else 'FAIL'} {each.what}: {each.told}" for each in found),
        as_json=as_json,
    )
    return 0 if all(each.is_good for each in found) else 1


# What `install --auto-memory` says beside the difference, and the copies that it makes.

_SHOWN = 20


def auto_memory_lines(
    place: Place, vault: Path, *, is_copied: bool, dry_run: bool
) -> Iterator[str]:
    """Where Claude Code's own memory lies from now on, and what becomes of the one it has.

    is_copied  its notes are copied into the vault, which this does
    """
    if not dry_run and assistants.auto_memory_told(place) != place.auto_memory:
        yield "  Claude Code goes on keeping its notes where your setting says"
        return
    yield f"  Claude Code keeps its own notes in {place.auto_memory}, from its next start on"
    yield "  `vaultmem sync --remote`, or `watch`, carries them to your other devices"
    if place.scope == assistants.USER:
        yield "  all its projects share them; in a project, `--scope project --auto-memory` gives"
        yield "  it a folder of its own"
    earlier = assistants.earlier_notes(place)
    if not earlier:
        return
    count = pluralise(len(earlier), "note")
    if not is_copied:
        yield f"  {count} that it has by now stay where they are: with --copy-memory they are"
        yield "  copied into the vault"
    elif dry_run:
        yield f"  {count} that it has by now would be copied; those stay where they are"
    else:
        with open_memory(str(vault)) as memory:
            yield from _brought_lines(memory.agents.bring(assistants.CLAUDE_CODE, earlier))


def _brought_lines(brought: Brought) -> Iterator[str]:
    commit = f" (commit {brought.commit[:8]})" if brought.commit else ""
    yield f"  copied {pluralise(len(brought.paths), 'note')}{commit}; those stay where they are"
    for path, why in brought.left[:_SHOWN]:
        yield f"  not copied: {one_line(str(path), 200)}: {one_line(why, 200)}"
    if len(brought.left) > _SHOWN:
        yield f"  and {len(brought.left) - _SHOWN} more"


# hook, mcp: what assistants start; the work stands in `cli/hook.py` and `cli/mcp.py`.


@click.command("hook")
@click.argument("client", type=click.Choice(CLIENTS), required=False)
@click.option("--keep", is_flag=True, help="Keep what waits; hooks start it, and wait for nothing.")
@with_shared
def hook_command(shared: Shared, client: str | None, keep: bool) -> int:
    """Answer a hook of a coding assistant: what is known goes in, what is said is kept.

    The assistant calls it; `vaultmem install` says where. It reads the event as JSON from standard
    input. It never fails and never takes longer than two seconds: then the assistant goes on
    without memory, and `vaultmem install --check` says why.

    \b
    vaultmem hook claude < event.json
    VAULTMEM_HOOKS=off claude
    """
    if not client and not keep:
        raise click.UsageError(f"say which client: {', '.join(CLIENTS)}")
    return run_hook(client or "", vault=shared.vault, keep=keep)


# mcp.

PORT = 8378
TOOL_SETS = ("default", "read", "connector", "memory")


@click.command("mcp")
@click.option(
    "--tools",
    type=click.Choice(TOOL_SETS),
    default="default",
    show_default=True,
    help="Which tools it has; 'read' changes nothing, 'connector' has search and fetch alone, "
    "'memory' is Anthropic's memory tool over agents/CLIENT/memories.",
)
@click.option(
    "--client",
    metavar="NAME",
    default="",
    help="Whose files 'memory' shows; else the name that the assistant says it has.",
)
@click.option(
    "--project",
    default="auto",
    metavar="NAME|auto|none",
    show_default=True,
    help="In which project the assistant works; 'auto': that of its folder.",
)
@click.option("--http", "is_http", is_flag=True, help="Over HTTP, with the token of `proxy`.")
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    metavar="PORT",
    default=PORT,
    show_default=True,
    help="Where it listens with --http, on this machine alone; 0 takes any that is free.",
)
@with_shared
def mcp_command(
    shared: Shared, tools: str, client: str, project: str, is_http: bool, port: int
) -> int:
    """Give an assistant this memory as tools (MCP), over standard input and output.

    You do not start it yourself: your assistant does, from its settings. What it says counts as an
    assistant's words; what you said yourself changes only if you agree.

    \b
    vaultmem mcp
    claude mcp add --scope user memory -- vaultmem mcp --vault ~/notes
    vaultmem mcp --http
    """
    if is_http:
        return serve_http(
            vault=shared.vault, tools=tools, client=client, project=project, port=port
        )
    return serve_tools(vault=shared.vault, tools=tools, client=client, project=project)
