"""The page of settings says what the table says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import filterfalse, groupby
from pathlib import Path

import pytest

from vaultmem.config.setting import BOTH, PERSON, PERSON_SECTIONS, VAULT, Knob, Value
from vaultmem.config.settings_table import knobs

OWNER = {BOTH: "", VAULT: " (*vault's*)", PERSON: " (*yours*)"}
# Sections of which the page has what most people set: `vaultmem config SECTION` has the others.
LEFT_OUT = (
    "retrieval",
    "consolidation",
    "procedures",
    "profile",
    "reflection",
    "score",
    "stability",
    "feedback",
    "pagerank",
    "sinkhorn",
    "chunks",
    "sessions",
    "facts",
    "half_life",
    "preservation",
    "importance",
    "links",
    "maintenance",
    "limits",
    "context",
    "network",
    "watch",
    "recall",
    "embeddings",
    "llm",
    "proxy",
    "search",
    "sync",
    "retention",
    "secrets",
    "slots",
)
KEPT = (
    "context.tokens",
    "limits.note_bytes",
    "recall.k",
    "recall.preset",
    "recall.untrusted",
    "watch.autocommit",
)
FEW = 5  # a longer list is printed by `vaultmem config KEY`
PAGE = Path(__file__).parents[2] / "vaultmem" / "docs" / "settings.md"


def test_the_table_of_the_page_is_that_of_the_program(update_golden: bool) -> None:
    text = PAGE.read_text(encoding="utf-8")
    expected = text
    begin, end = "<!-- begin: in use -->\n", "<!-- end: in use -->"
    before, rest = expected.split(begin)
    after = rest.split(end)[1]
    expected = before + begin + "".join(f"{line}\n" for line in in_use()) + end + after
    if update_golden:
        PAGE.write_text(expected, encoding="utf-8")
        pytest.skip("the page was written anew")
    assert text == expected


def test_the_page_names_every_section_of_numbers_that_it_leaves_to_the_command() -> None:
    """A person finds the other numbers by `vaultmem config SECTION`."""
    part = PAGE.read_text(encoding="utf-8").partition("## Other settings")[2]
    assert set(LEFT_OUT) == set(re.findall(r"`([a-z_]+)`", part))
    assert set(KEPT) <= {knob.key for knob in knobs()}


def test_the_page_names_the_sections_that_no_vault_may_set() -> None:
    before = PAGE.read_text(encoding="utf-8").partition("## Which vault")[0]
    (line,) = [line for line in before.splitlines() if "count only in your own file" in line]
    assert set(PERSON_SECTIONS) == set(re.findall(r"`([a-z]+)`", line.partition(" count only")[0]))


def in_use() -> Iterator[str]:
    """Settings with their reasons; neighbours that differ only in key and default share a line."""
    for (unit, values, why), group in groupby(filterfalse(is_left_out, knobs()), same):
        alike = tuple(group)
        keys = ", ".join(f"`{knob.key}`" for knob in alike)
        defaults = ", ".join(f"`{toml(knob.default)}`" for knob in alike)
        value = "; ".join(filter(None, (f"{defaults} {unit}".rstrip(), values)))
        yield f"* {keys} ({value}): {why}"


def is_left_out(knob: Knob) -> bool:
    return knob.key.split(".")[0] in LEFT_OUT and knob.key not in KEPT


def same(knob: Knob) -> tuple[str, str, str]:
    """Unit, range and reason; where it may stand is said where it is not both files."""
    unit = knob.unit if knob.unit != "1..10" else ""
    is_told_above = knob.key.split(".")[0] in PERSON_SECTIONS
    return unit, knob.allowed, knob.why + ("" if is_told_above else OWNER[knob.where])


def toml(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        if len(value) > FEW:
            return f"[{len(value)} names]"
        return f"[{', '.join(toml(part) for part in value)}]"
    return f'"{value}"' if isinstance(value, str) else f"{value:g}" if value < 1 else str(value)
