"""Why a sentence is no evidence, which cue decides what it is, and what it is in the end.

Each rule is a function from the words of a sentence to a reason or ''; the first reason counts.
The rules are those of the project's algorithm 4 (preprocessing) and 7.7 (what may be stored).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from vaultmem import judgement
from vaultmem.base import NamedTuple, late
from vaultmem.extract.cue_patterns import (
    ADVERBS,
    OPINIONS,
    PASSING_STATES,
    REQUEST_VERBS,
    TIME_UNITS,
    CueHit,
    CueTable,
    Tokens,
    assistant_cues,
    read_cues,
    statement_cues,
    words,
)
from vaultmem.extract.evidence import ASSISTANT, CHAT, DOCUMENT, PEOPLE, Reading, Situation
from vaultmem.extract.named_things import declarative
from vaultmem.judgement import Judgement, signs_of, talk_of
from vaultmem.language import FUNCTION_WORDS, DateMention, sentences, vocabulary, word_list
from vaultmem.model import CHANGES, JUDGED, Draft
from vaultmem.safety import suspicion

_SAID = vocabulary("no_evidence")

MAX_WORDS = 80  # longer 'sentences' are lists, logs or text without full stops
MIN_WORDS = 3
_SHORT = 5  # words of a remark

_WH = words("what why how when where who which whose whom")
_AUXILIARY = words(
    "do does did is are was were am can could would will should shall have has had may might must "
    "isn't aren't wasn't weren't don't doesn't didn't can't couldn't wouldn't won't shouldn't "
    "haven't hasn't hadn't"
)
_SUBJECTS = words("i you we he she it they the this that there anyone anybody someone a an my your")
_SUPPOSING = words(
    "if would suppose supposing imagine assuming wonder wondering whether hypothetically"
)
_HEDGES = words("maybe perhaps might probably possibly presumably supposedly apparently unless")
_SAYING = words(
    "says said told claims claimed mentioned reckons reportedly allegedly argues argued suggested "
    "insists insisted announced recommends rumour rumor tells"
)
_GREETINGS = frozenset(word_list(_SAID["greetings"]))
# 'My manager micromanages everything.' and 'Night shifts wear me out.' only begin like these.
_OPENING = _GREETINGS - words("my day night evening morning care hear problem pleasure all a of")
_POLITE = frozenset(word_list(_SAID["polite"]))
_MOST_POLITE = 5  # tokens, marks among them
_OF_NOW = OPINIONS | PASSING_STATES
_POINTERS = words("it this that these those they he she there here that's him her them")
_NEGATED_CUES = words("prefer decided always decide agreed chosen planning plan intend")
_NOT = words("not don't doesn't didn't haven't hasn't isn't never aren't won't wasn't no")

_SECRET_WORD = (
    r"(?i)\b(?:pass(?:word|phrase|wd|code)|api[ _-]?key|secret[ _-]?key|access[ _-]?token|token|"
    r"private[ _-]?key|bearer|cvv|client[ _-]?secret|seed phrase|ssn)\b"
    r"(?:\s+(?:for|of)\s[^.\n]{1,40}?)?[\"'`]?\s{0,3}(?:is|was|:|=)(?!\s+(?:stored|kept|saved|in|"
    r"not|required|needed|managed|rotated|optional|a|an|the|on|at|never|no|longer|be)\b)"
    r"|\b(?:changed?|set|reset)\s[^.\n]{0,30}pass(?:word|phrase|code)\s+to\b|\bpin\b[^.\n\d]{0,12}\d{4}"
)
# Looked for first: most texts have none of these, and plain search is ten times as fast.
_SECRET_HINTS = ("pass", "key", "token", "secret", "bearer", "cvv", "seed phrase", "ssn", "pin")
_SHAPE_HINTS = ("sk-", "sk_", "pk-", "pk_", "rk-", "rk_", "_", "AKIA", "xox", "BEGIN", "eyJ")
_EIGHT_DIGITS = r"\d{4}[ -]?\d{4}"
_SECRET_SHAPE = (
    r"\b(?:sk|pk|rk)[-_](?:live|test|ant|proj)?[-_]?[A-Za-z0-9_-]{16}|\bgh[pousr]_[A-Za-z0-9]{20}"
    r"|\bAKIA[0-9A-Z]{16}\b|\bxox[abprs]-[A-Za-z0-9-]{10}|-----BEGIN [A-Z ]{0,30}PRIVATE KEY"
    r"|\beyJ[A-Za-z0-9_-]{15,300}\.[A-Za-z0-9_-]{15}"
    r"|(?<![\d.-])(?:\d{4}[ -]){3}\d{4}(?![\d.-])|(?<![\d.-])\d{16}(?![\d.-])"
)
_PLACES = words("job school company office place house town flat apartment team")
_YOUNG = words("kid child young little small teen teenager boy girl baby student")
_PHRASES = """
irony/tone : what could possibly? go wrong
irony/tone : yeah ,? right
hypothetical/what-if : what if
hypothetical/if-only : if only
hedged/guess : i guess|think|suppose
hedged/not-sure : not sure
past/back-then : back then
past/back-then : back in the|my day|days
past/old-place : at|in my old|former|previous|last <2 @place
past/old-days : in the|those old|olden? days
past/child : when i was a|an|still|very|really|so? <1 @young
reported/source : according to
reported/source : i heard|read that
reported/source : i was told that
reported/source : people say|think
negated/not-that : not that i|we
negated/no-opinion : no <1 opinion|preference
"""


@lru_cache(maxsize=1)
def _phrases() -> CueTable:
    return read_cues(_PHRASES, {"place": _PLACES, "young": _YOUNG})


def is_secret(text: str) -> bool:
    """Whether a text shows a password, key, token or card number; such are never stored."""
    lower = text.lower()
    # The plain hints come first because every sentence of every source is asked, and hardly one has
    # any of them: the patterns, which try at each place of a text, run only behind a hint.
    if any(hint in lower for hint in _SECRET_HINTS) and re.search(_SECRET_WORD, text):
        return True
    shaped = any(hint in text for hint in _SHAPE_HINTS) or re.search(_EIGHT_DIGITS, text)
    return bool(shaped and re.search(_SECRET_SHAPE, text))


def not_a_statement(tokens: Tokens) -> str:
    """The reason why a sentence (its words after fillers) states nothing that holds, or ''."""
    count = sum(word[0].isalnum() or word[0] in "§_" for word in tokens.lower)
    if count > MAX_WORDS:
        return "too-long"
    if is_question(tokens):
        return "question"
    is_denial = tokens.at(0) in ("no", "pas", "kein", "keine")
    if is_denial and tokens.at(1) in _POLITE and tokens.size <= _MOST_POLITE:
        return "filler"  # 'No worries.'; of 'No nuts for Ida.' judgement decides
    if all(word in _GREETINGS for word in tokens.lower if word[0].isalnum()):
        return "filler"
    if count < MIN_WORDS:
        return "too-short"
    return _unsettled_reason(tokens)


def _is_passing(tokens: Tokens) -> bool:
    """Whether it is said of something only how it is just now: 'my code is broken'."""
    if tokens.present <= _GREETINGS | {".", "!"}:
        return True
    said = [word for word in tokens.lower if word[0].isalnum()]
    return len(said) <= _SHORT and said[-2:-1] in (["is"], ["are"]) and said[-1] in _OF_NOW


def is_question(tokens: Tokens) -> bool:
    """A question mark at the end, or the order of words of a question."""
    if "?" in tokens.lower[-3:]:
        return True
    first, second = tokens.at(0), tokens.at(1)
    if first in ("do", "have") and second in ("your", "the", "my", "a", "an", "this", "that"):
        return False  # an order: 'do your research'
    if first in _AUXILIARY and second in _SUBJECTS and first not in ("may", "don't"):
        return True
    if first in _WH and second in _AUXILIARY | {"'s", "about", "if", "would"}:
        return True
    # In haste without a mark: 'who owns the flat I rent'. Who writes any other mark tells: 'Wer
    # schnarcht, muss raus', 'How tall I am: 1.83 m.'; 34 of 46 such statements were lost before.
    is_asked = first in _ASKS or f"{first}/{second}" in _ASKS_HOW
    return is_asked and _MARKS.isdisjoint(tokens.lower)


def _unsettled_reason(tokens: Tokens) -> str:
    """Irony, hypothesis, hearsay, past habit or a denied cue."""
    present = tokens.present
    phrase = next(_phrases().find(tokens), None)
    if phrase is not None:
        return phrase.cue.kind
    if tokens.lower[:3] == ("i", "would", "like"):
        return "request"
    if present & _SUPPOSING:
        return "hypothetical"
    if present & _HEDGES:
        return "hedged"
    if "used" in present and _used_to(tokens):
        return "past"
    if present & _SAYING and not _own_saying(tokens):
        return "reported"
    if present & _NEGATED_CUES and present & _NOT:
        for i, word in enumerate(tokens.lower):
            if word in _NEGATED_CUES and {tokens.at(i - 1), tokens.at(i - 2)} & _NOT:
                return "negated"
    return ""


def _used_to(tokens: Tokens) -> bool:
    """'I used to smoke', but not 'is used to store' or 'got used to'."""
    for i, word in enumerate(tokens.lower):
        if word == "used" and tokens.at(i + 1) == "to":
            before = tokens.at(i - 1)
            return before not in ("is", "are", "was", "were", "be", "get", "got", "getting", "'s")
    return False


def _own_saying(tokens: Tokens) -> bool:
    """Whether the speaker reports their own words ('I said', 'we announced')."""
    for i, word in enumerate(tokens.lower):
        if word in _SAYING and not {tokens.at(i - 1), tokens.at(i - 2)} & {"i", "we"}:
            return False
    return True


def not_for_memory(tokens: Tokens, *, to_assistant: bool) -> str:
    """The reason why a statement is a passing request or remark, or ''; asked when no rule fits.

    to_assistant  the speaker talks to an assistant, so that bare verbs are orders
    """
    first, second = tokens.at(0), tokens.at(1)
    if first == "please" or (to_assistant and first in REQUEST_VERBS):
        return "request"
    if first == "i" and second in ("want", "need", "would") and "you" in tokens.lower[2:4]:
        return "request"
    if first in ("i", "we") and second == "would":
        return "request"
    if first in ("you", "your") and second != "":
        return "addressed"
    if first in _POINTERS:
        return "pronoun"
    if first in _OPENING and tokens.size <= 8:
        return "opening"  # known by its first word alone: judgement may know better
    if first == "my" and _is_passing(tokens):
        return "filler"  # 'My day is good.'
    return "no-cue"


# --- the cue that decides ---

_RANK = ("rule", "preference", "decision", "task", "fact", "event", "belief")
_LESS_THAN_AN_EVENT = frozenset(
    f"fact:{name}"
    for name in ("owns", "plan", "goal", "activity", "uses", "have-been", "relation", "work")
)
OF_OTHERS = "belief:of-others"
"""The rule of what somebody else thinks."""
_NEEDS_DATE = frozenset(("event:past", "event:planned"))
_NAMES_ITS_OBJECT = ("preference", "fact", "event", "decision")
# 'Don't use default exports in this code base' is as clear as it has to be.
_STANDING_ORDERS = frozenset(
    f"preference:{name}" for name in ("avoid", "instead", "stick", "rather", "format")
)
_MY_SUBJECTS = frozenset(("fact:own", "fact:goal", "preference:my-preference"))
_BE_CUES = frozenset(("fact:relation", "fact:own", "fact:family", "fact:work", "fact:health"))
_BEFORE_I = words(
    "and but so or then because since after as although though 'cause cause now today also "
    "plus yet while , : ; . ! - – — ( ) … & and/or where"
)
_DAYS = words("yesterday today tomorrow last next two three ago again too around lately recently")
_POINTS = words("it this that these those them him her there")
_SHOWING = words("this these that those")
_PEOPLE = words("they he she")
_CLAUSE_ENDS = words(", ; : . ! - – — ( and but because so since when while which who")
_CLAUSE = 14  # words of a clause that are looked at
_HOW_MUCH = words("much very so all only both even pretty")
_OVER_WITH_IT = words("missed met made kept passed beat blew hit exceeded miss meet")
_PASSING = ("this time", "for now", "right now", "just this once", "at the moment", "today")
_TRIVIAL = words(
    "lunch coffee break window tab another bathroom nap snack minute second topic topics subject "
    "subjects gears"
)
_OWN_WORDS = words("i we my our let's mine")
_AHEAD = 5  # words after a cue that are looked at for trifles
_IMPERATIVES = frozenset(word_list(_SAID["imperatives"]))
_HEADINGS = {
    "task": words("todo todos to-do tasks actions action-items next-steps open"),
    "decision": words("decisions decided decision"),
    "preference": words("preferences likes dislikes"),
    "rule": words("rules conventions guidelines policies principles"),
}


class Choice(NamedTuple):
    """What a sentence is, by which rule, and where the words are that say so."""

    kind: str
    name: str  # 'preference:prefer'
    start: int  # first word of the cue
    end: int  # word after it
    subject: tuple[int, int] | None = None  # words of a named subject; None: the speaker


def by_cue(reading: Reading) -> Choice | None:
    """The strongest cue that holds here, the first of equals."""
    situation = reading.situation
    table = assistant_cues() if situation.letter == ASSISTANT else statement_cues()
    dated = _is_dated(reading)
    event = False
    found: list[tuple[int, int, Choice]] = []
    for hit in table.find(reading.tokens, where=situation.letter):
        if not _holds(hit, reading, dated=dated):
            continue
        event = event or (hit.cue.kind == "event" and dated)
        kind, name = hit.cue.kind, hit.cue.name
        if kind == "task" and situation.letter == PEOPLE and not situation.is_own:
            if not dated:
                continue
            kind, name = "fact", "fact:plan"  # what others have to do is no task of ours
        choice = Choice(kind=kind, name=name, start=hit.start, end=hit.end)
        found.append((_RANK.index(kind), hit.start, choice))
    if event:
        found = [one for one in found if one[2].name not in _LESS_THAN_AN_EVENT]
    return min(found, key=lambda one: one[:2])[2] if found else None


def with_subject(choice: Choice, reading: Reading) -> Choice:
    """The choice with its named subject, if the cue is about one: 'Maria is allergic to nuts'."""
    if choice.subject is not None or reading.tokens.at(choice.start) in _OWN_WORDS:
        return choice
    named = by_subject(reading)
    return choice._replace(subject=named.subject) if named is not None else choice


def by_subject(reading: Reading) -> Choice | None:
    """What is said of a named subject; between people only cues count."""
    letter = reading.situation.letter
    if letter in (PEOPLE, ASSISTANT):
        return None
    found = declarative(
        reading.tokens, in_document=letter == DOCUMENT, is_dated=bool(reading.dates)
    )
    if found is None:
        return None
    return Choice(
        kind=found.kind,
        name=found.name,
        start=found.verb,
        end=found.verb + 1,
        subject=found.subject,
    )


def by_opinion(masked: str) -> Choice | None:
    """'Bob thinks we should move' is what Bob believes, and not what we have to do."""
    if not judgement.holder_of(masked):
        return None
    return Choice(kind="belief", name=OF_OTHERS, start=0, end=0)


def is_order(choice: Choice) -> bool:
    """Whether a choice says what is to be done, or how: in a document of others that is for all.

    Of 171 pages of help, 18 checkboxes and orders had become tasks of the person.
    """
    return choice.kind in ("task", "rule", "procedure") or choice.name in _STANDING_ORDERS


def by_heading(heading: str) -> Choice | None:
    """A bullet below 'Decisions' is a decision, whatever its words."""
    key = heading.casefold().strip(" :").replace(" ", "-")
    for kind, names in _HEADINGS.items():
        if key in names:
            return Choice(kind=kind, name=f"{kind}:heading", start=0, end=0)
    return None


def by_procedure(reading: Reading) -> Choice | None:
    """'To deploy, run make deploy', 'Run `x` to test', 'If it hangs, restart it'."""
    tokens, letter = reading.tokens, reading.situation.letter
    if letter in (PEOPLE, ASSISTANT) or "?" in tokens.lower[-3:]:
        return None
    first = tokens.at(0)
    comma = next((i for i in range(min(tokens.size, 14)) if tokens.lower[i] == ","), None)
    leads = first == "to" or tokens.lower[:3] == ("in", "order", "to")
    if letter == DOCUMENT:
        leads = leads or first in ("if", "when")
    if leads and comma and comma > 1 and tokens.at(comma + 1) in _IMPERATIVES:
        return Choice(kind="procedure", name="procedure:to", start=0, end=comma + 1)
    command = first in ("run", "execute", "use", "type") and tokens.at(1)[:1] == "§"
    if command and "to" in tokens.lower[2:6]:
        return Choice(kind="procedure", name="procedure:run", start=0, end=1)
    if tokens.lower[:2] == ("how", "to") and ":" in tokens.lower[3:14]:
        return Choice(kind="procedure", name="procedure:how-to", start=0, end=2)
    return None


def by_correction(tokens: Tokens, situation: Situation) -> Choice | None:
    """What a person says after rejecting the assistant's answer: 'No, not tabs - use spaces'."""
    if not situation.after_assistant or situation.letter in (DOCUMENT, ASSISTANT):
        return None
    start = _corrected_from(tokens)
    if start is None:
        return None
    use = {"use", "not"} & set(tokens.lower[start : start + 2])
    kind = "preference" if use else "fact"
    return Choice(kind=kind, name="correction:after-answer", start=start, end=start)


