"""One conversation that two devices went on with: its turns stand in one order, none is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.devices.devices import Device, connected
from vaultmem.api.conversation_verbs import Session
from vaultmem.base.errors import HistoryError
from vaultmem.model.answers import Filters
from vaultmem.model.talks.session_files import SessionView

CODE = "```py\nfirst = 1\nsecond = 2\n{}\n```"


@pytest.fixture
def pair(tmp_path: Path) -> list[Device]:
    """Two devices with a conversation of two turns."""
    a, b = connected(tmp_path, "laptop", "phone")
    with a.memory() as memory:
        session = memory.session("heron", title="Building Heron")
        session.turn("We use Postgres. Never use tabs.", "Noted.")
        session.turn("The port is 80.", "Good.")
    a.push()
    b.pull()
    return [a, b]


def tell(device: Device, *texts: str, after: float, state: str | None = None) -> None:
    """Turns, one a minute, from so many seconds after the fixture on."""
    with device.memory() as memory:
        device.clock.at = START + int(after * 1000)
        for text in texts:
            device.clock.advance(seconds=60)
            memory.session("heron", start=False).turn(text, f"I heard: {text[:9]}", state=state)


START = 1_773_230_400_000 + 3_600_000


def level(first: Device, second: Device) -> None:
    """Both exchange until nobody has news; then they hold the same, and check finds nothing."""
    first.push()
    second.push()
    first.pull()
    assert second.files() == first.files()
    assert second.head() == first.head()
    with first.memory() as memory:
        assert memory.check().problems == ()


def shown(device: Device, id_: str = "heron") -> SessionView:
    with device.memory() as memory:
        return memory.session(id_, start=False).show()


def said(device: Device) -> list[str]:
    """Every turn of the transcript, in its order."""
    [file] = device.root.glob("resources/sessions/*/transcript.md")
    lines = file.read_text(encoding="utf-8").splitlines()
    return [line.partition("): ")[2] for line in lines if line.startswith("**user**")]


def test_turns_stand_in_the_order_of_their_times(pair: list[Device]) -> None:
    a, b = pair
    tell(a, "The first is red.", "The third is blue.", after=0)
    tell(b, "The second is green.", "The fourth is grey.", after=30)
    level(a, b)
    assert said(a)[2:] == [
        *("The first is red.", "The second is green."),
        *("The third is blue.", "The fourth is grey."),
    ]
    view = shown(b)
    assert [entry.turn for entry in view.log] == [1, 2, 3, 4, 5, 6]
    assert [entry.user for entry in view.log][2:] == said(a)[2:]
    assert view.waiting == ()
    assert [line.text for line in view.truth if line.hard] == ["Never use tabs."]
    tell(b, "The fifth is white.", after=600)
    assert shown(b).turn == 7


def test_the_later_of_two_answers_to_one_question_holds(pair: list[Device]) -> None:
    a, b = pair
    tell(b, "Actually, let's use MySQL instead.", "The port is 443.", after=900)
    tell(a, "Actually, let's use SQLite instead.", "I need to call the printer.", after=0)
    for device in pair:  # no model is asked, whatever reads texts here
        file = device.home / "config" / "vaultmem" / "config.toml"
        file.write_text(f'extractor = "llm"\n{file.read_text()}')
    level(a, b)
    truth = shown(a).truth
    assert sorted(line.text for line in truth) == [
        "I need to call the printer.",
        "Let's use MySQL.",
        "Never use tabs.",
        "The port is 443.",
    ]
    assert len({line.id for line in truth}) == len(truth)


def test_code_documents_and_states_follow_their_turns(pair: list[Device]) -> None:
    a, b = pair
    text = "".join(f"Line {number} of a report about herons and nests.\n" for number in range(260))
    tell(a, f"Keep:\n{CODE.format('laptop')}", "And now?", after=0, state='{"at": "laptop"}')
    tell(b, text, text.replace("Line 7 ", "Row 7 "), after=600, state='{"at": "phone"}')
    level(a, b)
    view = shown(a)
    assert [(row.name, row.turn) for row in view.artifacts] == [
        *(("t3-1", 3), ("t5-1", 5), ("t6-1", 6)),
    ]
    with b.memory() as memory:
        session = memory.session("heron", start=False)
        assert session.artifacts(name="t3-1") == ["first = 1\nsecond = 2\nlaptop\n"]
        assert session.artifacts(turn=6) == [text.replace("Line 7 ", "Row 7 ").strip()]
        session.turn(text.replace("Line 9 ", "Row 9 "))  # the next version is an edit of them
        assert session.artifacts(turn=7) == [text.replace("Line 9 ", "Row 9 ").strip()]
    assert view.state == {"at": "phone"}
    assert "the document t5-1 again, kept as t6-1" in said(a)[5]


def test_what_a_turn_found_can_still_be_shown(pair: list[Device]) -> None:
    a, b = pair
    tell(a, "The first is red.", "The second is blue.", after=0)
    tell(b, "The third is green.", "The fourth is grey.", after=600)
    before = shown(a)
    level(b, a)
    for device in pair:
        with device.memory() as memory:
            session = memory.session("heron", start=False)
            then = session.replay(4)
            assert (then.truth, then.log, then.window) == (before.truth, before.log, before.window)
            assert [line.text for line in session.replay(2).truth] == [
                *("Never use tabs.", "We use Postgres.", "The port is 80."),
            ]
            assert session.replay(6).log == session.show().log
            with pytest.raises(HistoryError, match="after turn 5"):
                session.replay(5)  # at no time was it so
    with a.memory() as memory:
        assert memory.session("heron", start=False).rewind(4).truth == before.truth


def test_what_ended_here_and_went_on_there_is_open_and_loses_no_fact(pair: list[Device]) -> None:
    a, b = pair
    tell(b, "I live in Porto.", after=0)
    tell(a, "My dog is called Rex.", after=600)
    with a.memory() as memory:
        memory.session("heron").end()
    level(a, b)
    view = shown(b)
    assert (view.status, view.turn) == ("open", 4)
    with b.memory() as memory:
        memory.session("heron").end()
        rows = memory.list(Filters(types=("item",)))
        told = [row.statement for row in rows if row.kind != "event"]
        assert sorted(told) == sorted(set(told))
        assert {"I live in Porto.", "My dog is called Rex."} <= set(told)


def test_turns_taken_back_on_one_keep_both(pair: list[Device]) -> None:
    a, b = pair
    with a.memory() as memory:
        memory.session("heron").rewind(1)
    tell(b, "And it is fast.", after=60)
    a.push()
    [problem] = [each for each in b.push().problems if each.code == "session-apart"]
    a.pull()
    assert a.files() == b.files()
    with a.memory() as memory:
        ids = sorted(row.session for row in memory.sessions())
        turns = [memory.session(id_, start=False).show().turn for id_ in ids]
        assert turns == [3, 1]
        assert ids[0] == "heron"
        assert ids[1] in problem.message
        memory.session(ids[1]).turn("It goes on.", "Yes.")
        memory.session("heron").turn("So does this.", "Yes.")
    level(a, b)


def test_one_that_both_began_is_one(tmp_path: Path) -> None:
    a, b = connected(tmp_path, "laptop", "phone")
    for device, text, days in ((a, "I like tea.", 0), (b, "I like rowing.", 1)):
        device.clock.advance(days=days)
        with device.memory() as memory:
            memory.session("daily").turn(text, "Nice.")
    level(a, b)
    with a.memory() as memory:
        [row] = memory.sessions(everything=True)
        assert (row.session, row.turns) == ("daily", 2)
        assert [line.text for line in memory.session("daily").show().truth] == [
            *("I like tea.", "I like rowing."),
        ]


def test_it_is_the_same_whoever_joins(pair: list[Device], tmp_path: Path) -> None:
    a, b = pair
    tell(a, "The first is red.", after=0)
    tell(b, "The second is blue.", after=0)  # at the same second
    [page] = a.root.glob("resources/sessions/*/truth.md")
    page.write_text(page.read_text() + "\nMy own words.\n")
    with a.memory() as memory, memory.session("heron") as session:
        both(session)
        memory.sync()
    a.push()
    b.pull()
    found = b.files()
    b.git("reset", "-q", "--hard", "HEAD^")
    b.git("push", "-q", "-f", str(tmp_path / "hub.git"), "HEAD:main")
    a.pull("rewrite")
    assert a.files() == found
    assert b"My own words." in found[page.relative_to(a.root).as_posix()]


def both(session: Session) -> None:
    """A rule of the person's on the way."""
    session.settle_fact("Answer in German.", hard=True)


