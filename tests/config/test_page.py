"""The page of settings says what the table says."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import filterfalse, groupby
from pathlib import Path

import pytest

from vaultmem.config.setting import BOTH, PERSON, VAULT, Knob, Value
from vaultmem.config.settings_table import knobs

OWNER = {BOTH: "", VAULT: " (*vault's*)", PERSON: " (*yours*)"}
FORMULAS = (
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
)
PAGE = Path(__file__).parents[2] / "vaultmem" / "docs" / "settings.md"


def test_the_tables_of_the_page_are_those_of_the_program(update_golden: bool) -> None:
    text = PAGE.read_text(encoding="utf-8")
    expected = text
    for name, lines in (("in use", in_use()), ("numbers", numbers()), ("elsewhere", elsewhere())):
        begin, end = f"<!-- begin: {name} -->\n", f"<!-- end: {name} -->"
        before, rest = expected.split(begin)
        after = rest.split(end)[1]
        expected = before + begin + "".join(f"{line}\n" for line in lines) + end + after
    if update_golden:
        PAGE.write_text(expected, encoding="utf-8")
        pytest.skip("the page was written anew")
    assert text == expected


def in_use() -> Iterator[str]:
    """Settings with their reasons; neighbours that differ only in key and default share a row."""
    yield "| key | default and range | what and why |"
    yield "| --- | --- | --- |"
    for (unit, values, why), group in groupby(filterfalse(is_number_of_formula, knobs()), same):
        alike = tuple(group)
        keys = ", ".join(f"`{knob.key}`" for knob in alike)
        defaults = ", ".join(f"`{toml(knob.default)}`" for knob in alike)
        value = "; ".join(filter(None, (f"{defaults} {unit}".rstrip(), values)))
        yield f"| {keys} | {value} | {why} |"


def numbers() -> Iterator[str]:
    """Numbers of formulas as `vaultmem config` prints them; it also says the reason of each."""
    yield "```"
    for knob in filter(is_number_of_formula, knobs()):
        unit, values, _ = same(knob)
        comment = "; ".join(filter(None, (unit, values)))
        yield f"{knob.key} = {toml(knob.default)}  # {comment}".removesuffix("  # ")
    yield "```"


def is_number_of_formula(knob: Knob) -> bool:
    return knob.key.split(".")[0] in FORMULAS and not knob.choices


def same(knob: Knob) -> tuple[str, str, str]:
    """Unit, range and reason; where it may stand is said where it is not both files."""
    unit = knob.unit if knob.unit != "1..10" else ""
    return unit, allowed(knob), knob.why + OWNER[knob.where]


def elsewhere() -> Iterator[str]:
    """Names of the same numbers in the systems that vaultmem joins."""
    yield "| key | elsewhere |"
    yield "| --- | --- |"
    for knob in knobs():
        if knob.origin:
            yield f"| `{knob.key}` | {', '.join(f'`{name}`' for name in knob.origin)} |"


def toml(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(toml(part) for part in value)}]"
    return f'"{value}"' if isinstance(value, str) else f"{value:g}" if value < 1 else str(value)


def allowed(knob: Knob) -> str:
    """What may be written, where the default does not show it: any text, a list, from 0 on."""
    if knob.choices:
        return ", ".join(choice or '""' for choice in knob.choices)
    if knob.high is not None:
        return f"{knob.low or 0:g}..{knob.high:.10g}"
    return f"from {knob.low:.10g}" if knob.low else ""
