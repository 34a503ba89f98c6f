"""A fact with another value: no word of the old sentence stays that was said of the old value."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from vaultmem.api.memory import Memory
from vaultmem.extract.restating import Restated, with_value
from vaultmem.model.ids import Oid
from vaultmem.model.notes import Item


def restated(statement: str, former: str, value: str, predicate: str = "about") -> Restated:
    item = Item(
        path=PurePosixPath("items/a.md"),
        oid=Oid(""),
        title="",
        body=statement,
        tags=(),
        id="i-a",
        kind="fact",
        statement=statement,
        subject="user",
        predicate=predicate,
        object=former,
    )
    return with_value(item, value)


def bodies(memory: Memory) -> str:
    return "\n".join(file.read_text("utf-8") for file in sorted(memory.root.glob("items/**/*.md")))


class TestACommand:
    """`change`, from the words that were remembered to the files."""

    def test_an_abbreviation_in_a_name_is_no_end_of_the_value(self, memory: Memory) -> None:
        (item,) = memory.remember("I work at St. Mary's Hospital.").items
        done = memory.change("user", "works_at", "Rehab Nord")
        assert done.before.object == "St. Mary's Hospital"
        assert done.successor is not None
        assert done.successor.statement == "I work at Rehab Nord."
        assert "I work at St. Mary's Hospital." in (memory.root / item.path).read_text("utf-8")
        new = (memory.root / done.successor.path).read_text("utf-8")
        assert "Mary" not in new
        assert memory.check().problems == ()

    def test_a_value_that_was_read_too_short_leaves_no_remnant(self, memory: Memory) -> None:
        memory.remember("I work at St. Mary's Hospital.", fact=("user", "works_at", "St"))
        done = memory.change("user", "works_at", "Rehab Nord")
        assert done.successor is not None
        assert done.successor.statement == "I work at Rehab Nord."
        assert done.left_out == "Mary's Hospital"

    def test_what_was_said_of_the_former_value_is_left_out_and_told(self, memory: Memory) -> None:
        memory.remember("I work at Siemens in Munich since 2019.")
        done = memory.change("user", "works_at", "Rehab Nord")
        assert done.successor is not None
        assert done.successor.statement == "I work at Rehab Nord."
        assert done.left_out == "in Munich since 2019"
        assert "I work at Siemens in Munich since 2019." in bodies(memory)
        assert "Munich" not in (memory.root / done.successor.path).read_text("utf-8")

    def test_a_correction_takes_over_as_little(self, memory: Memory) -> None:
        memory.remember("My favourite colour is blue, like the sea.")
        done = memory.correct("user", "favourite_colour", "red")
        assert done.after.statement == "My favourite colour is red."

    def test_what_no_longer_holds_ends_a_name_with_an_abbreviation(self, memory: Memory) -> None:
        (item,) = memory.remember("I live in St. Gallen.").items
        memory.remember("I no longer live in St. Gallen.")
        assert memory.show(item.id).note.status != "active"


@pytest.mark.parametrize(
    ("statement", "former", "value", "expected"),
    [
        ("I use Vim.", "Vim", "Helix", "I use Helix."),
        ("I use **Vim**.", "Vim", "Helix", "I use **Helix**."),
        ("Editor: Vim", "Vim", "Helix", "Editor: Helix"),
        ("I live in Lisbon now.", "Lisbon", "Porto", "I live in Porto now."),
        ("SQLite is our database.", "SQLite", "DuckDB", "DuckDB is our database."),
        ("Ich arbeite bei Siemens in Köln.", "Siemens", "Nord", "Ich arbeite bei Nord."),
        ("Vivo en Sevilla con la Sra. Paz.", "Sevilla", "Madrid", "Vivo en Madrid."),
        ("J'habite à Paris depuis 2010.", "Paris", "Lyon", "J'habite à Lyon."),
        ("Lavoro da Fiat con il dott. Rossi.", "Fiat", "Eni", "Lavoro da Eni."),
        ("Ik woon in Utrecht met dhr. Bos.", "Utrecht", "Gouda", "Ik woon in Gouda."),
        ("I live in Stratford-upon-Avon.", "Stratford", "Bath", "I live in Bath."),
        ("I eat at Studio 54.", "Studio", "Roxy", "I eat at Roxy."),
        ("I use C++ daily.", "C", "Rust", "I use Rust."),
        ("I work at Google (Zurich office).", "Google", "Apple", "I work at Apple."),
        ("I speak German and English.", "German", "French", "I speak French."),
        ("I moved. I live in Lisbon. I love it.", "Lisbon", "Porto", "I live in Porto."),
        ("It opens at 9 a.m. on Mondays.", "9 a.m", "10 a.m.", "It opens at 10 a.m."),
        ("I live at 12 Main St. in Boston.", "12 Main St", "4 Elm Ave.", "I live at 4 Elm Ave."),
        ("I am a teacher.", "teacher", "engineer", "I am an engineer."),
        ("I am an engineer at Bosch.", "engineer", "teacher", "I am a teacher."),
        ("I live in the Netherlands.", "Netherlands", "Portugal", "I live in Portugal."),
        ("I love the sea.", "sea", "mountains", "I love the mountains."),
    ],
)
def test_a_plain_sentence_ends_with_the_new_value(
    statement: str, former: str, value: str, expected: str
) -> None:
    assert restated(statement, former, value).statement == expected


@pytest.mark.parametrize(
    ("statement", "former", "predicate"),
    [
        ("I moved from Berlin to Lisbon.", "Lisbon", "lives_in"),
        ("Since 2019 I live in Lisbon.", "Lisbon", "lives_in"),
        ("In my second year I lived in Lisbon.", "Lisbon", "lives_in"),
        ("I live in New York.", "York", "lives_in"),
        ("Lisbon is where I live since 2019.", "Lisbon", "lives_in"),
        ("I have been living in Lisbon since 2019.", "Lisbon", "lives_in"),
    ],
)
def test_a_sentence_that_would_be_doubtful_is_written_anew(
    statement: str, former: str, predicate: str
) -> None:
    told = restated(statement, former, "Porto", predicate)
    assert (told.statement, told.composed) == ("I live in Porto.", True)


@pytest.mark.parametrize(
    ("statement", "former"),
    [
        ("Ich wohne in der Schweiz.", "Schweiz"),
        ("Ich wohne seit 2019 in Berlin.", "Berlin"),
        ("Anna is Mary's neighbour.", "Mary"),
    ],
)
def test_where_grammar_is_unknown_the_triple_says_it(statement: str, former: str) -> None:
    assert restated(statement, former, "Lissabon", "lives_in").statement == (
        "user lives in Lissabon"
    )


def test_a_purpose_stays_with_what_is_used() -> None:
    told = restated("We use Redis for the queue.", "Redis", "NATS", "uses")
    assert told.statement == "We use NATS for the queue."


def test_the_same_value_in_another_spelling_keeps_every_other_word() -> None:
    told = restated("I use vim at work since 2019.", "vim", "Vim", "uses_editor")
    assert told.statement == "I use Vim at work since 2019."
