"""Drafts from the vault's extractor, for texts and for single statements that a person made."""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem import judgement, language
from vaultmem.base import TYPE_CHECKING, replace
from vaultmem.language import DAY_MS, MINUTE_MS
from vaultmem.model import (
    BY_MODEL,
    LONGEST_STATEMENT,
    Draft,
    Extraction,
    Rejected,
    Source,
    Turn,
    part_key,
    plain_extractor,
)

if TYPE_CHECKING:
    from vaultmem.model import Document, Extractor, Prepared
    from vaultmem.vault import Vault

_CONFIDENCE = 0.9  # of a fact that is stated as one, as of what somebody asks to remember
_SELVES = ("user", "me", "i", "we")  # subjects that mean the person
# A command that every extractor knows; it marks the words after it as meant to be kept.
_COMMAND = "Remember: "
# A person who asks to remember a sentence or two means them, cue or not...
EXPLICIT_SENTENCES = 2
# ...unless they state nothing.
STATES_NOTHING = frozenset(
    (
        "question",
        "filler",
        "hypothetical",
        "quoted",
        "code",
        "empty",
        "secret",
        "table",
        "endless",
    )
)

# What is no memory either where an assistant chose it as one.
NO_MEMORY = frozenset(("secret", "empty", "endless"))

_LEAST_OF_A_DAY = 0.1  # chance of being worth keeping, below which a named day says nothing either
_PASTED = frozenset(("quoted", "code"))  # which says nothing of the words beside it


