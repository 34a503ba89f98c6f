"""Text as the index sees it: words in any language, stop words, stems.

A word is a run of letters or digits, folded (NFKC, case). Compounds stay findable whole and in
parts: `3.11`, `o'brien`, `config.toml`; so do `c++`, `c#` and `.net`. Chinese, Japanese, Korean,
Thai, Lao, Khmer and Burmese have no spaces between words and give pairs of neighbouring
characters (one character where it stands alone). An emoji is a word.
"""

from __future__ import annotations

import re

from vaultmem.base import TYPE_CHECKING, late
from vaultmem.language.text import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from Stemmer import Stemmer
LONGEST_WORD = 64  # longer ones (hashes, base64) are cut: nobody types more of them

_ASCII_WORD = late(
    r"\d{1,3}(?:,\d{3})+(?!\d)"
    r"|(?<![a-z0-9.])\.?[a-z0-9]+(?:['.][a-z0-9]+)*(?:\+\+|[+#](?![a-z0-9]))?"
    r"|[a-z0-9]+"
)
_COMPOUND = r"['’.]"
_POSSESSIVE = r"['’]s?$"
# 'gettin' wed', 'pullin' reefer': with the g, too, since it may be a name that ends in quotes.
_DROPPED_G = late(r"(?i)(?<!['‘’\w])([a-z]{2,})in['’](?![a-z])")

_STOP_WORDS = """
    a an the and or but nor if then than so as of at by for from in into on onto to
    with without about over under up down out off again further once during while
    before after above below between through until against per via upon within
    i me my mine myself we us our ours ourselves you your yours yourself yourselves
    he him his himself she her hers herself it its itself they them their theirs
    themselves this that these those there here am is are was were be been being
    do does did doing done have has had having can could shall should will would
    might must ought not no yes what which who whom whose when where why how
    all any both each few more most other some such only own same too very just
    also because ever
    i'm i've i'll i'd you're you've you'll you'd he's he'll he'd she's she'll she'd
    it's it'll it'd we're we've we'll we'd they're they've they'll they'd that's
    that'll that'd there's here's what's who's where's when's why's how's let's
    isn't aren't wasn't weren't don't doesn't didn't haven't hasn't hadn't can't
    couldn't shan't shouldn't won't wouldn't mightn't mustn't cannot dont im
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())

_LATIN = "\u024f"  # the last letter of Latin scripts here
_STEMMERS = (  # (first letter, last letter, language) of other scripts
    ("\u0386", "\u03ce", "greek"),
    ("\u0400", "\u04ff", "russian"),
    ("\u0561", "\u0587", "armenian"),
    ("\u0621", "\u064a", "arabic"),
    ("\u0900", "\u097f", "hindi"),
    ("\u0b80", "\u0bff", "tamil"),
)
_LANGUAGES = {
    "ar": "arabic",
    "ca": "catalan",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "nb": "norwegian",
    "ne": "nepali",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
    "yi": "yiddish",
}
# Accents that people leave out when they type; not in scripts where the mark makes the letter.
_ACCENTS = str.maketrans(
    "àáâãäåçèéêëìíîïñòóôõöùúûüýÿāăąćĉċčďēĕėęěĝğġģĥĩīĭįĵķĺļľńņňōŏőŕŗřśŝşšţťũūŭůűųŵŷźżžșțøłđёάέήίόύώ",
    "aaaaaaceeeeiiiinooooouuuuyyaaaccccdeeeeegggghiiiijklllnnnooorrrssssttuuuuuuwyzzzstoldеαεηιουω",
)


def words(text: str) -> list[str]:
    """Every word of the text in order, folded; the parts of a compound follow it.

    Stop words are words here. At most LONGEST_WORD characters each. Any text will do.
    """
    found: list[str] = []
    # 'Gettin' wed 26 September' was in no answer to 'who's getting married': half of England,
    # Scotland and America drop the g.
    if ("'" in text or "’" in text) and _DROPPED_G.search(text):
        text = _DROPPED_G.sub(r"\1in \1ing", text)
    if text.isascii():
        for match in _ASCII_WORD.finditer(text.lower()):
            _add_word(found, match.group())
        return found

    folded = fold(text)
    if not _BEYOND_LATIN.search(folded):
        for match in _LATIN_WORD.finditer(folded):
            _add_word(found, match.group())
        return found
    for match in ANY_WORD.finditer(OPTIONAL_MARKS.sub("", folded)):
        word = match.group()
        if match.lastgroup == "unspaced":
            found += [word[i : i + 2] for i in range(len(word) - 1)] or [word]
        elif match.lastgroup == "emoji":
            found.append(word)
        else:
            _add_word(found, word)
    return found


_CAPITALS = late(r"(?<![\w.'’])([A-Z]{2,8}|(?:[A-Z]\.){2,8})(?:['’]s)?(?![\w'’])")
_LETTERS_ONLY = late(r"[^\W\d_]+")
_BESIDE = 40  # characters in which a word beside another one is looked for


def capital_names(text: str) -> tuple[str, ...]:
    """Words in capitals that would be stop words in small letters, folded: `WHO`, `IT`, `U.S.`

    Only where a word beside them has small letters: who types in capitals alone names nothing.
    """
    found = []
    for match in _CAPITALS.finditer(text):
        word = match.group(1).replace(".", "").lower()
        if word in STOP_WORDS:
            start, end = match.span()
            before = _LETTERS_ONLY.findall(text[max(0, start - _BESIDE) : start])[-1:]
            after = _LETTERS_ONLY.findall(text[end : end + _BESIDE])[:1]
            if not all(map(str.isupper, [*before, *after])):
                found.append(word)
    return tuple(found)


def content_words(text: str) -> tuple[str, ...]:
    """`words` without the stop words."""
    return tuple(word for word in words(text) if word not in STOP_WORDS)


def _add_word(found: list[str], word: str) -> None:
    """Add a word; a compound also in parts, `u.s.a` also as `usa`, `Ann's` as `ann`."""
    if word.isalnum():
        found.append(word[:LONGEST_WORD])
        return
    if word[0].isdigit() and "," in word:  # 1,000
        found.append(word.replace(",", ""))
        return
    word = word.replace("’", "'")
    if word in STOP_WORDS:
        found.append(word)
        return
    bare = re.sub(_POSSESSIVE, "", word)
    found.append(bare[:LONGEST_WORD])
    if bare.isalnum():
        return
    parts = [part for part in re.split(_COMPOUND, bare.rstrip("+#")) if part]
    if parts == [bare]:
        return
    if len(parts) > 1 and all(len(part) == 1 for part in parts):
        found.append("".join(parts))
        return
    found += [part[:LONGEST_WORD] for part in parts if len(part) > 1 or part.isdigit()]


_SHORTEST_STEMMED = 3
_REMEMBERED_STEMS = 200_000  # about 25 MB


class Stems:
    """Stems of words by the Snowball stemmer of their script, without accents.

    Remembers every answer: the same word is stemmed once.
    """

    def __init__(self, languages: Sequence[str] = ("en",)) -> None:
        self._latin = stemmer_name(languages[0]) if languages else ""
        self._stemmers: dict[str, Stemmer] = {}
        self._known: dict[str, str] = {}

    @property
    def is_english(self) -> bool:
        """Whether words in Latin letters are stemmed as English ones."""
        return self._latin == "english"

    def __call__(self, word: str) -> str:
        """The stem of a folded word; the word itself where no stemmer knows its script."""
        known = self._known.get(word)
        if known is None:
            if len(self._known) >= _REMEMBERED_STEMS:
                self._known.clear()
            known = self._known[word] = self._stem(word)
        return known

    def many(self, words: Sequence[str]) -> list[str]:
        """The stems of many words, in their order; faster than one by one, and not remembered."""
        plain = [word for word in words if word.isascii() and _is_stemmed(word)]
        stems: dict[str, str] = {}
        if plain and self._latin:
            stems = dict(zip(plain, self._stemmer(self._latin).stemWords(plain), strict=True))
        return [stems.get(word) or self._stem(word) for word in words]

    def _stem(self, word: str) -> str:
        language = self._language(word) if _is_stemmed(word) else ""
        found = self._stemmer(language).stemWord(word) if language else word
        # Accents go after the stemming, since stemmers know endings by them ('-ción', '-ées').
        return found if found.isascii() else found.translate(_ACCENTS)

    def _stemmer(self, language: str) -> Stemmer:
        stemmer = self._stemmers.get(language)
        if stemmer is None:
            from Stemmer import Stemmer

            stemmer = self._stemmers[language] = Stemmer(language)
        return stemmer

    def _language(self, word: str) -> str:
        """By the word's first letter; what is not one script only is rare enough."""
        first = word[0]
        if first <= _LATIN:
            return self._latin
        return next((name for low, high, name in _STEMMERS if low <= first <= high), "")


