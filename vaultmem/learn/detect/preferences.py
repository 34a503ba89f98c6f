"""Detector of preferences: what a person wants in general, and what never (algorithms 4.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from vaultmem.base.records import dataclass
from vaultmem.learn.detect.admission import Clause, begins_clause, clauses, is_denied, scope_before
from vaultmem.learn.detect.languages import Cue, Language
from vaultmem.learn.detect.statements import Statement
from vaultmem.learn.detect.values import Value, read_value
from vaultmem.learn.sessions import Session, Sighting

_OTHER = {"prefer": "avoid", "avoid": "prefer"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A cue in a clause, with the words after it up to the next cue."""

    cue: Cue
    found: re.Match[str]
    after: str
    before: str  # from the beginning of the clause, or from the cue before
    scope: str = ""  # said before the cue; '' there is none
    place: int = 0  # in the statement, where its value is looked for


def preferences(session: Session, said: Statement, language: Language) -> Iterator[Sighting]:
    """The preferences that a sentence states, in its order."""
    if not language.preference.may_hold(said.text):
        return
    for clause in clauses(said, language):
        for hit in hits(clause, language.preference.cues, language):
            near = f"{hit.before.rsplit(',', 1)[-1]}{hit.found[0]}{hit.after}"
            if language.doubt.has("once", near):
                continue
            sighting = _read(session, said, hit, language)
            if sighting is not None:
                yield sighting


def hits(clause: Clause, cues: tuple[Cue, ...], language: Language) -> list[Hit]:
    """The cues of a clause that are the speaker's own and not denied, none inside another."""
    text = clause.text
    places = sorted(
        ((found, cue) for cue in cues for found in cue.pattern.finditer(text)),
        key=lambda pair: (pair[0].start(), -pair[0].end()),
    )
    chosen: list[Hit] = []
    end = 0
    kept = [pair for pair in places if _is_own(pair[0], pair[1], text, language)]
    for number, (found, cue) in enumerate(kept):
        if found.start() < end:
            continue
        following = [
            other.start() for other, _ in kept[number + 1 :] if other.start() >= found.end()
        ]
        stop = min(following, default=len(text))
        before = text[end : found.start()]
        chosen.append(
            Hit(
                cue=cue,
                found=found,
                after=text[found.end() : stop],
                before=before,
                scope=scope_before(before, language) or "",
                place=clause.start + _value_start(found),
            )
        )
        end = found.end()
    return chosen


def _value_start(found: re.Match[str]) -> int:
    has_value = "value" in found.re.groupindex and found["value"] is not None
    return found.start("value") if has_value else found.end()


def _is_own(found: re.Match[str], cue: Cue, text: str, language: Language) -> bool:
    before = text[: found.start()]
    if is_denied(before, language):
        return False
    said_by = found.groupdict().get("own")
    return cue.own or bool(said_by) or begins_clause(before, language)


def _read(session: Session, said: Statement, hit: Hit, language: Language) -> Sighting | None:
    groups = {name: text for name, text in hit.found.groupdict().items() if text}
    after = groups.get("value", hit.after)
    if language.preference.has("benign", after.strip(" ,:-")):
        return None
    value = read_value(after, language, cue=hit.found[0])
    if value is None:
        return None
    polarity = _polarity(hit.cue.polarity, value)
    rejects = groups.get("rejects") or groups.get("rejected") or value.rejects
    shown = said.shown(value.text, hit.place)
    if not shown:
        return None
    return Sighting(
        category="preference",
        session=session.id,
        at=session.at,
        quote=said.quote,
        statement=said.shown(spoken(hit, groups, value)),
        value=shown,
        polarity=polarity,
        rejects=said.shown(rejects.strip()) if rejects else "",
        scope=said.shown(_scope(hit.scope, value.scope)),
        purpose=said.shown(groups.get("purpose", "") or value.purpose),
        language=language.name,
    )


def spoken(hit: Hit, groups: Mapping[str, str], value: Value) -> str:
    """The words from where the cue's scope begins to where its value ends, in folded text."""
    text = hit.found.string
    start = hit.found.start() - (len(hit.before) - hit.before.rfind(hit.scope) if hit.scope else 0)
    first = hit.found.start("value") if groups.get("value") else hit.found.end()
    end = text.find(value.extent, first) + len(value.extent)
    return text[start : max(end, hit.found.end())].strip(" ,:-")


def _polarity(polarity: str, value: Value) -> str:
    """'never use anything but X' prefers X, 'I prefer no X' avoids it."""
    if value.polarity == "reverse":
        return _OTHER[polarity]
    if value.polarity == "avoid":
        return "avoid" if polarity == "prefer" else "prefer"
    return polarity


def _scope(before: str, after: str) -> str:
    return " ".join(part for part in (before, after) if part)
