"""Sessions as a person reads them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vaultmem import language
from vaultmem.base import TYPE_CHECKING, replace
from vaultmem.cli.models import model_lines
from vaultmem.cli.note_lines import one_line

if TYPE_CHECKING:
    from vaultmem.model import (
        ArtifactRow,
        Prompt,
        SessionEnded,
        SessionRow,
        SessionView,
        Summarised,
        TruthLine,
        TurnReport,
        Unsummarised,
    )

_WIDTH = 90
_REASON = 200  # a reason ends in what can be done about it


def turn_lines(report: TurnReport) -> Iterator[str]:
    """What became of a turn."""
    commit = f" (commit {report.commit[:8]})" if report.commit else ""
    if report.is_repeat:
        yield f"turn {report.turn} was told before; nothing was changed"
        return
    yield f"kept turn {report.turn}{commit}"
    for text in report.removed:
        yield f"- {one_line(text, _WIDTH)}"
    for text in report.added:
        yield f"+ {one_line(text, _WIDTH)}"
    if report.artifacts:
        yield f"artifacts: {', '.join(report.artifacts)}"
    for warning in report.warnings:
        yield f"warning: {one_line(warning, _WIDTH)}"
    for kind in dict.fromkeys(each.kind for each in report.redacted):
        yield f"not kept: {kind}"
    if report.waiting:
        yield f"waiting for a summary: turn {', '.join(map(str, report.waiting))}"
    if report.unsummarised:
        yield f"  no summary of turn {report.turn}: {one_line(report.unsummarised, _REASON)}"


def view_lines(view: SessionView, zone: str, *, recent: int | None) -> Iterator[str]:
    """A session; `recent`: entries of the log, None: all, and the window word for word."""
    when = f", since {_day(view.started, zone)}" if view.started is not None else ""
    turns = f"{view.turn} turn{'' if view.turn == 1 else 's'}"
    name = view.session if view.title == view.session else f"{view.title} ({view.session})"
    yield f"{name}: {view.status}, {turns}{when}"
    yield f"  {view.folder}" + (f" at {view.commit[:8]}" if view.commit else "")
    yield from _truth_lines(view.truth)
    if view.held:
        yield ""
        yield "Somebody else's rules, which bind nobody (`vaultmem review`):"
        yield from (f"  {one_line(line.text, _WIDTH)}  ^{line.id}" for line in view.held)
    shown = view.log if recent is None else view.log[-recent:] if recent else ()
    if shown:
        yield ""
        left = len(view.log) - len(shown)
        yield f"Turns (the last {len(shown)} of {len(view.log)}):" if left else "Turns:"
    for entry in shown:
        amended = f" (on turn {entry.amends})" if entry.amends else ""
        mark = "  [no summary yet]" if entry.unsummarised else ""
        yield f"  {entry.turn}{amended}. {one_line(entry.user, _WIDTH)}{mark}"
        if entry.assistant:
            yield f"     > {one_line(entry.assistant, _WIDTH)}"
    if recent is None:
        for exchange in view.window:
            yield ""
            yield f"--- turn {exchange.turn}"
            yield from _turn_lines("user", exchange.user)
            yield from _turn_lines("assistant", exchange.assistant)
    elif recent:
        numbers = [each.turn for each in view.window]
        if numbers:
            said = f"turn{'' if len(numbers) == 1 else 's'} {', '.join(map(str, numbers))}"
            yield f"Word for word in the next prompt: {said}"
    if view.focus and recent != 0:
        yield f"Focus: {', '.join(word for word, _ in view.focus)}"
    if view.state is not None and recent != 0:
        import json

        yield f"State: {one_line(json.dumps(view.state, ensure_ascii=False), _WIDTH)}"
    if view.artifacts:
        yield f"Artifacts: {', '.join(row.name for row in view.artifacts)}"
    if view.waiting:
        turn_numbers = ", ".join(map(str, view.waiting))
        yield f"Waiting for a summary: turn {turn_numbers} (`session summarise {view.session}`)"


def rewound_lines(
    before: SessionView, view: SessionView, zone: str, *, recent: int | None, dry_run: bool
) -> Iterator[str]:
    """What going back did, or would do, and the state that it leaves."""
    gone = before.turn - view.turn
    turns = f"turn {before.turn}" if gone == 1 else f"turns {view.turn + 1} to {before.turn}"
    # The dry run printed the state alone, and read as if it had been done.
    if dry_run:
        leave = f"{turns} would leave the session" if gone else "no turn is later"
        yield f"nothing was changed: {leave}; the state after turn {view.turn}:"
    else:
        yield f"went back to the state after turn {view.turn}{_in_commit(view)}"
        if gone:
            yield f"  {turns} left the session; `vaultmem undo` brings back what did"
        elif not view.commit:
            yield "  nothing had come after it"
    yield ""
    yield from _state_lines(view, zone, recent=recent)


def resumed_lines(
    before: SessionView, view: SessionView, zone: str, *, recent: int | None
) -> Iterator[str]:
    """Whether a session was opened again, what was finished on the way, and its state."""
    if view.commit:
        yield f"session '{view.session}' is open again{_in_commit(view)}"
    else:
        yield f"session '{view.session}' was open already"
    finished = len(before.waiting) - len(view.waiting)
    if finished > 0:
        yield f"  {finished} turn{'' if finished == 1 else 's'} summarised"
    yield ""
    yield from _state_lines(view, zone, recent=recent)


def fact_lines(before: SessionView, view: SessionView, zone: str) -> Iterator[str]:
    """What a command changed in what holds, and all that holds now."""
    old, new = (*before.truth, *before.held), (*view.truth, *view.held)
    if not view.commit:
        yield f"nothing changed in what holds in session '{view.session}'"
    else:
        yield f"changed what holds in session '{view.session}'{_in_commit(view)}"
    for line in old:
        if line.id not in {each.id for each in new}:
            yield f"- {one_line(line.text, _WIDTH)}"
    for line in view.truth:
        if line not in before.truth:
            yield f"+ {one_line(line.text, _WIDTH)}{' (hard exception)' if line.hard else ''}"
    yield ""
    yield from _state_lines(view, zone, recent=0)


def _state_lines(view: SessionView, zone: str, *, recent: int | None) -> Iterator[str]:
    """A session whose commit was named before."""
    return view_lines(replace(view, commit=""), zone, recent=recent)


def _in_commit(view: SessionView) -> str:
    return f" (commit {view.commit[:8]})" if view.commit else ""


def listing_lines(rows: Sequence[SessionRow], zone: str) -> Iterator[str]:
    """Sessions, one a line."""
    if not rows:
        yield "no session is open; `vaultmem session start` begins one, `--all` lists ended ones"
    for row in rows:
        last = f", last {_day(row.updated, zone)}" if row.updated is not None else ""
        title = f"  {one_line(row.title, 50)}" if row.title != row.session else ""
        turns = f"{row.turns} turn{'' if row.turns == 1 else 's'}"
        yield f"{row.session}  {row.status}, {turns}{last}{title}"


def ended_lines(done: SessionEnded) -> Iterator[str]:
    """What an ended session left."""
    if not done.commit:
        yield f"session '{done.session}' had ended already"
        return
    added = [item for item in done.items if item.outcome == "add"]
    turns = f"{done.turns} turn{'' if done.turns == 1 else 's'}"
    yield f"ended session '{done.session}' after {turns} (commit {done.commit[:8]})"
    for item in added:
        review = "  [waits for you: `vaultmem review`]" if item.review else ""
        yield f"+ {one_line(item.statement, _WIDTH)}{review}"
    yield from model_lines(done)
    if done.path is not None:
        yield f"kept whole in {done.path}"
    yield from _waiting_lines(done.waiting)


def summarised_lines(done: Summarised) -> Iterator[str]:
    """What came of `session summarise`."""
    if done.summarised:
        yield f"{done.summarised} turn{'' if done.summarised == 1 else 's'} summarised"
    yield from _waiting_lines(done.waiting)
    if not done.summarised and not done.waiting:
        yield "nothing waits"


def _waiting_lines(waiting: Sequence[Unsummarised]) -> Iterator[str]:
    """Turns without a summary, with each reason once."""
    for why in dict.fromkeys(each.why for each in waiting):
        turns = ", ".join(str(each.turn) for each in waiting if each.why == why)
        yield f"no summary of turn {turns}: {one_line(why or 'nobody was asked yet', _REASON)}"


def artifact_lines(rows: Sequence[ArtifactRow]) -> Iterator[str]:
    """Artifacts, one a line."""
    if not rows:
        yield "no turn brought code or a document yet"
    for row in rows:
        size = f"{row.bytes:,} bytes" if row.sha256 else "an earlier version of it is gone"
        yield f"{row.name}  turn {row.turn}, {size}  {row.path}"


def prompt_lines(made: Prompt) -> Iterator[str]:
    """A prompt as it is sent, by role."""
    if made.system:
        yield from _turn_lines("system", made.system)
    for role, text in made.messages:
        yield from _turn_lines(role, text)
    yield ""
    left = f"; left out: {', '.join(made.left_out)}" if made.left_out else ""
    yield f"({made.tokens} tokens{left})"


def _truth_lines(truth: Sequence[TruthLine]) -> Iterator[str]:
    for title, chosen in (
        ("Hard exceptions", [line for line in truth if line.hard]),
        ("Holds now", [line for line in truth if not (line.hard or line.task)]),
        ("Tasks", [line for line in truth if line.task and not line.hard]),
    ):
        if chosen:
            yield ""
            yield f"{title}:"
        for line in chosen:
            box = "" if not line.task else "[x] " if line.task == "done" else "[ ] "
            yield f"  {box}{one_line(line.text, _WIDTH)}  ^{line.id}"


def _turn_lines(role: str, text: str) -> Iterator[str]:
    lines = text.split("\n") if text else []
    if lines:
        yield f"[{role}] {lines[0]}"
        yield from lines[1:]


def _day(at: int | None, zone: str) -> str:

    return "" if at is None else language.format_instant(at, zone)[:16].replace("T", " ")
