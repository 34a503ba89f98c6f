"""Drafts of items from raw text without any model: cues, dates and a good many refusals."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from vaultmem import judgement
from vaultmem.base import TYPE_CHECKING, late, replace
from vaultmem.extract.cue_patterns import (
    PLAN_VERBS,
    Tokens,
    explicit_cues,
    tokens_of,
    words,
)
from vaultmem.extract.draft import draft_of, keep_grounded
from vaultmem.extract.evidence import (
    ASSISTANT,
    CHAT,
    DOCUMENT,
    PEOPLE,
    Antecedent,
    Reading,
    Sentence,
    Situation,
    clauses,
    is_asking,
    paragraphs,
    situations,
)
from vaultmem.extract.leaning import begins_with_pointer, needs_context
from vaultmem.extract.no_evidence import (
    Choice,
    by_correction,
    by_cue,
    by_heading,
    by_opinion,
    by_procedure,
    by_subject,
    if_it_changes,
    is_order,
    is_secret,
    is_trifle,
    judged_choice,
    not_a_statement,
    not_for_memory,
    with_subject,
)
from vaultmem.extract.of_user import as_first_person, may_mean_user, with_user
from vaultmem.extract.prepare import memory_line
from vaultmem.extract.shape import skip_fillers
from vaultmem.language import DateMention, canonical, find_dates, may_hold_date, parse_instant
from vaultmem.model import (
    CHANGES,
    LONGEST_STATEMENT,
    OTHERS,
    Draft,
    Extraction,
    Rejected,
    Source,
    Turn,
)

if TYPE_CHECKING:
    from vaultmem.judgement import Span

_HE = late(
    r"(?P<said>he|she|er|sie|il|elle|lui|lei|hij|zij|ze|ele|ela|él|ella)(?P<rest>(?:['’](?:s|d"
    r"|ll))?\s)",
    re.IGNORECASE,
)
_OWNER = (
    r"(?:(?i:my|our|mein|meine|unser|unsere|mon|ma|notre|mi|nuestr[oa]|mio|mia|mijn|onze|meu|minha"
    r"|o meu|a minha)|[A-ZÀ-Þ][\w-]+['’]s)"
)
_WHO = late(
    rf"\s*(?P<who>{_OWNER}\s(?:\w+\s){{0,2}}?[A-ZÀ-Þ][\w-]+|{_OWNER}\s[\w-]+"
    r"|(?P<name>[A-ZÀ-Þ][a-zà-ÿ-]+))(?=['’]s\s|,?\s+[a-zà-ÿ])"
)
# 'Can you write a poem for Ida, she's allergic to kiwi': began with 'Can's allergic to kiwi'.
_FOR_WHOM = late(
    r"\b(?:for|with|to|für|mit|an|pour|avec|à|para|con|per|com|voor|met|aan)\s"
    rf"(?P<who>{_OWNER}\s\w+|(?P<name>[A-ZÀ-Þ][a-zà-ÿ-]+))"
)
_SHES = frozenset(("she", "sie", "elle", "lei", "zij", "ze", "ela", "ella"))
_FEMALE = late(
    r"\b(?:mum|mom|mother|gran|nan|grandma|grandmother|sister|daughter|wife|aunt|auntie|niece"
    r"|girlfriend|granddaughter|mutter|mama|oma|schwester|tochter|frau|tante|nichte|enkelin"
    r"|mère|maman|mamie|sœur|fille|femme|nièce|madre|mamá|abuela|hermana|hija|mujer|tía|sobrina"
    r"|nonna|sorella|figlia|moglie|zia|moeder|zus|dochter|mãe|avó|irmã|filha)\b",
    re.IGNORECASE,
)
_MALE = late(
    r"\b(?:dad|father|grandad|grandpa|grandfather|brother|son|husband|uncle|nephew|boyfriend"
    r"|grandson|vater|papa|opa|bruder|sohn|mann|onkel|neffe|enkel|père|papi|frère|fils|mari|oncle"
    r"|neveu|padre|papá|abuelo|hermano|hijo|marido|tío|sobrino|nonno|fratello|figlio|marito|zio"
    r"|vader|broer|zoon|pai|avô|irmão|filho)\b",
    re.IGNORECASE,
)
_BEGIN = """
    the a this that these those it and but so yes no well then when if today yesterday der die
    das ein eine es und aber ja nein heute gestern el la los las un una hoy ayer y le les une
    c'est et oui non hier aujourd'hui il lo i we ich wir je nous yo nosotros io noi thanks ok
    okay hi hello danke gracias merci wenn wo was wer what who where how as in on at for
    my our mein meine unser unsere mon ma notre mi nuestro nuestra mio mia mijn onze meu minha
