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
from typing import NamedTuple

from tests.cli.commands import CAN_FORK, command

BLANK = "."
_FOR_THE_SHELL = frozenset("|><&;$`*?~(){}[]#!\\\n")
_EVEN_IN_QUOTES = frozenset("$`\\\n")
_ASSIGNMENT = re.compile(r"([A-Z_]+)=([\w.:/-]*) ")
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
        # The first command of each transcript, and what only a shell can read, is a cold program.
        line = read_line(typed) if self._is_warm and CAN_FORK else None
        if line is not None:
            return self._warm(line, environ)
        done = subprocess.run(
            ["sh", "-c", typed],
            cwd=self._folder,
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=120,
        )
        self._is_warm = self._is_warm or read_line(typed) is not None
        return done

    def _warm(self, line: Line, environ: dict[str, str]) -> subprocess.CompletedProcess[bytes]:
        """What a shell would print, with our program forked and the others started."""
        done = command(line.words, folder=self._folder, environ={**environ, **line.assigned})
        if line.into:
            (self._folder / line.into).write_bytes(done.stdout)
            return subprocess.CompletedProcess(done.args, done.returncode, b"", done.stderr)
        if not line.then:
            return done
        last = subprocess.run(
            ["sh", "-c", line.then],
            cwd=self._folder,
            env=environ,
            input=done.stdout,
            capture_output=True,
            timeout=120,
        )
        said = done.stderr + last.stderr
        return subprocess.CompletedProcess(done.args, last.returncode, last.stdout, said)

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


class Line(NamedTuple):
    """A command line that can be carried out without a shell."""

    words: tuple[str, ...]  # behind `vaultmem`
    assigned: dict[str, str]  # variables in front of it
    into: str  # file for its standard output; '': none
    then: str  # commands that read its standard output; '': none


def read_line(typed: str) -> Line | None:
    """`A=b vaultmem WORDS`, perhaps with `> FILE` or `| COMMANDS` behind; None: for a shell."""
    assigned = {}
    while found := _ASSIGNMENT.match(typed):
        assigned[found[1]] = found[2]
        typed = typed[found.end() :]
    first = _unquoted_special(typed)
    ours, sign, rest = typed[:first], typed[first : first + 1], typed[first + 1 :].strip()
    if not ours.startswith("vaultmem ") or sign not in ("", "|", ">"):
        return None
    is_piped = sign == "|" and bool(rest) and rest[0] not in "|&" and "vaultmem" not in rest
    is_kept = sign == ">" and ours.endswith(" ") and bool(re.fullmatch(r"[\w./-]+", rest))
    if sign and not (is_piped or is_kept):
        return None
    words = tuple(shlex.split(ours)[1:])
    return Line(words, assigned, rest if is_kept else "", rest if is_piped else "")


def _unquoted_special(typed: str) -> int:
    """Where a shell would make something else of a word, or its end; quotes are read as by sh."""
    quote = ""
    for place, char in enumerate(typed):
        if char == quote:
            quote = ""
        elif quote == "" and char in "'\"":
            quote = char
        elif char in (_FOR_THE_SHELL if quote == "" else _EVEN_IN_QUOTES) and quote != "'":
            return place
    return len(typed)


def guarded(line: str) -> str:
    """A line of output that cannot be taken for a part of the transcript itself."""
    if not line:
        return BLANK
    return f"\\{line}" if line.startswith(("# ", "$ ", "! ", "? ")) else line
