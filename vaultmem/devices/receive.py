"""A vault on a new device: what the remote has, in a new folder.

The folder is made beside its place and gets its name when everything is in it, so an attempt that
died leaves nothing that looks like a vault. Nothing of anybody's git settings is taken over, and
all checks of a pull come first.
"""

from __future__ import annotations

import os
import re
import shutil
from collections import Counter
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from vaultmem import config, privacy
from vaultmem import vault as vaults
from vaultmem.base import (
    TYPE_CHECKING,
    Any,
    BadInputError,
    CannotCreateError,
    IncomingRefusedError,
    LocalOnlyError,
    OtherFormatError,
    RemoteUnreachableError,
    SettingsError,
    VaultmemError,
)
from vaultmem.config import (
    DEFAULT_BRANCH,
    PinnedRemote,
    check_branch,
    find_remote,
    login_of,
    set_remote,
    shown_url,
    transport_of,
)
from vaultmem.devices.combine import regular
from vaultmem.devices.exchange import warnings
from vaultmem.devices.incoming import describe_refused, judge
from vaultmem.model import InitReport, Write
from vaultmem.storage import files, git, merging
from vaultmem.storage.files import SETTINGS, conflict_copy_of

if TYPE_CHECKING:
    from vaultmem.model import Clock, Progress
    from vaultmem.storage.git import Entry, History
    from vaultmem.vault import Vault, WorkingCopy

MOST_VERSIONS = 50
"""How far back in a note's history the version is looked for that its copy began as."""


def merge_copy(vault: Vault, working_copy: WorkingCopy, path: PurePosixPath) -> bool:
    """Merge a conflict copy into its note and take it away; False: it is left as it is.

    It is left where there is no such note, where a line of it would have no place in the merged
    note, and while its bytes are in no commit (a person who commits for themselves, a staged
    file): taking it away would then lose what only it says.
    """
    note = conflict_copy_of(path)
    if note is None:
        return False
    try:
        ours, theirs = working_copy.text(note), working_copy.text(path)
    except VaultmemError:
        return False
    if ours is None or theirs is None:
        return False
    head = vault.history.head() or ""
    if vault.history.text_at(head, path.as_posix()) != theirs:
        return False
    versions = vault.history.versions(note.as_posix(), limit=MOST_VERSIONS)
    merged = merging.merge_note(
        note,
        _common(vault, note, ours, theirs),
        ours,
        theirs,
        ours_at=versions[0].at_ms if versions else 0,
        # Nothing else says when the other device wrote it: the copy is in no commit of that device.
        theirs_at=os.lstat(vault.root / path).st_mtime_ns // 1_000_000,
    )
    if merged.content is None or merged.copies:
        return False
    working_copy.put(note, merged.content)
    working_copy.remove(path)
    return True


def _common(vault: Vault, note: PurePosixPath, ours: bytes, theirs: bytes) -> bytes:
    """The version of a note that its copy most likely began as; of two, the older one.

    The note as it is now is the last choice: from it, all that the copy lacks would look
    deleted. An older version than the true one does no harm, as what both have in common by
    now merges with itself.
    """
    best, share = ours, -1.0
    wanted = Counter(theirs.splitlines())
    for entry in vault.history.versions(note.as_posix(), limit=MOST_VERSIONS):
        data = vault.history.text_at(entry.commit, note.as_posix())
        if data is None or data == ours:
            continue
        found = _share(Counter(data.splitlines()), wanted)
        # Versions come newest first, so `>=` leaves the older one of two that share as much.
        if found >= share:
            best, share = data, found
    return best


def _share(one: Counter[bytes], other: Counter[bytes]) -> float:
    """Share of common lines, 0 to 1."""
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0


# Pin the remote of a vault in the person's settings, and say what is pinned.


def suggestion(vault: Vault) -> str:
    """What the vault's own `.git/config` names; '' when nothing."""
    return shown_url(vault.history.exchange().origin())


def pin(vault: Vault, url: str, branch: str) -> tuple[PinnedRemote, Path]:
    """Send the vault to this address from now on; raises BadInputError for one not used."""
    pinned = PinnedRemote(
        url=whole_address(url),
        branch=branch,
        vault=str(vault.root),
        origin=suggestion(vault),
        local=vault.history.branch() or "",
    )
    return pinned, set_remote(vault.settings.state.name, pinned, os.environ)


