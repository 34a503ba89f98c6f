"""What a document gives: statements about named things, and nothing from the rest."""

from __future__ import annotations

import pytest

from tests.extract.reading import only, read_document
from vaultmem.extract.rule_extractor import MOST_READ, HeuristicExtractor
from vaultmem.language.time import format_instant

STATEMENTS = [
    # sentence, kind, stream, subject, predicate, object
    ("The API server runs on port 8080.", "fact", "projects", "API server", "port", "8080"),
    ("Project Atlas uses PostgreSQL 16.", "fact", "projects", "Project Atlas", "uses_database",
     "PostgreSQL 16"),
    ("Maria is allergic to peanuts.", "fact", None, "Maria", "allergic_to", "peanuts"),
    ("Tom's birthday is 4 July.", "fact", None, "Tom", "birthday", "4 July"),
    ("The backup script lives in the ops repository.", "fact", "projects", "", "", ""),
    ("Our office is in Lisbon.", "fact", None, "", "", ""),
    ("The nightly job takes about forty minutes.", "fact", None, "", "", ""),
    ("Atlas is written in Rust.", "fact", None, "Atlas", "written_in", "Rust"),
    ("Ruth leads the design team.", "fact", None, "Ruth", "leads", "the design team"),
    ("Invoices expire after 30 days.", "fact", None, "", "", ""),
    ("The staging cluster has three nodes.", "fact", None, "", "", ""),
    ("Customers need a valid VAT number.", "fact", None, "", "", ""),
    ("[[Maria]] works at Siemens.", "fact", None, "Maria", "works_at", "Siemens"),
    ("**Atlas** is hosted on Hetzner.", "fact", None, "Atlas", "hosted_on", "Hetzner"),
    ("I was born in Porto in 1984.", "fact", "identity", "", "", ""),
    ("I work as a nurse at St Thomas Hospital.", "fact", "identity", "user", "works_at",
     "St Thomas Hospital"),
    ("My sister Ema lives in Graz.", "fact", "identity", "my sister Ema", "lives_in", "Graz"),
    ("My time zone is Europe/Lisbon.", "fact", "identity", "user", "time_zone", "Europe/Lisbon"),
    ("All commits must be signed.", "rule", "projects", "", "", ""),
    ("Never deploy on Fridays.", "rule", "identity", "", "", ""),
    ("To restart the worker, run systemctl restart worker.", "procedure", None, "", "", ""),
    ("Run `make lint` to check the style.", "procedure", None, "", "", ""),
    ("We decided to use SQLite for the index.", "decision", "projects", "we", "uses", "SQLite"),
    ("The board approved the budget on 3 March 2026.", "decision", "projects", "", "", ""),
    ("We switched from Jest to Vitest last month.", "decision", "projects", "", "", ""),
    ("Anna adopted a dog in May 2021.", "event", None, "", "", ""),
    ("Acme was founded in 1998 by Ruth Okafor.", "event", None, "", "", ""),
    ("The kickoff meeting with Acme is on Friday.", "event", None, "", "", ""),
    ("TODO: rotate the certificates", "task", "tasks", "", "", ""),
    ("I need to call the landlord by Monday.", "task", "tasks", "call the landlord", "due",
     "2026-03-16"),
    ("- [ ] Renew the passport before June", "task", "tasks", "Renew the passport", "due",
     "2026-06-01"),
    ("I prefer window seats.", "preference", "identity", "user", "prefers", "window seats"),
    ("My favourite tea is Assam.", "preference", "identity", "user", "favourite_tea", "Assam"),
    ("I always take the night train.", "preference", "identity", "", "", ""),
    ("I believe that small teams ship faster.", "belief", "identity", "", "", ""),
]  # fmt: skip

NOTHING = [
    ("The weather was lovely and we had a great time.", "no-cue"),
    ("It is a nice day.", "filler"),
    ("You can also use the other button.", "addressed"),
    ("Maybe we should try Redis.", "hedged"),
    ("If we had more time, we would use Rust.", "hypothetical"),
    ("According to Bob, the server is slow.", "reported"),
    ("Bob said the release moved to Friday.", "reported"),
    ("What happens if the disk is full?", "question"),
    ("I used to live in Paris.", "past"),
    ("Thanks for reading!", "opening"),
    ("This is important.", "pronoun"),
    ("See the appendix for details.", "request"),
    ("The following table shows the result.", "no-cue"),
    ("I don't prefer tabs or spaces.", "negated"),
    ("My password is hunter2.", "secret"),
    ("- [x] Buy milk", "done"),
    ("> I prefer tabs over spaces", "quoted"),
    ("| I prefer | tabs |", "table"),
    ("```\nI prefer tabs over spaces\n```", "code"),
    ("text\n\n    I prefer tabs over spaces", "code"),
]


