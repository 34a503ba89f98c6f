"""Parts of a text that show by their form that somebody else may have written them.

Fences, tags, quotation marks, mail headers, salutations and signatures, and the marks of lyrics,
reviews, job advertisements and the like. Nothing here knows what stands before a part.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from vaultmem import language
from vaultmem.base import NamedTuple, late
from vaultmem.judgement.introductions import fold_accents, languages, pad_words, words_of

MOST_QUOTED = 20_000  # characters between two quotation marks
_FENCE = late(r"^ {0,3}(`{3,}|~{3,})[^\n`]*\n", re.MULTILINE)
_TRIPLE = late(r"\"{3}|'{3}|`{3}")
_TAG = late(r"<([A-Za-z][\w-]{0,30})(?:\s[^<>\n]{0,200})?>|\[(quote|code)(?:=[^\]\n]{0,80})?\]")
_TAGS = (
    "a abbr b br big cite del em font hr i img ins kbd li mark ol p s small span strike strong sub "
    "sup tt u ul wbr h1 h2 h3 h4 div table tr td th"
)
# What stands between such tags is a part of the person's own sentence.
_INLINE_TAGS = frozenset(_TAGS.split())
_QUOTE_LINES = late(r"(?:^ {0,3}>[^\n]*\n?)+", re.MULTILINE)
_PAIRS = {"„": "“”", "“": "”", "«": "»", "»": "«", "‹": "›", "「": "」", '"': '"'}
_CLOSERS = {
    mark: late(r'(?<!\s)"(?!\w)' if mark == '"' else f"[{closers}]")
    for mark, closers in _PAIRS.items()
}
_QUOTE_MARKS = late("[" + "".join(_PAIRS) + "]")
_SENTENCES = late(r"[.!?…][\"'”»)]*\s+\S")
_HEADER = late(r"[*>\s]{0,4}([^\W\d_][\w -]{0,20}?)\s?:\*{0,2}[ \t]+(?=\S)")
_SUBJECTS = frozenset(["subject", "betreff", "asunto", "objet", "oggetto", "onderwerp", "assunto"])
_ADDRESSED = frozenset(["to", "an", "para", "a", "aan"])  # 'From: Vienna, To: Graz' is a journey
_NAME = late(r"\W{0,3}[^\W\d_a-z][\w'’.-]*(?:[ ,]+(?:[^\W\d_a-z][\w'’.-]*|de|van|von|der|da)){0,3}")
_GREETED = (
    "claude chatgpt gpt gemini copilot siri alexa assistant assistent assistente asistente ai ki "
    "ia bot there all everyone everybody again zusammen alle world computer jarvis vaultmem memory "
    "todos tous tutti allemaal assistante robot you dich du friend"
)
_ASSISTANTS = frozenset(_GREETED.split())
_MOST_GREETED = 8  # words of a line that greets
_MOST_SIGNED = 4  # words of a name below a letter
_SUBTITLE = late(r"\d\d:\d\d[.,:]\d{2,3}\s*-->")
_STARS = late(r"[★☆]{2}|⭐{2}|\b[1-5]/5\b")
_CODE = late(
    r"\s*(?://|/\*|\*/|#include|#!|<\?)"
    r"|.*[;{}]\s*$|\s*(?:def|class|import|from|return|function|const|let|var|public|private)\b.*[:;({]"
)
_COMMENT = late(r"\s*(?://|/\*|\*/)")
_SCENE = late(r"\s*(?:INT|EXT)\. ")
_DASHED = late(r"\s*—\S")
_ROLE = late(r"\W{0,3}([^\W\d_][\w ]{0,24}?)(?: ?#?\d{1,2})?\s?:\*{0,2}\s+\S")
_LEAST_MARKS = {"lyrics": 1, "review": 1, "forum": 1, "contract": 3}
_DOUBTED = ("cv", "recipe")  # kinds that people write of themselves as well
_TAILED = ("review", "article", "forum", "readme")  # kinds whose mark stands below the text as well


class Region(NamedTuple):
    """A part between marks; the marks belong to it."""

    start: int
    inner: int
    inner_end: int
    end: int
    is_short: bool = False  # a quotation of one sentence, which may be a mere name
    is_code: bool = False


class Kind(NamedTuple):
    """That a text is of a kind that is rarely the person's own words."""

    name: str
    first: int  # place of the first line that shows it
    last: int  # place of the end of the last one
    is_doubtful: bool
    is_tailed: bool


def regions(text: str) -> list[Region]:
    """All parts between marks in order, none inside another."""
    found = [
        *_fenced_regions(text),
        *_triple_quote_regions(text),
        *_tag_regions(text),
        *_quoted_lines(text),
    ]
    taken = _merge_regions(found)
    return sorted([*taken, *(one for one in _quote_regions(text) if not _is_in(one, taken))])


