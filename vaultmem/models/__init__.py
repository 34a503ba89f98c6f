"""Language models and embedders: spoken with, recorded, checked.

Words that end here: `llm check`, `[llm]`, `[chat]` and `[embeddings]` in the person's settings.

Promises
* A request ends in time, with its bytes or with an error that says what went wrong.
* The notes and the key go to the address that the person wrote: no redirect, no proxy.
* Each thing that is sent is in the ledger, for `audit`.
* A packaged model is used only if its files are, byte for byte, those that were measured.

Never: believes a reply. Who asks holds it against what was shown: `extract/model/`,
`remember/category_summaries.py`, `remember/suggest_links.py`, `learn/reflect.py`.

Where is the rule for ...
    one request: deadline, retries              http.py
    how a kind of server is asked               dialects.py, client.py
    which model reads, which one talks          roles.py
    requests that the proxy passes on           proxying.py
    which vectors are in use                    embedder_choice.py
    vectors of a server, of a package           endpoint.py, packaged.py, multilingual.py

Our own: the SDKs of OpenAI and Anthropic take .5 and 1.4 s of CPU to import and 30 MB each, and
each speaks to one kind of server. The two forms of a chat request that are needed are a page.
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.models.client import DoesNotFitError, without_thought
    from vaultmem.models.embedder_choice import (
        AUTO,
        MINILM,
        MULTILINGUAL,
        is_here,
        is_on,
        provider_of,
    )
    from vaultmem.models.endpoint import Endpoint
    from vaultmem.models.multilingual import Multilingual
    from vaultmem.models.packaged import Packaged
    from vaultmem.models.proxying import Forwarding, Translating
    from vaultmem.models.roles import (
        chat,
        check_models,
        instructions,
        make_model,
        require_chat,
        summariser,
    )

attach(
    __name__,
    {
        "client": "DoesNotFitError without_thought",
        "endpoint": "Endpoint",
        "multilingual": "Multilingual",
        "packaged": "Packaged",
        "embedder_choice": "AUTO MINILM MULTILINGUAL is_here is_on provider_of",
        "proxying": "Forwarding Translating",
        "roles": "chat check_models instructions make_model require_chat summariser",
    },
)
