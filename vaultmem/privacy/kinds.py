"""The kinds of secret: where each may stand, its pattern, and what makes a match believable.

Patterns follow the published formats of their makers. Each is bounded, begins with a boundary or
a literal, and repeats possessively, so that the time over a text grows with its length only
(tests/privacy/test_time.py tries each on texts made against it).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from vaultmem.frozen import dataclass
from vaultmem.privacy import plausible
from vaultmem.privacy.hints import EXACT, FOLDED

Check = Callable[["re.Match[str]"], bool]

# A token does not begin in the middle of a word; an escape (`\n`, `%3D`) before it is no word.
_START = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2}))"
_END = r"(?![A-Za-z0-9])"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind. The secret is the group `s` of the pattern, or all of it."""

    name: str
    literals: tuple[str, ...]  # one of them stands in, or shortly before, every secret of the kind
    pattern: str
    believable: Check
    in_folded: bool = False  # the literals are to be searched in the folded text
    behind: int = 4  # characters before a literal at which a match may begin
    ahead: int = 300  # characters after a literal at which it must have ended


def _always(found: re.Match[str]) -> bool:
    return True


def _random_tail(found: re.Match[str]) -> bool:
    """The part after the prefix looks drawn."""
    return plausible.is_random(found["t"])


def _github(found: re.Match[str]) -> bool:
    return plausible.is_random(found["t"]) or plausible.has_github_checksum(found[0])


def _web_token(found: re.Match[str]) -> bool:
    return plausible.is_web_token(found[0])


def _aws_secret(found: re.Match[str]) -> bool:
    return plausible.is_aws_secret(found[0])


def _address(found: re.Match[str]) -> bool:
    return plausible.is_address_password(found["s"])


def _header(found: re.Match[str]) -> bool:
    """A long random value; where the name of the header stands before it, less is enough."""
    before = found.string[max(0, found.start() - 24) : found.start()].lower()
    if "authorization" in before:
        return plausible.is_random(found["s"], least_bits=3.0)
    return plausible.is_key(found["s"]) and found["s"].count(".") < 4


def _kind(name: str, pattern: str, believable: Check = _random_tail, **more: int) -> Kind:
    in_folded = name in FOLDED
    return Kind(
        name=name,
        literals=FOLDED[name] if in_folded else EXACT[name],
        pattern=pattern,
        believable=believable,
        in_folded=in_folded,
        behind=more.get("behind", 4),
        ahead=more.get("ahead", 300),
    )


