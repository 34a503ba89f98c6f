"""All detectors over conversations, and what they see gathered into patterns (algorithms 4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vaultmem.base.records import replace
from vaultmem.judgement.pairs.wished import is_of_a_thing_here, wish_in
from vaultmem.learn.detect.admission import clauses
from vaultmem.learn.detect.conventions import LEAST_SHARE, conventions
from vaultmem.learn.detect.corrections import corrections
from vaultmem.learn.detect.decisions import decisions, last_of_topic, takes_back, withdrawn
from vaultmem.learn.detect.languages import Language, spoken_in
from vaultmem.learn.detect.preferences import preferences
from vaultmem.learn.detect.statements import Statement, statements
from vaultmem.learn.sessions import Session, Sighting

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
            found += told or _wished(session, sentence, language)
        _decide(session, said, language, decided, gone)
    found += last_of_topic(decided, gone, language)
    found += conventions(session, naming_share=naming_share)
    return tuple(found)


def _wished(session: Session, said: Statement, language: Language) -> Iterator[Sighting]:
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
                statement=said.shown(said.text),
                value=said.shown(wish.value),
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
        yield from sightings(session, naming_share=naming_share)
