"""A call that does not have one of the forms that an operation takes."""

from __future__ import annotations

from vaultmem.base.errors import EXIT_USAGE, BadInputError


class MisusedError(BadInputError):
    """Too few or too many words, or some that exclude each other; the hint shows the form."""

    exit_code = EXIT_USAGE
