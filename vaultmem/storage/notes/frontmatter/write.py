"""Front matter as we write it: YAML that Obsidian and PyYAML read back as the same text.

Plain where that is safe, double-quoted otherwise. Only booleans, numbers and dates stay
unquoted although YAML gives them a type: that is what makes them check boxes, numbers and dates
in Obsidian's Properties.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from vaultmem import language
from vaultmem.base import BadInputError, late

TRUE_WORDS = frozenset(["true", "yes", "on", "1"])
FALSE_WORDS = frozenset(["false", "no", "off", "0"])

Given = str | tuple[str, ...] | bool | int | float | None
"""What a caller may set a key to; None means no such key."""

# Words that some YAML reader (1.1 or 1.2, any case) takes for a boolean or for nothing.
_RESERVED = frozenset(["true", "false", "yes", "no", "on", "off", "y", "n", "null", "none"])
_PLAIN = late(r"[^\W_](?:[^:#{}<>\[\]`\\|]|:(?=[\w/])|(?<=[\w/])\#)*")
_TYPED = late(
    r"-?(?:0|[1-9]\d{0,15})(?:\.\d{1,15})?|true|false|\d{4}-\d\d-\d\d [0-2]\d:\d\d(?::\d\d)?"
)
_REMEMBERED = 32  # characters: dates, kinds and names stand in every note of a long list
_KEY = late(r"[^\W\d][\w-]{0,63}(?: [\w-]{1,40}){0,8}")
_FLOW_WORD = late(r"[^\W\d_][\w/-]*")
# The date and date-time forms of Obsidian and of language.time.format_instant.
_DATE = late(
    r"(\d{4})-(\d\d)-(\d\d)(?:T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3})?"
    r"(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)?)?"
)
_ESCAPED = late(r"[\"\\\x00-\x1f\x7f-\x9f]")
_ESCAPED_BEYOND = "\u2028\u2029\ufeff\ufffe\uffff"
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}


def render(fields: Mapping[str, Given]) -> str:
    """A whole block with its fences, LF line ends, keys in the given order; None is left out."""
    lines = [line for key, value in fields.items() for line in key_lines(key, value)]
    return "".join(f"{line}\n" for line in ("---", *lines, "---"))


def key_lines(key: str, value: Given, *, indent: str = "  ") -> list[str]:
    """The lines of one key without line ends: one, and one more for each element of a list.

    indent  spaces before the dash of a list
    """
    name = key if is_plain_key(key) else double_quoted(key)
    if value is None:
        return []
    if not isinstance(value, tuple):
        return [f"{name}: {scalar(value)}"]
    if not value:
        return [f"{name}: []"]
    return [f"{name}:", *(f"{indent}- {scalar(element)}" for element in value)]


def scalar(value: str | bool | int | float, *, quote: str = "", typed: bool = False) -> str:
    """A value as one line of YAML in block context.

    quote  '"' or "'" asks for that style where plain would do
    typed  a text that is a number, true or false stays plain, as what it replaces was
    """
    if isinstance(value, str):
        if typed and _TYPED.fullmatch(value):
            return value
        if quote == "'" and value.isprintable():
            return single_quoted(value)
        return value if not quote and _may_be_plain(value) else double_quoted(value)
    return source_text(value)


def source_text(value: str | bool | int | float) -> str:
    """The text that a value is read back as."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _decimal(value)
    return str(value)


def flow_word(value: str) -> str:
    """An element of a `[a, b]` list."""
    if _FLOW_WORD.fullmatch(value) and value.casefold() not in _RESERVED:
        return value
    return double_quoted(value)


def double_quoted(text: str) -> str:
    """The text between double quotes; every character survives.

    Raises BadInputError for lone surrogates, which no UTF-8 file can hold.
    """
    escaped = _ESCAPED.sub(_escape, text)
    if not text.isascii():
        _require_encodable(text)
        for mark in _ESCAPED_BEYOND:
            escaped = escaped.replace(mark, f"\\u{ord(mark):04x}")
    return f'"{escaped}"'


def _require_encodable(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise BadInputError(
            f"the text {text[:40]!r} holds half a character (a lone surrogate)",
            hint="send the text as valid Unicode",
        ) from error


def single_quoted(text: str) -> str:
    """The text between single quotes; it must not hold line ends or controls."""
    return "'" + text.replace("'", "''") + "'"


def is_plain(text: str) -> bool:
    """Whether the text may stand unquoted: no reader takes it for anything but this text.

    Dates that exist are the exception (see above). `{{` and `<%` are quoted, so that a
    remembered template is not one.
    """
    if _DATE.match(text):
        return is_date(text)
    if not _PLAIN.fullmatch(text) or not text.isprintable() or text.endswith(" "):
        return False
    if text.casefold() in _RESERVED:
        return False
    # 12, 1_000, 0o10, 1e5, 12:30:45, 1.2.3 are quoted; '3 apples' needs no quotes.
    return not text[0].isnumeric() or any(word.isalpha() for word in text.split(" ")[1:])


def _may_be_plain(text: str) -> bool:
    return (_is_plain_word if len(text) <= _REMEMBERED else is_plain)(text)


_is_plain_word = lru_cache(maxsize=256)(is_plain)


@lru_cache(maxsize=256)
def is_plain_key(text: str) -> bool:
    """Whether a key may stand unquoted."""
    return bool(_KEY.fullmatch(text)) and text.casefold() not in _RESERVED


def is_date(text: str) -> bool:
    """Whether the text is a date or date-time of a day that exists, as we write them."""
    found = _DATE.fullmatch(text)
    if found is None or not text.isascii():
        return False
    return language.read_instant(text) is not None


def _escape(found: re.Match[str]) -> str:
    return _SHORT.get(found[0]) or f"\\x{ord(found[0]):02x}"


def _decimal(value: float) -> str:
    """0.7, 1.0, 0.0000001: never an exponent, which YAML readers disagree about."""
    if value != value or value in (float("inf"), float("-inf")):
        raise BadInputError(f"{value} is not a number that front matter can hold")
    text = repr(value)
    if "e" not in text:
        return text
    fixed = f"{value:.20f}".rstrip("0")
    return fixed + "0" if fixed.endswith(".") else fixed
