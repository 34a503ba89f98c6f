"""Which known statements a new one ends or makes doubtful: odds, beginnings, successors. Pure.

The caller hands in what shares rare words with the new statement (an index nominates them); here
the learned model of change decides, and a wrong end counts as worse than a missed one: what the
new one says in so many words (`aspects.py`) ends, what is likely is marked "may be out of date",
all else stands beside.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from math import exp, log

from vaultmem.base import NamedTuple, late
from vaultmem.judgement.aspects import (
    AGE,
    CHANGES,
    CORRECTS,
    ENDS,
    HOME,
    MONTHS,
    SAME_THING,
    Evidence,
    are_of_two,
    aspects,
    is_lasting,
    leans_on,
    names_other_day,
    says_again,
    tell_alike,
    tells_more,
    topics,
    values,
)
from vaultmem.judgement.features import (
    REMEMBERED_TEXTS,
    alike,
    has_form,
    is_among,
    is_form,
    tokens_of,
)
from vaultmem.judgement.linear import rarity, weights
from vaultmem.judgement.pairs.is_over import Change, judge_change, seen_of, threshold
from vaultmem.judgement.pairs.lifted import LIFTED, why_lifted
from vaultmem.judgement.pairs.numbers import has_dose
from vaultmem.judgement.pairs.persons import names_thing, of_whom
from vaultmem.judgement.pairs.rest import rest_after_end, rest_beside, rest_of
from vaultmem.judgement.pairs.shared_words import (
    LEAST_SHARED,
    counted_things,
    is_of_other_medicine,
    may_share,
    rarest_shared,
    share_a_name,
)
from vaultmem.judgement.pairs.successors import (
    begins_another,
    names_next_holder,
    names_one,
    names_the_next,
    tells_holder,
    tells_of_a_new_one,
)
from vaultmem.judgement.pairs.undone import DONE, STAYS, why_undone
from vaultmem.judgement.stakes import stakes_of
from vaultmem.language import vocabulary, word_list

_SAID = vocabulary("out_of_date")

# --- odds of an end, where no words show one ---

# The model of change learned from pairs that somebody chose: half of them are changes. In a vault
# sixteen strangers are held against each new sentence, and there its odds alone mark as many true
# statements as old ones. What else is seen of the pair counts here, too, by weights that were
# fitted on pairs as vaults nominated them (`python -m tests.bench.judgement.met`).
LIKELY = 0.1
"""From here on a statement is marked. Of thirteen everyday lives 85 of 102 statements that are over
end or reach it, and 90 of some 620 that are not; with .17 these were 70 and 52. What is over and
not marked is told as true; a wrong mark costs a reader a glance. Of pairs of one topic, written to
be hard, .33 of the harmless are marked by it (.14: .28)."""
SURER = 0.17
"""From here on the newer statement is given first, whatever its words: of those that reach it three
in five are right, of those between the two bounds three in ten."""
_LEAST = 0.001  # odds are never surer than this
_ROUNDING = 1e-6  # share by which bounds that are worked out backwards are too low
_BIAS = -4.04
_WEIGHTS: dict[str, float] = {
    "odds": 0.52,
    "rare": 1.74,
    "kept": 1.74,
    "covered": 1.26,
    "ends": 0.17,
    "corrects": 0.05,
    "changes": -0.09,
    "told": 5.19,
    "unsure": 0.42,
    "lasting": -1.22,
    "valued": 1.85,
    "critical": 0.97,
    "odds_rare": 0.14,
}


class Met(NamedTuple):
    """What is seen of a new statement and a known one that an index found for it.

    odds      of the model of change, 0 to 1
    rare      rarity of the rarest word that both have in some form, 0 to 1
    kept      share of what the known one is about that the new one names, 0 to 1
    covered   share of what is said with a cue that the known one is about, 0 to 1
    ends, corrects, changes  the cue that the new one has
    told      both tell the home, job or age of one person, otherwise, or seem to
    unsure    asked, imagined, or only for a while
    lasting   the known one tells what nothing ends
    valued    as `kept`, where both name days or numbers, and not the same
    critical  a life may hang on the known one
    """

    odds: float
    rare: float
    kept: float
    covered: float
    ends: bool
    corrects: bool
    changes: bool
    told: bool
    unsure: bool
    lasting: bool
    valued: float
    critical: bool


def chance_of_end(met: Met) -> float:
    """How likely the known statement of such a pair is over, 0 to 1."""
    return 1 / (1 + exp(-_sum_of(met)))


def _sum_of(met: Met) -> float:
    """The log-odds of an end."""
    return _BIAS + sum([_WEIGHTS[name] * value for name, value in features_of(met).items()])


def features_of(met: Met) -> dict[str, float]:
    """What is weighed, by name."""
    odds = min(max(met.odds, _LEAST), 1 - _LEAST)
    told = {name: float(value) for name, value in zip(Met._fields, met, strict=True)}
    told["odds"] = log(odds / (1 - odds))
    told["odds_rare"] = told["odds"] * met.rare
    return told


END, FLAG = "end", "flag"
MOST_FLAGGED = 3
"""Known statements that a new one makes doubtful: a mark that stands everywhere says nothing."""
_NAMED_AGAIN = 0.2  # share of what the known one is about that names an appointment once more
_RARE = 0.7  # rarity of a word that it must share
_LIKELY_MOVED = 0.6  # odds, too
_OTHER_VALUE = "it names another day or number"
_TAKEN_INSTEAD, _TAKEN = "it names what took its place", 0.4  # share that both name
_CORRECTED = "it corrects this"
"""Marks only, but for decisions: of four such ends in seventeen lives three were wrong."""
_NEXT_HOLDER = "it names who holds this now"
_VISIT = late(rf"\b(?:{_SAID['visit']})\b", re.IGNORECASE)
_GRAVE = frozenset(("allergy", "medicine", "dose", "pregnant", "device"))
_MEDICINES = frozenset(("medicine", "dose", "device"))
_OTHER_MEDICINE = "it tells of a change of this"
_SURELY = (_OTHER_VALUE, _NEXT_HOLDER, DONE, STAYS, LIFTED)
_SOME = 0.25  # share of what the known one is about that the other names, too
_HALF = 0.5  # of the odds that flag: with words that show it, less is enough; or of a rarity
_REASON = late(rf"\b(?:{_SAID['reason']})\b", re.IGNORECASE)
_GONE = late(rf"\b(?:{_SAID['gone']})\b", re.IGNORECASE)
_DECIDED = late(rf"\b(?:{_SAID['decided']})\b", re.IGNORECASE)
"""What was decided is over when the mind is changed: of ten pairs of our own six end so, and of
ten about another thing in the same room none."""

_CLAUSES = late(rf"[,;:.!–—]\s+|\b(?:{_SAID['joins clauses']})\b", re.IGNORECASE)
_SO_NOW = late(rf"\b(?:{_SAID['so now']})\b", re.IGNORECASE)
_MINE = frozenset(word_list(_SAID["mine"]))
_THEIRS = frozenset(word_list(_SAID["theirs"]))
_GOES = frozenset(word_list(_SAID["goes"]))
_IN_ITS_PLACE = "it tells what is so now in its place"
_NAMED_AS = 0.6  # rarity, 0 to 1, of a name by which the known one is told apart


class Known(NamedTuple):
    """A statement that holds, as it is compared."""

    statement: str
    said_after: str = ""
    critical: str = ""
    is_hard: bool = False


class Outcome(NamedTuple):
    """What a new statement does to the known one at `place`: END or FLAG, and how sure (0 to 1).

    why     what shows that it is over; '' where only the model of change takes it for likely
    at_once  it is to be on another day: the old day is over since this was said, not on the new one
    rest     what of it still holds, in its own words; '': nothing that could be said by itself
    """

    place: int
    what: str
    odds: float
    relation: str
    why: str
    at_once: bool = False
    rest: str = ""
    by_value: bool = False


def outcomes(
    statement: str,
    known: Sequence[Known],
    *,
    said_after: str = "",
    said_with: str = "",
    by_rules: Sequence[bool] = (),
    only_ends: bool = False,
) -> list[Outcome]:
    """What becomes of known statements when a new one is said, the surest first.

    said_after  the words just before the new one, which may name what it is about
    said_with   what was said before it in one text or talk: it counts where the new one names a day
                or says that something is over, and not what
    by_rules    of which of the known ones rules decide, too: there the model alone says nothing
    only_ends   marks are not asked for: the model is asked only of pairs that may be an end
    """
    found = []
    is_next = tells_of_a_new_one(statement)
    is_again = says_again(statement)
    near: dict[int, float] = {}
    kept: dict[int, float] = {}
    changes: dict[int, Change] = {}
    # Of a job it was wrong: 'passé chez Kayser' is read as one.
    is_of_aspect = not only_ends and any(each.name in (HOME, AGE) for each in aspects(statement))
    before = said_after or (said_with if leans_on(statement) else "")
    for place, each in enumerate(known):
        # What was said just before is no topic of its own: 'My name is Ann. I'm 41.'
        said_after = "" if each.statement.strip(" .!") in before else before
        is_ruled = bool(by_rules) and by_rules[place]
        # Most pairs share nothing rare and tell no aspect. To see that first, by what was made of
        # each statement once, left 1,900 of 11,500 pairs for which evidence is sought.
        by_form = _why_by_form(each.statement, statement)
        may_be_told = bool(by_form) or _may_be_told(each, statement, said_after)
        if not may_be_told and (
            is_ruled or not may_share(each.statement, each.said_after, statement, said_after)
        ):
            continue
        rare = rarest_shared(each.statement, each.said_after, statement, said_after)
        if not may_be_told and rare < LEAST_SHARED:
            continue
        if is_of_other_medicine(each.statement, statement):
            continue
        seen = _evidence_for(each, statement, said_after)
        if is_ruled and not (seen.aspect or by_form):
            continue
        is_told = seen.aspect or seen.perhaps or by_form
        # Base truth asks for ends alone, and of a pair in which no word shows one the model need
        # not be asked: a turn took 4.75 durable commits before this and three other such savings,
        # 2.54 with them.
        is_harmless = only_ends and not (by_form or _may_show(seen))
        if (is_harmless and not is_again) or (not is_told and rare < LEAST_SHARED):
            continue
        # Of harmless ones, too: what is named most of all is what is so again, and that is
        # known at the end only.
        kept[place] = seen.kept
        if is_harmless:
            continue
        least = 0.0
        if not (is_next or only_ends or by_form or _words_may_show(seen)):
            # Where no words show an end, the model alone can mark it, if its odds are such.
            least = _least_odds(each, statement, seen, rare)
            if least > 1 or (is_of_aspect and not is_told):
                continue
        change = changes[place] = _change(each, statement, said_after, least=least)
        if change.over < least:
            continue
        why = why_over(each, statement, seen, change.over)
        # Of 37 changes in words of no test 16 end with what is named beside what is gone, and 11
        # did; of 22 harmless ones of this form none does.
        if why in ("", _CORRECTED):
            why = _why_beside(each, statement, seen, change.over, rare) or by_form or why
        why = LIFTED if by_form == LIFTED else why
        if not why and change.over >= SURER and _changes_medicine(each, seen, rare):
            why = _OTHER_MEDICINE
        rest = rest_of(each.statement, f"{said_after} {statement}".strip()) if why else ""
        if why == _OTHER_VALUE and not rest:
            rest = rest_beside(each.statement, statement)
        # What is told beside the thing that is over, and would be lost with it.
        by_words = why and seen.cue == ENDS and not (rest or seen.aspect or seen.valued)
        beside = rest_after_end(each.statement, statement) if by_words else ""
        rest = rest or beside or ""
        is_end = seen.cue == ENDS or (by_form and by_form != _NEXT_HOLDER)
        relation = ENDS if is_end and not seen.aspect else "replaces"
        if (
            why
            and (why != _CORRECTED or _is_decided(each.statement))
            and why != LIFTED  # a life may hang on it, and it may be said of a part: 'baked egg'
            and not (is_next and why == _OTHER_VALUE)  # 'A new lad works Fridays in Leeds'
            and beside is not None
            and (why == by_form or rest or not tells_more(each.statement, statement, seen))
            and _may_end(each, statement, seen, rest)
        ):
            moved = seen.valued and names_other_day(each.statement, statement)
            # A day alone ends no event: 'Ann visited us on 9 March.' superseded 'on 2 March.'.
            by_value = why == _OTHER_VALUE and not seen.cue
            found.append(Outcome(place, END, change.over, relation, why, moved, rest, by_value))
        elif only_ends:
            continue
        elif why:
            found.append(Outcome(place, FLAG, change.over, "", why))
        elif is_next and not each.is_hard and names_the_next(each.statement, statement):
            # Of 8 pairs in five languages none was marked without this, and all are; of 6 whose
            # things stand beside each other none is.
            found.append(Outcome(place, FLAG, change.over, "replaces", "it names a new one"))
        else:
            near[place] = _likely(each, statement, seen, change.over, rare)
            # Who moves, or turns a year older, has the same studio and the same sister.
            if near[place] >= LIKELY and (is_told or not is_of_aspect):
                found.append(Outcome(place, FLAG, change.over, "", ""))
    if found and is_again:  # what it names is so again; something else is over
        most = max(kept.values())  # but another dose is none that is so again
        found = [each for each in found if each.why in _SURELY or kept[each.place] < most]
    found.sort(key=lambda each: (not each.why, -each.odds, each.place))
    ended = [each for each in found if each.what == END]
    shown = [each for each in found if each.what == FLAG and each.why]
    likely = [each for each in found if each.what == FLAG and not each.why]
    likely.sort(key=lambda each: -near[each.place])
    # The relation takes five models more: of the few that are given back.
    flagged = [
        each if each.relation else each._replace(relation=changes[each.place].relation)
        for each in (shown + likely)[:MOST_FLAGGED]
    ]
    return ended + flagged


def _why_by_form(known: str, statement: str) -> str:
    """What shows it whatever the model says: who holds a role now, a task that is done, who was to
    leave and stays, what is allowed again; '' nothing.
    """
    if names_next_holder(known, statement):
        return _NEXT_HOLDER
    return why_undone(known, statement) or why_lifted(known, statement)


def is_likely_over(known: Known, statement: str, *, said_after: str = "") -> bool:
    """Whether a known statement is more than a little likely over since a new one was said."""
    seen = _evidence_for(known, statement, said_after)
    odds = _change(known, statement, said_after).over
    rare = rarest_shared(known.statement, known.said_after, statement, said_after)
    if why_over(known, statement, seen, odds) or _why_beside(known, statement, seen, odds, rare):
        return True
    return _likely(known, statement, seen, odds, rare) >= SURER


def _may_show(seen: Evidence) -> bool:
    """Whether words may show that a known statement is over, whatever the model says: without
    this neither `why_over` nor `_why_beside` says anything.
    """
    if seen.unsure or seen.strange:
        return False
    is_value = seen.valued and seen.kept >= SAME_THING
    return bool(seen.aspect or seen.perhaps or seen.cue) or is_value


def _words_may_show(seen: Evidence) -> bool:
    """Whether `why_over` or `_why_beside` may say something, whatever the odds."""
    is_value = seen.valued and seen.kept >= SAME_THING
    return not seen.unsure and bool(seen.cue or seen.aspect or seen.perhaps or is_value)


def why_over(known: Known, statement: str, seen: Evidence, odds: float) -> str:
    """What of a pair's words shows that the known statement is over; '': nothing that is sure.

    With the model trained without their author, this is so of 21 % of the changes in the corpus and
    of 0.9 % of the harmless pairs; odds of as many changes without words, of 2 %.
    """
    if seen.unsure or seen.strange:
        return ""
    least = threshold("flag")
    if seen.aspect:  # the model sees no common topic in 'I live in Kelso' and 'we moved to Oban'
        return f"another {seen.aspect}"
    if (seen.cue and seen.rarest < LEAST_SHARED) or is_lasting(known.statement):
        return ""
    # 'The check at the dentist' ended 'the check at the optician' before this.
    if seen.valued and is_of_another(known.statement, statement):
        return ""
    is_of_two = are_of_two(known.statement, statement)
    sure = (least + threshold("end")) / 2
    if seen.cue and not is_of_two and seen.covered >= SAME_THING:
        if seen.cue == ENDS and odds >= least * _HALF:
            return "it says that this is over"
        # 'Ahora trabajo desde casa, desde el 1 de abril' ended 'Mi hermana se casa el 19 de mayo'.
        is_named = seen.cue == CORRECTS or seen.kept >= _NAMED_AGAIN
        if seen.cue in (CORRECTS, CHANGES) and is_named and seen.valued and odds >= least * _HALF:
            return _OTHER_VALUE
        if seen.cue == CORRECTS and odds >= sure:
            return _CORRECTED
    # 'We've switched from Monzo to Starling': what it was is named with the change.
    if seen.cue == CORRECTS and seen.loses and min(seen.covered, seen.kept) >= _TAKEN:
        return _TAKEN_INSTEAD if odds >= least and not is_of_two else ""
    # Of 21 lamps in a hall, told one by one with their numbers, ten were left without `are_of_two`.
    is_same = seen.kept >= SAME_THING and not is_of_two
    if seen.valued and is_same and odds >= sure and not _is_age_of_one(known.statement, statement):
        return _OTHER_VALUE
    return ""


def _why_beside(known: Known, statement: str, seen: Evidence, odds: float, rare: float) -> str:
    """What shows it where no cue stands with the same words: a job or a home that begins, an
    appointment that is named again with another day and a word of change.

    By this and wider cues five lives by other authors end 8 statements of 40, 3 before it.
    """
    is_other_dose = _is_other_dose(known, statement, seen)
    if seen.unsure or (known.critical and not is_other_dose) or is_lasting(known.statement):
        return ""
    if (
        not known.critical
        and seen.cue
        and odds >= _HALF
        and is_in_its_place(known.statement, statement)
    ):
        return _IN_ITS_PLACE
    if seen.strange:
        return ""
    if seen.perhaps and seen.perhaps != AGE and not known.critical:
        is_told = begins_another(statement) and names_one(known.statement)
        return f"another {seen.perhaps}" if is_told else ""
    if seen.cue not in (CORRECTS, CHANGES) or not seen.valued:
        return ""
    least = threshold("flag") if seen.covered >= _HALF and seen.cue == CORRECTS else _LIKELY_MOVED
    if seen.kept < _NAMED_AGAIN or rare < _RARE or odds < least:
        return ""
    if are_of_two(known.statement, statement) or _is_called_otherwise(known.statement, statement):
        return ""
    is_other = is_other_dose or names_other_day(known.statement, statement)
    return _OTHER_VALUE if is_other else ""


def is_in_its_place(known: str, statement: str) -> bool:
    """Whether one clause names whom or what the known statement names, and another one tells what
    the speaker has, does or goes to now: 'Marek has left the practice, I see Anneke now.'

    Of 3,700 labelled pairs 29 more end by this and none of the harmless (five of the odds below the
    bound have the same form: "The water's on a meter now, I pay it at the post office.").
    """
    if not _SO_NOW.search(statement):
        return False
    clauses = [each for each in _CLAUSES.split(statement) if each and each.strip()]
    of_now = [each for each in clauses if _SO_NOW.search(each)]
    others = [each for each in clauses if each not in of_now]
    names = _names_told_apart(known)
    gone = [words for words in map(_words_of, others) if not _GOES.isdisjoint(words)]
    if not any(has_form(name, words) for name in names for words in gone):
        return False
    return any(
        not _MINE.isdisjoint(words)
        and _THEIRS.isdisjoint(words)
        and not any(has_form(name, words) for name in names)
        and _names_another(each)
        for each, words in zip(of_now, map(_words_of, of_now), strict=True)
    )


def _names_another(clause: str) -> bool:
    """Whether it names somebody, some place or make, and no day: 'I see Anneke now'.

    Without it nine of fifteen harmless sentences of this form ended something: 'Tobias fixed the
    rota, I can breathe now.'
    """
    tokens = tokens_of(clause)
    return any(
        raw[:1].isupper() and raw.lower() not in _MINE and not signs and i
        for i, (raw, signs) in enumerate(zip(tokens.raw, tokens.signs, strict=True))
    )


def _names_told_apart(known: str) -> list[str]:
    """Rare names in it, also of a kind ('the Polish deli'); a first word has a capital anyhow."""
    read, tokens = weights("pairs"), tokens_of(known)
    found = [
        word.partition("'")[0]
        for i, word in enumerate(tokens.low)
        if tokens.raw[i][:1].isupper() and (i or "'" in word or tokens.low[1:2] == ("is",))
    ]
    return [name for name in found if len(name) > 2 and rarity(read, name) >= _NAMED_AS]


def _words_of(clause: str) -> tuple[str, ...]:
    low = tokens_of(clause).low
    return (*low, *(word.partition("'")[0] for word in low if "'" in word))


def _is_called_otherwise(known: str, statement: str) -> bool:
    """Whether a word that both name follows one rare word here and another there: 'the optician's
    check', 'the dentist's check'. Of a name nothing follows: 'Dr. Maes', 'they rang, Maes is away'.
    """
    read = weights("pairs")
    one, (raw, other, _) = tokens_of(known).low, tokens_of(statement)

    def before(words: tuple[str, ...], at: int) -> str:
        label = words[at - 1].removesuffix("'s") if at else ""
        return label if names_thing(label) and rarity(read, label) >= _HALF else ""

    for here, word in enumerate(other):
        # Not 'heure' behind 'dix' and 'une', nor 'con' behind two nouns: what is no English looks
        # rare to the table of rarities.
        is_thing = raw[here] == word and rarity(read, word) >= LEAST_SHARED and names_thing(word)
        if not is_thing or not before(other, here):
            continue
        for there, twin in enumerate(one):
            label = before(one, there) if is_form(word, twin) or word == twin else ""
            if label and label != before(other, here) and not is_form(label, before(other, here)):
                return True
    return is_of_another(known, statement)


def is_of_another(known: str, statement: str) -> bool:
    """Whether a word that both name is of one thing here and of another there: 'the check at the
    optician', 'the check at the dentist'; each thing is named by one of them alone.
    """
    there, here = topics(known), topics(statement)
    return any(
        alike(thing, twin) and not alike(whose, other)
        for thing, whose in of_whom(known)
        for twin, other in of_whom(statement)
        if not is_among(other, there) and not is_among(whose, here)
    )


def _is_decided(known: str) -> bool:
    """Whether a known statement tells what was decided, which a change of mind puts an end to."""
    return bool(_DECIDED.search(known.replace("’", "'")))


def _is_age_of_one(known: str, statement: str) -> bool:
    """Whether one of two tells an age and the other does not: 'Theo turned 8', 'count to 60'."""
    told = [
        any(each.name in (AGE, MONTHS) for each in aspects(text)) for text in (known, statement)
    ]
    return told[0] != told[1]


def _likely(known: Known, statement: str, seen: Evidence, odds: float, rare: float) -> float:
    """How likely it is over, where no words show that; 0 where nothing is to be marked."""
    met = _met(known, statement, seen, rare)
    return 0.0 if met is None else chance_of_end(met._replace(odds=odds))


def _least_odds(known: Known, statement: str, seen: Evidence, rare: float) -> float:
    """Odds of the model, 0 to 1, below which a known statement is not marked; 2: it never is."""
    met = _met(known, statement, seen, rare)
    if met is None:
        return 2.0
    # `chance_of_end` turned round: odds of a half, as `_met` has them, have a logarithm of 0.
    missing = log(LIKELY / (1 - LIKELY)) - _sum_of(met)
    needed = missing / (_WEIGHTS["odds"] + _WEIGHTS["odds_rare"] * rare)
    least = (1 - _ROUNDING) / (1 + exp(-needed))
    if not _LEAST < least < 1 - _LEAST:  # beyond these odds are cut off
        return 2.0 if least > _LEAST else 0.0
    return least


def _met(known: Known, statement: str, seen: Evidence, rare: float) -> Met | None:
    """What is seen of a pair but for the odds of the model; None where nothing is to be marked.

    What a life hangs on is marked only where another day or amount of it is named.
    """
    # Of eight people's words 233 older ones were marked, of which 26 were right; with what can be
    # seen 47 are, 19 of them right.
    if known.is_hard or (known.critical and not (seen.valued and seen.kept >= _SOME)):
        return None
    # Of 21 lamps in a hall, told by their numbers, ten had been left.
    if are_of_two(known.statement, statement):
        return None
    # 'My name is Elise.' and 'Elise cannot eat hazelnuts.': of 14 marks in a week of one family ten
    # were of two things that one person has.
    is_told = seen.aspect or seen.perhaps or (seen.cue and seen.covered >= SAME_THING)
    is_told = is_told or (seen.valued and seen.kept >= _HALF) or _tells_who_is_gone(statement)
    if not is_told and share_a_name(known.statement, statement):
        return None
    if not (seen.cue or seen.valued) and _gives_reason(statement):
        return None  # 'We sawed it because it lost a branch.', 'It is due in May.': the old goes on
    is_sure = not (seen.unsure or seen.strange)
    return Met(
        odds=0.5,
        rare=rare,
        kept=seen.kept,
        covered=seen.covered if is_sure else 0.0,
        ends=seen.cue == ENDS,
        corrects=seen.cue == CORRECTS,
        changes=seen.cue == CHANGES,
        told=bool(seen.aspect or seen.perhaps),
        unsure=seen.unsure,
        lasting=is_lasting(known.statement),
        valued=seen.kept if seen.valued else 0.0,
        critical=bool(known.critical),
    )


@lru_cache(maxsize=8)  # likewise
def _tells_who_is_gone(statement: str) -> bool:
    """Whether it says that somebody, or an animal, is not there any more: all of them is over."""
    return _GONE.search(statement.replace("’", "'")) is not None


@lru_cache(maxsize=8)  # one new statement is held against dozens
def _gives_reason(statement: str) -> bool:
    return _REASON.search(statement) is not None


def _may_end(known: Known, statement: str, seen: Evidence, rest: str) -> bool:
    """Whether words may end it: what a life hangs on only where they name another dose of it, or
    an age, and all else is kept: 'Emil (7) is allergic to hazelnuts'.
    """
    if not (known.critical or known.is_hard):
        return True
    if known.is_hard:
        return False
    if (rest and seen.aspect == AGE) or tells_holder(known.statement):
        return True  # who somebody's doctor is, is critical by the word for a doctor alone
    is_moved = seen.valued and seen.cue in (CORRECTS, CHANGES) and _is_visit(known.statement)
    return known.critical == "health" and (is_moved or _is_other_dose(known, statement, seen))


@lru_cache(maxsize=REMEMBERED_TEXTS)
def _is_visit(known: str) -> bool:
    """Whether it tells the day of a visit to a doctor, and nothing that must not be lost."""
    if not values(known)[0]:
        return False
    named = stakes_of(known, tokens_of(known).low)
    return bool(_VISIT.search(known)) and _GRAVE.isdisjoint(named)


def _changes_medicine(known: Known, seen: Evidence, rare: float) -> bool:
    """Whether a new statement tells of a change of a medicine or device: 'switched to Eliquis'."""
    # Of 14 such changes in seven languages seven had no mark, and two have none.
    if not (known.critical or known.is_hard) or not seen.cue or seen.unsure or seen.strange:
        return False
    if rare < _RARE or min(seen.kept, seen.covered) < _TAKEN:
        return False
    named = stakes_of(known.statement, tokens_of(known.statement).low)
    return not _MEDICINES.isdisjoint(named)


def _is_other_dose(known: Known, statement: str, seen: Evidence) -> bool:
    """Whether both name an amount of one medicine, and not the same: 'Eutirox 75', 'up to 88'."""
    if not seen.valued:
        return False
    if has_dose(known.statement) and has_dose(statement):
        return True
    # Without a unit only a number behind the name of the medicine, and only by a word of change.
    if seen.cue not in (CORRECTS, CHANGES) or not known.critical:
        return False
    return not counted_things(known.statement).isdisjoint(counted_things(statement))


def _may_be_told(known: Known, statement: str, said_after: str) -> bool:
    """Whether `_evidence_for` may see an aspect that both tell: by themselves, or with the words
    before them.
    """
    if tell_alike(known.statement, statement):
        return True
    if not (said_after or known.said_after):
        return False
    old = f"{known.said_after} {known.statement}".strip()
    return tell_alike(old, f"{said_after} {statement}".strip())


def _evidence_for(known: Known, statement: str, said_after: str) -> Evidence:
    """What is seen by itself, or where that is nothing, together with the words before."""
    old = f"{known.said_after} {known.statement}".strip()
    seen = seen_of(known.statement, statement)
    if not (said_after or known.said_after) or seen.aspect or seen.covered >= SAME_THING:
        return seen
    both = seen_of(old, f"{said_after} {statement}".strip())
    is_own = not seen_of(known.statement, said_after).aspect and aspects(known.statement)
    return both if is_own or not both.aspect else both._replace(aspect="")


def _change(known: Known, statement: str, said_after: str, *, least: float = 0.0) -> Change:
    """The surer of two readings: by themselves, and each with the words before it.

    least  as of `judge_change`
    """
    bare = judge_change(known.statement, statement, least=least)
    if not (said_after or known.said_after):
        return bare
    whole = judge_change(
        f"{known.said_after} {known.statement}".strip(),
        f"{said_after} {statement}".strip(),
        least=least,
    )
    return max(bare, whole, key=lambda change: change.over)
