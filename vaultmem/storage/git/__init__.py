"""The one door to Git.

Objects are written by one `git fast-import`, the branch moves by a compare-and-swap, and only then
does the person's own git index learn of our paths.

Promises
* Nothing in a vault is executed: git runs in a directory of ours, outside it, that borrows its
  objects, with an environment built from scratch.
* A commit has our paths only; what the person has staged stays staged.
* A commit that is acknowledged is on the disk.
* Erasing keeps each commit with author, dates and trailers; the old repository is whole until a
  durable note says what is to be, the new one after it.

Never: runs a hook, a filter or a driver; opens a kind of repository that it does not know.

Where is the rule for ...
    what other rooms may ask of git             door.py
    the directory of ours, a git process        engine.py, process.py, bounded_process.py
    how a commit is made; the person's index    commit.py, staging.py
    packs, and keeping few of them              packs.py
    damage: found, mended                       survey.py, mend.py
    log, trees, renames; the graph              read_history.py, lineage.py
    words taken out of the history              rewrite.py, replace.py
    a remote; ahead, behind, joined             remote.py, join.py

Our own: GitPython works under the configuration of the folder it is in, where a stranger's vault
may name programs to run. `memory.repository()` gives it to scripts, on our directory, and the tests
read through it what was written here.
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.storage.git import replace
    from vaultmem.storage.git.commit import CommitDraft
    from vaultmem.storage.git.door import History, create
    from vaultmem.storage.git.engine import Engine, open_engine
    from vaultmem.storage.git.identity import read_identity, signature
    from vaultmem.storage.git.join import Entry
    from vaultmem.storage.git.lineage import ChainCommit, Detail, Node
    from vaultmem.storage.git.mend import Repair, Step
    from vaultmem.storage.git.process import find_git, start
    from vaultmem.storage.git.read_history import (
        LogEntry,
        note_paths,
        other_notes,
        tracked_paths,
    )
    from vaultmem.storage.git.refs import sync_folder, write_durably
    from vaultmem.storage.git.remote import Exchange, RemoteRepository
    from vaultmem.storage.git.replace import (
        Switch,
        files_of_git,
        objects_with,
        require_erasable,
    )
    from vaultmem.storage.git.repository import is_repository, open_repository, parse_config
    from vaultmem.storage.git.rewrite import Rewriting, is_note_of, note_of
    from vaultmem.storage.git.survey import STASH, Survey, read_objects

attach(
    __name__,
    {
        "commit": "CommitDraft",
        "door": "History create",
        "engine": "Engine open_engine",
        "replace": "Switch files_of_git objects_with require_erasable",
        "rewrite": "Rewriting is_note_of note_of",
        "identity": "read_identity signature",
        "lineage": "ChainCommit Detail Node",
        "mend": "Repair Step",
        "process": "find_git start",
        "read_history": "LogEntry note_paths other_notes tracked_paths",
        "refs": "sync_folder write_durably",
        "join": "Entry",
        "remote": "Exchange RemoteRepository",
        "repository": "is_repository open_repository parse_config",
        "survey": "STASH Survey read_objects",
    },
    modules="replace",
)
