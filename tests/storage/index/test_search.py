"""Questions and what they find."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.storage.index.building import (
    IDENTITY,
    category,
    decoded,
    item,
    open_index,
    page,
    paths,
    put,
    resource,
    statements,
)
from vaultmem.model.answers import Filters
from vaultmem.model.notes import Page
from vaultmem.storage.index.database import Index
from vaultmem.storage.index.search.bm25 import Scoring

FIELDS = {"director": "[[Ridley Scott]]", "owned": ("tape", "disc")}
NOW = 1_712_664_000_000  # 9 April 2024
TALK = """\
**Ann** (2024-05-03): What did you do about the garden fence, Bob?

**Bob** (2024-05-03): I painted it green last Saturday, took me all morning!

**Ann** (2024-05-03): Lovely. My sister adopted a puppy.

**Bob** (2024-05-03): Wow.

**Ann** (2024-05-03): She calls him Biscuit.
"""
NOTES = (
    item("I prefer tabs over spaces.", kind="preference", subject="user", stream="identity"),
    item("My sister lives in Kopenhagen.", entities=("Copenhagen",)),
    item("We decided to use PostgreSQL for the billing service.", kind="decision"),
    item("C++ templates compile slowly.", tags=("programming/languages",)),
    item("The office moved to Berlin.", status="superseded", valid_from=1_700_000_000_000),
    item("Alice's birthday is on 3 May.", kind="event", valid_from=1_714_694_400_000),
    item("Die Häuser in München sind teuer.", categories=("travel",)),
    item("Моя сестра любит чёрный чай."),
    item("我喜欢喝绿茶。"),
    item("猫が好きです。"),
    item("ฉันชอบดื่มชา"),
    item("Launch party 🎉 on Friday."),
    resource(TALK, title="Garden talk"),
    page("# Sourdough\n\nFeed the starter with rye flour.\n\n## Baking\n\nPreheat the oven.\n"),
    category("# Tools\n\nEditors and compilers.\n"),
)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return open_index(tmp_path_factory.mktemp("index") / "index.sqlite", *NOTES)


class TestFinding:
    """A question finds the note that holds its words, in whatever form and language."""

    @pytest.mark.parametrize(
        ("question", "statement"),
        [
            ("Do I prefer tab or space?", "I prefer tabs over spaces."),
            ("which database did we decide on: postgresql?", "We decided to use PostgreSQL"),
            ("C++", "C++ templates compile slowly."),
            ("programming", "C++ templates compile slowly."),
            ("When is Alice\u2019s birthday?", "Alice's birthday is on 3 May."),
            ("munchen", "Die Häuser in München"),
            ("haus münchen", "Die Häuser in München"),
            ("сёстры", "Моя сестра любит чёрный чай."),
            ("绿茶", "我喜欢喝绿茶。"),
            ("茶", "我喜欢喝绿茶。"),
            ("猫", "猫が好きです。"),
            ("猫が好き", "猫が好きです。"),
            ("ชา", "ฉันชอบดื่มชา"),
            ("🎉", "Launch party 🎉 on Friday."),
            ("rye flour starter", "# Sourdough"),
            ("preheat", "## Baking"),
            ("compilers", "# Tools"),
            ("copenhagen", "My sister lives in Kopenhagen."),
        ],
    )
    def test_the_first_answer(self, index: Index, question: str, statement: str) -> None:
        assert statements(index, question)[0].startswith(statement)

    def test_an_answer_counts_the_words_of_the_question_before_it(self, index: Index) -> None:
        assert statements(index, "Who painted the garden fence?")[0].startswith("I painted it")

    def test_who_is_named_decides_between_speakers(self, tmp_path: Path) -> None:
        talk = "**Ann**: My dog likes long walks.\n\n**Bob**: My dog likes long walks.\n"
        index = open_index(tmp_path / "index.sqlite", resource(talk))
        for name in ("Ann", "Bob"):
            found = index.search(f"What does {name}'s dog like?").found
            assert found[0].passage.speaker == name

    def test_talks_of_the_one_who_is_named_go_before_those_of_others(self, tmp_path: Path) -> None:
        question = "Which animal did Ann adopt?"
        theirs = "**Ann**: Hello!\n\n**Bob**: You adopted a goose, I heard.\n\n**Ann**: Yes.\n"
        others = "**Cleo**: We adopted an animal, a goat.\n\n**Dan**: Ha.\n"
        index = open_index(tmp_path / "index.sqlite", resource(others), resource(theirs))
        without = index.search(question, scoring=Scoring(company=0))
        assert "goat" in without.found[0].passage.text
        best = index.search(question).found[0]
        assert "goose" in best.passage.text
        assert "company" in {part.name for part in best.parts}

    def test_who_is_named_by_others_is_found_there_too(self, tmp_path: Path) -> None:
        theirs = resource("**Ann**: Hello!\n\n**Bob**: Hi, nice weather for a walk today.\n")
        told = resource("**user**: Ann is allergic to peanuts.\n\n**assistant**: I see.\n")
        others = resource("**user**: Cleo is allergic to wasps.\n\n**assistant**: I see.\n")
        index = open_index(tmp_path / "index.sqlite", others, theirs, told)
        assert "peanuts" in index.search("What is Ann allergic to?").found[0].passage.text

    def test_a_word_that_is_a_name_too_is_a_word_in_small_letters(self, tmp_path: Path) -> None:
        named = resource("**Rose**: Hello!\n\n**Bob**: Where did you plant the tree?\n")
        told = resource("**Cleo**: I plant a rose in the garden.\n\n**Dan**: A rose, lovely!\n")
        index = open_index(tmp_path / "index.sqlite", named, told)
        found = index.search("where did Cleo plant the rose").found
        assert found[0].passage.speaker == "Cleo"
        parts = {part.name for one in found if one.passage.speaker == "Bob" for part in one.parts}
        assert "company" not in parts

    def test_of_several_things_each_talk_gives_one_before_another_gives_more(
        self, tmp_path: Path
    ) -> None:
        read = (
            "**Ann**: I read books, {} is my favourite of those books.\n\n**Ann**: Books, books!\n"
        )
        said = [resource(read.format(title), title=title) for title in ("Emma", "Dune", "Ulysses")]
        index = open_index(tmp_path / "index.sqlite", *said)
        found = index.search("Which books has Ann read?", limit=6).found
        assert len({one.path for one in found[:3]}) == 3
        lowered = [one for one in found if "breadth" in {part.name for part in one.parts}]
        assert lowered
        for one in found:
            assert sum(part.value for part in one.parts) == pytest.approx(one.score)
        assert all(
            "breadth" not in {part.name for part in one.parts}
            for one in index.search("What did Ann read?", limit=6).found
        )

    @pytest.mark.parametrize(
        ("question", "is_spread"),
        [
            ("Would Ann reread Emma?", False),
            ("What might Ann reread?", True),
            ("What does Ann think she could reread?", False),
            ("What could I give you to reread?", False),
        ],
    )
    def test_what_nobody_said_is_concluded_from_several_talks(
        self, tmp_path: Path, question: str, *, is_spread: bool
    ) -> None:
        said = [
            resource(f"**Ann**: I reread {title}.\n\n**Ann**: Reread it!\n", title=title)
            for title in ("Emma", "Dune")
        ]
        found = open_index(tmp_path / "index.sqlite", *said).search(question, limit=6).found
        spread = any("breadth" in {part.name for part in one.parts} for one in found)
        assert spread is is_spread

    def test_a_name_alone_finds_what_its_bearer_said(self, index: Index) -> None:
        assert {one.passage.speaker for one in index.search("Bob").found} == {"Bob", "Ann"}

    def test_repeated_words_and_common_words_do_not_hide_rare_ones(self, tmp_path: Path) -> None:
        notes = [item(f"The meeting about topic{n} was long.") for n in range(60)]
        index = open_index(tmp_path / "index.sqlite", *notes, item("A meeting with Zaphod."))
        assert statements(index, "the meeting meeting with zaphod")[0] == "A meeting with Zaphod."

    def test_in_a_vault_of_one_note_it_is_found(self, tmp_path: Path) -> None:
        index = open_index(tmp_path / "index.sqlite", item("I like tea."))
        assert statements(index, "tea") == ["I like tea."]


FILLING = tuple(item(f"Number {n} of the filling says nothing.") for n in range(8))


class TestCompounds:
    """A word written as two, and two written as one, are the same."""

    def test_one_word_finds_two(self, tmp_path: Path) -> None:
        notes = (item("We took a road trip to Oban."), item("The road is wet."), item("A trip."))
        index = open_index(tmp_path / "index.sqlite", *notes, *FILLING)
        found = index.search("Which roadtrips did we take?").found
        assert found[0].passage.text == "We took a road trip to Oban."
        assert any("as two words" in part.note for part in found[0].parts)

    def test_two_words_find_one(self, tmp_path: Path) -> None:
        notes = (item("Our roadtrip went to Oban."), item("The road is wet."), item("A trip."))
        index = open_index(tmp_path / "index.sqlite", *notes, *FILLING)
        found = index.search("Which road trips did we make?").found
        assert found[0].passage.text == "Our roadtrip went to Oban."
        assert any("as one word" in part.note for part in found[0].parts)

    def test_what_stands_before_a_word_with_a_hyphen_or_without(self, tmp_path: Path) -> None:
        index = open_index(tmp_path / "index.sqlite", item("I run to de-stress."), *FILLING)
        assert index.search("how do I destress").found[0].passage.text == "I run to de-stress."

    def test_a_word_of_the_language_is_not_cut(self, tmp_path: Path) -> None:
        index = open_index(tmp_path / "index.sqlite", item("My pet hates the car."), *FILLING)
        assert index.search("carpet").found == ()

    def test_a_misspelt_word_is_still_mended(self, tmp_path: Path) -> None:
        index = open_index(tmp_path / "index.sqlite", item("Some thing."), item("The something."))
        assert index.search("somethign").repairs[0].used == ("something",)


class TestMisspelling:
    """A word that no note holds stands for its nearest known words, and the answer says so."""

    @pytest.mark.parametrize(
        ("wrong", "statement"),
        [
            ("postgrseql", "We decided to use PostgreSQL"),
            ("postgresq", "We decided to use PostgreSQL"),
            ("ostgresql", "We decided to use PostgreSQL"),
            ("pstgresqk", "We decided to use PostgreSQL"),
            ("templattes", "C++ templates compile slowly."),
            ("birtday", "Alice's birthday"),
            ("сестраа", "Моя сестра"),
        ],
    )
    def test_repairs(self, index: Index, wrong: str, statement: str) -> None:
        answer = index.search(wrong)
        assert answer.found[0].passage.text.startswith(statement)
        assert answer.repairs[0].word == wrong
        assert 0.7 < answer.repairs[0].similarity < 1

    def test_a_misspelt_name_names_its_bearer(self, tmp_path: Path) -> None:
        talk = "**Caroline**: I run.\n\n**Melanie**: I run.\n"
        index = open_index(tmp_path / "index.sqlite", resource(talk))
        answer = index.search("Does Carolyne run?")
        assert answer.found[0].passage.speaker == "Caroline"
        assert answer.repairs[0].used == ("caroline",)

    def test_can_be_switched_off(self, index: Index) -> None:
        assert index.search("postgrseql", fuzzy=False).found == ()

    def test_known_words_are_left_alone(self, index: Index) -> None:
        assert index.search("green starter").repairs == ()

    def test_another_form_of_a_known_word_is_mended(self, tmp_path: Path) -> None:
        index = open_index(tmp_path / "index.sqlite", item("A letter from Bergen."), *FILLING)
        answer = index.search("how many laetters")
        assert answer.found[0].passage.text == "A letter from Bergen."
        assert answer.repairs[0].used == ("letter",)

    def test_a_longer_word_is_no_misspelling_of_a_shorter_one(self, tmp_path: Path) -> None:
        index = open_index(tmp_path / "index.sqlite", item("An entrepreneur."), *FILLING)
        assert index.search("entrepreneurial").repairs == ()

    def test_what_goes_with_a_word_that_no_note_has_is_found(self, tmp_path: Path) -> None:
        index = open_index(tmp_path / "index.sqlite", item("Two weeks in Spain."), *FILLING)
        for question in ("which countries", "which mcountries", "which conutries"):
            assert index.search(question).found[0].passage.text == "Two weeks in Spain."

    @pytest.mark.parametrize("small", ["wheer", "whcih", "abotu", "dnring"])
    def test_a_misspelt_stop_word_asks_for_nothing(self, tmp_path: Path, small: str) -> None:
        notes = [item(one) for one in ("A wheel.", "A witch.", "An abbot.", "A daring cat.")]
        index = open_index(tmp_path / "index.sqlite", *notes, item("I like tea."))
        answer = index.search(f"{small} tea")
        assert [one.passage.text for one in answer.found] == ["I like tea."]
        assert answer.found[0].coverage == 1
        assert answer.repairs == ()

    def test_the_likeliest_word_counts_as_if_it_were_spelt_right(self, tmp_path: Path) -> None:
        index = open_index(tmp_path / "index.sqlite", item("The lantern is green."), *FILLING)
        right, wrong = (index.search(one).found[0].score for one in ("lantern", "lntern"))
        assert wrong == pytest.approx(right)

    @pytest.mark.parametrize("known", ["class", "classes", "spain", "stamps"])
    def test_a_word_of_english_is_no_misspelling_of_an_unlike_one(
        self, tmp_path: Path, known: str
    ) -> None:
        notes = item("He claps and clasps."), item("A spin in the swamps."), item("I like tea.")
        answer = open_index(tmp_path / "index.sqlite", *notes).search(f"my {known}")
        assert (answer.repairs, answer.found) == ((), ())

    def test_a_word_of_english_is_no_misspelling_of_a_name(self, tmp_path: Path) -> None:
        talk = "**Luke**: I run.\n\n**Bob**: I run.\n"
        index = open_index(tmp_path / "index.sqlite", resource(talk))
        assert index.search("the lake").repairs == ()

    def test_words_of_removed_notes_are_not_offered(self, tmp_path: Path) -> None:
        known = item("A giraffe walked by.")
        index = open_index(tmp_path / "index.sqlite", known, item("A zebra walked by."))
        with index.writing():
            index.remove([known.path])
        assert index.search("girafe").found == ()


class TestNothing:
    """What is not in the vault is not found."""

    @pytest.mark.parametrize(
        "question",
        ["", " \n", "?", "what is it", "xyzzy plugh", "quantum tractor asteroid", "\x00"],
    )
    def test_finds_nothing(self, index: Index, question: str) -> None:
        assert index.search(question).found == ()

    def test_in_an_empty_index(self, tmp_path: Path) -> None:
        assert open_index(tmp_path / "index.sqlite").search("tea").found == ()

    def test_a_name_alone_is_little_of_a_question_about_something(self, tmp_path: Path) -> None:
        """What Bob's favourite opera is no note says, though there is much by and about him."""
        index = open_index(tmp_path / "index.sqlite", resource(TALK))
        assert index.search("Bob").found[0].coverage == 1
        assert index.search("Bob's operas").found[0].coverage < 0.5
        assert index.search("Bob's quantum zeppelin operas").found[0].coverage < 0.25
        index.close()

    def test_coverage_tells_how_much_of_a_question_was_found(self, index: Index) -> None:
        whole = index.search("tabs spaces").found[0].coverage
        part = index.search("tabs tractor asteroid submarine").found[0].coverage
        assert whole == 1
        assert 0 < part < 0.5


