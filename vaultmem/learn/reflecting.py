"""Insights that a model draws from notes, and the guards on them (Park et al. 2023, 4.2).

They ask for focal questions first and let thoughts expire; here one question does both, and what
bears an insight out is kept with it. The guards are those of algorithms 5.13: at least two notes as
evidence, no more than half of the input insights themselves, and insights on insights on insights
are none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256

from vaultmem.base import dataclass
from vaultmem.extract import (
    LONGEST_STATEMENT,
    is_question,
    is_secret,
    is_supported,
    mask_inline,
    statement_in,
    tokens_of,
)
from vaultmem.language import Stems, content_words
from vaultmem.model import Message, Rejected, with_day

SHARE = 0.5  # of the input that insights may be, at most
GROUNDED = 0.3  # share of an insight's content words that its notes have: it sums up, in new words
ALIKE = 0.8  # of the content words of two insights, from which they are one
_SHOWN = 200

SCHEMA = {
    "type": "object",
    "properties": {
        "insights": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "statement": {"type": "string"},
                    "evidence": {"type": "array", "items": {"type": "integer"}},
                    "importance": {"type": "integer"},
                },
                "required": ["statement", "evidence", "importance"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["insights"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """A note as it goes into a reflection."""

    id: str
    statement: str
    depth: int = 0  # 0: no insight; 1: one drawn from notes; 2: also from insights
    day: str = ""  # YYYY-MM-DD, from which it holds; '': nobody knows


@dataclass(frozen=True, slots=True, kw_only=True)
class Insight:
    """An insight that passed the guards."""

    statement: str
    evidence: tuple[Noted, ...]
    importance: int  # 1..10

    @property
    def depth(self) -> int:
        """One more than the deepest of its evidence."""
        return 1 + max(each.depth for each in self.evidence)


def input_of(newest: Iterable[Noted], *, most: int, depth: int) -> tuple[Noted, ...]:
    """The notes to reflect on: newest first, at most `most`, insights no more than their share.

    depth  an insight may have, at most: those that have it already are no input
    """
    notes: list[Noted] = []
    insights: list[Noted] = []
    for each in newest:
        if each.depth == 0 and len(notes) < most:
            notes.append(each)
        elif 0 < each.depth < depth:
            insights.append(each)
    kept = insights[: min(len(notes), int(most * SHARE))]
    return (*notes[: most - len(kept)], *kept)


def question(
    notes: Sequence[Noted],
    instructions: str,
    *,
    insights: int,
    mask: Callable[[str], str],
    today: str = "",
) -> tuple[Message, Message]:
    """What the model is asked; `mask` takes out what nobody elsewhere may read.

    today  YYYY-MM-DD; '' where it does not matter
    """
    rows = [f"Today: {today}"] if today else []
    for number, note in enumerate(notes, start=1):
        mark = "(insight) " if note.depth else ""
        rows.append(f"[{number}] {mark}{with_day(note.statement, note.day)}")
    text = mask("\n".join(rows))
    mark = sha256(text.encode("utf-8", "replace")).hexdigest()[:12]
    asked = f"<<<NOTES {mark}\n{text}\nNOTES {mark}>>>\nWrite down the insights."
    system = instructions.replace("{{insights}}", str(insights))
    return Message(role="system", text=system), Message(role="user", text=asked)


def insights_in(
    value: object, notes: Sequence[Noted], stems: Stems, *, most: int, least_evidence: int
) -> tuple[tuple[Insight, ...], tuple[Rejected, ...]]:
    """The insights of a reply that fits SCHEMA, and those that a guard refuses, with its name."""
    rows = value.get("insights", ()) if isinstance(value, dict) else ()
    found: list[Insight] = []
    rejected = []
    for row in rows[: 4 * most]:
        statement = statement_in(row["statement"])
        numbers = [n for n in dict.fromkeys(row["evidence"]) if 1 <= n <= len(notes)]
        evidence = tuple(notes[number - 1] for number in numbers)
        rule = _refusal_reason(statement, evidence, stems, least_evidence)
        if not rule and len(found) >= most:
            rule = "limit"
        if rule:
            shown = "(withheld)" if rule == "secret" else statement
            rejected.append(Rejected(text=shown[:_SHOWN], rule=rule))
        else:
            importance = min(max(row["importance"], 1), 10)
            found.append(Insight(statement=statement, evidence=evidence, importance=importance))
    return tuple(found), tuple(rejected)


def is_alike(one: str, other: str, stems: Stems) -> bool:
    """Whether two insights say the same: by the share of content words that they have in common."""
    first, second = ({stems(word) for word in content_words(text)} for text in (one, other))
    together = first | second
    return bool(together) and len(first & second) >= ALIKE * len(together)


def _refusal_reason(statement: str, evidence: Sequence[Noted], stems: Stems, least: int) -> str:
    if not statement or len(content_words(statement)) < 2:
        return "too-short"
    if len(statement) > LONGEST_STATEMENT or "[[" in statement:
        return "too-long"
    if is_secret(statement):
        return "secret"
    if is_question(tokens_of(mask_inline(statement))):
        return "question"
    if len(evidence) < least or all(each.depth for each in evidence):
        return "no-evidence"
    said = "\n".join(each.statement for each in evidence)
    if any(is_alike(statement, each.statement, stems) for each in evidence):
        return "repeats-a-note"
    return "" if is_supported(statement, said, stems, least=GROUNDED) else "ungrounded"
