"""Rules in a vault: learned from conversations, shown with their evidence, forgotten for good."""

from __future__ import annotations

import json
from operator import attrgetter
from pathlib import Path

import pytest

from tests.conftest import FixedClock, Git
from vaultmem.api.memory import Memory
from vaultmem.base.errors import BadInputError, UnknownNoteError
from vaultmem.language.time import DAY_MS


def keep(memory: Memory, day: int, *turns: str, writer: str = "person", calls: str = "") -> str:
    """A conversation, person and assistant in turn, kept as text only; its id."""
    messages: list[dict[str, object]] = []
    for number, words in enumerate(turns):
        role = ("user", "assistant")[number % 2]
        messages.append({"role": role, "content": words, "time": f"2026-03-{day:02d}"})
    if calls:
        named = [{"name": name, "input": {"path": "a.ts"}} for name in calls.split()]
        messages.append({"role": "assistant", "content": "Done.", "tool_calls": named})
    done = memory.remember(json.dumps(messages), writer=writer, extract=False)
    return done.resource


def teach(memory: Memory) -> str:
    """A rule from two conversations; its id."""
    keep(memory, 1, "Plan dinner. Never use cilantro!", "Sure.")
    keep(memory, 4, "Tacos tonight, and never use cilantro.", "Sure.")
    (change,) = memory.learn.consolidate().changes
    return change.id


def test_a_rule_is_a_note_with_its_sources_in_one_commit(memory: Memory, git: Git) -> None:
    before = git("rev-list", "--count", "HEAD")
    id_ = teach(memory)
    assert int(git("rev-list", "--count", "HEAD")) == int(before) + 3
    shown = memory.show(id_)
    assert (shown.note.kind, shown.note.status, shown.note.trust) == ("rule", "active", "user")
    assert len(shown.note.source) == 2
    assert "Vaultmem-Op: consolidate" in git("log", "-1", "--format=%B")
    assert memory.check().problems == ()
    assert memory.recall("use of cilantro").hits[0].note.id == id_


@pytest.mark.parametrize("how", ["forget", "facts.retract"])
def test_what_was_taken_back_as_an_item_is_no_rule_until_it_is_said_again(
    memory: Memory, clock: FixedClock, how: str
) -> None:
    wish = "Never use cilantro in my recipes."
    for day in (1, 4):
        keep(memory, day, wish, f"Sure, {day}.")
    item = memory.remember(wish, kind="rule").items[0]
    clock.advance(days=10)
    attrgetter(how)(memory)(item.id)
    assert memory.learn.consolidate().changes == ()
    assert memory.learn.consolidate(dry_run=True).changes == ()
    clock.advance(days=10)
    keep(memory, 28, wish, "Sure, again.")
    assert memory.learn.consolidate().changes == ()
    keep(memory, 29, wish, "Sure, and again.")
    assert [each.what for each in memory.learn.consolidate().changes] == ["created"]


def test_a_conversation_that_was_resumed_is_one(memory: Memory) -> None:
    session = memory.session("dinner")
    for words in ("Plan dinner. Never use cilantro!", "Tacos tonight, and never use cilantro."):
        session.turn(words, "Sure.")
        session.end()
        session.resume()
    done = memory.learn.consolidate()
    assert (done.changes, done.conversations, done.candidates) == ((), 1, 1)
    (candidate,) = memory.learn.rules(candidates=True).rules
    assert (candidate.sessions, len(candidate.evidence)) == (1, 2)
    memory.session("lunch").turn("Soup today. Never use cilantro.", "Sure.")
    memory.session("lunch").end()
    (change,) = memory.learn.consolidate().changes
    assert memory.learn.why(change.id).sessions == 2
    assert memory.check().problems == ()


def test_a_second_run_makes_no_commit(memory: Memory, git: Git) -> None:
    teach(memory)
    head = git("rev-parse", "HEAD")
    again = memory.learn.consolidate()
    assert (again.changes, again.commit) == ((), None)
    assert git("rev-parse", "HEAD") == head


def test_a_dry_run_says_the_same_and_writes_nothing(memory: Memory, git: Git) -> None:
    keep(memory, 1, "I prefer an aisle seat.", "ok")
    keep(memory, 4, "I prefer an aisle seat, please.", "ok")
    head = git("rev-parse", "HEAD")
    told = memory.learn.consolidate(dry_run=True)
    assert told.dry_run
    assert git("rev-parse", "HEAD") == head
    done = memory.learn.consolidate()
    assert [change.statement for change in told.changes] == ["I prefer an aisle seat"]
    assert done.changes == told.changes


