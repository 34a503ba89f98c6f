"""Sessions begin, end, and go on; what was said is kept; which session a told-anew talk belongs to.

A session that nobody ended, as after a crash, is ended by the next one that starts, once it has
been idle for `sessions.idle`. Ending twice changes nothing: the same text is the same resource.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import PurePosixPath

from vaultmem import edit, extract, judgement, language, model, remember
from vaultmem import vault as vaults
from vaultmem.base import (
    TYPE_CHECKING,
    Any,
    BadInputError,
    BusyError,
    DiskError,
    PatchRefusedError,
    StaleFileError,
    dataclass,
    late,
    replace,
)
from vaultmem.config import session_settings
from vaultmem.judgement import HOME, JOB, judge_sentence, tokens_of, told_of_speaker
from vaultmem.language import canonical, format_instant, vocabulary
from vaultmem.model import (
    ACTIVE,
    ENDED_STATES,
    Document,
    Draft,
    Extraction,
    Plan,
    Rejected,
    Remove,
    SessionEnded,
    SessionView,
    Turn,
    Unsummarised,
    Write,
    beginning,
)
from vaultmem.safety import defang
from vaultmem.sessions import files
from vaultmem.sessions import turn_log as log
from vaultmem.sessions.files import SESSIONS, Conversation, put_all
from vaultmem.sessions.replay import after_change, listing, view
from vaultmem.sessions.steps import Summariser, current, queue, screen_texts, write_change
from vaultmem.sessions.summarise_by_rules import Rules
from vaultmem.sessions.truth import DONE
from vaultmem.sessions.turn import finish, make_up
from vaultmem.sessions.turn_size import clip_words
from vaultmem.vault import WorkingCopy, is_persons

if TYPE_CHECKING:
    from vaultmem.model import Evolved, Prepared
    from vaultmem.remember import PlannedText
    from vaultmem.vault import Vault

MOST_IDLE = 3
"""Sessions that one start ends on the way: whoever starts one waits for it."""
_EPISODE_IMPORTANCE = 5  # algorithms 6.2
_EPISODE_WORDS = 60
_SHOWN_FACTS = 4
_MOST_NAMED = 8  # entities of an episode
_QUOTE = 300  # characters


def start(
    vault: Vault, id_: str, *, title: str = "", writer: str = "", project: str = ""
) -> SessionView:
    """Make a session, empty and open; idle ones are ended on the way.

    project  in which it is held; '': in none
    raises  BadInputError when the id cannot be one, or is taken
            SecretFoundError, ErasedTextError as for a turn
    """
    files.require_id(id_)
    end_idle(vault)
    with queue(vault, id_), edit.writer(vault):
        if id_ in files.folders(vault):
            raise BadInputError(
                f"there is a session '{id_}' already",
                hint=f"`vaultmem session resume {id_}` goes on with it",
            )
        new = beginning_of(vault, id_, title=title, writer=writer, project=project)
        nothing = replace(new, title="")
        working_copy = WorkingCopy(vault)
        write_change(vault, working_copy, nothing, new, op="session", turn=0, what="started")
    return view(vault, id_)


def end_idle(vault: Vault) -> None:
    """End sessions in which nothing was said for long."""
    for idle in _idle(vault)[:MOST_IDLE]:
        # One that is busy, or that nobody can read, is no reason not to begin another.
        with suppress(BusyError, PatchRefusedError, DiskError), queue(vault, idle):
            if end(vault, idle, None).without not in ("", extract.NONE_SET):
                break  # the model is silent: one wait for it is enough


def beginning_of(
    vault: Vault,
    id_: str,
    *,
    title: str = "",
    writer: str = "",
    client: str = "",
    project: str = "",
) -> Conversation:
    """A session before its first turn; nothing is written.

    raises  BadInputError for an id that cannot be one; SecretFoundError, ErasedTextError
    """
    files.require_id(id_)
    texts = {"title": title, "project": project}
    clean, _ = screen_texts(vault, {name: text for name, text in texts.items() if text})
    now = vault.clock.now()
    day = format_instant(now, vault.settings.timezone)[:10]
    return Conversation(
        id=id_,
        folder=SESSIONS / f"{day}-{id_}",
        title=" ".join(clean.get("title", "").split()) or id_,
        started=now,
        updated=now,
        writer=writer or "person",
        client=client,
        project=" ".join(clean.get("project", "").split()),
    )


def end(vault: Vault, id_: str, summariser: Summariser | None) -> SessionEnded:
    """Finish what waits, keep what was said as a text with its items, and close the session.

    The caller holds the queue of the session. An ended session changes nothing.
    """
    waiting = make_up(vault, id_, summariser).waiting
    folder = files.folder_of(vault, id_)
    return vaults.retry_when_stale(lambda: _end_once(vault, current(vault, folder), waiting))


def resume(vault: Vault, id_: str, summariser: Summariser | None) -> SessionView:
    """Open a session again, with what a crash left undone finished; the caller holds the queue."""
    finish(vault, id_, summariser)
    folder = files.folder_of(vault, id_)
    done = None
    with edit.writer(vault):
        working_copy = WorkingCopy(vault)
        now = files.load(folder, working_copy.text, zone=vault.settings.timezone)
        if now.status != ACTIVE:
            opened = replace(now, status=ACTIVE, updated=vault.clock.now())
            done = write_change(
                vault, working_copy, now, opened, op="session", turn=now.turns, what="resumed"
            )
    return after_change(vault, id_, done)


def _idle(vault: Vault) -> list[str]:
    """Open sessions that nothing was said in for long, the oldest first."""
    limit = session_settings(vault.settings.values).idle_seconds * 1000
    now = vault.clock.now()
    if not limit:
        return []
    rows = [row for row in listing(vault) if now - (row.updated or 0) > limit]
    return [row.session for row in reversed(rows)]


def _end_once(vault: Vault, now: Conversation, waiting: tuple[Unsummarised, ...]) -> SessionEnded:

    fresh = [each for each in now.exchanges if each.turn > now.archived]
    if now.status == ENDED_STATES and not fresh:
        return SessionEnded(session=now.id, turns=now.turns, resource="", path=None)
    ready = [
        (replace(prepared, title=_title(now)), _of_conversation(vault, now, prepared, extraction))
        for prepared, extraction in (remember.read(vault, [_document(vault, now)]) if fresh else ())
    ]
    # Before the lock is taken: a model may be asked here.
    advice = remember.ask_model(vault, ready, with_summaries=True)
    evolved: tuple[Evolved, ...] = ()
    with edit.writer(vault):
        done: PlannedText | None = None
        working_copy = WorkingCopy(vault)
        same = files.load(now.folder, working_copy.text, zone=vault.settings.timezone)
        # A turn that came while the text was read is in none of the drafts: it is all read again.
        if same.exchanges != now.exchanges:
            raise StaleFileError(now.folder / files.TRANSCRIPT, expected=None, found=None)
        changes: tuple[Write | Remove, ...] = ()
        trailers: tuple[tuple[str, str], ...] = ()
        for prepared, extraction in ready:
            done = remember.TakingIn(vault, advice).add(prepared, extraction, with_lists=True)
            if done.plan is not None:
                changes, evolved = remember.taken_in(done.plan.changes, advice.summaries)
                trailers = done.plan.trailers
        closed = replace(same, status=ENDED_STATES, archived=now.turns, updated=vault.clock.now())
        put_all(working_copy, closed, same, zone=vault.settings.timezone)
        plan = Plan(
            op="archive",
            actor="agent",
            subject=f"session {now.id}: ended after {now.turns} turns",
            changes=(*changes, *working_copy.step()),
            trailers=(
                *trailers,
                ("Vaultmem-Session", now.id),
                ("Vaultmem-Turn", str(now.turns)),
            ),
        )
        committed = vaults.apply(vault, [plan])
    commit = committed[-1].commit if committed else ""
    if done is None:
        ended = SessionEnded(session=now.id, turns=now.turns, resource="", path=None)
        return replace(ended, commit=commit, waiting=waiting)
    [(_, found)] = ready
    report = remember.with_advice(replace(done.report, read_by=found.read_by), advice)
    return SessionEnded(
        session=now.id,
        turns=now.turns,
        resource=report.resource,
        path=report.path,
        items=report.items,
        commit=commit,
        waiting=waiting,
        read_by=found.read_by,
        without=found.without,
        untied=report.untied,
        summaries=evolved,
        opinions=report.opinions,
    )


def _title(now: Conversation) -> str:
    since = f" (from turn {now.archived + 1})" if now.archived else ""
    return f"Conversation: {now.title}{since}"


def _document(vault: Vault, now: Conversation) -> Document:
    """What was said since the last time it was archived, as a text to remember."""
    turns: list[Turn] = []
    for each in now.exchanges:
        if each.turn > now.archived:
            turns.append(Turn(text=each.user, role="user", said_at=each.at))
            if each.assistant:
                turns.append(Turn(text=each.assistant, role="assistant", said_at=each.at))
    return Document(
        text=extract.render(turns, vault.settings.timezone),
        title=_title(now),
        date=now.started,
        origin="conversation",
        session=now.id,
        writer=now.writer,
        projects=(now.project,) if now.project else (),
        secrets="allow",  # they were looked for when each turn was kept
    )


def _of_conversation(
    vault: Vault, now: Conversation, prepared: Prepared, found: Extraction
) -> Extraction:
    """The drafts of a conversation: without what it overtook itself, and with the episode."""
    settings = vault.settings
    # The rules beside a model are asked for by their own name: by the extractor's, every turn and
    # every end failed (78) as soon as `extractor = "llm"`.
    made = model.plain_extractor(settings.extractor, zone=settings.timezone, categories=())
    rules = Rules(vault, made, now=now.updated or vault.clock.now())
    gone = rules.overtaken([turn.text for turn in prepared.turns if turn.role == "user"])
    gone |= {canonical(fact.text) for fact in now.facts if fact.task == DONE}
    if is_persons(now.writer):  # else its rules wait as items, too
        # A rule of somebody else's that waits for review was made an item of the person's by the
        # end of the conversation, and stood in the next context.
        gone |= {canonical(fact.text) for fact in now.held}
    drafts, rejected = list[Draft](), list(found.rejected)
    for draft in found.drafts:
        if canonical(draft.statement) in gone:
            rejected.append(Rejected(text=draft.statement, rule="overtaken"))
        elif now.client and not outlasts_work(draft.statement, in_project=bool(now.project)):
            rejected.append(Rejected(text=draft.statement, rule="momentary"))
        else:
            drafts.append(draft)
    if now.client:  # ten of them a day: that each took place is in its transcript, and is no item
        return replace(found, drafts=tuple(drafts), rejected=tuple(rejected))
    every = (*drafts, *_episode(now, prepared, _most_named(drafts)))
    return replace(found, drafts=every, rejected=tuple(rejected))


def _most_named(drafts: Sequence[Draft]) -> tuple[str, ...]:
    """Who and what a conversation was about: what its items name, most often first."""
    counts = Counter(name for draft in drafts for name in draft.entities)
    return tuple(sorted(counts, key=lambda name: (-counts[name], name))[:_MOST_NAMED])


def _names_in(own: Sequence[str]) -> tuple[str, ...]:
    """Names that the person said, in whatever sentence."""
    said = (extract.mask_inline(line) for text in own for line in language.sentences(text))
    return tuple(
        dict.fromkeys(name for line in said for name in extract.names_in(extract.tokens_of(line)))
    )


def _topics_of(own: Sequence[str]) -> tuple[str, ...]:
    """The topic of which most words were said; () where none is, or two are as likely."""
    known = extract.topics_by_word()
    counts = Counter(
        topic for text in own for word in language.words(text) for topic in known.get(word, ())
    )
    best = counts.most_common(2)
    if not best or (len(best) > 1 and best[0][1] == best[1][1]):
        return ()
    return (best[0][0],)


def _kept_of(
    own: Sequence[str], turns: Sequence[Turn], answered: str
) -> dict[str, str | tuple[str, ...]]:
    """What the record of a conversation keeps beside its words (algorithms 6.2)."""
    tools = tuple(dict.fromkeys(name for turn in turns for name, _ in extract.calls_in(turn.text)))
    found: dict[str, str | tuple[str, ...]] = {"sentiment": judgement.mood_of("\n".join(own))}
    if answered:
        found["response"] = defang(answered)
    if tools:
        found["tools"] = tools
    return found


def _episode(now: Conversation, prepared: Prepared, entities: tuple[str, ...]) -> tuple[Draft, ...]:
    """That the conversation took place, and what it was about; none where nobody said a thing."""
    said = (turn for turn in prepared.turns if turn.role == "user" and turn.text.strip())
    first = next(said, None)
    if first is None:
        return ()
    told = log.latest_entries(now.log)
    begun = next((entry.user for turn, entry in told.items() if turn > now.archived), "")
    held = "; ".join(fact.text.rstrip(".") for fact in now.facts[-_SHOWN_FACTS:])
    day = "" if now.started is None else format_instant(now.started)[:10]
    sentences = [
        beginning(now.title, day, now.turns - now.archived),
        f"it began with: {begun.rstrip('.')}" if begun else "",
        f"in the end held: {held}" if held else "",
    ]
    statement, _ = clip_words("; ".join(each for each in sentences if each), _EPISODE_WORDS)
    own = [turn.text for turn in prepared.turns if turn.role == "user" and turn.text.strip()]
    answered = next((e.assistant for t, e in told.items() if t > now.archived and e.assistant), "")
    return (
        Draft(
            statement=statement,
            quote=first.text.strip()[:_QUOTE].splitlines()[0],
            rule="session:archived",
            kind="event",
            importance=_EPISODE_IMPORTANCE,
            observed="observed",
            said_at=now.started,
            valid_from=now.started,
            turn=prepared.turns.index(first),
            entities=tuple(dict.fromkeys((*entities, *_names_in(own))))[:_MOST_NAMED],
            tags=_topics_of(own),
            fields=_kept_of(own, prepared.turns, answered),
        ),
    )


# --- sessions of clients that tell the conversation anew ---

# Clients of a chat endpoint send the whole conversation every time and name it nowhere. So the
# state of such a session (state.json, one with each turn) holds marks of what its client will send
# next. No second store has to agree with the vault: it works after a restart, on another device,
# and after `session rewind`.
_KEY = "proxy"
_NAMES = ("so_far", "before", "last", "asked")
_KEYS = ("key", "key_before")  # only in the state of a session whose client names what was said
_LONGEST_STATE = 1_000  # bytes; a longer one is an agent's own


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """Digests of what a client sends back; '' where there is nothing to send."""

    so_far: str  # of all that was said, this turn included
    before: str  # without this turn: whoever sends that takes this turn back
    last: str  # of this turn alone: for clients that send only the end of a conversation
    asked: str = ""  # of the person's words of this turn
    key: str = ""  # of what a client names in place of sending what was said, as its last reply
    key_before: str = ""  # what it named so for this turn: who names that takes this turn back


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A session that a request goes on with."""

    id: str
    turns: int
    is_ended: bool
    is_back: bool  # its last turn is taken back: the client asks for another reply, or asks anew


