"""Housekeeping: archive, duplicates, timers.

Words that end here: `maintain`, `compact`, `reindex`; a timer calls `maintain --due`.

Promises
* A job may run twice, be missed or be killed anywhere: it finds what is to be done in the files.
* Each change is one commit, which `undo` takes back. A job that changes nothing makes none.
* More than a quarter of the active items goes at once only with a person's yes.

Never: deletes: what is put away lies in the archive, what is retired stays in the history.

Where is the rule for ...
    the jobs, and when each is due              nightly.py, timers.py
    what goes into the archive                  archive.py
    what is retired for good                    compact.py
    which memories are doubles                  compact.py
    the budget of the streams                   streams.py
    the block in today's daily note             daily_note.py
    old lists told shorter                      digests.py
    systemd, launchd, cron                      timers.py
    the index made anew, with vectors           nightly.py
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.maintain import daily_note
    from vaultmem.maintain.archive import find_aged
    from vaultmem.maintain.compact import compact
    from vaultmem.maintain.nightly import due, run, with_vectors
    from vaultmem.maintain.streams import compact_streams, table
    from vaultmem.maintain.timers import install, uninstall

attach(
    __name__,
    {
        "archive": "find_aged",
        "compact": "compact",
        "nightly": "due run with_vectors",
        "streams": "compact_streams table",
        "timers": "install uninstall",
    },
    modules="daily_note",
)
