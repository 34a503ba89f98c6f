"""Records behave as the standard library's dataclasses do; each case runs on both."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from typing import Any, Generic, NamedTuple, TypeVar

import pytest

from vaultmem.base import records


@records.dataclass(frozen=True, slots=True, kw_only=True)
class Ours:
    name: str
    size: int = 1
    made: list[int] = records.field(default_factory=list)

    @property
    def doubled(self) -> int:
        return self.size * 2


@records.dataclass(frozen=True, slots=True, kw_only=True)
class OursBelow(Ours):
    colour: str = "red"
    size: int = 5


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Theirs:
    name: str
    size: int = 1
    made: list[int] = dataclasses.field(default_factory=list)

    @property
    def doubled(self) -> int:
        return self.size * 2


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class TheirsBelow(Theirs):
    colour: str = "red"
    size: int = 5


PAIRS = pytest.mark.parametrize(
    ("base", "below"), [(Ours, OursBelow), (Theirs, TheirsBelow)], ids=["ours", "standard"]
)
Kind = Callable[..., Any]
T = TypeVar("T")


@PAIRS
def test_defaults_order_and_text(base: Kind, below: Kind) -> None:
    made = below(name="a")
    assert (made.name, made.size, made.made, made.colour, made.doubled) == ("a", 5, [], "red", 10)
    assert [field.name for field in dataclasses.fields(made)] == ["name", "size", "made", "colour"]
    assert repr(made).endswith("Below(name='a', size=5, made=[], colour='red')")
    assert dataclasses.asdict(made) == {"name": "a", "size": 5, "made": [], "colour": "red"}
    assert base(name="a").made is not base(name="a").made


@PAIRS
def test_equality_and_hash(base: Kind, below: Kind) -> None:
    assert base(name="a") == base(name="a")
    assert base(name="a") != base(name="b")
    assert base(name="a") != below(name="a", size=1)
    assert base(name="a") != ("a", 1, [])
    with pytest.raises(TypeError):
        hash(base(name="a"))  # a list is in it


@PAIRS
def test_nothing_can_be_set_or_added(base: Kind, below: Kind) -> None:
    made = below(name="a")
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.name = "b"
    with pytest.raises(dataclasses.FrozenInstanceError):
        del made.name
    with pytest.raises((AttributeError, TypeError)):
        made.other = 1
    assert not hasattr(made, "__dict__")


@PAIRS
@pytest.mark.parametrize(
    ("values", "given"), [((), {}), (("a",), {}), ((), {"name": "a", "nmae": "b"})]
)
def test_wrong_arguments_are_refused(
    base: Kind, below: Kind, values: tuple[str, ...], given: dict[str, str]
) -> None:
    with pytest.raises(TypeError):
        base(*values, **given)


@PAIRS
def test_copies(base: Kind, below: Kind) -> None:
    made = below(name="a", made=[1])
    assert pickle.loads(pickle.dumps(made)) == made
    assert copy.copy(made) == made
    assert copy.deepcopy(made).made is not made.made
    assert dataclasses.replace(made, size=7) == below(name="a", size=7, made=[1])
    assert dataclasses.is_dataclass(made)


def test_replace_is_the_same() -> None:
    assert records.replace(OursBelow(name="a"), size=7) == OursBelow(name="a", size=7)
    with pytest.raises(TypeError):
        records.replace(OursBelow(name="a"), nmae="b")  # type: ignore[call-arg]


def test_positions_are_taken_unless_keywords_are_asked_for() -> None:
    @records.dataclass(frozen=True, slots=True)
    class Pair:
        left: int
        right: int = 2

    match Pair(1):
        case Pair(left, right):
            assert (left, right) == (1, 2)
    assert Pair(1, 3) == Pair(right=3, left=1)
    assert hash(Pair(1)) == hash(Pair(1, 2))


def test_a_record_that_is_not_frozen_can_be_changed() -> None:
    @records.dataclass(slots=True, kw_only=True)
    class Counter:
        count: int = 0

    made = Counter()
    made.count += 1
    assert made == Counter(count=1)


class OurPlace(records.NamedTuple):
    """A place."""

    name: str
    floor: int = 0
    doors: tuple[str, ...] = ()

    @property
    def above(self) -> int:
        return self.floor + 1


class TheirPlace(NamedTuple):
    """A place."""

    name: str
    floor: int = 0
    doors: tuple[str, ...] = ()

    @property
    def above(self) -> int:
        return self.floor + 1


class OurHeld(records.NamedTuple, Generic[T]):
    what: T
    times: int = 1


class TheirHeld(NamedTuple, Generic[T]):
    what: T
    times: int = 1


TUPLES = pytest.mark.parametrize("kind", [OurPlace, TheirPlace], ids=["ours", "standard"])


@TUPLES
def test_a_named_tuple_is_a_tuple_with_names(kind: Any) -> None:
    hall = kind("hall", doors=("front",))
    assert tuple(hall) == ("hall", 0, ("front",))
    assert issubclass(kind, tuple)
    assert (hall.name, hall.floor, hall[2], hall.above, len(hall)) == ("hall", 0, ("front",), 1, 3)
    assert hash(hall) == hash(("hall", 0, ("front",)))
    assert kind("a", 1) < kind("a", 2)
    name, floor, doors = hall
    assert (name, floor, doors) == hall
    assert repr(hall) == f"{kind.__name__}(name='hall', floor=0, doors=('front',))"
    assert hall._replace(floor=2) == ("hall", 2, ("front",))
    assert type(hall._replace(floor=2)) is kind
    assert kind._make(["attic", 3, ()]).above == 4
    assert hall._asdict() == {"name": "hall", "floor": 0, "doors": ("front",)}
    assert kind._fields == ("name", "floor", "doors")
    assert kind._field_defaults == {"floor": 0, "doors": ()}
    assert kind.__doc__ == "A place."
    match hall:
        case kind(name=found, floor=0):
            assert found == "hall"
        case _:
            pytest.fail("no match")


@TUPLES
@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))]
)
def test_a_named_tuple_is_copied_as_what_it_is(kind: Any, copied: Kind) -> None:
    hall = kind("hall", 1, ("front", "back"))
    assert copied(hall) == hall
    assert type(copied(hall)) is kind


@TUPLES
@pytest.mark.parametrize(
    ("values", "named"),
    [
        ((), {}),
        (("a", 1, (), 4), {}),
        (("a",), {"name": "b"}),
        (("a",), {"colour": "red"}),
        (("a", 1, ()), {"floor": 2}),
    ],
)
def test_a_named_tuple_refuses_what_it_has_no_place_for(
    kind: Any, values: tuple[object, ...], named: dict[str, object]
) -> None:
    with pytest.raises(TypeError):
        kind(*values, **named)


@TUPLES
def test_a_named_tuple_is_frozen(kind: Any) -> None:
    hall = kind("hall")
    with pytest.raises(AttributeError):
        hall.name = "cellar"
    with pytest.raises(AttributeError):
        hall.colour = "red"
    with pytest.raises(ValueError, match="colour"):
        hall._replace(colour="red")
    with pytest.raises(TypeError):
        kind._make(["a"])


@pytest.mark.parametrize("kind", [OurHeld, TheirHeld], ids=["ours", "standard"])
def test_a_named_tuple_may_be_generic(kind: Any) -> None:
    held = kind[str]("tea")
    assert held == ("tea", 1)
    assert isinstance(held, kind)
    assert kind.__parameters__ == (T,)


def test_a_record_that_is_made_often_stays_the_same() -> None:
    """From some hundred of them on the constructor is a compiled one."""

    @records.dataclass(frozen=True, slots=True, kw_only=True)
    class Often:
        name: str
        size: int = 1
        made: list[int] = records.field(default_factory=list)

    usual = Often.__init__
    first = Often(name="a")
    for _ in range(2_000):
        Often(name="a", size=2, made=[])
    assert Often.__init__ is not usual
    last = Often(name="a")
    assert last == first
    assert last.made is not Often(name="a").made
    assert records.replace(last, size=3) == Often(size=3, name="a", made=[])
    assert dataclasses.replace(last, size=3) == Often(size=3, name="a")
    assert pickle.loads(pickle.dumps(OursBelow(name="b"))) == OursBelow(name="b")
    with pytest.raises(TypeError):
        Often()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Often("a")  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Often(name="a", nmae="b")  # type: ignore[call-arg]
    with pytest.raises(dataclasses.FrozenInstanceError):
        last.name = "b"  # type: ignore[misc]
