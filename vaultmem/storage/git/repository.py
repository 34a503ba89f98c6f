"""What kind of repository a vault is, read without git; kinds not used are refused by name."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from vaultmem.base import (
    HistoryDamagedError,
    HistoryError,
    MissingFileError,
    RepositoryBusyError,
    VaultmemError,
)
from vaultmem.storage.files import read

# --- folders below `.git` that lead elsewhere ---


# Where vaultmem, or git for it, makes or removes files; whether the folders below are looked into.
_WRITTEN = (("objects", False), ("refs", True), ("logs", True), ("vaultmem", False))


def require_no_links(git_dir: Path) -> None:
    """Raise HistoryDamagedError, by name, where a folder that is written to is a link.

    To be called before each write: 0.1 ms for the 256 folders of objects. Files of packs may be
    links, as sharing tools make them: they are read, and a link that is removed leaves what it
    leads to.
    """
    for name, is_deep in _WRITTEN:
        for link in _links(git_dir / name, is_deep=is_deep):
            place = link.relative_to(git_dir.parent).as_posix()
            raise HistoryDamagedError(
                f"'{place}' is a link: what is written there would leave the vault",
                hint="your notes are safe and are answered; move what it leads to in place of the "
                "link, then run the command again",
            )


def _links(folder: Path, *, is_deep: bool) -> Iterator[Path]:
    """Links among a folder and what is in it, sorted; of files that cannot be asked, none."""
    try:
        # A link in place of .git/objects/pack led every commit, fetch and erasure out of the vault.
        if is_link(os.lstat(folder)):
            yield folder
            return
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return
    for entry in found:
        place = folder / entry.name
        if entry.is_symlink():
            yield place
        elif entry.is_dir(follow_symlinks=False):
            if os.name == "nt" and is_link(entry.stat(follow_symlinks=False)):
                yield place
            elif is_deep:
                yield from _links(place, is_deep=True)


def is_link(found: os.stat_result) -> bool:
    """Whether this is a link: a symbolic one, or what Windows calls a junction."""
    return stat.S_ISLNK(found.st_mode) or bool(getattr(found, "st_reparse_tag", 0))


# --- `.git/config`, read without git ---

# Only this one file is read. `include.path` is never followed and no setting acts on us, so a
# vault from a stranger cannot make anything happen here. Syntax: git-config(1).
Setting = tuple[str, str]
"""`section.name` or `section.subsection.name` (section and name in lower case), and the value."""

# Settings that a repository of notes may have without anybody asking why: none names a program,
# a file or a place outside, but for remotes and branches, which nothing here acts on.
_USUAL_NAMES = """
    core.repositoryformatversion core.filemode core.bare core.logallrefupdates core.ignorecase
    core.precomposeunicode core.symlinks core.autocrlf core.eol core.safecrlf core.quotepath
    core.untrackedcache core.splitindex core.compression core.fsync core.fsyncmethod
    core.fsyncobjectfiles core.commitgraph core.multipackindex core.preloadindex core.protecthfs
    core.protectntfs core.longpaths core.sharedrepository core.abbrev user.name user.email
    author.name author.email committer.name committer.email extensions.objectformat
    init.defaultbranch index.version pull.rebase pull.ff push.default push.autosetupremote
    fetch.prune merge.conflictstyle rebase.autostash gc.auto gc.autodetach maintenance.auto
    maintenance.strategy feature.manyfiles pack.threads log.date lfs.locksverify
    lfs.repositoryformatversion
