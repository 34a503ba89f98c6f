"""What a conversation makes: code by turn, byte for byte, and long documents as edits.

An artifact is called `t3-1` (turn, and its number in it). Of a long document the first version is
kept whole and each later one as a unified diff against the one before it.
"""

from __future__ import annotations

import difflib
import hashlib
import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePosixPath

from vaultmem.base import (
    TYPE_CHECKING,
    BadInputError,
    DiskError,
    UnknownNoteError,
    UnsafePathError,
    dataclass,
)
from vaultmem.config import session_settings
from vaultmem.model import ArtifactRow
from vaultmem.sessions.files import ARTIFACTS, Conversation
from vaultmem.sessions.turn_size import FENCE, closes, count_words
from vaultmem.storage import files

if TYPE_CHECKING:
    from vaultmem.vault import Vault, WorkingCopy


# A block of a line or two is a word or a command, which its turn tells (algorithms.md 8.9).
LEAST_LINES = 3
# From here on a document is kept once and its edits as differences (algorithms.md 8.10).
DOCUMENT_WORDS = 2000
SAME_DOCUMENT = 0.5
"""Share of a text (by characters of whole lines) that a version of it has in common with it."""
DIFF = "diff"
NAME = re.compile(r"t(\d{1,7})-(\d{1,4})")

_ENDINGS = {
    "python": "py", "py": "py", "python3": "py", "javascript": "js", "js": "js", "jsx": "jsx",
    "typescript": "ts", "ts": "ts", "tsx": "tsx", "bash": "sh", "sh": "sh", "shell": "sh",
    "zsh": "sh", "rust": "rs", "rs": "rs", "go": "go", "golang": "go", "java": "java",
    "kotlin": "kt", "swift": "swift", "c": "c", "h": "h", "cpp": "cpp", "c++": "cpp",
    "csharp": "cs", "c#": "cs", "ruby": "rb", "rb": "rb", "php": "php", "sql": "sql",
    "html": "html", "css": "css", "scss": "scss", "json": "json", "yaml": "yaml", "yml": "yaml",
    "toml": "toml", "ini": "ini", "xml": "xml", "lua": "lua", "r": "r", "scala": "scala",
    "haskell": "hs", "hs": "hs", "elixir": "ex", "dockerfile": "dockerfile", "makefile": "mk",
    "tex": "tex", "latex": "tex", "diff": "patch", "powershell": "ps1", "nix": "nix",
}  # fmt: skip
_PLAIN = "txt"


@dataclass(frozen=True, slots=True, kw_only=True)
class Artifact:
    """A text that a turn brought."""

    name: str  # t3-1
    ending: str  # of its file; 'diff': an edit of another document
    language: str  # as the fence said it; '' for a document
    text: str  # what the file holds

    @property
    def file(self) -> str:
        """Name of its file."""
        return f"{self.name}.{self.ending}"


def code_blocks(text: str) -> Iterator[tuple[str, str]]:
    """(language, code) of the fenced blocks of a text; code to the byte, with its last line feed.

    A fence that is never closed begins no block.
    """
    # Not `splitlines`, which ends lines at form feeds and U+2028, too: code is kept to the byte.
    lines = text.split("\n")
    place = 0
    while place < len(lines):
        opening = FENCE.match(lines[place].rstrip("\r"))
        place += 1
        if opening is None:
            continue
        end = next((n for n in range(place, len(lines)) if closes(lines[n], opening[1])), None)
        if end is None:
            continue
        yield (
            opening[2].split()[0] if opening[2] else "",
            "".join(f"{line}\n" for line in lines[place:end]),
        )
        place = end + 1


def artifacts_of(
    texts: Sequence[str], turn: int, *, least_lines: int = LEAST_LINES
) -> list[Artifact]:
    """The code of a turn (the person's side, then the other), each block once."""
    found: list[Artifact] = []
    for language, code in (block for text in texts for block in code_blocks(text)):
        if code.count("\n") < least_lines or any(code == each.text for each in found):
            continue
        ending = _ENDINGS.get(language.casefold().strip("{}."), _PLAIN)
        name = f"t{turn}-{len(found) + 1}"
        found.append(Artifact(name=name, ending=ending, language=language, text=code))
    return found


def is_document(text: str, *, least_words: int = DOCUMENT_WORDS) -> bool:
    """Whether a message is a document of its own rather than something said."""
    return len(text) > 2 * least_words and count_words(text) >= least_words


