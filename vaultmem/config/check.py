"""Whether a value fits its setting: type, range, choice and meaning, `${VAR:-default}` filled in.

Every error names file, line, key, what was expected and what was found.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from vaultmem.base.errors import SettingsError
from vaultmem.base.records import dataclass
from vaultmem.config.setting import PERSON_SECTIONS, TYPE_NAMES, VAULT, Knob, Value
from vaultmem.language.text import slugify, visible
from vaultmem.language.time import check_zone
from vaultmem.model.slots import part_key

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
        raise located(
            file,
            line,
            f"'{knob.key}' needs the environment variable '{missing[0]}'",
            hint=f"set it, or write ${{{missing[0]}:-a default}}",
        )
    return check(knob, _typed(knob, filled), file=file, line=line)


def check(knob: Knob, raw: Any, *, file: str, line: int | None) -> Value:
    """The value as its type; raises SettingsError when type, range or choice do not fit."""
    value: Any = tuple(raw) if isinstance(raw, list) else raw
    if isinstance(knob.default, float) and type(value) is int:
        value = float(value)
    if not _has_type(knob, value):
        raise located(
            file, line, f"'{knob.key}' must be {knob.type_name}, found {_found(knob, raw)}"
        )
    if knob.choices and value not in knob.choices:
        wanted = ", ".join(f"'{choice}'" for choice in knob.choices)
        raise located(
            file, line, f"'{knob.key}' must be one of {wanted}, found {_found(knob, raw)}"
        )
    if isinstance(value, int | float) and not _in_range(knob, value):
        if knob.key == "format":
            raise located(
                file,
                line,
                f"the vault has format {value}, this program reads format {knob.high:g}",
                hint="upgrade vaultmem",
            )
        unit = f" {knob.unit}" if knob.unit else ""
        raise located(
            file, line, f"'{knob.key}' must be {_range(knob)}{unit}, found {_found(knob, raw)}"
        )
    _check_meaning(knob.key, value, file=file, line=line)
    return slugify(value, 40) if knob.key == "device" and value else value


def _typed(knob: Knob, value: Any) -> Any:
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
            raise located(file, line, bad.message, hint=bad.hint) from bad
    elif key == "id" and not _VAULT_ID.fullmatch(str(value)):
        raise located(file, line, "'id' may hold letters, digits and - only")
    elif key in ("slots.single", "slots.multiple") and isinstance(value, tuple):
        for name in map(str, value):
            if not part_key(name.removesuffix("*")) or "*" in name[:-1]:
                raise located(
                    file,
                    line,
                    f"'{key}' names '{visible(name)}', which is no predicate",
                    hint="write names such as works_at, or favourite_* for all that begin so",
                )
    elif key == "include" and isinstance(value, tuple):
        for glob in value:
            parts = str(glob).replace("\\", "/").split("/")
            if ".." in parts or parts[0] == "" or ":" in parts[0]:
                raise located(
                    file,
                    line,
                    f"'include' names '{visible(str(glob))}', which leads out of the vault",
                    hint="write globs relative to the vault, such as Journal/**/*.md",
                )


def has_variable(raw: Any) -> bool:
    """Whether a value, or a text in a list, holds `${...}`."""
    parts = raw if isinstance(raw, list) else [raw]
    return any(isinstance(part, str) and _VARIABLE.search(part) for part in parts)


def _found(knob: Knob, raw: Any) -> str:
    """What was found instead, never the content of a key that may be a secret."""
    kind = type_of(raw)
    if knob.key.split(".")[0] in PERSON_SECTIONS or isinstance(raw, dict | list):
        return kind
    shown = visible(str(raw).lower() if isinstance(raw, bool) else str(raw))
    return f"{kind}: '{shown[:60]}'"


def type_of(raw: Any) -> str:
    """What TOML calls such a value, in words."""
    return TYPE_NAMES.get(type(raw), "a date or time")


def located(file: Path | str, line: int | None, message: str, *, hint: str = HELP) -> SettingsError:
    """The error with its place in front, for the caller to raise."""
    place = f"'{file}'" if line is None else f"'{file}' line {line}"
    return SettingsError(visible(f"{place}: {message}"), hint=hint)
