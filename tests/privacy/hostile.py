"""Texts of 100 kB that make a careless pattern run for seconds."""

from __future__ import annotations

from collections.abc import Iterator

from tests.privacy.tokens import MAKERS, samples
from vaultmem.privacy.hints import ASSIGNS, literals
from vaultmem.privacy.secret_kinds import WORDS

SIZE = 100_000
FILLINGS = ("a", "a.", "A1b2", "-", "9", " ", ":@", '"')
UNITS = (
    "a.",
    "a@",
    "@",
    "a.a@",
    " ",
    "\t",
    "\n",
    "0",
    "12 ",
    "1-",
    "9 9",
    "-----BEGIN",
    "-----BEGIN RSA PRIVATE KEY-----",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n",
    "-----BEGIN A PRIVATE KEY-----\nVersion: 1\n",
    "PuTTY-User-Key-File-2: x\n",
    "eyJ",
    "eyJ.",
    "eyJhbGciOiJIUzI1NiJ9.",
    " eyJhbGciOiJIUzI1NiJ9.e30.",
    "AAAA",
    "://",
    "a://",
    "a://a:",
    "a://b:c",
    "password",
    "password:",
    "password: ",
    "pass pass ",
    "token = ",
    'key="',
    "key for a ",
    "password of the ",
    "key_",
    "aws",
    "aws ",
    "akia",
    "0:AA",
    ":AA",
    "sig=",
    "?sig=",
    "SK",
    "data:;base64,",
    ";base64,A",
    "bearer ",
    "basic a",
    "/api/webhooks/1",
    "x.logic.azure.com?",
    "GB",
    "GB82 ",
    "+1 ",
    "+",
    "(0) ",
    "[[x]]",
    "ﬀ",
    "İ",
)


def hostile_texts(size: int = SIZE, *, every: int = 1) -> Iterator[tuple[str, str]]:
    """(what it is, text): units repeated; literals before every filling; tokens spoilt.

    size   characters of each text
    every  1: all of them; 10: every tenth, spread over all kinds
    """
    for number, (name, first, unit) in enumerate(_shapes()):
        if number % every == 0:
            yield name, (first + unit * (size // len(unit) + 1))[:size]


def _shapes() -> Iterator[tuple[str, str, str]]:
    """(what it is, how it begins, what is repeated)."""
    for unit in UNITS:
        yield f"{unit!r} repeated", "", unit
    known = [each for group in literals().values() for each in group]
    for literal in dict.fromkeys((*known, *WORDS)):
        yield f"{literal!r} and space repeated", "", literal + " "
        for filling in FILLINGS:
            yield f"{literal!r} then {filling!r}", literal, filling
            yield f"{literal!r} and 60 {filling!r}", "", literal + (filling * 60)[:60] + "~"
    for word in WORDS:
        for sign in ASSIGNS:
            yield f"{word!r} {sign!r} repeated", "", word + sign
    for kind in MAKERS:
        for _, token, _ in samples(kind, 3, seed=7):
            yield f"{kind} without its end", "", token[:-1] + "!"
            yield f"{kind} cut in half", "", token[: len(token) // 2] + "\n"
            yield f"{kind} without spaces", "", token
