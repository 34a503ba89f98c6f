"""What a conversation is about just now: the words that weigh most in its last turns."""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem.language.stems import content_words

TERMS = 5
TURNS = 5
FADING = 0.8  # of a word's weight with each turn


def focus(
    user_texts: Sequence[str], *, terms: int = TERMS, turns: int = TURNS
) -> tuple[tuple[str, float], ...]:
    """The heaviest content words of the person's last turns (oldest first), with their weights.

    A word weighs 0.8^age once for each turn that has it. Ties: in the order of the alphabet.
    """
    weights: dict[str, float] = {}
    for age, text in enumerate(reversed(user_texts[-turns:] if turns else ())):
        for word in dict.fromkeys(content_words(text)):
            if len(word) > 1:
                weights[word] = weights.get(word, 0.0) + FADING**age
    ranked = sorted(weights.items(), key=lambda each: (-each[1], each[0]))
    return tuple(ranked[:terms])
