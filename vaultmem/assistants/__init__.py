"""An assistant on this machine reaches the memory: by tools that it calls, by hooks of its client.

Words that end here: `mcp`, `hook`, `install`, `uninstall`.

Promises
* What an assistant says through a tool counts as an assistant's words (`vaultmem help trust`).
* What a model reads is fenced as data.

Never: lets an assistant change or forget what is the person's without the person's yes.

Where is the rule for ...
    tools that a model calls                    mcp/tool_table.py, mcp/respond.py
    what a hook answers and keeps               hooks/reply.py, hooks/keep.py
    which file of which client is changed       install/clients.py
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.assistants.hooks.keep import keep_waiting, start_alone, start_keeping
    from vaultmem.assistants.hooks.reply import Hook, answer_hook
    from vaultmem.assistants.install.clients import CLAUDE_CODE, USER, Client, Place
    from vaultmem.assistants.install.install_verbs import (
        Finding,
        Installed,
        auto_memory_told,
        check,
        choose_clients,
        earlier_notes,
        install,
        install_agents,
        installed_clients,
        place_of,
        uninstall,
        uninstall_agents,
        vault_found,
        with_auto_memory,
    )
    from vaultmem.assistants.mcp.http_app import PATH, HttpApp
    from vaultmem.assistants.mcp.respond import serve

attach(
    __name__,
    {
        "hooks.reply": "Hook answer_hook",
        "hooks.keep": "keep_waiting start_alone start_keeping",
        "install.clients": "CLAUDE_CODE Client Place USER",
        "install.install_verbs": (
            "Finding Installed auto_memory_told check choose_clients earlier_notes install "
            "install_agents installed_clients place_of uninstall uninstall_agents vault_found "
            "with_auto_memory"
        ),
        "mcp.http_app": "HttpApp PATH",
        "mcp.respond": "serve",
    },
)
