"""Random notes: real-looking pieces and hostile tokens, put together and then damaged."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from tests.fuzz.list_edits import PASTES, list_edit

_NOT_UTF_8 = (b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80")
_TEXTS = (
    token.encode()
    for token in (
        *("---\n", "---", "----", "...\n", "+++\n", "\n", "\r\n", "\r", "\t", " ", "\0", "\x0b"),
        *("\ufeff", "\u2028", "\u0085", "\u200b", "\u202e", "\U000e0041", "\ufffe", "e\u0301"),
        *("- ", "* ", "+ ", "1. ", "- [ ] ", "- [x] ", "  ", "    ", "> ", "# ", "## Open\n"),
        *("```", "~~~", "````", "<!--", "-->", "<!-- vaultmem:begin summary -->\n"),
        *("<!-- vaultmem:end -->\n", "[[", "]]", "[[i-7f3a2kq9xw]]", " ^i-7f3a2kq9xw", "^", "|"),
        *("<<<<<<< ", "=======\n", ">>>>>>> ", "{{", "}}", "<%", "%>", "${", "`=", "$="),
        *("id: i-7f3a2kq9xw\n", "tags: [a, b]\n", "tags:\n  - a\n  - b\n", "status: active\n"),
        *("valid_from: 2026-02-30\n", "source:\n  - '[[r-x]]'\n", "kind: fact\n", "k: |\n  x\n"),
        *('title: "', "a: &a ", "*a", "<<: ", "!!python/object:x ", "? ", ": ", "{a: 1}", "[", "]"),
        *("I like tea. ", "I prefer tabs over spaces. ", "I am allergic to nuts. ", "why?", "Mr. "),
        *("remember: ", "not ", "no longer ", "yesterday ", "on 3 May 2026 ", "last Tuesday "),
        *(
            "**Ada** (2026-03-11 12:00): ",
            "User: ",
            "assistant: ",
            '[{"role": "user", "content": "',
        ),
        *('"}]', "ghp_" + "a1B2" * 9, "AKIA" + "ABCD" * 4, "a@b.example", "4111 1111 1111 1111"),
        *("https://example.org/?q=1", "![](https://example.org/x)", "obsidian://open?vault=x"),
        *("中文", "日本語", "Grüße", "שלום", "مرحبا", "🙂", "ß", "İ", "ﬁ"),
    )
)
TOKENS: tuple[bytes, ...] = (*_TEXTS, *_NOT_UTF_8)
LARGEST = 20_000


def seeds(folder: Path) -> tuple[bytes, ...]:
    """Notes of the sample vault, to begin from."""
    files = sorted(folder.rglob("*.md"))
    return tuple(file.read_bytes()[:LARGEST] for file in files)


def mutated(random_: random.Random, known: Sequence[bytes]) -> bytes:
    """One input: a piece of a seed or nothing, with up to 12 changes."""
    data = bytearray(random_.choice(known) if random_.random() < 0.8 else b"")
    if len(data) > 400 and random_.random() < 0.5:
        start = random_.randrange(len(data))
        data = data[start : start + random_.randrange(400)]
    for _ in range(random_.randint(1, 12)):
        _change(random_, data, known)
    return bytes(data[:LARGEST])


def _change(random_: random.Random, data: bytearray, known: Sequence[bytes]) -> None:
    at = random_.randint(0, len(data))
    match random_.randrange(11):
        case 0 | 1 | 2 | 3:
            data[at:at] = random_.choice(TOKENS)
        case 4:
            data[at:at] = random_.choice(TOKENS) * random_.choice((2, 3, 10, 200))
        case 5:
            del data[at : at + random_.choice((1, 2, 5, 50))]
        case 6:
            if data:
                data[at - 1] = random_.randrange(256)
        case 7:
            other = random_.choice(known)
            start = random_.randint(0, len(other))
            data[at:at] = other[start : start + random_.choice((5, 50, 500))]
        case 8:
            data[at:at] = random_.choice(PASTES)
        case 9:
            data[:] = list_edit(random_, bytes(data))
        case _:
            piece = data[at : at + random_.choice((3, 30, 300))]
            data[at:at] = piece * random_.choice((1, 2, 5))
