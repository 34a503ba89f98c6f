"""Every setting as one row: key, default, unit, range, where it may be set, and why it is so.

`config_formulas.py` has those of formulas, `config_exchange.py` of remotes. Settings files,
`vaultmem config`, docs/settings.md and the warnings about unknown keys all come from the one table
`knobs()`.
"""

from __future__ import annotations

from vaultmem.config.exchange import EXCHANGE
from vaultmem.config.setting import PERSON, VAULT, Knob
from vaultmem.config.slots import MULTIPLE, SINGLE
from vaultmem.config.table import FORMULAS

CORE = (
    Knob(
        key="format",
        default=1,
        low=1,
        high=1,
        where=VAULT,
        why="version of the format on disk; a newer one is refused rather than misread",
    ),
    Knob(
        key="id",
        default="",
        where=VAULT,
        why="identity of the vault, written by init; the device state is keyed by it",
    ),
    Knob(
        key="name",
        default="",
        where=VAULT,
        why="what messages call the vault; empty: the name of its folder",
    ),
    Knob(
        key="enabled",
        default=True,
        wins=False,
        why="false, in either file, stops every read and write politely",
    ),
    Knob(
        key="timezone",
        default="UTC",
        why="zone of a bare date (2026-03-11 is 00:00 there): an IANA name, UTC, or +02:00",
    ),
    Knob(
        key="languages",
        default=("en",),
        why="languages of the notes, for word stems; other scripts are recognised by themselves",
    ),
    Knob(
        key="include",
        default=(),
        where=VAULT,
        why="globs of other notes in the tree to search; they are never written",
    ),
    Knob(
        key="device",
        default="",
        where=PERSON,
        why="name of this device, for its own flow file; empty: the host name",
    ),
    Knob(
        key="default_vault",
        default="",
        where=PERSON,
        why="name of the vault to use when nothing else says which",
    ),
    Knob(
        key="extractor",
        default="heuristic",
        why="what turns a text into items: 'heuristic' needs no model, 'llm' asks yours",
    ),
    Knob(
        key="retriever",
        default="lexical",
        why="what finds passages for a question, by name; 'lexical' needs no model",
    ),
    Knob(
        key="recall.k",
        default=5,
        unit="notes",
        low=1,
        high=100,
        why="notes that answer a question; more than about five cost attention and add little",
    ),
    Knob(
        key="recall.fuzzy",
        default=True,
        why="look for the nearest known words when no note holds a word of the question",
    ),
    Knob(
        key="recall.preset",
        default="default",
        choices=("default", "park", "smriti", "kautilya", "never_forgets", "balanced", "linked"),
        why="how answers are ranked (`vaultmem help ranking`); the default finds most",
    ),
    Knob(
        key="recall.untrusted",
        default="label",
        choices=("label", "separate", "hide"),
        where=PERSON,
        why="text from outside in an answer: among the others, after them, or not at all",
    ),
    Knob(
        key="recall.untrusted_weight",
        default=0.8,
        low=0.01,
        high=1,
        where=PERSON,
        why="share of its score that text from outside counts for; below 1 yours comes first",
    ),
    Knob(
        key="recall.untrusted_share",
        default=0.5,
        low=0,
        high=1,
        where=PERSON,
        why="share of an answer that text from outside may fill, rounded up",
    ),
    Knob(
        key="search.limit",
        default=20,
        unit="notes",
        low=1,
        high=1000,
        why="notes that a search lists: about a screen",
    ),
    Knob(
        key="sync.lock_wait",
        default=5.0,
        unit="seconds",
        low=0,
        high=600,
        why="how long to wait for another writer; an operation takes well under a second",
    ),
    Knob(
        key="watch.quiet",
        default=0.5,
        unit="seconds",
        low=0.05,
        high=60,
        why="pause after the last event before reading: editors save in several steps",
    ),
    Knob(
        key="watch.commit_after",
        default=60.0,
        unit="seconds",
        low=1,
        high=86400,
        why="rest after the last edit before it is committed, so that typing does not fill the log",
    ),
    Knob(
        key="watch.rescan",
        default=600.0,
        unit="seconds",
        low=10,
        high=86400,
        why="full scan at least this often, because the system may lose events without a word",
    ),
    Knob(
        key="watch.poll",
        default=2.0,
        unit="seconds",
        low=0.2,
        high=3600,
        why="time between scans where the system cannot watch folders",
    ),
    Knob(
        key="watch.heartbeat",
        default=2.0,
        unit="seconds",
        low=0.2,
        high=60,
        why="how often a watcher says that it lives; reads trust it for three times as long",
    ),
    Knob(
        key="watch.autocommit",
        default=True,
        why="commit edits once they rest; false, or a git plugin of Obsidian, leaves it to you",
    ),
    Knob(
        key="secrets.typed",
        default="ask",
        choices=("ask", "block", "redact", "allow"),
        where=PERSON,
        why="a secret in a text that you type; where nobody can be asked, 'ask' blocks",
    ),
    Knob(
        key="secrets.imported",
        default="redact",
        choices=("ask", "block", "redact", "allow"),
        where=PERSON,
        why="a secret in a file, in standard input, in a conversation, or written by a program",
    ),
    Knob(
        key="secrets.edited",
        default="block",
        choices=("block", "allow"),
        where=PERSON,
        why="a secret that you save in a note: 'block' leaves that note out of the history",
    ),
    Knob(
        key="secrets.placeholder_key",
        default="",
        where=PERSON,
        why="the same text on each of your devices gives the same placeholders; empty: a key file",
    ),
    Knob(
        key="privacy.local_only",
        default=False,
        wins=True,
        why="true, in either file: no network at all; this device itself may be talked to",
    ),
    Knob(
        key="privacy.anonymize_pii",
        default=False,
        wins=True,
        why="true, in either file: mail, phone, card, account and national numbers are masked",
    ),
    Knob(
        key="slots.single",
        default=SINGLE,
        origin=("facts.single_valued",),
        why="predicates with one value at a time: a new one ends the old one; * is any ending",
    ),
    Knob(
        key="slots.multiple",
        default=MULTIPLE,
        why="predicates with many values; slots.single is looked at first; others: check asks you",
    ),
    Knob(
        key="limits.note_bytes",
        default=1_000_000,
        unit="bytes",
        low=1000,
        high=16_000_000,
        why="larger notes are listed but not read: one must not stop everything else",
    ),
    Knob(
        key="limits.summary_items",
        default=100,
        unit="items",
        low=1,
        high=10_000,
        why="bullets in a category's summary; more is a list, not a summary",
    ),
    Knob(
        key="limits.flow_items",
        default=200,
        unit="items",
        low=1,
        high=10_000,
        why="bullets kept in a flow file; older ones live on as items",
    ),
)


def knobs() -> tuple[Knob, ...]:
    """All settings, in the order of the page."""
    return CORE + EXCHANGE + FORMULAS


def knob_by_key() -> dict[str, Knob]:
    """All settings by their key."""
    return {knob.key: knob for knob in knobs()}
