"""Find secrets in a text in time that grows with its length, and take them out.

A kind is looked for only around its literals. What stands in base64 data (an image in a note) is
not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from vaultmem.base import TYPE_CHECKING, dataclass
from vaultmem.privacy.hints import BARE, LONG, STEMS, fold_case, is_assigned, present

if TYPE_CHECKING:
    from vaultmem.privacy.secret_kinds import Kind


# Private key blocks: from the BEGIN line to its END, or as far as the base64 goes.
#
# Done by markers and not by one pattern: a block has no bound that a pattern could use without
# running to the end of the text from every BEGIN.


LONGEST = 20_000  # characters of a block; RSA with 16,384 bits takes 13,000
LEAST = 32  # characters of base64: less is a sentence about keys
_MARKER = (
    r"-{4,5} ?(BEGIN|END) [A-Z0-9 ]{0,40}?"
    r"(?:PRIVATE KEY(?: BLOCK)?|SSH2 ENCRYPTED PRIVATE KEY) ?-{4,5}"
)
# Base64, line ends (also spelled `\n` in JSON), header lines, quotes, `> ` and the like.
_BODY = r"(?:[A-Za-z0-9+/=]++|\\[nr]|[\s\"'>,|#*-]|[A-Z][A-Za-z-]{2,24}: [^\n]{0,80}\n)*+"


def key_blocks(text: str) -> Iterator[tuple[int, int]]:
    """(start, end) of every block that holds a key."""
    if "-----BEGIN" not in text and "---- BEGIN" not in text:
        return
    markers = list(re.finditer(_MARKER, text))
    for number, marker in enumerate(markers):
        if marker[1] != "BEGIN":
            continue
        following = markers[number + 1] if number + 1 < len(markers) else None
        stop = min(following.start() if following else len(text), marker.end() + LONGEST)
        is_closed = following is not None and following[1] == "END" and stop == following.start()
        if is_closed and following is not None:
            body, end = text[marker.end() : stop], following.end()
        else:
            run = re.compile(_BODY).match(text, marker.end(), stop)
            end = run.end() if run is not None else marker.end()
            body = text[marker.end() : end]
            end -= len(body) - len(body.rstrip("\"'>,|#*- \t\r\n"))
        if sum(map(len, re.findall(r"[A-Za-z0-9+/=]{16,}", body))) >= LEAST:
            yield marker.start(), end


_DATA = ";base64,"
_END_OF_DATA = 128  # data shorter than this costs nothing to look at
_LAST = 10_000  # rank of values after a word: every kind of the table is more special
_RUNS = r"[^\s]{40,}+"  # kinds without a literal are looked for in these


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """A secret and its place; the secret itself is not in the record, so it cannot be printed."""

    kind: str  # 'aws access key', 'password or key', ...
    start: int  # of the text, in characters
    end: int
    line: int  # 1-based


def find_secrets(text: str) -> tuple[Secret, ...]:
    """Secrets by place, not overlapping; where kinds overlap, the more special name counts."""
    spans: list[tuple[int, int, int, str]] = []
    for offset, piece in _outside_data(text):
        lower = fold_case(piece)
        hints = present(piece, lower)
        if hints or is_assigned(lower):
            spans += [
                (start + offset, end + offset, rank, kind)
                for start, end, rank, kind in _spans(piece, lower, hints)
            ]
    return tuple(_apart(text, spans)) if spans else ()


def redact(text: str, secrets: Sequence[Secret]) -> str:
    """The text with a placeholder for each of its secrets."""
    parts = []
    at = 0
    for secret in secrets:
        parts += [text[at : secret.start], placeholder(secret.kind)]
        at = secret.end
    return "".join([*parts, text[at:]])


def placeholder(kind: str) -> str:
    """What stands in a note in place of a secret."""
    return f"[secret removed: {kind}]"


def _outside_data(text: str) -> Iterator[tuple[int, str]]:
    """Parts of the text with their offsets, without the base64 of `data:` addresses."""
    at = 0
    mark = text.find(_DATA)
    while mark >= 0:
        from vaultmem.privacy.secret_kinds import compile_cached  # saves 7 modules

        begin = mark + len(_DATA)
        run = compile_cached(r"[A-Za-z0-9+/=]*+").match(text, begin)
        end = run.end() if run is not None else begin
        if end - begin >= _END_OF_DATA:
            yield at, text[at:begin]
            at = end
        mark = text.find(_DATA, end)
    yield at, text[at:] if at else text


def _spans(text: str, lower: str, hints: frozenset[str]) -> Iterator[tuple[int, int, int, str]]:
    """(start, end, rank of the kind, its name) of everything believable."""
    from vaultmem.privacy.secret_kinds import (  # saves 8 modules  # saves 7 modules
        AHEAD,
        ASSIGNMENT,
        BEHIND,
        assignments,
        compile_cached,
        is_in_blob,
        kinds,
        secret_part,
    )

    for start, end in key_blocks(text):
        yield start, end, 0, "private key"
    runs = tuple(compile_cached(_RUNS).finditer(text)) if BARE in hints else ()
    for rank, kind in enumerate(kinds() if hints else ()):
        for begin, stop in _places(kind, lower if kind.is_folded else text, hints, runs):
            for found in compile_cached(kind.pattern).finditer(text, begin, stop):
                if not kind.is_believable(found, lower):
                    continue
                start, end = secret_part(found)
                if not is_in_blob(text, start, end):
                    yield start, end, rank, kind.name
    if is_assigned(lower, has_run=LONG in hints):
        around = windows(STEMS, lower, behind=BEHIND, ahead=AHEAD)
        for start, end in assignments(text, lower, around):
            yield start, end, _LAST, ASSIGNMENT


def _places(
    kind: Kind, searched: str, hints: frozenset[str], runs: Sequence[re.Match[str]]
) -> Iterator[tuple[int, int]]:
    """Spans of the text in which a secret of the kind may stand."""
    if kind.least:
        yield from (run.span() for run in runs if run.end() - run.start() >= kind.least)
        return
    if hints.isdisjoint(kind.literals):
        return
    literals = [literal for literal in kind.literals if literal in hints]
    yield from windows(literals, searched, behind=kind.behind, ahead=kind.ahead)


def windows(
    literals: Sequence[str], searched: str, *, behind: int, ahead: int
) -> Iterator[tuple[int, int]]:
    """Spans around the literals, merged where they meet, so that no character is in two.

    behind  characters before a literal that belong to its span
    ahead   characters after it
    """
    places: list[tuple[int, int]] = []
    for literal in literals:
        at = searched.find(literal)
        while at >= 0:
            last, end = at, at + len(literal) + ahead
            while True:  # literals on end, ten thousand of them, are one span
                further = searched.rfind(literal, last + 1, end)
                if further < 0:
                    break
                last, end = further, further + len(literal) + ahead
            places.append((max(at - behind, 0), end))
            at = searched.find(literal, end)
    places.sort()
    begin, stop = 0, -1
    for start, end in places:
        if start > stop:
            if stop >= 0:
                yield begin, stop
            begin = start
        stop = max(stop, end)
    if stop >= 0:
        yield begin, stop


def _apart(text: str, spans: list[tuple[int, int, int, str]]) -> Iterator[Secret]:
    """Spans joined where they overlap, with lines."""
    spans.sort()
    line, counted_to = 1, 0
    joined: list[tuple[int, int, int, str]] = []
    for span in spans:
        if joined and span[0] < joined[-1][1]:
            last = joined[-1]
            special = min(last, span, key=lambda each: each[2])
            joined[-1] = (last[0], max(last[1], span[1]), special[2], special[3])
        else:
            joined.append(span)
    for start, end, _, kind in joined:
        line += text.count("\n", counted_to, start)
        counted_to = start
        yield Secret(kind=kind, start=start, end=end, line=line)
