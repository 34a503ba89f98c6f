"""The six commands of Anthropic's memory tool (`memory_20250818`) over an assistant's folder.

Answers are, to the byte, those of `BetaLocalFilesystemMemoryTool` of the package `anthropic`
(2.12.0; tests/agents/test_oracle.py holds them against it), but where the vault refuses: such an
answer begins with `refused:` and says why. Each change is one commit, which `undo` takes back.
"""

from __future__ import annotations

import os
import stat
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from zlib import crc32

from vaultmem import edit, model, privacy
from vaultmem import vault as vaults
from vaultmem.base import (
    TYPE_CHECKING,
    Any,
    BadInputError,
    HeldBackError,
    UnsafePathError,
    VaultmemError,
    dataclass,
    field,
    late,
)
from vaultmem.model import Plan, pluralise
from vaultmem.storage import files

if TYPE_CHECKING:
    from pathlib import Path

    from vaultmem.privacy import Secret
    from vaultmem.vault import Vault

# Which folder is an assistant's, and which file in it a path like `/memories/a.md` means.

MEMORIES = "/memories"
"""What an assistant calls its folder."""
_MOST_CHARACTERS = 60  # of the name of an assistant
_MOST_BYTES = 1_000  # of a path inside; Windows and old tools have trouble long before
_OTHERS = late("[^a-z0-9]+")


class CommandError(VaultmemError):
    """What a command answers in place of being done: the message is the whole answer."""


def refusal(why: str) -> CommandError:
    """The answer of a command that Anthropic's own tool might do, and this vault does not."""
    return CommandError(f"refused: {why}")


def folder_name(client: str) -> str:
    """The name of an assistant as that of its folder: small letters, digits and hyphens.

    Of a name without any of these ('чат') a number is made, so that two keep apart.
    """
    folded = unicodedata.normalize("NFKD", client).casefold().encode("ascii", "ignore").decode()
    name = _OTHERS.sub("-", folded).strip("-")[:_MOST_CHARACTERS].strip("-")
    if not name:
        told = client.strip().encode("utf-8", "surrogatepass")
        return f"assistant-{crc32(told):08x}" if told else "assistant"
    return f"assistant-{name}" if files.unportable(name) else name


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """A place in the folder of an assistant."""

    told: str  # as the assistant wrote it
    path: PurePosixPath  # relative to the vault
    file: Path
    inside: tuple[str, ...]  # names below `/memories`; (): the folder itself

    @property
    def kind(self) -> str:
        """What lies there: file, folder, other; '' for nothing."""
        return kind_of(self.file)


def locate(root: Path, folder: PurePosixPath, told: str) -> Address:
    """The place that a path means, by its names alone: nothing is followed, nothing decoded.

    root    of the vault
    folder  of the assistant's memories, relative to the vault
    raises  CommandError  it leads out, or through a link; a name in it that no vault has
    """
    if not told.startswith(MEMORIES):
        raise CommandError(f"Path must start with {MEMORIES}, got: {told}")
    inside = _names_below(told)
    if inside is None:
        raise CommandError(f"Path {told} would escape {MEMORIES} directory")
    path = folder.joinpath(*inside)
    try:
        files.check_path(path)
    except UnsafePathError as error:
        raise refusal(f"{error.message}") from error
    if len(path.as_posix().encode()) > _MOST_BYTES:
        raise refusal(f"the path has more than {_MOST_BYTES:,} bytes")
    for name in inside:
        if len(name.encode()) > files.NAME_LIMIT:
            raise refusal(f"a name in the path has more than {files.NAME_LIMIT} bytes")
    _require_no_link(root, folder, path, told)
    return Address(told=told, path=path, file=root / path, inside=inside)


def _names_below(told: str) -> tuple[str, ...] | None:
    """The names of a path below `/memories`; None: it leads out of it."""
    room = PurePosixPath(MEMORIES).name
    names: list[str] = [room]
    for part in told[len(MEMORIES) :].split("/"):
        if part in ("", "."):
            continue
        if part != "..":
            names.append(part)
        elif names:
            names.pop()
        else:
            return None  # above the folder that holds it: what that is called is nobody's business
    return tuple(names[1:]) if names[:1] == [room] else None


