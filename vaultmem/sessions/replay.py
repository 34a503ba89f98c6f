"""A session as it is, as it was after a turn, and back to that: read from Git's history.

A state is found by the trailer `Vaultmem-Turn`; below a merge or an undo, where a number may be
another turn's, by the words of the turns. Checkpoints are part of the turn's commit, so they cannot
differ from it, and every device has them.
"""

from __future__ import annotations

import json
from functools import partial
from pathlib import PurePosixPath

from vaultmem import edit, history
from vaultmem.base import TYPE_CHECKING, BadInputError, HistoryError, NamedTuple, replace
from vaultmem.config import session_settings
from vaultmem.language import canonical
from vaultmem.model import ACTIVE, LogLine, SessionRow, SessionView, TruthLine
from vaultmem.sessions import artifacts, files, truth
from vaultmem.sessions import turn_log as turnlog
from vaultmem.sessions.files import Conversation
from vaultmem.sessions.steps import current, raw_turns, screen_texts, write_change
from vaultmem.sessions.summarise_by_rules import without_code
from vaultmem.sessions.truth import Diff, Fact, apply_diff
from vaultmem.sessions.turn_log import focus
from vaultmem.sessions.two_sides import folders_before
from vaultmem.vault import WorkingCopy, unread

if TYPE_CHECKING:
    from vaultmem.model import Committed
    from vaultmem.vault import Vault

_TURN, _OP = "Vaultmem-Turn", "Vaultmem-Op"
_OF_TURNS = ("turn", "summarise", "prune", "rewind")
_MOST_COMMITS = 100_000


def view(vault: Vault, id_: str) -> SessionView:
    """The session as it is now."""
    folder = files.folder_of(vault, id_)
    now = current(vault, folder)
    return replace(_view(vault, now), artifacts=artifacts.rows(vault, now))


def after_change(vault: Vault, id_: str, done: Committed | None) -> SessionView:
    """The session as a change left it, with the commit of that change (None: it made none)."""
    return replace(view(vault, id_), commit=done.commit if done else "")


def replay(vault: Vault, id_: str, turn: int) -> SessionView:
    """The session exactly as it was when turn `turn` was through: 0 is before the first one.

    raises  BadInputError when it has fewer turns, HistoryError when the history does not say
    """
    now = current(vault, files.folder_of(vault, id_))
    _require_turn(now, turn)
    commit, folder = _state_of(vault, now, turn)
    then = replace(_at(vault, folder, commit), id=now.id, folder=now.folder)
    return replace(_view(vault, then), commit=commit)


def conversation_at(vault: Vault, now: Conversation, turn: int) -> Conversation | None:
    """The session as turn `turn` found it, that is after the one before; None: nobody knows."""
    try:
        commit, folder = _state_of(vault, now, turn - 1)
        return _at(vault, folder, commit)
    except HistoryError:
        return None


def rewind(vault: Vault, id_: str, turn: int) -> SessionView:
    """Make the state after a turn the present one, in one commit; the caller holds the queue.

    Later turns leave the files and stay in the history; `undo` takes it back.
    """
    folder = files.folder_of(vault, id_)
    with edit.writer(vault):
        working_copy = WorkingCopy(vault)
        now = files.load(folder, working_copy.text, zone=vault.settings.timezone)
        _require_turn(now, turn)
        commit, place = _state_of(vault, now, turn)
        then = _at(vault, place, commit)
        after = replace(
            now,
            exchanges=then.exchanges,
            log=then.log,
            facts=then.facts,
            held=then.held,
            state=then.state,
            pruned=then.pruned,
            # Turns that are taken back may be said again, and become items then.
            archived=min(now.archived, turn),
            updated=vault.clock.now(),
        )
        artifacts.take_back(working_copy, vault, folder, after=turn)
        what = f"back to turn {turn}"
        done = write_change(vault, working_copy, now, after, op="rewind", turn=turn, what=what)
    return after_change(vault, id_, done)


