"""Take passages out of texts, whatever their case, spacing, accents and escapes; find what is left.

Bytes in, bytes out, one rule for all: notes of any age, commit messages, names. What does not
hold a passage comes back unchanged, byte by byte.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache

from vaultmem.language import ERASED_NOTE, ERASED_PASSAGE, slugify

# A passage in every form in which a reader takes it for the same words.
#
# What stands between two words (spaces, line ends, list marks, emphasis, punctuation, tags) and
# what nobody sees inside one (soft hyphens, zero-width characters) is no part of the words.

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


def strip_unseen(lowered: bytes) -> bytes:
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
        spelled |= {json.dumps(each)[1:-1], *_escapes_of(each)}
    return "(?:" + "|".join(map(re.escape, sorted(spelled, key=lambda s: (-len(s), s)))) + ")"


def _escapes_of(text: str) -> set[str]:
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


ROWS = '{"access": {\n'
"""How a file begins with a line for each note (recall/use_counts.py): such a line goes whole."""
_SHORTEST_CUT = 12  # characters of a passage by which its beginning is known: `The door code is…`
_SHORTEST_SLUG = 10  # the same of a file name, which ends without an ellipsis
_CUT_SLUG = 30  # a file name that is shorter was not cut
_LONGEST_REST = 400  # characters from there to the ellipsis
_ANCHOR = 3  # letters and digits that make a first look worth it
_ENDS = " .,;:!?…\"'“”‘’«»()[]*_`"  # of a sentence, which a shortened one loses
_LONGEST_INSIDE = 1_000  # characters; longer passages are looked for sentence by sentence as well
_SHORT_BYTES = 4096  # of a text in which one pattern is faster than many searches
_RUN = re.compile(r"[a-z0-9]+")
_SLUG_AND_ID = re.compile(r"-?[ir]-[0-9a-z]{10,12}$")


def trim_passage(text: str) -> str:
    """A passage as it is looked for: one line, without what sentences end in."""
    return " ".join(unicodedata.normalize("NFC", text).split()).strip(_ENDS)


class _Passage:
    """One passage: a quick look, and patterns for the whole of it and for its beginning.

    A pattern is made when the quick look first finds something. The one that looks inside words
    is long (a second for a text of 5,000 characters), so it is made only for a text that holds the
    words as a reader takes them and in which the plain one did not find them all.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.folded = canonical(text)
        runs = _RUN.findall(text.lower()) if text.isascii() else _RUN.findall(text.casefold())
        longest = max(runs, key=len, default="")
        self._anchor = longest.encode() if len(longest) >= _ANCHOR else b""
        self._has_head = len(text) > _SHORTEST_CUT
        self._head_anchor = self._anchor
        if self._has_head:
            # Long patterns are made for a text that needs one alone: 1.5 s for 1,000 characters. Of
            # 3,000 texts and 101 passages it takes 10 s in place of 17.
            runs = _RUN.findall(text[:_SHORTEST_CUT].rstrip().casefold())
            longest = max(runs, key=len, default="")
            self._head_anchor = longest.encode() if len(longest) >= _ANCHOR else b""
        self.slug = slugify(text, 10_000)

    @property
    def anchors(self) -> tuple[bytes, ...]:
        """Bytes of which one is in every text that holds the passage, or the beginning of it."""
        return (self._anchor, self._head_anchor)

    @cached_property
    def _whole(self) -> re.Pattern[str]:
        return re.compile(pattern(self.text, inside=False), re.IGNORECASE)

    @cached_property
    def _inside(self) -> re.Pattern[str]:
        # For 1,000 characters it takes 1.5 s to make, so only a text that needs it pays for it.
        return re.compile(pattern(self.text, inside=True), re.IGNORECASE)

    @cached_property
    def _head(self) -> re.Pattern[str]:
        head = pattern(self.text[:_SHORTEST_CUT].rstrip(), inside=True)
        return re.compile(rf"({head}[^\n…]{{0,{_LONGEST_REST}}}?)\s?…", re.IGNORECASE)

    def may_be_in(self, lowered: bytes) -> bool:
        """Whether the bytes (as `strip_unseen` gives them) are worth a closer look."""
        return self._anchor in lowered or (
            self._has_head and self._head_anchor in lowered and b"\xe2\x80\xa6" in lowered
        )

    def without(self, text: str) -> str:
        """The text with the mark in place of the passage, also where only its beginning stands."""
        text = self._whole.sub(ERASED_PASSAGE, text)
        # `**zanzibar** *heliotrope*` and zanzibar&nbsp;heliotrope were neither erased nor named:
        # the proof said 0 places.
        if len(self.text) <= _LONGEST_INSIDE and self._is_read_in(text):
            text = self._inside.sub(ERASED_PASSAGE, text)
        return self._head.sub(self._cut, text) if self._has_head and "…" in text else text

    def _cut(self, found: re.Match[str]) -> str:
        said = canonical(found[1])
        return ERASED_PASSAGE if self.folded.startswith(said) else found[0]

    def is_in(self, text: str) -> bool:
        """Whether the passage, or a beginning of it that was cut, is in the text."""
        if self._whole.search(text) is not None or self._is_read_in(text):
            return True
        has_cut = self._has_head and "…" in text
        return has_cut and self._head.sub(self._cut, text) != text

    def _is_read_in(self, text: str) -> bool:
        """Whether the words stand in the text as a reader takes them."""
        return bool(self.folded) and self.folded in canonical(text)

    def is_in_name(self, stem: str) -> bool:
        """Whether a file name says it, also one that was cut."""
        if len(self.slug) < _ANCHOR or self.slug == "note":
            return False
        if self.slug in stem.casefold() or self._whole.search(stem):
            return True
        bare = _SLUG_AND_ID.sub("", stem.casefold())
        return len(bare) >= _CUT_SLUG and any(
            bare.endswith(self.slug[:length])
            for length in range(len(self.slug) - 1, _SHORTEST_SLUG - 1, -1)
        )


