"""Find personal data that has a shape, by form and check digits, and give it stable placeholders.

Check digits decide wherever a number has them; where they say little (a Dutch BSN passes one time
in eleven) the number's name must stand before it. Names of people have no shape and stay.
"""

from __future__ import annotations

import hmac
import os
import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from vaultmem.base import DiskError, dataclass
from vaultmem.config import person_file
from vaultmem.model import base32
from vaultmem.privacy.secrets import windows

# --- check digits; all take digits and capitals only ---

# First digits of the card schemes in use; a random number passes Luhn one time in ten.
_CARDS = ("4", "51", "52", "53", "54", "55", "34", "37", "6011", "65", "35", "30", "36", "38", "62")
_DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
_ODD_FISCALE = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22)
_ODD_FISCALE_REST = (25, 24, 23)


def luhn(digits: str) -> bool:
    """ISO/IEC 7812-1, annex B."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + place % 2)
        total += value - 9 * (value > 9)
    return total % 10 == 0


def is_card(digits: str) -> bool:
    """13 to 19 digits of a known scheme (2221 to 2720 is Mastercard too) that pass Luhn."""
    known = digits.startswith(_CARDS) or 2221 <= int(digits[:4]) <= 2720
    return known and len(set(digits)) > 1 and luhn(digits)


def is_iban(text: str) -> bool:
    """ISO 13616: the number modulo 97 is 1 when the first four characters stand last."""
    moved = text[4:] + text[:4]
    return int("".join(str(int(c, 36)) for c in moved)) % 97 == 1


def is_dni(text: str) -> bool:
    """Spanish DNI and NIE: the letter is the number modulo 23."""
    number = text[:-1].replace("X", "0").replace("Y", "1").replace("Z", "2")
    return number.isdigit() and _DNI_LETTERS[int(number) % 23] == text[-1]


def is_nir(text: str) -> bool:
    """French NIR: the key is 97 less the number modulo 97; Corsica counts as 19 and 18."""
    number = text[:13].replace("2A", "19").replace("2B", "18")
    month = int(text[3:5])
    # INSEE gives the months 20 to 42, and from 50 on, where the month of a birth is not known.
    is_month = 1 <= month <= 12 or month in range(20, 43) or month >= 50
    return number.isdigit() and is_month and 97 - int(number) % 97 == int(text[13:])


def is_bsn(digits: str) -> bool:
    """Dutch BSN: weights 9 to 2 and -1 sum to a multiple of 11."""
    weights = (9, 8, 7, 6, 5, 4, 3, 2, -1)
    total = sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=True))
    return total % 11 == 0 and int(digits) > 0


def is_pesel(digits: str) -> bool:
    """Polish PESEL: weights 1, 3, 7, 9 in turn."""
    total = sum(int(digit) * (1, 3, 7, 9)[place % 4] for place, digit in enumerate(digits[:10]))
    return (10 - total % 10) % 10 == int(digits[10])


def is_german_tax_id(digits: str) -> bool:
    """German IdNr: no leading 0, one digit twice or three times, and ISO 7064 MOD 11,10."""
    counts = sorted((digits[:10].count(digit) for digit in set(digits[:10])), reverse=True)
    if digits[0] == "0" or counts[0] not in (2, 3) or counts[1] > 1:
        return False
    product = 10
    for digit in digits[:10]:
        total = (int(digit) + product) % 10 or 10
        product = total * 2 % 11
    return (11 - product) % 10 == int(digits[10])


def is_codice_fiscale(text: str) -> bool:
    """Italian codice fiscale: the last letter is a weighted sum modulo 26."""
    weights = (*_ODD_FISCALE, *_ODD_FISCALE_REST)
    total = 0
    for place, character in enumerate(text[:15]):
        value = int(character) if character.isdigit() else ord(character) - ord("A")
        total += value if place % 2 else weights[value]
    return chr(ord("A") + total % 26) == text[15]


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
    if compile_cached(r"\d{2}").search(text):
        found += _accounts(text)
        for kind, pattern, accept in _NUMBERS:
            found += [
                Personal(kind=kind, start=each.start(), end=each.end(), value=_plain(each[0]))
                for each in compile_cached(pattern).finditer(text)
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
        for found in compile_cached(_EMAIL).finditer(text, begin, stop):
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
    for found in compile_cached(_IBAN).finditer(text):
        wanted = lengths.get(found[0][:2], 0)
        rest = compile_cached(r"(?: ?[A-Z0-9])*").match(text, found.end(), found.start() + 48)
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
    # The (0) of '+44 (0)20' is dialled within the country only.
    plain = "".join(c for c in written.replace("(0)", "") if c.isalnum())
    if written.startswith("00"):
        return "+" + plain[2:]
    return "+" + plain if written.startswith("+") else plain


def _accept_if(check: Callable[[str], bool]) -> Callable[[re.Match[str]], bool]:
    return lambda found: check(_plain(found[0]))


def _accept_near(
    check: Callable[[str], bool], names: tuple[str, ...]
) -> Callable[[re.Match[str]], bool]:
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


# The surest first: `_without_overlap` leaves a place to the one that was found first.
_NUMBERS: tuple[tuple[str, str, Callable[[re.Match[str]], bool]], ...] = (
    ("card", _CARD, _accept_if(is_card)),
    ("id", _NIR, _accept_if(is_nir)),
    ("id", _FISCALE, _accept_if(is_codice_fiscale)),
    ("id", _DNI, _accept_if(is_dni)),
    ("id", _NINO, _is_shaped),
    ("id", _SSN, _is_shaped),
    ("id", _ELEVEN, _accept_near(is_german_tax_id, _GERMAN)),
    ("id", _ELEVEN, _accept_near(is_pesel, _POLISH)),
    ("id", _NINE, _accept_near(is_bsn, _DUTCH)),
    ("phone", _INTERNATIONAL, _is_international),
    ("phone", _NORTH_AMERICAN, _is_shaped),
    ("phone", _NATIONAL, _is_phone),
    ("phone", _TOGETHER, _is_phone),
)


@lru_cache(maxsize=32)
def compile_cached(pattern: str) -> re.Pattern[str]:
    """The pattern, compiled once."""
    return re.compile(pattern)


# --- placeholders: the same for one value on every device ---

# A placeholder is a keyed hash, so that it can be neither read back nor tried out (there are few
# enough phone numbers to try them all): the key is the person's, and never in the vault. It is a
# setting, or a file beside the person's settings, which is made when it is first needed; a second
# device takes part once it has the same.
FILE_NAME = "placeholder.key"
_LETTERS = 8  # 40 bits: two values of a vault share one by chance once in a million addresses
_KEY_BYTES = 32


def placeholders(key: str, *, vault: str) -> Callable[[str, str], str]:
    """(kind, value) -> `[email-7k2m9pqx]`.

    key    of the settings; '': the key file's
    vault  its id: another vault has other placeholders, so two of them cannot be joined by them
    """
    secret = key.encode() if key else _key_of_file()

    def write(kind: str, value: str) -> str:
        message = f"{vault}\n{kind}\n{value}".encode()
        return f"[{kind}-{base32(hmac.digest(secret, message, 'sha256'), _LETTERS)}]"

    return write


def key_file() -> str:
    """Where the key lies while no setting gives one."""
    return os.path.join(os.path.dirname(person_file(os.environ)), FILE_NAME)


def _key_of_file() -> bytes:
    file = key_file()
    try:
        return _read(file)
    except FileNotFoundError:
        pass
    temporary = f"{file}.{os.urandom(4).hex()}.tmp"
    try:
        os.makedirs(os.path.dirname(file), mode=0o700, exist_ok=True)
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "wb") as stream:
            stream.write(os.urandom(_KEY_BYTES).hex().encode() + b"\n")
            stream.flush()
            os.fsync(stream.fileno())
        _place(temporary, file)
        return _read(file)
    except OSError as error:
        raise DiskError(
            f"cannot make the key file '{file}': {error.strerror}",
            hint="set `secrets.placeholder_key` in your config.toml",
        ) from error


def _place(temporary: str, file: str) -> None:
    """Give the file its name, unless another process was quicker: its key is the one then."""
    try:
        os.link(temporary, file)
    except FileExistsError:
        pass
    except OSError:  # a file system without links
        if not os.path.exists(file):
            os.replace(temporary, file)
            return
    os.unlink(temporary)


def _read(file: str) -> bytes:
    with open(file, "rb") as stream:
        found = stream.read(1000).strip()
    if len(found) < _KEY_BYTES:
        raise DiskError(
            f"the key file '{file}' is damaged: it holds {len(found)} characters",
            hint="copy it from another device; deleting it gives new placeholders from then on",
        )
    return found