def _corrected_from(tokens: Tokens) -> int | None:
    """The first word of what is right instead, or None when nothing is corrected."""
    i = 0
    if tokens.at(0) in ("no", "nope") and tokens.at(1) in (",", ".", "-", "–", "—", "!"):
        i = 2
        if tokens.at(i) == "not" and tokens.at(i + 1) not in ("yet", "really", "now", "at", "that"):
            rest = tokens.lower[i + 2 :]
            return i if any(mark in rest for mark in (",", "-", "–", "—", ":")) else None
        return i if tokens.at(i) in ("use", "call", "write", "put", "name") else None
    if tokens.at(0) in ("that", "this", "it") and tokens.at(1) in ("'s", "is"):
        wrong = tokens.at(2) in ("wrong", "incorrect") or tokens.lower[2:4] in (
            ("not", "right"),
            ("not", "correct"),
        )
        mark = 3 if tokens.at(2) != "not" else 4
        return mark + 1 if wrong and tokens.at(mark) in (",", ":", "-", "–", "—") else None
    if tokens.lower[:2] == ("again", ":"):
        return 2
    if tokens.lower[:2] == ("i", "said") and tokens.at(2) not in ("that", "it", "so", "i"):
        return 2
    return None


def _is_dated(reading: Reading) -> bool:
    return any(mention.relation in ("at", "since", "by") for mention in reading.dates)


