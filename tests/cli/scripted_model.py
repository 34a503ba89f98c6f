"""A model server for transcripts, in a process of its own: its address, then answers by rule.

It understands a handful of sentences, and nothing else; `tests/models/scripted_server.py` speaks
for it.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from tests.models.scripted_server import Asked, Step, refused, says, says_json, served

BROKEN = "The well is dry."
"""A text about which the server fails."""
KEY_PLACES = ("the drawer", "the shed")
STATEMENTS: Mapping[str, Mapping[str, Any]] = {
    "My sister Lena is allergic to hazelnuts.": {"importance": 9},
    "Lena bakes a cake without hazelnuts on Sundays.": {},
    "Lena and Jonas came to eat on Sunday.": {"kind": "event"},
    **{
        f"The spare key hangs in {place}.": {
            "subject": "spare key",
            "predicate": "hangs_in",
            "object": place,
        }
        for place in KEY_PLACES
    },
}
SUMMARY = "Lena is allergic to hazelnuts, and bakes without hazelnuts on Sundays."
INSIGHT = "Lena and hazelnuts: on Sundays we eat cake without them."
_NOTHING: Mapping[str, Any] = dict.fromkeys(
    ("subject", "predicate", "object", "when", "valid_from", "valid_until"), ""
)


def rule(asked: Asked) -> Step:
    """What a model of average wit would answer."""
    head = asked.user.partition(" ")[0]
    if head == "<<<TEXT" and BROKEN in asked.user:
        return refused(400, "the text is too dry")
    if head == "<<<TEXT":
        return says_json({"items": [_item(text) for text in STATEMENTS if text in asked.user]})
    if head == "<<<NEW":
        return says_json({"notes": [*_tied(asked.user.split("\n"))]})
    if head == "<<<PAIRS":
        return says_json({"pairs": [{"pair": 1, "decision": "supersede"}]})
    if head == "<<<TOPIC":
        return says_json({"sentences": [{"text": SUMMARY, "statements": _numbers(asked.user)}]})
    if head == "<<<NOTES":
        made = {"statement": INSIGHT, "evidence": _numbers(asked.user), "importance": 8}
        alone = {"statement": "I am fond of cake.", "evidence": [1], "importance": 5}
        return says_json({"insights": [made, alone]})
    return says_json({"city": "Paris", "is_capital": True}) if asked.schema else says("ready")


def _item(text: str) -> dict[str, Any]:
    usual = {"turn": 0, "quote": text, "statement": text, "kind": "fact", "importance": 5}
    return {**_NOTHING, **usual, "entities": [], **STATEMENTS[text]}


def _tied(lines: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Each new note with the tags 'baking' and 'astronomy', and its first neighbour."""
    for line, after in zip(lines, (*lines[1:], ""), strict=True):
        new, known = (
            re.match(rf" *{word} \[(\d+)\]", each)
            for word, each in (("new", line), ("known", after))
        )
        if new:
            links = [{"to": int(known[1]), "relation": "follows_from"}] if known else []
            yield {"note": int(new[1]), "links": links, "tags": ["baking", "astronomy"]}


def _numbers(text: str) -> list[int]:
    """Of the statements that hold 'hazelnuts'."""
    return [int(number) for number in re.findall(r"^\[(\d+)\] .*hazelnuts", text, re.MULTILINE)]


@contextmanager
def running() -> Iterator[str]:
    """The address of a server that runs until the block ends."""
    words = [sys.executable, "-m", "tests.cli.scripted_model"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        yield child.stdout.readline().strip()
        child.communicate("")


def main() -> None:
    """Serve until standard input ends."""
    with served() as server:
        server.rule = rule
        print(server.url, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
