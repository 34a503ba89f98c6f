"""One turn through a summariser that may fail: what becomes of it either way.

Rules read a turn where no model is set (`summarise_by_rules.py`); a model that fails is named, and
the turn waits: its words were committed before this is asked. A diff that could mean several facts
changes none; hard facts are out of its reach.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

from vaultmem import models
from vaultmem import vault as vaults
from vaultmem.base import TYPE_CHECKING, Any, VaultmemError, dataclass, replace
from vaultmem.config import session_settings
from vaultmem.judgement import is_only_introduced, own_words, spans
from vaultmem.language import STOP_WORDS, format_date, shorten_paths, words
from vaultmem.model import Exchange, Message, list_schema, object_schema
from vaultmem.sessions import turn_log as log
from vaultmem.sessions.files import Conversation
from vaultmem.sessions.truth import Applied, Diff, Fact, Warned, apply_diff, key_of
from vaultmem.sessions.turn_size import clip_words

if TYPE_CHECKING:
    from vaultmem.model import LLM, Schema
    from vaultmem.sessions.steps import Summariser
    from vaultmem.vault import Vault

# Whether what a summariser says was said at all: the guard against invented facts.

# Of the content words of what is told (algorithms.md 8.7): 'plausible substrings' refuse each true
# paraphrase, since nobody says 'User prefers'.
GROUNDED = 0.6
UNGROUNDED = "ungrounded_diff"
NOT_THEIRS = "not_the_persons_rule"

# Who speaks is not said in the exchange: "User prefers ..." stands for "I prefer ...".
_SPEAKERS = frozenset(["user", "assistant", "person"])
POLARITY = frozenset(["no", "not", "never", "cannot", "without", "don't", "can't", "won't"])

Stem = Callable[[str], str]


def share_said(entry: str, said: str, *, stem: Stem) -> float:
    """Share of an entry's content words (stems) that occur in what was said, 0..1.

    Of an entry with a key, the words of its value: `Database: SQLite` names what was only meant
    ("let's use SQLite"), and half of its words would count against it. A label can be wrong, it
    cannot state what nobody said. An entry without a content word ("it is") has 0.
    """
    wanted = _value(entry, stem=stem)
    return len(wanted & content(said, stem=stem)) / len(wanted) if wanted else 0.0


def _value(entry: str, *, stem: Stem) -> frozenset[str]:
    """The words of an entry's value; without a key, all of them."""
    # Nobody who says 'SQLite' says the key of 'Database: SQLite': half of such facts were dropped.
    value = content(entry.partition(":")[2], stem=stem) if key_of(entry) else frozenset()
    return value or content(entry, stem=stem)


def content(text: str, *, stem: Stem) -> frozenset[str]:
    """The stems of a text's words that say something, without those for the speakers."""
    return frozenset(
        stem(word)
        for word in words(text)
        if (word not in STOP_WORDS or word in POLARITY) and word not in _SPEAKERS
    )


def keep_grounded(
    diff: Diff,
    facts: Sequence[Fact],
    said: str,
    *,
    stem: Stem,
    least: float = GROUNDED,
    earlier: str = "",
) -> tuple[Diff, tuple[Warned, ...]]:
    """The diff without what was not said, and what was left out.

    said     both sides of the exchange
    least    share of an entry's content words that must stand there or in the fact it replaces
    earlier  what the turn before was about; its words count for an entry of which the exchange
             itself has some: 'Yes, both weeks.' is an answer
    A value that takes the place of another one has something that was said now. Removals are
    for `keep_spoken_of`.
    """
    dropped: list[Warned] = []
    now = content(said, stem=stem)

    def is_said(entry: str, before: str) -> bool:
        # A removal once needed no ground but a fact of its name, so a reply could empty base truth
        # in a turn about the weather.
        if not entry.strip() or share_said(entry, f"{said}\n{before}", stem=stem) >= least:
            return True
        # A short answer ('Tuesday.', 'It's 14.') counts with the words of the question before.
        if _value(entry, stem=stem) & now:
            wider = f"{said}\n{before}\n{earlier}"
            if share_said(entry, wider, stem=stem) >= least:
                return True
        dropped.append(Warned(code=UNGROUNDED, entry=" ".join(entry.split())))
        return False

    def is_new(entry: str, before: str) -> bool:
        value = _value(entry, stem=stem)
        fresh = value - content(before, stem=stem) or value
        if not before or not value or fresh & now:
            return True
        dropped.append(Warned(code=UNGROUNDED, entry=" ".join(entry.split())))
        return False

    update = []
    for entry in diff.update:
        before = _replaced_text(facts, entry)
        if is_said(entry, before) and is_new(entry, before):
            update.append(entry)
    add = tuple(entry for entry in diff.add if is_said(entry, ""))
    return replace(diff, update=tuple(update), add=add), tuple(dropped)


