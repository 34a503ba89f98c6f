"""One turn of a conversation: kept before anything else, then summarised.

Phase 1 is durable when it returns: the words of the turn are committed. Phase 2 makes the summary
and changes base truth. By the rules that takes milliseconds, and both are one commit; with a
summariser phase 2 has a commit of its own, made while no lock of the vault is held. What phase 2
did not come to is what the transcript has and the log has not, so nothing has to be remembered
about it: whoever comes next to this session finishes it, on any device.
"""

from __future__ import annotations

import json
from pathlib import PurePosixPath

from vaultmem import edit, extract
from vaultmem import vault as vaults
from vaultmem.base import TYPE_CHECKING, BadInputError, dataclass, replace
from vaultmem.model import ACTIVE, Exchange, TurnReport
from vaultmem.sessions import files
from vaultmem.sessions import turn_log as log
from vaultmem.sessions.artifacts import kept_apart
from vaultmem.sessions.files import Conversation, is_pending
from vaultmem.sessions.steps import (
    Summariser,
    current,
    raw_turns,
    screen_texts,
    write_change,
)
from vaultmem.sessions.summary import RETRIES, finish, outcome_of, retry, route_of, with_summary
from vaultmem.sessions.truth import Fact
from vaultmem.vault import WorkingCopy

if TYPE_CHECKING:
    from vaultmem.model import Removed
    from vaultmem.vault import Vault

LONGEST_STATE = 1_000_000  # bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A turn as it is told."""

    user: str
    assistant: str = ""
    at: int | None = None  # None: now
    state: str | None = None  # JSON of the agent; None: as it was
    number: int | None = None  # of the turn: telling it twice changes nothing; None: the next one


def add_turn(
    vault: Vault,
    id_: str,
    said: Said,
    *,
    summariser: Summariser | None = None,
    later: bool = False,
    begin: Conversation | None = None,
) -> TurnReport:
    """Keep a turn and what it changes; the caller holds `queue`.

    later   return once the turn is durable; `finish` does the rest
    begin   the session as it is to be made where there is none, or opened again where it has
            ended, in the commit of the turn; None: it is there and open
    raises  BadInputError for a session that has ended, a number that is not the next, no words
            SecretFoundError when the settings say that secrets stop a text
    """
    folder = _folder(vault, id_, begin)
    # The turn before this one, whose process died: base truth is to change in the order of the
    # talk.
    if is_pending(folder, WorkingCopy(vault).text, zone=vault.settings.timezone):
        finish(vault, id_, summariser)
    said, redacted = _screen(vault, said)
    kept = _keep(vault, id_, said, with_rules=summariser is None, begin=begin)
    if summariser is not None and not later and not kept.is_repeat:
        finish(vault, id_, summariser)
        kept = _final_report(vault, id_, kept)
    # The summariser answers, or there is none any more: one that failed has a chance.
    has_chance = not later and kept.is_summarised and bool(kept.waiting)
    if has_chance and retry(vault, id_, summariser, most=RETRIES).done:
        now = current(vault, folder)
        waiting, window = now.failed, raw_turns(vault, now)
        kept = replace(kept, waiting=waiting, window=window)
    return replace(kept, redacted=redacted)


# --- phase 1 ------------------------------------------------------------------------------


def _folder(vault: Vault, id_: str, begin: Conversation | None) -> PurePosixPath:
    """Where the session lies, or will."""
    if begin is None:
        return files.folder_of(vault, id_)
    return files.folders(vault).get(id_, begin.folder)


def _keep(
    vault: Vault, id_: str, said: Said, *, with_rules: bool, begin: Conversation | None
) -> TurnReport:

    folder = _folder(vault, id_, begin)

    def keep() -> TurnReport:
        with edit.writer(vault):
            return _keep_once(vault, folder, said, with_rules=with_rules, begin=begin)

    return vaults.retry_when_stale(keep)


def _keep_once(
    vault: Vault,
    folder: PurePosixPath,
    said: Said,
    *,
    with_rules: bool,
    begin: Conversation | None,
) -> TurnReport:
    working_copy = WorkingCopy(vault)
    before = files.load(folder, working_copy.text, zone=vault.settings.timezone)
    if begin is not None and working_copy.text(folder / files.TRUTH) is None:
        before = begin
    if before.status != ACTIVE and begin is None:
        raise BadInputError(
            f"session '{before.id}' has ended",
            hint=f"`vaultmem session resume {before.id}` opens it again",
        )
    repeated = _repeated_turn(before, said)
    if repeated is not None:
        return replace(_turn_report(vault, before, repeated), is_repeat=True)
    number = before.turns + 1
    at = vault.clock.now() if said.at is None else said.at
    apart = kept_apart(vault, working_copy, before, (said.user, said.assistant), turn=number)
    exchange = Exchange(turn=number, user=apart.user, assistant=apart.assistant, at=at)
    now = replace(
        before,
        status=ACTIVE,
        exchanges=(*before.exchanges, exchange),
        updated=at,
        state=before.state if said.state is None else said.state,
    )
    size = ""
    if with_rules:
        outcome, way = outcome_of(vault, before, exchange, None)
        now, size = with_summary(vault, now, exchange, outcome, way), way.size
    committed = write_change(
        vault, working_copy, before, now, op="turn", turn=number, what=_first(exchange)
    )
    told = _turn_report(vault, now, exchange, before=before)
    return replace(
        told,
        size=size or route_of(vault, exchange, has_cue=False).size,
        commit=committed.commit if committed else "",
        artifacts=apart.names,
    )