@pytest.mark.parametrize(("text", "kind", "stream", "subject", "predicate", "value"), STATEMENTS)
def test_a_statement_becomes_an_item(
    text: str, kind: str, stream: str | None, subject: str, predicate: str, value: str
) -> None:
    draft = only(read_document(text))
    assert (draft.kind, draft.stream) == (kind, stream)
    assert (draft.subject, draft.predicate, draft.object) == (subject, predicate, value)


@pytest.mark.parametrize(
    ("text", "predicate", "value"),
    [
        ("I work as a cook at Hotel Sacher.", "works_at", "Hotel Sacher"),
        ("I started my new job at Siemens.", "works_at", "Siemens"),
        ("I live in a flat near Porto.", "lives_in", "Porto"),
        ("I moved with my family to Porto.", "lives_in", "Porto"),
        ("I moved to a flat in Porto.", "lives_in", "Porto"),
        ("I moved all my savings to Skandia.", "", ""),
        ("I moved half of my books to Porto.", "", ""),
    ],
)
def test_a_place_is_of_the_person_unless_a_thing_was_moved_there(
    text: str, predicate: str, value: str
) -> None:
    draft = only(read_document(text))
    assert (draft.predicate, draft.object) == (predicate, value)


def test_there_are_enough_statements() -> None:
    assert len(STATEMENTS) >= 30


@pytest.mark.parametrize(("text", "rule"), NOTHING)
def test_the_rest_is_listed_with_the_rule_against_it(text: str, rule: str) -> None:
    extraction = read_document(text)
    assert extraction.drafts == ()
    assert rule in [rejected.rule for rejected in extraction.rejected]


def test_a_secret_is_not_even_shown_among_the_rejected() -> None:
    shown = repr(read_document("My password is hunter2. The API key is sk-abcdefghij0123456789."))
    assert "hunter2" not in shown
    assert "abcdefghij" not in shown


def test_marks_of_the_person_stay_in_the_statement() -> None:
    draft = only(read_document("- **Maria** works at [[siemens|Siemens]] #people"))
    assert draft.statement == "**Maria** works at [[siemens|Siemens]] #people"
    assert draft.quote == "**Maria** works at [[siemens|Siemens]] #people"
    assert draft.tags == ("people",)


def test_a_pronoun_gets_its_name_where_only_one_person_was_named() -> None:
    extraction = read_document("Maria is a nurse. She lives in Oslo.\n\nShe plays chess.")
    assert [draft.statement for draft in extraction.drafts] == [
        "Maria is a nurse.",
        "Maria lives in Oslo.",
    ]
    assert extraction.drafts[1].quote == "She lives in Oslo."
    assert [rejected.rule for rejected in extraction.rejected] == ["pronoun"]


def test_a_pronoun_with_two_candidates_gives_nothing() -> None:
    extraction = read_document("Maria works at Acme. Ruth works at Initech. She lives in Oslo.")
    assert [draft.subject for draft in extraction.drafts] == ["Maria", "Ruth"]


def test_it_means_the_thing_just_named() -> None:
    extraction = read_document("Project Atlas uses PostgreSQL. It runs on port 8080.")
    assert extraction.drafts[1].statement == "Project Atlas runs on port 8080."
    assert extraction.drafts[1].subject == "Project Atlas"


def test_bullets_below_a_heading_are_what_the_heading_says() -> None:
    extraction = read_document("## Decisions\n\n- Postgres over MySQL\n\n## Ideas\n\n- A boat")
    assert [(draft.kind, draft.statement) for draft in extraction.drafts] == [
        ("decision", "Postgres over MySQL")
    ]


def test_dates_become_validity() -> None:
    drafts = read_document(
        "Anna adopted a dog in May 2021. I have worked at Acme since 2019. "
        "I am away in Rome until Sunday. The demo is on Friday."
    ).drafts
    shown = [
        format_instant(draft.valid_from) if draft.valid_from is not None else None
        for draft in drafts
    ]
    assert shown == ["2021-05-01", "2019-01-01", "2026-03-13"]