def keep_spoken_of(diff: Diff, said: str, *, stem: Stem) -> tuple[Diff, tuple[Warned, ...]]:
    """The diff without removals and finished tasks of which nothing was said, and those.

    said  both sides of the exchange and of the turn before ('Forget that.'), without what the
          person pasted: a page that calls a plan off says nothing of theirs
    """
    heard = content(said, stem=stem)

    def keep_spoken(entries: Sequence[str]) -> tuple[str, ...]:
        return tuple(each for each in entries if content(each, stem=stem) & heard)

    remove, done = keep_spoken(diff.remove), keep_spoken(diff.done)
    gone = [*(e for e in diff.remove if e not in remove), *(e for e in diff.done if e not in done)]
    warned = tuple(Warned(code=UNGROUNDED, entry=" ".join(each.split())) for each in gone)
    return replace(diff, remove=remove, done=done), warned


def keep_binding(
    diff: Diff, own: str, *, stem: Stem, least: float = GROUNDED
) -> tuple[Diff, tuple[Warned, ...]]:
    """The diff in which only the person's own words become hard, and what does not.

    own    what the person said in the turn; '': nothing of it is theirs
    least  share of an entry's content words that must stand there
    Such an entry stays a fact: it may hold, it does not bind.
    """
    # Both sides are ground for plain facts; a rule made of the assistant's words would stand in
    # every prompt as the person's.
    hard = tuple(each for each in diff.hard if share_said(each, own, stem=stem) >= least)
    others = [each for each in diff.hard if each not in hard and each.strip()]
    warned = tuple(Warned(code=NOT_THEIRS, entry=" ".join(each.split())) for each in others)
    return replace(diff, hard=hard), warned


def _replaced_text(facts: Sequence[Fact], entry: str) -> str:
    """The text of the fact that an update would replace; '' when it would replace none."""
    before = {fact.text for fact in facts}
    after: Applied = apply_diff(facts, Diff(update=(entry,)), by_person=True)
    gone = before - {fact.text for fact in after.facts}
    return gone.pop() if gone else ""


# What a summariser answered, read as untrusted text.

MOST_ENTRIES = 50
"""Entries of each kind that are read: a turn that changes more is no turn but an attack."""
LONGEST_ENTRY = 600
"""Characters of an entry; a longer one is no fact."""

DIFF_KEYS = ("remove", "update", "add", "hard", "tasks", "done")

