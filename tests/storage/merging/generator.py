"""Realistic notes, streams and categories, and the edits that people make to them; seeded."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import PurePosixPath
from random import Random

WORDS = (
    "tea",
    "coffee",
    "hedgehog",
    "choir",
    "passport",
    "Bergen",
    "violin",
    "allotment",
    "kitchen",
    "swims",
    "Tuesday",
    "Leni",
    "bakery",
    "third",
    "floor",
    "report",
    "measure",
    "acoustic",
    "hall",
    "garden",
    "winter",
    "letter",
    "promised",
    "dentist",
    "Graz",
    "train",
    "four",
    "parcels",
    "blue",
    "bicycle",
    "repaired",
    "early",
    "always",
    "never",
    "prefers",
    "asked",
    "said",
)
LISTS = ("tags", "entities", "aliases", "category", "source", "related")
STATUSES = ("active", "superseded", "expired", "retracted", "archived")


def sentence(random: Random) -> str:
    words = [random.choice(WORDS) for _ in range(random.randint(4, 12))]
    return " ".join(words).capitalize() + f" {random.randint(1, 10**6)}."


def identity(random: Random) -> str:
    return "i-" + "".join(random.choice("0123456789abcdefghjkmnpqrstvwxyz") for _ in range(10))


def front_matter(random: Random) -> str:
    lines = [f"id: {identity(random)}", f"kind: {random.choice(['fact', 'event', 'belief'])}"]
    if random.random() < 0.3:
        lines.append(f"# note to self {random.randint(1, 999)}")
    if random.random() < 0.7:
        lines += ["subject: user", f"predicate: likes_{random.randint(1, 99)}"]
        lines.append(f"object: {random.choice(WORDS)}")
    lines += [f"valid_from: 2026-03-{random.randint(1, 28):02}", "status: active"]
    for name in LISTS:
        if random.random() < 0.5:
            values = random.sample(WORDS, random.randint(1, 4))
            if random.random() < 0.3:
                lines.append(f"{name}: [{', '.join(values)}]")
            else:
                lines.append(f"{name}:")
                lines += [f"  - {value}" for value in values]
    lines += [f"importance: {random.randint(1, 9)}", f"confidence: 0.{random.randint(1, 9)}"]
    lines += ["confidence_at: 2026-03-08", "writer: agent", "trust: user"]
    if random.random() < 0.3:
        lines.append(f"mood: {random.choice(WORDS)} # mine")
    return "---\n" + "\n".join(lines) + "\n---\n"


def block(random: Random) -> str:
    """A paragraph, a list, code, a table or a heading."""
    kind = random.randrange(7)
    if kind == 0:
        return f"## {sentence(random)}"
    if kind == 1:
        return "\n".join(f"- {sentence(random)}" for _ in range(random.randint(1, 5)))
    if kind == 2:
        code = "\n".join(f"x = {random.randint(1, 10**6)}" for _ in range(random.randint(1, 4)))
        return f"```python\n{code}\n\nprint(x)\n```"
    if kind == 3:
        rows = [
            f"| {random.choice(WORDS)} | {random.randint(1, 10**6)} |"
            for _ in range(random.randint(1, 4))
        ]
        return "\n".join(["| what | how many |", "| --- | --- |", *rows])
    return "\n".join(sentence(random) for _ in range(random.choice([1, 1, 1, 3])))


def item(random: Random) -> str:
    blocks = [sentence(random), *(block(random) for _ in range(random.randint(0, 6)))]
    return front_matter(random) + "\n" + "\n\n".join(blocks) + "\n"


def stream(random: Random) -> str:
    text = "# Identity\n\nWho we are.\n"
    for section in ("Me", "Safety", "Open")[: random.randint(1, 3)]:
        text += f"\n## {section}\n\n"
        for _ in range(random.randint(1, 8)):
            box = "[ ] " if section == "Open" else ""
            text += f"- {box}{sentence(random)} ^{identity(random)}\n"
    return text


def category(random: Random) -> str:
    text = "---\naliases:\n  - the place\n---\n" * (random.random() < 0.5) + "# Place\n\n"
    text += sentence(random) + "\n\n<!-- vaultmem:begin summary -->\n"
    for _ in range(random.randint(0, 6)):
        text += f"- {sentence(random)} [[some-{identity(random)}]]\n"
    text += "<!-- vaultmem:end -->\n"
    for _ in range(random.randint(0, 3)):
        text += "\n" + block(random) + "\n"
    return text


KINDS = (
    (item, PurePosixPath("items/2026/03/08/a.md")),
    (stream, PurePosixPath("streams/identity.md")),
    (category, PurePosixPath("categories/place.md")),
)


def note(random: Random) -> tuple[PurePosixPath, str]:
    make, path = KINDS[random.choice((0, 0, 1, 2))]
    return path, make(random)


def dressed(random: Random, text: str) -> bytes:
    """A note's text as bytes: now and then with CRLF, a BOM, or without its last line end."""
    style = random.randrange(12)
    if style == 0:
        return text.replace("\n", "\r\n").encode()
    if style == 1:
        return b"\xef\xbb\xbf" + text.encode()
    return text.removesuffix("\n").encode() if style == 2 else text.encode()


def edited(random: Random, text: str, path: PurePosixPath, *, edits: int) -> str:
    """The note after so many edits of one person."""
    for _ in range(edits):
        before = text
        for _ in range(8):
            text = edit(random, text, path)
            if text != before:
                break
    return text


