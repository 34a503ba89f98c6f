"""Candidates for rules that the language model of the person's settings proposes; nothing is kept.

They are shown with the person's words for them. What is right the person says once more, or with
`remember --kind rule`: no word of a model becomes a rule.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.base.errors import SettingsError
from vaultmem.extract.model.drafting import masked
from vaultmem.learn.conversations import conversations
from vaultmem.learn.proposed import SCHEMA, Proposed, candidates_in, question, turns_of
from vaultmem.learn.rule_notes import rule_items, rule_of
from vaultmem.model.jobs import Evidence, LearnedRule, RuleProposals
from vaultmem.models.roles import instructions, summariser
from vaultmem.vault import level

if TYPE_CHECKING:
    from vaultmem.vault.vault import Parts

MOST = 20
NEEDS_A_MODEL = "proposing rules needs a language model, and none is set ('llm.provider')"


def propose(parts: Parts) -> RuleProposals:
    """What the model finds in the newest conversations, past the guards.

    raises  SettingsError, LocalOnlyError where no model can be asked; LLMError where its reply
            cannot be used
    """
    model = summariser(parts, about="what was said in conversations")
    if model is None:
        raise SettingsError(NEEDS_A_MODEL, hint="see `vaultmem help llm`")
    now = parts.clock.now()

    talks = level.reading(parts, lambda: conversations(parts))
    items = level.reading(parts, lambda: rule_items(parts))
    turns = turns_of([talk.session for talk in talks])
    if not turns:
        return RuleProposals()
    rules = [rule for item in items.values() if (rule := rule_of(item, now=now)) is not None]
    zone = parts.settings.timezone
    messages = question(turns, instructions("rules"), most=MOST, mask=masked, zone=zone)
    reply = model.ask(messages, schema=SCHEMA).value
    found, rejected = candidates_in(reply, turns, rules, most=MOST)
    return RuleProposals(
        rules=tuple(_told(each) for each in found), rejected=rejected, turns=len(turns)
    )


def _told(each: Proposed) -> LearnedRule:
    return LearnedRule(
        id="",
        path=None,
        category=each.category,
        statement=each.statement,
        polarity="",
        scope="",
        confidence=0.0,
        status="proposed",
        sessions=len({said.session for said, _ in each.quotes}),
        against=0,
        last_reinforced=max((s.at for s, _ in each.quotes if s.at is not None), default=None),
        evidence=tuple(
            Evidence(session=said.session, path=None, at=said.at, quote=words)
            for said, words in each.quotes
        ),
    )
