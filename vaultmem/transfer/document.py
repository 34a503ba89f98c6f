"""One JSON document with a whole memory: written piece by piece, one note a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import IO, Any

Json = Any
"""A value as the json module takes it."""


class Writer:
    """Writes a JSON object to a binary file, its lists one entry a line; holds one at a time."""

    def __init__(self, out: IO[bytes]) -> None:
        self._out = out
        self.bytes = 0
        self._put("{")
        self._is_first = True

    def value(self, key: str, value: Json) -> None:
        """A key with a value that fits into memory."""
        self._key(key)
        self._put(_json(value))

    def entries(self, key: str, values: Iterable[Mapping[str, Json]]) -> int:
        """A key with a list, entry by entry; how many there were."""
        self._key(key)
        number = 0
        for number, value in enumerate(values, start=1):
            self._put(f"{'[' if number == 1 else ','}\n{_json(value)}")
        self._put("\n]" if number else "[]")
        return number

    def close(self) -> None:
        """End the object; the file stays open."""
        self._put("\n}\n")

    def _key(self, key: str) -> None:
        self._put(f"{'' if self._is_first else ','}\n{_json(key)}: ")
        self._is_first = False

    def _put(self, text: str) -> None:
        data = text.encode()
        self._out.write(data)
        self.bytes += len(data)


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