def _is_stemmed(word: str) -> bool:
    return len(word) >= _SHORTEST_STEMMED and word.isalpha()


def stemmer_name(language: str) -> str:
    """The Snowball stemmer of a language tag ('en', 'pt-BR') or name; '' when there is none."""
    tag = language.strip().lower().replace("_", "-")
    name = _LANGUAGES.get(tag.partition("-")[0], tag)
    return name if name in _LANGUAGES.values() else ""


# Words of texts that are not plain ASCII: patterns that cost more to compile than to use. In a text
# of Latin letters and marks of print ('café', '–', '€') a short one finds the same words as the
# long one, which took 14 ms of a cold `remember`.
_BEYOND_LATIN = late("[\u0300-\u200f\u2100-\U0010ffff]")
_LATIN_WORD = late(
    r"(?<![^\W_])(?<!\.)(?:\.(?=[^\W_]))?[^\W_]+(?:['’.][^\W_]+)*(?:\+\+|[+#](?![^\W_]))?"
    r"|[^\W_]+"
)

# Scripts written without spaces between words; marks that belong to the letter before them.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf"
_UNSPACED += "\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_MARKS = "\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963"
_MARKS += "\u0966-\u0dff\u200c\u200d"
_LETTERS = rf"(?:(?![{_UNSPACED}])[^\W_]|[{_MARKS}])+"
ANY_WORD = late(
    rf"(?P<unspaced>[{_UNSPACED}]+)"
    r"|(?P<emoji>[\U0001f1e6-\U0001f1ff]{2}"
    r"|[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001f3fa\U0001f400-\U0001faff])"
    rf"|(?<![^\W_])(?<!\.)(?:\.(?=[^\W_]))?{_LETTERS}(?:['’.]{_LETTERS})*(?:\+\+|[+#](?![^\W_]))?"
    rf"|{_LETTERS}"
)
# Written or left out at will: Arabic and Hebrew vowel points, the Arabic stretching mark.
OPTIONAL_MARKS = late("[\u0591-\u05bd\u05bf\u05c1\u05c2\u0610-\u061a\u0640\u064b-\u065f]")
