"""Front matter as we write it: YAML that Obsidian and PyYAML read back as the same text.

Plain where that is safe, double-quoted otherwise. Only booleans, numbers and dates stay
unquoted although YAML gives them a type: that is what makes them check boxes, numbers and dates
in Obsidian's Properties.

Keys of a block are changed by span: what is not a changed value stays as it is. Text in, text out:
the caller reads the result again and compares (`patch`), so a mistake here is a refused edit and
never a damaged note.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from collections.abc import Mapping as Values
from functools import lru_cache
from itertools import pairwise

from vaultmem import language
from vaultmem.base import BadInputError, PatchRefusedError, late
from vaultmem.storage.files import looks_foreign, read_foreign
from vaultmem.storage.notes.frontmatter.yaml import (
    Listing,
    Mapping,
    Node,
    Opaque,
    Refusal,
    Scalar,
    Value,
    is_link,
    meaning,
    texts,
    too_large,
    value_of,
)
from vaultmem.storage.notes.markdown import Parts, looks_unclosed, split

TRUE_WORDS = frozenset(["true", "yes", "on", "1"])
FALSE_WORDS = frozenset(["false", "no", "off", "0"])

Given = str | tuple[str, ...] | bool | int | float | None
"""What a caller may set a key to; None means no such key."""

# Words that some YAML reader (1.1 or 1.2, any case) takes for a boolean or for nothing.
_RESERVED = frozenset(["true", "false", "yes", "no", "on", "off", "y", "n", "null", "none"])
_PLAIN = late(r"[^\W_](?:[^:#{}<>\[\]`\\|]|:(?=[\w/])|(?<=[\w/])\#)*")
_TYPED = late(
    r"-?(?:0|[1-9]\d{0,15})(?:\.\d{1,15})?|true|false|\d{4}-\d\d-\d\d [0-2]\d:\d\d(?::\d\d)?"
)
_REMEMBERED = 32  # characters: dates, kinds and names stand in every note of a long list
_KEY = late(r"[^\W\d][\w-]{0,63}(?: [\w-]{1,40}){0,8}")
_FLOW_WORD = late(r"[^\W\d_][\w/-]*")
# The date and date-time forms of Obsidian and of language.time.format_instant.
_DATE = late(
    r"(\d{4})-(\d\d)-(\d\d)(?:T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3})?"
    r"(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)?)?"
)
_ESCAPED = late(r"[\"\\\x00-\x1f\x7f-\x9f]")
_ESCAPED_BEYOND = "\u2028\u2029\ufeff\ufffe\uffff"
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}


def render(fields: Values[str, Given]) -> str:
    """A whole block with its fences, LF line ends, keys in the given order; None is left out."""
    lines = [line for key, value in fields.items() for line in key_lines(key, value)]
    return "".join(f"{line}\n" for line in ("---", *lines, "---"))


def key_lines(key: str, value: Given, *, indent: str = "  ") -> list[str]:
    """The lines of one key without line ends: one, and one more for each element of a list.

    indent  spaces before the dash of a list
    """
    name = key if is_plain_key(key) else double_quoted(key)
    if value is None:
        return []
    if not isinstance(value, tuple):
        return [f"{name}: {scalar(value)}"]
    if not value:
        return [f"{name}: []"]
    return [f"{name}:", *(f"{indent}- {scalar(element)}" for element in value)]


def scalar(value: str | bool | int | float, *, quote: str = "", typed: bool = False) -> str:
    """A value as one line of YAML in block context.

    quote  '"' or "'" asks for that style where plain would do
    typed  a text that is a number, true or false stays plain, as what it replaces was
    """
    if isinstance(value, str):
        if typed and _TYPED.fullmatch(value):
            return value
        if quote == "'" and value.isprintable():
            return single_quoted(value)
        return value if not quote and _may_be_plain(value) else double_quoted(value)
    return source_text(value)


def source_text(value: str | bool | int | float) -> str:
    """The text that a value is read back as."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _decimal(value)
    return str(value)


def flow_word(value: str) -> str:
    """An element of a `[a, b]` list."""
    if _FLOW_WORD.fullmatch(value) and value.casefold() not in _RESERVED:
        return value
    return double_quoted(value)


