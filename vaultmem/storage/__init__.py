"""What has no word of a user's: files, notes, Git, merging, the index.

Five rooms, bottom up, each with its own face:

    files      bytes on disk: read, published durably, found again after a crash
    notes      the format of a note: front matter, bullets, managed block
    git        the one door to git
    merging    three versions of a note become one
    index      the disposable reading in SQLite

Never: decides what a memory means. That is for the rooms above.
"""

from vaultmem.base import shelf

shelf(__name__)
