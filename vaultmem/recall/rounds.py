"""A question asked in rounds: in parts, then for what the answers lack and for names they brought.

Anveshana (algorithms.md 3.1 to 3.4). It is taken apart here, where also stands what to ask next;
`fusing.py` puts the lists together and says when to stop. What the question itself found keeps its
score, to which each further question adds; scores of the further ones are shares of their best, so
that lists can be compared. The further ones count for `retrieval.round_share` of their weight: 1 is
the formula as published, and finds much less.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from vaultmem.base import TYPE_CHECKING, BadInputError, NamedTuple, replace
from vaultmem.language import STOP_WORDS, Stems, fold, words
from vaultmem.model import UNTRUSTED, Filters, Found, Part, Round
from vaultmem.recall import fusing
from vaultmem.recall.ask_index import Passages, passages_for
from vaultmem.recall.belief.believed import suspicion_of
from vaultmem.storage.index import analyse, relations

if TYPE_CHECKING:
    from vaultmem.history import Snapshot
    from vaultmem.vault import Notes as Source
    from vaultmem.vault import Vault


# --- parts of a question ---

# Pure functions over text. What is in quotation marks is never split; a word that joins two parts
# ('vs', 'because', 'and') is never a part itself.
MOST_QUERIES = 4  # the question itself among them
_LONG_WORDS = 8  # a question of more words is complex
_MOST_CAPITALS = 1  # capitalised words after the first that a plain question may hold
_SHORTEST_PART = 3  # characters
_MANY_WORDS, _SOME_WORDS = 5, 3

_VERSUS = (
    r"\b(?:vs\.?|versus|(?:as )?compared (?:to|with)|in comparison (?:to|with)"
    r"|im vergleich (?:zu|zum|zur|mit)|verglichen mit|en comparación con|comparad[oa]s? con"
    r"|frente a|par rapport (?:à|au|aux)|comparée?s? (?:à|au|aux)|rispetto a|in confronto a"
    r"|vergeleken met|em comparação com)(?!\w)"
)
_BETWEEN_WORDS = (
    r"\b(?:differences? between|unterschiede? zwischen|diferencias? entre|différences? entre"
    r"|differenz[ae] tra|verschil(?:len)? tussen|diferenças? entre)\b"
)
_COMPARE_WORDS = (
    r"^\W*(?:please |bitte |can you |could you )?(?:compare|comparing|comparison of|vergleiche?n?"
    r"|vergleich (?:von|zwischen)|comparar?|compara(?:me|ción de)|compare[rz]|confronta(?:re)?"
    r"|vergelijk)\b"
)
_COMPARE = (
    rf"{_COMPARE_WORDS} (?P<one>.+?) (?:and|with|to|against|und|mit|y|con|et|avec|à|e|en|met|com"
    rf"|{_VERSUS}) (?P<other>.+)"
)
_BETWEEN = rf"{_BETWEEN_WORDS} (?P<one>.+?) (?:and|und|y|et|e|en) (?P<other>.+)"
_BECAUSE = (
    r"\b(?:because(?: of)?|(?:was |were |is |are )?caused by|(?:was |were |is |are )?due to"
    r"|led to|leads to|resulted in|as a result of|weil|wegen|porque|debido a|a causa de|parce que"
    r"|à cause d(?:e|u|es)|a causa di|omdat|vanwege|por causa de)\b"
)
_WHY = r"^\W*(?:why|warum|wieso|weshalb|por qué|pourquoi|perché|waarom|por que)\b"
# 'Why did we move and what does she do': two questions, while 'why do cats and dogs fight' is one.
_ANOTHER = (
    r"\b(?:and|or|but)\s+(?=(?:what|who|whom|whose|when|where|why|how|which|do|does|did|is|are|was"
    r"|were|has|have|had|can|could|will|would|should)\b)"
    r"|\b(?:und|oder)\s+(?=(?:was|wer|wen|wem|wann|wo|warum|wieso|wie|welche\w*)\b)"
    r"|\b(?:y|o)\s+(?=(?:qué|quién|cuándo|dónde|por qué|cómo|cuál\w*|cuánt\w+)\b)"
    r"|\b(?:et|ou)\s+(?=(?:qui|que|quand|où|pourquoi|comment|combien|quel\w*)\b)"
)
_AND = (
    r"\b(?:and|or|but|as well as|und|sowie|aber)\b|(?<=\w )(?:y|et)(?= \w)"
    r"|(?<=\w )(?:that|which|who)\s+(?=\w+ed\b|caus|led\b|made\b|was\b|were\b|has\b|have\b|had\b)"
)
_TEMPORAL = r"\b(?:before|after|since|until|when|while|during|between|then|last|next|ago)\b"
_COMPARING = (
    rf"{_VERSUS}|{_BETWEEN_WORDS}|{_COMPARE_WORDS}|\b(?:better|worse|more|less|rather) .*\bthan\b"
)
_CAUSAL = rf"{_WHY}|{_BECAUSE}"
_QUOTED = re.compile(r"\"[^\"]+\"|“[^”]+”|(?<!\w)'[^']+'(?!\w)")
_CAPITAL = re.compile(r"(?<=\w[ ,])\s*[A-Z]\w")
_COMMA = re.compile(r",\s*(?:and\s+|or\s+)?(?!\s*\d)")  # '3 June, 2023' is no list
_MARK = "\ue000"  # stands for a quoted term; a private character that no keyboard has
_EDGES = " \t\n.,;:!?-–"


def is_complex(text: str) -> bool:
    """Whether a question may ask for several things at once."""
    lower = text.lower()
    return (
        len(text.split()) > _LONG_WORDS
        or any(re.search(pattern, lower) for pattern in (_AND, _TEMPORAL, _COMPARING, _CAUSAL))
        or len(_QUOTED.findall(text)) > 1
        or len(_CAPITAL.findall(text)) > _MOST_CAPITALS
    )


def decompose(text: str, *, most: int = MOST_QUERIES) -> tuple[str, ...]:
    """The question, then at most `most` - 1 parts of it; the question alone where it is simple.

    The first rule that finds parts wins: two sides compared, effect and cause, a list, a
    conjunction. Nothing for a text without anything in it.
    """
    question = text.strip()
    if not question:
        return ()
    if not is_complex(question):
        return (question,)
    quoted = _QUOTED.findall(question)
    bare = _QUOTED.sub(_MARK, question)
    rules = (_split_comparison, _split_cause, _split_list, _split_conjunction)
    parts = next((found for rule in rules if (found := rule(bare))), [])
    known = {question.casefold()}
    chosen = [question]
    for part in parts:
        for _ in range(part.count(_MARK)):
            part = part.replace(_MARK, quoted.pop(0), 1)
        part = part.strip(_EDGES)
        if len(part) >= _SHORTEST_PART and part.casefold() not in known:
            known.add(part.casefold())
            chosen.append(part)
    return tuple(chosen[:most])


def _split_comparison(text: str) -> list[str]:
    # 'compare Postgres and MySQL' was asked as 'compare Postgres' and 'MySQL'.
    for pattern in (_BETWEEN, _COMPARE):  # a part is a thing, without the word that asks to compare
        sides = re.search(pattern, text, re.IGNORECASE)
        if sides:
            return [sides["one"], sides["other"]]
    return _split(_VERSUS, text)


def _split_cause(text: str) -> list[str]:
    parts = _split(_BECAUSE, text) or [text]
    # 'Why did we move and what does she do' asks two things, and was only its part without 'why'.
    if parts == [text] and re.search(_WHY, text, re.IGNORECASE):
        parts = _split(_ANOTHER, text) or parts
    bare = [re.sub(_WHY, "", part, flags=re.IGNORECASE) for part in parts]
    return [] if bare == [text] else bare


def _split_list(text: str) -> list[str]:
    """'a, b and c': at least two commas, or one before the last two."""
    parts = _COMMA.split(text)
    if len(parts) < 2:
        return []
    # Of ten questions in German, Spanish and French none was taken apart by the English words
    # alone.
    last = re.split(r"\s+(?:and|or|und|oder|y|o|et|ou)\s+", parts[-1], maxsplit=1)
    parts = parts[:-1] + last
    return parts if len(parts) > 2 else []


def _split_conjunction(text: str) -> list[str]:
    return _split(_AND, text)


def _split(pattern: str, text: str) -> list[str]:
    parts = re.split(pattern, text, flags=re.IGNORECASE)
    return parts if len(parts) > 1 else []


class Weights(NamedTuple):
    """What parts count for, as shares of the question's own 1."""

    step: float = 0.2  # that each later part loses
    floor: float = 0.4  # that none falls below
    many: float = 0.1  # gained by a part of 5 words or more
    some: float = 0.05  # gained by one of 3 or 4


