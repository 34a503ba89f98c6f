"""What a note's bytes come to: keys, body, problems; and when a note is only searched.

The YAML parser is handed in by storage/notes/frontmatter/__init__.py, the one module that knows it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from collections.abc import Mapping as Values
from pathlib import PurePosixPath

from vaultmem.base import dataclass, late, replace
from vaultmem.model import Problem, Severity
from vaultmem.storage.files import looks_foreign, read_foreign
from vaultmem.storage.notes.frontmatter import yaml
from vaultmem.storage.notes.frontmatter.fast import read_values
from vaultmem.storage.notes.frontmatter.yaml import (
    Listing,
    Mapping,
    Refusal,
    Scalar,
    Value,
    texts,
    value_of,
)
from vaultmem.storage.notes.markdown import BOX, FIELD_BOX, Parts, lines, looks_unclosed, split

Parse = Callable[[str], Mapping | Refusal]

# An unquoted value, list element or line that begins with a placeholder of Obsidian's templates
# or of Templater; and, also in quotes, one in a key that a real note fills.
_PLACEHOLDER = late(
    r"^(?:[^\n\"'#]*?[:\-][ \t]+|[ \t]*)(?:\{\{|<%)"
    r"|^(?:id|kind|title|status|valid_from|date|created):[ \t]+[\"']?(?:\{\{|<%)",
    re.MULTILINE,
)
_UNSURE = frozenset(["bad-yaml", "complex-key", "duplicate-key"])  # what templates run into
_COMMENT_VALUE = late(r"[ \t]+#[^\s#]")
_EMPTY_LINE = late(r"^[ \t\r]*$\n", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontMatter:
    """What a note's bytes say: its keys as text, its body, and what is wrong with it."""

    values: Values[str, Value]  # in the order of the file; empty when there are none
    body: str  # the text below the front matter; of a quarantined note: what can be searched
    body_line: int = 1  # 1-based line of the file on which the body begins
    block: str = ""
    problems: tuple[Problem, ...] = ()
    quarantined: bool = False  # not understood: never edited, only searched
    is_template: bool = False  # holds unfilled {{placeholders}} or <% commands %>
    is_text: bool = True  # False: binary, there is no body
    is_exact: bool = True  # False: the body holds bytes that are not UTF-8, here U+FFFD

    def line(self, key: str) -> int | None:
        """The 1-based line of the file on which a key stands."""
        pattern = rf"^[ \t]*[\"']?{re.escape(key)}[\"']?[ \t]*:"
        found = re.search(pattern, self.block, re.MULTILINE)
        return 2 + self.block.count("\n", 0, found.start()) if found else None


def read_slowly(data: bytes, path: PurePosixPath, parse: Parse) -> FrontMatter:
    """The front matter and body of any bytes; never fails."""
    parts = split(data)
    oversize = yaml.too_large(len(parts.block))
    if oversize is not None:
        # As many blank lines keep the line numbers of the body true; nothing of the block is
        # decoded.
        parts = replace(parts, block=b"\n" * parts.block.count(b"\n"))
    try:
        block, body = parts.block.decode(), parts.body.decode()
    except UnicodeDecodeError:
        return _read_foreign(data, parts, path, parse)
    if "\0" in body and looks_foreign(data):
        return _read_foreign(data, parts, path, parse)
    front = FrontMatter(values={}, body=body, body_line=_body_line(parts), block=block)
    front = replace(front, problems=body_problems(body, front.body_line, path))
    if oversize is not None:
        return _quarantine(front, parts, oversize, path)
    return _with_values(front, parts, path, parse)


def body_problems(body: str, body_line: int, path: PurePosixPath) -> tuple[Problem, ...]:
    """Warnings about a body: unresolved conflicts of a merge, boxes of ours, NUL characters."""
    problems: list[Problem] = []
    if "<<<<<<< " in body:
        problems += _conflict(body, body_line, path)
    if "[!conflict]" in body:
        problems += _boxes(body, body_line, path)
    if "\0" in body:
        problems.append(
            Problem(
                path=path,
                code="nul-in-body",
                message="the text holds a NUL character",
                line=body_line + body.count("\n", 0, body.index("\0")),
                hint="delete the character; editors may cut the note there",
                severity=Severity.WARNING,
            )
        )
    return tuple(problems)


def _with_values(
    front: FrontMatter, parts: Parts, path: PurePosixPath, parse: Parse
) -> FrontMatter:
    """The note with its keys read."""
    if not parts.opening:
        return _without_block(front, parts, path)
    block = front.block
    quick = read_values(block.replace("\r\n", "\n"))
    if quick is not None:
        return replace(front, values=quick)
    root = parse(block)
    has_marks = ("{{" in block or "<%" in block) and _PLACEHOLDER.search(block) is not None
    if isinstance(root, Refusal):
        if has_marks and root.code in _UNSURE:
            return _template(front, path)
        return _quarantine(front, parts, root, path)
    values = {key.text: value_of(node, block) for key, node in texts(root)}
    problems = front.problems + _swallowed_values(root, block, path)
    front = replace(front, values=values, problems=problems)
    return _template(front, path) if has_marks else front


def _without_block(front: FrontMatter, parts: Parts, path: PurePosixPath) -> FrontMatter:
    if not looks_unclosed(parts):
        return front
    problem = Problem(
        path=path,
        code="unclosed-front-matter",
        message="front matter begins but does not end, so all of it is read as text",
        line=1,
        hint="put a line --- below the last key",
        severity=Severity.WARNING,
    )
    return replace(front, problems=(problem, *front.problems))


