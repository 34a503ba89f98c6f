"""What the person decides, and between which pairs; an operation of the command line for each.

A form says which version of the note the person saw. Where the note is another one by now, nothing
is done, and the message is that of the command line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from vaultmem.api import Memory
from vaultmem.base import BadInputError, NamedTuple, StaleFileError
from vaultmem.model import NoteRow

Form = Mapping[str, str]
_SHORT = 8  # characters of a commit
_TOLD = 3  # of many notes, these are named


class Done(NamedTuple):
    """What was done, for the person."""

    message: str
    commit: str = ""  # that `undo` takes back; '': nothing was committed


def decide(memory: Memory, form: Form) -> Done:
    """Do what a form says.

    raises  BadInputError for no such verb; StaleFileError where the note is not what was seen; and
            whatever the operation raises: nothing is changed then
    """
    verb = VERBS.get(form.get("verb", ""))
    if verb is None:
        raise BadInputError(f"'{form.get('verb', '')[:40]}' is nothing that can be decided here")
    return verb(memory, form)


def _approve(memory: Memory, form: Form) -> Done:
    done = memory.review.approve(_ref(memory, form))
    return Done(f"approved: {' '.join(done.statements)}", done.commit or "")


def _reject(memory: Memory, form: Form) -> Done:
    done = memory.review.reject(_ref(memory, form))
    return Done(f"rejected: {' '.join(done.statements)}", done.commit or "")


def _change(memory: Memory, form: Form) -> Done:
    since = form.get("effective", "").strip() or None
    done = memory.change(_ref(memory, form), _words(form), effective=since)
    if done.no_op:
        return Done(f"nothing to do: {done.no_op}")
    new = done.successor.statement if done.successor is not None else done.after.statement
    return Done(f"changed: {new}", done.commit or "")


def _correct(memory: Memory, form: Form) -> Done:
    done = memory.correct(_ref(memory, form), _words(form))
    if done.no_op:
        return Done(f"nothing to do: {done.no_op}")
    return Done(f"corrected: {done.after.statement}", done.commit or "")


def _newer_is_right(memory: Memory, form: Form) -> Done:
    """The older one ends where the newer one begins."""
    older = _ref(memory, form)
    newer = _require_seen(memory, form.get("newer", ""), form.get("newer_seen", ""))
    done = memory.facts.expire(older, until=newer.valid_from)
    if done.no_op:
        return Done(f"nothing to do: {done.no_op}")
    return Done(f"ended, since the newer is right: {done.before.statement}", done.commit or "")


def _forget(memory: Memory, form: Form) -> Done:
    done = memory.forget(_ref(memory, form))
    if not done.notes:
        return Done("nothing was forgotten")
    # A text from which nothing else came goes with its item: the person is to hear of both.
    what = "; ".join(each.text for each in done.notes[:_TOLD])
    more = f"; and {len(done.notes) - _TOLD} more" if len(done.notes) > _TOLD else ""
    return Done(f"forgot: {what}{more}", done.commit or "")


def _undo(memory: Memory, form: Form) -> Done:
    commit = form.get("commit", "").strip()
    if not (_SHORT <= len(commit) <= 64 and commit.isascii() and commit.isalnum()):
        raise BadInputError("the form names no commit", hint="load the page again")
    done = memory.undo(commit)
    return Done(f"taken back: {done.subject}", done.commit)


VERBS: Mapping[str, Callable[[Memory, Form], Done]] = {
    "approve": _approve,
    "reject": _reject,
    "change": _change,
    "correct": _correct,
    "newer": _newer_is_right,
    "forget": _forget,
    "undo": _undo,
}


def _words(form: Form) -> str:
    words = " ".join(form.get("statement", "").split())
    if not words:
        raise BadInputError("no words are given", hint="write how it is")
    return words


def _ref(memory: Memory, form: Form) -> str:
    """What the form is about, which is as the person saw it."""
    ref = form.get("ref", "")
    if ref.startswith("q-"):  # a request of an assistant, which holds what the item said
        return ref
    row = _require_seen(memory, ref, form.get("seen", ""))
    return row.id or row.path.as_posix()


def _require_seen(memory: Memory, ref: str, oid: str) -> NoteRow:
    """The note, if it is the version that was seen; raises StaleFileError for another one."""
    if not ref:
        raise BadInputError("the form names no note", hint="load the page again")
    row = memory.show(ref).note
    if row.oid != oid:
        raise StaleFileError(row.path, expected=oid, found=row.oid)
    return row


_MOST_PAIRS = 20
_MARKS = ("may_replace", "contradicts")


class Pair(NamedTuple):
    """Two items of which the newer may have put an end to the older."""

    newer: NoteRow
    older: NoteRow
    excludes: bool  # both cannot be true; False: the older may only be over


def pairs_of(memory: Memory) -> list[Pair]:
    """Active items that a newer one may have replaced or contradicts, the newest first."""
    index = memory.opened.index
    found = []
    for mark in _MARKS:
        for path, key in index.typed_links(mark):
            newer, older = index.note(path), index.resolve_link(key)
            if newer is None or older is None or newer.path == older.path:
                continue
            if newer.status == older.status == "active" and older.valid_until is None:
                found.append(Pair(newer, older, mark == "contradicts"))
    found.sort(key=lambda pair: (-(pair.newer.date or 0), pair.newer.id, pair.older.id))
    return found[:_MOST_PAIRS]
