"""The git settings that a transfer may use: the person's, and only those that let them in.

Of `git config --global` only `credential.*`, `http.*proxy` and `http.*sslCAInfo` are copied into a
file of our own, which git then reads in place of all others. Nothing comes from a vault.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping

from vaultmem.storage.git import process
from vaultmem.storage.git.engine import Engine, inherited

FILE = "transfer.config"
_WANTED = re.compile(r"credential\.(?s:.+)|http\.(?:(?s:.+)\.)?(?:proxy|sslcainfo)", re.IGNORECASE)
_SECONDS = 10.0
# What helpers, agents and key rings need to find the person: never a variable of git's own.
_PASSED_ON = (
    *("HOME", "USER", "LOGNAME", "USERNAME", "USERPROFILE", "HOMEDRIVE", "HOMEPATH"),
    *("APPDATA", "LOCALAPPDATA", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME"),
    *("SSH_AUTH_SOCK", "SSH_AGENT_PID", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY"),
    *("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "TERM"),
    *("http_proxy", "https_proxy", "all_proxy", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR"),
)


def transfer_environment(
    engine: Engine, environment: Mapping[str, str], *, protocol: str, may_ask: bool
) -> dict[str, str]:
    """Variables for a git that talks to a remote by this protocol.

    may_ask  git and ssh may ask the person on the terminal
    """
    found = dict(engine.environment)
    found.pop("HOME", None)
    found |= {name: environment[name] for name in _PASSED_ON if name in environment}
    found |= {
        "GIT_CONFIG_GLOBAL": str(_config(engine, environment)),
        "GIT_ALLOW_PROTOCOL": protocol,
        "GIT_TERMINAL_PROMPT": "1" if may_ask else "0",
        "GIT_SSH_COMMAND": "ssh -o ConnectTimeout=20" + ("" if may_ask else " -o BatchMode=yes"),
        "GIT_SSH_VARIANT": "ssh",
        "GIT_PROTOCOL_FROM_USER": "0",
        "GIT_ASKPASS": "",
        "SSH_ASKPASS": "",
    }
    return found


def _config(engine: Engine, environment: Mapping[str, str]) -> os.PathLike[str]:
    """The file of copied settings, written anew each time: a transfer takes far longer."""
    file = engine.folder / FILE
    new = file.with_name(f"{FILE}.{os.getpid()}")
    text = "".join(_as_lines(_global_settings(engine, environment)))
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(descriptor, "w", encoding="utf-8", errors="surrogateescape") as stream:
        stream.write(text)
    os.replace(new, file)
    return file


def _global_settings(engine: Engine, environment: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Name and value of the wanted settings of `git config --global`, in order."""
    own = inherited(environment) | {"LC_ALL": "C", "GIT_DIR": str(engine.folder)}
    names = ("HOME", "USERPROFILE", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL")
    own |= {name: environment[name] for name in names if name in environment}
    git = process.find_git(engine.search_path)
    argv = (git, "config", "--global", "--includes", "--list", "-z")
    finished = process.start(argv, own, seconds=_SECONDS).wait()
    if finished.code != 0:  # there is no such file
        return
    for setting in finished.out.decode("utf-8", "surrogateescape").split("\0"):
        name, newline, value = setting.partition("\n")
        if _WANTED.fullmatch(name):
            yield name, value if newline else "true"


def _as_lines(settings: Iterator[tuple[str, str]]) -> Iterator[str]:
    """Settings as git reads them: one section a setting, since the order of helpers counts."""
    for name, value in settings:
        section, _, rest = name.partition(".")
        subsection, _, key = rest.rpartition(".")
        inner = f' "{_escaped(subsection)}"' if subsection else ""
        quoted = _escaped(value).replace("\n", "\\n").replace("\t", "\\t")
        yield f'[{section}{inner}]\n\t{key} = "{quoted}"\n'


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
