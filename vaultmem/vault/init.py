"""Make a vault, or complete a folder that holds notes already, without changing any of them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from vaultmem import base, config
from vaultmem.base import TYPE_CHECKING, BadInputError, CannotCreateError
from vaultmem.model import InitReport, Plan, Write, base32
from vaultmem.storage import files, git

if TYPE_CHECKING:
    from vaultmem.model import Clock, Problem
    from vaultmem.vault.vault import Vault

ID_LENGTH = 12
_TEMPLATE = "vault"
_FOR_OBSIDIAN = "obsidian"
TYPES = PurePosixPath(".obsidian", "types.json")
"""Where Obsidian keeps the types of properties. Its folder belongs to one device: no commit."""


def make_root(path: Path) -> Path:
    """The folder, made if need be; raises BadInputError when it cannot hold a vault."""
    config.require_text(os.path.realpath(path))
    if path.exists() and not path.is_dir():
        raise BadInputError(f"'{path}' is a file", hint="name a folder")
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotCreateError(
            f"cannot make the folder '{path}': {error.strerror}", hint="choose another place"
        ) from error
    return path.resolve()


def _require_own_folders(root: Path) -> None:
    """Raise CannotCreateError where nothing could be kept beside a folder of nearly our name."""
    for name in (files.ITEMS, files.RESOURCES, files.STREAMS):
        twin = files.taken_for(root, name)
        if twin is not None:
            raise CannotCreateError(
                f"'{twin}' in '{root}' is in the way: many systems take it for '{name}', where "
                "vaultmem keeps its own notes",
                hint=f"rename '{twin}' first (in Obsidian, so that links follow), or take an empty "
                "folder for the vault",
            )


def template_files(*, vault_id: str, name: str, device: str) -> dict[PurePosixPath, bytes]:
    """Files of a new vault by path, placeholders filled in."""
    folder = base.templates() / _TEMPLATE
    filled = {"{{id}}": vault_id, "{{name}}": _toml_text(name), "{{device}}": device}
    files: dict[PurePosixPath, bytes] = {}
    # Not by `rglob`, which leaves a folder out that it may not list: `init` made a vault without
    # settings and said that all was well.
    for found in sorted(_files_below(folder)):
        path = found.relative_to(folder).as_posix()
        text = found.read_text(encoding="utf-8")
        for mark, value in filled.items():
            path, text = path.replace(mark, value), text.replace(mark, value)
        files[PurePosixPath(path)] = text.encode()
    return files


def _files_below(folder: Path) -> Iterator[Path]:
    """All files; raises OSError for a folder that cannot be listed, which `rglob` leaves out."""

    def refuse(error: OSError) -> None:
        raise error

    for at, _, names in os.walk(folder, onerror=refuse):
        yield from (Path(at, name) for name in names)


def new_id() -> str:
    """A vault's identity: random, because two vaults may start from the same files."""
    return "v-" + base32(os.urandom(16), ID_LENGTH)


def _toml_text(text: str) -> str:
    """Safe inside a TOML basic string."""
    kept = "".join(char for char in text if char.isprintable())
    return kept.replace("\\", "\\\\").replace('"', '\\"')


def obsidian_files() -> dict[PurePosixPath, bytes]:
    """Tables of the memory for the root of a vault, and types of its properties, by path."""
    folder = base.templates() / _FOR_OBSIDIAN
    tables = {PurePosixPath(file.name): file for file in sorted(folder.glob("*.base"))}
    found = {**tables, TYPES: folder / TYPES.name}
    return {path: file.read_bytes() for path, file in found.items()}


def _is_taken(root: Path, path: PurePosixPath) -> bool:
    """Whether something of the person's lies at a path, or a link on the way to it."""
    above = [root / each for each in path.parents if each.parts]
    return os.path.lexists(root / path) or any(
        each.is_symlink() or (each.exists() and not each.is_dir()) for each in above
    )


def missing_files(root: Path, *, name: str, device: str) -> dict[PurePosixPath, bytes]:
    """Template files that the folder lacks; a file that is there is the person's."""
    files = template_files(vault_id=new_id(), name=name, device=device)
    has_flow = any((root / "streams").glob("flow.*.md"))
    return {
        path: data
        for path, data in files.items()
        if not (root / path).exists() and not (has_flow and path.name.startswith("flow."))
    }


