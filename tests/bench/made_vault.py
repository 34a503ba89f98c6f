"""A synthetic vault for a measurement of what people look at."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.bench.speed import SEED, Words, isolate, make_vault
from vaultmem import Memory


@contextmanager
def made_vault(about: str | None, arguments: Sequence[str] | None) -> Iterator[tuple[Path, Words]]:
    """A vault of `--items`, in the folder that `--keep` names or in one that goes; its words."""
    parser = argparse.ArgumentParser(description=(about or "").split("\n\n")[0])
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--keep", type=Path, help="a folder in which the vault stays")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="vaultmem-bench-") as name:
        folder = options.keep or Path(name)
        folder.mkdir(exist_ok=True)
        isolate(folder)
        root, words = folder / f"vault-{options.items}", Words(SEED)
        if not root.exists():
            make_vault(root, options.items, words)
            with Memory(root) as memory:
                memory.sync()
        yield root, words
