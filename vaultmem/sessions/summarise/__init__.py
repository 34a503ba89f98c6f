"""One turn through a summariser that may fail: what becomes of it either way."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from vaultmem.base.errors import VaultmemError
from vaultmem.base.records import dataclass, replace
from vaultmem.judgement.whose.spans import own_words, says_nothing, spans
from vaultmem.language.text import unplaced
from vaultmem.sessions.summarise.grounding import (
    GROUNDED,
    Stem,
    keep_binding,
    keep_grounded,
    keep_spoken_of,
)
from vaultmem.sessions.summarise.reply import Summary, read_summary
from vaultmem.sessions.truth import Applied, Diff, Fact, Warned, apply_diff
from vaultmem.sessions.words import clip_words

USER_WORDS = 25
ASSISTANT_WORDS = 30
ATTEMPTS = 2  # of a reply that is malformed; one that does not come is not asked for again
CLIPPED = "summary_clipped"

Ask = Callable[[], str]
"""Asks the summariser: its reply, or a VaultmemError (timeout, refusal, no connection)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What phase 2 makes of a turn."""

    user: str  # summary, or the turn's own words where there is none
    assistant: str
    attempts: int
    is_summarised: bool
    applied: Applied  # base truth afterwards
    is_applied: bool = False  # a diff was read, and not all of it dropped
    failure: str = ""  # why there is no summary
    diff: Diff = Diff()  # as it was carried out: without what was not said
    topic: str = ""

    @property
    def warnings(self) -> tuple[Warned, ...]:
        """Everything in the diff that was not simply carried out."""
        return self.applied.warnings


def summarise(
    ask: Ask,
    facts: Sequence[Fact],
    user: str,
    assistant: str,
    *,
    stem: Stem,
    with_diff: bool = True,
    user_words: int = USER_WORDS,
    assistant_words: int = ASSISTANT_WORDS,
    least_said: float = GROUNDED,
    is_theirs: bool = True,
    earlier: str = "",
) -> Outcome:
    """Ask, once more after a malformed reply; then the raw words stand in and nothing changes.

    with_diff  False: the turn is too slight, only its summary counts
    is_theirs  False: the user's words are not the person's own, and set no hard fact
    earlier    what was said in the turn before: a short answer is understood by it
    """
    summary: Summary | None = None
    failure, attempts = "", 0
    while summary is None and attempts < ATTEMPTS:
        attempts += 1
        try:
            reply = ask()
        except VaultmemError as error:
            failure = unplaced(str(error))
            break
        summary = read_summary(reply)
        failure = "" if summary else f"the reply is not what was asked for: {reply[:120]!r}"
    if summary is None:
        said, _ = clip_words(user, user_words)
        answered, _ = clip_words(assistant, assistant_words)
        return Outcome(
            user=said,
            assistant=answered,
            attempts=attempts,
            is_summarised=False,
            applied=Applied(facts=tuple(facts)),
            failure=failure,
        )
    found = spans(user)
    own = own_words(user, found=found)  # what they pasted is summarised; it sets nothing
    if found and says_nothing(user, found):  # a removal needs no ground: pasted words are none
        kept = replace(summary.diff, remove=(), update=(), done=())
        summary = replace(summary, diff=kept)
    return finished(
        summary,
        facts,
        f"{own}\n{assistant}",
        own=own if is_theirs else "",
        stem=stem,
        with_diff=with_diff,
        attempts=attempts,
        words=(user_words, assistant_words),
        least_said=least_said,
        earlier=earlier,
        is_heard=True,
    )


def finished(
    summary: Summary,
    facts: Sequence[Fact],
    said: str,
    *,
    own: str,
    stem: Stem,
    with_diff: bool = True,
    attempts: int = 1,
    words: tuple[int, int] = (USER_WORDS, ASSISTANT_WORDS),
    least_said: float = GROUNDED,
    earlier: str = "",
    is_heard: bool = False,
) -> Outcome:
    """A summary that was read: clipped, its diff grounded and carried out.

    said  where the words of facts may come from
    own   where those of hard facts may: the person's words in the turn
    earlier   the turn before, by which a short answer is understood
    is_heard  a model gave it: what it takes away has to be spoken of as well
    """
    warned: list[Warned] = []
    texts = []
    for text, most in ((summary.user, words[0]), (summary.assistant, words[1])):
        clipped, was_longer = clip_words(text, most)
        texts.append(clipped)
        if was_longer:
            warned.append(Warned(code=CLIPPED, entry=clipped))
    applied, is_applied, diff = Applied(facts=tuple(facts)), False, Diff()
    if with_diff:
        diff, dropped = keep_grounded(
            summary.diff, facts, said, stem=stem, least=least_said, earlier=earlier
        )
        if is_heard:
            diff, unsaid = keep_spoken_of(diff, f"{said}\n{earlier}", stem=stem)
            dropped = (*dropped, *unsaid)
        diff, unbound = keep_binding(diff, own, stem=stem, least=least_said)
        applied = apply_diff(facts, diff)
        is_applied = not (diff.is_empty and dropped)
        warned = [*warned, *dropped, *unbound, *applied.warnings]
    return Outcome(
        user=texts[0],
        assistant=texts[1],
        attempts=attempts,
        is_summarised=True,
        applied=Applied(facts=applied.facts, warnings=tuple(warned)),
        is_applied=is_applied,
        diff=diff,
        topic=summary.topic,
    )
