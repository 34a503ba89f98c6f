"""What was known when: versions, moments, differences.

The past
--------
`past.sqlite` beside the index holds every version that a note had on the first-parent chain: a
disposable reading of the history, as the index is one of the files. `history/versions.py` brings
it level (`main_line` of `storage/git/lineage.py` from the last known commit on; where that is not
on the chain any more, back to the last commit that both have), and only when somebody asks:
`past.level(parts)` for the versions, `past.searchable(parts)` for their words too. Remembering,
recalling what holds now and syncing never open it; `past.drop(parts)` deletes it.

It is an `Index` with three more tables (`storage/index/past/tables.py`). The *chain*: each commit
with its effective record time, the running maximum of `Vaultmem-Recorded-At` or the committer
time. A *text*: the bytes of one path; it is a note of this file, under a path of its own, so that
postings and search are those of the index. A *stay*: a path that holds a text from one place of
the chain to another. Notes are matched by id, without one by path; the same bytes under another
path are the same version, moved, and bytes that come back after others are a new one.
`Past.versions(id=...)` gives them as `model.versions.Version`. What a shallow or partial clone
lacks is kept as lacking, never guessed.

Questions about another time go through `history/moment.py`. A `Sight` is asked as the index is:
*as of* it is the index itself, with what `compact` retired (`storage/index/past/view.py`), and a
filter over the validity of each note (`storage/index/time_spans.py`: rows read once a state, asked
of candidates only); *known at* it is a `PastView` of one place of the chain. `history/later.py`
says what came after each hit. Trust is always that of today: nothing from outside is believed for
being old.

History, retirement, decay
--------------------------
`history/every_version.py`, `history/diff.py` and `history/moment.py` ask the past
(`storage/index/past/`) and put what a version changed into sentences (`history/later.py`);
`history/moment.py` reads what a person calls a state: a revision or a time. `maintain/compact.py`
takes items out of the folder. In the tables of the past their stay goes on and a row of `retired`
says since when, so nothing that is asked of another time changes; a commit that joined another
device's compaction counts the same (`Lineage.removed_by`). What is removed without a commit would
count as a person's deletion, so `vault/take_back.py` leaves a durable note, and the next writer
puts back what went without getting into the history.

`recall/decay.py` fades on read: it orders the hits of an answer after they are chosen, and stores
nothing.
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.history import versions
    from vaultmem.history.diff import difference
    from vaultmem.history.every_version import (
        COMPACT,
        LOOK_BACK,
        history,
        log,
        newest_standing,
        next_undone,
        path_of,
        retired_ids,
        undone_by,
    )
    from vaultmem.history.later import answer_with_later, later
    from vaultmem.history.moment import Sight, When, point, revision, seeing, timeline

attach(
    __name__,
    {
        "diff": "difference",
        "every_version": (
            "COMPACT LOOK_BACK history log newest_standing next_undone path_of retired_ids "
            "undone_by"
        ),
        "later": "answer_with_later later",
        "moment": "Sight When point revision seeing timeline",
    },
    modules="versions",
)
