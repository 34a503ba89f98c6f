"""Conventions of written files: endings, imports, names, indentation (algorithms 4.5)."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from vaultmem.base import Any, dataclass
from vaultmem.learn.conversations import Call, Session, Sighting

# Of what a session shows of one choice (algorithms.md 4.5): less is a mixture, fewer is chance.
LEAST_SHARE = 0.8
LEAST_SEEN = 3
_WRITING = re.compile(
    r"(?:^|[^a-z])(?:write|edit|multiedit|create|update|patch|replace|insert|save|append|modify"
    r"|apply|put|add)|(?:write|edit)(?:file)?$"
)
_PATHS = ("path", "file_path", "filepath", "file", "filename", "target_file", "target", "uri")
_TEXTS = ("content", "contents", "new", "new_string", "new_str", "new_text", "newtext", "text")
_MORE_TEXTS = ("code", "insert_text", "replacement", "file_text", "body", "source", "patch", "diff")
_CODE = frozenset(
    word
    for line in (
        "py pyi js jsx ts tsx mjs cjs mts cts java kt go rs rb php c h cc cpp hpp cs swift scala",
        "lua sh bash sql vue svelte dart ex exs jl r m",
    )
    for word in line.split()
)
_SCRIPT = frozenset(["js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts", "vue", "svelte"])
_COMMENTS = re.compile(r"/\*.*?\*/|(?<![:\w'\"])//[^\n]*|(?m:^\s*#[^\n]*| # [^\n]*)", re.DOTALL)
_STRINGS = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`")
_SPECIFIER = re.compile(
    r"(?:\b(?:import|export)\b[^;'\"\n]{0,300}?\bfrom\s*|\bimport\s*|\bimport\s*\(\s*)"
    r"['\"](\.{1,2}/[^'\"\n]+|\.{1,2})['\"]"
)
_DEFINED = re.compile(
    r"\b(?:def|function|func|fn|fun|sub)\s+\*?\s*([A-Za-z_]\w*)"
    r"|\b(?:const|let|var|val|mut)\s+([A-Za-z_]\w*)"
    r"|(?:^|\n)[ \t]*(?:self\.|this\.)?([A-Za-z_]\w*)[ \t]*"
    r"(?::[ \t]*[\w\[\], .|]+)?(?<![=!<>])=(?!=)"
)
_PARAMETERS = re.compile(r"\b(?:def|function|func|fn|fun)\s+\w*\s*\(([^()\n]{0,300})\)")
_PARAMETER = re.compile(r"(?:^|,)\s*\*{0,2}([A-Za-z_]\w*)")
_SNAKE = re.compile(r"_*[a-z0-9]+(?:_[a-z0-9]+)+_*")
_CAMEL = re.compile(r"_*[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+")
_SAID = {
    "esm-relative-with-js-extension": "relative imports carry the .js extension",
    "esm-relative-without-extension": "relative imports carry no extension",
    "snake_case": "names are written in snake_case",
    "camelCase": "names are written in camelCase",
    "tabs": "blocks are indented with tabs",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Written:
    path: str
    text: str

    @property
    def ending(self) -> str:
        """The last extension in lower case, '' for none."""
        return PurePosixPath(self.path.replace("\\", "/")).suffix.lower()


def statement_of(kind: str, value: str) -> str:
    """A convention as a sentence that names its value."""
    if kind == "file_extension":
        return f"writes {value} files"
    said = _SAID.get(value, f"blocks are indented with {value}")
    return said if value in said else f"{said} ({value})"


def conventions(session: Session, *, naming_share: float = LEAST_SHARE) -> Iterator[Sighting]:
    """What the files that were written in a session have in common, by kind.

    naming_share  share of its names that makes a convention
    """
    written = [w for turn in session.turns for call in turn.calls for w in _written_files(call)]
    endings = dict.fromkeys(w.ending for w in written if w.ending)
    for ending in sorted(endings):
        paths = [w.path for w in written if w.ending == ending]
        yield _sighting(session, "file_extension", ending, paths[0])
    code = [w for w in written if w.ending.lstrip(".") in _CODE or not w.ending]
    for kind, found in (
        ("import_style", _imports(code)),
        ("naming", _naming(code, naming_share)),
        ("indentation", _indentation(code)),
    ):
        if found is not None:
            yield _sighting(session, kind, found[0], found[1])


def _sighting(session: Session, kind: str, value: str, quote: str) -> Sighting:
    return Sighting(
        category="convention",
        session=session.id,
        at=session.at,
        quote=quote,
        statement=statement_of(kind, value),
        value=value,
        kind=kind,
    )


def _written_files(call: Call) -> Iterator[_Written]:
    """The files that a call writes; none of a call that reads or runs."""
    if not _WRITING.search(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", call.name).lower()):
        return
    try:
        given = json.loads(call.input)
    except (ValueError, RecursionError):
        return
    if not isinstance(given, dict):
        return
    path = next((given[key] for key in _PATHS if isinstance(given.get(key), str)), "")
    parts = [given, *(edit for edit in _edits(given) if isinstance(edit, dict))]
    texts = [
        part[key]
        for part in parts
        for key in (*_TEXTS, *_MORE_TEXTS)
        if isinstance(part.get(key), str)
    ]
    if path or texts:
        yield _Written(path=path, text="\n".join(texts))


def _edits(given: dict[str, Any]) -> Sequence[Any]:
    found = given.get("edits") or given.get("changes") or ()
    return found if isinstance(found, list) else ()


def _imports(written: Sequence[_Written]) -> tuple[str, str] | None:
    """How relative modules are named: with `.js`, or without an ending."""
    counted: Counter[str] = Counter()
    quotes: dict[str, str] = {}
    for file in written:
        if file.ending and file.ending.lstrip(".") not in _SCRIPT:
            continue
        # A comment that mentions `./bundle.js` is no import (algorithms.md 4.5).
        for found in _SPECIFIER.finditer(_COMMENTS.sub(" ", file.text)):
            ending = PurePosixPath(found[1]).suffix
            style = {".js": "esm-relative-with-js-extension", "": "esm-relative-without-extension"}
            if ending in style:
                counted[style[ending]] += 1
                quotes.setdefault(style[ending], found[0])
    return _leading(counted, quotes, least=1)


def _naming(written: Sequence[_Written], share: float) -> tuple[str, str] | None:
    """snake_case or camelCase of what is defined; names of one word say nothing."""
    counted: Counter[str] = Counter()
    quotes: dict[str, str] = {}
    for file in written:
        text = _STRINGS.sub("''", _COMMENTS.sub(" ", file.text))
        names = [name for found in _DEFINED.finditer(text) for name in found.groups() if name]
        for parameters in _PARAMETERS.finditer(text):
            names += _PARAMETER.findall(parameters[1])
        for name in dict.fromkeys(names):
            for style, shape in (("snake_case", _SNAKE), ("camelCase", _CAMEL)):
                if shape.fullmatch(name):
                    counted[style] += 1
                    quotes.setdefault(style, name)
    return _leading(counted, quotes, least=LEAST_SEEN, share=share)


def _indentation(written: Sequence[_Written]) -> tuple[str, str] | None:
    """Tabs, or the width of a step in spaces."""
    counted: Counter[str] = Counter()
    quotes: dict[str, str] = {}
    for file in written:
        before = 0
        for line in file.text.splitlines():
            bare = line.lstrip(" \t")
            if not bare:
                continue
            blank = line[: len(line) - len(bare)]
            if blank.startswith("\t"):
                counted["tabs"] += 1
                quotes.setdefault("tabs", line.strip())
            # Any other step is a line that is aligned with something above it.
            elif len(blank) > before and len(blank) - before in (2, 4, 8):
                style = f"{len(blank) - before} spaces"
                counted[style] += 1
                quotes.setdefault(style, line.strip())
            before = len(blank) if "\t" not in blank else 0
    return _leading(counted, quotes, least=LEAST_SEEN)


def _leading(
    counted: Counter[str], quotes: dict[str, str], *, least: int, share: float = LEAST_SHARE
) -> tuple[str, str] | None:
    """The style that at least this share follows, of at least so many; None: none does."""
    total = sum(counted.values())
    if total < least:
        return None
    style, count = min(counted.items(), key=lambda pair: (-pair[1], pair[0]))
    return (style, quotes[style]) if count >= share * total else None


# Sequences of tools that come back over sessions (algorithms 4.1).

LENGTHS = (2, 3, 4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sequenced:
    """Tools that were called one right after the other, and the sessions where."""

    ngram: tuple[str, ...]
    sessions: tuple[str, ...]  # in the order in which they were given
    closed: bool  # no longer sequence of the same sessions holds it


def tool_sequences(
    called: Mapping[str, Sequence[str]],
    *,
    least_sessions: int = 2,
    lengths: Sequence[int] = LENGTHS,
) -> tuple[Sequenced, ...]:
    """Contiguous sequences of tools, each counted once a session, short ones first.

    called   the names of tools by session, in order; nothing is joined across sessions
    lengths  tools in a sequence, each from 2; (): nothing is looked for
    """
    seen: dict[tuple[str, ...], list[str]] = {}
    for session, names in called.items():
        inside = {
            tuple(names[start : start + length])
            for length in lengths
            for start in range(len(names) - length + 1)
        }
        for ngram in inside:
            seen.setdefault(ngram, []).append(session)
    often = {ngram: sessions for ngram, sessions in seen.items() if len(sessions) >= least_sessions}
    covered = {
        shorter
        for ngram, sessions in often.items()
        for length in lengths
        for start in range(len(ngram) - length + 1)
        if length < len(ngram) and often[shorter := ngram[start : start + length]] == sessions
    }
    return tuple(
        Sequenced(ngram=ngram, sessions=tuple(often[ngram]), closed=ngram not in covered)
        for ngram in sorted(often, key=lambda names: (len(names), names))
    )
