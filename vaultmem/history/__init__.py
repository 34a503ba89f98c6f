"""What was known when: versions, moments, differences.

Words that end here: `history`, `diff`, `timeline`, `log`, `--as-of`, `--known-at`.

Promises
* *As of* is valid time (when it was so), *known at* record time (when the vault learned it).
* The past is read from the first-parent chain of commits, when somebody asks, and kept as rows
  that can be deleted at any time.
* A note that `compact` retired still answers about its time.
* Trust is always that of today: nothing from outside is believed for being old.

Never: opened by remembering, syncing or recalling what holds now; guesses what a clone lacks.

Where is the rule for ...
    what a question about a time sees           moment.py
    what a person calls a state                 moment.py
    every version of a note or slot             every_version.py
    what changed between two states             diff.py
    "then PostgreSQL; SQLite since"             later.py
    the past level with the history             versions.py
    chain, texts and stays                      storage/index/past_tables.py
    fading by age, which stores nothing         recall/decay.py
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
    from vaultmem.history.moment import Snapshot, When, point, revision, seeing, timeline

attach(
    __name__,
    {
        "diff": "difference",
        "every_version": (
            "COMPACT LOOK_BACK history log newest_standing next_undone path_of retired_ids "
            "undone_by"
        ),
        "later": "answer_with_later later",
        "moment": "Snapshot When point revision seeing timeline",
    },
    modules="versions",
)
