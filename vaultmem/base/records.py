"""`dataclass`, `field`, `replace` and `NamedTuple` of the standard library, cheap at start.

`dataclasses` writes the source of every method and compiles it: 40 records took a third of a
cold `remember` (0.8 ms each, and 10 ms to import it with `inspect`). Here a record shares plain
functions over its list of fields, and defining one takes 0.03 ms. Type checkers see the real
thing, and so does everybody else: `dataclasses.fields`, `asdict`, `replace` and `is_dataclass`
work on these records, because what they look for is made when it is asked for.

Only what this program uses is here: `slots=True` always, `frozen`, `kw_only`, `eq`.

`typing.NamedTuple` compiles the annotation of every field, and a constructor: 0.2 ms a class, and
22 of them were a tenth of a cold `recall`. One of these takes 0.02 ms and does the same, except
that it refuses no reserved names (type checkers do).
"""

from __future__ import annotations

from vaultmem.base.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass, field, replace
    from typing import NamedTuple

    class WorkedOut:
        def __init__(self, place: object) -> None: ...
else:
    from operator import attrgetter, itemgetter

    try:
        from _collections import _tuplegetter as _getter
    except ImportError:  # another Python than CPython

        def _getter(place, told):
            return property(itemgetter(place), doc=told)

    class _Missing:
        """Says that a field has no default."""

    _MISSING = _Missing()

    class _Factory:
        """Makes the default of a field."""

        __slots__ = ("make",)

        def __init__(self, make):
            self.make = make

    class _Fields:
        """What `dataclasses` keeps of a class, made on first look."""

        def __init__(self, frozen, kw_only, eq):
            self._options = {"frozen": frozen, "kw_only": kw_only, "eq": eq}
            self._made = None

        def __get__(self, instance, owner):
            if self._made is None:
                self._made = _standard_fields(owner, self._options)
            return self._made

    def _standard_fields(owner, options):
        import dataclasses

        made = {}
        for name, default in owner.__record__.items():
            if type(default) is _Factory:
                one = dataclasses.field(default_factory=default.make)
            elif default is _MISSING:
                one = dataclasses.field()
            else:
                one = dataclasses.field(default=default)
            one.name = name
            one.type = _annotation(owner, name)
            one.kw_only = options["kw_only"]
            one._field_type = dataclasses._FIELD
            made[name] = one
        return made

    def _annotation(owner, name):
        for kind in owner.__mro__:
            if name in getattr(kind, "__annotations__", ()):
                return kind.__annotations__[name]
        raise AttributeError(name)

    def field(*, default=_MISSING, default_factory=_MISSING):
        """A default that each instance gets anew."""
        return default if default_factory is _MISSING else _Factory(default_factory)

    def dataclass(*, slots, frozen=False, kw_only=False, eq=True):
        """Make a record of a class: fields from its annotations, kept in slots."""
        if not slots:
            raise TypeError("records have slots")
        return lambda kind: _record(kind, frozen, kw_only, eq)

    def _record(kind, frozen, kw_only, eq):
        inherited = {}
        for base in reversed(kind.__mro__[1:]):
            inherited.update(base.__dict__.get("__record__", ()))
        space = dict(kind.__dict__)
        space.pop("__dict__", None)
        space.pop("__weakref__", None)
        own = {
            name: space.pop(name, _MISSING)
            for name, annotation in space.get("__annotations__", {}).items()
            if not str(annotation).startswith("ClassVar")
        }
        space["__slots__"] = tuple(name for name in own if name not in inherited)
        space["__record__"] = {**inherited, **own}
        space["__dataclass_fields__"] = _Fields(frozen, kw_only, eq)
        space["__match_args__"] = () if kw_only else tuple(space["__record__"])
        made = type(kind)(kind.__name__, kind.__bases__, space)
        made.__qualname__ = kind.__qualname__
        _give_methods(made, frozen, kw_only, eq)
        return made

    def _give_methods(made, frozen, kw_only, eq):
        names = tuple(made.__record__)
        places = tuple(getattr(made, name) for name in names)
        puts = tuple(place.__set__ for place in places)
        plan = tuple(zip(names, puts, made.__record__.values(), strict=True))
        made.__init__ = _init(made.__qualname__, plan, names, kw_only)
        if "__repr__" not in made.__dict__:
            made.__repr__ = _repr
        made.__getstate__ = _state
        made.__setstate__ = lambda self, state: [
            put(self, value) for put, value in zip(puts, state, strict=True)
        ]
        made.__held__ = tuple(zip(names, [place.__get__ for place in places], strict=True))
        made.__replace__ = replace
        if eq and names:
            made.__eq__ = _equality(attrgetter(*names))
            made.__hash__ = _hash(attrgetter(*names)) if frozen else None
        if frozen:
            made.__setattr__ = _refuse_to_set
            made.__delattr__ = _refuse_to_delete

    # Records that a process makes by hundreds get a compiled constructor, which fills five fields
    # in .5 us in place of 1.2: a warm recall makes a hundred records, a new index some of a note.
    _MANY = 500

    def _quick_init(plan):
        """What `_init` gives for keywords alone, compiled: 0.3 ms a record."""
        space = {"_Missing": _MISSING}
        given, lines = [], []
        for place, (name, put, default) in enumerate(plan):
            space[f"_put{place}"] = put
            value = name
            if type(default) is _Factory:
                space[f"_make{place}"] = default.make
                given.append(f"{name}=_Missing")
                value = f"_make{place}() if {name} is _Missing else {name}"
            elif default is _MISSING:
                given.append(name)
            else:
                space[f"_default{place}"] = default
                given.append(f"{name}=_default{place}")
            lines.append(f"    _put{place}(_record, {value})")
        source = f"def __init__(_record, /, *, {', '.join(given)}):\n" + "\n".join(lines)
        exec(source, space)  # of the names of our own fields, as `dataclasses` does
        return space["__init__"]

    def _init(title, plan, names, kw_only):
        waiting = _MANY

        def fill(self, /, *values, **given):
            nonlocal waiting
            waiting -= 1
            if not waiting and kw_only and type(self).__init__ is fill:
                type(self).__init__ = _quick_init(plan)
            if values:
                if kw_only or len(values) > len(names):
                    raise TypeError(f"{title}() takes {0 if kw_only else len(names)} positional")
                for name, value in zip(names, values, strict=False):
                    if name in given:
                        raise TypeError(f"{title}() got multiple values for '{name}'")
                    given[name] = value
            # Filled without asking for each: with what else was spared a warm context takes 12.1 ms
            # in place of 14.2.
            if len(given) == len(plan):
                try:
                    for name, put, _ in plan:
                        put(self, given[name])
                    return
                except KeyError:  # one has another name: told below
                    pass
            used = 0
            for name, put, default in plan:
                if name in given:
                    put(self, given[name])
                    used += 1
                elif type(default) is _Factory:
                    put(self, default.make())
                elif default is _MISSING:
                    raise TypeError(f"{title}() missing argument: '{name}'")
                else:
                    put(self, default)
            if used != len(given):
                unknown = ", ".join(sorted(given.keys() - set(names)))
                raise TypeError(f"{title}() got unexpected arguments: {unknown}")

        return fill

    def _repr(self):
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__record__)
        return f"{self.__class__.__qualname__}({shown})"

    def _state(self):
        return [getattr(self, name) for name in self.__record__]

    def _equality(values):
        def equal(self, other):
            if other.__class__ is not self.__class__:
                return NotImplemented
            return values(self) == values(other)

        return equal

    def _hash(values):
        return lambda self: hash(values(self))

    def _refuse_to_set(self, name, value):
        import dataclasses

        raise dataclasses.FrozenInstanceError(f"cannot assign to field '{name}'")

    def _refuse_to_delete(self, name):
        import dataclasses

        raise dataclasses.FrozenInstanceError(f"cannot delete field '{name}'")

    def replace(record, /, **changes):
        """A record with some fields changed; a `WorkedOut` stays to be worked out."""
        given = {name: get(record) for name, get in record.__held__}
        given.update(changes)
        return record.__class__(**given)

    class WorkedOut:
        """A field of tuples that may be given any sequence, which is read when somebody looks.

        Whoever reads it meets a tuple: put it in place of the field of a finished record.
        """

        def __init__(self, place):
            self._place = place

        def __get__(self, record, owner=None):
            if record is None:
                return self
            found = self._place.__get__(record)
            if type(found) is not tuple:
                found = tuple(found)
                self._place.__set__(record, found)
            return found

        def __set__(self, record, value):
            self._place.__set__(record, value)

    class _Named(tuple):
        """What all named tuples do."""

        __slots__ = ()
        _fields = ()

        @classmethod
        def _make(cls, values):
            found = tuple.__new__(cls, values)
            if len(found) != len(cls._fields):
                raise TypeError(f"expected {len(cls._fields)} arguments, got {len(found)}")
            return found

        def _replace(self, /, **changes):
            found = self._make(map(changes.pop, self._fields, self))
            if changes:
                raise ValueError(f"got unexpected field names: {list(changes)!r}")
            return found

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self):
            shown = ", ".join(f"{name}={value!r}" for name, value in self._asdict().items())
            return f"{self.__class__.__name__}({shown})"

        def __getnewargs__(self):
            return tuple(self)

    class _NamedTuples(type):
        """Makes a tuple of a class with annotations."""

        def __new__(mcs, name, bases, space):
            if not bases:
                return super().__new__(mcs, name, bases, space)
            names = tuple(space.get("__annotations__", ()))
            defaults = {field: space.pop(field) for field in names if field in space}
            for place, field in enumerate(names):
                space[field] = _getter(place, f"Alias for field number {place}")
            space["__slots__"] = ()
            space["__match_args__"] = space["_fields"] = names
            space["_field_defaults"] = defaults
            space["__new__"] = _constructor(name, names, defaults)
            others = tuple(base for base in bases if base is not NamedTuple)
            return type(name, (_Named, *others), space)

    class NamedTuple(metaclass=_NamedTuples):
        """A tuple whose places have names: from the annotations of a class."""

    def _constructor(title, names, defaults):
        count, make = len(names), tuple.__new__
        # What is left out at the end, by how many values are given.
        tails = {
            first: tuple([defaults[name] for name in names[first:]])
            for first in range(count - len(defaults), count)
        }

        def new(cls, /, *values, **given):
            if not given and len(values) in tails:
                values += tails[len(values)]
            elif given or len(values) != count:
                if len(values) > count:
                    raise TypeError(f"{title}() takes {count} values, got {len(values)}")
                rest = names[len(values) :]
                try:
                    if len(given) == len(rest):
                        return make(cls, values + tuple([given[name] for name in rest]))
                except KeyError:  # one has another name: told below
                    pass
                try:
                    values += tuple(
                        [given.pop(name) if name in given else defaults[name] for name in rest]
                    )
                except KeyError as error:
                    raise TypeError(f"{title}() missing argument: {error}") from None
                if given:
                    raise TypeError(f"{title}() got unexpected arguments: {', '.join(given)}")
            return make(cls, values)

        return new


__all__ = ["NamedTuple", "WorkedOut", "dataclass", "field", "replace"]
