"""vaultmem: long-term memory for AI assistants, kept as Markdown in a Git repository."""

# No file but ours: `python -m vaultmem` is here before `__main__` keeps the working folder out.
import sys  # a part of Python, which is no file

TYPE_CHECKING = False  # of `typing`
__version__ = "0.1.0"
__all__ = ["Filters", "Memory", "__version__"]

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec

    from vaultmem.api.memory import Filters, Memory


def __getattr__(name: str) -> object:
    """Load `Memory`, `Filters` or a room on first use: `import vaultmem` stays cheap (PEP 562)."""
    if name == "Memory":
        from vaultmem.api.memory import Memory

        return Memory
    if name == "Filters":
        from vaultmem.api.memory import Filters

        return Filters
    from vaultmem.base.faces import stand_in

    return stand_in(sys.modules[__name__], name)


class _FormerNames:
    """Finds modules by the names that they had; asked last, for what no other finder has."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> "ModuleSpec | None":
        if not name.startswith("vaultmem.") or name == "vaultmem._former":
            return None
        from vaultmem._former import spec_of  # the few who want one wait for it

        return spec_of(name)


sys.meta_path.append(_FormerNames)
