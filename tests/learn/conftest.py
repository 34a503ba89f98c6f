"""What tests with a scripted model share."""

from tests.models.conftest import vault

__all__ = ["vault"]
