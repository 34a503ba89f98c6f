"""From a turn to its sentences: masks, clauses, antecedents, who speaks and when, missing context.

Everything that is data and not the speaker's statement is blanked with as many characters, so
that a place in the masked text is the same place in the raw text: code, block quotes, quoted
words, tables, comments, links' addresses. Algorithm 4 of the project's notes ("preprocessing").
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from vaultmem import language
from vaultmem.base import NamedTuple, late
from vaultmem.extract.cue_patterns import CIVIL, MEDICAL, PROFESSIONS, RELATIONS, Tokens, words
from vaultmem.language import DateMention, sentence_spans
from vaultmem.model import Rejected, Source, Turn

MASK = "§"  # stands for something that was said but is not to be read: code, a quotation, a URL

# Text and not compiled: `re` compiles and keeps each when a document first needs it, and a
# short message needs none. All are linear: what repeats is bounded or begins only once in a run.
_FENCE = r"\A {0,3}(`{3,}|~{3,})"
_HEADING = r"\A {0,3}#{1,6}[ \t]+(.*)"
_BULLET = r"\A[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+(?:\[([^\[\]\n])\][ \t]+)?"
_RULE_LINE = r"\A {0,3}(?:[-*_=][ \t]*+){3,}+$"
# One word, as code and links are: 'My wifi key is [secret removed: github token] and my sister Eva
# lives in Graz.' gave a memory that began with 'Github token]', cut at the colon.
_PLACEHOLDER = r"\[(?:secret removed: [^\]\n]{1,60}|[a-z]{2,20}-[a-z0-9]{6,16})\](?!\()"
_INLINE_CODE = r"`[^`\n]*`"
_LINK = r"!?\[([^\[\]\n]{0,200})\]\(([^()\n]{0,500})\)"
_WIKI = r"(!?\[\[)([^\[\]|\n]{0,200}\|)?([^\[\]|\n]{0,200})(\]\])"
_URL = r"(?:https?://|www\.)[^\s<>)\]\"]+"
_QUOTED = r"\"[^\"\n]{1,400}\"|„[^“”\n]{1,400}[“”]|»[^«\n]{1,400}«|“[^”\n]{1,400}”|«[^»\n]{1,400}»"
_SINGLE_QUOTED = r"(?<!\w)['‘][^'’\n]{2,200}['’](?!\w)"
_MARKS = r"\*+|(?<!\w)_+|(?<!_)_++(?!\w)|==|~~|\[\^?[^\[\]\n]{0,20}\]"
_IMAGE_CAPTION = r"\[image: [^\]\n]{0,500}\]"
_STOPS = ("...", "!!!", "???", "…", "!?", "?!")
_MANY_STOPS = r"([.!?…]{3})[.!?…]+"
_SPLIT = late(
    r";[ \t\n]+|(?<=[a-z\d)§][.!?])[ \t\n]+(?=(?:i|i'm|we|my|also|but|no|please|let's|and|i've"
    r"|i'll|we're|we've|we'll|our|und|aber|ich|wir|meine?|unsere?"
    r"|y|pero|yo|mis?|nuestr[oa]|et|mais|je|j'ai|mon|ma|mes|notre)\b)"
    r"|(?<![ \t])[ \t]++[-–—][ \t]++(?=(?:I|I'm|I've|We|we|We've|My|my)\b)"
    r"|,[ \t]++and[ \t]++(?=(?:I|I'm|I've|We|we|We've|My|my)\b)"
)
# What _SPLIT finds has one of these, or a comma and an 'and'; it takes 0.4 ms to compile.
_JOINED = (";", *[mark + space for mark in ".!?-–—" for space in " \t\n"])
# Where ', and I' joins two statements; after 'If it rains' it does not.
_OWN_START = late(r"(?:\w{1,10},[ \t])?(?:I|I'm|I've|We|We're|We've|My)\b")
_TRAILING_TAGS = r"\A(?:[ \t]{1,20}#[A-Za-z][\w/-]{0,60})+"
HASHTAG = r"(?<![\w&/#])#([A-Za-z][\w/-]{0,60})"
_TYPOGRAPHIC = str.maketrans("’‘‚`´“”„", "''''" + "'" + '"""')


