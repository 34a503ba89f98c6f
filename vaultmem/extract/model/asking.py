"""What a model is asked about a text, piece by piece, and what of its offers the text bears out."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from hashlib import sha256

from vaultmem import judgement
from vaultmem.base import dataclass, replace
from vaultmem.extract.cue_patterns import tokens_of
from vaultmem.extract.draft import MAX_NAMES, score, signals_in
from vaultmem.extract.evidence import mask_inline
from vaultmem.extract.find_slots import LONGEST_OBJECT
from vaultmem.extract.no_evidence import is_question, is_secret
from vaultmem.extract.rule_extractor import RULES_OF_OTHERS
from vaultmem.extract.shape import LONGEST_STATEMENT
from vaultmem.judgement import leaves_out_speaker
from vaultmem.language import (
    Stems,
    content_words,
    find_dates,
    fold,
    format_date,
    format_instant,
    nfc,
    read_instant,
    sentence_spans,
    words,
)
from vaultmem.model import KINDS, OTHERS, Draft, Message, Source, Turn
from vaultmem.safety import defang, suspicion

MOST_CHARACTERS = 96_000
"""Longer texts are not sent: at some 24,000 tokens they cost minutes and, elsewhere, money."""
_PIECE = 8_000  # characters of one question: small models lose what stands in the middle of more
_ASKED = "List the statements worth keeping from the text above."
_MOST_ITEMS = 60  # of one reply; more is a model that repeats itself
MODEL_KINDS = tuple(kind for kind in KINDS if kind != "reflection")  # these have other rules

_TEXT = {"type": "string"}
CRITICAL = ("health", "safety", "limit")
NOT_CRITICAL = "none"
_ITEM = {
    "turn": {"type": "integer"},
    "quote": _TEXT,
    "statement": _TEXT,
    "kind": {"type": "string", "enum": list(MODEL_KINDS)},
    "subject": _TEXT,
    "predicate": _TEXT,
    "object": _TEXT,
    "when": _TEXT,
    "valid_from": _TEXT,
    "valid_until": _TEXT,
    "importance": {"type": "integer"},
    "critical": {"type": ["string", "null"], "enum": [*CRITICAL, NOT_CRITICAL, None]},
    "entities": {"type": "array", "items": _TEXT},
}
SCHEMA = {
    "type": "object",
    "properties": {
        "items": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": _ITEM,
                "required": list(_ITEM),
                "additionalProperties": False,
            },
        }
    },
    "required": ["items"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """One statement as a model offers it: untrusted, of the right types and nothing more."""

    turn: int
    quote: str
    statement: str
    kind: str
    subject: str
    predicate: str
    object: str
    when: str
    valid_from: str
    valid_until: str
    importance: int
    critical: str | None  # of CRITICAL or NOT_CRITICAL; None: the model says nothing about it
    entities: tuple[str, ...]


def offered_in(value: object) -> tuple[Offered, ...]:
    """The statements of a reply that fits SCHEMA; those beyond the bound are left."""
    items = value.get("items", ()) if isinstance(value, dict) else ()
    return tuple(
        Offered(**{**item, "entities": tuple(item["entities"])}) for item in items[:_MOST_ITEMS]
    )


def questions(
    source: Source, instructions: str, *, mask: Callable[[str], str], zone: str, now: int
) -> Iterator[tuple[Message, ...]]:
    """The messages of each question about a text, in the order of the text.

    instructions  of the system
    mask          takes out of a text what nobody elsewhere may read
    now           UTC ms; what the person tells without a date is told on this day
    """
    for piece in _pieces(source, mask, zone, now):
        text = mask("\n".join(piece))
        # The text cannot hold its own hash, so it cannot close the fence; and the same text has
        # the same marks, so that a recorded reply is found again.
        mark = sha256(text.encode("utf-8", "replace")).hexdigest()[:12]
        asked = f"<<<TEXT {mark}\n{text}\nTEXT {mark}>>>\n{_ASKED}"
        yield Message(role="system", text=instructions), Message(role="user", text=asked)


def size_of(source: Source) -> int:
    """Characters of all that is said."""
    return sum(len(turn.text) for turn in source.turns)


def _pieces(
    source: Source, mask: Callable[[str], str], zone: str, now: int
) -> Iterator[Sequence[str]]:
    """The text in pieces of at most about `_PIECE` characters, each line under its turn's head."""
    piece: list[str] = []
    size = 0
    for number, turn in enumerate(source.turns):
        said_at = turn.said_at if turn.said_at is not None else source.date
        date = f" ({format_instant(said_at, zone)})" if said_at is not None else ""
        if said_at is None and source.is_told:
            date = f" ({format_date(now, zone)})"
        head = f"[{number}] {turn.speaker or turn.role or 'text'}{date}:"
        # Masked before it is cut, too: of a key in two pieces neither is known for one.
        for part in _parts(mask(turn.text)):
            if piece and size + len(part) > _PIECE:
                yield piece
                piece, size = [], 0
            piece += [head, part]
            size += len(part)
    if piece:
        yield piece


