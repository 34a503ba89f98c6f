"""What this device remembers of erased texts: keyed hashes, by which it knows them again.

One list for each vault (by its id, so that another folder with the same vault is under it too).
The key never leaves the device, so the list tells nobody what was erased; it is not in the vault,
and nothing that was derived from an erased text travels. Other devices know an old history by the
shape of its commits instead (devices/admit.py).
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable, Iterator
from hashlib import blake2b, sha256
from itertools import chain

from vaultmem import base
from vaultmem.base import EXIT_REFUSED, TYPE_CHECKING, VaultmemError
from vaultmem.language import ERASED_PASSAGE, sentences
from vaultmem.model import id_in_name
from vaultmem.storage import git
from vaultmem.storage.notes import canonical, trim_passage

if TYPE_CHECKING:
    from vaultmem.config import Settings
    from vaultmem.model import Prepared

_List = tuple[bytes, frozenset[str], tuple[int, ...]]
"""The key, the hashes, and the lengths of passages that are looked for inside other words."""

FOLDER = "erased"
_KEY_BYTES, _BYTES = 32, 16
_LONGEST_PART = 200  # characters; of a longer passage its beginning is enough to know it by


class ErasedTextError(VaultmemError):
    """A text that was erased for good would come back; nothing was written."""

    exit_code = EXIT_REFUSED

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what} holds a text that was erased for good on this device",
            hint="leave it out; `vaultmem forget --lift` lets all erased texts be kept again",
        )


class Erased:
    """The list of one vault on this device; read when first asked."""

    def __init__(self, settings: Settings) -> None:
        name = sha256(settings.id.encode("utf-8", "surrogateescape")).hexdigest()[:16]
        self._file = settings.state.parent / FOLDER / name
        self._key_file = self._file.with_suffix(".key")
        self._read: _List | None = None

    def __bool__(self) -> bool:
        """Whether anything of this vault was ever erased here."""
        return os.path.exists(self._file)

    def add(
        self, *, ids: Iterable[str], texts: Iterable[str], anywhere: Iterable[str] = ()
    ) -> None:
        """Remember ids and passages; durable.

        texts     known again as a whole text, line or sentence
        anywhere  known again in the middle of other words too
        """
        folder = self._file.parent
        folder.mkdir(mode=0o700, exist_ok=True)
        key, known, _ = self._load()
        if not key:
            key = os.urandom(_KEY_BYTES)
            self._key_file.unlink(missing_ok=True)
            git.write_durably(self._key_file, key)
        added = {_hash(key, f"id {id_}") for id_ in ids}
        # As written, and as statements are compared: it may come back without the marks of bold
        # words.
        said = [form for text in texts for form in (text, canonical(text))]
        added |= {_hash(key, f"text {trim_passage(text).casefold()}") for text in said}
        for part in [_part(form) for text in anywhere for form in (text, canonical(text))]:
            # The length is hashed as well: in the open it would tell something of what was erased.
            added |= {_hash(key, f"part {part}"), _hash(key, f"length {len(part)}")}
        lines = "".join(f"{each}\n" for each in sorted(known | added))
        base.replace_file(self._file, lines.encode("ascii"), is_durable=True)
        self._read = None

    def holds(self, text: str, *, ids: Iterable[str] = ()) -> bool:
        """Whether a text, a line or sentence of it, what was sought in it, or an id was erased."""
        if not self:
            return False
        if self._read is None:
            self._read = self._load()
        key, known, lengths = self._read
        said = (f"text {each}" for each in _pieces(text))
        whole = (text, canonical(text))
        inside = (
            f"part {each}"
            for form in whole
            for length in lengths
            for each in _windows(form, length)
        )
        asked = (*(f"id {id_}" for id_ in ids), *said)
        return any(_hash(key, each) in known for each in chain(asked, inside))

    def lift(self) -> bool:
        """Let what was erased be kept again; whether there was anything."""
        had = bool(self)
        self._file.unlink(missing_ok=True)
        self._key_file.unlink(missing_ok=True)
        self._read = None
        return had

    def _load(self) -> _List:
        try:
            key = self._key_file.read_bytes()
            known = frozenset(self._file.read_text(encoding="ascii").split())
        except FileNotFoundError:
            return b"", frozenset(), ()
        # Lengths are known by keyed hashes, too, so that a passage is refused amid other words and
        # the list tells nothing without its key: 'remember "My door code is ..."' had kept a purged
        # code again.
        lengths = range(1, _LONGEST_PART + 1)
        return key, known, tuple(n for n in lengths if _hash(key, f"length {n}") in known)


def require_none(settings: Settings, texts: Iterable[Prepared]) -> None:
    """Raise ErasedTextError when a text that is to be kept holds one that was erased."""
    erased = Erased(settings)
    for each in texts if erased else ():
        if erased.holds(f"{each.title}\n{each.body}", ids=(each.id,)):
            raise ErasedTextError("what was to be kept")


def files_with(erased: Erased, files: Iterable[tuple[str, bytes]]) -> list[str]:
    """The paths of files that hold a text, or are of a note, that was erased."""
    found = []
    for path, data in files:
        id_ = id_in_name(path.rpartition("/")[2].removesuffix(".md"))
        if erased.holds(data.decode("utf-8", "replace"), ids=(id_,) if id_ else ()):
            found.append(path)
    return list(dict.fromkeys(found))


def _pieces(text: str) -> Iterator[str]:
    """The text, its lines and sentences, each as it is and in the words a reader takes it for."""
    for piece in (text, *text.splitlines(), *sentences(text)):
        plain = piece.replace(ERASED_PASSAGE, "")
        for found in dict.fromkeys((trim_passage(plain).casefold(), canonical(plain))):
            if found:
                yield found


def _part(text: str) -> str:
    """A passage as it is looked for inside others: whole words, not too many."""
    plain = trim_passage(text).casefold()
    if len(plain) <= _LONGEST_PART:
        return plain
    return plain[:_LONGEST_PART].rpartition(" ")[0] or plain[:_LONGEST_PART]


def _windows(text: str, length: int) -> Iterator[str]:
    """Every stretch of so many characters that begins and ends with a word of the text."""
    plain = " ".join(unicodedata.normalize("NFC", text).split()).casefold()
    for start in range(len(plain) - length + 1):
        end = start + length
        begins = start == 0 or not plain[start - 1].isalnum()
        if begins and (end == len(plain) or not plain[end].isalnum()):
            yield plain[start:end]


def _hash(key: bytes, text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogateescape"), key=key, digest_size=_BYTES).hexdigest()
