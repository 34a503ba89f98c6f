"""Detector of decisions: what was chosen, and what it takes the place of (algorithms 4.3)."""

from __future__ import annotations

from collections.abc import Iterator

from vaultmem.base import replace
from vaultmem.learn.conversations import Session, Sighting
from vaultmem.learn.detect.cue_lists import Language
from vaultmem.learn.detect.own_statements import Statement, clauses
from vaultmem.learn.detect.preferences import Hit, Value, hits, read_value, spoken_words, tokens


def decisions(session: Session, said: Statement, language: Language) -> Iterator[Sighting]:
    """The decisions that a sentence states, in its order."""
    if not language.decision.may_hold(said.text):
        return
    for clause in clauses(said, language):
        if language.doubt.has("unsettled", clause.text):
            continue
        for hit in hits(clause, language.decision.cues, language):
            sighting = _read(session, said, hit, language)
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


def _read(session: Session, said: Statement, hit: Hit, language: Language) -> Sighting | None:
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
        polarity=_polarity(hit, value),
        rejects=said.as_written(replaces.strip()) if replaces else "",
        scope=said.as_written(" ".join(part for part in (hit.scope, value.scope) if part)),
        purpose=said.as_written(value.purpose),
        language=language.name,
    )


def _polarity(hit: Hit, value: Value) -> str:
    return "avoid" if hit.cue.negated or value.polarity == "avoid" else "prefer"
