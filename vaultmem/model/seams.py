"""Parts chosen by name: the built-in ones first, then entry points of installed packages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module

from vaultmem.base import TYPE_CHECKING, Any, SettingsError

if TYPE_CHECKING:
    from vaultmem.model.ports import Extractor, Retriever

BY_MODEL = "llm"
"""Name of the extractor that asks the language model of the person's settings."""
PLAIN = "heuristic"
BUILT_IN = {
    ("extractor", "heuristic"): "vaultmem.extract.rule_extractor:HeuristicExtractor",
}


def extractor(name: str, *, zone: str, categories: Sequence[str]) -> Extractor:
    """The extractor of this name, told about the vault."""
    made: Extractor = _maker("extractor", name)(zone=zone, categories=tuple(categories))
    return made


def plain_extractor(name: str, *, zone: str, categories: Sequence[str]) -> Extractor:
    """The extractor of this name; where it is the model, the one that reads without it."""
    return extractor(PLAIN if name == BY_MODEL else name, zone=zone, categories=categories)


def retriever(name: str, index: object) -> Retriever:
    """The retriever of this name, over an opened index; the built-in one is the index itself."""
    made: Retriever = _maker("retriever", name)(index)
    return made


def _maker(seam: str, name: str) -> Callable[..., Any]:
    """What makes the part; entry points stand in the group `vaultmem.<seam>`.

    raises SettingsError when no part has this name
    """
    target = BUILT_IN.get((seam, name))
    if target is not None:
        module, _, attribute = target.partition(":")
        found: Callable[..., Any] = getattr(import_module(module), attribute)
        return found
    from importlib.metadata import entry_points

    for entry in entry_points(group=f"vaultmem.{seam}", name=name):
        loaded: Callable[..., Any] = entry.load()
        return loaded
    known = ", ".join(f"'{known}'" for kind, known in BUILT_IN if kind == seam)
    raise SettingsError(
        f"no {seam} is called '{name}'", hint=f"built in: {known}; or install a package with it"
    )
