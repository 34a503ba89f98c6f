"""From a turn to a person's own statements, their clauses and cues, and the words that scope them.

What is data and nobody's statement goes: fenced and indented code, block quotes, logs, tables.
Quoted words, inline code and addresses become words without meaning, which a value may hold but no
cue is found in. Then the text is cut at line breaks, list markers and closing marks.
Algorithms 4, "preprocessing".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files

from vaultmem.base import Any, dataclass, replace
from vaultmem.judgement import own_words
from vaultmem.language import fold, is_inside

# --- words before a list or a colon ---


# Algorithms 4, "preprocessing".
def is_reported(text: str, language: Language) -> bool:
    """Whether somebody else is the one who says it: 'the guide says', 'Maria told me:'."""
    doubt = language.doubt
    if doubt.has("reported", text):
        return True
    verbs = doubt.lists.get("reporting")
    if verbs is None:
        return False
    for verb in verbs.finditer(text):
        before = text[: verb.start()]
        if doubt.has("own_subject", before.rstrip()) or doubt.has("no_report_before", before):
            continue
        return True
    return False


def opens_a_list(lead: str, language: Language) -> bool:
    """Whether each item below a lead goes on with its words: 'Never use:', 'In the tests:'."""
    found = lead_in(language.name).fullmatch(lead)
    if found is not None and not language.doubt.has("discourse", lead):
        return True
    cues = (*language.preference.cues, *language.decision.cues)
    return any(
        match.end() >= len(lead.rstrip())
        for cue in cues
        for match in cue.pattern.finditer(f"{lead} ")
    )


@cache
def lead_in(language: str) -> re.Pattern[str]:
    """A phrase at the end of words that says where, when or for what: its group 1."""
    lists = load(language).doubt.lists
    opener = lists["openers"].pattern.removesuffix(" ?$")
    joined = lists["and"].pattern.removesuffix("$")
    phrase = f"(?:{lists['scopes'].pattern}|{lists['purposes'].pattern}) [^,:;]+"
    return re.compile(rf"(?:^|[,:(] ?|\b{joined} |{opener} )({phrase})$")


LONGEST = 600  # characters of a sentence that is read; longer ones are pasted data
OPAQUE = re.compile(r"ꙁ(\d+)ꙁ")  # a letter that nobody types: such a word is in no cue

_TYPOGRAPHIC = str.maketrans(
    {"’": "'", "‘": "'", "‚": "'", "`": "`", "´": "'", "“": '"', "”": '"', "„": '"', "«": '"'}
    | {"»": '"', "–": "-", "—": "-", "‒": "-", "―": "-", "−": "-", "\u00a0": " ", "ꙁ": " "}
)
_FENCE = re.compile(r" {0,3}(?:[-*+] +|\d{1,3}[.)] +)?(`{3,}|~{3,})")
_LIST = re.compile(r"[ \t]*(?:[-*+•‣]|\d{1,3}[.)]|\(\d{1,2}\)|[a-z]\))[ \t]+(?:\[[ xX]\][ \t]+)?")
_QUOTE = re.compile(r" {0,3}>")
_INDENTED = re.compile(r"(?: {4,}|\t)\S")
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+")
_DATA_LINE = re.compile(
    r"\s*(?:\||\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d"
    r"|\[?(?:ERROR|WARN|WARNING|INFO|DEBUG|FATAL|TRACE|CRITICAL|NOTICE)\b\]?[ :\]]"
    r"|(?:error|warning|fatal|panic)(?:\[\w+\])?: "
    r"|Traceback \(|File \".*\", line"
    r"|[\w.]*(?:Error|Exception|Warning)(?:\[[\w-]+\])?:"
    r"|at \S+ ?\(.*:\d+"
    r"|npm (?:ERR|WARN)|\$ |>>> |\.\.\. |\+\+\+ |--- \S|@@ |diff --git|[+-][ \t]?\w+\("
    r"|E {3,}|FAIL(?:ED)?\b|PASS(?:ED)?\b"
    r"|#!|//|/\*|<\w+[ >]|\{|\}|import \w|from \S+ import )"
)
_ERROR_INSIDE = re.compile(
    r"(?:\b[A-Z]\w*(?:Error|Exception|Warning)\b|\b(?:Error|ERROR|WARN|WARNING|FATAL|Warning|Fatal)\b)(?:\[[\w-]+\])?:.*"
)
_COMMENT = re.compile(r"<!--.*?-->|%%.*?%%", re.DOTALL)
_OPAQUE_SPANS = re.compile(
    r"``[^`\n]+``|`[^`\n]*`|\"(?:[^\"\n]|\n(?!\n)){1,400}\"|(?<![\w'])'(?=\S)[^'\n]{1,200}(?:(?<=\w)'(?=[a-z]{1,2}\b)[^'\n]{0,200})*'(?!\w)"
    r"|https?://[^\s<>)\]]+|www\.[^\s<>)\]]+"
)
_LINK = re.compile(
    r"!?\[([^\[\]\n]{0,200})\]\([^()\n]{0,500}\)|\[\[(?:[^\]|\n]*\|)?([^\]|\n]{1,200})\]\]"
)
_EMPHASIS = re.compile(r"\*{1,3}|(?<!\w)_{1,2}(?=\S)|(?<=\S)_{1,2}(?!\w)|~~|==")
_END = re.compile(r"(?<![.!?])([.!?]+)[\"')\]]*(?=\s|$)|;(?=\s|$)|…")
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A sentence in which quotations and code are single opaque words."""

    text: str  # folded, single spaces, without its closing mark
    plain: str  # the same before folding, character by character
    quote: str  # as it was written
    mark: str = ""  # the closing mark: '?', '!', '.', ':', ';' or ''
    is_foreign: bool = False  # its lead says that these are not the speaker's words
    hidden: tuple[str, ...] = ()  # what the opaque words stand for

    def as_written(self, piece: str, start: int = 0) -> str:
        """A piece of `text` as it was written; whole sentences in quotes stay hidden."""
        place = self.text.find(piece, start)
        if place >= 0:
            piece = self.plain[place : place + len(piece)]
        return _SPACES.sub(" ", OPAQUE.sub(self._reveal, piece)).strip(" ,:-")

    def _reveal(self, found: re.Match[str]) -> str:
        inner = self.hidden[int(found[1])].strip("`\"'").strip()
        return inner if len(inner) <= 60 and inner.count(" ") <= 2 else ""


