"""Files become records: what they say, what is wrong with them, and back to bytes."""

from __future__ import annotations

import dataclasses
from pathlib import PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vaultmem.base.errors import BadInputError
from vaultmem.language.time import parse_instant
from vaultmem.model.ids import Oid, resource_id
from vaultmem.model.notes import (
    KINDS,
    RELATIONS,
    STATUSES,
    STREAMS,
    Category,
    Decoded,
    Item,
    Page,
    Resource,
    Severity,
    Stream,
)
from vaultmem.storage.notes.fields import link_target
from vaultmem.storage.notes.schema import decode, encode_item, encode_resource

ITEM_PATH = PurePosixPath("items/2026/03/11/i-prefer-tabs-over-spaces-i-7f3a2kq9xw.md")
MARCH_11 = 1_773_187_200_000  # 2026-03-11T00:00Z
FULL = """\
---
id: i-7f3a2kq9xw
kind: preference
stream: identity
category:
  - "[[tools]]"
  - "[[categories/editors|Editors]]"
subject: user
predicate: prefers
object: tabs
valid_from: 2026-03-11
valid_until: 2026-03-12T00:30:00+01:00
status: active
supersedes:
  - "[[i-prefer-spaces-i-0000000001]]"
source:
  - "[[2026-03-11-chat-about-editors-r-0123456789ab]]"
quote: "I prefer tabs: over spaces"
importance: 4
confidence: 0.7
confidence_at: 2026-03-11
pinned: yes
writer: person
trust: user
observed: claimed
tags: [code, "#style"]
aliases: Tabs
entities:
  - "[[Berlin]]"
related:
  - "[[a-i-0000000002]]"
causes: "[[b-i-0000000003]]"
mine: kept
---

I prefer tabs over spaces.

More #detail below.
"""


def decoded(path: str | PurePosixPath, text: str, *, zone: str = "UTC") -> Decoded:
    return decode(PurePosixPath(path), text.encode(), Oid("f00"), zone=zone)


def item(text: str, *, zone: str = "UTC") -> Item:
    record = decoded(ITEM_PATH, text, zone=zone).record
    assert isinstance(record, Item)
    return record


def codes(text: str, path: str | PurePosixPath = ITEM_PATH) -> list[tuple[str, int | None]]:
    return [(problem.code, problem.line) for problem in decoded(path, text).problems]


