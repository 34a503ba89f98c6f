"""Detector of preferences: what a person wants in general, and what never (algorithms 4.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

from vaultmem.base import dataclass, replace
from vaultmem.learn.conversations import Session, Sighting
from vaultmem.learn.own_statements import (
    Clause,
    Cue,
    Language,
    Statement,
    begins_clause,
    clauses,
    is_denied,
    load,
    scope_before,
)

# What a cue is about: the value, what it is preferred to, where it holds and what it is for.

_TOKEN = re.compile(r"[.#@/]?\w[\w.+#/-]*\w(?:\+\+)?|\w[+#]{0,2}|ꙁ\d+ꙁ")
_PLURAL_TAILS = ("ss", "us", "is")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A value in folded text; '' where a part was not said."""

    text: str
    rejects: str = ""
    scope: str = ""
    purpose: str = ""
    polarity: str = ""  # '' as the cue has it, 'avoid' of a denial in it, 'reverse'
    extent: str = ""  # all of the words that were read for it


def read_value(after: str, language: Language, *, cue: str = "") -> Value | None:
    """The value that begins here; None where none is named, or only 'that one' or 'it'.

    cue  the words before it: after 'I prefer', 'tea to coffee' compares
    """
    doubt = language.doubt
    text = after.strip(" ,:-")
    polarity = ""
    exception = doubt.lists["exception"].match(text) if "exception" in doubt.lists else None
    if exception:
        text, polarity = text[exception.end() :], "reverse"
    text = _cut(text, language)
    extent = text = trimmed_end(text, language)
    text = trim_value(text, language)
    negative = (
        doubt.lists["negative_value"].match(text) if "negative_value" in doubt.lists else None
    )
    if negative:
        text, polarity = trim_value(text[negative.end() :], language), "avoid"
    text, rejects = _split_rejected(text, language, compares=language.doubt.has("comparing", cue))
    rejects, wanted_for = _split_off(rejects, _tail(language.name, "purposes"), language)
    text, scope = _split_off(text, _tail(language.name, "scopes"), language)
    text, purpose = _split_off(text, _tail(language.name, "purposes"), language)
    text = trim_value(text, language)
    if not tokens(text, language) or doubt.has("deictic", text):
        return None
    return Value(
        text=text,
        rejects=trim_value(rejects, language),
        scope=scope,
        purpose=purpose or wanted_for,
        polarity=polarity,
        extent=extent,
    )


def tokens(text: str, language: Language) -> tuple[str, ...]:
    """The words that make a value what it is, sorted: no articles, plurals as singulars."""
    found = set()
    for word in _TOKEN.findall(text):
        # A leading full stop is part of a name ('.env', '.js').
        bare = word.strip(".-") if not word.startswith(".") else word.rstrip("-")
        if bare and bare not in language.articles:
            found.add(singular(bare))
    if not found:  # 'any' may be meant as a name
        found.update(_WORD.findall(text))
    return tuple(sorted(found))


def singular(word: str) -> str:
    """An English or Spanish plural without its s; any other word as it is."""
    if len(word) > 3 and word.endswith("s") and not word.endswith(_PLURAL_TAILS) and word.isalpha():
        if word.endswith("ies") and len(word) > 4:
            return word[:-3] + "y"
        if word.endswith(("ches", "shes", "xes", "sses")):
            return word[:-2]
        return word[:-1]
    return word


def _cut(text: str, language: Language) -> str:
    """The text up to where the value ends. 'short, direct answers' goes on after its comma."""
    stops = language.doubt.lists["stops"]
    place = 0
    while True:
        found = stops.search(text, place)
        if found is None:
            return text
        if found[0] == "," and (
            _is_enumeration(text[: found.start()], text[found.end() :])
            or language.doubt.lists["rejects"].match(text, found.start())
        ):
            place = found.end()
            continue
        if found.start() == 0:
            text = text[found.end() :].lstrip()
            place = 0
            if not text:
                return ""
            continue
        return text[: found.start()]


def _is_enumeration(before: str, after: str) -> bool:
    """Whether a comma joins adjectives: one word before it, two or three plain ones after."""
    following = re.split(r"[,:;(]| - ", after)[0].split()
    plain = not re.search(
        r"\b(?:i|we|it|you|is|are|not|no|thanks|please|never|always|use)\b", after
    )
    return len(before.split()) == 1 and 2 <= len(following) <= 3 and plain


def _split_rejected(text: str, language: Language, *, compares: bool) -> tuple[str, str]:
    """(value, what it is preferred to)."""
    doubt = language.doubt
    found = doubt.lists["rejects"].search(text) if "rejects" in doubt.lists else None
    if found and found.start() > 0:
        rest = _cut(text[found.end() :], language)
        return text[: found.start()], rest
    found = doubt.lists["rejects_to"].search(text) if compares else None
    if found and found.start() > 0:
        rest = text[found.end() :]
        first = rest.split(" ", 1)[0]
        if len(rest.split()) <= 3 and not doubt.lists["not_rejected"].fullmatch(first):
            return text[: found.start()], rest
    return text, ""


