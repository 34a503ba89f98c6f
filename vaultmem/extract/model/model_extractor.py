"""The extractor that asks a language model, and believes only what the text bears out.

Where the model fails, in whatever way, the rules read the text as if there were none, and the
extraction says so. What the model leaves out is not kept, but for what the person expressly asked
to keep, and what a life may hang on by sure signs. Where it saw something worth keeping, but worded
it so that the text does not bear it out, the person's own words are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from vaultmem import judgement, models, privacy, safety
from vaultmem.base import (
    TYPE_CHECKING,
    BusyError,
    DiskError,
    LLMError,
    LocalOnlyError,
    SettingsError,
    replace,
)
from vaultmem.extract.model.asking import (
    MOST_CHARACTERS,
    SCHEMA,
    Evidence,
    Offered,
    draft_from,
    is_covered,
    offered_in,
    questions,
    size_of,
)
from vaultmem.extract.rule_extractor import SHOWN
from vaultmem.language import Stems, canonical
from vaultmem.model import JUDGED, Draft, Extraction, Rejected, Source, Turn

if TYPE_CHECKING:
    from vaultmem.model import LLM, Extractor
    from vaultmem.vault import Vault


_COMMAND = "Remember: "  # lets the rules classify what the model found worth keeping
# Refusals of the model's wording, and not of what it is about: the words that were said are kept.
_MISWORDED = frozenset(("ungrounded", "turned-round", "somebody-else", "too-long"))
_ALWAYS_TOLD = ("secret", "limit", "role")  # refusals of the rules that hold for a model as well
_MOST_ITEMS = 200  # of one source, as the rules have it


class ModelExtractor:
    """An extractor (ports.Extractor) over another one, which reads where the model cannot.

    instructions  of the prompt; the text is added to them as material
    mask          takes out what may not be sent: secrets
    """

    name = "llm"

    def __init__(
        self,
        model: LLM,
        plain: Extractor,
        *,
        instructions: str,
        mask: Callable[[str], str],
        zone: str,
        languages: Sequence[str],
        ask_above: int = 0,
    ) -> None:
        self._model = model
        self._plain = plain
        self._instructions = instructions
        self._mask = mask
        self._zone = zone
        self._stems = Stems(languages)
        self._ask_above = ask_above

    def extract(self, source: Source, *, now: int) -> Extraction:
        """Drafts in the order of the text; `without` says why the model did not read it."""
        plain = self._plain.extract(source, now=now)
        size = size_of(source)
        if size > MOST_CHARACTERS:
            why = f"{size:,} characters are more than a model is given ({MOST_CHARACTERS:,})"
            return replace(plain, without=why)
        try:
            offered = self._ask(source, now=now)
        except LLMError as error:
            return replace(plain, without=error.message)
        return self._judge_offered(offered, source, plain, now=now)

    def _ask(self, source: Source, *, now: int) -> list[Offered]:
        """What the model offers about all of the text; raises LLMError."""
        found: list[Offered] = []
        asked = questions(source, self._instructions, mask=self._mask, zone=self._zone, now=now)
        for messages in asked:
            found += offered_in(self._model.ask(messages, schema=SCHEMA).value)
        return found

    def _judge_offered(
        self, offered: Sequence[Offered], source: Source, plain: Extraction, *, now: int
    ) -> Extraction:
        evidence = Evidence(
            source=source,
            zone=self._zone,
            now=now,
            stems=self._stems,
            ruled=tuple(draft.quote for draft in plain.drafts if not draft.rule.startswith(JUDGED)),
            ask_above=self._ask_above,
            offered=tuple(offered),
        )
        rejected = [each for each in plain.rejected if each.rule in _ALWAYS_TOLD]
        drafts: dict[str, Draft] = {}
        misworded: list[str] = []  # quotes
        for each in offered:
            read = draft_from(each, evidence, self._classify(each, source, now=now))
            if isinstance(read, str):
                shown = "(withheld)" if read == "secret" else each.statement
                rejected.append(Rejected(text=" ".join(shown.split())[:SHOWN], rule=read))
                # The person's own words are kept in place of these: true statements were refused
                # because dictated speech drops 'I' and apostrophes (an allergy to gluten, the
                # employer).
                if read in _MISWORDED:
                    misworded.append(each.quote)
            elif canonical(read.statement) in drafts:
                rejected.append(Rejected(text=read.statement, rule="duplicate"))
            elif len(drafts) >= _MOST_ITEMS:
                rejected.append(Rejected(text=read.statement, rule="limit"))
            else:
                drafts[canonical(read.statement)] = read
        quotes = [draft.quote for draft in drafts.values()]
        for draft in plain.drafts:
            is_wanted = (
                draft.rule.startswith("explicit")
                or _is_grave(draft)
                or (source.is_told and _is_meant(draft.quote, misworded))
            )
            if is_wanted and not is_covered(draft.quote, quotes):
                drafts.setdefault(canonical(draft.statement), draft)
        ordered = sorted(drafts.values(), key=lambda draft: _place(draft, source.turns))
        return Extraction(drafts=tuple(ordered), rejected=tuple(rejected), read_by=self._model.name)

    def _classify(self, offered: Offered, source: Source, *, now: int) -> Draft | None:
        """Stream, category, slot and time of an offered statement, as the rules have them."""
        turns = source.turns
        turn = turns[offered.turn] if 0 <= offered.turn < len(turns) else Turn(text="")
        line = " ".join(offered.statement.split())
        said = replace(turn, text=_COMMAND + line, line=1)
        read = self._plain.extract(replace(source, turns=(said,)), now=now)
        return read.drafts[0] if len(read.drafts) == 1 else None


def _is_grave(draft: Draft) -> bool:
    """Whether a life may hang on what rules found, by sure signs."""
    return bool(draft.critical) and judgement.is_grave(
        draft.statement, judgement.tokens_of(draft.statement)
    )


def _is_meant(quote: str, misworded: Sequence[str]) -> bool:
    """Whether what rules found is what the model misworded, and talks to no assistant."""
    is_about = any(is_covered(quote, (each,)) or is_covered(each, (quote,)) for each in misworded)
    return is_about and not safety.suspicion(quote)


def _place(draft: Draft, turns: Sequence[Turn]) -> tuple[int, int]:
    if draft.turn is None or not 0 <= draft.turn < len(turns):
        return len(turns), 0
    return draft.turn, turns[draft.turn].text.find(draft.quote)


# Texts read by the language model of the person's settings; rules stand in where it fails.


NONE_SET = "no model is set ('llm.provider')"


class Reader:
    """An extractor (ports.Extractor) for the texts of one operation: the model of the person's
    settings, or the rules where there is none or it cannot be used.

    A mistake in the settings is no reason to lose a memory: it is told with the result.
    """

    name = "llm"

    def __init__(self, vault: Vault, plain: Extractor) -> None:
        self._vault = vault
        self._plain = plain
        self._by_model: Extractor | None = None

    def extract(self, source: Source, *, now: int) -> Extraction:
        """What the model finds in a text; what rules find, and why, where it does not."""
        try:
            if self._by_model is None:
                self._by_model = self._make_extractor()
            return self._by_model.extract(source, now=now)
        except (SettingsError, LocalOnlyError, DiskError, BusyError) as error:
            return replace(self._plain.extract(source, now=now), without=error.message)

    def _make_extractor(self) -> Extractor:
        """Raises SettingsError, LocalOnlyError."""
        settings = self._vault.settings
        model = models.summariser(self._vault, about="a text to remember")
        if model is None:
            raise SettingsError(NONE_SET)
        return ModelExtractor(
            model,
            self._plain,
            instructions=models.instructions("extract"),
            mask=mask_secrets,
            zone=settings.timezone,
            languages=settings.languages,
            ask_above=settings.importance_ask_above,
        )


def mask_secrets(text: str) -> str:
    """The text as it may be sent: a placeholder for each secret, whatever the vault allows."""
    return privacy.redact(text, privacy.find_secrets(text))