class Erasure:
    """What is to be erased, and how a text looks without it."""

    def __init__(
        self,
        *,
        ids: Iterable[str] = (),
        names: Iterable[str] = (),
        texts: Iterable[str] = (),
        renamed: Mapping[str, str] | None = None,
    ) -> None:
        """
        ids      of notes that go whole
        names    of their files, without ending
        texts    passages, as `trim_passage` gives them
        renamed  names of files that stay, whose names say it -> other names for them
        """
        self.ids = frozenset(filter(None, ids))  # every name ends with ''
        self.names = frozenset(filter(None, names))
        self.renamed = dict(renamed or {})
        unique = sorted({text for text in texts if text}, key=lambda text: (-len(text), text))
        self.texts = tuple(unique)
        self._passages = tuple(map(_Passage, unique))
        # The longest first: a name holds the id.
        words = {**dict.fromkeys((*self.ids, *self.names), ERASED_NOTE), **self.renamed}
        self._words = dict(sorted(words.items(), key=lambda pair: (-len(pair[0]), pair[0])))
        self._quick = tuple(word.encode().lower() for word in self._words)
        anchors = [*self._quick, *(anchor for each in self._passages for anchor in each.anchors)]
        # An empty one is in everything.
        found = re.compile(b"|".join(map(re.escape, anchors))) if all(anchors) else None
        self._anchors = found if anchors else None
        wanted = "|".join(re.escape(word) for word in self._words)
        self._word = re.compile(rf"(?<!\w)(?:{wanted})(?!\w)") if wanted else None
        links = "|".join(re.escape(name) for name in sorted(self.names | self.ids))
        ids_ = "|".join(re.escape(id_) for id_ in sorted(self.ids))
        self._line = re.compile(
            rf"[ \t]*[-*+][ \t].*\[\[(?:[^\[\]|\n]*/)?(?:{links})(?:\|[^\[\]\n]*)?\]\][ \t]*\r?\n?"
        )
        self._block = re.compile(rf"(?<!\S)\^(?:{ids_})(?!\S)")

    def is_gone(self, stem: str) -> bool:
        """Whether a file of this name, without ending, goes whole."""
        return stem in self.names or any(stem.endswith(id_) for id_ in self.ids)

    def name(self, stem: str) -> str:
        """Another name for a file that stays, or the same."""
        return self.renamed.get(stem, stem)

    def says(self, stem: str) -> bool:
        """Whether a name holds a passage."""
        return any(passage.is_in_name(stem) for passage in self._passages)

    def is_clear_of(self, data: bytes) -> bool:
        """Whether a first look finds nothing."""
        lowered = data.lower()
        plain = strip_unseen(lowered)
        is_short = len(data) < _SHORT_BYTES
        if is_short and self._anchors is not None:
            both = lowered if plain == lowered else lowered + b"\n" + plain
            if self._anchors.search(both) is None:
                return True
        return not any(word in lowered for word in self._quick) and not any(
            passage.may_be_in(plain) for passage in self._passages
        )

    def clean(self, data: bytes) -> bytes:
        """The text without it: lines of notes that go are gone, passages and names are marked."""
        if self.is_clear_of(data):
            return data
        text = data.decode("utf-8", "surrogateescape")
        after = self._without_words(self._without_lines(text))
        return data if after == text else after.encode("utf-8", "surrogateescape")

    def holds(self, data: bytes) -> bool:
        """Whether anything of it is in these bytes."""
        if self.is_clear_of(data):
            return False
        text = data.decode("utf-8", "surrogateescape")
        if self._word is not None and self._word.search(text):
            return True
        return any(passage.is_in(text) for passage in self._passages)

    def _without_words(self, text: str) -> str:
        if self._word is not None:
            text = self._word.sub(lambda found: self._words[found[0]], text)
        for passage in self._passages:
            text = passage.without(text)
        return text

    def _without_lines(self, text: str) -> str:
        """Bullets with a block id of a note that goes, managed lines that link to one."""
        if not self.ids and not self.names:
            return text
        # The uses of notes travel in a file that names them in each row: what is purged goes from
        # every version of it.
        if text.startswith(ROWS):
            rows = text.splitlines(keepends=True)
            left = [row for row in rows if not any(row.startswith(f'"{i}"') for i in self.ids)]
            # The last row of a JSON object has no comma behind it.
            return "".join(left).replace(",\n}", "\n}")
        kept: list[str] = []
        dropping = False  # the lines indented below a bullet that went
        for line in text.splitlines(keepends=True) if _hints(text) else [text]:
            if dropping and line[:1] in (" ", "\t") and line.strip():
                continue
            dropping = False
            if self.ids and "^" in line and self._block.search(line):
                # The id stands at the end of a statement that goes over several lines: those above
                # it, up to the one with the mark, go as well.
                while kept and kept[-1][:1] in (" ", "\t") and line[:1] in (" ", "\t"):
                    kept.pop()
                if line[:1] in (" ", "\t") and kept and kept[-1][:1] in "-*+":
                    kept.pop()
                dropping = True
            elif "[[" in line and self._line.fullmatch(line):
                continue
            else:
                kept.append(line)
        return "".join(kept)


def _hints(text: str) -> bool:
    return "^" in text or "[[" in text
