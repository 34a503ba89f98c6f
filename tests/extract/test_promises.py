"""Promises that hold for any text: no error, every quote grounded, the same answer again."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import vaultmem
from tests.extract.reading import EXTRACTOR, NOW, read_document
from vaultmem.extract import cue_patterns, draft, shape
from vaultmem.extract import cue_patterns as cues
from vaultmem.extract import cue_patterns as patterns
from vaultmem.extract import evidence as sentences
from vaultmem.extract import find_slots as slots
from vaultmem.extract import no_evidence as judge
from vaultmem.extract import prepare as documents
from vaultmem.extract.cue_patterns import match, read_cues, tokens_of
from vaultmem.extract.draft import is_grounded
from vaultmem.extract.evidence import paragraphs
from vaultmem.extract.shape import LONGEST_STATEMENT
from vaultmem.language import time as vt
from vaultmem.language.dates import english, phrases
from vaultmem.language.vocabulary import phrases as told_lines
from vaultmem.model.drafts import Source, Turn
from vaultmem.model.notes import KINDS, STREAMS

PIECES = st.sampled_from(
    [
        "I prefer tabs",
        "we decided to use SQLite",
        "My sister Ema",
        "remember that",
        "Maria is allergic to nuts",
        "- [ ] call Bob by Friday",
        "# Heading",
        "```",
        "> quoted",
        "never",
        "if",
        "She",
        "It uses Rust",
        "yesterday",
        "**",
        "[[a|b]]",
        "`code`",
        '"quote"',
        "’",
        "§",
        ". ",
        "! ",
        "? ",
        "; ",
        "\n",
        "\n\n",
        " - ",
        ", but ",
        "#tag",
        "%%",
        "<!--",
        "日本語。",
        "🙂",
        "\u2028",
        "\x00",
    ]
)
MODULES = (
    judge,
    shape,
    sentences,
    documents,
    patterns,
    slots,
    draft,
    english,
    english,
    phrases,
    vt,
)
TEXTS = st.one_of(st.text(max_size=300), st.lists(PIECES, max_size=25).map("".join))
TURNS = st.builds(
    Turn,
    text=TEXTS,
    role=st.sampled_from(["", "user", "assistant", "system"]),
    speaker=st.sampled_from(["", "Ann", "Bob Ross", "a"]),
    said_at=st.none() | st.integers(min_value=-(2**41), max_value=2**43),
)
SOURCES = st.builds(
    Source,
    id=st.just("r-000000000000"),
    turns=st.lists(TURNS, max_size=4).map(tuple),
    date=st.none() | st.just(NOW),
)


@given(SOURCES)
def test_any_source_gives_grounded_and_complete_drafts(source: Source) -> None:
    extraction = EXTRACTOR.extract(source, now=NOW)
    for one in extraction.drafts:
        assert any(is_grounded(one.quote, turn.text) for turn in source.turns)
        assert one.statement.strip() == one.statement != ""
        assert "\n" not in one.statement
        assert len(one.statement) <= LONGEST_STATEMENT
        assert one.kind in KINDS
        assert one.stream is None or one.stream in STREAMS
        assert 1 <= one.importance <= 10
        assert one.confidence is None or 0 <= one.confidence <= 1
        assert one.rule
        assert one.categories
        assert bool(one.subject) == bool(one.predicate) == bool(one.object)
        if one.valid_from is not None and one.valid_until is not None:
            assert one.valid_from < one.valid_until
    assert all(rejected.rule for rejected in extraction.rejected)


@given(SOURCES)
def test_the_same_source_gives_the_same_answer(source: Source) -> None:
    assert EXTRACTOR.extract(source, now=NOW) == EXTRACTOR.extract(source, now=NOW)


@given(TEXTS)
def test_sentences_are_spans_of_the_text_in_order(text: str) -> None:
    place = 0
    for sentence in (each for _, told in paragraphs(text)[0] for each in told):
        assert text[sentence.start : sentence.start + len(sentence.text)] == sentence.text
        assert len(sentence.masked) == len(sentence.text)
        assert sentence.start >= place
        place = sentence.start + len(sentence.text)


@pytest.mark.parametrize(
    "unit",
    [
        *("a.", " ", ".", "a", "1", "a ", "I ", "I prefer ", "'", '"', "`", "*", "**a** ", "_"),
        *("a_", "[", "[[", "](", "(", "-", "- ", "#", "# a\n", "> a\n", "|", "\n", "\n\n", "?!"),
        *("%%", "<!--", "eyJ-", "sk-", "1234 ", "my ", "every ", "§", "; ", " - I ", "a\t"),
        *("日", "🙂", "never ", "remember that ", "if ", "’", "https://", "since May ", "the "),
    ],
)
def test_time_grows_with_the_text_and_not_faster(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    began = time.process_time()
    read_document(text)
    read_document(f"a{text}b")
    assert time.process_time() - began < 4.0  # quadratic would be minutes


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        (f"{module.__name__}.{name}", value)
        for module in MODULES
        for name, value in sorted(vars(module).items())
        if name.isupper()
        and isinstance(value, str | re.Pattern)
        and name not in ("_PHRASES", "MASK")
    ],
)
@pytest.mark.parametrize("unit", ["a.", " ", "-", "[", "1", "_", "**"])
def test_every_regular_expression_is_linear(
    name: str, pattern: str | re.Pattern[str], unit: str
) -> None:
    text = unit * (100_000 // len(unit))
    compiled = re.compile(pattern)
    began = time.process_time()
    sum(1 for _ in compiled.finditer(text))
    assert time.process_time() - began < 0.5, name


def test_a_hundred_words_are_read_in_milliseconds() -> None:
    text = (
        "The API server runs on port 8080. Maria is allergic to peanuts. The weather was nice. "
        "We decided to migrate from Jest to Vitest last month. I prefer tabs over spaces. "
    ) * 3
    read_document(text)
    best = min(_seconds(text) for _ in range(10))
    assert best < 0.02  # about 1.5 ms on a quiet machine; a shared one may be ten times slower


def _seconds(text: str) -> float:
    began = time.process_time()
    read_document(text)
    return time.process_time() - began


def test_every_cue_can_match_and_belongs_to_a_kind() -> None:
    lines = [line for section in cues.STATED for line in told_lines("cues")[section]]
    assert len(lines) > 100
    for line in lines:
        name = line.partition(" : ")[0].split()[0]
        assert name.partition("/")[0] in KINDS, line
        read_cues(line, cue_patterns.LISTS)


@pytest.mark.parametrize(
    ("pattern", "text", "end"),
    [
        ("i ~ prefer|like !not", "I really do", None),
        ("i ~ prefer|like !not", "I also really prefer tea", 4),
        ("i ~ prefer|like !not", "I prefer not", None),
        ("i ~ always|never", "I always run", 2),
        ("my <2 preference", "my own personal preference", 4),
        ("my <1 preference", "my own personal preference", None),
        ("our? team", "team", 1),
        ("call me Name", "call me Sam", 3),
        ("call me Name", "call me later", None),
        ("name 's _", "name's Sam", 3),
        ("i am a", "I'm a", 3),
    ],
)
def test_patterns(pattern: str, text: str, end: int | None) -> None:
    (cue,) = read_cues(f"fact/x : {pattern}", {}).cues
    assert match(cue.elements, tokens_of(text), 0) == end


def test_importing_the_extractor_imports_nothing_slow() -> None:
    script = (
        "import sys; import vaultmem.extract.rule_extractor; "
        "print(sorted({'datetime', 'zoneinfo', 'json', 'inspect', 'subprocess'}"
        " & set(sys.modules)))"
    )
    shown = subprocess.run(
        [sys.executable, "-S", "-c", script],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(vaultmem.__file__).parents[1],
    )
    assert shown.stdout.strip() == "[]"
