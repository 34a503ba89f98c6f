"""A quick reader for the flat front matter that nearly every note has; it declines the rest.

Whenever it answers, a YAML parser answers the same (tests/storage/notes/test_frontmatter.py proves
it with Hypothesis); whenever that is in doubt it returns None and the YAML parser is asked.
One regular expression takes the block in one pass: 8 to 15 us for 12 keys, where libyaml needs
90 us and 25 ms to import (performance.md B).
"""

from __future__ import annotations

import re

from vaultmem.base import late
from vaultmem.storage.notes.frontmatter.yaml import NULLS, Listing, Mapping, Node, Scalar, Value

MAX_CHARACTERS = 8192  # larger blocks are rare; the guards of the slow way count their nodes
MAX_ENTRIES = 500

# What no answer of ours may contain: controls, and characters that YAML readers take for line
# ends, byte order marks or errors. The latter are looked for one by one, because a set that
# reaches beyond U+00FF takes a millisecond to compile each time it occurs.
_NEVER = r"\x00-\x1f\x7f-\x9f"
_NEVER_BEYOND = "\u2028\u2029\ufeff\ufffe\uffff"
_SAFE = rf"[^:#{_NEVER}]*"
_PLAIN = (
    rf"[^\s\-?:,\[\]{{}}#&*!|>'\"%@`{_NEVER}]{_SAFE}"  # no indicator first
    rf"(?:(?::(?=[^\s{_NEVER}])|(?<=[^\s:])\#){_SAFE})*"  # no ': ' and no ' #' inside
    r"(?<![ :])"
)
_QUOTED = rf"\"[^\"\\{_NEVER}]*(?:\\[\"\\nt][^\"\\{_NEVER}]*)*\"|'[^'{_NEVER}]*'"
_WORDS = r"\w[\w ./-]*"
_ENTRY = late(
    rf"""
    ([^\W\d][\w-]{{0,63}}(?:[ ][\w-]{{1,40}}){{0,8}}):
    (?:
        [ ]({_PLAIN})
      | [ ]({_QUOTED})
      | ((?:\n(?:[ ][ ])?-[ ](?:{_QUOTED}|{_PLAIN}))+)
      | [ ](\[(?:{_WORDS}(?:,[ ]*{_WORDS})*)?\])
      |
    )\n
    | ((?s:.)+)
    """,
    re.VERBOSE,
)
_ESCAPE = late(r"\\(.)")
_ESCAPES = {"n": "\n", "t": "\t"}


def read_values(block: str) -> dict[str, Value] | None:
    """The values of a block whose lines end in LF; None: ask a YAML parser."""
    if len(block) > MAX_CHARACTERS or "{{" in block or "<%" in block:
        return None
    # Beside the expression: a set that reaches beyond U+00FF costs `re` a millisecond each time it
    # occurs, and compiling took 4 to 9 ms in place of 1.2.
    if not block.isascii() and any(mark in block for mark in _NEVER_BEYOND):
        return None
    entries = _ENTRY.findall(block)
    values: dict[str, Value] = {}
    for key, plain, quoted, listed, flow, other in entries:
        if plain:
            values[key] = plain if plain not in NULLS else None
        elif quoted:
            values[key] = _unquote(quoted)
        elif listed:
            lines = listed.split("\n- " if listed[1] == "-" else "\n  - ")
            if len(lines) <= listed.count("\n"):  # indented in two ways
                return None
            values[key] = tuple(
                [text if text[0] not in "\"'" else _unquote(text) for text in lines[1:]]
            )
        elif flow:
            inner = flow[1:-1]
            values[key] = tuple([word.strip() for word in inner.split(",")]) if inner else ()
        elif other:
            return None
        else:
            values[key] = None
    # Fewer values than entries: a key stands twice, which the slow way refuses by its name.
    return values if len(values) == len(entries) <= MAX_ENTRIES else None


def read_nodes(block: str) -> Mapping | None:
    """The same with places, for edits; None under the same conditions."""
    if read_values(block) is None:
        return None
    pairs: list[tuple[Node, Node]] = []
    for found in _ENTRY.finditer(block):
        start, end = found.span(1)
        key = Scalar(text=found[1], style="", start=start, end=end)
        pairs.append((key, _node(found)))
    end = pairs[-1][1].end if pairs else 0
    return Mapping(pairs=tuple(pairs), flow=False, start=0, end=end)


def _node(found: re.Match[str]) -> Node:
    for group in (2, 3):
        if found[group]:
            return _scalar(found[group], found.start(group))
    if found[4]:
        items: list[Node] = []
        place = found.start(4)
        for line in found[4][1:].split("\n"):
            place += 1  # the line end before it
            cut = line.index("-") + 2
            items.append(_scalar(line[cut:], place + cut))
            place += len(line)
        dash = found.start(4) + 1 + found[4][1:].index("-")
        return Listing(items=tuple(items), flow=False, start=dash, end=found.end(4))
    if found[5]:
        words = [
            _scalar(word.group(), found.start(5) + word.start())
            for word in re.finditer(r"[^\[\], ](?:[^\[\],]*[^\[\], ])?", found[5])
        ]
        return Listing(items=tuple(words), flow=True, start=found.start(5), end=found.end(5))
    place = found.end(1) + 1
    return Scalar(text="", style="", start=place, end=place)


def _scalar(source: str, start: int) -> Scalar:
    style = source[0] if source[0] in "\"'" else ""
    text = _unquote(source) if style else source
    return Scalar(text=text, style=style, start=start, end=start + len(source))


def _unquote(source: str) -> str:
    """The text of a quoted scalar that `_QUOTED` matched."""
    text = source[1:-1]
    if source[0] == '"' and "\\" in text:
        return _ESCAPE.sub(lambda found: _ESCAPES.get(found[1], found[1]), text)
    return text
