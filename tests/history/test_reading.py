"""Answers about another time, by either clock or both."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import FixedClock
from tests.history.by_hand import ID, NOTE, HandMade, at, note
from vaultmem.api.memory import Memory
from vaultmem.base.errors import (
    BadInputError,
    HistoryDamagedError,
    HistoryIncompleteError,
    UnknownNoteError,
)
from vaultmem.history import versions
from vaultmem.model.answers import Answer, Filters

OTHER = "i-bbbbbbbbbb"
NEXT = f"items/2026/03/14/coffee-{OTHER}.md"
ITEMS = Filters(types=("item",))


@pytest.fixture
def vault(root: Path) -> HandMade:
    """Tea on the 12th, corrected on the 13th; coffee in its place from the 14th on."""
    vault = HandMade(root)
    begins = "valid_from: 2026-03-01\n"
    vault.commit("2026-03-12T09:00:00Z", {NOTE: note("I drink green tea.", keys=begins)})
    vault.commit("2026-03-13T09:00:00Z", {NOTE: note("I drink black tea.", keys=begins)})
    ended = f'{begins}valid_until: 2026-03-10\nstatus: superseded\nsuperseded_by: "[[{OTHER}]]"\n'
    vault.commit(
        "2026-03-14T09:00:00Z",
        {
            NOTE: note("I drink black tea.", keys=ended),
            NEXT: note("I drink coffee.", id_=OTHER, keys="valid_from: 2026-03-10\n"),
        },
    )
    return vault


@pytest.fixture
def memory(vault: HandMade, clock: FixedClock) -> Memory:
    """The vault, opened a week later."""
    clock.advance(days=9)
    return Memory(vault.root, clock=clock)


def said(answer: Answer) -> list[str]:
    return [hit.note.statement for hit in answer.hits]


def test_as_of_asks_what_held_as_it_is_known_now(memory: Memory) -> None:
    assert said(memory.recall("what do I drink", filters=ITEMS)) == ["I drink coffee."]
    (hit,) = memory.recall("drink", filters=ITEMS, as_of="2026-03-05").hits
    assert hit.note.statement == "I drink black tea."
    assert said(memory.recall("drink", filters=ITEMS, as_of="2026-03-10")) == ["I drink coffee."]
    assert said(memory.recall("drink", filters=ITEMS, as_of="2026-02-28")) == []


def test_known_at_asks_what_the_vault_knew(memory: Memory) -> None:
    known = {
        day: said(memory.recall("drink", filters=ITEMS, known_at=f"2026-03-{day}T12:00Z"))
        for day in (12, 13, 14)
    }
    assert known == {
        12: ["I drink green tea."],
        13: ["I drink black tea."],
        14: ["I drink coffee."],
    }


def test_both_clocks_are_independent(memory: Memory) -> None:
    asked = {"as_of": "2026-03-11", "filters": ITEMS}
    knew = memory.recall("drink", known_at="2026-03-12T12:00Z", **asked)  # type: ignore[arg-type]
    knows = memory.recall("drink", known_at="2026-03-15", **asked)  # type: ignore[arg-type]
    assert (said(knew), said(knows)) == (["I drink green tea."], ["I drink coffee."])


def test_the_answer_says_which_clock_and_what_came_later(memory: Memory, vault: HandMade) -> None:
    answer = memory.recall("drink", filters=ITEMS, known_at=at("2026-03-12T12:00:00Z"))
    assert answer.moment is not None
    assert answer.moment.known_at == answer.moment.valid_at == at("2026-03-12T12:00:00Z")
    assert answer.moment.commit == vault.git("rev-parse", "HEAD~2")
    corrected, changed = answer.hits[0].later
    assert (corrected.what, corrected.text) == ("corrected", "I drink black tea.")
    assert corrected.commit == vault.git("rev-parse", "HEAD~1")
    assert corrected.recorded_at == at("2026-03-13T09:00:00Z")
    assert (changed.what, changed.text) == ("changed", "I drink coffee.")
    assert (changed.valid_from, changed.commit) == (
        at("2026-03-10"),
        vault.git("rev-parse", "HEAD"),
    )
    as_of = memory.recall("drink", filters=ITEMS, as_of="2026-03-05")
    assert [later.what for later in as_of.hits[0].later] == ["changed"]
    assert memory.recall("drink", filters=ITEMS).moment is None


def test_a_note_that_went_says_so(memory: Memory, vault: HandMade) -> None:
    vault.commit("2026-03-15T09:00:00Z", {NEXT: None})
    (hit,) = memory.recall("coffee", filters=ITEMS, known_at="2026-03-14T12:00Z").hits
    (gone,) = hit.later
    assert (gone.what, gone.commit) == ("removed", vault.git("rev-parse", "HEAD"))


def test_list_and_show_take_both_clocks(memory: Memory) -> None:
    def listed(**asked: str) -> list[str]:
        return [row.statement for row in memory.list(ITEMS, **asked)]  # type: ignore[arg-type]

    assert listed(as_of="2026-03-05") == ["I drink black tea."]
    assert listed(known_at="2026-03-12T12:00Z") == ["I drink green tea."]
    assert listed(known_at="2026-03-12T12:00Z", as_of="2026-02-01") == []
    ended = Filters(types=("item",), statuses=("superseded",))
    assert [row.id for row in memory.list(ended, known_at="2026-03-15")] == [ID]
    assert memory.list(ended, known_at="2026-03-13T12:00Z") == ()
    shown = memory.show(ID, known_at="2026-03-12T12:00Z")
    assert "green tea" in shown.text
    assert shown.held
    assert not memory.show(ID, as_of="2026-03-11").held
    with pytest.raises(UnknownNoteError, match="then"):
        memory.show(OTHER, known_at="2026-03-13T12:00Z")


def test_what_compact_took_out_of_the_folder_still_held(memory: Memory, vault: HandMade) -> None:
    before = memory.recall("drink", filters=ITEMS, as_of="2026-03-05")
    memory.maintain.compact(retention_days=0)
    assert not (vault.root / NOTE).exists()
    after = memory.recall("drink", filters=ITEMS, as_of="2026-03-05")
    assert said(after) == said(before) == ["I drink black tea."]
    assert after.hits[0].later == before.hits[0].later
    assert [row.id for row in memory.list(ITEMS, as_of="2026-03-05")] == [ID]
    assert "black tea" in memory.show(ID, as_of="2026-03-05").text
    knew = memory.recall("drink", filters=ITEMS, known_at="2026-03-12T12:00Z")
    assert said(knew) == ["I drink green tea."]
    assert [later.what for later in knew.hits[0].later] == ["corrected", "changed"]
    assert said(memory.recall("drink", filters=ITEMS)) == ["I drink coffee."]


def test_an_edit_that_is_not_committed_counts_now_and_was_not_known(
    memory: Memory, vault: HandMade
) -> None:
    text = note("I drink oat milk.", id_=OTHER, keys="valid_from: 2026-03-10\n")
    (vault.root / NEXT).write_text(text)
    (hit,) = memory.recall("drink", filters=ITEMS, as_of="2026-03-11").hits
    assert (hit.note.statement, hit.pending) == ("I drink oat milk.", True)
    (hit,) = memory.recall("drink", filters=ITEMS, known_at="now").hits
    assert (hit.note.statement, hit.pending) == ("I drink coffee.", False)
    assert [(later.what, later.commit) for later in hit.later] == [("corrected", "")]


def test_a_revision_is_a_time(memory: Memory, vault: HandMade) -> None:
    vault.git("tag", "green", "HEAD~2")
    for revision in ("HEAD~2", "green", vault.git("rev-parse", "HEAD~2")[:12]):
        answer = memory.recall("drink", filters=ITEMS, known_at=revision)
        assert said(answer) == ["I drink green tea."]
        assert answer.moment is not None
        assert answer.moment.revision == revision


def test_what_is_no_time_is_refused_with_examples(memory: Memory) -> None:
    with pytest.raises(BadInputError) as refused:
        memory.recall("drink", known_at="at some point")
    assert "HEAD~3" in refused.value.hint
    with pytest.raises(BadInputError):
        memory.list(as_of="HEAD~1")


def test_a_commit_of_a_side_branch_is_no_state_of_the_vault(
    memory: Memory, vault: HandMade
) -> None:
    vault.git("checkout", "--quiet", "-b", "side")
    side = vault.commit("2026-03-15T09:00:00Z", {"items/side.md": note("Side.", id_="")})
    vault.git("checkout", "--quiet", "-")
    vault.git("merge", "--quiet", "--no-ff", "-m", "merge", "side", at="2026-03-16T09:00:00Z")
    with pytest.raises(BadInputError, match="main line"):
        memory.list(known_at=side)


def test_nothing_was_known_before_the_first_commit(memory: Memory) -> None:
    answer = memory.recall("drink", known_at="2026-01-01")
    assert answer.hits == ()
    assert answer.moment is not None
    assert answer.moment.commit == ""
    assert answer.moment.begins is not None
    assert answer.moment.begins // 1000 == at("2026-03-11T12:00:00Z") // 1000
    assert memory.list(known_at="2026-01-01") == ()


def test_a_shallow_clone_answers_from_where_it_begins_on(
    vault: HandMade, tmp_path: Path, clock: FixedClock
) -> None:
    vault.git("clone", "--quiet", "--depth", "2", vault.root.as_uri(), str(tmp_path / "clone"))
    with Memory(tmp_path / "clone", clock=clock) as memory:
        tea = memory.list(ITEMS, known_at="2026-03-13T12:00Z")
        assert [row.statement for row in tea] == ["I drink black tea."]
        for before in ("2026-03-12T12:00Z", "HEAD~2"):
            with pytest.raises(HistoryIncompleteError) as refused:
                memory.list(ITEMS, known_at=before)
            assert refused.value.exit_code == 72
            assert "unshallow" in refused.value.hint
        assert memory.list(ITEMS, as_of="2026-03-05")


def test_a_text_that_is_gone_is_missed_only_at_the_times_that_had_it(
    memory: Memory, vault: HandMade
) -> None:
    green = vault.git("rev-parse", f"HEAD~2:{NOTE}")
    vault.git("repack", "-adq")
    for pack in (vault.root / ".git/objects/pack").glob("*.pack"):
        moved = pack.rename(vault.root / ".git" / pack.name)
        vault.git("unpack-objects", "-q", stdin=moved)
        pack.with_suffix(".idx").unlink()
    lost = vault.root / ".git/objects" / green[:2] / green[2:]
    away = lost.rename(vault.root / ".git" / "lost")
    assert [row.statement for row in memory.list(ITEMS, known_at="HEAD~1")] == [
        "I drink black tea."
    ]
    with pytest.raises(HistoryDamagedError, match="gone from the repository"):
        memory.list(ITEMS, known_at="HEAD~2")
    away.rename(lost)
    assert [row.statement for row in memory.list(ITEMS, known_at="HEAD~2")] == [
        "I drink green tea."
    ]
    vault.dump()


def test_reindex_takes_the_past_away_and_it_comes_back_the_same(
    memory: Memory, vault: HandMade
) -> None:
    before = memory.recall("drink", known_at="2026-03-12T12:00Z")
    file = memory.opened.state / versions.FILE
    assert file.exists()
    memory.reindex()
    assert not file.exists()
    assert memory.recall("drink", known_at="2026-03-12T12:00Z") == before
    vault.dump()


def test_a_damaged_file_of_the_past_is_built_anew(memory: Memory) -> None:
    before = memory.list(ITEMS, known_at="2026-03-12T12:00Z")
    memory.close()
    file = memory.opened.state / versions.FILE
    file.write_bytes(b"not a database" * 1000)
    with Memory(memory.root) as again:
        assert again.list(ITEMS, known_at="2026-03-12T12:00Z") == before


def test_questions_of_now_and_writes_never_open_the_past(memory: Memory) -> None:
    memory.recall("drink")
    memory.remember("I like cake.")
    memory.sync()
    assert memory.opened.past is None
    assert not (memory.opened.state / versions.FILE).exists()