class TestItems:
    def test_a_full_item(self) -> None:
        assert item(FULL) == Item(
            path=ITEM_PATH,
            oid=Oid("f00"),
            title="I prefer tabs over spaces.",
            body="\nI prefer tabs over spaces.\n\nMore #detail below.\n",
            body_line=35,
            tags=("code", "style", "detail"),
            aliases=("Tabs",),
            fields={"mine": "kept"},
            id="i-7f3a2kq9xw",
            kind="preference",
            statement="I prefer tabs over spaces.",
            stream="identity",
            categories=("tools", "editors"),
            subject="user",
            predicate="prefers",
            object="tabs",
            valid_from=MARCH_11,
            valid_until=MARCH_11 + 84_600_000,
            status="active",
            supersedes=("i-prefer-spaces-i-0000000001",),
            source=("2026-03-11-chat-about-editors-r-0123456789ab",),
            quote="I prefer tabs: over spaces",
            importance=4,
            confidence=0.7,
            confidence_at=MARCH_11,
            pinned=True,
            writer="person",
            trust="user",
            observed="claimed",
            entities=("Berlin",),
            links=(("causes", "b-i-0000000003"), ("related", "a-i-0000000002")),
        )
        assert codes(FULL) == []

    def test_a_note_written_by_hand(self) -> None:
        found = decoded("items/2026/tea.md", "I like tea.\n")
        assert isinstance(found.record, Item)
        assert found.record.id == ""
        assert (found.record.kind, found.record.status) == ("fact", "active")
        assert (found.record.title, found.record.statement) == ("tea", "I like tea.")
        assert found.problems == ()

    def test_days_begin_where_the_vault_is(self) -> None:
        text = "---\nvalid_from: 2026-03-11\nvalid_until: 2026-03-11T12:00:00Z\n---\nTea.\n"
        berlin = item(text, zone="Europe/Berlin")
        assert berlin.valid_from == MARCH_11 - 3_600_000
        assert berlin.valid_until == MARCH_11 + 43_200_000

    @pytest.mark.parametrize(
        ("line", "problem"),
        [
            ("kind: fat", "bad-value"),
            ("stream: work", "bad-value"),
            ("status: done", "bad-value"),
            ("valid_from: yesterday", "bad-date"),
            ("valid_from: [2026-03-11, 2026-03-12]", "bad-value"),
            ("importance: 11", "bad-number"),
            ("importance: much", "bad-number"),
            ("confidence: 1.2", "bad-number"),
            ("confidence: nan", "bad-number"),
            ("pinned: perhaps", "bad-boolean"),
            ("subject: {a: b}", "bad-value"),
            ("category: {a: b}", "bad-value"),
            ("source: [{a: b}]", "bad-value"),
        ],
    )
    def test_bad_values_are_warnings_with_their_line(self, line: str, problem: str) -> None:
        found = decoded(ITEM_PATH, f"---\ntitle: x\n{line}\n---\nTea.\n")
        assert [(p.code, p.line, p.severity) for p in found.problems] == [
            (problem, 3, Severity.WARNING)
        ]
        assert isinstance(found.record, Item)

    def test_bad_values_have_harmless_readings(self) -> None:
        text = (
            "---\nkind: fat\nstream: x\nstatus: x\nimportance: 12\nconfidence: 7\npinned: x\n---\n"
        )
        found = item(f"{text}Tea.")
        assert (found.kind, found.stream, found.status) == ("fact", None, "active")
        assert (found.importance, found.confidence, found.pinned) == (10, None, False)

    def test_case_of_words_is_forgiven(self) -> None:
        assert item("---\nkind: Preference\npinned: TRUE\n---\nTea.\n").kind == "preference"

    def test_an_item_that_ends_before_it_begins(self) -> None:
        text = "---\nvalid_from: 2026-03-12\nvalid_until: 2026-03-11\n---\nTea.\n"
        assert codes(text) == [("ends-before-start", 3)]
        assert codes(text.replace("-11", "-12")) == []
        ticked = "---\nvalid_from: 2026-03-11T09:14:00+00:00\nvalid_until: 2026-03-11\n---\nTea.\n"
        assert codes(ticked) == []  # a task done on its first day
        assert codes(ticked.replace("until: 2026-03-11", "until: 2026-03-10")) != []

    def test_an_item_with_an_id_needs_a_source(self) -> None:
        assert codes("---\nid: i-7f3a2kq9xw\n---\nTea.\n") == [("no-source", 4)]
        successor = "---\nid: i-7f3a2kq9xw\nsupersedes: '[[i-1111111111]]'\n---\nTea.\n"
        assert codes(successor) == []

    def test_an_item_needs_a_statement(self) -> None:
        assert codes("---\nkind: fact\n---\n") == [("no-statement", 4)]

    def test_a_heading_is_the_title_and_not_the_statement(self) -> None:
        found = item("# My tea\n\nI like tea.\n")
        assert (found.title, found.statement) == ("My tea", "I like tea.")

    def test_links_in_all_spellings(self) -> None:
        assert [
            link_target(text)
            for text in (
                "[[A]]",
                "[[A|B]]",
                "[[A#h]]",
                "[[f/A.md]]",
                "[B](f/A%20x.md)",
                " A ",
                "r-0123456789ab",
                "[[A",
            )
        ] == ["A", "A", "A", "f/A", "f/A x", "A", "r-0123456789ab", "A"]


class TestTypes:
    @pytest.mark.parametrize(
        ("path", "text", "type_"),
        [
            ("items/a.md", "x", Item),
            ("archive/a.md", "x", Item),
            ("resources/a.md", "x", Resource),
            ("categories/a.md", "x", Category),
            ("streams/tasks.md", "x", Stream),
            ("streams/flow.laptop.md", "x", Stream),
            ("streams/tasks.laptop.md", "x", Page),
            ("streams/other.md", "x", Page),
            ("Notes/a.md", "x", Page),
            ("a.md", "---\nkind: fact\n---\nx", Page),
            ("Notes/a.md", "---\nid: i-7f3a2kq9xw\n---\nx", Page),
            ("resources/a.md", "---\nid: i-7f3a2kq9xw\n---\nx", Item),
            ("items/a.md", "---\nid: r-0123456789ab\n---\nx", Resource),
            ("archive/a.md", "---\nid: r-0123456789ab\n---\nx", Resource),
            ("categories/a.md", "---\nkind: rule\n---\nx", Item),
            ("categories/a.md", "---\nkind: topic\n---\nx", Category),
            ("categories/a.md", "---\nid: 2026/a\n---\nx", Page),
            ("categories/a.md", "---\nid: 2026\n---\nx", Category),
            ("items/a.md", "---\nid: 2026\n---\nx", Page),
            ("items/a.md", "---\nid:\n---\nx", Item),
        ],
    )
    def test_the_id_says_it_then_the_kind_then_the_folder(
        self, path: str, text: str, type_: type
    ) -> None:
        assert type(decoded(path, text).record) is type_

    def test_a_foreign_id_on_an_item_is_an_error_with_a_hint(self) -> None:
        problem = decoded("items/a.md", "---\nx: 1\nid: 42\n---\nTea.\n").problems[0]
        assert (problem.code, problem.line) == ("bad-id", 3)
        assert "rename" in problem.hint

    def test_a_template_is_a_page_of_its_own_name(self) -> None:
        found = decoded("items/Item template.md", "---\ntitle: {{title}}\nkind: fact\n---\nx")
        assert isinstance(found.record, Page)
        assert (found.record.title, found.record.quarantined) == ("Item template", False)
        assert [p.severity for p in found.problems] == [Severity.INFO]

    def test_a_remembered_template_is_no_template(self) -> None:
        made = dataclasses.replace(item(FULL), quote="{{title}}", object="<% x %>")
        again = decode(ITEM_PATH, encode_item(made), made.oid).record
        assert isinstance(again, Item)
        assert (again.quote, again.object) == ("{{title}}", "<% x %>")


