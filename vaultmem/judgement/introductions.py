"""How people bring in words that are not their own, from packed lists of words by language.

A further language is a further file in `whose/`; nothing else names languages. What is read is
`cues.packed`, made of them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from vaultmem.base import Any, dataclass, late

# --- packed lists of words ---

# The lists are TOML (`aspects.toml`, `whose/*.toml`). To read, fold and sort them took 25 ms of a
# cold `remember`; this takes 1. `python -m tests.bench.judgement.packing` makes the files anew, and
# a test says when that was forgotten.
FOLDER = Path(__file__).parent
HEADER = "# Made by tests/bench/judgement/packing.py; edit the TOML instead.\n"


@cache
def read_packed(name: str) -> dict[str, dict[str, str]]:
    """The file `NAME.packed`: a section of lines `key=value` under each `[section]`."""
    # Packed beforehand: reading, folding and sorting the lists took 19 ms of every cold `remember`,
    # tomllib 4 more, and these lines take 1.
    text = (FOLDER / f"{name}.packed").read_text(encoding="utf-8")
    found = {}
    for section in text.split("\n[")[1:]:
        title, _, lines = section.partition("]\n")
        rows = (line.partition("=") for line in lines.rstrip("\n").split("\n"))
        found[title] = {key: value for key, _, value in rows}
    return found


MARKS = "marks."  # before a kind of text, of what shows it
_TOKEN = late(r"[^\W_]+(?:[-.][^\W_]+)*(?:['’][^\W_]+)*['’]?|,")
# Little words that lose their vowel before the next word: there are two of them.
_ELIDED = frozenset(["l", "d", "qu", "dell", "all", "nell", "dall", "sull"])
_WORDS_OF = (
    "me te lhe nos se moi toi tu je il elle vous nous on ce",
    (
        "say write i who mine me to by got this that nouns personal label label_perhaps work "
        "work_perhaps turn fiction make header_from header roles"
    ),
    (
        "have own remember about here following above ask play checks aside resume forwarded "
        "greet greet_perhaps diary close close_perhaps"
    ),
)
_CLITICS, WORDS, PHRASES = (tuple(line.split()) for line in _WORDS_OF)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cues:
    """One language's words (folded) and phrases (folded, between spaces); see whose/en.toml."""

    name: str
    say: frozenset[str]
    write: frozenset[str]
    i: frozenset[str]
    who: frozenset[str]
    mine: frozenset[str]
    me: frozenset[str]
    to: frozenset[str]
    by: frozenset[str]
    got: frozenset[str]
    this: frozenset[str]
    that: frozenset[str]
    nouns: frozenset[str]
    personal: frozenset[str]
    label: frozenset[str]
    label_perhaps: frozenset[str]
    work: frozenset[str]
    work_perhaps: frozenset[str]
    turn: frozenset[str]
    fiction: frozenset[str]
    make: frozenset[str]
    header_from: frozenset[str]
    header: frozenset[str]
    roles: frozenset[str]
    have: tuple[str, ...]
    own: tuple[str, ...]
    remember: tuple[str, ...]
    about: tuple[str, ...]
    here: tuple[str, ...]
    following: tuple[str, ...]
    above: tuple[str, ...]
    ask: tuple[str, ...]
    ask_words: frozenset[str]
    play: tuple[str, ...]
    checks: tuple[str, ...]
    aside: tuple[str, ...]
    resume: tuple[str, ...]
    forwarded: tuple[str, ...]
    greet: tuple[str, ...]
    greet_perhaps: tuple[str, ...]
    diary: tuple[str, ...]
    close: tuple[str, ...]
    close_perhaps: tuple[str, ...]
    marks: tuple[tuple[str, tuple[str, ...]], ...]  # kind of a text, what shows it
    vocabulary: frozenset[str]


def fold_accents(text: str) -> str:
    """Lower case without accents: 'Größe' and 'grosse' are one word."""
    text = text.casefold()
    if text.isascii():
        return text
    parted = unicodedata.normalize("NFKD", text)
    return "".join(each for each in parted if not unicodedata.combining(each))


def words_of(text: str) -> list[str]:
    """Folded words and commas; "I'm" is 'im', "l'histoire" is 'l', 'histoire', "Bob's" has "'s"."""
    found: list[str] = []
    for token in _TOKEN.findall(text):
        word = fold_accents(token).replace("’", "'")
        verb, hyphen, clitic = word.rpartition("-")
        if hyphen and clitic in _CLITICS:  # 'escreveu-me', 'peux-tu'
            found.append(verb.replace("'", ""))
            word = clitic
        head, mark, tail = word.partition("'")
        if mark and head in _ELIDED and tail:
            found += [head, tail.replace("'", "")]
        elif word.endswith(("'s", "s'")) and len(head) > 2:  # "it's", "he's" own nothing
            found += [head, "'s"]
        else:
            found.append(word.replace("'", ""))
    return found


def pad_words(words: Sequence[str]) -> str:
    """Words between spaces, in which a phrase is looked for."""
    return f" {' '.join(words)} "


@cache
def languages() -> tuple[Cues, ...]:
    """All languages, by name."""
    return tuple(_read(name, told) for name, told in read_packed("cues").items())


@cache
def openers() -> frozenset[str]:
    """Words of which a lead has one that ends in no colon."""
    return frozenset(
        word
        for each in languages()
        for word in (
            *each.work,
            *each.work_perhaps,
            *each.make,
            *each.turn,
            *(w for phrase in (*each.play, *each.here, *each.checks) for w in phrase.split()),
        )
    )


def spoken_in(words: Sequence[str]) -> tuple[Cues, ...]:
    """The languages that know most of these words; several where they know as many."""
    scored = [(sum(word in each.vocabulary for word in words), each) for each in languages()]
    best = max(score for score, _ in scored)
    return tuple(each for score, each in scored if score == best) if best else ()


def _read(name: str, told: dict[str, str]) -> Cues:
    words = {key: frozenset(told[key].split()) for key in (*WORDS, "ask_words", "vocabulary")}
    phrases = {
        key: tuple([f" {phrase} " for phrase in told[key].split("|")]) if told[key] else ()
        for key in PHRASES
    }
    marks = tuple(
        (key.removeprefix(MARKS), tuple(told[key].split("|")))
        for key in told
        if key.startswith(MARKS)
    )
    read: dict[str, Any] = {**words, **phrases}
    return Cues(name=name, **read, marks=marks)
