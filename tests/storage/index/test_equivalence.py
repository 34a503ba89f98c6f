"""The index after any history of changes equals the index of what there is now."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

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
    put,
    resource,
    statements,
    stream,
)
from vaultmem.model.notes import Decoded, Problem, Record
from vaultmem.storage.index.database import Index

WORDS = """
    tea Tea coffee c++ what's 3.11 running run the of I my yesterday 日本語 猫 Ünïcode 😀 -- ? .
    [[tools]] [[i-7f3a2kq9xw]] Ann
"""
sentence = st.lists(st.sampled_from(WORDS.split()), min_size=1, max_size=12).map(" ".join)
paths = st.integers(min_value=0, max_value=4).map("items/{}.md".format)


@st.composite
def records(draw: st.DrawFn) -> Record:
    """A note of any type at one of a few paths."""
    text, path = draw(sentence), draw(paths)
    more = draw(st.lists(sentence, max_size=4))
    match draw(st.sampled_from(["item", "resource", "talk", "page", "stream", "category"])):
        case "item":
            return item(
                text,
                path=path,
                more="\n\n".join(more),
                id=draw(st.sampled_from(["", "i-7f3a2kq9xw", "i-0000000001"])),
                subject=draw(st.sampled_from(["", "user", "Ann"])),
                tags=tuple(draw(st.lists(st.sampled_from(["a", "b/c"]), max_size=2))),
                quote=text if draw(st.booleans()) else "",
                aliases=tuple(draw(st.lists(st.sampled_from(["Alias", "tea"]), max_size=1))),
            )
        case "resource":
            return resource("\n\n".join([text, *more]), path=path)
        case "talk":
            turns = [
                f"**{'Ann' if n % 2 else 'Bob'}**: {one}" for n, one in enumerate([text, *more])
            ]
            return resource("\n\n".join(turns), path=path)
        case "page":
            text += draw(st.sampled_from(["", " [[Ann|Kate]]", " [[tea|Sencha]] [[Ann|Kate]]"]))
            return page(f"# {text}\n\n" + "\n".join(f"- {one}" for one in more), path=path)
        case "stream":
            return replace(stream(f"- {text}"), path=page("", path=path).path)
        case _:
            return replace(category(f"# {text}\n\n{text}"), path=page("", path=path).path)


problem_lists = st.lists(st.sampled_from(["bad-date", "bad-yaml"]), max_size=2)


@st.composite
def files(draw: st.DrawFn) -> Decoded:
    """What a file gave: a record, problems, both or neither."""
    record = draw(records())
    problems = tuple(
        Problem(path=record.path, code=code, message="x", line=1) for code in draw(problem_lists)
    )
    whole = decoded(record, *problems)
    return whole if draw(st.integers(0, 9)) else replace(whole, record=None)


steps = st.one_of(
    st.tuples(st.just("put"), st.lists(files(), min_size=1, max_size=4)),
    st.tuples(st.just("remove"), st.lists(paths, min_size=1, max_size=3)),
)


@given(st.lists(st.lists(steps, min_size=1, max_size=3), max_size=6), st.booleans())
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_an_updated_index_equals_a_rebuilt_one(
    transactions: list[list[tuple[str, list[Decoded] | list[str]]]], reopen: bool
) -> None:
    final: dict[str, Decoded] = {}
    with tempfile.TemporaryDirectory() as folder:
        index = Index.open(Path(folder, "a.sqlite"), identity=IDENTITY)
        for transaction in transactions:
            with index.writing():
                for what, values in transaction:
                    _apply(index, final, what, values)
            if reopen:
                index.close()
                index = Index.open(Path(folder, "a.sqlite"), identity=IDENTITY)
        with Index.open(Path(folder, "b.sqlite"), identity=IDENTITY) as fresh:
            with fresh.writing():
                fresh.put(reversed(final.values()))
            assert index.dump() == fresh.dump()
            assert index.note_count() == fresh.note_count()
            assert _answers(index) == _answers(fresh)
        index.close()


def _apply(
    index: Index, final: dict[str, Decoded], what: str, values: Sequence[Decoded | str]
) -> None:
    if what == "put":
        found = [one for one in values if isinstance(one, Decoded)]
        index.put(found)
        for one in found:
            final.pop(str(one.path), None)
            final[str(one.path)] = one
    else:
        index.remove([one for one in values if isinstance(one, str)])
        for path in values:
            final.pop(str(path), None)


def _answers(index: Index) -> list[object]:
    return [
        [(one.path, one.passage, round(one.score, 9), one.coverage) for one in found.found]
        for found in map(
            index.search, ["tea", "running coffee yesterday", "cofee", "猫", "Ann tea"]
        )
    ]


def test_a_transaction_that_fails_leaves_everything_as_it_was(tmp_path: Path) -> None:
    index = open_index(tmp_path / "index.sqlite", item("I like tea."))
    before = index.dump()

    def fail() -> None:
        with index.writing():
            index.remove([item("I like tea.").path])
            index.put([decoded(item("I like zebras."))])
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert index.dump() == before
    put(index, [item("I like giraffes.")])
    assert statements(index, "giraffes") == ["I like giraffes."]
    assert statements(index, "zebras") == []


def test_a_transaction_inside_another_is_part_of_it(tmp_path: Path) -> None:
    index = open_index(tmp_path / "index.sqlite")

    def fail() -> None:
        with index.writing():
            with index.writing():
                index.put([decoded(item("I like tea."))])
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert index.note_count() == 0


def test_what_is_put_can_be_read_before_it_is_committed(tmp_path: Path) -> None:
    index = open_index(tmp_path / "index.sqlite")
    with index.writing():
        index.put([decoded(item("I like tea."))])
        assert statements(index, "tea") == ["I like tea."]
        index.put([decoded(item("I like coffee."))])
        assert index.note_count() == 2


def test_writing_outside_a_transaction_is_refused(tmp_path: Path) -> None:
    index = open_index(tmp_path / "index.sqlite")
    with pytest.raises(RuntimeError, match="writing"):
        index.put([decoded(item("I like tea."))])


def test_two_processes_see_what_the_other_wrote(tmp_path: Path) -> None:
    one = open_index(tmp_path / "index.sqlite", item("I like tea."))
    other = Index.open(tmp_path / "index.sqlite", identity=IDENTITY)
    assert statements(other, "tea") == ["I like tea."]
    put(other, [item("I like green tea and coffee.")])
    put(one, [item("Coffee keeps me awake.")])
    put(other, [item("Decaffeinated coffee does not.")])
    rebuilt = open_index(
        tmp_path / "rebuilt.sqlite",
        item("Decaffeinated coffee does not."),
        item("Coffee keeps me awake."),
        item("I like tea."),
        item("I like green tea and coffee."),
    )
    assert one.dump() == other.dump() == rebuilt.dump()
    assert statements(one, "coffee") == statements(rebuilt, "coffee")


def test_showing_an_item_in_other_words_leaves_its_problems(tmp_path: Path) -> None:
    known = item("I like tea.")
    warned = Problem(path=known.path, code="bad-date", message="x")
    index = open_index(tmp_path / "index.sqlite")
    with index.writing():
        index.put([decoded(known, warned)])
    with index.writing():
        index.show([replace(known, statement="I like hiking.")])
    assert statements(index, "hiking") == ["I like hiking."]
    assert statements(index, "tea") == []
    assert index.problems() == (warned,)


def test_many_notes_and_words_cross_the_blocks_of_postings(tmp_path: Path) -> None:
    body = "\n\n".join(f"- common word{n % 50}" for n in range(9_000))
    notes = [page(body, path=f"notes/{n}.md") for n in range(9)]
    index = open_index(tmp_path / "index.sqlite", *notes)
    with index.writing():
        index.remove([notes[7].path, notes[0].path])
        index.put([decoded(notes[7])])
    fresh = open_index(tmp_path / "fresh.sqlite", *reversed(notes[1:]))
    assert index.dump() == fresh.dump()
    assert len(statements(index, "word7", limit=5)) == 5