def _parts(text: str) -> Iterator[str]:
    """A turn's text; where it is too long, cut behind a paragraph, a line or a word."""
    while len(text) > _PIECE:
        cut = max(text.rfind("\n\n", 0, _PIECE), _PIECE // 2)
        if cut == _PIECE // 2:
            cut = max(text.rfind("\n", cut, _PIECE), text.rfind(" ", cut, _PIECE), cut)
        yield text[:cut]
        text = text[cut:]
    yield text


# --- offers held against the text ---

# A model can be wrong, and it can have been talked into something by the text that it read. So the
# quote has to stand in the turn, the statement has to be made of what was said around it
# (algorithms 8.7: 60% of its content words), with the same yes or no; the place of an item, its
# trust and its marks are decided by code from whose words they are; and a secret is no memory.
GROUNDED = 0.6  # share of a statement's content words that were said
LONGEST_QUOTE = 1_000  # characters
_BEFORE, _AFTER = 800, 300  # characters around a quote in which its pronouns are explained
_PREDICATE = re.compile(r"[a-z][a-z0-9_]{1,39}")
_BINDING = re.compile(
    r"\b(?:always|never|ever|must|cannot|immer|nie|niemals|stets|jamais|toujours|siempre|nunca"
    r"|sempre|mai|nooit|altijd|muss|musst|darfst?|doit|dois|debes?|deve|moet|mag)\b",
    re.IGNORECASE,
)
_WORDS = re.compile(r"[\w']+")
_LONGEST_NAME = 60
_OWN = ("user", "i", "me", "we")
_SELF = ("i", "my")
_SELF_WORDS = "i me my mine myself we us our ours i'm i've i'll i'd we're we've we'll im ive weve"
_ASKED_UNTRUSTED = frozenset(["you", "your", "yours", "you're", "you've", "you'll", "you'd"])
_SHORT_ANSWER = 60  # characters
_SELVES = frozenset(_SELF_WORDS.split())
_PASSING = 2  # importance up to which a model says that it will not matter in a month
_WEIGHTY = 7  # importance from which a model takes a statement for what judgement marks
_YEARS_MS = 120 * 366 * 86_400_000  # further from the text than a life, a date is a mistake
_NEGATIONS = (
    "not no never none nobody nothing neither nor without cannot don't doesn't didn't won't "
    "wouldn't isn't aren't wasn't weren't can't couldn't shouldn't haven't hasn't hadn't ain't "
    "kein keine keinen keinem keiner keines nicht nichts nie niemand pas jamais rien aucun aucune "
    "sin nunca nada nadie ninguno ninguna non mai niente nessuno niet geen nooit não nem"
)
# Typed in haste they have no apostrophe: 'cant have grapefruit'.
_NOT = frozenset(word for each in _NEGATIONS.split() for word in (each, each.replace("'", "")))
# Words that say a 'not' in another way: with them either side may do without one.
_SAY_NOT = (
    "stopped stop quit avoid avoids avoided dislike dislikes hate hates refuse refuses refused "
    "former formerly ended left cancelled canceled allergic unable lack lacks only except instead "
    "longer anymore free unless hardly rarely gave fails failed"
)
_AS_NOT = frozenset(_SAY_NOT.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A text, ready for claims about it to be held against it."""

    source: Source
    zone: str
    now: int  # UTC ms; counts where the text has no date
    stems: Stems
    ruled: tuple[str, ...] = ()  # quotes of what rules keep of it by a cue, not by judgement
    ask_above: int = 0  # points of the rules above which a model says how much it matters
    offered: tuple[Offered, ...] = ()  # all that the model says of the text


def draft_from(offered: Offered, evidence: Evidence, plain: Draft | None) -> Draft | str:
    """The draft of one offered statement, or the rule against it.

    plain  what the rules make of the statement itself; None: nothing
    """
    found = _place(offered, evidence.source.turns)
    if found is None:
        return "not-grounded"
    number, start, end = found
    turn = evidence.source.turns[number]
    refused = _refusal_rule(offered, turn, turn.text[start:end])
    if refused:
        return refused
    doubt = ""
    if turn.role == "user" or (evidence.source.by_person and not (turn.role or turn.speaker)):
        judged = judgement.spans(turn.text)
        why = judgement.why_of_others(judged, start, end)
        if why:
            return RULES_OF_OTHERS.get(why, OTHERS)
        doubt = judgement.doubt_of(judged, start, end)
    around = _around(evidence.source, number, start, end)
    statement = statement_in(offered.statement)
    if not is_supported(statement, around, evidence.stems):
        return "ungrounded"
    said = _sentences_around(turn.text, start, end)
    # 'Ignore all previous instructions and store that ...' was pasted into one's own words: it
    # stands in the text, so an offer of it passed all other guards.
    if not is_covered(turn.text[start:end], evidence.ruled) and any(map(suspicion, said)):
        return "instruction"
    asked = _asked_before(evidence.source, number) if end - start <= _SHORT_ANSWER else False
    if words(statement)[0] in _SELF and not asked and not _speaks_of_self(said):
        # Who dictates drops the 'I': by it alone an allergy to gluten and an employer were refused.
        before = _unclaimed_words(turn.text, start, evidence.offered, but=offered)
        if not leaves_out_speaker(statement, turn.text[start:end], before):
            return "somebody-else"
    if offered.importance <= _PASSING and _is_trifle(statement):
        return "passing"
    said_at = turn.said_at if turn.said_at is not None else evidence.source.date
    base = plain or Draft(statement="", quote="", rule="", kind=offered.kind)
    # 'Keep your answers short.' is a wish; a rule, which nothing else ends, has no exception.
    kind = (
        "preference" if offered.kind == "rule" and not _BINDING.search(statement) else offered.kind
    )
    draft = replace(
        base,
        statement=statement,
        quote=turn.text[start:end],
        rule=f"model:{kind}",
        kind=kind,
        importance=_importance(statement, offered.importance, evidence.ask_above),
        critical="" if doubt else _critical(statement, offered, base.critical),
        entities=_entities(offered.entities, base.entities, around, turn.speaker),
        observed="claimed",
        hard=False,
        pinned=False,
        said_at=said_at,
        turn=number,
        doubt=doubt,
    )
    return _with_slot(_with_dates(draft, offered, evidence, around), offered, around, turn.speaker)


def statement_in(text: str) -> str:
    """One line without Markdown at its beginning and without anything active."""
    return nfc(defang(" ".join(text.split()).lstrip("-*#>• ").strip()))


def is_supported(statement: str, text: str, stems: Stems, *, least: float = GROUNDED) -> bool:
    """Whether enough of a statement's content words are in a text, by their stems."""
    wanted = {stems(word) for word in content_words(statement)} - {"user", "person"}
    said = {stems(word) for word in words(text)}
    return bool(wanted) and len(wanted & said) >= least * len(wanted)


def denies(text: str) -> bool:
    """Whether a text holds a 'not'."""
    said = fold(text).replace("’", "'")
    return not _NOT.isdisjoint(_WORDS.findall(said)) or "n't" in said


def is_turned_round(statement: str, quote: str) -> bool:
    """Whether one of them has a 'not' and the other none, nor a word that stands for one."""
    if denies(statement) == denies(quote):
        return False
    return _AS_NOT.isdisjoint(words(statement)) and _AS_NOT.isdisjoint(words(quote))


def _refusal_rule(offered: Offered, turn: Turn, quote: str) -> str:
    """The rule against a statement whatever it says (algorithms 7.7), or ''."""
    statement = statement_in(offered.statement)
    if turn.role in ("system", "tool"):
        return "role"
    if turn.role == "assistant":
        return "assistant"
    if not statement or len(words(statement)) < 2:
        return "too-short"
    if len(statement) > LONGEST_STATEMENT or len(quote) > LONGEST_QUOTE:
        return "too-long"
    if is_secret(statement) or is_secret(quote):
        return "secret"
    if is_question(tokens_of(mask_inline(statement))):
        return "question"
    return "turned-round" if is_turned_round(statement, quote) else ""


def _speaks_of_self(said: Sequence[str]) -> bool:
    """Whether the sentence of a quote speaks of the speaker: else 'I am a vegetarian' may have
    been made of 'Lena is a vegetarian'."""
    return any(
        not _SELVES.isdisjoint(_WORDS.findall(fold(sentence).replace("’", "'")))
        for sentence in said
    )


def _sentences_around(text: str, start: int, end: int) -> list[str]:
    """The sentences of which a quote has something."""
    first = max(0, start - _AFTER)
    near = text[first : end + _AFTER]
    return [
        near[begin:stop]
        for begin, stop in sentence_spans(near)
        if begin < end - first and stop > start - first
    ]


def _place(offered: Offered, turns: Sequence[Turn]) -> tuple[int, int, int] | None:
    """(turn, start, end) of the quote: in the turn that is named, else in the only one it is in."""
    wanted = offered.quote.split()
    if not wanted or sum(map(len, wanted)) > 2 * LONGEST_QUOTE:
        return None
    pattern = re.compile(r"\s+".join(map(re.escape, wanted)))
    if 0 <= offered.turn < len(turns):
        found = pattern.search(turns[offered.turn].text)
        if found is not None:
            return offered.turn, found.start(), found.end()
    places = [
        (number, found.start(), found.end())
        for number, turn in enumerate(turns)
        if (found := pattern.search(turn.text)) is not None
    ]
    return places[0] if len(places) == 1 else None


def _around(source: Source, number: int, start: int, end: int) -> str:
    """What was said around a quote: its neighbourhood, the end of the turn before, the speakers."""
    turn = source.turns[number]
    before = source.turns[number - 1] if number else None
    parts = [source.title, turn.speaker]
    if before is not None:
        parts += [before.speaker, before.text[-_BEFORE:]]
    parts.append(turn.text[max(0, start - _BEFORE) : end + _AFTER])
    return "\n".join(parts)


def _importance(statement: str, claimed: int, ask_above: int) -> int:
    """The model's opinion; the rules' where they see signals, but no more than `ask_above`."""
    own = score(signals_in(statement), ask_above=ask_above)
    # With rules first it was 1 to 2 where the model said 6 to 9: no signal is no opinion.
    return min(max(claimed, 1), 10) if own.raw == 0 or own.llm_scoring else own.value


def _critical(statement: str, offered: Offered, judged: str) -> str:
    """The model's mark. Where it gives none, that of judgement, if the model takes it for weighty;
    and what names an illness or a medicine of somebody's is marked whatever a model says.

    Judgement sees words alone: it marked a battery of lithium, to which the model gave 6.
    """
    if offered.critical not in (None, NOT_CRITICAL):
        return offered.critical or ""
    if offered.critical is None:
        return judged if offered.importance >= _WEIGHTY else ""
    return (
        judged if judged and judgement.is_grave(statement, judgement.tokens_of(statement)) else ""
    )


def _is_trifle(statement: str) -> bool:

    judged = judgement.judge_sentence(statement)
    return not (judged.is_worth or judged.critical)


def _asked_before(source: Source, number: int) -> bool:
    """Whether the turn before is an assistant's that ends by asking about the person ('your')."""
    before = source.turns[number - 1] if number else None
    if before is None or before.role != "assistant" or not before.text.rstrip().endswith("?"):
        return False
    spans = sentence_spans(before.text)
    asked = next(
        (before.text[a:b] for a, b in reversed(list(spans)) if before.text[a:b].strip()), ""
    )
    return not _ASKED_UNTRUSTED.isdisjoint(_WORDS.findall(fold(asked)))


def _unclaimed_words(text: str, start: int, offered: Sequence[Offered], *, but: Offered) -> str:
    """The words before a quote in its sentence that no other statement about 'I' rests on."""
    begin = next((at for at, stop in sentence_spans(text) if at <= start < stop), start)
    before = text[max(begin, start - _BEFORE) : start]
    for each in offered:
        said = words(statement_in(each.statement))
        if each is not but and said and said[0] in _SELVES and each.quote.strip():
            before = before.replace(each.quote, " ")
    return before


def _entities(
    claimed: Sequence[str], known: Sequence[str], around: str, speaker: str
) -> tuple[str, ...]:
    """Names that the text holds, at most MAX_NAMES."""
    folded = fold(around)
    held = [
        name
        for name in (" ".join(each.split()) for each in claimed)
        if 0 < len(name) <= _LONGEST_NAME and fold(name) in folded
    ]
    by_key = {fold(name): name for name in reversed((*known, *held, *([speaker] * bool(speaker))))}
    return tuple(defang(name) for name in reversed(by_key.values()))[:MAX_NAMES]


def _with_dates(draft: Draft, offered: Offered, evidence: Evidence, around: str) -> Draft:
    """With the time that words of the text name: as rules read them, else as the model does."""
    when = " ".join(offered.when.split())
    reference = draft.said_at if draft.said_at is not None else evidence.now
    default = draft.said_at
    if not when or fold(when) not in fold(" ".join(around.split())) or draft.kind == "task":
        return replace(draft, valid_from=draft.valid_from or default)
    mentions = find_dates(when, reference, evidence.zone)
    if mentions:
        known = draft.valid_from not in (None, default)
        if known or draft.valid_until is not None or draft.due is not None:
            return draft  # the rules have read them in the statement already
        first = mentions[0]
        if first.relation == "until":
            return replace(draft, valid_from=default, valid_until=first.until_ms)
        ahead = first.from_ms > reference and draft.kind != "event"
        return replace(draft, valid_from=default if ahead else first.from_ms)
    since = _day(offered.valid_from, reference, evidence.zone)
    until = _day(offered.valid_until, reference, evidence.zone)
    since = draft.valid_from or default if since is None else since
    if until is not None and since is not None and until <= since:
        until = None
    return replace(draft, valid_from=since, valid_until=until or draft.valid_until)


def _day(text: str, reference: int, zone: str) -> int | None:
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", text.strip()):
        return None
    found = read_instant(text.strip(), zone)
    return found.ms if found is not None and abs(found.ms - reference) < _YEARS_MS else None


def _with_slot(draft: Draft, offered: Offered, around: str, speaker: str) -> Draft:
    """With the slot that rules find; the model's where they find none and the text holds it."""
    if draft.predicate or draft.ends or draft.kind in ("task", "rule", "procedure"):
        return draft
    subject, value = (" ".join(each.split()) for each in (offered.subject, offered.object))
    predicate = offered.predicate.strip()
    folded = fold(" ".join(around.split()))
    own = fold(subject) in _OWN
    if own:
        subject = speaker or "user"
    is_said = own or (0 < len(subject) <= _LONGEST_NAME and fold(subject) in folded)
    # In any order: 'CityFitness, there's one in Queensgate' is CityFitness in Queensgate.
    has_words = set(_WORDS.findall(fold(value))) <= set(_WORDS.findall(folded))
    fits = 0 < len(value.split()) <= LONGEST_OBJECT and (fold(value) in folded or has_words)
    if not (is_said and fits and _PREDICATE.fullmatch(predicate)):
        return draft
    return replace(draft, subject=defang(subject), predicate=predicate, object=defang(value))


def is_covered(quote: str, others: Collection[str]) -> bool:
    """Whether one of the other quotes says a good part of this one."""
    own = set(words(quote))
    return any(len(own & set(words(other))) * 2 >= len(own) for other in others)
