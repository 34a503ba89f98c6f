"""Programs ask over HTTP."""

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
