"""The token of a server: made once, in a file of the device state that its owner alone can read."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from vaultmem.base.errors import disk_error

_BYTES = 32
_SHORTEST = 32  # characters; what is shorter was cut, or written by hand


def token_in(file: Path) -> tuple[str, bool]:
    """(token, whether it is new). One that others could have read is not used any more.

    raises DiskError
    """
    try:
        known = _known(file)
        if known:
            return known, False
        token = secrets.token_urlsafe(_BYTES)
        temporary = file.with_name(f"{file.name}.{secrets.token_hex(4)}.tmp")
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "w", encoding="ascii") as stream:
            stream.write(f"{token}\n")
        os.replace(temporary, file)
    except OSError as error:
        raise disk_error(error, doing="keep the token in", what=file) from error
    return token, True


def _known(file: Path) -> str:
    """The token in the file; '' where there is none that may be used."""
    try:
        with open(file, encoding="ascii") as stream:
            if os.name == "posix" and os.fstat(stream.fileno()).st_mode & 0o077:
                return ""
            token = stream.read(1024).strip()
    except (FileNotFoundError, UnicodeDecodeError):
        return ""
    return token if len(token) >= _SHORTEST and token.isascii() and token.isprintable() else ""