def test_a_birthday_is_a_value_and_no_beginning() -> None:
    draft = only(read_document("My birthday is 3 May 1984."))
    assert draft.valid_from is not None
    assert format_instant(draft.valid_from) == "2026-03-11"


def test_the_memory_list_of_another_program_keeps_its_dates_and_importance() -> None:
    first, second = read_document(
        "- [2025-11-03] [importance:8] user prefers dark mode in all apps\n"
        "- [2025-01-15] user works at Acme\n- [x] done task\n"
    ).drafts
    assert (first.statement, first.kind, first.importance) == (
        "User prefers dark mode in all apps",
        "preference",
        8,
    )
    assert first.said_at is not None
    assert format_instant(first.said_at) == "2025-11-03"
    assert (second.statement, second.kind) == ("User works at Acme", "fact")


def test_names_are_entities() -> None:
    draft = only(read_document("The kickoff with Ruth Okafor and [[Bob]] is on Friday in Porto."))
    assert draft.entities == ("Ruth Okafor", "Bob", "Porto")


def test_the_vaults_categories_come_first() -> None:
    extractor = HeuristicExtractor(categories=("night-trains", "tea"))
    draft = only(read_document("My favourite tea is Assam.", extractor))
    assert draft.categories == ("tea",)


def test_a_long_statement_is_cut_at_a_clause() -> None:
    text = "Project Atlas uses PostgreSQL, " + "and extraordinarily longwinded explanations, " * 15
    draft = only(read_document(text))
    assert len(draft.statement) <= 300
    assert draft.statement.endswith("explanations")


def test_no_source_gives_more_items_than_the_limit() -> None:
    text = "\n\n".join(f"Server s{n} runs on port {n}." for n in range(30))
    extraction = read_document(text, HeuristicExtractor(limit=10))
    assert len(extraction.drafts) == 10
    assert [rejected.rule for rejected in extraction.rejected] == ["limit"] * 20


def test_what_is_longer_than_any_sentence_is_no_statement() -> None:
    extraction = read_document("I like tea. I like " + "tea and " * 600 + "milk.\n\nI like milk.")
    assert [draft.statement for draft in extraction.drafts] == ["I like tea.", "I like milk."]
    assert [(each.rule, each.text[:14]) for each in extraction.rejected] == [
        ("endless", "I like tea and")
    ]


def test_far_beyond_the_limit_sentences_are_listed_and_not_read() -> None:
    text = "\n\n".join(["Is it so?", *(f"Server s{n} runs on port {n}." for n in range(40))])
    extraction = read_document(text + "\n\nIs it so?", HeuristicExtractor(limit=10))
    assert [draft.object for draft in extraction.drafts] == [str(n) for n in range(10)]
    rules = [rejected.rule for rejected in extraction.rejected]
    assert sorted(rules) == ["limit"] * 31 + ["question"]


def test_one_statement_said_often_leaves_room_for_others() -> None:
    text = "I like tea.\n\n" * 40 + "I like milk."
    extraction = read_document(text, HeuristicExtractor(limit=10))
    assert [draft.statement for draft in extraction.drafts] == ["I like tea.", "I like milk."]


def test_a_source_of_very_many_sentences_is_read_to_its_bound() -> None:
    text = "Is it so? " * MOST_READ + "I like tea. I like milk."
    extraction = read_document(text)
    assert extraction.drafts == ()
    assert [each.rule for each in extraction.rejected[-2:]] == ["limit", "limit"]


def test_the_same_statement_twice_is_one_item() -> None:
    extraction = read_document("I prefer tea.\n\nI prefer  TEA!")
    assert only(extraction).statement == "I prefer tea."
    assert [rejected.rule for rejected in extraction.rejected] == ["duplicate"]


def test_a_source_without_a_date_gives_no_beginning_but_relative_dates_still_resolve() -> None:
    from tests.extract.reading import EXTRACTOR, NOW
    from vaultmem.model.drafts import Source, Turn

    source = Source(id="x", turns=(Turn(text="I prefer tea. Anna moved to Oslo last year."),))
    first, second = EXTRACTOR.extract(source, now=NOW).drafts
    assert first.valid_from is None
    assert second.valid_from is not None
    assert format_instant(second.valid_from) == "2025-01-01"
