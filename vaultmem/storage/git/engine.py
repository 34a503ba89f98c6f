"""The engine: a git directory of our own in the device state that borrows the vault's objects.

Git started here reads its configuration from a file that we wrote, and an environment built from
scratch. No setting, hook, attribute, filter or driver of the vault can act: 0 executions in 31
hostile vectors x 6 operations (reliability.md 3.1). What is stored is the bytes on disk: no end
of line is converted and no LFS filter runs.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from vaultmem import base
from vaultmem.base import DISK_HINTS, TYPE_CHECKING, DiskError, HistoryDamagedError, disk_error
from vaultmem.storage.git.repository import Repository

if TYPE_CHECKING:
    from vaultmem.storage.git.process import Finished, Running

FOLDER = "engine.git"
PACKS_FILE = "packs"
"""List of the packs that our commits made, written by fast-import itself."""
GAPS_FILE = "gaps"
AS_IT_IS = MappingProxyType({"GIT_GRAFT_FILE": os.devnull})
"""Environment of a command that is not to step over gaps in the history."""
TIMEOUT_SECONDS = 120.0
# What git says, in the order of asking; it has words of its own for a full disk.
_DISK_WORDS = (
    ("no space left on device", errno.ENOSPC),
    ("out of diskspace", errno.ENOSPC),
    ("disk quota exceeded", errno.EDQUOT),
    ("read-only file system", errno.EROFS),
    ("file too large", errno.EFBIG),
    ("input/output error", errno.EIO),
    ("permission denied", errno.EACCES),
    ("insufficient permission", errno.EACCES),
)
_TOO_LARGE_SIGNAL = 25  # SIGXFSZ on Linux and macOS: beyond `ulimit -f`
# One small pack a call: 14 loose objects would be 14 synced files (15 ms against 6 ms), which
# cost 1 ms each to delete again on a disk that discards. References of the engine mean nothing,
# so they are not synced.
# What git derives from objects to be quicker (graph of commits, index of many packs, bitmaps,
# reverse indexes) is not believed: none of it is bound to the objects, so whoever can write to the
# vault could give it another history (tests/hostile/test_derived_files.py). Git before 2.41 reads
# reverse indexes all the same: storage/git/survey.py compares them.
_CONFIG = """\
[core]
\trepositoryformatversion = {version}
\tbare = true
\tfsync = loose-object,pack,pack-metadata,commit-graph,index
\tfsyncMethod = fsync
\tlogAllRefUpdates = false
\thooksPath = {nowhere}
\tattributesFile = {nowhere}
\texcludesFile = {nowhere}
\tfsmonitor = false
\tsplitIndex = false
\tquotePath = false
\tcommitGraph = false
\tmultiPackIndex = false
[pack]
\tuseBitmaps = false
\treadReverseIndex = false
[fastimport]
\tunpackLimit = 0
[gc]
\tauto = 0
[maintenance]
\tauto = false
[safe]
\tbareRepository = explicit
[protocol]
\tallow = never
[advice]
\tgraftFileDeprecated = false
[log]
\tshowSignature = false
[diff]
\trenames = true
{extensions}"""

# The first letters are left out, since git's versions differ in their case.
_NO_ANSWER = (b"write error", b"o space left", b"out of memory", b"Out of memory", b"open files")


class Engine:
    """A git program, an environment for it, and the repository whose objects it works on."""

    __slots__ = ("environment", "folder", "repository", "search_path")

    def __init__(
        self,
        *,
        search_path: str,
        folder: Path,
        repository: Repository,
        environment: Mapping[str, str],
    ) -> None:
        self.search_path = search_path  # PATH; looked through when git is first needed
        self.folder = folder
        self.repository = repository
        self.environment = environment

    def start(
        self,
        *arguments: str,
        stdin: bytes = b"",
        index: Path | None = None,
        environment: Mapping[str, str] = MappingProxyType({}),
        seconds: float = 0.0,
    ) -> Running:
        """Begin a git command on the vault's objects.

        index        index file to use; None: one of the engine's that does not exist
        environment  what this command alone is to see
        seconds      time limit; 0: the usual 120 s
        """
        from vaultmem.storage.git import process  # saves 3 modules

        self.repository.require_whole()
        environment = {**self.environment, **environment}
        if index is not None:
            environment["GIT_INDEX_FILE"] = str(index)
        git = process.find_git(self.search_path)
        # A note may be called `*.md` or `:(top).md`: no path is a pattern.
        argv = (git, "--literal-pathspecs", *arguments)
        return process.start(argv, environment, stdin, seconds=seconds or TIMEOUT_SECONDS)

    def run(self, *arguments: str, stdin: bytes = b"", index: Path | None = None) -> bytes:
        """Output of a git command; raises HistoryError with git's own words when it fails."""
        finished = self.start(*arguments, stdin=stdin, index=index).wait()
        return output_of(arguments, finished, self.repository.git_dir.parent)

    def ask(self, *arguments: str, stdin: bytes = b"") -> bytes | None:
        """Output of a git command that may fail for a reason that is an answer; None then.

        That it was killed, or could not read or write, is no answer: raises as `run` does.
        """
        finished = self.answer(*arguments, stdin=stdin)
        return finished.out if finished.code == 0 else None

    def answer(self, *arguments: str, stdin: bytes = b"") -> Finished:
        """As `ask`, with the exit code that tells the reasons apart."""
        finished = self.start(*arguments, stdin=stdin).wait()
        # `git fsck` that was killed for want of memory says nothing, and `check --deep` took that
        # for a repository in which nothing is wrong.
        if finished.code < 0 or any(words in finished.err for words in _NO_ANSWER):
            output_of(arguments, finished, self.repository.git_dir.parent)
        return finished

    def list_tree(self, commit: str, paths: Sequence[str] = ()) -> Iterator[tuple[str, str, str]]:
        """(mode, object id, path) of what a commit has, of what lies at or below these paths alone.

        mode  six octal digits: 100644, 100755, 120000 (link), 160000 (submodule)
        """
        out = self.run("ls-tree", "-r", "-z", "--full-tree", commit, "--", *paths)
        for line in out.split(b"\0")[:-1]:
            about, _, name = line.partition(b"\t")
            mode, _, oid = about.decode("ascii").split(" ")
            yield mode, oid, name.decode("utf-8", "surrogateescape")

    def compare_trees(
        self, old: str, new: str, paths: Sequence[str] = ()
    ) -> Iterator[tuple[str, str, str]]:
        """As `list_tree`, of what `new` has other than `old`; mode 000000: it is gone."""
        options = ("-r", "-z", "--raw", "--no-abbrev", "--no-renames")
        tokens = iter(self.run("diff-tree", *options, old, new, "--", *paths).split(b"\0")[:-1])
        for about, name in zip(tokens, tokens, strict=True):
            _, mode, _, oid, _ = about.decode("ascii").split(" ")
            yield mode, oid, name.decode("utf-8", "surrogateescape")

    def has_commit(self, oid: str) -> bool:
        """Whether the repository has this commit, reachable or not."""
        return self.ask("cat-file", "-e", f"{oid}^{{commit}}") is not None

    def is_ancestor(self, old: str, new: str) -> bool | None:
        """Whether `new` contains `old` (or is it); None: git cannot say, as for one not here."""
        if old == new:
            return True
        code = self.answer("merge-base", "--is-ancestor", old, new).code
        return {0: True, 1: False}.get(code)


