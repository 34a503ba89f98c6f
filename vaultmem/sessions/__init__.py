"""The memory of one conversation: base truth, turn log, raw window, artifacts. Pure functions.

`sessions/` is pure: base truth and its diffs (`sessions/truth.py`), routing, window, log,
artifacts, prompt. The verbs are `sessions/`: `sessions/files.py` reads the files of a session into
one record (`Conversation`), `sessions/write_files.py` writes what differs between two of them;
`sessions/steps.py` is what each step does (wait in the queue, one plan, one commit);
`sessions/turn.py` is phase 1, `sessions/summary.py` phase 2, `sessions/summarise/by_rules.py` the
summariser without a model: the vault's extractor and its rules for contradictions, asked about the
facts of the conversation. There is no journal and no state of our own about what is left to do: a
turn that the transcript has and the log has not waits for its summary. Rules of somebody else's are
no facts: `Conversation.held` keeps them apart (`sessions/held_rules.py`), so no code that looks at
facts has to know of them. `cli/chat.py` is a front end of `sessions/talk_to_model.py`, and
`server/` the proxy. Nothing asks a model under the lock of the vault; one session is held meanwhile
by a number in a queue (`storage/files/locking.py`, fair among processes, free when its holder
dies). Past states are read from Git by the trailer `Vaultmem-Turn`; below a merge or an undo, where
a number may be another turn's, by the words of the turns. Checkpoints lie on the main line, not on
a reference of their own: they are part of the turn's commit, so that they cannot differ from it and
every device has them.

In `server/`, `server/serving.py` (Host, Origin, token) and `server/serving.py` (socket, signals,
what may be listened at) know nothing of the proxy, and would do for any server of this device.
`server/proxy.py` has the requests; the vault is asked by two threads with a `Memory` each
(`server/proxy.py`), so that no request waits for the turn of another. `server/conversation.py` is
pure: what a request says, its digests, the memory put in. Which session a conversation is,
`sessions/begin_end.py` reads from the state of the sessions (`state.json`, committed with each
turn): there is no second store that could disagree with the vault, and a rewind takes the marks
back with the turn. `models/proxying.py` passes requests on over the same `Exchange` as ours,
`models/proxying.py` asks a model of another dialect (or of a recording) with the texts of a
request.
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.sessions import files, held_rules, truth
    from vaultmem.sessions import turn_prompt as context
    from vaultmem.sessions.artifacts import texts
    from vaultmem.sessions.at_work import tells_something
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
    )
    from vaultmem.sessions.files import SESSIONS, attached_files, exchanges_of, require_id
    from vaultmem.sessions.hard_facts import settle
    from vaultmem.sessions.held_rules import held_apart, hold_rules, waiting
    from vaultmem.sessions.replay import ends_in_turn, listing, replay, rewind, standing, view
    from vaultmem.sessions.steps import Summariser, queue
    from vaultmem.sessions.summarise.model import summariser_of
    from vaultmem.sessions.summary import RETRIES, finish, make_up, retry
    from vaultmem.sessions.talk_to_model import Talk
    from vaultmem.sessions.turn import Said, add_turn
    from vaultmem.sessions.turn_prompt import prompt, talk_of
    from vaultmem.sessions.two_sides import KeepBoth

attach(
    __name__,
    {
        "artifacts": "texts",
        "at_work": "tells_something",
        "begin_end": "Found Marks as_state beginning_of end end_idle find resume start",
        "files": "SESSIONS attached_files exchanges_of require_id",
        "hard_facts": "settle",
        "held_rules": "held_apart hold_rules waiting",
        "replay": "ends_in_turn listing replay rewind standing view",
        "steps": "Summariser queue",
        "summarise.model": "summariser_of",
        "summary": "RETRIES finish make_up retry",
        "talk_to_model": "Talk",
        "turn": "Said add_turn",
        "turn_prompt": "prompt talk_of",
        "two_sides": "KeepBoth",
    },
    modules="turn_prompt files held_rules truth",
)
