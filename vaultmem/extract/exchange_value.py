"""The words of a statement with another value, where the rest surely holds of it as well.

What a sentence says beside the value was said of the old one: 'I work at Siemens in Munich since
2019' does not become true by another name. So a value changes places only in a plain sentence
that ends with it; else the sentence ends after the value, or the caller makes one of the triple.
Of 71 statements, of seven languages, 52 said what nobody had said (or were no sentence) with the
value merely exchanged (tests/facts/test_restating.py has most of them).
"""

from __future__ import annotations

import re

from vaultmem.base import dataclass
from vaultmem.language import sentence_spans

_MOST_WORDS = 10  # before the value: more is no plain beginning
_CLOSING = r"[\"'”’»)\]*_`]*[.!…]*[\"'”’»)\]*_`]*"
_STILL_TRUE = re.compile(
    rf"(?:\s+(?:now|nowadays|these days|currently|at the moment|jetzt|inzwischen|ahora|"
    rf"maintenant))?{_CLOSING}\s*",
    re.IGNORECASE,
)
# What follows belongs to the old value, and the sentence is whole without it.
_MORE = re.compile(
    r"\s*[,;(–—]|\s+-|[./+#&@-]|\s+[A-Z\d]|\s+(?:in|at|on|near|with|since|for|as|because|while|until|"
    r"when|where|which|who|whose|that|and|but|or|so|by|from|over|than|instead|to|during|after|"
    r"before|although|though|if|unless|together|every|about|despite|due|again|too|"
    r"bei|an|am|im|auf|mit|seit|für|als|weil|während|bis|wenn|wo|und|aber|oder|von|nach|vor|zum|zur|"
    r"statt|en|con|desde|para|como|porque|y|pero|por|de|à|dans|avec|depuis|pour|comme|parce|et|mais|"
    r"chez|da|per|come|perché|met|sinds|voor|omdat|maar|em|com)\b"
)
# A purpose is what a thing is used for, whatever it is: 'uses Redis for the queue'.
_PURPOSE = re.compile(r"\s+(?:for|as|für|als|para|como|pour|comme)\s+(?:[^\W\d_]+[ -]?){1,5}[.!]*")
_NO_PURPOSE = re.compile(
    r"\b(?:and|but|since|because|until|while|now|years?|months?|weeks?|days?|long|jahren?|años)\b",
    re.IGNORECASE,
)


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


