"""The whole index as plain data, to be compared."""

from __future__ import annotations

from array import array
from typing import Any

from vaultmem.storage.index.store.notes import problems
from vaultmem.storage.index.store.rows import NOTE_COLUMNS
from vaultmem.storage.index.store.sqlite import sqlite3
from vaultmem.storage.index.text.postings import postings_of_all


def dump(connection: sqlite3.Connection) -> dict[str, Any]:
    """The logical content, free of row ids and history: equal for equal notes.

    Of files, folders and meta it says nothing: they are about the disk, not about notes.
    """
    notes_of = {
        first: (path, size)
        for first, path, size in connection.execute("SELECT first, path, size FROM notes")
    }
    place = {
        first + seq: (path, seq) for first, (path, size) in notes_of.items() for seq in range(size)
    }
    names = {id_: (word, stem) for word, id_, stem in connection.execute("SELECT * FROM words")}
    postings: dict[tuple[str, str], list[tuple[str, int, int]]] = {}
    for word, passage, times in postings_of_all(connection):
        postings.setdefault(names[word], []).append((*place[passage], times))
    lengths = {}
    for block, *blobs in connection.execute("SELECT block, norms, traits FROM lengths"):
        norms, traits = (array("H", blob) for blob in blobs)
        size = len(norms)
        for i, norm in enumerate(norms):
            if norm:
                lengths[place[block * size + i]] = (norm, traits[i])
    return {
        "notes": {
            row[0]: row[1:]
            for row in connection.execute(
                f"SELECT {NOTE_COLUMNS}, size, digest, dated_from, dated_to, slot FROM notes "
                "ORDER BY path"
            )
        },
        "words of notes": {
            path: sorted(names[word] for word in array("I", blob))
            for path, blob in connection.execute("SELECT path, words FROM notes ORDER BY path")
        },
        "passages": {
            place[id_]: row
            for id_, *row in connection.execute(
                "SELECT id, line, speaker, date, text FROM passages ORDER BY id"
            )
        },
        "postings": {word: sorted(found) for word, found in postings.items()},
        "lengths": lengths,
        "names": sorted(
            (name, rank, notes_of[note][0])
            for name, rank, note in connection.execute("SELECT name, rank, note FROM names")
        ),
        "links": sorted(
            (notes_of[note][0], target)
            for note, target in connection.execute("SELECT note, target FROM links")
        ),
        "problems": [
            (p.path, p.line, p.code, p.message, p.hint, p.severity, p.fixable)
            for p in problems(connection)
        ],
        "counters": sorted(
            connection.execute(
                "SELECT key, value FROM meta WHERE key IN ('passages', 'notes', 'norm_total') "
                "AND value <> '0'"
            )
        ),
    }
