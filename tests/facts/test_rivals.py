"""What two statements without a common slot mean for each other, by their words alone."""

from __future__ import annotations

import pytest

from tests.bench.judgement.corpus import pairs
from vaultmem.extract import frame_of, may_have_verb
from vaultmem.facts.supersede import COEXIST, SUPERSEDE, UNDECIDED, can_rival, compare

# (known, new): the newer one ends the known one.
ENDS = [
    # the same, denied
    ("The garage is heated.", "The garage is not heated."),
    ("The garage isn't heated.", "The garage is heated now."),
    ("I eat meat.", "I don't eat meat anymore."),
    ("The shop accepts cards.", "The shop no longer accepts cards."),
    ("Our CI caches wheels.", "Our CI does not cache wheels."),
    ("The bakery can deliver bread.", "The bakery cannot deliver bread."),
    ("Always squash commits.", "Never squash commits."),
    ("Always deploy on Fridays.", "Don't deploy on Fridays."),
    # another value, and the words say that it is new
    ("I work at Acme.", "I now work for Globex."),
    ("Our standup is on Tuesday.", "Our standup is now on Thursday."),
    ("The deploy job runs at 5 pm.", "As of now the deploy job runs at 6 pm."),
    ("The team lead is Tom.", "The team lead is now Ute."),
    ("The office is in Berlin.", "The office is currently in Lisbon."),
    # an amount of which there is one
    ("The rent is 900 euros.", "The rent is 950 euros."),
    ("The ticket costs about 20 euros.", "The ticket costs 25 euros."),
    ("The build takes 5 minutes.", "The build takes 8 minutes."),
    ("The house has 3 bedrooms.", "The house has 4 bedrooms."),
    ("The deployment budget is 300 dollars.", "The deplyoment budget is 400 dollars."),
    # the former value is named
    ("We use Redis for caching.", "We switched from Redis to Memcached for caching."),
    ("We use Node.", "We use Bun instead of Node."),
    ("The standup is on Tuesday.", "The standup moved from Tuesday to Thursday."),
    ("The office is in Berlin.", "The office is in Lisbon, not Berlin."),
    ("The backend runs on Heroku.", "The backend was migrated from Heroku to Fly."),
    ("We host on Heroku.", "We have replaced Heroku with Fly."),
    ("I drink coffee in the morning.", "I drink tea rather than coffee in the morning."),
]  # fmt: skip

# Both stand, and `check` asks.
ASKS = [
    ("The deploy job runs at 5 pm.", "The deploy job runs at 6 pm."),
    ("Our standup is on Tuesday.", "Our standup is on Thursday."),
    ("The CEO of Acme is Tom Baker.", "The CEO of Acme is Ute Schmidt."),
    ("The archive is in Berlin.", "The archive is in Lisbon."),
    ("The lease ends in May.", "The lease ends in June."),
    (
        "The door code is in envelope 12 and is valid",
        "The door code is in envelope 14 and is valid",
    ),
]

# Both stand, and nobody asks.
STANDS = [
    # unrelated
    ("The garage is heated.", "The kitchen is not heated."),
    ("The rent is 900 euros.", "The deposit is 950 euros."),
    ("Server 1 runs on port 8080.", "Server 2 runs on port 8081."),
    ("The Atlas backend listens on port 80.", "The Atlas frontend listens on port 90."),
    ("Ann speaks German.", "Tom speaks German."),
    ("Ann's birthday is 3 May.", "Tom's birthday is 4 May."),
    ("The upload limit is 5 MB.", "The download limit is 9 MB."),
    ("The primary server is in Berlin.", "The secondary server is in Lisbon."),
    # many at once
    ("I like tea.", "I like coffee."),
    ("We use Redis for caching.", "We use Memcached for sessions."),
    ("We use Redis.", "We now use Memcached too."),
    ("The library supports Python 3.10.", "The library supports Python 3.11."),
    ("Ann has a dog.", "Ann has a cat."),
    ("I have 2 cats.", "I have 1 dog."),
    ("The gym is closed on Mondays.", "The gym is closed on Tuesdays."),
    ("The shop opens at 9 on Monday.", "The shop opens at 9 on Sunday."),
    ("The proof is in chapter 3.", "The proof is in chapter 4."),
    ("Maria is Spanish.", "Maria is Catholic."),
    ("The garage is heated.", "The garage is big."),
    ("The garage is heated.", "The garage is now clean."),
    # once
    ("I met Ann on Monday.", "I met Tom on Tuesday."),
    ("The release was on 3 May.", "The release was on 10 June."),
    ("We decided to use Redis.", "We decided to use Memcached."),
    # doubt, condition, question, pointing
    ("I eat meat.", "I don't think that I eat meat."),
    ("I eat meat.", "I don't eat meat if it is red."),
    ("The garage is heated.", "Is the garage not heated?"),
    ("It is 5 km away.", "It is 7 km away."),
    ("This is chapter 1.", "This is chapter 2."),
    ("She is in Berlin.", "She is not in Berlin."),
    ("We use Redis for caching.", "We might switch from Redis to Memcached for caching."),
    ("We use Redis for caching.", "We never switched from Redis to Memcached."),
    ("We use Redis for caching.", "They switched from Redis to Memcached for caching."),
    ("We use Redis for sessions.", "We switched from Redis to Memcached for caching."),
    ("The standup is on Tuesday.", "The retro moved from Tuesday to Thursday."),
    ("We use Node for builds.", "We use Bun instead of Deno for builds."),
    # less than the same
    ("I eat meat.", "I don't eat meat on Fridays."),
    ("The API caches tokens.", "The API does not cache tokens of guests."),
    ("The garage is not heated.", "The garage is not big."),
    # how much and how often
    ("I use Vim.", "I don't only use Vim."),
    ("The garage is big.", "The garage is not very big."),
    ("The shop accepts cards.", "The shop does not usually accept cards."),
]  # fmt: skip


@pytest.mark.parametrize(("known", "new"), ENDS)
def test_the_newer_one_ends_the_known_one(known: str, new: str) -> None:
    assert can_rival(new)
    assert compare(new, known) == SUPERSEDE


@pytest.mark.parametrize(("known", "new"), ASKS)
def test_nothing_says_which_one_holds(known: str, new: str) -> None:
    assert can_rival(new)
    assert compare(new, known) == UNDECIDED


@pytest.mark.parametrize(("known", "new"), STANDS)
def test_both_stand(known: str, new: str) -> None:
    assert compare(new, known) == COEXIST


def test_nothing_contradicts_itself() -> None:
    every = {text for pair in (*ENDS, *ASKS, *STANDS) for text in pair}
    assert {compare(text, text) for text in every} == {COEXIST}


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".",
        "a",
        "not",
        "never",
        "always",
        "is is is",
        "from to",
        "我喜欢茶",
        "We replaced with",
        "is not",
    ],
)
def test_any_text_will_do(text: str) -> None:
    for other in ("We use Redis.", text):
        assert compare(text, other) == compare(other, text) == COEXIST


def test_a_look_at_letters_misses_no_verb() -> None:
    """Known statements without the verb of a new one are not taken apart."""
    said = {text for pair in pairs() for text in (pair.old, pair.new)}
    said |= {text for pair in (*ENDS, *ASKS, *STANDS) for text in pair}
    said |= {text.replace("'", "’").upper() for text in said}
    frames = {text: frame for text in said if (frame := frame_of(text)) is not None}
    assert len(frames) > 500
    assert [text for text, frame in frames.items() if not may_have_verb(text, frame.verb)] == []
    assert not may_have_verb("The tea is cold.", "prefer")
