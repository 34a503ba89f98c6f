"""The two commands that are typed all day, without an option: answered without loading click.

Click takes longer to import than a vault takes to answer. The same functions serve both ways.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence


def quick(arguments: Sequence[str]) -> int | None:
    """Exit code of a plain `recall WORDS` or `remember WORDS`; None: leave it to click."""
    if len(arguments) < 2 or any(argument.startswith("-") for argument in arguments):
        return None
    command, *words = arguments
    if command == "recall":
        from vaultmem.cli.finding import recall

        return _run(lambda: recall(words))
    if command == "remember":
        from vaultmem.cli.keeping import remember

        return _run(lambda: remember(words))
    return None


def _run(command: Callable[[], int]) -> int:
    from vaultmem.cli.failures import guarded
    from vaultmem.cli.output import prepare_streams

    prepare_streams()
    return guarded(command)