"""


def name_person(statement: str, before: str) -> str:
    """The statement with the person of the words before in place of a 'he' at its beginning.

    before  the person's own words just before; '' and whatever begins with nobody: unchanged
    """
    found = _HE.match(statement)
    sought = _FOR_WHOM.search if is_asking(before) else _WHO.match
    who = sought(before) if found is not None and before else None
    if found is None or who is None:
        return statement
    name = who["who"]
    if who["name"] and name.lower() in _BEGIN.split():
        return statement
    is_she = found["said"].lower() in _SHES
    if (_MALE if is_she else _FEMALE).search(name):
        return statement
    return f"{name}{found['rest']}{statement[found.end() :]}"


SHOWN = 200  # characters of a rejected sentence that are kept
MOST_READ = 6000
"""Sentences of one source that are read (a second of work): the rest is kept as text alone."""
RULES_OF_OTHERS = {"a quotation": "quoted", "code": "code", "a line of a chat": "reported"}
_SPARE = 2  # times `limit` statements are found before the rest is left: some are not kept
ANSWER = "answer"
"""The rule of what a person says to a question, and would say nothing without it."""
_ANSWER_WEIGHT, _GRAVE_WEIGHT = 4, 9
_BARE_WORDS = 3  # and marks, with which nobody tells more than what was asked
_SHORT_TEXT = 40  # characters, up to which a sentence may be a yes or a no alone
_TAKEN_BACK = ("scrap that", "never mind", "nevermind", "forget that", "forget it", "strike that")
_TASTES = words(
    "prefers likes loves enjoys dislikes hates wants avoids favorite favourite always never"
)
_TAKEN_BACK_KINDS = ("decision", "preference", "rule", "task")


class _Found:
    """What one source has given so far."""

    def __init__(self, limit: int) -> None:
        self.drafts: list[Draft] = []
        self.rejected: list[Rejected] = []
        self.perhaps: list[Draft] = []
        self._most = _SPARE * limit
        self._stated: set[str] = set()
        self._read = 0
        self._before = ""
        self._turn: list[str] = []
        self._is_own = True

    @property
    def is_full(self) -> bool:
        """Whether enough was read and found: what follows is not looked at."""
        return self._read >= MOST_READ or len(self._stated) > self._most

    def add(self, read: Draft | Rejected) -> None:
        """What one sentence gave."""
        self._read += 1
        if isinstance(read, Draft):
            self.drafts.append(read)
            self._stated.add(canonical(read.statement))
        else:
            self.rejected.append(read)

    def begin_turn(self, turn: Turn) -> None:
        """What the same person said last, in the turn before, is what the first words follow."""
        self._is_own = turn.role in ("user", "")
        if self._is_own:
            self._before, self._turn = (self._turn or [""])[-1], []

    def note_said(self, text: str) -> None:
        """One sentence of the turn was read; an assistant's words are none of the person's."""
        if self._is_own:
            self._turn.append(text)

    def said_before(self, text: str) -> str:
        """The person's words just before a sentence that does not stand alone; '' of others."""
        before = self._turn[-1] if self._turn else self._before
        return " ".join(before.split()) if before and needs_context(text) else ""

    def deny(self, text: str) -> bool:
        """'My brother says it is dry. It isn't.': what he says is not kept; whether it was so."""
        before = self._turn[-1] if self._turn else ""
        if not before or not judgement.is_claim(before) or not judgement.refutes(text, before):
            return False
        last = self.drafts[-1] if self.drafts else None
        if last and not last.critical and before.startswith(last.statement.rstrip(".!")):
            self.rejected.append(Rejected(text=self.drafts.pop().statement, rule="denied"))
        return True

    def take_back(self) -> None:
        """'Scrap that': the last thing that was decided or wanted is not kept."""
        if self.drafts and self.drafts[-1].kind in _TAKEN_BACK_KINDS:
            self.rejected.append(Rejected(text=self.drafts.pop().statement, rule="taken-back"))


