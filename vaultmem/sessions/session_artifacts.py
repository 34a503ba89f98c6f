"""What a turn brings that is kept as a file of its own: code, documents, edits of documents."""

from __future__ import annotations

import hashlib
import os
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
from vaultmem.sessions.artifacts import (
    DIFF,
    NAME,
    SAME_DOCUMENT,
    Artifact,
    artifacts_of,
    edit_of,
    in_common,
    is_document,
    stand_in,
    whole,
)
from vaultmem.sessions.files import ARTIFACTS, Conversation
from vaultmem.storage import files

if TYPE_CHECKING:
    from vaultmem.vault import Parts, Workbench

DOCUMENT = "text"  # ending of a document's first version
_SHORTER = 2  # a version may have shrunk to half of what makes a document


@dataclass(frozen=True, slots=True, kw_only=True)
class Apart:
    """A turn as its transcript has it, and the artifacts that it brought."""

    user: str
    assistant: str
    names: tuple[str, ...]


def kept_apart(
    parts: Parts, bench: Workbench, before: Conversation, texts: tuple[str, str], *, turn: int
) -> Apart:
    """Put a turn's artifacts on the workbench; a document's new version stays as its edit."""
    limits = session_settings(parts.settings.values)
    found = artifacts_of(texts, turn, least_lines=limits.artifact_lines)
    sides = [text.strip() for text in texts]
    for side, text in enumerate(sides):
        if not is_document(text, least_words=max(limits.document_words // _SHORTER, 1)):
            continue
        name = f"t{turn}-{len(found) + 1}"
        base, earlier = _earlier_version(parts, before, text)
        if base:
            diff = edit_of(earlier, text, base=base, name=name)
            found.append(Artifact(name=name, ending=DIFF, language="", text=diff))
            sides[side] = stand_in(diff, base=base, name=name)
        elif is_document(text, least_words=limits.document_words):
            found.append(Artifact(name=name, ending=DOCUMENT, language="", text=text))
    for each in found:
        bench.put(before.folder / ARTIFACTS / each.file, each.text.encode())
    return Apart(user=sides[0], assistant=sides[1], names=tuple(each.name for each in found))


def rows(parts: Parts, now: Conversation) -> tuple[ArtifactRow, ...]:
    """The artifacts of a session, by turn; of one that cannot be put together, no bytes."""
    files = _files(parts, now.folder)
    result = []
    for name, ending in sorted(files.items(), key=lambda each: _number(each[0])):
        text = _whole_or_none(parts, now.folder, files, name)
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


def texts(parts: Parts, folder: PurePosixPath, *, name: str = "", turn: int = 0) -> list[str]:
    """The whole texts of one artifact, or of all that a turn brought; byte for byte.

    raises UnknownNoteError  when there is none
           BadInputError     when an edit does not fit what it was made from any more
    """
    files = _files(parts, folder)
    names = [name] if name else [each for each in files if _number(each)[0] == turn]
    if not names or any(each not in files for each in names):
        asked = f"artifact '{name}'" if name else f"artifact of turn {turn}"
        shown = ", ".join(sorted(files, key=_number)[-8:])
        raise UnknownNoteError(
            f"there is no {asked}", hint=f"there are: {shown}" if shown else "there are none yet"
        )
    return [_whole(parts, folder, files, each) for each in sorted(names, key=_number)]


def take_back(bench: Workbench, parts: Parts, folder: PurePosixPath, *, after: int) -> None:
    """Remove the artifacts of turns after this one; the history keeps them."""
    for name, ending in _files(parts, folder).items():
        if _number(name)[0] > after:
            bench.remove(folder / ARTIFACTS / f"{name}.{ending}")


def _earlier_version(parts: Parts, before: Conversation, text: str) -> tuple[str, str]:
    """(name, text) of the newest document that this is a version of; ('', '') when of none."""
    files = _files(parts, before.folder)
    for name in sorted(files, key=_number, reverse=True):
        if files[name] in (DOCUMENT, DIFF):
            earlier = _whole_or_none(parts, before.folder, files, name)
            if earlier is not None and in_common(earlier, text) >= SAME_DOCUMENT:
                return name, earlier
    return "", ""


def _whole_or_none(
    parts: Parts, folder: PurePosixPath, files: dict[str, str], name: str
) -> str | None:
    """None where a version before it was edited or taken out: no reason to lose a turn."""
    try:
        return _whole(parts, folder, files, name)
    except (BadInputError, DiskError, UnsafePathError):
        return None


def _whole(parts: Parts, folder: PurePosixPath, files: dict[str, str], name: str) -> str:
    def read(wanted: str) -> tuple[str, str]:
        ending = files.get(wanted)
        if ending is None:
            raise ValueError(f"'{wanted}' is gone")
        return ending, _text(parts, folder / ARTIFACTS / f"{wanted}.{ending}")

    try:
        return whole(name, read)
    except ValueError as error:
        raise BadInputError(
            f"artifact '{name}' cannot be put together: {error}",
            hint="one of the versions before it was edited; `vaultmem log` names the change",
        ) from error


def _text(parts: Parts, path: PurePosixPath) -> str:

    return files.read(parts.root, path).decode("utf-8", "replace")


def _files(parts: Parts, folder: PurePosixPath) -> dict[str, str]:
    """Name -> ending of the artifacts of a session."""
    try:
        names = os.listdir(parts.root / folder / ARTIFACTS)
    except OSError:
        return {}
    split = (name.partition(".") for name in sorted(names))
    return {name: ending for name, _, ending in split if NAME.fullmatch(name) and ending}


def _number(name: str) -> tuple[int, int]:
    found = NAME.fullmatch(name)
    return (int(found[1]), int(found[2])) if found else (0, 0)
