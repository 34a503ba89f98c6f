"""`vaultmem hook`: what a coding assistant tells is kept, and what is known is given to it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Thread

import pytest

from tests.assistants.talk import Assistant
from vaultmem.api import Memory
from vaultmem.assistants.hooks import turns_behind
from vaultmem.base import BadInputError
from vaultmem.cli import hook
from vaultmem.sessions.own_words import own_words

GRAZ = "I live in Graz and I'm allergic to hazelnuts. Please fix the build."
ITEM = "I live in Graz and I'm allergic to hazelnuts."
CLIENTS = ("claude", "codex", "gemini", "opencode", "cursor")


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "notes"
    Memory.init(root, name="notes")
    return root


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


def commits(vault: Path) -> int:
    done = subprocess.run(
        ["git", "-C", str(vault), "rev-list", "--count", "HEAD"], capture_output=True, check=True
    )
    return int(done.stdout)


def context_in(answer: str) -> str:
    """The memory in an answer of any client."""
    if not answer:
        return ""
    found = json.loads(answer)
    told = found.get("context") or found.get("additional_context")
    return str(told or found["hookSpecificOutput"]["additionalContext"])


@pytest.mark.parametrize("client", CLIENTS)
def test_what_is_said_in_one_session_is_known_at_the_start_of_the_next(
    vault: Path, work: Path, client: str
) -> None:
    Assistant(vault, work, client=client).say(GRAZ)
    later = Assistant(vault, work, client=client, session="77aa0911-7c5e-4a11-9d00-0123456789ab")
    assert later.items() == [ITEM]
    assert "allergic to hazelnuts" in context_in(later.start())


def test_a_prompt_is_given_what_answers_it_and_nothing_twice(vault: Path, work: Path) -> None:
    Assistant(vault, work).say("We deploy the billing service on Tuesdays.")
    later = Assistant(vault, work, session="77aa0911-7c5e-4a11-9d00-0123456789ab")
    assert "Tuesdays" in context_in(later.prompt("When do we deploy the billing service?"))
    assert later.prompt("When do we deploy the billing service?") == ""


@pytest.mark.parametrize(
    "text",
    [
        "hello",
        "what does git rebase do?",
        "please commit",
        "fix the build",
        "bitte",
        "",
        "/compact",
    ],
)
def test_a_prompt_about_nothing_known_is_answered_with_no_bytes(
    vault: Path, work: Path, text: str
) -> None:
    Assistant(vault, work).say(GRAZ, "My sister Lena works at the hospital in Linz.")
    assert Assistant(vault, work, session="b" * 20).prompt(text) == ""


def test_words_that_became_no_item_answer_a_later_session(vault: Path, work: Path) -> None:
    talk = Assistant(vault, work)
    talk.say("The staging database is called blue.", "use the blue database here")
    assert talk.items() == []
    later = Assistant(vault, work, session="77aa0911-7c5e-4a11-9d00-0123456789ab")
    told = context_in(later.prompt("What is the staging database called?"))
    assert "called blue" in told
    assert "use the blue" not in told


def test_requests_of_before_are_not_given_to_requests_like_them(vault: Path, work: Path) -> None:
    Assistant(vault, work).say("you should never call this from the main thread", "use async here")
    later = Assistant(vault, work, session="77aa0911-7c5e-4a11-9d00-0123456789ab")
    for text in ("call this from a worker thread", "use async in that function"):
        assert later.prompt(text) == ""


def test_an_empty_vault_says_nothing(vault: Path, work: Path) -> None:
    assert Assistant(vault, work).start() == ""


def test_ten_sessions_in_a_row_keep_one_item_of_one_sentence(vault: Path, work: Path) -> None:
    for number in range(10):
        talk = Assistant(vault, work, session=f"{number:08d}-7c5e-4a11")
        given = context_in(talk.start())
        asked = context_in(talk.prompt(f"{GRAZ}\n{given}"))
        talk.reply(f"You told me:\n{given}{asked}")
        talk.end()
        talk.keep()
    assert talk.items() == [ITEM]
    assert "What follows is remembered" not in talk.everything()


def test_what_gemini_sends_back_of_our_own_words_is_not_kept(vault: Path, work: Path) -> None:
    talk = Assistant(vault, work, client="gemini")
    given = "- [2026-11-23] Lena has a dog. [i-16n6ms]\nLena has a dog."
    talk.prompt(f"<hook_context>{given}</hook_context>\n\nI live in Graz.")
    talk.reply()
    talk.end()
    talk.keep()
    assert talk.items() == ["I live in Graz."]
    assert "dog" not in talk.everything()


def test_quotes_that_opencode_sets_around_a_prompt_are_not_the_persons(
    vault: Path, work: Path
) -> None:
    talk = Assistant(vault, work, client="opencode")
    talk.say('"I live in Graz."')
    assert talk.items() == ["I live in Graz."]


def test_what_is_marked_private_is_written_nowhere(vault: Path, work: Path) -> None:
    talk = Assistant(vault, work)
    talk.say(
        "I live in Graz. <private>My code is 4711.</private>", "<PRIVATE>I live in Linz, 4711."
    )
    assert talk.items() == ["I live in Graz."]
    assert "4711" not in talk.everything()
    assert "Linz" not in talk.everything()


def test_the_reply_to_private_words_is_not_the_reply_to_those_before(
    vault: Path, work: Path
) -> None:
    talk = Assistant(vault, work)
    talk.prompt("I live in Graz.")  # interrupted: no reply
    talk.prompt("<private>and my code is 4711</private>")
    talk.reply("Your code is 4711.")
    talk.end()
    talk.keep()
    assert "Graz" in talk.everything()
    assert "4711" not in talk.everything()


def test_words_of_an_interrupted_prompt_are_kept(vault: Path, work: Path) -> None:
    talk = Assistant(vault, work)
    talk.prompt("I live in Graz.")
    talk.prompt("My sister Lena works in Linz.")
    talk.reply()
    talk.end()
    talk.keep()
    assert talk.items() == ["I live in Graz.", "My sister Lena works in Linz."]


def test_words_of_a_prompt_wait_for_their_reply(vault: Path, work: Path) -> None:
    talk = Assistant(vault, work)
    talk.prompt("I live in Graz.")
    before = commits(vault)
    assert talk.keep() == 0
    assert commits(vault) == before
    talk.reply()
    assert talk.keep() == 1


def test_a_turn_is_one_commit_with_the_beginning_of_its_session(vault: Path, work: Path) -> None:
    talk = Assistant(vault, work)
    before = commits(vault)
    for text in ("I live in Graz.", "fix the failing test", "now commit it"):
        talk.prompt(text)
        talk.reply()
    talk.keep()
    assert commits(vault) == before + 3
    talk.end()
    talk.keep()
    talk.prompt("My sister Lena works in Linz.")  # it goes on: `claude --resume`
    talk.reply()
    talk.keep()
    assert commits(vault) == before + 5


def test_a_turn_that_was_kept_by_a_child_that_died_is_not_kept_twice(
    vault: Path, work: Path
) -> None:
    talk = Assistant(vault, work)
    talk.prompt("I live in Graz.")
    talk.reply()
    there = turns_behind.all_waiting(talk.settings)
    talk.keep()
    after = commits(vault)
    for told in there:  # as if it had been killed before it removed them
        turns_behind.put(talk.settings, time.time_ns(), told)
    turns_behind.mark(talk.settings, turns_behind.all_waiting(talk.settings), 1)
    talk.keep()
    assert commits(vault) == after
    assert turns_behind.all_waiting(talk.settings) == ()


def test_a_summary_of_a_compaction_is_the_assistants(vault: Path, work: Path) -> None:
    talk = Assistant(vault, work)
    talk.prompt("I live in Graz.")
    talk.reply()
    talk.hook("PostCompact", trigger="manual", compact_summary="The user lives in Rome.")
    assert "Graz" not in context_in(talk.start("compact"))  # nobody kept it yet
    talk.keep()
    talk.end()
    talk.keep()
    assert talk.items() == ["I live in Graz."]
    assert "The user lives in Rome." in talk.everything()
    assert "Graz" in context_in(talk.start("compact"))


def test_a_subagent_is_given_what_stands_and_its_prompt_is_nobodys(vault: Path, work: Path) -> None:
    Assistant(vault, work).say(GRAZ)
    talk = Assistant(vault, work, session="c" * 20)
    assert "hazelnuts" in context_in(talk.hook("SubagentStart", agent_type="Explore"))
    talk.hook("UserPromptSubmit", prompt="I live in Rome.", agent_id="a1")
    talk.hook("Stop", last_assistant_message="x", agent_id="a1")
    talk.end()
    talk.keep()
    assert "Rome" not in talk.everything()


@pytest.mark.parametrize("place", ["here", "above"])
def test_a_file_keeps_a_folder_out(vault: Path, work: Path, place: str) -> None:
    Assistant(vault, work).say(GRAZ)
    inner = work / "deep" / "down"
    inner.mkdir(parents=True)
    (inner if place == "here" else work).joinpath(".vaultmem-off").touch()
    talk = Assistant(vault, inner, session="d" * 20)
    assert talk.start() == ""
    talk.say("I moved to Rome.")
    assert "Rome" not in talk.everything()


@pytest.mark.parametrize("way", ["setting", "environment"])
@pytest.mark.parametrize("capture", ["off", "recall-only"])
def test_hooks_can_be_turned_off(
    vault: Path, work: Path, tmp_path: Path, way: str, capture: str
) -> None:
    Assistant(vault, work).say(GRAZ)
    config = tmp_path / "config.toml"
    config.write_text(f'[hooks]\ncapture = "{capture}"\n' if way == "setting" else "")
    more = {} if way == "setting" else {"VAULTMEM_HOOKS": capture}
    talk = Assistant(vault, work, session="e" * 20, VAULTMEM_CONFIG=str(config), **more)
    assert bool(talk.start()) == (capture == "recall-only")
    talk.say("I moved to Rome.")
    assert "Rome" not in talk.everything()


def test_a_vault_cannot_turn_them_on(vault: Path, work: Path, tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text('[hooks]\ncapture = "off"\n')
    with open(vault / "vaultmem.toml", "a") as stream:
        stream.write('\n[hooks]\ncapture = "on"\n')
    talk = Assistant(vault, work, VAULTMEM_CONFIG=str(config))
    talk.say("I moved to Rome.")
    assert "Rome" not in talk.everything()


def run(vault: Path, data: bytes, **environ: str) -> tuple[int, bytes]:
    """Exit code and output of the command itself."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "vaultmem", "--vault", str(vault), "hook", "claude"],
        input=data,
        capture_output=True,
        env={**os.environ, **environ},
        check=False,
    )
    assert done.stderr == b""
    return done.returncode, done.stdout


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[]", b"\xff\xfe", b'{"hook_event_name": 3}', b'{"hook_event_name": "X"}']
)
def test_garbage_is_answered_with_nothing(vault: Path, data: bytes) -> None:
    assert run(vault, data) == (0, b"")


