"""Read a `.git/config` without git: what kind of repository it is, and what is odd about it.

Only this one file is read. `include.path` is never followed and no setting acts on us, so a
vault from a stranger cannot make anything happen here. Syntax: git-config(1).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from vaultmem.base.errors import HistoryError

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
