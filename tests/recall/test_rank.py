"""From passages to answers: one hit a memory, what holds now, nothing when nothing fits."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.api.memory import Memory
from vaultmem.base import records
from vaultmem.language.time import DAY_MS
from vaultmem.model.answers import Filters, Found, Hit, LateParts, NoteRow, Part, Passage
from vaultmem.recall.enough import (
    CURRENT,
    current,
    enough,
    hits_by_note,
    hits_by_passage,
    holds,
)

NOW = 1_773_230_400_000
TALK = PurePosixPath("resources/talk.md")
WORDS = "I moved to Berlin last year, and I like it there."


def note(path: str | PurePosixPath, **keys: object) -> NoteRow:
    values: dict[str, object] = {
        "path": PurePosixPath(path),
        "oid": "0",
        "id": "i-" + PurePosixPath(path).stem,
        "type": "item",
        "title": "",
        "status": "active",
        **keys,
    }
    return NoteRow(**values)  # type: ignore[arg-type]  # keys of NoteRow, chosen by the test


def found(path: str | PurePosixPath, score: float, *, text: str = "words", seq: int = 0) -> Found:
    return Found(
        path=PurePosixPath(path),
        passage=Passage(text=text, seq=seq, line=1),
        score=score,
        parts=(Part(name="word", value=score),),
    )


def hits(
    passages: list[Found],
    notes: list[NoteRow],
    *,
    quoted_by: dict[tuple[PurePosixPath, int], list[tuple[NoteRow, Passage]]] | None = None,
    now: int | None = NOW,
    limit: int = 10,
) -> list[Hit]:
    rows = {row.path: row for row in notes}
    return list(hits_by_note(passages, rows, quoted_by=quoted_by or {}, now=now, limit=limit))


def test_a_day_of_a_long_talk_in_one_file_does_not_hide_another(tmp_path: Path) -> None:
    """An import of some years is one file: the best three of its turns were all that it gave."""
    days = [f"2026-0{month}-11 09:00" for month in range(1, 7)]
    turns = [
        f"**Ann** ({day}): Our puppy {what}.\n\n**Bo** ({day}): How lovely, a puppy!"
        for day, what in zip(days, ("came", "ate", "ran", "slept", "barked", "swam"), strict=True)
    ]
    Memory.init(tmp_path / "vault", name="talk")
    with Memory(tmp_path / "vault") as memory:
        memory.remember("\n\n".join(turns), extract=False)
        answers = memory.recall("What did Ann's puppy do?", limit=5).hits
    assert len(answers) == 5
    text = " ".join(each.text for hit in answers for each in hit.passages)
    assert sum(what in text for what in ("came", "ate", "ran", "slept", "barked", "swam")) == 5


class TestOneHitANote:
    """A note is one hit, with its best passages, as good as the best of them."""

    def test_passages_of_one_note_are_one_hit(self) -> None:
        passages = [found(TALK, score, seq=seq) for seq, score in enumerate([5, 4, 3, 2])]
        talk = note(TALK, type="resource", status="", id="r-1")
        [hit] = hits(passages, [talk])
        assert hit.score == 5
        assert [passage.seq for passage in hit.passages] == [0, 1, 2]
        assert hit.parts == passages[0].parts

    def test_each_day_of_a_talk_answers_for_itself_where_that_is_asked(self) -> None:
        days = [0, 0, 400, 0, 400]
        passages = [
            replace(one, passage=replace(one.passage, date=NOW + day * DAY_MS))
            for day, seq in zip(days, range(5), strict=True)
            for one in [found(TALK, 9 - seq, seq=seq)]
        ]
        rows = {TALK: note(TALK, type="resource", status="", id="r-1")}
        apart = hits_by_note(passages, rows, quoted_by={}, now=NOW, limit=9, by_day=True)
        assert [[one.seq for one in hit.passages] for hit in apart] == [[0, 1, 3], [2, 4]]
        assert [hit.score for hit in apart] == [9, 7]

    def test_an_assistants_turn_takes_no_place_of_what_the_person_said(self) -> None:
        who = ("User", "Assistant", "Assistant", "User", "User")
        passages = [
            replace(one, passage=replace(one.passage, speaker=speaker))
            for seq, (speaker, score) in enumerate(zip(who, (9, 8, 7, 3, 2), strict=True))
            for one in [found(TALK, score, seq=seq)]
        ]
        talk = note(TALK, type="resource", status="", id="r-1")
        [hit] = hits(passages, [talk])
        # The second answer holds less than four fifths of what the best turn holds.
        assert [passage.seq for passage in hit.passages] == [0, 1, 3]
        [only] = hits(passages[1:3], [talk])
        assert [passage.seq for passage in only.passages] == [1, 2]

    def test_ties_go_to_the_newer_then_by_id(self) -> None:
        passages = [found(name, 1) for name in ("d", "c", "b", "a")]
        notes = [note("a"), note("b", date=1), note("c", date=2), note("d")]
        assert [str(hit.note.path) for hit in hits(passages, notes)] == ["c", "b", "a", "d"]

    def test_limit_and_pending(self) -> None:
        passages = [found("a", 2), found("b", 1)]
        rows = {row.path: row for row in (note("a"), note("b"))}
        pending = frozenset([PurePosixPath("a")])
        [hit] = hits_by_note(passages, rows, quoted_by={}, now=NOW, pending=pending, limit=1)
        assert hit.pending
        assert str(hit.note.path) == "a"

    def test_a_passage_whose_note_is_gone_is_passed_over(self) -> None:
        assert hits([found("a", 1)], []) == []

    @given(st.lists(st.tuples(st.sampled_from("abcd"), st.integers(1, 5)), max_size=12))
    def test_every_note_found_is_there_once_and_in_order(self, some: list[tuple[str, int]]) -> None:
        passages = [found(name, score, seq=seq) for seq, (name, score) in enumerate(some)]
        passages.sort(key=lambda one: -one.score)
        answered = hits(passages, [note(name) for name in "abcd"])
        assert sorted(str(hit.note.path) for hit in answered) == sorted({name for name, _ in some})
        assert [hit.score for hit in answered] == sorted((h.score for h in answered), reverse=True)


class TestWhatHolds:
    """By default only what holds now answers; every status can be asked for."""

    def test_statuses(self) -> None:
        for status in ("superseded", "expired", "retracted", "archived"):
            assert not holds(note("a", status=status), NOW)
        assert holds(note("a"), NOW)
        assert holds(note("a", type="page", status=""), NOW)

    def test_validity_is_half_open(self) -> None:
        assert not holds(note("a", valid_until=NOW), NOW)
        assert holds(note("a", valid_until=NOW + 1), NOW)

    def test_what_ended_does_not_answer_unless_it_is_asked_for(self) -> None:
        rows = [note("a", valid_until=NOW - 1), note("b", status="superseded"), note("c")]
        passages = [found("a", 3), found("b", 2), found("c", 1)]
        assert [str(hit.note.path) for hit in hits(passages, rows)] == ["c"]
        assert [str(hit.note.path) for hit in hits(passages, rows, now=None)] == ["a", "b", "c"]

    def test_filters_that_name_statuses_are_kept(self) -> None:
        asked = Filters(statuses=("superseded",))
        assert current(asked) is asked
        assert current(Filters(kinds=("fact",))) == Filters(kinds=("fact",), statuses=CURRENT)


class TestSources:
    """An item stands for the passage of its source that it quotes, which is shown beneath it."""

    talk = note(TALK, type="resource", status="", id="r-1")
    berlin = note("items/berlin.md", statement="Ann lives in Berlin.", quote="I moved to Berlin")
    says = Passage(text="Ann lives in Berlin.", seq=0, line=11)
    quoted = found(TALK, 3, text=WORDS)

    def test_found_by_its_source_alone(self) -> None:
        [hit] = hits([self.quoted], [self.talk], quoted_by={(TALK, 0): [(self.berlin, self.says)]})
        assert hit.note == self.berlin
        assert hit.passages == (self.says, self.quoted.passage)
        assert hit.score == 3
        assert hit.parts[-1].name == "source"
        assert sum(part.value for part in hit.parts) == hit.score

    def test_found_by_both_is_one_answer(self) -> None:
        own = found(self.berlin.path, 2, text="Ann lives in Berlin.")
        [hit] = hits(
            [self.quoted, own],
            [self.talk, self.berlin],
            quoted_by={(TALK, 0): [(self.berlin, self.says)]},
        )
        assert hit.passages == (own.passage, self.quoted.passage)
        assert hit.score == 3

    def test_other_passages_of_the_source_still_answer_for_it(self) -> None:
        other = found(TALK, 2, text="Something else.", seq=1)
        answered = hits(
            [self.quoted, other], [self.talk], quoted_by={(TALK, 0): [(self.berlin, self.says)]}
        )
        assert [hit.note for hit in answered] == [self.berlin, self.talk]
        assert answered[1].passages == (other.passage,)

    def test_of_several_items_the_one_that_was_found_stands(self) -> None:
        likes = note("items/likes.md", statement="Ann likes Berlin.", quote="I like it there")
        own = found(likes.path, 1)
        answered = hits(
            [self.quoted, own],
            [self.talk, likes],
            quoted_by={(TALK, 0): [(self.berlin, self.says), (likes, self.says)]},
        )
        assert [hit.note for hit in answered] == [likes]

    def test_words_of_an_item_that_no_longer_holds_do_not_answer_in_its_place(self) -> None:
        gone = replace(self.berlin, status="superseded", quote=WORDS[:-1])
        quoted_by = {(TALK, 0): [(gone, self.says)]}
        assert hits([self.quoted], [self.talk], quoted_by=quoted_by) == []
        assert [
            h.note for h in hits([self.quoted], [self.talk], quoted_by=quoted_by, now=None)
        ] == [gone]

    def test_a_passage_that_says_more_than_such_an_item_still_answers(self) -> None:
        gone = replace(self.berlin, status="superseded")
        answered = hits([self.quoted], [self.talk], quoted_by={(TALK, 0): [(gone, self.says)]})
        assert [hit.note for hit in answered] == [self.talk]


class TestWhatHoldsNow:
    """A fact answers from its beginning on; what is planned is asked about before."""

    @pytest.mark.parametrize(
        ("keys", "answers"),
        [
            ({"kind": "fact"}, True),
            ({"kind": "fact", "subject": "user", "predicate": "lives_in"}, False),
            ({"kind": "event", "subject": "user", "predicate": "plays"}, True),
        ],
    )
    def test_what_begins_tomorrow(self, keys: dict[str, str], answers: bool) -> None:
        row = note("items/a.md", valid_from=NOW + 1, **keys)
        assert bool(hits([found("items/a.md", 1.0)], [row])) is answers
        begun = replace(row, valid_from=NOW)
        assert hits([found("items/a.md", 1.0)], [begun])


class TestNothing:
    """No memory found is an answer."""

    def test_nothing_found(self) -> None:
        assert not enough([])

    def test_too_little_of_the_question_found(self) -> None:
        assert not enough([replace(found("a", 9), coverage=0.2)])
        assert len(enough([replace(found("a", 9), coverage=c) for c in (0.1, 0.3)])) == 1


def test_hits_by_passage_keep_the_order_found() -> None:
    passages = [found("a", 3), found("b", 2), found("a", 1, seq=1)]
    rows = {row.path: row for row in (note("a"), note("b"))}
    answered = hits_by_passage(passages, rows, limit=3)
    assert [(str(hit.note.path), hit.passages[0].seq) for hit in answered] == [
        ("a", 0),
        ("b", 0),
        ("a", 1),
    ]


def test_a_hit_is_explained_when_somebody_looks(tmp_path: Path) -> None:
    """Explaining ten hits took a third of a warm recall, and is seldom asked for."""
    asked = []

    def work_out() -> Iterator[Part]:
        asked.append(1)
        yield Part(name="word", value=2.0, note="tea")

    note_of_tea = note("a")
    one = replace(found("a", 2), parts=LateParts(work_out))
    [hit] = hits([one], [note_of_tea])
    aged = records.replace(hit, pending=True)
    assert asked == []
    assert (aged.parts, hit.parts) == ((Part(name="word", value=2.0, note="tea"),),) * 2
    assert asked == [1]
    assert isinstance(hit.parts, tuple)
    assert hit == Hit(note=note_of_tea, score=2, passages=(one.passage,), parts=[*hit.parts])
    assert dataclasses.asdict(hit)["parts"] == ({"name": "word", "value": 2.0, "note": "tea"},)
    assert "parts=(Part(name='word'" in repr(hit)
