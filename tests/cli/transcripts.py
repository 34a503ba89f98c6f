"""Reads, runs and writes transcripts: what a person types, and exactly what they see.

A transcript is a text file:

    # a comment
    $ vaultmem recall tea
    what the command prints on standard output
    ! what it prints on standard error
    ? 66        the exit code, when it is not 0
    .           a blank line of output

Commands run in a shell, in an empty folder, with a home of their own, a minute apart from noon of
a fixed day on. What differs from run to run (commits, the folder) is replaced by a name in angle
brackets.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from tests.cli.commands import CAN_FORK, command

BLANK = "."
_FOR_THE_SHELL = frozenset("|><&;$`*?~(){}[]#!\\\n")
START = datetime.fromisoformat("2026-11-21T12:00:00+00:00")


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One command with the comments above it and what it printed."""

    comments: tuple[str, ...]
    command: str
    output: tuple[str, ...]


def parse(text: str) -> list[Step]:
    """Steps of a transcript; raises ValueError for output before the first command."""
    steps: list[Step] = []
    comments: list[str] = []
    output: list[str] = []
    command = ""
    for line in [*text.splitlines(), "$ "]:
        is_comment = line.startswith("# ") or not line
        if command and (is_comment or line.startswith("$ ")):
            steps.append(Step(comments=tuple(comments), command=command, output=tuple(output)))
            comments, output, command = [], [], ""
        if is_comment:
            comments.append(line)
        elif line.startswith("$ "):
            command = line[2:]
        elif command:
            output.append(line)
        else:
            raise ValueError(f"output before any command: {line!r}")
    return steps


def render(steps: list[Step]) -> str:
    """The transcript of the steps; `parse` of it is the steps again."""
    lines: list[str] = []
    for step in steps:
        lines += [*step.comments, f"$ {step.command}", *step.output]
    return "\n".join(lines) + "\n"


class Shell:
    """Runs commands one by one; `cd` lasts."""

    def __init__(self, folder: Path) -> None:
        self._top = folder
        self._folder = folder
        programs = folder.parent / "bin"
        programs.mkdir(exist_ok=True)
        program = programs / "vaultmem"
        program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m vaultmem "$@"\n')
        program.chmod(0o755)
        self._now = START
        self._is_warm = False
        self._environ = os.environ | {
            "PATH": f"{programs}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
            "LC_ALL": "C.UTF-8",
            "GIT_PAGER": "cat",
        }

    def run(self, typed: str) -> tuple[str, ...]:
        """Lines of output as a transcript shows them."""
        if typed.startswith("cd "):
            self._folder = self._folder / typed[3:].strip()
            return ()
        done = self.printed(typed)
        lines = [guarded(line) for line in done.stdout.decode("utf-8").splitlines()]
        lines += [f"! {line}" for line in done.stderr.decode("utf-8").splitlines()]
        lines += [f"? {done.returncode}"] * (done.returncode != 0)
        return tuple(self.normalised(line) for line in lines)

    def printed(self, typed: str) -> subprocess.CompletedProcess[bytes]:
        """What a command other than `cd` prints, to the byte, a minute after the one before."""
        self._now += timedelta(minutes=1)
        environ = self._environ | {"VAULTMEM_NOW": self._now.isoformat()}
        # The first command of each transcript, and whatever needs a shell, is a cold program.
        if self._is_warm and CAN_FORK and is_plain(typed):
            return command(shlex.split(typed)[1:], folder=self._folder, environ=environ)
        done = subprocess.run(
            ["sh", "-c", typed],
            cwd=self._folder,
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=120,
        )
        self._is_warm = self._is_warm or is_plain(typed)
        return done

    def normalised(self, line: str) -> str:
        line = line.replace(str(self._top), "<folder>").replace(os.environ["HOME"], "<home>")
        line = re.sub(r"\bv-[0-9a-z]{12}\b", "<vault-id>", line)
        line = re.sub(r"\b[0-9a-f]{40}\b", "<sha>", line)
        # One id in 2,500 has no digit: behind this word it is one all the same.
        line = re.sub(r"(?<=\bcommit )[0-9a-f]{7,8}\b", "<commit>", line)
        line = re.sub(r"(?<!-)\b(?=[a-f]*\d)[0-9a-f]{7,8}\b(?!-)", "<commit>", line)
        line = re.sub(r"score \d+\.\d+", "score <n>", line)
        line = re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:<port>", line)
        line = re.sub(r"\(\d+\.\d s\)", "(<n> s)", line)
        line = re.sub(r'"seconds": \d+\.\d+', '"seconds": <n>', line)
        line = re.sub(r"searched \d+ objects", "searched <n> objects", line)
        line = re.sub(r"\b\d+(\.\d+)? (B|KB|MB)\b", "<size>", line)
        # Said once, and only where the extra is not installed (tests/embeddings).
        line = re.sub(r"(?<=^embeddings   off); the extra .*", "", line)
        return re.sub(r"/[0-9a-f]{16}\b", "/<state>", line)


def is_plain(typed: str) -> bool:
    """Whether it is `vaultmem` and its words, from which a shell would make nothing else."""
    return typed.startswith("vaultmem ") and _FOR_THE_SHELL.isdisjoint(typed)


def guarded(line: str) -> str:
    """A line of output that cannot be taken for a part of the transcript itself."""
    if not line:
        return BLANK
    return f"\\{line}" if line.startswith(("# ", "$ ", "! ", "? ")) else line