def test_half_a_character_does_not_hold_up_what_is_said(vault: Path, work: Path) -> None:
    """An editor cut an emoji in two; the turn was refused for good, and all behind it waited."""
    assistant = Assistant(vault, work)
    assistant.say("I live in Graz \ud83d and I'm allergic to hazelnuts.")
    assistant.say("My sister is called Mirte.")
    assert not list(turns_behind.folder_of(assistant.settings).glob("waiting/*"))
    assert "My sister is called Mirte." in assistant.items()


def test_a_turn_that_is_refused_holds_up_none_behind_it_and_stays(vault: Path, work: Path) -> None:
    assistant = Assistant(vault, work)
    told = turns_behind.Told(
        session="claude-4f1c09117c5e4a11",
        client="claude",
        kind="prompt",
        words="half \ud83d of one",
        at=1,
    )
    turns_behind.put(assistant.settings, time.time_ns(), told)
    with pytest.raises(BadInputError):
        assistant.say("My sister is called Mirte.")
    assert "My sister is called Mirte." in assistant.items()
    folder = turns_behind.folder_of(assistant.settings) / "waiting"
    assert [file.suffix for file in folder.iterdir()] == [".refused"]


@pytest.mark.parametrize(
    "pasted",
    [
        "<bash-input> x " * 60_000,
        "<private " * 60_000,
        "</bash-input" + " " * 200_000,
        "`" * 400_000,
        "- [a] " + "[[" * 100_000,
        "<command-name><bash-input>" * 30_000 + "</bash-input>" * 30_000,
    ],
)
def test_a_paste_of_marks_without_end_takes_no_time(pasted: str) -> None:
    """A pattern that looks for the end of each holds Python's lock: no deadline comes through."""
    begun = time.process_time()
    assert own_words(f"Our boat is called Anna.\n{pasted}").startswith("Our boat is called Anna.")
    assert time.process_time() - begun < 2


