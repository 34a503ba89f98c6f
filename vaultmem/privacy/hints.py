"""Whether a text may hold a secret at all, by plain search: no pattern is compiled for the rest.

Nearly every text that a person remembers ends here. The words are kept apart from the patterns
so that a cold `remember` loads this page only.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

_FILE = "detectors.toml"
# A secret that no opener (`://`, `curl -u`) announces is a run of so many characters at least.
RUN = 16
LONG, BARE = "\0long", "\0bare"  # no literals of any text: see `present`
# What secrets without a literal consist of; most long words are addresses, and are not.
_BARE = (
    r"(?:(?<![A-Za-z0-9+/])|(?<=\\[nrt]))[A-Za-z0-9+/]{40}"
    r"|(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]))[MNO][A-Za-z0-9_-]{23,27}+\.[A-Za-z0-9_-]{6}\.|(?<!\d)\d{10,20}+:[0-9a-f]{32}"
)
_LISTS = ("literals", "folded", "openers", "near")  # of the table, by their keys

# What stands between a word (`secrets.txt` of each language) and its value.
ASSIGNS = (
    *(
        ":",
        "=",
        " is ",
        " was ",
        " to ",
        " ist ",
        " war ",
        " lautet ",
        " est ",
        " es ",
        " é ",
        " è ",
        "：",
    ),
    *('"', "'", "`"),
)
REACH = 64  # characters after the word within which an assignment must begin

# `find` is quick for these; each makes the longer words of `secrets.txt` unnecessary to look for.
STEMS = (
    *("pass", "pwd", "pw", "kennwort", "contrase", "mot de", "wachtwoord", "senha", "clave", "mdp"),
    *("hasło", "lösenord", "adgangskode", "salasana", "heslo", "parola", "пароль", "密码"),
    *("パスワード", "비밀번호"),
    *("secret", "token", "key", "credential", "schlüssel", "connection string"),
)


def fold_case(text: str) -> str:
    """The text in lower case, character for character: positions stay what they were."""
    lower = text.lower()
    return lower if len(lower) == len(text) else text.translate(_ASCII_LOWER)


_ASCII_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


def present(text: str, lower: str) -> frozenset[str]:
    """The literals of the table that stand in the text; `LONG` and `BARE` among them where it has
    a run that a token may be, or one that may be a secret without a literal."""
    lists = literals()
    found = {opener for opener in lists["openers"] if opener in lower}
    # A token has no white space in it: two hundred literals are looked for in long words alone. So
    # 387 real notes (1.5 MB) take 0.16 s, and took 0.15 with the 26 kinds before the table.
    words = long_words(text)
    if not words:
        return frozenset(found)
    tokens = "\n".join(words)
    found |= {literal for literal in lists["literals"] if literal in tokens}
    found |= {literal for key in ("folded", "near") for literal in lists[key] if literal in lower}
    # A token has no white space in it: only words of 16 characters that are not spelled as words
    # are looked through (387 real notes in .16 s).
    if max(map(len, words)) >= least_run() and re.search(_BARE, tokens) is not None:
        found.add(BARE)
    if found or any(stem in lower for stem in STEMS):
        found.add(LONG)
    return frozenset(found)


def long_words(text: str) -> list[str]:
    """What a token may stand in: words of `RUN` characters that are not spelled as words are.

    Nine tenths of a note are none, and are not searched for two hundred literals.
    """
    # Asked without a call each: of a list of 1,700 bullets these were a tenth of a `sync`.
    long = (word for word in text.split() if len(word) >= RUN)
    return [word for word in long if not (word.isalpha() and word[1:].islower())]


def is_assigned(lower: str, *, has_run: bool = False) -> bool:
    """Whether a word for a secret is followed by something that may give its value.

    has_run  there is a run of `RUN` characters, which needs no sign before it
    """
    for stem in STEMS:
        at = lower.find(stem)
        if at >= 0 and (has_run or "--" in lower):  # `--password VALUE`
            return True
        while at >= 0:
            behind = lower[at : at + REACH]
            if any(sign in behind for sign in ASSIGNS):
                return True
            at = lower.find(stem, at + REACH)
    return False


@lru_cache(maxsize=1)
def data_file() -> str:
    """The text of the table of kinds."""
    return (Path(__file__).parent / _FILE).read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def literals() -> dict[str, tuple[str, ...]]:
    """What stands in secrets, by the keys of the table: 'literals', 'folded', 'openers', 'near'.

    Read line by line: the table as a whole takes 10 ms to parse, and nearly no text needs more
    than this; `json`, of which such a list is one as well, takes 1.4 ms to import.
    """
    found: dict[str, list[str]] = {key: [] for key in _LISTS}
    for line in data_file().splitlines():
        key, _, value = line.partition(" = ")
        if key in found:
            found[key] += _strings(value)
    return {key: tuple(dict.fromkeys(each)) for key, each in found.items()}


def _strings(told: str) -> list[str]:
    if "\\" not in told:
        return told.split('"')[1::2]
    found, at = [""], told.find('"') + 1
    while at > 0:  # within a string
        if told[at] == "\\":  # only ever before a quotation mark or another one
            found[-1] += told[at + 1]
            at += 2
        elif told[at] == '"':
            at = told.find('"', at + 1) + 1
            found.append("")
        else:
            found[-1] += told[at]
            at += 1
    return found[:-1]


@lru_cache(maxsize=1)
def least_run() -> int:
    """Characters of the shortest secret that has no literal."""
    lines = data_file().splitlines()
    return min(int(line[8:]) for line in lines if line.startswith("least = "))
