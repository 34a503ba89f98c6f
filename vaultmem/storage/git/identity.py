"""Whose name commits carry: the person's own, read from their settings, never from a vault."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from vaultmem import base
from vaultmem.storage.git import process
from vaultmem.storage.git.engine import Engine, inherited_environment

FALLBACK = ("vaultmem", "vaultmem@localhost")
# A commit of the year 292277026596 made log, status and audit fail for ever.
LATEST_SECONDS = 253_402_214_400
"""9999-12-31 00:00 UTC: it has a date in every time zone."""
_FILE = "identity"
_SECONDS = 10.0
# fast-import and git's own parser end a name or address at these.
_CRUD = str.maketrans("", "", "<>\0\r\n")


def signature(name: str, mail: str, seconds: int) -> str:
    """Author or committer as commits and reflogs hold it, in UTC."""
    return f"{name} <{mail}> {max(seconds, 0)} +0000"


def seconds_of(word: str | bytes) -> int:
    """The time of a commit as git writes it: seconds since 1970, UTC, 0 when it is none.

    Anybody can write any number into a commit; beyond the calendar it is the calendar's last day.
    """
    return min(int(word), LATEST_SECONDS) if word.isdigit() else 0


def _clean(text: str) -> str:
    # Git takes the same signs off a name: one of signs alone is none, and a commit with it is
    # refused.
    return "".join(char for char in text.translate(_CRUD) if char.isprintable()).strip(" .,:;'\"")


def read_identity(engine: Engine, environment: Mapping[str, str]) -> tuple[str, str]:
    """Name and address of the person; `vaultmem` when git knows none.

    GIT_AUTHOR_NAME and GIT_AUTHOR_EMAIL come first, then `git config --global`, read again
    only when its files change (two stats instead of a process).
    """
    name = environment.get("GIT_AUTHOR_NAME", "")
    mail = environment.get("GIT_AUTHOR_EMAIL", "")
    if not (name and mail):
        known_name, known_mail = _global(engine, environment)
        name, mail = name or known_name, mail or known_mail
    return _clean(name) or FALLBACK[0], _clean(mail) or FALLBACK[1]


def _global(engine: Engine, environment: Mapping[str, str]) -> tuple[str, str]:
    stamp = "\n".join(_stamp(file) for file in _files(environment))
    file = engine.folder / _FILE
    try:
        kept = file.read_text(encoding="utf-8").split("\0")
    except (OSError, UnicodeDecodeError):
        kept = []
    if len(kept) == 3 and kept[0] == stamp:
        return kept[1], kept[2]
    found = _ask_git(engine, environment)
    with suppress(OSError):  # only kept so that the next command need not ask again
        base.replace_file(file, "\0".join((stamp, *found)).encode())
    return found


def _files(environment: Mapping[str, str]) -> tuple[Path, ...]:
    """The files of `git config --global`."""
    if "GIT_CONFIG_GLOBAL" in environment:
        return (Path(environment["GIT_CONFIG_GLOBAL"]),)
    home = environment.get("HOME") or environment.get("USERPROFILE") or ""
    folder = environment.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    return (Path(home, ".gitconfig"), Path(folder, "git", "config"))


def _stamp(file: Path) -> str:
    try:
        found = os.stat(file)
    except OSError:
        return f"{file} none"
    return f"{file} {found.st_mtime_ns} {found.st_size}"


def _ask_git(engine: Engine, environment: Mapping[str, str]) -> tuple[str, str]:
    found = {"user.name": "", "user.email": ""}
    for key, value in personal_settings(
        engine, environment, "--get-regexp", r"^user\.(name|email)$"
    ):
        if key in found and value is not None:
            found[key] = _clean(value.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
    return found["user.name"], found["user.email"]


def personal_settings(
    engine: Engine, environment: Mapping[str, str], *query: str
) -> Iterator[tuple[str, str | None]]:
    """(name, value) of what `git config --global` answers, in order; None: it has no value.

    Bytes that are not UTF-8 are surrogates.
    """
    kept = ("HOME", "USERPROFILE", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL")
    personal = inherited_environment(environment) | {
        name: environment[name] for name in kept if name in environment
    }
    personal |= {"GIT_DIR": str(engine.folder), "LANG": "C", "LC_ALL": "C"}
    git = process.find_git(engine.search_path)
    argv = (git, "config", "--global", "--includes", "-z", *query)
    finished = process.start(argv, personal, seconds=_SECONDS).wait()
    if finished.code != 0:  # there is no such file, or nothing of the kind in it
        return
    for setting in finished.out.decode("utf-8", "surrogateescape").split("\0")[:-1]:
        name, newline, value = setting.partition("\n")
        yield name, value if newline else None
