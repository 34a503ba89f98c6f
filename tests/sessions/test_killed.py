"""The conversation of 60 turns with a model that fails one time in ten, and kill -9 in between."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.models.scripted_server import (
    Asked,
    ScriptedServer,
    Step,
    refused,
    says,
    says_json,
    server,
)
from tests.sessions.conversation import CODE, DONE_TASK, FACTS, HARD, OPEN_TASK, TURNS, Spoken
from tests.sessions.talking import SESSION
from vaultmem.api.memory import Memory

__all__ = ["server"]

# Turn -> how the model fails at first. Turn 17 stays without a summary until 45 said otherwise.
FAILS = {
    6: says("I would rather talk about the weather."),
    17: refused(400, "no"),
    20: says('{"user_summary": 5}'),
    33: says("{}", finish="length"),
    42: says_json({"user_summary": "x", "assistant_summary": "y", "diff": {"add": "text"}}),
    55: refused(401, "no"),
}
LATE, UNTIL = 17, 46
KILLED_ASKING = (37,)  # while the model thinks about this turn
KILLED_AFTER = (24,)  # right after this turn was acknowledged


class Model:
    """Answers what a good summariser would, but for the failures; kills who asks, when told to."""

    def __init__(self) -> None:
        self.asked: Counter[int] = Counter()
        self.newest = 0
        self.killed: set[int] = set()
        self.process: subprocess.Popen[str] | None = None

    def __call__(self, asked: Asked) -> Step:
        number, spoken = _turn_of(asked)
        self.asked[number] += 1
        self.newest = max(self.newest, number)
        if number in KILLED_ASKING and number not in self.killed:
            self.killed.add(number)
            assert self.process is not None
            os.kill(self.process.pid, signal.SIGKILL)
        if number in FAILS and self._still_fails(number):
            return FAILS[number]
        diff = {
            key: list(getattr(spoken, key))
            for key in ("add", "update", "remove", "hard", "tasks", "done")
        }
        summary = {"user_summary": spoken.user[:60], "assistant_summary": spoken.assistant}
        return says_json({**summary, "diff": diff})

    def _still_fails(self, number: int) -> bool:
        return self.newest < UNTIL if number == LATE else self.asked[number] <= 2


def _turn_of(asked: Asked) -> tuple[int, Spoken]:
    said = json.loads(asked.user)["turn"]["person"]
    for number, spoken in enumerate(TURNS, start=1):
        if said == spoken.user.strip() or (number == 25 and said.startswith("(the document")):
            return number, spoken
        if len(spoken.user) > 5000 and said[:200] == spoken.user[:200]:
            return number, spoken
    raise AssertionError(f"nobody said {said[:80]!r}")


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9")
def test_nothing_acknowledged_is_lost_and_base_truth_is_what_holds(
    tmp_path: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = Model()
    server.rule = model
    config = tmp_path / "person.toml"
    config.write_text(server.settings(), encoding="utf-8")
    monkeypatch.setenv("VAULTMEM_CONFIG", str(config))
    root = tmp_path / "vault"
    Memory.init(root, name="killed")
    kept = 0
    for _ in range(len(KILLED_ASKING) + len(KILLED_AFTER) + 1):
        kept = _talk(root, kept + 1, model)
    assert kept == len(TURNS)
    assert model.killed == {*KILLED_ASKING, *KILLED_AFTER}

    with Memory(root) as memory:
        session = memory.session(SESSION, start=False)
        session.summarise()
        view = session.show()
        assert view.waiting == ()
        assert {line.text for line in view.truth if not line.hard and not line.task} == FACTS
        assert {line.text for line in view.truth if line.hard} == HARD
        tasks = {line.text: line.task for line in view.truth if line.task}
        assert tasks == {OPEN_TASK: "open", DONE_TASK: "done"}
        assert session.artifacts(turn=3) == [CODE]
        assert session.prompt("And now?", budget=4000).tokens <= 4000
        amended = {entry.amends for entry in view.log if entry.amends}
        assert amended == FAILS.keys()
        late = next(entry for entry in view.log if entry.amends == LATE)
        assert any("overtaken_since: Opening hour: 8" in each for each in late.warnings)
        # Every turn once, in order; said again by the next process, it was known.
        transcript = (memory.root / view.folder / "transcript.md").read_text("utf-8")
        for spoken in TURNS[6:16]:
            assert transcript.count(spoken.user) == 1
        assert view.turn == len(TURNS)
        assert not memory.check().problems


def _talk(root: Path, first: int, model: Model) -> int:
    """Let a process talk until it ends or is killed; the last turn that it acknowledged."""
    kept = first - 1
    command = [sys.executable, "-m", "tests.sessions.talking", str(root), str(first)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]
    ) as process:
        model.process = process
        assert process.stdout is not None
        for line in process.stdout:
            kept = int(line)
            if kept in KILLED_AFTER and kept not in model.killed:
                model.killed.add(kept)
                process.kill()
    return kept


def test_a_model_prunes_within_the_guards_and_is_told_what_the_person_wrote(
    tmp_path: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    prunings: list[list[str]] = []

    def rule(asked: Asked) -> Step:
        question = json.loads(asked.user)
        if "turn" in question:
            assert asked.system.startswith("Write 25 words, briefly.")
            said = question["turn"]["person"]
            diff = {"add": [said], "hard": [said] if "Never" in said else []}
            return says_json({"user_summary": said, "assistant_summary": "ok", "diff": diff})
        prunings.append(question["facts"])
        kept = [fact for fact in question["facts"] if "green" in fact]
        return says_json({"keep": kept})

    server.rule = rule
    config = tmp_path / "person" / "config.toml"
    (config.parent / "prompts").mkdir(parents=True)
    own = config.parent / "prompts" / "session_turn.md"
    own.write_text("mine 1\nWrite {user_words} words, briefly.\n", encoding="utf-8")
    config.write_text(f"{server.settings()}\n[sessions]\nprune_every = 3\n", encoding="utf-8")
    monkeypatch.setenv("VAULTMEM_CONFIG", str(config))
    Memory.init(tmp_path / "vault", name="pruned")
    with Memory(tmp_path / "vault") as memory:
        session = memory.session(SESSION)
        said = (
            "Never use tabs here",
            "The garden house is oak",
            "The garden house is oak and painted green",
        )
        for text in said:
            session.turn(text, "ok")
        assert prunings == [list(said)]
        assert [line.text for line in session.show().truth] == [said[0], said[2]]
        assert session.replay(3).truth == session.show().truth
