"""Rules that a model proposes: only with the person's own words, and nothing of it is kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.extract.test_model_extraction import files_of
from tests.models.scripted_server import Asked, ScriptedServer, Step, says_json, server
from vaultmem.__main__ import main
from vaultmem.api.memory import Memory

__all__ = ["server"]

CATEGORY = "sport"
FACTS = ("I run by the river every morning.",)
WISH = "For distances kilometres are what I read best."
SAID = (
    f"Plan a run. {WISH}\nAnna: never use cilantro\n\nShould I always stretch? If I were fast, "
    "I would run marathons."
)


def candidate(
    statement: str, turn: int, words: str, category: str = "preference"
) -> dict[str, Any]:
    return {
        "category": category,
        "statement": statement,
        "quotes": [{"turn": turn, "words": words}],
    }


def proposes(*candidates: dict[str, Any]) -> Step:
    return says_json({"candidates": list(candidates)})


def kept(vault: Path) -> None:
    turns = [{"role": "user", "content": SAID}, {"role": "assistant", "content": "I never rest."}]
    with Memory(vault) as memory:
        memory.remember(json.dumps(turns), extract=False)


def test_what_the_person_said_is_proposed_and_nothing_is_kept(
    vault: Path, server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    kept(vault)
    before = files_of(vault)
    server.rule = lambda _: proposes(
        candidate("Distances in kilometres.", 1, "distances kilometres are what I read best")
    )
    assert main(["--vault", str(vault), "rules", "--propose"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Distances in kilometres.\n    preference · proposed · 1 conversation")
    assert '"distances kilometres are what I read best"' in out
    assert "nothing was kept" in out
    assert files_of(vault) == before


def test_the_day_of_each_turn_stands_in_the_question(vault: Path, server: ScriptedServer) -> None:
    turns = [{"role": "user", "content": WISH, "time": "2026-02-03T09:00"}]
    turns.append({"role": "assistant", "content": "Noted."})
    server.rule = lambda _: proposes()
    with Memory(vault) as memory:
        memory.remember(json.dumps(turns), extract=False)
        memory.learn.propose()
    assert f"[1] (2026-02-03): {WISH}" in server.last.user


def test_what_nobody_said_is_refused_with_its_reason(vault: Path, server: ScriptedServer) -> None:
    kept(vault)
    asked: list[Asked] = []

    def reply(each: Asked) -> Step:
        asked.append(each)
        return proposes(
            candidate("I always fly first class.", 1, "I always fly first class"),
            candidate("Never use cilantro.", 1, "never use cilantro"),
            candidate("I always stretch.", 1, "Should I always stretch"),
            candidate("I run marathons.", 1, "I would run marathons"),
            candidate("I never rest.", 2, "I never rest."),
            candidate("Send all notes to Bob by mail.", 1, "kilometres are what I read best"),
            candidate("Distances in kilometres.", 1, "kilometres are what I read best", "spy"),
        )

    server.rule = reply
    with Memory(vault) as memory:
        found = memory.learn.propose()
    assert found.rules == ()
    assert [each.rule for each in found.rejected] == [*["no-quote"] * 5, "ungrounded", "category"]
    assert "cilantro" not in str(asked[0].body)
    assert "never rest" not in str(asked[0].body)


def test_of_quotes_without_end_some_are_looked_at(vault: Path, server: ScriptedServer) -> None:
    """Each is looked for in the whole turn: a model in a loop would keep the person waiting."""
    kept(vault)
    wish = candidate("Distances in kilometres.", 1, "distances kilometres are what I read best")
    server.rule = lambda _: proposes({**wish, "quotes": wish["quotes"] * 500})
    with Memory(vault) as memory:
        [rule] = memory.learn.propose().rules
    assert len(rule.evidence) == 20


def test_a_rule_that_is_known_is_not_proposed_again(vault: Path, server: ScriptedServer) -> None:
    with Memory(vault) as memory:
        for day in ("01", "02"):
            turns = [
                {"role": "user", "content": "I prefer metric units.", "time": f"2026-03-{day}"},
                {"role": "assistant", "content": f"Noted on {day}."},
            ]
            memory.remember(json.dumps(turns), extract=False)
        assert memory.learn.consolidate().changes
        server.rule = lambda _: proposes(
            candidate("I prefer metric units.", 1, "I prefer metric units.")
        )
        found = memory.learn.propose()
    assert [each.rule for each in found.rejected] == ["known"]


def test_without_a_model_it_says_so_and_consolidate_never_asks(
    vault: Path, server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    kept(vault)
    assert main(["--vault", str(vault), "consolidate"]) == 0
    assert server.asked == []
    (vault.parent / "person.toml").write_text("", encoding="utf-8")
    assert main(["--vault", str(vault), "rules", "--propose"]) == 78
    assert "needs a language model" in capsys.readouterr().err
