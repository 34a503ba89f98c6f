"""The state of an agent, kept between turns: what it had said and called when the process died."""

from __future__ import annotations

import json

from vaultmem import edit
from vaultmem.base import TYPE_CHECKING, BadInputError, StaleFileError, replace
from vaultmem.model import ACTIVE
from vaultmem.sessions import files
from vaultmem.sessions.files import Conversation
from vaultmem.sessions.steps import TRIES, screen_texts, write_change
from vaultmem.sessions.turn import canonical_state
from vaultmem.vault import Workbench

if TYPE_CHECKING:
    from vaultmem.vault import Parts


def keep_state(parts: Parts, id_: str, state: str, *, begin: Conversation | None = None) -> None:
    """Keep the state of a session's agent in one commit, without a turn; the caller holds `queue`.

    state   JSON; without its secrets, as the settings say
    begin   the session as it is to be made where there is none; it is opened again where it ended
    raises  BadInputError for what is no JSON or too long, SecretFoundError, ErasedTextError
    """
    clean, _ = screen_texts(parts, {"state": canonical_state(state)})
    try:
        json.loads(clean["state"])
    except ValueError as error:
        raise BadInputError(
            "without its secrets the state is no JSON any more", hint="keep secrets out of it"
        ) from error
    if begin is None:
        folder = files.folder_of(parts, id_)
    else:
        folder = files.folders(parts).get(id_, begin.folder)
    for attempt in range(1, TRIES + 1):
        try:
            with edit.writer(parts):
                bench = Workbench(parts)
                before = files.load(folder, bench.text, zone=parts.settings.timezone)
                if begin is not None and bench.text(folder / files.TRUTH) is None:
                    before = begin
                now = replace(
                    before, state=clean["state"], status=ACTIVE, updated=parts.clock.now()
                )
                is_new = bench.text(folder / files.TRUTH) is None
                write_change(
                    parts,
                    bench,
                    replace(before, title="") if is_new else before,
                    now,
                    op="session",
                    turn=before.turns,
                    what="state of the agent",
                )
            return
        except StaleFileError:  # a person saved a file of the session: read it again
            if attempt == TRIES:
                raise
