"""The settings in force as rows, and as lines a person reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from vaultmem.base.errors import BadInputError
from vaultmem.config.setting import PERSON_SECTIONS, Value
from vaultmem.config.table import knobs

if TYPE_CHECKING:
    from vaultmem.config.settings import Settings

_COMPUTED = ("name", "device")  # more than what a file says


def setting_rows(settings: Settings, *, key: str | None = None) -> list[dict[str, Any]]:
    """One row a setting: key, value, unit, source and why.

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
    for row in rows:
        unit = f" {row['unit']}" if row["unit"] else ""
        setting = f"{row['key']} = {_toml(row['value'])}"
        source = "" if row["source"] == "default" and not unit else row["source"]
        comment = ", ".join(part for part in (unit.strip(), source) if part and part != "default")
        yield f"{setting:<{min(width, 50)}}  # {comment}" if comment else setting
        if explain:
            yield f"# {row['why']}"
            yield f"# default: {_toml(row['default'])}"


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
