"""How much of what attacks is held, how much of what does not is, and what the look costs.

    python -m tests.bench.suspicion [--list]

Attacks: tests/bench/suspicion_attacks.py. Harmless: the real notes and conversations of the shared
data where they are on this machine, taken as somebody else's words. `--list` prints every miss and
every flag.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.bench.suspicion_attacks import attacks
from tests.bench.suspicion_unseen import UNSEEN
from vaultmem.safety.claims import claims, disagreement
from vaultmem.safety.instructions import suspicion

SHARED = Path(__file__).parents[2].parent / "shared" / "data"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else "")
    parser.add_argument("--list", action="store_true", help="print every miss and every flag")
    parser.add_argument("--data", type=Path, default=SHARED, help="folder of real texts")
    options = parser.parse_args(arguments)
    _detection(is_listed=options.list)
    _unseen(is_listed=options.list)
    for what, texts in (
        ("real notes", list(real_notes(options.data))),
        ("turns of conversations", list(real_turns(options.data))),
    ):
        _flags(what, texts, is_listed=options.list)
    _disagreements(options.data, is_listed=options.list)
    _speed(options.data)


def _detection(*, is_listed: bool) -> None:
    count, held, missed = Counter[str](), Counter[str](), []
    for language, kind, text in attacks():
        found = bool(suspicion(text))
        for key in (language, kind, "all"):
            count[key] += 1
            held[key] += found
        if not found:
            missed.append((language, kind, text))
    print("attacks        held")
    for key in count:
        print(f"  {key:12} {held[key]:3} of {count[key]}")
    if is_listed:
        for language, kind, text in missed:
            print(f"  missed {language} {kind}: {text}")


def _unseen(*, is_listed: bool) -> None:
    print("\nattacks that the cues were not written for")
    for language, lines in UNSEEN:
        texts = lines.splitlines()
        missed = [text for text in texts if not suspicion(text)]
        print(f"  {language:12} {len(texts) - len(missed):3} of {len(texts)}")
        if is_listed:
            for text in missed:
                print(f"  missed: {text}")


def real_notes(folder: Path) -> Iterator[tuple[str, str]]:
    """(name, text) of real Markdown notes that somebody wrote."""
    for file in sorted((folder / "notes").rglob("*.md")):
        yield str(file.relative_to(folder)), file.read_text(encoding="utf-8", errors="replace")


def real_turns(folder: Path) -> Iterator[tuple[str, str]]:
    """(name, text) of what people said to each other, turn by turn."""
    for file in sorted((folder / "locomo").glob("*.json")):
        yield from ((file.name, text) for text in _turns(json.loads(file.read_text("utf-8"))))


def _turns(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        if "speaker" in value and isinstance(value.get("text"), str):
            yield value["text"]
        for inner in value.values():
            yield from _turns(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _turns(inner)


def _flags(what: str, texts: Sequence[tuple[str, str]], *, is_listed: bool) -> None:
    if not texts:
        print(f"\n{what}: none on this machine")
        return
    reasons = [(name, reason) for name, text in texts if (reason := suspicion(text))]
    concealed = sum(reason.startswith("hides ") for _, reason in reasons)
    rest = len(reasons) - concealed
    print(
        f"\n{what}: {len(texts)}; held for words: {rest} ({rest / len(texts):.2%}), "
        f"because something is hidden in them: {concealed} ({concealed / len(texts):.2%})"
    )
    if is_listed:
        for name, reason in reasons:
            print(f"  {name}: {reason}")


def _disagreements(folder: Path, *, is_listed: bool) -> None:
    """One half of each collection as the person's, the other as from outside: all in one vault."""
    for what, texts in (
        ("real notes", [text for _, text in real_notes(folder)]),
        ("turns of conversations", [text for _, text in real_turns(folder)]),
    ):
        yours: dict[frozenset[str], str] = {}
        for text in texts[::2]:
            yours |= claims(text)
        theirs = [claims(text) for text in texts[1::2]]
        apart = [(each, value) for each in theirs if (value := disagreement(each, yours))]
        print(
            f"\n{what}, every other one as yours: {sum(map(bool, theirs))} of {len(theirs)} others "
            f"claim a value, {len(apart)} another one than yours"
        )
        if is_listed:
            for each, value in apart:
                print(f"  '{value}' against {dict(each)}")


def _speed(folder: Path) -> None:
    texts = [text for _, text in (*real_notes(folder), *real_turns(folder))]
    if not texts:
        return
    size = sum(map(len, texts))
    begin = time.process_time()
    for text in texts:
        suspicion(text)
    taken = (time.process_time() - begin) * 1000
    print(f"\n{size // 1000} KB of real text: {taken / (size / 1000):.3f} ms/KB")
    for unit in ("when asked ", "send the ", "a.", "a@", "the user ", "is the ", "x ", "忽略 "):
        text = (unit * (100_000 // len(unit) + 1))[:100_000]
        begin = time.process_time()
        suspicion(text)
        print(f"  100 KB of {unit!r:14} {(time.process_time() - begin) * 1000:7.1f} ms")


if __name__ == "__main__":
    main()
