"""The kinds of secret as `detectors.toml` describes them, and what makes a match believable.

Each pattern is bounded, begins with a boundary or a literal, and repeats possessively, so that
the time over a text grows with its length only (tests/privacy/test_published.py tries each on
texts made against it).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from math import log2

from vaultmem.base import Any, dataclass
from vaultmem.language import phrases
from vaultmem.privacy.hints import REACH, data_file

# Whether a string of the right shape is a secret, or a placeholder, a hash, a name, an image.
#
# Shape alone flags documentation: `sk-your-key-here`, `AKIAIOSFODNN7EXAMPLE`, `password: ${PW}`.
# Secrets are drawn at random, so what repeats, counts up or reads as words is let through.

# A base64 run this long is data (an image, an attachment), and what looks like a token in it is
# chance: no format of the table comes near, private keys have marks of their own.
BLOB = 200
_ENOUGH = 64  # characters that show how the rest was made
_BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
_FILLING = """
    example placeholder xxxx **** .... redacted removed dummy changeme change-me change_me
    insert abcdef 123456789
"""
_FILLERS = tuple(_FILLING.split())
# Short ones count where a word begins: in 3,000 drawn characters one stands by chance once in 300.
_SHORT_FILLER = r"(?i)(?<![A-Za-z0-9])(?:your|todo)"
_CODE = re.compile(
    r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|[A-Za-z_][\w.]*\(.*|[A-Za-z_]\w*\[.*|[A-Za-z_]\w*(?:::|->).*"
)
_PLAIN = re.compile(
    r"\d{4}-\d\d?-\d\d?.*|\d{1,2}[./]\d{1,2}[./]\d{2,4}|v?\d+(?:\.\d+)+|\d+[a-z%]{1,2}"
    r"|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"  # UUID
    r"|[ir]-[0-9a-z]{10,12}"  # ids of this program
)
_STAND_INS = """
    password passwd passphrase pass pwd secret token user username null none true false undefined
    string text required optional hidden value default env test
