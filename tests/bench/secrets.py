"""Recall, false flags and speed of the scan for secrets, and of that for personal data.

    python -m tests.bench.secrets [--samples 200] [--notes FOLDER]

Tokens are generated (tests/privacy/tokens.py); notes are the real ones of the shared data where
they are on this machine.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tests.privacy.hostile import hostile_texts
from tests.privacy.tokens import MAKERS, core, samples
from vaultmem.privacy.secrets import find_secrets, redact

SHARED = Path(__file__).parents[2].parent / "shared" / "data"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else "")
    parser.add_argument("--samples", type=int, default=200, help="tokens a kind")
    parser.add_argument("--notes", type=Path, default=SHARED, help="folder of real texts")
    options = parser.parse_args(arguments)
    _recall(options.samples)
    _flags(options.notes)
    _speed(options.notes)


def _recall(count: int) -> None:
    print(f"{'kind':28} {'tokens':>7} {'found':>7} {'named so':>9}")
    total = Counter[str]()
    for kind in MAKERS:
        found = named = 0
        for text, token, _ in samples(kind, count):
            secrets = find_secrets(text)
            found += core(kind, token) not in redact(text, secrets)
            named += any(secret.kind == kind for secret in secrets)
        total.update(tokens=count, found=found)
        print(f"{kind:28} {count:>7} {found / count:>7.1%} {named / count:>9.1%}")
    share = total["found"] / total["tokens"]
    print(f"{'all':28} {total['tokens']:>7} {share:>7.2%}")


def real_texts(folder: Path) -> Iterator[tuple[str, str]]:
    """(name, text) of Markdown notes, and of conversations turn by turn."""
    for file in sorted(folder.rglob("*.md")):
        yield file.name, file.read_text(encoding="utf-8", errors="replace")
    for file in sorted(folder.rglob("*.json*")):
        if "vectors" not in file.name:
            yield from ((file.name, text) for text in _strings(_loaded(file)) if len(text) > 20)


def _loaded(file: Path) -> object:
    text = file.read_text(encoding="utf-8")
    return (
        [json.loads(line) for line in text.splitlines()]
        if file.suffix == ".jsonl"
        else json.loads(text)
    )


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _strings(inner)


def _flags(folder: Path) -> None:
    texts = list(real_texts(folder))
    if not texts:
        print("\nno real notes on this machine")
        return
    notes = [each for each in texts if each[0].endswith(".md")]
    for what, some in (("real notes", notes), ("turns and statements", texts[len(notes) :])):
        flagged = [(name, find_secrets(text)) for name, text in some]
        hit = [(name, secrets) for name, secrets in flagged if secrets]
        print(f"\n{what}: {len(some)}, flagged: {len(hit)}")
        for name, secrets in hit:
            print(f"  {name}: {', '.join(f'{s.kind} (line {s.line})' for s in secrets)}")


def _timed(work: Callable[[], object], *, times: int = 3) -> float:
    """Milliseconds; the best of some runs."""
    best = float("inf")
    for _ in range(times):
        begin = time.process_time()
        work()
        best = min(best, time.process_time() - begin)
    return best * 1000


def _scan_time(text: str, *, times: int = 3) -> float:
    return _timed(lambda: find_secrets(text), times=times)


def _speed(folder: Path) -> None:
    text = "\n\n".join(text for _, text in real_texts(folder)) or "no notes here. " * 10_000
    taken = _timed(lambda: find_secrets(text))
    print(
        f"\nreal text in one piece: {taken / (len(text) / 1000):.4f} ms/KB "
        f"of {len(text) // 1000} KB"
    )
    worst = []
    for kind in MAKERS:
        many = " and\n".join(token for _, token, _ in samples(kind, 400))[:100_000]
        worst.append((_scan_time(many) / (len(many) / 1000), kind))
    print(f"tokens only, slowest kind: {max(worst)[0]:.4f} ms/KB ({max(worst)[1]})")
    image = "![](data:image/png;base64," + "iVBORw0KGgo" * 455_000 + ")"
    print(f"image of 5 MB in base64: {_timed(lambda: find_secrets(image)):.1f} ms")
    rows = [(_scan_time(text, times=1), name) for name, text in hostile_texts()]
    print(f"texts of 100 kB made against the patterns: {len(rows)}; the slowest:")
    for taken, name in sorted(rows, reverse=True)[:5]:
        print(f"  {taken:6.1f} ms  {name}")


if __name__ == "__main__":
    main()