def _repeated_turn(before: Conversation, said: Said) -> Exchange | None:
    """The turn that is told again; None when this is the next one."""
    if said.number is None or said.number == before.turns + 1:
        return None
    if not 1 <= said.number <= before.turns:
        raise BadInputError(
            f"turn {said.number} cannot come after turn {before.turns}",
            hint=f"the next turn is {before.turns + 1}",
        )
    known = before.exchanges[said.number - 1]
    same = (known.user, known.assistant) == (said.user.strip(), said.assistant.strip())
    # Of a new version of a document the transcript holds a stand-in, which no words are equal to.
    if not same and not known.user.startswith("(the document "):
        raise BadInputError(
            f"turn {said.number} of session '{before.id}' was told with other words",
            hint="leave the number out for a new turn",
        )
    return known


def _screen(vault: Vault, said: Said) -> tuple[Said, tuple[Removed, ...]]:
    """The turn as it may be written; raises for what must not be."""
    if not said.user.strip() and not said.assistant.strip():
        raise BadInputError(
            "there is nothing in this turn", hint="give --user, --assistant or both"
        )
    extract.require_text(f"{said.user}\n{said.assistant}", vault.settings.limits_note_bytes // 4)
    told = {"user": said.user, "assistant": said.assistant}
    if said.state is not None:
        told["state"] = canonical_state(said.state)
    clean, removed = screen_texts(vault, told)
    return (
        replace(
            said,
            user=clean["user"],
            assistant=clean["assistant"],
            state=clean.get("state"),
        ),
        removed,
    )


def canonical_state(text: str) -> str:
    """The agent's state as it is kept: canonical JSON, so that equal states are equal bytes."""
    try:
        loaded = json.loads(text)
        found = json.dumps(loaded, ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False)
    except (ValueError, RecursionError) as error:
        raise BadInputError(
            f"the state is not JSON: {error}", hint='for example: {"step": 3}'
        ) from error
    if len(found.encode("utf-8", "replace")) > LONGEST_STATE:
        raise BadInputError(f"the state has more than {LONGEST_STATE:,} bytes")
    return found


# --- writing and telling ------------------------------------------------------------------


def _first(exchange: Exchange) -> str:
    text = " ".join((exchange.user or exchange.assistant).split())
    return f"turn {exchange.turn}: {text}"


def _final_report(vault: Vault, id_: str, kept: TurnReport) -> TurnReport:
    """The report of a turn once phase 2 is through."""
    now = current(vault, files.folder_of(vault, id_))
    told = _turn_report(vault, now, now.exchanges[kept.turn - 1])
    return replace(
        told,
        commit=kept.commit,
        size=kept.size,
        artifacts=kept.artifacts,
        added=tuple(fact.text for fact in now.facts if _is_of(fact, kept.turn)),
    )


def _is_of(fact: Fact, turn: int) -> bool:
    return fact.id.startswith(f"t{turn}-")


def _turn_report(
    vault: Vault, now: Conversation, exchange: Exchange, *, before: Conversation | None = None
) -> TurnReport:
    entry = log.latest_entries(now.log).get(exchange.turn)
    old = {fact.text for fact in before.facts} if before else set()
    new = {fact.text for fact in now.facts} if before else set()
    return TurnReport(
        session=now.id,
        turn=exchange.turn,
        commit="",
        size="",
        is_summarised=entry is not None and not entry.unsummarised,
        user=entry.user if entry else "",
        assistant=entry.assistant if entry else "",
        added=tuple(fact.text for fact in now.facts if before and fact.text not in old),
        removed=tuple(fact.text for fact in before.facts if fact.text not in new) if before else (),
        warnings=entry.warnings if entry else (),
        unsummarised=entry.unsummarised if entry else "",
        window=raw_turns(vault, now),
        waiting=tuple(sorted((*now.unsummarised, *now.failed))),
    )


def keep_state(vault: Vault, id_: str, state: str, *, begin: Conversation | None = None) -> None:
    """Keep the state of a session's agent in one commit, without a turn; the caller holds `queue`.

    state   JSON; without its secrets, as the settings say
    begin   the session as it is to be made where there is none; it is opened again where it ended
    raises  BadInputError for what is no JSON or too long, SecretFoundError, ErasedTextError
    """
    clean, _ = screen_texts(vault, {"state": canonical_state(state)})
    try:
        json.loads(clean["state"])
    except ValueError as error:
        raise BadInputError(
            "without its secrets the state is no JSON any more", hint="keep secrets out of it"
        ) from error
    if begin is None:
        folder = files.folder_of(vault, id_)
    else:
        folder = files.folders(vault).get(id_, begin.folder)

    def keep() -> None:
        with edit.writer(vault):
            working_copy = WorkingCopy(vault)
            before = files.load(folder, working_copy.text, zone=vault.settings.timezone)
            if begin is not None and working_copy.text(folder / files.TRUTH) is None:
                before = begin
            now = replace(before, state=clean["state"], status=ACTIVE, updated=vault.clock.now())
            is_new = working_copy.text(folder / files.TRUTH) is None
            write_change(
                vault,
                working_copy,
                replace(before, title="") if is_new else before,
                now,
                op="session",
                turn=before.turns,
                what="state of the agent",
            )

    vaults.retry_when_stale(keep)
