"""Which note answers, on plain Markdown notes: `python -m tests.bench.prose NOTES`.

NOTES is a folder with the vaults `kepano-obsidian`, `obsidian-linter` and `obsidian-tasks` (MIT,
not part of this project). The questions are ours, written from the notes before anything was
measured on them, in other words than the notes' where a person would use others. Beside it
BM25 on whole notes and on the same passages, and FTS5 on passages.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath

from tests.bench import metrics
from tests.bench.baselines import Fts5, Okapi, tokens
from tests.bench.locomo import Turn
from vaultmem.api.memory import Memory
from vaultmem.language.stems import STOP_WORDS, Stems

LIMIT = 20
COLUMNS = ("R@1", "R@5", "R@10", "MRR")
_NOTES = ("kepano-obsidian", "obsidian-linter", "obsidian-tasks")
# path of the note (several: any of them) | question
QUESTIONS = """
Clippings/68 Bits of Unsolicited Advice | Why should I always demand a deadline?
Clippings/68 Bits of Unsolicited Advice | advice about glue
Clippings/68 Bits of Unsolicited Advice | Is it ever fine to borrow money on a credit card?
Clippings/68 Bits of Unsolicited Advice | How do I find the real reason behind what somebody says?
Clippings/Buy wisely | Are expensive wool socks worth it?
Clippings/Buy wisely | dividing the price of a thing by how often it is used
Clippings/Buy wisely | How do I judge whether a product will last?
Clippings/In good hands | notes on being in good hands
References/Brown butter nectarine tart | Which dessert can I bake with peaches in summer?
References/Brown butter nectarine tart | How long do I blind bake the tart crust?
References/Brown butter nectarine tart | recipe of my mother with vanilla and browned butter
References/The Machine Stops | story by E. M. Forster about the machine
References/Blade Runner | science fiction film by Ridley Scott
References/Bass on Top | album by Paul Chambers
References/Fushimi Inari | shrine in Kyoto
Notes/2023 Japan Trip | trip to Japan
Notes/2023-09-12 Meeting with Steph | meeting with Steph
Notes/Evergreen notes turn ideas into objects that you can manipulate | ideas as objects
docs/usage/disabling-rules | How do I keep the linter away from a folder?
docs/usage/disabling-rules | ignore linting for part of a file
docs/usage/running-rules | Can files be linted when I save them with vim keys?
docs/usage/running-rules | lint when a file is closed or changed
docs/contributing/ai-usage | May I send a pull request with code written by AI?
docs/contributing/adding-a-rule | steps to add a new rule
docs/contributing/bug-fix | Where do I begin when I cannot find the cause of a bug?
docs/contributing/bug-fix | data.json of the person who reported the issue
docs/contributing/documentation | Which pages of the documentation are generated?
docs/contributing/getting-setup | Which version of Node do I need?
docs/contributing/getting-setup | cloning my fork of the repository
docs/contributing/open-a-pr | lint the code before a pull request
docs/contributing/refactoring | Is a proof of concept needed before I refactor?
docs/contributing/releasing | updating the version in manifest.json for a release
docs/contributing/testing | difference between unit tests and integration tests
docs/contributing/translation | translating the linter into another language
docs/settings/content-rules;rules/auto-correct-common-misspellings | own list of misspelled words
docs/settings/content-rules | asterisk or underscore for emphasis
docs/settings/content-rules | straight or curly quotation marks
docs/settings/footnote-rules | Can footnotes be moved to the end of the note?
docs/settings/heading-rules | capitalize headings in title case
docs/settings/heading-rules | punctuation at the end of a heading
docs/settings/paste-rules | strip leftover footnotes when pasting a quote
docs/settings/spacing-rules | blank lines around tables
docs/settings/spacing-rules | turn spaces into tabs
docs/settings/yaml-rules;rules/yaml-timestamp | date modified in the front matter
docs/settings/yaml-rules | remove duplicate values from YAML arrays
docs/settings/custom-rules | replace text by a regular expression
How To/Find tasks in notes with particular tag | tasks in notes that have a certain tag
How To/Access properties in frontmatter | group tasks by a property of the front matter
Filters/Boolean Combinations | combine filters with AND and OR
Filters/Regular Expression Searches | search tasks by regular expressions
Manual Testing/Dependencies Samples - Recurring Tasks | blocked forever by a recurring task
Manual Testing/Invalid Dates | task with the thirtieth of February as due date
Manual Testing/Callouts and Block Quotes | tasks inside callouts
Manual Testing/Urgency Scores Examples | worked examples of urgency
Time Zones/Pacific-Auckland | time zone of New Zealand
"""
Ask = Callable[[str], list[str]]


def questions() -> list[tuple[str, tuple[str, ...]]]:
    """(question, ends of the paths of its notes)."""
    rows = [line.split(" | ") for line in QUESTIONS.strip().splitlines()]
    return [(text, tuple(f"{path}.md" for path in paths.split(";"))) for paths, text in rows]


class Bm25(Okapi):
    """BM25 as it is mostly tuned: stems, no stop words."""

    name = "BM25, stems, stop words cut"

    def __init__(self, turns: Sequence[Turn]) -> None:
        self._stems = Stems()
        super().__init__(turns)

    def tokens(self, text: str) -> list[str]:
        """Stems of the words that say something."""
        return [self._stems(word) for word in tokens(text) if word not in STOP_WORDS]


def by_note(rank: Callable[[str, int], list[str]]) -> Ask:
    """Notes by their best passage; ids are 'path#number'."""
    return lambda text: list(
        dict.fromkeys(one.rpartition("#")[0] for one in rank(text, LIMIT * 10))
    )


def systems(memory: Memory, paths: Sequence[PurePosixPath]) -> list[tuple[str, Ask]]:
    """What is asked, by name."""
    whole, pieces = [], []
    for path in paths:
        text = (memory.root / path).read_text("utf-8", errors="replace")
        whole.append(Turn(id=f"{path}#", speaker=path.stem, text=text))
        for passage in memory.opened.index.passages(path):
            pieces.append(Turn(id=f"{path}#{passage.seq}", speaker=path.stem, text=passage.text))

    def ours(text: str) -> list[str]:
        return [str(hit.note.path) for hit in memory.search(text, limit=LIMIT).hits]

    return [
        ("vaultmem", ours),
        ("BM25, stems, on passages", by_note(Bm25(pieces).rank)),
        ("BM25, stems, on whole notes", by_note(Bm25(whole).rank)),
        ("rank_bm25 Okapi on passages", by_note(Okapi(pieces).rank)),
        ("FTS5 porter on passages", by_note(Fts5(pieces).rank)),
    ]


def measure(ask: Ask) -> list[dict[str, float]]:
    """The measures of every question; of several right notes one is enough."""
    found = []
    for text, ends in questions():
        ranked = ["right" if path.endswith(ends) else path for path in ask(text)]
        found.append(metrics.measures(list(dict.fromkeys(ranked)), {"right"}))
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="which note answers, on plain Markdown")
    parser.add_argument("notes", type=Path, help="folder with the three vaults")
    parser.add_argument("--misses", action="store_true", help="print what is not first")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="vaultmem-prose-") as name:
        for place in ("XDG_STATE_HOME", "XDG_CONFIG_HOME"):  # keep out of the person's own
            os.environ[place] = str(Path(name) / place.lower())
        root = Path(name) / "vault"
        Memory.init(root, name="prose")
        for each in _NOTES:
            shutil.copytree(given.notes / each, root / "notes" / each)
        settings = root / "vaultmem.toml"
        settings.write_text('include = ["notes/**/*.md"]\n' + settings.read_text("utf-8"), "utf-8")
        with Memory(root) as memory:
            memory.sync()
            paths = [path for path in memory_paths(memory) if path.parts[0] == "notes"]
            print(f"{len(questions())} questions, {len(paths)} notes")
            print(f"{'':30}" + "".join(f"{column:>8}" for column in COLUMNS))
            for label, ask in systems(memory, paths):
                found = measure(ask)
                means = (metrics.mean([one[column] for one in found]) for column in COLUMNS)
                print(f"{label:30}" + "".join(f"{value:8.3f}" for value in means))
                if given.misses and label == "vaultmem":
                    for (text, ends), one in zip(questions(), found, strict=True):
                        if one["R@1"] < 1:
                            print(f"  {one['MRR']:.2f} {text} -> {ends}: {ask(text)[:3]}")


def memory_paths(memory: Memory) -> list[PurePosixPath]:
    """Every note of the vault."""
    return [row.path for row in memory.list(limit=None)]


if __name__ == "__main__":
    main()
