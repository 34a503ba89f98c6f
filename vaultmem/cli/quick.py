"""What is typed, or called by an assistant, all day: answered without loading click.

Click takes longer to import than a vault takes to answer. The same functions serve both ways.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence


def quick(arguments: Sequence[str]) -> int | None:
    """Exit code of a command that is answered here; None: for click.

    `[--vault V]`, then `recall [--no-sync] WORDS`, `remember WORDS`, `context [WORDS]`,
    `hook CLIENT` or `mcp` (which may have `--vault V` behind it).
    """
    vault, rest = None, list(arguments)
    if len(rest) > 1 and rest[0] == "--vault":
        vault, rest = rest[1], rest[2:]
    if rest[:2] == ["mcp", "--vault"] and len(rest) == 3:
        vault, rest = rest[2], rest[:1]
    no_sync = rest[:2] == ["recall", "--no-sync"]
    if no_sync:
        del rest[1]
    if rest == ["mcp"]:
        from vaultmem.cli.failures import end_tidily  # saves 20 modules
        from vaultmem.cli.mcp import serve_tools  # saves 9 modules

        end_tidily()
        return _run(lambda: serve_tools(vault=vault, tools="default"))
    if rest[:1] == ["hook"] and len(rest) == 2:
        from vaultmem.cli.hook import quick_hook  # saves 60 modules

        return quick_hook(rest[1], vault=vault)
    if any(argument.startswith("-") for argument in rest):
        return None
    if len(rest) < 2 and rest != ["context"]:
        return None
    command, *words = rest
    if command == "recall":
        from vaultmem.cli.recall import recall  # saves 48 modules

        return _run(lambda: recall(words, vault=vault, no_sync=no_sync))
    # Read without click it takes .86 of the processor time of f5b6a19, and took 1.11 (15 pairs).
    if command == "context":
        from vaultmem.cli.context import print_context  # saves 49 modules

        return _run(lambda: print_context(words, vault=vault))
    if command == "remember":
        from vaultmem.cli.failures import end_tidily  # saves 20 modules
        from vaultmem.cli.remember import remember  # saves 51 modules

        end_tidily()
        return _run(lambda: remember(words, vault=vault))
    return None


def _run(command: Callable[[], int]) -> int:
    from vaultmem.cli.failures import run_guarded  # saves 18 modules
    from vaultmem.cli.output import prepare_streams  # saves 9 modules

    prepare_streams()
    return run_guarded(command)
