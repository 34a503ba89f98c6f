"""Whether an index file makes sense: a look at everything in it, for when something did not."""

from __future__ import annotations

from array import array

from vaultmem.base import Any
from vaultmem.storage.index.store.rows import NOTE_COLUMNS
from vaultmem.storage.index.store.sqlite import sqlite3
from vaultmem.storage.index.text.postings import postings_of_all
from vaultmem.storage.index.text.traits import ALONE, SIZES, sizes_of

# The whole index as plain data, to be compared.


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
        "problems": connection.execute(
            "SELECT path, line, code, message, hint, severity, fixable FROM problems "
            "ORDER BY path, line, code, message, origin"
        ).fetchall(),
        "counters": sorted(
            connection.execute(
                f"SELECT key, value FROM meta WHERE key IN ({', '.join('?' * len(SIZES))}) "
                "AND value <> '0'",
                SIZES,
            )
        ),
    }


_SIZE = len(NOTE_COLUMNS.split(", ")) - 1  # place in the row of a note, which has no path


def flaw(connection: sqlite3.Connection) -> str:
    """The first thing found wrong; '' when the tables agree with each other.

    Reads the whole file: a second or two at 10,000 notes.
    """
    try:
        found = str(connection.execute("PRAGMA integrity_check(1)").fetchone()[0])
        return _disagreement(connection) if found == "ok" else found
    except (LookupError, TypeError, ValueError, AttributeError, sqlite3.DatabaseError) as error:
        return f"a row makes no sense ({type(error).__name__}: {error})"


def _disagreement(connection: sqlite3.Connection) -> str:
    whole = dump(connection)
    notes, lengths, postings = whole["notes"], whole["lengths"], whole["postings"]
    places = {(path, seq) for path, row in notes.items() for seq in range(row[_SIZE])}
    if places != set(lengths) or places != set(whole["passages"]):
        return "notes and passages disagree"
    if any(
        (bits & ALONE > 0) != (notes[path][_SIZE] == 1) for (path, _), (_, bits) in lengths.items()
    ):
        return "lengths and notes disagree"
    words_of: dict[str, set[str]] = {path: set() for path in notes}
    for (word, _), held in postings.items():
        for path, _, _ in held:
            words_of[path].add(word)
    if any(
        {word for word, _ in listed} != words_of[path]
        for path, listed in whole["words of notes"].items()
    ):
        return "notes and postings disagree"
    counters = dict.fromkeys(SIZES, 0)
    for path, row in notes.items():
        own = [lengths[path, seq] for seq in range(row[_SIZE])]
        for name, size in sizes_of([b for _, b in own], [norm for norm, _ in own]).items():
            counters[name] += size
    if {name: str(count) for name, count in counters.items() if count} != dict(whole["counters"]):
        return "the counters are wrong"
    return ""
