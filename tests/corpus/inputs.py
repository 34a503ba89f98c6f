"""Hostile single inputs of any size: texts that have hurt parsers, and where they can enter.

`python -m tests.bench.inputs` measures all of them; tests/corpus/test_bounded.py runs them with
limits that end a process which hangs or eats memory.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from vaultmem.base.records import dataclass

Text = Callable[[int], bytes]


def _repeat(unit: str) -> Text:
    data = unit.encode()
    return lambda size: (data * (size // len(data) + 1))[:size]


def _front(block: str, *, closed: bool = True) -> Text:
    """A unit of front matter, repeated; the fence may be missing."""
    end = "\n---\n\nbody\n" if closed else ""

    def text(size: int) -> bytes:
        return b"---\n" + _repeat(block)(size) + end.encode()

    return text


def _numbered(line: str) -> Text:
    def text(size: int) -> bytes:
        count = size // (len(line) + 5) + 1
        return "".join(line.replace("#N", str(number)) for number in range(count)).encode()[:size]

    return text


def _noise(size: int) -> bytes:
    return random.Random(7).randbytes(size)


def _letters(size: int) -> bytes:
    random_ = random.Random(11)
    words = ("".join(random_.choices("abcdefghij", k=random_.randint(2, 12))) for _ in range(99))
    known = list(words)
    return " ".join(random_.choices(known, k=size // 6)).encode()[:size]


def _new_words(size: int) -> bytes:
    """Every word another one."""
    return " ".join(f"w{number:x}q" for number in range(size // 8)).encode()[:size]


TEXTS: Mapping[str, Text] = {
    "one line of a": _repeat("a"),
    "dotted line": _repeat("a."),
    "spaces": _repeat(" "),
    "line feeds": _repeat("\n"),
    "carriage returns": _repeat("\r\n"),
    "open brackets": _repeat("["),
    "link openings": _repeat("[["),
    "nested quotes": _repeat("> "),
    "stars": _repeat("*"),
    "backticks": _repeat("`"),
    "fences": _repeat("```\n"),
    "bullets": _numbered("- I like thing number #N a lot.\n"),
    "deep bullets": lambda size: b"".join(b" " * n + b"- x\n" for n in range(int(size**0.5)))[
        :size
    ],
    "block ids": _numbered("- Item #N says so. ^i-aaaaaaaa#N\n"),
    "statements": _numbered("I prefer tea number #N over coffee. "),
    "no sentence ends": _numbered("and then we went to town #N "),
    "questions": _repeat("why? "),
    "headings": _numbered("# Heading #N\n\n"),
    "table": _repeat("| a | b |\n"),
    "html comments": _repeat("<!-- "),
    "managed blocks": _repeat("<!-- vaultmem:begin summary -->\n"),
    "conflict markers": _repeat("<<<<<<< HEAD\n"),
    "rules": _repeat("---\n"),
    "numbers": _repeat("1234567890"),
    "dates": _numbered("on 2026-03-11 at 12:00, in #N days, "),
    "digits and dashes": _repeat("1-2 "),
    "at signs": _repeat("a@"),
    "base64": _repeat("aGVsbG8gd29ybGQh"),
    "private key openings": _repeat("-----BEGIN RSA PRIVATE KEY-----\n"),
    "emoji": _repeat("\U0001f600"),
    "combining marks": _repeat("e\u0301\u0327"),
    "one letter, many marks": lambda size: ("a" + "\u0301" * (size // 2)).encode()[:size],
    "chinese": _repeat("我喜欢喝茶"),
    "right to left": _repeat("\u202eabc"),
    "tag characters": _repeat("\U000e0041"),
    "zero width": _repeat("a\u200b"),
    "noise": _noise,
    "nul": _repeat("\0"),
    "words": _letters,
    "every word new": _new_words,
    "speakers": _numbered("**Ada** (2026-03-11 12:00): I like number #N.\n\n"),
    "speakers without end": _repeat("A: "),
    "front matter without end": _front("k: v\n", closed=False),
    "front matter of one key": _front("k: [" + "a," * 30 + "]\n"),
    "front matter, open lists": _front("[", closed=True),
    "front matter, open maps": _front("{", closed=True),
    "front matter, aliases": _front("a: &a [*a, *a]\n"),
    "front matter, merge keys": _front("a: &a {<<: *a}\n"),
    "front matter, keys": _numbered("k#N: v\n"),
    "front matter, anchors": _front("&a "),
    "front matter, question marks": _front("? "),
    "front matter, dashes": _front("- "),
    "front matter, block scalar": _front("k: |\n  x\n"),
    "front matter, long int": _front("1"),
    "front matter, tags": _front("!!python/object/apply:os.system "),
    "json list": _repeat('[{"role": "user", "content": "I like tea."},'),
    "json depth": _repeat("["),
    "json braces": _repeat('{"a":'),
    "json turns": lambda size: (
        b'[{"role": "user", "content": "x"}'
        + _repeat(', {"role": "user", "content": "I like tea"}')(size)
        + b"]"
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrance:
    """A place where an input can enter, and the command that meets it."""

    path: str  # where the input is put, relative to the vault; '' for standard input
    words: tuple[str, ...]


ENTRANCES: Mapping[str, Entrance] = {
    "item": Entrance(path="items/2026/03/11/odd-i-7f3a2kq9xw.md", words=("sync",)),
    "resource": Entrance(path="resources/2026/03/odd-r-mr1mhmd4cfp0.md", words=("sync",)),
    "category": Entrance(path="categories/odd.md", words=("sync",)),
    "stream": Entrance(path="streams/identity.md", words=("sync",)),
    "flow": Entrance(path="streams/flow.md", words=("sync",)),
    "settings": Entrance(path="vaultmem.toml", words=("check",)),
    "remember": Entrance(path="", words=("remember", "-")),
    "recall": Entrance(path="", words=("recall",)),
}


def cases() -> Iterator[tuple[str, str]]:
    """Every (text, entrance) that makes sense."""
    for text in sorted(TEXTS):
        for entrance in sorted(ENTRANCES):
            yield text, entrance


def vault_with(root: Path, template: Path, entrance: Entrance, data: bytes) -> None:
    """A copy of a vault with the input in its place; settings keep what makes a vault one."""
    import shutil

    shutil.copytree(template, root, symlinks=True)
    if not entrance.path:
        return
    file = root / entrance.path
    file.parent.mkdir(parents=True, exist_ok=True)
    before = file.read_bytes() if file.exists() and entrance.path == "vaultmem.toml" else b""
    file.write_bytes(before + data)
    os.utime(file, (1_773_230_400, 1_773_230_400))
