"""Reads settings files: values checked against the table, errors and warnings with their line.

Only reached when a settings file changed or cannot be cached; `config.py` is the way in.
"""

from __future__ import annotations

import hashlib
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from vaultmem.base.errors import DiskError, UnsafePathError
from vaultmem.base.records import dataclass, field
from vaultmem.config.check import (
    HELP,
    SettingsWarning,
    check,
    has_variable,
    located,
    settle,
    type_of,
)
from vaultmem.config.knobs import knob_by_key, knobs
from vaultmem.config.setting import PERSON, PERSON_SECTIONS, VAULT, Knob, Value
from vaultmem.language.text import visible

MAX_BYTES = 65_536  # a settings file is a page; a larger one is a mistake or an attack
VAULT_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


@dataclass(slots=True, kw_only=True)
class Reading:
    """One settings file: what it sets, checked; and what waits for the environment."""

    file: Path
    place: str  # VAULT or PERSON
    values: dict[str, Value] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    templates: dict[str, Any] = field(default_factory=dict)  # raw values that hold ${...}
    vaults: dict[str, str] = field(default_factory=dict)
    remotes: dict[str, dict[str, str]] = field(default_factory=dict)  # state key -> url, branch
    warnings: list[SettingsWarning] = field(default_factory=list)


def read_settings(file: Path, place: str) -> Reading:
    """What a settings file says; a missing file says nothing.

    Raises SettingsError with file, line and key for a value that cannot be used.
    """
    text = _read_text(file, place)
    return Reading(file=file, place=place) if text is None else parse_settings(text, file, place)


def parse_settings(text: str, file: Path, place: str) -> Reading:
    """As `read_settings`, of a text that is, or would be, in that file."""
    reading = Reading(file=file, place=place)
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        line = re.search(r"at line (\d+)", str(error))
        raise located(file, int(line[1]) if line else None, _syntax(error)) from error
    known = knob_by_key()
    for key, raw in _flatten(table, known):
        _take(reading, key, raw, known.get(key), text)
    return reading


def effective(person: str, vault_file: str | None) -> dict[str, Any]:
    """What both files come to, over the defaults, as plain data that can be kept.

    keys: values, sources (key -> place), vaults (name -> path), warnings (tuples), state_key, and
    open: values that wait for a variable, as (key, raw, file, line, place). The vault's file wins
    over the person's, except where one answer wins whoever gives it (`enabled = false`).
    """
    readings = [read_settings(Path(person), PERSON)]
    if vault_file is not None:
        readings.append(read_settings(Path(vault_file), VAULT))
    values: dict[str, Value] = {knob.key: knob.default for knob in knobs()}
    sources: dict[str, str] = {}
    open_values: list[tuple[str, Any, str, int | None, str]] = []
    for reading in readings:
        for key, value in reading.values.items():
            _set(values, sources, key, value, _source(str(reading.file), reading.lines.get(key)))
        taken = reading.values.keys() | reading.templates.keys()
        open_values = [o for o in open_values if o[0] not in taken or knob_by_key()[o[0]].wins]
        open_values += [
            (key, raw, str(reading.file), reading.lines.get(key), reading.place)
            for key, raw in reading.templates.items()
        ]
    return {
        "values": values,
        "sources": sources,
        "vaults": readings[0].vaults,
        "warnings": [_plain_warning(w) for reading in readings for w in reading.warnings],
        "state_key": state_key(str(values["id"]), os.path.dirname(vault_file or "")),
        "open": open_values,
    }


def fill(found: dict[str, Any], environ: Mapping[str, str]) -> dict[str, Any]:
    """What `effective` found, with the values that waited for the environment filled in."""
    values = dict(found["values"])
    sources = dict(found["sources"])
    warnings = list(found["warnings"])
    for key, raw, file, line, place in found["open"]:
        knob = knob_by_key()[key]
        value = settle(knob, raw, environ, file=file, line=line, place=place)
        if isinstance(value, SettingsWarning):
            warnings.append(_plain_warning(value))
        else:
            _set(values, sources, key, value, _source(file, line))
    return found | {"values": values, "sources": sources, "warnings": warnings}


def state_key(vault_id: str, root: str) -> str:
    """Name of a vault's device state: the same vault at another place is another one."""
    place = os.path.realpath(root)
    if not place.isascii():
        from vaultmem.config.places import require_text

        require_text(place)
    return hashlib.sha256(f"{vault_id}\n{place}".encode()).hexdigest()[:16]


def line_of(text: str, key: str) -> int | None:
    """1-based line on which a TOML text sets `key`, or opens the table of that name."""
    table = ""
    closing = ""  # the quotes that end a multi-line text
    for number, line in enumerate(text.splitlines(), start=1):
        if closing:
            closing = "" if closing in line else closing
            continue
        header = re.match(r"\s*\[+\s*([^\[\]]+?)\s*\]+", line)
        if header is not None:
            table = _plain(header[1])
            if table == key:
                return number
            continue
        assigned = re.match(r"\s*((?:[\w.\- ]|\"[^\"]*\"|'[^']*')+?)\s*=\s*(.*)", line)
        if assigned is None:
            continue
        name = _plain(assigned[1])
        here = f"{table}.{name}" if table else name
        if here == key or key.startswith(f"{here}.") or here.startswith(f"{key}."):
            return number
        quotes = assigned[2][:3]
        if quotes in ('"""', "'''") and quotes not in assigned[2][3:]:
            closing = quotes
    return None


