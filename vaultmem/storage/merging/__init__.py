"""Three versions of a note become one: pure functions, bytes in and bytes out.

Used for another device's commits and for conflict copies.

Promises
* The result does not depend on who merges: the sides are sorted by commit time, then by content.
* No line is lost: the version that does not stay is kept in a box, or as a copy beside the note.
* Merging a merge again changes nothing.

Never: leaves conflict marks in a note, and reads no file, index or history.

Where is the rule for ...
    the order of work on a note                 note.py
    keys of front matter                        front_matter.py
    paragraphs, bullets, code                   bodies.py, pieces.py
    which pieces are the same, their order      columns.py
    the box with another device's version       pieces.py

Our own: merge3 (PyPI) is GPL and knows lines only; `git merge-file` leaves conflict marks in the
person's notes, and its result depends on which side merges.
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.storage.merging.note import Decide, Sides, Told, TwoSided, merge_note
    from vaultmem.storage.merging.pieces import Copy, Merged, Notice, put_back, without

attach(
    __name__,
    {
        "note": "Decide Sides Told TwoSided merge_note",
        "pieces": "Copy Merged Notice put_back without",
    },
)
