"""What a conversation that goes on adds to a context: what holds in it, and its turns."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vaultmem.context.lines import SessionLines, Talk
from vaultmem.model.contexts import HARD, SESSION, TURNS
from vaultmem.sessions import files
from vaultmem.sessions import log as turnlog
from vaultmem.sessions.steps import current, raw_turns

if TYPE_CHECKING:
    from vaultmem.context.lines import LineMaker
    from vaultmem.vault.vault import Parts


def talk_of(parts: Parts, session: str) -> Talk:
    """A conversation by its id; reading it raises UnknownNoteError for one that is not there."""
    return Talk(lambda maker: _lines(parts, session, maker))


def beside(folder: PurePosixPath | None) -> Talk:
    """A conversation that is told in another way: only what the vault knows beside it is asked.

    A model that talks is given nothing from outside, and none of the words that it has already.
    folder  of the session; None: it begins
    """
    return Talk(lambda maker: SessionLines(folder, [], [], []), is_beside=True)


def _lines(parts: Parts, session: str, maker: LineMaker) -> SessionLines:
    """What a session holds now."""
    folder = files.folder_of(parts, session)
    now = current(parts, folder)
    truth, spoken = folder / files.TRUTH, folder / files.TRANSCRIPT
    log = folder / files.LOG
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
