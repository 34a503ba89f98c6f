"""The six seams: parts that may be replaced, chosen by name in vaultmem.toml.

Each is a Protocol; every implementation runs the contract class in tests/contracts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module

from vaultmem.base import TYPE_CHECKING, Any, Protocol, SettingsError, dataclass

if TYPE_CHECKING:
    from vaultmem.model.answers import Filters, Found, Repair
    from vaultmem.model.drafts import Extraction, Source

# Where "now" comes from, if nobody hands in a clock of their own.


class SystemClock:
    """The clock of this machine."""

    def now(self) -> int:
        """UTC milliseconds since 1970."""
        return time.time_ns() // 1_000_000


# Parts chosen by name: the built-in ones first, then entry points of installed packages.


BY_MODEL = "llm"
"""Name of the extractor that asks the language model of the person's settings."""
PLAIN = "heuristic"
BUILT_IN = {
    ("extractor", "heuristic"): "vaultmem.extract.rule_extractor:HeuristicExtractor",
}


def extractor(name: str, *, zone: str, categories: Sequence[str]) -> Extractor:
    """The extractor of this name, told about the vault."""
    made: Extractor = _maker("extractor", name)(zone=zone, categories=tuple(categories))
    return made


def plain_extractor(name: str, *, zone: str, categories: Sequence[str]) -> Extractor:
    """The extractor of this name; where it is the model, the one that reads without it."""
    return extractor(PLAIN if name == BY_MODEL else name, zone=zone, categories=categories)


def retriever(name: str, index: object) -> Retriever:
    """The retriever of this name, over an opened index; the built-in one is the index itself."""
    made: Retriever = _maker("retriever", name)(index)
    return made


def _maker(seam: str, name: str) -> Callable[..., Any]:
    """What makes the part; entry points stand in the group `vaultmem.<seam>`.

    raises SettingsError when no part has this name
    """
    target = BUILT_IN.get((seam, name))
    if target is not None:
        module, _, attribute = target.partition(":")
        found: Callable[..., Any] = getattr(import_module(module), attribute)
        return found
    from importlib.metadata import entry_points

    for entry in entry_points(group=f"vaultmem.{seam}", name=name):
        loaded: Callable[..., Any] = entry.load()
        return loaded
    known = ", ".join(f"'{known}'" for kind, known in BUILT_IN if kind == seam)
    raise SettingsError(
        f"no {seam} is called '{name}'", hint=f"built in: {known}; or install a package with it"
    )


# What is said to a language model, and what it says: all of its words are untrusted.


Schema = Mapping[str, Any]
"""A JSON schema of an object, of the words that `models/client.py` knows."""


def object_schema(**properties: Schema) -> dict[str, Any]:
    """The JSON schema of an object that has all of these keys and no other.

    A server that takes schemas by the letter refuses one that leaves room for more.
    """
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def list_schema(items: Schema) -> dict[str, Any]:
    """The JSON schema of a list of these."""
    return {"type": "array", "items": items}


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of a conversation with a model."""

    role: str  # system, user, assistant
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A whole reply."""

    text: str
    model: str = ""  # as the server names it
    tokens_in: int | None = None  # as the server counts; None: it did not say
    tokens_out: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonReply:
    """A reply that was read as one JSON object and fits the schema that was asked for."""

    value: Mapping[str, Any]
    how: str  # schema, object, prompt: what made the model keep to it
    reply: Reply


def with_day(text: str, day: str) -> str:
    """A statement as it is shown to a model, with the day that is known for it; '': none is."""
    return f"{text} ({day})" if day else text


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
        """A reply as a JSON object that fits the schema (of the words of `models/client.py`)."""

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

    def embed_questions(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector of the same length for each question, to be compared with those of texts.

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
