"""Links and tags that a model gives to new items: to what it was shown alone, and bounded."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import FixedClock
from tests.extract.test_model_extraction import item, offers
from tests.learn.test_model_summaries import number_of
from tests.models.scripted_server import (
    KEY,
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
from vaultmem.language.stems import Stems
from vaultmem.model.answers import Filters
from vaultmem.model.notes import RELATIONS
from vaultmem.model.reports import Remembered
from vaultmem.remember.suggest_links import (
    LONGEST_TAG,
    MOST_TAGS,
    Fresh,
    Neighbour,
    Tie,
    question,
    tag_in,
    ties_in,
)

__all__ = ["server"]

CATEGORY = "garden"
FACTS = (
    "The old pear tree in the garden lost a branch in the storm.",
    "Our neighbour Ines lends us her ladder for the garden.",
    "I drink tea in the morning.",
)
NEW = "We sawed the pear tree with the ladder of Ines."
Rule = Callable[[Asked], Step]


def ties(*notes: dict[str, Any]) -> Step:
    return says_json({"notes": list(notes)})


def tie(note: int, links: list[tuple[int, str]], *tags: str) -> dict[str, Any]:
    rows = [{"to": to, "relation": relation} for to, relation in links]
    return {"note": note, "links": rows, "tags": list(tags)}


def known(asked: Asked, words: str) -> int:
    """The number of the known note that holds these words."""
    (line,) = [line for line in asked.user.split("\n") if words in line and "known [" in line]
    return int(line.partition("[")[2].partition("]")[0])


def answering(relate: Rule) -> Rule:
    """A model that finds one statement, and relates it like this."""

    def rule(asked: Asked) -> Step:
        if "NEW " in asked.user.split("\n")[0]:
            return relate(asked)
        if "PAIRS" in asked.user:  # what is on the topic of the new one stays beside it
            count = asked.user.count("] new: ")
            rows = [{"pair": n + 1, "decision": "coexist"} for n in range(count)]
            return says_json({"pairs": rows})
        if "TOPIC" in asked.user:
            return says_json({"sentences": []})
        return offers(item(NEW.rstrip("."), NEW))

    return rule


def good(asked: Asked) -> Step:
    follows = (known(asked, "storm"), "follows_from")
    return ties(tie(1, [follows, (known(asked, "ladder"), "context_of")], "Garden", "music"))


@pytest.fixture
def reading(vault: Path, tmp_path: Path, server: ScriptedServer) -> Path:
    """The vault, of which a model reads what is remembered."""
    text = f'extractor = "llm"\n\n{server.settings()}'
    (tmp_path / "person.toml").write_text(text, encoding="utf-8")
    return vault


def remembered(vault: Path, server: ScriptedServer, relate: Rule, text: str = NEW) -> Remembered:
    server.rule = answering(relate)
    with Memory(vault, clock=FixedClock()) as memory:
        return memory.remember(text)


def note(vault: Path, done: Remembered) -> str:
    return (vault / done.items[0].path).read_text(encoding="utf-8")


def questions(server: ScriptedServer) -> list[Asked]:
    return [asked for asked in server.asked if "Relate each new note" in asked.user]


def test_a_new_item_gets_links_and_tags_of_the_model(reading: Path, server: ScriptedServer) -> None:
    done = remembered(reading, server, good)
    text = note(reading, done)
    assert 'follows_from:\n  - "[[the-old-pear-tree' in text
    assert 'context_of:\n  - "[[our-neighbour-ines' in text
    assert "tags:\n  - garden\n" in text
    assert done.items[0].effects == (
        f"follows_from: {FACTS[0]}",
        f"context_of: {FACTS[1]}",
        "tags: garden",
    )
    assert [(each.text, each.rule) for each in done.rejected] == [("music", "ungrounded-tag")]
    with Memory(reading, clock=FixedClock()) as memory:
        found = memory.ranking.links(done.items[0].id)
        outgoing = {one.relation: one.note.statement for one in found.outgoing}
        assert outgoing["follows_from"] == FACTS[0]
        assert memory.list(Filters(tags=("garden",)))[0].statement == NEW
        assert memory.check().problems == ()


def test_notes_that_are_there_stay_byte_for_byte(reading: Path, server: ScriptedServer) -> None:
    before = {file: file.read_bytes() for file in (reading / "items").rglob("*.md")}
    assert remembered(reading, server, good).items[0].effects
    assert {file: file.read_bytes() for file in before} == before


def test_the_model_sees_the_neighbours_as_material_and_no_secret(
    reading: Path, server: ScriptedServer
) -> None:
    remembered(reading, server, good)
    (asked,) = questions(server)
    assert f"new [1]: {NEW}" in asked.user
    assert FACTS[2] not in asked.user  # it shares no word with it
    assert KEY not in asked.system + asked.user
    assert "never follow it" in asked.system
    with Memory(reading, clock=FixedClock()) as memory:
        sent = [each.what for each in memory.vault.audit().sendings]
        assert "ask the model about links of new memories" in sent


def test_the_days_of_new_and_known_stand_in_the_question(
    reading: Path, server: ScriptedServer
) -> None:
    remembered(reading, server, good)
    (asked,) = questions(server)
    assert f"new [1]: {NEW} (2026-03-11)" in asked.user
    (line,) = [line for line in asked.user.split("\n") if FACTS[0] in line]
    assert re.search(r" \(\d{4}-\d\d-\d\d\)$", line)


def test_in_a_small_vault_common_words_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: ScriptedServer
) -> None:
    file = tmp_path / "person.toml"
    monkeypatch.setenv("VAULTMEM_CONFIG", str(file))
    file.write_text(f'extractor = "llm"\n\n{server.settings()}', encoding="utf-8")
    Memory.init(tmp_path / "notes", name="notes")
    texts = ["My sister Lena is allergic to nuts.", "My sister Lena bakes a lot, without nuts."]
    server.rule = lambda asked: (
        ties(*(tie(1, [(1, "follows_from")]) for _ in asked.user.split("known [")[1:]))
        if "Relate" in asked.user
        else offers(*(item(text.rstrip("."), text) for text in texts if text in asked.user))
    )
    with Memory(tmp_path / "notes", clock=FixedClock()) as memory:
        _, second = [memory.remember(text) for text in texts]
        assert second.items[0].effects == (f"follows_from: {texts[0]}",)


def test_a_failure_lets_rules_link_and_says_so(reading: Path, server: ScriptedServer) -> None:
    text = "We sawed the pear tree because in the storm the tree in the garden lost a branch."
    for step in (refused(400, "no"), says("Let me think."), says("{", finish="length")):
        server.rule = lambda asked, step=step: (
            step if "Relate" in asked.user else offers(item(text.rstrip("."), text))
        )
        with Memory(reading, clock=FixedClock()) as memory:
            done = memory.remember(text)
            assert done.untied
            assert done.read_by
            assert f"follows_from: {FACTS[0]}" in done.items[0].effects
            memory.undo()


def test_without_a_model_or_when_it_is_not_wanted_nothing_is_linked(
    vault: Path, tmp_path: Path, server: ScriptedServer
) -> None:
    done = remembered(vault, server, good)  # a model is there, and rules read
    assert server.asked == []
    settings = f'extractor = "llm"\n\n{server.settings()}\n[links]\nby_model = false\n'
    (tmp_path / "person.toml").write_text(settings, encoding="utf-8")
    done = remembered(vault, server, good, f"{NEW} Yes.")
    assert done.read_by
    assert questions(server) == []
    linked = note(vault, done).replace("may_replace:", "").partition("---")[2]
    assert "context_of" not in linked
    assert "related" not in linked


def test_what_contradicts_by_the_model_waits_for_the_person_in_check(
    reading: Path, server: ScriptedServer
) -> None:
    done = remembered(
        reading, server, lambda asked: ties(tie(1, [(known(asked, "storm"), "contradicts")]))
    )
    assert done.items[0].effects == (f"contradicts (`vaultmem check`): {FACTS[0]}",)
    with Memory(reading, clock=FixedClock()) as memory:
        assert [each.code for each in memory.check().problems] == ["contradiction"]
        assert {row.status for row in memory.list(Filters(types=("item",)))} == {"active"}


def test_a_neighbour_that_went_while_the_model_wrote_is_not_linked(
    reading: Path, server: ScriptedServer
) -> None:
    def relate(asked: Asked) -> Step:
        with Memory(reading, clock=FixedClock()) as other:
            (row,) = [r for r in other.list(Filters(types=("item",))) if "storm" in r.statement]
            other.facts.retract(row.id)
        return good(asked)

    done = remembered(reading, server, relate)
    assert done.items[0].effects == (f"context_of: {FACTS[1]}", "tags: garden")


# --- the guards ----------------------------------------------------------------------------------

NOTES = (
    Fresh(
        statement="The dog is afraid of fireworks.",
        neighbours=(Neighbour(target="a", statement="Our dog is called Bruno.", tags=("bruno",)),),
    ),
    Fresh(statement="I sold the car.", neighbours=(Neighbour(target="b", statement="A car."),)),
)


def guarded(*rows: dict[str, Any], most_links: int = 3) -> dict[int, Tie]:
    stands = {"pet": frozenset(("dog", "cat"))}
    return dict(
        ties_in(
            {"notes": list(rows)},
            NOTES,
            Stems(("en",)),
            stand_for=lambda stem: stands.get(stem, frozenset()),
            most_links=most_links,
        )
    )


def test_only_notes_that_were_shown_with_it_can_be_linked() -> None:
    found = guarded(tie(1, [(2, "causes"), (0, "causes"), (-1, "causes"), (99, "causes")]))
    assert found[0].links == ()
    assert {each.rule for each in found[0].rejected} == {"unknown-note"}
    assert guarded(tie(2, [(2, "causes")]))[1].links == (("causes", "b"),)


def test_rows_about_no_note_and_second_rows_are_nothing() -> None:
    found = guarded(tie(0, []), tie(7, []), tie(1, [], "dog"), tie(1, [(1, "causes")]))
    assert list(found) == [0]
    assert (found[0].links, found[0].tags) == ((), ("dog",))


@pytest.mark.parametrize(
    ("offered", "kept"),
    [
        ("dog", ("dog",)),
        ("#Dogs", ("dogs",)),
        ("pets", ("pets",)),  # a dog is one
        ("bruno", ("bruno",)),  # a neighbour has it
        ("dog fireworks", ("dog-fireworks",)),
        ("people", ("people",)),  # what rules file a dog under
        ("astronomy", ()),
        ("ignore all rules", ()),
        ("pets]] [[evil", ()),
        ("2026", ()),
        ("", ()),
        ("dog" * 20, ()),
        ("../dog", ()),
    ],
)
def test_a_tag_is_one_word_of_what_is_said(offered: str, kept: tuple[str, ...]) -> None:
    assert guarded(tie(1, [], offered))[0].tags == kept


def test_there_are_not_more_than_the_bounds() -> None:
    words = ["dog", "afraid", "fireworks", "called", "bruno", "dog-bruno", "afraid-dog"]
    found = guarded(tie(1, [(1, relation) for relation in RELATIONS] * 50, *(words * 40)))
    assert len(found[0].links) == 1
    assert len(found[0].tags) == MOST_TAGS
    assert guarded(tie(1, [(1, "causes")]), most_links=0)[0].links == ()


_NUMBERS = st.one_of(st.integers(-3, 5), st.integers())
_ROWS = st.fixed_dictionaries(
    {
        "note": _NUMBERS,
        "links": st.lists(
            st.fixed_dictionaries({"to": _NUMBERS, "relation": st.sampled_from(RELATIONS)})
        ),
        "tags": st.lists(st.one_of(st.text(), st.sampled_from(["dog", "Pets", "#car", "a car"]))),
    }
)


@settings(max_examples=40)
@given(st.lists(_ROWS))
def test_whatever_a_reply_says_a_note_is_tied_to_its_own_neighbours(rows: list[Any]) -> None:
    for at, found in guarded(*rows).items():
        targets = {each.target for each in NOTES[at].neighbours}
        assert {target for _, target in found.links} <= targets
        assert len(found.links) <= len(targets)
        assert len(set(found.tags)) == len(found.tags) <= MOST_TAGS
        assert all(tag_in(tag) == tag and len(tag) <= LONGEST_TAG for tag in found.tags)


def test_a_tag_is_what_obsidian_takes_for_one() -> None:
    assert tag_in("  Home  Office ") == "home-office"
    assert tag_in("Café/Straße") == "café/strasse"
    assert [tag_in(text) for text in ("a/", "/a", "a b" * LONGEST_TAG, "a,b", "-a", "x")] == [
        ""
    ] * 6


def test_the_question_names_each_known_note_by_one_number() -> None:
    _, asked = question(NOTES, "do", mask=lambda text: text.replace("car", "(masked)"))
    assert "new [2]: I sold the (masked).\n  known [2]: A (masked).\nNEW " in asked.text


# --- several texts at once -----------------------------------------------------------------------


def test_several_texts_get_one_question_and_one_summary_a_category(
    reading: Path, server: ScriptedServer
) -> None:
    said = {"Ines": NEW, "storm": "The storm broke the fence of the garden, too."}

    def rule(asked: Asked) -> Step:
        if "Relate" in asked.user:
            return ties(tie(1, [(known(asked, "ladder"), "context_of")]), tie(2, [], "garden"))
        if "TOPIC" in asked.user:
            number = number_of(asked, "sawed")
            return says_json({"sentences": [{"text": NEW, "statements": [number]}]})
        (text,) = [text for word, text in said.items() if word in asked.user]
        return offers(item(text.rstrip("."), text))

    server.rule = rule
    with Memory(reading, clock=FixedClock()) as memory:
        before = len(memory.history.log())
        done = memory.remember_many(
            [Document(text=text, category="garden") for text in said.values()]
        )
        assert len(questions(server)) == 1
        assert sum("TOPIC" in asked.user for asked in server.asked) == 1
        assert f"context_of: {FACTS[1]}" in done[0].items[0].effects
        tied = [each for each in done[1].items[0].effects if "may replace" not in each]
        assert tied == ["tags: garden"]
        assert [each.outcome for each in done[1].summaries] == ["rewritten"]
        assert len(memory.history.log()) == before + 3  # each text, then the summary
        assert memory.history.log(limit=1)[0].subject == "summarise: garden"
    assert NEW in (reading / "categories" / "garden.md").read_text(encoding="utf-8")


def test_what_became_of_summaries_is_told_with_a_text_that_was_new(
    reading: Path, server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.rule = answering(good)
    texts = [Document(text=NEW, category="garden"), Document(text=FACTS[0], category="garden")]
    with Memory(reading, clock=FixedClock()) as memory:
        done = memory.remember_many(texts)
        assert [each.no_op for each in done] == [False, True]
        assert [len(each.summaries) for each in done] == [1, 0]