AS_PUBLISHED = Weights()


def positional_weight(index: int, weights: Weights = AS_PUBLISHED) -> float:
    """Weight of a part by its place: 1 for the question itself (0), then less, to the floor."""
    return max(weights.floor, 1 - weights.step * index)


def specificity_bonus(query: str, weights: Weights = AS_PUBLISHED) -> float:
    """What a part gains by saying more."""
    count = len(query.split())
    if count >= _MANY_WORDS:
        return weights.many
    return weights.some if count >= _SOME_WORDS else 0.0


def subquery_weight(index: int, query: str, weights: Weights = AS_PUBLISHED) -> float:
    """Weight of a part: by its place, with its bonus; never more than the question's own 1."""
    if index == 0:
        return 1.0
    return min(1.0, positional_weight(index, weights) + specificity_bonus(query, weights))


# --- what to ask after the first answer ---

# Pure functions over words and texts (algorithms.md 3.1 and 3.2; Anveshana).
LOOKED_AT = 5  # of the first passages
MOST_NAMES = 2
# By themselves and at half the weight: joined by words of the question, or at the weight of those
# that are lacking, they bring more of what is beside the point (docs/experiments.md).
NAME_SHARE = 0.5

_CALENDAR = """
    monday tuesday wednesday thursday friday saturday sunday january february march april may june
    july august september october november december christmas easter halloween
"""
_DAYS_AND_MONTHS = frozenset(_CALENDAR.split())
_PEOPLE = frozenset(["april", "may", "june", "august", "easter"])  # are called so
# What a question does with its things; no text lacks it.
_COMPARING_FOLLOWING_UP = """
    vs versus compared compare comparison difference differences unterschied unterschiede vergleich
    verglichen diferencia diferencias comparación comparado comparada différence différences rapport
    comparé differenza differenze rispetto verschil vergeleken diferença diferenças comparação
"""
_OF_THE_QUESTION = frozenset(_COMPARING_FOLLOWING_UP.split())
_OF_TIME = re.compile(
    r"\b(?:in|on|of|since|until|till|by|from|at|for|last|next|this|every)\s+$", re.I
)
_WORD = re.compile(r"[^\W\d_][\w'&-]*")