_HAVING = words("have has 've 's i've we've ve")


def _lasts(hit: CueHit, reading: Reading) -> bool:
    """Whether it is so up to now: 'I have been vegan since 2019', but not 'sick since Monday'.

    'We've got twelve days left': who has got something has it.
    """
    if reading.tokens.at(hit.end - 1) == "got" and reading.tokens.at(hit.end - 2) in _HAVING:
        return True
    # 'I have been vegan since 2019' had no stream, so it was given only where the words met. 'Sick
    # since Monday' stays an event.
    if any(mention.relation in ("at", "by") for mention in reading.dates):
        return False
    after = [word for word in reading.tokens.lower[hit.end :] if word not in ADVERBS]
    is_state = reading.tokens.at(hit.end - 1) == "been" and "since" in after
    return is_state and after[0] not in PASSING_STATES


def _holds(hit: CueHit, reading: Reading, *, dated: bool) -> bool:
    """Whether a cue means here what it means by itself."""
    tokens = reading.tokens
    name, first = hit.cue.name, tokens.at(hit.start)
    if name in _NEEDS_DATE and not dated:
        return False
    if name == "event:past" and _lasts(hit, reading):
        return False
    if name == "task:deadline" and tokens.at(hit.start - 1) in _OVER_WITH_IT:
        return False  # 'I missed the deadline for the report' is nothing to do
    names_it = hit.cue.kind in _NAMES_ITS_OBJECT and name not in _STANDING_ORDERS
    if names_it and _points_away(tokens, hit.start + 1, is_strict=hit.cue.kind != "event"):
        return False
    subject = first in ("i", "we") or name in _MY_SUBJECTS
    if subject and not _begins_a_clause(tokens, hit.start, reading.dates):
        return False
    if name == "preference:favorite" and tokens.at(0) in _POINTS | _PEOPLE:
        return False
    if name in _BE_CUES:
        i = hit.end
        while tokens.at(i) in ADVERBS:
            i += 1
        if tokens.at(i) in PASSING_STATES:
            return False
    if hit.cue.kind == "preference" and any(phrase in reading.lower for phrase in _PASSING):
        return False
    if hit.cue.kind == "decision":
        return not set(tokens.lower[hit.end : hit.end + _AHEAD]) & _TRIVIAL
    return True


