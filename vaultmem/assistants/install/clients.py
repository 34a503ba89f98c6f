"""Which files of which client are told what: the table that `install` goes by.

Claude Code, Codex, Gemini CLI and opencode were run with what stands here (docs/assistants.md); of
Cursor, Windsurf, VS Code and Claude Desktop the places are those of their references.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from vaultmem.base import Any, BadInputError, dataclass, templates

_JS = 'const VAULTMEM = ["vaultmem"]'


def client_templates() -> Path:
    """Folder of the templates of all clients."""
    return templates() / "clients"


def files_of(template: str, command: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """(path in the folder, text) of every file of a template, sorted."""
    root = client_templates() / template
    names = sorted(file.relative_to(root) for file in root.rglob("*") if file.is_file())
    return tuple(
        (
            name.as_posix(),
            fill_template((root / name).read_text(encoding="utf-8"), name.name, command),
        )
        for name in names
    )


def fill_template(text: str, name: str, command: Sequence[str]) -> str:
    """A template with this command; byte for byte the template with ('vaultmem',)."""
    if name.endswith(".js"):
        return text.replace(_JS, f"const VAULTMEM = {json.dumps(list(command))}")
    if name.endswith(".json"):
        return json.dumps(_fill_command(json.loads(text), command), indent=2) + "\n"
    return text


def _fill_command(value: Any, command: Sequence[str]) -> Any:
    if isinstance(value, list):
        return [_fill_command(each, command) for each in value]
    if not isinstance(value, dict):
        return value
    found = {key: _fill_command(each, command) for key, each in value.items()}
    called = found.get("command")
    if called == "vaultmem":
        found["command"] = command[0]
        if len(command) > 1:
            found["args"] = [*command[1:], *found.get("args", ())]
    elif isinstance(called, str) and called.startswith("vaultmem "):
        found["command"] = f"{one_line(command)} {called.removeprefix('vaultmem ')}"
    return found


def one_line(command: Sequence[str]) -> str:
    """A command as a shell of this device reads it."""
    if os.name == "nt":
        return " ".join(f'"{word}"' if " " in word else word for word in command)
    return shlex.join(command)


USER, PROJECT = "user", "project"
CLAUDE_CODE = "claude-code"
AUTO_MEMORY = "autoMemoryDirectory"
"""The setting of Claude Code for the folder of the notes that it keeps by itself (2.1.330)."""
_CODEX_VERSION = "0.1.0"  # of the plugin: the name of its folder
_CLAUDE_EVENTS = (
    "SessionStart",
    "UserPromptSubmit",
    "Stop",
    "SubagentStart",
    "PostCompact",
    "SessionEnd",
)
_GEMINI_EVENTS = ("SessionStart", "BeforeAgent", "AfterAgent", "SessionEnd")
_CURSOR_EVENTS = ("sessionStart", "beforeSubmitPrompt", "afterAgentResponse", "sessionEnd")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where settings are looked for, and what they are to call."""

    scope: str  # USER, PROJECT
    home: Path
    project: Path
    data: Path  # of ours, where plugin folders lie
    command: tuple[str, ...]
    environ: Mapping[str, str]
    platform: str = sys.platform
    auto_memory: str = ""  # where Claude Code is to keep its own memory; '': where it likes


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """A file of ours."""

    file: Path
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A value in a JSON file.

    in_list     an element more of a list there
    is_default  whatever stands there already will do
    """

    file: Path
    path: tuple[str, ...]
    value: Any
    in_list: bool = False
    is_default: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A block of ours at the end of a TOML or Markdown file."""

    file: Path
    body: str
    meaning: Mapping[str, Any] | None = None  # of TOML; None: Markdown


Step = Whole | Member | Block


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """A client that can be told."""

    name: str
    title: str
    steps: Callable[[Place], tuple[Step, ...]]  # of a user
    project: Callable[[Place], tuple[Step, ...]] | None  # None: it has no settings of a project
    signs: Callable[[Place], tuple[Path, ...]]  # of which one is there where the client is
    note: str = ""  # what a person has to know, once


def clients() -> tuple[Client, ...]:
    """All of them, in the order of the table."""
    return _CLIENTS


def client_of(name: str) -> Client:
    """The client of a name; raises BadInputError."""
    found = next((each for each in _CLIENTS if each.name == name), None)
    if found is None:
        names = ", ".join(each.name for each in _CLIENTS)
        raise BadInputError(f"no client is called '{name}'", hint=f"there are: {names}")
    return found


