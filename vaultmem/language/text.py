"""Text as the program compares, names and shows it; nothing here assumes a language.

NFC is what we write to disk; NFKC with case folding is what we compare by.
"""

from __future__ import annotations

import re
import unicodedata

ERASED_PASSAGE = "(erased by vaultmem)"
"""Stands where a passage was erased for good; plain text in YAML, Markdown, a commit message."""
ERASED_NOTE = "erased"
"""Stands for the name or id of a note that was erased."""
INERT = "\u29b8"
"""Stands where something would act in others' text (`safety/inert.py`)."""

_CLOSING = " .!。"
_NOT_SLUG = r"[^a-z0-9]+"

# What NFKD does not take apart, and the two alphabets whose letters have a usual Latin spelling.
_LATIN = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ı": "i"}
    | {"ħ": "h", "ŋ": "ng", "ə": "e"}
    | dict(zip("абвгдезийклмнопрстуфыэ", "abvgdeziyklmnoprstufye", strict=True))
    | {"х": "kh", "ж": "zh", "ч": "ch", "ш": "sh", "щ": "shch", "ю": "yu", "я": "ya", "ъ": ""}
    | {"ь": "", "ц": "ts", "є": "ye", "і": "i", "ґ": "g", "ў": "u", "ђ": "dj", "ј": "j"}
    | {"љ": "lj", "њ": "nj", "ћ": "c", "џ": "dz"}
    | dict(zip("αβγδεζηικλμνξοπρσςτυφω", "avgdeziiklmnxoprsstyfo", strict=True))
    | {"θ": "th", "χ": "ch", "ψ": "ps"}
)
# Windows refuses these as the stem of a file name, with any extension.
_RESERVED = frozenset(
    ["con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))]
)

# Characters that a terminal obeys instead of showing (controls, escape, C1), that reorder a line
# (bidi), that hide (zero width, tags), or that cannot be encoded (lone surrogates). Line feed,
# tab and CRLF stay, and so do the joiners that emoji and Persian need.
_INVISIBLE = (
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b"
    r"\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff"
    r"\U000e0000-\U000e0fff]|\r(?!\n)|[\u200c\u200d](?=[\u200c\u200d])|(?<=[\u200c\u200d])[\u200c\u200d]"
)
# Those of them that Python calls printable: fillers, and joiners of letters.
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
_FIRST_TAG = "\U000e0000"
_SOON_READ = 20_000  # characters: of a longer text the pattern is the quicker one


def nfc(text: str) -> str:
    """The text as it goes to disk: the same letters in one spelling (Unicode NFC)."""
    return unicodedata.normalize("NFC", text)


def fold(text: str) -> str:
    """The text as it is compared: Unicode NFKC and case folding, idempotent."""
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKC", text).casefold()
    # Folding the case takes some letters out of NFKC again.
    return unicodedata.normalize("NFKC", folded)


# Text and not compiled: most statements have neither.
_BOLD = r"(?<!\w)\*\*+(?=\w)|(?<=[\w.!?])\*\*+(?!\w)"
_LINK = r"\[\[(?:[^\[\]|\n]{0,200}\|)?([^\[\]|\n]{1,200})\]\]"


def canonical(statement: str) -> str:
    """What makes two statements the same: folded, single spaces, no closing `.` or `!`, and without
    the marks of bold words and links, which people add and take away.

    Idempotent. A text of nothing but such marks keeps them, so that it is not empty.
    """
    folded = " ".join(fold(statement).split())
    plain = folded.rstrip(_CLOSING) or folded
    # So that 'I live in **Linz**' is said already by 'I live in Linz'.
    while "**" in plain or "[[" in plain:
        bare = re.sub(_LINK, r"\1", re.sub(_BOLD, "", plain)).rstrip(_CLOSING)
        if bare == plain or not bare.strip():
            break
        plain = bare
    return plain


def slugify(text: str, max_bytes: int = 60) -> str:
    """A file name part of `[a-z0-9-]`, 1 to `max_bytes` long; 'note' when no letter has one.

    Accents are dropped, Cyrillic and Greek spelled in Latin letters, and the cut falls between
    words where that keeps at least half. Never a name that Windows reserves. Idempotent.
    """
    latin = unicodedata.normalize("NFKD", fold(text).translate(_LATIN))
    bare = "".join(c for c in latin if not unicodedata.combining(c))
    slug = re.sub(_NOT_SLUG, "-", bare.translate(_LATIN)).strip("-")
    if len(slug) > max_bytes:
        cut = slug.rfind("-", max_bytes // 2, max_bytes + 1)
        slug = slug[: cut if cut > 0 else max_bytes].strip("-")
    if not slug:
        return "note"[:max_bytes]
    return f"{slug}-note" if slug in _RESERVED and max_bytes >= len(slug) + 5 else slug


def visible(text: str) -> str:
    r"""The text with every character that acts on a terminal spelled out, such as `\x1b`."""
    if is_plainly_visible(text):
        return text
    return re.sub(_INVISIBLE, _spell_code, text)


def is_plainly_visible(text: str) -> bool:
    """Whether every character but line feeds shows; of False a closer look may say the same.

    Most texts are: looking costs less than compiling the pattern, which takes a cold command 1 ms.
    """
    if len(text) > _SOON_READ or not text.replace("\n", "").isprintable():
        return False
    return text.isascii() or (_FILLERS.isdisjoint(text) and max(text) < _FIRST_TAG)


def _spell_code(found: re.Match[str]) -> str:
    code = ord(found.group())
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def shorten_paths(text: str) -> str:
    """The text with each whole path in single quotes cut to its last part.

    For what is written into a vault: how a disk is laid out, and who is logged in, is nobody's
    business who reads the vault on another.
    """
    return re.sub(r"(?<=')(?:/|[A-Za-z]:[\\/]|\\\\)[^\n]*?[\\/]?(?=[^\\/'\n]+'(?!\w))", "", text)


def sentences(text: str) -> list[str]:
    """The sentences of a text in order, verbatim but for the white space around them.

    Splits at closing marks, blank lines, list marks and the ends of short lines; not inside
    versions, decimals, dates, file names, initials or after common abbreviations.
    """
    return [text[start:end] for start, end in sentence_spans(text)]


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Where each of `sentences` begins and ends in the text."""
    from vaultmem.language.sentences import (
        spans,  # its expressions take longer to compile than to use
    )  # saves 4 modules

    return spans(text)


# Whether two words are one word: inflected, or spelled a little otherwise.

SHORTEST = 6  # letters: a letter makes another word of shorter ones
LEAST = 0.85  # of 1: 'deployment' and 'deplyoment', not 'upload' and 'download'
_ENDINGS = ("s", "es")


def is_one_word(one: str, other: str) -> bool:
    """Whether both, in lower case, are forms or spellings of one word.

    A plural, or two words of at least six letters that begin alike and are alike by optimal
    string alignment. Whatever holds a digit is only itself. rapidfuzz takes longer to load than
    all else here, so it is asked only about words that passed every cheaper look.
    """
    if one == other:
        return True
    if not (one.isalpha() and other.isalpha()) or one[:2] != other[:2]:
        return False
    shorter, longer = sorted((one, other), key=len)
    if len(shorter) > 2 and longer[len(shorter) :] in _ENDINGS and longer.startswith(shorter):
        return True
    if len(shorter) < SHORTEST or len(longer) - len(shorter) > 2:
        return False
    from rapidfuzz.distance import OSA

    return OSA.normalized_similarity(one, other) >= LEAST