class HeuristicExtractor:
    """The extractor that is always there (ports.Extractor). It keeps nothing between calls."""

    name = "heuristic"

    def __init__(
        self,
        *,
        zone: str = "UTC",
        owners: Collection[str] = (),
        categories: Sequence[str] = (),
        hard: bool = False,
        limit: int = 200,
    ) -> None:
        """Settings of one vault.

        owners      names under which the vault's person speaks in conversations
        categories  slugs of the vault, preferred to the general topics
        hard        'remember: never ...' becomes a hard exception
        limit       items of one source at most; what is beyond is listed as rejected ('limit')
        """
        self._zone = zone
        self._owners = tuple(owners)
        self._categories = tuple(categories)
        self._hard = hard
        self._limit = limit

    def extract(self, source: Source, *, now: int) -> Extraction:
        """Drafts in the order of the text, and every other sentence with the rule against it."""
        found = _Found(self._limit)
        around = situations(source, owners=self._owners, now=now, zone=self._zone)
        for number, (turn, situation) in enumerate(zip(source.turns, around, strict=True)):
            if situation is None:
                found.rejected.append(_rejection(turn.text, "role"))
            elif found.is_full:
                shown = "(withheld)" if is_secret(turn.text) else turn.text
                found.rejected.append(_rejection(shown, "limit"))
            else:
                has_speaker = situation.letter != DOCUMENT
                judged: Sequence[Span] = ()
                if situation.is_own and situation.letter != ASSISTANT:
                    judged = self._whose_spans(turn.text) if has_speaker or source.by_person else ()
                if situation.after_assistant and situation.letter == CHAT:
                    before = source.turns[number - 1]
                    is_asked = before.text.rstrip().endswith("?")
                    situation = situation._replace(is_asked=is_asked, asked=_asked_in(before))
                self._read_turn(turn, situation, found, number=number, judged=judged)
        grounded, ungrounded = keep_grounded(found.drafts, source.turns)
        kept, repeated = _once(grounded, source.turns)
        # The limit comes last: a draft that is ungrounded or a repetition must not take the place
        # of one that is kept.
        beyond = [Rejected(text=draft.statement, rule="limit") for draft in kept[self._limit :]]
        return Extraction(
            drafts=tuple(kept[: self._limit]),
            rejected=(*found.rejected, *ungrounded, *repeated, *beyond),
            perhaps=tuple(found.perhaps),
        )

    def _whose_spans(self, text: str) -> Sequence[Span]:
        """Whose words the parts of a person's text are; () where all are theirs."""
        if not judgement.may_hold_others(text):
            return ()

        return judgement.spans(text, self._owners)

    def _read_turn(
        self,
        turn: Turn,
        situation: Situation,
        found: _Found,
        *,
        number: int,
        judged: Sequence[Span],
    ) -> None:
        text = turn.text
        theirs: Sequence[tuple[str, str]] = ()
        if judged:  # what they pasted is not their statement
            text, theirs = judgement.without_others(text, judged), judgement.others_in(text, judged)
        blocks, dropped = paragraphs(text)
        found.rejected += dropped
        commanded = False  # 'Remember:' and then a list
        known = Antecedent()
        found.begin_turn(turn)
        withheld = is_secret(turn.text)  # once for the turn, then for each of its sentences
        found.rejected += [
            _unread(line, RULES_OF_OTHERS.get(why, OTHERS), withheld=withheld)
            for line, why in theirs
        ]
        for sentence in _told_clauses(_until_full(blocks, found, withheld=withheld), situation):
            if found.is_full or len(sentence.text) > LONGEST_STATEMENT:
                # 990 kB of one endless sentence were refused whole, because its quote went into the
                # front matter of the item.
                unread = "limit" if found.is_full else "endless"
                found.add(_unread(sentence.text, unread, withheld=withheld))
                continue
            commanded = commanded and sentence.is_bullet
            end = sentence.start + len(sentence.text)
            doubt = judgement.doubt_of(judged, sentence.start, end) if judged else ""
            if not doubt and any(phrase in sentence.masked.lower() for phrase in _TAKEN_BACK):
                found.take_back()
            is_denial = not doubt and situation.is_told and found.deny(sentence.text)
            known = known.before(sentence)
            if withheld and is_secret(sentence.text):
                found.add(Rejected(text="(withheld)", rule="secret"))
                continue
            read, known = self._read(sentence, situation, known, commanded=commanded)
            if is_denial and isinstance(read, Draft) and not judgement.is_first_person(read.quote):
                read = _rejection(sentence.text, "denied")  # 'Is it not.' says nothing else
            if situation.is_asked and not (isinstance(read, Rejected) and read.rule == "filler"):
                situation = situation._replace(
                    is_asked=False, asked=""
                )  # later words do not answer
            if isinstance(read, Draft):
                # What rules understood in full stands alone: the words before it would only be
                # found with it ('I have two kids. I work at Siemens.' for a question on children).
                stands_alone = all((read.subject, read.predicate, read.object))
                stands_alone = stands_alone and not begins_with_pointer(sentence.text)
                leaning_on = found.said_before(sentence.text)
                # A request gives a reason no sense: 'Can we have that? I'm coeliac.'
                is_request = is_asking(leaning_on)
                is_reason = is_request and _HE.match(sentence.text) is None
                is_leaning = situation.is_told and not (stands_alone or is_reason)
                # 'He's got Alzheimer's', said of a man in the turn before, named nobody.
                if (read.critical or is_request) and leaning_on and situation.is_told:
                    read = replace(read, statement=name_person(read.statement, leaning_on))
                read = replace(
                    read,
                    turn=number,
                    doubt=doubt,
                    hard=read.hard and not doubt,
                    critical="" if doubt else read.critical,
                    said_after=leaning_on if is_leaning else "",
                )
            else:
                commanded = commanded or read.rule == "explicit-list"
            if isinstance(read, Draft) and read.rule.startswith(CHANGES):
                found.perhaps += [read] if not doubt else []
                read = _rejection(sentence.text, "trifle")
            found.add(read)
            if not situation.is_long:  # the end of a pasted guide is not what they then speak of
                found.note_said(sentence.text)

    def _read(
        self,
        sentence: Sentence,
        situation: Situation,
        known: Antecedent,
        *,
        commanded: bool,
    ) -> tuple[Draft | Rejected, Antecedent]:
        """What one sentence gives, and whom 'she' in the next one means."""
        line = memory_line(sentence.lead + sentence.text) if sentence.lead else None
        # A line of a memory file names the day of which it tells: its 'yesterday' is the day before
        # that one, and not before the day of the import.
        if line is not None and line.date is not None:
            day = parse_instant(line.date, self._zone)
            situation = situation._replace(reference=day, said_at=day)
        whole = tokens_of(sentence.masked)
        tokens = whole.tail(skip_fillers(whole, names=situation.names))
        is_answer = situation.asked and _answers(sentence.text, situation.asked)
        # An answer of fillers alone ('Yes, sure') says what was asked: without them nothing is
        # left.
        if is_answer and not tokens.lower:
            tokens = whole
        if not tokens.lower:
            return _rejection(sentence.text, "filler"), known
        asked = self._asked_for(tokens, situation)
        if asked is not None:
            tokens = tokens.tail(asked)
            if not any(tokens.is_word(i) for i in range(tokens.size)):
                return _rejection(sentence.text, "explicit-list"), known
        explicit = commanded or asked is not None
        name = known.name_for(tokens.at(0)) if situation.letter == DOCUMENT else ""
        tokens = tokens.with_first_word(name) if name else tokens
        dates: tuple[DateMention, ...] = ()
        if may_hold_date(whole.lower):
            dates = find_dates(sentence.masked, situation.reference, self._zone)
        reading = Reading(
            sentence=sentence,
            tokens=tokens,
            situation=situation,
            dates=dates,
            lower=sentence.masked.lower(),
            antecedent=name,
        )
        reason, choice = "", None if explicit else by_correction(whole, situation)
        if choice is not None:
            reading = reading._replace(tokens=whole)
        else:
            reading, reason, choice = _read_as(reading, follows_user=known.is_user)
        judged = None
        if situation.is_told:  # imported here: 8 ms that a document saves
            judged = judgement.judge_sentence(sentence.text)
            is_bare = situation.is_asked and whole.size <= _BARE_WORDS  # 'Pasta.', to an offer
            if not (is_answer or explicit) and (is_bare or _says_nothing(sentence.text)):
                return _rejection(sentence.text, "filler"), known
            if not (explicit or judged.critical) and judgement.is_refuted_within(sentence.text):
                return _rejection(sentence.text, "denied"), known
        if choice is not None and situation.is_theirs and is_order(choice):
            reason, choice = "order", None
        if explicit:
            choice = choice or _choice_of_command(tokens)
        elif judged is not None:
            reason, choice = judged_choice(
                judged, reason, choice, reading, is_long=situation.is_long
            )
            choice = choice or if_it_changes(judged, reason, reading)
        if line is not None:
            choice = choice or _choice_of_memory_line(tokens)
        if is_answer and choice is None:
            choice = Choice(kind="fact", name=ANSWER, start=0, end=0)
        if choice is None:
            return _rejection(sentence.text, reason), known.after(None, tokens, name)
        draft = draft_of(
            reading,
            choice,
            is_explicit=explicit,
            is_hard=self._hard,
            categories=self._categories,
            judged=judged,
        )
        may_fall = not explicit and judged is not None and not situation.is_note
        may_fall = may_fall and not choice.name.startswith(CHANGES)
        if is_answer and draft is not None:
            draft = _as_answer(draft, sentence.text, situation.asked)
        elif draft is not None and may_fall and judged is not None and is_trifle(draft, judged):
            perhaps = if_it_changes(judged, "", reading)
            if perhaps is not None:
                return replace(draft, rule=perhaps.name), known.after(None, tokens, name)
            return _rejection(sentence.text, "trifle"), known.after(None, tokens, name)
        if draft is not None and line is not None and line.importance is not None:
            draft = replace(draft, importance=line.importance)
        following = known.after(choice.subject, tokens, name)
        if situation.is_note:
            following = following._replace(is_user=may_mean_user(tokens, before=known.is_user))
            if draft is not None and known.is_user:
                draft = replace(draft, statement=with_user(draft.statement))
        return draft or _rejection(sentence.text, "empty"), following

    def _asked_for(self, tokens: Tokens, situation: Situation) -> int | None:
        """The first word of what the person asked to be kept; None: no such command."""
        if situation.letter == ASSISTANT:
            return None
        hit = next(explicit_cues().find(tokens, where=situation.letter), None)
        if hit is None:
            return None
        # In 'remember my birthday is ...' the last word of the cue belongs to the statement.
        held = tokens.at(hit.end - 1) in ("my", "our", "i", "we", "always", "never")
        start = hit.end - 1 if held else hit.end
        while tokens.at(start) in (":", ",", "-", "–", "—"):
            start += 1
        return start