def output_of(arguments: Sequence[str], finished: Finished, vault: Path) -> bytes:
    """What the command printed; raises HistoryError or DiskError (of `vault`) when it failed."""
    if finished.code == 0:
        return finished.out
    words = finished.err.decode("utf-8", "replace").strip().splitlines()
    said = words[0] if words else f"exit code {finished.code}"
    if finished.code < 0:
        said = f"it was ended by signal {-finished.code}"
    _require_disk(finished, vault)
    raise HistoryDamagedError(
        f"`git {arguments[0]}` failed: {said}",
        hint="your notes are safe; `vaultmem check` looks for damage in the repository",
    )


def _require_disk(finished: Finished, vault: Path) -> None:
    """Raise DiskError when the process failed for want of space, right or a working disk."""
    # 'Out of diskspace', which is git's own word, was exit code 77.
    words = finished.err.decode("utf-8", "replace").casefold()
    number = next((number for said, number in _DISK_WORDS if said in words), None)
    if finished.code == -_TOO_LARGE_SIGNAL:
        number = errno.EFBIG
    if number is None:
        return
    raise DiskError(
        f"cannot write to the repository of the vault '{vault}': {os.strerror(number)}",
        hint=DISK_HINTS.get(number, "look at the disk before the next try; your notes are safe"),
    )


