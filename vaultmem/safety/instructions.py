"""Whether a text talks to an assistant, or hides words from the person who reads it.

For text from outside only: what a person types is taken as it is. Judged on a normalised copy
(entities decoded, NFKC, invisible characters out, look-alike letters as Latin ones), in time
linear in the length of the text. It nominates for review and never deletes: what it misses is
still labelled with where it came from (docs/trust.md).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from vaultmem.base import NamedTuple, Needing, late
from vaultmem.language import languages_of, phrases
from vaultmem.safety.stuffing import repeated_word

# What a text says that talks to an assistant instead of a reader: `instructions.txt` by language.
#
# Pure.

_SAID = tuple(phrases("instructions", each) for each in languages_of("instructions"))


def _all(section: str) -> tuple[str, ...]:
    return tuple(line for said in _SAID for line in said[section])


def _later(said: Mapping[str, tuple[str, ...]]) -> str:
    """When something is asked, and after the comma, what to answer: not 'he said', an order."""
    beginning, asked, order = ("|".join(said[f"later {part}"]) for part in _PARTS)
    return (
        rf"\b(?:{beginning})\b[^.!?\n]{{0,40}}?\b(?:{asked})\b[^.!?\n]{{0,100}}?[,:][ \t]{{0,3}}"
        rf"(?:{order})\b"
    )


_PARTS = ("beginning", "asked", "order")
CUES = _all("cues")
REQUESTS = _all("requests")
PHRASES = _all("phrases")
SAYING = tuple(word for line in _all("saying") for word in line.split())
_BEGINS = r"(?:^|[.!?\n\"*>#(])[ \t]{0,3}"
AUTHORITY = (*(_BEGINS + each for each in _all("authority")), *_all("authority inside"))
FOR_LATER = tuple(_later(said) for said in _SAID if said["later order"])


SHOWN = 60  # characters of what was found that a reason quotes
_MOST_COMMENT = 20_000

# Letters of other alphabets that look like a Latin one.
_ALIKE = str.maketrans(
    "асеорхуіјѕһԁԛԝѵкмтвнАВЕКМНОРСТХУІЈЅαοορνιτυκΑΒΕΖΗΙΚΜΝΟΡΤΥΧɑɡıⅼ",
    "aceopxyijshdqwvkmtbhABEKMHOPCTXYIJSaoopvitukABEZHIKMNOPTYXagil",
)
_LATIN_BESIDE = late(r"[A-Za-z](?=[\u0370-\u03ff\u0400-\u052f])|[\u0370-\u052f](?=[A-Za-z])")
_WORD = late(r"[^\W_]+")
_MIXED_LEAST = 4  # letters of a word: 'μm' and 'Δt' are units and formulas

# Nothing is shown for these, wherever they stand.
_INVISIBLE = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff"
)
_UNSEEN = late(f"[{_INVISIBLE}\u29b8]")  # with the mark of `inert`
_ZERO = "\u00ad\u180e\u200b-\u200f\u2060-\u2064\ufeff\u115f\u1160\u3164\uffa0\u034f"
# A text of plain ASCII has none of these.
_HIDING_SIGNS = (
    (late(f"[{_ZERO}]{{2,}}"), "invisible characters"),
    (late("(?<=[A-Za-z])[\u180e\u200b\u200e\u200f\u2060-\u2064\ufeff](?=[A-Za-z])"),
     "invisible characters within a word"),
    (late("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{3,}"), "a run of variation selectors"),
    (late("(?<![\U0001f3f4\U000e0020-\U000e007e])[\U000e0000-\U000e007f]+"),
     "tag characters"),
    (late("[\u202d\u202e]"), "characters that turn the direction of writing"),
)  # fmt: skip
_HIDING = (
    (Needing(rf"%%[^%\w]{{0,100}}\w[^%]{{0,{_MOST_COMMENT}}}%%", 0, ["%%"]),
     "an Obsidian comment"),
    (Needing(r"^[ ]{0,3}\[(?://|comment|_)\]:[ \t]*\S.{0,2000}", re.MULTILINE | re.IGNORECASE,
             ["]:"]), "a Markdown comment"),
    (Needing(
        r"<[a-z][a-z0-9]{0,20}\b[^<>]{0,400}(?:display\s{0,5}:\s{0,5}none|visibility\s{0,5}:\s{0,5}"
        r"hidden|font-size\s{0,5}:\s{0,5}0|opacity\s{0,5}:\s{0,5}0(?![.\d])|\shidden\b)",
        re.IGNORECASE, ["<"]), "text that is styled away"),
)  # fmt: skip
_FLAG = late("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,6}\U000e007f")
_EMBEDDING = late("[\u202a\u202b\u2066-\u2068]")

_SHAPES = (
    (Needing(r"<\|\s?[a-z_]{2,30}\s?\|>", 0, ["<|"]), "a role tag"),
    (Needing(r"</?(?:system|assistant|instructions?|system[-_ ]prompt|tool_(?:call|use|result|"
             r"response)|function_(?:calls?|results?)|antml:[a-z_]{1,30})\b[^<>]{0,200}>",
             0, ["<"]), "a role tag"),
    (Needing(r"\[/?(?:inst|sys|system|assistant)\]|<</?sys>>", 0, ["[", "<<"]), "a role tag"),
    (Needing(r"^[ \t>*#]{0,8}(?:system|developer)[ _-](?:prompt|message|instructions?)\b"
             r"[* \t]{0,4}:", re.MULTILINE, [":"]), "a system prompt"),
    (Needing(r"^[ \t>*]{0,8}#{0,6} ?(?:system|assistant|instructions?)[* \t]{0,4}:(?=[^\n]{0,80}"
             r"\b(?:you|your|always|never|must|ignore)\b)", re.MULTILINE, [":"]),
     "a system prompt"),
    (Needing(r"^#{1,6} ?(?:system|assistant|instruction|human)[ \t]{0,4}:[ \t]{0,4}$",
             re.MULTILINE, ["#"]), "a role tag"),
    (Needing(r'"(?:tool_calls?|function_call|tool_use)"\s{0,9}:', 0, ['"']), "a tool call"),
    (Needing(r'\{\s{0,40}"name"\s{0,9}:\s{0,9}"[^"\n]{1,80}"\s{0,9},\s{0,40}"(?:arguments|'
                r'parameters|input)"\s{0,9}:', 0, ['"name"']), "a tool call"),
    (Needing(r"<function=[a-z_]|```[ \t]{0,3}tool_(?:code|call)", 0, ["<", "```"]),
     "a tool call"),
    *((Needing(each, re.MULTILINE, [*":!–—-"]), "a claim of authority") for each in AUTHORITY),
    *((Needing(each, 0, [",", ":"]), "an answer laid down beforehand") for each in FOR_LATER),
)  # fmt: skip
# Words between an address and the next one are few: '@' before it, its own words after it.
_ADDRESS = late(
    r"[\w.+-]{1,64}@[\w-]{1,63}\.\w|https?://|\bwww\.\w|"
    r"\b[a-z0-9-]{1,63}\.(?:[a-z0-9-]{1,63}\.){0,3}(?:com|net|org|io|ru|cn|info|biz|"
    r"xyz|site|top|app|dev|me|example|online|link|click)\b"
)
_LONG_NUMBER = late(r"(?:\d[ .-]?){8}")
_MOST_MARK = 30  # words of a comment that a tool leaves
_TOKEN = late(r"[^\W_]+|@")
_ELIDED = late(r"\b(?:[cdjlmnst]|qu|lorsqu|jusqu)['’](?=\w)")


class Hidden(NamedTuple):
    """Where a text hides something, and how."""

    start: int
    end: int
    how: str


def reads_as_instruction(text: str) -> str:
    """Why the text seems to talk to an assistant, or to a search, with the words that do; '' when
    it does not."""
    shaped = normalise(text)
    for pattern, what in _SHAPES:
        found = pattern.search(shaped)
        if found:
            return f"holds {what}: {_excerpt(found.group())}"
    phrase = next((each for each in PHRASES if each in shaped), "")
    cue = phrase or _cue(_TOKEN.findall(_with_addresses(shaped)))
    if cue:
        return f"reads as an instruction: {_excerpt(cue)}"
    word = repeated_word(shaped)
    return f"is stuffed with one word: {_excerpt(word)}" if word else ""


def _with_addresses(shaped: str) -> str:
    """The text with one '@' before each address and none within it, without apostrophes."""
    if "'" in shaped or "’" in shaped:
        shaped = _ELIDED.sub("", shaped).replace("'", "").replace("’", "")
    # A pattern is sought where the text has a mark that it needs: a judged sentence alone compiled
    # 28 of them.
    if "." not in shaped.rstrip(". \t\n") and "://" not in shaped:
        return shaped.replace("@", " ")
    return (
        _ADDRESS.sub(lambda found: "\0 " + found.group(), shaped)
        .replace("@", " ")
        .replace("\0", "@")
    )


def find_hidden(text: str) -> Iterator[Hidden]:
    """Where the text hides words from a reader, in no particular order."""
    is_plain = text.isascii()
    bare = text
    if not is_plain:
        bare = _FLAG.sub(lambda flag: "\U0001f3f4" + "." * (len(flag.group()) - 1), text)
    for start, end in _html_comments(bare):
        yield Hidden(start, end, "an HTML comment")
    for pattern, how in _HIDING if is_plain else (*_HIDING_SIGNS, *_HIDING):
        for found in pattern.finditer(bare):
            # Of 377 real notes 38 were held, nearly all for the comment of a tool; with this look
            # one is.
            if not how.endswith("comment") or _says_something(found.group()):
                yield Hidden(found.start(), found.end(), how)
    if not any(unicodedata.bidirectional(c) in ("R", "AL") for c in _not_ascii(bare)):
        for found in _EMBEDDING.finditer(bare):
            yield Hidden(
                found.start(), found.end(), "characters that turn the direction of writing"
            )
    if bare.isascii() or not _LATIN_BESIDE.search(bare):
        return
    for found in _WORD.finditer(bare):
        word = found.group()
        if len(word) >= _MIXED_LEAST and not word.isascii() and _is_disguised(word):
            yield Hidden(found.start(), found.end(), f"look-alike letters in '{word[:SHOWN]}'")


def _html_comments(text: str) -> Iterator[tuple[int, int]]:
    """HTML comments with words in them; one without an end goes to the end of the text."""
    start = text.find("<!--")
    while start >= 0:
        end = text.find("-->", start + 4)
        end = end + 3 if end >= 0 else len(text)
        if _says_something(text[start + 4 : end]):
            yield start, end
        start = text.find("<!--", end)


def _says_something(comment: str) -> bool:
    """Whether a comment is more than the mark of a tool: it addresses somebody, names a number,
    an address or a secret, is in a script that tools do not use, or goes on for long."""
    if not comment.isascii() and any(c.isalpha() and c > "\u024f" for c in comment):
        return True
    shaped = normalise(comment)
    words = _TOKEN.findall(_with_addresses(shaped))
    return (
        len(words) > _MOST_MARK
        or _LONG_NUMBER.search(shaped) is not None
        or any(word == "@" or word.startswith(SAYING) for word in words)
    )


def _is_disguised(word: str) -> bool:
    """Whether a word mixes Latin letters with others that only look like them."""
    return _LATIN_BESIDE.search(word) is not None and word.translate(_ALIKE).isascii()


def suspicion(text: str) -> str:
    """Why a person should look at a text from outside first; '' when nothing speaks against it."""
    concealed = next(find_hidden(text), None)
    if concealed is not None:
        return f"hides {concealed.how}"
    return reads_as_instruction(text)


def normalise(text: str) -> str:
    """The text as cues are looked for: folded, without what is not seen, entities decoded."""
    if "&" in text:
        from html import unescape

        text = unescape(text)
    bare = text if text.isascii() else unicodedata.normalize("NFKC", _UNSEEN.sub("", text))
    if not bare.isascii() and _LATIN_BESIDE.search(bare):
        bare = _WORD.sub(_unmix, bare)
    return bare.casefold()


def _unmix(word: re.Match[str]) -> str:
    text = word.group()
    return text.translate(_ALIKE) if _LATIN_BESIDE.search(text) else text


def _not_ascii(text: str) -> Iterator[str]:
    return (c for c in text if c > "\x7f") if not text.isascii() else iter(())


def _excerpt(found: str) -> str:
    flat = " ".join(found.split())
    return f"'{flat[:SHOWN]}'"


# --- cues ------------------------------------------------------------------------------------


class _Step(NamedTuple):
    words: frozenset[str]
    stems: tuple[str, ...]  # beginnings
    gap: int  # most words before it


class _Cue(NamedTuple):
    steps: tuple[_Step, ...]  # after the first word
    not_after: frozenset[str]

    def may_be_in(self, present: frozenset[str]) -> bool:
        """Whether a text of these words may hold all steps."""
        return all(step.stems or not step.words.isdisjoint(present) for step in self.steps)


@cache
def _lines() -> Mapping[str, Sequence[str]]:
    """Cues as they are written, by each of their first words."""
    found: dict[str, list[str]] = {}
    for line in (*CUES, *REQUESTS):
        first, _, rest = line.partition(" ")
        if first[0] == "-":
            first = rest.partition(" ")[0]
        for word in first.split("|"):
            found.setdefault(word, []).append(line)
    return found


@cache
def _read(line: str) -> _Cue:
    """A cue, read when a text has one of its first words: few texts have many of them."""
    tokens = line.split()
    not_after: frozenset[str] = frozenset()
    if tokens[0].startswith("-"):
        not_after = frozenset(tokens.pop(0)[1:].split("|"))
    steps, gap = [], 0
    for token in tokens[1:]:
        if token.startswith("~"):
            gap = int(token[1:])
            continue
        words = token.split("|")
        steps.append(
            _Step(
                words=frozenset(word for word in words if not word.endswith("*")),
                stems=tuple(word[:-1] for word in words if word.endswith("*")),
                gap=gap,
            )
        )
        gap = 0
    return _Cue(tuple(steps), not_after)


def _cue(words: Sequence[str]) -> str:
    """The words of the first cue that the text holds; '' when there is none."""
    present = frozenset(words)
    # A text of one word a million times is not tried at every place for cues it cannot hold.
    # Only cues whose first word is there are read: each cold `remember` of a judged sentence
    # compiled 28 patterns and made 3,900 parts of cues, 131 of 757 ms under a profiler.
    cues = {
        first: possible
        for first in _lines().keys() & present
        if (
            possible := [cue for line in _lines()[first] if (cue := _read(line)).may_be_in(present)]
        )
    }
    for place, word in enumerate(words):
        for cue in cues.get(word, ()):
            if place and words[place - 1] in cue.not_after:
                continue
            end = _end(words, place + 1, cue.steps)
            if end:
                return " ".join(words[place:end])
    return ""


def _end(words: Sequence[str], place: int, steps: Sequence[_Step]) -> int:
    """Where the steps end that begin at a place; 0: they do not fit."""
    if not steps:
        return place
    step, rest = steps[0], steps[1:]
    for at in range(place, min(place + step.gap + 1, len(words))):
        word = words[at]
        if word in step.words or (step.stems and word.startswith(step.stems)):
            end = _end(words, at + 1, rest)
            if end:
                return end
    return 0