"""
_NAMES = frozenset(_STAND_INS.split())


def bits(text: str) -> float:
    """Shannon entropy of the characters, in bits each; 0 for an empty text."""
    size = len(text)
    return -sum(n / size * log2(n / size) for n in Counter(text).values()) if size else 0.0


def is_filler(text: str) -> bool:
    """Whether it says of itself that it is no secret, or counts up, or repeats itself."""
    lower = text.lower()
    if any(word in lower for word in _FILLERS) or re.search(_SHORT_FILLER, text):
        return True
    steps = sum(ord(b) - ord(a) in (0, 1) for a, b in pairwise(text))
    return steps * 2 > len(text)


def is_random(text: str, *, least_bits: float = 2.5) -> bool:
    """Whether the characters look drawn: the tail of a token.

    least_bits  random text of 16 characters out of 32 has 3.5 on average and 2.9 at the least
    """
    head = text[:_ENOUGH]
    return bits(head) >= least_bits and not is_filler(head)


def is_in_blob(text: str, start: int, end: int) -> bool:
    """Whether base64 runs on for `BLOB` characters before or behind the span."""
    before = text[max(0, start - BLOB) : start]
    if len(before) == BLOB and not before.strip(_BASE64):
        return True
    behind = text[end : end + BLOB]
    return len(behind) == BLOB and not behind.strip(_BASE64)


def is_password(value: str, *, quoted: bool) -> bool:
    """Whether a value after `password:` is one, and not a word of the sentence or of a program."""
    if len(value) < 6 or _is_harmless(value):
        return False
    if value.isdigit():
        return True
    letters = any(c.isalpha() for c in value)
    digits = any(c.isdigit() for c in value)
    signs = any(not c.isalnum() and c not in "-_./:'’,()" for c in value)
    if letters + digits + signs >= 2:
        return True
    mixed = value != value.lower() and value[1:] != value[1:].lower()
    return quoted and letters and mixed and len(value) >= 8


def is_key(value: str) -> bool:
    """Whether a value after `token:` or `api_key =` is one: long, drawn at random."""
    if len(value) < 16 or _is_harmless(value) or not value.isascii():
        return False
    if not (any(c.isdigit() for c in value) and any(c.isalpha() for c in value)):
        return False
    # A path has words between its strokes; of base64, every 64th character is one.
    return is_random(value, least_bits=3.0) and value.count("/") <= 3 + len(value) // 24


def is_address_password(value: str) -> bool:
    """Whether `user:VALUE@host` holds a password."""
    if len(value) < 3 or value[0] in "$<{[" or value.lower() in _NAMES or not value.strip("*.x…"):
        return False
    return not is_filler(value) and _CODE.fullmatch(value) is None


def is_aws_secret(value: str) -> bool:
    """Forty characters of base64 with capitals, small letters and digits: not a git id."""
    kinds = (str.isupper, str.islower, str.isdigit)
    return (
        all(any(map(kind, value)) for kind in kinds)
        and value.count("/") <= 4
        and is_random(value, least_bits=4.1)
        and not _reads_as_words(value)
    )


def _reads_as_words(value: str) -> bool:
    """Whether half of it is words as names in code have them: `getUserById`, `lib/parser/index`.

    A run of four small letters or more is one; of drawn base64 one character in eight is in such
    a run, and of 20,000 drawn keys none had half.
    """
    return 2 * sum(map(len, re.findall(r"[a-z]{4,}", value))) >= len(value)


def is_login(value: str) -> bool:
    """Whether base64 holds `name:password`, as `auth` of Docker and `_auth` of npm do."""
    plain = _decode_base64(value)
    name, colon, password = plain.partition(b":")
    return bool(name and colon and len(password) >= 3) and plain.isascii() and b"\0" not in plain


def is_number(value: str) -> bool:
    """Whether base64 holds a decimal number of 15 digits or more."""
    plain = _decode_base64(value)
    return len(plain) >= 15 and plain.isdigit()


def _decode_base64(value: str) -> bytes:
    """Bytes of base64, also of the spelling for addresses; empty for anything else."""
    import binascii

    bare = value.rstrip("=")
    try:
        return binascii.a2b_base64(
            bare.replace("-", "+").replace("_", "/") + "=" * (-len(bare) % 4)
        )
    except binascii.Error:
        return b""


def is_web_token(value: str) -> bool:
    """Whether the first part is a JSON object that names an algorithm, as RFC 7519 wants."""
    import binascii

    head = value.split(".", 1)[0]
    head = head[: len(head) // 4 * 4] if len(head) % 4 == 1 else head + "=" * (-len(head) % 4)
    try:
        header = binascii.a2b_base64(head.replace("-", "+").replace("_", "/"))
    except binascii.Error:
        return False
    return header.startswith(b"{") and (b'"alg"' in header or b'"enc"' in header)


def has_github_checksum(value: str) -> bool:
    """Whether the last six characters are the CRC-32 of those before, in base 62."""
    from binascii import crc32

    body = value.split("_", 1)[1]
    rest, spelled = crc32(body[:-6].encode()), ""
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    while rest:
        rest, digit = divmod(rest, 62)
        spelled = digits[digit] + spelled
    return spelled.rjust(6, "0") == body[-6:]


def _is_drawn(value: str) -> bool:
    """Whether it is base64 that may begin with a stroke, and not a path."""
    # Of 15,000 drawn values 14 were missed: base64 that begins with a stroke was taken for a path,
    # and 'your' and 'todo' stand by chance in long ones.
    is_base64 = len(value) >= 40 and not value.strip(_BASE64)
    return is_base64 and bits(value[:_ENOUGH]) >= 4.3 and not _reads_as_words(value)


def _is_harmless(value: str) -> bool:
    """Placeholders, references, code, paths, dates, versions, ids."""
    if value[0] == value[-1] == "%":
        return True
    # Base64 that begins with a stroke was taken for a path, and so let through: with fillers that
    # stand in long values by chance, 14 of 15,000 drawn values; 9 now, nearly all without a digit.
    if value[0] == "/" and not _is_drawn(value):
        return True
    if value[0] in "$<{[(\\|#=" or value.startswith(("[[", "http", "~/", "./", "//", "![")):
        return True
    lower = value.lower()
    if lower in _NAMES or "://" in value or "{{" in value or "${" in value or "]]" in value:
        return True
    if any(word in lower for word in ("example", "placeholder", "xxxx", "****", "redact")):
        return True
    if re.search(_SHORT_FILLER, value[:_ENOUGH]):
        return True
    if lower.startswith(("changeme", "change-me", "change_me", "[secret", "process.env", "os.env")):
        return True
    return _CODE.fullmatch(value) is not None or _PLAIN.fullmatch(value) is not None


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
    # Reading the table takes 10 ms, so only a text in which a literal stands pays for it: `hints`
    # reads the lists of literals by themselves, in 0.4 ms.
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
def compile_cached(pattern: str) -> re.Pattern[str]:
    """The pattern, compiled once, when the first text needs it."""
    return re.compile(pattern)


def secret_part(found: re.Match[str]) -> tuple[int, int]:
    """The group that holds the secret; a tail goes together with its prefix."""
    named = [name for name, value in found.groupdict().items() if value is not None]
    inner = next((name for name in named if name not in (*TAILS, *ASIDE)), None)
    return found.span(inner) if inner is not None else found.span()


def _random_part(found: re.Match[str]) -> str:
    """What was drawn at random: the tail, or else the secret."""
    groups = found.groupdict()
    tail = next((groups[name] for name in TAILS if groups.get(name)), None)
    if tail is not None:
        return tail
    start, end = secret_part(found)
    return found.string[start:end]


def _any(found: re.Match[str], bits: float) -> bool:
    return not is_filler(_random_part(found)[:64])


def _random(found: re.Match[str], bits: float) -> bool:
    return is_random(_random_part(found), least_bits=bits)


def _is_mixed(found: re.Match[str], bits: float) -> bool:
    """Random, with letters and digits: words that hyphens join have no digits."""
    drawn = _random_part(found)
    is_mixed = all(any(map(kind, drawn)) for kind in _KINDS_OF_CHARACTERS)
    return is_mixed and is_random(drawn, least_bits=bits)


def _github(found: re.Match[str], bits: float) -> bool:
    return _random(found, bits) or has_github_checksum(found[0])


def _login(found: re.Match[str], bits: float) -> bool:
    """In a file for netrc whatever stands there; in a sentence what looks like a password."""
    before = found.string[max(0, found.start() - 200) : found.start()].lower()
    if re.search(r"(?<![a-z])(?:machine\s{1,9}\S+|default)\s{1,40}$", before):
        return is_address_password(found["s"])
    return is_password(found["s"], quoted=False)


def _command(found: re.Match[str], bits: float) -> bool:
    """`-u name:password` of curl and its like; elsewhere (`docker run -u 1000:1000`) it is none."""
    start, end = secret_part(found)
    value = found.string[start:end]
    if value.isdigit() and (found["q"] or found["p"] or "").isdigit():
        return False
    line = found.string[max(0, found.start() - 200) : found.end() + 200].lower()
    is_web = any(word in line for word in ("curl", "wget", "http", "ab -"))
    return is_web and is_address_password(value) and "://" not in value


def _password(found: re.Match[str], bits: float) -> bool:
    value = found["s"]
    return is_password(value, quoted=False) and not value.startswith("-")


def _discord(found: re.Match[str], bits: float) -> bool:
    """The first part is the number of an account in base64."""
    return is_number(found["t"].partition(".")[0]) and _random(found, bits)


def _dropbox(found: re.Match[str], bits: float) -> bool:
    return "AAAAAAAAAA" in found["t"] or _is_mixed(found, 3.0)


def _header(found: re.Match[str], bits: float) -> bool:
    """A long random value; where the name of the header stands before it, less is enough."""
    before = found.string[max(0, found.start() - 24) : found.start()].lower()
    if "authorization" in before:
        return is_random(found["s"], least_bits=3.0)
    return is_key(found["s"]) and found["s"].count(".") < 4


CHECKS: dict[str, Check] = {
    "any": _any,
    "random": _random,
    "mixed": _is_mixed,
    "github": _github,
    "web token": lambda found, _: is_web_token(found[0]),
    "aws secret": lambda found, _: is_aws_secret(found[0]),
    "key": lambda found, _: is_key(found["s"]),
    "address": lambda found, _: is_address_password(found["s"]),
    "login": _login,
    "command": _command,
    "password": _password,
    "docker": lambda found, _: is_login(found["s"]),
    "discord": _discord,
    "dropbox": _dropbox,
    "header": _header,
}

ASSIGNMENT = "password or key"
BEHIND = 24  # from a stem back to where its word begins
AHEAD = REACH + 40
_SAID = phrases("secrets")
_STRONG = frozenset(_SAID["strong"])
WORDS = (*_SAID["strong"], *_SAID["weak"])
_WORD = "|".join(sorted(map(re.escape, WORDS), key=len, reverse=True))
# What stands behind such a word where it names something about the secret: `token_count`,
# `password_policy`.
_SUFFIXES = """
    file path name id ids url uri count counts length len size type hint policy field expiry expires
    expiration ttl limit min max reset manager hash budget usage per s
