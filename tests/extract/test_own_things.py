"""Facts about the person's own things, and what is a secret all the same."""

from __future__ import annotations

import pytest

from tests.extract.reading import only, read_chat
from vaultmem.api.memory import Memory
from vaultmem.base.errors import SecretFoundError


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("My door code is 4711.", ("user", "door_code", "4711")),
        ("my gate code is B-12", ("user", "gate_code", "B-12")),
        ("My bike combination is 0420.", ("user", "bike_combination", "0420")),
        ("My locker number is 12.", ("user", "locker_number", "12")),
    ],
)
def test_a_code_of_mine_is_kept_with_its_slot(
    memory: Memory, text: str, slot: tuple[str, str, str]
) -> None:
    (item,) = memory.remember(text).items
    assert item.kind == "fact"
    row = next(row for row in memory.list() if row.id == item.id)
    assert (row.subject, row.predicate, row.object) == slot


@pytest.mark.parametrize("text", ["My code is broken.", "My pleasure.", "My day is good."])
def test_a_remark_that_begins_with_my_is_not(memory: Memory, text: str) -> None:
    assert memory.remember(text).items == ()


def test_a_password_is_stopped_as_before(memory: Memory) -> None:
    with pytest.raises(SecretFoundError):
        memory.remember("My door code is 4711. My wifi password is xK9#mQ2$vL7pRt.")


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("I quit Google and joined OpenAI.", ("user", "works_at", "OpenAI")),
        ("I left Google and now work at OpenAI.", ("user", "works_at", "OpenAI")),
        ("I switched jobs and work for OpenAI now.", ("user", "works_at", "OpenAI")),
        ("I joined Acme Corp as a plumber in May 2024.", ("user", "works_at", "Acme Corp")),
        ("My new employer is OpenAI.", ("user", "works_at", "OpenAI")),
        ("My new address is 12 Elm Street.", ("user", "address", "12 Elm Street")),
        ("My old address is 9 Oak Road.", ("user", "old_address", "9 Oak Road")),
        ("Let's use SQLite instead.", ("we", "uses_database", "SQLite")),
        ("We use SQLite instead of Postgres.", ("we", "uses_database", "SQLite")),
        ("We switched from Postgres to SQLite.", ("we", "uses_database", "SQLite")),
        ("I use Neovim again.", ("user", "uses_editor", "Neovim")),
        ("I prefer tabs instead of spaces.", ("user", "prefers", "tabs")),
    ],
)
def test_what_takes_the_place_of_something_has_its_slot(
    text: str, slot: tuple[str, str, str]
) -> None:
    draft = only(read_chat(("user", text)))
    assert (draft.subject, draft.predicate, draft.object) == slot


@pytest.mark.parametrize(
    "text",
    [
        "I left the party and joined Anna at the bar.",
        "I changed seats and joined Tom.",
        "I quit smoking and joined Weight Watchers.",
        "We switched from Jenkins to Actions.",
    ],
)
def test_what_is_no_employer_and_no_known_kind_of_thing_has_none(text: str) -> None:
    assert [draft.object for draft in read_chat(("user", text)).drafts if draft.object] == []


def test_a_new_employer_ends_the_one_before(memory: Memory) -> None:
    memory.remember("I work at Google as an engineer.", date="2026-03-01")
    memory.remember("I quit Google and joined OpenAI.", date="2026-03-08")
    rows = {row.object: row for row in memory.list() if row.predicate == "works_at"}
    assert (rows["Google"].status, rows["OpenAI"].status) == ("superseded", "active")
    assert rows["Google"].valid_until == rows["OpenAI"].valid_from
    assert "OpenAI" in [hit.note.object for hit in memory.recall("where do I work").hits]


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("My mother lives in Graz.", ("my mother", "lives_in", "Graz")),
        ("My sister Lena lives in Bergen.", ("my sister Lena", "lives_in", "Bergen")),
        ("My brother works at Ford.", ("my brother", "works_at", "Ford")),
        ("My daughter is allergic to nuts.", ("my daughter", "allergic_to", "nuts")),
        ("Our son moved to Paris.", ("our son", "lives_in", "Paris")),
        ("My sister's name is Ema.", ("user", "sister", "Ema")),
        ("My wife Anna is a doctor.", ("user", "wife", "Anna")),
        ("My sister and I live in Bonn.", ("user", "lives_in", "Bonn")),
        ("I am also severely allergic to nuts.", ("user", "allergic_to", "nuts")),
        ("The kids are allergic to nuts.", ("", "", "")),
        ("My sister Lena does not live in Bergen.", ("", "", "")),
        ("I want to work at Google.", ("", "", "")),
    ],
)
def test_the_home_of_somebody_of_mine_is_not_mine(text: str, slot: tuple[str, str, str]) -> None:
    draft = only(read_chat(("user", text)))
    assert (draft.subject, draft.predicate, draft.object) == slot


def test_what_is_said_of_my_family_ends_nothing_of_mine(memory: Memory) -> None:
    mine = ("I live in Lisbon.", "I work at Siemens.", "I love tea.")
    memory.remember(" ".join(mine))
    memory.remember("My mother lives in Graz. My brother works at Ford. I want to work at Google.")
    memory.remember("My brother no longer works at Siemens. My mother doesn't like tea any more.")
    memory.remember("My sister Lena lives in Bergen.")
    memory.remember("My sister Lena lives in Oslo now.")
    status = {row.statement: row.status for row in memory.list() if row.type == "item"}
    assert {status[text] for text in mine} == {"active"}
    assert status["My sister Lena lives in Bergen."] == "superseded"


@pytest.mark.parametrize(
    "text",
    [
        "My team lead no longer works at Siemens.",
        "My desk mate no longer works at Siemens.",
        "My dentist no longer lives in Lisbon.",
    ],
)
def test_what_is_over_for_people_around_me_is_not_over_for_me(memory: Memory, text: str) -> None:
    memory.remember("I live in Lisbon. I work at Siemens.")
    memory.remember(text)
    status = {row.statement: row.status for row in memory.list() if row.type == "item"}
    assert (status["I live in Lisbon."], status["I work at Siemens."]) == ("active", "active")


def test_a_deadline_that_was_missed_is_no_task() -> None:
    said = read_chat(("user", "On 3 March I missed the deadline for the report."))
    assert [draft.kind for draft in said.drafts if draft.kind == "task"] == []
    assert only(read_chat(("user", "The deadline for the report is 5 May."))).kind == "task"


@pytest.mark.parametrize(
    ("text", "kind", "stream"),
    [
        ("I have been vegan since 2019.", "fact", "identity"),
        ("I've been a nurse since May 2015.", "fact", "identity"),
        ("I've been sick since Monday.", "event", ""),
        ("I have been to Rome in May 2015.", "event", ""),
    ],
)
def test_what_is_so_since_then_is_no_event(text: str, kind: str, stream: str) -> None:
    draft = only(read_chat(("user", text)))
    assert (draft.kind, draft.stream or "") == (kind, stream)