def test_one_folder_of_several_that_is_off_is_enough(vault: Path, work: Path) -> None:
    other = work.parent / "other"
    other.mkdir()
    (other / ".vaultmem-off").touch()
    assistant = Assistant(vault, work, client="cursor")
    roots = [str(work), str(other)]
    assistant.hook("beforeSubmitPrompt", prompt="Our boat is called Anna.", workspace_roots=roots)
    assert not turns_behind.has_waiting(assistant.settings)


def prompt_of(work: Path) -> bytes:
    event = {"hook_event_name": "UserPromptSubmit", "session_id": "f" * 20, "cwd": str(work)}
    return json.dumps({**event, "prompt": "where do I live?"}).encode()


def test_without_a_vault_it_says_nothing_and_notes_why(tmp_path: Path, work: Path) -> None:
    state = tmp_path / "state"
    found = run(tmp_path / "none", prompt_of(work), VAULTMEM_STATE=str(state))
    assert found == (0, b"")
    file = state / "hooks-failure.json"
    assert "NoVaultError" in file.read_text()
    assert os.name != "posix" or file.stat().st_mode & 0o077 == 0


def test_a_vault_in_the_folder_of_the_work_is_not_the_one(work: Path, tmp_path: Path) -> None:
    Memory.init(work, name="planted")
    with Memory(work) as memory:
        memory.remember("I live in Rome.")
    environ = {key: value for key, value in os.environ.items() if key != "VAULTMEM_VAULT"}
    environ |= {"VAULTMEM_STATE": str(tmp_path / "s"), "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-P", "-m", "vaultmem", "hook", "claude"],
        input=prompt_of(work),
        cwd=work,
        capture_output=True,
        env=environ,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, b"")
    assert not list((tmp_path / "s").rglob("waiting/*"))


