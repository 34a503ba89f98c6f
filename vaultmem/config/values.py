"""Reads settings files: values checked against the table, errors and warnings with their line.

Only reached when a settings file changed or cannot be cached; `config/settings.py` is the way in.
"""

from __future__ import annotations

import hashlib
import math
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path, PurePosixPath

from vaultmem.base import Any, DiskError, SettingsError, UnsafePathError, dataclass, field
from vaultmem.config.setting import PERSON, PERSON_SECTIONS, TYPE_NAMES, VAULT, Knob, Value
from vaultmem.config.settings_table import knob_by_key, knobs
from vaultmem.language import check_zone, civil, slugify, visible, word_list
from vaultmem.model import part_key

# Whether a value fits its setting: type, range, choice and meaning, `${VAR:-default}` filled in.
#
# Every error names file, line, key, what was expected and what was found.

VARIABLE_PREFIX = "VAULTMEM_SET_"
HELP = "`vaultmem help settings` lists every setting"

_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")
_VAULT_ID = re.compile(r"[A-Za-z0-9-]{0,64}")
_BOOLEANS = {"true": True, "yes": True, "on": True, "1": True} | dict.fromkeys(
    ("false", "no", "off", "0"), False
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsWarning:
    """Something in a settings file that was ignored, with its place."""

    file: str
    line: int | None  # 1-based; None: the file as a whole
    key: str
    message: str  # lower case, no final period
    hint: str = ""

    def __str__(self) -> str:
        place = f"'{self.file}'" if self.line is None else f"'{self.file}' line {self.line}"
        return f"{place}: {self.message}"


def warnings_of(
    found: Iterable[tuple[str, int | None, str, str, str]],
) -> tuple[SettingsWarning, ...]:
    """Warnings from their fields, as they are kept in the device state."""
    return tuple(
        SettingsWarning(file=file, line=line, key=key, message=message, hint=hint)
        for file, line, key, message, hint in found
    )


def settle(
    knob: Knob, raw: Any, environ: Mapping[str, str], *, file: str, line: int | None, place: str
) -> Value | SettingsWarning:
    """A value with its `${VAR:-default}` filled in, checked; or why it is ignored.

    A vault's file sees only variables that begin with VAULTMEM_SET_: it may come from anybody,
    and must not carry a person's environment into notes, names or commits.
    """
    missing: list[str] = []

    def fill(found: re.Match[str]) -> str:
        name, fallback = found.groups()
        is_visible = place != VAULT or name.startswith(VARIABLE_PREFIX)
        if is_visible and environ.get(name):
            return environ[name]
        if fallback is None:
            missing.append(name)
        return fallback or ""

    filled = (
        [_VARIABLE.sub(fill, part) if isinstance(part, str) else part for part in raw]
        if isinstance(raw, list)
        else _VARIABLE.sub(fill, raw)
    )
    if missing and place == VAULT:
        return SettingsWarning(
            file=file,
            line=line,
            key=knob.key,
            message=f"'{knob.key}' is ignored: it needs the variable '{missing[0]}'",
            hint=f"a vault's file reads only variables named {VARIABLE_PREFIX}..., "
            f"or write ${{{missing[0]}:-a default}}",
        )
    if missing:
        raise error_at(
            file,
            line,
            f"'{knob.key}' needs the environment variable '{missing[0]}'",
            hint=f"set it, or write ${{{missing[0]}:-a default}}",
        )
    return check(knob, _convert(knob, filled), file=file, line=line)


def check(knob: Knob, raw: Any, *, file: str, line: int | None) -> Value:
    """The value as its type; raises SettingsError when type, range or choice do not fit."""
    value: Any = tuple(raw) if isinstance(raw, list) else raw
    if isinstance(knob.default, float) and type(value) is int:
        value = float(value)
    if not _has_type(knob, value):
        raise error_at(
            file, line, f"'{knob.key}' must be {knob.type_name}, found {_describe_found(knob, raw)}"
        )
    if knob.choices and value not in knob.choices:
        wanted = ", ".join(f"'{choice}'" for choice in knob.choices)
        raise error_at(
            file, line, f"'{knob.key}' must be one of {wanted}, found {_describe_found(knob, raw)}"
        )
    if isinstance(value, int | float) and not _in_range(knob, value):
        if knob.key == "format":
            raise error_at(
                file,
                line,
                f"the vault has format {value}, this program reads format {knob.high:g}",
                hint="upgrade vaultmem",
            )
        unit = f" {knob.unit}" if knob.unit else ""
        raise error_at(
            file,
            line,
            f"'{knob.key}' must be {_range(knob)}{unit}, found {_describe_found(knob, raw)}",
        )
    _check_meaning(knob.key, value, file=file, line=line)
    return slugify(value, 40) if knob.key == "device" and value else value


def _convert(knob: Knob, value: Any) -> Any:
    """Text that came out of a variable, as the type of its knob where it reads as one."""
    if not isinstance(value, str) or isinstance(knob.default, str | tuple):
        return value
    if isinstance(knob.default, bool):
        return _BOOLEANS.get(value.strip().lower(), value)
    try:
        return int(value) if isinstance(knob.default, int) else float(value)
    except ValueError:
        return value


def _has_type(knob: Knob, value: Any) -> bool:
    if isinstance(knob.default, tuple):
        inner = type(knob.default[0]) if knob.default else str
        return isinstance(value, tuple) and all(type(part) is inner for part in value)
    return type(value) is type(knob.default)


def _in_range(knob: Knob, value: float) -> bool:
    if not math.isfinite(value):
        return False
    low = value if knob.low is None else knob.low
    high = value if knob.high is None else knob.high
    return low <= value <= high


def _range(knob: Knob) -> str:
    if knob.high is None:
        return f"at least {knob.low:.10g}"
    return f"from {knob.low or 0:.10g} to {knob.high:.10g}"


def _check_meaning(key: str, value: Value, *, file: str, line: int | None) -> None:
    """What type and range cannot say of a few settings."""
    if key == "timezone":
        try:
            check_zone(str(value))
        except SettingsError as bad:
            raise error_at(file, line, bad.message, hint=bad.hint) from bad
    elif key == "id" and not _VAULT_ID.fullmatch(str(value)):
        raise error_at(file, line, "'id' may hold letters, digits and - only")
    elif key in ("slots.single", "slots.multiple") and isinstance(value, tuple):
        for name in map(str, value):
            if not part_key(name.removesuffix("*")) or "*" in name[:-1]:
                raise error_at(
                    file,
                    line,
                    f"'{key}' names '{visible(name)}', which is no predicate",
                    hint="write names such as works_at, or favourite_* for all that begin so",
                )
    elif key == "obsidian.daily_note" and value:
        try:
            daily_note_path(str(value), 0)
        except SettingsError as bad:
            raise error_at(file, line, bad.message, hint=bad.hint) from bad
    elif key == "include" and isinstance(value, tuple):
        for glob in value:
            parts = str(glob).replace("\\", "/").split("/")
            if ".." in parts or parts[0] == "" or ":" in parts[0]:
                raise error_at(
                    file,
                    line,
                    f"'include' names '{visible(str(glob))}', which leads out of the vault",
                    hint="write globs relative to the vault, such as Journal/**/*.md",
                )


def has_variable(raw: Any) -> bool:
    """Whether a value, or a text in a list, holds `${...}`."""
    parts = raw if isinstance(raw, list) else [raw]
    return any(isinstance(part, str) and _VARIABLE.search(part) for part in parts)


def _describe_found(knob: Knob, raw: Any) -> str:
    """What was found instead, never the content of a key that may be a secret."""
    kind = type_of(raw)
    if knob.key.split(".")[0] in PERSON_SECTIONS or isinstance(raw, dict | list):
        return kind
    shown = visible(str(raw).lower() if isinstance(raw, bool) else str(raw))
    return f"{kind}: '{shown[:60]}'"


def type_of(raw: Any) -> str:
    """What TOML calls such a value, in words."""
    return TYPE_NAMES.get(type(raw), "a date or time")


def error_at(
    file: Path | str, line: int | None, message: str, *, hint: str = HELP
) -> SettingsError:
    """The error with its place in front, for the caller to raise."""
    place = f"'{file}'" if line is None else f"'{file}' line {line}"
    return SettingsError(visible(f"{place}: {message}"), hint=hint)


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
        raise error_at(file, int(line[1]) if line else None, _syntax(error)) from error
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
        from vaultmem.config.places import require_text  # saves 1 module

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
            raise error_at(file, None, "not a regular file")
        with open(file, "rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise DiskError(f"cannot read '{file}': {error.strerror}") from error
    if len(data) > MAX_BYTES:
        raise error_at(file, None, f"larger than {MAX_BYTES // 1024} KB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise error_at(file, line, "not UTF-8 text", hint="save it as UTF-8") from error


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
        raise error_at(reading.file, line, f"'{key}' must be a table, found {type_of(raw)}")
    elif knob is None:
        near = _nearest(key)
        _warn(reading, key, line, "", f"did you mean '{near}'?" if near else HELP)
    elif reading.place == PERSON and knob.where == VAULT:
        _warn(reading, key, line, "it belongs to a vault", "move it to the vault's vaultmem.toml")
    else:
        if line is not None:
            reading.lines[key] = line
        # They are needed before the environment is asked: the device state is named by the id.
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
        raise error_at(
            file, line_of(text, "vaults"), f"'vaults' must be a table, found {type_of(raw)}"
        )
    for name, path in raw.items():
        key = f"vaults.{name}"
        line = line_of(text, key)
        if not VAULT_NAME.fullmatch(name):
            raise error_at(
                file,
                line,
                f"'{visible(name)}' cannot be the name of a vault",
                hint="use a-z, 0-9, - and _",
            )
        if not isinstance(path, str):
            raise error_at(file, line, f"'{key}' must be a text, found {type_of(path)}")
        if not os.path.isabs(os.path.expanduser(path)):
            raise error_at(
                file,
                line,
                f"'{key}' must be a whole path, found '{visible(path)}'",
                hint="begin it with / or ~",
            )
    return dict(raw)


def _read_remotes(file: Path, raw: Any, text: str) -> dict[str, dict[str, str]]:
    """Pinned remotes: state key -> what its table says; config/remotes.py judges the values."""
    tables = raw if isinstance(raw, dict) else {"": raw}
    for key, table in tables.items():
        values = table.values() if isinstance(table, dict) else [None]
        if not all(isinstance(value, str) for value in values):
            raise error_at(
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


# Which file is the daily note of a day, by the pattern of the settings.

# In English whatever the system speaks: strftime would name a file by the locale of a process.
_DAYS = word_list("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
_MONTHS = word_list(
    "January February March April May June July August September October November December"
)
_WRITTEN: Mapping[str, Callable[[date], str]] = {
    "Y": lambda day: f"{day.year:04d}",
    "y": lambda day: f"{day.year % 100:02d}",
    "m": lambda day: f"{day.month:02d}",
    "d": lambda day: f"{day.day:02d}",
    "j": lambda day: f"{day.timetuple().tm_yday:03d}",
    "G": lambda day: f"{day.isocalendar().year:04d}",
    "V": lambda day: f"{day.isocalendar().week:02d}",
    "A": lambda day: _DAYS[day.weekday()],
    "a": lambda day: _DAYS[day.weekday()][:3],
    "B": lambda day: _MONTHS[day.month - 1],
    "b": lambda day: _MONTHS[day.month - 1][:3],
    "%": lambda day: "%",
}
_HINT = "write it relative to the vault, such as Daily/%Y-%m-%d.md"


def daily_note_path(pattern: str, at: int, zone: str = "UTC") -> PurePosixPath:
    """The path of the note of the day in `zone` that holds `at` (UTC ms).

    raises SettingsError  it leads out of the vault or into a hidden folder, is no Markdown file,
                          or has a `%` that means nothing
    """
    day = date(*civil(at, zone))

    def write(found: re.Match[str]) -> str:
        word = found[1]
        if word not in _WRITTEN:
            raise SettingsError(
                f"'obsidian.daily_note' has '%{visible(word)}', which means nothing",
                hint=f"these do: {', '.join(f'%{each}' for each in _WRITTEN)}",
            )
        return _WRITTEN[word](day)

    text = re.sub(r"%(.?)", write, pattern, flags=re.DOTALL)
    parts = text.split("/")
    if "\\" in text or ":" in text or not all(parts) or {".", ".."} & set(parts):
        raise SettingsError(
            f"'obsidian.daily_note' names '{visible(pattern)}', which is no path inside the vault",
            hint=_HINT,
        )
    if not text.isprintable() or any(part.startswith(".") for part in parts):
        raise SettingsError(
            f"'obsidian.daily_note' names '{visible(pattern)}', which Obsidian does not show",
            hint=_HINT,
        )
    if not text.lower().endswith(".md"):
        raise SettingsError(
            f"'obsidian.daily_note' names '{visible(pattern)}', which is no note",
            hint=f"its name ends in .md; {_HINT}",
        )
    return PurePosixPath(text)