# What does not begin a plain sentence, or makes the words those of another time.
_LEADS = _listed(
    "in at on since until before after while when as because although though if for from with by "
    "during seit bis vor nach als weil wenn während bei mit im am desde cuando como porque si con "
    "depuis quand comme dès avec sinds toen omdat"
)
_EARLIER = _listed(
    "since until ago last yesterday once formerly previously before after because while when if "
    "where and but or used seit bis früher damals weil wenn und aber oder desde antes porque y "
    "pero depuis avant"
)
_FROM = frozenset(("from", "von", "vom", "aus"))  # 'moved from Berlin to'
# An article in front has the gender of the old value.
_GENDERED = _listed(
    "ein eine einen einem einer der die das den dem el la los las un una unos le les une des du il "
    "lo gli uno het de o os um uma"
)
_ARTICLES = frozenset(("a", "an", "the"))
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
# 'I have been working at': for how long was said of the former place.
_PERFECT = re.compile(
    r"\bbeen\b|(?:\b(?:have|has|had)|['’](?:ve|d))\s+(?:[^\W\d_]+\s+)?[^\W\d_]+ed\b", re.IGNORECASE
)
_SILENT = re.compile(r"(?:hour|honest|honou?r|heir)", re.IGNORECASE)
_LIKE_YOU = re.compile(r"(?:uni|use|usu|eu|one\b|once\b|u[^a-z])", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchanged:
    """A sentence with the new value."""

    statement: str
    left_out: str = ""  # what the former words said beside it


def exchanged(
    statement: str, span: tuple[int, int], value: str, *, is_use: bool = False
) -> Exchanged | None:
    """The sentence in which the value at `span` stands, with another one; None when unsure.

    is_use  the value is what something is used for: a short purpose behind it is kept
    """
    own = _sentence_of(statement, span)
    head, tail = statement[own[0] : span[0]], statement[span[1] : own[1]]
    others = " ".join([statement[: own[0]].strip(), statement[own[1] :].strip()]).strip()
    if not head.strip():
        return _at_the_front(statement, span, value) if not others else None
    begun = _fitting(head, value, former=statement[span[0] : span[1]])
    if begun is None:
        return None
    if tail.startswith(".") and tail.strip(".!? "):  # of the value: 'in the U.S. since'
        tail = tail[1:]
    if value.endswith("."):  # 'at 10 a.m.', which closes the sentence as well
        tail = tail.removeprefix(".")
    is_kept = _STILL_TRUE.fullmatch(tail) is not None or (is_use and _is_purpose(tail))
    if is_kept:
        return Exchanged(statement=f"{begun}{value}{tail}".strip(), left_out=others)
    if not _MORE.match(tail):
        return None
    opened = head.rstrip()[-1:] in '"“„«([*_`'
    if opened:
        return None
    left = f"{tail} {others}".strip(" ,;.")
    return Exchanged(statement=f"{begun}{value}".strip().rstrip(".") + ".", left_out=left)


def _sentence_of(statement: str, span: tuple[int, int]) -> tuple[int, int]:
    """Where the sentence with the value begins and ends."""
    for start, end in sentence_spans(statement):
        if start <= span[0] and span[1] <= end:
            return start, end
    return 0, len(statement)


def _at_the_front(statement: str, span: tuple[int, int], value: str) -> Exchanged | None:
    """'SQLite is our database': the words behind hold if they name nothing and no time."""
    tail = statement[span[1] :]
    words = re.findall(r"[^\W_]+", tail)
    is_plain = re.fullmatch(r"\s[^,;:()\d–—]*[.!]?", tail) is not None and len(words) <= _MOST_WORDS
    names = [word for word in words if word[0].isupper() and word != "I"]
    if not is_plain or names or not _EARLIER.isdisjoint(word.casefold() for word in words):
        return None
    return Exchanged(statement=f"{value}{tail}".strip())


def _is_purpose(tail: str) -> bool:
    return _PURPOSE.fullmatch(tail) is not None and not _NO_PURPOSE.search(tail)


def _fitting(head: str, value: str, *, former: str) -> str | None:
    """The words before the value, their article fitted to the new one; None: no plain beginning."""
    words = head.split()
    folded = [word.casefold().strip("\"'“„«([*_`:") for word in words]
    is_glued = not head[-1].isspace() and head[-1] not in '"“„«([*_`'
    if is_glued or len(words) > _MOST_WORDS or re.search(r"[,;()–—]|:\s*\S", head):
        return None
    if _YEAR.search(head) or _PERFECT.search(head):
        return None
    if folded[0] in _LEADS or not _EARLIER.isdisjoint(folded):
        return None
    if not _FROM.isdisjoint(folded[:-1]):
        return None
    last = folded[-1]
    is_name = words[-1][0].isupper() and len(words) > 1 and words[-1] != "I"
    if is_name and not words[-1].endswith(":"):
        return None  # 'New' of 'New York'
    if last in _GENDERED or last.isdecimal():
        return None
    return _with_article(head, value, former=former) if last in _ARTICLES else head


def _with_article(head: str, value: str, *, former: str) -> str:
    """`head` with 'a' or 'an' as the value wants it, without an article that the value brings.

    'the' goes before a name: 'the Netherlands' becomes 'Portugal', 'the sea' 'the mountains'.
    """
    before, article = head.rstrip().rsplit(None, 1) if " " in head.strip() else ("", head.strip())
    gap = f"{before} " if before else ""
    if value.split()[0].casefold() in _ARTICLES:
        return gap
    if article.casefold() == "the":
        return gap if value[:1].isupper() and former[:1].isupper() else head
    if value[:1].isupper():
        return head
    vowel = value[:1].casefold() in "aeiou" and not _LIKE_YOU.match(value)
    fitted = "an" if vowel or _SILENT.match(value) else "a"
    return f"{gap}{fitted if article.islower() else fitted.capitalize()} "
