"""Filters and formulas of Obsidian's Bases, as far as our tables use them, over a vault's files.

By the pages *Bases syntax* and *Functions* of Obsidian's help (version 1.10). A property that is
no key of the format, a function or a view that we have not looked up there: UnknownWordError.
A property that a note does not have is empty, and false.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import cast

import yaml

_TOKEN = re.compile(
    r"\s*(?:(?P<text>\"[^\"]*\"|'[^']*')|(?P<number>\d+(?:\.\d+)?)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign>==|!=|>=|<=|&&|\|\||[-+*/()\[\].,!<>]))"
)
_DURATION = re.compile(r"(\d+)(d|w|h)")
_HOURS = {"d": 24, "w": 168, "h": 1}
FILE_PROPERTIES = frozenset(["name", "path", "ext", "folder", "mtime", "ctime", "size"])
VIEWS = frozenset(["table", "cards", "list"])


class UnknownWordError(Exception):
    """A base uses a name that means nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file as a base sees it."""

    path: PurePosixPath
    mtime: datetime
    note: Mapping[str, object]  # its front matter

    def property(self, name: str) -> object:
        if name not in FILE_PROPERTIES:
            raise UnknownWordError(f"file.{name}")
        path = self.path
        known = {"name": path.stem, "path": str(path), "ext": path.suffix[1:], "mtime": self.mtime}
        return known.get(name, path.parent.as_posix())


def files_of(root: Path) -> Iterator[File]:
    """Every Markdown file that Obsidian shows, by path."""
    for file in sorted(root.rglob("*.md")):
        path = PurePosixPath(file.relative_to(root).as_posix())
        if any(part.startswith(".") for part in path.parts):
            continue
        text = file.read_text(encoding="utf-8")
        block = text.split("---\n")[1] if text.startswith("---\n") else ""
        note = yaml.load(block, Loader=yaml.BaseLoader) or {}
        mtime = datetime.fromtimestamp(file.stat().st_mtime)
        yield File(path=path, mtime=mtime, note=note)


class Base:
    """A `.base` file.

    keys  properties that notes of the format may have
    """

    def __init__(self, text: str, keys: frozenset[str]) -> None:
        self._read = yaml.safe_load(text)
        self._keys = keys
        odd = self._read.keys() - {"filters", "formulas", "properties", "views"}
        if odd:
            raise UnknownWordError(str(odd))

    @property
    def views(self) -> Mapping[str, Mapping[str, object]]:
        return {view["name"]: view for view in self._read["views"]}

    def rows(self, view: str, root: Path, *, now: datetime) -> list[File]:
        """The notes that a view selects, by path."""
        filters = [self._read.get("filters"), self.views[view].get("filters")]
        return [
            file
            for file in files_of(root)
            if all(self._holds(each, file, now) for each in filters if each is not None)
        ]

    def group_of(self, view: str, file: File, *, now: datetime) -> object:
        """What a view groups a note by."""
        group = cast("Mapping[str, str]", self.views[view]["groupBy"])
        return self._value(group["property"], file, now)

    def columns(self, view: str) -> Iterator[str]:
        """Every property that a view names: columns, order and groups."""
        found = self.views[view]
        if found["type"] not in VIEWS:
            raise UnknownWordError(str(found["type"]))
        odd = found.keys() - {"type", "name", "filters", "order", "sort", "groupBy", "limit"}
        if odd:
            raise UnknownWordError(str(odd))
        yield from cast("Sequence[str]", found.get("order", ()))
        rules = [*cast("Sequence[Mapping[str, str]]", found.get("sort", ()))]
        if "groupBy" in found:
            rules.append(cast("Mapping[str, str]", found["groupBy"]))
        for rule in rules:
            if rule.keys() != {"property", "direction"} or rule["direction"] not in ("ASC", "DESC"):
                raise UnknownWordError(str(rule))
            yield rule["property"]

    def require_known(self) -> None:
        """Raise UnknownWordError for a property, in a view or with a name, that nothing has."""
        for name in [*self._read.get("properties", {}), *map(str, self._all_columns())]:
            place, _, word = name.partition(".")
            known = {
                "file": FILE_PROPERTIES,
                "note": self._keys,
                "formula": frozenset(self._read.get("formulas", {})),
            }
            if word not in known[place]:
                raise UnknownWordError(name)

    def _all_columns(self) -> Iterator[str]:
        for view in self.views:
            yield from self.columns(view)

    def _holds(self, rule: object, file: File, now: datetime) -> bool:
        if isinstance(rule, str):
            return bool(self._value(rule, file, now))
        [(word, parts)] = cast("Mapping[str, Sequence[object]]", rule).items()
        held = [self._holds(part, file, now) for part in parts]
        return {"and": all(held), "or": any(held), "not": not any(held)}[word]

    def _value(self, text: str, file: File, now: datetime) -> object:
        return _Expression(text, self, file, now).value()

    def name(self, word: str, file: File, now: datetime) -> object:
        """What a bare word stands for."""
        if word not in self._keys:
            raise UnknownWordError(word)
        return file.note.get(word)

    def formula(self, word: str, file: File, now: datetime) -> object:
        return self._value(self._read["formulas"][word], file, now)


class _Expression:
    """One line of the language of filters and formulas, evaluated for a file."""

    def __init__(self, text: str, base: Base, file: File, now: datetime) -> None:
        self._base, self._file, self._now = base, file, now
        self._tokens: list[str] = []
        at = 0
        while at < len(text.rstrip()):
            found = _TOKEN.match(text, at)
            if found is None:
                raise UnknownWordError(text[at:])
            self._tokens.append(found[0].strip())
            at = found.end()
        self._at = 0

    def value(self) -> object:
        found = self._any_of()
        if self._at < len(self._tokens):
            raise UnknownWordError(" ".join(self._tokens[self._at :]))
        return found

    def _next_is(self, *signs: str) -> str:
        if self._at < len(self._tokens) and self._tokens[self._at] in signs:
            self._at += 1
            return self._tokens[self._at - 1]
        return ""

    def _any_of(self) -> object:
        left = self._all_of()
        while self._next_is("||"):
            right = self._all_of()
            left = bool(left) or bool(right)
        return left

    def _all_of(self) -> object:
        left = self._compared()
        while self._next_is("&&"):
            right = self._compared()
            left = bool(left) and bool(right)
        return left

    def _compared(self) -> object:
        left = self._sum()
        sign = self._next_is("==", "!=", ">", "<", ">=", "<=")
        if not sign:
            return left
        right = self._sum()
        if sign in ("==", "!="):
            return (left == right) is (sign == "==")
        first, second = cast("datetime", left), cast("datetime", right)
        ways: dict[str, Callable[[], bool]] = {
            ">": lambda: first > second,
            "<": lambda: first < second,
            ">=": lambda: first >= second,
            "<=": lambda: first <= second,
        }
        return ways[sign]()

    def _sum(self) -> object:
        left = self._unary()
        while sign := self._next_is("+", "-"):
            right = self._unary()
            assert isinstance(left, datetime), "only dates are added to"
            assert isinstance(right, str)
            found = _DURATION.fullmatch(right)
            if found is None:
                raise UnknownWordError(right)
            span = timedelta(hours=int(found[1]) * _HOURS[found[2]])
            left = left + span if sign == "+" else left - span
        return left

    def _unary(self) -> object:
        return not self._unary() if self._next_is("!") else self._member()

    def _member(self) -> object:
        word = self._tokens[self._at]
        self._at += 1
        if word[0] in "\"'":
            return word[1:-1]
        if word.isdecimal():
            return int(word)
        if word == "(":
            inner = self._any_of()
            assert self._next_is(")")
            return inner
        if self._next_is("("):
            found = self._called(word, self._arguments())
        elif word in ("file", "note", "formula"):
            assert self._next_is(".")
            name = self._tokens[self._at]
            self._at += 1
            if word == "file" and self._next_is("("):
                found = self._called(f"file.{name}", self._arguments())
            elif word == "file":
                found = self._file.property(name)
            elif word == "formula":
                found = self._base.formula(name, self._file, self._now)
            else:
                found = self._base.name(name, self._file, self._now)
        else:
            found = self._base.name(word, self._file, self._now)
        while sign := self._next_is(".", "["):
            if sign == "[":
                number = cast("int", self._any_of())
                assert self._next_is("]")
                listed = cast("Sequence[object]", found)
                found = listed[number] if number < len(listed) else None
                continue
            name = self._tokens[self._at]
            self._at += 1
            assert self._next_is("(")
            found = self._method(found, name, self._arguments())
        return found

    def _arguments(self) -> list[object]:
        given: list[object] = []
        while not self._next_is(")"):
            given.append(self._any_of())
            self._next_is(",")
        return given

    def _called(self, name: str, given: Sequence[object]) -> object:
        if name == "now" and not given:
            return self._now
        if name == "if" and len(given) in (2, 3):
            return given[1] if given[0] else (*given, None)[2]
        if name == "list" and len(given) == 1:
            return given[0] if isinstance(given[0], list) else [given[0]]
        if name == "file.inFolder" and len(given) == 1:
            parts = PurePosixPath(str(given[0])).parts
            return self._file.path.parent.parts[: len(parts)] == parts
        raise UnknownWordError(f"{name}({len(given)})")

    def _method(self, of: object, name: str, given: Sequence[object]) -> object:
        if name == "isEmpty" and not given:
            return of in (None, "", [])
        raise UnknownWordError(name)
