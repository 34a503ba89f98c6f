"""JSON of any length, one element at a time, and the outline of its beginning. Pure.

`json.JSONDecoder.raw_decode` over a buffer that doubles until an element is whole: no dependency,
each element is parsed by the C scanner of the standard library, and memory is that of the largest
element. 200 MB of 3,193 conversations took 1.1 s of CPU and 14 MB; ijson with its library in C
took 1.0 s and 14 MB. An element that is not JSON is stepped over by its brackets; the next one is
read.
"""

from __future__ import annotations

import codecs
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from vaultmem.base import IO, TYPE_CHECKING, Any, BadInputError, late

if TYPE_CHECKING:
    from collections.abc import Callable

CHUNK = 1 << 18  # bytes
LARGEST_ELEMENT = 48_000_000
"""Characters of one element: parsed it takes about five times as much memory."""
_SPACE = " \t\n\r"
_BEHIND = tuple(",]} \t\n\r")
_MARGIN = 16  # characters before the end within which a mistake may be a cut: '\\ud83', 'fals'
_TOKEN = late(r'"(?:[^"\\]|\\.)*"|[\[\]{}]|"', 16)  # DOTALL


class BrokenElementError(BadInputError):
    """An element of a stream that cannot be read; the ones after it can."""


class _Buffer:
    """The text of a stream from where reading stands."""

    def __init__(self, stream: IO[bytes], progress: Callable[[int], None] | None) -> None:
        self._stream = stream
        # A piece may end within a character, and a file may begin with a byte-order mark.
        self._decode = codecs.getincrementaldecoder("utf-8-sig")("replace").decode
        self._progress = progress
        self._read = 0
        self.text = ""
        self.at = 0
        self.is_over = False

    def more(self, size: int = CHUNK) -> bool:
        """Read on; False: there is no more. What was read before `at` is dropped."""
        if self.is_over:
            return False
        data = self._stream.read(size)
        self._read += len(data)
        if self._progress is not None:
            self._progress(self._read)
        self.is_over = not data
        self.text = self.text[self.at :] + self._decode(data, not data)
        self.at = 0
        return True

    def next(self) -> str:
        """The next character that is no white space; '' at the end. It is not passed."""
        while True:
            while self.at < len(self.text):
                if self.text[self.at] not in _SPACE:
                    return self.text[self.at]
                self.at += 1
            if not self.more():
                return ""


