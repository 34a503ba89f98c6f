"""Files and Git: the truth.

Words that end here: `init`, `sync`; every other verb plans, and this room writes.

Promises
* One writer at a time. Files, then one commit, then rows: a process killed between any two of
  these leaves a vault that the next command finishes (durability.md).
* Each file is compared before it is replaced; a saved edit goes first and is committed as theirs.
* Whose words a text is, is decided by code when it is taken in, and recorded in the commit.
* A commit is announced in the ledger before the branch moves and acknowledged after it.

Never: decides what a sentence means; asks a model or a network under the lock.

Where is the rule for ...
    how a plan is carried out                   apply.py, working_copy.py
    what an opened vault is                     vault.py, init.py
    the index level with the files              level.py, reading_in.py
    what an edit of a list or a note means      two_way.py, unsettled.py
    an item's note, bullet and category line    listed_items.py
    whose words, how far believed               provenance.py
    what this device did and sent               ledger.py
    a secret that a person saved                held_back.py
    what was erased must not return             erased.py
    which note a name means                     naming.py
    a file that cannot be read now              unread.py, durability.py, take_back.py
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.vault import durability, ledger, level, unread
    from vaultmem.vault import fresh_index as answering
    from vaultmem.vault.apply import (
        UNSETTLED,
        apply,
        iso_ms,
        message,
        place,
        publish_files,
        record,
        retry_when_stale,
        writer_lock,
    )
    from vaultmem.vault.deleted import by_source
    from vaultmem.vault.durability import durable_numbers, expect
    from vaultmem.vault.erased import Erased, ErasedTextError, files_with, require_none
    from vaultmem.vault.fresh_index import synced_at
    from vaultmem.vault.held_back import held_back, held_paths, in_history
    from vaultmem.vault.init import init, template_files
    from vaultmem.vault.ledger import (
        BEGIN,
        EDITOR,
        MADE,
        PLAN,
        PULLED,
        SEEN,
        SENT,
        Ledger,
        Line,
        note_sending,
    )
    from vaultmem.vault.level import MovedOnError, Refreshed, text_of
    from vaultmem.vault.listed_items import (
        NEW_STREAM,
        NO_OID,
        NOT_UPDATED,
        Listings,
        day_of,
        item_path,
        resource_path,
    )
    from vaultmem.vault.naming import Notes, find_note
    from vaultmem.vault.provenance import (
        Origin,
        is_persons,
        may_be_listed,
        may_list,
        origin_of,
        origin_of_turn,
        require_own_words,
        restrain,
        trust_of_item,
        trust_of_text,
        writer_of,
        writer_of_session,
    )
    from vaultmem.vault.take_back import journal_changes, take_back
    from vaultmem.vault.two_way import (
        AddBullet,
        Adopt,
        Comparison,
        Effect,
        Join,
        Patch,
        RemoveBullet,
        Retract,
        Reword,
        SetDone,
        SetStream,
        Untick,
        bullets_by_id,
        compare,
        in_question,
        one_line,
        same,
    )
    from vaultmem.vault.unsettled import (
        ITEM_FOLDERS,
        STREAMS_FOLDER,
        compare_unsettled,
        load_items,
        read_record,
        record_at,
        settled_at,
        streams_on_disk,
        touched_items,
        unreadable_items,
        unsettled_paths,
        without_barred,
    )
    from vaultmem.vault.vault import (
        ARRIVING,
        COMPACTING,
        INDEX_FILE,
        PURGING,
        Level,
        Recovery,
        Vault,
        open_with_recoveries,
    )
    from vaultmem.vault.working_copy import WorkingCopy

attach(
    __name__,
    {
        "fresh_index": "synced_at",
        "apply": (
            "UNSETTLED apply iso_ms message place publish_files record retry_when_stale writer_lock"
        ),
        "deleted": "by_source",
        "durability": "durable_numbers expect",
        "erased": "Erased ErasedTextError files_with require_none",
        "held_back": "held_back held_paths in_history",
        "init": "init template_files",
        "ledger": "BEGIN EDITOR Ledger Line MADE PLAN PULLED SEEN SENT note_sending",
        "level": "MovedOnError Refreshed text_of",
        "listed_items": "Listings NEW_STREAM NOT_UPDATED NO_OID day_of item_path resource_path",
        "two_way": (
            "AddBullet Adopt Comparison Effect Join Patch RemoveBullet Retract Reword SetDone "
            "SetStream Untick bullets_by_id compare in_question one_line same"
        ),
        "naming": "Notes find_note",
        "working_copy": "WorkingCopy",
        "provenance": (
            "Origin is_persons may_be_listed may_list origin_of origin_of_turn require_own_words "
            "restrain trust_of_item trust_of_text writer_of writer_of_session"
        ),
        "take_back": "journal_changes take_back",
        "unsettled": (
            "ITEM_FOLDERS STREAMS_FOLDER compare_unsettled load_items read_record record_at "
            "settled_at streams_on_disk touched_items unreadable_items unsettled_paths "
            "without_barred"
        ),
        "vault": "ARRIVING COMPACTING INDEX_FILE Level PURGING Vault Recovery open_with_recoveries",
    },
    modules="fresh_index durability ledger level unread",
)
