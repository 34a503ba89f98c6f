"""Whose words each part of a person's turn is: their own, somebody else's, or doubtful.

A turn is the person's, but not all words in it are: they paste mails, quote, ask to translate,
have stories written. What is introduced ('Bob wrote me:'), quoted, addressed or signed as a letter,
or follows a request to work on a text, is another's. Where nothing tells, it is doubtful: it waits
for the person and ends nothing. Pure; docs/judgement.md explains it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from vaultmem import language
from vaultmem.base import NamedTuple, late
from vaultmem.judgement.introductions import spoken_in, words_of
from vaultmem.judgement.pairs.marks import may_hold_others
from vaultmem.judgement.whose import blocks
from vaultmem.judgement.whose.leads import (
    BLOCK,
    DOUBTFUL,
    OTHER,
    OWN,
    SPOKEN,
    Lead,
    is_first_person,
    lead_of,
    resumes,
)

LEAD = "a lead to what follows"
BLANK = "\u00a0"  # four plain spaces before what is left of a line would make it code
QUOTED, CODE, CHAT = "a quotation", "code", "a line of a chat"
_SEGMENT = late(r"[.!?…]+[\"”»)\]*]*(?=\s|$)|[:：](?=\s|$|[\"“„«»‹「'<`*>])|\n|[。！？]")
_TITLE = late(r"(?:^|[\s(])(?:mr|mrs|ms|dr|prof|sr|sra|srta|hr|fr|st|dott|mme|no|nr|vs)$", re.I)
_LIST_MARK = late(r"[\s>]*(?:[-*+•]|\d{1,3}[.)])?[ \t]*(?:\[[ xX]\][ \t]*)?")
_RULE = late(r"[ \t]*(?:[-=_*#~+] ?){3,}[ \t]*$", re.MULTILINE)
_MOST_LISTENED = 4_000  # characters by which the language of a text is told
_MOST_LOOKED_AT = 40  # lines of a paragraph
_SHORT = 45  # words of a last paragraph that may well be the person's again
_LONG_LEAD = 14  # words of a lead that says more than who speaks
_POSTSCRIPT = late(r"\W{0,3}p\.? ?s\b", re.I)
_NAMES = late(r"(?<![.!?]\s)(?<!^)\b[^\W\d_a-z]\w{2,}")


class Span(NamedTuple):
    """A part of a text that is not simply a statement of the person's."""

    start: int
    end: int
    whose: str  # OWN for the words that introduce what follows, else OTHER or DOUBTFUL
    why: str


def spans(text: str, owners: Iterable[str] = ()) -> tuple[Span, ...]:
    """The parts in order that are somebody else's, doubtful, or lead to such; the rest is own.

    owners  names under which the person speaks
    Linear in the text but for what `text_speakers` does; () for a sentence without any mark.
    """
    if not may_hold_others(text):
        return ()
    return _whose_spans(text, frozenset(name.casefold() for name in owners))


@lru_cache(maxsize=4)  # each step of a turn asks whose its words are
def _whose_spans(text: str, owners: frozenset[str]) -> tuple[Span, ...]:
    return _Page(text, owners).judge()


def own_words(text: str, owners: Iterable[str] = (), *, found: Sequence[Span] | None = None) -> str:
    """The text with blanks for all that is not surely the person's own, as long as before."""
    judged = spans(text, owners) if found is None else found
    return _blank_spans(text, [each for each in judged if each.whose != OWN])


def without_others(text: str, found: Sequence[Span]) -> str:
    """The text with blanks for what is surely not the person's statement, as long as before."""
    return _blank_spans(text, [each for each in found if each.whose != DOUBTFUL])


def is_only_introduced(text: str, found: Sequence[Span]) -> bool:
    """Whether no word of a text is the person's but those that introduce another's."""
    return not any(character.isalnum() for character in _blank_spans(text, found))


def doubt_of(found: Sequence[Span], start: int, end: int) -> str:
    """Why a part of the text is doubtful; '' when it is not."""
    return next(
        (s.why for s in found if s.whose == DOUBTFUL and s.start < end and s.end > start), ""
    )


def others_in(text: str, found: Sequence[Span]) -> tuple[tuple[str, str], ...]:
    """(what is somebody else's, why), a part each, in order."""
    told = [(" ".join(text[s.start : s.end].split()), s.why) for s in found if s.whose == OTHER]
    return tuple(each for each in told if any(character.isalnum() for character in each[0]))


def why_of_others(found: Sequence[Span], start: int, end: int) -> str:
    """Why words of a part of the text are somebody else's; '' when none are."""
    return next((s.why for s in found if s.whose == OTHER and s.start < end and s.end > start), "")