class TestResources:
    def test_the_body_is_the_text_its_id_is_the_hash_of(self) -> None:
        for body in ("Hello.", "\n\nHello.\n\n", "---\nx: 1\n---\n", "\r\nHello", ""):
            id_ = resource_id(body)
            path = f"resources/2026/03/chat-{id_}.md"
            found = decoded(path, f"---\nid: {id_}\ntitle: Chat\n---\n\n{body}")
            assert isinstance(found.record, Resource)
            assert found.record.body == body
            assert found.record.body_line == 6
            assert found.problems == ()

    def test_a_changed_resource_is_an_error(self) -> None:
        found = decoded("resources/a.md", f"---\nid: {resource_id('a')}\n---\n\nb")
        assert [(p.code, p.severity) for p in found.problems] == [
            ("resource-changed", Severity.ERROR)
        ]
        assert isinstance(found.record, Resource)

    def test_a_document_that_a_person_put_there(self) -> None:
        found = decoded("resources/Manual.md", "\n# How to\n\nText #1\n")
        assert isinstance(found.record, Resource)
        assert (found.record.id, found.record.title) == ("", "How to")
        assert found.record.body == "\n# How to\n\nText #1\n"

    def test_what_is_encoded_is_decoded(self) -> None:
        body = "**Ada** (2023-05-08 13:56): Hi! #tag\r\n\n"
        made = Resource(
            path=PurePosixPath("resources/2026/03/a.md"),
            oid=Oid("f00"),
            title='Chat: "tabs"',
            body=body,
            body_line=10,
            id=resource_id(body),
            date=parse_instant("2026-03-11T09:14:00+01:00"),
            origin="chat.json",
            writer="person",
            trust="user",
        )
        data = encode_resource(made, zone="Europe/Berlin")
        assert data.endswith(b"trust: user\n---\n\n" + body.encode())
        assert b"date: 2026-03-11T09:14:00+01:00\n" in data
        assert decode(made.path, data, made.oid, zone="Europe/Berlin").record == made


class TestLists:
    def test_a_stream(self) -> None:
        text = "# Tasks\n\n## Open\n- [ ] Pass ^i-7f3a2kq9xw\n"
        found = decoded("streams/flow.laptop.md", text).record
        assert isinstance(found, Stream)
        assert (found.name, found.device, found.title) == ("flow", "laptop", "Tasks")
        assert [(b.text, b.block_id, b.line) for b in found.bullets] == [
            ("Pass", "i-7f3a2kq9xw", 4)
        ]

    def test_lines_of_bullets_count_from_the_top_of_the_file(self) -> None:
        found = decoded("streams/tasks.md", "---\ntags: [a]\n---\n- a\n").record
        assert isinstance(found, Stream)
        assert found.bullets[0].line == 4

    def test_a_category(self) -> None:
        text = (
            "---\naliases: [Kit]\n---\n# Tools\n\n"
            "<!-- vaultmem:begin summary -->\n- a [[x]]\n<!-- vaultmem:end -->\n"
        )
        found = decoded("categories/tools.md", text).record
        assert isinstance(found, Category)
        assert (found.slug, found.title, found.summary) == ("tools", "Tools", "- a [[x]]")
        assert found.aliases == ("Kit",)

    def test_a_broken_block_is_a_problem_with_its_line(self) -> None:
        text = "---\na: 1\n---\nx\n<!-- vaultmem:begin summary -->\n"
        assert codes(text, "categories/tools.md") == [("bad-block", 5)]

    def test_lists_with_broken_bytes_are_only_searched(self) -> None:
        data = b"---\na: 1\n---\n- caf\xe9 ^i-7f3a2kq9xw\n"
        found = decode(PurePosixPath("streams/tasks.md"), data, Oid(""))
        assert isinstance(found.record, Page)
        assert found.record.quarantined
        assert [(p.code, p.severity) for p in found.problems] == [("not-utf8", Severity.ERROR)]


