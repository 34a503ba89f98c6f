"""What a conversation that goes on adds to a context: what holds in it, and its turns."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vaultmem.frozen import NamedTuple
from vaultmem.model.contexts import HARD, SESSION, TURNS, Line
from vaultmem.operations import session_files
from vaultmem.operations.session_steps import current, raw_turns
from vaultmem.sessions import turnlog

if TYPE_CHECKING:
    from vaultmem.operations.context_lines import LineMaker
    from vaultmem.operations.parts import Parts


class Beside(NamedTuple):
    """A conversation that is told in another way: only what the vault knows beside it is asked.

    A model that talks is given nothing from outside, and none of the words that it has already.
    """

    folder: PurePosixPath | None  # of the session; None: it begins


class SessionLines(NamedTuple):
    """The lines of one session."""

    folder: PurePosixPath | None  # whose texts are not found once more; None: it has none yet
    hard: list[Line]
    facts: list[Line]
    turns: list[Line]  # the newest first: the last ones word for word, those before as logged


def session_lines(parts: Parts, session: str | Beside, maker: LineMaker) -> SessionLines:
    """What a session holds now; raises UnknownNoteError for another id."""
    if isinstance(session, Beside):
        return SessionLines(session.folder, [], [], [])
    folder = session_files.folder_of(parts, session)
    now = current(parts, folder)
    truth, spoken = folder / session_files.TRUTH, folder / session_files.TRANSCRIPT
    log = folder / session_files.LOG
    found = SessionLines(folder, [], [], [])
    for fact in now.facts:
        tier = HARD if fact.hard else SESSION
        line = maker.plain(tier, fact.text, truth, now.updated)
        (found.hard if fact.hard else found.facts).append(line)
    told, verbatim = turnlog.told(now.log), set(raw_turns(parts, now))
    for each in reversed(now.exchanges):
        entry = told.get(each.turn)
        is_whole = each.turn in verbatim or entry is None
        user, assistant = (
            (each.user, each.assistant)
            if entry is None or is_whole
            else (entry.user, entry.assistant)
        )
        text = f"{each.turn}. They: {user} / Assistant: {assistant}"
        found.turns.append(maker.plain(TURNS, text, spoken if is_whole else log, each.at))
    return found
