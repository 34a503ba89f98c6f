"""Which documents answer, graded, on made-up prose: `python -m tests.bench.documents`.

Four sets of documents of 200 to 2,000 words (made_prose.py), each in a vault of its own. Nothing
is chosen on the unseen set or on the fourth. Beside it BM25 on whole documents, with their titles,
and on the passages of the index. nDCG with gains of 3 for a document that treats what is asked at
length and 1 for one that does so in a sentence or two (Burges et al. 2005).
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from tests.bench import metrics
from tests.bench.locomo import Turn
from tests.bench.made_prose import FULLY, HALVES, MadeProse
from tests.bench.prose import LIMIT, Ask, Bm25, by_note
from vaultmem.api.memory import Memory

BM25 = "BM25, stems, on whole notes"
COLUMNS = ("nDCG@10", "MRR", "R@10", "R@20")


def write_vault(root: Path, prose: MadeProse) -> list[str]:
    """The paths of the documents as notes of a vault, in their order."""
    Memory.init(root, name="prose")
    folder = root / "notes"
    folder.mkdir()
    paths = []
    for number, one in enumerate(prose.documents):
        name = f"{one.title.replace(':', ',')} {number}"
        path = folder / one.folder / f"{name}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"# {one.title}\n\n{one.body}\n", "utf-8")
        paths.append(str(path.relative_to(root)))
    settings = root / "vaultmem.toml"
    settings.write_text('include = ["notes/**/*.md"]\n' + settings.read_text("utf-8"), "utf-8")
    return paths


def systems(memory: Memory, prose: MadeProse, paths: Sequence[str]) -> list[tuple[str, Ask]]:
    """What is asked, by name; each gives paths of notes, best first."""
    whole, pieces = [], []
    for path, one in zip(paths, prose.documents, strict=True):
        whole.append(Turn(id=f"{path}#", speaker=one.title, text=one.body))
        for passage in memory.opened.index.passages(PurePosixPath(path)):
            pieces.append(Turn(id=f"{path}#{passage.seq}", speaker=one.title, text=passage.text))

    def search(text: str) -> list[str]:
        return [str(hit.note.path) for hit in memory.search(text, limit=LIMIT).hits]

    def recall(text: str) -> list[str]:
        return [str(hit.note.path) for hit in memory.recall(text, limit=LIMIT).hits]

    return [
        ("vaultmem search", search),
        ("vaultmem recall", recall),
        (BM25, by_note(Bm25(whole).rank)),
        ("BM25, stems, on passages", by_note(Bm25(pieces).rank)),
    ]


def measure(ask: Ask, prose: MadeProse, paths: Sequence[str]) -> list[dict[str, float]]:
    """The measures of every question; MRR and R count what is treated at length."""
    found = []
    for one in prose.questions:
        ranked = ask(one.text)
        grades = {paths[place]: grade for place, grade in one.grades.items()}
        best = {path for path, grade in grades.items() if grade == FULLY}
        values = metrics.measures(ranked, best)
        values["nDCG@10"] = metrics.graded_ndcg_at(ranked, grades)
        found.append(values)
    return found


def run(half: str, root: Path) -> dict[str, list[dict[str, float]]]:
    """The measures of every system on one set, by its name."""
    prose = MadeProse(half)
    paths = write_vault(root, prose)
    with Memory(root) as memory:
        memory.sync()
        return {name: measure(ask, prose, paths) for name, ask in systems(memory, prose, paths)}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    known = argparse.ArgumentParser(description="which documents answer, on made-up prose")
    known.add_argument("--half", choices=HALVES, action="append", help="only this set")
    halves = known.parse_args(arguments).half or HALVES
    with tempfile.TemporaryDirectory(prefix="vaultmem-documents-") as name:
        for place in ("XDG_STATE_HOME", "XDG_CONFIG_HOME"):  # keep out of the person's own
            os.environ[place] = str(Path(name) / place.lower())
        for half in halves:
            rows = run(half, Path(name) / half)
            print(f"{half:30}" + "".join(f"{column:>9}" for column in COLUMNS))
            for label, found in rows.items():
                means = (metrics.mean([one[column] for one in found]) for column in COLUMNS)
                print(f"{label:30}" + "".join(f"{value:9.3f}" for value in means))


if __name__ == "__main__":
    main()
