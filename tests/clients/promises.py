"""What is promised of the real clients; each check yields what it found, one line a claim."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.clients.person import SDK, ClientError, Person, Tools, person
from tests.clients.scripted_model import SAID, request_text, tool_results
from vaultmem.base.records import dataclass

_CATS = ("Mina", "Bruno", "Odette", "Pixel", "Quentin")
_FENCE = "What follows is remembered, not said now."
_ALLERGY = "I'm allergic to hazelnuts."
_NOTHING = "go on with the next step"
_KEY = "key-of-the-scripted-model"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One thing that holds, or does not."""

    check: str
    client: str
    says: str
    holds: bool
    found: str = ""  # where it does not hold


def told_and_found(folder: Path, tools: Tools, clients: Sequence[str]) -> Iterator[Claim]:
    """What is told in one client by a tool, or said in it, is in the requests of each other."""
    check = "told in one, found in each"
    agents = [name for name in clients if name != SDK]
    told = dict(zip(clients, _CATS, strict=False))
    with person(folder, tools) as owner:
        for name in agents:
            owner.lead_to_model(name)
        before = _settings_of(owner)
        owner.install(*agents)
        for name, cat in told.items():
            owner.model.script(["remember"], {"memories": [_by_tool(cat)]})
            owner.ask(name, _NOTHING)
        for name in agents:
            # The hooks alone: the model calls nothing.
            owner.model.script()
            owner.ask(name, _by_hook(told[name]))
        for name in clients:
            owner.model.script(["recall"], {"query": "which cats are there?", "limit": 20})
            owner.ask(name, "What should I know about the cats?")
            results = "\n".join(map(tool_results, owner.model.requests))
            asked = "\n".join(map(request_text, owner.model.requests))
            for other, cat in told.items():
                yield Claim(
                    check=check,
                    client=name,
                    says=f"what {other} told by a tool is in the result of recall",
                    holds=_by_tool(cat) in results,
                    found=results,
                )
                if other != SDK:
                    yield Claim(
                        check=check,
                        client=name,
                        says=f"what was said in {other} is in the request",
                        holds=_by_hook(cat) in asked,
                        found=asked,
                    )

        yield from _uninstalled(owner, agents, before)


def _uninstalled(owner: Person, agents: Sequence[str], before: dict[str, bytes]) -> Iterator[Claim]:
    """Clients that ran are afterwards as they were, and have no memory."""
    check = "uninstall"
    if not agents:
        return
    owner.vaultmem("uninstall", *agents)
    now = _settings_of(owner)
    yield Claim(
        check=check,
        client=", ".join(agents),
        says="every file of settings has its bytes again",
        holds=now == before,
        found=f"{now} instead of {before}",
    )
    for name in agents:
        owner.model.script(["recall"], {"query": "cats"})
        owner.ask(name, "What should I know about the cats?")
        asked = "\n".join(map(request_text, owner.model.requests))
        offered = json.dumps([each.get("tools") for each in owner.model.requests])
        yield Claim(
            check=check,
            client=name,
            says="it runs, without memory and its tools",
            holds=_FENCE not in asked and "vaultmem" not in offered,
            found=asked,
        )


def _settings_of(owner: Person) -> dict[str, bytes]:
    """The files of a person in which clients are told about the memory."""
    files = (
        ".claude/settings.json",
        ".codex/config.toml",
        ".gemini/settings.json",
        ".config/opencode/opencode.json",
    )
    return {
        name: (owner.home / name).read_bytes() for name in files if (owner.home / name).exists()
    }


def _by_tool(cat: str) -> str:
    return f"The cat {cat} sleeps in the cellar."


def _by_hook(cat: str) -> str:
    return f"I'm allergic to the cat {cat}."


