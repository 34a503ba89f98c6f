"""One JSON object out of a model's reply, made to fit its schema or refused.

Models wrap what they were asked for: in a fence, behind `<think>...</think>`, between sentences.
Of JSON Schema this knows `type` (also a list of them), `properties`, `required`, `items` and
`enum`; lengths and ranges are for those who use the values, which are untrusted all the same.
"""

from __future__ import annotations

import json
import re

from vaultmem.base import Any
from vaultmem.model import Schema

_THOUGHT = re.compile(r"\A\s*<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_OPENED = re.compile(r"\A\s*<(?:think|thinking|reasoning)>", re.IGNORECASE)
_MOST_STARTS = 64  # braces of a reply at which an object is looked for
_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}


class DoesNotFitError(ValueError):
    """The reply holds no object of the schema; the message says where it differs."""


def read_object(text: str, schema: Schema) -> dict[str, Any]:
    """The object in a reply, with the keys of its schema alone; raises DoesNotFitError.

    A list that is missing is empty, what may be null is null; anything else that is required and
    missing does not fit.
    """
    found = _object_in(without_thought(text))
    fitted = _fit(found, schema, "the reply")
    assert isinstance(fitted, dict)
    return fitted


def without_thought(text: str) -> str:
    """The reply behind what the model thought aloud; raises DoesNotFitError where that is all."""
    rest = _THOUGHT.sub("", text, count=1)
    if _OPENED.match(rest):
        raise DoesNotFitError("the reply is a thought that does not end")
    return rest


def _object_in(text: str) -> dict[str, Any]:
    """The first whole JSON object of a text."""
    decoder = json.JSONDecoder(parse_constant=_refuse)
    start = -1
    for _ in range(_MOST_STARTS):
        start = text.find("{", start + 1)
        if start < 0:
            break
        try:
            found, _ = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            return found
    raise DoesNotFitError("the reply holds no JSON object")


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON")


def _fit(value: Any, schema: Schema, where: str) -> Any:
    """The value without what its schema does not name."""
    allowed = schema.get("type", "object")
    names = [allowed] if isinstance(allowed, str) else list(allowed)
    if not any(_is_of(value, name) for name in names):
        raise DoesNotFitError(f"{where} is no {' or '.join(names)}")
    if "enum" in schema and value not in schema["enum"]:
        raise DoesNotFitError(f"{where} is none of {', '.join(map(str, schema['enum']))}")
    if isinstance(value, str):
        # Half of a pair has no bytes: no file could hold it.
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        inner = schema.get("items", {"type": list(_TYPES)})
        return [_fit(each, inner, f"{where}[{at}]") for at, each in enumerate(value)]
    if isinstance(value, dict):
        return _fitted_object(value, schema, where)
    return value


def _fitted_object(value: dict[str, Any], schema: Schema, where: str) -> dict[str, Any]:
    fitted = {}
    for name, inner in schema.get("properties", {}).items():
        if name in value:
            fitted[name] = _fit(value[name], inner, f"{where}.{name}")
        elif inner.get("type") == "array":
            fitted[name] = []
        elif "null" in inner.get("type", ()):
            fitted[name] = None
        elif name in schema.get("required", ()):
            raise DoesNotFitError(f"{where} has no '{name}'")
    return fitted


def _is_of(value: Any, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    if isinstance(value, float) and name == "integer":
        return value.is_integer() and abs(value) < 1e15
    return isinstance(value, _TYPES[name])