def _require_no_link(root: Path, folder: PurePosixPath, path: PurePosixPath, told: str) -> None:
    place = root
    for part in path.parts:
        place = place / part
        if kind_of(place) == "link":
            inside = os.path.realpath(root / folder)
            leads_to = os.path.realpath(root / path)
            if leads_to != inside and not leads_to.startswith(inside + os.sep):
                raise CommandError(f"Path {told} would escape {MEMORIES} directory")
            raise refusal("a link is in the path; this vault follows none")


def require_good_names(address: Address) -> None:
    """Raise CommandError for a new place with a name that is not read, or not on every system."""
    for name in address.inside:
        rule = files.ignored_by(name)
        if rule:
            raise refusal(f"a name like '{name}' is never kept in the vault ({rule})")
        why = files.unportable(name)
        if why:
            raise refusal(f"the name '{name}' does not work on every system: {why}")


def require_no_twin(root: Path, folder: PurePosixPath, address: Address) -> None:
    """Raise CommandError for a new name that some systems take for one that is there."""
    place = root / folder
    for name in address.inside:
        for other in names_in(place):
            if other != name and files.key(other) == files.key(name):
                raise refusal(f"many systems take '{name}' for '{other}', which is there already")
        place = place / name


def require_room(root: Path, folder: PurePosixPath, address: Address) -> None:
    """Raise CommandError where a file stands in place of a folder above the address."""
    place = root / folder
    for name in address.inside[:-1]:
        place = place / name
        if kind_of(place) not in ("folder", ""):
            raise refusal(f"'{name}' in the path is a file, not a directory")


def names_in(place: Path) -> list[str]:
    """Names in a folder, sorted; none where there is none."""
    try:
        return sorted(os.listdir(place))
    except (FileNotFoundError, NotADirectoryError):
        return []


def kind_of(file: Path) -> str:
    """file, folder, link, other; '' where nothing lies."""
    try:
        mode = os.lstat(file).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return ""
    if stat.S_ISREG(mode):
        return "file"
    if stat.S_ISDIR(mode):
        return "folder"
    return "link" if stat.S_ISLNK(mode) else "other"