def ends_in_turn(vault: Vault, id_: str) -> bool:
    """Whether what `undo` would take back belongs to the turns of this session."""
    last = history.next_undone(vault)
    trailers = last.trailers if last else {}
    return trailers.get("Vaultmem-Session") == id_ and trailers.get(_OP) in _OF_TURNS


def listing(vault: Vault, *, everything: bool = False) -> tuple[SessionRow, ...]:
    """The open sessions (or all), newest first."""
    rows = []
    look = partial(unread.last_text, vault)
    for id_, folder in files.folders(vault).items():
        head, turns = files.head_of(folder, look, zone=vault.settings.timezone)
        if everything or head.status == ACTIVE:
            rows.append(
                SessionRow(
                    session=id_,
                    title=head.title,
                    status=head.status,
                    turns=turns,
                    started=head.started,
                    updated=head.updated,
                    folder=folder,
                )
            )
    return tuple(sorted(rows, key=lambda row: (-(row.updated or 0), row.session)))


class Standing(NamedTuple):
    """The sessions of a vault in numbers."""

    open: int = 0
    unsummarised: int = 0  # turns of open ones
    held: int = 0  # rules that wait for the person


def standing(vault: Vault) -> Standing:
    """The sessions in numbers; transcripts are not read."""
    look, zone = partial(unread.last_text, vault), vault.settings.timezone
    count = waiting = held = 0
    for folder in files.folders(vault).values():
        head, turns = files.head_of(folder, look, zone=zone)
        held += len(head.held)
        if head.status == ACTIVE:
            log = files.log_of(folder, look)
            count += 1
            waiting += sum(0 < turn <= turns for turn in turnlog.waiting(log))
            waiting += turns - len(files.told_of(log, turns))
    return Standing(count, waiting, held)


def _require_turn(now: Conversation, turn: int) -> None:
    if not 0 <= turn <= now.turns:
        raise BadInputError(
            f"session '{now.id}' has no turn {turn}", hint=f"it has turns 0 to {now.turns}"
        )


def _state_of(vault: Vault, now: Conversation, turn: int) -> tuple[str, PurePosixPath]:
    """The newest commit that belongs to a turn of this session, and its folder then.

    Commits of turns that were taken back are older than the rewind that took them back. Before an
    undo or a merge a number may be that of another turn: there the words decide. A session that
    was put beside another one, as two devices went on with it, had that one's folder before.
    """
    truth = (now.folder / files.TRUTH).as_posix()
    history = vault.history
    is_in_line = True
    for entry in history.log(limit=_MOST_COMMITS, paths=(truth,)):
        number = entry.trailers.get(_TURN, "")
        # A pull, an undo, a commit of git's own: below it numbers may be those of other turns.
        is_in_line = is_in_line and (bool(number) or entry.trailers.get(_OP) == "edit")
        if is_in_line and number.isdigit() and int(number) <= turn:
            return entry.commit, now.folder
        if not is_in_line and _is_after(vault, now, entry.commit, turn):
            return entry.commit, now.folder
    if not is_in_line:
        for folder in (now.folder, *folders_before(now.folder, files.folders(vault).values())):
            truth = (folder / files.TRUTH).as_posix()
            then = replace(now, folder=folder)
            for entry in history.log(limit=_MOST_COMMITS, paths=(truth,), all_lines=True):
                if _is_after(vault, then, entry.commit, turn):
                    return entry.commit, folder
        raise HistoryError(
            f"the history has no state of session '{now.id}' after turn {turn}",
            hint="turns that were imported came together; a turn before or after them can be shown",
        )
    raise HistoryError(
        f"the history does not go back to turn {turn} of session '{now.id}'",
        hint="a shallow clone lacks it: `git fetch --unshallow`",
    )


def _is_after(vault: Vault, now: Conversation, commit: str, turn: int) -> bool:
    """Whether a commit holds a session with these first turns and no other."""

    def read(path: PurePosixPath) -> bytes | None:
        return vault.history.text_at(commit, path.as_posix())

    zone = vault.settings.timezone
    if files.head_of(now.folder, read, zone=zone)[1] != turn:
        return False
    then = files.load(now.folder, read, zone=zone)
    return then.exchanges == now.exchanges[:turn]