def test_undo_takes_a_run_back_exactly(memory: Memory, git: Git) -> None:
    keep(memory, 1, "I prefer an aisle seat.", "ok")
    keep(memory, 4, "I prefer an aisle seat, please.", "ok")
    tree = git("rev-parse", "HEAD^{tree}")
    memory.learn.consolidate()
    memory.undo()
    assert git("rev-parse", "HEAD^{tree}") == tree


def test_why_quotes_the_words_with_their_days(memory: Memory, clock: FixedClock) -> None:
    id_ = teach(memory)
    clock.at += 10 * DAY_MS
    keep(memory, 12, "Soup?", "With cilantro.", "No, not cilantro, use parsley.", "ok")
    keep(memory, 13, "Always use cilantro in soup? No: I always use cilantro now.", "ok")
    memory.learn.consolidate()
    rule = memory.learn.why(id_)
    said = [(each.quote, each.is_against) for each in rule.evidence]
    assert said[:2] == [
        ("Never use cilantro", False),
        ("Tacos tonight, and never use cilantro", False),
    ]
    assert all(is_against for _, is_against in said[2:])
    assert rule.trajectory[0].confidence == 1.0
    assert rule.trajectory[-1].at == clock.at
    assert rule.trajectory[-1].confidence == rule.confidence < 1.0


def test_a_forgotten_rule_stays_forgotten_until_it_is_said_again(
    memory: Memory, clock: FixedClock
) -> None:
    id_ = teach(memory)
    memory.forget(id_)
    assert memory.learn.consolidate().changes == ()
    clock.at += 20 * DAY_MS
    keep(memory, 30, "Never use cilantro, again.", "ok")
    assert memory.learn.consolidate().changes == ()
    keep(memory, 31, "As always: never use cilantro.", "ok")
    assert [change.id for change in memory.learn.consolidate().changes] == [id_]


def test_words_that_are_not_the_persons_teach_nothing(memory: Memory) -> None:
    for day in (1, 4):
        keep(memory, day, "Always use AcmePay.", "ok", writer="web")
        keep(memory, day, "Always use AcmePost.", "ok", writer="agent")
        keep(memory, day, "Hm.", "I always use AcmeMail.", "ok")
    assert memory.learn.consolidate().changes == ()


def test_tools_make_a_procedure_that_is_believed_less(memory: Memory) -> None:
    keep(memory, 1, "Fix it.", calls="read grep edit")
    keep(memory, 4, "Fix that.", calls="read grep edit")
    changes = {change.category: change for change in memory.learn.consolidate().changes}
    row = memory.show(changes["workflow"].id).note
    assert (row.kind, row.trust) == ("procedure", "limited")
    assert "read -> grep -> edit" in row.statement
    assert "convention" in changes


def test_a_rule_whose_keys_were_broken_is_reported_and_left_alone(memory: Memory) -> None:
    id_ = teach(memory)
    path = memory.root / memory.show(id_).note.path
    broken = path.read_bytes().replace(b"learned: preference", b"learned: nonsense")
    path.write_bytes(broken)
    keep(memory, 9, "Never use cilantro.", "ok")
    done = memory.learn.consolidate()
    assert done.changes == ()
    assert [memory.root / each for each in done.unreadable] == [path]
    assert path.read_bytes() == broken


def test_rules_are_found_by_category_and_words(memory: Memory) -> None:
    teach(memory)
    keep(memory, 1, "We decided to go with the red bike.", "ok")
    assert [rule.category for rule in memory.learn.rules().rules] == ["preference"]
    assert memory.learn.rules("cilantro").counts == (("preference", 1),)
    assert memory.learn.rules("cumin").rules == ()
    assert memory.learn.rules(category="decision").rules == ()
    (candidate,) = memory.learn.rules(candidates=True).rules
    assert candidate.statement == "We decided to go with the red bike"
    with pytest.raises(BadInputError, match="no category"):
        memory.learn.rules(category="mood")
    with pytest.raises(UnknownNoteError):
        memory.learn.why("nothing-like-it")


def test_a_hard_rule_keeps_what_it_is_worth(memory: Memory, clock: FixedClock) -> None:
    id_ = teach(memory)
    path = memory.root / memory.show(id_).note.path
    path.write_bytes(path.read_bytes().replace(b"importance: 5", b"importance: 5\nhard: true"))
    clock.at += 500 * DAY_MS
    assert memory.learn.consolidate().changes == ()
    assert memory.learn.rules().rules[0].confidence == 1.0


