"""Arguments of a tool, held against its schema before anything is done with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vaultmem import language
from vaultmem.base import TYPE_CHECKING, Any, BadInputError

if TYPE_CHECKING:
    from vaultmem.api import Memory

_TYPES: Mapping[str, type] = {"string": str, "integer": int, "array": list}


def require_fit(schema: Mapping[str, Any], given: Mapping[str, Any]) -> None:
    """Return for arguments that the schema of a tool allows; raises BadInputError.

    An argument that it does not name is refused rather than passed over: nothing that a model adds
    ("approved": true) may look as if it had been heeded.
    """
    properties: Mapping[str, Any] = schema["properties"]
    known = ", ".join(properties)
    for name in given:
        if name not in properties:
            raise BadInputError(f"there is no argument '{_cut(name)}'", hint=f"it takes: {known}")
    for name in schema["required"]:
        if given.get(name) is None:
            raise BadInputError(f"the argument '{name}' is missing", hint=f"it takes: {known}")
    for name, value in given.items():
        if value is not None or name in schema["required"]:
            _require(name, properties[name], value)


def instant(memory: Memory, given: str | None) -> int | None:
    """UTC ms of a time that is given in words, in the vault's zone; raises BadInputError."""
    if given is None:
        return None
    return language.parse_when(given, memory.parts.clock.now(), memory.settings.timezone)


def _require(name: str, schema: Mapping[str, Any], value: object) -> None:
    kind: str = schema["type"]
    if not isinstance(value, _TYPES[kind]) or isinstance(value, bool):
        of = "whole numbers" if kind == "array" and _is_of_numbers(schema) else "texts"
        article = f"a list of {of}" if kind == "array" else f"a {kind}"
        raise BadInputError(f"the argument '{name}' has to be {article.replace('a i', 'an i')}")
    if isinstance(value, str):
        if schema.get("minLength") and not value.strip():
            raise BadInputError(f"the argument '{name}' is empty")
        most = schema.get("maxLength", len(value))
        if len(value) > most:
            raise BadInputError(f"the argument '{name}' has more than {most:,} characters")
        if value not in schema.get("enum", (value,)):
            raise BadInputError(f"the argument '{name}' has to be: {', '.join(schema['enum'])}")
    elif isinstance(value, int):
        least, most = schema.get("minimum", value), schema.get("maximum", value)
        if not least <= value <= most:
            raise BadInputError(f"the argument '{name}' has to be from {least} to {most}")
    elif isinstance(value, Sequence):
        least, most = schema.get("minItems", 0), schema.get("maxItems", len(value))
        if not least <= len(value) <= most:
            raise BadInputError(f"the argument '{name}' takes {least} to {most} texts")
        for each in value:
            _require(name, schema["items"], each)


def _is_of_numbers(schema: Mapping[str, Any]) -> bool:
    return bool(schema["items"]["type"] == "integer")


def _cut(name: str) -> str:
    return " ".join(name.split())[:40]
