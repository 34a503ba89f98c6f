"""Sightings of the same thing made one pattern, whatever the words around it were.

A preference is its polarity, value and scope; a decision its value; a correction the phrase that
its wordings share; a convention its kind and value; a workflow its exact tools.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from vaultmem.base.records import replace
from vaultmem.language.text import fold
from vaultmem.learn.detect.languages import load, spoken_in
from vaultmem.learn.detect.sequences import LENGTHS, Sequenced, tool_sequences
from vaultmem.learn.detect.statements import statements
from vaultmem.learn.detect.values import tokens
from vaultmem.learn.sessions import Pattern, Session, Sighting
from vaultmem.model.ids import item_id

LEAST_SHARED_TOKENS = 2
LEAST_OVERLAP = 0.6  # of the words of two corrections together
_MOST_REQUEST, _MOST_TRIGGER = 2000, 100  # characters that are read, and shown
LEAST_COVERED = 0.5  # of the longer of two corrections, by the shorter


def patterns(seen: Iterable[Sighting]) -> tuple[Pattern, ...]:
    """The patterns of sightings that stand, in the order of their first sighting."""
    groups: list[list[Sighting]] = []
    by_slot: dict[tuple[object, ...], list[list[Sighting]]] = {}
    for sighting in seen:
        if not sighting.standing:
            continue
        near = by_slot.setdefault(_slot(sighting), [])
        group = next((group for group in near if _belongs(sighting, group)), None)
        if group is None and sighting.category == "preference":
            wishes = by_slot.setdefault(_wish_slot(sighting), [])
            group = next((each for each in wishes if _is_wish_of(sighting, each)), None)
            if group is None:
                group = []
                wishes.append(group)
                groups.append(group)
            near.append(group)
        if group is None:
            group = []
            near.append(group)
            groups.append(group)
        group.append(sighting)
    found = [_pattern(group) for group in groups]
    return tuple(_with_superseded(found))


def workflows(
    sessions: Sequence[Session],
    rejected: Mapping[str, frozenset[int]],
    *,
    least_sessions: int = 2,
    lengths: Sequence[int] = LENGTHS,
) -> tuple[tuple[Sequenced, Pattern], ...]:
    """The closed tool sequences of conversations, each with its pattern.

    rejected  by session the turns in which the person rejected what had just been done
    """
    called = {s.id: [call.name for turn in s.turns for call in turn.calls] for s in sessions}
    by_id = {session.id: session for session in sessions}
    return tuple(
        (found, _workflow(found, by_id, rejected))
        for found in tool_sequences(called, least_sessions=least_sessions, lengths=lengths)
        if found.closed
    )


@lru_cache(maxsize=16_384)
def words_of(text: str, language: str) -> frozenset[str]:
    """The content words of a phrase, as patterns are compared by."""
    tongue = load(language)
    return frozenset(word for word in tokens(fold(text), tongue) if word not in tongue.stop_words)


def _slot(sighting: Sighting) -> tuple[object, ...]:
    """What sightings of one group have in common for certain."""
    category = sighting.category
    if category == "convention":
        return category, sighting.kind, sighting.value
    if category == "correction":
        return (category,)
    said = sighting.value
    if category == "preference":
        value = _value_key(said, sighting.language)
        return category, sighting.polarity, value, scope_key(sighting.scope, sighting.language)
    return category, sighting.polarity, _value_key(said, sighting.language)


def _wish_slot(sighting: Sighting) -> tuple[object, ...]:
    """What wishes of one group have in common, whatever their words."""
    from vaultmem.judgement.wishes import is_of_answers

    is_everywhere = is_of_answers(sighting.scope)
    scope = () if is_everywhere else scope_key(sighting.scope, sighting.language)
    return "wish", sighting.polarity, scope  # a short one may be read as of another language


def _is_wish_of(sighting: Sighting, group: Sequence[Sighting]) -> bool:
    """Whether a wish is that of a group in other words; each is held against the first."""
    from vaultmem.judgement.wishes import are_one

    return are_one(sighting.value, group[0].value) and _belongs(sighting, group)


@lru_cache(maxsize=4096)
def scope_key(scope: str, language: str) -> tuple[str, ...]:
    """The words of a scope; none of one that is wherever the speaker is ('in this project')."""
    tongue = load(language)
    folded = fold(scope)
    return () if tongue.doubt.has("nearby", folded) else tokens(folded, tongue)


@lru_cache(maxsize=16_384)
def _value_key(value: str, language: str) -> tuple[str, ...]:
    return tokens(fold(value), load(language))


def _belongs(sighting: Sighting, group: Sequence[Sighting]) -> bool:
    if sighting.category == "correction":
        return any(_same_correction(sighting, other) for other in group)
    if sighting.category == "preference" and sighting.purpose:
        purpose = words_of(sighting.purpose, sighting.language)
        others = [words_of(o.purpose, o.language) for o in group if o.purpose]
        return all(purpose == other for other in others)
    return True


def _same_correction(one: Sighting, other: Sighting) -> bool:
    about = words_of(one.purpose, one.language) - _POINTING
    about_other = words_of(other.purpose, other.language) - _POINTING
    if about and about_other and not about & about_other:
        return False  # 30 minutes of baking are not 30 minutes of walking
    return any(
        _share_a_phrase(words_of(left, one.language), words_of(right, other.language))
        for left in (one.value, *one.parts)
        for right in (other.value, *other.parts)
    )


def _share_a_phrase(left: frozenset[str], right: frozenset[str]) -> bool:
    """Whether two wordings are one: the same words, or one says the core of the other."""
    if not left or not right:
        return False
    if left == right:
        return True
    if _telling(left ^ right):
        return False
    shared = left & right
    if len(shared) < LEAST_SHARED_TOKENS:
        return False
    if len(shared) >= LEAST_OVERLAP * len(left | right):
        return True
    shorter, longer = sorted((left, right), key=len)
    return shorter <= longer and len(shorter) >= LEAST_COVERED * len(longer)


def _telling(words: frozenset[str]) -> bool:
    """Whether words make two phrases differ in what they say: numbers, denials."""
    return any(any(c.isdigit() for c in word) or word in _DENIALS for word in words)


_POINTING = frozenset(["it", "that", "this", "they", "he", "she", "there"])
_DENIALS = frozenset(["not", "no", "never", "without", "don't"])


def _pattern(group: Sequence[Sighting]) -> Pattern:
    first = _representative(group)
    is_wish = first.category == "preference"
    purpose = next((s.purpose for s in group if s.purpose and is_wish), "")
    return Pattern(
        category=first.category,
        key=key_of(first, purpose=purpose),
        purpose=purpose,
        statement=first.statement,
        value=first.value,
        polarity=first.polarity,
        rejects=next((s.rejects for s in group if s.rejects), ""),
        scope=first.scope,
        kind=first.kind,
        sightings=tuple(group),
    )


def _representative(group: Sequence[Sighting]) -> Sighting:
    """The sighting whose words stand for all: of corrections the phrase that most share."""
    first = group[0]
    if first.category != "correction":
        return first
    wordings = [(wording, s) for s in group for wording in (s.value, *s.parts)]

    def shared_by(wording: str, language: str) -> int:
        words = words_of(wording, language)
        return sum(
            any(_share_a_phrase(words, words_of(w, o.language)) for w in (o.value, *o.parts))
            for o in group
        )

    best, holder = max(wordings, key=lambda pair: shared_by(pair[0], pair[1].language))
    if best == holder.value:
        return holder
    denial = load(holder.language).denial
    statement = f"{best}, {denial} {holder.rejects}" if holder.rejects else best
    return replace(holder, value=best, statement=statement)


def key_of(sighting: Sighting, *, purpose: str = "") -> str:
    """What identifies the rule of a sighting, on every device: category and a hash."""
    said = " ".join(
        (
            sighting.polarity,
            sighting.kind,
            *_value_key(sighting.value, sighting.language),
            "|",
            *scope_key(sighting.scope, sighting.language),
            *(("for", *sorted(words_of(purpose, sighting.language))) if purpose else ()),
        )
    )
    return hashed_key(sighting.category, said)


def hashed_key(category: str, text: str) -> str:
    """The id that the note of such a rule has, the same on every device."""
    return item_id("learned", f"{category}\n{text}")


def _with_superseded(found: Sequence[Pattern]) -> list[Pattern]:
    """The patterns, with decisions marked that a later one replaced."""
    order: dict[str, int] = {}
    for pattern in found:
        for sighting in pattern.sightings:
            order.setdefault(sighting.session, len(order))
    return [
        replace(pattern, superseded=_is_superseded(pattern, found, order))
        if pattern.category == "decision"
        else pattern
        for pattern in found
    ]


def _is_superseded(pattern: Pattern, found: Sequence[Pattern], order: Mapping[str, int]) -> bool:
    last = max(order[session] for session in pattern.sessions)
    value = words_of(pattern.value, pattern.sightings[0].language)
    purposes = {words_of(s.purpose, s.language) for s in pattern.sightings if s.purpose}
    for other in found:
        if other is pattern or other.category != "decision":
            continue
        for sighting in other.sightings:
            if order[sighting.session] <= last:
                continue
            if sighting.rejects and words_of(sighting.rejects, sighting.language) == value:
                return True
            if sighting.purpose and words_of(sighting.purpose, sighting.language) in purposes:
                return True
    return False


def _requests(ngram: tuple[str, ...], sessions: Sequence[Session]) -> list[str]:
    """Of each session the person's turn after which the tools were first used so."""
    found = []
    for session in sessions:
        calls = [(call.name, n) for n, turn in enumerate(session.turns) for call in turn.calls]
        names = [name for name, _ in calls]
        first = next(n for n in range(len(names)) if tuple(names[n : n + len(ngram)]) == ngram)
        before = session.turns[: calls[first][1]]
        asked = next((turn.text for turn in reversed(before) if turn.role == "user"), "")
        found.append(asked[:_MOST_REQUEST])
    return found