def _at(vault: Vault, folder: PurePosixPath, commit: str) -> Conversation:
    def read(path: PurePosixPath) -> bytes | None:
        return vault.history.text_at(commit, path.as_posix())

    return files.load(folder, read, zone=vault.settings.timezone)


def _line(fact: Fact) -> TruthLine:
    return TruthLine(id=fact.id, text=fact.text, hard=fact.hard, task=fact.task)


def _state(text: str) -> object:
    """The agent's state; as text where it is no JSON any more, as after an edit by hand."""
    try:
        return json.loads(text) if text else None
    except (ValueError, RecursionError):
        return text


def _view(vault: Vault, now: Conversation) -> SessionView:
    limits = session_settings(vault.settings.values)
    chosen = set(raw_turns(vault, now))
    said = [without_code(each.user)[0] for each in now.exchanges[-limits.focus_turns :]]
    return SessionView(
        session=now.id,
        title=now.title,
        status=now.status,
        folder=now.folder,
        turn=now.turns,
        started=now.started,
        updated=now.updated,
        truth=tuple(_line(fact) for fact in now.facts),
        held=tuple(_line(fact) for fact in now.held),
        log=tuple(
            LogLine(
                turn=entry.turn,
                user=entry.user,
                assistant=entry.assistant,
                amends=entry.amends,
                unsummarised=entry.unsummarised,
                warnings=entry.warnings,
            )
            for entry in now.log
        ),
        window=tuple(each for each in now.exchanges if each.turn in chosen),
        focus=focus(said, terms=limits.focus_terms, turns=limits.focus_turns),
        state=_state(now.state),
        waiting=tuple(sorted((*now.unsummarised, *now.failed))),
    )


def settle(
    vault: Vault, id_: str, *, add: str = "", remove: str = "", hard: bool = False
) -> SessionView:
    """Add, harden or remove a fact, in one commit; the caller holds the queue of the session.

    add     its text; the id or text of one that waits takes that one
    remove  the fact's text, its id (`t3-1`), or words of it that stand in no other
    raises  BadInputError when it names no fact, or several
            SecretFoundError, ErasedTextError as for a turn
    """
    folder = files.folder_of(vault, id_)
    clean, _ = screen_texts(vault, {"fact": add} if add else {})
    add = clean.get("fact", "")
    with edit.writer(vault):
        working_copy = WorkingCopy(vault)
        now = files.load(folder, working_copy.text, zone=vault.settings.timezone)
        after = _settle_change(now, add=add, remove=remove, hard=hard)
        what = f"{'without' if remove else 'with'} {remove or add}"
        done = write_change(vault, working_copy, now, after, op="fact", turn=now.turns, what=what)
    return after_change(vault, id_, done)


def _settle_change(now: Conversation, *, add: str, remove: str, hard: bool) -> Conversation:
    add = next((fact.text for fact in now.facts if add and fact.id == add), add)
    add, held = _take_held(now.held, add)
    gone, kept = _take_held(held, remove)
    if remove and kept != held:
        return replace(now, held=kept)
    named = next((fact.text for fact in now.facts if gone and fact.id == gone), gone)
    diff = Diff(
        remove=(named,) if gone else (),
        add=(add,) if add else (),
        hard=(add,) if add and hard else (),
    )
    done = apply_diff(now.facts, diff, by_person=True)
    if done.warnings:
        raise BadInputError(
            f"'{remove or add}' names no fact of session '{now.id}', or more than one",
            hint=f"`vaultmem session show {now.id}` lists them with their ids",
        )
    facts = truth.number_facts(done.facts, now.turns, beside=held)
    return replace(now, facts=facts, held=held)


def _take_held(held: tuple[Fact, ...], named: str) -> tuple[str, tuple[Fact, ...]]:
    """The text of the rule that is meant, and those that go on waiting; else as given."""
    for fact in held:
        if named and (fact.id == named or canonical(fact.text) == canonical(named)):
            return fact.text, tuple(each for each in held if each is not fact)
    return named, held
