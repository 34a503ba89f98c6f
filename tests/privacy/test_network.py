"""`privacy.local_only`: nothing but this device."""

from __future__ import annotations

from pathlib import Path

import pytest

from vaultmem.base.errors import EXIT_REFUSED, LocalOnlyError
from vaultmem.config.network import is_on_this_device, require_network
from vaultmem.config.settings import load_settings


@pytest.mark.parametrize(
    "target",
    [
        "/srv/git/notes.git",
        "../notes.git",
        "C:\\notes.git",
        "file:///srv/notes.git",
        "file://localhost/srv/notes.git",
        "http://127.0.0.1:8080/x.git",
        "http://localhost:11434/v1",
        "https://user@[::1]:8443/x",
        "ssh://git@127.0.0.2/x",
        "git@localhost:notes.git",
        "./a:b",
    ],
)
def test_this_device_is_no_network(target: str) -> None:
    assert is_on_this_device(target)


@pytest.mark.parametrize(
    "target",
    [
        "",
        "https://example.org/x.git",
        "http://localhost.example.org/",
        "http://127.0.0.1.example.org/",
        "http://localhost@example.org/",
        "http://127.0.0.1:80@example.org/x",
        "git@example.org:notes.git",
        "example.org:notes.git",
        "ssh://example.org/x",
        "file://server/share/notes.git",
        "//server/share",
        "\\\\server\\share",
        "ext::sh -c true",
        "ext::ssh://127.0.0.1/x",
        "http://0x7f000001/",
    ],
)
def test_everything_else_is_one(target: str) -> None:
    assert not is_on_this_device(target)


def test_the_vault_alone_can_forbid_the_network_and_the_error_says_where(root: Path) -> None:
    require_network(load_settings(root), "pulling", target="https://example.org/x.git")
    with open(root / "vaultmem.toml", "a", encoding="utf-8") as file:
        file.write("\n[privacy]\nlocal_only = true\n")
    settings = load_settings(root)
    require_network(settings, "pulling", target=str(root))
    with pytest.raises(LocalOnlyError, match=r"pulling needs a network.*vaultmem\.toml") as refused:
        require_network(settings, "pulling", target="https://example.org/x.git")
    assert refused.value.exit_code == EXIT_REFUSED
    assert refused.value.hint


def test_a_vault_cannot_allow_what_the_person_forbids(root: Path) -> None:
    from vaultmem.config.settings import person_file

    own = Path(person_file({"XDG_CONFIG_HOME": str(root.parent)}))
    own.parent.mkdir(parents=True)
    own.write_text("[privacy]\nlocal_only = true\n", encoding="utf-8")
    with open(root / "vaultmem.toml", "a", encoding="utf-8") as file:
        file.write("\n[privacy]\nlocal_only = false\n")
    settings = load_settings(root, environ={"XDG_CONFIG_HOME": str(root.parent)})
    with pytest.raises(LocalOnlyError):
        require_network(settings, "pushing", target="git@example.org:x")


def test_a_pull_does_not_begin_where_the_network_is_forbidden(root: Path) -> None:
    import subprocess
    import sys

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "vaultmem", "--vault", str(root), *words]
        return subprocess.run(command, capture_output=True, text=True, timeout=60)

    assert run("remote", "set", "https://vaultmem.invalid/x.git").returncode == 0
    with open(root / "vaultmem.toml", "a", encoding="utf-8") as file:
        file.write("\n[privacy]\nlocal_only = true\n")
    refused = run("pull")
    assert refused.returncode == EXIT_REFUSED
    assert "`privacy.local_only`" in refused.stderr
