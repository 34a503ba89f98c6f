"""Talk to a model with the memory of a session: its prompt, and the reply as it comes."""

from __future__ import annotations

from collections.abc import Iterator

from vaultmem import context
from vaultmem import vault as vaults
from vaultmem.base import TYPE_CHECKING
from vaultmem.model import Message
from vaultmem.sessions.turn_prompt import prompt

if TYPE_CHECKING:
    from vaultmem.model import LLM, Prompt, ReplyStream
    from vaultmem.vault import Vault


class Coming:
    """A reply as it comes: an iterator over its pieces.

    Taking pieces raises LLMError where the reply breaks; nothing is kept of it by itself.
    """

    def __init__(self, stream: ReplyStream) -> None:
        self._stream = stream
        self._pieces: list[str] = []

    @property
    def text(self) -> str:
        """The reply as far as it came."""
        return "".join(self._pieces)

    def __iter__(self) -> Iterator[str]:
        """The pieces, in order; hangs up when it is left before the end."""
        try:
            for piece in self._stream:
                self._pieces.append(piece)
                yield piece
        finally:
            self._stream.close()


class Talk(Coming):
    """One question to the chat model, with the prompt of a session."""

    def __init__(
        self, vault: Vault, id_: str, question: str, *, model: LLM, budget: int | None = None
    ) -> None:

        self.prompt: Prompt = prompt(vault, id_, question, budget=budget)
        messages = [Message(role=role, text=text) for role, text in self.prompt.messages]
        if self.prompt.system:
            messages.insert(0, Message(role="system", text=self.prompt.system))
        vaults.note_sending(vault, "talk to a model", model.where, f"session {id_}")
        super().__init__(model.stream(messages))
        self._vault, self._model = vault, model.name
        self._sent = [each.text for each in messages]

    def __iter__(self) -> Iterator[str]:
        """As of any reply; what its server counted for the prompt is noted."""
        yield from super().__iter__()
        if self._stream.reply is not None:
            model = context.model_in_use(self._vault, self._model)
            context.keep(self._vault, model, self._sent, self._stream.reply.tokens_in)