def ended_at_its_deadline(state: Path) -> bool:
    """Whether the hook noted that its own time was over, and what that time is.

    Not by the clock of the test: on a busy machine the interpreter alone starts for seconds.
    """
    failure = json.loads((state / hook.FAILURE).read_text())
    least = f"took longer than {hook.DEADLINE_SECONDS} seconds"
    return bool((failure["error"], failure["message"]) == ("TimeoutError", least))


def test_it_ends_within_the_two_seconds_that_a_client_waits() -> None:
    assert hook.DEADLINE_SECONDS < 2


def until(condition: Callable[[], object]) -> None:
    """Wait for a condition; the deadline is for a machine that is very busy."""
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_vault_that_is_locked_holds_nobody_up(vault: Path, work: Path, tmp_path: Path) -> None:
    state = {"VAULTMEM_STATE": str(tmp_path / "state")}
    Assistant(vault, work, **state).say(GRAZ)
    index = next((tmp_path / "state").rglob("index.sqlite"))
    import sqlite3

    with sqlite3.connect(index, isolation_level=None) as held:
        held.execute("BEGIN EXCLUSIVE")
        assert run(vault, prompt_of(work), **state) == (0, b"")  # while it is still held
        assert ended_at_its_deadline(tmp_path / "state")
        until(lambda: list((tmp_path / "state").rglob("waiting/*.json")))  # the words wait
        held.execute("ROLLBACK")