def _blank_spans(text: str, found: Iterable[Span]) -> str:
    pieces, done = [], 0
    for span in found:
        hidden = text[span.start : span.end]
        pieces += [text[done : span.start], re.sub(r"[^\n]", BLANK, hidden)]
        done = span.end
    return "".join((*pieces, text[done:])) if pieces else text


class _Segment(NamedTuple):
    start: int
    end: int  # of its words
    after: int  # behind its mark
    mark: str


class _Page:
    """A text while it is painted: one byte a character, the number of a reason."""

    def __init__(self, text: str, owners: Collection[str]) -> None:
        self.text = text
        self.owners = owners
        self.paint = bytearray(len(text))
        # 0 is what nothing was said about yet; 1 is what a lead gave back to the person.
        self.reasons: list[tuple[str, str]] = [(OWN, ""), (OWN, "said")]
        self.lines = _lines(text)
        self.starts = [start for start, _ in self.lines]
        self.paragraphs = _paragraphs(self.lines, text)
        self.paragraph_starts = [start for start, _ in self.paragraphs]
        self.signed = blocks.signatures(self.lines, text)
        self.signed_lines = [each.line for each in self.signed]
        self.regions = blocks.regions(text)
        self.region_starts = [region.start for region in self.regions]
        self.around = spoken_in(words_of(text[:_MOST_LISTENED]))
        self._leads: dict[tuple[str, str, bool], Lead | None] = {}
        self.led: set[int] = set()  # regions that a lead speaks of

    def judge(self) -> tuple[Span, ...]:
        # What speaks for itself comes first, then leads, then marks that no lead speaks of: `_put`
        # paints only what is still bare, so this order decides which reason counts.
        self._chats()
        self._mails()
        segments = list(self._segments())
        for segment in segments:
            self._lead(segment)
        for number, region in enumerate(self.regions):
            if number not in self.led and not region.is_short:
                is_all = not (self.text[: region.start] + self.text[region.end :]).strip()
                is_quote = self.text[region.start] in '"“„«»‹「'
                # A text that is one quotation may be the person's own, in quotation marks.
                whose = DOUBTFUL if is_all and is_quote else OTHER
                self._put(region.start, region.end, whose, CODE if region.is_code else QUOTED)
        self._letters()
        for start, end, why in blocks.odd_lines(self.lines, self.text):
            self._put(start, end, OTHER, why)
        for kind in blocks.kinds(self.lines, self.text):
            self._kind(kind)
        # Last, as it reaches back over what came before it.
        self._back(segments)
        return self._spans()

    # --- painting -------------------------------------------------------------------------

    def _put(self, start: int, end: int, whose: str, why: str) -> None:
        """Paint what nothing was said about yet."""
        reason = (whose, why)
        if reason not in self.reasons:
            self.reasons.append(reason)
        code = self.reasons.index(reason)
        if not any(self.paint[start:end]):
            self.paint[start:end] = bytes([code]) * (end - start)
            return
        for place in range(start, min(end, len(self.paint))):
            if not self.paint[place]:
                self.paint[place] = code

    def _spans(self) -> tuple[Span, ...]:
        found: list[Span] = []
        for run in re.finditer(rb"([^\x00])\1*", self.paint, re.DOTALL):
            whose, why = self.reasons[run[1][0]]
            # 'said' keeps other rules off, and is no span.
            if why != "said" and self.text[run.start() : run.end()].strip():
                found.append(Span(run.start(), run.end(), whose, why))
        return tuple(found)

    def _is_painted(self, place: int) -> bool:
        return place < len(self.paint) and self.paint[place] != 0

    # --- where things are -----------------------------------------------------------------

    def _segments(self) -> Iterable[_Segment]:
        """Sentences, lines and what stands before a colon, outside of what is marked off."""
        start = 0
        for found in _SEGMENT.finditer(self.text):
            if found.start() < start:
                continue
            region = self._region_over(found.start())
            if region is not None:
                if region.start > start and self.text[start : region.start].strip():
                    yield _Segment(start, region.start, region.start, "")
                start = max(start, region.end)
                continue
            if found[0][0] == "." and _TITLE.search(
                self.text[max(start, found.start() - 6) : found.start()]
            ):
                continue
            mark = found[0][0] if found[0][0] in ":.!?" else ":" if found[0] == "：" else ""
            if self.text[start : found.start()].strip():
                yield _Segment(start, found.start(), found.end(), mark)
            start = found.end()
        if self.text[start:].strip():
            yield _Segment(start, len(self.text), len(self.text), "")

    def _region_over(self, place: int) -> blocks.Region | None:
        number = bisect_right(self.region_starts, place) - 1
        if number >= 0 and self.regions[number].end > place:
            return self.regions[number]
        return None

    def _region_at(self, place: int) -> int:
        """The number of the region that begins here; -1: none."""
        number = bisect_left(self.region_starts, place)
        is_here = number < len(self.regions) and self.regions[number].start == place
        return number if is_here else -1

    def _line(self, place: int) -> int:
        return max(bisect_right(self.starts, place) - 1, 0)

    def _paragraph(self, place: int) -> int:
        return max(bisect_right(self.paragraph_starts, place) - 1, 0)

    def _first_after(self, place: int) -> int:
        rest = re.compile(r"\s*").match(self.text, place)
        return rest.end() if rest else place

    # --- what speaks for itself -----------------------------------------------------------

    def _chats(self) -> None:

        for number in sorted(language.foreign_lines(self.text, self.owners)):
            start, end = self.lines[number]
            self._put(start, end, OTHER, CHAT)

    def _mails(self) -> None:
        for start, end, sender in blocks.mail_headers(self.lines, self.text):
            if self._is_painted(start):
                continue
            if sender and self._is_owner(sender):
                continue
            self._put(start, end, OTHER, "a mail")
            body = self._first_after(end)
            if body < len(self.text):
                self._follow(body, Lead(OTHER, "a mail", BLOCK), names=_NAMES.findall(" " + sender))

    def _is_owner(self, name: str) -> bool:
        words = name.casefold().replace("<", " ").split()
        return bool({*words, name.casefold()} & set(self.owners)) or words[:1] in (["me"], ["ich"])

    # --- leads ----------------------------------------------------------------------------

    def _lead(self, segment: _Segment) -> None:
        first = _LIST_MARK.match(self.text, segment.start, segment.end)
        start = first.end() if first else segment.start
        if self._is_painted(start) and self.reasons[self.paint[start]][1] != "said":
            return
        after = self._first_after(segment.after)
        region = self._region_at(after)
        mark = segment.mark
        if not mark and region >= 0 and "\n" not in self.text[segment.end : after]:
            mark = ":"  # 'Bob wrote "..."', 'Translate <text>...'
        ends_line = after >= len(self.text) or "\n" in self.text[segment.end : after]
        if not mark and not ends_line:
            return
        if mark != ":" and not ends_line and after >= len(self.text):
            return
        words = self.text[start : segment.end]
        if len(words) > 600:
            words = words[-600:]
        if ends_line and region >= 0 and not mark and "\n\n" not in self.text[segment.end : after]:
            mark = ":"
        asked = (words, mark, ends_line)
        if asked not in self._leads:  # 25,000 lines alike were read one by one: 4.6 s of 5
            self._leads[asked] = lead_of(words, mark=mark, ends_line=ends_line, around=self.around)
        lead = self._leads[asked]
        if lead is None:
            return
        # 'Remember:' before a mail does not make the mail the person's.
        if after < len(self.text) and not (lead.whose == OWN and self._is_painted(after)):
            self._apply_lead(segment, start, after, lead, region)
        if lead.whose != OWN or lead.is_request:
            is_short = len(words.split()) <= _LONG_LEAD or lead.is_request
            if is_short and (lead.why != "a story" or lead.whose == DOUBTFUL):
                self._put(start, segment.after, OWN, LEAD)

    def _apply_lead(
        self, segment: _Segment, start: int, after: int, lead: Lead, region: int
    ) -> None:
        if region >= 0:
            self._lead_to_region(segment, lead, region)
            return
        rule = _RULE.match(self.text, after)
        # People put a line of dashes above and below what they paste.
        if rule is not None and self._line(after) + 1 < len(self.lines):
            closing = _RULE.search(self.text, rule.end())
            if closing is not None and lead.whose != OWN:
                self._put(after, closing.end(), lead.whose, lead.why)
                return
        names = _NAMES.findall(self.text[start : segment.end])
        self._follow(after, lead, names=names, is_same_line=not self._is_line_start(after))

    def _lead_to_region(self, segment: _Segment, lead: Lead, number: int) -> None:
        region = self.regions[number]
        is_told = region.is_short and lead.whose == OTHER and lead.reach == SPOKEN
        # A name or a title that somebody said; without an 'I' it is not taken for the speaker's
        # words anyway.
        if is_told and not is_first_person(self.text[region.inner : region.inner_end]):
            return
        if lead.whose != OWN:
            end = region.start
            while number < len(self.regions) and not self.text[end : region.start].strip():
                self.led.add(number)
                self._put(region.start, region.end, lead.whose, lead.why)
                end, number = region.end, number + 1
                region = self.regions[min(number, len(self.regions) - 1)]
        elif not self._is_block_quote(region):
            self.led.add(number)
            self._put(region.start, region.inner, OTHER, "a quotation mark")
            self._put(region.inner, region.inner_end, OWN, "said")
            self._put(region.inner_end, region.end, OTHER, "a quotation mark")

    def _is_block_quote(self, region: blocks.Region) -> bool:
        return self.text[region.start : region.start + 4].lstrip().startswith(">")

    def _signature(self, line: int) -> tuple[int, str]:
        """(place of the end, name) of the first signature from a line on; (-1, '') without one."""
        number = bisect_left(self.signed_lines, line)
        if number == len(self.signed):
            return -1, ""
        return self.signed[number].end, self.signed[number].name

    def _is_line_start(self, place: int) -> bool:
        return not self.text[self.starts[self._line(place)] : place].strip()

    def _follow(
        self, body: int, lead: Lead, *, names: Sequence[str] = (), is_same_line: bool = False
    ) -> None:
        """Paint what a lead introduces, from its first word on."""
        if self._is_painted(body) and self.reasons[self.paint[body]][1] != "said":
            return  # a chat, a mail: it has an end of its own
        place = self._paragraph(body)
        line = self._line(body)
        end = self._end_of_part(line, self.paragraphs[place][1])
        is_letter = blocks.greeting(self.text[body : self.lines[line][1]]) not in ("", "diary")
        if lead.whose == OWN:
            if lead.reach == BLOCK and is_letter:
                signed, _ = self._signature(line + 1)
                end = signed if signed > 0 else len(self.text)
            self._put(body, end, OWN, "said")
            return
        if lead.whose == DOUBTFUL and resumes(self.text[body:end]):
            return
        if lead.reach == SPOKEN and is_same_line:
            self._put_speech(body, end, lead)
            return
        if (
            lead.whose == DOUBTFUL
            and lead.why == "a story"
            and not is_first_person(self.text[body:end])
        ):
            return
        if lead.reach == BLOCK:
            signed, _ = self._signature(line + 1)
            if signed > 0 and not self._goes_on(body, signed, names):
                self._put(body, signed, lead.whose, lead.why)
                self._postscript(signed, lead)
                return
        self._put(body, end, lead.whose, lead.why)
        if lead.reach == BLOCK:
            self._more(place, lead, names, is_same_line=is_same_line, is_letter=is_letter)

    def _end_of_part(self, line: int, end: int) -> int:
        """Where a paragraph ends, or a line of it asks for work: 'Task: translate the text.'"""
        for start, stop in self.lines[line + 1 : line + _MOST_LOOKED_AT]:
            if start >= end:
                break
            label, colon, _ = self.text[start : min(stop, start + 60)].partition(":")
            told = lead_of(self.text[start:stop], mark=".", ends_line=False, around=self.around)
            if colon and len(label.split()) < 3 and told is not None and told.is_request:
                return start
        return end

    def _put_speech(self, body: int, end: int, lead: Lead) -> None:
        """'Mum says: I am ill.': the first sentence is hers, what comes after it doubtful."""
        if not is_first_person(self.text[body:end]):
            return
        stop = re.compile(r"[.!?]+[\"”»]?(?=\s|$)|\n").search(self.text, body, end)
        first = stop.end() if stop else end
        self._put(body, first, lead.whose, lead.why)
        if self.text[first:end].strip() and not resumes(self.text[first:end].strip()):
            self._put(first, end, DOUBTFUL, "perhaps still what somebody else said")

    def _goes_on(self, body: int, end: int, names: Sequence[str]) -> bool:
        """Whether the person speaks again before a place."""
        first = self._paragraph(body) + 1
        return any(self._is_theirs(number, names) for number in range(first, self._paragraph(end)))

    def _is_theirs(self, number: int, names: Sequence[str]) -> bool:
        """Whether the person speaks again in a paragraph."""
        start, end = self.paragraphs[number]
        told = self.text[start:end].strip()
        if resumes(told) or any(re.search(rf"\b{re.escape(name)}\b", told) for name in names):
            return True
        first = next(iter(_SEGMENT.finditer(told)), None)
        if first is None or first[0][0] != ":":
            return False
        return (
            lead_of(told[: first.start()], mark=":", ends_line=False, around=self.around)
            is not None
        )

    def _more(
        self, place: int, lead: Lead, names: Sequence[str], *, is_same_line: bool, is_letter: bool
    ) -> None:
        """The paragraphs below the first, as far as the person does not speak again."""
        last = len(self.paragraphs) - 1
        for number in range(place + 1, last + 1):
            start, end = self.paragraphs[number]
            # A part between marks was judged by these.
            if self._region_at(self._first_after(start)) >= 0:
                continue
            if self._is_theirs(number, () if is_letter else names):
                return
            is_perhaps = is_same_line and not is_letter
            if number == last and not is_letter:
                is_perhaps = is_perhaps or len(self.text[start:end].split()) <= _SHORT
            whose = DOUBTFUL if is_perhaps else lead.whose
            why = f"perhaps still {lead.why.removeprefix('perhaps ')}" if is_perhaps else lead.why
            self._put(start, end, whose, why)

    def _postscript(self, end: int, lead: Lead) -> None:
        body = self._first_after(end)
        if body < len(self.text) and _POSTSCRIPT.match(self.text, body):
            self._put(body, self.paragraphs[self._paragraph(body)][1], lead.whose, lead.why)

    # --- letters, kinds, and what is spoken of at the end -----------------------------------

    def _letters(self) -> None:
        for start, _ in self.paragraphs:
            place = self._first_after(start)
            if self._is_painted(place):
                continue
            line = self._line(place)
            kind = blocks.greeting(self.text[place : self.lines[line][1]])
            if kind in ("", "diary"):
                continue
            signed, name = self._signature(line + 1)
            if signed > 0 and name and self._is_owner(name):
                self._put(place, signed, OWN, "said")
            elif signed > 0 and (name or kind == "formal"):
                self._put(place, signed, OTHER, "a letter")
                self._postscript(signed, Lead(OTHER, "a letter", BLOCK))
            elif kind == "formal" or self.text[place : self.lines[line][1]].strip()[-1:] in ",:":
                whose = OTHER if kind == "formal" else DOUBTFUL
                self._follow(place, Lead(whose, "a letter", BLOCK))
        sure = next((each for each in self.signed if each.is_sure and each.line), None)
        signed, name = (sure.end, sure.name) if sure else (-1, "")
        is_new = signed > 0 and not self._is_painted(self.lines[sure.line][0] if sure else 0)
        if is_new and name and not self._is_owner(name):
            for start, end in self.paragraphs:
                if end <= signed or start < signed:
                    self._put(start, min(end, signed), DOUBTFUL, "signed by somebody")

    def _kind(self, kind: blocks.Kind) -> None:
        """A text that shows of what kind it is, from its first mark on."""
        whose, why = DOUBTFUL if kind.is_doubtful else OTHER, f"reads like a text ({kind.name})"
        first = self._paragraph(kind.first)
        last = self._paragraph(max(kind.last - 1, 0))
        for number, (start, end) in enumerate(self.paragraphs):
            if number < first:
                if kind.is_tailed and not resumes(self.text[start:end].strip()):
                    self._put(start, end, DOUBTFUL, why)
            elif number <= last:
                self._put(start, end, whose, why)
            elif resumes(self.text[start:end].strip()):
                return
            else:
                self._put(start, end, DOUBTFUL, why)

    def _back(self, segments: Sequence[_Segment]) -> None:
        """'... Translate the above into German.': what stands before may be anybody's."""
        for segment in reversed(segments[-2:]):
            if self._is_painted(segment.start) or segment.mark == ":":
                continue
            words = self.text[segment.start : segment.end]
            lead = lead_of(words, mark=".", ends_line=False, around=self.around)
            if lead is None or not lead.is_request or lead.whose == OWN:
                continue
            if lead.why.startswith("a story") or self._first_after(segment.after) < len(self.text):
                continue
            place = self._paragraph(segment.start)
            begins = self.paragraphs[place][0]
            first = 0 if not self.text[begins : segment.start].strip() else begins
            for start, end in self.paragraphs:
                if start >= first and start < segment.start:
                    self._put(start, min(end, segment.start), DOUBTFUL, "perhaps a text to work on")


def _lines(text: str) -> list[tuple[int, int]]:
    found, start = [], 0
    for line in text.split("\n"):
        found.append((start, start + len(line)))
        start += len(line) + 1
    return found


def _paragraphs(lines: Sequence[tuple[int, int]], text: str) -> list[tuple[int, int]]:
    """Where lines without an empty one between them begin and end; at least one."""
    found: list[tuple[int, int]] = []
    is_open = False
    for start, end in lines:
        if not text[start:end].strip():
            is_open = False
        elif is_open:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
            is_open = True
    return found or [(0, len(text))]
