"""Programs ask over HTTP.

Words that end here: `proxy`, `mcp --http`.

Promises
* Only this machine is answered, and only with the token.
* A reply passes on as it comes, byte for byte; its turn is kept before the end is seen, or follows.
* What a client asks beside the conversation (a title, a summary) is no turn.
* Where the vault does not answer, nothing is sent, and the client gets an error (503).

Never: keeps what a client put into the person's prompt as the person's words.

Where is the rule for ...
    endpoints and the way of a reply            proxy.py
    who said what; where memory goes in         shapes.py
    which conversation it is; side requests     conversation.py
    token, Host, Origin, socket                 serving.py
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.server.conversation import Upstream, said_of
    from vaultmem.server.proxy import MemoryThread, Proxy, Upstreams
    from vaultmem.server.serving import (
        LOOPBACK,
        App,
        Place,
        Receive,
        Scope,
        Send,
        Serving,
        address_of,
        listening,
        missing,
        name_in,
        require_safe,
        token_in,
        with_guard,
    )

attach(
    __name__,
    {
        "conversation": "Upstream said_of",
        "proxy": "MemoryThread Proxy Upstreams",
        "serving": (
            "LOOPBACK App Place Receive Scope Send Serving address_of listening missing "
            "name_in require_safe token_in with_guard"
        ),
    },
)