"""
_SHORT = ("pass", "pwd", "pw", "mdp", "clave")  # which end other words: `compass:`, `enclave:`
_NOT_A_SECRET = frozenset(_SUFFIXES.split())
_SIGNS = ":=|=>|==|=|:|："
_SAYS = "is|was|ist|war|lautet|est|es|é|è|to"
_PATTERN = (
    rf"(--(?:[a-z]{{1,16}}+-){{0,3}}?)?({_WORD})([_-]?\w{{1,24}}+)?"
    # 'Das Passwort fürs WLAN ist ...' was kept: such words run into their articles. So was '... for
    # the wifi is ...': of two words the second was taken for the value.
    r"(?:\s(?:for|of|to|on|at|von|vom|für|fürs|zum|zur|beim|am|im|des|der|de|del|du|da|do|della|di"
    r"|per|para|pour|por|voor|van|bij)\s[^\n.:=]{1,30}?"
    rf"(?=[\"'`*_\])]{{0,6}}(?:\s{{0,3}}(?:{_SIGNS})|\s(?:{_SAYS})(?::|\s))))?"
    r"""["'`*_\])\\]{0,6}+"""
    rf"(?:\s{{0,3}}({_SIGNS})|\s({_SAYS})(?::|(?=\s))|\s|(?=[\"'`]))"
    r"[\s*_\\]{0,6}+(?=\S)"
)
_CLOSES = {'"': '"', "'": "'", "`": "`", "“": "”", "„": "“", "«": "»", "‘": "’"}
_RUN = re.compile(r"\S{1,20000}+")
LONGEST = 20_000  # characters of a value: session tokens have thousands
_SIGNLESS = 20  # characters of a value that stands after its word without any sign
# What ends a value without quotes in an address, in JSON, in HTML.
_TAIL = re.compile(r"&(?=\w{1,40}=)|\\[nrt]|<|\\?[\"'](?=[,}\])\s:]|$)")
_CLOSING = "\"'`,;.)]}>*|”»"


