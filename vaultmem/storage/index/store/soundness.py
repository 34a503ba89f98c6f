"""Whether an index file makes sense: a look at everything in it, for when something did not."""

from __future__ import annotations

from vaultmem.storage.index.store.dump import dump
from vaultmem.storage.index.store.rows import NOTE_COLUMNS
from vaultmem.storage.index.store.sqlite import sqlite3
from vaultmem.storage.index.text.traits import ALONE

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
    counters = {"norm_total": sum(norm for norm, _ in lengths.values())}
    counters |= {"notes": len(notes), "passages": len(places)}
    if {name: str(count) for name, count in counters.items() if count} != dict(whole["counters"]):
        return "the counters are wrong"
    return ""
