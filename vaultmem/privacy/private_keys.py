"""Private key blocks: from the BEGIN line to its END, or as far as the base64 goes.

Done by markers and not by one pattern: a block has no bound that a pattern could use without
running to the end of the text from every BEGIN.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

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