def whole_address(url: str) -> str:
    """The address as it is kept: a folder by its whole path, everything else as it is.

    raises BadInputError for one with a token in place of a user: every process could read it
    """
    if privacy.find_secrets(login_of(url)):
        raise BadInputError(
            f"'{shown_url(url)}' holds a token",
            hint="leave it out: git's credential helper, or a question, gives it when needed",
        )
    # `ext::sh -c ...` is an address for git and runs a program; `transport_of` refuses it, so it is
    # no folder here.
    looks_local = "://" not in url and "::" not in url and not url.startswith("-")
    if looks_local and (url[:1] in (".", "~", os.sep) or os.path.isdir(url)):
        return os.path.abspath(os.path.expanduser(url))
    return url


def describe_remote(vault: Vault) -> dict[str, Any]:
    """url, branch, suggestion, warnings; url '' when nothing is pinned."""
    pinned = find_remote(vault.settings.state.name, os.environ)
    return {
        "url": shown_url(pinned.url) if pinned else "",
        "branch": pinned.branch if pinned else "",
        "suggestion": suggestion(vault),
        "warnings": list(warnings(vault, pinned)) if pinned else [],
    }


def receive(
    url: str,
    path: Path,
    *,
    clock: Clock,
    branch: str = DEFAULT_BRANCH,
    progress: Progress | None = None,
) -> InitReport:
    """Make the vault of a remote in a new or empty folder, and pin that remote for it.

    raises  BadInputError, IncomingRefusedError, and what talking to a remote raises
    """
    address = whole_address(url)
    transport_of(address)
    check_branch(branch)
    _require_network(address)
    place = _free_place(path)
    _remove_left_behind(place)
    beside = place.with_name(f".{place.name}.{os.getpid()}-{os.urandom(4).hex()}.new")
    try:
        local, written = _fill_from_address(beside, address, branch, progress)
        _require_settings(beside)
        _require_no_erased_text(beside)
        if place.is_dir():
            place.rmdir()
        os.rename(beside, place)
    except OSError as error:
        raise CannotCreateError(
            f"cannot make the vault in '{place}': {error.strerror}", hint="choose another place"
        ) from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    settings = config.load_settings(place)
    pinned = PinnedRemote(url=address, branch=branch, vault=str(place), local=local)
    set_remote(settings.state.name, pinned, os.environ)
    return _report(place, clock, written, progress)


def _remove_left_behind(place: Path) -> None:
    """Take away what attempts at this place left whose process was killed."""
    name = re.compile(rf"\.{re.escape(place.name)}\.(\d{{1,10}})-[0-9a-f]{{8}}\.new")
    for each in sorted(place.parent.iterdir()):
        found = name.fullmatch(each.name)
        if found is None or each.is_symlink() or not each.is_dir():
            continue
        if files.is_process_gone(int(found[1]), seen_at_ns=each.lstat().st_mtime_ns):
            shutil.rmtree(each, ignore_errors=True)


def _require_settings(folder: Path) -> None:
    """A vault whose settings stop every command is not made, as no pull could mend it."""
    try:
        config.load_settings(folder)
    except SettingsError as error:  # those of the person were read before
        raise IncomingRefusedError(
            f"nothing was made: in the remote, {error.message.replace(f'{folder}{os.sep}', '')}",
            paths=[SETTINGS],
            hint="mend that file on the device it came from, and push there",
        ) from error


def _require_no_erased_text(folder: Path) -> None:
    """What was erased on this device, in whichever folder, does not come back by a new copy."""
    import tempfile

    settings = config.load_settings(folder)
    if not (erased := vaults.Erased(settings)):
        return
    with tempfile.TemporaryDirectory(prefix="vaultmem-look-") as state:
        history = git.History.open(folder, Path(state))
        head = history.head()
        found = vaults.files_with(erased, history.exchange().new_files("", head)) if head else []
    if found:
        raise IncomingRefusedError(
            "the remote brings back a text that was erased for good on this device: "
            f"{', '.join(repr(path) for path in found[:3])}",
            paths=found,
            hint="`vaultmem push --accept-purge` where it was erased replaces the remote's branch",
        )


def _require_network(address: str) -> None:
    """As `require_network`, before there is a vault: the person's settings alone."""
    found = config.effective_settings(None, os.environ)
    if found["values"][config.LOCAL_ONLY] and not config.is_on_this_device(address):
        raise LocalOnlyError(
            "making a vault from a remote", where=found["sources"][config.LOCAL_ONLY]
        )