def _set(
    values: dict[str, Value], sources: dict[str, str], key: str, value: Value, source: str
) -> None:
    wins = knob_by_key()[key].wins
    if wins is not None and key in sources and values[key] == wins:
        return
    values[key] = value
    sources[key] = source


def _source(file: str, line: int | None) -> str:
    return f"'{file}'" if line is None else f"'{file}' line {line}"


def _plain_warning(warning: SettingsWarning) -> tuple[str, int | None, str, str, str]:
    return warning.file, warning.line, warning.key, warning.message, warning.hint


def _read_text(file: Path, place: str) -> str | None:
    """The text of a settings file, or None when there is none."""
    try:
        if place == VAULT and file.is_symlink():
            raise UnsafePathError(
                f"'{file}' is a link, and may lead out of the vault",
                hint="put the file itself into the vault",
            )
        if not file.exists():
            return None
        if not file.is_file():
            raise located(file, None, "not a regular file")
        with open(file, "rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise DiskError(f"cannot read '{file}': {error.strerror}") from error
    if len(data) > MAX_BYTES:
        raise located(file, None, f"larger than {MAX_BYTES // 1024} KB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise located(file, line, "not UTF-8 text", hint="save it as UTF-8") from error


def _flatten(table: Mapping[str, Any], known: Mapping[str, Knob]) -> Iterator[tuple[str, Any]]:
    """(key, value) of every leaf; `[vaults]` and `[remotes]` stay whole, their keys are names."""
    for name, value in table.items():
        if name in ("vaults", "remotes") or not isinstance(value, dict) or name in known:
            yield name, value
            continue
        for inner, leaf in value.items():
            yield f"{name}.{inner}", leaf


def _take(reading: Reading, key: str, raw: Any, knob: Knob | None, text: str) -> None:
    """Put one key of a file where it belongs: a value, a template, a name, or a warning."""
    line = line_of(text, key)
    section = key.split(".")[0]
    if reading.place == VAULT and (section in PERSON_SECTIONS or (knob and knob.where == PERSON)):
        _warn(
            reading, key, line, "only your own settings may say so", "move it to your config.toml"
        )
    elif section == "vaults":
        reading.vaults = _read_vaults(reading.file, raw, text)
    elif section == "remotes":
        reading.remotes = _read_remotes(reading.file, raw, text)
    elif knob is None and any(known.startswith(f"{key}.") for known in knob_by_key()):
        raise located(reading.file, line, f"'{key}' must be a table, found {type_of(raw)}")
    elif knob is None:
        near = _nearest(key)
        _warn(reading, key, line, "", f"did you mean '{near}'?" if near else HELP)
    elif reading.place == PERSON and knob.where == VAULT:
        _warn(reading, key, line, "it belongs to a vault", "move it to the vault's vaultmem.toml")
    else:
        if line is not None:
            reading.lines[key] = line
        if has_variable(raw) and key not in ("id", "format"):
            reading.templates[key] = raw
        else:
            reading.values[key] = check(knob, raw, file=str(reading.file), line=line)


def _warn(reading: Reading, key: str, line: int | None, reason: str, hint: str) -> None:
    shown = visible(key)[:80]
    message = f"'{shown}' is ignored: {reason}" if reason else f"unknown setting '{shown}'"
    reading.warnings.append(
        SettingsWarning(file=str(reading.file), line=line, key=key, message=message, hint=hint)
    )


def _nearest(key: str) -> str | None:
    """The known key that looks most like this one."""
    from difflib import get_close_matches

    known = list(knob_by_key())
    near = get_close_matches(key, known, n=1, cutoff=0.6)
    if not near:  # the right name without or under the wrong section
        name = key.rsplit(".", 1)[-1]
        near = get_close_matches(name, [k for k in known if k.endswith(f".{name}")], cutoff=0.0)
    return near[0] if near else None


def _read_vaults(file: Path, raw: Any, text: str) -> dict[str, str]:
    """Named vaults: name -> path as written."""
    if not isinstance(raw, dict):
        raise located(
            file, line_of(text, "vaults"), f"'vaults' must be a table, found {type_of(raw)}"
        )
    for name, path in raw.items():
        key = f"vaults.{name}"
        line = line_of(text, key)
        if not VAULT_NAME.fullmatch(name):
            raise located(
                file,
                line,
                f"'{visible(name)}' cannot be the name of a vault",
                hint="use a-z, 0-9, - and _",
            )
        if not isinstance(path, str):
            raise located(file, line, f"'{key}' must be a text, found {type_of(path)}")
        if not os.path.isabs(os.path.expanduser(path)):
            raise located(
                file,
                line,
                f"'{key}' must be a whole path, found '{visible(path)}'",
                hint="begin it with / or ~",
            )
    return dict(raw)


def _read_remotes(file: Path, raw: Any, text: str) -> dict[str, dict[str, str]]:
    """Pinned remotes: state key -> what its table says; config_remotes.py judges the values."""
    tables = raw if isinstance(raw, dict) else {"": raw}
    for key, table in tables.items():
        values = table.values() if isinstance(table, dict) else [None]
        if not all(isinstance(value, str) for value in values):
            raise located(
                file,
                line_of(text, f"remotes.{key}" if key else "remotes"),
                "'remotes' holds one table a vault, of texts only",
                hint="`vaultmem remote set URL` writes it",
            )
    return {key: dict(table) for key, table in tables.items()}


def _plain(dotted: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in dotted.split("."))


def _syntax(error: Exception) -> str:
    reason = str(error).split(" (at ")[0]
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return f"not valid TOML: {reason[:1].lower()}{visible(reason[1:])}"
