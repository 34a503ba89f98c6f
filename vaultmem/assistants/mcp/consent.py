"""`change` and `forget`: what only the person may do is put to them, and never to the model.

Each is a plan first: what an assistant may change itself is done at once; for the rest there is a
`Question`. The server puts it to the person through their client (elicitation); where that cannot
be, or they do not say yes, what was asked for waits in `vaultmem review`. No argument says yes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from vaultmem import edit, review
from vaultmem.assistants.mcp.fence import as_data, fence_lines
from vaultmem.assistants.mcp.tool_table import instant
from vaultmem.base import TYPE_CHECKING, Any, BadInputError, NotAllowedError, dataclass
from vaultmem.language import format_date
from vaultmem.model import CHANGE, EXPIRE, RETRACT
from vaultmem.safety import find_hidden

if TYPE_CHECKING:
    from vaultmem.api import Memory
    from vaultmem.model import Changed
    from vaultmem.review import Request

REVIEW = "Nothing is changed yet: it waits for the user, who decides with `vaultmem review`."
_LONGEST_WHY = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What the person is asked before anything of theirs is changed."""

    message: str  # for their eyes; the model does not see it
    agree: str  # beside the box that they tick
    settle: Callable[[bool], str]  # does it (they agreed), or tells that it waits for review


def change(memory: Memory, arguments: Mapping[str, Any]) -> str | Question:
    """A memory replaced by another one, or over."""
    to, ended = _line(arguments.get("to")), arguments.get("ended")
    if not to and not ended:
        raise BadInputError(
            "nothing says what is so now", hint="give `to` (the new statement), `ended`, or both"
        )
    _require_plain("to", to)
    request = _request(memory, CHANGE if to else EXPIRE, arguments["id"], arguments)
    return _done_or_asked(memory, [request])


def forget(memory: Memory, arguments: Mapping[str, Any]) -> str | Question:
    """Memories taken back."""
    asked = [_request(memory, RETRACT, id_, arguments) for id_ in arguments["ids"]]
    # By item: one that was named twice, in two spellings, was forgotten and reported as an error.
    return _done_or_asked(memory, list({each.item: each for each in asked}.values()))


def _request(memory: Memory, op: str, ref: str, arguments: Mapping[str, Any]) -> Request:
    """What is asked for, about an item that is there; raises UnknownNoteError, BadInputError."""
    note = memory.show(ref).note
    if note.type != "item" or not note.id:
        raise BadInputError(
            f"'{as_data(ref, 100)}' is no single memory", hint="give an id that begins with i-"
        )
    ended = arguments.get("ended")
    return review.Request(
        op=op,
        item=note.id,
        says=note.statement,
        to=_line(arguments.get("to")) if op == CHANGE else "",
        at=instant(memory, ended),
        why=as_data(arguments.get("why") or "", _LONGEST_WHY),
        asked_at=memory.opened.clock.now(),
    )


def _done_or_asked(memory: Memory, requests: Sequence[Request]) -> str | Question:
    """All are looked at before the first is done, so that an error changes nothing."""
    theirs = [each for each in requests if _is_theirs(memory, each)]
    own = [each for each in requests if each not in theirs]
    done = [_carry_out(memory, each, writer="agent") for each in own]
    if not theirs:
        return fence_lines(done)

    # It waits from now on: whatever becomes of the question, or of this process, it is not lost.
    asked = [review.ask(memory.opened, each) for each in theirs]

    def settle(is_agreed: bool) -> str:
        if not is_agreed:
            return fence_lines([*done, *map(_waits, asked)], above=(REVIEW,))
        agreed = []
        for each in asked:
            agreed.append(_describe_change(review.carry_out(memory.opened, each), each))
            review.withdraw(memory.opened, each)
        return fence_lines([*done, *agreed], above=("The user agreed.",))

    return Question(message=_message(memory, theirs), agree=_AGREE[theirs[0].op], settle=settle)


_AGREE = {CHANGE: "Yes, replace it", EXPIRE: "Yes, it is over", RETRACT: "Yes, forget it"}


def _is_theirs(memory: Memory, request: Request) -> bool:
    """Whether only the person may do it; raises what else speaks against it."""
    try:
        edit.carry_out(memory.opened, review.wanted_of(request, writer="agent"), dry_run=True)
    except NotAllowedError:
        # What speaks against it in itself is said to the model, and not to the person.
        edit.carry_out(memory.opened, review.wanted_of(request, writer="person"), dry_run=True)
        return True
    return False


def _carry_out(memory: Memory, request: Request, *, writer: str) -> str:
    wanted = review.wanted_of(request, writer=writer)
    return _describe_change(edit.carry_out(memory.opened, wanted), request)


def _describe_change(changed: Changed, request: Request) -> str:
    """What was done, as one line of data."""
    said = f"{request.item} “{as_data(request.says, 400)}”"
    if changed.no_op:
        return f"nothing to do ({changed.no_op}): {said}"
    if changed.successor is not None:
        after = changed.successor
        return f"changed: {said} -> {after.id} “{as_data(after.statement, 400)}”"
    verb = "ended" if request.op == EXPIRE else "forgotten (`vaultmem undo` brings it back)"
    return f"{verb}: {said}"


def _waits(request: Request) -> str:
    becomes = f" -> “{as_data(request.to, 400)}”" if request.to else ""
    said = as_data(request.says, 400)
    return f"waits for the user as {request.id}: {request.item} “{said}”{becomes}"


def _message(memory: Memory, requests: Sequence[Request]) -> str:
    """The question, with all that would be changed: nobody agrees to words that they cannot see."""
    zone = memory.settings.timezone
    asked = []
    for each in requests:
        says = as_data(each.says, len(each.says) * 8)
        since = "" if each.at is None else f" (since {format_date(each.at, zone)})"
        if each.op == CHANGE:
            asked.append(f"“{says}”\nbecomes{since}\n“{as_data(each.to, len(each.to) * 8)}”")
        elif each.op == EXPIRE:
            asked.append(f"“{says}”\nis over{since}")
        else:
            asked.append(f"“{says}”\nis forgotten")
    why = requests[0].why
    reason = f"\n\nThe assistant's reason: “{why}”" if why else ""
    return "An assistant wants to change your memory:\n\n" + "\n\n".join(asked) + reason


def _line(text: str | None) -> str:
    return " ".join((text or "").split())


def _require_plain(name: str, text: str) -> None:
    """Refuse a statement with characters that the person would not see when they are asked."""
    if any(True for _ in find_hidden(text)):
        raise BadInputError(
            f"'{name}' holds characters that no screen shows", hint="write it in plain letters"
        )
