"""Frameworks for agents keep their memory in vaults, by the classes that they ask for.

An adapter is a module of the name of its framework's package, which it imports, and which nobody
else does: `vaultmem.adapters.langgraph`, `.openai_agents`, `.llama_index`, `.anthropic`; `.mem0ai`
needs none.
`users.py` gives each user a vault of their own under one folder; `vault_threads.py` opens vaults
when they are asked for, in threads that own them, and closes those that are idle.
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.adapters.framework import MissingFrameworkError
    from vaultmem.adapters.users import OneVault, Vaults, vault_of

attach(
    __name__,
    {
        "framework": "MissingFrameworkError",
        "users": "OneVault Vaults vault_of",
    },
)
