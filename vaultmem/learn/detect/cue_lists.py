"""The cue lists, one file a language: how people there say what they want.

A further language is a further file in `cues/`; nothing else names languages.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from vaultmem.base import Any, dataclass

DEFAULT = "en"
_WORD = re.compile(r"[^\W\d_]+")
_NEVER = re.compile(r"(?!)")
_TRIED = ("insist", "own", "forms", "reject")  # lists whose expressions are tried in order
_WORD_LISTS = ("stop_words", "negations", "antonyms", "opposites")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """A way to say something; what follows it is the value, or its group `value`."""

    pattern: re.Pattern[str]
    polarity: str = "prefer"
    own: bool = False  # it holds its own subject; else it has to begin a clause
    negated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """The cues of a detector, and its other lists, each as one pattern."""

    cues: tuple[Cue, ...]
    lists: Mapping[str, re.Pattern[str]]

    def may_hold(self, text: str) -> bool:
        """Whether the text has a word without which there is no cue; a cheap look."""
        triggers = self.lists.get("triggers")
        return triggers is None or triggers.search(text) is not None

    def has(self, name: str, text: str) -> bool:
        """Whether the text shows one of the list's expressions."""
        return self.lists.get(name, _NEVER).search(text) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """One language's cues, ready to be searched for in folded text."""

    name: str
    function_words: frozenset[str]
    articles: frozenset[str]
    stop_words: frozenset[str]
    negations: frozenset[str]
    denial: str  # how 'not' is said between two things
    antonyms: tuple[frozenset[str], ...]
    preference: Section
    decision: Section
    correction: Section
    doubt: Section
    profile: Section
    claims: Section
    opposites: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]  # what is claimed, what happens


@cache
def load(name: str) -> Language:
    """The language of that file; raises FileNotFoundError where there is none."""
    import tomllib

    text = (files(__package__) / "cues" / f"{name}.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    parts: Mapping[str, str] = data.get("parts", {})
    return Language(
        name=name,
        function_words=frozenset(data["function_words"].split()),
        articles=frozenset(data["articles"].split()),
        stop_words=frozenset(data["doubt"].get("stop_words", "").split()),
        negations=frozenset(data["doubt"]["negations"].split()),
        denial=data["doubt"]["negations"].split()[0],
        antonyms=tuple(frozenset(pair) for pair in data["doubt"].get("antonyms", ())),
        preference=_section(data.get("preference", {}), parts),
        decision=_section(data.get("decision", {}), parts),
        correction=_section(data.get("correction", {}), parts),
        doubt=_section(data["doubt"], parts),
        profile=_section(data.get("profile", {}), parts),
        claims=_section(data.get("claims", {}), parts),
        opposites=tuple(
            (_compile(claimed, parts), _compile(happens, parts))
            for claimed, happens in data.get("claims", {}).get("opposites", ())
        ),
    )


@cache
def known_languages() -> tuple[str, ...]:
    """Names of all languages, the default first, then by name."""
    names = [file.name[:-5] for file in (files(__package__) / "cues").iterdir()]
    return tuple(sorted(names, key=lambda name: (name != DEFAULT, name)))


def spoken_in(text: str) -> Language:
    """The language of a text by its small words; the default where none leads."""
    words = _WORD.findall(text[:2000].casefold())
    counted = {
        name: sum(word in load(name).function_words for word in words) for name in known_languages()
    }
    best = max(known_languages(), key=lambda name: (counted[name], name == DEFAULT))
    return load(best)


def _section(data: Mapping[str, Any], parts: Mapping[str, str]) -> Section:
    cues = tuple(
        Cue(
            pattern=_compile(cue["pattern"], parts),
            polarity=cue.get("polarity", "prefer"),
            own=cue.get("own", False),
            negated=cue.get("negated", False),
        )
        for cue in data.get("cues", ())
    )
    lists = {
        name: _compile(listed if isinstance(listed, str) else "|".join(listed), parts)
        for name, listed in data.items()
        if name not in ("cues", *_TRIED, *_WORD_LISTS)
    }
    for name in _TRIED:
        for number, pattern in enumerate(data.get(name, ())):
            lists[f"{name}.{number}"] = _compile(pattern, parts)
    return Section(cues=cues, lists=lists)


def _compile(pattern: str, parts: Mapping[str, str]) -> re.Pattern[str]:
    for name, part in parts.items():
        pattern = pattern.replace("{" + name + "}", part)
    return re.compile(pattern)