def as_state(marks: Marks) -> str:
    """The state of a session with these marks."""
    values = {name: getattr(marks, name) for name in (*_NAMES, *_KEYS)}
    return json.dumps({_KEY: {n: v for n, v in values.items() if v or n in _NAMES}})


def find(vault: Vault, sent: Marks, *, id_: str = "") -> Found | None:
    """The session that a request goes on with; None: it begins one.

    sent  of the request: `so_far` and `last` of what was said before it, `asked` of what is asked,
          `key` of what it names in place of that
    id_   the client names the session: no other is looked at

    One whose last reply is named comes first, then one whose words are all those of the request;
    of two that are the same either will do. Then one that is a turn further, which is taken back:
    it must be the only one, or the only one of which the same was asked. Then the only one whose
    last turn is that of the request.
    """
    known = files.folders(vault)
    if id_:
        folder = known.get(id_)
        if folder is None:
            return None
        marks = _marks(vault, folder)
        so_far = sent.so_far
        is_back = marks is not None and bool(so_far) and marks.before == so_far != marks.so_far
        return _to_found(vault, folder, is_back=is_back)
    if not (sent.so_far or sent.key):
        return None
    marked = [(folder, _marks(vault, folder)) for folder in reversed(known.values())]
    there = [(folder, marks) for folder, marks in marked if marks is not None]
    if sent.key:
        for folder, marks in there:
            if sent.key in (marks.key, marks.key_before):
                return _to_found(vault, folder, is_back=sent.key != marks.key)
    if not sent.so_far:
        return None
    for folder, marks in there:
        if marks.so_far == sent.so_far:
            return _to_found(vault, folder, is_back=False)
    further = [(folder, marks.asked) for folder, marks in there if marks.before == sent.so_far]
    same = [folder for folder, asked in further if asked == sent.asked]
    back = same or [folder for folder, _ in further]
    if back:
        return _to_found(vault, back[0], is_back=True) if len(back) == 1 else None
    ends = [folder for folder, marks in there if sent.last and marks.last == sent.last]
    return _to_found(vault, ends[0], is_back=False) if len(ends) == 1 else None


