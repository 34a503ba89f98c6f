"""Files and Git: the truth.

One writer
----------
`vault/apply.py` changes files, `vault/level.py` changes the index, nothing else does.

1. `writer_lock`: an OS lock in the device state (free the moment a process dies; a deadline, then
exit
   code 75). What a killed writer left is finished or cleared. A merge or rebase is waited for.
2. `writer`: in addition, what the person edited is committed as theirs and settled (below).
   `sync` compares all files before the lock; that counts under it while nobody has written since
   (the data version of the index, HEAD, nothing of a dead writer to finish). In every writer a
   file that settling is to write is held against the index first: was it saved since, all is
   compared anew.
3. `publish`: all new bytes go to durable temporary files; then each file changes places with its
   temporary one, and what comes out is compared: an edit saved in that moment is put back.
4. `record`: objects by one `git fast-import`; the ledger is told their ids (below); the branch by
   a compare-and-swap, then the person's own git index learns of our paths only. Folders and
   references are synced to disk. The ledger is told that they are there. When a person commits in
   between, the second attempt holds git's lock on the index all the while
   (`storage/git/index_lock.py`); at the deadline the files get their former bytes back and the
   call says busy.
5. `took`: rows.

What survives a crash, and how that is tested: durability.md.

Git runs against an engine directory outside the vault that borrows the vault's objects, with an
environment built from scratch, so nothing in a vault is ever executed.

The ledger
----------
`vault/ledger.py` keeps sealed lines in the device state; `vault/ledger.py` decides what they say;
`check/audit.py` compares. A commit is *announced* before the branch moves and *acknowledged*
after. The announcement is on disk before the branch is (`fdatasync`; without it a power cut would
leave commits that look forged), the acknowledgement need not be: what was announced and is in the
history is ours, what was announced and is not never happened. So no crash looks like tampering,
and nothing has to be repaired. The last line alone holds the head and, if one was lost, which:
looking is one short read, and git is asked only when HEAD moved.

What makes commits goes through `apply` or `record`, which do this. Two calls are for others:

* `ledger.note_sending(parts, what, where, how_much)` **before** anything leaves the device (a
  push, a call of a model): `note_sending(parts, "push main", url, "3 commits")`. It needs no
  lock; user, password and query of the address are left out; what it raises means: do not send.
* `ledger.note_pulled(parts, commits)` after the branch was moved over commits of another
  device, oldest first: those of the first-parent line that `apply` and `record` did not make. A
  plan with the operation `merge` or `pull` is noted as pulled by itself.

What rewrites history on purpose ends with `ledger.accept(parts)`.

Trust
-----
`vault/provenance.py` decides whose words a text is when it is taken in; `model/trust.py` turns that
into trailers and trailers into levels, a function of the *set* of commits. The index keeps the
events (`storage/index/store/trust_events.py`) and writes into each row the lower of what the note
claims and the history records, so no question joins or asks git. After foreign commits one `git
log` reads what is new; commits of side branches count, and a rewritten history is read as a whole.
A commit that the program makes with several parents must leave the index's `head` behind, so that
the next refresh reads what came along. `safety/instructions.py` (cues in
`language/words/*/instructions.txt`, repetition in `safety/stuffing.py`, values that exclude each
other in `safety/claims.py`) judges texts from outside, `safety/inert.py` marks what would act.
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
    from vaultmem.vault.arriving import (
        Refusal,
        describe_refused,
        exclusions,
        is_withheld,
        judge,
        mass_deletion,
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
    from vaultmem.vault.lists import shown
    from vaultmem.vault.lists.listed_items import (
        NEW_STREAM,
        NO_OID,
        NOT_UPDATED,
        Shelf,
        day_of,
        item_path,
        resource_path,
    )
    from vaultmem.vault.lists.two_way import (
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
        Parts,
        Recovery,
        open_parts,
    )
    from vaultmem.vault.workbench import Workbench

attach(
    __name__,
    {
        "fresh_index": "synced_at",
        "apply": (
            "UNSETTLED apply iso_ms message place publish_files record retry_when_stale writer_lock"
        ),
        "arriving": "Refusal describe_refused exclusions is_withheld judge mass_deletion",
        "deleted": "by_source",
        "durability": "durable_numbers expect",
        "erased": "Erased ErasedTextError files_with require_none",
        "held_back": "held_back held_paths in_history",
        "init": "init template_files",
        "ledger": "BEGIN EDITOR Ledger Line MADE PLAN PULLED SEEN SENT note_sending",
        "level": "MovedOnError Refreshed text_of",
        "lists.listed_items": "NEW_STREAM NOT_UPDATED NO_OID Shelf day_of item_path resource_path",
        "lists.two_way": (
            "AddBullet Adopt Comparison Effect Join Patch RemoveBullet Retract Reword SetDone "
            "SetStream Untick bullets_by_id compare in_question one_line same"
        ),
        "naming": "Notes find_note",
        "workbench": "Workbench",
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
        "vault": "ARRIVING COMPACTING INDEX_FILE Level PURGING Parts Recovery open_parts",
    },
    modules="fresh_index durability ledger level lists.shown unread",
)