class Sentence(NamedTuple):
    """A sentence in its place. `masked` has the length of `text` and is what cues are read in."""

    text: str  # verbatim
    masked: str
    start: int  # in the text of the turn
    heading: str = ""  # nearest heading above
    is_bullet: bool = False
    checkbox: str = ""  # '' none, ' ' open, 'x' done, or another mark
    paragraph: int = 0  # counts paragraphs and bullets
    lead: str = ""  # what was blanked between bullet and sentence: '[2025-11-03] '


class _Block(NamedTuple):
    start: int
    end: int
    heading: str
    is_bullet: bool
    checkbox: str


def paragraphs(
    text: str,
) -> tuple[Iterator[tuple[str, Iterator[Sentence]]], list[Rejected]]:
    """Each paragraph and bullet in order with its sentences, and what is no statement and why.

    Sentences are looked for when they are asked for: half of reading a list of 30,000 bullets, of
    which the first thousands are enough.
    """
    masked = _blank_comments(_blank_front_matter(text))
    blocks, dropped = _blocks(masked)
    found = (
        (text[block.start : block.end], _sentences(text, masked, block, number))
        for number, block in enumerate(blocks)
    )
    return found, dropped


def _sentences(text: str, masked: str, block: _Block, number: int) -> Iterator[Sentence]:
    inner = mask_inline(masked[block.start : block.end])
    raw = text[block.start : block.end]
    place = 0
    # The number of a list's item is a block's mark and not in its text, so that it is looked for in
    # the three characters before.
    is_first = masked[max(0, block.start - 3) : block.start].strip() in ("1.", "1)")
    for start, end in _steps_together(_spans(inner), inner, is_first=is_first):
        start, end = _with_marks(raw, inner, (max(start, place), end), least=place)
        yield Sentence(
            text=raw[start:end],
            masked=inner[start:end],
            start=block.start + start,
            heading=block.heading,
            is_bullet=block.is_bullet,
            checkbox=block.checkbox,
            paragraph=number,
            lead=raw[:start] if block.is_bullet and place == 0 else "",
        )
        place = end


# A number of a step begins its sentence: 'My locker is in hall 1. Yours is in hall 2.' has none.
_STEPS = late(r"(?:^|(?<=[.!?:;]\s))1[.)]\s.{2,200}?[.!?;]\s2[.)]\s")
_MORE_STEPS = late(r"^.{2,200}?[.!?;]\s2[.)]\s")
_STEP = late(r"[.!?;]\s\d{1,2}[.)]\s")


def _steps_together(
    spans: list[tuple[int, int]], text: str, *, is_first: bool
) -> list[tuple[int, int]]:
    """The sentences, but numbered steps of one line as one: 'Wait.' alone tells nobody what for.

    is_first  the text is behind a '1.' of its own
    """
    found = (_MORE_STEPS if is_first else _STEPS).search(text) if "2" in text else None
    if found is None:
        return spans
    last = [*_STEP.finditer(text, found.start())][-1].end()
    before = [span for span in spans if span[1] <= found.start()]
    after = [span for span in spans if span[0] >= last]
    among = spans[len(before) : len(spans) - len(after)]
    if after and not among[-1][1] > last:  # the last step is the sentence behind its number
        among.append(after.pop(0))
    return [*before, (among[0][0], among[-1][1]), *after]


def mask_inline(text: str) -> str:
    """The text with code, links and quotations blanked in place and quotes in ASCII."""
    if "`" in text:
        text = re.sub(_INLINE_CODE, _mask_match, text)
    if "[" in text:
        # What stands for a secret is one word: cut at its 'removed:', it gave "Github token] and
        # my sister Eva lives in Graz."
        text = re.sub(_PLACEHOLDER, _mask_match, text)
        text = re.sub(_WIKI, _wiki, re.sub(_IMAGE_CAPTION, _spaces, text))
        text = re.sub(_LINK, _link, text)
    if "://" in text or "www." in text:
        text = re.sub(_URL, _mask_match, text)
    if "#" in text:
        text = re.sub(HASHTAG, _spaces, text)
    if '"' in text or "“" in text or "«" in text or "„" in text:
        text = re.sub(_QUOTED, _mask_match, text)
    if " '" in text or "‘" in text or text[:1] == "'":
        text = re.sub(_SINGLE_QUOTED, _mask_match, text)
    if not text.isascii():
        text = text.translate(_TYPOGRAPHIC)
    if any(mark in text for mark in "*_=~["):
        text = re.sub(_MARKS, _spaces, text)
    return text


