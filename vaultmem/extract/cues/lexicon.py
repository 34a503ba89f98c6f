"""Word lists that cues, topics and names are made of: `lexicon.txt`. Data, no rules.

`LISTS` are the `@names` of phrase_patterns.py.
"""

from __future__ import annotations

from collections.abc import Mapping

from vaultmem.language import vocabulary, word_list

_LISTED = vocabulary("lexicon")


def words(text: str) -> frozenset[str]:
    """The words of a list, in lower case."""
    return frozenset(text.split())


ADVERBS = frozenset(word_list(_LISTED["adverbs"]))

POINTING = frozenset(word_list(_LISTED["pointing"]))
RELATIONS = frozenset(word_list(_LISTED["relations"]))
OWNED = frozenset(word_list(_LISTED["owned"]))
OWN_THINGS = frozenset(word_list(_LISTED["own things"]))
MEDICAL = frozenset(word_list(_LISTED["medical"]))
CIVIL = frozenset(word_list(_LISTED["civil"]))
PASSING_NOUNS = frozenset(word_list(_LISTED["passing nouns"]))
EMOTIONS = frozenset(word_list(_LISTED["emotions"]))
TIME_UNITS = frozenset(word_list(_LISTED["time units"]))
LIFE_EVENTS = frozenset(word_list(_LISTED["life events"]))
TOOK_PART = frozenset(word_list(_LISTED["took part"]))
PAST_ACTIONS = frozenset(word_list(_LISTED["past actions"]))
GOAL_VERBS = frozenset(word_list(_LISTED["goal verbs"]))
PLAN_VERBS = frozenset(word_list(_LISTED["plan verbs"]))
ACTIVITIES = frozenset(word_list(_LISTED["activities"]))
REQUEST_VERBS = frozenset(word_list(_LISTED["request verbs"]))
PLACE_STOPS = frozenset(word_list(_LISTED["place stops"]))
OPINIONS = frozenset(word_list(_LISTED["opinions"]))
AGENDA = frozenset(word_list(_LISTED["agenda"]))
PROFESSIONS = frozenset(word_list(_LISTED["professions"]))
RELATION_VERBS = frozenset(word_list(_LISTED["relation verbs"]))
OCCASIONS = frozenset(word_list(_LISTED["occasions"]))
GOING = frozenset(word_list(_LISTED["going"]))
GAMES = frozenset(word_list(_LISTED["games"]))
PASSING_VERBS = frozenset(word_list(_LISTED["passing verbs"]))
ARRANGED = frozenset(word_list(_LISTED["arranged"]))
PASSING_STATES = frozenset(word_list(_LISTED["passing states"]))
MONTHS_AND_DAYS = frozenset(word_list(_LISTED["months and days"]))
NO_SUBJECT = frozenset(word_list(_LISTED["no subject"]))
LISTS: Mapping[str, frozenset[str]] = {
    "adverbs": ADVERBS,
    "pointing": POINTING,
    "relation": RELATIONS,
    "owned": OWNED,
    "own": OWN_THINGS,
    "medical": MEDICAL,
    "civil": CIVIL,
    "passing": PASSING_NOUNS,
    "unit": TIME_UNITS,
    "life": LIFE_EVENTS,
    "took-part": TOOK_PART,
    "past": PAST_ACTIONS,
    "goal": GOAL_VERBS,
    "plan": PLAN_VERBS,
    "activity": ACTIVITIES,
    "agenda": AGENDA,
    "profession": PROFESSIONS,
    "relation-verb": RELATION_VERBS,
    "occasion": OCCASIONS,
    "going": GOING,
    "game": GAMES,
    "no-object": POINTING | words("on with in for at when if to as"),
    "passing-verb": PASSING_VERBS,
    "arranged": ARRANGED,
    "job": words("job position offer promotion internship role"),
    "weekdays": words(
        "weekends mondays tuesdays wednesdays thursdays fridays saturdays sundays weekdays"
    ),
    "fav": words("favorite favourite fav fave favorites favourites favs"),
    # 'My door code is 4711.' was dropped: 'code' alone would keep 'my code is broken', too.
    "lock": words(
        "door gate garage alarm locker entry entrance building house flat apartment office room "
        "mailbox bike lock safe key-box lockbox parking customer discount zip postal area"
    ),
    "be": words("is are am was were 's be"),
    "number": words(
        "a an one two three four five six seven eight nine ten several some 1 2 3 4 5 6 7 8 9"
    ),
}