def trigger_of(requests: Sequence[str]) -> str:
    """The sentence that says best what requests have in common; '' where they share no word.

    Shared is a content word of at least half of them, and of two.
    """
    told: list[tuple[str, frozenset[str]]] = []
    counts: Counter[str] = Counter()
    for request in requests:
        language = spoken_in(request)
        said = [
            (each.shown(each.text), words_of(each.text, language.name))
            for each in statements(request, language)
        ]
        counts.update({word for _, words in said for word in words})
        told += said
    least = max(LEAST_SHARED_TOKENS, (len(requests) + 1) // 2)
    shared = {word for word, count in counts.items() if count >= least}
    rated = [
        (-len(words & shared), len(words - shared), len(text), text)
        for text, words in told
        if words & shared and len(text) <= _MOST_TRIGGER
    ]
    return min(rated)[-1] if rated else ""


def _is_failure(ngram: tuple[str, ...], session: Session, rejected: frozenset[int]) -> bool:
    """Whether each time the tools were used so, the next turn of the person rejected it."""
    calls = [(call.name, n) for n, turn in enumerate(session.turns) for call in turn.calls]
    ends = [
        calls[start + len(ngram) - 1][1]
        for start in range(len(calls) - len(ngram) + 1)
        if tuple(name for name, _ in calls[start : start + len(ngram)]) == ngram
    ]
    own = [number for number, turn in enumerate(session.turns) if turn.role == "user"]
    answers = [next((number for number in own if number > end), None) for end in ends]
    return bool(answers) and all(answer in rejected for answer in answers)


def _workflow(
    found: Sequenced, sessions: Mapping[str, Session], rejected: Mapping[str, frozenset[int]]
) -> Pattern:
    named = " -> ".join(found.ngram)
    trigger = trigger_of(_requests(found.ngram, [sessions[each] for each in found.sessions]))
    asked = f", when asked: {trigger}" if trigger else ""
    return Pattern(
        category="workflow",
        key=hashed_key("workflow", "\n".join(found.ngram)),
        statement=f"usual order of tools: {named}{asked}",
        value=named,
        ngram=found.ngram,
        trigger=trigger,
        failed=tuple(
            session
            for session in found.sessions
            if session in rejected
            and _is_failure(found.ngram, sessions[session], rejected[session])
        ),
        sightings=tuple(
            Sighting(
                category="workflow",
                session=session,
                at=sessions[session].at,
                quote=named,
                statement=named,
                value=named,
            )
            for session in found.sessions
        ),
    )