def _to_found(vault: Vault, folder: PurePosixPath, *, is_back: bool) -> Found:
    read = WorkingCopy(vault).text
    head, turns = files.head_of(folder, read, zone=vault.settings.timezone)
    return Found(
        id=files.id_of(folder),
        turns=turns,
        is_ended=head.status != ACTIVE,
        is_back=is_back and turns > 0,
    )


def _marks(vault: Vault, folder: PurePosixPath) -> Marks | None:
    """The marks of a session; None for one that no such client talks in."""
    try:
        with open(vault.root / folder / files.STATE, encoding="utf-8") as stream:
            text = stream.read(_LONGEST_STATE + 1)
        found: Any = json.loads(text) if len(text) <= _LONGEST_STATE else None
    except (OSError, ValueError, RecursionError):
        return None
    kept = found.get(_KEY) if isinstance(found, dict) else None
    if not isinstance(kept, dict):
        return None
    values = [value for name in _NAMES if isinstance(value := kept.get(name), str)]
    if len(values) != len(_NAMES):
        return None
    so_far, before, last, asked = values
    key, key_before = (value if isinstance(value := kept.get(name), str) else "" for name in _KEYS)
    return Marks(
        so_far=so_far, before=before, last=last, asked=asked, key=key, key_before=key_before
    )


