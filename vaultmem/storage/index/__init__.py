"""The disposable reading of a vault, in SQLite.

One SQLite file in the device state, a function of files and commits alone. `reindex` makes it anew.

Promises
* An index that was updated for years equals one that is built now (tested after random edits).
* A file that changed is read again: its stat decides whether to look, its hash whether rows change.
* One answer is one read transaction; it is worked out again where files moved on meanwhile.
* Damage is noticed by checksums of pages that SQLite does not keep, and cured by building anew.

Never: a source of what is written into a note, and never copied to another device.

Where is the rule for ...
    what other rooms may ask                    database.py
    tables, rows and filters                    store/rows.py, store/record_rows.py
    links, ids, slots: look-ups                 store/note_lookups.py
    a copied state, a killed process            store/seal.py
    passages, words, postings                   text/passages.py, text/postings.py
    finding and scoring                         search/lookup.py, search/score.py
    every version of a note; chain and stays    past_index.py, past_tables.py
    what held at another time                   past_tables.py
    who may contradict a text                   lookups.py
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.storage.index.database import Index
    from vaultmem.storage.index.edges import Edge
    from vaultmem.storage.index.lookups import Lookups, Nominated
    from vaultmem.storage.index.past_index import Arrived, Past, key_path, text_row
    from vaultmem.storage.index.past_tables import Row
    from vaultmem.storage.index.past_view import PastView, WithRetired
    from vaultmem.storage.index.search.bm25 import Likely
    from vaultmem.storage.index.search.concepts import is_known
    from vaultmem.storage.index.search.dates import Window, times_of
    from vaultmem.storage.index.search.meaning import Likeness, Vectors, file_of, key_of
    from vaultmem.storage.index.search.question import (
        analyse,
        asked_aspect,
        asks_assistant,
        asks_past,
        asks_what_is,
        denies,
    )
    from vaultmem.storage.index.search.search import Quoting, Search, relations
    from vaultmem.storage.index.search.senses import Senses
    from vaultmem.storage.index.store.file import delete_files
    from vaultmem.storage.index.store.put_notes import Prepared, Preparer
    from vaultmem.storage.index.store.record_rows import link_key
    from vaultmem.storage.index.store.rows import folders_in

attach(
    __name__,
    {
        "database": "Index",
        "edges": "Edge",
        "lookups": "Lookups Nominated",
        "past_index": "Arrived Past key_path text_row",
        "past_tables": "Row",
        "past_view": "PastView WithRetired",
        "search.bm25": "Likely",
        "search.concepts": "is_known",
        "search.dates": "Window times_of",
        "search.meaning": "Likeness Vectors file_of key_of",
        "search.question": "analyse asked_aspect asks_assistant asks_past asks_what_is denies",
        "search.search": "Quoting Search relations",
        "search.senses": "Senses",
        "store.file": "delete_files",
        "store.put_notes": "Prepared Preparer",
        "store.record_rows": "link_key",
        "store.rows": "folders_in",
    },
)