def _asked_in(turn: Turn) -> str:

    return judgement.question_in(turn.text)


def _answers(text: str, asked: str) -> bool:

    return judgement.is_answer(text, asked)


def _says_nothing(text: str) -> bool:

    is_short = len(text) <= _SHORT_TEXT
    return is_short and (judgement.says_nothing_alone(text) or judgement.is_waved_off(text))


def _as_answer(draft: Draft, text: str, asked: str) -> Draft:
    """A draft with the question that it answers, by which it is found, and how grave it is."""
    alone = "" if _says_nothing(text) else draft.critical
    critical = alone or judgement.is_grave_answer(text, asked)
    importance = max(draft.importance, _ANSWER_WEIGHT, _GRAVE_WEIGHT if critical else 0)
    return replace(draft, asked=asked, critical=critical, importance=importance)


def _read_as(reading: Reading, *, follows_user: bool) -> tuple[Reading, str, Choice | None]:
    """What a sentence is, and as what it was read: 'the user prefers' as 'I prefer'."""
    # Of an assistant's longer notes five of six sentences were lost when only those of one or two
    # sentences were judged.
    if reading.situation.is_note:
        own = as_first_person(reading.tokens, follows_user=follows_user)
        if own is not None:
            said = reading._replace(tokens=own)
            reason, choice = _choice(said)
            if choice is not None:
                return said, reason, choice
    return reading, *_choice(reading)


