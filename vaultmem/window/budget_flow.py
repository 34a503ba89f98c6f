"""The flow of tokens into a context, as a picture of its own."""

from __future__ import annotations

from vaultmem.api import Memory
from vaultmem.context import flow_picture
from vaultmem.window.pages import Asked, budget_of


def flow_svg(memory: Memory, asked: Asked) -> str:
    """The picture, as `vaultmem context --plot` draws it."""
    budget = budget_of(asked, memory.settings.context_tokens)
    return flow_picture(memory.context(asked.get("q", ""), budget=budget))