words = st.text(max_size=12).filter(lambda text: text == text.strip() and text != "")
names = st.text(st.sampled_from("abc-1é "), min_size=1, max_size=8).filter(
    lambda text: text == text.strip()
)
instants = st.none() | st.integers(0, 4_000_000_000).map(lambda seconds: seconds * 1000)
lists = st.lists(names, max_size=2, unique=True).map(tuple)


@settings(max_examples=150, deadline=None)
@given(
    st.fixed_dictionaries(
        {
            "kind": st.sampled_from(KINDS),
            "stream": st.none() | st.sampled_from(STREAMS),
            "categories": lists,
            "subject": words | st.just(""),
            "predicate": words | st.just(""),
            "object": words | st.just(""),
            "valid_from": instants,
            "due": instants,
            "critical": st.sampled_from(["", "health", "safety", "limit"]),
            "said_after": words | st.just(""),
            "status": st.sampled_from(STATUSES),
            "supersedes": lists,
            "superseded_by": lists,
            "source": st.lists(names, min_size=1, max_size=2).map(tuple),
            "quote": words | st.just(""),
            "importance": st.integers(1, 10),
            "confidence": st.none() | st.floats(0, 1).map(lambda number: round(number, 4)),
            "confidence_at": instants,
            "pinned": st.booleans(),
            "hard": st.booleans(),
            "writer": st.sampled_from(["", "person", "agent"]),
            "trust": st.sampled_from(["", "user"]),
            "observed": st.sampled_from(["", "claimed"]),
            "tags": st.lists(st.sampled_from(["a", "b/c", "2026"]), unique=True).map(tuple),
            "aliases": lists,
            "entities": lists,
            "links": st.lists(st.tuples(st.sampled_from(RELATIONS), names), max_size=3).map(
                lambda links: tuple(sorted(links, key=lambda link: RELATIONS.index(link[0])))
            ),
            "fields": st.dictionaries(st.sampled_from(["mine", "my key"]), words, max_size=2),
        }
    ),
    st.text(min_size=1, max_size=30).filter(
        lambda text: text.split() != [] and not {"#", "\0"} & set(text)
    ),
    st.sampled_from(["UTC", "Europe/Berlin", "-03:30"]),
)
def test_an_encoded_item_is_decoded_as_it_was(
    said: dict[str, object], statement: str, zone: str
) -> None:
    statement = " ".join(statement.split())
    made = Item(
        path=ITEM_PATH,
        oid=Oid("f00"),
        title=statement,
        body=statement,
        id="i-7f3a2kq9xw",
        statement=statement,
        **said,  # type: ignore[arg-type]  # the strategies above give each its type
    )
    found = decode(ITEM_PATH, encode_item(made, zone=zone), made.oid, zone=zone)
    assert isinstance(found.record, Item)
    assert dataclasses.replace(found.record, body=made.body, body_line=1) == made
    assert found.problems == ()


def test_keys_of_a_new_item_come_in_the_order_of_the_format() -> None:
    text = encode_item(item(FULL)).decode()
    keys = [line.split(":")[0] for line in text.split("\n") if line[:1].isalpha() and ":" in line]
    assert keys[:12] == [
        *("id", "kind", "stream", "category", "subject", "predicate", "object"),
        *("valid_from", "valid_until", "status", "supersedes", "source"),
    ]
    assert text.endswith("---\n\nI prefer tabs over spaces.\n\nMore #detail below.\n")


def test_an_item_too_long_to_be_read_again_is_refused() -> None:
    with pytest.raises(BadInputError, match="bytes"):
        encode_item(dataclasses.replace(item(FULL), quote="x" * 70_000))


@settings(max_examples=200, deadline=None)
@given(
    st.binary(max_size=200)
    | st.text(max_size=100).map(lambda text: f"---\n{text}\n---\n".encode()),
    st.sampled_from(
        ["items/a.md", "streams/tasks.md", "categories/a.md", "resources/a.md", "a.md"]
    ),
)
def test_any_bytes_are_decoded(data: bytes, path: str) -> None:
    found = decode(PurePosixPath(path), data, Oid(""))
    assert found.record is not None or found.problems
