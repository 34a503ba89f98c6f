"""Subject, predicate and object of a statement, also of one that says what holds no more."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile

from vaultmem import language
from vaultmem.base import NamedTuple
from vaultmem.extract.cue_patterns import (
    ADVERBS,
    MONTHS_AND_DAYS,
    PLACE_STOPS,
    RELATIONS,
    Tokens,
    words,
)
from vaultmem.language import FUNCTION_WORDS

# --- names that go on over a full stop or an 's ---

_INNER = ("of", "de", "&", "van", "der", "von", "la", "del", "da", "do")


def name_end(tokens: Tokens, raw: str, first: int, *, is_place: bool = False) -> int:
    """The word after the name that begins at word `first`; `first` itself when none does.

    raw       the sentence in which the tokens have their places
    is_place  it stands after 'at', 'in' or 'for', so that 's is no 'is' ("at Mary's Kitchen")
    """
    end = first
    while end < tokens.size:
        goes_on_there = tokens.at(end) in _INNER or goes_on(tokens, raw, end, is_place=is_place)
        if not (tokens.is_capital(end) or (end > first and goes_on_there)):
            break
        end += 1
    # An inner word ('of', 'the') belongs to a name only between capitals: 'the Bank of' is 'Bank'.
    while end > first and not tokens.is_capital(end - 1):
        end -= 1
    return end


def goes_on(tokens: Tokens, raw: str, i: int, *, is_place: bool = False) -> bool:
    """Whether the full stop (of a place also the 's) at word `i` is inside a name or value."""
    if i == 0 or i + 1 >= tokens.size:
        return False
    if tokens.lower[i] == "'s":
        return is_place and tokens.is_capital(i + 1)
    if tokens.lower[i] != "." or tokens.start[i] != tokens.end[i - 1]:
        return False

    return language.is_inside(raw, tokens.start[i], tokens.end[i])


SELF = "user"  # the person of the vault, as a subject

LONGEST_OBJECT = 8  # words; more is a clause and no value

Triple = tuple[str, str, str]
NOTHING: Triple = ("", "", "")

_TYPES = {
    "database": "postgresql postgres mysql sqlite mongodb redis mariadb duckdb cassandra dynamodb "
    "elasticsearch oracle cockroachdb",
    "editor": "vim neovim emacs vscode helix zed sublime intellij pycharm obsidian",
    "language": "python rust go java javascript typescript kotlin swift ruby php c c++ c# haskell "
    "elixir scala julia perl lua",
    "shell": "bash zsh fish powershell nushell",
}
_TYPE_OF = {name: kind for kind, names in _TYPES.items() for name in names.split()}
_RULE_PREDICATES: Mapping[str, str] = {
    "fact:name": "name",
    "preference:prefer": "prefers",
    "preference:like": "likes",
    "preference:dislike": "dislikes",
    "preference:fan": "likes",
    "preference:passion": "likes",
    "fact:study": "studies",
}
_VERB_PREDICATES: Mapping[str, str] = {
    "prefers": "prefers",
    "likes": "likes",
    "loves": "likes",
    "hates": "dislikes",
    "owns": "owns",
    "speaks": "speaks",
    "plays": "plays",
    "studies": "studies",
    "teaches": "teaches",
    "leads": "leads",
    "maintains": "maintains",
}
_LIVE = words("live lives reside resides moved relocated based emigrated immigrated")
_TO = words("to in last this since because for and two three a yesterday today")
_NEAR = 5  # words after 'moved' in which its place is named
_WORK = words("work works started working")
# 'I moved my pension to ING.' is about the pension and 'I started a course at MIT.' about the
# course. No thing is what stands after a preposition ('moved with my family to', 'work as a nurse
# at', 'live in a flat near') or after 'work', and who starts a job works there.
_OBJECTS = words("my our his her their your its the a an some all it them this that everything")
_PREPOSITIONS = words("with from as in to into near on for")
_NO_OBJECT = words("work works working live lives reside resides job role position")
_WRITTEN = {
    ("written", "in"): "written_in",
    ("hosted", "on"): "hosted_on",
    ("hosted", "at"): "hosted_on",
    ("located", "in"): "located_in",
    ("owned", "by"): "owned_by",
    ("maintained", "by"): "maintained_by",
    ("led", "by"): "led_by",
    ("deployed", "on"): "deployed_on",
    ("deployed", "to"): "deployed_on",
    ("based", "in"): "located_in",
}
_NAMING = ("called", "named")
_AFTERTHOUGHTS = words("too also though well either again now anyway")
_NEW = words("new current present")  # 'my new address' has the slot of 'my address'
_PROPERTIES: Mapping[str, str] = {"employer": "works_at"}
_DENIALS = words("not don't doesn't didn't isn't aren't never no can't cannot won't neither nor")
_WISHES = ("fact:goal", "fact:plan", "fact:looking-into")
_ASKED_FOR = "explicit:remember"
_TELLING = _LIVE | _WORK | _VERB_PREDICATES.keys() | words("use uses using allergic from")
_NOT_WORD = r"[^a-z0-9]+"


class Said(NamedTuple):
    """A statement whose slot is looked for."""

    tokens: Tokens
    raw: str  # the sentence as it was written; the tokens have their places in it
    subject: str  # who it is about: 'user', the speaker, a name in the sentence; '' unclear
    name: str  # the cue that let it in, such as 'fact:home'
    start: int  # first word of the cue; for a named subject its verb
    end: int  # the word after it


def slots_of(said: Said) -> Triple:
    """The triple of a statement, or three empty texts.

    Only shapes that leave no doubt: a wrong slot would make two facts exclude each other.
    """
    # Without a cue nothing says where the statement begins: 'I don't think that I work there'.
    head = said.tokens.lower if said.name == _ASKED_FOR else said.tokens.lower[: said.end + 1]
    if set(head) & _DENIALS and said.name != "preference:dislike":
        return NOTHING  # 'is not allergic to', 'don't use', 'no longer live in'
    if said.name in _WISHES:
        return NOTHING  # 'I want to work at Google'
    relative = _of_relative(said)
    if relative is not None:
        return relative if all(relative) else NOTHING
    place = _of_place_or_work(said)
    found = (
        (place if said.name in ("fact:home", "fact:work", "fact:new-work") else None)
        or _of_own_thing(said)
        or place
        or _of_use(said)
        or _of_switch(said)
        or _of_health(said)
        or _of_rule(said)
        or _of_state(said)
    )
    return found if found and all(found) else NOTHING


def uses(thing: str) -> str:
    """'uses_database' for a known database ('PostgreSQL 16'), and so on; 'uses' for the rest."""
    name, _, version = thing.casefold().partition(" ")
    kind = None if version.strip("v.0123456789") else _TYPE_OF.get(name)
    return f"uses_{kind}" if kind else "uses"


def _words(said: Said, first: int, end: int) -> str:
    """Words `[first, end)` as they were written."""
    return said.raw[said.tokens.start[first] : said.tokens.end[end - 1]] if end > first else ""


def _object(said: Said, first: int) -> str:
    """The words from `first` to the end of their clause, '' when too many for a value."""
    tokens, end = said.tokens, first
    while end < tokens.size and end - first <= LONGEST_OBJECT:
        listed = tokens.lower[end] == "and" and tokens.at(end + 1) not in FUNCTION_WORDS
        is_inner = listed or (end > first and goes_on(tokens, said.raw, end))
        # 'Let's use SQLite instead' was about a thing called 'SQLite instead', so 'We use Postgres'
        # stayed in force and was answered first.
        if tokens.lower[end] == "instead" or (tokens.lower[end] in PLACE_STOPS and not is_inner):
            break
        end += 1
    while end > first and tokens.lower[end - 1] in _AFTERTHOUGHTS:
        end -= 1
    return "" if end - first > LONGEST_OBJECT else _words(said, first, end).strip("*_\"'`“”‘’ ")


def _name(said: Said, first: int, *, is_place: bool = False) -> str:
    """The capitalised words from `first` on, '' when there are none."""
    return _words(said, first, name_end(said.tokens, said.raw, first, is_place=is_place))


def _of_relative(said: Said) -> Triple | None:
    """What is said of somebody of the person's: 'my mother lives in Graz'. None: nobody is.

    Her home is hers: the subject is 'my mother' ('my sister Lena', of another speaker 'Ann's
    mother'), never who speaks. A name with nothing else tells who she is.
    """
    tokens, relation = said.tokens, said.start + 1
    # 'My mother lives in Graz' was the home of who says it, and ended 'I live in Lisbon'.
    if said.name != "fact:relation" or tokens.at(said.start) not in ("my", "our"):
        return None
    while relation < said.start + 3 and tokens.at(relation) not in RELATIONS:
        relation += 1
    if tokens.at(relation) not in RELATIONS or tokens.at(relation) in _PROPERTIES:
        return None
    named = _name(said, relation + 1)
    verb = name_end(tokens, said.raw, relation + 1)
    if tokens.at(verb) in ("'s", "called", "named") or tokens.at(verb + 1) in _NAMING:
        return _of_relation(said, said.subject, relation) or NOTHING
    own = said.subject in ("", SELF, "we")
    who = _words(said, said.start + (not own), verb)
    about = said._replace(
        subject=f"{who[:1].lower()}{who[1:]}" if own else f"{said.subject}'s {who}",
        name="",
        start=verb,
        end=verb + 1,
    )
    near = set(tokens.lower[verb : verb + 3])
    told = None
    if near & _TELLING and not near & _DENIALS:  # not 'my mother met a man who works at Siemens'
        told = _of_place_or_work(about) or _of_use(about) or _of_health(about) or _of_state(about)
    if told and all(told):
        return told
    return (said.subject, tokens.lower[relation], named) if named else NOTHING


def _of_own_thing(said: Said) -> Triple | None:
    """'my birthday is 3 May', 'my wife Anna', 'my sister's name is Ema', 'Maria's birthday is'."""
    tokens = said.tokens
    for i, word in enumerate(tokens.lower[:8]):
        owner = ""
        if word == "my":
            owner = said.subject
        elif word == "'s" and i and tokens.is_capital(0):
            owner = _words(said, 0, i)
        if not owner:
            continue
        if word == "my" and tokens.at(i + 1) in RELATIONS - _PROPERTIES.keys():
            return _of_relation(said, owner, i + 1)
        found = _of_property(said, owner, i + 1)
        if found is not None:
            return found
    return None


def _of_relation(said: Said, owner: str, relation: int) -> Triple | None:
    """'(my) wife Anna', 'sister's name is Ema', 'dog is called Rex'."""
    tokens, named = said.tokens, relation + 1
    if tokens.at(named) in ("'s", "is") and tokens.at(named + 1) == "name":
        named += 3
    elif tokens.at(named) in ("is", "'s") and tokens.at(named + 1) in ("called", "named"):
        named += 2
    person = _name(said, named)
    return (owner, tokens.lower[relation], person) if person else None


def _of_property(said: Said, owner: str, first: int) -> Triple | None:
    """'(my) time zone is Europe/Lisbon'."""
    tokens, last = said.tokens, first
    while last < first + 3 and tokens.at(last) not in ("is", "are", "'s", ""):
        last += 1
    if tokens.at(last) not in ("is", "are", "'s") or last == first:
        return None
    value = last + 1
    while tokens.at(value) in ("on", "the") or tokens.at(value) in ADVERBS:
        value += 1
    if tokens.at(value) in ("spelled", "spelt", "written", "pronounced"):
        value += 1  # 'is spelled Aneta' says the name, 'is written with two n's' does not
        if tokens.at(value) in ("", "with", "without", "like", "in", "as"):
            return NOTHING
    # 'My new address' is the slot of 'my address', which it ends.
    if last > first + 1 and tokens.at(first) in _NEW:
        first += 1
    predicate = _slug(_words(said, first, last))
    return owner, _PROPERTIES.get(predicate, predicate), _object(said, value)


def _of_place_or_work(said: Said) -> Triple | None:
    tokens = said.tokens
    for i in range(said.start, min(said.start + 8, tokens.size)):
        word = tokens.lower[i]
        wanted: tuple[str, ...]
        if word in _LIVE:
            if _is_no_home(said, i):
                return None
            wanted, predicate = ("to", "in", "near"), "lives_in"
        elif word in _WORK:
            wanted, predicate = ("at", "for"), "works_at"
        elif word == "joined" and said.name == "fact:new-work":
            wanted, predicate = ("joined",), "works_at"
        elif word == "from" and tokens.at(i - 1) in ("am", "is", "originally"):
            wanted, predicate = ("from",), "comes_from"
        else:
            continue
        for j in range(i, min(i + 5, tokens.size)):
            place = _name(said, j + 1, is_place=True) if tokens.lower[j] in wanted else ""
            if place:
                # 'I moved my pension to ING' ended where the person lives.
                is_thing = _moves_a_thing(tokens.lower[i:j])
                return None if is_thing else (said.subject, predicate, place)
        return None
    return None


def _moves_a_thing(between: Sequence[str]) -> bool:
    """True if the verb, the first of these words before a place, has an object of its own."""
    objects = tuple(takewhile(lambda word: word not in _PREPOSITIONS, between))
    return not _OBJECTS.isdisjoint(objects) and _NO_OBJECT.isdisjoint(objects)


def _is_no_home(said: Said, verb: int) -> bool:
    """Whether something else than a person or a household moves: 'Mila's lesson moved to Friday'.

    What moves to a day, or is owned by somebody and no relative of theirs, lives nowhere.
    """
    if not MONTHS_AND_DAYS.isdisjoint(said.tokens.lower[verb : verb + _NEAR]):
        to = verb + 1 + (said.tokens.at(verb + 1) in ADVERBS)
        if said.tokens.at(to) in ("to", "from") and said.tokens.at(to + 1) in MONTHS_AND_DAYS:
            return True
    owner, owned, thing = said.subject.replace("’", "'").partition("'s ")
    return bool(owner and owned) and RELATIONS.isdisjoint(thing.casefold().split())


def _of_use(said: Said) -> Triple | None:
    """'Atlas uses PostgreSQL'. With a purpose ('for the queue') it is one use of several."""
    tokens = said.tokens
    for i in range(said.start, min(said.start + 6, tokens.size)):
        if tokens.lower[i] not in ("use", "uses", "using"):
            continue
        used = _object(said, i + 1)
        if len(used.split()) > 4:
            return None
        return said.subject, "uses" if "for" in tokens.lower[i:] else uses(used), used
    return None


def _of_switch(said: Said) -> Triple | None:
    """'We switched from Postgres to SQLite', where it is known what kind of thing that is."""
    tokens = said.tokens
    if said.name != "decision:switched" or "to" not in tokens.lower[said.start :]:
        return None
    first = tokens.lower.index("to", said.start) + 1
    chosen = _object(said, first).partition(" from ")[0]
    predicate = uses(chosen)
    return None if predicate == "uses" else (said.subject, predicate, chosen)


def left_behind(tokens: Tokens, raw: str, subject: str) -> tuple[Triple, ...]:
    """What is used no more after 'we switched to Vite from webpack', and 'from webpack to Vite'."""
    if "from" not in tokens.lower or not subject:
        return ()
    first = tokens.lower.index("from") + 1
    end = first
    while tokens.is_word(end) and tokens.at(end) not in _TO and end - first < _NEAR:
        end += 1
    if end == first:
        return ()
    old = raw[tokens.start[first] : tokens.end[end - 1]].strip("*_`")
    return ((subject, uses(old), old),)


def _of_health(said: Said) -> Triple | None:
    tokens = said.tokens
    for i, word in enumerate(tokens.lower):
        if word == "allergic" and tokens.at(i + 1) == "to":
            return said.subject, "allergic_to", _object(said, i + 2)
    return None


def _of_rule(said: Said) -> Triple | None:
    predicate = _RULE_PREDICATES.get(said.name)
    if predicate is None:
        return None
    if predicate == "dislikes" and said.tokens.present & _NOT and said.tokens.present & _BESIDES:
        return None  # 'I don't just like tea' says that they do
    if predicate == "name":
        return said.subject, predicate, _name(said, said.end) or _name(said, said.end - 1)
    return said.subject, predicate, _object(said, said.end)


def _of_state(said: Said) -> Triple | None:
    tokens, verb = said.tokens, said.start
    if tokens.at(verb) in _VERB_PREDICATES:
        return said.subject, _VERB_PREDICATES[tokens.at(verb)], _object(said, verb + 1)
    for i in range(verb, min(verb + 4, tokens.size)):
        word, following = tokens.lower[i], tokens.at(i + 1)
        if word == "port" and following.isdecimal():
            return said.subject, "port", following
        if word in _NAMING:
            return said.subject, "name", _object(said, i + 1)
        if (word, following) in _WRITTEN:
            return said.subject, _WRITTEN[word, following], _object(said, i + 2)
    return None


def _slug(text: str) -> str:
    """A predicate of words: 'time zone' is time_zone."""
    return re.sub(_NOT_WORD, "_", text.casefold()).strip("_")


# --- what a sentence says holds no more ---

# The sentence is read again without the words that end it, so that it names the slot of the fact
# that it ends. Only ordinary phrasings: what is missed here leaves two facts, a wrong guess ends
# one.
_NOT = words("don't doesn't didn't isn't aren't not never")
_AUXILIARY = words("do does did am are is 'm")
_TAILS = (("anymore",), ("any", "more"), ("any", "longer"), ("no", "more"))
_STOPPED = words("stopped quit ceased")
_ING = {
    "using": "use",
    "working": "work",
    "living": "live",
    "liking": "like",
    "loving": "love",
    "drinking": "like",
    "eating": "like",
    "playing": "play",
    "speaking": "speak",
    "studying": "study",
    "teaching": "teach",
    "leading": "lead",
    "owning": "own",
}
_TASTES = {
    "like": "likes",
    "likes": "likes",
    "love": "likes",
    "loves": "likes",
    "enjoy": "likes",
    "enjoys": "likes",
    "hate": "dislikes",
    "hates": "dislikes",
    "dislike": "dislikes",
    "dislikes": "dislikes",
    "prefer": "prefers",
    "prefers": "prefers",
    "own": "owns",
    "owns": "owns",
    "speak": "speaks",
    "speaks": "speaks",
    "play": "plays",
    "plays": "plays",
    "study": "studies",
    "studies": "studies",
    "teach": "teaches",
    "teaches": "teaches",
    "lead": "leads",
    "leads": "leads",
    "maintain": "maintains",
    "maintains": "maintains",
}
_LEFT = words("left quit")
_JOBS = words("job position role post work")
# Nothing is ended by what is only doubted, wished or asked, or by how much or how often.
_DOUBT = words("if would could should might maybe perhaps think know want sure ? why when unless")
_MEASURE = words("much often always only really that every yet just")
_BESIDES = words("only just merely simply")


def undo_denial(tokens: Tokens) -> Tokens | None:
    """The sentence as if it still held; None when it ends nothing."""
    lower = tokens.lower
    if not lower or tokens.present & _DOUBT:
        return None
    for i in range(min(len(lower), 8)):
        if lower[i] == "no" and tokens.at(i + 1) == "longer":
            return _without(tokens, {i, i + 1})
        if lower[i] in _STOPPED and tokens.at(i + 1) in _ING:
            kept = _without(tokens, {i})
            changed = tuple(_ING[word] if n == i else word for n, word in enumerate(kept.lower))
            return kept._replace(lower=changed, present=frozenset(changed))
        if lower[i] in _NOT:
            tail = _tail(tokens)
            gone = {i, *tail}
            if i and lower[i - 1] in _AUXILIARY and lower[i] == "not" and lower[i - 1] != "am":
                gone.add(i - 1)
            if not tail and tokens.present & _MEASURE:
                return None
            return _without(tokens, gone)
    return None


def ended_facts(
    tokens: Tokens, raw: str, subject: str, slots: Callable[[Tokens], Triple]
) -> tuple[Triple, ...]:
    """The facts that a sentence ends, as it names them; the first that is known is meant.

    subject  who says 'I'
    slots    the triple of the sentence as if it still held, three empty texts for none
    """
    found = undo_denial(tokens)
    if found is not None:
        triple = _taste(found, raw, subject) or slots(found)
        return (triple,) if all(triple) else ()
    return _left(tokens, raw, subject)


def _taste(tokens: Tokens, raw: str, subject: str) -> Triple | None:
    """'(I) like tea', of the person alone: others are named, and read by the rules for slots."""
    if tokens.at(0) not in ("i", "we"):  # 'my mother doesn't like tea' is hers
        return None
    for i in range(1, min(tokens.size, 4)):
        predicate = _TASTES.get(tokens.lower[i])
        if predicate is not None:
            value = _rest(tokens, raw, i + 1)
            return (subject, predicate, value) if value else None
    return None


def _left(tokens: Tokens, raw: str, subject: str) -> tuple[Triple, ...]:
    """'I left Siemens', 'I quit my job at Siemens': a place of work, or of living."""
    if tokens.at(0) not in ("i", "we"):
        return ()
    for i in range(1, min(tokens.size, 4)):
        if tokens.lower[i] not in _LEFT:
            continue
        first = i + 1
        is_job = any(tokens.at(first + n) in _JOBS for n in range(3))
        if is_job:
            while first < tokens.size and tokens.at(first) not in ("at", "with", "for"):
                first += 1
            first += 1
        name = _capitals(tokens, raw, first)
        if not name:
            return ()
        work = (subject, "works_at", name)
        return (work,) if is_job else (work, (subject, "lives_in", name))
    return ()


def _tail(tokens: Tokens) -> set[int]:
    """Places of 'anymore' and the like at the end, before marks."""
    end = tokens.size
    while end and not tokens.is_word(end - 1):
        end -= 1
    for tail in _TAILS:
        start = end - len(tail)
        if start > 0 and tokens.lower[start:end] == tail:
            return set(range(start, end))
    return set()


def _without(tokens: Tokens, gone: set[int]) -> Tokens:
    kept = [i for i in range(tokens.size) if i not in gone]
    lower = tuple(tokens.lower[i] for i in kept)
    return Tokens(
        lower=lower,
        raw=tuple(tokens.raw[i] for i in kept),
        start=tuple(tokens.start[i] for i in kept),
        end=tuple(tokens.end[i] for i in kept),
        present=frozenset(lower),
    )


def _rest(tokens: Tokens, raw: str, first: int) -> str:
    """The words from `first` to the first mark that is not inside a name."""
    end = first
    while tokens.is_word(end) or (end > first and goes_on(tokens, raw, end, is_place=True)):
        end += 1
    return raw[tokens.start[first] : tokens.end[end - 1]] if end > first else ""


def _capitals(tokens: Tokens, raw: str, first: int) -> str:
    end = name_end(tokens, raw, first, is_place=True)
    return raw[tokens.start[first] : tokens.end[end - 1]] if end > first else ""