def init(
    path: Path,
    *,
    name: str | None,
    device: str | None,
    clock: Clock,
    obsidian: bool = False,
) -> InitReport:
    """Make a vault in `path`, or complete one; not a byte of a file that is there changes.

    obsidian  also tables (`.base`) and, where Obsidian has none yet, types of properties
    raises        BadInputError, DiskError, HistoryError
    """
    from vaultmem.storage.files import CATEGORIES  # saves 1 module
    from vaultmem.vault.apply import place  # saves 17 modules

    root = make_root(path)
    _require_own_folders(root)
    new_repository = not git.is_repository(root)
    was_vault = not new_repository and (root / files.SETTINGS).exists()
    if new_repository:
        git.create(root)
    settings = config.load_settings(root)
    title = name or root.name
    missing = missing_files(root, name=title, device=device or settings.device)
    tables = obsidian_files() if obsidian else {}
    kept = tuple(path for path in tables if _is_taken(root, path))
    missing |= {path: data for path, data in tables.items() if path not in kept}
    changes = tuple(Write(path=path, content=data, expects=None) for path, data in missing.items())
    place(root, changes)
    followed = tuple(change for change in changes if change.path != TYPES)
    commit, changes, notes, problems = _commit(root, followed, title, clock, also=tables)
    settings = config.load_settings(root)
    return InitReport(
        root=root,
        name=settings.name,
        other_notes=git.other_notes(root, settings.include),
        in_the_way=files.taken_for(root, CATEGORIES),
        created=(*(change.path for change in changes), *({TYPES} & missing.keys())),
        kept=tuple(path for path in kept if not _is_there(root / path, tables[path])),
        was_vault=was_vault,
        found_notes=notes - sum(change.path.suffix == ".md" for change in changes),
        new_repository=new_repository,
        commit=commit,
        problems=problems,
    )


def _uncommitted_files(vault: Vault, also: Mapping[PurePosixPath, bytes]) -> tuple[Write, ...]:
    """Files that an `init` made whose commit failed: as the template has them, in no commit.

    also  files by path that were asked for beside those of every vault
    """
    settings = vault.settings
    expected = template_files(vault_id=settings.id, name=settings.name, device=settings.device)
    expected |= {path: data for path, data in also.items() if path != TYPES}
    head = vault.history.head()
    known = vault.history.tree(head, sorted({path.parts[0] for path in expected})) if head else {}
    return tuple(
        Write(path=path, content=data, expects=None)
        for path, data in expected.items()
        if path.as_posix() not in known and _is_there(vault.root / path, data)
    )


def _is_there(file: Path, data: bytes) -> bool:
    return file.is_file() and not file.is_symlink() and file.read_bytes() == data


def _commit(
    root: Path,
    changes: tuple[Write, ...],
    title: str,
    clock: Clock,
    *,
    also: Mapping[PurePosixPath, bytes],
) -> tuple[str | None, tuple[Write, ...], int, tuple[Problem, ...]]:
    """Commit new files: the commit (None: there were none), they, notes in the vault, problems."""
    from vaultmem.vault import durability, level  # saves 8 modules
    from vaultmem.vault.apply import record, writer_lock  # saves 17 modules
    from vaultmem.vault.vault import open_with_recoveries  # saves 2 modules

    vault = open_with_recoveries(config.load_settings(root), clock)
    commit = None
    try:
        with writer_lock(vault):
            placed = durability.durable_numbers(root, changes)
            changes += tuple(c for c in _uncommitted_files(vault, also) if c.path not in placed)
            if changes:
                subject = f"init: {title}" if len(changes) > 1 else f"init: {changes[0].path}"
                plan = Plan(op="init", actor="person", subject=subject, changes=changes)
                commits, parent = record(vault, [plan], settled=True)
                commit = commits[-1].commit if commits else None
                # The history that has just begun is known: four git processes told what was
                # committed a moment before (15.0 -> 6.3 ms of processor).
                if commit is not None and parent is None:
                    level.take_first_commit(vault, changes, commit)
            with vault.index.writing():
                durability.expect(vault, placed, placed)
            level.refresh(vault)
            durability.sync_read(vault)
        counts = vault.index.counts()
        return commit, changes, sum(counts.notes.values()), tuple(vault.index.problems())
    finally:
        vault.close()