def statements(text: str, language: Language, *, owners: Iterable[str] = ()) -> list[Statement]:
    """The sentences of a turn in order; what is data and no statement is not among them.

    owners  names of the person: of a chat that they pasted, their own lines are theirs
    """
    told = text.translate(_TYPOGRAPHIC)  # as long as the text, so that a place is the same place
    hidden: list[str] = []

    def hide(span: re.Match[str]) -> str:
        hidden.append(span[0])
        return f"ꙁ{len(hidden) - 1}ꙁ"

    # Pasted words are nobody's wish; comments go first, they may hold anything.
    kept = "\n".join(_kept_lines(own_words(_COMMENT.sub(" ", told), owners)))
    kept = _OPAQUE_SPANS.sub(hide, _LINK.sub(lambda link: link[1] or link[2] or " ", kept))
    masked = tuple(hidden)
    lead = _Lead(language)
    found: list[Statement] = []
    for line in kept.split("\n"):
        item = _LIST.match(line)
        bare = _EMPHASIS.sub("", line[item.end() :] if item else _HEADING.sub("", line)).strip()
        if not bare:
            lead.blank()
            continue
        prefix = lead.prefix_of(is_item=item is not None)
        for number, (sentence, mark) in enumerate(_sentences(bare)):
            written = _sentence_as_written(sentence, masked, told, text)
            begun = f"{prefix} {sentence}" if prefix and number == 0 else sentence
            statement = _statement(begun, mark, written, masked)
            found.append(lead.mark_below(statement, is_item=item is not None))
    return found


class _Lead:
    """What a line that ends in a colon says about the lines below it.

    'Maria wrote:' makes them hers, 'Please always:' begins each item of the list that follows.
    """

    def __init__(self, language: Language) -> None:
        self.language = language
        self.is_foreign = False
        self.prefix = ""
        self.below = 0  # statements since the lead

    def blank(self) -> None:
        """An empty line ends what a lead governs, unless it is the one right below the lead."""
        if self.below:
            self.is_foreign, self.prefix = False, ""

    def prefix_of(self, *, is_item: bool) -> str:
        """What an item of a list begins with; text that is no item ends the list."""
        if not is_item and self.below:
            self.prefix = ""
        return self.prefix if is_item else ""

    def mark_below(self, statement: Statement, *, is_item: bool) -> Statement:
        """The statement, marked as foreign below a lead that says so."""
        self.below += 1
        if statement.mark == ":" and not is_item:
            is_foreign = is_reported(statement.text, self.language)
            self.is_foreign = self.is_foreign or is_foreign
            opens = not is_foreign and opens_a_list(statement.text, self.language)
            self.prefix = statement.plain if opens else ""
            self.below = 0
        return replace(statement, is_foreign=True) if self.is_foreign else statement


def _statement(sentence: str, mark: str, written: str, hidden: tuple[str, ...]) -> Statement:
    plain = _SPACES.sub(" ", sentence).strip()
    text = fold(plain)
    if len(text) != len(plain):  # 'Straße' folds to one letter more, and places would not agree
        text = "".join(_fold_letter(letter) for letter in plain)
    return Statement(text=text, plain=plain, quote=written, mark=mark, hidden=hidden)


def _fold_letter(letter: str) -> str:
    """One letter for one; the cue lists have their words with it ('heißen')."""
    folded = fold(letter)
    # A sentence with an 'ß' was learned in small letters, and cues such as 'heißen' were in none.
    return folded if len(folded) == 1 else letter


