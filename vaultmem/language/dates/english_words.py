"""English words that date phrases are made of."""

from __future__ import annotations


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _numbered(groups: str, start: int) -> dict[str, int]:
    """Each word with the number of its comma separated group."""
    return {
        word: number
        for number, group in enumerate(groups.split(","), start)
        for word in group.split()
    }


MONTHS = _numbered(
    "january jan, february feb, march mar, april apr, may, june jun, july jul, august aug, "
    "september sep sept, october oct, november nov, december dec",
    1,
)
PLAIN_MONTHS = _set("january february july september october november december")
"""Neither a name of a person nor another word: believed without a capital letter too."""
NAMED_MONTHS = _set("april may june august jan")
"""People are called so."""

WEEKDAYS = _numbered(
    "monday mon, tuesday tue tues, wednesday wed, thursday thu thur thurs, friday fri, "
    "saturday sat, sunday sun",
    0,
)
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
HOLIDAYS = {  # (month, day)
    "christmas": (12, 25),
    "halloween": (10, 31),
    "valentine's": (2, 14),
    "new year's": (1, 1),
    "christmas eve": (12, 24),
    "new year's eve": (12, 31),
}
UNITS = {
    word: unit
    for unit in ("day", "week", "month", "quarter", "year")
    for word in (unit, unit + "s")
}
NUMBERS = _numbered("one,two,three,four,five,six,seven,eight,nine,ten,eleven,twelve", 1) | {
    "a": 1,
    "an": 1,
    "couple": 2,
    "fifteen": 15,
    "twenty": 20,
    "thirty": 30,
    "fifty": 50,
}
PARTS_OF_DAY = _set("morning afternoon evening night")
PARTS = {
    "start": "start",
    "beginning": "start",
    "early": "start",
    "middle": "middle",
    "mid": "middle",
    "end": "end",
    "late": "end",
}
STEPS = {
    "last": -1,
    "previous": -1,
    "past": -1,
    "this": 0,
    "current": 0,
    "next": 1,
    "coming": 1,
    "upcoming": 1,
}

SINCE = _set("since from starting effective")
UNTIL = _set("until till til through")
BY = _set("by before due")
AT = _set("on in at for to during over around about of")
PREPOSITIONS = SINCE | UNTIL | BY | AT

POSSESSIVE = _set("my your his her its our their whose every each any another")
PRONOUNS = _set("i we you he she it they")
FUNCTION_WORDS = _set(
    "i we you he she it they my our your his her their its the a an this that these those and or "
    "but so because when while where which who if as at by for from in into of on onto over to "
    "with without until till since before after during is are was were will would has have had "
    "do does did am be been can could should must not then there also already all both"
)

BE_PRESENT = _set("is are am be being i'm we're you're they're it's he's she's that's")
NOT_PAST = _set(
    "need feed speed seed bed red shed wed led indeed hundred embed proceed exceed succeed agreed "
    "breed weed greed bleed sacred kindred naked wicked unified"
)
PAST = _set(
    "was were had did went saw met got made came left took ran bought began gave told said wrote "
    "spoke flew drove ate drank slept felt found held kept knew lost paid read sent sold spent "
    "stood taught thought threw understood won wore grew became broke brought built caught chose "
    "fell forgot heard hid hurt led lit rode rang rose sang sat shook shot swam hung dealt "
    "wasn't weren't didn't hadn't couldn't ago been gone done born"
)
FUTURE = _set(
    "will shall going gonna is are am i'll we'll you'll he'll she'll it'll they'll i'm we're "
    "must should need needs want plan plans planning due deadline todo remind let's can may might "
    "leaves starts begins ends opens closes expires arrives returns meet book schedule won't have "
    "start begin launch leave fly arrive return"
)
# What follows their 'to' was still ahead: 'decided to ship in May'.
RESOLVED = _set("decided agreed planned promised committed resolved arranged intended")
PERFECT = _set("have has i've we've you've they've he's she's it's been haven't hasn't")