def _split_off(text: str, tail: re.Pattern[str], language: Language) -> tuple[str, str]:
    found = tail.search(text)
    if found is None or found.start() == 0:
        return text, ""
    return text[: found.start()], trimmed_end(text[found.start() :].strip(" ,"), language)


@cache
def _tail(language: str, name: str) -> re.Pattern[str]:
    """Where a phrase of that sort begins: 'in' before 'the tests', not before 'German'."""
    lists = load(language).doubt.lists
    words = lists[name].pattern
    if name == "purposes":
        return re.compile(rf",? \b{words}\b \S")
    return re.compile(rf",? \b{words}\b (?:\w+ing\b|{lists['determiner'].pattern})")


def trim_value(text: str, language: Language) -> str:
    """Without what leads in ('to use', 'the') and what trails off ('please', 'from now on')."""
    leading = language.doubt.lists["leading"]
    text = text.strip(" ,:-!.")
    while True:
        found = re.match(rf"{leading.pattern}(?: |$)", text)
        if found is None:
            return trimmed_end(text, language)
        text = text[found.end() :].strip(" ,:-")


def trimmed_end(text: str, language: Language) -> str:
    trailing = language.doubt.lists["trailing"]
    text = text.strip(" ,:-!.")
    while True:
        found = re.search(rf"(?:^|[ ,]){trailing.pattern}$", text)
        if found is None:
            return text
        text = text[: found.start()].rstrip(" ,:-")


