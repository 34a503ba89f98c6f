"""The files that a person names, and those in a folder or ZIP archive, opened within bounds.

Nothing is ever unpacked: a member of an archive is read as a stream and its name is only shown, so
a name with `..` leads nowhere. Links are not followed, and what is no plain file is passed over.
"""

from __future__ import annotations

import lzma
import os
import stat
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from io import BufferedReader, BytesIO, RawIOBase
from pathlib import Path, PurePosixPath

from vaultmem.base import IO, TYPE_CHECKING, Any, BadInputError, dataclass, disk_error, field

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

HEAD = 1 << 16  # bytes by which a file is known
MOST_FILES = 200_000
"""In a folder or archive; a Claude Code user had 9,000 transcripts after a year."""
LARGEST_FILE = 4 << 30  # bytes, unpacked
LARGEST_ARCHIVE = 16 << 30  # bytes of all members, unpacked
MOST_DENSE = 400
"""Times that a member may be longer than it is packed: JSON of chats packs 5 to 30 times, a bomb
1,000 times. Small members may do as they like."""
_SMALL = 4 << 20  # bytes
_PASSED = frozenset((".git", "node_modules", "__pycache__", "__MACOSX", ".venv", ".trash"))


@contextmanager
def _named_errors(name: str) -> Iterator[None]:
    """What goes wrong with a file of somebody else's, as an error that names it."""
    try:
        yield
    # A wrong check sum shows at the end of a member, amid the reading.
    except (zipfile.BadZipFile, zlib.error, EOFError, lzma.LZMAError) as error:
        raise BadInputError(f"'{name}' is damaged in its archive") from error
    except (RuntimeError, NotImplementedError) as error:  # a password, an odd compression
        raise BadInputError(f"'{name}' cannot be unpacked: {error}") from error
    except OSError as error:
        raise disk_error(error, doing="read", what=name) from error


class _Reading(RawIOBase):
    """A stream whose errors name the file: a member's check sum is wrong only at its end."""

    def __init__(self, stream: IO[bytes], name: str) -> None:
        self._stream, self._name = stream, name

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        with _named_errors(self._name):
            data = self._stream.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._stream.close()
        super().close()


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """One file to look at, wherever it lies."""

    name: str  # as it is shown
    path: PurePosixPath  # within what the person named
    size: int  # bytes
    opens: Callable[[], IO[bytes]]
    beside: Mapping[str, Input] = field(default_factory=dict)  # of the same folder or archive

    def open(self) -> IO[bytes]:
        """The file as a stream; raises BadInputError, DiskError."""
        with _named_errors(self.name):
            return BufferedReader(_Reading(self.opens(), self.name), HEAD)

    def head(self) -> bytes:
        """Its first bytes."""
        with self.open() as stream:
            return stream.read(HEAD)

    def neighbour(self, name: str) -> Input | None:
        """A file of this name in the same folder, or in the one above."""
        here = self.path.parent
        for folder in (here, here.parent):
            found = self.beside.get((folder / name).as_posix())
            if found is not None:
                return found
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A file that is not looked at, and why."""

    name: str
    why: str


@contextmanager
def inputs_of(files: Sequence[Path]) -> Iterator[tuple[Input | Refused, ...]]:
    """All files that these files, folders and archives hold, each by name; open while it lasts.

    raises  BadInputError  one of them is not there, or cannot be read at all
    """
    with ExitStack() as open_archives:
        yield tuple(_inputs(files, open_archives))


def _inputs(files: Sequence[Path], open_archives: ExitStack) -> Iterator[Input | Refused]:
    for file in files:
        try:
            kind = file.stat().st_mode
            if stat.S_ISDIR(kind):
                yield from _of_folder(file)
            elif not stat.S_ISREG(kind):
                raise BadInputError(f"'{file}' is neither a file nor a folder")
            elif zipfile.is_zipfile(file):
                yield from _of_archive(file, open_archives)
            else:
                yield _of_file(file, file.name)
        except FileNotFoundError:
            raise BadInputError(
                f"there is no file '{file}'", hint="`vaultmem help import` says where exports are"
            ) from None
        except OSError as error:
            raise disk_error(error, doing="read", what=file) from error


# Kept whole: readers open a file more than once, and a pipe can be read once.
def input_of_bytes(data: bytes, name: str) -> Input:
    """What came through a pipe."""
    return Input(name=name, path=PurePosixPath(name), size=len(data), opens=lambda: BytesIO(data))


def _of_file(file: Path, name: str) -> Input:
    return Input(
        name=str(file),
        path=PurePosixPath(name),
        size=file.stat().st_size,
        opens=lambda: file.open("rb"),
    )


def _of_folder(folder: Path) -> Iterator[Input | Refused]:
    beside: dict[str, Input] = {}
    count = 0
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _PASSED)
        for name in sorted(names):
            file = Path(place) / name
            count += 1
            if count > MOST_FILES:
                yield Refused(name=str(folder), why=f"it has more than {MOST_FILES:,} files")
                yield from beside.values()
                return
            if file.is_symlink() or not file.is_file():
                continue  # a link may lead anywhere; a pipe would never end
            path = PurePosixPath(file.relative_to(folder).as_posix())
            beside[path.as_posix()] = Input(
                name=str(file),
                path=path,
                size=file.stat().st_size,
                opens=_opening(file),
                beside=beside,
            )
    # Given out when all are known: a reader asks for files beside its own (`Input.neighbour`).
    yield from beside.values()


def _opening(file: Path) -> Callable[[], IO[bytes]]:
    return lambda: file.open("rb")


def _of_archive(file: Path, open_archives: ExitStack) -> Iterator[Input | Refused]:
    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, NotImplementedError) as error:
        raise BadInputError(f"'{file}' is a damaged archive: {error}") from error
    open_archives.enter_context(archive)
    members = sorted(archive.infolist(), key=lambda each: each.filename)
    if len(members) > MOST_FILES:
        raise BadInputError(f"'{file}' has more than {MOST_FILES:,} files")
    if sum(each.file_size for each in members) > LARGEST_ARCHIVE:
        raise BadInputError(f"'{file}' unpacks to more than {LARGEST_ARCHIVE:,} bytes")
    beside: dict[str, Input] = {}
    for member in members:
        if member.is_dir() or _is_passed(member.filename):
            continue
        name = f"{file}:{_printable(member.filename)}"
        why = _refusal_reason(member)
        if why:
            yield Refused(name=name, why=why)
            continue
        path = PurePosixPath(member.filename)
        beside[path.as_posix()] = Input(
            name=name,
            path=path,
            size=member.file_size,
            opens=_unpacking(archive, member),
            beside=beside,
        )
    yield from beside.values()


def _unpacking(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Callable[[], IO[bytes]]:
    return lambda: archive.open(member)


def _is_passed(name: str) -> bool:
    return bool(_PASSED & set(PurePosixPath(name).parts))


def _refusal_reason(member: zipfile.ZipInfo) -> str:
    if member.flag_bits & 1:
        return "it has a password: unpack it first"
    if member.file_size > LARGEST_FILE:
        return f"it unpacks to more than {LARGEST_FILE:,} bytes"
    dense = member.file_size > _SMALL and member.file_size > MOST_DENSE * member.compress_size
    return "it unpacks to hundreds of times its size, as no export does" if dense else ""


def _printable(name: str) -> str:
    """A name of an archive for the screen: without what moves the cursor."""
    return "".join(each if each.isprintable() else "?" for each in name)[:200]
