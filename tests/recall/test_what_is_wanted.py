"""What a person wants from an assistant from then on, found where help is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from vaultmem.api.memory import Memory
from vaultmem.judgement.standing import likely_wish
from vaultmem.storage.index.search.question import (
    asks_advice,
    asks_help,
    asks_told,
    is_of_others,
)
from vaultmem.storage.index.text.traits import states_wish

_PLANS = (
    "For a picnic you could plan sandwiches, a salad and lemonade; a picnic in the park needs a "
    "blanket. Always pack the salad last. Some prefer the lemonade without sugar."
)


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """One talk in which an assistant repeats the words of a request again and again."""
    turns = [
        ("User", "Whenever I bring up outings, mention where we can park."),
        ("Assistant", "Noted."),
        ("User", "I'd rather eat raw vegetables than bread."),
        ("Assistant", "Fine."),
        ("User", "My aunt Frieda fell off her bike in March."),
        ("Assistant", "I hope that she is better."),
        *[("User", "Can you help me plan the picnic?"), ("Assistant", _PLANS)] * 12,
    ]
    Memory.init(tmp_path / "vault", name="outings")
    made = Memory(tmp_path / "vault")
    body = "\n\n".join(f"**{who}**: {said}" for who, said in turns)
    made.remember(body, extract=False)
    return made


@pytest.mark.parametrize("by_arrays", [False, True])
def test_wishes_answer_a_request_that_shares_no_word_with_them(
    memory: Memory, by_arrays: bool
) -> None:
    index = memory.opened.index
    index.by_arrays = by_arrays
    found = memory.search("What could I bring to the picnic?", limit=8, by="passage").hits
    said = [hit.passages[0].text for hit in found]
    assert any("raw vegetables" in text for text in said[:2])
    assert any("park" in text and "Whenever" in text for text in said[:2])
    assert any("picnic" in text for text in said), "the rest is found all the same"


def test_both_ways_count_wishes_the_same(memory: Memory) -> None:
    index = memory.opened.index
    answers = []
    for index.by_arrays in (False, True):
        found = index.search("Suggest something for the picnic", limit=20).found
        told = [(one.passage.text, one.score, one.coverage, tuple(one.parts)) for one in found]
        answers.append(told)
    assert answers[0] == answers[1]
    for _, score, _, parts in answers[0]:
        assert sum(part.value for part in parts) == pytest.approx(score)


def test_what_was_told_is_asked_without_wishes(memory: Memory) -> None:
    found = memory.search("Who fell off her bike in March?", limit=3, by="passage").hits
    assert "Frieda" in found[0].passages[0].text
    assert not any(part.note.startswith("what you want") for part in found[0].parts)


def test_an_assistants_always_is_nobodys_wish(memory: Memory) -> None:
    found = memory.search("Help me pack the salad", limit=10, by="passage").hits
    marked = [
        hit.passages[0].speaker
        for hit in found
        if any(part.note.startswith("what you want") for part in hit.parts)
    ]
    assert marked == ["User", "User"]


@pytest.mark.parametrize(
    "text",
    [
        "I prefer night buses to planes.",
        "Thanks! From now on, answer in two lines.",
        "Never use tabs in my Makefiles, I mean in the recipes for cakes.",
        "Ich mag keine Pilze.",
        "The bus was late. From now on, plan with the train.",
        "Por favor nunca uses anglicismos.",
        "Do you know Oslo? I’d rather see Bergen.",
    ],
)
def test_wishes(text: str) -> None:
    assert states_wish(text)


@pytest.mark.parametrize(
    "text",
    [
        "The bus was late again.",
        "Do you think I prefer buses?",
        "It has never rained so much.",
        "That is where he is from now on, till six.",
        "My sister always comes on Tuesdays.",
        "",
    ],
)
def test_no_wishes(text: str) -> None:
    assert not states_wish(text)


@pytest.mark.parametrize(
    ("question", "is_asked"),
    [
        ("Recommend a film for tonight", True),
        ("How should I tell my boss?", True),
        ("Was sollte ich am Sonntag kochen?", True),
        ("Which film did I like best?", False),
        ("Can you tell me what I said about films?", False),
        ("When is the dentist?", False),
        ("", False),
    ],
)
def test_help_is_asked(question: str, is_asked: bool) -> None:
    assert asks_help(question.lower().rstrip("?").split()) is is_asked


_ORDINARY = (
    "Bread out of a packet makes me sad, I'm happiest with a proper loaf.",
    "Distances in kilometres please, I grew up with them.",
)


def test_a_wish_without_a_cue_is_found_as_well(tmp_path: Path) -> None:
    """No list of words has these: the learned kinds of sentences know a taste and an order."""
    assert not any(map(states_wish, _ORDINARY))
    assert all(map(likely_wish, _ORDINARY))
    turns = [
        *[("User", text) for text in _ORDINARY],
        ("User", "My aunt Frieda fell off her bike in March."),
        *[("User", "Can you help me plan the picnic?"), ("Assistant", _PLANS)] * 12,
    ]
    Memory.init(tmp_path / "vault", name="outings")
    with Memory(tmp_path / "vault") as memory:
        memory.remember("\n\n".join(f"**{who}**: {said}" for who, said in turns), extract=False)
        hits = memory.search("What might we bring to the picnic?", limit=8, by="passage").hits
        said = [hit.passages[0].text for hit in hits]
        assert all(any(wish in text for text in said) for wish in _ORDINARY)
        assert not any("Frieda" in text for text in said)
        told = memory.search("When did Frieda fall off her bike?", limit=8, by="passage").hits
        assert "Frieda" in told[0].passages[0].text
        assert not any(part.note.startswith("what you want") for hit in told for part in hit.parts)


@pytest.mark.parametrize(
    "text",
    [
        "Draft a mail to my landlord.",
        "Help me write the parser.",
        "What do you think of it?",
        "My aunt Frieda fell off her bike in March.",
        "We moved the server on 3 March.",
        "",
    ],
)
def test_a_request_and_an_event_are_no_wish(text: str) -> None:
    assert not likely_wish(text)


def test_what_asks_for_what_was_told_and_what_asks_for_advice() -> None:
    for text in ("When did I move?", "What is my pulse?", "How many guests were there?"):
        assert asks_told(text.rstrip("?").split())
    for text in ("How should the page look", "Where might one eat", "Wie soll die Seite aussehen"):
        assert asks_advice(text.split())
        assert not asks_told(text.split())
    # English words that another language has as a small word of what was told.
    words = ("which", "library", "is", "a", "good", "one", "for", "the", "AI", "of", "the", "game")
    assert not asks_told(words)


@pytest.mark.parametrize("by_arrays", [False, True])
def test_a_question_about_others_is_no_request(tmp_path: Path, by_arrays: bool) -> None:
    """'What book did Noor recommend?' was answered by what Ingrid and Noor love."""
    turns = [
        ("Noor", "You should read 'The Salt Road', the best book I know."),
        ("Ingrid", "I love live music."),
        ("Noor", "I'm a big fan of pottery."),
        ("Ingrid", "I prefer the mountains to the sea."),
        *[("Ingrid", "The kids were ill again."), ("Noor", "Ours too, the whole week.")] * 60,
    ]
    Memory.init(tmp_path / "vault", name="friends")
    with Memory(tmp_path / "vault") as memory:
        memory.remember("\n\n".join(f"**{who}**: {said}" for who, said in turns))
        memory.opened.index.by_arrays = by_arrays
        hits = memory.recall("What book did Noor recommend to Ingrid?").hits
        assert "The Salt Road" in hits[0].passages[0].text
        assert not any(part.note.startswith("what you want") for hit in hits for part in hit.parts)
        asked = memory.recall("Can you suggest something that I could do with Ingrid?").hits
        assert any(part.note.startswith("what you want") for hit in asked for part in hit.parts)


def test_a_question_about_somebody_unknown_is_no_request(memory: Memory) -> None:
    """Wishes answered what was asked of people of whom nothing was told."""
    known = memory.search("How does the picnic unwind?", limit=8, by="passage").hits
    assert any(part.note.startswith("what you want") for hit in known for part in hit.parts)
    found = memory.search("How does Thorvald unwind?", limit=8, by="passage").hits
    assert not any(part.note.startswith("what you want") for hit in found for part in hit.parts)


def test_what_somebody_says_of_their_birthday_answers_for_them(tmp_path: Path) -> None:
    """No word of a turn is the name of who says it, so this was `no memory found`."""
    turns = [
        ("Noor", "My birthday is on 3 May, we had a cake on the beach last year."),
        *[("Ingrid", "The kids were ill again."), ("Noor", "Ours too, the whole week.")] * 60,
    ]
    Memory.init(tmp_path / "vault", name="friends")
    with Memory(tmp_path / "vault") as memory:
        body = "\n\n".join(f"**{who}**: {said}" for who, said in turns)
        memory.remember(body, extract=False)
        hits = memory.recall("When is Noor's birthday?").hits
        assert "3 May" in hits[0].passages[0].text
        assert not memory.recall("When is Thorvald's birthday?").hits


@pytest.mark.parametrize(
    ("question", "is_so"),
    [
        ("what book did noor recommend to ingrid", True),
        ("how does noor unwind", True),
        ("was hat ingrid noor empfohlen", True),
        ("any ideas for noor's birthday", False),
        ("recommend a film for noor", False),
        ("what should we give noor", False),
        ("what would you give noor", False),
        ("was soll ich ingrid schenken", False),
        ("", False),
    ],
)
def test_a_question_about_others(question: str, is_so: bool) -> None:
    assert is_of_others(question.split()) is is_so
