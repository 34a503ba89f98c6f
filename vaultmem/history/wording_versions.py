"""What one version of a note changed against the one before it, as sentences."""

from __future__ import annotations

from collections.abc import Iterator

from vaultmem.language.time import format_minute
from vaultmem.model.history import Version
from vaultmem.model.ids import id_in_name

ELSEWHERE = "other text or fields of the note changed"
ITS_TEXT = "its text changed"
CAME_BACK = "came back"


def changes(before: Version | None, after: Version, zone: str) -> tuple[str, ...]:
    """Sentences without capital and full stop; at least one. `before` None: it is the first one."""
    if before is None:
        first = "known since before this history begins" if after.is_cut else "first recorded"
        replaced = _ids(after.supersedes)
        said = [first + (f", in place of {replaced}" if replaced else "")]
    else:
        said = [*_changes(before, after, zone)] or [ELSEWHERE if after.type == "item" else ITS_TEXT]
    said += [f"moved from '{path}'" for path in after.former_paths[-1:]]
    return tuple(said)


def _changes(before: Version, after: Version, zone: str) -> Iterator[str]:
    if after.type == "item" == before.type and before.statement != after.statement:
        yield word_changes(before.statement, after.statement)
    if after.type != "item" and before.title != after.title:
        yield f"title: {word_changes(before.title, after.title)}"
    if before.type != after.type:
        yield f"is {_named(after.type)} now (was {_named(before.type)})"
    if before.valid_from != after.valid_from:
        yield f"holds from {_when(after.valid_from, zone)} (was {_when(before.valid_from, zone)})"
    if before.valid_until != after.valid_until:
        yield _end(before.valid_until, after.valid_until, zone)
    if before.status != after.status:
        yield _status(before, after)
    for name, was, now in (
        ("kind", before.kind, after.kind),
        ("stream", before.stream, after.stream),
        ("category", ", ".join(before.categories), ", ".join(after.categories)),
        ("subject", before.subject, after.subject),
        ("predicate", before.predicate, after.predicate),
        ("object", before.object, after.object),
        ("trust", before.trust, after.trust),
    ):
        if was != now:
            yield f"{name}: {now or 'none'} (was {was or 'none'})"
    if before.path != after.path and not after.former_paths:
        yield f"moved from '{before.path}'"


def _named(type_: str) -> str:
    return f"an {type_}" if type_ == "item" else f"a {type_}" if type_ else "unreadable"


def _end(was: int | None, now: int | None, zone: str) -> str:
    if now is None:
        return f"holds on (was to end {_when(was, zone)})"
    return f"ends {_when(now, zone)}" + ("" if was is None else f" (was {_when(was, zone)})")


def _status(before: Version, after: Version) -> str:
    if after.status == "superseded":
        by = _ids(after.superseded_by)
        return f"superseded by {by}" if by else "superseded"
    if after.status == "active":
        return f"active again (was {before.status or 'none'})"
    return f"{after.status or 'no status'} (was {before.status or 'none'})"


def _ids(links: tuple[str, ...]) -> str:
    return ", ".join(id_in_name(link) or link for link in links)


def _when(ms: int | None, zone: str) -> str:
    return "no date" if ms is None else format_minute(ms, zone)


def word_changes(before: str, after: str) -> str:
    """Both texts in one, as `git diff --word-diff` writes it: [-gone-] and {+come+} words."""
    from difflib import SequenceMatcher

    old, new = before.split(), after.split()
    told: list[str] = []
    for op, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if op == "equal":
            told.append(" ".join(old[a:b]))
            continue
        if b > a:
            told.append(f"[-{' '.join(old[a:b])}-]")
        if d > c:
            told.append(f"{{+{' '.join(new[c:d])}+}}")
    return " ".join(told)
