"""`include` globs: `*` and `?` within a name, `**` for any number of folders."""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem.base import SettingsError

_WILD = frozenset("*?[")


class Patterns:
    """Globs split into components, asked about paths relative to the vault."""

    def __init__(self, globs: Sequence[str]) -> None:
        self._globs = tuple(_split(glob) for glob in globs)

    def match(self, folder: str, name: str) -> bool:
        """Whether the file `name` in `folder` ('' is the root) is named by a glob."""
        parts = (*_parts(folder), name)
        return any(_matches(parts, glob) for glob in self._globs)

    def reach(self, folder: str) -> bool:
        """Whether a file in or below `folder` can be named by a glob."""
        parts = _parts(folder)
        return any(_reaches(parts, glob) for glob in self._globs)

    def covers(self, folder: str) -> bool:
        """Whether a scan for files that the globs name lists `folder`."""
        parts = _parts(folder)
        return any(
            parts[: len(fixed := _fixed(glob))] == fixed and _reaches(parts, glob)
            for glob in self._globs
        )

    def starts(self) -> tuple[str, ...]:
        """Folders to look in: the part of each glob before its first wildcard, none twice."""
        found = {"/".join(_fixed(glob)) for glob in self._globs}
        return tuple(
            sorted(
                path
                for path in found
                if not any(_is_below(path, other) for other in found if other != path)
            )
        )


def _is_below(path: str, other: str) -> bool:
    return not other or path.startswith(other + "/")


def _split(glob: str) -> tuple[str, ...]:
    parts = tuple(part for part in glob.split("/") if part not in ("", "."))
    if glob.startswith("/") or ".." in parts or "\\" in glob or not parts:
        raise SettingsError(
            f"include: '{glob}' does not name files inside the vault",
            hint="write it relative to the vault, for example 'notes/**/*.md'",
        )
    return parts


def _parts(folder: str) -> tuple[str, ...]:
    return tuple(folder.split("/")) if folder else ()


def _fixed(glob: tuple[str, ...]) -> tuple[str, ...]:
    for place, part in enumerate(glob[:-1]):
        if not _WILD.isdisjoint(part):
            return glob[:place]
    return glob[:-1]


def _matches(parts: Sequence[str], glob: Sequence[str]) -> bool:
    """Whole path against whole glob; linear in their product, so no glob can hang a scan."""
    fits = [True] + [False] * len(parts)
    for wanted in glob:
        after = [wanted == "**" and fits[0]] + [False] * len(parts)
        for place, part in enumerate(parts, start=1):
            if wanted == "**":
                after[place] = fits[place] or after[place - 1]
            else:
                after[place] = fits[place - 1] and _fits(part, wanted)
        fits = after
    return fits[-1]


def _reaches(parts: Sequence[str], glob: Sequence[str]) -> bool:
    for place, wanted in enumerate(glob[:-1]):
        if wanted == "**" or place == len(parts):
            return True
        if not _fits(parts[place], wanted):
            return False
    return len(parts) <= len(glob) - 1


def _fits(name: str, wanted: str) -> bool:
    if _WILD.isdisjoint(wanted):
        return name == wanted
    import fnmatch

    return fnmatch.fnmatchcase(name, wanted)
