"""Ask a language model which of the first memories found help to answer the question.

One question for a recall, of at most `recall.rerank_timeout`. Everything that is not a list of
numbers which passes the check (`choice.py`) leaves the order as it was: an answer is never lost or
made worse by asking.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256

from vaultmem import language, model, models
from vaultmem.base import TYPE_CHECKING, VaultmemError, replace
from vaultmem.model import UNTRUSTED, Part, Reranked
from vaultmem.recall.ask_index import PASSAGES_A_HIT
from vaultmem.recall.belief.believed import suspicion_of
from vaultmem.recall.by_model.choice import (
    Choice,
    OddReplyError,
    between_marks,
    bonus,
    choice_of,
    lay_out,
    line_of,
)

if TYPE_CHECKING:
    from pathlib import PurePosixPath

    from vaultmem.model import LLM, Found, NoteRow
    from vaultmem.vault import Vault

# The first 50 passages hold more than the ten that are shown: in the best order R@10 is .939, in
# our own .814 (LoCoMo 0).
MOST_SHOWN = 50
LEAST_HITS = -(-MOST_SHOWN // PASSAGES_A_HIT)
"""Notes for which the index has to be asked, so that it gives MOST_SHOWN passages."""
_MOST_LINE = 500  # characters of one memory
_MOST_QUERY = 2_000
_MOST_TOKENS = 200  # of the reply: ten numbers, and a model that talks before them
_NO_MODEL = "no language model is set up"


class Reranker:
    """The model's choice, for one recall; it asks nothing twice. `said` is what came of it."""

    least_hits = LEAST_HITS

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._name = ""  # of the model; '': none was asked
        self._replies: dict[str, tuple[str, str]] = {}  # question -> reply, why there is none
        self.said: Reranked | None = None  # None: nothing was found, nobody was asked

    def order(
        self, query: str, found: Sequence[Found], notes: Mapping[PurePosixPath, NoteRow]
    ) -> Sequence[Found]:
        """The passages, best first, those that the model chose with more of a score."""
        # An item repeats its source: both are shown as one line.
        shown: dict[str, list[int]] = {}  # text -> places in `found`
        candidates: list[str] = []
        for at, one in enumerate(found):
            # What talks to an assistant is read by a person, by no model.
            if one.path not in notes or suspicion_of(one, notes):
                continue
            text = " ".join(one.passage.text.casefold().split()).rstrip(".")
            if text not in shown and len(shown) < MOST_SHOWN:
                candidates.append(_line(one, notes[one.path]))
                shown[text] = []
            if text in shown:
                shown[text].append(at)
        if not candidates:
            return found
        places = [*shown.values()]
        try:
            chosen = self._choose(query, candidates)
        except OddReplyError as odd:
            self._report(len(shown), why=str(odd))
            return found
        self._report(len(shown), chosen=tuple(place + 1 for place in chosen.places))
        ordered = list(found)
        best = max(one.score for one in found)
        for rank, place in enumerate(chosen.places):
            gain = bonus(rank, best, is_checked=chosen.is_checked)
            why = f"number {rank + 1} of {len(chosen.places)} that {self._name} chose"
            for at in places[place]:
                ordered[at] = self._raise(found[at], notes, gain, why)
        return sorted(ordered, key=lambda one: -one.score)  # stable: ties stay as found

    def _raise(
        self,
        one: Found,
        notes: Mapping[PurePosixPath, NoteRow],
        gain: float,
        why: str,
    ) -> Found:
        if notes[one.path].trust == UNTRUSTED:
            gain *= self._vault.settings.recall_untrusted_weight
        part = Part(name="model", value=gain, note=why)
        return replace(one, score=one.score + gain, parts=(*one.parts, part))

    def _choose(self, query: str, candidates: Sequence[str]) -> Choice:
        """What the model puts first of the candidates; raises OddReplyError."""
        words = frozenset(word.casefold() for word in language.content_words(query))
        seed = sha256("\n".join((query, *candidates)).encode("utf-8", "replace")).hexdigest()
        laid = lay_out(candidates, words, seed=seed)
        lines = "\n".join(f"{at}. {line}" for at, line in enumerate(laid.lines, start=1))
        text = f"question: {line_of(query, _MOST_QUERY)}\n\nmemories:\n{lines}"
        question = f"{between_marks(text)}\nWhich of these memories help to answer the question?"
        if question not in self._replies:
            self._replies[question] = self._ask(question)
        reply, why = self._replies[question]
        if why:
            raise OddReplyError(why)
        return choice_of(reply, laid.places)

    def _ask(self, question: str) -> tuple[str, str]:
        """What it replied, and why it did not."""
        try:
            asked = self._model()
            if asked is None:
                return "", _NO_MODEL
            self._name = asked.name
            messages = (
                model.Message(role="system", text=models.instructions("rerank")),
                model.Message(role="user", text=question),
            )
            reply = asked.complete(
                messages,
                max_tokens=_MOST_TOKENS,
                timeout_seconds=self._vault.settings.recall_rerank_timeout_seconds,
            )
            return models.without_thought(reply.text), ""
        except VaultmemError as error:  # forbidden by the vault, of no use, silent or late
            return "", error.message
        except models.DoesNotFitError as error:
            return "", str(error)

    def _model(self) -> LLM | None:
        return models.summariser(self._vault, about="which memories answer a question")

    def _report(self, shown: int, *, chosen: tuple[int, ...] = (), why: str = "") -> None:
        self.said = Reranked(by=self._name, shown=shown, chosen=chosen, why=why)


def _line(one: Found, note: NoteRow) -> str:
    """A passage with what a reader needs beside it: the day, and who said it."""
    passage = one.passage
    day = language.known_day(passage.date if passage.date is not None else note.date)
    speaker = f"{passage.speaker}:" if passage.speaker else ""
    text = " ".join(part for part in (f"({day})" if day else "", speaker, passage.text) if part)
    return line_of(text, _MOST_LINE)