def _choice(reading: Reading) -> tuple[str, Choice | None]:
    """What a sentence is, or the reason why it is nothing."""
    sentence, tokens = reading.sentence, reading.tokens
    letter = reading.situation.letter
    if sentence.checkbox in ("x", "-"):
        return "done", None
    if sentence.checkbox in (" ", "/"):
        return "", Choice(kind="task", name="task:checkbox", start=0, end=0)
    found = by_procedure(reading)
    if found is not None:
        return "", found
    reason = not_a_statement(tokens)
    # What others think is no hearsay ('Dave reckons'): it is a belief of theirs.
    is_theirs = not reason or (reason == "reported" and reading.situation.is_told)
    found = by_opinion(sentence.masked) if is_theirs else None
    if found is not None:
        return "", found
    if reason:
        return reason, None
    if letter == DOCUMENT and sentence.is_bullet:
        found = by_heading(sentence.heading)
    found = found or by_cue(reading) or by_subject(reading)
    if found is not None:
        return "", with_subject(found, reading)
    if letter == ASSISTANT:
        return "assistant", None
    return not_for_memory(tokens, to_assistant=letter != PEOPLE), None


def _choice_of_command(tokens: Tokens) -> Choice:
    """What a sentence without a cue is, when the person asked for it to be kept."""
    first = tokens.at(0)
    kind = "rule" if first in ("always", "never") else "task" if first in PLAN_VERBS else "fact"
    return Choice(kind=kind, name="explicit:remember", start=0, end=0)


