"""The six seams: parts that may be replaced, chosen by name in vaultmem.toml.

Each is a Protocol; every implementation runs the contract class in tests/contracts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from vaultmem.base import Protocol
from vaultmem.model.answers import Filters, Found, Repair
from vaultmem.model.drafts import Extraction, Source
from vaultmem.model.talks.messages import JsonReply, Message, Reply, Schema

Progress = Callable[[str, int, int], None]
"""Called as (what, done, total) during long work; total 0 means unknown."""


class Clock(Protocol):
    """Where 'now' comes from."""

    def now(self) -> int:
        """UTC milliseconds since 1970."""


class Extractor(Protocol):
    """Turns a raw text into drafts of items."""

    name: str

    def extract(self, source: Source, *, now: int) -> Extraction:
        """Drafts in the order of the text; every quote is a span of its turn.

        `now` (UTC ms) dates a source that has no date of its own. Text that states nothing
        durable gives no draft but a rejection that names the rule.
        """


class Retriever(Protocol):
    """Finds passages for a question."""

    name: str

    def find(self, query: str, *, limit: int, filters: Filters) -> tuple[list[Found], list[Repair]]:
        """At most `limit` passages, best first (ties: path, then order in the note).

        Any text is a query and never an error; nothing found is an empty list.
        """


class LLM(Protocol):
    """A language model; nothing needs one. All that it says is untrusted text.

    Each question ends within its timeout, with a reply or with an LLMError (a VaultmemError with
    a `kind`). `max_tokens` and `timeout_seconds` default to those of the settings. Never asked
    while the lock of the vault is held.
    """

    name: str  # provider and model
    where: str  # host and port, for messages

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,
        timeout_seconds: float | None = None,
    ) -> Reply:
        """A whole reply, never empty and never cut."""

    def ask(
        self,
        messages: Sequence[Message],
        *,
        schema: Schema,
        max_tokens: int | None = None,
        timeout_seconds: float | None = None,
    ) -> JsonReply:
        """A reply as a JSON object that fits the schema (of the words of `models/replies.py`)."""

    def stream(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,
        timeout_seconds: float | None = None,
    ) -> ReplyStream:
        """A reply as it comes."""


class ReplyStream(Protocol):
    """The pieces of a reply, in order; the error that breaks it is raised by the next one."""

    reply: Reply | None  # the whole of it, after its last piece

    def __iter__(self) -> Iterator[str]:
        """Itself."""

    def __next__(self) -> str:
        """The next piece."""

    def close(self) -> None:
        """Hang up."""


class Embedder(Protocol):
    """Makes vectors of texts; nothing needs one."""

    name: str  # vectors of one name can be compared; those of another are made anew
    batch: int  # texts that it takes at one time
    is_here: bool  # it works in this process: no text leaves it, and a few cost a question little
    gain: float  # what a cosine of 1 with a question gives, as a share of the question's weight
    answers_from: float  # the cosine from which a text answers without a word of the question

    def embed_question(self, text: str) -> list[float]:
        """A vector of the same length for a question, to be compared with those of texts.

        raises as `embed`
        """

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector for each text, in their order, all of one length.

        raises VaultmemError when there are none; never leaves some out
        """


class TokenCounter(Protocol):
    """Counts the tokens a text will take in a model's window."""

    name: str

    def count(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, never below the true count by more than the stated margin."""
