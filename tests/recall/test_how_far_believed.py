"""Whose words a memory is, and what it is about, decide how far it is believed and given."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from vaultmem.api.memory import Memory
from vaultmem.language.time import DAY_MS
from vaultmem.model.answers import Hit, NoteRow
from vaultmem.recall.belief.believed import cap_untrusted
from vaultmem.recall.belief.rivals import Twins
from vaultmem.recall.belief.sureness import Sureness
from vaultmem.recall.freshness import Ages

NOW = 1_773_230_400_000  # 2026-03-11
OLD, NEW, NEWER = "i-aaaaaaaaaa", "i-bbbbbbbbbb", "i-cccccccccc"
OUTSIDE = ("trust: untrusted", "writer: web")


def row(**keys: object) -> NoteRow:
    values: dict[str, object] = {
        "path": PurePosixPath("items/x.md"),
        "oid": "",
        "id": "i-0000000001",
        "type": "item",
        "title": "",
        "kind": "fact",
        **keys,
    }
    return NoteRow(**values)  # type: ignore[arg-type]  # keys of NoteRow, chosen by the test


def write(root: Path, id_: str, statement: str, *keys: str) -> None:
    file = root / "items" / f"{id_}.md"
    file.parent.mkdir(exist_ok=True)
    front = "\n".join(("---", f"id: {id_}", "kind: fact", *keys, "---"))
    file.write_text(f"{front}\n\n{statement}\n", "utf-8")


def test_what_an_assistant_says_starts_with_less_and_has_to_keep_less(memory: Memory) -> None:
    sure = Sureness(memory.opened.settings, NOW)
    least = memory.opened.settings.facts_usable_from
    for share, is_enough in ((0.95, True), (0.8, False)):
        keys = {"confidence": least * share, "confidence_at": NOW}
        assert not sure.is_enough(row(**keys, trust="user"))
        assert sure.is_enough(row(**keys, trust="limited")) is is_enough


def test_an_allergy_is_not_outgrown_unsaid(memory: Memory) -> None:
    sure = Sureness(memory.opened.settings, NOW)
    keys = {"confidence": 0.7, "confidence_at": NOW - 2000 * DAY_MS}
    assert sure.worth(row(**keys, critical="health")) == 0.7
    assert sure.worth(row(**keys)) < 0.1


def test_what_happened_is_as_old_as_the_event_however_often_it_is_confirmed(
    memory: Memory,
) -> None:
    ages = Ages(memory.opened, now=NOW)
    keys = {"valid_from": NOW - 100 * DAY_MS, "confidence_at": NOW}
    assert ages.hours(row(**keys, kind="event"), by_access=False) == 2400
    assert ages.hours(row(**keys, kind="fact"), by_access=False) == 0


def test_of_a_small_share_one_text_from_outside_still_answers() -> None:
    hits = [
        Hit(note=row(trust=trust, id=f"i-{n:010}"), score=1.0, passages=())
        for n, trust in enumerate(("untrusted", "user", "untrusted", "user"))
    ]
    assert cap_untrusted(hits, limit=4, share=0.1) == (hits[0], hits[1], hits[3])


def test_a_rule_and_an_item_of_less_trust_are_no_twins() -> None:
    words = "I prefer metric units."
    rule = row(kind="rule", statement=words, trust="user")
    assert Twins([rule]).has(row(statement=words, trust="user"))
    assert not Twins([rule]).has(row(statement=words, trust="limited"))


@pytest.mark.parametrize("keys", [(), OUTSIDE])
def test_what_is_over_leads_to_what_took_its_place_if_that_is_mine(
    memory: Memory, root: Path, keys: tuple[str, ...]
) -> None:
    over = ("status: superseded", "valid_from: 2026-01-05", "valid_until: 2026-02-05")
    write(root, OLD, "I drive for Caprock.", *over, f'superseded_by: "[[{NEW}]]"')
    first_week = "First week with Llano Freight is in the books."
    write(root, NEW, first_week, "status: active", "valid_from: 2026-02-05", *keys)
    memory.sync()
    found = [hit.note.id for hit in memory.recall("who do I drive for at Caprock").hits]
    assert (NEW in found) is not bool(keys)


@pytest.mark.parametrize("keys", [(), OUTSIDE])
def test_what_others_say_outside_competes_with_nothing(
    memory: Memory, root: Path, keys: tuple[str, ...]
) -> None:
    write(root, OLD, "The bakery opens at seven.", "status: active")
    for id_, hour in ((NEW, "eight"), (NEWER, "nine")):
        link = f'contradicts: "[[{OLD}]]"'
        write(root, id_, f"It opens at {hour}.", "status: active", link, *keys)
    memory.sync()
    [hit] = [hit for hit in memory.recall("bakery opens").hits if hit.note.id == OLD]
    assert {rival.id for rival in hit.rivals} == (set() if keys else {NEW, NEWER})


@pytest.mark.parametrize(("keys", "says"), [((), "It is green by now."), (OUTSIDE, "")])
def test_words_from_outside_are_not_carried_into_what_is_told_of_a_changed_sentence(
    memory: Memory, root: Path, keys: tuple[str, ...], says: str
) -> None:
    blue = "My favourite colour is blue."
    memory.remember(
        f"{blue} We painted the garden fence over the summer, and Hanna chose the colour of the "
        "gate after we had looked at forty little cards in the shop in the old town."
    )
    [note] = root.glob("items/**/*favourite-colour*.md")
    over = f'status: superseded\nvalid_until: 2026-03-10\nsuperseded_by: "[[{NEW}]]"'
    text = note.read_text("utf-8").replace("valid_from: 2026-03-11", "valid_from: 2026-03-01")
    note.write_text(text.replace("status: active", over), "utf-8")
    write(root, NEW, "It is green by now.", "status: active", *keys)
    memory.sync()
    hits = memory.recall("which colour did Hanna choose for the gate").hits
    told = [(each.what, each.text) for hit in hits for each in hit.outdated]
    assert told == [("changed", says)]
