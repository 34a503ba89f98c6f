"""Candidates for rules that a language model proposes, and the guards on them.

A model may only point at words: each candidate needs the person's own, verbatim, from a turn that
counts as evidence (algorithms 4, "an optional LLM pass may only propose candidates with quotes").
What becomes a rule is decided without it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from hashlib import sha256

from vaultmem.base import TYPE_CHECKING, SettingsError, dataclass
from vaultmem.extract import mask_secrets
from vaultmem.judgement import own_words
from vaultmem.language import fold, known_day
from vaultmem.learn.conversations import Session, conversations
from vaultmem.learn.own_statements import clauses, load, spoken_in, statements
from vaultmem.learn.patterns import words_of
from vaultmem.learn.rule_notes import rule_items, rule_of
from vaultmem.learn.rules import Rule
from vaultmem.model import (
    UNTRUSTED,
    Claim,
    Claims,
    Evidence,
    Filters,
    LearnedRule,
    Message,
    NoteRow,
    Rejected,
    RuleProposals,
    is_current,
    list_schema,
    object_schema,
    part_key,
)
from vaultmem.models import instructions, summariser
from vaultmem.vault import level

if TYPE_CHECKING:
    from vaultmem.vault import Vault
CATEGORIES = ("preference", "decision", "correction")
GROUNDED = 0.6  # share of a statement's content words that its quotes have
LONGEST = 300  # characters of a statement
SHORTEST_QUOTE = 8
MOST_CHARACTERS = 24_000  # of all turns that are shown, the newest first
_SHOWN = 200
_MOST_QUOTES = 20  # of a candidate that are looked at; more is a model in a loop

SCHEMA = object_schema(
    candidates=list_schema(
        object_schema(
            category={"type": "string"},
            statement={"type": "string"},
            quotes=list_schema(object_schema(turn={"type": "integer"}, words={"type": "string"})),
        )
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A turn of the person's as it is shown: without what others say in it."""

    session: str
    at: int | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """A candidate that passed the guards."""

    category: str
    statement: str
    quotes: tuple[tuple[Said, str], ...]  # where, and the words


def turns_of(sessions: Sequence[Session]) -> tuple[Said, ...]:
    """What the person said, the newest conversations first, as much as is shown."""
    found: list[Said] = []
    room = MOST_CHARACTERS
    for session in reversed(sessions):
        for turn in session.turns:
            text = own_words(turn.text, session.owners).strip()
            # Whole turns or none: of a turn that is cut half a secret may be left, which no pattern
            # knows.
            if turn.role == "user" and text and len(text) <= room:
                room -= len(text)
                found.append(Said(session=session.id, at=session.at, text=text))
    return tuple(found)


def question(
    turns: Sequence[Said],
    instructions: str,
    *,
    most: int,
    mask: Callable[[str], str],
    zone: str,
) -> tuple[Message, Message]:
    """What the model is asked; `mask` takes out what nobody elsewhere may read.

    zone  in which the days of the turns are told
    """
    rows = []
    for number, each in enumerate(turns, 1):
        day = known_day(each.at, zone)
        rows.append(f"[{number}]{f' ({day}):' if day else ''} {each.text}")
    text = mask("\n".join(rows))
    mark = sha256(text.encode("utf-8", "replace")).hexdigest()[:12]
    asked = f"<<<TURNS {mark}\n{text}\nTURNS {mark}>>>\nWrite down the candidates."
    system = instructions.replace("{{candidates}}", str(most))
    return Message(role="system", text=system), Message(role="user", text=asked)


