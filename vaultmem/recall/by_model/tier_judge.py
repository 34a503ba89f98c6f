"""Ask a language model whether what a tier holds answers the question (algorithms.md 7.2).

One question for a tier, at most two for an answer. What it does not answer by a yes or a no is left
to the words (`tiers.py`), and so is everything once it failed: an answer is never lost by asking.
"""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem import model, models
from vaultmem.base import TYPE_CHECKING, VaultmemError
from vaultmem.model import Sufficiency
from vaultmem.recall.by_model.choice import between_marks, line_of
from vaultmem.recall.tiers import says_no, says_yes

if TYPE_CHECKING:
    from vaultmem.model import LLM, Hit
    from vaultmem.vault import Vault
_MOST_QUESTIONS = 4  # of one recall: two, and two more where the files change while it is answered
_MOST_CHARACTERS = 6_000  # of what is shown of one tier
_MOST_LINE = 600
_UNCLEAR = "it said neither yes nor no"


class Sufficient:
    """The model's word on what was found, for one recall; it asks nothing twice."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._model: LLM | None = None
        self._said: dict[str, Sufficiency] = {}
        self._failed = ""  # why it is asked no more
        self._has_begun = False

    def on(self, tier: str, query: str, hits: Sequence[Hit]) -> Sufficiency | None:
        """Whether these answer the question; None where nobody is there to be asked.

        `enough` is None, with the reason, where it gave no answer: then words decide.
        """
        if not hits or not self._ensure_model():
            return None
        question = _question(query, hits)
        if question not in self._said:
            if len(self._said) >= _MOST_QUESTIONS:
                return None
            self._said[question] = self._ask(tier, question)
        return self._said[question]

    def _ensure_model(self) -> bool:
        if not self._has_begun:
            self._has_begun = True
            try:
                self._model = models.summariser(
                    self._vault, about="whether memories answer a question"
                )
            except VaultmemError as error:  # forbidden by the vault, or settings that are no use
                self._failed = error.message
        return self._model is not None or bool(self._failed)

    def _ask(self, tier: str, question: str) -> Sufficiency:

        if self._model is None or self._failed:
            return Sufficiency(tier=tier, enough=None, why=self._failed)
        try:
            messages = (
                model.Message(role="system", text=models.instructions("enough")),
                model.Message(role="user", text=question),
            )
            said = models.without_thought(self._model.complete(messages).text)
        except VaultmemError as error:
            self._failed = error.message
            return Sufficiency(tier=tier, enough=None, by=self._model.name, why=self._failed)
        except models.DoesNotFitError:
            said = ""
        enough = True if says_yes(said) else False if says_no(said) else None
        why = _UNCLEAR if enough is None else ""
        return Sufficiency(tier=tier, enough=enough, by=self._model.name, why=why)


def _question(query: str, hits: Sequence[Hit]) -> str:
    """What the model is shown: the question and the memories, without secrets, between marks."""
    lines: dict[str, None] = {}
    for hit in hits:
        if hit.suspicion:
            continue  # it talks to an assistant: a person reads it, no model
        said = [hit.note.statement, *(passage.text for passage in hit.passages)]
        lines |= dict.fromkeys(line_of(each, _MOST_LINE) for each in said if each)
    shown = "\n".join(f"- {line}" for line in lines)[:_MOST_CHARACTERS]
    text = f"question: {line_of(query, _MOST_CHARACTERS)}\n\nmemories:\n{shown}"
    return f"{between_marks(text)}\nDo the memories answer the question?"
