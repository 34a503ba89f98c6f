"""One call of a hook: what was told waits to be kept, and what is known is answered.

It fails open: whatever happens, the client goes on, within two seconds and without an error. What
went wrong is noted in the device state, for `vaultmem install --check`.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from vaultmem import base, config, context, projects, sessions
from vaultmem.assistants.hooks import turns_behind
from vaultmem.assistants.hooks.client_events import (
    COMPACTED,
    END,
    PROMPT,
    REPLY,
    START,
    SUBAGENT,
    Event,
    read_event,
    render_answer,
)
from vaultmem.base import TYPE_CHECKING, Any, dataclass, late
from vaultmem.language import content_words
from vaultmem.model import FOUND

if TYPE_CHECKING:
    from vaultmem.config import Settings
    from vaultmem.model import Line, Pack

ON, RECALL_ONLY, OFF = "on", "recall-only", "off"
OFF_FILE = ".vaultmem-off"
SWITCH = "VAULTMEM_HOOKS"  # of one session: VAULTMEM_HOOKS=off claude
STANDING_TOKENS = 800  # at the start; more is read by nobody, and paid for with each request
FRESH_TOKENS = 500  # at a prompt
_AGAIN_AFTER = 12  # prompts, after which what was given is given again: clients forget the oldest
_LONGEST_QUESTION = 2_000  # characters; of more the first and the last, where people ask
_FAR = 2.0  # score from which a memory answers without a word of the question; by its text, 1.8
_BEGINNING = 4  # letters that words of one root share
_PATIENCE_SECONDS = 0.6  # that a start waits for what the session before it has just told

_POLITE = late(
    r"\b(?:please|thank you|thanks|bitte|danke|s'il (?:te|vous) plaît|merci|por favor|gracias"
    r"|per favore|grazie|alsjeblieft|alstublieft|bedankt|obrigad[ao])\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hook:
    """One call."""

    client: str  # as `vaultmem hook` calls it
    data: bytes  # of the client
    vault: str | None  # None: the person's default; never the folder that they work in
    environ: Mapping[str, str]
    start: Callable[[Settings], None]  # who keeps what waits; nobody waits for it
    note_waiting: Callable[[], None] = lambda: None  # told when what was said waits in a file
    told_ns: int = 0  # when a call was told this whose time was over; 0: it is this call


def answer_hook(hook: Hook) -> str:
    """What the client is answered, as it reads it; '' for nothing."""
    event = read_event(hook.client, hook.data)
    if event is None:
        return ""
    # Cursor opens several folders in one window. Only the first was looked at once, and what was
    # said in a folder with `.vaultmem-off` was kept.
    if any(is_off_in(Path(each)) for each in event.folders or (os.getcwd(),)):
        return ""
    # A repository can bring a `vaultmem.toml` with a vault of its own, which would hear every word
    # and answer every question.
    root = config.find_own_vault(hook.vault, environ=hook.environ)
    settings = config.load_settings(root, environ=hook.environ)
    capture = capture_of(settings, hook.environ)
    if capture == OFF:
        return ""
    folder = event.folders[0] if event.folders else os.getcwd()
    project = projects.project_to_ask(folder, settings, environ=hook.environ)
    if capture == ON:
        _take_in(settings, event, hook, folder if project else "")
    # Until here the deadline of 1.6 s hands the words to another process. On a machine with a load
    # of 8 it came before they lay in a file, and two clients lost their prompt.
    hook.note_waiting()
    if hook.told_ns:
        return ""  # nobody reads it
    return render_answer(event, _memory(settings, event, project))


def is_off_in(folder: Path) -> bool:
    """Whether a file of this folder, or of one above, says that its work is not remembered."""
    return any((each / OFF_FILE).exists() for each in (folder, *folder.parents))


def capture_of(settings: Settings, environ: Mapping[str, str]) -> str:
    """`hooks.capture`, or what the environment of this session says instead."""
    told = environ.get(SWITCH, "").strip().lower()
    if told:
        return told if told in (ON, RECALL_ONLY) else OFF
    return settings.hooks_capture


def _take_in(settings: Settings, event: Event, hook: Hook, folder: str) -> None:
    """Let the words of an event wait, and start who keeps them."""
    words = _words(event)
    if words is not None:
        at_ns = hook.told_ns or time.time_ns()
        turns_behind.put(
            settings,
            at_ns,
            turns_behind.Told(
                session=event.session,
                client=event.client,
                kind=event.kind,
                words=words,
                folder=folder,
                at=at_ns // 1_000_000,
            ),
        )
    is_ready = event.kind in (REPLY, COMPACTED, END)
    if is_ready or (event.kind == START and turns_behind.has_waiting(settings)):
        hook.start(settings)


def _words(event: Event) -> str | None:
    """What is to be kept of an event; None for nothing at all.

    A prompt of which nothing may be kept waits too, as '': its reply belongs to no other.
    """
    if event.kind == PROMPT:
        return "" if event.is_subagent else sessions.own_words(event.words)
    if event.kind in (REPLY, COMPACTED):
        return None if event.is_subagent else sessions.reply_words(event.words)
    return "" if event.kind == END else None


# --- what is known ------------------------------------------------------------------------


def _memory(settings: Settings, event: Event, project: str) -> str:
    """The memories that answer an event, in a text for its model."""
    if event.kind not in (START, SUBAGENT, PROMPT):
        return ""
    asked = sessions.kept_words(event.words) if event.kind == PROMPT else ""
    typed = sessions.own_words(event.words) if event.kind == PROMPT else ""
    if event.kind == PROMPT and (event.is_subagent or not question_of(typed)):
        return ""
    if event.kind == START:
        _await_kept(settings)
    from vaultmem.api import Memory  # saves 60 modules where nothing is answered
    from vaultmem.vault import note_sending  # saves 20 modules there

    with Memory(settings=settings, short_lived=True) as memory:
        own = sessions.files.folders(memory.opened).get(event.session)
        talk = sessions.turn_prompt.beside(own)
        if event.kind != PROMPT:
            pack = context.context(
                memory.opened, "", budget=STANDING_TOKENS, talk=talk, project=project
            )
            lines: tuple[Line, ...] = pack.lines
        else:
            pack = context.context(
                memory.opened,
                question_of(asked),
                budget=FRESH_TOKENS,
                talk=talk,
                # .184 to .20 s of processor at 4,490 items; what is known beside the answer makes
                # it .277.
                brief=True,
                project=project,
            )
            lines = _answering(pack)
        given = _Given(settings, event.session, is_new=event.kind == START)
        if event.kind == PROMPT:
            lines = given.without(lines)
        if not lines:
            return ""
        told = context.lines_text(lines)
        where = f"the model of {event.client}"
        note_sending(memory.opened, "memory at a hook", where, f"{len(told):,} characters")
        if event.kind != SUBAGENT:
            given.add(lines)
        return told


def _answering(pack: Pack) -> tuple[Line, ...]:
    """The lines of a context for a prompt, where any of them answers it."""
    asked = _beginnings(pack.question)
    lines = tuple(
        line for line in pack.lines if line.tier not in FOUND or _is_worth_telling(line, asked)
    )
    if not pack.found:
        return ()
    is_found = [line.tier in FOUND for line in pack.lines]
    # Where nothing was found beside what is given unasked, it was found there.
    return lines if not any(is_found) or any(line.tier in FOUND for line in lines) else ()


def _is_worth_telling(line: Line, asked: frozenset[str]) -> bool:
    """Whether a line that was found tells something about what is asked.

    Not that the same was asked for before: "fix the build" answers nothing. Nor an item that shares
    no word with the question and was found for being said in a conversation that does.
    """
    is_near = not asked.isdisjoint(_beginnings(line.text))
    if line.line is None:
        return is_near or line.score >= _FAR
    # Of 200 coding prompts in ten sessions 53 were given an earlier request that shares a word with
    # them, 117 bytes a prompt; with these lines none is.
    if line.record or line.remark or not is_near:
        return False
    return not line.text.startswith("user: ") or sessions.tells_something(line.text)


def _beginnings(text: str) -> frozenset[str]:
    return frozenset(word[:_BEGINNING] for word in content_words(text))


def question_of(asked: str) -> str:
    """What is asked in a prompt, without politeness; of a long one its beginning and its end.

    "Please commit" found what stands in one text with "Please fix the build".
    """
    asked = _POLITE.sub(" ", asked).strip()
    if len(asked) <= _LONGEST_QUESTION:
        return asked
    half = _LONGEST_QUESTION // 2
    return f"{asked[:half]}\n{asked[-half:]}"


def _await_kept(settings: Settings) -> None:
    """Wait a little for what the session before told: whoever starts anew asks for just that."""
    until = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < until and any(
        each.kind == END for each in turns_behind.all_waiting(settings)
    ):
        time.sleep(0.05)


class _Given:
    """Which memories a session was given, so that it is not given them twice; disposable."""

    def __init__(self, settings: Settings, session: str, *, is_new: bool) -> None:
        self._file = turns_behind.folder_of(settings) / "given" / f"{session}.json"
        self._prompt = 0
        self._last: dict[str, int] = {}  # citation -> number of the prompt
        if is_new:
            return
        with suppress(OSError, ValueError, TypeError, AttributeError):
            found: Any = json.loads(self._file.read_bytes())
            self._prompt = int(found["prompt"])
            self._last = {str(key): int(value) for key, value in found["last"].items()}

    def without(self, lines: tuple[Line, ...]) -> tuple[Line, ...]:
        """Those that were not given lately."""
        self._prompt += 1
        least = self._prompt - _AGAIN_AFTER
        return tuple(line for line in lines if self._last.get(_key(line), least) <= least)

    def add(self, lines: tuple[Line, ...]) -> None:
        """They are given now."""
        self._last.update((_key(line), self._prompt) for line in lines)
        with suppress(OSError):
            os.makedirs(self._file.parent, mode=0o700, exist_ok=True)
            told = {"prompt": self._prompt, "last": self._last}
            base.replace_file(self._file, json.dumps(told).encode())


def _key(line: Line) -> str:
    return f"{line.citation} {line.line or ''}"