def _template(front: FrontMatter, path: PurePosixPath) -> FrontMatter:
    problem = Problem(
        path=path,
        code="template",
        message="a template with unfilled placeholders, not a note of its own",
        hint="fill in the placeholders to make it one",
        severity=Severity.INFO,
    )
    return replace(front, is_template=True, problems=(*front.problems, problem))


def _quarantine(
    front: FrontMatter, parts: Parts, refusal: Refusal, path: PurePosixPath
) -> FrontMatter:
    """A quarantined note. Prose that the fences took in by mistake stays searchable."""
    offset = refusal.offset
    problem = Problem(
        path=path,
        code=refusal.code,
        message=refusal.message,
        line=1 if offset is None else 2 + front.block.count("\n", 0, offset),
        hint=refusal.hint,
    )
    front = replace(front, quarantined=True, problems=(problem, *front.problems))
    # A rule `---` above prose looks like a fence, and what follows is no YAML. An empty line in it
    # tells prose from a slip in front matter.
    is_prose = refusal.code == "not-a-mapping" or (
        refusal.code == "bad-yaml" and _EMPTY_LINE.search(front.block) is not None
    )
    if not is_prose:
        return front
    return replace(front, body=front.block + parts.closing.decode() + front.body, body_line=2)


def _read_foreign(data: bytes, parts: Parts, path: PurePosixPath, parse: Parse) -> FrontMatter:
    """A note whose bytes are not UTF-8: with sound front matter its body is patched up."""
    foreign = read_foreign(data)
    if foreign.name not in ("binary", "UTF-16") and parts.opening:
        front = _read_broken_body(parts, path, parse)
        if front is not None:
            return front
    is_text = foreign.name != "binary"
    what = f"{foreign.name} text, not UTF-8" if is_text else "a binary file, not a note"
    hint = "save it as UTF-8 in your editor" if is_text else "move it to an attachments folder"
    problem = Problem(path=path, code="not-utf8", message=f"this is {what}", hint=hint)
    return FrontMatter(
        values={},
        body=foreign.text,
        problems=(problem,),
        quarantined=True,
        is_text=is_text,
        is_exact=False,
    )


def _read_broken_body(parts: Parts, path: PurePosixPath, parse: Parse) -> FrontMatter | None:
    """A note with invalid bytes only in its body; None if they are in the front matter too."""
    try:
        block = parts.block.decode()
    except UnicodeDecodeError:
        return None
    try:
        parts.body.decode()
        place = 0
    except UnicodeDecodeError as error:
        place = error.start
    body_line = _body_line(parts)
    problem = Problem(
        path=path,
        code="not-utf8",
        message="the text holds bytes that are not UTF-8; it is searched but not edited",
        line=body_line + parts.body.count(b"\n", 0, place),
        hint="save it as UTF-8 in your editor",
        severity=Severity.WARNING,
    )
    body = parts.body.decode("utf-8", "replace")
    problems = (problem, *body_problems(body, body_line, path))
    front = FrontMatter(
        values={}, body=body, body_line=body_line, block=block, problems=problems, is_exact=False
    )
    return _with_values(front, parts, path, parse)


def _swallowed_values(root: Mapping, block: str, path: PurePosixPath) -> tuple[Problem, ...]:
    """Warnings for `tags: #a #b`, which YAML reads as a key without a value and a comment."""
    problems: list[Problem] = []
    for key, node in texts(root):
        empty = [node, *node.items] if isinstance(node, Listing) else [node]
        for place in (item.end for item in empty if isinstance(item, Scalar) and item.is_null):
            if _COMMENT_VALUE.match(block, place):
                problems.append(
                    Problem(
                        path=path,
                        code="value-is-comment",
                        message=f"the value of '{key.text}' begins with '#', "
                        "which YAML takes for a comment",
                        line=2 + block.count("\n", 0, place),
                        hint="leave out the # or put the value in quotes",
                        severity=Severity.WARNING,
                    )
                )
    return tuple(problems)


def _boxes(body: str, body_line: int, path: PurePosixPath) -> list[Problem]:
    """One for each box that merging left for the person to decide."""
    return [
        Problem(
            path=path,
            code="conflict-box",
            message="two devices changed this differently: the box shows the other version",
            line=body_line + line.number - 1,
            hint="keep what is right, then delete the box",
            severity=Severity.WARNING,
        )
        for line in lines(body)
        if line.text in (BOX, FIELD_BOX) and not line.hidden
    ]


def _conflict(body: str, body_line: int, path: PurePosixPath) -> list[Problem]:
    """A warning where a merge left both sides, outside of code."""
    opened = 0
    for line in lines(body):
        if not line.hidden and line.text.startswith("<<<<<<< "):
            opened = opened or line.number
        elif opened and not line.hidden and line.text.startswith(">>>>>>> "):
            return [
                Problem(
                    path=path,
                    code="conflict-in-body",
                    message="the text holds an unresolved conflict of a merge",
                    line=body_line + opened - 1,
                    hint="keep one side and delete the lines with <<<<<<<, ======= and >>>>>>>",
                    severity=Severity.WARNING,
                )
            ]
    return []


def _body_line(parts: Parts) -> int:
    return 1 + sum(part.count(b"\n") for part in (parts.opening, parts.block, parts.closing))
