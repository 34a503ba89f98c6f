"""`vaultmem chat`: questions in, replies out, and the next conversation knows the first."""

from __future__ import annotations

import io
import json
import signal
import time
from pathlib import Path
from threading import Event

import pytest

from tests.models.scripted_server import (
    Asked,
    ScriptedServer,
    Step,
    event,
    hangs,
    refused,
    says,
    server,
    then,
)
from vaultmem.__main__ import main
from vaultmem.api.memory import Memory

__all__ = ["server"]


@pytest.fixture
def root(tmp_path: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A vault, and the settings of a person who has a model."""
    config = tmp_path / "person.toml"
    config.write_text(server.settings(), encoding="utf-8")
    monkeypatch.setenv("VAULTMEM_CONFIG", str(config))
    Memory.init(tmp_path / "notes", name="notes")
    return tmp_path / "notes"


def talk(root: Path, monkeypatch: pytest.MonkeyPatch, *lines: str, session: str = "one") -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    return main(["chat", session, "--vault", str(root)])


def answers(asked: Asked) -> Step:
    """Streams are the chat; a question for JSON is phase 2."""
    if asked.is_streamed:
        return says("She lives in Bergen, as you said.")
    said = json.loads(asked.user)["turn"]["person"]
    diff = {"add": [said]} if "Clara" in said and "?" not in said else {}
    return says(json.dumps({"user_summary": said, "assistant_summary": "ok", "diff": diff}))


def test_the_second_conversation_knows_the_first(
    root: Path,
    server: ScriptedServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    server.rule = answers
    assert talk(root, monkeypatch, "My sister Clara lives in Bergen.", "/quit") == 0
    told = capsys.readouterr()
    assert told.out.startswith("She lives in Bergen, as you said.\n")
    assert "+ My sister Clara lives in Bergen." in told.err
    assert "ended session 'one' after 1 turn " in told.out

    server.asked.clear()
    assert talk(root, monkeypatch, "Where does Clara live?", session="two") == 0
    [asked] = [each for each in server.asked if each.is_streamed]
    assert "My sister Clara lives in Bergen." in asked.system
    assert asked.user == "Where does Clara live?"


def test_a_reply_that_breaks_is_told_and_nothing_is_kept(
    root: Path,
    server: ScriptedServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    server.rule = lambda _: refused(401, "no key")
    assert talk(root, monkeypatch, "Hello?", "/leave") == 0
    assert "nothing of this turn was kept" in capsys.readouterr().err
    with Memory(root) as memory:
        assert memory.session("one", start=False).show().turn == 0


class Impatient(io.TextIOWrapper):
    """A terminal at which somebody types Ctrl-C as soon as a reply begins."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8")

    def write(self, text: str) -> int:
        if "As far as" in text:
            signal.raise_signal(signal.SIGINT)
        return super().write(text)


def test_a_reply_that_a_person_ends_is_kept_as_far_as_it_came(
    root: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    half = event({"choices": [{"index": 0, "delta": {"content": "As far as"}}]})
    server.steps = [then(half, ending=hangs)]
    server.rule = answers
    monkeypatch.setattr("sys.stdout", Impatient())
    # Also where the tests were begun in the background, with this signal ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        assert talk(root, monkeypatch, "My sister Clara lives in Bergen.", "Really?", "/leave") == 0
    finally:
        signal.signal(signal.SIGINT, before)
    with Memory(root) as memory:
        view = memory.session("one", start=False).show()
    said = [(each.user, each.assistant) for each in view.window]
    assert said == [
        ("My sister Clara lives in Bergen.", "As far as"),
        ("Really?", "She lives in Bergen, as you said."),
    ]
    assert [fact.text for fact in view.truth] == ["My sister Clara lives in Bergen."]


def test_the_memory_can_be_asked_and_changed_in_between(
    root: Path,
    server: ScriptedServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    server.rule = answers
    lines = (
        "My sister Clara lives in Bergen.",
        "/memory",
        '/memory remember "I prefer tea."',
        "/memory search tea",
        "/memory purge",
        "/nonsense",
        "/leave",
    )
    assert talk(root, monkeypatch, *lines) == 0
    told = capsys.readouterr()
    assert "Holds now:\n  My sister Clara lives in Bergen." in told.out
    assert "remembered 1 item" in told.out
    assert told.out.count("I prefer tea.") >= 2
    assert "no command is called '/nonsense'" in told.err
    with Memory(root) as memory:
        assert [row.status for row in memory.sessions.list()] == ["open"]


def test_undo_takes_back_a_whole_turn_or_what_was_done_since(
    root: Path,
    server: ScriptedServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    server.rule = answers
    lines = (
        *("My sister Clara lives in Bergen.", "My cousin Clara lives in Oslo."),
        *('/memory remember "I prefer tea."', "/memory undo", "/memory undo"),
    )
    assert talk(root, monkeypatch, *lines, "/leave") == 0
    told = capsys.readouterr()
    assert "remember: I prefer tea" in told.out
    assert "took back turn 2: My cousin Clara lives in Oslo." in told.err
    with Memory(root) as memory:
        view = memory.session("one", start=False).show()
    assert (view.turn, view.waiting) == (1, ())
    assert [line.text for line in view.truth] == ["My sister Clara lives in Bergen."]
    assert talk(root, monkeypatch, "/memory undo", "/memory undo", "/leave") == 0
    told = capsys.readouterr()
    assert "took back turn 1" in told.err
    assert "no turn is left" in told.err
    with Memory(root) as memory:
        assert memory.session("one", start=False).show().turn == 0


def test_a_chat_goes_on_when_its_memory_was_cleared(
    root: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.rule = answers
    clear = "/memory clear --yes"
    told = ("My sister Clara lives in Bergen.", clear, "/memory", "Who is Clara?", clear, "/quit")
    assert talk(root, monkeypatch, *told) == 0
    assert talk(root, monkeypatch, "Who is Clara?", clear, "Where is she?", "/leave") == 0
    with Memory(root) as memory:
        view = memory.session("one", start=False).show()
    assert [each.user for each in view.window] == ["Where is she?"]


def test_a_turn_in_the_background_is_summarised_by_another_process(
    root: Path,
    server: ScriptedServer,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    may_answer = Event()

    def slow(asked: Asked) -> Step:
        may_answer.wait(60)
        return answers(asked)

    server.rule = slow
    said = "My sister Clara lives in Bergen."
    (root / "click.py").write_text("raise SystemExit('a file of the vault was run')\n")
    monkeypatch.chdir(root)
    at = ["--vault", str(root), "session"]
    assert main([*at, "turn", "one", "--user", said, "--background"]) == 0
    assert "waiting for a summary: turn 1" in capsys.readouterr().out
    with Memory(root) as memory:
        session = memory.session("one", start=False)
        assert session.show().waiting == (1,)  # the command is through, the model is still asked
        may_answer.set()
        ends = time.monotonic() + 60
        while session.show().waiting and time.monotonic() < ends:
            memory.sync()
        assert [fact.text for fact in session.show().truth] == [said]


def test_without_a_model_it_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Memory.init(tmp_path / "notes", name="notes")
    assert talk(tmp_path / "notes", monkeypatch, "Hello?") == 78
    assert "no language model is set" in capsys.readouterr().err
    with Memory(tmp_path / "notes") as memory:
        assert memory.sessions.list() == ()