def assignments(
    text: str, lower: str, around: Iterable[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """(start, end) of every value that is believable as a secret.

    lower   the text in lower case, character for character
    around  spans of the text to look at: `BEHIND` and `AHEAD` of the words
    """
    pattern, values = compile_cached(_PATTERN), _Values(text)
    for begin, stop in around:
        at = begin
        while (found := pattern.search(lower, at, stop)) is not None:
            at = found.end()
            if not _is_name_of_secret(text, found):
                continue
            start, end, is_quoted = values.at(found.end())
            if start < end and _is_secret(text, found, text[start:end], quoted=is_quoted):
                yield start, end
                at = end
            elif end - start > BEHIND and not is_quoted:
                at = end  # `key=key=key=`: a run is looked at once


class _Values:
    """Values of one text: what stands in quotes, or up to the next white space.

    Remembers where the last run and the last quotes ended, so that ten thousand words before one
    long run take the time of one.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._ends: dict[str, int] = {}  # closing quote -> where the next one is
        self._line = -1  # where the line ends that was looked at last

    def at(self, begin: int) -> tuple[int, int, bool]:
        """(start, end, whether it is in quotes) of the value that begins here."""
        text = self._text
        close = _CLOSES.get(text[begin])
        if close is not None:
            end = self._closing(close, begin + 1)
            if 0 < end - begin - 1 <= LONGEST:
                value = text[begin + 1 : end].rstrip("\\")
                return begin + 1, begin + 1 + len(value), True
            begin += 1
        run = _RUN.match(text, begin)
        if run is None:
            return begin, begin, False
        value = _TAIL.split(run[0], maxsplit=1)[0].rstrip(_CLOSING)
        return begin, begin + len(value), False

    def _closing(self, close: str, begin: int) -> int:
        """Where the next such quote of this line is; -1 if there is none."""
        text = self._text
        if self._line < begin:
            self._line = text.find("\n", begin)
            self._line = len(text) if self._line < 0 else self._line
        if self._ends.get(close, -1) < begin:
            end = text.find(close, begin)
            while end > 0 and text[end - 1] == "\\" and text[begin - 2 : begin - 1] != "\\":
                end = text.find(close, end + 1)
            self._ends[close] = len(text) if end < 0 else end
        end = self._ends[close]
        return end if end < self._line else -1


def _is_name_of_secret(text: str, found: re.Match[str]) -> bool:
    """Whether the word is one of its own, and names a secret and not something about it."""
    word, suffix = found[2], found[3] or ""
    if not _begins_word(text, found.start(2), word):
        return False
    if suffix and not (suffix[0] in "_-" or text[found.start(3)].isupper()):
        return False  # secretary, tokens, keyboard
    return re.split(r"[_-]", suffix.lstrip("_-"))[0] not in _NOT_A_SECRET


def _is_secret(text: str, found: re.Match[str], value: str, *, quoted: bool) -> bool:
    is_strong = found[2] in _STRONG
    if not (found[4] or found[5]) and not (found[1] and text[found.end() - 1].isspace()):
        if quoted and is_strong:
            return is_password(value, quoted=False) and " " not in value
        return len(value) >= _SIGNLESS and is_key(value) and is_random(value, least_bits=3.4)
    return is_password(value, quoted=quoted) if is_strong else is_key(value)


def _begins_word(text: str, start: int, word: str) -> bool:
    """Whether it is a word of its own: `compass:` and `bypass =` are none, `dbPass` is."""
    if word not in _SHORT or start == 0 or not text[start - 1].isalpha():
        return True
    return text[start].isupper() and text[start - 1].islower()
