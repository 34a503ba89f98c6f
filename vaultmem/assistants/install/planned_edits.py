"""What would change in the files of a client, and how to take it back. Reads files, writes none."""

from __future__ import annotations

import hashlib
import os
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from vaultmem.assistants.install.clients import Member, Step, Whole
from vaultmem.assistants.install.jsonc import (
    Insertion,
    find,
    parse,
    plan_insertions,
    value_of,
    without_member,
)
from vaultmem.base import Any, BadInputError, DiskError, VaultmemError, dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """One step as it was done, for whoever takes it back from a file that was changed since."""

    kind: str  # whole, member, element, default, toml, markdown
    path: tuple[str, ...] = ()
    value: Any = None
    depth: int = 0  # keys of the path that were there already


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What was done to one file."""

    is_created: bool
    insertions: tuple[Insertion, ...]  # in their order
    sha256: str  # of the file then
    done: tuple[Done, ...]
    folders: tuple[str, ...] = ()  # that were made for it, the innermost first


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One file before and after."""

    file: Path
    before: str | None  # None: it is not there
    after: str | None  # None: it is to go
    record: Record | None = None  # None: nothing of ours is in it any more
    remarks: tuple[str, ...] = ()  # what was left alone, and why

    @property
    def is_change(self) -> bool:
        """Whether a byte differs."""
        return self.before != self.after


def plan_changes(steps: Sequence[Step], known: Mapping[str, Record]) -> tuple[Change, ...]:
    """What the steps change, file by file; what was done before is taken back in mind first."""
    files = dict.fromkeys([step.file for step in steps] + [Path(name) for name in known])
    return tuple(
        _file_planned(file, [step for step in steps if step.file == file], known.get(str(file)))
        for file in files
    )


def _file_planned(file: Path, steps: Sequence[Step], known: Record | None) -> Change:
    before = read(file)
    base = before if known is None else without(before, known)
    # A file that the person removed was looked for by --check and `uninstall --all` for good.
    if known is not None and not steps:
        return _plan_removal(file, before, base, known)
    remarks: list[str] = []
    text, insertions, done = base, list[Insertion](), list[Done]()
    for step in steps:
        try:
            made = _step_made(text, step)
        except BadInputError as refused:
            remarks.append(f"{refused.message}: left alone")
            continue
        if made is not None:
            new, what = made
            for each in new:
                text = each.into(text or "")
            insertions += new
            done.append(what)
    if text == before and known is not None:
        return Change(file=file, before=before, after=before, record=known, remarks=tuple(remarks))
    record = Record(
        is_created=base is None,
        insertions=tuple(insertions),
        sha256=digest(text or ""),
        done=tuple(done),
        folders=_missing(file) if known is None else known.folders,
    )
    return Change(
        file=file,
        before=before,
        after=text,
        record=record if insertions else None,
        remarks=tuple(remarks),
    )


def _plan_removal(file: Path, before: str | None, base: str | None, known: Record) -> Change:
    """The file without what is ours, and why something of it may still be there.

    The record stays only where the same call can do more later.
    """
    remarks: tuple[str, ...] = ()
    record = None
    if before is not None and base == before:
        try:
            if any(done.kind in _JSON for done in known.done):
                value_of(before)
        except BadInputError as broken:
            remarks, record = (f"{broken.message}: left alone",), known
    is_changed = not remarks and digest(before or "") != known.sha256
    if is_changed and "vaultmem" in (base or ""):
        remarks = ("changed since, and it still says 'vaultmem': look at it",)
    return Change(file=file, before=before, after=base, record=record, remarks=remarks)


_JSON = ("member", "element", "default")


def _missing(file: Path) -> tuple[str, ...]:
    return tuple(str(folder) for folder in file.parents if not folder.exists())


_Made = tuple[tuple[Insertion, ...], Done]


def _step_made(text: str | None, step: Step) -> _Made | None:
    """What comes into a text by a step; None where it says so already."""
    if isinstance(step, Whole):
        if text is None:
            return (Insertion(at=0, text=step.text),), Done(kind="whole")
        if text == step.text:
            return None
        raise BadInputError(f"'{step.file.name}' is there, and none of ours")
    if isinstance(step, Member):
        return _member_made(text or "", step)
    known = text or ""
    marks = MARKDOWN_MARKS if step.meaning is None else TOML_MARKS
    if marks[0] in known:
        raise BadInputError("a block of vaultmem is there already")
    insertion = block_inserted(known, step.body, marks)
    if step.meaning is not None:
        require_toml(known, insertion.into(known), dict(step.meaning))
    return (insertion,), Done(kind="markdown" if step.meaning is None else "toml")


def _member_made(text: str, step: Member) -> _Made | None:
    whole = value_of(text)
    depth, inner = 0, whole
    while depth < len(step.path) and isinstance(inner, dict) and step.path[depth] in inner:
        inner, depth = inner[step.path[depth]], depth + 1
    is_there = depth == len(step.path)
    if is_there and (step.is_default or inner == step.value or step.value in _as_list(inner)):
        return None
    insertions = plan_insertions(text, step.path, step.value, in_list=step.in_list)
    kind = "element" if step.in_list else "default" if step.is_default else "member"
    return insertions, Done(kind=kind, path=step.path, value=step.value, depth=depth)


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def without(text: str | None, record: Record) -> str | None:
    """A file without what we did to it; None: it would not be there.

    One that nobody changed since is what it was before, byte for byte.
    """
    if text is None:
        return None
    if digest(text) == record.sha256:
        # Each place is that in the text as it was when the insertion came in: the last goes first.
        for each in reversed(record.insertions):
            text = text[: each.at] + text[each.at + len(each.text) :]
        return None if record.is_created else text
    for done in reversed(record.done):
        text = _taken_out(text, done)
    is_empty = not text.strip() or text.strip() == "{}"
    return None if record.is_created and is_empty else text


