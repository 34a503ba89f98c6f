"""A turn in short without any summariser: its own sentences, the most telling ones first."""

from __future__ import annotations

import re
from collections.abc import Collection

from vaultmem.language.stems import content_words
from vaultmem.language.text import sentences
from vaultmem.sessions.route import has_cue
from vaultmem.sessions.words import FENCE, clip_words, closes, count_words

_GREETING = re.compile(
    r"(?:hi|hello|hey|thanks|thank you|ok|okay|sure|great|good (?:morning|evening)|of course|"
    r"certainly|absolutely|got it|perfect|nice)\b[^.!?]{0,30}[.!?]*$",
    re.IGNORECASE,
)
_TELLING_WORDS = 2  # of content: "use SQLite" has them
_EARLY = 0.25  # of a message: what comes first is what it is about


def in_short(text: str, most_words: int, *, stated: Collection[str] = ()) -> str:
    """At most so many words of a message: its telling sentences, in their order.

    stated  sentences that say something durable; they come before all others
    Code is named, not quoted. '' for an empty message.
    """
    prose, blocks = without_code(text)
    found = [line for line in sentences(prose) if count_words(line)]
    told = [line for line in found if not _GREETING.match(line.strip())] or found
    ranked = sorted(
        range(len(told)),
        key=lambda n: (
            not any(told[n].strip() in each or each in told[n] for each in stated),
            not has_cue(told[n]),
            n > _EARLY * len(told),
            n,
        ),
    )
    left = most_words
    chosen: list[int] = []
    for n in ranked:
        words = count_words(told[n])
        if words > left and chosen:
            continue
        chosen.append(n)
        left -= words
        if left <= 0:
            break
    line, _ = clip_words(" ".join(told[n].strip() for n in sorted(chosen)), most_words)
    if blocks and most_words - count_words(line) >= count_words(_named(blocks)):
        line = f"{line} {_named(blocks)}".strip()
    return line


def says_something(text: str, *, least: int = _TELLING_WORDS) -> bool:
    """Whether a sentence may state a thing: no question, no greeting, more than a word.

    least  words of content: for a model one is enough ('Tuesday.', 'OK, with Mollie.'), and it
           tells a greeting by itself
    """
    return any(
        not line.rstrip().endswith("?")
        and (least < _TELLING_WORDS or not _GREETING.match(line.strip()))
        and len(set(content_words(line))) >= least
        for line in sentences(without_code(text)[0])
    )


def without_code(text: str) -> tuple[str, list[tuple[str, int]]]:
    """The text without its fenced blocks, and (language, lines) of each."""
    prose: list[str] = []
    blocks: list[tuple[str, int]] = []
    fence = ""
    for line in text.splitlines():
        opening = None if fence else FENCE.match(line)
        if opening is not None:
            fence = opening[1]
            blocks.append((opening[2].split()[0] if opening[2] else "", 0))
        elif fence and closes(line, fence):
            fence = ""
            prose.append("")
        elif fence:
            blocks[-1] = (blocks[-1][0], blocks[-1][1] + 1)
        else:
            prose.append(line)
    return "\n".join(prose), blocks


def _named(blocks: list[tuple[str, int]]) -> str:
    shown = ", ".join(f"{language or 'code'} {lines} lines" for language, lines in blocks[:2])
    return f"[{shown}{', more' if len(blocks) > 2 else ''}]"
