"""Typed readings of front-matter text: each bad value is a problem and a harmless default."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from pathlib import PurePosixPath

from vaultmem.base import late
from vaultmem.language import read_instant
from vaultmem.model import Problem, Severity
from vaultmem.storage.notes.frontmatter.slow import FrontMatter
from vaultmem.storage.notes.frontmatter.write import FALSE_WORDS, TRUE_WORDS
from vaultmem.storage.notes.frontmatter.yaml import Value

_DECIMAL = late(r"[+-]?(?:\d{1,9}(?:\.\d{0,18})?|\.\d{1,18})")
_MARKDOWN_LINK = late(r"\[[^\]]*\]\(<?([^)>]+)>?\)")
_SEPARATORS = late(r"[,\s]+")


class Fields:
    """The keys of one note, read by type; what is wrong gathers in `problems`."""

    __slots__ = ("front", "path", "problems", "values", "zone")

    def __init__(self, front: FrontMatter, path: PurePosixPath, zone: str) -> None:
        self.front = front
        self.values: Mapping[str, Value] = front.values
        self.path = path
        self.zone = zone
        self.problems: list[Problem] = list(front.problems)

    def report(
        self,
        code: str,
        message: str,
        *,
        key: str | None = None,
        hint: str = "",
        severity: Severity = Severity.WARNING,
    ) -> None:
        """Add a problem, with the line of its key."""
        line = self.front.line(key) if key is not None else self.front.body_line
        self.problems.append(
            Problem(
                path=self.path,
                code=code,
                message=message,
                line=line,
                hint=hint,
                severity=severity,
            )
        )

    def text(self, key: str) -> str:
        """The text of a key; '' when there is none."""
        value = self.values.get(key)
        if value is None:
            return ""
        if type(value) is str:
            return value
        if isinstance(value, tuple) and len(value) == 1 and type(value[0]) is str:
            return value[0]
        self.report("bad-value", f"'{key}' should be one text", key=key)
        return ""

    def texts(self, key: str) -> tuple[str, ...]:
        """The texts of a key, a single one as a list of one; empty ones left out."""
        value = self.values.get(key)
        if value is None:
            return ()
        if type(value) is str:
            return (value,) if value else ()
        if isinstance(value, tuple):
            if any(type(element) is not str for element in value):
                self.report("bad-value", f"'{key}' holds nested values", key=key)
                value = tuple(e for e in value if type(e) is str)
            return value if "" not in value else tuple(e for e in value if e)
        self.report("bad-value", f"'{key}' should be a list of texts", key=key)
        return ()

    def links(self, key: str) -> tuple[str, ...]:
        """The targets of a key's links; plain texts are targets too."""
        value = self.texts(key)
        if not value:
            return value
        return tuple([target for target in map(link_target, value) if target])

    def words(self, key: str) -> tuple[str, ...]:
        """Texts as Obsidian reads tags: a text is split at commas and spaces, `#` is dropped."""
        value = self.values.get(key)
        if value is None:
            return ()
        if type(value) is str:
            found = _SEPARATORS.split(value)
        else:
            found = [text.strip() for text in self.texts(key)]
        return tuple([word.lstrip("#") for word in found if word.lstrip("#")])

    def choice(self, key: str, choices: Collection[str], default: str) -> str:
        """One of the choices; the default, with a warning, for anything else."""
        value = self.values.get(key)
        if value is None:
            return default
        if type(value) is str and value in choices:
            return value
        given = self.text(key).strip().casefold()
        if given in choices:
            return given
        if given:
            self.report(
                "bad-value",
                f"'{given}' is no {key}" + (f", so it is read as '{default}'" if default else ""),
                key=key,
                hint=f"use one of: {', '.join(choices)}",
            )
        return default

    def flag(self, key: str) -> bool:
        """True, yes, on and 1 are true."""
        if key not in self.values:
            return False
        word = self.text(key).casefold()
        if word and word not in TRUE_WORDS | FALSE_WORDS:
            self.report("bad-boolean", f"'{key}' should be true or false", key=key)
        return word in TRUE_WORDS

    def instant(self, key: str) -> int | None:
        """UTC ms of a date; None, with a warning, for text that is none."""
        value = self.values.get(key)
        if value is None:
            return None
        text = value if type(value) is str else self.text(key)
        found = _instant(text, self.zone) if len(text) <= 40 else None
        if found is None and text:
            self.report(
                "bad-date",
                f"'{key}' is not a date: {text[:40]!r}",
                key=key,
                hint="write 2026-03-11 or 2026-03-11T09:14:00+01:00",
            )
        return found

    def integer(self, key: str, low: int, high: int, default: int) -> int:
        """A whole number in [low, high]; outside of it the nearest one, with a warning."""
        if key not in self.values:
            return default
        text = self.text(key).strip()
        exact = _decimal(text)
        number = int(exact) if exact is not None and exact.is_integer() else None
        if number is not None and low <= number <= high:
            return number
        if text:
            self.report(
                "bad-number", f"'{key}' should be a whole number from {low} to {high}", key=key
            )
        return default if number is None else min(max(number, low), high)

    def share(self, key: str) -> float | None:
        """A number in [0, 1]; None, with a warning, for anything else."""
        if key not in self.values:
            return None
        text = self.text(key).strip()
        number = _decimal(text)
        if number is not None and 0 <= number <= 1:
            return number
        if text:
            self.report("bad-number", f"'{key}' should be a number from 0 to 1", key=key)
        return None

    def others(self, known: Collection[str]) -> dict[str, str | tuple[str, ...]]:
        """The keys that are not ours, as they are."""
        return {
            key: "" if value is None else value
            for key, value in self.values.items()
            if key not in known
        }


def link_target(text: str) -> str:
    """What a link points to, without brackets, alias, heading and `.md`; other text as it is."""
    text = text.strip()
    if text.startswith("[["):
        target = text[2:-2] if text.endswith("]]") else text[2:]
        if "|" in target:
            target = target[: target.index("|")]
    elif text.endswith((")", ">")) and (found := _MARKDOWN_LINK.fullmatch(text)):
        target = found[1].replace("%20", " ")
    else:
        return text
    if "#" in target:
        target = target[: target.index("#")]
    return target.strip().removesuffix(".md")


@lru_cache(maxsize=1024)
def _decimal(text: str) -> float | None:
    """The number that a text is in decimal notation; None for nan, 1e5 and other text."""
    return float(text) if len(text) <= 40 and _DECIMAL.fullmatch(text) else None


@lru_cache(maxsize=4096)
def _instant(text: str, zone: str) -> int | None:
    """UTC ms of an ISO date; remembered, since a vault's notes share few days."""
    found = read_instant(text, zone)
    return None if found is None else found.ms
