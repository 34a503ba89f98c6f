"""Placeholders that are the same for the same value in one vault, on every device of a person.

A placeholder is a keyed hash, so that it can be neither read back nor tried out (there are few
enough phone numbers to try them all): the key is the person's, and never in the vault. It is a
setting, or a file beside the person's settings, which is made when it is first needed; a second
device takes part once it has the same.
"""

from __future__ import annotations

import hmac
import os
from collections.abc import Callable

from vaultmem.base.errors import DiskError
from vaultmem.config.state import person_file
from vaultmem.model.ids import base32

FILE_NAME = "placeholder.key"
_LETTERS = 8  # 40 bits: two values of a vault share one by chance once in a million addresses
_KEY_BYTES = 32


def placeholders(key: str, *, vault: str) -> Callable[[str, str], str]:
    """(kind, value) -> `[email-7k2m9pqx]`.

    key    of the settings; '': the key file's
    vault  its id: another vault has other placeholders, so two of them cannot be joined by them
    """
    secret = key.encode() if key else _key_of_file()

    def write(kind: str, value: str) -> str:
        message = f"{vault}\n{kind}\n{value}".encode()
        return f"[{kind}-{base32(hmac.digest(secret, message, 'sha256'), _LETTERS)}]"

    return write


def key_file() -> str:
    """Where the key lies while no setting gives one."""
    return os.path.join(os.path.dirname(person_file(os.environ)), FILE_NAME)


def _key_of_file() -> bytes:
    file = key_file()
    try:
        return _read(file)
    except FileNotFoundError:
        pass
    temporary = f"{file}.{os.urandom(4).hex()}.tmp"
    try:
        os.makedirs(os.path.dirname(file), mode=0o700, exist_ok=True)
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "wb") as stream:
            stream.write(os.urandom(_KEY_BYTES).hex().encode() + b"\n")
            stream.flush()
            os.fsync(stream.fileno())
        _place(temporary, file)
        return _read(file)
    except OSError as error:
        raise DiskError(
            f"cannot make the key file '{file}': {error.strerror}",
            hint="set `secrets.placeholder_key` in your config.toml",
        ) from error


def _place(temporary: str, file: str) -> None:
    """Give the file its name, unless another process was quicker: its key is the one then."""
    try:
        os.link(temporary, file)
    except FileExistsError:
        pass
    except OSError:  # a file system without links
        if not os.path.exists(file):
            os.replace(temporary, file)
            return
    os.unlink(temporary)


def _read(file: str) -> bytes:
    with open(file, "rb") as stream:
        found = stream.read(1000).strip()
    if len(found) < _KEY_BYTES:
        raise DiskError(
            f"the key file '{file}' is damaged: it holds {len(found)} characters",
            hint="copy it from another device; deleting it gives new placeholders from then on",
        )
    return found
