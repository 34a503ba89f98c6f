"""Where device state may lie: on a local disk, and never inside the vault."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from vaultmem.api.memory import Memory
from vaultmem.base.errors import BadInputError, SettingsError
from vaultmem.config.places import file_system, is_doubtful, is_network, require_local

TABLE = """\
22 27 0:21 / / rw,relatime - ext4 /dev/vda rw
23 22 0:22 / {base}/home rw - nfs4 server:/home rw,vers=4.2
24 22 0:23 / {base}/a\\040share rw - cifs //server/share rw
25 22 0:24 / {base}/host rw - 9p host rw
26 22 0:25 / {base}/far rw - fuse.sshfs ada@server: rw
27 23 0:26 / {base}/home/local rw shared:1 master:2 - xfs /dev/vdb rw
"""


@pytest.fixture
def mounts(tmp_path: Path) -> str:
    table = tmp_path / "mountinfo"
    table.write_text(TABLE.format(base=tmp_path))
    return str(table)


@pytest.mark.parametrize(
    ("place", "kind"),
    [
        ("home/ada/state", "nfs4"),
        ("home", "nfs4"),
        ("homely", "ext4"),
        ("home/local/state", "xfs"),
        ("a share/x", "cifs"),
        ("host/x", "9p"),
        ("far/x", "fuse.sshfs"),
    ],
)
def test_the_innermost_mount_counts(tmp_path: Path, mounts: str, place: str, kind: str) -> None:
    assert file_system(str(tmp_path / place), mounts=mounts) == kind


def test_a_link_is_followed(tmp_path: Path, mounts: str) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "home")
    assert file_system(str(tmp_path / "link/state"), mounts=mounts) == "nfs4"


def test_of_this_machine_something_is_told() -> None:
    if not os.path.exists("/proc/self/mountinfo"):
        pytest.skip("no table of mounts on this system")
    assert file_system("/proc") == "proc"


def test_where_nothing_is_told_nothing_is_refused(tmp_path: Path) -> None:
    assert file_system(str(tmp_path), mounts=str(tmp_path / "none")) == ""
    require_local(tmp_path / "state", mounts=str(tmp_path / "none"))


@pytest.mark.parametrize(("place", "kind"), [("home", "nfs4"), ("a share", "cifs")])
def test_a_network_file_system_is_refused_by_name(
    tmp_path: Path, mounts: str, place: str, kind: str
) -> None:
    with pytest.raises(SettingsError, match=rf"network file system \({kind}\)") as refused:
        require_local(tmp_path / place / "state", mounts=mounts)
    assert "VAULTMEM_STATE" in refused.value.hint


def test_what_may_be_shared_is_used_when_its_locks_hold(tmp_path: Path, mounts: str) -> None:
    (tmp_path / "host").mkdir()
    require_local(tmp_path / "host" / "state", mounts=mounts)
    assert list((tmp_path / "host").iterdir()) == []
    assert is_doubtful("9p")
    assert is_doubtful("fuse.mergerfs")
    assert not is_doubtful("fuse.sshfs")
    assert is_network("fuse.sshfs")
    assert not is_doubtful("fuseblk")  # a local disk of another system


def test_state_inside_the_vault_is_refused(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "link").symlink_to(root / "items")
    for state in (root / ".state", tmp_path / "link" / "state"):
        monkeypatch.setenv("VAULTMEM_STATE", str(state))
        before = sorted(root.rglob("*"))
        done = subprocess.run(
            [sys.executable, "-m", "vaultmem", "remember", "--vault", str(root), "I like tea."],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 78
        assert "lies inside the vault" in done.stderr
        assert "hint: set VAULTMEM_STATE" in done.stderr
        assert sorted(root.rglob("*")) == before


def test_a_folder_beside_it_with_a_longer_name_is_no_part_of_the_vault(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VAULTMEM_STATE", f"{root}-state")
    with Memory(root) as memory:
        memory.remember("I like tea.")


@pytest.mark.skipif(os.name != "posix", reason="names of files are text there")
@pytest.mark.parametrize("way", ["init", "open"])
def test_a_folder_whose_name_is_no_text_is_refused(tmp_path: Path, way: str) -> None:
    """Rather than ended half way: no index, setting or message could say where it is."""
    root = tmp_path / os.fsdecode(b"caf\xe9")
    if way == "open":
        Memory.init(tmp_path / "vault")
        try:
            (tmp_path / "vault").rename(root)
        except OSError:  # macOS keeps none
            pytest.skip("this file system has no such name")
    with pytest.raises(BadInputError, match="no text in UTF-8") as found:
        Memory.init(root) if way == "init" else Memory(root)
    assert found.value.message.isascii()
    assert root.exists() == (way == "open")