def elements(
    stream: IO[bytes],
    path: Sequence[str] = (),
    *,
    beside: dict[str, Any] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Iterator[Any | BrokenElementError]:
    """The elements of the list at `path` (keys of nested objects), each as soon as it is read.

    beside    is filled with the values of other keys of the objects on the way, as they are met
    progress  is told how many bytes were read
    Elements that cannot be read are yielded as errors. Nothing where no such list is.
    """
    buffer = _Buffer(stream, progress)
    if not path and buffer.next() == "{":  # a file that is one object is a list of one
        try:
            yield _value(buffer)
        except BrokenElementError as broken:
            yield broken
        return
    for key in path:
        if not _enter(buffer, key, {} if beside is None else beside):
            return
    if buffer.next() != "[":
        return
    buffer.at += 1
    while True:
        mark = buffer.next()
        if mark == ",":
            buffer.at += 1
        elif mark == "]":
            break
        elif not mark:
            yield BrokenElementError("the file ends before its list does: is it a whole download?")
            return
        else:
            try:
                yield _value(buffer)
            except BrokenElementError as broken:
                yield broken
                if not _pass(buffer):
                    return
    buffer.at += 1
    if path and beside is not None:
        _read_rest(buffer, beside)


def objects(
    stream: IO[bytes],
    path: Sequence[str] = (),
    *,
    beside: dict[str, Any] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Iterator[dict[str, Any] | BrokenElementError]:
    """`elements`, those that are objects; others are errors."""
    for found in elements(stream, path, beside=beside, progress=progress):
        if isinstance(found, dict | BrokenElementError):
            yield found
        else:
            yield BrokenElementError("it is no JSON object")


def _enter(buffer: _Buffer, key: str, beside: dict[str, Any]) -> bool:
    """Step into the value of a key of the object that begins here."""
    if buffer.next() != "{":
        return False
    buffer.at += 1
    return _to_key(buffer, key, beside)


def _to_key(buffer: _Buffer, key: str | None, beside: dict[str, Any]) -> bool:
    while (mark := buffer.next()) in ('"', ","):
        if mark == ",":
            buffer.at += 1
            continue
        name = _value(buffer)
        if buffer.next() != ":":
            return False
        buffer.at += 1
        if name == key:
            return True
        try:
            beside[str(name)] = _value(buffer) if buffer.next() else None
        except BrokenElementError:
            if not _pass(buffer):
                return False
    return False


def _read_rest(buffer: _Buffer, beside: dict[str, Any]) -> None:
    """Keys that stand behind the list, too."""
    _to_key(buffer, None, beside)


# Line feeds and tabs within a string, which JSON forbids, are no reason to lose a conversation.
_DECODER = json.JSONDecoder(strict=False)


def _value(buffer: _Buffer) -> Any:
    """The value that begins here; raises BrokenElementError without moving on."""
    size = CHUNK
    while True:
        try:
            found, end = _DECODER.raw_decode(buffer.text, buffer.at)
            # A number may go on behind the buffer: '1.5' of '1.5e3'.
            is_whole = buffer.text[buffer.at] in '[{"' or buffer.text[end : end + 1] in _BEHIND
            if is_whole or buffer.is_over:
                buffer.at = end
                return found
        except json.JSONDecodeError as error:
            is_cut = error.msg.startswith("Unterminated") or error.pos >= (
                len(buffer.text) - _MARGIN
            )
            if not is_cut or buffer.is_over:
                raise BrokenElementError(f"it is no JSON: {error.msg.lower()}") from error
        except (RecursionError, ValueError) as error:  # ValueError: a number of 5,000 digits
            raise BrokenElementError("it is nested too deeply, or no JSON") from error
        if len(buffer.text) - buffer.at > LARGEST_ELEMENT:
            raise BrokenElementError(f"it has more than {LARGEST_ELEMENT:,} characters")
        if not buffer.more(size):
            continue  # once more, now that the buffer knows that it is over
        size = max(CHUNK, len(buffer.text) - buffer.at)  # doubled: each is parsed twice on average


def _pass(buffer: _Buffer) -> bool:
    """Step over the value that begins here, by its brackets; False: the text ends in it."""
    depth = 0
    while True:
        for token in _TOKEN.finditer(buffer.text, buffer.at):
            mark = token[0]
            if mark == '"' and not buffer.is_over:
                buffer.at = token.start()  # a string that goes on behind the buffer
                break
            buffer.at = token.end()
            depth += (mark in "[{") - (mark in "]}")
            if depth < 0:  # the list itself ends
                buffer.at = token.start()
                return True
            if depth == 0:
                return True
        else:
            buffer.at = len(buffer.text)
        if len(buffer.text) - buffer.at > LARGEST_ELEMENT or not buffer.more():
            return False


def lines(
    stream: IO[bytes], *, progress: Callable[[int], None] | None = None
) -> Iterator[dict[str, Any] | BrokenElementError]:
    """The objects of a file with one JSON object a line; lines that are none as errors."""
    read = 0
    # Bounded: a file without a line feed would be read as one line.
    while data := stream.readline(LARGEST_ELEMENT + 1):
        read += len(data)
        if progress is not None:
            progress(read)
        if len(data) > LARGEST_ELEMENT:
            while data and not data.endswith(b"\n"):
                data = stream.readline(LARGEST_ELEMENT)
            yield BrokenElementError(f"a line has more than {LARGEST_ELEMENT:,} bytes")
            continue
        text = data.decode("utf-8-sig", "replace").strip()
        if not text:
            continue
        try:
            found = _DECODER.decode(text)
        except (ValueError, RecursionError):
            yield BrokenElementError("a line is no JSON: is the file cut off?")
            continue
        if isinstance(found, dict):
            yield found


UNREAD = "lines that cannot be read"


def readable(
    found: Iterable[dict[str, Any] | BrokenElementError], left: Counter[str]
) -> Iterator[dict[str, Any]]:
    """Those that can be read; the others are counted."""
    for each in found:
        if isinstance(each, BrokenElementError):
            left[UNREAD] += 1
        else:
            yield each


_MOST_PATHS = 400
_OUTLINED = late(r'"((?:[^"\\]|\\.)*)"(\s*:)?|[\[\]{}]', 16)  # DOTALL


def outline(text: str, *, depth: int = 5) -> frozenset[str]:
    """Paths of the keys at the beginning of a JSON text, which may end anywhere.

    `[].mapping` is the key of an object in the list that the file is, `a.b` that of an object in
    an object. Deeper keys are left out.
    """
    found: set[str] = set()
    path: list[str] = []  # of the containers around: their key, with `[]` for a list
    key = ""
    for token in _OUTLINED.finditer(text):
        mark = token[0]
        if mark in ("{", "["):
            prefix = path[-1] if path else ""
            here = f"{prefix}.{key}" if key and prefix else key or prefix
            path.append(f"{here}[]" if mark == "[" else here)
            key = ""
        elif mark in ("}", "]"):
            if path:
                path.pop()
            key = ""
        elif token[2] is not None:
            key = token[1]
            if path and len(path) <= depth:
                found.add(f"{path[-1]}.{key}" if path[-1] else key)
                if len(found) >= _MOST_PATHS:
                    break
        else:
            key = ""
    return frozenset(found)
