"""Find personal data that has a shape: mail addresses, phone, card, account and national numbers.

Check digits decide wherever a number has them; where they say little (a Dutch BSN passes one time
in eleven) the number's name must stand before it. Names of people have no shape and stay.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from vaultmem.base.records import dataclass
from vaultmem.privacy.digits import (
    is_bsn,
    is_card,
    is_codice_fiscale,
    is_dni,
    is_german_tax_id,
    is_iban,
    is_nir,
    is_pesel,
)
from vaultmem.privacy.secrets import windows

IBAN_LENGTHS = (
    "AD24 AE23 AT20 BE16 BG22 CH21 CY28 CZ24 DE22 DK18 EE20 ES24 FI18 FR27 GB22 GR27 HR21 HU28 "
    "IE22 IL23 IS26 IT27 LI21 LT20 LU20 LV21 MC27 MT31 NL18 NO15 PL28 PT25 RO24 SA24 SE24 SI19 "
    "SK24 SM27 TR26 UA29"
)
_EMAIL = (
    r"(?<![\w.%+'-])[\w.%+'-]{1,64}+@(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,5}"
    r"(?P<end>[^\W\d_]{2,24})(?![\w@]|-\w)"
)
# What follows an `@` in a file name or a package, and senders that are no person.
_NOT_TOP_LEVEL = frozenset(["png", "jpg", "jpeg", "gif", "svg", "webp", "md", "js", "css", "py"])
_NOT_A_PERSON = frozenset(["git", "noreply", "no-reply"])
_CARD = r"(?<![\w.,+-])\d(?:[ -]?\d){12,18}(?![\w-]|[.,]\d)"
_IBAN = r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?= ?[A-Z0-9])"
_INTERNATIONAL = (
    r"(?<!\d[ -])(?<![\w+.])(?:\+|00(?=[1-9]\d?[ /-]))[1-9]\d{0,2}[ .-]?(?:\(0?\d{0,4}\)[ .-]?)?"
    r"\d(?:[ ./-]?\d){5,12}(?!\d|[.,]\d)"
)
_NORTH_AMERICAN = (
    r"(?<!\d[ -])(?<![\w.+/-])(?:1[ .-])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[ .-])"
    r"[2-9]\d{2}[ .-]\d{4}(?![\w-]|\.\d)"
)
_NATIONAL = r"(?<!\d[ /-])(?<![\w.,/+-])\(?0[1-9]\d{0,4}\)?(?:[ /-]\d{2,8}){1,5}(?![\w/-]|[.,:]\d)"
_TOGETHER = r"(?<!\d[ /-])(?<![\w.,/+-])0[1-9]\d{8,9}(?![\w/-]|[.,:]\d)"
_DATE = re.compile(r"\d{1,2}([-/ ])\d{1,2}\1(?:19|20)\d\d\b|\d{1,2}([-/])\d{1,2}\2\d\d\b")
_SSN = r"(?<![\w-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])"
_NINO = (
    r"(?<!\w)(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?"
    r"[A-D](?!\w)"
)
_DNI = r"(?<![\w.-])(?:\d{8}|[XYZ]-?\d{7})[- ]?[A-HJ-NP-TV-Z](?!\w)"
_NIR = r"(?<![\w.-])[12] ?\d{2} ?\d{2} ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}(?![\w-])"
_FISCALE = r"(?<!\w)[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z](?!\w)"
_ELEVEN = r"(?<![\w.,/-])\d{2} ?\d{3} ?\d{3} ?\d{3}(?![\w-]|[.,]\d)"
_NINE = r"(?<![\w,/-])\d{4}\.?\d{2}\.?\d{3}(?![\w-]|[.,]\d)"
_NEAR = 48  # characters before a number in which its name may stand
_GERMAN = ("steuer", "idnr", "tax id", "tin")
_DUTCH = ("bsn", "burgerservice", "sofi")
_POLISH = ("pesel",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Personal:
    """One piece of personal data; `value` is the same for every way to write it."""

    kind: str  # email, phone, card, account, id
    start: int
    end: int
    value: str


def find_personal(text: str) -> tuple[Personal, ...]:
    """Personal data by place, not overlapping; what has check digits goes before what has none."""
    found: list[Personal] = []
    if "@" in text:
        found += _emails(text)
    if compiled(r"\d{2}").search(text):
        found += _accounts(text)
        for kind, pattern, accept in _NUMBERS:
            found += [
                Personal(kind=kind, start=each.start(), end=each.end(), value=_plain(each[0]))
                for each in compiled(pattern).finditer(text)
                if accept(each)
            ]
    kept: list[Personal] = []
    end = 0
    # Stable: of two that begin together, the one that was found first is the surer one.
    for one in sorted(_without_overlap(found), key=lambda each: each.start):
        if one.start >= end:
            kept.append(one)
            end = one.end
    return tuple(kept)


def _without_overlap(found: list[Personal]) -> Iterator[Personal]:
    """Those that no surer one (found earlier) overlaps."""
    taken: set[int] = set()
    for one in found:
        span = range(one.start, one.end)
        if taken.isdisjoint(span):
            taken.update(span)
            yield one


def _emails(text: str) -> Iterator[Personal]:
    for begin, stop in windows(("@",), text, behind=66, ahead=330):
        for found in compiled(_EMAIL).finditer(text, begin, stop):
            who = found[0].split("@", 1)[0].lower()
            if found["end"].lower() in _NOT_TOP_LEVEL or who in _NOT_A_PERSON:
                continue
            start = found.start() + len(found[0]) - len(found[0].lstrip("'%.-"))
            yield Personal(
                kind="email", start=start, end=found.end(), value=text[start : found.end()].lower()
            )


def _accounts(text: str) -> Iterator[Personal]:
    """IBANs: so many characters as the country has, single spaces not counted."""
    lengths = _iban_lengths()
    for found in compiled(_IBAN).finditer(text):
        wanted = lengths.get(found[0][:2], 0)
        rest = compiled(r"(?: ?[A-Z0-9])*").match(text, found.end(), found.start() + 48)
        at, plain = found.end(), found[0]
        while rest is not None and len(plain) < wanted and at < rest.end():
            plain += text[at].strip()
            at += 1
        if wanted and len(plain) == wanted and is_iban(plain) and not text[at : at + 1].isalnum():
            yield Personal(kind="account", start=found.start(), end=at, value=plain)


@lru_cache(maxsize=1)
def _iban_lengths() -> dict[str, int]:
    return {each[:2]: int(each[2:]) for each in IBAN_LENGTHS.split()}


def _plain(written: str) -> str:
    """Digits and letters only; a leading plus counts, and `00` is one."""
    plain = "".join(c for c in written.replace("(0)", "") if c.isalnum())
    if written.startswith("00"):
        return "+" + plain[2:]
    return "+" + plain if written.startswith("+") else plain


def _checked(check: Callable[[str], bool]) -> Callable[[re.Match[str]], bool]:
    return lambda found: check(_plain(found[0]))


def _named(check: Callable[[str], bool], names: tuple[str, ...]) -> Callable[[re.Match[str]], bool]:
    def accept(found: re.Match[str]) -> bool:
        before = found.string[max(0, found.start() - _NEAR) : found.start()].lower()
        return any(name in before for name in names) and check(_plain(found[0]))

    return accept


def _is_shaped(found: re.Match[str]) -> bool:
    return True


def _is_phone(found: re.Match[str]) -> bool:
    """As many digits as a phone number has, and no date."""
    digits = sum(c.isdigit() for c in found[0])
    return 9 <= digits <= 12 and _DATE.match(found[0]) is None


def _is_international(found: re.Match[str]) -> bool:
    return 8 <= sum(c.isdigit() for c in found[0]) <= 17


_NUMBERS: tuple[tuple[str, str, Callable[[re.Match[str]], bool]], ...] = (
    ("card", _CARD, _checked(is_card)),
    ("id", _NIR, _checked(is_nir)),
    ("id", _FISCALE, _checked(is_codice_fiscale)),
    ("id", _DNI, _checked(is_dni)),
    ("id", _NINO, _is_shaped),
    ("id", _SSN, _is_shaped),
    ("id", _ELEVEN, _named(is_german_tax_id, _GERMAN)),
    ("id", _ELEVEN, _named(is_pesel, _POLISH)),
    ("id", _NINE, _named(is_bsn, _DUTCH)),
    ("phone", _INTERNATIONAL, _is_international),
    ("phone", _NORTH_AMERICAN, _is_shaped),
    ("phone", _NATIONAL, _is_phone),
    ("phone", _TOGETHER, _is_phone),
)


@lru_cache(maxsize=32)
def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern, compiled once."""
    return re.compile(pattern)
