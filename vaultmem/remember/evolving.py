"""A category's summary rewritten by a model, and the guards that a new one has to pass.

Never-forgets has the model overwrite a summary; algorithms 7.1 adds what has to hold for it: each
sentence is borne out by statements that hold now, and nothing else disappears. A sentence carries
the statements that it is made of, so that it goes when one of them does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256

from vaultmem.base.records import dataclass, field
from vaultmem.extract.judge import is_secret
from vaultmem.extract.model.asking import is_supported, is_turned_round, statement_in
from vaultmem.language.stems import Stems, content_words
from vaultmem.model.talks.messages import Message, with_day

LOST = 0.2  # share of the old summary's content words that may go, at most (algorithms 7.1)
MOST_SENTENCES = 12
_LONGEST_SENTENCE = 300  # characters
_MOST_STATEMENTS = 100
_FEWEST = 3  # statements that are worth a summary: of fewer, the list is one

SCHEMA = {
    "type": "object",
    "properties": {
        "sentences": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "text": {"type": "string"},
                    "statements": {"type": "array", "items": {"type": "integer"}},
                },
                "required": ["text", "statements"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["sentences"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence of a summary, and the statements (by their targets) that bear it out."""

    text: str
    targets: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A category as it is: its summary, and its statements that hold now."""

    name: str
    summary: tuple[Sentence, ...]
    statements: tuple[tuple[str, str], ...]  # (statement, target), newest first
    today: str = ""  # YYYY-MM-DD
    days: Mapping[str, str] = field(default_factory=dict)  # by target, from when it holds

    @property
    def is_worth_it(self) -> bool:
        """Whether there is more to say than a list of one or two lines says."""
        return len(self.statements) >= _FEWEST


def question(
    topic: Topic, instructions: str, *, mask: Callable[[str], str]
) -> tuple[Message, Message]:
    """What the model is asked; `mask` takes out what nobody elsewhere may read."""
    was = "\n".join(sentence.text for sentence in topic.summary) or "(none yet)"
    numbered = enumerate(topic.statements[:_MOST_STATEMENTS], start=1)
    now = "\n".join(
        f"[{number}] {with_day(statement, topic.days.get(target, ''))}"
        for number, (statement, target) in numbered
    )
    head = f"Topic: {topic.name}\n" + (f"Today: {topic.today}\n" if topic.today else "")
    text = mask(f"{head}\nThe summary as it was:\n{was}\n\nStatements:\n{now}")
    mark = sha256(text.encode("utf-8", "replace")).hexdigest()[:12]
    asked = f"<<<TOPIC {mark}\n{text}\nTOPIC {mark}>>>\nWrite the summary as it should be now."
    return Message(role="system", text=instructions), Message(role="user", text=asked)


def summary_in(value: object, topic: Topic, stems: Stems) -> tuple[Sentence, ...] | str:
    """The sentences of a reply that fits SCHEMA, or why it is not used; nothing of it is believed.

    One sentence that is not borne out spoils the reply: what else a model made up there, nobody
    can tell.
    """
    rows = value.get("sentences", ()) if isinstance(value, dict) else ()
    if not 0 < len(rows) <= MOST_SENTENCES:
        return f"it has {len(rows)} sentences"
    known = topic.statements[:_MOST_STATEMENTS]
    found = []
    for row in rows:
        text = statement_in(row["text"])
        numbers = list(dict.fromkeys(row["statements"]))
        if not numbers or not all(1 <= number <= len(known) for number in numbers):
            return f"a sentence is made of no statement: {_shown(text)}"
        cited = [known[number - 1] for number in numbers]
        refused = _refused(text, [statement for statement, _ in cited], stems)
        if refused:
            return f"{refused}: {_shown(text)}"
        found.append(Sentence(text=text, targets=tuple(target for _, target in cited)))
    lost = share_lost(topic, found, stems)
    return f"it loses {lost:.0%} of what the summary said" if lost >= LOST else tuple(found)


def share_lost(topic: Topic, after: Iterable[Sentence], stems: Stems) -> float:
    """The share of the old summary's content words that the new one has not, 0..1.

    Of the old one count the sentences whose statements all hold still: what else it said may go.
    """
    holding = {target for _, target in topic.statements}
    said = " ".join(each.text for each in topic.summary if holding.issuperset(each.targets))
    before = {stems(word) for word in content_words(said)}
    now = {stems(word) for each in after for word in content_words(each.text)}
    return len(before - now) / len(before) if before else 0.0


def _refused(text: str, statements: Sequence[str], stems: Stems) -> str:
    if not text or len(text) > _LONGEST_SENTENCE:
        return "a sentence is empty or too long"
    if "[[" in text or "<!--" in text or is_secret(text):
        return "a sentence holds what no summary may"
    together = "\n".join(statements)
    if not is_supported(text, together, stems):
        return "a sentence says what its statements do not"
    return "a sentence turns round what is said" if is_turned_round(text, together) else ""


def _shown(text: str) -> str:
    return f"'{text[:80]}'"