class Drafting:
    """The extractor that the settings name, told about this vault."""

    def __init__(self, vault: Vault, *, categories: Sequence[str]) -> None:
        self._vault = vault
        self._by_model = vault.settings.extractor == BY_MODEL
        self._extractor = plain_extractor(
            vault.settings.extractor, zone=vault.settings.timezone, categories=categories
        )
        self._reader: Extractor | None = None  # made for the first text that a model is to read

    def read(self, prepared: Prepared, *, now: int) -> Extraction:
        """Drafts with the caller's wishes applied; a plain order to remember is one itself."""
        if prepared.document.fact is not None:
            return Extraction(drafts=(self._fact(prepared, now=now),), rejected=())
        if not prepared.document.extract:
            return Extraction(drafts=(), rejected=())
        is_word_of_mouth = prepared.is_conversation or is_told(prepared)
        is_note = is_noted(prepared)
        source = Source(
            id=prepared.id,
            turns=prepared.turns,
            date=prepared.date,
            title=prepared.title,
            by_person=prepared.writer == "person",
            is_spoken=is_word_of_mouth,
            is_told=is_word_of_mouth or is_note,
            is_note=is_note,
        )
        found = self._extract(source, prepared, now=now)
        if is_word_of_mouth and not found.drafts and _is_wished(prepared.document):
            found = self._by_rules(source, now=now) or found
        drafts = found.drafts
        # A model that read a text and found nothing in it has judged it: what it leaves out is kept
        # only where the caller says what it is to be.
        is_left_out = bool(found.read_by) and not _is_wished(prepared.document)
        if not drafts and not (is_left_out and source.is_told):
            is_meant = _is_meant(prepared, source)
            drafts = tuple(
                draft
                for draft in self._explicit(prepared, found.rejected, now)
                # 'El lunes pasado compré una bicicleta.' kept no item: told of a day it looks like
                # small talk (.24), and told by itself it is meant.
                if is_meant or _names_another_day(draft)
            )
        # What an assistant chose as one memory is an item, though rules find nothing lasting in 'If
        # it rains ...'.
        if not drafts and prepared.document.is_memory:
            drafts = self._memory(prepared, found.rejected, now)
        quoted = () if found.drafts else [draft.quote for draft in drafts]
        return replace(
            found,
            drafts=tuple(_as_wished(draft, prepared.document) for draft in drafts),
            rejected=tuple(each for each in found.rejected if each.text not in quoted),
        )

    def _extract(self, source: Source, prepared: Prepared, *, now: int) -> Extraction:
        """What is found in a text: by the model where one is to, else by rules alone.

        Only here is a model asked, before any lock is taken; and never about a text that is known,
        which changes nothing.
        """
        if not self._by_model or self._vault.index.notes_with_id(prepared.id):
            return self._extractor.extract(source, now=now)
        if self._reader is None:
            from vaultmem.extract.model.model_extractor import Reader  # saves 9 modules

            self._reader = Reader(self._vault, self._extractor)
        return self._reader.extract(source, now=now)

    def _by_rules(self, source: Source, *, now: int) -> Extraction | None:
        """What rules find where judgement saw a trifle: who says what it is to be, means it.

        A command to keep it says less: whose it is, and in which stream it belongs.
        """
        found = self._extractor.extract(replace(source, is_told=False), now=now)
        if not found.drafts:
            return None
        return replace(found, drafts=tuple(_apply_judgement(draft) for draft in found.drafts))

    def _explicit(
        self, prepared: Prepared, rejected: Sequence[Rejected], now: int
    ) -> tuple[Draft, ...]:

        judged = judgement.spans(prepared.body) if prepared.writer == "person" else ()
        nothing = STATES_NOTHING - _PASTED if judged else STATES_NOTHING
        if prepared.is_conversation or any(each.rule in nothing for each in rejected):
            return ()
        body = judgement.without_others(prepared.body, judged)
        said = [
            (start, end) for start, end in language.sentence_spans(body) if body[start:end].strip()
        ]
        if not 1 <= len(said) <= EXPLICIT_SENTENCES:
            return ()
        if max(end - start for start, end in said) > LONGEST_STATEMENT:
            return ()
        at = prepared.date if prepared.date is not None else now
        drafts = []
        for start, end in said:
            sentence = body[start:end]
            if judged and not judgement.is_first_person(sentence):
                continue  # beside a pasted text, words without an 'I' ask something about it
            draft = self.statement(sentence, source=prepared.id, at=at)
            drafts.append(replace(draft, doubt=judgement.doubt_of(judged, start, end)))
        return tuple(drafts)

    def _memory(
        self, prepared: Prepared, rejected: Sequence[Rejected], now: int
    ) -> tuple[Draft, ...]:
        """The text as one statement, though rules find none in it; () for what nothing states."""
        line = " ".join(prepared.body.split())
        is_refused = any(each.rule in NO_MEMORY for each in rejected)
        if is_refused or not 0 < len(line) <= LONGEST_STATEMENT:
            return ()
        at = prepared.date if prepared.date is not None else now
        draft = self.statement(line, source=prepared.id, at=at)
        return (replace(draft, quote=prepared.body.strip()),)

    def _fact(self, prepared: Prepared, *, now: int) -> Draft:
        """The one fact that the text states: its whole text, its slot, from now on unless said."""
        document = prepared.document
        assert document.fact is not None
        subject, predicate, value = document.fact
        draft = self.statement(prepared.body, source=prepared.id, at=now)
        if draft.valid_from in (None, now // MINUTE_MS * MINUTE_MS):  # no date in its words
            draft = replace(draft, valid_from=now)
        if part_key(subject) not in _SELVES and draft.stream == "identity":
            draft = replace(draft, stream=None)  # who somebody else is
        subject_is_named = part_key(subject) in map(part_key, draft.entities)
        return replace(
            _as_wished(draft, document),
            rule="explicit:fact",
            subject=subject,
            predicate=predicate,
            object=value,
            entities=(*draft.entities, *(() if subject_is_named else (subject,))),
            confidence=_CONFIDENCE if document.confidence is None else document.confidence,
        )

    def statement(self, text: str, *, source: str, at: int) -> Draft:
        """The draft of a statement that a person asked to keep, word for word.

        The extractor only classifies it: what it does not understand is a fact all the same.
        """
        line = " ".join(text.split())
        turn = Turn(text=_COMMAND + line)
        read = self._extractor.extract(
            Source(id=source, turns=(turn,), date=at, is_spoken=True), now=at
        )
        found = read.drafts[0] if len(read.drafts) == 1 else None
        if found is None:
            found = Draft(statement=line, quote=line, rule="explicit", kind="fact")
        found = replace(found, statement=line, quote=line, rule="explicit", said_at=at)
        return _apply_judgement(found)


def _apply_judgement(draft: Draft) -> Draft:
    """The draft as judgement weighs it; of what kind it is, only where no rule knew it."""
    judged = judgement.judge_sentence(draft.statement)
    return replace(
        draft,
        kind=judged.kind if draft.importance == 1 and draft.kind == "fact" else draft.kind,
        importance=max(draft.importance, judged.importance),
        critical=judged.critical,
    )


def is_told(prepared: Prepared) -> bool:
    """Whether a text is the person's word of mouth: no file, page or list from elsewhere."""
    document = prepared.document
    return prepared.writer == "person" and not (document.imported or document.origin)


def is_noted(prepared: Prepared) -> bool:
    """Whether an assistant wrote the text as what it wants to remember of the person."""
    document = prepared.document
    is_own = not (prepared.is_conversation or document.imported or document.origin)
    return prepared.writer == "agent" and is_own


def _is_meant(prepared: Prepared, source: Source) -> bool:
    """Whether a text in which nothing was found is to be kept as it is."""
    if not source.is_told or source.is_note or _is_wished(prepared.document):
        return True
    from vaultmem.extract.no_evidence import is_plain  # saves 38 modules

    return is_plain(prepared.body)


def _names_another_day(draft: Draft) -> bool:
    """Whether a sentence says what was or will be on a day that it names.

    'El lunes pasado compré una bicicleta.' looks like small talk (0.24), as much of what is told
    of a day does; who has it remembered by itself, with its day, means it.
    """
    from vaultmem.extract.no_evidence import is_of_today  # saves 38 modules

    if draft.said_at is None or is_of_today(draft.statement) or draft.statement.endswith("!"):
        return False  # 'What a night last Friday!'

    if judgement.judge_sentence(draft.statement).keep < _LEAST_OF_A_DAY:
        return False  # 'Villa were dire last night.'
    days = (draft.valid_from, draft.due)
    return any(day is not None and abs(day - draft.said_at) > DAY_MS for day in days)


def _is_wished(document: Document) -> bool:
    """Whether the caller says what the text is to be: then it is to be kept."""
    return bool(
        document.kind or document.stream or document.category or document.pinned or document.hard
    )


def _as_wished(draft: Draft, document: Document) -> Draft:

    return replace(
        draft,
        kind=document.kind or draft.kind,
        stream=document.stream or draft.stream,
        categories=(language.slugify(document.category),)
        if document.category
        else draft.categories,
        valid_from=draft.valid_from if document.valid_from is None else document.valid_from,
        valid_until=draft.valid_until if document.valid_until is None else document.valid_until,
        confidence=draft.confidence if document.confidence is None else document.confidence,
        pinned=document.pinned or draft.pinned,
        hard=document.hard or draft.hard,
    )
