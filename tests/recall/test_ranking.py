"""Presets, breadth, links and feedback on real vaults."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import NOON, FixedClock
from tests.devices.devices import connected
from vaultmem.api.memory import Memory
from vaultmem.base.errors import BadInputError, IncomingRefusedError
from vaultmem.history import moment
from vaultmem.language.time import DAY_MS
from vaultmem.model.answers import PRESETS, Answer, Filters
from vaultmem.recall.ranking.learned_weights import (
    ScorerEvent,
    merge_event_files,
    parse_events,
    read_events,
    render_events,
)
from vaultmem.storage.files.layout import SCORER

WEIGHTED = ("park", "kautilya", "smriti", "balanced")


def note(root: Path, name: str, statement: str, **keys: object) -> None:
    """An item that a person wrote."""
    front = "".join(f"{key}: {value}\n" for key, value in keys.items())
    file = root / "items" / f"{name}.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"---\nkind: fact\n{front}---\n\n{statement}\n", encoding="utf-8")


def statements(answer: Answer) -> list[str]:
    return [hit.note.statement for hit in answer.hits]


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    root = tmp_path / "vault"
    Memory.init(root, clock=FixedClock())
    return Memory(root, clock=FixedClock())


class TestPresets:
    @pytest.mark.parametrize("preset", PRESETS)
    def test_each_answers_and_says_how(self, memory: Memory, preset: str) -> None:
        note(memory.root, "a", "The kettle is red.", importance=9, valid_from="2026-02-01")
        note(memory.root, "b", "The boat is red and old.", importance=3, valid_from="2026-02-01")
        answer = memory.recall("red kettle", preset=preset)
        assert statements(answer)[0] == "The kettle is red."
        if preset == "default":
            assert answer.ranking is None
            return
        assert answer.ranking is not None
        assert answer.ranking.preset == preset
        for hit in answer.hits:
            assert sum(part.value for part in hit.parts) == pytest.approx(hit.score)
        if preset in WEIGHTED:
            assert sum(weight for _, weight in answer.ranking.weights) == pytest.approx(1)

    def test_of_two_that_fit_alike_the_more_important_comes_first(self, memory: Memory) -> None:
        for name, importance in (("old", 2), ("new", 9), ("wet", 5)):
            note(memory.root, name, f"The {name} boat is red.", importance=importance)
        for preset in ("park", "kautilya", "balanced"):
            found = memory.recall("red boat", preset=preset).hits
            assert [hit.note.importance for hit in found] == [9, 5, 2], preset

    def test_whole_texts_count_as_middling(self, memory: Memory) -> None:
        memory.remember("The old boat is red.", extract=False)
        note(memory.root, "a", "The new boat is red.", importance=4)
        note(memory.root, "b", "The wet boat is red.", importance=6)
        parts = [
            next(part for part in hit.parts if part.name == "importance")
            for hit in memory.recall("red boat", preset="kautilya").hits
        ]
        assert sorted(part.value for part in parts) == pytest.approx([0.08, 0.1, 0.12])

    def test_park_brings_what_is_recent_and_important_without_a_word_in_common(
        self, memory: Memory
    ) -> None:
        note(memory.root, "a", "The kettle is red.", importance=1)
        note(memory.root, "b", "Nothing with nuts.", importance=10, valid_from="2026-03-10")
        assert "Nothing with nuts." in statements(memory.recall("red kettle", preset="park"))
        assert statements(memory.recall("red kettle")) == ["The kettle is red."]
        assert not memory.recall("zeppelin", preset="park").hits
        other = memory.recall("red kettle", preset="park", filters=Filters(kinds=("event",)))
        assert not other.hits

    def test_never_forgets_keeps_what_fits_nearly_as_well_and_lets_it_age(
        self, memory: Memory
    ) -> None:
        note(memory.root, "a", "The red kettle whistles.", valid_from="2025-01-01")
        note(memory.root, "b", "The red kettle whistles a lot.", valid_from="2026-03-01")
        note(memory.root, "c", "A boat is red, says the man with the parrot.")
        found = memory.recall("red kettle whistles", preset="never_forgets").hits
        assert [hit.note.path.stem for hit in found] == ["b", "a"]

    def test_identity_does_not_age_in_it(self, memory: Memory) -> None:
        for name, stream in (("a", "identity"), ("b", "projects")):
            keys = {"stream": stream, "valid_from": "2024-01-01"}
            note(memory.root, name, f"The {name} kettle is red.", **keys)
        first, second = memory.recall("red kettle", preset="never_forgets").hits
        assert (first.note.stream, second.note.stream) == ("identity", "projects")
        assert first.score > 5 * second.score

    def test_kautilya_answers_with_five_events_at_most(self, memory: Memory) -> None:
        for i in range(8):
            note(memory.root, f"e{i}", f"Boat {i} sank.", kind="event", valid_from="2025-05-01")
        assert len(memory.recall("boat", preset="kautilya", limit=20).hits) == 5

    def test_the_setting_chooses_and_the_call_overrules_it(self, tmp_path: Path) -> None:
        root = tmp_path / "vault"
        Memory.init(root, clock=FixedClock())
        with open(root / "vaultmem.toml", "a", encoding="utf-8") as file:
            file.write('\n[recall]\npreset = "park"\n')
        with Memory(root, clock=FixedClock()) as memory:
            note(root, "a", "The kettle is red.")
            ranking = memory.recall("kettle").ranking
            assert ranking is not None
            assert ranking.preset == "park"
            assert memory.recall("kettle", preset="default").ranking is None

    def test_an_unknown_preset_is_refused_with_those_there_are(self, memory: Memory) -> None:
        with pytest.raises(BadInputError) as refused:
            memory.recall("kettle", preset="best")
        assert "kautilya" in refused.value.hint

    def test_text_from_outside_is_not_brought_in_without_its_words(self, memory: Memory) -> None:
        note(memory.root, "a", "The kettle is red.", importance=1)
        note(memory.root, "b", "Buy our boats.", importance=10, trust="untrusted", writer="web")
        note(memory.root, "c", "See [[b]] and the kettle.", importance=1)
        for how in ({"preset": "park"}, {"expand": True}, {"preset": "linked"}):
            found = memory.recall("kettle", **how)
            assert "Buy our boats." not in statements(found)


class TestBreadth:
    def test_a_note_that_says_the_same_waits(self, memory: Memory) -> None:
        note(memory.root, "a", "The red kettle is in the kitchen.")
        note(memory.root, "b", "The red kettle is in the big kitchen.")
        note(memory.root, "c", "Grandma painted a red kettle last year for the whole village.")
        usual = [hit.note.path.stem for hit in memory.recall("red kettle").hits]
        assert usual == ["a", "b", "c"]
        broad = [hit.note.path.stem for hit in memory.recall("red kettle", diverse=True).hits]
        assert broad == ["a", "c", "b"]

    def test_it_answers_with_as_many(self, memory: Memory) -> None:
        for i in range(9):
            note(memory.root, f"n{i}", f"Kettle {i}.")
        assert len(memory.recall("kettle", diverse=True, limit=3).hits) == 3


class TestLinks:
    def test_typed_links_wikilinks_and_names_are_shown_both_ways(self, memory: Memory) -> None:
        note(memory.root, "a", "It rains, see [[b]].", entities='["[[Bergen]]"]')
        note(memory.root, "b", "The street is wet.")
        note(memory.root, "c", "The pipe burst.", causes='"[[b]]"', related='"[[b]]"')
        found = memory.ranking.links("items/b.md")
        assert [(one.relation, one.note.path.stem) for one in found.incoming] == [
            ("causes", "c"),
            ("related", "c"),
            ("link", "a"),
        ]
        assert not found.outgoing
        assert memory.ranking.links("items/a.md").entities == ("bergen",)

    def test_what_is_over_is_in_no_graph(self, memory: Memory) -> None:
        note(memory.root, "a", "The kettle is red, see [[b]] and [[c]].")
        note(memory.root, "b", "It was blue.", valid_until="2026-01-01", status="superseded")
        note(memory.root, "c", "It whistles.")
        now = memory.recall("red kettle", expand=True)
        assert statements(now)[1:] == ["It whistles."]
        then = memory.recall("red kettle", expand=True, as_of="2025-06-01")
        assert set(statements(then)[1:]) == {"It was blue.", "It whistles."}

    def test_neighbours_come_after_the_hits_with_half_the_score(self, memory: Memory) -> None:
        note(memory.root, "a", "The kettle is red.")
        note(memory.root, "b", "Whatever was said about it, see [[a]].")
        note(memory.root, "c", "A kettle in a long story about a boat that nobody can finish.")
        hits = memory.recall("kettle", expand=True).hits
        assert [hit.note.path.stem for hit in hits] == ["a", "c", "b"]
        assert hits[2].score == pytest.approx(hits[0].score / 2)
        assert hits[2].parts[0].name == "link"

    def test_the_graph_finds_what_shares_no_word_with_the_question(self, memory: Memory) -> None:
        note(memory.root, "a", "Elise has a dog.", entities='["[[Elise]]"]')
        note(memory.root, "b", "She works at the aquarium.", entities='["[[Elise]]"]')
        note(memory.root, "c", "The boat is old.")
        answer = memory.recall("what about Elise's dog", preset="linked")
        assert statements(answer) == ["Elise has a dog.", "She works at the aquarium."]
        assert answer.ranking is not None
        assert answer.ranking.entities == ("elise",)

    def test_the_best_linked_has_the_best_standing(self, memory: Memory) -> None:
        note(memory.root, "a", "The red kettle.")
        note(memory.root, "b", "The red kettle!")
        for name in "cde":
            note(memory.root, name, f"Note {name}, see [[b]].")
        hits = memory.recall("red kettle", preset="smriti").hits
        assert [hit.note.path.stem for hit in hits] == ["b", "a"]
        standing = {hit.note.path.stem: hit.parts[1].value for hit in hits}
        assert standing["b"] == pytest.approx(0.25)

    def test_links_are_those_that_were_known_then(self, memory: Memory) -> None:
        note(memory.root, "a", "The kettle is red, see [[b]].", entities='["[[Bergen]]"]')
        note(memory.root, "b", "It whistles.")
        note(memory.root, "c", "It leaks.")
        memory.sync()
        note(memory.root, "a", "The kettle is red, see [[c]].")
        (memory.root / "items" / "b.md").unlink()
        memory.sync()
        assert statements(memory.recall("kettle", expand=True))[1:] == ["It leaks."]
        then = memory.recall("kettle", expand=True, known_at="HEAD~1")
        assert statements(then) == ["The kettle is red, see [[b]].", "It whistles."]
        named = memory.recall("who is in Bergen", preset="linked", known_at="HEAD~1")
        assert named.ranking is not None
        assert named.ranking.entities == ("bergen",)
        assert statements(named) == ["The kettle is red, see [[b]].", "It whistles."]
        graded = memory.recall("kettle", preset="smriti", known_at="HEAD~1")
        assert graded.hits[0].parts[1].name == "pagerank"

    def test_the_links_known_last_are_those_of_now(self, memory: Memory) -> None:
        note(memory.root, "a", "It rains, see [[b]].", entities='["[[Bergen]]"]')
        note(memory.root, "b", "Wet.", causes='"[[items/c]]"', aliases="[Water]")
        note(memory.root, "c", "The [[Water]] burst; [[nowhere]], [[items/a.md|Rain]].")
        memory.remember("I like green tea. My sister Elise visits in May.")
        memory.sync()
        seen = moment.seeing(memory.opened, lambda then: then.edges(), as_of=None, known_at="HEAD")
        assert seen == memory.opened.index.edges()
        assert len(seen) > 5

    def test_proposals_say_how_two_notes_relate(self, memory: Memory) -> None:
        slot = {"subject": "kettle", "predicate": "color"}
        note(memory.root, "a", "The kettle is red.", **slot, object="red")
        note(memory.root, "b", "The kettle is blue.", **slot, object="blue")
        note(memory.root, "c", "Tea was late because the kettle is red.")
        proposed = {
            one.note.path.stem: one.relation for one in memory.ranking.links("items/a.md").proposed
        }
        assert proposed == {"b": "contradicts", "c": "related"}
        (first, *_) = memory.ranking.links("items/c.md").proposed
        assert (first.note.path.stem, first.relation) == ("a", "follows_from")

    def test_what_is_linked_is_not_proposed_and_nothing_is_written(self, memory: Memory) -> None:
        note(memory.root, "a", "The kettle is red, see [[b]].")
        note(memory.root, "b", "The kettle is blue.")
        memory.sync()
        before = {file: file.read_bytes() for file in (memory.root / "items").iterdir()}
        assert memory.ranking.links("items/a.md").proposed == ()
        assert memory.ranking.links("items/b.md").proposed == ()
        assert {file: file.read_bytes() for file in before} == before

    def test_new_items_are_linked_where_the_settings_ask_for_it(self, tmp_path: Path) -> None:
        root = tmp_path / "vault"
        Memory.init(root, clock=FixedClock())
        with open(root / "vaultmem.toml", "a", encoding="utf-8") as file:
            file.write("\n[links]\non_insert = true\n")
        with Memory(root, clock=FixedClock()) as memory:
            note(root, "a", "The kettle is red.")
            for name in "bcde":
                note(root, name, f"Note {name} says that tea was late once.")
            done = memory.remember("My tea is late because the kettle is red.")
            assert any("follows_from: The kettle is red." in one for one in done.items[0].effects)
            found = memory.ranking.links(done.items[0].id)
            outgoing = [(one.relation, one.note.path.stem) for one in found.outgoing]
            assert outgoing == [("follows_from", "a"), ("source", done.path.stem)]
            assert memory.check().problems == ()
            assert b"follows_from" not in (root / "items" / "a.md").read_bytes()

    def test_what_happened_long_ago_and_was_told_lately_is_no_idle_note(
        self, memory: Memory
    ) -> None:
        """A link to it is followed, and shown by `links` even where it is idle."""
        told = memory.remember("Elise moved to Bergen in March 2021.").items[0]
        assert told.valid_from is not None
        memory.remember("The aquarium stands by the harbour.")
        file = next(memory.root.glob("items/**/*aquarium*"))
        text = file.read_text("utf-8")
        head = f'---\nrelated: "[[{told.path.stem}]]"\n'
        file.write_text(text.replace("---\n", head, 1), "utf-8")
        found = memory.recall("aquarium", expand=True)
        assert [hit.note.id for hit in found.hits][1:] == [told.id]
        (shown,) = [
            one for one in memory.ranking.links(file.stem).outgoing if one.relation == "related"
        ]
        assert shown.note.id == told.id
        memory.close()
        later = FixedClock()
        later.advance(days=400)
        with Memory(memory.root, clock=later) as again:
            found = again.recall("aquarium", expand=True)
            assert told.id not in [hit.note.id for hit in found.hits]
            outgoing = again.ranking.links(file.stem).outgoing
            assert "related" in [one.relation for one in outgoing]

    def test_a_neighbour_has_no_weights_to_judge(self, memory: Memory) -> None:
        note(memory.root, "a", "The kettle is red.")
        note(memory.root, "b", "Whatever was said about it, see [[a]].")
        hits = memory.recall("kettle", preset="kautilya", expand=True).hits
        place = next(i for i, hit in enumerate(hits, 1) if hit.parts[0].name == "link")
        with pytest.raises(BadInputError, match="no weights"):
            memory.ranking.feedback(str(place), accepted=True)


class TestFeedback:
    def asked(self, memory: Memory, preset: str = "kautilya") -> Answer:
        memory.remember("The kettle is red. The boat is red.")
        return memory.recall("red kettle", preset=preset)

    def test_a_judgement_is_one_commit_and_names_nothing(self, memory: Memory) -> None:
        self.asked(memory)
        judged = memory.ranking.feedback("1", accepted=True)
        assert judged.note.startswith("i-")
        assert sum(share for _, share in judged.credit) == pytest.approx(1)
        text = (memory.root / SCORER).read_text("utf-8")
        assert "kettle" not in text
        assert judged.note not in text
        assert [entry.op for entry in memory.history.log(limit=1)] == ["feedback"]
        assert not memory.vault.status().pending
        memory.undo()
        assert not read_events(memory.root)

    def test_judging_again_is_changing_ones_mind(self, memory: Memory) -> None:
        self.asked(memory)
        judged = memory.ranking.feedback("1", accepted=True)
        memory.ranking.feedback(judged.note, accepted=False)
        (event,) = read_events(memory.root)
        assert not event.accepted

    def test_weights_are_fixed_before_ten_and_learned_from_then_on(self, tmp_path: Path) -> None:
        clock = FixedClock(at=NOON)
        root = tmp_path / "vault"
        Memory.init(root, clock=clock)
        with Memory(root, clock=clock) as memory:
            fixed = dict(self.asked(memory).ranking.weights)  # type: ignore[union-attr]
            events = [
                ScorerEvent(
                    id=f"f-{i}",
                    at=NOON,
                    preset="kautilya",
                    accepted=True,
                    credit={"relevance": 1.0, "recency": 0.0, "importance": 0.0},
                )
                for i in range(10)
            ]
            file = root / SCORER
            file.parent.mkdir(parents=True)
            file.write_bytes(render_events(events[:9]))
            nine = memory.recall("kettle", preset="kautilya").ranking
            assert nine is not None
            assert (dict(nine.weights), nine.learned) == (fixed, False)
            file.write_bytes(render_events(events))
            ten = memory.recall("kettle", preset="kautilya").ranking
            assert ten is not None
            assert ten.learned
            assert dict(ten.weights)["relevance"] > 0.55
            assert memory.vault.status().rankings[0].judgements == 10
            drawn = []
            for seed in (1, 1, 2):
                sampled = memory.recall("kettle", preset="kautilya", seed=seed).ranking
                assert sampled is not None
                assert sampled.seed == seed
                drawn.append(dict(sampled.weights))
            assert drawn[0] == pytest.approx(drawn[1])
            assert drawn[0] != pytest.approx(drawn[2])
            clock.at += 400 * DAY_MS
            later = memory.recall("kettle", preset="kautilya").ranking
            assert later is not None
            assert dict(later.weights) == pytest.approx(fixed)

    @pytest.mark.parametrize("preset", ["default", "never_forgets", "linked"])
    def test_a_preset_without_weights_cannot_learn(self, memory: Memory, preset: str) -> None:
        self.asked(memory, preset)
        with pytest.raises(BadInputError, match="no weights"):
            memory.ranking.feedback("1", accepted=True)

    def test_what_was_not_answered_cannot_be_judged(self, memory: Memory) -> None:
        with pytest.raises(BadInputError, match="answered nothing yet"):
            memory.ranking.feedback("1", accepted=True)
        self.asked(memory)
        for wrong in ("0", "99", "i-nothing"):
            with pytest.raises(BadInputError):
                memory.ranking.feedback(wrong, accepted=True)

    def test_a_file_that_is_no_list_of_judgements_is_left_alone(self, memory: Memory) -> None:
        self.asked(memory)
        file = memory.root / SCORER
        file.parent.mkdir(parents=True)
        file.write_bytes(b"mine")
        with pytest.raises(BadInputError, match="cannot be read"):
            memory.ranking.feedback("1", accepted=True)
        assert file.read_bytes() == b"mine"

    def test_reading_leaves_no_trace_in_the_vault_and_no_word_in_the_log(
        self, memory: Memory
    ) -> None:
        self.asked(memory)
        head = memory.history.log(limit=1)[0].commit
        memory.recall("red kettle")
        assert memory.history.log(limit=1)[0].commit == head
        log = (memory.opened.state / "answers.log").read_text("ascii")
        assert log.count("\n") == 2
        assert "kettle" not in log

    def test_an_erased_note_is_in_no_log_of_answers(self, memory: Memory) -> None:
        found = self.asked(memory).hits[0].note
        assert found.id in (memory.opened.state / "answers.log").read_text("ascii")
        memory.forgetting.purge(found.id)
        assert not (memory.opened.state / "answers.log").exists()

    def test_what_was_answered_is_fresh_again(self, memory: Memory) -> None:
        keys = {"valid_from": "2026-01-01", "kind": "fact"}
        note(memory.root, "a-i-0123456789", "The red boat.", **keys, id="i-0123456789")
        note(memory.root, "b-i-0123456788", "The red kite.", **keys, id="i-0123456788")
        memory.recall("boat")
        hits = memory.recall("red", preset="park").hits
        assert [hit.note.statement for hit in hits] == ["The red boat.", "The red kite."]


class TestTheFile:
    def event(self, id_: str, at: int, *, accepted: bool = True) -> ScorerEvent:
        return ScorerEvent(id=id_, at=at, preset="park", accepted=accepted, credit={"recency": 1})

    def test_it_is_read_back_and_united_whoever_merges(self) -> None:
        ours = render_events([self.event("a", 1), self.event("b", 2)])
        theirs = render_events([self.event("c", 1), self.event("b", 3, accepted=False)])
        assert merge_event_files(ours, theirs) == merge_event_files(theirs, ours)
        found = parse_events(merge_event_files(ours, theirs))
        assert [(one.id, one.accepted) for one in found] == [
            ("a", True),
            ("c", True),
            ("b", False),
        ]
        assert merge_event_files(ours, ours) == ours

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "[]",
            "{",
            '{"events": 3}',
            '{"events": [{"id": "x"}]}',
            '{"events": [{"id":"x","at":1,"preset":"park","accepted":true,"credit":{"a":1e999}}]}',
            '{"events": [{"id":"x","at":-1,"preset":"park","accepted":true,"credit":{}}]}',
            '{"events": [{"id":"x","at":1,"preset":"park","accepted":"no","credit":{}}]}',
            "[" * 100_000,
            "\ud800",
        ],
    )
    def test_what_is_no_event_is_passed_over(self, text: str) -> None:
        assert parse_events(text.encode("utf-8", "surrogatepass")) == ()

    def test_devices_that_judged_apart_learn_from_each_other(self, tmp_path: Path) -> None:
        pair = connected(tmp_path, "laptop", "desk")
        laptop, desk = pair
        with laptop.memory() as memory:
            memory.remember("The kettle is red. The boat is red.")
        laptop.push()
        desk.pull()
        for device in pair:
            with device.memory() as memory:
                memory.recall("red kettle", preset="park")
                memory.ranking.feedback("1", accepted=device is laptop)
        for device in (laptop, desk, laptop):
            device.push()
        assert laptop.read(str(SCORER)) == desk.read(str(SCORER))
        assert {one.accepted for one in read_events(desk.root)} == {True, False}
        with desk.memory() as memory:
            assert not memory.vault.status().pending
            assert memory.check().problems == ()

    def test_nothing_else_of_our_own_folder_comes_from_a_remote(self, tmp_path: Path) -> None:
        laptop, desk = connected(tmp_path, "laptop", "desk")
        laptop.write(".vaultmem/state/other.json", "{}")
        laptop.git("add", "-f", ".vaultmem/state/other.json")
        laptop.git("commit", "-q", "-m", "by hand")
        laptop.push()
        with pytest.raises(IncomingRefusedError, match="belongs to this device"):
            desk.pull()