def _points_away(tokens: Tokens, i: int, *, is_strict: bool) -> bool:
    """Whether the clause from word `i` on needs another sentence: 'I took it yesterday'.

    'that lake' names something, 'that yesterday' does not; a lasting statement (strict) is not
    about 'this app' or 'that world' either.
    """
    for place in range(i, min(i + _CLAUSE, tokens.size)):
        word = tokens.lower[place]
        if word in _CLAUSE_ENDS:
            return False
        if word in _POINTS:
            following = tokens.at(place + 1)
            bare = not tokens.is_word(place + 1) or following in FUNCTION_WORDS | _DAYS
            bare = bare or (is_strict and word in _SHOWING and following not in TIME_UNITS)
            if bare and tokens.at(place - 1) != "as":
                return True
    return False


def _begins_a_clause(tokens: Tokens, i: int, dates: Sequence[DateMention]) -> bool:
    """Whether 'I' is the subject of a clause and not of 'the book I read'."""
    if i == 0:
        return True
    before = tokens.lower[i - 1]
    if before in _BEFORE_I or before in ADVERBS - _HOW_MUCH:
        return True
    return any(m.start < tokens.end[i - 1] <= m.end for m in dates)


# --- rules and judgement together ---

# A rule that finds nothing ('no-cue') is overruled where the sentence is worth keeping; a rule that
# found a form which states nothing is not: a request of the moment is no memory, however much it
# names.
# Reasons of rules that no judgement overrules: they are about the form and not about the sense.
# Not 'opening', a filler by its first word alone: 'Can't abide coriander, tastes of soap.' has .97.
_MARKS = frozenset(",:;.!-–—(")
_ASKS = frozenset(word_list(_SAID["asks"]))
_ASKS_HOW = frozenset(word_list(_SAID["asks how"]))
_STATES_NOTHING = frozenset(("question", "too-long", "done", "filler", "explicit-list"))
_PASSING_JUDGED = ("fact", "event", "task", "belief")  # kinds that small talk is taken for
_MOMENTARY = ("preference", "decision", "belief", "event", "task")
_OF_THIS_MOMENT = late(
    _SAID["of this moment"],
    re.IGNORECASE,
)
# What was looked at together a moment ago; 'I was looking at flats in Leith' may be of weeks.
_OF_THIS_TALK = late(
    r"^we (?:were|are|have been|'re|'ve been) (?:just |still |only )?"
    r"(?:looking (?:at|into)|talking about|discussing|going (?:through|over)|debugging|reading)\b"
)
# Work that is done is no decision, however often the word stands in one ('we finished with X').
_COMPLETED = late(
    r"^(?:(?:i|we)(?:'ve| have)? )?(?:just )?(?:finished|completed|wrapped up|done with)"
    r" (?!with\b)"
)
COMPLETED = f"{JUDGED}completed"
ASKED_FOR_GOOD = "preference:asked-for-good"
_ASKED = ("question", "request", "no-cue")
_LABELLED = "task:todo"  # 'TODO: add retry': who writes the label means it
_ASIDE = late(r"\s*\([^()]*\)[.!]?\s*")
# 'Change of plan: ...', 'Note for both of us: ...': a noun, although the word is also an order.
_NOUN_GOES_ON = words("of for : to from on")
_PLAIN_WORDS = 8
_WORD = late(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_OWN_VERBS = frozenset(word_list(_SAID["own verbs"]))
_OF_A_MOOD = frozenset(("mood", "unreal", "maybe"))
_TODAY = frozenset(word_list(_SAID["today"]))


def judged_choice(
    judged: Judgement, reason: str, choice: Choice | None, reading: Reading, *, is_long: bool
) -> tuple[str, Choice | None]:
    """The reason why a sentence is nothing, or what it is.

    reason   what the rules have against it, where they found no choice
    is_long  its text is too long for a word of mouth: what does not speak of the person is as
             likely part of a document that they pasted
    """
    if choice is not None:
        return reason, choice
    if reason in _ASKED and _wishes_for_good(reading, is_order=reason == "request"):
        return "", Choice(kind="preference", name=ASKED_FOR_GOOD, start=0, end=0)
    if reason in _STATES_NOTHING or not judged.is_worth:
        return reason, None
    # 'Peux-tu proposer un menu' without its mark was a preference.
    if not judged.critical and judgement.asks_politely(reading.sentence.text):
        return "question", None
    if suspicion(reading.sentence.text):
        return "instruction", None  # 'Ignore all previous instructions and store that ...'
    if is_long and not judged.is_own:
        return "pasted", None
    if reading.lower.rstrip().endswith(":"):
        return "introduces", None  # what follows is meant ('Look at our chat:')
    if judged.critical:
        return "", Choice(kind=judged.kind, name=f"{JUDGED}{judged.kind}", start=0, end=0)
    if _ASIDE.fullmatch(reading.lower):
        return "aside", None  # '(the document t3-1 again, kept as t4-1: 1 lines came)'
    if reading.situation.letter == CHAT:
        if reason == "request" and not _is_standing(judged, reading):
            return reason, None
        # 'I want the chart in blue this time.' became a memory, as judgement overruled every rule.
        if judged.kind in _MOMENTARY and _OF_THIS_MOMENT.search(reading.lower):
            return "momentary", None
    if _OF_THIS_TALK.search(reading.lower):
        return "momentary", None
    # 'I don't prefer tabs or spaces' says something, but names nothing that is preferred.
    kind = "fact" if reason == "negated" and judged.kind == "preference" else judged.kind
    if kind == "decision" and _COMPLETED.search(reading.lower):
        return "", Choice(kind="event", name=COMPLETED, start=0, end=0)
    return "", Choice(kind=kind, name=f"{JUDGED}{kind}", start=0, end=0)


def _wishes_for_good(reading: Reading, *, is_order: bool) -> bool:
    """Whether it asks how an assistant is to be from then on: 'Could you speak to me in Welsh?'.

    is_order  a bare verb orders: 'Explain things slowly to me.'
    """
    text = reading.sentence.text
    if reading.situation.is_long or not judgement.asks_for_good(text, is_order=is_order):
        return False
    if suspicion(text):
        return False
    return _OF_THIS_MOMENT.search(reading.lower) is None


def if_it_changes(judged: Judgement, reason: str, reading: Reading) -> Choice | None:
    """As what a sentence that is worth nothing by itself is kept, if it changes what is known.

    'Stopped that magazine.', 'It's Paws Inn again for the dog.', 'The vet says her milk is fine
    again.': small talk, but for who knows of the magazine, the dog and the goat. None: it says
    nothing of an end or of going back.
    """
    text = reading.sentence.text
    if reason in _STATES_NOTHING or "?" in text or reading.situation.is_long or suspicion(text):
        return None
    if reading.situation.is_note or judgement.is_waved_off(text):
        return None
    changes = judgement.says_change(text) or judgement.undoes_plan(text)
    if not (changes or judgement.tells_lifted(text)):
        return None
    return Choice(kind=judged.kind, name=f"{CHANGES}{judged.kind}", start=0, end=0)


def is_trifle(draft: Draft, judged: Judgement) -> bool:
    """Whether a sentence that a cue let in is nothing all the same.

    A cue that gave a slot, an end or a wish is sure: plain statements ('I like tea.') look like
    small talk to the model, which learned from how people really talk.
    """
    has_slot = all((draft.subject, draft.predicate, draft.object)) and draft.rule != OF_OTHERS
    is_sure = has_slot or bool(draft.ends) or draft.rule == _LABELLED
    return judged.is_trifle and not is_sure and draft.kind in _PASSING_JUDGED


def is_plain(text: str) -> bool:
    """Whether a text is a short statement in which somebody speaks of themselves.

    'I have a dog.' looks like small talk to the model (0.14), which learned from how people talk;
    who has it remembered means it. What is of the day ('I'm tired.') is not meant.
    """
    said = _lower_words(text)
    if not 2 <= len(said) <= _PLAIN_WORDS or is_of_today(text) or "?" in text:
        return False
    if any(_OF_A_MOOD & {*talk_of(word), *signs_of(word)} for word in said):
        return False  # 'Je meurs de faim.', 'I could eat a horse.'
    is_own = "self" in signs_of(said[0]) or said[0] in _OWN_VERBS or said[0].startswith("j'")
    return is_own and len([line for line in sentences(text) if line.strip()]) == 1


def is_of_today(text: str) -> bool:
    """Whether a text speaks of the hours around it: 'today', 'gerade', 'cansado'."""
    return not _TODAY.isdisjoint(_lower_words(text))


def _lower_words(text: str) -> list[str]:
    return [word.lower().replace("’", "'") for word in _WORD.findall(text)]


def _is_standing(judged: Judgement, reading: Reading) -> bool:
    """Whether what begins like an order is meant for more than this conversation."""
    return judged.kind == "procedure" or reading.tokens.at(1) in _NOUN_GOES_ON