Words = Callable[[str], Collection[str]]
"""The stems of a text."""


def lacking(
    asked: Iterable[tuple[str, Collection[str]]], texts: Sequence[str], stems: Words
) -> str:
    """The words of a question that no text holds, in their order; '' when all are held.

    asked  (word, its stem and those that stand for it)
    """
    held = {stem for text in texts for stem in stems(text)}
    return " ".join(
        word for word, own in asked if held.isdisjoint(own) and word.lower() not in _OF_THE_QUESTION
    )


def names_in(
    found: Iterable[tuple[str, float]], *, known: Collection[str], stems: Words
) -> tuple[str, ...]:
    """The names that texts bring, at most MOST_NAMES: those of the most and best texts first.

    found  (text, what it weighs)
    known  stems of the question and of who speaks: a name with one of them is not new
    """
    weights: defaultdict[str, float] = defaultdict(float)
    for text, weight in found:
        for name in _capitals(text):
            weights[name] += weight
    new = [
        name for name in weights if (own := stems(name)) and not any(stem in known for stem in own)
    ]
    return tuple(sorted(new, key=lambda name: (-weights[name], name))[:MOST_NAMES])


def _capitals(text: str) -> set[str]:
    """Words with a capital inside a sentence, each with the capitals that follow it at once."""
    names: set[str] = set()
    begins = ends = 0  # of the name that is being read; begins == ends: none is
    for word in _WORD.finditer(text):
        is_capital = word.group()[0].isupper()
        if begins < ends and is_capital and text[ends : word.start()].isspace():
            ends = word.end()
            continue
        names.add(text[begins:ends])
        begins = ends = word.end()
        before = text[max(0, word.start() - 2) : word.start()]
        # 'Elise moved to Bergen in March' had 'March' asked for in the next round: multi-hop R@10
        # of two rounds is .560 in place of .556.
        inside = before[1:] == " " and (before[0].islower() or before[0] in ",;")
        if is_capital and inside and not _is_of_time(text, word):
            begins = word.start()
    names.add(text[begins:ends])
    return {" ".join(name.split()) for name in names if len(name) > 1}