def sessions_in_a_row(folder: Path, tools: Tools, client: str, sessions: int) -> Iterator[Claim]:
    """A sentence told again and again is one item; the memory never takes in its own words."""
    check = f"{sessions} sessions in a row"
    with person(folder, tools) as owner:
        owner.install(client)
        counts, given = [], 0
        for number in range(sessions):
            owner.model.script()
            owner.ask(client, "What must I not eat?" if number % 2 else _ALLERGY)
            counts.append(len(owner.items()))
            given += any(_FENCE in request_text(each) for each in owner.model.requests)
        yield Claim(
            check=check,
            client=client,
            says="the number of items stays the same",
            holds=counts == [1] * sessions,
            found=f"{counts}: {[each['statement'] for each in owner.items()]}",
        )
        yield Claim(
            check=check,
            client=client,
            says="each later session was given the memory",
            holds=given == sessions - 1,
            found=f"{given} of {sessions - 1}",
        )
        kept = _kept_texts(owner)
        yield Claim(
            check=check,
            client=client,
            says="nothing that was given is remembered",
            holds=_ALLERGY in kept and _FENCE not in kept and f"{_ALLERGY} [i-" not in kept,
            found=kept,
        )
        owner.model.script()
        owner.ask(client, _NOTHING)
        asked = "\n".join(map(request_text, owner.model.requests))
        blocks = asked.split(_FENCE)[1:]
        yield Claim(
            check=check,
            client=client,
            says="a prompt about nothing is given 0 bytes",
            holds=_NOTHING in asked and not any("```memory\n## Found" in each for each in blocks),
            found=asked,
        )


def _kept_texts(owner: Person) -> str:
    """All notes of sessions and items."""
    files = sorted(
        file for folder in ("items", "resources") for file in (owner.vault / folder).rglob("*.md")
    )
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def compaction(folder: Path, tools: Tools) -> Iterator[Claim]:
    """After `/compact` of Claude Code the memory is there, once."""
    check, client = "/compact", "claude-code"
    with person(folder, tools) as owner:
        owner.install(client)
        owner.model.script()
        told = json.loads(owner.ask(client, _ALLERGY))
        resume = ("--resume", told["session_id"])
        owner.ask(client, "/compact", *resume)
        owner.model.script()
        owner.ask(client, "What must I not eat?", *resume)
        asked = request_text(owner.model.requests[0])
        yield Claim(
            check=check,
            client=client,
            says="the memory is back after it, once",
            holds=asked.count(f"{_ALLERGY} [i-") == 1,
            found=asked,
        )
        statements = [each["statement"] for each in owner.items()]
        yield Claim(
            check=check,
            client=client,
            says="nothing is remembered twice",
            holds=statements == [_ALLERGY],
            found=str(statements),
        )


_ANSWER = """
import json, sys
event = json.load(sys.stdin)
said = {"hookEventName": "Elicitation", "action": sys.argv[1]}
if sys.argv[1] == "accept":
    said["content"] = {"agree": True}
print(json.dumps({"hookSpecificOutput": said}))
"""


def forms(folder: Path, tools: Tools, clients: Sequence[str]) -> Iterator[Claim]:
    """Only a yes in Claude Code's form makes a change, as the person's own; all else waits.

    A hook answers the form in the person's place. Codex declines by itself where nobody sits, and
    Gemini CLI and opencode show no forms.
    """
    # Without a hook Claude Code cancels. The yes comes last: it empties the review.
    asked = [(name, "") for name in clients if name != "claude-code"]
    if "claude-code" in clients:
        asked += [("claude-code", action) for action in ("decline", "", "accept")]
    with person(folder, tools) as owner:
        owner.install(*clients)
        (owner.folder / "answer.py").write_text(_ANSWER, encoding="utf-8")
        owner.vaultmem("remember", "I live in Graz.")
        [old] = owner.items()
        change = {"id": old["id"], "to": "I live in Vienna.", "why": "they moved"}
        for name, action in asked:
            owner.model.script(["change"], change)
            owner.ask(name, _NOTHING, *_answer_of_hook(owner, action))
            now = [each for each in owner.items() if each["status"] == "active"]
            waits = json.loads(owner.vaultmem("review", "--json"))
            result = "\n".join(map(tool_results, owner.model.requests))
            statements = [each["statement"] for each in now]
            if action == "accept":
                holds = statements == ["I live in Vienna."] and not waits
                holds = holds and now[0]["writer"] == "person"
                says = "a yes: changed, as the person's own words"
            else:
                holds = statements == ["I live in Graz."] and len(waits) == 1
                holds = holds and "waits for the user" in result
                says = f"{action or 'no answer'}: nothing is changed, and it waits for review"
            found = f"{statements}, waits: {waits}, told: {result}"
            yield Claim(check="forms", client=name, says=says, holds=holds, found=found)


