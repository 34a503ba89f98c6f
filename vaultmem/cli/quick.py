"""What is typed, or called by an assistant, all day: answered without loading click.

Click takes longer to import than a vault takes to answer. The same functions serve both ways.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence


def quick(arguments: Sequence[str]) -> int | None:
    """Exit code of a command that is answered here; None: for click.

    `recall WORDS`, `remember WORDS`, `context [WORDS]`, with no options but `--vault V`, `--json`,
    `--no-sync`, `--limit N` and `--budget N` where the command has them; `hook CLIENT` or `mcp`
    (which may have `--vault V`).
    """
    options = _options(arguments)
    if options is None:
        return None
    command, *words = options.words or [""]
    vault, others = options.vault, options.given
    if command == "mcp" and not words and not others:
        from vaultmem.cli.failures import end_tidily  # saves 20 modules
        from vaultmem.cli.mcp import serve_tools  # saves 9 modules

        end_tidily()
        return _run(lambda: serve_tools(vault=vault, tools="default"))
    if command == "hook" and len(words) == 1 and not others:
        from vaultmem.cli.hook import quick_hook  # saves 60 modules

        return quick_hook(words[0], vault=vault)
    if command not in _TAKEN or not others <= _TAKEN[command]:
        return None
    if not words and command != "context":
        return None
    as_json, no_sync = "--json" in others, "--no-sync" in others
    if command == "recall":
        from vaultmem.cli.recall import recall  # saves 48 modules

        about: dict[str, int] = {} if options.number is None else {"limit": options.number}
        return _run(
            lambda: recall(words, vault=vault, about=about, as_json=as_json, no_sync=no_sync),
            as_json=as_json,
        )
    # Read without click it takes .86 of the processor time of f5b6a19, and took 1.11 (15 pairs).
    if command == "context":
        from vaultmem.cli.context import print_context  # saves 49 modules

        budget = options.number
        return _run(
            lambda: print_context(
                words, vault=vault, budget=budget, as_json=as_json, no_sync=no_sync
            ),
            as_json=as_json,
        )
    from vaultmem.cli.failures import end_tidily  # saves 20 modules
    from vaultmem.cli.remember import remember  # saves 51 modules

    end_tidily()
    return _run(lambda: remember(words, vault=vault, as_json=as_json), as_json=as_json)


_FLAGS = ("--json", "--no-sync")
_NUMBERS = {"--limit": "--limit", "-n": "--limit", "--budget": "--budget"}
_TAKEN = {
    "recall": frozenset(("--json", "--no-sync", "--limit")),
    "context": frozenset(("--json", "--no-sync", "--budget")),
    "remember": frozenset(("--json",)),
}


class _Options:
    """What a line of arguments says, where it says nothing that click is needed for."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.vault: str | None = None
        self.number: int | None = None
        self.given: set[str] = set()


def _options(arguments: Sequence[str]) -> _Options | None:
    """None: something is said twice, is no option of these, or stands where click refuses it.

    An option behind the words took the whole of click: 25 of the 130 ms of
    `recall QUESTION --vault V`, which is how assistants call it.
    """
    told = _Options()
    rest = iter(arguments)
    for argument in rest:
        if not argument.startswith("-"):
            told.words.append(argument)
            continue
        name, is_one, value = argument.partition("=")
        name = _NUMBERS.get(name, name)
        if name in told.given or (name == "--vault" and told.vault is not None):
            return None
        if name == "--json" and not is_one:
            told.given.add(name)
        elif name == "--vault":
            told.vault = value if is_one else next(rest, "")
            if not told.vault or told.vault.startswith("-"):
                return None
        elif not told.words:
            return None  # before the command only what every command has
        elif name in _FLAGS and not is_one:
            told.given.add(name)
        elif name in _NUMBERS.values() and not (is_one and argument.startswith("-n")):
            number = value if is_one else next(rest, "")
            if not (number.isascii() and number.isdecimal() and 0 < int(number) <= _MOST):
                return None
            told.given.add(name)
            told.number = int(number)
        else:
            return None
    return told


_MOST = 100_000  # `--limit` takes no more; what is wrong with a number, click says


def _run(command: Callable[[], int], *, as_json: bool = False) -> int:
    from vaultmem.cli.failures import run_guarded  # saves 18 modules
    from vaultmem.cli.output import prepare_streams  # saves 9 modules

    prepare_streams()
    return run_guarded(command, wants_json=lambda: as_json)