class TestAnyText:
    """Any text is a question; none is an error, none takes a second."""

    @pytest.mark.parametrize(
        "question",
        [
            'AND OR NOT NEAR("a" b*) -c ^d col:e {f}',
            "../../etc/passwd",
            "C:\\Users\\me\\file.txt",
            "'; DROP TABLE notes; --",
            "%_[a-z]*?",
            "\ud800 lone surrogate tea",
            "tea\x00\x1b[31m",
            "🎉" * 1_000,
            "a" * 100_000,
            "猫" * 10_000,
            "( " * 5_000,
        ],
    )
    def test_strange_ones(self, index: Index, question: str) -> None:
        index.search(question, now=NOW)

    def test_ten_kilobytes_of_prose(self, index: Index) -> None:
        prose = " ".join(f"sister tabs {n}word template{n} on {n} May" for n in range(400))
        start = time.process_time()
        assert index.search(prose, now=NOW).found
        assert time.process_time() - start < 1

    @pytest.mark.parametrize("text", ["on {n} May ", "in May {y} ", "{n} ocotber "])
    def test_a_text_full_of_dates(self, index: Index, text: str) -> None:
        dates = "".join(text.format(n=n % 28 + 1, y=1600 + n % 500) for n in range(2_000))
        start = time.process_time()
        index.search(f"tea {dates}", now=NOW)
        assert time.process_time() - start < 1

    @given(st.text(st.characters()))
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
    def test_never_raises(self, index: Index, question: str) -> None:
        scores = [one.score for one in index.search(question, limit=5, now=NOW).found]
        assert scores == sorted(scores, reverse=True)
        assert all(score > 0 for score in scores)

    @pytest.mark.parametrize(
        "question", ["Who painted the garden fence?", "sister", "when did ann adopt a pupy", "C++"]
    )
    def test_case_changes_nothing(self, index: Index, question: str) -> None:
        plain, upper = index.search(question), index.search(question.upper())
        assert [(one.path, one.score) for one in plain.found] == [
            (one.path, one.score) for one in upper.found
        ]

    def test_the_order_of_putting_changes_nothing(self, index: Index, tmp_path: Path) -> None:
        other = open_index(tmp_path / "index.sqlite", *reversed(NOTES))
        for question in ("sister", "garden fence bob", "tea sister office tabs", "🎉 friday"):
            assert statements(other, question) == statements(index, question)


