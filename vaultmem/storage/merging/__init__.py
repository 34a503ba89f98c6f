"""Three versions of a note become one: pure functions, bytes in and bytes out.

Used for another device's commits and for conflict copies. The sides are sorted by commit time and
then by content before anything else happens, so the result cannot depend on who merges.
`storage/merging/pieces.py` cuts a text into what changes as one (paragraph, bullet, block of
code); `storage/merging/columns.py` finds the pieces that are the same (by text, block id, what
moved, what is alike) and puts them in one order; `storage/merging/bodies.py` and
`storage/merging/front_matter.py` merge each. A losing version goes into a box that is read back as
a set of versions, so merging a merge again changes nothing; `storage/merging/note.py` makes sure of
that before it answers.

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