def in_common(one: str, other: str) -> float:
    """Share of the longer text that stands in whole lines of both, 0..1."""
    # Counted and not aligned: that is linear, and a paragraph that was moved is no other text.
    left, right = one.split("\n"), other.split("\n")
    counts: dict[str, int] = {}
    for line in left:
        counts[line] = counts.get(line, 0) + 1
    shared = 0
    for line in right:
        if counts.get(line, 0) > 0:
            counts[line] -= 1
            shared += len(line)
    longest = max(len(one), len(other))
    return shared / longest if longest else 0.0


def edit_of(before: str, after: str, *, base: str, name: str) -> str:
    """The unified diff that makes `after` of `before`; `apply_edit` takes it back."""
    lines = []
    for line in difflib.unified_diff(
        _lines(before), _lines(after), fromfile=base, tofile=name, n=2
    ):
        lines.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(lines)


_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@")


def apply_edit(before: str, diff: str) -> str:
    """What a diff of `edit_of` makes of the text that it was made from.

    raises ValueError for one that was made from another text
    """
    source, place = _lines(before), 0
    result: list[str] = []
    lines = _lines(diff)
    for number, line in enumerate(lines):
        # Only at the start: a line '-- ' that was taken out looks like a header as well.
        if line.startswith(("--- ", "+++ ")) and not result and place == 0 and number < 2:
            continue
        hunk = _HUNK.match(line)
        if hunk is not None:
            # A hunk that only adds names the line before it ('-5,0').
            start = int(hunk[1]) - (hunk[2] != "0")
            result += source[place:start]
            place = start
            continue
        ends = number + 1 < len(lines) and lines[number + 1].startswith("\\ ")
        text = line[1:-1] if ends else line[1:]
        if line[0] == "+":
            result.append(text)
        elif line[0] in " -":
            if place >= len(source) or source[place] != text:
                raise ValueError("the diff was made from another text")
            place += 1
            result += [text] if line[0] == " " else []
    return "".join([*result, *source[place:]])


def base_of(diff: str) -> str:
    """Name of the version that a diff begins with; '' when it names none."""
    found = re.match(r"--- (t\d+-\d+)", diff)
    return found[1] if found else ""


def whole(name: str, read: Callable[[str], tuple[str, str]]) -> str:
    """The text of an artifact, documents put together from their edits.

    read    name -> (ending, what its file holds)
    raises  ValueError when an edit does not fit the version that it names
    """
    edits: list[str] = []
    ending, text = read(name)
    while ending == DIFF:
        edits.append(text)
        name = base_of(text)
        # Edits that somebody changed by hand may name each other in a circle.
        if not name or len(edits) > 10_000:
            raise ValueError("an edit names no version that it was made from")
        ending, text = read(name)
    for edit in reversed(edits):
        text = apply_edit(text, edit)
    return text


def stand_in(diff: str, *, base: str, name: str) -> str:
    """What the transcript holds in place of a document's new version."""
    lines = diff.split("\n")
    came = sum(line.startswith("+") and not line.startswith("+++ ") for line in lines)
    went = sum(line.startswith("-") and not line.startswith("--- ") for line in lines)
    # Longer than any run of backticks in it, which would end the block.
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", diff)), default=0))
    counts = f"{came} lines came, {went} went"
    return f"(the document {base} again, kept as {name}: {counts})\n\n{fence}diff\n{diff}{fence}"


def _lines(text: str) -> list[str]:
    """Lines with their line feeds; no other character ends a line."""
    pieces = text.split("\n")
    lines = [f"{piece}\n" for piece in pieces[:-1]]
    return [*lines, pieces[-1]] if pieces[-1] else lines


# What a turn brings that is kept as a file of its own: code, documents, edits of documents.


DOCUMENT = "text"  # ending of a document's first version
_SHORTER = 2  # a version may have shrunk to half of what makes a document


@dataclass(frozen=True, slots=True, kw_only=True)
class Apart:
    """A turn as its transcript has it, and the artifacts that it brought."""

    user: str
    assistant: str
    names: tuple[str, ...]


