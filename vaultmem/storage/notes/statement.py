"""The statement of an item note, its first paragraph: read, written and replaced.

A statement that Markdown (or we) would take for something else, such as '# not a heading', is
written behind a backslash, which is not part of it.
"""

from __future__ import annotations

from vaultmem.base.errors import PatchRefusedError
from vaultmem.base.patterns import late
from vaultmem.storage.notes.frontmatter.fences import split
from vaultmem.storage.notes.markdown import statement_span

_MARK = r"[-*+>#`~%<]"
_ESCAPED_START = late(rf"\\(?=\\*{_MARK})")
_ESCAPED_END = late(r"(?<=\s)\\(?=\\*\^[A-Za-z0-9-]+\Z)")
_NEEDS_ESCAPE = late(
    rf"[-*+]\s|\#{{1,6}}(?:\s|\Z)|>|```|~~~|%%|<!--|\\+{_MARK}",
)
_END_NEEDS_ESCAPE = late(r"(?<=\s)(?=\\*\^[A-Za-z0-9-]+\Z)")


def read_statement(body: str) -> str:
    """The first paragraph of a body as one line; '' when there is none."""
    bare = body.strip()
    if bare[:1].isalnum() and "\n" not in bare and "^" not in bare and "  " not in bare:
        return bare if "\t" not in bare else " ".join(bare.split())
    start, end = statement_span(body)
    text = " ".join(body[start:end].split())
    if text.startswith("\\") and _ESCAPED_START.match(text):
        text = text[1:]
    return _ESCAPED_END.sub("", text) if "\\^" in text else text


def written(statement: str) -> str:
    """The line of Markdown that `read_statement` reads as this statement."""
    text = " ".join(statement.split())
    if _NEEDS_ESCAPE.match(text):
        text = "\\" + text
    return _END_NEEDS_ESCAPE.sub(r"\\", text) if "^" in text else text


def replace_statement(data: bytes, statement: str) -> bytes:
    """The note with another first paragraph; front matter and the rest stay as they are.

    Raises PatchRefusedError when the note is not UTF-8 or the new text would not be read back.
    """
    parts = split(data)
    try:
        body = parts.body.decode()
    except UnicodeDecodeError as error:
        raise PatchRefusedError(
            "the note is not UTF-8", hint="save it as UTF-8 in your editor"
        ) from error
    wanted = " ".join(statement.split())
    if read_statement(body) == wanted:
        return data
    start, end = statement_span(body)
    if start == end:
        above = (parts.closing + parts.body).decode()
        eol = parts.eol.decode()
        gap = "" if not above or above.endswith("\n") else eol
        gap += eol if above.strip() and not body else ""
        after = body + gap + written(wanted) + eol
    else:
        after = body[:start] + written(wanted) + body[end:]
    if read_statement(after) != wanted or not wanted:
        raise PatchRefusedError(
            f"the note cannot state {wanted[:60]!r}", hint="change it in an editor"
        )
    return data[: len(data) - len(parts.body)] + after.encode()
