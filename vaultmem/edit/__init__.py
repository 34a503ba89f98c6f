"""What a person saved takes effect.

Stream files and item notes are edited by people, each for itself. `vault/lists/two_way.py`
compares three states: streams as last *settled* (the newest commit in which both sides agreed),
streams on disk, items on disk. It knows nothing of why they differ, so an edit in Obsidian, a
crash between two files and a `git pull` are the same case. `edit/commit_edit.py` commits the
person's bytes as they are; `edit/settle.py` commits what follows from them, thousands of new
bullets in several commits, so that other writers get their turn and a stop loses nothing. Commits
in which something is left open carry the trailer `Vaultmem-Unsettled`, so the base of the next
comparison is always in the history.

Reads never write. Until an edit is settled, the index shows items the way the edit means them
(`storage/index/database.py`), so a reworded bullet answers in its new words at once. Where bullet
and item were both edited, differently, the item's words answer until the person decides;
`vaultmem check` shows both.
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.edit.change import carry_out
    from vaultmem.edit.follow import agree
    from vaultmem.edit.settle import (
        Settled,
        has_leftovers,
        learned_from_refresh,
        plan_effects,
        reindex,
        settle,
        sync,
        take_in_edit,
        write_plan,
        writer,
    )

attach(
    __name__,
    {
        "change": "carry_out",
        "follow": "agree",
        "settle": (
            "Settled has_leftovers learned_from_refresh plan_effects reindex settle sync "
            "take_in_edit write_plan writer"
        ),
    },
)
