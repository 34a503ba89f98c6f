"""A sentence made into a draft: its quotation, names, importance, slot, validity and stream."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

from vaultmem import judgement
from vaultmem.base import TYPE_CHECKING, dataclass, replace
from vaultmem.extract.cue_patterns import (
    EMOTIONS,
    MONTHS_AND_DAYS,
    NO_SUBJECT,
    RELATION_VERBS,
    RELATIONS,
    Tokens,
    tokens_of,
    words,
)
from vaultmem.extract.evidence import (
    ASSISTANT,
    DOCUMENT,
    HASHTAG,
    Reading,
    Sentence,
    Situation,
    mask_inline,
)
from vaultmem.extract.find_slots import (
    LONGEST_OBJECT,
    NOTHING,
    Said,
    Triple,
    ended_facts,
    left_behind,
    slots_of,
)
from vaultmem.extract.no_evidence import COMPLETED, OF_OTHERS, Choice
from vaultmem.extract.route import category_of, stream_of
from vaultmem.extract.shape import clause_start, quote_of, statement_of
from vaultmem.extract.when_it_holds import DATE_IS_VALUE, When, deadline, told_dates, when
from vaultmem.language import MINUTE_MS, format_instant
from vaultmem.model import Draft, Rejected, Turn

if TYPE_CHECKING:
    from vaultmem.judgement import Judgement


# --- the quotation really stands in the source ---


def is_grounded(quote: str, text: str) -> bool:
    """Whether `quote` is one contiguous span of `text`, white space aside; never when empty."""
    if not quote.strip():
        return False
    return quote in text or " ".join(quote.split()) in " ".join(text.split())


def keep_grounded(
    drafts: Iterable[Draft], turns: Sequence[Turn]
) -> tuple[tuple[Draft, ...], tuple[Rejected, ...]]:
    """The drafts whose quote stands in one turn, and the others as rejections.

    A quote is looked for in the turn that the draft names, behind the one before it, and only
    then elsewhere: a long text is not searched from its beginning for each of its sentences.
    """
    kept, refused = [], []
    places: dict[int, int] = {}  # where the last quote of a turn was found
    for draft in drafts:
        number = draft.turn
        if number is not None and draft.quote.strip():
            # Quotes are sought from the last one on, in their own turn: 25,000 turns took over a
            # minute when each quote was looked for in each of them.
            place = turns[number].text.find(draft.quote, places.get(number, 0))
            if place >= 0:
                places[number] = place
                kept.append(draft)
                continue
        if any(is_grounded(draft.quote, turn.text) for turn in turns):
            kept.append(draft)
        else:
            refused.append(Rejected(text=draft.statement, rule="not-grounded"))
    return tuple(kept), tuple(refused)


# --- names ---

MAX_NAMES = 8

_NO_NAMES = (
    words(
        "i ok todo fixme api url http https json html css xml yaml sql ci cd ui ux id pr os pc "
        "cpu gpu ram usb pdf faq fyi btw asap am pm tv dad mom mum mr mrs ms dr god english-only "
        "lol omg imo etc a an my our the this that he she we you they it and but so or if in on at"
    )
    | MONTHS_AND_DAYS
)
_AFTER_NAMES = RELATION_VERBS | words(
    "adopted leads approved bought founded wrote owns manages joined uses runs maintains met said "
    "called visited teaches graduated married decided leads"
)
_SAINTS = words("st ste mt ft skt")
_INNER = words("of de van von der la le du al bin y &")


def names_in(tokens: Tokens, known: Collection[str] = ()) -> tuple[str, ...]:
    """At most 8 names as they are written, in order, each once.

    known   words (case folded) that are names even at the beginning of a sentence: speakers
    A first word counts when a name goes on after it, or a verb follows that people do.
    """
    found: dict[str, str] = {}
    i = 0
    while i < tokens.size:
        if not tokens.raw[i][0].isupper():
            i += 1
            continue
        end = _run(tokens, i)
        if end > i and (i > 0 or _first_is_name(tokens, end, known)):
            name = " ".join(tokens.raw[i:end]).replace(" . ", ". ").removesuffix("'")
            found.setdefault(name.casefold(), name)
        i = max(end, i + 1)
    return tuple(found.values())[:MAX_NAMES]


def _run(tokens: Tokens, i: int) -> int:
    """End of the capitalised run that begins at word `i` (`i` itself: none begins there)."""
    end = i
    while end < tokens.size:
        if _is_name_word(tokens, end):
            end += 1
        elif end > i and _is_saint(tokens, end - 1) and _is_name_word(tokens, end + 1):
            # 'I work at St. Mary's Hospital.' was read as a place 'St' and a rest.
            end += 2
        elif end > i and tokens.at(end) in _INNER:
            inner = end + 2 if tokens.at(end + 1) == "the" else end + 1
            if not _is_name_word(tokens, inner):
                break
            end = inner + 1
        else:
            break
    return end


def _is_saint(tokens: Tokens, i: int) -> bool:
    """'St. Gallen' is one name, where 'Dr. Weber' is 'Weber'."""
    return (
        tokens.at(i) in _SAINTS
        and tokens.at(i + 1) == "."
        and (tokens.start[i + 1] == tokens.end[i])
    )


def _is_name_word(tokens: Tokens, i: int) -> bool:
    return (
        tokens.is_capital(i)
        and tokens.lower[i] not in _NO_NAMES
        and tokens.raw[i][0].isalpha()
        and not (i == 0 and tokens.lower[i] in NO_SUBJECT)
    )


def _first_is_name(tokens: Tokens, end: int, known: Collection[str]) -> bool:
    if tokens.lower[0] in known or end > 1:
        return True
    return any(letter.isupper() for letter in tokens.raw[0][1:]) or (
        tokens.at(end) in _AFTER_NAMES or tokens.at(end) == "'s"
    )


# --- importance, 1 to 10 (Park et al. 2023, 3.1) ---

# The signals and points are those of the project's algorithm 5.4; they add up to 14 and are
# clamped.
POINTS = {
    "named_entity": 2,
    "emotion": 2,
    "future_intent": 3,
    "preference": 3,
    "repeated": 4,
}
ASK_ABOVE = 3  # strictly: for a lone preference no model is asked
EXPLICIT_BONUS = 3  # the person asked for it to be kept

_FUTURE = words("will gonna wanna tomorrow planning intend intends shall")
_TO_VERB = words("want wants plan plans hope hopes going intend aim aims")
_PREFERENCE = words("prefer prefers preferred favorite favourite always never preference rather")


@dataclass(frozen=True, slots=True, kw_only=True)
class Importance:
    """The sum of the points, the value to store, and whether a model should look again."""

    raw: int  # 0..14
    value: int  # 1..10
    llm_scoring: bool


def score(signals: Collection[str], *, ask_above: int = ASK_ABOVE) -> Importance:
    """The importance that signals (names of POINTS) give; none is 1.

    ask_above  points (0 to 14) above which a model's opinion counts in its place
    """
    raw = sum(POINTS[signal] for signal in set(signals))
    return Importance(raw=raw, value=min(max(raw, 1), 10), llm_scoring=raw > ask_above)


def signals_in(text: str, *, sessions: int = 1) -> frozenset[str]:
    """The signals of an English text; `sessions` is in how many sessions it was said."""
    return signals_of(tokens_of(mask_inline(text)), sessions=sessions)


def signals_of(
    tokens: Tokens, *, sessions: int = 1, names: Collection[str] | None = None
) -> frozenset[str]:
    """As `signals_in`, of words; `names` when they are known already."""
    found = set()
    present = tokens.present
    if names if names is not None else names_in(tokens):
        found.add("named_entity")
    if present & EMOTIONS:
        found.add("emotion")
    if present & _PREFERENCE:
        found.add("preference")
    if present & _FUTURE or _intends(tokens):
        found.add("future_intent")
    if sessions > 1:
        found.add("repeated")
    return frozenset(found)


def _intends(tokens: Tokens) -> bool:
    """'want to', 'plan to', 'going to' and a verb; not 'going to Rome'."""
    return any(
        word in _TO_VERB and tokens.at(i + 1) == "to" and not tokens.is_capital(i + 2)
        for i, word in enumerate(tokens.lower)
    )


HEALTH_BONUS = 3  # an allergy that no signal word makes important must not be lost first
_CONFIDENCE_ASKED_FOR = 0.9
_OF_WHOM = ("allergic", "intolerant")  # cues that begin behind the word for who it is
_SWITCHED = "decision:switched"
_NEW_WORK = "fact:new-work"  # 'I quit Google and joined OpenAI': ends a fact and states one
_CONFIDENCE_OF_ASSISTANT = 0.6
_CONFIDENCE_IN_DOUBT = 0.6  # what may be so; the least that a context tells

_KINDS_WITH_SLOTS = ("fact", "preference", "decision", "event")
# What happened goes by; what somebody judged to last says who they are, where it is about them.
_JUDGED_STREAMS = {"task": "tasks", "decision": "projects", "event": "flow"}
_BE = frozenset(("is", "are", "'s"))
_NEAR = 6  # words in which the verb stands
_OWN_WORDS = ("i", "we", "my", "our")

_WIKI_LINK = r"\[\[([^\[\]|#\n]{1,80})"


def draft_of(
    reading: Reading,
    choice: Choice,
    *,
    is_explicit: bool = False,
    is_hard: bool = False,
    categories: Sequence[str] = (),
    judged: Judgement | None = None,
) -> Draft | None:
    """The draft of one sentence, or None when nothing is left of it to say.

    is_hard     the person asked that always/never commands be hard exceptions
    categories  slugs of the vault
    judged      what the sentence was judged to be; None: it is no word of mouth
    """
    sentence, situation = reading.sentence, reading.situation
    kept = reading.tokens.tail(_first_word(reading, choice))
    quote = quote_of(sentence.text, kept.start[0], len(sentence.text))
    statement = statement_of(quote, situation.speaker)
    if reading.antecedent:
        statement = reading.antecedent + statement[len(quote.split(None, 1)[0]) :]
    if not statement:
        return None
    names = _names(sentence, kept, situation)
    dated = reading._replace(dates=told_dates(reading)) if situation.is_spoken else reading
    ends = _ends(reading, choice)
    slot = NOTHING if ends and choice.name != _NEW_WORK else _slot(dated, choice)
    # 'We switched to Vite from webpack' left 'We use webpack' standing.
    if choice.name == _SWITCHED:
        subject = _subject(reading, choice)
        ends = () if all(slot) else left_behind(reading.tokens, reading.sentence.text, subject)
    if choice.name == _NEW_WORK and all(slot):
        ends = ()  # one place of work at a time: the slot ends the one before, as its successor
    subject, predicate, value = slot
    valid_from, valid_until, due = _validity(dated, choice)
    from_assistant = situation.letter == ASSISTANT
    draft = Draft(
        statement=statement,
        quote=quote,
        rule=choice.name,
        kind=choice.kind,
        stream=_stream(
            kept, choice, situation, said=sentence.text, is_explicit=is_explicit, judged=judged
        ),
        categories=(category_of(kept, choice.kind, categories),),
        importance=score(signals_of(kept, names=names)).value,
        subject=subject,
        predicate=predicate,
        object=value,
        ends=ends,
        valid_from=valid_from,
        valid_until=valid_until,
        due=due,
        entities=names,
        tags=_tags(sentence),
        observed="observed" if from_assistant else "claimed",
        said_at=situation.said_at,
        confidence=_CONFIDENCE_OF_ASSISTANT if from_assistant else None,
    )
    draft = _weigh(draft, choice, is_explicit=is_explicit, is_hard=is_hard)
    if judged is None:
        return draft
    draft = replace(
        draft, importance=max(draft.importance, judged.importance), critical=judged.critical
    )
    return replace(draft, confidence=_CONFIDENCE_IN_DOUBT) if _is_in_doubt(draft) else draft


def _is_in_doubt(draft: Draft) -> bool:
    """Whether it says what somebody may have: kept and told, but not believed as what is sure."""
    # 'The dog might be allergic to chicken' was dropped as a guess, in three languages.
    if draft.critical != "health":
        return False

    return judgement.is_in_doubt(draft.statement, judgement.tokens_of(draft.statement))


def _weigh(draft: Draft, choice: Choice, *, is_explicit: bool, is_hard: bool) -> Draft:
    """With what a command, or a matter of health, adds."""
    importance = draft.importance
    if choice.name == "fact:health" or draft.predicate == "allergic_to":
        importance += HEALTH_BONUS
    if not is_explicit:
        if importance == draft.importance:
            return draft
        return replace(draft, importance=min(importance, 10))
    return replace(
        draft,
        rule=f"explicit:{draft.rule}" if not draft.rule.startswith("explicit") else draft.rule,
        importance=min(importance + EXPLICIT_BONUS, 10),
        confidence=_CONFIDENCE_ASKED_FOR,
        hard=is_hard and draft.kind == "rule",
    )


def _first_word(reading: Reading, choice: Choice) -> int:
    """Where the clause of the cue begins."""
    if choice.name.startswith("correction"):
        return choice.start
    if choice.subject is not None or choice.start == 0:
        return 0
    places = reading.tokens.start
    dated = [
        i
        for i in range(choice.start)
        if any(mention.start <= places[i] < mention.end for mention in reading.dates)
    ]
    return clause_start(reading.tokens, choice.start, dated)


def _stream(
    tokens: Tokens,
    choice: Choice,
    situation: Situation,
    *,
    said: str,
    is_explicit: bool,
    judged: Judgement | None,
) -> str | None:
    if choice.name == OF_OTHERS:
        return None  # what others think says nothing of who the person is
    if situation.letter == ASSISTANT:
        return "tasks" if choice.name == "event:agenda" else "projects"
    if judged is not None and choice.name.startswith("judged:"):
        if judgement.is_spelling(said):
            return "identity"
        if choice.name == COMPLETED:
            return "tasks"  # where it was open, or might have been
        is_own = judged.is_own
        # In flow, which halves in 7 days, the code of a door sank below everything after a month.
        return _JUDGED_STREAMS.get(choice.kind, "identity" if is_own else None)
    stream = stream_of(tokens, choice.kind, is_own=situation.is_own)
    if choice.name.startswith("correction") or (is_explicit and stream is None):
        return "identity" if situation.is_own else None
    # What a document of others has to do or decided is none of the person's: of 60 manuals and
    # change logs six facts ('The fix leads to a build failure') stood among the person's tasks.
    is_others = situation.is_theirs and (stream == "tasks" or choice.kind == "decision")
    return None if is_others else stream


def _names(sentence: Sentence, tokens: Tokens, situation: Situation) -> tuple[str, ...]:
    links = re.findall(_WIKI_LINK, sentence.text) if "[[" in sentence.text else ()
    linked = [name.strip() for name in links]
    found = names_in(tokens, situation.names)
    speaker = [situation.speaker] if situation.speaker else []
    # The dictionary keeps the last value of a key. Read from behind, that is the first spelling:
    # the speaker's before a link's, and a link's before one found among the words.
    by_key = {name.casefold(): name for name in reversed((*speaker, *linked, *found)) if name}
    return tuple(reversed(by_key.values()))[:MAX_NAMES]


def _tags(sentence: Sentence) -> tuple[str, ...]:
    if "#" not in sentence.text:
        return ()
    return tuple(dict.fromkeys(re.findall(HASHTAG, sentence.text)))


def _validity(reading: Reading, choice: Choice) -> When:
    """From when and until when it holds, and when it is due.

    A task holds from when it was given; its deadline is a slot, too. What is planned or decided
    for a future day holds already; only an event is dated by that day. An undated source gives no
    start, so that the time of recording counts (algorithm 2.4).
    """
    situation = reading.situation
    if situation.is_spoken:
        return when(reading, choice, reading.dates)
    said = None if situation.said_at is None else situation.said_at // MINUTE_MS * MINUTE_MS
    if choice.kind == "task":
        first = deadline(reading.dates)
        return When(valid_from=said, due=None if first is None else first.from_ms)
    since, until = None, None
    for mention in reading.dates:
        ahead = mention.from_ms > situation.reference
        dated = mention.relation == "at" and choice.name not in DATE_IS_VALUE
        tells = mention.relation == "since" or (dated and not ahead)
        if since is None and (tells or (choice.kind == "event" and dated)):
            since = mention.from_ms
            if mention.text.lower().startswith(("from ", "between ")) and mention.relation == "at":
                until = mention.until_ms
        elif mention.relation == "until" and until is None:
            until = mention.until_ms
    start = since if since is not None else said
    held = until is None or start is None or until > start
    return When(valid_from=start, valid_until=until if held else None)


def _slot(reading: Reading, choice: Choice) -> Triple:
    if choice.kind == "task":
        return _due(reading, choice)
    # 'Bob thinks we should move' was a task of ours, and is a belief of his.
    if choice.name == OF_OTHERS:
        return _opinion(reading.sentence)
    if choice.kind not in _KINDS_WITH_SLOTS or choice.name.startswith("correction"):
        return NOTHING
    # Of what judgement alone keeps no cue says where the slot is, unless another program wrote it
    # ('user prefers short answers').
    if choice.name.startswith("judged") and reading.tokens.at(0) != "user":
        return NOTHING
    start = choice.start
    if choice.subject is None and "user" in (reading.tokens.at(0), reading.tokens.at(1)):
        start = max(start, 1 + (reading.tokens.at(1) == "user"))  # 'the user prefers'
    return slots_of(
        Said(
            tokens=reading.tokens,
            raw=reading.sentence.text,
            subject=reading.antecedent or _subject(reading, choice),
            name=choice.name,
            start=start,
            end=max(choice.end, start),
        )
    )


def _opinion(sentence: Sentence) -> Triple:
    """('Bob', 'thinks', 'we should move'): whose it is, who may think many things."""
    holder = judgement.holder_of(sentence.masked)
    what = sentence.text[sentence.text.find(holder) + len(holder) :].strip().rstrip(".!")
    is_first = sentence.masked.lstrip().startswith(holder)  # else no verb follows: 'selon Karim'
    thought = what.split(None, 1)[-1] if is_first else what.lstrip(", ")
    if len(thought.split()) > LONGEST_OBJECT:
        return NOTHING
    return holder, "thinks", thought


def _ends(reading: Reading, choice: Choice) -> tuple[Triple, ...]:
    """The facts of which the sentence says that they hold no more."""
    if choice.kind not in _KINDS_WITH_SLOTS or choice.name == "preference:dislike":
        return ()
    tokens, situation = reading.tokens, reading.situation
    own = tokens.at(0) in _OWN_WORDS
    if not own and not (choice.subject is not None or tokens.is_capital(0)):
        return ()
    speaker = situation.subject if own else ""
    if tokens.at(0) in ("we", "our"):
        speaker = "we" if situation.is_own else ""

    def slots(positive: Tokens) -> Triple:
        subject, verb = speaker, 0
        name = choice.name if choice.name == "fact:relation" else ""
        if positive.at(0) in ("my", "our"):
            # 'My brother no longer works at Siemens' is about his job, and never about mine.
            name = "fact:relation" if RELATIONS & set(positive.lower[1:4]) else name
            if not name and _BE.isdisjoint(positive.lower[:_NEAR]):
                return NOTHING
        if not own:
            verb = 1
            while positive.is_capital(verb):
                verb += 1
            subject = " ".join(positive.raw[:verb]).strip("*_[]")
        return slots_of(
            Said(
                tokens=positive,
                raw=reading.sentence.text,
                subject=subject,
                name=name,
                start=verb,
                end=verb + 1,
            )
        )

    return ended_facts(tokens, reading.sentence.text, speaker, slots)


def _subject(reading: Reading, choice: Choice) -> str:
    """Who or what the statement is about; '' when that is not clear."""
    tokens, situation = reading.tokens, reading.situation
    if choice.subject is not None:
        first, end = choice.subject
        return reading.sentence.text[tokens.start[first] : tokens.end[end - 1]].strip("*_[]")
    said_by = tokens.at(choice.start)
    if said_by in ("we", "our", "let's"):
        return "we" if situation.is_own else ""
    if said_by == "user" or (said_by == "the" and tokens.at(choice.start + 1) == "user"):
        return "user"  # what other programs remember is said of 'the user'
    if said_by in _OF_WHOM:
        before = tokens.lower[max(choice.start - 5, 0) : choice.start]
        if ("i", "am") not in pairwise(before):
            return ""  # 'the kids are allergic to nuts'
        said_by = "i"
    spoken = situation.letter != DOCUMENT or said_by in ("i", "my")
    return situation.subject if spoken else ""


def _due(reading: Reading, choice: Choice) -> Triple:
    """('renew the passport', 'due', '2026-06-01'): the first day of what the deadline names."""
    tokens = reading.tokens
    mention = deadline(reading.dates)
    if mention is None or tokens.at(choice.end) == "":
        return NOTHING
    word = max(choice.end - 1, 0)
    first = tokens.start[word + 1 if tokens.at(word) in ("to", ":") else word]
    what = reading.sentence.text[first : mention.start].strip(" ,:-–—")
    if not what or len(what.split()) > LONGEST_OBJECT:
        return NOTHING
    return what, "due", format_instant(mention.from_ms, reading.situation.zone)
