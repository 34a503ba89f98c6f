"""Language models and embedders: spoken with, recorded, checked.

Protocols in `model/ports.py`: Extractor, Retriever, LLM, Embedder, TokenCounter, Clock. The
embedders are in `models/` (`models/embedders.py` a server, `models/multilingual.py` and
`models/packaged.py` models from packages, `models/multilingual.py` the former as it is kept,
`models/packaged.py` the tokenizer of the latter; `models/provider.py` says which is in use),
their vectors in `storage/index/search/meaning.py` by the digest of each text, their cosines in
`storage/index/search/meaning.py`; `recall/by_meaning.py` joins them. A language model is a
`Client`: an `Exchange` (one request over httpx2, its deadline, its retries), a `Dialect` (how a
kind of server is asked and answers) and `reading.py` (one JSON object out of a reply); `Recorded`
stands before it where replies are kept. `models/roles.py` makes the two that settings name. Tests
never take its place: `tests/models/scripted_server.py` answers on a real socket, badly where
wanted.

What a model says is held against what it was shown: `extract/model/model_extractor.py` asks about a
text and `extract/model/asking.py` lets through what the text bears out;
`remember/category_summaries.py` and `reflecting.py` do so for summaries and insights,
`remember/suggest_links.py` for links and tags. In `remember` all questions come before the lock
(`remember/ask_model.py`): the texts are read, planned without writing (`Opinions` meets the pairs
that rules leave open, `Ties` the new items), the model is asked about these and about the
categories as the plan leaves them, and under the lock they are planned once more with the answers.
Of several texts the summaries come last, in a commit of their own, so that each text can be undone.
What changed in between loses its answer, never the person's bytes. Prompts are in
`templates/prompts/`, versioned by their first line. Extractor and retriever are chosen by name in
`vaultmem.toml`: built-in ones, then entry points of installed packages in the groups
`vaultmem.extractor` and `vaultmem.retriever`.
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.models.checking import check_models
    from vaultmem.models.embedders import Endpoint
    from vaultmem.models.multilingual import Multilingual
    from vaultmem.models.packaged import Packaged
    from vaultmem.models.provider import AUTO, MINILM, MULTILINGUAL, is_here, is_on, provider_of
    from vaultmem.models.proxying import Forwarding, Translating
    from vaultmem.models.replies import DoesNotFitError, without_thought
    from vaultmem.models.roles import chat, instructions, make_model, require_chat, summariser

attach(
    __name__,
    {
        "checking": "check_models",
        "embedders": "Endpoint",
        "multilingual": "Multilingual",
        "packaged": "Packaged",
        "provider": "AUTO MINILM MULTILINGUAL is_here is_on provider_of",
        "proxying": "Forwarding Translating",
        "replies": "DoesNotFitError without_thought",
        "roles": "chat instructions make_model require_chat summariser",
    },
)
