"""Housekeeping: archive, duplicates, timers."""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.maintain.archive import find_aged
    from vaultmem.maintain.compact import compact
    from vaultmem.maintain.nightly import due, run
    from vaultmem.maintain.reindex import with_vectors
    from vaultmem.maintain.streams import compact_streams, table
    from vaultmem.maintain.timers import install, uninstall

attach(
    __name__,
    {
        "archive": "find_aged",
        "compact": "compact",
        "nightly": "due run",
        "reindex": "with_vectors",
        "streams": "compact_streams table",
        "timers": "install uninstall",
    },
)