def _sentence_as_written(sentence: str, hidden: tuple[str, ...], told: str, text: str) -> str:
    """The sentence as it stands in the text; with the marks taken out where it had any inside."""
    full = OPAQUE.sub(lambda word: hidden[int(word[1])], sentence)
    place = told.find(full)
    return text[place : place + len(full)] if place >= 0 else full


def _kept_lines(text: str) -> Iterator[str]:
    """The lines that may be statements; an empty one stands for a block that was left out."""
    fence, was_blank, was_list = "", True, False
    for line in text.splitlines():
        opening = _FENCE.match(line)
        if fence:
            if line.strip().startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
            continue
        if opening:
            fence = opening[1]
            yield ""
            continue
        # As in CommonMark, four blanks begin code behind an empty line only, and never in a list.
        is_code = _INDENTED.match(line) is not None and was_blank and not was_list
        if is_code or _QUOTE.match(line) or _DATA_LINE.match(line):
            was_blank = is_code or was_blank  # code goes on in the next line
            yield ""
            continue
        was_list = _LIST.match(line) is not None or (was_list and line[:1] in " \t")
        was_blank = not line.strip()
        yield _ERROR_INSIDE.sub("", line)


def _sentences(line: str) -> Iterator[tuple[str, str]]:
    """(sentence, closing mark) of one line. A colon at the end of the line is a mark."""
    start = 0
    for end in _END.finditer(line):
        piece = line[start : end.start()]
        if end[1] == "." and is_inside(line, end.start(), end.end(), start=start):
            continue
        if piece.strip() and len(piece) <= LONGEST:
            yield piece.strip(), "?" if "?" in end[0] else end[0][0]
        start = end.end()
    rest = line[start:].strip()
    if rest and len(rest) <= LONGEST:
        yield (rest[:-1].rstrip(), ":") if rest.endswith(":") else (rest, "")


# --- clauses and cues: what is evidence of a wish ---

# Questions, suppositions, other people's words, the past and denials are none. What governs a whole
# sentence (a condition, a question) is asked of the sentence, what governs a clause of the clause:
# 'I used to prefer tabs, but now I prefer spaces' holds one preference.
_BUT = re.compile(
    r"(?<!anything)(?<!nothing)(?<!everything)(?<!all),? "
    r"\b(?:but|however|yet|though|aber|doch|sondern|pero|sino)\b,? "
)
_SCOPE_CHARACTERS = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A part of a statement between 'but's, with its place in the statement's text."""

    statement: Statement
    start: int
    end: int

    @property
    def text(self) -> str:
        """Its folded text."""
        return self.statement.text[self.start : self.end]


def clauses(statement: Statement, language: Language) -> Iterator[Clause]:
    """The clauses of a statement that may be evidence; none of one that is none as a whole."""
    doubt, text = language.doubt, statement.text
    if statement.is_foreign or statement.mark == "?" or doubt.has("question", text):
        return
    if doubt.has("hypothetical", text) or doubt.has("irony", text):
        return
    start = 0
    cuts = [*_BUT.finditer(text), None]
    for cut in cuts:
        end = cut.start() if cut else len(text)
        part = text[start:end]
        is_doubtful = doubt.has("tentative", part) or doubt.has("past", part)
        if not is_doubtful and not is_reported(part, language):
            yield Clause(statement=statement, start=start, end=end)
        start = cut.end() if cut else end


def begins_clause(before: str, language: Language) -> bool:
    """Whether a cue without a subject, after these words, is the speaker's own demand.

    It has to begin a clause, or follow words that say where or when ('in the tests, always use').
    After 'and' it belongs to the subject of the sentence, who may be somebody else.
    """
    doubt = language.doubt
    rest = before.strip()
    if not rest:
        return True
    if doubt.has("others", rest) and not re.search(r"[,:.-]$", rest):
        return False
    if re.search(
        r"\b(?:they|he|she|people|everyone|everybody|others|sie|er|ellos|ella|él)\b", rest
    ):
        return False
    if doubt.has("openers", rest) or doubt.has("discourse", rest.rstrip(" ,")):
        return True
    return scope_before(rest, language) is not None


def scope_before(before: str, language: Language) -> str | None:
    """The phrase at the end of these words that says where, when or for what; None: no such."""
    found = lead_in(language.name).search(before.rstrip(" ,")[-_SCOPE_CHARACTERS:])
    if found is None or language.doubt.has("discourse", found[1].strip()):
        return None
    return found[1].strip()


def is_denied(before: str, language: Language) -> bool:
    """Whether these words before a cue deny it: 'it is not that I', "I don't"."""
    clause = re.split(r"[,:;]| - ", before)[-1]
    return language.doubt.has("negated", clause)


DEFAULT = "en"
_WORD = re.compile(r"[^\W\d_]+")
_NEVER = re.compile(r"(?!)")
_TRIED = ("insist", "own", "forms", "reject")  # lists whose expressions are tried in order
_WORD_LISTS = ("stop_words", "negations", "opposites")


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