def _is_of_time(text: str, word: re.Match[str]) -> bool:
    """Whether a capital is that of a day or month: 'in May', and no 'with May'."""
    name = word.group().lower()
    # 'Elise moved to Bergen in March' brought 'March' as a name to ask for. Without days and months
    # two rounds find R@10 .836 and multi-hop .560 on LoCoMo, .835 and .556 with them.
    if name not in _DAYS_AND_MONTHS:
        return False
    before = text[max(0, word.start() - 8) : word.start()]
    return name not in _PEOPLE or _OF_TIME.search(before) is not None


Place = tuple[PurePosixPath, int]


class _Asked(NamedTuple):
    """One further question, and what it found."""

    told: Round
    scores: Mapping[Place, float]  # shares of its best


def check_rounds(rounds: int | None, vault: Vault) -> int:
    """How many rounds are to be asked; None: as the settings say. Raises BadInputError."""
    most = max(1, vault.settings.retrieval_rounds)
    if rounds is None:
        return max(1, min(vault.settings.recall_rounds, most))
    if not 1 <= rounds <= most:
        raise BadInputError(
            f"{rounds} rounds cannot be asked",
            hint=f"ask 1 to {most} of them ('retrieval.rounds' in the settings)",
        )
    return rounds


def in_rounds(
    vault: Vault,
    query: str,
    *,
    rounds: int,
    limit: int,
    filters: Filters,
    snapshot: Snapshot | None,
) -> Passages:
    """What all rounds found, best first, as `passages_for` gives one; `rounds` is at least 2."""
    first = passages_for(vault, query, limit=limit, filters=filters, snapshot=snapshot)
    if not first.found:
        return first
    return _Asking(vault, query, first, limit=limit, filters=filters, snapshot=snapshot).ask(rounds)