_FENCED = re.compile(r"```[a-zA-Z]*[ \t]*\n(.*?)\n?```", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A turn in short, and what it changes."""

    user: str
    assistant: str
    diff: Diff = Diff()
    topic: str = ""


def read_summary(reply: str) -> Summary | None:
    """The summary in a reply; None when it is malformed.

    JSON, alone or inside a fence; keys that miss are empty, keys that we do not know are left
    alone, a value of the wrong type makes it malformed.
    """
    found = read_object(reply)
    if found is None:
        return None
    user, assistant = found.get("user_summary", ""), found.get("assistant_summary", "")
    diff = read_diff(found.get("diff", {}))
    if not isinstance(user, str) or not isinstance(assistant, str) or diff is None:
        return None
    if not (user.strip() or assistant.strip() or "diff" in found):
        return None
    topic = found.get("topic", "")
    return Summary(
        user=user, assistant=assistant, diff=diff, topic=topic if isinstance(topic, str) else ""
    )


def read_diff(found: object) -> Diff | None:
    """A diff of parsed JSON; None when it is malformed."""
    if found is None:
        return Diff()
    if not isinstance(found, dict):
        return None
    lists = {key: _texts(found.get(key)) for key in DIFF_KEYS}
    read = {key: texts for key, texts in lists.items() if texts is not None}
    return Diff(**read) if len(read) == len(lists) else None


def read_object(reply: str) -> dict[str, Any] | None:
    """The JSON object of a reply, inside a fence or between other words; None: there is none."""
    fenced = _FENCED.search(reply)
    start, end = reply.find("{"), reply.rfind("}")
    candidates = [reply, fenced[1] if fenced else "", reply[start : end + 1] if start >= 0 else ""]
    for text in candidates:
        try:
            loaded = json.loads(text)
        except (ValueError, RecursionError):
            continue
        if isinstance(loaded, dict):
            return loaded
    return None


def _texts(found: object) -> tuple[str, ...] | None:
    if found is None:
        return ()
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        return None
    if len(found) > MOST_ENTRIES or any(len(each) > LONGEST_ENTRY for each in found):
        return None
    return tuple(found)


# The limits of algorithms.md 8.1. They are in the prompt as well, but a model does not keep them.
USER_WORDS = 25
ASSISTANT_WORDS = 30
ATTEMPTS = 2  # of a reply that is malformed; one that does not come is not asked for again
CLIPPED = "summary_clipped"

Ask = Callable[[], str]
"""Asks the summariser: its reply, or a VaultmemError (timeout, refusal, no connection)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What phase 2 makes of a turn."""

    user: str  # summary, or the turn's own words where there is none
    assistant: str
    attempts: int
    is_summarised: bool
    applied: Applied  # base truth afterwards
    is_applied: bool = False  # a diff was read, and not all of it dropped
    failure: str = ""  # why there is no summary
    diff: Diff = Diff()  # as it was carried out: without what was not said
    topic: str = ""

    @property
    def warnings(self) -> tuple[Warned, ...]:
        """Everything in the diff that was not simply carried out."""
        return self.applied.warnings


def summarise(
    ask: Ask,
    facts: Sequence[Fact],
    user: str,
    assistant: str,
    *,
    stem: Stem,
    with_diff: bool = True,
    user_words: int = USER_WORDS,
    assistant_words: int = ASSISTANT_WORDS,
    least_said: float = GROUNDED,
    is_theirs: bool = True,
    earlier: str = "",
) -> Outcome:
    """Ask, once more after a malformed reply; then the raw words stand in and nothing changes.

    with_diff  False: the turn is too slight, only its summary counts
    is_theirs  False: the user's words are not the person's own, and set no hard fact
    earlier    what was said in the turn before: a short answer is understood by it
    """
    summary: Summary | None = None
    failure, attempts = "", 0
    while summary is None and attempts < ATTEMPTS:
        attempts += 1
        try:
            reply = ask()
        except VaultmemError as error:
            failure = shorten_paths(str(error))
            break
        summary = read_summary(reply)
        failure = "" if summary else f"the reply is not what was asked for: {reply[:120]!r}"
    if summary is None:
        said, _ = clip_words(user, user_words)
        answered, _ = clip_words(assistant, assistant_words)
        return Outcome(
            user=said,
            assistant=answered,
            attempts=attempts,
            is_summarised=False,
            applied=Applied(facts=tuple(facts)),
            failure=failure,
        )
    found = spans(user)
    own = own_words(user, found=found)  # what they pasted is summarised; it sets nothing
    # A removal needs no ground: pasted words are none.
    # A page that somebody pasted could call a trip off.
    if found and is_only_introduced(user, found):
        kept = replace(summary.diff, remove=(), update=(), done=())
        summary = replace(summary, diff=kept)
    return carry_out_summary(
        summary,
        facts,
        f"{own}\n{assistant}",
        own=own if is_theirs else "",
        stem=stem,
        with_diff=with_diff,
        attempts=attempts,
        words=(user_words, assistant_words),
        least_said=least_said,
        earlier=earlier,
        is_heard=True,
    )


def carry_out_summary(
    summary: Summary,
    facts: Sequence[Fact],
    said: str,
    *,
    own: str,
    stem: Stem,
    with_diff: bool = True,
    attempts: int = 1,
    words: tuple[int, int] = (USER_WORDS, ASSISTANT_WORDS),
    least_said: float = GROUNDED,
    earlier: str = "",
    is_heard: bool = False,
) -> Outcome:
    """A summary that was read: clipped, its diff grounded and carried out.

    said  where the words of facts may come from
    own   where those of hard facts may: the person's words in the turn
    earlier   the turn before, by which a short answer is understood
    is_heard  a model gave it: what it takes away has to be spoken of as well
    """
    warned: list[Warned] = []
    texts = []
    for text, most in ((summary.user, words[0]), (summary.assistant, words[1])):
        clipped, was_longer = clip_words(text, most)
        texts.append(clipped)
        if was_longer:
            warned.append(Warned(code=CLIPPED, entry=clipped))
    applied, is_applied, diff = Applied(facts=tuple(facts)), False, Diff()
    if with_diff:
        diff, dropped = keep_grounded(
            summary.diff, facts, said, stem=stem, least=least_said, earlier=earlier
        )
        if is_heard:
            diff, unsaid = keep_spoken_of(diff, f"{said}\n{earlier}", stem=stem)
            dropped = (*dropped, *unsaid)
        diff, unbound = keep_binding(diff, own, stem=stem, least=least_said)
        applied = apply_diff(facts, diff)
        is_applied = not (diff.is_empty and dropped)
        warned = [*warned, *dropped, *unbound, *applied.warnings]
    return Outcome(
        user=texts[0],
        assistant=texts[1],
        attempts=attempts,
        is_summarised=True,
        applied=Applied(facts=applied.facts, warnings=tuple(warned)),
        is_applied=is_applied,
        diff=diff,
        topic=summary.topic,
    )


_LAST_ENTRIES = 6  # of the log, so that 'it' and 'that' can be understood
_MOST_WORDS = 1500  # of each side: what is beyond was rarely meant for the list
_TEXTS = list_schema({"type": "string"})
SCHEMA = object_schema(
    user_summary={"type": "string"},
    assistant_summary={"type": "string"},
    diff=object_schema(**dict.fromkeys(DIFF_KEYS, _TEXTS)),
)

KEEP = object_schema(keep=_TEXTS)


class AskedModel:
    """A model as the summariser of turns; what it is told is read once.

    Called with a session before a turn, and the turn; `facts_to_keep` looks through base truth.
    """

    def __init__(self, vault: Vault, model: LLM) -> None:
        self._vault = vault
        self._model = model
        self._limits = session_settings(vault.settings.values)
        told = models.instructions("session_turn")
        for name in ("user_words", "assistant_words"):
            told = told.replace("{" + name + "}", str(getattr(self._limits, name)))
        self._turn = told

    def __call__(self, before: Conversation, exchange: Exchange) -> str:
        """The summary of a turn as JSON; raises LLMError."""
        what = f"turn {exchange.turn}"
        said_at = self._vault.clock.now() if exchange.at is None else exchange.at
        day = format_date(said_at, self._vault.settings.timezone)
        return self._ask(self._turn, question(before, exchange, day=day), SCHEMA, what)

    def facts_to_keep(self, facts: Sequence[Fact]) -> tuple[str, ...]:
        """The facts that it would keep, as texts: untrusted; raises LLMError."""
        day = format_date(self._vault.clock.now(), self._vault.settings.timezone)
        told = {"day": day, "facts": [fact.text for fact in facts]}
        listed = json.dumps(told, ensure_ascii=False)
        reply = self._ask(models.instructions("session_prune"), listed, KEEP, "base truth")
        found = json.loads(reply)["keep"]
        return tuple(found)

    def _ask(self, told: str, text: str, schema: Schema, what: str) -> str:

        vaults.note_sending(self._vault, "ask the model about a session", self._model.where, what)
        answer = self._model.ask(
            (Message(role="system", text=told), Message(role="user", text=text)),
            schema=schema,
            timeout_seconds=self._limits.summary_timeout_seconds,
        )
        return json.dumps(dict(answer.value))


def summariser_of(vault: Vault) -> Summariser | None:
    """What asks the model of the settings about a turn; None: there is no model.

    A model that cannot be used fails with each question: turns are kept all the same, and are
    made up for once the settings are right.
    """
    try:
        found = models.summariser(vault)
        return None if found is None else AskedModel(vault, found)
    except VaultmemError as error:
        # With a model that is not named, or whose package is missing, `session turn` kept nothing.
        return _refusing(error)


def _refusing(error: VaultmemError) -> Summariser:
    def ask(before: Conversation, exchange: Exchange) -> str:
        raise error

    return ask


def question(before: Conversation, exchange: Exchange, *, day: str) -> str:
    """The facts, the last entries of the log, and the turn, as JSON: nothing can end a string.

    day  YYYY-MM-DD, on which the turn was said
    """
    told = log.latest_entries(before.log)
    last = [told[turn] for turn in list(told)[-_LAST_ENTRIES:]]
    return json.dumps(
        {
            "facts": [fact.text for fact in before.facts if not fact.hard],
            "rules, not to be touched": [fact.text for fact in before.facts if fact.hard],
            "open tasks": [fact.text for fact in before.facts if fact.task == "open"],
            "before": [{"person": each.user, "assistant": each.assistant} for each in last],
            "day": day,
            "turn": {
                "person": _clip_middle(exchange.user),
                "assistant": _clip_middle(exchange.assistant),
            },
        },
        ensure_ascii=False,
        indent=1,
    )


def _clip_middle(text: str) -> str:
    """A message as it is, but for the middle of a very long one."""
    if len(text) <= 8 * _MOST_WORDS:
        return text
    words = text.split()
    if len(words) <= _MOST_WORDS:
        return text
    head, _ = clip_words(" ".join(words[: _MOST_WORDS * 3 // 4]), _MOST_WORDS)
    return f"{head}\n[...]\n{' '.join(words[-_MOST_WORDS // 4 :])}"
