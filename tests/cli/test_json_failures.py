"""With `--json` a command that fails says so on standard output as well, for programs."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from tests.cli.test_main import raising
from vaultmem.__main__ import main
from vaultmem.base import errors
from vaultmem.cli.failures import EXIT_INTERRUPTED, run_guarded
from vaultmem.cli.main import FAMILIES, cli

_MAKING = ("demo", "init")  # they make what is missing


def commands(command: click.Command, *path: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command that can be typed, with those below it."""
    if not isinstance(command, click.Group):
        yield path, command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        below = command.get_command(context, name)
        assert below is not None
        yield from commands(below, *path, name)


def arguments_of(command: click.Command) -> list[str]:
    """Something for each argument that it needs."""
    needed = [each for each in command.params if isinstance(each, click.Argument) and each.required]
    return ["x" for each in needed for _ in range(max(1, each.nargs))]


def failure_in(out: str) -> dict[str, Any]:
    """The failure in what was printed: the last line."""
    found: dict[str, Any] = json.loads(out.splitlines()[-1])
    return found


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place without a vault, in which nobody types anything."""
    place = tmp_path / "empty"
    place.mkdir()
    monkeypatch.chdir(place)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    return place


def test_every_command_says_on_standard_output_why_it_failed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = str(folder / "missing")
    seen = set()
    for path, command in commands(cli):
        ways = [[*path, "--no-such-option"]]
        if path[0] not in _MAKING:
            ways += [["--vault", missing, *path, *arguments_of(command)]]
        if arguments_of(command):
            ways += [list(path)]
        for words in ways:
            code = main([*words, "--json"])
            out, err = capsys.readouterr()
            if code == 0:
                continue
            found = failure_in(out)
            assert found.keys() == {"error", "hint", "code"}, words
            assert found["code"] == code, words
            assert f"error: {found['error']}\n" in err, words
            assert found["hint"] is None or f"hint: {found['hint']}\n" in err, words
            assert len(out.splitlines()) == 1, words
            seen.add(path[0])
    assert seen == {name for _, family in FAMILIES for name, _, _ in family}
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--json", "recal", "x"], errors.EXIT_USAGE),
        (["recall", "--json"], errors.EXIT_USAGE),
        (["vaults", "use", "--json"], errors.EXIT_USAGE),
        (["recall", "x", "--limit", "many", "--json"], errors.EXIT_USAGE),
        (["show", "x", "--json"], errors.EXIT_NO_VAULT),
    ],
)
def test_a_wrong_call_is_one_value(
    words: list[str], code: int, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == code
    assert failure_in(capsys.readouterr().out)["code"] == code


@pytest.mark.usefixtures("folder")
def test_a_failure_that_nobody_asked_for_as_json_leaves_standard_output_alone(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for words in (["recall"], ["show", "x"], ["recall", "--nope"], ["recall", "--", "--json"]):
        assert main(words) != 0
        assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("error", "code", "hint"),
    [
        (errors.BusyError("busy", hint="try again"), errors.EXIT_BUSY, "try again"),
        (errors.BadInputError("odd \x1b]0;x\x07"), errors.EXIT_BAD_INPUT, None),
        (KeyboardInterrupt(), EXIT_INTERRUPTED, None),
        (ZeroDivisionError("x"), errors.EXIT_BUG, "please report it with the lines above"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_whatever_went_wrong_has_one_shape(
    error: BaseException, code: int, hint: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_guarded(raising(error), wants_json=lambda: True) == code
    out = capsys.readouterr().out
    assert "\x1b" not in out
    found = failure_in(out)
    assert (found["code"], found["hint"]) == (code, hint)
