"""What a check of the language models found."""

from __future__ import annotations

from vaultmem.base import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """One thing that a model server was asked to do."""

    what: str  # replies, JSON, streams
    works: bool
    told: str  # how well, or why not
    seconds: float  # from the question to the end of the answer
    kind: str = ""  # of the LLMError; '': it works
    exit_code: int = 0  # of the LLMError; 0: it works


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCheck:
    """How one model of the settings stands."""

    role: str  # summariser, chat
    provider: str
    model: str
    where: str  # host and port
    on_this_device: bool
    has_key: bool
    answers_as: str = ""  # the name that the server gives the model
    tried: tuple[Tried, ...] = ()

    @property
    def works(self) -> bool:
        """Whether it can be used: it replies, and its JSON can be read. Streams may be missing."""
        return all(each.works for each in self.tried if each.what != "streams")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelsChecked:
    """All models of the settings; the chat model has no entry where it is the other one."""

    models: tuple[ModelCheck, ...]
    extractor: str  # the setting; 'llm' lets the model read what is remembered
    record: str  # off, record, replay
