"""What modules of a cold start need of `typing`, without importing it.

`typing` takes 3 ms to import and 0.1 ms for each protocol and generic class that it makes: a
twentieth of a cold `recall`, for names that only type checkers read. They see the real ones here;
at run time there are classes and functions that do nothing. Whoever asks `typing` about a
class at run time (`runtime_checkable`, `get_type_hints`) imports `typing` itself.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import (
        IO,
        Any,
        Concatenate,
        Generic,
        Literal,
        NewType,
        ParamSpec,
        Protocol,
        Self,
        TypeGuard,
        TypeVar,
        cast,
        overload,
    )
else:

    class _Written:
        """A name that stands in annotations and among bases, with or without [...]."""

        __slots__ = ()

        def __class_getitem__(cls, _):
            return cls

    class Generic(_Written):
        """Base of classes with parameters."""

        __slots__ = ()

    class Protocol(_Written):
        """Base of seams."""

        __slots__ = ()

    IO = Any = Concatenate = Literal = Self = TypeGuard = _Written

    def TypeVar(name, *_, **__):  # noqa: N802 (named as what it stands for)
        """A parameter of annotations."""
        return name

    ParamSpec = TypeVar

    def NewType(_, kind):  # noqa: N802
        """The plain type: a string that was checked is a string."""
        return kind

    def cast(_, value):
        """The value."""
        return value

    def overload(one):
        """The function, which the last of its name replaces."""
        return one


__all__ = [
    "IO",
    "TYPE_CHECKING",
    "Any",
    "Concatenate",
    "Generic",
    "Literal",
    "NewType",
    "ParamSpec",
    "Protocol",
    "Self",
    "TypeGuard",
    "TypeVar",
    "cast",
    "overload",
]
