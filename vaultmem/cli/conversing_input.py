"""The turns that `session turn` is told: by options, or as JSON."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from vaultmem.base import Any, BadInputError, MisusedError
from vaultmem.cli.output import tell

_KEYS = ("user", "assistant", "state", "number", "at")


def turns_of(source: str | None, given: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The turns that a command line tells."""
    told = {key: value for key, value in given.items() if value is not None}
    if source is None:
        from_input = [key for key in ("user", "assistant") if told.get(key) == "-"]
        if len(from_input) > 1:
            raise MisusedError(
                "only one side can come from the input", hint="use --from - with JSON"
            )
        for key in from_input:
            told[key] = _read("-")
        if not told:
            raise MisusedError(
                "there is no turn", hint="--user TEXT, --assistant TEXT, or --from FILE"
            )
        return [told]
    if told:
        raise MisusedError("--from has the whole turn", hint="leave the other options out")
    return [_check_turn(each) for each in _load_turns(_read(source), source)]


def _load_turns(text: str, source: str) -> list[Any]:
    import json

    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInputError(
            f"'{source}' is not JSON: {error}",
            hint='for example {"user": "Hello", "assistant": "Hi"}',
        ) from error
    listed = found if isinstance(found, list) else [found]
    if not listed:
        raise BadInputError(f"'{source}' holds no turn", hint="an object, or a list of them")
    return listed


def _check_turn(turn: Any) -> Mapping[str, Any]:
    """A turn of JSON, with values of the types that it may have; raises BadInputError."""
    wrong = not isinstance(turn, dict) or not (turn.keys() <= set(_KEYS))
    if not wrong:
        texts = (turn.get(key, "") for key in ("user", "assistant"))
        numbers = (turn.get(key) for key in ("number", "at"))
        wrong = not all(isinstance(text, str | None) for text in texts) or not all(
            each is None or (isinstance(each, int) and not isinstance(each, bool))
            for each in numbers
        )
    if wrong:
        raise BadInputError(
            "a turn is an object with texts under 'user' and 'assistant'",
            hint="also 'state' (any JSON), 'number' (from 1), 'at' (ms since 1970)",
        )
    found: Mapping[str, Any] = turn
    return found


def _read(source: str) -> str:
    if source == "-":
        if sys.stdin.isatty():
            tell("reading from the terminal; end with Ctrl-D")
        return sys.stdin.read()
    try:
        with open(source, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(f"cannot read '{source}': {error}") from error