_SAID = vocabulary("at_work")

_LASTS = late(rf"\b(?:{_SAID['lasts']})\b", re.IGNORECASE)
_POINTS = late(rf"\b(?:{_SAID['points']})\b", re.IGNORECASE)
_WORK = late(rf"\b(?:{_SAID['work']})\b", re.IGNORECASE)
# `load`, load(), load_config, loadConfig, KeyError, utils.py
_CODE = late(r"`|\w\(\)|\w_\w|[a-z][A-Z]|\b[\w-]+\.[a-z]{1,4}\b")
_ASKS = late(rf"\b(?:{_SAID['asks']})\b", re.IGNORECASE)
_CHOICE = late(rf"\b(?:{_SAID['choice']})\b", re.IGNORECASE)
# 'I never saw this': of the past, no rule.
_NEVER_YET = late(r"\b(?:never|always) (?:\w+ed|saw|had|got|was|were|did|knew)\b", re.IGNORECASE)
# Of 76 sentences in seven languages, what lasts and has no word for it has .86 and more ("I'm a
# vegetarian"); what tells how the work stands has less where no word of the work is in it.
_SURE = 0.85
_FAMILY = ("kin", "pet")  # of what is said of them nothing is work


def tells_something(text: str) -> bool:
    """Whether words of a conversation that became no item are worth telling to another one.

    "The staging database is called blue" is; of 200 prompts, requests of before were given to 53.
    """
    words = text.removeprefix("user: ")
    return judge_sentence(words).keep >= _SURE and not any(
        pattern.search(words) for pattern in (_ASKS, _WORK, _CODE, _CHOICE, _POINTS)
    )


def outlasts_work(text: str, *, in_project: bool = False) -> bool:
    """Whether a sentence said to a coding assistant is worth an item.

    in_project  the project is known, which "here" is then

    What concerns health is. What has a word for what lasts is, unless it points at what lies before
    both. What surely speaks of the person is, unless it asks for something or is about code.
    """
    if in_project:
        text = extract.without_here(text)
    judged = judge_sentence(text)
    if judged.critical == "health":
        return True
    lasting = _LASTS.search(text)
    if lasting and not _NEVER_YET.search(text):
        rest = text[: lasting.start()] + text[lasting.end() :]
        if not _POINTS.search(rest):
            return True
    if any(pattern.search(text) for pattern in (_ASKS, _WORK, _CODE)):
        return False
    if judged.critical == "safety" or not {HOME, JOB}.isdisjoint(told_of_speaker(text)):
        return True
    # 'My boss hates long meetings' (worth .36) is an item; none of 172 coding prompts became one by
    # it.
    if not judged.is_own or _CHOICE.search(text):
        return False
    signs = {sign for each in tokens_of(text).signs for sign in each}
    return judged.keep >= _SURE or not signs.isdisjoint(_FAMILY)
