"""The vault and the clock of the tests of history."""

from tests.history.conftest import still, vault

__all__ = ["still", "vault"]
