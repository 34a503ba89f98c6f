"""Insights that a model draws: their evidence, their trust, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import FixedClock
from tests.extract.test_model_extraction import files_of
from tests.learn.test_model_summaries import number_of
from tests.models.scripted_server import (
    Asked,
    ScriptedServer,
    Step,
    refused,
    says,
    says_json,
    server,
)
from vaultmem.__main__ import main
from vaultmem.api.memory import Memory
from vaultmem.learn.reflect import Noted, input_of
from vaultmem.model.answers import Filters

__all__ = ["server"]

CATEGORY = "sport"
FACTS = (
    "I run by the river every morning.",
    "I swim in the lake on Sundays.",
    "I sold my car in May.",
)
INSIGHT = "I keep moving, by the river every morning and in the lake on Sundays."


def insight(statement: str, *evidence: int, importance: int = 5) -> dict[str, Any]:
    return {"statement": statement, "evidence": list(evidence), "importance": importance}


def draws(*insights: dict[str, Any]) -> Step:
    return says_json({"insights": list(insights)})


def good(asked: Asked) -> Step:
    return draws(insight(INSIGHT, number_of(asked, "run"), number_of(asked, "swim")))


def reflect(vault: Path, *arguments: str) -> int:
    return main(["--vault", str(vault), "reflect", *arguments])


def test_an_insight_has_its_evidence_and_is_the_models_word(
    vault: Path, server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.rule = good
    assert reflect(vault, "--now") == 0
    out = capsys.readouterr().out
    assert out.startswith("reflected on 3 notes; what is new weighs ")
    assert f"+ {INSIGHT}\n    rests on i-" in out
    with Memory(vault) as memory:
        (row,) = memory.list(Filters(kinds=("reflection",)))
        assert (row.statement, row.writer, row.trust) == (INSIGHT, "agent", "limited")
        assert (row.importance, row.stream, row.categories) == (8, "", ("sport",))
        assert len(row.source) == 2
        note = (vault / row.path).read_text(encoding="utf-8")
        assert note.count("[[i-run-by-the-river") + note.count("[[i-swim-in-the-lake") >= 2
        assert "follows_from:" in note
        assert memory.check().problems == ()
        assert memory.history.log(limit=1)[0].subject == f"reflect: {INSIGHT.rstrip('.')}"


def test_today_and_the_day_of_each_note_stand_in_the_question(
    vault: Path, server: ScriptedServer
) -> None:
    server.rule = good
    with Memory(vault, clock=FixedClock()) as memory:
        memory.learn.reflect(now=True, dry_run=True)
    _, today, *lines = server.last.user.split("\n")
    assert today == "Today: 2026-03-11"
    noted = [line for line in lines if line.startswith("[")]
    assert len(noted) == len(FACTS)
    assert all(re.search(r" \(\d{4}-\d\d-\d\d\)$", line) for line in noted)


def test_little_that_is_new_is_not_worth_it(
    vault: Path, server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert reflect(vault) == 0
    assert "of 150: nothing to reflect on yet" in capsys.readouterr().out
    assert server.asked == []


def test_one_note_alone_is_no_evidence_and_nobody_is_asked(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    server: ScriptedServer,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "person.toml").write_text(server.settings(), encoding="utf-8")
    monkeypatch.setenv("VAULTMEM_CONFIG", str(tmp_path / "person.toml"))
    Memory.init(tmp_path / "one", name="one")
    with Memory(tmp_path / "one", clock=FixedClock()) as memory:
        memory.remember(FACTS[0])
    assert reflect(tmp_path / "one", "--now") == 0
    assert "1 note to reflect on: an insight rests on at least 2\n" in capsys.readouterr().out
    assert server.asked == []


def test_what_is_known_is_not_kept_twice(vault: Path, server: ScriptedServer) -> None:
    server.rule = good
    reflect(vault, "--now")
    server.rule = lambda asked: draws(
        insight(
            INSIGHT.replace("keep moving", "always keep moving"),
            number_of(asked, "I run"),
            number_of(asked, "I swim"),
            number_of(asked, "my car"),
        )
    )
    reflect(vault, "--now")
    with Memory(vault) as memory:
        (row,) = memory.list(Filters(kinds=("reflection",)))
        assert row.confidence == pytest.approx(0.72)
        assert "sold-my-car" in (vault / row.path).read_text(encoding="utf-8")


def test_evidence_that_ended_makes_it_less_sure(
    vault: Path, server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.rule = good
    reflect(vault, "--now")
    with Memory(vault, clock=FixedClock()) as memory:
        items = memory.list(Filters(types=("item",)))
        (swims,) = [row for row in items if row.statement == FACTS[1]]
        memory.facts.retract(swims.id)
    server.rule = lambda _: draws()
    capsys.readouterr()
    reflect(vault, "--now")
    assert "- less sure, 1 of 2 notes hold (0.6 → 0.3): " in capsys.readouterr().out
    reflect(vault, "--now")
    assert "nothing was written" in capsys.readouterr().out  # it is not weakened again and again


REFUSED = {
    "no-evidence": lambda a: insight(INSIGHT, number_of(a, "I run")),
    "repeats-a-note": lambda a: insight(FACTS[0], 1, 2, 3),
    "ungrounded": lambda _: insight("I secretly dream of becoming an astronaut on Mars.", 1, 2),
    "question": lambda _: insight("Do I run by the river or swim in the lake?", 1, 2),
    "too-short": lambda _: insight("River.", 1, 2),
    "too-long": lambda _: insight("I run by the river. " * 40, 1, 2),
}


def test_an_insight_without_ground_is_refused_by_a_rule(
    vault: Path, server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    before = files_of(vault)
    for rule, offered in REFUSED.items():
        server.rule = lambda asked, offered=offered: draws(offered(asked))
        assert reflect(vault, "--now") == 0
        assert f"({rule})" in capsys.readouterr().out, rule
    assert files_of(vault) == before


FAILURES: dict[str, tuple[Step, int]] = {
    "nonsense": (says("Let me think."), 76),
    "cut": (says("{", finish="length"), 76),
    "wrong types": (says_json({"insights": [{"statement": 1}]}), 76),
    "wrong key": (refused(401, "no"), 77),
    "no money": (refused(429, "no", code="insufficient_quota"), 77),
    "no model": (refused(404, "no"), 78),
}


def test_a_failure_changes_nothing_and_has_its_exit_code(
    vault: Path, server: ScriptedServer
) -> None:
    before = files_of(vault)
    for name, (step, code) in FAILURES.items():
        server.rule = lambda _, step=step: step
        assert reflect(vault, "--now") == code, name
    assert files_of(vault) == before


def test_a_dry_run_writes_nothing(
    vault: Path, server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    before = files_of(vault)
    server.rule = good
    assert reflect(vault, "--now", "--dry-run") == 0
    assert INSIGHT in capsys.readouterr().out
    assert files_of(vault) == before


def test_without_a_model_the_command_says_that_it_needs_one(
    vault: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "person.toml").write_text("", encoding="utf-8")
    assert reflect(vault) == 78
    assert "a reflection needs a language model" in capsys.readouterr().err


def noted(count: int, depth: int = 0) -> list[Noted]:
    return [Noted(id=f"{depth}-{n}", statement=f"{n}", depth=depth) for n in range(count)]


@pytest.mark.parametrize(
    ("notes", "insights", "read"),
    [(10, 0, (10, 0)), (200, 0, (100, 0)), (200, 80, (50, 50)), (3, 80, (3, 3)), (0, 80, (0, 0))],
)
def test_insights_are_at_most_half_of_what_is_read(
    notes: int, insights: int, read: tuple[int, int]
) -> None:
    found = input_of([*noted(insights, 1), *noted(notes)], most=100, depth=2)
    assert (sum(not n.depth for n in found), sum(bool(n.depth) for n in found)) == read


def test_insights_on_insights_are_no_input() -> None:
    assert input_of([*noted(5, 2), *noted(5)], most=100, depth=2) == tuple(noted(5))


def test_the_quick_one_reads_the_last_conversations_only(
    vault: Path, server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    with Memory(vault) as memory:
        for number in range(3):
            with memory.session(f"talk-{number}") as session:
                session.turn(f"The kiln fired batch {number} of the blue plates.", "Noted.")
                session.end()
        talks = [row.id for row in memory.list(Filters(kinds=("event",)))]
    with (vault / "vaultmem.toml").open("a", encoding="utf-8") as settings:
        settings.write("\n[reflection]\nquick_sessions = 2\nquick_insights = 1\n")
    server.asked.clear()
    server.rule = lambda _: draws(
        insight("The kiln fires batches of blue plates.", 1, 2),
        insight("The blue plates come in batches from the kiln.", 1, 2),
    )
    assert reflect(vault, "--quick") == 0
    out = capsys.readouterr().out
    assert out.startswith("reflected on 2 notes; ")
    assert FACTS[0] not in str(server.asked[-1])
    with Memory(vault) as memory:
        (row,) = memory.list(Filters(kinds=("reflection",)))
        note = (vault / row.path).read_text(encoding="utf-8")
    assert sum(id_ in note for id_ in talks) == 2
