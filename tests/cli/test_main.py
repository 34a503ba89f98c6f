"""The command line itself: help, mistakes, exit codes, completion, both ways to start it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from vaultmem import __version__
from vaultmem.__main__ import main
from vaultmem.base import errors
from vaultmem.base.assets import page
from vaultmem.base.errors import BadInputError, BusyError, VaultmemError
from vaultmem.cli.failures import EXIT_BROKEN_PIPE, EXIT_INTERRUPTED, run_guarded
from vaultmem.cli.main import FAMILIES, cli

SEE_HELP = "hint: `vaultmem recall --help` explains it\n"
SEE_FORM = SEE_HELP.replace("`", "`vaultmem recall QUESTION...`; `", 1)
COMMANDS = [name for _, commands in FAMILIES for name, _, _ in commands]


def command_of(name: str) -> click.Command:
    found = cli.get_command(click.Context(cli), name)
    assert found is not None
    return found


def test_help_calls_every_number_by_one_letter_and_not_by_a_type() -> None:
    def helps(command: click.Command, context: click.Context) -> list[str]:
        told = [command.get_help(context)]
        if isinstance(command, click.Group):
            for name in command.list_commands(context):
                below = command.get_command(context, name)
                assert below is not None
                told += helps(below, click.Context(below, parent=context, info_name=name))
        return told

    every = "\n".join(helps(cli, click.Context(cli, info_name="vaultmem")))
    assert "--turn N" in every
    assert not re.search(r"--[a-z-]+ (INTEGER|FLOAT)", every)


class TestHelp:
    """Every command has one line, an example, and its place on the page of commands."""

    @pytest.mark.parametrize("name", COMMANDS)
    def test_the_summary_in_the_table_is_that_of_the_command(self, name: str) -> None:
        summaries = {n: summary for _, commands in FAMILIES for n, _, summary in commands}
        text = command_of(name).help or ""
        assert text.splitlines()[0] == summaries[name]

    @pytest.mark.parametrize("name", COMMANDS)
    def test_its_help_shows_an_example(self, name: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert main([name, "--help"]) == 0
        assert f"  vaultmem {name}" in capsys.readouterr().out

    @pytest.mark.parametrize("name", COMMANDS)
    def test_the_page_of_commands_has_it(self, name: str) -> None:
        assert re.search(rf"^\* .*`{name}\b", page("commands"), re.MULTILINE)

    @pytest.mark.parametrize("name", COMMANDS)
    def test_every_option_says_what_it_does(self, name: str) -> None:
        for parameter in command_of(name).params:
            if isinstance(parameter, click.Option):
                assert parameter.help, parameter.name

    @pytest.mark.parametrize("name", ["session", "remote", "llm", "vaults"])
    def test_a_group_says_of_its_commands_all_that_they_say(
        self, name: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        group = command_of(name)
        assert isinstance(group, click.Group)
        assert main([name, "--help"]) == 0
        told = " ".join(capsys.readouterr().out.split())
        for each, command in group.commands.items():
            summary = (command.help or "").strip().partition("\n\n")[0]
            assert f"{each} {' '.join(summary.split())}" in told

    def test_without_a_command_it_shows_the_help(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main([]) == 0
        out = capsys.readouterr().out
        assert all(f"  {name} " in out for name in COMMANDS)

    def test_the_version(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["--version"]) == 0
        assert capsys.readouterr().out == f"vaultmem {__version__}\n"

    def test_help_imports_no_command(self) -> None:
        code = (
            "import sys; from vaultmem.__main__ import main; main(['--help']); print(*sys.modules)"
        )
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
        )
        loaded = done.stdout.splitlines()[-1].split()
        assert "vaultmem.cli.main" in loaded
        assert not {"vaultmem.api.memory", "vaultmem.cli.looking", "sqlite3", "rich"} & set(loaded)


class TestMistakes:
    """Lower case, no final period, a hint, exit code 2."""

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (
                ["recal", "x"],
                "error: no command is called 'recal'\nhint: did you mean `vaultmem recall`?\n",
            ),
            (
                ["xyzzy"],
                "error: no command is called 'xyzzy'\nhint: `vaultmem --help` lists them\n",
            ),
            (
                ["recall"],
                "error: missing argument 'QUESTION...'\n" + SEE_FORM,
            ),
            (
                ["completion"],
                (
                    "error: missing argument: one of bash, zsh, fish\n"
                    "hint: `vaultmem completion {bash|zsh|fish}`; "
                    "`vaultmem completion --help` explains it\n"
                ),
            ),
            (
                ["completion", "tcsh"],
                (
                    "error: 'tcsh' is not one of 'bash', 'zsh', 'fish'\n"
                    "hint: `vaultmem completion --help` explains it\n"
                ),
            ),
            (
                ["remember", "--fact", "user", "likes"],
                (
                    "error: option '--fact' requires 3 arguments\n"
                    "hint: `vaultmem remember --help` explains it\n"
                ),
            ),
            (
                ["remember", "- [ ] buy milk"],
                (
                    "error: no such option '- '\nhint: a text that begins with '-' stands behind "
                    "`--`: vaultmem remember -- '- tea'\n"
                ),
            ),
            (
                ["recall", "--explian", "x y"],
                "error: no such option '--explian'\nhint: did you mean --explain, --expand?\n",
            ),
        ],
    )
    def test_a_wrong_call_is_explained(
        self, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(arguments) == errors.EXIT_USAGE
        captured = capsys.readouterr()
        assert captured.err == message
        assert captured.out == ""

    def test_a_vault_that_does_not_exist_is_an_error_and_never_made(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        missing = tmp_path / "missing"
        for command in (["recall", "x"], ["remember", "x y"], ["status"], ["sync"], ["list"]):
            assert main([*command, "--vault", str(missing)]) == errors.EXIT_NO_VAULT
            captured = capsys.readouterr()
            assert captured.err.startswith(f"error: no folder '{missing}'\nhint: ")
            assert captured.out == ""
        assert not missing.exists()

    def test_a_file_that_is_not_there_is_not_remembered_as_words(
        self, root: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["remember", "diary.md", "--vault", str(root)]) == errors.EXIT_BAD_INPUT
        assert capsys.readouterr().err.startswith("error: no file 'diary.md'\n")


class TestFailures:
    """One ladder from exception to message, hint and exit code."""

    def test_an_error_is_told_with_its_hint_and_code(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run_guarded(raising(BusyError("busy", hint="try again"))) == errors.EXIT_BUSY
        assert capsys.readouterr().err == "error: busy\nhint: try again\n"

    def test_an_escape_in_a_message_is_spelled_out(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        run_guarded(raising(BadInputError("\x1b]0;title\x07 \u202e")))
        assert capsys.readouterr().err == "error: \\x1b]0;title\\x07 \\u202e\n"

    def test_ctrl_c_is_quiet(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run_guarded(raising(KeyboardInterrupt())) == EXIT_INTERRUPTED == 130
        assert capsys.readouterr().err == "interrupted\n"

    def test_a_bug_shows_its_traceback(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run_guarded(raising(ZeroDivisionError("one by nought"))) == errors.EXIT_BUG
        told = capsys.readouterr().err
        assert "Traceback" in told
        assert told.endswith("hint: please report it with the lines above\n")

    def test_every_code_is_on_the_page(self) -> None:
        codes = {getattr(errors, name) for name in dir(errors) if name.startswith("EXIT_")}
        codes |= {kind.exit_code for kind in subclasses(VaultmemError)}
        codes |= {EXIT_INTERRUPTED, EXIT_BROKEN_PIPE}
        codes |= {128 + signal.SIGTERM, 128 + signal.SIGHUP}
        on_page = {int(found) for found in re.findall(r"^\* (\d+):", page("exit-codes"), re.M)}
        assert on_page == codes | {0}


def raising(error: BaseException) -> Callable[[], int]:
    def run() -> int:
        raise error

    return run


def subclasses(kind: type[VaultmemError]) -> set[type[VaultmemError]]:
    direct = set(kind.__subclasses__())
    return {kind} | direct.union(*(subclasses(one) for one in direct))


class TestProcess:
    """As a real process."""

    def test_the_module_and_the_command_are_the_same(self) -> None:
        script = Path(sys.executable).with_name("vaultmem")
        if not script.exists():
            pytest.skip("the command is not installed")
        outputs = [
            subprocess.run([*start, "--help"], capture_output=True, text=True, timeout=60).stdout
            for start in ([str(script)], [sys.executable, "-m", "vaultmem"])
        ]
        assert outputs[0] == outputs[1] != ""

    @pytest.mark.skipif(os.name != "posix", reason="pipes of this system")
    def test_a_reader_that_goes_away_is_no_error(self) -> None:
        process = subprocess.Popen(
            [sys.executable, "-m", "vaultmem", "help", "settings"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        told = process.stderr.read()
        process.stderr.close()
        assert process.wait(timeout=60) == EXIT_BROKEN_PIPE
        assert told == b""

    def test_output_is_utf8_whatever_the_console_says(self, root: Path) -> None:
        environ = os.environ | {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"}
        for words in (["remember", "My sister Łucja lives in Łódź."], ["recall", "Łucja"]):
            done = subprocess.run(
                [sys.executable, "-m", "vaultmem", *words, "--vault", str(root)],
                capture_output=True,
                env=environ,
                timeout=60,
            )
            assert done.returncode == 0, done.stderr
            assert "Łódź" in done.stdout.decode("utf-8")

    @pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
    def test_completion_knows_the_commands(
        self, shell: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["completion", shell]) == 0
        assert "_VAULTMEM_COMPLETE" in capsys.readouterr().out

    def test_the_shell_is_offered_commands_and_options(self) -> None:
        asked = {"_VAULTMEM_COMPLETE": "bash_complete", "COMP_WORDS": "vaultmem re"}
        done = subprocess.run(
            [sys.executable, "-m", "vaultmem"],
            env=os.environ | asked | {"COMP_CWORD": "1"},
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.stdout.split() == [
            f"plain,{name}"
            for name in (
                *("remember", "recall", "retract", "restore", "report", "review", "reflect"),
                *("reindex", "remote"),
            )
        ]