def _merge_regions(found: Sequence[Region]) -> list[Region]:
    kept: list[Region] = []
    for one in sorted(found, key=lambda each: (each.start, -each.end)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept


def _is_in(one: Region, taken: Sequence[Region]) -> bool:
    from bisect import bisect_right

    place = bisect_right(taken, one.start, key=lambda each: each.start) - 1
    following = place + 1 < len(taken) and taken[place + 1].start < one.end
    return following or (place >= 0 and taken[place].end > one.start)


def _fenced_regions(text: str) -> Iterator[Region]:
    at = 0
    while (opening := _FENCE.search(text, at)) is not None:
        closing = text.find(f"\n{opening[1]}", opening.end() - 1)
        inner_end = len(text) if closing < 0 else closing
        # A fence that is not closed goes to the end of the text, as Markdown shows it.
        end = len(text) if closing < 0 else closing + 1 + len(opening[1])
        yield Region(opening.start(), opening.end(), inner_end, end, is_code=True)
        at = max(end, opening.end())


def _triple_quote_regions(text: str) -> Iterator[Region]:
    at = 0
    while (opening := _TRIPLE.search(text, at)) is not None:
        closing = text.find(opening[0], opening.end())
        end = len(text) if closing < 0 else closing + 3
        yield Region(opening.start(), opening.end(), len(text) if closing < 0 else closing, end)
        at = end


def _tag_regions(text: str) -> Iterator[Region]:
    if "<" not in text and "[" not in text:
        return
    low = text.lower()
    at = 0
    unclosed: set[str] = set()  # each is looked for once: a long text of opening tags is linear
    while (opening := _TAG.search(text, at)) is not None:
        at = opening.end()
        name = (opening[1] or opening[2]).lower()
        if name in _INLINE_TAGS or name in unclosed:
            continue
        mark = f"</{name}" if opening[1] else f"[/{name}"
        closing = low.find(mark, at)
        # Lower case can be longer than the text ('İ' becomes two characters): then places in one
        # are none in the other.
        if closing < 0 or len(low) != len(text):
            unclosed.add(name)
            continue
        end = text.find(">" if opening[1] else "]", closing)
        at = len(text) if end < 0 else end + 1
        yield Region(opening.start(), opening.end(), closing, at)


def _quoted_lines(text: str) -> Iterator[Region]:
    if ">" in text:
        for found in _QUOTE_LINES.finditer(text):
            yield Region(found.start(), found.start(), found.end(), found.end())


def _quote_regions(text: str) -> Iterator[Region]:
    at = 0
    unclosed: set[str] = set()  # each is looked for once
    while (opening := _QUOTE_MARKS.search(text, at)) is not None:
        start = opening.start()
        at = start + 1
        before = text[start - 1 : start]
        # Behind a letter or a stop a mark closes; at the end of a line it opens nothing.
        if (before and (before.isalnum() or before in ".,!?")) or text[at : at + 1] in ("", "\n"):
            continue
        if opening[0] in unclosed:
            continue
        closing = _CLOSERS[opening[0]].search(text, at)
        if closing is None:
            unclosed.add(opening[0])
            continue
        end = closing.start()
        inner = text[at:end]
        if len(inner) > MOST_QUOTED:
            continue
        is_long = "\n" in inner or _SENTENCES.search(inner) is not None
        yield Region(start, at, end, end + 1, is_short=not is_long)
        at = end + 1


# --- letters ------------------------------------------------------------------------------


@cache
def _greetings(kind: str) -> tuple[str, ...]:
    return tuple(phrase for each in languages() for phrase in getattr(each, kind))


def greeting(line: str) -> str:
    """'formal', 'plain' or 'diary' for a line that greets somebody by name; '' for any other."""
    bare = line.strip().strip("*_> ")
    words = [word for word in words_of(bare) if word != ","]
    said = pad_words(words[:_MOST_GREETED])
    if said.startswith(_greetings("diary")):
        return "diary"
    is_line = len(words) <= _MOST_GREETED and (bare[-1:] in ",:!" or len(words) <= 4)
    for kind in ("greet", "greet_perhaps"):
        phrase = next((each for each in _greetings(kind) if said.startswith(each)), "")
        if not phrase:
            continue
        names = words[len(phrase.split()) :]
        if kind == "greet" and not is_line:
            cut = re.match(r"[^,:!\n]{3,60}[,:!]", bare)  # 'Dear Ms Weber, I am writing ...'
            names = words_of(cut[0])[len(phrase.split()) :] if cut else []
            is_line = bool(cut) and 0 < len(names) <= 5 and _is_named(cut[0] if cut else "")
        is_whole = kind == "greet" and len(phrase.split()) > 1 and is_line
        # 'Hi Claude,' greets the assistant, and what follows is the person's own.
        if not is_line or not (names or is_whole) or not _ASSISTANTS.isdisjoint(names):
            return ""
        if not is_whole and not _is_named(bare) and (kind != "greet" or bare[-1:] not in ",:"):
            return ""
        return "formal" if kind == "greet" else "plain"
    return ""


def _is_named(line: str) -> bool:
    """Whether a word after the first has a capital."""
    return any(word[:1].isupper() for word in re.findall(r"[^\W\d_][\w'’.-]*", line)[1:])


class Signature(NamedTuple):
    """Where a letter is signed."""

    line: int  # number of the line that says good-bye
    end: int  # place behind the name
    name: str  # '': it has none
    is_sure: bool = True  # 'Kind regards', not 'Thanks', which the assistant is told as well


def signatures(lines: Sequence[tuple[int, int]], text: str) -> list[Signature]:
    """The signatures of letters in a text, in order."""
    found = []
    for number, (start, end) in enumerate(lines):
        if end - start > 90 or not text[start:end].strip():
            continue
        line = text[start:end]
        words = [word for word in words_of(line) if word != ","]
        said = closing_of(words)
        if said < 0:
            continue
        is_sure = not pad_words(words).startswith(_greetings("close_perhaps"))
        rest = line.split(",", 1)[1] if "," in line else " ".join(line.split()[said:])
        if rest.strip() and said < len(words):
            if is_name(rest):
                found.append(Signature(number, end, rest.strip(" ,.!"), is_sure))
            continue
        if said < len(words):
            continue
        below = range(number + 1, min(number + 4, len(lines)))
        named = next((n for n in below if text[slice(*lines[n])].strip(" ,.-–—")), None)
        if named is None:
            found.append(Signature(number, end, "", is_sure))
        elif is_name(text[slice(*lines[named])]):
            name = text[slice(*lines[named])].strip()
            found.append(Signature(number, lines[named][1], name, is_sure))
    return found


def is_name(line: str) -> bool:
    """Whether a line is a name and nothing else."""
    bare = line.strip(" ,.!-–—*_")
    return len(bare.split()) <= _MOST_SIGNED and _NAME.fullmatch(bare) is not None


def closing_of(words: Sequence[str]) -> int:
    """How many words say good-bye at the beginning of a line; -1: none."""
    if not words or len(words) > 9:
        return -1
    if words[0] not in _closings():
        return -1
    said = pad_words(words)
    found = [len(each.split()) for each in _closings()[words[0]] if said.startswith(each)]
    return max(found, default=-1)


@cache
def _closings() -> dict[str, tuple[str, ...]]:
    """Phrases that say good-bye, by their first word."""
    found: dict[str, tuple[str, ...]] = {}
    for phrase in (*_greetings("close"), *_greetings("close_perhaps")):
        first = phrase.split()[0]
        found[first] = (*found.get(first, ()), phrase)
    return found


# --- mails --------------------------------------------------------------------------------


@cache
def _header_words() -> tuple[frozenset[str], frozenset[str]]:
    first = frozenset(word for each in languages() for word in each.header_from)
    return first, first | frozenset(word for each in languages() for word in each.header)


def mail_headers(lines: Sequence[tuple[int, int]], text: str) -> list[tuple[int, int, str]]:
    """(place, end, sender) of each block of headers; a line 'Original message' is one, too."""
    firsts, known = _header_words()
    found: list[tuple[int, int, str]] = []
    number = 0
    while number < len(lines):
        kinds, sender, last = set(), "", number
        while last < len(lines):
            line = text[slice(*lines[last])]
            header = _HEADER.match(line) if ":" in line[:30] else None
            word = fold_accents(header[1]).strip().replace(" ", "-") if header else ""
            if word not in known:
                break
            kinds.add(word)
            if word in firsts and header is not None:
                sender = line[header.end() :].strip()
            last += 1
        if kinds and _is_mail(kinds, sender, firsts):
            found.append((lines[number][0], lines[last - 1][1], sender))
        elif not kinds and _is_forwarded(text[slice(*lines[number])]):
            found.append((*lines[number], ""))
        number = max(last, number + 1)
    return found


def _is_mail(kinds: set[str], sender: str, firsts: frozenset[str]) -> bool:

    if not kinds - _SUBJECTS:
        return True
    if "@" in sender:
        return True
    others = kinds - firsts
    if kinds & firsts and others - _ADDRESSED:
        return True
    if len(others) > 1 and "subject" in others | {"betreff", "asunto", "objet", "oggetto"}:
        return True
    first = fold_accents(sender.split()[0].strip("\"'*")) if sender.split() else ""
    is_person = first in language.GIVEN or (others and len(sender.split()) > 1 and is_name(sender))
    return bool(kinds & firsts) and bool(is_person)


def _is_forwarded(line: str) -> bool:
    if len(line) > 120 or not line.strip("-_ =>*\t"):
        return False
    said = pad_words([word for word in words_of(line) if word != ","][:9])
    marked = line.strip()[:2] in ("--", "__", "==", "**", "> ") or said.startswith(" begin ")
    return marked and any(said.startswith(each) for each in _greetings("forwarded"))


# --- kinds of text ------------------------------------------------------------------------


def kinds(lines: Sequence[tuple[int, int]], text: str) -> list[Kind]:
    """The kinds of which a text shows marks enough."""
    low = fold_accents(text).replace("'", "").replace("’", "")
    seen: dict[str, set[str]] = {}
    for cues in languages():
        for kind, marks in cues.marks:
            hits = {mark for mark in marks if mark and mark in low}
            if hits:
                seen.setdefault(kind, set()).update(hits)
    if _STARS.search(text):
        seen.setdefault("review", set()).add("★★")
    found = []
    for kind, hits in sorted(seen.items()):
        # A mark inside a longer one is one sign of its kind and not two.
        apart = {one for one in hits if not any(one != two and one in two for two in hits)}
        if len(apart) < _LEAST_MARKS.get(kind, 2):
            continue
        places = [
            place
            for place in lines
            if any(
                m in fold_accents(text[slice(*place)]).replace("'", "").replace("’", "")
                for m in hits
            )
            or (kind == "review" and _STARS.search(text[slice(*place)]))
        ]
        if places:
            found.append(Kind(kind, places[0][0], places[-1][1], kind in _DOUBTED, kind in _TAILED))
    return found


def odd_lines(lines: Sequence[tuple[int, int]], text: str) -> list[tuple[int, int, str]]:
    """(place, end, why) of lines that are subtitles, code, a scene or spoken parts."""
    found: list[tuple[int, int, str]] = []
    for first, last in _paragraphs_of(lines, text):
        block = [text[slice(*place)] for place in lines[first:last]]
        whole = (lines[first][0], lines[last - 1][1])
        if any(_SUBTITLE.search(line) for line in block):
            found.append((*whole, "subtitles"))
        elif len(code := [n for n, line in enumerate(block) if _CODE.match(line)]) > 1:
            found.append((lines[first + code[0]][0], lines[first + code[-1]][1], "lines of code"))
        elif _SCENE.match(block[0]):
            found.append((lines[first][0], lines[-1][1], "a scene"))
        else:
            dashed = [n for n, line in enumerate(block) if _DASHED.match(line)]
            if dashed and (len(dashed) > 1 or "—" in block[dashed[0]].strip()[1:]):
                found += [(*lines[first + n], "spoken parts") for n in dashed]
            found += [
                (*lines[first + n], "a comment in code")
                for n, line in enumerate(block)
                if _COMMENT.match(line) and "://" not in line[:8]
            ]
    return [*found, *_parts(lines, text)]


def _paragraphs_of(lines: Sequence[tuple[int, int]], text: str) -> Iterator[tuple[int, int]]:
    first = None
    for number, (start, end) in enumerate(lines):
        if text[start:end].strip():
            first = number if first is None else first
        elif first is not None:
            yield first, number
            first = None
    if first is not None:
        yield first, len(lines)


def _parts(lines: Sequence[tuple[int, int]], text: str) -> Iterator[tuple[int, int, str]]:
    """Lines that begin with a role, where two roles or more speak: 'Customer:', 'Agent:'."""
    roles = frozenset(word for each in languages() for word in each.roles)
    told: list[tuple[int, str]] = []
    for number, (start, end) in enumerate(lines):
        found = _ROLE.match(text, start, end)
        words = fold_accents(found[1]).split() if found else []
        if words and (words[-1] in roles or words[0] in roles):
            told.append((number, " ".join(words)))
    # 'Q:' and 'A:' are roles, but two or three lines with one letter may as well be a list.
    if len({role for _, role in told}) < 2 or (
        len(told) < 4 and any(len(role) == 1 for _, role in told)
    ):
        return
    for number, _ in told:
        last = number + 1
        numbers = {each for each, _ in told}
        while last < len(lines) and last not in numbers and text[slice(*lines[last])].strip():
            last += 1
        yield lines[number][0], lines[last - 1][1], "spoken parts"