def edit(random: Random, text: str, path: PurePosixPath) -> str:
    """One edit; a note without the thing it wants to change stays as it is."""
    changes = EDITS.get(path.parts[0], EDITS["items"])
    return random.choice(changes)(random, text)


def _body_start(text: str) -> int:
    return text.index("\n---\n", 4) + 5 if text.startswith("---\n") else 0


def _line_places(text: str, pattern: str, start: int = 0) -> list[re.Match[str]]:
    return list(re.compile(pattern, re.MULTILINE).finditer(text, start))


def _pick(random: Random, text: str, pattern: str, start: int = 0) -> re.Match[str] | None:
    found = _line_places(text, pattern, start)
    return random.choice(found) if found else None


def reword(random: Random, text: str) -> str:
    """Another number in a sentence of the text."""
    found = _pick(random, text, r"\w+ \d+\.", _body_start(text))
    if found is None:
        return text
    fresh = f"{random.choice(WORDS)} {random.randint(1, 10**6)}."
    return text[: found.start()] + fresh + text[found.end() :]


def add_bullet(random: Random, text: str) -> str:
    """A new bullet on top of a list."""
    found = _pick(random, text, r"^## .*\n\n(?=- )")
    if found is None:
        return text
    box = "[ ] " if "Open" in found.group() else ""
    fresh = f"- {box}{sentence(random)} ^{identity(random)}\n"
    return text[: found.end()] + fresh + text[found.end() :]


def add_summary(random: Random, text: str) -> str:
    mark = "<!-- vaultmem:begin summary -->\n"
    if mark not in text:
        return text
    return text.replace(mark, f"{mark}- {sentence(random)} [[some-{identity(random)}]]\n", 1)


def drop_line(random: Random, text: str) -> str:
    """A bullet or a table row away."""
    found = _pick(random, text, r"^(?:- .*|\| \w+ \| \d+ \|)\n", _body_start(text))
    return text if found is None else text[: found.start()] + text[found.end() :]


def move_line(random: Random, text: str) -> str:
    """A bullet on top of another list."""
    found = _pick(random, text, r"^- .*\n", _body_start(text))
    if found is None:
        return text
    rest = text[: found.start()] + text[found.end() :]
    place = _pick(random, rest, r"^## .*\n\n")
    if place is None:
        return text
    return rest[: place.end()] + found.group() + rest[place.end() :]


def tick(random: Random, text: str) -> str:
    found = _pick(random, text, r"^- \[ \]")
    return text if found is None else text[: found.start()] + "- [x]" + text[found.end() :]


def prose(random: Random, text: str) -> str:
    """A new paragraph somewhere in the text, between blocks."""
    outside = re.sub(r"(?s)```.*?```|<!-- vaultmem.*?end -->", lambda m: "x" * len(m[0]), text)
    found = _pick(random, outside, r"\n\n(?=[A-Z#])", max(0, _body_start(text) - 1))
    if found is None:
        return text
    return text[: found.end()] + sentence(random) + "\n\n" + text[found.end() :]


def append(random: Random, text: str) -> str:
    return text + "\n" + block(random) + "\n"


def set_scalar(random: Random, text: str) -> str:
    found = _pick(random, text[: _body_start(text)], r"^(object|predicate|kind|mood|importance): ")
    if found is None:
        return text
    end = text.index("\n", found.end())
    value = str(random.randint(1, 9)) if found[1] == "importance" else random.choice(WORDS)
    return text[: found.end()] + value + text[end:]


def set_status(random: Random, text: str) -> str:
    status = f"status: {random.choice(STATUSES)}"
    if "expired" in status and "valid_until" not in text:
        status = f"valid_until: 2026-04-{random.randint(1, 28):02}\n{status}"
    return re.sub(r"(?m)^status: \w+", status, text, count=1)


def add_element(random: Random, text: str) -> str:
    head = text[: _body_start(text)]
    found = _pick(random, head, r"^  - .*\n|^\w+: \[[^\]\n]*(?=\])")
    if found is None:
        return text
    word = random.choice(WORDS) + str(random.randint(1, 10**6))
    fresh = f"  - {word}\n" if found.group().endswith("\n") else f", {word}"
    return text[: found.end()] + fresh + text[found.end() :]


def drop_element(random: Random, text: str) -> str:
    found = _pick(random, text[: _body_start(text)], r"^  - .*\n(?=  - )")
    return text if found is None else text[: found.start()] + text[found.end() :]


def add_key(random: Random, text: str) -> str:
    key = random.choice(("weather", "place", "pinned", "due", "mine"))
    end = _body_start(text) - 4
    if end < 0 or f"\n{key}:" in text:
        return text
    value = "true" if key == "pinned" else random.choice(WORDS)
    return text[:end] + f"{key}: {value}\n" + text[end:]


def confidence(random: Random, text: str) -> str:
    day = f"2026-05-{random.randint(1, 28):02}"
    fresh = f"confidence: 0.{random.randint(1, 9)}\nconfidence_at: {day}"
    return re.sub(r"(?m)^confidence: .*\nconfidence_at: .*$", fresh, text, count=1)


EDITS: dict[str, tuple[Callable[[Random, str], str], ...]] = {
    "streams": (reword, reword, add_bullet, add_bullet, drop_line, move_line, tick, prose),
    "categories": (reword, add_summary, add_summary, prose, drop_line, append),
    "items": (
        *(reword, set_scalar, set_scalar, add_element, add_element, drop_element),
        *(set_status, append, drop_line, prose, add_key, confidence),
    ),
}
"""What people do to a kind of note; what stands twice, they do twice as often."""