def test_input_that_never_ends_holds_nobody_up(vault: Path) -> None:
    state = Path(os.environ["XDG_STATE_HOME"]) / "vaultmem"
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "vaultmem", "--vault", str(vault), "hook", "claude"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as running:
        assert running.wait(timeout=120) == 0  # its input is still open
        assert running.stdout is not None
        assert running.stdout.read() == b""
    assert ended_at_its_deadline(state)


def test_two_clients_at_once_lose_nothing(vault: Path, work: Path, tmp_path: Path) -> None:
    state = {"VAULTMEM_STATE": str(tmp_path / "state")}

    def talk(session: str) -> None:
        said = {"session_id": session * 20, "cwd": str(work)}
        for number in range(4):
            prompt = {**said, "hook_event_name": "UserPromptSubmit"}
            words = f"Turn {number} of {session * 3}."
            run(vault, json.dumps({**prompt, "prompt": words}).encode(), **state)
            stop = {**said, "hook_event_name": "Stop", "last_assistant_message": "Done."}
            run(vault, json.dumps(stop).encode(), **state)

    both = [Thread(target=talk, args=(session,)) for session in "ab"]
    for thread in both:
        thread.start()
    for thread in both:
        thread.join()
    turns = [f"): Turn {number} of {session * 3}." for session in "ab" for number in range(4)]
    deadline = time.monotonic() + 60
    said = ""
    while not all(turn in said for turn in turns) and time.monotonic() < deadline:
        time.sleep(0.05)  # a hook whose time was over hands its words on, which takes its time, too
        with suppress(FileNotFoundError):  # what waited is gone by now
            said = Assistant(vault, work, **state).everything()
    assert [turn for turn in turns if turn not in said] == []


SLOW = """
import sys, time
from vaultmem import config
from vaultmem.cli import hook
config.find_own_vault = lambda *given, **named: time.sleep(60)
hook.DEADLINE_SECONDS = 0.3
raise SystemExit(hook.run_hook("claude", vault=sys.argv[1]))
"""


def test_words_of_a_hook_whose_time_is_over_are_taken_in_by_another(
    vault: Path, work: Path, tmp_path: Path
) -> None:
    state = {"VAULTMEM_STATE": str(tmp_path / "state")}
    said = {"session_id": "s" * 20, "cwd": str(work), "hook_event_name": "UserPromptSubmit"}
    told = json.dumps({**said, "prompt": "I keep bees in Lorca. " + "x" * 100_000}).encode()
    done = subprocess.run(
        [sys.executable, "-P", "-c", SLOW, str(vault)],
        input=told,
        capture_output=True,
        env={**os.environ, **state},
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    until(lambda: list((tmp_path / "state").rglob("waiting/*.json")))
    found = (tmp_path / "state").rglob("waiting/*.json")
    [kept] = [json.loads(each.read_text()) for each in found]
    assert kept["words"].startswith("I keep bees in Lorca. ")
    assert abs(time.time() * 1000 - kept["at"]) < 60_000


def test_the_child_keeps_the_turn_behind_the_hook(vault: Path, work: Path, tmp_path: Path) -> None:
    state = {"VAULTMEM_STATE": str(tmp_path / "state")}
    said = {"hook_event_name": "UserPromptSubmit", "session_id": "a" * 20, "cwd": str(work)}
    stop = {**said, "hook_event_name": "Stop", "last_assistant_message": "Done."}
    run(vault, json.dumps({**said, "prompt": "I live in Graz."}).encode(), **state)
    run(vault, json.dumps(stop).encode(), **state)
    run(vault, json.dumps({**said, "hook_event_name": "SessionEnd"}).encode(), **state)
    until(lambda: not list((tmp_path / "state").rglob("waiting/*.json")))
    assert Assistant(vault, work, **state).items() == ["I live in Graz."]


@pytest.mark.skipif(not hasattr(os, "nice"), reason="no priorities of this kind here")
def test_who_keeps_turns_from_a_program_keeps_its_own_priority(vault: Path, work: Path) -> None:
    before = os.nice(0)
    Assistant(vault, work).keep()
    assert os.nice(0) == before