KINDS: tuple[Kind, ...] = (
    _kind(
        "private key",
        r"AGE-SECRET-KEY-1[02-9AC-HJ-NP-Zac-hj-np-z]{58}"
        r"|PuTTY-User-Key-File-[23]:[^\n]{1,80}\n(?:[^\n]{0,200}\n){1,80}?"
        r"Private-MAC: ?[0-9a-f]{40,64}",
        _always,
        ahead=16_000,
    ),
    _kind("aws access key", rf"{_START}A(?:KIA|SIA|BIA|CCA)(?P<t>[A-Z2-7]{{16}}){_END}"),
    _kind(
        "github fine-grained token",
        rf"{_START}github_pat_(?P<t>[A-Za-z0-9]{{22}}_[A-Za-z0-9]{{59}}){_END}",
    ),
    _kind("github token", rf"{_START}gh[pousr]_(?P<t>[A-Za-z0-9]{{36,251}}+){_END}", _github),
    _kind(
        "gitlab token",
        rf"{_START}gl(?:pat|dt|rt|ptt|cbt|ft|soat|agent)-(?P<t>[A-Za-z0-9_-]{{20,64}}+(?:\.[0-9a-z.]{{6,40}}+)?)",
    ),
    _kind(
        "anthropic key",
        rf"{_START}sk-ant-(?:[a-z]{{3,8}}\d\d-)?(?P<t>[A-Za-z0-9_-]{{32,180}}+)",
    ),
    _kind(
        "openai key",
        rf"{_START}sk-(?!ant-)(?:(?:proj|svcacct|admin|None|or-v1)-)?(?P<t>[A-Za-z0-9_-]{{32,250}}+)",
    ),
    _kind("google api key", rf"{_START}AIza(?P<t>[A-Za-z0-9_-]{{35}}){_END}"),
    _kind(
        "google oauth secret",
        rf"{_START}(?:ya29\.(?P<t>[A-Za-z0-9_.-]{{20,250}}+)|GOCSPX-[A-Za-z0-9_-]{{28}}"
        rf"|1//0[A-Za-z0-9_-]{{40,120}}+)",
        lambda found: plausible.is_random(found["t"] or found[0]),
    ),
    _kind(
        "slack token",
        rf"{_START}(?:xox[aboprs]|xoxe(?:\.xox[bp])?|xapp)-(?P<t>[A-Za-z0-9-]{{20,250}}+)",
    ),
    _kind(
        "webhook address",
        r"(?<![A-Za-z0-9.-])hooks\.slack\.com/(?:services|workflows|triggers)/(?P<s>[A-Za-z0-9_/-]{20,120}+)"
        r"|/api/webhooks/(?P<d>\d{15,22}/[A-Za-z0-9_-]{50,90}+)"
        r"|\.webhook\.office\.com/(?P<o>[A-Za-z0-9@/_-]{60,250}+)"
        r"|\.logic\.azure\.com[^\s\"'<>]{10,200}?[?&]sig=(?P<l>[A-Za-z0-9_%-]{30,80}+)",
        lambda found: plausible.is_random(next(filter(None, found.groups()))),
        ahead=320,
    ),
    _kind(
        "stripe key",
        rf"{_START}(?:[spr]k_(?:live|test)_(?P<t>[A-Za-z0-9]{{16,120}}+)|whsec_[A-Za-z0-9+/]{{24,64}}+={{0,2}})",
        lambda found: (
            plausible.is_random(found["t"] or found[0]) and not found[0].startswith("pk_")
        ),
    ),
    _kind("npm token", rf"{_START}npm_(?P<t>[A-Za-z0-9]{{36}}){_END}", _github),
    _kind(
        "pypi token",
        rf"{_START}pypi-AgE(?P<t>[A-Za-z0-9_-]{{50,300}}+)",
        ahead=320,
    ),
    _kind(
        "json web token",
        rf"{_START}eyJ[A-Za-z0-9_-]{{8,1000}}+\.[A-Za-z0-9_-]{{4,6000}}+\.[A-Za-z0-9_-]{{10,1000}}+"
        r"(?:\.[A-Za-z0-9_-]{8,4000}+\.[A-Za-z0-9_-]{8,200}+)?",
        _web_token,
        ahead=13_000,
    ),
    _kind(
        "telegram bot token",
        rf"{_START}\d{{8,10}}:(?P<t>AA[A-Za-z0-9_-]{{33}}){_END}",
        behind=12,
    ),
    _kind("twilio key", rf"{_START}SK(?P<t>[0-9a-f]{{32}}){_END}"),
    _kind(
        "sendgrid key",
        rf"{_START}SG\.(?P<t>[A-Za-z0-9_-]{{22}}\.[A-Za-z0-9_-]{{43}}){_END}",
    ),
    _kind(
        "azure key",
        r"(?i)(?:accountkey|sharedaccesskey)=(?P<s>[A-Za-z0-9+/]{43,86}+={0,2})"
        r"|[?&]sig=(?P<g>[A-Za-z0-9+/%]{40,120}+={0,2})",
        lambda found: plausible.is_random(found["s"] or found["g"], least_bits=3.5),
    ),
    _kind(
        "hugging face token",
        rf"{_START}(?:hf|api_org)_(?P<t>[A-Za-z]{{34}}|[A-Za-z0-9]{{34}}){_END}",
    ),
    _kind("digitalocean token", rf"{_START}do[opr]_v1_(?P<t>[0-9a-f]{{64}}){_END}"),
    _kind(
        "service token",
        rf"{_START}(?:gsk_|xai-|pplx-|r8_|lin_api_|ntn_|secret_|glc_|sntrys_|PMAK-|rubygems_"
        rf"|dp\.pt\.|hvs\.|sq0(?:atp|csp)-|shp(?:at|ca|pa|ss)_|dapi(?=[0-9a-f]{{32}})"
        rf"|key-(?=[0-9a-f]{{32}}{_END}))(?P<t>[A-Za-z0-9_=-]{{22,250}}+)",
        lambda found: (
            plausible.is_random(found["t"], least_bits=3.0) and any(c.isdigit() for c in found["t"])
        ),
    ),
    _kind(
        "aws secret key",
        r"(?<![A-Za-z0-9+/=_.-])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=_-])"
        r"|(?<==)[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=_-])",
        _aws_secret,
        behind=0,
        ahead=140,
    ),
    _kind(
        "authorization header",
        r"(?i)(?<![a-z])(?:bearer|basic)\s{1,3}(?P<s>[A-Za-z0-9+/._~-]{16,2000}+={0,2})",
        _header,
        ahead=2100,
    ),
    _kind(
        "password in an address",
        r"""(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,20}+://[^\s/:@'"<>`]{0,80}+"""
        r""":(?P<s>[^\s/@'"<>`]{3,200}+)@[A-Za-z0-9.\[$_-]""",
        _address,
        behind=24,
        ahead=320,
    ),
)


@lru_cache(maxsize=64)
def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern, compiled once, when the first text needs it."""
    return re.compile(pattern)