"""
_USUAL = frozenset(_USUAL_NAMES.split())
_USUAL_IN_SECTION = {
    "remote": frozenset(["url", "fetch", "tagopt", "prune"]),
    "branch": frozenset(["remote", "merge", "rebase", "description"]),
}
_TRUE = frozenset(["true", "yes", "on", "1"])
_FALSE = frozenset(["false", "no", "off", "0", ""])


class RepositoryConfig:
    """The settings of a repository, last one of a name last."""

    __slots__ = ("settings",)

    def __init__(self, settings: Iterable[Setting]) -> None:
        self.settings = tuple(settings)

    def get(self, name: str) -> str | None:
        """The last value of a name; None when it is not set."""
        return next((value for key, value in reversed(self.settings) if key == name), None)

    def is_true(self, name: str, *, default: bool) -> bool:
        """The value as git reads a boolean; another word counts as the default."""
        value = self.get(name)
        word = "" if value is None else value.lower()
        if value is None or word not in _TRUE | _FALSE:
            return default
        return word in _TRUE

    def odd(self) -> tuple[str, ...]:
        """Settings that a repository of notes does not usually have, as `name = value`."""
        return tuple(f"{name} = {value}" for name, value in self.settings if not _is_usual(name))


def _is_usual(name: str) -> bool:
    if name in _USUAL:
        return True
    section, _, rest = name.partition(".")
    return rest.rpartition(".")[2] in _USUAL_IN_SECTION.get(section, ()) and "." in rest


def parse_config(text: str) -> RepositoryConfig:
    """The settings in the text of a config file; raises HistoryError where git would refuse."""
    return RepositoryConfig(_settings(text))


def _settings(text: str) -> Iterator[Setting]:
    section = ""
    lines = iter(enumerate(text.lstrip("\ufeff").replace("\r\n", "\n").split("\n"), start=1))
    for number, line in lines:
        rest = line.strip(" \t")
        if rest.startswith("["):
            section, rest = _section(rest, number)
            rest = rest.strip(" \t")
        if not rest or rest[0] in "#;":
            continue
        name, equals, value = rest.partition("=")
        name = name.strip(" \t")
        if not section or not name.replace("-", "").isalnum():
            raise _bad(number)
        if not equals:  # a bare name means true
            yield f"{section}.{name.lower()}", "true"
            continue
        parts = [value]
        while _goes_on(parts[-1]):
            _, more = next(lines, (0, ""))
            parts[-1] = parts[-1][:-1]
            parts.append(more)
        yield f"{section}.{name.lower()}", _value("".join(parts), number)


def _goes_on(line: str) -> bool:
    """Whether a backslash at the end joins the next line to this one."""
    return (len(line) - len(line.rstrip("\\"))) % 2 == 1


def _section(line: str, number: int) -> tuple[str, str]:
    """Name of the section that a line opens, and what follows on the same line."""
    head, quote, rest = line[1:].partition('"')
    if not quote or "]" in head:
        name, closing, rest = line[1:].partition("]")
        if not closing or not name.replace("-", "").replace(".", "").isalnum():
            raise _bad(number)
        return name.lower(), rest
    subsection = []
    place = 0
    while place < len(rest) and rest[place] != '"':
        place += rest[place] == "\\"
        subsection.append(rest[place : place + 1])
        place += 1
    if rest[place : place + 2] != '"]' or not head.strip().replace("-", "").isalnum():
        raise _bad(number)
    return f"{head.strip().lower()}.{''.join(subsection)}", rest[place + 2 :]


_ESCAPES = {"n": "\n", "t": "\t", "b": "\b", "\\": "\\", '"': '"'}


def _value(raw: str, number: int) -> str:
    """A value with quotes, escapes and comments resolved."""
    found: list[str] = []
    kept = 0  # length up to which white space at the end stays
    quoted = False
    place = 0
    raw = raw.strip(" \t")
    while place < len(raw):
        char = raw[place]
        if char == "\\":
            place += 1
            escaped = _ESCAPES.get(raw[place : place + 1])
            if escaped is None:
                raise _bad(number)
            found.append(escaped)
            kept = len(found)
        elif char == '"':
            quoted = not quoted
            kept = len(found)
        elif char in "#;" and not quoted:
            break
        else:
            found.append(char)
            if quoted or char not in " \t":
                kept = len(found)
        place += 1
    if quoted:
        raise _bad(number)
    return "".join(found[:kept])


def _bad(line: int) -> HistoryError:
    return HistoryError(
        f"line {line} of '.git/config' cannot be read",
        hint="`git config --list --local` shows what git makes of it",
    )


GIT = ".git"
LOCK = ".lock"
_CONFIG_LIMIT = 1 << 20
# Git's own list of extensions that need nothing of us (repository-version.txt).
_HARMLESS_EXTENSIONS = frozenset(["noop", "preciousobjects", "worktreeconfig", "objectformat"])
_REASONS = {
    "refstorage": "its references are kept as '{value}'",
    "partialclone": "it is a partial clone: objects would have to be fetched from '{value}'",
    "compatobjectformat": "it has two object formats at once",
}
_MARKS = (
    ("MERGE_HEAD", "merge"),
    ("rebase-merge", "rebase"),
    ("rebase-apply", "rebase"),
    ("CHERRY_PICK_HEAD", "cherry-pick"),
    ("REVERT_HEAD", "revert"),
    ("BISECT_LOG", "bisect"),
)

_FIXES = {
    "merge": "finish it with `git merge --continue` or take it back with `git merge --abort`",
    "rebase": "finish it with `git rebase --continue` or take it back with `git rebase --abort`",
    "cherry-pick": "finish it with `git cherry-pick --continue`, or `--abort`",
    "revert": "finish it with `git revert --continue`, or `--abort`",
    "bisect": "finish it with `git bisect reset`",
}


class Repository:
    """A repository of a kind that vaultmem uses."""

    __slots__ = ("algorithm", "config", "flaw", "git_dir")

    def __init__(
        self, *, git_dir: Path, algorithm: str, config: RepositoryConfig, flaw: str = ""
    ) -> None:
        self.git_dir = git_dir
        self.flaw = flaw  # why no git can work in it; '': nothing found so far
        self.algorithm = algorithm  # sha1 or sha256
        self.config = config

    @property
    def objects(self) -> Path:
        """Where the objects are."""
        return self.git_dir / "objects"

    @property
    def zero(self) -> str:
        """The id that stands for 'no object'."""
        return "0" * (40 if self.algorithm == "sha1" else 64)

    def require_whole(self) -> None:
        """Raise HistoryDamagedError when git could not work here."""
        if self.flaw:
            self.require_own()
            raise HistoryDamagedError(f"the repository is damaged: {self.flaw}")

    def require_own(self) -> None:
        """Raise HistoryDamagedError where a folder that is written to leads elsewhere."""
        # A link in place of `.git/objects/pack` led commits, fetches and erasures out of the vault.
        require_no_links(self.git_dir)

    def in_progress(self) -> str | None:
        """What a person is in the middle of: merge, rebase, cherry-pick, revert or bisect."""
        for name, what in _MARKS:
            if os.path.lexists(self.git_dir / name):
                return what
        return None

    def odd_settings(self) -> tuple[str, ...]:
        """What is unusual in it and could make git run or read something, one line each."""
        found = list(self.config.odd())
        hooks = self.git_dir / "hooks"
        if hooks.is_dir():
            names = sorted(entry.name for entry in os.scandir(hooks))
            found += [f"hooks/{name}" for name in names if not name.endswith(".sample")]
        for name in ("info/attributes", "config.worktree", "objects/info/alternates"):
            file = self.git_dir / name
            if os.path.lexists(file) and (file.is_symlink() or file.stat().st_size):
                found.append(name)
        return tuple(found)


def require_quiet(repository: Repository) -> None:
    """Raise RepositoryBusyError while a merge, rebase or the like is in progress."""
    busy = repository.in_progress()
    if busy is not None:
        raise RepositoryBusyError(
            f"a {busy} is in progress in this repository",
            hint=f"{_FIXES[busy]}, then run the command again",
        )


def is_repository(root: Path) -> bool:
    """Whether the folder itself has a `.git`; the folders above do not count."""
    return os.path.lexists(root / GIT)


def open_repository(root: Path, *, environment: Mapping[str, str]) -> Repository:
    """The repository in the folder `root` itself; raises HistoryError for kinds not used."""
    git_dir = root / GIT
    try:
        found = os.lstat(git_dir)
    except OSError:
        raise HistoryError(
            f"'{root}' is not a Git repository", hint="`vaultmem init` makes it one"
        ) from None
    _require_folder(git_dir, found)
    _require_owner(git_dir, found, environment)
    if os.path.lexists(git_dir / "commondir"):
        raise _unsupported_error("it is a linked worktree", "open the main working tree instead")
    flaw = ""
    try:
        config = _read_config(git_dir)
    except HistoryDamagedError as error:
        config, flaw = RepositoryConfig(()), error.message
    algorithm = _require_format(config)
    if config.is_true("core.bare", default=False):
        raise _unsupported_error(
            "it is bare: it has no working tree", "clone it, and use the clone"
        )
    for needed in ("objects", "refs"):
        if not stat.S_ISDIR(_mode(git_dir / needed)):
            flaw = flaw or f"'.git/{needed}' is not a folder"
    return Repository(git_dir=git_dir, algorithm=algorithm, config=config, flaw=flaw)


def _require_folder(git_dir: Path, found: os.stat_result) -> None:
    if stat.S_ISREG(found.st_mode):
        raise _unsupported_error(
            f"'{git_dir}' is a file that points to a repository elsewhere "
            "(a linked worktree or a submodule)",
            "use the main working tree, or a clone",
        )
    if not stat.S_ISDIR(found.st_mode):
        raise _unsupported_error(f"'{git_dir}' is a link", "put the repository itself there")


def _require_owner(git_dir: Path, found: os.stat_result, environment: Mapping[str, str]) -> None:
    if not hasattr(os, "geteuid"):
        return  # on Windows owners are names of accounts; git's own check does not run here
    owners = {str(os.geteuid())}
    if os.geteuid() == 0:
        owners.add(environment.get("SUDO_UID", "0"))  # as git: root through sudo is the person
    if str(found.st_uid) not in owners:
        raise _unsupported_error(
            f"'{git_dir}' belongs to another user (number {found.st_uid})",
            f"if you trust it, make it yours: `sudo chown -R {os.geteuid()} '{git_dir.parent}'`",
        )


def _read_config(git_dir: Path) -> RepositoryConfig:
    try:
        data = read(git_dir, PurePosixPath("config"), limit=_CONFIG_LIMIT)
    except MissingFileError:
        return RepositoryConfig(())  # git, too, takes all defaults then
    try:
        return parse_config(data.decode("utf-8", "surrogateescape"))
    except HistoryError as error:
        raise HistoryDamagedError(error.message) from error


def _require_format(config: RepositoryConfig) -> str:
    """The object format, when nothing in the format of the repository is unknown to us."""
    version = config.get("core.repositoryformatversion") or "0"
    if version not in ("0", "1"):
        raise _unsupported_error(f"its format version is {version}", "update vaultmem")
    for name, value in config.settings:
        extension = name.removeprefix("extensions.")
        if extension == name or extension in _HARMLESS_EXTENSIONS:
            continue
        if extension == "refstorage" and value == "files":
            continue
        reason = _REASONS.get(extension, f"it uses the extension '{extension}'")
        raise _unsupported_error(reason.format(value=value), "use an ordinary clone of it")
    if any(name.endswith(".promisor") for name, _ in config.settings):
        raise _unsupported_error("it is a partial clone", "use an ordinary clone of it")
    algorithm = config.get("extensions.objectformat") or "sha1"
    if algorithm not in ("sha1", "sha256"):
        raise _unsupported_error(f"its object format is '{algorithm}'", "update vaultmem")
    return algorithm


def _mode(file: Path) -> int:
    try:
        return os.lstat(file).st_mode
    except OSError:
        return 0


def _unsupported_error(reason: str, hint: str) -> VaultmemError:
    return HistoryError(f"this kind of repository is not used: {reason}", hint=hint)
