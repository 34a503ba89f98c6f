"""What one folder holds, judged by names and stat alone, and the packed form of those stats.

Each name is a file to read, a folder to descend into, or left out by a named rule; names that
need a person's attention give a Problem.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import chain
from operator import attrgetter
from pathlib import Path, PurePosixPath
from struct import Struct

from vaultmem.base import dataclass, field
from vaultmem.model import FolderState, Problem, Severity
from vaultmem.storage.files import layout

# --- stats in packed form ---

# Four numbers a file: mtime_ns, ctime_ns, size, inode. A file that changed a moment before the scan
# is remembered with a size that no stat equals: a later write within the same tick of the clock
# would leave the same numbers behind (git's "racily clean", its index format document). The numbers
# themselves stay readable: they tell a file that is only read again from one that was written
# again.
# Kernel clocks tick every 10 ms at worst.
RACY_NS = 50_000_000
# File systems that keep whole seconds (HFS+, NFSv2) or two (FAT) need a wider margin.
RACY_COARSE_NS = 2_100_000_000
STAT_BYTES = 32
_RACY = 1 << 63  # added to the size
_SIZE = 2  # its place among the four
_FOUR = attrgetter("st_mtime_ns", "st_ctime_ns", "st_size", "st_ino")
_MASK = (1 << 64) - 1
_PACKED = Struct("=4Q").pack  # as array("Q") lays them out
_FOLDER_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_DIRECTORY", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
)
_BY_DESCRIPTOR = os.stat in os.supports_dir_fd and hasattr(os, "O_DIRECTORY")


def is_recent(changed_ns: int, start_ns: int) -> bool:
    """Whether a file changed at this time may change again without its times telling.

    A time in the future is not recent: the next write sets it back to that moment.
    """
    # A time without a fraction is taken for one of a file system that keeps whole seconds; on any
    # other it comes by chance once in a billion.
    margin = RACY_NS if changed_ns % 1_000_000_000 else RACY_COARSE_NS
    return start_ns - margin <= changed_ns <= start_ns + RACY_COARSE_NS


def pack(found: os.stat_result, start_ns: int) -> bytes:
    """The numbers to remember of a file seen by a scan that began at `start_ns`."""
    mtime_ns, ctime_ns = found.st_mtime_ns, found.st_ctime_ns
    if max(mtime_ns, ctime_ns) >= start_ns - RACY_COARSE_NS and (
        is_recent(mtime_ns, start_ns) or is_recent(ctime_ns, start_ns)
    ):
        return racy(found)
    return _pack(found, found.st_size)


def racy(found: os.stat_result) -> bytes:
    """The numbers of a file that the next scan is to read whatever it finds."""
    return _pack(found, found.st_size | _RACY)


def _pack(found: os.stat_result, size: int) -> bytes:
    # Masked, because times before 1970 are negative and Windows has inodes of 128 bits.
    mtime_ns, ctime_ns = found.st_mtime_ns & _MASK, found.st_ctime_ns & _MASK
    return _PACKED(mtime_ns, ctime_ns, size, found.st_ino & _MASK)


def is_racy(packed: bytes) -> bool:
    """Whether the file has to be read whatever its numbers say."""
    return array("Q", packed)[_SIZE] >= _RACY


def is_touched(before: bytes | None, now: bytes) -> bool:
    """Whether a file was written, replaced or made since it had the numbers `before`.

    A write within the same tick of the clock and of the same size cannot be told by this.
    """
    if before is None:
        return True
    known, seen = array("Q", before), array("Q", now)
    known[_SIZE] &= _RACY - 1
    seen[_SIZE] &= _RACY - 1
    return known != seen


def stats_of(folder: str, names: Sequence[str]) -> bytes | None:
    """Packed stat of files in a folder; None when one is gone or needs the slow way of `pack`.

    2.4 us a file, most of it the system call (measured against lstat by path: 2.8).
    """
    try:
        if not _BY_DESCRIPTOR:
            found = [os.lstat(os.path.join(folder, name)) for name in names]
            return array("Q", chain.from_iterable(map(_FOUR, found))).tobytes()
        fd = os.open(folder, _FOLDER_FLAGS)
        try:
            found = [os.stat(name, dir_fd=fd, follow_symlinks=False) for name in names]
        finally:
            os.close(fd)
        return array("Q", chain.from_iterable(map(_FOUR, found))).tobytes()
    except (OSError, OverflowError):
        return None


def differing(state: FolderState, stats: bytes) -> tuple[int, ...]:
    """Places in `state.names` of the files whose stat is not the remembered one."""
    if stats == state.stats:
        return ()
    return tuple(
        at // STAT_BYTES
        for at in range(0, len(stats), STAT_BYTES)
        if stats[at : at + STAT_BYTES] != state.stats[at : at + STAT_BYTES]
    )


def has_other_names(state: FolderState, stats: bytes, places: Sequence[int]) -> bool:
    """Whether of a file among `places` only the ctime differs: a second name came or went."""
    for place in places:
        at = place * STAT_BYTES
        was, now = (array("Q", each[at : at + STAT_BYTES]) for each in (state.stats, stats))
        # A second name that had gone was told of for ever.
        if was[0] == now[0] and was[1] != now[1] and was[2:] == now[2:]:
            return True
    return False


def at(packed: bytes, place: int) -> bytes:
    """The four numbers of the file at `place`."""
    return packed[place * STAT_BYTES : (place + 1) * STAT_BYTES]


def by_name(state: FolderState) -> dict[str, bytes]:
    """File name -> its four numbers."""
    return {name: at(state.stats, place) for place, name in enumerate(state.names)}


def size_at(packed: bytes, place: int) -> int:
    """Size in bytes of the file at `place`."""
    at = place * STAT_BYTES + 16
    return array("Q", packed[at : at + 8])[0] & (_RACY - 1)


def settle(stats: bytes, places: Sequence[int], start_ns: int) -> bytes:
    """The stats to remember: those at `places` marked where the change is recent."""
    kept = bytearray(stats)
    for place in places:
        at = place * STAT_BYTES
        four = array("Q", stats[at : at + STAT_BYTES])
        if any(is_recent(changed_ns, start_ns) for changed_ns in four[:_SIZE]):
            four[_SIZE] |= _RACY
            kept[at : at + STAT_BYTES] = four.tobytes()
    return bytes(kept)


Wanted = Callable[[str], bool]
"""Whether a file of this name in the folder is to be read."""


@dataclass(slots=True)
class Listing:
    """Names of one folder on their way to a FolderState."""

    path: str  # POSIX, relative to the vault; '' is its root
    start_ns: int
    limit: int
    files: dict[str, bytes] = field(default_factory=dict)  # name -> packed stat
    folders: list[str] = field(default_factory=list)
    oversize: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    ignored: dict[str, int] = field(default_factory=dict)  # rule -> how many names

    def state(self, mtime_ns: int) -> FolderState:
        """What to remember; `mtime_ns` was taken before the listing."""
        names = sorted(self.files)
        return FolderState(
            path=self.path,
            mtime_ns=0 if is_recent(mtime_ns, self.start_ns) else mtime_ns,
            names=tuple(names),
            folders=tuple(sorted(self.folders)),
            stats=b"".join(self.files[name] for name in names),
        )

    def ignore(self, rule: str) -> None:
        """Count a name that a rule leaves out."""
        self.ignored[rule] = self.ignored.get(rule, 0) + 1

    def report(
        self,
        name: str,
        code: str,
        message: str,
        *,
        hint: str = "",
        severity: Severity = Severity.WARNING,
        fixable: bool = False,
    ) -> None:
        """Note a problem of `name` in this folder; '' is the folder itself."""
        path = PurePosixPath(self.path, printable(name))
        self.problems.append(
            Problem(
                path=path,
                code=code,
                message=message,
                hint=hint,
                severity=severity,
                fixable=fixable,
            )
        )


def list_folder(
    file: str, path: str, *, wanted: Wanted, start_ns: int, limit: int, is_vault: bool = False
) -> Listing:
    """Everything in the folder `file`, called `path` in the vault; raises OSError.

    is_vault  the root of the vault, which is a repository and holds more than notes: only
              its plain files and folders are looked at
    """
    listing = Listing(path, start_ns, limit)
    with os.scandir(file) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    # Git that is begun in such a folder obeys the settings found there, which can name programs to
    # run (measured, reliability.md T3), and its files have a history of their own.
    if not is_vault and _is_repository({entry.name for entry in entries}):
        listing.ignore("nested-repository")
        listing.report(
            "",
            "nested-repository",
            "this folder is a Git repository of its own: its files are left alone",
            hint="move it out of the folders of notes",
        )
        return listing
    taken: dict[str, str] = {}
    for entry in entries:
        name = entry.name
        if not (layout.is_plain(name) and entry.is_file(follow_symlinks=False) and wanted(name)):
            _judge(listing, entry, wanted, taken, quiet=is_vault)
        elif name in taken:
            _take_file(listing, entry)
            _compare_names(listing, name, taken)
        else:  # nearly every note: a plain name is its own key
            _take_file(listing, entry)
            taken[name] = name
    return listing


def _is_repository(names: set[str]) -> bool:
    # The three names by which git itself knows a bare repository, which has no `.git`.
    return ".git" in names or {"HEAD", "objects", "refs"} <= names


def _judge(
    listing: Listing, entry: os.DirEntry[str], wanted: Wanted, taken: dict[str, str], *, quiet: bool
) -> None:
    name = entry.name
    rule = layout.ignored_by(name)
    if rule:
        listing.ignore(rule)
    elif not layout.is_utf8(name):
        listing.ignore("not-utf-8")
        listing.report(
            name,
            "name-not-utf-8",
            "the name of this file or folder is not valid UTF-8, so it is left out",
            hint="rename it",
            severity=Severity.ERROR,
        )
    elif entry.is_symlink():
        listing.ignore("link")
        if not quiet:
            listing.report(name, "symbolic-link", "symbolic links are not followed")
    elif entry.is_dir(follow_symlinks=False):
        listing.folders.append(name)
        _compare_names(listing, name, taken)
    elif not wanted(name):
        listing.ignore("not-a-note")
    elif not entry.is_file(follow_symlinks=False):
        listing.ignore("not-a-file")
        listing.report(name, "not-a-file", "this is a pipe, socket or device, not a file")
    else:
        _take_file(listing, entry)
        _compare_names(listing, name, taken)


def _names_of_ours(listing: Listing, entry: os.DirEntry[str], found: os.stat_result) -> int:
    """How many names in `.vaultmem/tmp` a file has: a save that was put back has one for seconds.

    A command in that time told the person to copy a file that they never linked.
    """
    root = Path(entry.path).parents[len(PurePosixPath(listing.path).parts)]
    count = 0
    with suppress(OSError), os.scandir(root / layout.TMP) as names:
        for each in names:
            with suppress(FileNotFoundError):  # `recover` drops them meanwhile
                count += os.path.samestat(os.lstat(each.path), found)
    return count


def _take_file(listing: Listing, entry: os.DirEntry[str]) -> None:
    name = entry.name
    try:
        # On Windows the stat of a directory entry lacks inode and link count.
        found = os.lstat(entry.path) if os.name == "nt" else entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return  # gone since the listing; the folder's mtime says so to the next scan
    listing.files[name] = pack(found, listing.start_ns)
    if found.st_size > listing.limit:
        listing.oversize.append(name)
        listing.report(
            name,
            "too-large",
            f"{found.st_size:,} bytes are more than the {listing.limit:,} that are read",
            hint="keep large files outside the folders of notes",
        )
    if found.st_nlink > 1 and found.st_nlink > 1 + _names_of_ours(listing, entry, found):
        listing.report(
            name,
            "hard-link",
            "this file has a second name: an edit through one name shows under the other",
            hint="copy it instead of linking it",
        )
    conflict = layout.conflict_of(name)
    if conflict is not None:
        has_note = os.path.lexists(os.path.join(os.path.dirname(entry.path), conflict))
        if layout.is_companion(listing.path, name):
            listing.report(
                name,
                "conflict-copy",
                f"another version of '{conflict}', of another device or a sync tool",
                hint=f"take over what is missing in '{conflict}', then delete this file",
            )
            return
        listing.report(
            name,
            "conflict-copy",
            f"a sync tool or a crash left this beside '{conflict}'"
            if has_note
            else f"by its name this is a version of '{conflict}', which is not there",
            hint="`vaultmem check --fix` merges it into that note"
            if has_note
            else f"rename it to '{conflict}', or delete it",
            severity=Severity.INFO,
            fixable=has_note,
        )


def _compare_names(listing: Listing, name: str, taken: dict[str, str]) -> None:
    first = taken.setdefault(layout.key(name), name)
    if first != name:
        listing.report(
            name,
            "name-twin",
            f"on many systems this is the same name as '{first}', so one would replace the other",
            hint="rename one of them",
            severity=Severity.ERROR,
        )
    reason = layout.unportable(name)
    if reason:
        listing.report(name, "name-not-portable", reason, hint="rename it before syncing")


def printable(name: str) -> str:
    """The name with bytes that are not UTF-8 spelled out, so that it can be shown and stored."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def only_notes(name: str) -> bool:
    """The `Wanted` of the folders that are always read."""
    return layout.is_markdown(name) or layout.is_companion(".", name)


def any_file(name: str) -> bool:
    """The `Wanted` of the folders of assistants: what is no text is followed as well."""
    return True
