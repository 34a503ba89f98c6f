"""vaultmem: long-term memory for AI assistants, kept as Markdown in a Git repository."""

# Imports nothing: `python -m vaultmem` is here before `__main__` keeps the working folder out.
TYPE_CHECKING = False  # of `typing`
__version__ = "0.1.0"
# Modules by the names they had: importable for one version more, found last.
__path__.append(f"{__path__[0]}/_former")
__all__ = ["Filters", "Memory", "__version__"]

if TYPE_CHECKING:
    from vaultmem.api.memory import Filters, Memory


def __getattr__(name: str) -> object:
    """Load `Memory`, `Filters` or a room on first use: `import vaultmem` stays cheap (PEP 562)."""
    if name == "Memory":
        from vaultmem.api.memory import Memory

        return Memory
    if name == "Filters":
        from vaultmem.api.memory import Filters

        return Filters
    import sys

    from vaultmem.base.faces import stand_in

    return stand_in(sys.modules[__name__], name)
