"""Names of vaults in the person's own settings file, changed by line: every other byte stays."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from vaultmem import base
from vaultmem.base import Any, BadInputError, DiskError, SettingsError
from vaultmem.config.places import require_text
from vaultmem.config.setting import PERSON
from vaultmem.config.state import person_file
from vaultmem.config.values import VAULT_NAME, line_of, read_settings
from vaultmem.language import visible


def add_vault(name: str, root: Path, environ: Mapping[str, str]) -> Path:
    """Name the vault at `root`; the settings file that now says so.

    Raises BadInputError when the name cannot be one or belongs to another vault.
    """
    if not VAULT_NAME.fullmatch(name):
        raise BadInputError(
            f"'{visible(name)}' cannot be the name of a vault",
            hint="use a-z, 0-9, - and _, at most 64 of them",
        )
    file, text, known = open_person_file(environ)
    path = str(root)
    require_text(path)
    if name in known and os.path.realpath(os.path.expanduser(known[name])) != str(root):
        raise BadInputError(
            f"'{name}' is the name of '{known[name]}' already",
            hint=f"choose another name, or run `vaultmem vaults remove {name}` first",
        )
    if name not in known:
        _replace(file, text, with_key(text, "vaults", name, path), known | {name: path})
    return file


def remove_vault(name: str, environ: Mapping[str, str]) -> Path:
    """Forget a name, and the default if it was the default; the vault itself is not touched."""
    file, text, known = open_person_file(environ)
    _require_known(name, known)
    changed = _without_key(text, f"vaults.{name}")
    if tomllib.loads(text).get("default_vault") == name:
        changed = _without_key(changed, "default_vault")
    _replace(file, text, changed, {k: v for k, v in known.items() if k != name})
    return file


def set_default_vault(name: str, environ: Mapping[str, str]) -> Path:
    """Make a named vault the one that is used when nothing else says which."""
    file, text, known = open_person_file(environ)
    _require_known(name, known)
    _replace(file, text, with_key(text, "", "default_vault", name), known, default=name)
    return file


def open_person_file(environ: Mapping[str, str]) -> tuple[Path, str, dict[str, str]]:
    """The file that holds the bytes (links followed), its text, and the names of vaults in it.

    raises  SettingsError for a mistake in it, DiskError
    """
    file = Path(os.path.realpath(person_file(environ)))
    known = read_settings(file, PERSON).vaults
    return file, text_of(file), known


def text_of(file: Path) -> str:
    """Text of a settings file; '' where there is none. raises DiskError"""
    try:
        return file.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise DiskError(f"cannot read '{file}': {error.strerror}") from error


def _require_known(name: str, known: Mapping[str, str]) -> None:
    if name not in known:
        raise BadInputError(
            f"no vault is named '{visible(name)}'",
            hint=f"known names: {', '.join(sorted(known))}"
            if known
            else "run `vaultmem vaults add NAME FOLDER`",
        )


def with_key(text: str, table: str, name: str, value: str) -> str:
    """The text with `name = "value"` in a table ('' is the top), added or replaced."""
    lines = text.splitlines(keepends=True)
    end = "\r\n" if "\r\n" in text else "\n"
    entry = f"{name} = {_quote(value)}{end}"
    at = line_of(text, f"{table}.{name}" if table else name)
    if at is not None:
        lines[at - 1] = entry
        return "".join(lines)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += end
    # Behind the header of a table a key would be that table's.
    if not table:
        first = _first_table(lines)
        lines[first:first] = [entry] if first == len(lines) else [entry, end]
        return "".join(lines)
    opening = line_of(text, table)
    if opening is None:
        return "".join([*lines, *([end] if lines else []), f"[{table}]{end}", entry])
    last = opening
    for number in range(opening, len(lines)):
        if lines[number].lstrip().startswith("["):
            break
        if lines[number].strip():
            last = number + 1
    lines.insert(last, entry)
    return "".join(lines)


def _without_key(text: str, key: str) -> str:
    at = line_of(text, key)
    lines = text.splitlines(keepends=True)
    return text if at is None else "".join(lines[: at - 1] + lines[at:])


def _first_table(lines: list[str]) -> int:
    """Index of the first table header, before the comment that belongs to it."""
    for number, line in enumerate(lines):
        if re.match(r"\s*\[", line):
            while number > 0 and lines[number - 1].lstrip().startswith("#"):
                number -= 1
            return number
    return len(lines)


def _quote(value: str) -> str:
    """A TOML basic string; json's escapes are a subset of TOML's."""
    import json

    # TOML takes no bare DEL, which json leaves as it is.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _replace(
    file: Path, before: str, after: str, vaults: Mapping[str, str], *, default: str | None = None
) -> None:
    """Write the changed text if it means the wanted change and nothing else."""
    wanted: dict[str, Any] = {"vaults": dict(vaults)}
    chosen = _parse(before).get("default_vault")
    if default is not None:
        wanted["default_vault"] = default
    elif chosen not in (None, *vaults):
        wanted["default_vault"] = None
    replace_text(
        file,
        before,
        after,
        wanted,
        hint='write them under [vaults], one `name = "path"` a line, or edit it yourself',
    )


def replace_text(
    file: Path, before: str, after: str, change: Mapping[str, Any], *, hint: str
) -> None:
    """Write a settings file anew, if the new text means this change and nothing else.

    change  top-level key -> what it is to be; None, or an empty table: it is not there
    raises  SettingsError with the hint when the text would mean something else
    """
    if _without_empty(_parse(after)) != _without_empty(_parse(before) | dict(change)):
        names = " and ".join(sorted(change))
        raise SettingsError(
            f"'{file}' holds {names} in a form that cannot be changed line by line", hint=hint
        )
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        mode = file.stat().st_mode & 0o777 if file.exists() else 0o600
        base.replace_file(file, after.encode(), mode=mode, is_durable=True)
    except OSError as error:
        raise DiskError(f"cannot write '{file}': {error.strerror}") from error


def _without_empty(table: Mapping[str, Any]) -> dict[str, Any]:
    """A table without the keys that say nothing."""
    return {key: value for key, value in table.items() if value is not None and value != {}}


def _parse(text: str) -> dict[str, Any]:
    """What the text means; {'': ...} for one that is not TOML, which equals nothing wanted."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError:
        return {"": None}