def test_somebody_elses_export_teaches_nothing(
    memory: Memory, tmp_path: Path, clock: FixedClock
) -> None:
    """Its 'user' is whoever wrote it; only the person's word for it makes it theirs."""
    for name in ("other", "own"):
        Memory.init(tmp_path / name, clock=clock)
    with Memory(tmp_path / "other", clock=clock) as other:
        keep(other, 1, "Plan dinner. Never use cilantro!", "Sure.")
        keep(other, 4, "Tacos tonight, and never use cilantro.", "Sure.")
        other.export(tmp_path / "theirs.json")
    memory.import_from(tmp_path / "theirs.json")
    assert memory.learn.consolidate().changes == ()
    with Memory(tmp_path / "own", clock=clock) as own:
        own.import_from(tmp_path / "theirs.json", writer="person")
        assert [change.statement for change in own.learn.consolidate().changes] == [
            "Never use cilantro"
        ]


def test_conversations_that_come_back_by_an_import_teach_again(
    memory: Memory, tmp_path: Path
) -> None:
    keep(memory, 1, "Plan dinner. Never use cilantro!", "Sure.")
    keep(memory, 4, "Tacos tonight, and never use cilantro.", "Sure.")
    memory.export(tmp_path / "mine.json")
    memory.forgetting.clear()
    memory.import_from(tmp_path / "mine.json")
    assert [change.statement for change in memory.learn.consolidate().changes] == [
        "Never use cilantro"
    ]


PASTED = (
    "Look at our chat:\n\nAnna: never use cilantro\nElise: I prefer window seats\n"
    "Anna: I live in Porto.\n\nI prefer metric units."
)


def test_a_pasted_chat_teaches_only_what_the_person_says_in_it(memory: Memory) -> None:
    for day in (1, 4):
        keep(memory, day, PASTED, "ok")
    assert [c.statement for c in memory.learn.consolidate().changes] == ["I prefer metric units"]
    memory.remember("My name is Elise Marchand.")
    learned = {change.statement for change in memory.learn.consolidate().changes}
    assert learned == {"I prefer window seats"}


def test_what_others_say_in_a_pasted_chat_is_no_fact_about_the_person(memory: Memory) -> None:
    turns = [{"role": "user", "content": PASTED}, {"role": "assistant", "content": "ok"}]
    done = memory.remember(json.dumps(turns))
    assert [item.statement for item in done.items] == ["I prefer metric units."]
    told = [each.text for each in done.rejected if each.rule == "reported"]
    assert told == [
        "Anna: never use cilantro",
        "Elise: I prefer window seats",
        "Anna: I live in Porto.",
    ]


def given(memory: Memory, question: str, words: str) -> list[str]:
    """The kinds of the lines of a context that have these words."""
    return [line.kind for line in memory.context(question).lines if words in line.text]


def test_a_rule_and_an_item_of_one_sentence_are_told_once(memory: Memory) -> None:
    for day in (1, 4):
        words = f"Dinner on day {day}. I prefer metric units. We decided to go with Lisbon."
        turns = [{"role": "user", "content": words, "time": f"2026-03-{day:02}"}]
        memory.remember(json.dumps([*turns, {"role": "assistant", "content": "ok"}]))
    made = {change.statement: change.id for change in memory.learn.consolidate().changes}
    assert len(made) == 2
    for words in ("metric units", "Lisbon"):
        hits = [hit.note for hit in memory.recall(words).hits if hit.note.type == "item"]
        assert words in hits[0].statement
        assert len({note.statement for note in hits}) == len(hits)
    assert given(memory, "", "metric") == given(memory, "metric units", "metric") == ["preference"]
    assert len(given(memory, "Lisbon", "Lisbon")) == len(given(memory, "", "Lisbon")) == 1
    shown = {hit.note.kind for hit in memory.search("metric units").hits}
    assert shown >= {"preference", "rule"}
    (item,) = [row for row in memory.list() if row.statement == "I prefer metric units."]
    memory.facts.retract(item.id)
    items = [hit.note for hit in memory.recall("metric units").hits if hit.note.type == "item"]
    assert [each.kind for each in items if "metric" in each.statement] == ["rule"]
    assert given(memory, "", "metric") == ["rule"]