def open_engine(repository: Repository, state_dir: Path, environment: Mapping[str, str]) -> Engine:
    """The engine of a repository, its folder made or mended when needed; starts no process."""
    folder = state_dir / FOLDER
    config = _config(repository)
    try:
        # The file is compared each time: a newer version of this program may set more, and nothing
        # but this text keeps the vault's own settings out.
        if _text(folder / "config") != config or not os.path.isdir(folder / "refs"):
            _make(folder, config)
    except OSError as error:
        raise disk_error(error, doing="write", what=folder) from error
    return Engine(
        search_path=environment.get("PATH", os.defpath),
        folder=folder,
        repository=repository,
        environment=_environment(repository, folder, environment),
    )


def inherited_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """What any program needs from the person's environment, and nothing of git's."""
    kept = ("SYSTEMROOT", "WINDIR", "TEMP", "TMP", "TMPDIR")
    found = {name: environment[name] for name in kept if name in environment}
    # Git looks for ssh and for its own helpers in PATH, too: a folder that is relative would be one
    # of the vault when that is the current folder.
    folders = environment.get("PATH", os.defpath).split(os.pathsep)
    found["PATH"] = os.pathsep.join(folder for folder in folders if os.path.isabs(folder))
    return found


def _config(repository: Repository) -> str:
    is_sha1 = repository.algorithm == "sha1"
    return _CONFIG.format(
        version=0 if is_sha1 else 1,
        nowhere=os.devnull,
        extensions="" if is_sha1 else f"[extensions]\n\tobjectFormat = {repository.algorithm}\n",
    )


def _text(file: Path) -> str:
    try:
        with open(file, encoding="utf-8") as opened:
            return opened.read()
    except FileNotFoundError:
        return ""


def _make(folder: Path, config: str) -> None:
    """By hand: `git init` would copy a template, and take a process."""
    for name in ("objects", "refs"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    # Git takes a folder for a repository only where there is a HEAD; this one names a branch that
    # never exists.
    base.replace_file(folder / "HEAD", b"ref: refs/heads/none\n")
    base.replace_file(folder / "config", config.encode())


def _environment(
    repository: Repository, folder: Path, environment: Mapping[str, str]
) -> dict[str, str]:
    found = inherited_environment(environment) | {
        "HOME": str(folder),
        "LANG": "C",
        "LC_ALL": "C",
        "GIT_DIR": str(folder),
        "GIT_OBJECT_DIRECTORY": str(repository.objects),
        "GIT_INDEX_FILE": str(folder / "index"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_GRAFT_FILE": str(folder / GAPS_FILE),  # what `check --fix` wrote (git/mend.py)
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_PAGER": "cat",
        "GIT_ALLOW_PROTOCOL": "none",
        # glibc gives the top of the heap back after each object that is compressed, and takes
        # it again: 53,000 system calls in 2,000 commits, which took 1.2 s instead of 0.22 s.
        "MALLOC_TRIM_THRESHOLD_": "67108864",
        "MALLOC_TOP_PAD_": "1048576",
        # These make the limit above which memory is mapped a fixed one, 128 KiB: each folder of
        # 5,000 notes was mapped and unmapped (3.5 s in the kernel for 10,000 commits).
        "MALLOC_MMAP_THRESHOLD_": "33554432",  # the largest that glibc takes
    }
    shallow = repository.git_dir / "shallow"
    if shallow.exists():
        found["GIT_SHALLOW_FILE"] = str(shallow)
    return found
