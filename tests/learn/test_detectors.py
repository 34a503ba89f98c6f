"""Detector cases: every expected item with its sessions, nothing that is forbidden.

The file: VAULTMEM_DETECTOR_CASES, else the shared one beside the checkout, else the copy in
tests/data. Cases that are `soft` are reported only. tests/data/own_cases.jsonl holds cases of
this project, in the same format.
"""

from __future__ import annotations

import json
import os
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from vaultmem.language.time import DAY_MS, read_instant
from vaultmem.learn.conversations import Call, Pattern, Session, Utterance
from vaultmem.learn.own_statements import DEFAULT, load
from vaultmem.learn.patterns import all_sightings, polarity_of
from vaultmem.learn.rules import Learned, Rule, learn, worth

Case = Mapping[str, Any]
_HERE = Path(__file__).parents[1]
_SHARED = _HERE.parents[1] / "shared" / "data" / "consolidation_cases.jsonl"
_OWN = _HERE / "data" / "own_cases.jsonl"
_TYPES = {"preference": "preference", "decision": "decision", "correction": "correction"}
_TYPES |= {"convention": "convention", "tool": "workflow", "tool-sequence": "workflow"}
_TYPES |= {"workflow": "workflow", "preferences": "preference", "decisions": "decision"}
_TYPES |= {"corrections": "correction", "conventions": "convention", "tools": "workflow"}


def cases_file() -> Path:
    """The file that is run beside the project's own."""
    named = os.environ.get("VAULTMEM_DETECTOR_CASES")
    if named:
        return Path(named)
    return _SHARED if _SHARED.exists() else _HERE / "data" / "consolidation_cases.jsonl"


def load_cases(*files: Path) -> Iterator[Case]:
    """The cases of the files that are there."""
    for file in files:
        if file.exists():
            for line in file.read_text(encoding="utf-8").splitlines():
                if line.strip():
                    yield json.loads(line)


class Run(NamedTuple):
    """A case after one run of the engine."""

    case: Case
    before: tuple[Rule, ...]
    sessions: tuple[Session, ...]
    learned: Learned
    now: int


def run(case: Case) -> Run:
    """One run over the case's conversations."""
    sessions = tuple(_session(given) for given in case["sessions"])
    now = max((s.at for s in sessions if s.at is not None), default=0)
    rules = tuple(_rule(given, now) for given in case.get("existing_rules", ()))
    learned = learn(
        rules,
        sessions,
        all_sightings(sessions),
        now=now,
        analysed=case["params"]["total_sessions"],
    )
    return Run(case=case, before=rules, sessions=sessions, learned=learned, now=now)


def _session(given: Case) -> Session:
    said = read_instant(given["date"])
    turns = tuple(
        Utterance(
            role=turn["role"],
            text=turn["content"],
            calls=tuple(
                Call(name=call["name"], input=call["input"])
                for call in turn.get("tool_calls") or ()
            ),
        )
        for turn in given["turns"]
    )
    return Session(id=given["id"], turns=turns, at=said.ms if said else None)


def _rule(given: Case, now: int) -> Rule:
    since = now - round(given.get("days_since_reinforced", 0) * DAY_MS)
    return Rule(
        id=given["id"],
        category=given["category"],
        statement=given["rule"],
        polarity=polarity_of(given["rule"], load(DEFAULT)),
        confidence=given["confidence"],
        confidence_at=since,
        last_reinforced=since,
    )


def faults(ran: Run) -> list[str]:
    """What differs from the case's expectation, as sentences."""
    expected, learned = ran.case["expected"], ran.learned
    return [
        *_missing_ngrams(expected.get("tool_ngrams") or (), learned),
        *_missing(expected.get("preferences") or (), learned, "preference"),
        *_missing(expected.get("decisions") or (), learned, "decision"),
        *_missing(expected.get("corrections") or (), learned, "correction"),
        *_missing(expected.get("conventions") or (), learned, "convention"),
        *_wrong_rules(expected.get("rules") or (), ran),
        *_wrong_weakened(expected.get("weakened") or (), ran),
        *_forbidden(expected.get("forbidden") or (), ran),
        *_too_many(expected.get("max") or {}, learned),
        *_changed_by_a_second_run(ran),
    ]


def _missing(expected: Iterable[Case], learned: Learned, category: str) -> Iterator[str]:
    for wanted in expected:
        found = [p for p in learned.patterns if p.category == category and _meets(p, wanted)]
        if not found:
            yield f"no {category} {_brief(wanted)}"


def _meets(pattern: Pattern, wanted: Case) -> bool:
    texts = {
        "all": (pattern.statement, pattern.value, pattern.scope, _purposes(pattern)),
        "right": (pattern.value, pattern.statement),
        "wrong": (pattern.rejects,),
        "rejects": (pattern.rejects,),
        "replaces": (pattern.rejects,),
        "scope": (pattern.scope, _purposes(pattern)),
        "about": (pattern.statement, *(s.quote for s in pattern.sightings)),
    }
    for key, held in texts.items():
        listed = wanted.get(key) or ()
        if not _has_all(held, [listed] if isinstance(listed, str) else listed):
            return False
    if "polarity" in wanted and pattern.polarity != wanted["polarity"]:
        return False
    kind = (wanted.get("kind"), wanted.get("value"))
    if pattern.category == "convention" and (pattern.kind, pattern.value) != kind:
        return False
    return set(pattern.sessions) == set(wanted["sessions"])


