"""The files of a vault: read them, publish changes to them, recover from a crash.

Promises
* A write is compared with what it was planned against; an edit saved in that moment is put back.
* After a crash or a power cut a file has its old bytes or its new ones, and no other.
* No link leads a read or a write out of the vault.
* Nothing that changed is overlooked: names and stats decide, a watcher only gives hints.

Never: knows what a note says, and commits nothing.

Where is the rule for ...
    which names are notes, conflict copies      layout.py
    how new bytes get into place                publishing.py, temporaries.py
    what a killed writer left                   recovery.py
    who may write now                           locking.py
    which files changed                         scanning.py, listing.py
    what may be read, and how                   reading.py, folders.py
    whether the watcher is alive                locking.py
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.storage.files import layout, listing, scanning, temporaries
    from vaultmem.storage.files.folders import (
        drop_folders,
        make_folders,
        open_folder,
        refusal,
    )
    from vaultmem.storage.files.layout import (
        ACCESS,
        AGENTS,
        ARCHIVE,
        CARRIED,
        CATEGORIES,
        ITEMS,
        NAME_LIMIT,
        NOTE_LIMIT,
        OWN,
        RESOURCES,
        SCORER,
        SETTINGS,
        STREAMS,
        TMP,
        TOPS,
        check_path,
        conflict_copy_of,
        conflict_of,
        ignored_by,
        is_carried,
        is_companion,
        is_markdown,
        is_note_name,
        is_of_agents,
        is_utf8,
        item_path,
        kept_name,
        key,
        unportable,
    )
    from vaultmem.storage.files.locking import (
        Heartbeat,
        Turnstile,
        WriterLock,
        clear_heartbeat,
        is_process_gone,
        leave_to_another,
        read_heartbeat,
        try_lock,
        unlock,
        write_heartbeat,
    )
    from vaultmem.storage.files.publishing import publish, take_back
    from vaultmem.storage.files.reading import (
        is_path_gone,
        looks_foreign,
        names_in_place,
        read,
        read_each,
        read_foreign,
        require_apart,
        require_gone,
        taken_for,
        why_unread,
    )
    from vaultmem.storage.files.recovery import (
        LATE_WRITER_NS,
        is_cut_off,
        is_due,
        recover,
        seconds_until_due,
    )
    from vaultmem.storage.files.scanning import (
        Child,
        Patterns,
        ScanAhead,
        scan,
        scan_ahead,
        touched_since,
    )
    from vaultmem.storage.files.temporaries import flush, make_durable, numbers

attach(
    __name__,
    {
        "folders": "drop_folders make_folders open_folder refusal",
        "layout": (
            "ACCESS AGENTS ARCHIVE CARRIED CATEGORIES ITEMS NAME_LIMIT NOTE_LIMIT OWN "
            "RESOURCES SCORER SETTINGS STREAMS TMP TOPS check_path conflict_copy_of "
            "conflict_of ignored_by is_carried is_companion is_markdown is_note_name "
            "is_of_agents is_utf8 item_path kept_name key unportable"
        ),
        "locking": (
            "Heartbeat Turnstile WriterLock clear_heartbeat is_process_gone leave_to_another "
            "read_heartbeat try_lock unlock write_heartbeat"
        ),
        "publishing": "publish take_back",
        "reading": (
            "is_path_gone looks_foreign names_in_place read read_each read_foreign "
            "require_apart require_gone taken_for why_unread"
        ),
        "recovery": "LATE_WRITER_NS is_cut_off is_due recover seconds_until_due",
        "scanning": "Child Patterns ScanAhead scan scan_ahead touched_since",
        "temporaries": "flush make_durable numbers",
    },
    modules="scanning layout listing temporaries",
)