def candidates_in(
    value: object, turns: Sequence[Said], rules: Sequence[Rule], *, most: int
) -> tuple[tuple[Proposed, ...], tuple[Rejected, ...]]:
    """The candidates of a reply that fits SCHEMA, and those that a guard refuses, with its name."""
    rows = value.get("candidates", ()) if isinstance(value, dict) else ()
    known = {frozenset(words_of(rule.statement, rule.language)) for rule in rules}
    found: list[Proposed] = []
    rejected: list[Rejected] = []
    # Room for those that a guard refuses; a reply of more than that is a model in a loop.
    for row in rows[: 4 * most]:
        statement = " ".join(str(row["statement"]).split())
        quotes = tuple(_quotes(row["quotes"], turns))
        why = _refusal_reason(str(row["category"]), statement, quotes, known)
        if not why and len(found) >= most:
            why = "limit"
        if why:
            rejected.append(Rejected(text=statement[:_SHOWN], rule=why))
        else:
            known.add(words_of(statement, spoken_in(statement).name))
            found.append(
                Proposed(category=str(row["category"]), statement=statement, quotes=quotes)
            )
    return tuple(found), tuple(rejected)


def _quotes(rows: Sequence[dict[str, object]], turns: Sequence[Said]) -> list[tuple[Said, str]]:
    """Those that are there: verbatim, in the turn that is named, in a sentence that states."""
    found = []
    for row in rows[:_MOST_QUOTES]:
        number, words = row["turn"], " ".join(str(row["words"]).split())
        if not isinstance(number, int) or not 1 <= number <= len(turns):
            continue
        said = turns[number - 1]
        if len(words) >= SHORTEST_QUOTE and _states(said.text, words):
            found.append((said, words))
    return found


def _states(text: str, words: str) -> bool:
    """Whether a sentence of the text has the words, and is evidence: no question, for one."""
    wanted, language = words.casefold().rstrip(".!"), spoken_in(text)
    return any(
        wanted in " ".join(each.quote.split()).casefold() and any(clauses(each, language))
        for each in statements(text, language)
    )


def _refusal_reason(
    category: str,
    statement: str,
    quotes: Sequence[tuple[Said, str]],
    known: set[frozenset[str]],
) -> str:
    if category not in CATEGORIES:
        return "category"
    language = spoken_in(statement).name
    words = words_of(statement, language)
    if not words or len(statement) > LONGEST or "[[" in statement:
        return "statement"
    if not quotes:
        return "no-quote"
    borne_out = words_of(" ".join(text for _, text in quotes), language)
    if len(words & borne_out) < GROUNDED * len(words):
        return "ungrounded"
    return "known" if words in known else ""


# Candidates for rules that the language model of the person's settings proposes; nothing is kept.
#
# They are shown with the person's words for them. What is right the person says once more, or with
# `remember --kind rule`: no word of a model becomes a rule.

MOST = 20
NEEDS_A_MODEL = "proposing rules needs a language model, and none is set ('llm.provider')"


def propose(vault: Vault) -> RuleProposals:
    """What the model finds in the newest conversations, past the guards.

    raises  SettingsError, LocalOnlyError where no model can be asked; LLMError where its reply
            cannot be used
    """
    model = summariser(vault, about="what was said in conversations")
    if model is None:
        raise SettingsError(NEEDS_A_MODEL, hint="see `vaultmem help llm`")
    now = vault.clock.now()

    talks = level.reading(vault, lambda: conversations(vault))
    items = level.reading(vault, lambda: rule_items(vault))
    turns = turns_of([talk.session for talk in talks])
    if not turns:
        return RuleProposals()
    rules = [rule for item in items.values() if (rule := rule_of(item, now=now)) is not None]
    zone = vault.settings.timezone
    messages = question(turns, instructions("rules"), most=MOST, mask=mask_secrets, zone=zone)
    reply = model.ask(messages, schema=SCHEMA).value
    found, rejected = candidates_in(reply, turns, rules, most=MOST)
    return RuleProposals(
        rules=tuple(_proposed_rule(each) for each in found), rejected=rejected, turns=len(turns)
    )


def _proposed_rule(each: Proposed) -> LearnedRule:
    return LearnedRule(
        id="",
        path=None,
        category=each.category,
        statement=each.statement,
        polarity="",
        scope="",
        confidence=0.0,
        status="proposed",
        sessions=len({said.session for said, _ in each.quotes}),
        against=0,
        last_reinforced=max((s.at for s, _ in each.quotes if s.at is not None), default=None),
        evidence=tuple(
            Evidence(session=said.session, path=None, at=said.at, quote=words)
            for said, words in each.quotes
        ),
    )