def _purposes(pattern: Pattern) -> str:
    return " ".join(s.purpose for s in pattern.sightings)


def _missing_ngrams(expected: Sequence[Case], learned: Learned) -> Iterator[str]:
    """Only the closed ones have a pattern; tests/vectors compares the complete lists."""
    found = {p.ngram: p for p in learned.patterns if p.category == "workflow"}
    for wanted in expected:
        pattern = found.get(tuple(wanted["ngram"]))
        if wanted["closed"] and (
            pattern is None or set(pattern.sessions) != set(wanted["sessions"])
        ):
            yield f"no sequence {wanted['ngram']} of {wanted['sessions']}"


def _wrong_rules(expected: Iterable[Case], ran: Run) -> Iterator[str]:
    for wanted in expected:
        found = [
            rule
            for rule in ran.learned.rules
            if rule.category == _TYPES.get(wanted["category"], wanted["category"])
            and _has_all((rule.statement, rule.value, rule.scope), wanted["all"])
            and rule.polarity == wanted.get("polarity", rule.polarity)
            and len(rule.sessions) == wanted["sessions"]
            and abs(worth(rule, ran.now) - wanted["confidence"]) <= wanted.get("tol", 1e-6)
        ]
        if not found:
            yield f"no rule {_brief(wanted)}"


def _wrong_weakened(expected: Iterable[Case], ran: Run) -> Iterator[str]:
    rules = {change.rule.id: change.rule for change in ran.learned.changes}
    rules |= {rule.id: rule for rule in ran.learned.rules}
    for wanted in expected:
        rule = rules.get(wanted["id"])
        held = worth(rule, ran.now) if rule else None
        if held is None or abs(held - wanted["confidence"]) > wanted.get("tol", 1e-6):
            yield f"rule {wanted['id']} has {held}, not {wanted['confidence']}"


def _forbidden(expected: Iterable[Case], ran: Run) -> Iterator[str]:
    for unwanted in expected:
        if unwanted["type"] == "weakened":
            if any(c.rule.id == unwanted["id"] for c in ran.learned.of("weakened")):
                yield f"rule {unwanted['id']} was weakened"
            continue
        category = _TYPES[unwanted["type"]]
        for pattern in ran.learned.patterns:
            if pattern.category == category and _is_forbidden(pattern, unwanted):
                yield f"{category} {pattern.statement!r} is forbidden by {_brief(unwanted)}"


def _is_forbidden(pattern: Pattern, unwanted: Case) -> bool:
    if pattern.category == "workflow" and len(pattern.sessions) < 2:
        return False
    texts: tuple[str, ...] = (pattern.statement, pattern.value, pattern.scope)
    if pattern.category == "correction" or "chosen" in unwanted:
        texts = (pattern.value,) if "chosen" in unwanted else (pattern.statement, pattern.value)
    if not _has_all(texts, unwanted.get("all") or ()):
        return False
    if any(_has_all(texts, [word]) for word in unwanted.get("lacks") or ()):
        return False
    chosen = unwanted.get("chosen") or ()
    if not _has_all((pattern.value,), [chosen] if isinstance(chosen, str) else chosen):
        return False
    if "polarity" in unwanted and pattern.polarity != unwanted["polarity"]:
        return False
    if unwanted.get("status") == "active" and pattern.superseded:
        return False
    return len(pattern.sessions) >= int(unwanted.get("sessions_min", 1))


def _too_many(expected: Mapping[str, int], learned: Learned) -> Iterator[str]:
    for name, most in expected.items():
        category = _TYPES[name]
        found = [p for p in learned.patterns if p.category == category]
        if category == "workflow":
            found = [p for p in found if len(p.sessions) > 1]
        if len(found) > most:
            yield f"{len(found)} of {name}: {[p.statement for p in found]}"


def _changed_by_a_second_run(ran: Run) -> Iterator[str]:
    """The same conversations again change nothing."""
    after = {rule.id: rule for rule in ran.before}
    after |= {change.rule.id: change.rule for change in ran.learned.changes}
    again = learn(
        tuple(after.values()),
        ran.sessions,
        all_sightings(ran.sessions),
        now=ran.now,
        analysed=ran.case["params"]["total_sessions"],
    )
    for change in again.changes:
        yield f"a second run {change.what} {change.rule.statement!r}"


def _has_all(texts: Iterable[str], wanted: Iterable[str]) -> bool:
    held = " \n ".join(_plain(text) for text in texts)
    return all(_plain(word) in held for word in wanted)


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return folded.translate(str.maketrans("’‘“”", "''\"\""))


def _brief(wanted: Case) -> str:
    return json.dumps(wanted, ensure_ascii=False)


GIVEN = list(load_cases(cases_file()))
OWN = list(load_cases(_OWN))


@pytest.mark.parametrize("case", [pytest.param(c, id=c["id"]) for c in [*GIVEN, *OWN]])
def test_case(case: Case) -> None:
    found = faults(run(case))
    if case.get("soft") and found:
        pytest.skip(f"soft: {'; '.join(found)}")
    assert not found, f"{case['title']}: {'; '.join(found)}"


def test_soft_cases_are_counted(tally: Callable[..., None]) -> None:
    soft = [case for case in [*GIVEN, *OWN] if case.get("soft")]
    missed = [case["id"] for case in soft if faults(run(case))]
    tally("detectors", cases=len(GIVEN), own=len(OWN), soft=len(soft), soft_missed=len(missed))
