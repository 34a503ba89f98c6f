"""The memory of one conversation: base truth, turn log, raw window, artifacts.

Words that end here: `session`, `chat`; the proxy, hooks and adapters keep conversations here.

Promises
* A turn is durable before anything is made of it; its summary may fail and is made up for.
* Turns of several processes come one after the other; no lock is held while a model works.
* Any turn can be seen again as it was, and gone back to, from the history alone.
* A conversation that two devices went on with is kept twice, each side whole.

Never: keeps a journal of what is left to do (a turn without an entry in the log waits), and lets
a rule bind that came from somebody else.

Where is the rule for ...
    which session a talk belongs to; its end    begin_end.py
    what a turn keeps, how deeply it is read    turn.py, turn_size.py
    its summary                                 turn.py, summarise.py
    without a model; "the budget is 4,000"       summarise_by_rules.py
    what holds now in a conversation            truth.py
    the prompt of the next turn                 turn_prompt.py
    code and documents                          artifacts.py
    the person's own words of a prompt          own_words.py
    an earlier state                            replay.py
    two devices; rules of others                two_sides.py, held_rules.py
    the files                                   files.py, turn_log.py
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
    from vaultmem.sessions.summarise import summariser_of
    from vaultmem.sessions.turn import RETRIES, Said, add_turn, finish, keep_state, make_up, retry
    from vaultmem.sessions.turn_prompt import Talk, prompt, talk_of
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
        "summarise": "summariser_of",
        "turn": "RETRIES Said add_turn finish keep_state make_up retry",
        "turn_prompt": "Talk prompt talk_of",
        "two_sides": "KeepBoth",
    },
    modules="turn_prompt files held_rules truth",
)