def steps_of(client: Client, place: Place) -> tuple[Step, ...]:
    """What is to be done; raises BadInputError for a scope that the client has not."""
    if place.scope == USER:
        return client.steps(place)
    if client.project is None:
        raise BadInputError(
            f"{client.title} has no settings of a project", hint="install it with `--scope user`"
        )
    return client.project(place)


def is_here(client: Client, place: Place) -> bool:
    """Whether the client seems to be on this device."""
    return any(sign.exists() for sign in client.signs(place))


def _wholes(template: str, folder: Path, place: Place, *, below: str = "") -> tuple[Step, ...]:
    return tuple(
        Whole(file=folder / name.removeprefix(below), text=text)
        for name, text in files_of(template, place.command)
        if name.startswith(below)
    )


def _stdio(place: Place, **more: Any) -> dict[str, Any]:
    program, *first = place.command
    return {"command": program, "args": [*first, "mcp"], **more}


def _hook(place: Place, client: str, timeout: int, **more: Any) -> dict[str, Any]:
    command = f"{one_line(place.command)} hook {client}"
    return {**more, "type": "command", "command": command, "timeout": timeout}


def _server(file: Path, place: Place, *, key: str = "mcpServers", **more: Any) -> Member:
    return Member(file=file, path=(key, "vaultmem"), value=_stdio(place, **more))


# --- Claude Code ---------------------------------------------------------------------------


def claude_home(place: Place) -> Path:
    """Where Claude Code has the settings of a person."""
    told = place.environ.get("CLAUDE_CONFIG_DIR")
    return Path(told) if told else place.home / ".claude"


def _claude(place: Place) -> tuple[Step, ...]:
    folder, settings = place.data / "claude-code", claude_home(place) / "settings.json"
    source = {"source": {"source": "directory", "path": str(folder)}}
    return (
        *_wholes("claude-code", folder, place),
        Member(file=settings, path=("extraKnownMarketplaces", "vaultmem"), value=source),
        Member(file=settings, path=("enabledPlugins", "vaultmem@vaultmem"), value=True),
        *_auto_memory(settings, place),
    )


def _auto_memory(file: Path, place: Place) -> tuple[Step, ...]:
    told = place.auto_memory
    return (Member(file=file, path=(AUTO_MEMORY,), value=told),) if told else ()


def _claude_project(place: Place) -> tuple[Step, ...]:
    settings = place.project / ".claude" / "settings.json"
    # Claude Code takes this setting from files that nobody checks in alone: a repository could
    # send what it writes elsewhere.
    own = place.project / ".claude" / "settings.local.json"
    program, *first = place.command
    hook = {
        "type": "command",
        "command": program,
        "args": [*first, "hook", "claude"],
        "timeout": 5,
    }
    return (
        _server(place.project / ".mcp.json", place, alwaysLoad=True),
        *(
            Member(file=settings, path=("hooks", name), value={"hooks": [hook]}, in_list=True)
            for name in _CLAUDE_EVENTS
        ),
        *_auto_memory(own, place),
    )


# --- Codex ---------------------------------------------------------------------------------


def _codex_home(place: Place) -> Path:
    told = place.environ.get("CODEX_HOME")
    return Path(told) if told else place.home / ".codex"


def _codex(place: Place) -> tuple[Step, ...]:
    folder, home = place.data / "codex", _codex_home(place)
    cache = home / "plugins" / "cache" / "vaultmem" / "vaultmem" / _CODEX_VERSION
    body = (
        "[marketplaces.vaultmem]\n"
        'source_type = "local"\n'
        f"source = {json.dumps(str(folder), ensure_ascii=False)}\n"
        "\n"
        '[plugins."vaultmem@vaultmem"]\n'
        "enabled = true\n"
    )
    meaning = {
        "marketplaces": {"vaultmem": {"source_type": "local", "source": str(folder)}},
        "plugins": {"vaultmem@vaultmem": {"enabled": True}},
    }
    return (
        *_wholes("codex", folder, place),
        *_wholes("codex", cache, place, below="plugins/vaultmem/"),
        Block(file=home / "config.toml", body=body, meaning=meaning),
    )


# --- Gemini CLI ----------------------------------------------------------------------------


def _gemini(place: Place) -> tuple[Step, ...]:
    return _wholes("gemini", place.home / ".gemini" / "extensions" / "vaultmem", place)


def _gemini_project(place: Place) -> tuple[Step, ...]:
    settings = place.project / ".gemini" / "settings.json"
    # Gemini CLI counts in milliseconds what the other clients count in seconds.
    hook = {"hooks": [_hook(place, "gemini", 5000, name="vaultmem")]}
    return (
        _server(settings, place),
        *(
            Member(file=settings, path=("hooks", name), value=hook, in_list=True)
            for name in _GEMINI_EVENTS
        ),
    )


