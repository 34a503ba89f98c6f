"""Rows of the index: written, sealed, and held against the files.

Promises
* A note comes in and goes out within one transaction, without reading its text again.
* A file that is as its seal says is believed at once; of any other, all pages are compared.
* An error of SQLite becomes one of ours: damaged, busy, or a disk that refuses.

Never: opens the main file by itself: closing it would drop the locks that SQLite holds.

Where is the rule for ...
    opening, checking and deleting the file     file.py
    transactions and their errors               session.py, sqlite.py
    rows of notes, files and folders            rows.py, put_notes.py
    names and links of a record                 record_rows.py
    what a link means                           note_lookups.py
    other names of a person                     called.py
    trust by commits                            trust_events.py
    whether the content makes sense             seal.py, soundness.py
"""