_ROOM = PurePosixPath(MEMORIES).name
# These are the bounds of Anthropic's own tool (`anthropic` 2.12.0). With 500 random sequences of 20
# commands both gave the same strings and, after each command, the same tree.
_MOST_LINES = 999_999
_NUMBER_WIDTH = len(str(_MOST_LINES))
_DEEPEST_SHOWN = 2
_MOST_PLACES = 100_000
"""Of an `old_str` that stands in a file again and again: '' does, between all characters."""
_UNITS = "BKMG"
_AROUND = 2  # lines shown on each side of what was replaced
_ALLOW = "allow"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What an assistant gets to read."""

    text: str
    is_error: bool = False
    commit: str | None = None  # None: nothing was changed


@dataclass(slots=True, kw_only=True)
class _Change:
    """What a command is about to do; it has decided, and nothing is done yet."""

    text: str  # the answer, once it is done
    subject: str = ""
    puts: dict[PurePosixPath, bytes] = field(default_factory=dict)
    removes: list[PurePosixPath] = field(default_factory=list)
    makes: list[PurePosixPath] = field(default_factory=list)  # folders, those above first
    drops: list[PurePosixPath] = field(default_factory=list)  # empty by then, the deepest first


def run(vault: Vault, command: Mapping[str, Any], *, client: str) -> Answer:
    """Do one command, and answer as Anthropic's tool does.

    command  `command` is view, create, str_replace, insert, delete or rename; beside it what that
             one takes. The model sees paths below `/memories`
    client   what the assistant calls itself; its files lie in `agents/<this name>/memories`
    raises   BadInputError  no such command, or an argument is missing or of another type
             BusyError, DiskError and the like: nothing was done then
    """
    name = command.get("command")
    if not isinstance(name, str) or name not in _COMMANDS:
        raise BadInputError(f"there is no command '{str(name)[:40]}'", hint=", ".join(_COMMANDS))
    work = _Work(vault, client)
    try:
        work.make_room()
        if name == "view":
            return Answer(text=work.view(command))
        decide: Callable[[Mapping[str, Any]], _Change] = getattr(work, name)
        decide(command)  # what is refused waits for no other writer
        with edit.writer(vault):
            change = decide(command)
            return Answer(text=change.text, commit=work.carry_out(change))
    except CommandError as told:
        return Answer(text=told.message, is_error=True)
    except (HeldBackError, UnsafePathError) as error:
        return Answer(text=refusal(error.message).message, is_error=True)


_COMMANDS = ("view", "create", "str_replace", "insert", "delete", "rename")


class _Work:
    """The commands over one folder. What changes something returns how; `carry_out` does it."""

    def __init__(self, vault: Vault, client: str) -> None:
        self._vault = vault
        self._client = folder_name(client)
        self._folder = PurePosixPath(files.AGENTS, self._client, _ROOM)

    def make_room(self) -> None:
        """Make the folder, which an assistant expects to be there before it wrote anything."""
        if kind_of(self._vault.root / self._folder) != "folder":
            files.make_folders(self._vault.root, [self._folder])

    # --- the commands ------------------------------------------------------------------------

    def view(self, command: Mapping[str, Any]) -> str:
        """The lines of a file with their numbers, or what lies in a folder."""
        place = self._place(command, "path")
        kind = place.kind
        if kind == "folder":
            return "\n".join(self._directory_lines(place))
        if kind == "file":
            return _with_numbers(place.told, self._text(place), _view_range(command))
        if kind:
            raise CommandError(f"Unsupported file type for {place.told}")
        raise _absent(place)

    def create(self, command: Mapping[str, Any]) -> _Change:
        """A new file."""
        place = self._place(command, "path")
        text = _text_given(command, "file_text")
        if place.kind:
            raise CommandError(f"File {place.told} already exists")
        self._require_new(place)
        return _Change(
            text=f"File created successfully at: {place.told}",
            subject=f"create {self._short(place)}",
            puts={place.path: self._checked_bytes(text, before="")},
        )

    def str_replace(self, command: Mapping[str, Any]) -> _Change:
        """Another text in the place of one that stands in a file exactly once."""
        place = self._place(command, "path")
        old, new = _text_given(command, "old_str"), _text_given(command, "new_str", "")
        text = self._text_to_edit(place)
        count = text.count(old)
        if count == 0:
            raise CommandError(
                f"No replacement was performed, old_str `{old}` did not appear verbatim in "
                f"{place.told}."
            )
        if count > 1:
            lines = ", ".join(map(str, _lines_with(text, old)))
            raise CommandError(
                f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: "
                f"{lines}. Please ensure it is unique"
            )
        at = text[: text.find(old)].count("\n")
        changed = text.replace(old, new)
        lines_now = changed.split("\n")
        shown = range(max(0, at - _AROUND), min(len(lines_now), at + _AROUND + 1))
        snippet = "\n".join(_line(number + 1, lines_now[number]) for number in shown)
        return _Change(
            text="The memory file has been edited. Here is the snippet showing the change (with "
            f"line numbers):\n{snippet}",
            subject=f"edit {self._short(place)}",
            puts={place.path: self._checked_bytes(changed, before=text)},
        )

    def insert(self, command: Mapping[str, Any]) -> _Change:
        """A text after a line of a file; 0: before the first one."""
        place = self._place(command, "path")
        number, new = _whole_number(command, "insert_line"), _text_given(command, "insert_text")
        text = self._text_to_edit(place)
        lines = text.split("\n")
        # A line end at the end of a file begins no line; the tool counts so, too.
        if lines[-1] == "":
            lines.pop()
        if not 0 <= number <= len(lines):
            raise CommandError(
                f"Invalid `insert_line` parameter: {number}. It should be within the range "
                f"[0, {len(lines)}]."
            )
        lines.insert(number, new.rstrip("\n"))
        changed = "\n".join(lines)
        if not changed.endswith("\n"):
            changed += "\n"
        return _Change(
            text=f"The file {place.told} has been edited.",
            subject=f"edit {self._short(place)}",
            puts={place.path: self._checked_bytes(changed, before=text)},
        )

    def delete(self, command: Mapping[str, Any]) -> _Change:
        """A file or a whole folder goes; the history has it."""
        place = self._place(command, "path")
        if not place.inside:
            raise CommandError(f"Cannot delete the {MEMORIES} directory itself")
        if not place.kind:
            raise CommandError(f"The path {place.told} does not exist")
        change = _Change(
            text=f"Successfully deleted {place.told}", subject=f"delete {self._short(place)}"
        )
        folders, found = self._below(place)
        change.removes += found
        change.drops += reversed(folders)
        return change

    def rename(self, command: Mapping[str, Any]) -> _Change:
        """A file or a whole folder gets another name or place."""
        old, new = self._place(command, "old_path"), self._place(command, "new_path")
        if not old.inside:
            raise CommandError(f"Cannot rename the {MEMORIES} directory itself")
        if new.kind:
            raise CommandError(f"The destination {new.told} already exists")
        if new.path.is_relative_to(old.path) and old.path != new.path:
            raise refusal(f"{new.told} lies inside {old.told}")
        self._require_new(new)
        if not old.kind:
            require_room(self._vault.root, self._folder, old)
            self._make_above(new)  # as the tool itself does before it sees that there is nothing
            raise CommandError(f"The path {old.told} does not exist")
        change = _Change(
            text=f"Successfully renamed {old.told} to {new.told}",
            subject=f"rename {self._short(old)} to {self._short(new)}",
        )
        folders, found = self._below(old)
        self._require_committed(found)
        for path in found:
            change.puts[self._new_path(path, old, new)] = self._bytes(path)
        change.removes += found
        change.makes += [self._new_path(path, old, new) for path in folders]
        change.drops += reversed(folders)
        return change

    def carry_out(self, change: _Change) -> str | None:
        """Write, commit, and leave the folders as a file system would; the commit, if any.

        Must run inside `edit.writer`.
        """
        working_copy = vaults.WorkingCopy(self._vault)
        for path, data in change.puts.items():
            working_copy.put(path, data)
        for path in change.removes:
            working_copy.remove(path)
        changes = working_copy.step()
        plan = Plan(
            op="memory",
            actor="agent",
            subject=model.subject("memory", change.subject),
            changes=changes,
        )
        done = vaults.apply(self._vault, [plan]) if changes else ()
        files.make_folders(self._vault.root, change.makes)
        files.drop_folders(self._vault.root, change.drops)
        return done[-1].commit if done else None

    # --- what they share ---------------------------------------------------------------------

    def _place(self, command: Mapping[str, Any], name: str) -> Address:
        return locate(self._vault.root, self._folder, _text_given(command, name))

    def _short(self, place: Address) -> str:
        return "/".join((self._client, *place.inside))

    def _require_new(self, place: Address) -> None:
        require_good_names(place)
        require_room(self._vault.root, self._folder, place)
        require_no_twin(self._vault.root, self._folder, place)
        if self._vault.settings.secrets_imported != _ALLOW:
            for secret in privacy.find_secrets("\n".join(place.inside)):
                raise refusal(f"the path holds what looks like a secret ({secret.kind})")

    def _make_above(self, place: Address) -> None:
        files.make_folders(self._vault.root, [place.path.parent])

    def _new_path(self, path: PurePosixPath, old: Address, new: Address) -> PurePosixPath:
        return new.path / path.relative_to(old.path)

    def _bytes(self, path: PurePosixPath) -> bytes:
        return files.read(self._vault.root, path, limit=None)

    def _text(self, place: Address) -> str:
        try:
            return self._bytes(place.path).decode("utf-8")
        except UnicodeDecodeError as error:
            raise refusal(f"{place.told} is no text (UTF-8)") from error

    def _text_to_edit(self, place: Address) -> str:
        if not place.kind:
            raise _absent(place)
        if place.kind != "file":
            raise CommandError(f"The path {place.told} is not a file.")
        return self._text(place)

    def _below(self, place: Address) -> tuple[list[PurePosixPath], list[PurePosixPath]]:
        """The folders of a place, itself first, and the files; raises CommandError.

        Refused where something lies that the vault does not keep: it could not be brought back.
        """
        folders: list[PurePosixPath] = []
        found: list[PurePosixPath] = []
        waiting = [place.path]
        while waiting:
            path = waiting.pop()
            kind = kind_of(self._vault.root / path)
            is_kept = path == place.path or not files.ignored_by(path.name)
            if kind not in ("file", "folder") or not is_kept:
                name = path.name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
                raise refusal(f"'{name}' is a link, or a file that this vault does not keep")
            if kind == "file":
                found.append(path)
                continue
            folders.append(path)
            waiting += [path / name for name in reversed(names_in(self._vault.root / path))]
        return folders, sorted(found)

    def _require_committed(self, paths: Sequence[PurePosixPath]) -> None:
        held = vaults.held_paths(self._vault).intersection(path.as_posix() for path in paths)
        if held:
            name = PurePosixPath(min(held)).name
            raise refusal(f"'{name}' is kept out of the history, perhaps because of a secret in it")

    def _checked_bytes(self, text: str, *, before: str) -> bytes:
        """The text as bytes; raises CommandError for what must not come into the history."""
        try:
            data = text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise refusal("the text has a character that UTF-8 does not have") from error
        if len(data) > self._vault.settings.limits_note_bytes:
            most = self._vault.settings.limits_note_bytes
            raise refusal(f"the file would have {len(data):,} bytes; a note has at most {most:,}")
        if self._vault.settings.secrets_imported != _ALLOW:
            for secret in _new_secrets(text, before):
                what = f"what looks like a secret ({secret.kind})"
                raise refusal(f"line {secret.line} holds {what}; leave it out")
        if self._vault.settings.privacy_anonymize_pii:
            for one in privacy.find_personal(text):
                if text[one.start : one.end] not in before:
                    raise refusal(f"personal data ({one.kind}) is not kept in this vault")
        if vaults.Erased(self._vault.settings).holds(text):
            raise refusal("it holds a text that the user erased for good")
        return data

    def _directory_lines(self, place: Address) -> Iterator[str]:
        yield (
            "Here're the files and directories up to 2 levels deep in "
            f"{place.told}, excluding hidden items:"
        )
        yield f"{_size(os.lstat(place.file).st_size)}\t{place.told}"
        yield from self._lines_below(place, "", 1)

    def _lines_below(self, place: Address, below: str, depth: int) -> Iterator[str]:
        folder = place.file / below if below else place.file
        for name in names_in(folder):
            file = folder / name
            kind = kind_of(file)
            if name.startswith(".") or kind not in ("file", "folder"):
                continue
            shown = f"{below}/{name}" if below else name
            slash = "/" if kind == "folder" else ""
            yield f"{_size(os.lstat(file).st_size)}\t{place.told}/{shown}{slash}"
            if slash and depth < _DEEPEST_SHOWN:
                yield from self._lines_below(place, shown, depth + 1)


def _absent(place: Address) -> CommandError:
    return CommandError(f"The path {place.told} does not exist. Please provide a valid path.")


def _new_secrets(text: str, before: str) -> Iterator[Secret]:
    for one in privacy.find_secrets(text):
        if text[one.start : one.end] not in before:
            yield one


def _with_numbers(told: str, text: str, view_range: Sequence[int] | None) -> str:
    lines = text.split("\n")
    if len(lines) > _MOST_LINES:
        raise CommandError(f"File {told} exceeds maximum line limit of 999,999 lines.")
    first = 0
    if view_range is not None:
        first = max(1, view_range[0]) - 1
        lines = lines[first : len(lines) if view_range[1] == -1 else view_range[1]]
    numbered = "\n".join(_line(number, line) for number, line in enumerate(lines, first + 1))
    return f"Here's the content of {told} with line numbers:\n{numbered}"


def _line(number: int, text: str) -> str:
    return f"{number:>{_NUMBER_WIDTH}}\t{text}"


def _lines_with(text: str, old: str) -> Iterator[int]:
    """The line of each place of a text in another one, those that overlap included."""
    line, seen, found = 1, 0, 0
    at = text.find(old)
    while at != -1:
        found += 1
        if found > _MOST_PLACES:
            raise refusal(f"old_str stands in the file more than {_MOST_PLACES:,} times")
        line += text.count("\n", seen, at)
        seen = at
        yield line
        at = text.find(old, at + 1)


def _size(count: int) -> str:
    """A number of bytes in units of 1,024, as the tool writes it: 0B, 4K, 1.5M."""
    if count == 0:
        return "0B"
    unit = min((count.bit_length() - 1) // 10, len(_UNITS) - 1)
    size = count / 1024**unit
    return f"{int(size)}{_UNITS[unit]}" if size == int(size) else f"{size:.1f}{_UNITS[unit]}"


# --- arguments -----------------------------------------------------------------------------


def _text_given(command: Mapping[str, Any], name: str, usual: str | None = None) -> str:
    value = command.get(name)
    if value is None and usual is not None:
        return usual
    if not isinstance(value, str):
        raise BadInputError(f"{command['command']} needs '{name}', a text")
    return value


def _whole_number(command: Mapping[str, Any], name: str) -> int:
    value = command.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise BadInputError(f"{command['command']} needs '{name}', a whole number")
    return value


def _view_range(command: Mapping[str, Any]) -> Sequence[int] | None:
    value = command.get("view_range")
    if not isinstance(value, list | tuple) or len(value) != 2:
        return None  # the tool passes it over, too
    if not all(isinstance(each, int) and not isinstance(each, bool) for each in value):
        raise BadInputError("'view_range' holds two whole numbers")
    return value


# Files that an assistant had elsewhere come into its folder, in one commit; none is replaced.

_ALLOWED = "allow"


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """What came in, and what did not."""

    paths: tuple[PurePosixPath, ...]  # that are new, sorted
    left: tuple[tuple[PurePosixPath, str], ...] = ()  # and why
    commit: str | None = None  # None: nothing is new


def bring(vault: Vault, client: str, found: Mapping[PurePosixPath, bytes]) -> Brought:
    """Take files into the folder of an assistant; what is there already stays as it is.

    client  the name of its folder
    found   bytes by path below that folder
    """
    with edit.writer(vault):
        working_copy = vaults.WorkingCopy(vault)
        left: list[tuple[PurePosixPath, str]] = []
        for inside, data in sorted(found.items()):
            path = PurePosixPath(files.AGENTS, client, inside)
            why = _wrong_with(vault, path, data) or _put(working_copy, path, data)
            if why:
                left.append((path, why))
        changes = working_copy.step()
        plan = Plan(
            op="import",
            actor="agent",
            subject=model.subject("import", f"{pluralise(len(changes), 'file')} of {client}"),
            changes=changes,
        )
        done = vaults.apply(vault, [plan]) if changes else ()
    return Brought(
        paths=tuple(sorted(change.path for change in changes)),
        left=tuple(left),
        commit=done[-1].commit if done else None,
    )


def _put(working_copy: vaults.WorkingCopy, path: PurePosixPath, data: bytes) -> str:
    try:
        there = working_copy.text(path)
    except VaultmemError as error:
        return error.message
    if there is None:
        working_copy.put(path, data)
    return "" if there in (None, data) else "another file of this name is there"


def _wrong_with(vault: Vault, path: PurePosixPath, data: bytes) -> str:
    """Why a file is not to come in; '' when it may."""
    try:
        files.check_path(path)
        text = data.decode("utf-8")
    except UnsafePathError as error:
        return error.message
    except UnicodeDecodeError:
        return "it is no text (UTF-8)"
    for name in path.parts:
        why = files.ignored_by(name) or files.unportable(name)
        if why:
            return f"its name is not for every system: {why}"
    if len(data) > vault.settings.limits_note_bytes:
        return f"it has {len(data):,} bytes"
    if vault.settings.secrets_imported != _ALLOWED:
        for secret in privacy.find_secrets(text):
            return f"line {secret.line} holds what looks like a secret ({secret.kind})"
    if vaults.Erased(vault.settings).holds(text):
        return "it holds a text that was erased for good"
    return ""
