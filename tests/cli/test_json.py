"""`--json` beside every human output: one value, stable keys, as `vaultmem help json` says."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import json
import pkgutil
import re
from collections.abc import Callable
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

import vaultmem.model
from vaultmem import Memory
from vaultmem.__main__ import main
from vaultmem.api.conversation_verbs import Session
from vaultmem.api.facets import Facets
from vaultmem.cli.help_tables import RECORDS, records
from vaultmem.cli.main import FAMILIES
from vaultmem.cli.output import as_plain, say_json
from vaultmem.model.answers import Passage
from vaultmem.window.canvas import Canvas
from vaultmem.window.report import Report

Ask = Callable[..., Any]
_DRAWN: tuple[type[Any], ...] = (Report, Canvas)
REAL: dict[str, type[Any]] = {
    name: each
    for module in pkgutil.walk_packages(vaultmem.model.__path__[:1], "vaultmem.model.")
    for name, each in vars(importlib.import_module(module.name)).items()
    if dataclasses.is_dataclass(each) and isinstance(each, type)
} | {each.__name__: each for each in _DRAWN}


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


def told(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What `vaultmem help json` prints."""
    capsys.readouterr()
    assert main(["help", "json", *words]) == 0
    return capsys.readouterr().out


def test_help_says_of_every_command_what_it_prints(capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys)
    for _, commands in FAMILIES:
        for name, _, _ in commands:
            assert re.search(rf"^{name}\b.*: ", text, re.MULTILINE), name


@pytest.mark.parametrize("name", sorted({each.strip("[]") for each in RECORDS.values()}))
def test_help_has_the_keys_of_every_record(name: str) -> None:
    """They are read from the source, and those within it, too."""
    waiting, seen = [name], set[str]()
    while waiting:
        each = waiting.pop()
        seen.add(each)
        record = REAL[each]
        assert [key.name for key in records()[each].keys] == [
            field.name for field in dataclasses.fields(record)
        ]
        words = re.findall(r"\w+", " ".join(key.type for key in records()[each].keys))
        waiting += [word for word in words if word in records() and word not in seen]


def test_help_on_one_command_says_what_its_keys_mean(capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys, "context")
    assert "  budget " in text
    assert re.search(r"^  unsure +int; of `lines`, those with a `doubt`", text, re.MULTILINE)
    assert re.search(r"^Line: One memory in a context", text, re.MULTILINE)
    assert "session show: " in told(capsys, "session")
    assert "url, token_file" in told(capsys, "proxy")
    assert main(["help", "json", "nothing"]) == 65
    assert main(["help", "settings", "json"]) == 2


def test_help_has_the_methods_that_memory_has(capsys: pytest.CaptureFixture[str]) -> None:
    """`Memory.feedback` had another signature on the page, `Memory.summarise` another answer."""
    assert main(["help", "methods"]) == 0
    calls = re.findall(
        r"^memory\.((?:session\(id\)\.)?[a-z_.]+)\((.*)\) -> (.*)$",
        capsys.readouterr().out,
        re.MULTILINE,
    )
    memory = object.__new__(Memory)  # of no vault: only its methods are looked at
    names = {name for name, _, _ in calls}
    assert {"remember", "recall", "history.of", "forgetting.purge", "sessions.start"} <= names
    for name, shown, answers in calls:
        verb = name.removeprefix("session(id).")
        owner = memory if verb == name else object.__new__(Session)
        signature = inspect.signature(attrgetter(verb)(owner))
        assert signature.return_annotation == answers
        assert _by_place(signature) == shown
    facets = {name for name, each in vars(Facets).items() if isinstance(each, property)}
    assert facets == {name.partition(".")[0] for name in names if "." in name and "(" not in name}


def _by_place(signature: inspect.Signature) -> str:
    plain = [each.replace(annotation=each.empty) for each in signature.parameters.values()]
    return str(inspect.Signature(plain))[1:-1]


def test_help_has_the_keys_that_commands_print(ask: Ask, tmp_path: Path) -> None:
    """Of each command that prints a record: the same keys in the same order."""
    note = ask("remember", "I prefer tabs over spaces.")["items"][0]["id"]
    ask("remember", "--fact", "heron", "uses_database", "SQLite")
    ask("session", "turn", "heron", "--user", "We use SQLite here.", "--assistant", "Noted.")
    calls: dict[str, tuple[str, ...]] = {
        "remember": ("I drink tea.", "--dry-run"),
        "recall": ("tabs",),
        "search": ("tabs",),
        "context": ("tabs",),
        "show": (note,),
        "links": (note,),
        "session show": ("heron",),
        "session list": (),
        "session prompt": ("heron", "which?"),
        "session replay": ("heron", "--turn", "1"),
        "session summarise": ("heron",),
        "session end": ("heron",),
        "change": ("heron", "uses_database", "DuckDB", "--dry-run"),
        "log": (),
        "history": (note,),
        "diff": ("2026-01-01",),
        "timeline": (),
        "consolidate": ("--dry-run",),
        "consolidate --history": (),
        "rules": (),
        "profile": ("--dry-run",),
        "status": (),
        "check": (),
        "audit": (),
        "audit --claims": (),
        "sync": (),
        "reindex": (),
        "maintain": ("nightly", "--dry-run"),
        "maintain status": (),
        "compact": ("--dry-run",),
        "compact --budget": ("4000", "--dry-run"),
        "export": (str(tmp_path / "notes.json"),),
        "forget": (note, "--dry-run"),
        "forget --aged": (),
        "clear": ("--dry-run",),
        "undo": (),
    }
    for command, rest in calls.items():
        printed = ask(*command.split(), *rest)
        name = RECORDS[command]
        value = printed[0] if name.startswith("[") else printed
        assert [*value] == [key.name for key in records()[name.strip("[]")].keys], command
    hit = ask("recall", "tabs")["hits"][0]
    of_note = [key.name for key in records()["NoteRow"].keys]
    of_hit = [key.name for key in records()["Hit"].keys if key.name != "note"]
    assert {*hit} == {*of_note, *of_hit}


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
