"""What is said where the framework of an adapter is not installed. Pure."""

from __future__ import annotations

from vaultmem.base import SettingsError


class MissingFrameworkError(SettingsError, ImportError):
    """An adapter was imported whose framework is not installed."""

    def __init__(self, adapter: str, package: str) -> None:
        super().__init__(
            f"'{adapter}' needs the package '{package}', which is missing",
            hint=f"pip install {package}",
        )
        self.name = package

    def __str__(self) -> str:
        return f"{self.message}: {self.hint}"
