"""A passage in every form in which a reader takes it for the same words.

What stands between two words (spaces, line ends, list marks, emphasis, punctuation, tags) and what
nobody sees inside one (soft hyphens, zero-width characters) is no part of the words.
"""

from __future__ import annotations

import json
import re
import unicodedata
from functools import lru_cache

SEARCHED = (
    "any case, composed and decomposed accents",
    "words apart by any white space, line ends, marks of lists, quotes, tables and headings",
    "words apart by punctuation, hyphens, underscores, emphasis, brackets, tags, &nbsp; or %20",
    "words with a soft hyphen, a zero-width character, a hyphen at a line end or emphasis inside",
    "letters as escapes of JSON, YAML, Markdown, HTML or an address",
    "beginnings that end in …, and names of files, also shortened ones",
)
"""What the proof of an erasure has searched for, for people."""
NOT_SEARCHED = "what is packed or encoded inside a file (PDF, ZIP, Office, base64, pictures)"

_BENIGN = ".,;:!?…'\"“”„‘’«»()[]*_`~|/\\‐‑‒–—-"  # of a passage: marks that may be others elsewhere
_LINES = r"\n[ \t>]{0,40}\d{1,3}[.)]|\[[ xX]\]"  # numbers and boxes of lists
_BLANK = r"&(?:nbsp|ensp|emsp|thinsp|#160|#[xX][aA]0);|%20|%C2%A0|\\[nrt]|\\u00a0|\\xa0"
_TAG = r"</?[A-Za-z!][^<>\n]{0,80}>"
_UNSEEN_CHARS = "\u00ad\u034f\u061c\u180e\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff"
_UNSEEN = (
    rf"[{_UNSEEN_CHARS}]|&(?:shy|zwn?j|#173|#820[3-5]|#[xX](?:ad|200[b-d]));|<wbr ?/?>"
    r"|\\u(?:00ad|200[b-fB-F]|2060|feff)|\\xad"
)
# Signs with a meaning (`C++`, `C#`, `a > b`) separate words only where they are marks.
_MARKS = r"(?<=\n)[ \t>]{0,40}[>#+=]{1,40}(?=\s)|\A[>#+=]{1,40}(?=\s)|==(?=\w)|(?<=\w)=="
_GAP = (
    rf"(?:{_LINES}|{_MARKS}|{_BLANK}|{_TAG}|{_UNSEEN}"
    rf"|[\s•·{re.escape(_BENIGN)}]){{1,200}}"
)
_INSIDE = rf"(?:{_UNSEEN}|\*{{1,3}}|~~|-\r?\n[ \t>]{{0,40}})?"
_PIECES = rf"[\s{re.escape(_BENIGN)}{_UNSEEN_CHARS}]+"
_UNSEEN_IN_TEXT = rf"{_UNSEEN}|[*`~]|-\r?\n[ \t>]{{0,40}}"
# The same in UTF-8, for a first look at bytes in lower case. `re` keeps what it compiled, so these
# cost 17 ms when the first text needs them, and nothing where the module is only imported.
_UNSEEN_IN_BYTES = (
    rb"\xc2\xad|\xcd\x8f|\xd8\x9c|\xe1\xa0\x8e|\xe2\x80[\x8b-\x8f]|\xe2\x81[\xa0-\xa4]"
    rb"|\xef\xb8[\x80-\x8f]|\xef\xbb\xbf|&(?:shy|zwn?j|#173|#820[3-5]|#x(?:ad|200[b-d]));|<wbr ?/?>"
    rb"|\\u(?:00ad|200[b-f]|2060|feff)|\\xad|-\r?\n[ \t>]{0,40}|[*_`~]"
)


def pattern(text: str, *, inside: bool) -> str:
    """A pattern for a passage, to be compiled with IGNORECASE; its edges are as they stand.

    inside  also with what nobody sees, and emphasis, inside its words: ten times as long
    """
    begin = len(text) - len(text.lstrip(_BENIGN))
    end = len(text.rstrip(_BENIGN))
    words = [word for word in re.split(_PIECES, text[begin:end]) if word]
    between = _INSIDE if inside else ""
    inner = _GAP.join(between.join(map(_char, word)) for word in words)
    return "".join((*map(_char, text[:begin]), inner, *map(_char, text[max(end, begin) :])))


@lru_cache(maxsize=4)  # a text is asked for by one passage after the other
def canonical(text: str) -> str:
    """The words as a reader takes them: one space between two, no case, one spelling of accents."""
    plain = re.sub(_UNSEEN_IN_TEXT, "", unicodedata.normalize("NFC", text))
    words = " ".join(re.sub(_GAP, " ", plain).split()).casefold()
    return unicodedata.normalize("NFC", words)


def seen(lowered: bytes) -> bytes:
    """Bytes of a text without what nobody sees inside words, for a first look.

    lowered  with ASCII in lower case
    """
    return re.sub(_UNSEEN_IN_BYTES, b"", lowered)


def _char(char: str) -> str:
    """A character in every spelling that files have for it."""
    if char.isascii():
        if char.isalnum():
            return char
        # Escapes of YAML, JSON and Markdown, and the mark of text that was made inert.
        return r"[\\⦸]*" + ("''?" if char == "'" else re.escape(char)) + "⦸?"
    spelled = {char, unicodedata.normalize("NFD", char), char.casefold(), char.upper()}
    for each in tuple(spelled):
        spelled |= {json.dumps(each)[1:-1], *_escaped(each)}
    return "(?:" + "|".join(map(re.escape, sorted(spelled, key=lambda s: (-len(s), s)))) + ")"


def _escaped(text: str) -> set[str]:
    """A character as HTML and addresses spell it."""
    from html.entities import codepoint2name
    from urllib.parse import quote

    found = {quote(text, safe="")}
    if len(text) == 1:
        number = ord(text)
        found |= {f"&#{number};", f"&#x{number:x};"}
        if number in codepoint2name:
            found.add(f"&{codepoint2name[number]};")
    return found