def _free_place(path: Path) -> Path:
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise BadInputError(
            f"'{path}' is not empty", hint="name a folder that is not there yet, or an empty one"
        )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotCreateError(f"cannot make '{path.parent}': {error.strerror}") from error
    return path.parent.resolve() / path.name


def _fill_from_address(
    beside: Path, address: str, branch: str, progress: Progress | None
) -> tuple[str, Mapping[PurePosixPath, bytes]]:
    """As `_fill`; nothing is set up yet, so what fails is the address that was just given."""
    try:
        return _fill(beside, address, branch, progress)
    except RemoteUnreachableError as error:
        raise RemoteUnreachableError(
            error.message,
            hint="nothing was made here; check the address, then run the command again",
        ) from error


def _fill(
    folder: Path, url: str, branch: str, progress: Progress | None
) -> tuple[str, Mapping[PurePosixPath, bytes]]:
    """Fetch, check, and write everything into the new folder.

    returns  the name of its branch, and what tells whether the files are touched from now on
    """
    folder.mkdir(mode=0o777)
    state = folder / ".git" / "vaultmem-new"  # only until the vault has its device state
    # Which object format the remote has is known from its answer only, and a repository cannot
    # change its own.
    for algorithm in ("sha1", "sha256"):
        git.create(folder, algorithm=algorithm)
        state.mkdir(parents=True)
        history = _open(folder, state)
        seconds, max_bytes = config.open_limits()
        remote = history.exchange().remote(
            url,
            branch,
            seconds=seconds,
            max_bytes=max_bytes,
            heard=progress or (lambda what, done, total: None),
        )
        try:
            head = remote.fetch(have=None)
            break
        except OtherFormatError as other:
            if other.algorithm == algorithm:
                raise
            shutil.rmtree(folder / ".git")
    if head is None:
        raise BadInputError(
            f"the repository at '{shown_url(url)}' is empty",
            hint="`vaultmem init FOLDER`, then `vaultmem remote set` and `vaultmem push` there",
        )
    entries = _admit_tree(history, head)
    texts = dict(history.blobs({entry.oid for _, entry in entries}))
    writes = []
    for name, entry in entries:
        data = texts[entry.oid]
        if data is None:
            raise IncomingRefusedError(f"the content of '{name}' is missing", paths=[name])
        writes.append(Write(path=PurePosixPath(name), content=data, expects=None))
    vaults.place(folder, writes)
    written = vaults.durable_numbers(folder, writes)
    changed = history.exchange().changes(None, head)
    history.exchange().advance(None, head, changed, reason="vaultmem init")
    local = history.branch() or ""
    shutil.rmtree(state)
    return local, written


def _open(folder: Path, state: Path) -> git.History:
    return git.History.open(folder, state)


def _admit_tree(history: History, head: str) -> list[tuple[str, Entry]]:
    """Every file that is put into the folder; raises IncomingRefusedError."""
    exchange = history.exchange()
    tree = exchange.entries(head)
    judged = judge(tree, tree, exchange.sizes(entry.oid for entry in tree.values()))
    if judged.refused:
        raise IncomingRefusedError(
            "nothing was made, because of what the remote holds: "
            f"{describe_refused(judged.refused)}",
            paths=[each.path for each in judged.refused],
            hint="take it out on the device it came from, and push there",
        )
    if SETTINGS not in tree:
        raise IncomingRefusedError(
            f"the remote holds no vault: there is no '{SETTINGS}' in it",
            hint="`vaultmem init` in a clone of it makes it one",
        )
    return [(name, entry) for name, entry in regular(tree) if name not in judged.withheld]


def _report(
    root: Path,
    clock: Clock,
    written: Mapping[PurePosixPath, bytes],
    progress: Progress | None,
) -> InitReport:
    """Read the notes once, so that the first question need not."""
    vault = vaults.open_with_recoveries(config.load_settings(root), clock)
    try:
        with vaults.writer_lock(vault):
            with vault.index.writing():
                vaults.expect(vault, written, written)
            vaults.level.refresh(vault, progress=progress)
        problems = tuple(vault.index.problems())
        return InitReport(
            root=root,
            name=vault.settings.name,
            created=(),
            found_notes=sum(vault.index.counts().notes.values()),
            new_repository=True,
            commit=vault.history.head(),
            problems=problems,
        )
    finally:
        vault.close()