def kept_apart(
    vault: Vault,
    working_copy: WorkingCopy,
    before: Conversation,
    texts: tuple[str, str],
    *,
    turn: int,
) -> Apart:
    """Put a turn's artifacts on the working copy; a document's new version stays as its edit."""
    limits = session_settings(vault.settings.values)
    found = artifacts_of(texts, turn, least_lines=limits.artifact_lines)
    sides = [text.strip() for text in texts]
    for side, text in enumerate(sides):
        if not is_document(text, least_words=max(limits.document_words // _SHORTER, 1)):
            continue
        name = f"t{turn}-{len(found) + 1}"
        base, earlier = _earlier_version(vault, before, text)
        if base:
            diff = edit_of(earlier, text, base=base, name=name)
            found.append(Artifact(name=name, ending=DIFF, language="", text=diff))
            sides[side] = stand_in(diff, base=base, name=name)
        elif is_document(text, least_words=limits.document_words):
            found.append(Artifact(name=name, ending=DOCUMENT, language="", text=text))
    for each in found:
        working_copy.put(before.folder / ARTIFACTS / each.file, each.text.encode())
    return Apart(user=sides[0], assistant=sides[1], names=tuple(each.name for each in found))


def rows(vault: Vault, now: Conversation) -> tuple[ArtifactRow, ...]:
    """The artifacts of a session, by turn; of one that cannot be put together, no bytes."""
    files = _files(vault, now.folder)
    result = []
    for name, ending in sorted(files.items(), key=lambda each: _number(each[0])):
        text = _whole_or_none(vault, now.folder, files, name)
        data = (text or "").encode()
        path = now.folder / ARTIFACTS / f"{name}.{ending}"
        result.append(
            ArtifactRow(
                name=name,
                turn=_number(name)[0],
                ending=ending,
                path=path,
                bytes=len(data),
                sha256="" if text is None else hashlib.sha256(data).hexdigest(),
            )
        )
    return tuple(result)


def texts(vault: Vault, folder: PurePosixPath, *, name: str = "", turn: int = 0) -> list[str]:
    """The whole texts of one artifact, or of all that a turn brought; byte for byte.

    raises UnknownNoteError  when there is none
           BadInputError     when an edit does not fit what it was made from any more
    """
    files = _files(vault, folder)
    names = [name] if name else [each for each in files if _number(each)[0] == turn]
    if not names or any(each not in files for each in names):
        asked = f"artifact '{name}'" if name else f"artifact of turn {turn}"
        shown = ", ".join(sorted(files, key=_number)[-8:])
        raise UnknownNoteError(
            f"there is no {asked}", hint=f"there are: {shown}" if shown else "there are none yet"
        )
    return [_whole(vault, folder, files, each) for each in sorted(names, key=_number)]


def take_back(
    working_copy: WorkingCopy, vault: Vault, folder: PurePosixPath, *, after: int
) -> None:
    """Remove the artifacts of turns after this one; the history keeps them."""
    for name, ending in _files(vault, folder).items():
        if _number(name)[0] > after:
            working_copy.remove(folder / ARTIFACTS / f"{name}.{ending}")


def _earlier_version(vault: Vault, before: Conversation, text: str) -> tuple[str, str]:
    """(name, text) of the newest document that this is a version of; ('', '') when of none."""
    files = _files(vault, before.folder)
    for name in sorted(files, key=_number, reverse=True):
        if files[name] in (DOCUMENT, DIFF):
            # A document of which an earlier version was taken out by hand kept every later turn
            # from being kept.
            earlier = _whole_or_none(vault, before.folder, files, name)
            if earlier is not None and in_common(earlier, text) >= SAME_DOCUMENT:
                return name, earlier
    return "", ""


def _whole_or_none(
    vault: Vault, folder: PurePosixPath, files: dict[str, str], name: str
) -> str | None:
    """None where a version before it was edited or taken out: no reason to lose a turn."""
    try:
        return _whole(vault, folder, files, name)
    except (BadInputError, DiskError, UnsafePathError):
        return None


def _whole(vault: Vault, folder: PurePosixPath, files: dict[str, str], name: str) -> str:
    def read(wanted: str) -> tuple[str, str]:
        ending = files.get(wanted)
        if ending is None:
            raise ValueError(f"'{wanted}' is gone")
        return ending, _text(vault, folder / ARTIFACTS / f"{wanted}.{ending}")

    try:
        return whole(name, read)
    except ValueError as error:
        raise BadInputError(
            f"artifact '{name}' cannot be put together: {error}",
            hint="one of the versions before it was edited; `vaultmem log` names the change",
        ) from error


def _text(vault: Vault, path: PurePosixPath) -> str:

    return files.read(vault.root, path).decode("utf-8", "replace")


def _files(vault: Vault, folder: PurePosixPath) -> dict[str, str]:
    """Name -> ending of the artifacts of a session."""
    try:
        names = os.listdir(vault.root / folder / ARTIFACTS)
    except OSError:
        return {}
    split = (name.partition(".") for name in sorted(names))
    return {name: ending for name, _, ending in split if NAME.fullmatch(name) and ending}


def _number(name: str) -> tuple[int, int]:
    found = NAME.fullmatch(name)
    return (int(found[1]), int(found[2])) if found else (0, 0)