# --- opencode ------------------------------------------------------------------------------


def _opencode_home(place: Place) -> Path:
    told = place.environ.get("XDG_CONFIG_HOME")
    return (Path(told) if told else place.home / ".config") / "opencode"


def _opencode_in(folder: Path, plugins: Path, place: Place) -> tuple[Step, ...]:
    settings = folder / "opencode.jsonc"
    if not settings.exists():
        settings = folder / "opencode.json"
    server = {"type": "local", "command": [*place.command, "mcp"], "enabled": True}
    return (
        *_wholes("opencode", plugins, place),
        Member(file=settings, path=("mcp", "vaultmem"), value=server),
    )


def _opencode(place: Place) -> tuple[Step, ...]:
    folder = _opencode_home(place)
    return _opencode_in(folder, folder / "plugin", place)


def _opencode_project(place: Place) -> tuple[Step, ...]:
    return _opencode_in(place.project, place.project / ".opencode" / "plugin", place)


# --- editors and Claude Desktop ------------------------------------------------------------


def _cursor_in(folder: Path, place: Place) -> tuple[Step, ...]:
    hooks = folder / "hooks.json"
    command = {"command": f"{one_line(place.command)} hook cursor"}
    return (
        _server(folder / "mcp.json", place),
        Member(file=hooks, path=("version",), value=1, is_default=True),
        *(
            Member(file=hooks, path=("hooks", name), value=command, in_list=True)
            for name in _CURSOR_EVENTS
        ),
    )


def _cursor(place: Place) -> tuple[Step, ...]:
    return _cursor_in(place.home / ".cursor", place)


def _cursor_project(place: Place) -> tuple[Step, ...]:
    return _cursor_in(place.project / ".cursor", place)


def _windsurf_home(place: Place) -> Path:
    return place.home / ".codeium" / "windsurf"


def _windsurf(place: Place) -> tuple[Step, ...]:
    return (_server(_windsurf_home(place) / "mcp_config.json", place),)


def _applications(place: Place) -> Path:
    """Where programs with windows have their settings."""
    if place.platform == "darwin":
        return place.home / "Library" / "Application Support"
    if place.platform == "win32":
        told = place.environ.get("APPDATA")
        return Path(told) if told else place.home / "AppData" / "Roaming"
    told = place.environ.get("XDG_CONFIG_HOME")
    return Path(told) if told else place.home / ".config"


def _vscode(place: Place) -> tuple[Step, ...]:
    file = _applications(place) / "Code" / "User" / "mcp.json"
    return (_server(file, place, key="servers", type="stdio"),)


def _vscode_project(place: Place) -> tuple[Step, ...]:
    return (_server(place.project / ".vscode" / "mcp.json", place, key="servers", type="stdio"),)


def _desktop(place: Place) -> tuple[Step, ...]:
    return (_server(_applications(place) / "Claude" / "claude_desktop_config.json", place),)


_CLIENTS = (
    Client(
        name="claude-code",
        title="Claude Code",
        steps=_claude,
        project=_claude_project,
        signs=lambda place: (claude_home(place), place.home / ".claude.json"),
    ),
    Client(
        name="codex",
        title="Codex",
        steps=_codex,
        project=None,
        signs=lambda place: (_codex_home(place),),
        note="Codex runs hooks once you trust them: start `codex`, and say yes when it asks",
    ),
    Client(
        name="gemini",
        title="Gemini CLI",
        steps=_gemini,
        project=_gemini_project,
        signs=lambda place: (place.home / ".gemini",),
    ),
    Client(
        name="opencode",
        title="opencode",
        steps=_opencode,
        project=_opencode_project,
        signs=lambda place: (_opencode_home(place),),
    ),
    Client(
        name="cursor",
        title="Cursor",
        steps=_cursor,
        project=_cursor_project,
        signs=lambda place: (place.home / ".cursor",),
    ),
    Client(
        name="windsurf",
        title="Windsurf",
        steps=_windsurf,
        project=None,
        signs=lambda place: (_windsurf_home(place),),
    ),
    Client(
        name="vscode",
        title="VS Code",
        steps=_vscode,
        project=_vscode_project,
        signs=lambda place: (_applications(place) / "Code",),
    ),
    Client(
        name="claude-desktop",
        title="Claude Desktop",
        steps=_desktop,
        project=None,
        signs=lambda place: (_applications(place) / "Claude",),
        note="Claude Desktop reads its settings when it starts",
    ),
)
