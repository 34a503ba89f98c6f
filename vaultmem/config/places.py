"""Whether a folder is a place for device state: a local disk, and not inside the vault.

The lock, the index (SQLite with a write-ahead log) and the durability of every write depend on
what network file systems do not keep: locks that other machines see at once, shared memory, an
fsync that means it. A state folder inside the vault would be synced, zipped and shared with it.
"""

from __future__ import annotations

import os
from pathlib import Path

from vaultmem.base import BadInputError, SettingsError

MOUNTS = "/proc/self/mountinfo"
# As the kernel calls them; from fs/*/super.c of Linux and the manuals of the FUSE programs.
_SHARED = """
    nfs nfs4 cifs smb2 smb3 smbfs ncpfs afs ceph coda lustre gpfs pvfs2 orangefs ocfs2 glusterfs
    davfs beegfs fuse.sshfs fuse.rclone fuse.s3fs fuse.gcsfuse fuse.goofys fuse.glusterfs fuse.ceph
    fuse.davfs2 fuse.curlftpfs fuse.gvfsd-fuse fuse.juicefs fuse.smbnetfs fuse.onedriver
    fuse.google-drive-ocamlfuse fuse.seaweedfs
"""
NETWORK = frozenset(_SHARED.split())
_HINT = "set VAULTMEM_STATE or XDG_STATE_HOME to a folder {} (`vaultmem status` shows it)"


def require_text(folder: str) -> None:
    """Refuse a folder whose name is no text here: index, settings and commits could not say it.

    A name in another encoding than UTF-8, or any beyond ASCII where the locale is that of C and
    Python was told to believe it. raises BadInputError
    """
    try:
        folder.encode()
    # A vault in a folder named in Latin-1 ended every command with a bug's exit code, and left
    # `init` half done.
    except UnicodeEncodeError:
        shown = folder.encode("utf-8", "backslashreplace").decode()
        raise BadInputError(
            f"the name of the folder is no text in UTF-8: '{shown}'",
            hint="rename it; or, where its name is right, work in a UTF-8 locale (LC_ALL=C.UTF-8)",
        ) from None


def file_system(folder: str, *, mounts: str = MOUNTS) -> str:
    """Kind of the file system that a folder (or what exists above it) is on; '' if not told."""
    place = os.path.realpath(folder)
    longest, found = -1, ""
    try:
        with open(mounts, encoding="utf-8", errors="surrogateescape") as stream:
            for line in stream:
                before, _, after = line.partition(" - ")
                point = _unescape(before.split(" ")[4])
                base = point.rstrip("/")
                # A later mount on the same point hides the earlier one.
                if len(point) >= longest and (place + "/").startswith(base + "/"):
                    longest, found = len(point), after.split(" ")[0]
    except (OSError, IndexError):
        return ""
    return found


def _unescape(point: str) -> str:
    """Blank, tab, newline and backslash stand as octal numbers in the table of mounts."""
    for code, plain in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        point = point.replace(code, plain)
    return point


def is_network(kind: str) -> bool:
    """Whether this kind of file system is shared with other machines."""
    return kind in NETWORK


def is_doubtful(kind: str) -> bool:
    """Whether it may be: programs (FUSE) and hosts of virtual machines (9p) decide themselves."""
    return not is_network(kind) and (
        kind in ("9p", "fuse", "virtiofs", "vboxsf", "prl_fs") or kind.startswith("fuse.")
    )


def inside_vault(state: str, root: str) -> SettingsError:
    """The error for device state that would lie inside the vault."""
    return SettingsError(
        f"the state folder '{state}' lies inside the vault '{root}', where it would be "
        "synced and shared with it",
        hint=_HINT.format("outside the vault"),
    )


def require_local(state: Path, *, mounts: str = MOUNTS) -> None:
    """Raise SettingsError when the state would lie on a network file system, by its name.

    One that may be one is refused when its locks do not hold.
    """
    kind = file_system(str(state), mounts=mounts)
    if is_network(kind):
        raise SettingsError(
            f"the state folder '{state}' is on a network file system ({kind}), where locks and "
            "the index are not safe",
            hint=_HINT.format("on a local disk"),
        )
    # 9p and FUSE may be a local disk or another machine: a second lock tells.
    if is_doubtful(kind) and not _locks_hold(_existing(state)):
        raise SettingsError(
            f"the state folder '{state}' is on '{kind}', where a lock does not keep others out",
            hint=_HINT.format("on a local disk"),
        )


def _existing(folder: Path) -> Path:
    while not folder.is_dir() and folder != folder.parent:
        folder = folder.parent
    return folder


def _locks_hold(folder: Path) -> bool:
    """Whether a second lock on a file is refused while the first is held."""
    try:
        import fcntl
    except ImportError:
        return True
    file = folder / f".vaultmem-{os.getpid()}.lock"
    first = second = -1
    try:
        first = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
        second = os.open(file, os.O_RDWR)
        fcntl.flock(first, fcntl.LOCK_EX | fcntl.LOCK_NB)
        try:
            fcntl.flock(second, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False
    except OSError:
        return False  # no locks at all
    finally:
        for fd in (first, second):
            if fd >= 0:
                os.close(fd)
        if first >= 0:
            os.unlink(file)
