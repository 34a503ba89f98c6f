"""The kinds of secret as `detectors.toml` describes them, and what makes a match believable.

Each pattern is bounded, begins with a boundary or a literal, and repeats possessively, so that
the time over a text grows with its length only (tests/privacy/test_time.py tries each on texts
made against it).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from vaultmem.base.records import dataclass
from vaultmem.privacy import plausible
from vaultmem.privacy.hints import data_file

Check = Callable[["re.Match[str]", float], bool]

# A token does not begin in the middle of a word; an escape (`\n`, `%3D`) before it is no word.
_START = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2}))"
_END = r"(?![A-Za-z0-9])"
TAILS = ("t", "v", "w")  # groups of what is drawn; they are cut together with their prefix
ASIDE = ("p", "q")  # groups that are looked at and not cut
NEARBY = 80  # characters before a secret within which a word of `near` stands
_INTRODUCES = re.compile(r"[:=]|key|token|secret|\bpat\b|auth|\bapi|credential|passw|dsn|schl[uü]s")
_KINDS_OF_CHARACTERS = (str.isdigit, str.isalpha)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One entry of the table; the fields are explained at its head."""

    name: str
    literals: tuple[str, ...]
    is_folded: bool  # the literals are searched in the folded text
    near: tuple[str, ...]
    least: int  # 0: it has literals
    pattern: str
    check: str
    bits: float
    behind: int
    ahead: int

    def is_believable(self, found: re.Match[str], lower: str) -> bool:
        """Whether this match of the pattern is a secret.

        lower  the searched text in lower case, character for character
        """
        if self.near and not self._is_introduced(lower, found.start()):
            return False
        return CHECKS[self.check](found, self.bits)

    def _is_introduced(self, lower: str, start: int) -> bool:
        begin = max(0, start - NEARBY)
        at = max(_last_word(lower, word, begin, start) for word in self.near)
        return at >= 0 and _INTRODUCES.search(lower, at, start) is not None


def _last_word(lower: str, word: str, begin: int, end: int) -> int:
    """Where the word stands last as one of its own (`cohere` is not in `coherent`); -1: nowhere."""
    at = lower.rfind(word, begin, end)
    while at >= 0:
        after = at + len(word)
        if not (at and lower[at - 1].isalpha()) and not lower[after : after + 1].isalpha():
            return at
        at = lower.rfind(word, begin, at)
    return -1


@lru_cache(maxsize=1)
def kinds() -> tuple[Kind, ...]:
    """The table, the most special kinds first."""
    import tomllib

    return tuple(map(_kind, tomllib.loads(data_file())["kind"]))


def _kind(entry: dict[str, Any]) -> Kind:
    near = tuple(entry.get("near", ()))
    folded = (*entry.get("folded", ()), *entry.get("openers", ()), *near)
    pattern = entry["pattern"]
    return Kind(
        name=entry["name"],
        literals=folded or tuple(entry.get("literals", ())),
        is_folded=bool(folded),
        near=near,
        least=entry.get("least", 0),
        pattern=pattern if entry.get("bare") else f"{_START}(?:{pattern}){_END}",
        check=entry.get("check", "random"),
        bits=entry.get("bits", 2.5),
        behind=entry.get("behind", 4),
        ahead=entry.get("ahead", 600 if not near else NEARBY + 90),
    )


@lru_cache(maxsize=256)
def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern, compiled once, when the first text needs it."""
    return re.compile(pattern)


def secret_part(found: re.Match[str]) -> tuple[int, int]:
    """The group that holds the secret; a tail goes together with its prefix."""
    named = [name for name, value in found.groupdict().items() if value is not None]
    inner = next((name for name in named if name not in (*TAILS, *ASIDE)), None)
    return found.span(inner) if inner is not None else found.span()


def _drawn(found: re.Match[str]) -> str:
    """What was drawn at random: the tail, or else the secret."""
    groups = found.groupdict()
    tail = next((groups[name] for name in TAILS if groups.get(name)), None)
    if tail is not None:
        return tail
    start, end = secret_part(found)
    return found.string[start:end]


def _any(found: re.Match[str], bits: float) -> bool:
    return not plausible.is_filler(_drawn(found)[:64])


def _random(found: re.Match[str], bits: float) -> bool:
    return plausible.is_random(_drawn(found), least_bits=bits)


def _mixed(found: re.Match[str], bits: float) -> bool:
    """Random, with letters and digits: words that hyphens join have no digits."""
    drawn = _drawn(found)
    is_mixed = all(any(map(kind, drawn)) for kind in _KINDS_OF_CHARACTERS)
    return is_mixed and plausible.is_random(drawn, least_bits=bits)


def _github(found: re.Match[str], bits: float) -> bool:
    return _random(found, bits) or plausible.has_github_checksum(found[0])


def _web_token(found: re.Match[str], bits: float) -> bool:
    return plausible.is_web_token(found[0])


def _aws_secret(found: re.Match[str], bits: float) -> bool:
    return plausible.is_aws_secret(found[0])


def _key(found: re.Match[str], bits: float) -> bool:
    return plausible.is_key(found["s"])


def _address(found: re.Match[str], bits: float) -> bool:
    return plausible.is_address_password(found["s"])


def _login(found: re.Match[str], bits: float) -> bool:
    """In a file for netrc whatever stands there; in a sentence what looks like a password."""
    before = found.string[max(0, found.start() - 200) : found.start()].lower()
    if re.search(r"(?<![a-z])(?:machine\s{1,9}\S+|default)\s{1,40}$", before):
        return plausible.is_address_password(found["s"])
    return plausible.is_password(found["s"], quoted=False)


def _command(found: re.Match[str], bits: float) -> bool:
    """`-u name:password` of curl and its like; elsewhere (`docker run -u 1000:1000`) it is none."""
    start, end = secret_part(found)
    value = found.string[start:end]
    if value.isdigit() and (found["q"] or found["p"] or "").isdigit():
        return False
    line = found.string[max(0, found.start() - 200) : found.end() + 200].lower()
    is_web = any(word in line for word in ("curl", "wget", "http", "ab -"))
    return is_web and plausible.is_address_password(value) and "://" not in value


def _password(found: re.Match[str], bits: float) -> bool:
    value = found["s"]
    return plausible.is_password(value, quoted=False) and not value.startswith("-")


def _docker(found: re.Match[str], bits: float) -> bool:
    return plausible.is_login(found["s"])


def _discord(found: re.Match[str], bits: float) -> bool:
    """The first part is the number of an account in base64."""
    return plausible.is_number(found["t"].partition(".")[0]) and _random(found, bits)


def _dropbox(found: re.Match[str], bits: float) -> bool:
    return "AAAAAAAAAA" in found["t"] or _mixed(found, 3.0)


def _header(found: re.Match[str], bits: float) -> bool:
    """A long random value; where the name of the header stands before it, less is enough."""
    before = found.string[max(0, found.start() - 24) : found.start()].lower()
    if "authorization" in before:
        return plausible.is_random(found["s"], least_bits=3.0)
    return plausible.is_key(found["s"]) and found["s"].count(".") < 4


CHECKS: dict[str, Check] = {
    "any": _any,
    "random": _random,
    "mixed": _mixed,
    "github": _github,
    "web token": _web_token,
    "aws secret": _aws_secret,
    "key": _key,
    "address": _address,
    "login": _login,
    "command": _command,
    "password": _password,
    "docker": _docker,
    "discord": _discord,
    "dropbox": _dropbox,
    "header": _header,
}
