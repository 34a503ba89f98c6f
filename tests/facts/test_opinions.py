"""Facts between which no rule decides, and what a model may do about them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import FixedClock
from tests.extract.test_model_extraction import item, offers
from tests.models.scripted_server import (
    Asked,
    ScriptedServer,
    Step,
    refused,
    says,
    says_json,
    server,
)
from vaultmem.api.memory import Memory
from vaultmem.extract.prepare import Document
from vaultmem.model.answers import Filters
from vaultmem.model.reports import Remembered

__all__ = ["server"]

KNOWN = "The spare key hangs in the shed."
NEW = "The spare key hangs at my neighbour's."
DAY_MS = 86_400_000
Rule = Callable[[Asked], Step]


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: ScriptedServer) -> Path:
    file = tmp_path / "person.toml"
    monkeypatch.setenv("VAULTMEM_CONFIG", str(file))
    root = tmp_path / "notes"
    Memory.init(root, name="notes")
    with Memory(root, clock=FixedClock()) as memory:
        slot = ("spare key", "hangs_at", "shed")
        before = FixedClock().now() - 90 * DAY_MS
        memory.remember(KNOWN, fact=slot, date=before, valid_from=before)
    file.write_text(f'extractor = "llm"\n\n{server.settings()}', encoding="utf-8")
    return root


def answering(decide: Rule) -> Rule:
    """A model that extracts the new fact with its slot, and decides like this."""
    slot = {"subject": "spare key", "predicate": "hangs_at", "object": "my neighbour's"}

    def rule(asked: Asked) -> Step:
        if "PAIRS" in asked.user:
            return decide(asked)
        return offers(item(NEW.rstrip("."), NEW, **slot))

    return rule


def decides(*decisions: tuple[int, str]) -> Step:
    rows = [{"pair": pair, "decision": decision} for pair, decision in decisions]
    return says_json({"pairs": rows})


def remembered(vault: Path, server: ScriptedServer, decide: Rule, **more: Any) -> Remembered:
    server.rule = answering(decide)
    with Memory(vault, clock=FixedClock()) as memory:
        return memory.remember(NEW, **more)


def statuses(vault: Path) -> dict[str, str]:
    with Memory(vault, clock=FixedClock()) as memory:
        rows = memory.list(Filters(types=("item",)))
        return {row.statement: row.status for row in rows}


def open_pair(vault: Path) -> bool:
    """Whether rules alone leave this pair open: else these tests would be about nothing."""
    with Memory(vault, clock=FixedClock()) as memory:
        return any(each.code == "contradiction" for each in memory.check().problems)


def test_supersede_ends_the_known_one_where_the_new_one_begins(
    vault: Path, server: ScriptedServer
) -> None:
    done = remembered(vault, server, lambda _: decides((1, "supersede")))
    assert [each.decision for each in done.opinions] == ["supersede"]
    assert KNOWN in server.asked[1].user
    assert statuses(vault) == {KNOWN: "superseded", NEW: "active"}
    assert not open_pair(vault)


def test_coexist_keeps_both_without_a_flag(vault: Path, server: ScriptedServer) -> None:
    remembered(vault, server, lambda _: decides((1, "coexist")))
    assert statuses(vault) == {KNOWN: "active", NEW: "active"}
    assert not open_pair(vault)


@pytest.mark.parametrize(
    "decide",
    [
        lambda _: says("Hard to say."),
        lambda _: refused(401, "no"),
        lambda _: decides(),
        lambda _: decides((7, "supersede"), (-1, "supersede")),
        lambda _: decides((1, "supersede"), (1, "coexist")),
        lambda _: decides((1, "update")),  # the new words do not say what the known ones do
        lambda _: says_json({"pairs": [{"pair": 1, "decision": "delete"}]}),
    ],
)
def test_what_is_no_answer_keeps_both_and_flags_them(
    vault: Path, server: ScriptedServer, decide: Rule
) -> None:
    done = remembered(vault, server, decide)
    assert [(each.decision, bool(each.why)) for each in done.opinions] == [("undecided", True)]
    assert statuses(vault) == {KNOWN: "active", NEW: "active"}
    assert open_pair(vault)


def test_a_model_cannot_end_what_is_believed_more(vault: Path, server: ScriptedServer) -> None:
    done = remembered(vault, server, lambda _: decides((1, "supersede")), writer="web")
    assert statuses(vault)[KNOWN] == "active"
    assert done.items[0].review


def test_several_texts_are_decided_by_one_question(vault: Path, server: ScriptedServer) -> None:
    slot = {"subject": "spare key", "predicate": "hangs_at"}
    places = {"my neighbour's": NEW, "the cellar": "The spare key hangs in the cellar."}

    def rule(asked: Asked) -> Step:
        if "PAIRS" in asked.user:
            numbers = range(1, asked.user.count("] new: ") + 1)
            return decides(*((number, "supersede") for number in numbers))
        (place,) = [place for place, text in places.items() if text in asked.user]
        return offers(item(places[place].rstrip("."), places[place], **slot, object=place))

    server.rule = rule
    with Memory(vault, clock=FixedClock()) as memory:
        days = (DAY_MS * ago for ago in (20, 10))
        documents = [
            Document(text=text, date=FixedClock().now() - ago)
            for text, ago in zip(places.values(), days, strict=True)
        ]
        done = memory.remember_many(documents)
        assert [[each.decision for each in one.opinions] for one in done] == [
            ["supersede"],
            ["supersede", "supersede"],  # over the first of all, and over the text before it
        ]
    assert sum("PAIRS" in asked.user for asked in server.asked) == 1
    assert statuses(vault) == {
        KNOWN: "superseded",
        NEW: "superseded",
        places["the cellar"]: "active",
    }
    assert not open_pair(vault)


def test_a_failure_leaves_the_pairs_of_all_texts_open(vault: Path, server: ScriptedServer) -> None:
    server.rule = answering(lambda _: refused(401, "no"))
    with Memory(vault, clock=FixedClock()) as memory:
        documents = [Document(text=NEW), Document(text="We met at the lake.", extract=False)]
        first, second = memory.remember_many(documents)
        assert [each.decision for each in first.opinions] == ["undecided"]
        assert "401" in first.opinions[0].why
        assert second.opinions == ()
    assert statuses(vault) == {KNOWN: "active", NEW: "active"}
    assert open_pair(vault)


GYM, CHOIR = "I go to the gym at the harbour three times a week.", "My choir sings on Mondays."
LEFT = "I joined the rowing club, the gym is history."


def test_a_model_decides_about_what_is_on_the_topic_in_whatever_slot(
    vault: Path, server: ScriptedServer
) -> None:
    """Rules know no slot in common: the pair is nominated by its topic, and nothing else is."""
    slots = {
        GYM: {"subject": "user", "predicate": "goes_to_gym", "object": "the gym at the harbour"},
        LEFT: {"subject": "user", "predicate": "joined_club", "object": "the rowing club"},
    }

    def rule(asked: Asked) -> Step:
        if "PAIRS" in asked.user:
            return decides((1, "supersede"))
        (said,) = [each for each in (GYM, LEFT, CHOIR) if each in asked.user]
        return offers(item(said.rstrip("."), said, **slots.get(said, {})))

    server.rule = rule
    with Memory(vault, clock=FixedClock()) as memory:
        for days, said in ((30, CHOIR), (20, GYM)):
            memory.remember(said, date=FixedClock().now() - days * DAY_MS)
        done = memory.remember(LEFT)
    assert [(each.known, each.decision) for each in done.opinions] == [(GYM, "supersede")]
    (question,) = [each.user for each in server.asked if "PAIRS" in each.user and LEFT in each.user]
    assert CHOIR not in question
    assert KNOWN not in question
    assert statuses(vault)[GYM] == "superseded"
    assert statuses(vault)[CHOIR] == "active"


def test_the_days_of_both_stand_in_the_question(vault: Path, server: ScriptedServer) -> None:
    remembered(vault, server, lambda _: decides((1, "coexist")))
    (question,) = [each.user for each in server.asked if "PAIRS" in each.user]
    assert "[1] since: known 2025-12-11, new 2026-03-11" in question


def test_a_moved_appointment_ends_the_old_one_whichever_day_is_first(
    vault: Path, server: ScriptedServer
) -> None:
    old, new = "The dentist is booked for 24 April.", "My dentist appointment is now on 2 May."
    slot = {"kind": "event", "subject": "user", "predicate": "has_dentist_appointment"}

    def rule(asked: Asked) -> Step:
        if "PAIRS" in asked.user:
            numbers = range(1, asked.user.count("] new: ") + 1)
            found = [n for n in numbers if f"[{n}] known: {old}" in asked.user]
            return decides(*((number, "supersede") for number in found))
        said, value = (old, "24 April") if old in asked.user else (new, "2 May")
        return offers(item(said.rstrip("."), said, **slot, object=value))

    server.rule = rule
    with Memory(vault, clock=FixedClock()) as memory:
        memory.remember(old)
        memory.remember(new)
    assert statuses(vault)[new] == "active"
    assert statuses(vault)[old] == "superseded"


def test_what_a_model_keeps_meets_the_rest_of_the_same_text(
    vault: Path, server: ScriptedServer
) -> None:
    """By rules the first one ends the plan; where it does not, the other one is asked about."""
    old = "I'm going with lead acid batteries for the van."
    first, second = "I'm scrapping the battery plan for the van.", "The van gets lithium batteries."

    def rule(asked: Asked) -> Step:
        if "PAIRS" in asked.user:
            numbers = range(1, asked.user.count("] new: ") + 1)
            over = [n for n in numbers if f"[{n}] known: {old}\n[{n}] new: {second}" in asked.user]
            rest = [(n, "coexist") for n in numbers if n not in over]
            return decides(*((n, "supersede") for n in over), *rest)
        said = [each for each in (old, first, second) if each in asked.user]
        return offers(*(item(each.rstrip("."), each, kind="decision") for each in said))

    server.rule = rule
    with Memory(vault, clock=FixedClock()) as memory:
        memory.remember(old, date=FixedClock().now() - 20 * DAY_MS)
        memory.remember(f"{first} {second}")
    assert statuses(vault)[old] == "superseded"
