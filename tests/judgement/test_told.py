"""What a person tells is judged, in any language; nothing critical is lost."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.conftest import FixedClock
from vaultmem import Memory
from vaultmem.base.records import replace
from vaultmem.context.render import NOTHING_BESIDE
from vaultmem.extract.evidence import LONGEST, clauses, paragraphs
from vaultmem.extract.leaning import needs_context
from vaultmem.extract.prepare import Document
from vaultmem.judgement.sentence import judge_sentence
from vaultmem.model.answers import Filters
from vaultmem.recall.belief.sureness import fades


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    Memory.init(tmp_path / "vault")
    with Memory(tmp_path / "vault") as opened:
        yield opened


ITEMS = Filters(types=("item",), statuses=("active",))


def tell(memory: Memory, *said: str, day: int = 1) -> None:
    """A conversation: the person, then the assistant, in turn."""
    roles = ("user", "assistant")
    turns = [
        {"role": roles[number % 2], "content": words, "time": f"2026-03-{day:02}"}
        for number, words in enumerate([*said, *(["ok"] if len(said) % 2 else [])])
    ]
    memory.remember(json.dumps(turns))


def remember_each(memory: Memory, said: Iterable[str]) -> None:
    """Each text by itself, in one call: a git process fewer each."""
    memory.remember_many(Document(text=text) for text in said)


def hens(number: int) -> str:
    return f"My cousin number {number} keeps {number + 2} hens behind the barn."


def statements(memory: Memory) -> list[str]:
    return [row.statement for row in memory.list(ITEMS)]


class TestWhatIsKept:
    @pytest.mark.parametrize(
        "said",
        [
            "Meine Tante Gerda wohnt seit dem Frühjahr bei uns im Erdgeschoss.",
            "Ma sœur Inès tient une librairie à Nantes, près de la gare.",
            "Mi abuelo Ramón vive en Oviedo y tiene dos perros.",
            "The spare key for the shed hangs behind the boiler.",
        ],
    )
    def test_what_no_cue_knows_is_kept_word_for_word(self, memory: Memory, said: str) -> None:
        memory.remember(said)
        assert statements(memory) == [said]

    @pytest.mark.parametrize(
        "said",
        [
            "Haha, that was a good one.",
            "What a rainy afternoon.",
            "Thanks, never mind, I found it.",
            "Na, das war ja mal wieder ein Tag.",
        ],
    )
    def test_small_talk_is_kept_as_text_alone(self, memory: Memory, said: str) -> None:
        report = memory.remember(said)
        assert statements(memory) == []
        assert report.path.parts[0] == "resources"

    def test_what_was_on_a_day_is_kept_when_it_is_remembered_by_itself(
        self, memory: Memory
    ) -> None:
        for said in ("El lunes pasado compré una bicicleta.", "What a night last Friday!"):
            memory.remember(said)
        assert statements(memory) == ["El lunes pasado compré una bicicleta."]

    def test_who_says_what_kind_it_is_has_it_where_rules_put_it(self, memory: Memory) -> None:
        memory.remember("Heron needs a stronger engine.", kind="belief")
        [row] = memory.list(ITEMS)
        assert (row.kind, row.stream) == ("belief", "")

    def test_a_document_is_read_by_rules_alone(self, memory: Memory) -> None:
        said = "Mi abuelo Ramón vive en Oviedo y tiene dos perros. Hace sol. Es tarde."
        memory.remember(said, source="notes.md", imported=True)
        assert statements(memory) == []


class TestWhatIsCritical:
    def test_it_is_marked_and_stands_first_in_a_context_about_something_else(
        self, memory: Memory
    ) -> None:
        memory.remember("I prefer tea over coffee.")
        memory.remember("Penicillin put my son Karl in hospital, he must never be given it again.")
        assert any(row.critical for row in memory.list())
        text = memory.context("which drink do I like", budget=400).text
        assert text.index("Penicillin") < text.index("tea over coffee")

    def test_nobody_elses_word_is_critical(self, memory: Memory) -> None:
        memory.remember("I'm allergic to penicillin, it nearly killed me.", writer="web")
        assert not any(row.critical for row in memory.list())


class TestWhatMayBeOver:
    def test_both_are_kept_and_check_names_the_older_one(self, memory: Memory) -> None:
        memory.remember("My dentist appointment with Dr. Okafor is on 3 May at 9:30.")
        report = memory.remember("Dr. Okafor's dentist receptionist gave me another appointment.")
        assert len(statements(memory)) == 2
        assert any("may replace" in effect for item in report.items for effect in item.effects)
        [problem] = [each for each in memory.check().problems if each.code == "may-be-over"]
        assert "dentist-appointment" in problem.path.name
        assert "3 May" in problem.message.partition(" may be out of date")[0]


class TestConversations:
    @pytest.mark.parametrize(
        "said",
        [
            "Fix the bug in line 3.",
            "I want the chart in blue this time.",
            "Translate the letter to my landlord into German.",
            "Look at our chat:",
            "Decided to grab lunch, back in an hour.",
        ],
    )
    def test_a_request_of_the_moment_is_no_memory(self, memory: Memory, said: str) -> None:
        tell(memory, said)
        assert statements(memory) == []

    def test_what_speaks_of_nobody_in_a_pasted_text_is_no_memory(self, memory: Memory) -> None:
        guide = " ".join(
            f"Paragraph {number} of the guide explains how a visitor picks a room and pays for it."
            for number in range(40)
        )
        tell(memory, f"{guide} My aunt Gerda keeps her bike in room 12.")
        assert statements(memory) == ["My aunt Gerda keeps her bike in room 12."]

    def test_what_it_followed_is_the_persons_words_and_no_assistants(self, memory: Memory) -> None:
        first = "The spare key for the shed at Gerda's place is with the neighbour."
        tell(memory, first, "Nice, which neighbour?", "The one with the red door and the dog.")
        found = {row.statement: row.said_after for row in memory.list(ITEMS)}
        assert found["The one with the red door and the dog."] in ("", first)

    def test_its_prompt_gives_what_is_critical_first_whatever_is_asked(
        self, memory: Memory
    ) -> None:
        memory.remember("I prefer tea over coffee.")
        memory.remember("Penicillin put my son Karl in hospital, he must never be given it again.")
        with memory.session("trip") as session:
            system = session.prompt("Which train goes to Bergen?").system
        assert system.index("Penicillin") < system.index("tea over coffee")

    def test_the_sentence_of_a_conversation_puts_nothing_in_doubt(self, memory: Memory) -> None:
        with memory.session("project") as session:
            session.turn("My name is Ann.", "Hello.")
            session.turn("The project is called Heron.", "Noted.")
            session.turn("My sister Clara tests the tool.", "Good.")
            session.end()
        assert memory.check().problems == ()


def test_what_is_forgotten_and_stands_before_another_is_named(memory: Memory) -> None:
    memory.remember("My locker number is 4711. It's the red one by the door.")
    rows = {row.statement: row for row in memory.list(ITEMS)}
    locker, red = (row for said, row in sorted(rows.items(), key=lambda e: "red" in e[0]))
    assert red.said_after == locker.statement
    done = memory.forget(locker.id)
    assert red.path in {each.path for each in done.holding}


def test_what_another_program_wrote_has_its_slot(memory: Memory) -> None:
    memory.remember("user prefers short answers")
    then = memory.remember("user prefers short answers with code examples")
    assert [item.outcome for item in then.items] == ["update"]
    assert statements(memory) == ["User prefers short answers with code examples"]


def test_a_rule_and_an_item_of_one_sentence_are_given_once(memory: Memory) -> None:
    for day in (1, 4):
        tell(memory, f"Dinner on day {day}. I prefer metric units.", day=day)
    assert memory.learn.consolidate().changes
    for question in ("", "metric units", "who plays the violin"):
        text = memory.context(question).text
        assert text.count("metric units") - question.count("metric units") <= 1


@pytest.mark.parametrize("said", ["I have a dog.", "We have a cat.", "J'ai un chien."])
def test_a_short_word_about_oneself_is_kept(memory: Memory, said: str) -> None:
    memory.remember(said)
    assert statements(memory) == [said]


def test_with_room_left_it_is_still_said_that_nothing_was_found(memory: Memory) -> None:
    memory.remember("The spare key for the shed hangs behind the boiler.")
    pack = memory.context("quantum chromodynamics lattice")
    assert not pack.found
    known, told = pack.fresh.index("hangs behind the boiler"), pack.fresh.index(NOTHING_BESIDE)
    assert known < told  # never above a memory that may answer all the same
    assert {line.tier for line in pack.lines} == {"beside"}
    assert "## Found" not in pack.text


@pytest.mark.parametrize("budget", [200, 320, 460, 900, 20_000])
def test_what_had_no_room_is_counted_with_what_is_given_beside(memory: Memory, budget: int) -> None:
    remember_each(memory, map(hens, range(30)))
    pack = memory.context("which key hangs behind the boiler", budget=budget)
    assert sum(each.left_out for each in pack.portions) == sum(n for _, n in pack.left_out)
    assert len({(line.path, line.line) for line in pack.lines}) == len(pack.lines)


def test_what_nobody_confirmed_for_long_is_given_with_that_mark(tmp_path: Path) -> None:
    clock = FixedClock()
    Memory.init(tmp_path / "old", clock=clock)
    with Memory(tmp_path / "old", clock=clock) as memory:
        memory.remember("", fact=("elise", "plays", "the violin"), confidence=0.7)
        assert "not confirmed for long" not in memory.context("what does Elise play").text
        clock.advance(days=41)
        pack = memory.context("what does Elise play")
        assert "not confirmed for long] elise plays the violin" in pack.text
        assert pack.unsure == 1


def test_a_long_breath_is_kept_as_its_clauses() -> None:
    text = (
        "They did the cataract in my left eye in January and the right one is to be done in May, "
        "and until that is behind me I am not to drive after dark, so Anselm takes me to "
        "rehearsals on Thursdays and my sister brings me home again afterwards in her small car."
    )
    [sentence] = (each for _, told in paragraphs(text)[0] for each in told)
    parts = clauses(sentence)
    assert len(parts) > 1
    assert all(len(part.text.split()) <= LONGEST for part in parts)
    assert "".join(part.text for part in parts).replace(" ", "") == text.replace(" ", "")
    assert all(text[part.start :].startswith(part.text) for part in parts)


@pytest.mark.parametrize(
    ("said", "leans"),
    [
        ("Moved to the 18th.", True),
        ("It was moved to the afternoon because the surgeon is away that week.", True),
        ("Non, décalé au 18 novembre à 14 h 30, et je dois venir avec mes relevés.", True),
        ("The cardiologist's office has moved my appointment to the 18th of November.", False),
    ],
)
def test_a_sentence_that_leans_on_the_one_before_is_known(said: str, leans: bool) -> None:
    assert needs_context(said) is leans


@pytest.mark.parametrize(
    ("said", "question", "first"),
    [
        (
            "I play the cello on Sundays. My dentist is Dr. Okafor.",
            "what do I play on Sundays",
            "I play the cello on Sundays.",
        ),
        (
            "Der Hausmeister heißt Yusuf Aydin. Er mag Lakritz. Ich wohne in Kassel.",
            "wie heißt der Hausmeister",
            "Der Hausmeister heißt Yusuf Aydin.",
        ),
    ],
)
def test_the_words_that_say_it_answer_before_those_that_follow_them(
    memory: Memory, said: str, question: str, first: str
) -> None:
    memory.remember(said)
    assert memory.recall(question).hits[0].note.statement == first


def test_a_fact_about_things_is_in_no_stream_and_does_not_fade_within_weeks(
    memory: Memory,
) -> None:
    memory.remember("The door code of the cellar is 4711.")
    [row] = memory.list(ITEMS)
    assert (row.kind, row.stream) == ("fact", "")


DANGERS = (
    "I'm allergic to penicillin, my throat closes.",
    "My son Theo must never eat peanuts, he carries an EpiPen.",
    "I take 5 mg of apixaban every morning, so I bleed easily.",
    "My father has a pacemaker, so he must not go near welding gear.",
)


class TestWhatIsGiven:
    def fill(self, memory: Memory) -> None:
        memory.remember(" ".join(DANGERS))
        remember_each(memory, map(hens, range(30)))

    @pytest.mark.parametrize("question", ["find a name for my boat", "how many hens has cousin 7?"])
    def test_what_is_critical_is_given_from_300_tokens_on(
        self, memory: Memory, question: str
    ) -> None:
        self.fill(memory)
        pack = memory.context(question, budget=320)
        assert [said for said in DANGERS if said not in pack.text] == []
        assert memory.context(question, budget=2_000).text.count("## Health") == 1

    def test_the_answer_has_room_beside_what_is_critical(self, memory: Memory) -> None:
        memory.remember(" ".join(DANGERS))
        pollen = (f"I'm allergic to pollen number {n}, my throat closes." for n in range(40))
        remember_each(memory, pollen)
        memory.remember("The spare key for the shed hangs behind the boiler.")
        pack = memory.context("where does the spare key hang?", budget=600)
        assert "behind the boiler" in pack.text

    @pytest.mark.parametrize("budget", [320, 500, 900])
    def test_what_is_given_unasked_is_the_same_whatever_is_asked(
        self, memory: Memory, budget: int
    ) -> None:
        self.fill(memory)
        memory.remember("I live in Graz. My name is Lena. I like short answers.")
        questions = ("find a name for my boat", "how many hens has cousin 7?", "my son's peanuts")
        assert len({memory.context(asked, budget=budget).standing for asked in questions}) == 1

    def test_what_is_critical_does_not_fade_unsaid(self, memory: Memory) -> None:
        memory.remember(DANGERS[0])
        (row,) = memory.list(ITEMS)
        assert fades(replace(row, stream="flow", critical=""))
        assert not fades(replace(row, stream="flow"))

    def test_what_is_a_little_less_sure_to_be_critical_weighs_more_than_small_talk(self) -> None:
        sure, likely, trifle = map(
            judge_sentence,
            (
                DANGERS[0],
                "I've been forbidden to drive after dark until both eyes are done.",
                "My cousin keeps hens behind the barn.",
            ),
        )
        assert sure.importance >= 8 > trifle.importance
        assert sure.importance >= likely.importance > trifle.importance

    def test_the_record_of_a_talk_does_not_bring_back_what_is_over(self, memory: Memory) -> None:
        talk = memory.session("monday")
        talk.turn("I live in Graz. My sister Ada plays the harp.", "Noted.")
        talk.end()
        memory.remember("I don't live in Graz any more, I moved to Linz.")
        for row in memory.list(ITEMS):
            if row.statement == "I live in Graz.":  # where it was only marked
                memory.facts.expire(row.id)
        pack = memory.context("what did we say on monday about my sister Ada", budget=2_000)
        (record,) = [line for line in pack.lines if line.text.startswith("Conversation 'monday'")]
        assert "My sister Ada plays the harp" in record.text
        assert "in the end held" not in record.text
        assert "Graz" not in record.text