def _spans(masked: str) -> list[tuple[int, int]]:
    """Sentences of one block, cut also at semicolons, before a dash and 'I', at ', and I'."""
    spans = []
    calm = masked
    if any(marks in masked for marks in _STOPS):
        # As many blanks as marks were taken out: the places of the spans are those of the text.
        calm = re.sub(_MANY_STOPS, lambda found: found[1] + " " * (len(found[0]) - 3), masked)
    is_joined = any(map(masked.__contains__, _JOINED)) or ("," in masked and "and" in masked)
    for start, end in sentence_spans(calm):
        cut = start
        for found in _SPLIT.finditer(masked, start, end) if is_joined else ():
            if found[0][0] == "," and not _OWN_START.match(masked, cut):
                continue
            if _is_after_abbreviation(masked, cut, found.start()):
                continue
            stop = found.start() + (found[0][0] == ";")
            if masked[cut:stop].strip():
                spans.append((cut, stop))
            cut = found.end()
        if masked[cut:end].strip():
            spans.append((cut, end))
    return spans


def _is_after_abbreviation(masked: str, start: int, place: int) -> bool:
    """Whether a small 'my' follows no end of a sentence but 'e.g.'; of 'i.e. my sister', too."""
    if masked[place - 1 : place] != ".":
        return False

    return language.is_inside(masked, place - 1, place, start=start)


def _with_marks(raw: str, masked: str, span: tuple[int, int], *, least: int) -> tuple[int, int]:
    """The place of a sentence with what hugs it: `**Maria**`, `[[Maria]]`, trailing #tags."""
    start, end = span
    # Marks (`**`, `[[`) were blanked in place. A blank that is none in the raw text was such a
    # mark.
    while start > least and masked[start - 1] == " " and not raw[start - 1].isspace():
        start -= 1
    while end < len(raw) and masked[end] == " " and not raw[end].isspace():
        end += 1
    tags = re.match(_TRAILING_TAGS, raw[end : end + 200]) if "#" in raw[end : end + 20] else None
    return start, end + tags.end() if tags else end


def _blocks(text: str) -> tuple[list[_Block], list[Rejected]]:
    """Paragraphs and bullets, and what was left out. Lines are looked at once, in order."""
    blocks: list[_Block] = []
    dropped: list[Rejected] = []
    state = _State()
    place = 0
    for line in text.splitlines(keepends=True):
        rule, mark = state.read(line)
        start, place = place, place + len(line)
        if rule in ("blank", "heading", "line"):
            state.open = False
        elif rule == "text" and state.open:
            blocks[-1] = blocks[-1]._replace(end=place)
        elif rule in ("text", "bullet"):
            blocks.append(
                _Block(
                    start=start + mark,
                    end=place,
                    heading=state.heading,
                    is_bullet=rule == "bullet",
                    checkbox=state.checkbox if rule == "bullet" else "",
                )
            )
            state.open = True
        else:
            state.open = False
            # Once for each run of lines: a code block of a thousand lines is one thing left out.
            if rule != state.last and line.strip():
                dropped.append(Rejected(text=line.strip()[:80], rule=rule))
        state.last = rule
    return blocks, dropped


