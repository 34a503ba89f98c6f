"""Take passages out of texts, whatever their case, spacing, accents and escapes; find what is left.

Bytes in, bytes out, one rule for all: notes of any age, commit messages, names. What does not
hold a passage comes back unchanged, byte by byte.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cached_property

from vaultmem.language.text import ERASED_NOTE, ERASED_PASSAGE, slugify
from vaultmem.storage.notes.forms import canonical, pattern, seen

ROWS = '{"access": {\n'
"""How a file begins that has a line for each note (recall/access.py): such a line goes whole."""
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


def trimmed(text: str) -> str:
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
        return re.compile(pattern(self.text, inside=True), re.IGNORECASE)

    @cached_property
    def _head(self) -> re.Pattern[str]:
        head = pattern(self.text[:_SHORTEST_CUT].rstrip(), inside=True)
        return re.compile(rf"({head}[^\n…]{{0,{_LONGEST_REST}}}?)\s?…", re.IGNORECASE)

    def may_be_in(self, lowered: bytes) -> bool:
        """Whether the bytes (as `seen` gives them) are worth a closer look."""
        return self._anchor in lowered or (
            self._has_head and self._head_anchor in lowered and b"\xe2\x80\xa6" in lowered
        )

    def without(self, text: str) -> str:
        """The text with the mark in place of the passage, also where only its beginning stands."""
        text = self._whole.sub(ERASED_PASSAGE, text)
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
        texts    passages, as `trimmed` gives them
        renamed  names of files that stay, whose names say it -> other names for them
        """
        self.ids = frozenset(ids)
        self.names = frozenset(names)
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
        plain = seen(lowered)
        is_short = len(data) < _SHORT_BYTES
        if is_short and self._anchors is not None:
            both = lowered if plain == lowered else lowered + b"\n" + plain
            if self._anchors.search(both) is None:
                return True
        return not any(word in lowered for word in self._quick) and not any(
            passage.may_be_in(plain) for passage in self._passages
        )

    def cleaned(self, data: bytes) -> bytes:
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
        if text.startswith(ROWS):
            rows = text.splitlines(keepends=True)
            left = [row for row in rows if not any(row.startswith(f'"{i}"') for i in self.ids)]
            return "".join(left).replace(",\n}", "\n}")
        kept: list[str] = []
        dropping = False  # the lines indented below a bullet that went
        for line in text.splitlines(keepends=True) if _hints(text) else [text]:
            if dropping and line[:1] in (" ", "\t") and line.strip():
                continue
            dropping = False
            if self.ids and "^" in line and self._block.search(line):
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
