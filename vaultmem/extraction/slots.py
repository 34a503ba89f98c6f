"""Subject, predicate and object of a statement, where its words make them clear."""

from __future__ import annotations

import re
from collections.abc import Mapping

from vaultmem.extraction.lexicon import ADVERBS, PLACE_STOPS, RELATIONS, words
from vaultmem.extraction.patterns import Tokens
from vaultmem.model.dates.words import FUNCTION_WORDS

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
    "fact:age": "age",
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
_WORK = words("work works started working")
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
    ("called", ""): "name",
    ("named", ""): "name",
}
_DENIALS = words("not don't doesn't didn't isn't aren't never no can't cannot won't neither nor")
_NOT_WORD = r"[^a-z0-9]+"


def slots_of(tokens: Tokens, raw: str, *, name: str, subject: str, cue: tuple[int, int]) -> Triple:
    """The triple of a statement, or three empty texts.

    raw      the sentence as it was written; `tokens` have their places in it
    name     the cue that let it in, such as 'fact:home'
    subject  who it is about: 'user', the speaker, or a name in the sentence
    cue      words [from, to) that say so; for a named subject its verb
    Only shapes that leave no doubt: a wrong slot would make two facts exclude each other.
    """
    start, end = cue
    if set(tokens.lower[: end + 1]) & _DENIALS and name != "preference:dislike":
        return NOTHING  # 'is not allergic to', 'don't use', 'no longer live in'
    place = _of_place_or_work(tokens, raw, subject, start)
    found = (
        (place if name in ("fact:home", "fact:work") else None)
        or _of_own_thing(tokens, raw, subject)
        or place
        or _of_use(tokens, raw, subject, start)
        or _of_health(tokens, raw, subject)
        or _of_rule(tokens, raw, subject, (name, end))
        or _of_state(tokens, raw, subject, start)
    )
    return found if found and all(found) else NOTHING


def object_at(tokens: Tokens, raw: str, i: int) -> str:
    """The words from `i` to the end of their clause as they were written, '' when too many."""
    end = i
    while end < tokens.size and end - i <= LONGEST_OBJECT:
        listed = tokens.lower[end] == "and" and tokens.at(end + 1) not in FUNCTION_WORDS
        if tokens.lower[end] in PLACE_STOPS and not listed:
            break
        end += 1
    while end > i and tokens.lower[end - 1] in ("too", "also", "though", "well", "either"):
        end -= 1
    if end == i or end - i > LONGEST_OBJECT:
        return ""
    return raw[tokens.start[i] : tokens.end[end - 1]].strip("*_\"'`“”‘’ ")


def name_at(tokens: Tokens, raw: str, i: int) -> str:
    """The capitalised words from `i` on, '' when there are none."""
    end = i
    while tokens.is_capital(end) or (end > i and tokens.at(end) in ("of", "de", "&")):
        end += 1
    while end > i and not tokens.is_capital(end - 1):
        end -= 1
    return raw[tokens.start[i] : tokens.end[end - 1]] if end > i else ""


def uses(raw_object: str) -> str:
    """'uses_database' for a known database ('PostgreSQL 16'), and so on; 'uses' for the rest."""
    name, _, version = raw_object.casefold().partition(" ")
    kind = None if version.strip("v.0123456789") else _TYPE_OF.get(name)
    return f"uses_{kind}" if kind else "uses"


