"""What can go wrong for a caller: every error names its exit code and what to do next.

Bad user data is not here: it is a `Problem` value (model/notes.py), collected and shown.
A bug is an ordinary exception with a traceback.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from pathlib import Path, PurePath

# Exit codes follow BSD sysexits.h where it has a fitting number, so that scripts can tell
# "try again" (75) from "your input is wrong" (65) without reading the message.
EXIT_PROBLEMS = 1
EXIT_USAGE = 2
EXIT_SUSPICIOUS = 3
EXIT_BAD_INPUT = 65
EXIT_NO_VAULT = 66
EXIT_UNREACHABLE = 69
EXIT_BUG = 70
EXIT_INCOMPLETE = 72
EXIT_CANNOT_CREATE = 73
EXIT_DISK = 74
EXIT_BUSY = 75
EXIT_PROTOCOL = 76
EXIT_REFUSED = 77
EXIT_SETTINGS = 78


class VaultmemError(Exception):
    """Base of all errors a caller may handle: a message, an exit code and a hint."""

    exit_code = EXIT_PROBLEMS

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class NoVaultError(VaultmemError):
    """No vault where the caller pointed."""

    exit_code = EXIT_NO_VAULT


class BadInputError(VaultmemError):
    """What the caller passed in cannot be used."""

    exit_code = EXIT_BAD_INPUT


class UnknownNoteError(BadInputError):
    """An id, path, slug or slot that names nothing in the vault."""


class NotAllowedError(VaultmemError):
    """An assistant asked for what only the person may do."""

    exit_code = EXIT_REFUSED


class SettingsError(VaultmemError):
    """A settings file that cannot be used; the message holds file, line and key."""

    exit_code = EXIT_SETTINGS


class MemoryDisabledError(VaultmemError):
    """The vault or the person switched memory off (`enabled = false`)."""

    exit_code = EXIT_REFUSED

    def __init__(self, where: str) -> None:
        super().__init__(
            f"memory is switched off in {where}",
            hint="set `enabled = true` there to read and write again",
        )


class WrongThreadError(VaultmemError):
    """A `Memory` used in another thread or process than the one that opened it."""

    exit_code = EXIT_BUG

    def __init__(self, where: str) -> None:
        super().__init__(
            f"this Memory was opened in another {where}",
            hint=f"open a Memory in each {where}; any number of them may share a vault",
        )


class BusyError(VaultmemError):
    """Another process is writing to the vault and did not finish within the deadline."""

    exit_code = EXIT_BUSY


class StaleFileError(VaultmemError):
    """A file changed on disk between planning a change and carrying it out."""

    exit_code = EXIT_BUSY

    def __init__(self, path: PurePath, *, expected: str | None, found: str | None) -> None:
        super().__init__(
            f"'{path}' changed on disk while a change to it was prepared",
            hint="run the command again",
        )
        self.path = path
        self.expected = expected
        self.found = found


class DiskError(VaultmemError):
    """The operating system refused to read or write; the message names path and cause."""

    exit_code = EXIT_DISK
    usual_hint = "run the command again; if that repeats, look at the disk and its permissions"

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message, hint=hint or self.usual_hint)


class MissingFileError(DiskError):
    """A path of the vault at which there is nothing."""

    usual_hint = ""


def is_refusal(error: BaseException) -> bool:
    """Whether the system refused, which says nothing about the file: it is there, or it is not."""
    return (
        isinstance(error, DiskError)
        and isinstance(error.__cause__, OSError)
        and not isinstance(error, MissingFileError)
    )


# Permissions, locks of other programs, bad sectors, a service or disk that does not answer: other
# files can be read. Out of descriptors or memory, none can.
_OF_SOME_FILES = frozenset(
    getattr(errno, name)
    for name in (
        *("EACCES", "EPERM", "EIO", "EBUSY", "EAGAIN", "EDEADLK", "ETIMEDOUT", "ESTALE"),
        *("EREMOTEIO", "ENODATA", "ENOTCONN", "ENXIO", "ELOOP", "ENOTDIR", "EISDIR", "EMLINK"),
    )
    if hasattr(errno, name)
)


def is_of_some_files(error: BaseException | None) -> bool:
    """Whether it is certain files that the system does not give, and not that it gives none."""
    return isinstance(error, OSError) and error.errno in _OF_SOME_FILES


def disk_error(error: OSError, *, doing: str = "use", what: PurePath | str = "") -> DiskError:
    """The named error for what the operating system said while `doing` something to `what`.

    what  '': the path that the system itself names, where it does
    """
    name = what or (os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else "")
    cause = error.strerror or type(error).__name__
    return DiskError(
        f"cannot {doing} '{name}': {cause}" if name else f"the system refused: {cause}",
        hint=DISK_HINTS.get(error.errno or 0, ""),
    )


DISK_HINTS = {
    errno.ENOSPC: "free some space and run the command again; nothing was changed",
    errno.EDQUOT: "free some of your quota and run the command again; nothing was changed",
    errno.EROFS: "the file system is mounted read-only; recall and search work, writing does not",
    errno.EFBIG: "a limit on the size of files is in force, see `ulimit -f`",
    errno.EIO: "look at the disk before the next try; nothing was changed",
    errno.EACCES: "check who owns the file and its permissions",
    errno.EPERM: "check who owns the file and its permissions",
    errno.EMFILE: "close other programs or raise `ulimit -n`",
    errno.ENFILE: "close other programs",
    errno.ENAMETOOLONG: "shorten the name",
}


class CannotCreateError(DiskError):
    """A folder or file that cannot be made where the caller wants it."""

    exit_code = EXIT_CANNOT_CREATE


class UnsafePathError(VaultmemError):
    """A path that leads outside the vault, through a link, or to something not a file."""

    exit_code = EXIT_REFUSED


class PatchRefusedError(VaultmemError):
    """Front matter that cannot be changed without touching bytes of the person."""

    exit_code = EXIT_BAD_INPUT

    def __init__(self, message: str, *, line: int | None = None, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.line = line  # 1-based, None: the whole file


class SecretFoundError(VaultmemError):
    """What was to be kept holds secrets, and the policy is to stop; nothing was written.

    The message names kinds and places, never a secret.
    """

    exit_code = EXIT_REFUSED

    def __init__(self, places: Sequence[str], *, policy: str) -> None:
        shown = ", ".join(places[:5]) + (f" and {len(places) - 5} more" if places[5:] else "")
        super().__init__(
            f"nothing was kept: it holds what looks like a secret: {shown}",
            hint="`--redact` keeps the text without it, `--allow-secret` as it is; "
            "`vaultmem help privacy` says more",
        )
        self.places = tuple(places)  # 'aws access key (text, line 3)'
        self.policy = policy  # block, or ask: somebody who can ask may try again with an answer


class HeldBackError(VaultmemError):
    """A note that would have to be committed holds a secret that the person saved in it."""

    exit_code = EXIT_REFUSED

    def __init__(self, path: PurePath, *, line: int, what: str) -> None:
        where = f"'{path}' line {line}" if line else f"'{path}'"  # a secret in a name has no line
        super().__init__(
            f"{where}: {what}; this command would have to commit that note",
            hint="take it out, or let it be committed: `vaultmem sync --allow-secrets`",
        )
        self.path = path
        self.line = line


class LocalOnlyError(VaultmemError):
    """A network was needed, and `privacy.local_only` forbids it."""

    exit_code = EXIT_REFUSED

    def __init__(self, what: str, *, where: str) -> None:
        super().__init__(
            f"{what} needs a network, which `privacy.local_only` in {where} forbids",
            hint="use a remote or a model on this device, or take `privacy.local_only` out there",
        )
        self.what = what


class HistoryError(VaultmemError):
    """Git refused, failed, or the repository is of a kind vaultmem does not use."""

    exit_code = EXIT_REFUSED


class HistoryDamagedError(HistoryError):
    """Something in the repository is empty, torn or gone; the notes are not concerned."""

    exit_code = EXIT_DISK

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message, hint=hint or "your notes are safe; run `vaultmem check --fix`")


class HistoryIncompleteError(HistoryError):
    """A time was asked about that the history of this shallow clone does not reach."""

    exit_code = EXIT_INCOMPLETE


class RepositoryBusyError(HistoryError):
    """A merge, rebase or foreign lock is in the way; waiting may help."""

    exit_code = EXIT_BUSY


class HeadMovedError(RepositoryBusyError):
    """The branch moved while a commit was prepared on top of its former head."""


class UndoRefusedError(HistoryError):
    """Undoing would lose later edits: `paths` in `commits`, newest first."""

    def __init__(
        self,
        message: str,
        *,
        paths: Sequence[PurePath],
        commits: Sequence[str] = (),
        hint: str = "",
    ) -> None:
        super().__init__(message, hint=hint)
        self.paths = tuple(paths)
        self.commits = tuple(commits)


class RemoteUnreachableError(VaultmemError):
    """The remote does not answer, or stopped answering: what was asked of it may be asked again."""

    exit_code = EXIT_UNREACHABLE


class RemoteDeniedError(VaultmemError):
    """The remote wants to know who asks, or does not allow it."""

    exit_code = EXIT_REFUSED


class RemoteProtocolError(VaultmemError):
    """The remote answers with something that cannot be used: damaged or forged objects."""

    exit_code = EXIT_PROTOCOL


class OtherFormatError(RemoteProtocolError):
    """The remote keeps its objects by another hash; `algorithm` is the remote's."""

    def __init__(self, message: str, *, algorithm: str, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.algorithm = algorithm


class RemoteMovedError(VaultmemError):
    """The remote's branch is not where it was expected; fetch, join and try again."""

    exit_code = EXIT_BUSY


class IncomingRefusedError(VaultmemError):
    """What came from a remote is against the rules; `paths` names it, and nothing was written."""

    exit_code = EXIT_REFUSED

    def __init__(self, message: str, *, paths: Sequence[str] = (), hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.paths = tuple(paths)


class ConsentNeededError(IncomingRefusedError):
    """What came from a remote needs a person's yes; `answer` gives it in advance."""

    def __init__(self, message: str, *, answer: str, paths: Sequence[str] = ()) -> None:
        super().__init__(message, paths=paths, hint=f"if you mean it, add --accept-{answer}")
        self.answer = answer


class UnconfirmedError(VaultmemError):
    """What needs a person's yes did not get it; nothing was changed."""

    exit_code = EXIT_REFUSED


class IndexDamagedError(VaultmemError):
    """The index cannot be trusted (damage, another version, another vault): rebuild it."""

    def __init__(self, file: Path, reason: str) -> None:
        super().__init__(
            f"the index '{file}' cannot be used: {reason}", hint="run `vaultmem reindex`"
        )
        self.file = file
        self.reason = reason


# A call that does not have one of the forms that an operation takes.


class MisusedError(BadInputError):
    """Too few or too many words, or some that exclude each other; the hint shows the form."""

    exit_code = EXIT_USAGE
