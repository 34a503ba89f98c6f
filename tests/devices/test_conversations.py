"""A conversation that two devices went on with: both are kept whole, no turn is lost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.devices.devices import Device, connected
from vaultmem.api.conversation_verbs import Session
from vaultmem.model.answers import Filters
from vaultmem.model.session_files import SessionView

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


def said(device: Device, id_: str = "heron") -> list[str]:
    """Every turn of the transcript, in its order."""
    [file] = device.root.glob(f"resources/sessions/*-{id_}/transcript.md")
    lines = file.read_text(encoding="utf-8").splitlines()
    return [line.partition("): ")[2] for line in lines if line.startswith("**user**")]


def beside(device: Device) -> str:
    """The id of the one that is kept beside `heron`."""
    with device.memory() as memory:
        [other] = {row.session for row in memory.sessions.list(everything=True)} - {"heron"}
    assert re.fullmatch("heron-[0-9a-f]{6}", other)
    return other


def meet(first: Device, second: Device) -> list[str]:
    """Both exchange until they hold the same; the codes that the second one was told."""
    first.push()
    told = [each.code for each in second.push().problems]
    first.pull()
    assert second.files() == first.files()
    assert second.head() == first.head()
    return told


COMMON = ["We use Postgres. Never use tabs.", "The port is 80."]


def test_both_are_kept_and_check_says_so_until_one_is_changed(pair: list[Device]) -> None:
    a, b = pair
    tell(a, "The first is red.", "The third is blue.", after=0)
    tell(b, "The second is green.", "The fourth is grey.", after=30)
    assert meet(a, b) == ["session-apart"]
    other = beside(b)
    assert said(b) == [*COMMON, "The second is green.", "The fourth is grey."]
    assert said(b, other) == [*COMMON, "The first is red.", "The third is blue."]
    for device in pair:  # not only the one that merged
        with device.memory() as memory:
            [problem] = memory.check().problems
        assert (problem.code, problem.path.parent.name) == ("session-apart", "2026-03-11-heron")
        assert other in problem.message
    for id_ in ("heron", other):
        view = shown(b, id_)
        assert [entry.turn for entry in view.log] == [1, 2, 3, 4]
        assert [entry.user for entry in view.log] == said(b, id_)
        assert view.waiting == ()
        assert [line.text for line in view.truth if line.hard] == ["Never use tabs."]
    tell(b, "The fifth is white.", after=600)
    assert (shown(b).turn, shown(b, other).turn) == (5, 4)
    level(b, a)


def found_by_recall(device: Device) -> list[bool]:
    """Whether a turn that only the laptop heard is found, and one that only the phone did."""
    asked = (("heron ringed Lough Neagh", "XR4"), ("spoonbill Wadden Island", "QP9"))
    with device.memory() as memory:
        answers = [(memory.recall(question).hits, code) for question, code in asked]
    return [
        any(code in passage.text for hit in hits for passage in hit.passages)
        for hits, code in answers
    ]


def test_a_session_that_only_sounds_like_one_put_apart_is_not_told_of(pair: list[Device]) -> None:
    a, b = pair
    with a.memory() as memory:
        memory.session("heron-2026aa").turn("A plan of its own.", "Yes.")
    a.push()
    assert b.pull().problems == ()


def test_recall_finds_every_turn_of_both_open_or_ended(pair: list[Device]) -> None:
    a, b = pair
    tell(a, "The heron ringed at Lough Neagh wears the code XR4.", after=0)
    tell(b, "The spoonbill at Wadden Island wears the code QP9.", after=600)
    assert (found_by_recall(a), found_by_recall(b)) == ([True, False], [False, True])
    meet(a, b)
    assert found_by_recall(a) == found_by_recall(b) == [True, True]
    with a.memory() as memory:
        for id_ in ("heron", beside(a)):
            memory.session(id_).end()
    assert found_by_recall(a) == [True, True]


def test_each_keeps_its_own_answer_to_one_question(pair: list[Device]) -> None:
    a, b = pair
    tell(b, "Actually, let's use MySQL instead.", "The port is 443.", after=900)
    tell(a, "Actually, let's use SQLite instead.", "I need to call the printer.", after=0)
    for device in pair:  # no model is asked, whatever reads texts here
        file = device.home / "config" / "vaultmem" / "config.toml"
        file.write_text(f'extractor = "llm"\n{file.read_text()}')
    meet(a, b)
    assert sorted(line.text for line in shown(a).truth) == [
        *("Let's use MySQL.", "Never use tabs.", "The port is 443."),
    ]
    assert sorted(line.text for line in shown(a, beside(a)).truth) == [
        *("I need to call the printer.", "Let's use SQLite.", "Never use tabs.", "The port is 80."),
    ]


def test_code_documents_and_states_stay_with_their_turns(pair: list[Device]) -> None:
    a, b = pair
    text = "".join(f"Line {number} of a report about herons and nests.\n" for number in range(260))
    tell(a, f"Keep:\n{CODE.format('laptop')}", "And now?", after=0, state='{"at": "laptop"}')
    tell(b, text, text.replace("Line 7 ", "Row 7 "), after=600, state='{"at": "phone"}')
    meet(a, b)
    other = beside(a)
    assert [(row.name, row.turn) for row in shown(a).artifacts] == [("t3-1", 3), ("t4-1", 4)]
    assert [(row.name, row.turn) for row in shown(a, other).artifacts] == [("t3-1", 3)]
    assert (shown(a).state, shown(a, other).state) == ({"at": "phone"}, {"at": "laptop"})
    with b.memory() as memory:
        assert memory.session(other, start=False).artifacts(name="t3-1") == [
            "first = 1\nsecond = 2\nlaptop\n"
        ]
        session = memory.session("heron", start=False)
        assert session.artifacts(turn=4) == [text.replace("Line 7 ", "Row 7 ").strip()]
        session.turn(text.replace("Line 9 ", "Row 9 "))  # the next version is an edit of them
        assert session.artifacts(turn=5) == [text.replace("Line 9 ", "Row 9 ").strip()]
    assert "the document t3-1 again, kept as t4-1" in said(a)[3]


def test_what_a_turn_found_can_still_be_shown(pair: list[Device]) -> None:
    a, b = pair
    tell(a, "The first is red.", "The second is blue.", after=0)
    early = shown(a)
    tell(b, "The third is green.", "The fourth is grey.", after=600)
    late = shown(b)
    meet(b, a)
    other = beside(a)
    for device in pair:
        for id_, before in ((other, early), ("heron", late)):
            with device.memory() as memory:
                session = memory.session(id_, start=False)
                then = session.replay(4)
                assert (then.truth, then.log, then.window) == (
                    *(before.truth, before.log, before.window),
                )
                assert session.replay(3).log == before.log[:3]
                assert session.replay(3).session == id_
                assert [line.text for line in session.replay(2).truth] == [
                    *("Never use tabs.", "We use Postgres.", "The port is 80."),
                ]
    with a.memory() as memory:
        session = memory.session(other, start=False)
        assert session.rewind(3).log == early.log[:3]
        session.turn("And so on.", "Yes.")
        memory.session("heron").turn("And so does this.", "Yes.")
    level(a, b)


def test_what_ended_here_and_went_on_there_is_one_and_loses_no_fact(pair: list[Device]) -> None:
    a, b = pair
    tell(b, "I live in Porto.", after=0)
    with a.memory() as memory:
        memory.session("heron").end()
    level(a, b)
    view = shown(a)
    assert (view.status, view.turn) == ("open", 3)
    with b.memory() as memory:
        memory.session("heron").end()
        rows = memory.list(Filters(types=("item",)))
        told = [row.statement for row in rows if row.kind != "event"]
        assert sorted(told) == sorted(set(told))
        assert {"I live in Porto.", "We use Postgres."} <= set(told)
        [row] = memory.sessions.list(everything=True)
        assert (row.session, row.status) == ("heron", "ended")


def test_one_that_ended_on_both_is_one(pair: list[Device]) -> None:
    for device in pair:
        device.clock.advance(seconds=3600)
        with device.memory() as memory:
            memory.session("heron").end()
    level(*pair)
    with pair[0].memory() as memory:
        [row] = memory.sessions.list(everything=True)
        assert (row.session, row.status, row.turns) == ("heron", "ended", 2)


def test_what_ended_with_more_said_and_went_on_there_loses_no_fact(pair: list[Device]) -> None:
    a, b = pair
    tell(b, "I live in Porto.", after=0)
    tell(a, "My dog is called Rex.", after=600)
    with a.memory() as memory:
        memory.session("heron").end()
    meet(a, b)
    other = beside(b)
    assert (shown(b).status, shown(b, other).status) == ("ended", "open")
    with b.memory() as memory:
        memory.session(other).end()
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
        ids = sorted(row.session for row in memory.sessions.list())
        turns = [memory.session(id_, start=False).show().turn for id_ in ids]
        assert turns == [3, 1]
        assert ids[0] == "heron"
        assert ids[1] in problem.message
        memory.session(ids[1]).turn("It goes on.", "Yes.")
        memory.session("heron").turn("So does this.", "Yes.")
    level(a, b)


def test_of_one_that_both_began_both_are_kept(tmp_path: Path) -> None:
    a, b = connected(tmp_path, "laptop", "phone")
    for device, text, days in ((a, "I like tea.", 0), (b, "I like rowing.", 1)):
        device.clock.advance(days=days)
        with device.memory() as memory, memory.session("daily") as session:
            session.turn(text, "Nice.")
            both(session)
    assert meet(a, b) == ["session-apart"]
    with a.memory() as memory:
        ids = sorted(row.session for row in memory.sessions.list(everything=True))
        assert ids[0] == "daily"
        views = [memory.session(id_).show() for id_ in ids]
    assert [[line.text for line in view.truth] for view in views] == [
        ["Answer in German.", "I like rowing."],
        ["Answer in German.", "I like tea."],
    ]
    assert [view.held for view in views] == [(), ()]


def test_it_is_the_same_whoever_merges(pair: list[Device], tmp_path: Path) -> None:
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
    pages = [data for name, data in found.items() if name.endswith("/truth.md")]
    assert len(pages) == 2
    assert b"My own words." in b"".join(pages)


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
        views = [memory.session(row.session).show() for row in memory.sessions.list()]
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
        assert len(memory.sessions.list()) == 2
    spoken = a.read(path.replace("truth.md", "transcript.md"))
    assert "I live in Porto." in spoken
    assert "My dog is Rex." not in spoken