class _State:
    """Where in a document the next line stands."""

    def __init__(self) -> None:
        self.fence = ""
        self.heading = ""
        self.checkbox = ""
        self.last = "blank"  # what the line before was
        self.open = False  # whether a paragraph or bullet goes on
        self.in_list = False

    def read(self, line: str) -> tuple[str, int]:
        """What a line is, and how many characters of marks it begins with."""
        bare = line.strip()
        first = bare[:1]
        fence = re.match(_FENCE, line) if first in ("`", "~") and first else None
        if self.fence:
            # As in CommonMark, a closing fence is at least as long as the opening one and has
            # nothing behind it. Otherwise ``` shown inside of ```` would let the rest of the code
            # be read as statements.
            if fence and fence[1].startswith(self.fence) and bare.strip(fence[1][0]) == "":
                self.fence = ""
            return "code", 0
        if fence:
            self.fence = fence[1]
            return "code", 0
        if not bare:
            return ("code" if self.last == "code" and not self.open else "blank"), 0
        if first in "-*_=" and re.match(_RULE_LINE, line.rstrip("\r\n")):
            return "line", 0
        heading = re.match(_HEADING, line) if first == "#" else None
        if heading:
            self.heading, self.in_list = heading[1].strip(), False
            return "heading", 0
        bullet = re.match(_BULLET, line) if first in "-*+•" or first.isdecimal() else None
        indented = line.startswith(("    ", "\t"))
        if indented and not self.in_list and self.last in ("blank", "code", "heading"):
            return "code", 0
        if bullet:
            self.in_list = True
            self.checkbox = (bullet[1] or "").lower()
            return "bullet", bullet.end()
        if not indented and self.last == "blank":
            self.in_list = False
        if bare[0] == ">":
            return "quoted", 0
        return ("table", 0) if bare[0] == "|" else ("text", 0)


def _blank_front_matter(text: str) -> str:
    if not text.startswith(("---\n", "---\r\n")):
        return text
    end = text.find("\n---", 3)
    return _blank_out(text[: end + 4]) + text[end + 4 :] if end > 0 else text


def _blank_comments(text: str) -> str:
    """Without `%% %%` and `<!-- -->`; an unclosed one is no comment."""
    for opening, closing in (("<!--", "-->"), ("%%", "%%")):
        pieces, done = [], 0
        start = text.find(opening)
        while start >= 0:
            end = text.find(closing, start + len(opening))
            if end < 0:
                break
            end += len(closing)
            pieces += [text[done:start], _blank_out(text[start:end])]
            done, start = end, text.find(opening, end)
        text = "".join((*pieces, text[done:])) if pieces else text
    return text


def _blank_out(text: str) -> str:
    """As many characters and as many lines, of nothing."""
    return "".join("\n" if character == "\n" else " " for character in text)


def _mask_match(found: re.Match[str]) -> str:
    return MASK * len(found[0])