_OTHER = {"prefer": "avoid", "avoid": "prefer"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A cue in a clause, with the words after it up to the next cue."""

    cue: Cue
    found: re.Match[str]
    after: str
    before: str  # from the beginning of the clause, or from the cue before
    scope: str = ""  # said before the cue; '' there is none
    place: int = 0  # in the statement, where its value is looked for


def preferences(session: Session, said: Statement, language: Language) -> Iterator[Sighting]:
    """The preferences that a sentence states, in its order."""
    # With no word of a cue nothing further is looked at (2.5 s of processor for 27,000 sentences in
    # place of 7.3).
    if not language.preference.may_hold(said.text):
        return
    for clause in clauses(said, language):
        for hit in hits(clause, language.preference.cues, language):
            near = f"{hit.before.rsplit(',', 1)[-1]}{hit.found[0]}{hit.after}"
            if language.doubt.has("once", near):
                continue
            sighting = _read(session, said, hit, language)
            if sighting is not None:
                yield sighting


def hits(clause: Clause, cues: tuple[Cue, ...], language: Language) -> list[Hit]:
    """The cues of a clause that are the speaker's own and not denied, none inside another."""
    text = clause.text
    places = sorted(
        ((found, cue) for cue in cues for found in cue.pattern.finditer(text)),
        # Of two cues that begin at one place the longer one is read.
        key=lambda pair: (pair[0].start(), -pair[0].end()),
    )
    chosen: list[Hit] = []
    end = 0
    kept = [pair for pair in places if _is_own(pair[0], pair[1], text, language)]
    for number, (found, cue) in enumerate(kept):
        if found.start() < end:
            continue
        following = [
            other.start() for other, _ in kept[number + 1 :] if other.start() >= found.end()
        ]
        stop = min(following, default=len(text))
        before = text[end : found.start()]
        chosen.append(
            Hit(
                cue=cue,
                found=found,
                after=text[found.end() : stop],
                before=before,
                scope=scope_before(before, language) or "",
                place=clause.start + _value_start(found),
            )
        )
        end = found.end()
    return chosen


def _value_start(found: re.Match[str]) -> int:
    has_value = "value" in found.re.groupindex and found["value"] is not None
    return found.start("value") if has_value else found.end()


def _is_own(found: re.Match[str], cue: Cue, text: str, language: Language) -> bool:
    before = text[: found.start()]
    if is_denied(before, language):
        return False
    said_by = found.groupdict().get("own")
    return cue.own or bool(said_by) or begins_clause(before, language)


def _read(session: Session, said: Statement, hit: Hit, language: Language) -> Sighting | None:
    groups = {name: text for name, text in hit.found.groupdict().items() if text}
    after = groups.get("value", hit.after)
    if language.preference.has("benign", after.strip(" ,:-")):
        return None
    value = read_value(after, language, cue=hit.found[0])
    if value is None:
        return None
    polarity = _polarity(hit.cue.polarity, value)
    rejects = groups.get("rejects") or groups.get("rejected") or value.rejects
    shown = said.as_written(value.text, hit.place)
    if not shown:
        return None
    return Sighting(
        category="preference",
        session=session.id,
        at=session.at,
        quote=said.quote,
        statement=said.as_written(spoken_words(hit, groups, value)),
        value=shown,
        polarity=polarity,
        rejects=said.as_written(rejects.strip()) if rejects else "",
        scope=said.as_written(_scope(hit.scope, value.scope)),
        purpose=said.as_written(groups.get("purpose", "") or value.purpose),
        language=language.name,
    )


def spoken_words(hit: Hit, groups: Mapping[str, str], value: Value) -> str:
    """The words from where the cue's scope begins to where its value ends, in folded text."""
    text = hit.found.string
    start = hit.found.start() - (len(hit.before) - hit.before.rfind(hit.scope) if hit.scope else 0)
    first = hit.found.start("value") if groups.get("value") else hit.found.end()
    end = text.find(value.extent, first) + len(value.extent)
    return text[start : max(end, hit.found.end())].strip(" ,:-")


def _polarity(polarity: str, value: Value) -> str:
    """'never use anything but X' prefers X, 'I prefer no X' avoids it."""
    if value.polarity == "reverse":
        return _OTHER[polarity]
    if value.polarity == "avoid":
        return "avoid" if polarity == "prefer" else "prefer"
    return polarity


def _scope(before: str, after: str) -> str:
    return " ".join(part for part in (before, after) if part)


def decisions(session: Session, said: Statement, language: Language) -> Iterator[Sighting]:
    """The decisions that a sentence states, in its order."""
    if not language.decision.may_hold(said.text):
        return
    for clause in clauses(said, language):
        if language.doubt.has("unsettled", clause.text):
            continue
        for hit in hits(clause, language.decision.cues, language):
            sighting = _read_decision(session, said, hit, language)
            if sighting is not None:
                yield sighting


def withdrawn(said: Statement, language: Language) -> str:
    """What a sentence says is not done after all, in folded text; '' for nothing."""
    found = language.decision.lists.get("withdrawal")
    gone = found.search(said.text) if found and said.mark != "?" else None
    if gone is None:
        return ""
    return next((text for text in gone.groups() if text), "")


def takes_back(said: Statement, language: Language) -> bool:
    """Whether a sentence says that the last decision is off: 'scrap that', 'on second thought'."""
    return said.mark != "?" and language.decision.has("reversal", said.text)


def last_of_topic(
    found: list[tuple[Sighting, bool]], gone: list[tuple[int, str]], language: Language
) -> list[Sighting]:
    """The decisions of one session in order; those taken back stand no more.

    found  decisions, and whether the sentence or the one before takes the last one back
    gone   (how many decisions had been found, what is not done after all)

    A later decision takes the place of an earlier one where it says so, replaces its value, or
    is for the same purpose.
    """
    kept: list[Sighting] = []
    waiting = list(gone)
    for number, (sighting, is_reversal) in enumerate(found):
        while waiting and waiting[0][0] <= number:
            before = [each.value for each in kept if each.standing]
            kept = _without(kept, waiting.pop(0)[1], language)
            left = [each.value for each in kept if each.standing]
            taken = [value for value in before if value not in left]
            if taken and not sighting.rejects:
                sighting = replace(sighting, rejects=taken[-1])
        for place in range(len(kept) - 1, -1, -1):
            earlier = kept[place]
            if not earlier.standing or not _is_replaced(
                earlier, sighting, is_reversal=is_reversal, language=language
            ):
                continue
            kept[place] = replace(earlier, standing=False)
            if not sighting.rejects:
                sighting = replace(sighting, rejects=earlier.value)
            is_reversal = False
        kept.append(sighting)
    for _, words in waiting:
        kept = _without(kept, words, language)
    return kept


def _is_replaced(
    earlier: Sighting, later: Sighting, *, is_reversal: bool, language: Language
) -> bool:
    same = tokens(earlier.value.casefold(), language) == tokens(later.value.casefold(), language)
    if same:
        return False
    if is_reversal:
        return True
    words = tokens(earlier.value.casefold(), language)
    if later.rejects and words == tokens(later.rejects.casefold(), language):
        return True
    topic = tokens(later.purpose.casefold(), language)
    return bool(topic) and topic == tokens(earlier.purpose.casefold(), language)


def _without(kept: list[Sighting], words: str, language: Language) -> list[Sighting]:
    gone = set(tokens(words, language))
    return [
        replace(sighting, standing=False)
        if set(tokens(sighting.value.casefold(), language)) <= gone
        else sighting
        for sighting in kept
    ]


def _read_decision(
    session: Session, said: Statement, hit: Hit, language: Language
) -> Sighting | None:
    after = (hit.found.groupdict().get("value") or hit.after).strip(" ,:-")
    if language.decision.has("benign", after):
        return None
    value = read_value(after, language)
    if value is None or language.decision.has("benign", value.text):
        return None
    shown = said.as_written(value.text, hit.place)
    if not shown:
        return None
    replaces = hit.found.groupdict().get("replaces") or value.rejects
    return Sighting(
        category="decision",
        session=session.id,
        at=session.at,
        quote=said.quote,
        statement=said.as_written(spoken_words(hit, hit.found.groupdict(), value)),
        value=shown,
        polarity=_polarity_of_decision(hit, value),
        rejects=said.as_written(replaces.strip()) if replaces else "",
        scope=said.as_written(" ".join(part for part in (hit.scope, value.scope) if part)),
        purpose=said.as_written(value.purpose),
        language=language.name,
    )


def _polarity_of_decision(hit: Hit, value: Value) -> str:
    return "avoid" if hit.cue.negated or value.polarity == "avoid" else "prefer"