def _choice_of_memory_line(tokens: Tokens) -> Choice:
    """What the memory of another program is: 'user prefers dark mode', when no cue tells."""
    kind = "preference" if tokens.present & _TASTES else "fact"
    return Choice(kind=kind, name=f"{kind}:memory-line", start=0, end=0)


def _once(drafts: Sequence[Draft], turns: Sequence[Turn]) -> tuple[list[Draft], list[Rejected]]:
    """Each statement once, in the order of the first time, as it was said most strongly.

    What an assistant said first and the person then said as well is the person's.
    """
    kept: dict[str, Draft] = {}
    repeated = []
    for draft in drafts:
        # The same answer ('Yes.') to two questions states two things.
        key = canonical(draft.statement) + (f"\n{canonical(draft.asked)}" if draft.asked else "")
        first = kept.setdefault(key, draft)
        if first is not draft:
            repeated.append(Rejected(text=draft.statement, rule="duplicate"))
            own, first_own = (_is_persons(each, turns) for each in (draft, first))
            stronger = draft.rule.startswith("explicit") > first.rule.startswith("explicit")
            if own > first_own or (own == first_own and stronger):
                kept[key] = draft
    return list(kept.values()), repeated


def _is_persons(draft: Draft, turns: Sequence[Turn]) -> bool:
    """Whether no assistant said it, nor perhaps somebody else."""
    return not draft.doubt and (draft.turn is None or turns[draft.turn].role != "assistant")


def _until_full(
    blocks: Iterable[tuple[str, Iterable[Sentence]]], found: _Found, *, withheld: bool
) -> Iterator[Sentence]:
    """The sentences to read; a block that begins when enough was found is left as a whole."""
    for block, sentences in blocks:
        # Of a list of 26,757 bullets each was taken apart only to be listed as left out: 2.29 s of
        # processor, 1.62 so, and the same 200 items.
        if found.is_full:
            found.add(_unread(block, "limit", withheld=withheld))
        else:
            yield from sentences


def _told_clauses(sentences: Iterable[Sentence], situation: Situation) -> Iterable[Sentence]:
    """Sentences; what the person told in one long breath as its clauses."""
    if not situation.is_told:
        return sentences

    return (clause for sentence in sentences for clause in clauses(sentence))


def _unread(text: str, rule: str, *, withheld: bool) -> Rejected:
    shown = text[:LONGEST_STATEMENT]
    return _rejection("(withheld)" if withheld and is_secret(shown) else shown, rule)


def _rejection(text: str, rule: str) -> Rejected:
    # White space alone may fill a window of the text: a few of those hold what is shown.
    return Rejected(text=" ".join(text[: 16 * SHOWN].split())[:SHOWN], rule=rule)