def _spaces(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _link(found: re.Match[str]) -> str:
    if found[0][0] == "!":
        return MASK * len(found[0])
    return " " + found[1] + " " * (len(found[0]) - len(found[1]) - 1)


def _wiki(found: re.Match[str]) -> str:
    if found[1][0] == "!":
        return MASK * len(found[0])
    return "  " + " " * len(found[2] or "") + found[3] + "  "


# --- antecedents: whom 'she' and what 'it' means in a document ---

_PERSON = ("he", "she")
_SAID_OF_PEOPLE = (
    words(
        "born works worked lives lived likes prefers loves hates speaks plays studies studied "
        "teaches moved joined birthday met went married allergic leads manages enjoys graduated"
    )
    | MEDICAL
    | CIVIL
    | PROFESSIONS
    | RELATIONS
)
_LONGEST_NAME = 3  # words


class Antecedent(NamedTuple):
    """The names that pronouns of the next sentence may stand for."""

    paragraph: int = -1
    person: str = ""  # the only person named so far in the paragraph
    is_ambiguous: bool = False  # several persons were named
    thing: str = ""  # the subject of the sentence just before
    is_user: bool = False  # an assistant's sentence just before was about 'the user'

    def before(self, sentence: Sentence) -> Antecedent:
        """As it is when a sentence begins: nothing is carried into another paragraph."""
        if sentence.paragraph == self.paragraph:
            return self
        return Antecedent(paragraph=sentence.paragraph)

    def name_for(self, pronoun: str) -> str:
        """The name a first word stands for, '' when it is no pronoun or not certain."""
        if pronoun in _PERSON and not self.is_ambiguous:
            return self.person
        return self.thing if pronoun == "it" else ""

    def after(self, subject: tuple[int, int] | None, tokens: Tokens, name: str) -> Antecedent:
        """As it is after a sentence with this subject (words of it); `name`: it was a pronoun."""
        if name:
            return self
        if subject is None:
            return self._replace(thing="") if self.thing else self
        parts = tokens.raw[subject[0] : subject[1]]
        said = " ".join(parts)
        if len(parts) > _LONGEST_NAME or not all(part[0].isupper() for part in parts):
            return self._replace(thing="")
        if not set(tokens.lower[subject[1] :]) & _SAID_OF_PEOPLE:
            return self._replace(thing=said)
        other = bool(self.person) and self.person != said
        return self._replace(person=said, thing=said, is_ambiguous=self.is_ambiguous or other)


# --- clauses: what one breath says need not be one thing ---

# Cut only where a clause ends and another begins, so that each part is the person's own words.
LONGEST = 30  # words of one memory: a statement that is longer is a text and no fact
_LEAST = 5  # words of a clause: fewer are part of the one beside them
_WORD = late(r"\S*\w\S*")
# A mark, or a comma, which ends a clause where a word of _JOINING follows.
_JOINT = late(r"[;:][ \t]+|[ \t]+[-–—]+[ \t]+|,[ \t]+")
_BEGINNING = late(r"\w+")
_JOINING = words(
    """
    and but so or because cause since which who where while though although then if when as with
    und aber denn weil deshalb damit sodass wenn obwohl dann also et mais donc car parce puis alors
    sinon si qui y pero porque así entonces luego que e ma perché quindi poi en maar want dus omdat
    mas então
    """
)


# 'Can you book a table for two, I'm coeliac' asks, and tells why. Of 30 such sentences in seven
# languages 21 left nothing behind, 12 of them an allergy or an illness.
_SAID = language.vocabulary("requests")
_ASKS = frozenset(language.word_list(_SAID["asks"]))
_ASKS_WITH = frozenset(language.word_list(_SAID["asks with"]))
_ORDERS = frozenset(language.word_list(_SAID["orders"]))
_BEGINS = late(rf"\W*(?:{_SAID['begins']}|{_SAID['begins an order']})\b", re.IGNORECASE)
# The first word of any of these.
_MAY_ASK = _ASKS | _ASKS_WITH | _ORDERS | frozenset(language.word_list(_SAID["first"]))
_YOU = frozenset(("i", "you", "we", "he", "she", "it", "they", "there", "the", "my", "our", "this"))
_REASON = late(
    rf"(?:[,;]|[ \t]+[-–—]+)[ \t]+(?:(?:{_SAID['because']})[ \t]+)?(?=(?:{_SAID['tells']})\b)"
    rf"|[ \t]+(?:{_SAID['because alone']})[ \t]+(?=(?:{_SAID['tells']})\b)"
    rf"|,?[ \t]+(?=(?:{_SAID['because verb last']})[ \t]+(?:{_SAID['tells']})\b)",
    re.IGNORECASE,
)
_LEAST_ASKED, _LEAST_TOLD = 2, 2  # words
# 'I'm on lithium, is ibuprofen all right?', 'My son can't have eggs so what can he eat?': all of 19
# such sentences in five languages were lost, as each ends as a question does.
_TOLD_FIRST = late(
    rf"\W*(?:(?:{_SAID['since']})[ \t]+)?(?P<told>(?:{_SAID['tells first']})(?!\w))", re.IGNORECASE
)
_THEN_ASKED = late(
    rf"(?:[,;]|[ \t]+[-–—]+)[ \t]+(?:(?:{_SAID['so']})[ \t]+)?"
    rf"|[ \t]+(?:{_SAID['so']})[ \t]+|[ \t]+(?=¿)",
    re.IGNORECASE,
)
_WHO_IS_SO = late(rf"\b(?:{_SAID['who is so']})\b(?!.* (?:that|who)\b)(?=[ \t]+\S)", re.IGNORECASE)
_CONFIRMS = late(rf"\W*(?:{_SAID['confirms']})", re.IGNORECASE)
_ASKS_AFTER = late(rf"\W*(?:{_SAID['asks after']})\b", re.IGNORECASE)
_LEAST_QUESTION = 3  # words: 'can I?' asks of what was said
_PLAIN_WORD = late(r"[^\W\d_]+(?:'[^\W\d_]+)?")


def clauses(sentence: Sentence) -> list[Sentence]:
    """The sentence, or its clauses of at most LONGEST words where it can be cut into such.

    What somebody tells behind a question or a request is a clause of its own, however short.
    """
    masked = sentence.masked
    asked_end, told_start = _where_reason_begins(masked)
    told = _where_question_follows(masked)
    if told_start:
        parts = _cut(masked, 0, asked_end) + _cut(masked, told_start, len(masked))
    elif told is not None:
        first, last, asked_start = told
        parts = _cut(masked, first, last) + _cut(masked, asked_start, len(masked))
    else:
        parts = _cut(masked, 0, len(masked))
    if len(parts) == 1:
        return [sentence]
    found: list[Sentence] = []
    for start, end in parts:
        text = sentence.text[start:end]
        lead = len(text) - len(text.lstrip())
        # In 'Can we have that, I'm coeliac?' the mark is of what is asked.
        ended = text.rstrip(" \t?" if told_start and start >= told_start else None)
        first, last = start + lead, start + len(ended)
        found.append(
            sentence._replace(
                text=sentence.text[first:last],
                masked=sentence.masked[first:last],
                start=sentence.start + first,
                lead=sentence.lead if not found else "",
            )
        )
    return found


def _where_reason_begins(masked: str) -> tuple[int, int]:
    """The end of a request, and where the person begins to tell something; 0, 0: nowhere."""
    if not is_asking(masked):
        return 0, 0
    for joint in _REASON.finditer(masked):
        asked, told = masked[: joint.start()].split(), masked[joint.end() :].split()
        if len(asked) >= _LEAST_ASKED and len(told) >= _LEAST_TOLD:
            return joint.start(), joint.end()
    somebody = _WHO_IS_SO.search(masked)
    if somebody is not None and len(masked[: somebody.start()].split()) >= _LEAST_ASKED:
        return somebody.start(), somebody.start()
    return 0, 0


def _where_question_follows(masked: str) -> tuple[int, int, int] | None:
    """Where a statement begins and ends, and the question behind it begins; None: it is not so."""
    if not masked.rstrip(" \t\"')").endswith("?"):
        return None
    begun = _TOLD_FIRST.match(masked)
    if begun is None:
        return None
    for joint in _THEN_ASKED.finditer(masked, begun.end()):
        told, asked = masked[begun.start("told") : joint.start()], masked[joint.end() :]
        if len(told.split()) < _LEAST_TOLD or len(asked.split()) < _LEAST_QUESTION:
            continue
        is_question = is_asking(asked) or _ASKS_AFTER.match(asked) is not None
        if is_question and _CONFIRMS.match(asked) is None:
            return begun.start("told"), joint.start(), joint.end()
    return None


def is_asking(masked: str) -> bool:
    """Whether it begins as a question or a request does; of most sentences the first word tells."""
    words = _PLAIN_WORD.findall(masked[:60].lower().replace("’", "'"))
    first, second, third, *_ = *words, "", "", ""
    if first.removesuffix("'s") not in _MAY_ASK:
        return False
    if first.removesuffix("'s") in _ASKS:  # 'When I am ill, I cannot read' asks nothing
        is_marked = first.endswith("'s") or masked.rstrip(" \t\"')").endswith("?")
        is_ordered = second in _ASKS_WITH or (third in _ASKS_WITH and second not in _YOU)
        return is_marked or is_ordered
    if first in _ORDERS or (first in _ASKS_WITH and second in _YOU):
        return True
    return _BEGINS.match(masked) is not None


def _cut(masked: str, start: int, end: int) -> list[tuple[int, int]]:
    """Halves, as often as needed, at the strongest joint near the middle."""
    stops = [found.end() for found in _WORD.finditer(masked, start, end)]
    if len(stops) <= LONGEST:
        return [(start, end)]
    best: tuple[float, int] | None = None
    for joint in _JOINT.finditer(masked, start, end):
        before = sum(stop <= joint.end() for stop in stops)
        after = len(stops) - before
        if min(before, after) < _LEAST:
            continue
        # A bare comma is the weakest: it also stands in lists ('gloves, balloons, the lot').
        weight = abs(before - after) + (len(stops) / 2 if _is_bare(masked, joint) else 0)
        if best is None or weight < best[0]:
            best = weight, joint.end()
    if best is None:
        return [(start, end)]
    return [*_cut(masked, start, best[1]), *_cut(masked, best[1], end)]


def _is_bare(masked: str, joint: re.Match[str]) -> bool:
    """Whether a comma stands alone: it may as well be one of a list."""
    following = _BEGINNING.match(masked, joint.end())
    return joint[0][:1] == "," and (following is None or following[0].lower() not in _JOINING)


# --- situation: who speaks to whom, and when ---

_MOST_WORDS = 300
"""Words of a text that somebody says at once, in two minutes of talk; all persona texts of the
everyday score have under 120."""
CHAT, PEOPLE, DOCUMENT, ASSISTANT = "u", "p", "d", "a"
"""A person to an assistant, people with each other, a text, the assistant itself."""


class Situation(NamedTuple):
    """The surroundings of a sentence."""

    letter: str  # CHAT, PEOPLE, DOCUMENT or ASSISTANT: which cues count
    speaker: str = ""  # named before the statement; '' when the person of the vault speaks
    reference: int = 0  # UTC ms that 'yesterday' counts from
    said_at: int | None = None  # UTC ms, None: unknown
    zone: str = "UTC"
    names: frozenset[str] = frozenset()  # words of the speakers' names, case folded
    after_assistant: bool = False  # the turn before was the assistant's
    is_spoken: bool = False  # by word of mouth: a day without a year is the next one
    is_told: bool = False  # told by the person, by word of mouth: what has no cue is judged
    is_note: bool = False  # what an assistant notes of 'the user', whom 'I' in it does not mean
    is_theirs: bool = False  # a document of others: what it orders is nothing to do for the person
    asked: str = (
        ""  # what the assistant asked the person just before; judgement/questions/short_answers.py
    )
    is_asked: bool = False  # it asked something, whatever; the first words are to that
    is_long: bool = False  # of more words than somebody says at once: much of it may be pasted

    @property
    def is_own(self) -> bool:
        """Whether 'I' is the person whose vault it is."""
        return not self.speaker

    @property
    def subject(self) -> str:
        """Who 'I' is, as the subject of a slot."""
        return self.speaker or "user"


class Reading(NamedTuple):
    """One sentence under the eyes of the rules."""

    sentence: Sentence
    tokens: Tokens  # the words that count, after fillers; their places are in the sentence
    situation: Situation
    dates: tuple[DateMention, ...] = ()  # places in the sentence too
    lower: str = ""  # the masked sentence in lower case
    antecedent: str = ""  # the name that the first word, a pronoun, stands for


def situations(
    source: Source, *, owners: Collection[str], now: int, zone: str
) -> tuple[Situation | None, ...]:
    """One situation a turn; None for turns that are never evidence (system, tool).

    owners   names under which the vault's person speaks in conversations
    """
    names = frozenset(
        word for turn in source.turns for word in turn.speaker.casefold().split() if len(word) > 1
    )
    own = {name.casefold() for name in owners}
    found: list[Situation | None] = []
    before = ""
    for turn in source.turns:
        said_at = turn.said_at if turn.said_at is not None else source.date
        letter = _letter(turn)
        if letter:
            found.append(
                Situation(
                    letter=letter,
                    speaker=_prefix(turn, own, letter),
                    reference=said_at if said_at is not None else now,
                    said_at=said_at,
                    zone=zone,
                    names=names,
                    after_assistant=before == "assistant",
                    is_spoken=letter == CHAT or (source.is_spoken and letter == DOCUMENT),
                    is_told=source.is_told and letter in (CHAT, DOCUMENT),
                    is_note=source.is_note and letter == DOCUMENT,
                    is_theirs=letter == DOCUMENT and not (source.by_person or source.is_note),
                    is_long=len(turn.text.split(None, _MOST_WORDS)) > _MOST_WORDS,
                )
            )
        else:
            found.append(None)
        before = turn.role
    return tuple(found)


def _letter(turn: Turn) -> str:
    if turn.role in ("system", "tool"):
        return ""
    if turn.role == "assistant":
        return ASSISTANT
    if turn.role == "user":
        return CHAT
    return PEOPLE if turn.speaker else DOCUMENT


def _prefix(turn: Turn, own: Collection[str], letter: str) -> str:
    """The name before the statements of somebody who is not the vault's person."""
    if letter != PEOPLE or turn.speaker.casefold() in own:
        return ""
    return " ".join(turn.speaker.split())
