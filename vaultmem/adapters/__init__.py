"""Frameworks for agents keep their memory in vaults, by the classes that they ask for.

An adapter is a module of the name of its framework's package, which it imports, and which nobody
else does: `vaultmem.adapters.langgraph`, `.openai_agents`, `.llama_index`, `.anthropic`; `.mem0ai`
needs none.

Promises
* Each user has a vault of their own: nothing of one is in an answer to another.
* What a program stores comes back exactly as it was.
* A framework that is not installed is an error that says what to install.

Never: shares an opened vault between threads.

Where is the rule for ...
    whose vault it is, which folder; when it is
    opened and closed                           users.py
    values that come back exactly               exact_notes.py
    LangGraph, LlamaIndex                       langgraph.py, llama_index.py
    OpenAI Agents SDK, Anthropic                openai_agents.py, anthropic.py
    Mem0                                        mem0ai.py
    a framework that is missing                 framework.py
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