def double_quoted(text: str) -> str:
    """The text between double quotes; every character survives.

    Raises BadInputError for lone surrogates, which no UTF-8 file can hold.
    """
    escaped = _ESCAPED.sub(_escape, text)
    if not text.isascii():
        _require_encodable(text)
        for mark in _ESCAPED_BEYOND:
            escaped = escaped.replace(mark, f"\\u{ord(mark):04x}")
    return f'"{escaped}"'


def _require_encodable(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise BadInputError(
            f"the text {text[:40]!r} holds half a character (a lone surrogate)",
            hint="send the text as valid Unicode",
        ) from error


def single_quoted(text: str) -> str:
    """The text between single quotes; it must not hold line ends or controls."""
    return "'" + text.replace("'", "''") + "'"


def is_plain(text: str) -> bool:
    """Whether the text may stand unquoted: no reader takes it for anything but this text.

    Dates that exist are the exception (see above). `{{` and `<%` are quoted, so that a
    remembered template is not one.
    """
    if _DATE.match(text):
        return is_date(text)
    if not _PLAIN.fullmatch(text) or not text.isprintable() or text.endswith(" "):
        return False
    if text.casefold() in _RESERVED:
        return False
    # 12, 1_000, 0o10, 1e5, 12:30:45, 1.2.3 are quoted; '3 apples' needs no quotes.
    return not text[0].isnumeric() or any(word.isalpha() for word in text.split(" ")[1:])


def _may_be_plain(text: str) -> bool:
    return (_is_plain_word if len(text) <= _REMEMBERED else is_plain)(text)


_is_plain_word = lru_cache(maxsize=256)(is_plain)


@lru_cache(maxsize=256)
def is_plain_key(text: str) -> bool:
    """Whether a key may stand unquoted."""
    return bool(_KEY.fullmatch(text)) and text.casefold() not in _RESERVED


def is_date(text: str) -> bool:
    """Whether the text is a date or date-time of a day that exists, as we write them."""
    found = _DATE.fullmatch(text)
    if found is None or not text.isascii():
        return False
    return language.read_instant(text) is not None


def _escape(found: re.Match[str]) -> str:
    return _SHORT.get(found[0]) or f"\\x{ord(found[0]):02x}"


def _decimal(value: float) -> str:
    """0.7, 1.0, 0.0000001: never an exponent, which YAML readers disagree about."""
    if value != value or value in (float("inf"), float("-inf")):
        raise BadInputError(f"{value} is not a number that front matter can hold")
    text = repr(value)
    if "e" not in text:
        return text
    fixed = f"{value:.20f}".rstrip("0")
    return fixed + "0" if fixed.endswith(".") else fixed


_NUMBER = late(r"[+-]?\d{1,18}(?:\.\d{0,18})?")
_Edit = tuple[int, int, str]  # replace [start, end) by text


def set_keys(block: str, root: Mapping, changes: Values[str, Given], *, eol: str) -> str:
    """The block with these keys set (None: deleted); new keys come last, in the order given.

    block  lines between the fences, each with its line end
    raises PatchRefusedError for a value that cannot be replaced without loss
    """
    edits: list[_Edit] = []
    added: list[str] = []
    present = {key.text: (key, node) for key, node in texts(root)}
    for name, wanted in changes.items():
        if name not in present:
            added += key_lines(name, wanted, indent=_dash_indent(block, root))
            continue
        key, node = present[name]
        if wanted is None:
            edits += _deletion(block, key, node)
        elif not says(value_of(node, block), wanted):
            _require_own_lines(block, key)
            edits += _replacement(block, key, node, wanted, eol)
    # A block whose keys all stand behind blanks gets its new keys behind as many
    # (tests/storage/notes/test_patch.py::test_an_indented_block_gains_indented_keys).
    margin = " " * _column(block, root.pairs[0][0].start) if root.pairs else ""
    return _apply_edits(block, edits) + "".join(f"{margin}{line}{eol}" for line in added)


def says(value: Value, wanted: Given) -> bool:
    """Whether a key already holds what it is to be set to, however it is spelled."""
    if isinstance(wanted, str | tuple) or wanted is None or not isinstance(value, str):
        return value == wanted and isinstance(value, str) == isinstance(wanted, str)
    if isinstance(wanted, bool):
        return value.casefold() in (TRUE_WORDS if wanted else FALSE_WORDS)
    return _NUMBER.fullmatch(value) is not None and float(value) == float(wanted)


def _replacement(block: str, key: Scalar, node: Node, wanted: Given, eol: str) -> list[_Edit]:
    """Edits that give an existing key another value."""
    kept = wanted if isinstance(wanted, tuple) else ()
    if _would_lose(block, node, kept):
        raise PatchRefusedError(
            f"'{key.text}' holds a nested value that would be lost",
            line=_line(block, key.start),
            hint="change it in an editor",
        )
    if isinstance(node, Listing) and not is_link(node, block):
        if not node.flow and kept:
            return _changed_elements(block, node, kept, eol)
        if node.flow and isinstance(wanted, tuple):
            return [(node.start, node.end, _flow(block, node, wanted))]
        if not node.flow:
            colon = block.index(":", key.end) + 1
            return [(colon, colon, " " + _inline(wanted)), *_element_lines(block, node)]
    if kept:
        after = _line_end(block, node.end)
        lines = key_lines("k", kept, indent=_indent_of(block, key) + "  ")[1:]
        colon = block.index(":", key.end) + 1
        return [(colon, node.end, ""), (after, after, "".join(line + eol for line in lines))]
    if node.start == node.end:
        return [(node.start, node.start, " " + _inline(wanted))]
    style = node.style if isinstance(node, Scalar) else ""
    quote = style if style in ("'", '"') else ""
    return [(node.start, node.end, _inline(wanted, quote=quote, typed=not style))]


def _inline(wanted: Given, *, quote: str = "", typed: bool = False) -> str:
    """A value on the line of its key; a tuple here is always an empty one."""
    if isinstance(wanted, tuple) or wanted is None:
        return "[]"
    return scalar(wanted, quote=quote, typed=typed)


def _would_lose(block: str, node: Node, kept: Sequence[str]) -> bool:
    value = value_of(node, block)
    nested = [value] if isinstance(value, Opaque) else []
    if isinstance(value, tuple):
        nested = [element for element in value if isinstance(element, Opaque)]
    if isinstance(node, Listing) and node.flow and "\n" in block[node.start : node.end]:
        return "#" in block[node.start : node.end]  # perhaps a comment
    return any(element not in kept for element in nested)


def _changed_elements(block: str, node: Listing, wanted: tuple[str, ...], eol: str) -> list[_Edit]:
    """Edits of a block list: lines of elements that stay are not touched, nor are comments."""
    value = value_of(node, block)
    old = value if isinstance(value, tuple) else ()
    first = 0
    while first < min(len(old), len(wanted)) and old[first] == wanted[first]:
        first += 1
    last = 0
    while last < min(len(old), len(wanted)) - first and old[-1 - last] == wanted[-1 - last]:
        last += 1
    lines = _element_lines(block, node)
    fresh = wanted[first : len(wanted) - last]
    margin = " " * _column(block, node.start)
    quote = '"' if all(isinstance(i, Scalar) and i.style == '"' for i in node.items) else ""
    text = "".join(f"{margin}- {scalar(element, quote=quote)}{eol}" for element in fresh)
    place = lines[first - 1][1] if first else lines[0][0]
    return [(place, place, text), *lines[first : len(lines) - last]]


def _element_lines(block: str, node: Listing) -> list[_Edit]:
    """For each element of a block list, the edit that takes its lines away."""
    column = _column(block, node.start)
    edits: list[_Edit] = []
    for item in node.items:
        start = _line_start(block, item.start)
        while block[start : start + column].strip(" ") or block[start + column] != "-":
            if start == 0:
                raise _unsafe_layout_error(block, item)
            start = _line_start(block, start - 1)
        edits.append((start, _line_end(block, item.end), ""))
    if any(before[1] > after[0] for before, after in pairwise(edits)):
        raise _unsafe_layout_error(block, node)
    return edits


def _flow(block: str, node: Listing, wanted: tuple[str, ...]) -> str:
    """A `[a, b]` list with these elements; those that were there keep their spelling."""
    value = value_of(node, block)
    old = value if isinstance(value, tuple) else ()
    spelled = {
        text: block[item.start : item.end] for text, item in zip(old, node.items, strict=True)
    }
    return "[" + ", ".join(spelled.get(text) or flow_word(text) for text in wanted) + "]"


def _deletion(block: str, key: Scalar, node: Node) -> list[_Edit]:
    """Edits that take a key's lines away; comment lines between list elements stay."""
    _require_own_lines(block, key)
    start = _line_start(block, key.start)
    if isinstance(node, Listing) and not node.flow:
        return [(start, _line_end(block, key.end), ""), *_element_lines(block, node)]
    return [(start, _line_end(block, max(key.end, node.end)), "")]


def _require_own_lines(block: str, key: Scalar) -> None:
    """Refuses keys that share their line with something else, such as `? key`."""
    if block[_line_start(block, key.start) : key.start].strip(" "):
        raise _unsafe_layout_error(block, key)


def _unsafe_layout_error(block: str, node: Node) -> PatchRefusedError:
    return PatchRefusedError(
        "front matter is written in a way that cannot be changed safely",
        line=_line(block, node.start),
        hint="write one 'key: value' a line",
    )


def _dash_indent(block: str, root: Mapping) -> str:
    """How this block indents its lists relative to their keys; two spaces if it has none."""
    for key, node in root.pairs:
        if isinstance(node, Listing) and not node.flow:
            return " " * (_column(block, node.start) - _column(block, key.start))
    return "  "


def _indent_of(block: str, key: Scalar) -> str:
    return " " * _column(block, key.start)


def _apply_edits(block: str, edits: list[_Edit]) -> str:
    pieces: list[str] = []
    place = 0
    for start, end, text in sorted(edits, key=lambda edit: edit[:2]):
        pieces += [block[place:start], text]
        place = end
    return "".join([*pieces, block[place:]])


def _column(block: str, offset: int) -> int:
    return offset - _line_start(block, offset)


def _line_start(block: str, offset: int) -> int:
    return block.rfind("\n", 0, offset) + 1


def _line_end(block: str, offset: int) -> int:
    """The offset just after the line end that follows."""
    return block.find("\n", offset) + 1 or len(block)


def _line(block: str, offset: int) -> int:
    """The 1-based line of the file; the block begins on line 2."""
    return block.count("\n", 0, offset) + 2


# Setting and deleting keys of a note's front matter, with proof that nothing else changed.
#
# The reader is handed in by `frontmatter`, the one module that knows a YAML parser.

Compose = Callable[[str], Mapping | Refusal]


def patch_front_matter(data: bytes, changes: Values[str, Given], compose: Compose) -> bytes:
    """The note with these keys set, or deleted where None; see `frontmatter.patch`."""
    _require_utf8(data)
    parts = split(data)
    if not parts.opening:
        return _with_block(parts, changes)
    _require_small(parts.block)
    before = parts.block.decode()
    # Offsets are easier in LF; a block that is CRLF throughout goes back to it unchanged.
    is_crlf = before.count("\r\n") == before.count("\n") == before.count("\r") > 0
    block = before.replace("\r\n", "\n") if is_crlf else before
    root = _require_read(compose(block), block)
    if root.flow:
        raise PatchRefusedError(
            "front matter in braces { } cannot be changed without rewriting it",
            line=2,
            hint="write one 'key: value' a line",
        )
    eol = parts.eol.decode()
    after = set_keys(block, root, changes, eol="\n" if is_crlf else eol)
    if after == block:
        return data
    if not block and parts.body.startswith(parts.eol):
        after = _mark_block(after, compose(after))
    # Of 376 notes of real people a key is added to and taken out of 375 without a byte's
    # difference; one, in braces, is refused.
    _require_only(changes, (block, root), (after, compose(after)))
    final = (after.replace("\n", "\r\n") if is_crlf else after).encode()
    _require_small(final)
    return _replace_block(parts, final, drops=not _is_marked(block, root))


def _with_block(parts: Parts, changes: Values[str, Given]) -> bytes:
    """A note without front matter, with a block and one blank line put above its body."""
    if looks_unclosed(parts):
        raise PatchRefusedError(
            "front matter begins but does not end",
            line=1,
            hint="put a line --- below the last key",
        )
    eol = parts.eol.decode()
    lines = [line for key, value in changes.items() for line in key_lines(key, value)]
    if not lines:
        return parts.bom + parts.body
    block = "".join(f"{line}{eol}" for line in ("---", *lines, "---", "")).encode()
    _require_small(block)
    return parts.bom + block + parts.body


def _replace_block(parts: Parts, block: bytes, *, drops: bool) -> bytes:
    """The note with its new block; an empty one goes with its blank line if it was ours."""
    if drops and not block and parts.body.startswith(parts.eol):
        bare = parts.bom + parts.body[len(parts.eol) :]
        # Without the blank line the body itself might begin with a fence, and be read as front
        # matter.
        if not split(bare).opening:
            return bare
    result = parts.with_block(block)
    if split(result).block != block:
        raise PatchRefusedError("the change would move the end of the front matter", line=2)
    return result


def _mark_block(block: str, root: Mapping | Refusal) -> str:
    """The block with a second space after its first colon.

    It tells an empty block that the person had from one that `_with_block` made, so that
    deleting a key that was added gives the same bytes in both cases.
    """
    if isinstance(root, Refusal) or not root.pairs:
        return block
    colon = block.index(":", root.pairs[0][0].end)
    return f"{block[: colon + 1]} {block[colon + 1 :]}"


def _is_marked(block: str, root: Mapping) -> bool:
    if not root.pairs:
        return True
    colon = block.index(":", root.pairs[0][0].end)
    return block[colon + 1 : colon + 3] in ("  ", " \n", " \r")


def _require_only(
    changes: Values[str, Given],
    before: tuple[str, Mapping],
    after: tuple[str, Mapping | Refusal],
) -> None:
    """Raises PatchRefusedError unless exactly the changed keys say something else."""
    block, found = after
    if isinstance(found, Refusal):
        line = None if found.offset is None else 2 + block.count("\n", 0, found.offset)
        raise _unsafe(f"it would not be read again: {found.message}", line)
    new = {key.text: value_of(node, block) for key, node in texts(found)}
    for name, wanted in changes.items():
        if wanted is None and name in new:
            raise _unsafe(f"'{name}' would not be gone", None)
        if wanted is not None and not says(new.get(name), wanted):
            raise _unsafe(f"'{name}' would be read differently", None)
    kept = [_unchanged_values(tree, changes) for tree in (before[1], found)]
    if kept[0] != kept[1]:
        raise _unsafe("another key would change", None)


def _unchanged_values(root: Mapping, changes: Values[str, Given]) -> list[tuple[object, object]]:
    """What the keys that are not to change say, in order."""
    return [(key.text, meaning(node)) for key, node in texts(root) if key.text not in changes]


def _unsafe(why: str, line: int | None) -> PatchRefusedError:
    return PatchRefusedError(
        f"front matter cannot be changed safely: {why}",
        line=line,
        hint="change it in an editor",
    )


def _require_read(root: Mapping | Refusal, block: str) -> Mapping:
    if isinstance(root, Refusal):
        line = 1 if root.offset is None else 2 + block.count("\n", 0, root.offset)
        raise PatchRefusedError(root.message, line=line, hint=root.hint)
    return root


def _require_small(block: bytes) -> None:
    refusal = too_large(len(block))
    if refusal is not None:
        raise PatchRefusedError(refusal.message, line=1, hint=refusal.hint)


def _require_utf8(data: bytes) -> None:
    """Raises PatchRefusedError for notes in another encoding, which are only searched."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        place = error.start
    else:
        if b"\0" not in data or not looks_foreign(data):
            return
        place = data.index(0)
    raise PatchRefusedError(
        f"the note is {read_foreign(data).name}, not UTF-8",
        line=data.count(b"\n", 0, place) + 1,
        hint="save it as UTF-8 in your editor",
    )
