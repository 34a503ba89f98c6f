"""`vaultmem llm check`: one screen, for people and for programs."""

from __future__ import annotations

import json
import re
import sys
from io import StringIO
from pathlib import Path
from threading import Event

import pytest

from tests.models.scripted_server import (
    KEY,
    MODEL,
    Asked,
    ScriptedServer,
    Step,
    refused,
    says,
    says_json,
    server,
    status,
)
from vaultmem.__main__ import main
from vaultmem.api.memory import Memory
from vaultmem.base.errors import EXIT_REFUSED, EXIT_SETTINGS, EXIT_UNREACHABLE
from vaultmem.cli.options import shown_waiting

__all__ = ["server"]

READY = "ready"


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The person's settings; the current folder is no vault."""
    file = tmp_path / "person.toml"
    monkeypatch.setenv("VAULTMEM_CONFIG", str(file))
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)
    return file


def good(asked: Asked) -> Step:
    """A model that knows what it is asked."""
    if "Ada" in asked.user:
        return says_json({"city": "Paris", "is_capital": True})
    return says(READY, pieces=[READY])


def printed(capsys: pytest.CaptureFixture[str]) -> str:
    return re.sub(r"\d+\.\d s", "0.0 s", capsys.readouterr().out)


def test_a_model_that_works(
    server: ScriptedServer, person: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.rule = good
    person.write_text(server.settings(), encoding="utf-8")
    assert main(["llm", "check"]) == 0
    where = server.url.split("/")[2]
    assert printed(capsys) == (
        f"summariser  {MODEL} (openai) at {where}, on this device\n"
        "  key       sent\n"
        "  replies   yes (0.0 s): 7 tokens in, 3 out\n"
        "  JSON      yes (0.0 s): kept to the schema\n"
        "  streams   yes (0.0 s): in 1 piece\n"
        "chat        the same model\n"
        'extractor   heuristic; `extractor = "llm"` lets the model read\n'
    )


def test_another_model_to_talk_to_is_asked_with_its_own_key(
    server: ScriptedServer, person: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.rule = good
    person.write_text(
        server.settings('chat_model = "large"\nchat_provider = "anthropic"\n'), encoding="utf-8"
    )
    # Another provider has another address: the key of the first one does not go there.
    person.write_text(
        person.read_text(encoding="utf-8") + f'chat_base_url = "{server.url}"\n', encoding="utf-8"
    )
    assert main(["llm", "check", "--json"]) == 0
    kept, talks = json.loads(capsys.readouterr().out)["models"]
    assert (kept["role"], kept["has_key"]) == ("summariser", True)
    assert (talks["role"], talks["model"], talks["has_key"]) == ("chat", "large", False)
    assert [each["works"] for each in talks["tried"]] == [True, True, True]
    assert all("x-api-key" not in each.headers for each in server.asked)


def test_what_it_cannot_do_is_told(
    server: ScriptedServer, person: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def weak(asked: Asked) -> Step:
        if asked.is_streamed:
            return refused(400, "no streams here")
        return refused(400, "no response_format") if asked.mode == "schema" else good(asked)

    server.rule = weak
    person.write_text(server.settings(), encoding="utf-8")
    assert main(["llm", "check"]) == 0  # nothing but a chat needs streams
    out = printed(capsys)
    assert "JSON      yes (0.0 s): as an object; it does not take schemas" in out
    assert "streams   no: the model server" in out
    assert "no streams here" in out


@pytest.mark.parametrize(
    ("step", "code"),
    [
        (status(503, b"", Retry_After="600"), EXIT_UNREACHABLE),
        (refused(401, f"bad key {KEY}"), EXIT_REFUSED),
    ],
)
def test_a_failure_has_its_exit_code(
    server: ScriptedServer,
    person: Path,
    capsys: pytest.CaptureFixture[str],
    step: Step,
    code: int,
) -> None:
    server.rule = lambda _: step
    person.write_text(server.settings(), encoding="utf-8")
    assert main(["llm", "check"]) == code
    out = printed(capsys)
    assert "replies   no: " in out
    assert KEY not in out


def test_without_a_model_it_says_how_to_set_one(
    person: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["llm", "check"]) == EXIT_SETTINGS
    assert "choose 'llm.provider'" in capsys.readouterr().err


def test_a_vault_that_allows_no_network_forbids_a_model_elsewhere(
    server: ScriptedServer, person: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "notes"
    Memory.init(root, name="notes")
    with open(root / "vaultmem.toml", "a", encoding="utf-8") as file:
        file.write("\n[privacy]\nlocal_only = true\n")
    person.write_text('[llm]\nprovider = "anthropic"\nmodel = "m"\n', encoding="utf-8")
    assert main(["--vault", str(root), "llm", "check"]) == EXIT_REFUSED
    assert "privacy.local_only" in capsys.readouterr().err
    server.rule = good
    person.write_text(server.settings(), encoding="utf-8")
    assert main(["--vault", str(root), "llm", "check"]) == 0  # loopback is this device


def test_a_vault_cannot_name_a_server(
    server: ScriptedServer, person: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "notes"
    Memory.init(root, name="notes")
    with open(root / "vaultmem.toml", "a", encoding="utf-8") as file:
        file.write(f"\n{server.settings()}")
    assert main(["--vault", str(root), "llm", "check"]) == EXIT_SETTINGS
    assert "only your own settings may say so" in capsys.readouterr().err
    assert server.asked == []


def test_without_its_package_it_says_how_to_install_it(
    server: ScriptedServer,
    person: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "httpx2", None)  # as if it were not there
    person.write_text(server.settings(), encoding="utf-8")
    assert main(["llm", "check"]) == EXIT_SETTINGS
    assert "pip install '.[llm]'" in capsys.readouterr().err


class Terminal(StringIO):
    """A stream that says it is a terminal, and when something was shown on it."""

    def __init__(self) -> None:
        super().__init__()
        self.was_shown = Event()

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if "asking" in text:
            self.was_shown.set()
        return super().write(text)


def test_a_wait_is_shown_on_a_terminal_and_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with shown_waiting("asking the model", patience_seconds=0.0):
        assert terminal.was_shown.wait(20.0)
    quick, pipe = Terminal(), StringIO()
    for stream in (quick, pipe):
        monkeypatch.setattr(sys, "stderr", stream)
        with shown_waiting("asking the model", patience_seconds=60.0):
            pass
        assert stream.getvalue() == ""