# What people say of themselves to their credit, held against what happened.
#
# A memory that is told often enough how punctual its owner is will say so (algorithms 5.12). This
# only reports: nobody's words are changed because of it.

LEAST_OPPOSITE = 5  # events that speak against a claim before it is flagged


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """A claim, and the events that bear it out or speak against it, in their order."""

    supporting: tuple[str, ...]  # ids
    opposite: tuple[str, ...]

    @property
    def verdict(self) -> str:
        """contradicted, unsupported, or supported by something that happened."""
        if len(self.opposite) >= LEAST_OPPOSITE:
            return "contradicted"
        return "supported" if self.supporting else "unsupported"


def is_claim(statement: str) -> bool:
    """Whether somebody says something good of themselves."""
    text, language = fold(statement), spoken_in(statement)
    return language.claims.has("self", text) and language.claims.has("positive", text)


def weigh(statement: str, events: Sequence[tuple[str, str]]) -> Weighed:
    """A claim beside events: (id, statement), oldest first.

    An event is about the claim when it shares a content word, and speaks against it when it denies
    something; or when it is what happens when such a claim is not so.
    """
    language = spoken_in(statement)
    claim = fold(statement)
    about = _telling(statement, language.name)
    happens = [event for claimed, event in language.opposites if claimed.search(claim)]
    supporting: list[str] = []
    opposite: list[str] = []
    for id_, text in events:
        told = fold(text)
        if any(event.search(told) for event in happens):
            opposite.append(id_)
        elif about & _telling(text, language.name):
            is_against = language.claims.has("opposite", told)
            (opposite if is_against else supporting).append(id_)
    return Weighed(supporting=tuple(supporting), opposite=tuple(opposite))


@lru_cache(maxsize=65_536)  # each event is held against each claim
def _telling(text: str, name: str) -> frozenset[str]:
    """The content words of a text without those that make it a claim, by their first letters."""
    language = load(name)
    praise = " ".join(match[0] for match in language.claims.lists["positive"].finditer(fold(text)))
    words = words_of(text, language.name) - words_of(praise, language.name)
    return frozenset(word[:5] for word in words if len(word) > 3 and not word.isdigit())


# Which good things are said of the person that nothing that happened bears out; a report.

_OWN = ("user", "me", "i", "myself")
_KINDS = ("fact", "belief", "preference")
_NEVER_WAS = ("retracted", "candidate")  # statuses of what did not happen, or perhaps
_ORDER = ("contradicted", "unsupported", "supported")


def claims(vault: Vault) -> Claims:
    """Claims about the person with what bears them out, the doubtful ones first."""
    return level.reading(vault, lambda: _find_claims(vault))


def _find_claims(vault: Vault) -> Claims:
    now = vault.clock.now()
    facts = [
        row
        for row in vault.index.list(Filters(types=("item",), kinds=_KINDS))
        if is_current(row, now) and _is_about_the_person(row)
    ]
    happened = [
        (row.id, row.statement)
        for row in reversed(vault.index.list(Filters(types=("item",), kinds=("event",))))
        if row.id and row.trust != UNTRUSTED and row.status not in _NEVER_WAS
    ]
    told = []
    for row in facts:
        if not is_claim(row.statement):
            continue
        weighed = weigh(row.statement, happened)
        told.append(
            Claim(
                id=row.id,
                path=row.path,
                statement=row.statement,
                verdict=weighed.verdict,
                supporting=weighed.supporting,
                opposite=weighed.opposite,
                texts=len(row.source),
                trust=row.trust,
                writer=row.writer,
            )
        )
    told.sort(key=lambda each: (_ORDER.index(each.verdict), each.statement, each.id))
    share = round(len(told) / len(facts), 4) if facts else 0.0
    return Claims(claims=tuple(told), facts=len(facts), share=share)


def _is_about_the_person(row: NoteRow) -> bool:
    return row.stream == "identity" or part_key(row.subject) in _OWN