def _of_own_thing(tokens: Tokens, raw: str, subject: str) -> Triple | None:
    """'my birthday is 3 May', 'my wife Anna', 'my sister's name is Ema', 'Maria's birthday is'."""
    for i, word in enumerate(tokens.lower[:8]):
        if word not in ("my", "'s"):
            continue
        owner = subject if word == "my" else raw[tokens.start[0] : tokens.end[i - 1]] if i else ""
        owner = "" if word == "'s" and not tokens.is_capital(0) else owner
        first = i + 1
        if word == "my" and tokens.at(first) in RELATIONS:
            named = first + 1
            if tokens.at(named) in ("'s", "is") and tokens.at(named + 1) == "name":
                named += 3
            elif tokens.at(named) in ("is", "'s") and tokens.at(named + 1) in ("called", "named"):
                named += 2
            person = name_at(tokens, raw, named)
            return (owner, tokens.lower[first], person) if person and owner else None
        last = first
        while last < first + 3 and tokens.at(last) not in ("is", "are", "'s", ""):
            last += 1
        if tokens.at(last) not in ("is", "are", "'s") or last == first or not owner:
            continue
        value = last + 1
        while tokens.at(value) in ("on", "the") or tokens.at(value) in ADVERBS:
            value += 1
        said = object_at(tokens, raw, value)
        predicate = _slug(raw[tokens.start[first] : tokens.end[last - 1]])
        return (owner, predicate, said) if said and predicate else None
    return None


def _of_place_or_work(tokens: Tokens, raw: str, subject: str, verb: int) -> Triple | None:
    for i in range(verb, min(verb + 8, tokens.size)):
        word = tokens.lower[i]
        wanted: tuple[str, ...]
        if word in _LIVE:
            wanted, predicate = ("to", "in", "near"), "lives_in"
        elif word in _WORK:
            wanted, predicate = ("at", "for"), "works_at"
        elif word == "from" and tokens.at(i - 1) in ("am", "is", "originally"):
            wanted, predicate = ("from",), "comes_from"
        else:
            continue
        for j in range(i, min(i + 5, tokens.size)):
            place = name_at(tokens, raw, j + 1) if tokens.lower[j] in wanted else ""
            if place:
                return subject, predicate, place
        return None
    return None


def _of_use(tokens: Tokens, raw: str, subject: str, verb: int) -> Triple | None:
    """'Atlas uses PostgreSQL'. With a purpose ('for the queue') it is one use of several."""
    for i in range(verb, min(verb + 6, tokens.size)):
        if tokens.lower[i] not in ("use", "uses", "using"):
            continue
        used = object_at(tokens, raw, i + 1)
        end = next((j for j in range(i, tokens.size) if tokens.lower[j] == "for"), None)
        if not used or len(used.split()) > 4:
            return None
        return subject, "uses" if end is not None else uses(used), used
    return None


def _of_health(tokens: Tokens, raw: str, subject: str) -> Triple | None:
    for i, word in enumerate(tokens.lower):
        if word == "allergic" and tokens.at(i + 1) == "to":
            said = object_at(tokens, raw, i + 2)
            return (subject, "allergic_to", said) if said else None
    return None


def _of_rule(tokens: Tokens, raw: str, subject: str, at: tuple[str, int]) -> Triple | None:
    name, end = at
    predicate = _RULE_PREDICATES.get(name)
    if predicate is None:
        return None
    if name == "fact:name":
        said = name_at(tokens, raw, end) or name_at(tokens, raw, end - 1)
    elif name == "fact:age":
        return None
    else:
        said = object_at(tokens, raw, end)
    return (subject, predicate, said) if said else None


def _of_state(tokens: Tokens, raw: str, subject: str, verb: int) -> Triple | None:
    word = tokens.at(verb)
    if word in _VERB_PREDICATES:
        said = object_at(tokens, raw, verb + 1)
        return (subject, _VERB_PREDICATES[word], said) if said else None
    for i in range(verb, min(verb + 4, tokens.size)):
        if tokens.at(i) == "port" and tokens.at(i + 1).isdecimal():
            return subject, "port", tokens.at(i + 1)
        following = tokens.at(i + 1)
        predicate = _WRITTEN.get((tokens.at(i), following)) or _WRITTEN.get((tokens.at(i), ""))
        if predicate:
            value = i + 1 if (tokens.at(i), "") in _WRITTEN else i + 2
            said = object_at(tokens, raw, value)
            return (subject, predicate, said) if said else None
    return None


def _slug(text: str) -> str:
    """A predicate of words: 'time zone' is time_zone."""
    return re.sub(_NOT_WORD, "_", text.casefold()).strip("_")
