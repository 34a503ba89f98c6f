"""The disposable reading of a vault, in SQLite.

One SQLite file in the device state. Postings are blobs a term and block of 65,536 passages, read
without numpy. Whether a file changed is asked of its stat (modification and change time, size,
inode); a file changed so recently that a later edit could hide is read again. Content decides:
rows change only when the hash does. Rows are a function of files and commits alone; tests compare
the updated index with a rebuilt one after random edits.

SQLite keeps no checksums of pages, so a *seal* lies beside the file
(`storage/index/store/seal.py`): how the file looked (size, times, inode) after the log last went
into it, and the CRC-32 of every page. A file that looks so is believed, which costs two system
calls; one that does not has all its pages compared, and is built anew only if one differs. So a
copied state folder or a killed process costs a comparison, not a rebuild. Two rules keep it true
among processes: a seal takes in the log under SQLite's write lock and before the log can be begun
anew, and nobody opens the main file but SQLite (closing it would drop SQLite's locks). Sealing
dates the file back by ten seconds: a write within the same tick of the clock shows. Damage below
the file system, which leaves times as they are, is found by `check --deep` only.

Every answer is one read transaction (`Session.snapshot`, begun in `level.reading`): a clock that
is asked in it is later than all it sees. Where an answer also reads a file or the history, and
these have moved on since, it is worked out again (`level.text_of`, `past.level`), three times at
most.
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.storage.index.database import Index
    from vaultmem.storage.index.edges import Edge
    from vaultmem.storage.index.lookups import Lookups, Nominated
    from vaultmem.storage.index.past.past_index import Arrived, Past, key_path, text_row
    from vaultmem.storage.index.past.tables import Row
    from vaultmem.storage.index.past.view import PastView, WithRetired
    from vaultmem.storage.index.search.bm25 import Likely
    from vaultmem.storage.index.search.concepts import is_known
    from vaultmem.storage.index.search.dates import Window, times_of
    from vaultmem.storage.index.search.meaning import Likeness, Vectors, file_of, key_of
    from vaultmem.storage.index.search.question import analyse, asked_aspect, asks_past
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
        "past.past_index": "Arrived Past key_path text_row",
        "past.tables": "Row",
        "past.view": "PastView WithRetired",
        "search.bm25": "Likely",
        "search.concepts": "is_known",
        "search.dates": "Window times_of",
        "search.meaning": "Likeness Vectors file_of key_of",
        "search.question": "analyse asked_aspect asks_past",
        "search.search": "Quoting Search relations",
        "search.senses": "Senses",
        "store.file": "delete_files",
        "store.put_notes": "Prepared Preparer",
        "store.record_rows": "link_key",
        "store.rows": "folders_in",
    },
)
