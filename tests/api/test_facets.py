"""What is promised of the facets of `Memory`, and of the names that its methods had before."""

from __future__ import annotations

import subprocess
import sys
from operator import attrgetter
from pathlib import Path

import pytest

from tests.conftest import FixedClock
from vaultmem.api.former import Former, Renamed
from vaultmem.api.memory import Memory

FORMER = sorted(name for name, value in vars(Former).items() if isinstance(value, Renamed))


def test_a_facet_works_on_the_vault_of_its_memory(memory: Memory) -> None:
    (item,) = memory.remember("I prefer tabs over spaces.").items
    assert [one.statement for one in memory.history.of(item.id).versions] == [item.statement]
    memory.facts.expire(item.id)
    assert [one.op for one in memory.history.log(limit=1)] == ["expire"]
    assert memory.sessions.start("monday").id == "monday"
    assert [row.session for row in memory.sessions.list()] == ["monday"]
    assert memory.sessions.open("monday").show().session == "monday"


def test_a_former_name_is_the_method_and_says_its_new_one(memory: Memory) -> None:
    assert len(FORMER) == 40
    for name in FORMER:
        with pytest.warns(DeprecationWarning, match=f"^'memory.{name}' is 'memory.") as told:
            found = getattr(memory, name)
        (warning,) = told
        assert warning.filename == __file__
        new = str(warning.message).split("'")[3].removeprefix("memory.")
        assert found.__func__ is attrgetter(new)(memory).__func__


def test_a_former_name_takes_what_it_took(memory: Memory) -> None:
    """Type checkers see the method that it is now: an `ignore` that hides nothing is an error."""
    memory.remember("I prefer tabs over spaces.")
    with pytest.warns(DeprecationWarning, match=r"'memory\.log' is 'memory\.history\.log' now"):
        operations = memory.log(limit=1)
    assert [one.op for one in operations] == ["remember"]
    with (
        pytest.warns(DeprecationWarning, match=r"'memory\.log'"),
        pytest.raises(TypeError, match="most"),
    ):
        memory.log(most=1)  # type: ignore[call-arg]  # that is what is tested
    with (
        pytest.warns(DeprecationWarning, match=r"'memory\.history\(\.\.\.\)'"),
        pytest.raises(TypeError, match="subject"),
    ):
        memory.history(subject="user")  # type: ignore[call-arg]  # that is what is tested


def test_a_facet_that_has_the_name_of_a_former_method_can_be_called_as_that(
    memory: Memory, clock: FixedClock
) -> None:
    (item,) = memory.remember("I prefer tabs over spaces.").items
    memory.session("monday").turn("Hello.")
    with pytest.warns(DeprecationWarning, match=r"'memory\.history\.of\(\.\.\.\)' now") as told:
        versions = memory.history(item.id).versions
    assert [one.statement for one in versions] == [item.statement]
    assert told[0].filename == __file__
    with pytest.warns(DeprecationWarning, match=r"'memory\.sessions\.list\(\.\.\.\)' now"):
        assert [row.session for row in memory.sessions(everything=True)] == ["monday"]
    with pytest.warns(DeprecationWarning, match=r"'memory\.review\.waiting\(\.\.\.\)' now"):
        assert memory.review() == ()
    with pytest.warns(DeprecationWarning, match=r"'memory\.maintain\.run\(\.\.\.\)' now"):
        assert memory.maintain("nightly", dry_run=True).job == "nightly"


def test_a_name_that_no_method_ever_had_is_an_error(memory: Memory) -> None:
    assert not hasattr(memory, "remind")
    with pytest.raises(AttributeError, match="'Memory' object has no attribute 'remind'"):
        memory.remind  # type: ignore[attr-defined]  # noqa: B018


def test_a_facet_is_loaded_when_it_is_first_used(tmp_path: Path) -> None:
    Memory.init(tmp_path / "vault")
    code = (
        "import sys\n"
        "from vaultmem import Memory\n"
        "def facets(): return sorted(each for each in sys.modules if each.endswith('_verbs'))\n"
        "with Memory(sys.argv[1]) as memory:\n"
        "    memory.remember('I prefer tea.')\n"
        "    memory.recall('tea')\n"
        "    print(facets())\n"
        "    memory.review.waiting()\n"
        "    print(facets())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "vault")],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.splitlines() == ["[]", "['vaultmem.api.room_verbs']"]