def _answer_of_hook(owner: Person, action: str) -> tuple[str, ...]:
    """The words that give Claude Code a hook which answers forms; none for no answer."""
    if not action:
        return ()
    command = f'"{sys.executable}" "{owner.folder / "answer.py"}" {action}'
    hook = {"hooks": [{"type": "command", "command": command}]}
    settings = owner.folder / f"{action}.json"
    settings.write_text(json.dumps({"hooks": {"Elicitation": [hook]}}), encoding="utf-8")
    return "--settings", str(settings)


_READ = {
    "claude-code": (("Read",), "file_path"),
    "codex": (("exec_command", "shell_command", "shell"), "cmd"),
}


def through_the_proxy(folder: Path, tools: Tools, client: str) -> Iterator[Claim]:
    """Without hooks: the turn is kept, tools work, and the memory is in the request."""
    check = "through the proxy"
    with person(folder, tools) as owner:
        owner.vaultmem("remember", _ALLERGY)
        note = owner.project / "notes.txt"
        note.write_text("the tests need Postgres 17\n", encoding="utf-8")
        settings = owner.home / ".config" / "vaultmem" / "config.toml"
        model = f'provider = "openai"\nbase_url = "{owner.model.url}/v1"\nmodel = "scripted"\n'
        both = settings.read_text(encoding="utf-8") + f'\n[llm]\n{model}api_key = "{_KEY}"\n'
        both += f'\n[proxy]\nanthropic_base_url = "{owner.model.url}/v1"\n'
        settings.write_text(both + f'anthropic_api_key = "{_KEY}"\n', encoding="utf-8")
        with _proxy(owner):
            owner.lead_to_model(client)
            names, argument = _READ[client]
            value = str(note) if client == "claude-code" else f"cat {note}"
            arguments: dict[str, Any] = {argument: value}
            owner.model.script(names, arguments)
            output = owner.ask(client, "What must I not eat, and what do the tests need?")
        # The memory itself asks this model too, without tools, what a turn says that lasts.
        sent = [each for each in owner.model.requests if each.get("tools")]
        asked = "\n".join(map(request_text, sent))
        results = "\n".join(map(tool_results, sent))
        kept = _kept_texts(owner)
        for says, holds, found in (
            ("the memory is in the request", _ALLERGY in asked, asked),
            ("a tool was called, and its result sent", "Postgres 17" in results, results),
            ("the client printed the reply", SAID in output, output),
            (
                "the turn is kept",
                "What must I not eat, and what do the tests need?" in kept and SAID in kept,
                kept,
            ),
        ):
            yield Claim(check=check, client=client, says=says, holds=holds, found=found)


@contextmanager
def _proxy(owner: Person) -> Iterator[None]:
    """`vaultmem proxy` of a person, to which their clients lead from now on."""
    program = str(Path(sys.executable).parent / "vaultmem")
    running = subprocess.Popen(
        [program, "proxy", "--port", "0", "--json"],
        cwd=owner.home,
        env=owner.environ(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert running.stdout is not None
        line = running.stdout.readline()
        if not line:
            raise ClientError("the proxy did not start")
        owner.base_url = json.loads(line)["url"].removesuffix("/v1")
        owner.token = owner.vaultmem("proxy", "--token").strip()
        yield
    finally:
        running.terminate()
        running.communicate(timeout=30)
