"""The packaged templates of clients, with the command that this device calls. Pure but for reading.

The templates themselves call `vaultmem`, so that they can be published as they are.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Sequence
from pathlib import Path

from vaultmem.base import Any, templates

_JS = 'const VAULTMEM = ["vaultmem"]'
PLAIN = ("vaultmem",)


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
