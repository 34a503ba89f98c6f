"""What a language model says of two facts between which no rule decides (algorithms 5.6).

Supersede, coexist or update; what it does not answer, or answers in another way, stays open: both
facts are kept, and the pair is flagged. Times, trust and hard facts count as with rules, so a model
cannot end what is believed more than the new fact is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256

from vaultmem import base, extract, language, models
from vaultmem.base import TYPE_CHECKING, Any, BusyError, DiskError, SettingsError, replace
from vaultmem.facts.supersede import COEXIST, SUPERSEDE, UNDECIDED
from vaultmem.language import canonical
from vaultmem.model import Opinion

if TYPE_CHECKING:
    from vaultmem.language import Stems
    from vaultmem.model import LLM, Item
    from vaultmem.vault import Vault

Pair = tuple[str, str]
"""The new statement and the known one, both canonical."""
_UPDATE = "update"
_MOST_PAIRS = 20  # of one question
_SAYS_ALL = 0.8  # share of the known statement's content words that an update has to have
_NO_ANSWER = "the model gave no answer that can be used"
_SCHEMA = {
    "type": "object",
    "properties": {
        "pairs": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "pair": {"type": "integer"},
                    "decision": {"type": "string", "enum": [SUPERSEDE, COEXIST, _UPDATE]},
                },
                "required": ["pair", "decision"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["pairs"],
    "additionalProperties": False,
}


class Opinions:
    """Decisions by pair, and the pairs that were met without one."""

    def __init__(self, given: Mapping[Pair, str] | None = None) -> None:
        self._given = dict(given or {})
        self.wanted: dict[Pair, Opinion] = {}

    def on(self, item: Item, known: Item, ruled: str) -> str:
        """What the item means for the known one; `ruled`: as rules have it, which come first."""
        if ruled != UNDECIDED:
            return ruled
        pair = canonical(item.statement), canonical(known.statement)
        if pair not in self._given:
            self.wanted[pair] = Opinion(
                new=item.statement,
                known=known.statement,
                decision=UNDECIDED,
                since=(item.valid_from, known.valid_from),
            )
        return self._given.get(pair, UNDECIDED)


def ask_about_pairs(
    vault: Vault, wanted: Mapping[Pair, Opinion]
) -> tuple[dict[Pair, str], tuple[Opinion, ...]]:
    """The model's decisions on pairs, and what is told of them; before any lock is taken.

    Some pairs at a time; a question that fails is the last one.
    """
    model = models.summariser(vault, about="facts that may contradict each other")
    if model is None or not wanted:
        return {}, ()
    pairs = list(wanted.items())
    stems = language.Stems(vault.settings.languages)
    decided: dict[Pair, str] = {}
    why = _NO_ANSWER
    try:
        for start in range(0, len(pairs), _MOST_PAIRS):
            some = pairs[start : start + _MOST_PAIRS]
            decided |= _parse_decisions(
                _rows(model, some, zone=vault.settings.timezone), some, stems
            )
    except (base.LLMError, SettingsError, DiskError, BusyError) as error:
        why = error.message
    return decided, tuple(
        replace(each, decision=decided[pair])
        if decided.get(pair, UNDECIDED) != UNDECIDED
        else replace(each, why=_NO_ANSWER if pair in decided else why)
        for pair, each in pairs
    )


def _rows(
    model: LLM, pairs: Sequence[tuple[Pair, Opinion]], *, zone: str
) -> Sequence[Mapping[str, Any]]:
    """What the model answers about some pairs; raises LLMError."""
    from vaultmem.model import Message  # saves 1 module

    shown = "\n".join(
        f"[{number}] known: {each.known}\n[{number}] new: {each.new}\n"
        f"[{number}] since: known {_day(each.since[1], zone)}, new {_day(each.since[0], zone)}"
        for number, (_, each) in enumerate(pairs, start=1)
    )
    text = extract.mask_secrets(shown)
    # The fence carries a digest of what stands in it: no statement can hold its own, so none closes
    # the fence.
    mark = sha256(text.encode("utf-8", "replace")).hexdigest()[:12]
    question = f"<<<PAIRS {mark}\n{text}\nPAIRS {mark}>>>\nDecide on each pair."
    messages = (
        Message(role="system", text=models.instructions("decide")),
        Message(role="user", text=question),
    )
    rows: Sequence[Mapping[str, Any]] = model.ask(messages, schema=_SCHEMA).value["pairs"]
    return rows


def _day(ms: int | None, zone: str) -> str:

    return "unknown" if ms is None else language.format_date(ms, zone)


def _parse_decisions(
    rows: Sequence[Mapping[str, Any]], pairs: Sequence[tuple[Pair, Opinion]], stems: Stems
) -> dict[Pair, str]:
    """The decision on each pair that has one; two different answers are none."""
    decided: dict[Pair, str] = {}
    for row in rows:
        if not 1 <= row["pair"] <= len(pairs):
            continue
        pair, each = pairs[row["pair"] - 1]
        decision = row["decision"]
        # An update gives the known item the new words: these have to say what it said.
        if decision == _UPDATE and not extract.is_supported(
            each.known, each.new, stems, least=_SAYS_ALL
        ):
            decision = UNDECIDED
        decided[pair] = decision if decided.get(pair, decision) == decision else UNDECIDED
    return decided
