"""Where settings and device state lie, and what the settings files came to when last read.

Reading TOML costs more than answering a question, so the outcome is kept in the device state
under the fingerprints of the files it was read from.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from vaultmem import __version__
from vaultmem.base import Any, DiskError

# The file system's clock may tick as coarsely as this; a settings file younger than that may
# change again without a visible difference, so what it says is not kept yet.
_RESTED_NS = 2_000_000_000
# What a setting is by default, and how it is read: where these change, so does what was kept.
CODE = tuple(
    os.path.join(os.path.dirname(__file__), file) for file in ("settings_table.py", "values.py")
)


def person_file(environ: Mapping[str, str]) -> str:
    """Path of the person's own settings: VAULTMEM_CONFIG, else config.toml in its XDG folder."""
    chosen = environ.get("VAULTMEM_CONFIG")
    if chosen:
        return os.path.abspath(os.path.expanduser(chosen))
    return os.path.join(_home(environ, "XDG_CONFIG_HOME", ".config"), "config.toml")


def state_home(environ: Mapping[str, str]) -> str:
    """Folder of all device state: VAULTMEM_STATE, else the XDG state folder of vaultmem."""
    chosen = environ.get("VAULTMEM_STATE")
    if chosen:
        return os.path.abspath(os.path.expanduser(chosen))
    return _home(environ, "XDG_STATE_HOME", os.path.join(".local", "state"))


def make_state_folder(state: Path) -> Path:
    """The folder itself, made if missing and readable by its owner alone; raises DiskError.

    raises SettingsError for one that would be made on a network file system
    """
    if not state.exists():
        from vaultmem.config.places import require_local  # saves 1 module

        require_local(state)
    try:
        os.makedirs(state.parent, mode=0o700, exist_ok=True)
        os.makedirs(state, mode=0o700, exist_ok=True)
        if os.name == "posix" and os.stat(state).st_mode & 0o077:
            os.chmod(state, 0o700)
    except OSError as error:
        raise DiskError(
            f"cannot use the state folder '{state}': {error.strerror}",
            hint="set VAULTMEM_STATE to a folder of your own",
        ) from error
    return state


def _home(environ: Mapping[str, str], variable: str, below: str) -> str:
    """A base folder of vaultmem; the XDG variable counts everywhere, if it is a whole path."""
    base = environ.get(variable, "")
    if os.path.isabs(base):
        return os.path.join(base, "vaultmem")
    if sys.platform in ("win32", "darwin"):
        import platformdirs

        if variable == "XDG_CONFIG_HOME":
            return platformdirs.user_config_dir("vaultmem", appauthor=False)
        return platformdirs.user_state_dir("vaultmem", appauthor=False)
    # platformdirs would say the same here, and takes 5 ms to import.
    home = environ.get("HOME") or os.path.expanduser("~")
    return os.path.join(home, below, "vaultmem")


def device_name(wanted: str, environ: Mapping[str, str]) -> str:
    """Name of this device: the environment, the settings, or the host name when first asked.

    The host name is written down, because on laptops it follows the network, and a new name
    would begin a new flow file.
    """
    from_environment = environ.get("VAULTMEM_DEVICE", "")
    if from_environment:
        from vaultmem.language import slugify  # saves 3 modules

        return slugify(from_environment, 40)
    if wanted:
        return wanted
    kept = os.path.join(state_home(environ), "device")
    try:
        with open(kept, encoding="utf-8") as stream:
            name = stream.read(64).strip()
        if name:
            return name
    except (OSError, UnicodeDecodeError):
        pass  # not asked before, or unreadable: the host name serves
    import platform

    from vaultmem.language import slugify  # saves 3 modules

    name = slugify((platform.node() or "device").split(".")[0], 40)
    _keep(kept, name.encode())
    return name


def effective_settings(vault_file: str | None, environ: Mapping[str, str]) -> dict[str, Any]:
    """What the settings files come to, from the device state when nothing changed since.

    keys: values, sources, vaults, warnings (as tuples), state_key, open (values that wait for a
    variable of the environment; they are never kept with it filled in, as it may be a secret).
    """
    person = person_file(environ)
    files = [person] if vault_file is None else [person, vault_file]
    settings_stamps = [_stamp(file) for file in files]
    # The form of what `marshal` writes differs from one Python to the next.
    stamps = (__version__, sys.hexversion, *settings_stamps, *(_stamp(file) for file in CODE))
    kept = kept_file(files, environ)
    found = _read_cache(kept, stamps)
    if found is None:
        from vaultmem.config.values import effective  # saves 28 modules

        found = effective(person, vault_file)
        outcome: Any = (stamps, found)
        _keep(kept, marshal.dumps(outcome), rested=settings_stamps)
    if found["open"]:
        from vaultmem.config.values import fill  # saves 28 modules

        found = fill(found, environ)
    return found


def kept_file(files: Sequence[str], environ: Mapping[str, str]) -> str:
    """Where the outcome of these settings files is kept."""
    # Any spread-out number will do, and takes no import: what is kept names its files itself.
    name = f"{int.from_bytes(repr([*files]).encode()) % 4_294_967_291:08x}.bin"
    return os.path.join(state_home(environ), "settings", name)


def _stamp(file: str) -> tuple[str, int, int, int]:
    """Fingerprint of a file; zeros for a missing one."""
    try:
        stat = os.stat(file)
    except OSError:
        return file, 0, 0, 0
    return file, stat.st_mtime_ns, stat.st_size, stat.st_ino


def _read_cache(file: str, stamps: tuple[Any, ...]) -> dict[str, Any] | None:
    """What was kept for exactly these fingerprints; None for anything else, damage included."""
    try:
        with open(file, "rb") as stream:
            known, found = marshal.loads(stream.read())
    except (OSError, EOFError, ValueError, TypeError):
        return None
    return found if known == stamps and isinstance(found, dict) else None


def _keep(file: str, data: bytes, *, rested: Sequence[tuple[str, int, int, int]] = ()) -> None:
    """Write a disposable file by rename; where that fails, the next command works again.

    rested  fingerprints of which none may be younger than two seconds, by the clock of the file
            system that holds them
    """
    temporary = f"{file}.{os.urandom(4).hex()}.tmp"
    try:
        os.makedirs(os.path.dirname(file), mode=0o700, exist_ok=True)
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "wb") as stream:
            stream.write(data)
            written = os.fstat(stream.fileno()).st_mtime_ns
        youngest = max((mtime_ns for _, mtime_ns, _, _ in rested), default=0)
        if youngest > written - _RESTED_NS:
            os.unlink(temporary)
        else:
            os.replace(temporary, file)
    except OSError:
        return
