"""The cue phrases that speak for a preference, a decision, a fact, a task: `cues.txt`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from vaultmem.extract.cues.lexicon import LISTS
from vaultmem.extract.cues.phrase_patterns import CueTable, read_cues
from vaultmem.language import phrases, vocabulary, word_list

_TOPIC = "topic "
STATED = ("preferences", "decisions", "tasks", "facts", "events")


def _cues(*sections: str) -> CueTable:
    told = phrases("cues")
    return read_cues("\n".join(line for each in sections for line in told[each]), LISTS)


@lru_cache(maxsize=1)
def statement_cues() -> CueTable:
    """Cues of what a person states: preferences, decisions, tasks, facts, events, beliefs."""
    return _cues(*STATED)


@lru_cache(maxsize=1)
def assistant_cues() -> CueTable:
    """What an assistant may state: an agreement, or a date that it has set."""
    return _cues("assistant")


@lru_cache(maxsize=1)
def explicit_cues() -> CueTable:
    """'Remember that ...': the person's own command to keep a sentence."""
    return _cues("explicit")


# Topics and the words that speak for them; the slugs are those of category notes.

_TOPIC_WORDS = {
    title.removeprefix(_TOPIC): words
    for title, words in vocabulary("cues").items()
    if title.startswith(_TOPIC)
}

TOPICS = (*_TOPIC_WORDS, "preferences", "general")
"""Slugs in the order that settles ties."""


@lru_cache(maxsize=1)
def topics_by_word() -> Mapping[str, tuple[str, ...]]:
    """The topics that each word speaks for, in the order of TOPICS."""
    found: dict[str, tuple[str, ...]] = {}
    for topic, listed in _TOPIC_WORDS.items():
        for word in word_list(listed):
            found[word] = (*found.get(word, ()), topic)
    return found