class TestMetamorphic:
    """What has nothing to do with a question leaves the order of its answers alone."""

    ASKED = (
        "Who painted the garden fence?",
        "When did my sister adopt a pet?",
        "sister tea",
        "What did Ann say in May 2024?",
        "film by Ridley Scott",
    )
    NOTES = (*NOTES, page("", path="Blade Runner.md", fields=FIELDS))

    @pytest.fixture
    def answers(self, tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
        index = open_index(tmp_path_factory.mktemp("plain") / "index.sqlite", *self.NOTES)
        return [statements(index, question, now=NOW) for question in self.ASKED]

    def test_the_order_of_notes(self, tmp_path: Path, answers: list[list[str]]) -> None:
        index = open_index(tmp_path / "index.sqlite", *self.NOTES[::-1])
        assert [statements(index, question, now=NOW) for question in self.ASKED] == answers

    def test_the_names_of_files(self, tmp_path: Path, answers: list[list[str]]) -> None:
        # Renamed in their own order: of equals the one whose path comes first stands first.
        renamed = [replace(note, path=PurePosixPath("z", note.path)) for note in self.NOTES]
        index = open_index(tmp_path / "index.sqlite", *renamed)
        assert [statements(index, question, now=NOW) for question in self.ASKED] == answers

    def test_an_unrelated_note(self, tmp_path: Path, answers: list[list[str]]) -> None:
        other = item("Quartz crystals resonate precisely.")
        index = open_index(tmp_path / "index.sqlite", *self.NOTES, other)
        assert [statements(index, question, now=NOW) for question in self.ASKED] == answers

    def test_capitals(self, tmp_path: Path, answers: list[list[str]]) -> None:
        index = open_index(tmp_path / "index.sqlite", *self.NOTES)
        found = [statements(index, question.upper(), now=NOW) for question in self.ASKED]
        assert found == answers


class TestFilters:
    """Only notes that pass may answer, and they do however many others match better."""

    @pytest.mark.parametrize(
        ("filters", "expected"),
        [
            (Filters(types=("resource",)), {"resource"}),
            (Filters(kinds=("preference", "decision")), {"item"}),
            (Filters(streams=("identity",)), {"item"}),
            (Filters(statuses=("superseded",)), {"item"}),
            (Filters(tags=("Programming",)), {"item"}),
            (Filters(tags=("languages",)), set()),
            (Filters(categories=("travel",)), {"item"}),
        ],
    )
    def test_by_what_a_note_is(self, index: Index, filters: Filters, expected: set[str]) -> None:
        question = "tabs sister postgresql templates office garden münchen teuer compilers"
        found = index.search(question, filters=filters).found
        rows = index.notes(one.path for one in found)
        assert {row.type for row in rows.values()} == expected

    def test_by_date(self, index: Index) -> None:
        may = Filters(since=1_714_000_000_000, until=1_715_000_000_000)
        found = {str(one.path) for one in index.search("birthday office garden", filters=may).found}
        assert {path.split("/")[0] for path in found} == {"items", "resources"}
        later = replace(may, since=1_714_780_800_000)
        assert index.search("birthday office garden", filters=later).found == ()

    def test_current_notes_answer_behind_any_number_of_superseded_ones(
        self, tmp_path: Path
    ) -> None:
        old = [item(f"The office is in Berlin, room {n}.", status="superseded") for n in range(700)]
        new = item("By the way, the office has moved on to a room in some other city by now.")
        index = open_index(tmp_path / "index.sqlite", *old, new)
        now = Filters(statuses=("", "active"))
        assert statements(index, "office room berlin", limit=3, filters=now) == [new.statement]
        assert len(paths(index, "office room berlin", limit=3)) == 3
        active = Filters(statuses=("active",), types=("item",))
        assert statements(index, "office room berlin", limit=3, filters=active) == [new.statement]


class TestExplaining:
    """The parts say in words where a score comes from, and add up to it."""

    @pytest.mark.parametrize(
        "question", ["When did Bob paint the garden fence?", "sister puppy", "tabs", "postgrseql"]
    )
    def test_parts_add_up(self, index: Index, question: str) -> None:
        for one in index.search(question).found:
            assert sum(part.value for part in one.parts) == pytest.approx(one.score)

    def test_parts_add_up_in_a_talk_of_one_turn_which_is_not_searched_for_names(
        self, tmp_path: Path
    ) -> None:
        turn = resource("**Bob** (2024-05-03): Ann and I painted the fence.\n", title="Fence")
        other = item("Ann likes figs.", entities=("Ann",))
        index = open_index(tmp_path / "index.sqlite", turn, other, resource(TALK))
        found = index.search("What did Ann paint?").found
        assert turn.path in {one.path for one in found}
        for one in found:
            assert sum(part.value for part in one.parts) == pytest.approx(one.score)

    def test_names_of_parts(self, index: Index) -> None:
        found = index.search("When did Bob paint the fence?").found[0]
        named = {part.name: part.note for part in found.parts}
        assert named["word"] in ("paint", "fence")
        assert {"person", "date", "first person"} <= named.keys()

    # Meaning takes vectors: tests/embeddings.
    @pytest.mark.parametrize("name", [n for n in Scoring._fields[2:] if n != "meaning"])
    def test_every_part_can_be_switched_off_and_matters(self, index: Index, name: str) -> None:
        question = "When did Bob paint the garden fence for his pet in May 2024?"
        put(index, [page("The fence fell.\n\nA fence of oak.\n\nThe fence is old.\n")])
        plain = {one.passage: one.score for one in index.search(question, now=NOW).found}
        off = Scoring(**{name: 0.0})
        found = index.search(question, scoring=off, now=NOW).found
        assert plain != {one.passage: one.score for one in found}


class TestNotes:
    """What a note is about as a whole counts for each of its passages, and so does its title."""

    def test_a_page_is_found_by_the_name_of_its_folder(self, tmp_path: Path) -> None:
        zone = page("Written to test this.", path="a/Time Zones/Pacific-Auckland.md")
        others = [page(f"It is time, number {n}.", path=f"a/{n}.md") for n in range(9)]
        index = open_index(tmp_path / "index.sqlite", zone, *others)
        assert paths(index, "time zone of New Zealand")[0] == str(zone.path)

    def test_a_page_that_only_has_properties_is_found_by_them(self, tmp_path: Path) -> None:
        film = page("", path="films/Blade Runner.md", title="Blade Runner", fields=FIELDS)
        index = open_index(tmp_path / "index.sqlite", film, page("A film about tea."))
        for question in ("blade runner", "film by Ridley Scott", "which films do I own on tape?"):
            assert paths(index, question)[0] == "films/Blade Runner.md"
        found = index.search("blade runner").found[0]
        assert found.passage.text == "Blade Runner"

    def test_a_note_about_it_comes_before_one_that_mentions_it(self, tmp_path: Path) -> None:
        about = page("Rye.\n\nFeed the rye starter.\n\nRye rises slowly.", path="b/About.md")
        words = " ".join(f"word{n} other{n} thing{n}\n\n" for n in range(60))
        list_of_all = page(f"Feed the starter.\n\n{words}", path="a/All.md")
        index = open_index(tmp_path / "index.sqlite", list_of_all, about)
        assert paths(index, "feed the starter")[0] == "b/About.md"

    def test_what_the_title_says_counts_for_all_of_the_note(self, tmp_path: Path) -> None:
        trip = page("We flew.\n\nIt rained in the capital.", path="b/Trip.md", title="Japan trip")
        other = page("We flew.\n\nIt rained in the capital.", path="a/Trip.md", title="A trip")
        index = open_index(tmp_path / "index.sqlite", other, trip)
        found = index.search("rain in Japan").found[0]
        assert str(found.path) == "b/Trip.md"
        assert "note" in {part.name for part in found.parts}


class TestAliases:
    """Who has a note with two names is found by both."""

    PERSON = page("A friend from school.", path="people/Elise.md", aliases=("Kate", "E. B."))
    TALK = resource("**Elise**: My dog likes long walks.\n\n**Bob**: My dog likes long walks.\n")

    def test_facts_about_them(self, tmp_path: Path) -> None:
        notes = (item("Elise likes rye."), item("Bob likes oats."), self.PERSON)
        index = open_index(tmp_path / "index.sqlite", *notes)
        found = index.search("What does Kate like?").found
        facts = [one for one in found if one.passage.text != "A friend from school."]
        assert facts[0].passage.text == "Elise likes rye."
        assert "another name of 'kate'" in [part.note for part in facts[0].parts]

    def test_what_they_say(self, tmp_path: Path) -> None:
        index = open_index(tmp_path / "index.sqlite", self.TALK, self.PERSON)
        found = index.search("What does Kate's dog like?").found
        assert [one.passage.speaker for one in found if one.passage.speaker] == ["Elise", "Bob"]

    @pytest.mark.parametrize("link", ["[[elise|Kate]]", "[[people/Elise.md|Kate Miller]]"])
    def test_what_a_link_calls_them(self, tmp_path: Path, link: str) -> None:
        notes = (item("Elise likes rye."), item("Bob likes oats."), page(f"Saw {link} there."))
        index = open_index(tmp_path / "index.sqlite", *notes)
        found = index.search("What does Kate like?").found
        (fact,) = [one for one in found if one.passage.text == "Elise likes rye."]
        assert "another name of 'kate'" in [part.note for part in fact.parts]
        assert fact.score > max(one.score for one in found if "oats" in one.passage.text)
        back = open_index(tmp_path / "back.sqlite", item("Kate likes rye."), notes[2])
        assert "Kate likes rye." in statements(back, "elise")

    def test_what_a_link_calls_who_speaks(self, tmp_path: Path) -> None:
        index = open_index(tmp_path / "index.sqlite", self.TALK, page("With [[Elise|Kate]]."))
        found = index.search("What does Kate's dog like?").found
        assert [one.passage.speaker for one in found if one.passage.speaker] == ["Elise", "Bob"]

    def test_what_others_call_them_does_not_matter(self, tmp_path: Path) -> None:
        sent = item("Ask [[elise|Kate]].", trust="untrusted", writer="web")
        index = open_index(tmp_path / "index.sqlite", item("Elise likes rye."), sent)
        assert "Elise likes rye." not in statements(index, "kate")

    def test_other_names_of_other_notes_do_not_matter(self, tmp_path: Path) -> None:
        notes = (item("Elise likes rye."), page("Somebody.", path="people/Kate.md"))
        index = open_index(tmp_path / "index.sqlite", *notes)
        assert "Elise likes rye." not in statements(index, "kate")


def test_a_fact_is_found_by_its_slot(tmp_path: Path) -> None:
    slot = {"subject": "atlas", "predicate": "uses_database", "object": "SQLite"}
    kept = item("It keeps its data in SQLite.", **slot)
    own = item("I prefer tea.", subject="user", predicate="prefers", object="tea")
    index = open_index(tmp_path / "index.sqlite", kept, own)
    for question in ("which database", "what does Atlas use", "database of atlas"):
        assert statements(index, question)[:1] == [kept.statement]
    assert statements(index, "user") == []


class TestRelatedWords:
    """A word is answered by others that stand for it, for less than by itself."""

    NOTES = (
        item("We adopted a puppy called Biscuit."),
        item("Our pets eat before we do."),
        item("I went to Lisbon with two colleagues."),
        item("Mum paints with oil."),
        item("Nothing of that kind."),
    )

    @pytest.mark.parametrize(
        ("question", "answers"),
        [
            ("pets", ["Our pets eat before we do.", "We adopted a puppy called Biscuit."]),
            ("peets", ["Our pets eat before we do.", "We adopted a puppy called Biscuit."]),
            ("animals", ["We adopted a puppy called Biscuit.", "Our pets eat before we do."]),
            ("Where did I go?", ["I went to Lisbon with two colleagues."]),
            ("mother", ["Mum paints with oil."]),
            ("art", ["Mum paints with oil."]),
        ],
    )
    def test_the_answers(self, tmp_path: Path, question: str, answers: list[str]) -> None:
        index = open_index(tmp_path / "index.sqlite", *self.NOTES)
        assert statements(index, question) == answers

    def test_says_what_it_went_by(self, tmp_path: Path) -> None:
        index = open_index(tmp_path / "index.sqlite", *self.NOTES)
        answer = index.search("animals")
        named = {part.name: part.note for part in answer.found[0].parts}
        assert named == {"related": "goes with 'animals'", "note": "the note as a whole"}
        assert answer.terms == ("animals",)

    def test_a_long_list_weighs_no_more_than_one_word(self, tmp_path: Path) -> None:
        pets = "A dog, a cat, a rabbit, a hamster, a parrot, a horse and a turtle."
        index = open_index(tmp_path / "index.sqlite", item(pets), item("A pet."))
        assert statements(index, "pet") == ["A pet.", pets]


class TestTimes:
    """A time in the question counts for what is of that time, whatever words it holds."""

    DAYS = tuple(
        resource(f"**Ann** (2024-0{month}-10): {said}", title=f"Talk {month}")
        for month, said in enumerate(("I ate soup.", "I ate rice.", "I ate cake.", "I slept."), 1)
    )

    @pytest.mark.parametrize(
        ("question", "first"),
        [
            ("What did Ann eat in February 2024?", "I ate rice."),
            ("WHAT DID ANN EAT IN FEBRUARY 2024?", "I ate rice."),
            ("What did Ann eat on 10 March, 2024?", "I ate cake."),
            ("What did Ann eat on March 8th 2024?", "I ate cake."),  # told two days later
            ("What did Ann eat in Febuary 2024?", "I ate rice."),
            ("What did Ann eat in January?", "I ate soup."),  # of whatever year
            ("What did Ann eat last month?", "I ate cake."),
            ("What happened in April 2024?", "I slept."),
            ("2024-01-10", "I ate soup."),
        ],
    )
    def test_the_first_answer(self, tmp_path: Path, question: str, first: str) -> None:
        index = open_index(tmp_path / "index.sqlite", *self.DAYS)
        found = index.search(question, now=NOW).found
        assert found[0].passage.text == first
        assert "time" in {part.name for part in found[0].parts}
        assert sum(part.value for part in found[0].parts) == pytest.approx(found[0].score)

    def test_a_fact_is_of_the_time_in_which_it_held(self, tmp_path: Path) -> None:
        day = 86_400_000
        paris = item("I stayed in Paris.", valid_from=NOW - 300 * day, valid_until=NOW - 200 * day)
        rome = item("I stayed in Rome.", valid_from=NOW - 200 * day)
        index = open_index(tmp_path / "index.sqlite", rome, paris)
        asked = "Where did I stay 8 months ago?"
        assert statements(index, asked, now=NOW)[0] == "I stayed in Paris."

    def test_what_is_of_the_time_holds_the_words_of_it(self, tmp_path: Path) -> None:
        index = open_index(tmp_path / "index.sqlite", *self.DAYS)
        assert index.search("last month", now=NOW).found[0].coverage == 1
        assert (
            index.search("Who called Zoe about the roof in February 2024?", now=NOW)
            .found[0]
            .coverage
            < 0.5
        )

    def test_without_a_clock_the_words_are_words(self, tmp_path: Path) -> None:
        index = open_index(tmp_path / "index.sqlite", *self.DAYS)
        assert index.search("last month").found == ()

    def test_a_long_time_adds_no_candidates(self, tmp_path: Path) -> None:
        days = [item(f"Day {n}.", valid_from=NOW - n * 3_600_000) for n in range(1_200)]
        index = open_index(tmp_path / "index.sqlite", *days)
        assert index.search("what was this year?", now=NOW).found == ()
        found = index.search("which day 7 this year?", now=NOW).found
        assert found[0].passage.text == "Day 7."
        assert "time" in {part.name for part in found[0].parts}


def test_limit_takes_the_best_in_a_stable_order(tmp_path: Path) -> None:
    same = [page("The same words.", path=f"notes/{name}.md") for name in "dbca"]
    index = open_index(tmp_path / "index.sqlite", *same)
    assert paths(index, "same words", limit=2) == ["notes/a.md", "notes/b.md"]


def test_a_large_index_finds_what_a_small_one_finds(tmp_path: Path) -> None:
    index = Index.open(tmp_path / "index.sqlite", identity=IDENTITY)
    noise = [item(f"Meeting {n} about garden number {n % 97} and the fence.") for n in range(3_000)]
    put(index, noise)
    with index.writing():
        index.put([decoded(resource(TALK))])
    assert statements(index, "Who painted the garden fence green?")[0].startswith("I painted it")


def test_a_note_that_changed_since_a_question_is_read_anew(tmp_path: Path) -> None:
    """Rows of what was found are kept for whoever answers with them, until somebody writes."""
    tea = item("I like green tea.", path="items/tea.md", id="i-tea")
    index = open_index(tmp_path / "index.sqlite", tea)
    assert [one.path for one in index.search("tea").found] == [tea.path]
    assert index.notes([tea.path])[tea.path].statement == "I like green tea."
    other = open_index(tmp_path / "index.sqlite")
    put(other, [replace(tea, statement="I like black tea.", status="superseded")])
    assert index.notes([tea.path])[tea.path].status == "superseded"
    put(index, [replace(tea, statement="I like white tea.")])
    assert index.search("tea").found[0].passage.text == "I like white tea."
    with index.writing():
        index.put([decoded(replace(tea, statement="No tea for me."))])
        assert index.notes([tea.path])[tea.path].statement == "No tea for me."


def test_notes_come_in_the_order_of_their_paths_whether_they_were_found_or_not(
    index: Index,
) -> None:
    asked = [one.path for one in index.search("tabs sister office garden").found]
    every = [row.path for row in index.list(Filters())]
    assert set(asked) < set(every)
    assert [*index.notes(every)] == sorted(every, key=str)
    assert index.notes(every) == {path: index.note(path) for path in every}


class TestTexts:
    """A text of several passages is found by what it says again and again."""

    def _text(self, *lines: str, name: str) -> Page:
        """The lines far from each other, among paragraphs of other matters."""
        paragraphs: list[str] = []
        for n in range(9):
            paragraphs += lines[n : n + 1]
            paragraphs += [f"Paragraph {n} {m} is of the weather and the road." for m in range(4)]
        return page("\n\n".join(paragraphs), path=f"notes/{name}.md")

    def test_what_it_is_about_goes_before_what_it_mentions(self, tmp_path: Path) -> None:
        lines = ["The roof has a hole.", "It leaks in autumn.", "New slates came by cart."]
        about = self._text(*lines, *lines, *lines, name="about")
        once = self._text("The roof that leaks has slates.", name="once")
        index = open_index(tmp_path / "index.sqlite", about, once, *FILLING)
        assert paths(index, "leaks roof slates") == ["notes/about.md", "notes/once.md"]

    def test_its_passages_without_a_word_of_the_question_are_no_answer(
        self, tmp_path: Path
    ) -> None:
        text = self._text("The roof was leaking.", "The roof leaked again.", name="about")
        index = open_index(tmp_path / "index.sqlite", text, item("A roof."), *FILLING)
        found = statements(index, "roof")
        assert "A roof." in found
        assert not any("Paragraph 5" in one for one in found)

    def test_a_bullet_of_a_long_journal_is_as_good_as_a_statement(self, tmp_path: Path) -> None:
        lines = [f"- Day {n}: rain on the road, tea at four." for n in range(400)]
        lines[200] = "- Day 200: the ferry to Oban was cancelled."
        journal = page("\n".join(lines), path="notes/journal.md")
        index = open_index(
            tmp_path / "index.sqlite", journal, item("We like the ferry and the sea."), *FILLING
        )
        assert paths(index, "was the ferry to Oban cancelled")[0] == "notes/journal.md"

    def test_statements_beside_it_do_not_make_it_long(self, tmp_path: Path) -> None:
        """With one mean of all notes a text among statements counted as ten times too long."""
        lines = ["The roof has a hole.", "It leaks in autumn."]
        about = self._text(*lines, *lines, *lines, name="about")
        once = self._text("The roof leaks, roof and all.", name="once")
        alone = open_index(tmp_path / "alone.sqlite", about, once)
        beside = open_index(
            tmp_path / "beside.sqlite",
            about,
            once,
            *(item(f"Number {n} is short.") for n in range(60)),
        )
        assert paths(alone, "roof leak") == ["notes/about.md", "notes/once.md"]
        assert paths(beside, "roof leak") == ["notes/about.md", "notes/once.md"]

    def test_the_parts_add_up_to_the_score(self, tmp_path: Path) -> None:
        text = self._text("The roof was leaking.", "The roof again.", name="about")
        index = open_index(tmp_path / "index.sqlite", text, *FILLING)
        for index.by_arrays in (False, True):
            for one in index.search("leaking roof").found:
                assert sum(part.value for part in one.parts) == pytest.approx(one.score)


class TestCapitals:
    """A stop word in capitals is a name, beside words in small letters."""

    @pytest.mark.parametrize(
        ("told", "asked"),
        [
            ("The WHO advises five grams of salt.", "what does the WHO say"),
            ("I look after IT there.", "who does IT"),
            ("Benno moved to the US.", "is anybody in the US?"),
            ("Benno moved to the U.S. in May.", "is anybody in the US?"),
            ("Benno moved to the US.", "is anybody in the U.S.?"),
            ("My SO's birthday is in June.", "what of my SO?"),
        ],
    )
    def test_it_is_found(self, tmp_path: Path, told: str, asked: str) -> None:
        others = item("Who knows what it is to us, so they say."), *FILLING
        index = open_index(tmp_path / "index.sqlite", item(told), *others)
        assert statements(index, asked)[:1] == [told]
        for index.by_arrays in (False, True):
            assert statements(index, asked)[:1] == [told]

    def test_in_small_letters_it_says_nothing(self, tmp_path: Path) -> None:
        index = open_index(tmp_path / "index.sqlite", item("The WHO advises it."), *FILLING)
        assert statements(index, "who is it") == []

    def test_who_types_in_capitals_alone_names_nothing(self, tmp_path: Path) -> None:
        notes = item("The WHO advises five grams."), item("My dentist is Ana."), *FILLING
        index = open_index(tmp_path / "index.sqlite", *notes)
        found = statements(index, "WHO IS MY DENTIST")
        assert found[0] == "My dentist is Ana."
        assert "The WHO advises five grams." not in found

    def test_a_word_that_is_stressed_asks_for_nothing(self, tmp_path: Path) -> None:
        index = open_index(tmp_path / "index.sqlite", item("Pack the tent."), *FILLING)
        found = index.search("what must I NOT forget to pack")
        plain = index.search("what must I not forget to pack")
        assert [one.coverage for one in found.found] == [one.coverage for one in plain.found]
        assert found.repairs == ()