class _Asking:
    """One question while it is asked in rounds."""

    def __init__(
        self,
        vault: Vault,
        query: str,
        first: Passages,
        *,
        limit: int,
        filters: Filters,
        snapshot: Snapshot | None,
    ) -> None:
        self._vault = vault
        self._query = query
        self._limit = limit
        self._filters = filters
        self._snapshot = snapshot
        self._first = first
        self._source: Source = vault.index if snapshot is None else snapshot.notes
        self._stemming = Stems(vault.settings.languages)
        self._relations = relations(self._stemming)
        self._question = analyse(query, self._stemming).asked
        self._best = first.found[0].score
        self._found = {_place(one): one for one in first.found}
        self._of_question = _scores(first.found)
        self._told = [Round(query=query, why="the question", passages=len(first.found), new=0)]
        self._told[0] = replace(self._told[0], new=len(first.found))
        self._asked: list[_Asked] = []

    def ask(self, rounds: int) -> Passages:
        settings = self._vault.settings
        parts = decompose(self._query, most=max(1, settings.retrieval_subqueries))
        weights = Weights(
            step=settings.retrieval_position_step,
            floor=settings.retrieval_position_floor,
            many=settings.retrieval_long_query_bonus,
            some=settings.retrieval_middle_query_bonus,
        )
        for i, part in enumerate(parts[1:], start=1):
            self._put(part, f"its part '{part}'", subquery_weight(i, part, weights), number=1)
        ranked = self._rank()
        ended, number = "as many were asked as were wanted", 2
        while number <= rounds:
            further = self._further(ranked)
            if not further:
                ended = "nothing further to ask"
                break
            before, known = ranked[0].score, len(self._found)
            for query, why, weight in further:
                self._put(query, why, weight, number=number)
            ranked = self._rank()
            if number < rounds and not fusing.goes_on(
                before,
                ranked[0].score,
                has_new=len(self._found) > known,
                rounds=number,
                least=settings.retrieval_improvement_threshold,
                most=rounds,
            ):
                ended = "the last round found nothing new"
                break
            number += 1
        return self._first._replace(found=ranked, rounds=tuple(self._told), ended=ended)

    def _put(self, query: str, why: str, weight: float, *, number: int) -> None:
        """Ask one further question, and keep what it found."""
        # At the published weight (a share of 1) two rounds find R@10 .774 on LoCoMo, at .15 .835;
        # one round .832.
        weight *= self._vault.settings.retrieval_round_share
        given = passages_for(
            self._vault, query, limit=self._limit, filters=self._filters, snapshot=self._snapshot
        )
        new = 0
        for one in given.found:
            if _place(one) not in self._found:
                self._found[_place(one)] = one
                new += 1
        told = Round(
            query=query,
            why=why,
            passages=len(given.found),
            new=new,
            number=number,
            weight=weight,
        )
        self._told.append(told)
        self._asked.append(_Asked(told, _scores(given.found)))

    def _further(self, ranked: list[Found]) -> list[tuple[str, str, float]]:
        """(query, why, weight) of what the best passages so far leave to be asked.

        Text from outside steers no question: it is not looked at.
        """
        notes = self._source.notes({one.path for one in ranked[:LOOKED_AT]})
        best = [
            one
            for one in ranked[:LOOKED_AT]
            # Words from outside would steer what is asked next.
            if one.path in notes
            and notes[one.path].trust != UNTRUSTED
            and not suspicion_of(one, notes)
        ]
        weight = self._vault.settings.retrieval_followup_weight
        said = [(one.word, self._standing(one.stem)) for one in self._question]
        texts = [f"{one.passage.speaker} {one.passage.text}" for one in best]
        known = {one.stem for one in self._question}
        known.update(stem for one in ranked for stem in self._stems(one.passage.speaker))
        further = []
        missing = lacking(said, texts, self._stems)
        if missing and best:
            further.append((missing, f"what the first passages lack, '{missing}'", weight))
        names = names_in(
            ((one.passage.text, one.score) for one in best), known=known, stems=self._stems
        )
        for name in names:
            further.append((name, f"a name that was found, '{name}'", weight * NAME_SHARE))
        before = {fold(one.query) for one in self._told}
        return [one for one in further if fold(one[0]) not in before]

    def _standing(self, stem: str) -> set[str]:
        """The stem with those of words that stand for it: 'sold' where 'sell' was asked for."""
        groups = () if self._relations is None else self._relations.groups(stem)
        return {stem}.union(*(group.stems for group in groups))

    def _stems(self, text: str) -> set[str]:
        return {self._stemming(word) for word in words(fold(text)) if word not in STOP_WORDS}

    # --- one list of all -----------------------------------------------------------------------

    def _rank(self) -> list[Found]:
        settings = self._vault.settings
        more = max(0.0, settings.retrieval_repeat_boost - 1)
        boost = 1 + more * settings.retrieval_round_share
        rounds = [fusing.Round(self._query, 1.0, _by_name(self._of_question))]
        rounds += [
            fusing.Round(one.told.query, one.told.weight, _by_name(one.scores))
            for one in self._asked
        ]
        by_name = {_name(place): place for place in self._found}
        scores = fusing.fuse(rounds, boost=boost, most_boosts=settings.retrieval_repeat_cap)
        return [self._fuse(by_name[name], score) for name, score in scores.items()]

    def _fuse(self, place: Place, score: float) -> Found:
        """A passage with its score of all rounds, and what each of them gave.

        How much of the *question* it holds is known of what the question found; of others no more
        is believed than of the best of those, so that an answer is never due to a part alone.
        """
        one = self._found[place]
        total = score * self._best
        parts = one.parts if place in self._of_question else ()
        given = [
            Part(
                name=f"round {asked.told.number}",
                value=asked.told.weight * asked.scores[place] * self._best,
                note=f"{asked.scores[place]:.0%} of the best for '{asked.told.query}'",
            )
            for asked in self._asked
            if place in asked.scores
        ]
        alone = self._of_question.get(place, 0.0) * self._best
        repeated = total - alone - sum(part.value for part in given)
        if given and repeated > 0:
            given.append(Part(name="repeated", value=repeated, note="found more than once"))
        coverage = one.coverage
        if place not in self._of_question:
            asked = self._stems(self._query)
            held = asked & self._stems(one.passage.text)
            most = max(each.coverage for each in self._first.found)
            coverage = min(most, len(held) / max(1, len(asked)))
        return replace(one, score=total, parts=(*parts, *given), coverage=coverage)


def _place(one: Found) -> Place:
    return one.path, one.passage.seq


def _name(place: Place) -> str:
    return f"{place[0]}\0{place[1]:09}"


def _by_name(scores: Mapping[Place, float]) -> dict[str, float]:
    return {_name(place): score for place, score in scores.items()}


def _scores(found: Iterable[Found]) -> dict[Place, float]:
    """Scores as shares of the best one."""
    scores = {_place(one): one.score for one in found}
    best = max(scores.values(), default=0.0)
    return {place: max(0.0, score) / best for place, score in scores.items()} if best > 0 else {}
