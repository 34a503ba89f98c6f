"""Server-sent events: the data of each, out of bytes that are cut anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

LONGEST_LINE_BYTES = 1 << 20
DONE = "[DONE]"


class NoEventsError(ValueError):
    """What came is no stream of events; the message says why."""


def data_of(pieces: Iterable[bytes]) -> Iterator[str]:
    """The data of each event, in order; comments and other fields are left out.

    An event that the end of the stream cuts is not given. raises NoEventsError
    """
    data: list[str] = []
    for line in _lines(pieces):
        if not line:
            if data:
                yield "\n".join(data)
            data = []
            continue
        name, _, value = line.partition(":")
        if name == "data":
            data.append(value.removeprefix(" "))
        elif name not in ("", "event", "id", "retry"):
            raise NoEventsError("its answer is no stream of events")


def _lines(pieces: Iterable[bytes]) -> Iterator[str]:
    rest = b""
    for piece in pieces:
        rest += piece
        *whole, rest = rest.split(b"\n")
        for line in whole:
            yield _text(line)
        if len(rest) > LONGEST_LINE_BYTES:
            raise NoEventsError("its answer has a line without an end")
    if rest:
        yield _text(rest)
        # A last event without an empty line behind it is still whole when its line is.
        yield ""


def _text(line: bytes) -> str:
    try:
        return line.removesuffix(b"\r").decode()
    except UnicodeDecodeError as error:
        raise NoEventsError("its answer is not UTF-8") from error
