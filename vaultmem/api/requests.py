"""How the fields of a request are given by people and programs: names, help, choices. Pure.

The requests are `Document`, for `remember`, and `RecallRequest`: their fields, types and defaults
stand there. Options of commands are made of these tables, and read nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping

from vaultmem.base import NamedTuple
from vaultmem.model import KINDS, PRESETS, STREAMS, WRITERS


class Way(NamedTuple):
    """One way to give a field; a flag where nothing is said of a value."""

    help: str
    metavar: str = ""  # what stands for the value
    option: str = ""  # its names; '': that of the field, with hyphens
    choices: tuple[str, ...] = ()
    least: int | None = None  # of a whole number; None: it is none
    most: int | None = None
    is_number: bool = False  # with a fraction
    several: int = 1  # values that it takes; 0: it can be given again
    puts: str | bool = True  # of a flag: the value that it gives


REMEMBER: Mapping[str, tuple[Way, ...]] = {
    "title": (Way("Title of the text.", "TITLE"),),
    "date": (Way("When it was written or said.", "DATE"),),
    "origin": (Way("Where it comes from: a name, a URL.", "WHERE", "--source"),),
    "kind": (Way("Kind of its items.", choices=KINDS),),
    "stream": (Way("Stream of its items.", choices=STREAMS),),
    "category": (Way("Category of its items.", "SLUG"),),
    "valid_from": (Way("When its items begin to hold.", "DATE"),),
    "valid_until": (Way("From when they hold no more.", "DATE"),),
    "fact": (
        Way(
            "The text states this fact; without a text, a sentence is made of it.",
            "SUBJECT PREDICATE VALUE",
            several=3,
        ),
    ),
    "confidence": (Way("How sure its items are. Default: as found.", "0..1", is_number=True),),
    "pinned": (Way("Its items never fade.", option="--pin"),),
    "hard": (Way("Its items are shown first, and only you remove them."),),
    "writer": (
        Way(
            "Whose words they are. Typed: person; a file or stdin: import; a URL: web.",
            "|".join(WRITERS),
            choices=("", *WRITERS),
        ),
    ),
    "projects": (
        Way(
            "Project that it is about: a name, or `auto` for that of the folder you are in.",
            "NAME|auto|none",
            "--project",
            several=0,
        ),
    ),
    "extract": (Way("Keep the text without extracting items.", option="--raw", puts=False),),
    "secrets": (
        Way("Keep the text without its secrets.", option="--redact", puts="redact"),
        Way("Keep the text with its secrets.", option="--allow-secret", puts="allow"),
    ),
}

RECALL: Mapping[str, tuple[Way, ...]] = {
    "limit": (Way("At most so many.", "N", "-n --limit", least=1, most=100_000),),
    "half_lives": (
        Way(
            "How fast notes of a stream fade in the ranking; `never` for days.",
            "STREAM=DAYS",
            "--half-life",
            several=0,
        ),
    ),
    "tiered": (
        Way("Read summaries of categories first, then items, then texts: as deep as it needs."),
    ),
    "rerank": (
        Way("Let the language model that is set up put first what helps to answer."),
        Way("Ask no model for the order.", option="--no-rerank", puts=False),
    ),
    "rounds": (
        Way(
            "Ask up to N times: in parts, then for what is missing and for names found.",
            "N",
            least=1,
        ),
    ),
    "preset": (Way("How hits are ranked; see `vaultmem help ranking`.", choices=PRESETS),),
    "diverse": (Way("Of notes that say the same, show one first."),),
    "expand": (Way("Add what the hits are linked with."),),
    "seed": (
        Way(
            "Sample the learned weights of the preset with this seed; without, their means.",
            "N",
            least=0,
            most=2**63 - 1,
        ),
    ),
    "as_of": (Way("What held then (valid time).", "WHEN"),),
    "known_at": (
        Way("As the vault knew it then (record time): a date or a revision.", "WHEN|REVISION"),
    ),
}
