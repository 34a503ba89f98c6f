"""The conversation of 60 turns, read by rules alone: what is left is what holds."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from tests.conftest import NOON, FixedClock
from tests.sessions.conversation import CODE, DOCUMENT, EDITED, TURNS
from vaultmem.api.conversation_verbs import Session
from vaultmem.api.memory import Memory
from vaultmem.model.answers import Filters
from vaultmem.model.session_files import SessionView
from vaultmem.sessions.turn_size import count_words

BUDGET = 4000
HOLDS = {
    "My name is Ann.",
    "I moved to Porto.",
    "The project is called Heron.",
    "I prefer short answers.",
    "Let's go with Starlette for the server.",
    "Let's use SQLite.",
    "The deadline moved to 9 May.",
    "Our server runs Debian 13 now.",
    "The opening hour is 9.",
    "The port should be 9090.",
    "The contact is Rui Costa.",
    "The max retries should be 7.",
    "My sister Clara tests the tool.",
    "I am allergic to hazelnuts.",
    "We meet on Tuesdays.",
    "The tests run in 40 seconds.",
}
RULES = {
    "Never use tabs in this repo.",
    "You must never mention prices to a client.",
    "Always answer in British English.",
    "Don't send anything to the client without asking me.",
}


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    root: Path = tmp_path_factory.mktemp("sixty")
    Memory.init(root, name="sixty")
    with Memory(root) as opened:
        session = opened.session("heron", title="Heron")
        for number, turn in enumerate(TURNS, start=1):
            session.turn(turn.user, turn.assistant, state=f'{{"turn": {number}}}')
        yield opened


@pytest.fixture(scope="module")
def session(memory: Memory) -> Session:
    return memory.session("heron", start=False)


@pytest.fixture(scope="module")
def view(session: Session) -> SessionView:
    return session.show()


def test_base_truth_holds_exactly_what_is_true_in_the_end(view: SessionView) -> None:
    assert {line.text for line in view.truth if not line.hard and not line.task} == HOLDS
    assert {line.text: line.task for line in view.truth if line.task} == {
        "I have to call the printer on Monday.": "open",
        "I need to write the release notes by Friday.": "done",
    }


def test_every_hard_exception_survived_and_comes_first(session: Session, view: SessionView) -> None:
    assert {line.text for line in view.truth if line.hard} == RULES
    system = session.prompt("And now?").system
    assert all(system.index(rule) < system.index("<memory>") for rule in RULES)


def test_the_code_of_turn_3_comes_back_byte_for_byte(session: Session) -> None:
    assert session.artifacts(turn=3) == [CODE]


def test_a_document_is_kept_once_and_its_new_version_as_an_edit(
    memory: Memory, session: Session, view: SessionView
) -> None:
    assert count_words(DOCUMENT) >= 2000
    assert session.artifacts(name="t19-1") == [DOCUMENT.strip()]
    assert session.artifacts(name="t25-1") == [EDITED.strip()]
    [edit] = [row for row in view.artifacts if row.turn == 25]
    assert len((memory.root / edit.path).read_bytes()) < len(EDITED) / 5
    transcript = (memory.root / view.folder / "transcript.md").read_text("utf-8")
    assert transcript.count("Paragraph 30 of the booking guide") == 1


def test_the_prompt_of_turn_61_is_within_its_budget(session: Session) -> None:
    made = session.prompt("What is left to do?", budget=BUDGET)
    assert made.tokens <= BUDGET
    assert made.messages[-1] == ("user", "What is left to do?")
    assert "Let's use SQLite." in made.system
    assert "Postgres for the project" not in made.system.split("## Earlier")[0]


def test_the_log_tells_every_turn_once_within_its_words(view: SessionView) -> None:
    assert [entry.turn for entry in view.log] == list(range(1, 61))
    assert all(count_words(entry.user) <= 25 for entry in view.log)
    assert all(count_words(entry.assistant) <= 30 for entry in view.log)
    assert [each.turn for each in view.window] == [55, 56, 57, 58, 59, 60]


@pytest.mark.parametrize("turn", [0, 1, 15, 22, 44, 60])
def test_replay_shows_the_exact_state_after_a_turn(session: Session, turn: int) -> None:
    then = session.replay(turn)
    assert then.turn == turn
    assert then.state == ({"turn": turn} if turn else None)
    assert [entry.turn for entry in then.log] == list(range(1, turn + 1))
    texts = {line.text for line in then.truth}
    assert ("The budget is 5,000 euros now." in texts) is (24 <= turn < 44)
    assert ("Let's go with FastAPI for the server." in texts) is (turn == 14)


def test_the_history_of_log_and_transcript_only_grows(memory: Memory, view: SessionView) -> None:
    history = memory.opened.history
    for name in ("turns.md", "transcript.md"):
        path = (view.folder / name).as_posix()
        commits = [entry.commit for entry in history.versions(path)][::-1]
        texts = [history.text_at(commit, path) or b"" for commit in commits[::6]]
        assert all(later.startswith(text) for text, later in pairwise(texts))


def test_what_it_states_becomes_items_without_what_it_overtook(
    memory: Memory, tmp_path: Path
) -> None:
    with Memory(shutil.copytree(memory.root, tmp_path / "copy")) as copy:
        _end(copy)


def test_what_a_conversation_replaced_ends_in_the_vault(tmp_path: Path) -> None:
    Memory.init(tmp_path / "vault")
    with Memory(tmp_path / "vault") as memory:
        with memory.session("heron") as session:
            session.turn("We use Postgres.", "Noted.")
            session.turn("Actually, let's use SQLite instead.", "Fine.")
            session.end()
        items = {row.statement: row.status for row in memory.list(Filters(types=("item",)))}
        assert items["We use Postgres."] == "superseded"
        first = memory.recall("Which database do we use?").hits[0].note
        assert first.statement == "Let's use SQLite instead."


def test_two_turns_of_one_second_are_in_order_all_the_same(tmp_path: Path) -> None:
    """Front matter tells seconds: both would begin at once, and nothing says which is newer."""
    Memory.init(tmp_path / "vault")
    with Memory(tmp_path / "vault", clock=FixedClock(NOON)) as memory:
        with memory.session("quick") as session:
            session.turn("I live in Lisbon.", "Noted.")
            session.turn("I moved to Porto.", "Noted.")
            session.end()
        items = {row.statement: row for row in memory.list(Filters(types=("item",)))}
    porto, lisbon = items["I moved to Porto."], items["I live in Lisbon."]
    assert porto.valid_until is None
    assert lisbon.valid_until == porto.valid_from


def test_a_conversation_is_found_by_whom_it_was_about(tmp_path: Path) -> None:
    Memory.init(tmp_path / "vault")
    with Memory(tmp_path / "vault") as memory:
        with memory.session("trip") as session:
            session.turn("My sister Lena lives in Oslo. Jonas Brandt prefers tea.", "Noted.")
            session.end()
        memory.remember("I live in Graz.")
        for name, others in (("jonas brandt", {"Jonas Brandt prefers tea."}), ("Graz", set())):
            wanted = Filters(types=("item",), entities=(name,))
            rows = memory.list(wanted)
            talks = {row.statement for row in rows if row.kind == "event"}
            assert len(talks) == (name != "Graz")
            assert others <= {row.statement for row in rows}
            assert memory.list(wanted, known_at="HEAD") == rows
        assert memory.list(Filters(entities=("Brandt",))) == ()


def _end(memory: Memory) -> None:
    done = memory.session("heron", start=False).end()
    assert done.resource
    items = {row.statement: row for row in memory.list(Filters(types=("item",)))}
    assert items.keys() >= RULES
    for gone in ("We use Postgres for the project.", "The deadline is 5 May.", "I use Vim."):
        assert gone not in items
    assert items["I moved to Porto."].status == "active"
    assert items["I live in Lisbon."].valid_until is not None
    assert any(row.kind == "event" and "60 turns" in text for text, row in items.items())
    assert memory.session("heron", start=False).end().commit == ""
    hits = memory.recall("Who is allergic to what?").hits
    assert hits[0].note.statement == "I am allergic to hazelnuts."
    assert not memory.check().problems
