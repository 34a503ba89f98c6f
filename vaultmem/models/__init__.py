"""Language models and embedders: spoken with, recorded, checked.

A language model is a `Client` (`models/client.py`): requests over httpx2 with a deadline and
retries (`models/http.py`), a dialect (`models/dialects.py`: how a kind of server is asked and
answers) and one JSON object out of a reply (`models/client.py`). `models/roles.py` stands
before it where replies are kept; `models/roles.py` makes the two that settings name;
`models/roles.py` asks what they support. Tests put a server on a real socket in their place.

Vectors come from a server (`models/endpoint.py`) or from models that packages bring
(`models/multilingual.py`, `models/packaged.py`); `models/embedder_choice.py` says which is in use,
`recall/by_meaning.py` joins them to an answer. The protocols are in `model/ports.py`; extractor and
retriever can come from entry points (`vaultmem.extractor`, `vaultmem.retriever`).

What a model says is held against what it was shown, by who asks it: `extract/model/`,
`remember/category_summaries.py`, `remember/suggest_links.py`, `learn/reflecting.py`.

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
