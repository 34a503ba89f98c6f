"""`--json` beside every human output: one value, stable keys, as the page of commands says."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from vaultmem.__main__ import main
from vaultmem.base.assets import page
from vaultmem.cli.output import as_plain, say_json
from vaultmem.model.answers import (
    Answer,
    AnswerPlan,
    Line,
    NoteRow,
    Pack,
    Part,
    Passage,
    Portion,
    Round,
    Stood,
    Tier,
    Tiered,
)
from vaultmem.model.jobs import (
    AuditReport,
    Consolidated,
    LearnedRule,
    Profile,
    ProfileField,
    RuleChange,
    RuleList,
)
from vaultmem.model.notes import Problem
from vaultmem.model.past_versions import (
    Changed,
    Compacted,
    Difference,
    DiffReport,
    HistoryVersion,
    Retired,
    StreamsCompacted,
    StreamShare,
    Timeline,
    TimelineRow,
    VersionHistory,
)
from vaultmem.model.reports import (
    CheckReport,
    Edited,
    InitReport,
    Judged,
    LinkedNote,
    Links,
    Operation,
    Remembered,
    Shown,
    SyncReport,
    Undone,
)

Ask = Callable[..., Any]


@pytest.fixture
def ask(root: Path, capsys: pytest.CaptureFixture[str]) -> Ask:
    """Runs a command with --json in the vault and gives what it printed."""

    def run(*arguments: str, code: int = 0) -> Any:
        capsys.readouterr()
        assert main([*arguments, "--json", "--vault", str(root)]) == code
        captured = capsys.readouterr()
        assert captured.err == ""
        return json.loads(captured.out)

    return run


def keys_on_page(command: str) -> list[str]:
    """The keys that the first table of the page gives for a command."""
    table = page("commands").split("| record | keys |")[0]
    (row,) = re.findall(rf"^\| [^|]*`{command}`[^|]*\| (.*) \|$", table, re.MULTILINE)[-1:]
    own = re.sub(r"\([^()]*\)", "", row)  # in brackets: the keys of what is inside
    return re.findall(r"`([a-z_]+)`", own)


@pytest.mark.parametrize(
    ("command", "record"),
    [
        ("recall", Answer),
        ("context", Pack),
        ("show", Shown),
        ("links", Links),
        ("feedback", Judged),
        ("remember", Remembered),
        ("sync", SyncReport),
        ("check", CheckReport),
        ("audit", AuditReport),
        ("log", Operation),
        ("history", VersionHistory),
        ("diff", DiffReport),
        ("timeline", Timeline),
        ("compact", Compacted),
        ("compact --budget", StreamsCompacted),
        ("consolidate", Consolidated),
        ("rules", RuleList),
        ("profile", Profile),
        ("undo", Undone),
        ("change", Changed),
        ("edit", Edited),
        ("init", InitReport),
    ],
)
def test_the_page_has_the_keys_of_every_answer(command: str, record: type[Any]) -> None:
    assert keys_on_page(command) == [field.name for field in dataclasses.fields(record)]


@pytest.mark.parametrize(
    ("row", "record"),
    [
        ("context", Line),
        ("context", Portion),
        ("links", LinkedNote),
        ("history", HistoryVersion),
        ("diff", Difference),
        ("timeline", TimelineRow),
        ("compact", Retired),
        ("compact --budget", StreamShare),
        ("consolidate", RuleChange),
        ("rules", LearnedRule),
        ("profile", ProfileField),
    ],
)
def test_the_page_has_the_keys_of_what_is_inside(row: str, record: type[Any]) -> None:
    (text,) = re.findall(rf"^\| `{row}` \| (object.*) \|$", page("commands"), re.MULTILINE)
    inner = [re.findall(r"`([a-z_]+)`", part) for part in re.findall(r"\(([^()]*)\)", text)]
    assert [field.name for field in dataclasses.fields(record)] in inner


@pytest.mark.parametrize(
    ("row", "record"),
    [
        ("note", NoteRow),
        ("hit", Passage),
        ("hit", Part),
        ("problem", Problem),
        ("`plan`", AnswerPlan),
        ("`plan`", Round),
        ("`plan`", Stood),
        ("`tiered`", Tiered),
        ("`tiered`", Tier),
    ],
)
def test_the_page_has_the_keys_of_records(row: str, record: type[Any]) -> None:
    records = page("commands").split("| record | keys |")[1]
    (keys,) = re.findall(rf"^\| {row} \| (.*) \|$", records, re.MULTILINE)
    assert set(re.findall(r"`([a-z_]+)`", keys)) >= {
        field.name for field in dataclasses.fields(record)
    }


def test_every_command_prints_one_value(ask: Ask, root: Path) -> None:
    done = ask("remember", "I prefer tabs over spaces.")
    (item,) = done["items"]
    answer = ask("recall", "tabs")
    hit = answer["hits"][0]
    assert hit["id"] == item["id"]
    assert hit["score"] > 0
    assert hit["path"] == item["path"]
    assert re.fullmatch(r"\d{4}-\d{2}-\d{2}.*", hit["date"])
    assert ask("recall", "zebra")["hits"] == []
    assert ask("search", "tabs", "--explain")["hits"]
    assert ask("list", "--kind", "preference")[0]["id"] == item["id"]
    assert ask("show", item["id"])["note"]["id"] == item["id"]
    assert ask("status")["items"] == {"preference": 1}
    assert ask("check")["problems"] == []
    assert ask("sync")["changed"] == []
    assert ask("reindex")["scanned"] > 0
    assert ask("log", "-n", "1")[0]["op"] == "remember"
    assert ask("undo")["undid"] == done["commit"]
    assert ask("restore", item["path"])["paths"]
    assert {row["key"] for row in ask("config")} > {"recall.k", "timezone"}
    assert ask("config", "recall.k")[0]["value"] == 5
    assert {row["key"].partition(".")[0] for row in ask("config", "recall")} == {"recall"}
    assert ask("vaults") == []
    (root / "items" / "bad.md").write_text("---\ntitle: Foo: bar\n---\n")
    problems = {problem["path"]: problem for problem in ask("check", code=1)["problems"]}
    assert problems["items/bad.md"]["line"] == 2
    assert problems["items/bad.md"]["severity"] == "error"


def test_several_texts_are_a_list(ask: Ask, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.txt").write_text(f"I like {name}{name}{name} very much.")
    done = ask("remember", str(tmp_path / "a.txt"), str(tmp_path / "b.txt"))
    assert [one["no_op"] for one in done] == [False, False]


def test_the_options_may_stand_before_the_command(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--json", "--vault", str(root), "list"]) == 0
    assert json.loads(capsys.readouterr().out)


def test_times_are_iso_in_the_zone_of_the_vault() -> None:
    passage = Passage(text="x", seq=0, line=1, date=1_773_230_400_000)
    assert as_plain(passage, "+02:00")["date"] == "2026-03-11T14:00:00+02:00"
    assert as_plain(passage)["date"] == "2026-03-11T12:00:00+00:00"


@pytest.mark.parametrize("text", ["\x1b[2J", "\u202e", "\x9b", "\U000e0041", "\ud800", "Łódź 🎬"])
def test_nothing_acts_on_the_terminal_and_nothing_is_lost(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    say_json({"text": text})
    out = capsys.readouterr().out
    assert json.loads(out) == {"text": text}
    assert text not in out or text == "Łódź 🎬"
