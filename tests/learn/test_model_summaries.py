"""Summaries that a model writes: what they may say, and when they go."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import FixedClock
from tests.extract.test_model_extraction import files_of, item, offers
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

__all__ = ["server"]

CATEGORY = "family"
FACTS = (
    "My sister Lena is a vegetarian.",
    "My sister Lena lives in Porto.",
    "My brother Jonas plays the cello.",
)
SUMMARY = "Lena is a vegetarian and lives in Porto."


def sentence(text: str, *statements: int) -> dict[str, Any]:
    return {"text": text, "statements": list(statements)}


def writes(*sentences: dict[str, Any]) -> Step:
    return says_json({"sentences": list(sentences)})


def number_of(asked: Asked, words: str) -> int:
    """The number of the statement that holds these words."""
    (line,) = [line for line in asked.user.split("\n") if words in line and line.startswith("[")]
    return int(line[1 : line.index("]")])


def about_lena(asked: Asked) -> Step:
    vegetarian, porto = number_of(asked, "vegetarian"), number_of(asked, "Porto")
    return writes(sentence(SUMMARY, vegetarian, porto))


def category(vault: Path) -> str:
    return (vault / "categories" / "family.md").read_text(encoding="utf-8")


def summarise(vault: Path, *arguments: str) -> int:
    return main(["--vault", str(vault), "summarise", *arguments])


def test_a_summary_stands_above_the_list(
    vault: Path, server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    before = category(vault)
    server.rule = about_lena
    assert summarise(vault, "family") == 0
    out = capsys.readouterr().out
    assert out.startswith(f"~ summary of categories/family.md: 1 sentence\n    {SUMMARY}\ncommit ")
    told, gap, *rest = category(vault).split(" summary -->\n")[1].split("\n")
    assert told.startswith(f"{SUMMARY} ([[my-sister-lena-")
    assert gap == ""
    assert [line for line in rest if line.startswith("- ")] == [
        line for line in before.split("\n") if line.startswith("- ")
    ]
    with Memory(vault) as memory:
        assert memory.check().problems == ()
        assert memory.history.log(limit=1)[0].subject == "summarise: family"


def test_today_and_the_day_of_each_statement_stand_in_the_question(
    vault: Path, server: ScriptedServer
) -> None:
    server.rule = about_lena
    with Memory(vault, clock=FixedClock()) as memory:
        memory.models.summarise("family")
    assert "\nToday: 2026-03-11\n" in server.last.user
    lines = [line for line in server.last.user.split("\n") if line.startswith("[")]
    assert len(lines) == len(FACTS)
    assert all(re.search(r" \(\d{4}-\d\d-\d\d\)$", line) for line in lines)


def test_a_sentence_goes_with_any_item_it_is_made_of(vault: Path, server: ScriptedServer) -> None:
    server.rule = about_lena
    summarise(vault, "family")
    with Memory(vault, clock=FixedClock()) as memory:
        hits = memory.recall("Porto").hits
        assert [hit.note.type for hit in hits if "Porto" in hit.passages[0].text] == ["item"]
        memory.facts.retract(hits[0].note.id)
    text = category(vault)
    assert "Porto" not in text
    assert "- My sister Lena is a vegetarian." in text
    assert "summary -->\n- " in text  # without a gap where it was


def test_what_is_new_makes_a_new_summary_due(
    vault: Path, server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.rule = about_lena
    summarise(vault)
    capsys.readouterr()
    server.rule = lambda asked: writes(
        sentence(SUMMARY, number_of(asked, "vegetarian"), number_of(asked, "Porto")),
        sentence("My brother Jonas plays the cello.", number_of(asked, "cello")),
    )
    assert summarise(vault) == 0
    assert SUMMARY in server.last.user  # it is told what the summary was
    assert "2 sentences" in capsys.readouterr().out
    count = len(server.asked)
    assert summarise(vault) == 0
    assert capsys.readouterr().out == "no summary was changed\n"
    assert len(server.asked) == count  # every item is told of: nobody is asked


BAD: dict[str, Callable[[Asked], Step]] = {
    "made up": lambda _: writes(sentence("Lena works at a bank in London.", 1)),
    "no statement": lambda _: writes(sentence("Lena is a vegetarian.")),
    "unknown statement": lambda _: writes(sentence("Lena is a vegetarian.", 99)),
    "below zero": lambda _: writes(sentence("Lena is a vegetarian.", -1)),
    "another statement": lambda a: writes(sentence("Lena is a vegetarian.", number_of(a, "cello"))),
    "turned round": lambda a: writes(
        sentence("Lena is not a vegetarian.", number_of(a, "vegetarian"))
    ),
    "one good one bad": lambda a: writes(
        sentence("Lena is a vegetarian.", number_of(a, "vegetarian")),
        sentence("She hates Jonas and his dreadful cello.", number_of(a, "cello")),
    ),
    "a link": lambda a: writes(
        sentence("Lena is a vegetarian [[i-aaaaaaaaaa]].", number_of(a, "vegetarian"))
    ),
    "the end of the block": lambda a: writes(
        sentence("Lena is a vegetarian <!-- vaultmem:end -->", number_of(a, "vegetarian"))
    ),
    "nothing": lambda _: writes(),
    "too many": lambda a: writes(
        *[sentence("Lena is a vegetarian.", number_of(a, "vegetarian"))] * 50
    ),
    "too long": lambda a: writes(
        sentence("Lena is a vegetarian. " * 40, number_of(a, "vegetarian"))
    ),
    "nonsense": lambda _: says("Certainly!"),
    "wrong types": lambda _: says_json({"sentences": [{"text": 1, "statements": "1"}]}),
    "cut": lambda _: says('{"sentences": [', finish="length"),
    "wrong key": lambda _: refused(401, "no"),
}


def test_a_bad_reply_leaves_everything_as_it_is_and_says_why(
    vault: Path, server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    before = files_of(vault)
    for name, rule in BAD.items():
        server.rule = rule
        assert summarise(vault, "family", "--dry-run") == 0, name
        out = capsys.readouterr().out
        assert "! summary of categories/family.md is as it was: " in out, name
        assert files_of(vault) == before, name


def test_a_summary_may_not_forget(
    vault: Path, server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.rule = about_lena
    summarise(vault, "family")
    before = category(vault)
    server.rule = lambda asked: writes(
        sentence("My brother Jonas plays the cello.", number_of(asked, "cello"))
    )
    summarise(vault, "family")
    assert "it loses 100% of what the summary said" in capsys.readouterr().out
    assert category(vault) == before


def test_a_dry_run_shows_and_writes_nothing(
    vault: Path, server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    before = files_of(vault)
    server.rule = about_lena
    assert summarise(vault, "Family", "--dry-run") == 0
    out = capsys.readouterr().out
    assert SUMMARY in out
    assert out.endswith("nothing was written (--dry-run)\n")
    assert files_of(vault) == before


def test_an_edit_while_the_model_writes_wins(
    vault: Path, server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    def rule(asked: Asked) -> Step:
        file = vault / "categories" / "family.md"
        file.write_text(f"{category(vault)}\nMine.\n", encoding="utf-8")
        return about_lena(asked)

    server.rule = rule
    assert summarise(vault, "family") == 0
    assert "it changed while the model wrote" in capsys.readouterr().out
    assert category(vault).endswith("\nMine.\n")
    assert SUMMARY not in category(vault)


def test_remember_evolves_the_categories_that_it_touches_in_its_own_commit(
    vault: Path, server: ScriptedServer, tmp_path: Path
) -> None:
    settings = f'extractor = "llm"\n\n{server.settings()}'
    (tmp_path / "person.toml").write_text(settings, encoding="utf-8")

    def rule(asked: Asked) -> Step:
        return about_lena(asked) if "TOPIC" in asked.user else offers(item("Lena has a dog"))

    server.rule = rule
    with Memory(vault, clock=FixedClock()) as memory:
        before = len(memory.history.log())
        done = memory.remember("By the way, Lena has a dog.", category="family")
        assert [each.outcome for each in done.summaries] == ["rewritten"]
        assert len(memory.history.log()) == before + 1
    text = category(vault)
    assert SUMMARY in text
    assert "- Lena has a dog" in text
    assert "Lena has a dog" in server.last.user  # as the category is going to be


def test_without_a_model_the_command_says_so(
    vault: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "person.toml").write_text("", encoding="utf-8")
    assert summarise(vault) == 78
    assert "no model is set" in capsys.readouterr().err


def test_an_unknown_category_is_named(vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert summarise(vault, "famly") == 65
    assert "no category is called 'famly'" in capsys.readouterr().err


def test_a_sentence_goes_with_the_text_that_is_undone(vault: Path, server: ScriptedServer) -> None:
    server.rule = about_lena
    summarise(vault, "family")
    with Memory(vault, clock=FixedClock()) as memory:
        (first,) = [each for each in memory.history.log() if "vegetarian" in each.subject]
        memory.undo(first.commit)
    text = category(vault)
    assert SUMMARY not in text
    assert "vegetarian" not in text
    assert "- My sister Lena lives in Porto." in text


def test_a_summary_can_be_undone_when_a_sentence_of_it_went(
    vault: Path, server: ScriptedServer
) -> None:
    server.rule = lambda asked: writes(
        sentence(SUMMARY, number_of(asked, "vegetarian"), number_of(asked, "Porto")),
        sentence("My brother Jonas plays the cello.", number_of(asked, "cello")),
    )
    with Memory(vault, clock=FixedClock()) as memory:
        commit = memory.models.summarise("family").commit
        memory.remember("My aunt Rosa sails.", category="family")
        (first,) = [each for each in memory.history.log() if "vegetarian" in each.subject]
        memory.undo(first.commit)
        assert "Jonas plays the cello. ([[" in category(vault)
        memory.undo(commit)
    text = category(vault)
    assert "Jonas plays the cello. ([[" not in text
    assert text.count("\n- My ") == 3
