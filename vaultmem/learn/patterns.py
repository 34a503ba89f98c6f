"""Sightings of all detectors made patterns, whatever the words; and whether two rules are one.

A preference is its polarity, value and scope; a decision its value; a correction the phrase that
its wordings share; a convention its kind and value; a workflow its exact tools.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from vaultmem import judgement, model
from vaultmem.base import replace
from vaultmem.judgement import is_of_a_thing_here, wish_in
from vaultmem.language import fold, is_one_word
from vaultmem.learn.conventions import (
    LEAST_SHARE,
    LENGTHS,
    Sequenced,
    conventions,
    tool_sequences,
)
from vaultmem.learn.conversations import Pattern, Session, Sighting
from vaultmem.learn.corrections import corrections
from vaultmem.learn.own_statements import (
    DEFAULT,
    Language,
    Statement,
    clauses,
    load,
    spoken_in,
    statements,
)
from vaultmem.learn.preferences import (
    decisions,
    last_of_topic,
    preferences,
    takes_back,
    tokens,
    withdrawn,
)
from vaultmem.model import item_id

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
        # 'Keep your answers short' and 'I prefer brief replies' were two wishes: of 13 pairs in
        # other words none made a rule, with this 12 do.
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
    is_everywhere = judgement.is_of_answers(sighting.scope)
    scope = () if is_everywhere else scope_key(sighting.scope, sighting.language)
    return "wish", sighting.polarity, scope  # a short one may be read as of another language


def _is_wish_of(sighting: Sighting, group: Sequence[Sighting]) -> bool:
    """Whether a wish is that of a group in other words; each is held against the first."""
    return judgement.are_one(sighting.value, group[0].value) and _belongs(sighting, group)


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
            # Two wishes with one value and two purposes shared an id, and the second counted for
            # the first.
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
            if all(model.are_apart(one.projects, sighting.projects) for one in pattern.sightings):
                continue  # decided of another repository
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
            (each.as_written(each.text), words_of(each.text, language.name))
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


# --- all detectors over conversations ---

MOST_TURN_CHARACTERS = 20_000  # longer turns are pasted documents: their beginning is read


def sightings(session: Session, *, naming_share: float = LEAST_SHARE) -> tuple[Sighting, ...]:
    """What one conversation shows of preferences, decisions, corrections and conventions.

    Of the words only those of the person ('user') count; of the tools the calls.
    naming_share  share of the names of a session that makes a convention
    """
    spoken = [turn.text for turn in session.turns if turn.role == "user"]
    language = spoken_in("\n".join(spoken))
    found: list[Sighting] = []
    decided: list[tuple[Sighting, bool]] = []
    gone: list[tuple[int, str]] = []
    for number, turn in enumerate(session.turns):
        if turn.role != "user":
            continue
        before = session.turns[number - 1] if number else None
        previous = before.text if before is not None and before.role == "assistant" else None
        said = statements(turn.text[:MOST_TURN_CHARACTERS], language, owners=session.owners)
        rejected = corrections(session, said, previous, language)
        found += [replace(sighting, turn=number) for sighting in rejected]
        for sentence in said:
            if is_of_a_thing_here(sentence.text):
                continue  # 'Please use the attached file.'
            told = list(preferences(session, sentence, language))
            found += told or _wish_sightings(session, sentence, language)
        _decide(session, said, language, decided, gone)
    found += last_of_topic(decided, gone, language)
    found += conventions(session, naming_share=naming_share)
    return tuple(found)


def _wish_sightings(session: Session, said: Statement, language: Language) -> Iterator[Sighting]:
    """The lasting wish of a sentence in which no cue of its language was found."""
    if any(cue.pattern.search(said.text) for cue in language.preference.cues):
        return  # a cue looked at it, and took it for none
    for clause in clauses(said, language):
        if clause.text != said.text or language.doubt.has("once", clause.text):
            continue
        wish = wish_in(clause.text)
        if wish is not None:
            yield Sighting(
                category="preference",
                session=session.id,
                at=session.at,
                quote=said.quote,
                statement=said.as_written(said.text),
                value=said.as_written(wish.value),
                polarity=wish.polarity,
                language=language.name,
            )


def _decide(
    session: Session,
    said: Sequence[Statement],
    language: Language,
    decided: list[tuple[Sighting, bool]],
    gone: list[tuple[int, str]],
) -> None:
    """Add the decisions of a turn, each with whether it takes the last one back."""
    is_reversal = False
    for sentence in said:
        is_reversal = is_reversal or takes_back(sentence, language)
        words = withdrawn(sentence, language)
        if words:
            gone.append((len(decided), words))
        for sighting in decisions(session, sentence, language):
            decided.append((sighting, is_reversal))
            is_reversal = False


def all_sightings(
    sessions: Sequence[Session], *, naming_share: float = LEAST_SHARE
) -> Iterator[Sighting]:
    """Those of many conversations, in their order."""
    for session in sessions:
        seen = sightings(session, naming_share=naming_share)
        if session.projects:
            seen = tuple(replace(each, projects=session.projects) for each in seen)
        yield from seen


# --- whether two rules are the same one ---

# Likeness of letters only nominates: 'always use tabs' and 'never use tabs' are alike to 0.85, so
# polarity and value have to agree too (algorithms 4.8, 4.9).
LEAST_DICE = 0.8
LEAST_SHARED = 2
SHORTEST_CONTENT = 4  # letters
_SPACES = re.compile(r"\s+")
_LABEL = re.compile(
    r"^\s*(?:(?:user|agent|project|team|code|tool|personal|learned|stated)[ -])?"
    r"(?:preferences?|decisions?|corrections?|conventions?|workflows?|rules?|tool sequences?)"
    r"\s*:\s*",
    re.I,
)
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_QUOTES = str.maketrans("’‘", "''")


def dice(one: str, other: str) -> float:
    """Share of character pairs that two texts have in common, in [0, 1]; 1 for the same text.

    Over multisets, in lower case with single spaces. Texts of one letter have no pairs.
    """
    first, second = _collapse_spaces(one), _collapse_spaces(other)
    if first == second:
        return 1.0
    left, right = _pairs(first), _pairs(second)
    total = left.total() + right.total()
    return 2 * (left & right).total() / total if total else 0.0


def is_same_rule(
    one: str,
    other: str,
    *,
    same_category: bool,
    language: Language | None = None,
    least: float = LEAST_DICE,
) -> bool:
    """Whether two statements are one rule: alike, of one polarity, about the same value.

    least  share of character pairs from which they are alike
    """
    tongue = language or load(DEFAULT)
    left, right = without_label(one), without_label(other)
    if not same_category or dice(left, right) < least:
        return False
    if polarity_of(left, tongue) != polarity_of(right, tongue):
        return False
    return not _differ_in_value(fold(left), fold(right), tongue)


def polarity_of(statement: str, language: Language) -> str:
    """'avoid' of a statement that denies or forbids, else 'prefer'."""
    text = fold(without_label(statement).translate(_QUOTES))
    return "avoid" if language.doubt.has("avoiding", text) else "prefer"


def without_label(statement: str) -> str:
    """'User preference: prefers tabs' without what is before the statement."""
    return _LABEL.sub("", statement)


def goes_against(
    correction: str, rule: str, *, is_own: bool = False, language: Language | None = None
) -> bool:
    """Whether a correction weakens a rule: it denies something, and they share two content words.

    is_own  the rule was made or confirmed by this very correction
    """
    tongue = language or load(DEFAULT)
    if is_own:
        return False
    words = _words(correction)
    if not any(word in tongue.negations or word.endswith("n't") for word in words):
        return False
    shared = _content(correction, tongue.name) & _content(without_label(rule), tongue.name)
    return len(shared) >= LEAST_SHARED


@lru_cache(maxsize=8192)
def _content(text: str, language: str) -> frozenset[str]:
    tongue = load(language)
    return frozenset(
        word
        for word in _words(text)
        if len(word) >= SHORTEST_CONTENT
        and word not in tongue.negations
        and word not in tongue.stop_words
        and not word.endswith("n't")
    )


@lru_cache(maxsize=8192)
def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(fold(text.translate(_QUOTES))))


def _differ_in_value(one: str, other: str, language: Language) -> bool:
    """Whether each side has a word of its own: 'tabs' here, 'spaces' there."""
    left, right = set(tokens(one, language)), set(tokens(other, language))
    only_left = {w for w in left - right if not any(is_one_word(w, o) for o in right)}
    only_right = {w for w in right - left if not any(is_one_word(w, o) for o in left)}
    if only_left and only_right:
        return True
    digits = {w for w in only_left | only_right if any(c.isdigit() for c in w)}
    return bool(digits)


def _collapse_spaces(text: str) -> str:
    return _SPACES.sub(" ", text).strip().lower()


def _pairs(text: str) -> Counter[str]:
    return Counter(text[place : place + 2] for place in range(len(text) - 1))
