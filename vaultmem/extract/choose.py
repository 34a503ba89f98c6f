"""Which cue of a sentence decides what it is: kind, rule, and the words it rests on."""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem.base.records import NamedTuple
from vaultmem.extract.cues.cues import assistant_cues, statement_cues
from vaultmem.extract.cues.lexicon import ADVERBS, PASSING_STATES, TIME_UNITS, words
from vaultmem.extract.cues.patterns import CueHit, Tokens
from vaultmem.extract.situation import ASSISTANT, DOCUMENT, PEOPLE, Reading, Situation
from vaultmem.extract.statements import declarative
from vaultmem.language.dates import DateMention
from vaultmem.language.dates.words import FUNCTION_WORDS

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
_IMPERATIVES = words(
    "run use open go click type call set edit add install execute start press select create "
    "restart stop delete remove copy check make send ask push pull enter choose export import "
    "mix heat bake boil stir wait hold turn take put log switch clone write"
)
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
    from vaultmem.judgement.kinds import holder_of

    if not holder_of(masked):
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


def _lasts(hit: CueHit, reading: Reading) -> bool:
    """Whether it is so up to now: 'I have been vegan since 2019', but not 'sick since Monday'."""
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
