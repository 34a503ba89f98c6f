"""The side of an index that vectors look at; without them it costs nothing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from vaultmem.base import TYPE_CHECKING
from vaultmem.storage.index.store.file import guarded
from vaultmem.storage.index.store.session import Session

if TYPE_CHECKING:
    from vaultmem.storage.index.search.meaning import Likeness, Meaning


USUAL_GAIN = 0.3  # of a model that nothing is known of (docs/embeddings.md)


class Meant(Session):
    """An index whose passages may have vectors; the rest is in `Index`."""

    _meaning: Meaning | None = None
    _meant: object = None  # state of the index and of the file that it was made of

    @guarded
    def texts(self) -> list[tuple[int, int, str]]:
        """(id, first passage of its note, text) of every passage, ascending by id."""
        found: list[tuple[int, int, str]] = []
        notes = self._settled().execute("SELECT first, size, statement FROM notes ORDER BY first")
        passages = self._connection.execute("SELECT id, text FROM passages ORDER BY id")
        note = notes.fetchone()
        for id_, text in passages:
            while note is not None and id_ >= note[0] + note[1]:
                note = notes.fetchone()
            if note is not None and id_ >= note[0]:
                found.append((id_, note[0], note[2] if text is None else text))
        return found

    @guarded
    def likeness(
        self,
        file: Path,
        question: Sequence[float],
        *,
        answers_from: float,
        gain: float = USUAL_GAIN,
    ) -> Likeness | None:
        """Of every passage to a question, by the vectors of a file; None: they are of others.

        Others have another dimension, or there are none. Read once for each state of both.
        """
        meaning = self._meaning_by(file)
        if meaning.dimension != len(question):
            return None
        return meaning.likeness(question, answers_from=answers_from, gain=gain)

    @guarded
    def lacking(self, file: Path) -> tuple[str, ...]:
        """The texts of passages that have no vector in a file, the newest last."""
        return self._meaning_by(file).lacking

    def _meaning_by(self, file: Path) -> Meaning:
        from vaultmem.storage.index.search.meaning import Meaning, Vectors  # saves 123 modules

        version: int = self._settled().execute("PRAGMA data_version").fetchone()[0]
        stat = file.stat() if file.exists() else None
        stamp = stat and (stat.st_mtime_ns, stat.st_size, stat.st_ino)
        state = (version, self._transactions, file, stamp)
        if self._meaning is None or self._meant != state:
            self._meaning, self._meant = Meaning(self.texts(), Vectors.read(file)), state
        return self._meaning
