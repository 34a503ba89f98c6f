"""Pack the words of all languages: `python -m tests.bench.words`.

Writes `vaultmem/language/words.packed` from `vaultmem/language/words/LANGUAGE/SUBJECT.txt`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from vaultmem.language.vocabulary import HEADER, MOST_INDEX, PACKED

FOLDER = Path(PACKED).with_name("words")
# Spellings that languages share, and patterns with words of several; its sections need no English.
SHARED = "shared"
# Subjects of which each language is read by itself.
BY_LANGUAGE = frozenset(["dates", "function_words", "instructions", "numbers"])


def packed(folder: Path = FOLDER) -> str:
    """All subjects of all languages of a folder as one text."""
    subjects = sorted({file.stem for file in folder.glob("*/*.txt")})
    parts = dict(part for subject in subjects for part in _subject(folder, subject))
    index = " ".join(f"{title}:{len(part.encode())}" for title, part in parts.items())
    if len(HEADER + index) >= MOST_INDEX:
        raise ValueError("MOST_INDEX is too small")
    return HEADER + "\n".join((index, *parts.values())) + "\n"


def _subject(folder: Path, subject: str) -> Iterator[tuple[str, str]]:
    """What is read at once by its title: a subject, or one of a language."""
    files = sorted(folder.glob(f"*/{subject}.txt"), key=_place)
    read = {file.parent.name: read_sections(file) for file in files}
    if subject in BY_LANGUAGE:
        titles = list(dict.fromkeys(title for each in read.values() for title in each))
        for language, found in read.items():
            yield f"{subject}/{language}", _rows({t: found.get(t, []) for t in titles})
        return
    first = ["en", SHARED]  # whose sections there are, and in what order
    titles = list(dict.fromkeys(title for name in first for title in read.get(name, ())))
    for language, found in read.items():
        for title in found.keys() - set(titles):
            raise ValueError(f"{language}/{subject}.txt: English has no section [{title}]")
    joined = {t: [line for found in read.values() for line in found.get(t, ())] for t in titles}
    yield subject, _rows(joined)


def _place(file: Path) -> tuple[bool, bool, str]:
    """English first, what they share last."""
    name = file.parent.name
    return name == SHARED, name != "en", name


def _rows(sections: Mapping[str, Iterable[str]]) -> str:
    return "\n".join(name + "=" + "\t".join(lines) for name, lines in sections.items())


def read_sections(file: Path) -> dict[str, list[str]]:
    """The lines of each `[section]` of a file; one that is indented goes on the line above."""
    sections: dict[str, list[str]] = {}
    lines: list[str] = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        if text[0] == "[" and text[-1] == "]":
            title = text[1:-1]
            if title in sections or "=" in title:
                raise ValueError(f"{file}:{number}: a second [{title}], or no title")
            lines = sections[title] = []
        elif line[0] == " ":
            lines[-1] += text
        else:
            # What a pattern needs is sought as it stands, spaces and all.
            lines.append(text.replace("_", " ") if title.endswith(" needs") else text)
    return {name: _expand(lines, sections) for name, lines in sections.items()}


def _expand(lines: list[str], sections: Mapping[str, list[str]]) -> list[str]:
    """With `<title>` as what another section of the file has."""
    for title, words in sections.items():
        if any(f"<{title}>" in line for line in lines):
            told = "|".join(_expand(words, sections)).replace(" ", "|")
            lines = [line.replace(f"<{title}>", told) for line in lines]
    return lines


if __name__ == "__main__":
    Path(PACKED).write_text(packed(), encoding="utf-8", newline="\n")
