"""What the words before a text say about it: 'Bob wrote me:', 'My bio:', 'Translate this:'.

Asked of a sentence or of what stands before a colon, in the language that knows most of its words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from vaultmem.base import NamedTuple
from vaultmem.judgement.features import is_form
from vaultmem.judgement.introductions import Cues, openers, pad_words, spoken_in, words_of
from vaultmem.language import fold

OWN, OTHER, DOUBTFUL = "own", "other", "doubtful"
BLOCK, PARAGRAPH, SPOKEN = "block", "paragraph", "spoken"
"""How far it reaches: a pasted text with its paragraphs, the paragraph, or what one says."""
_NEAR = 9  # words before the colon among which its verb or noun stands
_BARE = 3  # words of 'Please explain this:'
_MOST_BEFORE = 7  # words of courtesy before what is asked for
_SHORT = 12  # words of a line that asks for work on what is below
PERHAPS = "perhaps a text that is introduced"
_COMPOUNDS = ("de", "nl")  # where a noun may be the end of a word: 'Kurzbiografie'


class Lead(NamedTuple):
    """Whose words follow, why, how far that reaches, and whether the lead is no statement."""

    whose: str
    why: str
    reach: str
    is_request: bool = False


def lead_of(text: str, *, mark: str, ends_line: bool, around: Collection[Cues] = ()) -> Lead | None:
    """What a lead says; None: it is none.

    mark       what it ends with: ':', '.', '?', '!' or '' (the end of the line)
    ends_line  what it introduces stands on the next line
    around     the languages of the whole text, for words that several languages have
    """
    words = words_of(text)
    while words and words[0] == ",":
        del words[0]
    # A paragraph that ends in a colon is no lead.
    if not words or len(words) > 60:
        return None
    # Every sentence of a text comes by here: this look is cheap, the next one asks each language
    # about each word.
    if mark != ":" and openers().isdisjoint(words):
        return None
    known = spoken_in([word for word in words if word != ","])
    likely = tuple(each for each in known if each in around)
    for cues in likely or known:
        found = _Reading(cues, words, mark=mark, ends_line=ends_line).lead()
        if found is not None:
            return found
    return None


def is_first_person(text: str) -> bool:
    """Whether somebody speaks of themselves."""
    words = words_of(text)
    return any(not each.me.isdisjoint(words) for each in spoken_in(words))


def resumes(text: str) -> bool:
    """Whether a paragraph begins as people go on after what they pasted."""
    words = words_of(text[:200])[:14]
    said = pad_words(words)
    return any(
        said.startswith(each.resume) or any(phrase in said for phrase in each.aside)
        for each in spoken_in(words)
    )


class _Reading:
    """One lead under the eyes of one language."""

    def __init__(self, cues: Cues, words: Sequence[str], *, mark: str, ends_line: bool) -> None:
        self.cues = cues
        self.words = [word for word in words if word != ","]
        self.said = pad_words(self.words)
        self.is_colon = mark == ":"
        self.mark = mark
        self.ends_line = ends_line
        self.near = self.words[-_NEAR:]

    def lead(self) -> Lead | None:
        """The first judgement that holds, the surest ones first."""
        cues = self.cues
        is_own = self._has(cues.own)
        if self.is_colon and self._is_remembered():
            return Lead(OWN, "to be remembered", PARAGRAPH)
        fiction = self._fiction()
        if fiction is not None:
            return fiction
        if self.is_colon and is_own:
            return Lead(OWN, "their own words", BLOCK)
        request = self._request(is_own=is_own)
        if request is not None:
            return request
        if is_own:
            return None
        return self._introduction_lead() or self._speech_lead()

    # --- parts ----------------------------------------------------------------------------

    def _has(self, phrases: Collection[str]) -> bool:
        return any(phrase in self.said for phrase in phrases)

    def _begins(self, phrases: Collection[str]) -> bool:
        return self.said.startswith(tuple(phrases))

    def _noun(self) -> int:
        """The last kind of text among the last words; -1: none."""
        cues, first = self.cues, len(self.words) - len(self.near)
        for place in range(len(self.words) - 1, first - 1, -1):
            word = self.words[place]
            if word in cues.nouns or word in cues.fiction or self._is_compound(word):
                return place
        return -1

    def _is_compound(self, word: str) -> bool:
        if self.cues.name not in _COMPOUNDS or len(word) < 8:
            return False
        return any(len(noun) > 3 and word.endswith(noun) for noun in self.cues.nouns)

    def _is_mine(self, noun: int) -> bool:
        """Whether the text is the speaker's: 'my short bio', not "my boss's mail"."""
        before = self.words[max(noun - 4, 0) : noun]
        mine = [n for n, word in enumerate(before) if word in self.cues.mine]
        if not mine:
            return False
        between = before[mine[-1] + 1 :]
        return "'s" not in between and len(between) < 3

    def _is_remembered(self) -> bool:
        """'Remember:', 'As I said:', but not 'Remember what Bob wrote:'."""
        begun = [each for each in self.cues.remember if self.said.startswith(each)]
        rest = self.words[max(len(each.split()) for each in begun) :] if begun else ()
        return bool(begun) and not any(
            word in self.cues.say or word in self.cues.write for word in rest
        )

    def _verb(self) -> str:
        """The last word of saying or writing among the last words; '': none."""
        cues = self.cues
        for word in reversed(self.near):
            if word in cues.say or word in cues.write:
                return word
        return ""

    # --- judgements -----------------------------------------------------------------------

    def _fiction(self) -> Lead | None:
        cues = self.cues
        # Far into a lead 'act as' belongs to what it tells.
        is_play = any(self.said.find(phrase) in range(24) for phrase in cues.play)
        made = not cues.fiction.isdisjoint(self.words) and any(
            word in cues.make for word in self.words[:_MOST_BEFORE]
        )
        if made and not is_play:
            made = self._asked_verb(cues.make) >= 0
        if not (is_play or made) or (made and self._is_about_them()):
            return None
        if self.is_colon:
            return Lead(OTHER, "a story or a part to play", BLOCK, is_request=True)
        return Lead(DOUBTFUL if made else OWN, "a story", PARAGRAPH, is_request=True)

    def _is_about_them(self) -> bool:
        """'Write a poem for my wife', but not 'a monologue for my play'."""
        cues, words = self.cues, self.words
        return any(
            word in cues.mine and cues.fiction.isdisjoint(words[n + 1 : n + 3])
            for n, word in enumerate(words)
        )

    def _asked_verb(self, verbs: Collection[str]) -> int:
        """The place of a verb that the assistant is asked to do; -1: none is."""
        cues = self.cues
        for place, word in enumerate(self.words):
            if word not in verbs:
                continue
            before, after = self.words[:place], self.words[place + 1 : place + 2]
            # 'I translate' and 'do I write' tell of the speaker.
            if (before and before[-1] in cues.i) or (after and after[0] in cues.i):
                continue
            if len(before) <= _MOST_BEFORE and all(w in cues.ask_words for w in before):
                return place
            if self._has([each for each in cues.ask if len(each) > 5]) and cues.i.isdisjoint(
                before[-3:]
            ):
                return place
        return -1

    def _request(self, *, is_own: bool) -> Lead | None:
        """'Translate this into German:', 'Can you correct the following text?'."""
        cues, noun = self.cues, self._noun()
        place = self._asked_verb(cues.work)
        strong = place >= 0
        if not strong:
            place = self._asked_verb(cues.work_perhaps)
            if place >= 0 and self._is_named_at(place):
                place = -1
        if place < 0:
            return None if is_own else self._check_lead(noun) or self._made_of_it(noun)
        if noun == place:  # 'answer', 'review' are both
            noun = -1
        is_mine = is_own or (noun >= 0 and self._is_mine(noun))
        word = self.words[noun] if noun >= 0 else ""
        points = self._has(cues.following)
        if is_mine:
            if not (self.is_colon or self.ends_line or points):
                return None
            if word in cues.fiction:
                # A story states nothing of its author, whoever wrote it.
                return Lead(OTHER, "a text to work on", BLOCK, is_request=True)
            is_sure = is_own or word in cues.personal
            whose = OWN if is_sure else DOUBTFUL
            return Lead(whose, "a text of theirs to work on", BLOCK, is_request=True)
        told = Lead(OTHER, "a text to work on", BLOCK, is_request=True)
        perhaps = Lead(DOUBTFUL, "perhaps a text to work on", BLOCK, is_request=True)
        if self.is_colon:
            if strong or noun >= 0 or points:
                return told
            if not cues.mine.isdisjoint(self.words):  # 'Review my budget:'
                return Lead(OWN, "a request about their own", PARAGRAPH)
            return perhaps if len(self.words) <= _BARE else None
        if points and (strong or noun >= 0):
            return told
        shows = noun >= 0 and not cues.this.isdisjoint(self.words[max(noun - 3, 0) : noun])
        if self.ends_line and len(self.words) <= _SHORT and (strong or shows):
            return told
        return perhaps if shows and strong else None

    def _is_named_at(self, place: int) -> bool:
        """Whether what may be a verb is a noun here: 'Answer:', 'Review of 2025:'."""
        cues, after = self.cues, self.words[place + 1 : place + 2]
        if self.words[place] not in cues.nouns:
            return False
        shown = cues.this | cues.mine | cues.nouns
        return place == 0 and (not after or after[0] not in shown)

    def _check_lead(self, noun: int) -> Lead | None:
        """'Is this grammatically correct?', 'How do you say:', 'Grammar check:'."""
        if not self._has(self.cues.checks) or (noun >= 0 and self._is_mine(noun)):
            return None
        if self.is_colon or (self.ends_line and self.mark != "?"):
            return Lead(OTHER, "a text to work on", BLOCK, is_request=True)
        return Lead(DOUBTFUL, "perhaps a text to work on", PARAGRAPH, is_request=True)

    def _made_of_it(self, noun: int) -> Lead | None:
        """'Make this shorter:', but 'Make a CV out of this:' is about the person."""
        cues = self.cues
        if self._asked_verb(cues.turn) < 0 or cues.that.isdisjoint(self.words):
            return None
        if not cues.mine.isdisjoint(self.words):
            return None
        if noun < 0 or not self.is_colon:
            return Lead(DOUBTFUL, "perhaps a text to work on", BLOCK, is_request=True)
        if self.words[noun] in cues.personal:
            return None
        return Lead(OTHER, "a text to work on", BLOCK, is_request=True)

    def _introduction_lead(self) -> Lead | None:
        """'Here is the mail from Bob:', "Tom's review:", 'I got this letter:', 'Lyrics:'."""
        cues, noun = self.cues, self._noun()
        got = not cues.got.isdisjoint(self.words)
        told = Lead(OTHER, "a text that is introduced", BLOCK)
        if self.is_colon and got and noun < 0 and not cues.that.isdisjoint(self.words):
            return told
        if noun < 0 or self._begins(cues.about):  # 'About the mail from Bob:'
            return None
        if self._is_mine(noun):
            return Lead(OWN, "their own text", BLOCK) if self.is_colon else None
        points = self._begins(cues.here) or self._has(cues.following)
        shows = not cues.this.isdisjoint(self.words[max(noun - 3, 0) : noun])
        if not self.is_colon:
            # "Tom's review?" asks about it as often as it shows it.
            if "'s" in self.words[max(noun - 3, 0) : noun] and self.mark == "?":
                return Lead(DOUBTFUL, PERHAPS, PARAGRAPH)
            is_shown = self._begins(cues.here) and (shows or noun == len(self.words) - 1)
            is_shown = is_shown or (got and self._has(cues.following))
            return told if is_shown and self.ends_line else None
        if got or points or (noun < 2 and not cues.work.isdisjoint(self.words)):
            return told
        if "'s" in self.words[max(noun - 3, 0) : noun] or (shows and self.ends_line):
            return told
        if not cues.that.isdisjoint(self.words[max(noun - 2, 0) : noun]):
            return told
        after = self.words[noun + 1 : noun + 3]
        if noun <= 1 and after[:1] and after[0] in cues.by:
            is_sure = len(after) > 1 and after[1] not in cues.mine
            is_sure = is_sure or cues.name == "en"
            return told if is_sure else Lead(DOUBTFUL, PERHAPS, PARAGRAPH)
        if shows and noun >= len(self.words) - 4:
            return Lead(DOUBTFUL, PERHAPS, PARAGRAPH)
        return self._label(noun)

    def _label(self, noun: int) -> Lead | None:
        """'Lyrics:', 'Bio:', 'Job description:' and nothing else before the colon."""
        cues = self.cues
        if len(self.words) > 4:
            return None
        whole = "-".join(self.words)
        is_compound = len(self.words) < 3 and self._is_compound(self.words[noun])
        if self.words[noun] in cues.label or whole in cues.label or is_compound:
            return Lead(OTHER, "a text that is introduced", BLOCK)
        after = self.words[noun + 1 : noun + 2]
        is_last = all(word.isdigit() for word in self.words[noun + 1 :])
        is_last = is_last or (noun == 0 and after[0] not in cues.to)  # 'Message for Anna:'
        if self.words[noun] in cues.label_perhaps and is_last:
            return Lead(DOUBTFUL, PERHAPS, BLOCK)
        if self.ends_line and is_last and len(self.words) > 1:
            return Lead(DOUBTFUL, PERHAPS, BLOCK)
        return None

    def _speech_lead(self) -> Lead | None:
        """'Bob wrote me:', 'she says:', but 'I told her:' is the speaker's own."""
        verb = self._verb() if self.is_colon else ""
        if not verb:
            return None
        cues = self.cues
        place = len(self.words) - 1 - self.words[::-1].index(verb)
        first = max(
            (n + 1 for n in range(place) if self.words[n] in cues.who),
            default=0,
        )
        clause = self.words[first : place + 2]
        if not cues.i.isdisjoint(clause) or any(each in pad_words(clause) for each in cues.have):
            return Lead(OWN, "what they said themselves", PARAGRAPH)
        if verb in cues.write:
            return Lead(OTHER, "what somebody else wrote", BLOCK)
        return Lead(OTHER, "what somebody else said", SPOKEN)


