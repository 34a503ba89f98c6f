"""What commands print: results to stdout, everything else to stderr, never an active character.

Text of notes may come from anybody, so all of it passes through `text.visible` and
`inert.defang_output` here, in one place (reliability.md T14, T22). JSON keys are the names of
the records in `model/`; times are ISO 8601.
"""

from __future__ import annotations

import os
import sys

from vaultmem import language
from vaultmem.base import TYPE_CHECKING, Any
from vaultmem.language import visible
from vaultmem.safety import defang_output

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from vaultmem.config import SettingsWarning

_TIMES = frozenset(
    (
        "anchored_at",
        "at",
        "begins",
        "confidence_at",
        "date",
        "due",
        "due_at",
        "ends",
        "known_at",
        "last_commit_at",
        "last_reinforced",
        "now",
        "ran_at",
        "recorded_at",
        "retired_at",
        "superseded_at",
        "started",
        "updated",
        "horizon",
        "since",
        "synced_at",
        "valid_at",
        "valid_from",
        "valid_until",
    )
)


def prepare_streams() -> None:
    """UTF-8 on both streams, also on Windows; what cannot be encoded is spelled out."""
    for stream in (sys.stdout, sys.stderr):
        if stream.encoding.lower() not in ("utf-8", "utf8"):
            reconfigure = getattr(stream, "reconfigure", None)
            if reconfigure is not None:
                reconfigure(encoding="utf-8", errors="backslashreplace")


def say(lines: Iterable[str], *, root: Path | None = None) -> None:
    """Print result lines, with nothing in them that a terminal or a renderer would act on.

    A terminal gets lines of pieces (`note_lines.Line`) wrapped, and in our own colours.

    root  of the vault, where files of pieces are; None: no piece leads to its file
    """
    if not has_colours():
        sys.stdout.write(_harmless("".join(f"{line}\n" for line in lines)))
        return
    from vaultmem.cli.palette import paint, screen_of  # saves 2 modules where nobody sees colours

    on = screen_of(is_watched=is_terminal())
    sys.stdout.write(paint(tuple(lines), clean=_harmless, root=root, on=on))


def _harmless(text: str) -> str:
    return visible(defang_output(text))


def has_colours() -> bool:
    """Whether results go to somebody who sees colours.

    NO_COLOR forbids them (no-color.org), FORCE_COLOR and CLICOLOR_FORCE ask for them also where no
    terminal is (force-color.org, bixense.com/clicolors); `0` asks for none.
    """
    given = os.environ
    if given.get("NO_COLOR") or given.get("FORCE_COLOR") in ("0", "false"):
        return False
    if given.get("FORCE_COLOR") or given.get("CLICOLOR_FORCE", "0") not in ("", "0"):
        return True
    return given.get("CLICOLOR") != "0" and is_terminal()


def is_terminal() -> bool:
    """Whether standard output is a terminal that does more than print."""
    if not sys.stdout.isatty():
        return False
    if sys.platform == "win32":  # the old console shows the codes instead of obeying them
        return any(name in os.environ for name in ("WT_SESSION", "TERM", "ANSICON", "ConEmuANSI"))
    return os.environ.get("TERM", "") not in ("", "dumb", "unknown")


def say_now(line: str) -> None:
    """Print a line at once: whoever reads along must not wait for a full buffer."""
    say([line])
    sys.stdout.flush()


def say_piece(text: str) -> None:
    """Print a piece of a reply as it comes, with nothing in it that a terminal would act on.

    Its pieces are not looked at for links that run: they may begin in one and end in the next.
    """
    sys.stdout.write(visible(text))
    sys.stdout.flush()


def say_page(text: str) -> None:
    """Print a page of help, which is ours, as it is written."""
    sys.stdout.write(visible(text.rstrip("\n") + "\n"))


def tell(line: str) -> None:
    """Print one line about the work, not a result of it."""
    sys.stdout.flush()
    sys.stderr.write(visible(defang_output(f"{line}\n")))


def tell_gaps(gaps: Iterable[str]) -> None:
    """Say beside an answer what the history lacks, as `memory.history.gaps` gives it."""
    for gap in gaps:
        tell(f"note: {gap}")


def warn(warnings: Iterable[SettingsWarning]) -> None:
    """Print what was ignored in the settings."""
    for warning in warnings:
        tell(f"warning: {warning}")
        if warning.hint:
            tell(f"hint: {warning.hint}")


def say_json(value: object, zone: str = "UTC") -> None:
    """Print a record, or anything made of records, as JSON; times in the vault's zone."""
    import json

    plain = as_plain(value, zone)
    text = json.dumps(plain, ensure_ascii=False, indent=2)
    if visible(text) != text:
        text = json.dumps(plain, ensure_ascii=True, indent=2)
    sys.stdout.write(f"{text}\n")


def say_result(
    value: object,
    lines: Iterable[str],
    zone: str = "UTC",
    *,
    as_json: bool,
    root: Path | None = None,
) -> int:
    """Print what came out, as JSON or as lines for a person: 0, the exit code of what went well.

    lines  are not worked out for JSON, where they come from a generator
    """
    if as_json:
        say_json(value, zone)
    else:
        say(lines, root=root)
    return 0


def say_failure(message: str, hint: str, code: int) -> None:
    """Print what went wrong as JSON in one line: of some commands each line is a value."""
    import json

    value = as_plain({"error": message, "hint": hint or None, "code": code})
    text = json.dumps(value, ensure_ascii=False)
    sys.stdout.write(f"{text if visible(text) == text else json.dumps(value)}\n")
    sys.stdout.flush()


def as_plain(value: object, zone: str = "UTC") -> Any:
    """Records as dicts, tuples as lists, paths as text, UTC milliseconds as ISO 8601."""
    import dataclasses
    from collections.abc import Sequence
    from pathlib import PurePath

    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in dataclasses.fields(value)]
        return {name: _as_time(name, getattr(value, name), zone) for name in names}
    if isinstance(value, PurePath):
        return value.as_posix()
    if isinstance(value, dict):
        return {str(key): as_plain(inner, zone) for key, inner in value.items()}
    if isinstance(value, str):
        return defang_output(value)
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return [as_plain(inner, zone) for inner in value]
    if value is None or isinstance(value, int | float):
        return value
    raise TypeError(f"cannot print a {type(value).__name__} as JSON")


def _as_time(name: str, value: object, zone: str) -> Any:
    if name in _TIMES and isinstance(value, int):
        try:
            return language.format_instant(value, zone)
        except ValueError:  # outside the calendar: show the number rather than nothing
            return value
    return as_plain(value, zone)