def _taken_out(text: str, done: Done) -> str:
    """A changed text without one step; as it is where that is not there as it was."""
    if done.kind in ("toml", "markdown"):
        return block_removed(text, TOML_MARKS if done.kind == "toml" else MARKDOWN_MARKS)
    if done.kind == "whole":
        return text
    try:
        whole = value_of(text)
    except BadInputError:
        return text
    for key in done.path:
        whole = whole.get(key) if isinstance(whole, dict) else None
    if done.kind == "element":
        if done.value not in _as_list(whole):
            return text
        text = without_member(text, done.path, _as_list(whole).index(done.value))
    elif whole is None:
        return text
    elif done.kind == "default":  # what others have put beside it needs it too
        if whole != done.value or set(value_of(text)) != {done.path[0]}:
            return text
        text = without_member(text, done.path)
    elif isinstance(done.value, str) and whole != done.value:
        return text  # a setting of the client's own, which somebody has given another value
    else:
        text = without_member(text, done.path)
    for length in range(len(done.path), done.depth, -1):  # what we made for it, and is empty
        node = find(parse(text), done.path[:length])
        if node is not None and node.kind != "plain" and not node.members:
            text = without_member(text, done.path[:length])
    return text


def has(text: str | None, record: Record) -> bool:
    """Whether all that we did to a file is still in it."""
    if text is None:
        return False
    if digest(text) == record.sha256:
        return True
    try:
        ours = (each for each in record.done if each.kind != "default")
        return all(_taken_out(text, each) != text for each in ours)
    except VaultmemError:
        return False


def read(file: Path) -> str | None:
    """The text of a file, every byte of it; None where there is none. raises DiskError"""
    try:
        return file.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise DiskError(f"'{file}' is not UTF-8", hint="it was left as it is") from error
    except OSError as error:
        raise DiskError(f"cannot read '{file}': {error.strerror}") from error


def write(file: Path, text: str) -> None:
    """The file says this, whole or not at all; links and modes stay. raises DiskError"""
    # Settings are often links into a folder of dotfiles, which would be cut by writing over the
    # link.
    real = Path(os.path.realpath(file))
    temporary = real.with_name(f".{real.name}.{os.urandom(4).hex()}.tmp")
    try:
        real.parent.mkdir(parents=True, exist_ok=True)
        mode = real.stat().st_mode & 0o777 if real.exists() else 0o600
        with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as stream:
            # The umask has taken bits off the mode that `open` was given.
            os.chmod(temporary, mode)
            stream.write(text.encode())
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, real)
    except OSError as error:
        raise DiskError(f"cannot write '{file}': {error.strerror}") from error


def digest(text: str) -> str:
    """Fingerprint of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


TOML_MARKS = ("# vaultmem:begin", "# vaultmem:end")
MARKDOWN_MARKS = ("<!-- vaultmem:begin agents -->", "<!-- vaultmem:end agents -->")


def block_inserted(text: str, body: str, marks: tuple[str, str]) -> Insertion:
    """The block behind all that is there, below an empty line."""
    line = "\r\n" if "\r\n" in text else "\n"
    gap = "" if not text else line if text.endswith("\n") else line * 2
    whole = "\n".join((marks[0], body.strip("\n"), marks[1], ""))
    return Insertion(at=len(text), text=gap + whole.replace("\n", line))


def block_removed(text: str, marks: tuple[str, str]) -> str:
    """The text without the block, and without the empty line above it."""
    start, end = text.find(marks[0]), text.find(marks[1])
    if start < 0 or end < start:
        return text
    line = "\r\n" if "\r\n" in text else "\n"
    end = text.find("\n", end)
    before = text[:start]
    if before.endswith(line * 2):
        before = before[: -len(line)]
    return before + ("" if end < 0 else text[end + 1 :])


def require_toml(before: str, after: str, ours: dict[str, Any]) -> None:
    """Refuse a text that means something else than before and ours; raises BadInputError."""
    try:
        known, now = tomllib.loads(before.lstrip("\ufeff")), tomllib.loads(after.lstrip("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        raise BadInputError(f"not TOML, or no room for a table at its end: {error}") from error
    # Behind `[[plugins]]` a table `[plugins.x]` is part of the last element of that array. So the
    # file is read again, and has to mean what it meant, and ours.
    if now != merge_tables(known, ours):
        raise BadInputError("a table at its end would mean something else")


def merge_tables(known: dict[str, Any], ours: dict[str, Any]) -> dict[str, Any]:
    """Both, table by table; ours counts."""
    found = dict(known)
    for key, value in ours.items():
        inner = found.get(key)
        if isinstance(inner, dict) and isinstance(value, dict):
            value = merge_tables(inner, value)
        found[key] = value
    return found
