"""A person with a home, a vault, a project and the real clients, each set up by `vaultmem install`.

Nothing of the home of whoever runs this is read or written.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.clients.scripted_model import ScriptedModel, scripted_model

PROJECT = Path(__file__).parents[2]
AGENTS = ("claude-code", "codex", "gemini", "opencode")
SDK = "agents-sdk"
TOOLS = ("change", "forget", "history", "recall", "remember", "show")
_SECONDS = 180  # that a client may take, on a busy machine; it takes 3 to 25
_PATIENCE = 60.0  # seconds until what hooks were told is kept


class ClientError(Exception):
    """A program did not do what it was started for."""


@dataclass(frozen=True, slots=True)
class Tools:
    """Where the clients are installed."""

    folder: Path

    def program(self, name: str) -> Path:
        """The program of a client."""
        if name == SDK:
            inside = "Scripts/python.exe" if os.name == "nt" else "bin/python"
            return self.folder / "sdk" / inside
        called = "claude" if name == "claude-code" else name
        return self.folder / "npm" / "node_modules" / ".bin" / called


@dataclass(slots=True)
class Person:
    """Whose clients they are."""

    folder: Path
    tools: Tools
    model: ScriptedModel
    base_url: str = ""  # what clients call instead of the model: the proxy
    token: str = "dummy"
    runs: int = 0
    seconds: dict[str, list[float]] = field(default_factory=dict)

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def project(self) -> Path:
        return self.folder / "project"

    @property
    def vault(self) -> Path:
        return self.home / "notes"

    @property
    def url(self) -> str:
        return self.base_url or self.model.url

    def environ(self) -> dict[str, str]:
        """No variable of ours but those that a program needs to run."""
        kept = ("LANG", "LC_ALL", "TZ", "TMPDIR", "SYSTEMROOT")
        own = {name: os.environ[name] for name in kept if name in os.environ}
        path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
        return {**own, "HOME": str(self.home), "PATH": path}

    def vaultmem(self, *words: str) -> str:
        """What the command prints; raises ClientError."""
        program = Path(sys.executable).parent / "vaultmem"
        return self._run([str(program), *words], self.environ()).stdout

    def items(self) -> list[dict[str, Any]]:
        """What is remembered now, as `vaultmem list --json` says it."""
        listed = json.loads(self.vaultmem("list", "--type", "item", "--json"))
        return [each for each in listed if each["type"] == "item"]

    def install(self, *names: str) -> None:
        """What a person types, and the settings that lead each client to the scripted model."""
        for name in names:
            self.lead_to_model(name)
        self.vaultmem("install", *names)

    def lead_to_model(self, name: str) -> None:
        """Only the settings that lead a client to the model, or to the proxy."""
        _SETTINGS[name](self)

    def ask(self, name: str, prompt: str, *more: str) -> str:
        """One session of a client, from its start to its end; its output."""
        self.runs += 1
        begun = time.monotonic()
        words, environ = _CALLS[name](self, prompt)
        done = self._run([*words, *more], {**self.environ(), **environ})
        self.seconds.setdefault(name, []).append(time.monotonic() - begun)
        self.await_kept()
        return done.stdout

    def await_kept(self) -> None:
        """Until the processes that hooks started have kept all; raises ClientError."""
        until = time.monotonic() + _PATIENCE
        waiting = self.home / ".local" / "state" / "vaultmem"
        while any(waiting.glob("*/hooks/waiting/*.json")):
            if time.monotonic() > until:
                raise ClientError("what the hooks were told is not kept")
            time.sleep(0.1)

    def _run(self, words: list[str], environ: dict[str, str]) -> subprocess.CompletedProcess[str]:
        try:
            done = subprocess.run(
                words,
                cwd=self.project,
                env=environ,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                encoding="utf-8",
                errors="replace",
                timeout=_SECONDS,
            )
        except subprocess.TimeoutExpired as error:
            raise ClientError(f"{Path(words[0]).name} took more than {_SECONDS} s") from error
        if done.returncode:
            tail = (done.stderr or done.stdout)[-500:]
            raise ClientError(f"{Path(words[0]).name} ended with {done.returncode}: {tail}")
        return done


@contextmanager
def person(folder: Path, tools: Tools) -> Iterator[Person]:
    """Somebody new, with an empty default vault and a project that is a repository."""
    with scripted_model() as model:
        made = Person(folder=folder, tools=tools, model=model)
        made.home.mkdir(parents=True)
        made.project.mkdir()
        subprocess.run(["git", "init", "-q", str(made.project)], check=True)
        made.vaultmem("init", str(made.vault))
        made.vaultmem("vaults", "add", "notes", str(made.vault))
        made.vaultmem("vaults", "default", "notes")
        yield made


# --- settings that have nothing to do with memory: which model, and nobody is asked ---------------


def _nothing(person: Person) -> None:
    return


def _codex(person: Person) -> None:
    _write(
        person.home / ".codex" / "config.toml",
        'model = "scripted"\nmodel_provider = "local"\napproval_policy = "never"\n'
        'sandbox_mode = "danger-full-access"\ncheck_for_update_on_startup = false\n\n'
        "[analytics]\nenabled = false\n\n"
        f'[model_providers.local]\nname = "local"\nbase_url = "{person.url}/v1"\n'
        'wire_api = "responses"\nenv_key = "OPENAI_API_KEY"\n\n'
        f'[projects."{person.project}"]\ntrust_level = "trusted"\n',
    )


def _gemini(person: Person) -> None:
    settings = {
        "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
        "general": {"enableAutoUpdate": False},
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False},
    }
    _write(person.home / ".gemini" / "settings.json", json.dumps(settings, indent=2))


def _opencode(person: Person) -> None:
    options = {"baseURL": f"{person.url}/v1", "apiKey": person.token}
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "local",
        "options": options,
        "models": {"scripted": {"name": "scripted", "tool_call": True}},
    }
    settings = {
        "$schema": "https://opencode.ai/config.json",  # opencode writes it where it is missing
        "autoupdate": False,
        "share": "disabled",
        "model": "local/scripted",
        "small_model": "local/scripted",
        "permission": {"*": "allow"},
        "provider": {"local": provider},
    }
    _write(person.home / ".config" / "opencode" / "opencode.json", json.dumps(settings, indent=2))


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


_SETTINGS: Mapping[str, Callable[[Person], None]] = {
    "claude-code": _nothing,
    "codex": _codex,
    "gemini": _gemini,
    "opencode": _opencode,
}


# --- how a session is started without a person before it ------------------------------------------

_Call = tuple[list[str], dict[str, str]]  # the words of the command, and its environment


def _ask_claude(person: Person, prompt: str) -> _Call:
    allowed = ",".join(f"mcp__plugin_vaultmem_vaultmem__{tool}" for tool in TOOLS)
    words = [str(person.tools.program("claude-code")), "-p", prompt, "--output-format", "json"]
    environ = {
        "ANTHROPIC_BASE_URL": person.url,
        "ANTHROPIC_API_KEY": person.token,
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_TELEMETRY": "1",
    }
    return [*words, "--model", "claude-sonnet-4-5", "--allowedTools", allowed], environ


def _ask_codex(person: Person, prompt: str) -> _Call:
    program = str(person.tools.program("codex"))
    # Hooks run once a person trusts them in the window; nobody is there.
    words = [program, "exec", "--json", "--skip-git-repo-check"]
    words += ["--dangerously-bypass-hook-trust", "--dangerously-bypass-approvals-and-sandbox"]
    return [*words, prompt], {"OPENAI_API_KEY": person.token}


def _ask_gemini(person: Person, prompt: str) -> _Call:
    words = [str(person.tools.program("gemini")), "-p", prompt, "-m", "gemini-2.5-flash"]
    environ = {
        "GEMINI_API_KEY": person.token,
        "GOOGLE_GEMINI_BASE_URL": person.url,
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
    }
    return [*words, "--approval-mode", "yolo", "-o", "json"], environ


def _ask_opencode(person: Person, prompt: str) -> _Call:
    environ = {
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
        "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
        "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
    }
    return [str(person.tools.program("opencode")), "run", "--format", "json", prompt], environ


def _ask_sdk(person: Person, prompt: str) -> _Call:
    program = str(person.tools.program(SDK))
    environ = {
        "OPENAI_BASE_URL": f"{person.url}/v1",
        "OPENAI_API_KEY": person.token,
        "OPENAI_AGENTS_DISABLE_TRACING": "1",
    }
    return [program, str(Path(__file__).with_name("sdk_agent.py")), prompt], environ


_CALLS: Mapping[str, Callable[[Person, str], _Call]] = {
    "claude-code": _ask_claude,
    "codex": _ask_codex,
    "gemini": _ask_gemini,
    "opencode": _ask_opencode,
    SDK: _ask_sdk,
}
