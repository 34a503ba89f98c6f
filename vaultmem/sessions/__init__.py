"""The memory of one conversation: base truth, turn log, raw window, artifacts.

`sessions/files.py` reads the files of a session into one record (`Conversation`),
`sessions/write_files.py` writes what differs between two of them; `sessions/steps.py` is what each
step does (wait in the queue, one plan, one commit). `sessions/turn.py` is phase 1,
`sessions/summary.py` phase 2, and `sessions/summarise/` summarises, by rules where no model is
set: the vault's extractor and its rules for contradictions, asked about the facts of the
conversation. `sessions/truth.py` is base truth and its diffs.

There is no journal and no state about what is left to do: a turn that the transcript has and the
log has not waits for its summary. Rules of somebody else's are no facts: `Conversation.held` keeps
them apart (`sessions/held_rules.py`), so no code that looks at facts has to know of them. Nothing
asks a model under the lock of the vault; one session is held meanwhile by a number in a queue
(`storage/files/locking.py`, fair among processes, free when its holder dies). Past states are read
from Git by the trailer `Vaultmem-Turn`; below a merge or an undo, where a number may be another
turn's, by the words of the turns (`sessions/replay.py`). Checkpoints are part of the turn's commit,
so they cannot differ from it and every device has them.

`cli/chat.py` is a front end of `sessions/talk_to_model.py`; `server/` another.
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.sessions import files, held_rules, truth
    from vaultmem.sessions import turn_prompt as context
    from vaultmem.sessions.artifacts import texts
    from vaultmem.sessions.begin_end import (
        Found,
        Marks,
        as_state,
        beginning_of,
        end,
        end_idle,
        find,
        resume,
        start,
        tells_something,
    )
    from vaultmem.sessions.files import SESSIONS, attached_files, exchanges_of, require_id
    from vaultmem.sessions.held_rules import held_apart, hold_rules, waiting
    from vaultmem.sessions.own_words import (
        LONGEST_PROMPT,
        kept_words,
        own_words,
        reply_words,
        whole_characters,
        without_preamble,
    )
    from vaultmem.sessions.replay import (
        ends_in_turn,
        listing,
        replay,
        rewind,
        settle,
        standing,
        view,
    )
    from vaultmem.sessions.steps import Summariser, queue
    from vaultmem.sessions.summarise.model import summariser_of
    from vaultmem.sessions.summary import RETRIES, finish, make_up, retry
    from vaultmem.sessions.talk_to_model import Talk
    from vaultmem.sessions.turn import Said, add_turn, keep_state
    from vaultmem.sessions.turn_prompt import prompt, talk_of
    from vaultmem.sessions.two_sides import KeepBoth

attach(
    __name__,
    {
        "artifacts": "texts",
        "begin_end": (
            "Found Marks as_state beginning_of end end_idle find resume start tells_something"
        ),
        "files": "SESSIONS attached_files exchanges_of require_id",
        "held_rules": "held_apart hold_rules waiting",
        "own_words": (
            "LONGEST_PROMPT kept_words own_words reply_words whole_characters without_preamble"
        ),
        "replay": "ends_in_turn listing replay rewind settle standing view",
        "steps": "Summariser queue",
        "summarise.model": "summariser_of",
        "summary": "RETRIES finish make_up retry",
        "talk_to_model": "Talk",
        "turn": "Said add_turn keep_state",
        "turn_prompt": "prompt talk_of",
        "two_sides": "KeepBoth",
    },
    modules="turn_prompt files held_rules truth",
)