_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_I_WORDS = """
    i im ive id ill my mine me myself am was were have had been do did would will shall could can
    should may might must got gotta gonna be a an the
"""
# What a statement begins with before it says something: left out of what is compared.
_I = frozenset(_I_WORDS.split())
_ASIDE_WORDS = """
    and but so or then plus also now just still only really actually btw anyway well ok okay yeah
    yep nah no not never dont didnt wont cant couldnt havent hasnt isnt arent wasnt wouldnt
    definitely definately probably maybe today yesterday tomorrow finally already recently lately
    currently honestly lol haha oh hey mate um uh ugh sorry
"""
_ASIDE = frozenset(_ASIDE_WORDS.split())  # says neither who nor what
_THIRD_WORDS = "is isn't has hasn't does doesn't isnt hasnt doesnt 's"
_THIRD = frozenset(_THIRD_WORDS.split())


def leaves_out_speaker(statement: str, said: str, before: str = "") -> bool:
    """Whether `said` is what `statement` says of 'I' or 'my', with these left out.

    before  the words of its sentence before it, of which it is not known that they are the
            speaker's own clause
    """
    wanted = next(_telling(_words(statement)), "")
    words = [*_words(before), *_words(said)]
    opening = next((word for word in words if word not in _ASIDE), "")
    if not wanted or opening in _THIRD:
        return False
    first = next(_telling(words), "")
    return first == wanted or is_form(first, wanted)


def _telling(words: Sequence[str]) -> Iterator[str]:
    """The words that say who or what, in their order."""
    return (word for word in words if word not in _I and word not in _ASIDE)


def _words(text: str) -> list[str]:
    return [
        word if word in _THIRD else word.replace("'", "")
        for word in _WORD.findall(fold(text).replace("’", "'"))
    ]