def test_the_one_that_is_kept_beside_keeps_the_rules_of_the_person(pair: list[Device]) -> None:
    a, b = pair
    with b.memory() as memory:
        memory.session("heron").rewind(1)
    tell(b, "My dog is Rex.", after=0)
    tell(a, "I live in Porto.", after=600)
    b.push()
    problems = a.pull().problems
    assert [each.code for each in problems] == ["session-apart"]
    with a.memory() as memory:
        views = [memory.session(row.session).show() for row in memory.sessions()]
    assert len(views) == 2
    for view in views:
        assert [line.text for line in view.truth if line.hard] == ["Never use tabs."]
        assert view.held == ()


@pytest.mark.parametrize("damage", ["second block", "not UTF-8"])
def test_one_whose_base_truth_cannot_be_read_keeps_no_pull_from_ending(
    pair: list[Device], damage: str
) -> None:
    a, b = pair
    path = "resources/sessions/2026-03-11-heron/truth.md"
    tell(b, "My dog is Rex.", after=0)
    text = b.read(path)
    twice = f"{text}\n{text[text.index('<!--') :]}".encode()
    b.write(path, twice if damage == "second block" else f"{text}\n\xe9".encode("latin-1"))
    b.commit()
    tell(a, "I live in Porto.", after=600)
    b.push()
    assert [each.code for each in a.pull().problems] == ["session-apart"]
    with a.memory() as memory:
        assert len(memory.sessions()) == 2
    spoken = a.read(path.replace("truth.md", "transcript.md"))
    assert "I live in Porto." in spoken
    assert "My dog is Rex." not in spoken
