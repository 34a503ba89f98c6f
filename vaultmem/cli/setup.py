"""init, vaults, config, help, completion."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path

import click

from vaultmem import api, base, config
from vaultmem.base import EXIT_PROBLEMS, TYPE_CHECKING, Any, BadInputError, MisusedError
from vaultmem.cli.options import Shared, Table, shared_options, shown_progress, with_shared
from vaultmem.cli.output import has_colours, say, say_json, say_page, warn
from vaultmem.config import PERSON_SECTIONS, Value, knobs

if TYPE_CHECKING:
    from vaultmem.config import Settings

_FROM_THE_PROGRAM = (
    ("json", "What each command prints with `--json`"),
    ("methods", "The methods of `Memory` in Python"),
)


@click.command("init")
@click.argument("folder", default="", metavar="[FOLDER]")
@click.option("--name", metavar="NAME", help="What messages call the vault.")
@click.option("--device", metavar="NAME", help="Name of this device in streams/flow.NAME.md.")
@click.option("--obsidian", is_flag=True, help="Add tables and property types for Obsidian.")
@click.option("--from", "url", metavar="URL", help="Begin with the vault that a remote holds.")
@click.option("--branch", metavar="NAME", default="main", help="Branch of that remote (main).")
@with_shared
def init_command(
    shared: Shared,
    folder: str,
    name: str | None,
    device: str | None,
    obsidian: bool,
    url: str | None,
    branch: str,
) -> int:
    """Make a vault in a folder; notes in it stay as they are.

    Makes the folder and a Git repository if need be. In a folder that is a vault already it adds
    what is missing. With --from the folder is new or empty, and gets what another device sent.
    With --obsidian it also adds tables of what is remembered (memories.base, tasks.base) and,
    where Obsidian has none yet, the types of properties; in a vault that you have, too.

    \b
    vaultmem init ~/notes
    vaultmem init --obsidian ~/notes
    vaultmem init --from git@example.org:ada/notes.git ~/notes
    vaultmem init . --name work
    """
    from vaultmem.cli.devices import received_lines  # saves 43 modules
    from vaultmem.cli.open_vault import clock  # saves 25 modules
    from vaultmem.cli.report_lines import init_lines  # saves 3 modules

    if folder and shared.vault:
        raise BadInputError(
            f"two folders named: '{shared.vault}' and '{folder}'", hint="name one of them"
        )
    where = Path(folder or shared.vault or ".").expanduser()
    if url is not None:
        if name or device or obsidian or not (folder or shared.vault):
            raise BadInputError(
                "--from takes a folder, and none of --name, --device and --obsidian",
                hint="`vaultmem init --from URL FOLDER`, then `vaultmem init --obsidian FOLDER`",
            )
        with shown_progress() as progress:
            report = api.Memory.receive(url, where, branch=branch, clock=clock(), progress=progress)
    else:
        report = api.Memory.init(where, name=name, device=device, obsidian=obsidian, clock=clock())
    return shared.say(report, init_lines(report) if url is None else received_lines(report, url))


@click.group("vaults", cls=Table, invoke_without_command=True)
@shared_options
@click.pass_context
def vaults_command(context: click.Context) -> int:
    """Name vaults, and choose the default one.

    Names are kept in your own settings file; `--vault NAME` then works everywhere.

    \b
    vaultmem vaults
    vaultmem vaults add work ~/notes/work
    vaultmem vaults default work
    """
    if context.invoked_subcommand is not None:
        return 0
    known, default = config.named_vaults()
    rows = [
        {"name": name, "path": path, "default": name == default}
        for name, path in sorted(known.items())
    ]
    if context.ensure_object(Shared).as_json:
        say_json(rows)
    elif not rows:
        say(["no vault has a name; `vaultmem vaults add NAME FOLDER` gives one"])
    else:
        width = max(len(name) for name in known)
        say(
            f"{'*' if name == default else ' '} {name:<{width}}  {path}"
            for name, path in sorted(known.items())
        )
    return 0


@vaults_command.command("add")
@click.argument("name")
@click.argument("folder")
def vaults_add(name: str, folder: str) -> int:
    """Name the vault in a folder.

    \b
    vaultmem vaults add work ~/notes/work
    """
    root = config.find_vault(Path(folder).expanduser())
    file = config.add_vault(name, root, os.environ)
    say([f"'{name}' is '{root}' (in '{file}')"])
    return 0


@vaults_command.command("remove")
@click.argument("name")
def vaults_remove(name: str) -> int:
    """Forget a name; the vault itself is not touched.

    \b
    vaultmem vaults remove work
    """
    file = config.remove_vault(name, os.environ)
    say([f"'{name}' is no name any more (in '{file}'); its notes are untouched"])
    return 0


@vaults_command.command("default")
@click.argument("name")
def vaults_default(name: str) -> int:
    """Use this vault when nothing else says which.

    \b
    vaultmem vaults default work
    """
    file = config.set_default_vault(name, os.environ)
    say([f"'{name}' is the default vault now (in '{file}')"])
    return 0


@click.command("config")
@click.argument("key", required=False, metavar="[KEY|SECTION]")
@with_shared
def config_command(shared: Shared, key: str | None) -> int:
    """Show the settings in force and where they come from.

    \b
    vaultmem config
    vaultmem config recall
    vaultmem config recall.k
    """
    settings = config.open_settings(shared.vault)
    warn(settings.warnings)
    rows = setting_rows(settings, key=key)
    return shared.say(rows, setting_lines(rows, explain=key is not None))


@click.command("help")
@click.argument("words", nargs=-1, metavar="[TOPIC]")
def help_command(words: tuple[str, ...]) -> int:
    """Show a page of help; without a topic, list the pages.

    `json` says what each command prints with --json, `json COMMAND` what its keys mean; `methods`
    lists what Python has.

    \b
    vaultmem help
    vaultmem help settings
    vaultmem help json recall
    vaultmem help methods
    """
    topic, *rest = words or ("",)
    if rest and topic != "json":
        raise MisusedError("a page of help has one name", hint="`vaultmem help` lists the pages")
    if not topic:
        pages = sorted([*base.topics(), *_FROM_THE_PROGRAM])
        width = max(len(name) for name, _ in pages)
        say(f"{name:<{width}}  {title}" for name, title in pages)
        return 0
    if topic in dict(_FROM_THE_PROGRAM):
        from vaultmem.cli.help_tables import help_on_json, help_on_methods  # saves its 3 modules

        say(help_on_json(" ".join(rest)) if topic == "json" else help_on_methods())
        return 0
    text = base.page(topic)
    if has_colours():
        from rich.console import Console
        from rich.markdown import Markdown

        Console(force_terminal=True).print(Markdown(text))
    else:
        say_page(text)
    return 0


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion_command(shell: str) -> int:
    """Print the completion script of a shell.

    \b
    vaultmem completion bash >> ~/.bashrc
    vaultmem completion zsh >> ~/.zshrc
    vaultmem completion fish > ~/.config/fish/completions/vaultmem.fish
    """
    from click.shell_completion import get_completion_class

    from vaultmem.cli.main import COMPLETE, cli  # saves 4 modules

    kind = get_completion_class(shell)
    if kind is None:
        return EXIT_PROBLEMS
    say_page(kind(cli, {}, "vaultmem", COMPLETE).source())
    return 0


# The settings in force as rows, and as lines a person reads.

_COMPUTED = ("name", "device")  # more than what a file says


def setting_rows(settings: Settings, *, key: str | None = None) -> list[dict[str, Any]]:
    """One row a setting: key, value, unit, source, why, allowed values and names elsewhere.

    `key` names one, or a section ('recall') and so all of its settings.
    """
    found = [
        {
            "key": knob.key,
            "value": _value(settings, knob.key),
            "default": knob.default,
            "unit": knob.unit,
            "source": settings.sources.get(knob.key, "default"),
            "why": knob.why,
            "allowed": knob.allowed,
            "elsewhere": knob.origin,
        }
        for knob in knobs()
        if knob.key == key or _is_within(knob.key, key)
    ]
    if key is not None and not found:
        near = get_close_matches(key, [knob.key for knob in knobs()], n=1)
        hint = f"did you mean '{near[0]}'? " if near else ""
        raise BadInputError(
            f"no setting is called '{key}'", hint=f"{hint}`vaultmem config` lists them"
        )
    return found


def _is_within(key: str, section: str | None) -> bool:
    """Whether a setting is of a section; all are of None."""
    return section is None or key.startswith(f"{section}.")


def setting_lines(rows: Sequence[dict[str, Any]], *, explain: bool) -> Iterator[str]:
    """`key = value` in TOML, with unit and source; with the reason when asked for one."""
    width = max((len(row["key"]) + len(_toml(row["value"])) + 3 for row in rows), default=0)
    for at, row in enumerate(rows):
        if explain and at:
            yield ""
        unit = f" {row['unit']}" if row["unit"] else ""
        setting = f"{row['key']} = {_toml(row['value'])}"
        source = "" if row["source"] == "default" and not unit else row["source"]
        comment = ", ".join(part for part in (unit.strip(), source) if part and part != "default")
        yield f"{setting:<{min(width, 50)}}  # {comment}" if comment else setting
        if explain:
            yield f"# {row['why']}"
            allowed = f"; allowed: {row['allowed']}" if row["allowed"] else ""
            yield f"# default: {_toml(row['default'])}{allowed}"
            if row["elsewhere"]:
                yield f"# in the system it comes from: {', '.join(row['elsewhere'])}"


def _value(settings: Settings, key: str) -> Value:
    if key in _COMPUTED:
        return str(getattr(settings, key))
    if key == "watch.autocommit":
        return settings.watch_autocommit
    value = settings.values[key]
    if key.split(".")[0] in PERSON_SECTIONS and key.endswith("key") and value:
        return "(set, not shown)"
    return value


def _toml(value: Value) -> str:
    """The value as TOML writes it."""
    import json

    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, tuple):
        return f"[{', '.join(_toml(part) for part in value)}]"
    return f"{value:g}" if isinstance(value, float) else str(value)
